//! The text of every error, and where each one points.
#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use insta::assert_snapshot;
use tct_canonical_json::{
    Canonicalizer, JsonReader, JsonStream, Profile, Typed, check_canonical, serialize, to_canonical,
};

#[test]
fn texts() {
    let texts: &[&[u8]] = &[
        b"", b" ", b"[1,", b"[1,]", b"{\"a\":1,}", b"{\"a\" 1}", b"{\"a\":}", b"{1:2}", b"[1 2]", b"{\"a\":[1 2]}",
        b"[tru]", b"nul", b"{} x", b"1\n\n2", b"\xEF\xBB\xBF{}", b"[\xFF]", b"\"\xC0\xAF\"", b"{\"a\":\"\xE2\x82\"}",
        b"\"\xED\xA0\x80\"", b"{\"k\":\"\\ud800\"}", b"{\"\\udc00\":1}", b"\"\\ud800\\u0041\"", b"\"a\nb\"",
        b"{\"a\":\"\\x41\"}", b"\"\\u12\"", b"\"\\u12", b"\"abc", b"01", b"-", b"1.", b"1e+", b"+1", b".5", b"NaN",
        b"-Infinity", b"{\"a\":[0,1e999]}", b"{\"a\":1,\"a\":2}", b"[{\"b\":1,\"a\":2,\"\\u0062\":3}]",
        b"{\"a/b\":{\"~\":1,\"~\":2}}", b"{\"\\u00e9\\n\":1,\"\\u00e9\\n\":2}",
        b"{\"a name that is longer than the message shows\":1,\"a name that is longer than the message shows\":2}",
        "\"caf\u{e9}\"\u{a0}".as_bytes(), "[\u{a0}]".as_bytes(),
    ];
    let mut all = String::new();
    for text in texts {
        let error = to_canonical(text, Profile::Tct).unwrap_err();
        let path = error.path().unwrap_or("-");
        writeln!(
            all,
            "{}\n    {error}\n    {:?} {path:?} {}",
            text.escape_ascii(),
            error.kind(),
            error.requirement()
        )
        .unwrap();
    }
    assert_snapshot!(all);
}

#[test]
fn limits() {
    let canonicalizer = Canonicalizer::new(Profile::Rfc8785).max_depth(2).max_input(20).max_output(20);
    let mut all = String::new();
    for text in ["[[[]]]", "{\"a\":[{}]}", "\"a text of twenty-one\""] {
        writeln!(all, "{}", canonicalizer.to_canonical(text.as_bytes()).unwrap_err()).unwrap();
    }
    writeln!(all, "{}", canonicalizer.to_canonical(Typed(&[[[0]]])).unwrap_err()).unwrap();
    writeln!(all, "{}", canonicalizer.to_canonical(Typed("a text of twenty-one")).unwrap_err()).unwrap();
    assert_snapshot!(all);
}

#[test]
fn typed_values() {
    let mut all = String::new();
    let mut note = |error: tct_canonical_json::JsonError| writeln!(all, "{error}").unwrap();
    note(serialize::to_vec(&u64::MAX, Profile::Tct).unwrap_err());
    note(serialize::to_vec(&BTreeMap::from([("a", [1, 1u64 << 60])]), Profile::Tct).unwrap_err());
    note(serialize::to_vec(&[f64::NAN], Profile::Tct).unwrap_err());
    note(serialize::to_vec(&[f32::INFINITY], Profile::Tct).unwrap_err());
    note(serialize::to_vec(&BTreeMap::from([((1, 2), 3)]), Profile::Tct).unwrap_err());
    note(serialize::to_vec(&[BTreeMap::from([(vec![1], 3)])], Profile::Tct).unwrap_err());
    assert_snapshot!(all);
}

#[test]
fn deviations() {
    let texts = [
        "{ \"a\":1}",
        "[1, 2]",
        "[1]\n",
        "{\"b\":1,\"a\":2}",
        "{\"a\":1,\"a\":2}",
        "1.0",
        "[1e5]",
        "-0",
        "1.50",
        "0.10000000000000001",
        "9007199254740993",
        "\"\\/\"",
        "\"\\u0041\"",
        "\"\\u000A\"",
        "\"\\u001F\"",
        "\"\\ud83d\\ude00\"",
        "\"\n\"",
        "[1,]",
        "tru",
        "{\"a\"",
        "1e999",
        "[}",
        "{} {}",
        "\"\\x\"",
        "\u{feff}1",
        "",
    ];
    let mut all = String::new();
    for text in texts {
        let deviation = check_canonical(text.as_bytes(), Profile::Tct).unwrap();
        writeln!(all, "{}\n    {deviation}\n    {:?}", text.escape_default(), deviation.kind()).unwrap();
    }
    assert_snapshot!(all);
}

#[test]
fn what_is_logged() {
    let error = to_canonical(b"{\"a\":[1,]}", Profile::Tct).unwrap_err();
    let shown = format!("{error:?}");
    let expected = format!(
        "JsonError {{ kind: {:?}, offset: Some(8), path: Some(\"/a/1\"), message: {error} }}",
        error.kind()
    );
    assert_eq!(shown, expected);
    let read = JsonReader::new().read(br#"{ "\u0061" : [1.0, "\n"] }"#).unwrap();
    let (name, value) = read.root().members().next().unwrap();
    assert_eq!(format!("{name:?} {value:?}"), r#""\u0061" [1.0, "\n"]"#);
    let mut stream = JsonStream::new(JsonReader::new());
    let mut events = stream.push(b" [1,2");
    assert!(events.next().unwrap().is_some());
    assert_eq!(format!("{events:?}"), "JsonEvents { offset: 2, .. }");
}
