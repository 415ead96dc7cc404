//! The site's sitemaps: conditional requests, and reading as they arrive.
//!
//! A sitemap that is being read owns its results: its pieces, its planned visits, its listed pages. They are passed to the crawl
//! at the sitemap's end, or when there is no more room. So a broken sitemap does not affect another, and the division of a body
//! into pieces changes nothing.

use std::borrow::Cow;
use std::collections::VecDeque;

use url::Url;

use super::listing::{MAX_SEEN, Planned, Seen, digest};
use super::task::{Answer, Errand, Stray, Task, resource_of};
use super::visits::{PageVisit, is_left_alone};
use super::{
    Crawl, CrawlPolicy, PageEvent, PageReport, PageState, Pages, RequestId, ResourceState, SiteEvent,
};
use crate::counters::Counters;
use crate::discovery::discover_in_headers;
use crate::plan::SitemapDate;
use crate::sitemap::{PausedEvents, SitemapError, SitemapEvents};
use crate::v03::Revision;
use crate::visit::{Refusal, StatusClass};
use crate::{EntityTag, Fingerprint, Plan, Planner, SitemapEvent, SitemapItem, SitemapReader, UnixSeconds};

/// Most remarks on entries of one sitemap that are reported.
const MAX_REMARKS: u32 = 20;
/// Seconds after which the pages of a sitemap that answers 404, while another one is there, count as no longer listed: a
/// week.
const MISSING_SECS: u64 = 604_800;
/// Seconds after which it is forgotten: 90 days.
const FORGET_SECS: u64 = 7_776_000;

/// A sitemap to ask for, or one that is being read.
#[derive(Debug)]
pub(super) struct SitemapTask {
    pub(super) errand: Errand,
    is_guess: bool,
    pub(super) held: Option<ResourceState>,
    /// The URL to remember: that of the last permanent redirect.
    lasting: Url,
    is_lasting: bool,
    pub(super) arrival: Arrival,
}

/// How much of the answer has arrived.
#[derive(Debug)]
pub(super) enum Arrival {
    /// Nothing.
    Asked,
    /// The head, and a part of the body.
    Arriving(Box<Reading>),
    /// All of it, but there was no room to continue reading.
    Arrived(Box<Reading>),
}

/// A sitemap that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    reader: SitemapReader,
    url: Url,
    state: ResourceState,
    paused: Option<PausedEvents>,
    failed: Option<SitemapError>,
    remarks: u32,
    /// Its number in reading order, from 1.
    number: u32,
    seen: Seen,
    /// Digests of the pages that it lists, and their sum, where the site has other sitemaps too and it may be of draft -03.
    listed: Vec<u64>,
    sum: u64,
    /// The visits that its entries require.
    visits: VecDeque<PageVisit>,
    notes: Vec<PageReport>,
    /// True if visits were passed to the crawl before its end, for lack of room.
    pub(super) is_spilled: bool,
}

impl SitemapTask {
    pub(super) fn new(url: Url, is_guess: bool) -> Self {
        let (errand, lasting) = (Errand::to(url.clone()), url);
        SitemapTask { errand, is_guess, held: None, lasting, is_lasting: true, arrival: Arrival::Asked }
    }

    pub(super) fn known(url: Url, held: ResourceState) -> Self {
        SitemapTask { held: Some(held), ..Self::new(url, false) }
    }

    /// The state to store for a sitemap that was named but never read.
    fn as_named(&self) -> Option<ResourceState> {
        let url = self.lasting.to_string();
        (!self.is_guess).then(|| ResourceState { url, ..ResourceState::default() })
    }

    /// The reading, unless its head is still to come.
    pub(super) fn reading(&self) -> Option<&Reading> {
        match &self.arrival {
            Arrival::Asked => None,
            Arrival::Arriving(reading) | Arrival::Arrived(reading) => Some(reading),
        }
    }

    /// Whether the next piece of the body can be read.
    pub(super) fn wants_piece(&self) -> bool {
        matches!(&self.arrival, Arrival::Arriving(reading) if reading.paused.is_none())
    }
}

/// The part of a reading that plans visits, separate from the reader.
struct Sink<'a> {
    planner: Planner,
    policy: &'a CrawlPolicy,
    counters: &'a mut Counters,
    planned: &'a mut Planned,
    visits: &'a mut VecDeque<PageVisit>,
    notes: &'a mut Vec<PageReport>,
    seen: &'a mut Seen,
    /// Collects digests of the listed pages and their sum; `None` if they are not needed.
    listed: Option<(&'a mut Vec<u64>, &'a mut u64)>,
    /// Room for visits and reports.
    room: usize,
    sitemap: u32,
    now: UnixSeconds,
}

impl Sink<'_> {
    /// Plans an entry. `O(1)` and without allocation where its page is skipped.
    #[inline]
    fn take(&mut self, item: &SitemapItem<'_>, pages: &impl Pages) {
        self.counters.pages += 1;
        // Most entries are written in normal form: then the text is the key.
        let mut name = Cow::Borrowed(item.m_url);
        let mut state = pages.page(&name);
        if state.is_none() {
            name = item.m_key();
            if matches!(name, Cow::Owned(_)) {
                state = pages.page(&name);
            }
        }
        self.seen.see(&name);
        self.seen.matched += u64::from(state.is_some());
        // A twin that is listed for another page than before has to say itself that it is of that page.
        let state = state.filter(|state| item.is_of(&state.c_url));
        let hash = item.hash;
        // What is held first: of most pages little else is looked at, and so no other part of the state comes from memory.
        let is_held = state
            .as_ref()
            .is_some_and(|state| matches!(self.planner.plan(hash, state.held.as_ref()), Plan::Skip));
        let is_left = !is_held && state.as_ref().is_some_and(|state| self.is_left_alone(hash, state));
        if let Some((listed, sum)) = &mut self.listed {
            let page = digest(&item.c_key());
            **sum = sum.wrapping_add(page);
            // A twin that is left alone is no reason to pass over another one of the page.
            if !is_left && listed.len() < MAX_SEEN {
                listed.push(page);
            }
        }
        match &state {
            Some(state) if is_held || is_left => {
                self.counters.skipped += 1;
                // A hash that is new and held is noted as far as there is room: after a 304 it is asked about else.
                let may_note = || self.visits.len() + self.notes.len() < self.room / 8;
                let is_new = state.listed != hash && !is_disputed(state);
                if state.unlisted_since.is_some() || (is_new && may_note()) {
                    self.note(&name, state, hash);
                }
            }
            state => {
                if self.planned.add(&name, self.sitemap)
                    && let Some(mut visit) = PageVisit::listed(item, state.as_deref(), self.policy)
                {
                    visit.sitemap = self.sitemap;
                    self.visits.push_back(visit);
                }
            }
        }
    }

    /// Returns true if the page must not be requested for a while and the sitemap lists the same
    /// hash.
    #[cold]
    fn is_left_alone(&self, hash: Option<Fingerprint>, state: &PageState) -> bool {
        is_left_alone(state, self.policy, self.now) && state.listed == hash
    }

    /// Records that the sitemap lists the page again, or with another hash, without a request.
    #[cold]
    fn note(&mut self, key: &str, state: &PageState, hash: Option<Fingerprint>) {
        let mut state = state.clone();
        (state.unlisted_since, state.listed) = (None, hash);
        if state.held.is_some() {
            state.not_before = None;
        }
        self.notes.push(PageReport { key: key.to_owned(), state: Some(state), event: PageEvent::Listed });
    }

    /// Takes events until there is no more room. Returns true if the room is used up.
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
                    if self.visits.len() + self.notes.len() >= self.room {
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
    /// Evaluates the head of a sitemap's response; returns a reading if its body has to be read.
    pub(super) fn on_sitemap_head(
        &mut self,
        mut task: Box<SitemapTask>,
        answer: Answer<'_>,
        now: UnixSeconds,
    ) -> Option<Box<SitemapTask>> {
        if !self.is_own(&task.errand.url, answer.url) {
            self.refuse_sitemap(*task, Refusal::OtherOrigin, now);
            return None;
        }
        match StatusClass::of(answer.status) {
            StatusClass::Ok => {
                self.note_links(answer.url, answer.headers);
                // A site that grew names its new sitemaps in the answers of the old ones.
                for url in discover_in_headers(answer.url, answer.headers).sitemaps {
                    self.add_sitemap(url, false);
                }
                self.read_anew();
                self.readings += 1;
                let is_moved = task.errand.url != task.lasting;
                let answered_by = is_moved.then(|| task.errand.url.to_string());
                let reader = SitemapReader::new(answer.url)
                    .with_limits(self.policy.sitemap)
                    .with_policy(self.policy.visit.urls);
                task.arrival = Arrival::Arriving(Box::new(Reading {
                    reader,
                    url: answer.url.clone(),
                    state: ResourceState { answered_by, ..resource_of(&task.lasting, answer.headers, now) },
                    paused: None,
                    failed: None,
                    remarks: 0,
                    number: self.readings,
                    seen: self.walk.seen.emptied(),
                    listed: Vec::new(),
                    sum: 0,
                    visits: VecDeque::new(),
                    notes: Vec::new(),
                    is_spilled: false,
                }));
                return Some(task);
            }
            StatusClass::NotModified => self.sitemap_confirmed(*task, answer, now),
            StatusClass::Redirect => self.follow_sitemap(task, answer, now),
            StatusClass::NotFound | StatusClass::Gone => {
                let held = task.held.take().or_else(|| task.as_named());
                let is_lasting = answer.status == http::StatusCode::GONE;
                self.find.is_missed |= held.as_ref().is_some_and(ResourceState::was_read);
                let since = held.map(|held| self.miss(held, is_lasting, now));
                let is_over = since.is_some_and(|since| now.seconds_since(since) > MISSING_SECS);
                self.walk.is_complete &= is_over;
                let status = answer.status.as_u16();
                self.events.push_back(SiteEvent::SitemapMissing { url: task.errand.url, status });
            }
            StatusClass::Forbidden => {
                self.walk.is_complete = false;
                let status = answer.status.as_u16();
                self.keep_unread(task.held.take(), &task, now);
                self.events.push_back(SiteEvent::SitemapMissing { url: task.errand.url, status });
            }
            StatusClass::Busy => {
                let at = self.retry_at(Some(answer.headers), now);
                self.sitemap_later(task, at, now);
            }
            StatusClass::Final => self.refuse_sitemap(*task, Refusal::Status, now),
        }
        None
    }

    /// Handles a 304: the stored sitemap did not change.
    fn sitemap_confirmed(&mut self, mut task: SitemapTask, answer: Answer<'_>, now: UnixSeconds) {
        let Some(held) = task.held.take_if(|held| held.speaks_for(&task.errand.url)) else {
            return self.refuse_sitemap(task, Refusal::NotModifiedUnasked, now);
        };
        if names_another_tag(&held, answer) {
            // It is not what was read: asked for without a condition.
            task.held = Some(held.without_validators());
            return self.tasks.push_front(Task::Sitemap(Box::new(task)));
        }
        let SitemapTask { errand, lasting, .. } = task;
        self.note_links(answer.url, answer.headers);
        let last_modified = crate::visit::last_modified(answer.headers).or(held.last_modified);
        self.weigh.unchanged += 1;
        if held.is_v03 {
            self.weigh.confirmed += usize::from(held.pages.is_some());
            self.weigh.stored.push((lasting.clone(), held.pages));
        } else {
            self.weigh.earlier.push(lasting.clone());
        }
        let url = lasting.to_string();
        self.keep(Some(ResourceState { url, validated_at: now, last_modified, missing_since: None, ..held }));
        self.walk.is_complete = false;
        let items = self.walk.stored;
        self.events.push_back(SiteEvent::SitemapRead { url: errand.url, is_unchanged: true, items });
    }

    pub(super) fn refuse_sitemap(&mut self, mut task: SitemapTask, reason: Refusal, now: UnixSeconds) {
        self.find.is_deferred = true;
        self.walk.is_complete = false;
        let arrival = core::mem::replace(&mut task.arrival, Arrival::Asked);
        self.drop_reading(arrival, false);
        self.keep_unread(task.held.take(), &task, now);
        self.events.push_back(SiteEvent::SitemapRefused { url: task.errand.url, reason });
    }

    /// Tries again at `at`. After the last try, the state of an earlier crawl stays, and so do the entries read now.
    pub(super) fn sitemap_later(&mut self, mut task: Box<SitemapTask>, at: UnixSeconds, now: UnixSeconds) {
        let arrival = core::mem::replace(&mut task.arrival, Arrival::Asked);
        let last = self.try_again(Task::Sitemap(task), at, now);
        self.drop_reading(arrival, last.is_some());
        let Some(Task::Sitemap(mut task)) = last else { return };
        self.walk.is_complete = false;
        self.find.is_deferred = true;
        self.keep_unread(task.held.take(), &task, now);
        self.events.push_back(SiteEvent::SitemapUnavailable { url: task.errand.url, retry_at: at });
    }

    /// Keeps the stored state of a sitemap that cannot be read now. One that was named but never read is tried in the next
    /// crawls.
    fn keep_unread(&mut self, held: Option<ResourceState>, task: &SitemapTask, now: UnixSeconds) {
        match held {
            Some(held) if held.was_read() => {
                self.weigh.unread.push(held.url.clone());
                self.keep(Some(held));
            }
            held => {
                if let Some(held) = held.or_else(|| task.as_named()) {
                    self.miss(held, false, now);
                }
            }
        }
    }

    /// Remembers a missing sitemap for some time. Returns since when it is missing.
    fn miss(&mut self, mut held: ResourceState, is_lasting: bool, now: UnixSeconds) -> UnixSeconds {
        let since = held.missing_since.filter(|since| *since <= now).unwrap_or(now);
        if !is_lasting && now.seconds_since(since) <= FORGET_SECS {
            held.missing_since = Some(since);
            self.missing.push(held);
        }
        since
    }

    /// Remembers a sitemap for the next crawl: its new state, or the stored one.
    fn keep(&mut self, state: Option<ResourceState>) {
        let Some(state) = state else { return };
        match self.kept.iter_mut().find(|known| known.url == state.url) {
            Some(known) => *known = state,
            None => self.kept.push(state),
        }
    }

    /// From here on pages' states follow the new responses. A crawl that is stopped must therefore not store a validator of
    /// an older response, neither this sitemap's nor that of another one, which may list the same pages.
    pub(super) fn read_anew(&mut self) {
        for known in &mut self.before {
            self.has_news |= known.has_validators();
            known.forget_validators();
        }
    }

    fn follow_sitemap(&mut self, mut task: Box<SitemapTask>, answer: Answer<'_>, now: UnixSeconds) {
        let from = task.errand.url.clone();
        match task.errand.follow(answer.url, answer.headers, &self.policy.visit) {
            Ok(()) => {}
            Err(Stray::TooMany) => return self.refuse_sitemap(*task, Refusal::TooManyRedirects, now),
            Err(_) => return self.refuse_sitemap(*task, Refusal::Redirect, now),
        }
        let to = task.errand.url.clone();
        self.named.insert(to.clone());
        task.is_lasting &= matches!(answer.status.as_u16(), 301 | 308);
        if task.is_lasting {
            task.lasting = to.clone();
            self.events.push_back(SiteEvent::SitemapMoved { from, to });
        }
        self.tasks.push_front(Task::Sitemap(task));
    }

    /// Reads a piece of the sitemap that this request asked for, as far as there is room.
    pub(super) fn read_piece(
        &mut self,
        id: RequestId,
        chunk: Option<&[u8]>,
        pages: &impl Pages,
        now: UnixSeconds,
    ) {
        let Crawl { flight, policy, counters, visits, reports, planned, events: log, named, .. } = self;
        let Some(Task::Sitemap(task)) = flight.get_mut(&id) else { return };
        let (Arrival::Arriving(reading) | Arrival::Arrived(reading)) = &mut task.arrival else { return };
        let reading = &mut **reading;
        if reading.failed.is_some() {
            return;
        }
        // The sitemap came just now.
        let planner = Planner::new(policy.plan, SitemapDate(now), now);
        let may_be_preferred = named.len() > 1 && reading.reader.may_be_v03();
        let mut sink = Sink {
            planner,
            policy,
            counters,
            planned,
            visits: &mut reading.visits,
            notes: &mut reading.notes,
            seen: &mut reading.seen,
            listed: may_be_preferred.then_some((&mut reading.listed, &mut reading.sum)),
            room: policy.max_queue.saturating_sub(visits.len().max(reports.len())).max(1),
            sitemap: reading.number,
            now,
        };
        let (url, remarks) = (&reading.url, &mut reading.remarks);
        let remark = |index, issue| {
            *remarks += 1;
            if *remarks <= MAX_REMARKS {
                log.push_back(SiteEvent::Item { url: url.clone(), index, issue });
            }
        };
        let mut before = reading.paused.take();
        let drained = match (chunk, &mut before) {
            (Some(chunk), _) => {
                let mut events = reading.reader.push(chunk);
                let drained = sink.drain(&mut events, pages, remark);
                if let Ok(true) = drained {
                    reading.paused = Some(events.pause());
                }
                drained
            }
            (None, Some(before)) => {
                let mut events = reading.reader.resume(before);
                let drained = sink.drain(&mut events, pages, remark);
                if let Ok(true) = drained {
                    let at = events.pause_again();
                    before.advance_to(at);
                    reading.paused = Some(core::mem::take(before));
                }
                drained
            }
            (None, None) => Ok(false),
        };
        match drained {
            Ok(is_full) => reading.is_spilled |= is_full,
            Err(error) => reading.failed = Some(error),
        }
        if reading.is_spilled {
            visits.append(&mut reading.visits);
            reports.extend(reading.notes.drain(..));
        }
    }

    /// Takes the end of the body.
    pub(super) fn on_body_end(&mut self, id: RequestId) {
        if let Some(Task::Sitemap(task)) = self.flight.get_mut(&id) {
            task.arrival = match core::mem::replace(&mut task.arrival, Arrival::Asked) {
                Arrival::Arriving(reading) => Arrival::Arrived(reading),
                other => other,
            };
        }
    }

    /// Continues readings that have room again, and ends those that have arrived. Returns true if
    /// something was done.
    pub(super) fn read_on(&mut self, pages: &impl Pages, now: UnixSeconds) -> bool {
        let has_room = self.visits.len().max(self.reports.len()) < self.policy.max_queue.max(1);
        let found = self.flight.iter().find_map(|(id, task)| {
            let Task::Sitemap(task) = task else { return None };
            let reading = task.reading()?;
            let is_paused = reading.paused.is_some() && reading.failed.is_none();
            let is_arrived = matches!(task.arrival, Arrival::Arrived(_));
            ((is_paused && has_room) || (!is_paused && is_arrived)).then_some((*id, is_paused))
        });
        match found {
            None => return false,
            Some((id, true)) => self.read_piece(id, None, pages, now),
            Some((id, false)) => self.finish_reading(id, now),
        }
        true
    }

    fn finish_reading(&mut self, id: RequestId, now: UnixSeconds) {
        let Some(Task::Sitemap(task)) = self.flight.remove(&id) else { return };
        let mut task = *task;
        let arrival = core::mem::replace(&mut task.arrival, Arrival::Asked);
        let (Arrival::Arriving(reading) | Arrival::Arrived(reading)) = arrival else { return };
        let mut reading = *reading;
        let has_items = reading.reader.has_items();
        let ended = match reading.failed {
            Some(error) => Err(error),
            None => reading.reader.finish(),
        };
        let number = reading.number;
        match ended {
            Ok(summary) => {
                self.visits.append(&mut reading.visits);
                self.reports.extend(reading.notes);
                self.walk.seen.merge(reading.seen);
                let is_v03 = summary.revision() == Revision::V03;
                let pages = (is_v03 && self.named.len() > 1).then_some(reading.sum);
                if is_v03 {
                    self.preferred.add(reading.listed);
                    self.preferring.push(number);
                    let before = task.held.filter(|held| held.is_v03).and_then(|held| held.pages);
                    self.weigh.confirmed += usize::from(before.is_some() && before == pages);
                }
                self.weigh.is_due = true;
                self.give_way();
                self.keep(Some(ResourceState { is_v03, pages, ..reading.state }));
                let (url, items) = (task.errand.url, summary.items);
                self.events.push_back(SiteEvent::SitemapRead { url, is_unchanged: false, items });
            }
            Err(error) => {
                self.walk.is_complete = false;
                if error.leaves_items_usable() && has_items {
                    // It is a sitemap, to be read anew: without validators.
                    self.visits.append(&mut reading.visits);
                    self.reports.extend(reading.notes);
                    self.keep(Some(reading.state.without_validators()));
                } else {
                    self.withdraw(reading.visits, number);
                    self.keep_unread(task.held.take(), &task, now);
                }
                self.events.push_back(SiteEvent::SitemapBroken { url: reading.url, error });
            }
        }
    }

    /// Ends an incomplete reading. Its visits are dropped, unless its entries count.
    fn drop_reading(&mut self, arrival: Arrival, keeps_entries: bool) {
        let (Arrival::Arriving(reading) | Arrival::Arrived(reading)) = arrival else { return };
        let mut reading = *reading;
        if keeps_entries && reading.failed.is_none_or(|error| error.leaves_items_usable()) {
            self.visits.append(&mut reading.visits);
            self.reports.extend(reading.notes);
        } else {
            self.withdraw(reading.visits, reading.number);
        }
    }

    /// Removes the visits of a sitemap that does not count, and no others.
    fn withdraw(&mut self, visits: VecDeque<PageVisit>, number: u32) {
        for visit in visits {
            self.planned.forget(visit.key());
        }
        // Those that were handed on before its end.
        let Crawl { visits, planned, .. } = self;
        visits.retain(|visit| {
            if visit.sitemap == number {
                planned.forget(visit.key());
            }
            visit.sitemap != number
        });
    }
}

/// Returns true if the endpoint contradicted the hash listed last: two sitemaps then list different hashes.
#[cold]
fn is_disputed(state: &PageState) -> bool {
    let disputed = state.held.as_ref().and_then(|held| held.history.disputed);
    disputed.is_some() && disputed == state.listed
}

/// Returns true if a 304 names another entity tag than the request.
fn names_another_tag(held: &ResourceState, answer: Answer<'_>) -> bool {
    let mut named = answer.headers.get_all(http::header::ETAG).iter();
    let own = held.etag.as_deref().and_then(|tag| EntityTag::parse(tag.as_bytes()));
    match (named.next().and_then(|tag| EntityTag::parse(tag.as_bytes())), named.next(), own) {
        (Some(named), None, Some(own)) => !named.weak_eq(&own),
        _ => false,
    }
}
