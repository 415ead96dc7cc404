//! One site from its start page to its last twin: a session that hands out requests and takes responses in any order.
//!
//! ```text
//!             ┌──────────────── Crawl ────────────────┐
//!  next() ──▶ │ start page ─▶ policy ─▶ sitemaps ─▶ visits │ ─▶ Send │ Page │ Site │ Wait │ Done
//!             └───────▲───────────────────────────────┘
//!   on_response(id, final URL, response), on_failure(id), on_chunk(id, …)
//! ```
//!
//! The caller sends, waits and stores; [`Crawl::next`] says which. What is kept between two runs is one
//! [`PageState`] a page and one [`SiteState`] a site, both plain serde values. The session opens no connection and
//! reads no clock. robots.txt stays the caller's duty: a request that it does not want to send it answers with
//! [`Crawl::on_withheld`].
//!
//! # Order
//!
//! 1. Sitemaps that an earlier run read are asked for at once. Else the start page is fetched: its `Link` fields and
//!    head name sitemaps, policy and twin. A start that is itself a sitemap or a twin is taken as such.
//! 2. Where nothing names a sitemap, linked twins are visited; when one confirms (canonical link, hash as tag), the
//!    usual places are tried. Other `application/json` alternates, such as a CMS's own API, lead nowhere.
//! 3. The policy descriptor is read before any page is visited; one that a sitemap or a twin links counts too. Its
//!    rate hints set the pace, a denied purpose ends the crawl. One that is known is asked for again before the first
//!    visit, and not in a crawl without visits.
//! 4. Each sitemap is asked for under the condition that it changed, and read as it arrives. After a 304 the stored
//!    pages are planned by the hash that was listed last. Where a page is in sitemaps of two revisions, only its twin
//!    of draft -03 is visited.
//! 5. Pages that need it are visited. What the sitemaps list no more is reported, and checked now and then.
//!
//! # What an answer to a sitemap's request means
//!
//! | answer | what happens |
//! |---|---|
//! | 200, a sitemap | read; its validators are stored when all of its visits are done |
//! | 200, broken further on | the entries before that place count; the next run reads it anew |
//! | 200, no sitemap at all | reported; what was known of it stays |
//! | 304 | the stored pages are planned |
//! | 301, 308 within the origin | followed; the new URL is remembered |
//! | 302, 303, 307 within the origin | followed |
//! | any redirect to another origin | refused |
//! | a response from another origin | refused, whatever it holds |
//! | 401, 402, 403, 407, 451 | reported; what was known of it stays |
//! | 404, 410 | reported; a sitemap of an earlier run is forgotten, and the start page asked again |
//! | 408, 429, 5xx, no answer | tried again, by `Retry-After` where there is one; what was known of it stays |
//! | other statuses | refused |
//!
//! What an answer to a twin's request means stands at [`visit`](crate::visit). After each visit:
//!
//! | outcome | the page's state |
//! |---|---|
//! | store, restore, keep | held |
//! | use-once | nothing held; visited in each crawl |
//! | refuse, forbidden | left alone for [`CrawlPolicy::refused_secs`], unless the sitemap lists another hash |
//! | not-found | the same for a day |
//! | gone | body forgotten, left alone likewise; removed where the sitemap does not list it |
//! | unavailable | tried again in this crawl, then in the next |
//!
//! # Memory
//!
//! Bounded by [`CrawlPolicy::max_queue`] planned visits, one piece of a sitemap, and three times a mebibyte:
//!
//! - What is listed no more: eight bytes for each of up to 131,072 listed pages. A site with more is looked through in parts,
//!   another one in each crawl.
//! - Where a site has several sitemaps, which pages draft -03 lists: eight bytes for each of up to 131,072, once while such a
//!   sitemap is read and once for all that were. Whether a sitemap is of draft -03 may be known at its end only, since in
//!   canonical form the profile comes behind the items; one that names another profile before costs nothing
//!   from its next piece on. Of a site with
//!   more such pages (a sitemap within the draft's limits has 20,000 at most), the others are visited by both of their twins.
//!
//! Spec: TCT draft-00, "Agent Flow", "Sitemap Discovery", "Error Handling"; TCT-DISC-2, TCT-DISC-6, TCT-DISC-7,
//! TCT-COND-11, TCT-ZF-1, TCT-SM-15, TCT-ERR-4, TCT-POL-8, TCT-AMB-31, TCT-AMB-32, TCT3-AMB-31.

mod find;
mod pace;
mod policy;
mod report;
mod sitemaps;
mod state;
mod visits;

use std::collections::{BTreeMap, HashSet, VecDeque};

use http::header::{ACCEPT, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use url::Url;

pub use policy::CrawlPolicy;
pub use report::{
    BodyChange, CrawlError, CrawlErrorKind, CrawlNext, CrawlRequest, PageEvent, PageReport, RequestId,
    RequestKind, SiteEvent,
};
pub use state::{PageState, Pages, ResourceState, SiteState};

use crate::address::uri_of;
use crate::counters::Counters;
use crate::visit::{Outcome, Refusal, StatusClass, is_same_but_fragment};
use crate::{CUrl, PolicyDescriptor, UnixSeconds};
use find::Find;
use pace::Pace;
use sitemaps::{Reading, SitemapTask};
use visits::PageVisit;

/// A crawl of one site.
///
/// ```
/// use std::collections::BTreeMap;
/// use tct::crawl::{BodyChange, Crawl, CrawlNext, CrawlPolicy, PageState};
/// use tct::{CUrl, UnixSeconds};
///
/// # fn send(_: http::Request<()>) -> http::Response<Vec<u8>> { let mut none = http::Response::default(); *none.status_mut() = http::StatusCode::NOT_FOUND; none }
/// let start = CUrl::parse("https://example.com/")?;
/// let mut crawl = Crawl::new(&start, CrawlPolicy::default());
/// let mut pages: BTreeMap<String, PageState> = BTreeMap::new(); // what earlier runs stored
/// let now = UnixSeconds(1_760_000_000);
/// loop {
///     match crawl.next(&pages, now) {
///         CrawlNext::Send(wanted) => {
///             let response = send(wanted.request); // follows no redirect
///             crawl.on_response(wanted.id, &wanted.url, &response, &pages, now)?;
///         }
///         CrawlNext::Page(report) => {
///             if let BodyChange::Store(_json) = report.body() { /* write it first */ }
///             match report.state {
///                 Some(state) => pages.insert(report.key, state),
///                 None => pages.remove(&report.key),
///             };
///         }
///         CrawlNext::Site(event) => println!("{event}"),
///         CrawlNext::Wait => { /* until a response comes, or crawl.wake_at() */ }
///         CrawlNext::Done => break,
///         _ => {}
///     }
/// }
/// let _to_store = crawl.site();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crawl {
    start: CUrl,
    policy: CrawlPolicy,
    site: SiteState,
    counters: Counters,
    descriptor: PolicyDescriptor,
    pace: Pace,
    next_id: u64,
    pending: BTreeMap<RequestId, Task>,
    /// Requests that concern the site, before those for pages.
    tasks: VecDeque<Task>,
    later: BTreeMap<(UnixSeconds, u64), Task>,
    visits: VecDeque<PageVisit>,
    events: VecDeque<SiteEvent>,
    reports: VecDeque<PageReport>,
    find: Find,
    reading: Option<Reading>,
    /// The request whose body comes in pieces.
    piecewise: Option<RequestId>,
    /// Sitemaps that wait for their turn, and those that were named at all.
    sitemaps: VecDeque<SitemapTask>,
    named: Vec<Url>,
    /// The validators of sitemaps that were read, to be stored when their visits are done.
    read: Vec<ResourceState>,
    unlisted: sitemaps::Unlisted,
    /// Pages that sitemaps of draft -03 list, where the site has several sitemaps.
    preferred: sitemaps::Preferred,
    /// Whether those of a sitemap that answered 304 are still to be added to them.
    prefers_stored: bool,
    /// How many sitemaps were read.
    readings: u32,
    policies: Vec<Url>,
    /// The policy that an earlier crawl read, until it is asked for again.
    stale_policy: Option<(Url, ResourceState)>,
    /// Keys of the pages that are queued or under way.
    queued: HashSet<String>,
    /// The sitemaps' validators as the crawl began.
    known: Vec<ResourceState>,
    is_denied: bool,
    is_settled: bool,
}

/// What a request is for.
#[derive(Debug)]
enum Task {
    Start { tries: u32, hops: Vec<Url>, url: Url },
    Policy { url: Url, tries: u32, held: Option<ResourceState> },
    Sitemap(SitemapTask),
    Page(Box<PageVisit>),
}

impl Task {
    fn url(&self) -> &Url {
        match self {
            Task::Start { url, .. } | Task::Policy { url, .. } => url,
            Task::Sitemap(task) => &task.url,
            Task::Page(visit) => visit.url(),
        }
    }
}

/// The parts of a response.
#[derive(Clone, Copy)]
struct Answer<'a> {
    url: &'a Url,
    status: StatusCode,
    headers: &'a HeaderMap,
    body: &'a [u8],
}

impl Crawl {
    /// A first crawl of the site that begins at `start`.
    #[must_use]
    pub fn new(start: &CUrl, policy: CrawlPolicy) -> Self {
        Self::resume(start, SiteState::default(), policy)
    }

    /// A further crawl, from what [`Crawl::site`] gave before.
    #[must_use]
    pub fn resume(start: &CUrl, site: SiteState, policy: CrawlPolicy) -> Self {
        let descriptor = PolicyDescriptor::parse(site.policy_json.as_bytes())
            .map_or_else(|_| PolicyDescriptor::default(), |(descriptor, _)| descriptor);
        Crawl {
            start: start.clone(),
            policy,
            counters: Counters::default(),
            pace: Pace::new(&site),
            descriptor,
            next_id: 0,
            pending: BTreeMap::new(),
            tasks: VecDeque::new(),
            later: BTreeMap::new(),
            visits: VecDeque::new(),
            events: VecDeque::new(),
            reports: VecDeque::new(),
            find: Find::default(),
            reading: None,
            piecewise: None,
            sitemaps: VecDeque::new(),
            named: Vec::new(),
            read: Vec::new(),
            unlisted: sitemaps::Unlisted::default(),
            preferred: sitemaps::Preferred::default(),
            prefers_stored: false,
            readings: 0,
            policies: Vec::new(),
            stale_policy: None,
            queued: HashSet::new(),
            known: site.sitemaps.clone(),
            is_denied: false,
            is_settled: false,
            site,
        }
    }

    /// Adds a sitemap that the caller knows. Call it before the first [`Crawl::next`].
    #[must_use]
    pub fn with_sitemap(mut self, url: Url) -> Self {
        self.find.search = core::mem::take(&mut self.find.search).with_configured(url);
        self
    }

    /// Adds the values of the `Sitemap:` lines of robots.txt: JSON ones of the site's own origin are tried last.
    #[must_use]
    pub fn with_robots_lines<'a>(mut self, values: impl IntoIterator<Item = &'a str>) -> Self {
        self.find.search = core::mem::take(&mut self.find.search).with_robots_lines(values);
        self
    }

    /// What to do next. `pages` are the stored ones; every report must be stored before the next call.
    pub fn next(&mut self, pages: &impl Pages, now: UnixSeconds) -> CrawlNext {
        loop {
            if let Some(event) = self.events.pop_front() {
                return CrawlNext::Site(event);
            }
            if self.is_settled {
                return CrawlNext::Done;
            }
            // What a twin says is not handed out before the policy that it links is known.
            if !self.waits_for_policy()
                && let Some(report) = self.reports.pop_front()
            {
                return CrawlNext::Page(Box::new(report));
            }
            self.wake(now);
            self.prefer_stored(pages);
            // The sitemap that has arrived before the pages that it lists, as far as the queue has room.
            let is_reading = self.reading.is_some() && self.visits.len() < self.policy.max_queue;
            if is_reading && self.read_on(pages, now) {
                continue;
            }
            let has_room = self.has_room();
            let may_send = has_room && self.pace.ready_at(&self.descriptor, now) <= now;
            if may_send && let Some(task) = self.next_task() {
                return self.send(task, now);
            }
            // More of the sitemap, once there is room for what it asks for.
            if self.visits.len() < self.policy.max_queue && self.read_on(pages, now) {
                continue;
            }
            if !self.tasks.is_empty()
                || !self.visits.is_empty()
                || !self.later.is_empty()
                || !self.pending.is_empty()
            {
                return CrawlNext::Wait;
            }
            if self.reading.is_some() || !self.advance(pages, now) {
                // A sitemap whose pieces are still to come has its request pending; nothing else is left here.
                self.settle();
                return CrawlNext::Done;
            }
        }
    }

    /// When [`Crawl::next`] has something to send again, if it is time that it waits for.
    #[must_use]
    pub fn wake_at(&self, now: UnixSeconds) -> Option<UnixSeconds> {
        let later = self.later.keys().next().map(|(at, _)| *at);
        let ready = (self.has_task() && self.has_room()).then(|| self.pace.ready_at(&self.descriptor, now));
        match (later, ready) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Takes the whole response to a request. `url` is the one that answered: where the client followed a redirect to
    /// another origin, nothing of the response is used. The body has no content coding any more.
    ///
    /// # Errors
    /// `UnknownRequest` where no request of this id waits.
    pub fn on_response(
        &mut self,
        id: RequestId,
        url: &Url,
        response: &Response<impl AsRef<[u8]>>,
        pages: &impl Pages,
        now: UnixSeconds,
    ) -> Result<(), CrawlError> {
        let body = response.body().as_ref();
        let answer = Answer { url, status: response.status(), headers: response.headers(), body };
        let task = self.take(id)?;
        self.counters.count_exchange(answer.status.as_u16(), body.len() as u64);
        self.pace.note(answer.status, answer.headers, &self.policy.visit, now);
        match task {
            Task::Start { tries, hops, url } => self.on_start(tries, hops, url, answer, now),
            Task::Policy { url, tries, held } => self.on_policy(url, tries, held, answer, now),
            Task::Sitemap(task) => {
                if let Some(reading) = self.on_sitemap_head(task, answer, now) {
                    self.reading = Some(reading);
                    self.on_piece(answer.body, pages, now);
                    self.on_end(now);
                }
            }
            Task::Page(visit) => self.on_page(*visit, answer, now),
        }
        Ok(())
    }

    /// Takes the head of a sitemap's response, whose body follows in pieces. Returns false where the body is not
    /// wanted: the request is then done with.
    ///
    /// # Errors
    /// `UnknownRequest` where no request of this id waits, `UnexpectedPiece` where it is not a sitemap's.
    pub fn on_head(
        &mut self,
        id: RequestId,
        url: &Url,
        head: &Response<()>,
        now: UnixSeconds,
    ) -> Result<bool, CrawlError> {
        if !matches!(self.pending.get(&id), Some(Task::Sitemap(_)) | None) {
            return Err(CrawlError { kind: CrawlErrorKind::UnexpectedPiece, id });
        }
        let Task::Sitemap(task) = self.take(id)? else { return Ok(false) };
        let answer = Answer { url, status: head.status(), headers: head.headers(), body: &[] };
        self.counters.count_exchange(answer.status.as_u16(), 0);
        self.pace.note(answer.status, answer.headers, &self.policy.visit, now);
        let Some(reading) = self.on_sitemap_head(task.clone(), answer, now) else { return Ok(false) };
        self.reading = Some(reading);
        // The request stays under way until the body's end.
        self.piecewise = Some(id);
        self.pending.insert(id, Task::Sitemap(task));
        Ok(true)
    }

    /// Takes the next piece of a sitemap's body. Ask [`Crawl::next`] for what follows from it before the next piece.
    ///
    /// # Errors
    /// `UnexpectedPiece` where its head was not taken, `PieceTooEarly` where the last piece is not read to its end.
    pub fn on_chunk(
        &mut self,
        id: RequestId,
        chunk: &[u8],
        pages: &impl Pages,
        now: UnixSeconds,
    ) -> Result<(), CrawlError> {
        if !matches!(self.pending.get(&id), Some(Task::Sitemap(_))) || !self.reading_of(id) {
            return Err(CrawlError { kind: CrawlErrorKind::UnexpectedPiece, id });
        }
        if self.reading.as_ref().is_some_and(Reading::is_paused) {
            return Err(CrawlError { kind: CrawlErrorKind::PieceTooEarly, id });
        }
        self.counters.bytes_received = self.counters.bytes_received.saturating_add(chunk.len() as u64);
        self.on_piece(chunk, pages, now);
        Ok(())
    }

    /// Whether the sitemap's next piece can be handed in.
    #[must_use]
    pub fn wants_chunk(&self, id: RequestId) -> bool {
        self.pending.contains_key(&id) && self.reading.as_ref().is_some_and(|reading| !reading.is_paused())
    }

    /// Takes the end of a sitemap's body.
    ///
    /// # Errors
    /// `UnexpectedPiece` where its head was not taken.
    pub fn on_chunks_end(&mut self, id: RequestId, now: UnixSeconds) -> Result<(), CrawlError> {
        if !self.reading_of(id) {
            return Err(CrawlError { kind: CrawlErrorKind::UnexpectedPiece, id });
        }
        self.pending.remove(&id);
        self.on_end(now);
        Ok(())
    }

    /// Takes the news that there is no whole response: no connection, a broken one, a body past the limit.
    ///
    /// # Errors
    /// `UnknownRequest` where no request of this id waits.
    pub fn on_failure(&mut self, id: RequestId, now: UnixSeconds) -> Result<(), CrawlError> {
        let at = now.saturating_add(self.policy.visit.retry_secs);
        match self.take(id)? {
            Task::Page(visit) => self.on_page_failure(*visit, now),
            task => {
                self.reading = None;
                self.try_again(task, at, None, now);
            }
        }
        Ok(())
    }

    /// Takes the news that a response came and is of no use: its body is longer than
    /// [`max_bytes`](CrawlRequest::max_bytes), or its coding is broken. In contrast to [`Crawl::on_failure`], it is not
    /// asked for again in this crawl: a twin counts as refused, a sitemap too.
    ///
    /// # Errors
    /// `UnknownRequest` where no request of this id waits.
    pub fn on_unusable(&mut self, id: RequestId, now: UnixSeconds) -> Result<(), CrawlError> {
        match self.take(id)? {
            Task::Start { .. } => self.start_failed(None),
            Task::Policy { url, .. } => {
                self.policy_failed(url);
                self.obey();
            }
            Task::Sitemap(task) => {
                self.reading = None;
                self.refuse_sitemap(&task, Refusal::Body);
            }
            Task::Page(visit) => {
                let outcome = Outcome::Refuse { reason: Refusal::Body, problems: Vec::new() };
                self.page_done(*visit, outcome, now);
            }
        }
        Ok(())
    }

    /// Takes the news that the request is not sent at all: robots.txt or the caller's own rules forbid it.
    ///
    /// # Errors
    /// `UnknownRequest` where no request of this id waits.
    pub fn on_withheld(
        &mut self,
        id: RequestId,
        pages: &impl Pages,
        now: UnixSeconds,
    ) -> Result<(), CrawlError> {
        let Some(url) = self.pending.get(&id).map(|task| task.url().clone()) else {
            return Err(CrawlError { kind: CrawlErrorKind::UnknownRequest, id });
        };
        let mut forbidden = Response::new([]);
        *forbidden.status_mut() = StatusCode::FORBIDDEN;
        self.on_response(id, &url, &forbidden, pages, now)
    }

    /// What to store of the site. Store it when the crawl is done; of one that is stopped before, store
    /// [`Crawl::site_so_far`], or keep the former value.
    #[must_use]
    pub fn site(&self) -> &SiteState {
        &self.site
    }

    /// What to store of the site where the crawl is stopped before its end: the sitemaps' validators as the last whole
    /// crawl left them, so that the next one reads them again, and the policy and pace of this one.
    #[must_use]
    pub fn site_so_far(&self) -> SiteState {
        let not_before = self.pace.paused_until();
        SiteState { sitemaps: self.known.clone(), not_before, ..self.site.clone() }
    }

    /// What the site's policy states: for the text that is stored, its terms (TCT-POL-8).
    #[must_use]
    pub fn descriptor(&self) -> &PolicyDescriptor {
        &self.descriptor
    }

    /// What was planned, sent and stored so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Whether the head of this request's response was taken. After the policy ended the crawl, its pieces are read by
    /// nobody.
    fn reading_of(&self, id: RequestId) -> bool {
        self.piecewise == Some(id) && self.pending.contains_key(&id)
    }

    fn take(&mut self, id: RequestId) -> Result<Task, CrawlError> {
        self.pending.remove(&id).ok_or(CrawlError { kind: CrawlErrorKind::UnknownRequest, id })
    }

    /// Puts what was to be tried again at this time back into the queues.
    fn wake(&mut self, now: UnixSeconds) {
        while let Some(entry) = self.later.first_entry().filter(|entry| entry.key().0 <= now) {
            match entry.remove() {
                Task::Page(visit) => self.visits.push_back(*visit),
                task => self.tasks.push_back(task),
            }
        }
    }

    /// The next request: those for the site first; pages wait until the policy is known.
    fn next_task(&mut self) -> Option<Task> {
        if let Some(task) = self.tasks.pop_front() {
            return Some(task);
        }
        if self.waits_for_policy() || self.waits_for_sitemap() {
            return None;
        }
        if self.reads_ahead()
            && let Some(task) = self.sitemaps.pop_front()
        {
            return Some(Task::Sitemap(task));
        }
        // What an earlier crawl read may have changed: asked about before the first page, and not where none is visited.
        if !self.visits.is_empty()
            && let Some((url, held)) = self.stale_policy.take()
        {
            return Some(Task::Policy { url, tries: 0, held: Some(held) });
        }
        self.visits.pop_front().map(|visit| Task::Page(Box::new(visit)))
    }

    /// Whether there is a [next request](Self::next_task).
    fn has_task(&self) -> bool {
        let may_go_on = || !self.waits_for_policy() && !self.waits_for_sitemap();
        let has_more = !self.visits.is_empty() || (self.reads_ahead() && !self.sitemaps.is_empty());
        !self.tasks.is_empty() || (has_more && may_go_on())
    }

    /// All sitemaps are read before the first page, as far as the queue has room: one of draft -03 takes its pages from the
    /// others.
    fn reads_ahead(&self) -> bool {
        self.named.len() > 1 && self.visits.len() < self.policy.max_queue
    }

    fn waits_for_sitemap(&self) -> bool {
        let is_asked = || self.pending.values().any(|task| matches!(task, Task::Sitemap(_)));
        self.reads_ahead() && (self.reading.is_some() || is_asked())
    }

    /// Whether another request may be under way. A sitemap that comes in pieces does not count: its pages are what is
    /// to be asked for meanwhile.
    fn has_room(&self) -> bool {
        let streamed = self.piecewise.filter(|id| self.pending.contains_key(id));
        self.pending.len() - usize::from(streamed.is_some()) < self.policy.parallel.max(1)
    }

    fn waits_for_policy(&self) -> bool {
        let tasks = self.tasks.iter().chain(self.later.values()).chain(self.pending.values());
        tasks.into_iter().any(|task| matches!(task, Task::Policy { .. }))
    }

    fn send(&mut self, task: Task, now: UnixSeconds) -> CrawlNext {
        let id = RequestId(self.next_id);
        self.next_id += 1;
        self.pace.count(&mut self.site, now);
        let (request, max_bytes) = match &task {
            Task::Start { url, .. } => {
                (get(url, None, "text/html, application/json;q=0.9"), find::MAX_START_BYTES)
            }
            Task::Policy { url, held, .. } => {
                (get(url, held.as_ref(), "application/json"), find::MAX_POLICY_BYTES)
            }
            Task::Sitemap(task) => {
                (get(&task.url, task.held.as_ref(), "application/json"), self.policy.sitemap.max_bytes)
            }
            Task::Page(visit) => (visit.request(), self.policy.visit.open.max_bytes as u64),
        };
        let kind = match &task {
            Task::Start { .. } => RequestKind::Start,
            Task::Policy { .. } => RequestKind::Policy,
            Task::Sitemap(_) => RequestKind::Sitemap,
            Task::Page(visit) => RequestKind::Twin { key: visit.key().to_owned() },
        };
        let url = task.url().clone();
        self.pending.insert(id, task);
        CrawlNext::Send(CrawlRequest { id, url, request, max_bytes, kind })
    }

    /// Sends the task again at `at`, unless it was sent often enough or the wait is too long; then it is given up.
    fn try_again(&mut self, mut task: Task, at: UnixSeconds, status: Option<StatusCode>, now: UnixSeconds) {
        let tries = match &mut task {
            Task::Start { tries, .. } | Task::Policy { tries, .. } => tries,
            Task::Sitemap(task) => &mut task.tries,
            Task::Page(visit) => &mut visit.tries,
        };
        *tries += 1;
        let may_wait = at.seconds_since(now) <= self.policy.max_wait_secs;
        if *tries < self.policy.tries && may_wait {
            let number = self.next_id;
            self.next_id += 1;
            self.later.insert((at, number), task);
            return;
        }
        match task {
            Task::Start { .. } => {
                let status = status.map(|status| status.as_u16());
                self.events.push_back(SiteEvent::SiteUnavailable { status });
            }
            Task::Policy { url, .. } => self.events.push_back(SiteEvent::PolicyUnreadable { url }),
            Task::Sitemap(task) => {
                self.unlisted.is_complete = false;
                self.find.is_deferred = true;
                self.keep_known(&task);
                self.events.push_back(SiteEvent::SitemapUnavailable { url: task.url, retry_at: at });
            }
            Task::Page(_) => {}
        }
    }

    /// Whether an answer comes from where it may: else nothing of it is used.
    fn is_own(&self, asked: &Url, answered: &Url) -> bool {
        is_same_but_fragment(asked, answered)
            || (asked.origin() == answered.origin() && self.policy.visit.urls.check(answered).is_ok())
    }

    /// Everything is done: what was read counts.
    fn settle(&mut self) {
        self.is_settled = true;
        self.site.sitemaps = core::mem::take(if self.is_denied { &mut self.known } else { &mut self.read });
        self.site.not_before = self.pace.paused_until();
        self.site.turn = self.site.turn.wrapping_add(1);
    }
}

/// A GET request, under the condition that what is held changed.
fn get(url: &Url, held: Option<&ResourceState>, accept: &'static str) -> Request<()> {
    let mut request = Request::new(());
    *request.uri_mut() = uri_of(url);
    let headers = request.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    if let Some(held) = held {
        if let Some(etag) = held.etag.as_deref().and_then(|etag| HeaderValue::try_from(etag).ok()) {
            headers.insert(IF_NONE_MATCH, etag);
        } else if let Some(modified) = held.last_modified {
            headers.insert(IF_MODIFIED_SINCE, crate::time::http_date(modified));
        }
    }
    request
}

/// What is known of a resource from its response.
fn resource_of(url: &Url, headers: &HeaderMap, now: UnixSeconds) -> ResourceState {
    let mut tags = headers.get_all(http::header::ETAG).iter();
    let etag = match (tags.next(), tags.next()) {
        (Some(tag), None) if crate::EntityTag::parse(tag.as_bytes()).is_some() => tag.to_str().ok(),
        _ => None,
    };
    ResourceState {
        url: url.to_string(),
        etag: etag.map(|tag| tag.trim().to_owned()),
        last_modified: crate::visit::last_modified(headers),
        validated_at: now,
        is_v03: false,
    }
}

/// When to send a request again whose answer asks for patience.
fn retry_at(policy: &crate::VisitPolicy, headers: &HeaderMap, now: UnixSeconds) -> UnixSeconds {
    let asked = crate::retry::retry_after(headers, now);
    let latest = now.saturating_add(policy.max_retry_secs);
    asked.unwrap_or_else(|| now.saturating_add(policy.retry_secs)).min(latest)
}

/// The class of a status, where nothing but the status counts.
fn class(status: StatusCode) -> StatusClass {
    StatusClass::of(status)
}
