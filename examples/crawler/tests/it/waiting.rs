//! What is left for a later run, and what that run believes of what was stored: pauses, times, validators.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crawler::Options;
use serde_json::Value;
use url::Url;

use crate::support::{Authority, move_times, options, respond, run, serve};

const HTML: &str = "content-type: text/html\r\n";
const JSON: &str = "content-type: application/json\r\n";
const YEAR: i64 = 365 * 86_400;

/// Status line, header lines and body, by path.
type Answers = BTreeMap<String, (&'static str, String, String)>;

/// A host whose answers can be replaced; everything else is 404.
struct Host {
    origin: Url,
    answers: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<(String, String)>>>,
}

impl Host {
    async fn start(last: u8, authority: &Authority) -> Self {
        let ip = Ipv4Addr::new(127, 0, 0, last);
        let (answers, asked) = (Arc::<Mutex<Answers>>::default(), Arc::<Mutex<Vec<_>>>::default());
        let (served, log) = (Arc::clone(&answers), Arc::clone(&asked));
        let tls = authority.acceptor(&[&ip.to_string()], |_| ());
        let address = serve(ip, tls, move |path, head, connection| {
            let answer = served.lock().unwrap().get(&path).cloned();
            log.lock().unwrap().push((path, head.to_ascii_lowercase()));
            async move {
                let (status, fields, body) =
                    answer.unwrap_or(("404 Not Found", String::new(), String::new()));
                respond(connection, status, &fields, body.as_bytes()).await
            }
        })
        .await;
        Host { origin: Url::parse(&format!("https://{address}/")).unwrap(), answers, asked }
    }

    fn put(&self, path: &str, status: &'static str, fields: &str, body: &str) {
        self.answers.lock().unwrap().insert(path.to_owned(), (status, fields.to_owned(), body.to_owned()));
    }

    fn put_page(&self, path: &str, links: &str) {
        let page =
            format!("<!doctype html><title>A page</title><main><p>A sentence of its own. {links}</p></main>");
        self.put(path, "200 OK", HTML, &page);
    }

    /// Heads of the requests since the last call, by path.
    fn asked(&self) -> Vec<(String, String)> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// The paths among them that are pages.
    fn pages_asked(&self) -> Vec<String> {
        let asked = self.asked().into_iter().map(|(path, _)| path);
        asked.filter(|path| !path.starts_with("/.well-known/") && path != "/robots.txt").collect()
    }
}

fn finished(lines: &[Value]) -> bool {
    lines.last().unwrap()["finished"].as_bool().unwrap()
}

/// Two sites, crawled each night: one of them asks for a long pause, at its start page or at a later one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_waits_keeps_no_other_site_waiting() {
    for busy in ["/", "/1"] {
        let authority = Authority::new();
        let (a, b) = (Host::start(2, &authority).await, Host::start(3, &authority).await);
        for host in [&a, &b] {
            host.put_page("/", "<a href=/1>1</a> <a href=/2>2</a>");
            host.put_page("/1", "");
            host.put_page("/2", "");
        }
        b.put(busy, "503 Service Unavailable", "retry-after: 3600\r\n", "");
        let starts = [a.origin.clone(), b.origin.clone()];
        let folder = tempfile::tempdir().unwrap();
        let night = || run(&starts, folder.path(), options(vec![authority.der()]));
        let lines = night().await;
        assert!(!finished(&lines), "{lines:#?}");
        assert_eq!(a.pages_asked(), ["/", "/1", "/2"]);
        let first = b.pages_asked();
        assert_eq!(first.last().unwrap(), busy);
        for _ in 0..2 {
            let lines = night().await;
            assert!(!finished(&lines), "{lines:#?}");
            assert_eq!(a.pages_asked(), ["/", "/1", "/2"], "{busy} of b waits: {lines:#?}");
            assert_eq!(b.pages_asked(), [""; 0], "{lines:#?}");
        }
        move_times(folder.path(), -2 * 3600);
        b.put_page("/1", "");
        b.put_page("/", "<a href=/1>1</a> <a href=/2>2</a>");
        let lines = night().await;
        assert!(finished(&lines), "{lines:#?}");
        assert_eq!(a.pages_asked(), ["/", "/1", "/2"]);
        // What was left, and nothing of it twice.
        let mut whole = [&first[..first.len() - 1], &b.pages_asked()[..]].concat();
        whole.sort();
        assert_eq!(whole, ["/", "/1", "/2"], "{busy}: {lines:#?}");
        night().await;
        assert_eq!((a.pages_asked(), b.pages_asked()), (vec!["/".into(), "/1".into(), "/2".into()], whole));
    }
}

/// The machine's clock was a year ahead during a crawl, and is right again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn times_of_a_clock_that_ran_ahead_are_not_believed() {
    let authority = Authority::new();
    let host = Host::start(2, &authority).await;
    host.put_page("/", "<a href=/1>1</a> <a href=/2>2</a>");
    let fresh = format!("{HTML}cache-control: max-age=3600\r\n");
    let page = "<!doctype html><title>One</title><main><p>A sentence of its own.</p></main>";
    host.put("/1", "200 OK", &fresh, page);
    host.put("/2", "503 Service Unavailable", "retry-after: 3600\r\n", "");
    let folder = tempfile::tempdir().unwrap();
    let starts = [host.origin.clone()];
    let night = || run(&starts, folder.path(), options(vec![authority.der()]));
    let lines = night().await;
    assert!(!finished(&lines), "{lines:#?}");
    let _first = host.asked();
    move_times(folder.path(), YEAR);
    host.put_page("/2", "");
    let lines = night().await;
    assert!(finished(&lines), "what is left is asked for now: {lines:#?}");
    assert_eq!(host.pages_asked(), ["/2"]);
    night().await;
    let asked: Vec<String> = host.asked().into_iter().map(|(path, _)| path).collect();
    for path in ["/.well-known/tdmrep.json", "/", "/1"] {
        assert!(asked.iter().any(|asked| asked == path), "{path}: {asked:?}");
    }
}

/// Whatever a host asks for, it is asked again after a week.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_pause_is_longer_than_a_week() {
    let authority = Authority::new();
    let host = Host::start(2, &authority).await;
    host.put_page("/", "<a href=/1>1</a>");
    host.put("/1", "503 Service Unavailable", "retry-after: 9999999999\r\n", "");
    let folder = tempfile::tempdir().unwrap();
    run(std::slice::from_ref(&host.origin), folder.path(), options(vec![authority.der()])).await;
    let store = crawler::store::Store::open(&folder.path().join("crawl.redb")).unwrap();
    let now = crawler::clock::seconds().0;
    let week = 7 * 86_400;
    let pauses = store.pauses(now).unwrap();
    assert!(
        pauses.len() == 1 && (now + week - 60..=now + week).contains(&pauses[0].1),
        "{pauses:?} at {now}"
    );
    let site = host.origin.origin().ascii_serialization();
    let (_, task) = store.next_task(&site, now).unwrap().unwrap();
    assert!((now + week - 60..=now + week).contains(&task.not_before), "{task:?} at {now}");
}

/// The manifest's place redirects: what the other place sent is confirmed by that place alone (RFC 9110, 8.8).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn validators_of_a_manifest_go_to_the_url_that_gave_them() {
    const PLACE: &str = "/.well-known/llmindex.json";
    let authority = Authority::new();
    let host = Host::start(2, &authority).await;
    let manifest = r#"{"version":"0.1"}"#;
    host.put(PLACE, "302 Found", "location: /moved.json\r\n", "");
    host.put("/moved.json", "200 OK", &format!("{JSON}etag: \"one\"\r\n"), manifest);
    let folder = tempfile::tempdir().unwrap();
    let starts = [host.origin.clone()];
    let night = || run(&starts, folder.path(), options(vec![authority.der()]));
    let of_manifest = |lines: &[Value]| {
        let lines = lines.iter().filter(|line| line["url"] == host.origin.join(PLACE).unwrap().as_str());
        lines.map(|line| line["event"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let conditions = || {
        let asked = host.asked().into_iter().filter(|(path, _)| path == PLACE || path.ends_with("d.json"));
        asked.map(|(path, head)| (path, head.contains("if-none-match: \"one\""))).collect::<Vec<_>>()
    };
    let lines = night().await;
    assert_eq!(of_manifest(&lines), ["manifest", "stored"], "{lines:#?}");
    assert_eq!(conditions(), [(PLACE.to_owned(), false), ("/moved.json".to_owned(), false)]);
    host.put("/moved.json", "304 Not Modified", "etag: \"one\"\r\n", "");
    let lines = night().await;
    assert_eq!(of_manifest(&lines), ["kept"], "{lines:#?}");
    assert_eq!(conditions(), [(PLACE.to_owned(), false), ("/moved.json".to_owned(), true)]);
    // It moves again; a 304 that nobody asked for confirms nothing.
    host.put(PLACE, "302 Found", "location: /removed.json\r\n", "");
    host.put("/removed.json", "304 Not Modified", "etag: \"one\"\r\n", "");
    let lines = night().await;
    assert_eq!(of_manifest(&lines), ["manifest"], "{lines:#?}");
    assert_eq!(conditions(), [(PLACE.to_owned(), false), ("/removed.json".to_owned(), false)]);
}

/// The run ends between a redirect of robots.txt and where it leads; the next one begins at `/robots.txt`, which has rules now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_of_robots_txt_is_not_followed_by_a_later_run() {
    let authority = Authority::new();
    let host = Host::start(2, &authority).await;
    host.put_page("/", "");
    host.put("/robots.txt", "302 Found", "location: rules/first.txt\r\n", "");
    host.put("/rules/first.txt", "302 Found", "location: second.txt\r\n", "");
    host.put("/rules/second.txt", "200 OK", "", "User-agent: *\nDisallow: /");
    let folder = tempfile::tempdir().unwrap();
    let starts = [host.origin.clone()];
    let slow = Options { cooldown: Duration::from_secs(60), ..options(vec![authority.der()]) };
    let lines = run(&starts, folder.path(), slow).await;
    let asked = || host.asked().into_iter().map(|(path, _)| path).collect::<Vec<_>>();
    assert!(!finished(&lines));
    assert_eq!(asked(), ["/robots.txt"], "{lines:#?}");
    let lines = run(&starts, folder.path(), options(vec![authority.der()])).await;
    let asked = asked();
    assert_eq!(asked, ["/robots.txt", "/rules/first.txt", "/rules/second.txt"], "{lines:#?}");
}
