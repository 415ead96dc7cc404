//! `<meta>` elements of a page, found without building a tree.

use alloc::string::String;
use alloc::vec::Vec;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::emitters::{Emitter, ForwardingEmitter};
use html5gum::{Span, State, Tokenizer};
use web_values::PageReader;

use crate::crawler::Crawler;
use crate::directives::Directives;

impl Directives {
    /// Adds the directives for `crawler` in the `<meta>` elements of a page.
    ///
    /// The bytes go through an HTML tokenizer once, `O(n)`: elements in comments, scripts, styles and templates do not
    /// count. Those in `<noscript>` count, as for every reader without scripts. Inside of SVG and MathML, tags follow the
    /// rules of those languages: a `<title/>` or `<style/>` of an image does not hide the rest of the page. The whole page
    /// is read, because a late `<meta>` counts too. Invalid UTF-8 is replaced; names and directives are ASCII, so every
    /// encoding that extends ASCII works.
    ///
    /// ```
    /// use robots::Directives;
    ///
    /// let mut directives = Directives::default();
    /// directives.add_html(b"<!-- <meta name=robots content=noai> --><meta content='noindex' NAME=robots>", "AIWebIndex");
    /// assert!(directives.has("noindex") && !directives.has("noai"));
    /// ```
    ///
    /// Spec: TCT-SEC-15.
    pub fn add_html<'c>(&mut self, html: &[u8], crawler: impl Into<Crawler<'c>>) {
        let crawler = crawler.into();
        for (name, content) in meta_elements(html) {
            self.add_meta(&name, &content, crawler);
        }
    }
}

/// A `<meta>` start tag that is being read.
#[derive(Default)]
struct Meta {
    name: Option<String>,
    content: Option<String>,
}

/// Name and content of every `<meta>` that has both, in the order of the page; of a repeated attribute the first counts.
///
/// Skips the same parts, at the same cost, as [`Directives::add_html`]. Names are as written.
#[must_use]
pub fn meta_elements(html: &[u8]) -> Vec<(String, String)> {
    let emitter = Emitting(CallbackEmitter::new(Walker::default()));
    // The only errors are interruptions.
    Tokenizer::new_with_emitter(PageReader::new(html), emitter).filter_map(Result::ok).collect()
}

/// The library's emitter, with what the tokenizer needs from the tree: how the text after a start tag is read, and
/// whether CDATA sections exist.
struct Emitting(CallbackEmitter<Walker, (String, String)>);

impl ForwardingEmitter for Emitting {
    type Token = (String, String);

    fn inner(&mut self) -> &mut impl Emitter<Token = Self::Token> {
        &mut self.0
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        // The library itself switches no states here.
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().next_state.take()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.0.callback_mut().is_foreign()
    }
}

/// An open element that decides how the tags inside of it are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// `<svg>`: foreign inside.
    Svg,
    /// `<math>`: foreign inside.
    Math,
    /// An element of SVG or MathML whose content is HTML.
    Html(&'static [u8]),
}

/// Elements of SVG and MathML that hold HTML or text.
const HTML_INSIDE: [&[u8]; 9] =
    [b"title", b"desc", b"foreignobject", b"annotation-xml", b"mi", b"mo", b"mn", b"ms", b"mtext"];

/// Start tags that end SVG and MathML wherever they occur.
const BREAKOUT: [&[u8]; 44] = [
    b"b",
    b"big",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"code",
    b"dd",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"hr",
    b"i",
    b"img",
    b"li",
    b"listing",
    b"menu",
    b"meta",
    b"nobr",
    b"ol",
    b"p",
    b"pre",
    b"ruby",
    b"s",
    b"small",
    b"span",
    b"strong",
    b"strike",
    b"sub",
    b"sup",
    b"table",
    b"tt",
    b"u",
    b"ul",
    b"var",
];

/// Open elements that are tracked; deeper ones are ignored. Real pages do not nest SVG and MathML this deep.
const MAX_OPEN: usize = 64;

/// Tracks the open elements that decide whether a `<meta>` element counts.
#[derive(Default)]
struct Walker {
    templates: u32,
    open: Vec<Open>,
    tag: Vec<u8>,
    meta: Option<Meta>,
    attribute: Option<&'static str>,
    next_state: Option<State>,
}

impl Walker {
    fn is_foreign(&self) -> bool {
        matches!(self.open.last(), Some(Open::Svg | Open::Math))
    }

    fn push(&mut self, open: Open) {
        if self.open.len() < MAX_OPEN {
            self.open.push(open);
        }
    }

    fn leave_foreign(&mut self) {
        while self.is_foreign() {
            self.open.pop();
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        if self.is_foreign() && BREAKOUT.contains(&name) {
            self.leave_foreign();
        }
        self.meta = (name == b"meta" && self.templates == 0).then(Meta::default);
        self.templates += u32::from(name == b"template" && !self.is_foreign());
        self.tag.clear();
        self.tag.extend_from_slice(name);
    }

    fn close_start_tag(&mut self, is_empty: bool) {
        let name = core::mem::take(&mut self.tag);
        let root = match &*name {
            b"svg" => Some(Open::Svg),
            b"math" => Some(Open::Math),
            _ => None,
        };
        if let Some(root) = root.filter(|_| !is_empty) {
            self.push(root);
        } else if self.is_foreign() {
            let inside = HTML_INSIDE.into_iter().find(|known| *known == name);
            if let Some(inside) = inside.filter(|_| !is_empty) {
                self.push(Open::Html(inside));
            }
        } else {
            self.next_state = match &*name {
                b"title" | b"textarea" => Some(State::RcData),
                b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
                b"script" => Some(State::ScriptData),
                b"plaintext" => Some(State::PlainText),
                _ => None,
            };
        }
        self.tag = name;
    }

    fn end_tag(&mut self, name: &[u8]) {
        if self.is_foreign() {
            if matches!(name, b"p" | b"br") {
                return self.leave_foreign();
            }
            let root = match name {
                b"svg" => Open::Svg,
                b"math" => Open::Math,
                b"template" if self.templates > 0 => {
                    self.templates -= 1;
                    return self.leave_foreign();
                }
                _ => return,
            };
            let from =
                self.open.iter().rposition(|open| matches!(open, Open::Html(_))).map_or(0, |at| at + 1);
            let inner = self.open.get(from..).unwrap_or_default();
            if let Some(at) = inner.iter().rposition(|open| *open == root) {
                self.open.truncate(from + at);
            }
        } else if self.open.last().is_some_and(|open| matches!(open, Open::Html(known) if *known == name)) {
            self.open.pop();
        } else {
            self.templates = self.templates.saturating_sub(u32::from(name == b"template"));
        }
    }
}

impl Callback<(String, String), ()> for Walker {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<(String, String)> {
        match event {
            CallbackEvent::OpenStartTag { name } => self.start_tag(name),
            CallbackEvent::AttributeName { name } => {
                self.attribute = match name {
                    b"name" => Some("name"),
                    b"content" => Some("content"),
                    _ => None,
                };
            }
            CallbackEvent::AttributeValue { value } => {
                let meta = self.meta.as_mut()?;
                let slot = match self.attribute? {
                    "name" => &mut meta.name,
                    _ => &mut meta.content,
                };
                slot.get_or_insert_with(|| String::from_utf8_lossy(value).into_owned());
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                self.close_start_tag(self_closing);
                let meta = self.meta.take()?;
                return Some((meta.name?, meta.content?));
            }
            CallbackEvent::EndTag { name } => self.end_tag(name),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_count() {
        for (html, expected) in [
            ("<meta name=robots content=noindex>", true),
            ("<META NAME='Robots' CONTENT=\"NOINDEX\"/>", true),
            ("<body><p>late<meta content=noindex name=robots>", true),
            ("<meta name=robots content='a&comma;noindex'>", true),
            ("<meta name=AIWebIndex content=noindex>", true),
            ("<meta name=robots name=x content=noindex>", true),
            ("<!-- <meta name=robots content=noindex> -->", false),
            ("<script>'<meta name=robots content=noindex>'</script>", false),
            ("<style><meta name=robots content=noindex></style>", false),
            ("<title><meta name=robots content=noindex></title>", false),
            ("<template><meta name=robots content=noindex></template>", false),
            ("<meta name=otherbot content=noindex>", false),
            ("<meta property=robots content=noindex>", false),
            ("<meta name=robots><p content=noindex>", false),
            ("<meta name=robots content=noindex", false),
            ("<noscript><meta name=robots content=noindex></noscript>", true),
            ("<head><noscript><style>x</style><meta name=robots content=noindex></noscript>", true),
            ("<svg><title/></svg><meta name=robots content=noindex>", true),
            ("<svg><title>x</title></svg><meta name=robots content=noindex>", true),
            ("<svg><title>x<meta name=robots content=noindex></title></svg>", true),
            ("<svg><style/><path></svg><meta name=robots content=noindex>", true),
            ("<svg><script/></svg><meta name=robots content=noindex>", true),
            ("<svg><g><meta name=robots content=noindex>", true),
            ("<svg><![CDATA[<meta name=robots content=noindex>]]></svg>", false),
            ("<svg></svg><![CDATA[><meta name=robots content=noindex>]]>", true),
            (
                "<svg><foreignObject><style><meta name=robots content=noindex></style></foreignObject></svg>",
                false,
            ),
            ("<svg/><style><meta name=robots content=noindex></style>", false),
            ("<svg></svg><title><meta name=robots content=noindex></title>", false),
            ("<math><mi><title><meta name=robots content=noindex></title></mi></math>", false),
            (
                "<math><annotation-xml><svg></math></svg></annotation-xml></math><style><meta name=robots content=noindex></style>",
                false,
            ),
            ("<svg><template></svg><meta name=robots content=noindex>", true),
            ("<template><svg></template><meta name=robots content=noindex>", true),
            ("<template><svg></svg><meta name=robots content=noindex></template>", false),
            ("<svg></p><style><meta name=robots content=noindex></style>", false),
            ("<noframes><meta name=robots content=noindex></noframes>", false),
            ("<script><!--<script></script><meta name=robots content=noindex>--></script>", false),
        ] {
            let mut directives = Directives::default();
            directives.add_html(html.as_bytes(), "AIWebIndex");
            assert_eq!(directives.has("noindex"), expected, "{html}");
        }
    }
}
