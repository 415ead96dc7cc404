//! What is kept because of what it stands among: paragraphs of a text of which most is kept, a list that a line
//! announces, headings over kept text.

use std::collections::HashMap;

use super::super::surroundings::is_prose;
use super::{MAX_GAP_BLOCKS, MAX_MIXED_GAP, MAX_SOURCES, Work, leads_to_itself};
use crate::content::phrases::{self, Phrase};
use crate::tree::{NodeId, Tag};

/// Words of kept paragraphs that make a text of which the rest is kept.
const MIN_FLOW: u32 = 150;

/// Kept words of a section that has a heading for them.
const MIN_SECTION: u32 = 20;

/// Elements from a block of code up to its figure.
const MAX_FIGURE_LEVELS: usize = 8;

/// Blocks from a heading to the first kept one under it.
const MAX_UNDER: usize = 6;

/// The words of an element's parts and those of them that are kept.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    words: u32,
    kept: u32,
    /// The last kept block.
    last: usize,
}

impl Part {
    fn add(&mut self, place: usize, words: u32, is_kept: bool) {
        self.words += words;
        if is_kept {
            self.kept += words;
            self.last = place;
        }
    }
}

impl Work<'_, '_> {
    fn is_page(&self, id: NodeId) -> bool {
        matches!(self.tree.tag(id), Tag::Body | Tag::Html)
    }

    /// Keeps paragraphs that were nearly chosen among paragraphs of one element of which most are kept.
    pub(super) fn rest_of_texts(&mut self) {
        let parent = |work: &Self, place: usize| {
            let (_, parent) = work.paragraph(place)?;
            let block = work.block(place)?;
            let is_text = is_prose(&block.counts) && !work.is_page(parent) && !work.is_strange(block, parent);
            is_text.then_some((parent, block.counts.words))
        };
        let mut parts: HashMap<NodeId, Part> = HashMap::new();
        for place in 0..self.keep.len() {
            if let Some((id, words)) = parent(self, place) {
                parts.entry(id).or_default().add(place, words, self.is_kept(place));
            }
        }
        for place in 0..self.keep.len() {
            if self.is_kept(place) || self.nearly.get(place) != Some(&true) {
                continue;
            }
            let part = parent(self, place).and_then(|(id, _)| parts.get(&id));
            if part.is_some_and(|part| {
                place < part.last && part.kept >= MIN_FLOW && 10 * part.kept >= 6 * part.words
            }) {
                self.set(place, place + 1, true);
            }
        }
    }

    /// Keeps a list that a kept line announces by its colon, between kept texts.
    pub(super) fn announced_lists(&mut self) {
        for place in 0..self.keep.len().saturating_sub(1) {
            if !self.is_kept(place) || self.is_kept(place + 1) {
                continue;
            }
            let Some((line, next)) = self.block(place).zip(self.block(place + 1)) else { continue };
            let text = self.text(line);
            if !text.trim_end().ends_with([':', '：']) || phrases::of(&text).is_some() {
                continue;
            }
            let list = self
                .chain(next.container)
                .filter(|&id| matches!(self.tree.tag(id), Tag::Ul | Tag::Ol) && self.range(id).0 == place + 1)
                .last();
            let Some(list) = list else { continue };
            let (first, end) = self.range(list);
            let sums = self.page.around.sums_in(list);
            let fits = self.is_kept(end)
                && end - first <= MAX_GAP_BLOCKS
                && sums.words <= MAX_MIXED_GAP
                && sums.images == 0
                && !self.page.marks.is_strange(list)
                && !self.is_control(list)
                && self.shared(place, end - 1).is_some_and(|shared| !self.is_page(shared))
                && (first..end)
                    .all(|item| self.block(item).is_some_and(|block| !self.is_strange(block, list)));
            if fits {
                self.set(first, end, true);
            }
        }
    }

    /// Keeps figures of code between two kept texts, with what says where the code is from.
    pub(super) fn figures_of_code(&mut self) {
        for place in 1..self.keep.len() {
            let Some(block) = self.block(place).filter(|_| !self.is_kept(place)) else { continue };
            let chain = || self.chain(block.container).take(MAX_FIGURE_LEVELS);
            if !chain().any(|id| self.tree.tag(id) == Tag::Pre) {
                continue;
            }
            let Some(figure) = chain().find(|&id| self.tree.tag(id) == Tag::Figure) else { continue };
            let (first, end) = self.range(figure);
            let is_between = first.checked_sub(1).is_some_and(|last| self.is_kept(last)) && self.is_kept(end);
            if is_between && end - first <= MAX_GAP_BLOCKS && !self.is_strange(block, figure) {
                self.set(first, end, true);
            }
        }
    }

    /// Keeps headings over sections of which most is kept.
    pub(super) fn headings_of_sections(&mut self, is_article: bool) {
        let mut before = false;
        for place in 0..self.keep.len() {
            if self.is_kept(place) {
                before = true;
                continue;
            }
            if before && self.is_heading_of_kept(place, is_article) {
                self.set(place, place + 1, true);
            }
        }
    }

    fn is_heading_of_kept(&self, place: usize, is_article: bool) -> bool {
        let Some(level) = self.level(place).filter(|&level| level > 1) else { return false };
        let Some(block) = self.block(place) else { return false };
        let in_list = self.chain(block.container).take(4).any(|around| self.tree.tag(around) == Tag::Li);
        // In an article, a heading that leads elsewhere is a teaser's.
        let leads_away =
            is_article && block.counts.link_words > 0 && !leads_to_itself(self.tree, block.container);
        let says = phrases::of(&self.label(block));
        if in_list || leads_away || matches!(says, Some(Phrase::Related | Phrase::Visitors)) {
            return false;
        }
        let end = (place + 1..self.keep.len().min(place + MAX_SOURCES))
            .find(|&next| self.level(next).is_some_and(|next| next <= level))
            .unwrap_or(self.keep.len());
        let Some(first) = (place + 1..end.min(place + 1 + MAX_UNDER)).find(|&next| self.is_kept(next)) else {
            return false;
        };
        let Some(shared) = self.shared(place, first).filter(|&shared| !self.is_page(shared)) else {
            return false;
        };
        let (_, limit) = self.range(shared);
        let end = end.min(limit);
        let kept = self.kept_words(place + 1, end);
        let words: u32 = (place + 1..end)
            .filter_map(|next| self.block(next))
            .filter(|block| !self.is_strange(block, shared))
            .map(|block| block.counts.words)
            .sum();
        let near = self.chain(block.container).take_while(|&around| around != shared).count();
        kept >= MIN_SECTION && 2 * kept >= words && near <= 4 && !self.is_strange(block, shared)
    }
}
