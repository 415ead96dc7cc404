//! The tables that are made for speed, which a build has with `fast-tables`.

use crate::invariant::text_part;
use crate::table::{AMPERSAND, KEEP, LAST_MARK, MAP, SECOND, SEGMENT, SPACE, single};
use crate::unicode::{Data, Folded, Property, TEXT, fold_with, syllable_or};

#[rustfmt::skip]
pub(crate) mod data;

use data::{BLOCKS, FOLDINGS, FULL_FOLDINGS, MID, PAGE_BLOCKS, PAGES, PAIRS, POOL, TOP};

/// The fast tables.
#[derive(Clone)]
pub(crate) struct Fast;

impl Data for Fast {
    type Text = &'static str;
    type Bytes = &'static [u8];
    type Stays = &'static [u8; 16];

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
    fn pair(first: u32, second: u32) -> Option<&'static [u8]> {
        pair(first, second).map(|pair| pooled(pair.result).as_bytes())
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
        pair(first, second).map(|pair| first & 0xFFFF_0000 | u32::from(pair.composed))
    }

    fn fold(c: char) -> Folded {
        fold_with::<Fast>(c, &FOLDINGS, |code| {
            let at = FULL_FOLDINGS.binary_search_by_key(&code, |&(code, _)| code).ok()?;
            FULL_FOLDINGS.get(at).map(|&(_, at)| pooled(at))
        })
    }

    #[inline]
    fn stays(code: u32) -> &'static [u8; 16] {
        const NONE: &[u8; 16] = &[0; 16];
        let Some(&page) = PAGES.get((code >> 7) as usize) else { return NONE };
        let Some(halves) = STAYS.get(usize::from(page)) else { return NONE };
        halves.get((code >> 6 & 1) as usize).unwrap_or(NONE)
    }

    #[inline]
    fn latin_extended(second: bool) -> &'static [u8; 16] {
        let [first, other] = &LATIN_EXTENDED;
        if second { other } else { first }
    }

    #[inline(always)]
    fn rows<'a>(stays: &'a &'static [u8; 16]) -> &'a [u8; 16] {
        stays
    }
}

/// The same for a code point that has a page, for tables that the compiler makes.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
pub(crate) const fn entry_below(code: usize) -> u16 {
    BLOCKS[PAGES[code >> 7] as usize][code & 127]
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

/// Two characters that compose.
struct Pair {
    /// The lower half of what they compose to, which is of the first one's plane.
    composed: u16,
    /// The place of what comes out of all steps for the two.
    result: u16,
}

/// What is known of two characters that compose; without Korean.
#[inline]
fn pair(first: u32, second: u32) -> Option<Pair> {
    let plane = first >> 16;
    // The second is of the first one's plane or one of the marks that all scripts share, and those of plane 1 are not at
    // its start: so the lower halves are enough.
    if plane > 1 || second >= 0x1000 && (second >> 16 != plane || second & 0xFFFF < 0x1000) {
        return None;
    }
    let key = (first as u16, second as u16);
    let mut slot = pair_slot(key.0, key.1);
    loop {
        let at = PAIR_SLOTS.get(slot)?.checked_sub(1)?;
        let &(its_first, its_second, composed, result) = PAIRS.get(usize::from(at))?;
        if (its_first, its_second) == key && u32::from(result / TEXT) == plane {
            return Some(Pair { composed, result });
        }
        slot = (slot + 1) % PAIR_SLOTS.len();
    }
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

/// The same as [`stays`] for U+0100 to U+013F and U+0140 to U+017F, with the capitals whose small letter is the next
/// character, of the same 64.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static LATIN_EXTENDED: [[u8; 16]; 2] = {
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
pub(crate) fn data_bytes() -> usize {
    use core::mem::size_of_val;

    [
        size_of_val(&PAGES),
        size_of_val(&BLOCKS),
        size_of_val(&TOP),
        size_of_val(&MID),
        size_of_val(&PAIRS),
        size_of_val(&PAIR_SLOTS),
        size_of_val(&FOLDINGS),
        size_of_val(&FULL_FOLDINGS),
        POOL.len(),
    ]
    .iter()
    .sum()
}

#[cfg(test)]
pub(crate) fn made_bytes() -> usize {
    size_of_val(&STAYS) + size_of_val(&LATIN_EXTENDED)
}
