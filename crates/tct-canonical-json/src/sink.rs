//! Where canonical bytes can go besides a buffer: a digest, a formatter, a stream.

use core::convert::Infallible;
use core::fmt;

use crate::JsonError;

/// Takes the canonical bytes piece by piece. Every closure over `&[u8]` is one, so a digest needs no wrapper:
///
/// ```
/// use sha2::{Digest, Sha256};
/// use tct_canonical_json::{Canonicalizer, Profile};
///
/// let mut digest = Sha256::new();
/// Canonicalizer::new(Profile::Tct)
///     .write_to(br#"{ "b": 1.0, "a": "\u0041" }"#, |piece: &[u8]| digest.update(piece))?;
/// assert_eq!(digest.finalize(), Sha256::digest(br#"{"a":"A","b":1}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Pieces come in order, only after the whole input was found to be good, and end between characters.
pub trait Sink {
    /// Why a piece could not be taken.
    type Error;

    /// Takes the next piece.
    ///
    /// # Errors
    /// Whatever keeps the sink from taking it; it gets no further pieces.
    fn write_piece(&mut self, piece: &[u8]) -> Result<(), Self::Error>;
}

impl<F: FnMut(&[u8])> Sink for F {
    type Error = Infallible;

    fn write_piece(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        self(piece);
        Ok(())
    }
}

/// A [`fmt::Write`], such as a `String` or a formatter, as a sink.
#[derive(Debug)]
pub struct FmtSink<W>(pub W);

impl<W: fmt::Write> Sink for FmtSink<W> {
    type Error = fmt::Error;

    fn write_piece(&mut self, piece: &[u8]) -> fmt::Result {
        // Pieces are whole tokens of checked text.
        self.0.write_str(simdutf8::basic::from_utf8(piece).map_err(|_| fmt::Error)?)
    }
}

/// A [`std::io::Write`] as a sink. Pieces may be as short as a byte: a file or socket wants a `BufWriter` around it.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct IoSink<W>(pub W);

#[cfg(feature = "std")]
impl<W: std::io::Write> Sink for IoSink<W> {
    type Error = std::io::Error;

    fn write_piece(&mut self, piece: &[u8]) -> std::io::Result<()> {
        self.0.write_all(piece)
    }
}

/// Why nothing, or not all, reached a [`Sink`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteError<E> {
    /// The input has no canonical form; the sink got nothing.
    Input(JsonError),
    /// The sink took no more.
    Sink(E),
}

impl<E> From<JsonError> for WriteError<E> {
    fn from(error: JsonError) -> Self {
        WriteError::Input(error)
    }
}

impl<E> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteError::Input(_) => "the input has no canonical form",
            WriteError::Sink(_) => "the output could not be written",
        })
    }
}

impl<E: core::error::Error + 'static> core::error::Error for WriteError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            WriteError::Input(error) => Some(error),
            WriteError::Sink(error) => Some(error),
        }
    }
}
