//! Markdown as two independent readers of CommonMark take it, and HTML as html5ever does: the blocks, the raw HTML, the
//! addresses. The fuzz target `aidocument_extract_markup` includes this file too.

use comrak::nodes::{AstNode, NodeValue};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use pulldown_cmark::{Event, Parser, Tag};

/// Schemes that an address may have; one without a scheme is relative.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// What was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    /// The blocks, each with its own in parentheses.
    pub(crate) blocks: String,
    /// Addresses of links and images.
    pub(crate) addresses: Vec<String>,
    /// Raw HTML; of a page, what clean HTML does not have.
    pub(crate) raw: Vec<String>,
}

impl Read {
    /// What no content of ours may have: markup of the page's, an address that runs or embeds something.
    pub(crate) fn fault(&self) -> Option<String> {
        if let Some(raw) = self.raw.first() {
            return Some(format!("raw HTML {raw:?}"));
        }
        let odd = self.addresses.iter().find(|address| !is_allowed(address))?;
        Some(format!("address {odd:?}"))
    }
}

/// Every reading of a Markdown text: two readers, each by CommonMark alone and with what else we write.
pub(crate) fn markdown(text: &str) -> [(&'static str, Read); 4] {
    [
        ("pulldown-cmark", pulldown(text, pulldown_cmark::Options::empty())),
        ("pulldown-cmark, extended", pulldown(text, EXTENDED)),
        ("comrak", comrak(text, false)),
        ("comrak, extended", comrak(text, true)),
    ]
}

const EXTENDED: pulldown_cmark::Options = pulldown_cmark::Options::ENABLE_TABLES
    .union(pulldown_cmark::Options::ENABLE_FOOTNOTES)
    .union(pulldown_cmark::Options::ENABLE_STRIKETHROUGH)
    .union(pulldown_cmark::Options::ENABLE_TASKLISTS)
    .union(pulldown_cmark::Options::ENABLE_MATH);

/// Whether browsers would read the address as relative, or as one of a scheme that is allowed.
fn is_allowed(address: &str) -> bool {
    let trimmed = address.trim_start_matches(|c: char| c <= ' ');
    let bare: String = trimmed.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let Some((scheme, _)) = bare.split_once(':') else { return true };
    let mut letters = scheme.bytes();
    let is_scheme = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    !is_scheme || SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

fn pulldown(text: &str, options: pulldown_cmark::Options) -> Read {
    let mut read = Read::default();
    // For each tag that is open, whether it is a block.
    let mut open = Vec::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag) => {
                let name = match &tag {
                    Tag::Paragraph => "p",
                    Tag::Heading { .. } => "heading",
                    Tag::BlockQuote(_) => "quote",
                    Tag::CodeBlock(_) => "code",
                    Tag::HtmlBlock => "html",
                    Tag::List(_) => "list",
                    Tag::Item => "item",
                    Tag::FootnoteDefinition(_) => "note",
                    Tag::Table(_) => "table",
                    Tag::TableHead | Tag::TableRow => "row",
                    Tag::TableCell => "cell",
                    Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                        read.addresses.push(dest_url.to_string());
                        ""
                    }
                    Tag::Emphasis | Tag::Strong | Tag::Strikethrough => "",
                    _ => "other",
                };
                if !name.is_empty() {
                    read.blocks.push_str(name);
                    read.blocks.push('(');
                }
                open.push(!name.is_empty());
            }
            Event::End(_) => {
                let is_block = open.pop() == Some(true);
                read.blocks.push_str(if is_block { ")" } else { "" });
            }
            Event::Html(raw) | Event::InlineHtml(raw) => read.raw.push(raw.to_string()),
            Event::Rule => read.blocks.push_str("rule()"),
            _ => {}
        }
    }
    read
}

fn comrak(text: &str, extended: bool) -> Read {
    let mut options = comrak::Options::default();
    if extended {
        options.extension.table = true;
        options.extension.footnotes = true;
        options.extension.strikethrough = true;
        options.extension.tasklist = true;
        options.extension.math_dollars = true;
    }
    let arena = comrak::Arena::new();
    let root = comrak::parse_document(&arena, text, &options);
    let mut read = Read::default();
    comrak_node(root, &mut read);
    read
}

fn comrak_node<'a>(node: &'a AstNode<'a>, read: &mut Read) {
    for edge in node.traverse() {
        let (node, starts) = match edge {
            comrak::arena_tree::NodeEdge::Start(node) => (node, true),
            comrak::arena_tree::NodeEdge::End(node) => (node, false),
        };
        let data = node.data.borrow();
        let name = match &data.value {
            NodeValue::Document => continue,
            NodeValue::Paragraph => "p",
            NodeValue::Heading(_) => "heading",
            NodeValue::BlockQuote => "quote",
            NodeValue::CodeBlock(_) => "code",
            NodeValue::List(_) => "list",
            NodeValue::Item(_) | NodeValue::TaskItem(_) => "item",
            NodeValue::FootnoteDefinition(_) => "note",
            NodeValue::Table(_) => "table",
            NodeValue::TableRow(_) => "row",
            NodeValue::TableCell => "cell",
            NodeValue::ThematicBreak => "rule",
            NodeValue::HtmlBlock(_) | NodeValue::HtmlInline(_) | NodeValue::Raw(_) if starts => {
                read.raw.push(format!("{:?}", data.value));
                continue;
            }
            NodeValue::Link(link) | NodeValue::Image(link) if starts => {
                read.addresses.push(link.url.clone());
                continue;
            }
            value if value.block() => "other",
            _ => continue,
        };
        if starts {
            read.blocks.push_str(name);
            read.blocks.push('(');
        } else {
            read.blocks.push(')');
        }
    }
}

/// Elements of clean HTML, with the attributes that they may have.
const ELEMENTS: [(&str, &[&str]); 54] = [
    ("a", &["href"]),
    ("abbr", &["title"]),
    ("article", &[]),
    ("b", &[]),
    ("blockquote", &[]),
    ("br", &[]),
    ("caption", &[]),
    ("cite", &[]),
    ("code", &[]),
    ("dd", &[]),
    ("del", &[]),
    ("details", &[]),
    ("div", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("em", &[]),
    ("figcaption", &[]),
    ("figure", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("hr", &[]),
    ("i", &[]),
    ("img", &["src", "alt"]),
    ("ins", &[]),
    ("kbd", &[]),
    ("li", &[]),
    ("main", &[]),
    ("mark", &[]),
    ("ol", &["start"]),
    ("p", &[]),
    ("pre", &[]),
    ("q", &[]),
    ("s", &[]),
    ("samp", &[]),
    ("section", &[]),
    ("small", &[]),
    ("strong", &[]),
    ("sub", &[]),
    ("summary", &[]),
    ("sup", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &["colspan", "rowspan"]),
    ("tfoot", &[]),
    ("th", &["colspan", "rowspan"]),
    ("thead", &[]),
    ("time", &["datetime"]),
    ("tr", &[]),
    ("u", &[]),
    ("ul", &[]),
];

/// Clean HTML as a browser reads it.
pub(crate) fn html(text: &str) -> Read {
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(text);
    let mut read = Read::default();
    let mut stack: Vec<(Handle, bool)> = vec![(dom.document.clone(), true)];
    while let Some((node, starts)) = stack.pop() {
        if !starts {
            read.blocks.push(')');
            continue;
        }
        let mut has_end = false;
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let tag = &*name.local;
                let known = ELEMENTS.iter().find(|(known, _)| *known == tag);
                if let Some((_, allowed)) = known {
                    read.blocks.push_str(tag);
                    read.blocks.push('(');
                    has_end = true;
                    for attribute in attrs.borrow().iter() {
                        let name = &*attribute.name.local;
                        if !allowed.contains(&name) {
                            read.raw.push(format!("<{tag} {name}={}>", attribute.value));
                        }
                        if matches!(name, "href" | "src") {
                            read.addresses.push(attribute.value.to_string());
                        }
                    }
                } else if !matches!(tag, "html" | "head" | "body") || !attrs.borrow().is_empty() {
                    read.raw.push(format!("<{tag}>"));
                }
            }
            NodeData::Comment { contents } => read.raw.push(format!("<!--{contents}-->")),
            NodeData::Doctype { .. } | NodeData::ProcessingInstruction { .. } => {
                read.raw.push("<!>".to_owned());
            }
            NodeData::Document | NodeData::Text { .. } => {}
        }
        if has_end {
            stack.push((node.clone(), false));
        }
        stack.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), true)));
    }
    read
}

/// The elements of clean HTML as they are written, one in another.
pub(crate) fn tags(text: &str) -> String {
    let mut out = String::new();
    for part in text.split('<').skip(1) {
        let name: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '/').collect();
        match name.strip_prefix('/') {
            Some(_) => out.push(')'),
            None => {
                out.push_str(&name);
                out.push_str(if matches!(&*name, "br" | "hr" | "img") { "()" } else { "(" });
            }
        }
    }
    out
}
