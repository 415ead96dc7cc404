//! A start URL: the site's twins first, if it has any, and then the page itself, unless it was one of them.

use http::StatusCode;

use crate::client::Exchange;
use crate::output::Line;
use crate::site::{Setback, Visitor};
use crate::steps::{failed, page, passed, robots_txt, terms, twins, usage};
use crate::task::{PageWork, Task, Work};
use crate::writer::Changes;

/// Crawls the twins of the start's site, and says what else is to be done there.
///
/// # Errors
/// A [`Setback`] if that cannot be known yet.
pub async fn run(visitor: &mut Visitor, start: &PageWork) -> Result<Changes, Setback> {
    if robots_txt::allows(visitor, &start.url).await? {
        terms::refresh(visitor).await?;
    }
    let crawl = visitor.crawl.store.crawl_of(&visitor.site)?;
    // A second start of the same site is a page like any other.
    if visitor.record.twins_visited_in == crawl {
        return Ok(Changes { tasks: vec![Work::Page(start.clone()).into()], ..Changes::default() });
    }
    if start.url.scheme() != "https" {
        visitor.tell(Line::Passed {
            url: llmindex_types::manifest_url(&visitor.origin).to_string(),
            why: "not-https",
            detail: "manifests and proofs of ownership are read over https alone".to_owned(),
        });
    }
    // http counts as secure on this machine.
    if tct::UrlPolicy::default().check(&start.url).is_err() {
        visitor.record.twins_visited_in = crawl;
        visitor.tell(Line::NoTwins {
            site: visitor.site.clone(),
            why: "twins are read over https, and over http on this machine alone: start at the https URL"
                .to_owned(),
        });
        usage::forget_refused(visitor, false).await?;
        return Ok(Changes { tasks: vec![Work::Page(start.clone()).into()], ..Changes::default() });
    }
    let was_closed = visitor.record.policy().asks_for_no_requests();
    let found = twins::visit(visitor, start).await?;
    if was_closed && !found.is_denied {
        terms::refresh(visitor).await?;
    }
    // What robots.txt, policy and terms say by now counts for what is held, too.
    usage::forget_refused(visitor, found.is_denied).await?;
    visitor.record.twins_visited_in = crawl;
    let mut changes = Changes::default();
    if !found.is_denied {
        changes = first_page(visitor, found.front).await?;
        let pages = found.without_twin.into_iter().map(|url| PageWork::new(url, 1));
        changes.tasks.extend(pages.map(|page| Task::from(Work::Page(page))));
    }
    changes.lines.splice(0..0, found.lines);
    changes.counts.add(&found.counts);
    Ok(changes)
}

/// The result of requesting the start page.
#[derive(Debug)]
pub enum Front {
    /// It was not asked for: the sitemaps are known from an earlier crawl.
    NotAsked(PageWork),
    /// robots.txt closes it.
    Withheld(PageWork),
    /// There was a response.
    Came(PageWork, Box<Exchange>),
    /// There was no response: the stable name of the reason, a sentence for people, and the number of tries.
    Failed(PageWork, &'static str, String, u32),
}

/// What to store of the start page, where it has no twin.
async fn first_page(visitor: &mut Visitor, front: Front) -> Result<Changes, Setback> {
    match front {
        Front::NotAsked(work) => Ok(Changes { tasks: vec![Work::Page(work).into()], ..Changes::default() }),
        Front::Withheld(work) => Ok(passed(work.url.as_str(), "robots", "")),
        Front::Failed(work, why, detail, tries) => {
            let mut changes = failed(work.url.as_str(), why, detail);
            for line in &mut changes.lines {
                if let Line::Failed { tries: told, .. } = line {
                    *told = tries;
                }
            }
            Ok(changes)
        }
        Front::Came(work, exchange) => {
            // A start that is itself a sitemap or a twin was read as such.
            let is_other = exchange.status == StatusCode::OK && !page::is_page(&exchange.headers);
            let has_twin = visitor.crawl.store.has_twin(&visitor.site, work.url.as_str())?;
            let has_sitemap = !visitor.record.tct.sitemaps.is_empty();
            if has_sitemap && (has_twin || is_other) {
                return Ok(Changes::default());
            }
            let changes = page::take(visitor, &work, *exchange, None).await?;
            // Links back to the start are no reason to fetch it again.
            let seen = vec![work.url.to_string()];
            // A twin without a sitemap speaks for one page: the others are found by its links.
            Ok(match has_twin {
                true => Changes { tasks: changes.tasks, seen, ..Changes::default() },
                false => Changes { seen, ..changes },
            })
        }
    }
}
