//! One table for all steps: normalisation, folding, controls and white space of each code point in one
//! look-up.
//!
//! The table is made from the Unicode Character Database by `tests/it/tables.rs`. An entry is a number:
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

/// The bytes of a short text.
pub(crate) type Bytes = <Tables as Data>::Bytes;

/// The entry of a code point. Code points past the end of the table are unchanged.
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
