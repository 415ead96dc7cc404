#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! - Time: [`UnixSeconds`] is an instant; [`HttpDate`] and [`Timestamp`] (RFC 3339) are its two texts.
//! - Header fields: [`RetryAfter`], [`CacheControl`], [`MediaType`], [`LinkValue`] with [`links_in`], and, with the feature `http`,
//!   `list_members`.
//! - Text in UTF-16: [`text_of_utf16`].
//! - Hosts: [`HostKind`] tells public hosts from private ones, by [`SpecialRange`].
//! - Each behind its own feature: `WebUrl` (`url`), `Language` (`language`), `AiWebIndexAgent` (`agent`), and
//!   `PageReader` (`html`), which feeds an HTML tokenizer; `read_page` gives its tokens.
//! - Results of checks: [`Finding`], with [`Severity`] and [`Place`]; [`FindingRecord`] stores one.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "agent")]
mod agent;
mod cache_control;
mod finding;
mod host;
mod http_date;
#[cfg(feature = "language")]
mod language;
mod link;
#[cfg(feature = "http")]
mod list;
mod media_type;
#[cfg(feature = "html")]
mod page;
mod retry_after;
mod time;
mod timestamp;
mod utf16;
#[cfg(feature = "url")]
mod web_url;

#[cfg(feature = "agent")]
pub use agent::{
    AiWebIndexAgent, AiWebIndexAgentBuilder, AiWebIndexAgentError, AiWebIndexAgentErrorKind,
    AiWebIndexVersion, FetchPurpose,
};
pub use cache_control::CacheControl;
pub use finding::{Finding, FindingRecord, Place, Severity};
pub use host::{HostKind, SpecialRange};
pub use http_date::HttpDate;
#[cfg(feature = "language")]
pub use language::{Language, LanguageError};
pub use link::{LinkValue, has_token, is_json, links_in};
#[cfg(feature = "http")]
pub use list::list_members;
pub use media_type::{MediaType, MediaTypeError};
#[cfg(feature = "html")]
pub use page::{PageReader, Paused, read_page};
pub use retry_after::RetryAfter;
pub use time::UnixSeconds;
pub use timestamp::{Timestamp, TimestampError};
pub use utf16::text_of_utf16;
#[cfg(feature = "url")]
pub use web_url::{
    SerializedUrl, UrlFacts, UrlRules, WebUrl, WebUrlError, WebUrlErrorKind, check_url, serialize_url,
};
