//! Invisible characters, in which a text can be hidden inside another.
//!
//! | characters | treatment |
//! |---|---|
//! | Unicode tags, U+E0000 to U+E007F | removed, and reported as the letters that they encode; kept in emoji flags |
//! | variation selectors | one after a character is kept; further ones are removed, and reported as the bytes that they encode |
//! | zero-width joiner and non-joiner | kept next to emoji and to letters of scripts that join (Arabic, Indic, Mongolian …), else taken out |
//! | word joiner, invisible operators, Mongolian vowel separator | taken out between letters of other scripts |
//! | overrides of the reading order, U+202D and U+202E | taken out with their end: the text then is read as it is written |
//! | embeddings, isolates, marks of direction | kept: right-to-left text needs them |
//!
//! Zero-width spaces, soft hyphens and byte order marks are the writers' part: they tell where a line may break.

use std::borrow::Cow;

use crate::letters::is_alphanumeric;

/// A text without its invisible characters, and the text hidden in them; empty if they encode nothing.
pub(crate) fn clean(text: &str) -> (Cow<'_, str>, Option<String>) {
    if !may_hide(text) {
        return (Cow::Borrowed(text), None);
    }
    let mut out = String::with_capacity(text.len());
    let mut told = Told::default();
    let mut chars = text.chars().peekable();
    let mut before: Option<char> = None;
    let mut in_flag = false;
    // Whether a selector belongs to the character before.
    let mut has_selector = false;
    while let Some(c) = chars.next() {
        let keeps = match c {
            '\u{e0000}'..='\u{e007f}' => {
                if !in_flag {
                    told.tag(c);
                }
                in_flag
            }
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
                let first = before.is_some_and(|before| !before.is_whitespace()) && !has_selector;
                if !first {
                    told.selector(c);
                }
                has_selector = true;
                first
            }
            '\u{200c}' | '\u{200d}' => {
                let after = chars.peek().copied();
                let joins = before.is_some_and(joins) || after.is_some_and(joins);
                told.count += u32::from(!joins);
                joins
            }
            '\u{2060}'..='\u{2064}' | '\u{180e}' => {
                let between =
                    before.is_some_and(is_alphanumeric) && chars.peek().copied().is_some_and(is_alphanumeric);
                let joins = before.is_some_and(joins);
                told.count += u32::from(between && !joins);
                !between || joins
            }
            '\u{202d}' | '\u{202e}' => {
                told.turns = true;
                false
            }
            // The end of an override, or of an embedding, which does nothing without its start.
            '\u{202c}' => !told.turns,
            _ => true,
        };
        match c {
            '\u{1f3f4}' => in_flag = true,
            '\u{e0000}'..='\u{e007e}' if in_flag => {}
            _ => in_flag = false,
        }
        if keeps {
            out.push(c);
        }
        if !is_odd(c) {
            (before, has_selector) = (Some(c), false);
        }
    }
    if out.len() == text.len() {
        return (Cow::Borrowed(text), None);
    }
    (Cow::Owned(out), Some(told.say(text)))
}

/// Whether a text has one of the characters that are looked at.
pub(crate) fn may_hide(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_ascii() {
        return false;
    }
    // The first two bytes of all of them; dashes and quotes share these, so the third decides.
    let is_it = |at: usize| match bytes.get(at..) {
        Some([0xe2, 0x80, last, ..]) => matches!(last, 0x8c | 0x8d | 0xac..=0xae),
        Some([0xe2, 0x81, last, ..]) => matches!(last, 0xa0..=0xa4),
        Some([0xef, 0xb8, last, ..]) => *last <= 0x8f,
        Some([0xe1, 0xa0, last, ..]) => *last == 0x8e,
        Some([0xf3, 0xa0, ..]) => true,
        _ => false,
    };
    memchr::memchr3_iter(0xe2, 0xef, 0xf3, bytes).any(is_it) || memchr::memchr_iter(0xe1, bytes).any(is_it)
}

/// Whether a character is one of those that are looked at.
fn is_odd(c: char) -> bool {
    matches!(
        c,
        '\u{e0000}'..='\u{e007f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
            | '\u{200c}' | '\u{200d}'
            | '\u{2060}'..='\u{2064}'
            | '\u{180e}'
            | '\u{202c}'..='\u{202e}'
    )
}

/// Letters whose form depends on what joins them, and emoji.
fn joins(c: char) -> bool {
    matches!(
        c,
        '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1700}'..='\u{18af}' | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}'
            | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}'
            // Emoji, signs that have a coloured form, and what changes their skin and hair.
            | '\u{203c}' | '\u{2049}' | '\u{20e3}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}' | '\u{3030}'
            | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}'
    )
}

/// What the hidden characters stand for.
#[derive(Default)]
struct Told {
    said: String,
    bytes: Vec<u8>,
    /// Characters that stand for nothing.
    count: u32,
    turns: bool,
}

impl Told {
    fn tag(&mut self, c: char) {
        let letter = u32::from(c).checked_sub(0xe0000).and_then(char::from_u32);
        match letter {
            Some(letter) if !letter.is_control() => self.said.push(letter),
            _ => self.count += 1,
        }
    }

    fn selector(&mut self, c: char) {
        let number = u32::from(c);
        let byte = if number < 0xe0000 { number - 0xfe00 } else { number - 0xe0100 + 16 };
        self.bytes.push(u8::try_from(byte).unwrap_or(u8::MAX));
    }

    fn say(self, text: &str) -> String {
        let mut said = self.said;
        let hidden = String::from_utf8_lossy(&self.bytes);
        if !hidden.is_empty() && hidden.chars().all(|c| !c.is_control() && c != '\u{fffd}') {
            said.push_str(&hidden);
        }
        if said.is_empty() && self.turns {
            // What it says in the order in which it is written.
            said = text.chars().filter(|c| !is_odd(*c)).collect();
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> String {
        text.chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect()
    }

    #[test]
    fn hidden_letters_are_taken_out_and_told() {
        let selectors: String =
            "hi".bytes().filter_map(|byte| char::from_u32(0xe0100 + u32::from(byte) - 16)).collect();
        for (text, expected, said) in [
            (format!("a{}b", tags("ignore all")), "ab", "ignore all"),
            (format!("😀\u{fe0f}{selectors} b"), "😀\u{fe0f} b", "hi"),
            ("ig\u{200d}no\u{200c}re".to_owned(), "ignore", ""),
            ("pay\u{2060}pal".to_owned(), "paypal", ""),
            ("\u{202e}erongi\u{202c} a".to_owned(), "erongi a", "erongi a"),
        ] {
            let (clean, found) = clean(&text);
            assert_eq!((&*clean, found.as_deref()), (expected, Some(said)), "{text:?}");
        }
    }

    #[test]
    fn the_bytes_tell_the_characters() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            // Private planes and unassigned characters behind the tags may be looked at in vain.
            let text = format!("a{c}b");
            assert!(may_hide(&text) || !is_odd(c), "{c:?}");
            assert!(!may_hide(&text) || is_odd(c) || c >= '\u{e0000}', "{c:?}");
        }
    }

    #[test]
    fn what_scripts_and_emoji_need_stays() {
        for text in [
            "plain é “ﬁ”",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "葛\u{e0100}飾",
            "\u{2067}שלום\u{2069} \u{200f}a\u{200e}",
            "f\u{2061}(x)",
        ] {
            assert_eq!(clean(text), (Cow::Borrowed(text), None), "{text:?}");
        }
    }
}
