//! TCT: where sitemap and policy are, what stands in them, and what that saves. The twins are looked at in `twin`.

use http::header::{ETAG, IF_NONE_MATCH};
use http::{HeaderMap, Method, StatusCode};
use robots::Preferences;
use tct::discovery::{SitemapSearch, discover_in_headers};
use tct::pages::classify_page;
use tct::sitemap::{ListedPage, Sitemap};
use tct::v03::{Revision, SitemapOrigin, check_sitemap, classify};
use tct::{CUrl, MUrl, Permission, PolicyDescriptor, Purpose, SitemapReader, UrlPolicy, discover};
use url::Url;

use super::twin;
use crate::fetch::Answer;
use crate::finding::{Check, Protocol};
use crate::report::{Offer, Savings};
use crate::{Context, offer};

/// No more sitemaps than this are read.
const MAX_SITEMAPS: usize = 100;

pub(crate) async fn run(context: &mut Context) -> (Offer, Option<Savings>) {
    let mut facts = Vec::new();
    let start = context.start.clone();
    let found = discover(&start.url, &start.headers, &start.body);
    let place = start.url.as_str();
    match found.m_urls.is_empty() {
        true => context.findings.add(Check::TwinLinkMissing, place, "a link to the page's twin", "none"),
        false => facts.push("the page links its twin".to_owned()),
    }
    if found.sitemaps.is_empty() {
        context.findings.add(Check::SitemapLinkMissing, place, "a link to a JSON sitemap", "none");
    }
    let hints: Vec<String> = context.robots.sitemaps().map(str::to_owned).collect();
    let search = SitemapSearch::default().with_robots_lines(hints.iter().map(String::as_str));
    let mut urls: Vec<Url> =
        search.candidates(&start.url, &found).into_iter().map(|candidate| candidate.url).collect();
    let mut read = Read::default();
    let mut next = 0;
    while let Some(url) = urls.get(next).cloned() {
        next += 1;
        let Some(answer) = read_sitemap(context, &url, &mut read).await else { continue };
        let linked = discover_in_headers(&answer.url, &answer.headers);
        for url in linked.sitemaps {
            if !urls.contains(&url) && urls.len() < MAX_SITEMAPS {
                urls.push(url);
            }
        }
        read.policies.extend(linked.policies);
    }
    let mut pages = read.sitemap.pages().to_vec();
    pages.extend_from_slice(read.exact.pages());
    if !pages.is_empty() {
        facts.push(format!("a sitemap with {} pages", pages.len()));
        check_listed(context, &pages);
    }
    check_policy(context, &read, &mut facts).await;
    let savings = match pages.is_empty() {
        true => None,
        false => Some(measure(context, &pages, &read).await),
    };
    (offer(Protocol::Tct, facts), savings)
}

/// What the sitemaps came to.
#[derive(Debug, Default)]
struct Read {
    sitemap: Sitemap,
    /// The pages of sitemaps of draft -03.
    exact: Sitemap,
    policies: Vec<Url>,
    /// Bytes of the sitemaps' bodies, when they are fetched and when they are fetched again.
    received: u64,
    received_again: u64,
}

async fn read_sitemap(context: &mut Context, url: &Url, read: &mut Read) -> Option<Answer> {
    let answer = context.get(url).await?;
    let place = url.as_str();
    if answer.status != StatusCode::OK {
        let found = format!("status {}", answer.status.as_u16());
        context.findings.add(Check::SitemapUnreadable, place, "a sitemap", &found);
        return None;
    }
    let reader = SitemapReader::new(&answer.url);
    // A page may be in a sitemap of each revision, with a twin of its own: the two are no contradiction.
    let is_exact = matches!(classify(&answer.body), Ok(Some((_, Revision::V03))));
    if is_exact {
        check_exact_sitemap(context, &answer);
    }
    let sitemap = if is_exact { &mut read.exact } else { &mut read.sitemap };
    match sitemap.read(&answer.body, reader) {
        Ok(report) => {
            for item in &report.skipped {
                let place = format!("{place} item {}", item.index);
                let (expected, found) = ("an entry that can be used", item.issue.code());
                let requirement = item.issue.requirement();
                context.findings.add_for(Check::SitemapEntry, requirement, &place, expected, found);
            }
            if let Some(error) = report.broken {
                let requirement = error.requirement();
                context.findings.add_sentence(
                    Check::SitemapUnreadable,
                    requirement,
                    place,
                    &error.to_string(),
                );
            }
        }
        Err(error) => {
            let requirement = error.requirement();
            context.findings.add_sentence(Check::SitemapUnreadable, requirement, place, &error.to_string());
            return None;
        }
    }
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

/// What a strict agent would say of a sitemap of draft -03, its entries' own faults aside.
fn check_exact_sitemap(context: &mut Context, answer: &Answer) {
    let Ok(check) = check_sitemap(&answer.body, SitemapOrigin::Of(&answer.url)) else { return };
    let place = answer.url.as_str();
    for fault in check.findings() {
        context.findings.add_sentence(Check::SitemapEntry, fault.requirement(), place, &fault.to_string());
    }
    let tag = answer.headers.get(ETAG).map(http::HeaderValue::as_bytes);
    if !check.is_canonical() {
        let (expected, found) = ("bytes in canonical form", "others");
        context.findings.add_for(Check::SitemapEntry, "TCT3-SM-12", place, expected, found);
    }
    let is_coded = answer.headers.contains_key(http::header::CONTENT_ENCODING);
    if !is_coded && tag != Some(check.tag().etag().to_string().as_bytes()) {
        let (expected, found) = ("the hash of the bytes as entity tag", "another");
        context.findings.add_for(Check::SitemapEntry, "TCT3-TAG-3", place, expected, found);
    }
}

/// The same request again, under the condition that something changed; `None` where there is no tag for that.
pub(super) async fn repeat(context: &Context, answer: &Answer) -> Option<Answer> {
    let mut headers = HeaderMap::new();
    headers.insert(IF_NONE_MATCH, answer.headers.get(ETAG)?.clone());
    context.client.send(Method::GET, &answer.url, headers, "gzip, br").await.ok()
}

fn check_listed(context: &mut Context, pages: &[ListedPage]) {
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

async fn check_policy(context: &mut Context, read: &Read, facts: &mut Vec<String>) {
    let Some(url) = read.policies.first().cloned() else {
        let place = context.start.url.to_string();
        context.findings.add(
            Check::PolicyMissing,
            &place,
            "a policy descriptor, linked from the sitemap",
            "none",
        );
        return;
    };
    let Some(answer) = context.get(&url).await.filter(|answer| answer.status == StatusCode::OK) else {
        context.findings.add(Check::PolicyFault, url.as_str(), "the policy that the sitemap links", "none");
        return;
    };
    let (policy, faults) = match PolicyDescriptor::parse(&answer.body) {
        Ok(parsed) => parsed,
        Err(error) => {
            let requirement = error.requirement();
            context.findings.add_sentence(Check::PolicyFault, requirement, url.as_str(), &error.to_string());
            return;
        }
    };
    for fault in faults {
        let place = format!("{url}#{}", fault.path);
        context.findings.add(Check::PolicyFault, &place, "a value of the member's type", fault.code.code());
    }
    facts.push("a policy descriptor".to_owned());
    check_preferences(context, &policy, &url);
}

/// Whether robots.txt says the same as the policy.
fn check_preferences(context: &mut Context, policy: &PolicyDescriptor, url: &Url) {
    let stated = Preferences::of_robots(&context.robots, &context.agent, &context.start.url);
    for (signal, yes) in stated.signals().collect::<Vec<_>>() {
        let purpose = match signal {
            robots::Signal::Search => Purpose::SearchIndexing,
            robots::Signal::AiInput => Purpose::AiInput,
            robots::Signal::AiTrain => Purpose::AiTrain,
            _ => continue,
        };
        let is_contrary = matches!(
            (policy.permission(purpose), yes),
            (Permission::Allowed, robots::Preference::No) | (Permission::Denied, robots::Preference::Yes)
        );
        if is_contrary {
            let expected = format!("the policy to say {}={yes:?} too", signal.name()).to_lowercase();
            context.findings.add(Check::PreferencesConflict, url.as_str(), &expected, "the contrary");
        }
    }
}

/// Fetches some of the listed pages in both forms, looks at the twins, and adds up the bytes.
async fn measure(context: &mut Context, pages: &[ListedPage], read: &Read) -> Savings {
    let mut savings = Savings {
        pages_listed: pages.len() as u64,
        pages_measured: 0,
        html_bytes: 0,
        twin_bytes: 0,
        sitemap_bytes: read.received,
        sitemap_again_bytes: read.received_again,
    };
    // What lies in the clear has been reported; it is looked at all the same.
    let policy = UrlPolicy::allowing_http();
    let step = pages.len().div_ceil(context.options.pages.max(1)).max(1);
    for page in pages.iter().step_by(step) {
        let (Ok(c_url), Ok(m_url)) =
            (CUrl::parse_with(&page.c_url, &policy), MUrl::parse_with(&page.m_url, &policy))
        else {
            continue;
        };
        let html = context.get(c_url.as_url()).await;
        let twin = twin::check(context, page, &c_url, &m_url).await;
        if let (Some(html), Some(twin)) = (html.filter(|html| html.status == StatusCode::OK), twin) {
            savings.pages_measured += 1;
            savings.html_bytes += html.received;
            savings.twin_bytes += twin;
        }
    }
    savings
}
