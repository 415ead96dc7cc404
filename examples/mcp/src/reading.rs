//! Reads one page: chooses the source of its text, and decides whether a request is needed.
//!
//! ```text
//! store, read within the trust window ───────────────────────────────▶ no request
//! sitemap lists it ─▶ hash unchanged, confirmed lately ──────────────▶ no request for the page
//!                  └▶ else its twin ─▶ 304 or 200
//! else the page, Markdown preferred ─▶ 304
//!                                   ├▶ Markdown, text
//!                                   └▶ HTML ─▶ links a twin? the twin ─▶ else the main content
//! ```

use std::collections::BTreeMap;

use aidocument_extract::{Content, ExtractFindingKind, Extractor};
use crawler::client::{Exchange, Request};
use crawler::clock;
use crawler::limits::BodyLimit;
use http::header::{ACCEPT, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use pulldown_cmark::{Event, Options as MarkdownOptions, Parser, Tag, TagEnd};
use tct::cache::CacheControl;
use tct::discovery::discover_in_headers;
use tct::plan::SitemapDate;
use tct::{
    CUrl, CrawlPolicy, MUrl, Outcome, Plan, PlanPolicy, Planner, UnixSeconds, UrlPolicy, Visit, VisitPolicy,
    VisitStep, discover,
};
use url::Url;
use web_values::WebUrl;

use crate::answers::{Freshness, HiddenCount, ReadAs, TextSource};
use crate::net::{Errand, shown_url};
use crate::permission::{asks_not_to_keep, held_key};
use crate::sites::{DAY, bad_url, is_within, key_of, origin_of, said};
use crate::store::{ListedRecord, PageRecord, Said, SiteRecord, TwinRecord};
use crate::trouble::{Trouble, TroubleKind, quoted};

/// A page that was read.
#[derive(Debug, Clone)]
pub struct Read {
    /// Under which URL it is held.
    pub key: String,
    /// What is known of it.
    pub record: PageRecord,
    /// Its text.
    pub text: String,
    /// How it was come by.
    pub freshness: Freshness,
    /// What the site asks of whoever uses the text.
    pub conditions: Vec<String>,
    /// Whether the store has it.
    pub is_held: bool,
}

/// Media types that are read, with what they are.
const KINDS: [(&str, TextSource); 5] = [
    ("text/html", TextSource::Html),
    ("application/xhtml+xml", TextSource::Html),
    ("text/markdown", TextSource::Markdown),
    ("text/x-markdown", TextSource::Markdown),
    ("text/plain", TextSource::Text),
];

/// What a response is, by its Content-Type; one that does not say is taken for HTML.
fn kind_of(headers: &HeaderMap) -> Result<TextSource, String> {
    let field = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("text/html");
    let name = field.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let known = KINDS.iter().find(|(known, _)| *known == name).map(|(_, source)| *source);
    known.ok_or_else(|| quoted(&name))
}

fn is_readable(headers: &HeaderMap) -> bool {
    kind_of(headers).is_ok()
}

/// The URL of an argument, checked as text; its fragment apart.
///
/// # Errors
/// `Argument`.
pub fn url_of(text: &str) -> Result<(Url, Option<String>), Trouble> {
    let mut url = UrlPolicy::allowing_http().parse(text.trim()).map_err(|error| {
        Trouble::new(
            TroubleKind::Argument,
            "the address cannot be read",
            error.to_string(),
            "give a whole address, such as https://example.com/page",
        )
    })?;
    let fragment = url
        .fragment()
        .filter(|fragment| !fragment.is_empty())
        .map(|fragment| percent_encoding::percent_decode_str(fragment).decode_utf8_lossy().into_owned());
    url.set_fragment(None);
    Ok((url, fragment))
}

impl Errand<'_> {
    /// The text of a page, by the order of sources. A text that its site refuses, or no longer has, is not held either.
    ///
    /// # Errors
    /// If it may not be read, or cannot be.
    pub async fn read(&mut self, url: &Url, read_as: ReadAs) -> Result<Read, Trouble> {
        let ended = self.read_by_source(url, read_as).await;
        ended.map_err(|trouble| self.forgotten(url, read_as, trouble))
    }

    async fn read_by_source(&mut self, url: &Url, read_as: ReadAs) -> Result<Read, Trouble> {
        self.agent.check(url)?;
        let key = held_key(url, read_as);
        let _turn = self.agent.turn(&key).await;
        let held = self.held(&key)?;
        let mut record = self.site(url).await?;
        self.allowed(&record, url)?;
        if let Some(held) = held.as_ref().filter(|held| self.is_trusted(&held.0)) {
            self.step("read lately: the store answers");
            return self.answer_held(&record, key, held.clone(), Freshness::Store, None);
        }
        self.refresh_terms(url, &mut record, &[]).await?;
        self.may_use(&record, url, None)?;
        if read_as == ReadAs::Auto && self.speaks_tct(url) {
            self.refresh_sitemaps(url, &mut record, false).await?;
            if let Some(listed) = self.listing(url, &key)? {
                match self.listed(url, &key, &mut record, &listed, held.as_ref()).await? {
                    Some(read) => return Ok(read),
                    None => self.step("the twin cannot be had: the page itself is asked for"),
                }
            } else if let Some(held) = held.as_ref()
                && let Some(m_url) = held.0.twin.as_ref().and_then(|twin| MUrl::parse(&twin.m_url).ok())
                && let Some(read) = self.twin(url, &key, &mut record, &m_url, None, Some(held)).await?
            {
                return Ok(read);
            }
        }
        self.page(url, key, record, held, read_as).await
    }

    /// The page that is held, with its text.
    fn held(&self, key: &str) -> Result<Option<(PageRecord, String)>, Trouble> {
        let Some(record) = self.agent.store.page(key)? else { return Ok(None) };
        Ok(self.agent.store.text(key)?.map(|text| (record, text)))
    }

    /// Whether the page need not be asked for: confirmed within the trust window, or fresh by its Cache-Control.
    pub(crate) fn is_trusted(&self, record: &PageRecord) -> bool {
        is_within(record.confirmed_at, self.agent.options.trust_secs)
            || (record.fresh_until > clock::seconds().0 && is_within(record.confirmed_at, DAY))
    }

    /// How the site's sitemaps list the page. Some publishers write its address with a final slash in one place and without
    /// in the other.
    fn listing(&self, url: &Url, key: &str) -> Result<Option<ListedRecord>, Trouble> {
        let (store, origin) = (&self.agent.store, origin_of(url));
        if let Some(listed) = store.listed(&origin, key)? {
            return Ok(Some(listed));
        }
        let mut other = url.clone();
        match url.path().strip_suffix('/') {
            Some(path) => other.set_path(path),
            None => other.set_path(&format!("{}/", url.path())),
        }
        store.listed(&origin, &key_of(&other))
    }

    /// TCT is for https, and for http on this machine.
    fn speaks_tct(&self, url: &Url) -> bool {
        UrlPolicy::default().check(url).is_ok()
    }

    /// A text that is held, where its site lets a model have it by now. `now` is what the answer said that confirmed it.
    fn answer_held(
        &mut self,
        site: &SiteRecord,
        key: String,
        (mut record, text): (PageRecord, String),
        freshness: Freshness,
        now: Option<&Exchange>,
    ) -> Result<Read, Trouble> {
        let url = Url::parse(&record.url).map_err(|error| bad_url(&error))?;
        let mut sites = BTreeMap::from([(origin_of(&url), site.clone())]);
        let mut conditions = self.may_give(&key, &record, &mut sites)?;
        if let Some(exchange) = now {
            conditions.extend(self.may_use(site, &url, Some(&said(exchange, None)))?);
            conditions.sort_unstable();
            conditions.dedup();
        }
        let may_store = now.is_none_or(|now| CacheControl::of(&now.headers).may_store_privately());
        if !may_store || asks_not_to_keep(&conditions) {
            return self.once(key, record, text, freshness, conditions);
        }
        // A read is written down once an hour: an answer from the store costs no write.
        if freshness != Freshness::Store || !is_within(record.used_at, 3600) {
            record.used_at = clock::seconds().0;
            self.agent.store.put_page(&key, &record, None)?;
        }
        Ok(Read { key, record, text, freshness, conditions, is_held: true })
    }

    /// A page that a sitemap lists; `None` where its twin cannot be had.
    async fn listed(
        &mut self,
        url: &Url,
        key: &str,
        site: &mut SiteRecord,
        listed: &ListedRecord,
        held: Option<&(PageRecord, String)>,
    ) -> Result<Option<Read>, Trouble> {
        let now = clock::seconds();
        let listing = site.sitemaps.iter().filter(|sitemap| listed.sitemaps.contains(&sitemap.url));
        let confirmed_at = listing.map(|sitemap| sitemap.confirmed_at).max().unwrap_or_default();
        let policy = PlanPolicy::default().with_max_sitemap_age_secs(self.agent.options.trust_secs.max(1));
        let planner = Planner::new(policy, SitemapDate(UnixSeconds(confirmed_at)), now);
        let twin = held.and_then(|(record, _)| record.twin.as_ref());
        let twin = twin.filter(|twin| twin.m_url == listed.m_url);
        if let (Plan::Skip, Some(held)) = (planner.plan(listed.hash, twin.map(|twin| &twin.held)), held) {
            self.step("the sitemap says that nothing has changed: the store answers");
            let held = held.clone();
            return self.answer_held(site, key.to_owned(), held, Freshness::Store, None).map(Some);
        }
        let Ok(m_url) = MUrl::parse(&listed.m_url) else { return Ok(None) };
        self.twin(url, key, site, &m_url, Some(listed), held).await
    }

    /// The text of a twin; `None` where it cannot be had.
    async fn twin(
        &mut self,
        url: &Url,
        key: &str,
        site: &mut SiteRecord,
        m_url: &MUrl,
        listed: Option<&ListedRecord>,
        held: Option<&(PageRecord, String)>,
    ) -> Result<Option<Read>, Trouble> {
        if m_url.as_url().origin() != url.origin() || self.allowed(site, m_url.as_url()).is_err() {
            return Ok(None);
        }
        let Ok(c_url) = CUrl::from_url(url.clone(), &UrlPolicy::default()) else { return Ok(None) };
        let known = held.and_then(|(record, _)| record.twin.as_ref());
        let known = known.filter(|twin| twin.m_url == m_url.as_str());
        let policy = VisitPolicy::default().with_open(CrawlPolicy::default().visit.open);
        let mut visit = Visit::new(
            m_url,
            &c_url,
            listed.and_then(|listed| listed.hash),
            known.map(|twin| twin.held.clone()),
            policy,
        );
        let (outcome, exchange) = loop {
            let wanted = visit.request();
            let limit = BodyLimit::Refuse(self.agent.options.limits.twin_bytes);
            let request = Request {
                method: wanted.method().clone(),
                headers: wanted.headers().clone(),
                ..Request::get(visit.url().clone(), limit)
            };
            let exchange = match self.send(request).await {
                Ok(exchange) => exchange,
                Err(trouble) if trouble.kind() == TroubleKind::Busy => return Err(trouble),
                Err(_) => return Ok(None),
            };
            let mut response = Response::new(exchange.body.as_slice());
            *response.status_mut() = exchange.status;
            response.headers_mut().clone_from(&exchange.headers);
            match visit.on_response(&exchange.url, &response, clock::seconds()) {
                VisitStep::Again(next) => visit = *next,
                VisitStep::Done(outcome) => break (outcome, exchange),
            }
        };
        let said = said(&exchange, None);
        // Some publishers link their policy from the twins alone.
        let mut found = discover_in_headers(&exchange.url, &exchange.headers);
        found.sitemaps.clear();
        self.learn(url, site, &found)?;
        self.refresh_terms(url, site, &said.licences).await?;
        match outcome {
            Outcome::Keep { held: confirmed, .. } => {
                let Some((record, text)) = held else { return Ok(None) };
                let mut record = record.clone();
                record.confirmed_at = clock::seconds().0;
                record.fresh_until = fresh_until(&exchange.headers);
                record.twin = Some(TwinRecord { m_url: m_url.to_string(), held: confirmed });
                self.step("the server says that the twin has not changed");
                let read = (record, text.clone());
                let freshness = Freshness::Confirmed;
                self.answer_held(site, key.to_owned(), read, freshness, Some(&exchange)).map(Some)
            }
            Outcome::Store { held: new, payload, .. } => {
                let conditions = self.may_use(site, url, Some(&said))?;
                let twin = TwinRecord { m_url: m_url.to_string(), held: new };
                let (mut record, text) = twin_page(url, &payload, &exchange, Some(twin), said);
                record.modified =
                    record.modified.or_else(|| listed.and_then(|listed| listed.modified.clone()));
                self.keep(key.to_owned(), record, text, conditions).map(Some)
            }
            Outcome::UseOnce { payload, .. } => {
                let conditions = self.may_use(site, url, Some(&said))?;
                let (record, text) = twin_page(url, &payload, &exchange, None, said);
                self.once(key.to_owned(), record, text, Freshness::Fetched, conditions).map(Some)
            }
            Outcome::Gone => {
                self.agent.store.forget_page(key, false)?;
                Ok(None)
            }
            other => {
                self.step(format!("  the twin is not used: {}", other.name()));
                Ok(None)
            }
        }
    }

    /// The page itself, and the twin that it links.
    async fn page(
        &mut self,
        url: &Url,
        key: String,
        site: SiteRecord,
        held: Option<(PageRecord, String)>,
        read_as: ReadAs,
    ) -> Result<Read, Trouble> {
        let (exchange, mut site) =
            self.fetch(url, site, held.as_ref().map(|(record, _)| record), read_as).await?;
        let at = exchange.url.clone();
        if exchange.status == StatusCode::NOT_MODIFIED
            && let Some((mut record, text)) = held
        {
            record.confirmed_at = clock::seconds().0;
            record.fresh_until = fresh_until(&exchange.headers);
            self.step("the server says that the page has not changed");
            self.learn(&at, &mut site, &discover_in_headers(&at, &exchange.headers))?;
            let licences = said(&exchange, None).licences;
            self.refresh_terms(&at, &mut site, &licences).await?;
            return self.answer_held(&site, key, (record, text), Freshness::Confirmed, Some(&exchange));
        }
        if exchange.status != StatusCode::OK {
            let trouble = self.barrier(&at, &exchange);
            return Err(self.forgotten(&at, read_as, trouble));
        }
        let source = match kind_of(&exchange.headers) {
            Ok(source) if exchange.body.contains(&0) && !is_wide(&exchange) => {
                Err(format!("{source:?} by its name and binary by its bytes"))
            }
            kind => kind,
        };
        let source = source.map_err(|found| {
            let what = format!("{} is not supported", shown_url(&at));
            let why = format!("it is {found}, and HTML, Markdown and plain text are read");
            let advice = "look for an HTML page on the same subject, or call `site` for what the site offers";
            Trouble::new(TroubleKind::Unsupported, what, why, advice)
        })?;
        let html = (source == TextSource::Html).then_some(exchange.body.as_slice());
        let found = discover(&at, &exchange.headers, html.unwrap_or_default());
        self.learn(&at, &mut site, &found)?;
        let said = said(&exchange, html);
        self.refresh_terms(&at, &mut site, &said.licences).await?;
        if read_as == ReadAs::Auto && source == TextSource::Html && self.speaks_tct(&at) {
            for candidate in found.m_urls.iter().take(2) {
                let Ok(m_url) = MUrl::from_url(candidate.clone(), &UrlPolicy::default()) else { continue };
                if let Some(read) = self.twin(&at, &key, &mut site, &m_url, None, held.as_ref()).await? {
                    return Ok(read);
                }
            }
        }
        let conditions = self.may_use(&site, &at, Some(&said))?;
        let may_store = CacheControl::of(&exchange.headers).may_store_privately();
        // Parsing a large page takes long enough to keep other calls waiting.
        let extracted = tokio::task::spawn_blocking(move || page_of(&exchange, source, said)).await;
        let (record, text) = extracted.map_err(|_| {
            let what = format!("{} cannot be read", shown_url(&at));
            Trouble::new(
                TroubleKind::Unsupported,
                what,
                "its text could not be extracted",
                "use another page",
            )
        })?;
        match may_store {
            true => self.keep(key, record, text, conditions),
            false => self.once(key, record, text, Freshness::Fetched, conditions),
        }
    }

    /// The response for a page after redirects, each of which is checked and asked about at its own robots.txt.
    async fn fetch(
        &mut self,
        url: &Url,
        site: SiteRecord,
        held: Option<&PageRecord>,
        read_as: ReadAs,
    ) -> Result<(Exchange, SiteRecord), Trouble> {
        let mut site = site;
        let mut trail = vec![url.clone()];
        loop {
            let at = trail.last().cloned().unwrap_or_else(|| url.clone());
            let mut headers = HeaderMap::new();
            headers.insert(
                ACCEPT,
                match read_as {
                    ReadAs::Auto => HeaderValue::from_static(
                        "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.5",
                    ),
                    ReadAs::Html => HeaderValue::from_static("text/html, application/xhtml+xml;q=0.9"),
                },
            );
            // A tag speaks for the address that it came from.
            if let Some(held) = held.filter(|held| held.url == at.as_str() && held.source != TextSource::Twin)
            {
                let tag = held.etag.as_deref().map(|tag| (IF_NONE_MATCH, tag));
                let date = held.last_modified.as_deref().map(|date| (IF_MODIFIED_SINCE, date));
                if let Some((name, value)) = tag.or(date)
                    && let Ok(value) = HeaderValue::try_from(value)
                {
                    headers.insert(name, value);
                }
            }
            let limit = BodyLimit::Refuse(self.agent.options.limits.page_bytes);
            let exchange =
                self.send(Request { headers, wants: is_readable, ..Request::get(at.clone(), limit) }).await?;
            let is_redirect = matches!(exchange.status.as_u16(), 301 | 302 | 303 | 307 | 308);
            let Some(location) = exchange.field(LOCATION).filter(|_| is_redirect) else {
                return Ok((exchange, site));
            };
            let refused = |why: String| {
                let what = format!("{} is not read", shown_url(&at));
                Trouble::new(TroubleKind::Address, what, why, "give the address that it should lead to")
            };
            let next = at
                .join(location)
                .map_err(|error| refused(format!("its redirect cannot be read: {error}")))?;
            let mut next = next;
            next.set_fragment(None);
            self.agent
                .check(&next)
                .map_err(|trouble| refused(format!("it redirects to {}, and {trouble}", shown_url(&next))))?;
            if at.scheme() == "https" && next.scheme() != "https" {
                return Err(refused("it redirects from https to http".to_owned()));
            }
            if trail.contains(&next) || trail.len() > self.agent.options.limits.redirects {
                return Err(refused(format!(
                    "it redirects more than {} times or in a circle",
                    trail.len() - 1
                )));
            }
            self.step(format!("  redirects to {}", shown_url(&next)));
            if next.origin() != at.origin() {
                site = self.site(&next).await?;
                self.refresh_terms(&next, &mut site, &[]).await?;
            }
            self.allowed(&site, &next)?;
            self.may_use(&site, &next, None)?;
            trail.push(next);
        }
    }

    /// The error for a status without a text.
    pub(crate) fn barrier(&self, url: &Url, exchange: &Exchange) -> Trouble {
        let what = format!("{} cannot be read", shown_url(url));
        let status = exchange.status;
        let (kind, why, advice) = match status.as_u16() {
            401 | 403 | 407 => (
                TroubleKind::Barrier,
                format!("the server wants a login or refuses programs (status {status})"),
                "ask the user for the text, or use another source".to_owned(),
            ),
            402 => {
                let price = signals::UsePrice::of_response(402, exchange.fields().iter());
                let price = price.price.map(|price| format!(", {price}")).unwrap_or_default();
                (
                    TroubleKind::Barrier,
                    format!("the server asks for payment{price} (status {status})"),
                    "nothing is ever paid here: tell the user, or use another source".to_owned(),
                )
            }
            451 => (
                TroubleKind::Barrier,
                format!("it is withheld for legal reasons (status {status})"),
                "use another source".to_owned(),
            ),
            404 | 410 => (
                TroubleKind::Missing,
                format!("there is no such page (status {status})"),
                "check the address, or call `site` for the pages that the site lists".to_owned(),
            ),
            429 | 503 => {
                let fields =
                    exchange.headers.get_all("retry-after").iter().filter_map(|value| value.to_str().ok());
                let after = robots::RetryAfter::parse(fields, exchange.field("date"), clock::instant());
                let after =
                    after.map_or_else(|| "not said".to_owned(), |after| format!("{} s", after.secs()));
                (
                    TroubleKind::Busy,
                    format!("the server wants to be left alone (status {status}, Retry-After: {after})"),
                    "come back after that, or read another site meanwhile".to_owned(),
                )
            }
            500..=599 => (
                TroubleKind::Network,
                format!("the server has an error of its own (status {status})"),
                "try once more later, or use another source".to_owned(),
            ),
            _ => (
                TroubleKind::Network,
                format!("the server answered with status {status}"),
                "use another source".to_owned(),
            ),
        };
        Trouble::new(kind, what, why, advice)
    }

    fn keep(
        &mut self,
        key: String,
        record: PageRecord,
        text: String,
        conditions: Vec<String>,
    ) -> Result<Read, Trouble> {
        let freshness = Freshness::Fetched;
        if asks_not_to_keep(&conditions) {
            return self.once(key, record, text, freshness, conditions);
        }
        self.agent.store.put_page(&key, &record, Some(&text))?;
        Ok(Read { key, record, text, freshness, conditions, is_held: true })
    }

    /// A text that may be used now, and is not kept.
    fn once(
        &mut self,
        key: String,
        mut record: PageRecord,
        text: String,
        freshness: Freshness,
        conditions: Vec<String>,
    ) -> Result<Read, Trouble> {
        for key in [key.as_str(), record.url.as_str()] {
            self.agent.store.forget_page(key, false)?;
        }
        record.notes.push("the site asks not to keep the text: each call fetches it anew".to_owned());
        Ok(Read { key, record, text, freshness, conditions, is_held: false })
    }
}

/// Whether the encoding has zero bytes in plain text: UTF-16.
fn is_wide(exchange: &Exchange) -> bool {
    exchange.body.starts_with(&[0xff, 0xfe])
        || exchange.body.starts_with(&[0xfe, 0xff])
        || exchange.field(CONTENT_TYPE).is_some_and(|value| value.to_ascii_lowercase().contains("utf-16"))
}

fn fresh_until(headers: &HeaderMap) -> u64 {
    let (directives, now) = (CacheControl::of(headers), clock::seconds());
    match directives.max_age_secs {
        Some(max_age) if directives.is_fresh(0) => now.saturating_add(max_age).0,
        _ => 0,
    }
}

/// A new record, with what every source has in common.
fn record_of(url: &Url, source: TextSource, headers: &HeaderMap, said: Said) -> PageRecord {
    let now = clock::seconds().0;
    let field =
        |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::to_owned);
    PageRecord {
        url: key_of(url),
        source,
        title: String::new(),
        authors: Vec::new(),
        published: None,
        modified: None,
        language: None,
        confidence: None,
        hidden: Vec::new(),
        hidden_instructions: 0,
        notes: Vec::new(),
        etag: field(ETAG),
        last_modified: field(LAST_MODIFIED),
        confirmed_at: now,
        fresh_until: fresh_until(headers),
        twin: None,
        said,
        used_at: now,
    }
}

/// The text of a twin: Markdown where it says so, else plain text.
fn twin_page(
    url: &Url,
    payload: &tct::open::ReceivedPayload,
    exchange: &Exchange,
    twin: Option<TwinRecord>,
    said: Said,
) -> (PageRecord, String) {
    let mut record = record_of(url, TextSource::Twin, &exchange.headers, said);
    (record.etag, record.last_modified) = (None, None);
    record.twin = twin;
    let members: serde_json::Value = serde_json::from_slice(payload.json()).unwrap_or_default();
    let member = |names: &[&str]| {
        names.iter().find_map(|name| members.get(name)?.as_str()).map(|text| one_line(text, 200))
    };
    let content = payload.content().as_untrusted_str();
    let is_markdown = member(&["contentMediaType", "content_media_type", "content_type"])
        .is_some_and(|kind| kind.starts_with("text/markdown"));
    let (text, content) = match is_markdown {
        true => of_markdown(content, url),
        false => of_plain(content),
    };
    tell_hidden(&mut record, &content);
    record.title = one_line(payload.title().as_untrusted_str(), 300);
    record.language = member(&["language", "lang", "inLanguage"]);
    record.authors = member(&["author", "byline"]).into_iter().collect();
    record.published = member(&["published", "datePublished", "published_at"]);
    record.modified = member(&["modified", "lastModified", "dateModified", "updated_at"]);
    (record, text)
}

/// What a page says of itself, and its text.
fn page_of(exchange: &Exchange, source: TextSource, said: Said) -> (PageRecord, String) {
    let mut record = record_of(&exchange.url, source, &exchange.headers, said);
    let (text, content) = match source {
        TextSource::Html => {
            let mut extractor = Extractor::new();
            if let Ok(base) = WebUrl::parse(exchange.url.as_str()) {
                extractor = extractor.base_url(base);
            }
            if let Some(content_type) = exchange.field(CONTENT_TYPE) {
                extractor = extractor.content_type(content_type);
            }
            let content = extractor.extract(exchange.body.as_slice());
            (without_image_addresses(&content.markdown), content)
        }
        TextSource::Markdown => of_markdown(&String::from_utf8_lossy(&exchange.body), &exchange.url),
        TextSource::Text | TextSource::Twin => of_plain(&String::from_utf8_lossy(&exchange.body)),
    };
    record.title = one_line(&content.title, 300);
    record.authors = content.about.authors.iter().take(10).map(|found| one_line(&found.value, 100)).collect();
    record.published = content.about.published.as_ref().map(|found| found.value.to_string());
    record.modified = content.about.modified.as_ref().map(|found| found.value.to_string());
    record.language = content.about.language.as_ref().map(|found| found.value.to_string());
    record.confidence = content.confidence.filter(|_| source == TextSource::Html);
    if source == TextSource::Markdown {
        record.title = first_heading(&text).unwrap_or_default();
    }
    tell_hidden(&mut record, &content);
    for finding in &content.findings {
        let note = match finding.kind() {
            ExtractFindingKind::ReadFromData => {
                "the page shows no text: this is from the data for its script"
            }
            ExtractFindingKind::NeedsScript if text.is_empty() => {
                "the page is a frame that a script fills: what it shows in a browser cannot be read here"
            }
            ExtractFindingKind::NoContent => "no main content was found on the page",
            _ => continue,
        };
        record.notes.push(note.to_owned());
    }
    (record, text)
}

/// Counts what no person sees, by its reasons.
fn tell_hidden(record: &mut PageRecord, content: &Content) {
    let mut counts: BTreeMap<&str, (usize, u32)> = BTreeMap::new();
    for text in content.hidden() {
        let (texts, words) = counts.entry(text.reason.code()).or_default();
        *texts += 1;
        *words = words.saturating_add(text.words);
    }
    let count = |(reason, (texts, words)): (&str, (usize, u32))| HiddenCount {
        reason: reason.to_owned(),
        texts,
        words,
    };
    record.hidden = counts.into_iter().map(count).collect();
    record.hidden_instructions = content.hidden().iter().filter(|text| text.instructs).count();
}

/// Markdown that a server sent. It may hold raw HTML, and with it what no person sees: then it is read as the page that it
/// stands for. Without any it stays as its author wrote it.
fn of_markdown(markdown: &str, url: &Url) -> (String, Content) {
    let options = MarkdownOptions::ENABLE_TABLES
        | MarkdownOptions::ENABLE_STRIKETHROUGH
        | MarkdownOptions::ENABLE_TASKLISTS
        | MarkdownOptions::ENABLE_FOOTNOTES;
    let mut html = String::with_capacity(markdown.len() * 2);
    pulldown_cmark::html::push_html(&mut html, Parser::new_ext(markdown, options));
    let mut extractor = Extractor::new().whole_page(true).content_type("text/html; charset=utf-8");
    if let Ok(base) = WebUrl::parse(url.as_str()) {
        extractor = extractor.base_url(base);
    }
    let content = extractor.extract(html.as_str());
    let has_html = Parser::new_ext(markdown, options)
        .any(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_)));
    match has_html || !content.hidden().is_empty() {
        true => (content.markdown.clone(), content),
        false => (markdown.to_owned(), content),
    }
}

/// The text with what its images show in place of their addresses, which are a seventh of the tokens of pages and tell a
/// reader of text nothing.
fn without_image_addresses(markdown: &str) -> String {
    let (mut out, mut at) = (String::with_capacity(markdown.len()), 0);
    let (mut depth, mut shown) = (0_usize, String::new());
    for (event, range) in Parser::new_ext(markdown, MarkdownOptions::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Image { .. }) => {
                if depth == 0 {
                    out.push_str(markdown.get(at..range.start).unwrap_or_default());
                    at = range.end;
                    shown.clear();
                }
                depth += 1;
            }
            Event::End(TagEnd::Image) => {
                depth = depth.saturating_sub(1);
                if depth == 0 && !shown.trim().is_empty() {
                    let shown = shown.replace(['[', ']', '\\', '`', '*', '_', '<', '|'], " ");
                    out.push_str(&format!("(image: {})", one_line(&shown, 300)));
                }
            }
            Event::Text(text) | Event::Code(text) if depth > 0 => shown.push_str(&text),
            _ => {}
        }
    }
    out.push_str(markdown.get(at..).unwrap_or_default());
    out
}

/// Plain text, without the characters that no person sees.
fn of_plain(text: &str) -> (String, Content) {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    for paragraph in text.split("\n\n") {
        html.push_str("<p>");
        for (number, line) in paragraph.lines().enumerate() {
            if number > 0 {
                html.push_str("<br>");
            }
            html.push_str(&line.replace('&', "&amp;").replace('<', "&lt;"));
        }
        html.push_str("</p>\n");
    }
    let content = Extractor::new().whole_page(true).extract(html.as_str());
    match content.hidden().is_empty() {
        true => (text.to_owned(), content),
        false => (content.text.clone(), content),
    }
}

fn first_heading(markdown: &str) -> Option<String> {
    let outline = aidocument_extract::outline::Outline::of(markdown, &|_| 0);
    outline.sections().iter().find(|section| section.level > 0).map(|section| one_line(&section.title, 300))
}

/// A stranger's text as one line of so many letters at most.
fn one_line(text: &str, most: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).take(most).collect()
}
