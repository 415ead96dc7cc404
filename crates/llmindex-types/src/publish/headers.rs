//! Header fields of the response that carries a manifest.
//!
//! Answering conditional requests with them (`If-None-Match`, `If-Modified-Since`) is defined by RFC 9110: the
//! crate `tct` evaluates such requests, and the examples combine the two.

use alloc::format;
use alloc::string::{String, ToString};

use sha2::{Digest, Sha256};
use web_values::UnixSeconds;

use crate::Manifest;

/// The manifest's media type.
///
/// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-2.
pub const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// The recommended caching: an hour, then revalidate.
///
/// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-4.
pub const CACHE_CONTROL: &str = "max-age=3600, must-revalidate";

/// Values of the header fields of a response that carries a manifest.
///
/// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-2, LLMI-ENT-3, LLMI-ENT-4.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseHeaders {
    /// Strong entity tag with its quotes: `"sha256-…"` and 64 hex digits over the bytes.
    pub etag: String,
    /// HTTP-date of the last change, never after the time of the response.
    pub last_modified: Option<String>,
}

impl ResponseHeaders {
    /// All fields as name and value, in the order content, validators, caching.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let validators =
            [("etag", Some(self.etag.as_str())), ("last-modified", self.last_modified.as_deref())];
        let validators = validators.into_iter().filter_map(|(name, value)| Some((name, value?)));
        [("content-type", CONTENT_TYPE)]
            .into_iter()
            .chain(validators)
            .chain([("cache-control", CACHE_CONTROL)])
    }
}

/// The header fields for `manifest`, sent at `now`. The entity tag is that of its bytes: of a manifest that was signed, pass
/// what [`Manifest::parse`] reads from the signed text.
///
/// A `Last-Modified` later than the response is not allowed by RFC 9110, so the earlier of `updated_at` and `now` is
/// taken. Times before 1970 are left out.
///
/// ```
/// use llmindex_types::{ManifestBuilder, response_headers};
/// use llmindex_types::web_values::{Timestamp, UnixSeconds};
/// let manifest = ManifestBuilder::new("Shoes", "https://shoes.example", "en")
///     .updated_at(Timestamp::parse("2026-02-20T01:00:00+01:00").unwrap())
///     .topic("shoes")
///     .build()
///     .unwrap();
/// let headers = response_headers(&manifest, UnixSeconds(1_771_600_000));
/// let lines: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
/// assert_eq!(lines[0], "content-type: application/json; charset=utf-8");
/// assert!(lines[1].starts_with("etag: \"sha256-"));
/// assert_eq!(lines[2], "last-modified: Fri, 20 Feb 2026 00:00:00 GMT");
/// assert_eq!(lines[3], "cache-control: max-age=3600, must-revalidate");
/// ```
///
/// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-2, LLMI-ENT-3, LLMI-ENT-4.
#[must_use]
pub fn response_headers(manifest: &Manifest, now: UnixSeconds) -> ResponseHeaders {
    let digest = Sha256::digest(manifest.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let modified = manifest.updated_at().to_unix_seconds().map(|modified| modified.min(now));
    let last_modified = modified.map(|modified| modified.to_http_date().to_string());
    ResponseHeaders { etag: format!("\"sha256-{hex}\""), last_modified }
}
