//! The agent's driver against the publisher's layer: both ends of the protocol in one process.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::ready;

use axum::Router;
use axum::body::Body;
use axum::response::Html;
use axum::routing::get;
use http::{Request, StatusCode};
use tct::crawl::{BodyChange, PageState, Pages};
use tct::{CUrl, Crawl, CrawlPolicy, PageReport, SiteState, UnixSeconds};
use tct_tower::{CrawlStore, Settings, TctLayer, TwinContent, drive};
use tower::{Layer, ServiceBuilder, ServiceExt};

#[derive(Default)]
struct Store {
    pages: BTreeMap<String, PageState>,
    texts: BTreeMap<String, Vec<u8>>,
    reports: usize,
}

impl Pages for Store {
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>> {
        self.pages.page(key)
    }

    fn after(&self, key: &str) -> Option<(Cow<'_, str>, Cow<'_, PageState>)> {
        self.pages.after(key)
    }

    fn count(&self) -> u64 {
        self.pages.count()
    }
}

impl CrawlStore for Store {
    type Error = Infallible;

    fn store(&mut self, report: PageReport) -> Result<(), Infallible> {
        self.reports += 1;
        match report.body() {
            BodyChange::Store(json) => drop(self.texts.insert(report.key.clone(), json.to_vec())),
            BodyChange::Forget => drop(self.texts.remove(&report.key)),
            BodyChange::Keep => {}
        }
        match report.state {
            Some(state) => drop(self.pages.insert(report.key, state)),
            None => drop(self.pages.remove(&report.key)),
        }
        Ok(())
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
    let (mut store, clock) = (Store::default(), Cell::new(1_000_000));
    let mut site = SiteState::default();
    for (run, expected) in [(1, 30), (2, 0)] {
        requests.set(0);
        let mut crawl = Crawl::resume(&start, site, CrawlPolicy::default());
        let sleep = |pause: std::time::Duration| {
            clock.set(clock.get() + pause.as_secs());
            ready(())
        };
        drive(&mut crawl, &mut service, &mut store, || UnixSeconds(clock.get()), sleep).await.unwrap();
        site = crawl.site().clone();
        assert_eq!(store.pages.len(), 30, "run {run}");
        assert_eq!((store.texts.len(), store.reports), (30, expected), "run {run}");
        if run == 2 {
            assert_eq!(requests.get(), 1, "the sitemap alone");
        } else {
            assert_eq!(failures.get(), 3);
        }
        store.reports = 0;
    }
}
