//! Licenses: SPDX expressions by their syntax, or URLs.
//!
//! ```text
//! expression = term *( ("AND" / "OR") term )
//! term       = "(" expression ")" / id ["+"] ["WITH" id]
//! id         = [ "DocumentRef-" name ":" ] name          letters, digits, "-", "."
//! ```
//!
//! The list of identifiers grows with every SPDX release and is not held here: `Nobodys-License-9.9` passes.

use crate::url;

/// The kind of the member `license`.
///
/// ```
/// use llmindex_types::LicenseKind;
/// assert_eq!(LicenseKind::of("MIT OR Apache-2.0"), LicenseKind::Spdx);
/// assert_eq!(LicenseKind::of("https://example.com/license"), LicenseKind::Url);
/// assert_eq!(LicenseKind::of("all rights reserved"), LicenseKind::FreeText);
/// ```
///
/// Spec: llmindex 0.1, "Optional fields"; LLMI-MAN-20, LLMI-AMB-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum LicenseKind {
    /// An SPDX identifier or expression, by its syntax.
    Spdx,
    /// An absolute http(s) URL of the license text.
    Url,
    /// Anything else.
    FreeText,
}

impl core::fmt::Display for LicenseKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            LicenseKind::Spdx => "an SPDX expression",
            LicenseKind::Url => "a URL",
            LicenseKind::FreeText => "free text",
        })
    }
}

impl LicenseKind {
    /// The kind of a license text. `O(n)`, no allocation.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if is_spdx_expression(text) {
            LicenseKind::Spdx
        } else if url::check(text).is_ok() {
            LicenseKind::Url
        } else {
            LicenseKind::FreeText
        }
    }
}

/// What is expected next in an expression.
enum Next {
    Term,
    Operator,
    /// As `Operator`, or `WITH`: after a plain identifier.
    OperatorOrWith,
    Exception,
}

fn is_spdx_expression(text: &str) -> bool {
    let mut open = 0_usize;
    let mut next = Next::Term;
    let spaced = text.split(' ').flat_map(|word| word.split_inclusive(['(', ')']));
    for piece in spaced {
        // A piece is a word, a parenthesis, or a word with a parenthesis at its end.
        let (word, parenthesis) = match piece.char_indices().next_back() {
            Some((at, c @ ('(' | ')'))) => (piece.get(..at).unwrap_or_default(), Some(c)),
            _ => (piece, None),
        };
        if !word.is_empty() {
            next = match (next, word) {
                (Next::Operator | Next::OperatorOrWith, "AND" | "OR" | "and" | "or") => Next::Term,
                (Next::OperatorOrWith, "WITH" | "with") => Next::Exception,
                (Next::Term, id) if is_license_id(id) => Next::OperatorOrWith,
                (Next::Exception, id) if is_name(id) && !is_operator(id) => Next::Operator,
                _ => return false,
            };
        }
        match (parenthesis, &next) {
            (None, _) => {}
            (Some('('), Next::Term) if word.is_empty() => open += 1,
            (Some(')'), Next::Operator | Next::OperatorOrWith) if open > 0 => {
                open -= 1;
                next = Next::Operator;
            }
            _ => return false,
        }
    }
    open == 0 && matches!(next, Next::Operator | Next::OperatorOrWith)
}

fn is_operator(word: &str) -> bool {
    matches!(word, "AND" | "OR" | "WITH" | "and" | "or" | "with")
}

fn is_license_id(word: &str) -> bool {
    let id = match word.strip_prefix("DocumentRef-").and_then(|rest| rest.split_once(':')) {
        Some((document, id)) if is_name(document) && id.starts_with("LicenseRef-") => id,
        Some(_) => return false,
        None => word.strip_suffix('+').unwrap_or(word),
    };
    is_name(id.strip_prefix("LicenseRef-").unwrap_or(id)) && !is_operator(word)
}

fn is_name(word: &str) -> bool {
    let name_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    word.bytes().all(name_byte) && word.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax() {
        for good in [
            "MIT",
            "CC-BY-4.0",
            "MIT OR Apache-2.0",
            "(MIT)",
            "( MIT AND (BSD-3-Clause OR Apache-2.0) )",
            "GPL-2.0+ WITH Classpath-exception-2.0",
            "LicenseRef-x",
            "DocumentRef-spdx-tool-1.2:LicenseRef-x",
            "mit or apache-2.0",
            "((MIT)) AND (ISC)",
        ] {
            assert_eq!(LicenseKind::of(good), LicenseKind::Spdx, "{good}");
        }
        for bad in [
            "MIT WITH AND",
            "MIT WITH with",
            "MIT WITH a/b",
            "MIT WITH",
            "MIT WITH x WITH y",
            "(MIT) WITH x",
            "",
            " ",
            "All rights reserved",
            "MIT OR",
            "OR MIT",
            "MIT Apache-2.0",
            "(MIT",
            "MIT)",
            "()",
            "MIT(ISC)",
            "MIT OR(ISC)",
            "MIT,ISC",
            "MIT WITH",
            "MIT WITH a WITH b",
            "(MIT) WITH a",
            "MIT/Apache",
            "LicenseRef-",
            "DocumentRef-a:MIT",
            "© 2026",
            "-",
            "AND",
            "ftp://example.com/license",
            "MIT AND AND ISC",
            ")(",
            "MIT\tOR ISC",
        ] {
            assert_eq!(LicenseKind::of(bad), LicenseKind::FreeText, "{bad}");
        }
        assert_eq!(LicenseKind::of("http://example.com/license"), LicenseKind::Url);
    }
}
