//! The sitemaps: written of the listed pages' twins, and kept as long as those stay the same.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tct::v03::{MSitemap, MSitemapLimits};
use tct::{Representation, Resource, SitemapBudget, UnixSeconds, write_sitemaps};

use crate::pages::Made;
use crate::settings::{Revisions, Settings};

/// Both sitemaps, of one moment.
#[derive(Debug, Clone)]
pub(crate) struct Sitemaps {
    /// By drafts -00 and -01.
    pub(crate) legacy: Option<Arc<Resource>>,
    /// By draft -03.
    pub(crate) exact: Option<Arc<Resource>>,
}

/// What is known of the listed pages, and the sitemaps that were written of it last.
#[derive(Debug)]
pub(crate) struct Written {
    /// The places of each listed page by its path.
    places: HashMap<Box<str>, Vec<usize>>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// What the inner service gave last for each listed page; `None` for one that it was not asked for yet.
    pages: Vec<Option<Known>>,
    /// The pages that are to be asked for whatever else.
    told: BTreeSet<usize>,
    /// The page that is next where nothing was told.
    next: usize,
    last: Option<Last>,
    /// When pages were asked for in turn last.
    at: Option<UnixSeconds>,
}

/// What was made of a page, if it is one that everybody gets.
type Known = Option<Arc<Made>>;

#[derive(Debug)]
struct Last {
    /// What they were written of: the same values mean the same sitemaps.
    pages: Vec<Arc<Made>>,
    sitemaps: Sitemaps,
}

/// The listed pages that the inner service is to be asked for now. Those that are not done with when it is dropped are due
/// again at the next request.
#[derive(Debug)]
pub(crate) struct Due<'a> {
    written: &'a Written,
    places: Vec<usize>,
    /// Those among them that were told of, and those of these that could not be answered.
    told: BTreeSet<usize>,
    again: Vec<usize>,
    /// The time to note when all is done, where it is more than what was told.
    at: Option<UnixSeconds>,
}

impl Due<'_> {
    /// The place of a page to ask for.
    pub(crate) fn place(&self) -> Option<usize> {
        self.places.last().copied()
    }

    /// Takes the news that it was asked for. Where there was no answer to work with, what was told stays told.
    pub(crate) fn done(&mut self, is_answered: bool) {
        let place = self.places.pop();
        self.again.extend(place.filter(|place| !is_answered && self.told.contains(place)));
    }
}

impl Drop for Due<'_> {
    fn drop(&mut self) {
        let mut state = self.written.lock();
        if self.places.is_empty() {
            state.at = self.at.or(state.at);
        }
        state.told.extend(self.places.drain(..).chain(self.again.drain(..)));
    }
}

impl Written {
    pub(crate) fn new(settings: &Settings) -> Self {
        let mut places: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        for (place, path) in settings.pages.iter().enumerate() {
            places.entry(path.as_str().into()).or_default().push(place);
        }
        let pages = settings.pages.iter().map(|_| None).collect();
        let state = State { pages, told: BTreeSet::new(), next: 0, last: None, at: None };
        Written { places, state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the news that a page may have changed. False where it is not listed.
    pub(crate) fn tell(&self, path: &str) -> bool {
        let Some(places) = self.places.get(path) else { return false };
        self.lock().told.extend(places);
        true
    }

    /// Takes what the inner service gave for a page.
    pub(crate) fn note(&self, path: &str, made: Option<&Arc<Made>>) {
        let Some(places) = self.places.get(path) else { return };
        let mut state = self.lock();
        for place in places {
            if let Some(page) = state.pages.get_mut(*place) {
                *page = Some(made.cloned());
            }
        }
    }

    /// The pages to ask for: those that were never asked for, those that were told of, and some in turn, unless the clock
    /// says that this was done a short while ago.
    pub(crate) fn due(&self, settings: &Settings) -> Due<'_> {
        let now = settings.clock.as_ref().map(|clock| (clock.now)());
        let mut state = self.lock();
        let is_young = match (&settings.clock, state.at, now) {
            // A clock that was set back makes nothing young.
            (Some(clock), Some(at), Some(now)) => at <= now && now.seconds_since(at) < clock.max_age_secs,
            _ => false,
        };
        let told = core::mem::take(&mut state.told);
        let mut places = told.clone();
        let unknown = state.pages.iter().enumerate().filter(|(_, page)| page.is_none());
        places.extend(unknown.map(|(place, _)| place));
        if is_young {
            return self.due_of(places, told, None);
        }
        let all = state.pages.len();
        let checks = settings.sitemap_checks().min(all);
        places.extend((state.next..all).chain(0..state.next).take(checks));
        state.next = (state.next + checks).checked_rem(all).unwrap_or(0);
        self.due_of(places, told, now)
    }

    fn due_of(&self, places: BTreeSet<usize>, told: BTreeSet<usize>, at: Option<UnixSeconds>) -> Due<'_> {
        Due { written: self, places: places.into_iter().rev().collect(), told, again: Vec::new(), at }
    }

    /// The sitemaps of the listed pages: those that were written last where nothing changed, or new ones.
    pub(crate) fn sitemaps(&self, settings: &Settings) -> Sitemaps {
        let mut state = self.lock();
        let is_same = state.last.as_ref().is_some_and(|last| {
            let mut pages = state.pages.iter().flatten().flatten();
            last.pages.iter().all(|made| pages.next().is_some_and(|page| Arc::ptr_eq(page, made)))
                && pages.next().is_none()
        });
        if let Some(last) = state.last.as_ref().filter(|_| is_same) {
            return last.sitemaps.clone();
        }
        let pages: Vec<Arc<Made>> = state.pages.iter().flatten().flatten().cloned().collect();
        let sitemaps = write(settings, &pages);
        state.last = Some(Last { pages, sitemaps: sitemaps.clone() });
        sitemaps
    }
}

fn write(settings: &Settings, pages: &[Arc<Made>]) -> Sitemaps {
    let linked = |representation: Representation| {
        settings.site_links.iter().cloned().fold(representation, Representation::with_link)
    };
    let legacy = matches!(settings.revisions, Revisions::Legacy | Revisions::Both).then(|| {
        let entries = pages.iter().filter_map(|made| made.entry.clone());
        // One file: a site beyond the budget writes its sitemaps beforehand.
        let files = write_sitemaps(entries, SitemapBudget::default());
        let file = files.ok().and_then(|files| files.into_iter().next()).unwrap_or_default();
        let representation = linked(Representation::of_bytes(&file));
        Arc::new(Resource::new(file, representation))
    });
    let exact = matches!(settings.revisions, Revisions::V03 | Revisions::Both).then(|| {
        let mut sitemap = MSitemap::with_limits(MSitemapLimits::default().with_max_items(100_000));
        for item in pages.iter().filter_map(|made| made.exact_item.clone()) {
            // What is past the limits of the draft's reference is left out: an agent still finds it by its page.
            if sitemap.push(item).is_err() {
                break;
            }
        }
        let sealed = sitemap.seal().ok()?;
        let representation = linked(sealed.representation());
        Some(Arc::new(Resource::new(sealed.into_identity().into_body(), representation)))
    });
    Sitemaps { legacy, exact: exact.flatten() }
}
