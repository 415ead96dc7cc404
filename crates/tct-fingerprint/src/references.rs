//! Step 1, HTML character references: `&amp;`, `&eacute`, `&#233;`, `&#xE9;` become the characters they name.
//!
//! The rules are those of the HTML standard for text (not for attributes):
//!
//! - A name is the longest entry of the table that the text begins with. 106 old names work without their semicolon,
//!   so `&notit;` is `¬it;`, and `&notin;` is `∉`.
//! - A number is all the digits that follow `&#` or `&#x`; one semicolon behind it belongs to it. 0, surrogates and
//!   what lies above U+10FFFF become U+FFFD; 0x80 to 0x9F are read as windows-1252 where that has a character; all
//!   else, noncharacters and controls too, stands for itself.
//! - Everything else is text: `&`, `&#`, `&#x;`, `&nosuchname;`.
//! - Text is decoded once: `&amp;amp;` becomes `&amp;`.
//!
//! Spec: TCT draft-00, "Content Normalization"; TCT-FP-2, TCT-AMB-11.

#[rustfmt::skip]
mod names;
mod partial;

use alloc::borrow::Cow;
use alloc::string::String;

use crate::table;
use names::NAMES;
pub(crate) use partial::{Outcome, Partial, Progress};

/// What the text behind an `&` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A name of so many bytes, which stands for this text of one or two characters.
    Named(usize, &'static str),
    /// A number of so many bytes (with the `#`), which stands for this character.
    Numeric(usize, char),
    /// No reference: the `&` is text.
    None,
    /// The text ends where more of it could make a longer reference.
    Incomplete,
}

/// Reads the reference that begins with the byte after an `&`. With `last`, no more text follows `rest`.
pub(crate) fn read(rest: &[u8], last: bool) -> Reference {
    match rest.first() {
        Some(b'#') => read_number(rest, last),
        Some(byte) if byte.is_ascii_alphabetic() => read_name(rest, last),
        None if !last => Reference::Incomplete,
        _ => Reference::None,
    }
}

fn read_name(rest: &[u8], last: bool) -> Reference {
    if let Some(short) = find_short(rest)
        && let Some((_, text)) = NAMES.get(usize::from(short.index))
    {
        return Reference::Named(short.len() - 1, text);
    }
    // Names that begin with the bytes seen so far; the shortest of them stands first.
    let mut names = bucket(rest.first().copied().unwrap_or_default());
    let mut best = Reference::None;
    let mut depth = 1;
    loop {
        if let Some((name, text)) = names.first()
            && name.len() == depth
        {
            best = Reference::Named(depth, text);
        }
        let Some(&byte) = rest.get(depth) else {
            let longer = names.last().is_some_and(|(name, _)| name.len() > depth);
            return if longer && !last { Reference::Incomplete } else { best };
        };
        let next = |(name, _): &(&str, &str)| name.as_bytes().get(depth).copied().unwrap_or_default();
        let start = names.partition_point(|entry| next(entry) < byte);
        names = names.get(start..).unwrap_or_default();
        let end = names.partition_point(|entry| next(entry) <= byte);
        names = names.get(..end).unwrap_or_default();
        if names.is_empty() {
            return best;
        }
        depth += 1;
    }
}

/// A name of at most seven letters with its semicolon, as nearly all are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Short {
    /// The name with its semicolon, the first byte lowest; 0 in a slot that is free.
    key: u64,
    /// Its place in the table of names.
    index: u16,
    size: u8,
    bytes: [u8; 4],
}

impl Short {
    /// Length of the reference with its `&`.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        9 - self.key.leading_zeros() as usize / 8
    }

    /// How many of the [`bytes`](Self::bytes) count.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// What comes out of all steps for it.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8; 4] {
        &self.bytes
    }
}

/// The short name that the text behind an `&` begins with, if it stands for one character, a boundary, of which at most
/// four bytes come out.
#[inline(always)]
pub(crate) fn short(rest: &[u8]) -> Option<&'static Short> {
    find_short(rest).filter(|short| short.size != 0)
}

/// Finds a short name by one look at eight bytes. Nothing longer can match: no name goes on behind a semicolon.
#[inline(always)]
fn find_short(rest: &[u8]) -> Option<&'static Short> {
    let bytes = u64::from_le_bytes(*rest.first_chunk()?);
    // The lowest byte that is a semicolon: subtracting borrows from a byte's top bit only where the byte is zero,
    // and what is wrong above the first such byte does not matter.
    let zero_there = bytes ^ 0x3B3B_3B3B_3B3B_3B3B;
    let found = zero_there.wrapping_sub(0x0101_0101_0101_0101) & !zero_there & 0x8080_8080_8080_8080;
    if found == 0 {
        return None;
    }
    let key = bytes & (found ^ (found - 1));
    let mut slot = short_slot(key);
    loop {
        let short = SHORT_NAMES.get(slot)?;
        if short.key == key {
            return Some(short);
        }
        if short.key == 0 {
            return None;
        }
        slot = (slot + 1) % SHORT_NAMES.len();
    }
}

/// The number that the text behind an `&` begins with, if it is decimal, of at most seven digits and has its semicolon:
/// the length of the reference with its `&`, and its character.
#[inline(always)]
pub(crate) fn short_number(rest: &[u8; 10]) -> Option<(usize, char)> {
    let [b'#', digits @ ..] = rest else { return None };
    let mut number = Number::new(10);
    for (at, &byte) in digits.iter().enumerate().take(8) {
        match byte {
            b'0'..=b'9' => number.value = number.value * 10 + u32::from(byte - b'0'),
            b';' if at > 0 => return Some((at + 3, number.character())),
            _ => return None,
        }
    }
    None
}

const fn short_slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// A hash table of the short names, with free slots behind every run.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static SHORT_NAMES: [Short; 4096] = {
    let mut slots = [Short { key: 0, index: 0, size: 0, bytes: [0; 4] }; 4096];
    let mut at = 0;
    while at < NAMES.len() {
        let (name, text) = NAMES[at];
        let name = name.as_bytes();
        if name.len() <= 8 && name[name.len() - 1] == b';' {
            let mut key = 0;
            let mut byte = 0;
            while byte < name.len() {
                key |= (name[byte] as u64) << (8 * byte);
                byte += 1;
            }
            let mut slot = short_slot(key);
            while slots[slot].key != 0 {
                slot = (slot + 1) % slots.len();
            }
            let (size, bytes) = table::outcome(text);
            slots[slot] = Short { key, index: at as u16, size, bytes };
        }
        at += 1;
    }
    slots
};

/// Where the names that begin with each ASCII byte stand in the table.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static BUCKETS: [u16; 129] = {
    let mut starts = [NAMES.len() as u16; 129];
    let mut at = NAMES.len();
    while at > 0 {
        at -= 1;
        let first = NAMES[at].0.as_bytes()[0] as usize;
        starts[first] = at as u16;
    }
    let mut byte = 128;
    while byte > 0 {
        byte -= 1;
        if starts[byte] > starts[byte + 1] {
            starts[byte] = starts[byte + 1];
        }
    }
    starts
};

fn bucket(byte: u8) -> &'static [(&'static str, &'static str)] {
    let start = BUCKETS.get(usize::from(byte)).copied().unwrap_or_default();
    let end = BUCKETS.get(usize::from(byte) + 1).copied().unwrap_or_default();
    NAMES.get(usize::from(start)..usize::from(end)).unwrap_or_default()
}

fn read_number(rest: &[u8], last: bool) -> Reference {
    let (radix, start) = match rest.get(1) {
        Some(b'x' | b'X') => (16, 2),
        _ => (10, 1),
    };
    let mut number = Number::new(radix);
    let mut len = start;
    while let Some(&byte) = rest.get(len) {
        if !number.push(byte) {
            if len == start {
                return Reference::None;
            }
            return Reference::Numeric(len + usize::from(byte == b';'), number.character());
        }
        len += 1;
    }
    match () {
        () if !last => Reference::Incomplete,
        () if len == start => Reference::None,
        () => Reference::Numeric(len, number.character()),
    }
}

/// The digits of a numeric reference. Their count has no limit, so they are summed up and not kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    radix: u32,
    value: u32,
}

impl Number {
    pub(crate) fn new(radix: u32) -> Self {
        Number { radix, value: 0 }
    }

    /// Adds a digit; `false` if the byte is not a digit.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        let Some(digit) = char::from(byte).to_digit(self.radix) else { return false };
        // Once past the last code point it stays there: 0x110000 × 16 is far from overflow.
        self.value = (self.value * self.radix + digit).min(0x11_0000);
        true
    }

    pub(crate) fn character(self) -> char {
        match self.value {
            0 => char::REPLACEMENT_CHARACTER,
            0x80..=0x9F => WINDOWS_1252.get(self.value as usize - 0x80).copied().unwrap_or_default(),
            value => char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER),
        }
    }
}

/// What the numbers 0x80 to 0x9F stand for. The five without a character in windows-1252 stay C1 controls.
static WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The text with its references decoded; borrowed when it has none. Linear, one allocation at the most.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    let mut decoded = String::new();
    let mut copied = 0; // all before this byte of `text` stands in `decoded`
    for at in memchr::memchr_iter(b'&', text.as_bytes()) {
        let (Some(before), Some(rest)) = (text.get(copied..at), text.get(at + 1..)) else { continue };
        let mut buffer = [0; 4];
        let (len, replacement) = match read(rest.as_bytes(), true) {
            Reference::Named(len, replacement) => (len, replacement),
            Reference::Numeric(len, c) => (len, &*c.encode_utf8(&mut buffer)),
            Reference::None | Reference::Incomplete => continue,
        };
        if decoded.is_empty() {
            decoded.reserve(text.len());
        }
        decoded.push_str(before);
        decoded.push_str(replacement);
        copied = at + 1 + len;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    decoded.push_str(crate::invariant::text_part(text, copied..));
    Cow::Owned(decoded)
}
