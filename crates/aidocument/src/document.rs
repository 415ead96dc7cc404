//! The document and its parts.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::builder::DocumentBuilder;
use crate::crawl::Crawl;
use crate::error::{DocumentError, ValueError};
use crate::finding::Finding;
use crate::language::Language;
use crate::limits::Limits;
use crate::read::{self, Reading};
use crate::structured_data::StructuredData;
use crate::web_url::WebUrl;

/// One extracted web page: the AIDocument of AIWebIndex 1.0.
///
/// A document is valid by construction. [`Document::builder`] takes only values that are valid by their types,
/// and [`Document::parse`] refuses everything else. Members of a later 1.x that this version does not know are
/// kept at every level and written back.
///
/// Serialises with the members in the order of the specification, unknown ones last and sorted; optional
/// members that are absent are left out, `null` is never written.
///
/// Spec: AIWebIndex 1.0, "Top-level structure"; AIWI-DOC-1, AIWI-CONF-2, AIWI-AMB-7, AIWI-AMB-8.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    pub(crate) url: WebUrl,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) canonical_url: Option<WebUrl>,
    pub(crate) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) markdown: String,
    pub(crate) headings: Vec<Heading>,
    pub(crate) links: Vec<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) images: Option<Vec<Image>>,
    pub(crate) meta: Meta,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) structured_data: Option<StructuredData>,
    pub(crate) crawl: Crawl,
    #[serde(flatten)]
    pub(crate) extra: BTreeMap<String, Value>,
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

    /// Reads JSON text and tells everything that is wrong or odd about it; gives the document where it is valid.
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
    /// Where the text is no JSON, names a member twice, or is past a limit. The grouped envelope of the 2.0 draft
    /// and a document that breaks rules are answers: see [`Reading::findings`].
    pub fn read(json: &[u8], limits: &Limits) -> Result<Reading, DocumentError> {
        read::read(json, limits)
    }

    /// Everything that is wrong or odd about a JSON value as a document; no errors among them means valid.
    #[must_use]
    pub fn validate(value: &Value) -> Vec<Finding> {
        read::check(value.clone()).into_findings()
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

    /// Main content as Markdown. It is text of a stranger: neutralise it before it is rendered or put before a
    /// model as if it were instructions. Spec: AIWI-DOC-6, AIWI-DOC-25.
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
    pub fn extra(&self) -> &BTreeMap<String, Value> {
        &self.extra
    }
}

impl<'de> Deserialize<'de> for Document {
    /// Reads a document from a value that the format's own parser made, so limits and repeated member names are
    /// that parser's affair; [`Document::parse`] reads text with both.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        read::check(value).into_document().map_err(serde::de::Error::custom)
    }
}

/// A heading of the page. Spec: AIWI-DOC-8, AIWI-DOC-9, AIWI-AMB-14.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Heading {
    /// 1 to 6, as in `h1` to `h6`.
    pub level: HeadingLevel,
    /// Text of the heading.
    pub text: String,
    /// The element's `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: Extra,
}

impl Heading {
    /// A heading without `id`.
    #[must_use]
    pub fn new(level: HeadingLevel, text: impl Into<String>) -> Self {
        Heading { level, text: text.into(), id: None, extra: Extra::default() }
    }
}

/// The level of a heading, 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct HeadingLevel(u8);

impl HeadingLevel {
    /// The level of that number, or `None` outside 1 to 6.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=6 => Some(HeadingLevel(number)),
            _ => None,
        }
    }

    /// The number, 1 to 6.
    #[must_use]
    pub const fn as_u8(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for HeadingLevel {
    type Error = ValueError;

    fn try_from(number: u8) -> Result<Self, ValueError> {
        HeadingLevel::new(number)
            .ok_or_else(|| ValueError::new("an integer from 1 to 6", number, "AIWI-DOC-9"))
    }
}

/// A link of the page. Spec: AIWI-DOC-10 to AIWI-DOC-12, AIWI-AMB-15, AIWI-AMB-16.
///
/// Whether it stays on the page's host is told by [`Link::internal`], which the builder and the reader set from
/// both URLs: it cannot disagree with them.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub(crate) url: WebUrl,
    pub(crate) internal: bool,
    /// Text of the link; absent where it is empty.
    pub text: Option<String>,
    /// The `rel` attribute with its tokens parted by single spaces.
    pub rel: Option<String>,
    pub(crate) extra: Extra,
}

impl Link {
    /// A link from the page at `page` to `url`, without text and `rel`.
    #[must_use]
    pub fn new(page: &WebUrl, url: WebUrl) -> Self {
        let internal = url.same_host(page);
        Link { url, internal, text: None, rel: None, extra: Extra::default() }
    }

    /// Where the link leads.
    #[must_use]
    pub fn url(&self) -> &WebUrl {
        &self.url
    }

    /// Whether the link's host is the page's.
    #[must_use]
    pub fn internal(&self) -> bool {
        self.internal
    }
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("url", &self.url)?;
        if let Some(text) = &self.text {
            map.serialize_entry("text", text)?;
        }
        map.serialize_entry("internal", &self.internal)?;
        if let Some(rel) = &self.rel {
            map.serialize_entry("rel", rel)?;
        }
        for (name, value) in self.extra.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// An image of the page. Spec: AIWI-DOC-13, AIWI-AMB-17.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Image {
    /// Where the image is.
    pub url: WebUrl,
    /// Alternative text; `Some("")` for an image that is marked as decoration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: Extra,
}

impl Image {
    /// An image without alternative text.
    #[must_use]
    pub fn new(url: WebUrl) -> Self {
        Image { url, alt: None, extra: Extra::default() }
    }
}

/// Members that 1.0 does not know; costs one word where there are none, since a page may have 100,000 links.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::box_collection, reason = "an empty map is three words, in each of 100,000 links")]
pub(crate) struct Extra(Option<Box<BTreeMap<String, Value>>>);

impl Extra {
    pub(crate) fn new(members: BTreeMap<String, Value>) -> Self {
        Extra((!members.is_empty()).then(|| Box::new(members)))
    }

    fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().flat_map(|members| members.iter())
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// What is known about the page as a whole. Spec: AIWI-DOC-14, AIWI-DOC-15, AIWI-AMB-18 to AIWI-AMB-20.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Meta {
    /// Language of the content; `und` where it is not known.
    pub language: Language,
    /// Number of words, see [`word_count`](crate::word_count).
    pub word_count: u64,
    /// Minutes, see [`reading_time_minutes`](crate::reading_time_minutes).
    pub reading_time: u64,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Name of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_name: Option<String>,
    /// Keywords; written as an array, read from an array or a comma-separated string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keywords: Option<Vec<String>>,
    /// URL of the preview image, as the page gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub og_image: Option<String>,
    /// When it was published: RFC 3339 where the source could be read as a date, else the source's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// When it was changed last, in the form of `published`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: BTreeMap<String, Value>,
}

impl Meta {
    /// Members that 1.0 does not know, sorted by name. Spec: AIWI-CONF-2.
    #[must_use]
    pub fn extra(&self) -> &BTreeMap<String, Value> {
        &self.extra
    }
}
