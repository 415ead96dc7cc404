//! Files that an editor wrote in UTF-16.

use alloc::string::String;

/// The text of a file in UTF-16, with or without a byte order mark; `None` for everything else. What is not a character
/// becomes U+FFFD. `O(n)`, at most one and a half times the bytes.
///
/// Needs one ASCII character after a byte order mark, or two without one: no UTF-8 file with a rule begins with NUL in
/// every second byte.
pub(crate) fn decoded(text: &[u8]) -> Option<String> {
    let (is_big, text) = match text {
        [0xFF, 0xFE, rest @ ..] if matches!(rest, [1..=0x7F, 0, ..]) => (false, rest),
        [0xFE, 0xFF, rest @ ..] if matches!(rest, [0, 1..=0x7F, ..]) => (true, rest),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => (false, text),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => (true, text),
        _ => return None,
    };
    let units = text.chunks_exact(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok());
    let units = units.map(|pair| if is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) });
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}
