//! What a letter and one or two marks become, as in the other `accents`, by the table of pairs. A node is a character.

use super::{Small, steps};
use crate::table::KEEP;
use crate::unicode::Data;

/// The node of an ASCII letter, small or not.
#[inline]
pub(crate) fn letter(byte: u8) -> u16 {
    if byte.is_ascii_alphabetic() { u16::from(byte.to_ascii_lowercase()) } else { 0 }
}

/// The node of a small letter of two bytes.
#[inline]
pub(crate) fn letter_of_two(lead: u8, last: u8) -> u16 {
    match of_two(lead, last) {
        code @ 0x3B0..0x460 if Small::entry(u32::from(code)) == KEEP => code,
        _ => 0,
    }
}

fn of_two(lead: u8, last: u8) -> u16 {
    u16::from(lead & 0x1F) << 6 | u16::from(last & 0x3F)
}

/// The node that this one becomes with a mark, given by its bytes: CC 80 to CD BF.
pub(crate) fn with(node: u16, lead: u8, last: u8) -> u16 {
    let mark = of_two(lead, last);
    if node == 0 || !(0x300..=0x344).contains(&mark) {
        return 0;
    }
    let composed = Small::composed(u32::from(node), u32::from(mark)).unwrap_or_default() as u16;
    if text(composed) == 0 { 0 } else { composed }
}

/// What comes out for a node with a mark: two or three bytes, the first one lowest, and their number in the highest byte. 0
/// for node 0.
pub(crate) fn text(node: u16) -> u32 {
    let text = char::from_u32(u32::from(node)).map(steps);
    match text.as_deref() {
        Some(&[first, second]) => u32::from_le_bytes([first, second, 0, 2]),
        Some(&[first, second, third]) => u32::from_le_bytes([first, second, third, 3]),
        _ => 0,
    }
}
