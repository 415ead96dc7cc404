//! How a file is read.

/// The reading of a file: what counts as a line of the protocol, and how patterns are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum RobotsMode {
    /// RFC 9309 with the leniency that it asks for. The default.
    #[default]
    Rfc,
    /// The grammar of RFC 9309, section 2.2, to the letter: a `User-agent` value is `*` or a product token and nothing
    /// else, a path is empty or begins with `/`, is UTF-8 and has no blank. Other lines are ignored.
    Strict,
    /// The decisions of Google's parser: a missing colon and common typos are repaired, an `Allow` of an index page
    /// covers its folder, lines are cut at 16,663 bytes, a URL is compared as it is written, and `/robots.txt`
    /// follows the rules like any other path. Names of the crawler must be product tokens.
    Google,
}

/// Limits and mode for [`Robots::parse_with`](crate::Robots::parse_with).
///
/// ```
/// use robots::{RobotsMode, ParseOptions, Robots};
///
/// let options = ParseOptions::default().mode(RobotsMode::Google);
/// assert!(Robots::parse_with(b"user-agent: *\ndisalow /", options).decide("any", "/a").is_disallowed());
/// assert!(Robots::parse(b"user-agent: *\ndisalow /").decide("any", "/a").is_allowed());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParseOptions {
    pub(crate) mode: RobotsMode,
    pub(crate) max_bytes: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { mode: RobotsMode::Rfc, max_bytes: ParseOptions::MAX_BYTES }
    }
}

impl ParseOptions {
    /// Bytes of a file that are read by default: 500 KiB, what RFC 9309 asks for at the least.
    ///
    /// Spec: RFC 9309, "Limits"; AIWI-BOT-8.
    pub const MAX_BYTES: usize = 500 * 1024;

    /// Sets the mode.
    #[must_use]
    pub const fn mode(self, mode: RobotsMode) -> Self {
        ParseOptions { mode, ..self }
    }

    /// Sets how many bytes are read. A line that the limit cuts is left out: half a pattern would be another rule.
    /// Offsets are 32-bit, so that more than 4 GiB are never read.
    #[must_use]
    pub const fn max_bytes(self, max_bytes: usize) -> Self {
        ParseOptions { max_bytes, ..self }
    }
}
