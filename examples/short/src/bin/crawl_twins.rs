//! A site's twins, crawled twice with reqwest; what is unchanged, the second run does not ask for.
//! `cargo run -p short --bin crawl_twins -- https://example.com/`

use std::collections::BTreeMap;

use http_body_util::{BodyExt as _, Limited};
use tct::crawl::{BodyChange, CrawlRequest};
use tct::{CUrl, Crawl, CrawlNext, CrawlPolicy, PageState, SiteState, UnixSeconds, UrlPolicy};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Answer = (url::Url, http::Response<bytes::Bytes>);

/// Sends one request and reads the whole answer, as far as it is of use.
async fn send(client: &reqwest::Client, wanted: CrawlRequest) -> Result<Answer, Failure> {
    let response = client.execute(wanted.request.map(|()| "").try_into()?).await?;
    let url = response.url().clone();
    let (head, body) = http::Response::<reqwest::Body>::from(response).into_parts();
    let body = Limited::new(body, usize::try_from(wanted.max_bytes)?).collect().await?;
    Ok((url, http::Response::from_parts(head, body.to_bytes())))
}

#[tokio::main]
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program prints and reads the clock")]
async fn main() -> Result<(), Failure> {
    let now = || UnixSeconds::from(std::time::SystemTime::now());
    let urls = UrlPolicy::allowing_http(); // for a site on one's own machine; `CrawlPolicy::default()` wants https
    let start = CUrl::parse_with(&std::env::args().nth(1).ok_or("usage: crawl_twins URL")?, &urls)?;
    let policy = CrawlPolicy::default().with_urls(urls);
    let _first = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    let (mut site, mut pages) = (SiteState::default(), BTreeMap::<String, PageState>::new());
    let mut texts = BTreeMap::new();
    for run in 1..=2 {
        let mut crawl = Crawl::resume(&start, site, policy);
        loop {
            match crawl.next(&pages, now()) {
                CrawlNext::Send(wanted) => match (wanted.id, send(&client, wanted).await) {
                    (id, Ok((url, answer))) => crawl.on_response(id, &url, &answer, &pages, now())?,
                    (id, Err(_)) => crawl.on_failure(id, now())?,
                },
                CrawlNext::Page(report) => {
                    if let BodyChange::Store(json) = report.body() {
                        texts.insert(report.key.clone(), json.to_vec());
                    }
                    match report.state {
                        Some(state) => pages.insert(report.key, state),
                        None => pages.remove(&report.key),
                    };
                }
                CrawlNext::Site(event) => println!("{event}"),
                CrawlNext::Wait => tokio::time::sleep(std::time::Duration::from_secs(1)).await,
                _ => break,
            }
        }
        let done = crawl.counters();
        println!("run {run}: {} requests, {} stored, {} skipped", done.requests, done.stored, done.skipped);
        site = crawl.site().clone();
    }
    Ok(())
}
