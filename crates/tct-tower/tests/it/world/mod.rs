//! A seeded world around the layer: an inner service whose pages change, fail, move, become personal and come in pieces, and
//! visitors who ask for everything at once. The world judges what they get; it knows what each page was at each moment.
//!
//! Time is a count of steps. In each one the world changes something, or lets one request in flight take one more poll, so
//! that requests overlap in any order and some are given up half way.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

mod inner;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use http::header::{
    ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, COOKIE, ETAG, IF_NONE_MATCH, LOCATION, RETRY_AFTER,
    SET_COOKIE, WWW_AUTHENTICATE,
};
use http::response::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use http_body::Body;
use tct::sitemap::Sitemap;
use tct::{Fingerprint, SitemapReader, UnixSeconds};
use tct_tower::{Revisions, Settings, TctLayer, TctService, TwinContent};
use tower::{Layer as _, Service as _};

pub(crate) use inner::{Answering, Dice};
use inner::{Inner, KINDS, Kind, MAX_HTML, Page, SAYINGS, Says, Site, Tags, lock, words};

/// The text of the first paragraph, as Markdown for some pages.
fn content(url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let html = std::str::from_utf8(html).ok()?;
    let text = html.split_once("<p>")?.1.split_once("</p>")?.0;
    let markdown =
        if url.path().len().is_multiple_of(2) { format!("# Title\n\n{text}") } else { String::new() };
    (!text.is_empty()).then(|| TwinContent::new("Title", text, markdown))
}

/// The hash of a page's twin.
fn twin_hash(path: &str, version: u64, is_v03: bool) -> Fingerprint {
    let page = tct::CUrl::parse(&format!("https://example.com{path}")).unwrap();
    let text = words(path, None, version, &HeaderMap::new());
    if !is_v03 {
        return tct::Payload::new(&page, "Title", text).seal().unwrap().fingerprint();
    }
    let is_markdown = path.len().is_multiple_of(2);
    let (text, media_type) = match is_markdown {
        true => (format!("# Title\n\n{text}"), "text/markdown; charset=utf-8"),
        false => (text, "text/plain; charset=utf-8"),
    };
    let document = tct::v03::MUrlDocument::new(page.as_str(), "Title", &text).unwrap();
    let sealed = document.with_content_media_type(media_type).unwrap().seal().unwrap();
    Fingerprint::hash(sealed.body())
}

struct Asked {
    visitor: usize,
    path: String,
    wants_markdown: bool,
    begun: u64,
    answer: Answering<Answer>,
}

type Answer = Result<(Parts, Vec<u8>), String>;

/// The page that an address is about.
fn page_of(path: &str) -> String {
    format!("/{}/", path.trim_start_matches('/').split(['/', '.']).next().unwrap())
}

/// What a run was, so that a test of tests can see that it was about something.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) twins: usize,
    pub(crate) unchanged: usize,
    pub(crate) markdown: usize,
    pub(crate) sitemaps: usize,
    pub(crate) listed: usize,
    pub(crate) pages: usize,
    pub(crate) refused: usize,
    /// Forms of pages that say something against their use.
    pub(crate) denied: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.twins += other.twins;
        self.unchanged += other.unchanged;
        self.markdown += other.markdown;
        self.sitemaps += other.sitemaps;
        self.listed += other.listed;
        self.pages += other.pages;
        self.refused += other.refused;
        self.denied += other.denied;
    }
}

pub(crate) struct World {
    seed: u64,
    dice: Dice,
    site: Arc<Mutex<Site>>,
    layer: TctLayer,
    service: TctService<Inner>,
    listed: Vec<String>,
    listed_since: u64,
    /// Pages that a sitemap had, and that have only failed since.
    was_listed: BTreeSet<String>,
    clock: Arc<Mutex<u64>>,
    has_clock: bool,
    /// Whether the first sitemap is of draft -03.
    is_v03: bool,
    flight: Vec<Asked>,
    /// The tags that visitors got last, by address, and what came with them.
    tags: BTreeMap<String, (HeaderValue, String)>,
    counts: Counts,
    story: String,
}

const PATHS: usize = 12;

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let site = Site { slowness: *dice.pick(&[0, 20, 60]), dice: seed << 20, ..Site::default() };
        let site = Arc::new(Mutex::new(site));
        let clock = Arc::new(Mutex::new(1_000));
        let now = Arc::clone(&clock);
        let checks = *dice.pick(&[0, 2, PATHS]);
        let has_clock = dice.roll(4) == 0;
        let mut settings = Settings::new("https://example.com", content).unwrap();
        let revisions = *dice.pick(&[Revisions::Legacy, Revisions::V03, Revisions::Both]);
        settings = settings.with_revisions(revisions).unwrap();
        settings = settings.with_queries(["id"]).with_max_html_bytes(MAX_HTML).with_sitemap_checks(checks);
        settings = settings.with_max_cache_bytes(*dice.pick(&[0, 10_000, 40_000, 64 << 20]));
        if has_clock {
            settings = settings.with_sitemap_age(50, move || UnixSeconds(*now.lock().unwrap()));
        }
        let layer = TctLayer::new(settings);
        let service = layer.layer(Inner { site: Arc::clone(&site), is_ready: false });
        let mut world = World {
            seed,
            dice,
            site,
            layer,
            service,
            listed: Vec::new(),
            listed_since: 0,
            was_listed: BTreeSet::new(),
            clock,
            has_clock,
            is_v03: revisions == Revisions::V03,
            flight: Vec::new(),
            tags: BTreeMap::new(),
            counts: Counts::default(),
            story: String::new(),
        };
        for _ in 0..PATHS {
            world.change_page();
        }
        world.change_list();
        world
    }

    fn tell(&mut self, what: std::fmt::Arguments<'_>) {
        let at = lock(&self.site).clock;
        writeln!(self.story, "{at:5} {what}").unwrap();
    }

    fn change_page(&mut self) {
        let path = format!("/p{}/", self.dice.roll(PATHS));
        let kind = if self.dice.roll(2) == 0 { Kind::Public } else { *self.dice.pick(KINDS) };
        let tags = *self.dice.pick(&[Tags::None, Tags::OfAll, Tags::OfText]);
        let (keeps_text, is_hasty) = (self.dice.roll(3) == 0, self.dice.roll(4) == 0);
        let mut says = if self.dice.roll(2) == 0 { Says::Nothing } else { *self.dice.pick(SAYINGS) };
        let site = &mut *lock(&self.site);
        site.clock += 1;
        let before = site.pages.get(&path).filter(|_| keeps_text);
        // The same text under another rule, or another text.
        let (version, tags) = before.map_or((site.clock, tags), |before| (before.version, before.tags));
        // A 304 without a field leaves what an earlier answer said.
        if before.is_some() && tags == Tags::OfText && says.denial().is_none() {
            says = Says::All;
        }
        let page = Page { kind, version, tags, says, is_hasty, since: site.clock };
        let fails = kind.fails();
        if !fails {
            self.was_listed.remove(&path);
        }
        site.pages.insert(path.clone(), page);
        writeln!(self.story, "{:5} {path} is {page:?}", site.clock).unwrap();
        // Whoever tells of changes tells after them.
        self.layer.page_changed(&path);
    }

    fn change_list(&mut self) {
        let some = self.dice.roll(PATHS + 1);
        self.listed = (0..some).map(|_| format!("/p{}/", self.dice.roll(PATHS))).collect();
        self.layer.set_pages(&self.listed);
        self.was_listed.clear();
        self.listed_since = lock(&self.site).clock;
        let listed = format!("{:?}", self.listed);
        self.tell(format_args!("listed are {listed}"));
    }

    fn ask(&mut self) {
        let visitor = self.dice.roll(4);
        let page = self.dice.roll(PATHS);
        let query = match self.dice.roll(6) {
            0 => format!("?id={}", self.dice.roll(3)),
            1 => format!("?n=visitor-{visitor}"),
            _ => String::new(),
        };
        let path = match self.dice.roll(8) {
            0 => "/llm-sitemap.json".to_owned(),
            1 => "/m-sitemap.json".to_owned(),
            2 | 3 => format!("/p{page}/llm/{query}"),
            4 => format!("/p{page}/m/{query}"),
            5 => format!("/p{page}.md{query}"),
            _ => format!("/p{page}/{query}"),
        };
        let wants_markdown = self.dice.roll(2) == 0;
        let mut request = Request::builder().uri(&path);
        if self.dice.roll(8) == 0 {
            request = request.method(Method::HEAD);
        }
        if wants_markdown {
            request = request.header(ACCEPT, "text/markdown");
        }
        let own = format!("visitor-{visitor}");
        for name in [
            COOKIE,
            AUTHORIZATION,
            ACCEPT_LANGUAGE,
            HeaderName::from_static("x-forwarded-user"),
            HeaderName::from_static("x-forwarded-for"),
            HeaderName::from_static("x-anything"),
        ] {
            if self.dice.roll(2) == 0 {
                request = request.header(name, &own);
            }
        }
        if let Some((tag, _)) = self.tags.get(&path).filter(|_| self.dice.roll(3) == 0) {
            request = request.header(IF_NONE_MATCH, tag);
        }
        let request = request.body(()).unwrap();
        let answer = self.send(request);
        self.tell(format_args!("visitor {visitor} asks for {path}"));
        let begun = lock(&self.site).clock;
        self.flight.push(Asked { visitor, path, wants_markdown, begun, answer });
    }

    /// A request and the whole of its answer, on its way.
    fn send(&self, request: Request<()>) -> Answering<Answer> {
        let mut service = self.service.clone();
        Box::pin(async move {
            let failed = |error: std::io::Error| error.to_string();
            std::future::poll_fn(|cx| service.poll_ready(cx)).await.map_err(failed)?;
            let (head, mut body) = service.call(request).await.map_err(failed)?.into_parts();
            let mut bytes = Vec::new();
            while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
                bytes.extend(frame.map_err(failed)?.into_data().unwrap_or_default());
            }
            Ok((head, bytes))
        })
    }

    /// One step of the world.
    pub(crate) fn step(&mut self) {
        lock(&self.site).clock += 1;
        match self.dice.roll(40) {
            0 => self.change_page(),
            1 if self.dice.roll(8) == 0 => self.change_list(),
            2 if !self.flight.is_empty() => {
                let given_up = self.dice.roll(self.flight.len());
                let asked = self.flight.swap_remove(given_up);
                self.tell(format_args!("visitor {} gives up {}", asked.visitor, asked.path));
            }
            3 => {
                let mut clock = self.clock.lock().unwrap();
                *clock = (*clock + self.dice.roll(40) as u64).saturating_sub(10);
            }
            4..8 if self.flight.len() < 6 => self.ask(),
            _ => self.advance(),
        }
    }

    fn advance(&mut self) {
        if self.flight.is_empty() {
            return self.ask();
        }
        let place = self.dice.roll(self.flight.len());
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(answer) = self.flight[place].answer.as_mut().poll(&mut context) {
            let asked = self.flight.swap_remove(place);
            match answer {
                Ok((head, body)) => self.judge(&asked, &head, &body),
                Err(error) => {
                    self.tell(format_args!("visitor {} gets no {}: {error}", asked.visitor, asked.path))
                }
            }
        }
    }

    /// Lets all that was asked for be answered, without any further change.
    pub(crate) fn settle(&mut self) {
        while !self.flight.is_empty() {
            lock(&self.site).clock += 1;
            self.advance();
        }
    }

    fn fail(&self, what: &str, asked: &Asked, head: &Parts, body: &[u8]) -> ! {
        let lines: Vec<&str> = self.story.lines().collect();
        panic!(
            "seed {}: {what}\nvisitor {} asked for {} at {}\n{head:?}\n{}\n--- the story, at its end\n{}",
            self.seed,
            asked.visitor,
            asked.path,
            asked.begun,
            String::from_utf8_lossy(body),
            lines[lines.len().saturating_sub(40)..].join("\n")
        );
    }

    /// What the world knows of an answer.
    fn judge(&mut self, asked: &Asked, head: &Parts, body: &[u8]) {
        self.tell(format_args!("visitor {} gets {} of {}", asked.visitor, head.status, asked.path));
        let text = String::from_utf8_lossy(body);
        let fail = |what: &str| self.fail(what, asked, head, body);

        // No visitor ever gets bytes that were made for another, and what is served to all was made for nobody.
        for made_for in text.split(" for [").skip(1).filter_map(|rest| rest.split(']').next()) {
            let is_own = made_for == asked.visitor.to_string() || made_for == "nobody";
            if !is_own {
                fail("bytes that were made for another visitor");
            }
        }
        let (path, query) =
            asked.path.split_once('?').map_or((asked.path.as_str(), None), |(p, q)| (p, Some(q)));
        let is_sitemap = path.ends_with("sitemap.json");
        let is_layers = head.headers.get(CONTENT_TYPE).is_some_and(|found| {
            let found = found.to_str().unwrap();
            found.starts_with("application/json") || found.starts_with("text/markdown")
        });
        if is_layers && head.headers.contains_key(SET_COOKIE) {
            fail("a cookie with what everybody gets");
        }
        if is_layers && text.contains(" for [") && !text.contains(" for [nobody]") {
            fail("what everybody gets was made for one visitor");
        }
        // Statuses come with the fields that they need.
        let has = |name: HeaderName| head.headers.contains_key(name);
        let needs = match head.status {
            StatusCode::UNAUTHORIZED => Some(WWW_AUTHENTICATE),
            status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => Some(LOCATION),
            _ => None,
        };
        if let Some(name) = needs.filter(|name| !has(name.clone())) {
            fail(&format!("{} without {name}", head.status));
        }
        if is_sitemap {
            if head.status == StatusCode::SERVICE_UNAVAILABLE && !has(RETRY_AFTER) {
                fail("503 without Retry-After");
            }
            self.judge_sitemap(asked, head, body);
            return;
        }
        let of_tag =
            head.headers.get(ETAG).and_then(|tag| self.tags.get(&asked.path).filter(|(held, _)| held == tag));
        if head.status == StatusCode::NOT_MODIFIED
            && let Some((_, held)) = of_tag
        {
            let page = lock(&self.site).pages.get(&page_of(path)).copied();
            if let Some(page) = page.filter(|page| page.since < asked.begun && page.kind == Kind::Public)
                && !held.contains(&words(&page_of(path), query, page.version, &HeaderMap::new()))
            {
                fail("304 for what the page was before");
            }
            self.counts.denied += usize::from(self.judge_terms(asked, head, body, page));
            self.counts.unchanged += 1;
            return;
        }
        if !is_layers {
            self.counts.pages += usize::from(head.status == StatusCode::OK);
            self.counts.refused +=
                usize::from(head.status.is_client_error() || head.status.is_server_error());
            return;
        }
        // A query that nobody declared has no twin and no Markdown.
        if query.is_some_and(|query| !query.starts_with("id=")) {
            fail("a twin of a query that was not declared");
        }
        let page_path = page_of(path);
        // Whoever keeps a page from visitors asks the layer which page an address shows.
        let shown =
            [page_path.as_str(), query.unwrap_or_default()].join(if query.is_some() { "?" } else { "" });
        if !self.layer.addresses_of(&asked.path).contains(&shown) {
            fail("a page at an address that is not said to be of it");
        }
        let page = lock(&self.site).pages.get(&page_path).copied();
        // Where the page did not change while it was asked for, the answer is what it is now, and it is one for all.
        // A service that says of a tag that it gave that nothing changed is believed.
        if let Some(page) = page.filter(|page| page.since < asked.begun && page.kind != Kind::Lying) {
            if page.kind != Kind::Public && page.kind != Kind::Cut {
                fail("a twin of a page that is not for everybody");
            }
            let words = words(&page_path, query, page.version, &HeaderMap::new());
            if !body.is_empty() && !text.contains(&words) {
                fail("a twin of what the page was before");
            }
        }
        let is_denied = self.judge_terms(asked, head, body, page);
        let tag = head.headers.get(ETAG).cloned();
        let Some(tag) = tag else { fail("a twin without a tag") };
        let hash = tag.to_str().unwrap().trim_matches('"').to_owned();
        if text.starts_with('{') && !text.contains("\"hash\"") && !text.is_empty() {
            // Draft -03: the tag is the hash of just these bytes.
            if Fingerprint::hash(body).to_string() != hash {
                fail("a twin that is not what its tag says");
            }
        } else if text.starts_with('{') {
            // Drafts -00 and -01: the tag is the hash of the other members, and stands in the payload.
            if !text.contains(&hash) {
                fail("a payload whose hash is not its tag");
            }
            if tct::sealing::check_hash(body) != Ok(tct::sealing::HashCheck::MatchesA) {
                fail("a payload that does not have its hash");
            }
        }
        self.counts.denied += usize::from(is_denied);
        if is_layers
            && asked.wants_markdown
            && path.ends_with('/')
            && !path.ends_with("llm/")
            && !path.ends_with("m/")
        {
            self.counts.markdown += 1;
        } else {
            self.counts.twins += 1;
        }
        if !body.is_empty() {
            self.tags.insert(asked.path.clone(), (tag, text.into_owned()));
        }
    }

    /// A denial of the page stands on each of its forms.
    fn judge_terms(&self, asked: &Asked, head: &Parts, body: &[u8], page: Option<Page>) -> bool {
        let status = head.status;
        let shows = matches!(status, StatusCode::OK | StatusCode::PARTIAL_CONTENT | StatusCode::NOT_MODIFIED);
        let is_known =
            |page: &Page| page.since < asked.begun && matches!(page.kind, Kind::Public | Kind::Cut);
        let Some(page) = page.filter(|page| shows && is_known(page)) else { return false };
        if matches!(page.says, Says::Unsayable(_)) {
            self.fail("a form of a page whose terms no field says", asked, head, body);
        }
        let Some((name, value)) = page.says.denial() else { return false };
        if !head.headers.get_all(name).iter().any(|line| line.as_bytes() == value) {
            self.fail(&format!("{page:?} says so, and a form of it does not"), asked, head, body);
        }
        true
    }

    fn judge_sitemap(&mut self, asked: &Asked, head: &Parts, body: &[u8]) {
        if head.status != StatusCode::OK || body.is_empty() {
            return;
        }
        let fail = |what: &str| self.fail(what, asked, head, body);
        let mut listed = Sitemap::new();
        if listed.read(body, SitemapReader::any_origin()).is_err() {
            fail("a sitemap that cannot be read");
        }
        let is_settled = self.listed_since < asked.begun;
        let mut found = BTreeMap::new();
        for item in listed.pages() {
            let path = item.c_url.replace("https://example.com", "");
            if is_settled && !self.listed.contains(&path) {
                fail("a page in the sitemap that nobody lists");
            }
            found.insert(path, item.hash);
        }
        if self.has_clock && is_settled {
            self.counts.sitemaps += 1;
            return;
        }
        let (mut right, mut seen) = (0, Vec::new());
        // Every change is told of: whoever asks after it gets a sitemap that knows.
        for path in self.listed.iter().filter(|_| is_settled) {
            let Some(page) = lock(&self.site).pages.get(path).copied() else { continue };
            if page.since >= asked.begun {
                continue;
            }
            match (page.kind, found.get(path)) {
                (Kind::Public, None) if !page.says.may_be_listed() => {}
                (Kind::Public, Some(_)) if !page.says.may_be_listed() => {
                    fail(&format!("{path} is not to be found, and listed"))
                }
                (Kind::Public, None) => fail(&format!("{path} is for everybody, and not listed")),
                (Kind::Public, Some(hash)) => {
                    // The hash of its twin as it is now, by what `tct` makes of the text.
                    if *hash
                        != Some(twin_hash(path, page.version, asked.path.starts_with("/m-") || self.is_v03))
                    {
                        fail(&format!("{path} is listed as it was before"));
                    }
                    right += 1;
                    seen.push(path.clone());
                }
                (kind, None)
                    if kind.fails() && self.was_listed.contains(path) && page.says.may_be_listed() =>
                {
                    fail(&format!("{path} was listed and fails now, and is listed no more"))
                }
                // What cannot be had now may be listed as it was.
                (_, None) => {}
                (kind, Some(_)) if kind.fails() => {}
                (kind, Some(_)) => fail(&format!("{path} is {kind:?}, and listed")),
            }
        }
        // What is seen while others wait is known: their answers are to later questions, or come too late.
        self.was_listed.extend(seen);
        self.counts.listed += right;
        self.counts.sitemaps += 1;
    }

    /// What is listed answers, with the tag that the sitemap says: asked for while nothing changes.
    pub(crate) fn ask_for_all_that_is_listed(&mut self) {
        self.settle();
        let now = |world: &mut World, path: &str| {
            let mut answer = world.send(Request::builder().uri(path).body(()).unwrap());
            loop {
                if let Poll::Ready(answer) = answer.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    return answer;
                }
            }
        };
        *self.clock.lock().unwrap() += 1_000;
        for sitemap in ["/llm-sitemap.json", "/m-sitemap.json"] {
            let Ok((head, body)) = now(self, sitemap) else { continue };
            let mut listed = Sitemap::new();
            if head.status != StatusCode::OK || listed.read(&body, SitemapReader::any_origin()).is_err() {
                continue;
            }
            for item in listed.pages() {
                let twin = item.m_url.trim_start_matches("https://example.com");
                let page = page_of(twin);
                let kind = lock(&self.site).pages.get(&page).map(|page| page.kind);
                if kind != Some(Kind::Public) {
                    continue;
                }
                let (head, body) = now(self, twin).unwrap();
                let asked = Asked {
                    visitor: 0,
                    path: twin.to_owned(),
                    wants_markdown: false,
                    begun: lock(&self.site).clock,
                    answer: Box::pin(std::future::pending()),
                };
                if head.status != StatusCode::OK {
                    self.fail("what is listed does not answer", &asked, &head, &body);
                }
                let tag = head.headers[ETAG].to_str().unwrap().trim_matches('"').to_owned();
                if item.hash.map(|hash| hash.to_string()) != Some(tag) {
                    self.fail("what is listed has another tag", &asked, &head, &body);
                }
            }
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }
}
