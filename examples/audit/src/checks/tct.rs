//! Checks of TCT: sitemap and policy, and the bytes that they save. `twin` checks the twins.

use std::collections::BTreeSet;

use http::StatusCode;
use tct::held::ContentHash;
use tct::sitemap::ListedPage;
use tct::{CUrl, MUrl, UrlPolicy};
use tokio::time::Instant;

use super::find::{Found, LinkedTwin, find};
use super::sitemaps::{Read, check_listed, read_all};
use super::{policy, twin};
use crate::fetch::Answer;
use crate::finding::{Check, Protocol};
use crate::report::{Offer, Savings};
use crate::{Context, offer};

pub(crate) async fn run(context: &mut Context) -> (Offer, Option<Savings>) {
    let mut facts = Vec::new();
    let found = find(context).await;
    let read = read_all(context, &found).await;
    let pages = read.pages();
    if found.twin.is_none() && read.count == 0 {
        // A sitemap that is named and not there has been reported.
        if found.sitemaps.is_empty() {
            report_nothing(context, &found);
        }
        return (offer(Protocol::Tct, facts), None);
    }
    report_links(context, &found, &read, &mut facts);
    if !pages.is_empty() {
        facts.push(format!("a sitemap with {} pages", pages.len()));
        check_listed(context, &pages);
    }
    let mut policies = [read.policies.clone(), found.policies.clone()].concat();
    let savings = measure(context, &pages, &read, found.twin.as_ref(), &mut policies).await;
    policy::check(context, &policies, &mut facts).await;
    (offer(Protocol::Tct, facts), savings.filter(|_| !pages.is_empty()))
}

/// One notice for a site without the protocol, with the places that were tried.
fn report_nothing(context: &mut Context, found: &Found) {
    let place = context.start.url.to_string();
    let looked = match found.others.as_slice() {
        [] => "neither".to_owned(),
        others => format!("JSON alternates that are no twins: {}", others.join(", ")),
    };
    let expected = "a page that links its twin, or a JSON sitemap";
    context.findings.add(Check::TctMissing, &place, expected, &looked);
}

fn report_links(context: &mut Context, found: &Found, read: &Read, facts: &mut Vec<String>) {
    let place = context.start.url.to_string();
    match &found.twin {
        Some(twin) if found.links.m_urls.contains(twin.url.as_url()) => {
            facts.push("the page links its twin".to_owned());
        }
        _ => {
            let looked = match found.others.as_slice() {
                [] => "none".to_owned(),
                others => others.join(", "),
            };
            context.findings.add(Check::TwinLinkMissing, &place, "a link to the page's twin", &looked);
        }
    }
    if found.links.sitemaps.is_empty() {
        let looked = match (read.count, read.probed.as_slice()) {
            (0, []) => "none".to_owned(),
            (0, probed) => format!("none, and none at the usual places ({})", probed.join("; ")),
            _ => "none; it is found at a usual place alone".to_owned(),
        };
        context.findings.add(Check::SitemapLinkMissing, &place, "a link to a JSON sitemap", &looked);
    }
}

/// Fetches some of the listed pages as HTML and as twin, checks the twins, and adds up the bytes. The page that the audit
/// began with is always among them.
async fn measure(
    context: &mut Context,
    pages: &[ListedPage],
    read: &Read,
    linked: Option<&LinkedTwin>,
    policies: &mut Vec<url::Url>,
) -> Option<Savings> {
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
    let mut seen = BTreeSet::new();
    let mut first: Option<(Answer, Instant)> = None;
    for page in pages.iter().step_by(step) {
        let (Ok(c_url), Ok(m_url)) =
            (CUrl::parse_with(&page.c_url, &policy), MUrl::parse_with(&page.m_url, &policy))
        else {
            continue;
        };
        seen.insert(m_url.as_str().to_owned());
        let html = context.get(c_url.as_url()).await;
        let hash = page.hash.map(ContentHash::from);
        let wanted = twin::Wanted { page: &c_url, twin: &m_url, hash: hash.as_ref() };
        let Some(twin) = twin::check(context, &wanted, html.as_ref()).await else { continue };
        policies.extend(twin.policies);
        first.get_or_insert((twin.plain, Instant::now()));
        if let Some(html) = html.filter(|html| html.status == StatusCode::OK) {
            savings.pages_measured += 1;
            savings.html_bytes += html.received;
            savings.twin_bytes += twin.received;
        }
    }
    if let Some(LinkedTwin { page, url }) = linked.filter(|linked| !seen.contains(linked.url.as_str())) {
        // Its own entry, if the sitemap has one that was not picked, is compared too.
        let listed = pages.iter().find(|listed| listed.m_url == url.as_str());
        let listed_page = listed.and_then(|listed| CUrl::parse_with(&listed.c_url, &policy).ok());
        let hash = listed.and_then(|listed| listed.hash).map(ContentHash::from);
        let page = listed_page.as_ref().unwrap_or(page);
        let wanted = twin::Wanted { page, twin: url, hash: hash.as_ref() };
        let html = context.start.clone();
        if let Some(twin) = twin::check(context, &wanted, Some(&html)).await {
            policies.extend(twin.policies);
            first.get_or_insert((twin.plain, Instant::now()));
        }
    }
    if let Some((plain, asked_at)) = first {
        tokio::time::sleep_until(asked_at + twin::CLOCK_TICK).await;
        twin::check_again(context, &plain).await;
        context.findings.unite(Check::TwinUnstable, "others: ");
    }
    Some(savings)
}
