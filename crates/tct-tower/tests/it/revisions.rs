//! The layer by draft -03, alone and beside the drafts before; and what a sitemap asks of the inner service.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use covers::covers;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::{Html, IntoResponse as _, Response as AxumResponse};
use axum::routing::get;
use http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, LINK, VARY,
};
use http::{HeaderMap, HeaderName, Request, Response, StatusCode};
use tct::link::links;
use tct::open::{Expected, open_response};
use tct::v03::{BodyLimits, BodyTag, Identity, Revision, check_sitemap, classify};
use tct::{CUrl, OpenPolicy, UnixSeconds};
use tct_tower::{Revisions, Settings, TctLayer, TctService, TwinContent};
use tower::{Layer, ServiceExt};
use url::Url;

fn content(_url: &Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let html = std::str::from_utf8(html).ok()?;
    let text = html.split_once("<p>")?.1.split_once("</p>")?.0;
    (!text.is_empty())
        .then(|| TwinContent::new("Title", text, format!("# Title\n\n{text}")).with_language("en"))
}

fn settings(revisions: Revisions) -> Settings {
    let settings =
        Settings::new("https://example.com", content).unwrap().with_pages(["/", "/about/", "/blank/"]);
    settings.with_revisions(revisions).unwrap()
}

fn site(revisions: Revisions) -> TctService<Router> {
    let pages = Router::new()
        .route("/", get(|| async { Html("<p>Home.</p>") }))
        .route("/about/", get(|| async { Html("<p>About us.</p>") }))
        .route("/blank/", get(|| async { Html("<p></p>") }));
    TctLayer::new(settings(revisions)).layer(pages)
}

async fn ask(site: &TctService<Router>, path: &str, fields: &[(HeaderName, &str)]) -> Response<Vec<u8>> {
    let mut request = Request::builder().uri(path);
    for (name, value) in fields {
        request = request.header(name, *value);
    }
    let response = site.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    Response::from_parts(head, to_bytes(Body::new(body), usize::MAX).await.unwrap().to_vec())
}

/// The strictest agent finds nothing.
async fn check_exact(site: &TctService<Router>, sitemap: &str, expected: &[String]) {
    let url = Url::parse("https://example.com").unwrap().join(sitemap).unwrap();
    let listed = ask(site, sitemap, &[(ACCEPT_ENCODING, "gzip, br")]).await;
    assert!(!listed.headers().contains_key(CONTENT_ENCODING));
    let listed = check_sitemap(listed.body(), Some(&url), &BodyLimits::default()).unwrap();
    assert!(listed.is_valid() && listed.is_canonical(), "{:?}", listed.findings());
    let twins: Vec<&str> = listed.items().iter().map(|item| item.m_url.as_str()).collect();
    assert_eq!(twins, expected, "none without a text");
    for item in listed.items() {
        let twin = Url::parse(&item.m_url).unwrap();
        let response = ask(site, twin.path(), &[(ACCEPT_ENCODING, "gzip, br")]).await;
        let page = CUrl::parse(&item.c_url).unwrap();
        let hint = item.hash.map(tct::held::ContentHash::from);
        let expected = Expected { page: Some(&page), sitemap_hash: hint.as_ref() };
        let opened =
            open_response(&twin, &response, &expected, &OpenPolicy::strict().for_revision(Revision::V03));
        assert_eq!(opened.problems(), [], "{twin}");
        assert_eq!(opened.hint_matches(), Some(true));
        let document = opened.payload().unwrap();
        assert_eq!(document.language(), Some("en"));
        assert_eq!(document.content_media_type(), Some("text/markdown; charset=utf-8"));
        let tag = response.headers()[ETAG].to_str().unwrap();
        let again = ask(site, twin.path(), &[(IF_NONE_MATCH, tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let refused = ask(site, twin.path(), &[(ACCEPT_ENCODING, "identity;q=0")]).await;
        assert_eq!(refused.status(), StatusCode::NOT_ACCEPTABLE);
    }
}

fn twins(pages: &[&str], slug: &str) -> Vec<String> {
    pages.iter().map(|page| format!("https://example.com/{page}{slug}/")).collect()
}

/// The URL Standard leaves brackets in a path as they are, the draft's grammar wants them escaped.
#[tokio::test]
#[covers("TCT3-DOC-4", "TCT3-SM-4", "TCT3-AMB-6")]
async fn a_page_with_brackets_in_its_name_is_listed_and_has_a_twin() {
    let pages = Router::new().route("/{page}", get(|| async { Html("<p>Two cups.</p>") }));
    for (revisions, sitemap, slug) in
        [(Revisions::V03, "/llm-sitemap.json", "llm"), (Revisions::Both, "/m-sitemap.json", "m")]
    {
        let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/[slug]|a^b"]);
        let site = TctLayer::new(settings.with_revisions(revisions).unwrap()).layer(pages.clone());
        let twins = twins(&["%5Bslug%5D%7Ca%5Eb/"], slug);
        check_exact(&site, sitemap, &twins).await;
        // An agent that came by a link to the page, as its author wrote it.
        let (page, twin) = ("https://example.com/[slug]|a^b", Url::parse(&twins[0]).unwrap());
        let expected = Expected { page: Some(&CUrl::parse(page).unwrap()), sitemap_hash: None };
        let opened =
            open_response(&twin, &ask(&site, twin.path(), &[]).await, &expected, &OpenPolicy::strict());
        assert_eq!(opened.problems(), []);
    }
}

/// Whatever signs a path has: a page links only forms that [`TctLayer::addresses_of`] names for it, so a rule can ask for all.
#[tokio::test]
async fn a_page_links_only_its_own_forms() {
    for revisions in [Revisions::Legacy, Revisions::V03, Revisions::Both] {
        for sign in ["a", "[b]", "|", "^", "%5B", "%7c", "(x)", "~", "@", "'", "a.b", "a;b=c"] {
            for (page, is_listed) in
                [(format!("/{sign}/"), true), (format!("/{sign}/"), false), (format!("/{sign}"), true)]
            {
                let settings = Settings::new("https://example.com", content).unwrap();
                let listed = if is_listed { page.as_str() } else { "/other/" };
                let layer = TctLayer::new(settings.with_pages([listed]).with_revisions(revisions).unwrap());
                let site = layer.layer(Router::new().fallback(|| async { Html("<p>Two cups.</p>") }));
                let answer = ask(&site, &page, &[]).await;
                let own = layer.addresses_of(&page);
                let twins = links(answer.headers()).filter(|link| link.has_rel("alternate"));
                for twin in twins.map(|link| Url::parse(link.target).unwrap()) {
                    let twin = twin[url::Position::BeforePath..].to_owned();
                    assert!(own.contains(&twin), "{revisions:?} {page} {is_listed}: {twin} in {own:?}");
                    assert!(
                        layer.addresses_of(&twin).contains(&page),
                        "{revisions:?} {page} {is_listed}: {twin}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
#[covers("TCT3-DOC-10", "TCT3-SM-13")]
async fn draft_03_alone_has_the_usual_addresses() {
    let site = site(Revisions::V03);
    check_exact(&site, "/llm-sitemap.json", &twins(&["", "about/"], "llm")).await;
    assert_eq!(ask(&site, "/about/m/", &[]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
#[covers("TCT3-MIG-3", "TCT3-AMB-33", "TCT3-DISC-3")]
async fn both_stand_side_by_side_and_the_page_links_them() {
    let site = site(Revisions::Both);
    check_exact(&site, "/m-sitemap.json", &twins(&["", "about/"], "m")).await;
    for (path, revision) in [
        ("/llm-sitemap.json", Revision::Legacy),
        ("/m-sitemap.json", Revision::V03),
        ("/about/llm/", Revision::Legacy),
        ("/about/m/", Revision::V03),
    ] {
        let found = classify(ask(&site, path, &[]).await.body()).unwrap().unwrap();
        assert_eq!(found.1, revision, "{path}");
    }
    let page = ask(&site, "/about/", &[]).await;
    let targets: Vec<_> = links(page.headers()).map(|link| link.target.to_string()).collect();
    assert_eq!(
        targets,
        ["about/llm/", "about/m/", "llm-sitemap.json", "m-sitemap.json"]
            .map(|path| format!("https://example.com/{path}"))
    );
}

/// What readers need credentials for is in no sitemap, has no twin, and its page links none: one decision for all three.
#[tokio::test]
#[covers("TCT3-SM-14", "TCT3-DISC-7", "TCT3-SEC-2", "TCT3-SEC-8")]
async fn what_is_not_for_everybody_is_advertised_nowhere() {
    async fn members(fields: HeaderMap) -> AxumResponse {
        match fields.contains_key(AUTHORIZATION) {
            true => ([(CACHE_CONTROL, "private")], Html("<p>The minutes.</p>")).into_response(),
            false => StatusCode::UNAUTHORIZED.into_response(),
        }
    }
    for revisions in [Revisions::V03, Revisions::Both, Revisions::Legacy] {
        let pages = Router::new()
            .route("/", get(|| async { Html("<p>Home.</p>") }))
            .route("/members/", get(members))
            .route("/draft/", get(|| async { ([(CACHE_CONTROL, "private")], Html("<p>A draft.</p>")) }));
        let settings =
            Settings::new("https://example.com", content).unwrap().with_pages(["/", "/members/", "/draft/"]);
        let site = TctLayer::new(settings.with_revisions(revisions).unwrap()).layer(pages);
        let reader = [(AUTHORIZATION, "Basic eDp5")];
        for (path, fields) in [("/members/", reader.as_slice()), ("/draft/", &[])] {
            let page = ask(&site, path, fields).await;
            assert_eq!((page.status(), page.headers().get(LINK)), (StatusCode::OK, None), "{path}");
            for slug in ["llm", "m"] {
                let twin = ask(&site, &format!("{path}{slug}/"), fields).await;
                assert!(twin.status().is_client_error() && twin.body().is_empty(), "{path}{slug}: {twin:?}");
            }
        }
        for sitemap in ["/llm-sitemap.json", "/m-sitemap.json"] {
            // As a reader too: what is listed does not depend on who asks.
            let listed = ask(&site, sitemap, &reader).await;
            let text = String::from_utf8_lossy(listed.body());
            let is_served = sitemap == "/llm-sitemap.json" || revisions == Revisions::Both;
            assert_eq!(listed.status().is_success(), is_served, "{revisions:?} {sitemap}");
            assert!(!text.contains("/members/") && !text.contains("/draft/"), "{text}");
            assert_eq!(text.matches("https://example.com/\"").count(), usize::from(is_served), "{text}");
        }
    }
}

/// A site is published under https, and what is stored of one revision is never served as the other.
#[tokio::test]
#[covers("TCT3-SEC-1", "TCT3-MIG-8")]
async fn a_site_is_https_and_each_revision_has_its_own_bytes() {
    assert!(Settings::new("http://example.com", content).is_err());
    let both = site(Revisions::Both);
    // The same page is asked for by both twins, so both are made at once and kept together.
    for _ in 0..2 {
        for (path, revision) in [("/about/llm/", Revision::Legacy), ("/about/m/", Revision::V03)] {
            let twin = ask(&both, path, &[]).await;
            assert_eq!(classify(twin.body()).unwrap().unwrap().1, revision, "{path}");
            let is_of_bytes = BodyTag::of_bytes(twin.body())
                .matches_hint(twin.headers()[ETAG].to_str().unwrap().trim_matches('"'));
            assert_eq!(is_of_bytes, revision == Revision::V03, "{path}");
            // A pair that was stored by the drafts before is no pair of draft -03.
            let tag = twin.headers()[ETAG].to_str().unwrap().trim_matches('"').to_owned();
            let stored = Identity::from_stored(twin.body().clone(), &tag.parse().unwrap());
            assert_eq!(stored.is_some(), revision == Revision::V03, "{path}");
        }
    }
}

/// An inner service with entity tags, which counts the bodies that it sends.
fn tagged(bodies: &Arc<AtomicUsize>, version: &Arc<AtomicU64>) -> Router {
    let answer = |bodies: Arc<AtomicUsize>, version: Arc<AtomicU64>, fields: HeaderMap| -> AxumResponse {
        let tag = format!("\"v{}\"", version.load(Ordering::Relaxed));
        if fields.get(IF_NONE_MATCH).is_some_and(|held| held == tag.as_str()) {
            return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
        }
        bodies.fetch_add(1, Ordering::Relaxed);
        let text = format!("<p>Text {}.</p>", version.load(Ordering::Relaxed));
        ([(ETAG, tag)], Html(text)).into_response()
    };
    let (bodies, version) = (Arc::clone(bodies), Arc::clone(version));
    let handler = get(move |fields: HeaderMap| {
        let answered = answer(Arc::clone(&bodies), Arc::clone(&version), fields);
        async move { answered }
    });
    Router::new().route("/", handler.clone()).route("/about/", handler)
}

#[tokio::test]
async fn a_sitemap_asks_with_the_inner_services_own_tags() {
    let (bodies, version) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(1)));
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/", "/about/"]);
    let site = TctLayer::new(settings).layer(tagged(&bodies, &version));
    let first = ask(&site, "/llm-sitemap.json", &[]).await;
    assert_eq!(bodies.load(Ordering::Relaxed), 2);
    let second = ask(&site, "/llm-sitemap.json", &[]).await;
    assert_eq!(
        (second.headers()[ETAG].clone(), bodies.load(Ordering::Relaxed)),
        (first.headers()[ETAG].clone(), 2)
    );
    // A change is there at once.
    version.store(2, Ordering::Relaxed);
    let third = ask(&site, "/llm-sitemap.json", &[]).await;
    assert_ne!(third.headers()[ETAG], first.headers()[ETAG]);
    assert_eq!(bodies.load(Ordering::Relaxed), 4);
    // The page's own 304 says that the page has two forms, as its 200 does.
    let page = ask(&site, "/about/", &[]).await;
    let tag = page.headers()[ETAG].to_str().unwrap().to_owned();
    let again = ask(&site, "/about/", &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!((again.status(), &again.headers()[VARY]), (StatusCode::NOT_MODIFIED, &page.headers()[VARY]));
}

/// A part of a page says that the page has two forms, too, and links nothing: it does not tell whether it is public.
#[tokio::test]
async fn a_part_of_a_page_varies_as_the_page_does() {
    for (media_type, is_page) in
        [("text/html", true), ("multipart/byteranges; boundary=x", true), ("image/png", false)]
    {
        let part = move || async move {
            (StatusCode::PARTIAL_CONTENT, [(http::header::CONTENT_TYPE, media_type)], "<h1>A")
        };
        let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/"]);
        let site = TctLayer::new(settings).layer(Router::new().route("/", get(part)));
        let part = ask(&site, "/", &[(http::header::RANGE, "bytes=0-4")]).await;
        assert_eq!((part.headers().contains_key(VARY), part.headers().contains_key(LINK)), (is_page, false));
    }
}

#[tokio::test]
async fn with_a_clock_a_sitemap_asks_nobody_for_a_while() {
    let (bodies, version) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(1)));
    let clock = Arc::new(AtomicU64::new(1000));
    let now = Arc::clone(&clock);
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/", "/about/"]);
    let settings = settings.with_sitemap_age(60, move || UnixSeconds(now.load(Ordering::Relaxed)));
    let site = TctLayer::new(settings).layer(tagged(&bodies, &version));
    let tag = ask(&site, "/llm-sitemap.json", &[]).await.headers()[ETAG].clone();
    version.store(2, Ordering::Relaxed);
    for (at, is_same) in [(1059, true), (1060, false), (1000, false)] {
        clock.store(at, Ordering::Relaxed);
        let found = ask(&site, "/llm-sitemap.json", &[]).await;
        assert_eq!(found.headers()[ETAG] == tag, is_same, "at {at}");
    }
    // Twins are never of yesterday: an agent that asks gets the page as it is.
    let twin = ask(&site, "/about/llm/", &[]).await;
    assert!(String::from_utf8_lossy(twin.body()).contains("Text 2."));
}
