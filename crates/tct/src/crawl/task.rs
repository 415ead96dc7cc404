//! The tasks of a crawl: each request owns what its answer needs, so an answer can only change its own task.

use http::header::{ACCEPT, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use url::Url;

use super::find::{MAX_POLICY_BYTES, MAX_START_BYTES};
use super::sitemaps::{Arrival, SitemapTask};
use super::terms::PolicyTask;
use super::visits::PageVisit;
use super::{Crawl, CrawlRequest, RequestId, RequestKind, ResourceState};
use crate::address::uri_of;
use crate::policy::RateHint;
use crate::visit::{is_same_but_fragment, redirect_target};
use crate::{UnixSeconds, VisitPolicy};

/// A request that is waiting, in flight, or waiting for another try.
#[derive(Debug)]
pub(super) enum Task {
    Start(Errand),
    Policy(PolicyTask),
    Sitemap(Box<SitemapTask>),
    Page(Box<PageVisit>),
    /// The task is obsolete: its answer changes nothing.
    Void(Url),
}

/// The URL of a request, perhaps after redirects, and how often it was sent without an answer.
#[derive(Debug, Clone)]
pub(super) struct Errand {
    pub(super) url: Url,
    pub(super) tries: u32,
    hops: Vec<Url>,
}

/// Why a redirect is not followed.
#[derive(Debug)]
pub(super) enum Stray {
    /// It leads to another origin.
    Elsewhere(Url),
    /// The URL is missing or refused by the policy.
    Nowhere,
    /// There were too many redirects, or a loop.
    TooMany,
}

impl Errand {
    pub(super) fn to(url: Url) -> Self {
        Errand { url, tries: 0, hops: Vec::new() }
    }

    /// Follows the redirect of an answer from `from`.
    pub(super) fn follow(
        &mut self,
        from: &Url,
        headers: &HeaderMap,
        policy: &VisitPolicy,
    ) -> Result<(), Stray> {
        let to = redirect_target(from, headers, &policy.urls).ok_or(Stray::Nowhere)?;
        if to.origin() != self.url.origin() {
            return Err(Stray::Elsewhere(to));
        }
        let is_circle = to == self.url || self.hops.contains(&to);
        if is_circle || self.hops.len() >= usize::from(policy.max_redirects) {
            return Err(Stray::TooMany);
        }
        self.hops.push(core::mem::replace(&mut self.url, to));
        Ok(())
    }
}

impl Task {
    pub(super) fn url(&self) -> &Url {
        match self {
            Task::Start(errand) | Task::Policy(PolicyTask { errand, .. }) => &errand.url,
            Task::Sitemap(task) => &task.errand.url,
            Task::Page(visit) => visit.url(),
            Task::Void(url) => url,
        }
    }

    fn tries(&mut self) -> Option<&mut u32> {
        match self {
            Task::Start(errand) | Task::Policy(PolicyTask { errand, .. }) => Some(&mut errand.tries),
            Task::Sitemap(task) => Some(&mut task.errand.tries),
            Task::Page(visit) => Some(&mut visit.tries),
            Task::Void(_) => None,
        }
    }

    /// Returns true if it concerns the site as a whole: at most one such request is in flight, and pages wait
    /// for it.
    pub(super) fn is_of_site(&self) -> bool {
        matches!(self, Task::Start(_) | Task::Policy(_) | Task::Sitemap(_))
    }

    /// Whether its answer is still to come, or only the body of it.
    pub(super) fn is_asked(&self) -> bool {
        !matches!(self, Task::Sitemap(task) if !matches!(task.arrival, Arrival::Asked))
    }

    /// Whether it can still fail: its answer is to come, or the rest of it.
    pub(super) fn is_unanswered(&self) -> bool {
        !matches!(self, Task::Sitemap(task) if matches!(task.arrival, Arrival::Arrived(_)))
    }

    /// The request, and the longest body that is of use.
    fn request(&self, crawl: &Crawl) -> (Request<()>, u64) {
        let policy = &crawl.policy;
        match self {
            Task::Start(errand) => {
                (get(&errand.url, None, "text/html, application/json;q=0.9"), MAX_START_BYTES)
            }
            Task::Policy(task) => {
                (get(&task.errand.url, task.held.as_ref(), "application/json"), MAX_POLICY_BYTES)
            }
            Task::Sitemap(task) => {
                (get(&task.errand.url, task.held.as_ref(), "application/json"), policy.sitemap.max_bytes)
            }
            Task::Page(visit) => (visit.request(), policy.visit.open.max_bytes as u64),
            Task::Void(url) => (get(url, None, "*/*"), 0),
        }
    }

    fn kind(&self) -> RequestKind {
        match self {
            Task::Start(_) | Task::Void(_) => RequestKind::Start,
            Task::Policy(_) => RequestKind::Policy,
            Task::Sitemap(_) => RequestKind::Sitemap,
            Task::Page(visit) => RequestKind::Twin { key: visit.key().to_owned() },
        }
    }
}

impl Crawl {
    /// The only function that makes requests: each gets a number, counts for the pace, and keeps its task.
    pub(super) fn send(&mut self, mut task: Task, now: UnixSeconds) -> CrawlRequest {
        let id = RequestId(self.next_id);
        self.next_id += 1;
        self.pace.count(&mut self.site, now);
        self.has_news |= matches!(self.terms.descriptor().per_day, RateHint::AtMost(_))
            || self.not_before().is_some_and(|at| at > now);
        if let Task::Page(visit) = &mut task {
            visit.requests += 1;
            if visit.turn == 0 {
                visit.turn = self.next_id;
            }
        }
        let (request, max_bytes) = task.request(self);
        let (url, kind) = (task.url().clone(), task.kind());
        self.flight.insert(id, task);
        CrawlRequest { id, url, request, max_bytes, kind }
    }

    /// Queues the task for another try at `at`. Returns the task if it was tried often enough or the wait is too long.
    pub(super) fn try_again(&mut self, mut task: Task, at: UnixSeconds, now: UnixSeconds) -> Option<Task> {
        let may_wait = at.seconds_since(now) <= self.policy.max_wait_secs;
        let tries = task.tries()?;
        *tries += 1;
        if *tries >= self.policy.tries || !may_wait {
            return Some(task);
        }
        let number = self.next_id;
        self.next_id += 1;
        self.later.insert((at, number), task);
        None
    }

    /// Queues the tasks whose time for another try has come. A time further ahead than the longest wait was set by a
    /// clock that ran ahead, and counts as due.
    pub(super) fn wake(&mut self, now: UnixSeconds) {
        let latest = now.saturating_add(self.policy.max_wait_secs);
        while let Some(entry) = self.later.first_entry().filter(|entry| entry.key().0 <= now) {
            let task = entry.remove();
            self.woken(task);
        }
        while let Some(entry) = self.later.last_entry().filter(|entry| entry.key().0 > latest) {
            let task = entry.remove();
            self.woken(task);
        }
    }

    fn woken(&mut self, task: Task) {
        match task {
            Task::Page(mut visit) => {
                visit.turn = 0;
                self.visits.push_back(*visit);
            }
            Task::Policy(task) => self.terms.want(task),
            task => self.tasks.push_back(task),
        }
    }

    /// Returns true if the answer is from an allowed URL; otherwise it must not be used.
    pub(super) fn is_own(&self, asked: &Url, answered: &Url) -> bool {
        is_same_but_fragment(asked, answered)
            || (asked.origin() == answered.origin() && self.policy.visit.urls.check(answered).is_ok())
    }

    /// When to send a request again after a busy answer.
    pub(super) fn retry_at(&self, headers: Option<&HeaderMap>, now: UnixSeconds) -> UnixSeconds {
        let policy = &self.policy.visit;
        let asked = headers.and_then(|headers| crate::retry::retry_after(headers, now));
        let latest = now.saturating_add(policy.max_retry_secs);
        asked.unwrap_or_else(|| now.saturating_add(policy.retry_secs)).min(latest)
    }
}

/// A conditional GET request for a held resource.
fn get(url: &Url, held: Option<&ResourceState>, accept: &'static str) -> Request<()> {
    let mut request = Request::new(());
    *request.uri_mut() = uri_of(url);
    let headers = request.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    if let Some(held) = held.filter(|held| held.speaks_for(url)) {
        if let Some(etag) = held.etag.as_deref().and_then(|etag| HeaderValue::try_from(etag).ok()) {
            headers.insert(IF_NONE_MATCH, etag);
        } else if let Some(modified) = held.last_modified {
            headers.insert(IF_MODIFIED_SINCE, crate::time::http_date(modified));
        }
    }
    request
}

/// The state of a resource from its response.
pub(super) fn resource_of(url: &Url, headers: &HeaderMap, now: UnixSeconds) -> ResourceState {
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
        ..ResourceState::default()
    }
}

/// The parts of a response.
#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) url: &'a Url,
    pub(super) status: StatusCode,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a [u8],
}
