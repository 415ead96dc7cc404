//! Stores for the driver: a page's report and its body in one transaction, with the output line.

use std::borrow::Cow;
use std::sync::Arc;

use http::StatusCode;
use signals::Signals;
use tct::cache::CacheControl;
use tct::crawl::{BodyChange, PageEvent, SiteEvent};
use tct::{Outcome, PageReport, PageState, SiteState};
use tct_tower::{CrawlStore, StoredPage};

use super::{Answer, Shared, Visit, refused_secs};
use crate::output::Line;
use crate::site::Setback;
use crate::steps::page::is_page;
use crate::steps::start::Front;
use crate::steps::{barrier, failed, fresh_until, kept, passed, stored, terms, usage};
use crate::store::{Entry, Kind, PageRecord, Said};
use crate::writer::Changes;
use crate::{Crawl, clock};

/// Most reasons for refused twins that have a line of their own.
const MAX_REASONS: usize = 20;

/// The twins of a site, as the store has them.
pub(super) struct Twins<'s, 'v> {
    pub(super) shared: &'s Shared<'v>,
    pub(super) crawl: Arc<Crawl>,
    pub(super) site: String,
}

impl CrawlStore for Twins<'_, '_> {
    type Error = Setback;

    fn page(&self, key: &str) -> Result<Option<Cow<'_, PageState>>, Setback> {
        let record = self.crawl.store.page(&self.site, key)?;
        Ok(record.map(|record| Cow::Owned(record.state)))
    }

    fn after(&self, key: &str) -> Result<Option<StoredPage<'_>>, Setback> {
        let found = self.crawl.store.pages(&self.site)?.next_after(key)?;
        Ok(found.map(|(key, record)| (Cow::Owned(key), Cow::Owned(record.state))))
    }

    fn count(&self) -> Result<u64, Setback> {
        Ok(self.crawl.store.pages(&self.site)?.count()?)
    }

    async fn store(&mut self, report: PageReport) -> Result<(), Setback> {
        let mut visit = self.shared.visit.lock().await;
        let changes = visit.take(report).await?;
        Ok(visit.visitor.commit(changes).await?)
    }

    async fn store_site(&mut self, site: SiteState) -> Result<(), Setback> {
        let mut visit = self.shared.visit.lock().await;
        visit.visitor.record.tct = site;
        Ok(visit.visitor.commit(Changes::default()).await?)
    }

    fn event(&mut self, event: SiteEvent) {
        // Nobody holds the lock while the driver tells something.
        if let Ok(mut visit) = self.shared.visit.try_lock() {
            visit.note(&event);
        }
    }
}

impl Visit<'_> {
    /// What a page's report means for the store.
    async fn take(&mut self, mut report: PageReport) -> Result<Changes, Setback> {
        let key = report.key.clone();
        let before = self.visitor.crawl.store.page(&self.visitor.site, &key)?;
        let answer = self.answers.remove(&key).unwrap_or_default();
        let state = report.state.take();
        let known = state.as_ref().or(before.as_ref().map(|before| &before.state));
        let Some(page) = known.map(|state| state.c_url.clone()) else { return Ok(Changes::default()) };
        let held_at = before.as_ref().map_or_else(|| page.clone(), |before| before.state.c_url.clone());
        let is_unlisted = state.as_ref().is_some_and(|state| state.unlisted_since.is_some());
        let said = before.as_ref().and_then(|before| before.said.clone());
        let mut record = state.map(|state| PageRecord { state, last: String::new(), said: said.clone() });
        let PageEvent::Visited(outcome) = &report.event else {
            let last = before.map(|before| before.last).unwrap_or_default();
            let record = record.map(|record| PageRecord { last, ..record });
            let lines = match report.event {
                PageEvent::Unlisted => vec![Line::Unlisted { url: page }],
                _ => Vec::new(),
            };
            return Ok(Changes { pages: vec![(key, record)], lines, ..Changes::default() });
        };
        if let Some(record) = &mut record {
            outcome.name().clone_into(&mut record.last);
        }
        let was_gone = before.as_ref().is_some_and(PageRecord::is_gone);
        let mut changes = match outcome {
            Outcome::Store { held, payload, problems, disagreement, .. } => {
                let (mut usage, licences) = match &answer.head {
                    Some(head) => {
                        // Licences that the response names may stand in files of their own.
                        terms::refresh_for(self.visitor, head, None).await?;
                        usage::of_response(&self.visitor.record, head, None)
                    }
                    None => Default::default(),
                };
                self.page_itself(&page)?.into_iter().for_each(|said| usage::add_page(&mut usage, said));
                let entry = Entry {
                    kind: Kind::Twin,
                    source: key.clone(),
                    others: Vec::new(),
                    held: held.clone(),
                    fresh_until: answer.fresh_until(),
                    title: payload.title().as_untrusted_str().to_owned(),
                    usage,
                    licences: Some(licences),
                    follows_links: false,
                };
                if let Some(why) = usage::refusal_of(self.visitor, &entry) {
                    self.give_up(&key, record, passed(&page, "usage", why))
                } else {
                    let problems = problems.iter().map(ToString::to_string);
                    let findings = problems.chain(disagreement.map(|what| what.to_string())).collect();
                    let BodyChange::Store(body) = report.body() else { return Ok(Changes::default()) };
                    if let Some(record) = &mut record {
                        record.said = Some(Said::of(&entry));
                    }
                    let changes = stored(&page, entry, body.to_vec(), findings);
                    Changes { pages: vec![(key, record)], ..changes }
                }
            }
            Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => {
                match self.visitor.crawl.store.entry(&held_at)? {
                    // Another twin of the page may have been stored since.
                    Some(mut entry) if entry.source == key || entry.others.contains(&key) => {
                        // The entry may show another twin: what is said here is about this one's text.
                        let is_shown = entry.source == key;
                        let is_known = is_shown || said.is_some();
                        let mut own = match said.filter(|_| !is_shown) {
                            Some(said) => Entry { source: key.clone(), ..said.on(&entry) },
                            None => entry.clone(),
                        };
                        let refused = self.refused_again(&page, &mut own, &answer).await?;
                        if let Some(record) = record.as_mut().filter(|_| is_known) {
                            record.said = Some(Said::of(&own));
                        }
                        if is_shown {
                            entry = Entry { held: held.clone(), fresh_until: answer.fresh_until(), ..own };
                        }
                        match refused {
                            Some(told) => self.give_up(&key, record, told),
                            None => Changes { pages: vec![(key, record)], ..kept(&page, entry) },
                        }
                    }
                    // From now on nothing is, so that the next crawl fetches it.
                    _ => {
                        if let Some(record) = &mut record {
                            record.state.held = None;
                        }
                        let changes = failed(&page, "not-held", "the server confirmed what is not held");
                        Changes { pages: vec![(key, record)], ..changes }
                    }
                }
            }
            // Nothing is held, so the page is read as HTML: one line for all such pages, and no failure.
            Outcome::Refuse { .. }
                if answer.failure.is_none() && record.as_ref().is_some_and(PageRecord::needs_html) =>
            {
                self.note_refused(&page, outcome.to_string());
                Changes { pages: vec![(key, record)], ..Changes::default() }
            }
            outcome => {
                let changes = without_body(&page, &key, outcome, &answer);
                Changes { pages: vec![(key, record)], ..changes }
            }
        };
        let records = || changes.pages.iter().filter_map(|(_, record)| record.as_ref());
        if records().all(|record| record.state.held.is_none()) {
            changes.forgotten = vec![(held_at, report.key)];
        } else if held_at != page {
            changes.moved = Some((held_at, page.clone(), report.key));
        }
        let is_gone =
            matches!(outcome, Outcome::Gone) || (is_unlisted && matches!(outcome, Outcome::NotFound));
        if is_gone && !was_gone {
            changes.lines = vec![Line::Gone { url: page, status: answer.status() }];
        }
        Ok(changes)
    }

    /// What the page of a twin says of its own use, where it was read: in this crawl as the start, or before it had a twin.
    fn page_itself(&self, page: &str) -> Result<Vec<Signals>, Setback> {
        let held = self.visitor.crawl.store.entry(page)?.filter(|entry| entry.kind == Kind::Document);
        let mut said: Vec<Signals> = held.into_iter().map(|entry| entry.usage).collect();
        if let Front::Came(work, exchange) = &self.front
            && work.url.as_str() == page
            && exchange.status == StatusCode::OK
            && is_page(&exchange.headers)
        {
            said.push(usage::of_response(&self.visitor.record, exchange, Some(&exchange.body)).0);
        }
        Ok(said)
    }

    /// Why a text is held no more that was confirmed: what the fields of the answer say counts as if they had come with it.
    async fn refused_again(
        &mut self,
        page: &str,
        entry: &mut Entry,
        answer: &Answer,
    ) -> Result<Option<Changes>, Setback> {
        let Some(head) = &answer.head else { return Ok(None) };
        terms::refresh_for(self.visitor, head, None).await?;
        usage::add_fields(&self.visitor.record, entry, head);
        self.page_itself(page)?.into_iter().for_each(|said| usage::add_page(&mut entry.usage, said));
        if !CacheControl::of(&head.headers).may_store_privately() {
            return Ok(Some(passed(page, "no-store", "the response asks not to be kept")));
        }
        Ok(usage::refusal_of(self.visitor, entry).map(|why| passed(page, "usage", why)))
    }

    /// The site does not want the text to be used: nothing of it is held, and it is asked about again in a week, or when
    /// its hash changes.
    fn give_up(&self, key: &str, record: Option<PageRecord>, told: Changes) -> Changes {
        let mut record = record.unwrap_or_default();
        let later = refused_secs(&self.visitor.crawl.options);
        record.refuse_use(Some(clock::seconds().saturating_add(later)));
        Changes { pages: vec![(key.to_owned(), Some(record))], ..told }
    }

    /// Counts a refused twin under its reason.
    fn note_refused(&mut self, page: &str, why: String) {
        let is_new = !self.refused.contains_key(&why);
        let why = if is_new && self.refused.len() >= MAX_REASONS { "other reasons".to_owned() } else { why };
        let (twins, _) = self.refused.entry(why).or_insert_with(|| (0, page.to_owned()));
        *twins += 1;
    }

    /// Reports the refused twins, a line for each reason.
    pub(super) fn tell_refused(&mut self) {
        for (why, (twins, first)) in std::mem::take(&mut self.refused) {
            let why = format!("{why}; the pages are read as HTML");
            let site = self.visitor.site.clone();
            self.visitor.tell(Line::TwinsRefused { site, twins, first, why });
        }
    }

    /// Reports an event of the site.
    fn note(&mut self, event: &SiteEvent) {
        let line = match event {
            SiteEvent::SitemapRead { url, is_unchanged, items, .. } => {
                self.sitemaps += 1;
                let state = if *is_unchanged { "unchanged" } else { "read" };
                Line::Sitemap { url: url.to_string(), state, items: Some(*items), why: String::new() }
            }
            SiteEvent::Policy { .. } => {
                let policy = self.visitor.record.policy();
                Line::Policy {
                    site: self.visitor.site.clone(),
                    usage: usage::of_policy(&policy),
                    rates: usage::Rates::of(&policy),
                }
            }
            SiteEvent::Denied { purpose } => {
                self.is_denied = true;
                let why = match purpose {
                    Some(_) => {
                        format!("the site's policy does not allow {}", self.visitor.crawl.options.purpose)
                    }
                    None => "the site's policy asks for no requests at all".to_owned(),
                };
                Line::Passed { url: self.visitor.origin.to_string(), why: "policy", detail: why }
            }
            SiteEvent::NoSitemap { has_twin } => {
                let why = why_nothing(*has_twin, self.visitor.crawl.options.probe, &self.missing);
                Line::NoTwins { site: self.visitor.site.clone(), why }
            }
            SiteEvent::SiteUnavailable { is_withheld: true, .. } => {
                self.front = Front::Withheld(self.front_work());
                return;
            }
            SiteEvent::SiteUnavailable { status, .. } => {
                if let (Front::Came(work, _), Some(status @ (408 | 425 | 429 | 500..))) =
                    (&self.front, status)
                {
                    let (work, detail) = (work.clone(), format!("status {status}"));
                    self.front = Front::Failed(work, "busy", detail, self.tries);
                }
                return;
            }
            // The page of the start says the same.
            SiteEvent::SiteMoved { .. } => return,
            event => {
                let (state, url) = match event {
                    SiteEvent::Item { url, .. } => ("item", url),
                    SiteEvent::SitemapMoved { from, .. } => ("moved", from),
                    SiteEvent::SitemapBroken { url, .. } => ("broken", url),
                    SiteEvent::SitemapRefused { url, .. } => ("refused", url),
                    SiteEvent::SitemapMissing { url, .. } => ("missing", url),
                    SiteEvent::SitemapUnavailable { url, .. } => ("unavailable", url),
                    SiteEvent::PolicyUnreadable { url } => ("policy-unreadable", url),
                    _ => return,
                };
                let (mut why, prefix) = (event.detail(), format!("{url}: "));
                // The session was told that there was no answer; here it is known why.
                if let Some(known) = self.missing.iter().rfind(|known| known.starts_with(&prefix)) {
                    known.get(prefix.len()..).unwrap_or_default().clone_into(&mut why);
                } else {
                    self.missing.push(format!("{prefix}{why}"));
                }
                Line::Sitemap { url: url.to_string(), state, items: None, why }
            }
        };
        self.visitor.tell(line);
    }
}

impl Answer {
    /// The status; 0 without a response.
    fn status(&self) -> u16 {
        self.head.as_ref().map_or(0, |head| head.status.as_u16())
    }

    fn fresh_until(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| fresh_until(&head.headers))
    }
}

/// Why a visit brought no body to keep.
fn without_body(page: &str, twin: &str, outcome: &Outcome, answer: &Answer) -> Changes {
    let status = answer.status();
    match outcome {
        Outcome::Refuse { .. } => {
            let because = answer.failure.as_ref().map(|error| format!("{}: {error}", error.kind().code()));
            failed(page, "refused-twin", because.unwrap_or_else(|| outcome.to_string()))
        }
        Outcome::UseOnce { .. } => passed(page, "no-store", "the response asks not to be kept"),
        Outcome::NotFound => passed(page, "not-found", twin),
        Outcome::Gone => passed(page, "gone", twin),
        // Without a response it was not asked for.
        Outcome::Forbidden if status == 0 => passed(page, "robots", twin),
        Outcome::Forbidden => passed(page, barrier(status), format!("status {status}")),
        outcome => match &answer.failure {
            Some(error) => failed(page, error.kind().code(), error.to_string()),
            None => failed(page, "busy", format!("status {status}: {outcome}")),
        },
    }
}

/// What was looked at, where a site has no twins to be found.
fn why_nothing(has_twin: bool, has_probed: bool, missing: &[String]) -> String {
    let mut why = match has_twin {
        true => "the start page has a twin, but nothing names a sitemap".to_owned(),
        false => {
            "the start page links neither a JSON sitemap nor a twin that confirms, and robots.txt names none"
                .to_owned()
        }
    };
    match has_probed || has_twin {
        true => why.push_str("; the usual places have none"),
        false => why.push_str("; the usual places were not tried (--probe)"),
    }
    for reason in missing.iter().take(5) {
        why.push_str("; ");
        why.push_str(reason);
    }
    why
}
