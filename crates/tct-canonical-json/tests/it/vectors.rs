//! The published vectors, straight through the crate.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use serde_json::Value;
use spec_vectors::Expected;
use tct_canonical_json::{Canonicalizer, Profile, check_canonical, to_canonical};

#[test]
fn every_vector_holds() {
    let set = spec_vectors::set("tct/canonical-json").unwrap();
    for case in &set.cases {
        let text = base64(&case.input["json_b64"]);
        let profile = match case.input["profile"].as_str() {
            Some("rfc8785") => Profile::Rfc8785,
            Some("tct") => Profile::Tct,
            other => panic!("{}: profile {other:?}", case.id),
        };
        let answer = to_canonical(&text, profile);
        match &case.expected {
            Expected::Ok(ok) => {
                let expected = base64(&ok["json_b64"]);
                assert_eq!(answer.as_deref(), Ok(&expected[..]), "{}", case.id);
                assert_eq!(check_canonical(&text, profile).is_none(), text == expected, "{}", case.id);
                assert_eq!(check_canonical(&expected, profile), None, "{}", case.id);
            }
            Expected::Err(expected) => {
                let error = answer.unwrap_err();
                assert_eq!(kebab(&format!("{:?}", error.kind())), expected.kind, "{}", case.id);
                assert!(error.offset().is_some_and(|offset| offset <= text.len()), "{}", case.id);
                let mut pieces = 0;
                let written = Canonicalizer::new(profile).write_to(&text, |_| {
                    pieces += 1;
                    Ok::<(), std::convert::Infallible>(())
                });
                assert!(written.is_err() && pieces == 0, "{}", case.id);
                assert!(check_canonical(&text, profile).is_some(), "{}", case.id);
            }
        }
    }
}

/// Every requirement of the catalogue that falls to this crate has a vector.
#[test]
fn every_requirement_has_a_vector() {
    let set = spec_vectors::set("tct/canonical-json").unwrap();
    for number in [1, 2, 3, 4, 5, 6, 7, 8, 10] {
        let id = format!("TCT-JSON-{number}");
        assert!(set.cases.iter().any(|case| case.requirements.contains(&id)), "{id}");
    }
    for id in ["TCT-AMB-6", "TCT-AMB-7", "TCT-SEC-10"] {
        assert!(set.cases.iter().any(|case| case.requirements.iter().any(|named| named == id)), "{id}");
    }
}

fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

/// Bytes of a standard base64 string.
fn base64(text: &Value) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.as_str().unwrap().bytes().filter(|&digit| digit != b'=') {
        let value = DIGITS.iter().position(|&known| known == digit).unwrap();
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
