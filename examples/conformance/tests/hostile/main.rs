//! Hostile input for every operation that takes text or bytes: each gets an answer or an error, never a panic, and
//! memory grows no faster than the input.
//!
//! The sizes are small because the tests run unoptimised; `cargo run --release -p conformance --example operations_growth` goes
//! to 16 MB and measures time too.

mod inputs;

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use inputs::{hostile, requests};

fn answer(op: &str, input: &Value) -> Value {
    let answer = conformance::answer(json!({ "id": "h", "op": op, "in": input }).to_string().as_bytes());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!(answer.get("ok").is_some() != answer.get("err").is_some(), "{op}: {answer}");
    answer
}

#[test]
fn every_operation_answers_hostile_input() {
    for input in hostile(2_000) {
        for (op, request) in requests(&input) {
            assert_ne!(answer(op, &request)["err"]["kind"], "unknown-op", "{op}");
        }
    }
}

/// The heap at its highest, over what it was before, with the request's own line.
fn peak(op: &str, input: &Value) -> u64 {
    allocation_counter::measure(|| drop(answer(op, input))).bytes_max
}

#[test]
fn memory_grows_no_faster_than_the_input() {
    // Findings, headings and links each have their own record: a few hundred bytes for each byte that makes one.
    const PER_BYTE: u64 = 700;
    for (small, large) in hostile(1_000).iter().zip(hostile(2_000)) {
        for ((op, once), (_, twice)) in requests(small).into_iter().zip(requests(&large)) {
            let (once, twice) = (peak(op, &once), peak(op, &twice));
            let shown = small.get(..20).unwrap_or(small).escape_ascii().to_string();
            assert!(twice <= 5 * once / 2 + (256 << 10), "{op} {shown}: {once} bytes became {twice}");
            assert!(twice <= PER_BYTE * large.len() as u64 + (4 << 20), "{op} {shown}: {twice} bytes");
        }
    }
}

/// Documents of 4 MiB whose every second byte is a fault, once 3.3 GB of findings: the request's line, its parts and the
/// answer with a thousand findings included.
#[test]
fn a_document_of_faults_takes_a_few_bytes_a_byte() {
    let document = |items: &str, bytes: usize| {
        let list = items.repeat(bytes / items.len());
        format!("{{\"links\":[{}]}}", list.trim_end_matches(','))
    };
    for (op, items) in
        [("aidocument.validate", "1,"), ("aidocument.validate", "{\"q\":1},"), ("aidocument2.check", "1,")]
    {
        let text = document(items, 4 << 20);
        let input = json!({ "json_b64": STANDARD.encode(&text) });
        let line = json!({ "id": "h", "op": op, "in": input }).to_string();
        drop(input);
        let used = allocation_counter::measure(|| drop(conformance::answer(line.as_bytes()))).bytes_max;
        assert!(used <= 16 * text.len() as u64 + (2 << 20), "{op} {items}: {used} bytes for {}", text.len());
    }
}

#[test]
fn one_case_of_each_operation_is_cut_and_spoilt_at_every_byte() {
    let mut seen = BTreeSet::new();
    for (_, set) in spec_vectors::all() {
        for case in &set.cases {
            let op = case.op_in(&set);
            for (name, value) in &case.input {
                let Some(text) = value.as_str() else { continue };
                // One case for each member of each operation.
                let bytes = if name.ends_with("_b64") {
                    STANDARD.decode(text).unwrap_or_default()
                } else {
                    text.into()
                };
                if bytes.len() < 8 || !seen.insert((op.to_owned(), name.clone())) {
                    continue;
                }
                for at in 0..bytes.len().min(600) {
                    let cut = bytes.get(..at).unwrap_or_default().to_vec();
                    for spoil in [None, Some(0xff), Some(0), Some(b'"'), Some(b'\\')] {
                        let mut hurt = cut.clone();
                        if let Some(byte) = spoil {
                            hurt.push(byte);
                            hurt.extend_from_slice(bytes.get(at + 1..).unwrap_or_default());
                        }
                        let hurt = if name.ends_with("_b64") {
                            STANDARD.encode(&hurt)
                        } else {
                            String::from_utf8_lossy(&hurt).into_owned()
                        };
                        let mut input = case.input.clone();
                        input.insert(name.clone(), hurt.into());
                        answer(op, &Value::Object(input));
                    }
                }
            }
        }
    }
    assert!(seen.len() > 40, "{}", seen.len());
}

#[test]
fn every_vector_cut_short_gets_an_answer() {
    // Base64 members cut at some bytes: truncated JSON, HTML, robots.txt and feeds.
    for (_, set) in spec_vectors::all() {
        for case in set.cases.iter().step_by(7) {
            for (name, value) in &case.input {
                let text = value.as_str().filter(|_| name.ends_with("_b64"));
                let Some(bytes) = text.and_then(|text| STANDARD.decode(text).ok()) else { continue };
                for cut in (0..bytes.len().min(2_000)).step_by(97) {
                    let mut input = case.input.clone();
                    input.insert(name.clone(), Value::String(STANDARD.encode(&bytes[..cut])));
                    answer(case.op_in(&set), &Value::Object(input));
                }
            }
        }
    }
}
