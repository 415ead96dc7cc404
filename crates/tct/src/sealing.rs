//! Sealing a payload: the bytes that an M-URL serves, their fingerprint, and its entity tag.
//!
//! ```text
//! Method A    canonical JSON without `hash` -> SHA-256 -> hash = "sha256-…", put into the object -> body
//! Method B    normalised `content`          -> SHA-256 -> hash = "sha256-…", put into the object -> body
//! ```
//!
//! Method A, which [`seal`] and [`Payload::seal`] use, covers every field, so the tag is strong by construction.
//! Method B covers the text alone. Its tag is strong only if title, URL and letter case never change without the
//! text, which no program can check: with [`HashMethod::B`] the caller asserts it, and no field besides the five
//! basic ones is accepted.
//!
//! Responses do not say which method a publisher uses; [`check_hash`] finds out by computing both.
//!
//! A SHA-256 digest shows accidental changes. It does not prove who wrote the text (TCT-SEC-4).

use core::fmt;
use std::borrow::Cow;

use serde::Serialize;
use tct_canonical_json::{
    Canonicalizer, JsonDocument, JsonError, JsonKind, JsonReader, JsonValue, Profile, Typed, is_canonical,
};
use tct_fingerprint::{Fingerprint, StrongEtag, fingerprint};

use crate::members::{with_hash, without_hash};
use crate::{CUrl, Representation};

#[cfg(doc)]
use crate::Payload;

/// How a payload's hash is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum HashMethod {
    /// Over the canonical JSON of all other members.
    #[default]
    A,
    /// Over the normalised `content`.
    B,
}

words! { name: HashMethod
    A => "a";
    B => "b";
}

/// A payload ready to be served: equal input gives equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    body: Vec<u8>,
    fingerprint: Fingerprint,
}

impl Sealed {
    /// The canonical JSON to send, `hash` included.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The canonical JSON to send, without a copy.
    #[must_use]
    pub fn into_body(self) -> Vec<u8> {
        self.body
    }

    /// The hash: the payload's `hash`, the sitemap's `contentHash`, and the entity tag without its quotes.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The strong entity tag.
    #[must_use]
    pub fn etag(&self) -> StrongEtag {
        StrongEtag::new(self.fingerprint)
    }

    /// The metadata of the body for header fields, with the `Link` back to the page.
    #[must_use]
    pub fn representation(&self, page: &CUrl) -> Representation {
        Representation::of_fingerprint(&self.fingerprint, self.body.len() as u64).with_canonical(page)
    }
}

/// Seals a value of the caller's own type by Method A.
///
/// The value must serialise to an object with the strings `canonical_url`, `title` and `content`; a member `hash` is
/// replaced. `O(n log n)` in the number of members, linear in their bytes.
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Article<'a> { profile: &'a str, canonical_url: &'a str, title: &'a str, content: &'a str, words: u32 }
///
/// let article = Article {
///     profile: "tct-1",
///     canonical_url: "https://example.com/hello-world/",
///     title: "Hello World",
///     content: "Hello World",
///     words: 2,
/// };
/// let sealed = tct::seal(&article)?;
/// assert!(sealed.body().starts_with(br#"{"canonical_url":"https://example.com/hello-world/","content""#));
/// assert_eq!(sealed.etag().to_string(), format!("\"{}\"", sealed.fingerprint()));
/// # Ok::<(), tct::sealing::SealError>(())
/// ```
///
/// # Errors
/// `NotAnObject`, `MissingField`, `FieldNotText`, `BlankContent`, or `Json` for a value that JSON cannot carry unchanged, such as an
/// integer beyond ±(2^53 − 1).
///
/// Spec: TCT draft-00, "Method A"; TCT-MA-1, TCT-MA-2, TCT-JSON-1, TCT-AMB-7.
pub fn seal<T: Serialize + ?Sized>(payload: &T) -> Result<Sealed, SealError> {
    Sealer::new().seal(payload)
}

/// The settings of a seal.
///
/// ```
/// use tct::sealing::{HashMethod, SealErrorKind, Sealer};
/// let payload = serde_json::json!({
///     "canonical_url": "https://example.com/", "title": "Home", "content": "Hello", "language": "en",
/// });
/// assert!(Sealer::new().seal(&payload).is_ok());
/// let error = Sealer::new().method(HashMethod::B).seal(&payload).unwrap_err();
/// assert_eq!(error.kind(), SealErrorKind::ExtraField);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Sealer {
    method: HashMethod,
    refuses_order_conflicts: bool,
    takes_blank_content: bool,
}

impl Sealer {
    /// Method A, every object with a text accepted.
    #[must_use]
    pub const fn new() -> Self {
        Sealer { method: HashMethod::A, refuses_order_conflicts: false, takes_blank_content: false }
    }

    /// The same settings, but `content` may be blank: for checks of other programs' payloads. A publisher answers 404
    /// for a page without text.
    #[must_use]
    pub const fn allow_blank(self) -> Self {
        Sealer { takes_blank_content: true, ..self }
    }

    /// The same settings with another method.
    #[must_use]
    pub const fn method(self, method: HashMethod) -> Self {
        Sealer { method, ..self }
    }

    /// Refuses objects whose members the draft and RFC 8785 would order differently: names beyond the Basic
    /// Multilingual Plane beside names from U+E000 to U+FFFF.
    ///
    /// Spec: TCT-AMB-6.
    #[must_use]
    pub const fn refuse_order_conflicts(self) -> Self {
        Sealer { refuses_order_conflicts: true, ..self }
    }

    /// Seals a value of the caller's own type.
    ///
    /// # Errors
    /// As [`seal`]; with Method B also `ExtraField`; with [`Sealer::refuse_order_conflicts`] also `OrderConflict`.
    pub fn seal<T: Serialize + ?Sized>(&self, payload: &T) -> Result<Sealed, SealError> {
        self.seal_canonical(&Canonicalizer::new(Profile::Tct).to_canonical(Typed(payload))?)
    }

    /// Seals JSON text. Numbers become the nearest double, as RFC 8785 has it.
    ///
    /// # Errors
    /// As [`Sealer::seal`], `Json` for text that is not well-formed.
    pub fn seal_json(&self, json: &[u8]) -> Result<Sealed, SealError> {
        self.seal_canonical(&Canonicalizer::new(Profile::Tct).to_canonical(json)?)
    }

    fn seal_canonical(&self, canonical: &[u8]) -> Result<Sealed, SealError> {
        let document = read_canonical(canonical)?;
        let root = document.root();
        let content = check_fields(root)?;
        if !self.takes_blank_content && is_blank(content) {
            return Err(SealErrorKind::BlankContent.into());
        }
        if self.refuses_order_conflicts
            && may_conflict(canonical)
            && !is_canonical(canonical, Profile::Rfc8785)
        {
            return Err(SealErrorKind::OrderConflict.into());
        }
        let fingerprint = match self.method {
            HashMethod::A => Fingerprint::hash(&without_hash(root)),
            HashMethod::B => {
                let extra = root.members().find(|(name, _)| !BASIC_FIELDS.iter().any(|field| name.is(field)));
                if let Some((name, _)) = extra {
                    return Err(SealError::of_field(SealErrorKind::ExtraField, &name.as_str()));
                }
                fingerprint(&content.as_str().unwrap_or_default())
            }
        };
        Ok(Sealed { body: with_hash(root, &fingerprint), fingerprint })
    }
}

/// Reads what was made canonical: an object.
fn read_canonical(canonical: &[u8]) -> Result<JsonDocument<'_>, SealError> {
    let document = JsonReader::new().max_bytes(JsonReader::LONGEST).read(canonical)?;
    match document.root().kind() {
        JsonKind::Object => Ok(document),
        _ => Err(SealErrorKind::NotAnObject.into()),
    }
}

/// Whether a string holds nothing but white space. Most begin with something else, and need no decoding.
fn is_blank(text: JsonValue<'_>) -> bool {
    let inside = text.raw().get(1..).unwrap_or_default().trim_start();
    inside.starts_with(['"', '\\']) && text.as_str().unwrap_or_default().trim().is_empty()
}

/// Whether the draft and RFC 8785 may order names differently: only where there is a character beyond U+FFFF.
fn may_conflict(json: &[u8]) -> bool {
    json.iter().fold(0, |most, &byte| byte.max(most)) >= 0xF0
}

/// The members that Method B accepts.
const BASIC_FIELDS: [&str; 5] = ["canonical_url", "content", "hash", "profile", "title"];

/// The fields that every payload has, `hash` aside.
const REQUIRED_FIELDS: [&str; 3] = ["canonical_url", "title", "content"];

/// Checks the required fields and returns `content`.
///
/// Spec: TCT draft-00, "M-URL Response"; TCT-MURL-3, TCT-MURL-4, TCT-MURL-5.
fn check_fields(object: JsonValue<'_>) -> Result<JsonValue<'_>, SealError> {
    let mut content = object;
    for field in REQUIRED_FIELDS {
        content = match object.get(field) {
            None => return Err(SealError::of_field(SealErrorKind::MissingField, field)),
            Some(value) if value.kind() != JsonKind::String => {
                return Err(SealError::of_field(SealErrorKind::FieldNotText, field));
            }
            Some(value) => value,
        };
    }
    Ok(content)
}

/// Which method a payload's hash is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum HashCheck {
    /// It is Method A's, with members in the order of code points or of RFC 8785.
    MatchesA,
    /// It is Method B's.
    MatchesB,
    /// It is neither: the payload was changed on the way, or its publisher computes something else.
    Neither,
}

words! { name: HashCheck
    MatchesA => "matches-a", "the hash is the payload's by method A";
    MatchesB => "matches-b", "the hash is the payload's by method B";
    Neither => "neither", "the hash is the payload's by neither method";
}

/// Recomputes the hash of a payload from its own bytes by both methods: a diagnosis, never an error by itself.
///
/// # Errors
/// `Json` for a body that is not well-formed JSON, else `NotAnObject`, `MissingField` or `FieldNotText`.
///
/// Spec: TCT draft-00, "Method A", "Method B"; TCT-AMB-2, TCT-AMB-6, TCT-AMB-25.
pub fn check_hash(body: &[u8]) -> Result<HashCheck, SealError> {
    // A payload as its publisher sent it is canonical already.
    let canonical = match is_canonical(body, Profile::Tct) {
        true => Cow::Borrowed(body),
        false => Cow::Owned(Canonicalizer::new(Profile::Tct).to_canonical(body)?),
    };
    let document = read_canonical(&canonical)?;
    let root = document.root();
    let content = check_fields(root)?;
    let hash = root.get("hash").ok_or_else(|| SealError::of_field(SealErrorKind::MissingField, "hash"))?;
    let bare = without_hash(root);
    if hash.is_str(&Fingerprint::hash(&bare).to_string()) {
        return Ok(HashCheck::MatchesA);
    }
    if !is_canonical(&bare, Profile::Rfc8785) {
        let other = Canonicalizer::new(Profile::Rfc8785).to_canonical(&bare)?;
        if hash.is_str(&Fingerprint::hash(&other).to_string()) {
            return Ok(HashCheck::MatchesA);
        }
    }
    let is_b = hash.is_str(&fingerprint(&content.as_str().unwrap_or_default()).to_string());
    Ok(if is_b { HashCheck::MatchesB } else { HashCheck::Neither })
}

/// Why a payload could not be sealed, or a sitemap not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealError {
    kind: SealErrorKind,
    field: Option<String>,
    len_bytes: usize,
    source: Option<JsonError>,
}

/// The kinds of a [`SealError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SealErrorKind {
    /// The payload is not a JSON object.
    NotAnObject,
    /// A required field is absent.
    MissingField,
    /// A required field is not a string.
    FieldNotText,
    /// `content` holds nothing but white space: such a page should answer 404 instead.
    BlankContent,
    /// The field is one that the builder writes itself.
    ReservedField,
    /// Method B: a field beside the five basic ones.
    ExtraField,
    /// The draft and RFC 8785 order the members differently.
    OrderConflict,
    /// The value has no canonical JSON: see the source.
    Json,
    /// A sitemap's entry is past the budget of an entry, or no file within the budget could hold it.
    EntryTooLarge,
    /// The time of the last change in a sitemap's entry is not an RFC 3339 timestamp.
    BadTimestamp,
}

impl SealError {
    pub(crate) fn of_field(kind: SealErrorKind, field: &str) -> Self {
        SealError { kind, field: Some(field.to_owned()), ..kind.into() }
    }

    pub(crate) fn of_entry(len_bytes: usize) -> Self {
        SealError { len_bytes, ..SealErrorKind::EntryTooLarge.into() }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> SealErrorKind {
        self.kind
    }

    /// The field that it is about.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Length of a sitemap's entry in bytes; 0 where that is not the problem.
    #[must_use]
    pub const fn len_bytes(&self) -> usize {
        self.len_bytes
    }

    /// The error of canonicalisation, where that is the reason.
    #[must_use]
    pub fn json_error(&self) -> Option<&JsonError> {
        self.source.as_ref()
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match (self.kind, self.field.as_deref()) {
            (SealErrorKind::ExtraField | SealErrorKind::ReservedField, _) => "TCT-MB-2",
            (SealErrorKind::BlankContent, _) => "TCT-PAGE-2",
            (SealErrorKind::OrderConflict, _) => "TCT-AMB-6",
            (SealErrorKind::Json, _) => "TCT-JSON-1",
            (SealErrorKind::EntryTooLarge, _) => "TCT-SM-14",
            (SealErrorKind::BadTimestamp, _) => "TCT-SM-6",
            (_, Some("title")) => "TCT-MURL-4",
            (_, Some("content")) => "TCT-MURL-5",
            (_, Some("hash")) => "TCT-MURL-6",
            _ => "TCT-MURL-3",
        }
    }
}

impl From<SealErrorKind> for SealError {
    fn from(kind: SealErrorKind) -> Self {
        SealError { kind, field: None, len_bytes: 0, source: None }
    }
}

impl From<JsonError> for SealError {
    fn from(error: JsonError) -> Self {
        SealError { source: Some(error), ..SealErrorKind::Json.into() }
    }
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field.as_deref().unwrap_or_default();
        match self.kind {
            SealErrorKind::NotAnObject => {
                f.write_str("expected a payload that is an object, found another value")
            }
            SealErrorKind::MissingField => write!(f, "expected a field `{field}`, found none"),
            SealErrorKind::FieldNotText => write!(f, "expected a string in `{field}`, found another value"),
            SealErrorKind::BlankContent => f.write_str("expected text in `content`, found none"),
            SealErrorKind::ReservedField => {
                write!(
                    f,
                    "expected an extension field, found `{}`, which the builder writes",
                    field.escape_debug()
                )
            }
            SealErrorKind::ExtraField => {
                write!(f, "expected the five basic fields of Method B, found `{}`", field.escape_debug())
            }
            SealErrorKind::OrderConflict => {
                f.write_str("expected names that the draft and RFC 8785 order alike, found others")
            }
            SealErrorKind::Json => f.write_str("expected a value with a canonical form, found another"),
            SealErrorKind::EntryTooLarge => {
                write!(f, "expected an entry within the budget, found one of {} bytes", self.len_bytes)
            }
            SealErrorKind::BadTimestamp => {
                f.write_str("expected an RFC 3339 timestamp in `modified`, found another text")
            }
        }
    }
}

impl core::error::Error for SealError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}
