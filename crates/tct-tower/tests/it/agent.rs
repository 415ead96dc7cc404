//! The agent's driver against the publisher's layer: both ends of the protocol in one process.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use std::cell::Cell;

use axum::Router;
use axum::body::Body;
use axum::response::Html;
use axum::routing::get;
use http::{Request, StatusCode};
use tct::{CUrl, Crawl, CrawlPolicy, UnixSeconds};
use tct_tower::{CrawlClock, MemoryStore, NoRobots, Settings, TctLayer, TwinContent, drive};
use tower::{Layer, ServiceBuilder, ServiceExt};

/// A clock that moves when somebody waits.
struct Clock(Cell<u64>);

impl CrawlClock for Clock {
    fn now(&self) -> UnixSeconds {
        UnixSeconds(self.0.get())
    }

    async fn sleep(&self, pause: std::time::Duration) {
        self.0.set(self.0.get() + pause.as_secs());
    }
}

fn content(_url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let text = std::str::from_utf8(html).ok()?;
    Some(TwinContent::new("Title", text.trim_start_matches("<p>"), text))
}

#[tokio::test]
async fn the_second_crawl_skips_everything() {
    let names: Vec<String> = (0..30).map(|index| format!("/{index}/")).collect();
    let mut pages = Router::new().route("/", get(|| async { Html("<p>Home.") }));
    for name in &names {
        let text = format!("<p>Text of {name}");
        pages = pages.route(name, get(move || async move { Html(text) }));
    }
    let settings = Settings::new("https://example.com", content).unwrap().with_pages(names.clone());
    let site = TctLayer::new(settings).layer(pages);
    let requests = Cell::new(0);
    let failures = Cell::new(0);
    let mut service = ServiceBuilder::new()
        .map_request(|request: Request<Body>| {
            requests.set(requests.get() + 1);
            request
        })
        .service(site)
        .map_response(|mut response| {
            // Every tenth answer is a 503.
            if requests.get() % 10 == 5 && failures.get() < 3 {
                failures.set(failures.get() + 1);
                *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            }
            response
        });
    let start = CUrl::parse("https://example.com/").unwrap();
    let (mut store, clock) = (MemoryStore::default(), Clock(Cell::new(1_000_000)));
    for (run, expected) in [(1, 30), (2, 0)] {
        requests.set(0);
        let mut crawl = Crawl::resume(&start, store.site(), CrawlPolicy::default());
        drive(&mut crawl, &mut service, &mut NoRobots, &mut store, &clock).await.unwrap();
        assert_eq!(store.pages().len(), 30, "run {run}");
        assert!(store.pages().keys().all(|key| store.body(key).is_some()), "run {run}");
        assert_eq!(crawl.counters().stored, expected, "run {run}");
        if run == 2 {
            assert_eq!(requests.get(), 1, "the sitemap alone");
        } else {
            assert_eq!(failures.get(), 3);
        }
    }
}
