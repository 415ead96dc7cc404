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
        self.matches_levelled(&LevelledPath::new(path))
    }

    /// As [`matches`](Self::matches), for a path that many patterns are compared with: a pattern without `*` costs as much as
    /// it is long, one with `*` as much as both.
    #[must_use]
    pub fn matches_levelled(&self, path: &LevelledPath) -> bool {
        path.0.as_ref().is_some_and(|path| pattern::matches(&self.levelled, self.shape.anchored, path))
    }

    /// Octets of the pattern in its encoded form: of two matching patterns, the one with more octets is
    /// narrower.
    #[must_use]
    pub const fn octets(&self) -> u32 {
        self.shape.octets
    }
}

/// A path in the form in which it is compared with patterns, made once for all of them.
///
/// ```
/// use robots::{LevelledPath, PathPattern};
///
/// let path = LevelledPath::new("/%7Eann/x");
/// assert!(PathPattern::new("/~ann/").matches_levelled(&path));
/// assert!(!PathPattern::new("/~bob/").matches_levelled(&path));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelledPath(Option<Vec<u8>>);

impl LevelledPath {
    /// Normalises the percent-encoding of a path with its query. `O(n)`. No pattern matches what is not a path.
    #[must_use]
    pub fn new<'p>(path: impl Into<RequestPath<'p>>) -> Self {
        let path = path.into();
        let level = |path: &str| pattern::level_path(path.as_bytes(), RobotsMode::Rfc).into_owned();
        LevelledPath(path.is_valid().then(|| level(path.as_str())))
    }
}
