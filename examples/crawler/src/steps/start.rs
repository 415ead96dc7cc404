//! A start URL: does its site speak TCT?
//!
//! A site that was found to have sitemaps is asked for those alone. Of any other the page itself is fetched, and what
//! it, its header fields and robots.txt say decides: sitemaps first, if there are any, and the page by its twin; or the
//! page as it is.

use tct::discovery::SitemapSearch;
use url::Url;

use crate::client::Request;
use crate::clock;
use crate::limits::BodyLimit;
use crate::site::{Setback, Visitor};
use crate::steps::{page, passed, robots_txt};
use crate::task::{PageWork, Work};
use crate::writer::Changes;

/// Decides how the site is crawled.
///
/// # Errors
/// A [`Setback`] where that cannot be known yet.
pub async fn run(visitor: &mut Visitor, start: &PageWork) -> Result<Changes, Setback> {
    if !visitor.record.sitemaps.is_empty() {
        return Ok(follow(visitor.record.sitemaps.clone(), start));
    }
    if !robots_txt::allows(visitor, &start.url).await? {
        return Ok(passed(start.url.as_str(), "robots", ""));
    }
    let limit = BodyLimit::Refuse(visitor.crawl.gate.client().limits().page_bytes);
    let request = Request { wants: page::is_page, ..Request::get(start.url.clone(), limit) };
    let exchange = visitor.fetch_page(request).await?;
    let mut found = Vec::new();
    // TCT is for https alone.
    if exchange.status.is_success() && start.url.scheme() == "https" {
        let discovery = tct::discover(&exchange.url, &exchange.headers, &exchange.body);
        let (_, rules) = visitor.record.robots.access(clock::instant());
        let named = rules.into_iter().flat_map(robots::Robots::sitemaps);
        let mut search = SitemapSearch::default().with_robots_lines(named);
        if visitor.crawl.options.probe {
            search = search.with_well_known().with_conventional_path();
        }
        let candidates = search.candidates(&start.url, &discovery).into_iter().map(|candidate| candidate.url);
        found = candidates.filter(|url| url.origin() == visitor.origin.origin()).collect();
    }
    if !found.is_empty() {
        return Ok(follow(found, start));
    }
    let mut changes = page::take(visitor, start, exchange, None).await?;
    // Links back to the start are no reason to fetch it again.
    changes.seen.push(start.url.to_string());
    Ok(changes)
}

fn follow(urls: Vec<Url>, start: &PageWork) -> Changes {
    let work = Work::Sitemaps { urls, start: start.clone() };
    Changes { tasks: vec![work.into()], ..Changes::default() }
}
