//! What happens where this crate is wrong about itself.
//!
//! Canonical bytes are hashed and signed. Where a range that the code has worked out is not in its buffer, going on with
//! an empty piece would give bytes that are wrong and look right. So all such ranges are taken here, and a broken one
//! ends in [`broken`], the one panic of this crate. No input is known to lead there; fuzzing looks for one.

use core::slice::SliceIndex;

/// The part of `bytes` at a range that is known to be within.
#[inline(always)]
pub(crate) fn part<R: SliceIndex<[u8], Output = [u8]>>(bytes: &[u8], range: R) -> &[u8] {
    match bytes.get(range) {
        Some(part) => part,
        None => broken(),
    }
}

/// Stops: what has been worked out so far cannot be right.
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "a wrong canonical form is worse than a stop")]
pub(crate) fn broken() -> ! {
    panic!(
        "tct-canonical-json has lost track of its own output, which is a defect of the crate: please report it"
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
    #[should_panic(expected = "lost track of its own output")]
    fn a_part_that_is_not_there_stops() {
        part(b"abc", 2..4);
    }
}
