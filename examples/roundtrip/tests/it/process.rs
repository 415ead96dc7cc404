//! The binary, as people and scripts use it.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way"
)]

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn roundtrip() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roundtrip"));
    command.env("RUST_BACKTRACE", "0");
    command
}

fn error_of(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(error.lines().count(), 1, "one line for people, found {error:?}");
    assert!(error.starts_with("roundtrip: "), "{error}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

#[test]
fn the_table_ends_the_run_and_no_progress_bar_is_piped() {
    let output = roundtrip().output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["1: everything", "2: unchanged", "3: some changed", "total", "skipped", "304"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(output.stderr.is_empty(), "{:?}", String::from_utf8(output.stderr));
}

#[test]
fn json_says_the_same_as_data() {
    let output =
        roundtrip().args(["--json", "--coding", "br", "--items-per-sitemap", "20"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["crawls"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["crawls"][1]["skipped"], report["crawls"][0]["pages"]);
    assert_eq!(
        report["crawls"][2]["fetched"].as_array().map(Vec::len),
        report["changed_text"].as_array().map(Vec::len)
    );
    assert_eq!(report["coding"], "br");
}

#[test]
fn what_cannot_work_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no-such-folder");
    let error = error_of(&roundtrip().arg("--site").arg(&missing).output().unwrap());
    assert!(error.contains("no-such-folder") && error.contains("No such file"), "{error}");

    let error = error_of(&roundtrip().arg("--site").arg(folder.path()).output().unwrap());
    assert!(error.contains("expected pages"), "{error}");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let error = error_of(&roundtrip().arg("--port").arg(address.port().to_string()).output().unwrap());
    assert!(error.contains(&address.to_string()) && error.contains("in use"), "{error}");

    let file = folder.path().join("page.html");
    std::fs::write(&file, "<p>caf\u{e9}").unwrap();
    let error = error_of(&roundtrip().arg("--cache").arg(&file).output().unwrap());
    assert!(error.contains("page.html"), "{error}");

    std::fs::write(&file, b"<p>caf\xe9").unwrap();
    let error = error_of(&roundtrip().arg("--site").arg(folder.path()).output().unwrap());
    assert!(error.contains("page.html") && error.contains("UTF-8"), "{error}");
}

#[test]
fn a_folder_with_an_unreadable_page_is_crawled_without_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("good.html"), "<title>Good</title><p>Some text.").unwrap();
    std::fs::write(folder.path().join("bad.html"), b"<p>caf\xe9").unwrap();
    // A link that leads nowhere cannot be opened by anybody, whoever runs this test.
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.path().join("gone.html")).unwrap();
    let output = roundtrip().arg("--json").arg("--site").arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["crawls"][0]["pages"], 1);
    let passed_over: Vec<&str> =
        report["passed_over"].as_array().unwrap().iter().map(|item| item["what"].as_str().unwrap()).collect();
    assert!(passed_over.contains(&"bad.html"), "{passed_over:?}");
    assert_eq!(passed_over.contains(&"gone.html"), cfg!(unix), "{passed_over:?}");
}

#[cfg(unix)]
#[test]
fn serve_prints_what_to_try_and_ends_on_ctrl_c() {
    let mut process =
        roundtrip().arg("--serve").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut seen = Vec::new();
    for line in lines.by_ref() {
        seen.push(line.unwrap());
        if seen.last().is_some_and(|line| line.contains("Ctrl-C")) {
            break;
        }
    }
    let text = seen.join("\n");
    assert!(text.contains("curl --cacert ") && text.contains("https://127.0.0.1:"), "{text}");
    let killed = Command::new("kill").arg("-INT").arg(process.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert_eq!(lines.map_while(Result::ok).collect::<Vec<_>>(), ["", "stopping"]);
    let mut complaints = String::new();
    process.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert!(process.wait().unwrap().success(), "{complaints}");
    assert_eq!(complaints, "");
}
