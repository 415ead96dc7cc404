//! The agent: from a site's front page to a cache that holds every page's text, with as few requests as possible.
//!
//! ```text
//! Crawl --Send--> client --response--> Crawl --Page--> cache
//! ```
//!
//! Every decision is [`tct::Crawl`]'s: where the sitemaps are, which pages need a request, what an answer is worth, when to
//! try again. This module sends, waits, counts and writes down.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use http::StatusCode;
use site::files::PassedOver;
use site::publisher::Coding;
use site::tls::Certificate;
use tct::crawl::{BodyChange, CrawlError, CrawlRequest, PageEvent, RequestId, SiteEvent};
use tct::{CUrl, Crawl, CrawlNext, CrawlPolicy, Outcome, PageReport};
use url::Url;

mod client;

pub use client::{Client, Exchange, MAX_BODY_BYTES};

use crate::cache::Cache;
use crate::progress::Bar;
use crate::report::CrawlReport;
use crate::{RoundtripError, now};

/// The index of the cache is written after this many stored bodies, and again whenever there are twice as many: a crash
/// costs half of the crawl at most, and the writing stays a small share of it.
const FIRST_SAVE: usize = 512;
/// A page is tried again while the server asks for no longer wait than this, in seconds.
const LONGEST_WAIT_SECS: u64 = 10;
/// How often a page is tried in one crawl.
const TRIES: u32 = 3;

/// The agent's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentOptions {
    /// The content coding to ask for.
    pub coding: Coding,
    /// Requests under way at a time; at least one.
    pub parallel: usize,
}

/// An agent with its cache.
#[derive(Debug)]
pub struct Agent {
    site: CUrl,
    client: Client,
    cache: Cache,
    parallel: usize,
}

impl CrawlReport {
    fn count(&mut self, answer: Result<&Exchange, &RoundtripError>) {
        self.requests += 1;
        let Ok(exchange) = answer else {
            self.failed += 1;
            return;
        };
        self.received += exchange.received;
        self.unpacked += exchange.unpacked;
        match exchange.status {
            StatusCode::OK => self.ok += 1,
            StatusCode::NOT_MODIFIED => self.not_modified += 1,
            _ => self.failed += 1,
        }
    }

    fn found(&mut self, what: &str, why: String) {
        self.findings.push(PassedOver { what: what.to_owned(), why });
    }
}

impl Agent {
    /// An agent for the site that begins at `site`.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] if the certificate is refused, [`RoundtripError::Site`] if the address is.
    pub fn new(
        site: &Url,
        certificate: &Certificate,
        cache: Cache,
        options: AgentOptions,
    ) -> Result<Self, RoundtripError> {
        let client = Client::new(certificate, options.coding)?;
        let refused = |error: tct::address::AddressError| site::SiteError::Refused {
            what: site.to_string(),
            why: error.to_string(),
        };
        let site = CUrl::from_url(site.clone(), &tct::UrlPolicy::default()).map_err(refused)?;
        Ok(Agent { site, client, cache, parallel: options.parallel.max(1) })
    }

    /// What the agent holds.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Brings the cache up to date; `bar` makes the bar for so many pages.
    ///
    /// # Errors
    /// If the site cannot be reached, has no sitemap or does not allow it, and where the cache cannot be written.
    /// Problems of single pages are findings of the report.
    pub async fn crawl(&mut self, bar: &dyn Fn(u64) -> Bar) -> Result<CrawlReport, RoundtripError> {
        #[expect(clippy::disallowed_methods, reason = "how long it took is for the report alone")]
        let started = std::time::Instant::now();
        let mut report = CrawlReport::default();
        let policy = CrawlPolicy::default().with_parallel(self.parallel).with_tries(TRIES, LONGEST_WAIT_SECS);
        let mut crawl = Crawl::resume(&self.site, self.cache.site(self.site.as_str()), policy);
        let (mut under_way, mut shown) = (FuturesUnordered::new(), None::<Bar>);
        loop {
            match crawl.next(&self.cache, now()) {
                CrawlNext::Send(wanted) => under_way.push(send(self.client.clone(), wanted)),
                CrawlNext::Page(page) => {
                    let counters = crawl.counters();
                    shown.get_or_insert_with(|| bar(counters.pages - counters.skipped)).tick();
                    self.take(*page, &mut report)?;
                }
                CrawlNext::Site(event) => self.note(&event, &mut report)?,
                CrawlNext::Wait => {
                    let pause =
                        crawl.wake_at(now()).map(|at| Duration::from_secs(at.seconds_since(now()).max(1)));
                    let answered = match pause {
                        Some(pause) => {
                            let wait = tokio::time::sleep(pause);
                            tokio::select! {
                                Some(answered) = under_way.next() => answered,
                                () = wait => continue,
                            }
                        }
                        None => under_way.next().await.ok_or_else(stuck)?,
                    };
                    let (id, url, answer) = answered;
                    report.count(answer.as_ref());
                    let taken = match answer {
                        Ok(exchange) => {
                            crawl.on_response(id, &url, &exchange.into_http(), &self.cache, now())
                        }
                        Err(error) if report.ok == 0 => return Err(error),
                        Err(_) => crawl.on_failure(id, now()),
                    };
                    taken.map_err(|error: CrawlError| RoundtripError::Task(error.to_string()))?;
                }
                CrawlNext::Done => break,
                _ => return Err(stuck()),
            }
        }
        shown.iter().for_each(Bar::finish);
        self.cache.remember_site(self.site.as_str(), crawl.site().clone());
        self.cache.save()?;
        let counters = crawl.counters();
        (report.pages, report.skipped) = (counters.pages, counters.skipped);
        report.fetched.sort();
        report.findings.sort_by(|a, b| a.what.cmp(&b.what));
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Writes down what became of a page.
    fn take(&mut self, page: PageReport, report: &mut CrawlReport) -> Result<(), RoundtripError> {
        let c_url = page.state.as_ref().map(|state| state.c_url.clone()).unwrap_or_default();
        match &page.event {
            PageEvent::Visited(Outcome::Store { problems, disagreement, .. }) => {
                problems.iter().for_each(|problem| report.found(&page.key, problem.to_string()));
                disagreement.iter().for_each(|what| report.found(&page.key, what.to_string()));
                report.fetched.push(c_url);
            }
            PageEvent::Visited(Outcome::Keep { disagreement: None, .. }) => {}
            PageEvent::Visited(outcome) => report.found(&page.key, outcome.to_string()),
            PageEvent::Listed => {}
            _ => report.found(&page.key, "listed no more".to_owned()),
        }
        if let BodyChange::Store(json) = page.body() {
            self.cache.store_body(&page.key, json)?;
        }
        if page.body() == BodyChange::Forget {
            self.cache.forget(&page.key);
        }
        match page.state {
            Some(state) => self.cache.set_page(page.key, state),
            None => self.cache.remove(&page.key),
        }
        let stored = report.fetched.len();
        if stored >= FIRST_SAVE && stored.is_power_of_two() {
            self.cache.save()?;
        }
        Ok(())
    }

    fn note(&self, event: &SiteEvent, report: &mut CrawlReport) -> Result<(), RoundtripError> {
        match event {
            SiteEvent::SitemapRead { .. } | SiteEvent::Policy { .. } => Ok(()),
            SiteEvent::Denied { .. } => Err(RoundtripError::Denied { site: self.site.to_string() }),
            SiteEvent::NoSitemap { .. } | SiteEvent::SiteUnavailable { .. } => {
                Err(RoundtripError::NoSitemap { url: self.site.to_string() })
            }
            other => {
                report.found(self.site.as_str(), other.to_string());
                Ok(())
            }
        }
    }
}

fn stuck() -> RoundtripError {
    RoundtripError::Task("the crawl waits for nothing".to_owned())
}

/// Sends a request; the client follows no redirect, so what answers is what was asked.
async fn send(client: Client, wanted: CrawlRequest) -> (RequestId, Url, Result<Exchange, RoundtripError>) {
    let (head, ()) = wanted.request.into_parts();
    let answer = client.send(head.method, &wanted.url, head.headers).await;
    (wanted.id, wanted.url, answer)
}
