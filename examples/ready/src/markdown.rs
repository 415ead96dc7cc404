//! Properties of a text in Markdown for the checks: its links, its plain text, and an unclosed code fence.

use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::among::which_are_in;
use crate::sniff::Fence;

/// An inline or reference link of a text, decoded as CommonMark says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarkdownLink {
    pub(crate) target: String,
    pub(crate) name: String,
    /// Its place in the text, in bytes.
    pub(crate) place: Range<usize>,
}

fn parse(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

/// The links of a text. Images, code, comments and autolinks do not count.
pub(crate) fn links(text: &str) -> Vec<MarkdownLink> {
    let mut links: Vec<MarkdownLink> = Vec::new();
    let mut open = false;
    for (event, place) in parse(text) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                open = !matches!(link_type, LinkType::Autolink | LinkType::Email) && !dest_url.is_empty();
                if open {
                    links.push(MarkdownLink { target: dest_url.into_string(), name: String::new(), place });
                }
            }
            Event::End(TagEnd::Link) => open = false,
            Event::Text(text) | Event::Code(text) if open => {
                if let Some(link) = links.last_mut() {
                    link.name.push_str(&text);
                }
            }
            _ => {}
        }
    }
    links
}

/// The blocks of a text that a note can stand in, paragraphs, headings and table cells, without links and code.
pub(crate) fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut current: Option<String> = None;
    let mut in_link = 0usize;
    for (event, _) in parse(text) {
        match event {
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::TableCell | Tag::Item) => {
                blocks.extend(current.replace(String::new()));
            }
            Event::Start(Tag::CodeBlock(_)) => blocks.extend(current.take()),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::Item) => {
                blocks.extend(current.take());
            }
            Event::Start(Tag::Link { .. }) => in_link += 1,
            Event::End(TagEnd::Link) => in_link = in_link.saturating_sub(1),
            Event::Text(found) if in_link == 0 => {
                if let Some(block) = &mut current {
                    block.push_str(&found);
                }
            }
            Event::Code(_) | Event::InlineHtml(_) => {
                if let Some(block) = &mut current {
                    block.push('\0');
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(block) = &mut current {
                    block.push('\n');
                }
            }
            _ => {}
        }
    }
    blocks.extend(current);
    blocks
}

/// Where code is in a text, in order.
pub(crate) fn code_places(text: &str) -> Vec<Range<usize>> {
    let is_code = |event: &Event<'_>| matches!(event, Event::Start(Tag::CodeBlock(_)) | Event::Code(_));
    parse(text).filter(|(event, _)| is_code(event)).map(|(_, place)| place).collect()
}

/// The text as a reader sees it, markup gone; a line a block.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (event, _) in parse(text) {
        match event {
            Event::Text(found) | Event::Code(found) => plain.push_str(&found),
            Event::Html(found) | Event::InlineHtml(found) => {
                let tree = crate::html::Tree::parse(&found);
                plain.push_str(&tree.text_of(tree.within(None)));
            }
            Event::SoftBreak | Event::HardBreak => plain.push(' '),
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::CodeBlock | TagEnd::TableCell,
            )
            | Event::Start(Tag::List(_)) => plain.push('\n'),
            _ => {}
        }
    }
    plain
}

/// The line of the first code fence that nobody closes, counted from 1.
///
/// A sign closes wherever it stands, in a list or a quotation or behind one: a fence that is closed a little too far out is
/// an author's slip, and readers see code all the same.
pub(crate) fn open_fence(text: &str) -> Option<usize> {
    let mut open: Option<(Fence, usize)> = None;
    // Columns at which the contents of the open list items begin.
    let mut items: Vec<usize> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = without_quotation(line);
        let indent = line.len() - line.trim_start_matches(' ').len();
        if open.is_none() && !line.trim().is_empty() {
            while items.last().is_some_and(|column| indent < *column) {
                items.pop();
            }
        }
        let column = items.last().copied().unwrap_or(0);
        let inner = line.get(column.min(indent)..).unwrap_or_default();
        match (Fence::of(inner), &open) {
            (Some(fence), None) => open = Some((fence, number + 1)),
            (Some(fence), Some((opened, _))) if fence.closes(opened) => open = None,
            (None, None) => {
                // A list may begin several items in one line, each followed by a fence.
                let mut rest = inner;
                let mut at = column;
                while let Some(width) = item_width(rest) {
                    at += width;
                    items.push(at);
                    rest = rest.get(width..).unwrap_or_default();
                }
                if rest.len() < inner.len()
                    && let Some(fence) = Fence::of(rest)
                {
                    open = Some((fence, number + 1));
                }
            }
            _ => {}
        }
    }
    open.map(|(_, line)| line)
}

fn without_quotation(mut line: &str) -> &str {
    loop {
        let rest = line.trim_start_matches(' ');
        match rest.strip_prefix('>') {
            Some(inner) if line.len() - rest.len() <= 3 => line = inner.strip_prefix(' ').unwrap_or(inner),
            _ => return line,
        }
    }
}

/// The width of a list item's marker with the blanks around it, as CommonMark counts it.
fn item_width(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match (digits, rest.as_bytes().get(digits)) {
        (0, Some(b'-' | b'*' | b'+')) => 1,
        (1..=9, Some(b'.' | b')')) => digits + 1,
        _ => return None,
    };
    let behind = rest.get(marker..)?;
    let blanks = behind.len() - behind.trim_start_matches(' ').len();
    match (indent, blanks) {
        (4.., _) => None,
        (_, 0) if behind.is_empty() => Some(line.len()),
        (_, 0) => None,
        (_, 1..=4) if !behind.trim().is_empty() => Some(indent + marker + blanks),
        _ => Some((indent + marker + 1).min(line.len())),
    }
}

/// Distinct lines of at least 20 characters in a text, and how many of them another text lacks.
pub(crate) fn missing_lines(of: &str, markdown: &str) -> (usize, Vec<String>) {
    let there = fold(&plain(markdown));
    // As it is written too: what a parser takes for markup may be the text.
    let written = fold(markdown);
    let mut seen = HashSet::new();
    let long = of.lines().map(str::trim).filter(|line| line.chars().count() >= 20);
    let (lines, folded): (Vec<&str>, Vec<String>) =
        long.map(|line| (line, fold(line))).filter(|(_, folded)| seen.insert(folded.clone())).unzip();
    let is_there = which_are_in(&folded, &[&there, &written]);
    let missing = lines.iter().zip(is_there).filter(|(_, is_there)| !is_there);
    (lines.len(), missing.map(|(line, _)| (*line).to_owned()).collect())
}

/// Letter case, blanks, quotation marks, dashes and backticks made equal.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        let c = match c {
            '\u{2018}' | '\u{2019}' | '\u{201A}' => '\'',
            '\u{201C}'..='\u{201E}' => '"',
            '\u{2010}'..='\u{2015}' => '-',
            '\u{2026}' => {
                folded.push_str("...");
                continue;
            }
            '`' | '\u{200B}'..='\u{200D}' | '\u{FEFF}' => continue,
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if (c == ' ' && (folded.is_empty() || folded.ends_with(' '))) || (c == '-' && folded.ends_with('-')) {
            continue;
        }
        folded.extend(c.to_lowercase());
    }
    folded.truncate(folded.trim_end().len());
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_those_of_commonmark() {
        let text = "[a](b&amp;c) ![i](img) `[x](y)` <https://auto.example> [r][R]\n\n[R]: <s t>\n\n<!-- [n](o) -->\n\n    [c](d)\n";
        let links = links(text);
        let found: Vec<_> = links.iter().map(|link| (link.name.as_str(), link.target.as_str())).collect();
        assert_eq!(found, [("a", "b&c"), ("r", "s t")]);
    }

    #[test]
    fn many_lines_in_a_long_text_cost_no_more_than_their_length() {
        let text = |what: &str, count: usize| -> String {
            (0..count).map(|line| format!("The {line}th {what} of many lines.\n\n")).collect()
        };
        let _times = linear::assert_linear("lines", [2_000, 20_000], |size| {
            assert_eq!(missing_lines(&text("line", size), &text("other", size)).1.len(), size);
        });
    }

    #[test]
    fn fences_are_closed_by_their_own_sign() {
        for (text, expected) in [
            ("```\na\n```\n", None),
            ("a\n```sh\na\n~~~\n", Some(2)),
            ("````\n```\n````\n", None),
            ("```\n``` x\n", Some(1)),
            ("    ```\n", None),
            ("   ```\n", Some(1)),
            ("> ```\n> a\n> ```\n", None),
            ("> ```\n> a\n", Some(1)),
            ("1. a\n\n   ```\n   b\n   ```\n", None),
            ("10. a\n\n    ```\n    b\n", Some(3)),
            ("- ```\n  a\n", Some(1)),
            ("- ```\n  a\n  ```\n", None),
            ("``` | ```\n", None),
            ("```\r\na\r\n```\r\n", None),
        ] {
            assert_eq!(open_fence(text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_are_compared_without_what_typography_changes() {
        let page = "The “ferry” leaves at seven – always\nA second line that is not there\nshort\n";
        let (all, missing) = missing_lines(page, "# The \"ferry\" `leaves` at **seven** -- always\n");
        assert_eq!((all, missing), (2, vec!["A second line that is not there".to_owned()]));
    }
}
