//! The site's policy descriptor: which one is fetched, what it states, and that a denial persists.
//!
//! A denial is not a flag but the statement of the last descriptor read about the crawl's purpose. So it holds in this crawl
//! and later ones until another descriptor is read; an unreadable or missing descriptor changes nothing.

use http::{HeaderMap, StatusCode};
use url::Url;

use super::task::{Answer, Errand, Task, resource_of};
use super::{Crawl, ResourceState, SiteEvent, SiteState};
use crate::discovery::{Discovery, discover_in_headers};
use crate::visit::StatusClass;
use crate::{Permission, PolicyDescriptor, Purpose, UnixSeconds};

/// Most descriptors fetched in one crawl: the next linked one is fetched only if the one before cannot be read.
const MAX_DESCRIPTORS: usize = 3;

/// A policy descriptor that is asked for.
#[derive(Debug)]
pub(super) struct PolicyTask {
    pub(super) errand: Errand,
    pub(super) held: Option<ResourceState>,
}

/// The state of the site's terms.
#[derive(Debug)]
pub(super) struct Terms {
    descriptor: PolicyDescriptor,
    purpose: Option<Purpose>,
    stage: Stage,
    /// Whether a sound twin was read, which could have linked a descriptor.
    is_twin_heard: bool,
    /// Descriptors in the order in which they are asked for, and how many of them were.
    linked: Vec<Url>,
    asked: usize,
    /// The one of `linked` that an earlier crawl read, until it is asked for.
    stored: Option<(Url, ResourceState)>,
}

#[derive(Debug)]
enum Stage {
    /// An earlier crawl read one: fetched again before the first page, or before everything else if it denies.
    Stored(Url, ResourceState),
    /// To be sent.
    Wanted(PolicyTask),
    /// Under way, or waiting for another try.
    Asked,
    /// The one that denies no longer exists: the start page may link another.
    Lost,
    /// None is linked, or none of them can be read.
    Nothing,
    Read,
}

impl Terms {
    pub(super) fn new(site: &SiteState, purpose: Option<Purpose>) -> Self {
        let descriptor = PolicyDescriptor::parse(site.policy_json.as_bytes())
            .map_or_else(|_| PolicyDescriptor::default(), |(descriptor, _)| descriptor);
        let known = site.policy.as_ref().and_then(|held| Some((Url::parse(&held.url).ok()?, held.clone())));
        let stage = known.map_or(Stage::Nothing, |(url, held)| Stage::Stored(url, held));
        let (linked, stored) = (Vec::new(), None);
        let mut terms = Terms { descriptor, purpose, stage, is_twin_heard: false, linked, asked: 0, stored };
        if terms.denial().is_some() {
            terms.ask_stored();
        }
        terms
    }

    pub(super) fn descriptor(&self) -> &PolicyDescriptor {
        &self.descriptor
    }

    /// The denial, if any: of the purpose, or of all requests.
    pub(super) fn denial(&self) -> Option<SiteEvent> {
        let purpose =
            self.purpose.filter(|purpose| self.descriptor.permission(*purpose) == Permission::Denied);
        let is_denied = purpose.is_some() || self.descriptor.asks_for_no_requests();
        is_denied.then_some(SiteEvent::Denied { purpose })
    }

    /// Returns true if a descriptor is being fetched, so that twins and their results wait.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Wanted(_) | Stage::Asked | Stage::Lost)
    }

    pub(super) fn is_wanted(&self) -> bool {
        matches!(self.stage, Stage::Wanted(_))
    }

    pub(super) fn is_lost(&self) -> bool {
        matches!(self.stage, Stage::Lost)
    }

    pub(super) fn is_stored(&self) -> bool {
        matches!(self.stage, Stage::Stored(..))
    }

    /// Whether the first sound twin may link a descriptor that is not known yet.
    pub(super) fn is_unsought(&self) -> bool {
        matches!(self.stage, Stage::Nothing) && !self.is_twin_heard
    }

    /// Whether a twin may link the descriptor that counts.
    pub(super) fn may_be_linked(&self) -> bool {
        matches!(self.stage, Stage::Nothing) && self.linked.len() < MAX_DESCRIPTORS
    }

    pub(super) fn want(&mut self, task: PolicyTask) {
        self.stage = Stage::Wanted(task);
    }

    /// Wants the descriptor that an earlier crawl read, or before it the one that the site links now: it may have moved.
    pub(super) fn ask_stored(&mut self) {
        match core::mem::replace(&mut self.stage, Stage::Asked) {
            Stage::Stored(url, held) => {
                let place = usize::from(self.linked.first().is_some_and(|first| *first != url));
                self.linked.retain(|linked| *linked != url);
                self.linked.insert(place, url.clone());
                self.linked.truncate(MAX_DESCRIPTORS);
                self.stored = Some((url, held));
                self.ask_next();
            }
            other => self.stage = other,
        }
    }

    pub(super) fn take(&mut self) -> Option<Task> {
        match core::mem::replace(&mut self.stage, Stage::Asked) {
            Stage::Wanted(task) => Some(Task::Policy(task)),
            other => {
                self.stage = other;
                None
            }
        }
    }

    /// Takes a sound twin: if it linked no descriptor, the crawl stops waiting for one.
    pub(super) fn twin_answered(&mut self) {
        self.is_twin_heard = true;
    }

    /// Adds the first descriptor of the site's own origin that is linked.
    pub(super) fn add(&mut self, found: &Discovery, site: &Url) {
        if matches!(self.stage, Stage::Read) || self.linked.len() >= MAX_DESCRIPTORS {
            return;
        }
        let Some(url) = found.policies.iter().find(|url| url.origin() == site.origin()) else { return };
        if !self.linked.contains(url) {
            self.linked.push(url.clone());
        }
        if matches!(self.stage, Stage::Nothing | Stage::Lost) {
            self.ask_next();
        }
    }

    /// Wants the next descriptor. Returns false where there is none.
    fn ask_next(&mut self) -> bool {
        let Some(url) = self.linked.get(self.asked).cloned() else { return false };
        self.asked += 1;
        let held = self.stored.take_if(|(stored, _)| *stored == url).map(|(_, held)| held);
        self.stage = Stage::Wanted(PolicyTask { errand: Errand::to(url), held });
        true
    }
}

impl Crawl {
    /// Adds the policy that a response links.
    pub(super) fn note_links(&mut self, url: &Url, headers: &HeaderMap) {
        if headers.contains_key(http::header::LINK) {
            let found = discover_in_headers(url, headers);
            self.terms.add(&found, self.start.as_url());
        }
    }

    pub(super) fn on_policy(&mut self, mut task: PolicyTask, answer: Answer<'_>, now: UnixSeconds) {
        let class = StatusClass::of(answer.status);
        if !self.is_own(&task.errand.url, answer.url) {
            return self.policy_failed(&task, None);
        }
        match class {
            StatusClass::Ok => match PolicyDescriptor::parse(answer.body) {
                Ok((descriptor, _)) => {
                    let url = task.errand.url;
                    self.site.policy = Some(resource_of(&url, answer.headers, now));
                    self.site.policy_json = String::from_utf8_lossy(answer.body).into_owned();
                    self.terms.descriptor = descriptor;
                    self.policy_known(url);
                }
                Err(_) => self.policy_failed(&task, None),
            },
            StatusClass::NotModified
                if task.held.as_ref().is_some_and(|held| held.speaks_for(&task.errand.url)) =>
            {
                self.site.policy = task.held.map(|held| ResourceState { validated_at: now, ..held });
                self.policy_known(task.errand.url);
            }
            StatusClass::Redirect => {
                match task.errand.follow(answer.url, answer.headers, &self.policy.visit) {
                    Ok(()) => {
                        // A tag speaks for the URL that it came from.
                        task.held = None;
                        self.terms.want(task);
                    }
                    Err(_) => self.policy_failed(&task, None),
                }
            }
            StatusClass::Busy => {
                let at = self.retry_at(Some(answer.headers), now);
                self.policy_later(task, at, now);
            }
            _ => self.policy_failed(&task, Some(answer.status)),
        }
    }

    /// Tries again at `at`.
    pub(super) fn policy_later(&mut self, task: PolicyTask, at: UnixSeconds, now: UnixSeconds) {
        self.terms.stage = Stage::Asked;
        if let Some(Task::Policy(task)) = self.try_again(Task::Policy(task), at, now) {
            self.policy_withheld(&task);
        }
    }

    /// Asks for the next descriptor where the stored one is still to be asked for, or none was ever read. Otherwise the last
    /// one read still counts.
    pub(super) fn policy_withheld(&mut self, task: &PolicyTask) {
        self.events.push_back(SiteEvent::PolicyUnreadable { url: task.errand.url.clone() });
        let is_known = self.site.policy.is_some();
        if (is_known && self.terms.stored.is_none()) || !self.terms.ask_next() {
            self.terms.stage = if is_known { Stage::Read } else { Stage::Nothing };
        }
        self.obey();
    }

    /// Without a readable policy nothing is stated (TCT-POL-8), unless the last one read denies.
    pub(super) fn policy_failed(&mut self, task: &PolicyTask, status: Option<StatusCode>) {
        self.events.push_back(SiteEvent::PolicyUnreadable { url: task.errand.url.clone() });
        let is_denied = self.terms.denial().is_some();
        if !is_denied && self.terms.stored.is_none() {
            self.site.policy = None;
            self.site.policy_json.clear();
            self.terms.descriptor = PolicyDescriptor::default();
        }
        let is_gone = matches!(status, Some(StatusCode::NOT_FOUND | StatusCode::GONE));
        if !self.terms.ask_next() {
            let may_seek = is_denied && is_gone && !self.find.is_start_asked();
            self.terms.stage = if may_seek { Stage::Lost } else { Stage::Nothing };
        }
        self.obey();
    }

    fn policy_known(&mut self, url: Url) {
        self.has_news = true;
        self.terms.stage = Stage::Read;
        self.events.push_back(SiteEvent::Policy { url });
        self.obey();
    }

    /// Takes the end of a search for another descriptor.
    pub(super) fn start_was_asked(&mut self) {
        if self.terms.is_lost() {
            self.terms.stage = Stage::Nothing;
        }
        self.obey();
    }

    /// Ends the crawl if the policy denies the purpose or all requests: nothing more is sent, and outstanding answers do not
    /// count.
    fn obey(&mut self) {
        if self.terms.is_open() {
            return;
        }
        let Some(denial) = self.terms.denial() else { return };
        self.events.push_back(denial);
        self.visits.clear();
        self.answered.clear();
        self.aside.clear();
        self.reports.clear();
        self.later.clear();
        self.tasks.clear();
        self.sitemaps.clear();
        for task in self.flight.values_mut() {
            *task = Task::Void(task.url().clone());
        }
    }
}
