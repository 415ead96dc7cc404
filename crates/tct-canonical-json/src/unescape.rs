//! Reading strings: what an escape stands for.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::grammar::read_escape;
use crate::scan::plain_run;

/// The character of a two-byte escape's letter, in any JSON text.
pub(crate) const fn unescape_letter(letter: u8) -> Option<u8> {
    match letter {
        b'"' | b'\\' | b'/' => Some(letter),
        b'b' => Some(0x08),
        b't' => Some(b'\t'),
        b'n' => Some(b'\n'),
        b'f' => Some(0x0C),
        b'r' => Some(b'\r'),
        _ => None,
    }
}

/// The four hex digits at the head of `text`, either case.
pub(crate) fn hex4(text: &[u8]) -> Option<u16> {
    let digits = text.first_chunk::<4>()?;
    digits.iter().try_fold(0, |all, &digit| Some(all << 4 | u16::from(hex_digit(digit)?)))
}

pub(crate) fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// The text of a string literal's inside, which the grammar has read. Half a surrogate pair becomes U+FFFD.
pub(crate) fn decode(inside: &str) -> Cow<'_, str> {
    let bytes = inside.as_bytes();
    let mut end = next_escape(bytes, 0);
    if end == bytes.len() {
        return Cow::Borrowed(inside);
    }
    let mut text = String::with_capacity(inside.len());
    let mut start = 0;
    loop {
        text.push_str(inside.get(start..end).unwrap_or_default());
        let letter = bytes.get(end + 1).copied();
        start = match letter.and_then(unescape_letter) {
            Some(byte) => {
                text.push(char::from(byte));
                end + 2
            }
            None => {
                let Ok((after, character)) = read_escape(bytes, end) else { break };
                text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
                after
            }
        };
        end = next_escape(bytes, start);
        if end == bytes.len() {
            text.push_str(inside.get(start..).unwrap_or_default());
            break;
        }
    }
    Cow::Owned(text)
}

/// Index of the first backslash from `at` on, or the length. The grammar has read the text: what stops a run is a backslash.
#[inline]
fn next_escape(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = plain_run(bytes, at).end;
        match bytes.get(at) {
            None | Some(b'\\') => return at.min(bytes.len()),
            Some(_) => at += 1,
        }
    }
}

/// The same for bytes, in the message of an error.
pub(crate) fn decode_bytes(inside: &[u8]) -> Vec<u8> {
    decode(&String::from_utf8_lossy(inside)).into_owned().into_bytes()
}

/// Whether the literal's inside, once decoded, is `text`. Uses no heap.
pub(crate) fn is_spelling_of(inside: &str, mut text: &str) -> bool {
    for piece in (Pieces { inside, at: 0 }) {
        let rest = match piece {
            Piece::Plain(plain) => text.strip_prefix(plain),
            Piece::Escaped(character) => text.strip_prefix(character.unwrap_or(char::REPLACEMENT_CHARACTER)),
        };
        match rest {
            Some(rest) => text = rest,
            None => return false,
        }
    }
    text.is_empty()
}

/// Length in bytes of the literal's inside, once decoded. Uses no heap.
pub(crate) fn decoded_len(inside: &str) -> usize {
    let pieces = Pieces { inside, at: 0 };
    pieces
        .map(|piece| match piece {
            Piece::Plain(plain) => plain.len(),
            Piece::Escaped(character) => character.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8(),
        })
        .sum()
}

/// Index in the literal's inside of the first half of a surrogate pair.
pub(crate) fn first_lone_surrogate(inside: &str) -> Option<usize> {
    let mut pieces = Pieces { inside, at: 0 };
    loop {
        let at = pieces.at;
        if pieces.next()? == Piece::Escaped(None) {
            return Some(at);
        }
    }
}

/// A part of a string literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    /// Text that stands for itself.
    Plain(&'a str),
    /// An escape; `None` for half a surrogate pair.
    Escaped(Option<char>),
}

/// The parts of a string literal's inside.
#[derive(Debug, Clone)]
struct Pieces<'a> {
    inside: &'a str,
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let rest = self.inside.get(self.at..).filter(|rest| !rest.is_empty())?;
        if rest.starts_with('\\') {
            // The grammar has read it: there is no fault.
            let (end, character) = read_escape(self.inside.as_bytes(), self.at).ok()?;
            self.at = end;
            return Some(Piece::Escaped(character));
        }
        let plain = rest.split_once('\\').map_or(rest, |(plain, _)| plain);
        self.at += plain.len();
        Some(Piece::Plain(plain))
    }
}
