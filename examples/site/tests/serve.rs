//! The program as its own process: conditions, content codings, and its end.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and opens sockets and files"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use site::publisher::Coding;

/// A response: its head, and its body without content coding.
fn get(address: &str, path: &str, fields: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n").unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let end = response.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let (head, body) = response.split_at(end);
    let head = String::from_utf8(head.to_vec()).unwrap();
    let coding = field(&head, "content-encoding").and_then(|name| Coding::of_name(&name));
    let body = coding.unwrap_or(Coding::Identity).decode(body.to_vec().into(), 1 << 20).unwrap();
    (head, body.to_vec())
}

fn field(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned()))
}

#[test]
fn it_answers_conditions_in_every_coding_and_stops_when_asked() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_site"))
        .args(["serve", "--plain"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    let address = first.rsplit_once("http://").unwrap().1.trim_end_matches('/').to_owned();
    assert!(lines.any(|line| line == "Ctrl-C ends it"));

    let (head, twin) = get(&address, "/kite.html/llm/", "");
    let tag = field(&head, "etag").unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && tag.starts_with("\"sha256-"), "{head}");
    for coding in ["gzip", "br"] {
        let accept = format!("Accept-Encoding: {coding}\r\n");
        let (head, body) = get(&address, "/kite.html/llm/", &accept);
        assert_eq!(
            (field(&head, "content-encoding").as_deref(), field(&head, "etag")),
            (Some(coding), Some(tag.clone()))
        );
        assert_eq!(body, twin, "{coding}");
        let again = format!("{accept}If-None-Match: {tag}\r\n");
        let (head, body) = get(&address, "/kite.html/llm/", &again);
        assert!(head.starts_with("HTTP/1.1 304") && body.is_empty(), "{head}");
    }
    let (head, robots) = get(&address, "/robots.txt", "");
    assert_eq!(field(&head, "content-type").as_deref(), Some("text/plain; charset=utf-8"));
    assert!(
        String::from_utf8_lossy(&robots).contains("Content-Signal: search=yes, ai-input=yes, ai-train=no")
    );
    assert!(get(&address, "/site.toml", "").0.starts_with("HTTP/1.1 404"));

    let asked = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    assert_eq!(lines.next().as_deref(), Some("stopping"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_key_is_made_once_and_signs() {
    let folder = tempfile::tempdir().unwrap();
    let (key, program) = (folder.path().join("key.json"), env!("CARGO_BIN_EXE_site"));
    let keygen = || {
        let kid = ["--kid", "https://quay.example/.well-known/jwks.json"];
        Command::new(program).arg("keygen").arg(&key).args(kid).output().unwrap()
    };
    let made = keygen();
    assert!(made.status.success(), "{made:?}");
    let private = std::fs::read_to_string(&key).unwrap();
    let public = String::from_utf8(made.stdout).unwrap();
    let signing = verify::SigningKey::from_jwk(private.as_bytes()).unwrap();
    assert_eq!(public.trim_end(), signing.to_public_jwk_set());
    assert!(!keygen().status.success(), "a key is never written over");
    assert_eq!(std::fs::read_to_string(&key).unwrap(), private);
}

#[test]
fn what_cannot_work_is_said_in_one_line() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_site")).args(["serve", "/no/such/folder"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        said,
        "site: cannot read the folder /no/such/folder: No such file or directory (os error 2)\n"
    );
}
