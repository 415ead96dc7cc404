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

/// A text as one line of Markdown that has no link, code or HTML.
#[must_use]
pub fn line(text: &str) -> String {
    let mut line = String::new();
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if matches!(c, '\\' | '`' | '[' | ']' | '<') {
            line.push('\\');
        }
        line.push(c);
    }
    line
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
        for text in ["Vec<u8>", "a\\", "`x", "[y](z)", "</b>", "\\[", "a ` b"] {
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
    }
}
