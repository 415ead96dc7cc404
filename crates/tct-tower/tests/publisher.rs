//! The layer around an axum router, without a socket.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::response::Html;
use axum::routing::get;
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_TYPE, COOKIE, ETAG, IF_NONE_MATCH, LINK, RANGE, SET_COOKIE, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use tct::{PolicyDescriptor, SitemapReader};
use tct_tower::{Settings, TctLayer, TctService, TwinContent};
use tower::{Layer, ServiceExt};
use url::Url;

type Text = Arc<Mutex<String>>;

/// The text of the first paragraph.
fn content(_url: &Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let html = std::str::from_utf8(html).ok()?;
    let text = html.split_once("<p>")?.1.split_once("</p>")?.0;
    (!text.is_empty()).then(|| TwinContent::new("Title", text, format!("# Title\n\n{text}")))
}

fn site(text: &Text) -> TctService<Router> {
    async fn private(headers: HeaderMap) -> ([(HeaderName, &'static str); 1], Html<String>) {
        let who = headers.get(COOKIE).map_or("stranger", |_| "reader");
        ([(CACHE_CONTROL, "private")], Html(format!("<p>For this {who}.</p>")))
    }
    async fn who(headers: HeaderMap) -> Html<String> {
        let who = headers.get(COOKIE).map_or("stranger", |_| "reader");
        Html(format!("<p>Dear {who}.</p>"))
    }
    let pages = Router::new()
        .route(
            "/",
            get(|State(text): State<Text>| async move { Html(format!("<p>{}</p>", text.lock().unwrap())) }),
        )
        .route("/about/", get(|| async { Html("<p>About us.</p>") }))
        .route("/blank/", get(|| async { Html("<p></p>") }))
        .route("/private/", get(private))
        .route("/stored/", get(|| async { ([(CACHE_CONTROL, "no-store")], Html("<p>Once.</p>")) }))
        .route("/cookie/", get(|| async { ([(SET_COOKIE, "a=b")], Html("<p>Tracked.</p>")) }))
        .route("/who/", get(who))
        .route("/large/", get(|| async { Html(format!("<p>{}</p>", "x".repeat(5000))) }))
        .route("/data.json", get(|| async { ([(CONTENT_TYPE, "application/json")], "{}") }))
        .route("/notes.md", get(|| async { "a file" }))
        .with_state(Arc::clone(text));
    let mut policy = PolicyDescriptor::default();
    policy.ai_train = tct::Permission::Denied;
    let settings = Settings::new("https://example.com", content).unwrap();
    let settings =
        settings.with_pages(["/", "/about/", "/blank/", "/private/"]).with_policy(&policy).unwrap();
    TctLayer::new(settings.with_max_html_bytes(4000)).layer(pages)
}

fn first() -> Text {
    Arc::new(Mutex::new("What it says.".to_owned()))
}

async fn send(
    site: &TctService<Router>,
    method: Method,
    path: &str,
    fields: &[(HeaderName, &str)],
) -> Response<Vec<u8>> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in fields {
        request = request.header(name, *value);
    }
    let response = site.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    Response::from_parts(head, to_bytes(Body::new(body), usize::MAX).await.unwrap().to_vec())
}

async fn fetch(site: &TctService<Router>, path: &str) -> Response<Vec<u8>> {
    send(site, Method::GET, path, &[]).await
}

fn links(response: &Response<Vec<u8>>) -> Vec<&HeaderValue> {
    response.headers().get_all(LINK).iter().collect()
}

#[tokio::test]
async fn a_page_has_a_twin_with_validators() {
    let text = first();
    let site = site(&text);
    let twin = fetch(&site, "/llm/").await;
    let json: tct::untrusted::UntrustedText =
        tct::untrusted::UntrustedText::new(String::from_utf8_lossy(twin.body()));
    assert!(json.as_untrusted_str().contains("What it says."), "{twin:?}");
    assert_eq!(links(&twin)[0], "<https://example.com/>; rel=\"canonical\"");
    let tag = twin.headers()[ETAG].to_str().unwrap().to_owned();
    for method in [Method::GET, Method::HEAD] {
        let again = send(&site, method, "/llm/", &[(IF_NONE_MATCH, &tag)]).await;
        assert_eq!((again.status(), again.body().len()), (StatusCode::NOT_MODIFIED, 0));
    }
    assert_eq!(send(&site, Method::HEAD, "/llm/", &[]).await.body().len(), 0);
    let part = send(&site, Method::GET, "/llm/", &[(RANGE, "bytes=0-0")]).await;
    assert_eq!((part.status(), part.body().as_slice()), (StatusCode::PARTIAL_CONTENT, b"{".as_slice()));
    // A change of the page changes the twin at once.
    "Another text.".clone_into(&mut text.lock().unwrap());
    let changed = send(&site, Method::GET, "/llm/", &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!(changed.status(), StatusCode::OK);
    assert_ne!(changed.headers()[ETAG], tag);
}

#[tokio::test]
async fn pages_pass_untouched_with_links() {
    let site = site(&first());
    let page = fetch(&site, "/about/").await;
    assert_eq!(page.body(), b"<p>About us.</p>");
    let line = "<https://example.com/about/llm/>; rel=\"alternate\"; type=\"application/json\", \
                <https://example.com/llm-sitemap.json>; rel=\"index\"; type=\"application/json\"";
    assert_eq!(links(&page), [line]);
    assert_eq!(page.headers()[VARY], "accept");
    let data = fetch(&site, "/data.json").await;
    assert!(data.headers().get(LINK).is_none() && data.headers().get(VARY).is_none());
    assert_eq!(fetch(&site, "/missing/").await.status(), StatusCode::NOT_FOUND);
}

/// The line of a page does not depend on what was asked for before it, however many other paths that were.
#[tokio::test]
async fn every_path_has_its_own_links_whatever_was_asked_before() {
    let pages = Router::new().fallback(get(|| async { Html("<p>Any page.</p>") }));
    let settings = Settings::new("https://example.com", content).unwrap().with_max_pages(3);
    let site = TctLayer::new(settings).layer(pages);
    for round in 0..3 {
        for path in ["/a/", "/b", "/c/?q=1", "/c/?q=2", "/%C3%A9/", "/a/llm"] {
            let request = Request::builder().uri(path).body(Body::empty()).unwrap();
            let page = site.clone().oneshot(request).await.unwrap();
            let found: Vec<String> =
                tct::link::links(page.headers()).map(|link| link.target.to_string()).collect();
            let expected = match path {
                "/a/" => vec!["https://example.com/a/llm/"],
                "/b" => vec!["https://example.com/b/llm/"],
                "/c/?q=1" => vec!["https://example.com/c/llm/?q=1"],
                "/c/?q=2" => vec!["https://example.com/c/llm/?q=2"],
                "/%C3%A9/" => vec!["https://example.com/%C3%A9/llm/"],
                // Its twin would have the address of another page's.
                _ => Vec::new(),
            };
            assert_eq!(found, expected, "{round}: {path}");
            assert_eq!(page.headers()[VARY], "accept", "{path}");
        }
    }
}

/// A listed page's own path is what its twin names, with or without a slash at its end.
#[tokio::test]
async fn a_listed_page_keeps_its_path() {
    let pages = Router::new()
        .route("/tides.html", get(|| async { Html("<p>High water.</p>") }))
        .route("/about/", get(|| async { Html("<p>About us.</p>") }))
        .route("/other/", get(|| async { Html("<p>Unlisted.</p>") }));
    let settings = Settings::new("https://example.com", content).unwrap();
    let site = TctLayer::new(settings.with_pages(["/tides.html", "/about/"])).layer(pages);
    for page in ["/tides.html", "/about/", "/other/"] {
        let request = Request::builder().uri(format!("{}/llm/", page.trim_end_matches('/')));
        let twin = site.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(twin.status(), StatusCode::OK, "{page}");
        let canonical = tct::link::links(twin.headers()).find(|link| link.has_rel("canonical")).unwrap();
        assert_eq!(canonical.target, format!("https://example.com{page}"));
    }
}

#[tokio::test]
async fn what_is_not_for_everybody_has_no_twin() {
    let site = site(&first());
    for path in ["/private/", "/stored/", "/cookie/"] {
        let page = fetch(&site, path).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert!(page.headers().get(LINK).is_none(), "{path}");
        assert_eq!(fetch(&site, &format!("{path}llm/")).await.status(), StatusCode::NOT_FOUND, "{path}");
        let markdown = send(&site, Method::GET, path, &[(ACCEPT, "text/markdown")]).await;
        assert!(markdown.headers()[CONTENT_TYPE].to_str().unwrap().starts_with("text/html"), "{path}");
    }
    for path in ["/blank/llm/", "/large/llm/", "/missing/llm/", "/data.json/llm/"] {
        assert_eq!(fetch(&site, path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(fetch(&site, "/large/").await.body().len(), 5007);
    // What a reader's cookie would show is never published.
    let twin = send(&site, Method::GET, "/who/llm/", &[(COOKIE, "session=1")]).await;
    assert!(String::from_utf8_lossy(twin.body()).contains("Dear stranger."), "{twin:?}");
}

#[tokio::test]
async fn markdown_is_served_by_accept_and_under_its_own_name() {
    let site = site(&first());
    let markdown = send(&site, Method::GET, "/about/", &[(ACCEPT, "text/markdown, */*;q=0.1")]).await;
    assert_eq!(markdown.body(), b"# Title\n\nAbout us.");
    assert_eq!(markdown.headers()[VARY], "accept, accept-encoding");
    let tag = markdown.headers()[ETAG].to_str().unwrap().to_owned();
    let again =
        send(&site, Method::HEAD, "/about/", &[(ACCEPT, "text/markdown"), (IF_NONE_MATCH, &tag)]).await;
    assert_eq!(
        (again.status(), &again.headers()[VARY]),
        (StatusCode::NOT_MODIFIED, &markdown.headers()[VARY])
    );
    for path in ["/about.md", "/about/index.md"] {
        let alone = fetch(&site, path).await;
        assert_eq!(alone.body(), markdown.body(), "{path}");
        assert_eq!(links(&alone)[0], "<https://example.com/about/>; rel=\"canonical\"");
    }
    assert_eq!(fetch(&site, "/notes.md").await.body(), b"a file", "a file of the handler's own");
    let html = send(&site, Method::GET, "/about/", &[(ACCEPT, "text/html, */*")]).await;
    assert_eq!(
        (html.body().as_slice(), &html.headers()[VARY]),
        (b"<p>About us.</p>".as_slice(), &HeaderValue::from_static("accept"))
    );
}

#[tokio::test]
async fn sitemap_and_policy_are_served() {
    let text = first();
    let site = site(&text);
    let sitemap = fetch(&site, "/llm-sitemap.json").await;
    let mut listed = tct::sitemap::Sitemap::new();
    let url = Url::parse("https://example.com/llm-sitemap.json").unwrap();
    listed.read(sitemap.body(), SitemapReader::new(&url)).unwrap();
    let pages: Vec<&str> = listed.pages().iter().map(|page| page.m_url.as_str()).collect();
    assert_eq!(pages, ["https://example.com/llm/", "https://example.com/about/llm/"], "none without a twin");
    let tag = sitemap.headers()[ETAG].to_str().unwrap().to_owned();
    let same = send(&site, Method::GET, "/llm-sitemap.json", &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
    "Another text.".clone_into(&mut text.lock().unwrap());
    let other = send(&site, Method::GET, "/llm-sitemap.json", &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!(other.status(), StatusCode::OK);
    assert!(links(&sitemap)[0].to_str().unwrap().contains("describedby"));
    let policy = fetch(&site, "/llm-policy.json").await;
    assert_eq!(policy.body(), br#"{"purposes":{"allow_ai_train":false}}"#);
}
