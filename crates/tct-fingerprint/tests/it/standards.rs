//! The test files that come with the standards, against our output and nothing else. `tests/data/README.md` has their
//! sources.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use covers::covers;
use tct_fingerprint::{Step, Steps, normalize};

const NORMALIZATION: &str = include_str!("../data/normalization-test-18.0.0.txt");
const FOLDING: &str = include_str!("../data/case-folding-16.0.0.txt");
const ENTITIES: &str = include_str!("../data/entities.txt");
const HTML5LIB: &str = include_str!("../data/html5lib.txt");

fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

fn text(points: &str) -> String {
    points.split(' ').map(|hex| char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap()).collect()
}

fn nfkc(text: &str) -> String {
    let steps = Steps::of(text);
    assert_eq!(steps.after(Step::Decoded), text);
    steps.after(Step::Composed).to_owned()
}

/// A line of the test: source, NFC, NFD, NFKC, NFKD. The NFKC of each column is the fourth, and one pass gives the same
/// text for all.
fn check_line(columns: &[String]) {
    let [_, _, _, expected, _] = columns else { panic!("{columns:?}") };
    for column in columns {
        assert_eq!(nfkc(column), *expected, "{columns:?}");
        assert_eq!(normalize(column), normalize(expected), "{columns:?}");
    }
}

/// The conformance test of the Unicode Standard: all cases, and all characters without a case, which stand for
/// themselves.
#[test]
#[covers("TCT-FP-3")]
fn normalization_test_of_unicode_18() {
    let (mut part, mut cases, mut single) = ("", 0, BTreeSet::new());
    for line in lines(NORMALIZATION) {
        if line.starts_with('@') {
            part = line;
            continue;
        }
        if line == "AC00..D7A3" {
            for (syllable, at) in ('\u{AC00}'..='\u{D7A3}').zip(0..) {
                let part = |code: u32| char::from_u32(code).unwrap();
                let mut apart = String::from_iter([part(0x1100 + at / 588), part(0x1161 + at % 588 / 28)]);
                apart.extend((at % 28 != 0).then(|| part(0x11A7 + at % 28)));
                let whole = String::from(syllable);
                check_line(&[whole.clone(), whole.clone(), apart.clone(), whole, apart]);
                single.insert(syllable);
                cases += 1;
            }
            continue;
        }
        let mut columns: Vec<String> = Vec::new();
        for column in line.split(';') {
            columns.push(match column.strip_prefix('=') {
                Some(number) => columns[number.parse::<usize>().unwrap() - 1].clone(),
                None => text(column),
            });
        }
        check_line(&columns);
        cases += 1;
        if part == "@Part1" {
            single.extend(columns[0].chars());
        }
    }
    assert_eq!((cases, single.len()), (20_171, 17_154));
    for c in ('\0'..=char::MAX).filter(|c| !single.contains(c)) {
        assert_eq!(nfkc(c.encode_utf8(&mut [0; 4])), String::from(c));
    }
}

/// What Unicode 16 folds, folds as it says: every code point, after NFKC.
#[test]
#[covers("TCT-FP-4")]
fn case_folding_of_unicode_16() {
    let mut foldings = BTreeMap::new();
    for line in lines(FOLDING) {
        let [code, _, to] = line.split(';').collect::<Vec<_>>()[..] else { panic!("{line}") };
        foldings.insert(text(code), text(to));
    }
    assert_eq!(foldings.len(), 1_557);
    for c in '\0'..=char::MAX {
        let steps = Steps::of(c.encode_utf8(&mut [0; 4]));
        let (mut expected, mut known) = (String::new(), false);
        for composed in steps.after(Step::Composed).chars().map(String::from) {
            let folded = foldings.get(&composed);
            known |= folded.is_some();
            expected.push_str(folded.unwrap_or(&composed));
        }
        // Unicode 17 and 18 brought further pairs of letters; `oracles.rs` lists them.
        assert!(steps.after(Step::Folded) == expected || !known, "{c:?}: {steps:?}");
    }
    for (letter, folded) in &foldings {
        let steps = Steps::of(letter);
        assert!(steps.after(Step::Composed) != letter || steps.after(Step::Folded) == folded, "{letter:?}");
    }
}

/// Every name of the HTML standard's list, alone and in text.
#[test]
#[covers("TCT-FP-2")]
fn entities_of_the_html_standard() {
    let mut count = 0;
    for line in lines(ENTITIES) {
        let (name, points) = line.split_once(' ').unwrap();
        let stands_for = text(points);
        for (before, after) in [("", ""), ("a", " b"), ("\u{301}", "&"), ("&amp;", "&lt"), ("&", "<")] {
            let decode = |text: &str| Steps::of(text).after(Step::Decoded).to_owned();
            let (before_decoded, after_decoded) = (decode(before), decode(after));
            let whole = format!("{before}&{name}{after}");
            let expected = format!("{before_decoded}{stands_for}{after_decoded}");
            assert_eq!(decode(&whole), expected);
            // Decoded once: what then looks like a reference is text.
            if !expected.contains('&') {
                assert_eq!(normalize(&whole), normalize(&expected), "{whole}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 2_231);
}

/// The tests that browsers' HTML parsers share, of character references in text.
#[test]
#[covers("TCT-FP-2")]
fn tokenizer_tests_of_html5lib() {
    let mut count = 0;
    for line in lines(HTML5LIB) {
        let [input, expected]: [String; 2] = serde_json::from_str(line).unwrap();
        let steps = Steps::of(&input);
        assert_eq!(steps.after(Step::Decoded), expected, "{input:?}");
        assert_eq!(normalize(&input), steps.after(Step::Trimmed), "{input:?}");
        count += 1;
    }
    assert_eq!(count, 4_617);
}
