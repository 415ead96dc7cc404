//! Faults of a text, and the errors made from them.
//!
//! The grammar reports a [`Fault`] where a text is not valid. This module decides, for all readers, which kind of error
//! it becomes and which of two faults is reported: the same text gives the same kind and the same offset whether it is
//! read whole, read in pieces, checked or made canonical.
//!
//! **Which fault comes first.** The one at the earlier byte ([`rank`]), of these:
//!
//! | fault | its byte | is looked for |
//! |---|---|---|
//! | of the grammar or of UTF-8 | the first that cannot be there | where it is reached |
//! | half a surrogate pair | the escape's backslash | where the escape is read |
//! | nested too deeply, too many values | the value's first | where the value begins |
//! | a number, name or string that is too large | the token's first | once all of the token is read without a fault |
//! | a repeated name | its opening quote | where its object ends, or where any other fault is found |
//! | more than a stream's `max_bytes` in a token | the first beyond | where it is reached; no later one counts |
//! | a text past `max_bytes` or `max_input` | the first beyond | before anything is read: it comes before all others |

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use crate::error::{JsonError, JsonErrorKind as Kind, Quoted};
use crate::scan::plain_run;
use crate::unescape::decode_bytes;

/// A fault as the grammar found it, before the message is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The kind, provided that the byte at `at` exists and begins a character.
    pub(crate) kind: Kind,
    /// Index of the first byte that cannot be there.
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
    /// The limit that was passed, or the end of the offending literal.
    pub(crate) extra: usize,
}

/// What a fault's JSON Pointer names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The value that is being read.
    Value,
    /// The innermost open container.
    Container,
    /// Nothing: the text as a whole.
    Document,
}

/// The sort key of faults: the place, then the kind. At one byte, a fault of the grammar precedes a fault that a
/// reader may allow, which precedes a limit on bytes.
pub(crate) fn rank(kind: Kind, at: u64) -> (u64, u8) {
    let of_kind = match kind {
        Kind::TooLarge => 2,
        Kind::DuplicateMember => 1,
        _ => 0,
    };
    (at, of_kind)
}

impl Fault {
    /// Returns true if this fault is reported instead of the other one.
    pub(crate) fn is_before(&self, other: &Fault) -> bool {
        rank(self.kind, self.at as u64) < rank(other.kind, other.at as u64)
    }

    /// Returns true if the text ends too early to tell what the fault is: at its byte, or inside the character that
    /// begins there.
    pub(crate) fn is_cut(&self, text: &[u8]) -> bool {
        let rest = text.get(self.at..).unwrap_or_default();
        match core::str::from_utf8(rest.get(..4).unwrap_or(rest)) {
            Ok(_) => rest.is_empty(),
            // Two bytes of an encoded surrogate are not UTF-8, but the third one decides what they are called.
            Err(error) => {
                error.valid_up_to() == 0
                    && (error.error_len().is_none() || matches!(rest, [0xED, 0xA0..=0xBF]))
            }
        }
    }

    /// Something else is in the place of a value or a part of one.
    #[cold]
    pub(crate) fn unexpected(at: usize, expected: &'static str) -> Self {
        Fault { kind: Kind::UnexpectedByte, at, expected, extra: 0 }
    }

    #[cold]
    pub(crate) fn new(kind: Kind, at: usize, expected: &'static str) -> Self {
        Fault { kind, at, expected, extra: 0 }
    }

    #[cold]
    pub(crate) fn beyond(kind: Kind, at: usize, limit: usize) -> Self {
        Fault { kind, at, expected: "", extra: limit }
    }

    /// A repeated name, with its opening quote at `at`.
    #[cold]
    pub(crate) fn repeated(at: usize) -> Self {
        Fault::new(Kind::DuplicateMember, at, "each member name once")
    }

    /// A number whose nearest double is infinite.
    #[cold]
    pub(crate) fn overflow(at: usize, end: usize) -> Self {
        let expected = "a number within the range of a double";
        Fault { kind: Kind::NumberOverflow, at, expected, extra: end }
    }

    /// The same fault with its final kind: a byte that does not begin a character is invalid UTF-8, never
    /// "unexpected", and a fault at the end of the text is an unexpected end.
    #[cold]
    pub(crate) fn resolved(mut self, text: &[u8]) -> Self {
        let in_string = matches!(self.kind, Kind::InvalidUtf8 | Kind::ControlCharacter);
        if !in_string && !matches!(self.kind, Kind::UnexpectedByte | Kind::InvalidEscape | Kind::TrailingData)
        {
            return self;
        }
        let rest = text.get(self.at..).unwrap_or_default();
        match rest {
            [] if in_string => (self.kind, self.expected) = (Kind::UnexpectedEnd, "`\"`"),
            [] => self.kind = Kind::UnexpectedEnd,
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => {
                self.kind = Kind::LoneSurrogate;
                if in_string {
                    self.expected = "a Unicode scalar value";
                }
            }
            _ if !begins_character(rest) => {
                self.kind = Kind::InvalidUtf8;
                if in_string {
                    self.expected = "UTF-8";
                }
            }
            _ => {}
        }
        self
    }

    /// The error for people. `path` is the path at which the grammar stopped.
    #[cold]
    pub(crate) fn describe(self, text: &[u8], path: Option<String>) -> JsonError {
        let Fault { kind, at, expected, extra } = self.resolved(text);
        let rest = text.get(at..).unwrap_or_default();
        let mut path = path;
        let mut expected = Cow::Borrowed(expected);
        let found: Cow<'static, str> = match kind {
            Kind::UnexpectedEnd => "the end".into(),
            Kind::ByteOrderMark => "a byte order mark".into(),
            Kind::LoneSurrogate if rest.first() == Some(&b'\\') => {
                format!("{} without its pair", Quoted(rest.get(..6).unwrap_or(rest))).into()
            }
            Kind::LoneSurrogate => "a surrogate".into(),
            Kind::NumberOverflow => format!("{}", Quoted(text.get(at..extra).unwrap_or_default())).into(),
            Kind::DuplicateMember => {
                let name = decode_bytes(literal_inside(text, at));
                if let Some(path) = &mut path {
                    push_name(path, &name);
                }
                format!("{} again", Quoted(name.as_bytes())).into()
            }
            Kind::TooDeep => {
                expected = format!("at most {extra} nested arrays and objects").into();
                "one more".into()
            }
            Kind::TooLarge => {
                let what = if expected.is_empty() { "" } else { " of canonical JSON" };
                let found = if expected.is_empty() { format!("{} bytes", text.len()) } else { "more".into() };
                expected = format!("at most {extra} bytes{what}").into();
                found.into()
            }
            Kind::TooManyValues => {
                expected = format!("at most {extra} values").into();
                "one more".into()
            }
            Kind::NameTooLong | Kind::StringTooLong => {
                let what = if kind == Kind::NameTooLong { "name" } else { "string" };
                expected = format!("a {what} of at most {extra} bytes").into();
                "a longer one".into()
            }
            _ => rest.first().map_or("the end".into(), |&byte| format!("{}", Quoted(&[byte])).into()),
        };
        let error = JsonError::at(kind, at, expected, found);
        match path {
            Some(path) => error.with_path(path),
            None => error,
        }
    }
}

/// The text between the quotes of the string literal at `quote`, which the grammar has read already.
pub(crate) fn literal_inside(text: &[u8], quote: usize) -> &[u8] {
    let mut at = quote + 1;
    loop {
        at = plain_run(text, at).end;
        match text.get(at) {
            Some(b'\\') => at += 2,
            _ => return text.get(quote + 1..at).unwrap_or_default(),
        }
    }
}

fn begins_character(rest: &[u8]) -> bool {
    match core::str::from_utf8(rest.get(..4).unwrap_or(rest)) {
        Ok(_) => true,
        Err(error) => error.valid_up_to() > 0,
    }
}

/// Appends a member's name to a JSON Pointer (RFC 6901).
pub(crate) fn push_name(path: &mut String, name: &str) {
    path.push('/');
    for c in name.chars() {
        match c {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            c => path.push(c),
        }
    }
}

/// Appends an item's index to a JSON Pointer.
pub(crate) fn push_index(path: &mut String, index: usize) {
    // Writing to a string does not fail.
    let _ = write!(path, "/{index}");
}
