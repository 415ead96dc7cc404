//! Why a text is not read, or an input has no canonical form.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
#[cfg(feature = "serde")]
use alloc::string::ToString;
use core::fmt;

/// Why a text is not read, or an input has no canonical form: a kind for programs, a place, and a clause for people.
///
/// The same text gives the same error, whether it is read by a strict [`JsonReader`](crate::JsonReader) or made
/// canonical.
///
/// ```
/// use tct_canonical_json::{JsonErrorKind, Profile, to_canonical};
///
/// let error = to_canonical(br#"{"a":[1,{"b":2,"b":3}]}"#, Profile::Tct).unwrap_err();
/// assert_eq!(error.kind(), JsonErrorKind::DuplicateMember);
/// assert_eq!(error.offset(), Some(15));
/// assert_eq!(error.path(), Some("/a/1/b"));
/// assert_eq!(error.to_string(), "expected each member name once at byte 15, found `b` again");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct JsonError(Box<Details>);

#[derive(Clone, PartialEq, Eq)]
struct Details {
    kind: JsonErrorKind,
    offset: Option<usize>,
    path: Option<String>,
    expected: Cow<'static, str>,
    found: Cow<'static, str>,
}

/// The kinds of [`JsonError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// A byte that the JSON grammar does not allow there.
    UnexpectedByte,
    /// The text stops inside a value.
    UnexpectedEnd,
    /// More than one document, or anything but white space after the first.
    TrailingData,
    /// The text begins with U+FEFF.
    ByteOrderMark,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// Half a surrogate pair: as an escape without its other half, or as three bytes that encode one.
    LoneSurrogate,
    /// U+0000 to U+001F inside a string without an escape.
    ControlCharacter,
    /// A backslash that is not followed by one of `" \ / b f n r t`, or by `u` and four hex digits.
    InvalidEscape,
    /// A member name that the object has already; names are compared after decoding their escapes.
    DuplicateMember,
    /// A number whose nearest double is infinite.
    NumberOverflow,
    /// An integer of a typed value beyond ±(2^53 − 1), which a double may not hold exactly.
    UnsafeInteger,
    /// A NaN or an infinity in a typed value.
    NotFinite,
    /// A map key that JSON has no name for, such as a sequence.
    NameNotText,
    /// The `Serialize` implementation gave up with a message of its own.
    Unserializable,
    /// More nested arrays and objects than the limit allows.
    TooDeep,
    /// More bytes than the limit allows.
    TooLarge,
    /// More values than the limit allows.
    TooManyValues,
    /// A member name longer than the limit allows.
    NameTooLong,
    /// A string longer than the limit allows.
    StringTooLong,
}

impl JsonError {
    /// The kind of fault.
    #[must_use]
    pub fn kind(&self) -> JsonErrorKind {
        self.0.kind
    }

    /// Index of the first offending byte in the text. `None` for typed values, which have no text.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// JSON Pointer (RFC 6901) to the value in which the fault lies, or to the repeated member. `None` where the
    /// document was refused before it was read.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// The requirement that is not met, such as `TCT-JSON-4`.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.0.kind.requirement()
    }

    /// The same error with its offset increased by `bytes`, for a text that is a part of a larger input.
    ///
    /// ```
    /// let input = b"data: [1,]";
    /// let error = tct_canonical_json::JsonReader::new().read(&input[6..]).unwrap_err().moved_by(6);
    /// assert_eq!((error.offset(), input[error.offset().unwrap()]), (Some(9), b']'));
    /// ```
    #[must_use]
    pub fn moved_by(self, bytes: usize) -> Self {
        self.moved(bytes as u64)
    }

    /// The same for an offset in a text that does not have to be in memory.
    #[cold]
    pub(crate) fn moved(mut self, by: u64) -> Self {
        let by = usize::try_from(by).unwrap_or(usize::MAX);
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(by));
        self
    }

    #[cold]
    pub(crate) fn at(
        kind: JsonErrorKind,
        offset: usize,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (expected, found) = (expected.into(), found.into());
        JsonError(Box::new(Details { kind, offset: Some(offset), path: None, expected, found }))
    }

    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn of_value(
        kind: JsonErrorKind,
        expected: impl Into<Cow<'static, str>>,
        found: &dyn fmt::Display,
    ) -> Self {
        let (expected, found) = (expected.into(), found.to_string().into());
        JsonError(Box::new(Details { kind, offset: None, path: None, expected, found }))
    }

    /// The same error with this path, unless it has one already.
    #[cold]
    pub(crate) fn with_path(mut self, path: String) -> Self {
        self.0.path.get_or_insert(path);
        self
    }

    /// The same error with its path prefixed by `path`, for a text that is a value of a document.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn inside(mut self, mut path: String) -> Self {
        path.push_str(self.0.path.as_deref().unwrap_or_default());
        self.0.path = Some(path);
        self.0.offset = None;
        self
    }
}

impl JsonErrorKind {
    /// The requirement behind this kind, such as `TCT-JSON-4`.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            Self::UnexpectedByte
            | Self::UnexpectedEnd
            | Self::TooDeep
            | Self::TooLarge
            | Self::TooManyValues
            | Self::NameTooLong
            | Self::StringTooLong => "TCT-SEC-10",
            Self::TrailingData
            | Self::ByteOrderMark
            | Self::InvalidUtf8
            | Self::LoneSurrogate
            | Self::DuplicateMember => "TCT-JSON-4",
            Self::ControlCharacter | Self::InvalidEscape => "TCT-JSON-6",
            Self::NumberOverflow | Self::NotFinite => "TCT-JSON-8",
            Self::UnsafeInteger => "TCT-AMB-7",
            Self::NameNotText | Self::Unserializable => "TCT-JSON-1",
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { offset, path, expected, found, .. } = &*self.0;
        write!(f, "expected {expected}")?;
        match (offset, path) {
            (Some(offset), _) => write!(f, " at byte {offset}")?,
            (None, Some(path)) if path.is_empty() => f.write_str(" at the root")?,
            (None, Some(path)) => write!(f, " at {path}")?,
            (None, None) => {}
        }
        write!(f, ", found {found}")
    }
}

impl fmt::Debug for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonError")
            .field("kind", &self.0.kind)
            .field("offset", &self.0.offset)
            .field("path", &self.0.path)
            .field("message", &format_args!("{self}"))
            .finish()
    }
}

impl core::error::Error for JsonError {}

/// A few bytes of the input between back quotes, everything but printable ASCII escaped.
pub(crate) struct Quoted<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 24;
        let shown = self.0.get(..MOST).unwrap_or(self.0);
        let dots = if shown.len() < self.0.len() { "…" } else { "" };
        write!(f, "`{}{dots}`", shown.escape_ascii())
    }
}
