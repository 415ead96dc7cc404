//! robots.txt in an existing crawler: one check before each fetch, and each file cached as long as allowed.
//! `cargo run -p short --bin robots_in_crawler -- https://example.com/ https://example.com/private`

use robots::{AiWebIndexAgent, AiWebIndexVersion, RobotsAction, RobotsResponse, SiteRobots, UnixSeconds};
use std::collections::BTreeMap;
use url::Url;

type Failure = Box<dyn std::error::Error + Send + Sync>;
/// What to add to the crawler: the robots.txt of each site, and the crawler's name.
struct Gate {
    client: reqwest::Client,
    agent: AiWebIndexAgent,
    sites: BTreeMap<String, SiteRobots>,
}

impl Gate {
    /// Whether `url` may be fetched, and why. Fetches robots.txt if there is no fresh copy.
    async fn may_fetch(&mut self, url: &Url, now: UnixSeconds) -> Result<(bool, String), Failure> {
        let site = self.sites.entry(url.origin().ascii_serialization()).or_default();
        let mut at = url.join("/robots.txt")?;
        loop {
            at = match site.next_action(now) {
                RobotsAction::Fetch => url.join("/robots.txt")?,
                RobotsAction::Follow(location) => at.join(location)?,
                _ => break,
            };
            match read(self.client.get(at.clone())).await {
                Ok(response) => site.on_response(&response, now),
                // No answer, or half of one, counts as a server error: nothing may be fetched until there is one.
                Err(_) => site.on_response(&RobotsResponse::default(), now),
            }
        }
        let decision = site.decide(&self.agent, url, now);
        Ok((decision.is_allowed(), decision.to_string()))
    }
}

/// RFC 9309 asks for 500 KiB of the file: what is past that is not read.
async fn read(request: reqwest::RequestBuilder) -> reqwest::Result<http::Response<Vec<u8>>> {
    let (mut response, mut text) = (request.send().await?, Vec::new());
    while let Some(piece) = response.chunk().await?.filter(|_| text.len() < 500 << 10) {
        text.extend_from_slice(&piece);
    }
    Ok(http::Response::<reqwest::Body>::from(response).map(|_| text))
}

#[tokio::main]
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program prints and reads the clock")]
async fn main() -> Result<(), Failure> {
    let _first = rustls::crypto::ring::default_provider().install_default();
    let agent =
        AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url("https://example.com/bot").build()?;
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let mut gate = Gate { client: client.user_agent(agent.as_str()).build()?, agent, sites: BTreeMap::new() };
    for url in std::env::args().skip(1) {
        let (_, why) = gate.may_fetch(&url.parse()?, std::time::SystemTime::now().into()).await?;
        println!("{url}: {why}");
    }
    Ok(())
}
