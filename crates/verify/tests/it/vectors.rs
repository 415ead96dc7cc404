//! The published vectors of `verify.jws` and `verify.sign`, each against the public API.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jwk::{JwkSet, SigningKey};
use serde_json::{Value, json};
use spec_vectors::Expected;
use verify::{JwsForm, ManifestVerifier, Origin, sign_manifest, verify_reference_form};

/// The answer of an operation, or the code of the error that it ends with.
fn answer(op: &str, input: &Value) -> Result<Value, &'static str> {
    let manifest = STANDARD.decode(input["manifest_b64"].as_str().expect("bytes")).expect("base64");
    if op == "verify.sign" {
        let key = SigningKey::from_jwk(input["jwk"].to_string().as_bytes()).map_err(|error| error.code())?;
        let form = if input["detached"] == true { JwsForm::Detached } else { JwsForm::Attached };
        let signed = sign_manifest(&manifest, &key, form).map_err(|error| error.code())?;
        return Ok(json!({ "manifest_b64": STANDARD.encode(signed) }));
    }
    let keys = JwkSet::parse(input["jwks"].to_string().as_bytes()).map_err(|error| error.code())?;
    let report = if input["reference_compat"] == true {
        verify_reference_form(&manifest, &keys.only_key().map_err(|error| error.code())?)
    } else {
        let origin = input["fetched_from"].as_str().map_or(Origin::Unchecked, Origin::FetchedFrom);
        ManifestVerifier::new(&keys, origin).verify(&manifest)
    };
    let report = report.map_err(|error| error.code())?;
    let caveats: Vec<_> = report.caveats().iter().map(|caveat| caveat.code()).collect();
    Ok(
        json!({ "valid": report.is_valid(), "reason": report.reason.code(), "kid": report.kid, "caveats": caveats }),
    )
}

#[test]
fn every_vector_gets_its_expected_answer() {
    let set = spec_vectors::set("verify/jws").expect("a published set");
    assert!(set.cases.len() > 60, "{}", set.cases.len());
    for case in &set.cases {
        let op = case.op.as_deref().unwrap_or("verify.jws");
        match (&case.expected, answer(op, &Value::Object(case.input.clone()))) {
            (Expected::Ok(ok), Ok(found)) => {
                assert!(ok.iter().all(|(name, value)| found[name] == *value), "{}: {found}", case.id);
            }
            (Expected::Err(expected), Err(code)) => assert_eq!(code, expected.kind, "{}", case.id),
            (expected, found) => panic!("{}: expected {expected:?}, found {found:?}", case.id),
        }
    }
}
