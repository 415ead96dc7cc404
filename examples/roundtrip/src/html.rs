//! HTML in and out: what a page says, the link that leads to its machine-readable twin, and edits for the demonstration.
//!
//! Reading builds a tree and walks it once, without recursion; writing streams. Both take time in proportion to the
//! page. Nothing here knows the protocol.

use std::cell::Cell;
use std::rc::Rc;

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use scraper::node::Node;
use scraper::{Html, Selector};

/// What a page says, without its furniture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// The text of `<title>`.
    pub title: String,
    /// The blocks of the main part, in order.
    pub blocks: Vec<Block>,
}

/// A piece of a page's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A paragraph, a heading, a list item, a table row, …
    Text(String),
    /// An image, by its alternative text.
    Image(String),
}

/// Why a page was passed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// The bytes are no UTF-8.
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
}

/// The page as text.
///
/// # Errors
/// [`PageError::NotUtf8`] where the bytes are no UTF-8.
pub fn decode(html: &[u8]) -> Result<&str, PageError> {
    std::str::from_utf8(html).map_err(|error| PageError::NotUtf8 { at: error.valid_up_to() })
}

/// Reads title and text of a page: of its `<main>`, else of its only `<article>`, else of its `<body>`.
///
/// # Errors
/// [`PageError::NoText`] where no letter is left when the furniture (navigation, scripts, forms, …) is gone.
pub fn read(html: &str) -> Result<PageText, PageError> {
    let tree = Html::parse_document(html);
    let title =
        first(&tree, "title").map(|title| one_line(&title.text().collect::<String>())).unwrap_or_default();
    let root =
        first(&tree, "main, [role=main]").or_else(|| only(&tree, "article")).or_else(|| first(&tree, "body"));
    let blocks = root.map(|root| blocks(*root)).unwrap_or_default();
    if !blocks.iter().any(|block| matches!(block, Block::Text(_))) {
        return Err(PageError::NoText);
    }
    Ok(PageText { title, blocks })
}

fn first<'a>(tree: &'a Html, selector: &str) -> Option<scraper::ElementRef<'a>> {
    tree.select(&Selector::parse(selector).ok()?).next()
}

fn only<'a>(tree: &'a Html, selector: &str) -> Option<scraper::ElementRef<'a>> {
    let selector = Selector::parse(selector).ok()?;
    let mut found = tree.select(&selector);
    let one = found.next()?;
    found.next().is_none().then_some(one)
}

/// The text below a node, block by block in document order.
fn blocks(root: ego_tree::NodeRef<'_, Node>) -> Vec<Block> {
    use ego_tree::iter::Edge;
    let (mut blocks, mut block) = (Vec::new(), String::new());
    let (mut furniture, mut preformatted) = (None, None);
    for edge in root.traverse() {
        let (Edge::Open(node) | Edge::Close(node)) = edge;
        let opens = matches!(edge, Edge::Open(_));
        if furniture.is_some() {
            if !opens && furniture == Some(node.id()) {
                furniture = None;
            }
            continue;
        }
        match node.value() {
            Node::Text(text) if opens && preformatted.is_some() => block.push_str(text),
            Node::Text(text) if opens => push_collapsed(&mut block, text),
            Node::Element(element) => {
                let name = element.name();
                if opens && is_furniture(name) {
                    furniture = Some(node.id());
                } else if is_block(name) {
                    finish(&mut blocks, &mut block);
                    match name {
                        "pre" if opens && preformatted.is_none() => preformatted = Some(node.id()),
                        "pre" if preformatted == Some(node.id()) => preformatted = None,
                        _ => {}
                    }
                } else if opens && name == "br" {
                    block.push('\n');
                } else if !opens && matches!(name, "td" | "th") {
                    block.push('\t');
                } else if let Some(alt) =
                    element.attr("alt").filter(|alt| opens && name == "img" && !alt.is_empty())
                {
                    finish(&mut blocks, &mut block);
                    blocks.push(Block::Image(one_line(alt)));
                }
            }
            _ => {}
        }
    }
    finish(&mut blocks, &mut block);
    blocks
}

fn finish(blocks: &mut Vec<Block>, block: &mut String) {
    let text = block.trim_matches(|c: char| c.is_whitespace());
    if !text.is_empty() {
        blocks.push(Block::Text(text.to_owned()));
    }
    block.clear();
}

fn push_collapsed(block: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            ' ' | '\t' | '\n' | '\r' | '\u{c}' => {
                if !block.is_empty() && !block.ends_with([' ', '\n', '\t']) {
                    block.push(' ');
                }
            }
            c => block.push(c),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Elements that belong to the template, to scripts or to forms.
fn is_furniture(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "template"
            | "noscript"
            | "nav"
            | "aside"
            | "footer"
            | "form"
            | "button"
            | "select"
            | "svg"
            | "iframe"
            | "object"
            | "canvas"
            | "head"
    )
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "blockquote"
            | "body"
            | "caption"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hr"
            | "li"
            | "main"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "tfoot"
            | "thead"
            | "tr"
            | "ul"
    )
}

/// The page with `link` as the last element of its `<head>`, or as it is where its head has such a link already.
///
/// A page without a written `<head>` gets the link behind `<html>` or in front of everything but the doctype, where
/// a parser opens the head by itself.
///
/// # Errors
/// [`PageError::Rewrite`] where the rewriter gives up.
pub fn with_alternate(html: &str, link: &str) -> Result<String, PageError> {
    let has_link = Rc::new(Cell::new(false));
    let has_head = Rc::new(Cell::new(false));
    let written = {
        let (seen, head, link) = (Rc::clone(&has_link), Rc::clone(&has_head), link.to_owned());
        let at_end = Rc::clone(&has_link);
        rewrite(
            html,
            vec![
                element!("head link[rel~=alternate][type='application/json' i]", move |_| {
                    seen.set(true);
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

/// The page with `paragraph` in its text: an author's edit.
///
/// Several places are tried, from the most natural one; the first where the page's text changes is taken. `None`
/// where there is no such place.
pub fn with_paragraph(html: &str, paragraph: &str) -> Option<String> {
    let before = read(html).ok()?;
    ["main p", "article p", "main h1", "main", "article", "body"].into_iter().find_map(|place| {
        let done = Rc::new(Cell::new(false));
        let edit = element!(place, |element| {
            if !done.replace(true) {
                match element.can_have_content() && !matches!(place, "main p" | "article p" | "main h1") {
                    true => element.prepend(paragraph, ContentType::Html),
                    false => element.before(paragraph, ContentType::Html),
                }
            }
            Ok(())
        });
        let edited = rewrite(html, vec![edit]).ok()?;
        let after = read(&edited).ok()?;
        (after.blocks != before.blocks).then_some(edited)
    })
}

/// The page in a new template: another style sheet, a class on `<body>`, a row of links more, a comment at the end.
///
/// # Errors
/// [`PageError::Rewrite`] where the rewriter gives up.
pub fn with_new_look(html: &str) -> Result<String, PageError> {
    const STYLE: &str =
        "<style>body{--accent:#7a3b1d;letter-spacing:.01em}.season{display:flex;gap:1rem}</style>";
    const LINKS: &str = "<nav class=\"season\" aria-label=\"Season\"><a href=\"/\">Winter issue</a> \
                         <a href=\"/about.html\">Subscribe</a></nav>";
    let mut written = rewrite(
        html,
        vec![element!("body", |body| {
            body.set_attribute("data-look", "winter")?;
            body.prepend(&format!("{STYLE}{LINKS}"), ContentType::Html);
            Ok(())
        })],
    )?;
    written.push_str("<!-- rendered by template 2 -->\n");
    Ok(written)
}

fn rewrite<'h>(
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
    fn reads_blocks_and_drops_furniture() {
        let page = read(
            "<!doctype html><title> A &amp;\n B </title><body><nav>Menu</nav><main><h1>Tea</h1>\
             <p>Two <b>cups</b>,\n  please.<p>&frac12; a pot<br>or more<pre>a\n  b</pre>\
             <table><tr><th>x</th><td>1</td></tr></table><img alt='A cup' src=c.svg><img alt='' src=d.svg>\
             <script>var x = 1;</script><aside>Related</aside></main><footer>End</footer>",
        )
        .unwrap();
        assert_eq!(page.title, "A & B");
        let text = |text: &str| Block::Text(text.to_owned());
        let expected = ["Tea", "Two cups, please.", "½ a pot\nor more", "a\n  b", "x\t1"]
            .map(text)
            .into_iter()
            .chain([Block::Image("A cup".to_owned())]);
        assert_eq!(page.blocks, expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_page_without_text_is_an_error() {
        assert_eq!(read("<body><nav>Menu</nav><script>x</script>"), Err(PageError::NoText));
        assert_eq!(read(""), Err(PageError::NoText));
        assert_eq!(decode(b"a\xffb"), Err(PageError::NotUtf8 { at: 1 }));
    }

    #[test]
    fn reading_huge_pages_takes_linear_time() {
        // Deep, wide and unclosed: none may take more than a moment.
        let deep = "<div>".repeat(20_000) + "x";
        let wide = "<p>word <b>bold</b> &amp; more".repeat(50_000);
        let open = format!("<body>{}", "<span>a".repeat(20_000));
        for html in [deep, wide, open] {
            assert!(read(&html).is_ok());
        }
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
        let has_lower = "<head><link type=application/json href=/m rel='alternate nofollow'></head>";
        assert_eq!(with_alternate(has_lower, LINK).unwrap(), has_lower);
        assert!(with_alternate(has, LINK).unwrap().contains("/m"));
    }

    #[test]
    fn edits_change_what_they_say_they_change() {
        let html = "<head><title>t</title></head><body><main><h1>h</h1><p>first</main></body>";
        let before = read(html).unwrap();
        let edited = with_paragraph(html, "<p>A correction.</p>").unwrap();
        assert!(read(&edited).unwrap().blocks.contains(&Block::Text("A correction.".to_owned())));
        let new_look = with_new_look(html).unwrap();
        assert_ne!(new_look, html);
        assert_eq!(read(&new_look).unwrap(), before);
        assert_eq!(with_paragraph("<body><nav>x</nav>", "<p>A correction.</p>"), None);
    }
}
