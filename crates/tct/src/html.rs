//! The `<link>` elements of a page's `<head>`.
//!
//! The tokenizer follows WHATWG; of the tree builder only the rule is needed whether a tag still belongs to the
//! head. The head ends at the first thing that a browser would move into the body: text, any element that a head
//! cannot hold, or the end of the document. Reading stops there, so the cost depends on the head alone.
//!
//! Not counted: links in comments, in `<template>`, in `<noscript>` (a page must offer its twin to everybody), inside
//! `<script>`, `<style>` and `<title>`, and in the body. The first `<base href>` applies to all links.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};
use url::Url;
use web_values::PageReader;

/// The links of a head, in order, and their base URL.
#[derive(Debug, Default)]
pub(crate) struct Head {
    base: Option<String>,
    pub(crate) links: Vec<HeadLink>,
}

/// A `<link>` element.
#[derive(Debug)]
pub(crate) struct HeadLink {
    pub(crate) rel: String,
    pub(crate) media_type: String,
    pub(crate) href: String,
}

impl Head {
    /// The URL that relative links are relative to, for a page at `page`.
    pub(crate) fn base(&self, page: &Url) -> Url {
        let base = self.base.as_deref().and_then(|base| page.join(base).ok());
        // As in HTML, a base that could run something is none.
        base.filter(|base| matches!(base.scheme(), "https" | "http")).unwrap_or_else(|| page.clone())
    }
}

/// Reads the head of a page. Bytes that are not UTF-8 are read as replacement characters.
pub(crate) fn read_head(html: &[u8]) -> Head {
    let html = html.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(html);
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut head = Head::default();
    let mut templates = 0_usize;
    // The element whose text is no markup, if the tokens come from inside one.
    let mut raw: Option<Vec<u8>> = None;
    for token in Tokenizer::new_with_emitter(PageReader::new(html), emitter).flatten() {
        match token {
            Token::EndTag(tag) if raw.as_deref() == Some(&tag.name[..]) => raw = None,
            _ if raw.is_some() => {}
            Token::StartTag(tag) => {
                let name: &[u8] = &tag.name;
                match name {
                    b"template" => templates += 1,
                    b"title" | b"script" | b"style" | b"noscript" | b"noframes" => raw = Some(name.to_vec()),
                    _ if templates > 0 => {}
                    b"link" => head.links.push(HeadLink::of(&tag)),
                    b"base" if head.base.is_none() => head.base = attribute(&tag, "href"),
                    b"html" | b"head" | b"meta" | b"base" | b"basefont" | b"bgsound" => {}
                    _ => return head,
                }
            }
            Token::EndTag(tag) => match &tag.name[..] {
                b"template" => templates = templates.saturating_sub(1),
                b"body" | b"html" | b"br" if templates == 0 => return head,
                _ => {}
            },
            Token::String(text) if templates == 0 && !text.value.iter().all(u8::is_ascii_whitespace) => {
                return head;
            }
            Token::String(_) | Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    head
}

impl HeadLink {
    fn of(tag: &StartTag<()>) -> Self {
        let text = |name| attribute(tag, name).unwrap_or_default();
        HeadLink { rel: text("rel"), media_type: text("type"), href: text("href") }
    }
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let value = tag.attributes.get(&HtmlString::from(name.as_bytes().to_vec()))?;
    Some(String::from_utf8_lossy(&value.value).trim_matches([' ', '\t', '\n', '\r', '\x0C']).to_owned())
}
