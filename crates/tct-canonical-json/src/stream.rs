//! JSON text that arrives in pieces, of any size: the same grammar as that of [`JsonReader`], in events.
//!
//! ```text
//! pieces   {"version":1,"ite │ ms":[{"url":"https://… │ …"},{"url":"…"}]}
//! events   ObjectStart  Name("version")  Value(1)  Name("items")  ArrayStart  Value({…})  Value({…})  ArrayEnd  ObjectEnd
//! ```
//!
//! Any split into pieces gives the same events and the same error. Memory is that of what a piece's end cuts: one name,
//! one string, or one value that was asked for as a whole, and a bit for each open container. Time is linear.

mod machine;

use alloc::string::String;
use core::fmt;

use crate::error::{Found, JsonError, JsonErrorKind as Kind};
use crate::grammar::Container;
use crate::reader::{JsonKind, JsonName, JsonReader, JsonTape, JsonValue, Tag};
use machine::{Machine, Part, Stop};

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
    /// A value asked for as a whole, which is JSON but was not kept: it passes a limit, or has more than one meaning.
    /// The error's offset is that in the stream. The stream goes on.
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
/// The reader's limits hold so: `max_bytes` for each name, string, number and whole value, since that is what has to be
/// kept; `max_depth` for the containers open in the stream and, counted anew, for those in a whole or skipped value; the
/// others as they are, `max_values` in each whole value. [`max_total_bytes`](Self::max_total_bytes) is for the text.
///
/// Repeated names are found in whole values alone: a stream does not keep the names that it has handed out. Skipped
/// values are held to the grammar and to `max_depth`.
#[derive(Debug, Clone)]
pub struct JsonStream {
    reader: JsonReader,
    max_total_bytes: u64,
    machine: Machine,
    /// Bytes taken so far.
    taken: u64,
    /// The beginning of a character that a piece's end cuts.
    cut: Cut,
    /// What is kept of earlier pieces: the beginning of a token or of a whole value.
    carry: String,
    whole: Option<Whole>,
    /// Offset of the token or the value that the last event is of.
    offset: u64,
    /// An event that was complete before its piece was looked at.
    ready: Option<Ready>,
    failed: Option<JsonError>,
    tape: JsonTape,
}

/// A value that is read as a whole.
#[derive(Debug, Clone)]
struct Whole {
    /// How many containers are open around it.
    depth: usize,
    /// How many containers may be inside each other in it.
    limit: usize,
    is_kept: bool,
    refused: Option<JsonError>,
}

#[derive(Debug, Clone, Copy)]
enum Ready {
    Token(Tag),
    Whole,
}

/// Up to three bytes of a character.
#[derive(Debug, Clone, Copy, Default)]
struct Cut {
    bytes: [u8; 4],
    len: usize,
}

impl Cut {
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }
}

impl JsonStream {
    /// A stream with the limits and the strictness of a reader.
    #[must_use]
    pub fn new(reader: JsonReader) -> Self {
        JsonStream {
            reader,
            max_total_bytes: u64::MAX,
            machine: Machine::new(),
            taken: 0,
            cut: Cut::default(),
            carry: String::new(),
            whole: None,
            offset: 0,
            ready: None,
            failed: None,
            tape: JsonTape::default(),
        }
    }

    /// Sets how many bytes the whole text may have; not limited in a new stream, whose memory does not depend on it.
    #[must_use]
    pub const fn max_total_bytes(mut self, bytes: u64) -> Self {
        self.max_total_bytes = bytes;
        self
    }

    /// Takes the next piece, of any length, also none. Events that are not asked for are lost; the text is read to the
    /// end of the piece nevertheless.
    pub fn push<'s>(&'s mut self, piece: &'s [u8]) -> JsonEvents<'s> {
        let left = usize::try_from(self.max_total_bytes.saturating_sub(self.taken)).unwrap_or(usize::MAX);
        let given = piece;
        let (piece, mut then) = match piece.split_at_checked(left) {
            Some((piece, beyond)) if !beyond.is_empty() => (piece, Some(Kind::TooLarge)),
            _ => (piece, None),
        };
        let rest = self.complete_cut_character(piece);
        let base = self.taken + (piece.len() - rest.len()) as u64;
        let tail = given.get(piece.len() - rest.len()..).unwrap_or_default();
        self.taken += piece.len() as u64;
        let text = match simdutf8::compat::from_utf8(rest) {
            Ok(text) => text,
            Err(error) => {
                let (valid, invalid) = rest.split_at_checked(error.valid_up_to()).unwrap_or((rest, &[]));
                match error.error_len().filter(|_| !is_half_surrogate(invalid)) {
                    None if then.is_none() => invalid.iter().for_each(|&byte| self.cut.push(byte)),
                    None => {}
                    Some(_) => then = Some(kind_of_invalid(invalid)),
                }
                core::str::from_utf8(valid).unwrap_or_default()
            }
        };
        JsonEvents { stream: self, text, tail, at: 0, base, then, is_stopped: false }
    }

    /// Ends the text. Returns the last event where only the end ends it: a number that is the whole text.
    ///
    /// # Errors
    /// The error that ended the reading before, or that the text is not complete.
    pub fn finish(&mut self) -> Result<Option<JsonEvent<'_>>, JsonError> {
        if let Some(ready) = self.ready.take() {
            return self.event_of(ready).map(Some);
        }
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let end = self.taken - self.cut.len as u64;
        if self.cut.len > 0 && self.machine.is_whole_number() {
            // The number ends before the cut character, and is judged first.
            let stop = Stop { kind: Kind::InvalidUtf8, at: end, expected: "UTF-8", found: None };
            return Err(self.stop(stop));
        }
        let stopped = match self.machine.finish(end) {
            Ok(None) if self.cut.len == 0 => return Ok(None),
            Ok(Some(_)) if self.cut.len == 0 => {
                let ready = if self.whole.is_some() { Ready::Whole } else { Ready::Token(Tag::Number) };
                return self.event_of(ready).map(Some);
            }
            Ok(_) => Stop { kind: Kind::InvalidUtf8, at: end, expected: "UTF-8", found: None },
            Err(stop) if self.cut.len > 0 => Stop { kind: Kind::InvalidUtf8, expected: "UTF-8", ..stop },
            Err(stop) => stop,
        };
        Err(self.stop(stopped))
    }

    /// Offset of the first byte of what the last event was of.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes have been taken.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.taken
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.machine.depth()
    }

    /// Completes the character that the last piece cut. Returns what follows it.
    fn complete_cut_character<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        let mut rest = piece;
        while self.cut.len > 0
            && let Some((&byte, tail)) = rest.split_first()
        {
            let start = self.taken + (piece.len() - rest.len()) as u64 - self.cut.len as u64;
            let mut cut = self.cut;
            cut.push(byte);
            match core::str::from_utf8(cut.bytes()) {
                Ok(character) => {
                    self.cut = Cut::default();
                    rest = tail;
                    self.read_character(character, start);
                }
                Err(error) if error.error_len().is_none() || is_half_surrogate(cut.bytes()) => {
                    self.cut = cut;
                    rest = tail;
                }
                Err(_) => {
                    let (kind, found) = (kind_of_invalid(cut.bytes()), cut.bytes.first().copied());
                    let stop = Stop { kind, at: start, expected: "UTF-8", found };
                    self.cut = Cut::default();
                    if self.failed.is_none() {
                        let _ = self.stop(stop);
                    }
                    return &[];
                }
            }
        }
        rest
    }

    /// Reads a character beyond ASCII: a part of a string, or a fault.
    fn read_character(&mut self, character: &str, start: u64) {
        if self.failed.is_some() {
            return;
        }
        let mut at = 0;
        match self.machine.advance(character, &mut at, start) {
            Ok(None) => self.keep(character),
            Ok(Some(Part::Token(tag, _))) => {
                // A number has ended before the character, which cannot follow one.
                let ends_whole = self.whole.as_ref().is_some_and(|whole| whole.depth == self.machine.depth());
                if self.whole.is_none() || ends_whole {
                    self.ready = Some(if ends_whole { Ready::Whole } else { Ready::Token(tag) });
                }
                if let Err(stop) = self.machine.advance(character, &mut at, start) {
                    let _ = self.stop(stop);
                }
            }
            Ok(Some(_)) => {}
            Err(stop) => {
                let _ = self.stop(stop);
            }
        }
    }

    /// Keeps a piece of the token or of the value that it cuts.
    fn keep(&mut self, piece: &str) {
        let limit = self.reader.longest();
        if let Some(whole) = &mut self.whole {
            if !whole.is_kept || whole.refused.is_some() {
                return;
            }
            if self.carry.len() + piece.len() > limit {
                let at = self.offset + limit as u64;
                whole.refused = Some(too_large(at, limit));
                self.carry = String::new();
                return;
            }
        } else if self.carry.len() + piece.len() > limit {
            self.failed.get_or_insert(too_large(self.offset + limit as u64, limit));
            return;
        }
        self.carry.push_str(piece);
    }

    /// Notes what ended the reading, and returns it.
    #[cold]
    fn stop(&mut self, stop: Stop) -> JsonError {
        self.machine.judge_partial(stop.at);
        // A number that ends here because the text does is judged first: it is earlier.
        if self.whole.is_none() && !self.carry.is_empty() && self.machine.is_whole_number() {
            let refused = self.reader.check_token(Tag::Number, &self.carry).err();
            if let Some(error) = refused.filter(|error| error.kind() == Kind::NumberOverflow) {
                return self.failed.get_or_insert(error.moved(self.offset)).clone();
            }
        }
        let lone = self.machine.lone_surrogate.filter(|&at| {
            let is_judged = self.machine.is_within_token() && self.whole.is_none();
            at < stop.at && is_judged && self.reader.refuses_lone_surrogates()
        });
        let error = lone.map_or_else(|| error_of(stop), lone_surrogate);
        self.failed.get_or_insert(error).clone()
    }

    /// The event of what the carry holds.
    fn event_of(&mut self, ready: Ready) -> Result<JsonEvent<'_>, JsonError> {
        match ready {
            Ready::Token(tag) => {
                // What was noted already is behind the token: a fault of the token's own is earlier.
                let behind = self.failed.take();
                self.check_token(tag, self.carry.len())?;
                if let Err(error) = self.reader.check_token(tag, &self.carry) {
                    return Err(self.failed.insert(error.moved(self.offset)).clone());
                }
                self.failed = behind;
                Ok(token_event(tag, &self.carry, &mut self.tape))
            }
            Ready::Whole => {
                let whole = self.whole.take();
                Ok(match whole {
                    Some(Whole { refused: Some(error), .. }) => JsonEvent::Refused(error),
                    Some(Whole { is_kept: true, .. }) => {
                        whole_event(&self.reader, &self.carry, self.offset, &mut self.tape)
                    }
                    _ => JsonEvent::Skipped,
                })
            }
        }
    }

    /// Holds a token of so many bytes to the limits and the strictness of the reader.
    #[inline]
    fn check_token(&mut self, tag: Tag, len: usize) -> Result<(), JsonError> {
        let limit = self.reader.longest();
        let error = if len > limit {
            too_large(self.offset + limit as u64, limit)
        } else if let Some(at) = self.machine.lone_surrogate.take()
            && self.reader.refuses_lone_surrogates()
            && matches!(tag, Tag::EscapedName | Tag::EscapedString)
        {
            lone_surrogate(at)
        } else {
            return Ok(());
        };
        Err(self.failed.get_or_insert(error).clone())
    }
}

/// The event of a name or of a value that is not a container, whose literal is `text`.
#[inline]
fn token_event<'a>(tag: Tag, text: &'a str, tape: &'a mut JsonTape) -> JsonEvent<'a> {
    let value = tape.single(tag, text);
    match tag {
        Tag::Name | Tag::EscapedName => JsonEvent::Name(JsonName::of(value)),
        _ => JsonEvent::Value(value),
    }
}

/// The event of a whole value, which the grammar has let through.
fn whole_event<'a>(reader: &JsonReader, text: &'a str, offset: u64, tape: &'a mut JsonTape) -> JsonEvent<'a> {
    match reader.read_str_into(text, tape) {
        Ok(value) => JsonEvent::Value(value),
        Err(error) => JsonEvent::Refused(error.moved(offset)),
    }
}

fn error_of(stop: Stop) -> JsonError {
    let found = match (stop.kind, stop.found) {
        (Kind::ByteOrderMark, _) => Found::Words("a byte order mark".into()),
        (Kind::LoneSurrogate, _) => Found::Words("a surrogate".into()),
        (Kind::TooLarge | Kind::TooDeep, _) => Found::Words("more".into()),
        (_, Some(byte)) => Found::Byte(byte),
        (Kind::UnexpectedEnd, None) => Found::End,
        (_, None) => Found::Words("something else".into()),
    };
    JsonError::at(stop.kind, offset_of(stop.at), stop.expected, found)
}

fn lone_surrogate(at: u64) -> JsonError {
    let found = Found::Words("half of one".into());
    JsonError::at(Kind::LoneSurrogate, offset_of(at), "a surrogate pair", found)
}

fn too_large(at: u64, limit: usize) -> JsonError {
    let expected = alloc::format!("at most {limit} bytes in one name or value");
    JsonError::at(Kind::TooLarge, offset_of(at), expected, Found::Words("more".into()))
}

fn too_deep(at: u64, limit: usize) -> JsonError {
    let expected = alloc::format!("at most {limit} nested arrays and objects");
    JsonError::at(Kind::TooDeep, offset_of(at), expected, Found::Words("one more".into()))
}

/// Offsets in errors are of the machine's size; a text beyond that is only read in pieces where memory is small.
fn offset_of(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// Whether a third byte decides what is wrong: an encoded surrogate, or something else.
fn is_half_surrogate(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xA0..=0xBF])
}

fn kind_of_invalid(bytes: &[u8]) -> Kind {
    match bytes {
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => Kind::LoneSurrogate,
        _ => Kind::InvalidUtf8,
    }
}

/// The events of one piece.
#[must_use]
pub struct JsonEvents<'s> {
    stream: &'s mut JsonStream,
    /// The part of the piece that is UTF-8.
    text: &'s str,
    /// The piece from there on, to its end.
    tail: &'s [u8],
    at: usize,
    /// Offset of `text` in the stream.
    base: u64,
    /// What is wrong behind `text`.
    then: Option<Kind>,
    is_stopped: bool,
}

/// How the next value is handed out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Events,
    Whole,
    Skip,
    SkipWithin(usize),
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
        self.next_in(Mode::Events)
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

    /// As [`next_whole`](Self::next_whole), with a short cut for values that the caller knows by their beginning:
    /// where `recognise` is given the piece from a value's first byte on and answers with a length, so much of it is
    /// handed out as [`JsonEvent::Recognised`] and not looked at.
    ///
    /// It must answer `None` for everything but a complete JSON value: what it lets through is not checked again.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    #[inline]
    pub fn next_recognised(
        &mut self,
        recognise: impl FnOnce(&str) -> Option<usize>,
    ) -> Result<Option<JsonEvent<'_>>, JsonError> {
        if self.can_begin_whole() {
            self.stream.machine.approach(self.text, &mut self.at);
            let rest = self.text.get(self.at..).unwrap_or_default();
            let begins = rest.as_bytes().first().is_some_and(|&byte| byte != b']');
            if begins && self.stream.machine.is_before_value() {
                self.stream.offset = self.base + self.at as u64;
                if let Some(len) = recognise(rest)
                    && let Some(value) = rest.get(..len)
                {
                    self.at += len;
                    self.stream.machine.value_was_read();
                    return Ok(Some(JsonEvent::Recognised(value)));
                }
                // Most values lie within their piece: one pass, right into the tape.
                let reader = self.stream.reader;
                if let Some(len) = reader.read_first_into(rest, &mut self.stream.tape) {
                    self.at += len;
                    self.stream.machine.value_was_read();
                    return Ok(Some(JsonEvent::Value(self.stream.tape.first_in(rest))));
                }
            }
        }
        self.next_in(Mode::Whole)
    }

    /// As [`next`](Self::next), but a value that comes next is passed over: [`JsonEvent::Skipped`].
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn skip_next(&mut self) -> Result<Option<JsonEvent<'_>>, JsonError> {
        self.next_in(Mode::Skip)
    }

    /// As [`skip_next`](Self::skip_next), where a value may have so many containers inside each other instead of the
    /// reader's limit; with more it is [`JsonEvent::Refused`].
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn skip_next_within(&mut self, max_depth: usize) -> Result<Option<JsonEvent<'_>>, JsonError> {
        self.next_in(Mode::SkipWithin(max_depth))
    }

    /// The type of the value that comes next, by its first byte. `None` where no value begins here: something else
    /// comes next, the piece is used up, or its beginning belongs to a value of an earlier piece.
    #[inline]
    pub fn next_kind(&mut self) -> Option<JsonKind> {
        if !self.can_begin_whole() {
            return None;
        }
        self.stream.machine.approach(self.text, &mut self.at);
        let first = self.text.as_bytes().get(self.at).filter(|_| self.stream.machine.is_before_value())?;
        self.stream.offset = self.base + self.at as u64;
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
        let rest = self.tail.get(self.at..).unwrap_or_default();
        if !rest.is_empty() {
            // The beginning of a character at the piece's end is among the bytes that are given back.
            self.stream.cut = Cut::default();
            self.stream.taken = self.base + self.at as u64;
        }
        self.base += self.at as u64;
        (self.text, self.tail, self.at, self.then) = ("", b"", 0, None);
        self.is_stopped = true;
        rest
    }

    /// Offset in the text of the first byte of what the last event was of.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.stream.offset
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stream.machine.depth()
    }

    /// Whether nothing is left over from earlier calls.
    #[inline]
    fn can_begin_whole(&self) -> bool {
        let stream = &*self.stream;
        stream.whole.is_none() && stream.ready.is_none() && stream.failed.is_none()
    }

    fn next_in(&mut self, mode: Mode) -> Result<Option<JsonEvent<'_>>, JsonError> {
        if let Some(ready) = self.stream.ready.take() {
            return self.stream.event_of(ready).map(Some);
        }
        if let Some(error) = &self.stream.failed {
            return Err(error.clone());
        }
        // Where the token or the value at hand begins in this piece.
        let mut start = None;
        let within = self.stream.machine.is_within_token() || self.stream.whole.is_some();
        if !within {
            self.stream.carry.clear();
            if mode != Mode::Events {
                self.stream.machine.approach(self.text, &mut self.at);
            }
            let begins = self.text.as_bytes().get(self.at).is_some_and(|&byte| byte != b']');
            if mode != Mode::Events && begins && self.stream.machine.is_before_value() {
                self.stream.offset = self.base + self.at as u64;
                start = Some(self.at);
                let depth = self.stream.machine.depth();
                let limit = match mode {
                    Mode::SkipWithin(limit) => limit,
                    _ => self.stream.reader.depth_limit(),
                };
                let is_kept = mode == Mode::Whole;
                self.stream.whole = Some(Whole { depth, limit, is_kept, refused: None });
            }
        }
        loop {
            let before = self.at;
            let part = match self.stream.machine.advance(self.text, &mut self.at, self.base) {
                Ok(part) => part,
                Err(stop) => return Err(self.stop_within(stop, before)),
            };
            let Some(part) = part else { return self.used_up(start, before) };
            if self.stream.whole.is_some() {
                if let Part::Opened(_) = part {
                    self.check_depth();
                }
                if self.stream.whole.as_ref().is_some_and(|whole| whole.depth < self.depth()) {
                    continue;
                }
                return self.whole_ended(start);
            }
            return self.event_of_part(part);
        }
    }

    fn event_of_part(&mut self, part: Part) -> Result<Option<JsonEvent<'_>>, JsonError> {
        let end = self.at;
        Ok(Some(match part {
            Part::Opened(container) => {
                self.stream.offset = self.base + (end - 1) as u64;
                let limit = self.stream.reader.depth_limit();
                if self.depth() > limit {
                    let error = too_deep(self.stream.offset, limit);
                    return Err(self.stream.failed.get_or_insert(error).clone());
                }
                match container {
                    Container::Array => JsonEvent::ArrayStart,
                    Container::Object => JsonEvent::ObjectStart,
                }
            }
            Part::Closed(container) => {
                self.stream.offset = self.base + (end - 1) as u64;
                match container {
                    Container::Array => JsonEvent::ArrayEnd,
                    Container::Object => JsonEvent::ObjectEnd,
                }
            }
            Part::Token(tag, Some(start)) => {
                self.stream.offset = self.base + start as u64;
                self.stream.check_token(tag, end - start)?;
                let text = self.text.get(start..end).unwrap_or_default();
                return self.checked_token(tag, Some(text)).map(Some);
            }
            Part::Token(tag, None) => {
                self.stream.keep(self.text.get(..end).unwrap_or_default());
                self.stream.check_token(tag, self.stream.carry.len())?;
                return self.checked_token(tag, None).map(Some);
            }
        }))
    }

    /// The event of a token, in the carry or in this piece, if the reader's limits let it through.
    fn checked_token<'e>(&'e mut self, tag: Tag, text: Option<&'e str>) -> Result<JsonEvent<'e>, JsonError> {
        let stream = &mut *self.stream;
        if let Some(error) = &stream.failed {
            return Err(error.clone());
        }
        let text = text.unwrap_or(&stream.carry);
        if let Err(error) = stream.reader.check_token(tag, text) {
            return Err(stream.failed.get_or_insert(error.moved(stream.offset)).clone());
        }
        Ok(token_event(tag, text, &mut stream.tape))
    }

    fn check_depth(&mut self) {
        let (depth, at) = (self.depth(), self.base + (self.at - 1) as u64);
        if let Some(whole) = &mut self.stream.whole
            && depth - whole.depth > whole.limit
            && whole.refused.is_none()
        {
            whole.refused = Some(too_deep(at, whole.limit));
            self.stream.carry = String::new();
        }
    }

    /// A whole value has ended, which began in this piece or in an earlier one.
    fn whole_ended(&mut self, start: Option<usize>) -> Result<Option<JsonEvent<'_>>, JsonError> {
        let piece = self.text.get(start.unwrap_or(0)..self.at).unwrap_or_default();
        let stream = &mut *self.stream;
        let is_in_piece = start.is_some();
        if !is_in_piece {
            stream.keep(piece);
        }
        Ok(Some(match stream.whole.take() {
            Some(Whole { refused: Some(error), .. }) => JsonEvent::Refused(error),
            Some(Whole { is_kept: true, .. }) => {
                let text = if is_in_piece { piece } else { stream.carry.as_str() };
                whole_event(&stream.reader, text, stream.offset, &mut stream.tape)
            }
            _ => JsonEvent::Skipped,
        }))
    }

    /// Notes what ended the reading. A token that is too long at that place already is refused for that.
    #[cold]
    fn stop_within(&mut self, stop: Stop, before: usize) -> JsonError {
        let stream = &mut *self.stream;
        if stream.whole.is_none() && stream.machine.is_within_token() {
            if stream.carry.is_empty() {
                let rest = self.text.get(before..).unwrap_or_default();
                stream.offset = self.base + (before + rest.len() - token_of(rest).len()) as u64;
            }
            let limit = stream.reader.longest();
            if stop.at - stream.offset > limit as u64 {
                let error = too_large(stream.offset + limit as u64, limit);
                return stream.failed.get_or_insert(error).clone();
            }
        }
        stream.stop(stop)
    }

    /// The piece has ended within whatever began at `start`, or in an earlier piece.
    fn used_up(&mut self, start: Option<usize>, before: usize) -> Result<Option<JsonEvent<'_>>, JsonError> {
        let stream = &mut *self.stream;
        if stream.whole.is_some() {
            stream.keep(self.text.get(start.unwrap_or(0)..).unwrap_or_default());
        } else if stream.machine.is_within_token() {
            let was_within = !stream.carry.is_empty();
            // White space, a comma or a colon may be in front of a token that begins here.
            let rest = self.text.get(before..).unwrap_or_default();
            let skipped = if was_within { 0 } else { rest.len() - token_of(rest).len() };
            if !was_within {
                stream.offset = self.base + (before + skipped) as u64;
            }
            stream.keep(rest.get(skipped..).unwrap_or_default());
        }
        let end = self.base + self.text.len() as u64;
        // What was read is kept: a second call has nothing more to keep.
        (self.text, self.tail) = ("", b"");
        self.base = end;
        self.at = 0;
        if let Some(error) = &stream.failed {
            return Err(error.clone());
        }
        match self.then.take() {
            None => Ok(None),
            Some(Kind::TooLarge) => {
                let at = stream.max_total_bytes;
                let stop = Stop { kind: Kind::TooLarge, at, expected: "the end", found: None };
                Err(stream.stop(stop))
            }
            Some(kind) => {
                let stop = Stop { kind, at: end, expected: "UTF-8", found: None };
                Err(stream.stop(stop))
            }
        }
    }
}

/// The token at the end of `rest`, without what is in front of it: white space, commas and colons.
fn token_of(rest: &str) -> &str {
    rest.trim_start_matches([' ', '\n', '\r', '\t', ',', ':'])
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
