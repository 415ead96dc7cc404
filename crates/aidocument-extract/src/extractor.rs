//! The one-line call: HTML in, content out.

use std::fmt;

use aidocument::WebUrl;

use crate::options::{Focus, Options};
use crate::pipeline::{self, Content};
use crate::selector::Asked;
use crate::source::Source;
use crate::visibility::VisibilityLimits;

/// Extracts the content of pages, with these settings.
///
/// ```
/// use aidocument_extract::Extractor;
///
/// let content = Extractor::new().extract("<title>Tea</title><nav>Home</nav><main><p>Green, <b>black</b>.</main>");
/// assert_eq!(content.title, "Tea");
/// assert_eq!(content.markdown, "Green, **black**.");
/// assert_eq!(content.text, "Green, black.");
/// assert_eq!(content.html, "<main><p>Green, <b>black</b>.</p></main>");
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-6.
#[derive(Debug, Clone, Default)]
pub struct Extractor {
    options: Options,
    base: Option<WebUrl>,
    content_type: Option<String>,
    comments_apart: bool,
}

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident $value:ident $kind:ty: $given:expr;)*) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $value: $kind) -> Self {
            self.options.$name = $given;
            self
        })*
    };
}

impl Extractor {
    /// An extractor that keeps tables, images, links and comments, without a base URL.
    #[must_use]
    pub fn new() -> Self {
        Extractor::default()
    }

    /// Sets the page's address after redirects: relative targets become absolute, and the content model uses it,
    /// too.
    ///
    /// Without one, the Markdown's targets stay as the page has them, and only absolute addresses are listed.
    #[must_use]
    pub fn base_url(mut self, url: WebUrl) -> Self {
        self.base = Some(url);
        self
    }

    /// The value of the response's `Content-Type` field: its `charset` wins over what the page's bytes declare.
    #[must_use]
    pub fn content_type(mut self, value: impl Into<String>) -> Self {
        self.content_type = Some(value.into());
        self
    }

    /// Keeps only the elements that a list of CSS selectors matches, such as `main > .post:not(.draft)`.
    ///
    /// If nothing matches, the whole page is used, with a
    /// [`ExtractFindingKind::SelectorWithoutMatch`](crate::ExtractFindingKind::SelectorWithoutMatch). So it is where
    /// selectors over siblings or `:has()` would take far more steps than the page has nodes: `h2 ~ p` in 6,000 paragraphs does.
    ///
    /// ```
    /// use aidocument_extract::Extractor;
    ///
    /// let extractor = Extractor::new().keep("article > .body")?.remove("aside, .promo")?;
    /// let html = "<article><div class=body><p>Green.<p class=promo>Buy!</div>By Ann</article>";
    /// assert_eq!(extractor.extract(html).markdown, "Green.");
    /// assert!(Extractor::new().keep("p:hover").is_err());
    /// # Ok::<(), aidocument_extract::SelectorError>(())
    /// ```
    ///
    /// # Errors
    /// A text that is not a list of CSS selectors, or has pseudo-elements or states such as `:hover`.
    pub fn keep(mut self, selector: &str) -> Result<Self, SelectorError> {
        self.options.selector = Some(checked(selector)?);
        Ok(self)
    }

    /// Leaves out the elements that a list of CSS selectors matches. Where nothing matches, there is a
    /// [`ExtractFindingKind::SelectorWithoutMatch`](crate::ExtractFindingKind::SelectorWithoutMatch).
    ///
    /// # Errors
    /// As for [`Extractor::keep`].
    pub fn remove(mut self, selector: &str) -> Result<Self, SelectorError> {
        self.options.remove = Some(checked(selector)?);
        Ok(self)
    }

    /// Moves readers' comments from the content to [`Content::comments`], each with author and time.
    #[must_use]
    pub fn comments_apart(mut self) -> Self {
        self.options.comments = false;
        self.comments_apart = true;
        self
    }

    setters! {
        /// What to prefer in doubt. [`Focus::Balanced`] by default.
        focus focus Focus: focus;
        /// Whether readers' comments are kept where they count as content. On by default.
        comments keep bool: keep;
        /// Whether labelled text that a reader has to open (tabs, accordions) is kept. On by default.
        collapsed read bool: read;
        /// Whether text that readers do not see is kept, with marks; see [`Options::hidden`]. Off by
        /// default.
        hidden keep bool: keep;
        /// Limits on the work to find hidden text; a page that needs more gets a
        /// [`ExtractFindingKind::StylesCut`](crate::ExtractFindingKind::StylesCut).
        visibility_limits limits VisibilityLimits: limits;
        /// Sets the fewest words of content: with fewer, the content is left empty, with a
        /// [`ExtractFindingKind::TooShort`](crate::ExtractFindingKind::TooShort).
        min_words words u32: words;
        /// Sets the number of words after which the content ends, at the end of a block; a
        /// [`ExtractFindingKind::CutShort`](crate::ExtractFindingKind::CutShort) counts the words left out.
        max_words words u32: Some(words);
        /// Whether tables that hold data are written as tables. On by default.
        tables keep bool: keep;
        /// Whether the value of a cell with `rowspan` or `colspan` is written into each cell that it spans, so that each row can
        /// be read alone. Off by default: the first cell has the value, and the others are empty.
        ///
        /// ```
        /// use aidocument_extract::Extractor;
        ///
        /// let html = "<table><tr><th>Tea<th>Water<tr><td rowspan=2>Green<td>70 °C<tr><td>80 °C</table>";
        /// let rows = |repeat| Extractor::new().repeat_spans(repeat).extract(html).markdown;
        /// assert!(rows(false).ends_with("| Green | 70 °C |\n| | 80 °C |"));
        /// assert!(rows(true).ends_with("| Green | 70 °C |\n| Green | 80 °C |"));
        /// ```
        repeat_spans repeat bool: repeat;
        /// Whether images are written and listed. On by default.
        images keep bool: keep;
        /// Whether the Markdown's links have their targets. On by default.
        links keep bool: keep;
        /// Whether the heading or line that is the page's title and the standfirst under it are kept in front of the content. On by
        /// default.
        title keep bool: keep;
        /// Whether the whole page is its content. Off by default.
        whole_page whole bool: whole;
    }

    /// The content of a page, given as text or as bytes. Never fails. `O(n)` in the page's size.
    pub fn extract<'a>(&self, html: impl Into<Source<'a>>) -> Content {
        let (html, findings) = html.into().read(self.content_type.as_deref(), self.base.as_ref());
        let parts = [true, self.comments_apart];
        pipeline::read_text(&html, self.base.as_ref(), &self.options, findings, parts, None).content
    }
}

fn checked(selector: &str) -> Result<String, SelectorError> {
    match Asked::parse(selector) {
        Some(_) => Ok(selector.to_owned()),
        None => Err(SelectorError { selector: selector.chars().take(64).collect() }),
    }
}

/// A text that is not a selector of [`Extractor::keep`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    selector: String,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a list of CSS selectors without states and pseudo-elements, found {:?}",
            self.selector
        )
    }
}

impl std::error::Error for SelectorError {}
