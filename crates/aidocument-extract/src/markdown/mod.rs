//! The tree, or the chosen part of it, as CommonMark with GFM's tables, strikethrough and task lists, and as plain
//! text.
//!
//! One walk in document order feeds both. Inline text collects in [`inline::Inline`] and is written at the next
//! edge of a block, each line behind the prefixes of the quotes and list items around it. No raw HTML is written.
//! Nesting past [`MAX_NESTING`] is written flat, and past half of the output's allowance prefixes and links are
//! left out, so hostile input cannot multiply itself.

mod code;
mod delimiter;
mod escape;
mod inline;
mod list;
mod span;
mod table;

use std::borrow::Cow;

use url::Url;

use crate::address;
use crate::caption;
use crate::content::Selection;
use crate::embed;
use crate::image;
use crate::structure::notes::Role;
use crate::structure::{Structure, noise, tables, tex};
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::{characters, is_unseen};
use inline::{Inline, Mark, Target};
use list::List;

/// Quotes and list items inside one another that are written as such.
const MAX_NESTING: usize = 16;

/// What a link to a video or to sound says: the sign of its button, which no text has.
pub(crate) const PLAY: &str = "▶";

/// The text in front of a footnote that readers without footnotes would take for a link's definition: two words that
/// nobody sees.
const NO_DEFINITION: &str = "&#8203; &#8203; ";

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

/// Writes what `selection` holds. Targets of links and images are resolved against `base` where there is one; `own` are
/// the addresses of the page.
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
        inline: Inline::default(),
        containers: Vec::new(),
        lists: Vec::new(),
        closed_list: None,
        waiting: Vec::new(),
        open_links: Vec::new(),
        heading: None,
        heading_written: false,
        separate: false,
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
        let mut inline = Inline::default();
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

/// What is at the start of each line.
#[derive(Debug)]
enum Container {
    Quote {
        fresh: bool,
    },
    Item {
        marker: String,
        fresh: bool,
        tight: bool,
        /// The place of its list among those that are open.
        list: Option<usize>,
    },
    /// A footnote; its lines but the first are indented.
    Note {
        marker: String,
        fresh: bool,
    },
    /// Nested too deeply to be shown.
    Flat,
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
    closed_list: Option<(bool, char, usize)>,
    /// Footnotes from within the text, written at its end.
    waiting: Vec<usize>,
    /// For each `<a>` that is open, whether it is written as a link.
    open_links: Vec<bool>,
    heading: Option<u8>,
    /// Whether the open heading has been written.
    heading_written: bool,
    /// Whether a block was written at this place, so that the next needs a line between.
    separate: bool,
    /// Whether the block that is being written stands outside of its containers, for lack of room.
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

    /// Whether the node is text, which is then taken; what is not chosen parts words all the same.
    fn text(&mut self, id: NodeId) -> bool {
        let Some(text) = self.tree.text(id) else { return false };
        if self.selection.has(id) && (!self.tree.seen.is_unwritten(id) || self.is_in_note()) {
            let (clean, _) = characters::clean(text);
            let clean = if self.selection.is_whole() {
                clean
            } else {
                match without_layout(&clean) {
                    Cow::Borrowed(_) => clean,
                    Cow::Owned(text) => Cow::Owned(text),
                }
            };
            // The caller has asked for it: what is hidden would be left out.
            let hidden = self.tree.seen.mark(id).kept().filter(|_| !clean.trim().is_empty());
            let clean = match hidden {
                Some(reason) => Cow::Owned(format!("[hidden: {reason}] {} [/hidden] ", clean.trim())),
                None => clean,
            };
            let text = &*clean;
            if self.structure.tex_in_text && !self.inline.is_in_code() {
                self.text_with_formulas(text);
            } else {
                self.inline.text(text);
            }
        } else {
            self.inline.space();
        }
        true
    }

    fn text_with_formulas(&mut self, text: &str) {
        for span in tex::spans(text) {
            self.inline.text(span.words);
            if let Some((source, is_display)) = span.formula
                && let Some(tex) = tex::clean(source)
            {
                self.inline.math(tex, is_display);
            }
        }
    }

    /// Writes the formula that an element is; whether it is one, or repeats one.
    fn formula(&mut self, id: NodeId) -> bool {
        if let Some(formula) = self.structure.formula(id) {
            if self.selection.has(id) {
                self.inline.math(formula.tex.clone(), formula.is_display);
            }
            return true;
        }
        self.structure.is_superfluous(id)
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
            Some(Role::Superfluous) if self.is_in_note() || self.selection.is_whole() => return false,
            _ => {}
        }
        if noise::is_noise(self.tree, id, tag, self.heading.is_some()) && !self.selection.is_whole() {
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
        if is_unseen(self.tree, id, tag) || (tag.is_block() && !self.selection.has_any(id)) {
            self.inline.space();
            return false;
        }
        if tag == Tag::Sup && self.raised(id) {
            return false;
        }
        if matches!(tag, Tag::Div | Tag::Code | Tag::Table)
            && self.heading.is_none()
            && code::is_block(self.tree, id, tag)
        {
            self.end_block();
            self.code_block(id);
            return false;
        }
        if tag.is_block() {
            self.end_block();
        }
        if caption::is_apart(self.tree, id, self.inline.last_char()) {
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
                self.code_block(id);
                return false;
            }
            Tag::Table => {
                if self.style.tables && self.selection.has_any(id) && tables::is_data(self.tree, id) {
                    self.table(id);
                    return false;
                }
            }
            Tag::Td | Tag::Th | Tag::Wbr => {}
            Tag::Blockquote => self.nest(Container::Quote { fresh: true }),
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => self.open_list(id, tag == Tag::Ol),
            Tag::Li => self.open_item(),
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
        } else if self.close_inline(tag) {
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
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => {
                if let Some(list) = self.lists.pop() {
                    self.closed_list = Some((list.ordered, list.delimiter, self.containers.len()));
                }
            }
            Tag::Li => {
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

    /// Opens emphasis, code or a link; whether the element is one of them.
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
    fn close_inline(&mut self, tag: Tag) -> bool {
        match tag {
            Tag::Code | Tag::Tt | Tag::Samp | Tag::Kbd => self.inline.close_code(),
            Tag::A => {
                if self.open_links.pop() == Some(true) {
                    self.inline.close_link(self.selection.is_whole());
                }
            }
            _ => match Mark::of(tag) {
                Some(mark) => self.inline.close(mark),
                None => return false,
            },
        }
        // Who is quoted stands on a line of its own, though the markup does not say so.
        if tag == Tag::Cite && !self.selection.is_whole() {
            self.inline.space();
        }
        true
    }

    /// Writes a raised number in raised digits, or 10⁶ would be 106; whether it is one.
    fn raised(&mut self, id: NodeId) -> bool {
        let Some(only) = self.tree.first_child(id).filter(|&child| self.tree.next_sibling(child).is_none())
        else {
            return false;
        };
        let Some(text) = self.tree.text(only).filter(|_| self.selection.has(only)) else { return false };
        let raised: Option<String> = text.trim().chars().map(raised_digit).collect();
        match raised {
            Some(raised) if !raised.is_empty() && !self.inline.is_in_code() => {
                self.inline.text(&raised);
                true
            }
            _ => false,
        }
    }

    /// Writes the mark of a chosen footnote; whether it is one. A note inside its mark waits for the end.
    fn mark(&mut self, id: NodeId, place: usize) -> bool {
        let Some(note) = self.structure.notes().get(place).filter(|_| self.selection.has_note(place)) else {
            return false;
        };
        if !note.is_inline && !self.selection.has(id) {
            return false;
        }
        self.inline.note(format!("[^{}]", note.label));
        if note.is_inline {
            self.waiting.push(place);
        }
        true
    }

    fn open_note(&mut self, place: usize) {
        self.end_block();
        let label = self.structure.notes().get(place).map(|note| note.label.as_str()).unwrap_or_default();
        self.nest(Container::Note { marker: format!("[^{label}]: "), fresh: true });
    }

    fn is_in_note(&self) -> bool {
        self.containers.iter().any(|container| matches!(container, Container::Note { .. }))
    }

    /// Writes the footnotes from within the text.
    fn waiting_notes(&mut self) {
        for place in std::mem::take(&mut self.waiting) {
            let Some(note) = self.structure.notes().get(place) else { continue };
            self.open_note(place);
            self.flat(note.definition);
            self.end_block();
            self.unnest();
        }
    }

    fn is_full(&self) -> bool {
        self.out.markdown.len() > self.allowance
    }

    fn nest(&mut self, container: Container) {
        let shown = self.containers.iter().filter(|container| !matches!(container, Container::Flat)).count();
        let flat = shown >= MAX_NESTING || self.is_full();
        self.containers.push(if flat { Container::Flat } else { container });
    }

    fn unnest(&mut self) {
        self.containers.pop();
    }

    /// Where a link leads: absolute and without user information where the page's address is known; none for places on
    /// this page, and for what does not lead somewhere.
    fn target(&self, href: &str) -> Option<String> {
        let is_elsewhere = !href.trim_ascii().is_empty() && !href.trim_ascii().starts_with('#');
        if self.is_full() || (self.base.is_some() && !is_elsewhere) {
            return None;
        }
        address::resolve(href, self.base)
    }

    fn open_link(&mut self, id: NodeId) {
        let href = self.tree.attr(id, "href").filter(|_| self.style.links);
        let url = href.and_then(|href| self.target(href)).filter(|url| !self.leads_to_itself(url));
        self.open_links.push(url.is_some());
        if let Some(url) = url {
            let title = self.link_title(id).map(|title| self.in_line(title));
            self.inline.open_link(Target { url, title });
        }
    }

    /// Whether a heading leads to the page that it is on.
    fn leads_to_itself(&self, url: &str) -> bool {
        let bare = |url: &'_ str| url.split('#').next().unwrap_or_default().trim_end_matches('/').len();
        self.heading.is_some()
            && !self.selection.is_whole()
            && self.own.iter().any(|own| own.get(..bare(own)) == url.get(..bare(url)))
    }

    /// A title in one line, unless the page is written as it is.
    fn in_line(&self, title: &str) -> String {
        if self.selection.is_whole() {
            return title.to_owned();
        }
        title.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The title of a link, unless it repeats the link's text, or what its images say in their place.
    fn link_title(&self, id: NodeId) -> Option<&str> {
        let title = self.tree.attr(id, "title")?;
        if self.selection.is_whole() {
            return Some(title);
        }
        let mut text = String::new();
        for inner in self.tree.descendants(id).take(MAX_TITLED) {
            text.push_str(self.tree.text(inner).unwrap_or_default().trim());
            if self.tree.tag(inner) == Tag::Img {
                text.push_str(self.tree.attr(inner, "alt").unwrap_or_default().trim());
            }
            if text.len() > 4 * title.len() + 64 {
                return Some(title);
            }
        }
        Some(title).filter(|title| !says_the_same(title, &text))
    }

    fn image(&mut self, id: NodeId) {
        let alone = image::is_image(self.tree, id, self.tree.tag(id))
            || self.selection.is_choice()
            || image::stands_alone(self.tree, id);
        if !self.style.images || !self.selection.has(id) || !alone {
            return;
        }
        let Some(found) = image::of(self.tree, id) else { return };
        if let Some(url) = self.target(&found.source) {
            // What readers see below an image tells more than what they see in its place.
            let caption = self.selection.caption(id);
            let title = self.tree.attr(id, "title").or(caption.map(|_| &*found.alt));
            let text = caption.unwrap_or(&found.alt);
            let says_more = |title: &&str| self.selection.is_whole() || !says_the_same(title, text);
            let title = title.filter(says_more).map(|title| self.in_line(title));
            self.inline.image(text, Target { url, title });
        }
    }

    /// Writes a link to what an element embeds.
    fn embed(&mut self, id: NodeId) {
        self.inline.space();
        if !self.style.images || self.selection.is_whole() || !self.selection.has(id) {
            return;
        }
        let Some(found) = embed::of(self.tree, id) else { return };
        if let Some(url) = self.target(&found.target) {
            self.inline.open_link(Target { url, title: None });
            self.inline.text(PLAY);
            if let Some(title) = self.selection.caption(id).or(found.title) {
                self.inline.text(" ");
                self.inline.text(title);
            }
            self.inline.close_link(false);
            self.inline.space();
        }
    }

    fn task_box(&mut self, id: NodeId) {
        let is_box = self.tree.attr(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let first = matches!(self.containers.last(), Some(Container::Item { fresh: true, .. }))
            && self.inline.is_empty();
        if is_box && first && self.selection.has_any(self.tree.parent(id).unwrap_or(id)) {
            self.inline.raw(if self.tree.attr(id, "checked").is_some() { "[x]" } else { "[ ]" });
            self.inline.space();
        }
    }

    /// Whether nothing but a rule was written last, or nothing at all.
    fn after_rule(&self) -> bool {
        let last =
            self.out.markdown.trim_end_matches(['\n', ' ', '>']).lines().next_back().unwrap_or_default();
        let last = last.trim_start_matches(['>', ' ']);
        self.inline.is_empty() && matches!(last, "" | "---" | "***" | "___")
    }

    fn rule(&mut self, id: NodeId) {
        if self.selection.has(id) && (self.selection.is_whole() || !self.after_rule()) {
            self.end_block();
            let rule = if self.containers.is_empty() { "---" } else { "***" };
            let rule = if self.lists.last().is_some_and(|list| list.delimiter == '*') { "___" } else { rule };
            self.line(rule, true);
            self.separate = true;
        }
    }

    /// Writes the collected text as a paragraph, or as the heading that is open.
    fn end_block(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let (mut markdown, text) = self.inline.take(false);
        if escape::is_definition(&markdown) {
            markdown.insert_str(0, "&#8203;");
        }
        if matches!(self.containers.last(), Some(Container::Note { fresh: true, .. }))
            && escape::is_address(&markdown)
        {
            markdown.insert_str(0, NO_DEFINITION);
        }
        self.plain(&text);
        if let Some(level) = self.heading {
            self.heading_written = true;
            let breaks = markdown.contains("\\\n");
            if breaks && level <= 2 {
                let rule = if level == 1 { "\n===" } else { "\n---" };
                markdown.push_str(rule);
            } else {
                let mut line = markdown.replace("\\\n", " ");
                let hashes = line.len() - line.trim_end_matches('#').len();
                if hashes > 0 && line.len() > hashes {
                    line.insert(line.len() - hashes, '\\');
                } else if hashes > 0 {
                    line.insert(0, '\\');
                }
                let line = format!("{} {line}", "#".repeat(usize::from(level)));
                self.line(line.trim_end(), true);
                return;
            }
            let last = markdown.lines().count();
            for (index, line) in markdown.split('\n').enumerate() {
                let guarded = if index + 1 < last { escape::guard_line(line, index == 0) } else { None };
                self.line(guarded.as_deref().unwrap_or(line), index == 0);
            }
            return;
        }
        for (index, line) in markdown.split('\n').enumerate() {
            let guarded = escape::guard_line(line, index == 0);
            self.line(guarded.as_deref().unwrap_or(line), index == 0);
        }
    }

    /// Writes one line behind its prefixes; the first line of a block stands apart from the block before.
    fn line(&mut self, line: &str, first: bool) {
        let out = &mut self.out.markdown;
        if first {
            if self.separate {
                // A list stands apart from what is before it as any block does.
                let is_new = |place: &usize| self.lists.get(*place).is_some_and(|list| list.is_new);
                let tight = self.containers.iter().rev().find_map(|container| match container {
                    Container::Item { fresh: true, list, .. } if list.as_ref().is_some_and(is_new) => None,
                    Container::Item { tight, .. } => Some(*tight),
                    Container::Quote { .. } | Container::Note { .. } => Some(false),
                    Container::Flat => None,
                });
                if tight != Some(true) && out.len() > self.allowance {
                    out.push('\n');
                } else if tight != Some(true) {
                    // The line between belongs to the containers that both blocks are in.
                    let start = out.len();
                    for container in &self.containers {
                        match container {
                            Container::Quote { fresh: false } => out.push_str("> "),
                            Container::Item { marker, fresh: false, .. } => {
                                out.extend(std::iter::repeat_n(' ', marker.len()));
                            }
                            Container::Note { fresh: false, .. } => out.push_str("    "),
                            Container::Flat => {}
                            _ => break,
                        }
                    }
                    let kept = out.get(start..).unwrap_or_default().trim_end().len();
                    out.truncate(start + kept);
                    out.push('\n');
                }
            }
            self.separate = true;
            self.closed_list = None;
        }
        let start = out.len();
        if first {
            // A block stands in its containers with all of its lines, or what it holds would read as blocks of its own.
            self.bare = start > self.allowance;
        }
        for container in self.containers.iter_mut().filter(|_| !self.bare) {
            match container {
                Container::Quote { fresh } => {
                    *fresh = false;
                    out.push_str("> ");
                }
                Container::Item { marker, fresh, list, .. } => {
                    if std::mem::take(fresh) {
                        if let Some(list) = list.and_then(|place| self.lists.get_mut(place)) {
                            list.is_new = false;
                        }
                        out.push_str(marker);
                    } else {
                        out.extend(std::iter::repeat_n(' ', marker.len()));
                    }
                }
                Container::Note { marker, fresh } => {
                    out.push_str(if std::mem::take(fresh) { marker } else { "    " });
                }
                Container::Flat => {}
            }
        }
        out.push_str(line);
        let kept = out.get(start..).unwrap_or_default().trim_end_matches([' ', '\t']).len();
        out.truncate(start + kept);
        out.push('\n');
    }

    fn plain(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.out.text.is_empty() {
            self.out.text.push_str("\n\n");
        }
        escape::push_plain(&mut self.out.text, text);
    }

    /// The inline text in an element, its blocks joined by spaces.
    fn flat(&mut self, root: NodeId) {
        let mut walk = self.tree.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) => {
                    if self.text(id) || !self.tree.is_element(id) {
                        continue;
                    }
                    let tag = self.tree.tag(id);
                    let marks = match self.structure.role(id).filter(|_| id != root) {
                        Some(Role::Mark(place)) => self.mark(id, place),
                        Some(Role::Superfluous) => true,
                        _ => false,
                    };
                    if self.formula(id) || marks || (self.tree.tag(id) == Tag::Sup && self.raised(id)) {
                        walk.skip_children();
                        continue;
                    }
                    if id != root && is_unseen(self.tree, id, tag) {
                        if tag == Tag::Noscript {
                            self.image(id);
                        }
                        self.inline.space();
                        walk.skip_children();
                        continue;
                    }
                    if self.open_inline(id, tag) {
                        continue;
                    }
                    match tag {
                        Tag::Br => self.inline.space(),
                        Tag::Img => self.image(id),
                        Tag::Pre => self.inline.open_code(),
                        _ if tag.is_block() => self.inline.space(),
                        _ => {}
                    }
                }
                Step::Leave(id) => {
                    let tag = self.tree.tag(id);
                    match tag {
                        _ if self.close_inline(tag) => {}
                        Tag::Pre => self.inline.close_code(),
                        _ if tag.is_block() => self.inline.space(),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// The text with plain spaces for no-break ones, and without soft hyphens and other marks of where a line may break.
fn without_layout(text: &str) -> Cow<'_, str> {
    let may_have = text.as_bytes().iter().any(|byte| matches!(byte, 0xc2 | 0xe2 | 0xef));
    if !may_have || !text.contains(['\u{a0}', '\u{ad}', '\u{200b}', '\u{feff}']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{ad}' | '\u{feff}' => {}
            // Between words of scripts that write no spaces, it is one.
            '\u{200b}'
                if !out
                    .ends_with(|last| matches!(last, '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')) => {}
            '\u{a0}' => out.push(' '),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn raised_digit(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        '+' => '⁺',
        '-' | '−' => '⁻',
        'n' => 'ⁿ',
        _ => return None,
    })
}

/// Whether a title tells nothing that the text does not: its letters and digits are a part of the text's.
fn says_the_same(title: &str, text: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (title, text) = (letters(title), letters(text));
    title.is_empty() || text.contains(&title)
}

/// Nodes of a link that are looked at for its text.
const MAX_TITLED: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_layout_go_but_for_spaces_of_scripts_without() {
        for (text, expected) in [
            ("a\u{a0}b", "a b"),
            ("co\u{ad}op", "coop"),
            ("\u{feff}a\u{200b}b\u{200b}", "ab"),
            ("ภาษา\u{200b}ไทย", "ภาษา\u{200b}ไทย"),
            ("ភាសា\u{200b}ខ្មែរ\u{feff}", "ភាសា\u{200b}ខ្មែរ"),
            ("ᠮ\u{200b}ᠯ", "ᠮᠯ"),
            ("a\u{200d}b é “c”", "a\u{200d}b é “c”"),
        ] {
            assert_eq!(without_layout(text), expected, "{text:?}");
        }
        assert!(matches!(without_layout("é“ﬁ”"), Cow::Borrowed(_)));
    }
}
