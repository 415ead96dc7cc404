//! Finding the end of a run of bytes, many at a time.

use alloc::vec::Vec;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A stretch of a string that is canonical as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// Index of the first quote, backslash or control character, or the input's length. A canonical escape of one letter
    /// may be passed over: see the function.
    pub(crate) end: usize,
    /// Whether all bytes before `end` are ASCII.
    pub(crate) is_ascii: bool,
    /// Whether there are escapes before `end`.
    pub(crate) has_escapes: bool,
}

/// The run that begins at `at` and has no escapes.
#[inline(always)]
pub(crate) fn plain_run(input: &[u8], at: usize) -> Run {
    run::<false>(input, at)
}

/// The run that begins at `at`, where no backslash is in front of it. Behind its first bytes, canonical escapes of one
/// letter are passed over.
#[inline(always)]
pub(crate) fn string_run(input: &[u8], at: usize) -> Run {
    run::<true>(input, at)
}

/// Most strings are short: two words first, which end sooner than a row and need no call.
#[inline(always)]
fn run<const PASSES: bool>(input: &[u8], mut at: usize) -> Run {
    let mut high = 0;
    for _ in 0..2 {
        let Some(word) = word_at(input, at) else { break };
        let special = special_bytes(word);
        if special != 0 {
            let bit = special.trailing_zeros();
            high |= word & HIGHS & ((1 << bit) - 1);
            return Run { end: at + (bit / 8) as usize, is_ascii: high == 0, has_escapes: false };
        }
        high |= word & HIGHS;
        at += 8;
    }
    long_run::<PASSES>(input, at, high)
}

/// The same for a string that is not short: rows first, since most runs end soon, then blocks.
#[inline(never)]
fn long_run<const PASSES: bool>(input: &[u8], mut at: usize, mut high: u64) -> Run {
    let mut has_escapes = false;
    loop {
        for row in 0.. {
            if row == ROWS {
                while let Some(high_in_block) = high_if_plain::<64>(input, at) {
                    high |= high_in_block;
                    at += 64;
                }
            }
            let Some(high_in_row) = high_if_plain::<16>(input, at) else { break };
            high |= high_in_row;
            at += 16;
        }
        let rest = input.get(at..).unwrap_or_default();
        // Bytes after the input's end count as quotes, so that the run ends there at the latest.
        let row = match rest.first_chunk() {
            Some(row) => u128::from_le_bytes(*row),
            None => short_block(rest) | u128::from_le_bytes([b'"'; 16]) << (8 * rest.len()),
        };
        let bit = special_in_block(row).trailing_zeros();
        let before = row & ((1 << bit) - 1);
        high |= (before as u64 | (before >> 64) as u64) & HIGHS;
        at += (bit / 8) as usize;
        if PASSES
            && let Some([b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't']) = input.get(at..at + 2)
        {
            has_escapes = true;
            at += 2;
        } else {
            return Run { end: at, is_ascii: high == 0, has_escapes };
        }
    }
}

/// Rows that are looked at before blocks are.
const ROWS: usize = 6;

/// The high bits of the next `N` bytes, if they are there and none is a quote, backslash or control character.
///
/// Written so that compilers turn it into vector instructions: each of 16 lanes takes a byte or four, and a byte that is
/// special brings its lane's `least` to zero. Twice the speed of words, without any `unsafe`.
#[inline(always)]
fn high_if_plain<const N: usize>(input: &[u8], at: usize) -> Option<u64> {
    let block = input.get(at..)?.first_chunk::<N>()?;
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

/// Number of bytes at the start of `bytes` that need no escape inside of a JSON string: up to the first quote, backslash
/// or control character. For callers of [`next_recognised`](crate::stream::JsonEvents::next_recognised).
///
/// ```
/// assert_eq!(tct_canonical_json::plain_len(b"caf\xC3\xA9\":1"), 5);
/// ```
#[inline]
#[must_use]
pub fn plain_len(bytes: &[u8]) -> usize {
    long_run::<false>(bytes, 0, 0).end
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
    special_in_block(block).trailing_zeros() as usize >= 8 * len
}

/// As [`special_bytes`], for sixteen bytes.
#[inline(always)]
fn special_in_block(block: u128) -> u128 {
    u128::from(special_bytes(block as u64)) | u128::from(special_bytes((block >> 64) as u64)) << 64
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

/// As much of `bytes` as is UTF-8.
#[inline]
pub(crate) fn valid_part(bytes: &[u8]) -> &str {
    // Up to this length, registers are no faster.
    let valid_up_to = match bytes.len() {
        ..64 => core::str::from_utf8(bytes).map_err(|error| error.valid_up_to()),
        _ => simdutf8::compat::from_utf8(bytes).map_err(|error| error.valid_up_to()),
    };
    valid_up_to.unwrap_or_else(|valid| {
        core::str::from_utf8(bytes.get(..valid).unwrap_or_default()).unwrap_or_default()
    })
}

#[inline]
pub(crate) fn word_at(input: &[u8], at: usize) -> Option<u64> {
    input.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The run that has no escapes, or passes over those of one letter, found byte by byte.
    fn slow_run(input: &[u8], mut end: usize, passes: bool) -> Run {
        let (mut is_ascii, mut has_escapes) = (true, false);
        loop {
            match input.get(end..).unwrap_or_default() {
                [b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] if passes => {
                    has_escapes = true;
                    end += 2;
                }
                [] | [b'"' | b'\\' | ..b' ', ..] => return Run { end, is_ascii, has_escapes },
                [byte, ..] => {
                    is_ascii &= byte.is_ascii();
                    end += 1;
                }
            }
        }
    }

    /// Every byte and every escape at every place of texts that end anywhere, from anywhere: words, rows, blocks and what is
    /// left of each.
    #[test]
    fn runs_end_where_they_do_byte_by_byte() {
        let escapes = ["\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\x", "\\\\\\", "\\\\\\\"", "\u{e9}"];
        let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
        let all: Vec<_> = bytes.chain(escapes.map(|escape| escape.as_bytes().to_vec())).collect();
        for len in [0, 1, 7, 8, 9, 15, 16, 17, 31, 40, 111, 112, 113, 180, 250] {
            for at in 0..=len {
                for piece in &all {
                    let mut text = vec![b'a'; len];
                    text.splice(at..at, piece.iter().copied());
                    let from = at % 3 * len / 8;
                    let run = plain_run(&text, from);
                    assert_eq!(run, slow_run(&text, from, false), "{piece:?} at {at} of {len}");
                    assert_eq!(plain_len(&text), slow_run(&text, 0, false).end);
                    // Not passed over in the first bytes: whoever asks goes on behind the escape.
                    let (run, all) = (string_run(&text, from), slow_run(&text, from, true));
                    assert!(run == all || run.end < from + 16, "{piece:?} at {at} of {len}: {run:?}");
                    let rest = slow_run(&text, run.end, true);
                    assert_eq!((rest.end, run.is_ascii & rest.is_ascii), (all.end, all.is_ascii));
                }
            }
        }
    }
}
