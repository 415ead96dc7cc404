//! Every published vector through the line protocol.

use serde_json::{Value, json};
use spec_vectors::Expected;

#[test]
fn every_vector_gets_its_expected_answer() {
    let mut failures = Vec::new();
    for (name, set) in spec_vectors::all() {
        for case in &set.cases {
            let request = json!({ "id": case.id, "op": case.op_in(&set), "in": case.input });
            let answer = conformance::answer(request.to_string().as_bytes());
            let passed = match &case.expected {
                Expected::Ok(ok) => ok.iter().all(|(name, value)| answer["ok"].get(name) == Some(value)),
                Expected::Err(err) => answer["err"]["kind"] == Value::String(err.kind.clone()),
            };
            if !passed {
                failures.push(format!("{name} {}: {answer}", case.id));
            }
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}
