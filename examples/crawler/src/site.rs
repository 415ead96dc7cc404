//! One site, from its first task to its last: one request at a time, each task committed before the next begins.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use tct::UnixSeconds;
use url::Url;

use crate::client::{Exchange, Request};
use crate::fetch_error::{FetchError, FetchErrorKind as Kind};
use crate::gate::{host_of, pause};
use crate::output::{Counts, Line};
use crate::store::SiteRecord;
use crate::task::Task;
use crate::writer::Changes;
use crate::{Crawl, CrawlerError, clock, steps};

/// How often a task is tried.
const TRIES: u32 = 3;
/// After so many failures in a row the site is left alone until a later run.
const MAX_FAILURES: u32 = 5;

/// Why a task is not done.
#[derive(Debug)]
pub enum Setback {
    /// There was no response to work with.
    Fetch(FetchError),
    /// The server asked for a later retry.
    Busy {
        /// When.
        retry_at: UnixSeconds,
        /// The reason that it gave.
        detail: String,
    },
    /// The rest is for a later run.
    Later {
        /// Why.
        why: String,
    },
    /// The crawl cannot go on.
    Run(CrawlerError),
}

impl From<FetchError> for Setback {
    fn from(error: FetchError) -> Self {
        Setback::Fetch(error)
    }
}

impl From<CrawlerError> for Setback {
    fn from(error: CrawlerError) -> Self {
        Setback::Run(error)
    }
}

impl Setback {
    fn why(&self) -> &'static str {
        match self {
            Setback::Fetch(error) => error.kind().code(),
            Setback::Busy { .. } => "busy",
            Setback::Later { .. } => "later",
            Setback::Run(_) => "internal",
        }
    }

    fn detail(&self) -> String {
        match self {
            Setback::Fetch(error) => error.to_string(),
            Setback::Busy { detail, .. } => detail.clone(),
            Setback::Later { why } => why.clone(),
            Setback::Run(error) => error.one_line(),
        }
    }
}

/// The visit of one site.
#[derive(Debug)]
pub struct Visitor {
    /// What all sites share.
    pub crawl: Arc<Crawl>,
    /// Scheme, host and port.
    pub origin: Url,
    /// The site's record.
    pub record: SiteRecord,
    /// The record as it is in the store.
    saved: SiteRecord,
    /// The origin as the store's key.
    pub site: String,
    /// Requests in a row without a usable answer.
    failures: u32,
    /// What the present task came to so far.
    counts: Counts,
    lines: Vec<Line>,
    pause: Option<(String, u64)>,
}

impl Visitor {
    /// A visit of the site with this origin.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn new(crawl: Arc<Crawl>, site: String) -> Result<Self, CrawlerError> {
        let origin = Url::parse(&site).map_err(|_| CrawlerError::Start { text: site.clone() })?;
        let record = crawl.store.site(&site)?;
        let (_, rules) = record.robots.access(clock::instant());
        if let Some(delay) = rules.and_then(|rules| rules.crawl_delay(&crawl.options.agent)) {
            // A delay past the cap was told when robots.txt came.
            let _told = crawl.gate.set_crawl_delay(&host_of(&origin), Some(delay));
        }
        Ok(Visitor {
            crawl,
            origin,
            saved: record.clone(),
            record,
            site,
            failures: 0,
            counts: Counts::default(),
            lines: Vec::new(),
            pause: None,
        })
    }

    /// Does all tasks of the site. Returns false if some are left for a later run.
    ///
    /// # Errors
    /// What ends the whole crawl.
    pub async fn run(mut self) -> Result<bool, CrawlerError> {
        loop {
            let now = clock::seconds();
            let Some((key, mut task)) = self.crawl.store.next_task(&self.site, now.0)? else {
                return Ok(true);
            };
            let wait = match clock::is_to_come(task.not_before, now.0) {
                true => Duration::from_secs(task.not_before - now.0),
                false => Duration::ZERO,
            };
            if wait > self.crawl.options.max_wait {
                return self.postpone(format!("the next try is due in {} s", wait.as_secs())).await;
            }
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
                continue;
            }
            let setback = match steps::work(&mut self, &task).await {
                Ok(changes) => {
                    self.failures = 0;
                    self.commit(Changes { done: Some(key), ..changes }).await?;
                    continue;
                }
                Err(Setback::Run(error)) => return Err(error),
                // Not a failure: what the site wants.
                Err(Setback::Fetch(error)) if error.kind() == Kind::Unwanted => {
                    let url = task.work.subject(&self.origin);
                    let passed = steps::passed(&url, error.kind().code(), error.to_string());
                    self.commit(Changes { done: Some(key), ..passed }).await?;
                    continue;
                }
                Err(setback) => setback,
            };
            let now = clock::seconds();
            let retry_at = match &setback {
                Setback::Fetch(error) if error.kind() == Kind::HostPaused => {
                    return self.postpone(setback.detail()).await;
                }
                Setback::Later { why } => return self.postpone(why.clone()).await,
                Setback::Fetch(error) if !error.kind().is_transient() => None,
                Setback::Busy { retry_at, .. } => Some(*retry_at),
                _ => Some(now.saturating_add(self.crawl.options.retry_secs)),
            };
            let latest = now.saturating_add(clock::LONGEST_WAIT);
            self.failures += u32::from(retry_at.is_some());
            task.tries += 1;
            let changes = match retry_at {
                Some(retry_at) if task.tries < TRIES => Changes {
                    again: Some(Task { not_before: retry_at.min(latest).0, ..task }),
                    ..Changes::default()
                },
                _ => {
                    self.counts.failed += 1;
                    Changes::line(Line::Failed {
                        url: task.work.subject(&self.origin),
                        why: setback.why(),
                        detail: setback.detail(),
                        tries: task.tries,
                    })
                }
            };
            self.commit(Changes { done: Some(key), ..changes }).await?;
            if let Err(Setback::Later { why }) = self.bear(&setback.detail()) {
                return self.postpone(why).await;
            }
        }
    }

    /// Counts a failed request, or resets the count after a response.
    pub fn count_failure(&mut self, is_failure: bool) {
        self.failures = if is_failure { self.failures + 1 } else { 0 };
    }

    /// Checks whether the site has failed too often.
    ///
    /// # Errors
    /// `Later` after too many failures in a row; `last` describes the last.
    pub fn bear(&self, last: &str) -> Result<(), Setback> {
        if self.failures < MAX_FAILURES {
            return Ok(());
        }
        Err(Setback::Later { why: format!("{} failures in a row, the last: {last}", self.failures) })
    }

    /// Sends a request when it is its turn, and counts it.
    ///
    /// # Errors
    /// `Unwanted` if the site's policy asks for no requests, and those of [`Gate::send`](crate::gate::Gate::send).
    pub async fn fetch(&mut self, request: Request) -> Result<Exchange, FetchError> {
        let (exchange, body) = self.fetch_into(request, Vec::new()).await?;
        Ok(Exchange { body, ..exchange })
    }

    /// The same with the body in a sink.
    ///
    /// # Errors
    /// As [`Visitor::fetch`].
    pub async fn fetch_into<W: Write>(
        &mut self,
        request: Request,
        sink: W,
    ) -> Result<(Exchange, W), FetchError> {
        if self.record.policy().asks_for_no_requests() {
            let detail = "the site's policy asks for no requests at all";
            return Err(FetchError::new(Kind::Unwanted, detail));
        }
        self.send_into(request, sink).await
    }

    /// Fetches a robots.txt: without it the policy could not be asked for, which may want requests again by now.
    ///
    /// # Errors
    /// Those of [`Gate::send`](crate::gate::Gate::send).
    pub async fn fetch_robots(&mut self, request: Request) -> Result<Exchange, FetchError> {
        let (exchange, body) = self.send_into(request, Vec::new()).await?;
        Ok(Exchange { body, ..exchange })
    }

    async fn send_into<W: Write>(&mut self, request: Request, sink: W) -> Result<(Exchange, W), FetchError> {
        self.count_request(false);
        let host = host_of(&request.url);
        let answer = self.crawl.gate.send_into(request, sink).await;
        self.count_answer(&host, answer.as_ref().ok().map(|(exchange, _)| exchange));
        answer
    }

    /// Counts a request; one for a page or its twin as such.
    pub(crate) fn count_request(&mut self, is_page: bool) {
        self.counts.requests += 1;
        self.counts.page_requests += u64::from(is_page);
    }

    /// Counts what came of it, and remembers the pause that the host asks for.
    pub(crate) fn count_answer(&mut self, host: &str, exchange: Option<&Exchange>) {
        let Some(exchange) = exchange else { return };
        self.counts.received += exchange.received;
        if matches!(exchange.status.as_u16(), 429 | 503) {
            let latest = clock::seconds().saturating_add(clock::LONGEST_WAIT);
            let until = self.crawl.gate.ready_at(host).as_secs().saturating_add(1).min(latest.0);
            self.pause = Some((host.to_owned(), until));
        }
    }

    /// The same for a page or its twin.
    ///
    /// # Errors
    /// As [`Visitor::fetch`].
    pub async fn fetch_page(&mut self, request: Request) -> Result<Exchange, FetchError> {
        self.counts.page_requests += 1;
        self.fetch(request).await
    }

    /// Adds a line that is printed with the current task's changes.
    pub fn tell(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// The setback for the response of an overloaded or broken server.
    #[must_use]
    pub fn busy(&self, exchange: &Exchange) -> Setback {
        let now = clock::instant();
        let asked = pause(exchange, now).map(robots::RetryAfter::secs);
        Setback::Busy {
            retry_at: clock::seconds().saturating_add(asked.unwrap_or(self.crawl.options.retry_secs)),
            detail: format!("status {}", exchange.status),
        }
    }

    /// Stores the changes, then prints their lines.
    ///
    /// # Errors
    /// Those of the writer.
    pub async fn commit(&mut self, mut changes: Changes) -> Result<(), CrawlerError> {
        changes.site.clone_from(&self.site);
        // By what the texts were looked through last, these were not.
        let heard = &self.record.heard;
        if !(changes.entries.is_empty() || heard.is_empty())
            && *heard != steps::usage::statements(&self.record, &self.crawl.options)
        {
            self.record.heard.clear();
        }
        if self.record != self.saved {
            self.saved = self.record.clone();
            changes.record = Some(self.record.clone());
        }
        changes.pause = self.pause.take();
        changes.counts.add(&std::mem::take(&mut self.counts));
        changes.lines = self.lines.drain(..).chain(changes.lines).collect();
        let elsewhere: Vec<String> = changes.elsewhere.iter().map(|(site, _)| site.clone()).collect();
        self.crawl.writer.commit(changes).await?;
        for site in elsewhere {
            // Nobody listens any more when the crawl is ending, and the store has the task.
            let _ending = self.crawl.new_sites.send(site);
        }
        Ok(())
    }

    async fn postpone(&mut self, why: String) -> Result<bool, CrawlerError> {
        let line = Line::Postponed { site: self.site.clone(), why };
        self.commit(Changes::line(line)).await?;
        Ok(false)
    }
}
