//! A publisher and an agent in one place, on a clock that the caller turns: what a visit costs, request by request.
//!
//! The publisher keeps pages and a template. From these it makes, for each page, the HTML that people get and the twin
//! that agents get; both are [`tct::Resource`]s, so that every answer is what a real server sends. The agent is a
//! [`tct::Crawl`] with its stored states, stepped one action at a time.
//!
//! Beside it a second agent is counted that knows nothing of twins: it asks for each page's HTML with the entity tag
//! that it was given before.

use std::collections::{BTreeMap, BTreeSet};

use aidocument_extract::Extractor;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use serde::{Deserialize, Serialize};
use tct::crawl::{BodyChange, CrawlRequest, PageEvent};
use tct::link::{html_alternate, link_sitemap};
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, MUrl, PageState, Payload, Resource, SiteState, SitemapBudget,
    SitemapEntry, UnixSeconds, write_sitemaps,
};
use url::Url;

use crate::failure::Failure;

const SITEMAP: &str = "/llm-sitemap.json";

/// What the publisher has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The origin, such as `https://tea.example`.
    pub origin: String,
    /// The HTML of every page, in which `{title}`, `{content}` and `{head}` stand for the page's own.
    pub template: String,
    /// The pages.
    pub pages: Vec<SitePage>,
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SitePage {
    /// Its path, with a slash at both ends.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its content as HTML.
    pub content: String,
}

/// What just happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Event {
    /// The agent asked, and the publisher answered.
    Exchange {
        /// `page`, `sitemap` or `twin`.
        what: &'static str,
        /// Path of the request.
        path: String,
        /// The entity tag that the request carries.
        if_none_match: Option<String>,
        /// Status of the answer.
        status: u16,
        /// The answer's entity tag.
        etag: Option<String>,
        /// Bytes of the body.
        bytes: usize,
    },
    /// The sitemap lists the hash that the agent holds: nothing is requested.
    Skipped {
        /// Path of the page.
        path: String,
    },
    /// A page's state is new.
    Page {
        /// Path of the page.
        path: String,
        /// `store`, `keep`, `restore`, `use-once`, `refuse`, `gone`, … or `unlisted`.
        outcome: String,
        /// The hash that is held now.
        hash: Option<String>,
        /// The text that came with it, if one did.
        text: Option<String>,
    },
    /// Something about the site.
    Site {
        /// A code, such as `sitemap-read`.
        code: String,
        /// What it is about.
        message: String,
    },
    /// Time passed before the next request.
    Waited {
        /// Seconds.
        seconds: u64,
    },
    /// The visit is over.
    Done {
        /// What it came to.
        totals: Totals,
    },
}

/// The counts of one visit, beside those of an agent that knows HTML alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Requests.
    pub requests: u64,
    /// Of these, answered with 304.
    pub not_modified: u64,
    /// Pages that needed no request.
    pub skipped: u64,
    /// Pages whose text was stored.
    pub stored: u64,
    /// Bytes of bodies.
    pub bytes: u64,
    /// Requests for HTML.
    pub html_requests: u64,
    /// Of these, answered with 304.
    pub html_not_modified: u64,
    /// Bytes of HTML.
    pub html_bytes: u64,
}

/// What the agent holds of one page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Path of the page.
    pub path: String,
    /// The hash of what is held.
    pub hash: Option<String>,
    /// The text.
    pub text: String,
}

/// What the publisher offers of one page at present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Offered {
    /// Path of the page.
    pub path: String,
    /// Path of its twin.
    pub twin: String,
    /// The twin's hash, as the sitemap lists it.
    pub hash: String,
    /// Bytes of the twin.
    pub twin_bytes: usize,
    /// Bytes of the HTML.
    pub html_bytes: usize,
    /// The HTML's entity tag.
    pub html_etag: String,
}

/// The resources that a site's pages make.
#[derive(Debug, Default)]
struct Published {
    resources: BTreeMap<String, (&'static str, Resource)>,
    offered: Vec<Offered>,
}

/// A publisher, an agent, and a clock.
#[derive(Debug)]
pub struct Simulation {
    origin: Url,
    now: UnixSeconds,
    published: Published,
    site: SiteState,
    pages: BTreeMap<String, PageState>,
    texts: BTreeMap<String, String>,
    html_tags: BTreeMap<String, HeaderValue>,
    crawl: Option<Crawl>,
    requested: BTreeSet<String>,
    /// At the end of a visit: pages that the sitemap spared the agent, the next to tell last.
    spared: Option<Vec<String>>,
    totals: Totals,
}

fn bad(what: &str, error: impl std::fmt::Display) -> Failure {
    Failure::new("bad-site", format_args!("{what}: {error}"))
}

impl Published {
    fn of(site: &Site, origin: &Url) -> Result<Self, Failure> {
        let mut published = Published::default();
        let mut entries = Vec::new();
        for page in &site.pages {
            let at = |path: &str| origin.join(path).map_err(|error| bad(path, error));
            let (page_url, twin_path) = (at(&page.path)?, format!("{}llm/", page.path));
            let c_url = CUrl::parse(page_url.as_str()).map_err(|error| bad(&page.path, error))?;
            let m_url = MUrl::parse(at(&twin_path)?.as_str()).map_err(|error| bad(&twin_path, error))?;
            let html = site
                .template
                .replace("{head}", &html_alternate(&m_url))
                .replace("{title}", &escape(&page.title))
                .replace("{content}", &page.content);
            let found = Extractor::new().extract(page.content.as_str());
            let sealed = Payload::new(&c_url, page.title.as_str(), found.text.as_str())
                .seal()
                .map_err(|error| bad(&page.path, error))?;
            entries.push(SitemapEntry::new(c_url.clone(), m_url, sealed.fingerprint()));
            let (hash, representation) = (sealed.fingerprint().to_string(), sealed.representation(&c_url));
            let twin = Resource::new(sealed.into_body(), representation);
            let mut html = Resource::of(html, HeaderValue::from_static("text/html; charset=utf-8"));
            if page.path == "/" {
                let representation = html.representation().clone().with_link(link_sitemap(&at(SITEMAP)?));
                html = Resource::new(html.body().clone(), representation);
            }
            published.offered.push(Offered {
                path: page.path.clone(),
                twin: twin_path.clone(),
                hash,
                twin_bytes: twin.body().len(),
                html_bytes: html.body().len(),
                html_etag: html.representation().etag().to_str().unwrap_or_default().to_owned(),
            });
            published.resources.insert(page.path.clone(), ("page", html));
            published.resources.insert(twin_path, ("twin", twin));
        }
        let mut files =
            write_sitemaps(entries, SitemapBudget::default()).map_err(|error| bad("sitemap", error))?;
        // So few pages are one file.
        let sitemap = files.pop().unwrap_or_default();
        published.resources.insert(SITEMAP.to_owned(), ("sitemap", Resource::json(sitemap)));
        Ok(published)
    }

    fn answer(&self, path: &str, method: &Method, headers: &HeaderMap) -> (&'static str, Response<Bytes>) {
        match self.resources.get(path) {
            Some((what, resource)) => (what, resource.respond(method, headers)),
            None => {
                let mut missing = Response::new(Bytes::new());
                *missing.status_mut() = StatusCode::NOT_FOUND;
                ("page", missing)
            }
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The path of the page whose twin has this URL.
fn page_of(twin: &str) -> String {
    let path = Url::parse(twin).map_or_else(|_| twin.to_owned(), |url| url.path().to_owned());
    path.strip_suffix("llm/").map_or(path.clone(), str::to_owned)
}

impl Simulation {
    /// A publisher of these pages, and an agent that has not been there yet.
    ///
    /// # Errors
    /// `bad-site`: an origin or a path that makes no public https URL.
    pub fn new(site: &Site, now: UnixSeconds) -> Result<Self, Failure> {
        let origin = Url::parse(&site.origin).map_err(|error| bad("origin", error))?;
        let published = Published::of(site, &origin)?;
        Ok(Simulation {
            origin,
            now,
            published,
            site: SiteState::default(),
            pages: BTreeMap::new(),
            texts: BTreeMap::new(),
            html_tags: BTreeMap::new(),
            crawl: None,
            requested: BTreeSet::new(),
            spared: None,
            totals: Totals::default(),
        })
    }

    /// Publishes these pages in place of those before. The agent hears nothing of it.
    ///
    /// # Errors
    /// As [`Simulation::new`]; what was published then stays. The origin must be the same.
    pub fn publish(&mut self, site: &Site) -> Result<(), Failure> {
        let origin = Url::parse(&site.origin).map_err(|error| bad("origin", error))?;
        if origin != self.origin {
            return Err(bad("origin", format_args!("expected {}, found {origin}", self.origin)));
        }
        self.published = Published::of(site, &origin)?;
        Ok(())
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: u64) {
        self.now = UnixSeconds(self.now.0.saturating_add(seconds));
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> UnixSeconds {
        self.now
    }

    /// What the publisher offers.
    #[must_use]
    pub fn offered(&self) -> &[Offered] {
        &self.published.offered
    }

    /// What the agent holds.
    #[must_use]
    pub fn held(&self) -> Vec<Held> {
        let held = |(key, state): (&String, &PageState)| Held {
            path: page_of(key),
            hash: state.held.as_ref().map(|held| held.hash.to_string()),
            text: self.texts.get(key).cloned().unwrap_or_default(),
        };
        self.pages.iter().map(held).collect()
    }

    /// The next thing that happens in the agent's visit, which begins with the first call. `Done` ends it, and the call
    /// after that begins another.
    ///
    /// # Errors
    /// `bad-site` where the publisher has no start page that could be visited.
    pub fn next_event(&mut self) -> Result<Event, Failure> {
        if let Some(spared) = &mut self.spared {
            if let Some(path) = spared.pop() {
                return Ok(Event::Skipped { path });
            }
            self.spared = None;
            return Ok(Event::Done { totals: self.totals });
        }
        if self.crawl.is_none() {
            let start = CUrl::parse(self.origin.as_str()).map_err(|error| bad("origin", error))?;
            self.crawl = Some(Crawl::resume(&start, self.site.clone(), CrawlPolicy::default()));
            self.requested.clear();
            self.totals = Totals::default();
            self.count_html();
        }
        loop {
            let Some(crawl) = self.crawl.as_mut() else { return self.next_event() };
            match crawl.next(&self.pages, self.now) {
                CrawlNext::Send(wanted) => return self.exchange(&wanted),
                CrawlNext::Page(report) => return Ok(self.take(*report)),
                CrawlNext::Site(event) => {
                    return Ok(Event::Site { code: event.code().to_owned(), message: event.to_string() });
                }
                CrawlNext::Wait => {
                    let until = crawl.wake_at(self.now).unwrap_or(UnixSeconds(self.now.0 + 1));
                    let seconds = until.0.saturating_sub(self.now.0).max(1);
                    self.advance(seconds);
                    return Ok(Event::Waited { seconds });
                }
                CrawlNext::Done => self.finish(),
                _ => {}
            }
        }
    }

    fn exchange(&mut self, wanted: &CrawlRequest) -> Result<Event, Failure> {
        let request = &wanted.request;
        let path = request.uri().path().to_owned();
        let (what, answer) = self.published.answer(&path, request.method(), request.headers());
        let text = |headers: &HeaderMap, name| {
            headers
                .get(name)
                .map(|value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let event = Event::Exchange {
            what,
            if_none_match: text(request.headers(), header::IF_NONE_MATCH),
            status: answer.status().as_u16(),
            etag: text(answer.headers(), header::ETAG),
            bytes: answer.body().len(),
            path: path.clone(),
        };
        self.totals.requests += 1;
        self.totals.not_modified += u64::from(answer.status() == StatusCode::NOT_MODIFIED);
        self.totals.bytes += answer.body().len() as u64;
        if what == "twin" {
            self.requested.insert(page_of(&path));
        }
        if let Some(crawl) = self.crawl.as_mut() {
            crawl
                .on_response(wanted.id, &wanted.url, &answer, &self.pages, self.now)
                .map_err(|error| bad("visit", error))?;
        }
        Ok(event)
    }

    fn take(&mut self, report: tct::PageReport) -> Event {
        let outcome = match &report.event {
            PageEvent::Visited(outcome) => outcome.to_string(),
            _ => "unlisted".to_owned(),
        };
        let path = page_of(&report.key);
        let text = match report.body() {
            BodyChange::Store(json) => {
                self.totals.stored += 1;
                let text = serde_json::from_slice::<serde_json::Value>(json).ok();
                text.and_then(|payload| Some(payload.get("content")?.as_str()?.to_owned()))
            }
            BodyChange::Forget => {
                self.texts.remove(&report.key);
                None
            }
            BodyChange::Keep => None,
        };
        if let Some(text) = &text {
            self.texts.insert(report.key.clone(), text.clone());
        }
        let hash = report.state.as_ref().and_then(|state| Some(state.held.as_ref()?.hash.to_string()));
        match report.state {
            Some(state) => drop(self.pages.insert(report.key, state)),
            None => {
                self.texts.remove(&report.key);
                self.pages.remove(&report.key);
            }
        }
        Event::Page { path, outcome, hash, text }
    }

    /// The visit's end: what it leaves behind, and the pages that were spared, which are told next.
    fn finish(&mut self) {
        if let Some(crawl) = self.crawl.take() {
            self.site = crawl.site().clone();
        }
        let listed = self.published.offered.iter().rev().map(|page| &page.path);
        let spared: Vec<String> = listed.filter(|path| !self.requested.contains(*path)).cloned().collect();
        self.totals.skipped = spared.len() as u64;
        self.spared = Some(spared);
    }

    /// The visit of the other agent, all at once.
    fn count_html(&mut self) {
        for page in &self.published.offered {
            let mut headers = HeaderMap::new();
            if let Some(tag) = self.html_tags.get(&page.path) {
                headers.insert(header::IF_NONE_MATCH, tag.clone());
            }
            let (_, answer) = self.published.answer(&page.path, &Method::GET, &headers);
            self.totals.html_requests += 1;
            self.totals.html_not_modified += u64::from(answer.status() == StatusCode::NOT_MODIFIED);
            self.totals.html_bytes += answer.body().len() as u64;
            if let Some(tag) = answer.headers().get(header::ETAG) {
                self.html_tags.insert(page.path.clone(), tag.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let page = |path: &str, text: &str| SitePage {
            path: path.to_owned(),
            title: text.to_owned(),
            content: format!("<h1>{text}</h1><p>All there is to say of {text}, in a sentence.</p>"),
        };
        Site {
            origin: "https://tea.example".to_owned(),
            template: "<!doctype html><title>{title}</title>{head}<nav>Menu</nav><main>{content}</main>"
                .to_owned(),
            pages: vec![page("/", "Home"), page("/green/", "Green tea"), page("/black/", "Black tea")],
        }
    }

    fn visit(simulation: &mut Simulation) -> (Vec<Event>, Totals) {
        let mut events = Vec::new();
        for _ in 0..1000 {
            match simulation.next_event().unwrap() {
                Event::Done { totals } => return (events, totals),
                event => events.push(event),
            }
        }
        panic!("the visit does not end: {events:?}");
    }

    fn skipped(events: &[Event]) -> usize {
        events.iter().filter(|event| matches!(event, Event::Skipped { .. })).count()
    }

    #[test]
    fn what_each_edit_costs() {
        let mut site = site();
        let mut simulation = Simulation::new(&site, UnixSeconds(1_790_000_000)).unwrap();
        let (_, first) = visit(&mut simulation);
        assert_eq!((first.requests, first.stored, first.skipped), (5, 3, 0));
        assert_eq!((first.html_requests, first.html_not_modified), (3, 0));
        // Nothing changed: one request, for the sitemap, which is answered with 304.
        simulation.advance(60);
        let (events, second) = visit(&mut simulation);
        assert_eq!((second.requests, second.not_modified, second.bytes), (1, 1, 0), "{events:?}");
        assert_eq!((second.skipped, skipped(&events)), (3, 3));
        assert_eq!(second.html_not_modified, 3);
        // The template: every HTML is new, no twin is.
        site.template = site.template.replace("Menu", "Another menu");
        simulation.publish(&site).unwrap();
        let (_, third) = visit(&mut simulation);
        assert_eq!((third.requests, third.bytes, third.skipped), (1, 0, 3));
        assert_eq!((third.html_not_modified, third.html_bytes > 200), (0, true));
        // A page: its twin alone is fetched.
        site.pages[1].content.push_str("<p>And one more.</p>");
        simulation.publish(&site).unwrap();
        let (events, fourth) = visit(&mut simulation);
        assert_eq!((fourth.requests, fourth.stored, fourth.skipped), (2, 1, 2), "{events:?}");
        assert!(simulation.held().iter().any(|held| held.text.ends_with("And one more.")));
        // A week later equality is not trusted any more: each page is asked for, and confirmed.
        simulation.advance(8 * 86_400);
        let (_, fifth) = visit(&mut simulation);
        assert_eq!((fifth.not_modified, fifth.bytes, fifth.skipped), (4, 0, 0));
    }

    #[test]
    fn a_site_that_cannot_be_published_is_refused() {
        let mut wrong = site();
        wrong.origin = "http://site.example".to_owned();
        assert_eq!(Simulation::new(&wrong, UnixSeconds(0)).unwrap_err().code, "bad-site");
        let mut simulation = Simulation::new(&site(), UnixSeconds(0)).unwrap();
        wrong.origin = "https://other.example".to_owned();
        assert_eq!(simulation.publish(&wrong).unwrap_err().code, "bad-site");
    }
}
