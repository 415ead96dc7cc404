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

use crate::unicode::{Data, Tables};

pub(crate) const KEEP: u16 = 0;
pub(crate) const LAST_MARK: u16 = 0xFF;
pub(crate) const SPACE: u16 = 0x100;
pub(crate) const DROP: u16 = 0x101;
pub(crate) const AMPERSAND: u16 = 0x102;
pub(crate) const SEGMENT: u16 = 0x103;
pub(crate) const SECOND: u16 = 0x104;
pub(crate) const MAP: u16 = 0x8000;
/// Code points from here on stand for themselves.
#[cfg(any(test, not(feature = "fast-tables")))]
pub(crate) const END: u32 = 0x30000;

/// None of 64 characters; see [`stays`].
#[cfg(feature = "fast-tables")]
pub(crate) const NO_STAYS: Stays = &[0; 16];
#[cfg(not(feature = "fast-tables"))]
pub(crate) const NO_STAYS: Stays = [0; 16];

/// The bytes of a short text.
pub(crate) type Bytes = <Tables as Data>::Bytes;

/// See [`stays`].
pub(crate) type Stays = <Tables as Data>::Stays;

/// The entry of a code point. Those past the table's end stand for themselves.
#[inline(always)]
pub(crate) fn entry(code: u32) -> u16 {
    Tables::entry(code)
}

/// The text that a code point of this entry, [`MAP`] or above, stands for.
#[inline(always)]
pub(crate) fn replacement(code: u32, entry: u16) -> Bytes {
    Tables::replacement(code, entry)
}

/// The same for a text of at most four bytes: these and what is behind them, and its length.
#[inline(always)]
pub(crate) fn short_replacement(code: u32, entry: u16) -> Option<([u8; 4], usize)> {
    Tables::short_replacement(code, entry)
}

/// Whether nothing before a character with this entry changes because of it.
#[inline(always)]
pub(crate) fn is_boundary(entry: u16) -> bool {
    entry == KEEP || (entry > LAST_MARK && entry != SEGMENT && entry != SECOND)
}

/// What `base` and `mark` become when a boundary follows, if the two compose.
#[inline]
pub(crate) fn pair(base: u32, mark: u32) -> Option<Bytes> {
    Tables::pair(base, mark)
}

/// Which characters of 64 the lanes let pass, by the last byte of a character: byte `n` is for last bytes that end in the
/// four bits `n`. Of these, bit 0 to 3 say for last bytes `8n`, `9n`, `An` and `Bn` that the character stands for itself,
/// bit 4 to 7 that it is a mark or sign that stays behind most letters.
#[inline]
pub(crate) fn stays(code: u32) -> Stays {
    Tables::stays(code)
}

/// The same as [`stays`] for U+0100 to U+013F, or `second` for U+0140 to U+017F, with the capitals whose small letter is
/// the next character, of the same 64.
pub(crate) fn latin_extended(second: bool) -> Stays {
    Tables::latin_extended(second)
}

/// The 16 bytes themselves.
#[inline(always)]
pub(crate) fn rows(stays: &Stays) -> &[u8; 16] {
    Tables::rows(stays)
}

/// The code point and the length of a text of one character below U+10000.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The lanes let a sign pass behind a letter unless the letter's last two bytes are among these.
    #[test]
    fn letters_that_compose_with_signs_are_known_by_their_last_two_bytes() {
        let last_byte = |c: char| c.encode_utf8(&mut [0; 4]).bytes().next_back().unwrap_or_default();
        let mut found = 0;
        for second in ('\u{800}'..='\u{FFFF}')
            .filter(|&c| rows(&stays(u32::from(c))).iter().any(|rows| rows & 0xF0 != 0))
        {
            let row = 0x10 << (last_byte(second) >> 4 & 3);
            if rows(&stays(u32::from(second)))
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
