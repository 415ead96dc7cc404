//! A site's twins: [`tct::Crawl`] says what to send, what an answer means and what to keep; here that is done.
//!
//! ```text
//! next() ─▶ Send  ─▶ robots.txt? ─▶ gate ─▶ on_response, on_failure, on_unusable, on_withheld
//!        ─▶ Page  ─▶ body and state in one transaction
//!        ─▶ Site  ─▶ a line
//!        ─▶ Wait  ─▶ the next piece of a sitemap, or until wake_at()
//! ```
//!
//! A sitemap is written to a temporary file as it comes, and read from there as fast as its pages are visited: a host
//! that is asked once in two seconds would not keep a connection open that long, and its sitemap may be larger than
//! memory.

use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _};
use std::time::Duration;

use http::Response;
use tct::crawl::{BodyChange, CrawlRequest, PageEvent, RequestId, RequestKind, SiteEvent};
use tct::{CUrl, CrawlNext, CrawlPolicy, Outcome, PageReport, Purpose, UnixSeconds, VisitPolicy};
use tempfile::SpooledTempFile;
use url::Url;

use crate::client::{Exchange, Request};
use crate::clock;
use crate::fetch_error::{FetchError, FetchErrorKind};
use crate::limits::BodyLimit;
use crate::output::{Counts, Line};
use crate::site::{Setback, Visitor};
use crate::steps::start::Front;
use crate::steps::{barrier, failed, fresh_until, kept, passed, robots_txt, stored, terms, usage};
use crate::store::{Entry, Kind, PageRecord, SitePages};
use crate::task::PageWork;
use crate::writer::Changes;
use crate::{CrawlerError, Options};

/// A sitemap is kept in memory up to this size, in bytes.
const SPOOL_BYTES: usize = 1 << 20;
/// What is read of it at a time.
const PIECE_BYTES: usize = 64 << 10;

/// What a visit of the twins leaves to do.
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
/// A [`Setback`] where it cannot be done to its end now; what was stored until then stays.
pub async fn visit(visitor: &mut Visitor, start: &PageWork) -> Result<Found, Setback> {
    // The rules, and with them the sitemaps that robots.txt names.
    let _rules = robots_txt::allows(visitor, &start.url).await?;
    let mut session = Session::new(visitor, start)?;
    let ended = session.run().await;
    let site = if ended.is_ok() { session.crawl.site().clone() } else { session.crawl.site_so_far() };
    session.visitor.record.tct = site;
    ended?;
    session.finish()
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
    usage: signals::Signals,
    fresh_until: u64,
    status: u16,
    is_withheld: bool,
    failure: Option<FetchError>,
}

struct Session<'v> {
    visitor: &'v mut Visitor,
    crawl: tct::Crawl,
    /// The sitemap that is being read.
    spool: Option<(RequestId, SpooledTempFile)>,
    answers: BTreeMap<String, Answer>,
    front: Front,
    tries: u32,
    is_denied: bool,
    sitemaps: usize,
    missing: Vec<String>,
}

impl<'v> Session<'v> {
    fn new(visitor: &'v mut Visitor, start: &PageWork) -> Result<Self, Setback> {
        let bad = |error: tct::address::AddressError| CrawlerError::Start {
            text: format!("{}: {error}", start.url),
        };
        let first = CUrl::from_url(start.url.clone(), &tct::UrlPolicy::default()).map_err(bad)?;
        let (_, rules) = visitor.record.robots.access(clock::instant());
        let hints = rules.into_iter().flat_map(robots::Robots::sitemaps);
        let crawl = tct::Crawl::resume(&first, visitor.record.tct.clone(), policy(&visitor.crawl.options))
            .with_robots_lines(hints);
        let front = Front::NotAsked(start.clone());
        let (spool, answers, missing) = (None, BTreeMap::new(), Vec::new());
        Ok(Session {
            visitor,
            crawl,
            spool,
            answers,
            front,
            tries: 0,
            is_denied: false,
            sitemaps: 0,
            missing,
        })
    }

    async fn run(&mut self) -> Result<(), Setback> {
        loop {
            match self.step(tct::Crawl::next)? {
                CrawlNext::Send(wanted) => self.send(wanted).await?,
                CrawlNext::Page(report) => {
                    let changes = self.take(*report)?;
                    self.visitor.commit(changes).await?;
                }
                CrawlNext::Site(event) => self.note(&event),
                CrawlNext::Wait => self.wait().await?,
                CrawlNext::Done => return Ok(()),
                other => return Err(internal(format!("the crawl asks for something unknown: {other:?}"))),
            }
        }
    }

    /// Lets the crawl look at what is stored now.
    fn step<T>(
        &mut self,
        act: impl FnOnce(&mut tct::Crawl, &SitePages, UnixSeconds) -> T,
    ) -> Result<T, CrawlerError> {
        let pages = self.visitor.crawl.store.pages(&self.visitor.site)?;
        let answer = act(&mut self.crawl, &pages, clock::seconds());
        pages.finish()?;
        Ok(answer)
    }

    async fn send(&mut self, wanted: CrawlRequest) -> Result<(), Setback> {
        let CrawlRequest { id, url, kind, .. } = &wanted;
        if *kind == RequestKind::Start {
            self.ask_front(url);
        }
        if !robots_txt::allows(self.visitor, url).await? {
            match kind {
                RequestKind::Start => self.front = Front::Withheld(self.front_work()),
                RequestKind::Twin { key } => self.answer(key).is_withheld = true,
                _ => {}
            }
            return self.crawl.on_withheld(*id, clock::seconds()).map_err(internal);
        }
        let limits = self.visitor.crawl.gate.client().limits();
        let most = match kind {
            RequestKind::Sitemap => limits.sitemap_bytes,
            RequestKind::Twin { .. } => limits.twin_bytes,
            _ => limits.page_bytes,
        };
        let limit = BodyLimit::Refuse(most.min(usize::try_from(wanted.max_bytes).unwrap_or(usize::MAX)));
        let request = Request {
            method: wanted.request.method().clone(),
            headers: wanted.request.headers().clone(),
            ..Request::get(url.clone(), limit)
        };
        let answer = match kind {
            RequestKind::Sitemap => {
                let spool = SpooledTempFile::new(SPOOL_BYTES);
                self.visitor.fetch_into(request, spool).await.map(|(exchange, spool)| (exchange, Some(spool)))
            }
            RequestKind::Policy => self.visitor.fetch(request).await.map(|exchange| (exchange, None)),
            _ => self.visitor.fetch_page(request).await.map(|exchange| (exchange, None)),
        };
        match answer {
            Ok((exchange, spool)) => {
                self.visitor.count_failure(false);
                if matches!(kind, RequestKind::Twin { .. }) && exchange.status.is_success() {
                    terms::refresh_for(self.visitor, &exchange, None).await?;
                }
                self.came(&wanted, exchange, spool)
            }
            Err(error) if error.kind() == FetchErrorKind::HostPaused => Err(error.into()),
            Err(error) => self.did_not_come(&wanted, error),
        }
    }

    /// Hands an answer to the crawl.
    fn came(
        &mut self,
        wanted: &CrawlRequest,
        exchange: Exchange,
        spool: Option<SpooledTempFile>,
    ) -> Result<(), Setback> {
        let id = wanted.id;
        let mut head = Response::new(());
        *head.status_mut() = exchange.status;
        head.headers_mut().clone_from(&exchange.headers);
        if let Some(mut spool) = spool {
            spool.rewind().map_err(CrawlerError::Output)?;
            let is_wanted =
                self.crawl.on_head(id, &exchange.url, &head, clock::seconds()).map_err(internal)?;
            self.spool = is_wanted.then_some((id, spool));
            return Ok(());
        }
        if let RequestKind::Twin { key } = &wanted.kind {
            let usage = usage::of_response(self.visitor, &exchange.url, &exchange, None);
            let answer = Answer {
                usage,
                fresh_until: fresh_until(&exchange.headers),
                status: exchange.status.as_u16(),
                ..Answer::default()
            };
            self.answers.insert(key.clone(), answer);
        }
        let response = head.map(|()| exchange.body.as_slice());
        self.step(|crawl, pages, now| crawl.on_response(id, &exchange.url, &response, pages, now))?
            .map_err(internal)?;
        if wanted.kind == RequestKind::Start {
            self.front = Front::Came(self.front_work(), Box::new(exchange));
        }
        Ok(())
    }

    /// Tells the crawl that there is no answer, or none of use.
    fn did_not_come(&mut self, wanted: &CrawlRequest, error: FetchError) -> Result<(), Setback> {
        let (why, detail) = (error.kind().code(), error.to_string());
        let is_transient = error.kind().is_transient();
        match &wanted.kind {
            RequestKind::Start => {
                self.front = Front::Failed(self.front_work(), why, detail.clone(), self.tries);
            }
            RequestKind::Twin { key } => self.answer(key).failure = Some(error),
            RequestKind::Sitemap | RequestKind::Policy => {
                self.missing.push(format!("{}: {why}: {detail}", wanted.url));
            }
            _ => {}
        }
        let now = clock::seconds();
        if !is_transient {
            return self.crawl.on_unusable(wanted.id, now).map_err(internal);
        }
        self.crawl.on_failure(wanted.id, now).map_err(internal)?;
        self.visitor.count_failure(true);
        self.visitor.bear(&detail)
    }

    fn answer(&mut self, key: &str) -> &mut Answer {
        self.answers.entry(key.to_owned()).or_default()
    }

    /// The start page is asked for, perhaps at the place that a redirect named.
    fn ask_front(&mut self, url: &Url) {
        self.tries += 1;
        let mut work = self.front_work();
        if work.url != *url {
            let from = std::mem::replace(&mut work.url, url.clone());
            work.trail.push(from);
            self.front = Front::NotAsked(work);
        }
    }

    fn front_work(&self) -> PageWork {
        match &self.front {
            Front::NotAsked(work) | Front::Withheld(work) => work.clone(),
            Front::Came(work, _) | Front::Failed(work, ..) => work.clone(),
        }
    }

    /// The next piece of the sitemap; else what is left is to wait, or to come back in a later run.
    async fn wait(&mut self) -> Result<(), Setback> {
        if let Some((id, spool)) = &mut self.spool
            && self.crawl.wants_chunk(*id)
        {
            let (id, mut piece) = (*id, vec![0; PIECE_BYTES]);
            let length = spool.read(&mut piece).map_err(CrawlerError::Output)?;
            piece.truncate(length);
            if piece.is_empty() {
                self.spool = None;
                return self.crawl.on_chunks_end(id, clock::seconds()).map_err(internal);
            }
            return self.step(|crawl, pages, now| crawl.on_chunk(id, &piece, pages, now))?.map_err(internal);
        }
        let now = clock::seconds();
        let Some(at) = self.crawl.wake_at(now) else { return Err(internal("the crawl waits for nothing")) };
        let wait = Duration::from_secs(at.seconds_since(now));
        if wait > self.visitor.crawl.options.max_wait {
            return Err(Setback::Later { why: format!("the next request is due in {} s", wait.as_secs()) });
        }
        // At least a moment, for a clock that shows whole seconds.
        tokio::time::sleep(wait.max(Duration::from_millis(50))).await;
        Ok(())
    }

    /// What a page's report means for the store.
    fn take(&mut self, mut report: PageReport) -> Result<Changes, Setback> {
        let store = &self.visitor.crawl.store;
        let key = report.key.clone();
        let before = store.page(&self.visitor.site, &key)?;
        let answer = self.answers.remove(&key).unwrap_or_default();
        let state = report.state.take();
        let known = state.as_ref().or(before.as_ref().map(|before| &before.state));
        let Some(page) = known.map(|state| state.c_url.clone()) else { return Ok(Changes::default()) };
        let is_unlisted = state.as_ref().is_some_and(|state| state.unlisted_since.is_some());
        let mut record = state.map(|state| PageRecord { state, last: String::new() });
        let PageEvent::Visited(outcome) = &report.event else {
            let last = before.map(|before| before.last).unwrap_or_default();
            let record = record.map(|record| PageRecord { last, ..record });
            let lines = match report.event {
                PageEvent::Unlisted => vec![Line::Unlisted { url: page }],
                _ => Vec::new(),
            };
            return Ok(Changes { pages: vec![(key, record)], lines, ..Changes::default() });
        };
        if let Some(record) = &mut record {
            outcome.name().clone_into(&mut record.last);
        }
        let was_gone = before.as_ref().is_some_and(PageRecord::is_gone);
        let mut changes = match outcome {
            Outcome::Store { held, payload, problems, disagreement, .. } => {
                if let Some(why) = usage::refusal(&answer.usage, &self.visitor.crawl.options) {
                    self.give_up(&page, &key, record, why)
                } else {
                    let entry = Entry {
                        kind: Kind::Twin,
                        source: key.clone(),
                        held: held.clone(),
                        fresh_until: answer.fresh_until,
                        title: payload.title().as_untrusted_str().to_owned(),
                        usage: answer.usage,
                        follows_links: false,
                    };
                    let problems = problems.iter().map(ToString::to_string);
                    let findings = problems.chain(disagreement.map(|what| what.to_string())).collect();
                    let BodyChange::Store(body) = report.body() else { return Ok(Changes::default()) };
                    let changes = stored(&page, entry, body.to_vec(), findings);
                    Changes { pages: vec![(key, record)], ..changes }
                }
            }
            Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => match store.entry(&page)? {
                Some(entry) if entry.source == key => {
                    let entry = Entry { held: held.clone(), fresh_until: answer.fresh_until, ..entry };
                    Changes { pages: vec![(key, record)], ..kept(&page, entry) }
                }
                _ => failed(&page, "not-held", "the server confirmed what is not held"),
            },
            outcome => {
                let changes = without_body(&page, &key, outcome, &answer);
                let forgets = matches!(outcome, Outcome::Gone | Outcome::UseOnce { .. });
                let forgotten = if forgets { vec![(page.clone(), key.clone())] } else { Vec::new() };
                Changes { pages: vec![(key, record)], forgotten, ..changes }
            }
        };
        let is_gone =
            matches!(outcome, Outcome::Gone) || (is_unlisted && matches!(outcome, Outcome::NotFound));
        if is_gone && !was_gone {
            changes.lines = vec![Line::Gone { url: page, status: answer.status }];
        }
        Ok(changes)
    }

    /// The site does not want the text to be used: nothing of it is held, and it is asked about again in a week, or when
    /// its hash changes.
    fn give_up(&self, page: &str, key: &str, record: Option<PageRecord>, why: String) -> Changes {
        let mut record = record.unwrap_or_default();
        record.state.held = None;
        let later = policy(&self.visitor.crawl.options).refused_secs;
        record.state.not_before = Some(clock::seconds().saturating_add(later));
        "refused-use".clone_into(&mut record.last);
        Changes {
            pages: vec![(key.to_owned(), Some(record))],
            forgotten: vec![(page.to_owned(), key.to_owned())],
            ..passed(page, "usage", why)
        }
    }

    /// What became known of the site.
    fn note(&mut self, event: &SiteEvent) {
        let line = match event {
            SiteEvent::SitemapRead { url, is_unchanged, items, .. } => {
                self.sitemaps += 1;
                let state = if *is_unchanged { "unchanged" } else { "read" };
                Line::Sitemap { url: url.to_string(), state, items: Some(*items), why: String::new() }
            }
            SiteEvent::Policy { .. } => {
                self.visitor.record.tct = self.crawl.site_so_far();
                let policy = self.crawl.descriptor();
                Line::Policy {
                    site: self.visitor.site.clone(),
                    usage: usage::of_policy(policy),
                    rates: usage::Rates::of(policy),
                }
            }
            SiteEvent::Denied { purpose } => {
                self.is_denied = true;
                let why = match purpose {
                    Some(_) => {
                        format!("the site's policy does not allow {}", self.visitor.crawl.options.purpose)
                    }
                    None => "the site's policy asks for no requests at all".to_owned(),
                };
                Line::Passed { url: self.visitor.origin.to_string(), why: "policy", detail: why }
            }
            SiteEvent::NoSitemap { has_twin } => {
                let why = why_nothing(*has_twin, self.visitor.crawl.options.probe, &self.missing);
                Line::NoTwins { site: self.visitor.site.clone(), why }
            }
            SiteEvent::SiteUnavailable { status, .. } => {
                if let (Front::Came(work, _), Some(status @ (408 | 425 | 429 | 500..))) =
                    (&self.front, status)
                {
                    let (work, detail) = (work.clone(), format!("status {status}"));
                    self.front = Front::Failed(work, "busy", detail, self.tries);
                }
                return;
            }
            // The page of the start says the same.
            SiteEvent::SiteMoved { .. } => return,
            event => {
                let (state, url) = match event {
                    SiteEvent::Item { url, .. } => ("item", url),
                    SiteEvent::SitemapMoved { from, .. } => ("moved", from),
                    SiteEvent::SitemapBroken { url, .. } => ("broken", url),
                    SiteEvent::SitemapRefused { url, .. } => ("refused", url),
                    SiteEvent::SitemapMissing { url, .. } => ("missing", url),
                    SiteEvent::SitemapUnavailable { url, .. } => ("unavailable", url),
                    SiteEvent::PolicyUnreadable { url } => ("policy-unreadable", url),
                    _ => return,
                };
                let (mut why, prefix) = (event.detail(), format!("{url}: "));
                // The session was told that there was no answer; here it is known why.
                if let Some(known) = self.missing.iter().rfind(|known| known.starts_with(&prefix)) {
                    known.get(prefix.len()..).unwrap_or_default().clone_into(&mut why);
                } else {
                    self.missing.push(format!("{prefix}{why}"));
                }
                Line::Sitemap { url: url.to_string(), state, items: None, why }
            }
        };
        self.visitor.tell(line);
    }

    fn finish(self) -> Result<Found, Setback> {
        let Session { visitor, crawl, front, is_denied, sitemaps, .. } = self;
        let counters = crawl.counters();
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

/// Why a visit brought no body to keep.
fn without_body(page: &str, twin: &str, outcome: &Outcome, answer: &Answer) -> Changes {
    match outcome {
        Outcome::Refuse { .. } => {
            let because = answer.failure.as_ref().map(|error| format!("{}: {error}", error.kind().code()));
            failed(page, "refused-twin", because.unwrap_or_else(|| outcome.to_string()))
        }
        Outcome::UseOnce { .. } => passed(page, "no-store", "the response asks not to be kept"),
        Outcome::NotFound => passed(page, "not-found", twin),
        Outcome::Gone => passed(page, "gone", twin),
        Outcome::Forbidden if answer.is_withheld => passed(page, "robots", twin),
        Outcome::Forbidden => passed(page, barrier(answer.status), format!("status {}", answer.status)),
        outcome => match &answer.failure {
            Some(error) => failed(page, error.kind().code(), error.to_string()),
            None => failed(page, "busy", format!("status {}: {outcome}", answer.status)),
        },
    }
}

/// What was looked at, where a site has no twins to be found.
fn why_nothing(has_twin: bool, has_probed: bool, missing: &[String]) -> String {
    let mut why = match has_twin {
        true => "the start page has a twin, but nothing names a sitemap".to_owned(),
        false => {
            "the start page links neither a JSON sitemap nor a twin that confirms, and robots.txt names none"
                .to_owned()
        }
    };
    match has_probed || has_twin {
        true => why.push_str("; the usual places have none"),
        false => why.push_str("; the usual places were not tried (--probe)"),
    }
    for reason in missing.iter().take(5) {
        why.push_str("; ");
        why.push_str(reason);
    }
    why
}

/// A call that the code above makes in the right order was refused.
fn internal(error: impl std::fmt::Display) -> Setback {
    Setback::Run(CrawlerError::Client(error.to_string()))
}
