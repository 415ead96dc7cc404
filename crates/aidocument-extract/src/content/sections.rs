//! What a person sees at a glance and a judge of single blocks does not: a paragraph that is missing between two others,
//! a note in a box, a list under "See also", teasers under "Related", a table of contents.
//!
//! The content model judges blocks by their words. These rules look at where a block stands: nothing is added but
//! inside the element that the kept text around it shares, and never where a name or role speaks against it.

mod flow;
mod teasers;
mod twice;

use super::about::About;
use super::blocks::{Block, Blocks};
use super::features::Page;
use super::phrases::{self, Phrase};
use crate::rules::Rule;
use crate::structure::noise;
use crate::tree::{NodeId, Tag, Tree};

/// Words of a gap in the text that is filled.
const MAX_GAP: u32 = 120;

/// Words of a gap in an article in which lists are kept.
const MAX_MIXED_GAP: u32 = 240;

/// Words of an item of a list from which on it is a text of its own, and of the items around a gap in the mean.
const MAX_ITEM: u32 = 100;
const MEAN_ITEM: u32 = 40;

/// Nodes of an item of a list that are looked at.
const MAX_ITEM_NODES: usize = 12;

/// Blocks of a gap that are looked at.
const MAX_GAP_BLOCKS: usize = 60;

/// Blocks that are not kept between the text and a list of sources.
const MAX_BETWEEN: usize = 8;

/// Blocks of a section that are looked at.
const MAX_SOURCES: usize = 2_000;

/// The level of a line that is a heading without being marked as one.
const LINE: u8 = 9;

/// Elements from a block up to what it shares with the kept text.
const MAX_CLIMB: usize = 24;

/// Words of a caption.
const MAX_CAPTION: u32 = 80;

/// Words of a box that asks for an address.
const MAX_PLEA: u32 = 80;

/// Words of a note in a box.
const MAX_NOTE: u32 = 300;

/// What share of the chance that a block needs is enough for one in the midst of kept text, or of a kept list.
pub(super) const NEARLY: f32 = 0.6;

/// Mends the choice of blocks; `nearly` are those that were nearly chosen. `O(n)` in blocks.
pub(super) fn tend(page: &Page<'_>, about: &About, is_article: bool, nearly: &[bool], keep: &mut [bool]) {
    let chosen = keep.to_vec();
    Work { page, tree: page.tree, blocks: page.blocks, nearly, keep: &mut *keep }
        .leave_out(about, is_article);
    // What was left out is not filled in again.
    let parts = nearly.iter().zip(chosen).zip(&*keep);
    let nearly: Vec<bool> = parts.map(|((&nearly, chosen), &kept)| nearly && (kept || !chosen)).collect();
    Work { page, tree: page.tree, blocks: page.blocks, nearly: &nearly, keep }.fill_in(is_article);
}

/// What keeps and leaves out in the end: in this order, some in articles alone.
type Pass = for<'w, 'a, 'k> fn(&'w mut Work<'a, 'k>, bool);
const PASSES: [(Rule, bool, Pass); 16] = [
    (Rule::RestOfTexts, false, |work, _| work.rest_of_texts()),
    (Rule::RestOfLists, false, |work, _| work.rest_of_lists()),
    (Rule::AnnouncedLists, false, |work, _| work.announced_lists()),
    (Rule::ListsBetween, true, |work, _| work.lists_between()),
    (Rule::Gaps, false, |work, is_article| work.gaps(is_article)),
    (Rule::Boxes, false, |work, _| work.boxes()),
    (Rule::FiguresOfCode, false, |work, _| work.figures_of_code()),
    (Rule::Captions, false, |work, _| work.captions()),
    (Rule::LoneCaptions, false, |work, _| work.lone_captions()),
    (Rule::Slides, true, |work, _| work.slides()),
    (Rule::Sources, false, |work, _| work.lists_of_sources()),
    (Rule::HeadingsOfSections, false, |work, is_article| work.headings_of_sections(is_article)),
    (Rule::Headings, false, |work, _| work.headings()),
    (Rule::EmptySections, false, |work, _| work.empty_sections()),
    (Rule::Repeats, false, |work, _| work.repeats()),
    (Rule::PartsTwice, false, |work, _| work.parts_twice()),
];

struct Work<'a, 'k> {
    page: &'a Page<'a>,
    tree: &'a Tree,
    blocks: &'a Blocks,
    nearly: &'a [bool],
    keep: &'k mut [bool],
}

impl<'a> Work<'a, '_> {
    /// Leaves out what belongs to no text: teasers, forms, tables of contents.
    fn leave_out(&mut self, about: &About, is_article: bool) {
        let rules = self.tree.rules;
        if is_article && rules.has(Rule::Cards) {
            self.cards(&about.host, None);
        }
        if let Some(article) = self.lone_article().filter(|_| rules.has(Rule::CardsBeside)) {
            self.cards(&about.host, Some(article));
        }
        if is_article && rules.has(Rule::ArticlesBeside) {
            self.articles_beside();
        }
        if rules.has(Rule::Teasers) {
            self.teasers(is_article);
        }
        self.pleas();
        if rules.has(Rule::Replies) {
            self.replies();
        }
        if is_article && rules.has(Rule::CardsAside) {
            self.cards_aside(&about.host);
        }
        if rules.has(Rule::Contents) {
            self.contents();
        }
    }

    /// Keeps what belongs to the kept text, and leaves out what is then seen to be alone or said twice.
    fn fill_in(&mut self, is_article: bool) {
        for (rule, of_articles, pass) in PASSES {
            if (is_article || !of_articles) && self.tree.rules.has(rule) {
                pass(self, is_article);
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
        std::iter::once(id).chain(tree.ancestors(id)).take(MAX_CLIMB)
    }

    /// The smallest element that holds all blocks from one to another, these included.
    fn shared(&self, from: usize, to: usize) -> Option<NodeId> {
        let start = self.block(from)?.container;
        self.chain(start).find(|&around| {
            let (first, end) = self.range(around);
            first <= from && end > to
        })
    }

    /// Whether something speaks against a block, in the elements below a given one.
    fn is_strange(&self, block: &Block, below: NodeId) -> bool {
        let mut inside = self.chain(block.container).take_while(|&around| around != below);
        inside.any(|around| self.page.marks.is_beside(around))
    }

    fn level(&self, place: usize) -> Option<u8> {
        let block = self.block(place)?;
        self.chain(block.container).take(3).find_map(|id| self.tree.tag(id).heading_level())
    }

    fn text(&self, block: &Block) -> String {
        let texts = self.blocks.texts_of(block).iter().take(40);
        texts.filter_map(|&id| self.tree.text(id)).collect()
    }

    /// The text of a block without links to itself and to where it is edited.
    fn label(&self, block: &Block) -> String {
        let is_noise = |id: NodeId| {
            let mut around = self.tree.ancestors(id).take(3).take_while(|&around| around != block.container);
            around.any(|around| noise::is_noise(self.tree, around, self.tree.tag(around), true))
        };
        let texts = self.blocks.texts_of(block).iter().take(40).filter(|&&id| !is_noise(id));
        texts.filter_map(|&id| self.tree.text(id)).collect()
    }

    /// Fills short gaps in the text: runs of blocks between two kept ones, inside an element that is not the whole page.
    fn gaps(&mut self, is_article: bool) {
        let mut from = 0;
        while from < self.keep.len() {
            if self.is_kept(from) {
                from += 1;
                continue;
            }
            let to = (from..self.keep.len()).find(|&place| self.is_kept(place)).unwrap_or(self.keep.len());
            if from > 0 && to < self.keep.len() {
                let rules = self.tree.rules;
                if self.fits_gap(from, to, is_article) {
                    self.set(from, to, true);
                } else if is_article {
                    if rules.has(Rule::ListsInGaps) {
                        self.lists_in_gap(from, to);
                    }
                    if rules.has(Rule::LinesInGaps) {
                        self.lines_in_gap(from, to);
                    }
                }
            }
            from = to;
        }
    }

    /// Keeps items that were nearly chosen next to kept items of the same list.
    fn rest_of_lists(&mut self) {
        let list = |work: &Self, place: usize| {
            let block = work.block(place)?;
            work.chain(block.container)
                .take(4)
                .find(|&around| matches!(work.tree.tag(around), Tag::Ul | Tag::Ol))
        };
        for place in (0..self.keep.len()).chain((0..self.keep.len()).rev()) {
            if self.is_kept(place) || self.nearly.get(place) != Some(&true) {
                continue;
            }
            let Some(own) = list(self, place) else { continue };
            let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
            let is_next = beside.filter(|&next| self.is_kept(next)).any(|next| list(self, next) == Some(own));
            let is_text =
                |block: &Block| block.counts.link_words < block.counts.words && !self.is_strange(block, own);
            let (first, end) = self.range(own);
            let near = first.max(place.saturating_sub(MAX_GAP_BLOCKS))..end.min(place + MAX_GAP_BLOCKS);
            let kept = near.clone().filter(|&other| self.is_kept(other)).count();
            if is_next && 3 * kept >= near.len() && self.block(place).is_some_and(is_text) {
                self.set(place, place + 1, true);
            }
        }
    }

    /// Keeps lists without links and the headings over them, in a gap that has other things as well.
    fn lists_in_gap(&mut self, from: usize, to: usize) {
        let Some(run) = self.blocks.blocks.get(from..to).filter(|run| run.len() <= MAX_GAP_BLOCKS) else {
            return;
        };
        let words: u32 = run.iter().map(|block| block.counts.words).sum();
        let Some(shared) = self.shared(from - 1, to) else { return };
        if words > MAX_MIXED_GAP || matches!(self.tree.tag(shared), Tag::Body | Tag::Html) {
            return;
        }
        let mut start = from;
        for place in from..=to {
            let is_part = place < to
                && self.block(place).is_some_and(|block| {
                    (self.is_plain_item(block) || self.is_in_heading(block))
                        && !self.is_strange(block, shared)
                });
            if is_part {
                continue;
            }
            if self.blocks.blocks.get(start..place).is_some_and(|part| self.is_plain_list(part)) {
                self.set(start, place, true);
            }
            start = place + 1;
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
        if to - from > MAX_GAP_BLOCKS || matches!(self.tree.tag(shared), Tag::Body | Tag::Html) {
            return;
        }
        for place in from..to {
            let fits = self.nearly.get(place) == Some(&true)
                && self.paragraph(place).is_some_and(|(words, parent)| words <= MAX_GAP && parent == shared)
                && self.block(place).is_some_and(|block| {
                    !self.is_strange(block, shared) && phrases::of(&self.text(block)).is_none()
                });
            if fits {
                self.set(place, place + 1, true);
            }
        }
    }

    fn fits_gap(&self, from: usize, to: usize, is_article: bool) -> bool {
        let Some(run) = self.blocks.blocks.get(from..to).filter(|run| run.len() <= MAX_GAP_BLOCKS) else {
            return false;
        };
        let (words, linked) = run.iter().fold((0, 0), |(words, linked), block| {
            (words + block.counts.words, linked + block.counts.link_words)
        });
        let is_short = run.len() >= 3 && words as usize <= 3 * run.len();
        let rules = self.tree.rules;
        let is_list = rules.has(Rule::GapsOfItems) && words <= MAX_GAP && self.is_plain_list(run);
        let is_nearly = self.nearly.get(from..to).is_some_and(|run| run.iter().all(|&nearly| nearly));
        if is_article && rules.has(Rule::GapsOfFlow) && linked == 0 && self.is_flow(from, to, words) {
            return true;
        }
        if !is_list && (words > MAX_GAP || (2 * linked > words && !is_short)) {
            return false;
        }
        let Some(shared) = self.shared(from - 1, to) else { return false };
        if matches!(self.tree.tag(shared), Tag::Body | Tag::Html) {
            return false;
        }
        let is_text = |block: &Block| {
            2 * block.counts.link_words <= block.counts.words
                && block.counts.words >= 3
                && !self.is_in_caption(block)
                && !self.is_strange(block, shared)
        };
        if is_article
            && rules.has(Rule::GapsNearly)
            && is_nearly
            && words as usize >= 6 * run.len()
            && words <= MAX_GAP
            && run.iter().all(is_text)
        {
            return true;
        }
        let is_beside = |place: usize| {
            self.block(place).is_some_and(|block| {
                block.container == shared || self.tree.parent(block.container) == Some(shared)
            })
        };
        let is_in_list = rules.has(Rule::GapsInLists) && self.is_list_to_fill(shared, from, to);
        let is_flow = rules.has(Rule::GapsOfLines)
            && run.len() <= 8
            && (linked == 0 || is_short)
            && is_beside(from - 1)
            && is_beside(to);
        run.iter().all(|block| {
            let is_paragraph = self.tree.tag(block.container) == Tag::P
                && self.tree.parent(block.container) == Some(shared)
                && block.counts.bold_words == 0;
            let is_plea = block.counts.words <= 9
                && matches!(phrases::of(&self.text(block)), Some(Phrase::Visitors | Phrase::Related));
            let is_text = is_list
                || is_in_list
                || (rules.has(Rule::GapsOfHeadings) && self.is_in_heading_or_code(block, shared))
                || (is_flow && is_paragraph);
            is_text && !is_plea && !self.is_strange(block, shared)
        })
    }

    /// Keeps whole lists between two paragraphs of which both are kept, should less than half of their words be
    /// linked. All three are children of one element; the list has no name or role that speaks against it.
    fn lists_between(&mut self) {
        let mut place = 1;
        while place < self.keep.len() {
            match self.list_between(place) {
                Some(end) => {
                    self.set(place, end, true);
                    place = end;
                }
                None => place += 1,
            }
        }
    }

    /// The end of the list that starts at a block, if it is one to keep for what is around it.
    fn list_between(&self, place: usize) -> Option<usize> {
        if self.is_kept(place) || !self.is_kept(place - 1) {
            return None;
        }
        let start = self.block(place)?.container;
        let (before, shared) = self.paragraph(place - 1)?;
        let list = self.chain(start).find(|&around| self.tree.parent(around) == Some(shared))?;
        let (first, end) = self.range(list);
        let sums = self.page.around.sums_in(list);
        let fits = matches!(self.tree.tag(list), Tag::Ul | Tag::Ol)
            && first == place
            && !matches!(self.tree.tag(shared), Tag::Body | Tag::Html)
            && !self.page.marks.is_strange(list)
            && self.paragraph(end).is_some_and(|(_, parent)| parent == shared)
            && (self.is_kept(end) || self.nearly.get(end) == Some(&true))
            && (end - first >= 2 && end - first <= MAX_GAP_BLOCKS)
            && sums.words <= MAX_MIXED_GAP.min(before + MAX_GAP)
            && 2 * sums.link_words < sums.words
            && sums.images == 0
            && (first..end).all(|item| {
                self.block(item).is_some_and(|block| {
                    let item = self.chain(block.container).take(4).find(|&id| self.tree.tag(id) == Tag::Li);
                    !self.is_strange(block, list)
                        && !self.is_control(list)
                        && !item.is_some_and(|it| self.is_control(it))
                })
            });
        fits.then_some(end)
    }

    /// The words and the parent of the paragraph that a block is.
    fn paragraph(&self, place: usize) -> Option<(u32, NodeId)> {
        let block = self.block(place).filter(|block| self.tree.tag(block.container) == Tag::P)?;
        Some((block.counts.words, self.tree.parent(block.container)?))
    }

    /// Leaves out the slides of a gallery inside an article that has a text of its own: neighbours that begin with their
    /// numbers, such as "1/50", "2/50".
    fn slides(&mut self) {
        let mut found: Vec<(usize, u32)> = Vec::new();
        for place in 0..self.keep.len() {
            let Some(block) = self.block(place).filter(|_| self.is_kept(place)) else { continue };
            let first = self
                .blocks
                .texts_of(block)
                .iter()
                .find_map(|&id| self.tree.text(id).map(str::trim).filter(|text| !text.is_empty()));
            let Some((number, _)) = first.and_then(slide_number) else { continue };
            if found.last().is_some_and(|&(_, last)| last + 1 == number) || (found.is_empty() && number == 1)
            {
                found.push((place, number));
            }
        }
        let (Some(&(from, _)), Some(&(to, _))) = (found.first(), found.last()) else { return };
        if found.len() < MIN_SLIDES {
            return;
        }
        let Some(gallery) = self.shared(from, to) else { return };
        let (first, end) = self.range(gallery);
        let apart = self.kept_words(0, first) + self.kept_words(end, self.keep.len());
        if apart >= MIN_ARTICLE && first + 2 >= from {
            self.set(first, end, false);
        }
    }

    /// Leaves out forms for comments: what is to be filled in, with the heading over it.
    fn replies(&mut self) {
        if !self.tree.has(Tag::Textarea) {
            return;
        }
        let areas = self.tree.descendants(Tree::ROOT).filter(|&id| self.tree.tag(id) == Tag::Textarea);
        let forms: Vec<NodeId> = areas
            .filter_map(|id| {
                self.tree.ancestors(id).take(MAX_CLIMB).find(|&around| self.tree.tag(around) == Tag::Form)
            })
            .take(MAX_FORMS)
            .collect();
        for form in forms {
            let (first, end) = self.range(form);
            if self.page.around.sums_in(form).words > MAX_PLEA {
                continue;
            }
            self.set(first, end, false);
            if let Some(head) = first.checked_sub(1).filter(|&head| self.level(head).is_some()) {
                self.set(head, head + 1, false);
            }
        }
    }

    /// Whether a gap is one in a row of paragraphs of which most are kept: all are children of one element, and the kept
    /// ones around the gap have more words.
    fn is_flow(&self, from: usize, to: usize, words: u32) -> bool {
        let parent = |place: usize| {
            let block = self.block(place).filter(|block| self.tree.tag(block.container) == Tag::P)?;
            self.tree.parent(block.container)
        };
        let Some(shared) = parent(from - 1) else { return false };
        let is_sibling = |place: usize| parent(place) == Some(shared);
        let kept = |places: &mut dyn Iterator<Item = usize>| -> u32 {
            let flow = places.take_while(|&place| self.is_kept(place) && is_sibling(place));
            flow.take(MAX_GAP_BLOCKS)
                .filter_map(|place| self.block(place))
                .map(|block| block.counts.words)
                .sum()
        };
        !matches!(self.tree.tag(shared), Tag::Body | Tag::Html)
            && (from..=to).all(is_sibling)
            && kept(&mut (0..from).rev()) + kept(&mut (to..self.keep.len())) >= words
            && (from..to).filter_map(|place| self.block(place)).all(|block| !self.is_strange(block, shared))
    }

    /// Whether blocks are lists without links, with the headings over them: what speaks for and against something, what
    /// a thing is made of. A list of teasers or a menu has links.
    fn is_plain_list(&self, run: &[Block]) -> bool {
        let items = run.iter().filter(|block| self.is_plain_item(block)).count();
        items >= 2 && run.iter().all(|block| self.is_plain_item(block) || self.is_in_heading(block))
    }

    /// Whether a block is in an item of a list without links; without images, which galleries have; and not one of tabs
    /// or of a menu, which have roles.
    fn is_plain_item(&self, block: &Block) -> bool {
        let item = self.chain(block.container).take(4).find(|&around| self.tree.tag(around) == Tag::Li);
        let is_image = |id: NodeId| self.tree.tag(id) == Tag::Img;
        item.is_some_and(|item| {
            let list = self.tree.parent(item).unwrap_or(item);
            ![item, list].into_iter().any(|id| self.is_control(id))
                && self.page.around.sums_in(list).link_words == 0
                && !self.tree.descendants(item).take(MAX_ITEM_NODES).any(is_image)
        })
    }

    /// Whether a list or an item has the role of something else.
    fn is_control(&self, id: NodeId) -> bool {
        self.tree.attr(id, "role").is_some_and(|role| !matches!(role, "list" | "listitem"))
    }

    fn is_in_heading(&self, block: &Block) -> bool {
        self.chain(block.container).take(3).any(|id| self.tree.tag(id).heading_level().is_some())
    }

    /// Whether a block is in a heading without links or in code: other text is better judged by its words.
    fn is_in_heading_or_code(&self, block: &Block, shared: NodeId) -> bool {
        self.chain(block.container).take(6).take_while(|&around| around != shared).any(|around| {
            let tag = self.tree.tag(around);
            tag == Tag::Pre
                || tag
                    .heading_level()
                    .is_some_and(|_| block.counts.link_words == 0 || leads_to_itself(self.tree, around))
        })
    }

    /// Whether a block describes an image: the image takes its text.
    fn is_in_caption(&self, block: &Block) -> bool {
        self.chain(block.container).take(3).any(|around| {
            self.tree.tag(around) == Tag::Figcaption
                || self
                    .tree
                    .attr(around, "class")
                    .is_some_and(|class| class.to_ascii_lowercase().contains("caption"))
        })
    }

    /// Leaves out what repeats the kept text right before it: a page has some parts once for wide windows and once for
    /// narrow ones. Not where both are neighbours in one element, as the lines of a song are.
    fn repeats(&mut self) {
        let said: Vec<Said> = (0..self.keep.len())
            .filter(|&place| self.is_kept(place))
            .filter_map(|place| self.said(place))
            .collect();
        let mut at = 1;
        while at < said.len() {
            let length = (1..=at.min(MAX_REPEAT)).find(|&length| {
                let (Some(first), Some(second)) = (said.get(at - length..at), said.get(at..at + length))
                else {
                    return false;
                };
                first.iter().zip(second).all(|(a, b)| a.hash == b.hash && a.words == b.words)
                    && first.iter().map(|said| said.words).sum::<u32>() >= MIN_REPEAT
                    && first.first().map(|said| said.parent) != second.first().map(|said| said.parent)
                    && second.iter().all(|said| !said.is_verbatim)
            });
            for said in said.iter().skip(at).take(length.unwrap_or(0)) {
                self.set(said.place, said.place + 1, false);
            }
            at += length.unwrap_or(1);
        }
    }

    /// What a block says, where it has words.
    fn said(&self, place: usize) -> Option<Said> {
        let block = self.block(place).filter(|block| block.counts.words > 0)?;
        let is_verbatim = self
            .chain(block.container)
            .take(4)
            .any(|around| matches!(self.tree.tag(around), Tag::Pre | Tag::Td | Tag::Th));
        let parent = self.tree.parent(block.container);
        let (hash, words) = (block.counts.hash, block.counts.words);
        Some(Said { place, hash, words, parent, is_verbatim })
    }

    /// Whether the gap from a block up to another is filled where it is in a list, or in an item of one. Not so where items
    /// are texts of their own: posts of a thread, teasers.
    fn is_list_to_fill(&self, shared: NodeId, from: usize, to: usize) -> bool {
        match self.tree.tag(shared) {
            Tag::Dl => true,
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

    /// Keeps the captions of figures that hold kept text: who said a quote, what a block of code is.
    fn captions(&mut self) {
        for place in 0..self.keep.len() {
            let Some(block) = self.block(place).filter(|block| block.counts.words <= MAX_CAPTION) else {
                continue;
            };
            if self.is_kept(place) {
                continue;
            }
            let is_caption = |id: NodeId| self.tree.tag(id) == Tag::Figcaption;
            let in_caption = self.chain(block.container).take(3).any(is_caption);
            let figure = self.chain(block.container).take(5).find(|&id| self.tree.tag(id) == Tag::Figure);
            if in_caption && let Some(figure) = figure {
                let (first, end) = self.range(figure);
                let near = first.max(place.saturating_sub(MAX_GAP_BLOCKS))..end.min(place + MAX_GAP_BLOCKS);
                if near.into_iter().any(|other| self.is_kept(other)) {
                    self.set(place, place + 1, true);
                }
            }
        }
    }

    /// Keeps captions between two kept texts where no image takes them: one of a table, of a graphic that a script draws.
    fn lone_captions(&mut self) {
        for place in 1..self.keep.len() {
            let fits = |block: &&Block| (3..=MAX_CAPTION).contains(&block.counts.words);
            let Some(block) = self.block(place).filter(fits).filter(|_| !self.is_kept(place)) else {
                continue;
            };
            let is_caption = |&id: &NodeId| self.tree.tag(id) == Tag::Figcaption;
            let Some(caption) = self.chain(block.container).take(3).find(is_caption) else { continue };
            let figure = self.tree.ancestors(caption).take(3).find(|&id| self.tree.tag(id) == Tag::Figure);
            let unit = figure.unwrap_or(caption);
            let (first, end) = self.range(unit);
            let is_between =
                first.checked_sub(1).is_some_and(|before| self.is_kept(before)) && self.is_kept(end);
            let shows = |id: NodeId| {
                matches!(
                    self.tree.tag(id),
                    Tag::Img | Tag::Noscript | Tag::Iframe | Tag::Video | Tag::Audio | Tag::Embed
                )
            };
            if !is_between
                || (figure.is_none() && !self.follows_table(caption))
                || (figure.is_some() && self.tree.descendants(unit).take(MAX_FIGURE).any(shows))
                || self
                    .shared(first - 1, end)
                    .is_none_or(|id| matches!(self.tree.tag(id), Tag::Body | Tag::Html))
                || self.is_strange(block, unit)
            {
                continue;
            }
            self.set(place, place + 1, true);
        }
    }

    /// Whether the element before another is a table.
    fn follows_table(&self, id: NodeId) -> bool {
        let before =
            std::iter::successors(self.tree.prev_sibling(id), |&before| self.tree.prev_sibling(before));
        before.take(2).find(|&id| self.tree.is_element(id)).is_some_and(|id| self.tree.tag(id) == Tag::Table)
    }

    /// Keeps boxes with notes beside kept text: admonitions, callouts, notecards.
    fn boxes(&mut self) {
        let mut place = 1;
        while place < self.keep.len() {
            let found = if self.is_kept(place) { None } else { self.note_at(place) };
            match found {
                Some(end) => {
                    self.set(place, end, true);
                    place = end;
                }
                None => place += 1,
            }
        }
    }

    /// The end of the note that starts at a block, if it is in the same section as the kept block before it.
    fn note_at(&self, place: usize) -> Option<usize> {
        let block = self.block(place)?;
        let note = self.chain(block.container).take(8).find(|&around| self.page.marks.is_note(around))?;
        let (first, end) = self.range(note);
        let near = self.is_kept(first.checked_sub(1)?) || self.is_kept(end);
        let beside = if self.is_kept(first - 1) { first - 1 } else { end };
        let around = self.tree.parent(note)?;
        let (from, to) = self.range(around);
        let words = self.page.around.sums_in(note);
        let fits = first == place
            && near
            && (from..to).contains(&beside)
            && !matches!(self.tree.tag(around), Tag::Body | Tag::Html)
            && words.words <= MAX_NOTE
            && 2 * words.link_words <= words.words
            && !self.is_strange(block, note);
        fits.then_some(end)
    }

    /// Keeps the list under a kept text's heading such as "See also" or "References", with the heading.
    fn lists_of_sources(&mut self) {
        for place in 1..self.keep.len() {
            let Some(block) = self.block(place).filter(|block| block.counts.words <= 6) else { continue };
            // A lone line over a list is a heading as well.
            let is_line = matches!(self.tree.tag(block.container), Tag::P | Tag::Div);
            let Some(level) = self.level(place).or(is_line.then_some(LINE)) else { continue };
            let before = place.saturating_sub(MAX_BETWEEN)..place;
            let Some(last_kept) = before.rev().find(|&before| self.is_kept(before)) else { continue };
            if phrases::of(&self.label(block)) != Some(Phrase::Sources) {
                continue;
            }
            let end = (place + 1..self.keep.len().min(place + MAX_SOURCES))
                .find(|&next| self.level(next).is_some_and(|next| next <= level))
                .unwrap_or(self.keep.len());
            let Some(shared) = self.shared(last_kept, place) else { continue };
            if matches!(self.tree.tag(shared), Tag::Body | Tag::Html) {
                continue;
            }
            // Of the section, the items of lists: what comes behind them may be anything.
            let (_, limit) = self.range(shared);
            let is_item = |next: usize| {
                self.block(next).is_some_and(|block| {
                    !self.is_strange(block, shared)
                        && self
                            .chain(block.container)
                            .take(4)
                            .any(|around| matches!(self.tree.tag(around), Tag::Li | Tag::Dd | Tag::Dt))
                })
            };
            let end = end.min(limit);
            // Boxes that lead to sister sites may come before them.
            let start =
                (place + 1..end.min(place + 1 + MAX_BETWEEN)).find(|&next| is_item(next)).unwrap_or(end);
            if let Some(last) = (start..end).take_while(|&next| is_item(next)).last() {
                self.set(place, place + 1, true);
                self.set(start, last + 1, true);
            }
        }
    }

    /// The words that are kept of the blocks from one on to before another.
    fn kept_words(&self, from: usize, to: usize) -> u32 {
        let kept = (from..to).filter(|&place| self.is_kept(place));
        kept.filter_map(|place| self.block(place)).map(|block| block.counts.words).sum()
    }

    /// Leaves out tables of contents: lists whose links lead to places on the page, with the label over them.
    fn contents(&mut self) {
        let mut place = 0;
        while place < self.keep.len() {
            match self.contents_at(place) {
                Some((first, end)) => {
                    self.set(first, end, false);
                    place = end.max(place + 1);
                }
                None => place += 1,
            }
        }
    }

    fn contents_at(&self, place: usize) -> Option<(usize, usize)> {
        let block = self.block(place).filter(|block| self.is_kept(place) && block.counts.links > 0)?;
        let list = self
            .chain(block.container)
            .take(6)
            .filter(|&around| matches!(self.tree.tag(around), Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table))
            .last()?;
        let sums = self.page.around.sums_in(list);
        let (first, end) = self.range(list);
        // The label over it may be its first row.
        let is_label = |before: usize| {
            self.block(before).is_some_and(|block| {
                block.counts.words <= 8 && phrases::of(&self.text(block)) == Some(Phrase::Contents)
            })
        };
        // The first of them may be ones that were not kept.
        let is_link = |before: usize| {
            self.block(before).is_some_and(|block| block.counts.link_words == block.counts.words)
        };
        let is_first = (first + 1 == place && is_label(first))
            || (first <= place && (first..place).all(|before| !self.is_kept(before) && is_link(before)));
        if !is_first || 10 * sums.link_words < 8 * sums.words {
            return None;
        }
        let (mut here, mut all) = (0u32, 0u32);
        for id in self.tree.descendants(list).filter(|&id| self.tree.tag(id) == Tag::A) {
            let Some(href) = self.tree.attr(id, "href").map(str::trim) else { continue };
            all += 1;
            here += u32::from(href.len() > 1 && href.starts_with('#'));
        }
        if here < 3 || 10 * here < 8 * all {
            return None;
        }
        // Its label stands right before.
        let label = first.checked_sub(1).filter(|&before| is_label(before));
        Some((label.unwrap_or(first), end))
    }

    /// Keeps headings right over kept text that they share an element with.
    fn headings(&mut self) {
        for place in (0..self.keep.len()).rev() {
            if self.is_kept(place) || !self.is_kept(place + 1) {
                continue;
            }
            let (Some(level), Some(block)) = (self.level(place), self.block(place)) else { continue };
            let says = phrases::of(&self.label(block));
            let in_list = self.chain(block.container).take(4).any(|around| self.tree.tag(around) == Tag::Li);
            if (level == 1 && !self.is_between_text(place))
                || in_list
                || matches!(says, Some(Phrase::Related | Phrase::Visitors))
            {
                continue;
            }
            let Some(shared) = self.shared(place, place + 1) else { continue };
            let near = self.chain(block.container).take_while(|&around| around != shared).count();
            // A line over the title is a date or a section.
            let is_first = !place.checked_sub(1).is_some_and(|before| self.is_kept(before));
            if is_first && self.level(place + 1).is_some() {
                continue;
            }
            // The button of an accordion is in its heading.
            let is_button = self.tree.tag(block.container) == Tag::Button;
            if near <= 4
                && !matches!(self.tree.tag(shared), Tag::Body | Tag::Html)
                && (is_button || !self.is_strange(block, shared))
            {
                self.set(place, place + 1, true);
            }
        }
    }

    /// Whether a heading of the highest level parts the text: some use no other level. The page's title is over it.
    fn is_between_text(&self, place: usize) -> bool {
        let parent = |place: usize| self.tree.parent(self.block(place)?.container);
        let Some(before) = place.checked_sub(1).filter(|&before| self.is_kept(before)) else { return false };
        let is_text = |place: usize| self.block(place).is_some_and(|block| block.counts.words >= MIN_REPEAT);
        is_text(before) && [before, place + 1].into_iter().all(|beside| parent(beside) == parent(place))
    }

    /// Leaves out headings of sections of which nothing is kept.
    fn empty_sections(&mut self) {
        for place in (0..self.keep.len()).rev() {
            let Some(level) = self.level(place).filter(|&level| level > 1 && self.is_kept(place)) else {
                continue;
            };
            let end = (place + 1..self.keep.len())
                .find(|&next| self.is_kept(next) || self.level(next).is_some_and(|next| next <= level));
            let Some(end) = end else { continue };
            let words: u32 = self
                .blocks
                .blocks
                .get(place + 1..end)
                .unwrap_or_default()
                .iter()
                .map(|block| block.counts.words)
                .sum();
            let is_over_nothing = self.level(end).is_some_and(|next| next <= level);
            if is_over_nothing && words >= 20 {
                self.set(place, place + 1, false);
            }
        }
    }
}

/// What a kept block says.
struct Said {
    place: usize,
    /// The hash of its words.
    hash: u64,
    words: u32,
    parent: Option<NodeId>,
    /// Whether it is in a table or in code, where lines may well be the same.
    is_verbatim: bool,
}

/// Blocks of a part that a page has twice, and words from which on it is no accident.
const MAX_REPEAT: usize = 40;
const MIN_REPEAT: u32 = 8;

/// Kept words of an article beside which lists of teasers are no content.
const MIN_ARTICLE: u32 = 150;

/// Slides from which on they are a gallery.
const MIN_SLIDES: usize = 5;

/// Forms that are looked at.
const MAX_FORMS: usize = 16;

/// Nodes of a figure that are looked at.
const MAX_FIGURE: usize = 60;

/// The number of a slide and how many there are, from a text such as "3/50 The harbour".
fn slide_number(text: &str) -> Option<(u32, u32)> {
    let (number, rest) = text.split_once('/')?;
    let rest = rest.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (all, behind) = rest.split_at_checked(digits)?;
    let is_apart = behind.chars().next().is_none_or(char::is_whitespace);
    let (number, all) = (number.trim().parse().ok()?, all.parse().ok()?);
    (is_apart && number >= 1 && number <= all && (5..=999).contains(&all)).then_some((number, all))
}

/// Whether a heading's link leads to a place on the page: to itself.
fn leads_to_itself(tree: &Tree, heading: NodeId) -> bool {
    let mut links = tree.descendants(heading).take(12).filter(|&inner| tree.tag(inner) == Tag::A);
    links.all(|link| tree.attr(link, "href").is_none_or(|href| href.trim().starts_with('#')))
}

#[cfg(test)]
mod tests;
