//! Twins, a sitemap and Markdown for the pages of an axum router, which needs no change.
//!
//! ```text
//! $ cargo run -p short --bin publish_twins
//! http://127.0.0.1:40001/
//! $ curl http://127.0.0.1:40001/tea/llm/
//! $ curl -H 'Accept: text/markdown' http://127.0.0.1:40001/tea/
//! ```

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use tct::UrlPolicy;
use tct_tower::{ExtractContent, Settings, TctLayer};
use tower_layer::Layer as _;

fn pages() -> Router {
    Router::new()
        .route("/", get(|| async { Html("<title>Home</title><main><p>Two kinds of <b>tea</b>.</p></main>") }))
        .route("/tea/", get(|| async { Html("<title>Tea</title><main><h1>Tea</h1><p>Two cups.</p></main>") }))
        .route("/mate/", get(|| async { Html("<title>Mate</title><main><p>One gourd.</p></main>") }))
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}/", listener.local_addr()?);
    // On the web: `Settings::new("https://example.com", ExtractContent)`.
    let settings = Settings::with_urls(&origin, UrlPolicy::allowing_http(), ExtractContent)?;
    let layer = TctLayer::new(settings.with_pages(["/", "/tea/", "/mate/"]));
    println!("{origin}");
    // Around the whole router, since twins are no routes of its own.
    axum::serve(listener, Router::new().fallback_service(layer.layer(pages()))).await?;
    Ok(())
}
