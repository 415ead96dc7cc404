//! The site's sitemaps: conditional requests, reading as they arrive, what they list no more.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use url::Url;

use super::visits::PageVisit;
use super::{
    Answer, Crawl, CrawlPolicy, PageEvent, PageReport, PageState, Pages, ResourceState, SiteEvent, Task,
    class, resource_of, retry_at,
};
use crate::counters::Counters;
use crate::discovery::{SitemapSource, discover_in_headers};
use crate::plan::SitemapDate;
use crate::sitemap::SitemapError;
use crate::sitemap::{PausedEvents, SitemapEvents, key};
use crate::v03::Revision;
use crate::visit::{Refusal, StatusClass, redirect_target};
use crate::{Fingerprint, Plan, Planner, SitemapEvent, SitemapItem, SitemapReader, UnixSeconds};

/// Remarks on entries of one sitemap that are told.
const MAX_REMARKS: u32 = 20;

/// A sitemap to ask for.
#[derive(Debug, Clone)]
pub(super) struct SitemapTask {
    pub(super) url: Url,
    source: Option<SitemapSource>,
    pub(super) held: Option<ResourceState>,
    pub(super) tries: u32,
    hops: Vec<Url>,
    /// The URL to remember: that of the last permanent redirect.
    lasting: Url,
    is_lasting: bool,
}

impl SitemapTask {
    pub(super) fn new(url: Url, source: SitemapSource) -> Self {
        let lasting = url.clone();
        SitemapTask {
            url,
            source: Some(source),
            held: None,
            tries: 0,
            hops: Vec::new(),
            lasting,
            is_lasting: true,
        }
    }

    pub(super) fn known(url: Url, held: ResourceState) -> Self {
        let task = Self::new(url, SitemapSource::Configured);
        SitemapTask { source: None, held: Some(held), ..task }
    }
}

/// A sitemap that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    reader: SitemapReader,
    task: SitemapTask,
    url: Url,
    state: ResourceState,
    paused: Option<PausedEvents>,
    failed: Option<SitemapError>,
    is_ended: bool,
    remarks: u32,
    /// Its place in the order of reading, from 1.
    number: u32,
    /// Digests of the pages that it lists, where the site has other sitemaps too and it may be of draft -03.
    listed: Vec<u64>,
}

impl Reading {
    /// Whether a piece is not read to its end.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }
}

/// Digests of listed pages that are kept at most: a mebibyte.
const MAX_SEEN: usize = 131_072;

/// The pages that sitemaps of draft -03 list: digests of their URLs in ascending order.
#[derive(Debug, Default)]
pub(super) struct Preferred(Vec<u64>);

impl Preferred {
    /// Adds pages, as far as there is room.
    fn add(&mut self, mut digests: Vec<u64>) {
        digests.truncate(MAX_SEEN - self.0.len().min(MAX_SEEN));
        if self.0.is_empty() {
            self.0 = digests;
        } else {
            self.0.append(&mut digests);
        }
        self.0.sort_unstable();
        self.0.dedup();
    }

    fn has(&self, page: u64) -> bool {
        self.0.binary_search(&page).is_ok()
    }
}

/// What the sitemaps list no more.
#[derive(Debug, Default)]
pub(super) struct Unlisted {
    /// Digests of the listed pages' keys, as far as they are of this crawl's part.
    seen: Vec<u64>,
    /// Which bits tell the part that a page belongs to: none for all but very large sites.
    parts: u64,
    /// Which part's turn it is.
    turn: u64,
    /// Pages that were stored when the crawl began, and listed ones among them.
    stored: u64,
    matched: u64,
    /// Whether every sitemap was read, and none is just known to be unchanged.
    pub(super) is_complete: bool,
    is_unchanged: bool,
    checked: u64,
    walk: Option<String>,
    has_walked: bool,
}

impl Unlisted {
    pub(super) fn begin(&mut self, pages: &impl Pages, turn: u64) {
        self.stored = pages.count();
        self.is_complete = true;
        self.turn = turn;
    }

    #[inline]
    fn see(&mut self, key: &str) {
        if self.stored == 0 {
            return;
        }
        let digest = digest(key);
        if self.is_in_turn(digest) {
            if self.seen.len() >= MAX_SEEN {
                self.halve();
                if !self.is_in_turn(digest) {
                    return;
                }
            }
            self.seen.push(digest);
        }
    }

    /// Whether a page is of the part that is looked through in this crawl.
    #[inline]
    fn is_in_turn(&self, digest: u64) -> bool {
        // The upper bits of a product depend on all of its factors' bits.
        ((digest >> 32) ^ self.turn) & self.parts == 0
    }

    /// Goes on with half of the pages; the others have their turn in another crawl.
    #[cold]
    fn halve(&mut self) {
        self.parts = self.parts << 1 | 1;
        let seen = core::mem::take(&mut self.seen);
        self.seen = seen.into_iter().filter(|digest| self.is_in_turn(*digest)).collect();
    }

    /// Whether a page is listed twice, and so one more is missing than the numbers tell. An eighth of the pages is looked
    /// through in each crawl: looking through all of them would take longer than reading the sitemap.
    fn has_double(&self) -> bool {
        let is_in_turn = |digest: &u64| ((digest >> 52) ^ self.turn) & 7 == 0;
        let mut seen: Vec<u64> = self.seen.iter().copied().filter(is_in_turn).collect();
        seen.sort_unstable();
        seen.windows(2).any(|pair| pair.first() == pair.last())
    }
}

/// A fast digest: it decides nothing but whether a page is asked about once more.
#[inline]
fn digest(text: &str) -> u64 {
    // Both halves of the product: the upper one depends on every bit of the words, so that paths that differ in a digit or
    // two do not meet.
    let mix = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let bytes = text.as_bytes();
    let mut sum = (text.len() as u64).wrapping_mul(0x517C_C1B7_2722_0A95);
    let (pairs, rest) = bytes.as_chunks::<16>();
    for pair in pairs {
        if let ([first, second], []) = pair.as_chunks::<8>() {
            sum = mix(
                sum ^ word(first) ^ 0x9E37_79B9_7F4A_7C15,
                word(second) ^ 0xD6E8_FEB8_6659_FD93 ^ sum.rotate_left(32),
            );
        }
    }
    let (first, second) = match (rest.split_first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // The last eight bytes, some of which may be among those before.
        (Some((first, _)), Some(last)) => (word(first), word(last)),
        (None, Some(last)) if !rest.is_empty() => (word(last), 0),
        _ => (rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte)), 0),
    };
    mix(sum ^ first ^ 0xA076_1D64_78BD_642F, second ^ 0xE703_7ED1_A0B4_28DB ^ sum.rotate_left(32))
}

/// What planning needs, apart from the reader.
struct Sink<'a> {
    planner: Planner,
    policy: &'a CrawlPolicy,
    counters: &'a mut Counters,
    visits: &'a mut VecDeque<PageVisit>,
    queued: &'a mut HashSet<String>,
    unlisted: &'a mut Unlisted,
    /// Takes digests of the listed pages; `None` where nobody asks for them.
    listed: Option<&'a mut Vec<u64>>,
    sitemap: u32,
    now: UnixSeconds,
}

impl Sink<'_> {
    /// Plans an entry. `O(1)` and without allocation where its page is skipped.
    #[inline]
    fn take(&mut self, item: &SitemapItem<'_>, pages: &impl Pages) {
        self.counters.pages += 1;
        if let Some(listed) = &mut self.listed
            && listed.len() < MAX_SEEN
        {
            listed.push(digest(&item.c_key()));
        }
        // Most entries are written in normal form: then the text is the key.
        let mut name = Cow::Borrowed(item.m_url);
        let mut state = pages.page(&name);
        if state.is_none() {
            name = item.m_key();
            if matches!(name, Cow::Owned(_)) {
                state = pages.page(&name);
            }
        }
        self.unlisted.see(&name);
        self.unlisted.matched += u64::from(state.is_some());
        let hash = item.hash;
        if state.as_ref().is_some_and(|state| self.is_settled(hash, state)) {
            self.counters.skipped += 1;
            return;
        }
        self.queue(PageVisit::listed(item, state.as_deref(), self.policy));
    }

    fn queue(&mut self, visit: Option<PageVisit>) {
        if let Some(mut visit) = visit
            && self.queued.insert(visit.key().to_owned())
        {
            visit.sitemap = self.sitemap;
            self.visits.push_back(visit);
        }
    }

    /// Whether nothing needs to be asked about the page.
    #[inline]
    fn is_settled(&self, hash: Option<Fingerprint>, state: &PageState) -> bool {
        // What is held first: of most pages nothing else is looked at, and so no other part of the state comes from memory.
        let is_skipped = matches!(self.planner.plan(hash, state.held.as_ref()), Plan::Skip);
        (is_skipped || self.is_left_alone(hash, state)) && state.unlisted_since.is_none()
    }

    /// Whether the page is to be left alone for a while, and the sitemap says nothing new of it.
    #[cold]
    fn is_left_alone(&self, hash: Option<Fingerprint>, state: &PageState) -> bool {
        state.not_before.is_some_and(|at| at > self.now) && state.listed == hash
    }

    /// Takes events until the queue is full. Returns whether it is.
    #[inline]
    fn drain(
        &mut self,
        events: &mut SitemapEvents<'_>,
        pages: &impl Pages,
        mut remark: impl FnMut(u64, crate::sitemap::ItemIssue),
    ) -> Result<bool, SitemapError> {
        while let Some(event) = events.next()? {
            match event {
                SitemapEvent::Item(item) => {
                    if let Some(issue) = item.issue {
                        remark(item.index, issue);
                    }
                    self.take(&item, pages);
                    if self.visits.len() >= self.policy.max_queue {
                        return Ok(true);
                    }
                }
                SitemapEvent::Skipped(entry) => remark(entry.index, entry.issue),
            }
        }
        Ok(false)
    }
}

impl Crawl {
    /// What the head of a sitemap's response means; a reading where its body is one.
    pub(super) fn on_sitemap_head(
        &mut self,
        mut task: SitemapTask,
        answer: Answer<'_>,
        now: UnixSeconds,
    ) -> Option<Reading> {
        if !self.is_own(&task.url, answer.url) {
            self.refuse_sitemap(&task, Refusal::OtherOrigin);
            return None;
        }
        match class(answer.status) {
            StatusClass::Ok => {
                self.note_links(answer.url, answer.headers);
                // A site that grew names its new sitemaps in the answers of the old ones.
                for url in discover_in_headers(answer.url, answer.headers).sitemaps {
                    self.add_sitemap(url, SitemapSource::Link);
                }
                self.readings += 1;
                let state = resource_of(&task.lasting, answer.headers, now);
                let reader = SitemapReader::new(answer.url)
                    .with_limits(self.policy.sitemap)
                    .with_policy(self.policy.visit.urls);
                return Some(Reading {
                    reader,
                    url: answer.url.clone(),
                    state,
                    task,
                    paused: None,
                    failed: None,
                    is_ended: false,
                    remarks: 0,
                    number: self.readings,
                    listed: Vec::new(),
                });
            }
            StatusClass::NotModified => match task.held.take() {
                Some(held) => {
                    self.note_links(answer.url, answer.headers);
                    self.prefers_stored |= held.is_v03 && self.named.len() > 1;
                    let last_modified = crate::visit::last_modified(answer.headers).or(held.last_modified);
                    let url = task.lasting.to_string();
                    self.read.push(ResourceState { url, validated_at: now, last_modified, ..held });
                    (self.unlisted.is_complete, self.unlisted.is_unchanged) = (false, true);
                    let items = self.unlisted.stored;
                    let (url, source) = (task.url, task.source);
                    self.events.push_back(SiteEvent::SitemapRead { url, source, is_unchanged: true, items });
                }
                None => self.refuse_sitemap(&task, Refusal::NotModifiedUnasked),
            },
            StatusClass::Redirect => self.follow_sitemap(task, answer),
            StatusClass::NotFound | StatusClass::Gone => {
                self.unlisted.is_complete = false;
                let status = answer.status.as_u16();
                self.events.push_back(SiteEvent::SitemapMissing { url: task.url, status });
            }
            StatusClass::Forbidden => {
                self.unlisted.is_complete = false;
                self.keep_known(&task);
                let status = answer.status.as_u16();
                self.events.push_back(SiteEvent::SitemapMissing { url: task.url, status });
            }
            StatusClass::Busy => {
                let at = retry_at(&self.policy.visit, answer.headers, now);
                self.try_again(Task::Sitemap(task), at, Some(answer.status), now);
            }
            StatusClass::Final => self.refuse_sitemap(&task, Refusal::Status),
        }
        None
    }

    pub(super) fn refuse_sitemap(&mut self, task: &SitemapTask, reason: Refusal) {
        self.find.is_deferred = true;
        self.unlisted.is_complete = false;
        self.keep_known(task);
        self.events.push_back(SiteEvent::SitemapRefused { url: task.url.clone(), reason });
    }

    /// What an earlier run knew of a sitemap that cannot be read now stays.
    pub(super) fn keep_known(&mut self, task: &SitemapTask) {
        self.read.extend(task.held.clone());
    }

    fn follow_sitemap(&mut self, mut task: SitemapTask, answer: Answer<'_>) {
        let target = redirect_target(answer.url, answer.headers, &self.policy.visit.urls);
        let Some(to) = target.filter(|to| to.origin() == task.url.origin()) else {
            self.refuse_sitemap(&task, Refusal::Redirect);
            return;
        };
        let limit = usize::from(self.policy.visit.max_redirects);
        if to == task.url || task.hops.contains(&to) || task.hops.len() >= limit {
            self.refuse_sitemap(&task, Refusal::TooManyRedirects);
            return;
        }
        task.is_lasting &= matches!(answer.status.as_u16(), 301 | 308);
        if task.is_lasting {
            self.events.push_back(SiteEvent::SitemapMoved { from: task.url.clone(), to: to.clone() });
            task.lasting = to.clone();
        }
        self.named.push(to.clone());
        task.hops.push(core::mem::replace(&mut task.url, to));
        self.tasks.push_front(Task::Sitemap(task));
    }

    /// Reads a piece, up to the place where the queue of visits is full.
    pub(super) fn on_piece(&mut self, chunk: &[u8], pages: &impl Pages, now: UnixSeconds) {
        self.read_piece(Some(chunk), pages, now);
    }

    /// Takes the end of the body.
    pub(super) fn on_end(&mut self, _now: UnixSeconds) {
        if let Some(reading) = &mut self.reading {
            reading.is_ended = true;
        }
    }

    /// Reads on where the queue has room again, or ends the reading, or goes on with the stored pages. Returns whether
    /// something was done.
    pub(super) fn read_on(&mut self, pages: &impl Pages, now: UnixSeconds) -> bool {
        match &self.reading {
            Some(reading) if reading.is_paused() => {
                self.read_piece(None, pages, now);
                true
            }
            Some(reading) if reading.is_ended => {
                self.finish_reading();
                true
            }
            Some(_) => false,
            None => self.walk_on(pages, now),
        }
    }

    fn read_piece(&mut self, chunk: Option<&[u8]>, pages: &impl Pages, now: UnixSeconds) {
        let Crawl { reading, policy, counters, visits, queued, unlisted, events: log, named, .. } = self;
        let Some(reading) = reading else { return };
        let Reading { reader, url, paused, failed, remarks, listed, number, .. } = reading;
        if failed.is_some() {
            return;
        }
        // The sitemap came just now.
        let planner = Planner::new(policy.plan, SitemapDate(now), now);
        let listed = (named.len() > 1 && reader.may_be_v03()).then_some(listed);
        let sitemap = *number;
        let mut sink = Sink { planner, policy, counters, visits, queued, unlisted, listed, sitemap, now };
        let remark = |index, issue| {
            *remarks += 1;
            if *remarks <= MAX_REMARKS {
                log.push_back(SiteEvent::Item { url: url.clone(), index, issue });
            }
        };
        let mut before = paused.take();
        match (chunk, &mut before) {
            (Some(chunk), _) => {
                let mut events = reader.push(chunk);
                match sink.drain(&mut events, pages, remark) {
                    Ok(true) => *paused = Some(events.pause()),
                    Ok(false) => {}
                    Err(error) => *failed = Some(error),
                }
            }
            (None, Some(before)) => {
                let mut events = reader.resume(before);
                match sink.drain(&mut events, pages, remark) {
                    Ok(true) => {
                        let at = events.pause_again();
                        before.advance_to(at);
                        *paused = Some(core::mem::take(before));
                    }
                    Ok(false) => {}
                    Err(error) => *failed = Some(error),
                }
            }
            (None, None) => {}
        }
    }

    fn finish_reading(&mut self) {
        let Some(reading) = self.reading.take() else { return };
        let has_items = reading.reader.has_items();
        let ended = match reading.failed {
            Some(error) => Err(error),
            None => reading.reader.finish(),
        };
        match ended {
            Ok(summary) => {
                let is_v03 = summary.revision() == Revision::V03;
                self.prefer(is_v03, reading.number, reading.listed);
                self.read.push(ResourceState { is_v03, ..reading.state });
                let (url, source) = (reading.task.url, reading.task.source);
                let items = summary.items;
                self.events.push_back(SiteEvent::SitemapRead { url, source, is_unchanged: false, items });
            }
            Err(error) => {
                self.unlisted.is_complete = false;
                if error.leaves_items_usable() && has_items {
                    // It is a sitemap, to be read anew: without validators.
                    let url = reading.state.url;
                    self.read.push(ResourceState { url, ..ResourceState::default() });
                } else {
                    self.visits.clear();
                    self.queued.clear();
                    self.keep_known(&reading.task);
                }
                self.events.push_back(SiteEvent::SitemapBroken { url: reading.url, error });
            }
        }
    }

    /// Takes the end of a sitemap: the pages of one of draft -03 are visited by its twins alone.
    fn prefer(&mut self, is_v03: bool, number: u32, listed: Vec<u64>) {
        if is_v03 {
            self.preferred.add(listed);
            for visit in &mut self.visits {
                visit.is_preferred |= visit.sitemap == number;
            }
        }
        self.give_way();
    }

    /// Drops planned visits of pages that have a twin of draft -03 too.
    fn give_way(&mut self) {
        let Crawl { visits, queued, preferred, .. } = self;
        if preferred.0.is_empty() {
            return;
        }
        visits.retain(|visit| {
            let gives_way = visit.gives_way() && preferred.has(digest(&key(visit.page().as_str())));
            if gives_way {
                queued.remove(visit.key());
            }
            !gives_way
        });
    }

    /// After a 304 of a sitemap of draft -03: the pages that it lists are those that are held by that draft.
    pub(super) fn prefer_stored(&mut self, pages: &impl Pages) {
        if !core::mem::take(&mut self.prefers_stored) {
            return;
        }
        let (mut at, mut listed) = (String::new(), Vec::new());
        while let Some((key_after, state)) = pages.after(&at) {
            if state.is_v03() && state.unlisted_since.is_none() && listed.len() < MAX_SEEN {
                listed.push(digest(&key(&state.c_url)));
            }
            at = key_after.into_owned();
        }
        self.preferred.add(listed);
        self.give_way();
    }

    /// Begins to go through the stored pages, where that is of use: after a 304, and where some are not listed.
    pub(super) fn begin_walk(&mut self, _now: UnixSeconds) -> bool {
        let unlisted = &mut self.unlisted;
        if unlisted.has_walked || unlisted.stored == 0 || self.read.is_empty() {
            return false;
        }
        unlisted.has_walked = true;
        if unlisted.is_complete && unlisted.matched == unlisted.stored && !unlisted.has_double() {
            return false;
        }
        unlisted.seen.sort_unstable();
        unlisted.walk = Some(String::new());
        true
    }

    /// Goes on through the stored pages, until the queue is full.
    fn walk_on(&mut self, pages: &impl Pages, now: UnixSeconds) -> bool {
        let Some(mut at) = self.unlisted.walk.take() else { return false };
        while self.visits.len() < self.policy.max_queue && self.reports.len() < self.policy.max_queue {
            let Some((key, state)) = pages.after(&at) else { return true };
            at.clear();
            at.push_str(&key);
            self.walk_page(&key, &state, now);
        }
        self.unlisted.walk = Some(at);
        true
    }

    fn walk_page(&mut self, key: &str, state: &PageState, now: UnixSeconds) {
        // A page that comes back is visited, and then no more marked as unlisted.
        let is_news = state.unlisted_since.is_none();
        let digest = digest(key);
        let is_in_turn = self.unlisted.is_in_turn(digest);
        if is_news && is_in_turn && self.unlisted.seen.binary_search(&digest).is_ok() {
            return;
        }
        if !is_news || (self.unlisted.is_complete && is_in_turn) {
            let mut state = state.clone();
            if is_news {
                state.unlisted_since = Some(now);
                state.not_before = None;
            }
            let is_due = state.not_before.is_none_or(|at| at <= now);
            if is_due && self.unlisted.checked < self.policy.max_unlisted {
                self.unlisted.checked += 1;
                if let Some(visit) = PageVisit::unlisted(&state, &self.policy) {
                    self.queue(visit);
                }
            }
            if is_news {
                let (key, event) = (key.to_owned(), PageEvent::Unlisted);
                self.reports.push_back(PageReport { key, state: Some(state), event });
            }
            return;
        }
        if !self.unlisted.is_unchanged {
            return;
        }
        // The sitemap did not change: what it listed last is what it lists.
        self.counters.pages += 1;
        let Crawl { policy, counters, visits, queued, unlisted, .. } = self;
        let planner = Planner::new(policy.plan, SitemapDate(now), now);
        let mut sink =
            Sink { planner, policy, counters, visits, queued, unlisted, listed: None, sitemap: 0, now };
        let hash = state.listed;
        if sink.is_settled(hash, state) {
            sink.counters.skipped += 1;
        } else {
            sink.queue(PageVisit::stored(state, hash, sink.policy));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many pages are listed, what is remembered of them is a mebibyte; each page has its turn.
    #[test]
    fn memory_is_bounded_and_every_page_has_its_turn() {
        const PAGES: usize = 280_000;
        let keys: Vec<String> = (0..PAGES).map(|index| format!("https://example.com/{index}/llm/")).collect();
        let mut seen = 0;
        let mut parts = 1;
        for turn in 0..4 {
            let mut unlisted = Unlisted { stored: 1, turn, ..Unlisted::default() };
            keys.iter().for_each(|key| unlisted.see(key));
            assert!(unlisted.seen.len() <= MAX_SEEN && unlisted.seen.capacity() <= MAX_SEEN);
            parts = unlisted.parts + 1;
            seen += unlisted.seen.len();
            assert!(!unlisted.has_double());
            let of_turn = keys.iter().filter(|key| unlisted.is_in_turn(digest(key))).count();
            assert_eq!(of_turn, unlisted.seen.len(), "all of this part, and no others");
        }
        assert_eq!((parts, seen), (4, PAGES), "four parts, and together everything");
    }

    /// Each page is of one part, and the parts are of about one size; a page that is listed twice is found in one turn of eight.
    #[test]
    fn every_page_has_one_turn() {
        let keys: Vec<String> = (0..1000).map(|index| format!("https://example.com/{index}/llm/")).collect();
        let turn_of = |turn| Unlisted { stored: 1, parts: 3, turn, ..Unlisted::default() };
        let mut turns = [0; 4];
        for key in &keys {
            let own: Vec<u64> = (0..4).filter(|turn| turn_of(*turn).is_in_turn(digest(key))).collect();
            assert_eq!(own.len(), 1, "{key}");
            turns[own[0] as usize] += 1;
        }
        assert!(turns.iter().all(|pages| (180..320).contains(pages)), "{turns:?}");
        let found = |keys: &[&String]| {
            let has_double = |turn: &u64| {
                let mut unlisted = Unlisted { stored: 1, turn: *turn, ..Unlisted::default() };
                keys.iter().for_each(|key| unlisted.see(key));
                assert_eq!(unlisted.seen.len(), keys.len());
                unlisted.has_double()
            };
            (0..8).filter(has_double).count()
        };
        let once: Vec<&String> = keys.iter().collect();
        assert_eq!(found(&once), 0);
        for key in &keys[..50] {
            let twice: Vec<&String> = keys.iter().chain([key]).collect();
            assert_eq!(found(&twice), 1, "{key}");
        }
        // Where nothing is stored, nothing can be missing.
        let mut empty = Unlisted::default();
        empty.see("https://example.com/");
        assert!(empty.seen.is_empty());
    }

    /// What is past the bound is not preferred, and nothing else is.
    #[test]
    fn preferred_pages_are_found_up_to_the_bound() {
        let mut preferred = Preferred::default();
        let pages: Vec<u64> = (0..MAX_SEEN as u64 + 10).map(|page| page * 2).collect();
        preferred.add(pages[10..20].to_vec());
        preferred.add(pages[..12].to_vec());
        assert!(pages[..20].iter().all(|page| preferred.has(*page) && !preferred.has(page + 1)));
        assert!(!preferred.has(pages[20]));
        assert_eq!(preferred.0.len(), 20, "each once");
        preferred.add(pages[20..].to_vec());
        assert_eq!(preferred.0.len(), MAX_SEEN);
        assert!(preferred.has(pages[MAX_SEEN - 1]) && !preferred.has(pages[MAX_SEEN]));
        preferred.add(vec![1]);
        assert!(!preferred.has(1));
    }

    /// Texts of every length that differ in one byte, or in the length alone, have digests that differ.
    #[test]
    fn digests_tell_texts_apart() {
        let mut seen = std::collections::HashMap::new();
        let mut note = |text: String| {
            let first = seen.entry(super::digest(&text)).or_insert_with(|| text.clone());
            assert_eq!(*first, text);
        };
        for len in 0..60 {
            for filler in ["a", "/"] {
                let text = filler.repeat(len);
                for at in 0..len {
                    for other in ["b", "0", "1"] {
                        note([&text[..at], other, &text[at + 1..]].concat());
                    }
                }
                note(text);
            }
        }
    }
}
