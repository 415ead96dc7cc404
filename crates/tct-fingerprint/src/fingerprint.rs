//! The fingerprint value: 32 bytes, written as `sha256-` and 64 lower-case hex digits.
//!
//! The text form is strict in both directions. Nothing is trimmed, upper case is refused, and each fault has its own
//! [`FingerprintErrorKind`] with a byte offset. Agents compare the text byte for byte, so a reader that accepted
//! `SHA256-` or `…AB` would treat two texts as equal that the protocol treats as different.

use core::fmt;
use core::str::FromStr;

use sha2::{Digest, Sha256};

use crate::StrongEtag;

/// What every fingerprint's text begins with.
pub(crate) const PREFIX: &[u8; 7] = b"sha256-";

/// A SHA-256 digest that prints as `sha256-` and 64 lower-case hex digits.
///
/// 32 bytes, `Copy`. Order is the order of the digest's bytes, which is also the order of the texts.
///
/// ```
/// use tct_fingerprint::{Fingerprint, fingerprint};
///
/// let value = fingerprint("Hello World");
/// let text = "sha256-b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";
/// assert_eq!(value.to_string(), text);
/// assert_eq!(text.parse(), Ok(value));
/// ```
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-8, TCT-FP-10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Length of the text form in bytes: 7 for `sha256-`, 64 for the digits.
    pub const TEXT_LEN: usize = 71;

    /// The fingerprint of a text that is empty after normalisation.
    ///
    /// A content hash with this value is suspicious: the page has no text, or a program hashed the empty string after
    /// an error (PHP's normaliser answers invalid UTF-8 that way).
    ///
    /// Spec: TCT draft-00, "Content Normalization"; TCT-FP-8, TCT-AMB-12.
    pub const OF_EMPTY: Self = Fingerprint([
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27,
        0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
    ]);

    /// The digest of bytes or text without normalisation: Method A hashes canonical JSON with it.
    ///
    /// ```
    /// use tct_fingerprint::Fingerprint;
    ///
    /// let value = Fingerprint::hash(b"foo");
    /// assert_eq!(value.to_string(), "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae");
    /// ```
    ///
    /// Spec: TCT draft-00, "Method A"; TCT-MA-1, TCT-AMB-3.
    #[must_use]
    pub fn hash<T: AsRef<[u8]> + ?Sized>(bytes: &T) -> Self {
        Fingerprint(Sha256::digest(bytes.as_ref()).into())
    }

    /// Wraps an existing digest; nothing is hashed.
    #[must_use]
    pub const fn from_digest(digest: [u8; 32]) -> Self {
        Fingerprint(digest)
    }

    /// The 32 bytes of the digest.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads `sha256-` and 64 lower-case hex digits; nothing is trimmed. Can be called in
    /// constants.
    ///
    /// ```
    /// use tct_fingerprint::{Fingerprint, FingerprintErrorKind};
    ///
    /// const FOO: Fingerprint =
    ///     match Fingerprint::parse("sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae") {
    ///         Ok(value) => value,
    ///         Err(_) => panic!("not a fingerprint"),
    ///     };
    /// assert_eq!(FOO, Fingerprint::hash(b"foo"));
    ///
    /// let error = Fingerprint::parse("sha256-2C26").unwrap_err();
    /// assert_eq!(error.kind(), FingerprintErrorKind::UpperCaseDigit { found: b'C' });
    /// assert_eq!(error.to_string(), "expected a lower-case hex digit at byte 8, found `C`");
    /// ```
    ///
    /// # Errors
    /// The first thing that is wrong, from left to right: see [`FingerprintErrorKind`].
    ///
    /// Spec: TCT draft-00, "Content Normalization"; TCT-FP-10, TCT-AMB-27.
    pub const fn parse(text: &str) -> Result<Self, FingerprintError> {
        Self::parse_bytes(text.as_bytes())
    }

    /// As [`Fingerprint::parse`], for bytes such as those of a header field.
    ///
    /// # Errors
    /// As [`Fingerprint::parse`].
    #[inline]
    pub const fn parse_bytes(text: &[u8]) -> Result<Self, FingerprintError> {
        if let [b's', b'h', b'a', b'2', b'5', b'6', b'-', digits @ ..] = text
            && let Some((digits, [])) = digits.split_first_chunk::<64>()
            && let Some(digest) = digest_of(digits)
        {
            return Ok(Fingerprint(digest));
        }
        Err(Self::fault_of(text))
    }

    /// What is wrong with a text that is not a fingerprint.
    #[cold]
    #[expect(
        clippy::indexing_slicing,
        reason = "constant evaluation has no `get`; each index is below a bound"
    )]
    const fn fault_of(text: &[u8]) -> FingerprintError {
        use FingerprintErrorKind as Kind;
        let mut at = 0;
        while at < text.len() && at < Self::TEXT_LEN {
            let is_right = if at < 7 { text[at] == PREFIX[at] } else { is_other(text[at]) == 0 };
            if !is_right {
                break;
            }
            at += 1;
        }
        let kind = if at == text.len() {
            if at < 7 { Kind::MissingPrefix } else { Kind::TooShort }
        } else {
            match text[at] {
                b' ' | b'\t' | b'\r' | b'\n' => Kind::WhiteSpace,
                found if at < 7 && found.eq_ignore_ascii_case(&PREFIX[at]) => Kind::UpperCasePrefix,
                _ if at < 7 => Kind::MissingPrefix,
                _ if at == Self::TEXT_LEN => Kind::TooLong,
                found @ b'A'..=b'F' => Kind::UpperCaseDigit { found },
                found => Kind::BadDigit { found },
            }
        };
        FingerprintError { kind, offset: at }
    }

    /// Writes the text form into `buffer` and returns it as text. Does not allocate.
    ///
    /// ```
    /// use tct_fingerprint::Fingerprint;
    ///
    /// let mut buffer = [0; Fingerprint::TEXT_LEN];
    /// assert!(Fingerprint::hash(b"foo").encode(&mut buffer).starts_with("sha256-2c26b46b"));
    /// ```
    pub fn encode<'a>(&self, buffer: &'a mut [u8; Self::TEXT_LEN]) -> &'a str {
        let (prefix, digits) = buffer.split_at_mut(PREFIX.len());
        prefix.copy_from_slice(PREFIX);
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[hex_digit(byte >> 4), hex_digit(byte & 15)]);
        }
        crate::invariant::utf8(buffer)
    }

    /// The strong entity tag of this fingerprint: the text between double quotes.
    ///
    /// ```
    /// use tct_fingerprint::Fingerprint;
    ///
    /// let etag = Fingerprint::hash(b"foo").etag();
    /// assert_eq!(etag.to_string(), r#""sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae""#);
    /// ```
    ///
    /// Spec: TCT draft-00, "Strong ETag Generation"; TCT-ETAG-2.
    #[must_use]
    pub const fn etag(self) -> StrongEtag {
        StrongEtag::new(self)
    }
}

/// The digest of 64 lower-case hex digits; `None` where one is not. No early exit, no table, and the values before their
/// pairs: the loops become a few vector instructions.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "constant evaluation has no iterators; each index is below a bound"
)]
const fn digest_of(digits: &[u8; 64]) -> Option<[u8; 32]> {
    let (mut values, mut others, mut at) = ([0; 64], 0, 0);
    while at < 64 {
        others |= is_other(digits[at]);
        values[at] = digit_value(digits[at]);
        at += 1;
    }
    let (mut digest, mut at) = ([0; 32], 0);
    while at < 32 {
        digest[at] = values[2 * at] << 4 | values[2 * at + 1];
        at += 1;
    }
    if others == 0 { Some(digest) } else { None }
}

/// 1 for a byte that is not a lower-case hex digit, else 0.
const fn is_other(byte: u8) -> u8 {
    (byte.wrapping_sub(b'0') > 9) as u8 & (byte.wrapping_sub(b'a') > 5) as u8
}

/// What a lower-case hex digit stands for. Letters are 0x61 to 0x66, digits 0x30 to 0x39.
const fn digit_value(digit: u8) -> u8 {
    (digit & 15).wrapping_add((digit >> 6) * 9)
}

const fn hex_digit(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.encode(&mut [0; Self::TEXT_LEN]))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        Self::parse(text)
    }
}

impl From<[u8; 32]> for Fingerprint {
    fn from(bytes: [u8; 32]) -> Self {
        Self::from_digest(bytes)
    }
}

impl From<Fingerprint> for [u8; 32] {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.0
    }
}

impl AsRef<[u8]> for Fingerprint {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A text is not a fingerprint: what was found and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FingerprintError {
    kind: FingerprintErrorKind,
    offset: usize,
}

/// The ways in which a text can fail to be a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FingerprintErrorKind {
    /// The text does not begin with `sha256-`; the offset is the first byte that differs.
    MissingPrefix,
    /// The prefix is there in another letter case, as in `SHA256-`.
    UpperCasePrefix,
    /// A space, tab, CR or LF is before, within or after the value. Nothing is trimmed.
    WhiteSpace,
    /// A hex digit in upper case.
    UpperCaseDigit {
        /// The digit, `A` to `F`.
        found: u8,
    },
    /// A byte that is not a hex digit in either case.
    BadDigit {
        /// The byte.
        found: u8,
    },
    /// The text ends before the 64th digit.
    TooShort,
    /// Something follows the 64th digit.
    TooLong,
}

impl FingerprintError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> FingerprintErrorKind {
        self.kind
    }

    /// The byte at which it shows, from 0.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The requirement that the text breaks.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        "TCT-FP-10"
    }

    /// The same error in a text where the value begins `by` bytes later.
    pub(crate) const fn moved(self, by: usize) -> Self {
        FingerprintError { kind: self.kind, offset: self.offset + by }
    }

    /// An error of this kind at this byte.
    pub(crate) const fn at(kind: FingerprintErrorKind, offset: usize) -> Self {
        FingerprintError { kind, offset }
    }
}

impl fmt::Display for FingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FingerprintErrorKind as Kind;
        let at = self.offset;
        match self.kind {
            Kind::MissingPrefix => write!(f, "expected `sha256-`, which ends or differs at byte {at}"),
            Kind::UpperCasePrefix => {
                write!(f, "expected `sha256-` in lower case, found upper case at byte {at}")
            }
            Kind::WhiteSpace => write!(f, "expected no white space, found some at byte {at}"),
            Kind::UpperCaseDigit { found } | Kind::BadDigit { found } => {
                write!(f, "expected a lower-case hex digit at byte {at}, found `{}`", found.escape_ascii())
            }
            Kind::TooShort => write!(f, "expected 64 hex digits, found the end at byte {at}"),
            Kind::TooLong => write!(f, "expected the end at byte {at}, found more after 64 hex digits"),
        }
    }
}

impl core::error::Error for FingerprintError {}

#[cfg(feature = "serde")]
mod with_serde {
    use super::Fingerprint;
    use core::fmt;

    impl serde::Serialize for Fingerprint {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.encode(&mut [0; Self::TEXT_LEN]))
        }
    }

    impl<'de> serde::Deserialize<'de> for Fingerprint {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Text;
            impl serde::de::Visitor<'_> for Text {
                type Value = Fingerprint;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("`sha256-` and 64 lower-case hex digits")
                }

                fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Fingerprint, E> {
                    Fingerprint::parse(text).map_err(E::custom)
                }
            }
            deserializer.deserialize_str(Text)
        }
    }
}
