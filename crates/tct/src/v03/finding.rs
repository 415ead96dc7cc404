//! Faults of documents: a code and the member concerned.

use core::fmt;
use std::borrow::Cow;

use web_values::{Finding, Place, Severity};

/// A fault of an M-URL document or an M-Sitemap.
///
/// ```
/// use tct::v03::{BodyLimits, check_document};
/// let body = br#"{"canonical_url":"/post/","content":1,"profile":"tct-1"}"#;
/// let check = check_document(body, &BodyLimits::default())?;
/// let found: Vec<_> = check.findings().iter().map(|finding| (finding.path(), finding.kind().code())).collect();
/// assert_eq!(found, [
///     ("/profile", "profile"), ("/canonical_url", "url"), ("/title", "missing"), ("/content", "type"),
/// ]);
/// assert_eq!(check.findings()[1].to_string(), "expected an absolute http or https URL at /canonical_url, found `/post/`");
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TctFinding {
    kind: TctFindingCode,
    /// Position in `items`, of a fault inside them.
    item: Option<usize>,
    /// The member's name; empty for the document or the item itself.
    member: &'static str,
    path: Box<str>,
    found: Box<str>,
}

/// What kind of fault a [`TctFinding`] is. The names are stable; [`TctFindingCode::code`] gives them in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TctFindingCode {
    /// A required member is absent.
    Missing,
    /// The value is of another JSON type. `null` is a value, not an absence.
    WrongType,
    /// `profile` is another string than the URI of this kind of document.
    Profile,
    /// `version` is another number than 2.
    Version,
    /// The string is not an absolute `http` or `https` URI.
    Url,
    /// `language` is not a well-formed language tag.
    Language,
    /// `content_media_type` is not a media type.
    MediaType,
    /// `etag` is not `sha256-` and 64 lower-case hex digits.
    Etag,
    /// `lastModified` is not a timestamp.
    Timestamp,
    /// The member `sitemaps`, which belongs to an index, in a sitemap.
    Forbidden,
    /// The URL is of another origin than the sitemap.
    OtherOrigin,
    /// The URL is that of an earlier item.
    Duplicate,
}

impl TctFindingCode {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.words()[0]
    }

    /// The code, and what was expected.
    const fn words(self) -> [&'static str; 2] {
        match self {
            TctFindingCode::Missing => ["missing", "a member"],
            TctFindingCode::WrongType => ["type", "a string"],
            TctFindingCode::Profile => ["profile", "the profile URI of draft -03"],
            TctFindingCode::Version => ["version", "the version 2"],
            TctFindingCode::Url => ["url", "an absolute http or https URL"],
            TctFindingCode::Language => ["language", "a language tag"],
            TctFindingCode::MediaType => ["media-type", "a media type"],
            TctFindingCode::Etag => ["etag", "`sha256-` and 64 lower-case hex digits"],
            TctFindingCode::Timestamp => ["timestamp", "an RFC 3339 timestamp"],
            TctFindingCode::Forbidden => ["forbidden", "no member"],
            TctFindingCode::OtherOrigin => ["other-origin", "a URL of the sitemap's origin"],
            TctFindingCode::Duplicate => ["duplicate", "each URL once"],
        }
    }
}

impl TctFinding {
    #[cold]
    pub(super) fn new(kind: TctFindingCode, item: Option<usize>, member: &'static str, found: &str) -> Self {
        const MOST: usize = 40;
        let end = found.char_indices().nth(MOST).map_or(found.len(), |(at, _)| at);
        let mut excerpt: String = found.get(..end).unwrap_or_default().escape_debug().collect();
        if end < found.len() {
            excerpt.push('…');
        }
        let slash = if member.is_empty() { "" } else { "/" };
        let path = match item {
            Some(index) => format!("/items/{index}{slash}{member}"),
            None => format!("{slash}{member}"),
        };
        TctFinding { kind, item, member, path: path.into(), found: excerpt.into() }
    }

    /// What kind of fault it is.
    #[must_use]
    pub const fn kind(&self) -> TctFindingCode {
        self.kind
    }

    /// JSON Pointer to the faulty member; to the place of a missing one; `""` for the document.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Position of the item concerned, if any.
    #[must_use]
    pub const fn item(&self) -> Option<usize> {
        self.item
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match (self.kind, self.member) {
            (TctFindingCode::Profile, _) | (_, "profile") => "TCT3-PROF-1",
            (TctFindingCode::Version, _) | (_, "version") => "TCT3-SM-1",
            (TctFindingCode::Forbidden, _) => "TCT3-SM-3",
            (TctFindingCode::OtherOrigin, _) => "TCT3-SM-10",
            (TctFindingCode::Duplicate, _) => "TCT3-SM-8",
            (TctFindingCode::Url, "canonical_url") => "TCT3-DOC-4",
            (_, "cUrl" | "mUrl") => "TCT3-SM-4",
            (_, "language") => "TCT3-DOC-5",
            (_, "content_media_type") => "TCT3-DOC-6",
            (_, "etag") => "TCT3-SM-5",
            (_, "lastModified") => "TCT3-SM-6",
            (_, "items") => "TCT3-SM-2",
            (_, "") if self.item.is_some() => "TCT3-SM-4",
            (_, "") => "TCT3-DOC-1",
            _ => "TCT3-DOC-2",
        }
    }
}

impl Finding for TctFinding {
    /// Every fault breaks the specification.
    fn severity(&self) -> Severity {
        Severity::Error
    }

    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn place(&self) -> Place<'_> {
        Place::named(&self.path)
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(TctFinding::requirement(self))
    }

    fn message(&self) -> Cow<'_, str> {
        format!("expected {}, found {}", self.expected(), self.found()).into()
    }
}

impl TctFinding {
    fn expected(&self) -> &'static str {
        match (self.kind, self.member) {
            (TctFindingCode::WrongType, "") => "an object",
            (TctFindingCode::WrongType, "items") => "an array",
            (TctFindingCode::WrongType, "version") => "a number",
            (kind, _) => kind.words()[1],
        }
    }

    fn found(&self) -> Cow<'_, str> {
        match self.kind {
            TctFindingCode::Missing => "none".into(),
            TctFindingCode::WrongType | TctFindingCode::Forbidden => self.found.as_ref().into(),
            _ => format!("`{}`", self.found).into(),
        }
    }
}

impl fmt::Display for TctFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path.is_empty() { "the document's top" } else { &self.path };
        write!(f, "expected {} at {place}, found {}", self.expected(), self.found())
    }
}
