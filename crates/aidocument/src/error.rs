//! Errors: a text that cannot be read, a value that a checked type refuses.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use tct_canonical_json::{JsonError, JsonErrorKind};

use crate::finding::{DocumentFinding, Findings};

/// Why a text gives no document.
///
/// ```
/// use aidocument::{Document, DocumentErrorKind};
///
/// let error = Document::parse(br#"{"title": "a", "title": "b"}"#).unwrap_err();
/// assert_eq!(error.kind(), DocumentErrorKind::DuplicateMember);
/// assert_eq!(error.to_string(), "expected each member name once at byte 15, found `title` again");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: DocumentErrorKind,
    offset: Option<usize>,
    detail: String,
    findings: Findings,
}

/// The kinds of [`DocumentError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// The text is not JSON: malformed, cut short, invalid UTF-8, a byte order mark, or more than one value.
    Malformed,
    /// A member name appears twice in one object, perhaps spelled with escapes.
    DuplicateMember,
    /// The text is longer than [`Limits::max_bytes`](crate::Limits::max_bytes).
    TooLong,
    /// The text nests deeper than [`Limits::max_depth`](crate::Limits::max_depth).
    TooDeep,
    /// The document is of another version than this reader's: the grouped envelope of 2.0 where a 1.0 document is
    /// expected, a flat document where one of 2.x is expected, or another major version.
    /// Spec: AIWI-AMB-41, AIWI2-AMB-4, AIWI2-AMB-41.
    UnsupportedVersion,
    /// The text is JSON but breaks rules of the document; [`DocumentError::findings`] has all of them.
    Invalid,
}

impl DocumentError {
    #[cold]
    pub(crate) fn new(kind: DocumentErrorKind, offset: Option<usize>, detail: String) -> Self {
        DocumentError(Box::new(Inner { kind, offset, detail, findings: Findings::default() }))
    }

    #[cold]
    pub(crate) fn malformed(offset: usize, detail: String) -> Self {
        DocumentError::new(DocumentErrorKind::Malformed, Some(offset), detail)
    }

    #[cold]
    pub(crate) fn invalid(findings: Findings) -> Self {
        let kind = DocumentErrorKind::Invalid;
        DocumentError(Box::new(Inner { kind, offset: None, detail: String::new(), findings }))
    }

    /// What went wrong, for programs.
    #[must_use]
    pub fn kind(&self) -> DocumentErrorKind {
        self.0.kind
    }

    /// Where in the text, in bytes from its start, where that is known.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The findings, as in [`Reading::findings`](crate::Reading::findings); only for [`DocumentErrorKind::Invalid`].
    #[must_use]
    pub fn findings(&self) -> &[DocumentFinding] {
        self.0.findings.all()
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.findings.first_error() {
            Some(first) => {
                write!(f, "{first}")?;
                match self.0.findings.errors().saturating_sub(1) {
                    0 => Ok(()),
                    more => write!(f, " (and {more} more)"),
                }
            }
            None => f.write_str(&self.0.detail),
        }
    }
}

impl core::error::Error for DocumentError {}

impl From<JsonError> for DocumentError {
    /// Keeps the JSON reader's message and place, under this crate's kind.
    fn from(error: JsonError) -> Self {
        let kind = match error.kind() {
            JsonErrorKind::DuplicateMember => DocumentErrorKind::DuplicateMember,
            JsonErrorKind::TooLarge => DocumentErrorKind::TooLong,
            JsonErrorKind::TooDeep => DocumentErrorKind::TooDeep,
            _ => DocumentErrorKind::Malformed,
        };
        DocumentError::new(kind, error.offset(), alloc::format!("{error}"))
    }
}

/// Why a checked type refuses a value.
///
/// Prints as `expected …, found …`, quoting at most 40 characters of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    expected: &'static str,
    found: Box<str>,
    requirement: &'static str,
}

impl ValueError {
    #[cold]
    pub(crate) fn new(expected: &'static str, found: impl fmt::Display, requirement: &'static str) -> Self {
        ValueError { expected, found: alloc::format!("{found}").into(), requirement }
    }

    /// What the value should have been, as a noun phrase.
    #[must_use]
    pub fn expected(&self) -> &'static str {
        self.expected
    }

    pub(crate) fn found(&self) -> &str {
        &self.found
    }

    /// The ID of the broken requirement, such as `AIWI-DOC-9`.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.requirement
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl core::error::Error for ValueError {}

/// A text in quotes and escapes, cut after 40 characters.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        match self.0.char_indices().nth(LONGEST) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}…", self.0.get(..end).unwrap_or_default()),
        }
    }
}
