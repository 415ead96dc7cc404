//! The same crawls through nginx as a caching reverse proxy on loopback, where nginx is installed.
//!
//! Three ways to set it up, and what each does to the protocol:
//!
//! - nginx keeps nothing that says `max-age=0`, as the draft's `Cache-Control` does, and swallows the conditions of
//!   requests where a cache is configured. Told to pass them on, it lets 304s and strong tags through.
//! - Told to keep answers for a second whatever they say, it revalidates them and answers conditions by itself.
//! - When it compresses by itself it makes the tags weak. The pages still count, and the agent says what happened.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what it expects in the plainest way, and drives a process"
)]

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use clap::Parser;
use http::{HeaderMap, Method};
use roundtrip::agent::Client;
use roundtrip::progress::Progress;
use roundtrip::report::{CrawlReport, Report};
use roundtrip::{Cli, Published};
use site::files::Site;
use site::publisher::Coding;
use site::server::Listener;

/// A running nginx; ends with the test.
struct Nginx(Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its master process ends the workers on SIGTERM; a kill would leave them behind.
        let _sent = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ended = self.0.wait();
    }
}

impl Nginx {
    /// Starts nginx at `port` in front of the publisher, both with the same certificate.
    fn start(folder: &Path, port: u16, publisher: SocketAddr, fields: &str) -> Nginx {
        let folder_text = folder.display();
        let configuration = format!(
            r#"
daemon off;
worker_processes 1;
pid {folder_text}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder_text}/client;
    proxy_temp_path {folder_text}/proxy;
    fastcgi_temp_path {folder_text}/fastcgi;
    uwsgi_temp_path {folder_text}/uwsgi;
    scgi_temp_path {folder_text}/scgi;
    proxy_cache_path {folder_text}/cache keys_zone=pages:1m;
    server {{
        listen 127.0.0.1:{port} ssl http2;
        ssl_certificate {folder_text}/certificate.pem;
        ssl_certificate_key {folder_text}/key.pem;
        location / {{
            proxy_pass https://{publisher};
            proxy_ssl_verify on;
            proxy_ssl_trusted_certificate {folder_text}/certificate.pem;
            proxy_ssl_name localhost;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache pages;
            proxy_cache_revalidate on;
            add_header X-Cache $upstream_cache_status;
            {fields}
        }}
    }}
}}
"#
        );
        let file = folder.join("nginx.conf");
        std::fs::write(&file, configuration).unwrap();
        let child = Command::new("nginx")
            .arg("-p")
            .arg(folder)
            .arg("-c")
            .arg(&file)
            .args(["-e", "stderr"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let nginx = Nginx(child);
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return nginx;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("nginx does not answer on port {port}");
    }
}

/// nginx in front of a running publisher.
struct Proxied {
    // First, so that it ends before its folder does.
    _nginx: Nginx,
    published: Published,
    cli: Cli,
    folder: tempfile::TempDir,
}

impl Proxied {
    /// `None` where there is no nginx.
    async fn start(fields: &str) -> Option<Proxied> {
        if Command::new("nginx").arg("-v").stderr(Stdio::null()).status().is_err() {
            println!("not run: there is no nginx here");
            return None;
        }
        // A port that was free a moment ago; it is named in every URL before nginx takes it.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let cli = Cli::parse_from(["roundtrip", "--origin", &format!("https://127.0.0.1:{port}/")]);
        let published = Published::start(&cli, Site::embedded().unwrap(), &Progress::QUIET).await.unwrap();
        published.write_certificate(&folder.path().join("certificate.pem")).unwrap();
        std::fs::write(folder.path().join("key.pem"), &published.certificate.key_pem).unwrap();
        let nginx = Nginx::start(folder.path(), port, published.server.address, fields);
        Some(Proxied { _nginx: nginx, published, cli, folder })
    }

    async fn crawl_three_times(&self) -> Report {
        let folder = self.folder.path().join("held");
        self.published.crawl_three_times(&self.cli, &folder, &Progress::QUIET).await.unwrap()
    }
}

const PASS_CONDITIONS: &str = "proxy_set_header If-None-Match $http_if_none_match;";

fn assert_counts(report: &Report) {
    let [first, second, third] = &report.crawls[..] else { panic!("{report}") };
    let changed = report.changed_text.len() as u64;
    assert_eq!((first.requests, first.ok, first.failed), (first.pages + 3, first.pages + 3, 0), "{report}");
    assert_eq!((second.requests, second.not_modified, second.skipped), (1, 1, second.pages), "{report}");
    assert_eq!(
        (third.requests, third.ok, third.skipped),
        (2 + changed, 1 + changed, third.pages - changed),
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strong_tags_and_304s_survive_a_proxy_that_passes_conditions_on() {
    let Some(proxied) = Proxied::start(PASS_CONDITIONS).await else { return };
    let report = proxied.crawl_three_times().await;
    assert_counts(&report);
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strong_tags_and_304s_survive_a_proxy_that_keeps_answers() {
    // At most two seconds: nginx counts whole ones.
    const KEPT: Duration = Duration::from_millis(2100);
    let fields = "proxy_ignore_headers Cache-Control; proxy_cache_valid 200 1s;";
    let Some(proxied) = Proxied::start(fields).await else { return };
    let (published, folder) = (&proxied.published, proxied.folder.path().join("held"));
    let mut agent = published.agent(&proxied.cli, &folder).unwrap();
    let bar = |pages| Progress::QUIET.bar("", pages);

    let first = agent.crawl(&bar).await.unwrap();
    assert_eq!((first.requests, first.failed, first.findings.len()), (first.pages + 3, 0, 0), "{first:?}");
    let second = agent.crawl(&bar).await.unwrap();
    assert_eq!((second.requests, second.not_modified, second.skipped), (1, 1, second.pages), "{second:?}");

    // nginx answers from what it keeps, asks whether it is still right, and hands out the publisher's strong tag.
    tokio::time::sleep(KEPT).await;
    let snapshot = published.publisher.snapshot();
    let page = snapshot.pages.last().unwrap();
    let client = Client::new(&published.certificate, Coding::Gzip).unwrap();
    let mut from = Vec::new();
    // On a busy machine what nginx keeps may be old again before it is asked for.
    while from.len() < 10 && from.last().is_none_or(|last| last != "HIT") {
        let answer = client.send(Method::GET, page.m_url.as_url(), HeaderMap::new()).await.unwrap();
        assert_eq!(answer.headers["etag"], format!("\"{}\"", page.fingerprint));
        assert_eq!(answer.body, *page.payload.body());
        from.push(answer.headers["x-cache"].clone());
    }
    assert!(from.first().unwrap() == "REVALIDATED" && from.last().unwrap() == "HIT", "{from:?}");

    let edits = test_sites::edit(&published.publisher, roundtrip::now()).unwrap();
    tokio::time::sleep(KEPT).await;
    let third = agent.crawl(&bar).await.unwrap();
    assert_eq!((third.fetched.len(), third.failed), (edits.text.len(), 0), "{third:?}");
    assert_eq!(third.findings, [], "{third:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_that_compresses_makes_tags_weak_and_the_agent_says_so() {
    let compress = r#"proxy_set_header Accept-Encoding "";
            gzip on;
            gzip_proxied any;
            gzip_min_length 1;
            gzip_types application/json;"#;
    let Some(proxied) = Proxied::start(&[PASS_CONDITIONS, compress].concat()).await else { return };
    let report = proxied.crawl_three_times().await;
    // Parity holds all the same: nothing is fetched twice, nothing is refused.
    assert_counts(&report);
    let weak = |crawl: &CrawlReport| {
        crawl
            .findings
            .iter()
            .filter(|found| found.why == "expected a strong entity tag, found a weak one")
            .count() as u64
    };
    let [first, second, third] = &report.crawls[..] else { panic!("{report}") };
    let changed = report.changed_text.len() as u64;
    assert_eq!((weak(first), weak(second), weak(third)), (first.pages, 0, changed), "{report}");
    assert!(report.crawls.iter().all(|crawl| crawl.findings.len() as u64 == weak(crawl)), "{report}");
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let error = Listener::bind(taken.local_addr().unwrap()).await.unwrap_err();
    assert!(site::one_line(&error).contains("in use"), "{}", site::one_line(&error));
}
