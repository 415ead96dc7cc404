//! What kind of text a body is. Spec: READY-GEN-3 to READY-GEN-5.

use crate::pattern;

/// The first characters of a text.
pub(crate) fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

/// Whether a text begins as an HTML document does, code in it aside.
pub(crate) fn is_html(text: &str) -> bool {
    const START: usize = 2_000;
    let mut start = String::new();
    let mut count = 0;
    for line in without_fences(text) {
        let line = pattern!("`[^`\n]+`").replace_all(line, "``");
        count += line.chars().count() + 1;
        start.push_str(&line);
        start.push('\n');
        if count > START {
            break;
        }
    }
    pattern!(r"(?i)<!doctype\s|<(?:html|head|body)[\s>]").is_match(first_chars(&start, START))
}

/// The lines outside of fenced code.
fn without_fences(text: &str) -> impl Iterator<Item = &str> {
    let mut open: Option<Fence> = None;
    text.lines().filter(move |line| match (&open, Fence::of(line)) {
        (None, Some(fence)) => {
            open = Some(fence);
            false
        }
        (None, None) => true,
        (Some(fence), Some(found)) if found.closes(fence) => {
            open = None;
            false
        }
        (Some(_), _) => false,
    })
}

/// A line that can open or close fenced code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    sign: char,
    len: usize,
    is_bare: bool,
}

impl Fence {
    /// The fence of a line with at most three blanks before it.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let rest = line.trim_start_matches(' ');
        let sign = rest.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let info = rest.trim_start_matches(sign);
        let len = rest.len() - info.len();
        let is_fence = line.len() - rest.len() <= 3 && len >= 3 && !(sign == '`' && info.contains('`'));
        is_fence.then(|| Fence { sign, len, is_bare: info.trim().is_empty() })
    }

    /// Whether this line closes the code that `open` began.
    pub(crate) fn closes(&self, open: &Fence) -> bool {
        self.sign == open.sign && self.len >= open.len && self.is_bare
    }
}

/// Whether a text has a heading, a link or fenced code near its start.
pub(crate) fn has_markdown(text: &str) -> bool {
    let start = first_chars(text, 5_000);
    pattern!(r"(?m)^#{1,6}\s+\S|^```|\[[^\]]+\]\([^)]+\)").is_match(start)
}

/// Whether a text is an error page: it says "not found" or the like in its first heading or, if it
/// is short, anywhere.
pub(crate) fn is_error_page(text: &str) -> bool {
    const START: usize = 500;
    let says = |text: &str| pattern!(r"(?i)not\s*found|404|does\s*not\s*exist").is_match(text);
    let start = first_chars(text, START);
    let heading = pattern!(r"(?m)^#{1,6}\s+(.+)").captures(start).and_then(|found| found.get(1));
    heading.is_some_and(|heading| says(heading.as_str()))
        || (text.chars().nth(START - 1).is_none() && says(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_in_code_make_no_html() {
        for (text, expected) in [
            ("<!DOCTYPE html>", true),
            ("<!doctypehtml>", false),
            ("text <BODY>", true),
            ("<header>", false),
            ("# A\n\n```html\n<html>\n```\n", false),
            ("# A\n\n~~~~\n<html>\n~~~\n~~~~\n", false),
            ("Write `<body>` first.", false),
            ("```\na\n```\n<html>", true),
        ] {
            assert_eq!(is_html(text), expected, "{text}");
        }
        let late = format!("{}<html>", "a".repeat(2_000));
        assert!(!is_html(&late) && is_html(&late[1_994..]));
    }

    #[test]
    fn headings_links_and_fences_are_markdown() {
        for (text, expected) in [
            ("# A", true),
            ("#A", false),
            ("see [a](b)", true),
            ("[a] (b)", false),
            ("a\n```", true),
            ("a\n ```", false),
            ("plain", false),
        ] {
            assert_eq!(has_markdown(text), expected, "{text}");
        }
        assert!(!has_markdown(&format!("{}\n# late", "a".repeat(5_000))));
    }

    #[test]
    fn an_error_page_says_so_first_or_is_short() {
        let long = "word ".repeat(200);
        for (text, expected) in [
            (format!("# Page notfound\n{long}"), true),
            (format!("# Codes\n\n404 means that. {long}"), false),
            ("It does not exist.".to_owned(), true),
            (format!("{}404", "a".repeat(497)), false),
            (format!("{}404", "a".repeat(496)), true),
            (format!("{long}\n# 404"), false),
        ] {
            assert_eq!(is_error_page(&text), expected, "{}", &text[..20.min(text.len())]);
        }
    }
}
