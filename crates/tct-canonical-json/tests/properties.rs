//! Properties of any document, beside a plain version and other implementations.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use proptest::prelude::*;
use serde_json::Value;
use tct_canonical_json::{
    CanonicalJsonErrorKind as Kind, Canonicalizer, FmtSink, IoSink, Profile, check_canonical, is_canonical,
    profiles_agree, serialize, to_canonical, value,
};

/// A document as a tree that keeps the order of members and the spelling of numbers.
#[derive(Debug, Clone)]
enum Json {
    Word(&'static str),
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-d]{0,3}",
        "(member|mem)[a-c/\\\\\"\n]{0,10}",
        "[\u{0}-\u{22}\u{7f}\u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff}]{0,3}",
        any::<String>(),
    ]
}

fn numbers() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        (any::<i32>(), "[0-9]{1,20}").prop_map(|(n, fraction)| format!("{n}.{fraction}")),
        any::<u64>()
            .prop_map(f64::from_bits)
            .prop_filter("finite", |n| n.is_finite())
            .prop_map(|n| format!("{n:e}")),
        "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?",
    ]
}

fn documents() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        prop_oneof![Just("null"), Just("true"), Just("false")].prop_map(Json::Word),
        numbers().prop_map(Json::Number),
        names().prop_map(Json::Text),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
            prop::collection::vec((names(), inner), 0..6).prop_map(|members| {
                let mut seen = std::collections::BTreeSet::new();
                Json::Object(members.into_iter().filter(|(name, _)| seen.insert(name.clone())).collect())
            }),
        ]
    })
}

/// Writes a document as a text, in one of many ways that mean the same; `choices` decide between them.
fn spell(json: &Json, choices: &mut impl FnMut(usize) -> usize, out: &mut String) {
    let space = |choices: &mut dyn FnMut(usize) -> usize, out: &mut String| {
        out.push_str(["", "", "", " ", "\n  ", "\t\r\n                 "][choices(6)]);
    };
    space(choices, out);
    match json {
        Json::Word(word) => out.push_str(word),
        Json::Number(number) => out.push_str(number),
        Json::Text(text) => spell_text(text, choices, out),
        Json::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                spell(item, choices, out);
            }
            if items.is_empty() {
                space(choices, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            let first = choices(members.len().max(1));
            for i in 0..members.len() {
                let (name, member) = &members[(first + i) % members.len()];
                if i > 0 {
                    out.push(',');
                }
                space(choices, out);
                spell_text(name, choices, out);
                space(choices, out);
                out.push(':');
                spell(member, choices, out);
            }
            out.push('}');
        }
    }
    space(choices, out);
}

fn spell_text(text: &str, choices: &mut impl FnMut(usize) -> usize, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        let must = c < ' ' || c == '"' || c == '\\';
        match (c, choices(if must { 2 } else { 6 })) {
            ('\n', 0) => out.push_str("\\n"),
            ('"' | '\\' | '/', 0) => out.extend(['\\', c]),
            (c, 0 | 1) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let digits = format!("{unit:04x}");
                    out.push_str("\\u");
                    out.push_str(&if choices(2) == 0 { digits } else { digits.to_uppercase() });
                }
            }
            (c, _) => out.push(c),
        }
    }
    out.push('"');
}

/// The canonical form, written the plain way: sort, then print. `None` where a number overflows.
fn plain(json: &Json, profile: Profile) -> Option<String> {
    Some(match json {
        Json::Word(word) => (*word).to_owned(),
        Json::Number(number) => {
            let double = number.parse::<f64>().ok().filter(|double| double.is_finite())?;
            ryu_js::Buffer::new().format_finite(double).to_owned()
        }
        Json::Text(text) => plain_text(text),
        Json::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(|item| plain(item, profile)).collect();
            format!("[{}]", items?.join(","))
        }
        Json::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| match profile {
                Profile::Rfc8785 => a.encode_utf16().cmp(b.encode_utf16()),
                Profile::Tct => a.chars().cmp(b.chars()),
            });
            let members: Option<Vec<_>> = sorted
                .into_iter()
                .map(|(name, member)| Some(format!("{}:{}", plain_text(name), plain(member, profile)?)))
                .collect();
            format!("{{{}}}", members?.join(","))
        }
    })
}

fn plain_text(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        c if c < ' ' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Choices from a seed, so that a failing case can be run again.
fn choices(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    }
}

proptest! {
    /// Order of members, white space and escapes make no difference; every way out gives the plain version's bytes.
    #[test]
    fn all_spellings_have_one_canonical_form(document in documents(), seeds in any::<[u64; 2]>()) {
        for profile in [Profile::Tct, Profile::Rfc8785] {
            for seed in seeds {
                let mut text = String::new();
                spell(&document, &mut choices(seed), &mut text);
                let answer = to_canonical(text.as_bytes(), profile);
                let Some(expected) = plain(&document, profile) else {
                    prop_assert_eq!(answer.unwrap_err().kind(), Kind::NumberOverflow);
                    continue;
                };
                prop_assert_eq!(String::from_utf8(answer.unwrap()).unwrap(), expected.clone());
                // It is a fixed point, and the only one.
                prop_assert_eq!(to_canonical(expected.as_bytes(), profile).unwrap(), expected.as_bytes());
                prop_assert_eq!(check_canonical(expected.as_bytes(), profile), None);
                prop_assert_eq!(is_canonical(text.as_bytes(), profile), text == expected);
                let agree = plain(&document, Profile::Tct) == plain(&document, Profile::Rfc8785);
                prop_assert_eq!(profiles_agree(text.as_bytes()), Ok(agree));
                let (mut printed, mut written) = (String::new(), Vec::new());
                let canonicalizer = Canonicalizer::new(profile);
                canonicalizer.write_to(text.as_bytes(), FmtSink(&mut printed)).unwrap();
                canonicalizer.write_to(text.as_bytes(), IoSink(&mut written)).unwrap();
                prop_assert_eq!(&printed, &expected);
                prop_assert_eq!(&written, expected.as_bytes());
            }
        }
    }

    /// serde_json reads the output as it reads the input, and the peers' bytes are ours.
    #[test]
    fn other_implementations_agree(document in documents(), seed in any::<u64>()) {
        let mut text = String::new();
        spell(&document, &mut choices(seed), &mut text);
        let Ok(canonical) = to_canonical(text.as_bytes(), Profile::Rfc8785) else { return Ok(()) };
        let parsed: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&serde_json_canonicalizer::to_vec(&parsed).unwrap(), &canonical);
        let reparsed: Value = serde_json::from_slice(&canonical).unwrap();
        prop_assert_eq!(serde_json_canonicalizer::to_vec(&reparsed).unwrap(), canonical.clone());
        for typed in [
            value::to_vec(&parsed, Profile::Rfc8785),
            serialize::to_vec(&parsed, Profile::Rfc8785),
        ] {
            match typed {
                Ok(typed) => prop_assert_eq!(&typed, &canonical),
                Err(error) => prop_assert_eq!(error.kind(), Kind::UnsafeInteger),
            }
        }
    }

    /// A text that is cut, or has one byte changed, gives an answer or an error at a place in it, and never a panic.
    #[test]
    fn damaged_texts_end_in_answers(document in documents(), seed in any::<u64>(), byte in any::<u8>()) {
        let mut text = String::new();
        let mut choices = choices(seed);
        spell(&document, &mut choices, &mut text);
        let mut damaged = text.into_bytes();
        let at = choices(damaged.len());
        if choices(2) == 0 { damaged.truncate(at) } else { damaged[at] = byte }
        match to_canonical(&damaged, Profile::Tct) {
            Ok(canonical) => prop_assert!(is_canonical(&canonical, Profile::Tct)),
            Err(error) => {
                prop_assert!(error.offset().unwrap() <= damaged.len());
                prop_assert!(serde_json::from_slice::<Value>(&damaged).is_err()
                    || error.kind() == Kind::DuplicateMember, "{error:?}");
            }
        }
    }
}
