//! A page's metadata: title, authors, dates, site, section, keywords, licence, language, direction, each with its source
//! and confidence.
//!
//! [`clues`] collects the relevant elements in the walk of [`crate::page`]. [`declared`] reads those for programs
//! (`<meta>`, microdata, RDFa), [`linked`] the JSON-LD, and [`visible`] the lines around the title. [`choose`] weighs the
//! candidates.

mod calibration;
mod choose;
mod date_text;
mod declared;
#[cfg(test)]
mod declared_tests;
mod language;
mod linked;
#[cfg(test)]
mod linked_tests;
mod months;
mod page_date;
mod people;
mod title;
mod visible;
mod zones;
#[cfg(test)]
mod zones_tests;

use aidocument::{JsonValue, Language, Meta};
use url::Url;

use crate::content::blocks::Blocks;
use crate::page::Facts;
use crate::tree::Tree;

pub use page_date::PageDate;

/// A value with its source on the page and its confidence.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// Its source; of several that agree, the most reliable one.
    pub source: MetadataSource,
    /// Confidence from 0 to 1. For titles, authors and the date of publication, it is the share of such values that equal those
    /// of labelled pages (table in `docs/quality.md`); the date of the last change uses the same scale. For all others, it is a
    /// weight for the kind of place, set by hand, which only orders values.
    pub confidence: f32,
}

impl<T> Found<T> {
    pub(crate) fn new(value: T, source: MetadataSource, confidence: f32) -> Self {
        Found { value, source, confidence }
    }
}

named! {
    /// Where on a page a value was found.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum MetadataSource
    /// The name, in lower case with hyphens.
    [pub fn as_str]
    /// A node of JSON-LD.
    JsonLd "json-ld",
    /// A property `og:…` or `article:…`.
    OpenGraph "open-graph",
    /// An element `<meta>` of Dublin Core, `DC.…` or `DCTERMS.…`.
    DublinCore "dublin-core",
    /// An element `<meta>` of Parsely, `parsely-…`.
    Parsely "parsely",
    /// An element `<meta>` of Sailthru, `sailthru.…`.
    Sailthru "sailthru",
    /// An element `<meta>` for scholars' indexes, `citation_…`.
    Citation "citation",
    /// Another element `<meta>`, such as `author`, `date`, `twitter:data1`.
    Meta "meta",
    /// A property `itemprop`.
    Microdata "microdata",
    /// A property of RDFa.
    Rdfa "rdfa",
    /// An element `<time>`.
    Time "time",
    /// A class or a relation that names the thing, such as `class="byline"`, `rel="author"`, `rel="license"`.
    Markup "markup",
    /// A line of text around the title, such as "By Jane Doe, March 5, 2024".
    Text "text",
    /// The page's address.
    Url "url",
    /// The page's headings.
    Heading "heading",
    /// The element `<title>`.
    TitleElement "title-element",
    /// An attribute of `<html>` or `<body>`, or what declares the language in their place.
    Attribute "attribute",
    /// The words of the text.
    Detected "detected",
}

named! {
    /// The direction of a page's text.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum TextDirection
    /// The value of HTML's attribute `dir`: `ltr` or `rtl`.
    [pub fn as_str]
    /// As in Latin script.
    LeftToRight "ltr",
    /// As in Arabic and Hebrew script.
    RightToLeft "rtl",
}

/// The page's metadata, each value with its source.
///
/// The values of the document ([`Meta`]) are these without their sources. A date or a name in a footer, a comment, a
/// sidebar or a teaser of another page is never among them.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PageMetadata {
    /// The title, without the name of the site if that is separated by a sign.
    pub title: Option<Found<String>>,
    /// Who wrote it, one name each, in the page's order.
    pub authors: Vec<Found<String>>,
    /// When it was published first.
    pub published: Option<Found<PageDate>>,
    /// When it was changed last.
    pub modified: Option<Found<PageDate>>,
    /// The name of the site.
    pub site_name: Option<Found<String>>,
    /// The part of the site that it belongs to, such as "Politics".
    pub section: Option<Found<String>>,
    /// Keywords and tags, as the page lists them.
    pub keywords: Vec<String>,
    /// The address or the name of the licence.
    pub licence: Option<Found<String>>,
    /// The language that the page declares.
    pub language: Option<Found<Language>>,
    /// The direction of the text, declared or that of the language's script.
    pub direction: Option<Found<TextDirection>>,
    /// Texts in place of the dates of publication and change.
    #[cfg_attr(feature = "serde", serde(skip))]
    unread: [Option<String>; 2],
}

/// The inputs of [`read`].
pub(crate) struct Page<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) facts: &'a Facts,
    /// The JSON-LD, by types.
    pub(crate) data: JsonValue<'a>,
    pub(crate) blocks: &'a Blocks,
    /// The page's address, or its canonical address.
    pub(crate) address: &'a Url,
}

/// Reads the page's metadata. `O(n)` in the page's size.
pub(crate) fn read(page: &Page<'_>) -> PageMetadata {
    let mut about = look(page).0;
    calibration::calibrate(&mut about);
    about
}

/// All candidates for dates and authors, and the weights of what was chosen before they are calibrated.
#[cfg(feature = "training")]
pub(crate) fn candidates(page: &Page<'_>) -> Vec<String> {
    let (about, clues) = look(page);
    let weight = |name: &str, weight: Option<f32>| weight.map(|weight| format!("weight {name} {weight:.3}"));
    let weights = [
        weight("title", about.title.map(|found| found.confidence)),
        weight("author", about.authors.first().map(|found| found.confidence)),
        weight("date", about.published.map(|found| found.confidence)),
    ];
    clues.lines().into_iter().chain(weights.into_iter().flatten()).collect()
}

fn look(page: &Page<'_>) -> (PageMetadata, choose::Candidates) {
    let nodes = linked::nodes(page.data);
    let (title, heading) = title::of(page, linked::headline(&nodes));
    let language = language::of(page);
    let tag = language.as_ref().map_or("und", |found| found.value.as_str());
    let host = page.address.host_str().unwrap_or_default();
    let order = date_text::DayOrder::of(tag, host);
    let text = title.as_ref().map(|title| title.value.as_str());
    let mut clues = choose::Candidates::default();
    declared::read(page, heading, order, &mut clues);
    let node = linked::read(page.data, nodes, text, order, &mut clues);
    visible::read(page, heading, text, order, &mut clues);
    let site_name = clues.site_name.take().or(node.site_name);
    let direction = language::direction_of(page, language.as_ref());
    let published = clues.published();
    let modified = clues.modified(published.as_ref());
    let authors = clues.authors(site_name.as_ref().map(|name| name.value.as_str()), host);
    let told = PageMetadata {
        title,
        authors,
        published,
        modified,
        section: clues.section.take().or(node.section),
        keywords: if clues.keywords.is_empty() { node.keywords } else { std::mem::take(&mut clues.keywords) },
        licence: clues.licence.take().or(node.licence),
        site_name,
        language,
        direction,
        unread: std::mem::take(&mut clues.unread),
    };
    (told, clues)
}

impl PageMetadata {
    /// Writes what a document has room for.
    pub(crate) fn write_to(&self, meta: &mut Meta) {
        let names: Vec<&str> = self.authors.iter().map(|author| author.value.as_str()).collect();
        meta.author = (!names.is_empty()).then(|| names.join(", "));
        let [published, modified] = &self.unread;
        let text = |date: &Option<Found<PageDate>>| date.as_ref().map(|date| date.value.to_string());
        meta.published = text(&self.published).or_else(|| published.clone());
        meta.modified = text(&self.modified).or_else(|| modified.clone());
        meta.site_name = self.site_name.as_ref().map(|name| name.value.clone());
        meta.keywords = (!self.keywords.is_empty()).then(|| self.keywords.clone());
        if let Some(language) = &self.language {
            meta.language = language.value.clone();
        }
    }
}
