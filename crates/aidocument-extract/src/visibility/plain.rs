//! Selectors of plain names, read without the library: most of a style sheet's are, and only their last compounds are asked for.

use std::borrow::Cow;

/// What bytes are in selectors of plain names, as bits: the sign that a class, an id or a state begins with; between two compounds; in
/// none of them.
const SIGN: u8 = 1;
const APART: u8 = 1 << 1;
const ODD: u8 = 1 << 2;

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'.' | b'#' | b':' => SIGN,
            b' ' | b'>' | b'+' | b'~' | b'\t' | b'\n' | b'\r' | b'\x0c' => APART,
            b'-' | b'_' | b'*' | b',' | 128.. => 0,
            other if other.is_ascii_alphanumeric() => 0,
            _ => ODD,
        };
        byte += 1;
    }
    kinds
};

fn kind_of(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(ODD)
}

/// The selectors of a list, without what is in brackets; `None` where they are not of plain names beside that. `O(n)`.
pub(super) fn selectors(list: &str) -> Option<Cow<'_, str>> {
    let mut kept = String::new();
    let mut rest = list;
    loop {
        let opens = memchr::memchr2(b'(', b'[', rest.as_bytes());
        let names = rest.get(..opens.unwrap_or(rest.len()))?;
        if names.bytes().fold(0, |kinds, byte| kinds | kind_of(byte)) & ODD != 0 {
            return None;
        }
        let Some(opens) = opens else {
            if kept.is_empty() && names.len() == list.len() {
                return Some(list.into());
            }
            kept.push_str(names);
            return Some(kept.into());
        };
        kept.push_str(names);
        // A compound may be nothing but brackets.
        if kept.bytes().next_back().is_none_or(|last| kind_of(last) == APART || last == b',') {
            kept.push('*');
        }
        rest = rest.get(end_of_brackets(rest.as_bytes(), opens)?..)?;
    }
}

/// The place behind the bracket that closes the one here; `None` where none does, or an escape or a comment may.
fn end_of_brackets(bytes: &[u8], opens: usize) -> Option<usize> {
    let (mut at, mut depth) = (opens, 0_usize);
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| kind_of(byte) == ODD)?;
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
    let from = selector.bytes().rposition(|byte| kind_of(byte) == APART).map_or(0, |at| at + 1);
    selector.get(from..).unwrap_or_default()
}

/// The parts of a compound, each with its sign: `a`, `.b` and `:hover` of `a.b:hover`.
pub(super) fn parts(compound: &str) -> impl Iterator<Item = &str> {
    let mut rest = compound;
    std::iter::from_fn(move || {
        let end = rest.bytes().skip(1).position(|byte| kind_of(byte) == SIGN);
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
