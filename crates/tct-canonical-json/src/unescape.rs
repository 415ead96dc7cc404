//! Reading strings: what an escape stands for.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::grammar::read_escape;
use crate::invariant::broken;
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
    if plain_run(inside.as_bytes(), 0).end == inside.len() {
        return Cow::Borrowed(inside);
    }
    let mut text = String::with_capacity(inside.len());
    for piece in Pieces::of(inside) {
        text.push_str(piece.plain);
        text.extend(piece.character);
    }
    Cow::Owned(text)
}

/// The same for bytes, in messages and paths.
#[cold]
pub(crate) fn decode_bytes(inside: &[u8]) -> String {
    decode(&String::from_utf8_lossy(inside)).into_owned()
}

/// The bytes of the same text, one by one. Uses no heap.
pub(crate) fn decoded_bytes(inside: &[u8]) -> impl Iterator<Item = u8> {
    let Ok(inside) = core::str::from_utf8(inside) else { broken() };
    Pieces::of(inside).flat_map(|piece| {
        let mut utf8 = [0; 4];
        let len = piece.character.map_or(0, |character| character.encode_utf8(&mut utf8).len());
        piece.plain.bytes().chain(utf8.into_iter().take(len))
    })
}

/// Its first eight bytes, the first one lowest and zeros after the last.
pub(crate) fn decoded_word(inside: &[u8]) -> u64 {
    let mut first = [0; 8];
    first.iter_mut().zip(decoded_bytes(inside)).for_each(|(to, from)| *to = from);
    u64::from_le_bytes(first)
}

/// Whether the literal's inside, once decoded, is `text`. Uses no heap.
pub(crate) fn is_spelling_of(inside: &str, text: &str) -> bool {
    let rest = Pieces::of(inside).try_fold(text, |text, piece| {
        let rest = text.strip_prefix(piece.plain)?;
        piece.character.map_or(Some(rest), |character| rest.strip_prefix(character))
    });
    rest == Some("")
}

/// Length in bytes of the literal's inside, once decoded. Uses no heap.
pub(crate) fn decoded_len(inside: &str) -> usize {
    Pieces::of(inside).map(|piece| piece.plain.len() + piece.character.map_or(0, char::len_utf8)).sum()
}

/// Whether the literal's inside has half a surrogate pair.
pub(crate) fn has_lone_surrogate(inside: &str) -> bool {
    Pieces::of(inside).any(|piece| piece.is_half)
}

/// Text that stands for itself, and the escape that follows it unless the literal ends there.
struct Piece<'a> {
    plain: &'a str,
    /// What the escape stands for; U+FFFD for half a surrogate pair.
    character: Option<char>,
    is_half: bool,
}

/// The parts of a string literal's inside.
struct Pieces<'a> {
    inside: &'a str,
    at: usize,
}

impl<'a> Pieces<'a> {
    fn of(inside: &'a str) -> Self {
        Pieces { inside, at: 0 }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let (start, bytes) = (self.at, self.inside.as_bytes());
        if start >= bytes.len() {
            return None;
        }
        // The grammar has read the text: what stops a run is a backslash, and there is no fault behind it.
        let end = plain_run(bytes, start).end;
        let mut piece = Piece { plain: self.inside.get(start..end)?, character: None, is_half: false };
        self.at = end;
        if end < bytes.len() {
            let (after, character) = read_escape(bytes, end).ok()?;
            piece.is_half = character.is_none();
            piece.character = Some(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            self.at = after;
        }
        Some(piece)
    }
}
