//! What an audit asks of whom, and how long it waits: robots.txt of each host that it reaches, and a limit on each wait.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and measures time"
)]

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use audit::fetch::ClientOptions;
use audit::finding::Check;
use audit::{AuditError, Options, audit};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use llmindex_types::ManifestBuilder;
use robots::PacingOptions;
use url::Url;
use web_values::Timestamp;

/// What a path answers: status, fields, body.
type Answer = (u16, Vec<(&'static str, String)>, String);

/// Takes the path, and how often it was asked before.
type Answering = dyn Fn(&str, usize) -> Answer + Send + Sync;

/// A server that knows what it was asked.
#[derive(Clone)]
struct Host {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    answer: Arc<Answering>,
}

impl Host {
    async fn start(answer: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Host {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let host = Host { address, asked: Arc::default(), answer: Arc::new(answer) };
        let router = Router::new().fallback(answered).with_state(host.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        host
    }

    fn url(&self) -> Url {
        format!("http://{}/", self.address).parse().unwrap()
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn answered(State(host): State<Host>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let before = {
        let mut asked = host.asked.lock().unwrap();
        asked.push(path.clone());
        asked.iter().filter(|known| **known == path).count() - 1
    };
    let (status, fields, body) = (host.answer)(&path, before);
    let mut response = Response::builder().status(status);
    for (name, value) in fields {
        response = response.header(name, value);
    }
    response.body(Body::from(body)).unwrap()
}

fn text(kind: &str, body: impl Into<String>) -> Answer {
    (200, vec![("content-type", kind.to_owned())], body.into())
}

fn page() -> Answer {
    text(
        "text/html",
        "<!doctype html><html lang=en><title>Pier</title><main><h1>Pier</h1><p>The ferry leaves here.</main>",
    )
}

fn status(status: u16) -> Answer {
    (status, Vec::new(), String::new())
}

fn leads_to(target: &str) -> Answer {
    (302, vec![("location", target.to_owned())], String::new())
}

/// A host with this robots.txt, and one page.
async fn plain(robots: &'static str) -> Host {
    Host::start(move |path, _| match path {
        "/robots.txt" => text("text/plain", robots),
        "/" => page(),
        _ => status(404),
    })
    .await
}

/// A host that allows all and leads elsewhere.
async fn leading(target: String) -> Host {
    Host::start(move |path, _| match path {
        "/robots.txt" => text("text/plain", "User-agent: *\nAllow: /\n"),
        _ => leads_to(&target),
    })
    .await
}

fn options(max_wait: Duration) -> Options {
    let client = ClientOptions {
        pacing: PacingOptions::default().cooldown(Duration::ZERO),
        max_wait,
        ..ClientOptions::default()
    };
    Options { client, ..Options::default() }
}

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn each_host_that_a_redirect_leads_to_is_asked_for_its_own_rules() {
    let there = plain("User-agent: *\nDisallow: /\n").await;
    let here = leading(there.url().into()).await;
    let error = audit(&here.url(), options(MINUTE)).await.unwrap_err();
    assert!(matches!(&error, AuditError::Closed { url, .. } if *url == there.url().as_str()), "{error}");
    assert_eq!(there.asked(), ["/robots.txt"]);
    assert_eq!(here.asked(), ["/robots.txt", "/"]);

    let there = plain("User-agent: *\nCrawl-delay: 5\n").await;
    let here = leading(there.url().into()).await;
    let error = audit(&here.url(), options(Duration::from_secs(1))).await.unwrap_err();
    assert!(matches!(error, AuditError::Fetch { .. }), "{error}");
    assert_eq!(there.asked(), ["/robots.txt"], "the pause is longer than the longest wait");

    // Where it is open, its rules are those of the whole audit.
    let there = plain("User-agent: *\nDisallow: /.well-known/\nDisallow: /llm\n").await;
    let here = leading(there.url().into()).await;
    let report = audit(&here.url(), options(MINUTE)).await.unwrap();
    assert_eq!(report.url, there.url().as_str());
    let asked = there.asked();
    assert!(asked.len() > 10, "{asked:?}");
    assert!(
        !asked.iter().any(|path| path.starts_with("/.well-known/") || path.starts_with("/llm")),
        "{asked:?}"
    );
    assert_eq!(here.asked(), ["/robots.txt", "/"], "and nothing more is asked of the first one");
}

#[tokio::test]
async fn a_redirect_is_no_way_around_the_rules_of_the_same_host() {
    let host = Host::start(|path, _| match path {
        "/robots.txt" => text("text/plain", "User-agent: *\nDisallow: /closed\n"),
        "/closed" => page(),
        _ => leads_to("/closed"),
    })
    .await;
    let error = audit(&host.url(), options(MINUTE)).await.unwrap_err();
    assert!(error.to_string().contains("robots.txt disallows it"), "{error}");
    assert_eq!(host.asked(), ["/robots.txt", "/"]);

    let host = Host::start(|path, _| match path {
        "/robots.txt" => text("text/plain", "User-agent: *\nDisallow: /closed\n"),
        "/" | "/closed" => page(),
        _ => leads_to("/closed"),
    })
    .await;
    audit(&host.url(), options(MINUTE)).await.unwrap();
    assert!(!host.asked().contains(&"/closed".to_owned()), "{:?}", host.asked());
}

#[tokio::test]
async fn a_public_site_leads_to_no_private_host() {
    let inside = plain("User-agent: *\nAllow: /\n").await;
    let outside = leading(inside.url().into()).await;
    let mut options = options(MINUTE);
    options.client.resolve.insert("pier.com".to_owned(), outside.address);
    let error = audit(&"http://pier.com/".parse().unwrap(), options).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot fetch http://pier.com/");
    assert_eq!((outside.asked(), inside.asked().len()), (vec!["/robots.txt".to_owned(), "/".to_owned()], 0));
}

#[tokio::test]
async fn what_a_site_names_on_another_host_is_asked_by_the_rules_of_that_host() {
    for (robots, is_open) in [("User-agent: *\nDisallow: /\n", false), ("User-agent: *\nAllow: /\n", true)] {
        let there = plain(robots).await;
        let manifest = ManifestBuilder::new("Pier", "https://pier.example", "en")
            .updated_at(Timestamp::parse("2026-02-20T00:00:00Z").unwrap())
            .topic("ferries")
            .products_feed(there.url().join("/products.jsonl").unwrap().as_str())
            .license("CC-BY-4.0")
            .build()
            .unwrap();
        let manifest = String::from_utf8(manifest.as_bytes().to_vec()).unwrap();
        let host = Host::start(move |path, _| match path {
            // What this file closes is closed on this host alone.
            "/robots.txt" => text("text/plain", "User-agent: *\nDisallow: /products.jsonl\n"),
            "/" => page(),
            "/.well-known/llmindex.json" => text("application/json", manifest.clone()),
            _ => status(404),
        })
        .await;
        let report = audit(&host.url(), options(MINUTE)).await.unwrap();
        let expected: &[&str] = if is_open { &["/robots.txt", "/products.jsonl"] } else { &["/robots.txt"] };
        assert_eq!(there.asked(), expected);
        let of_feed = report.findings.iter().find(|finding| finding.check == Check::FeedUnavailable).unwrap();
        assert_eq!(of_feed.found.contains("robots.txt disallows it"), !is_open, "{of_feed:?}");
    }
}

#[tokio::test]
async fn no_answer_makes_the_audit_wait_longer_than_the_limit() {
    for pause in ["400000", "18446744073709551615", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let host = Host::start(move |path, _| match path {
            "/robots.txt" => text("text/plain", "User-agent: *\nAllow: /\n"),
            "/" => page(),
            _ => (503, vec![("retry-after", pause.to_owned())], String::new()),
        })
        .await;
        let begun = Instant::now();
        audit(&host.url(), options(MINUTE)).await.unwrap();
        assert!(begun.elapsed() < Duration::from_secs(10), "{pause}: {:?}", begun.elapsed());
        // Robots.txt, the page, and the answer that asks for the pause: the host is left alone from there.
        assert_eq!(host.asked().len(), 3, "{pause}: {:?}", host.asked());
    }
}

#[tokio::test]
async fn a_pause_within_the_limit_is_waited_for() {
    let host = Host::start(|path, before| match path {
        "/robots.txt" => text("text/plain", "User-agent: *\nAllow: /\n"),
        "/" => page(),
        "/.well-known/llmindex.json" if before == 0 => {
            (503, vec![("retry-after", "1".to_owned())], String::new())
        }
        _ => status(404),
    })
    .await;
    let begun = Instant::now();
    audit(&host.url(), options(MINUTE)).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(host.asked().len() > 10, "{:?}", host.asked());
}
