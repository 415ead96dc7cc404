//! One run of the grammar over the available part of a text that arrives in pieces.
//!
//! There is no second grammar here: [`read_on`] is entered where the last run stopped, and these [`Parts`] stop it after
//! every part that makes an event, and at the end of the available bytes. Between two runs are kept: the [`Place`], the
//! open containers, and the few bytes after that place which cannot be interpreted without the next piece.

use alloc::vec::Vec;

use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::fault::{Fault, Spot, rank};
use crate::grammar::{Container, Parts, Place, is_cut_pair, read_on, trailing_data};
use crate::invariant::part;
use crate::number::Number;
use crate::reader::{JsonReader, Tag};

/// What the caller of a run asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    Events,
    Whole,
    /// Skip the next value, which may be nested at most this deep.
    Skip(usize),
}

/// Why a run has stopped. Details are in the [`State`], so that this fits a register: a larger value would be written
/// to memory in small parts and read as a whole, which stalls at every event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// A container begins: [`State::tag`].
    Opened,
    /// A container ends.
    Closed,
    /// A member's name, or a value that is not a container.
    Token,
    /// A value that was asked for as a whole, or skipped.
    Whole,
    /// All available bytes have been read, except for those that cannot be interpreted without
    /// more.
    More,
    /// The text has a fault: [`State::failed`].
    Fault,
}

/// The available bytes of the text; the first is at the offset `base`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    /// The part of them that is valid UTF-8.
    pub(super) text: &'a str,
    pub(super) base: u64,
    /// Whether the text ends behind them.
    pub(super) is_last: bool,
}

/// The state between two runs.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) place: Place,
    /// The open containers, outermost first.
    pub(super) open: Vec<Container>,
    /// Whether the string at hand has escapes.
    has_escapes: bool,
    /// Whether the number at hand may be beyond the range of a double.
    pub(super) may_overflow: bool,
    /// Offset of the last event's part, or of the current token or whole value.
    pub(super) offset: u64,
    /// Whether a token has begun that is handed out on its own.
    pub(super) is_in_token: bool,
    pub(super) whole: Option<Whole>,
    /// Of what the last run stopped behind.
    pub(super) tag: Tag,
    /// What ended the reading.
    pub(super) failed: Option<JsonError>,
}

/// A value that is read as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    /// How many containers are open around it.
    depth: usize,
    /// How many may be inside each other in it.
    pub(super) limit: usize,
    pub(super) is_kept: bool,
    /// Offset of the first container in it that is nested too deeply.
    pub(super) too_deep: Option<u64>,
}

impl State {
    pub(super) fn new() -> Self {
        State {
            place: Place::Value,
            open: Vec::new(),
            has_escapes: false,
            may_overflow: false,
            offset: 0,
            is_in_token: false,
            whole: None,
            tag: Tag::End,
            failed: None,
        }
    }

    /// Returns true if no token or value is incomplete.
    pub(super) fn is_between(&self) -> bool {
        !self.is_in_token && self.whole.is_none()
    }

    /// Continues at the index `at` of the available bytes and moves it behind what was read. Returns why it stopped.
    #[inline(always)]
    pub(super) fn run(&mut self, reader: &JsonReader, source: &Source<'_>, at: &mut usize, ask: Ask) -> Halt {
        let (place, inside, start) = (self.place, self.open.last().copied(), *at);
        let mut reading = Reading { state: self, reader, source, ask, at };
        match read_on(source.text.as_bytes(), start, place, inside, &mut reading) {
            Err(halt) => halt,
            Ok(()) if source.text.len() < source.bytes.len() => {
                reading.fail(trailing_data(source.text.len()), Spot::Document)
            }
            Ok(()) => Halt::More,
        }
    }

    /// Reads up to the name or value that comes next, and no further. Returns whether that is a value.
    #[inline]
    pub(super) fn approach(&mut self, text: &str, at: &mut usize) -> bool {
        let (place, inside, start) = (self.place, self.open.last().copied(), *at);
        let mut approach = Approach { place: &mut self.place, at, len: text.len() };
        read_on(text.as_bytes(), start, place, inside, &mut approach) == Err(true)
    }

    /// As [`run`](Self::run), for the few bytes around a cut, and at the end of the text.
    #[inline(never)]
    pub(super) fn run_short(
        &mut self,
        reader: &JsonReader,
        source: &Source<'_>,
        at: &mut usize,
        ask: Ask,
    ) -> Halt {
        self.run(reader, source, at, ask)
    }
}

/// A run.
struct Reading<'a> {
    state: &'a mut State,
    reader: &'a JsonReader,
    source: &'a Source<'a>,
    ask: Ask,
    /// Index after the bytes that are read for good: the position of `state.place`.
    at: &'a mut usize,
}

impl Reading<'_> {
    fn offset_of(&self, at: usize) -> u64 {
        self.source.base + at as u64
    }

    /// A value that is not a container has ended.
    #[inline(always)]
    fn value_ended(&mut self, end: usize, tag: Tag) -> Result<(), Halt> {
        self.reached(Place::AfterValue, end);
        match &self.state.whole {
            None => {
                self.state.is_in_token = false;
                self.state.tag = tag;
                Err(Halt::Token)
            }
            Some(whole) if whole.depth == self.state.open.len() => Err(Halt::Whole),
            Some(_) => Ok(()),
        }
    }
}

impl Parts for Reading<'_> {
    type Error = Halt;

    const CHECKS_UTF8: bool = false;

    #[cold]
    fn fail(&mut self, mut fault: Fault, _spot: Spot) -> Halt {
        if !self.source.is_last && fault.is_cut(self.source.bytes) {
            return Halt::More;
        }
        // A limit on the token at hand may have been passed before.
        let (state, limit) = (&*self.state, self.reader.longest());
        let limit_at = state.offset.saturating_add(limit as u64);
        if state.is_in_token && rank(Kind::TooLarge, limit_at) < rank(fault.kind, self.offset_of(fault.at)) {
            self.state.failed = Some(too_large(state.offset, limit));
            return Halt::Fault;
        }
        if fault.kind == Kind::ByteOrderMark && self.source.base > 0 {
            // It is one at the beginning of the text alone.
            fault.kind = Kind::UnexpectedByte;
        }
        self.state.failed = Some(fault.describe(self.source.bytes, None).moved(self.source.base));
        Halt::Fault
    }

    #[inline(always)]
    fn white_space(&mut self, _from: usize, to: usize) -> Result<(), Halt> {
        *self.at = to;
        Ok(())
    }

    #[inline(always)]
    fn reached(&mut self, next: Place, at: usize) {
        self.state.place = next;
        *self.at = at;
    }

    #[inline(always)]
    fn begins(&mut self, at: usize) -> Result<(), Halt> {
        let state = &mut *self.state;
        let is_name = matches!(state.place, Place::Name | Place::FirstName);
        if !state.is_between() || at >= self.source.bytes.len() {
            return Ok(());
        }
        state.offset = self.source.base + at as u64;
        let depth = state.open.len();
        let whole = |limit, is_kept| Some(Whole { depth, limit, is_kept, too_deep: None });
        match self.ask {
            Ask::Whole if !is_name => state.whole = whole(self.reader.depth_limit(), true),
            Ask::Skip(limit) if !is_name => state.whole = whole(limit, false),
            _ => state.is_in_token = true,
        }
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, container: Container, at: usize) -> Result<(), Halt> {
        let (offset, depth) = (self.offset_of(at), self.state.open.len());
        match &mut self.state.whole {
            None if depth >= self.reader.depth_limit() => {
                let fault = Fault::beyond(Kind::TooDeep, at, self.reader.depth_limit());
                return Err(self.fail(fault, Spot::Value));
            }
            Some(whole) if depth - whole.depth >= whole.limit => {
                whole.too_deep.get_or_insert(offset);
            }
            _ => {}
        }
        self.state.open.push(container);
        let first = if container == Container::Array { Place::FirstItem } else { Place::FirstName };
        self.reached(first, at + 1);
        if self.state.whole.is_some() {
            return Ok(());
        }
        self.state.is_in_token = false;
        self.state.tag = container.into();
        Err(Halt::Opened)
    }

    #[inline(always)]
    fn close(&mut self, at: usize) -> Result<Option<Container>, Halt> {
        let closed = self.state.open.pop();
        self.reached(Place::AfterValue, at + 1);
        match (&self.state.whole, closed) {
            (None, Some(container)) => {
                self.state.offset = self.offset_of(at);
                self.state.tag = container.into();
                Err(Halt::Closed)
            }
            (Some(whole), _) if whole.depth == self.state.open.len() => Err(Halt::Whole),
            _ => Ok(self.state.open.last().copied()),
        }
    }

    #[inline(always)]
    fn string_begins(&mut self, _quote: usize) {
        self.state.has_escapes = false;
    }

    #[inline(always)]
    fn plain_escapes(&mut self) {
        self.state.has_escapes = true;
    }

    fn escape(&mut self, start: usize, end: usize, character: Option<char>, spot: Spot) -> Result<(), Halt> {
        self.state.has_escapes = true;
        if character.is_some() {
            return Ok(());
        }
        if !self.source.is_last && is_cut_pair(self.source.bytes, start, end) {
            return Err(Halt::More);
        }
        // In a whole value the reader looks for it.
        if self.state.whole.is_none() && self.reader.refuses_lone_surrogates() {
            return Err(self.fail(Fault::new(Kind::LoneSurrogate, start, "a surrogate pair"), spot));
        }
        Ok(())
    }

    #[inline(always)]
    fn name(&mut self, _quote: usize, end: usize, _escaped: bool) -> Result<(), Halt> {
        self.reached(Place::Colon, end);
        if self.state.whole.is_some() {
            return Ok(());
        }
        self.state.is_in_token = false;
        self.state.tag = if self.state.has_escapes { Tag::EscapedName } else { Tag::Name };
        Err(Halt::Token)
    }

    #[inline(always)]
    fn string(&mut self, _quote: usize, end: usize, _escaped: bool) -> Result<(), Halt> {
        self.value_ended(end, if self.state.has_escapes { Tag::EscapedString } else { Tag::String })
    }

    #[inline(always)]
    fn number(&mut self, start: usize, number: Number) -> Result<(), Halt> {
        let end = start + number.len;
        if end == self.source.bytes.len() && !self.source.is_last {
            return Err(Halt::More);
        }
        // Of a number that is cut, not all digits are here.
        self.state.may_overflow = number.may_overflow() || self.offset_of(start) != self.state.offset;
        self.value_ended(end, Tag::Number)
    }

    #[inline(always)]
    fn word(&mut self, _start: usize, end: usize, word: Tag) -> Result<(), Halt> {
        self.value_ended(end, word)
    }
}

/// Parts that stop at the first name or value. The compiler reduces the grammar's loop to what lies before it. The
/// error tells whether a value comes next.
struct Approach<'a> {
    place: &'a mut Place,
    at: &'a mut usize,
    len: usize,
}

impl Parts for Approach<'_> {
    type Error = bool;

    const CHECKS_UTF8: bool = false;

    #[inline(always)]
    fn fail(&mut self, _fault: Fault, _spot: Spot) -> bool {
        false
    }

    #[inline(always)]
    fn white_space(&mut self, _from: usize, to: usize) -> Result<(), bool> {
        *self.at = to;
        Ok(())
    }

    #[inline(always)]
    fn reached(&mut self, next: Place, at: usize) {
        (*self.place, *self.at) = (next, at);
    }

    #[inline(always)]
    fn begins(&mut self, at: usize) -> Result<(), bool> {
        Err(at < self.len && !matches!(self.place, Place::Name | Place::FirstName))
    }

    #[inline(always)]
    fn close(&mut self, _at: usize) -> Result<Option<Container>, bool> {
        Err(false)
    }

    #[inline(always)]
    fn open(&mut self, _container: Container, _at: usize) -> Result<(), bool> {
        Err(false)
    }
}

/// A token or a whole value that begins at `offset` is longer than the limit: a fault at the first byte beyond.
#[cold]
pub(super) fn too_large(offset: u64, limit: usize) -> JsonError {
    let expected = alloc::format!("at most {limit} bytes in one name or value");
    JsonError::at(Kind::TooLarge, limit, expected, "more").moved(offset)
}

/// Bytes after the place where a run stopped which cannot be interpreted without more. The next run begins with them.
///
/// They are a part of one or two escapes, of a word, of a number or of a character, at most 14 bytes: of a number only what
/// its grammar needs is kept, the first of a run of digits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cut {
    bytes: [u8; Cut::LONGEST],
    pub(super) len: usize,
}

impl Cut {
    pub(super) const LONGEST: usize = 16;

    /// The bytes that a run left when it stopped at `place`.
    pub(super) fn of(left: &[u8], place: Place) -> Self {
        let mut cut = Cut::default();
        for &byte in left {
            let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
            // A digit behind a digit says nothing: whether a number may go on so depends on the first one, which the grammar
            // has let pass. In a string digits belong to escapes.
            let is_more = is_digit(Some(&byte)) && is_digit(cut.bytes().last());
            if is_more && !matches!(place, Place::Text { .. }) {
                continue;
            }
            match cut.bytes.get_mut(cut.len) {
                Some(to) => *to = byte,
                None => crate::invariant::broken(),
            }
            cut.len += 1;
        }
        cut
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The bytes and what follows them, in a row. Returns how many bytes that is.
    #[inline]
    pub(super) fn join(&self, rest: &[u8], row: &mut [u8; 2 * Cut::LONGEST]) -> usize {
        let len = rest.len().min(Cut::LONGEST);
        let bytes = self.bytes().iter().chain(part(rest, ..len));
        row.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        self.len + len
    }
}
