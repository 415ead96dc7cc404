//! Finding the end of a run of bytes, many at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A stretch of a string that needs no attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// Index of the first quote, backslash or control character, or the input's length.
    pub(crate) end: usize,
    /// Whether all bytes before `end` are ASCII.
    pub(crate) ascii: bool,
}

/// The run of plain string bytes that begins at `at`.
#[inline]
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

/// The same for a string that has shown to be long: 32 bytes at a time, in a form that compilers turn into vectors.
fn plain_long(input: &[u8], mut at: usize, mut high: u64) -> Run {
    let mut high_byte = 0u8;
    while let Some(block) = input.get(at..).and_then(<[u8]>::first_chunk::<32>) {
        let special = block.iter().fold(false, |any, &b| any | (b < b' ') | (b == b'"') | (b == b'\\'));
        if special {
            break;
        }
        high_byte |= block.iter().fold(0, |all, &b| all | b);
        at += 32;
    }
    high |= u64::from(high_byte & 0x80);
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

/// The last few bytes of the input, one at a time.
fn plain_tail(input: &[u8], at: usize, mut high: u64) -> Run {
    let rest = input.get(at..).unwrap_or_default();
    let plain = rest.iter().take_while(|&&b| b >= b' ' && b != b'"' && b != b'\\');
    let len = plain.inspect(|&&b| high |= u64::from(b & 0x80)).count();
    Run { end: at + len, ascii: high == 0 }
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
fn special_bytes(word: u64) -> u64 {
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = zero_bytes(word ^ (ONES * b'"' as u64));
    let backslash = zero_bytes(word ^ (ONES * b'\\' as u64));
    let control = word.wrapping_sub(ONES * b' ' as u64) & !word;
    (quote | backslash | control) & HIGHS
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
        // Indentation.
        while word_at(input, at) == Some(SPACES) {
            at += 8;
        }
    }
}

#[inline]
pub(crate) fn word_at(input: &[u8], at: usize) -> Option<u64> {
    input.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}
