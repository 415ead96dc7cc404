//! What was noticed on the way: nothing that stops an extraction.

use std::fmt;

/// Something about the page that its document does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Finding {
    kind: FindingKind,
    count: u32,
}

/// The kind of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// No og:title, `h1` or `<title>` with text: the title is empty.
    NoTitle,
    /// A JSON-LD block is no JSON, or nested too deeply; it was skipped.
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
    /// Tables of data are not part of the content; [`Finding::count`] tells how many cells they have.
    TablesLeftOut,
    /// A selector matches no text: the whole page was looked at, or nothing removed.
    SelectorWithoutMatch,
    /// Text that the page hides is left out; [`Finding::count`] tells how many words. Reported from
    /// [`Finding::HIDDEN_WORDS`] words on: nearly every page hides a label or two.
    HiddenText,
    /// The content has fewer words than asked for, and was left empty; [`Finding::count`] tells how many it has.
    TooShort,
    /// The content has more words than asked for; [`Finding::count`] tells how many were left out.
    CutShort,
}

impl Finding {
    /// Words that the page hides from which on there is a finding.
    pub const HIDDEN_WORDS: u32 = 50;

    pub(crate) fn new(kind: FindingKind) -> Self {
        Finding { kind, count: 0 }
    }

    pub(crate) fn with_count(self, count: u32) -> Self {
        Finding { count, ..self }
    }

    /// How much it is about, where that is counted: cells for [`FindingKind::TablesLeftOut`], words for
    /// [`FindingKind::HiddenText`], [`FindingKind::TooShort`] and [`FindingKind::CutShort`]. Else 0.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// What was noticed.
    #[must_use]
    pub fn kind(&self) -> FindingKind {
        self.kind
    }

    /// The rule behind it.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            FindingKind::NoTitle => "AIWI-AMB-12",
            FindingKind::BrokenJsonLd | FindingKind::UntypedJsonLd => "AIWI-AMB-21",
            FindingKind::MalformedBytes
            | FindingKind::NoContent
            | FindingKind::TablesLeftOut
            | FindingKind::SelectorWithoutMatch
            | FindingKind::HiddenText
            | FindingKind::TooShort
            | FindingKind::CutShort => "AIWI-DOC-6",
            FindingKind::ListsCut => "AIWI-DOC-10",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count;
        let text = match self.kind {
            FindingKind::NoTitle => "expected a title, found none: og:title, h1 and <title> are blank",
            FindingKind::BrokenJsonLd => "expected JSON in a JSON-LD block, found something else",
            FindingKind::UntypedJsonLd => "expected a JSON-LD node with a type of schema.org, found another",
            FindingKind::MalformedBytes => "expected text in the page's encoding, found malformed bytes",
            FindingKind::ListsCut => {
                "expected headings, links and images in proportion to the page, found more: the rest is left out"
            }
            FindingKind::NoContent => "expected content, found none in the page's text",
            FindingKind::SelectorWithoutMatch => "expected text that the selector matches, found none",
            FindingKind::TablesLeftOut => {
                return write!(
                    f,
                    "expected tables of data in the content, found {count} cells of them outside of it"
                );
            }
            FindingKind::HiddenText => {
                return write!(f, "expected text that readers see, found {count} words that the page hides");
            }
            FindingKind::TooShort => {
                return write!(f, "expected more words of content than found, which are {count}");
            }
            FindingKind::CutShort => {
                return write!(f, "expected fewer words of content, found {count} more: they are left out");
            }
        };
        f.write_str(text)
    }
}
