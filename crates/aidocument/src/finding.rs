//! Findings about a document.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use web_values::{Place, Severity};

/// A finding about a document: its place, what was expected, what was found.
///
/// Prints as `/headings/0/level: expected an integer from 1 to 6, found 7`. The byte, the line and the column in the text
/// that was read are in its [`Place`].
///
/// ```
/// use aidocument::{Document, Limits};
/// use web_values::Finding as _;
///
/// let json = b"{\n  \"url\": \"https://example.com/\",\n  \"title\": 1\n}";
/// let reading = Document::read(json, &Limits::default())?;
/// let title = reading.findings().iter().find(|finding| finding.path() == "/title").ok_or("no finding")?;
/// assert_eq!(title.place().to_string(), "/title (line 3, column 12)");
/// // The place of a missing member is the object that lacks it.
/// let markdown = reading.findings().iter().find(|finding| finding.path() == "/markdown").ok_or("no finding")?;
/// assert_eq!(markdown.place().to_string(), "/markdown (line 1, column 1)");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFinding {
    pub(crate) code: DocumentFindingCode,
    pub(crate) path: Box<str>,
    offset: usize,
    /// Line and column, both from 1; computed after the text has been read.
    at: (u32, u32),
    pub(crate) expected: &'static str,
    pub(crate) found: Found,
    pub(crate) requirement: &'static str,
}

/// What a [`DocumentFinding`] is about. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DocumentFindingCode {
    /// A required member is absent.
    Missing,
    /// A member has another JSON type than it must have; `null` in a required member too.
    WrongType,
    /// A number is not an integer, or outside its range.
    OutOfRange,
    /// A text is not an absolute `http` or `https` URL.
    BadUrl,
    /// A text is not an RFC 3339 timestamp with an offset.
    BadTimestamp,
    /// A text is not a well-formed BCP 47 language tag.
    BadLanguage,
    /// `crawl.user_agent` does not begin with `AIWebIndex/1.0`.
    BadUserAgent,
    /// `internal` contradicts the hosts of the link and of the page.
    WrongInternal,
    /// The page's own URL carries user information.
    Credentials,
    /// The document is of another version than the one that was asked for.
    UnsupportedVersion,
    /// A URL elsewhere carries user information, which is not kept.
    CredentialsDropped,
    /// The page's own URL has a fragment, which is not kept.
    FragmentDropped,
    /// The title is blank.
    BlankTitle,
    /// `render_mode` is not one that the version knows.
    UnknownRenderMode,
    /// A member has a name that the version does not know; it is kept.
    UnknownMember,
    /// `schema.name` is another text than `AIDocument`.
    BadName,
    /// `schema.version` is a text, but not major.minor.
    BadVersion,
    /// `schema.ref` is not `aidoc:` followed by visible ASCII.
    BadRef,
    /// `freshness_policy` or `cache.status` is a text that 2.0 does not know, in a document of 2.0.
    UnknownValue,
    /// `schema.ref` begins with `aidoc:sha256:` without 32 lower-case hex digits after it.
    OddRef,
    /// `schema.version` is 2.1 or later.
    NewerMinor,
    /// Like [`UnknownValue`](Self::UnknownValue), in a document of 2.1 or later; it is kept.
    NewerValue,
    /// The label of the cache, its two flags and the policy do not match any of the five calls; the flags take
    /// precedence.
    CacheContradiction,
    /// A flag of `signals` contradicts the document.
    WrongSignal,
    /// `economics.token_savings_percent` is a fraction instead of a percentage.
    FractionPercent,
    /// A member of `economics` contradicts the two counts.
    WrongEconomics,
}

impl DocumentFindingCode {
    /// The stable name in kebab case, such as `wrong-type`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DocumentFindingCode::Missing => "missing",
            DocumentFindingCode::WrongType => "wrong-type",
            DocumentFindingCode::OutOfRange => "out-of-range",
            DocumentFindingCode::BadUrl => "bad-url",
            DocumentFindingCode::BadTimestamp => "bad-timestamp",
            DocumentFindingCode::BadLanguage => "bad-language",
            DocumentFindingCode::BadUserAgent => "bad-user-agent",
            DocumentFindingCode::WrongInternal => "wrong-internal",
            DocumentFindingCode::Credentials => "credentials",
            DocumentFindingCode::UnsupportedVersion => "unsupported-version",
            DocumentFindingCode::CredentialsDropped => "credentials-dropped",
            DocumentFindingCode::FragmentDropped => "fragment-dropped",
            DocumentFindingCode::BlankTitle => "blank-title",
            DocumentFindingCode::UnknownRenderMode => "unknown-render-mode",
            DocumentFindingCode::UnknownMember => "unknown-member",
            DocumentFindingCode::BadName => "bad-name",
            DocumentFindingCode::BadVersion => "bad-version",
            DocumentFindingCode::BadRef => "bad-ref",
            DocumentFindingCode::UnknownValue => "unknown-value",
            DocumentFindingCode::OddRef => "odd-ref",
            DocumentFindingCode::NewerMinor => "newer-minor",
            DocumentFindingCode::NewerValue => "newer-value",
            DocumentFindingCode::CacheContradiction => "cache-contradiction",
            DocumentFindingCode::WrongSignal => "wrong-signal",
            DocumentFindingCode::FractionPercent => "fraction-percent",
            DocumentFindingCode::WrongEconomics => "wrong-economics",
        }
    }

    /// Whether a document with such a finding is still valid.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            DocumentFindingCode::CredentialsDropped
            | DocumentFindingCode::FragmentDropped
            | DocumentFindingCode::BlankTitle
            | DocumentFindingCode::UnknownRenderMode
            | DocumentFindingCode::UnknownMember
            | DocumentFindingCode::OddRef
            | DocumentFindingCode::NewerMinor
            | DocumentFindingCode::NewerValue
            | DocumentFindingCode::CacheContradiction
            | DocumentFindingCode::WrongSignal
            | DocumentFindingCode::FractionPercent
            | DocumentFindingCode::WrongEconomics => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for DocumentFindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl DocumentFinding {
    pub(crate) fn new(
        code: DocumentFindingCode,
        path: impl Into<Box<str>>,
        offset: usize,
        expected: &'static str,
        found: impl Into<Found>,
        requirement: &'static str,
    ) -> Self {
        let (path, found) = (path.into(), found.into());
        DocumentFinding { code, path, offset, at: (1, 1), expected, found, requirement }
    }

    /// What the finding is about.
    #[must_use]
    pub fn code(&self) -> DocumentFindingCode {
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

    /// ID of the requirement, such as `AIWI-DOC-9`.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.requirement
    }
}

impl web_values::Finding for DocumentFinding {
    fn severity(&self) -> Severity {
        self.code.severity()
    }

    fn code(&self) -> &'static str {
        self.code.as_str()
    }

    fn place(&self) -> Place<'_> {
        let (line, column) = self.at;
        Place::named(&self.path).at_byte(self.offset).at_line(line, column)
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(self.requirement)
    }

    fn message(&self) -> alloc::borrow::Cow<'_, str> {
        alloc::format!("expected {}, found {}", self.expected, self.found).into()
    }
}

impl fmt::Display for DocumentFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "document" } else { &self.path };
        write!(f, "{path}: expected {}, found {}", self.expected, self.found)
    }
}

/// What was found: a fixed phrase, or one that quotes the document.
pub(crate) type Found = alloc::borrow::Cow<'static, str>;

/// Findings up to a limit, separate for errors and warnings, and the number of further ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    kept: Vec<DocumentFinding>,
    max: usize,
    errors: usize,
    warnings: usize,
}

impl Findings {
    pub(crate) fn new(max: usize) -> Self {
        Findings { max, ..Findings::default() }
    }

    pub(crate) fn all(&self) -> &[DocumentFinding] {
        &self.kept
    }

    /// Whether one more of this severity is kept.
    pub(crate) fn keeps(&self, severity: Severity) -> bool {
        match severity {
            // The first error is always kept: it says why there is no document.
            Severity::Error => self.errors < self.max.max(1),
            _ => self.warnings < self.max,
        }
    }

    /// Adds a finding, or counts it where there are enough of its severity.
    pub(crate) fn add(&mut self, severity: Severity, finding: impl FnOnce() -> DocumentFinding) {
        if self.keeps(severity) {
            self.kept.push(finding());
        }
        match severity {
            Severity::Error => self.errors += 1,
            _ => self.warnings += 1,
        }
    }

    /// Finds out the lines and columns: one pass over the text as far as the last finding, none where there is none.
    pub(crate) fn locate(&mut self, text: &str) {
        let mut by_offset: Vec<&mut DocumentFinding> = self.kept.iter_mut().collect();
        by_offset.sort_by_key(|finding| finding.offset);
        let (mut line, mut column, mut done) = (1_u32, 1_u32, 0);
        for finding in by_offset {
            let between = text.get(done..finding.offset).unwrap_or_default();
            match between.rfind('\n') {
                None => column = column.saturating_add(count(between.chars())),
                Some(last) => {
                    line = line.saturating_add(count(between.bytes().filter(|&byte| byte == b'\n')));
                    column = count(between.get(last..).unwrap_or_default().chars());
                }
            }
            done = done.max(finding.offset);
            finding.at = (line, column);
        }
    }

    /// Errors, kept or not.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Findings that were not kept.
    pub(crate) fn omitted(&self) -> usize {
        self.errors + self.warnings - self.kept.len()
    }

    pub(crate) fn first_error(&self) -> Option<&DocumentFinding> {
        self.kept.iter().find(|finding| finding.is_error())
    }
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
