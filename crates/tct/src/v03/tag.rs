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

use crate::EntityTag;
use crate::etag::list_matches;
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

    /// Compares the `Content-Digest` of a response with these bytes.
    ///
    /// The field is a dictionary of RFC 9530: other algorithms are passed over, and of a repeated key the last counts.
    ///
    /// Spec: TCT draft-03; TCT3-TAG-7, TCT3-AGENT-11.
    pub fn check_digest(&self, headers: &HeaderMap) -> DigestCheck {
        let lines: Vec<&[u8]> = headers.get_all("content-digest").iter().map(HeaderValue::as_bytes).collect();
        let parsed = sfv::Parser::new(&lines.join(&b", "[..])).parse::<sfv::Dictionary>();
        let member = parsed.as_ref().ok().and_then(|members| members.get("sha-256"));
        let Some(sfv::ListEntry::Item(sfv::Item { bare_item: sfv::BareItem::ByteSequence(bytes), .. })) =
            member
        else {
            return DigestCheck::Unusable;
        };
        match bytes.as_slice() == self.fingerprint.as_bytes() {
            true => DigestCheck::Match,
            false => DigestCheck::Mismatch,
        }
    }
}

/// The result of comparing a `Content-Digest` with bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub enum DigestCheck {
    /// They arrived as they were sent.
    Match,
    /// They were corrupted, truncated or replaced.
    Mismatch,
    /// There is no field, it has no SHA-256, or it cannot be read.
    Unusable,
}

words! { name: DigestCheck
    Match => "match", "the bytes arrived as they were sent";
    Mismatch => "mismatch", "the bytes are not those that were sent";
    Unusable => "unusable", "there is no digest to compare the bytes with";
}

/// Whether a text is a hint: `sha256-` and 64 lower-case hex digits, without quotes.
///
/// Spec: TCT draft-03; TCT3-SM-5, TCT3-TAG-2.
#[must_use]
pub(crate) fn is_hint(text: &str) -> bool {
    Fingerprint::parse(text).is_ok()
}

/// Whether a sitemap's hint and the value of an `ETag` field name the same representation: the value is the hint between
/// quotes. A weak tag, a suffix, other letter case, or a hint of another form never matches.
///
/// ```
/// use tct::v03::hint_matches;
/// let hint = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
/// assert!(hint_matches(hint, format!("\"{hint}\"").as_bytes()));
/// assert!(!hint_matches(hint, format!("W/\"{hint}\"").as_bytes()));
/// ```
///
/// Spec: TCT draft-03; TCT3-TAG-5.
#[must_use]
pub fn hint_matches(hint: &str, etag: &[u8]) -> bool {
    let inner = etag.trim_ascii().strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    is_hint(hint) && inner == Some(hint.as_bytes())
}

/// Whether the lines of an `If-None-Match` field name the current tag: weak comparison with each member, `*` alone
/// names every tag, and a field that is not a list of entity tags names none.
///
/// [`plan_response`](crate::plan_response) uses this; it is public for servers that answer by other
/// means.
///
/// Spec: TCT draft-03; TCT3-COND-1, TCT3-COND-2, TCT3-COND-3, TCT3-AMB-11, TCT3-AMB-12.
#[must_use]
pub fn if_none_match<'a>(lines: impl IntoIterator<Item = &'a [u8]>, current: &EntityTag<'_>) -> bool {
    list_matches(lines.into_iter(), |tag| tag.weak_eq(current))
}
