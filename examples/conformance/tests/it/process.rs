//! The adapter as a process: what it does with bad lines, and that it takes no more memory for a million good ones.

#![expect(
    clippy::disallowed_methods,
    reason = "a test of a process writes from a thread and looks into /proc"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::{Value, json};

struct Adapter {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Adapter {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_conformance"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the adapter was built with this test");
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("stdout is piped"));
        Adapter { process, requests, answers }
    }

    /// Writes one line and waits for its answer: the adapter may not need the next line for it.
    fn ask(&mut self, line: &[u8]) -> Value {
        let requests = self.requests.as_mut().expect("not ended");
        requests
            .write_all(line)
            .and_then(|()| requests.write_all(b"\n"))
            .and_then(|()| requests.flush())
            .unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert!(answer.ends_with('\n'), "an answer is a line, found {answer:?}");
        serde_json::from_str(&answer).unwrap()
    }

    /// Ends the input and returns how the process ended, what else it said, and what it complained about.
    fn end(mut self) -> (ExitStatus, String, String) {
        drop(self.requests.take());
        let (mut answers, mut complaints) = (String::new(), String::new());
        self.answers.read_to_string(&mut answers).unwrap();
        self.process.stderr.take().expect("stderr is piped").read_to_string(&mut complaints).unwrap();
        (self.process.wait().unwrap(), answers, complaints)
    }
}

#[test]
fn bad_lines_get_an_answer_each_and_the_next_line_is_served() {
    let mut adapter = Adapter::start();
    let deep = [b"[".repeat(200_000), b"]".repeat(200_000)].concat();
    let bad: [&[u8]; 16] = [
        b"not json",
        b"{",
        b"[]",
        b"null",
        b"7",
        b"\"text\"",
        b"{}",
        b"{\"id\":1,\"op\":\"tct.fingerprint\",\"in\":{\"text\":\"\"}}",
        b"{\"id\":\"1\",\"in\":{}}",
        b"{\"id\":\"1\",\"op\":null,\"in\":{}}",
        b"{\"id\":\"1\",\"op\":\"tct.fingerprint\"}",
        b"{\"id\":\"1\",\"op\":\"tct.fingerprint\",\"in\":[]}",
        b"{\"id\":\"1\",\"op\":\"tct.fingerprint\",\"in\":{}} trailing",
        b"\xff\xfe{}",
        b"\0",
        &deep,
    ];
    for line in bad {
        let answer = adapter.ask(line);
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        assert_eq!(answer["err"]["kind"], "bad-request", "{shown}: {answer}");
        assert_eq!(answer.get("id"), Some(&Value::Null), "{shown}: {answer}");
        assert!(!answer["err"]["message"].as_str().unwrap_or_default().is_empty(), "{shown}: {answer}");
    }
    // A member of the wrong kind is told, and never taken for one that is not there.
    for (op, input) in [
        ("tct.plan", json!({ "sitemap_b64": "eyJpdGVtcyI6W119", "cache": [] })),
        ("tct3.plan", json!({ "sitemap_b64": "e30=", "sitemap_url": "https://example.com/s", "cache": "x" })),
        (
            "httpsig.verify",
            json!({ "message": { "method": "GET", "url": "https://example.com/" }, "keys": [], "require": [] }),
        ),
        (
            "httpsig.base",
            json!({ "message": { "method": "GET", "url": "https://example.com/", "fields": [] }, "params": "()" }),
        ),
        (
            "wba.verify",
            json!({
                "message": { "method": "GET", "url": "https://example.com/" }, "now_s": 0, "directories": [], "policy": "strict",
            }),
        ),
        ("rdns.step", json!({ "address": "192.0.2.1", "domains": ["bot.example"], "facts": [] })),
        (
            "rdns.step",
            json!({ "address": "192.0.2.1", "domains": ["bot.example"], "facts": { "ptr": "bot.example" } }),
        ),
        ("signals.decide", json!({ "purpose": "search", "signals": [] })),
        ("signals.decide", json!({ "purpose": "search", "signals": { "robots": "maybe" } })),
        ("signals.decide", json!({ "purpose": "search", "signals": { "content_signal": "search=no" } })),
        ("signals.decide", json!({ "purpose": "search", "signals": { "tdmrep": 1 } })),
        ("signals.decide", json!({ "purpose": "search", "signals": { "tct": true } })),
        ("signals.decide", json!({ "purpose": "search", "signals": { "price": "USD 1" } })),
    ] {
        let answer = adapter.ask(json!({ "id": "kind", "op": op, "in": input }).to_string().as_bytes());
        assert_eq!(
            (&answer["id"], &answer["err"]["kind"]),
            (&json!("kind"), &json!("bad-request")),
            "{op} {input}: {answer}"
        );
    }
    let answer = adapter.ask(br#"{"id":"a","op":"tct.nothing","in":{"more":true},"unknown":1}"#);
    assert_eq!((&answer["id"], &answer["err"]["kind"]), (&json!("a"), &json!("unknown-op")));

    let (status, answers, complaints) = adapter.end();
    assert!(status.success(), "{status}: {complaints}");
    assert_eq!((answers.as_str(), complaints.as_str()), ("", ""));
}

#[test]
fn every_operation_survives_nonsense_and_names_it() {
    let mut adapter = Adapter::start();
    let nonsense = [
        json!({}),
        json!({ "text": 7, "json_b64": "!", "html_b64": [], "url": {}, "headers": [1], "robots": null, "status": "x" }),
        json!({ "text": "", "json_b64": "", "html_b64": "", "url": "", "headers": [], "agents": [], "profile": "", "method": "" }),
        json!({ "json_b64": "gA==", "url": "::", "headers": [["a"]], "agents": [1], "items": {}, "events": [{}], "cache": [] }),
    ];
    for (name, _) in conformance::ops::all() {
        for input in &nonsense {
            let answer = adapter.ask(json!({ "id": name, "op": name, "in": input }).to_string().as_bytes());
            assert_eq!(answer["id"], name);
            let kind = answer["err"]["kind"].as_str();
            assert!(
                answer["ok"].is_object() || kind.is_some_and(|kind| !kind.is_empty()),
                "{name} {input}: {answer}"
            );
        }
    }
    assert!(adapter.end().0.success());
}

#[test]
fn blank_lines_and_a_missing_last_line_end_are_fine() {
    let mut adapter = Adapter::start();
    let requests = adapter.requests.as_mut().expect("not ended");
    requests.write_all(b"\n  \r\n\n{\"id\":\"x\",\"op\":\"no.such\",\"in\":{}}").unwrap();
    let (status, answers, _) = adapter.end();
    assert!(status.success());
    assert_eq!(answers.lines().count(), 1);
    assert!(answers.contains("\"id\":\"x\""), "{answers}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut adapter = Adapter::start();
    let mut requests = adapter.requests.take().expect("not ended");
    drop(adapter.answers);
    let line = b"{\"id\":\"x\",\"op\":\"no.such\",\"in\":{}}\n";
    // The adapter ends by itself, and then the pipe is closed on our side too.
    while requests.write_all(line).is_ok() {}
    drop(requests);
    let mut complaints = String::new();
    adapter.process.stderr.take().expect("stderr is piped").read_to_string(&mut complaints).unwrap();
    assert!(adapter.process.wait().unwrap().success(), "{complaints}");
    assert_eq!(complaints, "");
}

#[test]
fn a_million_lines_take_no_more_memory_than_ten_thousand() {
    const LINES: u32 = 1_000_000;
    const WARM_UP: u32 = 10_000;
    let mut adapter = Adapter::start();
    let pid = adapter.process.id();
    let mut requests = std::io::BufWriter::new(adapter.requests.take().expect("not ended"));
    let writer = std::thread::spawn(move || {
        for n in 0..LINES {
            let op = if n % 2 == 0 { "tct.fingerprint" } else { "no.such" };
            writeln!(requests, r#"{{"id":"{n}","op":"{op}","in":{{"text":"line {n}"}}}}"#).unwrap();
        }
    });

    let (mut line, mut early) = (String::new(), None);
    for n in 0..LINES {
        line.clear();
        adapter.answers.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"id\":\"{n}\"")), "answer {n} is {line:?}");
        if n == WARM_UP {
            early = peak_kib(pid);
        }
    }
    writer.join().unwrap();
    match (early, peak_kib(pid)) {
        (Some(early), Some(late)) => {
            assert!(late < early + 2048, "peak memory rose from {early} to {late} KiB");
        }
        _ => println!("not measured: this system has no /proc/<pid>/status"),
    }
    assert!(adapter.end().0.success());
}

/// The most memory that the process ever had, in KiB.
fn peak_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// What cannot be read is not taken for something that was not said: a refusal of the wrong type would permit.
#[test]
fn a_member_of_the_wrong_type_is_a_bad_request() {
    let decide = |signals: Value| ("signals.decide", json!({ "purpose": "ai-train", "signals": signals }));
    let crawl = |answer: Value| {
        ("tct.crawl", json!({ "start": "https://a.example/", "answers": { "https://a.example/": answer } }))
    };
    let empty = "eyJpdGVtcyI6W119";
    let plan3 = |held: Value| {
        let cache = json!({ "https://a.example/llm/": held });
        ("tct3.plan", json!({ "sitemap_b64": empty, "sitemap_url": "https://a.example/s", "cache": cache }))
    };
    let rdns = |facts: Value| {
        ("rdns.step", json!({ "address": "192.0.2.1", "domains": ["bot.example"], "facts": facts }))
    };
    let dns = |answer: Value| {
        let answers = [answer];
        (
            "verify.dns",
            json!({ "protocol": "llmindex", "domain": "a.example", "token": "t", "answers": answers }),
        )
    };
    let http = |response: Value| {
        let responses = [response];
        (
            "verify.http",
            json!({ "protocol": "llmindex", "domain": "a.example", "token": "t", "responses": responses }),
        )
    };
    let directory = |response: Value| {
        let message = json!({ "method": "GET", "url": "https://example.com/", "headers": [] });
        ("wba.verify", json!({ "message": message, "now_s": 0, "directories": [response] }))
    };
    let cache = |event: Value| ("wba.cache", json!({ "events": [event] }));
    for (op, input) in [
        decide(json!({ "content_signal": { "ai-train": false } })),
        decide(json!({ "content_usage": { "train-ai": 0 } })),
        decide(json!({ "rsl": "unlicensed" })),
        decide(json!({ "rsl": { "state": "Unlicensed" } })),
        decide(json!({ "rsl": { "uses": {} } })),
        decide(json!({ "tdmrep": { "reservation": "1" } })),
        decide(json!({ "tdmrep": { "reservation": 1, "policy": 5 } })),
        decide(json!({ "tct": { "allow_ai_train": "no" } })),
        decide(json!({ "tct": { "requires": "attribution" } })),
        decide(json!({ "price": { "price": "USD 1" } })),
        decide(json!({ "price": { "price": { "currency": "USD", "amount": 1 } } })),
        decide(json!({ "price": { "scheme": 402 } })),
        crawl(json!(5)),
        crawl(json!([true])),
        crawl(json!({ "status": 70_000 })),
        ("tct.crawl", json!({ "start": "https://a.example/", "answers": {}, "site": [] })),
        ("tct.crawl", json!({ "start": "https://a.example/", "answers": {}, "pages": [] })),
        ("tct.plan", json!({ "sitemap_b64": empty, "cache": { "https://a.example/llm/": 5 } })),
        plan3(json!(5)),
        plan3(json!({ "etag": "\"a\"" })),
        plan3(json!({ "hash": "sha256-a", "etag": 5 })),
        plan3(json!({ "hash": "sha256-a" })),
        rdns(json!({ "ptr": ["h.bot.example"], "forward": [] })),
        rdns(json!({ "ptr": ["h.bot.example"], "forward": { "h.bot.example": "192.0.2.1" } })),
        rdns(json!({ "ptr": ["h.bot.example"], "forward": { "h.bot.example": [5] } })),
        rdns(json!({ "ptr": [5] })),
        dns(json!({ "resolver": "a", "records": "AIWEBINDEX" })),
        dns(json!({ "resolver": "a", "records": {} })),
        dns(json!({ "resolver": "a" })),
        dns(json!({ "resolver": "a", "records": null, "error": 5 })),
        dns(json!({ "resolver": "a", "records": [["token"]], "probe": 1 })),
        dns(json!({ "resolver": "a", "records": [["token"]], "probe": "true" })),
        dns(json!("a")),
        http(json!("https://a.example/")),
        http(json!({ "url": 5, "status": 200, "headers": [], "body_b64": "" })),
        http(json!({ "url": "https://a.example/", "status": 200, "headers": [] })),
        http(json!({ "url": "https://a.example/", "headers": [], "body_b64": "" })),
        directory(json!(5)),
        directory(json!({ "url": 5, "status": 200, "headers": [], "body_b64": "" })),
        directory(json!({ "url": "https://a.example/", "headers": [], "body_b64": "" })),
        directory(json!({ "url": "https://a.example/", "status": 70_000, "headers": [], "body_b64": "" })),
        cache(json!({ "known": true })),
        cache(json!({ "at_s": 1 })),
        cache(json!({ "at_s": 1, "status": 200 })),
        cache(json!({ "at_s": 1, "status": 70_000, "headers": [] })),
        ("signals.price", json!({ "status": 70_000, "headers": [] })),
        ("robots.access", json!({ "status": 200, "robots_b64": 5 })),
    ] {
        let line = json!({ "id": "1", "op": op, "in": input }).to_string();
        let answer: Value = serde_json::from_str(&conformance::answer(line.as_bytes())).unwrap();
        assert_eq!(answer["err"]["kind"], "bad-request", "{line}: {answer}");
    }
    for (op, input) in [decide(json!({ "rsl": null, "tct": { "allow_ai_train": null } })), crawl(json!(null))]
    {
        let line = json!({ "id": "1", "op": op, "in": input }).to_string();
        let answer: Value = serde_json::from_str(&conformance::answer(line.as_bytes())).unwrap();
        assert!(answer["ok"].is_object(), "{line}: {answer}");
    }
}
