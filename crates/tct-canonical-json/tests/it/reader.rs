//! The reader: what it accepts, what it shows, and where it stops.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use crate::support;

use proptest::prelude::*;
use serde_json::Value;
use support::{Json, choices, documents, spell};
use tct_canonical_json::{
    JsonErrorKind as Kind, JsonKind, JsonReader, JsonTape, JsonValue, LineColumn, write_string,
};

fn fault(reader: JsonReader, text: impl AsRef<[u8]>) -> (Kind, usize) {
    let error = reader.read(text.as_ref()).unwrap_err();
    (error.kind(), error.offset().unwrap())
}

#[test]
fn the_grammar_is_rfc_8259() {
    for good in [
        "{}",
        "[]",
        " 1 ",
        "-0",
        "1e5",
        "1.5E-3",
        "\"\"",
        "\t[1,{\"a\":[null,true,false]}]\r\n",
        "\"\\u0000\"",
        "\"\\ud83d\\ude00\\/\"",
        "0.0",
        "[[],{}]",
        "\"\u{7f}\u{2028}\"",
    ] {
        JsonReader::new().read(good.as_bytes()).unwrap();
    }
    for bad in [
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "tru",
        "nul",
        "\"",
        "\"\\x\"",
        "\"\n\"",
        "[1 2]",
        "1 2",
        "{\"a\" 1}",
        "{\"a\":}",
        "]",
        "\"\\u12g4\"",
        "NaN",
        "'a'",
        "{\"a\":1]",
        "[1}",
        "//",
        "[,1]",
        "{,}",
        "[1,,2]",
        "-",
        "--1",
        "1e+",
        "\u{a0}1",
        "1\u{c}",
        "{\"a\"}",
        "\"\\",
        "\"\\u",
        "True",
    ] {
        assert!(JsonReader::new().read(bad.as_bytes()).is_err(), "{bad}");
        assert!(serde_json::from_str::<Value>(bad).is_err(), "{bad}");
    }
}

#[test]
fn every_value_keeps_its_source() {
    let text = r#" { "a" : [ 1.50 , "x\ty" , "é" , true , null , { } ] , "b\u0062" : -0e1 } "#;
    let document = JsonReader::new().read(text.as_bytes()).unwrap();
    let root = document.root();
    assert_eq!((root.kind(), root.span()), (JsonKind::Object, 1..text.len() - 1));
    let items: Vec<_> = root.get("a").unwrap().items().map(|item| (item.kind(), item.raw())).collect();
    assert_eq!(
        items,
        [
            (JsonKind::Number, "1.50"),
            (JsonKind::String, r#""x\ty""#),
            (JsonKind::String, "\"é\""),
            (JsonKind::Bool, "true"),
            (JsonKind::Null, "null"),
            (JsonKind::Object, "{ }"),
        ]
    );
    let names: Vec<_> = root.members().map(|(name, _)| (name.as_str().into_owned(), name.raw())).collect();
    assert_eq!(names, [("a", "\"a\""), ("bb", r#""b\u0062""#)].map(|(name, raw)| (name.to_owned(), raw)));
    assert_eq!(document.pointer("/bb").unwrap().number_text(), Some("-0e1"));
    assert_eq!(document.pointer("/a/1").unwrap().as_str().unwrap(), "x\ty");
    assert_eq!(document.pointer("/a/5").unwrap().path(), "/a/5");
    assert_eq!(document.line_column(text.find('é').unwrap()).to_string(), "line 1, column 29");
}

#[test]
fn strings_are_borrowed_unless_escaped() {
    let document =
        JsonReader::new().read(br#"["plain","a\"\\\/\b\f\n\r\tz","\u00e9\ud83d\ude00x"]"#).unwrap();
    let texts: Vec<_> = document.root().items().map(|item| item.as_str().unwrap()).collect();
    assert!(matches!(texts[0], std::borrow::Cow::Borrowed("plain")));
    assert_eq!(texts[1], "a\"\\/\u{8}\u{c}\n\r\tz");
    assert_eq!(texts[2], "é😀x");
    assert!(
        document.root().item(1).unwrap().is_str(&texts[1]) && !document.root().item(1).unwrap().is_str("a")
    );
}

#[test]
fn numbers_are_integers_by_value() {
    let number = |text: &str| {
        let document = JsonReader::new().read(text.as_bytes()).unwrap();
        (document.root().as_i64(), document.root().as_u64())
    };
    for (text, signed, unsigned) in [
        ("0", Some(0), Some(0)),
        ("-0", Some(0), Some(0)),
        ("1.0", Some(1), Some(1)),
        ("20e-1", Some(2), Some(2)),
        ("1.5e1", Some(15), Some(15)),
        ("-12", Some(-12), None),
        ("1.5", None, None),
        ("1e-1", None, None),
        ("0e-99999999999999999999", Some(0), Some(0)),
        ("1e-99999999999999999999", None, None),
        ("0e99999999999999999999", Some(0), Some(0)),
        ("1e19", None, Some(10_000_000_000_000_000_000)),
        ("18446744073709551615", None, Some(u64::MAX)),
        ("18446744073709551616", None, None),
        ("-9223372036854775808", Some(i64::MIN), None),
        ("-9223372036854775809", None, None),
        ("9223372036854775807", Some(i64::MAX), Some(i64::MAX as u64)),
        ("1.0000000000000000000000001", None, None),
        ("100000000000000000000e-20", Some(1), Some(1)),
    ] {
        assert_eq!(number(text), (signed, unsigned), "{text}");
    }
    let huge = JsonReader::new().report_huge_numbers();
    assert_eq!(huge.read(b"1e999").unwrap().root().as_f64(), None);
    assert_eq!(huge.read(b"1e999").unwrap().root().as_u64(), None);
    assert_eq!(huge.read(b"4.50").unwrap().root().as_f64(), Some(4.5));
    let digits = "9".repeat(400);
    assert_eq!(fault(JsonReader::new(), &digits), (Kind::NumberOverflow, 0));
    assert!(JsonReader::new().read("9".repeat(308).as_bytes()).is_ok());
}

#[test]
fn depth_is_counted_in_open_containers() {
    let nested = |n: usize, inside: &str| format!("{}{inside}{}", "[".repeat(n), "]".repeat(n));
    let reader = JsonReader::new().max_depth(64);
    assert!(reader.read(nested(64, "").as_bytes()).is_ok());
    assert_eq!(fault(reader, nested(65, "")), (Kind::TooDeep, 64));
    let deep = reader.max_depth(usize::MAX).read_str(&nested(400_000, "")).unwrap().into_tape();
    drop(deep);
}

/// Depth as TCT draft -03 counts it: 64 arrays around a scalar, or 65 where the last is empty.
#[test]
fn depth_can_be_counted_in_values() {
    let nested = |n: usize, inside: &str| format!("{}{inside}{}", "[".repeat(n), "]".repeat(n));
    let reader = JsonReader::new().max_value_depth(64);
    assert!(reader.read(nested(64, "0").as_bytes()).is_ok());
    assert!(reader.read(nested(65, " ").as_bytes()).is_ok());
    assert_eq!(fault(reader, nested(65, "0")), (Kind::TooDeep, 65));
    assert_eq!(fault(reader, nested(66, "")), (Kind::TooDeep, 65));
    assert!(JsonReader::new().max_value_depth(0).read(b"0").is_ok());
    assert_eq!(fault(JsonReader::new().max_value_depth(0), "{\"a\":0}"), (Kind::TooDeep, 1));
}

#[test]
fn limits_are_kept() {
    let reader = JsonReader::new().max_bytes(20);
    assert!(reader.read(b"\"a text of twenty 1\"").is_ok());
    assert_eq!(fault(reader, "\"a text of twenty-one\""), (Kind::TooLarge, 20));
    let reader = JsonReader::new().max_values(4);
    assert!(reader.read(b"{\"a\":[1,2]}").is_ok());
    assert_eq!(fault(reader, "{\"a\":[1,2,3]}"), (Kind::TooManyValues, 10));
    let reader = JsonReader::new().max_name_bytes(3).max_string_bytes(5);
    assert!(reader.read("{\"\\u0061\\u0061\\u0061\":\"\\u00e9\\u00e9b\"}".as_bytes()).is_ok());
    assert_eq!(fault(reader, "{\"aé\":1,\"éé\":1}"), (Kind::NameTooLong, 9));
    assert_eq!(fault(reader, "{\"aé\":\"ééé\"}"), (Kind::StringTooLong, 7));
    assert_eq!(fault(reader, "[\"\\ud83d\\ude00ab\"]"), (Kind::StringTooLong, 1));
}

#[test]
fn repeated_names_are_refused_or_marked_whatever_their_spelling() {
    let text = r#"{"a":1,"b":{"a":2,"a":[]},"\u0061":3,"c":4,"a":5}"#;
    // The first in the text, not the first that is noticed.
    assert_eq!(fault(JsonReader::new(), text), (Kind::DuplicateMember, 18));
    let document = JsonReader::new().report_repeated_names().read(text.as_bytes()).unwrap();
    let marked: Vec<_> =
        document.root().members().map(|(name, value)| (name.is_repeated(), value.raw())).collect();
    assert_eq!(marked, [(false, "1"), (false, r#"{"a":2,"a":[]}"#), (true, "3"), (false, "4"), (true, "5")]);
    let error = JsonReader::new().read(text.as_bytes()).unwrap_err();
    assert_eq!((error.offset(), error.path()), (Some(18), Some("/b/a")));
    // An earlier repeated name comes before a later fault, in however many open objects.
    assert_eq!(fault(JsonReader::new(), r#"{"a":1,"a":{"b":1,"b":[1,x"#), (Kind::DuplicateMember, 7));
    assert_eq!(fault(JsonReader::new(), r#"{"a":1,"b":{"b":1,"b":[1,x"#), (Kind::DuplicateMember, 18));
    assert_eq!(fault(JsonReader::new(), r#"{"a":1,"b":{"b":1,"c":[1,x"#), (Kind::UnexpectedByte, 25));
}

#[test]
fn many_members_take_linear_time_and_memory() {
    let mut text = String::from("{");
    for i in 0..50_000 {
        text.push_str(&format!("\"k{}\":{i},", i % 40_000));
    }
    text.push_str("\"end\":0}");
    let document = JsonReader::new().report_repeated_names().read(text.as_bytes()).unwrap();
    assert_eq!(document.root().members().filter(|(name, _)| name.is_repeated()).count(), 10_000);
}

#[test]
fn a_tape_is_read_into_again() {
    let (reader, mut tape) = (JsonReader::new(), JsonTape::default());
    assert_eq!(reader.read_into(b"[1,2,3]", &mut tape).unwrap().items().count(), 3);
    assert!(reader.read_into(b"[1,2", &mut tape).is_err());
    let value = reader.read_str_into("{\"a\":\"b\"}", &mut tape).unwrap();
    assert!(value.get("a").unwrap().is_str("b"));
}

/// Memory is at most 8 bytes a byte of text, also while it grows.
#[test]
fn memory_is_bounded() {
    for (piece, inside) in
        [("1,", ""), ("[],", ""), ("{\"\":1},", ""), ("\"\",", ""), ("{},", "[[[]]]"), ("1.5,", "")]
    {
        let mut text = String::from("[");
        text.push_str(inside);
        text.extend(std::iter::repeat_n(if inside.is_empty() { "" } else { "," }, 1));
        text.push_str(&piece.repeat(1 << 18));
        text.push_str("0]");
        let used = allocation_counter::measure(|| {
            JsonReader::new().read(text.as_bytes()).unwrap();
        });
        assert!(used.bytes_max <= 8 * text.len() as u64, "{piece}: {} for {}", used.bytes_max, text.len());
    }
    // Short names again and again, in one object and in many.
    for (piece, end) in
        [(r#""a":1,"#, r#""a":1"#), (r#""\u0061":1,"#, r#""a":1"#), (r#""b":{"a":1,"a":1},"#, r#""b":{}"#)]
    {
        for count in [3_000, 1 << 16, 100_000] {
            let text = ["{", &piece.repeat(count), end, "}"].concat();
            for reader in [JsonReader::new(), JsonReader::new().report_repeated_names()] {
                let used = allocation_counter::measure(|| drop(reader.read(text.as_bytes())));
                let most = 8 * text.len() as u64;
                assert!(used.bytes_max <= most, "{piece} {count}: {} for {}", used.bytes_max, text.len());
            }
        }
    }
}

/// The tree that serde_json reads is the one read here.
fn same(value: JsonValue<'_>, other: &Value) -> bool {
    match other {
        Value::Null => value.is_null(),
        Value::Bool(other) => value.as_bool() == Some(*other),
        Value::Number(number) => {
            value.as_f64() == number.as_f64()
                && number.as_i64().is_none_or(|number| value.as_i64() == Some(number))
                && number.as_u64().is_none_or(|number| value.as_u64() == Some(number))
        }
        Value::String(text) => value.as_str().unwrap() == *text && value.is_str(text),
        Value::Array(items) => {
            value.items().count() == items.len() && value.items().zip(items).all(|(a, b)| same(a, b))
        }
        Value::Object(members) => {
            value.members().count() == members.len()
                && value
                    .members()
                    .all(|(name, value)| members.get(&*name.as_str()).is_some_and(|other| same(value, other)))
        }
    }
}

/// Every value's pointer leads back to it, and its source is its own document.
fn check_places(value: JsonValue<'_>, root: JsonValue<'_>) {
    let found = root.pointer(&value.path()).unwrap();
    assert_eq!(found.span(), value.span());
    let alone = JsonReader::new().read_str(value.raw()).unwrap();
    assert_eq!(alone.root().kind(), value.kind());
    value.items().for_each(|item| check_places(item, root));
    for (name, member) in value.members() {
        assert_eq!(name.path(), member.path());
        assert!(name.span().end < member.span().start);
        check_places(member, root);
    }
}

proptest! {
    #[test]
    fn accepted_texts_are_read_as_serde_json_reads_them(document in documents(), seed in any::<u64>()) {
        let mut text = String::new();
        spell(&document, &mut choices(seed), &mut text);
        let parsed = serde_json::from_str::<Value>(&text);
        match JsonReader::new().read(text.as_bytes()) {
            Ok(read) => {
                prop_assert!(same(read.root(), &parsed.unwrap()), "{}", text);
                check_places(read.root(), read.root());
                prop_assert_eq!(read.root().raw(), text.trim_matches([' ', '\n', '\r', '\t']));
            }
            Err(error) => {
                prop_assert_eq!(error.kind(), Kind::NumberOverflow);
                prop_assert!(parsed.is_err());
            }
        }
    }

    /// A damaged text is refused exactly where serde_json refuses it or finds it to be another document, and the
    /// valid part of a text that is not UTF-8 has the faults that it has alone.
    #[test]
    fn damaged_texts_are_refused_as_serde_json_refuses_them(
        document in documents(), seed in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..3)
    ) {
        let mut text = String::new();
        let mut choices = choices(seed);
        spell(&document, &mut choices, &mut text);
        let mut damaged = text.into_bytes();
        let at = choices(damaged.len());
        match choices(3) {
            0 => damaged.truncate(at),
            1 => damaged.splice(at..=at, bytes.iter().copied()).for_each(drop),
            _ => damaged.splice(at..at, bytes.iter().copied()).for_each(drop),
        }
        let parsed = serde_json::from_slice::<Value>(&damaged);
        match JsonReader::new().read(&damaged) {
            Ok(read) => prop_assert!(same(read.root(), &parsed.unwrap())),
            Err(error) => {
                prop_assert!(error.offset().unwrap() <= damaged.len());
                prop_assert!(parsed.is_err() || error.kind() == Kind::DuplicateMember, "{error:?}");
                let lenient =
                    JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers();
                if let Err(later) = lenient.read(&damaged) {
                    prop_assert!(error.offset() <= later.offset());
                }
                if let Err(invalid) = std::str::from_utf8(&damaged) {
                    prop_assert!(error.offset().unwrap() <= invalid.valid_up_to());
                }
            }
        }
    }

    /// What is written as a string literal is read as the same text.
    #[test]
    fn written_strings_are_read_back(text in support::names()) {
        let mut literal = String::new();
        write_string(&text, &mut literal);
        prop_assert!(JsonReader::new().read_str(&literal).unwrap().root().is_str(&text));
        let canonical = tct_canonical_json::is_canonical(literal.as_bytes(), tct_canonical_json::Profile::Tct);
        prop_assert!(canonical, "{}", literal);
    }
}

#[test]
fn repeated_names_are_found_as_a_set_finds_them() {
    let mut choices = choices(7);
    for _ in 0..2000 {
        let count = choices(40);
        let names: Vec<String> = (0..count)
            .map(|_| {
                ["a", "b", "item", "member-name-", "member-name-and-more-", "é"][choices(6)].to_owned()
                    + &"x".repeat(choices(12))
            })
            .collect();
        let members: Vec<_> = names.iter().map(|name| (name.clone(), Json::Word("1"))).collect();
        let mut text = String::new();
        let object = Json::Object(members);
        spell(&object, &mut |bound| if bound == names.len() { 0 } else { choices(bound) }, &mut text);
        let document = JsonReader::new().report_repeated_names().read(text.as_bytes()).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for (name, _) in document.root().members() {
            assert_eq!(name.is_repeated(), !seen.insert(name.as_str().into_owned()), "{text}");
        }
        assert_eq!(JsonReader::new().read(text.as_bytes()).is_err(), seen.len() < names.len());
    }
}

/// Counted the slow way, one character after the other.
#[test]
fn lines_and_columns_are_counted_in_characters() {
    let text = "a\n\né\u{1F600}b\r\nx";
    let (mut line, mut column, mut offset) = (1, 1, 0);
    for character in text.chars() {
        let place = LineColumn::of(text.as_bytes(), offset);
        assert_eq!((place.line, place.column), (line, column), "{offset}");
        // Inside of a character: behind the part of it that has been read.
        for inside in 1..character.len_utf8() {
            let place = LineColumn::of(text.as_bytes(), offset + inside);
            assert_eq!((place.line, place.column), (line, column + 1), "{offset} and {inside}");
        }
        (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        offset += character.len_utf8();
    }
    // The end, and behind it.
    for at in [text.len(), text.len() + 1, usize::MAX] {
        let place = LineColumn::of(text.as_bytes(), at);
        assert_eq!((place.line, place.column), (line, column));
        assert_eq!(place.to_string(), "line 4, column 2");
    }
}

/// What is handed out as an object of strings is what the reader reads, and canonical.
#[test]
fn objects_of_strings_are_read_as_all_objects_are() {
    use tct_canonical_json::{Profile, is_canonical, read_canonical_strings};
    let long = "plain text \\n \\\"quoted\\\" \\\\ ".repeat(20);
    let high = "\u{e9}".repeat(70);
    let values = [
        "", "a", "\\n", "\\/", "\\u0001", "\\u00e9", "\\u001F", "\\ud800", "\u{e9}", "a\tb", "\\x", "\\",
        &long, &high,
    ];
    for profile in [Profile::Rfc8785, Profile::Tct] {
        for first in ["", "a", "b", "\\n", "\\u0061", "\u{e000}", "a name of more than sixteen bytes"] {
            for second in ["", "a", "b", "c", "\u{1f600}"] {
                for value in values {
                    for json in [
                        format!("{{\"{first}\":\"{value}\"}}"),
                        format!("{{\"{first}\":\"\",\"{second}\":\"{value}\"}}"),
                        format!("{{\"{first}\":\"{value}\",\"{second}\":1}}"),
                        format!("{{\"{first}\":\"{value}\",}}"),
                        format!("{{\"{first}\":\"{value}\"}} "),
                        format!("{{\"{first}\" :\"{value}\"}}"),
                        format!("{{\"{first}\":\"{value}\"}}}}"),
                        format!("{{\"{first}\":\"{value}"),
                        format!("[\"{first}\",\"{value}\"]"),
                    ] {
                        let mut members = Vec::new();
                        let is_read = read_canonical_strings(json.as_bytes(), profile, |name, spelled| {
                            members.push((name.to_owned(), format!("\"{spelled}\"")));
                            true
                        });
                        let document = JsonReader::new().read(json.as_bytes());
                        let is_plain = !json.contains("\\u") && !first.contains('\\');
                        if is_read {
                            let document = document.unwrap();
                            let expected = document.root().members();
                            let expected: Vec<_> = expected
                                .map(|(name, value)| (name.as_str().into_owned(), value.raw().to_owned()))
                                .collect();
                            assert_eq!(members, expected, "{json}");
                            assert!(is_canonical(json.as_bytes(), profile), "{json}");
                        } else if let Ok(document) = document {
                            let is_object_of_strings = document.root().members().count() > 0
                                && document.root().members().all(|(_, value)| value.as_str().is_some());
                            let is_canonical = is_canonical(json.as_bytes(), profile);
                            assert!(!(is_plain && is_object_of_strings && is_canonical), "{json}");
                        }
                    }
                }
            }
        }
    }
    assert!(!read_canonical_strings(b"{\"a\":\"\xC3\"}", Profile::Tct, |_, _| true));
    assert!(!read_canonical_strings(b"{\"a\":\"\"}", Profile::Tct, |_, _| false));
    assert!(!read_canonical_strings(b"{}", Profile::Tct, |_, _| true));
}
