//! A site's TCT sitemaps: what they list, and which pages need a request.
//!
//! Each is asked for under the condition that it changed; [`tct::Planner`] decides about each page by its hash. Pages
//! whose hash is that of the held twin cost nothing.

use http::StatusCode;
use tct::plan::SitemapDate;
use tct::sitemap::{ListedPage, Sitemap};
use tct::{CUrl, Discovery, HeldPage, MUrl, Plan, PlanPolicy, Planner, SitemapReader};
use url::Url;

use crate::client::{Exchange, Request};
use crate::clock;
use crate::limits::BodyLimit;
use crate::output::{Counts, Line};
use crate::site::{Setback, Visitor};
use crate::steps::{conditions, confirmed, entry_of, robots_txt};
use crate::store::{Entry, Kind};
use crate::task::{PageWork, Work};
use crate::writer::Changes;

/// More sitemaps than this of one site are not followed.
const MAX_SITEMAPS: usize = 1000;
/// More findings than this are not told.
const MAX_FINDINGS: usize = 20;

/// Reads the sitemaps, and plans each page.
///
/// # Errors
/// A [`Setback`] where one cannot be fetched now.
pub async fn run(visitor: &mut Visitor, urls: &[Url], start: &PageWork) -> Result<Changes, Setback> {
    let (mut urls, mut usable) = (urls.to_vec(), Vec::new());
    let (mut sitemap, mut findings, mut entries) = (Sitemap::new(), Vec::new(), Vec::new());
    let mut next = 0;
    let mut left = visitor.crawl.gate.client().limits().sitemap_bytes;
    while let Some(url) = urls.get(next).cloned() {
        next += 1;
        let fetched = match fetch(visitor, &url, BodyLimit::Refuse(left)).await {
            // What is wrong with one sitemap is no reason to leave the site.
            Err(Setback::Fetch(error)) if !error.kind().is_transient() => {
                findings.push(format!("{url}: {}: {error}", error.kind().code()));
                None
            }
            other => other?,
        };
        let Some((exchange, body)) = fetched else { continue };
        left = left.saturating_sub(body.bytes.len());
        // A site that grew names its new sitemaps in the answers of the old ones.
        let Discovery { sitemaps, .. } = tct::discovery::discover_in_headers(&url, &exchange.headers);
        for added in sitemaps {
            if added.origin() == url.origin() && !urls.contains(&added) && urls.len() < MAX_SITEMAPS {
                urls.push(added);
            }
        }
        match sitemap.read(&body.bytes, SitemapReader::new(&url)) {
            Ok(report) => {
                let skipped =
                    report.skipped.iter().map(|item| format!("item {}: {}", item.index, item.issue.code()));
                findings.extend(skipped.chain(report.broken.iter().map(ToString::to_string)));
                let is_new = exchange.status != StatusCode::NOT_MODIFIED;
                entries.push((url.to_string(), body.entry, is_new.then_some(body.bytes)));
                usable.push(url);
            }
            Err(error) => findings.push(format!("{url}: {error}")),
        }
    }
    visitor.record.sitemaps = usable;
    Ok(Changes { entries, ..plan(visitor, &sitemap, findings, start)? })
}

/// A sitemap's bytes with what is known of them.
struct Body {
    bytes: Vec<u8>,
    entry: Entry,
}

/// The sitemap as it is now, by the server's answer or by the store; `None` where there is none.
async fn fetch(
    visitor: &mut Visitor,
    url: &Url,
    limit: BodyLimit,
) -> Result<Option<(Exchange, Body)>, Setback> {
    if !robots_txt::allows(visitor, url).await? {
        return Ok(None);
    }
    let held = visitor.crawl.store.entry(url.as_str())?.filter(|entry| entry.kind == Kind::Sitemap);
    let request = Request { headers: conditions(held.as_ref()), ..Request::get(url.clone(), limit) };
    let mut exchange = visitor.fetch(request).await?;
    let body = match (exchange.status, held) {
        (StatusCode::NOT_MODIFIED, Some(held)) => {
            let bytes = visitor.crawl.store.body(url.as_str())?;
            Body { bytes, entry: confirmed(held, &exchange.headers) }
        }
        (StatusCode::OK, _) => {
            let bytes = std::mem::take(&mut exchange.body);
            Body { bytes, entry: entry_of(Kind::Sitemap, &exchange) }
        }
        (status, _) if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            return Err(visitor.busy(&exchange));
        }
        _ => return Ok(None),
    };
    Ok(Some((exchange, body)))
}

/// What to do about each page that is listed, and about the start if it is not.
fn plan(
    visitor: &mut Visitor,
    sitemap: &Sitemap,
    mut findings: Vec<String>,
    start: &PageWork,
) -> Result<Changes, Setback> {
    let now = clock::seconds();
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
    let mut changes = Changes::default();
    let (mut unchanged, mut revalidate, mut fetch, mut lists_start) = (0, 0, 0, false);
    let start_page = CUrl::parse(start.url.as_str()).ok();
    for ListedPage { c_url, m_url, hash, .. } in sitemap.pages() {
        let (page, twin) = match (CUrl::parse(c_url), MUrl::parse(m_url)) {
            (Ok(page), Ok(twin)) => (page, twin),
            (Err(error), _) | (_, Err(error)) => {
                findings.push(format!("{c_url}: {error}"));
                continue;
            }
        };
        lists_start |= start_page.as_ref().is_some_and(|start| start.is_same_page(&page));
        let held = held_twin(visitor, &page, &twin)?;
        match planner.plan(hash.as_deref(), held.as_ref()) {
            Plan::Skip => {
                unchanged += 1;
                changes.seen.push(page.as_str().to_owned());
                continue;
            }
            Plan::Revalidate { .. } => revalidate += 1,
            Plan::Fetch => fetch += 1,
        }
        let (page, twin) = (page.as_str().to_owned(), twin.as_str().to_owned());
        changes.tasks.push(Work::Twin { page, twin, hash: hash.clone() }.into());
    }
    if !lists_start {
        changes.tasks.push(Work::Page(start.clone()).into());
    }
    let (sitemaps, pages) = (visitor.record.sitemaps.len(), sitemap.pages().len());
    findings.truncate(MAX_FINDINGS);
    let site = visitor.origin.origin().ascii_serialization();
    changes.lines.push(Line::Sitemaps { site, sitemaps, pages, unchanged, revalidate, fetch, findings });
    changes.counts = Counts { unchanged: unchanged as u64, ..Counts::default() };
    Ok(changes)
}

/// What is held of this twin.
pub(crate) fn held_twin(visitor: &Visitor, page: &CUrl, twin: &MUrl) -> Result<Option<HeldPage>, Setback> {
    let entry = visitor.crawl.store.entry(page.as_str())?;
    let is_it = |entry: &Entry| entry.kind == Kind::Twin && entry.source == twin.as_str();
    Ok(entry.filter(is_it).map(|entry| entry.held))
}
