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
//! | [`MAP`] and above | becomes another text without white space, of at most 32 bytes, that ends in a starter |
//!
//! All but marks, `SEGMENT` and `SECOND` are *boundaries*: nothing before them changes because of them.

use crate::unicode;
use crate::unicode::data::{BLOCKS, PAGES, POOL};

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

/// The text that an entry of [`MAP`] or above stands for.
#[inline(always)]
pub(crate) fn replacement(entry: u16) -> &'static [u8] {
    unicode::pooled(entry).as_bytes()
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
    let text = text.as_bytes();
    let (code, len) = match text[0] {
        0..0x80 => (text[0] as usize, 1),
        0x80..0xE0 => ((text[0] as usize & 0x1F) << 6 | (text[1] as usize & 0x3F), 2),
        0xE0..0xF0 => {
            ((text[0] as usize & 0x0F) << 12 | (text[1] as usize & 0x3F) << 6 | (text[2] as usize & 0x3F), 3)
        }
        _ => return (0, [0; 4]),
    };
    if text.len() != len {
        return (0, [0; 4]);
    }
    let entry = BLOCKS[PAGES[code >> 7] as usize][code & 127];
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
