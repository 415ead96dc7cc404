//! What a function fails with, and places in a text.

use std::fmt;

use serde::Serialize;
use tct_canonical_json::LineColumn;

/// A place in a text, in every unit that a caller may count by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// Bytes of UTF-8 before it.
    pub offset: usize,
    /// UTF-16 code units before it: the index into a JavaScript string.
    pub index: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Spot {
    /// The place of the byte at `offset`; of the end where the text is shorter. `O(offset)`.
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        let LineColumn { line, column, .. } = LineColumn::of(text, offset);
        let before = text.get(..offset).unwrap_or(text);
        let index = String::from_utf8_lossy(before).encode_utf16().count();
        Spot { offset: before.len(), index, line, column }
    }
}

/// Why a function has no answer. In JavaScript it is thrown as an `Error` with these members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Stable name in kebab case, such as `duplicate-member`.
    pub code: String,
    /// What was expected and what was found.
    pub message: String,
    /// Where in the input, if it is about one place.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub spot: Option<Spot>,
    /// The ID of the requirement behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<&'static str>,
}

impl Failure {
    /// A failure that is about no place in particular.
    pub fn new(code: &str, message: impl fmt::Display) -> Self {
        Failure { code: code.to_owned(), message: message.to_string(), spot: None, requirement: None }
    }

    /// A failure of a library: its kind by name, and its place in `text`.
    pub fn of(
        kind: &dyn fmt::Debug,
        message: impl fmt::Display,
        place: Option<(&[u8], usize)>,
        requirement: Option<&'static str>,
    ) -> Self {
        let spot = place.map(|(text, offset)| Spot::of(text, offset));
        Failure { code: kebab(kind), message: message.to_string(), spot, requirement }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// The kebab-case form of a variant's `Debug` name: `BadDigit { found: 3 }` becomes `bad-digit`.
#[must_use]
pub fn kebab(name: &dyn fmt::Debug) -> String {
    let mut kebab = String::new();
    for c in format!("{name:?}").chars().take_while(char::is_ascii_alphanumeric) {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_all_units() {
        let text = "a\n😀é!".as_bytes();
        assert_eq!(Spot::of(text, 8), Spot { offset: 8, index: 5, line: 2, column: 3 });
        assert_eq!(Spot::of(text, 99), Spot { offset: 9, index: 6, line: 2, column: 4 });
    }

    #[test]
    fn kinds_are_kebab_case() {
        assert_eq!(kebab(&Some(1)), "some");
        assert_eq!(kebab(&tct_canonical_json::JsonErrorKind::DuplicateMember), "duplicate-member");
    }
}
