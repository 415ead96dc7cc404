//! What is special in a chunk: characters beyond ASCII that no lane took care of, and character references.

use super::{CHUNK, Handled, VIEW};
use crate::references::{self, Reference};
use crate::table::{self, AMPERSAND, KEEP, LAST_MARK, MAP, SECOND, SPACE};

/// How many marks in a row the fast paths let pass behind one character; more are for the normaliser.
pub(crate) const MAX_MARKS: usize = 7;

/// Bytes that a reference may have behind its `&` to be handled here.
const REFERENCE: usize = 10;

/// The dot below that Devanagari puts under letters of foreign words.
const NUKTA: u32 = 0x93C;

/// The sign that takes the vowel from a letter of Sinhala.
const AL_LAKUNA: u32 = 0xDCA;

/// A chunk at work. Bit `n` of a number stands for byte `n` of the chunk.
pub(super) struct Chunk<'a> {
    pub(super) src: &'a [u8; VIEW],
    pub(super) out: &'a mut [u8; CHUNK],
    /// All bytes of white space. Where a character begins, `out` has a space.
    pub(super) white: u64,
    /// Bytes of `out` that go away; those of repeated white space come at the end.
    pub(super) gone: u64,
    marks: Marks,
    row: Row,
}

/// The marks that have just been passed, to keep them in the order of their classes.
#[derive(Default)]
struct Marks {
    end: usize,
    class: u16,
    count: usize,
}

/// References one behind the other. What the last of them stands for may compose with the one before it, so unless it
/// can be handled, none of them is.
#[derive(Default)]
struct Row {
    start: usize,
    end: usize,
}

/// All bits below the lowest one of `stop`; all bits if there is none.
#[inline(always)]
pub(super) fn below(stop: u64) -> u64 {
    (stop & stop.wrapping_neg()).wrapping_sub(1)
}

/// The bits of `len` bytes from `at`; only for no bytes may `at` be the chunk's end.
#[inline(always)]
fn bits(at: usize, len: usize) -> u64 {
    debug_assert!(at < CHUNK || len == 0);
    ((1_u64 << len) - 1).wrapping_shl(at as u32)
}

impl<'a> Chunk<'a> {
    #[inline(always)]
    pub(super) fn new(src: &'a [u8; VIEW], out: &'a mut [u8; CHUNK], white: u64) -> Self {
        Chunk { src, out, white, gone: 0, marks: Marks::default(), row: Row::default() }
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.src.get(1 + at).copied().unwrap_or_default()
    }

    /// Handles the reference or the character beyond ASCII that begins at `at` and returns its length. If that cannot
    /// be done, the `Err` has the place where the chunk must stop.
    #[inline(always)]
    pub(super) fn patch(&mut self, at: usize) -> Result<usize, usize> {
        let stop = if self.row.end == at { self.row.start } else { at };
        let handled = if self.byte(at) == b'&' { self.reference(at) } else { self.character(at) };
        handled.ok_or(stop)
    }

    /// Stops the chunk before the lowest bit of `stop`: moves together what stays, with `squeeze`, which gets the
    /// bits of what that is.
    #[inline(always)]
    pub(super) fn close(
        self,
        stop: u64,
        after_space: bool,
        squeeze: impl FnOnce(&mut [u8; CHUNK], u64),
    ) -> Handled {
        let inside = below(stop);
        let gone = (self.gone | self.white & (self.white << 1 | u64::from(after_space))) & inside;
        if stop | gone == 0 {
            return Handled { read: CHUNK, written: CHUNK, after_space: self.white >> 63 != 0 };
        }
        if gone != 0 {
            squeeze(self.out, inside & !gone);
        }
        let read = stop.trailing_zeros() as usize;
        Handled {
            read,
            written: read - gone.count_ones() as usize,
            after_space: if read == 0 { after_space } else { self.white >> (read - 1) & 1 != 0 },
        }
    }

    /// Handles the character beyond ASCII that begins at `at`.
    #[inline(always)]
    fn character(&mut self, at: usize) -> Option<usize> {
        let (code, len) = self.decode(at)?;
        if at + len > CHUNK {
            return None;
        }
        let entry = table::entry(code);
        match entry {
            KEEP => {}
            1..=LAST_MARK => return self.marks.pass(at, len, entry).then_some(len),
            SPACE => self.space(at, len),
            MAP.. => {
                let replacement = table::replacement(entry);
                if replacement.len() > len {
                    return None;
                }
                self.replace(at, len, replacement);
            }
            _ => return self.compose(at, code, len, entry),
        }
        Some(len)
    }

    /// Composes the mark at `at` with the letter before it, if the two are all that there is to compose.
    #[inline(always)]
    fn compose(&mut self, at: usize, code: u32, len: usize, entry: u16) -> Option<usize> {
        let before = |len| at.checked_sub(len).map(|start| (start, self.byte(start)));
        let base = match (before(1)?, before(2), before(3)) {
            ((start, b'A'..=b'Z' | b'a'..=b'z'), ..) => start,
            (_, Some((start, 0xC2..0xE0)), _) | (_, _, Some((start, 0xE0..0xF0))) => start,
            _ => return None,
        };
        if !self.is_boundary(at + len) {
            return None;
        }
        let (letter, _) = self.decode(base)?;
        match table::pair(letter, code) {
            Some(composed) if composed.len() <= at + len - base => {
                self.gone &= !bits(base, at - base);
                self.replace(base, at + len - base, composed);
                Some(len)
            }
            // A letter that keeps its form, and a sign of class 0 that does not compose with it.
            None if entry == SECOND && table::entry(letter) == KEEP => Some(len),
            // Consonants of Devanagari and Sinhala are themselves in all forms, and most stay apart from these marks.
            None if code == NUKTA && (0x915..=0x939).contains(&letter) => Some(len),
            None if code == AL_LAKUNA && (0xD9A..=0xDC6).contains(&letter) => Some(len),
            _ => None,
        }
    }

    /// Handles the `&` at `at`, and the reference that begins with it if one does.
    #[inline(always)]
    fn reference(&mut self, at: usize) -> Option<usize> {
        let behind: &[u8; REFERENCE] = self.src.get(at + 2..)?.first_chunk()?;
        if let Some((len, c)) = references::short_number(behind) {
            return self.number(at, len, c);
        }
        let Some(short) = references::short(behind) else { return self.rare_reference(at, behind) };
        let len = short.len();
        if !self.goes_on(at, at + len) {
            return None;
        }
        // A name and its `&` and `;` are four bytes at the least.
        self.out.get_mut(at..)?.first_chunk_mut::<4>()?.copy_from_slice(short.bytes());
        self.gone |= bits(at + short.size(), len - short.size());
        if short.bytes().starts_with(b" ") {
            self.white |= bits(at, len);
        }
        Some(len)
    }

    /// The same for other numbers, and for an `&` that begins no reference.
    fn rare_reference(&mut self, at: usize, behind: &[u8]) -> Option<usize> {
        // Zeros may stand for text that has not come yet.
        let there = behind.split(|&byte| byte == 0).next()?;
        match references::read(there, false) {
            Reference::None => Some(1),
            Reference::Numeric(len, c) => self.number(at, 1 + len, c),
            _ => None,
        }
    }

    /// Puts what a number stands for in the place of its `len` bytes.
    #[inline(always)]
    fn number(&mut self, at: usize, len: usize, c: char) -> Option<usize> {
        if !self.goes_on(at, at + len) {
            return None;
        }
        match table::entry(u32::from(c)) {
            SPACE => self.space(at, len),
            KEEP | AMPERSAND => self.replace(at, len, c.encode_utf8(&mut [0; 4]).as_bytes()),
            entry @ MAP.. if table::replacement(entry).len() <= len => {
                self.replace(at, len, table::replacement(entry));
            }
            _ => return None,
        }
        Some(len)
    }

    /// Whether the reference from `at` to `end` is in the chunk and nothing behind it changes what it stands for.
    #[inline(always)]
    fn goes_on(&mut self, at: usize, end: usize) -> bool {
        if end > CHUNK {
            return false;
        }
        if self.byte(end) == b'&' && end < CHUNK {
            let start = if self.row.end == at { self.row.start } else { at };
            self.row = Row { start, end };
            return true;
        }
        self.is_boundary(end)
    }

    /// Whether what begins at `at` leaves alone what is before it, whatever follows.
    #[inline(always)]
    fn is_boundary(&self, at: usize) -> bool {
        match self.byte(at) {
            // Behind the text's end stand zeros.
            0 | b'&' => false,
            1..0x80 => true,
            _ => self.decode(at).is_some_and(|(code, _)| table::is_boundary(table::entry(code))),
        }
    }

    /// Puts a space in the place of `len` bytes.
    #[inline(always)]
    fn space(&mut self, at: usize, len: usize) {
        self.white |= bits(at, len);
        if let Some(first) = self.out.get_mut(at) {
            *first = b' ';
        }
    }

    /// Puts a text in the place of `len` bytes, not fewer than its own.
    #[inline(always)]
    fn replace(&mut self, at: usize, len: usize, text: &[u8]) {
        for (to, from) in self.out.iter_mut().skip(at).zip(text) {
            *to = *from;
        }
        self.gone |= bits(at + text.len(), len - text.len());
    }

    /// The code point that begins at `at`, and its length. The bytes are UTF-8.
    #[inline(always)]
    fn decode(&self, at: usize) -> Option<(u32, usize)> {
        let low = |i: usize| self.src.get(at + 1 + i).map(|byte| u32::from(byte & 0x3F));
        let lead = u32::from(*self.src.get(at + 1)?);
        match lead {
            0..0x80 => Some((lead, 1)),
            0x80..0xE0 => Some(((lead & 0x1F) << 6 | low(1)?, 2)),
            0xE0..0xF0 => Some(((lead & 0x0F) << 12 | low(1)? << 6 | low(2)?, 3)),
            _ => Some(((lead & 0x07) << 18 | low(1)? << 12 | low(2)? << 6 | low(3)?, 4)),
        }
    }
}

impl Marks {
    /// Whether the mark at `at` may stay where it is. The first of a chunk may not: what precedes it is not in view.
    #[inline(always)]
    fn pass(&mut self, at: usize, len: usize, class: u16) -> bool {
        if at == 0 {
            return false;
        }
        if at != self.end {
            *self = Marks::default();
        }
        let passes = class >= self.class && self.count < MAX_MARKS;
        *self = Marks { end: at + len, class, count: self.count + 1 };
        passes
    }
}
