//! All six steps in one pass.
//!
//! ```text
//! text ──64 bytes──▶ Bulk ──at most 64──▶ out ──128 bytes──▶ Sink (SHA-256, or the caller's string)
//!           │                              ▲
//!           └──one character──▶ step ──────┤   what gets longer, controls, rare references
//!                                 │        │
//!                                 └─▶ segment ─▶ full normaliser   what a mark may change
//! ```
//!
//! **White space** needs no state of its own: the last byte of `out` says whether a space was just written. Before the
//! first byte stands a space that is never given away, which trims the start; the end is trimmed when it is known.
//!
//! **Marks.** Nearly every character is a boundary: the text before it does not change because of it. Boundaries are
//! written at once. At a character that may change its predecessors, the kernel looks back to the last boundary,
//! takes back what it wrote since, and collects all up to the next boundary in `segment`, which the normaliser then
//! composes. Marks that cannot compose and stand in order pass without that, at most [`MAX_MARKS`] in a row, so
//! what may have to be taken back is at most 64 bytes long and never given to the sink too early.
//!
//! **Chunks.** `tail` remembers the text since the last boundary, since the next chunk may begin with a mark. A decoded
//! reference is handled as a chunk of its own: it becomes the `tail` of what follows.
//!
//! **Speed.** Hashing waits for itself most of the time: each of its steps needs the last. The processor fills the gaps
//! with the next chunks' work as long as that fits into what it can look ahead, so groups are small, follow close
//! behind, and a chunk's work has few branches that depend on the text.
//!
//! Spec: TCT draft-00, "Content Normalization"; TCT-FP-2 to TCT-FP-9.

use alloc::string::String;
use core::fmt;

use crate::invariant::{self, broken, part, text_part};
use crate::lanes::{BEFORE, Bulk, CHUNK, END, MAX_MARKS, NEAR_END, Scripts, VIEW, Width, dispatch};
use crate::references::{self, Outcome, Partial, Progress, Reference};
use crate::table::{self, AMPERSAND, DROP, KEEP, LAST_MARK, MAP, SECOND, SPACE};
use crate::unicode::{self, Folded};

/// Takes the normalised text, in pieces that may end within a character.
pub(crate) trait Sink {
    fn write(&mut self, bytes: &[u8]);
}

const BUFFER: usize = 1024;
/// Bytes that stay in the buffer because they may have to be taken back.
const WINDOW: usize = 128;
/// Bytes given to the sink are a multiple of this or of [`Bulk::group`], except at the end: two blocks of SHA-256.
const GROUP: usize = 128;
/// Room that the main loop finds in the buffer.
const ROOM: usize = 2 * CHUNK;

/// The state between chunks.
#[derive(Clone)]
pub(crate) struct Kernel {
    out: [u8; BUFFER],
    /// The first byte that the sink has not got. The byte before it is the one written last, a space at the start.
    start: usize,
    len: usize,
    tail: Tail,
    /// Text whose normal form is not known yet; in use while `open`.
    segment: String,
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
        let end = self.text_len + text.len();
        let Some(place) = self.text.get_mut(self.text_len..end) else { broken() };
        place.copy_from_slice(text.as_bytes());
        self.text_len = end;
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
        f.debug_struct("Kernel").field("held_bytes", &(self.len - self.start)).finish_non_exhaustive()
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
        let mut out = [0; BUFFER];
        if let Some(first) = out.first_mut() {
            *first = b' ';
        }
        Kernel {
            out,
            start: 1,
            len: 1,
            tail: Tail::default(),
            segment: String::new(),
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
        if self.len > self.start && self.after_space() {
            self.len -= 1;
        }
        sink.write(part(&self.out, self.start..self.len));
        // As it was at the start; clearing the whole buffer would cost a short text dear.
        (self.start, self.len, self.tail) = (1, 1, Tail::default());
        self.scripts.forget();
        if let Some(first) = self.out.first_mut() {
            *first = b' ';
        }
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
        // How often in a row the bulk path came nowhere, and characters that go on without it for that.
        let (mut misses, mut alone) = (0_u32, 0_u32);
        while at < bytes.len() {
            if self.open {
                at = self.extend(text, at, sink);
                if at >= bytes.len() {
                    return;
                }
                if !self.open {
                    floor = at;
                }
            } else if alone > 0 {
                alone -= 1;
            } else {
                let before = at;
                at = self.bulk(bulk, bytes, floor, at, sink);
                if at >= bytes.len() {
                    break;
                }
                misses = if at == before { misses + 1 } else { 0 };
                if misses > 1 {
                    alone = 1 << misses.min(6);
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
                        self.emit(b"&", sink);
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
                self.decoded(text, floor, at, decoded, sink);
                at += 1 + len;
                floor = at;
                continue;
            }
            at += self.step(text, floor, at, c, entry, sink);
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
        let mut after_space = self.after_space();
        // Not in the kernel, so that they are in registers.
        let (mut start, mut len) = (self.start, self.len);
        while let Some(out) = self.out.get_mut(len..).and_then(|free| free.first_chunk_mut::<CHUNK>()) {
            let view = at.checked_sub(BEFORE).filter(|&before| before >= floor);
            let view = view.and_then(|before| bytes.get(before..)?.first_chunk::<VIEW>());
            let at_an_edge;
            let view = match view {
                Some(view) => view,
                None => {
                    at_an_edge = padded(bytes, floor, at);
                    &at_an_edge
                }
            };
            let handled = bulk.bulk(view, out, after_space, &mut self.scripts);
            at += handled.read;
            len += handled.written;
            after_space = handled.after_space;
            (start, len) = drain(&mut self.out, start, len, bulk.group(), sink);
            if handled.read < NEAR_END {
                break;
            }
        }
        (self.start, self.len) = (start, len);
        at
    }

    /// Handles one character that the bulk path left; returns its length.
    #[inline(always)]
    fn step(
        &mut self,
        text: &str,
        floor: usize,
        at: usize,
        c: char,
        entry: u16,
        sink: &mut dyn Sink,
    ) -> usize {
        let len = c.len_utf8();
        match entry {
            SPACE => self.space(),
            DROP => {}
            KEEP | MAP.. => self.boundary(c, entry, sink),
            _ => return self.mark(text, floor, at, c, entry, sink),
        }
        len
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
            self.emit_char(c, sink);
        } else if let Some((base, pair)) = pair_at(text, &back, at, c) {
            match pair {
                Some(pair) => {
                    self.take_back(back.out_len);
                    self.emit(&pair, sink);
                }
                // A letter that keeps its form, and a sign that does not compose with it.
                None if entry == SECOND && table::entry(base) == KEEP => {
                    self.emit_char(c, sink);
                }
                None => {
                    self.open(text, &back, at);
                    self.segment.push(c);
                }
            }
        } else {
            self.open(text, &back, at);
            self.segment.push(c);
        }
        len
    }

    /// Handles what a reference stood for. `at` is the place of its `&`.
    #[inline]
    fn decoded(&mut self, text: &str, floor: usize, at: usize, decoded: &str, sink: &mut dyn Sink) {
        let mut first = true;
        for c in decoded.chars() {
            let entry = table::entry(u32::from(c));
            if !first && !self.open && (1..=LAST_MARK).contains(&entry) {
                // A letter and a mark that stays behind it: no other is between them.
                let mut bytes = [0; 4];
                let mark = c.encode_utf8(&mut bytes);
                self.emit(mark.as_bytes(), sink);
                self.tail.push(mark);
                self.tail.out_len += mark.len();
                (self.tail.marks, self.tail.class) = (self.tail.marks + 1, entry);
            } else if !table::is_boundary(entry) {
                if !self.open {
                    // Behind the first character of two, the tail is all that there is to look at.
                    let (floor, at) = if first { (floor, at) } else { (0, 0) };
                    let back = self.look_back(text, floor, at);
                    self.open(text, &back, at);
                }
                self.segment.push(c);
            } else {
                if self.open {
                    self.close(sink);
                }
                self.tail = Tail::default();
                match entry {
                    SPACE => self.space(),
                    DROP => {}
                    AMPERSAND => self.emit(b"&", sink),
                    _ => {
                        self.boundary(c, entry, sink);
                        let out_len = if entry == KEEP {
                            c.len_utf8()
                        } else {
                            table::replacement(u32::from(c), entry).len()
                        };
                        self.tail.push(c.encode_utf8(&mut [0; 4]));
                        self.tail.out_len = out_len;
                    }
                }
            }
            first = false;
        }
    }

    /// Adds to the open segment all up to the next boundary or `&`; closes it at a boundary. Returns where it stopped.
    fn extend(&mut self, text: &str, at: usize, sink: &mut dyn Sink) -> usize {
        let rest = text_part(text, at..);
        let mut end = None;
        for (len, c) in rest.char_indices() {
            let entry = table::entry(u32::from(c));
            if table::is_boundary(entry) {
                end = Some((len, entry));
                break;
            }
        }
        let len = end.map_or(rest.len(), |(len, _)| len);
        self.segment.push_str(text_part(rest, ..len));
        if end.is_some_and(|(_, entry)| entry != AMPERSAND) {
            self.close(sink);
        }
        at + len
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
                KEEP => back.out_len += c.len_utf8(),
                1..=LAST_MARK => {
                    back.class = back.class.max(entry);
                    back.marks += 1;
                    back.out_len += c.len_utf8();
                }
                MAP.. => back.out_len += table::replacement(u32::from(c), entry).len(),
                // Nothing composes with white space, controls and `&`. The full normaliser's work is never looked at.
                _ => return back,
            }
            back.start -= c.len_utf8();
            if entry == KEEP || entry > LAST_MARK {
                return back;
            }
        }
    }

    /// Takes back what has been written since the last boundary and opens a segment with its text.
    fn open(&mut self, text: &str, back: &Back, at: usize) {
        self.take_back(back.out_len);
        self.segment.clear();
        if back.with_tail {
            self.segment.push_str(self.tail.text());
        }
        self.segment.push_str(text_part(text, back.start..at));
        self.open = true;
    }

    /// Normalises the segment and writes it.
    #[cold]
    fn close(&mut self, sink: &mut dyn Sink) {
        let segment = core::mem::take(&mut self.segment);
        unicode::nfkc(&segment, &mut |c| self.composed(c, sink));
        self.segment = segment;
        self.segment.clear();
        self.open = false;
        self.tail = Tail::default();
    }

    /// Takes a character that the normaliser gives through the last steps: folding, controls, white space.
    fn composed(&mut self, c: char, sink: &mut dyn Sink) {
        match unicode::outcome(c) {
            Ok(Folded::One(c)) => self.emit_char(c, sink),
            Ok(Folded::Text(text)) => self.emit(text.as_bytes(), sink),
            Err(SPACE) => {
                self.space();
                self.drain(sink);
            }
            Err(_) => {}
        }
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
                self.decoded("", 0, 0, decoded, sink);
                text_part(partial.held(), len..)
            }
            Outcome::Numeric(c) => {
                self.decoded("", 0, 0, c.encode_utf8(&mut [0; 4]), sink);
                ""
            }
            Outcome::Text => {
                self.decoded("", 0, 0, "&", sink);
                partial.held()
            }
        };
        self.run(rest, sink, false);
    }

    #[inline(always)]
    fn boundary(&mut self, c: char, entry: u16, sink: &mut dyn Sink) {
        match entry {
            KEEP => self.emit_char(c, sink),
            _ => self.emit(&table::replacement(u32::from(c), entry), sink),
        }
    }

    /// Writes a space, unless one has just been written.
    #[inline(always)]
    fn space(&mut self) {
        if !self.after_space() {
            let Some(free) = self.out.get_mut(self.len) else { broken() };
            *free = b' ';
            self.len += 1;
        }
    }

    #[inline(always)]
    fn after_space(&self) -> bool {
        self.out.get(self.len.wrapping_sub(1)) == Some(&b' ')
    }

    /// Writes at most 33 bytes.
    #[inline(always)]
    fn emit(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        debug_assert!(self.len + bytes.len() <= BUFFER - CHUNK, "there is always room for one more chunk");
        let Some(place) = self.out.get_mut(self.len..self.len + bytes.len()) else { broken() };
        place.copy_from_slice(bytes);
        self.len += bytes.len();
        self.drain(sink);
    }

    /// Writes a character: four bytes, of which the next overwrites what is too much.
    #[inline(always)]
    fn emit_char(&mut self, c: char, sink: &mut dyn Sink) {
        let mut bytes = [0; 4];
        c.encode_utf8(&mut bytes);
        let Some(place) = self.out.get_mut(self.len..).and_then(|free| free.first_chunk_mut()) else {
            broken()
        };
        *place = bytes;
        self.len += c.len_utf8();
        self.drain(sink);
    }

    #[inline(always)]
    fn take_back(&mut self, out_len: usize) {
        if self.len - self.start < out_len {
            broken();
        }
        self.len -= out_len;
    }

    #[inline(always)]
    fn drain(&mut self, sink: &mut dyn Sink) {
        (self.start, self.len) = drain(&mut self.out, self.start, self.len, GROUP, sink);
    }
}

/// Gives whole groups of the bytes of `out` from `start` to `len` to the sink and keeps room in the buffer; returns where
/// the rest is.
#[inline(always)]
fn drain(
    out: &mut [u8; BUFFER],
    start: usize,
    len: usize,
    group: usize,
    sink: &mut dyn Sink,
) -> (usize, usize) {
    if len - start < WINDOW + group {
        return (start, len);
    }
    let end = start + ((len - start - WINDOW) & !(group - 1));
    sink.write(part(out, start..end));
    if len <= BUFFER - ROOM - GROUP {
        return (end, len);
    }
    // The byte before the first is kept too: it says whether a space was written.
    out.copy_within(end - 1..len, 0);
    (1, len - (end - 1))
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

/// The base before the mark `c` at `at` and what the two become if they compose, where that is all there is to the
/// segment.
fn pair_at(text: &str, back: &Back, at: usize, c: char) -> Option<(u32, Option<table::Bytes>)> {
    if back.marks != 0 || back.with_tail {
        return None;
    }
    let base = text.get(back.start..at)?.chars().next()?;
    let next = text.get(at + c.len_utf8()..)?.chars().next()?;
    let entry = table::entry(u32::from(next));
    if entry == AMPERSAND || !table::is_boundary(entry) {
        return None;
    }
    let base = u32::from(base);
    Some((base, table::pair(base, u32::from(c))))
}
