//! Rules for what a classifier of single blocks cannot see: a missing paragraph between two kept ones, a heading over kept
//! text, a table of contents, a part that occurs twice.
//!
//! These rules use the position of a block: text is only added inside the element that the kept text around it shares, and
//! never against an element's name or role. `docs/rules.md` lists the rules and what each is worth.

mod companions;
mod ends;
mod gaps;
mod left_out;
mod twice;

use super::blocks::{Block, Blocks};
use super::features::Page;
use crate::rules::Rule;
use crate::structure::noise;
use crate::structure::roles::heading_at;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::labels::{self, Phrase};

/// Blocks of a gap or list that are looked at.
const MAX_GAP_BLOCKS: usize = 60;

/// Blocks of a section that are looked at.
const MAX_SECTION: usize = 2_000;

/// Elements from a block up to what it shares with the kept text.
const MAX_CLIMB: usize = 24;

/// From this many words on, a repeated text is not a coincidence.
const MIN_REPEAT: u32 = 8;

/// The share of the required probability that is enough for a block in the middle of kept text.
pub(super) const NEARLY: f32 = 0.6;

/// A rule and what it does; it is told whether the page is an article.
type Pass = (Rule, for<'w, 'a, 'k> fn(&'w mut Work<'a, 'k>, bool));

/// Rules that leave out, in this order.
const LEAVE_OUT: [Pass; 5] = [
    (Rule::Teasers, |work, is_article| {
        work.teasers(is_article);
        if is_article {
            work.links_to_more();
        }
    }),
    (Rule::Pleas, |work, _| work.pleas()),
    (Rule::Navigation, |work, _| work.navigation()),
    (Rule::Contents, |work, _| work.contents()),
    (Rule::Turning, |work, _| work.turning()),
];

/// Rules that keep, and then leave out repetitions, in this order.
const FILL_IN: [Pass; 11] = [
    (Rule::RestOfTexts, |work, _| work.rest_of_texts()),
    (Rule::AnnouncedLists, |work, _| work.announced_lists()),
    (Rule::CodeAndNotes, |work, _| work.code_and_notes()),
    (Rule::EndOfMain, |work, _| work.end_of_main()),
    (Rule::Gaps, |work, is_article| work.gaps(is_article)),
    (Rule::Captions, |work, _| work.captions()),
    (Rule::LoneCaptions, |work, _| work.lone_captions()),
    (Rule::Headings, |work, is_article| work.headings(is_article)),
    (Rule::EmptySections, |work, _| work.empty_sections()),
    (Rule::Repeats, |work, _| work.repeats()),
    (Rule::PartsTwice, |work, _| work.parts_twice()),
];

/// Applies the rules to the choice of blocks; `nearly` marks those that were nearly chosen. `O(n)`
/// in blocks.
pub(super) fn tend(page: &Page<'_>, is_article: bool, nearly: &[bool], keep: &mut [bool]) {
    let chosen = keep.to_vec();
    Work::run(page, is_article, nearly, keep, &LEAVE_OUT);
    // What was left out is not filled in again.
    let parts = nearly.iter().zip(chosen).zip(&*keep);
    let nearly: Vec<bool> = parts.map(|((&nearly, chosen), &kept)| nearly && (kept || !chosen)).collect();
    Work::run(page, is_article, &nearly, keep, &FILL_IN);
}

struct Work<'a, 'k> {
    page: &'a Page<'a>,
    tree: &'a Tree,
    blocks: &'a Blocks,
    nearly: &'a [bool],
    keep: &'k mut [bool],
}

impl<'a, 'k> Work<'a, 'k> {
    fn run(page: &'a Page<'a>, is_article: bool, nearly: &'a [bool], keep: &'k mut [bool], passes: &[Pass]) {
        let mut work = Work { page, tree: page.tree, blocks: page.blocks, nearly, keep };
        for (rule, pass) in passes {
            if work.tree.rules.has(*rule) {
                pass(&mut work, is_article);
            }
        }
    }

    fn is_kept(&self, place: usize) -> bool {
        self.keep.get(place) == Some(&true)
    }

    fn set(&mut self, from: usize, to: usize, keep: bool) {
        if let Some(places) = self.keep.get_mut(from..to) {
            places.fill(keep);
        }
    }

    fn block(&self, place: usize) -> Option<&'a Block> {
        self.blocks.blocks.get(place)
    }

    /// The blocks in an element: the first and the one after the last.
    fn range(&self, id: NodeId) -> (usize, usize) {
        let sums = self.page.around.sums_in(id);
        (sums.first as usize, (sums.first + sums.blocks) as usize)
    }

    /// The element and those around it, innermost first.
    fn chain(&self, id: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        let tree = self.tree;
        tree.upward(id).take(MAX_CLIMB)
    }

    /// The smallest element that holds all blocks from one to another, these included.
    fn shared(&self, from: usize, to: usize) -> Option<NodeId> {
        let start = self.block(from)?.container;
        self.chain(start).find(|&around| {
            let (first, end) = self.range(around);
            first <= from && end > to
        })
    }

    /// Returns true if an element around a block, below a given one, shows that it is not content.
    fn is_strange(&self, block: &Block, below: NodeId) -> bool {
        let mut inside = self.chain(block.container).take_while(|&around| around != below);
        inside.any(|around| self.page.is_beside(around))
    }

    fn level(&self, place: usize) -> Option<u8> {
        heading_at(self.tree, self.block(place)?.container).map(|(level, _)| level)
    }

    /// Where the section of a heading ends: at the next heading of its level or a higher one.
    fn section_end(&self, place: usize, level: u8) -> usize {
        let end = self.keep.len().min(place + MAX_SECTION);
        (place + 1..end).find(|&next| self.level(next).is_some_and(|next| next <= level)).unwrap_or(end)
    }

    fn text(&self, block: &Block) -> String {
        let texts = self.blocks.texts_of(block).iter().take(40);
        texts.filter_map(|&id| self.tree.text(id)).collect()
    }

    /// Whether a block is kept, and announces by a colon what follows.
    fn announces(&self, place: usize) -> bool {
        self.is_kept(place)
            && self.block(place).is_some_and(|line| self.text(line).trim_end().ends_with([':', '：']))
    }

    /// The phrase of a block of a few words.
    fn says(&self, block: &Block) -> Option<Phrase> {
        if block.counts.words > MAX_LABEL {
            return None;
        }
        // Without links to itself and to where it is edited.
        let is_noise = |id: NodeId| {
            let mut around = self.tree.ancestors(id).take(3).take_while(|&around| around != block.container);
            around.any(|around| noise::is_noise(self.tree, around, self.tree.tag(around), true))
        };
        let texts = self.blocks.texts_of(block).iter().take(40).filter(|&&id| !is_noise(id));
        let label: String = texts.filter_map(|&id| self.tree.text(id)).collect();
        labels::of(&label)
    }

    fn is_page(&self, id: NodeId) -> bool {
        matches!(self.tree.tag(id), Tag::Body | Tag::Html)
    }

    /// The words and the parent of the paragraph that a block is.
    fn paragraph(&self, place: usize) -> Option<(u32, NodeId)> {
        let block = self.block(place).filter(|block| self.tree.tag(block.container) == Tag::P)?;
        Some((block.counts.words, self.tree.parent(block.container)?))
    }

    /// The words that are kept of the blocks from one on to before another.
    fn kept_words(&self, from: usize, to: usize) -> u32 {
        let kept = (from..to).filter(|&place| self.is_kept(place));
        kept.filter_map(|place| self.block(place)).map(|block| block.counts.words).sum()
    }
}

/// Words of a label.
const MAX_LABEL: u32 = 9;

#[cfg(test)]
mod tests;
