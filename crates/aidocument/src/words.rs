//! Word count and reading time.

use unicode_segmentation::UnicodeSegmentation as _;

/// Number of words in a plain text: segments by UAX #29 that contain a letter or digit.
///
/// Each Han and each Hiragana character is a word of its own, so languages written without spaces count too.
/// Give it the plain text of a document, not its Markdown: in Markdown, link targets would be counted as
/// words. `O(n)`, allocates nothing.
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
    // White space ends every segment, so each part between may be counted alone. usize is at most 64 bits wide on
    // every target that Rust knows.
    let mut count = 0;
    let mut rest = plain_text;
    while let Err(unknown) = count_common(rest, &mut count) {
        let (before, after) = rest.split_at_checked(unknown).unwrap_or((rest, ""));
        let start = before.rfind(is_blank).map_or(0, |blank| blank + 1);
        let end = after.find(is_blank).map_or(rest.len(), |blank| unknown + blank);
        let segments = rest.get(start..end).unwrap_or_default().split_word_bounds();
        count += segments.filter(|segment| segment.chars().any(is_alphanumeric)).count();
        rest = rest.get(end..).unwrap_or_default();
    }
    count as u64
}

/// Whether the character is a letter or digit. Faster than the standard library, which searches a table.
fn is_alphanumeric(c: char) -> bool {
    match c {
        // Hebrew, Devanagari, Bengali, Tamil and Thai.
        '\u{5d0}'..='\u{5ea}'
        | '\u{904}'..='\u{939}'
        | '\u{993}'..='\u{9a8}'
        | '\u{9aa}'..='\u{9b0}'
        | '\u{bae}'..='\u{bb9}'
        | '\u{e01}'..='\u{e3a}' => true,
        _ => c.is_alphanumeric(),
    }
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// The UAX #29 class of frequent characters.
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
    Blank,
}

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
static ASCII: [Kind; 128] = {
    let mut kinds = [Kind::Sign; 128];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Kind::Letter,
            b'0'..=b'9' => Kind::Digit,
            b'_' => Kind::Underscore,
            b':' => Kind::BetweenLetters,
            b',' | b';' => Kind::BetweenDigits,
            b'.' | b'\'' => Kind::BetweenBoth,
            _ if byte.is_ascii_whitespace() => Kind::Blank,
            _ => Kind::Sign,
        };
        byte += 1;
    }
    kinds
};

#[inline]
fn kind_of(c: char) -> Option<Kind> {
    if let Some(kind) = ASCII.get(c as usize) {
        return Some(*kind);
    }
    Some(match c {
        '\u{c0}'..='\u{d6}'
        | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{24f}'
        | '\u{38e}'..='\u{3a1}'
        | '\u{3a3}'..='\u{3ce}'
        | '\u{400}'..='\u{481}'
        | '\u{48a}'..='\u{52f}'
        | '\u{531}'..='\u{556}'
        | '\u{561}'..='\u{587}'
        | '\u{620}'..='\u{64a}'
        | '\u{671}'..='\u{6d3}'
        | '\u{10d0}'..='\u{10fa}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{ac00}'..='\u{d7a3}' => Kind::Letter,
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' => Kind::Katakana,
        '\u{b7}' => Kind::BetweenLetters,
        '\u{2018}' | '\u{2019}' => Kind::BetweenBoth,
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fef}' => Kind::Ideograph,
        '\u{a0}'..='\u{a9}'
        | '\u{ab}'
        | '\u{ac}'
        | '\u{ae}'..='\u{b1}'
        | '\u{bb}'
        | '\u{2010}'..='\u{2015}'
        | '\u{201c}'..='\u{201e}'
        | '\u{2022}'
        | '\u{2026}'
        | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{ff01}'
        | '\u{ff08}'..='\u{ff09}'
        | '\u{ff1f}' => Kind::Sign,
        _ => return None,
    })
}

/// Counts the words of a text up to the first run between white space with a character unknown to [`kind_of`]; the
/// error is the offset of that run.
fn count_common(text: &str, count: &mut usize) -> Result<(), usize> {
    let mut found = 0;
    // The two characters before this one, and whether a word goes on up to the last.
    let (mut second, mut last, mut in_word) = (Kind::Sign, Kind::Sign, false);
    for (at, c) in text.char_indices() {
        if last == Kind::Letter && c.is_ascii_lowercase() {
            // Most characters are such: the word goes on.
            second = Kind::Letter;
            continue;
        }
        let Some(kind) = kind_of(c) else { return Err(at) };
        match kind {
            Kind::Letter | Kind::Digit | Kind::Katakana => {
                let goes_on = match (kind, last) {
                    (Kind::Letter | Kind::Digit, Kind::Letter | Kind::Digit)
                    | (Kind::Katakana, Kind::Katakana) => true,
                    (_, Kind::Underscore) => in_word,
                    (Kind::Letter, Kind::BetweenLetters | Kind::BetweenBoth) => second == Kind::Letter,
                    (Kind::Digit, Kind::BetweenDigits | Kind::BetweenBoth) => second == Kind::Digit,
                    _ => false,
                };
                found += usize::from(!goes_on);
                in_word = true;
            }
            Kind::Ideograph => {
                found += 1;
                in_word = false;
            }
            Kind::Underscore => {}
            // What was found is kept only up to here, should the part that follows be of unknown characters.
            Kind::Blank => {
                *count += core::mem::take(&mut found);
                in_word = false;
            }
            _ => in_word = false,
        }
        (second, last) = (last, kind);
    }
    *count += found;
    Ok(())
}

/// Reading time in minutes for this many words, at 250 words a minute, rounded up; 0 for no words.
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
                ("a ", " b"),
                ("ก a", "b ก1 2"),
                ("aก ", "b"),
            ] {
                let text = alloc::format!("{before}{c}{after}");
                assert_eq!(word_count(&text), text.unicode_words().count() as u64, "{text:?}");
            }
        }
    }

    /// Most text is counted without the Unicode tables; without this path the results are the same, but slower.
    #[test]
    fn common_scripts_are_known() {
        let text = "Naïve Żółć Ελλάς Россия Հայերեն العربية پارسی ქართული Tiếng 한국어 カタカナ ー l·l it’s ‘a’ ひらがな 漢字 \
                    \u{a0}©«¬®°»— “a” • … 、。「」！（）？";
        assert_eq!(count_common(text, &mut 0), Ok(()));
        // A script without its own rules here: the place is told, and the count is the library's.
        assert_eq!(count_common("ab กข", &mut 0), Err(3));
    }

    #[test]
    fn letters_are_those_of_the_standard_library() {
        assert_eq!(('\0'..=char::MAX).find(|&c| is_alphanumeric(c) != c.is_alphanumeric()), None);
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
