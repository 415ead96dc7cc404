//! Reads the text of an HTML page for its twin, and writes the link to the twin into its head.
//!
//! The text comes from `aidocument-extract`, the link is written by a streaming rewriter. Both take time in proportion
//! to the page. Nothing here knows the protocol.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;

use aidocument::{Crawl, StatusCode, Timestamp, WebUrl};
use aidocument_extract::{Options, extract};
use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use tct::UnixSeconds;
use url::Url;

/// What a page says, without its furniture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// Its title.
    pub title: String,
    /// The text of its main part, blocks parted by empty lines.
    pub content: String,
    /// The same in Markdown.
    pub markdown: String,
    /// The language that it names.
    pub language: String,
    /// When its metadata says that it was changed, or else published.
    pub modified: Option<UnixSeconds>,
}

/// Why a page was passed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// The system does not give us the file.
    #[error("{0}")]
    Unreadable(String),
    /// The bytes are not valid UTF-8.
    #[error("expected UTF-8, found another byte at {at}")]
    NotUtf8 {
        /// Offset of the first byte that does not fit.
        at: usize,
    },
    /// There is nothing to read: a redirect, or a page drawn by a script.
    #[error("expected some text in the page, found none")]
    NoText,
    /// The rewriter gave up.
    #[error("the page cannot be rewritten: {0}")]
    Rewrite(String),
    /// The library has no twin for the page.
    #[error("{0}")]
    NoTwin(String),
}

/// The page as text.
///
/// # Errors
/// [`PageError::NotUtf8`] if the bytes are not valid UTF-8.
pub fn decode(html: &[u8]) -> Result<&str, PageError> {
    std::str::from_utf8(html).map_err(|error| PageError::NotUtf8 { at: error.valid_up_to() })
}

/// The extractor's facts about a fetch. A publisher reads its own files: there was none.
static FACTS: LazyLock<Option<(WebUrl, Crawl)>> = LazyLock::new(|| {
    let url = "https://localhost/".parse().ok()?;
    let agent = "AIWebIndex/1.0 (+https://localhost/; publisher)".parse().ok()?;
    Some((url, Crawl::new(Timestamp::from_parts(0, 0)?, StatusCode::new(200)?, agent)))
});

/// Reads title and text of a page: of its `<main>` where it has one, else what the extractor takes for its main part.
///
/// # Errors
/// [`PageError::NoText`] if no word is left when the furniture (navigation, scripts, forms, …) is gone.
pub fn read(html: &str) -> Result<PageText, PageError> {
    read_with(html, None)
}

/// The same of a page at `url`, against which the links of the Markdown are resolved.
///
/// # Errors
/// As [`read`].
pub fn read_at(html: &str, url: &Url) -> Result<PageText, PageError> {
    read_with(html, url.as_str().parse().ok())
}

fn read_with(html: &str, url: Option<WebUrl>) -> Result<PageText, PageError> {
    let (nowhere, crawl) = FACTS.clone().ok_or(PageError::NoText)?;
    let mut options = Options::default();
    options.selector = Some("main, [role=main]".to_owned());
    options.resolve = url.is_some();
    let url = url.unwrap_or(nowhere);
    let page = extract(html.as_bytes(), url, Some("text/html; charset=utf-8"), crawl, &options);
    if page.text.trim().is_empty() {
        return Err(PageError::NoText);
    }
    let meta = page.document.meta();
    let date = meta.modified.as_deref().or(meta.published.as_deref());
    Ok(PageText {
        title: page.document.title().to_owned(),
        language: meta.language.as_str().to_owned(),
        modified: date.and_then(seconds_of),
        markdown: page.document.markdown().to_owned(),
        content: page.text,
    })
}

/// A timestamp, or a day, which begins at midnight UTC.
fn seconds_of(date: &str) -> Option<UnixSeconds> {
    let midnight = |day: jiff::civil::Date| day.to_zoned(jiff::tz::TimeZone::UTC).ok();
    let at =
        date.parse::<jiff::Timestamp>().ok().or_else(|| Some(midnight(date.parse().ok()?)?.timestamp()))?;
    u64::try_from(at.as_second()).ok().map(UnixSeconds)
}

/// The page with `link` as the last element of its `<head>`, or as it is where its head names a twin already. Other JSON beside
/// a page is not one: WordPress names its interface on each page.
///
/// A page without a written `<head>` gets the link behind `<html>` or in front of everything but the doctype, where
/// a parser opens the head by itself.
///
/// # Errors
/// [`PageError::Rewrite`] if the rewriter gives up.
pub fn with_alternate(html: &str, link: &str) -> Result<String, PageError> {
    let has_link = Rc::new(Cell::new(false));
    let has_head = Rc::new(Cell::new(false));
    let written = {
        let (seen, head, link) = (Rc::clone(&has_link), Rc::clone(&has_head), link.to_owned());
        let at_end = Rc::clone(&has_link);
        rewrite(
            html,
            vec![
                element!("head link[rel~=alternate][type='application/json' i]", move |link| {
                    let href = link.get_attribute("href").unwrap_or_default();
                    seen.set(seen.get() || is_of_twin(&href));
                    Ok(())
                }),
                element!("head", move |element| {
                    let (link, at_end, head) = (link.clone(), Rc::clone(&at_end), Rc::clone(&head));
                    element.on_end_tag(lol_html::end_tag!(move |end| {
                        if !at_end.get() && !head.replace(true) {
                            end.before(&link, ContentType::Html);
                        }
                        Ok(())
                    }))
                }),
            ],
        )?
    };
    if has_link.get() || has_head.get() {
        return Ok(written);
    }
    // No `</head>` was written: the place after the last of `<!doctype …>`, `<html …>` and `<head …>` at the start.
    let at = end_of_opening(html);
    let (before, after) = html.split_at(at);
    Ok([before, link, after].concat())
}

/// What files of twins end in, behind the name of their page: those of the drafts before -03, and those of -03 beside them.
pub const TWIN_ENDS: [&str; 2] = [".llm.json", ".m.json"];

/// Whether an address is one that twins have: `/tea/llm/`, `/tea/m/`, `/api/llm/tea`, `tea.html.llm.json`.
fn is_of_twin(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    path.split('/').any(|step| matches!(step, "llm" | "m") || TWIN_ENDS.iter().any(|end| step.ends_with(end)))
}

/// The page without the `<link>` elements of this relation to JSON whose address is one of these, as it is written.
///
/// # Errors
/// [`PageError::Rewrite`] if the rewriter gives up.
pub fn without_links(html: &str, rel: &str, is_one: impl Fn(&str) -> bool) -> Result<String, PageError> {
    let selector = format!("link[rel={rel}][type='application/json'][href]");
    let handler = element!(selector, |link| {
        // As it is written: the address has an ampersand there.
        if link.get_attribute("href").is_some_and(|href| is_one(&href.replace("&amp;", "&"))) {
            link.remove();
        }
        Ok(())
    });
    rewrite(html, vec![handler])
}

/// The page with `pointer` as the first thing in its `<body>`; a page without a written `<body>` is left as it is.
///
/// # Errors
/// [`PageError::Rewrite`] if the rewriter gives up.
pub fn with_pointer(html: &str, pointer: &str) -> Result<String, PageError> {
    let (pointer, is_done) = (pointer.to_owned(), Cell::new(false));
    let handler = element!("body", move |body| {
        if !is_done.replace(true) {
            body.prepend(&pointer, ContentType::Html);
        }
        Ok(())
    });
    rewrite(html, vec![handler])
}

/// The offset behind the doctype and the tags `<html>` and `<head>` that a page may start with.
fn end_of_opening(html: &str) -> usize {
    let mut at = 0;
    for opening in ["<!doctype", "<html", "<head"] {
        let rest = html.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start_matches('\u{feff}').trim_start();
        let is_next = trimmed.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening));
        if let Some(end) = trimmed.find('>').filter(|_| is_next) {
            at += rest.len() - trimmed.len() + end + 1;
        }
    }
    at
}

/// The page with these handlers of `lol_html` run over it.
///
/// # Errors
/// [`PageError::Rewrite`] if the rewriter gives up.
pub fn rewrite<'h>(
    html: &str,
    handlers: Vec<(std::borrow::Cow<'_, lol_html::Selector>, lol_html::ElementContentHandlers<'h>)>,
) -> Result<String, PageError> {
    // Pages in which a text-only element stands where a parser might see it or not are rewritten as they seem.
    let settings = RewriteStrSettings::new().with_strict(false);
    let settings = handlers.into_iter().fold(settings, RewriteStrSettings::append_element_content_handler);
    rewrite_str(html, settings).map_err(|error| PageError::Rewrite(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = r#"<link rel="alternate" type="application/json" href="/llm/">"#;

    #[test]
    fn reads_the_main_part_and_drops_furniture() {
        let page = read(
            "<!doctype html><html lang=de><title> A &amp;\n B </title><meta property=article:modified_time content=2026-02-03>\
             <body><nav>Menu</nav><main><h1>Tea</h1><p>Two <b>cups</b>,\n  please.<p>&frac12; a pot\
             <script>var x = 1;</script></main><footer>End</footer>",
        )
        .unwrap();
        assert_eq!((page.title.as_str(), page.language.as_str()), ("Tea", "de"));
        assert_eq!(page.content, "Tea\n\nTwo cups, please.\n\n½ a pot");
        assert_eq!(page.modified, Some(UnixSeconds(1_770_076_800)));
    }

    #[test]
    fn links_of_the_markdown_are_the_pages_own() {
        let html = "<main><p>See <a href=tea.html>tea</a>, <a href=https://x.example/>elsewhere</a>.";
        let url = "https://quay.example/sub/".parse().unwrap();
        let there = read_at(html, &url).unwrap().markdown;
        assert_eq!(there, "See [tea](https://quay.example/sub/tea.html), [elsewhere](https://x.example/).");
        assert_eq!(read(html).unwrap().markdown, "See [tea](tea.html), [elsewhere](https://x.example/).");
    }

    #[test]
    fn a_page_without_text_is_an_error() {
        assert_eq!(read("<body><script>x</script>"), Err(PageError::NoText));
        assert_eq!(read(""), Err(PageError::NoText));
        assert_eq!(decode(b"a\xffb"), Err(PageError::NotUtf8 { at: 1 }));
    }

    #[test]
    fn the_link_goes_where_a_parser_sees_it_in_the_head() {
        for (html, expected) in [
            ("<html><head><title>x</title></head><body>", "<html><head><title>x</title>LINK</head><body>"),
            ("<!DOCTYPE html>\n<html lang=en><body>x", "<!DOCTYPE html>\n<html lang=en>LINK<body>x"),
            (
                "<!doctype html><head><title>x</title><body>",
                "<!doctype html><head>LINK<title>x</title><body>",
            ),
            ("just text", "LINKjust text"),
            (
                "<body><link rel=alternate type=application/json href=x>",
                "LINK<body><link rel=alternate type=application/json href=x>",
            ),
        ] {
            assert_eq!(with_alternate(html, LINK).unwrap(), expected.replace("LINK", LINK), "{html}");
        }
        let has = "<head><link rel='x ALTERNATE' type='Application/JSON' href=/m></head>";
        let other = "<head><link rel=alternate type=application/json href=https://e.example/wp-json/wp/v2/pages/2></head>";
        assert_eq!(with_alternate(other, LINK).unwrap(), other.replace("</head>", &format!("{LINK}</head>")));
        let has_lower = "<head><link type=application/json href=/m rel='alternate nofollow'></head>";
        assert_eq!(with_alternate(has_lower, LINK).unwrap(), has_lower);
        assert!(with_alternate(has, LINK).unwrap().contains("/m"));
    }
}
