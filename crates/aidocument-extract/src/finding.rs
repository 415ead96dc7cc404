//! What was noticed on the way: nothing that stops an extraction.

use std::borrow::Cow;
use std::fmt;

use web_values::{Finding, Place, Severity};

/// Something about the page that its document does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct ExtractFinding {
    kind: ExtractFindingKind,
    count: u32,
}

/// The kind of a [`ExtractFinding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExtractFindingKind {
    /// No og:title, `h1` or `<title>` with text: the title is empty.
    NoTitle,
    /// A JSON-LD block is not JSON, or nested too deeply; it was skipped.
    BrokenJsonLd,
    /// A JSON-LD node has no type of schema.org; it was dropped.
    UntypedJsonLd,
    /// Bytes that are malformed in the page's encoding became U+FFFD.
    MalformedBytes,
    /// Headings, links and images past the allowance (twice the page plus half a megabyte of addresses and texts)
    /// were left out.
    ListsCut,
    /// The page has text, none of which counts as content.
    NoContent,
    /// Tables of data are not part of the content; [`ExtractFinding::count`] tells how many cells they have.
    TablesLeftOut,
    /// A selector matches no text: the whole page was looked at, or nothing removed.
    SelectorWithoutMatch,
    /// Text that the page hides is left out; [`ExtractFinding::count`] tells how many words. Reported from
    /// [`ExtractFinding::HIDDEN_WORDS`] words on: nearly every page hides a label or two.
    HiddenText,
    /// The content has fewer words than asked for, and was left empty; [`ExtractFinding::count`] tells how many it has.
    TooShort,
    /// The content has more words than asked for; [`ExtractFinding::count`] tells how many were left out.
    CutShort,
}

impl ExtractFindingKind {
    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            ExtractFindingKind::NoTitle => "no-title",
            ExtractFindingKind::BrokenJsonLd => "broken-json-ld",
            ExtractFindingKind::UntypedJsonLd => "untyped-json-ld",
            ExtractFindingKind::MalformedBytes => "malformed-bytes",
            ExtractFindingKind::ListsCut => "lists-cut",
            ExtractFindingKind::NoContent => "no-content",
            ExtractFindingKind::TablesLeftOut => "tables-left-out",
            ExtractFindingKind::SelectorWithoutMatch => "selector-without-match",
            ExtractFindingKind::HiddenText => "hidden-text",
            ExtractFindingKind::TooShort => "too-short",
            ExtractFindingKind::CutShort => "cut-short",
        }
    }
}

impl ExtractFinding {
    /// Words that the page hides from which on there is a finding.
    pub const HIDDEN_WORDS: u32 = 50;

    pub(crate) fn new(kind: ExtractFindingKind) -> Self {
        ExtractFinding { kind, count: 0 }
    }

    pub(crate) fn with_count(self, count: u32) -> Self {
        ExtractFinding { count, ..self }
    }

    /// How much it is about, where that is counted: cells for [`ExtractFindingKind::TablesLeftOut`], words for
    /// [`ExtractFindingKind::HiddenText`], [`ExtractFindingKind::TooShort`] and [`ExtractFindingKind::CutShort`]. Else 0.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// What was noticed.
    #[must_use]
    pub fn kind(&self) -> ExtractFindingKind {
        self.kind
    }

    /// The rule behind it.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            ExtractFindingKind::NoTitle => "AIWI-AMB-12",
            ExtractFindingKind::BrokenJsonLd | ExtractFindingKind::UntypedJsonLd => "AIWI-AMB-21",
            ExtractFindingKind::MalformedBytes
            | ExtractFindingKind::NoContent
            | ExtractFindingKind::TablesLeftOut
            | ExtractFindingKind::SelectorWithoutMatch
            | ExtractFindingKind::HiddenText
            | ExtractFindingKind::TooShort
            | ExtractFindingKind::CutShort => "AIWI-DOC-6",
            ExtractFindingKind::ListsCut => "AIWI-DOC-10",
        }
    }
}

impl fmt::Display for ExtractFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count;
        let text = match self.kind {
            ExtractFindingKind::NoTitle => "expected a title, found none: og:title, h1 and <title> are blank",
            ExtractFindingKind::BrokenJsonLd => "expected JSON in a JSON-LD block, found something else",
            ExtractFindingKind::UntypedJsonLd => {
                "expected a JSON-LD node with a type of schema.org, found another"
            }
            ExtractFindingKind::MalformedBytes => {
                "expected text in the page's encoding, found malformed bytes"
            }
            ExtractFindingKind::ListsCut => {
                "expected headings, links and images in proportion to the page, found more: the rest is left out"
            }
            ExtractFindingKind::NoContent => "expected content, found none in the page's text",
            ExtractFindingKind::SelectorWithoutMatch => "expected text that the selector matches, found none",
            ExtractFindingKind::TablesLeftOut => {
                return write!(
                    f,
                    "expected tables of data in the content, found {count} cells of them outside of it"
                );
            }
            ExtractFindingKind::HiddenText => {
                return write!(f, "expected text that readers see, found {count} words that the page hides");
            }
            ExtractFindingKind::TooShort => {
                return write!(f, "expected more words of content than found, which are {count}");
            }
            ExtractFindingKind::CutShort => {
                return write!(f, "expected fewer words of content, found {count} more: they are left out");
            }
        };
        f.write_str(text)
    }
}

impl Finding for ExtractFinding {
    /// What of the page is lost is a warning; what is left out on purpose or only departs from the usual is a notice.
    fn severity(&self) -> Severity {
        match self.kind {
            ExtractFindingKind::NoTitle
            | ExtractFindingKind::MalformedBytes
            | ExtractFindingKind::ListsCut
            | ExtractFindingKind::NoContent
            | ExtractFindingKind::SelectorWithoutMatch => Severity::Warning,
            _ => Severity::Notice,
        }
    }

    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn place(&self) -> Place<'_> {
        Place::named(match self.kind {
            ExtractFindingKind::NoTitle => "/title",
            ExtractFindingKind::BrokenJsonLd | ExtractFindingKind::UntypedJsonLd => "/structured_data",
            _ => "",
        })
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(ExtractFinding::requirement(self))
    }

    fn message(&self) -> Cow<'_, str> {
        self.to_string().into()
    }
}
