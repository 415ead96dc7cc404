//! Which pages are visited, and what their outcomes mean for what is stored.

use http::Request;
use url::Url;

use super::{Answer, Crawl, CrawlPolicy, PageEvent, PageReport, PageState, Task};
use crate::address::key_of;
use crate::visit::{Outcome, Visit, VisitStep};
use crate::{CUrl, MUrl, UnixSeconds};

const DAY: u64 = 86_400;

/// A page that is to be visited.
#[derive(Debug, Clone)]
pub(super) struct PageVisit {
    key: String,
    c_url: CUrl,
    m_url: MUrl,
    listed: Option<String>,
    state: PageState,
    visit: Visit,
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
    /// A visit of a listed page; `None` where one of its URLs is refused.
    pub(super) fn listed(
        c_url: &str,
        m_url: &str,
        hash: Option<&str>,
        state: Option<&PageState>,
        policy: &CrawlPolicy,
    ) -> Option<Self> {
        let c_url = CUrl::parse_with(c_url, &policy.visit.urls).ok()?;
        let m_url = MUrl::parse_with(m_url, &policy.visit.urls).ok()?;
        let state = state.cloned().unwrap_or_default();
        let visit = Visit::new(&m_url, &c_url, hash, state.held.clone(), policy.visit);
        Some(PageVisit {
            key: key_of(m_url.as_url()),
            c_url,
            m_url,
            listed: hash.map(str::to_owned),
            state,
            visit,
            tries: 0,
            is_candidate: false,
            is_listed: true,
            sitemap: 0,
            is_preferred: false,
        })
    }

    /// A check of a page that no sitemap lists any more.
    pub(super) fn unlisted(state: &PageState, policy: &CrawlPolicy) -> Option<Self> {
        let visit = Self::listed(&state.c_url, &state.m_url, None, Some(state), policy)?;
        Some(PageVisit { is_listed: false, ..visit })
    }

    /// A visit of what may be the start page's twin.
    pub(super) fn candidate(twin: &MUrl, page: &CUrl, policy: &CrawlPolicy) -> Self {
        PageVisit {
            key: key_of(twin.as_url()),
            c_url: page.clone(),
            m_url: twin.clone(),
            listed: None,
            state: PageState::default(),
            visit: Visit::new(twin, page, None, None, policy.visit),
            tries: 0,
            is_candidate: true,
            is_listed: true,
            sitemap: 0,
            is_preferred: false,
        }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Whether a sitemap of another revision than -03 lists the page, and nothing else led to it.
    pub(super) fn gives_way(&self) -> bool {
        self.sitemap > 0 && !self.is_preferred
    }

    pub(super) fn page(&self) -> &CUrl {
        &self.c_url
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
            c_url: self.c_url.to_string(),
            m_url: self.m_url.to_string(),
            listed: self.listed.clone(),
            not_before: None,
            failures: 0,
            unlisted_since: if self.is_listed { None } else { self.state.unlisted_since },
            held: self.state.held.clone(),
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
                state.failures = self.state.failures.saturating_add(1);
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
        let visit = page.visit.clone();
        match visit.on_parts(answer.url, answer.status, answer.headers, answer.body, now) {
            VisitStep::Again(visit) => {
                page.visit = *visit;
                self.visits.push_front(page);
            }
            VisitStep::Done(outcome) => {
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
