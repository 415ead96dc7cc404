//! JSON bodies within limits: reading, canonical form, and a walk over it.
//!
//! ```text
//! bytes ──size──> canonical JSON (RFC 8785): as they came, or rewritten ──> tokens, each within the limits
//! ```
//!
//! Canonical bytes are compact and known to be well-formed, so that the walk needs no stack and no tree: a string ends at
//! its quote, a container where the brackets balance, and a string with a colon behind it is a name. Time is linear;
//! memory is that of a rewritten text, and nothing where the bytes are canonical already.

use std::borrow::Cow;

use core::fmt;

use tct_canonical_json::{CanonicalJsonError, CanonicalJsonErrorKind, Canonicalizer, DeviationKind, Profile};

/// How large a document may be. The defaults are those of the draft's reference implementation.
///
/// ```
/// use tct::v03::{BodyErrorKind, BodyLimits, Identity};
/// let strict = BodyLimits::default().with_max_depth(1);
/// assert!(Identity::of_json_with(b"[[]]", &strict).is_ok());
/// let error = Identity::of_json_with(b"[[0]]", &strict).unwrap_err();
/// assert_eq!(error.kind(), BodyErrorKind::TooDeep.into());
/// ```
///
/// Spec: TCT draft-03; TCT3-LIM-1 to TCT3-LIM-5, TCT3-LIM-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodyLimits {
    /// Bytes of the body, and of its canonical form. Default: 16,777,216.
    pub max_bytes: usize,
    /// Containers around a value. Default: 64. A scalar may lie in 64 arrays, and so may an empty array.
    pub max_depth: usize,
    /// Values, each container and the document itself included; names are none. Default: 100,000.
    pub max_nodes: usize,
    /// Bytes of a member's name in UTF-8, without escapes. Default: 16,384.
    pub max_name_bytes: usize,
    /// Bytes of a string in UTF-8, without escapes. Default: 4,194,304.
    pub max_string_bytes: usize,
}

impl Default for BodyLimits {
    fn default() -> Self {
        BodyLimits {
            max_bytes: 16 << 20,
            max_depth: 64,
            max_nodes: 100_000,
            max_name_bytes: 16 << 10,
            max_string_bytes: 4 << 20,
        }
    }
}

impl BodyLimits {
    /// The same limits with another size.
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: usize) -> Self {
        BodyLimits { max_bytes, ..self }
    }

    /// The same limits with another depth.
    #[must_use]
    pub const fn with_max_depth(self, max_depth: usize) -> Self {
        BodyLimits { max_depth, ..self }
    }

    /// The same limits with another number of values.
    #[must_use]
    pub const fn with_max_nodes(self, max_nodes: usize) -> Self {
        BodyLimits { max_nodes, ..self }
    }

    /// The same limits with another length of names.
    #[must_use]
    pub const fn with_max_name_bytes(self, max_name_bytes: usize) -> Self {
        BodyLimits { max_name_bytes, ..self }
    }

    /// The same limits with another length of strings.
    #[must_use]
    pub const fn with_max_string_bytes(self, max_string_bytes: usize) -> Self {
        BodyLimits { max_string_bytes, ..self }
    }

    /// The canonicalizer of these limits. One container more than a value may lie in: an empty one is a value as well.
    pub(super) fn canonicalizer(&self) -> Canonicalizer {
        Canonicalizer::new(Profile::Rfc8785).max_depth(self.max_depth.saturating_add(1)).max_bytes(self.max_bytes)
    }

    /// The canonical form of a body; borrowed where the body is it.
    pub(super) fn canonical<'a>(&self, body: &'a [u8]) -> Result<Cow<'a, [u8]>, BodyError> {
        let canonicalizer = self.canonicalizer();
        match canonicalizer.check_canonical(body).map(|deviation| deviation.kind()) {
            None => Ok(Cow::Borrowed(body)),
            Some(DeviationKind::Refused(CanonicalJsonErrorKind::TooLarge)) => {
                Err(BodyError::limit(BodyErrorKind::TooLarge, self.max_bytes))
            }
            Some(_) => canonicalizer.to_canonical(body).map(Cow::Owned).map_err(|error| self.error(error)),
        }
    }

    /// The error of a canonicalizer with these limits.
    pub(super) fn error(&self, error: CanonicalJsonError) -> BodyError {
        let (kind, limit) = match error.kind() {
            CanonicalJsonErrorKind::TooDeep => (BodyErrorKind::TooDeep, self.max_depth),
            CanonicalJsonErrorKind::TooLarge => (BodyErrorKind::TooLarge, self.max_bytes),
            _ => (BodyErrorKind::Json, 0),
        };
        BodyError { kind, limit, offset: None, json: Some(error) }
    }

    /// Walks over canonical bytes to see that they are within the limits.
    pub(super) fn check(&self, canonical: &[u8]) -> Result<(), BodyError> {
        if canonical.len() > self.max_bytes {
            return Err(BodyError::limit(BodyErrorKind::TooLarge, self.max_bytes));
        }
        let mut walk = Walk::new(canonical, self);
        while walk.next()?.is_some() {}
        Ok(())
    }
}

/// A piece of a canonical text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A member's name as it is written between its quotes.
    Name(&'a [u8]),
    /// A string as it is written between its quotes.
    Text(&'a [u8]),
    /// A number.
    Number(&'a [u8]),
    /// `true` or `false`.
    Bool,
    Null,
    /// An object or an array begins; it is a value too.
    Object,
    Array,
    /// The innermost container ends.
    End,
}

impl Token<'_> {
    /// What a value's token is called in a finding.
    pub(super) const fn type_name(&self) -> &'static str {
        match self {
            Token::Name(_) | Token::Text(_) => "a string",
            Token::Number(_) => "a number",
            Token::Bool => "a boolean",
            Token::Null => "null",
            Token::Object => "an object",
            Token::Array | Token::End => "an array",
        }
    }
}

/// Walks over the tokens of a canonical text.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    text: &'a [u8],
    at: usize,
    open: usize,
    nodes: usize,
    limits: BodyLimits,
}

impl<'a> Walk<'a> {
    pub(super) const fn new(canonical: &'a [u8], limits: &BodyLimits) -> Self {
        Walk { text: canonical, at: 0, open: 0, nodes: 0, limits: *limits }
    }

    /// The next token, or `None` at the end.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, BodyError> {
        loop {
            let Some(&first) = self.text.get(self.at) else { return Ok(None) };
            let start = self.at;
            self.at += 1;
            let token = match first {
                b',' | b':' => continue,
                b'"' => {
                    let inner = self.string();
                    if self.text.get(self.at) == Some(&b':') {
                        if inner.len() > self.limits.max_name_bytes {
                            self.measure(inner, self.limits.max_name_bytes, BodyErrorKind::NameTooLong, start)?;
                        }
                        return Ok(Some(Token::Name(inner)));
                    }
                    if inner.len() > self.limits.max_string_bytes {
                        self.measure(inner, self.limits.max_string_bytes, BodyErrorKind::StringTooLong, start)?;
                    }
                    Token::Text(inner)
                }
                b'{' => Token::Object,
                b'[' => Token::Array,
                b'}' | b']' => {
                    self.open = self.open.saturating_sub(1);
                    return Ok(Some(Token::End));
                }
                b't' => {
                    self.at += 3;
                    Token::Bool
                }
                b'f' => {
                    self.at += 4;
                    Token::Bool
                }
                b'n' => {
                    self.at += 3;
                    Token::Null
                }
                _ => {
                    let rest = self.text.get(start..).unwrap_or_default();
                    let len = rest.iter().take_while(|byte| !matches!(byte, b',' | b']' | b'}')).count();
                    self.at = start + len;
                    Token::Number(rest.get(..len).unwrap_or_default())
                }
            };
            self.nodes += 1;
            if self.nodes > self.limits.max_nodes {
                return Err(BodyError::at(BodyErrorKind::TooManyNodes, self.limits.max_nodes, start));
            }
            if self.open > self.limits.max_depth {
                return Err(BodyError::at(BodyErrorKind::TooDeep, self.limits.max_depth, start));
            }
            self.open += usize::from(matches!(token, Token::Object | Token::Array));
            return Ok(Some(token));
        }
    }

    /// Skips the rest of a value whose first token was just taken.
    pub(super) fn skip(&mut self, first: &Token<'_>) -> Result<(), BodyError> {
        if matches!(first, Token::Object | Token::Array) {
            let outside = self.open - 1;
            while self.open > outside && self.next()?.is_some() {}
        }
        Ok(())
    }

    /// The inside of the string whose quote was just taken.
    #[inline]
    fn string(&mut self) -> &'a [u8] {
        let start = self.at;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            match memchr::memchr2(b'"', b'\\', rest) {
                Some(len) if rest.get(len) == Some(&b'\\') => self.at += len + 2,
                Some(len) => {
                    let end = self.at + len;
                    self.at = end + 1;
                    return self.text.get(start..end).unwrap_or_default();
                }
                None => {
                    self.at = self.text.len();
                    return self.text.get(start..).unwrap_or_default();
                }
            }
        }
    }

    /// Escapes only lengthen a string: only one that is long with them is looked at.
    #[cold]
    fn measure(&self, inner: &[u8], limit: usize, kind: BodyErrorKind, at: usize) -> Result<(), BodyError> {
        let (mut len, mut rest) = (0, inner);
        while let Some(plain) = memchr::memchr(b'\\', rest) {
            let escape = if rest.get(plain + 1) == Some(&b'u') { 6 } else { 2 };
            len += plain + 1;
            rest = rest.get(plain + escape..).unwrap_or_default();
        }
        match len + rest.len() > limit {
            true => Err(BodyError::at(kind, limit, at)),
            false => Ok(()),
        }
    }
}

/// The text of a string that a token holds, its escapes undone.
pub(super) fn text_of(inner: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', inner).is_none() {
        return String::from_utf8_lossy(inner);
    }
    let quoted = [b"\"", inner, b"\""].concat();
    Cow::Owned(serde_json::from_slice(&quoted).unwrap_or_default())
}

/// Why a body could not be read: it is not JSON that has one meaning, or it is past a limit.
///
/// ```
/// use tct::v03::{BodyErrorKind, classify};
/// let error = classify(b"{\"a\":1,\"a\":2}").unwrap_err();
/// assert_eq!(error.kind(), BodyErrorKind::Json);
/// assert_eq!(error.to_string(), "expected JSON with a canonical form, found another text");
/// assert_eq!(error.json_error().unwrap().to_string(), "expected each member name once at byte 7, found `a` again");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyError {
    kind: BodyErrorKind,
    limit: usize,
    offset: Option<usize>,
    json: Option<CanonicalJsonError>,
}

/// The kinds of a [`BodyError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyErrorKind {
    /// The bytes are not one JSON text, or JSON that can be understood in two ways: see [`BodyError::json_error`].
    Json,
    /// More bytes than [`BodyLimits::max_bytes`].
    TooLarge,
    /// A value in more containers than [`BodyLimits::max_depth`].
    TooDeep,
    /// More values than [`BodyLimits::max_nodes`].
    TooManyNodes,
    /// A name of more bytes than [`BodyLimits::max_name_bytes`].
    NameTooLong,
    /// A string of more bytes than [`BodyLimits::max_string_bytes`].
    StringTooLong,
}

impl BodyErrorKind {
    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            BodyErrorKind::Json => "json",
            BodyErrorKind::TooLarge => "too-large",
            BodyErrorKind::TooDeep => "too-deep",
            BodyErrorKind::TooManyNodes => "too-many-nodes",
            BodyErrorKind::NameTooLong => "name-too-long",
            BodyErrorKind::StringTooLong => "string-too-long",
        }
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            BodyErrorKind::Json => "TCT3-JCS-1",
            BodyErrorKind::TooLarge => "TCT3-LIM-5",
            BodyErrorKind::TooDeep => "TCT3-LIM-1",
            BodyErrorKind::TooManyNodes => "TCT3-LIM-2",
            BodyErrorKind::NameTooLong => "TCT3-LIM-3",
            BodyErrorKind::StringTooLong => "TCT3-LIM-4",
        }
    }
}

impl BodyError {
    #[cold]
    fn limit(kind: BodyErrorKind, limit: usize) -> Self {
        BodyError { kind, limit, offset: None, json: None }
    }

    #[cold]
    fn at(kind: BodyErrorKind, limit: usize, offset: usize) -> Self {
        BodyError { kind, limit, offset: Some(offset), json: None }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> BodyErrorKind {
        self.kind
    }

    /// Byte offset of the value or name that is past a limit, in the canonical form of the body; of a text that is not
    /// JSON, the offset in the body. `None` where the size is what is wrong.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset.or_else(|| self.json.as_ref()?.offset())
    }

    /// What is wrong with the JSON text.
    #[must_use]
    pub const fn json_error(&self) -> Option<&CanonicalJsonError> {
        self.json.as_ref()
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        self.kind.requirement()
    }
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            BodyErrorKind::Json => return f.write_str("expected JSON with a canonical form, found another text"),
            BodyErrorKind::TooDeep => "containers around a value",
            BodyErrorKind::TooManyNodes => "values",
            BodyErrorKind::NameTooLong => "bytes in a name",
            BodyErrorKind::StringTooLong => "bytes in a string",
            BodyErrorKind::TooLarge => "bytes",
        };
        write!(f, "expected at most {} {what}, found more", self.limit)?;
        match self.offset {
            Some(offset) => write!(f, " at byte {offset} of the canonical form"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for BodyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.json.as_ref().map(|error| error as _)
    }
}
