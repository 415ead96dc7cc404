//! From the start page to the site's sitemaps and its policy.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use url::Url;

use super::sitemaps::SitemapTask;
use super::visits::PageVisit;
use super::{Answer, Crawl, Pages, ResourceState, SiteEvent, Task, class, resource_of, retry_at};
use crate::discovery::{Discovery, SitemapSearch, SitemapSource, discover_in_headers};
use crate::link::is_json;
use crate::open::{Expected, open_parts};
use crate::policy::RateHint;
use crate::visit::{StatusClass, redirect_target};
use crate::{CUrl, MUrl, Permission, PolicyDescriptor, UnixSeconds};

/// A page of which the head is read.
pub(super) const MAX_START_BYTES: u64 = 4 << 20;
/// A policy descriptor.
pub(super) const MAX_POLICY_BYTES: u64 = 4 << 20;
/// Linked JSON alternates of the start page that are looked at.
const MAX_CANDIDATES: usize = 3;

/// What was done to find the sitemaps.
#[derive(Debug, Default)]
pub(super) struct Find {
    pub(super) search: SitemapSearch,
    has_begun: bool,
    is_start_asked: bool,
    is_start_known: bool,
    has_probed: bool,
    /// Whether a twin of the start page confirmed.
    pub(super) has_twin: bool,
    is_told: bool,
    /// Whether a sitemap was named that cannot be read now.
    pub(super) is_deferred: bool,
}

impl Crawl {
    /// Takes the next step when nothing is under way. Returns false where there is none.
    pub(super) fn advance(&mut self, pages: &impl Pages, now: UnixSeconds) -> bool {
        if !self.find.has_begun {
            self.find.has_begun = true;
            self.unlisted.begin(pages, self.site.turn);
            self.begin();
            return true;
        }
        if self.is_denied {
            return false;
        }
        if let Some(task) = self.sitemaps.pop_front() {
            self.tasks.push_back(Task::Sitemap(task));
            return true;
        }
        if self.read.is_empty() {
            if !self.find.is_start_asked {
                self.ask_start();
                return true;
            }
            if !self.find.has_probed && (self.find.has_twin || self.policy.probes) {
                self.find.has_probed = true;
                let usual = SitemapSearch::default().with_well_known().with_conventional_path();
                for candidate in usual.candidates(self.start.as_url(), &Discovery::default()) {
                    self.add_sitemap(candidate.url, candidate.source);
                }
                return true;
            }
            if !self.find.is_told {
                self.find.is_told = true;
                if self.find.is_start_known && !self.find.is_deferred {
                    self.events.push_back(SiteEvent::NoSitemap { has_twin: self.find.has_twin });
                    return true;
                }
            }
        }
        self.begin_walk(now)
    }

    fn begin(&mut self) {
        if let Some(held) = self.site.policy.clone()
            && let Ok(url) = Url::parse(&held.url)
        {
            self.policies.push(url.clone());
            self.stale_policy = Some((url, held));
        }
        for held in core::mem::take(&mut self.site.sitemaps) {
            if let Ok(url) = Url::parse(&held.url)
                && url.origin() == self.start.as_url().origin()
                && !self.named.contains(&url)
            {
                self.named.push(url.clone());
                self.sitemaps.push_back(SitemapTask::known(url, held));
            }
        }
        let configured = self.find.search.candidates(self.start.as_url(), &Discovery::default());
        for candidate in configured.into_iter().filter(|found| found.source == SitemapSource::Configured) {
            self.add_sitemap(candidate.url, candidate.source);
        }
    }

    fn ask_start(&mut self) {
        self.find.is_start_asked = true;
        let url = self.start.as_url().clone();
        self.tasks.push_back(Task::Start { tries: 0, hops: Vec::new(), url });
    }

    /// Queues a sitemap of the site's own origin, once.
    pub(super) fn add_sitemap(&mut self, mut url: Url, source: SitemapSource) {
        url.set_fragment(None);
        if url.origin() == self.start.as_url().origin()
            && self.policy.visit.urls.check(&url).is_ok()
            && self.named.len() < self.policy.max_sitemaps
            && !self.named.contains(&url)
        {
            self.named.push(url.clone());
            self.sitemaps.push_back(SitemapTask::new(url, source));
        }
    }

    pub(super) fn on_start(
        &mut self,
        tries: u32,
        mut hops: Vec<Url>,
        url: Url,
        answer: Answer<'_>,
        now: UnixSeconds,
    ) {
        if !self.is_own(&url, answer.url) {
            self.events.push_back(SiteEvent::SiteMoved { to: answer.url.clone() });
            return;
        }
        match class(answer.status) {
            StatusClass::Ok => self.read_start(answer, now),
            StatusClass::Redirect => {
                let to = redirect_target(answer.url, answer.headers, &self.policy.visit.urls);
                match to {
                    Some(to) if to.origin() != url.origin() => {
                        self.events.push_back(SiteEvent::SiteMoved { to });
                    }
                    Some(to)
                        if to != url
                            && !hops.contains(&to)
                            && hops.len() < usize::from(self.policy.visit.max_redirects) =>
                    {
                        hops.push(url);
                        self.tasks.push_front(Task::Start { tries, hops, url: to });
                    }
                    _ => self.start_failed(Some(answer.status)),
                }
            }
            StatusClass::Busy => {
                let at = retry_at(&self.policy.visit, answer.headers, now);
                self.try_again(Task::Start { tries, hops, url }, at, Some(answer.status), now);
            }
            _ => self.start_failed(Some(answer.status)),
        }
    }

    pub(super) fn start_failed(&mut self, status: Option<StatusCode>) {
        self.events.push_back(SiteEvent::SiteUnavailable { status: status.map(|status| status.as_u16()) });
    }

    fn read_start(&mut self, answer: Answer<'_>, now: UnixSeconds) {
        self.find.is_start_known = true;
        #[cfg(feature = "html")]
        let found = crate::discover(answer.url, answer.headers, answer.body);
        #[cfg(not(feature = "html"))]
        let found = discover_in_headers(answer.url, answer.headers);
        self.add_policies(&found);
        let is_text_json =
            answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(is_json);
        if is_text_json {
            self.read_json_start(answer, now);
            return;
        }
        for candidate in self.find.search.candidates(self.start.as_url(), &found) {
            self.add_sitemap(candidate.url, candidate.source);
        }
        if !self.sitemaps.is_empty() {
            return;
        }
        // Nothing names a sitemap. A linked twin that confirms says that there should be one.
        let own = found.m_urls.into_iter().filter(|url| url.origin() == answer.url.origin());
        for m_url in own.take(MAX_CANDIDATES) {
            let urls = &self.policy.visit.urls;
            let page = CUrl::from_url(answer.url.clone(), urls);
            if let (Ok(page), Ok(twin)) = (page, MUrl::from_url(m_url, urls)) {
                let visit = PageVisit::candidate(&twin, &page, &self.policy);
                self.queue(visit);
            }
        }
    }

    /// The start is a twin, or may be a sitemap.
    fn read_json_start(&mut self, answer: Answer<'_>, _now: UnixSeconds) {
        let opened = open_parts(
            answer.url,
            answer.status,
            answer.headers,
            answer.body,
            &Expected::default(),
            &self.policy.visit.open,
        );
        let urls = &self.policy.visit.urls;
        let twin = opened.payload().and_then(|payload| {
            let page = payload.page().clone();
            Some((MUrl::from_url(answer.url.clone(), urls).ok()?, page))
        });
        match twin {
            Some((twin, page)) => {
                let visit = PageVisit::candidate(&twin, &page, &self.policy);
                self.queue(visit);
            }
            None => self.add_sitemap(answer.url.clone(), SitemapSource::Configured),
        }
    }

    /// Queues the policy that a response links, if none is known yet.
    pub(super) fn note_links(&mut self, url: &Url, headers: &HeaderMap) {
        if self.policies.is_empty() && headers.contains_key(http::header::LINK) {
            let found = discover_in_headers(url, headers);
            self.add_policies(&found);
        }
    }

    fn add_policies(&mut self, found: &Discovery) {
        let origin = self.start.as_url().origin();
        if self.policies.is_empty()
            && let Some(url) = found.policies.iter().find(|url| url.origin() == origin)
        {
            self.policies.push(url.clone());
            self.tasks.push_front(Task::Policy { url: url.clone(), tries: 0, held: None });
        }
    }

    pub(super) fn on_policy(
        &mut self,
        url: Url,
        tries: u32,
        held: Option<ResourceState>,
        answer: Answer<'_>,
        now: UnixSeconds,
    ) {
        let is_own = self.is_own(&url, answer.url);
        match class(answer.status) {
            StatusClass::Ok if is_own => match PolicyDescriptor::parse(answer.body) {
                Ok((descriptor, _)) => {
                    self.site.policy = Some(resource_of(&url, answer.headers, now));
                    self.site.policy_json = String::from_utf8_lossy(answer.body).into_owned();
                    self.descriptor = descriptor;
                    self.events.push_back(SiteEvent::Policy { url });
                }
                Err(_) => self.policy_failed(url),
            },
            StatusClass::NotModified if is_own && held.is_some() => {
                self.site.policy = held.map(|held| ResourceState { validated_at: now, ..held });
                self.events.push_back(SiteEvent::Policy { url });
            }
            StatusClass::Busy if is_own => {
                let at = retry_at(&self.policy.visit, answer.headers, now);
                self.try_again(Task::Policy { url, tries, held }, at, Some(answer.status), now);
                return;
            }
            _ => self.policy_failed(url),
        }
        self.obey();
    }

    /// Without a policy that can be read, nothing is stated (TCT-POL-8).
    pub(super) fn policy_failed(&mut self, url: Url) {
        self.site.policy = None;
        self.site.policy_json.clear();
        self.descriptor = PolicyDescriptor::default();
        self.events.push_back(SiteEvent::PolicyUnreadable { url });
    }

    /// Ends the crawl where the policy denies the purpose, or asks for no requests at all.
    pub(super) fn obey(&mut self) {
        let is_none = |rate| matches!(rate, RateHint::AtMost(rate) if rate <= 0.0);
        let hints = &self.descriptor.rate_hints;
        let purpose =
            self.policy.purpose.filter(|purpose| self.descriptor.permission(*purpose) == Permission::Denied);
        if purpose.is_none() && !is_none(hints.per_second) && !is_none(hints.per_day) {
            return;
        }
        self.is_denied = true;
        self.events.push_back(SiteEvent::Denied { purpose });
        self.visits.clear();
        self.queued.clear();
        self.reports.clear();
        self.later.clear();
        self.reading = None;
        for task in core::mem::take(&mut self.sitemaps) {
            self.keep_known(&task);
        }
        for task in core::mem::take(&mut self.tasks) {
            if let Task::Sitemap(task) = task {
                self.keep_known(&task);
            }
        }
    }
}
