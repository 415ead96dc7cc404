//! Maps the F1 that the content model expects to the F1 that it reaches.
//!
//! The model underestimates itself. `evaluate --figures` compares the expected with the reached F1, by words, on labelled pages
//! that it was not trained on, and prints the interpolation points below; `docs/quality.md` shows how well they hold.

/// Interpolation points: the expected F1, and the mean F1 that was reached; linear in between.
const KNOTS: [(f32, f32); 13] = [
    (0.0, 0.0),
    (0.515, 0.625),
    (0.684, 0.747),
    (0.775, 0.813),
    (0.830, 0.827),
    (0.899, 0.912),
    (0.942, 0.957),
    (0.956, 0.962),
    (0.966, 0.978),
    (0.972, 0.982),
    (0.979, 0.986),
    (0.986, 0.991),
    (1.0, 0.991),
];

/// The calibrated F1 for an expected one.
pub(super) fn calibrated(expected: f32) -> f32 {
    let expected = expected.clamp(0.0, 1.0);
    let mut before = (0.0f32, 0.0f32);
    for knot in KNOTS {
        if expected <= knot.0 {
            let width = knot.0 - before.0;
            let part = if width > 0.0 { (expected - before.0) / width } else { 1.0 };
            return before.1 + part * (knot.1 - before.1);
        }
        before = knot;
    }
    before.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_never_less() {
        assert!(KNOTS.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
        for (expected, found) in KNOTS {
            assert!((calibrated(expected) - found).abs() < 1e-6);
        }
        assert!((calibrated(0.253) - 0.307).abs() < 1e-4 && (calibrated(0.991) - 0.991).abs() < 1e-4);
        assert!(calibrated(-1.0) >= 0.0 && calibrated(2.0) <= 1.0);
        assert!((0..100).all(|at| calibrated(at as f32 / 100.0) <= calibrated((at + 1) as f32 / 100.0)));
    }
}
