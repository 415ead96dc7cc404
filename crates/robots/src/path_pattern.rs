//! A path pattern of RFC 9309 on its own, for other formats with the same syntax.

use alloc::vec::Vec;

use crate::options::RobotsMode;
use crate::pattern;
use crate::request_path::RequestPath;

/// A path pattern as `Allow` and `Disallow` have it: `*` is any run of octets, a `$` at the end is the end.
///
/// ```
/// use robots::PathPattern;
///
/// let pages = PathPattern::new("/articles/*.html$");
/// assert!(pages.matches("/articles/a/b.html") && !pages.matches("/articles/a.html?x"));
/// assert!(PathPattern::new("/articles/").octets() < pages.octets());
/// ```
///
/// Spec: RFC 9309, "The Allow and Disallow Lines" and "Special Characters".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    levelled: Vec<u8>,
    shape: pattern::Shape,
}

impl PathPattern {
    /// Reads a pattern and normalises its percent-encoding. Any text is a pattern. `O(n)`.
    #[must_use]
    pub fn new(pattern: &str) -> Self {
        let mut levelled = Vec::new();
        let shape = pattern::level_pattern(pattern.as_bytes(), RobotsMode::Rfc, &mut levelled);
        PathPattern { levelled, shape }
    }

    /// Returns true if the pattern matches the path with its query. An empty pattern matches every path;
    /// none matches what is not a path. `O(n)`.
    #[must_use]
    pub fn matches<'p>(&self, path: impl Into<RequestPath<'p>>) -> bool {
        let path = path.into();
        if !path.is_valid() {
            return false;
        }
        let path = pattern::level_path(path.as_str().as_bytes(), RobotsMode::Rfc);
        pattern::matches(&self.levelled, self.shape.anchored, &path)
    }

    /// Octets of the pattern in its encoded form: of two matching patterns, the one with more octets is
    /// narrower.
    #[must_use]
    pub const fn octets(&self) -> u32 {
        self.shape.octets
    }
}
