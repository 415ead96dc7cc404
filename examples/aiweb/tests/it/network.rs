//! `serve`, `audit` and `crawl`, each in its own process, against one another.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and uses files and processes"
)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aiweb");

/// A server that is ended when the test is.
struct Server {
    child: Child,
    port: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "pages", "--host", "tea.example", "--write-certificate", "ca.pem"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().trim_end_matches('/').rsplit(':').next().unwrap().to_owned();
        Server { child, port }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_folder_is_served_crawled_and_audited() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("pages")).unwrap();
    let page = |title: &str| {
        format!(
            "<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1><p>Two cups of {title}.</main>"
        )
    };
    std::fs::write(dir.path().join("pages/index.html"), page("Home")).unwrap();
    std::fs::write(dir.path().join("pages/tea.html"), page("Tea")).unwrap();
    let server = Server::start(dir.path());
    let url = format!("https://tea.example:{}/", server.port);
    let resolve = format!("tea.example=127.0.0.1:{}", server.port);

    let crawl = ["crawl", &url, "--ca", "ca.pem", "--resolve", &resolve, "--store", "s.redb"];
    let output = run(dir.path(), &[&crawl[..], &["--cooldown", "0"]].concat());
    let said = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let stored = said.lines().filter(|line| line.contains("\"event\":\"stored\"")).count();
    assert!(stored >= 2 && errors.contains("stored"), "{said}{errors}");

    // For people the same is text.
    let told = run(dir.path(), &[&["--format", "text"], &crawl[..], &["--cooldown", "0"]].concat());
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.lines().count() >= 2 && !told.contains('{') && told.contains(&url), "{told}");

    let audit = ["audit", &url, "--ca", "ca.pem", "--resolve", &resolve, "--cooldown", "0"];
    let output = run(dir.path(), &audit);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().count(), 1, "one line of JSON in a pipe: {said}");
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["url"], url.as_str());
    // Nothing answers there: the exit status says so.
    let gone = ["crawl", "https://localhost:9/", "--cooldown", "0"];
    assert_eq!(run(dir.path(), &gone).status.code(), Some(1));
    assert_eq!(run(dir.path(), &["crawl", "no-url"]).status.code(), Some(2));
    assert_eq!(run(dir.path(), &["audit", "no-url"]).status.code(), Some(2));
    assert_eq!(run(dir.path(), &["serve", "no-folder"]).status.code(), Some(2));
}
