//! Conditional requests in a tower layer: any handler gets entity tags, 304, HEAD and ranges.
//!
//! ```text
//! $ cargo run -p short --bin conditional_layer
//! http://127.0.0.1:40001/
//! $ curl -i http://127.0.0.1:40001/
//! $ curl -i -H 'If-None-Match: "sha256-…"' http://127.0.0.1:40001/
//! ```
//!
//! The layer hashes each body. A page that is served often had better be hashed once: see `examples/site`.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::CONTENT_TYPE;
use http::{Method, StatusCode};
use tct::{Representation, plan_response};

/// Larger bodies are not hashed in memory.
const MAX_BODY_BYTES: usize = 4 << 20;

async fn conditional(request: Request, next: Next) -> Response {
    let (method, fields) = (request.method().clone(), request.headers().clone());
    let response = next.run(request).await;
    if response.status() != StatusCode::OK || !matches!(method, Method::GET | Method::HEAD) {
        return response;
    }
    let (head, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, MAX_BODY_BYTES).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut representation = Representation::of_bytes(&bytes);
    if let Some(media_type) = head.headers.get(CONTENT_TYPE) {
        representation = representation.with_content_type(media_type.clone());
    }
    plan_response(&method, &fields, &representation)
        .into_http(bytes.len(), |range| Body::from(Bytes::slice(&bytes, range)))
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route("/", get(|| async { "Two cups, please.\n" })).layer(from_fn(conditional));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, app).await
}
