//! Why an RSL document is refused.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;

use tct_canonical_json::LineColumn;
use web_values::{Finding, Place, Severity};

/// Why a document is not a valid RSL document. It counts as no licence at all: the resource is unlicensed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RslError {
    kind: RslErrorKind,
    offset: usize,
    /// Line and column, both from 1.
    at: (u32, u32),
    found: String,
}

/// The kind of an [`RslError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RslErrorKind {
    /// The text is not well-formed XML, or it has a document type definition.
    NotXml,
    /// The XML breaks a rule of RSL.
    NotConformant,
    /// The text is longer or deeper than the limit.
    TooBig,
}

impl RslErrorKind {
    /// The name in kebab case: `not-xml`, `not-conformant` or `too-big`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            RslErrorKind::NotXml => "not-xml",
            RslErrorKind::NotConformant => "not-conformant",
            RslErrorKind::TooBig => "too-big",
        }
    }
}

impl fmt::Display for RslErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl RslError {
    #[cold]
    pub(super) fn new(kind: RslErrorKind, offset: usize, found: impl Into<String>) -> Self {
        RslError { kind, offset, at: (1, 1), found: found.into() }
    }

    /// The same error with its line and column in the text.
    #[cold]
    pub(super) fn in_text(mut self, xml: &str) -> Self {
        let LineColumn { line, column, .. } = LineColumn::of(xml.as_bytes(), self.offset);
        let number = |n| u32::try_from(n).unwrap_or(u32::MAX);
        self.at = (number(line), number(column));
        self
    }

    const fn expected(&self) -> &'static str {
        match self.kind {
            RslErrorKind::NotXml => "well-formed XML without a document type",
            RslErrorKind::NotConformant => "an RSL 1.0 document",
            RslErrorKind::TooBig => "a document within the limits",
        }
    }

    /// What kind of fault it is.
    #[must_use]
    pub fn kind(&self) -> RslErrorKind {
        self.kind
    }

    /// Where the faulty element begins: a byte offset into the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            RslErrorKind::NotXml | RslErrorKind::TooBig => "RSL-7",
            RslErrorKind::NotConformant => "RSL-6",
        }
    }
}

impl fmt::Display for RslError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}, found {}", self.expected(), self.offset, self.found)
    }
}

impl core::error::Error for RslError {}

/// An error: such a document gives no licence. The place has byte, line and column.
impl Finding for RslError {
    fn severity(&self) -> Severity {
        Severity::Error
    }

    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn place(&self) -> Place<'_> {
        let (line, column) = self.at;
        Place::byte(self.offset).at_line(line, column)
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(RslError::requirement(self))
    }

    fn message(&self) -> Cow<'_, str> {
        format!("expected {}, found {}", self.expected(), self.found).into()
    }
}
