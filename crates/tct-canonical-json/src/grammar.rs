//! The grammar of JSON (RFC 8259): the one loop that every reader in this crate runs on.
//!
//! [`read`] walks a text from its first byte to its last and reports what it finds to the [`Parts`]: a reader that
//! keeps the values (`reader.rs`), one that writes the canonical form (`text.rs`), one that compares with it
//! (`check.rs`). [`read_on`] is the same loop, entered at any [`Place`]: a text in pieces (`stream.rs`) leaves it
//! where a piece ends and comes back with the next. Only this module decides what is JSON. There is no recursion: the
//! parts keep the open containers, and the loop holds only the innermost one's kind.
//!
//! Two properties make it sound to stop at the end of a piece. The loop goes from left to right and never reads a byte
//! before the current place again, so what follows a place depends on what precedes it only through the open
//! containers. And each step decides by the bytes up to the first one that it does not take, so a result that does not
//! touch the end of the available bytes stays the same however the text continues. Three functions tell whether it
//! touches the end: that of the fault ([`Fault::is_cut`](crate::fault::Fault::is_cut)), the check of a number's end,
//! and [`is_cut_pair`].

use crate::error::JsonErrorKind as Kind;
use crate::fault::{Fault, Spot};
use crate::invariant::part;
use crate::number::{Number, read_number};
use crate::reader::Tag;
use crate::scan::{skip_white_space, string_run};
use crate::unescape::{hex4, unescape_letter};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Array,
    Object,
}

/// What comes next in a text, at each position where a reader can stop and resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A value, which must come.
    Value,
    /// The first item of an array, or its end.
    FirstItem,
    /// The first name of an object, or its end.
    FirstName,
    /// A name, which must come.
    Name,
    /// The colon behind a name.
    Colon,
    /// What follows a value: a comma, the end of a container, or that of the text.
    AfterValue,
    /// The rest of a string, behind a whole character or escape.
    Text { is_name: bool },
}

/// Receives the parts of a text. All indices are into the text.
pub(crate) trait Parts {
    type Error;

    /// Whether strings have to be checked for UTF-8. If not, the text is known to be UTF-8 as a whole.
    const CHECKS_UTF8: bool;

    /// The text is not valid JSON, or its strings are not valid Unicode.
    fn fail(&mut self, fault: Fault, spot: Spot) -> Self::Error;

    /// White space from one index to the other.
    fn white_space(&mut self, _from: usize, _to: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    /// All bytes before `at` have been read, and `next` comes. Called after commas and colons, and for
    /// [`Place::Text`].
    #[inline(always)]
    fn reached(&mut self, _next: Place, _at: usize) {}

    /// A name or a value begins, unless the text ends.
    #[inline(always)]
    fn begins(&mut self, _at: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    /// An array or object begins.
    fn open(&mut self, container: Container, at: usize) -> Result<(), Self::Error>;

    /// The container just opened is not empty.
    fn fills(&mut self, _at: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    /// A comma in an array.
    fn item_ended(&mut self) {}

    /// The innermost container ends. Returns the one around it.
    fn close(&mut self, at: usize) -> Result<Option<Container>, Self::Error>;

    /// A string begins: a name or a value.
    fn string_begins(&mut self, _quote: usize) {}

    /// The current string has canonical escapes of one letter.
    fn plain_escapes(&mut self) {}

    /// Another escape in the current string; `character` is `None` for half a surrogate pair.
    #[inline(always)]
    fn escape(
        &mut self,
        _start: usize,
        _end: usize,
        _is: Option<char>,
        _spot: Spot,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The string that has begun was a member's name.
    #[inline(always)]
    fn name(&mut self, _quote: usize, _end: usize, _escaped: bool) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The string that has begun was a value.
    #[inline(always)]
    fn string(&mut self, _quote: usize, _end: usize, _escaped: bool) -> Result<(), Self::Error> {
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self, _start: usize, _number: Number) -> Result<(), Self::Error> {
        Ok(())
    }

    #[inline(always)]
    fn word(&mut self, _start: usize, _end: usize, _word: Tag) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Reads one value, with white space around it, that is all of `text`.
#[inline]
pub(crate) fn read<P: Parts>(text: &[u8], parts: &mut P) -> Result<(), P::Error> {
    read_on(text, 0, Place::Value, None, parts)
}

/// Reads on from the index `at` of `text`, where `place` comes next, inside of that container, to the end of the text.
#[inline(always)]
pub(crate) fn read_on<P: Parts>(
    text: &[u8],
    at: usize,
    place: Place,
    inside: Option<Container>,
    parts: &mut P,
) -> Result<(), P::Error> {
    let mut cursor = Cursor { text, at, parts };
    if !matches!(place, Place::Text { .. }) {
        cursor.white_space()?;
    }
    cursor.value(place, inside)?;
    cursor.white_space()?;
    match cursor.peek() {
        None => Ok(()),
        Some(_) => Err(cursor.parts.fail(trailing_data(cursor.at), Spot::Document)),
    }
}

/// There is more behind the document.
#[cold]
pub(crate) fn trailing_data(at: usize) -> Fault {
    Fault::new(Kind::TrailingData, at, "the end")
}

/// Reads the value that `text` begins with. Returns its length.
pub(crate) fn read_first<P: Parts>(text: &[u8], parts: &mut P) -> Result<usize, P::Error> {
    let mut cursor = Cursor { text, at: 0, parts };
    cursor.value(Place::Value, None)?;
    Ok(cursor.at)
}

struct Cursor<'t, 'p, P> {
    text: &'t [u8],
    at: usize,
    parts: &'p mut P,
}

impl<P: Parts> Cursor<'_, '_, P> {
    /// Reads the rest of a value. Whole texts always start at a value; the compiler sees that constant, so the other
    /// places cost them nothing.
    #[inline(always)]
    fn value(&mut self, entered: Place, mut inside: Option<Container>) -> Result<(), P::Error> {
        let mut place = entered;
        'value: loop {
            let start = self.at;
            match place {
                Place::Value => {
                    self.parts.begins(start)?;
                    match self.peek() {
                        Some(b'"') => {
                            let escaped = self.string(Spot::Value)?;
                            self.parts.string(start, self.at, escaped)?;
                        }
                        Some(bracket @ (b'{' | b'[')) => {
                            let container =
                                if bracket == b'{' { Container::Object } else { Container::Array };
                            self.parts.open(container, start)?;
                            self.at += 1;
                            if self.first(container)? {
                                inside = Some(container);
                                continue 'value;
                            }
                            inside = self.close()?;
                        }
                        Some(b'-' | b'0'..=b'9') => match read_number(part(self.text, start..)) {
                            Ok(number) => {
                                self.at = start + number.len;
                                self.parts.number(start, number)?;
                            }
                            Err((at, expected)) => {
                                return Err(self.unexpected(start + at, expected, Spot::Value));
                            }
                        },
                        Some(b't') => self.word(b"true", "`true`", Tag::True)?,
                        Some(b'f') => self.word(b"false", "`false`", Tag::False)?,
                        Some(b'n') => self.word(b"null", "`null`", Tag::Null)?,
                        _ => return Err(self.no_value()),
                    }
                }
                Place::Text { is_name: false } => {
                    let escaped = self.rest_of_string(start, Spot::Value)?;
                    self.parts.string(start, self.at, escaped)?;
                }
                Place::AfterValue => {}
                _ => {
                    let has_value = match place {
                        Place::FirstItem => self.first(Container::Array)?,
                        Place::FirstName => self.first(Container::Object)?,
                        Place::Name => self.name().map(|()| true)?,
                        Place::Colon => self.colon().map(|()| true)?,
                        _ => {
                            let escaped = self.rest_of_string(start, Spot::Container)?;
                            self.parts.name(start, self.at, escaped)?;
                            self.colon().map(|()| true)?
                        }
                    };
                    if has_value {
                        place = Place::Value;
                        continue 'value;
                    }
                    inside = self.close()?;
                }
            }
            place = Place::Value;
            // A value has ended: so may have the containers around it.
            loop {
                let Some(container) = inside else { return Ok(()) };
                match (container, self.peek()) {
                    (Container::Object, Some(b',')) => {
                        self.at += 1;
                        self.parts.reached(Place::Name, self.at);
                        self.name()?;
                        continue 'value;
                    }
                    (Container::Array, Some(b',')) => {
                        self.parts.item_ended();
                        self.at += 1;
                        self.parts.reached(Place::Value, self.at);
                        self.white_space()?;
                        continue 'value;
                    }
                    (Container::Object, Some(b'}')) | (Container::Array, Some(b']')) => {
                        inside = self.close()?
                    }
                    // White space is looked for last: texts without any are the ones that are many.
                    _ if self.skip_white_space()? => {}
                    (Container::Object, _) => {
                        return Err(self.unexpected(self.at, "`,` or `}`", Spot::Container));
                    }
                    (Container::Array, _) => {
                        return Err(self.unexpected(self.at, "`,` or `]`", Spot::Container));
                    }
                }
            }
        }
    }

    /// Reads up to the first value in a container, behind its name in an object. False where the container ends instead.
    #[inline(always)]
    fn first(&mut self, container: Container) -> Result<bool, P::Error> {
        self.white_space()?;
        let end = if container == Container::Object { b'}' } else { b']' };
        if self.peek() == Some(end) {
            return Ok(false);
        }
        self.parts.fills(self.at)?;
        if container == Container::Object {
            self.name()?;
        }
        Ok(true)
    }

    /// Reads a member's name and the colon, and the white space around both.
    #[inline(always)]
    fn name(&mut self) -> Result<(), P::Error> {
        self.expect(b'"', "a member name")?;
        let quote = self.at;
        self.parts.begins(quote)?;
        let escaped = self.string(Spot::Container)?;
        self.parts.name(quote, self.at, escaped)?;
        self.colon()
    }

    /// Reads the colon behind a name, and the white space around it.
    #[inline(always)]
    fn colon(&mut self) -> Result<(), P::Error> {
        self.expect(b':', "`:`")?;
        self.at += 1;
        self.parts.reached(Place::Value, self.at);
        self.white_space()
    }

    /// Skips white space up to this byte of an object, which must come.
    #[inline(always)]
    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), P::Error> {
        if self.peek() == Some(byte) || self.skip_white_space()? && self.peek() == Some(byte) {
            return Ok(());
        }
        Err(self.unexpected(self.at, expected, Spot::Container))
    }

    /// Reads a string from its opening quote on. Returns whether it has escapes.
    #[inline(always)]
    fn string(&mut self, spot: Spot) -> Result<bool, P::Error> {
        let start = self.at;
        self.parts.string_begins(start);
        self.at += 1;
        self.rest_of_string(start, spot)
    }

    /// Reads a string that begins at `start` from here on. Returns whether there are escapes in what was read.
    #[inline(always)]
    fn rest_of_string(&mut self, start: usize, spot: Spot) -> Result<bool, P::Error> {
        let (mut ascii, mut escaped) = (true, false);
        let next = Place::Text { is_name: spot == Spot::Container };
        loop {
            self.parts.reached(next, self.at);
            let run = string_run(self.text, self.at);
            self.at = run.end;
            self.parts.reached(next, self.at);
            ascii &= run.is_ascii;
            if run.has_escapes {
                escaped = true;
                self.parts.plain_escapes();
            }
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    match self.text.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') => {
                            self.parts.plain_escapes();
                            self.at += 2;
                        }
                        _ => self.escape(start, spot)?,
                    }
                }
                _ => {
                    let fault = Fault::new(Kind::ControlCharacter, self.at, "an escaped control character");
                    return Err(self.in_string(start, fault, spot));
                }
            }
        }
        if P::CHECKS_UTF8 && !ascii {
            let bytes = part(self.text, start..self.at);
            if simdutf8::basic::from_utf8(bytes).is_err() {
                let fault = Fault::new(Kind::ControlCharacter, self.at, "");
                return Err(self.in_string(start, fault, spot));
            }
        }
        self.at += 1;
        Ok(escaped)
    }

    /// Reads the escape that begins here, in the string that begins at `string`.
    #[inline(never)]
    fn escape(&mut self, string: usize, spot: Spot) -> Result<(), P::Error> {
        let start = self.at;
        match read_escape(self.text, start) {
            Ok((end, character)) => {
                self.at = end;
                // The error that comes now must not come before one that is earlier in the string.
                if P::CHECKS_UTF8
                    && character.is_none()
                    && let Some(at) = first_invalid(self.text, string, start)
                {
                    return Err(self.parts.fail(Fault::new(Kind::InvalidUtf8, at, "UTF-8"), spot));
                }
                self.parts.escape(start, end, character, spot)
            }
            Err(fault) => Err(self.in_string(string, fault, spot)),
        }
    }

    /// The fault of a string, or an earlier one: invalid UTF-8 before it.
    #[cold]
    fn in_string(&mut self, string: usize, fault: Fault, spot: Spot) -> P::Error {
        let fault = match first_invalid(self.text, string, fault.at) {
            Some(at) if P::CHECKS_UTF8 => Fault::new(Kind::InvalidUtf8, at, "UTF-8"),
            _ => fault,
        };
        self.parts.fail(fault, spot)
    }

    #[inline(always)]
    fn word<const N: usize>(
        &mut self,
        word: &[u8; N],
        expected: &'static str,
        meant: Tag,
    ) -> Result<(), P::Error> {
        let start = self.at;
        let rest = part(self.text, start..);
        if rest.first_chunk() != Some(word) {
            let good = core::iter::zip(word, rest).take_while(|(a, b)| a == b).count();
            return Err(self.unexpected(start + good, expected, Spot::Value));
        }
        self.at += N;
        self.parts.word(start, self.at, meant)
    }

    #[inline(always)]
    fn close(&mut self) -> Result<Option<Container>, P::Error> {
        let at = self.at;
        self.at += 1;
        self.parts.close(at)
    }

    #[inline(always)]
    fn white_space(&mut self) -> Result<(), P::Error> {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.skip_white_space()?;
        }
        Ok(())
    }

    /// Skips white space. Returns whether there was any.
    #[inline(always)]
    fn skip_white_space(&mut self) -> Result<bool, P::Error> {
        let end = skip_white_space(self.text, self.at);
        if end == self.at {
            return Ok(false);
        }
        self.parts.white_space(self.at, end)?;
        self.at = end;
        Ok(true)
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Something else is in the place of a value: perhaps the byte order mark that some editors put before a text.
    #[cold]
    fn no_value(&mut self) -> P::Error {
        if self.at == 0 && self.text.starts_with(b"\xEF\xBB\xBF") {
            return self.parts.fail(Fault::new(Kind::ByteOrderMark, 0, "a value"), Spot::Document);
        }
        self.unexpected(self.at, "a value", Spot::Value)
    }

    #[cold]
    fn unexpected(&mut self, at: usize, expected: &'static str, spot: Spot) -> P::Error {
        self.parts.fail(Fault::unexpected(at, expected), spot)
    }
}

/// Index of the first byte of `text[start..end]` that is not UTF-8.
pub(crate) fn first_invalid(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let bytes = part(text, start..end);
    simdutf8::compat::from_utf8(bytes).err().map(|error| start + error.valid_up_to())
}

/// The escape whose backslash is at `start`: its end, and its character, or `None` for half a surrogate pair.
///
/// A high surrogate is read together with a `\u` escape that follows it; if the two are not a pair, the escape
/// ends after the first.
pub(crate) fn read_escape(text: &[u8], start: usize) -> Result<(usize, Option<char>), Fault> {
    let letter = text.get(start + 1).copied();
    if letter != Some(b'u') {
        return match letter.and_then(unescape_letter) {
            Some(byte) => Ok((start + 2, Some(char::from(byte)))),
            None => Err(Fault::new(Kind::InvalidEscape, start + 1, "one of `\"\\/bfnrtu`")),
        };
    }
    let unit = code_unit(text, start)?;
    let end = start + 6;
    if !(0xD800..0xDC00).contains(&unit) || text.get(end..end + 2) != Some(b"\\u") {
        return Ok((end, char::from_u32(u32::from(unit))));
    }
    let low = code_unit(text, end)?;
    Ok(match char::decode_utf16([unit, low]).next().and_then(Result::ok) {
        Some(character) => (end + 6, Some(character)),
        None => (end, None),
    })
}

/// Returns true if `text[start..end]` is the first half of a surrogate pair and the text ends before it is known
/// whether the second half follows.
pub(crate) fn is_cut_pair(text: &[u8], start: usize, end: usize) -> bool {
    let is_first =
        matches!(part(text, start..end), [_, _, b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', ..]);
    is_first && b"\\u".starts_with(part(text, end..))
}

/// The code unit of the `\uXXXX` at this index.
fn code_unit(text: &[u8], backslash: usize) -> Result<u16, Fault> {
    let digits = text.get(backslash + 2..).unwrap_or_default();
    hex4(digits).ok_or_else(|| {
        let good = digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
        Fault::new(Kind::InvalidEscape, backslash + 2 + good, "four hex digits")
    })
}
