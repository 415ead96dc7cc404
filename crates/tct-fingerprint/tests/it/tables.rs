//! The checked-in tables are what the Unicode Character Database and the HTML standard's list make of them.
//!
//! ```sh
//! BLESS=1 cargo test -p tct-fingerprint --test it tables             # writes the tables anew
//! UCD=FOLDER BLESS=1 cargo test -p tct-fingerprint --test it tables  # takes another database first: run it twice
//! ```
//!
//! `UCD` is a folder with `UnicodeData.txt`, `DerivedNormalizationProps.txt` and `CaseFolding.txt`; what is needed of
//! them is kept in `tests/data`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers fail by panicking")]

use crate::ucd;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use ucd::Ucd;

const KEEP: u16 = 0;
const SPACE: u16 = 0x100;
const DROP: u16 = 0x101;
const AMPERSAND: u16 = 0x102;
const SEGMENT: u16 = 0x103;
const SECOND: u16 = 0x104;
/// Entries from here on are places in the pool.
const TEXT: u16 = 0x8000;
const PAGE: usize = 128;
const ROW: usize = 16;
const END: u32 = 0x30000;

fn chars() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// Vowels and finals of Korean, which compose by arithmetic.
fn is_jamo(c: char) -> bool {
    ('\u{1161}'..='\u{1175}').contains(&c) || ('\u{11A8}'..='\u{11C2}').contains(&c)
}

/// The characters that compose with one before them.
fn seconds(ucd: &Ucd) -> BTreeSet<char> {
    ucd.pairs.keys().map(|pair| pair.1).chain(chars().filter(|&c| is_jamo(c))).collect()
}

/// Texts, each behind its length and none of them twice.
#[derive(Default)]
struct Pool {
    known: HashMap<String, u16>,
    text: String,
}

impl Pool {
    fn index(&mut self, text: &str) -> u16 {
        if let Some(&index) = self.known.get(text) {
            return index;
        }
        let index = u16::try_from(self.text.len()).unwrap();
        assert!(index < TEXT && text.len() < 0x80);
        // A length is a control character, so the whole is text.
        self.text.push(char::from(u8::try_from(text.len()).unwrap()));
        self.text.push_str(text);
        self.known.insert(text.into(), index);
        index
    }
}

fn entry(ucd: &Ucd, c: char, seconds: &BTreeSet<char>, pool: &mut Pool) -> u16 {
    // By far the most have no data at all.
    let has_data =
        ucd.mappings.contains_key(&c) || ucd.foldings.contains_key(&c) || ucd.classes.contains_key(&c);
    let syllable = ('\u{AC00}'..='\u{D7A3}').contains(&c);
    if !has_data && (syllable || !(seconds.contains(&c) || c == ' ' || c == '&' || c.is_control())) {
        return KEEP;
    }
    if c == '&' {
        return AMPERSAND;
    }
    if matches!(c, '\t' | '\n' | '\r') || ucd.nfkc(&String::from(c)) == " " {
        return SPACE;
    }
    if c.is_control() {
        return DROP;
    }
    let own = String::from(c);
    let composed = ucd.nfkc(&own);
    let result = ucd.fold(&composed);
    let decomposed = ucd.nfkd(&own);
    let first = decomposed.chars().next().unwrap();
    let last = composed.chars().next_back().unwrap();
    if ucd.class(first) != 0 || seconds.contains(&first) {
        let plain = result == own && decomposed == own;
        return match (plain, seconds.contains(&c)) {
            (true, false) => u16::from(ucd.class(c)),
            (true, true) if ucd.class(c) == 0 && !is_jamo(c) => SECOND,
            _ => SEGMENT,
        };
    }
    // Single spaces inside stay as they are; at the ends they depend on what is around them.
    let spaces = result.starts_with(' ') || result.ends_with(' ') || result.contains("  ");
    if ucd.class(last) != 0 || result.len() > 33 || spaces || result.contains(char::is_control) {
        return SEGMENT;
    }
    if result == own { KEEP } else { TEXT | pool.index(&result) }
}

/// `src/fast/data.rs`.
fn properties(ucd: &Ucd) -> String {
    let seconds = seconds(ucd);
    let mut pool = Pool::default();
    let (mut entries, mut properties) = (Vec::new(), Vec::new());
    for c in (0..END).map(char::from_u32) {
        entries.push(c.map_or(KEEP, |c| entry(ucd, c, &seconds, &mut pool)));
        properties.push(match c {
            Some(c) if ucd.mappings.contains_key(&c) => TEXT | pool.index(&ucd.nfkd(&String::from(c))),
            Some(c) => u16::from(ucd.class(c)),
            None => 0,
        });
    }
    for c in chars().filter(|&c| u32::from(c) >= END) {
        assert_eq!(entry(ucd, c, &seconds, &mut pool), KEEP, "{c:?} is past the table's end");
        assert!(!ucd.mappings.contains_key(&c) && ucd.class(c) == 0, "{c:?} is past the table's end");
    }
    // Rows of the properties that no block of the entries has come behind those, eight to a block.
    let (pages, mut all) = blocks(&entries, PAGE);
    let rows: Vec<Vec<u16>> = all.chunks(ROW).map(<[u16]>::to_vec).collect();
    let mut known: HashMap<Vec<u16>, usize> = rows.into_iter().zip(0..).collect();
    let mut numbers = Vec::new();
    for row in properties.chunks(ROW) {
        numbers.push(*known.entry(row.to_vec()).or_insert_with(|| {
            all.extend_from_slice(row);
            all.len() / ROW - 1
        }));
    }
    all.resize(all.len().next_multiple_of(PAGE), 0);
    let (top, mid) = blocks(&numbers, 16);

    let pairs: Vec<String> = ucd
        .pairs
        .iter()
        .map(|(&(first, second), &composed)| {
            // The lower halves are kept; those of plane 1 come last.
            let [plane, second_plane, composed_plane] = [first, second, composed].map(|c| u32::from(c) >> 16);
            let low = |c: char| u32::from(c) & 0xFFFF;
            assert!(plane <= 1 && plane == composed_plane);
            assert!(
                second_plane == plane && low(second) >= 0x1000
                    || second_plane == 0 && low(second) < 0x1000
                    || plane == 0
            );
            format!("({}, {}, {})", low(first), low(second), low(composed))
        })
        .collect();
    let of_plane_0 = ucd.pairs.keys().filter(|(first, _)| u32::from(*first) < 0x1_0000).count();

    let ranges = folding_ranges(ucd);
    let full: Vec<String> = (ucd.foldings.iter())
        .filter(|(_, folded)| folded.chars().count() > 1)
        .map(|(&c, folded)| format!("({}, {})", u32::from(c), pool.index(folded)))
        .collect();

    let mut out = String::from(
        "//! Generated by `tests/it/tables.rs` from the Unicode Character Database; do not edit.\n\n",
    );
    let ty = format!("PAGES: [u8; {}]", pages.len());
    assert!(pages.iter().all(|page| *page < 256));
    list(&mut out, "Block of each page of 128 code points.", &ty, &pages);
    let ty = format!("BLOCKS: [[u16; {PAGE}]; {}]", all.len() / PAGE);
    writeln!(
        out,
        "/// What becomes of the code points, a block a page; then further rows for `MID`.\npub(crate) static {ty} = ["
    )
    .unwrap();
    for block in all.chunks(PAGE) {
        out.push_str("    [\n");
        self::rows(&mut out, "        ", block);
        out.push_str("    ],\n");
    }
    out.push_str("];\n\n");
    let ty = format!("TOP: [u8; {}]", top.len());
    list(&mut out, "Where in `MID` each page of 256 code points begins, in units of 16.", &ty, &top);
    let ty = format!("MID: [u16; {}]", mid.len());
    list(
        &mut out,
        "The row of `BLOCKS`, of 16 entries each, that has the combining class or the decomposition of 16 code points.",
        &ty,
        &mid,
    );
    writeln!(out, "/// How many pairs are of plane 0.\npub(crate) const OF_PLANE_0: usize = {of_plane_0};\n")
        .unwrap();
    let ty = format!("PAIRS: [(u16, u16, u16); {}]", pairs.len());
    list(
        &mut out,
        "Two characters and what they compose to, lower halves; the pairs of plane 0, then those of plane 1.",
        &ty,
        &pairs,
    );
    let ty = format!("FOLDINGS: [(u32, i32); {}]", ranges.len());
    list(
        &mut out,
        "The first of some characters that fold to the one this far away. From bit 21 on: whether it is every other character,\n\
         /// and from bit 22 on, how far the last is.",
        &ty,
        &ranges,
    );
    let ty = format!("FULL_FOLDINGS: [(u32, u16); {}]", full.len());
    list(&mut out, "Characters that fold to more than one, and the place of those in `POOL`.", &ty, &full);
    escaped_text(&mut out, "Texts, each behind its length in bytes.", "POOL", &pool.text);
    out
}

/// Foldings to one character, as ranges.
fn folding_ranges(ucd: &Ucd) -> Vec<String> {
    let mut ranges: Vec<(u32, i32, u16, u16)> = Vec::new();
    for (&c, folded) in &ucd.foldings {
        let code = u32::from(c);
        if folded.chars().count() > 1 {
            continue;
        }
        let to = u32::from(folded.chars().next().unwrap());
        let delta = i32::try_from(i64::from(to) - i64::from(code)).unwrap();
        match ranges.last_mut() {
            // Every character, or every other one, goes as far as the one before.
            Some((first, same, len, step))
                if *same == delta
                    && (code - *first - u32::from(*len) == u32::from(*step)
                        || *len == 0 && code - *first == 2) =>
            {
                *step = if *len == 0 { u16::try_from(code - *first).unwrap() } else { *step };
                *len = u16::try_from(code - *first).unwrap();
            }
            _ => ranges.push((code, delta, 0, 1)),
        }
    }
    ranges
        .iter()
        .map(|&(first, delta, len, step)| {
            assert!(len < 1 << 10 && (1..=2).contains(&step));
            format!("({}, {delta})", first | u32::from(step - 1) << 21 | u32::from(len) << 22)
        })
        .collect()
}

/// `src/small/data.rs`: the same in fewer bytes, as `src/small.rs` reads it.
fn small_properties(ucd: &Ucd) -> String {
    let seconds = seconds(ucd);
    // Pairs by the plane of the first one, the second one and the first one.
    let mut pairs: Vec<(u32, u16, char)> = (ucd.pairs.iter())
        .map(|(&(first, second), &composed)| {
            let (plane, low) = (u32::from(first) >> 16, u32::from(first) & 0xFFFF);
            (plane << 24 | u32::from(second), u16::try_from(low).unwrap(), composed)
        })
        .collect();
    pairs.sort();
    let pair_of: HashMap<char, u16> = pairs.iter().map(|&(.., composed)| composed).zip(0..).collect();
    assert!(pairs.len() < 1024 && seconds.iter().all(|c| !ucd.mappings.contains_key(c)));
    let mut groups: Vec<String> = Vec::new();
    let mut last = None;
    for (at, &(key, ..)) in pairs.iter().enumerate() {
        if last != Some(key) {
            groups.push(format!("({key}, {at})"));
        }
        last = Some(key);
    }

    let mut texts: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut number = |text: &str| {
        *known.entry(text.into()).or_insert_with(|| {
            texts.push(text.into());
            texts.len() - 1
        })
    };
    // The first kind is that of all code points past the table's end.
    let (mut kinds, mut kind_of, mut of_codes) =
        (vec![format!("({KEEP}, 0)")], HashMap::from([((KEEP, 0), 0)]), Vec::new());
    let (mut values, mut ranks) = (Vec::new(), Vec::new());
    let mut pool = Pool::default();
    for code in 0..END {
        let c = char::from_u32(code);
        let kind = match c {
            Some(c) => (entry(ucd, c, &seconds, &mut pool).min(TEXT), ucd.class(c)),
            None => (KEEP, 0),
        };
        let kind = *kind_of.entry(kind).or_insert_with(|| {
            kinds.push(format!("({}, {})", kind.0, kind.1));
            u8::try_from(kinds.len() - 1).unwrap()
        });
        assert!(kind < 0x80);
        let Some((c, (canonical, mapping))) = c.and_then(|c| ucd.mappings.get(&c).map(|m| (c, m))) else {
            of_codes.push(kind);
            continue;
        };
        of_codes.push(kind | 0x80);
        if ranks.last().is_none_or(|&(row, _)| row != code / 16) {
            ranks.push((code / 16, values.len()));
        }
        let single = mapping
            .chars()
            .next()
            .map(u32::from)
            .filter(|&to| to < 0xD800 || (0xF900..0x10000).contains(&to));
        values.push(match (pair_of.get(&c), single) {
            (Some(pair), _) if *canonical => 0xD800 + usize::from(*pair),
            (_, Some(single)) if mapping.chars().count() == 1 => usize::try_from(single).unwrap(),
            _ => 0xDC00 + number(&ucd.nfkd(mapping)),
        });
    }
    assert!(values.iter().all(|&value| value < 0x10000));
    let full: Vec<String> = (ucd.foldings.iter())
        .filter(|(_, folded)| folded.chars().count() > 1)
        .map(|(&c, folded)| format!("({}, {})", u32::from(c), number(folded)))
        .collect();
    assert!(texts.len() < 0xF900 - 0xDC00);
    let mut starts = Vec::new();
    let mut text = String::new();
    for (at, one) in texts.iter().enumerate() {
        if at % 8 == 0 {
            starts.push(text.len());
        }
        text.push(char::from(u8::try_from(one.len()).unwrap()));
        text.push_str(one);
    }
    let (rows_of, rows) = blocks(&of_codes, ROW);
    let (top, mid) = blocks(&rows_of, 16);

    let mut out = String::from(
        "//! Generated by `tests/it/tables.rs` from the Unicode Character Database; do not edit.\n\n",
    );
    let mut add = |doc: &str, name: &str, ty: &str, items: &[String]| {
        list(&mut out, doc, &format!("{name}: [{ty}; {}]", items.len()), items);
    };
    fn words<T: ToString>(items: &[T]) -> Vec<String> {
        items.iter().map(ToString::to_string).collect()
    }
    add("Where in `MID` each page of 256 code points begins, in units of 16.", "TOP", "u8", &words(&top));
    add("The row of `ROWS` of each 16 code points.", "MID", "u16", &words(&mid));
    add(
        "Of each code point, its place in `KINDS`; with the top bit set if it decomposes.",
        "ROWS",
        "u8",
        &words(&rows),
    );
    add("What there is: an entry as `table` has it, and a combining class.", "KINDS", "(u16, u8)", &kinds);
    let ranks: Vec<String> = ranks.iter().map(|(row, rank)| format!("({row}, {rank})")).collect();
    add(
        "Rows of 16 code points with some that decompose, and how many of these are before.",
        "RANKS",
        "(u16, u16)",
        &ranks,
    );
    add(
        "What these decompose to, in their order: a character, or from D800 on a pair, or from DC00 on a text.",
        "VALUES",
        "u16",
        &words(&values),
    );
    add(
        "Second characters of pairs, the plane of the first ones from bit 24 on, and where the pairs begin.",
        "GROUPS",
        "(u32, u16)",
        &groups,
    );
    let firsts: Vec<u16> = pairs.iter().map(|pair| pair.1).collect();
    add("First characters of pairs, lower halves.", "FIRSTS", "u16", &words(&firsts));
    let composed: Vec<u32> = pairs.iter().map(|pair| u32::from(pair.2) & 0xFFFF).collect();
    add(
        "What pairs compose to, lower halves; of the first one's plane.",
        "COMPOSED",
        "u16",
        &words(&composed),
    );
    add(
        "The first of some characters that fold to the one this far away. From bit 21 on: whether it is every other character,\n\
         /// and from bit 22 on, how far the last is.",
        "FOLDINGS",
        "(u32, i32)",
        &folding_ranges(ucd),
    );
    add(
        "Characters that fold to more than one, and the number of the text.",
        "FULL_FOLDINGS",
        "(u32, u16)",
        &full,
    );
    add("Where each eighth text begins in `TEXTS`.", "TEXT_STARTS", "u16", &words(&starts));
    escaped_text(&mut out, "Texts, each behind its length in bytes.", "TEXTS", &text);
    out
}

fn list<T: std::fmt::Display>(out: &mut String, doc: &str, ty: &str, items: &[T]) {
    writeln!(out, "/// {doc}\npub(crate) static {ty} = [").unwrap();
    rows(out, "    ", items);
    out.push_str("];\n\n");
}

fn rows<T: std::fmt::Display>(out: &mut String, indent: &str, items: &[T]) {
    for row in items.chunks(16) {
        let row: Vec<_> = row.iter().map(ToString::to_string).collect();
        writeln!(out, "{indent}{},", row.join(", ")).unwrap();
    }
}

/// `src/references/names.rs`.
fn names() -> String {
    let mut names: Vec<(&str, String)> = include_str!("../data/entities.txt")
        .lines()
        .skip(1)
        .map(|line| {
            let (name, points) = line.split_once(' ').unwrap();
            let hex = |point: &str| char::from_u32(u32::from_str_radix(point, 16).unwrap()).unwrap();
            (name, points.split(' ').map(hex).collect())
        })
        .collect();
    names.sort();
    assert_eq!(names.iter().filter(|(name, _)| name.ends_with(';')).count(), 2125);
    assert_eq!(names.iter().filter(|(name, _)| !name.ends_with(';')).count(), 106);
    let mut out = String::from(
        "//! Generated by `tests/it/tables.rs`, which fails when this file is not what it generates; do not edit.\n//!\n\
         //! The named character references of the HTML standard without their `&`, sorted by bytes, and what they \
         stand for:\n//! 2,125 names that end in `;` and 106 that need none.\n\n",
    );
    let (mut end, mut values, mut known) = (0, String::new(), HashMap::new());
    let (mut starts, mut places, mut outcomes) = (vec![0], Vec::new(), Vec::new());
    let ucd = Ucd::checked_in();
    let seconds = seconds(&ucd);
    for (name, text) in &names {
        let mut chars = text.chars();
        let class = entry(&ucd, chars.next().unwrap(), &seconds, &mut Pool::default());
        let outcome = match class {
            SPACE => " ".into(),
            KEEP | AMPERSAND | TEXT.. if chars.next().is_none() => ucd.fold(&ucd.nfkc(text)),
            _ => String::new(),
        };
        outcomes.push(match outcome.len() {
            ..=4 => outcome.bytes().rev().fold(0, |four, byte| four << 8 | u32::from(byte)),
            _ => 0,
        });
        end += name.len();
        starts.push(end);
        let start = *known.entry(text).or_insert_with(|| {
            values.push_str(text);
            values.len() - text.len()
        });
        assert!(text.len() < 8 && start < 1 << 13);
        places.push(start << 3 | text.len());
    }
    list(
        &mut out,
        "Where each name begins in `NAME_TEXT`, and where the last one ends.",
        &format!("NAME_STARTS: [u16; {}]", starts.len()),
        &starts,
    );
    list(
        &mut out,
        "Where the text that each name stands for begins in `VALUE_TEXT`, times eight, and its length in bytes.",
        &format!("VALUE_PLACES: [u16; {}]", places.len()),
        &places,
    );
    list(
        &mut out,
        "What comes out of all steps for each name that stands for one boundary: up to four bytes, the first one lowest. 0 for others.",
        &format!("OUTCOMES: [u32; {}]", outcomes.len()),
        &outcomes,
    );
    writeln!(out, "/// All names, one behind the other.\npub(crate) static NAME_TEXT: &str = \"\\").unwrap();
    for row in names.chunks(12) {
        writeln!(out, "{}\\", row.iter().map(|(name, _)| *name).collect::<String>()).unwrap();
    }
    out.push_str("\";\n\n");
    escaped_text(&mut out, "The texts that names stand for, none of them twice.", "VALUE_TEXT", &values);
    out
}

fn escaped_text(out: &mut String, doc: &str, name: &str, text: &str) {
    writeln!(out, "/// {doc}\npub(crate) static {name}: &str = \"\\").unwrap();
    let characters: Vec<char> = text.chars().collect();
    for line in characters.chunks(12) {
        let escaped: String = line.iter().map(|c| format!("\\u{{{:x}}}", u32::from(*c))).collect();
        writeln!(out, "{escaped}\\").unwrap();
    }
    out.push_str("\";\n");
}

/// The values in blocks of this size: number of each block, and the blocks, none of them twice.
fn blocks<T: Clone + Ord>(values: &[T], size: usize) -> (Vec<u16>, Vec<T>) {
    let mut known: BTreeMap<&[T], u16> = BTreeMap::new();
    let (mut numbers, mut all) = (Vec::new(), Vec::new());
    for block in values.chunks(size) {
        let next = u16::try_from(known.len()).unwrap();
        numbers.push(*known.entry(block).or_insert_with(|| {
            all.extend_from_slice(block);
            next
        }));
    }
    (numbers, all)
}

/// The database that the tables are made of: the one at `UCD`, else the checked-in extract.
#[expect(clippy::disallowed_methods, reason = "the environment is how a person hands in a new database")]
fn database() -> Ucd {
    let Ok(folder) = std::env::var("UCD") else { return Ucd::checked_in() };
    let read = |name: &str| std::fs::read_to_string(std::path::Path::new(&folder).join(name)).unwrap();
    Ucd::of_files(&read("UnicodeData.txt"), &read("DerivedNormalizationProps.txt"), &read("CaseFolding.txt"))
}

/// Compares a checked-in file with what it is generated to be; writes it with `BLESS=1`.
#[expect(clippy::disallowed_methods, reason = "writes the new file for a person who asks for it")]
fn compare(path: &str, checked_in: &str, generated: &str) {
    if checked_in == generated {
        return;
    }
    assert!(
        std::env::var("BLESS").is_ok(),
        "{path} is not what it is generated to be: BLESS=1 writes it anew"
    );
    std::fs::write(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path), generated).unwrap();
}

#[test]
#[expect(clippy::disallowed_methods, reason = "with BLESS=1 the extract that is compiled in is the old one")]
fn the_extract_is_the_databases() {
    let ucd = database();
    compare("tests/data/unicode-18.0.0.txt", ucd::EXTRACT, &ucd.extract());
    assert_eq!(ucd.version, "18.0.0");
    assert!(std::env::var("BLESS").is_ok() || ucd == Ucd::checked_in(), "reading loses what writing keeps");
}

#[test]
fn the_tables_are_the_databases() {
    compare("src/fast/data.rs", include_str!("../../src/fast/data.rs"), &properties(&database()));
}

#[test]
fn the_small_tables_are_the_databases() {
    compare("src/small/data.rs", include_str!("../../src/small/data.rs"), &small_properties(&database()));
}

#[test]
fn the_reference_table_is_the_html_standards_list() {
    compare("src/references/names.rs", include_str!("../../src/references/names.rs"), &names());
}
