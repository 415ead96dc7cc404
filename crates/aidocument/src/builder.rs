//! Building documents that cannot be invalid.

use alloc::string::String;
use alloc::vec::Vec;

use web_values::WebUrl;

use crate::crawl::Crawl;
use crate::document::{Document, Meta};
use crate::json::Extra;
use crate::parts::{Heading, Image, Link, LinkText, without_credentials};
use crate::structured_data::StructuredData;
use crate::words::{reading_time_minutes, word_count};

/// Builds a [`Document`]. Every method takes values that are valid by their types, so [`build`](Self::build)
/// cannot fail.
///
/// ```
/// use aidocument::{Crawl, Document, Heading, HeadingLevel, StatusCode, WebUrl};
///
/// let url: WebUrl = "https://example.com/a#top".parse()?;
/// let crawl = Crawl::new(
///     "2026-05-10T12:34:56Z".parse()?,
///     StatusCode::new(200).ok_or("status")?,
///     "AIWebIndex/1.0 (+https://example.com/bot)".parse()?,
/// );
/// let document = Document::builder(url, crawl)
///     .title("How HTTP works")
///     .content("# How HTTP works\n\nA client **asks**.", "How HTTP works\n\nA client asks.")
///     .heading(Heading::new(HeadingLevel::try_from(1)?, "How HTTP works"))
///     .link("https://example.com/b".parse()?, |link| link.text = Some("b".into()))
///     .build();
/// assert_eq!(document.url().as_str(), "https://example.com/a");
/// assert_eq!(document.meta().word_count, 6);
/// assert!(document.links()[0].internal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct DocumentBuilder(Document);

impl DocumentBuilder {
    pub(crate) fn new(url: WebUrl, crawl: Crawl) -> Self {
        DocumentBuilder(Document {
            url: without_credentials(url).without_fragment(),
            canonical_url: None,
            title: String::new(),
            description: None,
            markdown: String::new(),
            headings: Vec::new(),
            links: Vec::new(),
            images: None,
            meta: Meta::default(),
            structured_data: None,
            crawl,
            extra: Extra::default(),
        })
    }

    /// The page's `<link rel="canonical">`.
    pub fn canonical_url(mut self, url: WebUrl) -> Self {
        self.0.canonical_url = Some(without_credentials(url));
        self
    }

    /// The title; empty where this is not called.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.0.title = title.into();
        self
    }

    /// The description.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.0.description = Some(description.into());
        self
    }

    /// The main content as Markdown, and its plain text, which is used only to count words.
    pub fn content(mut self, markdown: impl Into<String>, plain_text: &str) -> Self {
        self.0.markdown = markdown.into();
        self.words(word_count(plain_text))
    }

    /// The number of words, if it is known already; sets the reading time too.
    pub fn words(mut self, words: u64) -> Self {
        self.0.meta.word_count = words;
        self.0.meta.reading_time = reading_time_minutes(words);
        self
    }

    /// Appends a heading.
    pub fn heading(mut self, heading: Heading) -> Self {
        self.0.headings.push(heading);
        self
    }

    /// Appends a link; `complete` may set its text and `rel`.
    pub fn link(mut self, url: WebUrl, complete: impl FnOnce(&mut LinkText)) -> Self {
        let mut said = LinkText::default();
        complete(&mut said);
        self.0.links.push(Link::new(&self.0.url, url, said));
        self
    }

    /// Appends an image. A document without any has no member `images`.
    pub fn image(mut self, image: Image) -> Self {
        self.0.images.get_or_insert_default().push(image);
        self
    }

    /// Sets what is known about the page, except for the word count and the reading time.
    pub fn meta(mut self, meta: Meta) -> Self {
        let Meta { word_count, reading_time, .. } = self.0.meta;
        self.0.meta = Meta { word_count, reading_time, ..meta };
        self
    }

    /// The JSON-LD nodes; an empty collection leaves the member out.
    pub fn structured_data(mut self, data: StructuredData) -> Self {
        self.0.structured_data = (!data.is_empty()).then_some(data);
        self
    }

    /// The document.
    #[must_use]
    pub fn build(self) -> Document {
        self.0
    }
}
