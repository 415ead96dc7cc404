//! ICU4X, whose data are of the same Unicode version, on every code point, every pair that composes and random mixes.

use crate::ucd;

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use proptest::prelude::*;
use tct_fingerprint::{Step, Steps, normalize};
use ucd::Ucd;

/// Steps 2 to 6 as ICU4X and the standard library take them.
fn by_icu(text: &str) -> String {
    let folded = CaseMapper::new().fold_string(&nfkc(text)).into_owned();
    let space = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
    let cleaned: String = folded.chars().filter(|&c| space(c) || !c.is_control()).collect();
    cleaned.split(space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn nfkc(text: &str) -> String {
    ComposingNormalizerBorrowed::new_nfkc().normalize(text).into_owned()
}

fn check(text: &str) {
    let steps = Steps::of(text);
    assert_eq!(steps.after(Step::Decoded), text, "a text without references");
    let composed = nfkc(text);
    assert_eq!(steps.after(Step::Composed), composed, "{text:?}");
    assert_eq!(steps.after(Step::Folded), CaseMapper::new().fold_string(&composed), "{text:?}");
    let trimmed = by_icu(text);
    assert_eq!(steps.after(Step::Trimmed), trimmed, "{text:?}");
    assert_eq!(normalize(text), trimmed, "{text:?}");
}

#[test]
fn every_code_point() {
    for c in ('\0'..=char::MAX).filter(|&c| c != '&') {
        check(c.encode_utf8(&mut [0; 4]));
    }
}

/// Every character that decomposes or has a class, between letters and marks.
#[test]
fn every_code_point_with_data_among_marks() {
    let ucd = Ucd::checked_in();
    let with_data = ucd.mappings.keys().chain(ucd.classes.keys()).chain(ucd.foldings.keys());
    for c in with_data.copied().chain('\u{1100}'..='\u{11FF}').chain(('\u{AC00}'..='\u{D7A3}').step_by(7)) {
        for (before, after) in [
            ("a", "\u{301}"),
            ("\u{323}", "\u{301}\u{323}"),
            ("e\u{301}", "\u{302}"),
            ("\u{5D0}\u{5B0}\u{5BC}", "\u{5B4}\u{1D166}"),
            ("\u{1100}", "\u{11A8}"),
            ("\u{AC00}", "\u{1161}\u{301}"),
            ("\u{3B1}\u{345}", "\u{313}\u{345}"),
            ("\u{9C7}", "\u{9BE}"),
        ] {
            check(&format!("{before}{c}{after}"));
        }
    }
}

/// Every pair that composes: alone, with a mark between the two that blocks or lets through, one behind the other.
#[test]
fn every_pair_that_composes() {
    let ucd = Ucd::checked_in();
    assert_eq!(ucd.pairs.len(), 961);
    for (&(first, second), &composed) in &ucd.pairs {
        assert_eq!(nfkc(&format!("{first}{second}")), nfkc(&String::from(composed)));
        for between in
            ["", "\u{334}", "\u{5B0}", "\u{323}", "\u{301}", "\u{345}", "\u{93C}", "\u{34F}", "a", "\u{1160}"]
        {
            check(&format!("{first}{between}{second}"));
            check(&format!("x{first}{second}{between}{second}{first}{between}"));
            check(&format!("{composed}{between}{second}{between}"));
        }
    }
    for second in ('\u{1160}'..='\u{1177}').chain('\u{11A7}'..='\u{11C3}') {
        for first in
            ['\u{10FF}', '\u{1100}', '\u{1112}', '\u{1113}', '\u{AC00}', '\u{AC01}', '\u{D788}', '\u{D7A3}']
        {
            check(&format!("{first}{second}{second}\u{11A8}"));
        }
    }
}

#[test]
fn every_class_and_folding() {
    let (ucd, classes) = (Ucd::checked_in(), CanonicalCombiningClassMapBorrowed::new());
    for c in '\0'..=char::MAX {
        assert_eq!(ucd.class(c), classes.get_u8(c), "{c:?}");
        let mut buffer = [0; 4];
        let text = c.encode_utf8(&mut buffer);
        assert_eq!(ucd.fold(text), CaseMapper::new().fold_string(text), "{c:?}");
    }
}

/// More marks in a row than fit where they are usually kept, in the worst order, with and without what they stand on.
#[test]
fn many_marks_in_a_row() {
    let ucd = Ucd::checked_in();
    let mut marks: Vec<char> = ucd.classes.keys().copied().collect();
    marks.sort_by_key(|c| std::cmp::Reverse(ucd.class(*c)));
    for count in [7, 8, 31, 32, 33, 34, 64, 200, marks.len()] {
        for base in ["", "a", "\u{1100}\u{1161}", "\u{3B9}", " "] {
            let run: String = marks.iter().cycle().step_by(marks.len() / count + 1).take(count).collect();
            check(&format!("{base}{run}"));
            check(&format!("{base}{run}b{run}\u{1161}"));
            check(&format!("{base}{}\u{301}", "\u{323}".repeat(count)));
            check(&format!("{base}{}\u{323}", "\u{301}".repeat(count)));
            // So many compose that what stays fits again.
            check(&format!("{base}\u{308}\u{301}{}e\u{301}", "\u{344}".repeat(count)));
        }
    }
}

/// Characters that change something: they decompose, compose, are marks or fold.
fn lively() -> impl Strategy<Value = char> {
    let ucd = Ucd::checked_in();
    let seconds: Vec<char> = ucd.pairs.keys().map(|pair| pair.1).collect();
    let firsts: Vec<char> = ucd.pairs.keys().map(|pair| pair.0).collect();
    prop_oneof![
        4 => prop::sample::select(ucd.classes.keys().copied().collect::<Vec<_>>()),
        3 => prop::sample::select(seconds),
        3 => prop::sample::select(firsts),
        2 => prop::sample::select(ucd.mappings.keys().copied().collect::<Vec<_>>()),
        1 => prop::sample::select(ucd.foldings.keys().copied().collect::<Vec<_>>()),
        1 => proptest::char::range('\u{1100}', '\u{11FF}'),
        1 => proptest::char::range('\u{AC00}', '\u{D7A3}'),
        1 => any::<char>(),
        1 => prop::sample::select(vec![' ', '\t', 'a', 'Z', '\u{7}', '\u{34F}', '\u{200D}', '\u{345}']),
    ]
    .prop_filter("no references here", |c| *c != '&')
}

proptest! {
    #[test]
    fn random_mixes(text in prop::collection::vec(lively(), 0..80)) {
        check(&text.iter().collect::<String>());
    }

    #[test]
    fn the_slow_and_plain_normaliser_agrees(text in prop::collection::vec(lively(), 0..40)) {
        let (text, ucd) = (text.iter().collect::<String>(), Ucd::checked_in());
        prop_assert_eq!(ucd.nfkc(&text), nfkc(&text));
        prop_assert_eq!(ucd.fold(&text), CaseMapper::new().fold_string(&text));
    }
}
