//! The manifest reader, the canonicaliser and serde_json on one text: what one takes, the others take and see the same values
//! in, and where one stops the others stop.

#![no_main]

use libfuzzer_sys::fuzz_target;
use llmindex_types::{Limits, ManifestText};
use serde_json::Value;
use tct_canonical_json::{JsonErrorKind, JsonReader, JsonValue, Profile, to_canonical};

/// Whether both saw the same value; numbers as the doubles that a canonical form keeps.
fn is_same(ours: JsonValue<'_>, theirs: &Value) -> bool {
    match theirs {
        Value::Null => ours.is_null(),
        Value::Bool(truth) => ours.as_bool() == Some(*truth),
        Value::Number(number) => ours.as_f64().is_some() && ours.as_f64() == number.as_f64(),
        Value::String(text) => ours.is_str(text),
        Value::Array(items) => {
            ours.items().count() == items.len()
                && ours.items().zip(items).all(|(ours, theirs)| is_same(ours, theirs))
        }
        Value::Object(members) => {
            ours.members().count() == members.len()
                && ours.members().all(|(name, ours)| {
                    members.get(&*name.as_str()).is_some_and(|theirs| is_same(ours, theirs))
                })
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let canonical = to_canonical(text, Profile::Rfc8785);
    let read = JsonReader::new().read(text);
    assert_eq!(read.as_ref().err(), canonical.as_ref().err());
    match &canonical {
        Ok(canonical) => {
            // All three see the same values.
            let theirs: Value = serde_json::from_slice(text).expect("it has a canonical form");
            assert!(is_same(read.expect("it has a canonical form").root(), &theirs));
            let again = JsonReader::new().read(canonical).expect("a canonical form is JSON");
            assert!(is_same(again.root(), &theirs));
            // The canonical form is its own, and is a manifest where the text is one.
            assert_eq!(to_canonical(canonical, Profile::Rfc8785).as_ref(), Ok(canonical));
            let limits = Limits::MANIFEST;
            if canonical.len() <= limits.max_bytes && text.len() <= limits.max_bytes {
                assert_eq!(
                    ManifestText::parse(text, &limits).is_ok(),
                    ManifestText::parse(canonical, &limits).is_ok()
                );
            }
        }
        Err(error) => match ManifestText::parse(text, &Limits::MANIFEST) {
            // Its numbers stay text.
            Ok(_) => assert_eq!(error.kind(), JsonErrorKind::NumberOverflow),
            Err(own) => {
                let is_one_fault = !matches!(
                    error.kind(),
                    JsonErrorKind::NumberOverflow | JsonErrorKind::TooDeep | JsonErrorKind::TooLarge
                ) && own.offset() == error.offset().unwrap_or_default();
                let is_limit = own.kind() != llmindex_types::LlmindexTextErrorKind::NotJson;
                assert!(
                    is_one_fault || is_limit || error.kind() == JsonErrorKind::NumberOverflow,
                    "{own} | {error}"
                );
            }
        },
    }
});
