//! The site by draft -03, alone and beside the drafts before: every twin passes the strictest agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use covers::covers;
use std::sync::Arc;

use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, Method, StatusCode};
use site::files::Site;
use site::publisher::{Plan, Publisher, Resource, Revisions, Snapshot};
use tct::open::{Expected, open_response};
use tct::v03::{BodyLimits, Revision, check_sitemap, classify};
use tct::{CUrl, MUrl, OpenPolicy};
use url::Url;

const ORIGIN: &str = "https://quay.example/";

fn snapshot(revisions: Revisions) -> Arc<Snapshot> {
    let site = Site::embedded().unwrap();
    let plan = Plan { revisions, ..Plan::new(&site, Url::parse(ORIGIN).unwrap()) };
    Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot()
}

fn resource<'a>(snapshot: &'a Snapshot, path: &str) -> &'a Resource {
    snapshot
        .route(path)
        .and_then(|route| snapshot.resource(*route))
        .unwrap_or_else(|| panic!("nothing at {path}"))
}

fn fields(fields: &[(HeaderName, &str)]) -> HeaderMap {
    fields.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
}

fn check(snapshot: &Snapshot, sitemap: &str, twins: Vec<(&CUrl, &MUrl)>) {
    let url = Url::parse(ORIGIN).unwrap().join(sitemap).unwrap();
    let map = check_sitemap(resource(snapshot, sitemap).body(), Some(&url), &BodyLimits::default()).unwrap();
    assert!(map.is_valid() && map.is_canonical(), "{:?}", map.findings());
    assert_eq!(map.items().len(), twins.len());
    for ((page, twin), item) in twins.into_iter().zip(map.items()) {
        assert_eq!((item.c_url.as_str(), item.m_url.as_str()), (page.as_str(), twin.as_str()));
        let resource = resource(snapshot, twin.as_url().path());
        let sent = resource.respond(&Method::GET, &fields(&[(ACCEPT_ENCODING, "gzip, br")]));
        assert!(
            !sent.headers().contains_key(CONTENT_ENCODING),
            "bytes that are verified are sent as they are"
        );
        let response = sent.map(|_| resource.body().clone());
        let hint = item.hash.map(tct::held::ContentHash::from);
        let expected = Expected { page: Some(page), sitemap_hash: hint.as_ref() };
        let opened = open_response(
            twin.as_url(),
            &response,
            &expected,
            &OpenPolicy::strict().for_revision(Revision::V03),
        );
        assert_eq!(opened.problems(), [], "{twin}");
        assert_eq!(opened.hint_matches(), Some(true));
        assert_eq!(opened.payload().unwrap().content_media_type(), Some("text/markdown; charset=utf-8"));
        let tag = response.headers()["etag"].to_str().unwrap();
        let again = resource.respond(&Method::GET, &fields(&[(IF_NONE_MATCH, tag)]));
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let refused = resource.respond(&Method::HEAD, &fields(&[(ACCEPT_ENCODING, "gzip, identity;q=0")]));
        assert_eq!(refused.status(), StatusCode::NOT_ACCEPTABLE);
    }
}

#[test]
#[covers("TCT3-SM-12", "TCT3-SM-13", "TCT3-DOC-10")]
fn draft_03_alone_has_the_addresses_of_the_drafts_before() {
    let (old, new) = (snapshot(Revisions::Legacy), snapshot(Revisions::V03));
    check(&new, "/llm-sitemap.json", new.pages.iter().map(|page| (&page.c_url, &page.m_url)).collect());
    assert_eq!(new.links, old.links);
    let addresses =
        |snapshot: &Snapshot| snapshot.pages.iter().map(|page| page.m_url.clone()).collect::<Vec<_>>();
    assert_eq!(addresses(&new), addresses(&old));
}

#[test]
#[covers("TCT3-MIG-3", "TCT3-AMB-33")]
fn both_stand_side_by_side_under_addresses_of_their_own() {
    let both = snapshot(Revisions::Both);
    let second = |page: &'_ site::publisher::PublishedPage| page.second.as_ref().unwrap().m_url.clone();
    let twins: Vec<_> = both.pages.iter().map(|page| second(page)).collect();
    check(&both, "/m-sitemap.json", both.pages.iter().map(|page| &page.c_url).zip(&twins).collect());
    let revision = |path: &str| classify(resource(&both, path).body()).unwrap().unwrap().1;
    assert_eq!(revision("/llm-sitemap.json"), Revision::Legacy);
    assert_eq!(revision("/m-sitemap.json"), Revision::V03);
    for (page, twin) in both.pages.iter().zip(&twins) {
        assert_ne!(page.m_url, *twin);
        assert_eq!(revision(page.m_url.as_url().path()), Revision::Legacy);
        assert_eq!(revision(twin.as_url().path()), Revision::V03);
    }
    let found = tct::discovery::discover_in_headers(
        &Url::parse(ORIGIN).unwrap(),
        &both.links.iter().map(|link| (http::header::LINK, link.clone())).collect(),
    );
    let paths: Vec<_> = found.sitemaps.iter().map(Url::path).collect();
    assert_eq!(paths, ["/llm-sitemap.json", "/m-sitemap.json"]);
}

/// The URL Standard leaves brackets in a path as they are, the draft's grammar wants them escaped.
#[test]
#[covers("TCT3-DOC-4", "TCT3-SM-4", "TCT3-AMB-6")]
#[expect(clippy::disallowed_methods, reason = "makes files")]
fn a_page_with_brackets_in_its_name_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let html = "<title>Tea</title><main><p>Two cups.</main>";
    std::fs::write(folder.path().join("[slug]|a^b.html"), html).unwrap();
    let site = Site::folder(folder.path()).unwrap();
    for (revisions, sitemap) in [(Revisions::V03, "/llm-sitemap.json"), (Revisions::Both, "/m-sitemap.json")]
    {
        let plan = Plan { revisions, ..Plan::new(&site, Url::parse(ORIGIN).unwrap()) };
        let snapshot = Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot();
        let page = CUrl::parse(&format!("{ORIGIN}%5Bslug%5D%7Ca%5Eb.html")).unwrap();
        let listed = snapshot.pages.first().unwrap();
        check(
            &snapshot,
            sitemap,
            vec![(&page, listed.second.as_ref().map_or(&listed.m_url, |second| &second.m_url))],
        );
    }
}

/// What a page says of its own use stands on each of its forms, and one that is not to be found is in no list.
#[test]
#[expect(clippy::disallowed_methods, reason = "makes files")]
fn a_denial_of_the_page_stands_on_each_of_its_forms() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, head: &str| {
        let html = format!("<title>{name}</title>{head}<main><p>A page of {name}.</main>");
        std::fs::write(folder.path().join(name), html).unwrap();
    };
    write("open.html", "");
    write("noai.html", "<meta name=robots content=noai><meta name=tdm-reservation content=1>");
    write("hidden.html", "<meta name=robots content=noindex>");
    write("own.html", "<script type=application/rsl+xml><rsl/></script>");
    let site = Site::folder(folder.path()).unwrap();
    let plan = Plan { revisions: Revisions::Both, ..Plan::new(&site, Url::parse(ORIGIN).unwrap()) };
    let snapshot = Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot();
    for (page, name, value) in [
        ("/noai.html", "x-robots-tag", "noai"),
        ("/noai.html", "tdm-reservation", "1"),
        ("/hidden.html", "x-robots-tag", "noindex"),
    ] {
        for twin in ["/llm/", "/m/"] {
            let twin = resource(&snapshot, &format!("{page}{twin}"));
            let whole = twin.respond(&Method::GET, &HeaderMap::new());
            let tag = whole.headers()["etag"].to_str().unwrap().to_owned();
            let same = twin.respond(&Method::GET, &fields(&[(IF_NONE_MATCH, &tag)]));
            assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
            for response in [whole, same, twin.respond(&Method::HEAD, &HeaderMap::new())] {
                assert_eq!(response.headers()[name], value, "{page}");
            }
        }
    }
    assert!(snapshot.route("/own.html").is_some() && snapshot.route("/own.html/llm/").is_none());
    for list in ["/llm-sitemap.json", "/m-sitemap.json", "/sitemap.xml", "/llms.txt"] {
        let text = String::from_utf8_lossy(resource(&snapshot, list).body()).into_owned();
        assert!(text.contains("noai.html") && !text.contains("hidden.html"), "{list}: {text}");
    }
}
