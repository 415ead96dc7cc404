//! Parts of the main element that were not chosen, though nothing speaks against them: code, notes, the last words.

use super::Work;
use crate::content::blocks::Block;
use crate::structure::roles::is_main;
use crate::tree::{NodeId, Tag};

/// Words of a note.
const MAX_NOTE: u32 = 120;

/// Words and blocks at the end of the main element that are kept.
const MAX_END: u32 = 60;
const MAX_LAST: usize = 4;

impl Work<'_, '_> {
    /// Keeps code between kept texts, and code and notes behind kept text in the main element.
    pub(super) fn code_and_notes(&mut self) {
        let Some((main, first)) = self.text_in_main() else { return };
        let (_, end) = self.range(main);
        for place in first..end {
            let Some(block) = self.block(place).filter(|_| !self.is_kept(place)) else { continue };
            let around = || self.chain(block.container).take_while(|&id| id != main);
            let is_code = around().any(|id| self.tree.tag(id) == Tag::Pre);
            let is_between = || place > first && self.is_kept(place - 1) && self.is_kept(place + 1);
            let is_sure = || {
                2 * block.counts.link_words <= block.counts.words
                    && (is_code || around().any(|id| self.is_note_in_text(id, first)))
                    && !self.is_strange(block, main)
            };
            if is_code && is_between() || is_sure() {
                self.set(place, place + 1, true);
            }
        }
    }

    /// Whether an element is a short note beside text that begins at a place.
    fn is_note_in_text(&self, id: NodeId, first: usize) -> bool {
        self.page.is_note(id)
            && self.page.around.sums_in(id).words <= MAX_NOTE
            && self.tree.parent(id).is_some_and(|parent| {
                let (start, _) = self.range(parent);
                (start.max(first)..self.range(id).0).next_back().is_some_and(|before| self.is_kept(before))
            })
    }

    /// Keeps the last words of the element that is marked as the page's text, if none of them is a link.
    pub(super) fn end_of_main(&mut self) {
        let Some(last) = self.keep.iter().rposition(|kept| *kept) else { return };
        // A heading alone is one of a section of which nothing is kept.
        let Some(main) = self.marked_main(last).filter(|_| self.level(last).is_none()) else { return };
        let (_, end) = self.range(main);
        let Some(run) = self.blocks.blocks.get(last + 1..end).filter(|run| run.len() <= MAX_LAST) else {
            return;
        };
        let words: u32 = run.iter().map(|block| block.counts.words).sum();
        // Of a table all or nothing is kept, and that is decided before.
        let is_cell = |block: &Block| {
            self.chain(block.container).take_while(|&id| id != main).any(|id| self.tree.tag(id) == Tag::Table)
        };
        let is_text = run
            .iter()
            .all(|block| block.counts.link_words == 0 && !is_cell(block) && !self.is_strange(block, main));
        if words <= MAX_END && is_text {
            self.set(last + 1, end, true);
        }
    }

    /// The element that has the text, and the first kept block in it: the one that is marked so, else the smallest one around all
    /// kept blocks.
    fn text_in_main(&self) -> Option<(NodeId, usize)> {
        let last = self.keep.iter().rposition(|kept| *kept)?;
        let marked = self.marked_main(last);
        let start = marked.map_or(0, |main| self.range(main).0);
        let first = (start..=last).find(|&place| self.is_kept(place))?;
        Some((marked.or_else(|| self.shared(first, last))?, first))
    }

    /// The innermost element around a block that is marked as the page's text.
    fn marked_main(&self, place: usize) -> Option<NodeId> {
        let is_lone_article = |id| self.page.around.articles == 1 && self.tree.tag(id) == Tag::Article;
        let mut around = self.tree.upward(self.block(place)?.container);
        around.find(|&id| is_main(self.tree, id) || is_lone_article(id))
    }
}
