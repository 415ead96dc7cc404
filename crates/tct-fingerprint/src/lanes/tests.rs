//! What lanes claim, exhaustively: a lane is a function of 64 bytes and of the scripts that were met, and no claim depends on
//! more than the character's own bytes. So every code point is tried at every place, beside neighbours of every kind.
//!
//! ```sh
//! cargo test --release -p tct-fingerprint --lib lanes                # a sixty-fourth of the code points
//! LANES_SHARE=5/64 cargo test …                                      # another one: CI passes the day
//! LANES_SHARE=all cargo test --release -p tct-fingerprint --lib lanes # all of them: some minutes
//! ```

use std::string::String;
use std::vec::Vec;
use std::{boxed::Box, format, io::Write as _, println};

use super::plain::Plain;
use super::{BEFORE, CHUNK, Claims, Lane, Scripts, VIEW, whole};
use crate::table::{self, KEEP, MAP};

type Look = Box<dyn Fn(&[u8; VIEW], &Scripts) -> (Claims, [u8; CHUNK])>;

fn look(lane: impl Lane + 'static) -> Look {
    Box::new(move |view, scripts| {
        let mut out = [0; CHUNK];
        let claims = lane.look(view, &mut out, scripts);
        (claims, out)
    })
}

/// All widths of the target with their names; those that this machine lacks are named in the test's output, and fail the
/// test where `LANES` in the environment names them, as `.ci/lanes` does for what the processor says that it has.
#[expect(clippy::disallowed_methods, reason = "a test's own switch")]
fn widths() -> Vec<(&'static str, Look)> {
    let wanted = std::env::var("LANES").unwrap_or_default();
    let all: Vec<(&'static str, Option<Look>)> = vectors();
    let mut there: Vec<(&'static str, Look)> = std::vec![("plain", look(Plain))];
    for (name, width) in all {
        assert!(width.is_some() || !wanted.split(',').any(|wanted| wanted == name), "{name} is not checked");
        match width {
            Some(width) => there.push((name, width)),
            None => tell(&format!("skipped: {name}, this machine has none\n")),
        }
    }
    there
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn vectors() -> Vec<(&'static str, Option<Look>)> {
    use super::vector::Vector;
    let level = fearless_simd::Level::new();
    Vec::from([
        ("SSE2", level.as_sse2().map(|simd| look(Vector(simd)))),
        ("SSE4.2", level.as_sse4_2().map(|simd| look(Vector(simd)))),
        ("AVX2", level.as_avx2().map(|simd| look(Vector(simd)))),
    ])
}

#[cfg(target_arch = "aarch64")]
fn vectors() -> Vec<(&'static str, Option<Look>)> {
    Vec::from([("NEON", fearless_simd::Level::new().as_neon().map(|simd| look(super::vector::Vector(simd))))])
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn vectors() -> Vec<(&'static str, Option<Look>)> {
    let level = fearless_simd::Level::new();
    Vec::from([("simd128", level.as_wasm_simd128().map(|simd| look(super::vector::Vector(simd))))])
}

#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
fn vectors() -> Vec<(&'static str, Option<Look>)> {
    Vec::new()
}

/// Prints around the test harness, which hides the output of passing tests.
fn tell(line: &str) {
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is there");
}

/// Which share of the code points is tried: the remainder and the divisor.
#[expect(clippy::disallowed_methods, reason = "a test's own switch")]
fn share() -> (u32, u32) {
    let share = std::env::var("LANES_SHARE").unwrap_or_else(|_| "0/64".into());
    if share == "all" {
        return (0, 1);
    }
    let (part, of) = share.split_once('/').expect("a share is `all` or like `5/64`");
    let number = |text: &str| text.parse::<u32>().expect("a number");
    (number(part) % number(of), number(of))
}

/// The code points of today's share: runs of 16, so that neighbours in a table come together.
fn chars() -> impl Iterator<Item = char> {
    let (part, of) = share();
    ('\0'..=char::MAX).filter(move |&c| u32::from(c) / 16 % of == part)
}

/// Whether these bytes are what a claimed character must become, by the tables that the kernel goes by. Never for a character
/// that may not be claimed.
fn is_right(c: char, becomes: &[u8]) -> bool {
    let code = u32::from(c);
    match table::entry(code) {
        _ if matches!(c, ' ' | '\t' | '\n' | '\r') => becomes == b" ",
        KEEP => becomes == c.encode_utf8(&mut [0; 4]).as_bytes(),
        entry @ MAP.. => becomes.iter().eq(table::replacement(code, entry).iter()),
        _ => false,
    }
}

/// Holds what a lane says about the chunk against what it may say, and returns which of its characters are claimed.
///
/// `before` is the byte before the chunk and `behind` the two bytes behind the text, on which nothing may depend.
fn judge(name: &str, look: &Look, scripts: &Scripts, text: &str, before: u8, behind: u8) -> u64 {
    let mut view = [b'a'; VIEW];
    view[0] = before;
    let end = VIEW.min(BEFORE + text.len());
    view[BEFORE..end].copy_from_slice(&text.as_bytes()[..end - BEFORE]);
    view[end..].fill(behind);
    let (claims, out) = look(&view, scripts);
    let end = whole(&view);
    let (mut claimed, mut starts) = (0, 0_u64);
    for (at, c) in text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= end) {
        starts |= 1 << at;
        let bits = |mask: u64| mask >> at & 1 != 0;
        assert_eq!(
            bits(claims.white),
            matches!(c, ' ' | '\t' | '\n' | '\r'),
            "{name}: white space at {at} of {text:?}"
        );
        if bits(claims.left) {
            continue;
        }
        claimed |= 1 << at;
        let becomes = out.get(at..at + c.len_utf8()).expect("it is whole");
        assert!(is_right(c, becomes), "{name}, {scripts:?}: {c:?} at {at} of {text:?} becomes {becomes:X?}");
    }
    let inside = u64::MAX >> (CHUNK - end);
    assert_eq!(claims.left & inside & !starts, 0, "{name}: left where no character begins in {text:?}");
    claimed
}

/// Scripts as a text has them that shows these characters one after the other.
fn met(text: &str) -> Scripts {
    let mut scripts = Scripts::default();
    for c in text.chars() {
        let mut bytes = [0; 4];
        c.encode_utf8(&mut bytes);
        scripts.meet(bytes[0], bytes[1]);
    }
    scripts
}

/// One character for each lane of its own, and for some blocks.
const SCRIPTS: [&str; 13] = ["", "é", "ж", "α", "漢", "가", "ł", "ש", "ع", "’", "क", "ก", "ấ"];

/// The neighbours of the character: each class of the tables, each length, first and last bytes of what lanes compare with.
const NEIGHBOURS: [char; 40] = [
    'a',
    'Z',
    ' ',
    '\t',
    '&',
    '\0',
    '\u{7F}',
    '\u{80}',
    '\u{A0}',
    'À',
    'ß',
    '×',
    'ÿ',
    'Ā',
    'ſ',
    '\u{17E}',
    '\u{301}',
    'Α',
    'ς',
    'ΰ',
    'Ѐ',
    'Я',
    'џ',
    '\u{5B0}',
    'ש',
    '\u{64E}',
    '\u{7FF}',
    '\u{800}',
    'क',
    '\u{94D}',
    '\u{9BE}',
    '\u{1100}',
    '\u{1161}',
    '’',
    '、',
    '漢',
    '가',
    '！',
    '\u{FFFD}',
    '\u{10FFFF}',
];

/// Every code point at every place, for each of [`SCRIPTS`] and all of them, beside each neighbour.
#[test]
fn every_code_point_is_claimed_for_what_it_is_or_left() {
    let widths = widths();
    let mut sets: Vec<Scripts> = SCRIPTS.iter().map(|text| met(text)).collect();
    sets.push(met(&SCRIPTS.concat()));
    let (mut looks, mut claimed) = (0_u64, 0_u64);
    let mut text = String::new();
    for c in chars() {
        // The character's own block, else most would be left by every lane.
        let own = met(&String::from(c));
        // Beyond the first plane nothing is claimed, which fewer neighbours show as well.
        let neighbours = if c < '\u{10000}' { &NEIGHBOURS[..] } else { &NEIGHBOURS[..2] };
        for (number, &neighbour) in neighbours.iter().enumerate() {
            // Rows of the two from each place on, so that the character begins at all places of the chunk.
            let period = c.len_utf8() + neighbour.len_utf8();
            for shift in 0..period {
                text.clear();
                text.extend(core::iter::repeat_n('x', shift));
                while text.len() < CHUNK + 2 {
                    text.extend([c, neighbour]);
                }
                let before = if number % 2 == 0 { 0 } else { b'e' };
                for (name, look) in &widths {
                    claimed += u64::from(judge(name, look, &own, &text, before, 0x80).count_ones());
                    looks += 1;
                    if number % 8 != shift {
                        continue;
                    }
                    for scripts in &sets {
                        judge(name, look, scripts, &text, before, 0xBF);
                        looks += 1;
                    }
                }
            }
        }
    }
    println!("{looks} looks, {claimed} claims");
    assert!(looks > 10_000 && claimed > 10_000);
}

/// Letters of two bytes for every set of the scripts that have lanes, with all neighbours: lanes that touch each other's bytes
/// would show here.
#[test]
fn lanes_of_all_sets_of_scripts_leave_each_other_alone() {
    let widths = widths();
    let mut looks = 0_u64;
    let scripts = ["é", "ж", "α", "漢", "가", "ł", "ש", "’"];
    let (part, of) = share();
    for set in (0..1_usize << scripts.len()).filter(|set| of == 1 || *set as u32 % 16 == part % 16) {
        let shown: String =
            scripts.iter().enumerate().filter(|(at, _)| set >> at & 1 != 0).map(|(_, text)| *text).collect();
        let scripts = met(&shown);
        for c in ('\u{80}'..='\u{7FF}').chain('\u{2000}'..='\u{206F}').chain('\u{3000}'..='\u{30FF}') {
            let neighbour = NEIGHBOURS[u32::from(c) as usize % NEIGHBOURS.len()];
            let text: String = core::iter::repeat_n([c, neighbour], CHUNK / 2).flatten().collect();
            for (name, look) in &widths {
                judge(name, look, &scripts, &text, 0, 0);
                judge(name, look, &scripts, &format!("x{text}"), b'x', 0xBF);
                looks += 2;
            }
        }
    }
    println!("{looks} looks");
}

/// Claims depend on the 64 bytes and the scripts alone: not on what is before and behind.
#[test]
fn nothing_depends_on_the_bytes_around_the_chunk() {
    let scripts = met(&SCRIPTS.concat());
    let widths = widths();
    let all: Vec<char> = NEIGHBOURS.into_iter().filter(|c| c.len_utf8() < 4).collect();
    for first in &all {
        for last in &all {
            let inside = CHUNK - first.len_utf8() - last.len_utf8();
            let text = format!("{first}{}{last}", "x".repeat(inside));
            let mut view = [0; VIEW];
            view[BEFORE..BEFORE + CHUNK].copy_from_slice(text.as_bytes());
            for (name, look) in &widths {
                let mut answers = Vec::new();
                for before in [0, b'a', b'&', 0x80, 0x9F, 0xBF] {
                    for behind in [0, b'a', b' ', 0x80, 0xBF, 0xC3, 0xE1] {
                        (view[0], view[VIEW - 2], view[VIEW - 1]) = (before, behind, behind);
                        answers.push(look(&view, &scripts));
                    }
                }
                assert!(answers.iter().all(|answer| *answer == answers[0]), "{name}: {text:?}");
            }
        }
    }
}

/// Lanes claim the characters they exist for: if they did not, digests would still be right and only the
/// speed would drop.
#[cfg(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64"))]
#[test]
fn lanes_claim_what_they_are_for() {
    let of = |first: char, last: char, is_claimed: fn(char) -> bool| {
        (first..=last).filter(move |&c| is_claimed(c))
    };
    let all = |_| true;
    let kept: fn(char) -> bool = |c| table::entry(u32::from(c)) == KEEP;
    let for_each: Vec<(&str, Vec<char>)> = Vec::from([
        ("é", of('À', 'ÿ', |c| c != 'ß').collect()),
        ("ж", of('Ѐ', 'џ', all).collect()),
        ("α", of('Α', 'ώ', |c| !matches!(c, '\u{3A2}' | 'ΰ')).collect()),
        ("漢", of('\u{4000}', '\u{9FFF}', all).chain(of('\u{3001}', '\u{3029}', all)).collect()),
        ("漢", of('ぁ', 'ゖ', all).chain(of('ァ', 'ヾ', all)).collect()),
        ("가", of('가', '\u{D77F}', all).collect()),
        ("łą", of('Ā', 'ž', |c| !matches!(c, 'İ' | 'Ĳ' | 'ĳ' | 'Ŀ' | 'ŀ' | 'ŉ' | 'Ÿ')).collect()),
        ("שׁ", of('א', 'ת', kept).collect()),
        ("’", of('‐', '†', kept).collect()),
        ("की", of('\u{900}', '\u{97F}', kept).collect()),
        ("ሀቀ", of('ሀ', '\u{127F}', kept).collect()),
    ]);
    for (name, look) in widths().iter().filter(|(name, _)| !matches!(*name, "SSE2" | "plain")) {
        for (shown, chars) in &for_each {
            let scripts = met(shown);
            for &c in chars {
                let text: String = core::iter::repeat_n(c, CHUNK).collect();
                let claimed = judge(name, look, &scripts, &text, 0, 0).count_ones() as usize;
                assert_eq!(claimed, CHUNK / c.len_utf8(), "{name}: {c:?} where {shown:?} was met");
            }
        }
    }
}

/// Blocks that were met in any order, side by side or not, more than there is room for: what is claimed stays right.
#[test]
fn any_order_of_scripts_claims_what_it_may() {
    let widths = widths();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |bound: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % bound
    };
    let (_, of) = share();
    let mut claimed = 0;
    for round in 0..(if of == 1 { 40_000 } else { 2_000 }) {
        let mut scripts = Scripts::default();
        let mut text = String::new();
        let base = below(0xD000);
        for _ in 0..below(24) {
            // Mostly neighbours: blocks side by side with one table are one block.
            let code = if below(4) == 0 { below(0x1_0000) } else { base + 64 * below(12) };
            let Some(c) = char::from_u32(code) else { continue };
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes);
            scripts.meet(bytes[0], bytes[1]);
            text.extend(char::from_u32(code ^ below(64)));
        }
        let text: String = text.chars().cycle().take(if text.is_empty() { 0 } else { CHUNK }).collect();
        for (name, look) in widths.iter().filter(|_| text.len() >= CHUNK) {
            claimed += judge(name, look, &scripts, &text, 0, round as u8 & 0x3F | 0x80).count_ones();
        }
    }
    assert!(claimed > 1_000 || widths.len() == 1, "{claimed}");
}

/// All kinds of the last three bytes: where a chunk's last whole character ends.
#[test]
fn a_chunk_ends_before_a_character_that_goes_on_behind_it() {
    for c in ['a', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10000}', '\u{10FFFF}'] {
        for before in CHUNK - 4..=CHUNK {
            let text = format!("{}{c}{c}{c}{c}", "x".repeat(before));
            let mut view = [0; VIEW];
            let end = VIEW.min(BEFORE + text.len());
            view[BEFORE..end].copy_from_slice(&text.as_bytes()[..end - BEFORE]);
            let expected = (0..=CHUNK).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
            assert_eq!(whole(&view), expected, "{text:?}");
        }
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[test]
fn widths_have_names() {
    use super::Width;
    let is_there = |name: &str| Width::named(name).is_some();
    assert_eq!(is_there("sse2"), std::is_x86_feature_detected!("sse2"));
    assert_eq!(is_there("sse4.2"), std::is_x86_feature_detected!("sse4.2"));
    assert_eq!(is_there("avx2"), std::is_x86_feature_detected!("avx2"));
    assert!(!is_there("neon") && !is_there(""));
}
