//! A server that does everything a server should not, and what the crawler makes of it: `cargo test -p crawler --test
//! faults -- --nocapture` prints the table of the README.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

#[path = "it/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use rcgen::date_time_ymd;
use serde_json::Value;
use support::{Authority, options, run, serve};
use test_sites::faults::{answer, bomb};
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;
use url::Url;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// No fault may take longer, three tries included.
const MAX_TIME: Duration = Duration::from_secs(30);
/// No fault may make the crawler, its store and this server allocate more.
const MAX_BYTES: usize = 64 << 20;

/// A fault: what the server does, its name in the code below, and what the crawler reports.
struct Fault {
    what: &'static str,
    name: &'static str,
    reported: &'static str,
}

const fn fault(what: &'static str, name: &'static str, reported: &'static str) -> Fault {
    Fault { what, name, reported }
}

const FAULTS: &[Fault] = &[
    fault("nobody listens", "refused", "postponed: connect"),
    fault("certificate of another name", "other-name", "postponed: tls"),
    fault("certificate that has expired", "expired", "postponed: tls"),
    fault("certificate of an unknown authority", "unknown", "postponed: tls"),
    fault("no TLS at all", "plain", "postponed: tls"),
    fault("no answer", "silent", "failed: head-timeout"),
    fault("a head that trickles in, byte by byte", "slow-head", "failed: head-timeout"),
    fault("informational responses without end", "continue", "failed: head-timeout"),
    fault("a header field without end", "giant-field", "failed: head-too-large"),
    fault("10,000 header fields", "many-fields", "failed: head-too-large"),
    fault("another protocol", "ssh", "failed: not-http"),
    fault("two lengths that differ", "two-lengths", "failed: not-http"),
    fault("a chunk longer than numbers go", "giant-chunk", "failed: not-http"),
    fault("a body that trickles in, byte by byte", "slow-body", "failed: body-timeout"),
    fault("a body that stops coming", "stalled", "failed: body-stalled"),
    fault("a body without end", "endless", "failed: body-too-large"),
    fault("chunks without end", "endless-chunks", "failed: body-too-large"),
    fault("closed before the announced length", "cut", "failed: body-incomplete"),
    fault("closed in the middle of a chunk", "cut-chunk", "failed: body-incomplete"),
    fault("more than the announced length", "long", "stored, the rest is not read"),
    fault("zeros without end in gzip", "bomb", "failed: body-too-large"),
    fault("gzip without end that unpacks to nothing", "hollow", "failed: body-too-large"),
    fault("gzip that is broken", "broken-gzip", "failed: coding-broken"),
    fault("a coding that was not asked for", "brotli", "failed: coding-unknown"),
    fault("a redirect that leads back", "loop", "failed: redirect-loop"),
    fault("redirects without end", "redirects", "failed: too-many-redirects"),
    fault("a redirect to a file", "to-file", "failed: redirect-refused"),
    fault("a redirect into a private network", "to-private", "passed: redirect-elsewhere"),
    fault("status 500, three times", "broken", "failed: busy"),
    fault("asks to be left alone for a day", "busy", "postponed: host-paused"),
    fault("robots.txt that never comes", "robots-silent", "postponed: head-timeout"),
    fault("robots.txt without end", "robots-endless", "stored"),
    fault("robots.txt that redirects in a circle", "robots-loop", "stored"),
    fault("a sitemap without end", "endless-sitemap", "stored without it: body-too-large"),
    fault("200,000 elements inside one another", "nested", "stored"),
    fault("50,000 links", "links", "stored, 50 pages of them"),
];

/// The faults that are over when a limit of time has passed, three times in most cases.
const WAITING: &[&str] = &["silent", "slow-head", "continue", "slow-body", "stalled", "robots-silent"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_has_its_report_and_ends_in_bounded_time_and_memory() {
    let authority = Arc::new(Authority::new());
    // Made before memory is measured.
    let _packed = bomb();
    let mut outcomes = BTreeMap::new();
    // Those that mostly wait do so together, and share the figure of memory.
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let mut waiting = JoinSet::new();
    for fault in FAULTS.iter().filter(|fault| WAITING.contains(&fault.name)) {
        let authority = Arc::clone(&authority);
        waiting.spawn(async move { (fault.name, meet(fault, &authority).await) });
    }
    let met = waiting.join_all().await;
    let bytes = MEMORY.peak_usage().saturating_sub(before);
    outcomes.extend(met.into_iter().map(|(name, (reported, took))| (name, (reported, took, bytes))));
    for fault in FAULTS.iter().filter(|fault| !WAITING.contains(&fault.name)) {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let (reported, took) = meet(fault, &authority).await;
        outcomes.insert(fault.name, (reported, took, MEMORY.peak_usage().saturating_sub(before)));
    }

    println!("| the server | the crawler reports | s | MB |\n|---|---|---|---|");
    let mut wrong = Vec::new();
    for fault in FAULTS {
        let (reported, took, bytes) = &outcomes[fault.name];
        let (secs, megabytes) = (took.as_secs_f64(), *bytes as f64 / f64::from(1 << 20));
        println!("| {} | {reported} | {secs:.1} | {megabytes:.1} |", fault.what);
        if reported != fault.reported || *took > MAX_TIME || *bytes > MAX_BYTES {
            wrong.push(format!("{}: {reported}, {took:?}, {bytes} bytes", fault.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Crawls a server with this fault; what is reported, and how long it took.
async fn meet(fault: &Fault, authority: &Arc<Authority>) -> (String, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let start = start_server(fault.name, authority).await;
    let mut options = options(vec![authority.der()]);
    if WAITING.contains(&fault.name) {
        // Long enough for what these servers do answer, when the machine is busy.
        options.limits.head = Duration::from_secs(2);
        options.limits.idle = Duration::from_secs(2);
        options.limits.total = Duration::from_secs(4);
    }
    if fault.name == "endless-sitemap" {
        options.limits.sitemap_bytes = 1 << 20;
    }
    let started = Instant::now();
    let lines = run(std::slice::from_ref(&start), folder.path(), options).await;
    (report(fault, &start, &lines), started.elapsed())
}

#[test]
fn the_documentation_shows_the_table() {
    let details = include_str!("../docs/details.md");
    for Fault { what, reported, .. } in FAULTS {
        assert!(details.contains(&format!("\n| {what} | {reported} |")), "{what}");
    }
}

/// What the lines say about the start, in the words of the table.
fn report(fault: &Fault, start: &Url, lines: &[Value]) -> String {
    let about_start = |line: &&Value| {
        line["url"].as_str().is_none_or(|url| url.starts_with(start.as_str())) && line["event"] != "robots"
    };
    let stored = lines.iter().filter(|line| line["event"] == "stored").count();
    // Redirects lead through several lines; the last one tells the end.
    let last = lines
        .iter()
        .filter(about_start)
        .rfind(|line| matches!(line["event"].as_str(), Some("failed" | "passed" | "postponed" | "stored")));
    let Some(last) = last else { return format!("nothing: {lines:?}") };
    match (last["event"].as_str().unwrap(), fault.name) {
        ("stored", "long") => {
            assert_eq!(stored, 1);
            "stored, the rest is not read".to_owned()
        }
        ("stored", "links") => {
            format!("stored, {} pages of them", stored - 1)
        }
        ("stored", "endless-sitemap") => {
            let sitemap = lines.iter().find(|line| line["event"] == "sitemap").unwrap();
            format!("stored without it: {}", sitemap["why"].as_str().unwrap().split(": ").next().unwrap())
        }
        ("stored", _) => "stored".to_owned(),
        ("postponed", _) => {
            assert_eq!(stored, 0, "{lines:?}");
            // Without robots.txt nothing may be fetched, and why it is missing is told in its line.
            let robots =
                lines.iter().find_map(|line| line["why"].as_str().filter(|_| line["event"] == "robots"));
            let why = robots.unwrap_or("host-paused").split(':').next().unwrap();
            format!("postponed: {why}")
        }
        (event, _) => format!("{event}: {}", last["why"].as_str().unwrap()),
    }
}

/// A server with this fault; its start URL.
async fn start_server(name: &'static str, authority: &Arc<Authority>) -> Url {
    let ip = Ipv4Addr::LOCALHOST;
    let tls = match name {
        "other-name" => authority.acceptor(&["other.example"], |_| ()),
        "expired" => {
            authority.acceptor(&["127.0.0.1"], |params| params.not_after = date_time_ymd(2020, 1, 1))
        }
        "unknown" => Authority::new().acceptor(&["127.0.0.1"], |_| ()),
        _ => authority.acceptor(&["127.0.0.1"], |_| ()),
    };
    let address = match name {
        "refused" => {
            // Bound once, so that it is free, and closed again.
            tokio::net::TcpListener::bind((ip, 0)).await.unwrap().local_addr().unwrap()
        }
        "plain" => plain_server(ip).await,
        _ => serve(ip, tls, async move |path, _, connection| answer(name, &path, connection).await).await,
    };
    Url::parse(&format!("https://{address}/start")).unwrap()
}

async fn plain_server(ip: Ipv4Addr) -> std::net::SocketAddr {
    let listener = tokio::net::TcpListener::bind((ip, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _gone = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
                tokio::time::sleep(Duration::from_secs(1)).await;
            });
        }
    });
    address
}
