//! Building M-URL documents, the JSON twins of pages.
//!
//! ```text
//! canonical_url, title, content, optional members ──seal──> SealedDocument { canonical bytes, tag, canonical_url }
//! ```
//!
//! Strings go into the bytes as they are: nothing is decoded, folded, trimmed or normalised. Build the document from
//! stored source, so that the same content has the same bytes, independent of theme, request and time.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tct_canonical_json::{Typed, write_string_bytes};

use super::finding::TctFindingCode as Code;
use super::identity::{EncodeError, Identity};
use super::limits::BodyLimits;
use super::members::{GivenMembers, OwnMembers};
use super::profile::M_URL_PROFILE;
use super::syntax::{has_credentials, is_http_uri, is_language_tag, is_media_type};
use super::tag::BodyTag;
use crate::response::Representation;

/// The JSON twin of one page.
///
/// ```
/// use tct::v03::MUrlDocument;
/// let document = MUrlDocument::new("https://example.com/post/", "Example", "Hello")?;
/// let sealed = document.seal()?;
/// assert_eq!(sealed.body().len(), 181);
/// assert_eq!(sealed.tag().hint(), "sha256-d5a54a6e2a2ee0f0b84592d4d6c9f5361aeea41e4cb23550f4804e3ea29eaa2c");
/// # Ok::<(), tct::v03::EncodeError>(())
/// ```
///
/// Spec: TCT draft-03; TCT3-DOC-1 to TCT3-DOC-11, TCT3-PROF-1, TCT3-PROF-2, TCT3-VEC-C.
#[derive(Debug, Clone, PartialEq)]
pub struct MUrlDocument {
    canonical_url: Arc<str>,
    title: String,
    content: String,
    language: Option<String>,
    content_media_type: Option<String>,
    members: OwnMembers,
}

impl MUrlDocument {
    /// A document of a page's URL, title and text. Title and text may be empty.
    ///
    /// # Errors
    /// `Fault(Url)` for a URL that is not absolute `http` or `https`, `Credentials` for one with a user name.
    pub fn new(
        canonical_url: impl Into<String>,
        title: impl Into<String>,
        content: impl Into<String>,
    ) -> Result<Self, EncodeError> {
        let canonical_url = canonical_url.into();
        if !is_http_uri(&canonical_url) {
            return Err(EncodeError::fault(Code::Url, None, "canonical_url", &canonical_url));
        }
        if has_credentials(&canonical_url) {
            return Err(EncodeError::credentials());
        }
        Ok(MUrlDocument {
            canonical_url: canonical_url.into(),
            title: title.into(),
            content: content.into(),
            language: None,
            content_media_type: None,
            members: OwnMembers::default(),
        })
    }

    /// A document of members that are JSON values already. A `profile` among them must be the right one; without it, it
    /// is added. Leave out an optional member instead of setting it to `null`, which is a fault.
    ///
    /// # Errors
    /// The first fault that [`check_document`](super::check_document) would find; `Credentials`.
    pub fn from_members(members: &Map<String, Value>) -> Result<Self, EncodeError> {
        let given = GivenMembers(members);
        if let Some(profile) = given.optional("profile")?.filter(|profile| *profile != M_URL_PROFILE) {
            return Err(EncodeError::fault(Code::Profile, None, "profile", profile));
        }
        let mut document = Self::new(
            given.required("canonical_url")?,
            given.required("title")?,
            given.required("content")?,
        )?;
        if let Some(language) = given.optional("language")? {
            document = document.with_language(language)?;
        }
        if let Some(media_type) = given.optional("content_media_type")? {
            document = document.with_content_media_type(media_type)?;
        }
        document.members = given.others(&KNOWN);
        Ok(document)
    }

    /// Says in which language title and text are written.
    ///
    /// # Errors
    /// `Fault(Language)` for a text that is not a well-formed language tag.
    pub fn with_language(mut self, tag: impl Into<String>) -> Result<Self, EncodeError> {
        let tag = tag.into();
        if !is_language_tag(&tag) {
            return Err(EncodeError::fault(Code::Language, None, "language", &tag));
        }
        self.language = Some(tag);
        Ok(self)
    }

    /// Says what the text is written in, such as `text/markdown`. Without it, it is plain text.
    ///
    /// # Errors
    /// `Fault(MediaType)` for a text that is not a media type.
    pub fn with_content_media_type(mut self, media_type: impl Into<String>) -> Result<Self, EncodeError> {
        let media_type = media_type.into();
        if !is_media_type(&media_type) {
            return Err(EncodeError::fault(Code::MediaType, None, "content_media_type", &media_type));
        }
        self.content_media_type = Some(media_type);
        Ok(self)
    }

    /// Adds a member of the publisher's own. It is part of the bytes, and so of the tag: it must be a fixed property
    /// of the page. `hash` is an ordinary member here, without a meaning.
    ///
    /// # Errors
    /// `Reserved` for the six names of the protocol.
    pub fn with_member(
        mut self,
        name: impl Into<String>,
        value: impl Into<Value>,
    ) -> Result<Self, EncodeError> {
        self.members.add(name.into(), value.into(), &KNOWN)?;
        Ok(self)
    }

    /// Refuses a text of white space only: such a page should rather have no twin.
    ///
    /// # Errors
    /// `BlankContent`.
    pub fn refusing_blank_content(self) -> Result<Self, EncodeError> {
        if self.content.trim().is_empty() {
            return Err(EncodeError::blank());
        }
        Ok(self)
    }

    /// The page's URL, as it was given.
    #[must_use]
    pub fn canonical_url(&self) -> &str {
        &self.canonical_url
    }

    /// The text.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Makes the bytes to serve.
    ///
    /// # Errors
    /// `Json` for a member without canonical form, such as an integer beyond ±(2^53 − 1), or past a default limit.
    pub fn seal(&self) -> Result<SealedDocument, EncodeError> {
        self.seal_with(&BodyLimits::default())
    }

    /// As [`MUrlDocument::seal`], with other limits.
    ///
    /// # Errors
    /// As [`MUrlDocument::seal`].
    pub fn seal_with(&self, limits: &BodyLimits) -> Result<SealedDocument, EncodeError> {
        // An escape in eight characters, and what the canonicalizer wants to have ahead.
        let mut body =
            Vec::with_capacity(self.content.len() + self.content.len() / 8 + self.title.len() + 1024);
        if !self.write_strings(&mut body) || body.len() > limits.max_bytes {
            body.clear();
            limits.canonicalizer().write_canonical(Typed(self), &mut body)?;
        }
        // Most documents are known to be within the limits without being read once more.
        let identity = match self.is_within(limits) {
            true => Identity::of_body(body),
            false => Identity::of_canonical(body, limits)?,
        };
        Ok(SealedDocument { identity, canonical_url: Arc::clone(&self.canonical_url) })
    }

    /// Writes the canonical form of a document that has only string members, which needs no canonicalizer. Returns false
    /// for others, without writing.
    fn write_strings(&self, body: &mut Vec<u8>) -> bool {
        let Some(own) = self.members.plain() else { return false };
        let mut own = own.peekable();
        let members = [
            ("canonical_url", Some(&*self.canonical_url)),
            ("content", Some(&*self.content)),
            ("content_media_type", self.content_media_type.as_deref()),
            ("language", self.language.as_deref()),
            ("profile", Some(M_URL_PROFILE)),
            ("title", Some(&*self.title)),
        ];
        let mut write = |name: &str, value: &str| {
            body.push(if body.is_empty() { b'{' } else { b',' });
            body.push(b'"');
            body.extend_from_slice(name.as_bytes());
            body.extend_from_slice(b"\":");
            write_string_bytes(value, body);
        };
        for (name, value) in members {
            let Some(value) = value else { continue };
            while let Some((own, value)) = own.next_if(|(own, _)| *own < name) {
                write(own, value);
            }
            write(name, value);
        }
        own.for_each(|(name, value)| write(name, value));
        body.push(b'}');
        true
    }

    /// Whether all values are within the limits, the size of the whole aside.
    fn is_within(&self, limits: &BodyLimits) -> bool {
        let optional = [&self.language, &self.content_media_type];
        let texts = [&*self.canonical_url, &*self.title, &*self.content]
            .into_iter()
            .chain(optional.into_iter().flatten().map(String::as_str));
        // The document itself, and its members.
        let mut values = 2;
        let mut is_within = limits.max_name_bytes >= "content_media_type".len() && limits.max_depth > 0;
        for text in texts {
            values += 1;
            is_within &= text.len() <= limits.max_string_bytes;
        }
        is_within &= M_URL_PROFILE.len() <= limits.max_string_bytes && values <= limits.max_values;
        is_within
            && self.members.iter().all(|(name, value)| {
                name.len() <= limits.max_name_bytes && limits.allows_value(value, 1, &mut values)
            })
    }
}

/// The members that the protocol defines.
const KNOWN: [&str; 6] = ["canonical_url", "content", "content_media_type", "language", "profile", "title"];

impl Serialize for MUrlDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = self.members.beside(serializer.serialize_map(None)?);
        // In canonical order, so that nothing needs sorting.
        map.entry("canonical_url", &*self.canonical_url)?;
        map.entry("content", &self.content)?;
        if let Some(media_type) = &self.content_media_type {
            map.entry("content_media_type", media_type)?;
        }
        if let Some(language) = &self.language {
            map.entry("language", language)?;
        }
        map.entry("profile", M_URL_PROFILE)?;
        map.entry("title", &self.title)?;
        map.end()
    }
}

/// An M-URL document ready to be served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedDocument {
    identity: Identity,
    canonical_url: Arc<str>,
}

impl SealedDocument {
    /// The canonical bytes to send.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.identity.body()
    }

    /// The tag of the bytes.
    #[must_use]
    pub fn tag(&self) -> &BodyTag {
        self.identity.tag()
    }

    /// The page's URL, as the document has it.
    #[must_use]
    pub fn canonical_url(&self) -> &str {
        &self.canonical_url
    }

    /// The bytes with their tag.
    #[must_use]
    pub fn into_identity(self) -> Identity {
        self.identity
    }

    /// The metadata of the body for header fields. Its canonical link is the document's own `canonical_url`, character
    /// for character.
    ///
    /// Spec: TCT draft-03; TCT3-DOC-10.
    #[must_use]
    pub fn representation(&self) -> Representation {
        // The URL was checked when the document was made.
        Representation::of_m_url(self.tag(), &self.canonical_url)
            .unwrap_or_else(|_| Representation::of_bytes(self.body()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The canonical form by the general canonicalizer.
    fn typed(document: &MUrlDocument) -> Vec<u8> {
        BodyLimits::default().canonicalizer().to_canonical(Typed(document)).unwrap_or_default()
    }

    fn own() -> impl Strategy<Value = Value> {
        prop_oneof![8 => "[a-z\"\n\u{e9}]{0,40}".prop_map(Value::from), 1 => Just(json!(1)), 1 => Just(json!([null]))]
    }

    proptest! {
        /// The fast path writes the same strings as the canonicalizer.
        #[test]
        fn the_short_way_writes_the_canonical_form(
            content in "[a-z \"\\\\\n\r\t\u{1}\u{e9}\u{1f600}]{0,400}",
            title in "[a-z\"\u{1}]{0,40}",
            members in prop::collection::btree_map(
                prop::sample::select(vec![
                    "a", "canonical_urla", "contena", "content0", "contenta", "hash", "languag", "languages", "profil", "profile1",
                    "published", "t", "titles", "z", "quoted\"", "\u{e9}", "\u{ff21}", "\u{1f600}", "with space", "\u{7f}",
                ]),
                own(),
                0..6,
            ),
            language in any::<bool>(),
        ) {
            let mut document = MUrlDocument::new("https://example.com/a/", title, content).unwrap();
            if language {
                document = document.with_language("fr").unwrap();
            }
            let strings = members.values().all(Value::is_string);
            for (name, value) in members {
                document = document.with_member(name, value).unwrap();
            }
            let mut body = Vec::new();
            if document.write_strings(&mut body) {
                prop_assert_eq!(&body, &typed(&document));
            } else {
                prop_assert!(body.is_empty());
            }
            let sealed = document.seal().unwrap();
            prop_assert_eq!(sealed.body(), typed(&document));
            prop_assert!(strings || !document.write_strings(&mut Vec::new()));
        }
    }

    #[test]
    fn a_body_past_the_limit_is_refused_on_the_short_way_too() {
        let document = MUrlDocument::new("https://example.com/", "", "Hello").unwrap();
        let len = document.seal().unwrap().body().len();
        assert!(document.seal_with(&BodyLimits::default().with_max_bytes(len)).is_ok());
        let error = document.seal_with(&BodyLimits::default().with_max_bytes(len - 1)).unwrap_err();
        assert_eq!(error.kind().code(), "too-large");
    }
}
