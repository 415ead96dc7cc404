//! Documents for property tests, and the many ways to spell them.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use proptest::prelude::*;

/// A document as a tree that keeps the order of members and the spelling of numbers.
#[derive(Debug, Clone)]
pub(crate) enum Json {
    Word(&'static str),
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

pub(crate) fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-d]{0,3}",
        "(member|mem)[a-c/\\\\\"\n]{0,10}",
        "[\u{0}-\u{22}\u{7f}\u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff}]{0,3}",
        any::<String>(),
    ]
}

pub(crate) fn numbers() -> impl Strategy<Value = String> {
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

pub(crate) fn documents() -> impl Strategy<Value = Json> {
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
pub(crate) fn spell(json: &Json, choices: &mut impl FnMut(usize) -> usize, out: &mut String) {
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

pub(crate) fn spell_text(text: &str, choices: &mut impl FnMut(usize) -> usize, out: &mut String) {
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

/// Choices from a seed, so that a failing case can be run again.
pub(crate) fn choices(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    }
}
