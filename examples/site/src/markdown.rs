//! Markdown pages: CommonMark with tables, in a plain template.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

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
}
