//! What stands next to what: pairs of characters of one script, and marks behind references. The oracle is the six steps, one
//! after the other.

#![allow(clippy::panic, reason = "a failed test may panic")]

use tct_fingerprint::{Step, Steps, normalize};

fn check(text: &str) {
    let steps = Steps::of(text);
    let normalized = normalize(text);
    let expected = steps.after(Step::Trimmed);
    if normalized != expected {
        let words = std::iter::zip(normalized.split(' '), expected.split(' '));
        let first = words.into_iter().find(|(found, expected)| found != expected);
        panic!("found and expected: {first:X?} ({:?})", first.map(|(a, _)| a.escape_unicode().to_string()));
    }
}

/// Every two characters of one half of a block behind each other, at every distance from the beginning of a chunk: letters that
/// compose, marks in order and out of it.
#[test]
fn pairs_of_one_script() {
    let half_block = |first: u32| (first..first + 128).filter_map(char::from_u32);
    for first in (0x300..0x2000).step_by(128) {
        for a in half_block(first) {
            let mut text = String::with_capacity(128 * 16);
            for b in half_block(first) {
                text.extend(['x', a, b, ' ']);
                // The letter in front of two marks is one of the script's own.
                if u32::from(b) % 16 == 5 {
                    text.extend([b, a, b, a, 'y']);
                }
            }
            check(&text);
        }
    }
}

/// References that stand for two characters, the second of them often a mark: further marks behind them come into their order,
/// spelled out or as references themselves.
#[test]
fn marks_behind_references() {
    let mut pairs = 0;
    for (name, characters) in &htmlize::ENTITIES {
        let (Ok(name), Ok(characters)) = (std::str::from_utf8(name), std::str::from_utf8(characters)) else {
            panic!("text")
        };
        let is_pair = characters.chars().count() > 1;
        pairs += usize::from(is_pair);
        if !is_pair && name.len() % 8 != 0 {
            continue;
        }
        let mut text = String::new();
        for first in ["\u{338}", "\u{301}", "\u{316}", "\u{334}", "\u{20D2}", "&#x338;", "&#x323;", "&nGt;"] {
            for second in
                ["", "\u{338}", "\u{316}", "\u{301}", "\u{20DB}", "&#x334;", "&#x301;", "\u{345}\u{327}"]
            {
                for end in ["", "\u{316}", "x"] {
                    text.push_str(&format!("{name}{first}{second}{end}. a{name}{name}{second}{first} "));
                }
            }
        }
        check(&text);
    }
    assert!(pairs > 90, "{pairs}");
}
