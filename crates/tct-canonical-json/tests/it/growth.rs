//! Eight times the input takes about eight times as long, for every kind of text that could make it otherwise.
#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use covers::covers;

use tct_canonical_json::{Canonicalizer, Profile};

/// A kind of text by its name, and the text for a size.
type Kind = (&'static str, fn(usize) -> String);

#[test]
fn time_grows_with_the_text() {
    // Each makes a text of about `n` times twenty bytes.
    let kinds: [Kind; 9] = [
        ("nested arrays", |n| format!("{}{}", "[".repeat(10 * n), "]".repeat(10 * n))),
        ("nested objects, each out of order", |n| {
            format!("{}0{}", r#"{"b":1,"c":"#.repeat(n), r#","a":22}"#.repeat(n))
        }),
        ("the same in arrays", |n| format!("{}0{}", r#"{"b":[1,"#.repeat(n), r#"],"a":2.0}"#.repeat(n))),
        ("one object out of order", |n| {
            let members: Vec<_> = (0..n).rev().map(|i| format!(r#""member{i:08}":1"#)).collect();
            format!("{{{}}}", members.join(","))
        }),
        ("names with long common parts", |n| {
            let members: Vec<_> =
                (0..n / 50).rev().map(|i| format!(r#""{}{i:08}":1"#, "x".repeat(1000))).collect();
            format!("{{{}}}", members.join(","))
        }),
        ("escapes to be rewritten", |n| format!("\"{}\"", r"\u00e9\/\u0041\u000A".repeat(n))),
        ("escaped names", |n| {
            let members: Vec<_> = (0..n).rev().map(|i| format!(r#""\u0041\n{i:08}":1"#)).collect();
            format!("{{{}}}", members.join(","))
        }),
        ("digits of one number", |n| format!("0.{}", "1234567890".repeat(2 * n))),
        ("white space", |n| format!("[{}1]", " \n\t\r ".repeat(4 * n))),
    ];
    for (kind, text) in kinds {
        let (short, long) = (text(2_000), text(16_000));
        let canonicalizer = Canonicalizer::new(Profile::Rfc8785).max_depth(usize::MAX);
        linear::assert_linear(kind, [short.len(), long.len()], |size| {
            let text = if size == short.len() { &short } else { &long };
            let canonical = canonicalizer.to_canonical(text.as_bytes()).unwrap();
            assert!(canonicalizer.check_canonical(&canonical).is_none());
        });
    }
}

#[test]
#[covers("TCT-SEC-10")]
fn a_megabyte_and_a_hundred_levels_are_accepted() {
    let canonicalizer = Canonicalizer::new(Profile::Tct);
    let text = format!("\"{}\"", "a".repeat(1 << 20));
    assert_eq!(canonicalizer.to_canonical(text.as_bytes()).unwrap(), text.as_bytes());
    let nested = format!("{}{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(canonicalizer.to_canonical(nested.as_bytes()).unwrap(), nested.as_bytes());
}
