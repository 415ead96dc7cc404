//! Typed values to canonical bytes.
#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use covers::covers;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::json;
use tct_canonical_json::{
    Canonicalizer, JsonError, JsonErrorKind as Kind, Profile, Typed, is_canonical, serialize, value,
};

fn tct<T: Serialize + ?Sized>(value: &T) -> String {
    let bytes = serialize::to_vec(value, Profile::Tct).unwrap();
    assert!(is_canonical(&bytes, Profile::Tct));
    String::from_utf8(bytes).unwrap()
}

fn error<T: Serialize + ?Sized>(value: &T) -> (Kind, String) {
    let error = serialize::to_vec(value, Profile::Tct).unwrap_err();
    assert_eq!(error.offset(), None);
    (error.kind(), error.path().unwrap().to_owned())
}

/// serde_json's own shape of the value, canonicalised as text.
fn agrees_with_text<T: Serialize + Debug>(value: &T) {
    let text = serde_json::to_vec(value).unwrap();
    for profile in [Profile::Tct, Profile::Rfc8785] {
        let expected = tct_canonical_json::to_canonical(&text, profile).unwrap();
        assert_eq!(serialize::to_vec(value, profile).unwrap(), expected, "{value:?}");
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Everything {
    zulu: Option<u8>,
    yankee: (i8, char, bool),
    nothing: (),
    unit: Unit,
    new_type: NewType,
    pair: Pair,
    variants: Vec<Variant>,
    internal: Vec<Internal>,
    adjacent: Vec<Adjacent>,
    untagged: Vec<Untagged>,
    #[serde(flatten)]
    rest: BTreeMap<String, f64>,
    bytes: &'static [u8],
    empty: Vec<u8>,
    map: HashMap<i32, &'static str>,
}

#[derive(Debug, Serialize)]
struct Unit;
#[derive(Debug, Serialize)]
struct NewType(String);
#[derive(Debug, Serialize)]
struct Pair(u64, i64);
#[derive(Debug, Serialize)]
enum Variant {
    Unit,
    New(u8),
    Tuple(u8, u8),
    Struct { z: u8, a: u8 },
}
#[derive(Debug, Serialize)]
#[serde(tag = "zType")]
enum Internal {
    Unit,
    Struct { a: u8 },
}
#[derive(Debug, Serialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Tuple(u8, u8),
}
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Untagged {
    Number(f64),
    Struct { z: u8, a: u8 },
}

#[test]
fn every_shape_is_that_of_serde_json() {
    agrees_with_text(&Everything {
        zulu: None,
        yankee: (-1, '"', true),
        nothing: (),
        unit: Unit,
        new_type: NewType("line\nbreak \u{1F600} \u{1}".into()),
        pair: Pair(9_007_199_254_740_991, -9_007_199_254_740_991),
        variants: vec![Variant::Unit, Variant::New(1), Variant::Tuple(2, 3), Variant::Struct { z: 4, a: 5 }],
        internal: vec![Internal::Unit, Internal::Struct { a: 1 }],
        adjacent: vec![Adjacent::Unit, Adjacent::Tuple(1, 2)],
        untagged: vec![Untagged::Number(1e21), Untagged::Struct { z: 1, a: 2 }],
        rest: [("b/c".into(), 1.5), ("\u{E000}".into(), -0.0), ("\u{10000}".into(), 1e-7)].into(),
        bytes: b"\x00\xff",
        empty: Vec::new(),
        map: [(10, "ten"), (9, "nine"), (-1, "minus")].into(),
    });
}

#[test]
fn names_of_every_length_are_written_and_sorted() {
    for len in 0..40 {
        let names: BTreeMap<String, u8> =
            (0..4).map(|i| (format!("{}{}", "n".repeat(len), ["", "\"", "é", "z"][i]), i as u8)).collect();
        agrees_with_text(&names);
        agrees_with_text(&names.keys().rev().collect::<Vec<_>>());
    }
}

#[test]
fn map_keys_with_a_text_are_names() {
    assert_eq!(tct(&BTreeMap::from([(true, 1), (false, 2)])), r#"{"false":2,"true":1}"#);
    assert_eq!(tct(&BTreeMap::from([('b', 1), ('"', 2)])), r#"{"\"":2,"b":1}"#);
    assert_eq!(tct(&BTreeMap::from([(u128::MAX, 1)])), r#"{"340282366920938463463374607431768211455":1}"#);
    assert_eq!(tct(&Entries(vec![(1.5f64, 1), (1e21, 2)])), r#"{"1.5":1,"1e+21":2}"#);
    assert_eq!(error(&BTreeMap::from([((1, 2), 3)])), (Kind::NameNotText, String::new()));
    assert_eq!(error(&[BTreeMap::from([(None::<u8>, 3)])]), (Kind::NameNotText, "/0".into()));
    assert_eq!(error(&Entries(vec![(f64::NAN, 1)])), (Kind::NotFinite, String::new()));
}

#[test]
#[covers("TCT-AMB-7")]
fn integers_that_a_double_may_not_hold_are_refused() {
    const MAX: u64 = (1 << 53) - 1;
    assert_eq!(tct(&(MAX, -(MAX as i64))), "[9007199254740991,-9007199254740991]");
    assert_eq!(error(&json!({ "a": [1, MAX + 1] })), (Kind::UnsafeInteger, "/a/1".into()));
    assert_eq!(error(&-(MAX as i64 + 1)), (Kind::UnsafeInteger, String::new()));
    assert_eq!(error(&u64::MAX).0, Kind::UnsafeInteger);
    assert_eq!(error(&i64::MIN).0, Kind::UnsafeInteger);
    assert_eq!(error(&i128::MIN).0, Kind::UnsafeInteger);
    assert_eq!(error(&u128::MAX).0, Kind::UnsafeInteger);
    assert_eq!(tct(&(12i128, 12u128)), "[12,12]");
    // A double of that size is what it is.
    assert_eq!(tct(&[2f64.powi(68)]), "[295147905179352830000]");
}

#[test]
#[covers("TCT-JSON-8")]
fn what_is_no_number_is_refused() {
    for double in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(error(&BTreeMap::from([("a~/", [double])])), (Kind::NotFinite, "/a~0~1/0".into()));
        assert_eq!(error(&(double as f32)).0, Kind::NotFinite);
    }
}

#[test]
fn a_single_precision_number_keeps_its_value() {
    assert_eq!(tct(&[0.1f32, 1.5, 16_777_216.0, -0.0]), "[0.10000000149011612,1.5,16777216,0]");
}

/// A map of the entries as they are, repeated ones too.
struct Entries<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Flattened {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<&'static str, u8>,
}

#[test]
#[covers("TCT-JSON-4")]
fn a_name_may_stand_once() {
    assert_eq!(error(&Entries(vec![("a", 1), ("a", 2)])), (Kind::DuplicateMember, "/a".into()));
    assert_eq!(error(&[Entries(vec![("b", 1), ("a", 2), ("b", 3)])]), (Kind::DuplicateMember, "/0/b".into()));
    let flattened = Flattened { id: 1, rest: [("id", 2)].into() };
    assert_eq!(error(&flattened), (Kind::DuplicateMember, "/id".into()));
}

#[test]
fn raw_values_become_canonical() {
    let raw = |text: &str| serde_json::value::RawValue::from_string(text.to_owned()).unwrap();
    let wrapped = BTreeMap::from([("a", raw(r#"{"b":1.0, "a":[9007199254740993]}"#)), ("b", raw("[ ]"))]);
    assert_eq!(tct(&wrapped), r#"{"a":{"a":[9007199254740992],"b":1},"b":[]}"#);
    assert_eq!(error(&[raw(r#"{"x":{"a":1,"a":2}}"#)]), (Kind::DuplicateMember, "/0/x/a".into()));
}

/// A text inside of a value counts its levels from where it is.
#[test]
fn raw_values_are_as_deep_as_they_stand() {
    let raw = |text: &str| serde_json::value::RawValue::from_string(text.to_owned()).unwrap();
    for limit in 1..6 {
        let canonicalizer = Canonicalizer::new(Profile::Tct).max_depth(limit);
        for (inside, depth) in [("1", 0), ("[]", 1), ("[{}]", 2), (r#"{"a":[[0]]}"#, 3)] {
            let answers = [
                (canonicalizer.to_canonical(Typed(&raw(inside))), 0),
                (canonicalizer.to_canonical(Typed(&[raw(inside)])), 1),
                (canonicalizer.to_canonical(Typed(&BTreeMap::from([("a", [raw(inside)])]))), 2),
            ];
            for (answer, around) in answers {
                match answer {
                    Ok(_) => assert!(around + depth <= limit, "{inside} in {around} of {limit}"),
                    Err(error) => {
                        assert!(around + depth > limit, "{inside} in {around} of {limit}");
                        assert_eq!(error.kind(), Kind::TooDeep);
                    }
                }
            }
        }
    }
}

/// As serde_json passes numbers on where a crate of the build has switched on `arbitrary_precision`.
struct NumberText(&'static str);

impl Serialize for NumberText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut number = serializer.serialize_struct("$serde_json::private::Number", 1)?;
        number.serialize_field("$serde_json::private::Number", self.0)?;
        number.end()
    }
}

#[test]
fn numbers_as_texts_are_written_as_numbers_are() {
    for (text, expected) in [("1.0", "1"), ("-0", "0"), ("1E400", ""), ("12", "12"), ("1e21", "1e+21")] {
        match serialize::to_vec(&NumberText(text), Profile::Tct) {
            Ok(bytes) => assert_eq!(bytes, expected.as_bytes()),
            Err(error) => assert_eq!((error.kind(), expected), (Kind::NumberOverflow, "")),
        }
    }
    assert_eq!(error(&NumberText("9007199254740992")).0, Kind::UnsafeInteger);
    assert_eq!(tct(&NumberText("295147905179352825856")), "295147905179352830000");
    assert_eq!(error(&NumberText("1 ")).0, Kind::UnexpectedByte);
    // The same as the tree says, which serde_json has read from the same text.
    for text in ["18446744073709551615", "18446744073709551616", "-9223372036854775809", "0.10", "-0.0"] {
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();
        let of_text = serialize::to_vec(&NumberText(text), Profile::Tct).map_err(|error| error.kind());
        assert_eq!(of_text, serialize::to_vec(&tree, Profile::Tct).map_err(|error| error.kind()), "{text}");
        assert_eq!(of_text, value::to_vec(&tree, Profile::Tct).map_err(|error| error.kind()), "{text}");
    }
}

/// An implementation that passes over the error of an item and says that all went well.
struct PassesOver;

impl Serialize for PassesOver {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(None)?;
        let _ = items.serialize_element(&[[f64::NAN]]);
        items.serialize_element(&1)?;
        items.end()
    }
}

/// An implementation that forgets the value of its last key.
struct KeyAlone;

impl Serialize for KeyAlone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_key("a")?;
        map.end()
    }
}

struct Refuses;

impl Serialize for Refuses {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("a reason of its own"))
    }
}

#[test]
fn implementations_by_hand_cannot_make_bad_output() {
    assert_eq!(error(&PassesOver).0, Kind::Unserializable);
    assert_eq!(error(&[KeyAlone]), (Kind::Unserializable, "/0".into()));
    assert_eq!(error(&BTreeMap::from([("k", Refuses)])), (Kind::Unserializable, "/k".into()));
    for count in [0, 2, 3] {
        for name in ["$serde_json::private::RawValue", "$serde_json::private::Number"] {
            assert_eq!(error(&[TokenOf(name, count)]), (Kind::Unserializable, "/0".into()), "{name} {count}");
        }
    }
    assert_eq!(tct(&[TokenOf("$serde_json::private::Number", 1)]), "[1]");
    let error = serialize::to_vec(&[Refuses], Profile::Tct).unwrap_err();
    assert_eq!(error.to_string(), "expected a value that can be serialized at /0, found a reason of its own");
}

/// A struct of one of serde_json's names, with so many fields. One is what serde_json itself writes.
struct TokenOf(&'static str, usize);

impl serde::Serialize for TokenOf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut token = serializer.serialize_struct(self.0, self.1)?;
        for _ in 0..self.1 {
            token.serialize_field(self.0, "1")?;
        }
        token.end()
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let mut tree = json!(1);
    for _ in 0..100 {
        tree = json!({ "b": tree, "a": [] });
    }
    assert_eq!(tct(&tree), format!("{}1{}", r#"{"a":[],"b":"#.repeat(100), "}".repeat(100)));
    assert_eq!(value::to_vec(&tree, Profile::Tct), serialize::to_vec(&tree, Profile::Tct));
    let narrow = Canonicalizer::new(Profile::Tct).max_depth(2);
    let error = narrow.to_canonical(Typed(&[[[1]]])).unwrap_err();
    assert_eq!((error.kind(), error.path()), (Kind::TooDeep, Some("/0/0")));
    let small = Canonicalizer::new(Profile::Tct).max_output(10);
    assert_eq!(small.to_canonical(Typed("12345678")).unwrap(), b"\"12345678\"");
    assert_eq!(small.to_canonical(Typed("123456789")).unwrap_err().kind(), Kind::TooLarge);
    let mut buffer = b"kept".to_vec();
    assert_eq!(small.write_canonical(Typed(&[1234; 9]), &mut buffer).unwrap_err().kind(), Kind::TooLarge);
    assert_eq!(buffer, b"kept");
}

/// A map as it is handed over, with names more than once.
struct Members(&'static [(&'static str, f64)]);

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// The order that the documentation of `serialize` states: each fault beside each limit, either one first.
#[test]
fn the_first_fault_of_a_value_is_told() {
    type Run<'a> = &'a dyn Fn(&Canonicalizer) -> Option<JsonError>;
    let told = |depth, output, kind, path: &str, run: Run<'_>| {
        let error = run(&Canonicalizer::new(Profile::Tct).max_depth(depth).max_output(output)).unwrap();
        assert_eq!((error.kind(), error.path()), (kind, Some(path)));
    };
    let long = "longer than ten bytes";
    // A value's own fault and the size, either first.
    told(9, 10, Kind::NotFinite, "/0", &|c| c.to_canonical(Typed(&(f64::NAN, long))).err());
    told(9, 10, Kind::TooLarge, "/0", &|c| c.to_canonical(Typed(&(long, f64::NAN))).err());
    told(9, 10, Kind::UnsafeInteger, "/0", &|c| c.to_canonical(Typed(&[u64::MAX])).err());
    // A container is refused where it begins, whatever is in it.
    told(1, 10, Kind::TooDeep, "/0", &|c| c.to_canonical(Typed(&[(long, f64::NAN)])).err());
    told(1, 10, Kind::TooLarge, "/0", &|c| c.to_canonical(Typed(&(long, [1]))).err());
    told(1, 10, Kind::TooDeep, "/0", &|c| c.to_canonical(Typed(&([1], long))).err());
    // A repeated name counts where its object ends.
    let twice = Members(&[("a", 1.0), ("a", 2.0)]);
    told(9, 11, Kind::TooLarge, "/a", &|c| c.to_canonical(Typed(&twice)).err());
    told(9, 12, Kind::DuplicateMember, "/a", &|c| c.to_canonical(Typed(&twice)).err());
    told(9, 13, Kind::DuplicateMember, "/0/a", &|c| c.to_canonical(Typed(&[&twice])).err());
    let then_bad = Members(&[("a", 1.0), ("a", 2.0), ("b", f64::INFINITY)]);
    told(9, 99, Kind::NotFinite, "/b", &|c| c.to_canonical(Typed(&then_bad)).err());
}
