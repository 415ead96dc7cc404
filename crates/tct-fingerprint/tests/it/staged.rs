//! A second implementation out of crates that share no code or data with ours: `htmlize`, `unicode-normalization`,
//! `caseless`, one after the other, on random texts.

use caseless::Caseless;
use proptest::prelude::*;
use tct_fingerprint::{Fingerprint, Fingerprinter, Step, Steps, fingerprint, normalize, widths};
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

/// What random characters hardly ever spell: references whole and cut, marks that compose, stay, move or are blocked, what gets
/// longer or shorter, syllables, white space and controls.
const NASTY: &[&str] = &[
    "&",
    "&amp;",
    "&#x301;",
    "&#769",
    "&not",
    "&notin;",
    "&nGt;",
    "&fjlig;",
    "&#",
    "&#x",
    ";",
    "&#0;",
    "&#128;",
    "&nbsp;",
    "&eacute",
    "&lt;&#x338;",
    "&#x94d;",
    "&no",
    "&acE;",
    "&#x1161;",
    "&#x9be;",
    "&ThickSpace;",
    "&DownBreve;",
    "&#8217;t",
    "&CounterClockwiseContourIntegral;",
    "e",
    "E",
    "a",
    "\u{301}",
    "\u{323}",
    "\u{316}",
    "\u{345}",
    "\u{5b0}",
    "\u{5b4}",
    "\u{5bc}",
    "\u{651}\u{64e}",
    "\u{653}",
    "\u{f71}",
    "\u{f73}",
    "\u{1100}",
    "\u{1161}",
    "\u{11a8}",
    "\u{1112}",
    "\u{11c2}",
    "\u{ac00}",
    "\u{ac01}",
    "\u{a0}",
    "\u{3000}",
    " ",
    "  ",
    "\t",
    "\r\n",
    "\u{7}",
    "\u{85}",
    "\u{0}",
    "\u{fb01}",
    "\u{149}",
    "\u{1f0}",
    "\u{390}",
    "\u{130}",
    "\u{df}",
    "\u{1e9e}",
    "\u{3c2}",
    "\u{3a3}",
    "\u{ab70}",
    "\u{13a0}",
    "\u{fdfa}",
    "\u{b4}",
    "\u{344}",
    "\u{37e}",
    "\u{aa}",
    "\u{17f}",
    "\u{212b}",
    "\u{1d15e}",
    "\u{2f800}",
    "\u{e33}",
    "\u{e48}",
    "\u{915}\u{93c}",
    "\u{928}\u{93c}",
    "\u{94d}",
    "\u{9c7}",
    "\u{9be}",
    "\u{dd9}\u{dcf}",
    "\u{dca}",
    "\u{1b05}\u{1b35}",
    "\u{fb2c}",
    "\u{3099}",
    "\u{ff76}\u{ff9e}",
    "abcdefghijklmnopqrstuvwxyz 0123456789",
    "Жизнь 漢字，ไทย",
];

/// Texts out of one script and ASCII, with what is nasty between, by a generator of its own: a seed is a text.
fn seeded(mut state: u64) -> String {
    let mut below = |bound: u32| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) >> 33) as u32 % bound
    };
    let base = match below(7) {
        5 => 0xAC00 + below(0x2C00),
        6 => 0x4E00 + below(0x5000),
        0 => below(0x500),
        1..3 => below(0x3000),
        3 => below(0x3_0000),
        _ => below(0x11_0000),
    };
    let marks = below(3);
    let mut text = String::new();
    for _ in 0..below(60) {
        match below(10) {
            0..3 => text.extend(NASTY.get(below(NASTY.len() as u32) as usize).copied()),
            3..7 => text.extend(char::from_u32(base + below(96))),
            7 => (0..below(8)).for_each(|_| text.extend(char::from_u32(65 + below(58)))),
            8 => (0..below(1 + 3 * marks)).for_each(|_| text.extend(char::from_u32(0x300 + below(0x46)))),
            _ => text.extend(char::from_u32(below(0x3100))),
        }
    }
    text.repeat(1 + below(4) as usize / 3 * 3)
}

/// Every width, whole and in pieces, against the other crates. `FINGERPRINT_SEEDS=FROM..TO` are other texts, or more of them.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test's own switch")]
fn seeded_texts_with_every_width() {
    let seeds = std::env::var("FINGERPRINT_SEEDS").unwrap_or_else(|_| "0..4000".into());
    let (from, to) = seeds.split_once("..").expect("FINGERPRINT_SEEDS is like 0..4000");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    // One for all: nothing of a text may be left for the next.
    let mut used = Fingerprinter::new();
    for seed in number(from)..number(to) {
        let text = seeded(seed);
        let Some([.., expected]) = staged(&text) else { continue };
        assert_eq!(normalize(&text), expected, "seed {seed}: {text:?}");
        let expected = Fingerprint::hash(&expected);
        for width in widths::NAMES {
            let value = widths::fingerprint(width, &text);
            assert!(value.is_none_or(|value| value == expected), "seed {seed}, {width}: {text:?}");
        }
        assert_eq!(used.finish_with(&text), expected, "seed {seed} behind others: {text:?}");
        let mut fingerprinter = Fingerprinter::new();
        let mut rest = text.as_str();
        while let Some((at, _)) = rest.char_indices().nth(1 + (seed as usize + rest.len()) % 70) {
            fingerprinter.update(&rest[..at]);
            rest = &rest[at..];
        }
        fingerprinter.update(rest);
        assert_eq!(fingerprinter.finish(), expected, "seed {seed} in pieces: {text:?}");
    }
}
