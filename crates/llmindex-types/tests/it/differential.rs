//! One grammar under all: the manifest reader, the canonicaliser and serde_json take the same texts and see the same
//! values in them.
//!
//! A signature is over the canonical form, and what a program acts on is what the manifest reader gives: where the two
//! disagreed about a text, a signed manifest could be read as another one.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a failed test may panic")]

use llmindex_types::{Limits, LlmindexTextErrorKind, ManifestText};
use proptest::prelude::*;
use serde_json::{Map, Value};
use tct_canonical_json::{JsonErrorKind, JsonReader, JsonValue, Profile, to_canonical};

/// A value as serde_json has it, from the reader's view of the text.
fn tree(value: JsonValue<'_>) -> Value {
    if let Some(text) = value.as_str() {
        return Value::String(text.into_owned());
    }
    if value.number_text().is_some() {
        return double(value.as_f64().unwrap());
    }
    match value.as_bool() {
        Some(truth) => Value::Bool(truth),
        None if value.is_null() => Value::Null,
        None if value.raw().starts_with('[') => Value::Array(value.items().map(tree).collect()),
        None => Value::Object(
            value
                .members()
                .map(|(name, value)| (name.as_str().into_owned(), tree(value)))
                .collect::<Map<_, _>>(),
        ),
    }
}

/// A number as the nearest double, which is what the canonical form keeps; it has one zero.
fn double(number: f64) -> Value {
    Value::from(number + 0.0)
}

/// The same tree with every number as a double.
fn with_doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => double(number.as_f64().unwrap()),
        Value::Array(items) => Value::Array(items.into_iter().map(with_doubles).collect()),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, with_doubles(value))).collect())
        }
        other => other,
    }
}

/// What all readers must agree on. Returns true if they take the text.
fn agree(text: &[u8]) -> bool {
    let manifest = ManifestText::parse(text, &Limits::MANIFEST);
    let canonical = to_canonical(text, Profile::Rfc8785);
    let serde = serde_json::from_slice::<Value>(text);
    let shown = text.escape_ascii();
    let kind = canonical.as_ref().err().map(tct_canonical_json::JsonError::kind);
    match (&manifest, kind) {
        // A manifest is an object, and keeps numbers as text, so that it can report one past the doubles.
        (Ok(_), None | Some(JsonErrorKind::NumberOverflow)) => {}
        (Ok(_), Some(kind)) => panic!("the canonicaliser alone refuses {shown}: {kind:?}"),
        (Err(error), None) => {
            assert_eq!(error.kind(), LlmindexTextErrorKind::NotJson, "{shown}");
            assert!(!text.trim_ascii_start().starts_with(b"{"), "{shown}");
        }
        (Err(error), Some(kind)) => {
            // One fault, one place.
            if kind != JsonErrorKind::NumberOverflow {
                assert_eq!(Some(error.offset()), canonical.as_ref().unwrap_err().offset(), "{shown}");
            }
        }
    }
    let Ok(canonical) = canonical else {
        // Of what has no canonical form, serde_json lets repeated names through; and where a build keeps its numbers as
        // text, those past the doubles.
        if serde.is_ok() {
            let is_let_through = [JsonErrorKind::DuplicateMember, JsonErrorKind::NumberOverflow];
            assert!(kind.is_some_and(|kind| is_let_through.contains(&kind)), "{shown}: {kind:?}");
        }
        return false;
    };
    let tree_of = |text: &[u8]| tree(JsonReader::new().read(text).unwrap().root());
    let ours = tree_of(text);
    assert_eq!(with_doubles(serde.unwrap()), ours, "{shown}");
    assert_eq!(tree_of(&canonical), ours, "{shown}");
    manifest.is_ok()
}

/// JSON texts of all shapes: names that repeat, escapes, numbers of odd spelling, white space.
fn texts() -> impl Strategy<Value = String> {
    let string =
        r#"([a-z é\u{2028}\u{1f600}]|\\n|\\"|\\/|\\u00e9|\\ud83d\\ude00|\\u0061){0,4}(|\\ud800|\\x)"#;
    let leaf = prop_oneof![
        string.prop_map(|inside| format!("\"{inside}\"")),
        Just("null".to_owned()),
        Just("true".to_owned()),
        prop_oneof!["-?(0|[1-9][0-9]{0,11})(\\.[0-9]{1,3})?([eE][+-]?[0-9])?", Just("1e999".to_owned())],
    ];
    let name =
        prop_oneof![Just("a"), Just("\\u0061"), Just("b"), Just("sig"), Just("\\u00e9"), Just("é"), Just("")];
    let space = prop_oneof![4 => Just(""), 1 => Just(" "), 1 => Just("\n\t")];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        let member = (space.clone(), name.clone(), inner.clone())
            .prop_map(|(space, name, value)| format!("{space}\"{name}\"{space}:{space}{value}{space}"));
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

#[test]
fn texts_that_readers_disagree_on_elsewhere() {
    for (text, is_manifest) in [
        (r#"{"a":1,"b":[1.0,1e2,-0,9007199254740993],"c":"\ud83d\ude00\/"}"#, true),
        (r#"{"a":1,"\u0061":2}"#, false),
        (r#"{"a":{"b":1,"b":1}}"#, false),
        (r#"{"a":"\ud800"}"#, false),
        (r#"{"a":1e999}"#, false),
        (r#"{"a":1}{"b":2}"#, false),
        ("{\"a\":\"\u{7f}\u{2028}\"}", true),
        ("{\"a\":\"\u{1}\"}", false),
        ("{\"a\":01}", false),
        ("{\"a\":1,}", false),
        ("[1]", false),
        ("{\u{a0}}", false),
    ] {
        let is_read = agree(text.as_bytes());
        assert_eq!(is_read, is_manifest, "{text}");
    }
}

proptest! {
    #[test]
    fn readers_agree_on_texts(text in texts()) {
        agree(text.as_bytes());
    }

    #[test]
    fn readers_agree_on_damaged_texts(text in texts(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut damaged = text.into_bytes();
        if !damaged.is_empty() {
            let at = at.index(damaged.len());
            damaged[at] = byte;
        }
        agree(&damaged);
    }
}
