//! From the start page to the site's sitemaps and its policy.

use http::StatusCode;
use http::header::CONTENT_TYPE;
use url::Url;

use super::sitemaps::SitemapTask;
use super::task::{Answer, Errand, Stray, Task};
use super::visits::PageVisit;
use super::{Crawl, Pages, ResourceState, SiteEvent};
#[cfg(not(feature = "html"))]
use crate::discovery::discover_in_headers;
use crate::discovery::{Discovery, SitemapSearch};
use crate::link::is_json;
use crate::open::{Expected, open_parts};
use crate::visit::StatusClass;
use crate::{CUrl, MUrl, UnixSeconds};

/// Largest start page of which the head is read, in bytes.
pub(super) const MAX_START_BYTES: u64 = 4 << 20;
/// A policy descriptor.
pub(super) const MAX_POLICY_BYTES: u64 = 4 << 20;
/// Linked JSON alternates of the start page that are looked at.
const MAX_CANDIDATES: usize = 3;

/// The state of the search for sitemaps.
#[derive(Debug, Default)]
pub(super) struct Find {
    pub(super) search: SitemapSearch,
    start: StartPage,
    has_probed: bool,
    /// Whether a twin of the start page confirmed.
    pub(super) has_twin: bool,
    is_told: bool,
    /// True if a sitemap was named that cannot be read now.
    pub(super) is_deferred: bool,
    /// True if a sitemap of an earlier crawl no longer exists.
    pub(super) is_missed: bool,
}

#[derive(Debug, Default, PartialEq)]
enum StartPage {
    #[default]
    Unasked,
    Asked,
    Known,
}

impl Find {
    pub(super) fn is_start_asked(&self) -> bool {
        self.start != StartPage::Unasked
    }
}

impl Crawl {
    /// Begins with the sitemaps of earlier crawls and those that the caller knows.
    pub(super) fn begin(&mut self, pages: &impl Pages) {
        self.walk.begin(pages.count(), self.site.turn);
        let origin = self.start.as_url().origin();
        for held in core::mem::take(&mut self.site.sitemaps) {
            let Ok(url) = Url::parse(&held.url) else { continue };
            if url.origin() == origin && self.named.insert(url.clone()) {
                self.before.push(held.clone());
                self.sitemaps.push_back(SitemapTask::known(url, held));
            }
        }
        // Which pages a sitemap of draft -03 lists matters once there are others: it is read anew to know.
        if self.sitemaps.len() > 1 {
            for task in &mut self.sitemaps {
                let is_uncounted = |held: &ResourceState| held.is_v03 && held.pages.is_none();
                if let Some(held) = task.held.as_mut().filter(|held| is_uncounted(held)) {
                    held.forget_validators();
                }
            }
        }
        for url in self.find.search.configured().to_vec() {
            self.add_sitemap(url, false);
        }
    }

    /// Returns true if the start page has to be fetched now: if no sitemap can be read, one is missing, or the policy that
    /// denied access is gone.
    pub(super) fn wants_start(&self) -> bool {
        let is_of_use = self.terms.is_lost() || self.find.is_missed || self.kept.is_empty();
        is_of_use && !self.find.is_start_asked() && !self.later.values().any(Task::is_of_site)
    }

    pub(super) fn start_task(&mut self) -> Task {
        self.find.start = StartPage::Asked;
        Task::Start(Errand::to(self.start.as_url().clone()))
    }

    /// Takes the next step of the search when no request is in flight. Returns false if there is none.
    pub(super) fn seek(&mut self) -> bool {
        if !self.kept.is_empty() {
            return false;
        }
        if !self.find.has_probed && (self.find.has_twin || self.policy.probes) {
            self.find.has_probed = true;
            let usual = SitemapSearch::default().with_well_known().with_conventional_path();
            for url in usual.candidates(self.start.as_url(), &Discovery::default()) {
                self.add_sitemap(url, true);
            }
            return true;
        }
        if !core::mem::replace(&mut self.find.is_told, true)
            && self.find.start == StartPage::Known
            && !self.find.is_deferred
        {
            self.events.push_back(SiteEvent::NoSitemap { has_twin: self.find.has_twin });
            return true;
        }
        false
    }

    /// Queues a sitemap of the site's own origin, once. Nobody names a guess.
    pub(super) fn add_sitemap(&mut self, mut url: Url, is_guess: bool) {
        url.set_fragment(None);
        if url.origin() == self.start.as_url().origin()
            && self.policy.visit.urls.check(&url).is_ok()
            && self.named.len() < self.policy.max_sitemaps
            && self.named.insert(url.clone())
        {
            self.sitemaps.push_back(SitemapTask::new(url, is_guess));
        }
    }

    pub(super) fn on_start(&mut self, mut errand: Errand, answer: Answer<'_>, now: UnixSeconds) {
        if !self.is_own(&errand.url, answer.url) {
            return self.start_moved(answer.url.clone());
        }
        match StatusClass::of(answer.status) {
            StatusClass::Ok => {
                self.read_start(answer);
                self.start_was_asked();
            }
            StatusClass::Redirect => match errand.follow(answer.url, answer.headers, &self.policy.visit) {
                Ok(()) => self.tasks.push_front(Task::Start(errand)),
                Err(Stray::Elsewhere(to)) => self.start_moved(to),
                Err(_) => self.start_failed(Some(answer.status)),
            },
            StatusClass::Busy => {
                let at = self.retry_at(Some(answer.headers), now);
                self.start_later(errand, at, Some(answer.status), now);
            }
            _ => self.start_failed(Some(answer.status)),
        }
    }

    fn start_moved(&mut self, to: Url) {
        self.events.push_back(SiteEvent::SiteMoved { to });
        self.start_was_asked();
    }

    pub(super) fn start_later(
        &mut self,
        errand: Errand,
        at: UnixSeconds,
        status: Option<StatusCode>,
        now: UnixSeconds,
    ) {
        if self.try_again(Task::Start(errand), at, now).is_some() {
            self.start_failed(status);
        }
    }

    pub(super) fn start_failed(&mut self, status: Option<StatusCode>) {
        let status = status.map(|status| status.as_u16());
        self.events.push_back(SiteEvent::SiteUnavailable { status, is_withheld: false });
        self.start_was_asked();
    }

    pub(super) fn start_withheld(&mut self) {
        self.events.push_back(SiteEvent::SiteUnavailable { status: None, is_withheld: true });
        self.start_was_asked();
    }

    fn read_start(&mut self, answer: Answer<'_>) {
        self.find.start = StartPage::Known;
        #[cfg(feature = "html")]
        let found = crate::discover(answer.url, answer.headers, answer.body);
        #[cfg(not(feature = "html"))]
        let found = discover_in_headers(answer.url, answer.headers);
        self.terms.add(&found, self.start.as_url());
        let is_text_json =
            answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(is_json);
        if is_text_json {
            self.read_json_start(answer);
            return;
        }
        for url in self.find.search.candidates(self.start.as_url(), &found) {
            self.add_sitemap(url, false);
        }
        if !self.sitemaps.is_empty() || !self.kept.is_empty() {
            return;
        }
        // Nothing names a sitemap. A linked twin that confirms says that there should be one.
        let own = found.m_urls.into_iter().filter(|url| url.origin() == answer.url.origin());
        for m_url in own.take(MAX_CANDIDATES) {
            let urls = &self.policy.visit.urls;
            let page = CUrl::from_url(answer.url.clone(), urls);
            if let (Ok(page), Ok(twin)) = (page, MUrl::from_url(m_url, urls)) {
                self.plan(PageVisit::candidate(&twin, &page, &self.policy));
            }
        }
    }

    /// The start is a twin, of whichever draft, or may be a sitemap.
    fn read_json_start(&mut self, answer: Answer<'_>) {
        let Answer { url, status, headers, body } = answer;
        let opened = open_parts(url, status, headers, body, &Expected::default(), &self.policy.visit.open);
        let twin = MUrl::from_url(url.clone(), &self.policy.visit.urls).ok();
        match (twin, opened.payload()) {
            (Some(twin), Some(payload)) => {
                self.plan(PageVisit::candidate(&twin, payload.page(), &self.policy));
            }
            _ => self.add_sitemap(url.clone(), false),
        }
    }
}
