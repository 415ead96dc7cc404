//! Checking a JSON text as a document of 1.0, member by member, and building the document on the way.
//!
//! Every member is checked, even after a fault, so that one pass reports all findings.

use alloc::string::String;
use alloc::vec::Vec;

use tct_canonical_json::{JsonKind, JsonValue};

use web_values::{Language, Timestamp, WebUrl};

use crate::checker::{Checker, Field, Way, quoted};
use crate::crawl::{Crawl, RenderMode, StatusCode};
use crate::document::{Document, Meta};
use crate::error::{DocumentError, DocumentErrorKind, Quoted, ValueError};
use crate::finding::{DocumentFinding, DocumentFindingCode, Findings};
use crate::limits::Limits;
use crate::parts::{Heading, HeadingLevel, Image, Link};
use crate::plain;
use crate::structured_data::StructuredData;

/// The result of reading: the findings, and the document if none of them is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading<D = Document> {
    document: Option<D>,
    findings: Findings,
    /// A document of another version is refused as such, not with a list of missing members.
    other_version: Option<String>,
}

impl<D> Reading<D> {
    pub(crate) fn of(document: Option<D>, findings: Findings) -> Self {
        Reading { document: document.filter(|_| findings.errors() == 0), findings, other_version: None }
    }

    pub(crate) fn of_other_version(findings: Findings, detail: String) -> Self {
        Reading { document: None, findings, other_version: Some(detail) }
    }

    pub(crate) fn map<E>(self, into: impl FnOnce(D) -> E) -> Reading<E> {
        let Reading { document, findings, other_version } = self;
        Reading { document: document.map(into), findings, other_version }
    }

    /// The same reading, its findings with line and column in the text that was read.
    pub(crate) fn located(mut self, text: &str) -> Self {
        self.findings.locate(text);
        self
    }

    /// The document, where no finding is an error.
    #[must_use]
    pub fn document(&self) -> Option<&D> {
        self.document.as_ref()
    }

    /// The findings, in the order of the specification's members; at most [`Limits::max_findings`] errors and as
    /// many warnings.
    #[must_use]
    pub fn findings(&self) -> &[DocumentFinding] {
        self.findings.all()
    }

    /// How many further findings there were.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.findings.omitted()
    }

    /// Returns true where there is a document.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.document.is_some()
    }

    /// The document, or the error that carries the findings.
    ///
    /// # Errors
    /// `UnsupportedVersion` for a document of another version, `Invalid` for every other that breaks a rule.
    pub fn into_document(self) -> Result<D, DocumentError> {
        match (self.document, self.other_version) {
            (Some(document), _) => Ok(document),
            (None, Some(detail)) => {
                Err(DocumentError::new(DocumentErrorKind::UnsupportedVersion, Some(0), detail))
            }
            (None, None) => Err(DocumentError::invalid(self.findings)),
        }
    }
}

/// The expectation for unknown members.
const UNKNOWN: (&str, &str) = ("a member that 1.0 names", "AIWI-CONF-2");

pub(crate) fn read(json: &[u8], limits: &Limits) -> Result<Reading, DocumentError> {
    let text = limits.reader().read(json)?;
    Ok(check(text.root(), limits).located(text.text()))
}

pub(crate) fn check(value: JsonValue<'_>, limits: &Limits) -> Reading {
    let mut checker = Checker::new(limits.max_findings, UNKNOWN);
    if is_grouped_envelope(value) {
        let (code, found) = (DocumentFindingCode::UnsupportedVersion, "the grouped envelope of 2.0");
        checker.report(&Way::DOCUMENT, code, "an AIWebIndex 1.0 document", found, "AIWI-AMB-41");
        let detail = "expected an AIWebIndex 1.0 document, found the grouped envelope of 2.0, which \
                      aidocument::v2::Document reads";
        return Reading::of_other_version(checker.findings, detail.into());
    }
    let document = document(&mut checker, Field { value, way: Way::DOCUMENT, rule: "AIWI-DOC-1" });
    Reading::of(document, checker.findings)
}

pub(crate) fn crawl_alone(json: &[u8]) -> Result<Crawl, DocumentError> {
    let limits = Limits::default();
    let text = limits.reader().read(json)?;
    let mut checker = Checker::new(limits.max_findings, UNKNOWN);
    let crawl = crawl(&mut checker, Field { value: text.root(), way: Way::DOCUMENT, rule: "AIWI-DOC-17" });
    match crawl.filter(|_| checker.findings.errors() == 0) {
        Some(crawl) => Ok(crawl),
        None => {
            checker.findings.locate(text.text());
            Err(DocumentError::invalid(checker.findings))
        }
    }
}

/// Whether a value is the envelope of 2.0: an object with none of 1.0's text members and at least three of its groups.
///
/// Spec: AIWI-AMB-40, AIWI-AMB-41.
fn is_grouped_envelope(value: JsonValue<'_>) -> bool {
    let is_one_of =
        |names: &[&str]| value.members().filter(|(name, _)| names.iter().any(|n| name.is(n))).count();
    is_one_of(&["url", "title", "markdown"]) == 0 && is_one_of(&GROUPS) >= 3
}

/// The groups of the envelope of 2.0.
pub(crate) const GROUPS: [&str; 8] =
    ["schema", "source", "cache", "identity", "content", "structure", "signals", "economics"];

fn document(c: &mut Checker, field: Field<'_, '_>) -> Option<Document> {
    let names = [
        "url",
        "canonical_url",
        "title",
        "description",
        "markdown",
        "headings",
        "links",
        "images",
        "meta",
        "structured_data",
        "crawl",
    ];
    let members = c.object(field, names)?;
    let url = members.required(c, "url", "AIWI-DOC-2", Checker::page_url);
    let canonical_url = members.optional(c, "canonical_url", "AIWI-DOC-3", Checker::web_url);
    let title = members.required(c, "title", "AIWI-DOC-4", title);
    let description = members.optional(c, "description", "AIWI-DOC-5", Checker::string);
    let markdown = members.required(c, "markdown", "AIWI-DOC-6", Checker::string);
    let headings = members.required(c, "headings", "AIWI-DOC-8", headings);
    let links = members.required(c, "links", "AIWI-DOC-10", |c, field| links(c, field, url.as_ref()));
    let images = members.optional(c, "images", "AIWI-DOC-13", images);
    let meta = members.required(c, "meta", "AIWI-DOC-14", meta);
    let structured_data = members.optional(c, "structured_data", "AIWI-DOC-16", structured_data);
    let crawl = members.required(c, "crawl", "AIWI-DOC-17", crawl);
    let extra = c.rest(&members);
    Some(Document {
        url: url?,
        canonical_url,
        title: title?,
        description,
        markdown: markdown?,
        headings: headings?,
        links: links?,
        images,
        meta: meta?,
        structured_data,
        crawl: crawl?,
        extra,
    })
}

/// A title; a blank one is reported.
pub(crate) fn title(c: &mut Checker, field: Field<'_, '_>) -> Option<String> {
    let title = c.string(field)?;
    if title.trim().is_empty() {
        c.report(&field.way, DocumentFindingCode::BlankTitle, "a title", "a blank string", field.rule);
    }
    Some(title)
}

pub(crate) fn headings(c: &mut Checker, field: Field<'_, '_>) -> Option<Vec<Heading>> {
    c.array(field, |c, item| {
        if let Some(heading) = plain::heading(item.value) {
            return Some(heading);
        }
        let item = c.object(item, ["level", "text", "id"])?;
        let level = item.required(c, "level", "AIWI-DOC-9", |c, field| {
            let level = c.integer(field, 1..=6, "an integer from 1 to 6")?;
            HeadingLevel::new(u8::try_from(level).ok()?)
        });
        let text = item.required(c, "text", "AIWI-DOC-9", Checker::string);
        let id = item.optional(c, "id", "AIWI-DOC-9", Checker::string);
        let extra = c.rest(&item);
        Some(Heading { level: level?, text: text?, id, extra })
    })
}

/// The links of the page at `page`, where that is known.
pub(crate) fn links(c: &mut Checker, field: Field<'_, '_>, page: Option<&WebUrl>) -> Option<Vec<Link>> {
    c.array(field, |c, item| {
        if let Some(link) = plain::link(item.value, page) {
            return Some(link);
        }
        let item = c.object(item, ["url", "text", "internal", "rel"])?;
        let mut is_internal = None;
        let url = item.required(c, "url", "AIWI-DOC-11", |c, field| {
            let text = c.text(field)?;
            let url = c.link_url(&field, &text)?;
            is_internal = page.map(|page| page.host_str() == Some(url.host()));
            Some(url.as_str().into())
        });
        let internal = item.required(c, "internal", "AIWI-DOC-11", |c, field| {
            let found = c.boolean(field)?;
            if is_internal.is_some_and(|expected| expected != found) {
                let (expected, found) = match found {
                    false => ("true, the hosts being equal", "false"),
                    true => ("false, the hosts being different", "true"),
                };
                c.report(&field.way, DocumentFindingCode::WrongInternal, expected, found, "AIWI-DOC-12");
            }
            Some(found)
        });
        let text = item.optional(c, "text", "AIWI-DOC-11", Checker::string);
        let rel = item.optional(c, "rel", "AIWI-DOC-11", Checker::string);
        let extra = c.rest(&item);
        Some(Link { url: url?, internal: internal?, text, rel, extra })
    })
}

pub(crate) fn images(c: &mut Checker, field: Field<'_, '_>) -> Option<Vec<Image>> {
    c.array(field, |c, item| {
        if let Some(image) = plain::image(item.value) {
            return Some(image);
        }
        let item = c.object(item, ["url", "alt"])?;
        let url = item.required(c, "url", "AIWI-DOC-13", |c, field| {
            let text = c.text(field)?;
            Some(c.link_url(&field, &text)?.as_str().into())
        });
        let alt = item.optional(c, "alt", "AIWI-DOC-13", Checker::string);
        let extra = c.rest(&item);
        Some(Image { url: url?, alt, extra })
    })
}

fn meta(c: &mut Checker, field: Field<'_, '_>) -> Option<Meta> {
    let names = [
        "language",
        "word_count",
        "reading_time",
        "author",
        "site_name",
        "keywords",
        "og_image",
        "published",
        "modified",
    ];
    let members = c.object(field, names)?;
    let language = members.required(c, "language", "AIWI-DOC-14", |c, field| language(c, field));
    let word_count = members.required(c, "word_count", "AIWI-DOC-14", Checker::count);
    let reading_time = members.required(c, "reading_time", "AIWI-DOC-14", Checker::count);
    let mut text = |name| members.optional(c, name, "AIWI-DOC-15", Checker::string);
    let (author, site_name, og_image) = (text("author"), text("site_name"), text("og_image"));
    let (published, modified) = (text("published"), text("modified"));
    let keywords = members.optional(c, "keywords", "AIWI-AMB-20", keywords);
    let extra = c.rest(&members);
    Some(Meta {
        language: language?,
        word_count: word_count?,
        reading_time: reading_time?,
        author,
        site_name,
        keywords,
        og_image,
        published,
        modified,
        extra,
    })
}

/// An array of strings, or one string with commas between the keywords.
fn keywords(c: &mut Checker, field: Field<'_, '_>) -> Option<Vec<String>> {
    match field.value.kind() {
        JsonKind::String => {
            let text = c.text(field)?;
            let words = || text.split(',').map(str::trim).filter(|word| !word.is_empty());
            are_few(c, &field, words().count()).then(|| words().map(String::from).collect())
        }
        JsonKind::Array => {
            are_few(c, &field, field.value.items().count()).then(|| c.array(field, Checker::string)).flatten()
        }
        _ => c.wrong_type(&field, "an array of strings, or a string"),
    }
}

/// Most keywords that are read, since a list takes more memory than its text.
const MAX_KEYWORDS: usize = 10_000;

fn are_few(c: &mut Checker, field: &Field<'_, '_>, count: usize) -> bool {
    if count > MAX_KEYWORDS {
        let found = alloc::format!("{count}");
        c.report(&field.way, DocumentFindingCode::OutOfRange, "at most 10,000 keywords", found, field.rule);
    }
    count <= MAX_KEYWORDS
}

fn structured_data(c: &mut Checker, field: Field<'_, '_>) -> Option<StructuredData> {
    match field.value.kind() {
        JsonKind::Object => Some(StructuredData::read_from(field.value)),
        _ => c.wrong_type(&field, "an object"),
    }
}

/// A language tag.
pub(crate) fn language(c: &mut Checker, field: Field<'_, '_>) -> Option<Language> {
    c.parsed(field, DocumentFindingCode::BadLanguage, |text| {
        Language::parse(text)
            .map_err(|_| ValueError::new("a BCP 47 language tag", Quoted(text), "AIWI-DOC-14"))
    })
}

/// An RFC 3339 timestamp.
pub(crate) fn timestamp(c: &mut Checker, field: Field<'_, '_>) -> Option<Timestamp> {
    c.parsed(field, DocumentFindingCode::BadTimestamp, crate::timestamp::parse)
}

pub(crate) fn status_code(c: &mut Checker, field: Field<'_, '_>) -> Option<StatusCode> {
    let code = c.integer(field, 100..=599, "an integer from 100 to 599")?;
    StatusCode::new(u16::try_from(code).ok()?)
}

/// A render mode; one that the version does not know is kept and reported.
pub(crate) fn render_mode(
    c: &mut Checker,
    field: Field<'_, '_>,
    is_known: impl FnOnce(&RenderMode) -> bool,
    expected: &'static str,
) -> Option<RenderMode> {
    let mode = RenderMode::from_text(&c.text(field)?);
    if !is_known(&mode) {
        let code = DocumentFindingCode::UnknownRenderMode;
        c.report(&field.way, code, expected, quoted(mode.as_str()), field.rule);
    }
    Some(mode)
}

fn crawl(c: &mut Checker, field: Field<'_, '_>) -> Option<Crawl> {
    let names =
        ["fetched_at", "status_code", "render_mode", "fetch_duration_ms", "content_length", "user_agent"];
    let members = c.object(field, names)?;
    let fetched_at = members.required(c, "fetched_at", "AIWI-DOC-18", timestamp);
    let status_code = members.required(c, "status_code", "AIWI-DOC-19", status_code);
    let render_mode = members.required(c, "render_mode", "AIWI-DOC-20", |c, field| {
        let is_known = |mode: &RenderMode| matches!(mode, RenderMode::Static | RenderMode::Rendered);
        render_mode(c, field, is_known, "\"static\" or \"rendered\"")
    });
    let fetch_duration_ms = members.required(c, "fetch_duration_ms", "AIWI-DOC-21", Checker::count);
    let content_length = members.required(c, "content_length", "AIWI-DOC-22", Checker::count);
    let user_agent = members.required(c, "user_agent", "AIWI-DOC-23", |c, field| {
        c.parsed(field, DocumentFindingCode::BadUserAgent, str::parse)
    });
    let extra = c.rest(&members);
    Some(Crawl {
        fetched_at: fetched_at?,
        status_code: status_code?,
        render_mode: render_mode?,
        fetch_duration_ms: fetch_duration_ms?,
        content_length: content_length?,
        user_agent: user_agent?,
        extra,
    })
}
