//! Selectors of plain names, read without the library: most of a style sheet's are, and only their last compounds are asked for.

use std::borrow::Cow;

use crate::letters::ByteKinds;

/// What bytes are in selectors of plain names, as bits: the sign that a class, an id or a state begins with; between two compounds; in
/// none of them.
const SIGN: u8 = 1;
const APART: u8 = 1 << 1;
const ODD: u8 = 1 << 2;

static KINDS: ByteKinds = ByteKinds::of(&[
    (SIGN, b".#:"),
    (APART, b" >+~\t\n\r\x0c"),
    (ODD, b"!\"$%&'()/;<=?@[\\]^`{|}"),
    (ODD, b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0e\x0f\x10\x11"),
    (ODD, b"\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"),
]);

/// The selectors of a list, without what is in brackets; `None` where they are not of plain names beside that. `O(n)`.
pub(super) fn selectors(list: &str) -> Option<Cow<'_, str>> {
    let mut kept = String::new();
    let mut rest = list;
    loop {
        let opens = memchr::memchr2(b'(', b'[', rest.as_bytes());
        let names = rest.get(..opens.unwrap_or(rest.len()))?;
        if KINDS.of_all(names.as_bytes()) & ODD != 0 {
            return None;
        }
        let Some(opens) = opens else {
            if kept.is_empty() && names.len() == list.len() {
                return Some(list.into());
            }
            kept.push_str(names);
            return Some(kept.into());
        };
        kept.reserve(list.len() - kept.len());
        kept.push_str(names);
        // A compound may be nothing but brackets.
        if kept.bytes().next_back().is_none_or(|last| KINDS.of_byte(last) == APART || last == b',') {
            kept.push('*');
        }
        rest = rest.get(end_of_brackets(rest.as_bytes(), opens)?..)?;
    }
}

/// The place behind the bracket that closes the one here; `None` where none does, or an escape or a comment may.
fn end_of_brackets(bytes: &[u8], opens: usize) -> Option<usize> {
    let (mut at, mut depth) = (opens, 0_usize);
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| KINDS.of_byte(byte) == ODD)?;
        match bytes.get(at)? {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            &quote @ (b'"' | b'\'') => at += 1 + memchr::memchr(quote, bytes.get(at + 1..)?)?,
            b'\\' | b'/' => return None,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The last compound of a selector.
pub(super) fn last_compound(selector: &str) -> &str {
    let selector = selector.trim_ascii_end();
    let from = selector.bytes().rposition(|byte| KINDS.of_byte(byte) == APART).map_or(0, |at| at + 1);
    selector.get(from..).unwrap_or_default()
}

/// The parts of a compound, each with its sign: `a`, `.b` and `:hover` of `a.b:hover`.
pub(super) fn parts(compound: &str) -> impl Iterator<Item = &str> {
    let mut rest = compound;
    std::iter::from_fn(move || {
        let end = rest.bytes().skip(1).position(|byte| KINDS.of_byte(byte) == SIGN);
        let (part, after) = rest.split_at_checked(end.map_or(rest.len(), |end| end + 1))?;
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// Whether a part of a compound makes it one about a part of an element, which has none of the page's text. Of `::before`, the first
/// colon is a part.
pub(super) fn is_pseudo(part: &str) -> bool {
    matches!(part, ":" | ":before" | ":after")
}
