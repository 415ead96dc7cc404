//! Crawls of a site that moves from the drafts before to draft -03 and back, against a site in memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;
use std::collections::BTreeMap;

use http::{Response, StatusCode, header};
use tct::crawl::{BodyChange, CrawlRequest, PageEvent, SiteEvent};
use tct::link::link_sitemap;
use tct::v03::{BodyKind, BodyTag, MSitemap, MSitemapItem, MUrlDocument, Revision, classify};
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, MUrl, PageState, Payload, Representation, SiteState, SitemapBudget,
    SitemapEntry, UnixSeconds, plan_response, write_sitemaps,
};
use url::Url;

const PAGES: [(&str, &str); 3] = [("/a/", "Text of a."), ("/b/", "Text of b."), ("/c/", "Text of c.")];

fn url(path: &str) -> Url {
    Url::parse("https://example.com").unwrap().join(path).unwrap()
}

/// What stands at each path.
#[derive(Default)]
struct Site(BTreeMap<String, (Representation, Vec<u8>)>);

impl Site {
    fn new() -> Self {
        let mut site = Site::default();
        let html = b"<!doctype html><title>Home</title>".to_vec();
        let home = Representation::of_bytes(&html).with_content_type("text/html".parse().unwrap());
        site.put("/", home.with_link(link_sitemap(&url("/llm-sitemap.json"))), html);
        site
    }

    fn put(&mut self, path: &str, representation: Representation, body: Vec<u8>) {
        self.0.insert(path.to_owned(), (representation, body));
    }

    /// Twins and sitemap of the drafts before.
    fn publish_legacy(&mut self, pages: &[(&str, &str)]) {
        let mut entries = Vec::new();
        for (path, text) in pages {
            let page = CUrl::from_url(url(path), &Default::default()).unwrap();
            let twin = MUrl::from_url(url(&format!("{path}llm/")), &Default::default()).unwrap();
            let sealed = Payload::new(&page, *path, *text).seal().unwrap();
            entries.push(SitemapEntry::new(page.clone(), twin.clone(), sealed.fingerprint()));
            self.put(twin.as_url().path(), sealed.representation(&page), sealed.into_body());
        }
        let sitemap = write_sitemaps(entries, SitemapBudget::default()).unwrap().remove(0);
        self.put("/llm-sitemap.json", Representation::of_bytes(&sitemap), sitemap);
    }

    /// The same pages under the same addresses by draft -03.
    fn publish(&mut self, pages: &[(&str, &str)]) {
        let mut sitemap = MSitemap::new();
        for (path, text) in pages {
            let twin = format!("{path}llm/");
            let sealed = MUrlDocument::new(url(path).as_str(), *path, *text).unwrap().seal().unwrap();
            sitemap.push(MSitemapItem::of(&sealed, url(&twin).as_str()).unwrap()).unwrap();
            self.put(&twin, sealed.representation(), sealed.into_identity().into_body());
        }
        let sealed = sitemap.seal().unwrap();
        self.put("/llm-sitemap.json", Representation::of_m_sitemap(sealed.tag()), sealed.into_body());
    }

    fn answer(&self, request: &http::Request<()>) -> Response<Vec<u8>> {
        let Some((representation, body)) = self.0.get(request.uri().path()) else {
            let mut missing = Response::new(Vec::new());
            *missing.status_mut() = StatusCode::NOT_FOUND;
            return missing;
        };
        plan_response(request.method(), request.headers(), representation)
            .into_http(body.len(), |range| body.get(range).unwrap().to_vec())
    }
}

#[derive(Default)]
struct Agent {
    pages: BTreeMap<String, PageState>,
    bodies: BTreeMap<String, Vec<u8>>,
    site: SiteState,
    now: u64,
    requests: Vec<String>,
    outcomes: Vec<&'static str>,
    events: Vec<&'static str>,
}

impl Agent {
    fn crawl(&mut self, site: &Site) {
        (self.requests, self.outcomes, self.events) = Default::default();
        let start = CUrl::from_url(url("/"), &Default::default()).unwrap();
        let mut crawl = Crawl::resume(&start, self.site.clone(), CrawlPolicy::default());
        for _ in 0..1000 {
            let now = UnixSeconds(self.now);
            match crawl.next(&self.pages, now) {
                CrawlNext::Send(CrawlRequest { id, request, .. }) => {
                    let mark = if request.headers().contains_key(header::IF_NONE_MATCH) { "?" } else { "" };
                    self.requests.push(format!("{}{mark}", request.uri().path()));
                    let from = Url::parse(&request.uri().to_string()).unwrap();
                    crawl.on_response(id, &from, &site.answer(&request), &self.pages, now).unwrap();
                }
                CrawlNext::Page(report) => {
                    if let PageEvent::Visited(outcome) = &report.event {
                        self.outcomes.push(outcome.name());
                    }
                    match report.body() {
                        BodyChange::Store(json) => {
                            drop(self.bodies.insert(report.key.clone(), json.to_vec()))
                        }
                        BodyChange::Forget => drop(self.bodies.remove(&report.key)),
                        BodyChange::Keep => {}
                    }
                    match report.state {
                        Some(state) => drop(self.pages.insert(report.key, state)),
                        None => drop(self.pages.remove(&report.key)),
                    }
                }
                CrawlNext::Site(event) => self.events.push(SiteEvent::code(&event)),
                CrawlNext::Wait => self.now = crawl.wake_at(now).expect("something to wait for").0,
                CrawlNext::Done => {
                    self.site = crawl.site().clone();
                    self.now += 60;
                    return;
                }
                other => panic!("{other:?}"),
            }
        }
        panic!("the crawl does not end");
    }

    /// What is held of each page is of this revision, under the hash that goes with it.
    fn holds(&self, revision: Revision) -> bool {
        self.pages.len() == PAGES.len()
            && self.pages.iter().all(|(key, state)| {
                let body = self.bodies.get(key).expect("a body for what is held");
                let held = &state.held.as_ref().expect("a page that is held").hash;
                let is_of_bytes = BodyTag::of_bytes(body).matches_hint(&held.to_string());
                classify(body).unwrap().unwrap().1 == revision && is_of_bytes == (revision == Revision::V03)
            })
    }
}

#[test]
#[covers("TCT3-MIG-1", "TCT3-MIG-2", "TCT3-ZF-1", "TCT3-ZF-2")]
fn a_site_migrates_and_nothing_is_lost_or_fetched_twice() {
    let (mut agent, mut site) = (Agent { now: 1_760_000_000, ..Agent::default() }, Site::new());
    site.publish_legacy(&PAGES);
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/", "/llm-sitemap.json", "/a/llm/", "/b/llm/", "/c/llm/"]);
    assert!(agent.holds(Revision::Legacy));

    // The same texts under the same addresses: each twin is asked about once, by the tag that is held.
    site.publish(&PAGES);
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/a/llm/?", "/b/llm/?", "/c/llm/?"]);
    assert_eq!(agent.outcomes, ["store"; 3]);
    assert!(agent.holds(Revision::V03));

    // Then zero-fetch is as before: by a 304, and by hints where the sitemap is read anew.
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?"]);
    for sitemap in &mut agent.site.sitemaps {
        sitemap.etag = None;
    }
    agent.crawl(&site);
    assert_eq!(
        (agent.requests.as_slice(), agent.outcomes.len()),
        (["/llm-sitemap.json".to_owned()].as_slice(), 0)
    );

    // One text changes.
    site.publish(&[("/a/", "Another text."), PAGES[1], PAGES[2]]);
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/a/llm/?"]);
    assert_eq!(agent.outcomes, ["store"]);

    // And back.
    site.publish_legacy(&PAGES);
    agent.crawl(&site);
    assert_eq!(agent.outcomes, ["store"; 3]);
    assert!(agent.holds(Revision::Legacy));
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?"]);
}

/// A sitemap whose top level is wrong is not used, and takes nothing away.
#[test]
#[covers("TCT3-SM-11", "TCT3-ZF-7")]
fn a_sitemap_with_a_wrong_top_level_takes_nothing_away() {
    let (mut agent, mut site) = (Agent { now: 1_760_000_000, ..Agent::default() }, Site::new());
    site.publish(&PAGES);
    agent.crawl(&site);
    assert!(agent.holds(Revision::V03));
    let (_, sitemap) = site.0.get("/llm-sitemap.json").unwrap();
    let wrong =
        String::from_utf8(sitemap.clone()).unwrap().replace("\"version\":2", "\"version\":3").into_bytes();
    site.put("/llm-sitemap.json", Representation::of_bytes(&wrong), wrong);
    agent.crawl(&site);
    assert_eq!(agent.events, ["sitemap-broken"]);
    assert!(agent.holds(Revision::V03));
    site.publish(&PAGES);
    agent.crawl(&site);
    assert!(agent.holds(Revision::V03) && agent.outcomes.is_empty(), "{:?}", agent.outcomes);
}

/// Of a sitemap that is cut, the items before the cut are visited: each twin's body says itself what it is. The file certifies
/// nothing (its profile stands behind the items), so it is read anew, and no page counts as unlisted.
#[test]
#[covers("TCT-ERR-1", "TCT3-ZF-5", "TCT3-ZF-7")]
fn a_cut_sitemap_of_draft_03_brings_its_items_and_takes_nothing_away() {
    let mut site = Site::new();
    site.publish(&PAGES);
    let (_, whole) = site.0.get("/llm-sitemap.json").unwrap().clone();
    let text = String::from_utf8(whole.clone()).unwrap();
    let behind_first = text.find("},{").unwrap() + 2;
    let behind_items = text.find("],\"profile\"").unwrap() + 1;
    for (cut, brought) in [(behind_first, 1), (behind_first + 30, 1), (behind_items, 3), (text.len() - 1, 3)]
    {
        let mut agent = Agent { now: 1_760_000_000, ..Agent::default() };
        let broken = whole.get(..cut).unwrap().to_vec();
        site.put("/llm-sitemap.json", Representation::of_bytes(&broken), broken);
        agent.crawl(&site);
        assert_eq!(
            (agent.pages.len(), agent.events.as_slice()),
            (brought, ["sitemap-broken"].as_slice()),
            "{cut}"
        );
        let twins: Vec<_> = agent.requests.iter().filter(|path| path.contains("/llm/")).collect();
        assert_eq!(twins.len(), brought, "{cut}");
        // It is asked for without a condition, although it had a tag, and what is held stays where it is cut again.
        agent.crawl(&site);
        assert_eq!(
            (agent.requests.as_slice(), agent.pages.len()),
            (["/llm-sitemap.json".to_owned()].as_slice(), brought)
        );
        assert!(agent.pages.values().all(|page| page.held.is_some() && page.unlisted_since.is_none()));
        site.publish(&PAGES);
        agent.crawl(&site);
        assert!(agent.holds(Revision::V03), "{cut}");
        assert_eq!(agent.outcomes.len(), PAGES.len() - brought, "nothing is fetched twice");
    }
}

/// An index of sitemaps is recognised and reported. Its entries have members that nobody knows: none is ever asked for,
/// whatever origin or depth it names.
#[test]
#[covers("TCT3-IDX-1", "TCT3-IDX-2", "TCT3-IDX-3")]
fn entries_of_an_index_are_never_asked_for() {
    let (mut agent, mut site) = (Agent { now: 1_760_000_000, ..Agent::default() }, Site::new());
    let profile = BodyKind::MSitemapIndex.profile();
    let index = format!(
        "{{\"profile\":\"{profile}\",\"sitemaps\":[{{\"url\":\"https://example.com/m-1.json\"}},\
         {{\"url\":\"https://elsewhere.example/m-2.json\"}},\"https://example.com/llm-sitemap.json\"],\"version\":1}}"
    )
    .into_bytes();
    site.put("/llm-sitemap.json", Representation::of_bytes(&index), index);
    for _ in 0..2 {
        agent.crawl(&site);
        assert!(agent.requests.iter().all(|path| ["/", "/llm-sitemap.json"].contains(&path.as_str())));
        assert_eq!(agent.events.first(), Some(&"sitemap-broken"), "{:?}", agent.events);
    }
}

/// Both sitemaps are read, and each page is visited by its twin of draft -03 alone.
#[test]
#[covers("TCT3-AMB-31", "TCT3-DISC-8")]
fn a_site_of_both_is_crawled_by_draft_03() {
    let (mut agent, mut site) = (Agent { now: 1_760_000_000, ..Agent::default() }, Site::new());
    site.publish_legacy(&PAGES);
    agent.crawl(&site);
    assert!(agent.holds(Revision::Legacy));

    // A second twin for each page but the last, and a second sitemap.
    let both = |site: &mut Site, pages: &[(&str, &str)]| {
        site.publish_legacy(&PAGES);
        let mut sitemap = MSitemap::new();
        for (path, text) in pages {
            let twin = format!("{path}m/");
            let sealed = MUrlDocument::new(url(path).as_str(), *path, *text).unwrap().seal().unwrap();
            sitemap.push(MSitemapItem::of(&sealed, url(&twin).as_str()).unwrap()).unwrap();
            site.put(&twin, sealed.representation(), sealed.into_identity().into_body());
        }
        let sealed = sitemap.seal().unwrap();
        site.put("/m-sitemap.json", Representation::of_m_sitemap(sealed.tag()), sealed.into_body());
        let (home, html) = site.0.get("/").unwrap().clone();
        site.put("/", home.with_link(link_sitemap(&url("/m-sitemap.json"))), html);
    };
    both(&mut site, &PAGES[..2]);
    let mut fresh = Agent { now: 1_760_000_000, ..Agent::default() };
    fresh.crawl(&site);
    assert_eq!(
        fresh.requests,
        ["/", "/llm-sitemap.json", "/m-sitemap.json", "/c/llm/", "/a/m/", "/b/m/"],
        "the page that draft -03 does not list is visited by its other twin"
    );
    // Nothing is fetched twice: neither where both sitemaps are unchanged, nor where they are read anew.
    fresh.crawl(&site);
    assert_eq!(fresh.requests, ["/llm-sitemap.json?", "/m-sitemap.json?"]);
    fresh.site.sitemaps[0].etag = None;
    fresh.crawl(&site);
    assert_eq!(fresh.requests, ["/llm-sitemap.json", "/m-sitemap.json?"], "{:?}", fresh.outcomes);
    fresh.site.sitemaps[1].etag = None;
    fresh.crawl(&site);
    assert_eq!(fresh.requests, ["/llm-sitemap.json?", "/m-sitemap.json"], "{:?}", fresh.outcomes);

    // A text that changes in both is fetched by draft -03.
    both(&mut site, &[("/a/", "Another text."), PAGES[1]]);
    fresh.crawl(&site);
    assert_eq!(fresh.requests, ["/llm-sitemap.json?", "/m-sitemap.json?", "/a/m/?"]);
}

/// Beside a sitemap of draft -03 that did not change, one of an earlier draft that did: its pages are its own, and are visited.
#[test]
fn a_sitemap_of_another_draft_keeps_its_pages() {
    let (mut agent, mut site) = (Agent { now: 1_760_000_000, ..Agent::default() }, Site::new());
    let publish = |site: &mut Site, text: &str| {
        site.publish_legacy(&[("/b/", text)]);
        let (representation, body) = site.0.remove("/llm-sitemap.json").unwrap();
        site.put("/old.json", representation, body);
        site.publish(&PAGES[..1]);
    };
    let (home, html) = site.0.get("/").unwrap().clone();
    site.put("/", home.with_link(link_sitemap(&url("/old.json"))), html);
    publish(&mut site, "Text of b.");
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/", "/llm-sitemap.json", "/old.json", "/a/llm/", "/b/llm/"]);
    publish(&mut site, "Another text of b.");
    agent.crawl(&site);
    assert_eq!(agent.requests, ["/llm-sitemap.json?", "/old.json?", "/b/llm/?"]);
    assert_eq!(agent.outcomes, ["store"]);
}
