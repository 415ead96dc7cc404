//! Building the payload of an M-URL from a page's own data.
//!
//! ```text
//! page URL, title, text blocks, extension fields -> Payload -> Sealed { body, fingerprint, etag }
//! ```
//!
//! Take the text from the CMS's content body, never from the rendered page, so that a new theme does not change a
//! hash (TCT-SRC-1, TCT-INV-1). Leave out everything that changes without the content: counters, times, anything
//! from the request (TCT-SRC-4, TCT-JSON-9). Under Method A any field that is a fixed property of the page is
//! fine (TCT-AMB-5).
//!
//! The server must protect an M-URL like its page (TCT-SEC-7).

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

use crate::CUrl;
use crate::sealing::{HashMethod, SealError, SealErrorKind, Sealed, Sealer};

/// The value of `profile` in payloads and sitemaps of this protocol.
pub(crate) const PROFILE: &str = "tct-1";

/// The payload of one page.
///
/// ```
/// use tct::{CUrl, Payload};
/// let page = CUrl::parse("https://example.com/hello-world/")?;
/// let sealed = Payload::new(&page, "Hello World", "Hello World").seal()?;
/// assert_eq!(
///     sealed.fingerprint().to_string(),
///     "sha256-af976cac6d5c89428a724e456311081ddbf3bab73cc4de7c85119b185ffbdab8"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: TCT draft-00, "M-URL Response", "Method A"; TCT-MURL-2 to TCT-MURL-7, TCT-VEC-A.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    page: CUrl,
    title: String,
    content: String,
    profile: Option<String>,
    extensions: BTreeMap<String, Value>,
}

impl Payload {
    /// A payload with the four required fields and `profile`. The text is sent as it is, not normalised.
    #[must_use]
    pub fn new(page: &CUrl, title: impl Into<String>, content: impl Into<String>) -> Self {
        Payload {
            page: page.clone(),
            title: title.into(),
            content: content.into(),
            profile: Some(PROFILE.to_owned()),
            extensions: BTreeMap::new(),
        }
    }

    /// Replaces `profile`, or leaves it out.
    #[must_use]
    pub fn with_profile(mut self, profile: Option<&str>) -> Self {
        self.profile = profile.map(str::to_owned);
        self
    }

    /// Adds a field of its own, such as `language`, `published`, `modified` or `structured_data`. Its value must be a
    /// fixed property of the page.
    ///
    /// # Errors
    /// `ReservedField` for the names of the five basic fields.
    ///
    /// Spec: TCT draft-00, "M-URL Response"; TCT-MURL-7, TCT-JSON-9.
    pub fn with_field(mut self, name: impl Into<String>, value: impl Into<Value>) -> Result<Self, SealError> {
        let name = name.into();
        if matches!(name.as_str(), "canonical_url" | "content" | "hash" | "profile" | "title") {
            return Err(SealError::of_field(SealErrorKind::ReservedField, &name));
        }
        self.extensions.insert(name, value.into());
        Ok(self)
    }

    /// The page.
    #[must_use]
    pub fn page(&self) -> &CUrl {
        &self.page
    }

    /// The text.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Seals the payload by Method A.
    ///
    /// # Errors
    /// `BlankContent` if there is no text, `Json` if an extension field has no canonical form.
    ///
    /// Spec: TCT draft-00, "Method A"; TCT-MA-1, TCT-MA-2, TCT-PAGE-2.
    pub fn seal(&self) -> Result<Sealed, SealError> {
        Sealer::new().seal(self)
    }

    /// Seals the payload by Method B: the caller asserts that title and URL never change without the text.
    ///
    /// # Errors
    /// `BlankContent`, and `ExtraField` if there is any extension field: such payloads need Method A.
    ///
    /// Spec: TCT draft-00, "Method B"; TCT-MB-1, TCT-MB-2, TCT-MB-3, TCT-AMB-4, TCT-D01-2.
    pub fn seal_content_locked(&self) -> Result<Sealed, SealError> {
        Sealer::new().method(HashMethod::B).seal(self)
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("canonical_url", self.page.as_str())?;
        map.serialize_entry("content", &self.content)?;
        if let Some(profile) = &self.profile {
            map.serialize_entry("profile", profile)?;
        }
        map.serialize_entry("title", &self.title)?;
        self.extensions.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

/// The offset of the first thing in a text that looks like markup: a `<` followed by a letter, `/`, `!` or `?`.
///
/// Publishers strip or escape such text before sealing; agents report it. `a < b`, `<3` and `&lt;b&gt;` are fine.
///
/// Spec: TCT draft-00, "M-URL Response"; TCT-SRC-3.
pub(crate) fn find_markup(text: &str) -> Option<usize> {
    memchr::memchr_iter(b'<', text.as_bytes()).find(|at| {
        let next = text.as_bytes().get(at + 1);
        next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?'))
    })
}

/// Writes every `<` that looks like the start of markup as `&lt;`: for texts about code, whose angle brackets are
/// content.
///
/// ```
/// # use tct::payload::escape_markup;
/// assert_eq!(escape_markup("a Vec<T> where 1 < 2"), "a Vec&lt;T> where 1 < 2");
/// assert_eq!(escape_markup("a < b, i <3 u, &lt;b&gt;"), "a < b, i <3 u, &lt;b&gt;");
/// ```
///
/// Spec: TCT draft-00, "M-URL Response"; TCT-SRC-3.
#[must_use]
pub fn escape_markup(text: &str) -> Cow<'_, str> {
    if find_markup(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((plain, tail)) = find_markup(rest).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(plain);
        out.push_str("&lt;");
        rest = tail.strip_prefix('<').unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}
