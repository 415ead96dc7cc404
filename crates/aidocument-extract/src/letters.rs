//! What is a letter, by Unicode's tables; fast for the scripts that most pages are written in.

use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Whether the character is a letter or a digit of any script.
#[inline]
pub(crate) fn is_alphanumeric(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_alphanumeric(),
        // Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Devanagari, Thai, Georgian, kana, Han and Hangul.
        '\u{c0}'..='\u{d6}'
        | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2c1}'
        | '\u{38e}'..='\u{3a1}'
        | '\u{3a3}'..='\u{3f5}'
        | '\u{3f7}'..='\u{481}'
        | '\u{48a}'..='\u{52f}'
        | '\u{560}'..='\u{588}'
        | '\u{5d0}'..='\u{5ea}'
        | '\u{620}'..='\u{657}'
        | '\u{671}'..='\u{6d3}'
        | '\u{904}'..='\u{93b}'
        | '\u{93d}'..='\u{94c}'
        | '\u{e01}'..='\u{e3a}'
        | '\u{e40}'..='\u{e46}'
        | '\u{10d0}'..='\u{10fa}'
        | '\u{1e00}'..='\u{1f15}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => true,
        // Punctuation of all of them.
        '\u{2000}'..='\u{206f}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}'
        | '\u{ff01}'..='\u{ff0f}' => false,
        _ => is_known_alphanumeric(c),
    }
}

/// The answer of the tables. The standard library has it too, and searches for it from the start.
fn is_known_alphanumeric(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let marks = GeneralCategoryGroup::Mark.union(GeneralCategoryGroup::Symbol);
    GeneralCategoryGroup::Letter.union(GeneralCategoryGroup::Number).contains(category)
        || (marks.contains(category) && CodePointSetData::new::<Alphabetic>().contains(c))
}

/// Gives `push` the character in lower case, as the standard library has it; fast where most pages need it.
#[inline]
pub(crate) fn lower(c: char, mut push: impl FnMut(char)) {
    let code = u32::from(c);
    let lowered = match c {
        '\0'..='\u{7f}' => Some(c.to_ascii_lowercase()),
        'А'..='Я' => char::from_u32(code + 32),
        'Ѐ'..='Џ' => char::from_u32(code + 80),
        // Small letters of Latin, Greek and Cyrillic, and the scripts that have no others.
        'ß'..='ÿ'
        | 'ά'..='ώ'
        | 'а'..='џ'
        | '\u{5d0}'..='\u{109f}'
        | '\u{10d0}'..='\u{10ff}'
        | '\u{3040}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7ff}' => Some(c),
        _ => None,
    };
    match lowered {
        Some(lowered) => push(lowered),
        None => c.to_lowercase().for_each(push),
    }
}

/// The runs of letters and digits in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = end_of(text, at, false);
        at = end_of(text, start, true);
        text.get(start..at).filter(|word| !word.is_empty())
    })
}

/// Where the letters and digits from a place on end, or what is none.
fn end_of(text: &str, from: usize, letters: bool) -> usize {
    let mut at = from;
    while let Some(&byte) = text.as_bytes().get(at) {
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() != letters {
                break;
            }
            at += 1;
        } else {
            let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            if is_alphanumeric(c) != letters {
                break;
            }
            at += c.len_utf8();
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_tables_and_the_standard_library_say() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), is_known_alphanumeric(c), "{:x}", u32::from(c));
            // The tables know letters that are newer than the standard library, so the converse need not hold.
            assert!(is_alphanumeric(c) || !c.is_alphanumeric(), "{:x}", u32::from(c));
        }
    }
    #[test]
    fn every_character_has_the_lower_case_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            let mut lowered = String::new();
            lower(c, |c| lowered.push(c));
            assert_eq!(lowered, c.to_lowercase().to_string(), "{:x}", u32::from(c));
        }
    }
}
