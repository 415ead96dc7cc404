//! What can go wrong where canonical bytes go to a digest, a formatter or a stream.

use core::fmt;

use crate::JsonError;

/// Why the output is missing or incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteError<E> {
    /// The input has no canonical form; nothing was handed out.
    Input(JsonError),
    /// The error of the caller's function.
    Output(E),
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
            WriteError::Output(_) => "the output could not be written",
        })
    }
}

impl<E: core::error::Error + 'static> core::error::Error for WriteError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            WriteError::Input(error) => Some(error),
            WriteError::Output(error) => Some(error),
        }
    }
}
