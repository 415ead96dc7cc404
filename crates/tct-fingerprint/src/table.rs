//! What each code point becomes, in one look-up: normalisation, folding, controls and white space together.
//!
//! The table is made from the Unicode Character Database by `tests/tables.rs`. An entry is a number:
//!
//! | entry | class |
//! | --- | --- |
//! | 0 | stands for itself |
//! | 1 to 255 | a mark of this combining class that stands for itself and composes with nothing before it |
//! | [`SPACE`] | becomes a space |
//! | [`DROP`] | a control character, goes away |
//! | [`AMPERSAND`] | `&`: may begin a character reference |
//! | [`SEGMENT`] | may change the text before it, or is otherwise for the normaliser alone |
//! | [`SECOND`] | of class 0, composes with the character right before it where [`pair`] says so, else stands for itself |
//! | [`MAP`] and above | becomes another text, of at most 33 bytes, that ends in a starter; spaces in it are single and inside |
//!
//! All but marks, `SEGMENT` and `SECOND` are *boundaries*: nothing before them changes because of them.

use crate::unicode;
use crate::unicode::data::{BLOCKS, PAGE_BLOCKS, PAGES, POOL};

pub(crate) const KEEP: u16 = 0;
pub(crate) const LAST_MARK: u16 = 0xFF;
pub(crate) const SPACE: u16 = 0x100;
pub(crate) const DROP: u16 = 0x101;
pub(crate) const AMPERSAND: u16 = 0x102;
pub(crate) const SEGMENT: u16 = 0x103;
pub(crate) const SECOND: u16 = 0x104;
pub(crate) const MAP: u16 = unicode::TEXT;

/// The entry of a code point. Those past the table's end stand for themselves.
#[inline(always)]
pub(crate) fn entry(code: u32) -> u16 {
    let Some(&page) = PAGES.get((code >> 7) as usize) else { return KEEP };
    let Some(block) = BLOCKS.get(usize::from(page)) else { return KEEP };
    block.get((code & 127) as usize).copied().unwrap_or(KEEP)
}

/// The same for a code point that has a page, for tables that the compiler makes.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
pub(crate) const fn entry_below(code: usize) -> u16 {
    BLOCKS[PAGES[code >> 7] as usize][code & 127]
}

/// The text that an entry of [`MAP`] or above stands for.
#[inline(always)]
pub(crate) fn replacement(entry: u16) -> &'static [u8] {
    unicode::pooled(entry).as_bytes()
}

/// The same for a text of at most four bytes: these and what is behind them, and its length.
#[inline(always)]
pub(crate) fn short_replacement(entry: u16) -> Option<([u8; 4], usize)> {
    let &[len, ref four @ ..] = POOL.as_bytes().get(usize::from(entry - MAP)..)?.first_chunk::<5>()?;
    (len <= 4).then_some((*four, usize::from(len)))
}

/// Whether nothing before a character with this entry changes because of it.
#[inline(always)]
pub(crate) fn is_boundary(entry: u16) -> bool {
    entry == KEEP || (entry > LAST_MARK && entry != SEGMENT && entry != SECOND)
}

/// What `base` and `mark` become when a boundary follows, if the two compose.
#[inline]
pub(crate) fn pair(base: u32, mark: u32) -> Option<&'static [u8]> {
    unicode::pair(base, mark).map(|pair| unicode::pooled(pair.result).as_bytes())
}

/// What comes out for a text of one character, a boundary: up to four bytes and how many they are. 0 for all other texts.
/// For tables that the compiler makes.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
pub(crate) const fn outcome(text: &str) -> (u8, [u8; 4]) {
    let Some((code, len)) = single(text) else { return (0, [0; 4]) };
    let text = text.as_bytes();
    let entry = entry_below(code);
    let (bytes, start, end) = match entry {
        KEEP | AMPERSAND => (text, 0, len),
        SPACE => (b" ".as_slice(), 0, 1),
        MAP.. => {
            let start = (entry - MAP) as usize;
            (POOL.as_bytes(), start + 1, start + 1 + POOL.as_bytes()[start] as usize)
        }
        _ => return (0, [0; 4]),
    };
    let mut out = [0; 4];
    let mut at = 0;
    while start + at < end {
        if at == out.len() {
            return (0, [0; 4]);
        }
        out[at] = bytes[start + at];
        at += 1;
    }
    (at as u8, out)
}

/// The code point and the length of a text of one character below U+10000. For tables that the compiler makes.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
pub(crate) const fn single(text: &str) -> Option<(usize, usize)> {
    let text = text.as_bytes();
    let (code, len) = match text[0] {
        0..0x80 => (text[0] as usize, 1),
        0x80..0xE0 => ((text[0] as usize & 0x1F) << 6 | (text[1] as usize & 0x3F), 2),
        0xE0..0xF0 => {
            ((text[0] as usize & 0x0F) << 12 | (text[1] as usize & 0x3F) << 6 | (text[2] as usize & 0x3F), 3)
        }
        _ => return None,
    };
    if text.len() == len { Some((code, len)) } else { None }
}

/// The same as [`stays`] for U+0100 to U+013F and U+0140 to U+017F, with the capitals whose small letter is the next
/// character, of the same 64.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
pub(crate) static LATIN_EXTENDED: [[u8; 16]; 2] = {
    let mut all = STAYS[PAGES[2] as usize];
    let mut code = 0x100;
    while code < 0x180 {
        let entry = BLOCKS[PAGES[2] as usize][code & 127];
        if entry >= MAP {
            let (text, start) = (POOL.as_bytes(), (entry - MAP) as usize + 1);
            let (lead, next) = (0xC0 | (code >> 6) as u8, 0x81 + (code & 63) as u8);
            if text[start - 1] == 2 && text[start] == lead && text[start + 1] == next {
                all[code >> 6 & 1][code & 15] |= 1 << (code >> 4 & 3);
            }
        }
        code += 1;
    }
    all
};

/// Which characters of 64 the lanes let pass, by the last byte of a character: byte `n` is for last bytes that end in the
/// four bits `n`. Of these, bit 0 to 3 say for last bytes `8n`, `9n`, `An` and `Bn` that the character stands for itself,
/// bit 4 to 7 that it is a mark or sign that stays behind most letters.
#[inline]
pub(crate) fn stays(code: u32) -> &'static [u8; 16] {
    const NONE: &[u8; 16] = &[0; 16];
    let Some(&page) = PAGES.get((code >> 7) as usize) else { return NONE };
    let Some(halves) = STAYS.get(usize::from(page)) else { return NONE };
    halves.get((code >> 6 & 1) as usize).unwrap_or(NONE)
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static STAYS: [[[u8; 16]; 2]; PAGE_BLOCKS] = {
    // The sign that takes the vowel from a letter of Sinhala composes with one other sign.
    let (al_lakuna_block, al_lakuna) = (PAGES[0x0DCA >> 7] as usize, 0x0DCA & 127);
    // Syllables of Korean are composed from their first consonant on.
    let syllables_block = PAGES[0x1100 >> 7] as usize;
    // A sign of Balinese composes with many letters.
    let balinese_block = PAGES[0x1B35 >> 7] as usize;
    let mut all = [[[0; 16]; 2]; PAGE_BLOCKS];
    let mut block = 0;
    while block < PAGE_BLOCKS {
        let mut at = 0;
        while at < 128 {
            let row = at >> 4 & 3;
            all[block][at >> 6][at & 15] |= match BLOCKS[block][at] {
                KEEP if block == syllables_block && at < 19 => 0,
                KEEP => 1 << row,
                SECOND if block == balinese_block => 0,
                1..=LAST_MARK | SECOND => 0x10 << row,
                SEGMENT if block == al_lakuna_block && at == al_lakuna => 0x10 << row,
                _ => 0,
            };
            at += 1;
        }
        block += 1;
    }
    all
};

#[cfg(test)]
pub(crate) fn table_bytes() -> usize {
    use core::mem::size_of_val;

    size_of_val(&STAYS) + size_of_val(&LATIN_EXTENDED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lanes let a sign pass behind a letter unless the letter's last two bytes are among these.
    #[test]
    fn letters_that_compose_with_signs_are_known_by_their_last_two_bytes() {
        let last_byte = |c: char| c.encode_utf8(&mut [0; 4]).bytes().next_back().unwrap_or_default();
        let mut found = 0;
        for second in
            ('\u{800}'..='\u{FFFF}').filter(|&c| stays(u32::from(c)).iter().any(|rows| rows & 0xF0 != 0))
        {
            let row = 0x10 << (last_byte(second) >> 4 & 3);
            if stays(u32::from(second))
                .get(usize::from(last_byte(second) & 15))
                .is_none_or(|rows| rows & row == 0)
            {
                continue;
            }
            for first in ('\u{80}'..='\u{FFFF}').filter(|&c| pair(u32::from(c), u32::from(second)).is_some())
            {
                let last = last_byte(first);
                let rows =
                    crate::lanes::COMPOSE_WITH_SIGNS.get(usize::from(last & 15)).copied().unwrap_or_default();
                assert_ne!(rows & 1 << (last >> 4 & 3), 0, "{first:?} {second:?}");
                let next_to_last = first.encode_utf8(&mut [0; 4]).bytes().rev().nth(1).unwrap_or_default();
                let kinds = |kinds: &[u8; 16], byte: u8| kinds.get(usize::from(byte & 15)).copied();
                let last = kinds(&crate::lanes::KINDS_OF_LAST, last).unwrap_or_default();
                let next = kinds(&crate::lanes::KINDS_OF_NEXT_TO_LAST, next_to_last).unwrap_or_default();
                assert_ne!(last & next, 0, "{first:?} {second:?}");
                found += 1;
            }
        }
        assert!(found > 20, "{found}");
    }
}
