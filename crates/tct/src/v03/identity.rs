//! The identity representation: the canonical bytes of a value with their tag.

use core::fmt;

use serde::Serialize;
use tct_canonical_json::{JsonError, JsonErrorKind, Typed};
use tct_fingerprint::Fingerprint;

use super::finding::{TctFinding, TctFindingCode};
use super::limits::BodyLimits;
use super::tag::BodyTag;

/// Canonical bytes, ready to be hashed, cached and sent unchanged, with their tag.
///
/// ```
/// use tct::v03::{BodyLimits, Identity};
/// let identity = Identity::of_json(br#"{ "b": 1.0, "a": "\u00e9" }"#, &BodyLimits::default())?;
/// assert_eq!(identity.body(), r#"{"a":"é","b":1}"#.as_bytes());
/// assert_eq!(identity.tag().content_digest(), "sha-256=:qlj7qEg2I77TfBsC7fzL3ZpTEjg3wgv6TLQEmZOihy4=:");
/// # Ok::<(), tct::v03::EncodeError>(())
/// ```
///
/// Spec: TCT draft-03; TCT3-JCS-1 to TCT3-JCS-9, TCT3-TAG-1, TCT3-TAG-4, TCT3-RES-2, TCT3-RES-3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    body: Vec<u8>,
    tag: BodyTag,
}

impl Identity {
    /// The identity representation of a JSON text. Numbers become the nearest double, as RFC 8785 has it. The text may be as
    /// long as its canonical form could be with every character escaped.
    ///
    /// # Errors
    /// Those of reading: a text that is not JSON, or past a limit.
    pub fn of_json(json: &[u8], limits: &BodyLimits) -> Result<Self, EncodeError> {
        let canonicalizer =
            limits.canonicalizer().max_input(limits.max_bytes.saturating_mul(6)).max_output(usize::MAX);
        let body = canonicalizer.to_canonical(json)?;
        Self::of_canonical(body, limits)
    }

    /// The identity representation of a value of the caller's own type.
    ///
    /// # Errors
    /// A value that JSON cannot carry unchanged, such as an integer beyond ±(2^53 − 1), or past a limit.
    ///
    /// Spec: TCT draft-03; TCT3-JCS-5, TCT3-AMB-9.
    pub fn of_value<T: Serialize + ?Sized>(value: &T, limits: &BodyLimits) -> Result<Self, EncodeError> {
        let body = limits.canonicalizer().to_canonical(Typed(value))?;
        Self::of_canonical(body, limits)
    }

    /// Restores a stored pair of body and tag, if the bytes still have that tag. `None` means that the pair is damaged:
    /// discard both and build them anew.
    ///
    /// ```
    /// use tct::v03::{BodyLimits, Identity};
    /// let identity = Identity::of_json(b"{}", &BodyLimits::default())?;
    /// let stored = (identity.body().to_vec(), identity.tag().fingerprint());
    /// assert_eq!(Identity::from_stored(stored.0, &stored.1), Some(identity));
    /// assert_eq!(Identity::from_stored(b"{} ".to_vec(), &stored.1), None);
    /// # Ok::<(), tct::v03::EncodeError>(())
    /// ```
    ///
    /// Spec: TCT draft-03; TCT3-TAG-6.
    #[must_use]
    pub fn from_stored(body: Vec<u8>, fingerprint: &Fingerprint) -> Option<Self> {
        let tag = BodyTag::of_bytes(&body);
        (tag.fingerprint() == *fingerprint).then_some(Identity { body, tag })
    }

    pub(super) fn of_canonical(body: Vec<u8>, limits: &BodyLimits) -> Result<Self, EncodeError> {
        limits.check(&body)?;
        Ok(Self::of_body(body))
    }

    /// Canonical bytes within the limits.
    pub(super) fn of_body(body: Vec<u8>) -> Self {
        let tag = BodyTag::of_bytes(&body);
        Identity { body, tag }
    }

    /// The bytes.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The bytes, without a copy.
    #[must_use]
    pub fn into_body(self) -> Vec<u8> {
        self.body
    }

    /// The tag of the bytes.
    #[must_use]
    pub fn tag(&self) -> &BodyTag {
        &self.tag
    }
}

/// Why a document could not be made.
///
/// ```
/// use tct::v03::{EncodeErrorKind, MUrlDocument, TctFindingCode};
/// let error = MUrlDocument::new("/post/", "Title", "Text").unwrap_err();
/// assert_eq!(error.kind(), EncodeErrorKind::Fault(TctFindingCode::Url));
/// assert_eq!(error.to_string(), "expected an absolute http or https URL at /canonical_url, found `/post/`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError {
    kind: EncodeErrorKind,
    detail: Detail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Detail {
    None,
    Name(Box<str>),
    Limit(usize),
    Finding(Box<TctFinding>),
    Json(JsonError),
}

/// The kinds of an [`EncodeError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// A malformed member, which a reader would report: see [`EncodeError::finding`].
    Fault(TctFindingCode),
    /// The value has no canonical form, or is past a limit.
    Json(JsonErrorKind),
    /// More items than a sitemap may have.
    TooManyItems,
    /// A member that the builder writes itself, or that must not be there.
    Reserved,
    /// A URL with a user name or a password.
    Credentials,
    /// `content` is blank, and the caller refuses blank content.
    BlankContent,
}

impl EncodeErrorKind {
    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            EncodeErrorKind::Fault(code) => code.code(),
            EncodeErrorKind::Json(kind) => match kind {
                JsonErrorKind::TooDeep => "too-deep",
                JsonErrorKind::TooLarge => "too-large",
                JsonErrorKind::TooManyValues => "too-many-nodes",
                JsonErrorKind::NameTooLong => "name-too-long",
                JsonErrorKind::StringTooLong => "string-too-long",
                _ => "json",
            },
            EncodeErrorKind::TooManyItems => "too-many-items",
            EncodeErrorKind::Reserved => "reserved",
            EncodeErrorKind::Credentials => "url",
            EncodeErrorKind::BlankContent => "blank-content",
        }
    }
}

impl From<JsonErrorKind> for EncodeErrorKind {
    fn from(kind: JsonErrorKind) -> Self {
        EncodeErrorKind::Json(kind)
    }
}

impl EncodeError {
    #[cold]
    pub(super) fn reserved(name: &str) -> Self {
        EncodeError { kind: EncodeErrorKind::Reserved, detail: Detail::Name(name.into()) }
    }

    #[cold]
    pub(super) fn fault(
        code: TctFindingCode,
        item: Option<usize>,
        member: &'static str,
        found: &str,
    ) -> Self {
        TctFinding::new(code, item, member, found).into()
    }

    #[cold]
    pub(super) fn credentials() -> Self {
        EncodeError { kind: EncodeErrorKind::Credentials, detail: Detail::None }
    }

    #[cold]
    pub(super) fn blank() -> Self {
        EncodeError { kind: EncodeErrorKind::BlankContent, detail: Detail::None }
    }

    #[cold]
    pub(super) fn too_many_items(limit: usize) -> Self {
        EncodeError { kind: EncodeErrorKind::TooManyItems, detail: Detail::Limit(limit) }
    }

    /// What went wrong.
    #[must_use]
    pub const fn kind(&self) -> EncodeErrorKind {
        self.kind
    }

    /// The fault that a reader of the document would report.
    #[must_use]
    pub fn finding(&self) -> Option<&TctFinding> {
        match &self.detail {
            Detail::Finding(finding) => Some(finding),
            _ => None,
        }
    }

    /// The error of reading or writing JSON, if that is the reason, with its place.
    #[must_use]
    pub fn json_error(&self) -> Option<&JsonError> {
        match &self.detail {
            Detail::Json(error) => Some(error),
            _ => None,
        }
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match (&self.detail, self.kind) {
            (Detail::Finding(finding), _) => finding.requirement(),
            (_, EncodeErrorKind::Json(kind)) => match kind {
                JsonErrorKind::TooDeep => "TCT3-LIM-1",
                JsonErrorKind::TooManyValues => "TCT3-LIM-2",
                JsonErrorKind::NameTooLong => "TCT3-LIM-3",
                JsonErrorKind::StringTooLong => "TCT3-LIM-4",
                JsonErrorKind::TooLarge => "TCT3-LIM-5",
                JsonErrorKind::UnsafeInteger => "TCT3-JCS-5",
                JsonErrorKind::NotFinite | JsonErrorKind::NumberOverflow => "TCT3-JCS-3",
                JsonErrorKind::DuplicateMember => "TCT3-JCS-7",
                JsonErrorKind::InvalidUtf8 | JsonErrorKind::LoneSurrogate => "TCT3-JCS-6",
                _ => "TCT3-JCS-1",
            },
            (_, EncodeErrorKind::TooManyItems) => "TCT3-SM-15",
            (_, EncodeErrorKind::Credentials) => "TCT3-AMB-6",
            (_, EncodeErrorKind::BlankContent) => "TCT3-DOC-3",
            _ => "TCT3-SM-7",
        }
    }
}

impl From<TctFinding> for EncodeError {
    fn from(finding: TctFinding) -> Self {
        EncodeError {
            kind: EncodeErrorKind::Fault(finding.kind()),
            detail: Detail::Finding(Box::new(finding)),
        }
    }
}

impl From<JsonError> for EncodeError {
    fn from(error: JsonError) -> Self {
        EncodeError { kind: EncodeErrorKind::Json(error.kind()), detail: Detail::Json(error) }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.detail {
            Detail::Finding(finding) => finding.fmt(f),
            Detail::Json(error) => error.fmt(f),
            Detail::Name(name) => {
                write!(
                    f,
                    "expected a member that the builder does not write, found `{}`",
                    name.escape_debug()
                )
            }
            Detail::Limit(limit) => write!(f, "expected at most {limit} items, found one more"),
            Detail::None if self.kind == EncodeErrorKind::Credentials => {
                f.write_str("expected a URL without credentials, found some")
            }
            Detail::None => f.write_str("expected text in `content`, found none"),
        }
    }
}

impl core::error::Error for EncodeError {}
