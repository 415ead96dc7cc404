//! A static site, tried whole: built, served by nginx, Caddy and Python, crawled twice and audited, over plain http on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and uses files and processes"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::build::{Server, build, child_of, copy, free_port, is_installed, small_site, wait_for};

/// A book in `folder`: that of the toolchain or of Debian's `rust-doc`, else a small one in the same shape.
fn book(folder: &Path) -> PathBuf {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    let places = [
        Path::new(sysroot.trim()).join("share/doc/rust/html/book"),
        "/usr/share/doc/rust-doc/html/book".into(),
    ];
    match places.iter().find(|place| place.join("index.html").exists()) {
        Some(place) => {
            let site = folder.join("book");
            copy(place, &site);
            site
        }
        None => small_site(folder),
    }
}

fn aiweb(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_aiweb")).args(arguments).output().unwrap()
}

/// `aiweb extract URL`: what curl shows of a page is not what it says.
#[test]
fn a_page_is_fetched_and_extracted() {
    if !is_installed("python3", "--version") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (site, port) = (small_site(dir.path()), free_port());
    std::fs::write(site.join("robots.txt"), "User-agent: *\nDisallow: /pots/\n").unwrap();
    let mut command = Command::new("python3");
    command.args(["-m", "http.server", "--bind", "127.0.0.1", &port.to_string()]);
    let _server = child_of(command.current_dir(&site));
    wait_for(port);
    let url = |path: &str| format!("http://127.0.0.1:{port}/{path}");
    let output = aiweb(&["extract", &url("brew.html")]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{:?}", String::from_utf8(output.stderr));
    assert!(said.starts_with(&format!("# Brewing\n\nTake [a pot]({})", url("pots/index.html"))), "{said}");
    // The document says how the page was fetched.
    let output = aiweb(&["extract", "--format", "json", "--document-version", "1.0", &url("brew.html")]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&document["url"], &document["crawl"]["status_code"]),
        (&url("brew.html").into(), &200.into())
    );
    assert!(document["crawl"]["user_agent"].as_str().unwrap().starts_with("AIWebIndex/1.0 ("), "{document}");
    // A folder without a slash is a redirect, and its pages are not for crawlers.
    for (path, why) in [
        ("pots/", "robots.txt disallows it"),
        ("pots", "robots.txt disallows it"),
        ("none.html", "status 404"),
        ("book.js", "expected HTML"),
    ] {
        let output = aiweb(&["extract", &url(path)]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(why), "{path}: {error}");
    }
}

/// What a crawl says at its end, and its lines.
fn crawl(url: &str, store: &Path) -> (Option<i32>, String, Vec<Value>) {
    let output = aiweb(&["crawl", url, "--store", &store.display().to_string()]);
    let end = String::from_utf8(output.stderr).unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), end.trim().trim_start_matches("aiweb: ").to_owned(), lines)
}

/// Builds the book for a server at this port, starts the server, and crawls the site twice; the number of pages, the ends of the
/// crawls, the lines of the first one, and the codes of what an audit calls an error.
fn try_whole(serve: impl Fn(&Path, u16) -> Server) -> (u64, [String; 2], Vec<Value>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let (site, port) = (book(dir.path()), free_port());
    let url = format!("http://127.0.0.1:{port}/");
    let pages =
        build(&site, &["--origin", &url, "--ai-train", "false"]).last().unwrap()["pages"].as_u64().unwrap();
    let server = serve(&site, port);
    wait_for(port);
    let store = dir.path().join("pages.redb");
    let (first, second) = (crawl(&url, &store), crawl(&url, &store));
    assert_eq!((first.0, second.0), (Some(0), Some(0)), "{} {}", first.1, second.1);
    let output = aiweb(&["audit", &url, "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let errors =
        report["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error");
    let errors = errors.map(ToString::to_string).collect();
    drop(server);
    (pages, [first.1, second.1], first.2, errors)
}

#[test]
fn behind_nginx() {
    if !is_installed("nginx", "-v") {
        return;
    }
    let (pages, [first, second], _, errors) = try_whole(|site, port| {
        let root = site.display();
        let config = format!(
            "daemon off; master_process off; pid {root}.pid; error_log {root}.log;\n\
             events {{}}\nhttp {{ access_log off; client_body_temp_path {root}.t1; proxy_temp_path {root}.t2;\n\
             fastcgi_temp_path {root}.t3; uwsgi_temp_path {root}.t4; scgi_temp_path {root}.t5;\n\
             types {{ text/html html; text/plain txt; }}\nserver {{ listen 127.0.0.1:{port}; root {root};\n\
             include {root}/.aiweb/nginx.conf; }} }}\n"
        );
        let file = site.with_extension("nginx.conf");
        std::fs::write(&file, config).unwrap();
        child_of(Command::new("nginx").arg("-c").arg(&file).arg("-p").arg(site))
    });
    assert!(first.starts_with(&format!("{pages} pages stored, ")), "{first}");
    assert_eq!(second, format!("{pages} pages unchanged, 1 request"));
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn behind_caddy() {
    if !is_installed("caddy", "version") {
        return;
    }
    let (pages, [first, second], _, errors) = try_whole(|site, port| {
        let root = site.display();
        let config = format!(
            "{{\n\tadmin off\n\tauto_https off\n}}\nhttp://:{port} {{\n\tbind 127.0.0.1\n\troot * {root}\n\
             \timport {root}/.aiweb/Caddyfile\n\tfile_server\n}}\n"
        );
        let file = site.with_extension("Caddyfile");
        std::fs::write(&file, config).unwrap();
        let mut command = Command::new("caddy");
        let home = site.parent().unwrap();
        child_of(command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file).env("HOME", home))
    });
    assert!(first.starts_with(&format!("{pages} pages stored, ")), "{first}");
    assert_eq!(second, format!("{pages} pages unchanged, 1 request"));
    assert!(errors.is_empty(), "{errors:?}");
}

/// A server that cannot be told anything: the sitemap is found, its twins are refused with the reason, the pages are read as HTML.
#[test]
fn behind_a_server_that_cannot_be_told() {
    if !is_installed("python3", "--version") {
        return;
    }
    let (pages, [first, second], lines, _) = try_whole(|site, port| {
        let mut command = Command::new("python3");
        command.args(["-m", "http.server", "--bind", "127.0.0.1", &port.to_string()]);
        child_of(command.current_dir(site))
    });
    let sitemap = lines.iter().find(|line| line["event"] == "sitemap").unwrap();
    assert_eq!(sitemap["items"], pages, "{sitemap}");
    assert!(lines.iter().all(|line| line["event"] != "failed"), "{first}");
    let refused: Vec<&Value> = lines.iter().filter(|line| line["event"] == "twins-refused").collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0]["twins"], pages, "{}", refused[0]);
    let why = refused[0]["why"].as_str().unwrap_or_default();
    assert!(why.contains("expected an entity tag, found none"), "{}", refused[0]);
    let documents =
        lines.iter().filter(|line| line["event"] == "stored" && line["kind"] == "document").count();
    assert!(documents as u64 >= pages, "{first}");
    assert!(second.contains("kept after a request") && !second.contains("stored"), "{second}");
}
