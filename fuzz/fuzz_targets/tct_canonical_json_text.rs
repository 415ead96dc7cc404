//! Any bytes to canonical JSON: what comes out is canonical, and `serde_json` and its canonicalizer agree with it.
//!
//! The reader, the stream, the canonicaliser and the check run on the same text: they accept the same, and give the same
//! kind and offset for what they refuse.
#![no_main]

use std::fmt::Write as _;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tct_canonical_json::{
    Canonicalizer, DeviationKind, JsonErrorKind as Kind, JsonReader, JsonStream, JsonValue, Profile,
    check_canonical, profiles_agree, serialize, value,
};

// serde_json gives up at 128 levels, so do we.
const LEVELS: usize = 120;

fuzz_target!(|text: &[u8]| {
    let canonicalizer = |profile| Canonicalizer::new(profile).max_depth(LEVELS);
    let tct = canonicalizer(Profile::Tct).to_canonical(text);
    let rfc = canonicalizer(Profile::Rfc8785).to_canonical(text);
    let parsed = serde_json::from_slice::<Value>(text);
    let read = JsonReader::new().max_depth(LEVELS).read(text);
    assert_eq!(read.as_ref().err(), tct.as_ref().err());
    let lenient = JsonReader::new().max_depth(LEVELS).report_repeated_names();
    let (lenient_fault, stream_fault) = (lenient.read(text).err(), fault_of_stream(lenient, text));
    let place = |error: tct_canonical_json::JsonError| (error.kind(), error.offset());
    assert_eq!(lenient_fault.map(place), stream_fault.map(place));
    let (tct, rfc) = match (tct, rfc) {
        (Ok(tct), Ok(rfc)) => (tct, rfc),
        (Err(tct), Err(rfc)) => {
            assert_eq!(tct, rfc);
            assert!(tct.offset().is_some_and(|offset| offset <= text.len()), "{tct:?}");
            let deviation = canonicalizer(Profile::Tct).check_canonical(text).expect("a deviation");
            match deviation.kind() {
                DeviationKind::Refused(kind) => {
                    assert_eq!((kind, Some(deviation.offset())), (tct.kind(), tct.offset()))
                }
                // A repeated name counts at its quote; what is not canonical inside of it comes after that, and nothing behind it.
                _ if tct.kind() == Kind::DuplicateMember => {
                    assert!(deviation.offset() < end_of_name(text, tct.offset().unwrap()));
                }
                _ => assert!(Some(deviation.offset()) <= tct.offset()),
            }
            // serde_json keeps the last of repeated members, and nests a little deeper; all else it refuses too.
            assert!(
                parsed.is_err() || matches!(tct.kind(), Kind::DuplicateMember | Kind::TooDeep),
                "{tct:?}"
            );
            return;
        }
        (tct, rfc) => panic!("{tct:?} {rfc:?}"),
    };
    let parsed = parsed.expect("serde_json reads what has a canonical form");
    assert!(same(read.expect("read").root(), &parsed));
    for (profile, canonical) in [(Profile::Tct, &tct), (Profile::Rfc8785, &rfc)] {
        assert_eq!(check_canonical(canonical, profile), None);
        assert_eq!(check_canonical(text, profile).is_none(), canonical == text, "{profile:?}");
        if let Some(deviation) = check_canonical(text, profile) {
            // Up to the deviation, the text is the canonical form, or the member that should come first is missing.
            assert!(deviation.offset() <= text.len());
        }
        assert_eq!(canonicalizer(profile).to_canonical(canonical).as_ref(), Ok(canonical));
        assert_eq!(serde_json::from_slice::<Value>(canonical).unwrap(), as_doubles(&parsed));
        let mut printed = String::new();
        canonicalizer(profile).write_to(text, |piece| printed.write_str(std::str::from_utf8(piece).unwrap())).unwrap();
        assert_eq!(printed.as_bytes(), canonical);
        for typed in [value::to_vec(&parsed, profile), serialize::to_vec(&parsed, profile)] {
            match typed {
                Ok(typed) => assert_eq!(&typed, canonical),
                Err(error) => assert_eq!(error.kind(), Kind::UnsafeInteger),
            }
        }
    }
    assert_eq!(profiles_agree(text), Ok(tct == rfc));
    assert_eq!(serde_json_canonicalizer::to_vec(&parsed).unwrap(), rfc);
});

/// The error of the text in pieces, of lengths that its bytes decide.
fn fault_of_stream(reader: JsonReader, text: &[u8]) -> Option<tct_canonical_json::JsonError> {
    let mut stream = JsonStream::new(reader);
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let (piece, behind) = rest.split_at((usize::from(first) % 23 + 1).min(rest.len()));
        rest = behind;
        let mut events = stream.push(piece);
        loop {
            match events.next() {
                Ok(None) => break,
                Ok(Some(_)) => {}
                Err(error) => return Some(error),
            }
        }
    }
    loop {
        match stream.finish() {
            Ok(None) => return None,
            Ok(Some(_)) => {}
            Err(error) => return Some(error),
        }
    }
}

/// Whether both readers have read the same.
fn same(value: JsonValue<'_>, other: &Value) -> bool {
    match other {
        Value::Null => value.is_null(),
        Value::Bool(other) => value.as_bool() == Some(*other),
        Value::Number(number) => value.as_f64() == number.as_f64(),
        Value::String(text) => value.is_str(text),
        Value::Array(items) => {
            value.items().count() == items.len() && value.items().zip(items).all(|(a, b)| same(a, b))
        }
        Value::Object(members) => {
            let has = |name: &str, value| members.get(name).is_some_and(|other| same(value, other));
            value.members().count() == members.len()
                && value.members().all(|(name, value)| has(&name.as_str(), value))
        }
    }
}

/// The tree with every number as a reader of the canonical form gets it.
fn as_doubles(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let double = number.as_f64().expect("a number");
            // An integer comes back as one, as long as it fits.
            serde_json::from_slice(&tct_canonical_json::serialize::to_vec(&double, Profile::Tct).unwrap())
                .unwrap()
        }
        Value::Array(items) => items.iter().map(as_doubles).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), as_doubles(value))).collect())
        }
        other => other.clone(),
    }
}

/// The place behind the name whose quote is at `start`.
fn end_of_name(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}
