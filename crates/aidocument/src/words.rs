//! Word count and reading time.

use unicode_segmentation::UnicodeSegmentation as _;

/// Number of words in a plain text: segments by UAX #29 that contain a letter or digit.
///
/// Each Han and each Hiragana character is a word of its own, so languages written without spaces count too.
/// Give it the plain text of a document, not its Markdown: `**` and `](` are no words, but link targets are.
/// `O(n)`, allocates nothing.
///
/// ```
/// assert_eq!(aidocument::word_count("Don't panic: 42 is the answer."), 6);
/// assert_eq!(aidocument::word_count("漢字 です — ok"), 5);
/// assert_eq!(aidocument::word_count(" … "), 0);
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-14, AIWI-AMB-19.
#[must_use]
pub fn word_count(plain_text: &str) -> u64 {
    // usize is at most 64 bits wide on every target that Rust knows.
    plain_text.unicode_words().count() as u64
}

/// Minutes that reading so many words takes, at 250 words a minute, rounded up; 0 for no words.
///
/// ```
/// assert_eq!(aidocument::reading_time_minutes(1240), 5);
/// assert_eq!(aidocument::reading_time_minutes(0), 0);
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-14, AIWI-AMB-19.
#[must_use]
pub const fn reading_time_minutes(words: u64) -> u64 {
    words.div_ceil(250)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_time_rounds_up_at_250_words() {
        for (words, minutes) in [(0, 0), (1, 1), (250, 1), (251, 2), (500, 2), (u64::MAX, u64::MAX / 250 + 1)]
        {
            assert_eq!(reading_time_minutes(words), minutes, "{words}");
        }
    }

    #[test]
    fn words_need_a_letter_or_digit() {
        for (text, words) in [
            ("", 0),
            ("-- ** ## ||", 0),
            ("one-two three", 3),
            ("3.14 1,000", 2),
            ("日本語", 3),
            ("ひらがな", 4),
            ("カタカナ", 1),
            ("한국어 문장", 2),
            ("naïve café", 2),
        ] {
            assert_eq!(word_count(text), words, "{text:?}");
        }
    }
}
