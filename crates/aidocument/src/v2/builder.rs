//! Building documents that cannot be invalid and cannot contradict themselves.

use alloc::string::String;

use web_values::{Language, Timestamp, WebUrl};

use crate::crawl::{RenderMode, StatusCode};
use crate::json::{Extra, JsonObject};
use crate::parts::{Heading, Image, Link, LinkText, heading_hierarchy_ok, without_credentials};
use crate::words::{reading_time_minutes, word_count};

use super::call::{Cache, Call};
use super::document::{Content, Document, Identity, Schema, Signals, Source, Structure};
use super::economics::Economics;
use super::version::{Ref, Version};

/// Builds a [`Document`] of version 2.0. Every method takes values that are valid by their types, so
/// [`build`](Self::build) cannot fail.
///
/// Unknown members are left out: if the page was searched and has none, call
/// [`headings`](Self::headings), [`links`](Self::links) or [`images`](Self::images) with an empty
/// list.
///
/// ```
/// use aidocument::v2::{Call, Document};
/// use aidocument::{Heading, HeadingLevel};
///
/// let document = Document::builder("https://example.com/a#top".parse()?, Call::Refreshed)
///     .title("How HTTP works")
///     .content("# How HTTP works\n\nA client **asks**.", "How HTTP works\n\nA client asks.")
///     .heading(Heading::new(HeadingLevel::try_from(1)?, "How HTTP works"))
///     .link("https://example.com/b".parse()?, |link| link.text = Some("b".into()))
///     .build();
/// assert_eq!(document.source().url.as_str(), "https://example.com/a");
/// assert!(document.signals().heading_hierarchy_ok);
/// assert_eq!(document.signals().word_count, Some(6));
/// assert_eq!(document.call(), Some(Call::Refreshed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: AIWebIndex 2.0; AIWI2-AMB-9 to AIWI2-AMB-12, AIWI2-AMB-19.
#[derive(Debug, Clone)]
#[must_use]
pub struct DocumentBuilder(Document);

impl DocumentBuilder {
    pub(crate) fn new(url: WebUrl, call: Call) -> Self {
        DocumentBuilder(Document {
            schema: Schema { version: Version::v2_0(), reference: None, extra: Extra::default() },
            source: Source {
                url: without_credentials(url).without_fragment(),
                canonical_url: None,
                fetched_at: None,
                render_mode: None,
                status_code: None,
                freshness_policy: call.freshness_policy(),
                extra: Extra::default(),
            },
            cache: Cache::of_call(call),
            identity: Identity::default(),
            content: Content::default(),
            structure: Structure::default(),
            signals: Signals::default(),
            economics: None,
            extra: Extra::default(),
        })
    }

    /// The identifier of the document's content.
    pub fn reference(mut self, reference: Ref) -> Self {
        self.0.schema.reference = Some(reference);
        self
    }

    /// The page's `<link rel="canonical">`.
    pub fn canonical_url(mut self, url: WebUrl) -> Self {
        self.0.source.canonical_url = Some(without_credentials(url));
        self
    }

    /// When the snapshot was fetched: on a cache hit and on a 304 the time of the stored fetch, not of this call. Cut
    /// to milliseconds, and moved into the years 0 to 9999.
    pub fn fetched_at(mut self, instant: Timestamp) -> Self {
        self.0.source.fetched_at = Some(crate::timestamp::normal(instant));
        self
    }

    /// HTTP status of the snapshot's fetch: on a 304 that of the stored fetch. Spec: AIWI2-AMB-13.
    pub fn status_code(mut self, code: StatusCode) -> Self {
        self.0.source.status_code = Some(code);
        self
    }

    /// Whether scripts ran before the page was read.
    pub fn render_mode(mut self, mode: RenderMode) -> Self {
        self.0.source.render_mode = Some(mode);
        self
    }

    /// The title; a blank one is left out. Spec: AIWI2-AMB-10.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.0.identity.title = Some(title.into()).filter(|title| !title.trim().is_empty());
        self
    }

    /// The description.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.0.identity.description = Some(description.into());
        self
    }

    /// The language; `und`, which says that it is not known, is left out. Spec: AIWI2-AMB-10.
    pub fn language(mut self, language: Language) -> Self {
        self.0.identity.language = Some(language).filter(|language| *language != Language::default());
        self
    }

    /// The kind of page by the caller's own classes, such as `article`; never the HTTP header.
    pub fn content_type(mut self, class: impl Into<String>) -> Self {
        self.0.identity.content_type = Some(class.into());
        self
    }

    /// The main content as Markdown, and its plain text, which is used only to count words.
    pub fn content(mut self, markdown: impl Into<String>, plain_text: &str) -> Self {
        self.0.content.markdown = markdown.into();
        self.words(word_count(plain_text))
    }

    /// The number of words, if it is known already; sets the reading time too.
    pub fn words(mut self, words: u64) -> Self {
        self.0.signals.word_count = Some(words);
        self.0.signals.reading_time = Some(reading_time_minutes(words));
        self
    }

    /// The headings, after those that are there.
    pub fn headings(mut self, headings: impl IntoIterator<Item = Heading>) -> Self {
        self.0.structure.headings.get_or_insert_default().extend(headings);
        self
    }

    /// Adds a heading after those that are there.
    pub fn heading(self, heading: Heading) -> Self {
        self.headings([heading])
    }

    /// The links, after those that are there.
    pub fn links(mut self, links: impl IntoIterator<Item = (WebUrl, LinkText)>) -> Self {
        let links = links.into_iter().map(|(url, said)| Link::new(&self.0.source.url, url, said));
        self.0.structure.links.get_or_insert_default().extend(links);
        self
    }

    /// Adds a link after those that are there; `complete` may set its text and `rel`.
    pub fn link(self, url: WebUrl, complete: impl FnOnce(&mut LinkText)) -> Self {
        let mut said = LinkText::default();
        complete(&mut said);
        self.links([(url, said)])
    }

    /// The images, after those that are there.
    pub fn images(mut self, images: impl IntoIterator<Item = Image>) -> Self {
        self.0.structure.images.get_or_insert_default().extend(images);
        self
    }

    /// Adds an image after those that are there.
    pub fn image(self, image: Image) -> Self {
        self.images([image])
    }

    /// The JSON-LD of the page, such as [`StructuredData`](crate::StructuredData); an empty object leaves the member
    /// out. With data the page has declared some, so [`has_json_ld`](Self::has_json_ld) is then true.
    pub fn structured_data(mut self, data: impl Into<JsonObject>) -> Self {
        self.0.structure.structured_data = Some(data.into()).filter(|data| !data.is_empty());
        self
    }

    /// Whether the page declared `application/ld+json`, readable or not; false by default without data.
    pub fn has_json_ld(mut self, has: bool) -> Self {
        self.0.signals.has_json_ld = has;
        self
    }

    /// Tokens and costs.
    pub fn economics(mut self, economics: Economics) -> Self {
        self.0.economics = Some(economics);
        self
    }

    /// The document.
    #[must_use]
    pub fn build(mut self) -> Document {
        self.0.signals.has_json_ld |= self.0.structure.structured_data.is_some();
        let headings = self.0.structure.headings.as_deref().unwrap_or_default();
        self.0.signals.heading_hierarchy_ok = heading_hierarchy_ok(headings);
        self.0
    }
}
