//! Vector registers: all 64 bytes at once.
//!
//! A character is handled where its first byte stands, its other bytes are seen through the same chunk loaded one and
//! two bytes later, and the byte that changes looks back through the chunk loaded one byte earlier. So characters that
//! the lanes handle may straddle the chunk's end.
//!
//! Each script costs only the texts that have it: a test for its first bytes stands before its lanes.

use fearless_simd::{Select, Simd, SimdBase, SimdMask, mask8x64, u8x64};

use super::chunk::{Chunk, below};
use super::{Bulk, CHUNK, Handled, VIEW};

/// Vector registers of the kind `S`.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S>(pub(crate) S);

impl<S: Simd> Bulk for Lanes<S> {
    #[inline(always)]
    fn bulk(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], after_space: bool) -> Handled {
        let simd = self.0;
        let v = self.load::<1>(src);
        let upper = (v - b'A').simd_lt(26);
        let text = upper.select(v + 0x20, v);
        let white = v.simd_eq(b'\t') | v.simd_eq(b'\n') | v.simd_eq(b'\r');
        let text = white.select(u8x64::splat(simd, b' '), text);
        let white = text.simd_eq(b' ').to_bitmask();
        // A control character, DEL, or a byte beyond ASCII.
        let special = (text - b' ').simd_ge(0x7F - b' ');
        let references = v.simd_eq(b'&');
        let chunk = Chunk::new(src, out, white, 0);
        if !(special | references).any_true() {
            text.store_slice(chunk.out);
            return self.finish(chunk, 0, 0, after_space);
        }
        let beyond = v.simd_ge(0x80).to_bitmask();
        let (stop, references) = (special.to_bitmask() & !beyond, references.to_bitmask());
        if beyond == 0 {
            text.store_slice(chunk.out);
            return self.finish(chunk, references, stop, after_space);
        }
        self.beyond_ascii(v, text, chunk, references, stop, after_space)
    }
}

impl<S: Simd> Lanes<S> {
    /// The 64 bytes of the view from `FROM`: 0 is one byte before the chunk.
    #[inline(always)]
    fn load<const FROM: usize>(self, src: &[u8; VIEW]) -> u8x64<S> {
        u8x64::from_slice(self.0, src.get(FROM..FROM + CHUNK).unwrap_or(&[0; CHUNK]))
    }

    /// Patches what begins at the bits of `doubtful` and closes the chunk.
    #[inline(always)]
    fn finish(self, mut chunk: Chunk<'_>, mut doubtful: u64, mut stop: u64, after_space: bool) -> Handled {
        doubtful &= below(stop);
        while doubtful != 0 {
            let at = doubtful.trailing_zeros() as usize;
            if let Err(at) = chunk.patch(at) {
                stop |= 1 << at;
                break;
            }
            doubtful &= doubtful - 1;
        }
        chunk.close(stop, after_space, |out, stays| {
            let all = u8x64::from_slice(self.0, out);
            all.compress(mask8x64::from_bitmask(self.0, stays)).store_slice(out);
        })
    }

    /// A chunk with characters beyond ASCII.
    #[inline(always)]
    fn beyond_ascii(
        self,
        v: u8x64<S>,
        mut text: u8x64<S>,
        mut chunk: Chunk<'_>,
        references: u64,
        stop: u64,
        after_space: bool,
    ) -> Handled {
        let src = chunk.src;
        let mut doubtful = v.simd_ge(0xC0).to_bitmask();
        let long = v.simd_ge(0xE0).to_bitmask();
        let next = self.load::<2>(src);
        let before_chunk = src.first().copied().unwrap_or_default();
        let short = |doubtful: u64| doubtful & !long != 0;
        if short(doubtful) || before_chunk >= 0xC0 {
            let before = self.load::<0>(src);
            if v.simd_eq(0xC3).any_true() || before_chunk == 0xC3 {
                let done;
                (text, done) = self.latin(v, text, before, next);
                doubtful &= !done;
            }
            if (v & 0xFE).simd_eq(0xD0).any_true() || before_chunk & 0xFE == 0xD0 {
                let done;
                (text, done) = self.cyrillic(v, text, before, next);
                doubtful &= !done;
            }
            if short(doubtful) || before_chunk & 0xFE == 0xCE {
                if (v & 0xFE).simd_eq(0xCE).any_true() || before_chunk & 0xFE == 0xCE {
                    let done;
                    (text, done) = self.greek(v, text, before, next);
                    doubtful &= !done;
                }
                if short(doubtful) {
                    doubtful &= !self.hebrew_and_arabic(v, next);
                }
            }
        }
        if doubtful & long != 0 {
            let third = self.load::<3>(src);
            // Dashes and quotes: U+2012..=U+2016, U+2018..=U+2023
            let quote = v.simd_eq(0xE2)
                & next.simd_eq(0x80)
                & ((third - 0x92).simd_le(0x96 - 0x92) | (third - 0x98).simd_le(0xA3 - 0x98));
            doubtful &= !quote.to_bitmask();
            if doubtful & long != 0 {
                let done;
                (text, done) = self.triples(v, text, next, third, &mut chunk.gone);
                doubtful &= !done;
            }
        }
        text.store_slice(chunk.out);
        self.finish(chunk, doubtful | references, stop, after_space)
    }

    /// U+00C0 to U+00FF. Returns the text, and the first bytes of all that is done.
    #[inline(always)]
    fn latin(self, v: u8x64<S>, text: u8x64<S>, before: u8x64<S>, next: u8x64<S>) -> (u8x64<S>, u64) {
        let (c3, after_c3) = (v.simd_eq(0xC3), before.simd_eq(0xC3));
        // C3 80–9E become C3 A0–BE, but for the sign `×` (C3 97).
        let capital = after_c3 & v.simd_lt(0x9F) & !v.simd_eq(0x97);
        let text = capital.select(text + 0x20, text);
        // `ß` (C3 9F) becomes two letters.
        let sharp = (c3 & next.simd_eq(0x9F)) | (after_c3 & v.simd_eq(0x9F));
        (sharp.select(u8x64::splat(self.0, b's'), text), c3.to_bitmask())
    }

    /// U+0400 to U+045F.
    #[inline(always)]
    fn cyrillic(self, v: u8x64<S>, text: u8x64<S>, before: u8x64<S>, next: u8x64<S>) -> (u8x64<S>, u64) {
        // | bytes    | small    | difference |
        // | D0 80–8F | D1 90–9F | 01 10 |
        // | D0 90–9F | D0 B0–BF | 00 20 |
        // | D0 A0–AF | D1 80–8F | 01 20 |
        // | D0 B0–BF | itself   | 00 00 |
        let zero = u8x64::splat(self.0, 0);
        let d0 = v.simd_eq(0xD0);
        let other_lead = (d0 & (next & 0x10).simd_eq(0)).select(u8x64::splat(self.0, 1), zero);
        let difference = ((v + 0x10) & 0x30).min(u8x64::splat(self.0, 0x20));
        let difference = before.simd_eq(0xD0).select(difference, zero);
        let done = d0 | (v.simd_eq(0xD1) & next.simd_lt(0xA0));
        (text ^ other_lead ^ difference, done.to_bitmask())
    }

    /// U+0391 to U+03CE, but for `ΰ`, which becomes three characters.
    #[inline(always)]
    fn greek(self, v: u8x64<S>, text: u8x64<S>, before: u8x64<S>, next: u8x64<S>) -> (u8x64<S>, u64) {
        // | bytes    | small    | difference |
        // | CE 91–9F | CE B1–BF | 00 20 |
        // | CE A0–AB | CF 80–8B | 01 20, but for CE A2, which is no letter |
        // | CF 82    | CF 83    | 00 01, the final sigma |
        let zero = u8x64::splat(self.0, 0);
        let (ce, cf) = (v.simd_eq(0xCE), v.simd_eq(0xCF));
        let other_lead = ce & (next - 0xA0).simd_le(0xAB - 0xA0) & !next.simd_eq(0xA2);
        let final_sigma = before.simd_eq(0xCF) & v.simd_eq(0x82);
        let one = (other_lead | final_sigma).select(u8x64::splat(self.0, 1), zero);
        let capital = before.simd_eq(0xCE) & (v - 0x91).simd_le(0xAB - 0x91) & !v.simd_eq(0xA2);
        let difference = capital.select(u8x64::splat(self.0, 0x20), zero);
        let done = (ce & next.simd_ge(0x91) & !next.simd_eq(0xB0)) | (cf & next.simd_le(0x8E));
        (text ^ one ^ difference, done.to_bitmask())
    }

    /// Letters without case: U+05D0 to U+05EA, U+0620 to U+063A, U+0641 to U+064A.
    #[inline(always)]
    fn hebrew_and_arabic(self, v: u8x64<S>, next: u8x64<S>) -> u64 {
        let letter = (v.simd_eq(0xD7) & (next - 0x90).simd_le(0xAA - 0x90))
            | (v.simd_eq(0xD8) & (next - 0xA0).simd_le(0xBA - 0xA0))
            | (v.simd_eq(0xD9) & (next - 0x81).simd_le(0x8A - 0x81));
        letter.to_bitmask()
    }

    /// Scripts of three bytes a letter.
    #[inline(always)]
    fn triples(
        self,
        v: u8x64<S>,
        mut text: u8x64<S>,
        next: u8x64<S>,
        third: u8x64<S>,
        gone: &mut u64,
    ) -> (u8x64<S>, u64) {
        let mut done = 0;
        if (v - 0xE3).simd_le(0xE9 - 0xE3).any_true() {
            // U+4000..=U+9FFF
            let ideograph = (v - 0xE4).simd_le(0xE9 - 0xE4);
            // U+3001..=U+3029; U+3040..=U+307F; U+3080..=U+3098, U+30A0..=U+30BF; U+30C0..=U+30FE
            let kana = v.simd_eq(0xE3)
                & ((next.simd_eq(0x80) & (third - 0x81).simd_le(0xA9 - 0x81))
                    | next.simd_eq(0x81)
                    | (next.simd_eq(0x82) & (third.simd_le(0x98) | third.simd_ge(0xA0)))
                    | (next.simd_eq(0x83) & !third.simd_eq(0xBF)));
            done |= (ideograph | kana).to_bitmask();
        }
        let ef = v.simd_eq(0xEF);
        if ef.any_true() {
            // U+FF01..=U+FF3F, U+FF40..=U+FF5E: ASCII in full width. The one byte stands at the lead's place.
            let low = ef & next.simd_eq(0xBC) & third.simd_ge(0x81);
            let high = ef & next.simd_eq(0xBD) & third.simd_le(0x9E);
            text = low.select(third - 0x60, text);
            text = (low & (third - 0xA1).simd_lt(26)).select(third - 0x40, text);
            text = high.select(third - 0x20, text);
            // One that straddles the chunk's end must wait.
            let wide = (low | high).to_bitmask() & (u64::MAX >> 2);
            *gone |= wide << 1 | wide << 2;
            done |= wide;
        }
        if (v - 0xEA).simd_le(0xED - 0xEA).any_true() {
            // U+B000..=U+CFFF; U+AC00..=U+AFFF; U+D000..=U+D77F
            let hangul = (v.simd_eq(0xEB) | v.simd_eq(0xEC))
                | (v.simd_eq(0xEA) & next.simd_ge(0xB0))
                | (v.simd_eq(0xED) & next.simd_le(0x9D));
            done |= hangul.to_bitmask();
        }
        let e0 = v.simd_eq(0xE0);
        if e0.any_true() {
            // Devanagari U+0900..=U+093B less its marks, U+093D..=U+094C; Thai U+0E00..=U+0E32, U+0E34..=U+0E37,
            // U+0E40..=U+0E47
            let letter = (next.simd_eq(0xA4) & !third.simd_eq(0xBC))
                | (next.simd_eq(0xA5) & third.simd_le(0x8C))
                | (next.simd_eq(0xB8) & third.simd_le(0xB7) & !third.simd_eq(0xB3))
                | (next.simd_eq(0xB9) & third.simd_le(0x87));
            done |= (e0 & letter).to_bitmask();
        }
        (text, done)
    }
}
