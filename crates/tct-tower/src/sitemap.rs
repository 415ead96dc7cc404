//! The sitemaps: written from the listed pages' entries, and kept as long as those do not change.

use core::future::poll_fn;
use core::task::{Poll, Waker};
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

/// Longest time until a page that failed is requested again, in seconds.
const RETRY_SECS: u64 = 60;

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
    checked_at: Option<UnixSeconds>,
    /// Pages that failed before this number are due again.
    retried: u64,
    /// When pages that failed were last tried again: the end, or the beginning while that is under way.
    retried_at: Option<UnixSeconds>,
}

#[derive(Debug, Default)]
struct Known {
    /// The page's entry; `Some(None)` if it is not public, `None` until the inner service has answered.
    entry: Option<Option<Arc<Entry>>>,
    /// The request that the entry came from. Answers to earlier requests are ignored.
    asked: u64,
    /// The report that it may have changed: it is due until a later request is answered, or fails.
    told: u64,
    /// The last attempt at a due page that brought no answer.
    failed: u64,
    /// The attempt at a due page that is under way; 0 if there is none.
    asking: u64,
    /// The requests that wait for it.
    waiting: Vec<Waker>,
}

impl Known {
    fn is_due(&self, retried: u64) -> bool {
        let is_unanswered = self.entry.is_none() || self.told > self.asked;
        is_unanswered && (self.failed <= self.told || self.failed < retried)
    }
}

#[derive(Debug)]
struct Last {
    /// The entries that they were written from: equal entries give equal sitemaps.
    entries: Vec<Arc<Entry>>,
    sitemaps: Sitemaps,
}

/// The listed pages to request from the inner service now. Requests that are under way at once divide the due pages among
/// them, so that none is requested twice.
pub(crate) struct Due<'a> {
    written: &'a Written,
    listed: Arc<Listed>,
    /// In reverse order.
    due: Vec<usize>,
    /// Due pages that another request has asked for.
    others: Vec<usize>,
    /// Those to check in turn, after all that are due; in reverse order.
    turns: Vec<usize>,
    /// Pages that failed before this number are due.
    retried: u64,
    /// The page that was given out, if it was due, and the number of the attempt.
    asking: Option<(Arc<str>, u64)>,
    /// The clock that tells when all is done, if pages are checked in turn.
    checks: Option<&'a Clock>,
    /// The same, if pages that failed are tried again: one, and the others once that is answered. A service that is down is
    /// not asked for all its pages each time.
    retries: Option<&'a Clock>,
}

/// What to do for a sitemap.
pub(crate) enum Next {
    Ask(Arc<str>),
    /// Wait until another request has the answer.
    Wait(Arc<str>),
    Done,
}

impl Due<'_> {
    pub(crate) fn next(&mut self) -> Next {
        self.settle(false);
        let mut locked = self.written.lock();
        let state = &mut *locked;
        while let Some(place) = self.due.pop() {
            let Some(page) = self.listed.pages.get(place) else { continue };
            let now_at = state.listed.place(page);
            let Some(known) = now_at.and_then(|place| state.pages.get_mut(place)) else { continue };
            if !known.is_due(self.retried) {
                continue;
            }
            // One that was asked for before the report may be answered with what was before.
            if known.asking > known.told {
                self.others.push(place);
                continue;
            }
            known.asking = self.written.begin();
            self.asking = Some((Arc::clone(page), known.asking));
            return Next::Ask(Arc::clone(page));
        }
        if let Some(place) = self.others.pop() {
            self.due.push(place);
            return self.listed.pages.get(place).map_or(Next::Done, |page| Next::Wait(Arc::clone(page)));
        }
        if let Some(place) = self.turns.pop() {
            // A request that is given up takes no other page's turn.
            state.next = place + 1;
            return self.listed.pages.get(place).cloned().map_or(Next::Done, Next::Ask);
        }
        drop(locked);
        // Pages that take longer than a sitemap may be old are not checked without end.
        let checked = self.checks.take().map(|clock| (clock.now)());
        let retried = self.retries.take().map(|clock| (clock.now)());
        let mut state = self.written.lock();
        state.checked_at = checked.or(state.checked_at);
        state.retried_at = checked.or(retried).or(state.retried_at);
        Next::Done
    }

    /// The end of the attempt at the page that was given out.
    fn settle(&mut self, is_given_up: bool) {
        let Some((page, attempt)) = self.asking.take() else { return };
        let mut locked = self.written.lock();
        let state = &mut *locked;
        let Some(known) = state.listed.place(&page).and_then(|place| state.pages.get_mut(place)) else {
            return;
        };
        let is_answered = known.asked >= attempt;
        if !is_answered && !is_given_up {
            known.failed = known.failed.max(attempt);
        }
        let mut waiting = Vec::new();
        if known.asking == attempt {
            known.asking = 0;
            waiting = core::mem::take(&mut known.waiting);
        }
        if self.retries.is_some() && self.retried > state.retried {
            if is_answered {
                state.retried = self.retried;
            } else {
                self.retried = state.retried;
            }
        }
        drop(locked);
        wake(waiting);
    }

    /// Waits for another request's answer about a page.
    pub(crate) async fn answered(&self, page: &str) {
        poll_fn(|cx| {
            let state = &mut *self.written.lock();
            let known = state.listed.place(page).and_then(|place| state.pages.get_mut(place));
            let Some(known) = known.filter(|known| known.asking > known.told) else { return Poll::Ready(()) };
            if !known.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                known.waiting.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Due<'_> {
    fn drop(&mut self) {
        self.settle(true);
        // Given up: the next request checks the pages.
        if self.checks.is_some() {
            self.written.lock().checked_at = None;
        }
    }
}

impl Written {
    pub(crate) fn new(listed: Arc<Listed>) -> Self {
        let pages = listed.pages.iter().map(|_| Known::default()).collect();
        let state =
            State { listed, pages, next: 0, last: None, checked_at: None, retried: 0, retried_at: None };
        Written { count: AtomicU64::new(0), state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists these pages from now on. The state of a page that stays listed is kept.
    pub(crate) fn list(&self, listed: Arc<Listed>) {
        let mut locked = self.lock();
        let state = &mut *locked;
        let mut old: HashMap<Arc<str>, Known> =
            state.listed.pages.iter().cloned().zip(state.pages.drain(..)).collect();
        // Changes of a page were news to nobody before it was listed: an answer to a question from then may be old.
        let told = self.begin();
        let new = || Known { told, ..Known::default() };
        state.pages = listed.pages.iter().map(|page| old.remove(page).unwrap_or_else(new)).collect();
        state.listed = listed;
        drop(locked);
        wake(old.into_values().flat_map(|known| known.waiting));
    }

    /// Records that a page may have changed. Returns false if it is not listed.
    pub(crate) fn tell(&self, page: &str) -> bool {
        let mut locked = self.lock();
        let state = &mut *locked;
        let known = state.listed.place(page).and_then(|place| state.pages.get_mut(place));
        let Some(known) = known else { return false };
        known.told = self.begin();
        // The attempt that is under way may bring what was before.
        let waiting = core::mem::take(&mut known.waiting);
        drop(locked);
        wake(waiting);
        true
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
        let clock = settings.clock.as_ref();
        let now = clock.map(|clock| (clock.now)());
        let state = &mut *self.lock();
        let is_young = |at: Option<UnixSeconds>, limit: u64| match (clock, at, now) {
            // A clock that was set back makes nothing young.
            (Some(clock), Some(at), Some(now)) => {
                at <= now && now.seconds_since(at) < clock.max_age_secs.min(limit)
            }
            _ => false,
        };
        let checks = clock.filter(|_| !is_young(state.checked_at, u64::MAX));
        let retries = clock.filter(|_| checks.is_none() && !is_young(state.retried_at, RETRY_SECS));
        let begun = self.begin();
        if checks.is_some() {
            (state.checked_at, state.retried_at) = (now, now);
        }
        if retries.is_some() {
            state.retried_at = now;
        }
        if checks.is_some() || clock.is_none() {
            state.retried = begun;
        }
        let retried = if retries.is_some() { begun } else { state.retried };
        let all = state.pages.len();
        let in_turn =
            if clock.is_none() || checks.is_some() { settings.sitemap_checks().min(all) } else { 0 };
        let failed = |place: &usize| state.pages.get(*place).map(|known| known.failed);
        let is_due = |place: &usize| state.pages.get(*place).is_some_and(|known| known.is_due(retried));
        let next = if state.next < all { state.next } else { 0 };
        let turns = (next..all).chain(0..next).take(in_turn).filter(|place| !is_due(place));
        let mut turns: Vec<usize> = turns.collect();
        turns.reverse();
        let mut due: Vec<usize> = (0..all).rev().filter(is_due).collect();
        // Of those that failed, another one is tried first each time.
        due.sort_by_key(|place| core::cmp::Reverse(failed(place)));
        let (listed, others) = (Arc::clone(&state.listed), Vec::new());
        Due { written: self, listed, due, others, turns, retried, asking: None, checks, retries }
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

/// Wakes requests, without the lock: they may need it at once.
fn wake(waiting: impl IntoIterator<Item = Waker>) {
    waiting.into_iter().for_each(Waker::wake);
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
