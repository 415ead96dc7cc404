//! Long strings, 64 bytes at a time in vector registers: finding their end, and escaping them.
//!
//! ```text
//! text      s a y   \ " h i \ "   \ n \ / " ,
//! starts          |       |     |   |          backslashes that are not themselves escaped
//! escaped           |       |     |   |        what follows them
//! bad                                 |        ... and is not one of  " \ b f n r t
//! stops                             |   |      the first of them ends the stretch
//! ```
//!
//! A canonical escape of one letter is skipped like plain text, so a string full of them costs hardly more than one without.
//! If there are many, they are also written eight bytes at a time, by a table of byte positions.

use alloc::vec::Vec;

use fearless_simd::{Level, Select, Simd, SimdBase, SimdInt, SimdMask, dispatch, u8x16, u8x64};

use crate::invariant::broken;
use crate::scan::{Step, Stretch, plain_end};
use crate::string::{short_escape, write_escaped_plainly};

/// Bytes handled at a time.
const CHUNK: usize = 64;

/// The widest registers that this machine has; without `std`, those that the compiled target has.
#[inline]
fn level() -> Level {
    #[cfg(feature = "std")]
    return Level::new();
    #[cfg(not(feature = "std"))]
    return Level::baseline();
}

/// Bytes that are looked at in one step.
pub(crate) const STEP: usize = 16;
/// Up to this many bytes a string is short.
pub(crate) const SHORT: usize = 64;

/// Classifies the next bytes of a string, in the registers that the compiled target always has, so that short strings need no
/// call.
#[inline(always)]
pub(crate) fn step_at(input: &[u8], at: usize) -> Option<Step> {
    let row = input.get(at..)?.first_chunk::<STEP>()?;
    Some(dispatch!(Level::baseline(), simd => step_with(simd, row)))
}

/// Each byte has three distances: from a quote, from a backslash, and from the control characters, which end at `0x1F`.
/// Their minimum is zero if one of them is, so one comparison replaces three.
#[inline(always)]
fn step_with<S: Simd>(simd: S, row: &[u8; STEP]) -> Step {
    let v = u8x16::from_slice(simd, row);
    let distance = (v ^ b'"').min(v ^ b'\\').min(v.saturating_sub(b' ' - 1));
    let special = distance.simd_eq(0).to_bitmask();
    // The bits below the lowest one; all where there is none, since zero less one is all ones.
    let before = special.wrapping_sub(1) & !special;
    let stop = (special != 0).then(|| special.trailing_zeros() as usize);
    Step { stop, high: v.simd_ge(0x80).to_bitmask() & before }
}

/// The stretch of a string that begins at `at`, where no backslash stands before it.
#[inline(never)]
pub(crate) fn stretch(input: &[u8], at: usize) -> Stretch {
    dispatch!(level(), simd => stretch_with(simd, input, at))
}

/// Zero where a byte is this one.
#[inline(always)]
fn is<S: Simd>(v: u8x64<S>, byte: u8) -> u8x64<S> {
    v ^ byte
}

/// Zero where a byte is a control character.
#[inline(always)]
fn is_control<S: Simd>(v: u8x64<S>) -> u8x64<S> {
    v.saturating_sub(b' ' - 1)
}

/// The bits of the lanes that are zero. Conditions are kept as bytes up to here and as bits from here on, because compilers
/// split vector masks that live across a branch.
#[inline(always)]
fn zeros<S: Simd>(distance: u8x64<S>) -> u64 {
    distance.simd_eq(0).to_bitmask()
}

/// The bits of quotes, backslashes and control characters.
#[inline(always)]
fn specials<S: Simd>(v: u8x64<S>) -> u64 {
    zeros(is(v, b'"').min(is(v, b'\\')).min(is_control(v)))
}

#[inline(always)]
fn stretch_with<S: Simd>(simd: S, input: &[u8], at: usize) -> Stretch {
    let mut rest = input.get(at..).unwrap_or_default();
    let mut high = u8x64::splat(simd, 0);
    let mut has_escapes = false;
    // 1 where the chunk's first byte is escaped: by the last one of the chunk before.
    let mut carry = 0;
    while let Some((chunk, behind)) = rest.split_first_chunk::<CHUNK>() {
        let v = u8x64::from_slice(simd, chunk);
        let specials = specials(v);
        if specials | carry != 0 {
            let Escapes { starts, bad } = escapes(v, specials, carry);
            let escaped = starts << 1 | carry;
            // What is behind a backslash stops nothing by itself, not even a quote; where it is none of the letters, the
            // escape stops at its backslash, one byte before.
            let stops = specials & !starts & !escaped | bad >> 1;
            let is_bad_before = bad & 1 != 0;
            if stops != 0 || is_bad_before {
                let stop = if is_bad_before { 0 } else { stops.trailing_zeros() };
                let before = !(u64::MAX << stop);
                let at = input.len() - rest.len();
                return Stretch {
                    end: if is_bad_before { at.saturating_sub(1) } else { at + stop as usize },
                    is_ascii: !high.simd_ge(0x80).any_true() && v.simd_ge(0x80).to_bitmask() & before == 0,
                    has_escapes: has_escapes || (starts | carry) & before != 0,
                };
            }
            has_escapes |= starts << 1 | carry != 0;
            carry = starts >> (CHUNK - 1);
        }
        high |= v;
        rest = behind;
    }
    // The last bytes of the input, and the backslash before them where it begins an escape: no long string has many there.
    let at = input.len() - rest.len() - carry as usize;
    let end = last_stretch(input, at);
    Stretch { end: end.end, is_ascii: end.is_ascii && !high.simd_ge(0x80).any_true(), has_escapes }
}

#[inline(never)]
fn last_stretch(input: &[u8], at: usize) -> Stretch {
    plain_end(input, at, 0).into()
}

/// The escapes of a chunk.
struct Escapes {
    /// The backslashes that begin one.
    starts: u64,
    /// The bytes after them that do not form a canonical escape of one letter. A byte after the chunk's last one is
    /// checked with the next chunk.
    bad: u64,
}

/// `carry` is 1 where the first byte is escaped.
#[inline(always)]
fn escapes<S: Simd>(v: u8x64<S>, specials: u64, carry: u64) -> Escapes {
    let backslashes = zeros(is(v, b'\\')) & specials;
    if backslashes | carry == 0 {
        return Escapes { starts: 0, bad: 0 };
    }
    let escaped = escaped_by(backslashes & !carry) | carry;
    let letters = is(v, b'n').min(is(v, b't')).min(is(v, b'r')).min(is(v, b'b')).min(is(v, b'f'));
    let right = zeros(letters.min(is(v, b'"')).min(is(v, b'\\')));
    Escapes { starts: backslashes & !escaped, bad: escaped & !right }
}

/// The bytes after a backslash that is not itself escaped.
#[inline(always)]
fn escaped_by(backslashes: u64) -> u64 {
    let behind = backslashes << 1;
    if backslashes & behind == 0 {
        return behind;
    }
    // As simd-json does it. Of each run of backslashes the first, third and so on begin an escape. Adding the first bit of the runs that begin
    // at an odd place to the runs carries to the bit behind them, which says at which kind of place they begin.
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let odd_firsts = backslashes & !EVEN & !behind;
    let on_even = odd_firsts.wrapping_add(backslashes);
    (EVEN ^ on_even << 1) & behind
}

/// Most bytes that a chunk becomes.
const MOST: usize = 6 * CHUNK;

/// Appends `text`, escaped. Says whether an escape was needed.
#[inline(never)]
pub(crate) fn write_escaped(text: &[u8], out: &mut Vec<u8>) -> bool {
    dispatch!(level(), simd => write_escaped_with(simd, text, out))
}

#[inline(always)]
fn write_escaped_with<S: Simd>(simd: S, text: &[u8], out: &mut Vec<u8>) -> bool {
    let mut end = out.len();
    let mut is_escaped = false;
    let mut rest = text;
    while rest.len() >= CHUNK {
        // Room for the text, a sixteenth of escapes, and a chunk of nothing else.
        if out.len() - end < MOST + CHUNK {
            out.resize(end + rest.len() + rest.len() / 16 + MOST + CHUNK, 0);
        }
        let Some(mut room) = out.get_mut(end..) else { broken() };
        let all = room.len();
        loop {
            let special = copy_plain(simd, &mut rest, &mut room);
            let Some(place) = room.first_chunk_mut::<{ MOST + CHUNK }>().filter(|_| special != 0) else {
                break;
            };
            is_escaped = true;
            let written = escape_chunk(simd, rest, special, place);
            rest = rest.get(CHUNK..).unwrap_or_default();
            room = room.get_mut(written..).unwrap_or_default();
        }
        end += all - room.len();
    }
    out.truncate(end);
    write_escaped_plainly(rest, out) || is_escaped
}

/// Copies whole chunks up to the first that needs escaping, as long as there is room. Returns the bits of the bytes to
/// escape in that chunk, or zero at the end of the text or the room.
#[inline(always)]
fn copy_plain<S: Simd>(simd: S, rest: &mut &[u8], room: &mut &mut [u8]) -> u64 {
    while let Some((chunk, behind)) = rest.split_first_chunk::<CHUNK>() {
        let v = u8x64::from_slice(simd, chunk);
        let specials = specials(v);
        if specials != 0 {
            return specials;
        }
        if room.len() < CHUNK {
            break;
        }
        let Some((place, more)) = core::mem::take(room).split_first_chunk_mut::<CHUNK>() else { broken() };
        v.store_slice(place);
        *room = more;
        *rest = behind;
    }
    0
}

/// Writes the chunk at the head of `text` with these bytes escaped. Returns how many bytes that is.
#[inline(always)]
fn escape_chunk<S: Simd>(simd: S, text: &[u8], specials: u64, out: &mut [u8; MOST + CHUNK]) -> usize {
    let (Some(chunk), Some(place)) = (text.first_chunk::<CHUNK>(), out.first_chunk_mut::<CHUNK>()) else {
        broken()
    };
    let v = u8x64::from_slice(simd, chunk);
    v.store_slice(place);
    if specials.count_ones() > FEW
        && has_tables(simd)
        && let Some(written) = escape_many(simd, v, specials, out)
    {
        return written;
    }
    escape_few(text, specials, out)
}

/// Up to this many escapes in a chunk are written one by one.
const FEW: u32 = 2;

/// Returns true if one instruction looks up all bytes in a table of 16. SSE2 has none.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[inline(always)]
fn has_tables<S: Simd>(simd: S) -> bool {
    !matches!(simd.level(), Level::Sse2(_))
}

/// As above, where every level has one.
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
#[inline(always)]
fn has_tables<S: Simd>(_: S) -> bool {
    true
}

/// For each set of escaped bytes among eight: the source index of each output byte; 8 stands for a
/// backslash.
#[expect(clippy::indexing_slicing, reason = "an index out of range does not compile")]
const SPREAD: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 8 {
            if bits >> from & 1 == 1 {
                table[bits][to] = 8;
                to += 1;
            }
            table[bits][to] = from as u8;
            to += 1;
            from += 1;
        }
        bits += 1;
    }
    table
};

/// Writes a chunk with these bytes escaped, eight at a time. Returns how many bytes that is; `None` where a character
/// has no escape of one letter.
#[inline(always)]
fn escape_many<S: Simd>(simd: S, v: u8x64<S>, specials: u64, out: &mut [u8; MOST + CHUNK]) -> Option<usize> {
    let mut letters = v;
    let mut controls = is_control(v);
    for (byte, letter) in [(0x08, b'b'), (b'\t', b't'), (b'\n', b'n'), (0x0C, b'f'), (b'\r', b'r')] {
        let is_it = is(v, byte).simd_eq(0);
        letters = is_it.select(u8x64::splat(simd, letter), letters);
        controls = is_it.select(u8x64::splat(simd, 1), controls);
    }
    if zeros(controls) != 0 {
        return None;
    }
    let mut plain = [0; CHUNK];
    letters.store_slice(&mut plain);
    let mut written = 0;
    for (eight, bits) in plain.as_chunks::<8>().0.iter().zip(specials.to_le_bytes()) {
        // In one register: bytes that are written one by one would have to reach the memory first.
        let from =
            (u128::from_le_bytes([b'\\'; 16]) << 64 | u128::from(u64::from_le_bytes(*eight))).to_le_bytes();
        let spread = SPREAD.get(usize::from(bits)).unwrap_or(&[0; 16]);
        let spread = u8x16::from_slice(simd, &from).swizzle_dyn(u8x16::from_slice(simd, spread));
        let Some(place) = out.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<16>) else { broken() };
        spread.store_slice(place);
        written += 8 + bits.count_ones() as usize;
    }
    Some(written)
}

/// The letters of escapes, by character.
#[expect(clippy::indexing_slicing, reason = "an index out of range does not compile")]
const LETTERS: [u8; 128] = {
    let mut letters = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        if let Some(letter) = short_escape(byte as u8) {
            letters[byte] = letter;
        }
        byte += 1;
    }
    letters
};

/// Writes the 64 bytes at the head of `text` with these of them escaped; those before the first escaped one are
/// written already. Returns how many bytes that is.
#[inline(always)]
fn escape_few(text: &[u8], specials: u64, out: &mut [u8; MOST + CHUNK]) -> usize {
    let mut rest = specials;
    let mut written = 0;
    let mut from = 0;
    while rest != 0 {
        let special = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        written += special - from;
        from = special + 1;
        let byte = text.get(special).copied().unwrap_or_default();
        let Some(place) = out.get_mut(written..) else { broken() };
        written += match LETTERS.get(usize::from(byte)) {
            Some(&letter) if letter != 0 => put(&[b'\\', letter], place),
            _ => put(&unicode_escape(byte), place),
        };
        // The text behind it, up to the next one or more.
        let Some(place) = out.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<CHUNK>) else { broken() };
        match text.get(from..).and_then(<[u8]>::first_chunk::<CHUNK>) {
            Some(behind) => *place = *behind,
            None => {
                let behind = text.get(from..).unwrap_or_default();
                for (to, from) in place.iter_mut().zip(behind) {
                    *to = *from;
                }
            }
        }
    }
    written + CHUNK - from
}

#[inline(always)]
fn put<const N: usize>(bytes: &[u8; N], place: &mut [u8]) -> usize {
    match place.first_chunk_mut::<N>() {
        Some(place) => *place = *bytes,
        None => broken(),
    }
    N
}

#[cold]
fn unicode_escape(byte: u8) -> [u8; 6] {
    let hex = |digit: u8| if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
    [b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte & 15)]
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use proptest::prelude::*;

    use super::*;
    use crate::scan::plain_run;

    /// This machine's widths of registers.
    fn levels() -> impl Iterator<Item = Level> {
        let widest = level();
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        let narrower = [
            widest.as_sse2().map(Level::Sse2),
            widest.as_sse4_2().map(Level::Sse4_2),
            widest.as_avx2().map(Level::Avx2),
        ];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
        let narrower = [None];
        narrower.into_iter().flatten().chain([widest])
    }

    /// The stretch, found byte by byte: the oracle.
    fn plain_stretch(input: &[u8], at: usize) -> Stretch {
        let mut stretch = Stretch { end: at, is_ascii: true, has_escapes: false };
        loop {
            let run = plain_run(input, stretch.end);
            stretch.is_ascii &= run.ascii;
            stretch.end = run.end;
            match input.get(run.end..) {
                Some([b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..]) => stretch.end += 2,
                _ => return stretch,
            }
            stretch.has_escapes = true;
        }
    }

    proptest! {
        #[test]
        fn a_step_ends_where_words_end(
            row in prop::array::uniform16(prop_oneof![8 => Just(b'a'), 1 => any::<u8>(), 1 => Just(b'"'), 1 => Just(b'\\'), 1 => 0x1E_u8..=0x22]),
        ) {
            let run = plain_run(&row, 0);
            for level in levels() {
                let step = dispatch!(level, simd => step_with(simd, &row));
                prop_assert_eq!(step.stop, (run.end < STEP).then_some(run.end));
                prop_assert_eq!(step.high == 0, run.ascii);
            }
        }
    }

    /// Continues after a stretch that ended early, as the grammar does.
    fn whole_stretch(level: Level, input: &[u8], at: usize) -> Stretch {
        let mut stretch = dispatch!(level, simd => stretch_with(simd, input, at));
        let rest = plain_stretch(input, stretch.end);
        if input.len() - stretch.end >= CHUNK {
            assert_eq!(rest.end, stretch.end, "ended before it had to");
        }
        stretch.end = rest.end;
        stretch.is_ascii &= rest.is_ascii;
        stretch.has_escapes |= rest.has_escapes;
        stretch
    }

    /// Pieces that make chunks end in every part of an escape.
    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "a",
            "plain text of some length, as most of it is, without anything to stop at",
            "\u{e9}",
            "\\n",
            "\\\"",
            "\\\\",
            "\\\\\\\\\\\\",
            "\\/",
            "\\u00e9",
            "\"",
            "\n",
            "\u{1}",
            "\\",
            "\\x",
            "\t",
            "0123456789",
            "\u{1f600}",
        ])
    }

    fn text(pieces: std::ops::Range<usize>) -> impl Strategy<Value = String> {
        prop::collection::vec(piece(), pieces).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn stretches_end_where_they_do_byte_by_byte(text in text(0..60), at in 0_usize..80) {
            let input = text.as_bytes();
            let at = at.min(input.len());
            for level in levels() {
                prop_assert_eq!(whole_stretch(level, input, at), plain_stretch(input, at), "{:?}", level);
            }
        }

        #[test]
        fn texts_are_escaped_as_they_are_byte_by_byte(text in text(0..90), before in 0_usize..3) {
            for level in levels() {
                let (mut out, mut plain) = (vec![b'x'; before], vec![b'x'; before]);
                let is_escaped = dispatch!(level, simd => write_escaped_with(simd, text.as_bytes(), &mut out));
                prop_assert_eq!(is_escaped, write_escaped_plainly(text.as_bytes(), &mut plain));
                prop_assert_eq!(out, plain, "{:?}", level);
            }
        }
    }

    #[test]
    fn all_that_can_be_escaped_at_every_place_of_a_chunk() {
        for level in levels() {
            for byte in (0..b' ').chain([b'"', b'\\', 0x7F]) {
                for at in 0..CHUNK {
                    for count in [1, 2, 5, 9] {
                        let mut text = vec![b'a'; 3 * CHUNK];
                        text[at..at + count].fill(byte);
                        let (mut out, mut plain) = (Vec::new(), Vec::new());
                        dispatch!(level, simd => write_escaped_with(simd, &text, &mut out));
                        write_escaped_plainly(&text, &mut plain);
                        assert_eq!(out, plain, "{count} of {byte:#x} at {at}, {level:?}");
                    }
                }
            }
            // Six times as long: the room runs out.
            for len in [CHUNK, 1000, 5000] {
                let (mut out, mut plain) = (Vec::new(), Vec::new());
                let text = vec![1; len];
                dispatch!(level, simd => write_escaped_with(simd, &text, &mut out));
                write_escaped_plainly(&text, &mut plain);
                assert_eq!(out, plain, "{len}, {level:?}");
                // And where what follows has nothing to escape.
                let text = [text, vec![b'a'; 3 * len]].concat();
                out.clear();
                plain.clear();
                dispatch!(level, simd => write_escaped_with(simd, &text, &mut out));
                write_escaped_plainly(&text, &mut plain);
                assert_eq!(out, plain, "{len} and more, {level:?}");
            }
        }
    }
}
