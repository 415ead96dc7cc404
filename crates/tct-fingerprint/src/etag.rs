//! The entity-tag form: a fingerprint between double quotes, as the `ETag` field carries it.
//!
//! ```text
//! "sha256-<64 digits>"          strict and lenient
//! W/"sha256-<64 digits>"        lenient, reported as weak
//! "sha256-<64 digits>-gzip"     lenient, reported with the suffix
//! anything else                 an error
//! ```
//!
//! Servers that compress responses, and caches, modify the entity tags they pass on: nginx and most CDNs put `W/` in
//! front, Apache and some CDNs put the name of the coding inside the quotes. The fingerprint in such a tag is still
//! the publisher's. The lenient reader accepts it and reports the modification; the caller decides whether that is
//! good enough.

use core::fmt;
use core::str::FromStr;

use crate::{Fingerprint, FingerprintError, FingerprintErrorKind};

/// A strong entity tag with a fingerprint in it: `"sha256-…"`, quotes included.
///
/// Spec: TCT draft-00, "Strong ETag Generation"; TCT-ETAG-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrongEtag(Fingerprint);

impl StrongEtag {
    /// Length of the text form in bytes: the fingerprint's and two quotes.
    pub const TEXT_LEN: usize = Fingerprint::TEXT_LEN + 2;

    /// The tag of this fingerprint.
    #[must_use]
    pub const fn new(fingerprint: Fingerprint) -> Self {
        StrongEtag(fingerprint)
    }

    /// The fingerprint between the quotes.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.0
    }

    /// Writes the text form into `buffer` and returns it as text. Does not allocate.
    pub fn encode<'a>(&self, buffer: &'a mut [u8; Self::TEXT_LEN]) -> &'a str {
        let mut text = [0; Fingerprint::TEXT_LEN];
        self.0.encode(&mut text);
        let [first, inner @ .., last] = buffer;
        (*first, *last) = (b'"', b'"');
        inner.copy_from_slice(&text);
        // The buffer holds ASCII alone.
        crate::invariant::utf8(buffer)
    }

    /// Reads the value of an `ETag` field strictly: one pair of double quotes around a fingerprint, nothing else.
    ///
    /// ```
    /// use tct_fingerprint::{EtagErrorKind, Fingerprint, StrongEtag};
    ///
    /// let foo = Fingerprint::hash(b"foo");
    /// let value = foo.etag().to_string();
    /// assert_eq!(StrongEtag::parse(&value).map(|etag| etag.fingerprint()), Ok(foo));
    ///
    /// let error = StrongEtag::parse(format!("W/{value}")).unwrap_err();
    /// assert_eq!(error.kind(), EtagErrorKind::Weak);
    /// ```
    ///
    /// # Errors
    /// The first thing that is wrong, from left to right: see [`EtagErrorKind`].
    ///
    /// Spec: TCT draft-00, "Strong ETag Generation"; TCT-ETAG-2, TCT-PAR-2, TCT-AMB-21.
    pub fn parse(value: impl AsRef<[u8]>) -> Result<Self, EtagError> {
        let value = value.as_ref();
        let (inner, start) = unquote(value, false)?;
        match Fingerprint::parse_bytes(inner) {
            Ok(fingerprint) => Ok(StrongEtag(fingerprint)),
            Err(_) if split_suffix(inner).is_some() => {
                Err(EtagError { kind: EtagErrorKind::Suffix, offset: start + Fingerprint::TEXT_LEN })
            }
            Err(error) => Err(error.moved(start).into()),
        }
    }
}

impl fmt::Display for StrongEtag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.encode(&mut [0; Self::TEXT_LEN]))
    }
}

impl FromStr for StrongEtag {
    type Err = EtagError;

    fn from_str(value: &str) -> Result<Self, EtagError> {
        Self::parse(value)
    }
}

impl From<Fingerprint> for StrongEtag {
    fn from(fingerprint: Fingerprint) -> Self {
        StrongEtag(fingerprint)
    }
}

/// What the lenient reader found in an `ETag` field: the fingerprint, and each modification that it
/// ignored.
///
/// ```
/// use tct_fingerprint::{EtagSuffix, Fingerprint, LenientEtag};
///
/// let foo = Fingerprint::hash(b"foo");
/// let etag = LenientEtag::parse(format!("W/\"{foo}-gzip\"")).unwrap();
/// assert_eq!(etag.fingerprint(), foo);
/// assert!(etag.is_weak() && !etag.is_strict());
/// assert_eq!(etag.suffix(), Some(EtagSuffix::Gzip));
/// ```
///
/// Spec: TCT draft-00, "Parity"; TCT-PAR-2, TCT-AMB-21.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct LenientEtag {
    fingerprint: Fingerprint,
    weak: bool,
    suffix: Option<EtagSuffix>,
}

/// A suffix that a server or cache writes behind the publisher's tag, inside the quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EtagSuffix {
    /// `-gzip`, Apache's `mod_deflate`.
    Gzip,
    /// `--gzip`, Jetty.
    JettyGzip,
    /// `;gzip`, older caches.
    SemicolonGzip,
    /// `-br`, Apache's `mod_brotli` and several CDNs.
    Brotli,
    /// `-deflate`.
    Deflate,
    /// `-zstd`.
    Zstd,
}

const SUFFIXES: [EtagSuffix; 6] = [
    EtagSuffix::Gzip,
    EtagSuffix::JettyGzip,
    EtagSuffix::SemicolonGzip,
    EtagSuffix::Brotli,
    EtagSuffix::Deflate,
    EtagSuffix::Zstd,
];

impl EtagSuffix {
    /// The suffix as it is in the tag.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EtagSuffix::Gzip => "-gzip",
            EtagSuffix::JettyGzip => "--gzip",
            EtagSuffix::SemicolonGzip => ";gzip",
            EtagSuffix::Brotli => "-br",
            EtagSuffix::Deflate => "-deflate",
            EtagSuffix::Zstd => "-zstd",
        }
    }
}

impl LenientEtag {
    /// Reads the value of an `ETag` field, ignoring a weak mark and one known suffix.
    ///
    /// Quotes are still needed, the digits must still be lower case, and only `W/` (upper case, as HTTP has it) marks
    /// a weak tag.
    ///
    /// # Errors
    /// Everything else that [`StrongEtag::parse`] refuses.
    ///
    /// Spec: TCT draft-00, "Parity"; TCT-PAR-2, TCT-AMB-21.
    pub fn parse(value: impl AsRef<[u8]>) -> Result<Self, EtagError> {
        let value = value.as_ref();
        let (inner, start) = unquote(value, true)?;
        let (text, suffix) = match split_suffix(inner) {
            Some((text, suffix)) => (text, Some(suffix)),
            None => (inner, None),
        };
        let fingerprint = Fingerprint::parse_bytes(text).map_err(|error| error.moved(start))?;
        Ok(LenientEtag { fingerprint, weak: value.starts_with(b"W/"), suffix })
    }

    /// The fingerprint in the tag.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Whether the tag was marked weak with `W/`.
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.weak
    }

    /// The suffix that was taken off, if there was one.
    #[must_use]
    pub const fn suffix(&self) -> Option<EtagSuffix> {
        self.suffix
    }

    /// Returns true if nothing was ignored: [`StrongEtag::parse`] accepts the value too.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        !self.weak && self.suffix.is_none()
    }
}

/// The bytes between the quotes and where they begin.
fn unquote(value: &[u8], weak_too: bool) -> Result<(&[u8], usize), EtagError> {
    let error = |kind, offset| Err(EtagError { kind, offset });
    let (start, rest) = match value.strip_prefix(b"W/") {
        Some(_) if !weak_too => return error(EtagErrorKind::Weak, 0),
        Some(rest) => (2, rest),
        None => (0, value),
    };
    match rest.first() {
        None => return error(EtagErrorKind::Empty, start),
        Some(b'"') => {}
        Some(b'\'') => return error(EtagErrorKind::SingleQuotes, start),
        Some(_) => return error(EtagErrorKind::Unquoted, start),
    }
    let inner = rest.get(1..).unwrap_or_default();
    match inner.iter().position(|&byte| byte == b'"') {
        None => error(EtagErrorKind::Unclosed, value.len()),
        Some(end) if end + 1 < inner.len() => error(EtagErrorKind::TrailingBytes, start + end + 2),
        Some(end) => Ok((inner.get(..end).unwrap_or_default(), start + 1)),
    }
}

/// The bytes before a known suffix, and the suffix, if what precedes it is as long as a fingerprint.
fn split_suffix(inner: &[u8]) -> Option<(&[u8], EtagSuffix)> {
    let (text, rest) = inner.split_at_checked(Fingerprint::TEXT_LEN)?;
    let suffix = SUFFIXES.into_iter().find(|suffix| rest == suffix.as_str().as_bytes())?;
    Some((text, suffix))
}

/// The value of an `ETag` field holds no fingerprint that the reader takes: why, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EtagError {
    kind: EtagErrorKind,
    offset: usize,
}

/// The ways in which an `ETag` value can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EtagErrorKind {
    /// There is no value, or nothing after `W/`.
    Empty,
    /// The tag is weak; only the lenient reader takes it.
    Weak,
    /// The value does not begin with a double quote.
    Unquoted,
    /// The value begins with a single quote.
    SingleQuotes,
    /// The second double quote is missing.
    Unclosed,
    /// Something follows the second quote, such as a second tag.
    TrailingBytes,
    /// A known suffix follows the fingerprint; only the lenient reader takes it.
    Suffix,
    /// What is between the quotes is not a fingerprint: another publisher's tag, or a misspelt one.
    Fingerprint(FingerprintErrorKind),
}

impl EtagError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> EtagErrorKind {
        self.kind
    }

    /// The byte of the field value at which it shows, from 0.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The requirement that the value breaks.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        match self.kind {
            EtagErrorKind::Fingerprint(_) => "TCT-FP-10",
            _ => "TCT-ETAG-2",
        }
    }
}

impl From<FingerprintError> for EtagError {
    fn from(error: FingerprintError) -> Self {
        EtagError { kind: EtagErrorKind::Fingerprint(error.kind()), offset: error.offset() }
    }
}

impl fmt::Display for EtagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use EtagErrorKind as Kind;
        let at = self.offset;
        match self.kind {
            Kind::Empty => write!(f, "expected a quoted entity tag at byte {at}, found nothing"),
            Kind::Weak => write!(f, "expected a strong entity tag at byte {at}, found `W/`"),
            Kind::Unquoted => write!(f, "expected a double quote at byte {at}, found another byte"),
            Kind::SingleQuotes => write!(f, "expected a double quote at byte {at}, found a single one"),
            Kind::Unclosed => write!(f, "expected a closing double quote, found the end at byte {at}"),
            Kind::TrailingBytes => {
                write!(f, "expected the end at byte {at}, found more after the closing quote")
            }
            Kind::Suffix => {
                write!(f, "expected the closing quote at byte {at}, found a content coding's suffix")
            }
            Kind::Fingerprint(kind) => FingerprintError::at(kind, at).fmt(f),
        }
    }
}

impl core::error::Error for EtagError {}
