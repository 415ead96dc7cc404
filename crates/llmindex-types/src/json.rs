//! JSON text as a flat list of nodes over the source.
//!
//! The reader keeps three things that a tree of values loses and this crate is about: the source text of every
//! value (signatures and prices need it byte for byte), the order of members, and members that stand twice. It is
//! one loop with a stack on the heap, so depth costs memory within a limit and never the call stack.
//!
//! RFC 8259 grammar, nothing beyond it. A string with a lone surrogate is JSON by that grammar but no text: it is
//! read, marked, and reported by whoever asks. The same holds for a member whose name stands earlier in its object.

mod reader;
mod string;
mod value;
mod write;

pub(crate) use reader::Tape;
pub(crate) use value::{Key, Kind, Value};
pub(crate) use write::{JsonWriter, push_string};

use alloc::string::String;
use core::fmt;

/// What a text may measure before reading stops.
///
/// Spec: llmindex 0.1, LLMI-AMB-29 (manifest) and LLMI-AMB-13 (feed lines).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Length of the text in bytes, without a byte order mark before it; values above `u32::MAX` mean that.
    pub max_bytes: usize,
    /// Objects and arrays open at the same time; `{}` alone is 1.
    pub max_depth: usize,
}

impl Limits {
    /// The defaults for a manifest: 1 MiB, depth 64.
    pub const MANIFEST: Limits = Limits { max_bytes: 1 << 20, max_depth: 64 };
    /// The defaults for one product line: 1 MiB, depth 128.
    pub const PRODUCT: Limits = Limits { max_bytes: 1 << 20, max_depth: 128 };

    /// These limits with another length.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// These limits with another depth.
    #[must_use]
    pub const fn with_max_depth(mut self, max_depth: usize) -> Self {
        self.max_depth = max_depth;
        self
    }
}

/// Why a text could not be read as JSON at all.
///
/// ```
/// use llmindex_types::{JsonErrorKind, Limits, ManifestText};
/// let error = ManifestText::parse(b"{\"version\" \"0.1\"}", &Limits::MANIFEST).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (JsonErrorKind::NotJson, 11));
/// assert_eq!(error.to_string(), "expected `:` at byte 11, found `\"`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    pub(crate) kind: JsonErrorKind,
    pub(crate) offset: usize,
    pub(crate) expected: Expected,
    pub(crate) found: Option<char>,
}

/// The kinds of [`JsonError`]: a broken text, a limit of the caller's, or JSON that has no single meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text breaks the JSON grammar; an empty or blank one does too.
    NotJson,
    /// The text is longer than [`Limits::max_bytes`].
    TooLong,
    /// Values are nested deeper than [`Limits::max_depth`].
    TooDeep,
    /// A member's name stands twice in its object, where the caller needs one meaning.
    DuplicateMember,
    /// An escaped surrogate without its other half, where the caller needs text.
    LoneSurrogate,
}

/// What stood in the grammar's place of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Text(&'static str),
    AtMost(usize),
}

impl JsonError {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> JsonErrorKind {
        self.kind
    }

    /// Where, in bytes from the start of the input.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The requirement that the text breaks.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            JsonErrorKind::NotUtf8 | JsonErrorKind::NotJson => "LLMI-MAN-1",
            JsonErrorKind::TooLong | JsonErrorKind::TooDeep => "LLMI-AMB-29",
            JsonErrorKind::DuplicateMember | JsonErrorKind::LoneSurrogate => "LLMI-AMB-21",
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.expected) {
            (JsonErrorKind::TooLong, Expected::AtMost(n)) => {
                write!(f, "expected at most {n} bytes, found more")
            }
            (_, Expected::AtMost(n)) => {
                write!(f, "expected at most {n} levels of nesting, found one more at byte {}", self.offset)
            }
            (_, Expected::Text(expected)) => {
                write!(f, "expected {expected} at byte {}, found ", self.offset)?;
                match self.found {
                    None => f.write_str("the end"),
                    Some(char::REPLACEMENT_CHARACTER) if self.kind == JsonErrorKind::NotUtf8 => {
                        f.write_str("another byte")
                    }
                    Some(c @ ('"' | '\'')) => write!(f, "`{c}`"),
                    Some(c) => write!(f, "`{}`", c.escape_debug()),
                }
            }
        }
    }
}

impl core::error::Error for JsonError {}

/// Appends a reference token to a JSON Pointer (RFC 6901).
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}
