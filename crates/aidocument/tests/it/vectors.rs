//! The published vectors of documents of both versions, each against the public API.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use aidocument::v2::{self, Call};
use aidocument::{
    AnyDocument, Converted, CrawlFacts, Document, DocumentError, Limits, StatusCode, detect, downgrade,
    upgrade,
};
use base64::Engine as _;
use serde_json::{Value, json};
use spec_vectors::Expected;

/// The answer that the operation gives, or the error that it ends with.
fn verdict(json: &[u8]) -> Result<Value, DocumentError> {
    let reading = Document::read(json, &Limits::default())?;
    let errors: Vec<Value> = reading
        .findings()
        .iter()
        .filter(|finding| finding.is_error())
        .map(|finding| json!({ "path": finding.path(), "code": finding.code().as_str() }))
        .collect();
    Ok(json!({ "valid": errors.is_empty(), "errors": errors }))
}

#[test]
fn every_vector_gets_its_expected_answer() {
    let set = spec_vectors::set("aidocument/validate").expect("a published set");
    for case in &set.cases {
        let json = case.input["json_b64"].as_str().expect("bytes");
        let json = base64::engine::general_purpose::STANDARD.decode(json).expect("base64");
        match (&case.expected, verdict(&json)) {
            (Expected::Ok(ok), Ok(verdict)) => {
                assert!(ok.iter().all(|(name, value)| verdict[name] == *value), "{}: {verdict}", case.id);
            }
            (Expected::Err(expected), Err(error)) => {
                let kind = format!("{:?}", error.kind()).to_lowercase();
                assert_eq!(kind, expected.kind.replace('-', ""), "{}", case.id);
            }
            (expected, answer) => panic!("{}: expected {expected:?}, found {answer:?}", case.id),
        }
    }
}

type Input = serde_json::Map<String, Value>;

/// An operation's answer, or the kind of its error.
type Answer = Result<Value, String>;

type Operation = fn(&Input) -> Answer;

fn json_of(input: &Input) -> Vec<u8> {
    let json = input["json_b64"].as_str().expect("bytes");
    base64::engine::general_purpose::STANDARD.decode(json).expect("base64")
}

fn kind(error: DocumentError) -> String {
    error.kind().as_str().to_owned()
}

fn check(input: &Input) -> Answer {
    let json = json_of(input);
    let reading = v2::Document::read(&json, &Limits::default()).map_err(kind)?;
    let findings = reading.findings().iter().map(|finding| {
        json!({ "path": finding.path(), "kind": finding.code().as_str(), "severity": finding.severity().as_str() })
    });
    let findings: Vec<Value> = findings.collect();
    // Whoever reads either version gets the same verdict for a document that is not flat.
    if !findings.iter().any(|finding| finding["kind"] == "unsupported-version") {
        let any = AnyDocument::read(&json, &Limits::default()).map_err(kind)?;
        assert_eq!(any.findings(), reading.findings());
        assert_eq!(any.is_valid(), reading.is_valid());
    }
    assert_eq!(reading.is_valid(), reading.into_document().is_ok());
    let is_valid = findings.iter().all(|finding| finding["severity"] != "error");
    Ok(json!({ "valid": is_valid, "findings": findings }))
}

/// What a document writes, by itself and through serde.
fn written(text: String, through: &impl serde::Serialize) -> Value {
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(serde_json::to_value(through).expect("JSON"), document);
    document
}

fn rewrite(input: &Input) -> Answer {
    let document = v2::Document::parse(&json_of(input)).map_err(kind)?;
    Ok(json!({ "document": written(document.to_json(), &document) }))
}

fn call(input: &Input) -> Result<Call, String> {
    let text = |name: &str| input[name].as_str().expect("a text");
    Call::of_texts(text("freshness_policy"), text("cache_status"))
        .map_err(|_| "cache-contradiction".to_owned())
}

fn up(input: &Input) -> Answer {
    let document = Document::parse(&json_of(input)).map_err(kind)?;
    let has_json_ld = input.get("has_json_ld").map(|told| told.as_bool().expect("a boolean"));
    let Converted { document, lost } = upgrade(document, call(input)?, has_json_ld);
    Ok(json!({ "document": written(document.to_json(), &document), "lost": lost }))
}

fn down(input: &Input) -> Answer {
    let document = v2::Document::parse(&json_of(input)).map_err(kind)?;
    let crawl = input["crawl"].as_object().expect("an object");
    let text = |name: &str| crawl.get(name).map(|text| text.as_str().expect("a text"));
    let number =
        |members: &Input, name: &str| members.get(name).map(|number| number.as_u64().expect("a number"));
    let facts = CrawlFacts {
        fetch_duration_ms: number(crawl, "fetch_duration_ms"),
        content_length: number(crawl, "content_length"),
        user_agent: text("user_agent").map(|agent| agent.parse().expect("an agent")),
        fetched_at: text("fetched_at").map(|time| time.parse().expect("a time")),
        status_code: number(crawl, "status_code").map(|code| StatusCode::new(code as u16).expect("a code")),
        render_mode: text("render_mode").map(|mode| mode.parse().expect("a mode")),
        word_count: number(input, "words"),
    };
    let Converted { document, lost } = downgrade(document, &facts).map_err(|_| "lacking".to_owned())?;
    Ok(json!({ "document": written(document.to_json(), &document), "lost": lost }))
}

fn shape(input: &Input) -> Answer {
    let shape = detect(&json_of(input)).map_err(kind)?;
    Ok(json!({ "shape": shape.as_str(), "version": shape.version() }))
}

/// Findings and lost members in one order, whole numbers in one form.
fn settled(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(settled).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| match (name.as_str(), settled(value)) {
                ("lost" | "findings", Value::Array(mut items)) => {
                    items.sort_by_key(Value::to_string);
                    (name.clone(), Value::Array(items))
                }
                (_, value) => (name.clone(), value),
            });
            Value::Object(members.collect())
        }
        Value::Number(number) => number.as_f64().map_or(value.clone(), Value::from),
        other => other.clone(),
    }
}

#[test]
fn every_vector_of_2_0_gets_its_expected_answer() {
    let operations: [(&str, Operation); 5] = [
        ("aiwi2/check", check),
        ("aiwi2/detect", shape),
        ("aiwi2/downgrade", down),
        ("aiwi2/rewrite", rewrite),
        ("aiwi2/upgrade", up),
    ];
    for (name, operation) in operations {
        let set = spec_vectors::set(name).expect("a published set");
        assert!(set.cases.len() >= 9, "{name}");
        for case in &set.cases {
            let answer = match operation(&case.input) {
                Ok(ok) => json!({ "ok": settled(&ok) }),
                Err(kind) => json!({ "err": { "kind": kind } }),
            };
            let mut case = case.clone();
            if let Expected::Ok(ok) = &mut case.expected {
                let Value::Object(members) = settled(&Value::Object(ok.clone())) else { panic!("an object") };
                *ok = members;
            }
            assert!(case.passes(&answer), "{}: {answer}", case.id);
        }
    }
}
