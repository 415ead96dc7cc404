//! The grammar of JSON for a text that arrives in pieces: an automaton that can stop behind any character.
//!
//! It accepts what [`grammar`](crate::grammar) accepts and stops where that stops, with the same kind of fault; both use
//! the same readers of numbers and escapes. What is its own is remembering, at the end of a piece, which part of a
//! token has been read: a few bytes, however long the token. Of open containers it keeps a bit each.

use alloc::vec::Vec;

use crate::error::JsonErrorKind as Kind;
use crate::grammar::{Container, read_escape};
use crate::number::{NumberState, read_number};
use crate::reader::Tag;
use crate::scan::{plain_run, skip_white_space};

#[derive(Debug, Clone)]
pub(super) struct Machine {
    state: State,
    open: Bits,
    /// Of the string that is being read: whether it has escapes, and where the first half of a surrogate pair is.
    escaped: bool,
    pub(super) lone_surrogate: Option<u64>,
    /// The beginning of an escape that a piece's end cuts.
    partial: Partial,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    AfterValue,
    Done,
    Text { is_name: bool },
    Escape { is_name: bool },
    Number(NumberState),
    Word(&'static [u8], Tag),
}

/// What the machine has just read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Opened(Container),
    Closed(Container),
    /// A member's name or a value that is not a container: what it is, and where it began in this piece; `None` where
    /// that was in an earlier one.
    Token(Tag, Option<usize>),
}

/// The text cannot go on so: the kind, the place, what was expected, and the byte that is there instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) kind: Kind,
    pub(super) at: u64,
    pub(super) expected: &'static str,
    pub(super) found: Option<u8>,
}

/// An escape or two, as far as they have been read.
#[derive(Debug, Clone, Copy, Default)]
struct Partial {
    bytes: [u8; 12],
    len: usize,
}

impl Partial {
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// `bytes` is at most as long as two escapes.
    fn set(&mut self, bytes: &[u8]) {
        self.len = bytes.len().min(self.bytes.len());
        self.bytes.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }
}

/// How far an escape goes.
enum Escape {
    Ends(usize, Option<char>),
    More,
    Bad { at: usize, expected: &'static str },
}

/// The escape at the start of `bytes`, behind which more may come.
fn escape(bytes: &[u8]) -> Escape {
    match read_escape(bytes, 0) {
        Err(fault) if fault.at >= bytes.len() => Escape::More,
        Err(fault) => Escape::Bad { at: fault.at, expected: fault.expected },
        // A high surrogate is judged with the two bytes behind it.
        Ok((end, None)) if is_high(bytes) && b"\\u".starts_with(bytes.get(end..).unwrap_or_default()) => {
            Escape::More
        }
        Ok((end, character)) => Escape::Ends(end, character),
    }
}

/// Whether the escape `\uXXXX` is the first half of a surrogate pair.
fn is_high(bytes: &[u8]) -> bool {
    matches!(bytes, [_, _, b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', ..])
}

impl Machine {
    pub(super) fn new() -> Self {
        Machine {
            state: State::Value,
            open: Bits::default(),
            escaped: false,
            lone_surrogate: None,
            partial: Partial::default(),
        }
    }

    /// How many containers are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len
    }

    /// Whether a piece's end cut a name or a value that is not a container.
    pub(super) fn is_within_token(&self) -> bool {
        matches!(self.state, State::Text { .. } | State::Escape { .. } | State::Number(_) | State::Word(..))
    }

    /// Whether the next thing may be a value.
    pub(super) fn is_before_value(&self) -> bool {
        matches!(self.state, State::Value | State::ValueOrEnd)
    }

    /// A value was read by other means.
    pub(super) fn value_was_read(&mut self) {
        self.state = self.after_value();
    }

    /// The place before the next value or name, or before what ends the container: white space and commas are read.
    #[inline]
    pub(super) fn approach(&mut self, text: &str, at: &mut usize) {
        let bytes = text.as_bytes();
        if self.is_within_token() {
            return;
        }
        *at = skip_white_space(bytes, *at);
        let next = match (self.state, bytes.get(*at)) {
            (State::AfterValue, Some(b',')) if self.open.last() == Some(false) => State::Value,
            (State::AfterValue, Some(b',')) => State::Name,
            (State::Colon, Some(b':')) => State::Value,
            _ => return,
        };
        self.state = next;
        *at = skip_white_space(bytes, *at + 1);
    }

    /// Reads on from the index `at` of a piece that begins at the offset `base`, up to the end of a part or of the
    /// piece.
    pub(super) fn advance(&mut self, text: &str, at: &mut usize, base: u64) -> Result<Option<Part>, Stop> {
        let bytes = text.as_bytes();
        let mut start = None;
        loop {
            match self.state {
                State::Text { is_name } => {
                    *at = plain_run(bytes, *at).end;
                    match bytes.get(*at) {
                        None => return Ok(None),
                        Some(b'"') => {
                            *at += 1;
                            return Ok(Some(self.string_ended(is_name, start)));
                        }
                        Some(b'\\') => {
                            self.escaped = true;
                            self.partial.len = 0;
                            self.state = State::Escape { is_name };
                        }
                        Some(_) => {
                            let expected = "an escaped control character";
                            return Err(stop(Kind::ControlCharacter, bytes, *at, base, expected));
                        }
                    }
                }
                State::Escape { is_name } => {
                    if !self.escape(bytes, at, base)? {
                        return Ok(None);
                    }
                    self.state = State::Text { is_name };
                }
                State::Number(mut digits) => {
                    let rest = bytes.get(*at..).unwrap_or_default();
                    for &byte in rest {
                        match digits.next(byte) {
                            Ok(Some(next)) => digits = next,
                            Ok(None) => {
                                self.state = self.after_value();
                                return Ok(Some(Part::Token(Tag::Number, start)));
                            }
                            Err(expected) => {
                                return Err(stop(Kind::UnexpectedByte, bytes, *at, base, expected));
                            }
                        }
                        *at += 1;
                    }
                    self.state = State::Number(digits);
                    return Ok(None);
                }
                State::Word(rest, tag) => {
                    let ahead = bytes.get(*at..).unwrap_or_default();
                    let same = core::iter::zip(rest, ahead).take_while(|(a, b)| a == b).count();
                    *at += same;
                    let left = rest.get(same..).unwrap_or_default();
                    if left.is_empty() {
                        self.state = self.after_value();
                        return Ok(Some(Part::Token(tag, start)));
                    }
                    self.state = State::Word(left, tag);
                    if *at < bytes.len() {
                        let expected = match tag {
                            Tag::True => "`true`",
                            Tag::False => "`false`",
                            _ => "`null`",
                        };
                        return Err(stop(Kind::UnexpectedByte, bytes, *at, base, expected));
                    }
                    return Ok(None);
                }
                _ => {
                    *at = skip_white_space(bytes, *at);
                    if *at >= bytes.len() {
                        return Ok(None);
                    }
                    let before = *at;
                    if let Some(part) = self.step(bytes, at, base)? {
                        return Ok(Some(part));
                    }
                    start = Some(before);
                }
            }
        }
    }

    /// Reads one byte between tokens, or the first of a token.
    #[inline]
    fn step(&mut self, bytes: &[u8], at: &mut usize, base: u64) -> Result<Option<Part>, Stop> {
        let Some(&byte) = bytes.get(*at) else { return Ok(None) };
        let unexpected = |expected: &'static str| Err(stop(Kind::UnexpectedByte, bytes, *at, base, expected));
        match (self.state, byte) {
            (State::Value | State::ValueOrEnd, b'"') => self.string_begins(false),
            (State::Name | State::NameOrEnd, b'"') => self.string_begins(true),
            (State::Value | State::ValueOrEnd, b'{') => {
                self.open.push(true);
                self.state = State::NameOrEnd;
                *at += 1;
                return Ok(Some(Part::Opened(Container::Object)));
            }
            (State::Value | State::ValueOrEnd, b'[') => {
                self.open.push(false);
                self.state = State::ValueOrEnd;
                *at += 1;
                return Ok(Some(Part::Opened(Container::Array)));
            }
            (State::Value | State::ValueOrEnd, b'-' | b'0'..=b'9') => {
                let start = *at;
                let rest = bytes.get(start..).unwrap_or_default();
                if let Ok(number) = read_number(rest)
                    && number.len < rest.len()
                {
                    *at += number.len;
                    self.state = self.after_value();
                    return Ok(Some(Part::Token(Tag::Number, Some(start))));
                }
                self.state = State::Number(NumberState::first(byte));
            }
            (State::Value | State::ValueOrEnd, b't') => self.state = State::Word(b"rue", Tag::True),
            (State::Value | State::ValueOrEnd, b'f') => self.state = State::Word(b"alse", Tag::False),
            (State::Value | State::ValueOrEnd, b'n') => self.state = State::Word(b"ull", Tag::Null),
            (State::ValueOrEnd | State::AfterValue, b']') if self.open.last() == Some(false) => {
                *at += 1;
                return Ok(Some(self.close(Container::Array)));
            }
            (State::NameOrEnd | State::AfterValue, b'}') if self.open.last() == Some(true) => {
                *at += 1;
                return Ok(Some(self.close(Container::Object)));
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::AfterValue, b',') => {
                self.state = if self.open.last() == Some(true) { State::Name } else { State::Value };
            }
            (State::Value, 0xEF)
                if base == 0 && *at == 0 && bytes.starts_with(b"\xEF\xBB\xBF") && self.open.len == 0 =>
            {
                return Err(stop(Kind::ByteOrderMark, bytes, *at, base, "a value"));
            }
            (State::Done, _) => return Err(stop(Kind::TrailingData, bytes, *at, base, "the end")),
            (State::Colon, _) => return unexpected("`:`"),
            (State::Name | State::NameOrEnd, _) => return unexpected("a member name"),
            (State::AfterValue, _) if self.open.last() == Some(true) => return unexpected("`,` or `}`"),
            (State::AfterValue, _) => return unexpected("`,` or `]`"),
            _ => return unexpected("a value"),
        }
        *at += 1;
        Ok(None)
    }

    fn string_begins(&mut self, is_name: bool) {
        self.escaped = false;
        self.lone_surrogate = None;
        self.state = State::Text { is_name };
    }

    fn string_ended(&mut self, is_name: bool, start: Option<usize>) -> Part {
        let tag = match (is_name, self.escaped) {
            (true, false) => Tag::Name,
            (true, true) => Tag::EscapedName,
            (false, false) => Tag::String,
            (false, true) => Tag::EscapedString,
        };
        self.state = if is_name { State::Colon } else { self.after_value() };
        Part::Token(tag, start)
    }

    fn close(&mut self, container: Container) -> Part {
        self.open.pop();
        self.state = self.after_value();
        Part::Closed(container)
    }

    fn after_value(&self) -> State {
        if self.open.len == 0 { State::Done } else { State::AfterValue }
    }

    /// Reads the escape at `at`, or the rest of one that began in an earlier piece. False where this piece ends within.
    fn escape(&mut self, bytes: &[u8], at: &mut usize, base: u64) -> Result<bool, Stop> {
        if self.partial.len == 0 {
            let rest = bytes.get(*at..).unwrap_or_default();
            match escape(rest) {
                Escape::Ends(len, character) => {
                    self.note(character, base + *at as u64);
                    *at += len;
                    return Ok(true);
                }
                Escape::Bad { at: bad, expected } => {
                    return Err(stop(Kind::InvalidEscape, bytes, *at + bad, base, expected));
                }
                Escape::More => {
                    self.partial.set(rest);
                    *at = bytes.len();
                    return Ok(false);
                }
            }
        }
        loop {
            // The escape's first byte is before this piece, unless it is the second of two.
            let start = base + *at as u64 - self.partial.len as u64;
            match escape(self.partial.bytes()) {
                Escape::More => match bytes.get(*at) {
                    None => return Ok(false),
                    Some(&byte) => {
                        self.partial.push(byte);
                        *at += 1;
                    }
                },
                Escape::Bad { at: bad, expected } => {
                    let found = self.partial.bytes().get(bad).copied();
                    return Err(Stop { kind: Kind::InvalidEscape, at: start + bad as u64, expected, found });
                }
                Escape::Ends(len, character) => {
                    self.note(character, start);
                    let partial = self.partial;
                    let behind = partial.bytes().get(len..).unwrap_or_default();
                    match behind {
                        [] => return Ok(true),
                        // It was read to judge a high surrogate, and is an escape of its own.
                        [b'\\', ..] => self.partial.set(behind),
                        _ => {
                            // The byte just taken.
                            *at -= 1;
                            return Ok(true);
                        }
                    }
                }
            }
        }
    }

    fn note(&mut self, character: Option<char>, at: u64) {
        if character.is_none() {
            self.lone_surrogate.get_or_insert(at);
        }
    }

    /// Nothing that could complete an escape is to come: the text goes wrong or ends at the offset `end`.
    pub(super) fn judge_partial(&mut self, end: u64) {
        if matches!(self.state, State::Escape { .. })
            && let Ok((_, None)) = read_escape(self.partial.bytes(), 0)
        {
            self.note(None, end.saturating_sub(self.partial.len as u64));
        }
    }

    /// Whether what was read last is a number that may end here.
    pub(super) fn is_whole_number(&self) -> bool {
        matches!(self.state, State::Number(digits) if digits.end().is_none())
    }

    /// The text ends at the offset `end`. Returns the number that only the end ends.
    pub(super) fn finish(&mut self, end: u64) -> Result<Option<Part>, Stop> {
        let expected = match self.state {
            State::Done => return Ok(None),
            State::Number(digits) => match digits.end() {
                None if self.open.len == 0 => {
                    self.state = State::Done;
                    return Ok(Some(Part::Token(Tag::Number, None)));
                }
                None if self.open.last() == Some(true) => "`,` or `}`",
                None => "`,` or `]`",
                Some(expected) => expected,
            },
            State::Text { .. } | State::Escape { .. } => "`\"`",
            State::Word(_, Tag::True) => "`true`",
            State::Word(_, Tag::False) => "`false`",
            State::Word(..) => "`null`",
            State::Value | State::ValueOrEnd => "a value",
            State::Name | State::NameOrEnd => "a member name",
            State::Colon => "`:`",
            State::AfterValue if self.open.last() == Some(true) => "`,` or `}`",
            State::AfterValue => "`,` or `]`",
        };
        Err(Stop { kind: Kind::UnexpectedEnd, at: end, expected, found: None })
    }
}

#[cold]
fn stop(kind: Kind, bytes: &[u8], at: usize, base: u64, expected: &'static str) -> Stop {
    Stop { kind, at: base + at as u64, expected, found: bytes.get(at).copied() }
}

/// The open containers, outermost first: true for an object.
#[derive(Debug, Clone, Default)]
struct Bits {
    words: Vec<u64>,
    /// The bits that have no word of their own yet, the last one lowest.
    last: u64,
    len: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.len > 0 && self.len.is_multiple_of(64) {
            self.words.push(self.last);
        }
        self.last = self.last << 1 | u64::from(bit);
        self.len += 1;
    }

    fn pop(&mut self) {
        let Some(len) = self.len.checked_sub(1) else { return };
        self.len = len;
        self.last >>= 1;
        if len > 0 && len.is_multiple_of(64) {
            self.last = self.words.pop().unwrap_or_default();
        }
    }

    #[inline]
    fn last(&self) -> Option<bool> {
        (self.len > 0).then_some(self.last & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_a_stack() {
        let (mut bits, mut plain) = (Bits::default(), Vec::new());
        let mut seed = 1_u64;
        for round in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let grows = if round < 10_000 { seed >> 60 < 9 } else { seed >> 60 < 6 };
            if grows {
                bits.push(seed >> 40 & 1 == 1);
                plain.push(seed >> 40 & 1 == 1);
            } else {
                bits.pop();
                plain.pop();
            }
            assert_eq!((bits.last(), bits.len), (plain.last().copied(), plain.len()));
        }
    }
}
