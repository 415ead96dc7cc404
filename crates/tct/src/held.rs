//! What an agent stores about a twin: the hash of its body, its entity tag for conditional requests, and its
//! history.
//!
//! Each is parsed once, at its source: the sitemap's hash by the reader, the entity tag when the response is opened, both
//! again when a cache is loaded. From then on they are typed values.

use core::fmt;

use http::HeaderValue;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use tct_fingerprint::Fingerprint;

use crate::UnixSeconds;
pub use crate::etag::HeldTag;

/// Identifies a body: a [`Fingerprint`], or the text found in place of one.
///
/// A visit only makes fingerprints. Other text comes from caches filled by other programs, and from tags of another form
/// of [other versions](HeldHistory::other_versions) that a caller keeps. It never equals a hash in a sitemap, so such a
/// page is revalidated.
///
/// ```
/// use tct::Fingerprint;
/// use tct::held::ContentHash;
/// let foo = Fingerprint::hash(b"foo");
/// assert_eq!(ContentHash::from(foo.to_string()), foo);
/// let odd = ContentHash::from("SHA256-2C26");
/// assert_eq!((odd.fingerprint(), odd.to_string()), (None, "SHA256-2C26".to_owned()));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(Repr);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Digest(Fingerprint),
    /// Never the text of a fingerprint.
    Other(Box<str>),
}

impl ContentHash {
    /// The fingerprint, if it is one.
    #[must_use]
    #[inline]
    pub const fn fingerprint(&self) -> Option<Fingerprint> {
        match &self.0 {
            Repr::Digest(fingerprint) => Some(*fingerprint),
            Repr::Other(_) => None,
        }
    }

    /// Gives the text to `take`, without an allocation.
    fn with_text<T>(&self, take: impl FnOnce(&str) -> T) -> T {
        match &self.0 {
            Repr::Digest(fingerprint) => take(fingerprint.encode(&mut [0; Fingerprint::TEXT_LEN])),
            Repr::Other(text) => take(text),
        }
    }
}

impl From<Fingerprint> for ContentHash {
    fn from(fingerprint: Fingerprint) -> Self {
        ContentHash(Repr::Digest(fingerprint))
    }
}

impl From<&str> for ContentHash {
    /// Parses the text: `sha256-` and 64 lower-case hex digits are a fingerprint, all else is kept as it is.
    fn from(text: &str) -> Self {
        match Fingerprint::parse(text) {
            Ok(fingerprint) => fingerprint.into(),
            Err(_) => ContentHash(Repr::Other(text.into())),
        }
    }
}

impl From<String> for ContentHash {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for ContentHash {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl PartialEq<Fingerprint> for ContentHash {
    #[inline]
    fn eq(&self, other: &Fingerprint) -> bool {
        matches!(&self.0, Repr::Digest(own) if own == other)
    }
}

impl PartialEq<str> for ContentHash {
    fn eq(&self, other: &str) -> bool {
        self.with_text(|text| text == other)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| f.pad(text))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| write!(f, "ContentHash({text:?})"))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_text(|text| serializer.serialize_str(text))
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text(|text: &str| text.into()))
    }
}

/// A text, parsed as it is read.
struct Text<F>(F);

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        Ok((self.0)(text))
    }
}

/// An optional text, parsed as it is read; `None` where it is not of the form, as if it were not there.
struct Lenient<T>(fn(&str) -> Option<T>);

impl<'de, T> Visitor<'de> for Lenient<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or nothing")
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_str(Text(self.0))
    }
}

/// A fingerprint, or nothing where the text is not one.
pub(crate) fn lenient_fingerprint<'de, D>(deserializer: D) -> Result<Option<Fingerprint>, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_option(Lenient(|text| Fingerprint::parse(text).ok()))
}

/// An entity tag, or nothing where the text is not one: it could not be sent.
fn lenient_tag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<HeldTag>, D::Error> {
    deserializer.deserialize_option(Lenient(HeldTag::parse))
}

/// The valid entity tags of a list.
fn lenient_tags<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<HeldTag>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    Ok(texts.iter().filter_map(|text| HeldTag::parse(text)).collect())
}

/// A cache entry of one M-URL: facts about a body that is stored with them.
///
/// A [`Visit`](crate::Visit) never makes one from a hash alone: a page becomes held when its body is received. Store
/// it together with the body, under the M-URL, and remove both together.
// In this order: planning reads the first two, which then lie beside the key in a map's bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[repr(C)]
pub struct HeldPage {
    /// The body's hash: that of the entity tag it came with, or the payload's own where the tag has none.
    pub hash: ContentHash,
    /// When the endpoint itself last confirmed the body.
    pub validated_at: UnixSeconds,
    /// The entity tag as it came, for `If-None-Match`. `None` where the response had none.
    #[serde(default, deserialize_with = "lenient_tag")]
    pub etag: Option<HeldTag>,
    /// Facts that planning does not need, boxed so that a cache of many pages stays small.
    pub history: Box<HeldHistory>,
}

/// Further facts about an M-URL, besides its present body.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct HeldHistory {
    /// `Last-Modified` of the present body's response.
    pub last_modified: Option<UnixSeconds>,
    /// Hashes that this M-URL had before, oldest first; at most 16.
    pub earlier: Vec<ContentHash>,
    /// Entity tags of earlier bodies that are still stored. Empty unless the caller keeps versions.
    #[serde(deserialize_with = "lenient_tags")]
    pub other_versions: Vec<HeldTag>,
    /// A hash from the sitemap that the endpoint contradicted when it confirmed the body. While the sitemap repeats
    /// it, the page is requested once in [`PlanPolicy::max_dispute_secs`](crate::PlanPolicy::max_dispute_secs) instead
    /// of in every crawl.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "lenient_fingerprint")]
    pub disputed: Option<Fingerprint>,
    /// Whether the present body is a document of draft -03: a 304 confirms it only where it names its tag.
    #[serde(skip_serializing_if = "is_false")]
    pub is_v03: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

impl HeldPage {
    /// An entry for a body that was stored at `validated_at` with this hash; its entity tag is the hash in quotes, if
    /// that is valid.
    #[must_use]
    pub fn new(hash: impl Into<ContentHash>, validated_at: UnixSeconds) -> Self {
        let hash = hash.into();
        let etag = HeldTag::parse(&format!("\"{hash}\""));
        HeldPage { hash, validated_at, etag, history: Box::default() }
    }

    /// The value of `If-None-Match` with the tags of all held bodies; `None` if no body has a tag.
    ///
    /// Spec: TCT draft-00, "Agent Flow"; TCT-ZF-3, TCT-AMB-22.
    #[must_use]
    pub fn if_none_match(&self) -> Option<HeaderValue> {
        let mut tags = self.tags();
        let mut line = tags.next()?.as_str().to_owned();
        for tag in tags {
            line.push_str(", ");
            line.push_str(tag.as_str());
        }
        HeaderValue::try_from(line).ok()
    }

    /// Returns true if a held body has a tag.
    pub(crate) fn has_tags(&self) -> bool {
        self.etag.is_some() || !self.history.other_versions.is_empty()
    }

    /// The tags to send.
    pub(crate) fn tags(&self) -> impl Iterator<Item = &HeldTag> {
        self.etag.iter().chain(&self.history.other_versions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats without `null`, too, report a number in place of a tag together with what is expected.
    #[test]
    fn another_type_is_named() {
        use serde::de::value::{Error, U32Deserializer};
        let error = lenient_tag(U32Deserializer::<Error>::new(7)).unwrap_err();
        assert_eq!(error.to_string(), "invalid type: integer `7`, expected a text or nothing");
    }
}
