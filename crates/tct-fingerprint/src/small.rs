//! The same data in fewer bytes, used without the feature `fast-tables`: for programs where size matters more than
//! time.
//!
//! - A code point's *kind* (entry, combining class, whether it decomposes) is found in three look-ups, by rows of 16.
//! - Decompositions are stored in the order of their characters: one character, a pair of the table of pairs, or a
//!   text. So the index of a character is that of its row plus the number of decomposing characters before it in the
//!   row.
//! - The normalised form of a character or a pair is computed by the steps each time.
//!
//! The tests compare every answer with that of the other tables.

#[rustfmt::skip]
mod data;

use core::ops::Deref;

use crate::invariant::{self, broken, part, text_part};
use crate::table::KEEP;
#[cfg(test)]
use crate::table::MAP;
use crate::unicode::{Data, Folded, Property, characters, fold_with, nfkc_with, syllable_or};
use data::{
    COMPOSED, FIRSTS, FOLDINGS, FULL_FOLDINGS, GROUPS, KINDS, MID, RANKS, ROWS, TEXT_STARTS, TEXTS, TOP,
    VALUES,
};

/// The small tables.
#[derive(Clone)]
pub(crate) struct Small;

/// A short text: what a character decomposes to or becomes, at most 33 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    bytes: [u8; 40],
    len: usize,
}

impl Text {
    const EMPTY: Text = Text { bytes: [0; 40], len: 0 };

    fn push(&mut self, text: &str) {
        let end = self.len + text.len();
        let Some(place) = self.bytes.get_mut(self.len..end) else { broken() };
        place.copy_from_slice(text.as_bytes());
        self.len = end;
    }

    fn push_char(&mut self, c: char) {
        self.push(c.encode_utf8(&mut [0; 4]));
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        part(&self.bytes, ..self.len)
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        invariant::utf8(self)
    }
}

/// What a character decomposes to, by one step.
enum Decomposed {
    One(char),
    Pair(char, char),
    /// Fully.
    Text(&'static str),
}

/// The kind of a code point, in the top bit whether it decomposes, and in the other bits its place in `KINDS`.
#[inline]
fn kind(code: u32) -> u8 {
    let Some(&top) = TOP.get((code >> 8) as usize) else { return 0 };
    let Some(&row) = MID.get(usize::from(top) * 16 + (code >> 4) as usize % 16) else { return 0 };
    ROWS.get(usize::from(row) * 16 + code as usize % 16).copied().unwrap_or_default()
}

#[inline]
fn of_kind(kind: u8) -> (u16, u8) {
    KINDS.get(usize::from(kind & 0x7F)).copied().unwrap_or_default()
}

fn decomposed(c: char) -> Option<Decomposed> {
    const PAIRS: u16 = 0xD800;
    const TEXTS_FROM: u16 = 0xDC00;
    let code = u32::from(c);
    if kind(code) < 0x80 {
        return None;
    }
    let row = (code >> 4) as u16;
    let at = RANKS.binary_search_by_key(&row, |&(row, _)| row).ok()?;
    let before = (code & !15..code).filter(|&code| kind(code) >= 0x80).count();
    let value = *VALUES.get(usize::from(RANKS.get(at)?.1) + before)?;
    Some(match value {
        PAIRS..TEXTS_FROM => {
            let at = value - PAIRS;
            let group = GROUPS.partition_point(|&(_, start)| start <= at).checked_sub(1)?;
            let key = GROUPS.get(group)?.0;
            let first = key >> 24 << 16 | u32::from(*FIRSTS.get(usize::from(at))?);
            Decomposed::Pair(char::from_u32(first)?, char::from_u32(key & 0xFF_FFFF)?)
        }
        TEXTS_FROM..0xF900 => Decomposed::Text(text(value - TEXTS_FROM)),
        _ => Decomposed::One(char::from_u32(u32::from(value))?),
    })
}

/// The text with this number.
fn text(number: u16) -> &'static str {
    let number = usize::from(number);
    let len = |at: usize| usize::from(TEXTS.as_bytes().get(at).copied().unwrap_or_default());
    let mut at = TEXT_STARTS.get(number / 8).copied().map_or(0, usize::from);
    for _ in 0..number % 8 {
        at += 1 + len(at);
    }
    text_part(TEXTS, at + 1..at + 1 + len(at))
}

/// The full decomposition for compatibility. Each step takes the first character apart: there are at most a few.
fn decomposition(c: char) -> Option<Text> {
    let mut step = decomposed(c)?;
    let mut all = Text::EMPTY;
    let (mut seconds, mut count) = (['\0'; 4], 0);
    loop {
        let first = match step {
            Decomposed::Text(text) => {
                all.push(text);
                break;
            }
            Decomposed::One(one) => one,
            Decomposed::Pair(first, second) => {
                let Some(free) = seconds.get_mut(count) else { broken() };
                *free = second;
                count += 1;
                first
            }
        };
        match decomposed(first) {
            Some(next) => step = next,
            None => {
                all.push_char(first);
                break;
            }
        }
    }
    // Seconds do not decompose.
    seconds.iter().take(count).rev().for_each(|&second| all.push_char(second));
    Some(all)
}

/// What comes out of NFKC and folding for a character.
fn steps(c: char) -> Text {
    let mut out = Text::EMPTY;
    if Small::entry(u32::from(c)) == KEEP {
        out.push_char(c);
        return out;
    }
    let mut fold = |c| match Small::fold(c) {
        Folded::One(c) => out.push_char(c),
        Folded::Text(text) => out.push(text),
    };
    // A letter with accents stays as it is.
    let mut first = c;
    let mut stays = true;
    while let Some(step) = decomposed(first) {
        match step {
            Decomposed::Pair(next, _) => first = next,
            Decomposed::One(_) | Decomposed::Text(_) => {
                stays = false;
                break;
            }
        }
    }
    match decomposition(c) {
        Some(text) if !stays => nfkc_with::<Small>(text.as_ref(), &mut |starter, marks| {
            characters(starter, marks).for_each(&mut fold);
        }),
        _ => fold(c),
    }
    out
}

impl Data for Small {
    type Text = Text;
    type Bytes = Text;

    #[inline]
    fn entry(code: u32) -> u16 {
        of_kind(kind(code)).0
    }

    fn replacement(code: u32, _: u16) -> Text {
        steps(char::from_u32(code).unwrap_or_default())
    }

    fn short_replacement(code: u32, _: u16) -> Option<([u8; 4], usize)> {
        let text = steps(char::from_u32(code).unwrap_or_default());
        Some((*text.bytes.first_chunk()?, text.len)).filter(|&(_, len)| len <= 4)
    }

    fn property(c: char) -> Property<Text> {
        match decomposition(c) {
            Some(text) => Property::Text(text),
            None => syllable_or(c, Small::class(c)),
        }
    }

    #[inline]
    fn class(c: char) -> u8 {
        of_kind(kind(u32::from(c))).1
    }

    fn composed(first: u32, second: u32) -> Option<u32> {
        let plane = first >> 16;
        let key = plane.checked_shl(24).filter(|_| plane <= 1)? | second;
        let group = GROUPS.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        let start = usize::from(GROUPS.get(group)?.1);
        let end = GROUPS.get(group + 1).map_or(FIRSTS.len(), |&(_, end)| usize::from(end));
        let at = FIRSTS.get(start..end)?.binary_search(&(first as u16)).ok()?;
        Some(plane << 16 | u32::from(*COMPOSED.get(start + at)?))
    }

    fn fold(c: char) -> Folded {
        fold_with::<Small>(c, &FOLDINGS, |code| {
            let at = FULL_FOLDINGS.binary_search_by_key(&code, |&(code, _)| code).ok()?;
            FULL_FOLDINGS.get(at).map(|&(_, number)| text(number))
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
