//! The program as its own process: exit status, JSON, the page.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::process::{Command, Output};

use serde_json::Value;
use site::{LlmindexVersion, Options, Revisions, Running};
use test_sites::Variant;

async fn audit(running: &Running, folder: &std::path::Path) -> Output {
    audit_from(running, running.url().as_str(), folder).await
}

async fn audit_from(running: &Running, start: &str, folder: &std::path::Path) -> Output {
    let certificate = folder.join("certificate.pem");
    std::fs::write(&certificate, running.certificate_pem().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.arg(start).arg("--ca").arg(&certificate);
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
    let (old, new) = (LlmindexVersion::V0_1, LlmindexVersion::V0_2);
    for (variant, tct, llmindex, status) in [
        (Variant::Sound, Revisions::Legacy, old, 0),
        (Variant::Sound, Revisions::V03, new, 0),
        (Variant::Sound, Revisions::Both, old, 0),
        (Variant::Broken, Revisions::Legacy, old, 1),
    ] {
        let options = Options { host: "quay.example".to_owned(), tct, llmindex, ..Options::default() };
        let running = test_sites::start(options, variant).await.unwrap();
        let output = audit(&running, folder.path()).await;
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["url"], running.url().as_str());
        let findings = report["findings"].as_array().unwrap();
        // The feed of the embedded site is of last winter, which version 0.2 remarks.
        let is_late = |finding: &&Value| {
            llmindex == new && finding["found"] == "an older one" && finding["check"] == "manifest-warning"
        };
        assert_eq!(findings.iter().all(|finding| is_late(&finding)), status == 0, "{tct:?} {findings:#?}");
        assert_eq!(report["savings"]["pages_measured"], 3);
        let facts = report["offers"].to_string();
        let version = if llmindex == new { "llmindex 0.2" } else { "llmindex 0.1" };
        assert!(facts.contains(version) && facts.contains("changes since") == (llmindex == new), "{facts}");
        let train =
            report["uses"].as_array().unwrap().iter().find(|verdict| verdict["purpose"] == "ai-train");
        assert_eq!(train.unwrap()["decision"], "deny", "robots.txt says no");
        let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains(running.url().as_str()));
        running.stop().await.unwrap();
    }
}

/// What cannot be written is said before the site is asked for anything, not after minutes of requests.
#[test]
fn a_file_that_cannot_be_written_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let site = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    site.set_nonblocking(true).unwrap();
    for option in ["--html", "--sarif", "--badge"] {
        let (here, there) = (folder.path().join("here"), folder.path().join("nowhere/report"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.arg(format!("http://{}/", site.local_addr().unwrap())).args(["--max-wait", "1"]);
        // The others could be written, and are not left behind empty.
        command.args(["--html", "--sarif", "--badge"].into_iter().flat_map(|one| {
            [one.into(), if one == option { there.clone().into_os_string() } else { here.clone().into() }]
        }));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"), "{output:?}");
        assert!(site.accept().is_err(), "{option}: nobody was asked");
        assert!(!here.exists(), "{option}");
    }
}

/// `aiweb audit … --html FILE | head` writes the file.
#[test]
fn files_are_written_for_a_reader_that_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<title>Tea</title><main><p>Take a pot.</main>")
        .unwrap();
    let page = folder.path().join("report.page");
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.arg(folder.path()).arg("--html").arg(&page).stdout(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    drop(process.stdout.take());
    process.wait().unwrap();
    assert!(std::fs::read_to_string(page).unwrap().starts_with("<!DOCTYPE html>"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sitemap_a_twin_and_a_bare_host_are_good_starts() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, tct, page) in [
        (Variant::Sound, Revisions::Legacy, "kite.html"),
        (Variant::Sound, Revisions::V03, "kite.html"),
        (Variant::Plugin, Revisions::Legacy, "kite"),
    ] {
        let options = Options { host: "quay.example".to_owned(), tct, ..Options::default() };
        let running = test_sites::start(options, variant).await.unwrap();
        let url = running.url().clone();
        let bare = url.as_str().trim_start_matches("https://").trim_end_matches('/').to_owned();
        for (start, begins_at) in [
            (bare, url.clone()),
            (url.join("/llm-sitemap.json").unwrap().into(), url.clone()),
            (url.join(&format!("/{page}/llm/")).unwrap().into(), url.join(page).unwrap()),
        ] {
            let output = audit_from(&running, &start, folder.path()).await;
            let report: Value =
                serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
            assert_eq!(report["url"], begins_at.as_str(), "{start}");
            assert_eq!(report["savings"]["pages_measured"], 3, "{start}: {report:#}");
            let is_sound = report["findings"].as_array().unwrap().is_empty();
            assert_eq!(is_sound, variant == Variant::Sound, "{start} {variant:?}: {report:#}");
        }
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
