//! Text to canonical bytes, case by case.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says what it expects in the plainest way"
)]

use std::fmt::Write as _;

use tct_canonical_json::{
    Canonicalizer, JsonErrorKind as Kind, Profile, is_canonical, profiles_agree, to_canonical,
    write_canonical,
};

fn tct(text: &str) -> String {
    String::from_utf8(to_canonical(text.as_bytes(), Profile::Tct).expect(text)).unwrap()
}

fn kind(text: &[u8]) -> Kind {
    to_canonical(text, Profile::Tct).unwrap_err().kind()
}

#[test]
fn members_are_put_in_order_at_every_depth() {
    assert_eq!(tct(r#"{"b":1,"a":2}"#), r#"{"a":2,"b":1}"#);
    assert_eq!(tct(r#"[{"b":[{"d":1,"c":2}],"a":2}]"#), r#"[{"a":2,"b":[{"c":2,"d":1}]}]"#);
    assert_eq!(tct(r#"{"":1,"aa":2,"a":3}"#), r#"{"":1,"a":3,"aa":2}"#);
    assert_eq!(tct(r#"{ "b" : { } , "a" : [ ] }"#), r#"{"a":[],"b":{}}"#);
    // Escaped names compare by what they mean.
    assert_eq!(tct(r#"{"\u0062":1,"\u0061":2}"#), r#"{"a":2,"b":1}"#);
    assert_eq!(tct("{\"a!\":1,\"a\\n\":2,\"a\\\"\":3}"), "{\"a\\n\":2,\"a!\":1,\"a\\\"\":3}");
}

#[test]
fn deep_unsorted_objects_come_out_in_order() {
    for depth in 1..=126 {
        let (mut text, mut expected) = (String::from("0"), String::from("0"));
        for level in 1..depth {
            text = format!(r#"{{"c":{{"z":{level},"y":[1.0]}},"b":{text},"a":{level}}}"#);
            expected = format!(r#"{{"a":{level},"b":{expected},"c":{{"y":[1],"z":{level}}}}}"#);
        }
        assert_eq!(tct(&text), expected);
        let mut buffer = b"kept ".to_vec();
        write_canonical(text.as_bytes(), Profile::Rfc8785, &mut buffer).unwrap();
        assert_eq!(buffer, format!("kept {expected}").as_bytes());
        let mut printed = String::new();
        Canonicalizer::new(Profile::Tct)
            .write_to(text.as_bytes(), |piece| printed.write_str(std::str::from_utf8(piece).unwrap()))
            .unwrap();
        assert_eq!(printed, expected);
    }
}

#[test]
fn the_profiles_differ_in_order_only() {
    let text = "{\"\u{E000}\":1,\"\u{1F600}\":2}".as_bytes();
    assert_eq!(to_canonical(text, Profile::Tct).unwrap(), text);
    let utf16 = "{\"\u{1F600}\":2,\"\u{E000}\":1}".as_bytes();
    assert_eq!(to_canonical(text, Profile::Rfc8785).unwrap(), utf16);
    assert!(is_canonical(text, Profile::Tct) && !is_canonical(text, Profile::Rfc8785));
    assert!(!profiles_agree(text).unwrap());
    assert!(profiles_agree("{\"\u{E000}\":{\"\u{1F600}\":2}}".as_bytes()).unwrap());
}

#[test]
fn a_name_may_stand_once() {
    assert_eq!(kind(br#"{"a":1,"a":2}"#), Kind::DuplicateMember);
    assert_eq!(kind(br#"{"a":1,"b":1,"\u0061":2}"#), Kind::DuplicateMember);
    assert_eq!(kind(br#"{"":1,"":2}"#), Kind::DuplicateMember);
    assert_eq!(tct(r#"{"a":1,"a\u0000":2}"#), r#"{"a":1,"a\u0000":2}"#);
    let error = to_canonical(br#"{"x":[0,{"b":1,"a/~":2,"a\/~":3}]}"#, Profile::Tct).unwrap_err();
    assert_eq!((error.offset(), error.path()), (Some(23), Some("/x/1/a~1~0")));
}

#[test]
fn a_buffer_is_as_it_was_after_an_error() {
    let mut buffer = b"kept".to_vec();
    write_canonical(b"[1, 2, ", Profile::Tct, &mut buffer).unwrap_err();
    assert_eq!(buffer, b"kept");
}

#[test]
fn depth_is_bounded_and_costs_no_stack() {
    let nested = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
    assert!(to_canonical(&nested(128), Profile::Tct).is_ok());
    assert_eq!(kind(&nested(129)), Kind::TooDeep);
    let deep = nested(3_000_000);
    let unbounded = Canonicalizer::new(Profile::Tct).max_depth(usize::MAX);
    assert_eq!(unbounded.to_canonical(&deep).unwrap(), deep);
    assert!(unbounded.check_canonical(&deep).is_none());
}

/// The output of a text may be longer than the text, and has a limit of its own.
#[test]
fn input_and_output_are_limited_apart() {
    let numbers = b"[1e20,1e20]";
    let canonicalizer = Canonicalizer::new(Profile::Tct).max_input(numbers.len());
    assert_eq!(canonicalizer.to_canonical(numbers).unwrap().len(), 45);
    assert_eq!(canonicalizer.profiles_agree(numbers), Ok(true));
    assert_eq!(canonicalizer.max_output(45).to_canonical(numbers).unwrap().len(), 45);
    for limit in 0..45 {
        let mut out = b"before".to_vec();
        let error = canonicalizer.max_output(limit).write_canonical(numbers, &mut out).unwrap_err();
        assert_eq!((error.kind(), out.as_slice()), (Kind::TooLarge, &b"before"[..]), "{limit}");
        assert!(error.to_string().contains("bytes of canonical JSON"), "{error}");
    }
    let error = canonicalizer.max_input(10).to_canonical(numbers).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (Kind::TooLarge, Some(10)));
    assert_eq!(canonicalizer.max_input(10).profiles_agree(numbers).unwrap_err(), error);
    assert_eq!(Canonicalizer::new(Profile::Tct).max_output(2).to_canonical(b" [ ] ").unwrap(), b"[]");
}
