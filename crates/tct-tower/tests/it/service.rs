//! What tower asks of a layer and of a driver, whatever they are for.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::unimplemented,
    reason = "a test says what it expects in the plainest way"
)]

use std::convert::Infallible;
use std::task::{Context, Poll, ready as when_ready};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::Html;
use axum::routing::get;
use http::header::ACCEPT;
use http::{Request, Response, StatusCode};
use tct_tower::{Revisions, Settings, TctLayer, TwinContent};
use tower::{Layer, Service, ServiceExt};

/// A service that holds its callers to tower's rule: before each call it has to be asked whether it is ready, and a clone
/// was not asked. It takes a second question to be ready.
struct Strict {
    inner: Router,
    asked: usize,
}

impl Strict {
    fn new(inner: Router) -> Self {
        Strict { inner, asked: 0 }
    }
}

impl Clone for Strict {
    fn clone(&self) -> Self {
        Strict::new(self.inner.clone())
    }
}

impl Service<Request<Body>> for Strict {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = <Router as Service<Request<Body>>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.asked += 1;
        if self.asked < 2 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        when_ready!(Service::<Request<Body>>::poll_ready(&mut self.inner, cx))?;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        assert!(self.asked > 1, "{} was not waited for", request.uri());
        self.asked = 0;
        self.inner.call(request)
    }
}

/// Pages say their Markdown after a bar, if they have any.
fn content(_url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let (text, markdown) = std::str::from_utf8(html).ok()?.split_once('|')?;
    Some(TwinContent::new("Title", text, markdown))
}

fn pages() -> Router {
    Router::new()
        .route("/", get(|| async { Html("Home.|# Home") }))
        .route("/plain/", get(|| async { Html("Plain text.|") }))
        .route("/plain.md", get(|| async { "a file of the site's own" }))
        .route("/rich/", get(|| async { Html("Rich text.|# Rich") }))
        .route("/rich.md", get(|| async { "a file that the layer hides" }))
}

async fn ask<S>(service: &S, path: &str, accept: &str) -> (StatusCode, String)
where
    S: Service<Request<Body>, Error = Infallible> + Clone,
    S::Response: IntoBody,
{
    let request = Request::builder().uri(path).header(ACCEPT, accept).body(Body::empty()).unwrap();
    let (status, body) = service.clone().oneshot(request).await.unwrap().into_body();
    (status, String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap())
}

trait IntoBody {
    fn into_body(self) -> (StatusCode, Body);
}

impl<B: http_body::Body<Data = bytes::Bytes, Error: Into<axum::BoxError>> + Send + 'static> IntoBody
    for Response<B>
{
    fn into_body(self) -> (StatusCode, Body) {
        (self.status(), Body::new(Response::into_body(self)))
    }
}

#[tokio::test]
async fn the_inner_service_is_waited_for_before_every_call() {
    for revisions in [Revisions::Legacy, Revisions::V03, Revisions::Both] {
        let settings = Settings::new("https://example.com", content).unwrap();
        let settings = settings.with_pages(["/", "/plain/", "/rich/"]).with_revisions(revisions).unwrap();
        let site = TctLayer::new(settings).layer(Strict::new(pages()));
        for (path, accept, part) in [
            ("/", "*/*", "Home.|# Home"),
            ("/llm/", "*/*", "Home"),
            ("/llm-sitemap.json", "*/*", "/rich/"),
            ("/rich/", "text/markdown", "# Rich"),
            ("/rich.md", "*/*", "# Rich"),
            ("/plain.md", "*/*", "a file of the site's own"),
        ] {
            let (status, body) = ask(&site, path, accept).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert!(body.contains(part), "{path} {revisions:?}: {body}");
        }
    }
}

/// The layer answers for the Markdown of a page that has some; of any other the address and the choice are the site's.
#[tokio::test]
async fn a_page_without_markdown_leaves_it_to_the_site() {
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/plain/", "/rich/"]);
    let site = TctLayer::new(settings).layer(pages());
    assert!(ask(&site, "/plain/llm/", "*/*").await.1.contains("Plain text."), "it has a twin all the same");
    for (path, accept, body) in [
        ("/plain.md", "*/*", "a file of the site's own"),
        ("/plain/", "text/markdown", "Plain text.|"),
        ("/rich.md", "*/*", "# Rich"),
        ("/rich/", "text/markdown", "# Rich"),
        ("/rich/", "text/html", "Rich text.|# Rich"),
    ] {
        assert_eq!(ask(&site, path, accept).await, (StatusCode::OK, body.to_owned()), "{path} as {accept}");
    }
    let missing = ask(&site, "/plain/index.md", "*/*").await;
    assert_eq!(missing, (StatusCode::NOT_FOUND, String::new()), "nobody has it");
}

/// A page that breaks off is the site's failure; one that is too large has no twin.
#[tokio::test]
async fn a_page_that_cannot_be_read_has_no_twin() {
    struct Breaking;
    impl http_body::Body for Breaking {
        type Data = bytes::Bytes;
        type Error = std::io::Error;
        fn poll_frame(
            self: std::pin::Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<http_body::Frame<bytes::Bytes>, std::io::Error>>> {
            Poll::Ready(Some(Err(std::io::Error::other("reset"))))
        }
    }
    let broken = || async { ([(http::header::CONTENT_TYPE, "text/html")], Body::new(Breaking)) };
    let fits = "x".repeat(98) + "|#";
    let large = fits.clone() + ".";
    let pages = pages()
        .route("/broken/", get(broken))
        .route("/fits/", get(|| async { Html(fits) }))
        .route("/large/", get(|| async { Html(large) }));
    let settings = Settings::new("https://example.com", content).unwrap().with_max_html_bytes(100);
    let site = TctLayer::new(settings).layer(pages);
    for (path, status) in [
        ("/broken/llm/", StatusCode::BAD_GATEWAY),
        ("/fits/llm/", StatusCode::OK),
        ("/large/llm/", StatusCode::NOT_FOUND),
        ("/missing/llm/", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(ask(&site, path, "*/*").await.0, status, "{path}");
    }
}

#[cfg(feature = "extract")]
#[test]
fn the_extractor_finds_what_a_page_says() {
    use tct_tower::{ExtractContent, PageContent};
    let url = url::Url::parse("https://example.com/bridge/").unwrap();
    let text =
        "The bridge across the harbour opens again after eleven months of repair, the city said on Monday. "
            .repeat(5);
    let html = format!(
        "<!doctype html><html lang=en><title>The bridge opens</title><nav><a href=/>Home</a></nav>\
         <main><h1>The bridge opens</h1><p>{text}<p>It has <em>two</em> lanes.</main><footer>Imprint</footer></html>"
    );
    let found = ExtractContent.content(&url, Some("text/html; charset=utf-8"), html.as_bytes()).unwrap();
    assert_eq!((found.title.as_str(), found.language.as_deref()), ("The bridge opens", Some("en")));
    assert!(
        found.text.contains("after eleven months") && found.text.contains("It has two lanes."),
        "{found:?}"
    );
    assert!(found.markdown.contains("It has *two* lanes."), "{found:?}");
    assert!(!found.text.contains("Imprint") && !found.text.contains('<'), "{found:?}");
    assert_eq!(ExtractContent.content(&url, None, b"<title>Nothing</title><main></main>"), None);
}

/// What is logged of an answer to come names it, and nothing of the request; of settings what tells one site from another.
#[test]
fn what_is_logged() {
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/", "/rich/"]);
    assert_eq!(
        format!("{settings:?}"),
        "Settings { origin: \"https://example.com/\", slug: \"/llm/\", sitemap_path: \"/llm-sitemap.json\", pages: 2, .. }"
    );
    let mut site = TctLayer::new(settings).layer(pages());
    let request = Request::builder().uri("/?token=secret").body(Body::empty()).unwrap();
    assert_eq!(format!("{:?}", site.call(request)), "TctFuture { .. }");
}

/// Plain text where a page has no Markdown, and each says which it is.
#[tokio::test]
async fn the_twin_of_draft_03_says_what_its_text_is() {
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/plain/", "/rich/"]);
    let site = TctLayer::new(settings.with_revisions(Revisions::V03).unwrap()).layer(pages());
    for (path, text, media_type) in [
        ("/plain/llm/", "Plain text.", "text/plain; charset=utf-8"),
        ("/rich/llm/", "# Rich", "text/markdown; charset=utf-8"),
    ] {
        let (status, body) = ask(&site, path, "*/*").await;
        assert_eq!(status, StatusCode::OK, "{path}");
        for part in [format!("\"content\":\"{text}\""), format!("\"content_media_type\":\"{media_type}\"")] {
            assert!(body.contains(&part), "{path}: {body}");
        }
    }
}

/// A server writes `Content-Length` of what a body tells of itself: the inner service's own, the twin's, and none for a 304.
#[tokio::test]
async fn a_body_tells_its_length_and_its_end() {
    use http_body::Body as _;
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/rich/"]);
    let site = TctLayer::new(settings).layer(pages());
    let send = async |path: &str, tag: Option<&str>| {
        let request = Request::builder().uri(path);
        let request =
            tag.iter().fold(request, |request, tag| request.header(http::header::IF_NONE_MATCH, *tag));
        site.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let twin = send("/rich/llm/", None).await;
    let tag = twin.headers()[http::header::ETAG].to_str().unwrap().to_owned();
    let told = twin.body().size_hint().exact();
    assert!(!twin.body().is_end_stream());
    let bytes = to_bytes(Body::new(twin.into_body()), usize::MAX).await.unwrap();
    assert_eq!(told, Some(bytes.len() as u64));
    let unchanged = send("/rich/llm/", Some(&tag)).await;
    assert_eq!(unchanged.status(), StatusCode::NOT_MODIFIED);
    assert_eq!((unchanged.body().size_hint().exact(), unchanged.body().is_end_stream()), (None, false));
    let missing = send("/nothing/llm/", None).await;
    assert_eq!((missing.body().size_hint().exact(), missing.body().is_end_stream()), (Some(0), true));
    let page = send("/rich/", None).await;
    assert_eq!((page.body().size_hint().exact(), page.body().is_end_stream()), (Some(17), false));
    // What a layer around this one says by itself.
    let refusal = tct_tower::TctBody::<Body>::from(bytes::Bytes::from("later"));
    assert_eq!((refusal.size_hint().exact(), refusal.is_end_stream()), (Some(5), false));
}

#[test]
fn settings_that_cannot_be_say_why() {
    let site = |url: &str| Settings::new(url, content);
    let mut policy = tct::PolicyDescriptor::default();
    policy.per_day = tct::policy::RateHint::AtMost(f64::NAN);
    let slug = tct::pages::MUrlPattern::append("a b").unwrap_err();
    for (error, words) in [
        (site("example").unwrap_err(), "expected the site's https URL, found another text".to_owned()),
        (
            site("http://example.com").unwrap_err(),
            "expected the site's https URL, found another text".to_owned(),
        ),
        (
            site("https://example.com/blog/").unwrap_err(),
            "expected the URL of a host alone, found a path or a query: the layer serves all paths of a host"
                .to_owned(),
        ),
        (site("https://example.com").unwrap().with_slug("a b").unwrap_err(), slug.to_string()),
        (
            site("https://example.com").unwrap().with_policy(&policy).unwrap_err(),
            "expected finite rates in the policy, found another number".to_owned(),
        ),
    ] {
        assert_eq!(error.to_string(), words);
    }
}

/// Layers for compression decide by the length that a body tells: one that tells none gets a gzip stream of 20 bytes, which
/// HTTP/2 sends with a 304.
#[tokio::test]
async fn a_304_to_a_client_that_takes_codings_tells_that_it_is_empty() {
    use http_body::Body as _;
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/rich/"]);
    let site = TctLayer::new(settings).layer(pages());
    for (path, accept) in [
        ("/rich/llm/", "*/*"),
        ("/rich.md", "*/*"),
        ("/rich/", "text/markdown"),
        ("/llm-sitemap.json", "*/*"),
    ] {
        let send = async |tag: &str| {
            let request = Request::builder().uri(path).header(http::header::ACCEPT, accept);
            let request = request.header(http::header::ACCEPT_ENCODING, "gzip");
            let request = request.header(http::header::IF_NONE_MATCH, tag).body(Body::empty()).unwrap();
            site.clone().oneshot(request).await.unwrap()
        };
        let first = send("\"another\"").await;
        assert_eq!(first.status(), StatusCode::OK, "{path}");
        let again = send(first.headers()[http::header::ETAG].to_str().unwrap()).await;
        let told = (again.body().size_hint().exact(), again.body().is_end_stream());
        assert_eq!((again.status(), told), (StatusCode::NOT_MODIFIED, (Some(0), true)), "{path}");
    }
}

/// Layers that answer without a body, as tower-http's do for CORS and timeouts, can be around this one.
#[test]
fn a_layer_around_this_one_may_answer_without_a_body() {
    use http_body::Body as _;
    let body = tct_tower::TctBody::<Body>::default();
    assert_eq!((body.size_hint().exact(), body.is_end_stream()), (Some(0), true));
}

/// What the service answers at `/page/` for now, as status, fields and body; what else is asked for is not there.
type Now = std::sync::Arc<std::sync::Mutex<(u16, Vec<(&'static str, &'static str)>, &'static str)>>;

fn changing(now: &Now) -> tct_tower::TctService<Router> {
    let now = now.clone();
    let page = get(move |headers: http::HeaderMap| {
        let (status, fields, body) = now.lock().unwrap().clone();
        async move {
            let mut response = http::Response::builder().status(status);
            for (name, value) in fields {
                response = response.header(name, value);
            }
            let is_asked = headers.get("accept").is_some_and(|value| value == "text/markdown");
            match is_asked && body.contains("Varied") {
                true => response.header("content-type", "text/markdown").body(Body::from("their own")),
                false => response.header("content-type", "text/html").body(Body::from(body)),
            }
            .unwrap()
        }
    });
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(["/page/"]);
    TctLayer::new(settings).layer(Router::new().route("/page/", page))
}

/// A page that fails for now stays in the sitemap, and none of its forms is said to be missing, whatever the failure is: 408
/// is what tower-http's timeout answers by itself.
#[tokio::test]
async fn a_page_that_fails_for_now_is_not_missing() {
    let now = Now::new(std::sync::Mutex::new((200, Vec::new(), "Text.|# Text")));
    let site = changing(&now);
    let sitemap = ask(&site, "/llm-sitemap.json", "*/*").await.1;
    assert!(sitemap.contains("/page/llm/"), "{sitemap}");
    for status in [408, 421, 423, 425, 429, 500, 502, 503, 504] {
        *now.lock().unwrap() = (status, Vec::new(), "later");
        for path in ["/page/llm/", "/page.md", "/page/"] {
            assert_eq!(ask(&site, path, "*/*").await.0.as_u16(), status, "{path}");
        }
        assert_eq!(ask(&site, "/llm-sitemap.json", "*/*").await.1, sitemap, "{status}");
    }
}

/// A body that ends before its `Content-Length` is half a page: it has no twin, and does not change what is listed.
#[tokio::test]
async fn half_a_page_has_no_twin() {
    let now = Now::new(std::sync::Mutex::new((200, Vec::new(), "Text.|# Text")));
    let site = changing(&now);
    let sitemap = ask(&site, "/llm-sitemap.json", "*/*").await.1;
    *now.lock().unwrap() = (200, vec![("content-length", "1000")], "Te|# T");
    assert_eq!(ask(&site, "/page/llm/", "*/*").await.0, StatusCode::BAD_GATEWAY);
    assert_eq!(ask(&site, "/page.md", "*/*").await.0, StatusCode::BAD_GATEWAY);
    assert_eq!(ask(&site, "/llm-sitemap.json", "*/*").await.1, sitemap);
}

/// `identity` is no content coding.
#[tokio::test]
async fn a_page_in_no_coding_has_a_twin() {
    for (codings, status) in
        [(&["identity"][..], 200), (&["Identity, identity", ""], 200), (&["identity", "gzip"], 404)]
    {
        let fields = codings.iter().map(|coding| ("content-encoding", *coding)).collect();
        let site = changing(&Now::new(std::sync::Mutex::new((200, fields, "Text.|# Text"))));
        assert_eq!(ask(&site, "/page/llm/", "*/*").await.0.as_u16(), status, "{codings:?}");
    }
}

/// A service that has Markdown itself says `Vary: accept` with its page, and its Markdown is what is sent.
#[tokio::test]
async fn markdown_of_the_service_itself_is_sent() {
    for (fields, body, expected) in [
        (vec![("vary", "accept-encoding, Accept")], "Varied text.|# Ours", "their own"),
        (vec![("vary", "accept")], "Text.|# Text", "# Text"),
        (Vec::new(), "Text.|# Text", "# Text"),
    ] {
        let site = changing(&Now::new(std::sync::Mutex::new((200, fields, body))));
        for _ in 0..2 {
            let (status, text) = ask(&site, "/page/", "text/markdown").await;
            assert_eq!((status, text.as_str()), (StatusCode::OK, expected));
            assert_eq!(ask(&site, "/page/", "text/html").await.1, body);
        }
    }
}
