//! llmindex 0.1 manifests and product feeds.
#![no_std]
#![allow(dead_code, unused_imports, reason = "the validation that uses the rest follows in the next commits")]

extern crate alloc;

mod json;
mod text;
mod timestamp;
mod web_url;

pub use json::{JsonError, JsonErrorKind, Limits};
pub use text::{ManifestText, Member, Sig, Verify, VerifyMethod};
pub use timestamp::{Timestamp, TimestampError};
pub use web_url::{WebUrl, WebUrlError};
