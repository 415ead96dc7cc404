//! One site from its start page to its last twin: a session that hands out requests and takes responses in any order.
//!
//! ```text
//!             ┌──────────────── Crawl ────────────────┐
//!  next() ──▶ │ start page ─▶ policy ─▶ sitemaps ─▶ visits │ ─▶ Send │ Page │ Site │ Wait │ Done
//!             └───────▲───────────────────────────────┘
//!   on_response(id, final URL, response), on_failure(id), on_chunk(id, …)
//! ```
//!
//! The caller sends requests, waits and stores; [`Crawl::next`] says what to do. Between two runs it keeps a
//! [`PageState`] for each page and a [`SiteState`] for the site, both plain serde values. The session opens no
//! connection and reads no clock. The caller must obey robots.txt: call [`Crawl::on_withheld`] for a request
//! that is not sent. `tct-tower`'s `drive` does all of this.
//!
//! [`invariants`](crate::invariants) lists what holds whatever the network, the server and the clock do, each with its test. A
//! crawl that is killed at any call loses nothing if the result of [`Crawl::take_news`] is stored after each [`Crawl::next`].
//!
//! # Order
//!
//! 1. If the policy of an earlier crawl denies access, it is fetched first, and nothing else until it allows.
//! 2. Sitemaps of earlier runs are fetched. If there are none, or one is missing, the start page is fetched: its `Link`
//!    fields and head name sitemaps, policy and twin. The start may itself be a sitemap or a twin.
//! 3. If nothing names a sitemap, linked twins are visited; if one is confirmed (canonical link, hash as tag), the
//!    usual sitemap paths are tried. Other `application/json` alternates, such as a CMS's own API, are ignored.
//! 4. The policy descriptor is read before any page is visited; one that a sitemap or a twin links counts too. Until
//!    one is known, answers about twins take effect in the order of their requests, so that a denial finds the same pages
//!    stored, however many requests are under way. Its rate hints set the pace. A known descriptor is fetched again before
//!    the first visit, but not in a crawl without visits.
//! 5. Sitemaps are fetched with conditional requests, one after the other, and read as they arrive. Pages are visited after
//!    all sitemaps, as far as there is room for planned visits. After a 304 the stored pages are planned by the hash that was
//!    listed last. If a page is in sitemaps of two revisions, its twin of draft -03 is visited, and the other one if that
//!    fails.
//! 6. Stored pages that no sitemap lists are reported as unlisted if all sitemaps were read, and are checked from time to time.
//!
//! # Answers to a sitemap request
//!
//! | answer | what happens |
//! |---|---|
//! | 200, a sitemap | read; its validators are stored when all of its visits are done |
//! | 200, broken further on | the entries before that place count; the next run reads it anew |
//! | 200, not a sitemap | reported; its stored state stays |
//! | 304 | the stored pages are planned |
//! | 301, 308 within the origin | followed; the new URL is remembered |
//! | 302, 303, 307 within the origin | followed |
//! | any redirect to another origin | refused |
//! | a response from another origin | refused, whatever it holds |
//! | 401, 402, 403, 407, 451 | reported; its stored state stays |
//! | 404 | reported, and the start page asked again; asked for in each crawl for 90 days, as long as another one can be read; after a week its pages count as unlisted |
//! | 410 | reported, the start page asked again; forgotten |
//! | 408, 429, 5xx, no answer | tried again, after `Retry-After` if there is one; its stored state stays |
//! | other statuses | refused |
//!
//! A sitemap that was named but could not be read is tried in the next crawls like one that answers
//! 404.
//!
//! [`visit`](crate::visit) describes the answers to a twin's request. After each visit:
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
//! Bounded by [`CrawlPolicy::max_queue`] planned visits (and as many that wait for another try or were put aside), one
//! piece of a sitemap, twice [`CrawlPolicy::parallel`] twins whose answers wait for their turn, and these tables, in mebibytes:
//!
//! - One for what the sitemaps list, and one for the sitemap that is being read: eight bytes for each of up to 131,072 pages. A
//!   larger site is checked in parts, one in each crawl.
//! - Where a site has several sitemaps, one for the pages that draft -03 lists, and one while a sitemap is read that may be of
//!   that draft; in canonical form the profile follows the items. Pages beyond that number are visited through both twins.
//! - Two for the first 65,536 pages that are visited; of the others, a page that is listed twice may be visited
//!   twice.
//!
//! Spec: TCT draft-00, "Agent Flow", "Sitemap Discovery", "Error Handling"; TCT-DISC-2, TCT-DISC-6, TCT-DISC-7,
//! TCT-COND-11, TCT-ZF-1, TCT-SM-15, TCT-ERR-4, TCT-POL-8, TCT-AMB-31, TCT-AMB-32, TCT3-AMB-31.

mod find;
mod listing;
mod memory;
mod pace;
mod policy;
mod report;
mod sitemaps;
mod state;
mod task;
mod terms;
mod visits;
mod walk;

use std::collections::{BTreeMap, HashSet, VecDeque};

use http::Response;
use url::Url;

pub use memory::MemoryStore;
pub use policy::CrawlPolicy;
pub use report::{
    BodyChange, CrawlError, CrawlErrorKind, CrawlNext, CrawlRequest, PageEvent, PageReport, RequestId,
    RequestKind, SiteEvent,
};
pub use state::{PageState, Pages, ResourceState, SiteState};

use crate::counters::Counters;
use crate::visit::{Outcome, Refusal};
use crate::{CUrl, PolicyDescriptor, UnixSeconds};
use find::Find;
use listing::{Planned, Preferred};
use pace::Pace;
use sitemaps::{Arrival, SitemapTask};
use task::{Answer, Task};
use terms::Terms;
use visits::{PageAnswer, PageVisit};
use walk::{Walk, Weigh};

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
    phase: Phase,
    site: SiteState,
    /// The sitemaps' validators at the start of the crawl, without those of sitemaps that were read
    /// anew.
    before: Vec<ResourceState>,
    /// True if the site's state has changed since it was taken.
    has_news: bool,
    counters: Counters,
    terms: Terms,
    pace: Pace,
    next_id: u64,
    /// Requests in flight and sitemaps being read: each owns what its answer needs.
    flight: BTreeMap<RequestId, Task>,
    later: BTreeMap<(UnixSeconds, u64), Task>,
    /// Follow-up requests about the site: redirects and retries.
    tasks: VecDeque<Task>,
    /// Sitemaps that wait for their turn, and all that were named.
    sitemaps: VecDeque<SitemapTask>,
    named: HashSet<Url>,
    find: Find,
    /// The states of sitemaps to store at the end, including missing ones.
    kept: Vec<ResourceState>,
    missing: Vec<ResourceState>,
    /// How many sitemaps were read, and which of them are of draft -03.
    readings: u32,
    preferring: Vec<u32>,
    /// Pages that sitemaps of draft -03 list, where the site has several sitemaps.
    preferred: Preferred,
    weigh: Weigh,
    planned: Planned,
    visits: VecDeque<PageVisit>,
    /// Answers about pages that have not taken effect, by the turns of their visits.
    answered: BTreeMap<u64, PageAnswer>,
    /// Visits put aside in favour of draft -03, by page.
    aside: BTreeMap<u64, PageVisit>,
    walk: Walk,
    events: VecDeque<SiteEvent>,
    reports: VecDeque<PageReport>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    New,
    Open,
    Done,
}

/// The next request to send, if any.
enum Choice {
    Policy,
    Task,
    Sitemap,
    Start,
    Page,
}

impl Crawl {
    /// A first crawl of the site that begins at `start`.
    #[must_use]
    pub fn new(start: &CUrl, policy: CrawlPolicy) -> Self {
        Self::resume(start, SiteState::default(), policy)
    }

    /// A further crawl, from the result of an earlier [`Crawl::site`].
    #[must_use]
    pub fn resume(start: &CUrl, site: SiteState, policy: CrawlPolicy) -> Self {
        // Of another site, such as of a store that two share: its policy would be asked for, its denial obeyed.
        let site = if site.is_of(start.as_url()) { site } else { SiteState::default() };
        Crawl {
            start: start.clone(),
            policy,
            phase: Phase::New,
            before: Vec::new(),
            has_news: false,
            counters: Counters::default(),
            terms: Terms::new(&site, policy.purpose),
            pace: Pace::new(&site),
            next_id: 0,
            flight: BTreeMap::new(),
            later: BTreeMap::new(),
            tasks: VecDeque::new(),
            sitemaps: VecDeque::new(),
            named: HashSet::new(),
            find: Find::default(),
            kept: Vec::new(),
            missing: Vec::new(),
            readings: 0,
            preferring: Vec::new(),
            preferred: Preferred::default(),
            weigh: Weigh::default(),
            planned: Planned::default(),
            visits: VecDeque::new(),
            answered: BTreeMap::new(),
            aside: BTreeMap::new(),
            walk: Walk::default(),
            events: VecDeque::new(),
            reports: VecDeque::new(),
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
        if self.phase == Phase::New {
            self.phase = Phase::Open;
            self.begin(pages);
        }
        loop {
            if let Some(event) = self.events.pop_front() {
                return CrawlNext::Site(event);
            }
            if self.phase == Phase::Done {
                return CrawlNext::Done;
            }
            if self.is_denied() {
                self.settle();
                continue;
            }
            // What a twin says is not handed out before the policy that it links is known.
            if !self.terms.is_open()
                && let Some(report) = self.reports.pop_front()
            {
                return CrawlNext::Page(Box::new(report));
            }
            if self.take_answer() {
                continue;
            }
            self.wake(now);
            // What has arrived of a sitemap before the pages that it lists, as far as there is room.
            if self.read_on(pages, now) {
                continue;
            }
            if self.is_weighing_due() && !self.has_site_work() {
                self.weigh(pages, now);
                continue;
            }
            if let Some(choice) = self.choose()
                && self.ready_at(now) <= now
                && let Some(task) = self.take_chosen(&choice)
            {
                return CrawlNext::Send(self.send(task, now));
            }
            if self.walk.is_under_way()
                && !self.terms.is_open()
                && self.visits.len() < self.policy.max_queue.max(1)
            {
                self.walk_on(pages, now);
                continue;
            }
            if self.choose().is_some()
                || !self.visits.is_empty()
                || !self.later.is_empty()
                || !self.flight.is_empty()
            {
                return CrawlNext::Wait;
            }
            if !self.seek() && !self.begin_walk() {
                self.settle();
            }
        }
    }

    /// When [`Crawl::next`] can send again, if it waits for a time: at most a day from `now`.
    #[must_use]
    pub fn wake_at(&self, now: UnixSeconds) -> Option<UnixSeconds> {
        let latest = now.saturating_add(self.policy.max_wait_secs);
        let later = self.later.keys().next().map(|(at, _)| (*at).min(latest));
        let choice = self.choose().filter(|_| self.phase == Phase::Open);
        let ready = choice.map(|_| self.ready_at(now));
        match (later, ready) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Takes the whole response to a request. `url` is the one that answered: if the client followed a redirect to
    /// another origin, the response is not used. The body must be decoded.
    ///
    /// # Errors
    /// `UnknownRequest` if no request of this id waits.
    pub fn on_response(
        &mut self,
        id: RequestId,
        url: &Url,
        response: &Response<impl AsRef<[u8]>>,
        pages: &impl Pages,
        now: UnixSeconds,
    ) -> Result<(), CrawlError> {
        let task = self.take(id, Task::is_asked)?;
        let body = response.body().as_ref();
        let answer = Answer { url, status: response.status(), headers: response.headers(), body };
        self.note_answer(answer, now);
        match task {
            Task::Start(errand) => self.on_start(errand, answer, now),
            Task::Policy(task) => self.on_policy(task, answer, now),
            Task::Sitemap(task) => {
                if let Some(task) = self.on_sitemap_head(task, answer, now) {
                    self.flight.insert(id, Task::Sitemap(task));
                    self.read_piece(id, Some(body), pages, now);
                    self.on_body_end(id);
                }
            }
            Task::Page(visit) => self.on_page(visit, answer, now),
            Task::Void(_) => {}
        }
        Ok(())
    }

    /// Takes the head of a sitemap's response, whose body follows in pieces. Returns false if the body is not
    /// wanted: the request is then finished.
    ///
    /// # Errors
    /// `UnknownRequest` if no request of this id waits, `UnexpectedPiece` if it is not a sitemap's.
    pub fn on_head(
        &mut self,
        id: RequestId,
        url: &Url,
        head: &Response<()>,
        now: UnixSeconds,
    ) -> Result<bool, CrawlError> {
        let Some(Task::Sitemap(_) | Task::Void(_)) = self.flight.get(&id) else {
            let is_known = self.flight.contains_key(&id);
            let kind =
                if is_known { CrawlErrorKind::UnexpectedPiece } else { CrawlErrorKind::UnknownRequest };
            return Err(CrawlError { kind, id });
        };
        let task = self.take(id, Task::is_asked)?;
        let answer = Answer { url, status: head.status(), headers: head.headers(), body: &[] };
        self.note_answer(answer, now);
        let Task::Sitemap(task) = task else { return Ok(false) };
        let Some(task) = self.on_sitemap_head(task, answer, now) else { return Ok(false) };
        // The request stays under way until the body's end.
        self.flight.insert(id, Task::Sitemap(task));
        Ok(true)
    }

    /// Takes the next piece of a sitemap's body. Call [`Crawl::next`] for the resulting actions before the next
    /// piece.
    ///
    /// # Errors
    /// `UnexpectedPiece` if its head was not taken, `PieceTooEarly` if the last piece is not read to its end.
    pub fn on_chunk(
        &mut self,
        id: RequestId,
        chunk: &[u8],
        pages: &impl Pages,
        now: UnixSeconds,
    ) -> Result<(), CrawlError> {
        self.arriving(id)?;
        if !self.wants_chunk(id) {
            return Err(CrawlError { kind: CrawlErrorKind::PieceTooEarly, id });
        }
        self.counters.bytes_received = self.counters.bytes_received.saturating_add(chunk.len() as u64);
        self.read_piece(id, Some(chunk), pages, now);
        Ok(())
    }

    /// Whether the sitemap's next piece can be handed in.
    #[must_use]
    pub fn wants_chunk(&self, id: RequestId) -> bool {
        matches!(self.flight.get(&id), Some(Task::Sitemap(task)) if task.wants_piece())
    }

    /// Takes the end of a sitemap's body.
    ///
    /// # Errors
    /// `UnexpectedPiece` if its head was not taken.
    pub fn on_chunks_end(&mut self, id: RequestId, _now: UnixSeconds) -> Result<(), CrawlError> {
        self.arriving(id)?;
        self.on_body_end(id);
        Ok(())
    }

    /// Call this if there is no complete response: no connection, or a broken one.
    ///
    /// # Errors
    /// `UnknownRequest` if no request of this id waits.
    pub fn on_failure(&mut self, id: RequestId, now: UnixSeconds) -> Result<(), CrawlError> {
        let at = self.retry_at(None, now);
        match self.take(id, Task::is_unanswered)? {
            Task::Start(errand) => self.start_later(errand, at, None, now),
            Task::Policy(task) => self.policy_later(task, at, now),
            Task::Sitemap(task) => self.sitemap_later(task, at, now),
            Task::Page(visit) => self.page_ended(visit, Outcome::Unavailable { retry_at: at }, now),
            Task::Void(_) => {}
        }
        Ok(())
    }

    /// Call this if a response is unusable: its body is longer than [`max_bytes`](CrawlRequest::max_bytes), or its
    /// coding is broken. Unlike after [`Crawl::on_failure`], it is not requested again in this crawl: the twin or
    /// sitemap counts as refused.
    ///
    /// # Errors
    /// `UnknownRequest` if no request of this id waits.
    pub fn on_unusable(&mut self, id: RequestId, now: UnixSeconds) -> Result<(), CrawlError> {
        match self.take(id, Task::is_unanswered)? {
            Task::Start(_) => self.start_failed(None),
            Task::Policy(task) => self.policy_failed(&task, None),
            Task::Sitemap(task) => self.refuse_sitemap(*task, Refusal::Body, now),
            Task::Page(visit) => {
                let outcome = Outcome::Refuse { reason: Refusal::Body, problems: Vec::new() };
                self.page_ended(visit, outcome, now);
            }
            Task::Void(_) => {}
        }
        Ok(())
    }

    /// Call this if the request is not sent, because robots.txt or the caller's own rules forbid it. It does not count for
    /// the pace; a twin counts as forbidden, a sitemap as refused.
    ///
    /// # Errors
    /// `UnknownRequest` if no request of this id waits.
    pub fn on_withheld(&mut self, id: RequestId, now: UnixSeconds) -> Result<(), CrawlError> {
        let task = self.take(id, Task::is_asked)?;
        self.pace.discount(&mut self.site);
        match task {
            Task::Start(_) => self.start_withheld(),
            Task::Policy(task) => self.policy_withheld(&task),
            Task::Sitemap(task) => self.refuse_sitemap(*task, Refusal::Withheld, now),
            Task::Page(visit) => self.page_ended(visit, Outcome::Forbidden, now),
            Task::Void(_) => {}
        }
        Ok(())
    }

    /// The state of the site, to be stored when the crawl is done. For a crawl that is stopped early,
    /// store [`Crawl::site_so_far`].
    #[must_use]
    pub fn site(&self) -> &SiteState {
        &self.site
    }

    /// The state of the site for a crawl that is stopped early: the sitemaps' validators of the last complete crawl,
    /// without those of sitemaps that were read anew, so that the next crawl reads them again; and the policy and pace of
    /// this one. Once the crawl is done, the same as [`Crawl::site`].
    #[must_use]
    pub fn site_so_far(&self) -> SiteState {
        if self.phase == Phase::Done {
            return self.site.clone();
        }
        SiteState { sitemaps: self.sitemaps_so_far(), not_before: self.not_before(), ..self.site.clone() }
    }

    /// The state of the site, if it has changed: store it after each [`Crawl::next`], before what that asks for. Then a crawl
    /// that is killed leaves no state that could hide a later change, and the next one keeps to the pause that a server asked
    /// for and to the policy's rates. Not needed if crawls always run to their end.
    pub fn take_news(&mut self) -> Option<SiteState> {
        core::mem::take(&mut self.has_news).then(|| self.site_so_far())
    }

    /// The site's policy descriptor, the terms for the stored text (TCT-POL-8).
    #[must_use]
    pub fn descriptor(&self) -> &PolicyDescriptor {
        self.terms.descriptor()
    }

    /// Counts of pages planned, requests sent and bodies stored so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    fn sitemaps_so_far(&self) -> Vec<ResourceState> {
        // Before its beginning a crawl has not taken them over.
        if self.phase == Phase::New { self.site.sitemaps.clone() } else { self.before.clone() }
    }

    /// The gate that every request passes: true if only the policy may be fetched.
    fn is_denied(&self) -> bool {
        !self.terms.is_open() && self.terms.denial().is_some()
    }

    fn take(&mut self, id: RequestId, may_take: fn(&Task) -> bool) -> Result<Task, CrawlError> {
        let unknown = CrawlError { kind: CrawlErrorKind::UnknownRequest, id };
        match self.flight.remove(&id) {
            Some(task) if may_take(&task) => Ok(task),
            Some(task) => {
                self.flight.insert(id, task);
                Err(unknown)
            }
            None => Err(unknown),
        }
    }

    fn note_answer(&mut self, answer: Answer<'_>, now: UnixSeconds) {
        self.counters.count_exchange(answer.status.as_u16(), answer.body.len() as u64);
        let before = self.pace.paused_until();
        self.pace.note(answer.status, answer.headers, &self.policy.visit, now);
        self.has_news |= self.pace.paused_until() != before;
    }

    /// Returns true if the head of this request's response was taken and its body is still to come.
    fn arriving(&self, id: RequestId) -> Result<(), CrawlError> {
        match self.flight.get(&id) {
            Some(Task::Sitemap(task)) if matches!(task.arrival, Arrival::Arriving(_)) => Ok(()),
            _ => Err(CrawlError { kind: CrawlErrorKind::UnexpectedPiece, id }),
        }
    }

    /// When a crawl that goes on after this one was killed may send.
    pub(super) fn not_before(&self) -> Option<UnixSeconds> {
        self.pace.not_before(self.terms.descriptor(), self.policy.visit.max_retry_secs)
    }

    fn ready_at(&self, now: UnixSeconds) -> UnixSeconds {
        self.pace.ready_at(self.terms.descriptor(), self.policy.visit.max_retry_secs, now)
    }

    /// The next request, if another one may be in flight. A sitemap whose body is arriving does not count, since its pages
    /// are fetched meanwhile.
    fn choose(&self) -> Option<Choice> {
        let under_way = self.flight.values().filter(|task| task.is_asked()).count();
        let parallel = self.policy.parallel.max(1);
        if under_way >= parallel {
            return None;
        }
        let is_site_busy = self.flight.values().any(Task::is_of_site);
        // Behind the sitemap that links it, unless there is no room to read that to its end.
        if self.terms.is_wanted() {
            return (!is_site_busy || self.is_full()).then_some(Choice::Policy);
        }
        if self.terms.denial().is_some() {
            // What denied is gone: the start page may link another policy, and nothing else is asked.
            let may_seek = self.terms.is_lost() && !is_site_busy;
            return match self.tasks.is_empty() {
                _ if !may_seek => None,
                false => Some(Choice::Task),
                true => self.wants_start().then_some(Choice::Start),
            };
        }
        if !is_site_busy {
            if !self.tasks.is_empty() {
                return Some(Choice::Task);
            }
            if !self.is_full() && !self.sitemaps.is_empty() {
                return Some(Choice::Sitemap);
            }
            if self.wants_start() && self.sitemaps.is_empty() {
                return Some(Choice::Start);
            }
        }
        if self.visits.is_empty() || self.terms.is_open() || (self.has_site_work() && !self.is_full()) {
            return None;
        }
        // What an earlier crawl read may have changed: asked about before the first page, and not where none is visited.
        if self.terms.is_stored() {
            return Some(Choice::Policy);
        }
        // Those that wait for another try have their place among what is planned.
        if self.later.len() >= self.policy.max_queue.max(1) {
            return None;
        }
        // Each answer that waits for its turn holds a text: what they wait for is asked for first.
        let goes_on = self.visits.front().is_some_and(|visit| visit.turn > 0);
        if self.answered.len() >= parallel && !goes_on {
            return None;
        }
        // Twins may link a policy that nobody knows of yet. Until a sound one has answered, they are visited one at a time, so
        // that the same pages are asked for before a denial whatever `parallel` is.
        let is_first_asked = self.flight.values().any(|task| matches!(task, Task::Page(_)));
        (!self.terms.is_unsought() || !is_first_asked).then_some(Choice::Page)
    }

    fn take_chosen(&mut self, choice: &Choice) -> Option<Task> {
        match choice {
            Choice::Policy => {
                self.terms.ask_stored();
                self.terms.take()
            }
            Choice::Task => self.tasks.pop_front(),
            Choice::Sitemap => self.sitemaps.pop_front().map(|task| Task::Sitemap(Box::new(task))),
            Choice::Start => Some(self.start_task()),
            Choice::Page => self.visits.pop_front().map(|visit| Task::Page(Box::new(visit))),
        }
    }

    /// Returns true if sitemaps, or requests that lead to them, are outstanding. All sitemaps are read before the first
    /// page, as far as there is room: pages in a sitemap of draft -03 are visited through it alone, and its draft is only
    /// known at its end.
    fn has_site_work(&self) -> bool {
        !self.tasks.is_empty()
            || !self.sitemaps.is_empty()
            || self.flight.values().chain(self.later.values()).any(Task::is_of_site)
            || self.wants_start()
    }

    /// Returns true if there is no more room for planned visits, so that pages have to be visited while sitemaps
    /// are being read.
    fn is_full(&self) -> bool {
        let is_spilled = |task: &Task| match task {
            Task::Sitemap(task) => task.reading().is_some_and(|reading| reading.is_spilled),
            _ => false,
        };
        self.visits.len() >= self.policy.max_queue || self.flight.values().any(is_spilled)
    }

    /// Ends the crawl and stores the states of its sitemaps.
    fn settle(&mut self) {
        (self.phase, self.has_news) = (Phase::Done, true);
        if self.is_denied() {
            self.site.sitemaps = self.sitemaps_so_far();
        } else {
            self.site.sitemaps = core::mem::take(&mut self.kept);
            if self.weigh.is_missing_some {
                let earlier = self.site.sitemaps.iter_mut().filter(|sitemap| !sitemap.is_v03);
                earlier.for_each(ResourceState::forget_validators);
            }
            // A page may be listed in several sitemaps. Where it follows another one now, what this one listed is no more what is
            // known of it: a 304 would say that it is.
            if self.readings > 0 {
                let unread = &self.weigh.unread;
                let unread = self.site.sitemaps.iter_mut().filter(|known| unread.contains(&known.url));
                unread.chain(&mut self.missing).for_each(ResourceState::forget_validators);
            }
            // A sitemap that is missing is looked for as long as there is another one; else the start page leads to all.
            if !self.site.sitemaps.is_empty() {
                self.site.sitemaps.append(&mut self.missing);
            }
        }
        self.site.not_before = self.pace.paused_until();
        self.site.turn = self.site.turn.wrapping_add(1);
    }
}
