//! The layer around an axum router, without a socket.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use covers::covers;
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
    let settings = Settings::new("https://example.com", content).unwrap().with_queries(["q"]);
    let site = TctLayer::new(settings).layer(pages);
    for round in 0..3 {
        for path in ["/a/", "/b", "/c/?q=1", "/c/?q=2", "/c/?q=1&n=1", "/%C3%A9/", "/a/llm"] {
            let request = Request::builder().uri(path).body(Body::empty()).unwrap();
            let page = site.clone().oneshot(request).await.unwrap();
            let found: Vec<String> =
                tct::link::links(page.headers()).map(|link| link.target.to_string()).collect();
            let expected = match path {
                "/a/" => vec!["https://example.com/a/llm/"],
                "/c/?q=1" => vec!["https://example.com/c/llm/?q=1"],
                "/c/?q=2" => vec!["https://example.com/c/llm/?q=2"],
                "/%C3%A9/" => vec!["https://example.com/%C3%A9/llm/"],
                // Its twin would have the address of another page's, or its query may choose nothing.
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

/// The queries that choose a page are declared; whatever else stands in a query makes no page.
#[tokio::test]
async fn only_declared_queries_have_twins() {
    let pages = Router::new().fallback(|uri: http::Uri| async move {
        let is_form = uri.path().ends_with("/llm/") || uri.path().ends_with(".md");
        let status = if is_form { StatusCode::NOT_FOUND } else { StatusCode::OK };
        (status, Html(format!("<p>This is {uri}.</p>")))
    });
    let settings = Settings::new("https://example.com", content).unwrap().with_queries(["id"]);
    let layer = TctLayer::new(settings.with_pages(["/c/?q=1", "/tides.html", "/über/"]));
    let site = layer.layer(pages);
    for (path, page) in [
        ("/a/llm/", Some("/a/")),
        ("/a/llm/?id=7", Some("/a/?id=7")),
        ("/a.md?id=7", Some("/a/?id=7")),
        ("/a/llm/?id=7&id=8", Some("/a/?id=7&id=8")),
        ("/a/llm/?n=1", None),
        ("/a/llm/?id=7&n=1", None),
        ("/a/llm/?", None),
        ("/a.md?n=1", None),
        // Listed as it is.
        ("/c/llm/?q=1", Some("/c/?q=1")),
        ("/c/llm/?q=2", None),
        ("/tides.html/llm/", Some("/tides.html")),
        ("/tides.html.md", Some("/tides.html")),
        ("/tides.html/llm/?id=2", Some("/tides.html?id=2")),
        ("/%C3%BCber/llm/", Some("/%C3%BCber/")),
    ] {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let answer = site.clone().oneshot(request).await.unwrap();
        let canonical = tct::link::links(answer.headers()).find(|link| link.has_rel("canonical"));
        let expected = page.map(|page| format!("https://example.com{page}"));
        assert_eq!(canonical.map(|link| link.target.to_owned()), expected, "{path}");
        let body = to_bytes(Body::new(answer.into_body()), usize::MAX).await.unwrap();
        let text = format!("This is {}.", page.unwrap_or(path));
        assert!(String::from_utf8_lossy(&body).contains(&text), "{path}: {body:?}");
    }
    assert!(layer.page_changed("/über/") && layer.page_changed("/%C3%BCber/"));
}

/// Pages that are added later are listed, and what is known of those that stay is kept.
#[tokio::test]
async fn pages_are_listed_and_delisted_later() {
    let large = Large::new(3, |settings| settings.with_sitemap_checks(0));
    let listed = async || {
        let answer = fetch(&large.site, "/llm-sitemap.json").await;
        let mut listed = tct::sitemap::Sitemap::new();
        listed.read(answer.body(), SitemapReader::any_origin()).unwrap();
        let pages = listed.pages().iter();
        pages.map(|page| page.m_url.as_str().replace("https://example.com", "")).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, ["/0/llm/", "/1/llm/", "/2/llm/"]);
    large.asked.lock().unwrap().clear();
    large.layer.set_pages([
        "/2/",
        "/new/",
        "/2",
        "/0/",
        "https://other.example/",
        "//other.example/",
        "no path",
    ]);
    assert_eq!(listed().await, ["/2/llm/", "/new/llm/", "/0/llm/"]);
    assert_eq!(*large.asked.lock().unwrap(), ["/new/"], "the others are known");
    // A site without pages has no sitemap, and its pages link none.
    large.layer.set_pages([""; 0]);
    let links_now = async || links(&fetch(&large.site, "/5/").await).len();
    let of_nothing = fetch(&large.site, "/llm-sitemap.json").await;
    assert_eq!(of_nothing.body(), b"<p>What it says.</p>", "the handler's own");
    let page = fetch(&large.site, "/5/").await;
    assert!(!links(&page)[0].to_str().unwrap().contains("sitemap"));
    large.layer.set_pages(["/0/"]);
    let page = fetch(&large.site, "/5/").await;
    assert!(links(&page)[0].to_str().unwrap().contains("sitemap"));
    assert_eq!(links_now().await, 1);
}

/// A sitemap that lists nothing says that all pages are gone: it is not made of pages that could not be asked for.
#[tokio::test]
async fn a_site_that_cannot_be_asked_has_no_sitemap_rather_than_an_empty_one() {
    let large = Large::new(3, |settings| settings);
    for page in ["/0/", "/1/", "/2/"] {
        large.set(page, "503");
    }
    let refused = fetch(&large.site, "/llm-sitemap.json").await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()[http::header::RETRY_AFTER], "60");
    assert_eq!(refused.headers()[CACHE_CONTROL], "no-store");
    large.set("/1/", "Here.");
    assert_eq!(large.sitemap().await.1, 1);
}

/// The answer to a question that was asked before a page changed comes after that to a later one.
#[tokio::test]
async fn an_answer_that_comes_late_does_not_bring_back_what_a_page_was() {
    let text = first();
    let slow = Arc::new(tokio::sync::Semaphore::new(0));
    let (now, gate) = (Arc::clone(&text), Arc::clone(&slow));
    let pages = Router::new().fallback(move |fields: HeaderMap| async move {
        let said = now.lock().unwrap().clone();
        if said == "Before." && fields.len() == 2 {
            gate.acquire().await.unwrap().forget();
        }
        Html(format!("<p>{said}</p>"))
    });
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/a/"]);
    let layer = TctLayer::new(settings.with_sitemap_checks(0));
    let site = layer.layer(pages);
    "Before.".clone_into(&mut text.lock().unwrap());
    let request = || Request::builder().uri("/a/llm/").body(Body::empty()).unwrap();
    let mut early = Box::pin(site.clone().oneshot(request()));
    std::future::poll_fn(|cx| std::task::Poll::Ready(early.as_mut().poll(cx).is_pending())).await;
    "After.".clone_into(&mut text.lock().unwrap());
    let later = fetch(&site, "/a/llm/").await;
    slow.add_permits(1);
    drop(early.await.unwrap());
    let hash = later.headers()[ETAG].to_str().unwrap().trim_matches('"').to_owned();
    let listed = fetch(&site, "/llm-sitemap.json").await;
    assert!(String::from_utf8_lossy(listed.body()).contains(&hash));
}

#[tokio::test]
#[covers("TCT-PAGE-2", "TCT-SEC-8")]
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
#[covers("TCT-POL-1", "TCT-POL-2", "TCT-SM-9")]
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

/// A site of many pages whose handler counts what it is asked for.
struct Large {
    site: TctService<Router>,
    layer: TctLayer,
    asked: Arc<Mutex<Vec<String>>>,
    texts: Arc<Mutex<std::collections::HashMap<String, String>>>,
}

impl Large {
    fn new(pages: usize, settings: impl FnOnce(Settings) -> Settings) -> Self {
        let (asked, texts) =
            (Arc::<Mutex<Vec<String>>>::default(), Arc::<Mutex<std::collections::HashMap<_, _>>>::default());
        let (log, new) = (Arc::clone(&asked), Arc::clone(&texts));
        let router = Router::new().fallback(move |uri: http::Uri| async move {
            let path = uri.path().to_owned();
            log.lock().unwrap().push(path.clone());
            match new
                .lock()
                .unwrap()
                .get(&path)
                .cloned()
                .unwrap_or_else(|| "What it says.".to_owned())
                .as_str()
            {
                "" => Err(StatusCode::NOT_FOUND),
                "503" => Err(StatusCode::SERVICE_UNAVAILABLE),
                text => Ok(Html(format!("<p>{text}</p>"))),
            }
        });
        let paths = (0..pages).map(|page| format!("/{page}/"));
        let layer =
            TctLayer::new(settings(Settings::new("https://example.com", content).unwrap().with_pages(paths)));
        Large { site: layer.layer(router), layer, asked, texts }
    }

    fn set(&self, path: &str, text: &str) {
        self.texts.lock().unwrap().insert(path.to_owned(), text.to_owned());
    }

    /// The sitemap's tag, its number of pages, and how many pages the handler was asked for.
    async fn sitemap(&self) -> (String, usize, usize) {
        self.asked.lock().unwrap().clear();
        let answer = fetch(&self.site, "/llm-sitemap.json").await;
        let mut listed = tct::sitemap::Sitemap::new();
        listed.read(answer.body(), SitemapReader::any_origin()).unwrap();
        let tag = answer.headers()[ETAG].to_str().unwrap().to_owned();
        (tag, listed.pages().len(), self.asked.lock().unwrap().len())
    }
}

#[tokio::test]
async fn a_sitemap_of_many_pages_asks_for_a_few_in_turn() {
    let large = Large::new(600, |settings| settings);
    let (first, pages, asked) = large.sitemap().await;
    assert_eq!((pages, asked), (600, 600), "all of them, once");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..3 {
        let (tag, _, asked) = large.sitemap().await;
        assert_eq!((tag, asked), (first.clone(), 256));
        seen.extend(large.asked.lock().unwrap().clone());
    }
    assert_eq!(seen.len(), 600, "each has its turn");
    // A change shows when the page's turn comes.
    large.set("/599/", "Another text.");
    let mut turns = 0;
    while large.sitemap().await.0 == first {
        turns += 1;
        assert!(turns < 3, "a change is seen within one round");
    }
}

#[tokio::test]
async fn a_change_that_is_told_or_seen_is_in_the_sitemap_at_once() {
    let large = Large::new(300, |settings| settings.with_sitemap_checks(0));
    let (first, ..) = large.sitemap().await;
    large.set("/7/", "Another text.");
    assert_eq!(large.sitemap().await, (first.clone(), 300, 0), "nobody told");
    assert!(large.layer.page_changed("/7/"));
    assert!(!large.layer.page_changed("/unlisted/"));
    let (second, pages, asked) = large.sitemap().await;
    assert_eq!((second != first, pages, asked), (true, 300, 1));
    assert_eq!(large.sitemap().await, (second.clone(), 300, 0), "told once, asked once");
    // Whoever asks for a twin has the page read, and the sitemap says the same as the twin.
    large.set("/8/", "Another text.");
    let twin = fetch(&large.site, "/8/llm/").await;
    let (third, _, asked) = large.sitemap().await;
    assert_eq!((third != second, asked), (true, 0));
    let listed = fetch(&large.site, "/llm-sitemap.json").await;
    let hash = twin.headers()[ETAG].to_str().unwrap().trim_matches('"').to_owned();
    assert!(String::from_utf8_lossy(listed.body()).contains(&hash));
    // A page that is gone leaves the sitemap, and comes back.
    large.set("/9/", "");
    assert!(large.layer.page_changed("/9/"));
    assert_eq!(large.sitemap().await.1, 299);
    large.set("/9/", "Here again.");
    assert!(large.layer.page_changed("/9/"));
    let (fourth, pages, _) = large.sitemap().await;
    assert_eq!(pages, 300);
    // One that cannot be had now stays as it was, and is asked for until it can.
    large.set("/9/", "503");
    assert!(large.layer.page_changed("/9/"));
    for _ in 0..2 {
        assert_eq!(large.sitemap().await, (fourth.clone(), 300, 1));
    }
    large.set("/9/", "Better.");
    let (fifth, pages, asked) = large.sitemap().await;
    assert_eq!((fifth != fourth, pages, asked), (true, 300, 1));
    assert_eq!(large.sitemap().await.2, 0);
}

#[tokio::test]
async fn all_pages_are_asked_for_where_the_publisher_wants_that() {
    let large = Large::new(300, |settings| settings.with_sitemap_checks(usize::MAX));
    for _ in 0..2 {
        assert_eq!(large.sitemap().await.2, 300);
    }
    let none = Large::new(0, |settings| settings);
    assert_eq!(
        fetch(&none.site, "/llm-sitemap.json").await.status(),
        StatusCode::OK,
        "the handler's own answer"
    );
}

/// A request for a sitemap that is given up half way leaves nothing out.
#[tokio::test]
async fn what_a_dropped_request_did_not_do_is_due_again() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let pages = Router::new().fallback(move |uri: http::Uri| async move {
        log.lock().unwrap().push(uri.path().to_owned());
        tokio::task::yield_now().await;
        Html("<p>What it says.</p>")
    });
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/a/", "/b/", "/c/"]);
    let layer = TctLayer::new(settings.with_sitemap_checks(0));
    let site = layer.layer(pages);
    fetch(&site, "/llm-sitemap.json").await;
    assert!(layer.page_changed("/a/") && layer.page_changed("/c/"));
    let request = Request::builder().uri("/llm-sitemap.json").body(Body::empty()).unwrap();
    let mut begun = Box::pin(site.clone().oneshot(request));
    let is_pending = std::future::poll_fn(|cx| std::task::Poll::Ready(begun.as_mut().poll(cx).is_pending()));
    assert!(is_pending.await, "the first page is asked for");
    drop(begun);
    asked.lock().unwrap().clear();
    fetch(&site, "/llm-sitemap.json").await;
    assert_eq!(*asked.lock().unwrap(), ["/a/", "/c/"]);
}

/// Each form names the page that it is of, and the page names each of its forms: a rule can ask for all.
#[tokio::test]
async fn addresses_are_of_pages_and_pages_have_addresses() {
    let settings = Settings::new("https://example.com", content).unwrap().with_queries(["id"]);
    let settings = settings.with_pages(["/", "/tides.html", "/c/?q=1"]);
    let settings = settings.with_revisions(tct_tower::Revisions::Both).unwrap();
    let layer = TctLayer::new(settings);
    for (page, forms) in [
        ("/", &["/llm/", "/m/", "/index.md"][..]),
        ("/tides.html", &["/tides.html/llm/", "/tides.html/m/", "/tides.html.md"]),
        ("/a/", &["/a/llm/", "/a/m/", "/a.md", "/a/index.md"]),
        ("/a/?id=7", &["/a/llm/?id=7", "/a/m/?id=7", "/a.md?id=7", "/a/index.md?id=7"]),
        ("/c/?q=1", &["/c/llm/?q=1", "/c/m/?q=1", "/c.md?q=1", "/c/index.md?q=1"]),
        ("/%C3%BCber/", &["/%C3%BCber/llm/", "/%C3%BCber/m/", "/%C3%BCber.md", "/%C3%BCber/index.md"]),
        // Nobody says that it has any.
        ("/unlisted.html", &[]),
        ("/a/?n=1", &[]),
    ] {
        let of_page = layer.addresses_of(page);
        assert_eq!(of_page.split_first().map(|(own, _)| own.as_str()), Some(page));
        for form in forms {
            assert!(of_page.iter().any(|one| one == form), "{page} {form}: {of_page:?}");
            let of_form = layer.addresses_of(form);
            assert!(of_page.iter().all(|one| of_form.contains(one)), "{page} {form}: {of_form:?}");
        }
        assert_eq!(of_page.len(), 1 + forms.len(), "{of_page:?}");
    }
}

/// What the site has at an address is what its author wants there: a listed page always, any other route where the page whose
/// twin or Markdown would be there is not listed.
#[tokio::test]
async fn what_the_site_has_at_an_address_is_not_hidden() {
    async fn signed(headers: HeaderMap) -> (StatusCode, &'static str) {
        match headers.contains_key(COOKIE) {
            true => (StatusCode::OK, "admin"),
            false => (StatusCode::FORBIDDEN, "no"),
        }
    }
    let page = |text: &'static str| get(async move || Html(format!("<p>{text}</p>")));
    let pages = Router::new()
        .route("/topics/", page("All topics."))
        .route("/topics/llm/", page("Language models.").post(async || "posted"))
        .route("/about/", page("About us."))
        .route("/about/llm/", axum::routing::post(async || "posted"))
        .route("/tags/", page("All tags."))
        .route("/tags/llm/", page("Tagged llm."))
        .route("/tags.md", get(async || "a file"))
        .route("/admin/", get(signed))
        .route("/admin/llm/", get(signed).post(async || "saved"))
        .route("/shut/", get(async || StatusCode::FORBIDDEN));
    let settings = Settings::new("https://example.com", content).unwrap().with_queries(["id"]);
    let site = TctLayer::new(settings.with_pages(["/topics/", "/topics/llm/", "/about/"])).layer(pages);
    for (method, path, status, text) in [
        (Method::GET, "/topics/llm/", StatusCode::OK, "<p>Language models.</p>"),
        (Method::GET, "/topics/llm/?id=1", StatusCode::OK, "<p>Language models.</p>"),
        (Method::POST, "/topics/llm/", StatusCode::OK, "posted"),
        (Method::GET, "/about/llm/", StatusCode::OK, "\"content\":\"About us.\""),
        (Method::POST, "/about/llm/", StatusCode::OK, "posted"),
        (Method::GET, "/tags/llm/", StatusCode::OK, "<p>Tagged llm.</p>"),
        (Method::GET, "/tags.md", StatusCode::OK, "a file"),
        (Method::GET, "/tags/index.md", StatusCode::OK, "# Title\n\nAll tags."),
        (Method::GET, "/admin/llm/", StatusCode::OK, "admin"),
        (Method::POST, "/admin/llm/", StatusCode::OK, "saved"),
        (Method::GET, "/shut/llm/", StatusCode::FORBIDDEN, ""),
        (Method::GET, "/missing/llm/", StatusCode::NOT_FOUND, ""),
    ] {
        let answer = send(&site, method.clone(), path, &[(COOKIE, "session=1")]).await;
        let body = String::from_utf8_lossy(answer.body()).into_owned();
        assert_eq!(answer.status(), status, "{method} {path}: {body}");
        assert!(body.contains(text), "{method} {path}: {body}");
    }
    // No twin is promised where another page is.
    let sitemap = "<https://example.com/llm-sitemap.json>; rel=\"index\"; type=\"application/json\"";
    assert_eq!(links(&fetch(&site, "/topics/").await), [sitemap]);
    let listed = fetch(&site, "/llm-sitemap.json").await;
    let mut pages = tct::sitemap::Sitemap::new();
    pages.read(listed.body(), SitemapReader::any_origin()).unwrap();
    let twins: Vec<&str> = pages.pages().iter().map(|page| page.m_url.as_str()).collect();
    assert_eq!(twins, ["https://example.com/about/llm/"]);
}

/// With a clock, one request at a time checks the pages, and what it found is young when it is done.
#[tokio::test]
async fn a_sitemap_of_slow_pages_is_checked_once_and_then_answered_from_memory() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    let (asked, now) = (Arc::<AtomicU64>::default(), Arc::new(AtomicU64::new(1_000)));
    let (count, clock) = (Arc::clone(&asked), Arc::clone(&now));
    let pages = Router::new().fallback(move || async move {
        count.fetch_add(1, Relaxed);
        tokio::task::yield_now().await;
        clock.fetch_add(1, Relaxed);
        Html("<p>What it says.</p>")
    });
    let clock = Arc::clone(&now);
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/a/", "/b/", "/c/"]);
    let settings = settings.with_sitemap_age(2, move || tct::UnixSeconds(clock.load(Relaxed)));
    let site = TctLayer::new(settings).layer(pages);
    let asked_for = async || {
        assert_eq!(fetch(&site, "/llm-sitemap.json").await.status(), StatusCode::OK);
        asked.swap(0, Relaxed)
    };
    assert_eq!(asked_for().await, 3);
    assert_eq!(asked_for().await, 0, "the pages took longer than a sitemap may be old");
    now.fetch_add(2, Relaxed);
    let request = || Request::builder().uri("/llm-sitemap.json").body(Body::empty()).unwrap();
    let mut begun = Box::pin(site.clone().oneshot(request()));
    let is_pending = std::future::poll_fn(|cx| std::task::Poll::Ready(begun.as_mut().poll(cx).is_pending()));
    assert!(is_pending.await, "the first page is asked for");
    assert_eq!(asked_for().await, 1, "one at a time");
    drop(begun);
    assert_eq!(asked_for().await, 3, "the one before gave up");
    assert_eq!(asked_for().await, 0);
}

/// With a clock, sitemaps cost the inner service one request a page in their age, however many are wanted at once, also while
/// it fails; then one page a minute is tried, and all of them once that is answered.
#[tokio::test]
async fn a_failing_service_is_not_asked_for_all_pages_by_each_request() {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
    let (asked, now, is_down) =
        (Arc::<AtomicU64>::default(), Arc::new(AtomicU64::new(1_000)), Arc::new(AtomicBool::new(true)));
    let (count, down) = (Arc::clone(&asked), Arc::clone(&is_down));
    let pages = Router::new().fallback(move || async move {
        count.fetch_add(1, Relaxed);
        tokio::task::yield_now().await;
        if down.load(Relaxed) {
            Err(StatusCode::SERVICE_UNAVAILABLE)
        } else {
            Ok(Html("<p>What it says.</p>"))
        }
    });
    let clock = Arc::clone(&now);
    let settings = Settings::new("https://example.com", content).unwrap();
    let settings = settings.with_pages((0..100).map(|page| format!("/{page}/")));
    let layer = TctLayer::new(settings.with_sitemap_age(3600, move || tct::UnixSeconds(clock.load(Relaxed))));
    let site = layer.layer(pages);
    let ten = async |status: StatusCode| {
        let all: Vec<_> = (0..10)
            .map(|_| {
                let site = site.clone();
                tokio::spawn(async move { fetch(&site, "/llm-sitemap.json").await })
            })
            .collect();
        for one in all {
            let answer = one.await.unwrap();
            assert_eq!(answer.status(), status);
            if status == StatusCode::OK {
                let mut listed = tct::sitemap::Sitemap::new();
                listed.read(answer.body(), SitemapReader::any_origin()).unwrap();
                assert_eq!(listed.pages().len(), 100, "a part of the site");
            }
        }
        asked.swap(0, Relaxed)
    };
    assert_eq!(ten(StatusCode::SERVICE_UNAVAILABLE).await, 100);
    assert_eq!(ten(StatusCode::SERVICE_UNAVAILABLE).await, 0);
    now.fetch_add(60, Relaxed);
    assert_eq!(ten(StatusCode::SERVICE_UNAVAILABLE).await, 1, "a minute later");
    assert_eq!(ten(StatusCode::SERVICE_UNAVAILABLE).await, 0);
    is_down.store(false, Relaxed);
    now.fetch_add(60, Relaxed);
    assert_eq!(fetch(&site, "/llm-sitemap.json").await.status(), StatusCode::OK);
    assert_eq!(ten(StatusCode::OK).await, 100);
    // Known pages that fail, one of them reported.
    is_down.store(true, Relaxed);
    assert!(layer.page_changed("/7/"));
    assert_eq!(ten(StatusCode::OK).await, 1);
    assert_eq!(ten(StatusCode::OK).await, 0);
    now.fetch_add(3600, Relaxed);
    assert_eq!(ten(StatusCode::OK).await, 100);
    assert_eq!(ten(StatusCode::OK).await, 0);
}

/// A request that waits for another's answer does not keep the place that the other one needs.
#[tokio::test]
async fn requests_that_share_the_pages_go_through_a_service_with_one_place() {
    let pages = Router::new().fallback(|| async {
        tokio::task::yield_now().await;
        Html("<p>What it says.</p>")
    });
    let pages = tower::limit::ConcurrencyLimit::new(pages, 1);
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/a/", "/b/"]);
    let site = TctLayer::new(settings).layer(pages);
    let all: Vec<_> = (0..5)
        .map(|_| {
            let request = Request::builder().uri("/llm-sitemap.json").body(Body::empty()).unwrap();
            tokio::spawn(site.clone().oneshot(request))
        })
        .collect();
    for one in all {
        let answer = tokio::time::timeout(std::time::Duration::from_secs(20), one).await.expect("a deadlock");
        assert_eq!(answer.unwrap().unwrap().status(), StatusCode::OK);
    }
}
