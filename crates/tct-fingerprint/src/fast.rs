//! Tables optimised for speed, used with the feature `fast-tables`.

use crate::invariant::text_part;
use crate::table::{KEEP, MAP};
use crate::unicode::{Data, Folded, Property, TEXT, fold_with, syllable_or};

#[rustfmt::skip]
pub(crate) mod data;

use data::{BLOCKS, FOLDINGS, FULL_FOLDINGS, MID, OF_PLANE_0, PAGES, PAIRS, POOL, TOP};

/// The fast tables.
#[derive(Clone)]
pub(crate) struct Fast;

impl Data for Fast {
    type Text = &'static str;
    type Bytes = &'static [u8];

    #[inline(always)]
    fn entry(code: u32) -> u16 {
        let Some(&page) = PAGES.get((code >> 7) as usize) else { return KEEP };
        let Some(block) = BLOCKS.get(usize::from(page)) else { return KEEP };
        block.get((code & 127) as usize).copied().unwrap_or(KEEP)
    }

    #[inline(always)]
    fn replacement(_: u32, entry: u16) -> &'static [u8] {
        pooled(entry).as_bytes()
    }

    #[inline(always)]
    fn short_replacement(_: u32, entry: u16) -> Option<([u8; 4], usize)> {
        let &[len, ref four @ ..] = POOL.as_bytes().get(usize::from(entry - MAP)..)?.first_chunk::<5>()?;
        (len <= 4).then_some((*four, usize::from(len)))
    }

    #[inline]
    fn property(c: char) -> Property<&'static str> {
        match property_entry(u32::from(c)) {
            entry @ TEXT.. => Property::Text(pooled(entry)),
            class => syllable_or(c, class as u8),
        }
    }

    #[inline]
    fn class(c: char) -> u8 {
        match property_entry(u32::from(c)) {
            TEXT.. => 0,
            class => class as u8,
        }
    }

    #[inline]
    fn composed(first: u32, second: u32) -> Option<u32> {
        let plane = first >> 16;
        // The second is of the first one's plane or one of the marks that all scripts share, and those of plane 1 are not at
        // its start: so the lower halves are enough.
        if plane > 1 || second >= 0x1000 && (second >> 16 != plane || second & 0xFFFF < 0x1000) {
            return None;
        }
        let key = (first as u16, second as u16);
        let mut slot = pair_slot(key.0, key.1);
        loop {
            let at = usize::from(PAIR_SLOTS.get(slot)?.checked_sub(1)?);
            let &(its_first, its_second, composed) = PAIRS.get(at)?;
            if (its_first, its_second) == key && u32::from(at >= OF_PLANE_0) == plane {
                return Some(plane << 16 | u32::from(composed));
            }
            slot = (slot + 1) % PAIR_SLOTS.len();
        }
    }

    fn fold(c: char) -> Folded {
        fold_with::<Fast>(c, &FOLDINGS, |code| {
            let at = FULL_FOLDINGS.binary_search_by_key(&code, |&(code, _)| code).ok()?;
            FULL_FOLDINGS.get(at).map(|&(_, at)| pooled(at))
        })
    }
}

/// What the code point decomposes to, else its combining class.
#[inline]
fn property_entry(code: u32) -> u16 {
    let Some(&top) = TOP.get((code >> 8) as usize) else { return 0 };
    let Some(&row) = MID.get(usize::from(top) * 16 + (code >> 4) as usize % 16) else { return 0 };
    let at = usize::from(row) * 16 + code as usize % 16;
    BLOCKS.get(at / 128).and_then(|block| block.get(at % 128)).copied().unwrap_or_default()
}

/// The text at a place, which is that of an entry with or without [`TEXT`].
#[inline(always)]
pub(crate) fn pooled(at: u16) -> &'static str {
    let at = usize::from(at & !TEXT);
    let len = usize::from(POOL.as_bytes().get(at).copied().unwrap_or_default());
    text_part(POOL, at + 1..at + 1 + len)
}

const fn pair_slot(first: u16, second: u16) -> usize {
    ((second as u32).wrapping_mul(0x9E37_79B1) ^ first as u32).wrapping_mul(0x85EB_CA6B) as usize >> 21
}

/// A hash table of the pairs: their places plus one, 0 in a slot that is free.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static PAIR_SLOTS: [u16; 2048] = {
    let mut slots = [0; 2048];
    let mut at = 0;
    while at < PAIRS.len() {
        let (first, second, ..) = PAIRS[at];
        let mut slot = pair_slot(first, second);
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
