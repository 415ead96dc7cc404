//! What is special in a chunk: characters beyond ASCII that no lane took care of, and character references.

use super::{AHEAD, BEFORE, CHUNK, END, Handled, VIEW};
#[cfg(feature = "fast-tables")]
use crate::accents;
use crate::invariant::{self, part};
use crate::references::{self, Reference};
#[cfg(not(feature = "fast-tables"))]
use crate::small::accents;
use crate::table::{self, AMPERSAND, DROP, KEEP, LAST_MARK, MAP, SECOND, SEGMENT, SPACE};
use crate::unicode::{self, Folded};

/// How many marks in a row the fast paths let pass behind one character; more are for the normaliser.
pub(crate) const MAX_MARKS: usize = 7;

/// Bytes that a reference may have behind its `&` to be handled here.
const REFERENCE: usize = AHEAD - 1;

/// The consonants of Korean that begin a syllable, its vowels, and its finals (one before the first of them).
const LEADS: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const FINALS: u32 = 0x11A7;
const SYLLABLES: u32 = 0xAC00;

/// The dot below that Devanagari puts under letters of foreign words.
const NUKTA: u32 = 0x93C;

/// The sign that takes the vowel from a letter of Sinhala.
const AL_LAKUNA: u32 = 0xDCA;

#[cfg(test)]
std::thread_local! {
    /// What [`Chunk::patch`] was asked for, in all texts of this thread: what no lane takes care of costs time, and shows in no digest.
    pub(super) static PATCHES: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// A chunk at work. Bit `n` of a number stands for byte `n` of the chunk.
pub(super) struct Chunk<'a> {
    pub(super) src: &'a [u8; VIEW],
    pub(super) out: &'a mut [u8; CHUNK],
    /// All bytes of white space. Where a character begins, `out` has a space.
    pub(super) white: u64,
    /// Bytes of `out` that go away; those of repeated white space come at the end.
    pub(super) gone: u64,
    /// Bytes of controls, which go away and leave what is around them side by side.
    pub(super) dropped: u64,
    /// Where the chunk ends, if not before: what a letter and its marks become is not written across that.
    pub(super) limit: usize,
    marks: Marks,
    doubt: Doubt,
}

/// What was composed in one go.
#[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
pub(super) struct Composed {
    /// First bytes of the marks and letters that are done.
    pub(super) done: u64,
    /// Where the chunk should stop, so that letters and their marks come together in the next one.
    pub(super) stop: u64,
}

/// Syllables of Korean that are in a chunk, with the boundary behind them.
#[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
pub(super) struct Jamo {
    /// Where they begin.
    pub(super) whole: u64,
    /// Where those with a final begin.
    pub(super) closed: u64,
    pub(super) composed: Composed,
}

#[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
impl Jamo {
    #[inline(always)]
    pub(super) fn of([leads, vowels, finals]: [u64; 3], safe: u64) -> Self {
        let safe = safe | leads;
        let open = leads & vowels >> 3;
        let closed = open & finals >> 6;
        let whole = closed & safe >> 9 | open & !closed & safe >> 6;
        let closed = closed & whole;
        // One that the chunk's end cuts is the next chunk's.
        let late = leads & !whole & u64::MAX << (CHUNK - 9);
        let composed = Composed { done: whole | whole << 3 | closed << 6, stop: late & late.wrapping_neg() };
        Jamo { whole, closed, composed }
    }

    /// The bytes that go away.
    #[inline(always)]
    pub(super) fn gone(&self) -> u64 {
        let Jamo { whole, closed, .. } = *self;
        whole << 3 | whole << 4 | whole << 5 | closed << 6 | closed << 7 | closed << 8
    }
}

/// The marks behind one character that have just been passed, to keep them in the order of their classes.
#[derive(Default)]
struct Marks {
    start: usize,
    end: usize,
    /// The largest class: that of the last one, since they are in order.
    class: u16,
    count: usize,
}

/// The last reference, if another begins right behind it: what that stands for may compose with it, so unless that can
/// be handled, this one is not.
#[derive(Default)]
struct Doubt {
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
        Chunk {
            src,
            out,
            white,
            gone: 0,
            dropped: 0,
            limit: CHUNK,
            marks: Marks::default(),
            doubt: Doubt::default(),
        }
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.src.get(BEFORE + at).copied().unwrap_or(END)
    }

    /// Handles the reference or the character beyond ASCII that begins at `at` and returns its length. If that cannot
    /// be done, the `Err` has the place where the chunk must stop.
    #[inline(always)]
    pub(super) fn patch(&mut self, at: usize) -> Result<usize, usize> {
        #[cfg(test)]
        PATCHES.set(PATCHES.get() + 1);
        let stop = if self.doubt.end == at { self.doubt.start } else { at };
        let handled = if self.byte(at) == b'&' { self.reference(at) } else { self.character(at) };
        handled.ok_or(stop.min(self.limit))
    }

    /// Stops the chunk before the lowest bit of `stop`. The bits returned are those of the bytes of `out` that stay, if
    /// these have to be moved together.
    #[inline(always)]
    pub(super) fn close(&self, stop: u64, after_space: bool) -> (Handled, Option<u64>) {
        let inside = below(stop);
        let dropped = self.dropped & inside;
        let mut behind_white = self.white << 1 | u64::from(after_space);
        if dropped != 0 {
            // Behind a row of controls is what is behind the white space before it: adding carries that through the row.
            behind_white |= dropped.wrapping_add(behind_white & dropped) & !dropped;
        }
        let gone = (self.gone | dropped | self.white & behind_white) & inside;
        if stop | gone == 0 {
            return (Handled { read: CHUNK, written: CHUNK, after_space: self.white >> 63 != 0 }, None);
        }
        let read = stop.trailing_zeros() as usize;
        let last = (inside & !dropped).leading_zeros();
        let handled = Handled {
            read,
            written: read - gone.count_ones() as usize,
            after_space: if last == 64 { after_space } else { self.white >> (63 - last) & 1 != 0 },
        };
        (handled, (gone != 0).then_some(inside & !gone))
    }

    /// Moves together the bytes of `out` that stay, run by run. Behind them may be anything.
    #[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
    pub(super) fn squeeze(&mut self, mut stays: u64) {
        let mut from = [0; 2 * CHUNK];
        let mut to = from;
        if let Some(first) = from.first_chunk_mut() {
            *first = *self.out;
        }
        let mut end = 0;
        while stays != 0 {
            let start = stays.trailing_zeros() as usize;
            let run = (stays >> start).trailing_ones() as usize;
            // A whole chunk is copied each time: what is too much is written over by the next run.
            let (Some(run_from), Some(run_to)) = (
                from.get(start..).and_then(|rest| rest.first_chunk::<CHUNK>()),
                to.get_mut(end..).and_then(|rest| rest.first_chunk_mut::<CHUNK>()),
            ) else {
                return;
            };
            *run_to = *run_from;
            end += run;
            stays &= u64::MAX.checked_shl((start + run) as u32).unwrap_or_default();
        }
        if let Some(first) = to.first_chunk() {
            *self.out = *first;
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
            KEEP if code.wrapping_sub(LEADS) < 19 => return self.syllables(at),
            KEEP => {}
            1..=LAST_MARK => return self.mark(at, len, entry).then_some(len),
            SPACE => self.space(at, len),
            DROP => self.dropped |= bits(at, len),
            MAP.. => {
                let replacement = table::replacement(code, entry);
                if replacement.len() > len {
                    return None;
                }
                self.replace(at, len, &replacement);
            }
            _ => return self.compose(at, code, len, entry),
        }
        Some(len)
    }

    /// Composes one or two of the marks CC 80 to CD BF, which begin at these bits, with the letter before them. `ascii` are
    /// single bytes, `letters` those beyond that the lanes have made small; these and ASCII but `&` are boundaries.
    ///
    /// A loop for each kind, since which kind comes next is what a processor cannot predict.
    #[inline(always)]
    #[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
    pub(super) fn accents(&mut self, marks: u64, ascii: u64, letters: u64, references: u64) -> Composed {
        let safe = letters | ascii & !references;
        let firsts = marks & !(marks << 2);
        let two = firsts & marks >> 2;
        // What is behind them is in the chunk.
        let both = two & !(marks >> 4) & safe >> 4;
        let single = firsts & !two & safe >> 2;
        let (mut done, mut gone) = (0, 0);
        let mut rest = single & ascii << 1;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(&[before, lead, mark]) =
                self.src.get(BEFORE + at - 1..).and_then(|three| three.first_chunk())
            else {
                break;
            };
            let text = accents::text(accents::with(accents::letter(before), lead, mark));
            let Some(place) = self.out.get_mut(at - 1..).and_then(|three| three.first_chunk_mut()) else {
                break;
            };
            if text != 0 {
                let [first, second, third, len] = text.to_le_bytes();
                *place = [first, second, third];
                gone |= u64::from(len & 1 ^ 1) << (at + 1);
                done |= 1 << at;
            }
        }
        rest = single & letters << 2;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(&[lead, mark]) = self.src.get(BEFORE + at..).and_then(|two| two.first_chunk()) else {
                break;
            };
            let Some([base, last, third]) =
                self.out.get_mut(at - 2..).and_then(|three| three.first_chunk_mut())
            else {
                break;
            };
            let text = accents::text(accents::with(accents::letter_of_two(*base, *last), lead, mark));
            if text != 0 {
                let len;
                [*base, *last, *third, len] = text.to_le_bytes();
                gone |= (1 << (at + 2)) - (1 << (at - 2 + usize::from(len)));
                done |= 1 << at;
            }
        }
        rest = both & (ascii << 1 | letters << 2);
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(&[before, lead, mark, next_lead, next_mark]) =
                self.src.get(BEFORE + at - 1..).and_then(|five| five.first_chunk())
            else {
                break;
            };
            let base = if before < 0x80 { at - 1 } else { at - 2 };
            let Some([first, second, third]) =
                self.out.get_mut(base..).and_then(|three| three.first_chunk_mut())
            else {
                break;
            };
            let letter = match before {
                ..0x80 => accents::letter(before),
                _ => accents::letter_of_two(*first, *second),
            };
            let one = accents::with(letter, lead, mark);
            let text = accents::text(accents::with(one, next_lead, next_mark));
            if text != 0 {
                let len;
                [*first, *second, *third, len] = text.to_le_bytes();
                gone |= (1 << (at + 4)) - (1 << (base + usize::from(len)));
                done |= 5 << at;
            }
        }
        self.gone |= gone;
        let late = firsts & !done & u64::MAX << (CHUNK - 4);
        Composed { done, stop: self.before_accents(late) }
    }

    /// The same, apart from its caller: where 64 bytes are more than one register, compilers would take these to single
    /// bytes around the loop.
    #[inline(never)]
    #[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
    pub(super) fn accents_apart(
        &mut self,
        marks: u64,
        ascii: u64,
        letters: u64,
        references: u64,
    ) -> Composed {
        self.accents(marks, ascii, letters, references)
    }

    /// The bit of the letter before marks at the chunk's end, of which these are known: together they are the next chunk's.
    ///
    /// Letters (U+0370) and signs that nothing waits for (U+034F) are among CC 80 to CD BF too. Before these the chunk does not
    /// stop: a name without semicolon may end there, and what it stands for is written already.
    #[inline(always)]
    fn before_accents(&self, mut marks: u64) -> u64 {
        let is_mark = |at| self.byte(at) | 1 == 0xCD && !self.is_boundary(at);
        while marks != 0 && !is_mark(marks.trailing_zeros() as usize) {
            marks &= marks - 1;
        }
        let at = match marks {
            0 if is_mark(CHUNK) => CHUNK,
            0 if self.byte(CHUNK - 1) >= 0xC0 && is_mark(CHUNK + 1) => CHUNK + 1,
            0 => return 0,
            _ => marks.trailing_zeros() as usize,
        };
        match (self.byte(at - 2), self.byte(at - 1)) {
            (_, b'A'..=b'Z' | b'a'..=b'z') => 1 << (at - 1),
            (0xC2..0xE0, _) => 1 << (at - 2),
            _ => 0,
        }
    }

    /// Composes the syllables of Korean whose first consonants, vowels and finals begin at these bits. `safe` says what
    /// else is a boundary.
    #[inline(never)]
    #[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
    pub(super) fn jamo(&mut self, jamo: [u64; 3], safe: u64) -> Composed {
        let jamo = Jamo::of(jamo, safe);
        let mut rest = jamo.whole;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            let has_final = (jamo.closed >> at) as u32 & 1;
            rest &= rest - 1;
            let Some(&[_, _, lead, _, _, vowel, _, last_but_one, last]) =
                self.src.get(BEFORE + at..).and_then(|nine| nine.first_chunk())
            else {
                break;
            };
            // U+11A7, from which finals count, ends in A7 behind 86.
            let last = (u32::from(last_but_one & 1) << 6 | u32::from(last & 0x3F)).wrapping_sub(0x27);
            let (lead, vowel) = (u32::from(lead & 0x3F), u32::from(vowel.wrapping_sub(0xA1)));
            let syllable = SYLLABLES + (lead * 21 + vowel) * 28 + has_final * last;
            let Some(place) = self.out.get_mut(at..).and_then(|three| three.first_chunk_mut()) else { break };
            *place = [
                0xE0 | (syllable >> 12) as u8,
                0x80 | (syllable >> 6 & 0x3F) as u8,
                0x80 | (syllable & 0x3F) as u8,
            ];
        }
        self.gone |= jamo.gone();
        jamo.composed
    }

    /// Composes the mark at `at` with the letter before it, if the two are all that there is to compose.
    #[inline(never)]
    fn compose(&mut self, at: usize, code: u32, len: usize, entry: u16) -> Option<usize> {
        let base = self.letter_before(at)?;
        let (letter, _) = self.decode(base)?;
        if !self.is_boundary(at + len) {
            return self.cluster(at, len);
        }
        match table::pair(letter, code) {
            Some(composed) if composed.len() <= at + len - base => {
                self.gone &= !bits(base, at - base);
                self.replace(base, at + len - base, &composed);
                Some(len)
            }
            // A letter that keeps its form, and a sign of class 0 that does not compose with it; or behind a mark, where such
            // a sign composes with nothing.
            None if entry == SECOND && table::entry(letter) <= LAST_MARK => Some(len),
            // Consonants of Devanagari and Sinhala are themselves in all forms, and most stay apart from these marks.
            None if code == NUKTA && (0x915..=0x939).contains(&letter) => Some(len),
            None if code == AL_LAKUNA && (0xD9A..=0xDC6).contains(&letter) => Some(len),
            _ => self.cluster(at, len),
        }
    }

    /// Puts in place what the normaliser makes of the mark at `at`, the letter and marks before it, and all up to the next
    /// boundary, if they are in the chunk and get no longer.
    #[inline(never)]
    fn cluster(&mut self, at: usize, len: usize) -> Option<usize> {
        let (mut start, mut end) = (at, at + len);
        loop {
            let (code, len) = self.before(start)?;
            start = start.checked_sub(len)?;
            match table::entry(code) {
                AMPERSAND => return None,
                entry if table::is_boundary(entry) => break,
                _ => {}
            }
        }
        while end <= self.limit && !self.is_boundary(end) {
            match self.decode(end)? {
                // What a reference stands for may belong to it.
                (0x26, _) => return None,
                (_, len) => end += len,
            }
        }
        if end > self.limit {
            if start > 0 {
                // Together they are the next chunk's.
                self.limit = start;
            }
            return None;
        }
        let mut text = [0; CHUNK];
        let mut free = text.get_mut(..end - start)?;
        let mut fits = true;
        let mut put = |piece: &[u8]| match core::mem::take(&mut free).split_at_mut_checked(piece.len()) {
            Some((place, rest)) => {
                place.copy_from_slice(piece);
                free = rest;
            }
            None => fits = false,
        };
        let mut stays = true;
        let source = invariant::utf8(part(self.src, BEFORE + start..BEFORE + end));
        unicode::nfkc(source, &mut |starter, marks| {
            match starter.map(unicode::outcome) {
                Some(Ok(Folded::One(c))) => put(c.encode_utf8(&mut [0; 4]).as_bytes()),
                Some(Ok(Folded::Text(text))) => put(text.as_bytes()),
                // What has a say in what becomes of others is the kernel's.
                Some(Err(_)) => stays = false,
                None => {}
            }
            marks.iter().for_each(|mark| put(mark.folded().encode_utf8(&mut [0; 4]).as_bytes()));
        });
        let unused = free.len();
        if !fits || !stays {
            return None;
        }
        self.gone &= !bits(start, at - start);
        self.replace(start, end - start, part(&text, ..end - start - unused));
        Some(end - at)
    }

    /// Composes the syllables of Korean from `at` on, of which the first consonant is there. Returns the length of all.
    #[inline(never)]
    fn syllables(&mut self, at: usize) -> Option<usize> {
        let mut from = at;
        let letter = |chunk: &Self, at: usize, first: u32, count: u32| {
            let (code, _) = chunk.decode(at)?;
            Some(code.wrapping_sub(first)).filter(|&number| number < count)
        };
        while let Some(lead) = letter(self, from, LEADS, 19) {
            let Some(vowel) = letter(self, from + 3, VOWELS, 21) else {
                // One that stays alone is handled as the first of those from there on.
                return if from > at { Some(from - at) } else { self.is_boundary(from + 3).then_some(3) };
            };
            let last = letter(self, from + 6, FINALS, 28).filter(|&last| last != 0);
            let end = from + if last.is_some() { 9 } else { 6 };
            if end > CHUNK || !self.is_boundary(end) {
                break;
            }
            let syllable = SYLLABLES + (lead * 21 + vowel) * 28 + last.unwrap_or_default();
            let bytes = [
                0xE0 | (syllable >> 12) as u8,
                0x80 | (syllable >> 6 & 0x3F) as u8,
                0x80 | (syllable & 0x3F) as u8,
            ];
            self.out.get_mut(from..)?.first_chunk_mut::<3>().map(|place| *place = bytes)?;
            self.gone |= bits(from + 3, end - from - 3);
            from = end;
        }
        (from > at).then_some(from - at)
    }

    /// Whether the mark at `at` can be handled: it stays, or goes before marks of larger classes.
    #[inline(never)]
    fn mark(&mut self, at: usize, len: usize, class: u16) -> bool {
        if at != self.marks.end || self.marks.count == 0 {
            let Some((before, _)) = self.before(at) else { return false };
            // Behind another mark, which is in the chunk before or which a lane took, and behind the full normaliser's work
            // only the kernel knows what is there.
            if matches!(table::entry(before), 1..=LAST_MARK | SEGMENT) {
                return false;
            }
            self.marks = Marks { start: at, end: at, class: 0, count: 0 };
        }
        if self.marks.count >= MAX_MARKS {
            return false;
        }
        if class < self.marks.class {
            self.put_in_order(at, len, class);
        }
        self.marks.end = at + len;
        self.marks.count += 1;
        self.marks.class = self.marks.class.max(class);
        true
    }

    /// Puts the mark at `at` before those of larger classes.
    #[cold]
    fn put_in_order(&mut self, at: usize, len: usize, class: u16) {
        let mut place = at;
        while place > self.marks.start {
            let run = self.out.get(self.marks.start..place).unwrap_or_default();
            let Some(last) = run.utf8_chunks().next().and_then(|run| run.valid().chars().next_back()) else {
                break;
            };
            if table::entry(u32::from(last)) <= class {
                break;
            }
            place -= last.len_utf8();
        }
        if let Some(run) = self.out.get_mut(place..at + len) {
            run.rotate_right(len);
        }
    }

    /// The character that ends before `at`, and its length. `None` where that is not in view.
    #[inline(always)]
    fn before(&self, at: usize) -> Option<(u32, usize)> {
        let end = BEFORE + at;
        let len = (1..=4)
            .find(|len| self.src.get(end.wrapping_sub(*len)).is_some_and(|byte| byte & 0xC0 != 0x80))?;
        let bytes = self.src.get(end - len..end)?;
        match *bytes {
            // What is not to be looked at is filled with zeros.
            [0] => None,
            [one] => Some((u32::from(one), 1)),
            [lead, one] => Some((u32::from(lead & 0x1F) << 6 | u32::from(one & 0x3F), 2)),
            [lead, one, two] => {
                Some((u32::from(lead & 0x0F) << 12 | u32::from(one & 0x3F) << 6 | u32::from(two & 0x3F), 3))
            }
            [lead, one, two, three] => Some((
                u32::from(lead & 0x07) << 18
                    | u32::from(one & 0x3F) << 12
                    | u32::from(two & 0x3F) << 6
                    | u32::from(three & 0x3F),
                4,
            )),
            _ => None,
        }
    }

    /// Handles the `&` at `at`, and the reference that begins with it if one does.
    #[inline(always)]
    fn reference(&mut self, at: usize) -> Option<usize> {
        let behind: &[u8; REFERENCE] = self.src.get(BEFORE + at + 1..)?.first_chunk()?;
        if let Some((len, c)) = references::short_number(behind) {
            return self.number(at, len, c);
        }
        match references::short(behind) {
            Some(short) => self.named(at, &short),
            None => self.rare_reference(at, behind),
        }
    }

    /// Puts what a short name stands for in its place.
    #[inline(always)]
    fn named(&mut self, at: usize, short: &references::Short) -> Option<usize> {
        let len = short.len();
        if !self.goes_on(at, at + len) {
            return None;
        }
        match self.out.get_mut(at..)?.first_chunk_mut::<4>() {
            Some(place) if len >= 4 => *place = *short.bytes(),
            // `&lt` and `&gt` at the chunk's end.
            _ => {
                let bytes = part(short.bytes(), ..short.size());
                self.out.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
            }
        }
        self.gone |= bits(at + short.size(), len - short.size());
        if short.bytes().starts_with(b" ") {
            self.white |= bits(at, len);
        }
        Some(len)
    }

    /// The same for other numbers, and for an `&` that begins no reference.
    #[inline(never)]
    fn rare_reference(&mut self, at: usize, behind: &[u8; REFERENCE]) -> Option<usize> {
        if !matches!(behind, [b'#' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | END, ..]) {
            return Some(1);
        }
        if let Some(old) = references::old(behind) {
            return self.named(at, &old);
        }
        match references::read_in_view(self.src.get(BEFORE + at + 1..)?) {
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
            DROP => self.dropped |= bits(at, len),
            KEEP | AMPERSAND => self.replace(at, len, c.encode_utf8(&mut [0; 4]).as_bytes()),
            entry @ MAP.. if table::replacement(u32::from(c), entry).len() <= len => {
                self.replace(at, len, &table::replacement(u32::from(c), entry));
            }
            _ => return self.number_of_mark(at, len, c),
        }
        Some(len)
    }

    /// Composes the mark that a number of `len` bytes stands for with the letter before it, if these two are all that there is
    /// to compose.
    #[inline(never)]
    fn number_of_mark(&mut self, at: usize, len: usize, c: char) -> Option<usize> {
        // What may be a letter in front of it may be the end of a name without semicolon; and what follows is a boundary, unless
        // it is a reference.
        if self.doubt.end == at || self.byte(at + len) == b'&' {
            return None;
        }
        let base = self.letter_before(at)?;
        let (letter, _) = self.decode(base)?;
        let composed = table::pair(letter, u32::from(c))?;
        if !table::is_boundary(table::entry(letter)) {
            return None;
        }
        self.gone &= !bits(base, at - base);
        self.replace(base, at + len - base, &composed);
        Some(len)
    }

    /// Where the letter in front of `at` begins, if it is in the chunk.
    #[inline(always)]
    fn letter_before(&self, at: usize) -> Option<usize> {
        let before = |len| at.checked_sub(len).map(|start| (start, self.byte(start)));
        match (before(1)?, before(2), before(3)) {
            ((start, b'A'..=b'Z' | b'a'..=b'z'), ..) => Some(start),
            (_, Some((start, 0xC2..0xE0)), _) | (_, _, Some((start, 0xE0..0xF0))) => Some(start),
            _ => None,
        }
    }

    /// Whether the reference from `at` to `end` is in the chunk and nothing behind it changes what it stands for.
    #[inline(always)]
    fn goes_on(&mut self, at: usize, end: usize) -> bool {
        if end > CHUNK {
            return false;
        }
        if self.byte(end) != b'&' {
            return self.is_boundary(end);
        }
        if end < CHUNK - REFERENCE {
            self.doubt = Doubt { start: at, end };
            return true;
        }
        // The next one will not be handled in this chunk, but may be known.
        let behind = self.src.get(BEFORE + end + 1..).and_then(|rest| rest.first_chunk::<REFERENCE>());
        behind.is_some_and(references::is_boundary)
    }

    /// Whether what begins at `at` leaves alone what is before it, whatever follows.
    #[inline(always)]
    fn is_boundary(&self, at: usize) -> bool {
        match self.byte(at) {
            END | b'&' => false,
            ..0x80 => true,
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

    /// The code point that begins at `at`, and its length. The bytes are UTF-8 up to the text's end.
    #[inline(always)]
    fn decode(&self, at: usize) -> Option<(u32, usize)> {
        let low = |i: usize| self.src.get(at + BEFORE + i).map(|byte| u32::from(byte & 0x3F));
        let lead = u32::from(*self.src.get(at + BEFORE)?);
        match lead {
            0..0x80 => Some((lead, 1)),
            0x80..0xE0 => Some(((lead & 0x1F) << 6 | low(1)?, 2)),
            0xE0..0xF0 => Some(((lead & 0x0F) << 12 | low(1)? << 6 | low(2)?, 3)),
            0xF0..0xF8 => Some(((lead & 0x07) << 18 | low(1)? << 12 | low(2)? << 6 | low(3)?, 4)),
            // The text's end.
            _ => None,
        }
    }
}
