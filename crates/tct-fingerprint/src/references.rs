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

#[cfg(any(test, feature = "fast-tables"))]
#[cfg_attr(not(feature = "fast-tables"), allow(dead_code, reason = "tests compare what there is to compare"))]
mod fast;
mod list;
#[rustfmt::skip]
mod names;
#[cfg(any(test, not(feature = "fast-tables")))]
#[rustfmt::skip]
mod packed;
mod partial;
#[cfg(any(test, not(feature = "fast-tables")))]
mod small;

use alloc::borrow::Cow;
use alloc::string::String;

use crate::invariant::part;
use crate::lanes::END;
use crate::table;
#[cfg(feature = "fast-tables")]
pub(crate) use fast::is_start_of_long;
#[cfg(feature = "fast-tables")]
use fast::{find, find_name, find_old as find_old_name, is_start};
use list::Values;
use names::LIST;
pub(crate) use partial::{Outcome, Partial, Progress};
#[cfg(not(feature = "fast-tables"))]
use small::{find as find_name, find_key as find, find_key as find_old_name, is_start};

/// A short name that was found.
#[cfg(feature = "fast-tables")]
pub(crate) type Found = &'static Short;
#[cfg(not(feature = "fast-tables"))]
pub(crate) type Found = Short;

/// Whether a name of eight bytes or more may begin with these.
#[cfg(not(feature = "fast-tables"))]
pub(crate) fn is_start_of_long(_: &[u8; 8]) -> bool {
    true
}

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
        Some(byte) if byte.is_ascii_alphabetic() => read_name(rest, run(rest), last),
        None if !last => Reference::Incomplete,
        _ => Reference::None,
    }
}

/// The same in a view of the text, which [`END`] stands behind. More text may follow.
pub(crate) fn read_in_view(rest: &[u8]) -> Reference {
    let run = run(rest);
    if run == 0 {
        // Of a number, a few digits are enough to be looked at here.
        let few = rest.get(..10).unwrap_or(rest);
        return read(part(few, ..memchr::memchr(END, few).unwrap_or(few.len())), false);
    }
    let known = if rest.get(run) == Some(&END) { part(rest, ..run) } else { rest };
    read_name(known, run, false)
}

/// All names are of letters and digits, with a semicolon only at the end, so there are two to look up: the run of
/// letters and digits with the semicolon behind it, or else the longest start of the run that needs none.
fn read_name(rest: &[u8], run: usize, last: bool) -> Reference {
    let named = |at: usize, len| match Values.value(at) {
        Some(text) => Reference::Named(len, text),
        None => Reference::None,
    };
    if let Some(short) = find_short(rest) {
        return named(usize::from(short.index), short.len() - 1);
    }
    if run == rest.len() && !last && is_start(rest) {
        return Reference::Incomplete;
    }
    let may_be_long = || rest.first_chunk().is_none_or(is_start_of_long);
    if rest.get(run) == Some(&b';') && (run < 7 || may_be_long()) {
        let name = rest.get(..=run).unwrap_or_default();
        if let Some(at) = find_name(name) {
            return named(at, run + 1);
        }
    }
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(rest) {
        *to = *from;
    }
    match find_old(u64::from_le_bytes(bytes), run) {
        Some(old) => named(usize::from(old.index), old.len() - 1),
        None => Reference::None,
    }
}

/// How many letters and digits the text begins with, of which no more than [`MAX_NAME`] are looked at.
fn run(text: &[u8]) -> usize {
    let seen = text.get(..MAX_NAME).unwrap_or(text);
    let others = |eight: [u8; 8]| !letters_and_digits(u64::from_le_bytes(eight)) & TOP_BITS;
    let (eights, rest) = seen.as_chunks();
    for (at, &eight) in eights.iter().enumerate() {
        if others(eight) != 0 {
            return 8 * at + others(eight).trailing_zeros() as usize / 8;
        }
    }
    let behind = rest.iter().position(|byte| !byte.is_ascii_alphanumeric());
    8 * eights.len() + behind.unwrap_or(rest.len())
}

/// The top bit of each of eight bytes, and 1 in each.
const TOP_BITS: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// The top bit of each byte that is a letter or a digit.
#[inline(always)]
fn letters_and_digits(bytes: u64) -> u64 {
    within(bytes, b'0', b'9') | within(bytes | (0x20 * ONES), b'a', b'z')
}

/// The top bit of each byte that is in this range of ASCII.
#[inline(always)]
fn within(bytes: u64, first: u8, last: u8) -> u64 {
    // No sum of seven bits and what takes the range's ends to the top bit goes past its byte.
    let low = bytes & !TOP_BITS;
    let from_first = low + ONES * u64::from(0x80 - first);
    let past_last = low + ONES * u64::from(0x7F - last);
    from_first & !past_last & !bytes & TOP_BITS
}

/// Bytes of the longest name, with its semicolon.
pub(crate) const MAX_NAME: usize = 32;

/// Letters of the longest name that needs no semicolon.
const MAX_OLD_NAME: usize = 6;

/// A name that texts have often, as [`is_short`] says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Short {
    /// The name, the first byte lowest; 0 in a slot that is free.
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
pub(crate) fn short(rest: &[u8]) -> Option<Found> {
    find_short(rest).filter(|short| short.size != 0)
}

/// Finds a short name by one look at eight bytes. Nothing longer can match: no name goes on behind a semicolon.
#[inline(always)]
fn find_short(rest: &[u8]) -> Option<Found> {
    let bytes = u64::from_le_bytes(*rest.first_chunk()?);
    // The lowest byte that is a semicolon: subtracting borrows from a byte's top bit only where the byte is zero,
    // and what is wrong above the first such byte does not matter.
    let found = semicolons(bytes);
    if found == 0 {
        return None;
    }
    find(bytes & (found ^ (found - 1)))
}

/// The top bit of the lowest byte that is a semicolon, and perhaps of others above it; 0 if there is none.
#[inline(always)]
fn semicolons(bytes: u64) -> u64 {
    let zero_there = bytes ^ (ONES * b';' as u64);
    zero_there.wrapping_sub(ONES) & !zero_there & TOP_BITS
}

/// The longest name without semicolon that a run of so many letters and digits, of which these are the first eight,
/// begins with.
#[inline]
fn find_old(bytes: u64, run: usize) -> Option<Found> {
    let lengths = OLD_LENGTHS.get(old_slot(bytes)).copied().unwrap_or_default();
    // Counted and not taken from the bits: a processor foresees how often, and does not wait for them.
    (2..=run.min(MAX_OLD_NAME))
        .rev()
        .filter(|len| lengths >> len & 1 != 0)
        .find_map(|len| find_old_name(bytes & ((1 << (8 * len)) - 1)))
}

const fn old_slot(bytes: u64) -> usize {
    ((bytes & 0xFFFF).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57) as usize
}

/// The lengths of the names without semicolon, a bit for each, by their first two letters. Some share a place with others.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static OLD_LENGTHS: [u8; 128] = {
    let mut lengths = [0; 128];
    let mut at = 0;
    while at < LIST.len() {
        let name = LIST[at].0.as_bytes();
        if name[name.len() - 1] != b';' {
            lengths[old_slot(u16::from_le_bytes([name[0], name[1]]) as u64)] |= 1 << name.len();
        }
        at += 1;
    }
    lengths
};

/// The name without semicolon that the text behind an `&` begins with, if no longer one can be there, and if it stands
/// for one character, as [`short`] has it.
#[inline(always)]
pub(crate) fn old(rest: &[u8; 10]) -> Option<Found> {
    let run = rest.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    if matches!(rest.get(run), Some(&(b';' | END))) {
        // Text that has not come yet may go on.
        return None;
    }
    find_old(u64::from_le_bytes(*rest.first_chunk()?), run).filter(|short| short.size != 0)
}

/// Whether the text behind an `&` begins with a name or a number that stands for a boundary, and no longer one can be there.
#[inline(never)]
pub(crate) fn is_boundary(rest: &[u8; 10]) -> bool {
    short(rest).or_else(|| old(rest)).is_some()
        || short_number(rest).is_some_and(|(_, c)| table::is_boundary(table::entry(u32::from(c))))
}

/// The number that the text behind an `&` begins with, if it has at most seven digits and its semicolon: the length of
/// the reference with its `&`, and its character.
#[inline(always)]
pub(crate) fn short_number(rest: &[u8; 10]) -> Option<(usize, char)> {
    let [b'#', digits @ ..] = rest else { return None };
    let mut number = Number::new(10);
    for (at, &byte) in digits.iter().enumerate().take(8) {
        match byte {
            b'0'..=b'9' => number.value = number.value * 10 + u32::from(byte - b'0'),
            b';' if at > 0 => return Some((at + 3, number.character())),
            b'x' | b'X' if at == 0 => return short_hex_number(rest),
            _ => return None,
        }
    }
    None
}

fn short_hex_number(rest: &[u8; 10]) -> Option<(usize, char)> {
    let [_, _, digits @ ..] = rest;
    let mut number = Number::new(16);
    for (at, &byte) in digits.iter().enumerate() {
        match char::from(byte).to_digit(16) {
            Some(digit) => number.value = number.value << 4 | digit,
            None if byte == b';' && at > 0 => return Some((at + 4, number.character())),
            None => return None,
        }
    }
    None
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

#[cfg(test)]
pub(crate) fn table_bytes() -> (usize, usize) {
    let shared = size_of_val(&WINDOWS_1252) + size_of_val(&OLD_LENGTHS) + list::table_bytes();
    (shared + fast::table_bytes(), shared + small::table_bytes())
}
