//! Words with a meaning each, looked up as numbers in a table that the compiler fills.

#![expect(
    clippy::indexing_slicing,
    reason = "only the compiler reads rows, and then a panic is an error of the build"
)]

/// Letters of a word that can be looked up.
pub(crate) const LONGEST: usize = 16;

/// A word of ASCII letters and digits in lower case, as a number: its bytes, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(pub(crate) u128);

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
    pub(crate) fn number(bytes: &[u8]) -> Option<u128> {
        let parts = |first: u128, last: u128, size: usize| first | last << (8 * (bytes.len() - size));
        if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            return (bytes.len() <= LONGEST).then(|| parts(first.into(), last.into(), 8));
        }
        if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            return Some(parts(first.into(), last.into(), 4));
        }
        Some(match *bytes {
            [one, two, three] => u32::from_le_bytes([one, two, three, 0]).into(),
            [one, two] => u16::from_le_bytes([one, two]).into(),
            [one] => one.into(),
            _ => 0,
        })
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

/// Words of one meaning: the number that a lookup gives, and the words, with a space between.
pub(crate) type Row = (u64, &'static str);

/// How many words the rows have.
pub(super) const fn count(rows: &[Row]) -> usize {
    let (mut words, mut row) = (0, 0);
    while row < rows.len() {
        let mut rest = rows[row].1;
        while let Some((_, after)) = next(rest) {
            (words, rest) = (words + 1, after);
        }
        row += 1;
    }
    words
}

/// The first word of a text, as a number, and the text after it.
const fn next(text: &str) -> Option<(u128, &str)> {
    let bytes = text.as_bytes();
    let (mut word, mut at) = (0, 0);
    while at < bytes.len() && bytes[at] != b' ' {
        assert!(at < LONGEST);
        word |= (bytes[at] as u128) << (8 * at);
        at += 1;
    }
    if at == 0 {
        return None;
    }
    let (_, rest) = text.split_at(if at < bytes.len() { at + 1 } else { at });
    Some((word, rest))
}

/// The words of a text with a space between.
pub(crate) const fn words<const COUNT: usize>(text: &str) -> [&str; COUNT] {
    let mut words = [""; COUNT];
    let (mut rest, mut count) = (text, 0);
    loop {
        let mut end = 0;
        while end < rest.len() && rest.as_bytes()[end] != b' ' {
            end += 1;
        }
        words[count] = rest.split_at(end).0;
        count += 1;
        if end == rest.len() {
            assert!(count == COUNT);
            return words;
        }
        rest = rest.split_at(end + 1).1;
    }
}

/// Places for so many words that most lookups end at the first.
pub(super) const fn places_for(words: usize) -> usize {
    (3 * words).next_power_of_two()
}

/// `COUNT` words, found by their place.
pub(crate) struct WordList<const COUNT: usize, const PLACES: usize> {
    words: [u128; COUNT],
    meanings: [u64; COUNT],
    /// Numbers of words, counted from one, each at the place of its word or the next that was free; zero is free.
    places: [u16; PLACES],
}

impl<const COUNT: usize, const PLACES: usize> WordList<COUNT, PLACES> {
    /// The list of lower-case words.
    pub(super) const fn new(rows: &[Row]) -> Self {
        let mut new = WordList { words: [0; COUNT], meanings: [0; COUNT], places: [0; PLACES] };
        assert!(PLACES == places_for(COUNT) && COUNT == count(rows));
        let (mut at, mut row) = (0, 0);
        while row < rows.len() {
            let mut rest = rows[row].1;
            while let Some((word, after)) = next(rest) {
                (new.words[at], new.meanings[at]) = (word, rows[row].0);
                let mut place = Packed(word).place(PLACES);
                while new.places[place] != 0 {
                    assert!(new.words[new.places[place] as usize - 1] != word, "a word stands in two rows");
                    place = (place + 1) % PLACES;
                }
                at += 1;
                new.places[place] = at as u16;
                rest = after;
            }
            row += 1;
        }
        new
    }

    /// The meaning of a word.
    pub(crate) fn meaning_of(&self, word: Packed) -> Option<u64> {
        let mut place = word.place(PLACES);
        loop {
            let index = usize::from(*self.places.get(place)?).checked_sub(1)?;
            if *self.words.get(index)? == word.0 {
                return self.meanings.get(index).copied();
            }
            place = (place + 1) % PLACES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[Row] = &[(1, "apple zoo"), (2, "cat internationalize"), (3, "cats")];
    static LIST: WordList<{ count(ROWS) }, { places_for(count(ROWS)) }> = WordList::new(ROWS);

    #[test]
    fn words_are_found_in_any_case() {
        let meaning = |word: &str| Packed::of(word).and_then(|word| LIST.meaning_of(word));
        for (expected, words) in ROWS {
            for word in words.split(' ') {
                assert_eq!(meaning(word), Some(*expected));
                assert_eq!(meaning(&word.to_uppercase()), Some(*expected));
            }
        }
        for word in ["", "a", "apples", "b", "dog", "zo", "0", "9zoo", "internationalizes", "é", "zoé"] {
            assert_eq!(meaning(word), None, "{word}");
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
