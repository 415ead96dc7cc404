//! The sitemaps: written from the listed pages' entries, and kept as long as those do not change.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tct::v03::{BodyLimits, MSitemap};
use tct::{Representation, Resource, SitemapBudget, UnixSeconds, write_sitemaps};

use crate::listed::Listed;
use crate::pages::Entry;
use crate::settings::{Clock, Revisions, Settings};

/// Both sitemaps, written at the same time.
#[derive(Debug, Clone)]
pub(crate) struct Sitemaps {
    /// By drafts -00 and -01.
    pub(crate) legacy: Option<Arc<Resource>>,
    /// By draft -03.
    pub(crate) v03: Option<Arc<Resource>>,
}

/// The state of the listed pages, and the sitemaps written from it last.
#[derive(Debug)]
pub(crate) struct Written {
    /// Counter that orders requests and reports of changes.
    count: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    listed: Arc<Listed>,
    /// The state of each listed page.
    pages: Vec<Known>,
    /// The next page to check in turn.
    next: usize,
    last: Option<Last>,
    /// When pages were last checked in turn: the end, or the beginning while that is under way.
    at: Option<UnixSeconds>,
}

#[derive(Debug, Clone, Default)]
struct Known {
    /// The page's entry; `Some(None)` if it is not public, `None` until the inner service has answered.
    entry: Option<Option<Arc<Entry>>>,
    /// The request that the entry came from. Answers to earlier requests are ignored.
    asked: u64,
    /// The report that it may have changed: it is due until a later request is answered.
    told: u64,
}

impl Known {
    fn is_due(&self) -> bool {
        self.entry.is_none() || self.told > self.asked
    }
}

#[derive(Debug)]
struct Last {
    /// The entries that they were written from: equal entries give equal sitemaps.
    entries: Vec<Arc<Entry>>,
    sitemaps: Sitemaps,
}

/// The listed pages to request from the inner service now.
pub(crate) struct Due<'a> {
    written: &'a Written,
    listed: Arc<Listed>,
    /// In reverse order. Those checked in turn come before those that are due.
    places: Vec<usize>,
    turns: usize,
    /// The clock that tells when all is done, if pages are checked in turn.
    clock: Option<&'a Clock>,
}

impl Iterator for Due<'_> {
    type Item = Arc<str>;

    fn next(&mut self) -> Option<Arc<str>> {
        let place = self.places.pop();
        if place.is_none() || self.places.len() < self.turns {
            let done = self.clock.take_if(|_| place.is_none()).map(|clock| (clock.now)());
            let mut state = self.written.lock();
            match place {
                // Pages that take longer than a sitemap may be old are not checked without end.
                None => state.at = done.or(state.at),
                // A request that is given up takes no other page's turn.
                Some(place) => state.next = place + 1,
            }
        }
        self.listed.pages.get(place?).cloned()
    }
}

impl Drop for Due<'_> {
    fn drop(&mut self) {
        // Given up: the next request checks the pages.
        if self.clock.is_some() {
            self.written.lock().at = None;
        }
    }
}

impl Written {
    pub(crate) fn new(listed: Arc<Listed>) -> Self {
        let pages = vec![Known::default(); listed.pages.len()];
        let state = State { listed, pages, next: 0, last: None, at: None };
        Written { count: AtomicU64::new(0), state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists these pages from now on. The state of a page that stays listed is kept.
    pub(crate) fn list(&self, listed: Arc<Listed>) {
        let state = &mut *self.lock();
        let old: HashMap<Arc<str>, Known> =
            state.listed.pages.iter().cloned().zip(state.pages.drain(..)).collect();
        // Changes of a page were news to nobody before it was listed: an answer to a question from then may be old.
        let new = Known { told: self.begin(), ..Known::default() };
        let known = |page: &Arc<str>| old.get(page).cloned().unwrap_or_else(|| new.clone());
        state.pages = listed.pages.iter().map(known).collect();
        state.listed = listed;
    }

    /// Records that a page may have changed. Returns false if it is not listed.
    pub(crate) fn tell(&self, page: &str) -> bool {
        let state = &mut *self.lock();
        let known = state.listed.place(page).and_then(|place| state.pages.get_mut(place));
        known.map(|known| known.told = self.begin()).is_some()
    }

    /// The number of a new request or report.
    pub(crate) fn begin(&self) -> u64 {
        self.count.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// The entry of a listed page.
    pub(crate) fn entry(&self, page: &str) -> Option<Arc<Entry>> {
        let state = self.lock();
        state.pages.get(state.listed.place(page)?)?.entry.clone()?
    }

    /// Records the inner service's answer to a request.
    pub(crate) fn note(&self, page: &str, asked: u64, entry: Option<&Arc<Entry>>) {
        let state = &mut *self.lock();
        let Some(known) = state.listed.place(page).and_then(|place| state.pages.get_mut(place)) else {
            return;
        };
        if asked < known.asked {
            return;
        }
        known.asked = asked;
        // An equal entry stays the same one, so that the sitemaps stay too.
        if known.entry.as_ref().is_none_or(|held| held.as_ref() != entry) {
            known.entry = Some(entry.cloned());
        }
    }

    /// The pages to request: those that are due, and some in turn, unless that was begun or done recently by the clock:
    /// other requests get what is known.
    pub(crate) fn due<'a>(&'a self, settings: &'a Settings) -> Due<'a> {
        let now = settings.clock.as_ref().map(|clock| (clock.now)());
        let mut state = self.lock();
        let is_young = match (&settings.clock, state.at, now) {
            // A clock that was set back makes nothing young.
            (Some(clock), Some(at), Some(now)) => at <= now && now.seconds_since(at) < clock.max_age_secs,
            _ => false,
        };
        let all = state.pages.len();
        let is_due = |place: &usize| state.pages.get(*place).is_some_and(Known::is_due);
        let checks = if is_young { 0 } else { settings.sitemap_checks().min(all) };
        let next = if state.next < all { state.next } else { 0 };
        let turns = (next..all).chain(0..next).take(checks).filter(|place| !is_due(place));
        let mut places: Vec<usize> = (0..all).filter(is_due).chain(turns).collect();
        let turns = places.len() - (0..all).filter(is_due).count();
        places.reverse();
        let listed = Arc::clone(&state.listed);
        let clock = settings.clock.as_ref().filter(|_| !is_young);
        if clock.is_some() {
            state.at = now;
        }
        Due { written: self, listed, places, turns, clock }
    }

    /// The sitemaps of the listed pages: the last ones if nothing changed, or new ones. `None` if no page was answered: an
    /// empty sitemap would mean that all are gone.
    pub(crate) fn sitemaps(&self, settings: &Settings) -> Option<Sitemaps> {
        let state = self.lock();
        if state.pages.iter().all(|known| known.entry.is_none()) {
            return None;
        }
        let entries: Vec<Arc<Entry>> =
            state.pages.iter().filter_map(|known| known.entry.clone().flatten()).collect();
        let is_same = |last: &&Last| {
            last.entries.len() == entries.len()
                && last.entries.iter().zip(&entries).all(|(last, entry)| Arc::ptr_eq(last, entry))
        };
        if let Some(last) = state.last.as_ref().filter(is_same) {
            return Some(last.sitemaps.clone());
        }
        drop(state);
        // Without the lock: every request for a twin needs it.
        let sitemaps = write(settings, &entries);
        self.lock().last = Some(Last { entries, sitemaps: sitemaps.clone() });
        Some(sitemaps)
    }
}

fn write(settings: &Settings, entries: &[Arc<Entry>]) -> Sitemaps {
    let linked = |representation: Representation| {
        settings.site_links.iter().cloned().fold(representation, Representation::with_link)
    };
    let legacy = matches!(settings.revisions, Revisions::Legacy | Revisions::Both).then(|| {
        let entries = entries.iter().filter_map(|entry| entry.legacy.clone());
        // One file: a site beyond the budget writes its sitemaps beforehand.
        let files = write_sitemaps(entries, SitemapBudget::default());
        let file = files.ok()?.into_iter().next()?;
        let representation = linked(Representation::of_bytes(&file));
        Some(Arc::new(Resource::new(file, representation)))
    });
    let v03 = matches!(settings.revisions, Revisions::V03 | Revisions::Both).then(|| {
        let mut sitemap = MSitemap::with_limits(BodyLimits::default().with_max_items(100_000));
        for item in entries.iter().filter_map(|entry| entry.v03.clone()) {
            // What is past the limits of the draft's reference is left out: an agent still finds it by its page.
            if sitemap.push(item).is_err() {
                break;
            }
        }
        let sealed = sitemap.seal().ok()?;
        let representation = linked(Representation::of_m_sitemap(sealed.tag()));
        Some(Arc::new(Resource::new(sealed.into_body(), representation)))
    });
    Sitemaps { legacy: legacy.flatten(), v03: v03.flatten() }
}
