//! Our vectors against Python's `cryptography`, our signatures against the JavaScript reference of Web Bot Auth.
//!
//! Where a program is missing, the test says what was not compared.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::process::{Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bot_auth_vectors.py");
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec-vectors/bot-auth");

#[expect(clippy::print_stderr, reason = "a comparison that did not take place must not go unnoticed")]
fn has(program: &str, args: &[&str], lacking: &str) -> bool {
    let probe = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = probe.is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("{lacking}: nothing compared");
    }
    is_there
}

#[test]
fn python_builds_the_published_vectors() {
    if has("python3", &["-c", "import cryptography"], "python3 with cryptography is not installed") {
        let status = Command::new("python3").args([SCRIPT, "--check", VECTORS]).status().unwrap();
        assert!(status.success());
    }
}
