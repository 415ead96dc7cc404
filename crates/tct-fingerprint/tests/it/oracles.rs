//! Named crates on everything that their Unicode versions share with ours.

use caseless::Caseless;
use covers::covers;
use tct_fingerprint::{Step, Steps, UNICODE_VERSION, normalize};
use unicode_normalization::UnicodeNormalization;

/// NFKC of every code point is that of `unicode-normalization`, folding that of `caseless` but for what is listed.
#[test]
#[covers("TCT-AMB-9")]
fn differences_from_the_named_crates_are_these() {
    assert_eq!(unicode_normalization::UNICODE_VERSION, UNICODE_VERSION);
    assert_eq!(caseless::UNICODE_VERSION, (16, 0, 0));
    let mut folded_otherwise = Vec::new();
    for c in '\0'..=char::MAX {
        if c == '&' {
            continue;
        }
        let text = String::from(c);
        let steps = Steps::of(&text);
        let composed: String = text.nfkc().collect();
        assert_eq!(steps.after(Step::Composed), composed, "{c:?}");
        let folded: String = composed.chars().default_case_fold().collect();
        if steps.after(Step::Folded) != folded {
            folded_otherwise.push(u32::from(c));
        }
    }
    // Letters with a case partner since Unicode 17 or 18: the older crate leaves them as they are.
    let newer: Vec<u32> = NEWER_THAN_16.iter().cloned().flatten().collect();
    assert_eq!(folded_otherwise, newer, "{folded_otherwise:X?}");
}

#[rustfmt::skip]
const NEWER_THAN_16: &[std::ops::RangeInclusive<u32>] = &[
    0xA7CE..=0xA7CE, 0xA7D2..=0xA7D2, 0xA7D4..=0xA7D4, 0xA7DD..=0xA7DD, 0xA7E2..=0xA7E2, 0xAB6C..=0xAB6D,
    0x16EA0..=0x16EB8, 0x1DF40..=0x1DF40, 0x1DF48..=0x1DF48, 0x1DF4A..=0x1DF4A, 0x1DF4D..=0x1DF4D,
    0x1DF51..=0x1DF51, 0x1DF68..=0x1DF68, 0x1DF6A..=0x1DF6A, 0x1DF6C..=0x1DF6C, 0x1DF6E..=0x1DF6E,
    0x1DF72..=0x1DF72, 0x1DF74..=0x1DF74, 0x1DF76..=0x1DF76, 0x1DF78..=0x1DF78, 0x1DF7A..=0x1DF7A,
    0x1DF7C..=0x1DF7C, 0x1DF7E..=0x1DF7E,
];

/// Every named reference with its semicolon and without, every prefix of it, in text.
#[test]
fn references_are_decoded_as_htmlize_decodes_them() {
    for name in htmlize::ENTITIES.keys() {
        let name = std::str::from_utf8(name).expect("names are ASCII");
        for end in 1..=name.len() {
            for behind in ["", ";", "x", "=", " b", "&"] {
                let text = format!("a{}{behind}", &name[..end]);
                let steps = Steps::of(&text);
                assert_eq!(steps.after(Step::Decoded), htmlize::unescape(text.as_str()), "{text:?}");
                assert_eq!(normalize(&text), steps.after(Step::Trimmed), "{text:?}");
            }
        }
    }
}

/// Every numeric reference up to U+10FFFF and a bit past it. `htmlize` is asked for what it and the standard share.
#[test]
fn numeric_references_are_decoded_as_htmlize_decodes_them() {
    for number in (0..0x3000).chain((0x3000..0x11_0100).step_by(37)) {
        for text in [format!("&#{number};"), format!("&#x{number:x}"), format!("&#X{number:04X};z")] {
            let steps = Steps::of(&text);
            assert_eq!(steps.after(Step::Decoded), htmlize::unescape(text.as_str()), "{text:?}");
            assert_eq!(normalize(&text), steps.after(Step::Trimmed), "{text:?}");
        }
    }
}
