//! Checking a JSON value as a document, member by member, and building the document on the way.
//!
//! One pass over the tree; every member is looked at, also behind a fault, so that all findings come at once. A
//! member is taken out of its object when it is known, and what is left are the unknown ones.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::checker::{self, Checker, Members, members};
use crate::crawl::{Crawl, RenderMode, StatusCode};
use crate::document::{Document, Extra, Heading, HeadingLevel, Image, Link, Meta};
use crate::error::{DocumentError, DocumentErrorKind, Quoted};
use crate::finding::{Finding, FindingCode};
use crate::json;
use crate::limits::Limits;
use crate::structured_data::StructuredData;
use crate::timestamp;
use crate::web_url::{self, WebUrl};

/// What [`Document::read`] found: all findings, and the document where none of them is an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    document: Option<Document>,
    findings: Vec<Finding>,
    /// The 2.0 draft's envelope is refused by name, not by a list of what 1.0 misses in it.
    grouped: bool,
}

impl Reading {
    /// The document, where no finding is an error.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        self.document.as_ref()
    }

    /// Everything that is wrong or odd, in the order of the specification's members.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings alone.
    #[must_use]
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// The document, or the error that carries the findings.
    ///
    /// # Errors
    /// `UnsupportedVersion` for the 2.0 draft's envelope, `Invalid` for every other document that breaks a rule.
    pub fn into_document(self) -> Result<Document, DocumentError> {
        match self.document {
            Some(document) => Ok(document),
            None if self.grouped => {
                let detail = "expected an AIWebIndex 1.0 document, found the grouped envelope of 2.0";
                Err(DocumentError::new(DocumentErrorKind::UnsupportedVersion, Some(0), detail.into()))
            }
            None => Err(DocumentError::invalid(self.findings.into())),
        }
    }
}

pub(crate) fn read(json: &[u8], limits: &Limits) -> Result<Reading, DocumentError> {
    Ok(check(json::parse(json, limits)?))
}

pub(crate) fn check(value: Value) -> Reading {
    let mut findings = Vec::new();
    if let Value::Object(members) = &value
        && is_grouped_envelope(members)
    {
        let expected = "an AIWebIndex 1.0 document";
        let found = "the grouped envelope of 2.0";
        findings.push(Finding::new(FindingCode::UnsupportedVersion, "", expected, found, "AIWI-AMB-41"));
        return Reading { document: None, findings, grouped: true };
    }
    let document = members(value, String::new(), "AIWI-DOC-1", &mut findings).and_then(document);
    Reading {
        document: document.filter(|_| !findings.iter().any(Finding::is_error)),
        findings,
        grouped: false,
    }
}

pub(crate) fn crawl_alone(value: Value) -> Result<Crawl, Finding> {
    let mut findings = Vec::new();
    let crawl = members(value, String::new(), "AIWI-DOC-17", &mut findings).and_then(crawl);
    match (findings.into_iter().find(Finding::is_error), crawl) {
        (None, Some(crawl)) => Ok(crawl),
        (Some(error), _) => Err(error),
        // Whatever keeps the object from being read is a finding.
        (None, None) => {
            Err(Finding::new(FindingCode::WrongType, "", "an object", "another value", "AIWI-DOC-17"))
        }
    }
}

/// Whether an object is the 2.0 draft's envelope: none of 1.0's text members, at least three of its groups.
///
/// Spec: AIWI-AMB-40, AIWI-AMB-41.
fn is_grouped_envelope(members: &Map<String, Value>) -> bool {
    const GROUPS: [&str; 8] =
        ["schema", "source", "cache", "identity", "content", "structure", "signals", "economics"];
    let flat = ["url", "title", "markdown"].iter().any(|name| members.contains_key(*name));
    !flat && GROUPS.iter().filter(|name| members.contains_key(**name)).count() >= 3
}

fn document(mut members: Members<'_>) -> Option<Document> {
    let url = page_url(&mut members);
    let canonical_url = members.optional("canonical_url", "AIWI-DOC-3", checker::web_url);
    let title = members.required("title", "AIWI-DOC-4", checker::text);
    if title.as_deref().is_some_and(|title| title.trim().is_empty()) {
        let expected = "a title";
        members.report("title", FindingCode::BlankTitle, expected, "a blank string", "AIWI-DOC-4");
    }
    let description = members.optional("description", "AIWI-DOC-5", checker::text);
    let markdown = members.required("markdown", "AIWI-DOC-6", checker::text);
    let headings = members.required("headings", "AIWI-DOC-8", |at, value| at.array(value, heading));
    let page = url.as_ref();
    let links =
        members.required("links", "AIWI-DOC-10", |at, value| at.array(value, |item| link(item, page)));
    let images = members.optional("images", "AIWI-DOC-13", |at, value| at.array(value, image));
    let meta = members.required("meta", "AIWI-DOC-14", |at, value| at.object(value).and_then(meta));
    let structured_data = members.optional("structured_data", "AIWI-DOC-16", structured_data);
    let crawl = members.required("crawl", "AIWI-DOC-17", |at, value| at.object(value).and_then(crawl));
    let extra = members.rest();
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

/// The page's own URL: user information in it is an error, since it may be the end user's; a fragment is dropped.
fn page_url(members: &mut Members<'_>) -> Option<WebUrl> {
    members
        .required("url", "AIWI-DOC-2", |at, value| {
            let text = checker::text(at, value)?;
            let Some(url) = web_url::parse_absolute(&text) else {
                return at.refuse(&web_url::not_web(&text));
            };
            if web_url::has_credentials(&url) {
                at.report(FindingCode::Credentials, "a URL without user information", "some", "AIWI-DOC-24");
            }
            if url.fragment().is_some() {
                at.report(FindingCode::FragmentDropped, "a URL without fragment", "one", "AIWI-AMB-10");
            }
            at.parsed(WebUrl::new(url))
        })
        .map(WebUrl::without_fragment)
}

fn heading(mut item: Members<'_>) -> Option<Heading> {
    let level =
        item.required("level", "AIWI-DOC-9", |at, value| at.integer(value, 1..=6, "an integer from 1 to 6"));
    let text = item.required("text", "AIWI-DOC-9", checker::text);
    let id = item.optional("id", "AIWI-DOC-9", checker::text);
    let extra = Extra::new(item.rest());
    let level = HeadingLevel::new(u8::try_from(level?).ok()?)?;
    Some(Heading { level, text: text?, id, extra })
}

fn link(mut item: Members<'_>, page: Option<&WebUrl>) -> Option<Link> {
    let url = item.required("url", "AIWI-DOC-11", checker::web_url);
    let internal = item.required("internal", "AIWI-DOC-11", checker::boolean);
    let text = item.optional("text", "AIWI-DOC-11", checker::text);
    let rel = item.optional("rel", "AIWI-DOC-11", checker::text);
    let is_internal = url.as_ref().zip(page).map(|(url, page)| url.same_host(page));
    if let (Some(found), Some(expected)) = (internal, is_internal)
        && found != expected
    {
        let (expected, found) = match expected {
            true => ("true, the hosts being equal", "false"),
            false => ("false, the hosts being different", "true"),
        };
        item.report("internal", FindingCode::WrongInternal, expected, found, "AIWI-DOC-12");
    }
    let extra = Extra::new(item.rest());
    Some(Link { url: url?, internal: internal?, text, rel, extra })
}

fn image(mut item: Members<'_>) -> Option<Image> {
    let url = item.required("url", "AIWI-DOC-13", checker::web_url);
    let alt = item.optional("alt", "AIWI-DOC-13", checker::text);
    let extra = Extra::new(item.rest());
    Some(Image { url: url?, alt, extra })
}

fn meta(mut members: Members<'_>) -> Option<Meta> {
    let language = members.required("language", "AIWI-DOC-14", |at, value| {
        checker::text(at, value).and_then(|text| at.parsed(text.parse()))
    });
    let word_count = members.required("word_count", "AIWI-DOC-14", checker::count);
    let reading_time = members.required("reading_time", "AIWI-DOC-14", checker::count);
    let mut text = |name: &str| members.optional(name, "AIWI-DOC-15", checker::text);
    let (author, site_name, og_image) = (text("author"), text("site_name"), text("og_image"));
    let (published, modified) = (text("published"), text("modified"));
    let keywords = members.optional("keywords", "AIWI-AMB-20", keywords);
    let extra = members.rest();
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
fn keywords(at: &mut Checker<'_>, value: Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => {
            Some(text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(String::from).collect())
        }
        Value::Array(items) => {
            let mut words = Vec::with_capacity(items.len());
            for (index, item) in items.into_iter().enumerate() {
                words.extend(checker::text(&mut at.below(index), item));
            }
            Some(words)
        }
        other => at.wrong_type("an array of strings, or a string", &other),
    }
}

fn structured_data(at: &mut Checker<'_>, value: Value) -> Option<StructuredData> {
    let Value::Object(types) = value else { return at.wrong_type("an object", &value) };
    let mut data = StructuredData::default();
    for (name, nodes) in types {
        match nodes {
            Value::Array(nodes) => data.file(name, nodes),
            node => data.push(name, node),
        }
    }
    Some(data)
}

fn crawl(mut members: Members<'_>) -> Option<Crawl> {
    let fetched_at = members.required("fetched_at", "AIWI-DOC-18", |at, value| {
        checker::text(at, value).and_then(|text| at.parsed(timestamp::parse(&text)))
    });
    let status_code = members.required("status_code", "AIWI-DOC-19", |at, value| {
        at.integer(value, 100..=599, "an integer from 100 to 599")
    });
    let render_mode = members.required("render_mode", "AIWI-DOC-20", checker::text);
    let render_mode = render_mode.map(|text| RenderMode::from_text(&text));
    if let Some(RenderMode::Unknown(text)) = &render_mode {
        let expected = "\"static\" or \"rendered\"";
        let found = Quoted(&text.to_string()).to_string();
        members.report("render_mode", FindingCode::UnknownRenderMode, expected, found, "AIWI-DOC-20");
    }
    let fetch_duration_ms = members.required("fetch_duration_ms", "AIWI-DOC-21", checker::count);
    let content_length = members.required("content_length", "AIWI-DOC-22", checker::count);
    let user_agent = members.required("user_agent", "AIWI-DOC-23", |at, value| {
        checker::text(at, value).and_then(|text| at.parsed(text.parse()))
    });
    let extra = members.rest();
    Some(Crawl {
        fetched_at: fetched_at?,
        status_code: StatusCode::new(u16::try_from(status_code?).ok()?)?,
        render_mode: render_mode?,
        fetch_duration_ms: fetch_duration_ms?,
        content_length: content_length?,
        user_agent: user_agent?,
        extra,
    })
}
