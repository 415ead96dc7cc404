//! What the layer asks the inner service for, and what it says where there is nothing for everybody.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use covers::covers;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::{Html, IntoResponse as _, Response as AxumResponse};
use axum::routing::get;
use http::header::{
    ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, ETAG, HOST, LINK, LOCATION,
    RETRY_AFTER, SET_COOKIE, USER_AGENT, VARY, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri};
use tct_tower::{Settings, TctLayer, TctService, TwinContent};
use tower::{Layer as _, ServiceExt as _};

/// The text of the first paragraph.
pub(crate) fn content(_url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let html = std::str::from_utf8(html).ok()?;
    let text = html.split_once("<p>")?.1.split_once("</p>")?.0;
    (!text.is_empty()).then(|| TwinContent::new("Title", text, format!("# Title\n\n{text}")))
}

fn layer(change: impl FnOnce(Settings) -> Settings) -> TctLayer {
    TctLayer::new(change(Settings::new("https://example.com", content).unwrap()))
}

async fn ask(site: &TctService<Router>, path: &str, fields: &[(HeaderName, &str)]) -> Response<String> {
    let mut request = Request::builder().uri(path);
    for (name, value) in fields {
        request = request.header(name, *value);
    }
    let response = site.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    let body = to_bytes(Body::new(body), usize::MAX).await.unwrap().to_vec();
    Response::from_parts(head, String::from_utf8(body).unwrap())
}

const FORWARDED_USER: HeaderName = HeaderName::from_static("x-forwarded-user");

#[tokio::test]
#[covers("TCT3-SEC-3", "TCT-JSON-9")]
async fn nothing_of_the_visitor_reaches_the_page_that_a_twin_is_made_of() {
    let asked: Arc<Mutex<Vec<(Uri, HeaderMap)>>> = Arc::default();
    let log = Arc::clone(&asked);
    let pages = Router::new().fallback(move |uri: Uri, fields: HeaderMap| async move {
        let who = fields.get(FORWARDED_USER).and_then(|who| who.to_str().ok()).unwrap_or("nobody").to_owned();
        log.lock().unwrap().push((uri, fields));
        Html(format!("<p>Dear {who}.</p>"))
    });
    let site = layer(|settings| settings.with_pages(["/a/"])).layer(pages);
    let visitor = [
        (HOST, "inner.example"),
        (COOKIE, "session=1"),
        (AUTHORIZATION, "Basic eDp5"),
        (FORWARDED_USER, "alice"),
        (HeaderName::from_static("x-forwarded-for"), "192.0.2.1"),
        (HeaderName::from_static("x-api-key"), "secret"),
        (ACCEPT_LANGUAGE, "de"),
        (USER_AGENT, "Phone"),
    ];
    for path in ["/a/llm/", "/a.md", "/llm-sitemap.json"] {
        let answer = ask(&site, path, &visitor).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert!(!answer.body().contains("alice"), "{path}: {}", answer.body());
    }
    let markdown = [visitor.as_slice(), &[(ACCEPT, "text/markdown")]].concat();
    assert!(!ask(&site, "/a/", &markdown).await.body().contains("alice"));
    for (uri, fields) in asked.lock().unwrap().iter() {
        let names: Vec<&str> = fields.keys().map(HeaderName::as_str).collect();
        assert_eq!((uri.path(), names.as_slice()), ("/a/", ["host", "accept"].as_slice()));
        assert_eq!(fields[HOST], "example.com");
        assert_eq!(fields[ACCEPT], "text/html");
    }
}

#[tokio::test]
#[covers("TCT3-SEC-3")]
async fn a_page_that_varies_by_more_than_its_form_has_no_twin() {
    for (vary, is_for_all) in [
        (&["accept-encoding"][..], true),
        (&["Accept, ACCEPT-ENCODING,"], true),
        (&["accept", "accept-encoding"], true),
        (&["accept-language, x-forwarded-user"], false),
        (&["accept", "cookie"], false),
        (&["*"], false),
        (&["accept, *"], false),
        (&["accept, \u{fc}ser"], false),
    ] {
        let pages = Router::new().fallback(move || async move {
            let mut page = Html("<p>Dear reader.</p>").into_response();
            for line in vary {
                page.headers_mut().append(VARY, HeaderValue::from_bytes(line.as_bytes()).unwrap());
            }
            page
        });
        let site = layer(|settings| settings.with_pages(["/a/"])).layer(pages);
        let expected = if is_for_all { StatusCode::OK } else { StatusCode::NOT_FOUND };
        // The address of a twin that is not there is the inner service's, which knows any path here.
        let twin = ask(&site, "/a/llm/", &[]).await;
        assert_eq!(twin.headers().contains_key(ETAG), is_for_all, "{vary:?} {expected}");
        let listed = ask(&site, "/llm-sitemap.json", &[]).await;
        assert_eq!(listed.body().contains("/a/llm/"), is_for_all, "{vary:?}");
        let page = ask(&site, "/a/", &[]).await;
        assert_eq!(page.headers().contains_key(LINK), is_for_all, "{vary:?}");
        let markdown = ask(&site, "/a/", &[(ACCEPT, "text/markdown")]).await;
        assert_eq!(markdown.body().starts_with('#'), is_for_all, "{vary:?}");
    }
}

/// What cannot be read of a page's `Cache-Control` may have been `private`.
#[tokio::test]
async fn a_page_whose_cache_control_cannot_be_read_has_no_twin() {
    let pages = Router::new().fallback(|| async {
        let hidden = HeaderValue::from_bytes(b"x=\xff, private").unwrap();
        ([(CACHE_CONTROL, hidden)], Html("<p>Dear reader.</p>"))
    });
    let site = layer(|settings| settings.with_pages(["/a/"])).layer(pages);
    assert!(!ask(&site, "/a/", &[]).await.headers().contains_key(LINK));
    assert!(!ask(&site, "/llm-sitemap.json", &[]).await.body().contains("/a/llm/"));
}

/// A twin's address is of this site, whatever the path looks like.
#[tokio::test]
async fn a_path_that_names_another_site_or_climbs_has_no_twin() {
    let pages = Router::new().fallback(|| async { Html("<p>Any page.</p>") });
    let site = layer(|settings| settings).layer(pages);
    for path in ["//other.example/llm/", "/a/../llm/", "/a/./llm/", "/a/%2e%2e/llm/", "/\\other.example/llm/"]
    {
        let Ok(uri) = path.parse::<Uri>() else { continue };
        let answer = ask(&site, &uri.to_string(), &[]).await;
        assert_eq!(answer.body(), "<p>Any page.</p>", "{path}: the inner service's own answer");
        assert!(!answer.headers().contains_key(ETAG), "{path}");
    }
    let page = ask(&site, "//other.example/", &[]).await;
    assert!(!page.headers().contains_key(LINK), "{:?}", page.headers());
}

#[tokio::test]
async fn an_address_that_is_linked_answers_and_a_redirect_says_where_to() {
    let moved = |to: &'static str| move || async move { (StatusCode::PERMANENT_REDIRECT, [(LOCATION, to)]) };
    let pages = Router::new()
        .route("/post", get(|| async { Html("<p>A post.</p>") }))
        .route("/post/", get(moved("/post")))
        .route("/old/", get(moved("/new/")))
        .route("/older/", get(moved("https://example.com/new/")))
        .route("/new/", get(|| async { Html("<p>New.</p>") }))
        .route("/away/", get(moved("https://other.example/new/")))
        .route("/lost/", get(|| async { StatusCode::FOUND }))
        .route("/short/", get(moved("/long")))
        .route("/long", get(|| async { Html("<p>Not listed.</p>") }))
        .route("/mine/", get(|| async { (StatusCode::FOUND, [(LOCATION, "/new/"), (SET_COOKIE, "a=b")]) }));
    let site = layer(|settings| settings).layer(pages.clone());
    let page = ask(&site, "/post", &[]).await;
    let twins: Vec<_> = tct::link::links(page.headers()).filter(|link| link.has_rel("alternate")).collect();
    assert!(
        twins.is_empty(),
        "of a path without a slash at its end nobody said that it is the page: {twins:?}"
    );
    for (path, status, location) in [
        ("/old/llm/", StatusCode::PERMANENT_REDIRECT, Some("/new/llm/")),
        ("/older/llm/", StatusCode::PERMANENT_REDIRECT, Some("/new/llm/")),
        ("/new/llm/", StatusCode::OK, None),
        ("/away/llm/", StatusCode::NOT_FOUND, None),
        ("/lost/llm/", StatusCode::NOT_FOUND, None),
        // The twin at `/long/llm/` would be that of `/long/`.
        ("/short/llm/", StatusCode::NOT_FOUND, None),
        ("/mine/llm/", StatusCode::NOT_FOUND, None),
        ("/post/llm/", StatusCode::NOT_FOUND, None),
    ] {
        let twin = ask(&site, path, &[]).await;
        let found = twin.headers().get(LOCATION).map(|to| to.to_str().unwrap());
        assert_eq!((twin.status(), found), (status, location), "{path}");
    }
    // A page that the publisher lists by this path has its twin there.
    let site = layer(|settings| settings.with_pages(["/post"])).layer(pages);
    assert!(ask(&site, "/post", &[]).await.headers().contains_key(LINK));
    assert!(ask(&site, "/post/llm/", &[]).await.body().contains("A post."));
}

#[tokio::test]
async fn a_refusal_keeps_what_its_status_needs() {
    async fn answer(uri: Uri) -> AxumResponse {
        if uri.path().ends_with("/llm/") {
            return StatusCode::NOT_FOUND.into_response();
        }
        let mut parts = uri.path().trim_matches('/').split('/');
        let status: u16 = parts.next().unwrap().parse().unwrap();
        let mut answer = StatusCode::from_u16(status).unwrap().into_response();
        let fields = answer.headers_mut();
        match parts.next() {
            Some("told") => {
                fields.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"a\""));
                fields.insert(RETRY_AFTER, HeaderValue::from_static("7"));
                fields.insert(SET_COOKIE, HeaderValue::from_static("a=b"));
                fields.insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
            }
            Some("html") => {
                fields.insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
            }
            _ => {}
        }
        answer
    }
    let site = layer(|settings| settings).layer(Router::new().fallback(answer));
    for (path, status, challenge, wait) in [
        ("/401/told/llm/", 401, Some("Basic realm=\"a\""), None),
        // Without a challenge it would be no 401.
        ("/401/llm/", 403, None, None),
        ("/403/told/llm/", 403, None, None),
        ("/410/llm/", 410, None, None),
        ("/429/told/llm/", 429, None, Some("7")),
        ("/429/llm/", 429, None, Some("60")),
        ("/503/told/llm/", 503, None, Some("7")),
        ("/503/llm/", 503, None, Some("60")),
        ("/500/told/llm/", 500, None, None),
        ("/502/llm/", 502, None, None),
    ] {
        let twin = ask(&site, path, &[]).await;
        let field = |name| twin.headers().get(name).map(|value: &HeaderValue| value.to_str().unwrap());
        assert_eq!(twin.status(), status, "{path}");
        assert_eq!((field(WWW_AUTHENTICATE), field(RETRY_AFTER)), (challenge, wait), "{path}");
        assert_eq!((field(SET_COOKIE), field(CONTENT_TYPE)), (None, None), "{path}");
        assert!(twin.body().is_empty(), "{path}");
        assert_eq!(field(CACHE_CONTROL), Some("no-store"), "{path}");
    }
}
