//! Conditional requests in a tower layer: any handler gets entity tags, 304, HEAD and ranges.
//!
//! ```text
//! $ cargo run -p short --bin conditional_layer
//! http://127.0.0.1:40001/
//! $ curl -i http://127.0.0.1:40001/
//! $ curl -i -H 'If-None-Match: "sha256-…"' http://127.0.0.1:40001/
//! ```
//!
//! The handler's header fields stay as they are, `Set-Cookie` and `Cache-Control` too: who may store the response is
//! the handler's to say. The layer adds only what it knows of the bytes: `ETag`, length and ranges. A handler that
//! sets its own `ETag` keeps it. Bodies that are longer than the bound, or whose length nobody knows, pass unchanged.
//!
//! The layer hashes each body. A page that is served often should be hashed once: see `examples/site`.

use axum::Router;
use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, LINK, SET_COOKIE,
};
use http::{Method, StatusCode};
use tct::{Representation, plan_response};

/// Longer bodies are not hashed in memory.
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
    let own_tag = head.headers.get(ETAG).cloned();
    let representation = own_tag
        .and_then(|etag| Representation::of_etag(etag, bytes.len() as u64))
        .unwrap_or_else(|| Representation::of_bytes(&bytes));
    let plan = plan_response(&method, &fields, &representation);
    head.status = plan.status;
    if !plan.status.is_success() {
        // These describe a body that is not sent.
        for name in [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING, CONTENT_LANGUAGE] {
            head.headers.remove(name);
        }
    }
    for name in [ETAG, ACCEPT_RANGES, CONTENT_RANGE, CONTENT_LENGTH] {
        if let Some(value) = plan.headers.get(&name) {
            head.headers.insert(name, value.clone());
        }
    }
    Response::from_parts(head, Body::from(Bytes::slice(&bytes, plan.body.range(bytes.len()))))
}

/// A page that is one visitor's own: no cache may keep it, with or without the layer.
async fn basket() -> impl IntoResponse {
    let fields = [
        (SET_COOKIE, "basket=7; HttpOnly"),
        (CONTENT_SECURITY_POLICY, "default-src 'self'"),
        (LINK, "</style.css>; rel=preload"),
        (CACHE_CONTROL, "private, no-store"),
    ];
    (fields, "Seven cups.\n")
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> std::io::Result<()> {
    let app = Router::new()
        .route("/", get(|| async { "Two cups, please.\n" }))
        .route("/basket", get(basket))
        .layer(from_fn(conditional));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, app).await
}
