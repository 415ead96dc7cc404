//! What to extract.

/// What [`extract`](crate::extract()) keeps and leaves out.
///
/// ```
/// use aidocument_extract::Options;
///
/// let options = Options { images: false, selector: Some("#content".into()), ..Options::default() };
/// assert!(options.tables);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each switch is independent of the others")]
pub struct Options {
    /// Write tables that hold data as tables; without, their cells are paragraphs. On by default.
    pub tables: bool,
    /// Write images into the Markdown, and list them. On by default.
    pub images: bool,
    /// Write links with their targets; without, their texts alone. On by default.
    pub links: bool,
    /// Keep readers' comments where they count as content. On by default.
    pub comments: bool,
    /// Keep the page's first `h1` at the head of the content. On by default; without, it stays only where the
    /// content model keeps it.
    pub title: bool,
    /// Write the targets of the Markdown's links and images as absolute addresses. On by default; without, they
    /// stay as the page has them.
    pub resolve: bool,
    /// Where the content is, if the caller knows: `main`, `#id`, `.class`, `[attribute=value]`, such parts joined,
    /// and alternatives parted by commas. What matches nothing is ignored, with a
    /// finding; so is a text that is not such a selector, which [`Extractor::keep`](crate::Extractor::keep) refuses.
    pub selector: Option<String>,
    /// Read the metadata alone: the Markdown is empty, and so is the word count. Off by default.
    pub metadata_only: bool,
    /// Take the whole page for its content. Off by default.
    pub whole_page: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tables: true,
            images: true,
            links: true,
            comments: true,
            title: true,
            resolve: true,
            selector: None,
            metadata_only: false,
            whole_page: false,
        }
    }
}
