//! What stands between tokenizer and tree builder so that hostile pages stay linear.
//!
//! The algorithms of the HTML standard look through the stack of open elements, the list of active formatting
//! elements and the attributes of a tag again and again, so nesting, stray formatting and attributes cost their
//! square. Three bounds, none of which a page made by people reaches, remove that:
//!
//! 1. A start tag at [`MAX_DEPTH`] open elements is dropped together with its end tag; text between them stays.
//! 2. Formatting elements that the standard opens anew in every paragraph are closed for good after every
//!    [`SPARE_COPIES`] such copies.
//! 3. Attributes past [`MAX_ATTRIBUTES`] of one tag are cut from the text before the tokenizer sees them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{Tracer, TreeSink as _};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, TokenizerResult, local_name};

use super::sink::Sink;
use super::{MAX_ATTRIBUTES, MAX_DEPTH, NodeId, Tree};

/// Copies of formatting elements that a page may have before those that are open are closed for good.
const SPARE_COPIES: usize = 1024;

/// Elements that the standard opens again after a misnested end.
const FORMATTING: [LocalName; 14] = [
    local_name!("a"),
    local_name!("b"),
    local_name!("big"),
    local_name!("code"),
    local_name!("em"),
    local_name!("font"),
    local_name!("i"),
    local_name!("nobr"),
    local_name!("s"),
    local_name!("small"),
    local_name!("strike"),
    local_name!("strong"),
    local_name!("tt"),
    local_name!("u"),
];

/// Parses a page. With `scripting`, what `<noscript>` holds is one piece of text.
pub(super) fn parse(html: &str, scripting: bool) -> Tree {
    let options = TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() };
    let sink = Sink::new(html.len() / 24 + 16, scripting);
    let guard = Guard {
        builder: TreeBuilder::new(sink, options),
        depth: Cell::new(0),
        created_at_count: Cell::new(0),
        dirty: Cell::new(true),
        tags: Cell::new(0),
        copies_allowed: Cell::new(SPARE_COPIES),
        dropped: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    let input = BufferQueue::default();
    let html = cut_attributes(html);
    // A tendril counts its bytes in 32 bits; half of that a piece leaves it room to grow.
    for piece in pieces(&html, 1 << 30) {
        input.push_back(StrTendril::from_slice(piece));
        // No script runs and the encoding is known, so every pause is followed by going on.
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    }
    tokenizer.end();
    tokenizer.sink.builder.sink.finish()
}

fn pieces(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut end = rest.len().min(size);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, tail) = rest.split_at_checked(end)?;
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}

struct Guard {
    builder: TreeBuilder<NodeId, Sink>,
    /// Open elements when they were last counted.
    depth: Cell<usize>,
    /// Elements created when the open ones were last counted: the difference bounds what was opened since.
    created_at_count: Cell<usize>,
    /// Whether anything may have been closed since the count.
    dirty: Cell<bool>,
    /// Start tags so far.
    tags: Cell<usize>,
    copies_allowed: Cell<usize>,
    /// Names of the dropped start tags whose end tags have not been seen.
    dropped: RefCell<Vec<LocalName>>,
}

#[derive(Default)]
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = NodeId;
    fn trace_handle(&self, _node: &NodeId) {
        self.0.set(self.0.get() + 1);
    }
}

impl Guard {
    /// Whether so many elements are open that another start tag would be too many.
    fn is_full(&self) -> bool {
        let created = self.builder.sink.created.get();
        if self.depth.get() + (created - self.created_at_count.get()) < MAX_DEPTH {
            return false;
        }
        if self.dirty.replace(false) {
            let count = Count::default();
            self.builder.trace_handles(&count);
            self.depth.set(count.0.get());
            self.created_at_count.set(created);
        }
        self.depth.get() + (created - self.created_at_count.get()) >= MAX_DEPTH
    }

    fn drops_start(&self, tag: &TagToken) -> bool {
        let foreign = self.builder.adjusted_current_node_present_but_not_in_html_namespace();
        let opens = if foreign { !tag.self_closing } else { !keeps_depth(&tag.name) };
        let drops = opens && self.is_full();
        if drops {
            self.dropped.borrow_mut().push(tag.name.clone());
        }
        drops
    }

    /// Whether the end tag belongs to a dropped start tag, which is then forgotten with those inside it.
    fn drops_end(&self, name: &LocalName) -> bool {
        let mut dropped = self.dropped.borrow_mut();
        let near = dropped.len().saturating_sub(8);
        let found = dropped.get(near..).and_then(|names| names.iter().rposition(|known| known == name));
        if let Some(index) = found {
            dropped.truncate(near + index);
        }
        found.is_some()
    }

    /// Ends formatting elements that are opened again and again.
    fn end_formatting(&self, line: u64) {
        for name in FORMATTING {
            for _ in 0..MAX_DEPTH {
                let created = Count::default();
                self.builder.trace_handles(&created);
                let end = TagToken {
                    kind: TagKind::EndTag,
                    name: name.clone(),
                    self_closing: false,
                    attrs: Vec::new(),
                    had_duplicate_attributes: false,
                };
                let _: TokenSinkResult<NodeId> = self.builder.process_token(Token::TagToken(end), line);
                let left = Count::default();
                self.builder.trace_handles(&left);
                if left.0.get() >= created.0.get() {
                    break;
                }
            }
        }
        self.dirty.set(true);
    }
}

/// Tags that open nothing, or that the tokenizer must hear of.
fn keeps_depth(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("body")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("html")
            | local_name!("iframe")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("noscript")
            | local_name!("plaintext")
            | local_name!("script")
            | local_name!("source")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("track")
            | local_name!("wbr")
            | local_name!("xmp")
    )
}

impl TokenSink for Guard {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if let Token::TagToken(tag) = &token {
            match tag.kind {
                TagKind::StartTag => {
                    self.tags.set(self.tags.get() + 1);
                    let copies = self.builder.sink.created.get().saturating_sub(self.tags.get());
                    if copies > self.copies_allowed.get() {
                        self.end_formatting(line);
                        self.copies_allowed.set(copies + SPARE_COPIES);
                    }
                    if self.drops_start(tag) {
                        return TokenSinkResult::Continue;
                    }
                    self.dirty.set(true);
                }
                TagKind::EndTag => {
                    if self.drops_end(&tag.name) {
                        return TokenSinkResult::Continue;
                    }
                    self.dirty.set(true);
                }
            }
        }
        match self.builder.process_token(token, line) {
            // Nobody runs scripts or changes the encoding here.
            TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => TokenSinkResult::Continue,
            result => result,
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The page without the attributes of a tag that are too many.
///
/// Reads tags as the tokenizer does: a name, then attributes up to `>`, quoted values skipped. Comments and the
/// text of scripts, styles and the like are passed over: a `<` there starts no tag.
fn cut_attributes(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut kept: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'<', rest)) {
        let start = at + found;
        at = start + 1;
        if bytes.get(at..).is_some_and(|rest| rest.starts_with(b"!--")) {
            let end = bytes.get(start + 2..).and_then(|rest| memchr::memmem::find(rest, b"-->"));
            at = end.map_or(bytes.len(), |end| start + 2 + end + 3);
            continue;
        }
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let tag = scan_tag(bytes, at);
        if let Some(cut) = tag.cut
            && let Some(before) = html.get(copied..cut)
        {
            let kept = kept.get_or_insert_with(|| String::with_capacity(html.len()));
            kept.push_str(before);
            copied = tag.end;
        }
        at = raw_end(bytes, start + 1, tag.end);
    }
    match kept {
        None => Cow::Borrowed(html),
        Some(mut kept) => {
            kept.push_str(html.get(copied..).unwrap_or_default());
            Cow::Owned(kept)
        }
    }
}

/// Where reading goes on after a start tag: behind the text of an element that holds text alone.
fn raw_end(bytes: &[u8], name_start: usize, tag_end: usize) -> usize {
    let rest = bytes.get(name_start..tag_end).unwrap_or_default();
    let length = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
    let name = rest.get(..length).unwrap_or_default();
    let raw = [
        &b"script"[..],
        b"style",
        b"textarea",
        b"title",
        b"xmp",
        b"iframe",
        b"noembed",
        b"noframes",
        b"noscript",
    ];
    if !raw.iter().any(|raw| raw.eq_ignore_ascii_case(name)) {
        return tag_end;
    }
    let mut at = tag_end;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memmem::find(rest, b"</")) {
        at += found + 2;
        if bytes.get(at..at + length).is_some_and(|end| end.eq_ignore_ascii_case(name)) {
            return at + length;
        }
    }
    // Never closed: whatever follows is that element's text.
    bytes.len()
}

struct TagSpan {
    /// Where the tag's `>` stands, or the end of the input.
    end: usize,
    /// Where the attributes start that are too many.
    cut: Option<usize>,
}

fn scan_tag(bytes: &[u8], start: usize) -> TagSpan {
    // Most tags are short and have no room for that many attributes.
    if let Some(near) = bytes.get(start..(start + 2 * MAX_ATTRIBUTES).min(bytes.len()))
        && let Some(at) = memchr::memchr3(b'>', b'"', b'\'', near)
        && near.get(at) == Some(&b'>')
    {
        return TagSpan { end: start + at, cut: None };
    }
    let mut at = start;
    let mut count = 0;
    let mut cut = None;
    let mut in_name = true; // the tag's name, then an attribute's name or unquoted value
    let mut after_equals = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'>' => break,
            b'"' | b'\'' if after_equals => {
                let close = bytes.get(at + 1..).and_then(|rest| memchr::memchr(byte, rest));
                at = close.map_or(bytes.len(), |close| at + 1 + close);
                after_equals = false;
                in_name = false;
            }
            b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' => in_name = false,
            b'=' if !after_equals && (in_name || count > 0) => after_equals = true,
            _ => {
                if !in_name && !after_equals {
                    count += 1;
                    if count > MAX_ATTRIBUTES && cut.is_none() {
                        cut = Some(at);
                    }
                }
                in_name = true;
                after_equals = false;
            }
        }
        at += 1;
    }
    TagSpan { end: at.min(bytes.len()), cut }
}
