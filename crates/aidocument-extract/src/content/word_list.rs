//! Lists of words with a group each, looked up as numbers.

/// Letters of a word that can be looked up.
const LONGEST: usize = 16;

/// A word of ASCII letters and digits in lower case, as a number: its bytes, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u128);

impl Packed {
    /// `None` for a word of other letters, or of too many. The word must be of letters and digits alone.
    pub(super) fn of(word: &str) -> Option<Packed> {
        let mut bytes = [0u8; LONGEST];
        bytes.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
        let number = u128::from_le_bytes(bytes);
        if number & u128::from_le_bytes([0x80; LONGEST]) != 0 {
            return None;
        }
        // The bit that tells small letters from capitals is set in digits anyway.
        let small = u128::from_le_bytes([0x20; LONGEST]) >> (8 * (LONGEST - word.len()).min(LONGEST - 1));
        Some(Packed(if word.is_empty() { 0 } else { number | small }))
    }

    /// The word without an `s` at its end.
    pub(super) fn without_s(self) -> Option<Packed> {
        let length = (u128::BITS - self.0.leading_zeros()).div_ceil(8);
        let shift = 8 * length.checked_sub(1)?;
        (self.0 >> shift == u128::from(b's')).then_some(Packed(self.0 ^ (u128::from(b's') << shift)))
    }

    fn letter(self) -> usize {
        usize::from((self.0 as u8).wrapping_sub(b'a'))
    }
}

/// `COUNT` words in the order of their first letters.
pub(super) struct WordList<const COUNT: usize> {
    words: [u128; COUNT],
    groups: [u8; COUNT],
    /// For each letter, where its words begin; then where the last one's end.
    starts: [u16; 27],
}

impl<const COUNT: usize> WordList<COUNT> {
    /// The list of sorted lower-case words.
    #[expect(
        clippy::indexing_slicing,
        reason = "only the compiler runs it, and then a panic is an error of the build"
    )]
    pub(super) const fn new(list: &[(&str, u8)]) -> Self {
        let mut new = WordList { words: [0; COUNT], groups: [0; COUNT], starts: [COUNT as u16; 27] };
        let mut at = COUNT;
        while at > 0 {
            at -= 1;
            let (word, group) = list[at];
            let bytes = word.as_bytes();
            assert!(bytes.len() <= LONGEST);
            let mut place = bytes.len();
            while place > 0 {
                place -= 1;
                new.words[at] = new.words[at] << 8 | bytes[place] as u128;
            }
            new.groups[at] = group;
            let mut letter = (bytes[0] - b'a') as usize + 1;
            while letter > 0 && new.starts[letter - 1] as usize > at {
                letter -= 1;
                new.starts[letter] = at as u16;
            }
        }
        new
    }

    /// The group of a word.
    pub(super) fn group_of(&self, word: Packed) -> Option<u8> {
        let letter = word.letter();
        let (from, to) = (*self.starts.get(letter)?, *self.starts.get(letter + 1)?);
        let (from, to) = (usize::from(from), usize::from(to));
        let place = self.words.get(from..to)?.iter().position(|known| *known == word.0)?;
        self.groups.get(from + place).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[(&str, u8)] =
        &[("apple", 1), ("cat", 2), ("cats", 3), ("internationalize", 4), ("zoo", 5)];
    static LIST: WordList<{ WORDS.len() }> = WordList::new(WORDS);

    #[test]
    fn words_are_found_in_any_case() {
        let group = |word: &str| Packed::of(word).and_then(|word| LIST.group_of(word));
        for (word, expected) in WORDS {
            assert_eq!(group(word), Some(*expected));
            assert_eq!(group(&word.to_uppercase()), Some(*expected));
        }
        for word in ["", "a", "apples", "b", "dog", "zo", "0", "9zoo", "internationalizes", "é", "zoé"] {
            assert_eq!(group(word), None, "{word}");
        }
    }

    #[test]
    fn a_plural_is_its_singular_with_an_s() {
        let singular = |word: &str| Packed::of(word).and_then(Packed::without_s);
        assert_eq!(singular("cats"), Packed::of("cat"));
        assert_eq!(singular("s"), Packed::of(""));
        assert_eq!(singular("internationalizs"), Packed::of("internationaliz"));
        assert_eq!((singular("cat"), singular("")), (None, None));
    }
}
