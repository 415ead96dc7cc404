use alloc::string::String;
use alloc::vec::Vec;

use super::*;
use crate::fast::Fast;
use crate::fast::data::PAIRS;
use crate::unicode::compose;

#[test]
fn every_code_point_is_as_in_the_fast_tables() {
    for code in 0..0x11_0400 {
        let entry = Fast::entry(code);
        assert_eq!(Small::entry(code), entry.min(MAP), "{code:X}");
        if entry >= MAP {
            assert_eq!(&*Small::replacement(code, MAP), Fast::replacement(code, entry), "{code:X}");
            let short = |short: Option<([u8; 4], usize)>| {
                short.map(|(four, len)| four.into_iter().take(len).collect::<Vec<_>>())
            };
            let fast = short(Fast::short_replacement(code, entry));
            assert_eq!(short(Small::short_replacement(code, MAP)), fast, "{code:X}");
        }
        let Some(c) = char::from_u32(code) else { continue };
        let small = match Small::property(c) {
            Property::Class(class) => Property::Class(class),
            Property::Text(text) => Property::Text(String::from(AsRef::<str>::as_ref(&text))),
            Property::Syllable(lead, vowel, last) => Property::Syllable(lead, vowel, last),
        };
        let fast = match Fast::property(c) {
            Property::Class(class) => Property::Class(class),
            Property::Text(text) => Property::Text(String::from(text)),
            Property::Syllable(lead, vowel, last) => Property::Syllable(lead, vowel, last),
        };
        assert_eq!(small, fast, "{code:X}");
        assert_eq!(Small::fold(c), Fast::fold(c), "{code:X}");
        if matches!(fast, Property::Class(_)) {
            assert_eq!(Small::class(c), Fast::class(c), "{code:X}");
        }
    }
}

/// All firsts with all seconds, whether they compose or not, in all planes that may have some.
#[test]
fn every_pair_is_as_in_the_fast_tables() {
    let mut lows: Vec<u16> = PAIRS.iter().map(|&(first, ..)| first).chain(0x10FF..0x1114).collect();
    let mut seconds: Vec<u16> = PAIRS.iter().map(|&(_, second, ..)| second).chain(0x1160..0x1177).collect();
    lows.sort_unstable();
    lows.dedup();
    seconds.sort_unstable();
    seconds.dedup();
    let mut found = 0;
    for (plane, second_plane) in [(0, 0), (1, 1), (1, 0), (0, 1), (2, 0), (2, 2), (16, 16), (255, 0)] {
        for &first in &lows {
            for &second in &seconds {
                let (first, second) =
                    (plane << 16 | u32::from(first), second_plane << 16 | u32::from(second));
                let at = || std::format!("{first:X} {second:X}");
                let fast = Fast::composed(first, second);
                found += usize::from(fast.is_some());
                assert_eq!(Small::composed(first, second), fast, "{}", at());
                if let (Some(a), Some(b)) = (char::from_u32(first), char::from_u32(second)) {
                    assert_eq!(compose::<Small>(a, b), compose::<Fast>(a, b), "{}", at());
                }
            }
        }
    }
    assert_eq!(found, PAIRS.len());
}

pub(crate) fn table_bytes() -> usize {
    use core::mem::size_of_val;

    [
        size_of_val(&TOP),
        size_of_val(&MID),
        size_of_val(&ROWS),
        size_of_val(&KINDS),
        size_of_val(&RANKS),
        size_of_val(&VALUES),
        size_of_val(&GROUPS),
        size_of_val(&FIRSTS),
        size_of_val(&COMPOSED),
        size_of_val(&FOLDINGS),
        size_of_val(&FULL_FOLDINGS),
        size_of_val(&TEXT_STARTS),
        TEXTS.len(),
    ]
    .iter()
    .sum()
}
