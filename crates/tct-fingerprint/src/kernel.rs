//! The normalisation pipeline in one pass.
//!
//! ```text
//! text ──64 bytes──▶ Lane ──claimed──────────▶ Out ──128 bytes──▶ Sink (SHA-256, or the caller's string)
//!           │                                   ▲
//!           └──one character that is not────────┤   what gets longer or shorter, controls, references
//!                    │                          │
//!                    └─▶ Segment ─▶ Waiting ────┘   marks; the full normaliser where more than one may move
//! ```
//!
//! **The kernel defines the result.** Passing every character through [`Kernel::character`] would give the same answer.
//! Lanes only skip it for the characters they claim: boundaries that keep their length in bytes.
//!
//! **White space** needs no state of its own: the last byte of `out` says whether a space was just written. Before the
//! first byte stands a space that is never given away, which trims the start; the end is trimmed when it is known.
//!
//! **Marks.** Boundaries are written at once. At a mark or another character that may change what is before it, the
//! [`Segment`] says what was written since the last boundary. Its invariant: *its characters are canonically equivalent to
//! the text since then* (UAX #15, D70), and the last `out_len` bytes of `out` are what all steps make of them. So it does not
//! matter whether the letter was written as one character, composed a moment ago, or came out of a reference, and what
//! follows may be looked at one by one: a mark that composes with the letter replaces it, one that stays is written behind
//! it, and only where marks would have to change places does the normaliser take the segment's characters instead.
//!
//! **Where the segment is.** Behind a reference or a mark it is in `segment`, and `known_at` is that place in the text. At
//! any other place it is the one character before it, since all that lanes claim and all other boundaries end a segment.
//!
//! **Speed.** Each round of the hash depends on the one before, so hashing alone leaves the processor idle most of the
//! time. Out-of-order execution fills the gaps with the work on the next chunks, as far as its window reaches. So
//! groups are small, are hashed soon after they are written, and a chunk's work has few branches that depend on the
//! text.
//!
//! Spec: TCT draft-00, "Content Normalization"; TCT-FP-2 to TCT-FP-9.

use core::fmt;

use crate::invariant::{broken, part, text_part};
use crate::lanes::{BEFORE, CHUNK, Claims, Lane, Scripts, VIEW, Width, dispatch, whole};
use crate::out::{Out, Sink, drain};
use crate::references::{self, Partial, Reference};
use crate::table::{self, AMPERSAND, DROP, KEEP, LAST_MARK, MAP, SPACE};
use crate::unicode::{self, Data as _, Mark, Property, Tables, Waiting};

/// Most marks in a segment. Real texts have up to three; segments with more go to the normaliser. With this a segment is at
/// most 61 bytes long, so that `Out` still has it.
const MAX_MARKS: usize = 7;

/// The state between chunks.
#[derive(Clone)]
pub(crate) struct Kernel {
    out: Out,
    segment: Segment,
    /// The place in the text, as given last, behind which `segment` ends.
    known_at: usize,
    /// What is not known to be final and not written; in use while `open`.
    waiting: Waiting<Tables>,
    open: bool,
    partial: Option<Partial>,
    scripts: Scripts,
    width: Width,
}

/// What was written since the last boundary: that boundary and the marks behind it, in the order of their classes.
#[derive(Debug, Clone, Copy, Default)]
struct Segment {
    /// None at the text's start.
    boundary: Option<char>,
    marks: [Mark; MAX_MARKS],
    count: usize,
    /// The class of the last mark, the largest; 0 where there is none.
    last_class: u8,
    /// How many bytes stand for the marks.
    marks_len: usize,
}

impl Segment {
    /// Begins with this boundary, which has been written.
    #[inline(always)]
    fn begin(&mut self, boundary: Option<char>) {
        (self.boundary, self.count, self.last_class, self.marks_len) = (boundary, 0, 0, 0);
    }

    /// What marks may compose with, which white space and controls are not, and how many bytes stand for it.
    fn starter(&self) -> (Option<char>, usize) {
        let Some(c) = self.boundary else { return (None, 0) };
        if c.is_ascii_alphabetic() {
            return (Some(c), 1);
        }
        match table::entry(u32::from(c)) {
            SPACE | DROP => (None, 0),
            entry @ MAP.. => (Some(c), table::replacement(u32::from(c), entry).len()),
            _ => (Some(c), c.len_utf8()),
        }
    }

    /// Adds a mark that stays behind those there are and is written with so many bytes; `false` if it does not.
    #[inline(always)]
    fn push(&mut self, mark: Mark, len: usize) -> bool {
        match self.marks.get_mut(self.count) {
            Some(free) if mark.class() >= self.last_class => *free = mark,
            _ => return false,
        }
        self.count += 1;
        self.last_class = mark.class();
        self.marks_len += len;
        true
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("held_bytes", &self.out.held()).finish_non_exhaustive()
    }
}

impl Default for Kernel {
    fn default() -> Self {
        Self::new(Width::default())
    }
}

impl Kernel {
    /// A new kernel that uses these lanes.
    #[inline]
    pub(crate) fn new(width: Width) -> Self {
        Kernel {
            out: Out::default(),
            segment: Segment::default(),
            known_at: 0,
            waiting: Waiting::default(),
            open: false,
            partial: None,
            scripts: Scripts::default(),
            width,
        }
    }

    /// Takes the next chunk of the text.
    pub(crate) fn update(&mut self, text: &str, sink: &mut dyn Sink) {
        let text = if self.partial.is_some() { self.go_on(text, sink) } else { text };
        self.run(text, sink, false);
    }

    /// Takes the last chunk of the text and gives all to the sink.
    pub(crate) fn finish(&mut self, text: &str, sink: &mut dyn Sink) {
        let text = if self.partial.is_some() { self.go_on(text, sink) } else { text };
        self.run(text, sink, true);
        self.end(sink);
    }

    /// Gives all to the sink; the next chunk begins another text.
    pub(crate) fn end(&mut self, sink: &mut dyn Sink) {
        if let Some(partial) = self.partial.take() {
            self.resolve(&partial, sink);
        }
        if self.open {
            self.close(sink);
        }
        self.out.end(sink);
        self.segment = Segment::default();
        self.scripts.forget();
    }

    /// The one place that is compiled once a width of lanes, since that takes the compiler long.
    fn run(&mut self, text: &str, sink: &mut dyn Sink, last: bool) {
        if text.is_empty() {
            return;
        }
        dispatch!(self.width, lane => self.run_with(lane, text, sink, last));
        if !last {
            self.look_back(text, text.len());
        }
        self.known_at = 0;
    }

    #[inline(always)]
    pub(crate) fn run_with<L: Lane>(&mut self, lane: L, text: &str, sink: &mut dyn Sink, last: bool) {
        let bytes = text.as_bytes();
        let mut at = if self.open { self.extend(text, 0, sink) } else { 0 };
        while at < bytes.len() {
            let mut after_space = self.out.after_space();
            // Not in the kernel, so that they are in registers.
            let (mut start, mut len) = (self.out.start, self.out.len);
            let group = self.scripts.group();
            let (claims, end) = loop {
                let Some(out) = self.out.bytes.get_mut(len..).and_then(|free| free.first_chunk_mut()) else {
                    broken()
                };
                let at_an_edge;
                let view = match bytes.get(at.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk()) {
                    Some(view) => view,
                    None => {
                        at_an_edge = padded(bytes, at);
                        &at_an_edge
                    }
                };
                let claims = lane.look(view, out, &self.scripts);
                let end = whole(view).min(bytes.len() - at);
                // White space behind white space goes away.
                let inside = u64::MAX >> (CHUNK - end);
                let repeated = claims.white & (claims.white << 1 | u64::from(after_space)) & inside;
                let left = claims.left & inside;
                if left != 0 {
                    break (Claims { left: left | repeated, ..claims }, end);
                }
                let gone = if repeated == 0 { 0 } else { take_out(&mut self.out.bytes, len, repeated) };
                after_space = claims.white >> (end - 1) & 1 != 0;
                at += end;
                len += end - gone;
                (start, len) = drain(&mut self.out.bytes, start, len, group, sink);
                if at == bytes.len() {
                    break (claims, 0);
                }
            };
            (self.out.start, self.out.len) = (start, len);
            if end > 0 && !self.meets(bytes, at, claims) {
                at = self.gaps(text, at, end, claims, last, sink);
            }
        }
    }

    /// Returns true if the first unclaimed character belongs to a script that is new in this text: the lanes then
    /// run once more.
    #[inline(always)]
    fn meets(&mut self, bytes: &[u8], at: usize, claims: Claims) -> bool {
        let at = at + claims.left.trailing_zeros() as usize;
        let byte = |at| bytes.get(at).copied().unwrap_or_default();
        self.scripts.meet(byte(at), byte(at + 1))
    }

    /// Goes through a chunk that is not claimed as a whole: of its `end` bytes, what they become stands in `out` already.
    /// Returns the place in the text behind it, or farther where a reference or marks go on there.
    ///
    /// The lane is not run again after each unclaimed character: it would claim the same
    /// characters.
    #[inline(never)]
    fn gaps(
        &mut self,
        text: &str,
        at: usize,
        end: usize,
        claims: Claims,
        last: bool,
        sink: &mut dyn Sink,
    ) -> usize {
        let Claims { left, white } = claims;
        let mut claimed = [0; 2 * CHUNK];
        if let (Some(to), Some(from)) =
            (claimed.first_chunk_mut::<CHUNK>(), part(&self.out.bytes, self.out.len..).first_chunk::<CHUNK>())
        {
            *to = *from;
        }
        let mut pos = 0;
        while pos < end {
            if white >> pos & 1 != 0 && self.out.after_space() {
                pos += (white >> pos).trailing_ones() as usize;
                continue;
            }
            let run = ((left >> pos).trailing_zeros() as usize).min(end - pos);
            if run > 0 {
                self.out.run(part(&claimed, pos..pos + CHUNK), run);
                pos += run;
                if pos == end {
                    break;
                }
            }
            let place = at + pos;
            let rest = text_part(text, place..);
            if rest.as_bytes().first() == Some(&b'&') {
                pos = self.reference(text, place, last, sink) - at;
                continue;
            }
            let Some(c) = rest.chars().next() else { broken() };
            let entry = table::entry(u32::from(c));
            pos = if table::is_boundary(entry) {
                self.out.character(c, entry, sink);
                pos + c.len_utf8()
            } else {
                self.behind(text, place, c, entry, sink) - at
            };
        }
        self.out.drain(sink);
        at + pos
    }

    /// Handles a mark or another character that may change what is before it; returns the place behind it, or behind all that
    /// waits with it.
    #[inline(always)]
    fn behind(&mut self, text: &str, at: usize, c: char, entry: u16, sink: &mut dyn Sink) -> usize {
        self.look_back(text, at);
        self.known_at = at + c.len_utf8();
        if entry > LAST_MARK
            && unicode::is_jamo(c)
            && let Some(end) = self.syllables(text, at, c, sink)
        {
            self.known_at = end;
        } else {
            self.mark(c, entry, sink);
        }
        if self.open { self.extend(text, self.known_at, sink) } else { self.known_at }
    }

    /// Handles the reference at this `&`, or the `&` where none begins.
    fn reference(&mut self, text: &str, at: usize, last: bool, sink: &mut dyn Sink) -> usize {
        let rest = part(text.as_bytes(), at + 1..);
        if !self.open && rest.first().is_some_and(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#') {
            // Text, and a boundary like others.
            self.out.emit_char('&', sink);
            return at + 1;
        }
        let reference = references::read(rest, last);
        // What becomes of most names is known. Where plain ASCII follows, a boundary too, nothing will ask what it was.
        if let Reference::Named(len, name) = reference
            && let (Some(four), Some(&next)) = (name.outcome(), rest.get(len))
            && next < 0x80
            && next != b'&'
            && !self.open
        {
            self.out.simple(four, sink);
            return at + 1 + len;
        }
        let len = if reference == Reference::Incomplete {
            self.look_back(text, at);
            self.partial = Some(Partial::of(rest));
            rest.len()
        } else {
            self.decoded(text, at, reference, sink)
        };
        self.known_at = at + 1 + len;
        // What waits may go on behind it.
        if self.open { self.extend(text, self.known_at, sink) } else { self.known_at }
    }

    /// Takes what the reference at this place stands for, or the `&` where none begins; returns how many bytes behind it are the
    /// reference's.
    #[inline(always)]
    fn decoded(&mut self, text: &str, at: usize, reference: Reference, sink: &mut dyn Sink) -> usize {
        let mut buffer = [0; 4];
        let Some((len, decoded)) = reference.decoded(&mut buffer) else {
            self.character('&', AMPERSAND, sink);
            return 0;
        };
        for (number, c) in decoded.chars().enumerate() {
            let entry = table::entry(u32::from(c));
            if number == 0 && !table::is_boundary(entry) {
                self.look_back(text, at);
            }
            self.character(c, entry, sink);
        }
        len
    }

    /// Makes `segment` that of the text before this place.
    #[inline(always)]
    fn look_back(&mut self, text: &str, at: usize) {
        if at != self.known_at {
            self.segment.begin(text_part(text, ..at).chars().next_back());
        }
    }

    /// The definition of the normalisation: takes any next character of a text without references.
    fn character(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        if table::is_boundary(entry) {
            if self.open {
                self.close(sink);
            }
            self.out.character(c, entry, sink);
            self.segment.begin(Some(c));
        } else if self.open {
            self.hold(c, entry, sink);
        } else {
            self.mark(c, entry, sink);
        }
    }

    /// Takes a character that may change what is before it.
    ///
    /// Three cases are handled at once: the character composes with the starter, it stays behind the segment, or it is a
    /// starter itself. The normaliser handles all others.
    #[inline(always)]
    fn mark(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        let segment = &mut self.segment;
        if entry <= LAST_MARK {
            if segment.push(Mark::new(c, entry as u8), c.len_utf8()) {
                return self.out.emit_char(c, sink);
            }
            return self.open(c, entry, sink);
        }
        let (starter, starter_len) = segment.starter();
        let composed = starter.and_then(|starter| unicode::compose::<Tables>(starter, c));
        if let (Some(composed), 0) = (composed, segment.count) {
            let composed_entry = table::entry(u32::from(composed));
            if !matches!(composed_entry, KEEP | MAP..) {
                return self.open(c, entry, sink);
            }
            self.out.take_back(starter_len);
            self.out.character(composed, composed_entry, sink);
            return segment.begin(Some(composed));
        }
        let Property::Class(class) = Tables::property(c) else { return self.open(c, entry, sink) };
        let may_move = match composed {
            // Any mark that is not of a smaller class blocks it from the starter (UAX #15, D115).
            Some(_) => class > segment.last_class,
            // What the starter is made of may change places or compose with it.
            None => starter.is_some_and(|starter| matches!(Tables::property(starter), Property::Text(_))),
        };
        let mark = Mark::new(c, class);
        if may_move {
            self.open(c, entry, sink);
        } else if class == 0 {
            segment.begin(Some(c));
            self.out.emit_char(c, sink);
        } else if segment.push(mark, mark.folded().len_utf8()) {
            self.out.emit_char(mark.folded(), sink);
        } else {
            self.open(c, entry, sink);
        }
    }

    /// Composes syllables of Korean from the vowel `c` at this place on, if a first consonant was written before it; returns
    /// the place behind them. A row of them at once, since they come in rows.
    #[inline(always)]
    fn syllables(&mut self, text: &str, at: usize, c: char, sink: &mut dyn Sink) -> Option<usize> {
        let mut syllable = self.segment.boundary.and_then(|lead| unicode::syllable_of(lead, c))?;
        if self.segment.count > 0 {
            return None;
        }
        self.out.take_back(self.segment.starter().1);
        let mut rest = text_part(text, at + c.len_utf8()..).chars();
        loop {
            let mut next = rest.clone();
            let mut second = next.next();
            if let Some(closed) = second.and_then(|last| unicode::syllable_of(syllable, last)) {
                syllable = closed;
                rest = next.clone();
                second = next.next();
            }
            self.out.emit_char(syllable, sink);
            match second.zip(next.next()).and_then(|(lead, vowel)| unicode::syllable_of(lead, vowel)) {
                Some(another) => syllable = another,
                None => break,
            }
            rest = next;
        }
        self.segment.begin(Some(syllable));
        Some(text.len() - rest.as_str().len())
    }

    /// Takes back the segment and lets its characters wait, and `c` behind them.
    #[inline(never)]
    fn open(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        let segment = self.segment;
        let (starter, starter_len) = segment.starter();
        self.out.take_back(starter_len + segment.marks_len);
        self.open = true;
        if let Some(starter) = starter {
            self.hold(starter, KEEP, sink);
        }
        segment.marks.iter().take(segment.count).for_each(|&mark| self.waiting.push_mark(mark));
        self.hold(c, entry, sink);
    }

    /// Lets a character wait that may change what is before it, or be changed by what follows.
    #[inline(always)]
    fn hold(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        match entry {
            1..=LAST_MARK => self.waiting.push_mark(Mark::new(c, entry as u8)),
            _ => self.waiting.push(c, &mut |starter, marks| self.out.composed(starter, marks, sink)),
        }
    }

    /// Lets all up to the next boundary or `&` wait; at a boundary that ends. Returns where it stopped.
    fn extend(&mut self, text: &str, at: usize, sink: &mut dyn Sink) -> usize {
        for (len, c) in text_part(text, at..).char_indices() {
            // Nearly all of them are marks, and no mark is a boundary.
            if let Property::Class(class @ 1..) = Tables::property(c) {
                self.waiting.push_mark(Mark::new(c, class));
                continue;
            }
            let entry = table::entry(u32::from(c));
            if table::is_boundary(entry) {
                // What a reference stands for may belong to it.
                if c != '&' {
                    self.close(sink);
                }
                return at + len;
            }
            self.hold(c, entry, sink);
        }
        text.len()
    }

    /// Writes what has waited: a boundary follows, or the end.
    fn close(&mut self, sink: &mut dyn Sink) {
        self.waiting.finish(&mut |starter, marks| self.out.composed(starter, marks, sink));
        self.open = false;
        self.segment = Segment::default();
    }

    /// Goes on with a reference that the last chunk ended in; returns the text behind it.
    #[cold]
    fn go_on<'a>(&mut self, text: &'a str, sink: &mut dyn Sink) -> &'a str {
        let Some(mut partial) = self.partial.take() else { return text };
        for (at, &byte) in text.as_bytes().iter().enumerate() {
            // Neither belongs to a reference, nor to what may be held.
            if byte == b'&' || !byte.is_ascii() {
                self.resolve(&partial, sink);
                return text_part(text, at..);
            }
            if partial.push(byte) != Reference::Incomplete {
                self.resolve(&partial, sink);
                return text_part(text, at + 1..);
            }
        }
        self.partial = Some(partial);
        ""
    }

    /// Handles a reference that has come to its end, and the held text that does not belong to it.
    #[inline(never)]
    fn resolve(&mut self, partial: &Partial, sink: &mut dyn Sink) {
        let held = partial.held();
        let len = self.decoded("", 0, references::read(held.as_bytes(), true), sink);
        self.run(text_part(held, len..), sink, false);
    }
}

/// Takes the bytes of these bits out of the chunk at the index `at` of `bytes`; returns how many they are.
///
/// Starts with the last run: removing it moves only the bytes after it, so the bits before it keep
/// their meaning.
#[inline(never)]
fn take_out(bytes: &mut [u8], at: usize, mut bits: u64) -> usize {
    let gone = bits.count_ones() as usize;
    while bits != 0 {
        let end = CHUNK - bits.leading_zeros() as usize;
        let start = end - (bits << (CHUNK - end)).leading_ones() as usize;
        // As many bytes as ever may follow: a length that is known to the compiler is no call.
        let Some(&behind) = part(bytes, at + end..).first_chunk::<CHUNK>() else { broken() };
        let Some(place) = bytes.get_mut(at + start..at + start + CHUNK) else { broken() };
        place.copy_from_slice(&behind);
        bits &= !(u64::MAX << start);
    }
    gone
}

/// Padding for the lanes at the start and end of a text: letters, which do not affect the result.
fn padded(bytes: &[u8], at: usize) -> [u8; VIEW] {
    let mut view = [b'a'; VIEW];
    for (to, from) in view.iter_mut().skip(BEFORE).zip(part(bytes, at..)) {
        *to = *from;
    }
    view
}

#[cfg(test)]
mod tests;
