//! Footnotes: their marks in the text, and what they say.

use super::lines::Container;
use super::{Writer, code};
use crate::code::boxes;
use crate::structure::noise;
use crate::structure::notes::Role;
use crate::tree::{NodeId, Step, Tag};
use crate::visibility::is_unseen;

impl Writer<'_> {
    /// Writes the mark of a chosen footnote; returns true if the element is one. An inline note is
    /// written at the end of the text.
    pub(super) fn mark(&mut self, id: NodeId, place: usize) -> bool {
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

    pub(super) fn open_note(&mut self, place: usize) {
        self.end_block();
        let label = self.structure.notes().get(place).map(|note| note.label.as_str()).unwrap_or_default();
        self.nest(Container::Note { marker: format!("[^{label}]: "), fresh: true });
    }

    pub(super) fn is_in_note(&self) -> bool {
        self.containers.iter().any(|container| matches!(container, Container::Note { .. }))
    }

    /// Writes the inline footnotes.
    pub(super) fn waiting_notes(&mut self) {
        for place in std::mem::take(&mut self.waiting) {
            let Some(note) = self.structure.notes().get(place) else { continue };
            self.open_note(place);
            self.flat(note.definition);
            self.end_block();
            self.unnest();
        }
    }

    /// The inline text in an element, its blocks joined by spaces.
    pub(super) fn flat(&mut self, root: NodeId) {
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
                    let is_noise = !self.selection.is_whole() && noise::is_noise(self.tree, id, tag, false);
                    if is_noise || self.formula(id) || marks || (tag == Tag::Sup && self.raised(id)) {
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
                    if tag == Tag::Div
                        && let Some(kind) = boxes::of(self.tree, id, tag)
                    {
                        let code = code::lines(self.tree, id, kind);
                        let code: Vec<&str> = code.lines().map(str::trim).collect();
                        self.inline.space();
                        self.inline.open_code();
                        self.inline.text(&code.join(" "));
                        self.inline.close_code();
                        self.inline.space();
                        walk.skip_children();
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
                        _ if self.close_inline(id, tag) => {}
                        Tag::Pre => self.inline.close_code(),
                        _ if tag.is_block() => self.inline.space(),
                        _ => {}
                    }
                }
            }
        }
    }
}
