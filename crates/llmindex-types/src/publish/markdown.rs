//! Text into Markdown that says just that text.

use alloc::string::String;

/// `text` on one line: white space folded, and every character that Markdown would take for markup escaped.
pub(super) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        for (at, c) in word.char_indices() {
            let is_markup = match c {
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' => true,
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

/// `text` as [`inline`] at the start of a line, where a few more characters would begin a block.
pub(super) fn line(text: &str) -> String {
    let inline = inline(text);
    let digits = inline.bytes().take_while(u8::is_ascii_digit).count();
    let at = match inline.as_bytes().get(digits) {
        Some(b'#' | b'>' | b'+' | b'-' | b'=' | b'~' | b'|') if digits == 0 => 0,
        Some(b'.' | b')') if digits > 0 => digits,
        _ => return inline,
    };
    let (before, rest) = inline.split_at(at);
    let mut out = String::from(before);
    out.push('\\');
    out.push_str(rest);
    out
}

/// Appends `text` as paragraphs, one where lines stand together, each followed by a blank line.
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
        out.push_str(&text);
        out.push_str("\n\n");
    }
}

/// Appends `[text](url)`. Parentheses of the URL are escaped as URLs escape them.
pub(super) fn push_link(out: &mut String, text: &str, url: &str) {
    out.push('[');
    out.push_str(&inline(text));
    out.push_str("](");
    for c in url.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
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

fn starts_character_reference(text: &str) -> bool {
    let inside = text.get(1..).and_then(|rest| rest.split_once(';')).map(|(inside, _)| inside);
    inside.is_some_and(|inside| {
        !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
    })
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
        let mut out = String::new();
        push_paragraphs(&mut out, "a\nb\n\n > c");
        assert_eq!(out, "a b\n\n\\> c\n\n");
        out.clear();
        push_link(&mut out, "x]", "https://a.example/(b)");
        assert_eq!(out, "[x\\]](https://a.example/%28b%29)");
    }
}
