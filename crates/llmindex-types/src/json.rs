//! JSON text: the limits, the error, and the settings of the workspace's reader.
//!
//! `tct-canonical-json` reads the text. Its nodes keep what this crate needs: the source of every value, byte for byte,
//! the order of members, and repeated members. Such members, strings that are not text (half a surrogate pair) and
//! numbers beyond a double are read and then reported, as findings, each at its place.

mod write;

pub(crate) use write::JsonWriter;

use alloc::string::String;
use core::fmt;

use tct_canonical_json::{JsonError, JsonErrorKind, JsonReader};

/// Limits on a text.
///
/// Spec: llmindex 0.1, LLMI-AMB-29 (manifest) and LLMI-AMB-13 (feed lines).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Length of the text in bytes, without a byte order mark before it; values above 256 MiB less a byte count as
    /// that.
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

    /// The reader with these limits, which accepts faults that are reported as findings.
    pub(crate) const fn reader(&self) -> JsonReader {
        JsonReader::new()
            .max_bytes(self.max_bytes)
            .max_depth(self.max_depth)
            .report_repeated_names()
            .report_lone_surrogates()
            .report_huge_numbers()
    }

    /// The reader for texts that must have one meaning. Numbers beyond a double are accepted, since their text is the
    /// same for every reader.
    pub(crate) const fn strict_reader(&self) -> JsonReader {
        JsonReader::new().max_bytes(self.max_bytes).max_depth(self.max_depth).report_huge_numbers()
    }
}

/// Why a text could not be read as JSON at all.
///
/// The place is that of the workspace's JSON reader. No message holds more of the text than one character or escape.
///
/// ```
/// use llmindex_types::{Limits, LlmindexTextErrorKind, ManifestText};
/// let error = ManifestText::parse(b"{\"version\" \"0.1\"}", &Limits::MANIFEST).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (LlmindexTextErrorKind::NotJson, 11));
/// assert_eq!(error.to_string(), r#"expected `:` at byte 11, found `\"`"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmindexTextError {
    kind: LlmindexTextErrorKind,
    offset: usize,
    why: Why,
}

/// The kinds of [`LlmindexTextError`]: a broken text, a limit of the caller's, or JSON that has no single meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LlmindexTextErrorKind {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text breaks the JSON grammar; an empty or blank one does too.
    NotJson,
    /// The text is longer than [`Limits::max_bytes`].
    TooLong,
    /// Values are nested deeper than [`Limits::max_depth`].
    TooDeep,
    /// A member's name is repeated in its object, where the caller needs one meaning.
    DuplicateMember,
    /// An escaped surrogate without its other half, where the caller needs text.
    LoneSurrogate,
}

/// The reader's error, or another reason.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    Json(JsonError),
    /// The text was not read, because it is longer than this many bytes.
    TooLong(usize),
    /// A value of this type where an object is needed.
    NotAnObject(&'static str),
}

impl LlmindexTextError {
    /// The reader's error about the text that begins `skipped` bytes into `input`.
    #[cold]
    pub(crate) fn of_json(error: JsonError, input: &[u8], skipped: usize) -> Self {
        let error = error.moved_by(skipped);
        let offset = error.offset().unwrap_or(skipped);
        let kind = match error.kind() {
            JsonErrorKind::TooLarge => LlmindexTextErrorKind::TooLong,
            JsonErrorKind::TooDeep => LlmindexTextErrorKind::TooDeep,
            JsonErrorKind::DuplicateMember => LlmindexTextErrorKind::DuplicateMember,
            // As an escape it is JSON that is not text; as three bytes it is not UTF-8.
            JsonErrorKind::LoneSurrogate if input.get(offset) == Some(&b'\\') => {
                LlmindexTextErrorKind::LoneSurrogate
            }
            JsonErrorKind::LoneSurrogate | JsonErrorKind::InvalidUtf8 => LlmindexTextErrorKind::NotUtf8,
            _ => LlmindexTextErrorKind::NotJson,
        };
        LlmindexTextError { kind, offset, why: Why::Json(error) }
    }

    /// The error for a text that is longer than this many bytes and was not read.
    #[cold]
    pub(crate) fn too_long(max_bytes: usize) -> Self {
        LlmindexTextError {
            kind: LlmindexTextErrorKind::TooLong,
            offset: max_bytes,
            why: Why::TooLong(max_bytes),
        }
    }

    /// JSON of another type, beginning at `offset`.
    #[cold]
    pub(crate) fn not_an_object(offset: usize, found: &'static str) -> Self {
        LlmindexTextError { kind: LlmindexTextErrorKind::NotJson, offset, why: Why::NotAnObject(found) }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> LlmindexTextErrorKind {
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
            LlmindexTextErrorKind::NotUtf8 | LlmindexTextErrorKind::NotJson => "LLMI-MAN-1",
            LlmindexTextErrorKind::TooLong | LlmindexTextErrorKind::TooDeep => "LLMI-AMB-29",
            LlmindexTextErrorKind::DuplicateMember | LlmindexTextErrorKind::LoneSurrogate => "LLMI-AMB-21",
        }
    }
}

impl fmt::Display for LlmindexTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            // The reader would quote the name, and a name may be a secret.
            Why::Json(_) if self.kind == LlmindexTextErrorKind::DuplicateMember => {
                write!(f, "expected each member name once at byte {}, found one again", self.offset)
            }
            Why::Json(error) => error.fmt(f),
            Why::TooLong(max) => write!(f, "expected at most {max} bytes, found more"),
            Why::NotAnObject(found) => write!(f, "expected an object at byte {}, found {found}", self.offset),
        }
    }
}

impl core::error::Error for LlmindexTextError {}

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
