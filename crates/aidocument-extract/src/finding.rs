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

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $code:literal $severity:ident $requirement:literal $message:literal,)*) => {
        /// The kind of a [`ExtractFinding`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ExtractFindingKind { $($(#[$doc])* $kind,)* }

        impl ExtractFindingKind {
            /// The stable code, in kebab case.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(ExtractFindingKind::$kind => $code,)* }
            }

            /// The severity, the requirement, and the message, in which `{}` stands for the count. Lost parts of the page are a
            /// warning; parts left out on purpose, and unusual but harmless features, are a notice.
            fn facts(self) -> (Severity, &'static str, &'static str) {
                match self { $(ExtractFindingKind::$kind => (Severity::$severity, $requirement, $message),)* }
            }
        }
    };
}

kinds! {
    /// No og:title, `h1` or `<title>` with text: the title is empty.
    NoTitle "no-title" Warning "AIWI-AMB-12" "expected a title, found none: og:title, h1 and <title> are blank",
    /// A JSON-LD block is not JSON, or nested too deeply; it was skipped.
    BrokenJsonLd "broken-json-ld" Notice "AIWI-AMB-21" "expected JSON in a JSON-LD block, found something else",
    /// A JSON-LD node has no type of schema.org; it was dropped.
    UntypedJsonLd "untyped-json-ld" Notice "AIWI-AMB-21"
        "expected a JSON-LD node with a type of schema.org, found another",
    /// Bytes that are malformed in the page's encoding became U+FFFD.
    MalformedBytes "malformed-bytes" Warning "AIWI-DOC-6"
        "expected text in the page's encoding, found malformed bytes",
    /// Headings, links and images past the allowance (twice the page plus half a megabyte, names of members included)
    /// were left out.
    ListsCut "lists-cut" Warning "AIWI-DOC-10"
        "expected headings, links and images in proportion to the page, found more: the rest is left out",
    /// The page has text, but none of it counts as content.
    NoContent "no-content" Warning "AIWI-DOC-6" "expected content, found text that does not count as content",
    /// Data tables are not part of the content; [`ExtractFinding::count`] is their number of cells.
    TablesLeftOut "tables-left-out" Notice "AIWI-DOC-6"
        "expected tables of data in the content, found {} cells of them outside of it",
    /// Most of the element that holds the page's text (`<main>`, a lone `<article>`, the one column) is not part of the content, of
    /// a thousand words or more; [`ExtractFinding::count`] tells how many words of it.
    MainLeftOut "main-left-out" Notice "AIWI-DOC-6"
        "expected the main element in the content, found {} words of it outside of it",
    /// A selector matches no text: the whole page was used, or nothing removed.
    SelectorWithoutMatch "selector-without-match" Warning "AIWI-DOC-6"
        "expected text that the selector matches, found none",
    /// A sentence of at least eight words is left out because readers do not see it; [`ExtractFinding::count`] is its
    /// number of words. The message has its first words, the reason, and its place.
    HiddenSentence "hidden-sentence" Notice "AIWI-DOC-6" "expected text that readers see, found a hidden sentence",
    /// A hidden text that is left out looks like an instruction to a model;
    /// [`ExtractFinding::count`] is its number of words.
    ///
    /// A text is reported if it has, in one of eleven languages, certain pairs of these kinds of words: dismissal
    /// ("ignore"), reference to earlier text ("instructions", "above"), address ("you must", "assistant"), order
    /// ("recommend", "send"), and manner ("never", "the user"). Other pairs also occur in labels. This is a hint for people
    /// who review pages, not a guarantee: an instruction in other words has no such finding.
    HiddenInstruction "hidden-instruction" Warning "AIWI-DOC-6"
        "expected text that readers see, found a hidden instruction",
    /// The page's style sheets exceed a limit: text that they hide may be in the content.
    StylesCut "styles-cut" Warning "AIWI-DOC-6"
        "expected style sheets in proportion to the page, found more: not all that they hide is known",
    /// Hidden text is left out; [`ExtractFinding::count`] is its number of words. Reported from
    /// [`ExtractFinding::HIDDEN_WORDS`] words on, since nearly every page hides a label or two.
    HiddenText "hidden-text" Notice "AIWI-DOC-6" "expected text that readers see, found {} words that the page hides",
    /// The content has fewer words than required, and was left empty; [`ExtractFinding::count`] is its number of words.
    TooShort "too-short" Notice "AIWI-DOC-6" "expected more words of content than found, which are {}",
    /// The content has more words than allowed; [`ExtractFinding::count`] is the number left out.
    CutShort "cut-short" Notice "AIWI-DOC-6" "expected fewer words of content, found {} more: they are left out",
    /// The page is filled by a script: it has an empty element for that, or says that it needs JavaScript, and has nearly no
    /// text, only a menu or a notice. [`ExtractFinding::count`] is the number of words it shows.
    NeedsScript "needs-script" Warning "AIWI-DOC-6"
        "expected a page with text, found a frame that a script fills, which shows {} words",
    /// The page shows no content; the content was read from the data that the page carries for its script.
    /// [`ExtractFinding::count`] is its number of words.
    ReadFromData "read-from-data" Notice "AIWI-DOC-6"
        "expected content in the page's markup, found {} words in the data for its script: they are the content",
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
        self.kind.facts().1
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
        f.write_str(&self.kind.facts().2.replace("{}", &count.to_string()))
    }
}

impl Finding for ExtractFinding {
    fn severity(&self) -> Severity {
        self.kind.facts().0
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
