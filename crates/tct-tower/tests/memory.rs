//! What the layer keeps, counted at the allocator: within the budget, whatever is asked for. Its own program, since it counts
//! every allocation.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use allocation_counter::measure;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use tct_tower::{Revisions, Settings, TctLayer, TwinContent};
use tower::{Layer as _, ServiceExt as _, service_fn};

/// Beside the budget: the maps' spare room, and up to 1 MiB of `Link` lines.
const BESIDE: i64 = (1 << 20) + (1 << 19);

fn finish<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("nothing here waits"),
    }
}

/// The whole page is its text.
fn content(_url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let text = std::str::from_utf8(html).ok()?;
    Some(TwinContent::new("Title", text, text))
}

/// What a layer with this budget holds on to after these requests, for pages of so many bytes.
fn kept(
    max_bytes: usize,
    page_bytes: usize,
    revisions: Revisions,
    paths: impl Iterator<Item = String>,
) -> i64 {
    let page = Bytes::from("x".repeat(page_bytes));
    let inner = service_fn(move |request: Request<Full<Bytes>>| {
        let mut response = Response::new(Full::new(page.clone()));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
        // A page of its own at a twin's address would be answered in place of the twin.
        if request.uri().path().ends_with("/llm/") {
            *response.status_mut() = StatusCode::NOT_FOUND;
        }
        async move { Ok::<_, Infallible>(response) }
    });
    let settings = Settings::new("https://example.com", content).unwrap();
    let settings = settings.with_queries(["n"]).with_max_cache_bytes(max_bytes);
    let layer = TctLayer::new(settings.with_revisions(revisions).unwrap());
    let site = layer.layer(inner);
    let mut most = 0;
    let mut sum = 0;
    for path in paths {
        sum += measure(|| {
            let request = Request::builder().uri(&path).body(Full::default()).unwrap();
            let answer = finish(site.clone().oneshot(request)).unwrap();
            drop(finish(answer.into_body().collect()).unwrap());
        })
        .bytes_current;
        most = most.max(sum);
    }
    most
}

#[test]
fn what_is_kept_stays_within_the_budget() {
    let budget: i64 = 4 << 20;
    let kept = |page, revisions, count: usize, path: &dyn Fn(usize) -> String| {
        kept(4 << 20, page, revisions, (0..count).map(path))
    };
    // A large page under many queries, which once was a copy for each of them.
    let large = kept(200_000, Revisions::Legacy, 250, &|n| format!("/a/llm/?n={n}"));
    assert!((budget / 2..=budget + BESIDE).contains(&large), "{large}");
    // Larger than everything: answered, and not kept.
    let huge = kept(3_000_000, Revisions::Both, 20, &|n| format!("/a{n}/llm/"));
    assert!(huge <= budget + BESIDE, "{huge}");
    // Many small ones, where fields and addresses are most of what is kept.
    for revisions in [Revisions::Legacy, Revisions::V03, Revisions::Both] {
        let small = kept(20, revisions, 6_000, &|n| format!("/{n}/llm/"));
        assert!((budget / 4..=budget + BESIDE).contains(&small), "{revisions:?}: {small}");
        let long = kept(20, revisions, 2_000, &|n| format!("/{}/{n}/llm/", "y".repeat(2_000)));
        assert!((budget / 4..=budget + BESIDE).contains(&long), "{revisions:?}: {long}");
    }
    // Pages that only pass by leave their lines.
    let lines = kept(20, Revisions::Both, 20_000, &|n| format!("/{}/{n}/", "y".repeat(200)));
    assert!(lines <= BESIDE, "{lines}");
    // Undeclared queries leave nothing.
    let undeclared = kept(20_000, Revisions::Legacy, 250, &|n| format!("/a/llm/?m={n}"));
    assert!(undeclared < 10_000, "{undeclared}");
}
