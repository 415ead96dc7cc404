//! Texts that an editor wrote in UTF-16.

use alloc::string::String;

/// The text of a file or page in UTF-16, with or without a byte order mark; `None` for everything else. What is not a character
/// becomes U+FFFD. `O(n)`, at most one and a half times the bytes.
///
/// Needs one ASCII character after a byte order mark, or two without one: no UTF-8 text that says
/// something begins with NUL in every second byte.
///
/// ```
/// use web_values::text_of_utf16;
///
/// assert_eq!(text_of_utf16(b"<\0p\0>\0").as_deref(), Some("<p>"));
/// assert_eq!(text_of_utf16(b"<p>"), None);
/// ```
#[must_use]
pub fn text_of_utf16(text: &[u8]) -> Option<String> {
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
