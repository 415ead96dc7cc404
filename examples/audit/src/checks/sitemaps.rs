//! Checks the sitemaps: which of them exist, their entries, and whether they answer conditional
//! requests.

use http::header::{CONTENT_ENCODING, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, Method, StatusCode};
use tct::SitemapReader;
use tct::discovery::discover_in_headers;
use tct::pages::classify_page;
use tct::sitemap::{ListedPage, Sitemap};
use tct::v03::{BodyKind, BodyLimits, Revision, check_sitemap, classify};
use url::Url;

use super::find::Found;
use crate::Context;
use crate::fetch::Answer;
use crate::finding::Check;

/// No more sitemaps than this are read.
const MAX_SITEMAPS: usize = 100;

/// The result of reading the sitemaps.
#[derive(Debug, Default)]
pub(super) struct Read {
    sitemap: Sitemap,
    /// The pages of sitemaps of draft -03.
    exact: Sitemap,
    /// Policy descriptors that the sitemaps link.
    pub(super) policies: Vec<Url>,
    /// Bytes of the sitemaps' bodies, when they are fetched and when they are fetched again.
    pub(super) received: u64,
    pub(super) received_again: u64,
    /// The responses of usual places without a sitemap.
    pub(super) probed: Vec<String>,
    /// How many sitemaps were read.
    pub(super) count: usize,
}

impl Read {
    pub(super) fn pages(&self) -> Vec<ListedPage> {
        [self.sitemap.pages(), self.exact.pages()].concat()
    }
}

/// Reads the named sitemaps and those that they name; if none is named, requests the usual places.
pub(super) async fn read_all(context: &mut Context, found: &Found) -> Read {
    let mut read = Read::default();
    let mut urls = found.sitemaps.clone();
    let is_named = !urls.is_empty();
    urls.extend(found.usual.iter().cloned());
    let mut next = 0;
    while let Some(url) = urls.get(next).cloned() {
        next += 1;
        if !is_named && read.count > 0 && found.usual.contains(&url) {
            continue;
        }
        let Some(answer) = read_one(context, &url, &mut read, is_named).await else { continue };
        let linked = discover_in_headers(&answer.url, &answer.headers);
        for url in linked.sitemaps {
            if !urls.contains(&url) && urls.len() < MAX_SITEMAPS {
                urls.push(url);
            }
        }
        read.policies.extend(linked.policies);
    }
    read
}

async fn read_one(context: &mut Context, url: &Url, read: &mut Read, is_named: bool) -> Option<Answer> {
    let answer = context.get(url).await;
    let place = url.as_str();
    let path = url.path();
    let Some(answer) = answer else {
        read.probed.push(format!("{path}: no answer"));
        return None;
    };
    let kind = classify(&answer.body).ok().flatten();
    let status = answer.status.as_u16();
    if answer.status != StatusCode::OK {
        // Agents turn away at the status; what stands below it shows what to mend.
        if !matches!(kind, Some((BodyKind::MSitemap, _))) {
            read.probed.push(format!("{path}: status {status}"));
            if is_named {
                let found = format!("status {status}");
                context.findings.add(Check::SitemapUnreadable, place, "a sitemap", &found);
            }
            return None;
        }
        let found = format!("a sitemap with status {status}");
        context.findings.add(Check::SitemapStatus, place, "status 200", &found);
    } else if !is_named && kind.is_none() {
        // A server that has a page for everything.
        read.probed.push(format!("{path}: status 200, and no sitemap"));
        return None;
    }
    read_body(context, &answer, kind, read)?;
    read.count += 1;
    read.received += answer.received;
    let again = repeat(context, &answer).await;
    if again.as_ref().is_none_or(|again| again.status != StatusCode::NOT_MODIFIED) {
        let found = again.as_ref().map_or_else(
            || "no entity tag to ask with".to_owned(),
            |again| format!("status {}", again.status.as_u16()),
        );
        context.findings.add(Check::SitemapNotConditional, place, "304 to the tag that it came with", &found);
    }
    read.received_again += again.map_or(answer.received, |again| again.received);
    Some(answer)
}

/// Adds the entries; `None` where there is no sitemap in the body.
fn read_body(
    context: &mut Context,
    answer: &Answer,
    kind: Option<(BodyKind, Revision)>,
    read: &mut Read,
) -> Option<()> {
    let place = answer.url.as_str();
    // A page may be in a sitemap of each revision, with a twin of its own: the two are no contradiction.
    let is_exact = matches!(kind, Some((_, Revision::V03)));
    if is_exact {
        check_exact(context, answer);
    }
    let sitemap = if is_exact { &mut read.exact } else { &mut read.sitemap };
    match sitemap.read(&answer.body, SitemapReader::new(&answer.url)) {
        Ok(report) => {
            for item in &report.skipped {
                let place = format!("{place} item {}", item.index);
                let (expected, found) = ("an entry that can be used", item.issue.code());
                let requirement = item.issue.requirement();
                context.findings.add_for(Check::SitemapEntry, requirement, &place, expected, found);
            }
            if let Some(error) = report.broken {
                let (rule, sentence) = (error.requirement(), error.to_string());
                context.findings.add_sentence(Check::SitemapUnreadable, rule, place, &sentence);
            }
            Some(())
        }
        Err(error) => {
            let (rule, sentence) = (error.requirement(), error.to_string());
            context.findings.add_sentence(Check::SitemapUnreadable, rule, place, &sentence);
            None
        }
    }
}

/// Checks a sitemap of draft -03 as a strict agent does, except for its entries' own faults.
fn check_exact(context: &mut Context, answer: &Answer) {
    let Ok(check) = check_sitemap(&answer.body, Some(&answer.url), &BodyLimits::default()) else { return };
    let place = answer.url.as_str();
    for fault in check.findings() {
        context.findings.add_sentence(Check::SitemapEntry, fault.requirement(), place, &fault.to_string());
    }
    let tag = answer.headers.get(ETAG).map(http::HeaderValue::as_bytes);
    if !check.is_canonical() {
        let (expected, found) = ("bytes in canonical form", "others");
        context.findings.add_for(Check::SitemapEntry, "TCT3-SM-12", place, expected, found);
    }
    let is_coded = answer.headers.contains_key(CONTENT_ENCODING);
    if !is_coded && tag != Some(check.tag().etag().to_string().as_bytes()) {
        let (expected, found) = ("the hash of the bytes as entity tag", "another");
        context.findings.add_for(Check::SitemapEntry, "TCT3-TAG-3", place, expected, found);
    }
}

/// Repeats the request with the entity tag; `None` if there is no tag.
pub(super) async fn repeat(context: &Context, answer: &Answer) -> Option<Answer> {
    let mut headers = HeaderMap::new();
    headers.insert(IF_NONE_MATCH, answer.headers.get(ETAG)?.clone());
    context.client.send(Method::GET, &answer.url, headers, "gzip, br").await.ok()
}

/// Checks what the entries say about their pages.
pub(super) fn check_listed(context: &mut Context, pages: &[ListedPage]) {
    for page in pages {
        if page.modified.is_none() {
            context.findings.add(Check::SitemapUndated, &page.c_url, "the member modified", "none");
        }
        let kind = Url::parse(&page.c_url).ok().map(|url| classify_page(&url));
        if let Some(kind) = kind.filter(|kind| kind.is_listing()) {
            let found = format!("a list ({kind:?})").to_lowercase();
            context.findings.add(Check::ListingInSitemap, &page.c_url, "pages with a text", &found);
        }
    }
}
