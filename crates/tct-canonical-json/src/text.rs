//! JSON text to canonical bytes: one pass over the text, without recursion.
//!
//! The reader checks the grammar of RFC 8259 byte by byte and tells the [`Writer`] what it finds. Faults are found in
//! the order of the text, but for a repeated name, which is found when its object ends.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::arrange::Arrangement;
use crate::canonicalizer::Limits;
use crate::error::{Found, JsonError, JsonErrorKind as Kind};
use crate::grammar::Container;
use crate::number::{Form, NumberFault, print_double, read_number};
use crate::profile::Profile;
use crate::scan::{append, plain_run, short_word, skip_white_space};
use crate::string::{Unescaped, short_escape, write_ascii};
use crate::unescape::{hex4, unescape_letter};
use crate::writer::{Name, Place, Writer};

/// Appends the canonical form of one JSON document to `out`, but for the last pass.
pub(crate) fn canonicalize(
    text: &[u8],
    profile: Profile,
    limits: &Limits,
    out: &mut Vec<u8>,
) -> Result<Arrangement, JsonError> {
    if text.len() > limits.max_bytes {
        let expected = alloc::format!("at most {} bytes", limits.max_bytes);
        let found = alloc::format!("{} bytes", text.len());
        return Err(JsonError::at(Kind::TooLarge, limits.max_bytes, expected, Found::Words(found)));
    }
    if text.starts_with(b"\xEF\xBB\xBF") {
        let found = Found::Words("a byte order mark".into());
        return Err(JsonError::at(Kind::ByteOrderMark, 0, "a value", found));
    }
    out.reserve(text.len());
    let mut reader = Reader { text, at: 0, writer: Writer::new(profile, limits.max_depth, text, out) };
    reader.document()?;
    Ok(reader.writer.finish(reader.at))
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    writer: Writer<'t>,
}

/// A string as it was read.
struct ReadString {
    /// Whether the canonical form has escapes.
    escaped: bool,
    /// Whether the canonical form is not the text's own.
    rewritten: bool,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), JsonError> {
        self.white_space();
        loop {
            let opened = self.value().map_err(|error| error.with_path(self.writer.path()))?;
            if opened == Some(Container::Object) {
                self.name()?;
            }
            if opened.is_some() {
                continue;
            }
            // A value has ended: so may have the containers around it.
            loop {
                let Some(container) = self.writer.container() else { return self.end() };
                self.white_space();
                match (container, self.peek()) {
                    (Container::Object, Some(b',')) => {
                        self.at += 1;
                        self.white_space();
                        self.name()?;
                    }
                    (Container::Array, Some(b',')) => {
                        self.writer.item_ended();
                        self.at += 1;
                        self.white_space();
                    }
                    (Container::Object, Some(b'}')) | (Container::Array, Some(b']')) => {
                        self.writer.close(self.at)?;
                        self.at += 1;
                        continue;
                    }
                    (Container::Object, _) => return Err(self.in_container("`,` or `}`")),
                    (Container::Array, _) => return Err(self.in_container("`,` or `]`")),
                }
                break;
            }
        }
    }

    /// Reads a value, or the opening of a container that is not empty and the white space behind.
    #[inline]
    fn value(&mut self) -> Result<Option<Container>, JsonError> {
        match self.peek() {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{') => {
                self.writer.open(Container::Object, self.at)?;
                self.at += 1;
                self.white_space();
                if self.peek() != Some(b'}') {
                    return Ok(Some(Container::Object));
                }
                self.writer.close(self.at)?;
                self.at += 1;
            }
            Some(b'[') => {
                self.writer.open(Container::Array, self.at)?;
                self.at += 1;
                self.white_space();
                if self.peek() != Some(b']') {
                    return Ok(Some(Container::Array));
                }
                self.writer.close(self.at)?;
                self.at += 1;
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal(b"true")?,
            Some(b'f') => self.literal(b"false")?,
            Some(b'n') => self.literal(b"null")?,
            _ => return Err(self.unexpected(self.at, "a value")),
        }
        Ok(None)
    }

    /// Reads a member's name, the colon and the white space behind.
    #[inline]
    fn name(&mut self) -> Result<(), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.in_container("a member name"));
        }
        let quote = self.at;
        let start = self.writer.position(quote);
        let read = self.string().map_err(|error| error.with_path(self.writer.container_path()))?;
        let (spelled, place) = if read.rewritten {
            // It is not in the source as it should be, so it is compared in the output.
            self.writer.skip(self.at, self.at);
            (self.writer.out.get(start + 1..self.writer.out.len() - 1), Place::Output)
        } else {
            (self.text.get(quote + 1..self.at - 1), Place::Source)
        };
        let spelled = spelled.unwrap_or_default();
        let first = if read.escaped { Unescaped(spelled).first_word() } else { short_word(spelled) };
        self.writer.name(quote, start, Name::new(spelled.len(), read.escaped, place), first);
        self.white_space();
        if self.peek() != Some(b':') {
            return Err(self.in_container("`:`"));
        }
        self.at += 1;
        self.white_space();
        Ok(())
    }

    /// Reads a string from its opening quote on.
    #[inline]
    fn string(&mut self) -> Result<ReadString, JsonError> {
        let start = self.at;
        let mut read = ReadString { escaped: false, rewritten: false };
        let mut ascii = true;
        self.at += 1;
        loop {
            let run = plain_run(self.text, self.at);
            self.at = run.end;
            ascii &= run.ascii;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut read)?,
                Some(_) => {
                    self.utf8(start, self.at)?;
                    let found = self.found(self.at);
                    return Err(self.fault(
                        Kind::ControlCharacter,
                        self.at,
                        "an escaped control character",
                        found,
                    ));
                }
                None => {
                    self.utf8(start, self.at)?;
                    return Err(self.fault(Kind::UnexpectedEnd, self.at, "`\"`", Found::End));
                }
            }
        }
        if !ascii {
            self.utf8(start, self.at)?;
        }
        self.at += 1;
        Ok(read)
    }

    /// Reads the escape that begins here; one that is not canonical is replaced.
    fn escape(&mut self, read: &mut ReadString) -> Result<(), JsonError> {
        let start = self.at;
        let letter = self.text.get(start + 1).copied();
        if letter == Some(b'u') {
            return self.unicode_escape(read);
        }
        let Some(character) = letter.and_then(unescape_letter) else {
            return Err(self.bad_escape(start + 1, "one of `\"\\/bfnrtu`"));
        };
        self.at += 2;
        if character == b'/' {
            self.writer.skip(start, self.at);
            self.writer.out.push(b'/');
            read.rewritten = true;
        } else {
            read.escaped = true;
        }
        Ok(())
    }

    /// Reads `\uXXXX`, or two of them for a surrogate pair.
    fn unicode_escape(&mut self, read: &mut ReadString) -> Result<(), JsonError> {
        let start = self.at;
        let unit = self.code_unit(start)?;
        self.at += 6;
        let character = match unit {
            0xD800..0xDC00 if self.text.get(self.at..self.at + 2) == Some(b"\\u") => {
                let low = self.code_unit(self.at)?;
                self.at += 6;
                char::decode_utf16([unit, low]).next().and_then(Result::ok)
            }
            _ => char::from_u32(u32::from(unit)),
        };
        let Some(character) = character else {
            let spelled = self.text.get(start..start + 6).unwrap_or_default();
            let found = Found::Words(alloc::format!("{} without its pair", crate::error::Quoted(spelled)));
            return Err(self.fault(Kind::LoneSurrogate, start, "a surrogate pair", found));
        };
        let ascii = u8::try_from(character).ok().filter(u8::is_ascii);
        read.escaped |= ascii.is_some_and(|byte| byte < b' ' || short_escape(byte).is_some());
        let spelled = self.text.get(start..self.at).unwrap_or_default();
        let canonical = ascii.is_some_and(|byte| byte < b' ' && short_escape(byte).is_none())
            && !spelled.iter().any(u8::is_ascii_uppercase);
        if canonical {
            return Ok(());
        }
        self.writer.skip(start, self.at);
        read.rewritten = true;
        match ascii {
            Some(byte) => write_ascii(byte, self.writer.out),
            None => {
                let mut utf8 = [0; 4];
                self.writer.out.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
            }
        }
        Ok(())
    }

    /// The code unit of the `\uXXXX` at this index.
    fn code_unit(&self, backslash: usize) -> Result<u16, JsonError> {
        let digits = self.text.get(backslash + 2..).unwrap_or_default();
        hex4(digits).ok_or_else(|| {
            let good = digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
            self.bad_escape(backslash + 2 + good, "four hex digits")
        })
    }

    /// Reads a number from its first byte on.
    #[inline]
    fn number(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        let text = self.text.get(start..).unwrap_or_default();
        let (len, form) = match read_number(text) {
            Ok(number) => (number.len, number.form(text)),
            Err(NumberFault { at, expected }) => return Err(self.unexpected(start + at, expected)),
        };
        self.at = start + len;
        match form {
            Form::Prefix(kept) if kept == len => {}
            Form::Prefix(kept) => self.writer.skip(start + kept, self.at),
            Form::Double(double) => {
                self.writer.skip(start, self.at);
                print_double(double, |piece| append(self.writer.out, piece));
            }
            Form::Overflow => {
                let spelled = self.text.get(start..self.at).unwrap_or_default();
                let found = Found::Words(alloc::format!("{}", crate::error::Quoted(spelled)));
                return Err(self.fault(
                    Kind::NumberOverflow,
                    start,
                    "a number within the range of a double",
                    found,
                ));
            }
        }
        Ok(())
    }

    #[inline]
    fn literal(&mut self, word: &'static [u8]) -> Result<(), JsonError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            let good = core::iter::zip(word, rest).take_while(|(a, b)| a == b).count();
            let expected = alloc::format!("`{}`", word.escape_ascii());
            return Err(self.unexpected(self.at + good, expected));
        }
        self.at += word.len();
        Ok(())
    }

    /// Skips white space, which is no output.
    #[inline]
    fn white_space(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            let end = skip_white_space(self.text, self.at);
            self.writer.skip(self.at, end);
            self.at = end;
        }
    }

    /// After the document there is nothing but white space.
    fn end(&mut self) -> Result<(), JsonError> {
        self.white_space();
        match self.text.get(self.at) {
            None => Ok(()),
            Some(_) => Err(JsonError::at(Kind::TrailingData, self.at, "the end", self.found(self.at))),
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Checks the text between two indices.
    fn utf8(&self, start: usize, end: usize) -> Result<(), JsonError> {
        let bytes = self.text.get(start..end).unwrap_or_default();
        match simdutf8::compat::from_utf8(bytes) {
            Ok(_) => Ok(()),
            Err(error) => Err(self.not_utf8(start + error.valid_up_to())),
        }
    }

    #[cold]
    fn not_utf8(&self, at: usize) -> JsonError {
        match self.text.get(at..) {
            Some([0xED, 0xA0..=0xBF, 0x80..=0xBF, ..]) => {
                let found = Found::Words("a surrogate".into());
                self.fault(Kind::LoneSurrogate, at, "a Unicode scalar value", found)
            }
            _ => self.fault(Kind::InvalidUtf8, at, "UTF-8", self.found(at)),
        }
    }

    #[cold]
    fn bad_escape(&self, at: usize, expected: &'static str) -> JsonError {
        let kind = if at < self.text.len() { Kind::InvalidEscape } else { Kind::UnexpectedEnd };
        self.fault(kind, at, expected, self.found(at))
    }

    /// Something else stands where a value or a part of one is expected.
    #[cold]
    fn unexpected(&self, at: usize, expected: impl Into<Cow<'static, str>>) -> JsonError {
        self.fault(self.unexpected_kind(at), at, expected, self.found(at))
    }

    /// The same between the values of a container.
    #[cold]
    fn in_container(&self, expected: &'static str) -> JsonError {
        JsonError::at(self.unexpected_kind(self.at), self.at, expected, self.found(self.at))
            .with_path(self.writer.container_path())
    }

    fn unexpected_kind(&self, at: usize) -> Kind {
        let rest = self.text.get(at..).unwrap_or_default();
        let utf8 = match simdutf8::compat::from_utf8(rest.get(..4).unwrap_or(rest)) {
            Ok(_) => true,
            Err(error) => error.valid_up_to() > 0,
        };
        match rest {
            [] => Kind::UnexpectedEnd,
            _ if utf8 => Kind::UnexpectedByte,
            _ => Kind::InvalidUtf8,
        }
    }

    #[cold]
    fn fault(
        &self,
        kind: Kind,
        at: usize,
        expected: impl Into<Cow<'static, str>>,
        found: Found,
    ) -> JsonError {
        JsonError::at(kind, at, expected, found)
    }

    fn found(&self, at: usize) -> Found {
        self.text.get(at).map_or(Found::End, |&byte| Found::Byte(byte))
    }
}
