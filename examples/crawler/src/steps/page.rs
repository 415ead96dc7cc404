//! A page without a twin: fetched as HTML, extracted to an AIDocument.

use std::collections::BTreeSet;

use aidocument::v2::Call;
use aidocument::{AnyDocument, Crawl as CrawlFacts, Link, StatusCode as DocumentStatus, Timestamp, WebUrl};
use aidocument_extract::{ExtractFindingKind, Options, Snapshot, extract, extract_v2};
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, StatusCode};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{Options as MarkdownOptions, Parser};
use url::Url;

use crate::client::{Exchange, Request};
use crate::limits::BodyLimit;
use crate::output::{Counts, Line};
use crate::site::{Setback, Visitor};
use crate::steps::{
    conditions, confirmed, entry_of, failed, kept, not_kept, passed, refused, robots_txt, stored, terms,
    usage, without_body,
};
use crate::store::{Entry, Kind};
use crate::task::{PageWork, Task, Work};
use crate::writer::Changes;
use crate::{CrawlerError, DocumentVersion, clock};

/// The pages that llmindex names may come as Markdown.
const MARKDOWN: &str = "text/markdown";

/// Fetches the page unless the stored one is fresh, and evaluates the response.
///
/// # Errors
/// A [`Setback`] if there is no answer now.
pub async fn run(visitor: &mut Visitor, work: &PageWork) -> Result<Changes, Setback> {
    if !robots_txt::allows(visitor, &work.url).await? {
        return Ok(passed(work.url.as_str(), "robots", ""));
    }
    // robots.txt and policy may be enough to know that the page is not for this crawl.
    if let Some(why) = usage::refusal(&usage::of_site(&visitor.record, &work.url), &visitor.crawl.options) {
        return Ok(refused(work.url.as_str(), "usage", why));
    }
    let held = visitor.crawl.store.entry(work.url.as_str())?.filter(|entry| entry.kind == Kind::Document);
    if let Some(held) = held.as_ref().filter(|held| held.is_fresh(clock::seconds())) {
        let tasks = links_of_held(visitor, work, held)?;
        return Ok(Changes {
            tasks,
            counts: Counts { unchanged: 1, ..Counts::default() },
            ..Changes::default()
        });
    }
    let limit = BodyLimit::Refuse(visitor.crawl.gate.client().limits().page_bytes);
    let headers = conditions(held.as_ref());
    let request = Request { headers, wants: is_page, ..Request::get(work.url.clone(), limit) };
    let exchange = visitor.fetch_page(request).await?;
    take(visitor, work, exchange, held).await
}

/// Decides what to store of a page's response.
///
/// # Errors
/// A [`Setback`] if the server wants to be asked later.
pub async fn take(
    visitor: &mut Visitor,
    work: &PageWork,
    exchange: Exchange,
    held: Option<Entry>,
) -> Result<Changes, Setback> {
    let url = work.url.as_str();
    match (exchange.status, held) {
        (StatusCode::NOT_MODIFIED, Some(held)) => {
            terms::refresh_for(visitor, &exchange, None).await?;
            let entry = confirmed(visitor, held, &exchange);
            let tasks = links_of_held(visitor, work, &entry)?;
            let not_kept = not_kept(visitor, url, &entry, &exchange.headers);
            Ok(Changes { tasks, ..not_kept.unwrap_or_else(|| kept(url, entry)) })
        }
        (StatusCode::OK, _) if !is_page(&exchange.headers) => {
            Ok(passed(url, "not-a-page", exchange.field(CONTENT_TYPE).unwrap_or_default()))
        }
        (StatusCode::OK, _) => read(visitor, work, exchange).await,
        (status, _) if status.is_redirection() && exchange.headers.contains_key(LOCATION) => {
            Ok(redirect(visitor, work, &exchange))
        }
        _ => without_body(visitor, url, &exchange),
    }
}

/// Whether it is HTML, Markdown or text; a response that does not say is taken for HTML.
pub(crate) fn is_page(headers: &HeaderMap) -> bool {
    let known = ["text/html", "application/xhtml+xml", MARKDOWN, "text/plain"];
    known.iter().any(|known| media_type(headers).eq_ignore_ascii_case(known))
}

fn media_type(headers: &HeaderMap) -> &str {
    let field = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    field.unwrap_or("text/html").split(';').next().unwrap_or_default().trim()
}

/// The place that a redirect names becomes a task of its own, so that it waits its turn and asks its robots.txt.
fn redirect(visitor: &Visitor, work: &PageWork, exchange: &Exchange) -> Changes {
    let url = work.url.as_str();
    let next = exchange.field(LOCATION).and_then(|location| work.url.join(location).ok());
    let Some(mut next) = next.filter(|next| tct::UrlPolicy::allowing_http().check(next).is_ok()) else {
        return failed(url, "redirect-refused", "expected a redirect to an http or https URL, found another");
    };
    next.set_fragment(None);
    if next == work.url || work.trail.contains(&next) {
        return failed(url, "redirect-loop", format!("expected a new URL, found {next} again"));
    }
    if work.trail.len() >= visitor.crawl.gate.client().limits().redirects {
        return failed(url, "too-many-redirects", format!("expected {} at most", work.trail.len()));
    }
    let trail = work.trail.iter().chain([&work.url]).cloned().collect();
    let page = PageWork { url: next.clone(), depth: work.depth, trail };
    let line = Line::Redirected { url: url.to_owned(), to: next.to_string() };
    if next.origin() == visitor.origin.origin() {
        return Changes { tasks: vec![Work::Page(page).into()], ..Changes::line(line) };
    }
    // Only a start may lead to another site, `example.com` to `www.example.com`: links never do.
    let is_safe = work.url.scheme() != "https" || next.scheme() == "https";
    if work.depth > 0 || !is_safe || !visitor.crawl.may_visit(&next) {
        return passed(url, "redirect-elsewhere", next.as_str());
    }
    let tasks = visitor.crawl.options.first_tasks(page).into_iter();
    let elsewhere = tasks.map(|task| (next.origin().ascii_serialization(), task)).collect();
    Changes { elsewhere, ..Changes::line(line) }
}

/// What was extracted.
struct Document {
    json: Vec<u8>,
    title: String,
    links: Vec<(Url, bool)>,
    findings: Vec<String>,
}

async fn read(visitor: &mut Visitor, work: &PageWork, exchange: Exchange) -> Result<Changes, Setback> {
    let url = work.url.as_str();
    terms::refresh_for(visitor, &exchange, Some(&exchange.body)).await?;
    let agent = &visitor.crawl.options.agent;
    let mut entry = entry_of(Kind::Document, &exchange);
    let (usage, licences) = usage::of_response(&visitor.record, &exchange, Some(&exchange.body));
    (entry.usage, entry.licences) = (usage, Some(licences));
    let headers = exchange.headers.clone();
    let (agent, version) = (agent.as_str().to_owned(), visitor.crawl.options.document_version);
    // Parsing a large page takes long enough to keep other sites waiting.
    let extracting = tokio::task::spawn_blocking(move || document(exchange, &agent, version));
    let Ok(document) = extracting.await else {
        return Ok(failed(url, "extraction", "the extraction panicked"));
    };
    let document = document?;
    entry.follows_links = !entry.usage.directives.has("nofollow");
    let tasks = match entry.follows_links {
        true => follow(visitor, work, document.links),
        false => Vec::new(),
    };
    if let Some(not_kept) = not_kept(visitor, url, &entry, &headers) {
        return Ok(Changes { tasks, ..not_kept });
    }
    entry.title.clone_from(&document.title);
    let store = &visitor.crawl.store;
    let before = store.entry(url)?.filter(|before| before.kind == Kind::Document);
    // A server without validators sends the page again: what is on it may be what is held.
    if before.is_some_and(|before| before.source == entry.source)
        && says_the_same(&store.body(url)?, &document.json)
    {
        return Ok(Changes { tasks, ..kept(url, entry) });
    }
    Ok(Changes { tasks, ..stored(url, entry, document.json, document.findings) })
}

/// Whether two documents differ in nothing but what their fetches were.
fn says_the_same(one: &[u8], other: &[u8]) -> bool {
    let page = |json: &[u8]| {
        let mut document: serde_json::Value = serde_json::from_slice(json).ok()?;
        // In 1.0 it is a member of its own, in 2.0 the time stands with the source.
        document.as_object_mut()?.remove("crawl");
        let source = document.get_mut("source").and_then(serde_json::Value::as_object_mut);
        source.and_then(|source| source.remove("fetched_at"));
        Some(document)
    };
    page(one).is_some_and(|one| Some(one) == page(other))
}

fn document(exchange: Exchange, agent: &str, version: DocumentVersion) -> Result<Document, CrawlerError> {
    let bad = |what: &str| CrawlerError::Client(format!("the document's {what} is refused"));
    let url = WebUrl::try_from(exchange.url.clone()).map_err(|_| bad("URL"))?;
    let now = i64::try_from(clock::seconds().0).ok().and_then(|at| Timestamp::from_parts(at, 0));
    let status = DocumentStatus::new(exchange.status.as_u16()).ok_or_else(|| bad("status"))?;
    let at = now.ok_or_else(|| bad("time"))?;
    // Markdown is HTML written in another way, all of it content.
    let mut written = String::new();
    let is_markdown = media_type(&exchange.headers).eq_ignore_ascii_case(MARKDOWN);
    if is_markdown {
        let markdown = String::from_utf8_lossy(&exchange.body);
        push_html(&mut written, Parser::new_ext(&markdown, MarkdownOptions::ENABLE_TABLES));
    }
    let (html, content_type) = match is_markdown {
        true => (written.as_bytes(), Some("text/html; charset=utf-8")),
        false => (exchange.body.as_slice(), exchange.field(CONTENT_TYPE)),
    };
    let mut options = Options::default();
    options.whole_page = is_markdown;
    let (document, findings) = match version {
        DocumentVersion::V1 => {
            let agent = agent.parse().map_err(|_| bad("User-Agent"))?;
            let mut facts = CrawlFacts::new(at, status, agent);
            facts.fetch_duration_ms = u64::try_from(exchange.took.as_millis()).unwrap_or(u64::MAX);
            facts.content_length = exchange.body.len() as u64;
            let extracted = extract(html, url, content_type, facts, &options);
            (AnyDocument::V1(extracted.document), extracted.findings)
        }
        DocumentVersion::V2 => {
            let snapshot =
                Snapshot { fetched_at: Some(at), status_code: Some(status), ..Snapshot::default() };
            let extracted = extract_v2(html, url, content_type, snapshot, Call::Refreshed, &options);
            (AnyDocument::V2(extracted.document), extracted.findings)
        }
    };
    Ok(Document {
        json: serde_json::to_vec(&document)?,
        title: document.title().unwrap_or_default().to_owned(),
        links: links(&document),
        // What is hidden is told as a count, and by its instructions; `aiweb extract --hidden` shows the rest.
        findings: findings
            .iter()
            .filter(|finding| finding.kind() != ExtractFindingKind::HiddenSentence)
            .map(ToString::to_string)
            .collect(),
    })
}

/// Where a document's links lead, and whether the page vouches for them.
fn links(document: &AnyDocument) -> Vec<(Url, bool)> {
    let vouched = |link: &Link| {
        !link.rel().is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word == "nofollow"))
    };
    document.links().iter().filter_map(|link| Some((link.url().parse().ok()?, vouched(link)))).collect()
}

/// The tasks that the links of the stored document make.
fn links_of_held(visitor: &Visitor, work: &PageWork, held: &Entry) -> Result<Vec<Task>, Setback> {
    if !held.follows_links {
        return Ok(Vec::new());
    }
    let json = visitor.crawl.store.body(work.url.as_str())?;
    let document = AnyDocument::parse(&json);
    Ok(document.map(|document| follow(visitor, work, links(&document))).unwrap_or_default())
}

/// The pages of the same site that the links lead to; no more than one crawl could fetch.
fn follow(visitor: &Visitor, work: &PageWork, links: Vec<(Url, bool)>) -> Vec<Task> {
    if work.depth >= visitor.crawl.options.depth {
        return Vec::new();
    }
    let origin = visitor.origin.origin();
    let vouched = links.into_iter().filter(|(_, is_vouched)| *is_vouched);
    let on_site =
        vouched.map(|(url, _)| visitor.crawl.gate.upgrade(url)).filter(|url| url.origin() == origin);
    let mut known = BTreeSet::new();
    let mut pages = on_site.map(|url| PageWork::new(url, work.depth + 1));
    let new = pages.by_ref().filter(|page| known.insert(page.url.as_str().to_owned()));
    let most = usize::try_from(visitor.crawl.options.max_pages).unwrap_or(usize::MAX);
    new.take(most).map(|page| Work::Page(page).into()).collect()
}
