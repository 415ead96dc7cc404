//! Findings of an extraction; none of them stops it.

use std::borrow::Cow;
use std::fmt;

use web_values::{Finding, Place, Severity};

use crate::tree::seen::HiddenReason;

/// Letters of a hidden text that a finding quotes.
const FIRST_LETTERS: usize = 80;

/// A finding about a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct ExtractFinding {
    kind: ExtractFindingKind,
    count: u32,
    hidden: Option<Box<Hidden>>,
}

/// The hidden text of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Hidden {
    reason: HiddenReason,
    place: String,
    start: String,
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
    /// Headings, links and images past the allowance (twice the page plus half a megabyte, names of members included)
    /// were left out.
    ListsCut,
    /// The page has text, but none of it counts as content.
    NoContent,
    /// Data tables are not part of the content; [`ExtractFinding::count`] is their number of cells.
    TablesLeftOut,
    /// Most of the element that holds the page's text (`<main>`, a lone `<article>`, the one column) is not part of the content, of
    /// a thousand words or more; [`ExtractFinding::count`] tells how many words of it.
    MainLeftOut,
    /// A selector matches no text: the whole page was used, or nothing removed.
    SelectorWithoutMatch,
    /// A sentence of at least eight words is left out because readers do not see it; [`ExtractFinding::count`] is its
    /// number of words. The message has its first words, the reason, and its place.
    HiddenSentence,
    /// A hidden text that is left out looks like an instruction to a model;
    /// [`ExtractFinding::count`] is its number of words.
    ///
    /// A text is reported if it has, in one of eleven languages, certain pairs of these kinds of words: dismissal
    /// ("ignore"), reference to earlier text ("instructions", "above"), address ("you must", "assistant"), order
    /// ("recommend", "send"), and manner ("never", "the user"). Other pairs also occur in labels. This is a hint for people
    /// who review pages, not a guarantee: an instruction in other words has no such finding.
    HiddenInstruction,
    /// The page's style sheets exceed a limit: text that they hide may be in the content.
    StylesCut,
    /// Hidden text is left out; [`ExtractFinding::count`] is its number of words. Reported from
    /// [`ExtractFinding::HIDDEN_WORDS`] words on, since nearly every page hides a label or two.
    HiddenText,
    /// The content has fewer words than required, and was left empty; [`ExtractFinding::count`] is its number of words.
    TooShort,
    /// The content has more words than allowed; [`ExtractFinding::count`] is the number left out.
    CutShort,
    /// The page is filled by a script: it has an empty element for that, or says that it needs JavaScript, and has nearly no
    /// text, only a menu or a notice. [`ExtractFinding::count`] is the number of words it shows.
    NeedsScript,
    /// The page shows no content; the content was read from the data that the page carries for its script.
    /// [`ExtractFinding::count`] is its number of words.
    ReadFromData,
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
            ExtractFindingKind::MainLeftOut => "main-left-out",
            ExtractFindingKind::SelectorWithoutMatch => "selector-without-match",
            ExtractFindingKind::HiddenText => "hidden-text",
            ExtractFindingKind::HiddenSentence => "hidden-sentence",
            ExtractFindingKind::HiddenInstruction => "hidden-instruction",
            ExtractFindingKind::StylesCut => "styles-cut",
            ExtractFindingKind::TooShort => "too-short",
            ExtractFindingKind::CutShort => "cut-short",
            ExtractFindingKind::NeedsScript => "needs-script",
            ExtractFindingKind::ReadFromData => "read-from-data",
        }
    }
}

impl ExtractFinding {
    /// From this many hidden words on, there is a finding for all of them.
    pub const HIDDEN_WORDS: u32 = 50;

    pub(crate) fn new(kind: ExtractFindingKind) -> Self {
        ExtractFinding { kind, count: 0, hidden: None }
    }

    pub(crate) fn with_count(self, count: u32) -> Self {
        ExtractFinding { count, ..self }
    }

    /// The hidden text of the finding: its reason, place and text.
    pub(crate) fn about(self, reason: HiddenReason, place: &str, said: &str) -> Self {
        let mut start: String = said.chars().take(FIRST_LETTERS).collect();
        if start.len() < said.len() {
            // Whole words, where there are any.
            start.truncate(start.rfind(' ').unwrap_or(start.len()));
            start.push('…');
        }
        let hidden = Hidden { reason, place: place.to_owned(), start };
        ExtractFinding { hidden: Some(Box::new(hidden)), ..self }
    }

    /// Why the text that it is about is not seen.
    #[must_use]
    pub fn reason(&self) -> Option<HiddenReason> {
        self.hidden.as_ref().map(|hidden| hidden.reason)
    }

    /// The count, for kinds that have one: cells for [`ExtractFindingKind::TablesLeftOut`], words for
    /// [`ExtractFindingKind::MainLeftOut`], [`ExtractFindingKind::HiddenText`], [`ExtractFindingKind::TooShort`],
    /// [`ExtractFindingKind::CutShort`], [`ExtractFindingKind::NeedsScript`] and [`ExtractFindingKind::ReadFromData`]. Else 0.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ExtractFindingKind {
        self.kind
    }

    /// The requirement.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            ExtractFindingKind::NoTitle => "AIWI-AMB-12",
            ExtractFindingKind::BrokenJsonLd | ExtractFindingKind::UntypedJsonLd => "AIWI-AMB-21",
            ExtractFindingKind::MalformedBytes
            | ExtractFindingKind::NoContent
            | ExtractFindingKind::TablesLeftOut
            | ExtractFindingKind::MainLeftOut
            | ExtractFindingKind::SelectorWithoutMatch
            | ExtractFindingKind::HiddenText
            | ExtractFindingKind::HiddenSentence
            | ExtractFindingKind::HiddenInstruction
            | ExtractFindingKind::StylesCut
            | ExtractFindingKind::TooShort
            | ExtractFindingKind::CutShort
            | ExtractFindingKind::NeedsScript
            | ExtractFindingKind::ReadFromData => "AIWI-DOC-6",
            ExtractFindingKind::ListsCut => "AIWI-DOC-10",
        }
    }
}

impl fmt::Display for ExtractFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count;
        if let Some(hidden) = &self.hidden {
            let what = match self.kind {
                ExtractFindingKind::HiddenInstruction => "an instruction",
                _ => "a sentence",
            };
            let Hidden { reason, start, .. } = &**hidden;
            return write!(
                f,
                "expected text that readers see, found {what} of {count} words that is hidden ({reason}): {start:?}"
            );
        }
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
            ExtractFindingKind::NoContent => "expected content, found text that does not count as content",
            ExtractFindingKind::SelectorWithoutMatch => "expected text that the selector matches, found none",
            ExtractFindingKind::TablesLeftOut => {
                return write!(
                    f,
                    "expected tables of data in the content, found {count} cells of them outside of it"
                );
            }
            ExtractFindingKind::MainLeftOut => {
                return write!(
                    f,
                    "expected the main element in the content, found {count} words of it outside of it"
                );
            }
            ExtractFindingKind::HiddenSentence => "expected text that readers see, found a hidden sentence",
            ExtractFindingKind::HiddenInstruction => {
                "expected text that readers see, found a hidden instruction"
            }
            ExtractFindingKind::StylesCut => {
                "expected style sheets in proportion to the page, found more: not all that they hide is known"
            }
            ExtractFindingKind::HiddenText => {
                return write!(f, "expected text that readers see, found {count} words that the page hides");
            }
            ExtractFindingKind::TooShort => {
                return write!(f, "expected more words of content than found, which are {count}");
            }
            ExtractFindingKind::NeedsScript => {
                return write!(
                    f,
                    "expected a page with text, found a frame that a script fills, which shows {count} words"
                );
            }
            ExtractFindingKind::ReadFromData => {
                return write!(
                    f,
                    "expected content in the page's markup, found {count} words in the data for its script: they are the content"
                );
            }
            ExtractFindingKind::CutShort => {
                return write!(f, "expected fewer words of content, found {count} more: they are left out");
            }
        };
        f.write_str(text)
    }
}

impl Finding for ExtractFinding {
    /// Lost parts of the page are a warning; parts left out on purpose, and unusual but harmless features, are a
    /// notice.
    fn severity(&self) -> Severity {
        match self.kind {
            ExtractFindingKind::NoTitle
            | ExtractFindingKind::MalformedBytes
            | ExtractFindingKind::ListsCut
            | ExtractFindingKind::HiddenInstruction
            | ExtractFindingKind::StylesCut
            | ExtractFindingKind::NoContent
            | ExtractFindingKind::NeedsScript
            | ExtractFindingKind::SelectorWithoutMatch => Severity::Warning,
            _ => Severity::Notice,
        }
    }

    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn place(&self) -> Place<'_> {
        if let Some(hidden) = &self.hidden {
            return Place::named(&hidden.place);
        }
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
