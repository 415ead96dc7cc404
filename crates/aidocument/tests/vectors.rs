//! The published vectors of `aidocument.validate`, each against the public API.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use aidocument::{Document, DocumentError, Limits};
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
