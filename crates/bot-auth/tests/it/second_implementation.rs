//! Our vectors against Python's `cryptography`, our signatures against the JavaScript reference of Web Bot Auth and
//! against `http-message-signatures`, an implementation of RFC 9421 in Python.
//!
//! Where a program is missing, the output of the test has a line `skipped: …`; `.ci/peers` installs them where it can and
//! makes their absence a failure.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail where it stands")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use bot_auth::{
    AgentForm, Coverage, CrawlerSigner, DIRECTORY_MEDIA_TYPE, Fetched, Identity, Keyring, Message, Policy,
    Reason, RequestCheck, Requirements, SignatureParams, directory_body, sign, verify_signatures,
};
use jwk::{Jwk, SigningKey};
use tct_canonical_json::JsonReader;
use web_values::UnixSeconds;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bot_auth_vectors.py");
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec-vectors/bot-auth");

/// Where `AIWEB_PEERS` is set, as `.ci/peers` sets it, what is missing is a failure.
fn has(program: &str, args: &[&str], lacking: &str) -> bool {
    let probe = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = probe.is_ok_and(|status| status.success());
    assert!(is_there || std::env::var_os("AIWEB_PEERS").is_none(), "{lacking}");
    if !is_there {
        // Past the test harness, which shows nothing of a test that passes.
        std::io::stderr()
            .write_all(format!("skipped: {lacking}, nothing was compared\n").as_bytes())
            .unwrap();
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
    // The older form verifies, each time.
    let signer = signer.agent_form(AgentForm::Text);
    for nonce in 0..20_u8 {
        let signed = signer.sign(&message, &[nonce; 32], UnixSeconds(created)).unwrap();
        assert_eq!(verdict(&key, &signed.lines()), "valid", "{nonce}");
    }
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
        let mut check = RequestCheck::new(&message, &Policy::host_alone(), now);
        let url = check.wanted().unwrap().to_owned();
        let body = directory_body([&key]);
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
        check.on_response(&Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() });
        check.identity()
    };
    assert!(
        matches!(received(URL), Identity::Verified(verified) if verified.coverage == Coverage::Authority)
    );
    assert_eq!(received("https://other.example/"), Identity::Unverified(Reason::Signature));
}

/// `pip install http-message-signatures` (3.0) puts the Python implementation in place.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop.py");

fn has_python() -> bool {
    let lacking = "python3 with `pip install http-message-signatures` is not there";
    has("python3", &["-c", "import http_message_signatures as it; it.VerifyResult.nonce"], lacking)
}

fn ask_python(what: &str, request: &str) -> String {
    let mut python = Command::new("python3")
        .args([PYTHON, what])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every kind of component that the Python implementation has for requests.
const COMPONENTS: [&str; 11] = [
    "\"@method\"",
    "\"@authority\"",
    "\"@scheme\"",
    "\"@target-uri\"",
    "\"@path\"",
    "\"@query\"",
    "\"@query-param\";name=\"x\"",
    "\"accept\"",
    "\"x-dict\";key=\"b\"",
    "\"priority\";sf",
    "\"x-text\";bs",
];
const FIELDS: [(&str, &str); 4] = [
    ("Accept", " text/html,\ttext/plain "),
    ("X-Dict", "a=1.50,  b=(x y);q;  p=?0"),
    ("X-Text", "a, b"),
    ("Priority", "u=2,   i"),
];

fn json_headers(lines: &[(&str, &str)]) -> String {
    let mut out = String::from("{");
    for (index, (name, value)) in lines.iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        tct_canonical_json::write_string(name, &mut out);
        out.push(':');
        tct_canonical_json::write_string(value, &mut out);
    }
    out + "}"
}

/// The verdict of the Python implementation.
fn python_verdict(key: &SigningKey, tag: Option<&str>, lines: &[(&str, &str)]) -> String {
    let jwk = Jwk::parse(key.to_public_jwk().as_bytes()).unwrap();
    let public = JsonReader::new()
        .read(key.to_public_jwk().as_bytes())
        .unwrap()
        .root()
        .get("x")
        .unwrap()
        .as_str()
        .unwrap()
        .into_owned();
    assert!(jwk.public_key().is_ok());
    let public = base64url(&public);
    let tag = tag.map(|tag| format!(r#","tag":"{tag}""#)).unwrap_or_default();
    let headers = json_headers(lines);
    ask_python(
        "verify",
        &format!(r#"{{"method":"GET","url":"{URL}","headers":{headers},"key":"{}"{tag}}}"#, hex(&public)),
    )
}

fn base64url(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap()
}

#[test]
fn python_accepts_what_is_signed_here() {
    if !has_python() {
        return;
    }
    let key = SigningKey::from_secret(&[7; 32]);
    let created = now().0 - 1;
    let request =
        Message::request("GET", URL).unwrap().headers(FIELDS.map(|(name, value)| (name, value.as_bytes())));
    let params =
        format!("({});created={created};expires={};keyid=\"k\"", COMPONENTS.join(" "), created + 300);
    let signed = sign(&request, "sig1", &SignatureParams::parse(&params).unwrap(), &key).unwrap();
    let mut lines = FIELDS.to_vec();
    lines.extend([("Signature-Input", signed.signature_input.as_str()), ("Signature", &signed.signature)]);
    assert_eq!(python_verdict(&key, None, &lines), format!("valid {}", COMPONENTS.join(" ")));
    for (at, value) in [(0, "text/html"), (1, "a=1.50, b=(x z);q; p=?0"), (2, "a,b"), (3, "u=3, i")] {
        let mut changed = lines.clone();
        changed[at].1 = value;
        assert!(python_verdict(&key, None, &changed).starts_with("refused:"), "{value}");
    }

    // The crawler's signature too, with its member of `Signature-Agent`.
    let signer = CrawlerSigner::new(key.clone(), "https://bot.example").unwrap();
    let signed = signer.sign(&Message::request("GET", URL).unwrap(), b"n", UnixSeconds(created)).unwrap();
    let verdict = python_verdict(&key, Some("web-bot-auth"), &signed.lines());
    assert_eq!(verdict, r#"valid "@authority" "@method" "@path" "@query" "signature-agent";key="sig1""#);
}

#[test]
fn what_python_signs_is_verified_here() {
    if !has_python() {
        return;
    }
    let key = SigningKey::from_secret(&[7; 32]);
    let now = now();
    let components = COMPONENTS.map(|it| format!("{it:?}"));
    let request = format!(
        r#"{{"method":"GET","url":"{URL}","headers":{},"key":"{}","components":[{}],"created":{},"expires":{}}}"#,
        json_headers(&FIELDS),
        hex(&[7; 32]),
        components.join(","),
        now.0 - 1,
        now.0 + 300,
    );
    let answer = ask_python("sign", &request);
    let answer = JsonReader::new().read(answer.as_bytes()).unwrap();
    let lines: Vec<_> = answer
        .root()
        .members()
        .map(|(name, value)| (name.as_str().into_owned(), value.as_str().unwrap().into_owned()))
        .collect();
    let keys = Keyring::new().with("k", &Jwk::parse(key.to_public_jwk().as_bytes()).unwrap());
    let reason = |url, changed: Option<&str>| {
        let value = |name: &str, value: &'static str| if changed == Some(name) { "other" } else { value };
        let of = |name: &String, text: &String| match name.as_str() {
            "Accept" => value("Accept", FIELDS[0].1).to_owned(),
            _ => text.clone(),
        };
        let lines: Vec<_> = lines.iter().map(|(name, text)| (name.clone(), of(name, text))).collect();
        let message = Message::request("GET", url).unwrap();
        let message = message.headers(lines.iter().map(|(name, value)| (name.as_str(), value.as_bytes())));
        let results = verify_signatures(&message, &keys, &Requirements::default(), Some(now)).unwrap();
        results[0].reason
    };
    assert_eq!(reason(URL, None), None);
    assert_eq!(reason(URL, Some("Accept")), Some(Reason::Signature));
    assert_eq!(reason("https://other.example/page?x=1", None), Some(Reason::Signature));
}
