//! A second implementation out of crates that share no code or data with ours: `htmlize`, `unicode-normalization`,
//! `caseless`, one after the other, on random texts.

use caseless::Caseless;
use proptest::prelude::*;
use tct_fingerprint::{Fingerprint, Step, Steps, fingerprint, normalize};
use unicode_normalization::UnicodeNormalization;

/// The text after each step. `None` for letters that fold since Unicode 17 or 18, which `caseless` does not know.
fn staged(text: &str) -> Option<[String; 6]> {
    let decoded = htmlize::unescape(text).into_owned();
    let composed: String = decoded.nfkc().collect();
    let newer = |c: char| matches!(u32::from(c), 0xA7CE..=0xA7E2 | 0xAB6C..=0xAB6D | 0x16EA0..=0x16EB8 | 0x1DF40..=0x1DF7E);
    if composed.contains(newer) {
        return None;
    }
    let folded: String = composed.chars().default_case_fold().collect();
    let space = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
    let cleaned: String = folded.chars().filter(|&c| space(c) || !c.is_control()).collect();
    let trimmed = cleaned.split(space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let edge = |at_edge: bool| if at_edge && !trimmed.is_empty() { " " } else { "" };
    let collapsed = match (trimmed.is_empty(), cleaned.is_empty()) {
        (true, true) => String::new(),
        (true, false) => String::from(" "),
        _ => format!("{}{trimmed}{}", edge(cleaned.starts_with(space)), edge(cleaned.ends_with(space))),
    };
    Some([decoded, composed, folded, cleaned, collapsed, trimmed])
}

fn check(text: &str) {
    let Some(expected) = staged(text) else { return };
    let steps = Steps::of(text);
    for ((step, found), expected) in steps.iter().zip(&expected) {
        assert_eq!(found, expected, "{step:?} of {text:?}");
    }
    let [.., trimmed] = &expected;
    assert_eq!(normalize(text), *trimmed, "{text:?}");
    assert_eq!(fingerprint(text), Fingerprint::hash(trimmed), "{text:?}");
}

#[test]
fn every_code_point() {
    for c in '\0'..=char::MAX {
        check(c.encode_utf8(&mut [0; 4]));
        if u32::from(c) < 0x3_0000 {
            check(&format!("a{c}\u{323}\u{301} {c}"));
        }
    }
    assert_eq!(Steps::of("\u{1DF40}").after(Step::Folded), "\u{1DF41}");
}

fn piece() -> impl Strategy<Value = String> {
    let reference =
        ("&", "#?[xX]?", "[0-9a-fA-F]{0,6}|am|amp|lt|nbsp|not|notin|nGt|fjlig|eacute|ThickSpace", ";?");
    prop_oneof![
        3 => "[\u{300}-\u{345}\u{591}-\u{5C7}\u{64B}-\u{655}\u{93C}\u{94D}\u{9BE}\u{3099}\u{309A}]{1,4}",
        2 => "[a-zA-Z\u{C0}-\u{24F}\u{386}-\u{3CE}\u{400}-\u{45F}]{1,6}",
        2 => reference.prop_map(|(start, kind, name, end)| format!("{start}{kind}{name}{end}")),
        2 => "[ \t\r\n\u{0}\u{7}\u{85}\u{A0}\u{2000}-\u{200D}\u{3000}]{1,3}",
        1 => "[\u{1100}-\u{11FF}\u{AC00}-\u{AC40}]{1,3}",
        1 => "[\u{1E00}-\u{1FFF}\u{FB00}-\u{FB4F}\u{FE70}-\u{FFEF}\u{F900}-\u{FAFF}]{1,3}",
        1 => any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #[test]
    fn random_texts(pieces in prop::collection::vec(piece(), 0..40)) {
        check(&pieces.concat());
    }
}
