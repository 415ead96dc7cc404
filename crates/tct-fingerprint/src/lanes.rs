//! Lanes: 64 bytes at a time, for characters of which each becomes as many bytes as it has.
//!
//! A lane answers two questions about 64 bytes that begin with a character: which characters it *claims*, and what the
//! bytes of these become. It claims a character by that character's own bytes and by nothing else:
//!
//! - its entry in [`table`](crate::table) is `KEEP` (it stands for itself in NFKC and in case folding), or `MAP` to a
//!   text of the same length, or it is TAB, LF, CR or space, which become a space;
//! - so it is a *boundary*: nothing before it changes because of it (UAX #15, "Stable Code Points" and "Boundaries").
//!
//! The kernel handles all other characters: marks, `&`, controls, characters whose length changes, and the character that
//! the 64 bytes cut. What a claimed character becomes may still be changed by a mark behind it (`e` + U+0301). The kernel
//! handles that too: at the mark it looks back one character and takes back what was written.
//!
//! ```text
//! text     C  A  F  É     _  c  r  e  U+0301  m  e          É is two bytes, the mark too
//! bytes    43 41 46 C3 89 20 63 72 65 CC 81   6D 65
//! out      63 61 66 C3 A9 20 63 72 65 ·  ·    6D 65         each byte stays in its place
//! left     0  0  0  0  0  0  0  0  0  1  0    0  0          only the mark, at its first byte
//! ```
//!
//! Lanes never compose, decode or reorder. An earlier design did so inside the chunk. It was a sixth faster, and
//! every wrong digest ever found in this crate came from it.
//!
//! There are two kinds: [`vector`] where the target has vector registers, [`plain`] (ASCII alone) everywhere else.

mod plain;
mod scripts;
// The same names everywhere.
#[cfg_attr(
    not(any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    path = "lanes/no_vector.rs"
)]
mod vector;

pub(crate) use scripts::Scripts;
pub(crate) use vector::{Vector, Width, dispatch};

/// Bytes looked at: one number has a bit for each.
pub(crate) const CHUNK: usize = 64;

/// Bytes that a lane loads before the chunk and behind it, to see a character's other bytes from each of its places.
/// No answer depends on them: the chunk begins with a character, and one that it cuts is not claimed.
pub(crate) const BEFORE: usize = 1;
pub(crate) const BEHIND: usize = 2;
pub(crate) const VIEW: usize = BEFORE + CHUNK + BEHIND;

/// A lane's answer for a chunk. Bit `n` stands for byte `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claims {
    /// First bytes of the characters that are not claimed.
    pub(crate) left: u64,
    /// Positions of white space, which became spaces. All of it is claimed; the characters around it decide which
    /// spaces are dropped.
    pub(crate) white: u64,
}

/// A lane of some width.
pub(crate) trait Lane: Copy {
    /// Reads the chunk that follows the first byte of `src` and writes the normalised form of its claimed characters to
    /// `out`; the bytes of other characters in `out` are unspecified. `scripts` are those that the text has used so
    /// far.
    ///
    /// `src` is UTF-8 and the chunk begins with a character. One that the chunk's end cuts may be claimed or not: the
    /// kernel goes on at its first byte in any case, see [`whole`].
    fn look(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], scripts: &Scripts) -> Claims;
}

/// The chunk's bytes without those of a character that goes on behind it.
#[inline(always)]
pub(crate) fn whole(src: &[u8; VIEW]) -> usize {
    let last = |from_end: usize| src.get(BEFORE + CHUNK - from_end).copied().unwrap_or_default();
    // At most one of these is true: behind a first byte are only the bytes of its own character. Added up and not asked for
    // one by one, since a processor cannot predict where a chunk cuts Cyrillic or Chinese.
    let cut =
        usize::from(last(1) >= 0xC0) + 2 * usize::from(last(2) >= 0xE0) + 3 * usize::from(last(3) >= 0xF0);
    CHUNK - cut
}

#[cfg(test)]
mod tests;
