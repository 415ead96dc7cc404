//! After the sitemaps: which of two drafts' twins are visited, and what happens to stored pages that no sitemap lists.

use std::borrow::Cow;
use std::collections::BTreeSet;

use url::Url;

use super::listing::{MAX_SEEN, Seen, digest};
use super::sitemaps::SitemapTask;
use super::visits::{PageVisit, is_left_alone};
use super::{Crawl, PageEvent, PageReport, PageState, Pages, ResourceState};
use crate::plan::SitemapDate;
use crate::sitemap::key;
use crate::{Plan, Planner, UnixSeconds};

/// The facts for choosing between sitemaps of different drafts, before the first page is requested.
#[derive(Debug, Default)]
pub(super) struct Weigh {
    /// Whether a sitemap was read.
    pub(super) is_due: bool,
    /// Unchanged sitemaps of draft -03, whose pages are the stored ones, with the sums of those.
    pub(super) stored: Vec<(Url, Option<u64>)>,
    /// Sitemaps of draft -03 that list the same pages as before.
    pub(super) confirmed: usize,
    /// Unchanged sitemaps of drafts -00 and -01.
    pub(super) earlier: Vec<Url>,
    /// How many sitemaps did not change.
    pub(super) unchanged: usize,
    /// Sitemaps of earlier crawls that cannot be read now.
    pub(super) unread: Vec<String>,
    /// Pages whose twin of draft -03 failed in this crawl: their other twin is no longer put aside.
    unsound: BTreeSet<u64>,
    /// Whether visits were dropped for lack of room, and whether one of them turned out to be needed: then the sitemaps of
    /// drafts -00 and -01 are read anew in the next crawl.
    has_dropped: bool,
    pub(super) is_missing_some: bool,
}

/// The pass over the stored pages at the end of a crawl.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The pages that the sitemaps of this crawl list.
    pub(super) seen: Seen,
    /// Pages that were stored when the crawl began.
    pub(super) stored: u64,
    /// True if every sitemap was read in full, not just confirmed as unchanged.
    pub(super) is_complete: bool,
    /// True if all sitemaps were confirmed as unchanged, so that they list the same pages as before.
    is_unchanged: bool,
    /// Unlisted pages that are checked.
    checked: u64,
    at: Place,
}

#[derive(Debug, Default)]
enum Place {
    #[default]
    Before,
    /// After this key.
    After(String),
    End,
}

/// The keys of one site's pages. A store may have been given to the crawls of several sites: the pages of the others are no
/// business of this crawl.
struct Site(String);

impl Site {
    fn of(start: &Url) -> Self {
        Site(start.origin().ascii_serialization())
    }

    /// A key before all of the site's pages, and after those of hosts whose names go on with `-` or `.`, which precede `/`.
    fn begin(&self) -> String {
        format!("{}.\u{10FFFF}", self.0)
    }

    /// The site's next page.
    fn after<'p>(&self, pages: &'p impl Pages, at: &str) -> Option<(Cow<'p, str>, Cow<'p, PageState>)> {
        let is_own = |key: &str| key.strip_prefix(&*self.0).is_some_and(|rest| rest.starts_with('/'));
        pages.after(at).filter(|(key, _)| is_own(key))
    }
}

impl Walk {
    pub(super) fn begin(&mut self, stored: u64, turn: u64) {
        (self.stored, self.is_complete) = (stored, true);
        self.seen = Seen::new(stored, turn);
    }

    pub(super) fn is_under_way(&self) -> bool {
        matches!(self.at, Place::After(_))
    }
}

impl Crawl {
    /// Returns true if the sitemaps of both drafts have to be compared now.
    pub(super) fn is_weighing_due(&self) -> bool {
        self.weigh.is_due || !self.weigh.stored.is_empty() || !self.weigh.earlier.is_empty()
    }

    /// If a page has a twin of draft -03, only that one is visited. The listed pages of an unchanged sitemap of drafts -00 and
    /// -01 are known only as far as they are stored, and pages put aside are not stored: unless draft -03 lists the same pages
    /// as before, that sitemap is fetched again without a condition.
    pub(super) fn weigh(&mut self, pages: &impl Pages, now: UnixSeconds) {
        self.weigh.is_due = false;
        let earlier = core::mem::take(&mut self.weigh.earlier);
        let known = self.before.iter().filter(|known| known.is_v03).count();
        if self.weigh.confirmed < known {
            earlier.into_iter().for_each(|url| self.read_once_more(url));
        }
        let stored = core::mem::take(&mut self.weigh.stored);
        let is_of_use = |visit: &PageVisit| visit.sitemap > 0 && !self.preferring.contains(&visit.sitemap);
        if !stored.is_empty() && self.visits.iter().any(is_of_use) {
            let sum = stored.iter().try_fold(0_u64, |sum, (_, pages)| Some(sum.wrapping_add((*pages)?)));
            let (found, listed) = self.stored_v03(pages, now);
            if sum == Some(found) {
                self.preferred.add(listed);
            } else {
                // Some of the stored ones are listed no more, or some that are listed are not stored.
                stored.into_iter().for_each(|(url, _)| self.read_once_more(url));
            }
        }
        self.give_way();
    }

    /// Fetches an unchanged sitemap again, to learn all of its pages.
    fn read_once_more(&mut self, url: Url) {
        let held = ResourceState { url: url.to_string(), ..ResourceState::default() };
        self.read_anew();
        self.sitemaps.push_back(SitemapTask::known(url, held));
    }

    /// The pages held in draft -03: the sum of their digests, and the digests of those that may be requested.
    fn stored_v03(&self, pages: &impl Pages, now: UnixSeconds) -> (u64, Vec<u64>) {
        let site = Site::of(self.start.as_url());
        let (mut at, mut listed, mut sum) = (site.begin(), Vec::new(), 0_u64);
        while let Some((key_after, state)) = site.after(pages, &at) {
            if state.is_v03() && state.unlisted_since.is_none() {
                let page = digest(&key(&state.c_url));
                sum = sum.wrapping_add(page);
                if !is_left_alone(&state, &self.policy, now) && listed.len() < MAX_SEEN {
                    listed.push(page);
                }
            }
            at = key_after.into_owned();
        }
        (sum, listed)
    }

    /// Puts aside planned visits of pages that have a twin of draft -03 too.
    pub(super) fn give_way(&mut self) {
        let Crawl { visits, aside, planned, preferred, preferring, policy, weigh, .. } = self;
        if preferred.is_empty() {
            return;
        }
        for _ in 0..visits.len() {
            let Some(visit) = visits.pop_front() else { return };
            let is_v03 =
                preferring.contains(&visit.sitemap) || preferring.contains(&planned.sitemap(visit.key()));
            let page = digest(&key(visit.page().as_str()));
            if visit.sitemap == 0 || is_v03 || !preferred.has(page) || weigh.unsound.contains(&page) {
                visits.push_back(visit);
            } else if aside.len() < policy.max_queue {
                aside.insert(page, visit);
            } else {
                planned.forget(visit.key());
                weigh.has_dropped = true;
            }
        }
    }

    /// The twin of draft -03 failed: the page's other twin is visited after all.
    pub(super) fn take_aside(&mut self, visit: &PageVisit) {
        // Its sitemap may still be arriving, and nothing preferred yet.
        if self.named.len() < 2 {
            return;
        }
        let page = digest(&key(visit.page().as_str()));
        if self.weigh.unsound.len() < MAX_SEEN / 4 {
            self.weigh.unsound.insert(page);
        }
        match self.aside.remove(&page) {
            Some(other) => self.visits.push_back(other),
            None => self.weigh.is_missing_some |= self.weigh.has_dropped,
        }
    }

    /// Begins the pass over the stored pages, if it is needed.
    pub(super) fn begin_walk(&mut self) -> bool {
        if !matches!(self.walk.at, Place::Before) {
            return false;
        }
        let walk = &mut self.walk;
        walk.at = Place::End;
        let is_all_listed = walk.is_complete && walk.seen.matched == walk.stored && !walk.seen.has_double();
        if walk.stored == 0 || is_all_listed {
            return false;
        }
        walk.is_complete &= !self.kept.is_empty();
        walk.is_unchanged = self.weigh.unchanged == self.kept.len() && self.missing.is_empty();
        walk.seen.sort();
        walk.at = Place::After(Site::of(self.start.as_url()).begin());
        true
    }

    /// Continues the pass over the stored pages until there is no more room.
    pub(super) fn walk_on(&mut self, pages: &impl Pages, now: UnixSeconds) {
        let Place::After(mut at) = core::mem::take(&mut self.walk.at) else { return };
        let site = Site::of(self.start.as_url());
        while self.visits.len().max(self.reports.len()) < self.policy.max_queue.max(1) {
            let Some((key, state)) = site.after(pages, &at) else {
                self.walk.at = Place::End;
                return;
            };
            at.clear();
            at.push_str(&key);
            self.walk_page(&key, &state, now);
        }
        self.walk.at = Place::After(at);
    }

    fn walk_page(&mut self, key: &str, state: &PageState, now: UnixSeconds) {
        let digest = digest(key);
        let is_in_turn = self.walk.seen.is_in_turn(digest);
        if is_in_turn && self.walk.seen.has(digest) {
            return;
        }
        if state.unlisted_since.is_some() {
            self.check_unlisted(state, now);
        } else if !self.walk.is_complete {
            self.walk_listed(state, now);
        } else if is_in_turn {
            let state = PageState { unlisted_since: Some(now), not_before: None, ..state.clone() };
            self.check_unlisted(&state, now);
            let (key, event) = (key.to_owned(), PageEvent::Unlisted);
            self.reports.push_back(PageReport { key, state: Some(state), event });
        }
    }

    fn check_unlisted(&mut self, state: &PageState, now: UnixSeconds) {
        if !is_left_alone(state, &self.policy, now) && self.walk.checked < self.policy.max_unlisted {
            self.walk.checked += 1;
            if let Some(visit) = PageVisit::unlisted(state, &self.policy) {
                self.plan(visit);
            }
        }
    }

    /// Handles a page that counts as still listed: its sitemap did not change, or cannot be read now.
    fn walk_listed(&mut self, state: &PageState, now: UnixSeconds) {
        self.counters.pages += 1;
        let planner = Planner::new(self.policy.plan, SitemapDate(now), now);
        if matches!(planner.plan(state.listed, state.held.as_ref()), Plan::Skip)
            || is_left_alone(state, &self.policy, now)
        {
            self.counters.skipped += 1;
            return;
        }
        // Where nobody knows whether it is listed by that hash still, the endpoint's word counts.
        let word = state.listed.filter(|_| self.walk.is_unchanged);
        if let Some(visit) = PageVisit::stored(state, word, &self.policy) {
            self.plan(visit.noting(state.listed));
        }
    }
}
