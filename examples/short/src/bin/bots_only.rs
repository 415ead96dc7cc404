//! A site that only listed crawlers with valid signatures may read: Web Bot Auth around an axum router.
//! `cargo run -p short --bin bots_only -- https://bot.example`; behind a proxy that ends TLS as `https://shop.example`.
use axum::{Extension, Router, routing::get};
use bot_auth::{AgentId, Identity};
use bot_auth_tower::{AgentLimit, BotLayer, BotSettings, FetchKeys};
use web_values::UnixSeconds;

#[tokio::main]
#[expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program does")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _first = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let client = client.timeout(std::time::Duration::from_secs(10)).build()?;
    let fetch = FetchKeys::new(move |url: String| {
        let answer = client.get(url).send();
        async { answer.await.map(|response| (response.url().to_string(), http::Response::from(response))) }
    });
    let agents = std::env::args().skip(1).map(|agent| agent.parse()).collect::<Result<Vec<AgentId>, _>>()?;
    let clock = || UnixSeconds::from(std::time::SystemTime::now());
    let settings = BotSettings::new("https://shop.example", agents, fetch, clock)
        .limit(AgentLimit { requests: 100, secs: 60 })
        .observe(|verdict| eprintln!("{verdict}"));
    let page = async |Extension(who): Extension<Identity>| format!("{who}\n");
    let app = Router::new().route("/", get(page)).layer(BotLayer::require(settings));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
