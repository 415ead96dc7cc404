//! Places in a text: line and column, and the line of text with a caret under the byte.

use tct_canonical_json::{JsonReader, LineColumn};
use unicode_width::UnicodeWidthChar as _;

/// Characters that are shown in front of the byte.
const BEFORE: usize = 40;

/// Characters that are shown from the byte on.
const AFTER: usize = 40;

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The offset in bytes from the start.
    pub offset: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The text around the byte, fit for a terminal.
    pub excerpt: String,
    /// How many columns of a terminal are in front of the byte in the excerpt.
    pub indent: usize,
}

impl Place {
    /// The place of the byte at `offset`; the end where the text is shorter.
    ///
    /// Control characters and those that would turn the direction of the line are shown as U+FFFD, and a long line as
    /// the part around the byte. `O(offset)`.
    ///
    /// ```
    /// use aiweb::place::Place;
    ///
    /// let place = Place::of(b"{\n  \"language\": }\n", 16);
    /// assert_eq!((place.line, place.column), (2, 15));
    /// assert_eq!(place.excerpt, "  \"language\": }");
    /// assert_eq!(place.indent, 14);
    /// ```
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        let offset = offset.min(text.len());
        let LineColumn { line, column, .. } = LineColumn::of(text, offset);
        let (before, after) = text.split_at_checked(offset).unwrap_or((text, &[]));
        let before = before.iter().rposition(|&byte| byte == b'\n').map_or(before, |at| tail(before, at + 1));
        let after = after.iter().position(|&byte| byte == b'\n').map_or(after, |at| head(after, at));
        // A character has four bytes at most; one that is cut at the edge is shown as U+FFFD and dropped below.
        let before = String::from_utf8_lossy(tail(before, before.len().saturating_sub(4 * (BEFORE + 1))));
        let after = String::from_utf8_lossy(head(after, 4 * (AFTER + 1)));
        let skipped = before.chars().count().saturating_sub(BEFORE);
        let mut excerpt = String::new();
        if skipped > 0 {
            excerpt.push('…');
        }
        excerpt.extend(before.chars().skip(skipped).map(harmless));
        let indent = excerpt.chars().map(|c| c.width().unwrap_or(0)).sum();
        excerpt.extend(after.chars().take(AFTER).map(harmless));
        if after.chars().nth(AFTER).is_some() {
            excerpt.push('…');
        }
        let excerpt = excerpt.trim_end().to_owned();
        Place { offset, line, column, excerpt, indent }
    }

    /// The place of the value that a JSON Pointer names; of the nearest value around it where it names none. `None`
    /// where the text is not JSON.
    ///
    /// ```
    /// use aiweb::place::Place;
    ///
    /// let place = Place::of_pointer(b"{\"a\": [1, 2]}", "/a/1").unwrap();
    /// assert_eq!((place.offset, place.column), (10, 11));
    /// ```
    #[must_use]
    pub fn of_pointer(json: &[u8], pointer: &str) -> Option<Self> {
        let document =
            JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers();
        Some(Place::of(json, document.read(json).ok()?.locate(pointer).0))
    }

    /// The place where a text stops being JSON. `None` where it is JSON.
    ///
    /// ```
    /// use aiweb::place::Place;
    ///
    /// assert_eq!(Place::of_fault(b"{\"a\": nul}").unwrap().column, 10);
    /// assert_eq!(Place::of_fault(b"{}"), None);
    /// ```
    #[must_use]
    pub fn of_fault(json: &[u8]) -> Option<Self> {
        Some(Place::of(json, JsonReader::new().read(json).err()?.offset()?))
    }
}

fn head(bytes: &[u8], len: usize) -> &[u8] {
    bytes.get(..len).unwrap_or(bytes)
}

fn tail(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}

/// A character that a terminal shows and does not obey.
#[must_use]
pub fn harmless(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
            '\u{fffd}'
        }
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_stands_under_the_byte() {
        let text = "{\"k\": \"日本\", x}".as_bytes();
        let place = Place::of(text, 16);
        assert_eq!((place.line, place.column, place.indent), (1, 13, 14));
        assert!(place.excerpt.ends_with(" x}"), "{place:?}");
    }

    #[test]
    fn long_lines_and_hostile_text() {
        let mut text = vec![b' '; 100_000];
        text.extend_from_slice("\u{1b}[2J\u{202e}!".as_bytes());
        text.extend(vec![b'a'; 100_000]);
        let place = Place::of(&text, 100_000);
        assert_eq!(place.indent, 41);
        assert!(place.excerpt.chars().count() <= 82 && !place.excerpt.contains(['\u{1b}', '\u{202e}']));
        // Past the end is the end; the empty text has one line.
        assert_eq!(
            Place::of(b"", 9),
            Place { offset: 0, line: 1, column: 1, excerpt: String::new(), indent: 0 }
        );
        assert_eq!(Place::of(b"a\xff\n", 1).excerpt, "a\u{fffd}");
    }

    #[test]
    fn a_member_that_is_missing_is_shown_at_its_object() {
        let place = Place::of_pointer(b"{\"entity\": {\"a\": 1}}", "/entity/name").unwrap();
        assert_eq!(place.offset, 11);
        assert_eq!(Place::of_pointer(b"{", ""), None);
    }
}
