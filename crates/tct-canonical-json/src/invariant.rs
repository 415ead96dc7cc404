//! What happens if an internal invariant is broken.
//!
//! Canonical bytes are hashed and signed. If a computed range is outside of its buffer, continuing with an empty piece
//! would produce bytes that are wrong but look right. So all such ranges are taken by the functions of this module, and
//! an invalid one ends in [`broken`], the only panic of this crate. No input is known to reach it; fuzzing looks for
//! one.

use core::slice::SliceIndex;

/// The part of `bytes` at a range that is known to be within.
#[inline(always)]
pub(crate) fn part<R: SliceIndex<[u8], Output = [u8]>>(bytes: &[u8], range: R) -> &[u8] {
    match bytes.get(range) {
        Some(part) => part,
        None => broken(),
    }
}

/// Panics: an invariant is broken, so the output so far cannot be trusted.
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "a wrong canonical form is worse than a stop")]
pub(crate) fn broken() -> ! {
    panic!(
        "tct-canonical-json has a broken invariant in its output, which is a bug of the crate: please report it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_what_is_there() {
        assert_eq!(part(b"abc", 1..3), b"bc");
        assert_eq!(part(b"abc", 3..), b"");
    }

    #[test]
    #[should_panic(expected = "broken invariant in its output")]
    fn a_part_that_is_not_there_stops() {
        part(b"abc", 2..4);
    }
}
