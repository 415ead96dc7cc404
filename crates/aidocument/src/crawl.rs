//! How and when a page was fetched.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::error::{Quoted, ValueError};
use crate::timestamp;

/// How and when a page was fetched.
///
/// There is no member for the end user on whose behalf a page was fetched, and none can be added: no address,
/// no cookie, no account.
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-17 to AIWI-DOC-24.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crawl {
    /// When the fetch was done. Written as RFC 3339 in UTC, in seconds or milliseconds.
    #[serde(serialize_with = "write_timestamp")]
    pub fetched_at: Timestamp,
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
    pub user_agent: UserAgent,
    #[serde(flatten)]
    pub(crate) extra: BTreeMap<String, Value>,
}

impl Crawl {
    /// The facts of a static fetch that took no measurable time; the public fields tell the rest.
    #[must_use]
    pub fn new(fetched_at: Timestamp, status_code: StatusCode, user_agent: UserAgent) -> Self {
        Crawl {
            fetched_at,
            status_code,
            render_mode: RenderMode::Static,
            fetch_duration_ms: 0,
            content_length: 0,
            user_agent,
            extra: BTreeMap::new(),
        }
    }

    /// Reads the object `crawl` of a document by itself.
    ///
    /// # Errors
    /// The first finding that makes the object invalid.
    pub fn from_value(crawl: Value) -> Result<Self, crate::Finding> {
        crate::read::crawl_alone(crawl)
    }
}

fn write_timestamp<S: Serializer>(instant: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&timestamp::print(*instant))
}

/// An HTTP status code from 100 to 599.
///
/// Spec: AIWI-DOC-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
/// Spec: AIWI-DOC-20.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RenderMode {
    /// The page as the server sent it.
    Static,
    /// The page after a browser ran its scripts.
    Rendered,
    /// A mode that 1.0 does not know; only reading a document makes one.
    Unknown(UnknownRenderMode),
}

/// The text of a render mode that 1.0 does not know.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnknownRenderMode(Box<str>);

impl RenderMode {
    /// The mode's text, such as `static`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            RenderMode::Static => "static",
            RenderMode::Rendered => "rendered",
            RenderMode::Unknown(text) => &text.0,
        }
    }

    pub(crate) fn from_text(text: &str) -> Self {
        match text {
            "static" => RenderMode::Static,
            "rendered" => RenderMode::Rendered,
            other => RenderMode::Unknown(UnknownRenderMode(other.into())),
        }
    }
}

impl fmt::Display for UnknownRenderMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RenderMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A `User-Agent` value whose product is `AIWebIndex/1.0`.
///
/// The text begins with `AIWebIndex/1.0`, followed by nothing or by a space, and has no control character. The
/// crate `robots` builds and classifies whole values; this type only keeps a document from naming another crawler.
///
/// ```
/// use aidocument::UserAgent;
///
/// assert!("AIWebIndex/1.0 (+https://example.com/bot)".parse::<UserAgent>().is_ok());
/// assert!("AIWebIndex/1.05".parse::<UserAgent>().is_err());
/// ```
///
/// Spec: AIWI-UA-1, AIWI-DOC-23, AIWI-AMB-2.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct UserAgent(String);

impl UserAgent {
    /// The whole value.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UserAgent {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let after = text.strip_prefix("AIWebIndex/1.0");
        if after.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            && !text.contains(|c: char| c.is_control())
        {
            return Ok(UserAgent(text.to_owned()));
        }
        Err(ValueError::new("a User-Agent that begins with AIWebIndex/1.0", Quoted(text), "AIWI-DOC-23"))
    }
}

impl fmt::Display for UserAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
