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
    let count = |part: &str| count_common(part).unwrap_or_else(|| part.unicode_words().count());
    // White space ends every segment, so each part may be counted alone. usize is at most 64 bits wide on every
    // target that Rust knows.
    plain_text.split_ascii_whitespace().map(count).sum::<usize>() as u64
}

/// What a character is to the rules of UAX #29, for those that most texts are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Katakana,
    /// Joins letters, digits and itself.
    Underscore,
    /// Joins letters, digits, or both, when it stands alone between two of them.
    BetweenLetters,
    BetweenDigits,
    BetweenBoth,
    /// A word of its own.
    Ideograph,
    Sign,
}

fn kind_of(c: char) -> Option<Kind> {
    Some(match c {
        'a'..='z'
        | 'A'..='Z'
        | '\u{c0}'..='\u{d6}'
        | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{24f}'
        | '\u{38e}'..='\u{3a1}'
        | '\u{3a3}'..='\u{3ce}'
        | '\u{400}'..='\u{481}'
        | '\u{48a}'..='\u{52f}'
        | '\u{561}'..='\u{586}'
        | '\u{620}'..='\u{64a}'
        | '\u{10d0}'..='\u{10fa}'
        | '\u{ac00}'..='\u{d7a3}' => Kind::Letter,
        '0'..='9' => Kind::Digit,
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' => Kind::Katakana,
        '_' => Kind::Underscore,
        ':' | '\u{b7}' => Kind::BetweenLetters,
        ',' | ';' => Kind::BetweenDigits,
        '.' | '\'' | '\u{2018}' | '\u{2019}' => Kind::BetweenBoth,
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fef}' => Kind::Ideograph,
        '\0'..='\u{7f}'
        | '\u{2010}'..='\u{2015}'
        | '\u{201c}'..='\u{201e}'
        | '\u{2026}'
        | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{ff01}'
        | '\u{ff08}'..='\u{ff09}'
        | '\u{ff1f}' => Kind::Sign,
        _ => return None,
    })
}

/// The words of a text without white space; `None` if it has a character that [`kind_of`] does not know.
fn count_common(text: &str) -> Option<usize> {
    let mut count = 0;
    // The two characters before this one, and whether a word goes on up to the last.
    let (mut second, mut last, mut in_word) = (Kind::Sign, Kind::Sign, false);
    for c in text.chars() {
        let kind = kind_of(c)?;
        let goes_on = match (kind, last) {
            (Kind::Letter | Kind::Digit, Kind::Letter | Kind::Digit) | (Kind::Katakana, Kind::Katakana) => {
                true
            }
            (Kind::Letter | Kind::Digit | Kind::Katakana, Kind::Underscore) => in_word,
            (Kind::Letter, Kind::BetweenLetters | Kind::BetweenBoth) => second == Kind::Letter,
            (Kind::Digit, Kind::BetweenDigits | Kind::BetweenBoth) => second == Kind::Digit,
            _ => false,
        };
        in_word = match kind {
            Kind::Letter | Kind::Digit | Kind::Katakana => {
                count += usize::from(!goes_on);
                true
            }
            Kind::Ideograph => {
                count += 1;
                false
            }
            Kind::Underscore => in_word,
            _ => false,
        };
        (second, last) = (last, kind);
    }
    Some(count)
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
    fn common_text_is_counted_as_the_library_does() {
        for c in '\0'..=char::MAX {
            if kind_of(c).is_none() {
                continue;
            }
            for (before, after) in [
                ("", ""),
                ("a", "b"),
                ("1", "2"),
                ("_", "_"),
                ("a.", ".b"),
                ("カ", "カ"),
                ("a_", "b"),
                ("漢", "a"),
            ] {
                let text = alloc::format!("{before}{c}{after}");
                assert_eq!(word_count(&text), text.unicode_words().count() as u64, "{text:?}");
            }
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
