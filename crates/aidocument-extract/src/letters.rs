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

/// The runs of letters and digits in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.get(length_of(rest, false)..)?;
        let (word, after) = rest.split_at_checked(length_of(rest, true))?;
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// The length of the letters and digits at the start of a text, or of what is none.
fn length_of(text: &str, letters: bool) -> usize {
    let mut at = 0;
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
}
