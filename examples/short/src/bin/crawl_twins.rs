//! Crawls a site's twins twice with reqwest; the second run does not request unchanged pages.
//! `cargo run -p short --bin crawl_twins -- https://example.com/`

use std::time::SystemTime;

use tct::{CUrl, Crawl, CrawlPolicy, UnixSeconds, UrlPolicy};
use tct_tower::{MemoryStore, RobotsTxt, drive};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
#[expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program does")]
async fn main() -> Result<(), Failure> {
    let urls = UrlPolicy::allowing_http(); // for a site on one's own machine; `CrawlPolicy::default()` wants https
    let start = CUrl::parse_with(&std::env::args().nth(1).ok_or("usage: crawl_twins URL")?, &urls)?;
    let policy = CrawlPolicy::default().with_urls(urls);
    let _first = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    let mut client = tower::service_fn(move |request: http::Request<reqwest::Body>| {
        let sent = request.try_into().map(|request| http.execute(request));
        // To `drive` an error is just no answer: it is shown here.
        async { Ok::<http::Response<_>, Failure>(sent?.await.inspect_err(|why| eprintln!("{why}"))?.into()) }
    });
    let clock = (|| UnixSeconds::from(SystemTime::now()), tokio::time::sleep);
    let (mut store, mut robots) = (MemoryStore::default(), RobotsTxt::new("examplebot"));
    for run in 1..=2 {
        let mut crawl = Crawl::resume(&start, store.site(), policy);
        drive(&mut crawl, &mut client, &mut robots, &mut store, &clock).await?;
        let done = crawl.counters();
        println!("run {run}: {} requests, {} stored, {} skipped", done.requests, done.stored, done.skipped);
    }
    Ok(())
}
