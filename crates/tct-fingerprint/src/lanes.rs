//! The bulk of the text, 64 bytes at a time: all that keeps its length.
//!
//! A [`Bulk`] reads 64 bytes, writes their lower-case, white-space-mapped form, and says how many of them stand so.
//! What it stops at (a reference, a second space, a character that changes length, a mark in doubt) is the kernel's.
//! There are two: [`Lanes`] where the target has vector registers, [`Plain`] everywhere else, since the portable
//! fallback of lanes is slower than a loop over bytes.

use crate::table;

/// How many marks in a row the fast paths let pass behind one character; more are for the normaliser.
pub(crate) const MAX_MARKS: usize = 7;

/// Bytes handled at a time.
pub(crate) const CHUNK: usize = 64;

/// Bytes looked at: the chunk, one byte before it (whatever it is) and two behind it.
pub(crate) const VIEW: usize = CHUNK + 3;

/// Handles the longest start of a chunk in which every character keeps its length.
pub(crate) trait Bulk: Copy {
    /// Writes to `out` what the text from the second byte of `src` becomes and returns how many bytes of both that is, always whole
    /// characters. The bytes behind them in `out` may hold anything. `after_space` says that the byte before is a
    /// space, so that white space at the start must go away.
    fn bulk(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], after_space: bool) -> usize;
}

/// The marks that have just been passed, to keep them in the order of their classes.
#[derive(Default)]
struct Marks {
    end: usize,
    class: u16,
    count: usize,
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

/// Handles the character beyond ASCII that begins at `at`; `false` if the chunk must stop before it.
#[inline(always)]
fn patch(src: &[u8; VIEW], out: &mut [u8; CHUNK], at: usize, marks: &mut Marks) -> bool {
    let Some((code, len)) = decode(src, at) else { return false };
    let entry = table::entry(code);
    if entry == table::KEEP {
        return true;
    }
    if entry <= table::LAST_MARK {
        return marks.pass(at, len, entry);
    }
    if entry < table::MAP {
        return false;
    }
    let replacement = table::replacement(entry);
    match out.get_mut(at..at + len) {
        Some(place) if place.len() == replacement.len() => {
            place.copy_from_slice(replacement);
            true
        }
        _ => false,
    }
}

/// The code point that begins at byte `at` of the chunk, and its length. The bytes are UTF-8.
#[inline(always)]
fn decode(src: &[u8; VIEW], at: usize) -> Option<(u32, usize)> {
    let low = |i: usize| src.get(at + 1 + i).map(|byte| u32::from(byte & 0x3F));
    let lead = u32::from(*src.get(at + 1)?);
    match lead {
        0..0xE0 => Some(((lead & 0x1F) << 6 | low(1)?, 2)),
        0xE0..0xF0 => Some(((lead & 0x0F) << 12 | low(1)? << 6 | low(2)?, 3)),
        _ => Some(((lead & 0x07) << 18 | low(1)? << 12 | low(2)? << 6 | low(3)?, 4)),
    }
}

/// A loop over bytes. Where there are lanes, only the tests use it: they hold the lanes against it.
#[cfg_attr(not(test), allow(dead_code, reason = "in use where there are no lanes"))]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Bulk for Plain {
    #[inline(always)]
    fn bulk(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], after_space: bool) -> usize {
        let mut after_space = after_space;
        let mut marks = Marks::default();
        let mut at = 0;
        while let (Some(&byte), Some(slot)) = (src.get(at + 1), out.get_mut(at)) {
            if byte < 0x80 {
                let byte = match byte {
                    b'\t' | b'\n' | b'\r' | b' ' if after_space => return at,
                    b'\t' | b'\n' | b'\r' => b' ',
                    0..0x20 | 0x7F | b'&' => return at,
                    _ => byte.to_ascii_lowercase(),
                };
                *slot = byte;
                after_space = byte == b' ';
                at += 1;
                continue;
            }
            let len = match byte {
                0..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            let (Some(from), Some(to)) = (src.get(at + 1..at + 1 + len), out.get_mut(at..at + len)) else {
                return at;
            };
            to.copy_from_slice(from);
            if !patch(src, out, at, &mut marks) {
                return at;
            }
            after_space = false;
            at += len;
        }
        at
    }
}

/// Runs an expression with the widest lanes that this machine has. Everything inside is compiled once a width.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! dispatch {
    ($bulk:ident => $run:expr) => {{
        #[cfg(feature = "std")]
        let level = fearless_simd::Level::new();
        #[cfg(not(feature = "std"))]
        let level = fearless_simd::Level::baseline();
        fearless_simd::dispatch!(level, simd => {
            let $bulk = crate::lanes::Lanes(simd);
            $run
        })
    }};
}

/// Runs an expression with the loop over bytes: this target has no lanes.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
macro_rules! dispatch {
    ($bulk:ident => $run:expr) => {{
        let $bulk = crate::lanes::Plain;
        $run
    }};
}

pub(crate) use dispatch;

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use vector::Lanes;

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vector {
    use fearless_simd::{Select, Simd, SimdBase, SimdMask, u8x64};

    use super::{Bulk, CHUNK, Marks, VIEW, patch};

    /// Vector registers of the kind `S`.
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes<S>(pub(crate) S);

    /// All bits below the lowest one of `stop`; all bits if there is none.
    #[inline(always)]
    fn below(stop: u64) -> u64 {
        (stop & stop.wrapping_neg()).wrapping_sub(1)
    }

    impl<S: Simd> Bulk for Lanes<S> {
        #[inline(always)]
        fn bulk(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], after_space: bool) -> usize {
            let simd = self.0;
            let v = self.load::<1>(src);
            let upper = (v - b'A').simd_lt(26);
            let folded = upper.select(v + 0x20, v);
            let white = v.simd_eq(b'\t') | v.simd_eq(b'\n') | v.simd_eq(b'\r');
            let folded = white.select(u8x64::splat(simd, b' '), folded);
            folded.store_slice(out);
            let space = folded.simd_eq(b' ').to_bitmask();
            let special = folded.simd_lt(b' ') | folded.simd_eq(0x7F) | folded.simd_eq(b'&');
            let mut stop = special.to_bitmask() | (space & (space << 1 | u64::from(after_space)));
            let beyond = v.simd_ge(0x80).to_bitmask();
            if beyond & below(stop) != 0 {
                stop |= self.beyond_ascii(v, folded, src, out, stop);
            }
            stop.trailing_zeros() as usize
        }
    }

    impl<S: Simd> Lanes<S> {
        /// The 64 bytes of the view from `FROM`: 0 is one byte before the chunk.
        #[inline(always)]
        fn load<const FROM: usize>(self, src: &[u8; VIEW]) -> u8x64<S> {
            u8x64::from_slice(self.0, src.get(FROM..FROM + CHUNK).unwrap_or(&[0; CHUNK]))
        }

        /// Patches the characters beyond ASCII before `stop` and returns more reasons to stop.
        #[inline(always)]
        fn beyond_ascii(
            self,
            v: u8x64<S>,
            folded: u8x64<S>,
            src: &[u8; VIEW],
            out: &mut [u8; CHUNK],
            stop: u64,
        ) -> u64 {
            let leads = v.simd_ge(0xC0).to_bitmask();
            let long = v.simd_ge(0xE0).to_bitmask();
            let longest = v.simd_ge(0xF0).to_bitmask();
            // Characters that end behind the chunk wait for the next one.
            let stop = stop | (leads & 1 << 63) | (long & 0b11 << 62) | (longest & 0b111 << 61);
            let mut doubtful = leads & below(stop);
            if doubtful & !long != 0 {
                // U+00E0..=U+00FF
                let latin = v.simd_eq(0xC3) & self.load::<2>(src).simd_ge(0xA0);
                doubtful &= !latin.to_bitmask();
                if (doubtful & !long).count_ones() > 4 {
                    doubtful &= !self.pairs(v, folded, src, out);
                }
            }
            if doubtful & long != 0 {
                // U+2013, U+2014, U+2018..=U+201D
                let third = self.load::<3>(src);
                let quote = v.simd_eq(0xE2)
                    & self.load::<2>(src).simd_eq(0x80)
                    & ((third - 0x93).simd_le(1) | (third - 0x98).simd_le(5));
                doubtful &= !quote.to_bitmask();
                if (doubtful & long).count_ones() > 2 {
                    doubtful &= !self.plain_triples(v, src);
                }
            }
            let mut marks = Marks::default();
            while doubtful != 0 {
                let at = doubtful.trailing_zeros();
                if !patch(src, out, at as usize, &mut marks) {
                    return stop | 1 << at;
                }
                doubtful &= doubtful - 1;
            }
            stop
        }

        /// Writes the small letters of Greek and Cyrillic; returns the leads of two-byte characters that are done with
        /// that, or stand for themselves: Greek, Cyrillic, Hebrew and Arabic letters.
        #[inline(always)]
        fn pairs(self, v: u8x64<S>, folded: u8x64<S>, src: &[u8; VIEW], out: &mut [u8; CHUNK]) -> u64 {
            let (before, next) = (self.load::<0>(src), self.load::<2>(src));
            let (d0, ce, cf) = (v.simd_eq(0xD0), v.simd_eq(0xCE), v.simd_eq(0xCF));
            // U+0420..=U+042F; U+03A0..=U+03AB but for U+03A2: the small letter has the next lead and 0x20 less.
            let far =
                (d0 & (next - 0xA0).simd_le(0x0F)) | (ce & (next - 0xA0).simd_le(0x0B) & !next.simd_eq(0xA2));
            // U+0410..=U+041F; U+0391..=U+039F: the small letter has 0x20 more.
            let near = (d0 & (next - 0x90).simd_le(0x0F)) | (ce & (next - 0x91).simd_le(0x0E));
            // U+0430..=U+043F; U+0440..=U+045F
            let small = (d0 & next.simd_ge(0xB0)) | (v.simd_eq(0xD1) & next.simd_le(0x9F))
                // U+03AC..=U+03AF, U+03B1..=U+03BF; U+03C0..=U+03CE, the final sigma among them
                | (ce & next.simd_ge(0xAC) & !next.simd_eq(0xB0))
                | (cf & next.simd_le(0x8E))
                // U+05D0..=U+05EA; U+0620..=U+063A; U+0641..=U+064A
                | (v.simd_eq(0xD7) & (next - 0x90).simd_le(0xAA - 0x90))
                | (v.simd_eq(0xD8) & (next - 0xA0).simd_le(0xBA - 0xA0))
                | (v.simd_eq(0xD9) & (next - 0x81).simd_le(0x8A - 0x81));
            // The same once more, seen from the second byte: whatever its lead, it can only be one of these.
            let (after_d0, after_ce) = (before.simd_eq(0xD0), before.simd_eq(0xCE));
            let second_far = (after_d0 & (v - 0xA0).simd_le(0x0F))
                | (after_ce & (v - 0xA0).simd_le(0x0B) & !v.simd_eq(0xA2));
            let second_near = (after_d0 & (v - 0x90).simd_le(0x0F)) | (after_ce & (v - 0x91).simd_le(0x0E));
            let final_sigma = before.simd_eq(0xCF) & v.simd_eq(0x82);
            let folded = (far | final_sigma).select(folded + 1, folded);
            let folded = second_near.select(folded + 0x20, folded);
            let folded = second_far.select(folded - 0x20, folded);
            folded.store_slice(out);
            (far | near | small).to_bitmask()
        }

        /// Leads of three-byte characters that certainly stand for themselves: ideographs, kana, Hangul syllables,
        /// letters and vowel signs of Devanagari and Thai.
        #[inline(always)]
        fn plain_triples(self, v: u8x64<S>, src: &[u8; VIEW]) -> u64 {
            let (next, third) = (self.load::<2>(src), self.load::<3>(src));
            // U+4000..=U+9FFF
            let ideograph = (v - 0xE4).simd_le(0xE9 - 0xE4);
            // U+3040..=U+307F; U+30C0..=U+30FE; U+3080..=U+3098, U+30A0..=U+30BF
            let kana = v.simd_eq(0xE3)
                & (next.simd_eq(0x81)
                    | (next.simd_eq(0x83) & !third.simd_eq(0xBF))
                    | (next.simd_eq(0x82) & (third.simd_le(0x98) | third.simd_ge(0xA0))));
            // U+B000..=U+CFFF; U+AC00..=U+AFFF; U+D000..=U+D77F
            let hangul = (v.simd_eq(0xEB) | v.simd_eq(0xEC))
                | (v.simd_eq(0xEA) & next.simd_ge(0xB0))
                | (v.simd_eq(0xED) & next.simd_le(0x9D));
            // Devanagari U+0900..=U+093B less its marks, U+093D..=U+094C; Thai U+0E00..=U+0E32, U+0E34..=U+0E37,
            // U+0E40..=U+0E47
            let indic = v.simd_eq(0xE0)
                & ((next.simd_eq(0xA4) & !third.simd_eq(0xBC))
                    | (next.simd_eq(0xA5) & third.simd_le(0x8C))
                    | (next.simd_eq(0xB8) & third.simd_le(0xB7) & !third.simd_eq(0xB3))
                    | (next.simd_eq(0xB9) & third.simd_le(0x87)));
            (ideograph | kana | hangul | indic).to_bitmask()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bulk, CHUNK, Lanes, Plain, VIEW};
    use std::string::String;

    /// What a bulk path makes of the start of a text: the bytes that stand.
    fn bulk(bulk: impl Bulk, text: &str, after_space: bool) -> String {
        let mut view = [0; VIEW];
        view.iter_mut().skip(1).zip(text.as_bytes()).for_each(|(to, from)| *to = *from);
        let mut out = [0xFF; CHUNK];
        let handled = bulk.bulk(&view, &mut out, after_space);
        String::from_utf8(out[..handled].to_vec()).expect("whole characters")
    }

    /// The widths that this machine has, and the loop over bytes, agree on every character at every kind of place.
    #[test]
    fn lanes_agree_with_the_loop_over_bytes() {
        let fill = ["", "a", "ж", "漢字", "é b", "x\u{316}", " "];
        let behind =
            ["", "ABCDEFGHIJ klmnopqrstuvwxyz ÀÉÎ ЖДУ 漢字 ไทย नमस्ते 한국어 かな عربي Ἀθήνα 0123456789"];
        let level = fearless_simd::Level::new();
        let blocks =
            ['\0'..='\u{33FF}', '\u{9FF0}'..='\u{AC40}', '\u{D770}'..='\u{D7FF}', '\u{F8F0}'..='\u{1FFFF}'];
        for c in blocks.into_iter().flatten().chain(('\u{3400}'..='\u{D7FF}').step_by(61)) {
            for before in fill {
                for behind in behind {
                    let text = std::format!("{before}{c}{c}{behind}");
                    let plain = bulk(Plain, &text, false);
                    let wide = fearless_simd::dispatch!(level, simd => bulk(Lanes(simd), &text, false));
                    // The lanes leave characters that straddle the chunk's end; the loop leaves the same.
                    assert_eq!(wide, plain, "{text:?}");
                    let baseline = fearless_simd::Level::baseline();
                    let narrow = fearless_simd::dispatch!(baseline, simd => bulk(Lanes(simd), &text, false));
                    assert_eq!(narrow, plain, "{text:?}");
                }
            }
        }
    }
}
