//! Step 1, HTML character references: `&amp;`, `&eacute`, `&#233;`, `&#xE9;` become the characters they name.
//!
//! The rules are those of the HTML standard for text (not for attributes):
//!
//! - A name is the longest entry of the table that the text begins with. 106 old names work without their semicolon,
//!   so `&notit;` is `¬it;`, and `&notin;` is `∉`.
//! - A number is all the digits that follow `&#` or `&#x`; one semicolon behind it belongs to it. 0, surrogates and
//!   what lies above U+10FFFF become U+FFFD; 0x80 to 0x9F are read as windows-1252 where that has a character; all
//!   else, noncharacters and controls too, stands for itself.
//! - Everything else is literal text: `&`, `&#`, `&#x;`, `&nosuchname;`.
//! - Text is decoded once: `&amp;amp;` becomes `&amp;`.
//!
//! Spec: TCT draft-00, "Content Normalization"; TCT-FP-2, TCT-AMB-11.

mod list;
#[rustfmt::skip]
mod names;
mod partial;

use alloc::borrow::Cow;
use alloc::string::String;

pub(crate) use list::Name;
pub(crate) use partial::Partial;

/// What follows an `&`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A name of so many bytes, which stands for one or two characters.
    Named(usize, Name),
    /// A number of so many bytes (with the `#`), which stands for this character.
    Numeric(usize, char),
    /// No reference: the `&` is text.
    None,
    /// The text ends where more of it could make a longer reference.
    Incomplete,
}

impl Reference {
    /// How many bytes it has and what it stands for, if it is one.
    #[inline(always)]
    pub(crate) fn decoded(self, buffer: &mut [u8; 4]) -> Option<(usize, &str)> {
        match self {
            Reference::Named(len, name) => Some((len, name.text())),
            Reference::Numeric(len, c) => Some((len, c.encode_utf8(buffer))),
            Reference::None | Reference::Incomplete => None,
        }
    }
}

/// Reads the reference that begins with the byte after an `&`. With `last`, no more text follows `rest`.
#[inline]
pub(crate) fn read(rest: &[u8], last: bool) -> Reference {
    match rest.first() {
        Some(b'#') => read_number(rest, last),
        Some(byte) if byte.is_ascii_alphabetic() => read_name(rest, run(rest), last),
        None if !last => Reference::Incomplete,
        _ => Reference::None,
    }
}

/// All names are of letters and digits, with a semicolon only at the end, so there are two to look up: the run of
/// letters and digits with the semicolon behind it, or else the longest start of the run that needs none.
#[inline]
fn read_name(rest: &[u8], run: usize, last: bool) -> Reference {
    if run == rest.len() && !last && list::is_start(rest) {
        return Reference::Incomplete;
    }
    if rest.get(run) == Some(&b';')
        && let Some(name) = list::find(rest, run + 1)
    {
        return Reference::Named(run + 1, name);
    }
    without_semicolon(rest, run)
}

/// The longest name without semicolon that the run of letters and digits begins with.
#[inline(never)]
fn without_semicolon(rest: &[u8], run: usize) -> Reference {
    let mut lengths = (2..=run.min(MAX_OLD_NAME)).rev();
    match lengths.find_map(|len| Some((len, list::find(rest, len)?))) {
        Some((len, name)) => Reference::Named(len, name),
        None => Reference::None,
    }
}

/// How many letters and digits the text begins with, of which no more than [`MAX_NAME`] are looked at.
#[inline]
fn run(text: &[u8]) -> usize {
    let seen = text.get(..MAX_NAME).unwrap_or(text);
    let (eights, rest) = seen.as_chunks();
    for (at, &eight) in eights.iter().enumerate() {
        let others = !letters_and_digits(u64::from_le_bytes(eight)) & TOP_BITS;
        if others != 0 {
            return 8 * at + others.trailing_zeros() as usize / 8;
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
const MAX_NAME: usize = 32;

/// Letters of the longest name that needs no semicolon.
const MAX_OLD_NAME: usize = 6;

fn read_number(rest: &[u8], last: bool) -> Reference {
    let (radix, start) = match rest.get(1) {
        Some(b'x' | b'X') => (16, 2),
        _ => (10, 1),
    };
    let mut number = 0;
    let mut len = start;
    while let Some(digit) = rest.get(len).and_then(|&byte| char::from(byte).to_digit(radix)) {
        // Once past the last code point it stays there: 0x110000 × 16 is far from overflow.
        number = (number * radix + digit).min(0x11_0000);
        len += 1;
    }
    match rest.get(len) {
        None if !last => Reference::Incomplete,
        _ if len == start => Reference::None,
        next => Reference::Numeric(len + usize::from(next == Some(&b';')), character(number)),
    }
}

/// What a number stands for.
fn character(number: u32) -> char {
    match number {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252.get(number as usize - 0x80).copied().unwrap_or_default(),
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
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
        let Some((len, replacement)) = read(rest.as_bytes(), true).decoded(&mut buffer) else { continue };
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
pub(crate) mod tests;
