//! What a check has to say about a document.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// One thing that is wrong or odd about a document: where, what was expected, what was found.
///
/// Prints as `/headings/0/level: expected an integer from 1 to 6, found 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub(crate) code: FindingCode,
    pub(crate) path: Box<str>,
    pub(crate) expected: &'static str,
    pub(crate) found: Box<str>,
    pub(crate) requirement: &'static str,
}

/// How bad a [`Finding`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document is valid all the same.
    Warning,
    /// The document is not a valid AIDocument.
    Error,
}

/// What a [`Finding`] is about. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FindingCode {
    /// A required member is absent.
    Missing,
    /// A member has another JSON type than it must have; `null` in a required member too.
    WrongType,
    /// A number is no integer, or outside its range.
    OutOfRange,
    /// A text is no absolute `http` or `https` URL.
    BadUrl,
    /// A text is no RFC 3339 timestamp with an offset.
    BadTimestamp,
    /// A text is no well-formed BCP 47 language tag.
    BadLanguage,
    /// `crawl.user_agent` does not begin with `AIWebIndex/1.0`.
    BadUserAgent,
    /// `internal` says otherwise than the hosts of the link and of the page.
    WrongInternal,
    /// The page's own URL carries user information.
    Credentials,
    /// The document is the grouped envelope of the 2.0 draft.
    UnsupportedVersion,
    /// A URL elsewhere carries user information, which is not kept.
    CredentialsDropped,
    /// The page's own URL has a fragment, which is not kept.
    FragmentDropped,
    /// The title is blank.
    BlankTitle,
    /// `crawl.render_mode` is neither `static` nor `rendered`.
    UnknownRenderMode,
    /// A member has a name that 1.0 does not know; it is kept.
    UnknownMember,
}

impl FindingCode {
    /// The stable name in kebab case, such as `wrong-type`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            FindingCode::Missing => "missing",
            FindingCode::WrongType => "wrong-type",
            FindingCode::OutOfRange => "out-of-range",
            FindingCode::BadUrl => "bad-url",
            FindingCode::BadTimestamp => "bad-timestamp",
            FindingCode::BadLanguage => "bad-language",
            FindingCode::BadUserAgent => "bad-user-agent",
            FindingCode::WrongInternal => "wrong-internal",
            FindingCode::Credentials => "credentials",
            FindingCode::UnsupportedVersion => "unsupported-version",
            FindingCode::CredentialsDropped => "credentials-dropped",
            FindingCode::FragmentDropped => "fragment-dropped",
            FindingCode::BlankTitle => "blank-title",
            FindingCode::UnknownRenderMode => "unknown-render-mode",
            FindingCode::UnknownMember => "unknown-member",
        }
    }

    /// Whether a document with such a finding is still valid.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            FindingCode::CredentialsDropped
            | FindingCode::FragmentDropped
            | FindingCode::BlankTitle
            | FindingCode::UnknownRenderMode
            | FindingCode::UnknownMember => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Finding {
    pub(crate) fn new(
        code: FindingCode,
        path: impl Into<String>,
        expected: &'static str,
        found: impl Into<String>,
        requirement: &'static str,
    ) -> Self {
        Finding { code, path: path.into().into(), expected, found: found.into().into(), requirement }
    }

    /// What the finding is about.
    #[must_use]
    pub fn code(&self) -> FindingCode {
        self.code
    }

    /// Whether the document is still valid.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether the document is invalid because of this.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// JSON Pointer (RFC 6901) to the member; a missing member is named by its own pointer.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// ID of the requirement that speaks of this, such as `AIWI-DOC-9`.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.requirement
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "document" } else { &self.path };
        write!(f, "{path}: expected {}, found {}", self.expected, self.found)
    }
}
