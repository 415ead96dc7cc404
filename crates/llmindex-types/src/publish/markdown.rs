//! Escapes text for Markdown.

use alloc::string::String;
use alloc::vec::Vec;

/// `text` on one line: white space folded, and every character that Markdown would take for markup escaped.
///
/// Escapes everything that CommonMark and GitHub's extensions (tables, strikethrough, task lists, footnotes) would read
/// as markup. Links that some readers make from bare `https://…` and `www.…` cannot be prevented.
pub(super) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        for (at, c) in word.char_indices() {
            let is_markup = match c {
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '~' => true,
                '&' => starts_character_reference(word.get(at..).unwrap_or_default()),
                _ => false,
            };
            if is_markup {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// A URL as text on one line: as [`inline`], but a character is escaped only where it would be read as markup, so that
/// most URLs are not changed.
pub(super) fn url_inline(url: &str) -> String {
    let escaped = inline(url);
    if !escaped.contains("\\_") {
        return escaped;
    }
    // Between letters and digits an underscore never begins or ends emphasis.
    let mut out = String::with_capacity(escaped.len());
    let mut pieces = escaped.split("\\_").peekable();
    while let Some(piece) = pieces.next() {
        out.push_str(piece);
        if let Some(next) = pieces.peek() {
            let is_inside_a_word = out.ends_with(|c: char| c.is_ascii_alphanumeric())
                && next.starts_with(|c: char| c.is_ascii_alphanumeric());
            out.push_str(if is_inside_a_word { "_" } else { "\\_" });
        }
    }
    out
}

/// `text` as [`inline`] at the start of a line, where a few more characters would begin a block.
pub(super) fn line(text: &str) -> String {
    let inline = inline(text);
    let digits = inline.bytes().take_while(u8::is_ascii_digit).count();
    let at = match inline.as_bytes().get(digits) {
        Some(b'#' | b'>' | b'+' | b'-' | b'=' | b'|') if digits == 0 => 0,
        Some(b'.' | b')') if digits > 0 => digits,
        _ => return inline,
    };
    let (before, rest) = inline.split_at(at);
    let mut out = String::from(before);
    out.push('\\');
    out.push_str(rest);
    out
}

/// `text` on one line, white space folded, nothing escaped.
pub(super) fn folded(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty())
}

/// Appends `text` as paragraphs, each followed by a blank line. Lines without a blank line between them are one paragraph.
pub(super) fn push_paragraphs(out: &mut String, text: &str) {
    let mut paragraph = String::new();
    for piece in text.lines().chain([""]) {
        if piece.trim().is_empty() {
            if !paragraph.is_empty() {
                out.push_str(&line(&paragraph));
                out.push_str("\n\n");
            }
            paragraph.clear();
        } else {
            paragraph.push_str(piece);
            paragraph.push(' ');
        }
    }
}

/// Appends a heading of that level, followed by a blank line; nothing where it has no text.
pub(super) fn push_heading(out: &mut String, level: usize, text: &str) {
    let text = inline(text);
    if !text.is_empty() {
        out.extend(core::iter::repeat_n('#', level));
        out.push(' ');
        // A last word of `#` alone would close the heading and be dropped.
        let end = text.trim_end_matches('#');
        let closes = end.len() < text.len() && (end.is_empty() || end.ends_with(' '));
        let (before, marks) = text.split_at(if closes { end.len() } else { text.len() });
        out.push_str(before);
        if closes {
            out.push('\\');
        }
        out.push_str(marks);
        out.push_str("\n\n");
    }
}

/// Appends `[text](url)`. Parentheses of the URL are escaped as URLs escape them, an ampersand that would begin a
/// character reference as Markdown does.
pub(super) fn push_link(out: &mut String, text: &str, url: &str) {
    out.push('[');
    out.push_str(&inline(text));
    out.push_str("](");
    for (at, c) in url.char_indices() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '&' if starts_character_reference(url.get(at..).unwrap_or_default()) => out.push_str("\\&"),
            c => out.push(c),
        }
    }
    out.push(')');
}

/// Ends a document: one line feed after the last text.
pub(super) fn finish(mut out: String) -> String {
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Whether `text`, which begins with an ampersand, begins with a character reference: up to 31 letters and digits, or
/// `#` and digits, and a semicolon.
fn starts_character_reference(text: &str) -> bool {
    const LONGEST: usize = 31;
    let inside = text.as_bytes().iter().skip(1).take(LONGEST + 1);
    let name = inside.clone().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
    name > 0 && inside.clone().nth(name) == Some(&b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(inline(" a\n\tb\u{0}c "), "a b c");
        assert_eq!(inline("*x* [y](z) `c` <b> a_b \\"), "\\*x\\* \\[y\\](z) \\`c\\` \\<b> a\\_b \\\\");
        assert_eq!(inline("Müller & Söhne &amp; &#60; A&B;C"), "Müller & Söhne \\&amp; \\&#60; A\\&B;C");
        assert_eq!(line("# no heading"), "\\# no heading");
        assert_eq!(line("1. no list"), "1\\. no list");
        assert_eq!(line("2026 was good"), "2026 was good");
        assert_eq!(line("- no item"), "\\- no item");
        assert_eq!(line("1# is no heading"), "1# is no heading");
        assert_eq!(line(".5 is no item"), ".5 is no item");
        let mut out = String::new();
        push_paragraphs(&mut out, "a\nb\n\n > c");
        assert_eq!(out, "a b\n\n\\> c\n\n");
        out.clear();
        push_link(&mut out, "x]", "https://a.example/(b)");
        assert_eq!(out, "[x\\]](https://a.example/%28b%29)");
        out.clear();
        push_link(&mut out, "x", "https://a.example/?a=1&b=2&amp;c");
        assert_eq!(out, "[x](https://a.example/?a=1&b=2\\&amp;c)");
    }

    /// A name has a letter or digit, and at most 31 of them.
    #[test]
    fn a_reference_has_a_name_and_an_end() {
        for (text, is_one) in
            [("&amp;", true), ("&#60;", true), ("&;", false), ("&a", false), ("&a b;", false)]
        {
            assert_eq!(starts_character_reference(text), is_one, "{text}");
        }
        assert!(starts_character_reference(&["&", &"a".repeat(31), ";"].concat()));
        assert!(!starts_character_reference(&["&", &"a".repeat(32), ";"].concat()));
    }
}
