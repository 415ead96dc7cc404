//! JSON text that arrives in pieces, of any size: the grammar of [`JsonReader`], in events.
//!
//! ```text
//! pieces   {"version":1,"ite │ ms":[{"url":"https://… │ …"},{"url":"…"}]}
//! events   ObjectStart  Name("version")  Value(1)  Name("items")  ArrayStart  Value({…})  Value({…})  ArrayEnd  ObjectEnd
//! ```
//!
//! Any split into pieces gives the same events and the same error, because there is one grammar, which stops at the end of a
//! piece and continues with the next ([`reading`]). Memory is needed for what the end of a piece cuts (one name, one string,
//! one number, or one value that was asked for as a whole) and a byte for each open container. Time is linear.

mod reading;

use alloc::vec::Vec;
use core::fmt;

use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::fault::{Fault, rank};
use crate::grammar::Place;
use crate::invariant::broken;
use crate::reader::{JsonKind, JsonName, JsonReader, JsonTape, JsonValue, Tag};
use crate::scan::valid_part;
use reading::{Ask, Cut, Halt, Source, State, too_large};

/// What a stream has read.
#[derive(Debug, Clone)]
#[must_use]
pub enum JsonEvent<'a> {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// The name of a member; what comes next is its value.
    Name(JsonName<'a>),
    /// A value: one that is not a container, or any where [`JsonEvents::next_whole`] asked. Its places
    /// ([`JsonValue::span`], [`JsonValue::path`]) count from the value's own first byte.
    Value(JsonValue<'a>),
    /// A value that the caller recognised: [`JsonEvents::next_recognised`].
    Recognised(&'a str),
    /// A value that was passed over: [`JsonEvents::skip_next`].
    Skipped,
    /// A value asked for as a whole that is valid JSON but was refused: it exceeds a limit, or has more than one
    /// meaning. The error's offset counts from the start of the stream. Reading continues after it.
    Refused(JsonError),
}

/// Reads a text that arrives in pieces.
///
/// ```
/// use tct_canonical_json::{JsonEvent, JsonReader, JsonStream};
///
/// let text = br#"{"version":1,"items":[{"url":"https://example.com/"},{"url":"https://example.com/a"}]}"#;
/// let mut stream = JsonStream::new(JsonReader::new().max_bytes(1 << 16));
/// let mut urls = Vec::new();
/// for piece in text.chunks(10) {
///     let mut events = stream.push(piece);
///     // Inside of the array of items, an item at a time; else event by event.
///     while let Some(event) = if events.depth() == 2 { events.next_whole()? } else { events.next()? } {
///         if let JsonEvent::Value(item) = event {
///             urls.extend(item.get("url").and_then(|url| url.as_str()).map(|url| url.into_owned()));
///         }
///     }
/// }
/// stream.finish()?;
/// assert_eq!(urls, ["https://example.com/", "https://example.com/a"]);
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
///
/// The reader's limits apply as follows: `max_bytes` to each name, string, number and whole value, since these are kept
/// in memory; `max_depth` to the containers open in the stream and, counted anew, to those in a whole or skipped value;
/// `max_values` to each whole value; the others unchanged. [`max_total_bytes`](Self::max_total_bytes) is for the text.
///
/// The first fault in the order of the text ends the reading. A whole value within `max_bytes` gives the same error as from
/// the reader; a longer one gives `TooLarge` at the first byte beyond, or `TooDeep` at an earlier container.
///
/// Repeated names are found in whole values alone: a stream does not keep the names that it has handed out. Skipped
/// values are checked against the grammar and `max_depth`.
#[derive(Debug, Clone)]
pub struct JsonStream {
    reader: JsonReader,
    max_total_bytes: u64,
    state: State,
    /// Bytes taken so far.
    taken: u64,
    /// Bytes at the end of the last piece that cannot be interpreted without the next one.
    cut: Cut,
    /// The part of the current token or value that was in earlier pieces.
    kept: Vec<u8>,
    tape: JsonTape,
}

impl JsonStream {
    /// A stream with the limits and the strictness of a reader.
    #[must_use]
    pub fn new(reader: JsonReader) -> Self {
        JsonStream {
            reader,
            max_total_bytes: u64::MAX,
            state: State::new(),
            taken: 0,
            cut: Cut::default(),
            kept: Vec::new(),
            tape: JsonTape::default(),
        }
    }

    /// Sets how many bytes the whole text may have; not limited in a new stream, whose memory does not depend on it.
    #[must_use]
    pub const fn max_total_bytes(mut self, bytes: u64) -> Self {
        self.max_total_bytes = bytes;
        self
    }

    /// Takes the next piece, of any length, which may be empty. Events that are not asked for are lost; the text is
    /// read to the end of the piece nevertheless.
    pub fn push<'s>(&'s mut self, piece: &'s [u8]) -> JsonEvents<'s> {
        let base = self.taken;
        let left = usize::try_from(self.max_total_bytes.saturating_sub(base)).unwrap_or(usize::MAX);
        let bytes = piece.get(..left).unwrap_or(piece);
        self.taken += bytes.len() as u64;
        JsonEvents { stream: self, given: piece, bytes, text: None, at: 0, base, is_stopped: false }
    }

    /// Ends the text. Returns a last event if the text is a single number, which only the end of the text
    /// completes.
    ///
    /// # Errors
    /// The error that ended the reading before, or that the text is not complete.
    pub fn finish(&mut self) -> Result<Option<JsonEvent<'_>>, JsonError> {
        let mut ended = None;
        loop {
            if let Some(error) = &self.state.failed {
                return Err(error.clone());
            }
            let cut = core::mem::take(&mut self.cut);
            let (bytes, base) = (cut.bytes(), self.taken - cut.len as u64);
            let source = Source { bytes, text: valid_part(bytes), base, is_last: true };
            match self.state.run_short(&self.reader, &source, &mut 0, Ask::Events) {
                Halt::More => break,
                // The number that was cut: it may be judged, and the text still goes wrong for what is missing behind it.
                halt => {
                    if halt == Halt::Token {
                        self.state.failed = self.check_token(text_of(&self.kept)).err();
                    }
                    ended = Some(halt);
                }
            }
        }
        let end = self.taken;
        Ok(ended.map(|halt| self.event(halt, None, end)))
    }

    /// Offset of the first byte of what the last event was of.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.state.offset
    }

    /// How many bytes have been taken.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.taken
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.state.open.len()
    }

    /// Checks the limits on whole tokens. Faults inside of the token come first.
    #[inline]
    fn check_token(&self, text: &str) -> Result<(), JsonError> {
        let (state, limit) = (&self.state, self.reader.longest());
        if text.len() > limit {
            return Err(too_large(state.offset, limit));
        }
        if state.tag == Tag::Number && !state.may_overflow {
            return Ok(());
        }
        self.reader.check_token(state.tag, text).map_err(|error| error.moved(state.offset))
    }

    /// The event of the part that a run has read, which ends at the offset `end`. `in_piece` is the token, or the whole value
    /// unless that is too long; `None` where it is kept.
    #[inline(always)]
    fn event<'a>(&'a mut self, halt: Halt, in_piece: Option<&'a str>, end: u64) -> JsonEvent<'a> {
        let JsonStream { reader, state, kept, tape, .. } = self;
        let text = || in_piece.unwrap_or_else(|| text_of(kept));
        match (halt, state.tag) {
            (Halt::Opened, Tag::Array) => JsonEvent::ArrayStart,
            (Halt::Opened, _) => JsonEvent::ObjectStart,
            (Halt::Closed, Tag::Array) => JsonEvent::ArrayEnd,
            (Halt::Closed, _) => JsonEvent::ObjectEnd,
            (Halt::Token, tag @ (Tag::Name | Tag::EscapedName)) => {
                JsonEvent::Name(JsonName::of(tape.single(tag, text())))
            }
            (Halt::Token, tag) => JsonEvent::Value(tape.single(tag, text())),

            _ => {
                let Some(whole) = state.whole.take() else { broken() };
                let (offset, limit) = (state.offset, reader.longest());
                let limit_at = offset.saturating_add(limit as u64);
                let too_deep = || whole.too_deep.map(|at| too_deep(at, whole.limit));
                if !whole.is_kept {
                    return too_deep().map_or(JsonEvent::Skipped, JsonEvent::Refused);
                }
                if end > limit_at {
                    let is_before = |at| rank(Kind::TooDeep, at) < rank(Kind::TooLarge, limit_at);
                    let error = too_deep().filter(|_| whole.too_deep.is_some_and(is_before));
                    return JsonEvent::Refused(error.unwrap_or_else(|| too_large(offset, limit)));
                }
                match reader.read_str_into(text(), tape) {
                    Ok(value) => JsonEvent::Value(value),
                    Err(error) => JsonEvent::Refused(error.moved(offset)),
                }
            }
        }
    }
}

/// What is kept, all of which the grammar has read.
fn text_of(kept: &[u8]) -> &str {
    core::str::from_utf8(kept).unwrap_or_else(|_| broken())
}

#[cold]
fn too_deep(at: u64, limit: usize) -> JsonError {
    Fault::beyond(Kind::TooDeep, 0, limit).describe(b"", None).moved(at)
}

/// The events of one piece.
#[must_use]
pub struct JsonEvents<'s> {
    stream: &'s mut JsonStream,
    /// The piece, from the offset `base` on.
    given: &'s [u8],
    /// As much of it as the text may have.
    bytes: &'s [u8],
    /// As much of that as is UTF-8. Not known before what an earlier piece cut has been completed.
    text: Option<&'s str>,
    at: usize,
    base: u64,
    is_stopped: bool,
}

impl<'s> JsonEvents<'s> {
    /// The next event, or `None` where the piece is used up: push the next one.
    ///
    /// # Errors
    /// The first fault in the order of the text. From then on every call returns that error, also those of later
    /// pieces and [`JsonStream::finish`].
    #[expect(
        clippy::should_implement_trait,
        reason = "an event borrows from the stream, which an iterator's cannot"
    )]
    pub fn next(&mut self) -> Result<Option<JsonEvent<'_>>, JsonError> {
        self.next_in(Ask::Events)
    }

    /// The next event; where that is of a value, the whole value, containers too.
    ///
    /// A value that the piece's end cuts is kept, and handed out by any call once it is complete.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn next_whole(&mut self) -> Result<Option<JsonEvent<'_>>, JsonError> {
        self.next_recognised(|_| None)
    }

    /// As [`next_whole`](Self::next_whole), with a short cut for values that the caller can recognise. `recognise`
    /// is given the piece from a value's first byte on; if it returns a length, that many bytes are handed out as
    /// [`JsonEvent::Recognised`] without being checked.
    ///
    /// It must return `None` for everything except a complete JSON value, because its answer is not checked.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    #[inline]
    pub fn next_recognised(
        &mut self,
        recognise: impl FnOnce(&str) -> Option<usize>,
    ) -> Result<Option<JsonEvent<'_>>, JsonError> {
        if let Some(rest) = self.approach() {
            if let Some(len) = recognise(rest)
                && let Some(value) = rest.get(..len)
            {
                self.value_was_read(len);
                return Ok(Some(JsonEvent::Recognised(value)));
            }
            // Most values lie within their piece: one pass, right into the tape.
            let reader = self.stream.reader;
            if let Some(len) = reader.read_first_into(rest, &mut self.stream.tape) {
                self.value_was_read(len);
                return Ok(Some(JsonEvent::Value(self.stream.tape.first_in(rest))));
            }
        }
        self.next_in(Ask::Whole)
    }

    /// As [`next`](Self::next), but skips a value that comes next: [`JsonEvent::Skipped`]. One that is nested deeper than
    /// `max_depth` is [`JsonEvent::Refused`].
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn skip_next(&mut self, max_depth: usize) -> Result<Option<JsonEvent<'_>>, JsonError> {
        self.next_in(Ask::Skip(max_depth))
    }

    /// The type of the value that comes next, by its first byte. `None` where no value begins here: something else
    /// comes next, the piece is used up, or its beginning belongs to a value of an earlier piece.
    #[inline]
    pub fn next_kind(&mut self) -> Option<JsonKind> {
        let first = self.approach()?.as_bytes().first()?;
        Some(match first {
            b'{' => JsonKind::Object,
            b'[' => JsonKind::Array,
            b'"' => JsonKind::String,
            b'-' | b'0'..=b'9' => JsonKind::Number,
            b't' | b'f' => JsonKind::Bool,
            b'n' => JsonKind::Null,
            _ => return None,
        })
    }

    /// Stops here and returns the bytes of the piece that have not been read. To go on, push them again, before any
    /// others.
    ///
    /// ```
    /// use tct_canonical_json::{JsonReader, JsonStream};
    ///
    /// let mut stream = JsonStream::new(JsonReader::new());
    /// let mut events = stream.push(b"[1, 2]");
    /// events.next()?;
    /// events.next()?;
    /// let rest = events.stop().to_vec();
    /// drop(events);
    /// assert_eq!(rest, b", 2]");
    /// drop(stream.push(&rest));
    /// assert!(stream.finish().is_ok());
    /// # Ok::<(), tct_canonical_json::JsonError>(())
    /// ```
    pub fn stop(&mut self) -> &'s [u8] {
        let rest = self.given.get(self.at..).unwrap_or_default();
        if !rest.is_empty() {
            self.stream.taken = self.base + self.at as u64;
        }
        self.end_piece(self.at);
        self.is_stopped = true;
        rest
    }

    /// Offset in the text of the first byte of what the last event was of.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.stream.state.offset
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stream.state.open.len()
    }

    /// Reads up to the next value, unless a token or value is incomplete. Returns the piece from there on.
    #[inline]
    fn approach(&mut self) -> Option<&'s str> {
        let stream = &*self.stream;
        if stream.state.failed.is_some() || !stream.state.is_between() || stream.cut.len > 0 {
            return None;
        }
        let text = match self.text {
            Some(text) => text,
            None => self.begin_text(),
        };
        // A fault is found again by whoever reads on.
        if !self.stream.state.approach(text, &mut self.at) {
            return None;
        }
        self.stream.state.offset = self.base + self.at as u64;
        text.get(self.at..)
    }

    /// The value that was approached has been read by other means.
    fn value_was_read(&mut self, len: usize) {
        self.at += len;
        self.stream.state.place = Place::AfterValue;
    }

    fn next_in(&mut self, ask: Ask) -> Result<Option<JsonEvent<'_>>, JsonError> {
        if let Some(error) = &self.stream.state.failed {
            return Err(error.clone());
        }
        if self.is_stopped {
            return Ok(None);
        }
        if self.stream.state.is_between() {
            self.stream.kept.clear();
        }
        match self.run(ask) {
            Halt::More => self.used_up().map(|()| None),
            halt => self.event_of(halt).map(Some),
        }
    }

    #[cold]
    fn fail(&mut self, error: JsonError) -> JsonError {
        self.stream.state.failed.insert(error).clone()
    }

    /// Reads on: first what an earlier piece cut, in a row with what follows it.
    #[inline(never)]
    fn run(&mut self, ask: Ask) -> Halt {
        while self.stream.cut.len > 0 {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                return Halt::More;
            }
            let (stream, mut row) = (&mut *self.stream, [0; 2 * Cut::LONGEST]);
            let cut = stream.cut.len;
            let len = stream.cut.join(rest, &mut row);
            let bytes = row.get(..len).unwrap_or_default();
            let base = self.base + self.at as u64 - cut as u64;
            let source = Source { bytes, text: valid_part(bytes), base, is_last: false };
            let mut read = 0;
            let halt = stream.state.run_short(&stream.reader, &source, &mut read, ask);
            let is_more = matches!(halt, Halt::More);
            if let Some(read) = read.checked_sub(cut) {
                self.at += read;
                stream.cut = Cut::default();
            } else if is_more {
                self.at += len - cut;
                stream.cut = Cut::of(bytes.get(read..).unwrap_or_default(), stream.state.place);
            }
            if !is_more {
                return halt;
            }
        }
        let text = match self.text {
            Some(text) => text,
            None => self.begin_text(),
        };
        let stream = &mut *self.stream;
        let source = Source { bytes: self.bytes, text, base: self.base, is_last: false };
        stream.state.run(&stream.reader, &source, &mut self.at, ask)
    }

    /// Nothing is cut any more: from here on, the piece is text.
    fn begin_text(&mut self) -> &'s str {
        if self.at > 0 {
            if !self.stream.state.is_between() {
                self.keep(self.at);
            }
            self.end_piece(self.at);
        }
        let text = valid_part(self.bytes);
        self.text = Some(text);
        text
    }

    /// Goes on as if the piece began at the index `at`.
    fn end_piece(&mut self, at: usize) {
        self.base += at as u64;
        self.given = self.given.get(at..).unwrap_or_default();
        self.bytes = self.bytes.get(at..).unwrap_or_default();
        self.at = 0;
    }

    /// Keeps what the piece has, up to the index `end`, of the token or the whole value at hand.
    fn keep(&mut self, end: usize) {
        let stream = &mut *self.stream;
        let state = &stream.state;
        let from = usize::try_from(state.offset.saturating_sub(self.base)).unwrap_or(end);
        let Some(part) = self.bytes.get(from..end) else { return };
        match state.whole {
            Some(whole) if !whole.is_kept => {}
            // It is refused once it has ended, and not looked at.
            Some(_) if self.base + end as u64 - state.offset > stream.reader.longest() as u64 => {
                stream.kept = Vec::new();
            }
            _ => stream.kept.extend_from_slice(part),
        }
    }

    #[inline(always)]
    fn event_of(&mut self, halt: Halt) -> Result<JsonEvent<'_>, JsonError> {
        let mut token = None;
        if matches!(halt, Halt::Token | Halt::Whole) {
            let start = self.stream.state.offset.checked_sub(self.base);
            let places = self.text.zip(start);
            token = places.and_then(|(text, start)| text.get(usize::try_from(start).ok()?..self.at));
            if token.is_none() {
                self.keep(self.at);
            }
        } else if let Some(error) = &self.stream.state.failed {
            return Err(error.clone());
        }
        let (stream, end) = (&mut *self.stream, self.base + self.at as u64);
        if halt == Halt::Token
            && let Err(error) = stream.check_token(token.unwrap_or_else(|| text_of(&stream.kept)))
        {
            return Err(stream.state.failed.insert(error).clone());
        }
        Ok(stream.event(halt, token, end))
    }

    /// The piece has been read, up to what the next one has to tell.
    fn used_up(&mut self) -> Result<(), JsonError> {
        let (state, end) = (&self.stream.state, self.bytes.len());
        // What is cut may still turn out to be wrong, which comes first if it is within the limit.
        let is_beyond = self.given.len() > end;
        let slack = if is_beyond { 0 } else { Cut::LONGEST };
        let limit = self.stream.reader.longest();
        let len = (self.base + end as u64).saturating_sub(state.offset);
        if state.is_in_token && len > limit.saturating_add(slack) as u64 {
            let error = too_large(state.offset, limit);
            return Err(self.fail(error));
        }
        let (rest, place) = (self.bytes.get(self.at..).unwrap_or_default(), state.place);
        let cut = Cut::of(rest, place);
        if !state.is_between() {
            self.keep(end);
        }
        if cut.len > 0 {
            self.stream.cut = cut;
        }
        // What was read is kept: a second call has nothing more to keep.
        self.end_piece(end);
        self.text = Some("");
        self.is_stopped = true;
        if is_beyond {
            self.given = b"";
            let at = usize::try_from(self.stream.max_total_bytes).unwrap_or(usize::MAX);
            return Err(self.fail(JsonError::at(Kind::TooLarge, at, "the end", "more")));
        }
        Ok(())
    }
}

impl Drop for JsonEvents<'_> {
    /// Reads the piece to its end, so that the next one is read from the right place on. An error is kept.
    fn drop(&mut self) {
        while !self.is_stopped && matches!(self.next(), Ok(Some(_))) {}
    }
}

impl fmt::Debug for JsonEvents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonEvents").field("offset", &(self.base + self.at as u64)).finish_non_exhaustive()
    }
}
