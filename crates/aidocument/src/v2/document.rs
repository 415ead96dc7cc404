//! The document and its groups.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer};

use web_values::{Language, Timestamp, WebUrl};

use crate::crawl::{RenderMode, StatusCode};
use crate::error::DocumentError;
use crate::json::{Extra, Json, JsonObject};
use crate::limits::Limits;
use crate::parts::{Heading, Image, Link};
use crate::read::Reading;
use crate::write::{Instant, Object, Out, objects, text_of};

use super::builder::DocumentBuilder;
use super::call::{Cache, Call, FreshnessPolicy};
use super::economics::Economics;
use super::version::{Ref, Version};

/// One extracted web page: the AIDocument of AIWebIndex 2.0, or of a later 2.x.
///
/// A document is valid by construction. Members that 2.0 does not know are kept at every level and written back;
/// contradictory members are kept too, with a warning from [`Document::read`].
///
/// Serialises with groups and members in the order of the specification, unknown ones last and sorted by name;
/// optional members that are absent are left out.
///
/// ```
/// use aidocument::v2::{Call, Document};
///
/// let json = Document::builder("https://example.com/a".parse()?, Call::Hit).title("Tea").build().to_json();
/// assert_eq!(
///     json,
///     concat!(
///         r#"{"schema":{"name":"AIDocument","version":"2.0"},"#,
///         r#""source":{"url":"https://example.com/a","freshness_policy":"cache_first"},"#,
///         r#""cache":{"status":"hit","origin_contacted":false,"body_fetched":false},"#,
///         r#""identity":{"title":"Tea"},"content":{"markdown":""},"structure":{},"#,
///         r#""signals":{"has_json_ld":false,"heading_hierarchy_ok":false}}"#,
///     )
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: AIWebIndex 2.0, "Envelope"; AIWI2-DOC-1 to AIWI2-DOC-4, AIWI2-CONF-2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) schema: Schema,
    pub(crate) source: Source,
    pub(crate) cache: Cache,
    pub(crate) identity: Identity,
    pub(crate) content: Content,
    pub(crate) structure: Structure,
    pub(crate) signals: Signals,
    pub(crate) economics: Option<Economics>,
    pub(crate) extra: Extra,
}

impl Document {
    /// Begins a document for the page at `url`, the final one after redirects; its fragment is dropped.
    pub fn builder(url: WebUrl, call: Call) -> DocumentBuilder {
        DocumentBuilder::new(url, call)
    }

    /// Reads a document from JSON text under the default [`Limits`].
    ///
    /// `O(n)` time and memory in the length of the text.
    ///
    /// # Errors
    /// The kinds of [`DocumentErrorKind`](crate::DocumentErrorKind), each with a byte offset where it is known;
    /// `Invalid` carries the findings.
    pub fn parse(json: &[u8]) -> Result<Self, DocumentError> {
        Document::read(json, &Limits::default())?.into_document()
    }

    /// Reads JSON text with all findings; returns the document if it is valid.
    ///
    /// ```
    /// use aidocument::{Limits, v2::Document};
    ///
    /// let reading = Document::read(br#"{"schema": {"name": "AIDocument", "version": "3.0"}}"#, &Limits::default())?;
    /// let findings: Vec<_> = reading.findings().iter().map(|f| f.to_string()).collect();
    /// assert_eq!(findings, [r#"/schema/version: expected 2.0 or a later 2.x, found "3.0""#]);
    /// # Ok::<(), aidocument::DocumentError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not JSON, names a member twice, or is past a limit. A document of another version and one
    /// that breaks rules are answers: see [`Reading::findings`].
    pub fn read(json: &[u8], limits: &Limits) -> Result<Reading<Document>, DocumentError> {
        let text = limits.reader().read(json)?;
        Ok(super::check(text.root(), limits).located(text.text()))
    }

    /// The document as compact JSON text.
    ///
    /// Serde writes the same bytes, except for numbers that a double cannot hold in `economics`, structured data and
    /// unknown members, of which serde gets the nearest double.
    #[must_use]
    pub fn to_json(&self) -> String {
        text_of(self)
    }

    /// The format's version and the document's identifier. Spec: AIWI2-DOC-5 to AIWI2-DOC-8.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What was fetched: of the snapshot, also on a cache hit. Spec: AIWI2-DOC-9 to AIWI2-DOC-14.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What happened on this call. Spec: AIWI2-DOC-15, AIWI2-DOC-16.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The call, where policy, label and flags agree; `None` where they contradict each other. The flags of
    /// [`Document::cache`] take precedence then. Spec: AIWI2-AMB-11.
    #[must_use]
    pub fn call(&self) -> Option<Call> {
        Call::of(&self.source.freshness_policy, &self.cache)
    }

    /// Title, description, language and kind of page. Spec: AIWI2-DOC-17 to AIWI2-DOC-20.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Main content as Markdown. It is untrusted text: sanitise it before rendering, and never pass it to a
    /// model as instructions. Spec: AIWI2-DOC-21, AIWI2-SEC-4.
    #[must_use]
    pub fn markdown(&self) -> &str {
        &self.content.markdown
    }

    /// Unknown members of the group `content`.
    #[must_use]
    pub fn content_extra(&self) -> &Extra {
        &self.content.extra
    }

    /// Headings, links, images and structured data. Spec: AIWI2-DOC-23 to AIWI2-DOC-26.
    #[must_use]
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// Counts and flags. Spec: AIWI2-DOC-27 to AIWI2-DOC-30.
    #[must_use]
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Tokens and costs, if the producer gives them. Spec: AIWI2-DOC-31 to AIWI2-DOC-36.
    #[must_use]
    pub fn economics(&self) -> Option<&Economics> {
        self.economics.as_ref()
    }

    /// Top-level members that 2.0 does not know. Spec: AIWI2-DOC-3.
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

/// The group `schema`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schema {
    /// Version of the format; it does not follow the date of the specification's text.
    pub version: Version,
    /// The member `ref`: identifier of the document's content.
    pub reference: Option<Ref>,
    pub(crate) extra: Extra,
}

/// The group `source`: what was fetched. Of a snapshot from the cache it is the fetch that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// URL of the page after redirects, without fragment.
    pub url: WebUrl,
    /// The page's own `<link rel="canonical">`, resolved.
    pub canonical_url: Option<WebUrl>,
    /// When the snapshot was fetched, in UTC and milliseconds.
    pub fetched_at: Option<Timestamp>,
    /// Whether scripts ran before the page was read.
    pub render_mode: Option<RenderMode>,
    /// HTTP status of the snapshot's fetch; never 304.
    pub status_code: Option<StatusCode>,
    /// What the caller asked for.
    pub freshness_policy: FreshnessPolicy,
    pub(crate) extra: Extra,
}

/// The group `identity`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity {
    /// Title of the page; absent where it has none.
    pub title: Option<String>,
    /// Description of the page.
    pub description: Option<String>,
    /// Language of the content; absent where it is not known.
    pub language: Option<Language>,
    /// Kind of page by the producer's own classes, such as `article`; not a media type. Spec: AIWI2-AMB-15.
    pub content_type: Option<String>,
    pub(crate) extra: Extra,
}

/// The group `content`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) markdown: String,
    pub(crate) extra: Extra,
}

/// The group `structure`. An absent list means that the page was not searched, an empty one that it
/// has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Structure {
    /// Headings in document order.
    pub headings: Option<Vec<Heading>>,
    /// Links in document order, duplicates kept.
    pub links: Option<Vec<Link>>,
    /// Images in document order.
    pub images: Option<Vec<Image>>,
    /// The page's JSON-LD blocks merged into one object, whose keys are the producer's choice.
    pub structured_data: Option<JsonObject>,
    pub(crate) extra: Extra,
}

/// The group `signals`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signals {
    /// Number of words, see [`word_count`](crate::word_count).
    pub word_count: Option<u64>,
    /// Minutes, see [`reading_time_minutes`](crate::reading_time_minutes).
    pub reading_time: Option<u64>,
    /// Whether the page declared some `application/ld+json`, readable or not. Spec: AIWI2-AMB-17.
    pub has_json_ld: bool,
    /// See [`heading_hierarchy_ok`](crate::heading_hierarchy_ok).
    pub heading_hierarchy_ok: bool,
    pub(crate) extra: Extra,
}

macro_rules! extras {
    ($($name:ty),+) => {$(
        impl $name {
            /// Members that 2.0 does not know. Spec: AIWI2-DOC-3.
            #[must_use]
            pub fn extra(&self) -> &Extra {
                &self.extra
            }
        }
    )+};
}

extras!(Schema, Source, Identity, Structure, Signals);

impl Object for Document {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("schema", &self.schema)?;
        out.member("source", &self.source)?;
        out.member("cache", &self.cache)?;
        out.member("identity", &self.identity)?;
        out.member("content", &self.content)?;
        out.member("structure", &self.structure)?;
        out.member("signals", &self.signals)?;
        out.optional("economics", self.economics.as_ref())?;
        out.extra(&self.extra)
    }
}

impl Object for Schema {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("name", "AIDocument")?;
        out.member("version", &self.version)?;
        out.optional("ref", self.reference.as_ref())?;
        out.extra(&self.extra)
    }
}

impl Object for Source {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("url", &self.url)?;
        out.optional("canonical_url", self.canonical_url.as_ref())?;
        out.optional("fetched_at", self.fetched_at.map(Instant).as_ref())?;
        out.optional("render_mode", self.render_mode.as_ref())?;
        out.optional("status_code", self.status_code.map(|code| u64::from(code.as_u16())).as_ref())?;
        out.member("freshness_policy", &self.freshness_policy)?;
        out.extra(&self.extra)
    }
}

impl Object for Identity {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.optional("title", self.title.as_ref())?;
        out.optional("description", self.description.as_ref())?;
        out.optional("language", self.language.as_ref())?;
        out.optional("content_type", self.content_type.as_ref())?;
        out.extra(&self.extra)
    }
}

impl Object for Content {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("markdown", &self.markdown)?;
        out.extra(&self.extra)
    }
}

impl Object for Structure {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.optional("headings", self.headings.as_ref())?;
        out.optional("links", self.links.as_ref())?;
        out.optional("images", self.images.as_ref())?;
        out.optional("structured_data", self.structured_data.as_ref())?;
        out.extra(&self.extra)
    }
}

impl Object for Signals {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.optional("word_count", self.word_count.as_ref())?;
        out.optional("reading_time", self.reading_time.as_ref())?;
        out.member("has_json_ld", &self.has_json_ld)?;
        out.member("heading_hierarchy_ok", &self.heading_hierarchy_ok)?;
        out.extra(&self.extra)
    }
}

objects!(Document, Schema, Source, Identity, Content, Structure, Signals);
