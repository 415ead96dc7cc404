//! Writing string literals.

use alloc::string::String;

/// Appends `text` as a JSON string literal: quotes, backslashes and control characters escaped, the rest as it is.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let digit = |n: u32| char::from_digit(n, 16).unwrap_or('0');
                out.push_str("\\u00");
                out.push(digit(c as u32 >> 4));
                out.push(digit(c as u32 & 0xf));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// `text` as a JSON string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}
