//! The agent: from a site's front page to a cache that holds every page's text, with as few requests as possible.
//!
//! ```text
//! front page --Link--> sitemaps --plan--> skip | policy --> visit --check--> store | keep | report
//! ```
//!
//! The decisions are the library's: [`tct::Planner`] says which pages need a request, [`tct::Visit`] what to send and
//! what an answer is worth. This module sends, waits, counts and writes down.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use http::StatusCode;
use site::files::PassedOver;
use site::publisher::Coding;
use site::tls::Certificate;
use tct::open::Problem;
use tct::plan::SitemapDate;
use tct::{
    CUrl, MUrl, Outcome, Permission, Plan, PlanPolicy, Planner, Purpose, UnixSeconds, Visit, VisitPolicy,
    VisitStep,
};
use url::Url;

mod client;
mod sitemap;

pub use client::{Client, Exchange, MAX_BODY_BYTES};

use crate::cache::Cache;
use crate::progress::Bar;
use crate::report::CrawlReport;
use crate::{RoundtripError, now};

/// The index of the cache is written after this many stored bodies, and again whenever there are twice as many: a crash
/// costs half of the crawl at most, and the writing stays a small share of it.
const FIRST_SAVE: usize = 512;
/// A page is tried again while the server asks for no longer wait than this.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
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
    site: Url,
    client: Client,
    cache: Cache,
    parallel: usize,
}

/// A page that a sitemap lists.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Listed {
    c_url: CUrl,
    m_url: MUrl,
    hash: Option<String>,
    /// When the sitemap was fetched or confirmed.
    as_of: UnixSeconds,
}

/// What became of one page.
struct Visited {
    page: Listed,
    outcome: Outcome,
    /// The last response's body.
    body: Bytes,
    tally: Tally,
}

/// Requests and what came back.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    requests: u64,
    ok: u64,
    not_modified: u64,
    failed: u64,
    received: u64,
    unpacked: u64,
}

impl Tally {
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

    fn add_to(self, report: &mut CrawlReport) {
        report.requests += self.requests;
        report.ok += self.ok;
        report.not_modified += self.not_modified;
        report.failed += self.failed;
        report.received += self.received;
        report.unpacked += self.unpacked;
    }
}

impl Agent {
    /// An agent for the site that begins at `site`.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] where the certificate is refused.
    pub fn new(
        site: &Url,
        certificate: &Certificate,
        cache: Cache,
        options: AgentOptions,
    ) -> Result<Self, RoundtripError> {
        let client = Client::new(certificate, options.coding)?;
        Ok(Agent { site: site.clone(), client, cache, parallel: options.parallel.max(1) })
    }

    /// What the agent holds.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Brings the cache up to date; `bar` makes the bar for so many visits.
    ///
    /// # Errors
    /// Where the site cannot be reached or has no sitemap, and where the cache cannot be written. Problems of single
    /// pages are findings of the report.
    pub async fn crawl(&mut self, bar: &dyn Fn(u64) -> Bar) -> Result<CrawlReport, RoundtripError> {
        #[expect(clippy::disallowed_methods, reason = "how long it took is for the report alone")]
        let started = std::time::Instant::now();
        let mut report = CrawlReport::default();
        let listed = self.list_pages(&mut report).await?;
        report.pages = listed.len() as u64;

        let visits: Vec<(Listed, Visit)> = listed.into_iter().filter_map(|page| self.plan(page)).collect();
        report.skipped = report.pages - visits.len() as u64;
        if !visits.is_empty() {
            // What was stated when the last crawl began may have changed.
            let policy = self.read_policy(&mut report).await?;
            if policy.permission(Purpose::AiInput) == Permission::Denied {
                return Err(RoundtripError::Denied { site: self.site.to_string() });
            }
        }
        let bar = bar(visits.len() as u64);
        let client = self.client.clone();
        let mut visited = futures_util::stream::iter(visits)
            .map(|(page, visit)| make_visit(&client, page, visit))
            .buffer_unordered(self.parallel);
        while let Some(visited) = visited.next().await {
            bar.tick();
            self.take(visited, &mut report)?;
        }
        drop(visited);
        bar.finish();
        self.cache.save()?;
        report.fetched.sort();
        report.findings.sort_by(|a, b| a.what.cmp(&b.what));
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    /// The page with its visit, or `None` where none is needed.
    fn plan(&self, page: Listed) -> Option<(Listed, Visit)> {
        let held = self.cache.held(page.m_url.as_str());
        let planner = Planner::new(PlanPolicy::default(), SitemapDate(page.as_of), now());
        match planner.plan(page.hash.as_deref(), held) {
            Plan::Skip => None,
            Plan::Revalidate { .. } | Plan::Fetch => {
                let (hash, policy) = (page.hash.as_deref(), VisitPolicy::default());
                let visit = Visit::new(&page.m_url, &page.c_url, hash, held.cloned(), policy);
                Some((page, visit))
            }
        }
    }

    /// Writes down what became of a page.
    fn take(&mut self, visited: Visited, report: &mut CrawlReport) -> Result<(), RoundtripError> {
        let url = visited.page.m_url.as_str();
        visited.tally.add_to(report);
        let mut found = |why: String| report.findings.push(PassedOver { what: url.to_owned(), why });
        match visited.outcome {
            Outcome::Store { held, problems, disagreement, .. } => {
                self.cache.store(url, held, &visited.body)?;
                problems.iter().for_each(|problem| found(describe(problem)));
                disagreement.into_iter().for_each(|what| found(format!("{what:?}")));
                report.fetched.push(visited.page.c_url.as_str().to_owned());
                let stored = report.fetched.len();
                if stored >= FIRST_SAVE && stored.is_power_of_two() {
                    self.cache.save()?;
                }
            }
            Outcome::Keep { held, disagreement } => {
                self.cache.keep(url, held);
                disagreement.into_iter().for_each(|what| found(format!("{what:?}")));
            }
            Outcome::Refuse { reason, problems } => {
                problems.iter().for_each(|problem| found(describe(problem)));
                found(format!("not used: {reason:?}"));
            }
            Outcome::Gone => {
                self.cache.forget(url);
                found("deleted for good".to_owned());
            }
            Outcome::NotFound => found("not found".to_owned()),
            Outcome::Forbidden => found("not for us".to_owned()),
            Outcome::Unavailable { retry_at } => {
                found(format!("no answer; to be asked again after {retry_at}"))
            }
            other => found(format!("{other:?}")),
        }
        Ok(())
    }
}

/// The problem's stable code, and the field that it is about.
fn describe(problem: &Problem) -> String {
    let code = problem.code.code();
    problem.field.map_or_else(|| code.to_owned(), |field| format!("{code} ({field})"))
}

/// Sends what the visit asks for until it is over.
async fn make_visit(client: &Client, page: Listed, visit: Visit) -> Visited {
    let mut tally = Tally::default();
    let (mut step, mut body, mut tries) = (VisitStep::Again(Box::new(visit.clone())), Bytes::new(), 1);
    loop {
        match step {
            VisitStep::Again(visit) => {
                let (request, ()) = visit.request().into_parts();
                let answer = client.send(request.method, visit.url(), request.headers).await;
                tally.count(answer.as_ref());
                step = match answer {
                    Ok(exchange) => {
                        let mut response = http::Response::new(&exchange.body);
                        *response.status_mut() = exchange.status;
                        response.headers_mut().clone_from(&exchange.headers);
                        // The client follows no redirect: what answers is what was asked.
                        let url = visit.url().clone();
                        let step = visit.on_response(&url, &response, now());
                        body = exchange.body;
                        step
                    }
                    Err(_) => visit.on_failure(now()),
                };
            }
            VisitStep::Done(Outcome::Unavailable { retry_at }) if tries < TRIES => {
                let wait = Duration::from_secs(retry_at.seconds_since(now()));
                if wait > LONGEST_WAIT {
                    return Visited { page, outcome: Outcome::Unavailable { retry_at }, body, tally };
                }
                tokio::time::sleep(wait).await;
                tries += 1;
                step = VisitStep::Again(Box::new(visit.clone()));
            }
            VisitStep::Done(outcome) => return Visited { page, outcome, body, tally },
        }
    }
}
