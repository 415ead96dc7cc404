//! The crawler is killed with SIGKILL while it crawls three sites, at random moments and right after it printed
//! something, and started again each time. At the end nothing is missing, nothing is there twice, and everything is as
//! an uninterrupted crawl leaves it.
//!
//! `CRAWLER_KILLS` says how many kills, `CRAWLER_SEED` where the random moments begin; both are printed.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Authority, Connection, respond, serve};

/// Pages of each of the two sites that are crawled along their links.
const PAGES: u64 = 60;
/// The longest time that a run is left alone, in milliseconds.
const LONGEST_MS: u64 = 500;

/// The servers, and how to crawl them.
struct Sites {
    arguments: Vec<String>,
    page_requests: Arc<AtomicU64>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_reported_is_ever_lost() {
    let kills_wanted = number("CRAWLER_KILLS").unwrap_or(15);
    let seed = number("CRAWLER_SEED").unwrap_or(0x5eed_cafe);
    let folder = tempfile::tempdir().unwrap();
    let (sites, _site) = start_sites(folder.path()).await;
    let root = folder.path().to_owned();
    tokio::task::spawn_blocking(move || kill_loop(&sites, &root, kills_wanted, seed)).await.unwrap();
}

fn kill_loop(sites: &Sites, root: &Path, kills_wanted: u64, seed: u64) {
    let mut random = seed;
    let whole = Run::new(root, "whole");
    assert!(whole.start(sites).wait().unwrap().success());
    let (expected, requests_at_most) = (whole.held(), sites.page_requests.swap(0, Ordering::Relaxed));
    assert_eq!(whole.check_reported(&expected), 0, "a run that ends by itself reports everything");
    println!("uninterrupted: {} bodies, {requests_at_most} requests for linked pages", expected.len());

    let (mut kills, mut rounds, mut unreported) = (0, 0, 0);
    while kills < kills_wanted {
        rounds += 1;
        let run = Run::new(root, &format!("round-{rounds}"));
        let mut kills_now = 0;
        loop {
            let mut child = run.start(sites);
            // Marsaglia's xorshift.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let patience = Duration::from_millis(random % LONGEST_MS);
            // Every other kill comes when something was just said: nothing may be said before it is true.
            let said = (random & 1 << 40 != 0).then(|| run.said_bytes() + random % 2000);
            let goes_on = || said.is_none_or(|said| run.said_bytes() <= said);
            if kills + kills_now < kills_wanted && !ends_within(&mut child, patience, goes_on) {
                child.kill().unwrap();
                child.wait().unwrap();
                kills_now += 1;
                if run.is_done() {
                    break;
                }
                continue;
            }
            assert!(child.wait().unwrap().success(), "the crawl went wrong: {}", run.complaints());
            break;
        }
        let held = run.held();
        assert_eq!(held, expected, "round {rounds} after {kills_now} kills");
        unreported += run.check_reported(&held);
        let requests = sites.page_requests.swap(0, Ordering::Relaxed);
        assert!(requests <= requests_at_most + 2 * kills_now, "{requests} requests after {kills_now} kills");
        kills += kills_now;
    }
    println!(
        "{kills} kills in {rounds} crawls (seed {seed}): nothing lost, nothing twice; {unreported} bodies were stored by a run that was killed before it could say so"
    );
}

/// One store with everything that was printed about it.
struct Run {
    store: PathBuf,
    lines: PathBuf,
    complaints: PathBuf,
}

impl Run {
    fn new(root: &Path, name: &str) -> Self {
        let path = |extension: &str| root.join(format!("{name}.{extension}"));
        Run { store: path("redb"), lines: path("jsonl"), complaints: path("txt") }
    }

    fn start(&self, sites: &Sites) -> Child {
        let append =
            |path: &Path| Stdio::from(OpenOptions::new().create(true).append(true).open(path).unwrap());
        Command::new(env!("CARGO_BIN_EXE_crawler"))
            .arg("--store")
            .arg(&self.store)
            .args(&sites.arguments)
            .stdout(append(&self.lines))
            .stderr(append(&self.complaints))
            .spawn()
            .unwrap()
    }

    /// How much was printed so far.
    fn said_bytes(&self) -> u64 {
        std::fs::metadata(&self.lines).map_or(0, |metadata| metadata.len())
    }

    /// Whether the crawl had come to its end, and only the program had not.
    fn is_done(&self) -> bool {
        std::fs::read_to_string(&self.lines).unwrap().contains(r#""event":"done""#)
    }

    fn complaints(&self) -> String {
        std::fs::read_to_string(&self.complaints).unwrap()
    }

    /// What the store holds, by URL, without the times of the fetches.
    fn held(&self) -> BTreeMap<String, Value> {
        let out = Command::new(env!("CARGO_BIN_EXE_crawler"))
            .arg("--export")
            .arg("--store")
            .arg(&self.store)
            .output();
        let out = String::from_utf8(out.unwrap().stdout).unwrap();
        let mut held = BTreeMap::new();
        for line in out.lines() {
            let mut value: Value = serde_json::from_str(line).unwrap();
            if let Some(facts) = value["json"]["crawl"].as_object_mut() {
                facts.remove("fetched_at");
                facts.remove("fetch_duration_ms");
            }
            let url = value["url"].as_str().unwrap().to_owned();
            assert!(held.insert(url, value).is_none(), "held twice: {line}");
        }
        held
    }

    /// Everything that was reported as stored is held, and was reported once. How many were never reported.
    fn check_reported(&self, held: &BTreeMap<String, Value>) -> usize {
        let text = std::fs::read_to_string(&self.lines).unwrap();
        let mut reported = BTreeSet::new();
        // A line without its end was not said.
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["event"] == "stored" {
                let url = line["url"].as_str().unwrap().to_owned();
                assert_eq!(held.get(&url).map(|entry| &entry["kind"]), Some(&line["kind"]), "lost: {url}");
                assert!(reported.insert(url), "reported twice: {line}");
            }
            assert!(line["event"] != "failed" && line["event"] != "postponed", "{line}");
        }
        held.len() - reported.len()
    }
}

/// Whether the program ends by itself, before its time is over and as long as it is to go on.
fn ends_within(child: &mut Child, patience: Duration, goes_on: impl Fn() -> bool) -> bool {
    let end = Instant::now() + patience;
    while Instant::now() < end && goes_on() {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_micros(20));
    }
    false
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The site of `examples/site`, with TCT, and two that are plain HTML; each on an address of its own, so that they are
/// three hosts.
async fn start_sites(folder: &Path) -> (Sites, site::Running) {
    let authority = Authority::new();
    let page_requests = Arc::new(AtomicU64::new(0));
    let running = site::start(site::Options::default()).await.unwrap();
    let mut starts = vec![running.url().to_string()];
    for last in [2, 3] {
        let ip = Ipv4Addr::new(127, 0, 0, last);
        let tls = authority.acceptor(&[&ip.to_string()], |_| ());
        let count = Arc::clone(&page_requests);
        let address =
            serve(ip, tls, move |path, _, connection| page(path, connection, Arc::clone(&count))).await;
        starts.push(format!("https://{address}/0"));
    }
    let (ours, theirs) = (folder.join("authority.pem"), folder.join("site.pem"));
    std::fs::write(&ours, authority.pem()).unwrap();
    std::fs::write(&theirs, running.certificate_pem().unwrap()).unwrap();
    let mut arguments: Vec<String> = ["--cooldown", "0", "--retry", "0", "--ca"].map(str::to_owned).into();
    arguments.extend([ours.display().to_string(), "--ca".to_owned(), theirs.display().to_string()]);
    arguments.extend(starts);
    (Sites { arguments, page_requests }, running)
}

/// A tree of pages, each of which links its two children, its parent and a page that is not there.
async fn page(path: String, connection: Connection, count: Arc<AtomicU64>) -> Option<Connection> {
    let Some(number) = path.trim_start_matches('/').parse::<u64>().ok().filter(|number| *number < PAGES)
    else {
        return respond(connection, "404 Not Found", "", b"").await;
    };
    count.fetch_add(1, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(3)).await;
    let links =
        [2 * number + 1, 2 * number + 2, number / 2].map(|to| format!("<a href=/{to}>page {to}</a> "));
    let html = format!(
        "<!doctype html><html lang=en><title>Page {number}</title><main><h1>Page {number}</h1><p>It has a text of its \
         own, number {number}, and leads on: {}<a href=/missing>nowhere</a></p></main>",
        links.concat()
    );
    respond(connection, "200 OK", "content-type: text/html; charset=utf-8\r\n", html.as_bytes()).await
}
