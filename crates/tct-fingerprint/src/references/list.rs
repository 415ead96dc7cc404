//! The list of names as it is compiled in: all names in one text, where each begins, and the place of what it stands for.
//!
//! A hash table gives the position of a name, which is then compared. The HTML standard's list never changes, so the table is
//! computed at compile time; a text that is not a name mostly costs one look-up and no comparison.

use super::names::{NAME_STARTS, NAME_TEXT, OUTCOMES, VALUE_PLACES, VALUE_TEXT};
use crate::invariant::{part, text_part};

/// A name of the list, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name(usize);

impl Name {
    /// What it stands for.
    pub(crate) fn text(self) -> &'static str {
        let place = VALUE_PLACES.get(self.0).copied().unwrap_or_default();
        let (from, len) = (usize::from(place >> 3), usize::from(place & 7));
        text_part(VALUE_TEXT, from..from + len)
    }

    /// What comes out of all steps for it, if it stands for one boundary: up to four bytes, the first one lowest and 0 behind
    /// them.
    #[inline(always)]
    pub(crate) fn outcome(self) -> Option<u32> {
        OUTCOMES.get(self.0).copied().filter(|&four| four != 0)
    }
}

/// The name that the text's first `len` bytes are.
#[inline]
pub(super) fn find(text: &[u8], len: usize) -> Option<Name> {
    let (first, last) = (eight(text, 0, len), eight(text, len.saturating_sub(8), len));
    let mut slot = slot(first, last, len);
    loop {
        let at = usize::from(*SLOTS.get(slot)?).checked_sub(1)?;
        let (start, end) = (usize::from(*NAME_STARTS.get(at)?), usize::from(*NAME_STARTS.get(at + 1)?));
        let names = NAME_TEXT.as_bytes();
        // Most names are shorter than eight bytes, which are compared as one number.
        if end - start == len
            && eight(names, start, end) == first
            && (len <= 8 || names.get(start..end) == text.get(..len))
        {
            return Some(Name(at));
        }
        slot = (slot + 1) % SLOTS.len();
    }
}

/// Whether a longer name begins with these letters and digits.
pub(super) fn is_start(run: &[u8]) -> bool {
    // It is the first one that is greater.
    let (mut at, mut end) = (0, VALUE_PLACES.len());
    while at < end {
        let middle = at.midpoint(end);
        if name(middle).is_some_and(|name| name <= run) { at = middle + 1 } else { end = middle }
    }
    name(at).is_some_and(|name| name.starts_with(run))
}

/// The name with this number.
fn name(at: usize) -> Option<&'static [u8]> {
    let (start, end) = (*NAME_STARTS.get(at)?, *NAME_STARTS.get(at + 1)?);
    NAME_TEXT.as_bytes().get(usize::from(start)..usize::from(end))
}

/// Eight bytes of a name from this place on, the first one lowest, and 0 for what is behind the name.
#[inline(always)]
fn eight(text: &[u8], from: usize, end: usize) -> u64 {
    let mut bytes = [0; 8];
    match text.get(from..).and_then(|rest| rest.first_chunk()) {
        Some(eight) => bytes = *eight,
        None => bytes.iter_mut().zip(part(text, from..)).for_each(|(to, from)| *to = *from),
    }
    let unused = 8_usize.saturating_sub(end - from);
    u64::from_le_bytes(bytes) & u64::MAX >> (8 * unused)
}

/// The slot of a name with these first and last bytes.
#[inline(always)]
const fn slot(first: u64, last: u64, len: usize) -> usize {
    let key = first ^ last.rotate_left(23) ^ len as u64;
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// The numbers of names, plus one, in their slots or behind; 0 in a slot that is free.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static SLOTS: [u16; 4096] = {
    let text = NAME_TEXT.as_bytes();
    let mut slots = [0; 4096];
    let mut at = 0;
    while at < VALUE_PLACES.len() {
        let (start, end) = (NAME_STARTS[at] as usize, NAME_STARTS[at + 1] as usize);
        let (mut first, mut last, mut byte) = (0, 0, start);
        while byte < end {
            if byte < start + 8 {
                first |= (text[byte] as u64) << (8 * (byte - start));
            }
            last = last >> 8 | (text[byte] as u64) << 56;
            byte += 1;
        }
        if end - start < 8 {
            last >>= 8 * (8 - (end - start));
        }
        let mut slot = slot(first, last, end - start);
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        at += 1;
        slots[slot] = at as u16;
    }
    slots
};

#[cfg(test)]
pub(crate) mod tests;
