//! A filter for searching a text for many words.

use crate::recent::Slots;

/// The set of byte pairs in a text, ignoring case: a word with a pair that does not occur cannot occur.
pub(crate) struct Pairs(Slots<16>);

impl Pairs {
    /// `O(n)`.
    pub(crate) fn of(text: &str) -> Pairs {
        let mut pairs = Slots::NONE;
        for (first, second) in text.bytes().zip(text.bytes().skip(1)) {
            pairs.add(slot_of(first, second));
        }
        Pairs(pairs)
    }

    /// The words whose first pair occurs. All words are longer than a byte.
    pub(crate) fn among<'w>(&self, words: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
        words.iter().copied().filter(|word| match *word.as_bytes() {
            [first, second, ..] => self.0.may_have(slot_of(first, second)),
            _ => true,
        })
    }
}

/// Returns true if a text, in any case, contains one of these lower-case words.
pub(crate) fn has_any(text: &str, words: &[&str]) -> bool {
    let pairs = Pairs::of(text);
    let mut among = pairs.among(words).peekable();
    among.peek().is_some() && {
        let text = text.to_ascii_lowercase();
        among.any(|word| text.contains(word))
    }
}

/// The slot of a pair: five bits of each byte, which are the same in small letters and capitals.
fn slot_of(first: u8, second: u8) -> usize {
    usize::from(first & 31) << 5 | usize::from(second & 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_there_are_among_them() {
        let words = ["tea", "é!", "x", "zz", "Ab"];
        let among = |text: &str| Pairs::of(text).among(&words).collect::<Vec<_>>();
        assert_eq!(among("a cup of TEA"), ["tea", "x"]);
        assert_eq!(among("né!abz"), ["é!", "x", "Ab"]);
        assert_eq!(among("t e z a"), ["x"]);
        assert_eq!(among(""), ["x"]);
    }
}
