//! robots.txt in an existing crawler: one check before each fetch, and each file cached as long as allowed.
//! `cargo run -p short --bin robots_in_crawler -- https://example.com/ https://example.com/private`
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program prints and reads the clock")]
use robots::{RobotsAction, SiteRobots, UnixSeconds};
use std::time::{Duration, SystemTime};
use url::Url;
use web_values::HostKind;
const BOT: &str = "AIWebIndex/1.0 (+https://example.com/bot)";
type Failure = Box<dyn std::error::Error + Send + Sync>;
/// What to add to the crawler: the robots.txt of each site.
type Sites = std::collections::BTreeMap<String, SiteRobots>;

/// Whether `url` may be fetched, and why. Fetches robots.txt if there is no fresh copy.
async fn may_fetch(sites: &mut Sites, http: &reqwest::Client, url: &Url) -> Result<(bool, String), Failure> {
    let now = UnixSeconds::from(SystemTime::now());
    let site = sites.entry(url.origin().ascii_serialization()).or_default();
    let mut at = url.join("/robots.txt")?;
    loop {
        let next = match site.next_action(now) {
            RobotsAction::Fetch => url.join("/robots.txt").ok(),
            RobotsAction::Follow(to) => at.join(to).ok().filter(|to| may_lead(url, to)),
            _ => break,
        };
        let nothing = |status| http::Response::builder().status(status).body(Vec::new());
        at = next.clone().unwrap_or(at);
        let answer = match next {
            // No answer, or half of one, counts as a server error: nothing may be fetched until there is one.
            Some(next) => read(http.get(next)).await.or_else(|_| nothing(503))?,
            None => nothing(302)?,
        };
        site.on_response(&answer, now);
    }
    let decision = site.decide(BOT, url, now);
    Ok((decision.is_allowed(), decision.to_string()))
}

/// Rules may stand on another host, not in somebody's network.
fn may_lead(site: &Url, to: &Url) -> bool {
    to.host() == site.host() || to.host_str().is_some_and(|host| HostKind::of(host).is_public())
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
async fn main() -> Result<(), Failure> {
    let _first = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).user_agent(BOT);
    let (http, mut sites) = (http.timeout(Duration::from_secs(60)).build()?, Sites::new());
    for url in std::env::args().skip(1) {
        println!("{url}: {}", may_fetch(&mut sites, &http, &url.parse()?).await?.1);
    }
    Ok(())
}
