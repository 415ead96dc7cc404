//! A crawler that signs its requests, so that a site can tell it from crawlers that only copy its
//! name. `cargo run -p short --bin signing_crawler -- https://example.com/`
//!
//! It prints the key directory to publish at `https://bot.example/.well-known/http-message-signatures-directory`, then
//! the status of each URL. A real crawler keeps its key.

use bot_auth::{CrawlerSigner, Message, directory_body};
use jwk::SigningKey;
use web_values::UnixSeconds;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

#[tokio::main]
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program prints and reads the clock")]
async fn main() -> Result<(), Failure> {
    let key = SigningKey::from_secret(&random()?);
    println!("{}", directory_body([&key]));
    let signer = CrawlerSigner::new(key, "https://bot.example")?;
    let _first = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    for url in std::env::args().skip(1) {
        let url = url::Url::parse(&url)?;
        let message = Message::request("GET", url.as_str())?.header("User-Agent", "ExampleBot/1.0");
        let signed = signer.sign(&message, &random()?, UnixSeconds::from(std::time::SystemTime::now()))?;
        let mut request = client.get(url.clone()).header("User-Agent", "ExampleBot/1.0");
        for (name, value) in signed.lines() {
            request = request.header(name, value);
        }
        println!("{} {url}", request.send().await?.status().as_u16());
    }
    Ok(())
}
