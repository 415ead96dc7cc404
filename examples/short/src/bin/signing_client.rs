//! A reqwest client that signs its requests if a site asks for it: Web Bot Auth as a tower layer.
use bot_auth::CrawlerSigner;
use bot_auth_tower::SignLayer;
use jwk::SigningKey;
use tower::{Layer as _, ServiceExt as _, service_fn};
use web_values::UnixSeconds;

#[tokio::main]
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program prints and reads the clock")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let random = || {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map(|()| bytes).unwrap_or_else(|_| std::process::abort())
    };
    let signer = CrawlerSigner::new(SigningKey::from_secret(&random()), "https://bot.example")?;
    let clock = || UnixSeconds::from(std::time::SystemTime::now());
    let _first = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    let send = service_fn(move |request: http::Request<reqwest::Body>| {
        let client = client.clone();
        async move { client.execute(request.try_into()?).await.map(http::Response::from) }
    });
    let client = SignLayer::always(signer, clock, random).when_asked().layer(send);
    for url in std::env::args().skip(1) {
        let request = http::Request::get(&url).header("User-Agent", "ExampleBot/1.0");
        let response = client.clone().oneshot(request.body(reqwest::Body::default())?).await?;
        println!("{} {url}", response.status());
    }
    Ok(())
}
