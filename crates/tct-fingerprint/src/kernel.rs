//! All six steps in one pass.
//!
//! ```text
//! text ──64 bytes──▶ Bulk ──at most 64──▶ Out ──128 bytes──▶ Sink (SHA-256, or the caller's string)
//!           │                              ▲
//!           └──one character───────────────┤   what gets longer, controls, rare references
//!                    │                     │
//!                    └─▶ Waiting ──────────┘   what a mark may change: the normaliser
//! ```
//!
//! **White space** needs no state of its own: the last byte of `out` says whether a space was just written. Before the
//! first byte stands a space that is never given away, which trims the start; the end is trimmed when it is known.
//!
//! **Marks.** Nearly every character is a boundary: the text before it does not change because of it. Boundaries are
//! written at once. At a character that may change its predecessors, the kernel looks back to the last boundary,
//! takes back what it wrote since, and gives that and all up to the next boundary to the normaliser. Marks that cannot
//! compose and stand in order pass without that, at most [`MAX_MARKS`] in a row, so what may have to be taken back is at
//! most 64 bytes long and never given to the sink too early.
//!
//! **Chunks.** `tail` remembers the text since the last boundary, since the next chunk may begin with a mark. A decoded
//! reference is handled as a chunk of its own: it becomes the `tail` of what follows.
//!
//! **Speed.** Hashing waits for itself most of the time: each of its steps needs the last. The processor fills the gaps
//! with the next chunks' work as long as that fits into what it can look ahead, so groups are small, follow close
//! behind, and a chunk's work has few branches that depend on the text.
//!
//! Spec: TCT draft-00, "Content Normalization"; TCT-FP-2 to TCT-FP-9.

use core::fmt;
use core::ops::Range;

use crate::invariant::{self, broken, part, text_part};
use crate::lanes::{BEFORE, Bulk, CHUNK, END, MAX_MARKS, NEAR_END, Scripts, VIEW, Width, dispatch};
use crate::out::{Out, Sink, drain};
use crate::references::{self, Outcome, Partial, Progress, Reference};
use crate::table::{self, AMPERSAND, DROP, KEEP, LAST_MARK, MAP, SECOND, SPACE};
use crate::unicode::{Data as _, Mark, Property, Tables, Waiting};

/// Bytes that the bulk path has to come on to be tried again right behind what it stopped at: fewer are as fast one by one.
const WORTHWHILE: usize = 8;

/// The state between chunks.
#[derive(Clone)]
pub(crate) struct Kernel {
    out: Out,
    tail: Tail,
    /// What is not known to be final; in use while `open`.
    waiting: Waiting<Tables>,
    open: bool,
    partial: Option<Partial>,
    scripts: Scripts,
    width: Width,
}

/// The text since the last boundary, and how many bytes of `out` stand for it.
#[derive(Debug, Clone, Copy, Default)]
struct Tail {
    text: [u8; 32],
    text_len: usize,
    out_len: usize,
    marks: usize,
    /// The largest class of the marks, which is that of the last one written.
    class: u16,
}

impl Tail {
    fn text(&self) -> &str {
        invariant::utf8(part(&self.text, ..self.text_len))
    }

    /// Adds text; a tail is a character and at most [`MAX_MARKS`] marks, so there is room.
    fn push(&mut self, text: &str) {
        text.chars().for_each(|c| self.push_char(c));
    }

    #[inline]
    fn push_char(&mut self, c: char) {
        let Some(place) = self.text.get_mut(self.text_len..).and_then(|free| free.first_chunk_mut::<4>())
        else {
            broken()
        };
        self.text_len += c.encode_utf8(place).len();
    }
}

/// What is between the last boundary and a place in the text.
struct Back {
    /// Where it begins in this chunk; the tail is before that if `with_tail`.
    start: usize,
    with_tail: bool,
    out_len: usize,
    marks: usize,
    /// The largest class of the marks, which is that of the last one written.
    class: u16,
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
    /// A kernel that has seen nothing and uses these lanes.
    #[inline]
    pub(crate) fn new(width: Width) -> Self {
        Kernel {
            out: Out::default(),
            tail: Tail::default(),
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
            self.resolve(&partial, partial.finish(), sink);
        }
        if self.open {
            self.close(sink);
        }
        self.out.end(sink);
        self.tail = Tail::default();
        self.scripts.forget();
    }

    /// The one place that is compiled once a width of lanes, since that takes the compiler long.
    fn run(&mut self, text: &str, sink: &mut dyn Sink, last: bool) {
        if text.is_empty() {
            return;
        }
        dispatch!(self.width, bulk => self.run_with(bulk, text, sink, last));
    }

    #[inline(always)]
    pub(crate) fn run_with<B: Bulk>(&mut self, bulk: B, text: &str, sink: &mut dyn Sink, last: bool) {
        let bytes = text.as_bytes();
        let mut at = 0;
        // Before this byte nothing is looked at again: the tail stands for it.
        let mut floor = 0;
        // How often in a row the bulk path came nearly nowhere, and up to where the text goes on without it for that.
        let (mut misses, mut alone) = (0_u32, 0);
        while at < bytes.len() {
            if self.open {
                at = self.extend(text, at, sink);
                if at >= bytes.len() {
                    return;
                }
                if !self.open {
                    floor = at;
                }
            } else if at < alone {
                at += self.out.characters(text_part(text, at..), alone - at, sink);
                if at >= bytes.len() {
                    break;
                }
            } else {
                let before = at;
                at = self.bulk(bulk, bytes, floor, at, sink);
                if at >= bytes.len() {
                    break;
                }
                misses = if at < before + WORTHWHILE { misses + 1 } else { 0 };
                if misses > 1 {
                    alone = at + (WORTHWHILE << misses.min(6));
                }
            }
            let Some(c) = text_part(text, at..).chars().next() else { broken() };
            let entry = table::entry(u32::from(c));
            if entry == AMPERSAND {
                let rest = part(bytes, at + 1..);
                let mut buffer = [0; 4];
                let (len, decoded) = match references::read(rest, last) {
                    Reference::Named(len, decoded) => (len, decoded),
                    Reference::Numeric(len, c) => (len, &*c.encode_utf8(&mut buffer)),
                    Reference::None => {
                        if self.open {
                            self.close(sink);
                            floor = at;
                        }
                        self.out.emit(b"&", sink);
                        at += 1;
                        continue;
                    }
                    Reference::Incomplete => {
                        self.remember(text, floor, at);
                        let mut partial = Partial::default();
                        for &byte in rest {
                            partial.push(byte);
                        }
                        self.partial = Some(partial);
                        return;
                    }
                };
                self.decoded(text, floor, at..at + 1 + len, decoded, sink);
                at += 1 + len;
                floor = at;
                continue;
            }
            at += match self.out.character(c, entry, sink) {
                true => c.len_utf8(),
                false => self.mark(text, floor, at, c, entry, sink),
            };
        }
        if !last {
            self.remember(text, floor, bytes.len());
        }
    }

    /// Lets the bulk path go through the text from `at`, until it stops at a character; returns where that is.
    #[inline(always)]
    fn bulk<B: Bulk>(
        &mut self,
        bulk: B,
        bytes: &[u8],
        floor: usize,
        mut at: usize,
        sink: &mut dyn Sink,
    ) -> usize {
        let mut after_space = self.out.after_space();
        let inside = floor + BEFORE;
        // Not in the kernel, so that they are in registers.
        let (mut start, mut len) = (self.out.start, self.out.len);
        while let Some(out) = self.out.bytes.get_mut(len..).and_then(|free| free.first_chunk_mut::<CHUNK>()) {
            let at_an_edge;
            let view = match bytes.get(at.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk::<VIEW>())
            {
                Some(view) if at >= inside => view,
                _ => {
                    at_an_edge = padded(bytes, floor, at);
                    &at_an_edge
                }
            };
            let handled = bulk.bulk(view, out, after_space, &mut self.scripts);
            at += handled.read;
            len += handled.written;
            after_space = handled.after_space;
            (start, len) = drain(&mut self.out.bytes, start, len, bulk.group(), sink);
            if handled.read < NEAR_END {
                break;
            }
        }
        (self.out.start, self.out.len) = (start, len);
        at
    }

    /// Handles a character that may change the text before it.
    fn mark(
        &mut self,
        text: &str,
        floor: usize,
        at: usize,
        c: char,
        entry: u16,
        sink: &mut dyn Sink,
    ) -> usize {
        let len = c.len_utf8();
        let back = self.look_back(text, floor, at);
        if entry <= LAST_MARK && entry >= back.class && back.marks < MAX_MARKS {
            self.out.emit_char(c, sink);
        } else if let Some((base, pair)) = pair_at(text, &back, at..at + len, c) {
            match pair {
                Some(pair) => {
                    self.out.take_back(back.out_len);
                    self.out.emit(&pair, sink);
                }
                // A letter that keeps its form, and a sign that does not compose with it.
                None if entry == SECOND && table::entry(base) == KEEP => self.out.emit_char(c, sink),
                None => self.open(text, &back, at, c, entry, sink),
            }
        } else {
            self.open(text, &back, at, c, entry, sink);
        }
        len
    }

    /// Handles what a reference at this place stood for.
    #[inline]
    fn decoded(&mut self, text: &str, floor: usize, place: Range<usize>, decoded: &str, sink: &mut dyn Sink) {
        for (number, c) in decoded.chars().enumerate() {
            let first = number == 0;
            let entry = table::entry(u32::from(c));
            if table::is_boundary(entry) {
                if self.open {
                    self.close(sink);
                }
                self.tail = Tail::default();
                if entry == AMPERSAND {
                    self.out.emit(b"&", sink);
                } else if self.out.character(c, entry, sink) && !matches!(entry, SPACE | DROP) {
                    self.tail.push_char(c);
                    self.tail.out_len = out_len(c, entry);
                }
            } else if self.open {
                self.hold(c, entry, sink);
            } else if !first && entry <= LAST_MARK {
                // A letter and a mark that stays behind it: no other is between them.
                self.out.emit_char(c, sink);
                self.tail.push_char(c);
                self.tail.out_len += c.len_utf8();
                (self.tail.marks, self.tail.class) = (self.tail.marks + 1, entry);
            } else {
                // Behind the first character of two, the tail is all that there is to look at.
                let (floor, at) = if first { (floor, place.start) } else { (0, 0) };
                let back = self.look_back(text, floor, at);
                let pair = if first { pair_at(text, &back, place.clone(), c) } else { None };
                match pair {
                    Some((_, Some(pair))) if c.len_utf8() == decoded.len() => {
                        self.out.take_back(back.out_len);
                        self.out.emit(&pair, sink);
                        self.tail = Tail::default();
                    }
                    _ => self.open(text, &back, at, c, entry, sink),
                }
            }
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
                if entry != AMPERSAND {
                    self.close(sink);
                }
                return at + len;
            }
            self.hold(c, entry, sink);
        }
        text.len()
    }

    /// Lets a character wait that may change what is before it, or be changed by what follows.
    #[inline(always)]
    fn hold(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        match entry {
            1..=LAST_MARK => self.waiting.push_mark(Mark::new(c, entry as u8)),
            _ => self.waiting.push(c, &mut |starter, marks| self.out.composed(starter, marks, sink)),
        }
    }

    /// What is between the last boundary and `at`. Walks over a few characters at the most.
    fn look_back(&self, text: &str, floor: usize, at: usize) -> Back {
        let mut back = Back { start: at, with_tail: false, out_len: 0, marks: 0, class: 0 };
        let mut before = text_part(text, floor..at).chars();
        loop {
            let Some(c) = before.next_back() else {
                back.with_tail = true;
                back.out_len += self.tail.out_len;
                back.class = back.class.max(self.tail.class);
                back.marks += self.tail.marks;
                return back;
            };
            let entry = table::entry(u32::from(c));
            match entry {
                KEEP | MAP.. => {}
                1..=LAST_MARK => {
                    back.class = back.class.max(entry);
                    back.marks += 1;
                }
                // Nothing composes with white space, controls and `&`. The full normaliser's work is never looked at.
                _ => return back,
            }
            back.out_len += out_len(c, entry);
            back.start -= c.len_utf8();
            if entry == KEEP || entry > LAST_MARK {
                return back;
            }
        }
    }

    /// Takes back what has been written since the last boundary and lets its text wait, and `c` behind it.
    fn open(&mut self, text: &str, back: &Back, at: usize, c: char, entry: u16, sink: &mut dyn Sink) {
        self.out.take_back(back.out_len);
        self.open = true;
        if back.with_tail {
            let tail = self.tail;
            self.hold_all(tail.text(), sink);
        }
        self.hold_all(text_part(text, back.start..at), sink);
        self.hold(c, entry, sink);
    }

    fn hold_all(&mut self, text: &str, sink: &mut dyn Sink) {
        text.chars().for_each(|c| self.hold(c, table::entry(u32::from(c)), sink));
    }

    /// Writes what has waited: a boundary follows, or the end.
    fn close(&mut self, sink: &mut dyn Sink) {
        self.waiting.finish(&mut |starter, marks| self.out.composed(starter, marks, sink));
        self.open = false;
        self.tail = Tail::default();
    }

    /// Remembers the text since the last boundary before `end`.
    fn remember(&mut self, text: &str, floor: usize, end: usize) {
        if self.open {
            return;
        }
        let back = self.look_back(text, floor, end);
        if !back.with_tail {
            self.tail = Tail::default();
        }
        self.tail.push(text_part(text, back.start..end));
        self.tail.out_len = back.out_len;
        self.tail.marks = back.marks;
        self.tail.class = back.class;
    }

    /// Goes on with a reference that the last chunk ended in; returns the text behind it.
    #[cold]
    fn go_on<'a>(&mut self, text: &'a str, sink: &mut dyn Sink) -> &'a str {
        let Some(mut partial) = self.partial.take() else { return text };
        for (at, &byte) in text.as_bytes().iter().enumerate() {
            let (outcome, end) = match partial.push(byte) {
                Progress::More => continue,
                Progress::EndsWith(outcome) => (outcome, at + 1),
                Progress::EndsBefore(outcome) => (outcome, at),
            };
            self.resolve(&partial, outcome, sink);
            return text_part(text, end..);
        }
        self.partial = Some(partial);
        ""
    }

    /// Handles a reference that has come to its end, and the held text that does not belong to it.
    #[inline(never)]
    fn resolve(&mut self, partial: &Partial, outcome: Outcome, sink: &mut dyn Sink) {
        let rest = match outcome {
            Outcome::Named(len, decoded) => {
                self.decoded("", 0, 0..0, decoded, sink);
                text_part(partial.held(), len..)
            }
            Outcome::Numeric(c) => {
                self.decoded("", 0, 0..0, c.encode_utf8(&mut [0; 4]), sink);
                ""
            }
            Outcome::Text => {
                self.decoded("", 0, 0..0, "&", sink);
                partial.held()
            }
        };
        self.run(rest, sink, false);
    }
}

/// How many bytes come out for a character that does not depend on those around it and is no white space or control.
#[inline]
fn out_len(c: char, entry: u16) -> usize {
    if entry >= MAP { table::replacement(u32::from(c), entry).len() } else { c.len_utf8() }
}

/// What the bulk path sees at the text's start and end, and behind a reference.
fn padded(bytes: &[u8], floor: usize, at: usize) -> [u8; VIEW] {
    let mut view = [END; VIEW];
    let (before, behind) = view.split_at_mut(BEFORE);
    before.fill(0);
    let context = part(bytes, floor.max(at.saturating_sub(BEFORE))..at);
    for (to, from) in before.iter_mut().rev().zip(context.iter().rev()) {
        *to = *from;
    }
    let there = part(bytes, at..bytes.len().min(at + behind.len()));
    match behind.get_mut(..there.len()) {
        Some(place) => place.copy_from_slice(there),
        None => broken(),
    }
    view
}

/// The base before the mark `c`, or the reference to it, at this place and what the two become if they compose, where no
/// more marks are around them.
fn pair_at(text: &str, back: &Back, place: Range<usize>, c: char) -> Option<(u32, Option<table::Bytes>)> {
    if back.marks != 0 || back.with_tail {
        return None;
    }
    let base = text.get(back.start..place.start)?.chars().next()?;
    let next = text.get(place.end..)?.chars().next()?;
    let entry = table::entry(u32::from(next));
    if entry == AMPERSAND || !table::is_boundary(entry) {
        return None;
    }
    let base = u32::from(base);
    Some((base, table::pair(base, u32::from(c))))
}
