//! Our vectors against Python's `cryptography`, our signatures against the JavaScript reference of Web Bot Auth.
//!
//! Where a program is missing, the test says what was not compared.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail where it stands")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use bot_auth::{
    Coverage, CrawlerSigner, DIRECTORY_MEDIA_TYPE, Fetched, Identity, Message, Policy, Reason, RequestCheck,
    SignatureParams, directory_body, sign,
};
use jwk::SigningKey;
use tct_canonical_json::JsonReader;
use web_values::UnixSeconds;

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

/// Where `npm install --prefix target/interop web-bot-auth@0.1.3` puts the JavaScript reference.
const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/interop/node_modules");
const INTEROP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop.mjs");
const URL: &str = "https://shop.example/page?x=1";

fn has_reference() -> bool {
    let package = format!("{MODULES}/web-bot-auth/package.json");
    let probe = format!("require('node:fs').accessSync({package:?})");
    has(
        "node",
        &["-e", &probe],
        "node with `npm install --prefix target/interop web-bot-auth@0.1.3` is not there",
    )
}

fn ask_reference(what: &str, request: &str) -> String {
    let mut node = Command::new("node")
        .args([INTEROP, MODULES, what])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[expect(clippy::disallowed_methods, reason = "the reference compares times with its own clock")]
fn now() -> UnixSeconds {
    UnixSeconds::from_system_time(std::time::SystemTime::now())
}

/// The verdict of the reference on a request with these lines.
fn verdict(key: &SigningKey, lines: &[(&str, &str)]) -> String {
    let headers: Vec<_> = lines.iter().map(|(name, value)| format!("{name:?}:{value:?}")).collect();
    let jwk = key.to_directory_jwk();
    let headers = headers.join(",");
    ask_reference(
        "verify",
        &format!(r#"{{"method":"GET","url":"{URL}","headers":{{{headers}}},"jwk":{jwk}}}"#),
    )
}

#[test]
fn the_reference_accepts_what_is_signed_here() {
    if !has_reference() {
        return;
    }
    let key = SigningKey::from_secret(&[7; 32]);
    let (created, keyid) = (now().0 - 1, key.thumbprint());
    let agent = "\"https://bot.example\"";
    let request =
        Message::request("GET", URL).unwrap().header("Signature-Agent", agent).header("Accept", "text/html");
    let params = format!(
        "(\"@method\" \"@authority\" \"@path\" \"@query\" \"accept\" \"signature-agent\");created={created};expires={};\
         keyid=\"{keyid}\";alg=\"ed25519\";nonce=\"AAEC\";tag=\"web-bot-auth\"",
        created + 300,
    );
    let signed = sign(&request, "sig1", &SignatureParams::parse(&params).unwrap(), &key).unwrap();
    let lines = [
        ("Signature-Agent", agent),
        ("Accept", "text/html"),
        ("Signature-Input", &signed.signature_input),
        ("Signature", &signed.signature),
    ];
    assert_eq!(verdict(&key, &lines), "valid");
    let changed = [lines[0], ("Accept", "text/plain"), lines[2], lines[3]];
    assert_eq!(verdict(&key, &changed), "refused: invalid signature");

    // Version 0.1.3 knows no `key`: it takes the whole field for one of its members, so that the dictionary form of
    // the specification, which `CrawlerSigner` writes, never verifies there. This line fails when that is mended.
    let signer = CrawlerSigner::new(key.clone(), "https://bot.example").unwrap();
    let message = Message::request("GET", URL).unwrap();
    let signed = signer.sign(&message, b"", UnixSeconds(created)).unwrap();
    assert_eq!(verdict(&key, &signed.lines()), "refused: invalid signature");
}

#[test]
fn what_the_reference_signs_is_verified_here() {
    if !has_reference() {
        return;
    }
    let key = SigningKey::from_secret(&[7; 32]);
    let (now, jwk) = (now(), key.to_private_jwk());
    let request = format!(
        r#"{{"method":"GET","url":"{URL}","headers":{{"Signature-Agent":"\"https://bot.example\""}},"jwk":{jwk},"created":{},"expires":{}}}"#,
        now.0,
        now.0 + 300,
    );
    let answer = ask_reference("sign", &request);
    let answer = JsonReader::new().read(answer.as_bytes()).unwrap();
    let lines: Vec<_> = answer
        .root()
        .members()
        .map(|(name, value)| (name.as_str().into_owned(), value.as_str().unwrap().into_owned()))
        .collect();
    let received = |url| {
        let message = Message::request("GET", url).unwrap();
        let message = message.headers(lines.iter().map(|(name, value)| (name.as_str(), value.as_bytes())));
        let mut check = RequestCheck::new(&message, &Policy::default(), now);
        let url = check.wanted().unwrap().to_owned();
        let body = directory_body([&key]);
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
        check.on_response(&Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() });
        check.identity()
    };
    assert!(matches!(received(URL), Identity::Verified { coverage: Coverage::Authority, .. }));
    assert_eq!(received("https://other.example/"), Identity::Unverified(Reason::Signature));
}
