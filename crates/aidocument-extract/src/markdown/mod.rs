//! The tree, or the chosen part of it, as CommonMark with GFM's tables, strikethrough and task lists, and as plain
//! text.
//!
//! One walk in document order writes both. Inline text is collected in [`inline::Inline`] and written at the next block boundary,
//! each line after the prefixes of the quotes and list items around it. No raw HTML is written. Nesting past
//! [`MAX_NESTING`](lines::MAX_NESTING) is written flat, and past half of the output's allowance prefixes and links are left out,
//! so hostile input cannot make the output much larger.

mod code;
mod delimiter;
mod escape;
mod inline;
mod lines;
mod links;
mod list;
mod notes;
mod span;
mod table;
mod text;

use url::Url;

use crate::caption;
use crate::code::{Code, boxes, declaration};
use crate::content::Selection;
use crate::embed;
use crate::image;
use crate::structure::notes::Role;
use crate::structure::roles::is_separator;
use crate::structure::{Structure, noise, tables};
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::is_unseen;
use inline::{Inline, Mark};
use lines::Container;
use list::{List, is_list};

/// What to leave out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) images: bool,
    pub(crate) tables: bool,
    pub(crate) links: bool,
    /// Write the value of a cell into each that it spans.
    pub(crate) repeat_spans: bool,
}

/// Markdown and plain text of the same content.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) markdown: String,
    pub(crate) text: String,
}

/// Writes the selection. Targets of links and images are resolved against `base` if there is one; `own` are the
/// addresses of the page.
pub(crate) fn write(
    tree: &Tree,
    structure: &Structure,
    selection: &Selection,
    base: Option<&Url>,
    own: &[&str],
    style: Style,
    input_len: usize,
) -> Written {
    let mut writer = Writer {
        tree,
        structure,
        selection,
        base,
        own,
        style,
        allowance: input_len.saturating_add(250_000),
        // A quarter of a page is text, roughly; what is longer grows.
        out: Written {
            markdown: String::with_capacity(input_len / 4),
            text: String::with_capacity(input_len / 4),
        },
        inline: Inline::new(selection.is_whole()),
        containers: Vec::new(),
        lists: Vec::new(),
        closed_list: None,
        waiting: Vec::new(),
        open_links: Vec::new(),
        heading: None,
        heading_written: false,
        separate: false,
        after_table: false,
        bare: false,
    };
    writer.run(Tree::ROOT);
    writer.out.markdown.truncate(writer.out.markdown.trim_end_matches('\n').len());
    writer.out.text.truncate(writer.out.text.trim_end().len());
    writer.out
}

/// Plain text as Markdown that shows it: each line escaped, breaks kept.
pub(crate) fn write_plain(text: &str) -> Written {
    let mut out = Written::default();
    for paragraph in text.replace('\r', "\n").split("\n\n") {
        let mut inline = Inline::new(false);
        for line in paragraph.lines() {
            inline.line_break();
            inline.text(line);
        }
        if inline.is_empty() {
            continue;
        }
        let (markdown, plain) = inline.take(false);
        if !out.markdown.is_empty() {
            out.markdown.push_str("\n\n");
            out.text.push_str("\n\n");
        }
        for (index, line) in markdown.split('\n').enumerate() {
            if index > 0 {
                out.markdown.push('\n');
            }
            out.markdown.push_str(escape::guard_line(line, index == 0).as_deref().unwrap_or(line));
        }
        escape::push_plain(&mut out.text, &plain);
    }
    out
}

struct Writer<'a> {
    tree: &'a Tree,
    structure: &'a Structure,
    selection: &'a Selection,
    base: Option<&'a Url>,
    own: &'a [&'a str],
    style: Style,
    allowance: usize,
    out: Written,
    inline: Inline,
    containers: Vec<Container>,
    lists: Vec<List>,
    /// The list that ended right before, with the number of containers around it.
    closed_list: Option<(List, usize)>,
    /// Inline footnotes, written at the end of the text.
    waiting: Vec<usize>,
    /// For each `<a>` that is open, whether it is written as a link.
    open_links: Vec<bool>,
    heading: Option<u8>,
    /// Whether the open heading has been written.
    heading_written: bool,
    /// Whether a block was written at this place, so that the next needs a line between.
    separate: bool,
    /// Whether the last line is a row: text right under it would be another one, in which a `|` ends a code span.
    after_table: bool,
    /// True if the current block is written without its containers, for lack of room.
    bare: bool,
}

impl Writer<'_> {
    fn run(&mut self, root: NodeId) {
        let mut walk = self.tree.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) => {
                    if !self.text(id) && self.tree.is_element(id) && !self.enter(id) {
                        walk.skip_children();
                    }
                }
                Step::Leave(id) => self.leave(id),
            }
        }
        self.end_block();
        self.waiting_notes();
    }

    /// Whether the element's children are to be visited.
    fn enter(&mut self, id: NodeId) -> bool {
        let tag = self.tree.tag(id);
        if self.formula(id) {
            return false;
        }
        match self.structure.role(id) {
            Some(Role::Mark(place)) if self.mark(id, place) => return false,
            Some(Role::Definition(place)) if self.selection.has_note(place) => {
                self.open_note(place);
                return true;
            }
            Some(Role::Superfluous)
                if self.is_in_note()
                    || self.selection.is_whole()
                    || tag == Tag::Dt
                    || tag.heading_level().is_some() =>
            {
                return false;
            }
            _ => {}
        }
        if !self.selection.is_whole()
            && (noise::is_noise(self.tree, id, tag, self.heading.is_some()) || self.is_mark_of_item(id, tag))
        {
            return false;
        }
        if tag == Tag::Noscript {
            self.image(id);
            return false;
        }
        if embed::is_embed(self.tree, id, tag) {
            self.embed(id);
            return false;
        }
        if tag != Tag::Img && image::is_image(self.tree, id, tag) {
            self.image(id);
            return false;
        }
        if is_unseen(self.tree, id, tag) {
            self.inline.space();
            return false;
        }
        if tag.is_block() && !self.selection.has(id) {
            // Text before and behind it in one box are two paragraphs; in a line it was moved there, by a script or a parser.
            if self.tree.parent(id).is_some_and(|around| self.tree.tag(around).is_block()) {
                self.end_block();
            } else {
                self.inline.space();
            }
            return false;
        }
        if tag == Tag::Sup && self.raised(id) {
            return false;
        }
        if self.heading.is_none()
            && let Some(kind) = boxes::of(self.tree, id, tag)
        {
            self.code(id, tag, kind);
            return false;
        }
        if declaration::is_beside_declaration(self.tree, id, tag) {
            return false;
        }
        if tag.is_block() {
            self.end_block();
        }
        if caption::is_apart(self.tree, id, self.inline.last_char()) || is_separator(self.tree, id) {
            self.inline.space();
        }
        if self.open_inline(id, tag) {
            return true;
        }
        match tag {
            // Two in a row part paragraphs.
            Tag::Br
                if !self.selection.is_whole() && self.heading.is_none() && self.inline.ends_in_break() =>
            {
                self.end_block();
            }
            Tag::Br => self.inline.line_break(),
            Tag::Hr => self.rule(id),
            Tag::Img => self.image(id),
            Tag::Input => self.task_box(id),
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => {
                self.code_block(id, Code::Verbatim);
                return false;
            }
            Tag::Table => {
                if self.style.tables && self.selection.has(id) && tables::is_data(self.tree, id) {
                    self.table(id);
                    return false;
                }
            }
            Tag::Div if self.style.tables && self.is_grid(id) => {
                self.table(id);
                return false;
            }
            Tag::Td | Tag::Th | Tag::Wbr => {}
            Tag::Blockquote => self.nest(Container::Quote { fresh: true }),
            _ if is_list(tag) && !self.is_box(id) => self.open_list(id, tag == Tag::Ol),
            Tag::Li if !self.is_in_box(id) => self.open_item(),
            Tag::Button | Tag::Textarea | Tag::Label => self.inline.space(),
            _ => {
                if let Some(level) = tag.heading_level() {
                    self.heading = Some(level);
                    self.heading_written = false;
                }
            }
        }
        true
    }

    /// Whether an element is a grid of which the whole first row is chosen.
    fn is_grid(&self, id: NodeId) -> bool {
        let grid = tables::grid(self.tree, id);
        grid.is_some_and(|(cells, columns)| cells.iter().take(columns).all(|&cell| self.selection.has(cell)))
    }

    fn leave(&mut self, id: NodeId) {
        let tag = self.tree.tag(id);
        if let Some(Role::Definition(place)) = self.structure.role(id)
            && self.selection.has_note(place)
        {
            self.end_block();
            self.unnest();
            return;
        }
        if tag.is_block() {
            self.end_block();
        } else if self.close_inline(id, tag) {
            return;
        }
        match tag {
            Tag::Blockquote => {
                if self.selection.is_whole()
                    && matches!(self.containers.last(), Some(Container::Quote { fresh: true }))
                {
                    self.line("", true);
                }
                self.unnest();
            }
            _ if is_list(tag) && !self.is_box(id) => {
                if let Some(list) = self.lists.pop() {
                    let (depth, continues_item) = (self.containers.len(), list.continues_item);
                    self.closed_list = Some((list, depth));
                    if continues_item {
                        self.unnest();
                    }
                }
            }
            Tag::Li if !self.is_in_box(id) => {
                if self.selection.is_whole()
                    && matches!(self.containers.last(), Some(Container::Item { fresh: true, .. }))
                {
                    self.line("", true);
                }
                self.unnest();
            }
            Tag::Button | Tag::Textarea | Tag::Label => self.inline.space(),
            _ if tag.heading_level().is_some() => {
                if let Some(level) = self.heading.take()
                    && !self.selection.is_choice()
                    && !self.heading_written
                {
                    self.line(&"#".repeat(usize::from(level)), true);
                }
            }
            _ => {}
        }
    }

    /// Opens emphasis, code or a link; returns true if the element is one of them.
    fn open_inline(&mut self, id: NodeId, tag: Tag) -> bool {
        match tag {
            Tag::Code | Tag::Tt | Tag::Samp | Tag::Kbd => self.inline.open_code(),
            Tag::A => self.open_link(id),
            _ => match Mark::of(tag) {
                Some(mark) => self.inline.open(mark),
                None => return false,
            },
        }
        true
    }

    /// Closes what [`Self::open_inline`] has opened.
    fn close_inline(&mut self, id: NodeId, tag: Tag) -> bool {
        match tag {
            Tag::Code | Tag::Tt | Tag::Samp | Tag::Kbd => self.inline.close_code(),
            Tag::A => {
                if self.open_links.pop() == Some(true) {
                    self.inline.close_link();
                }
            }
            _ => match Mark::of(tag) {
                Some(mark) => self.inline.close(mark),
                None => return false,
            },
        }
        // Who is quoted stands on a line of its own, though the markup does not say so.
        let behind = || self.tree.next_sibling(id).and_then(|next| self.tree.text(next));
        if tag == Tag::Cite
            && !self.selection.is_whole()
            && behind().is_none_or(|text| text.starts_with(char::is_alphanumeric))
        {
            self.inline.space();
        }
        true
    }

    fn task_box(&mut self, id: NodeId) {
        let is_box = self.tree.attr(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let first = matches!(self.containers.last(), Some(Container::Item { fresh: true, .. }))
            && self.inline.is_empty();
        if is_box && first && self.selection.has(self.tree.parent(id).unwrap_or(id)) {
            self.inline.raw(if self.tree.attr(id, "checked").is_some() { "[x]" } else { "[ ]" });
            self.inline.space();
        }
    }
}
