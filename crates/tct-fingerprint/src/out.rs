//! The normalised text on its way out.
//!
//! ```text
//!          given to the sink │ start ── may be taken back ── len │ free
//! bytes  … 20 63 61 66 C3 A9 │ 20 63 72 C3 A8 6D 65              │
//! ```

use crate::invariant::{broken, part};
use crate::lanes::CHUNK;
use crate::table::{self, DROP, MAP, SPACE};
use crate::unicode::{self, Folded, Mark};

/// Takes the normalised text, in pieces that may end within a character.
pub(crate) trait Sink {
    fn write(&mut self, bytes: &[u8]);
}

const BUFFER: usize = 1024;
/// Bytes that stay in the buffer because they may have to be taken back.
const WINDOW: usize = 128;
/// Bytes given to the sink are a multiple of this or of [`Scripts::group`](crate::lanes::Scripts::group), except at the end: a
/// block of SHA-256.
const GROUP: usize = 64;
/// Where the bytes that are kept move to the buffer's start. Behind it there is room until bytes are given away again: for most
/// of a group of 128, a chunk's runs, the longest text that a character becomes, and the chunk that lanes write.
const FULL: usize = BUFFER - 5 * CHUNK;
/// Marks that are written before room is made again.
const MARKS: usize = 16;

/// A buffer that hands its bytes to the sink in groups and can take back the last ones.
#[derive(Clone)]
pub(crate) struct Out {
    pub(crate) bytes: [u8; BUFFER],
    /// Index of the first byte that the sink does not have yet. The byte before it is the last one that was handed
    /// over, or a space at the start.
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Default for Out {
    #[inline]
    fn default() -> Self {
        let mut bytes = [0; BUFFER];
        if let Some(first) = bytes.first_mut() {
            *first = b' ';
        }
        Out { bytes, start: 1, len: 1 }
    }
}

impl Out {
    /// Number of bytes that the sink does not have yet.
    pub(crate) fn held(&self) -> usize {
        self.len - self.start
    }

    /// Hands everything to the sink, without a space at the end; the next byte begins another text.
    pub(crate) fn end(&mut self, sink: &mut dyn Sink) {
        if self.len > self.start && self.after_space() {
            self.len -= 1;
        }
        sink.write(part(&self.bytes, self.start..self.len));
        // As it was at the start; clearing the whole buffer would cost a short text dear.
        (self.start, self.len) = (1, 1);
        if let Some(first) = self.bytes.first_mut() {
            *first = b' ';
        }
    }

    /// Whether what was written last is a space, or nothing was.
    #[inline(always)]
    pub(crate) fn after_space(&self) -> bool {
        self.bytes.get(self.len.wrapping_sub(1)) == Some(&b' ')
    }

    /// Writes what a boundary with this entry becomes.
    #[inline(always)]
    pub(crate) fn character(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        match entry {
            SPACE => self.space(),
            DROP => {}
            MAP.. => match table::short_replacement(u32::from(c), entry) {
                Some((four, len)) => self.four(four, len, sink),
                None => self.emit(&table::replacement(u32::from(c), entry), sink),
            },
            _ => self.emit_char(c, sink),
        }
    }

    /// Writes the first `len` bytes of a chunk that lanes have claimed. Gives nothing to the sink: a chunk's runs have room
    /// together, and whoever writes them drains behind the last.
    #[inline(always)]
    pub(crate) fn run(&mut self, claimed: &[u8], len: usize) {
        // More is copied than is wanted, which the next bytes overwrite: a length that is known to the compiler is no call.
        copy::<CHUNK>(self.bytes.get_mut(self.len..).unwrap_or_default(), claimed);
        self.len += len;
    }

    /// Writes up to four bytes, the first one lowest and 0 behind them. A space is not written behind another.
    #[inline(always)]
    pub(crate) fn simple(&mut self, four: u32, sink: &mut dyn Sink) {
        let is_repeated = four == u32::from(b' ') && self.after_space();
        let len = if is_repeated { 0 } else { 4 - four.leading_zeros() as usize / 8 };
        self.four(four.to_le_bytes(), len, sink);
    }

    /// Applies the last steps to the normaliser's output: folding, controls, white space.
    pub(crate) fn composed(&mut self, starter: Option<char>, marks: &[Mark], sink: &mut dyn Sink) {
        match starter.map(unicode::outcome) {
            Some(Ok(Folded::One(c))) => self.emit_char(c, sink),
            Some(Ok(Folded::Text(text))) => self.emit(text.as_bytes(), sink),
            Some(Err(SPACE)) => self.space(),
            Some(Err(_)) | None => {}
        }
        for some in marks.chunks(MARKS) {
            let mut len = self.len;
            for mark in some {
                let c = mark.folded();
                let Some(place) = self.bytes.get_mut(len..).and_then(|free| free.first_chunk_mut()) else {
                    broken()
                };
                let (four, count) = utf8(c);
                *place = four.to_le_bytes();
                len += count;
            }
            self.len = len;
            self.drain(sink);
        }
    }

    /// Writes a space, unless one has just been written.
    #[inline(always)]
    fn space(&mut self) {
        if !self.after_space() {
            let Some(free) = self.bytes.get_mut(self.len) else { broken() };
            *free = b' ';
            self.len += 1;
        }
    }

    /// Writes at most 33 bytes.
    #[inline(always)]
    pub(crate) fn emit(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        debug_assert!(self.len + bytes.len() <= BUFFER - CHUNK, "there is always room for one more chunk");
        let Some(place) = self.bytes.get_mut(self.len..self.len + bytes.len()) else { broken() };
        place.copy_from_slice(bytes);
        self.len += bytes.len();
        self.drain(sink);
    }

    #[inline(always)]
    pub(crate) fn emit_char(&mut self, c: char, sink: &mut dyn Sink) {
        let (four, len) = utf8(c);
        self.four(four.to_le_bytes(), len, sink);
    }

    /// Writes four bytes, of which only `len` count: the next overwrite what is too much.
    #[inline(always)]
    fn four(&mut self, four: [u8; 4], len: usize, sink: &mut dyn Sink) {
        let Some(place) = self.bytes.get_mut(self.len..).and_then(|free| free.first_chunk_mut()) else {
            broken()
        };
        *place = four;
        self.len += len;
        self.drain(sink);
    }

    /// Takes back the last bytes, as many as are sure to be there still.
    #[inline(always)]
    pub(crate) fn take_back(&mut self, out_len: usize) {
        if self.held() < out_len {
            broken();
        }
        self.len -= out_len;
    }

    #[inline(always)]
    pub(crate) fn drain(&mut self, sink: &mut dyn Sink) {
        if self.len - self.start >= WINDOW + GROUP {
            self.drain_now(sink);
        }
    }

    #[inline(never)]
    fn drain_now(&mut self, sink: &mut dyn Sink) {
        (self.start, self.len) = drain(&mut self.bytes, self.start, self.len, GROUP, sink);
    }
}

/// A character's bytes, the first one lowest, and their number.
///
/// Built in a register: the standard library writes byte by byte, and loading those four bytes as one word would stall.
#[inline(always)]
fn utf8(c: char) -> (u32, usize) {
    let code = u32::from(c);
    let low = |shift: u32| code >> shift & 0x3F;
    match code {
        ..0x80 => (code, 1),
        0x80..0x800 => (0x80C0 | code >> 6 | low(0) << 8, 2),
        0x800..0x1_0000 => (0x80_80E0 | code >> 12 | low(6) << 8 | low(0) << 16, 3),
        _ => (0x8080_80F0 | code >> 18 | low(12) << 8 | low(6) << 16 | low(0) << 24, 4),
    }
}

#[inline(always)]
fn copy<const LEN: usize>(to: &mut [u8], from: &[u8]) {
    match (to.first_chunk_mut::<LEN>(), from.first_chunk()) {
        (Some(to), Some(from)) => *to = *from,
        _ => broken(),
    }
}

/// Gives whole groups of the bytes of `out` from `start` to `len` to the sink and keeps room in the buffer; returns where
/// the rest is.
#[inline(always)]
pub(crate) fn drain(
    out: &mut [u8; BUFFER],
    start: usize,
    len: usize,
    group: usize,
    sink: &mut dyn Sink,
) -> (usize, usize) {
    if len - start < WINDOW + group {
        return (start, len);
    }
    let end = start + ((len - start - WINDOW) & !(group - 1));
    sink.write(part(out, start..end));
    if len <= FULL {
        return (end, len);
    }
    // The byte before the first is kept too: it says whether a space was written.
    out.copy_within(end - 1..len, 0);
    (1, len - (end - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_the_bytes_of_utf8() {
        for c in '\0'..=char::MAX {
            let (four, len) = utf8(c);
            let mut bytes = [0; 4];
            assert_eq!((len, four.to_le_bytes()), (c.encode_utf8(&mut bytes).len(), bytes), "{c:?}");
        }
    }
}
