//! What the tokenizer `html5gum` needs from the tree, without one.

use alloc::vec::Vec;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::emitters::{Emitter, ForwardingEmitter};
use html5gum::{Span, State, Tokenizer};

use super::PageReader;

/// What `on` makes of the page's tokens, in order; it is told whether they are inside of a `<template>`.
///
/// The bytes go through the tokenizer once, `O(n)`. Comments are no elements, and the text of scripts, styles and titles is
/// text. Inside of SVG and MathML, tags follow the rules of those languages: a `<title/>` or `<style/>` of an image does not
/// hide the rest of the page.
///
/// ```
/// use html5gum::emitters::callback::CallbackEvent;
/// use web_values::read_page;
///
/// let page = b"<svg><style/></svg><template><p></template><meta><title><a></title>";
/// let names = read_page(page, |event, in_template| match event {
///     CallbackEvent::OpenStartTag { name } if !in_template => Some(name.to_vec()),
///     _ => None,
/// });
/// assert_eq!(names, [&b"svg"[..], b"style", b"template", b"meta", b"title"]);
/// ```
#[must_use]
pub fn read_page<T>(html: &[u8], on: impl FnMut(CallbackEvent<'_>, bool) -> Option<T>) -> Vec<T> {
    let walker = Walker { on, templates: 0, open: Vec::new(), tag: Vec::new(), next_state: None };
    // The only errors are interruptions.
    Tokenizer::new_with_emitter(PageReader::new(html), Emitting(CallbackEmitter::new(walker)))
        .filter_map(Result::ok)
        .collect()
}

/// The library's emitter, with what the tokenizer needs from the tree: how the text after a start tag is read, and
/// whether CDATA sections exist.
struct Emitting<F, T>(CallbackEmitter<Walker<F>, T>)
where
    Walker<F>: Callback<T, ()>;

impl<T, F> ForwardingEmitter for Emitting<F, T>
where
    Walker<F>: Callback<T, ()>,
{
    type Token = T;

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

/// Tracks the open elements that decide how tags are read.
struct Walker<F> {
    on: F,
    templates: u32,
    open: Vec<Open>,
    tag: Vec<u8>,
    next_state: Option<State>,
}

impl<F> Walker<F> {
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
        // Its own start tag is outside.
        self.templates += u32::from(name == *b"template" && !self.is_foreign());
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

impl<T, F: FnMut(CallbackEvent<'_>, bool) -> Option<T>> Callback<T, ()> for Walker<F> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<T> {
        let in_template = self.templates > 0;
        match event {
            CallbackEvent::OpenStartTag { name } => self.start_tag(name),
            CallbackEvent::CloseStartTag { self_closing } => self.close_start_tag(self_closing),
            CallbackEvent::EndTag { name } => self.end_tag(name),
            _ => {}
        }
        (self.on)(event, in_template)
    }
}
