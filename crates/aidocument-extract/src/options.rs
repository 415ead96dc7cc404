//! What to extract.

use crate::visibility::VisibilityLimits;

/// What [`extract`](crate::extract()) keeps and leaves out.
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
    /// default: its first cell has the value, and the others are empty. What would be more than the page is not repeated.
    pub repeat_spans: bool,
    /// Write images into the Markdown, and list them. On by default.
    pub images: bool,
    /// Write links with their targets; without, their texts alone. On by default.
    pub links: bool,
    /// Keep readers' comments where they count as content. On by default.
    pub comments: bool,
    /// Keep the heading that is the page's title at the head of the content. On by default; without, it stays only
    /// where the content model keeps it.
    pub title: bool,
    /// Read text that is hidden until a reader opens it, where it is labelled: tabs, accordions,
    /// `hidden=until-found`. On by default.
    pub collapsed: bool,
    /// Keep what readers do not see, each text between `[hidden: REASON]` and `[/hidden]`, to look through
    /// pages. Off by default: a model that reads such a document reads what its readers never saw.
    pub hidden: bool,
    /// Write the targets of the Markdown's links and images as absolute addresses. On by default; without, they
    /// stay as the page has them.
    pub resolve: bool,
    /// What to prefer in doubt. [`Focus::Balanced`] by default.
    pub focus: Focus,
    /// Where the content is, if the caller knows: a list of CSS selectors, without `:has` and states such as `:hover`.
    /// What matches nothing is ignored, with a finding; so is a text that is not such a selector, which
    /// [`Extractor::keep`](crate::Extractor::keep) refuses.
    #[cfg(feature = "selectors")]
    pub selector: Option<String>,
    /// What is not content: a list of CSS selectors, as in [`Options::selector`].
    #[cfg(feature = "selectors")]
    pub remove: Option<String>,
    /// Words below which what was found is not taken for content: it is left empty, with a finding. 0 by default.
    pub min_words: u32,
    /// Words after which the content ends, with the block that they are in; a finding tells how many are left out.
    /// `None` by default.
    pub max_words: Option<u32>,
    /// Read the metadata alone: the Markdown is empty, and so is the word count. Off by default.
    pub metadata_only: bool,
    /// Take the whole page for its content. Off by default.
    pub whole_page: bool,
    /// How much work is done to find what readers do not see.
    pub visibility_limits: VisibilityLimits,
    /// The rules that are on.
    #[cfg(feature = "training")]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) rules: crate::rules::Rules,
}

/// What to prefer where it is doubtful whether a block is content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Focus {
    /// Nothing that is not content, at the price of content that is missing: the best F0.5.
    Precision,
    /// Both alike: the best F1.
    #[default]
    Balanced,
    /// All of the content, at the price of some text that is not content: the best F2.
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
            #[cfg(feature = "selectors")]
            selector: None,
            #[cfg(feature = "selectors")]
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
