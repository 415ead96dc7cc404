//! Short gaps between kept blocks that are filled.

use super::{MAX_CLIMB, MAX_GAP_BLOCKS, Work};
use crate::content::blocks::Block;
use crate::rules::Rule;
use crate::tree::{NodeId, Tag};

/// Words of a gap in the text that is filled.
const MAX_GAP: u32 = 120;

/// A list item with this many words is a separate text; also the limit for the mean of the items around a gap.
const MAX_ITEM: u32 = 100;
const MEAN_ITEM: u32 = 40;

/// Paragraphs of a gap between their siblings.
const MAX_LINES: usize = 8;

/// Breaks in what is a list of lines, and nodes that are searched for them.
const LINES: usize = 3;
const MAX_IN_LINES: usize = 200;

impl Work<'_, '_> {
    /// Fills short gaps in the text: runs of blocks between two kept ones, inside an element that is not the whole page.
    pub(super) fn gaps(&mut self, is_article: bool) {
        let mut from = 0;
        while from < self.keep.len() {
            if self.is_kept(from) {
                from += 1;
                continue;
            }
            let to = (from..self.keep.len()).find(|&place| self.is_kept(place)).unwrap_or(self.keep.len());
            if from > 0 && to < self.keep.len() {
                if self.fits_gap(from, to) {
                    self.set(from, to, true);
                } else if is_article && self.tree.rules.has(Rule::LinesInGaps) {
                    self.lines_in_gap(from, to);
                }
            }
            from = to;
        }
    }

    /// Keeps paragraphs that were nearly chosen, between chosen ones of the same element: lines of links, beside
    /// advertisements.
    fn lines_in_gap(&mut self, from: usize, to: usize) {
        let parent = |place: usize| {
            let block = self.block(place)?;
            let tag = self.tree.tag(block.container);
            let is_flow = tag == Tag::P || tag.heading_level().is_some();
            is_flow.then(|| self.tree.parent(block.container))?
        };
        let Some(shared) = parent(from - 1).filter(|&shared| parent(to) == Some(shared)) else { return };
        if to - from > MAX_GAP_BLOCKS || self.is_page(shared) {
            return;
        }
        for place in from..to {
            let fits = self.nearly.get(place) == Some(&true)
                && self.paragraph(place).is_some_and(|(words, parent)| words <= MAX_GAP && parent == shared)
                && self.block(place).is_some_and(|block| !self.is_strange(block, shared));
            if fits {
                self.set(place, place + 1, true);
            }
        }
    }

    fn fits_gap(&self, from: usize, to: usize) -> bool {
        let Some(run) = self.blocks.blocks.get(from..to).filter(|run| run.len() <= MAX_GAP_BLOCKS) else {
            return false;
        };
        let (words, linked) = run.iter().fold((0, 0), |(words, linked), block| {
            (words + block.counts.words, linked + block.counts.link_words)
        });
        let Some(shared) = self.shared(from - 1, to).filter(|&shared| !self.is_page(shared)) else {
            return false;
        };
        let is_bare = run.iter().all(|block| block.container == shared && self.has_lines(block));
        let is_short = is_bare || run.len() >= 3 && words as usize <= 3 * run.len();
        if words > MAX_GAP || (2 * linked > words && !is_short) {
            return false;
        }
        let is_beside = |place: usize| {
            self.block(place).is_some_and(|block| {
                block.container == shared || self.tree.parent(block.container) == Some(shared)
            })
        };
        let rules = self.tree.rules;
        let is_in_list = rules.has(Rule::GapsInLists) && self.is_list_to_fill(shared, from, to);
        let is_flow = rules.has(Rule::GapsOfLines)
            && run.len() <= MAX_LINES
            && (linked == 0 || is_short)
            && is_beside(from - 1)
            && is_beside(to);
        run.iter().all(|block| {
            let is_paragraph = self.tree.tag(block.container) == Tag::P
                && self.tree.parent(block.container) == Some(shared)
                && block.counts.bold_words == 0;
            (is_in_list || (is_flow && (is_paragraph || is_bare))) && !self.is_strange(block, shared)
        })
    }

    /// Whether a block is lines between `<br>`, in no element of their own.
    fn has_lines(&self, block: &Block) -> bool {
        let texts = self.blocks.texts_of(block);
        let Some((&first, &last)) = texts.first().zip(texts.last()) else { return false };
        let mut around = self.tree.upward(first).take(MAX_CLIMB);
        let line = around.find(|&id| self.tree.parent(id) == Some(block.container));
        let lines = line.into_iter().flat_map(|line| self.tree.following(line)).take(MAX_IN_LINES);
        lines.take_while(|&id| id <= last).filter(|&id| self.tree.tag(id) == Tag::Br).nth(LINES - 1).is_some()
    }

    /// Returns true if a gap between two blocks in a list, or in an item of one, is filled. Not if the items are separate
    /// texts, such as posts of a thread or teasers.
    fn is_list_to_fill(&self, shared: NodeId, from: usize, to: usize) -> bool {
        match self.tree.tag(shared) {
            Tag::Li | Tag::Dd => self.page.around.sums_in(shared).words <= MAX_ITEM,
            Tag::Ul | Tag::Ol => {
                let item = |place: usize| {
                    let mut chain = self.chain(self.block(place)?.container);
                    chain.find(|&around| self.tree.parent(around) == Some(shared))
                };
                let items = [from - 1, from, to].map(item);
                let words = items.iter().flatten().map(|&item| self.page.around.sums_in(item).words);
                words.sum::<u32>() <= 3 * MEAN_ITEM
            }
            _ => false,
        }
    }
}
