//! What once went wrong with a crawl's joints, a story each.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use http::{HeaderName, Response, header};
use tct::crawl::{MemoryStore, PageState, ResourceState, SiteState};
use tct::v03::MUrlDocument;
use tct::{CUrl, Crawl, CrawlNext, CrawlPolicy, HeldPage, Payload, UnixSeconds};
use url::Url;

const NOW: u64 = 1_760_000_000;
const JSON: (HeaderName, &str) = (header::CONTENT_TYPE, "application/json");

fn answer(status: u16, fields: &[(HeaderName, &str)], body: impl AsRef<[u8]>) -> Response<Vec<u8>> {
    let mut response = Response::new(body.as_ref().to_vec());
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
    for (name, value) in fields {
        response.headers_mut().append(name.clone(), value.parse().unwrap());
    }
    response
}

fn page(path: &str) -> CUrl {
    CUrl::parse(&format!("https://example.com{path}")).unwrap()
}

fn twin(path: &str) -> Response<Vec<u8>> {
    let page = page(path.strip_suffix("llm/").unwrap());
    let sealed = Payload::new(&page, "Title", "Text.").seal().unwrap();
    let (tag, link) =
        (format!("\"{}\"", sealed.fingerprint()), format!("<{}>; rel=canonical", page.as_str()));
    answer(200, &[JSON, (header::ETAG, &tag), (header::LINK, &link)], sealed.body())
}

fn sitemap(path: &str, tag: &str) -> Response<Vec<u8>> {
    let hash = Payload::new(&page(path), "Title", "Text.").seal().unwrap().fingerprint();
    let url = page(path);
    let url = url.as_str();
    let text =
        format!(r#"{{"items":[{{"cUrl":"{url}","mUrl":"{url}llm/","contentHash":"{hash}"}}],"version":1}}"#);
    answer(200, &[JSON, (header::ETAG, tag)], text)
}

/// Crawls, and returns the paths that were asked for and the codes of the events.
fn crawl(
    crawl: &mut Crawl,
    store: &mut MemoryStore,
    mut answers: impl FnMut(&str) -> Response<Vec<u8>>,
) -> (Vec<String>, Vec<&'static str>) {
    let (mut asked, mut codes, mut now) = (Vec::new(), Vec::new(), UnixSeconds(NOW));
    for _ in 0..100_000 {
        match crawl.next(store, now) {
            CrawlNext::Send(wanted) => {
                asked.push(wanted.url.path().to_owned());
                let response = answers(wanted.url.path());
                crawl.on_response(wanted.id, &wanted.url, &response, store, now).unwrap();
            }
            CrawlNext::Page(report) => store.take(*report),
            CrawlNext::Site(event) => codes.push(event.code()),
            CrawlNext::Wait => now = crawl.wake_at(now).unwrap(),
            _ => {
                store.take_site(crawl.site().clone());
                return (asked, codes);
            }
        }
    }
    panic!("it does not end: {codes:?}");
}

fn resume(store: &MemoryStore) -> Crawl {
    Crawl::resume(&page("/"), store.site(), CrawlPolicy::default())
}

fn url(path: &str) -> Url {
    page(path).as_url().clone()
}

/// A sound sitemap, then one that answers with a page for people: the first one's pages are visited, and both are asked for again.
#[test]
fn a_broken_sitemap_takes_nothing_from_another_one() {
    let mut store = MemoryStore::default();
    let mut first = resume(&store).with_sitemap(url("/1.json")).with_sitemap(url("/2.json"));
    let (asked, codes) = crawl(&mut first, &mut store, |path| match path {
        "/1.json" => sitemap("/a/", "\"1\""),
        "/2.json" => answer(200, &[], "<html>"),
        _ => twin(path),
    });
    assert_eq!(asked, ["/1.json", "/2.json", "/a/llm/"]);
    assert_eq!(codes, ["sitemap-read", "sitemap-broken"]);
    // It is mended, and then the first one answers 404 once: neither's pages are lost.
    for status in [200, 404, 304] {
        crawl(&mut resume(&store), &mut store, |path| match (path, status) {
            ("/1.json", 200) => sitemap("/a/", "\"1\""),
            ("/1.json", _) => answer(status, &[], ""),
            ("/2.json", _) => sitemap("/b/", "\"2\""),
            ("/", _) => answer(200, &[], ""),
            _ => twin(path),
        });
        let pages: Vec<_> = store.pages().values().collect();
        assert!(pages.len() == 2 && pages.iter().all(|page| page.unlisted_since.is_none()), "{status}");
        assert_eq!(store.site().sitemaps.len(), 2, "{status}");
    }
}

/// A denial of an earlier crawl holds while its descriptor cannot be read, and until another one is.
#[test]
fn a_denial_holds_until_another_descriptor_is_read() {
    for (status, body, is_lifted) in [
        (503, "", false),
        (404, "", false),
        (200, "{", false),
        (304, "", false),
        (200, r#"{"purposes":{"allow_ai_input":false}}"#, false),
        (200, "{}", true),
    ] {
        let mut site = SiteState::default();
        let mut held = ResourceState::default();
        (held.url, held.etag) = (url("/p.json").into(), Some("\"p\"".into()));
        (site.policy, site.policy_json) = (Some(held), r#"{"purposes":{"allow_ai_input":false}}"#.into());
        let mut store = MemoryStore::default();
        store.take_site(site);
        let mut denied = resume(&store).with_sitemap(url("/1.json"));
        let (asked, codes) = crawl(&mut denied, &mut store, |path| match path {
            "/p.json" => answer(status, &[JSON], body),
            "/1.json" => sitemap("/a/", "\"1\""),
            "/" => answer(404, &[], ""),
            _ => twin(path),
        });
        assert_eq!(asked.first().map(String::as_str), Some("/p.json"));
        assert_eq!(store.pages().len(), usize::from(is_lifted), "{status} {body}: {asked:?}");
        assert_eq!(codes.last() == Some(&"denied"), !is_lifted, "{status} {body}: {codes:?}");
        assert_eq!(asked.iter().any(|path| path == "/1.json"), is_lifted, "{status} {body}");
    }
}

/// Very many pages that are listed no more, and a policy whose server fails: the crawl ends.
#[test]
fn reports_that_wait_for_a_policy_do_not_stop_the_crawl() {
    let mut store = MemoryStore::default();
    for number in 0..5000 {
        let mut state = PageState::default();
        state.c_url = url(&format!("/{number}/")).into();
        state.m_url = url(&format!("/{number}/llm/")).into();
        state.held = Some(HeldPage::new(tct::Fingerprint::hash(b"x"), UnixSeconds(NOW - 60)));
        store.insert(state.m_url.clone(), state);
    }
    let link = (header::LINK, "</p.json>; rel=describedby; type=\"application/json\"");
    let mut many = resume(&store).with_sitemap(url("/1.json"));
    let (_, codes) = crawl(&mut many, &mut store, |path| match path {
        "/1.json" => answer(200, &[JSON, link.clone()], r#"{"items":[],"version":1}"#),
        "/p.json" => answer(500, &[], ""),
        _ => answer(304, &[], ""),
    });
    assert_eq!(codes, ["sitemap-read", "policy-unreadable"]);
    assert!(store.pages().values().all(|state| state.unlisted_since.is_some()));
}

/// What a clock that ran ahead by ten years wrote down is not waited for.
#[test]
fn a_clock_that_ran_ahead_leaves_nothing_alone() {
    let far = Some(UnixSeconds(NOW + 10 * 365 * 86_400));
    let mut store = MemoryStore::default();
    let mut site = SiteState::default();
    site.not_before = far;
    store.take_site(site);
    let mut state = PageState::default();
    (state.c_url, state.m_url) = (url("/a/").into(), url("/a/llm/").into());
    state.not_before = far;
    state.listed = Some(Payload::new(&page("/a/"), "Title", "Text.").seal().unwrap().fingerprint());
    store.insert(state.m_url.clone(), state);
    let mut ahead = resume(&store).with_sitemap(url("/1.json"));
    assert!(!matches!(ahead.next(&store, UnixSeconds(NOW)), CrawlNext::Wait));
    let mut ahead = resume(&store).with_sitemap(url("/1.json"));
    let (asked, _) = crawl(&mut ahead, &mut store, |path| match path {
        "/1.json" => sitemap("/a/", "\"1\""),
        _ => twin(path),
    });
    assert_eq!(asked, ["/1.json", "/a/llm/"]);
}

/// A twin of draft -03 as the start is no broken sitemap.
#[test]
fn a_twin_of_draft_03_may_be_the_start() {
    let sealed = MUrlDocument::new("https://example.com/a/", "Title", "Text.").unwrap().seal().unwrap();
    let (tag, body) = (sealed.representation(), sealed.body().to_vec());
    let tag = tag.etag().to_str().unwrap().to_owned();
    let link = "<https://example.com/a/>; rel=\"canonical\"";
    let mut store = MemoryStore::default();
    let mut start = Crawl::new(&page("/a/m/"), CrawlPolicy::default());
    let (asked, codes) = crawl(&mut start, &mut store, |path| match path {
        "/a/m/" => answer(200, &[JSON, (header::ETAG, &tag), (header::LINK, link)], &body),
        _ => answer(404, &[], ""),
    });
    assert_eq!(asked, ["/a/m/", "/a/m/", "/.well-known/llm-sitemap.json", "/llm-sitemap.json"]);
    assert_eq!((codes.last(), store.pages().len()), (Some(&"no-sitemap"), 1));
    assert!(!codes.contains(&"sitemap-broken"));
}

/// What robots.txt keeps from being asked is not told as a status.
#[test]
fn a_start_page_that_is_withheld_was_not_answered() {
    let (mut crawl, store) = (Crawl::new(&page("/"), CrawlPolicy::default()), MemoryStore::default());
    let CrawlNext::Send(wanted) = crawl.next(&store, UnixSeconds(NOW)) else { panic!() };
    crawl.on_withheld(wanted.id, UnixSeconds(NOW)).unwrap();
    let CrawlNext::Site(event) = crawl.next(&store, UnixSeconds(NOW)) else { panic!() };
    let expected = "the site could not be asked for its sitemaps: robots.txt or the caller does not allow it";
    assert_eq!(event.to_string(), expected);
    assert_eq!((crawl.counters().requests, crawl.site().requests_today), (0, 0));
}
