//! Finding the end of a run of bytes, many at a time.

use alloc::vec::Vec;

use crate::lanes::{SHORT, STEP, long_stretch, step_at};

const ONES: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A stretch of a string without quotes, backslashes and control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// Index of the first quote, backslash or control character, or the input's length.
    pub(crate) end: usize,
    /// Whether all bytes before `end` are ASCII.
    pub(crate) ascii: bool,
}

/// A stretch of a string that is canonical as it is, including canonical escapes of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Index of the quote, of a control character, of a backslash that begins another escape, or the input's length.
    pub(crate) end: usize,
    /// Whether all bytes before `end` are ASCII.
    pub(crate) is_ascii: bool,
    /// Whether there are escapes before `end`.
    pub(crate) has_escapes: bool,
}

impl From<Run> for Stretch {
    #[inline(always)]
    fn from(run: Run) -> Self {
        Stretch { end: run.end, is_ascii: run.ascii, has_escapes: false }
    }
}

/// The stretch of a string that begins at `at`, where no backslash is in front of it. Short ones end at any backslash.
#[inline(always)]
pub(crate) fn string_stretch(input: &[u8], mut at: usize) -> Stretch {
    let mut high = 0;
    // Most strings are short.
    for _ in 0..SHORT / STEP {
        let Some(step) = step_at(input, at) else { return last_bytes(input, at, high).into() };
        if let Some(stop) = step.stop {
            return Stretch { end: at + stop, is_ascii: high | step.high == 0, has_escapes: false };
        }
        high |= step.high;
        at += STEP;
    }
    let stretch = long_stretch(input, at);
    Stretch { is_ascii: stretch.is_ascii && high == 0, ..stretch }
}

/// The bytes from `at` on, fewer than a step.
#[inline(never)]
fn last_bytes(input: &[u8], at: usize, high: u64) -> Run {
    plain_end(input, at, high)
}

/// The special bytes among the next [`STEP`] bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Index of the first quote, backslash or control character.
    pub(crate) stop: Option<usize>,
    /// Not zero where a byte before it is not ASCII.
    pub(crate) high: u64,
}

/// The run of plain string bytes that begins at `at`.
#[inline(always)]
pub(crate) fn plain_run(input: &[u8], mut at: usize) -> Run {
    let mut high = 0;
    // Most strings are short: two words first.
    for _ in 0..2 {
        let Some(word) = word_at(input, at) else { return plain_tail(input, at, high) };
        let special = special_bytes(word);
        if special != 0 {
            return stopped(at, word, special, high);
        }
        high |= word & HIGHS;
        at += 8;
    }
    plain_long(input, at, high)
}

/// Length of the run of plain string bytes at the start, for strings of some length: in rows from the beginning.
#[inline]
pub(crate) fn plain_len(input: &[u8]) -> usize {
    let mut at = 0;
    while plain_row(input, at).is_some() {
        at += 16;
    }
    plain_end(input, at, 0).end
}

/// The same for a string that is not short: rows first, since most runs end soon, then blocks.
#[inline(never)]
pub(crate) fn plain_long(input: &[u8], mut at: usize, mut high: u64) -> Run {
    for _ in 0..6 {
        let Some(high_in_row) = plain_row(input, at) else { return plain_end(input, at, high) };
        high |= high_in_row;
        at += 16;
    }
    while let Some(block) = input.get(at..).and_then(<[u8]>::first_chunk::<64>) {
        let Some(high_in_block) = plain_block(block) else { break };
        high |= high_in_block;
        at += 64;
    }
    while let Some(high_in_row) = plain_row(input, at) {
        high |= high_in_row;
        at += 16;
    }
    plain_end(input, at, high)
}

/// The end of a run whose next sixteen bytes are not all plain, or not all there.
#[inline]
pub(crate) fn plain_end(input: &[u8], mut at: usize, mut high: u64) -> Run {
    while let Some(word) = word_at(input, at) {
        let special = special_bytes(word);
        if special != 0 {
            return stopped(at, word, special, high);
        }
        high |= word & HIGHS;
        at += 8;
    }
    plain_tail(input, at, high)
}

/// The high bits of the sixteen bytes at `at`, if they are there and none is a quote, backslash or control character.
///
/// Compilers turn it into vector instructions, as they do with [`plain_block`].
#[inline(always)]
fn plain_row(input: &[u8], at: usize) -> Option<u64> {
    let row = input.get(at..)?.first_chunk::<16>()?;
    let is_special = |byte: u8| u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(byte < b' ');
    let any = row.iter().fold(0, |any, byte| any | is_special(*byte));
    let [low, high] = halves(*row);
    (any == 0).then_some((low | high) & HIGHS)
}

/// The high bits of a block without quote, backslash and control character; `None` for any other block.
///
/// Written so that compilers turn it into vector instructions: each of 16 lanes takes four bytes, and a byte that is
/// special brings its lane's `least` to zero. Twice the speed of words, without any `unsafe`.
#[inline]
fn plain_block(block: &[u8; 64]) -> Option<u64> {
    let (mut least, mut high) = ([u8::MAX; 16], [0; 16]);
    for row in block.as_chunks::<16>().0 {
        for ((&byte, least), high) in row.iter().zip(&mut least).zip(&mut high) {
            let distance = (byte ^ b'"').min(byte ^ b'\\').min(byte.saturating_sub(b' ' - 1));
            *least = distance.min(*least);
            *high |= byte;
        }
    }
    let [least_low, least_high] = halves(least);
    let [high_low, high_high] = halves(high);
    let special = zero_bytes(least_low) | zero_bytes(least_high);
    (special == 0).then_some((high_low | high_high) & HIGHS)
}

fn halves(lanes: [u8; 16]) -> [u64; 2] {
    let both = u128::from_le_bytes(lanes);
    [both as u64, (both >> 64) as u64]
}

/// The last bytes of the input, fewer than eight.
#[inline(never)]
fn plain_tail(input: &[u8], at: usize, high: u64) -> Run {
    let rest = input.get(at..).unwrap_or_default();
    // Bytes after the end count as quotes, so that the run ends there at the latest.
    let word = short_word(rest) | (ONES * b'"' as u64).checked_shl(8 * rest.len() as u32).unwrap_or(0);
    let special = special_bytes(word);
    if special == 0 {
        return Run { end: input.len(), ascii: high | word & HIGHS == 0 };
    }
    stopped(at, word, special, high)
}

/// Up to eight bytes as a little-endian number, the first one lowest and zeros after the last. In two overlapping
/// reads at most, because names are short and many.
#[inline(always)]
pub(crate) fn short_word(bytes: &[u8]) -> u64 {
    if let Some(word) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*word);
    }
    let shift = |read: usize| 8 * (bytes.len() - read) as u32;
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift(4)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last_chunk::<2>()) {
        u64::from(u16::from_le_bytes(*first)) | u64::from(u16::from_le_bytes(*last)) << shift(2)
    } else {
        bytes.first().copied().map_or(0, u64::from)
    }
}

/// The first eight bytes of `bytes[from..to]`, as [`short_word`] gives them. Most names are followed by enough text that
/// one read of eight bytes is enough.
#[inline(always)]
pub(crate) fn word_between(bytes: &[u8], from: usize, to: usize) -> u64 {
    match word_at(bytes, from) {
        Some(word) if to - from < 8 => word & !(u64::MAX << (8 * (to - from))),
        Some(word) => word,
        None => short_word(bytes.get(from..to).unwrap_or_default()),
    }
}

/// Up to sixteen bytes as a number, as [`short_word`] does it.
#[inline(always)]
pub(crate) fn short_block(bytes: &[u8]) -> u128 {
    let rest = bytes.get(8..).unwrap_or_default();
    u128::from(short_word(bytes)) | u128::from(short_word(rest)) << 64
}

/// Whether no byte among the first `len` of a block, which zeros follow, is a quote, a backslash or a control character.
#[inline(always)]
pub(crate) fn is_plain_block(block: u128, len: usize) -> bool {
    let special =
        u128::from(special_bytes(block as u64)) | u128::from(special_bytes((block >> 64) as u64)) << 64;
    special.trailing_zeros() as usize >= 8 * len
}

/// Appends the first `len` bytes of a block: a write of fixed size, cut to length, needs no call.
#[inline]
pub(crate) fn push_block(out: &mut Vec<u8>, block: u128, len: usize) {
    let end = out.len() + len;
    out.extend_from_slice(&block.to_le_bytes());
    out.truncate(end);
}

/// Cuts what was written to `end` and appends a few bytes there, in place of what followed it.
#[inline]
pub(crate) fn end_with<const N: usize>(out: &mut Vec<u8>, end: usize, bytes: &[u8; N]) {
    match out.get_mut(end..end + N) {
        Some(place) => place.copy_from_slice(bytes),
        None => crate::invariant::broken(),
    }
    out.truncate(end + N);
}

/// Appends bytes, most often a few.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    if let (Some(first), Some(last), ..=32) =
        (bytes.first_chunk::<16>(), bytes.last_chunk::<16>(), bytes.len())
    {
        // The two overlap.
        let end = out.len() + bytes.len();
        out.extend_from_slice(first);
        out.truncate(end - 16);
        out.extend_from_slice(last);
    } else if bytes.len() < 16 {
        push_block(out, short_block(bytes), bytes.len());
    } else {
        out.extend_from_slice(bytes);
    }
}

#[inline]
fn stopped(at: usize, word: u64, special: u64, high: u64) -> Run {
    let bit = special.trailing_zeros();
    let before = word & HIGHS & ((1 << bit) - 1);
    Run { end: at + (bit / 8) as usize, ascii: high | before == 0 }
}

/// The high bit of each byte that is a quote, a backslash or a control character. Only the lowest bit set is exact:
/// a borrow may set bits above it.
#[inline]
pub(crate) fn special_bytes(word: u64) -> u64 {
    let quote = zero_bytes(word ^ (ONES * b'"' as u64));
    let backslash = zero_bytes(word ^ (ONES * b'\\' as u64));
    let control = word.wrapping_sub(ONES * b' ' as u64) & !word & HIGHS;
    quote | backslash | control
}

/// Sets the high bit of each zero byte, and no other bit if there is none.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// Index of the first byte from `at` on that is not white space.
#[inline]
pub(crate) fn skip_white_space(input: &[u8], mut at: usize) -> usize {
    const SPACES: u64 = ONES * b' ' as u64;
    loop {
        match input.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
        // Indentation, up to the byte where it ends.
        while let Some(word) = word_at(input, at) {
            let others = word ^ SPACES;
            if others != 0 {
                at += (others.trailing_zeros() / 8) as usize;
                break;
            }
            at += 8;
        }
    }
}

#[inline]
pub(crate) fn word_at(input: &[u8], at: usize) -> Option<u64> {
    input.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}
