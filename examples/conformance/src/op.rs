//! What an operation is, and how it fails.

use serde::Serialize;

use crate::Input;

/// An operation: reads its input, makes one library call, writes the answer as a JSON text.
pub type Op = fn(&Input<'_>) -> Result<String, OpError>;

/// The JSON text of what an operation found.
///
/// # Errors
/// The operation's own.
pub fn text(found: Result<impl Serialize, OpError>) -> Result<String, OpError> {
    serde_json::to_string(&found?).map_err(|error| OpError::new("answer", error))
}

/// The error that an operation ends with: `kind` in kebab case for programs, `message` for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpError {
    /// Stable name of the error, such as `duplicate-member`.
    pub kind: String,
    /// What was expected and what was found.
    pub message: String,
}

impl OpError {
    /// An error of this kind whose message is the `Display` text of `message`.
    pub fn new(kind: impl Into<String>, message: impl ToString) -> Self {
        OpError { kind: kind.into(), message: message.to_string() }
    }

    /// An error whose kind is the kebab-case form of a `Debug` name: `BadDigit { .. }` becomes `bad-digit`.
    pub fn of(kind: impl std::fmt::Debug, message: impl ToString) -> Self {
        OpError::new(kebab(&kind), message)
    }
}

/// The kebab-case form of a unit or struct variant's `Debug` name: `BadDigit { found: 3 }` becomes `bad-digit`.
pub fn kebab(name: &dyn std::fmt::Debug) -> String {
    let debug = format!("{name:?}");
    let mut kebab = String::new();
    for c in debug.chars().take_while(char::is_ascii_alphanumeric) {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}
