//! Properties of any document, beside a plain version and other implementations.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use crate::support;

use std::fmt::Write as _;
use std::io::Write as _;

use proptest::prelude::*;
use serde_json::Value;
use support::{Json, choices, documents, spell};
use tct_canonical_json::{
    Canonicalizer, JsonErrorKind as Kind, Profile, check_canonical, is_canonical, profiles_agree, serialize,
    to_canonical, value,
};

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
                canonicalizer.write_to(text.as_bytes(), |piece| printed.write_str(std::str::from_utf8(piece).unwrap())).unwrap();
                canonicalizer.write_to(text.as_bytes(), |piece| written.write_all(piece)).unwrap();
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
