//! Maps the F1 that the content model expects to the F1 that it reaches, and what else is expected to what is.
//!
//! The model underestimates itself. `evaluate --figures` compares the expected with the reached F1, by words, on labelled pages
//! that it was not trained on, and prints the interpolation points below; `docs/quality.md` shows how well they hold.

/// Interpolation points: what is expected, and the mean of what was reached; linear in between, constant outside.
pub(crate) type Knots = &'static [(f32, f32)];

/// For the F1 of a page's content.
pub(super) const CONTENT: Knots = &[
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

/// What is reached where so much is expected.
pub(crate) fn calibrated(expected: f32, knots: Knots) -> f32 {
    let mut before: Option<(f32, f32)> = None;
    for &(x, y) in knots {
        if expected <= x {
            return before.map_or(y, |(x0, y0)| y0 + (y - y0) * (expected - x0) / (x - x0));
        }
        before = Some((x, y));
    }
    before.map_or(expected, |(_, y)| y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_never_less() {
        assert!(CONTENT.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
        for &(expected, found) in CONTENT {
            assert!((calibrated(expected, CONTENT) - found).abs() < 1e-6);
        }
        let of = |expected: f32| calibrated(expected, CONTENT);
        assert!((of(0.253) - 0.307).abs() < 1e-4 && (of(0.991) - 0.991).abs() < 1e-4);
        assert!(of(-1.0) >= 0.0 && of(2.0) <= 1.0);
        assert!((0..100).all(|at| of(at as f32 / 100.0) <= of((at + 1) as f32 / 100.0)));
    }
}
