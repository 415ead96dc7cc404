//! Each program, run as its own process.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and opens sockets and files"
)]

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

/// Runs a program with this text on its standard input, which a program that refuses its arguments
/// need not read.
fn run(program: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    match child.stdin.take().unwrap().write_all(input.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A server that is ended when the test is.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &str) -> Self {
        let mut child = Command::new(program).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Sends a request as it is written; the whole response.
    fn send(&self, first: &str, fields: &str, body: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{first} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n{fields}\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

#[test]
fn fingerprint_handler() {
    let server = Server::start(env!("CARGO_BIN_EXE_fingerprint_handler"));
    let answer = server.send("POST /", "", "Hello  World".as_bytes());
    let expected = tct_fingerprint::fingerprint("hello world").to_string();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(&expected), "{answer}");
    let answer = server.send("POST /", "", b"caf\xe9 ");
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("byte 3"), "{answer}");
}

#[test]
fn conditional_layer() {
    let server = Server::start(env!("CARGO_BIN_EXE_conditional_layer"));
    let answer = server.send("GET /", "", b"");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("Two cups, please.\n"), "{answer}");
    assert!(answer.contains("content-type: text/plain"), "{answer}");
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = server.send("GET /", &format!("If-None-Match: {tag}\r\n"), b"");
    assert!(again.starts_with("HTTP/1.1 304") && !again.contains("cups"), "{again}");
    let part = server.send("GET /", "Range: bytes=0-2\r\n", b"");
    assert!(part.starts_with("HTTP/1.1 206") && part.ends_with("\r\n\r\nTwo"), "{part}");
    assert!(server.send("GET /missing", "", b"").starts_with("HTTP/1.1 404"));
}

#[test]
fn conditional_layer_leaves_the_handlers_fields() {
    let server = Server::start(env!("CARGO_BIN_EXE_conditional_layer"));
    let own = [
        "set-cookie: basket=7; HttpOnly",
        "content-security-policy: default-src 'self'",
        "link: </style.css>; rel=preload",
        "cache-control: private, no-store",
    ];
    let answer = server.send("GET /basket", "", b"");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("Seven cups.\n"), "{answer}");
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    for (fields, status) in [
        ("", "200"),
        (&*format!("If-None-Match: {tag}\r\n"), "304"),
        ("Range: bytes=0-4\r\n", "206"),
        ("Range: bytes=99-\r\n", "416"),
        ("If-Match: \"other\"\r\n", "412"),
    ] {
        for method in ["GET", "HEAD"] {
            let answer = server.send(&format!("{method} /basket"), fields, b"");
            if method == "GET" {
                assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
            }
            for field in own {
                assert_eq!(answer.lines().filter(|line| *line == field).count(), 1, "{field} in {answer}");
            }
            // Nothing about storing is added, and the body's type goes only where a body could.
            assert_eq!(answer.matches("cache-control").count(), 1, "{answer}");
            assert!(!answer.contains("stale-") && !answer.contains("json"), "{answer}");
            let has_type = answer.contains("content-type: text/plain");
            assert_eq!(has_type, answer.starts_with("HTTP/1.1 20"), "{answer}");
        }
    }
    // Nor is it added where the handler says nothing about it.
    assert!(!server.send("GET /", "", b"").contains("cache-control"));
}

#[test]
fn publish_twins_and_crawl_them() {
    let server = Server::start(env!("CARGO_BIN_EXE_publish_twins"));
    let page = server.send("GET /tea/", "", b"");
    assert!(page.contains("<h1>Tea</h1>") && page.contains("/tea/llm/>; rel=\"alternate\""), "{page}");
    let markdown = server.send("GET /tea/", "Accept: text/markdown\r\n", b"");
    assert!(markdown.ends_with("# Tea\n\nTwo cups.") && markdown.contains("vary: accept"), "{markdown}");
    let twin = server.send("GET /tea/llm/", "", b"");
    assert!(twin.contains("\"content\":\"Tea\\n\\nTwo cups.\""), "{twin}");

    let start = format!("http://{}/", server.address);
    let output = run(env!("CARGO_BIN_EXE_crawl_twins"), &[&start], "");
    assert!(output.status.success(), "{output:?}");
    let said = stdout(&output);
    assert!(said.contains("run 1: 5 requests, 3 stored, 0 skipped"), "{said}");
    assert!(said.contains("run 2: 1 requests, 0 stored, 3 skipped"), "{said}");
    let lines = include_str!("../../src/bin/crawl_twins.rs").lines().count();
    assert!(lines <= 60, "{lines} lines");
}

#[test]
fn check_robots() {
    let program = env!("CARGO_BIN_EXE_check_robots");
    let file = "User-agent: AIWebIndex\nDisallow: /private/\nDisalow: /x\n";
    let output = run(program, &["AIWebIndex", "/private/notes"], file);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(1), "disallowed: Disallow: /private/ (line 2)\n")
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 3"), "{output:?}");
    let output = run(program, &["AIWebIndex", "/open"], file);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(0), "allowed: no rule for this crawler matches\n")
    );
    let output = run(program, &["AIWebIndex", "https://example.com/private/x"], file);
    assert_eq!(output.status.code(), Some(1), "a URL is read as one: {output:?}");
    for not_a_path in ["example.com/private/x", "private/x", "AIWebIndex"] {
        let output = run(program, &["/private/x", not_a_path], file);
        assert_eq!(output.status.code(), Some(2), "{not_a_path}: {output:?}");
    }
    assert_eq!(Command::new(program).output().unwrap().status.code(), Some(2));
}

#[test]
fn aidocument() {
    let program = env!("CARGO_BIN_EXE_aidocument");
    let html = "<html lang=en><title>Tea</title><main><h1>Tea</h1><p>Two <b>cups</b>, please.</main>";
    let output = run(program, &["https://example.com/tea"], html);
    assert!(output.status.success(), "{output:?}");
    let document = aidocument::Document::parse(&output.stdout).unwrap();
    assert_eq!(document.markdown(), "# Tea\n\nTwo **cups**, please.");
    assert!(!run(program, &["no url"], html).status.success());
}

#[test]
fn shop() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_shop")).arg(folder.path()).output().unwrap();
    let said = stdout(&output);
    assert!(said.starts_with("TXT record at _llmindex-challenge.shop.example: "), "{output:?}");
    assert!(said.ends_with("attached)\nproof by dns_txt\n"), "{said}");
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let manifest = llmindex_types::Manifest::parse(&read("llmindex.json"), &Default::default()).unwrap();
    assert!(manifest.report().findings().is_empty() && manifest.sig().is_some());
    for (name, lines) in [("products.jsonl", 2), ("products-delta.jsonl", 2)] {
        assert_eq!(read(name).split(|byte| *byte == b'\n').count(), lines + 1);
    }
}

#[test]
fn validate_manifest() {
    let program = env!("CARGO_BIN_EXE_validate_manifest");
    let folder = std::env::temp_dir().join(format!("validate-manifest-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("llmindex.json");
    let manifest = llmindex_types::ManifestBuilder::new("Shoes", "https://shoes.example", "en")
        .updated_at("2026-02-20T00:00:00Z".parse().unwrap())
        .topic("shoes")
        .build()
        .unwrap();
    let good = String::from_utf8(manifest.as_bytes().to_vec()).unwrap();
    let code = |text: &str, arguments: &[&str]| {
        std::fs::write(&file, text).unwrap();
        let output = Command::new(program).args(arguments).arg(&file).output().unwrap();
        (output.status.code(), stdout(&output))
    };
    assert_eq!(code(&good, &["--strict"]), (Some(0), String::new()));
    let (status, said) = code(&good.replace("\"en\"", "\"en_US\""), &[]);
    assert!(
        status == Some(1) && said.contains("error at /language") && said.contains("LLMI-MAN-7"),
        "{said}"
    );
    let unknown = good.replacen('{', "{\"colour\":\"red\",", 1);
    assert_eq!((code(&unknown, &[]).0, code(&unknown, &["--strict"]).0), (Some(0), Some(1)));
    assert_eq!(code("not json", &[]).0, Some(2));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(Command::new(program).arg(&file).output().unwrap().status.code(), Some(2));
}
