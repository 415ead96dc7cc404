//! Short gaps between kept blocks that are filled.

use super::{MAX_GAP_BLOCKS, Work};
use crate::rules::Rule;
use crate::tree::{NodeId, Tag};

/// Words of a gap in the text that is filled.
const MAX_GAP: u32 = 120;

/// A list item with this many words is a separate text; also the limit for the mean of the items around a gap.
const MAX_ITEM: u32 = 100;
const MEAN_ITEM: u32 = 40;

/// Paragraphs of a gap between their siblings.
const MAX_LINES: usize = 8;

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
        let is_short = run.len() >= 3 && words as usize <= 3 * run.len();
        if words > MAX_GAP || (2 * linked > words && !is_short) {
            return false;
        }
        let Some(shared) = self.shared(from - 1, to).filter(|&shared| !self.is_page(shared)) else {
            return false;
        };
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
            (is_in_list || (is_flow && is_paragraph)) && !self.is_strange(block, shared)
        })
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
