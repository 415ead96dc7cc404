//! Signatures against Python's `cryptography` and `jwcrypto`, in both directions.
//!
//! Where Python or its packages are missing, the output of the test has a line `skipped: …`; `.ci/peers` installs them
//! where it can and makes their absence a failure.

#![allow(clippy::expect_used, reason = "a test may fail where it stands")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jwk::SigningKey;
use verify::{JwsForm, sign_manifest};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/jws_vectors.py");
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec-vectors/verify/jws.json");

/// Where `AIWEB_PEERS` is set, as `.ci/peers` sets it, what is missing is a failure.
fn has_python() -> bool {
    let probe =
        Command::new("python3").args(["-c", "import cryptography, jwcrypto"]).stderr(Stdio::null()).status();
    let is_there = probe.is_ok_and(|status| status.success());
    let lacking = "python3 with cryptography and jwcrypto is not installed";
    assert!(is_there || std::env::var_os("AIWEB_PEERS").is_none(), "{lacking}");
    if !is_there {
        // Past the test harness, which shows nothing of a test that passes.
        std::io::stderr()
            .write_all(format!("skipped: {lacking}, nothing was compared\n").as_bytes())
            .expect("standard error is there");
    }
    is_there
}

#[test]
fn python_builds_the_published_vectors() {
    if has_python() {
        let status = Command::new("python3").args([SCRIPT, "--check", VECTORS]).status().unwrap();
        assert!(status.success());
    }
}

#[test]
fn jwcrypto_accepts_what_is_signed_here() {
    if !has_python() {
        return;
    }
    let jwk = r#"{"kty":"OKP","crv":"Ed25519","kid":"test-1","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let key = SigningKey::from_jwk(jwk.as_bytes()).unwrap();
    let manifests = [
        r#"{}"#.to_owned(),
        r#"{ "b" : [1, true, null, "x"], "a": {"z": "ü😀\u2028", "y": "\u0000\u007f\"\\"} }"#.to_owned(),
        format!(r#"{{"long":"{}"}}"#, "é".repeat(10_000)),
    ];
    let forms = [JwsForm::Attached, JwsForm::Detached];
    let mut child = Command::new("python3")
        .args([SCRIPT, "--verify"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for manifest in &manifests {
        for form in forms {
            let signed = sign_manifest(manifest.as_bytes(), &key, form).unwrap();
            writeln!(stdin, "{}", STANDARD.encode(signed)).unwrap();
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let verdicts = String::from_utf8(output.stdout).unwrap();
    assert_eq!(verdicts.lines().collect::<Vec<_>>(), ["valid"; 6]);
}
