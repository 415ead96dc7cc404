//! What happens if an internal invariant is broken.
//!
//! Where a range that the code has worked out is not in its buffer, going on with an empty piece would give a digest that
//! is wrong and looks right: agents would skip pages that have changed. So a broken range ends in [`broken`], the one
//! panic of this crate. No input is known to lead there; fuzzing looks for one.

use core::slice::SliceIndex;

/// The part of `bytes` at a range that is known to be within.
#[inline(always)]
pub(crate) fn part<R: SliceIndex<[u8], Output = [u8]>>(bytes: &[u8], range: R) -> &[u8] {
    match bytes.get(range) {
        Some(part) => part,
        None => broken(),
    }
}

/// The part of `text` at a range that is known to be within, and to begin and end between characters.
#[inline(always)]
pub(crate) fn text_part<R: SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    match text.get(range) {
        Some(part) => part,
        None => broken(),
    }
}

/// Bytes that are known to be UTF-8.
#[inline]
pub(crate) fn utf8(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => broken(),
    }
}

/// Panics: an invariant is broken, so the result so far cannot be trusted.
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "a wrong digest is worse than a stop")]
pub(crate) fn broken() -> ! {
    panic!(
        "tct-fingerprint has a broken invariant in its text, which is a bug of the crate: please report it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_what_is_there() {
        assert_eq!((part(b"abc", 1..), text_part("abc", ..2), utf8(b"abc")), (&b"bc"[..], "ab", "abc"));
    }

    #[test]
    #[should_panic(expected = "broken invariant in its text")]
    fn a_part_that_is_not_there_stops() {
        part(b"abc", 2..4);
    }

    #[test]
    #[should_panic(expected = "broken invariant in its text")]
    fn a_part_within_a_character_stops() {
        text_part("é", 1..);
    }
}
