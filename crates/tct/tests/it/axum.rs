//! The response planner behind axum: a publisher in a few lines, driven without a socket.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use axum::routing::any;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use tct::{CUrl, Payload, Representation, plan_response};
use tower::ServiceExt;

/// A page as a publisher keeps it: sealed once, served many times.
struct Page {
    body: Bytes,
    representation: Representation,
}

async fn serve(State(page): State<Arc<Page>>, method: Method, request: HeaderMap) -> Response {
    plan_response(&method, &request, &page.representation)
        .into_http(page.body.len(), |range| Body::from(page.body.slice(range)))
}

fn app() -> (Router, Bytes) {
    let url = CUrl::parse("https://example.com/post/").unwrap();
    let sealed = Payload::new(&url, "Title", "Some text.").seal().unwrap();
    let representation = sealed.representation(&url);
    let body = Bytes::from(sealed.into_body());
    let page = Arc::new(Page { body: body.clone(), representation });
    (Router::new().route("/post/llm/", any(serve)).with_state(page), body)
}

async fn send(method: &str, fields: &[(header::HeaderName, &str)]) -> (StatusCode, HeaderMap, Bytes) {
    let mut request = Request::builder().method(method).uri("/post/llm/");
    for (name, value) in fields {
        request = request.header(name, *value);
    }
    let response: Response = app().0.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    (parts.status, parts.headers, body.collect().await.unwrap().to_bytes())
}

#[tokio::test]
async fn a_get_sends_all_fields_and_the_body() {
    let (status, headers, body) = send("GET", &[]).await;
    assert_eq!((status, &body), (StatusCode::OK, &app().1));
    for name in ["content-type", "etag", "link", "cache-control", "vary", "content-length"] {
        assert_eq!(headers.get_all(name).iter().count(), 1, "{name}");
    }
    assert_eq!(headers[header::CONTENT_LENGTH], body.len().to_string());
}

#[tokio::test]
async fn a_matching_tag_gets_304_without_a_body() {
    let (_, headers, _) = send("GET", &[]).await;
    let tag = headers[header::ETAG].to_str().unwrap().to_owned();
    for method in ["GET", "HEAD"] {
        let (status, headers, body) = send(method, &[(header::IF_NONE_MATCH, &tag)]).await;
        assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0), "{method}");
        assert_eq!(headers[header::ETAG], tag);
        assert!(headers.get(header::CONTENT_TYPE).is_none());
    }
}

#[tokio::test]
async fn head_shows_what_get_would() {
    let (_, get, body) = send("GET", &[]).await;
    let (status, head, nothing) = send("HEAD", &[]).await;
    assert_eq!((status, nothing.len()), (StatusCode::OK, 0));
    assert_eq!(head, get);
    assert_eq!(head[header::CONTENT_LENGTH], body.len().to_string());
}

#[tokio::test]
async fn a_range_sends_its_part() {
    let whole = app().1;
    let (status, headers, body) = send("GET", &[(header::RANGE, "bytes=10-19")]).await;
    assert_eq!((status, &body[..]), (StatusCode::PARTIAL_CONTENT, &whole[10..20]));
    assert_eq!(headers[header::CONTENT_RANGE], format!("bytes 10-19/{}", whole.len()));
    let (status, _, body) = send("GET", &[(header::RANGE, "bytes=99999-")]).await;
    assert_eq!((status, body.len()), (StatusCode::RANGE_NOT_SATISFIABLE, 0));
}
