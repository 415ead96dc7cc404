//! The program as its own process: exit status, JSON, the page.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::process::{Command, Output};

use serde_json::Value;
use site::{Options, Revisions, Running, Variant};

async fn audit(running: &Running, folder: &std::path::Path) -> Output {
    let certificate = folder.join("certificate.pem");
    std::fs::write(&certificate, running.certificate_pem().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.arg(running.url().as_str()).arg("--ca").arg(&certificate);
    command.args([
        "--resolve",
        &format!("quay.example={}", running.address()),
        "--cooldown",
        "0",
        "--pages",
        "3",
    ]);
    command.args(["--json", "--html"]).arg(folder.join("report.html"));
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_exit_status_says_whether_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, tct, status) in [
        (Variant::Sound, Revisions::Legacy, 0),
        (Variant::Sound, Revisions::V03, 0),
        (Variant::Sound, Revisions::Both, 0),
        (Variant::Broken, Revisions::Legacy, 1),
    ] {
        let options = Options { host: "quay.example".to_owned(), variant, tct, ..Options::default() };
        let running = site::start(options).await.unwrap();
        let output = audit(&running, folder.path()).await;
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["url"], running.url().as_str());
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings.is_empty(), status == 0, "{tct:?} {findings:#?}");
        assert_eq!(report["savings"]["pages_measured"], 3);
        let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains(running.url().as_str()));
        running.stop().await.unwrap();
    }
}

#[test]
fn without_a_report_the_status_is_2() {
    let output = Command::new(env!("CARGO_BIN_EXE_audit")).arg("http://127.0.0.1:9/").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("audit: cannot fetch http://127.0.0.1:9/robots.txt: ") && said.lines().count() == 1,
        "{said}"
    );
}
