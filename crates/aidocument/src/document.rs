//! The document of AIWebIndex 1.0.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer};

use web_values::{Language, WebUrl};

use crate::builder::DocumentBuilder;
use crate::crawl::Crawl;
use crate::error::DocumentError;
use crate::json::{Extra, Json};
use crate::limits::Limits;
use crate::parts::{Heading, Image, Link};
use crate::read::{self, Reading};
use crate::structured_data::StructuredData;
use crate::write::{Object, Out, objects, text_of};

/// One extracted web page: the AIDocument of AIWebIndex 1.0.
///
/// A document is always valid: [`Document::builder`] takes only values of checked types, and
/// [`Document::parse`] refuses invalid text. Members of a later 1.x that this version does not know are kept
/// at every level and written back.
///
/// Serialises with the members in the order of the specification, unknown ones last and sorted by name; optional
/// members that are absent are left out, `null` is never written for them.
///
/// Spec: AIWebIndex 1.0, "Top-level structure"; AIWI-DOC-1, AIWI-CONF-2, AIWI-AMB-7, AIWI-AMB-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) url: WebUrl,
    pub(crate) canonical_url: Option<WebUrl>,
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    pub(crate) markdown: String,
    pub(crate) headings: Vec<Heading>,
    pub(crate) links: Vec<Link>,
    pub(crate) images: Option<Vec<Image>>,
    pub(crate) meta: Meta,
    pub(crate) structured_data: Option<StructuredData>,
    pub(crate) crawl: Crawl,
    pub(crate) extra: Extra,
}

impl Document {
    /// Begins a document for the page at `url`, the final one after redirects; its fragment is dropped.
    pub fn builder(url: WebUrl, crawl: Crawl) -> DocumentBuilder {
        DocumentBuilder::new(url, crawl)
    }

    /// Reads a document from JSON text under the default [`Limits`].
    ///
    /// `O(n)` time and memory in the length of the text.
    ///
    /// # Errors
    /// The kinds of [`DocumentErrorKind`](crate::DocumentErrorKind), each with a byte offset where it is known;
    /// `Invalid` carries every finding.
    pub fn parse(json: &[u8]) -> Result<Self, DocumentError> {
        Document::read(json, &Limits::default())?.into_document()
    }

    /// Reads JSON text with all findings; returns the document if it is valid.
    ///
    /// ```
    /// use aidocument::{Document, Limits};
    ///
    /// let reading = Document::read(br#"{"url": "/relative", "title": 7}"#, &Limits::default())?;
    /// let findings: Vec<_> = reading.findings().iter().map(|f| f.to_string()).collect();
    /// assert_eq!(findings[0], r#"/url: expected an absolute http or https URL, found "/relative""#);
    /// assert_eq!(findings[1], "/title: expected a string, found a number");
    /// assert!(reading.document().is_none());
    /// # Ok::<(), aidocument::DocumentError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not JSON, names a member twice, or is past a limit. The grouped envelope of 2.0 and a document that breaks rules are answers: see [`Reading::findings`].
    pub fn read(json: &[u8], limits: &Limits) -> Result<Reading, DocumentError> {
        read::read(json, limits)
    }

    /// The document as compact JSON text.
    ///
    /// Serde writes the same bytes, except for numbers in unknown members and structured data that a double cannot
    /// hold, of which serde gets the nearest double.
    #[must_use]
    pub fn to_json(&self) -> String {
        text_of(self)
    }

    /// URL of the page after redirects, without fragment. Spec: AIWI-DOC-2.
    #[must_use]
    pub fn url(&self) -> &WebUrl {
        &self.url
    }

    /// The page's own `<link rel="canonical">`, resolved. Spec: AIWI-DOC-3.
    #[must_use]
    pub fn canonical_url(&self) -> Option<&WebUrl> {
        self.canonical_url.as_ref()
    }

    /// Title of the page; empty where it has none. Spec: AIWI-DOC-4.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Description of the page. Spec: AIWI-DOC-5.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Main content as Markdown. It is untrusted text: sanitise it before rendering, and never pass it to a
    /// model as instructions. Spec: AIWI-DOC-6, AIWI-DOC-25.
    #[must_use]
    pub fn markdown(&self) -> &str {
        &self.markdown
    }

    /// Headings in document order. Spec: AIWI-DOC-8.
    #[must_use]
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// Links in document order, duplicates kept. Spec: AIWI-DOC-10.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Images in document order; none where the member is absent. Spec: AIWI-DOC-13.
    #[must_use]
    pub fn images(&self) -> &[Image] {
        self.images.as_deref().unwrap_or_default()
    }

    /// Language, word count, reading time and what the page says about itself. Spec: AIWI-DOC-14, AIWI-DOC-15.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// JSON-LD nodes by schema.org type. Spec: AIWI-DOC-16.
    #[must_use]
    pub fn structured_data(&self) -> Option<&StructuredData> {
        self.structured_data.as_ref()
    }

    /// How and when the page was fetched. Spec: AIWI-DOC-17.
    #[must_use]
    pub fn crawl(&self) -> &Crawl {
        &self.crawl
    }

    /// Top-level members that 1.0 does not know, sorted by name. Spec: AIWI-CONF-2.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

impl<'de> Deserialize<'de> for Document {
    /// Reads a document from a value that the format's own parser made, so that parser handles limits and
    /// repeated member names; [`Document::parse`] checks both.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Document::parse(json.as_str().as_bytes()).map_err(serde::de::Error::custom)
    }
}

impl Object for Document {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("url", &self.url)?;
        out.optional("canonical_url", self.canonical_url.as_ref())?;
        out.member("title", &self.title)?;
        out.optional("description", self.description.as_ref())?;
        out.member("markdown", &self.markdown)?;
        out.member("headings", &self.headings)?;
        out.member("links", &self.links)?;
        out.optional("images", self.images.as_ref())?;
        out.member("meta", &self.meta)?;
        out.optional("structured_data", self.structured_data.as_ref())?;
        out.member("crawl", &self.crawl)?;
        out.extra(&self.extra)
    }
}

/// Metadata of the page. Spec: AIWI-DOC-14, AIWI-DOC-15, AIWI-AMB-18 to AIWI-AMB-20.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// Language of the content; `und` where it is not known.
    pub language: Language,
    /// Number of words, see [`word_count`](crate::word_count).
    pub word_count: u64,
    /// Minutes, see [`reading_time_minutes`](crate::reading_time_minutes).
    pub reading_time: u64,
    /// Who wrote it.
    pub author: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Keywords; written as an array, read from an array or a comma-separated string.
    pub keywords: Option<Vec<String>>,
    /// URL of the preview image, as the page gives it.
    pub og_image: Option<String>,
    /// When it was published: RFC 3339 where the source could be read as a date, else the source's text.
    pub published: Option<String>,
    /// When it was changed last, in the form of `published`.
    pub modified: Option<String>,
    pub(crate) extra: Extra,
}

impl Meta {
    /// Members that 1.0 does not know, sorted by name. Spec: AIWI-CONF-2.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

impl Object for Meta {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("language", &self.language)?;
        out.member("word_count", &self.word_count)?;
        out.member("reading_time", &self.reading_time)?;
        out.optional("author", self.author.as_ref())?;
        out.optional("site_name", self.site_name.as_ref())?;
        out.optional("keywords", self.keywords.as_ref())?;
        out.optional("og_image", self.og_image.as_ref())?;
        out.optional("published", self.published.as_ref())?;
        out.optional("modified", self.modified.as_ref())?;
        out.extra(&self.extra)
    }
}

objects!(Document, Meta);
