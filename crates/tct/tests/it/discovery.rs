//! From a page to its M-URL, to the sitemap, and back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;

use crate::common;

use common::{page, twin, version};
use http::{HeaderMap, Method, StatusCode, header};
use tct::discovery::{SitemapSearch, is_m_url_response, may_adopt_page};
use tct::{CUrl, Discovery, Representation, discover, plan_response};
use url::Url;

fn found(html: &str) -> Discovery {
    discover(page().as_url(), &HeaderMap::new(), html.as_bytes())
}

/// Who is asked first, and what is never asked unbidden.
#[test]
#[covers("TCT-DISC-6", "TCT-DISC-7", "TCT-DISC-8", "TCT-DISC-9", "TCT-DISC-10", "TCT-AMB-32")]
fn sitemaps_are_looked_for_in_order() {
    let home = Url::parse("https://example.com/").unwrap();
    let linked = found("<link rel=index type=application/json href=/linked.json>");
    let robots = [
        "https://example.com/sitemap.xml",
        "https://example.com/robots.json",
        "/relative.json",
        "https://other.example/s.json",
        "https://example.com/linked.json",
        "https://ada:secret@example.com/private.json",
    ];
    let search = SitemapSearch::default()
        .with_robots_lines(robots)
        .with_conventional_path()
        .with_well_known()
        .with_configured(Url::parse("https://example.com/own.json").unwrap());
    let candidates = search.candidates(&home, &linked);
    let paths: Vec<_> = candidates.iter().map(Url::path).collect();
    let usual = ["/.well-known/llm-sitemap.json", "/llm-sitemap.json"];
    assert_eq!(paths, ["/own.json", "/linked.json", usual[0], usual[1], "/robots.json"]);
    let unbidden = SitemapSearch::default().candidates(&home, &Discovery::default());
    assert!(unbidden.is_empty(), "TCT-DISC-3");
}

/// WordPress core's own JSON has the same relation and type, and is no M-URL.
#[test]
#[covers("TCT-AMB-31")]
fn a_rest_api_is_not_taken_for_an_m_url() {
    let sealed = version("text");
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation(&page()));
    let url = twin().as_url().clone();
    let real = plan.into_http(sealed.body().len(), |range| &sealed.body()[range]);
    assert!(is_m_url_response(&url, &real, &page()));
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, "application/json; charset=UTF-8".parse().unwrap());
    headers.insert(header::LINK, "</wp-json/>; rel=\"https://api.w.org/\"".parse().unwrap());
    let body = br#"{"id":1,"title":{"rendered":"x"},"content":{"rendered":"<p>x</p>"}}"#;
    let mut other = http::Response::new(body);
    *other.headers_mut() = headers;
    assert!(!is_m_url_response(&url, &other, &page()));
    let other = CUrl::parse("https://example.com/other/").unwrap();
    assert!(!is_m_url_response(&url, &real, &other));
}

#[test]
#[covers("TCT-CANON-4", "TCT-AMB-29")]
fn another_page_is_adopted_only_if_it_leads_back() {
    let linked_from = CUrl::parse("https://example.com/copy/").unwrap();
    let back = found("<link rel=alternate type=application/json href=/post/llm/>");
    assert!(may_adopt_page(&linked_from, &twin(), &page(), &back, false));
    assert!(may_adopt_page(&linked_from, &twin(), &page(), &Discovery::default(), true));
    assert!(!may_adopt_page(&linked_from, &twin(), &page(), &Discovery::default(), false));
    let victim = CUrl::parse("https://victim.example/").unwrap();
    assert!(!may_adopt_page(&linked_from, &twin(), &victim, &back, true));
    assert!(!may_adopt_page(&victim, &twin(), &page(), &back, true));
}

/// The sitemap itself is asked for conditionally, its tag is opaque.
#[test]
#[covers("TCT-COND-11", "TCT-AMB-35", "TCT-SM-9")]
fn a_sitemap_is_confirmed_by_its_own_tag() {
    let sitemap = Representation::of_bytes(br#"{"version":1,"items":[]}"#);
    let first = plan_response(&Method::GET, &HeaderMap::new(), &sitemap);
    for name in ["content-type", "etag", "cache-control", "vary", "content-length"] {
        assert!(first.headers.contains_key(name), "{name}");
    }
    let mut again = HeaderMap::new();
    again.insert(header::IF_NONE_MATCH, first.headers[header::ETAG].clone());
    assert_eq!(plan_response(&Method::GET, &again, &sitemap).status, StatusCode::NOT_MODIFIED);
    let changed = Representation::of_bytes(br#"{"version":1,"items":[1]}"#);
    assert_eq!(plan_response(&Method::GET, &again, &changed).status, StatusCode::OK);
}

/// Each of very many links is found, once, in a time that grows with their number: it took 25 s for a head of 4 MiB.
#[test]
#[covers("TCT-DISC-2")]
fn very_many_links_are_found_once() {
    let links: String = (0..50_000)
        .map(|page| format!("<link rel='alternate index' type=application/json href=/{}>", page % 40_000))
        .collect();
    let found = found(&links);
    assert_eq!((found.m_urls.len(), found.sitemaps.len(), found.policies.len()), (40_000, 40_000, 0));
    let all = SitemapSearch::default().candidates(page().as_url(), &found);
    assert_eq!(all.len(), 40_000);
}
