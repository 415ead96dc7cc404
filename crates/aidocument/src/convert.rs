//! Conversion between 1.0 and 2.0, with a list of the members that are lost.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use tct_canonical_json::JsonKind;

use web_values::{Language, Timestamp};

use crate::checker::push_escaped;
use crate::crawl::{Crawl, RenderMode, SentUserAgent, StatusCode};
use crate::document::{Document, Meta};
use crate::json::{Extra, JsonObject};
use crate::parts::heading_hierarchy_ok;
use crate::structured_data::StructuredData;
use crate::v2::{self, Call};
use crate::words::reading_time_minutes;

/// A converted document, and the members that were lost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Converted<D> {
    /// The document.
    pub document: D,
    /// JSON Pointers to the members of the source that are lost; a lost group is listed once.
    pub lost: Vec<String>,
}

/// The document of 2.0 with the content of one of 1.0.
///
/// `call` is the cache's part in the call that the new document answers. `has_json_ld` says whether the page
/// declared JSON-LD, which 1.0 does not record; if it is `None`, or if there is structured data, the data decides.
///
/// The following are lost: the crawl facts that 2.0 dropped, the optional members of `meta`, and unknown members
/// outside of headings, links and images. A blank title and the language `und` are left out. Never made up: `ref`,
/// `content_type`, `economics`.
///
/// ```
/// use aidocument::{Crawl, Document, StatusCode, upgrade, v2::Call};
///
/// let agent = "AIWebIndex/1.0 (+https://example.com/bot)".parse()?;
/// let crawl = Crawl::new("2026-05-10T12:34:56Z".parse()?, StatusCode::new(200).ok_or("status")?, agent);
/// let document = Document::builder("https://example.com/a".parse()?, crawl).title("Tea").build();
/// let converted = upgrade(document, Call::Hit, None);
/// assert_eq!(converted.document.identity().title.as_deref(), Some("Tea"));
/// assert_eq!(converted.lost, ["/crawl/fetch_duration_ms", "/crawl/content_length", "/crawl/user_agent"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: AIWebIndex 2.0, "Migration"; AIWI2-MIG-1 to AIWI2-MIG-3, AIWI2-AMB-24.
pub fn upgrade(document: Document, call: Call, has_json_ld: Option<bool>) -> Converted<v2::Document> {
    let mut lost = Vec::new();
    for name in ["fetch_duration_ms", "content_length", "user_agent"] {
        lost.push(alloc::format!("/crawl/{name}"));
    }
    let Document { meta, crawl, .. } = &document;
    let told = [
        ("author", meta.author.is_some()),
        ("site_name", meta.site_name.is_some()),
        ("keywords", meta.keywords.is_some()),
        ("og_image", meta.og_image.is_some()),
        ("published", meta.published.is_some()),
        ("modified", meta.modified.is_some()),
    ];
    lost.extend(
        told.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| alloc::format!("/meta/{name}")),
    );
    lose_unknown(&mut lost, "/meta", &meta.extra);
    lose_unknown(&mut lost, "/crawl", &crawl.extra);
    lose_unknown(&mut lost, "", &document.extra);

    let Document { url, canonical_url, title, description, markdown, headings, links, images, .. } = document;
    let mut builder = v2::Document::builder(url, call)
        .title(title)
        .language(document.meta.language)
        .content(markdown, "")
        .fetched_at(document.crawl.fetched_at)
        .status_code(document.crawl.status_code)
        .render_mode(document.crawl.render_mode)
        .has_json_ld(has_json_ld.unwrap_or(false));
    if let Some(description) = description {
        builder = builder.description(description);
    }
    if let Some(canonical_url) = canonical_url {
        builder = builder.canonical_url(canonical_url);
    }
    let mut converted = builder.build();
    let has_data = document.structured_data.as_ref().is_some_and(|data| !data.is_empty());
    converted.signals.has_json_ld |= has_data;
    converted.signals.heading_hierarchy_ok = heading_hierarchy_ok(&headings);
    converted.signals.word_count = Some(document.meta.word_count);
    converted.signals.reading_time = Some(document.meta.reading_time);
    converted.structure.headings = Some(headings);
    // Entries are the same in both versions, unknown members in them too.
    converted.structure.links = Some(links);
    converted.structure.images = images;
    converted.structure.structured_data = document.structured_data.map(JsonObject::from);
    Converted { document: converted, lost }
}

/// Facts that 1.0 requires and a document of 2.x may lack. The document's own values take
/// precedence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrawlFacts {
    /// Duration of the fetch in milliseconds; always needed.
    pub fetch_duration_ms: Option<u64>,
    /// Length of the body in bytes; always needed.
    pub content_length: Option<u64>,
    /// The `User-Agent` that was sent; always needed.
    pub user_agent: Option<SentUserAgent>,
    /// When the page was fetched.
    pub fetched_at: Option<Timestamp>,
    /// HTTP status of the fetch.
    pub status_code: Option<StatusCode>,
    /// Whether scripts ran before the page was read.
    pub render_mode: Option<RenderMode>,
    /// Number of words.
    pub word_count: Option<u64>,
}

/// Facts that 1.0 requires and that are missing.
///
/// Spec: AIWI2-AMB-25.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackingFacts(Vec<&'static str>);

impl LackingFacts {
    /// JSON Pointers to the members of 1.0 that cannot be written.
    #[must_use]
    pub fn members(&self) -> &[&'static str] {
        &self.0
    }
}

impl fmt::Display for LackingFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected facts for {}, found none", self.0.join(", "))
    }
}

impl core::error::Error for LackingFacts {}

/// The document of 1.0 with the content of one of 2.x.
///
/// Missing values are only filled in if they follow from the document: no title becomes an empty one, absent
/// headings and links become empty lists, no language becomes `und`, and the reading time follows from the words.
///
/// The following are lost: `schema.ref`, the policy, the groups `cache` and `economics`, `content_type`, both flags,
/// structured data with members that are neither objects nor arrays, and unknown members outside of headings, links
/// and images. `static_after_render_failure` becomes `static` and is reported as lost.
///
/// # Errors
/// If a fact is lacking that 1.0 needs.
///
/// ```
/// use aidocument::{CrawlFacts, downgrade, v2::{Call, Document}};
///
/// let document = Document::builder("https://example.com/a".parse()?, Call::Hit).build();
/// let lacking = downgrade(document, &CrawlFacts::default()).unwrap_err();
/// assert!(lacking.members().contains(&"/crawl/fetched_at"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: AIWebIndex 2.0, "Migration"; AIWI2-MIG-1, AIWI2-MIG-4, AIWI2-AMB-25.
pub fn downgrade(document: v2::Document, facts: &CrawlFacts) -> Result<Converted<Document>, LackingFacts> {
    let mut lacking = Vec::new();
    let source = &document.source;
    let fetched_at = need(&mut lacking, "/crawl/fetched_at", source.fetched_at.or(facts.fetched_at));
    let status_code = need(&mut lacking, "/crawl/status_code", source.status_code.or(facts.status_code));
    let render_mode = source.render_mode.clone().or_else(|| facts.render_mode.clone());
    let render_mode = need(&mut lacking, "/crawl/render_mode", render_mode);
    let fetch_duration_ms = need(&mut lacking, "/crawl/fetch_duration_ms", facts.fetch_duration_ms);
    let content_length = need(&mut lacking, "/crawl/content_length", facts.content_length);
    let user_agent = need(&mut lacking, "/crawl/user_agent", facts.user_agent.clone());
    let word_count = document.signals.word_count.or(facts.word_count);
    let word_count = need(&mut lacking, "/meta/word_count", word_count);
    let (
        Some(fetched_at),
        Some(status_code),
        Some(render_mode),
        Some(fetch_duration_ms),
        Some(content_length),
        Some(user_agent),
        Some(word_count),
    ) = (fetched_at, status_code, render_mode, fetch_duration_ms, content_length, user_agent, word_count)
    else {
        return Err(LackingFacts(lacking));
    };

    let mut lost = lost_of(&document);
    let v2::Document { source, identity, content, structure, signals, .. } = document;
    let structured_data = structure.structured_data.filter(|data| !data.is_empty()).and_then(|data| {
        let read = data.read();
        let is_node = |kind| matches!(kind, JsonKind::Object | JsonKind::Array);
        match read.root().members().all(|(_, value)| is_node(value.kind())) {
            true => Some(StructuredData::read_from(read.root())),
            false => {
                lost.push("/structure/structured_data".to_string());
                None
            }
        }
    });
    let mut crawl = Crawl::new(fetched_at, status_code, user_agent);
    crawl.render_mode = match render_mode {
        RenderMode::StaticAfterRenderFailure => RenderMode::Static,
        mode => mode,
    };
    crawl.fetch_duration_ms = fetch_duration_ms;
    crawl.content_length = content_length;
    let meta = Meta {
        language: identity.language.unwrap_or_else(Language::default),
        word_count,
        reading_time: signals.reading_time.unwrap_or(reading_time_minutes(word_count)),
        ..Meta::default()
    };
    let document = Document {
        url: source.url,
        canonical_url: source.canonical_url,
        title: identity.title.unwrap_or_default(),
        description: identity.description,
        markdown: content.markdown,
        headings: structure.headings.unwrap_or_default(),
        links: structure.links.unwrap_or_default(),
        images: structure.images,
        meta,
        structured_data,
        crawl,
        extra: Extra::default(),
    };
    Ok(Converted { document, lost })
}

fn need<T>(lacking: &mut Vec<&'static str>, member: &'static str, fact: Option<T>) -> Option<T> {
    if fact.is_none() {
        lacking.push(member);
    }
    fact
}

fn lost_of(document: &v2::Document) -> Vec<String> {
    let mut lost = Vec::new();
    let mut lose = |pointer: &str, is_there: bool| {
        if is_there {
            lost.push(pointer.to_string());
        }
    };
    lose("/schema/ref", document.schema.reference.is_some());
    lose("/source/freshness_policy", true);
    lose("/source/render_mode", document.source.render_mode == Some(RenderMode::StaticAfterRenderFailure));
    lose("/cache", true);
    lose("/identity/content_type", document.identity.content_type.is_some());
    lose("/signals/has_json_ld", true);
    lose("/signals/heading_hierarchy_ok", true);
    lose("/economics", document.economics.is_some());
    lose_unknown(&mut lost, "/schema", &document.schema.extra);
    lose_unknown(&mut lost, "/source", &document.source.extra);
    lose_unknown(&mut lost, "/identity", &document.identity.extra);
    lose_unknown(&mut lost, "/content", &document.content.extra);
    lose_unknown(&mut lost, "/structure", &document.structure.extra);
    lose_unknown(&mut lost, "/signals", &document.signals.extra);
    lose_unknown(&mut lost, "", &document.extra);
    lost
}

fn lose_unknown(lost: &mut Vec<String>, parent: &str, extra: &Extra) {
    if extra.is_empty() {
        return;
    }
    for (name, _) in extra.read().root().members() {
        let mut pointer = alloc::format!("{parent}/");
        push_escaped(&mut pointer, &name.as_str());
        lost.push(pointer);
    }
}
