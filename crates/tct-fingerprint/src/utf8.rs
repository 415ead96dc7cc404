//! Bytes that should be UTF-8: whole or in chunks that may end within a character.

use core::fmt;

use crate::invariant::part;
use crate::{Fingerprint, Fingerprinter};

/// The bytes are not valid UTF-8: the offset of the first invalid byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utf8Error {
    kind: Utf8ErrorKind,
    offset: usize,
}

/// The ways in which bytes can fail to be UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Utf8ErrorKind {
    /// A byte that is not allowed at its place.
    Invalid,
    /// The bytes end within a character.
    Truncated,
}

impl Utf8Error {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> Utf8ErrorKind {
        self.kind
    }

    /// The first byte of the character that is not well formed, from 0, counted over all chunks.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The requirement that the input breaks.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        "TCT-AMB-12"
    }
}

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match self.kind {
            Utf8ErrorKind::Invalid => write!(f, "expected UTF-8 at byte {at}, found an invalid sequence"),
            Utf8ErrorKind::Truncated => {
                write!(f, "expected the rest of the character at byte {at}, found the end")
            }
        }
    }
}

impl core::error::Error for Utf8Error {}

/// The bytes as text, or the offset of the first byte that is not valid UTF-8.
pub(crate) fn check(bytes: &[u8]) -> Result<&str, Utf8Error> {
    core::str::from_utf8(bytes).map_err(|error| Utf8Error {
        kind: if error.error_len().is_some() { Utf8ErrorKind::Invalid } else { Utf8ErrorKind::Truncated },
        offset: error.valid_up_to(),
    })
}

/// Turns chunks of bytes into chunks of text: keeps the start of a character whose end is yet to come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chunks {
    held: [u8; 4],
    held_len: usize,
    /// Bytes before the held ones, over all chunks.
    passed: usize,
    /// The error that ended the text. It is that of every later call.
    failed: Option<Utf8Error>,
}

impl Chunks {
    /// Hands on the text of all characters that are whole.
    ///
    /// # Errors
    /// The bytes are not valid UTF-8; the offset counts over all chunks.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: impl FnMut(&str)) -> Result<(), Utf8Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.try_push(bytes, sink).inspect_err(|&error| self.failed = Some(error))
    }

    fn try_push(&mut self, mut bytes: &[u8], mut sink: impl FnMut(&str)) -> Result<(), Utf8Error> {
        while self.held_len > 0 {
            let Some((&byte, rest)) = bytes.split_first() else { return Ok(()) };
            let (start, len) = (self.passed, self.held_len + 1);
            if let Some(free) = self.held.get_mut(self.held_len) {
                *free = byte;
            }
            let held = part(&self.held, ..len);
            match check(held) {
                Ok(text) => {
                    sink(text);
                    self.passed += len;
                    self.held_len = 0;
                }
                Err(Utf8Error { kind: Utf8ErrorKind::Truncated, .. }) => self.held_len = len,
                Err(error) => return Err(Utf8Error { offset: start, ..error }),
            }
            bytes = rest;
        }
        // A character that may go on is not part of what is checked at once, so that nothing is checked twice.
        let (whole, held) = bytes.split_at(bytes.len() - open_len(bytes));
        let invalid = |at| Utf8Error { kind: Utf8ErrorKind::Invalid, offset: at };
        sink(check(whole).map_err(|error| invalid(self.passed + error.offset))?);
        self.passed += whole.len();
        if check(held).is_err_and(|error| error.kind == Utf8ErrorKind::Invalid) {
            return Err(invalid(self.passed));
        }
        self.held_len = held.len();
        for (slot, byte) in self.held.iter_mut().zip(held) {
            *slot = *byte;
        }
        Ok(())
    }

    fn finish(&self) -> Result<(), Utf8Error> {
        match (self.failed, self.held_len) {
            (Some(error), _) => Err(error),
            (None, 0) => Ok(()),
            (None, _) => Err(Utf8Error { kind: Utf8ErrorKind::Truncated, offset: self.passed }),
        }
    }
}

/// How many bytes at the end begin a character whose other bytes are still to come; 3 at the most.
fn open_len(bytes: &[u8]) -> usize {
    let from_end = bytes.iter().rev().take(3).position(|byte| byte & 0xC0 != 0x80);
    let Some((len, lead)) = from_end.and_then(|at| Some((at + 1, *bytes.iter().nth_back(at)?))) else {
        return 0;
    };
    let needed = match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => 1,
    };
    if len < needed { len } else { 0 }
}

/// A [`Fingerprinter`] that is fed with bytes; a chunk may end anywhere, even within a character.
///
/// ```
/// use tct_fingerprint::{Utf8Fingerprinter, fingerprint};
///
/// let mut fingerprinter = Utf8Fingerprinter::new();
/// for byte in "Café".as_bytes() {
///     fingerprinter.update(&[*byte])?;
/// }
/// assert_eq!(fingerprinter.finish()?, fingerprint("Café"));
///
/// let mut fingerprinter = Utf8Fingerprinter::new();
/// assert_eq!(fingerprinter.update(b"abc\xFFd").unwrap_err().offset(), 3);
/// assert_eq!(fingerprinter.finish().unwrap_err().offset(), 3);
/// # Ok::<(), tct_fingerprint::Utf8Error>(())
/// ```
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-8, TCT-AMB-12.
#[derive(Debug, Clone, Default)]
pub struct Utf8Fingerprinter {
    chunks: Chunks,
    inner: Fingerprinter,
}

impl Utf8Fingerprinter {
    /// A fingerprinter for a new text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// The bytes are not valid UTF-8. Every later call returns the same error, `finish` too: there is no fingerprint.
    pub fn update(&mut self, bytes: &[u8]) -> Result<(), Utf8Error> {
        self.chunks.push(bytes, |text| self.inner.update(text))
    }

    /// The fingerprint of all bytes.
    ///
    /// # Errors
    /// The error of an earlier call, or the last character is cut off.
    pub fn finish(self) -> Result<Fingerprint, Utf8Error> {
        self.chunks.finish()?;
        Ok(self.inner.finish())
    }
}

/// Takes bytes from any reader, for instance with [`std::io::copy`]; invalid UTF-8 is an error of the kind
/// `InvalidData` that wraps the [`Utf8Error`].
///
/// ```
/// use tct_fingerprint::{Utf8Fingerprinter, fingerprint};
///
/// let mut fingerprinter = Utf8Fingerprinter::new();
/// std::io::copy(&mut "Café".as_bytes(), &mut fingerprinter)?;
/// assert_eq!(fingerprinter.finish()?, fingerprint("café"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "std")]
impl std::io::Write for Utf8Fingerprinter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.update(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => Err(std::io::Error::new(std::io::ErrorKind::InvalidData, error)),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
