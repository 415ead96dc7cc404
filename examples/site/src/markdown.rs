//! Markdown pages: CommonMark with tables, in a plain template.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use url::Url;

/// The page in HTML. Its title is the text of the first heading of the first level.
#[must_use]
pub fn to_page(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut body = String::with_capacity(markdown.len() * 2);
    pulldown_cmark::html::push_html(&mut body, Parser::new_ext(markdown, options));
    let title = escape(&title_of(Parser::new_ext(markdown, options)));
    format!(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         </head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// A text as one line of Markdown, which readers of CommonMark read as that text, in a heading, a link or behind other text.
/// What may be emphasis or an entity is escaped only where the line would be read as another text otherwise.
#[must_use]
pub fn line(text: &str) -> String {
    let text = one_line(text);
    let plain = escaped(&text, "\\`[]<");
    let is_read = |line: &str| reads(&format!("# {line}"), &text) && reads(&format!("[{line}](/)"), &text);
    if is_read(&plain) { plain } else { escaped(&text, "\\`[]<*_&~#") }
}

/// A block quote of this text.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut line = line(text);
    // What begins another block, such as `1.` or `-`, does so by its first punctuation mark.
    if !reads(&line, &one_line(text))
        && let Some(at) = line.find(|c: char| c.is_ascii_punctuation())
    {
        line.insert(at, '\\');
    }
    format!("> {line}")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str, signs: &str) -> String {
    let escape = |c| signs.contains(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escape).collect()
}

/// Whether the Markdown is one heading, or one paragraph with at most a link, of this text and nothing else.
fn reads(markdown: &str, text: &str) -> bool {
    let mut read = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(part) => read.push_str(&part),
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Link { .. }) | Event::End(_) => {}
            _ => return false,
        }
    }
    read == text
}

/// A link of this text. In the address, parentheses are escaped as addresses escape them.
#[must_use]
pub fn link(text: &str, url: &Url) -> String {
    format!("[{}]({})", line(text), url.as_str().replace('(', "%28").replace(')', "%29"))
}

fn title_of<'a>(events: impl Iterator<Item = Event<'a>>) -> String {
    let is_start =
        |event: &Event<'_>| matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }));
    let inside = events.skip_while(|event| !is_start(event));
    inside
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(HeadingLevel::H1))))
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.into_string()),
            Event::SoftBreak | Event::HardBreak => Some(" ".to_owned()),
            _ => None,
        })
        .collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_title_of_its_first_heading() {
        let page = to_page("Intro\n\n# Tea & `<cups>`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
        assert!(page.contains("<title>Tea &amp; &lt;cups></title>"), "{page}");
        assert!(page.contains("<td>1</td>"), "{page}");
        let read = crate::html::read(&page).unwrap();
        assert_eq!(read.title, "Tea & <cups>");
        assert!(read.content.contains("Intro"), "{}", read.content);
        assert!(to_page("no heading").contains("<title></title>"));
    }

    #[test]
    fn a_link_keeps_its_text_and_its_address() {
        let url = Url::parse("https://x.example/a(b.html.md").unwrap();
        for text in [
            "Vec<u8>",
            "a\\",
            "`x",
            "[y](z)",
            "</b>",
            "\\[",
            "a ` b",
            "*new*",
            "a *b",
            "_tea_",
            "__init__",
            "&amp;",
            "&#42;x",
            "**",
            "*_*",
            "~~old~~",
            "a &lt b &lt;",
            "![x](y)",
        ] {
            let markdown = format!("- {}: a `b`\n", link(text, &url));
            let mut events =
                Parser::new(&markdown).skip_while(|event| !matches!(event, Event::Start(Tag::Link { .. })));
            let Some(Event::Start(Tag::Link { dest_url, .. })) = events.next() else { panic!("{markdown}") };
            assert_eq!(&*dest_url, "https://x.example/a%28b.html.md");
            let read: String = events
                .map_while(|event| match event {
                    Event::Text(text) => Some(text.into_string()),
                    _ => None,
                })
                .collect();
            assert_eq!(read, text, "{markdown}");
        }
        for plain in
            ["snake_case", "AT&T", "2 * 3", "a*b", "C#", "R&D; tea", "_x", "# 1", "1. Tea", "- a", "~x~y"]
        {
            assert_eq!(line(plain), plain);
        }
    }

    #[test]
    fn a_heading_and_a_quote_keep_their_text() {
        for text in [
            "C #",
            "# 1",
            "1. Tea",
            "2) Tea",
            "- a",
            "+ a",
            "* a",
            "---",
            "===",
            "***",
            "> x",
            "~~~",
            "#",
            "*x*",
            "snake_case",
            "1.",
            "a: b",
            "| a |",
            "&copy; 2020",
            "-",
            "__x__ - y",
            "",
        ] {
            assert!(reads(&format!("# {}\n", line(text)), text), "{}", line(text));
            let quoted = quote(text);
            assert!(reads(quoted.strip_prefix("> ").unwrap(), text), "{quoted}");
        }
        assert_eq!(quote("All pages of AT&T, as Markdown."), "> All pages of AT&T, as Markdown.");
    }
}
