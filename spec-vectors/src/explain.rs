//! The report of a failed case. `run.py` and the JavaScript package print the same: change them
//! together.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{self, GeneralPurpose};
use serde_json::{Map, Value};

use crate::{Case, Expected, catalogues};

/// Longest value that is shown whole, in characters.
const MOST: usize = 400;

pub(crate) fn story(name: &str, op: &str, case: &Case, answer: Option<&Value>) -> String {
    let mut lines = vec![format!("{}  ({name}.json, {op}, basis {})", case.id, case.basis.as_str())];
    let mut tell = |label: &str, text: &str| lines.push(format!("  {label:9} {text}"));
    tell("why", case.comment.as_deref().unwrap_or("the case has no comment"));
    tell("input", &shown(&readable(&Value::Object(case.input.clone())), MOST));
    match &case.expected {
        Expected::Ok(ok) => tell("expected", &shown(&readable(&Value::Object(ok.clone())), MOST)),
        Expected::Err(err) => tell("expected", &format!("an error of kind {}", err.kind)),
    }
    match answer.map(|answer| (answer.get("ok"), answer.get("err"))) {
        None | Some((None, None)) => tell("found", "no answer"),
        Some((_, Some(err))) => {
            let kind = err.get("kind").and_then(Value::as_str).unwrap_or("that is not named");
            let message =
                err.get("message").and_then(Value::as_str).map(|text| format!(": {}", visible(text)));
            tell("found", &format!("an error of kind {kind}{}", message.unwrap_or_default()));
        }
        Some((Some(found), None)) => {
            tell("found", &shown(&readable(found), MOST));
            if let Some(told) = case.expected.ok().and_then(|ok| first_difference(ok, found)) {
                tell("differs", &told);
            }
        }
    }
    let rows: Vec<_> = catalogues()
        .flat_map(|catalogue| {
            catalogue.requirements.into_iter().map(move |row| (catalogue.spec.clone(), row))
        })
        .filter(|(_, row)| case.requirements.contains(&row.id))
        .collect();
    let mut places: Vec<String> = Vec::new();
    if let Some(text) = hashed(op, case) {
        tell("hashed", &format!("the text that goes into the digest is {}", shown(&text, MOST)));
    }
    for id in &case.requirements {
        let Some((spec, row)) = rows.iter().find(|(_, row)| row.id == *id) else {
            tell("rule", id);
            continue;
        };
        tell("rule", &format!("{id} ({}, {}): {}", row.level.as_str(), row.role, row.text));
        if let Some(problem) = &row.problem {
            tell("open", problem);
        }
        let place = format!("{spec}, “{}”", case.section.as_deref().unwrap_or(&row.section));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.iter().for_each(|place| tell("where", place));
    lines.join("\n")
}

/// What a text is before it is hashed: a digest that differs does not tell where its input did.
fn hashed(op: &str, case: &Case) -> Option<Value> {
    let text = case.input.get("text").filter(|_| op == "tct.fingerprint")?;
    let twins = crate::set("tct/normalize")?;
    let twin = twins.cases.iter().find(|twin| twin.input.get("text") == Some(text))?;
    twin.expected.ok()?.get("text").cloned()
}

/// Where an answer differs first from the expected members; what it has beside them does not count.
fn first_difference(expected: &Map<String, Value>, found: &Value) -> Option<String> {
    let asked = |members: &Map<String, Value>| {
        let members = members.iter().filter(|(name, _)| expected.contains_key(*name));
        Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let (expected_all, found_all) =
        (Value::Object(expected.clone()), found.as_object().map_or(found.clone(), asked));
    // Base64 that differs and decodes to the same text is still a difference.
    difference(&readable(&expected_all), &readable(&found_all), "")
        .or_else(|| difference(&expected_all, &found_all, ""))
}

/// The first difference in words: a JSON Pointer, and in texts the character.
fn difference(expected: &Value, found: &Value, at: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let place = if at.is_empty() { "the answer" } else { at };
    Some(match (expected, found) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (name, value) in ours {
                let inner = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                let Some(other) = theirs.get(name) else {
                    // The member's own name, under which an answer has to have it.
                    let inner = inner.strip_suffix(" decoded").unwrap_or(&inner);
                    return Some(format!("{inner}: missing, expected {}", shown(value, 120)));
                };
                if let Some(told) = difference(value, other, &inner) {
                    return Some(told);
                }
            }
            let extra = theirs.keys().find(|name| !ours.contains_key(*name))?;
            format!("{place}: has a member {extra:?} that is not expected")
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            let told = ours.iter().zip(theirs).enumerate();
            let told =
                told.filter_map(|(n, (one, other))| difference(one, other, &format!("{at}/{n}"))).next();
            told.unwrap_or_else(|| {
                format!("{place}: expected {} elements, found {}", ours.len(), theirs.len())
            })
        }
        (Value::String(ours), Value::String(theirs)) => {
            let common = ours.chars().zip(theirs.chars()).take_while(|(one, other)| one == other).count();
            let end = |text: &str| {
                text.chars().nth(common).map_or_else(
                    || "the end".to_owned(),
                    |c| format!("U+{:04X} {}", u32::from(c), visible(&c.to_string())),
                )
            };
            let length = ours.chars().count();
            format!(
                "{place}: at character {common} (of {length}), expected {}, found {}",
                end(ours),
                end(theirs)
            )
        }
        _ => format!("{place}: expected {}, found {}", shown(expected, 120), shown(found, 120)),
    })
}

/// The text with what cannot be seen, or joins its neighbour, escaped.
fn visible(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\'' | '\\' => plain.push(c),
            c => plain.extend(c.escape_debug()),
        }
    }
    plain
}

/// A value on one line, shortened in its middle.
fn shown(value: &Value, most: usize) -> String {
    let text = visible(&value.to_string());
    let length = text.chars().count();
    if length <= most {
        return text;
    }
    let head: String = text.chars().take(most * 2 / 3).collect();
    let tail: String = text.chars().skip(length - most / 3).collect();
    format!("{head} …{} characters… {tail}", length - most)
}

/// The value with each member `…_b64` decoded, and renamed so that nobody takes it for the input's spelling.
fn readable(value: &Value) -> Value {
    match value {
        Value::Array(elements) => Value::Array(elements.iter().map(readable).collect()),
        Value::Object(members) => {
            let plain = members.iter().map(|(name, value)| {
                let decoded = value.as_str().filter(|_| name.ends_with("_b64")).and_then(decode);
                match decoded {
                    Some(text) => (format!("{name} decoded"), Value::String(text)),
                    None => (name.clone(), readable(value)),
                }
            });
            Value::Object(plain.collect())
        }
        plain => plain.clone(),
    }
}

/// What standard base64 stands for: its text, or its bytes in hexadecimal digits.
fn decode(text: &str) -> Option<String> {
    // Lenient in the last bits alone, so that two spellings of the same bytes read the same.
    const ENGINE: GeneralPurpose =
        GeneralPurpose::new(&alphabet::STANDARD, general_purpose::PAD.with_decode_allow_trailing_bits(true));
    Some(String::from_utf8(ENGINE.decode(text).ok()?).unwrap_or_else(|error| {
        let hex: Vec<String> = error.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("bytes {}", hex.join(" "))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named() {
        for (expected, found, told) in [
            (
                json!({ "a": [1, { "b/c": "xy" }] }),
                json!({ "a": [1, { "b/c": "x\u{e9}" }] }),
                "/a/1/b~1c: at character 1 (of 2), expected U+0079 y, found U+00E9 é",
            ),
            (
                json!({ "a": "é" }),
                json!({ "a": "e\u{301}" }),
                "/a: at character 0 (of 1), expected U+00E9 é, found U+0065 e",
            ),
            (
                json!({ "a": "x" }),
                json!({ "a": "x\u{200b}" }),
                "/a: at character 1 (of 1), expected the end, found U+200B \\u{200b}",
            ),
            (json!({ "a": 1 }), json!({}), "/a: missing, expected 1"),
            (json!({ "a_b64": "eA==" }), json!({ "a": "x" }), "/a_b64: missing, expected \"x\""),
            (json!({ "a": [1, 2] }), json!({ "a": [1] }), "/a: expected 2 elements, found 1"),
            (
                json!({ "a": { "b": 1 } }),
                json!({ "a": { "b": 1, "c": 2 } }),
                "/a: has a member \"c\" that is not expected",
            ),
            (json!({ "a": true }), json!({ "a": "true" }), "/a: expected true, found \"true\""),
            (
                json!({ "a_b64": "eA==" }),
                json!({ "a_b64": "eQ==" }),
                "/a_b64 decoded: at character 0 (of 1), expected U+0078 x, found U+0079 y",
            ),
            (
                json!({ "a_b64": "eA==" }),
                json!({ "a_b64": "eB==" }),
                "/a_b64: at character 1 (of 4), expected U+0041 A, found U+0042 B",
            ),
        ] {
            assert_eq!(first_difference(expected.as_object().unwrap(), &found).as_deref(), Some(told));
        }
        assert_eq!(
            first_difference(json!({ "a": 1 }).as_object().unwrap(), &json!({ "a": 1, "b": 2 })),
            None
        );
    }

    #[test]
    fn base64_is_decoded_or_left() {
        assert_eq!(decode("aGVsbG8=").as_deref(), Some("hello"));
        assert_eq!(decode("/w==").as_deref(), Some("bytes ff"));
        assert_eq!(decode("").as_deref(), Some(""));
        assert_eq!((decode("a"), decode("a==="), decode("a*==")), (None, None, None));
    }
}
