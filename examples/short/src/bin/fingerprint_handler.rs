//! A fingerprint in an axum handler: POST a text, get its hash.
//!
//! ```text
//! $ cargo run -p short --bin fingerprint_handler
//! http://127.0.0.1:40001/
//! $ curl --data-binary 'Hello World' http://127.0.0.1:40001/
//! sha256-…
//! ```

use axum::Router;
use axum::routing::post;
use bytes::Bytes;
use http::StatusCode;
use tct_fingerprint::fingerprint_utf8;

/// The hash, or the offset of the first byte that is not UTF-8.
async fn handle(body: Bytes) -> Result<String, (StatusCode, String)> {
    match fingerprint_utf8(&body) {
        Ok(fingerprint) => Ok(format!("{fingerprint}\n")),
        Err(error) => Err((StatusCode::BAD_REQUEST, format!("{error}\n"))),
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> std::io::Result<()> {
    // axum takes bodies of up to 2 MB, unless it is told otherwise.
    let app = Router::new().route("/", post(handle));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, app).await
}
