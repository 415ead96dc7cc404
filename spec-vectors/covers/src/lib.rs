//! [`macro@covers`] names the requirements that a test asserts.
//!
//! The report `CONFORMANCE.md` counts a requirement as tested when a vector names it or a test function carries it in
//! this attribute. A comment does not count, and the report's own test refuses an ID in a comment of a test.
//!
//! ```
//! use covers::covers;
//!
//! #[test]
//! #[covers("TCT-FP-11", "TCT-ZF-1")]
//! fn hashes_are_compared_as_strings() {
//!     assert_ne!("sha256-ab", "sha256-AB");
//! }
//! ```
#![allow(clippy::test_attr_in_doctest, reason = "the example shows where the attribute stands")]

use proc_macro::{TokenStream, TokenTree};

/// Names the requirements that the test function below asserts: one string literal an ID.
///
/// The function is left as it is. It is a compile error to name no ID, to name a text that has not the shape of an
/// ID (`TCT-FP-11`, `RSL-4`), or to put the attribute on something other than a function.
#[proc_macro_attribute]
pub fn covers(ids: TokenStream, item: TokenStream) -> TokenStream {
    match fault(ids, &item) {
        None => item,
        Some(message) => {
            let mut tokens: TokenStream =
                format!("::core::compile_error!({message:?});").parse().unwrap_or_default();
            tokens.extend(item);
            tokens
        }
    }
}

fn fault(ids: TokenStream, item: &TokenStream) -> Option<String> {
    let mut count = 0;
    let mut wants_id = true;
    for token in ids {
        let text = token.to_string();
        match token {
            TokenTree::Literal(_) if wants_id => {
                let id = text.trim_matches('"');
                if text.len() != id.len() + 2 || !is_id(id) {
                    return Some(format!(
                        "covers: expected a requirement's ID such as \"TCT-FP-11\", found {text}"
                    ));
                }
                count += 1;
                wants_id = false;
            }
            TokenTree::Punct(_) if text == "," && !wants_id => wants_id = true,
            _ => return Some(format!("covers: expected IDs with commas between them, found `{text}`")),
        }
    }
    if count == 0 {
        return Some("covers: expected at least one requirement's ID, found none".to_owned());
    }
    let is_function = item
        .clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "fn"));
    (!is_function).then(|| "covers: expected a test function below".to_owned())
}

/// Capital words and numbers, joined by `-`, of which the first is the specification's: `SIG9421-TIME-2`, `TCT-VEC-A`.
fn is_id(text: &str) -> bool {
    let part = |part: &str| {
        let digits = part.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        !digits.is_empty() && digits.chars().all(plain) && part.len() - digits.len() <= 1
    };
    text.split('-').count() >= 2
        && text.split('-').all(part)
        && text.starts_with(|c: char| c.is_ascii_uppercase())
}
