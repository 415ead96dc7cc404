//! The tag of exact bytes: entity tag, hint and digest are the same SHA-256 in three spellings.
//!
//! ```text
//! ETag            "sha256-d5a5…aa2c"            the entity tag, strong
//! sitemap's etag   sha256-d5a5…aa2c             the hint: the same without its quotes
//! Content-Digest   sha-256=:1aVK…qiw=:          the same 32 bytes in base64 (RFC 9530)
//! ```
//!
//! They show that bytes arrived as they were sent. They prove neither who wrote them nor anything about the same
//! bytes at another URL (TCT3-TAG-9, TCT3-SEC-6).

use http::{HeaderMap, HeaderValue};
use tct_fingerprint::{Fingerprint, StrongEtag};

use crate::response::digest_field;

/// The SHA-256 of exactly these bytes, and their number.
///
/// ```
/// use tct::v03::BodyTag;
/// let tag = BodyTag::of_bytes(br#"{"hello": "world"}"#);
/// assert_eq!(tag.etag().to_string(), format!("\"{}\"", tag.hint()));
/// assert_eq!(tag.content_digest(), "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:");
/// ```
///
/// Spec: TCT draft-03; TCT3-TAG-1 to TCT3-TAG-5, TCT3-TAG-7, TCT3-TAG-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BodyTag {
    fingerprint: Fingerprint,
    len_bytes: u64,
}

impl BodyTag {
    /// The tag of any bytes. `O(n)`.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        BodyTag { fingerprint: Fingerprint::hash(bytes), len_bytes: bytes.len() as u64 }
    }

    /// The SHA-256.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The number of bytes, as `Content-Length` has it.
    #[must_use]
    pub const fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    /// The strong entity tag.
    #[must_use]
    pub const fn etag(&self) -> StrongEtag {
        StrongEtag::new(self.fingerprint)
    }

    /// The hint: the hash in a sitemap, of the representation without content coding.
    #[must_use]
    pub fn hint(&self) -> String {
        self.fingerprint.to_string()
    }

    /// The value of `Content-Digest`.
    #[must_use]
    pub fn content_digest(&self) -> HeaderValue {
        digest_field(&self.fingerprint)
    }

    /// Returns true if a sitemap's hint matches these bytes. A malformed hint never matches.
    #[must_use]
    pub fn matches_hint(&self, hint: &str) -> bool {
        Fingerprint::parse(hint) == Ok(self.fingerprint)
    }

    /// Whether a sitemap's hint and the value of an `ETag` field name the same representation: the value is the hint between
    /// quotes. A weak tag, a suffix, other letter case, or a hint of another form never matches.
    ///
    /// ```
    /// use tct::v03::BodyTag;
    /// let hint = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    /// assert!(BodyTag::hint_matches(hint, format!("\"{hint}\"").as_bytes()));
    /// assert!(!BodyTag::hint_matches(hint, format!("W/\"{hint}\"").as_bytes()));
    /// ```
    ///
    /// Spec: TCT draft-03; TCT3-TAG-5.
    #[must_use]
    pub fn hint_matches(hint: &str, etag: &[u8]) -> bool {
        let inner = etag.trim_ascii().strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        is_hint(hint) && inner == Some(hint.as_bytes())
    }

    /// Whether these are the bytes of a response's `Content-Digest`; `None` where there is no field, it has no SHA-256, or it
    /// cannot be read.
    ///
    /// The field is a dictionary of RFC 9530: other algorithms are passed over, and of a repeated key the last counts.
    ///
    /// Spec: TCT draft-03; TCT3-TAG-7, TCT3-AGENT-11.
    #[must_use]
    pub fn check_digest(&self, headers: &HeaderMap) -> Option<bool> {
        let lines: Vec<&[u8]> = headers.get_all("content-digest").iter().map(HeaderValue::as_bytes).collect();
        let parsed = sfv::Parser::new(&lines.join(&b", "[..])).parse::<sfv::Dictionary>();
        let member = parsed.as_ref().ok().and_then(|members| members.get("sha-256"));
        let Some(sfv::ListEntry::Item(sfv::Item { bare_item: sfv::BareItem::ByteSequence(bytes), .. })) =
            member
        else {
            return None;
        };
        Some(bytes.as_slice() == self.fingerprint.as_bytes())
    }
}

/// Whether a text is a hint: `sha256-` and 64 lower-case hex digits, without quotes.
///
/// Spec: TCT draft-03; TCT3-SM-5, TCT3-TAG-2.
#[must_use]
pub(crate) fn is_hint(text: &str) -> bool {
    Fingerprint::parse(text).is_ok()
}
