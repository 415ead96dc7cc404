//! How and when a page was fetched.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use web_values::Timestamp;

use crate::error::{DocumentError, Quoted, ValueError};
use crate::json::Extra;
use crate::timestamp;
use crate::write::{Instant, Object, Out, objects, texts};

/// How and when a page was fetched.
///
/// There is no member for data of the end user for whom a page was fetched (no address, no cookie, no
/// account), and none can be added.
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-17 to AIWI-DOC-24.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crawl {
    pub(crate) fetched_at: Timestamp,
    /// HTTP status of the final response.
    pub status_code: StatusCode,
    /// Whether scripts ran before the page was read.
    pub render_mode: RenderMode,
    /// Duration of the fetch in milliseconds.
    pub fetch_duration_ms: u64,
    /// Length of the body in bytes, after content decoding and before charset decoding.
    /// Spec: AIWI-AMB-22.
    pub content_length: u64,
    /// The `User-Agent` that was sent.
    pub user_agent: SentUserAgent,
    pub(crate) extra: Extra,
}

impl Crawl {
    /// The facts of a static fetch with zero duration and length; set the public fields for others. The instant is cut
    /// to milliseconds, and moved into the years 0 to 9999.
    #[must_use]
    pub fn new(fetched_at: Timestamp, status_code: StatusCode, user_agent: SentUserAgent) -> Self {
        Crawl {
            fetched_at: timestamp::normal(fetched_at),
            status_code,
            render_mode: RenderMode::Static,
            fetch_duration_ms: 0,
            content_length: 0,
            user_agent,
            extra: Extra::default(),
        }
    }

    /// Reads the object `crawl` of a document by itself, under the default limits.
    ///
    /// # Errors
    /// As [`Document::parse`](crate::Document::parse); paths of findings begin in the object.
    pub fn parse(json: &[u8]) -> Result<Self, DocumentError> {
        crate::read::crawl_alone(json)
    }

    /// When the fetch was done, in UTC and milliseconds. Written as RFC 3339, with a fraction of three digits or none.
    #[must_use]
    pub fn fetched_at(&self) -> Timestamp {
        self.fetched_at
    }

    /// Members that 1.0 does not know. Spec: AIWI-CONF-2.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

impl Object for Crawl {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("fetched_at", &Instant(self.fetched_at))?;
        out.member("status_code", &u64::from(self.status_code.as_u16()))?;
        out.member("render_mode", &self.render_mode)?;
        out.member("fetch_duration_ms", &self.fetch_duration_ms)?;
        out.member("content_length", &self.content_length)?;
        out.member("user_agent", &self.user_agent)?;
        out.extra(&self.extra)
    }
}

objects!(Crawl);
texts!(RenderMode, SentUserAgent);

/// An HTTP status code from 100 to 599.
///
/// Spec: AIWI-DOC-19, AIWI2-DOC-13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatusCode(u16);

impl StatusCode {
    /// The code of that number, or `None` outside 100 to 599.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        match number {
            100..=599 => Some(StatusCode(number)),
            _ => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn as_u16(self) -> u16 {
        self.0
    }
}

/// Whether scripts ran before the page was read.
///
/// Spec: AIWI-DOC-20, AIWI2-DOC-12.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RenderMode {
    /// The page as the server sent it.
    Static,
    /// The page after a browser ran its scripts.
    Rendered,
    /// The page as the server sent it, after rendering was tried and failed. New in 2.0; in a document of 1.0 it is
    /// a mode that the version does not know.
    StaticAfterRenderFailure,
    /// A mode unknown to every version; only produced by reading.
    Unknown(UnknownRenderMode),
}

/// The text of a render mode that no version knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnknownRenderMode(Box<str>);

impl RenderMode {
    /// The mode's text, such as `static`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            RenderMode::Static => "static",
            RenderMode::Rendered => "rendered",
            RenderMode::StaticAfterRenderFailure => "static_after_render_failure",
            RenderMode::Unknown(text) => &text.0,
        }
    }

    pub(crate) fn from_text(text: &str) -> Self {
        match text {
            "static" => RenderMode::Static,
            "rendered" => RenderMode::Rendered,
            "static_after_render_failure" => RenderMode::StaticAfterRenderFailure,
            other => RenderMode::Unknown(UnknownRenderMode(other.into())),
        }
    }
}

impl FromStr for RenderMode {
    type Err = ValueError;

    /// Takes the three modes that 2.0 names.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        match RenderMode::from_text(text) {
            RenderMode::Unknown(_) => {
                let expected = "\"static\", \"rendered\" or \"static_after_render_failure\"";
                Err(ValueError::new(expected, Quoted(text), "AIWI2-DOC-12"))
            }
            known => Ok(known),
        }
    }
}

impl fmt::Display for RenderMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for UnknownRenderMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A `User-Agent` value whose product is `AIWebIndex/1.0`.
///
/// The text begins with `AIWebIndex/1.0`, followed by nothing or by a space, and has no control character. The
/// crate `robots` builds and classifies whole values; this type only prevents a document from naming another
/// crawler.
///
/// ```
/// use aidocument::SentUserAgent;
///
/// assert!("AIWebIndex/1.0 (+https://example.com/bot)".parse::<SentUserAgent>().is_ok());
/// assert!("AIWebIndex/1.05".parse::<SentUserAgent>().is_err());
/// ```
///
/// Spec: AIWI-UA-1, AIWI-DOC-23, AIWI-AMB-2.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SentUserAgent(String);

impl SentUserAgent {
    /// The whole value.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SentUserAgent {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let after = text.strip_prefix("AIWebIndex/1.0");
        if after.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            && !text.contains(|c: char| c.is_control())
        {
            return Ok(SentUserAgent(text.to_owned()));
        }
        Err(ValueError::new("a User-Agent that begins with AIWebIndex/1.0", Quoted(text), "AIWI-DOC-23"))
    }
}

impl fmt::Display for SentUserAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
