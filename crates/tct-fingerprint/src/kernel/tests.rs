//! The kernel with every width of lanes against the six steps one after the other, for characters at the borders of all
//! classes, each beside each. The steps share the tables and the normaliser; `tests/it` holds those against other crates.
//!
//! `LANES_SHARE` picks a share of them, as in `lanes/tests.rs`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::format;
use std::println;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::table::SEGMENT;
use crate::text::widths;
use crate::{Step, Steps};

struct Collect(Vec<u8>);

impl Sink for Collect {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// What comes out of the pieces of a text.
fn normalized<'a>(width: Width, pieces: impl IntoIterator<Item = &'a str>) -> String {
    let mut collect = Collect(Vec::new());
    let mut kernel = Kernel::new(width);
    for piece in pieces {
        kernel.update(piece, &mut collect);
    }
    kernel.end(&mut collect);
    String::from_utf8(collect.0).expect("whole characters")
}

/// What the pipeline may treat a character by: class in the table, length, what it becomes, part of a syllable.
fn kind(c: char) -> (u16, u8, usize, usize, u32) {
    let code = u32::from(c);
    let entry = table::entry(code);
    let becomes = if entry >= MAP { table::replacement(code, entry).len() } else { 0 };
    let of_syllable = match code {
        0x1100..0x1113 => 1,
        0x1161..0x1176 => 2,
        0x11A8..0x11C3 => 3,
        0xAC00..0xD7A4 => 4 + u32::from((code - 0xAC00) % 28 == 0),
        _ => 0,
    };
    let class = if entry == SEGMENT { Tables::class(c) } else { 0 };
    (entry.min(MAP), class, c.len_utf8(), becomes, of_syllable)
}

/// The first and the last of each run of characters of one kind.
fn borders() -> Vec<char> {
    let mut borders = BTreeSet::from(['a', 'Z', 'é', 'α', '漢']);
    let mut before = '\0';
    for c in '\0'..=char::MAX {
        if kind(c) != kind(before) {
            borders.extend([before, c]);
        }
        before = c;
    }
    // A syllable is a run of one, and the next 27 are one: a few of them are enough.
    borders.retain(|c| !('\u{AC40}'..='\u{D760}').contains(c));
    borders.into_iter().collect()
}

#[expect(clippy::disallowed_methods, reason = "a test's own switch")]
fn share() -> (usize, usize) {
    let share = std::env::var("LANES_SHARE").unwrap_or_else(|_| "0/64".into());
    let (part, of) = share.split_once('/').unwrap_or(("0", "1"));
    let number = |text: &str| text.parse::<usize>().expect("a share is `all` or like `5/64`");
    (number(part) % number(of), number(of))
}

/// Pairs in rows of all second ones: side by side, by a reference, with a mark behind, with what was composed before.
#[test]
fn each_border_of_a_class_beside_each_gives_what_the_steps_give() {
    let borders = borders();
    let (part, of) = share();
    let widths: Vec<(&str, Width)> =
        widths::NAMES.iter().filter_map(|name| Width::named(name).map(|width| (*name, width))).collect();
    let mut texts = 0_usize;
    for (_, first) in borders.iter().enumerate().filter(|(at, _)| at % of == part) {
        for form in 0..6 {
            let mut units = Vec::new();
            for second in &borders {
                let mut unit = String::new();
                let code = u32::from(*second);
                match form {
                    0 => write!(unit, "x{first}{second}y"),
                    1 => write!(unit, "{first}{second}{first}{second}\u{301} "),
                    2 => write!(unit, "e\u{301}{first}&#x{code:x};{first}."),
                    3 => write!(unit, "&#x{:x};{second}\u{316}{first}Z", u32::from(*first)),
                    4 => write!(unit, "o\u{323}{first}{second}\u{302}"),
                    _ => write!(unit, "&lt;{second}{first}&amp"),
                }
                .expect("a string takes it");
                units.push(unit);
            }
            let text = units.concat();
            let steps = Steps::of(&text);
            let expected = steps.after(Step::Trimmed);
            for (name, width) in &widths {
                texts += units.len();
                if normalized(*width, [text.as_str()]) == expected {
                    continue;
                }
                // Which one it was, in as much of the text as is needed.
                let len = (1..=units.len()).find(|&len| {
                    let start: String = units.iter().take(len).map(String::as_str).collect();
                    normalized(*width, [start.as_str()]) != Steps::of(&start).after(Step::Trimmed)
                });
                panic!(
                    "{name}, form {form}: {first:?} before {:?}",
                    len.and_then(|len| borders.get(len - 1))
                );
            }
            // In pieces that end anywhere.
            let mut pieces = Vec::new();
            let mut rest = text.as_str();
            while let Some((at, _)) = rest.char_indices().nth(1 + (form + rest.len()) % 5) {
                let (piece, behind) = rest.split_at(at);
                pieces.push(piece);
                rest = behind;
            }
            pieces.push(rest);
            assert_eq!(normalized(Width::default(), pieces), expected, "form {form}: {first:?} in pieces");
        }
    }
    println!("{} borders, {texts} pairs", borders.len());
    // Emulated processors have one width and try a share of a share: one first character at the least.
    assert!(borders.len() > 2_000 && texts >= 6 * borders.len(), "{} borders, {texts} pairs", borders.len());
}

/// All places in the buffer that are possible, for both sizes of a group: an exhaustive look at a pure function.
#[test]
fn what_is_given_away_is_whole_groups_and_leaves_room() {
    struct Count(usize);
    impl Sink for Count {
        fn write(&mut self, bytes: &[u8]) {
            self.0 += bytes.len();
        }
    }
    let mut buffer = core::array::from_fn::<u8, 1024, _>(|at| (at % 251) as u8);
    let before = buffer;
    for group in [64, 128] {
        for start in 1..=1024 {
            for len in start..=1024 {
                let mut given = Count(0);
                let (new_start, new_len) = drain(&mut buffer, start, len, group, &mut given);
                assert_eq!(given.0 % group, 0);
                assert_eq!(new_len - new_start + given.0, len - start, "nothing is lost: {start} {len}");
                assert!(
                    given.0 == 0 || new_len - new_start >= 128,
                    "what may be taken back stays: {start} {len}"
                );
                assert!(new_len - new_start < 128 + group, "no group is kept: {start} {len}");
                // What is kept is what it was, with the byte before it.
                let kept = buffer.get(new_start - 1..new_len);
                assert_eq!(kept, before.get(len - (new_len - new_start) - 1..len), "{start} {len}");
                assert!(given.0 == 0 || new_len <= 704, "there is room: {start} {len}");
                if new_start != start + given.0 {
                    buffer = before;
                }
            }
        }
    }
}

/// The most that is written between two times that bytes are given away: plain text up to a group's last byte, a chunk of runs
/// behind a control, and the longest text that a character becomes. An assertion in `Out::emit` holds.
#[test]
fn there_is_room_for_a_chunk_of_runs_and_the_longest_text() {
    let longest = Steps::of("\u{FDFA}");
    let longest = longest.after(Step::Trimmed);
    // White space that goes away decides how far into a group the chunks behind it end.
    for gone in 0..60 {
        for len in (64..1024).step_by(64).map(|len| len - gone - 2) {
            for runs in [1, 30, 56, 57, 58, 59, 60] {
                let (plain, run) = ("a".repeat(len), "b".repeat(runs));
                let text = format!("a {}{plain}\u{7}{run}\u{FDFA}", " ".repeat(gone));
                let expected = format!("a {plain}{run}{longest}");
                assert_eq!(normalized(Width::default(), [text.as_str()]), expected, "{gone}, {len}, {runs}");
            }
        }
    }
}

/// Every set of up to three runs of bytes, at the borders of a chunk and of the words of eight in it.
#[test]
fn what_is_taken_out_is_gone_and_the_rest_stays() {
    let borders = [0_usize, 1, 2, 7, 8, 9, 31, 32, 33, 61, 62, 63, 64];
    let runs: Vec<u64> = borders
        .iter()
        .flat_map(|&start| borders.iter().filter(move |&&end| start < end).map(move |&end| (start, end)))
        .map(|(start, end)| u64::MAX << start & u64::MAX >> (CHUNK - end))
        .collect();
    for &one in &runs {
        for &other in &runs {
            for bits in [0, one, one ^ other, one | other, one & 0xAAAA_AAAA_AAAA_AAAA | other] {
                let mut bytes: Vec<u8> = (0..=u8::MAX).collect();
                let gone = take_out(&mut bytes, 5, bits);
                let stays = |&at: &u8| !(5..69).contains(&at) || bits >> (at - 5) & 1 == 0;
                let expected: Vec<u8> = (0..=u8::MAX).filter(stays).collect();
                assert_eq!(gone, 256 - expected.len());
                // As far as bytes of the chunk go.
                assert_eq!(bytes[..69 - gone], expected[..69 - gone], "{bits:b}");
            }
        }
    }
}
