//! Letters by Unicode's tables, with a fast path for the scripts of most pages.

use std::borrow::Cow;

use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Letters and digits of the scripts that most pages are written in, and nothing else.
#[rustfmt::skip]
const KNOWN_LETTERS: &[(u32, u32)] = &[
    (0x30, 0x39), (0x41, 0x5a), (0x61, 0x7a), // ASCII
    (0xc0, 0xd6), (0xd8, 0xf6), (0xf8, 0x2c1), (0x1e00, 0x1f15), // Latin
    (0x38e, 0x3a1), (0x3a3, 0x3f5), (0x3f7, 0x481), (0x48a, 0x52f), // Greek, Cyrillic
    (0x560, 0x588), (0x5d0, 0x5ea), (0x620, 0x657), (0x671, 0x6d3), // Armenian, Hebrew, Arabic
    (0x904, 0x93b), (0x93d, 0x94c), (0xe01, 0xe3a), (0xe40, 0xe46), (0x10d0, 0x10fa), // Devanagari, Thai, Georgian
    (0x3041, 0x3096), (0x30a1, 0x30fa), (0x30fc, 0x30ff), // kana
];

/// Neither letters nor digits: the rest of ASCII and the punctuation of these scripts.
#[rustfmt::skip]
const KNOWN_SIGNS: &[(u32, u32)] = &[
    (0, 0x2f), (0x3a, 0x40), (0x5b, 0x60), (0x7b, 0x7f), // ASCII
    (0xa0, 0xa9), (0xab, 0xb1), (0xbb, 0xbb), // Latin-1
    (0x60c, 0x60c), (0x94d, 0x94d), (0x964, 0x965), (0xe48, 0xe4b), // Arabic, Devanagari, Thai
    (0x2000, 0x206f), (0x3000, 0x3004), (0x3008, 0x3020), // general, and of Chinese and Japanese
];

/// The code points below U+3100 that are in one of these ranges, as bits.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn bits_of(ranges: &[(u32, u32)]) -> [u64; 0x3100 / 64] {
    let mut bits = [0; 0x3100 / 64];
    let mut at = 0;
    while at < ranges.len() {
        let (mut code, last) = ranges[at];
        while code <= last {
            bits[code as usize / 64] |= 1 << (code % 64);
            code += 1;
        }
        at += 1;
    }
    bits
}

static LETTERS: [u64; 0x3100 / 64] = bits_of(KNOWN_LETTERS);
static SIGNS: [u64; 0x3100 / 64] = bits_of(KNOWN_SIGNS);

/// The start of a text, at most this many bytes.
pub(crate) fn head(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Whether the character is a letter or a digit of any script.
#[inline]
pub(crate) fn is_alphanumeric(c: char) -> bool {
    let code = c as usize;
    if let (Some(letters), Some(signs)) = (LETTERS.get(code / 64), SIGNS.get(code / 64)) {
        let bit = 1 << (code % 64);
        return letters & bit != 0 || (signs & bit == 0 && is_known_alphanumeric(c));
    }
    match c {
        // Han and Hangul.
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => true,
        '\u{ff01}'..='\u{ff0f}' => false,
        _ => is_known_alphanumeric(c),
    }
}

/// The answer of the tables, faster than the standard library's search.
fn is_known_alphanumeric(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let marks = GeneralCategoryGroup::Mark.union(GeneralCategoryGroup::Symbol);
    GeneralCategoryGroup::Letter.union(GeneralCategoryGroup::Number).contains(category)
        || (marks.contains(category) && CodePointSetData::new::<Alphabetic>().contains(c))
}

/// Small letters of Latin, Greek and Cyrillic, and the scripts that have no others.
#[rustfmt::skip]
static SMALL: [u64; 0x3100 / 64] = bits_of(&[
    (0xdf, 0xff), (0x3ac, 0x3ce), (0x430, 0x45f), (0x5d0, 0x109f), (0x10d0, 0x10ff), (0x3040, 0x30ff),
]);

#[inline]
fn is_small(c: char) -> bool {
    match SMALL.get(c as usize / 64) {
        Some(small) => small & 1 << (c as usize % 64) != 0,
        None => matches!(c, '\u{3100}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}'),
    }
}

/// Whether the character is a capital letter.
#[inline]
pub(crate) fn is_capital(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_uppercase(),
        _ if is_small(c) => false,
        'А'..='Я' | 'Ѐ'..='Џ' => true,
        _ => c.is_uppercase(),
    }
}

/// Kinds of bytes, as bits.
pub(crate) struct ByteKinds([u8; 256]);

impl ByteKinds {
    /// The bytes of each list have its bits, and all others none.
    #[expect(clippy::indexing_slicing, reason = "a byte is always a place among 256")]
    pub(crate) const fn of(mut lists: &[(u8, &[u8])]) -> Self {
        let mut kinds = [0; 256];
        while let Some((&(bits, mut bytes), rest)) = lists.split_first() {
            while let Some((byte, others)) = bytes.split_first() {
                kinds[*byte as usize] |= bits;
                bytes = others;
            }
            lists = rest;
        }
        ByteKinds(kinds)
    }

    #[inline]
    pub(crate) fn of_byte(&self, byte: u8) -> u8 {
        self.0.get(usize::from(byte)).copied().unwrap_or_default()
    }

    /// The bits of all bytes together.
    pub(crate) fn of_all(&self, bytes: &[u8]) -> u8 {
        bytes.iter().fold(0, |kinds, &byte| kinds | self.of_byte(byte))
    }
}

/// Passes the character in lower case to `push`.
#[inline]
pub(crate) fn lower(c: char, mut push: impl FnMut(char)) {
    let code = u32::from(c);
    let lowered = match c {
        '\0'..='\u{7f}' => Some(c.to_ascii_lowercase()),
        'А'..='Я' => char::from_u32(code + 32),
        'Ѐ'..='Џ' => char::from_u32(code + 80),
        _ => is_small(c).then_some(c),
    };
    match lowered {
        Some(lowered) => push(lowered),
        None => c.to_lowercase().for_each(push),
    }
}

/// The runs of letters and digits in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = end_of(text, at, false);
        at = end_of(text, start, true);
        text.get(start..at).filter(|word| !word.is_empty())
    })
}

/// The text between the tags of a text that may have some.
pub(crate) fn without_tags(text: &str) -> impl Iterator<Item = &str> {
    text.split('<').enumerate().map(|(place, part)| match part.split_once('>') {
        Some((_, text)) if place > 0 => text,
        _ => part,
    })
}

/// The class of a byte for [`words`]: ASCII letter or digit, other ASCII, or part of a non-ASCII
/// character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    Letter,
    Sign,
    Part,
}

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
static BYTES: [Byte; 256] = {
    let mut bytes = [Byte::Part; 256];
    let mut byte = 0u8;
    while byte.is_ascii() {
        bytes[byte as usize] = if byte.is_ascii_alphanumeric() { Byte::Letter } else { Byte::Sign };
        byte += 1;
    }
    bytes
};

/// The end of the letters and digits that begin at `from`; with `letters` false, of the signs and spaces there.
fn end_of(text: &str, from: usize, letters: bool) -> usize {
    let wanted = if letters { Byte::Letter } else { Byte::Sign };
    let kind_of = |byte: u8| BYTES.get(usize::from(byte)).copied().unwrap_or(Byte::Part);
    let mut at = from;
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let other = rest.iter().map(|&byte| kind_of(byte)).enumerate().find(|(_, kind)| *kind != wanted);
        let Some((run, kind)) = other else { return text.len() };
        at += run;
        if kind != Byte::Part {
            return at;
        }
        let others = text.get(at..).unwrap_or_default().chars().take_while(|c| !c.is_ascii());
        for c in others {
            if is_alphanumeric(c) != letters {
                return at;
            }
            at += c.len_utf8();
        }
    }
}

/// The text with every run of white space as one space, none at the ends, and no control characters.
pub(crate) fn collapse(text: &str) -> String {
    if is_collapsed(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len().min(256));
    for word in text.split_whitespace() {
        // Control characters start with such a byte; so do a few others.
        let suspicious = word.bytes().any(|byte| matches!(byte, ..0x20 | 0x7f | 0xc2));
        let clean = if suspicious {
            Cow::Owned(word.chars().filter(|c| !c.is_control()).collect())
        } else {
            Cow::Borrowed(word)
        };
        if !clean.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&clean);
        }
    }
    out
}

/// Returns true if the bytes show that the text is collapsed already.
fn is_collapsed(text: &str) -> bool {
    !text.starts_with(' ') && !text.ends_with(' ') && has_single_spaces(text)
}

/// Returns true if the bytes show that the text has no white space but single spaces, and no control characters.
pub(crate) fn has_single_spaces(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Other white space and control characters than those of ASCII start with one of these. Without an early end, the
    // compiler looks at many bytes at once.
    let suspicious =
        |byte: u8| (byte < b' ') | (byte == 0x7f) | (byte == 0xc2) | (byte.wrapping_sub(0xe1) < 3);
    let is_odd = bytes.iter().fold(false, |odd, &byte| odd | suspicious(byte));
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let has_run = || pairs.fold(false, |has, (&first, &second)| has | ((first | second) == b' '));
    !is_odd && !has_run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_tables_and_the_standard_library_say() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), is_known_alphanumeric(c), "{:x}", u32::from(c));
            // The tables know letters that are newer than the standard library, so the converse need not hold.
            assert!(is_alphanumeric(c) || !c.is_alphanumeric(), "{:x}", u32::from(c));
        }
    }

    #[test]
    fn every_character_has_the_case_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_capital(c), c.is_uppercase(), "{:x}", u32::from(c));
            let mut lowered = String::new();
            lower(c, |c| lowered.push(c));
            assert_eq!(lowered, c.to_lowercase().to_string(), "{:x}", u32::from(c));
        }
    }
}
