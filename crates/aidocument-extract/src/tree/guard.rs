//! A guard between tokenizer and tree builder that keeps hostile pages linear.
//!
//! The algorithms of the HTML standard search the stack of open elements, the list of active formatting
//! elements and the attributes of a tag repeatedly, so nesting, stray formatting and attributes take quadratic
//! time. Three bounds, which real pages do not reach, prevent that:
//!
//! 1. A start tag at [`MAX_DEPTH`] open elements is dropped together with its end tag; text between them stays.
//! 2. Formatting elements that the standard opens anew in every paragraph are closed for good after every
//!    [`SPARE_COPIES`] such copies, or fewer where their attributes are long.
//! 3. Attributes past [`MAX_ATTRIBUTES`](super::MAX_ATTRIBUTES) of one tag are dropped by the tokenizer.

use std::cell::{Cell, RefCell};

use html5ever::interface::{Tracer, TreeSink as _};
use html5ever::tokenizer::{Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};

use super::sink::{Handle, Sink};
use super::tokenizer::{self, Scripts};
use super::{MAX_DEPTH, Tree};

/// Copies of formatting elements that a page may have before those that are open are closed for good.
const SPARE_COPIES: usize = 1024;

/// The most bytes that the copies' attributes may have together, if each is as long as the longest.
const SPARE_BYTES: usize = 1 << 20;

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
pub(super) fn parse(html: &str, scripting: bool, scripts: Scripts) -> Tree {
    let options = TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() };
    let sink = Sink::new(html.len() / 48 + 16, scripting);
    let guard = Guard {
        builder: TreeBuilder::new(sink, options),
        depth: Cell::new(0),
        created_at_count: Cell::new(0),
        dirty: Cell::new(true),
        tags: Cell::new(0),
        copies_allowed: Cell::new(SPARE_COPIES),
        spare_copies: Cell::new(SPARE_COPIES),
        dropped: RefCell::default(),
    };
    tokenizer::run(html, &guard, &guard.builder.sink.room, scripts);
    guard.builder.sink.finish()
}

struct Guard {
    builder: TreeBuilder<Handle, Sink>,
    /// Open elements when they were last counted.
    depth: Cell<usize>,
    /// Elements created when the open ones were last counted; the difference bounds the number opened
    /// since.
    created_at_count: Cell<usize>,
    /// Whether anything may have been closed since the count.
    dirty: Cell<bool>,
    /// Start tags so far.
    tags: Cell<usize>,
    copies_allowed: Cell<usize>,
    /// How many copies are allowed between two times that formatting is closed.
    spare_copies: Cell<usize>,
    /// Names of the dropped start tags whose end tags have not been seen.
    dropped: RefCell<Vec<LocalName>>,
}

#[derive(Default)]
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;
    fn trace_handle(&self, _node: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl Guard {
    /// An upper bound of the number of open elements.
    fn open_at_most(&self) -> usize {
        self.depth.get() + (self.builder.sink.created.get() - self.created_at_count.get())
    }

    /// Returns true if another start tag would exceed the depth limit.
    fn is_full(&self) -> bool {
        if self.open_at_most() >= MAX_DEPTH && self.dirty.replace(false) {
            let count = Count::default();
            self.builder.trace_handles(&count);
            self.depth.set(count.0.get());
            self.created_at_count.set(self.builder.sink.created.get());
        }
        self.open_at_most() >= MAX_DEPTH
    }

    fn drops_start(&self, tag: &TagToken) -> bool {
        if self.open_at_most() < MAX_DEPTH {
            return false;
        }
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
                let _: TokenSinkResult<Handle> = self.builder.process_token(Token::TagToken(end), line);
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

/// Tags that open no element, or that the tokenizer has to see.
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
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::TagToken(tag) = &token {
            match tag.kind {
                TagKind::StartTag => {
                    self.tags.set(self.tags.get() + 1);
                    let copies = self.builder.sink.created.get().saturating_sub(self.tags.get());
                    if copies > self.copies_allowed.get() {
                        self.end_formatting(line);
                        self.spare_copies.set(SPARE_COPIES);
                        self.copies_allowed.set(copies + SPARE_COPIES);
                    }
                    let bytes: usize = tag.attrs.iter().map(|attr| attr.value.len()).sum();
                    let spare = SPARE_BYTES / bytes.max(1);
                    if spare < self.spare_copies.get() && FORMATTING.contains(&tag.name) {
                        self.spare_copies.set(spare);
                        self.copies_allowed.set(self.copies_allowed.get().min(copies + spare));
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
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NodeId;

    fn depth_of(tree: &Tree, id: NodeId) -> usize {
        tree.ancestors(id).filter(|&around| tree.is_element(around)).count()
    }

    /// How deep the text `x` lies, and the elements of a name.
    fn text_and_count(html: &str, name: &str) -> (usize, usize) {
        let tree = Tree::parse(html);
        let text = tree.descendants(Tree::ROOT).find(|&id| tree.text(id) == Some("x")).unwrap();
        (depth_of(&tree, text), tree.descendants(Tree::ROOT).filter(|&id| tree.name(id) == name).count())
    }

    #[test]
    fn elements_beyond_the_depth_are_dropped_and_their_text_stays() {
        // <html> and <body> are open besides, and the bound may count a few that are kept for insertion.
        let open = |count: usize| text_and_count(&format!("{}x", "<div>".repeat(count)), "div");
        let (deepest, most) = open(MAX_DEPTH * 2);
        assert_eq!(deepest, most + 2);
        assert!((MAX_DEPTH - 8..=MAX_DEPTH).contains(&deepest), "{deepest}");
        assert_eq!(open(most), (deepest, most));
        assert_eq!(open(most - 1), (deepest - 1, most - 1));
        assert_eq!(open(most + 1), (deepest, most));
        // Elements that were closed again do not count; where all are counted, what the page has open besides does.
        let closed = format!("{}{}<i>x", "<p>a</p>".repeat(MAX_DEPTH * 2), "<div>".repeat(most - 2));
        assert_eq!(text_and_count(&closed, "i"), (deepest - 1, 1));
        let mixed = text_and_count(&format!("{}<br>x", "<div><p>a</p>".repeat(most)), "div");
        assert!((deepest - 2..=deepest).contains(&mixed.0) && mixed.0 == mixed.1 + 2, "{mixed:?}");
        // What opens nothing stays at any depth; of foreign elements, what closes itself.
        assert_eq!(text_and_count(&format!("{}<br><img>x", "<div>".repeat(most + 9)), "br").1, 1);
        let foreign = |inner: &str| format!("{}<svg>{inner}</svg>x", "<div>".repeat(most - 1));
        assert_eq!(text_and_count(&foreign("<path/><path/>"), "path").1, 2);
        assert_eq!(text_and_count(&foreign("<g></g>"), "g").1, 0);
    }

    #[test]
    fn the_end_of_what_was_dropped_ends_nothing_else() {
        let most = text_and_count(&format!("{}x", "<div>".repeat(MAX_DEPTH * 2)), "div").1;
        let depth = |inner: &str| text_and_count(&format!("{}{inner}x", "<div>".repeat(most)), "div").0;
        let full = depth("");
        for inner in
            ["<div></div>", "<div><div></div></div>", "<div><b></div>", "<b><div></b>", "<div><b></b></div>"]
        {
            assert_eq!(depth(inner), full, "{inner}");
        }
        assert_eq!(depth("</div>"), full - 1);
        assert_eq!(depth("<div></div></div>"), full - 1);
        assert_eq!(depth("<div><b></div></div>"), full - 1);
        // Of those that are open, the last eight are asked.
        assert_eq!(depth(&format!("<p>{}</p>", "<b>".repeat(7))), full);
        assert_eq!(depth(&format!("<i>{}</i></div>", "<b>".repeat(7))), full - 1);
    }

    #[test]
    fn copies_of_formatting_end_at_their_number() {
        let copies = |paragraphs: usize| {
            let page = format!("<p><b>{}<p>x", "<p>a".repeat(paragraphs - 1));
            text_and_count(&page, "b")
        };
        // The first is no copy.
        assert_eq!(copies(SPARE_COPIES - 8), (4, SPARE_COPIES - 7));
        let (depth, count) = copies(SPARE_COPIES * 3);
        assert_eq!(depth, 3);
        assert!((SPARE_COPIES..SPARE_COPIES + 8).contains(&count), "{count}");
        // Fewer of long ones.
        let long = format!("<p><b title=\"{}\">{}<p>x", "a ".repeat(SPARE_BYTES / 8), "<p>a".repeat(100));
        assert_eq!(text_and_count(&long, "b"), (3, 6));
        // Another one after it has as many.
        let page = format!("<p><b>{0}<p><i>{0}<p>x", "<p>a".repeat(SPARE_COPIES * 2));
        let (_, second) = text_and_count(&page, "i");
        assert!((SPARE_COPIES..SPARE_COPIES + 8).contains(&second), "{second}");
    }
}
