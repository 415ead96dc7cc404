//! Which pages are visited, and what their outcomes mean for what is stored.

use http::Request;
use url::Url;

use super::{Answer, Crawl, CrawlPolicy, PageEvent, PageReport, PageState, Task};
use crate::address::key_of;
use crate::visit::{Outcome, Visit};
use crate::{CUrl, Fingerprint, MUrl, SitemapItem, UnixSeconds};

const DAY: u64 = 86_400;

/// A page that is to be visited.
#[derive(Debug, Clone)]
pub(super) struct PageVisit {
    key: String,
    visit: Visit,
    /// What was stored of the page before, beside what is held.
    failures: u32,
    unlisted_since: Option<UnixSeconds>,
    pub(super) tries: u32,
    /// Whether it is not yet known to be a twin.
    is_candidate: bool,
    /// Whether a sitemap lists the page.
    is_listed: bool,
    /// Which sitemap, in the order in which they are read; 0: none that was just read.
    pub(super) sitemap: u32,
    /// Whether it is one of draft -03.
    pub(super) is_preferred: bool,
}

impl PageVisit {
    fn of(visit: Visit) -> Self {
        PageVisit {
            key: key_of(visit.twin().as_url()),
            visit,
            failures: 0,
            unlisted_since: None,
            tries: 0,
            is_candidate: false,
            is_listed: true,
            sitemap: 0,
            is_preferred: false,
        }
    }

    /// A visit of a page that a sitemap lists; `None` where one of its URLs is refused.
    pub(super) fn listed(
        item: &SitemapItem<'_>,
        state: Option<&PageState>,
        policy: &CrawlPolicy,
    ) -> Option<Self> {
        let held = state.and_then(|state| state.held.as_ref());
        let visit = Self::of(item.visit(held, policy.visit).ok()?);
        Some(match state {
            Some(state) => visit.after(state),
            None => visit,
        })
    }

    /// A visit of a stored page, by the hash that a sitemap listed last; `None` where one of its URLs is refused.
    pub(super) fn stored(
        state: &PageState,
        listed: Option<Fingerprint>,
        policy: &CrawlPolicy,
    ) -> Option<Self> {
        let c_url = CUrl::parse_with(&state.c_url, &policy.visit.urls).ok()?;
        let m_url = MUrl::parse_with(&state.m_url, &policy.visit.urls).ok()?;
        let visit = Visit::new(&m_url, &c_url, listed, state.held.clone(), policy.visit);
        Some(Self::of(visit).after(state))
    }

    fn after(self, state: &PageState) -> Self {
        PageVisit { failures: state.failures, unlisted_since: state.unlisted_since, ..self }
    }

    /// A check of a page that no sitemap lists any more.
    pub(super) fn unlisted(state: &PageState, policy: &CrawlPolicy) -> Option<Self> {
        Some(PageVisit { is_listed: false, ..Self::stored(state, None, policy)? })
    }

    /// A visit of what may be the start page's twin.
    pub(super) fn candidate(twin: &MUrl, page: &CUrl, policy: &CrawlPolicy) -> Self {
        let visit = Visit::new(twin, page, None, None, policy.visit);
        PageVisit { is_candidate: true, ..Self::of(visit) }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Whether a sitemap of another revision than -03 lists the page, and nothing else led to it.
    pub(super) fn gives_way(&self) -> bool {
        self.sitemap > 0 && !self.is_preferred
    }

    pub(super) fn page(&self) -> &CUrl {
        self.visit.page()
    }

    pub(super) fn request(&self) -> Request<()> {
        self.visit.request()
    }

    pub(super) fn url(&self) -> &Url {
        self.visit.url()
    }

    /// What is to be stored of the page after this outcome.
    fn state_after(&self, outcome: &Outcome, policy: &CrawlPolicy, now: UnixSeconds) -> Option<PageState> {
        let mut state = PageState {
            c_url: self.visit.page().to_string(),
            m_url: self.visit.twin().to_string(),
            listed: self.visit.listed(),
            not_before: None,
            failures: 0,
            unlisted_since: if self.is_listed { None } else { self.unlisted_since },
            held: self.visit.held().cloned(),
        };
        let in_secs = |secs| Some(now.saturating_add(secs));
        match outcome {
            Outcome::Store { held, .. } | Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => {
                state.held = Some(held.clone());
            }
            Outcome::UseOnce { .. } => state.held = None,
            Outcome::Refuse { .. } | Outcome::Forbidden => state.not_before = in_secs(policy.refused_secs),
            Outcome::NotFound => state.not_before = in_secs(DAY),
            Outcome::Gone if !self.is_listed => return None,
            Outcome::Gone => {
                state.held = None;
                state.not_before = in_secs(policy.refused_secs);
            }
            Outcome::Unavailable { retry_at } => {
                state.not_before = Some(*retry_at);
                state.failures = self.failures.saturating_add(1);
            }
        }
        if !self.is_listed && state.not_before.is_none() {
            state.not_before = in_secs(policy.unlisted_secs);
        }
        Some(state)
    }
}

impl Crawl {
    /// Queues a visit, unless the same page is queued or under way.
    pub(super) fn queue(&mut self, visit: PageVisit) {
        if self.queued.insert(visit.key().to_owned()) {
            self.visits.push_back(visit);
        }
    }

    pub(super) fn on_page(&mut self, mut page: PageVisit, answer: Answer<'_>, now: UnixSeconds) {
        match page.visit.on_parts(answer.url, answer.status, answer.headers, answer.body, now) {
            None => self.visits.push_front(page),
            Some(outcome) => {
                if matches!(outcome, Outcome::Store { .. } | Outcome::Keep { .. }) {
                    self.note_links(answer.url, answer.headers);
                }
                self.page_done(page, outcome, now);
            }
        }
    }

    pub(super) fn on_page_failure(&mut self, page: PageVisit, now: UnixSeconds) {
        let retry_at = now.saturating_add(self.policy.visit.retry_secs);
        self.page_done(page, Outcome::Unavailable { retry_at }, now);
    }

    pub(super) fn page_done(&mut self, page: PageVisit, outcome: Outcome, now: UnixSeconds) {
        if let Outcome::Unavailable { retry_at } = outcome {
            let may_wait = retry_at.seconds_since(now) <= self.policy.max_wait_secs;
            let has_room = self.later.len() < self.policy.max_queue;
            if page.tries + 1 < self.policy.tries && may_wait && has_room {
                self.try_again(Task::Page(Box::new(page)), retry_at, None, now);
                return;
            }
        }
        self.queued.remove(&page.key);
        if page.is_candidate {
            // A CMS's own API has the same relation and type, and is nobody's twin.
            if !matches!(outcome, Outcome::Store { .. } | Outcome::UseOnce { .. }) {
                return;
            }
            self.find.has_twin = true;
        }
        if self.is_denied {
            return;
        }
        self.counters.count_outcome(&outcome);
        let state = page.state_after(&outcome, &self.policy, now);
        self.reports.push_back(PageReport { key: page.key, state, event: PageEvent::Visited(outcome) });
    }
}
