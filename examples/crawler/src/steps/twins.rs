//! A site's twins: a [`tct::Crawl`] on the driver that users are told to use, [`tct_tower::drive`].
//!
//! ```text
//! drive ─▶ Robots   what the site's robots.txt allows
//!       ─▶ Http     one request through the gate; a sitemap goes into a temporary file
//!       ─▶ Twins    a report and its body in one transaction, an event as a line
//!       ─▶ Shared   the clock; and whoever finds that the site is to be left alone ends the visit
//! ```
//!
//! A sitemap is written to a temporary file as it comes, and read from there as fast as its pages are visited: a host
//! that is asked once in two seconds would not keep a connection open that long, and its sitemap may be larger than
//! memory.

mod http;
#[cfg(test)]
mod simulation;
mod store;

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;

use tct::counters::Counters;
use tct::{CUrl, CrawlPolicy, Purpose, UnixSeconds, VisitPolicy};
use tct_tower::{CrawlClock, DriveError};
use tokio::sync::{Mutex, Notify};
use url::Url;

use crate::client::Exchange;
use crate::clock;
use crate::fetch_error::FetchError;
use crate::output::{Counts, Line};
use crate::site::{Setback, Visitor};
use crate::steps::robots_txt;
use crate::steps::start::Front;
use crate::task::PageWork;
use crate::{CrawlerError, Options};

use self::http::{Http, Robots};
use self::store::Twins;

/// The result of visiting the twins.
#[derive(Debug)]
pub struct Found {
    /// The start page.
    pub front: Front,
    /// Whether the site's policy denies the purpose of this crawl.
    pub is_denied: bool,
    /// Pages whose twin cannot be had.
    pub without_twin: Vec<Url>,
    /// What to tell.
    pub lines: Vec<Line>,
    /// What to add to the counts.
    pub counts: Counts,
}

/// Visits the twins of the start's site that need it.
///
/// # Errors
/// A [`Setback`] if it cannot be done to its end now; what was stored until then stays.
pub async fn visit(visitor: &mut Visitor, start: &PageWork) -> Result<Found, Setback> {
    // The rules, and with them the sitemaps that robots.txt names.
    let _rules = robots_txt::allows(visitor, &start.url).await?;
    let bad =
        |error: tct::address::AddressError| CrawlerError::Start { text: format!("{}: {error}", start.url) };
    let first = CUrl::from_url(start.url.clone(), &tct::UrlPolicy::default()).map_err(bad)?;
    let (_, rules) = visitor.record.robots.access(clock::instant());
    let hints = rules.into_iter().flat_map(robots::Robots::sitemaps);
    let policy = policy(&visitor.crawl.options);
    let mut crawl = tct::Crawl::resume(&first, visitor.record.tct.clone(), policy).with_robots_lines(hints);
    let (held, site) = (Arc::clone(&visitor.crawl), visitor.site.clone());
    let shared = Shared::new(visitor, start);
    let (mut client, mut robots) = (Http(&shared), Robots::new(&shared));
    let mut twins = Twins { shared: &shared, crawl: held, site };
    let ended = {
        let driving = tct_tower::drive(&mut crawl, &mut client, &mut robots, &mut twins, &shared);
        tokio::select! {
            biased;
            setback = shared.ended() => Err(setback),
            ended = driving => ended.map_err(|error| match error {
                DriveError::Store(setback) => setback,
                DriveError::Broken => Setback::Run(CrawlerError::Ended("the driver")),
            }),
        }
    };
    let site = if ended.is_ok() { crawl.site().clone() } else { crawl.site_so_far() };
    let mut visit = shared.visit.into_inner();
    visit.visitor.record.tct = site;
    visit.tell_refused();
    ended?;
    visit.finish(crawl.counters())
}

/// How `tct` is to crawl.
fn policy(options: &Options) -> CrawlPolicy {
    let mut visit = VisitPolicy::default().with_open(CrawlPolicy::default().visit.open);
    visit.retry_secs = options.retry_secs;
    let mut policy = CrawlPolicy::default().with_visit(visit).with_purpose(purpose(options.purpose));
    policy.max_wait_secs = options.max_wait.as_secs();
    policy.probes = options.probe;
    policy
}

/// How long a twin that may not be used is left alone, unless its hash changes.
pub(super) fn refused_secs(options: &Options) -> u64 {
    policy(options).refused_secs
}

/// The purpose in the words of TCT's policy descriptor.
fn purpose(purpose: signals::Purpose) -> Option<Purpose> {
    match purpose {
        signals::Purpose::Search => Some(Purpose::SearchIndexing),
        signals::Purpose::AiInput | signals::Purpose::AiIndex => Some(Purpose::AiInput),
        signals::Purpose::AiTrain => Some(Purpose::AiTrain),
        _ => None,
    }
}

/// What is known of the last answer for a page, until the page is reported.
#[derive(Debug, Default)]
struct Answer {
    /// The head of the response.
    head: Option<Exchange>,
    failure: Option<FetchError>,
}

/// Shared state of the driver's parts. None of them holds the lock while it waits for another.
struct Shared<'v> {
    visit: Mutex<Visit<'v>>,
    max_wait: Duration,
    ending: StdMutex<Option<Setback>>,
    has_ended: Notify,
}

struct Visit<'v> {
    visitor: &'v mut Visitor,
    answers: BTreeMap<String, Answer>,
    front: Front,
    /// How often the start page was asked for.
    tries: u32,
    is_denied: bool,
    sitemaps: usize,
    /// Why sitemaps and the policy could not be had, with their URLs.
    missing: Vec<String>,
    /// Twins that were refused: by reason, how many and the first page.
    refused: BTreeMap<String, (u64, String)>,
    robots_failure: Option<FetchError>,
}

impl<'v> Shared<'v> {
    fn new(visitor: &'v mut Visitor, start: &PageWork) -> Self {
        let max_wait = visitor.crawl.options.max_wait;
        let visit = Visit {
            visitor,
            answers: BTreeMap::new(),
            front: Front::NotAsked(start.clone()),
            tries: 0,
            is_denied: false,
            sitemaps: 0,
            missing: Vec::new(),
            refused: BTreeMap::new(),
            robots_failure: None,
        };
        Shared { visit: Mutex::new(visit), max_wait, ending: StdMutex::new(None), has_ended: Notify::new() }
    }

    /// Ends the visit with this setback; the first one counts.
    fn end(&self, setback: Setback) {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(setback);
        self.has_ended.notify_one();
    }

    /// Waits until somebody ends the visit.
    async fn ended(&self) -> Setback {
        loop {
            self.has_ended.notified().await;
            let ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(setback) = ending {
                return setback;
            }
        }
    }
}

impl CrawlClock for Shared<'_> {
    fn now(&self) -> UnixSeconds {
        clock::seconds()
    }

    async fn sleep(&self, pause: Duration) {
        if pause > self.max_wait {
            self.end(Setback::Later { why: format!("the next request is due in {} s", pause.as_secs()) });
            return pending().await;
        }
        tokio::time::sleep(pause).await;
    }
}

impl Visit<'_> {
    fn front_work(&self) -> PageWork {
        match &self.front {
            Front::NotAsked(work) | Front::Withheld(work) => work.clone(),
            Front::Came(work, _) | Front::Failed(work, ..) => work.clone(),
        }
    }

    fn finish(self, counters: Counters) -> Result<Found, Setback> {
        let Visit { visitor, front, is_denied, sitemaps, .. } = self;
        let mut without_twin = Vec::new();
        let pages = visitor.crawl.store.pages(&visitor.site)?;
        pages.each(|_, record| {
            if record.needs_html() {
                without_twin.extend(Url::parse(&record.state.c_url));
            }
            Ok(())
        })?;
        let lines = match sitemaps {
            0 => Vec::new(),
            _ => vec![Line::Sitemaps {
                site: visitor.site.clone(),
                sitemaps,
                pages: counters.pages,
                unchanged: counters.skipped,
                visited: counters.stored + counters.kept + counters.refused + counters.unavailable,
            }],
        };
        let counts = Counts { unchanged: counters.skipped, ..Counts::default() };
        Ok(Found { front, is_denied, without_twin, lines, counts })
    }
}
