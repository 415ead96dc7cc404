//! Versions of the manifest's format.

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::fmt;

/// The member `version`: the exact strings `0.1` and `0.2`, or any other text.
///
/// An unknown version is read by the rules of 0.1.
///
/// ```
/// use llmindex_types::Version;
/// use std::cmp::Ordering::{Greater, Less};
/// assert_eq!(Version::from_text("0.1"), Version::V0_1);
/// assert!(!Version::from_text("0.10").is_known());
/// assert_eq!(Version::from_text("0.10").compare(&Version::V0_2), Some(Greater)); // by parts, not as a fraction
/// assert_eq!(Version::V0_1.compare(&Version::from_text("next")), None);
/// ```
///
/// Spec: llmindex 0.1, "Version policy"; LLMI-VSN-2, LLMI-MAN-2, LLMI-AMB-4.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// `0.1`, the version that this crate writes by default.
    V0_1,
    /// `0.2`, a dialect with more members.
    V0_2,
    /// Any other text, `""` and `0.10` too.
    Other(Box<str>),
}

impl Version {
    /// The version of that text; nothing is trimmed.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        match text {
            "0.1" => Version::V0_1,
            "0.2" => Version::V0_2,
            other => Version::Other(other.into()),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Version::V0_1 => "0.1",
            Version::V0_2 => "0.2",
            Version::Other(text) => text,
        }
    }

    /// Whether this crate knows the version's own rules.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self, Version::Other(_))
    }

    /// The order of two versions, number by number between the points, a missing number being 0; `None` where one
    /// of them is not numbers joined by points. Numbers of any length compare exactly.
    ///
    /// Two texts may be equal in this order and still be different versions: only the exact text `0.1` is 0.1.
    ///
    /// Spec: llmindex 0.1, "Version policy"; LLMI-AMB-4.
    #[must_use]
    pub fn compare(&self, other: &Version) -> Option<Ordering> {
        let (mut ours, mut theirs) = (numbers(self.as_str())?, numbers(other.as_str())?);
        loop {
            let (a, b) = (ours.next(), theirs.next());
            if a.is_none() && b.is_none() {
                return Some(Ordering::Equal);
            }
            let (a, b) = (a.unwrap_or(""), b.unwrap_or(""));
            let order = a.len().cmp(&b.len()).then(a.cmp(b));
            if order.is_ne() {
                return Some(order);
            }
        }
    }
}

/// The numbers of a version without leading zeros (so 0 is the empty text).
fn numbers(text: &str) -> Option<impl Iterator<Item = &str>> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').all(is_number).then(|| text.split('.').map(|part| part.trim_start_matches('0')))
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Ordering::{Equal, Greater, Less};

    #[test]
    fn order_is_by_numbers() {
        let compare = |a: &str, b: &str| Version::from_text(a).compare(&Version::from_text(b));
        for (a, b, order) in [
            ("0.1", "0.1", Some(Equal)),
            ("0.1", "0.10", Some(Less)),
            ("0.9", "0.10", Some(Less)),
            ("1.0", "0.10", Some(Greater)),
            ("0.1", "0.1.0", Some(Equal)),
            ("0.01", "0.1", Some(Equal)),
            ("0.1", "0.99999999999999999999999", Some(Less)),
            ("", "0.1", None),
            ("0.", "0.1", None),
            ("v0.1", "0.1", None),
        ] {
            assert_eq!(compare(a, b), order, "{a} {b}");
        }
    }
}
