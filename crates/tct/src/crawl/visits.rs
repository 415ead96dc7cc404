//! Which pages are visited, and how the outcomes change the stored states.

use http::{Request, StatusCode};
use url::Url;

use super::task::{Answer, Task};
use super::{Crawl, CrawlPolicy, PageEvent, PageReport, PageState};
use crate::address::key_of;
use crate::discovery::{Discovery, discover_in_headers};
use crate::visit::{Outcome, Visit};
use crate::{CUrl, Fingerprint, MUrl, SitemapItem, UnixSeconds, VisitPolicy};

const DAY: u64 = 86_400;
/// Most redirects of a twin: one less than the requests that a page may cost.
const MAX_REDIRECTS: u8 = 3;

/// A page that is to be visited.
#[derive(Debug, Clone)]
pub(super) struct PageVisit {
    key: String,
    visit: Visit,
    /// The hash to store as the last listed one.
    listed: Option<Fingerprint>,
    /// The stored state of the page, besides its body's.
    failures: u32,
    unlisted_since: Option<UnixSeconds>,
    pub(super) tries: u32,
    /// Requests that were sent.
    pub(super) requests: u32,
    /// Whether it is not yet known to be a twin.
    is_candidate: bool,
    /// Whether a sitemap lists the page.
    is_listed: bool,
    /// Number of the sitemap that requested it, in reading order; 0 if none was just read.
    pub(super) sitemap: u32,
    /// Its place in the order of first requests, from 1; 0 if it is not asked for, or waits for another try.
    pub(super) turn: u64,
}

/// What came of a request for a page, until it takes effect.
#[derive(Debug)]
pub(super) struct PageAnswer {
    page: Box<PageVisit>,
    /// `None` if one more request is needed.
    outcome: Option<Outcome>,
    /// What a sound twin's fields link.
    linked: Discovery,
    /// Whether a policy would have been linked there.
    is_heard: bool,
    at: UnixSeconds,
}

impl PageVisit {
    fn of(visit: Visit) -> Self {
        PageVisit {
            key: key_of(visit.twin().as_url()),
            listed: visit.listed(),
            visit,
            failures: 0,
            unlisted_since: None,
            tries: 0,
            requests: 0,
            is_candidate: false,
            is_listed: true,
            sitemap: 0,
            turn: 0,
        }
    }

    /// A visit of a page that a sitemap lists; `None` where one of its URLs is refused.
    pub(super) fn listed(
        item: &SitemapItem<'_>,
        state: Option<&PageState>,
        policy: &CrawlPolicy,
    ) -> Option<Self> {
        let held = state.and_then(|state| state.held.as_ref());
        let visit = Self::of(item.visit(held, visit_policy(policy)).ok()?);
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
        let visit = Visit::new(&m_url, &c_url, listed, state.held.clone(), visit_policy(policy));
        Some(Self::of(visit).after(state))
    }

    fn after(self, state: &PageState) -> Self {
        PageVisit { failures: state.failures, unlisted_since: state.unlisted_since, ..self }
    }

    /// The same, with this hash to be stored as the one that was listed last.
    pub(super) fn noting(self, listed: Option<Fingerprint>) -> Self {
        PageVisit { listed, ..self }
    }

    /// A check of a page that no sitemap lists any more.
    pub(super) fn unlisted(state: &PageState, policy: &CrawlPolicy) -> Option<Self> {
        Some(PageVisit { is_listed: false, ..Self::stored(state, None, policy)? })
    }

    /// A visit of what may be the start page's twin.
    pub(super) fn candidate(twin: &MUrl, page: &CUrl, policy: &CrawlPolicy) -> Self {
        let visit = Visit::new(twin, page, None, None, visit_policy(policy));
        PageVisit { is_candidate: true, ..Self::of(visit) }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
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

    /// Whether the page may cost one more request.
    fn may_go_on(&self, policy: &CrawlPolicy) -> bool {
        self.requests < policy.max_page_requests()
    }

    /// The state to store after this outcome.
    fn state_after(&self, outcome: &Outcome, policy: &CrawlPolicy, now: UnixSeconds) -> Option<PageState> {
        let mut state = PageState {
            c_url: self.visit.page().to_string(),
            m_url: self.visit.twin().to_string(),
            listed: self.listed,
            not_before: None,
            failures: 0,
            unlisted_since: if self.is_listed { None } else { self.unlisted_since },
            held: self.visit.held().cloned(),
        };
        let in_secs = |secs| Some(now.saturating_add(secs));
        match outcome {
            Outcome::Store { held, .. } | Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => {
                if self.is_candidate {
                    // No sitemap spoke of it: its own hash is what it would list.
                    state.listed = held.hash.fingerprint();
                }
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

/// The same rules with no more redirects than a page may cost.
fn visit_policy(policy: &CrawlPolicy) -> VisitPolicy {
    VisitPolicy { max_redirects: policy.visit.max_redirects.min(MAX_REDIRECTS), ..policy.visit }
}

/// Returns true if a page must not be requested for a while. A time further ahead than any that is ever set was stored under
/// a clock that ran ahead, and is ignored.
pub(super) fn is_left_alone(state: &PageState, policy: &CrawlPolicy, now: UnixSeconds) -> bool {
    let longest = policy.refused_secs.max(policy.unlisted_secs).max(policy.visit.max_retry_secs).max(DAY);
    state.not_before.is_some_and(|at| at > now && at.seconds_since(now) <= longest)
}

/// Returns true if the response was accepted as that page's twin.
fn is_sound(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Store { .. } | Outcome::UseOnce { .. } | Outcome::Keep { .. } | Outcome::Restore { .. }
    )
}

impl Crawl {
    /// Plans a visit, unless the same page was planned in this crawl. What is stored may be of another site, whatever its key is.
    pub(super) fn plan(&mut self, visit: PageVisit) {
        if visit.url().origin() != self.start.as_url().origin() {
            return;
        }
        if self.planned.add(visit.key(), visit.sitemap) {
            self.visits.push_back(visit);
        }
    }

    pub(super) fn on_page(&mut self, mut page: Box<PageVisit>, answer: Answer<'_>, now: UnixSeconds) {
        let outcome = page.visit.on_parts(answer.url, answer.status, answer.headers, answer.body, now);
        let is_sound = outcome.as_ref().is_some_and(is_sound);
        let linked =
            if is_sound { discover_in_headers(answer.url, answer.headers) } else { Discovery::default() };
        // A 304 does not repeat the links of the representation.
        let is_heard = is_sound && answer.status == StatusCode::OK;
        self.answered.insert(page.turn, PageAnswer { page, outcome, linked, is_heard, at: now });
    }

    /// Takes the end of a visit without a response.
    pub(super) fn page_ended(&mut self, page: Box<PageVisit>, outcome: Outcome, now: UnixSeconds) {
        let (outcome, linked) = (Some(outcome), Discovery::default());
        self.answered.insert(page.turn, PageAnswer { page, outcome, linked, is_heard: false, at: now });
    }

    /// Lets one answer about a page take effect: as long as a twin may link the site's policy, in the order of the requests.
    pub(super) fn take_answer(&mut self) -> bool {
        let Some(turn) = self.answered.keys().next().copied() else { return false };
        if self.terms.is_open() || (self.terms.may_be_linked() && self.is_page_asked_before(turn)) {
            return false;
        }
        let Some(answer) = self.answered.remove(&turn) else { return false };
        let PageAnswer { page, outcome, linked, is_heard, at } = answer;
        self.terms.add(&linked, self.start.as_url());
        if is_heard {
            self.terms.twin_answered();
        }
        match outcome {
            Some(outcome) => self.page_tried(page, outcome, at),
            None if page.may_go_on(&self.policy) => self.visits.push_front(*page),
            None => {
                let retry_at = self.retry_at(None, at);
                self.page_done(*page, Outcome::Unavailable { retry_at }, at);
            }
        }
        true
    }

    fn is_page_asked_before(&self, turn: u64) -> bool {
        let under_way = self.flight.values().filter_map(|task| match task {
            Task::Page(page) => Some(page.turn),
            _ => None,
        });
        let goes_on = self.visits.front().map(|page| page.turn).filter(|turn| *turn > 0);
        under_way.chain(goes_on).any(|earlier| earlier < turn)
    }

    /// Takes the end of a visit, unless it is tried once more.
    fn page_tried(&mut self, mut page: Box<PageVisit>, outcome: Outcome, now: UnixSeconds) {
        if let Outcome::Unavailable { retry_at } = outcome
            && page.may_go_on(&self.policy)
        {
            match self.try_again(Task::Page(page), retry_at, now) {
                Some(Task::Page(last)) => page = last,
                _ => return,
            }
        }
        self.page_done(*page, outcome, now);
    }

    fn page_done(&mut self, page: PageVisit, outcome: Outcome, now: UnixSeconds) {
        let is_sound = is_sound(&outcome);
        if page.is_candidate {
            // A CMS's own API has the same relation and type, and is nobody's twin.
            if !is_sound {
                self.planned.forget(&page.key);
                return;
            }
            self.find.has_twin = true;
        }
        if !is_sound {
            self.take_aside(&page);
        }
        self.counters.count_outcome(&outcome);
        let state = page.state_after(&outcome, &self.policy, now);
        self.reports.push_back(PageReport { key: page.key, state, event: PageEvent::Visited(outcome) });
    }
}
