//! Maps the weight of a chosen value to the share of such values that are right.
//!
//! `evaluate --figures` compares the weights with labelled pages (a value is right if it equals the label exactly)
//! and prints the interpolation points below; `docs/quality.md` shows how well they hold.

use super::PageMetadata;
use crate::content::calibration::{Knots, calibrated};

const TITLE: Knots = &[(0.582, 0.468), (0.8, 0.909)];
const AUTHOR: Knots = &[(0.458, 0.628), (0.735, 0.758), (0.873, 0.892), (0.929, 0.939), (0.942, 0.957)];
const DATE: Knots =
    &[(0.684, 0.532), (0.86, 0.823), (0.915, 0.834), (0.976, 0.977), (0.986, 0.978), (0.99, 0.99)];

/// Sets the confidence of the title, the authors and the dates to the share of such values that are
/// right.
pub(super) fn calibrate(about: &mut PageMetadata) {
    if let Some(title) = &mut about.title {
        title.confidence = calibrated(title.confidence, TITLE);
    }
    for author in &mut about.authors {
        author.confidence = calibrated(author.confidence, AUTHOR);
    }
    for date in [&mut about.published, &mut about.modified].into_iter().flatten() {
        date.confidence = calibrated(date.confidence, DATE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_never_less() {
        for knots in [TITLE, AUTHOR, DATE] {
            assert!(knots.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
            for &(weight, right) in knots {
                assert!((calibrated(weight, knots) - right).abs() < 1e-6);
            }
            assert!(calibrated(-1.0, knots) >= 0.0 && calibrated(2.0, knots) <= 1.0);
        }
    }
}
