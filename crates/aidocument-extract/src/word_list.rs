//! Lists of words with a group each, looked up as numbers in a table that the compiler fills.

/// Letters of a word that can be looked up.
pub(crate) const LONGEST: usize = 16;

/// A word of ASCII letters and digits in lower case, as a number: its bytes, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(pub(super) u128);

impl Packed {
    /// `None` for a word of other letters, or of too many. The word must be of letters and digits alone.
    pub(crate) fn of(word: &str) -> Option<Packed> {
        let number = Packed::number(word.as_bytes())?;
        if number & u128::from_le_bytes([0x80; LONGEST]) != 0 {
            return None;
        }
        // The bit that tells small letters from capitals is set in digits anyway.
        let small = u128::from_le_bytes([0x20; LONGEST]) >> (8 * (LONGEST - word.len()).min(LONGEST - 1));
        Some(Packed(if word.is_empty() { 0 } else { number | small }))
    }

    /// Bytes as a number, read in two parts that may overlap: a copy of unknown length would take longer.
    fn number(bytes: &[u8]) -> Option<u128> {
        let parts = |first: u128, last: u128, size: usize| first | last << (8 * (bytes.len() - size));
        if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            return (bytes.len() <= LONGEST).then(|| parts(first.into(), last.into(), 8));
        }
        if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            return Some(parts(first.into(), last.into(), 4));
        }
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }

    /// The word without an `s` at its end.
    pub(crate) fn without_s(self) -> Option<Packed> {
        let length = (u128::BITS - self.0.leading_zeros()).div_ceil(8);
        let shift = 8 * length.checked_sub(1)?;
        (self.0 >> shift == u128::from(b's')).then_some(Packed(self.0 ^ (u128::from(b's') << shift)))
    }

    /// A place among a power of two of them.
    const fn place(self, places: usize) -> usize {
        let mixed =
            (self.0 as u64 ^ ((self.0 >> 64) as u64).rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (places - 1)
    }
}

/// Places for so many words that most lookups end at the first.
pub(crate) const fn places_for(words: usize) -> usize {
    (3 * words).next_power_of_two()
}

/// `COUNT` words, found by their place.
pub(crate) struct WordList<const COUNT: usize, const PLACES: usize> {
    words: [u128; COUNT],
    groups: [u8; COUNT],
    /// Numbers of words, counted from one, each at the place of its word or the next that was free; zero is free.
    places: [u16; PLACES],
}

impl<const COUNT: usize, const PLACES: usize> WordList<COUNT, PLACES> {
    /// The list of lower-case words.
    #[expect(
        clippy::indexing_slicing,
        reason = "only the compiler runs it, and then a panic is an error of the build"
    )]
    pub(crate) const fn new(list: &[(&str, u8)]) -> Self {
        let mut new = WordList { words: [0; COUNT], groups: [0; COUNT], places: [0; PLACES] };
        assert!(PLACES == places_for(COUNT));
        let mut at = 0;
        while at < COUNT {
            let (word, group) = list[at];
            let bytes = word.as_bytes();
            assert!(bytes.len() <= LONGEST);
            let mut letter = bytes.len();
            while letter > 0 {
                letter -= 1;
                new.words[at] = new.words[at] << 8 | bytes[letter] as u128;
            }
            new.groups[at] = group;
            let mut place = Packed(new.words[at]).place(PLACES);
            while new.places[place] != 0 {
                place = (place + 1) % PLACES;
            }
            at += 1;
            new.places[place] = at as u16;
        }
        new
    }

    /// The group of a word.
    pub(crate) fn group_of(&self, word: Packed) -> Option<u8> {
        let mut place = word.place(PLACES);
        loop {
            let index = usize::from(*self.places.get(place)?).checked_sub(1)?;
            if *self.words.get(index)? == word.0 {
                return self.groups.get(index).copied();
            }
            place = (place + 1) % PLACES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[(&str, u8)] =
        &[("apple", 1), ("cat", 2), ("cats", 3), ("internationalize", 4), ("zoo", 5)];
    static LIST: WordList<{ WORDS.len() }, { places_for(WORDS.len()) }> = WordList::new(WORDS);

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
