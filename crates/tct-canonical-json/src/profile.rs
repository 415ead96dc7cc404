//! The two member orders.

use core::cmp::Ordering;

use crate::unescape::decoded_bytes;

/// The order of an object's members. Everything else is the same in both profiles.
///
/// The orders differ only if, at the first difference of two names, one has a character from U+E000 to U+FFFF
/// and the other one beyond U+FFFF, which UTF-16 writes with the code units D800 to DFFF.
///
/// Spec: TCT draft-00, "Deterministic Serialization"; TCT-JSON-2, TCT-JSON-10, TCT-AMB-6, TCT-D01-8; RFC 8785, section 3.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// RFC 8785 (JCS): names by their UTF-16 code units.
    Rfc8785,
    /// TCT: names by their Unicode code points, which is the order of `str`.
    Tct,
}

impl Profile {
    /// How two member names, free of JSON escapes, compare in this profile.
    ///
    /// ```
    /// use core::cmp::Ordering;
    /// use tct_canonical_json::Profile;
    ///
    /// assert_eq!(Profile::Tct.compare_names("\u{E000}", "\u{1F600}"), Ordering::Less);
    /// assert_eq!(Profile::Rfc8785.compare_names("\u{E000}", "\u{1F600}"), Ordering::Greater);
    /// ```
    #[must_use]
    pub fn compare_names(self, a: &str, b: &str) -> Ordering {
        self.compare(a.as_bytes(), b.as_bytes())
    }

    /// The same for names as they are in canonical JSON; `escaped` says whether either has escapes.
    pub(crate) fn compare_spelled(self, a: &[u8], b: &[u8], escaped: bool) -> Ordering {
        if escaped {
            let ranks = |name| decoded_bytes(name).map(|byte| self.rank(byte));
            ranks(a).cmp(ranks(b))
        } else {
            self.compare(a, b)
        }
    }

    fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        match self {
            Profile::Tct => a.cmp(b),
            Profile::Rfc8785 => match core::iter::zip(a, b).find(|(a, b)| a != b) {
                None => a.len().cmp(&b.len()),
                Some((&a, &b)) => utf16_rank(a).cmp(&utf16_rank(b)),
            },
        }
    }

    /// The ranks of eight bytes, the first one lowest, as a number that compares as they do.
    #[inline]
    pub(crate) fn rank_word(self, word: u64) -> u64 {
        match self {
            Profile::Rfc8785 if word & 0x8080_8080_8080_8080 != 0 => utf16_rank_word(word),
            _ => word.swap_bytes(),
        }
    }

    /// The byte's rank: names compare as their sequences of ranks do.
    fn rank(self, byte: u8) -> u8 {
        match self {
            Profile::Tct => byte,
            Profile::Rfc8785 => utf16_rank(byte),
        }
    }
}

#[cold]
fn utf16_rank_word(word: u64) -> u64 {
    u64::from_be_bytes(word.to_le_bytes().map(utf16_rank))
}

/// UTF-8 sorts as code points do. In UTF-16 the characters beyond U+FFFF (first byte F0 to F4) go before U+E000 to
/// U+FFFF (first byte EE or EF), so those two groups of first bytes change places. Continuation bytes lie below.
fn utf16_rank(byte: u8) -> u8 {
    match byte {
        0xEE | 0xEF => byte + 5,
        0xF0..=0xF4 => byte - 2,
        _ => byte,
    }
}
