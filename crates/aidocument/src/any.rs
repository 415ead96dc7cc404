//! Documents of either version.

use alloc::string::String;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use web_values::{Language, Timestamp, WebUrl};

use crate::document::Document;
use crate::error::DocumentError;
use crate::json::Json;
use crate::limits::Limits;
use crate::parts::{Heading, Image, Link};
use crate::read::{self, Reading};
use crate::v2;

/// The version of a document, recognised by its top-level members.
///
/// Spec: AIWI2-CONF-5, AIWI2-CONF-6, AIWI2-AMB-5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Groups, as in 2.0 and later. `version` is the text of `schema.version`, whatever it is; `None` where that is
    /// missing or not a string.
    Grouped {
        /// Text of `schema.version`.
        version: Option<String>,
    },
    /// Flat, as in 1.0, which has no member for its version.
    Flat,
    /// Neither.
    Unknown,
}

impl Shape {
    /// The version's text: `1.0` for a flat document.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        match self {
            Shape::Grouped { version } => version.as_deref(),
            Shape::Flat => Some("1.0"),
            Shape::Unknown => None,
        }
    }

    /// The shape in a word: `grouped`, `flat` or `unknown`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Shape::Grouped { .. } => "grouped",
            Shape::Flat => "flat",
            Shape::Unknown => "unknown",
        }
    }
}

impl core::fmt::Display for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())?;
        self.version().map_or(Ok(()), |version| write!(f, " {version:?}"))
    }
}

/// Recognises the version of a JSON text, under the default [`Limits`].
///
/// ```
/// use aidocument::{Shape, detect};
///
/// assert_eq!(detect(br#"{"url": "https://example.com/"}"#)?, Shape::Flat);
/// assert_eq!(detect(br#"{"schema": {"version": "2.7"}}"#)?.version(), Some("2.7"));
/// # Ok::<(), aidocument::DocumentError>(())
/// ```
///
/// # Errors
/// If the text is not JSON, names a member twice, or is past a limit.
pub fn detect(json: &[u8]) -> Result<Shape, DocumentError> {
    let text = Limits::default().reader().read(json)?;
    Ok(v2::shape_of(text.root()))
}

/// A document of 1.0 or of 2.x.
///
/// Has the accessors that both versions support. Serialises like the document itself.
///
/// Spec: AIWI2-CONF-4 to AIWI2-CONF-6.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "either is a whole document; a box would cost an allocation each"
)]
pub enum AnyDocument {
    /// A document of 1.0.
    V1(Document),
    /// A document of 2.x.
    V2(v2::Document),
}

impl AnyDocument {
    /// Reads a document of either version under the default [`Limits`].
    ///
    /// # Errors
    /// As [`Document::parse`] and [`v2::Document::parse`].
    pub fn parse(json: &[u8]) -> Result<Self, DocumentError> {
        AnyDocument::read(json, &Limits::default())?.into_document()
    }

    /// Reads JSON text of either version with one parse. A text of neither is checked as 2.0, so that the findings
    /// show what is missing.
    ///
    /// # Errors
    /// If the text is not JSON, names a member twice, or is past a limit.
    pub fn read(json: &[u8], limits: &Limits) -> Result<Reading<AnyDocument>, DocumentError> {
        let text = limits.reader().read(json)?;
        let reading = match v2::shape_of(text.root()) {
            Shape::Flat => read::check(text.root(), limits).map(AnyDocument::V1),
            _ => v2::check(text.root(), limits).map(AnyDocument::V2),
        };
        Ok(reading.located(text.text()))
    }

    /// The document as compact JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            AnyDocument::V1(document) => document.to_json(),
            AnyDocument::V2(document) => document.to_json(),
        }
    }

    /// The version: `1.0`, or what a document of 2.x says.
    #[must_use]
    pub fn version(&self) -> &str {
        match self {
            AnyDocument::V1(_) => "1.0",
            AnyDocument::V2(document) => document.schema.version.as_str(),
        }
    }

    /// URL of the page after redirects, without fragment.
    #[must_use]
    pub fn url(&self) -> &WebUrl {
        match self {
            AnyDocument::V1(document) => &document.url,
            AnyDocument::V2(document) => &document.source.url,
        }
    }

    /// The page's own `<link rel="canonical">`, resolved.
    #[must_use]
    pub fn canonical_url(&self) -> Option<&WebUrl> {
        match self {
            AnyDocument::V1(document) => document.canonical_url.as_ref(),
            AnyDocument::V2(document) => document.source.canonical_url.as_ref(),
        }
    }

    /// Title of the page; `None` where it is blank or absent.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let title = match self {
            AnyDocument::V1(document) => Some(document.title.as_str()),
            AnyDocument::V2(document) => document.identity.title.as_deref(),
        };
        title.filter(|title| !title.trim().is_empty())
    }

    /// Description of the page.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        match self {
            AnyDocument::V1(document) => document.description.as_deref(),
            AnyDocument::V2(document) => document.identity.description.as_deref(),
        }
    }

    /// Language of the content; `None` where it is absent or `und`.
    #[must_use]
    pub fn language(&self) -> Option<&Language> {
        let language = match self {
            AnyDocument::V1(document) => Some(&document.meta.language),
            AnyDocument::V2(document) => document.identity.language.as_ref(),
        };
        language.filter(|language| **language != Language::default())
    }

    /// Main content as Markdown; untrusted text.
    #[must_use]
    pub fn markdown(&self) -> &str {
        match self {
            AnyDocument::V1(document) => &document.markdown,
            AnyDocument::V2(document) => &document.content.markdown,
        }
    }

    /// Headings in document order; none where the member is absent.
    #[must_use]
    pub fn headings(&self) -> &[Heading] {
        match self {
            AnyDocument::V1(document) => &document.headings,
            AnyDocument::V2(document) => document.structure.headings.as_deref().unwrap_or_default(),
        }
    }

    /// Links in document order; none where the member is absent.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        match self {
            AnyDocument::V1(document) => &document.links,
            AnyDocument::V2(document) => document.structure.links.as_deref().unwrap_or_default(),
        }
    }

    /// Images in document order; none where the member is absent.
    #[must_use]
    pub fn images(&self) -> &[Image] {
        match self {
            AnyDocument::V1(document) => document.images.as_deref().unwrap_or_default(),
            AnyDocument::V2(document) => document.structure.images.as_deref().unwrap_or_default(),
        }
    }

    /// Number of words.
    #[must_use]
    pub fn word_count(&self) -> Option<u64> {
        match self {
            AnyDocument::V1(document) => Some(document.meta.word_count),
            AnyDocument::V2(document) => document.signals.word_count,
        }
    }

    /// When the page was fetched; for a document from a cache, the fetch time of the snapshot.
    #[must_use]
    pub fn fetched_at(&self) -> Option<Timestamp> {
        match self {
            AnyDocument::V1(document) => Some(document.crawl.fetched_at),
            AnyDocument::V2(document) => document.source.fetched_at,
        }
    }
}

impl From<Document> for AnyDocument {
    fn from(document: Document) -> Self {
        AnyDocument::V1(document)
    }
}

impl From<v2::Document> for AnyDocument {
    fn from(document: v2::Document) -> Self {
        AnyDocument::V2(document)
    }
}

impl Serialize for AnyDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AnyDocument::V1(document) => document.serialize(serializer),
            AnyDocument::V2(document) => document.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for AnyDocument {
    /// As [`Document`] does, for either version.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        AnyDocument::parse(json.as_str().as_bytes()).map_err(serde::de::Error::custom)
    }
}
