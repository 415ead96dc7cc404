//! Vector registers: all 64 bytes at once.
//!
//! A character is handled where its first byte stands, its other bytes are seen through the same chunk loaded one and
//! two bytes later, and the byte that changes looks back through the chunk loaded one byte earlier. So characters that
//! the lanes handle may straddle the chunk's end.
//!
//! Each script costs only the texts that have it. Once one of its letters was met, its lanes run on every chunk of that
//! text: in prose, whether the next 64 bytes have an accent or a quotation mark is what a processor cannot predict.
//!
//! **Distances.** A condition is a vector here, zero in the lanes where it holds: [`is`] and [`within`] make them, `|`
//! is "and", `min` is "or". Only the last step makes a mask of it. Processors have few mask registers, and while the
//! hash of the last chunks is still at work, the masks of the next ones have to fit into them.

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use fearless_simd::Level;
use fearless_simd::{
    Bytes as _, Select, Simd, SimdBase, SimdInt, SimdMask, i8x64, mask8x64, u8x16, u8x64, u64x2,
};

use super::blocks::Block;
use super::chunk::{Chunk, Composed, Jamo, below};
use super::{BEFORE, Bulk, CHUNK, END, Handled, Scripts, VIEW};

/// Vector registers of the kind `S`.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S>(pub(crate) S);

impl<S: Simd> Bulk for Lanes<S> {
    #[inline(always)]
    fn group(self) -> usize {
        if self.is_wide() || !self.has_tables() { 128 } else { 64 }
    }

    #[inline(always)]
    fn bulk(
        self,
        src: &[u8; VIEW],
        out: &mut [u8; CHUNK],
        after_space: bool,
        scripts: &mut Scripts,
    ) -> Handled {
        let v = self.load::<BEFORE>(src);
        // `A` to `Z` are the lowest of signed numbers here, which are compared in one instruction.
        let upper = (v + (0x80 - b'A')).bitcast::<i8x64<S>>().simd_lt(-128 + 26);
        let text = upper.select(v + 0x20, v);
        let (text, odd) = self.with_spaces(v, text);
        let white = text.simd_eq(b' ').to_bitmask();
        let repeated = white & (white << 1 | u64::from(after_space));
        let all = Handled { read: CHUNK, written: CHUNK, after_space: white >> 63 != 0 };
        if scripts.is_empty() && repeated == 0 && !(odd | v.simd_ge(0x80)).any_true() {
            text.store_slice(out);
            return all;
        }
        // Bits as soon as the plain text has gone, since what stays in vectors takes registers from the lanes of scripts, and
        // what is two masks here is taken apart into bytes by compilers. Hidden from them, else they do it where it is used.
        let odd = core::hint::black_box(odd.to_bitmask());
        let leads = v.simd_ge(0xC0).to_bitmask();
        let done = self.scripts(scripts, v, text, src, leads);
        done.text.store_slice(out);
        let mut doubtful = leads & !done.leads;
        let [jamo, ..] = done.jamo;
        if doubtful | odd | done.gone | repeated == 0 {
            return all;
        }
        let references = self.references(src);
        let mut chunk = Chunk::new(src, out, white);
        chunk.dropped = odd & !references;
        chunk.gone = done.gone;
        let mut stop = 0;
        if done.accents | jamo != 0 {
            let letters = done.leads & !done.signs;
            let ascii = !self.load::<BEFORE>(src).simd_ge(0x80).to_bitmask();
            if done.accents != 0 {
                let composed = if self.is_wide() {
                    chunk.accents(done.accents, ascii, letters, references)
                } else {
                    chunk.accents_apart(done.accents, ascii, letters, references)
                };
                doubtful &= !composed.done;
                stop = composed.stop;
            }
            if jamo != 0 {
                let safe = letters | ascii & !references;
                let composed = if self.has_tables() {
                    self.syllables(&mut chunk, done.jamo, safe)
                } else {
                    chunk.jamo(done.jamo, safe)
                };
                doubtful &= !composed.done;
                stop |= composed.stop;
            }
        }
        if doubtful != 0 {
            // From the next chunk on, if it has lanes.
            let at = BEFORE + doubtful.trailing_zeros() as usize;
            let byte = |at: usize| src.get(at).copied().unwrap_or_default();
            scripts.meet(byte(at), byte(at + 1), self.has_tables());
        }
        self.finish(&mut chunk, doubtful | self.may_be_references(src, references), stop, after_space)
    }
}

/// Zero where a byte is this one.
#[inline(always)]
fn is<S: Simd>(x: u8x64<S>, byte: u8) -> u8x64<S> {
    x ^ byte
}

/// Zero where a byte is another one.
#[inline(always)]
fn is_not<S: Simd>(x: u8x64<S>, byte: u8) -> u8x64<S> {
    u8x64::splat(x.simd, 1).saturating_sub(x ^ byte)
}

/// Zero where a byte is in this range.
#[inline(always)]
fn within<S: Simd>(x: u8x64<S>, first: u8, last: u8) -> u8x64<S> {
    (x - first).saturating_sub(last - first)
}

/// The bits of the lanes in which a condition holds.
#[inline(always)]
fn bits<S: Simd>(distance: u8x64<S>) -> u64 {
    distance.simd_eq(0).to_bitmask()
}

/// Zero where a character of three bytes ends in the chunk.
const WHOLE: [u8; CHUNK] = {
    let mut bytes = [0; CHUNK];
    let (_, last) = bytes.split_at_mut(CHUNK - 2);
    last.copy_from_slice(&[u8::MAX; 2]);
    bytes
};

/// TAB, LF, CR, `&` and DEL at the places of their last four bits; at all others a byte that ends in other bits than the place.
const SPECIAL: [u8; 16] = [1, 0, 3, 2, 5, 4, b'&', 6, 9, b'\t', b'\n', 10, 13, b'\r', 15, 0x7F];

/// The bits of a row of 16 characters, by the upper half of their last byte (80 to BF).
const ROWS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x22, 0x44, 0x88, 0, 0, 0, 0];

/// The last bytes of all letters and signs that compose with a sign which the tables of blocks let pass, as
/// [`table::stays`](crate::table::stays) has them: 86, 87, 8A, 92, 99, 9C, A5 and BF.
pub(crate) const COMPOSE_WITH_SIGNS: [u8; 16] = [0, 0, 2, 0, 0, 4, 1, 1, 0, 2, 1, 0, 2, 0, 0, 8];

/// The places of the bits that are set, the lowest one first, a byte each.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static PLACES: [u64; 256] = {
    let mut all = [0; 256];
    let mut bits = 0;
    while bits < all.len() {
        let (mut place, mut count) = (0, 0);
        while place < 8 {
            if bits >> place & 1 != 0 {
                all[bits] |= place << (8 * count);
                count += 1;
            }
            place += 1;
        }
        bits += 1;
    }
    all
};

/// Kinds of the letters and signs of [`COMPOSE_WITH_SIGNS`], by the lower half of their last byte and by that of the byte before
/// it: they compose where the two have a kind in common. Letters as frequent as `জ` of Bengali have the one and not the other.
pub(crate) const KINDS_OF_LAST: [u8; 16] = [0, 0, 8, 0, 0, 32, 1, 1, 0, 16, 4, 0, 16, 0, 0, 2];
pub(crate) const KINDS_OF_NEXT_TO_LAST: [u8; 16] = [32, 0, 2, 1 | 4, 0, 1, 0, 1 | 16, 0, 0, 0, 0, 0, 1, 8, 1];

/// What the lanes of the scripts made of a chunk.
struct Done<S: Simd> {
    text: u8x64<S>,
    /// First bytes of the characters that are handled. Bits, since compilers take masks between branches apart.
    leads: u64,
    /// Bytes that go away.
    gone: u64,
    /// First bytes of characters among `leads` that may not be boundaries.
    signs: u64,
    /// First bytes of marks that letters with accents are made of.
    accents: u64,
    /// First bytes of the consonants, vowels and finals that syllables of Korean are made of.
    jamo: [u64; 3],
}

impl<S: Simd> Lanes<S> {
    /// The 64 bytes of the view from `FROM`: 0 is one byte before the chunk.
    #[inline(always)]
    fn load<const FROM: usize>(self, src: &[u8; VIEW]) -> u8x64<S> {
        u8x64::from_slice(self.0, src.get(FROM..FROM + CHUNK).unwrap_or(&[0; CHUNK]))
    }

    /// Whether looking up all bytes in a table of 16 is one instruction. SSE2 has none for that.
    #[inline(always)]
    fn has_tables(self) -> bool {
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        return !matches!(self.0.level(), Level::Sse2(_));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
        return true;
    }

    /// Where a byte is `&`.
    #[inline(always)]
    fn references(self, src: &[u8; VIEW]) -> u64 {
        self.load::<BEFORE>(src).simd_eq(b'&').to_bitmask()
    }

    /// Where a byte is `&` and a letter, a digit or `#` follows, or something that is not in view. All others are text.
    #[inline(always)]
    fn may_be_references(self, src: &[u8; VIEW], references: u64) -> u64 {
        if references == 0 {
            return 0;
        }
        let next = self.load::<{ BEFORE + 1 }>(src);
        let letter = within(next | 0x20, b'a', b'z');
        references & bits(letter.min(within(next, b'0', b'9')).min(is(next, b'#')).min(is(next, END)))
    }

    /// The text with a space for each TAB, LF and CR, and where a byte is another control, DEL or `&`.
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
            return ((control & special).select(space, text), control ^ special);
        }
        let lines = is(v, b'\t').min(is(v, b'\n')).min(is(v, b'\r')).simd_eq(0);
        let text = lines.select(space, text);
        (text, text.simd_lt(b' ') | v.simd_eq(0x7F) | v.simd_eq(b'&'))
    }

    /// Whether 64 bytes are one register.
    #[inline(always)]
    fn is_wide(self) -> bool {
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        return matches!(self.0.level(), Level::Avx512(_));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
        return false;
    }

    /// Patches what begins at the bits of `doubtful`, before the lowest one of `stop`, and closes the chunk.
    #[inline(always)]
    fn finish(self, chunk: &mut Chunk<'_>, mut doubtful: u64, mut stop: u64, after_space: bool) -> Handled {
        doubtful &= below(stop);
        chunk.limit = stop.trailing_zeros() as usize;
        while doubtful != 0 {
            let at = doubtful.trailing_zeros() as usize;
            match chunk.patch(at) {
                Ok(len) => doubtful &= u64::MAX.checked_shl((at + len) as u32).unwrap_or_default(),
                Err(at) => {
                    stop = 1 << at;
                    break;
                }
            }
        }
        let (handled, stays) = chunk.close(stop, after_space);
        if let Some(stays) = stays {
            if self.is_wide() {
                let all = u8x64::from_slice(self.0, chunk.out);
                all.compress(mask8x64::from_bitmask(self.0, stays)).store_slice(chunk.out);
            } else if self.has_tables() {
                self.compress(chunk.out, stays);
            } else {
                chunk.squeeze(stays);
            }
        }
        handled
    }

    /// Composes the syllables of Korean whose first consonants, vowels and finals begin at these bits. `safe` says what
    /// else is a boundary.
    #[inline(always)]
    fn syllables(self, chunk: &mut Chunk<'_>, jamo: [u64; 3], safe: u64) -> Composed {
        let all = Jamo::of(jamo, safe);
        let (zero, places) = (u8x64::splat(self.0, 0), |bits: u64| mask8x64::<S>::from_bitmask(self.0, bits));
        // Numbers from 0, 0 and 1 on. Where no syllable begins they are anything.
        let lead = self.load::<{ BEFORE + 2 }>(chunk.src) & 0x3F;
        let vowel = self.load::<{ BEFORE + 5 }>(chunk.src) - 0xA1;
        let last = ((self.load::<{ BEFORE + 7 }>(chunk.src) & 1) << 6)
            | (self.load::<{ BEFORE + 8 }>(chunk.src) & 0x3F);
        let last = places(all.closed).select(last - 0x27, zero);
        // U+AC00 + 588 × lead + 28 × vowel + last, six bits at a time: 588 is 9 × 64 + 12. No sum passes 255 but one of
        // which the lower six bits are all that counts.
        let twelve = (lead << 3) + (lead << 2);
        let low = (twelve & 0x3F) + (((vowel << 5) - (vowel << 2)) & 0x3F) + last;
        let middle = (lead << 3) + lead + (twelve >> 6) + (((vowel << 3) - vowel) >> 4) + (low >> 6) + 0x30;
        let high = (middle >> 6) + 0xEA;
        let (low, middle) = ((low & 0x3F) | 0x80, (middle & 0x3F) | 0x80);
        let out = u8x64::from_slice(self.0, chunk.out);
        let out = places(all.whole).select(high, out);
        let out = places(all.whole << 1).select(zero.slide::<{ CHUNK - 1 }>(middle), out);
        let out = places(all.whole << 2).select(zero.slide::<{ CHUNK - 2 }>(low), out);
        out.store_slice(chunk.out);
        chunk.gone |= all.gone();
        all.composed
    }

    /// Moves together the bytes that stay, eight at a time. Behind them may be anything.
    #[inline(always)]
    fn compress(self, out: &mut [u8; CHUNK], mut stays: u64) {
        let all = *out;
        let mut end = 0;
        for from in all.as_chunks::<16>().0 {
            let (low, high) = (usize::from(stays as u8), usize::from((stays >> 8) as u8));
            stays >>= 16;
            let places = |bits: usize| PLACES.get(bits).copied().unwrap_or_default();
            // Those of the second eight bytes count from 8.
            let places = u64x2::from_slice(self.0, &[places(low), places(high) | 0x0808_0808_0808_0808]);
            let moved: u8x16<S> = u8x16::from_slice(self.0, from).swizzle_dyn(places.bitcast::<u8x16<S>>());
            for (moved, bits) in moved.as_slice().as_chunks::<8>().0.iter().zip([low, high]) {
                let Some(place) = out.get_mut(end..).and_then(|rest| rest.first_chunk_mut()) else { return };
                *place = *moved;
                end += bits.count_ones() as usize;
            }
        }
    }

    /// Runs the lanes of these scripts. Which of them a text has changes seldom.
    #[inline(always)]
    fn scripts(
        self,
        scripts: &Scripts,
        v: u8x64<S>,
        text: u8x64<S>,
        src: &[u8; VIEW],
        leads: u64,
    ) -> Done<S> {
        let mut all = Done { text, leads: 0, gone: 0, signs: 0, accents: 0, jamo: [0; 3] };
        // Loaded where they are used: there are too few registers to keep them.
        let (before, next) = (|| self.load::<{ BEFORE - 1 }>(src), || self.load::<{ BEFORE + 1 }>(src));
        if scripts.has(Scripts::ACCENTS) {
            all.accents = bits(is(v | 1, 0xCD));
        }
        if scripts.has(Scripts::LATIN) {
            self.latin(&mut all, v, before(), next());
        }
        if scripts.has(Scripts::CYRILLIC) {
            self.cyrillic(&mut all, v, before(), next());
        }
        if scripts.has(Scripts::GREEK) {
            self.greek(&mut all, v, before(), next());
        }
        if self.has_tables() {
            if scripts.has(Scripts::SHARP_S) {
                self.sharp_s(&mut all, v, before(), next());
                all.leads |= bits(is(v, 0xC3));
            }
            if scripts.has(Scripts::LATIN_EXTENDED) {
                self.small_letters(&mut all, v, before());
            }
            if scripts.has(Scripts::BLOCKS_OF_TWO) {
                let (stay, marks) = self.stay::<2>(scripts.two(), v, next(), next());
                // A mark stays right behind a letter, if what follows is not a mark, and is in view.
                if marks != 0 {
                    let other = (leads & !stay | self.references(src)) >> 2;
                    all.signs |= marks & stay << 2 & !other & u64::MAX >> 2;
                }
                all.leads |= stay | all.signs;
            }
        } else {
            if scripts.has(Scripts::LATIN_EXTENDED) {
                self.latin_extended(&mut all, v, before(), next());
            }
            if scripts.has(Scripts::ARMENIAN) {
                all.leads |= bits(armenian(v, next()));
            }
            if scripts.has(Scripts::HEBREW_AND_ARABIC) {
                all.leads |= bits(hebrew_or_arabic(v, next()));
            }
        }
        if scripts.has(Scripts::OF_THREE_BYTES) {
            let third = self.load::<{ BEFORE + 2 }>(src);
            if scripts.has(Scripts::CHINESE_AND_JAPANESE) {
                all.leads |= bits(chinese_or_japanese(v, next(), third));
            }
            if scripts.has(Scripts::WIDE) {
                wide(&mut all, v, next(), third);
            }
            if scripts.has(Scripts::KOREAN) {
                all.leads |= bits(korean(v, next()));
            }
            if scripts.has(Scripts::JAMO) {
                all.jamo = jamo(v, next(), third);
            }
            if self.has_tables() {
                if scripts.has(Scripts::BLOCKS_OF_THREE) {
                    let (stay, marks) = self.stay::<3>(scripts.three(), v, next(), third);
                    if marks != 0 {
                        let other = (leads & !stay | self.references(src)) >> 3;
                        let behind = stay << 3 & !self.composes_with_signs(src, before());
                        all.signs |= marks & behind & !other & u64::MAX >> 3;
                    }
                    all.leads |= stay | all.signs;
                }
            } else {
                if scripts.has(Scripts::QUOTES) {
                    all.leads |= bits(quote(v, next(), third));
                }
                if scripts.has(Scripts::SOUTH_ASIAN) {
                    all.signs |= bits(south_asian(v, before(), next(), third));
                }
                if scripts.has(Scripts::OF_E1) {
                    all.signs |= bits(of_e1(v, before(), next(), third));
                }
                all.leads |= all.signs;
            }
        }
        all
    }

    /// Which characters of these blocks stay as they are, and which are marks that stay behind most letters. `last` is
    /// each character's last byte, the one behind `next` or that one, where its first one stands.
    #[inline(always)]
    fn stay<const LEN: usize>(
        self,
        blocks: &[Block],
        v: u8x64<S>,
        next: u8x64<S>,
        last: u8x64<S>,
    ) -> (u64, u64) {
        let low = last & 0x0F;
        let zero = u8x64::splat(self.0, 0);
        let (mut rows, mut has_marks) = (zero, false);
        for block in blocks {
            let table = self.table(crate::table::rows(&block.stays)).swizzle_dyn_within_blocks(low);
            let mut same = is(v, block.lead);
            if LEN == 3 {
                same |= (next - block.next).saturating_sub(block.behind);
            }
            rows |= same.simd_eq(0).select(table, zero);
            has_marks |= block.has_marks;
        }
        // Of the eight bits, the two for the last byte's upper half.
        let row = self.table(&ROWS).swizzle_dyn_within_blocks(last >> 4);
        let rows = rows & row;
        let marks = if has_marks { rows.simd_ge(0x10).to_bitmask() } else { 0 };
        (!(rows & 0x0F).simd_eq(0).to_bitmask(), marks)
    }

    /// Where the character before may compose with a sign that otherwise stays: by its last two bytes.
    #[inline(always)]
    fn composes_with_signs(self, src: &[u8; VIEW], before: u8x64<S>) -> u64 {
        let low = before & 0x0F;
        let table = self.table(&COMPOSE_WITH_SIGNS).swizzle_dyn_within_blocks(low);
        let row = self.table(&ROWS).swizzle_dyn_within_blocks(before >> 4);
        let last = self.table(&KINDS_OF_LAST).swizzle_dyn_within_blocks(low);
        let next_to_last = self.load::<{ BEFORE - 2 }>(src) & 0x0F;
        let next_to_last = self.table(&KINDS_OF_NEXT_TO_LAST).swizzle_dyn_within_blocks(next_to_last);
        (table & row & 0x0F).min(last & next_to_last).simd_gt(u8x64::splat(self.0, 0)).to_bitmask()
    }

    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> u8x64<S> {
        let one = u8x16::from_slice(self.0, bytes);
        u8x64::block_splat(one)
    }

    /// U+00C0 to U+00FF.
    #[inline(always)]
    fn latin(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        let (c3, after_c3) = (is(v, 0xC3), is(before, 0xC3));
        // C3 80–9E become C3 A0–BE, except for the sign `×` (C3 97).
        let capital = after_c3 | v.saturating_sub(0x9E) | is_not(v, 0x97);
        all.text = capital.simd_eq(0).select(all.text + 0x20, all.text);
        if self.has_tables() {
            all.leads |= bits(c3 | is_not(next, 0x9F));
        } else {
            // Another branch would cost more than this: there are too few registers for what is around it.
            self.sharp_s(all, v, before, next);
            all.leads |= bits(c3);
        }
    }

    /// `ß` (C3 9F), which becomes two letters.
    #[inline(always)]
    fn sharp_s(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        let first = is(v, 0xC3) | is(next, 0x9F);
        let either = first.min(is(before, 0xC3) | is(v, 0x9F)).simd_eq(0);
        all.text = either.select(u8x64::splat(self.0, b's'), all.text);
    }

    /// Makes small letters of the capitals from U+0100 to U+017E that [`table::latin_extended`](crate::table::latin_extended) has.
    #[inline(always)]
    fn small_letters(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>) {
        // Capital and small letters take turns; capitals are odd from C4 B9 to C5 88 and from C5 B9 on, else even. Here
        // C4 80 is 80, and C5 BF is FF.
        let last = before.simd_eq(0xC5).select(v + 0x40, v);
        let odd = within(last, 0xB8, 0xC8).min(within(last, 0xF9, 0xFF)).min(1);
        let capital = is(before | 1, 0xC5) | (v ^ odd ^ 1) & 1;
        all.text = capital.simd_eq(0).select(all.text + 1, all.text);
    }

    /// U+0100 to U+017E without those that change their length, and `ơ` and `ư`.
    #[inline(always)]
    fn latin_extended(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        // Capital and small letters take turns; which of them is even changes.
        //
        // | bytes    | capitals are |
        // | C4 80–B7 | even, except for C4 B0, C4 B2 and C4 B3, which are not handled |
        // | C4 B8–BE | odd |
        // | C5 81–88 | odd |
        // | C5 8A–B7 | even |
        // | C5 B9–BE | odd |
        let (c4, c5) = (is(before, 0xC4), is(before, 0xC5));
        let even =
            (c4 | within(v, 0x80, 0xB7) | is_not(v, 0xB0) | is_not(v, 0xB2)).min(c5 | within(v, 0x8A, 0xB7));
        let odd = (c4 | within(v, 0xB8, 0xBE)).min(c5 | within(v, 0x81, 0x88).min(within(v, 0xB9, 0xBE)));
        let capital = (even | v & 1).min(odd | (v & 1) ^ 1);
        all.text = capital.simd_eq(0).select(all.text + 1, all.text);
        let (c4, c5) = (is(v, 0xC4), is(v, 0xC5));
        let first = c4 | within(next, 0x80, 0xBE) | is_not(next, 0xB0) | is_not(next & 0xFE, 0xB2);
        let second = c5 | within(next, 0x81, 0xBE) | is_not(next, 0x89) | is_not(next, 0xB8);
        let horn = is(v, 0xC6) | is(next, 0xA1).min(is(next, 0xB0));
        all.leads |= bits(first.min(second).min(horn));
    }

    /// U+0400 to U+045F.
    #[inline(always)]
    fn cyrillic(self, all: &mut Done<S>, v: u8x64<S>, before: u8x64<S>, next: u8x64<S>) {
        // | bytes    | small    | difference |
        // | D0 80–8F | D1 90–9F | 01 10 |
        // | D0 90–9F | D0 B0–BF | 00 20 |
        // | D0 A0–AF | D1 80–8F | 01 20 |
        // | D0 B0–BF | itself   | 00 00 |
        let zero = u8x64::splat(self.0, 0);
        let d0 = is(v, 0xD0);
        let other_lead = (d0 | next & 0x10).simd_eq(0).select(u8x64::splat(self.0, 1), zero);
        let difference = ((v + 0x10) & 0x30).min(0x20);
        let difference = before.simd_eq(0xD0).select(difference, zero);
        all.text = all.text ^ other_lead ^ difference;
        all.leads |= bits(d0.min(is(v, 0xD1) | next.saturating_sub(0x9F)));
    }

    /// U+0391 to U+03CE, except for `ΰ`, which becomes three characters.
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
        let done = (ce | within(next, 0x91, 0xBF) | is_not(next, 0xB0)).min(cf | within(next, 0x80, 0x8E));
        all.leads |= bits(done);
    }
}

/// Letters without case: U+05D0 to U+05EA, U+0620 to U+063A, U+0641 to U+064A.
#[inline(always)]
fn hebrew_or_arabic<S: Simd>(v: u8x64<S>, next: u8x64<S>) -> u8x64<S> {
    (is(v, 0xD7) | within(next, 0x90, 0xAA))
        .min(is(v, 0xD8) | within(next, 0xA0, 0xBA))
        .min(is(v, 0xD9) | within(next, 0x81, 0x8A))
}

/// Dashes and quotation marks: U+2012 to U+2016, U+2018 to U+2023.
#[inline(always)]
fn quote<S: Simd>(v: u8x64<S>, next: u8x64<S>, third: u8x64<S>) -> u8x64<S> {
    is(v, 0xE2) | is(next, 0x80) | within(third, 0x92, 0xA3) | is_not(third, 0x97)
}

/// Ideographs U+4000 to U+9FFF, punctuation U+3001 to U+3029, kana U+3040 to U+3098 and U+30A0 to U+30FE.
#[inline(always)]
fn chinese_or_japanese<S: Simd>(v: u8x64<S>, next: u8x64<S>, third: u8x64<S>) -> u8x64<S> {
    let kana = (is(next, 0x80) | within(third, 0x81, 0xA9))
        .min(is(next, 0x81))
        .min(is(next, 0x82) | within(third, 0x80, 0x98).min(within(third, 0xA0, 0xBF)))
        .min(is(next, 0x83) | is_not(third, 0xBF));
    within(v, 0xE4, 0xE9).min(is(v, 0xE3) | kana)
}

/// ASCII in full width: U+FF01 to U+FF5E. The one byte that stays stands at the first one's place.
#[inline(always)]
fn wide<S: Simd>(all: &mut Done<S>, v: u8x64<S>, next: u8x64<S>, third: u8x64<S>) {
    // One that straddles the chunk's end must wait.
    let whole = u8x64::from_slice(v.simd, &WHOLE);
    // EF BC 81 is `!`, 21; EF BD 80 is the grave accent, 60.
    let ascii = third - 0x60 + ((next << 6) & 0x40);
    let small = within(ascii, b'A', b'Z').simd_eq(0).select(ascii + 0x20, ascii);
    let either = is(v, 0xEF) | whole | is(next | 1, 0xBD) | within(ascii, b'!', b'~');
    all.text = either.simd_eq(0).select(small, all.text);
    let either = bits(either);
    all.leads |= either;
    all.gone |= either << 1 | either << 2;
}

/// Syllables U+AC00 to U+D77F.
#[inline(always)]
fn korean<S: Simd>(v: u8x64<S>, next: u8x64<S>) -> u8x64<S> {
    within(v, 0xEB, 0xEC)
        .min(is(v, 0xEA) | within(next, 0xB0, 0xBF))
        .min(is(v, 0xED) | within(next, 0x80, 0x9D))
}

/// First consonants U+1100 to U+1112, vowels U+1161 to U+1175 and finals U+11A8 to U+11C2.
#[inline(always)]
fn jamo<S: Simd>(v: u8x64<S>, next: u8x64<S>, third: u8x64<S>) -> [u64; 3] {
    let v = is(v, 0xE1);
    let leads = v | is(next, 0x84) | within(third, 0x80, 0x92);
    let vowels = v | is(next, 0x85) | within(third, 0xA1, 0xB5);
    let finals =
        v | (is(next, 0x86) | within(third, 0xA8, 0xBF)).min(is(next, 0x87) | within(third, 0x80, 0x82));
    [bits(leads), bits(vowels), bits(finals)]
}

/// Small letters and signs of Armenian: U+0559 to U+0586, U+0588 to U+058A.
#[inline(always)]
fn armenian<S: Simd>(v: u8x64<S>, next: u8x64<S>) -> u8x64<S> {
    let behind = within(next, 0x80, 0x8A) | is_not(next, 0x87);
    (is(v, 0xD5) | within(next, 0x99, 0xBF)).min(is(v, 0xD6) | behind)
}

/// U+0900 to U+0DFF and U+0E00 to U+0EDB, without marks and what is written otherwise.
///
/// Each script has 128 code points: a first half with an even second byte and a second half with an odd one, laid out
/// alike. Some vowel signs compose with one or two others if these are right before them. Those others end in the byte
/// 86, 87 or 99, so behind any other character beyond ASCII the sign stands for itself. (Behind ASCII it may follow a
/// reference, so it is left to the character's own path.)
#[inline(always)]
fn south_asian<S: Simd>(v: u8x64<S>, before: u8x64<S>, next: u8x64<S>, third: u8x64<S>) -> u8x64<S> {
    let behind_any = within(before, 0x80, 0xBF);
    let apart = behind_any | is_not(before & 0xFE, 0x86);
    // Not the nukta (BC), and the sign AA (BE) only apart; not two letters of Gurmukhi, two marks of Malayalam.
    let gurmukhi = is_not(next, 0xA8).min(is_not(third, 0xB3) | is_not(third, 0xB6));
    let malayalam = is_not(next, 0xB4).min(is_not(third, 0xBB));
    let first_half = (next & 1) | is_not(third, 0xBC) | is_not(third, 0xBE).min(apart) | gurmukhi | malayalam;
    // Vowel signs; digits and punctuation. Not the sign UU of Kannada, unless apart.
    let kannada = is_not(next, 0xB3).min(is_not(third, 0x82)).min(apart);
    let others = within(third, 0x80, 0x8C).min(within(third, 0xA4, 0xBD)) | kannada;
    let second_half = ((next & 1) ^ 1) | is_not(next, 0xB7) | others;
    // Sinhala has letters and its vowel signs elsewhere.
    let aa = is_not(third, 0x8F).min(behind_any | is_not(before, 0x99));
    let sinhala_signs = within(third, 0x8F, 0x9E) | aa;
    let sinhala =
        is(next, 0xB7) | within(third, 0x80, 0x89).min(within(third, 0xA4, 0xBF)).min(sinhala_signs);
    let indian = within(next, 0xA4, 0xB7) | first_half.min(second_half).min(sinhala);
    // Thai (B8, B9) and Lao (BA, BB).
    let letters = is(next & 0xFD, 0xB8) | within(third, 0x80, 0xB7) | is_not(third, 0xB3);
    let signs = is(next & 0xFD, 0xB9) | within(third, 0x80, 0x87).min(within(third, 0x8C, 0x9B));
    is(v, 0xE0) | indian.min(letters).min(signs)
}

/// Small letters of Vietnamese U+1E01 to U+1EFF, Georgian U+10D0 to U+10FA, Ethiopic U+1200 to U+137F without marks,
/// Burmese U+1000 to U+107F and Khmer U+1780 to U+17FF without theirs.
#[inline(always)]
fn of_e1<S: Simd>(v: u8x64<S>, before: u8x64<S>, next: u8x64<S>, third: u8x64<S>) -> u8x64<S> {
    // Odd ones are small; some of U+1E97 to U+1E9B are written otherwise.
    let plain = is_not(next, 0xBA).min(within(third, 0x80, 0x96).min(within(third, 0x9C, 0xBF)));
    let vietnamese = within(next, 0xBA, 0xBB) | ((third & 1) ^ 1) | plain;
    let georgian = is(next, 0x83) | within(third, 0x90, 0xBA);
    let ethiopic = within(next, 0x88, 0x8C)
        .min(is(next, 0x8D) | within(third, 0x80, 0x9C).min(within(third, 0xA0, 0xBF)));
    let khmer = is(next, 0x9E).min(is(next, 0x9F) | is_not(third, 0x92) | is_not(third, 0x9D));
    // U+102E composes with U+1025, which ends in A5.
    let ii = is_not(third, 0xAE).min(within(before, 0x80, 0xBF) | is_not(before, 0xA5));
    let marks = is_not(third, 0xB7) | is_not(third, 0xB9) | is_not(third, 0xBA);
    let burmese = (is(next, 0x80) | ii | marks).min(is(next, 0x81));
    is(v, 0xE1) | vietnamese.min(georgian).min(ethiopic).min(khmer).min(burmese)
}
