//! What a site says: robots.txt, terms of use, sitemaps of twins. Asked for when the copy in the store has had its time.

use std::collections::BTreeMap;
use std::time::Duration;

use crawler::client::{Exchange, Request};
use crawler::clock;
use crawler::limits::BodyLimit;
use http::header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};
use robots::{Access, ParseOptions, Preferences, RequestPath, RetryAfter, RobotsAction, RobotsResponse};
use signals::{Purpose, RslState, Signals, TctPolicy, TdmRep, UseDecision, decide};
use tct::cache::CacheControl;
use tct::discovery::SitemapSearch;
use tct::{Discovery, Permission, PolicyDescriptor, SitemapEvent, SitemapReader, UrlPolicy};
use url::Url;

use crate::answers::{ReadAs, ReasonEntry};
use crate::net::{Errand, PRODUCT, shown_url};
use crate::store::{ListedRecord, Said, SiteRecord, SitemapRecord, SmallFile};
use crate::trouble::{Trouble, TroubleKind, quoted};

/// Files of terms are asked for again after so many seconds.
pub(crate) const DAY: u64 = 86_400;
/// The longest file of terms, in bytes.
const MAX_TERMS: usize = 1 << 20;
/// Files of one site that are kept, beside its policies.
const MAX_FILES: usize = 32;
/// Addresses of sitemaps, and of policies, that pages link and that are kept.
const MAX_LINKED: usize = 16;
/// Sitemaps of one site that are read.
const MAX_SITEMAPS: usize = 8;
/// Pages of one sitemap that are kept.
const MAX_LISTED: usize = 50_000;

/// Whether a stored time is less than so many seconds ago. One in the future is of a clock that ran ahead, and counts for
/// nothing.
pub(crate) fn is_within(at: u64, secs: u64) -> bool {
    clock::seconds().0.checked_sub(at).is_some_and(|age| age < secs)
}

/// The origin of a URL as text: the key of its site.
#[must_use]
pub fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// A URL as a key: without its fragment.
#[must_use]
pub fn key_of(url: &Url) -> String {
    let mut key = url.clone();
    key.set_fragment(None);
    key.into()
}

impl Errand<'_> {
    /// What is known of the site of this URL, with a robots.txt that may be used.
    ///
    /// # Errors
    /// If robots.txt cannot be reached, and nothing may be fetched before it can.
    pub async fn site(&mut self, url: &Url) -> Result<SiteRecord, Trouble> {
        let origin = origin_of(url);
        let _turn = self.agent.turn(&format!("site {origin}")).await;
        let before = self.agent.store.site(&origin)?;
        let mut record = before.clone();
        self.refresh_robots(url, &mut record).await?;
        if !is_within(record.used_at, 3600) {
            record.used_at = clock::seconds().0;
        }
        if record != before {
            record = self.agent.store.update_site(&origin, |site| {
                site.robots = record.robots;
                site.used_at = record.used_at;
            })?;
        }
        let (access, rules) = record.robots.access(clock::instant());
        self.set_crawl_delay(url, rules.and_then(|rules| rules.crawl_delay(PRODUCT)));
        if access == Access::DisallowAll && !self.agent.is_own_site(url) {
            return Err(unreached(&origin));
        }
        Ok(record)
    }

    async fn refresh_robots(&mut self, url: &Url, record: &mut SiteRecord) -> Result<(), Trouble> {
        let mut at: Option<Url> = None;
        loop {
            let now = clock::instant();
            let next = match record.robots.next_action(now) {
                RobotsAction::Use { .. } => return Ok(()),
                RobotsAction::Fetch => url.join("/robots.txt").ok(),
                RobotsAction::Follow(location) => at
                    .as_ref()
                    .unwrap_or(url)
                    .join(location)
                    .ok()
                    .filter(|next| self.agent.check(next).is_ok()),
            };
            let Some(next) = next else {
                // A redirect to where nothing is fetched leads to no rules.
                let nowhere = RobotsResponse { status: 302, ..RobotsResponse::default() };
                record.robots.on_response(&nowhere, now);
                continue;
            };
            let limit = BodyLimit::Cut(ParseOptions::MAX_BYTES + 1);
            match self.send(Request::get(next.clone(), limit)).await {
                Ok(exchange) => {
                    let now = clock::instant();
                    let fields =
                        exchange.headers.get_all(RETRY_AFTER).iter().filter_map(|value| value.to_str().ok());
                    let max_age = CacheControl::of(&exchange.headers).max_age_secs;
                    let response = RobotsResponse {
                        status: exchange.status.as_u16(),
                        location: exchange.field(LOCATION),
                        body: &exchange.body,
                        max_age: max_age.map(Duration::from_secs),
                        retry_after: RetryAfter::parse(fields, exchange.field("date"), now),
                    };
                    record.robots.on_response(&response, now);
                }
                // Its own word says more than that robots.txt cannot be reached.
                Err(trouble) if matches!(trouble.kind(), TroubleKind::Busy | TroubleKind::Address) => {
                    return Err(trouble);
                }
                Err(trouble) => {
                    // Not written down: a network that failed for a moment would close the site for ten minutes, and each
                    // call asks for robots.txt before all else.
                    if record.robots.access(clock::instant()).1.is_none() {
                        return Err(trouble);
                    }
                    record.robots.on_response(&RobotsResponse::default(), clock::instant());
                }
            }
            at = Some(next);
        }
    }

    /// Refuses a URL that the site's robots.txt closes, unless the site is the user's own; a note says so then. What is held of
    /// it is forgotten.
    ///
    /// # Errors
    /// `Robots`, with the line; `Network` where robots.txt is not known.
    pub fn allowed(&mut self, record: &SiteRecord, url: &Url) -> Result<(), Trouble> {
        let decision = record.robots.decide(PRODUCT, url, clock::instant());
        if decision.is_allowed() {
            return Ok(());
        }
        let reason = match decision.rule() {
            Some(rule) => {
                let pattern = quoted(&rule.pattern.escape_ascii().to_string());
                format!("`Disallow: {pattern}` (line {})", rule.line)
            }
            None => format!("`{}`", decision.reason()),
        };
        let why = format!("{} says {reason}", robots_url(url));
        if self.agent.is_own_site(url) {
            self.step(format!("robots.txt forbids it, and the user answers for this site: {why}"));
            return Ok(());
        }
        if decision.rule().is_none() {
            return Err(unreached(&origin_of(url)));
        }
        let trouble = Trouble::new(
            TroubleKind::Robots,
            format!("{} is not read", shown_url(url)),
            why,
            "use another page, or ask the user, who can start `aiweb mcp --own-site` for a site of his own",
        );
        Err(self.forgotten(url, ReadAs::Auto, trouble))
    }

    /// Notes where a response of the site says that sitemaps and policies are; the latest word counts first.
    ///
    /// # Errors
    /// Those of the store.
    pub fn learn(&self, url: &Url, site: &mut SiteRecord, found: &Discovery) -> Result<(), Trouble> {
        // What another site says of sitemaps and policies is not this site's word.
        let of_site = |urls: &[Url]| -> Vec<String> {
            urls.iter().filter(|found| found.origin() == url.origin()).take(4).map(Url::to_string).collect()
        };
        let (sitemaps, policies) = (of_site(&found.sitemaps), of_site(&found.policies));
        if site.linked_sitemaps.starts_with(&sitemaps) && site.policies.starts_with(&policies) {
            return Ok(());
        }
        let first = |mut urls: Vec<String>, known: &mut Vec<String>| {
            known.retain(|known| !urls.contains(known));
            urls.append(known);
            *known = urls;
        };
        *site = self.agent.store.update_site(&origin_of(url), |site| {
            first(sitemaps, &mut site.linked_sitemaps);
            site.linked_sitemaps.truncate(MAX_LINKED);
            first(policies, &mut site.policies);
            // The one that counts stays, however many were linked since and not read.
            let is_read = |policy: &String| site.files.get(policy).is_some_and(|file| file.text.is_some());
            if let Some(at) = site.policies.iter().position(is_read).filter(|at| *at >= MAX_LINKED) {
                site.policies.swap(MAX_LINKED - 1, at);
            }
            for policy in site.policies.drain(site.policies.len().min(MAX_LINKED)..) {
                site.files.remove(&policy);
            }
        })?;
        Ok(())
    }

    /// Asks for what speaks of the whole site, `tdmrep.json`, policies, and the licences that robots.txt names, and for
    /// more licences.
    ///
    /// A policy that denies or asks for something does so until another descriptor is read, also behind 404 and 410; what
    /// it allowed is unstated as soon as it cannot be read. The other files deny by themselves where they cannot be read.
    ///
    /// # Errors
    /// If the site wants to be left alone.
    pub async fn refresh_terms(
        &mut self,
        url: &Url,
        record: &mut SiteRecord,
        more: &[Url],
    ) -> Result<(), Trouble> {
        let mut wanted: Vec<Url> = url.join("/.well-known/tdmrep.json").into_iter().collect();
        wanted.extend(licences_of_site(record));
        wanted.extend(record.policies.iter().filter_map(|policy| Url::parse(policy).ok()));
        wanted.extend(more.iter().cloned());
        for file in wanted {
            let is_policy = record.policies.iter().any(|policy| policy == file.as_str());
            let known = record.files.get(file.as_str());
            if file.origin() != url.origin()
                || known.is_some_and(|known| is_within(known.asked_at, DAY))
                || record.robots.decide(PRODUCT, &file, clock::instant()).is_disallowed()
                // A licence that is not read is a no; a policy would be none.
                || (record.files.len() >= MAX_FILES && known.is_none() && !is_policy)
            {
                continue;
            }
            let (status, text) =
                match self.send(Request::get(file.clone(), BodyLimit::Refuse(MAX_TERMS))).await {
                    Ok(exchange) if exchange.status == StatusCode::OK => {
                        (200, String::from_utf8(exchange.body).ok())
                    }
                    Ok(exchange) => (exchange.status.as_u16(), None),
                    Err(trouble) if trouble.kind() == TroubleKind::Busy => return Err(trouble),
                    Err(_) => (0, None),
                };
            let is_read = |text: &String| PolicyDescriptor::parse(text.as_bytes()).is_ok();
            let mut answer = SmallFile { text, status, asked_at: clock::seconds().0 };
            *record = self.agent.store.update_site(&origin_of(url), |site| {
                let held = site.files.entry(file.into()).or_default();
                if is_policy && !answer.text.as_ref().is_some_and(is_read) {
                    (answer.text, answer.status) = (held.text.take(), 0);
                }
                *held = answer;
            })?;
        }
        Ok(())
    }

    /// Sees to it that the site's sitemaps of twins are no older than the trust window.
    ///
    /// # Errors
    /// If the site wants to be left alone.
    pub async fn refresh_sitemaps(
        &mut self,
        url: &Url,
        record: &mut SiteRecord,
        probes: bool,
    ) -> Result<(), Trouble> {
        let origin = origin_of(url);
        let _turn = self.agent.turn(&format!("sitemaps {origin}")).await;
        // Another call may have done it meanwhile.
        *record = self.agent.store.site(&origin)?;
        if !is_within(record.searched_at, DAY) {
            record.not_sitemaps.clear();
            record.searched_at = clock::seconds().0;
        }
        let (_, rules) = record.robots.access(clock::instant());
        let lines: Vec<String> =
            rules.into_iter().flat_map(robots::Robots::sitemaps).map(str::to_owned).collect();
        let mut search = SitemapSearch::default().with_robots_lines(lines.iter().map(String::as_str));
        if probes && record.sitemaps.is_empty() {
            search = search.with_well_known().with_conventional_path();
        }
        let mut linked = Discovery::default();
        linked.sitemaps = record.linked_sitemaps.iter().filter_map(|text| Url::parse(text).ok()).collect();
        let home = url.join("/").map_err(|error| bad_url(&error))?;
        let candidates = search.candidates(&home, &linked);
        let known: Vec<Url> =
            record.sitemaps.iter().filter_map(|sitemap| Url::parse(&sitemap.url).ok()).collect();
        let mut all: Vec<Url> = known;
        for candidate in candidates {
            if !all.contains(&candidate) && !record.not_sitemaps.contains(&candidate.to_string()) {
                all.push(candidate);
            }
        }
        for sitemap in all.into_iter().filter(|found| found.origin() == url.origin()).take(MAX_SITEMAPS) {
            self.refresh_sitemap(&origin, &sitemap, record).await?;
        }
        *record = self.agent.store.update_site(&origin, |site| {
            site.sitemaps.clone_from(&record.sitemaps);
            site.not_sitemaps.clone_from(&record.not_sitemaps);
            site.searched_at = record.searched_at;
        })?;
        Ok(())
    }

    async fn refresh_sitemap(
        &mut self,
        origin: &str,
        url: &Url,
        record: &mut SiteRecord,
    ) -> Result<(), Trouble> {
        let known = record.sitemaps.iter().position(|known| known.url == url.as_str());
        let held = known.and_then(|at| record.sitemaps.get(at));
        if held.is_some_and(|held| is_within(held.confirmed_at, self.agent.options.trust_secs)) {
            return Ok(());
        }
        if record.robots.decide(PRODUCT, url, clock::instant()).is_disallowed() {
            return Ok(());
        }
        let mut headers = HeaderMap::new();
        if let Some(held) = held {
            let fields = [(IF_NONE_MATCH, &held.etag), (IF_MODIFIED_SINCE, &held.last_modified)];
            for (name, value) in fields {
                // A date is not looked at beside a tag.
                if let Some(value) = value.as_ref().and_then(|value| HeaderValue::try_from(value).ok())
                    && headers.is_empty()
                {
                    headers.insert(name, value);
                }
            }
        }
        let limit = BodyLimit::Refuse(self.agent.options.limits.sitemap_bytes);
        let exchange = match self.send(Request { headers, ..Request::get(url.clone(), limit) }).await {
            Ok(exchange) => exchange,
            Err(trouble) if trouble.kind() == TroubleKind::Busy => return Err(trouble),
            Err(_) => return Ok(()),
        };
        let now = clock::seconds().0;
        match (exchange.status, known) {
            (StatusCode::NOT_MODIFIED, Some(at)) => {
                if let Some(held) = record.sitemaps.get_mut(at) {
                    held.confirmed_at = now;
                }
            }
            (StatusCode::OK, _) => match read_sitemap(url, &exchange.body) {
                Some(pages) => {
                    self.step(format!("  a sitemap of {} twins", pages.len()));
                    self.agent.store.put_listed(origin, url.as_str(), &pages)?;
                    let sitemap = SitemapRecord {
                        url: url.to_string(),
                        etag: exchange.field(ETAG).map(str::to_owned),
                        last_modified: exchange.field(LAST_MODIFIED).map(str::to_owned),
                        confirmed_at: now,
                    };
                    match known.and_then(|at| record.sitemaps.get_mut(at)) {
                        Some(held) => *held = sitemap,
                        None => record.sitemaps.push(sitemap),
                    }
                }
                None if known.is_none() => record.not_sitemaps.push(url.to_string()),
                None => {}
            },
            (StatusCode::NOT_FOUND | StatusCode::GONE, Some(at)) => {
                self.agent.store.put_listed(origin, url.as_str(), &BTreeMap::new())?;
                record.sitemaps.remove(at);
                record.not_sitemaps.push(url.to_string());
            }
            (_, None) => record.not_sitemaps.push(url.to_string()),
            (_, Some(_)) => {}
        }
        record.not_sitemaps.truncate(MAX_FILES);
        Ok(())
    }
}

/// The pages that a file lists; `None` where it is not a sitemap.
fn read_sitemap(url: &Url, body: &[u8]) -> Option<BTreeMap<String, ListedRecord>> {
    let mut reader = SitemapReader::new(url);
    let mut pages: BTreeMap<String, ListedRecord> = BTreeMap::new();
    {
        let mut events = reader.push(body);
        while let Some(event) = events.next().ok()? {
            let SitemapEvent::Item(item) = event else { continue };
            let Ok(page) = item.page(&UrlPolicy::default()) else { continue };
            if pages.len() < MAX_LISTED {
                let record = ListedRecord {
                    m_url: item.m_url.to_owned(),
                    hash: item.hash,
                    modified: item.modified.or(item.last_modified).map(str::to_owned),
                    sitemaps: Vec::new(),
                };
                let known = pages.entry(key_of(page.as_url()));
                known.and_modify(|known| known.merge(record.clone())).or_insert(record);
            }
        }
    }
    let has_items = reader.has_items();
    reader.finish().ok().filter(|_| has_items)?;
    Some(pages)
}

/// The error for a site of which it is not known what it closes. It is not a refusal by the site.
fn unreached(origin: &str) -> Trouble {
    Trouble::new(
        TroubleKind::Network,
        format!("nothing of {origin} may be fetched"),
        "its robots.txt cannot be reached, and a site is closed until it can",
        "try again in ten minutes, or read another site",
    )
}

pub(crate) fn bad_url(error: &url::ParseError) -> Trouble {
    Trouble::new(
        TroubleKind::Argument,
        "the address cannot be read",
        error.to_string(),
        "give a whole address, such as https://example.com/page",
    )
}

fn robots_url(url: &Url) -> String {
    format!("{}/robots.txt", origin_of(url))
}

fn licences_of_site(record: &SiteRecord) -> Vec<Url> {
    let (_, rules) = record.robots.access(clock::instant());
    let named = rules.map(|rules| rules.licenses(PRODUCT).urls).unwrap_or_default();
    named.into_iter().filter_map(|url| Url::parse(url).ok()).collect()
}

/// What TCT's policy descriptor says about use; of one that can no longer be read, only what it denies and asks for.
fn of_policy(policy: &PolicyDescriptor, is_current: bool) -> TctPolicy {
    let stated = |permission: Permission| permission.stated().filter(|allows| is_current || !allows);
    TctPolicy {
        allow_search_indexing: stated(policy.search_indexing),
        allow_ai_input: stated(policy.ai_input),
        allow_ai_train: stated(policy.ai_train),
        requires_attribution: policy.attribution == Some(true),
        requires_link_back: policy.link_back == Some(true),
        requires_notice: policy.notice == Some(true),
    }
}

/// What the response says, by its header fields and by the page.
pub fn said(exchange: &Exchange, html: Option<&[u8]>) -> Said {
    let fields = exchange.fields();
    let mut of_fields = Signals {
        preferences: Preferences::of_headers(fields.iter()),
        directives: robots::Directives::of_headers(fields.iter(), PRODUCT),
        price: signals::UsePrice::of_response(exchange.status.as_u16(), fields.iter()),
        ..Signals::default()
    };
    of_fields.tdmrep.add_headers(fields.iter());
    let links = signals::RslLinks::of_headers(fields.iter());
    let (mut licences, mut documents) = (links.urls, links.documents);
    let (mut of_page, mut directives) = (Signals::default(), of_fields.directives.clone());
    if let Some(html) = html {
        of_page.directives.add_html(html, PRODUCT);
        of_page.tdmrep.add_html(html);
        directives.add_html(html, PRODUCT);
        let links = signals::RslLinks::of_html(html, &exchange.url);
        licences.extend(links.urls);
        documents.extend(links.documents);
    }
    Said { fields: of_fields, page: of_page, directives, licences, documents }
}

/// All statements about the use of a page, one entry for each place.
#[derive(Debug)]
pub struct Stated {
    /// The place, and what is said there.
    places: Vec<(String, Signals)>,
    /// All of it together.
    all: Signals,
}

impl Stated {
    /// What the site says about a page, and what its response said, where there was one.
    #[must_use]
    pub fn of(record: &SiteRecord, url: &Url, said: Option<&Said>) -> Self {
        let (_, rules) = record.robots.access(clock::instant());
        let origin = origin_of(url);
        let mut places: Vec<(String, Signals)> = Vec::new();
        let mut all = Signals { may_fetch: Some(true), ..Signals::default() };
        if let Some(rules) = rules {
            all.preferences = Preferences::of_robots(rules, PRODUCT, url);
            let preferences = all.preferences.clone();
            places.push((robots_url(url), Signals { preferences, ..Signals::default() }));
        }
        let tdmrep_url = format!("{origin}/.well-known/tdmrep.json");
        if let Some(file) = record.files.get(&tdmrep_url) {
            let text = file.text.as_deref().unwrap_or_default();
            let path = RequestPath::of_url(url.as_str());
            all.tdmrep.add_well_known_response(file.status, path, text.as_bytes());
            places.push((tdmrep_url, Signals { tdmrep: all.tdmrep.clone(), ..Signals::default() }));
        }
        for policy in &record.policies {
            let Some(file) = record.files.get(policy) else { continue };
            let text = file.text.as_deref().unwrap_or_default();
            if let Ok((descriptor, _)) = PolicyDescriptor::parse(text.as_bytes()) {
                all.tct = of_policy(&descriptor, file.status == 200);
                places.push((policy.clone(), Signals { tct: all.tct, ..Signals::default() }));
                break;
            }
        }
        let far = licences_of_site(record);
        let empty = Said::default();
        let near = said.unwrap_or(&empty);
        all.rsl = licence(record, url, near, &far);
        if all.rsl.is_some() {
            let named = near.licences.first().or(far.first());
            let place = named.map_or_else(|| "a licence in the page".to_owned(), Url::to_string);
            places.push((place, Signals { rsl: all.rsl.clone(), ..Signals::default() }));
        }
        if let Some(said) = said {
            places.push(("header fields of the response".to_owned(), said.fields.clone()));
            places.push(("meta elements of the page".to_owned(), said.page.clone()));
            all.preferences = all.preferences.merge(said.fields.preferences.clone());
            all.directives = said.directives.clone();
            all.price = said.fields.price.clone();
            // The nearest place counts: file, header field, page.
            let speaks = |stated: &TdmRep| stated.reservation().is_some();
            for nearer in [&said.fields.tdmrep, &said.page.tdmrep] {
                if speaks(nearer) {
                    all.tdmrep = nearer.clone();
                }
            }
        }
        Stated { places, all }
    }

    /// The same with the answer of robots.txt.
    #[must_use]
    pub fn fetched(mut self, is_allowed: bool) -> Self {
        self.all.may_fetch = Some(is_allowed);
        self
    }

    /// The decision.
    pub fn decide(&self, purpose: Purpose) -> UseDecision {
        decide(&self.all, purpose, &[])
    }

    /// Every statement about a purpose, with its place.
    #[must_use]
    pub fn reasons(&self, record: &SiteRecord, url: &Url, purpose: Purpose) -> Vec<ReasonEntry> {
        let mut reasons = Vec::new();
        let decision = record.robots.decide(PRODUCT, url, clock::instant());
        if decision.is_disallowed() {
            let line = decision.rule().map(|rule| format!(" line {}", rule.line)).unwrap_or_default();
            reasons.push(ReasonEntry {
                signal: "robots".to_owned(),
                says: "no".to_owned(),
                rule: decision.reason().to_string(),
                place: format!("{}{line}", robots_url(url)),
            });
        }
        for (place, signals) in &self.places {
            for reason in decide(signals, purpose, &[]).reasons {
                let says = match &reason.says {
                    signals::Says::No => "no".to_owned(),
                    signals::Says::Yes => "yes".to_owned(),
                    signals::Says::Offer(what) => format!("offer: {}", what.join(", ")),
                    signals::Says::Limit(what) => format!("limit: {what}"),
                    _ => "later".to_owned(),
                };
                let line = match place.ends_with("/robots.txt") {
                    true => {
                        line_of(record, &reason.rule).map(|line| format!(" line {line}")).unwrap_or_default()
                    }
                    false => String::new(),
                };
                reasons.push(ReasonEntry {
                    signal: reason.source.name().to_owned(),
                    says,
                    rule: reason.rule.into_owned(),
                    place: format!("{place}{line}"),
                });
            }
        }
        reasons
    }

    /// Why the text may not be given to a model; `None` where it may.
    #[must_use]
    pub fn refusal(&self, record: &SiteRecord, url: &Url) -> Option<String> {
        let decision = self.decide(Purpose::AiInput);
        let pays = decision.obligations.iter().find(|what| what.starts_with("pay"));
        let is_no = matches!(decision.verdict, signals::Verdict::Deny | signals::Verdict::Later);
        if !is_no && pays.is_none() {
            return None;
        }
        let reasons = self.reasons(record, url, Purpose::AiInput);
        let counts = |reason: &&ReasonEntry| match is_no {
            true => matches!(reason.says.as_str(), "no" | "later"),
            false => reason.says.contains("pay"),
        };
        let said: Vec<String> = reasons
            .iter()
            .filter(counts)
            .map(|reason| {
                format!(
                    "{} says {} (`{}`, {})",
                    reason.signal,
                    reason.says,
                    reason.rule,
                    shown_place(&reason.place)
                )
            })
            .collect();
        Some(match said.is_empty() {
            true => decision.to_string(),
            false => said.join(" and "),
        })
    }
}

/// A place for an error: the address in it, should there be one, is a stranger's.
fn shown_place(place: &str) -> String {
    match place.split_once(' ') {
        Some((url, line)) if url.starts_with("http") => format!("{} {line}", quoted(url)),
        None => quoted(place),
        Some(_) => place.to_owned(),
    }
}

/// What the licences say about a page: those that its response names first, then those of the site.
fn licence(record: &SiteRecord, page: &Url, near: &Said, far: &[Url]) -> Option<RslState> {
    let read = |url: &Url| record.files.get(url.as_str()).and_then(|file| file.text.clone());
    let near_texts = near.licences.iter().map(read).chain(near.documents.iter().cloned().map(Some));
    RslState::of_documents(page, near_texts, far.iter().map(read))
}

/// The line of robots.txt that has this statement.
fn line_of(record: &SiteRecord, rule: &str) -> Option<u32> {
    let (_, rules) = record.robots.access(clock::instant());
    let squeezed = |bytes: &[u8]| -> String {
        String::from_utf8_lossy(bytes)
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .to_lowercase()
    };
    let wanted = squeezed(rule.as_bytes());
    let mut records = rules?.other_records();
    records.find(|record| squeezed(record.value).contains(&wanted)).map(|record| record.line)
}
