//! From the F1 that the content model expects of itself to the F1 that it has.
//!
//! The model doubts itself more than it should. `training/calibrate.py` compares what it expects with
//! what it reaches, by words, on labelled pages, and prints the knots below; the README shows how well they hold.

/// What the model expects, and what it reached in the mean. Between two knots the line between them counts.
const KNOTS: [(f32, f32); 13] = [
    (0.0, 0.0),
    (0.506, 0.627),
    (0.682, 0.769),
    (0.775, 0.847),
    (0.843, 0.886),
    (0.885, 0.902),
    (0.915, 0.928),
    (0.937, 0.952),
    (0.950, 0.964),
    (0.963, 0.977),
    (0.973, 0.981),
    (0.982, 0.983),
    (1.0, 0.983),
];

/// The F1 to expect where the model expects so much.
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
        assert!((calibrated(0.253) - 0.3135).abs() < 1e-4 && (calibrated(0.991) - 0.983).abs() < 1e-4);
        assert!(calibrated(-1.0) >= 0.0 && calibrated(2.0) <= 1.0);
        assert!((0..100).all(|at| calibrated(at as f32 / 100.0) <= calibrated((at + 1) as f32 / 100.0)));
    }
}
