//! Conditional requests in a tower layer: any handler gets entity tags, 304, HEAD and ranges; its own fields stay.
//! `cargo run -p short --bin conditional_layer`, then `curl -i -H 'If-None-Match: "sha256-…"' http://127.0.0.1:40001/`

use axum::Router;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{
    ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
};
use http::{Method, StatusCode};
use tct::{Representation, plan_response};

/// Longer bodies, and those of unknown length, pass unchanged. The layer hashes each body that it keeps.
const MAX_BODY_BYTES: usize = 4 << 20;

async fn conditional(request: Request, next: Next) -> Response {
    let (method, fields) = (request.method().clone(), request.headers().clone());
    let response = next.run(request).await;
    let fits = response.body().size_hint().upper().is_some_and(|len| len <= MAX_BODY_BYTES as u64);
    if response.status() != StatusCode::OK || !matches!(method, Method::GET | Method::HEAD) || !fits {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, MAX_BODY_BYTES).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    // A handler that sets its own tag keeps it.
    let own = head.headers.get(ETAG).and_then(|tag| Representation::of_etag(tag.clone(), bytes.len() as u64));
    let plan = plan_response(&method, &fields, &own.unwrap_or_else(|| Representation::of_bytes(&bytes)));
    head.status = plan.status;
    for name in [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING, CONTENT_LANGUAGE] {
        // These describe a body that is not sent.
        (!plan.status.is_success()).then(|| head.headers.remove(name));
    }
    for name in [ETAG, ACCEPT_RANGES, CONTENT_RANGE, CONTENT_LENGTH] {
        plan.headers.get(&name).map(|value| head.headers.insert(name, value.clone()));
    }
    Response::from_parts(head, Body::from(bytes.slice(plan.body.range(bytes.len()))))
}

/// A page for one visitor: no cache may store it, with or without the layer.
async fn basket() -> impl IntoResponse {
    let policy = ("content-security-policy", "default-src 'self'");
    let (link, caching) = (("link", "</style.css>; rel=preload"), ("cache-control", "private, no-store"));
    ([("set-cookie", "basket=7; HttpOnly"), policy, link, caching], "Seven cups.\n")
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route("/", get(|| async { "Two cups, please.\n" })).route("/basket", get(basket));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, app.layer(from_fn(conditional))).await
}
