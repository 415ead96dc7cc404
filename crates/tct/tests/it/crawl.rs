//! Whole crawls against a site in memory, on virtual time: what is sent, what is stored, what is said.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;
use std::collections::{BTreeMap, VecDeque};

use http::{Method, Response, header};
use tct::crawl::{BodyChange, CrawlErrorKind, CrawlRequest, PageEvent, RequestKind, SiteEvent};
use tct::link::{link_policy, link_sitemap};
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, MUrl, Outcome, PageState, Payload, Representation, SiteState,
    SitemapBudget, SitemapEntry, UnixSeconds, plan_response, write_sitemaps,
};
use url::Url;

type Body = Response<Vec<u8>>;

/// A publisher: what stands at each path, and what is answered instead.
#[derive(Default)]
struct Site {
    resources: BTreeMap<String, (Representation, Vec<u8>)>,
    instead: BTreeMap<String, VecDeque<Body>>,
}

fn url(path: &str) -> Url {
    Url::parse("https://example.com").unwrap().join(path).unwrap()
}

fn status(status: u16, fields: &[(header::HeaderName, &str)]) -> Body {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
    for (name, value) in fields {
        response.headers_mut().append(name.clone(), value.parse().unwrap());
    }
    response
}

impl Site {
    /// A site with these pages, a sitemap of them, and a front page that links it.
    fn of(pages: &[(&str, &str)]) -> Self {
        let mut site = Site::default();
        site.publish(pages);
        let html = b"<!doctype html><title>Home</title>".to_vec();
        let home = Representation::of_bytes(&html).with_content_type("text/html".parse().unwrap());
        site.put("/", home.with_link(link_sitemap(&url("/llm-sitemap.json"))), html);
        site
    }

    fn put(&mut self, path: &str, representation: Representation, body: Vec<u8>) {
        self.resources.insert(path.to_owned(), (representation, body));
    }

    /// Publishes these pages and no others in the sitemap. Twins that were there stay.
    fn publish(&mut self, pages: &[(&str, &str)]) {
        let mut entries = Vec::new();
        for (path, text) in pages {
            let page = CUrl::from_url(url(path), &Default::default()).unwrap();
            let twin = format!("{path}llm/");
            let sealed = Payload::new(&page, *path, *text).seal().unwrap();
            let m_url = MUrl::from_url(url(&twin), &Default::default()).unwrap();
            entries.push(SitemapEntry::new(page.clone(), m_url, sealed.fingerprint()));
            self.put(&twin, sealed.representation(&page), sealed.into_body());
        }
        let sitemap = write_sitemaps(entries, SitemapBudget::default()).unwrap().remove(0);
        self.put("/llm-sitemap.json", Representation::of_bytes(&sitemap), sitemap);
    }

    fn instead(&mut self, path: &str, answers: impl IntoIterator<Item = Body>) {
        self.instead.insert(path.to_owned(), answers.into_iter().collect());
    }

    fn answer(&mut self, request: &http::Request<()>) -> Body {
        let path = request.uri().path().to_owned();
        if let Some(answer) = self.instead.get_mut(&path).and_then(VecDeque::pop_front) {
            return answer;
        }
        match self.resources.get(&path) {
            None => status(404, &[]),
            Some((representation, body)) => {
                plan_response(request.method(), request.headers(), representation)
                    .into_http(body.len(), |range| body[range].to_vec())
            }
        }
    }
}

/// What an agent holds, and what its last crawl came to.
#[derive(Default)]
struct Agent {
    pages: BTreeMap<String, PageState>,
    bodies: BTreeMap<String, Vec<u8>>,
    site: SiteState,
    now: u64,
    requests: Vec<String>,
    events: Vec<SiteEvent>,
    reports: Vec<(String, String)>,
    /// Paths of the twins that leave the page's HTML as the last resort.
    last_resort: Vec<String>,
}

impl Agent {
    fn crawl(&mut self, site: &mut Site) {
        self.crawl_from("/", site, CrawlPolicy::default());
    }

    fn crawl_from(&mut self, start: &str, site: &mut Site, policy: CrawlPolicy) {
        let start = CUrl::from_url(url(start), &Default::default()).unwrap();
        let crawl = Crawl::resume(&start, self.site.clone(), policy);
        self.run(crawl, site, usize::MAX);
    }

    /// Runs a crawl; stops after so many reports, as a crash would.
    fn run(&mut self, mut crawl: Crawl, site: &mut Site, most: usize) {
        (self.requests, self.events, self.reports, self.last_resort) = Default::default();
        let mut turns = 0;
        loop {
            turns += 1;
            assert!(turns < 10_000, "the crawl does not end");
            let now = UnixSeconds(self.now);
            match crawl.next(&self.pages, now) {
                CrawlNext::Send(CrawlRequest { id, request, .. }) => {
                    let condition = request.headers().contains_key(header::IF_NONE_MATCH);
                    let mark = if condition { "?" } else { "" };
                    self.requests.push(format!("{}{mark}", request.uri().path()));
                    assert_eq!(request.method(), Method::GET);
                    let from = Url::parse(&request.uri().to_string()).unwrap();
                    let answer = site.answer(&request);
                    crawl.on_response(id, &from, &answer, &self.pages, now).unwrap();
                }
                CrawlNext::Page(report) => {
                    if self.reports.len() == most {
                        return;
                    }
                    self.take(*report);
                }
                CrawlNext::Site(event) => self.events.push(event),
                CrawlNext::Wait => self.now = crawl.wake_at(now).expect("something to wait for").0,
                CrawlNext::Done => break,
                other => panic!("{other:?}"),
            }
        }
        self.site = serde_json::from_str(&serde_json::to_string(crawl.site()).unwrap()).unwrap();
        self.check();
    }

    fn take(&mut self, report: tct::PageReport) {
        let what = match &report.event {
            PageEvent::Visited(outcome) => outcome.name(),
            PageEvent::Unlisted => "unlisted",
            _ => "listed",
        };
        let path = Url::parse(&report.key).unwrap().path().to_owned();
        if report.needs_html() {
            self.last_resort.push(path.clone());
        }
        self.reports.push((path, what.to_owned()));
        match report.body() {
            BodyChange::Store(json) => drop(self.bodies.insert(report.key.clone(), json.to_vec())),
            BodyChange::Forget => drop(self.bodies.remove(&report.key)),
            BodyChange::Keep => {}
        }
        match report.state {
            Some(state) => {
                let json = serde_json::to_string(&state).unwrap();
                assert_eq!(serde_json::from_str::<PageState>(&json).unwrap(), state);
                drop(self.pages.insert(report.key, state));
            }
            None => {
                self.bodies.remove(&report.key);
                self.pages.remove(&report.key);
            }
        }
    }

    /// What counts as held is the hash of the stored body.
    fn check(&self) {
        for (key, state) in &self.pages {
            let body =
                self.bodies.get(key).map(|body| serde_json::from_slice::<serde_json::Value>(body).unwrap());
            let hash = body.as_ref().and_then(|body| body["hash"].as_str());
            assert_eq!(state.held.as_ref().map(|held| held.hash.to_string()).as_deref(), hash, "{key}");
        }
    }

    fn codes(&self) -> Vec<&'static str> {
        self.events.iter().map(SiteEvent::code).collect()
    }
}

const PAGES: [(&str, &str); 3] = [("/a/", "Text of a."), ("/b/", "Text of b."), ("/c/", "Text of c.")];

fn crawled() -> (Agent, Site) {
    let (mut agent, mut site) = (Agent { now: 1_760_000_000, ..Agent::default() }, Site::of(&PAGES));
    agent.crawl(&mut site);
    assert_eq!(agent.pages.len(), 3);
    agent.now += 60;
    (agent, site)
}

#[test]
#[covers("TCT-COND-11")]
fn the_first_crawl_fetches_all_and_the_second_nothing() {
    let (mut agent, mut site) = (Agent { now: 1_000_000, ..Agent::default() }, Site::of(&PAGES));
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/", "/llm-sitemap.json", "/a/llm/", "/b/llm/", "/c/llm/"]);
    assert!(agent.reports.iter().all(|(_, outcome)| outcome == "store"), "{:?}", agent.reports);
    // The sitemap is asked for conditionally, and a 304 keeps its items.
    agent.crawl(&mut site);
    assert_eq!(
        (agent.requests.as_slice(), agent.reports.len()),
        (["/llm-sitemap.json?".to_owned()].as_slice(), 0)
    );
    assert_eq!(agent.codes(), ["sitemap-read"]);
    // Without validators the sitemap is read anew, and every page is skipped.
    agent.site.sitemaps[0].etag = None;
    agent.crawl(&mut site);
    assert_eq!((agent.requests.len(), agent.reports.len()), (1, 0));
    // A change costs two requests.
    site.publish(&[("/a/", "Another text."), PAGES[1], PAGES[2]]);
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/a/llm/?"]);
    assert_eq!(agent.reports, [("/a/llm/".to_owned(), "store".to_owned())]);
}

/// One store was given to the crawls of several sites: nobody is asked for another's pages, by another's policy, and what is
/// held of the others stays as it is.
#[test]
fn a_store_of_several_sites_leads_no_crawl_to_another() {
    let (mut agent, mut site) = crawled();
    let policy = "https://example.com/llm-policy.json";
    let resource: serde_json::Value = serde_json::json!({ "url": policy, "validated_at": agent.now });
    let mut known = serde_json::to_value(&agent.site).unwrap();
    known["policy"] = resource;
    known["policy_json"] =
        r#"{"profile":"tct-policy-1","version":1,"rights":{"allow_ai_input":false}}"#.into();
    for (start, sitemap, is_known) in [
        ("https://other.example/", 200, false),
        ("https://other.example/", 200, true),
        ("https://other.example/", 503, true),
        ("https://example.com:8443/", 200, true),
        ("https://example.co/", 200, true),
    ] {
        let start = CUrl::parse(start).unwrap();
        let held: SiteState =
            if is_known { serde_json::from_value(known.clone()).unwrap() } else { SiteState::default() };
        let mut crawl = Crawl::resume(&start, held, CrawlPolicy::default());
        let (mut now, mut asked) = (UnixSeconds(agent.now), 0);
        loop {
            match crawl.next(&agent.pages, now) {
                CrawlNext::Send(CrawlRequest { id, url, .. }) => {
                    asked += 1;
                    assert_eq!(url.origin(), start.as_url().origin(), "{start}: {url}");
                    let link = "</llm-sitemap.json>; rel=\"index\"; type=\"application/json\"";
                    let mut answer = match url.path() {
                        "/" => status(200, &[(header::CONTENT_TYPE, "text/html"), (header::LINK, link)]),
                        _ => status(404, &[]),
                    };
                    if url.path() == "/llm-sitemap.json" {
                        answer = status(sitemap, &[(header::CONTENT_TYPE, "application/json")]);
                        *answer.body_mut() = br#"{"version":1,"profile":"tct-1","items":[]}"#.to_vec();
                    }
                    crawl.on_response(id, &url, &answer, &agent.pages, now).unwrap();
                }
                CrawlNext::Page(report) => panic!("{start}: {report:?}"),
                CrawlNext::Wait => now = crawl.wake_at(now).unwrap(),
                CrawlNext::Done => break,
                _ => {}
            }
        }
        assert!(asked > 1, "{start}: another site's denial is not its own");
    }

    // Pages of others, before and behind its own in the order of keys, do not hide that one of its own is gone.
    let state = agent.pages.values().next().unwrap().clone();
    let others = [
        "https://a.example",
        "https://example.com-a.example",
        "https://example.com.example",
        "https://example.com:1",
    ];
    for origin in others.iter().chain(&["https://z.example"]) {
        for name in ["a", "b", "c"] {
            let (key, c_url) = (format!("{origin}/{name}/llm/"), format!("{origin}/{name}/"));
            let mut state = state.clone();
            (state.m_url, state.c_url, state.held) = (key.clone(), c_url, None);
            agent.pages.insert(key, state);
        }
    }
    site.publish(&PAGES[..2]);
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/c/llm/?"]);
    let of_c = |what: &str| ("/c/llm/".to_owned(), what.to_owned());
    assert_eq!(agent.reports, [of_c("unlisted"), of_c("keep")]);
}

#[test]
fn pages_are_checked_again_after_a_week_though_the_sitemap_stays() {
    let (mut agent, mut site) = crawled();
    agent.now += 8 * 86_400;
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/a/llm/?", "/b/llm/?", "/c/llm/?"]);
    assert!(agent.reports.iter().all(|(_, outcome)| outcome == "keep"));
}

/// What answers to a sitemap's request mean, a row each; in all of them nothing that is held is lost.
#[test]
fn no_answer_of_a_sitemap_loses_what_is_held() {
    let sitemap = "/llm-sitemap.json";
    let rows: [(&str, Vec<Body>, &[&str], usize); 10] = [
        ("503", vec![status(503, &[]); 3], &["sitemap-unavailable"], 1),
        ("503 once", vec![status(503, &[(header::RETRY_AFTER, "7")])], &["sitemap-read"], 1),
        (
            "301",
            vec![status(301, &[(header::LOCATION, "/moved.json")])],
            &["sitemap-moved", "sitemap-missing", "sitemap-missing", "sitemap-read"],
            1,
        ),
        (
            "elsewhere",
            vec![status(302, &[(header::LOCATION, "https://evil.example/")])],
            &["sitemap-refused"],
            1,
        ),
        ("401", vec![status(401, &[])], &["sitemap-missing"], 1),
        ("404", vec![status(404, &[])], &["sitemap-missing", "no-sitemap"], 0),
        ("501", vec![status(501, &[])], &["sitemap-refused"], 1),
        ("304 unasked", vec![status(304, &[])], &["sitemap-read"], 1),
        (
            "html",
            vec![{
                let mut page = status(200, &[]);
                *page.body_mut() = b"<html>".to_vec();
                page
            }],
            &["sitemap-broken"],
            1,
        ),
        (
            "cut",
            vec![{
                let mut cut = status(200, &[]);
                *cut.body_mut() = br#"{"items":["#.to_vec();
                cut
            }],
            &["sitemap-broken"],
            1,
        ),
    ];
    for (name, answers, codes, known) in rows {
        let (mut agent, mut site) = crawled();
        site.instead(sitemap, answers);
        if name == "301" {
            // Nothing stands at the new place: the front page is asked again.
            agent.crawl(&mut site);
            assert_eq!(agent.site.sitemaps.len(), 0, "{name}");
            continue;
        }
        if name == "404" {
            site.resources.remove("/");
            site.resources.remove(sitemap);
        }
        agent.crawl(&mut site);
        assert_eq!(agent.pages.len(), 3, "{name}");
        if name != "404" {
            assert_eq!(agent.codes(), codes, "{name}");
        }
        assert_eq!(agent.site.sitemaps.len(), known, "{name}: {:?}", agent.site);
        // And the next crawl is as ever.
        agent.now += 90_000;
        if known == 1 {
            agent.crawl(&mut site);
            assert!(agent.codes().ends_with(&["sitemap-read"]), "{name}: {:?}", agent.codes());
        }
    }
}

#[test]
fn a_sitemap_that_moved_is_remembered_at_its_new_place() {
    let (mut agent, mut site) = crawled();
    let moved = site.resources["/llm-sitemap.json"].clone();
    site.put("/new.json", moved.0, moved.1);
    site.instead("/llm-sitemap.json", [status(308, &[(header::LOCATION, "/new.json")])]);
    agent.crawl(&mut site);
    // The tag is the old address's: the new one may use it for another file.
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/new.json"]);
    assert_eq!(agent.codes(), ["sitemap-moved", "sitemap-read"]);
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/new.json?"]);
}

/// A redirect for now: the address stays, and the tag is asked about where it came from.
#[test]
fn a_sitemap_elsewhere_for_now_is_asked_about_there() {
    let (mut agent, mut site) = crawled();
    let moved = site.resources["/llm-sitemap.json"].clone();
    site.put("/new.json", moved.0, moved.1);
    site.instead("/llm-sitemap.json", vec![status(307, &[(header::LOCATION, "/new.json")]); 3]);
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/new.json"]);
    for _ in 0..2 {
        agent.crawl(&mut site);
        assert_eq!(agent.requests, ["/llm-sitemap.json", "/new.json?"]);
        assert_eq!(agent.codes(), ["sitemap-read"]);
    }
}

/// A twin that the sitemap lists for another page than before is asked for without a condition, as if it were new, and
/// what was held of the other page goes.
#[test]
#[covers("TCT-CANON-2")]
fn a_twin_that_is_listed_for_another_page_says_whose_it_is() {
    let relisted = |agent: &mut Agent, answer: Option<Body>| {
        let (_, mut site) = crawled();
        let sitemap = String::from_utf8(site.resources["/llm-sitemap.json"].1.clone()).unwrap();
        let sitemap =
            sitemap.replace(r#""https://example.com/a/""#, r#""https://example.com/other/""#).into_bytes();
        site.put("/llm-sitemap.json", Representation::of_bytes(&sitemap), sitemap);
        site.instead("/a/llm/", answer);
        agent.crawl(&mut site);
        assert_eq!(agent.requests, ["/llm-sitemap.json?", "/a/llm/"]);
        assert_eq!(agent.bodies.len(), 2);
    };
    let (mut agent, _) = crawled();
    relisted(&mut agent, None);
    assert_eq!(agent.reports, [("/a/llm/".to_owned(), "refuse".to_owned())]);
    let (mut agent, _) = crawled();
    relisted(&mut agent, Some(status(503, &[(header::RETRY_AFTER, "100000")])));
    assert_eq!(agent.reports, [("/a/llm/".to_owned(), "unavailable".to_owned())]);
}

/// Another origin's answer, whatever the client did, is neither read as a sitemap nor stored as a page.
#[test]
fn answers_of_another_origin_are_not_used() {
    let mut site = Site::of(&PAGES);
    let start = CUrl::parse("https://example.com/").unwrap();
    let mut crawl = Crawl::new(&start, CrawlPolicy::default());
    let pages = BTreeMap::new();
    let mut outcomes = Vec::new();
    loop {
        match crawl.next(&pages, UnixSeconds(1)) {
            CrawlNext::Send(wanted) => {
                let path = wanted.request.uri().path().to_owned();
                let answer = site.answer(&wanted.request);
                let from = if path.ends_with("/llm/") {
                    "https://evil.example/a/llm/"
                } else {
                    "https://example.com/"
                };
                let from = Url::parse(from).unwrap().join(&path).unwrap();
                crawl.on_response(wanted.id, &from, &answer, &pages, UnixSeconds(1)).unwrap();
            }
            CrawlNext::Page(report) => outcomes.push(report.event.clone()),
            CrawlNext::Done => break,
            _ => {}
        }
    }
    assert_eq!(outcomes.len(), 3);
    assert!(
        outcomes.iter().all(|event| matches!(event, PageEvent::Visited(Outcome::Refuse { .. }))),
        "{outcomes:?}"
    );

    let mut crawl = Crawl::new(&start, CrawlPolicy::default()).with_sitemap(url("/llm-sitemap.json"));
    let CrawlNext::Send(wanted) = crawl.next(&pages, UnixSeconds(1)) else { panic!() };
    let answer = site.answer(&wanted.request);
    crawl
        .on_response(
            wanted.id,
            &Url::parse("https://evil.example/").unwrap(),
            &answer,
            &pages,
            UnixSeconds(1),
        )
        .unwrap();
    let CrawlNext::Site(event) = crawl.next(&pages, UnixSeconds(1)) else { panic!() };
    assert_eq!(event.code(), "sitemap-refused");
}

/// The deployed plugin: no page links the sitemap, a page links its twin, the CMS's own API has the same relation.
#[test]
fn a_confirmed_twin_leads_to_the_usual_places() {
    let mut site = Site::of(&PAGES);
    let html = br#"<link rel=alternate type=application/json href=/wp-json/1><link rel=alternate type=application/json href=/a/llm/>"#;
    let page = Representation::of_bytes(html).with_content_type("text/html; charset=utf-8".parse().unwrap());
    site.put("/a/", page.clone(), html.to_vec());
    let api = br#"{"id":1,"title":{"rendered":"A"}}"#.to_vec();
    site.put("/wp-json/1", Representation::of_bytes(&api), api);
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl_from("/a/", &mut site, CrawlPolicy::default());
    assert_eq!(agent.pages.len(), 3, "{:?}", agent.requests);
    assert_eq!(agent.requests[..4], ["/a/", "/wp-json/1", "/a/llm/", "/.well-known/llm-sitemap.json"]);
    assert!(!agent.pages.keys().any(|key| key.contains("wp-json")));
    // The API alone leads nowhere, and nothing is probed.
    let html = br#"<link rel=alternate type=application/json href=/wp-json/1>"#.to_vec();
    site.put("/a/", page, html);
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl_from("/a/", &mut site, CrawlPolicy::default());
    assert_eq!((agent.requests.len(), agent.pages.len()), (2, 0), "{:?}", agent.requests);
    assert_eq!(agent.codes(), ["no-sitemap"]);
    agent.crawl_from("/a/", &mut site, CrawlPolicy::default().with_probes());
    assert_eq!(agent.pages.len(), 3);
}

#[test]
fn a_sitemap_or_a_twin_may_be_the_start() {
    for start in ["/llm-sitemap.json", "/a/llm/"] {
        let (mut agent, mut site) = (Agent { now: 1_000_000, ..Agent::default() }, Site::of(&PAGES));
        agent.crawl_from(start, &mut site, CrawlPolicy::default());
        assert_eq!(agent.pages.len(), 3, "{start}: {:?} {:?}", agent.requests, agent.events);
    }
}

/// The policy is read before any page, wherever it is linked, and obeyed.
#[test]
#[covers("TCT-POL-8")]
fn the_policy_is_read_first_and_obeyed() {
    let policy = |json: &str| (Representation::of_bytes(json.as_bytes()), json.as_bytes().to_vec());
    let link = link_policy(&url("/llm-policy.json"));
    for at in ["/", "/llm-sitemap.json", "/a/llm/"] {
        let mut site = Site::of(&PAGES);
        let (representation, body) = policy(r#"{"purposes":{"allow_ai_input":false}}"#);
        site.put("/llm-policy.json", representation, body);
        let (linking, body) = site.resources[at].clone();
        site.put(at, linking.with_link(link.clone()), body);
        let mut agent = Agent { now: 1_000_000, ..Agent::default() };
        agent.crawl(&mut site);
        assert!(agent.requests.contains(&"/llm-policy.json".to_owned()), "{at}");
        assert_eq!(
            (agent.pages.len(), agent.codes().last()),
            (0, Some(&"denied")),
            "{at}: {:?}",
            agent.requests
        );
        // Another purpose is not denied.
        let mut agent = Agent { now: 1_000_000, ..Agent::default() };
        agent.crawl_from(
            "/",
            &mut site,
            CrawlPolicy::default().with_purpose(Some(tct::Purpose::SearchIndexing)),
        );
        assert_eq!(agent.pages.len(), 3, "{at}");
    }
    let mut site = Site::of(&PAGES);
    let (representation, body) = policy(r#"{"rate_hints":{"max_requests_per_second":0.1}}"#);
    site.put("/llm-policy.json", representation, body);
    let (home, body) = site.resources["/"].clone();
    site.put("/", home.with_link(link), body);
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl(&mut site);
    assert_eq!(agent.pages.len(), 3);
    assert!(agent.now >= 1_000_000 + 40, "four requests, ten seconds apart: {}", agent.now);
}

/// The start page may redirect so many times within its origin, never in a circle, and never elsewhere.
#[test]
fn the_start_page_may_move_a_few_times() {
    let moved = |to: &str| status(301, &[(header::LOCATION, to)]);
    let mut policy = CrawlPolicy::default();
    policy.visit.max_redirects = 3;
    for (count, is_found) in [(0, true), (1, true), (3, true), (4, false), (9, false)] {
        let mut site = Site::of(&PAGES);
        for hop in (0..count).rev() {
            let to = if hop + 1 == count { "/".to_owned() } else { format!("/{}", hop + 1) };
            site.instead(&format!("/{hop}"), [moved(&to)]);
        }
        let mut agent = Agent { now: 1_000_000, ..Agent::default() };
        agent.crawl_from(if count == 0 { "/" } else { "/0" }, &mut site, policy);
        assert_eq!(agent.pages.len(), if is_found { 3 } else { 0 }, "{count}: {:?}", agent.requests);
        assert_eq!(agent.codes().contains(&"site-unavailable"), !is_found, "{count}");
    }
    for (to, code) in
        [("/0", "site-unavailable"), ("https://other.example/", "site-moved"), ("", "site-unavailable")]
    {
        let mut site = Site::of(&PAGES);
        site.instead("/0", vec![moved(to); 9]);
        let mut agent = Agent { now: 1_000_000, ..Agent::default() };
        agent.crawl_from("/0", &mut site, policy);
        assert_eq!((agent.requests.len(), agent.codes().first()), (1, Some(&code)), "{to}");
    }
}

/// A policy that is held is asked about before a page is visited, and a 304 makes it as good as new.
/// The one that the site links now is asked for first, the stored one where that cannot be read.
#[test]
#[covers("TCT-POL-8")]
fn a_policy_that_moved_is_read_at_its_new_place() {
    let world = |linked: &str, text: &str| {
        let mut site = Site::of(&[("/a/", text)]);
        for (path, allows) in [("/old.json", true), ("/new.json", false)] {
            let json = format!(r#"{{"purposes":{{"allow_ai_input":{allows}}}}}"#).into_bytes();
            site.put(path, Representation::of_bytes(&json), json);
        }
        for path in ["/", "/llm-sitemap.json"] {
            let (linking, body) = site.resources[path].clone();
            site.put(path, linking.with_link(link_policy(&url(linked))), body);
        }
        site
    };
    let again = |site: &mut Site, requests: &[&str], codes: &[&str]| {
        let mut agent = Agent { now: 1_760_000_000, ..Agent::default() };
        agent.crawl(&mut world("/old.json", "A text."));
        assert_eq!(agent.codes(), ["policy", "sitemap-read"]);
        agent.crawl(site);
        assert_eq!(agent.requests, requests);
        assert_eq!(agent.codes(), codes);
    };
    let mut site = world("/new.json", "Another text.");
    again(&mut site, &["/llm-sitemap.json?", "/new.json"], &["sitemap-read", "policy", "denied"]);
    site.resources.remove("/new.json");
    let requests = ["/llm-sitemap.json?", "/new.json", "/old.json?", "/a/llm/?"];
    again(&mut site, &requests, &["sitemap-read", "policy-unreadable", "policy"]);
    let requests = ["/llm-sitemap.json?", "/old.json?", "/a/llm/?"];
    again(&mut world("/old.json", "Another text."), &requests, &["sitemap-read", "policy"]);
    // The stored one may say something else by now, also where the other never comes.
    for unread in [vec![status(503, &[]); 9], vec![status(404, &[])]] {
        let mut site = world("/new.json", "Another text.");
        let (representation, body) = site.resources["/new.json"].clone();
        site.put("/old.json", representation, body);
        site.instead("/new.json", unread);
        let mut agent = Agent { now: 1_760_000_000, ..Agent::default() };
        agent.crawl(&mut world("/old.json", "A text."));
        agent.crawl(&mut site);
        assert_eq!(agent.codes(), ["sitemap-read", "policy-unreadable", "policy", "denied"]);
        assert_eq!(agent.requests.last().unwrap(), "/old.json?");
    }
}

#[test]
fn a_policy_that_is_confirmed_is_known_anew() {
    let mut site = Site::of(&PAGES);
    let json = br#"{"purposes":{"allow_ai_input":true}}"#.to_vec();
    site.put("/llm-policy.json", Representation::of_bytes(&json), json);
    let (home, body) = site.resources["/"].clone();
    site.put("/", home.with_link(link_policy(&url("/llm-policy.json"))), body);
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl(&mut site);
    let known = |agent: &Agent| agent.site.policy.as_ref().map(|policy| policy.validated_at.0);
    let first = known(&agent).unwrap();
    assert!((1_000_000..=agent.now).contains(&first), "{first}");
    site.publish(&[("/a/", "Another text."), PAGES[1], PAGES[2]]);
    agent.now += 30 * 86_400;
    let before = agent.now;
    agent.crawl(&mut site);
    assert_eq!(
        agent.requests,
        ["/llm-sitemap.json?", "/llm-policy.json?", "/a/llm/?", "/b/llm/?", "/c/llm/?"]
    );
    assert!(known(&agent).unwrap() >= before, "{:?}", agent.site.policy);
    assert!(agent.codes().contains(&"policy"), "{:?}", agent.codes());
}

/// A refused twin is left alone until its entry changes or a week has passed.
#[test]
fn a_refused_twin_is_not_asked_for_again_and_again() {
    let mut site = Site::of(&PAGES);
    let other = CUrl::parse("https://example.com/b/").unwrap();
    let foreign = Payload::new(&other, "b", "Text of b.").seal().unwrap();
    site.put("/a/llm/", foreign.representation(&other), foreign.into_body());
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl(&mut site);
    assert_eq!(agent.reports[0], ("/a/llm/".to_owned(), "refuse".to_owned()));
    agent.now += 86_400;
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?"]);
    agent.now += 7 * 86_400;
    agent.crawl(&mut site);
    assert!(agent.requests.contains(&"/a/llm/".to_owned()), "{:?}", agent.requests);
    site.publish(&[("/a/", "It is mended."), PAGES[1], PAGES[2]]);
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/a/llm/"]);
    assert_eq!(agent.pages.len(), 3);
}

/// The HTML is worth reading where the twin cannot be had and nothing is held of it: not where it is only busy, and not where an
/// older text is there.
#[test]
#[covers("TCT-ERR-3")]
fn html_is_the_last_resort() {
    let foreign = |site: &mut Site, path: &str| {
        let other = CUrl::parse("https://example.com/other/").unwrap();
        let foreign = Payload::new(&other, "Other", "Another page's text.").seal().unwrap();
        site.put(path, foreign.representation(&other), foreign.into_body());
    };
    let pages = [PAGES[0], PAGES[1], PAGES[2], ("/d/", "Text of d.")];
    let mut site = Site::of(&pages);
    foreign(&mut site, "/a/llm/");
    site.instead("/b/llm/", [status(404, &[])]);
    site.instead("/d/llm/", vec![status(503, &[]); 3]);
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl(&mut site);
    let said: BTreeMap<_, _> = agent.reports.iter().cloned().collect();
    assert_eq!(
        ["/a/llm/", "/b/llm/", "/c/llm/", "/d/llm/"].map(|path| said[path].as_str()),
        ["refuse", "not-found", "store", "unavailable"]
    );
    assert_eq!(agent.last_resort, ["/a/llm/", "/b/llm/"]);
    // Once a text is held, it stays better than the HTML.
    let changed = pages.map(|(path, _)| (path, "Another text."));
    site.publish(&changed);
    agent.now += 3600;
    agent.crawl(&mut site);
    assert_eq!(agent.last_resort, Vec::<String>::new());
    site.publish(&pages);
    foreign(&mut site, "/a/llm/");
    site.instead("/b/llm/", [status(404, &[])]);
    agent.now += 3600;
    agent.crawl(&mut site);
    let said: BTreeMap<_, _> = agent.reports.iter().cloned().collect();
    assert_eq!((said["/a/llm/"].as_str(), said["/b/llm/"].as_str()), ("refuse", "not-found"));
    assert_eq!(agent.last_resort, Vec::<String>::new());
}

/// The pages of a sitemap are asked for at its end, so that its pieces change nothing; while the rest of it is still on its way
/// only where there is no more room for planned visits.
#[test]
fn pages_of_a_sitemap_wait_for_its_end_as_far_as_there_is_room() {
    assert_eq!(twins_asked_for_before_the_end(1024), 0);
    assert!((8..12).contains(&twins_asked_for_before_the_end(3)));
}

fn twins_asked_for_before_the_end(max_queue: usize) -> usize {
    let names: Vec<String> = (0..20).map(|index| format!("/{index}/")).collect();
    let pages: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "Text.")).collect();
    let mut site = Site::of(&pages);
    let start = CUrl::parse("https://example.com/").unwrap();
    let mut policy = CrawlPolicy::default();
    policy.max_queue = max_queue;
    let (mut crawl, agent) = (Crawl::new(&start, policy), Agent::default());
    let now = UnixSeconds(1_000_000);
    let (mut asked, mut sent) = (Vec::new(), false);
    loop {
        match crawl.next(&agent.pages, now) {
            CrawlNext::Send(wanted) => {
                let from = Url::parse(&wanted.request.uri().to_string()).unwrap();
                asked.push(from.path().to_owned());
                let answer = site.answer(&wanted.request);
                if wanted.kind == RequestKind::Sitemap && !sent {
                    let (parts, body) = answer.into_parts();
                    assert!(crawl.on_head(wanted.id, &from, &Response::from_parts(parts, ()), now).unwrap());
                    // The half of it, and no more for now.
                    crawl.on_chunk(wanted.id, &body[..body.len() / 2], &agent.pages, now).unwrap();
                    sent = true;
                } else {
                    crawl.on_response(wanted.id, &from, &answer, &agent.pages, now).unwrap();
                }
            }
            CrawlNext::Wait => break,
            CrawlNext::Done => panic!("half of the sitemap is on its way"),
            _ => {}
        }
    }
    asked.iter().filter(|path| path.ends_with("/llm/")).count()
}

/// Where there is room for few planned visits, the pages of one sitemap are visited before the next one is read, and none is lost.
#[test]
fn sitemaps_larger_than_the_queue_are_read_in_turn() {
    let names: Vec<String> = (0..30).map(|index| format!("/{index}/")).collect();
    let pages: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "Text.")).collect();
    for max_queue in [1, 2, 9, 10, 11, 1000] {
        let mut site = Site::of(&pages[..10]);
        let first = site.resources["/llm-sitemap.json"].clone();
        site.publish(&pages[10..20]);
        let second = site.resources["/llm-sitemap.json"].clone();
        site.publish(&pages[20..]);
        let third = site.resources["/llm-sitemap.json"].clone();
        site.put("/llm-sitemap.json", first.0.with_link(link_sitemap(&url("/2.json"))), first.1);
        site.put("/2.json", second.0.with_link(link_sitemap(&url("/3.json"))), second.1);
        site.put("/3.json", third.0, third.1);
        let mut policy = CrawlPolicy::default();
        policy.max_queue = max_queue;
        let mut agent = Agent { now: 1_000_000, ..Agent::default() };
        agent.crawl_from("/", &mut site, policy);
        assert_eq!((agent.pages.len(), agent.bodies.len()), (30, 30), "{max_queue}");
        let at = |path: &str| agent.requests.iter().position(|asked| asked == path).unwrap();
        let pages_before_the_last_sitemap =
            agent.requests[..at("/3.json")].iter().filter(|path| path.ends_with("/llm/")).count();
        // All sitemaps are read first, as far as there is room.
        assert_eq!(pages_before_the_last_sitemap == 0, max_queue > 20, "{max_queue}: {:?}", agent.requests);
    }
}

/// What vanishes from the sitemap is reported and checked; gone is removed, the rest stays.
#[test]
fn unlisted_pages_are_checked_and_reported() {
    let (mut agent, mut site) = crawled();
    site.publish(&PAGES[..1]);
    site.instead("/b/llm/", vec![status(410, &[])]);
    agent.crawl(&mut site);
    let said: Vec<_> = agent.reports.iter().map(|(path, what)| format!("{path} {what}")).collect();
    assert_eq!(said, ["/b/llm/ unlisted", "/c/llm/ unlisted", "/b/llm/ gone", "/c/llm/ keep"]);
    assert_eq!(agent.pages.len(), 2);
    agent.now += 86_400;
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?"], "not due yet");
    agent.now += 7 * 86_400;
    agent.crawl(&mut site);
    assert!(agent.requests.contains(&"/c/llm/?".to_owned()), "{:?}", agent.requests);
    // It comes back.
    site.publish(&[PAGES[0], PAGES[2]]);
    agent.crawl(&mut site);
    let state = agent.pages.values().find(|state| state.c_url.ends_with("/c/")).unwrap();
    assert_eq!(state.unlisted_since, None);
}

/// A page that is listed twice hides by the numbers that another one is missing: it is found all the same.
#[test]
#[covers("TCT-AMB-36")]
fn a_double_entry_does_not_hide_a_missing_page() {
    let (mut agent, mut site) = crawled();
    let text = String::from_utf8(site.resources["/llm-sitemap.json"].1.clone()).unwrap();
    let doubled = text.replace("/c/", "/b/");
    assert_eq!((doubled.matches("/b/llm/").count(), doubled.matches("/c/").count()), (2, 0));
    let doubled = doubled.into_bytes();
    site.resources.insert("/llm-sitemap.json".to_owned(), (Representation::of_bytes(&doubled), doubled));
    let mut crawls = 0;
    while !agent.reports.iter().any(|(_, what)| *what == "unlisted") {
        crawls += 1;
        assert!(crawls <= 8, "an eighth of the pages is looked through each time");
        agent.site.sitemaps[0].etag = None;
        agent.crawl(&mut site);
    }
    let unlisted: Vec<_> = agent.reports.iter().filter(|(_, what)| *what == "unlisted").collect();
    assert_eq!(unlisted.len(), 1);
    assert_eq!(unlisted[0].0, "/c/llm/");
}

/// Two spellings of one twin's address, with another hash each and a long way apart in a sitemap that comes in pieces, are
/// one page: it is asked about, and never skipped on one of the two hashes alone.
#[test]
#[covers("TCT-AMB-36")]
fn two_spellings_far_apart_are_one_page() {
    let (mut agent, mut site) = (Agent { now: 1_000_000, ..Agent::default() }, Site::of(&PAGES));
    let text = String::from_utf8(site.resources["/llm-sitemap.json"].1.clone()).unwrap();
    let entry = |c_url: &str, m_url: &str, hash: char| {
        let hash = hash.to_string().repeat(64);
        format!("{{\"cUrl\":\"{c_url}\",\"mUrl\":\"{m_url}\",\"contentHash\":\"sha256-{hash}\"}}")
    };
    // Between the two, more entries than the queue of visits has room for.
    let mut policy = CrawlPolicy::default();
    policy.max_queue = 8;
    let others = (0..40).map(|index| {
        let page = format!("https://example.com/missing/{index}/");
        format!(",{}", entry(&page, &format!("{page}llm/"), '0'))
    });
    let other = entry("https://EXAMPLE.com:443/a/", "https://EXAMPLE.com:443/a/l%6Cm/../llm/", '1');
    let items_end = text.rfind(']').unwrap();
    let both = format!("{}{},{other}{}", &text[..items_end], others.collect::<String>(), &text[items_end..]);
    let both = both.into_bytes();
    site.resources.insert("/llm-sitemap.json".to_owned(), (Representation::of_bytes(&both), both));
    agent.crawl_from("/", &mut site, policy);
    let of_a = |agent: &Agent| agent.pages.values().filter(|state| state.c_url.ends_with("/a/")).count();
    assert_eq!(of_a(&agent), 1);
    let asked = |agent: &Agent| agent.requests.iter().filter(|path| path.starts_with("/a/llm/")).count();
    assert!(asked(&agent) >= 1, "{}", asked(&agent));
    let held = |agent: &Agent| {
        agent.pages.values().find(|state| state.c_url.ends_with("/a/")).unwrap().held.clone().unwrap()
    };
    let hash = held(&agent).hash;
    // By one of the two the page changed: it is asked about once more a day, conditionally, and what is held stays.
    for _ in 0..2 {
        agent.now += 90_000;
        agent.site.sitemaps[0].etag = None;
        agent.crawl_from("/", &mut site, policy);
        assert!((1..=2).contains(&asked(&agent)), "{:?}", asked(&agent));
        assert!(
            agent.requests.iter().filter(|path| path.starts_with("/a/llm/")).all(|path| path.ends_with('?'))
        );
        assert_eq!((of_a(&agent), held(&agent).hash == hash), (1, true));
    }
}

/// A call after the end changes nothing.
#[test]
fn a_call_after_the_end_changes_nothing() {
    let (agent, mut site) = crawled();
    let start = CUrl::parse("https://example.com/").unwrap();
    let mut crawl = Crawl::resume(&start, agent.site.clone(), CrawlPolicy::default());
    let now = UnixSeconds(agent.now);
    loop {
        match crawl.next(&agent.pages, now) {
            CrawlNext::Send(CrawlRequest { id, url, request, .. }) => {
                crawl.on_response(id, &url, &site.answer(&request), &agent.pages, now).unwrap();
            }
            CrawlNext::Done => break,
            _ => {}
        }
    }
    let site = crawl.site().clone();
    assert_eq!(site.sitemaps.len(), 1);
    for _ in 0..2 {
        assert!(matches!(crawl.next(&agent.pages, now), CrawlNext::Done));
        assert_eq!(crawl.site(), &site);
    }
}

/// After a crash the former state of the site is what is stored, and the rest of the pages is fetched.
#[test]
fn an_interrupted_crawl_is_resumed() {
    let (mut agent, mut site) = (Agent { now: 1_000_000, ..Agent::default() }, Site::of(&PAGES));
    let start = CUrl::parse("https://example.com/").unwrap();
    agent.run(Crawl::new(&start, CrawlPolicy::default()), &mut site, 1);
    assert_eq!((agent.pages.len(), agent.site.sitemaps.len()), (1, 0));
    agent.crawl(&mut site);
    assert_eq!(agent.pages.len(), 3);
    assert!(!agent.requests.contains(&"/a/llm/".to_owned()), "{:?}", agent.requests);
}

/// Bodies in pieces of any size, with room for two visits only: the same as at once.
#[test]
fn a_sitemap_in_pieces_is_read_in_bounded_memory() {
    let names: Vec<String> = (0..20).map(|index| format!("/{index}/")).collect();
    let pages: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "Text.")).collect();
    for size in [1, 7, 500, 100_000] {
        let mut site = Site::of(&pages);
        let mut policy = CrawlPolicy::default().with_parallel(if size == 7 { 1 } else { 3 });
        policy.max_queue = 2;
        let start = CUrl::parse("https://example.com/").unwrap();
        let (mut crawl, mut agent) = (Crawl::new(&start, policy), Agent::default());
        let mut stream: Option<(tct::crawl::RequestId, Vec<u8>)> = None;
        let mut waiting = Vec::new();
        let now = UnixSeconds(1_000_000);
        loop {
            match crawl.next(&agent.pages, now) {
                CrawlNext::Send(wanted) => waiting.push(wanted),
                CrawlNext::Page(report) => agent.take(*report),
                CrawlNext::Done => break,
                CrawlNext::Wait => {
                    if let Some((id, rest)) = stream.take_if(|(id, _)| crawl.wants_chunk(*id)) {
                        let (piece, rest) = rest.split_at(size.min(rest.len()));
                        crawl.on_chunk(id, piece, &agent.pages, now).unwrap();
                        match rest.is_empty() {
                            true => crawl.on_chunks_end(id, now).unwrap(),
                            false => stream = Some((id, rest.to_vec())),
                        }
                        continue;
                    }
                    // In any order: the last first.
                    let wanted = waiting.pop().expect("something under way");
                    let from = Url::parse(&wanted.request.uri().to_string()).unwrap();
                    let (parts, body) = site.answer(&wanted.request).into_parts();
                    if wanted.kind == RequestKind::Sitemap {
                        assert!(
                            crawl.on_head(wanted.id, &from, &Response::from_parts(parts, ()), now).unwrap()
                        );
                        stream = Some((wanted.id, body));
                    } else {
                        let answer = Response::from_parts(parts, body);
                        crawl.on_response(wanted.id, &from, &answer, &agent.pages, now).unwrap();
                        let again = crawl.on_response(wanted.id, &from, &answer, &agent.pages, now);
                        assert_eq!(again.unwrap_err().kind(), CrawlErrorKind::UnknownRequest);
                    }
                }
                _ => {}
            }
        }
        assert_eq!(agent.pages.len(), 20, "{size}");
        assert_eq!(crawl.site().sitemaps.len(), 1, "{size}");
    }
}

/// A busy site is asked again when it says, and given up after a few tries.
#[test]
#[covers("TCT-ERR-6")]
fn busy_pages_are_tried_again() {
    let (mut agent, mut site) = (Agent { now: 1_000_000, ..Agent::default() }, Site::of(&PAGES));
    site.instead("/a/llm/", [status(503, &[(header::RETRY_AFTER, "100")])]);
    site.instead("/b/llm/", [500, 502, 504].map(|code| status(code, &[])));
    agent.crawl(&mut site);
    let said: BTreeMap<_, _> = agent.reports.iter().cloned().collect();
    assert_eq!(said["/a/llm/"], "store");
    assert_eq!(said["/b/llm/"], "unavailable");
    assert!(agent.now >= 1_000_100);
    // It is not forgotten, though the sitemap stays as it is.
    agent.now += 3600;
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/b/llm/"]);
    assert_eq!(agent.bodies.len(), 3);
}

/// A sitemap names the next one.
#[test]
#[covers("TCT-SM-15")]
fn sitemaps_that_name_others_are_followed() {
    let mut site = Site::of(&PAGES[..2]);
    let first = site.resources["/llm-sitemap.json"].clone();
    site.publish(&PAGES[2..]);
    let second = site.resources["/llm-sitemap.json"].clone();
    site.put("/llm-sitemap.json", first.0.with_link(link_sitemap(&url("/2.json"))), first.1);
    site.put("/2.json", second.0, second.1);
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    agent.crawl(&mut site);
    assert_eq!((agent.pages.len(), agent.site.sitemaps.len()), (3, 2));
    agent.crawl(&mut site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/2.json?"]);
    assert!(agent.reports.is_empty());
}

/// A body that is of no use is not asked for again, and one crawl that is stopped loses no sitemap.
#[test]
fn unusable_answers_and_a_stop_in_between() {
    let mut site = Site::of(&PAGES);
    let start = CUrl::parse("https://example.com/").unwrap();
    let policy = CrawlPolicy::default();
    let mut agent = Agent { now: 1_000_000, ..Agent::default() };
    let mut crawl = Crawl::new(&start, policy);
    let mut asked = Vec::new();
    loop {
        let now = UnixSeconds(agent.now);
        match crawl.next(&agent.pages, now) {
            CrawlNext::Send(wanted) => {
                let path = wanted.request.uri().path().to_owned();
                let key = match &wanted.kind {
                    RequestKind::Twin { key } => key.clone(),
                    _ => String::new(),
                };
                assert_eq!(key.ends_with("/llm/"), path.ends_with("/llm/"));
                asked.push(path.clone());
                if path == "/b/llm/" {
                    crawl.on_unusable(wanted.id, now).unwrap();
                    continue;
                }
                let from = Url::parse(&wanted.request.uri().to_string()).unwrap();
                crawl
                    .on_response(wanted.id, &from, &site.answer(&wanted.request), &agent.pages, now)
                    .unwrap();
            }
            CrawlNext::Page(report) => {
                agent.take(*report);
                // Before its end a crawl gives no validators away.
                assert_eq!(crawl.site_so_far().sitemaps, []);
            }
            CrawlNext::Done => break,
            CrawlNext::Wait => panic!("nothing to wait for"),
            _ => {}
        }
    }
    assert_eq!(asked, ["/", "/llm-sitemap.json", "/a/llm/", "/b/llm/", "/c/llm/"]);
    let said: BTreeMap<_, _> = agent.reports.iter().cloned().collect();
    assert_eq!(said["/b/llm/"], "refuse");
    assert_eq!(crawl.site().sitemaps.len(), 1);
    assert_eq!(&crawl.site_so_far(), crawl.site(), "it is done");

    // A sitemap that is too long is refused; what is known of it, and of its pages, stays.
    let mut second = Crawl::resume(&start, crawl.site().clone(), policy);
    let mut events = Vec::new();
    loop {
        match second.next(&agent.pages, UnixSeconds(1_000_060)) {
            CrawlNext::Send(wanted) => {
                assert_eq!(wanted.kind, RequestKind::Sitemap);
                second.on_unusable(wanted.id, UnixSeconds(1_000_060)).unwrap();
                let again = second.on_unusable(wanted.id, UnixSeconds(1_000_060));
                assert_eq!(again.unwrap_err().kind(), CrawlErrorKind::UnknownRequest);
            }
            CrawlNext::Site(event) => events.push(event.to_string()),
            CrawlNext::Done => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        events,
        [
            "https://example.com/llm-sitemap.json: the sitemap is refused: the body is too long, or its content coding \
             is broken"
        ]
    );
    assert_eq!(second.site().sitemaps, crawl.site().sitemaps);
    assert_eq!(second.site_so_far().sitemaps, crawl.site().sitemaps);
}

#[test]
fn a_withheld_request_counts_as_forbidden() {
    let mut site = Site::of(&PAGES);
    let start = CUrl::parse("https://example.com/").unwrap();
    let (mut crawl, mut agent, now) =
        (Crawl::new(&start, CrawlPolicy::default()), Agent::default(), UnixSeconds(9));
    loop {
        match crawl.next(&agent.pages, now) {
            CrawlNext::Send(wanted) if wanted.request.uri().path() == "/b/llm/" => {
                crawl.on_withheld(wanted.id, now).unwrap();
            }
            CrawlNext::Send(wanted) => {
                let from = Url::parse(&wanted.request.uri().to_string()).unwrap();
                let answer = site.answer(&wanted.request);
                crawl.on_response(wanted.id, &from, &answer, &agent.pages, now).unwrap();
            }
            CrawlNext::Page(report) => agent.take(*report),
            CrawlNext::Done => break,
            _ => {}
        }
    }
    let said: BTreeMap<_, _> = agent.reports.iter().cloned().collect();
    assert_eq!((said["/a/llm/"].as_str(), said["/b/llm/"].as_str()), ("store", "forbidden"));
}
