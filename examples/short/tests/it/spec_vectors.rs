//! How an implementation is tested against the published vectors: answer each case as the line protocol would, and
//! let the case say whether the answer passes.
//!
//! To test another implementation, put it in place of the calls in `answer`.

#![allow(clippy::panic, reason = "a test that fails says so")]

use serde_json::{Value, json};
use spec_vectors::Case;

/// What the implementation says to an operation; `None` where it has none of that name.
fn answer(op: &str, input: &serde_json::Map<String, Value>) -> Option<Value> {
    let text = |name: &str| input.get(name).and_then(Value::as_str);
    Some(match op {
        "tct.fingerprint" => {
            json!({ "ok": { "hash": tct_fingerprint::fingerprint(text("text")?).to_string() } })
        }
        "tct.normalize" => json!({ "ok": { "text": tct_fingerprint::normalize(text("text")?) } }),
        _ => return None,
    })
}

#[test]
fn every_case_of_the_operations_passes() {
    let (mut passed, mut failed) = (0, Vec::new());
    for (name, set) in spec_vectors::all() {
        for case in &set.cases {
            let Case { id, input, .. } = case;
            match answer(case.op_in(&set), input) {
                Some(answer) if case.passes(&answer) => passed += 1,
                Some(answer) => failed.push(format!("{name} {id}: {answer}")),
                None => {}
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(passed > 100, "{passed}");
}
