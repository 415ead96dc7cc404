//! Vector registers: all 64 bytes at once.
//!
//! A character is claimed at the position of its first byte. Its other bytes are seen from there through the same chunk
//! loaded one and two bytes later, and a byte that changes looks back through the chunk loaded one byte earlier. No
//! register is shifted across its parts, and a byte's answer depends on the bytes of its own character alone: UTF-8 says
//! of every byte whether it begins a character, so `C3` before a byte is its own first byte or the byte is not within `80`
//! to `BF`.
//!
//! **Distances.** A condition is a vector here, zero in the places where it holds: [`is`] and [`within`] make them, `|`
//! is "and", `min` is "or". Only the last step makes a mask of it. Processors have few mask registers, and while the
//! hash of the last chunks is still at work, the masks of the next ones have to fit into them.
//!
//! **Why each claim is sound.** A lane's letters have the combining class 0 and `NFKC_Quick_Check=Yes` (UAX #15, "Stable Code
//! Points"): NFKC leaves such a letter as it is and changes nothing before it because of it. Letters with accents belong to them:
//! they decompose, and compose to themselves again (they are no composition exclusions). Their case folding is that of
//! `CaseFolding.txt`, status C: one letter, here of as many bytes. What does not fit is left out by name at each lane.
//!
//! **Widths.** SSE4.2, AVX2, NEON and simd128 look up 64 bytes in tables of 16 (`swizzle`), which the scripts need. SSE2 cannot:
//! there the lane is for ASCII alone. Machines with AVX-512 use AVX2: one register in place of two gained three percent.

use fearless_simd::{
    Bytes as _, Level, Select, Simd, SimdBase, SimdInt, SimdMask, i8x64, mask8x64, u8x16, u8x64,
};

use super::scripts::Block;
use super::{BEFORE, CHUNK, Claims, Lane, Scripts, VIEW};

/// Vector registers of the kind `S`.
#[derive(Clone, Copy)]
pub(crate) struct Vector<S>(pub(crate) S);

impl<S: Simd> Lane for Vector<S> {
    #[inline(always)]
    fn look(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], scripts: &Scripts) -> Claims {
        let v = self.load::<BEFORE>(src);
        // `A` to `Z` are the lowest of signed numbers here, which are compared in one instruction. Bytes from 80 on are in other
        // characters, and `+ 0x20` of a capital is its small letter (ASCII).
        let upper = (v + (0x80 - b'A')).bitcast::<i8x64<S>>().simd_lt(-128 + 26);
        let text = upper.select(v + 0x20, v);
        let (text, odd) = self.with_spaces(v, text);
        let white = text.simd_eq(b' ').to_bitmask();
        if scripts.is_empty() && !(odd | v.simd_ge(0x80)).any_true() {
            text.store_slice(out);
            return Claims { left: 0, white };
        }
        // Bits as soon as the plain text has gone, since what stays in vectors takes registers from the lanes of scripts, and
        // what is two masks here is taken apart into bytes by compilers. Hidden from them, else they do it where it is used.
        let odd = core::hint::black_box(odd.to_bitmask());
        let leads = v.simd_ge(0xC0).to_bitmask();
        let mut all = Done { text, claimed: 0 };
        if self.has_tables() {
            self.scripts(scripts, &mut all, v, src);
        }
        all.text.store_slice(out);
        Claims { left: odd | leads & !all.claimed, white }
    }
}

/// Zero where a byte equals this one: exclusive or is zero only for equal values.
#[inline(always)]
fn is<S: Simd>(x: u8x64<S>, byte: u8) -> u8x64<S> {
    x ^ byte
}

/// Zero where a byte is a different one: the distance is then at least 1, and 1 minus it saturates to zero.
#[inline(always)]
fn is_not<S: Simd>(x: u8x64<S>, byte: u8) -> u8x64<S> {
    u8x64::splat(x.simd, 1).saturating_sub(x ^ byte)
}

/// Zero where a byte is in this range: the subtraction wraps, so that what is before `first` is beyond the range as well.
#[inline(always)]
fn within<S: Simd>(x: u8x64<S>, first: u8, last: u8) -> u8x64<S> {
    (x - first).saturating_sub(last - first)
}

/// The bits of the places where a condition holds.
#[inline(always)]
fn bits<S: Simd>(distance: u8x64<S>) -> u64 {
    distance.simd_eq(0).to_bitmask()
}

/// TAB, LF, CR, `&` and DEL at the places of their last four bits; at all others a byte that ends in other bits than the place.
const SPECIAL: [u8; 16] = [1, 0, 3, 2, 5, 4, b'&', 6, 9, b'\t', b'\n', 10, 13, b'\r', 15, 0x7F];

/// The bit of a row of 16 characters in [`Rows`](super::scripts::Rows), by the upper half of their last byte (80 to BF).
const ROWS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 0, 0, 0, 0];

/// The result of the script lanes for a chunk.
struct Done<S: Simd> {
    text: u8x64<S>,
    /// First bytes of the characters that are claimed. Bits, since compilers take masks between branches apart.
    claimed: u64,
}

impl<S: Simd> Vector<S> {
    /// 64 bytes of the view, those from `FROM` on: [`BEFORE`] is the chunk itself.
    #[inline(always)]
    fn load<const FROM: usize>(self, src: &[u8; VIEW]) -> u8x64<S> {
        u8x64::from_slice(self.0, src.get(FROM..FROM + CHUNK).unwrap_or(&[0; CHUNK]))
    }

    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> u8x64<S> {
        u8x64::block_splat(u8x16::from_slice(self.0, bytes))
    }

    /// Whether looking up all bytes in a table of 16 is one instruction.
    #[inline(always)]
    fn has_tables(self) -> bool {
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        return !matches!(self.0.level(), Level::Sse2(_));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
        return true;
    }

    /// The text with each TAB, LF and CR replaced by a space, and the positions of other controls, DEL
    /// and `&`.
    #[inline(always)]
    fn with_spaces(self, v: u8x64<S>, text: u8x64<S>) -> (u8x64<S>, mask8x64<S>) {
        let space = u8x64::splat(self.0, b' ');
        if self.has_tables() {
            // On x86 a place is the lower half of a byte below 80, and what others find there is never themselves.
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            let places = v;
            #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
            let places = v & 0x0F;
            let special = v.simd_eq(self.table(&SPECIAL).swizzle_dyn_within_blocks(places));
            let control = v.simd_lt(b' ');
            // TAB, LF and CR are both, `&` and DEL special alone, other controls controls alone. U+0080 to U+009F are two bytes,
            // C2 and another: no lane claims them, since their entry is `DROP`.
            return ((control & special).select(space, text), control ^ special);
        }
        let lines = is(v, b'\t').min(is(v, b'\n')).min(is(v, b'\r')).simd_eq(0);
        let text = lines.select(space, text);
        (text, text.simd_lt(b' ') | v.simd_eq(0x7F) | v.simd_eq(b'&'))
    }

    /// Runs the lanes of the scripts that the text uses. That set seldom changes, so the branches
    /// are predicted.
    #[inline(always)]
    fn scripts(self, scripts: &Scripts, all: &mut Done<S>, v: u8x64<S>, src: &[u8; VIEW]) {
        // Loaded where they are used: there are too few registers to keep them.
        let before = || self.load::<{ BEFORE - 1 }>(src);
        let next = || self.load::<{ BEFORE + 1 }>(src);
        if scripts.has(Scripts::LATIN) {
            self.latin(all, v, before(), next());
        }
        if scripts.has(Scripts::CYRILLIC) {
            self.cyrillic(all, v, before(), next());
        }
        if scripts.has(Scripts::GREEK) {
            self.greek(all, v, before(), next());
        }
        if scripts.has(Scripts::LATIN_EXTENDED) {
            self.small_letters(all, v, before());
        }
        if scripts.has(Scripts::BLOCKS_OF_TWO) {
            all.claimed |= self.of_blocks::<2>(scripts.two(), v, next(), next());
        }
        if scripts.has(Scripts::OF_THREE_BYTES) {
            let third = self.load::<{ BEFORE + 2 }>(src);
            if scripts.has(Scripts::CHINESE_AND_JAPANESE) {
                all.claimed |= bits(chinese_or_japanese(v, next(), third));
            }
            if scripts.has(Scripts::KOREAN) {
                all.claimed |= bits(korean(v, next()));
            }
            if scripts.has(Scripts::BLOCKS_OF_THREE) {
                all.claimed |= self.of_blocks::<3>(scripts.three(), v, next(), third);
            }
        }
    }

    /// Characters of these blocks that their tables have. `last` is each character's last byte, where its first one stands.
    ///
    /// A table has a byte for each of 16 columns (the last byte's lower half) with a bit for each of four rows (its upper
    /// half, 8 to B): two look-ups and an "and" answer for 64 characters. A map of 64 bytes would take four look-ups.
    #[inline(always)]
    fn of_blocks<const LEN: usize>(
        self,
        blocks: &[Block],
        v: u8x64<S>,
        next: u8x64<S>,
        last: u8x64<S>,
    ) -> u64 {
        let low = last & 0x0F;
        let zero = u8x64::splat(self.0, 0);
        let mut rows = zero;
        for block in blocks {
            let table = self.table(&block.rows).swizzle_dyn_within_blocks(low);
            let mut same = is(v, block.lead);
            if LEN == 3 {
                same |= (next - block.next).saturating_sub(block.behind);
            }
            rows |= same.simd_eq(0).select(table, zero);
        }
        let row = self.table(&ROWS).swizzle_dyn_within_blocks(last >> 4);
        !(rows & row).simd_eq(0).to_bitmask()
    }

    /// U+00C0 to U+00FF, but `ß`, which becomes two letters (`CaseFolding.txt`, status F). All capitals of Latin-1 are 32
    /// before their small ones. Rejected: claiming `ß` too, as `ss` has two bytes as well. It costs five instructions in every
    /// chunk of every language with accents, for one letter of one of them.
    #[inline(always)]
    fn latin(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        // C3 80–9E become C3 A0–BE, except for the sign `×` (C3 97).
        let capital = is(before, 0xC3) | v.saturating_sub(0x9E) | is_not(v, 0x97);
        all.text = capital.simd_eq(0).select(all.text + 0x20, all.text);
        all.claimed |= bits(is(v, 0xC3) | is_not(next, 0x9F));
    }

    /// Makes small letters of the capitals from U+0100 to U+017E that [`Scripts`] has rows for: `rows` asks the table whether
    /// the small letter is the next one of the same block. `İ`, `ŉ`, `ſ`, `Ŀ`, `Ĳ` and `Ÿ` are not among them.
    #[inline(always)]
    fn small_letters(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>) {
        // Capital and small letters take turns; capitals are odd from C4 B9 to C5 88 and from C5 B9 on, else even. Here
        // C4 80 is 80, and C5 BF is FF.
        let last = before.simd_eq(0xC5).select(v + 0x40, v);
        let odd = within(last, 0xB8, 0xC8).min(within(last, 0xF9, 0xFF)).min(1);
        let capital = is(before | 1, 0xC5) | (v ^ odd ^ 1) & 1;
        all.text = capital.simd_eq(0).select(all.text + 1, all.text);
    }

    /// U+0400 to U+045F: each of these is its own letter, and `й`, `ё` and `ї` are their own compositions.
    #[inline(always)]
    fn cyrillic(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        // | bytes    | small    | difference |
        // | D0 80–8F | D1 90–9F | 01 10 |
        // | D0 90–9F | D0 B0–BF | 00 20 |
        // | D0 A0–AF | D1 80–8F | 01 20 |
        // | D0 B0–BF | itself   | 00 00 |
        let zero = u8x64::splat(self.0, 0);
        let d0 = is(v, 0xD0);
        // Bit 4 of the last byte tells the rows apart in which the first byte changes.
        let other_lead = (d0 | next & 0x10).simd_eq(0).select(u8x64::splat(self.0, 1), zero);
        let difference = ((v + 0x10) & 0x30).min(0x20);
        let difference = before.simd_eq(0xD0).select(difference, zero);
        all.text = all.text ^ other_lead ^ difference;
        all.claimed |= bits(d0.min(is(v, 0xD1) | next.saturating_sub(0x9F)));
    }

    /// U+0391 to U+03CE, except for `ΰ`, which becomes three characters (`ΐ` too; it is before the range), and for U+03A2, which
    /// is not assigned. The final sigma folds to the other one (status C).
    #[inline(always)]
    fn greek(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        // | bytes    | small    | difference |
        // | CE 91–9F | CE B1–BF | 00 20 |
        // | CE A0–AB | CF 80–8B | 01 20, except for CE A2, which is no letter |
        // | CF 82    | CF 83    | 00 01, the final sigma |
        let zero = u8x64::splat(self.0, 0);
        let (ce, cf) = (is(v, 0xCE), is(v, 0xCF));
        let other_lead = ce | within(next, 0xA0, 0xAB) | is_not(next, 0xA2);
        let final_sigma = is(before, 0xCF) | is(v, 0x82);
        let one = other_lead.min(final_sigma).simd_eq(0).select(u8x64::splat(self.0, 1), zero);
        let capital = is(before, 0xCE) | within(v, 0x91, 0xAB) | is_not(v, 0xA2);
        let difference = capital.simd_eq(0).select(u8x64::splat(self.0, 0x20), zero);
        all.text = all.text ^ one ^ difference;
        let claimed = (ce | within(next, 0x91, 0xBF) | is_not(next, 0xB0)).min(cf | within(next, 0x80, 0x8E));
        all.claimed |= bits(claimed);
    }
}

/// Ideographs U+4000 to U+9FFF, punctuation U+3001 to U+3029, kana U+3040 to U+3098 and U+30A0 to U+30FE. Not the marks
/// U+3099 and U+309A, their forms with a space (U+309B, U+309C), and the ligatures U+309F and U+30FF.
#[inline(always)]
fn chinese_or_japanese<S: Simd>(v: u8x64<S>, next: u8x64<S>, third: u8x64<S>) -> u8x64<S> {
    let kana = (is(next, 0x80) | within(third, 0x81, 0xA9))
        .min(is(next, 0x81))
        .min(is(next, 0x82) | within(third, 0x80, 0x98).min(within(third, 0xA0, 0xBF)))
        .min(is(next, 0x83) | is_not(third, 0xBF));
    within(v, 0xE4, 0xE9).min(is(v, 0xE3) | kana)
}

/// U+AC00 to U+D77F: all syllables are their own compositions (UAX #15, "Hangul"), except the last few.
#[inline(always)]
fn korean<S: Simd>(v: u8x64<S>, next: u8x64<S>) -> u8x64<S> {
    within(v, 0xEB, 0xEC)
        .min(is(v, 0xEA) | within(next, 0xB0, 0xBF))
        .min(is(v, 0xED) | within(next, 0x80, 0x9D))
}

/// What this machine offers; without `std`, what the compiled target has.
#[inline]
fn level() -> Level {
    #[cfg(feature = "std")]
    return Level::new();
    #[cfg(not(feature = "std"))]
    return Level::baseline();
}

/// The widths of a target, the widest first; `$` stands for itself.
macro_rules! widths {
    ($d:tt $($name:literal: $kind:ident($simd:ty), $of_level:ident;)*) => {
        /// How wide the vector registers are that a text is handled with.
        #[derive(Debug, Clone, Copy)]
        pub(crate) enum Width {
            $($kind($simd),)*
        }

        impl Default for Width {
            /// The widest that this machine has; without `std`, the widest that the compiled target has.
            #[inline]
            fn default() -> Self {
                let widest = None$(.or_else(|| level().$of_level().map(Width::$kind)))*;
                widest.unwrap_or_else(|| crate::invariant::broken())
            }
        }

        impl Width {
            /// The width of this name, if this machine has it.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => level().$of_level().map(Width::$kind),)*
                    _ => None,
                }
            }
        }

        /// Runs an expression with the lane of a width. Everything inside is compiled once a width.
        macro_rules! dispatch {
            ($d width:expr, $d lane:ident => $d run:expr) => {
                match $d width {
                    $(crate::lanes::Width::$kind(simd) => {
                        let $d lane = crate::lanes::Vector(simd);
                        fearless_simd::Simd::vectorize(
                            simd,
                            #[inline(always)]
                            || $d run,
                        )
                    })*
                }
            };
        }
        pub(crate) use dispatch;
    };
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
widths! { $
    "avx2": Avx2(fearless_simd::x86::Avx2), as_avx2;
    "sse4.2": Sse42(fearless_simd::x86::Sse4_2), as_sse4_2;
    "sse2": Sse2(fearless_simd::x86::Sse2), as_sse2;
}
#[cfg(target_arch = "aarch64")]
widths! { $ "neon": Neon(fearless_simd::aarch64::Neon), as_neon; }
#[cfg(target_arch = "wasm32")]
widths! { $ "simd128": Simd128(fearless_simd::wasm32::WasmSimd128), as_wasm_simd128; }
