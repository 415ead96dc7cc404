//! String literals: where they end, what they hold.

use alloc::borrow::Cow;
use alloc::string::String;

use super::reader::Cursor;
use super::{Expected, JsonError};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Index of the first byte at or after `at` that ends a run of plain string bytes: a quote, a backslash or a control
/// character; the length of `bytes` where there is none. Eight bytes a step.
#[inline]
pub(super) fn plain_run_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) =
        bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()).map(u64::from_le_bytes)
    {
        let quote = word ^ (ONES * 0x22);
        let backslash = word ^ (ONES * 0x5c);
        // A borrow may mark bytes above the first hit, never below it: the lowest mark is exact.
        let marks = (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word);
        let marks = marks & HIGHS;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// Reads a literal whose opening quote is consumed. Returns (has escapes, has a lone surrogate).
#[inline]
pub(super) fn read_literal(cursor: &mut Cursor<'_>) -> Result<(bool, bool), JsonError> {
    cursor.at = plain_run_end(cursor.bytes(), cursor.at);
    if cursor.peek() == Some(b'"') {
        cursor.at += 1;
        return Ok((false, false));
    }
    let mut escaped = false;
    let mut lone = false;
    loop {
        cursor.at = plain_run_end(cursor.bytes(), cursor.at);
        match cursor.peek() {
            Some(b'"') => {
                cursor.at += 1;
                return Ok((escaped, lone));
            }
            Some(b'\\') => {
                escaped = true;
                cursor.at += 1;
                lone |= read_escape(cursor)?;
            }
            _ => return Err(cursor.error(Expected::Text("a string character or the closing quote"))),
        }
    }
}

/// Reads an escape after its backslash; true where it is a surrogate without its other half.
fn read_escape(cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    match cursor.peek() {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
            cursor.at += 1;
            Ok(false)
        }
        Some(b'u') => {
            cursor.at += 1;
            let unit = read_hex(cursor)?;
            if !(0xd800..0xdc00).contains(&unit) {
                return Ok((0xdc00..0xe000).contains(&unit));
            }
            // A high surrogate wants its low half at once; anything else is read on its own terms.
            let after = cursor.at;
            if cursor.bytes().get(after..after + 2) == Some(b"\\u") {
                cursor.at = after + 2;
                if (0xdc00..0xe000).contains(&read_hex(cursor)?) {
                    return Ok(false);
                }
                cursor.at = after;
            }
            Ok(true)
        }
        _ => Err(cursor.error(Expected::Text("an escape"))),
    }
}

fn read_hex(cursor: &mut Cursor<'_>) -> Result<u32, JsonError> {
    let mut unit = 0;
    for _ in 0..4 {
        let digit = cursor.peek().and_then(|byte| char::from(byte).to_digit(16));
        let Some(digit) = digit else { return Err(cursor.error(Expected::Text("a hex digit"))) };
        unit = unit * 16 + digit;
        cursor.at += 1;
    }
    Ok(unit)
}

/// The text of a literal's inside, already checked by [`read_literal`]; a lone surrogate becomes U+FFFD.
pub(super) fn decode(inside: &str) -> Cow<'_, str> {
    let Some(first) = inside.find('\\') else { return Cow::Borrowed(inside) };
    let mut text = String::with_capacity(inside.len());
    let (plain, mut rest) = inside.split_at(first);
    text.push_str(plain);
    while let Some(escape) = rest.strip_prefix('\\') {
        let mut chars = escape.chars();
        let c = match chars.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => unicode_escape(&mut chars),
            Some(other) => other,
            None => break,
        };
        text.push(c);
        let tail = chars.as_str();
        let (plain, next) = tail.split_at(tail.find('\\').unwrap_or(tail.len()));
        text.push_str(plain);
        rest = next;
    }
    Cow::Owned(text)
}

fn unicode_escape(chars: &mut core::str::Chars<'_>) -> char {
    let high = hex_unit(chars);
    if (0xd800..0xdc00).contains(&high) {
        let mut ahead = chars.clone();
        if ahead.next() == Some('\\') && ahead.next() == Some('u') {
            let low = hex_unit(&mut ahead);
            if (0xdc00..0xe000).contains(&low) {
                *chars = ahead;
                let scalar = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
        }
    }
    char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hex_unit(chars: &mut core::str::Chars<'_>) -> u32 {
    chars.by_ref().take(4).fold(0, |unit, c| unit * 16 + c.to_digit(16).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn every_stop_byte_is_found_at_every_distance() {
        for length in 0..40 {
            for stop in [b'"', b'\\', 0, 0x1f, b'\n'] {
                for at in 0..length {
                    for fill in [b' ', b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'] {
                        let mut bytes = vec![fill; length];
                        bytes[at] = stop;
                        assert_eq!(plain_run_end(&bytes, 0), at, "{fill} {stop} {at}/{length}");
                    }
                }
            }
            assert_eq!(plain_run_end(&vec![0x9f; length], 0), length);
        }
    }

    #[test]
    fn escapes_decode() {
        assert_eq!(decode(r#"a\"\\\/\b\f\n\r\tz"#), "a\"\\/\u{8}\u{c}\n\r\tz");
        assert_eq!(decode(r"\u00e9\ud83d\ude00x"), "é😀x");
        assert_eq!(decode(r"\ud83d\u0041\udc00"), "\u{fffd}A\u{fffd}");
    }
}
