//! Strings: the canonical escape of each character.
//!
//! `"` and `\` take a backslash, U+0000 to U+001F their short form (`\b \t \n \f \r`) or `\u00xx` in lower case, and
//! nothing else is escaped.
//!
//! Spec: RFC 8785, section 3.2.2.2; TCT-JSON-6, TCT-AMB-7.

use alloc::vec::Vec;

use crate::invariant::{broken, part};
use crate::scan::{append, end_with, is_plain_block, plain_run, push_block, short_block};

/// Appends `text` without quotes, escaped. Says whether an escape was needed.
pub(crate) fn write_escaped(text: &[u8], out: &mut Vec<u8>) -> bool {
    let mut rest = text;
    loop {
        let run = plain_run(rest, 0);
        let Some((plain, special)) = rest.split_at_checked(run.end) else { broken() };
        append(out, plain);
        let Some((&byte, after)) = special.split_first() else { return rest.len() < text.len() };
        write_ascii(byte, out);
        rest = after;
    }
}

/// Appends `text` between quotes, escaped.
#[inline]
pub(crate) fn write_quoted(text: &str, out: &mut Vec<u8>) {
    if text.len() <= 14 {
        let block = short_block(text.as_bytes());
        if is_plain_block(block, text.len()) {
            let end = out.len() + 1 + text.len();
            push_block(out, block << 8 | u128::from(b'"'), 16);
            return end_with(out, end, b"\"");
        }
    }
    let bytes = text.as_bytes();
    if let (Some(first), Some(last), ..=32) = (bytes.first_chunk(), bytes.last_chunk(), bytes.len())
        && is_plain_block(u128::from_le_bytes(*first), 16)
        && is_plain_block(u128::from_le_bytes(*last), 16)
    {
        // The two overlap.
        let end = out.len() + 1 + bytes.len();
        out.push(b'"');
        out.extend_from_slice(first);
        out.truncate(end - 16);
        out.extend_from_slice(last);
        return out.push(b'"');
    }
    out.push(b'"');
    write_escaped(bytes, out);
    out.push(b'"');
}

/// Appends one ASCII character, escaped if it has to be.
#[inline]
pub(crate) fn write_ascii(byte: u8, out: &mut Vec<u8>) {
    let (bytes, len) = escape_ascii(byte);
    let end = out.len() + len;
    // A write of fixed size, cut to length, needs no call.
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// One ASCII character, escaped if it has to be, and how many bytes that is.
#[inline(always)]
fn escape_ascii(byte: u8) -> ([u8; 8], usize) {
    let hex = |digit: u8| if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
    match short_escape(byte) {
        Some(letter) => ([b'\\', letter, 0, 0, 0, 0, 0, 0], 2),
        None if byte < b' ' => ([b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte & 15), 0, 0], 6),
        None => ([byte, 0, 0, 0, 0, 0, 0, 0], 1),
    }
}

/// Index in an escape of the first byte that the canonical form of its character has not there.
pub(crate) fn first_difference(spelled: &[u8], character: char) -> Option<usize> {
    let (mut canonical, mut len) = ([0; 8], character.len_utf8());
    match u8::try_from(character).ok().filter(u8::is_ascii) {
        Some(byte) => (canonical, len) = escape_ascii(byte),
        None => _ = character.encode_utf8(&mut canonical),
    }
    let canonical = part(&canonical, ..len);
    // Neither begins with the other: an escape is no shorter than its like, and a character is no backslash.
    core::iter::zip(spelled, canonical).position(|(a, b)| a != b)
}

/// The letter of the two-byte escape that the canonical form uses for this character.
pub(crate) const fn short_escape(byte: u8) -> Option<u8> {
    match byte {
        b'"' | b'\\' => Some(byte),
        0x08 => Some(b'b'),
        b'\t' => Some(b't'),
        b'\n' => Some(b'n'),
        0x0C => Some(b'f'),
        b'\r' => Some(b'r'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An escape at any place of a text of any length is reported, and nothing else
    /// is.
    #[test]
    fn whether_an_escape_was_needed_is_told() {
        for len in [0, 1, 7, 8, 15, 16, 17, 63, 64, 65, 255, 256, 300] {
            let mut text = alloc::vec![b'a'; len];
            assert!(!write_escaped(&text, &mut Vec::new()), "{len}");
            for at in 0..len {
                for escaped in [b'"', b'\\', b'\n', 0x1F] {
                    text[at] = escaped;
                    assert!(write_escaped(&text, &mut Vec::new()), "{escaped} at {at} of {len}");
                }
                text[at] = 0x7F;
                assert!(!write_escaped(&text, &mut Vec::new()), "{at} of {len}");
            }
        }
    }
}
