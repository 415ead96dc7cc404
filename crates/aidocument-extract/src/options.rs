//! Options of extraction.

use crate::visibility::VisibilityLimits;

/// The options of [`extract`](crate::extract()).
///
/// ```
/// use aidocument_extract::Options;
///
/// let mut options = Options::default();
/// options.images = false;
/// assert!(options.tables);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each switch is independent of the others")]
pub struct Options {
    /// Write tables that hold data as tables; without, their cells are paragraphs. On by default.
    pub tables: bool,
    /// Write the value of a cell with `rowspan` or `colspan` into each cell that it spans; Markdown has no such cells. Off by
    /// default: its first cell has the value, and the others are empty. Repetition stops where the output would exceed the
    /// page.
    pub repeat_spans: bool,
    /// Write images into the Markdown, and list them. On by default.
    pub images: bool,
    /// Write links with their targets; without, their texts alone. On by default.
    pub links: bool,
    /// Keep readers' comments where they count as content. On by default.
    pub comments: bool,
    /// Keep the heading that is the page's title, and the standfirst under it, at the head of the content. On by default; without,
    /// they stay only where the content model keeps them.
    pub title: bool,
    /// Keep labelled text that a reader has to open: tabs, accordions, `hidden=until-found`. On by
    /// default.
    pub collapsed: bool,
    /// Keep text that readers do not see, between `[hidden: REASON]` and `[/hidden]`, to inspect pages.
    /// Off by default: a model would read text that human readers never see.
    pub hidden: bool,
    /// Write the targets of the Markdown's links and images as absolute addresses. On by default; without, they
    /// stay as the page has them.
    pub resolve: bool,
    /// What to prefer in doubt. [`Focus::Balanced`] by default.
    pub focus: Focus,
    /// The place of the content, if known: a list of CSS selectors, without states such as `:hover`. A
    /// selector that matches nothing is ignored, with a finding; so is an invalid one, which
    /// [`Extractor::keep`](crate::Extractor::keep) refuses.
    pub selector: Option<String>,
    /// Elements that are not content: a list of CSS selectors, as in [`Options::selector`].
    pub remove: Option<String>,
    /// Fewest words of content: with fewer, the content is left empty, with a finding. 0 by default.
    pub min_words: u32,
    /// Words after which the content ends, at the end of a block; a finding counts the words left out. `None` by
    /// default.
    pub max_words: Option<u32>,
    /// Read the metadata alone: the Markdown is empty, and so is the word count. Off by default.
    pub metadata_only: bool,
    /// Treat the whole page as content. Off by default.
    pub whole_page: bool,
    /// How much work is done to find what readers do not see.
    pub visibility_limits: VisibilityLimits,
    /// The rules that are on.
    #[cfg(feature = "training")]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) rules: crate::rules::Rules,
}

/// The preference for blocks that may or may not be content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Focus {
    /// As little as possible that is not content, even if some content is lost: the best F0.5.
    Precision,
    /// Balanced: the best F1.
    #[default]
    Balanced,
    /// As much of the content as possible, even with some text that is not content: the best F2.
    Recall,
}

impl Focus {
    /// The square of beta in F-beta, which says how much more recall counts than precision.
    pub(crate) fn beta_squared(self) -> f64 {
        match self {
            Focus::Precision => 0.25,
            Focus::Balanced => 1.0,
            Focus::Recall => 4.0,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tables: true,
            repeat_spans: false,
            images: true,
            links: true,
            comments: true,
            title: true,
            collapsed: true,
            hidden: false,
            resolve: true,
            focus: Focus::Balanced,
            selector: None,
            remove: None,
            min_words: 0,
            max_words: None,
            metadata_only: false,
            whole_page: false,
            visibility_limits: VisibilityLimits::default(),
            #[cfg(feature = "training")]
            rules: crate::rules::Rules::default(),
        }
    }
}
