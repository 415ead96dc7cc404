//! Rules that keep text because it belongs to kept text: the rest of a text, a list after its announcing line, captions,
//! headings.

use super::{MAX_GAP_BLOCKS, Work};
use crate::content::blocks::Block;
use crate::content::surroundings::is_prose;
use crate::structure::roles::heading_at;
use crate::tree::{NodeId, NodeMap, Tag, Tree};
use crate::words::labels::Phrase;

/// With this many words in kept paragraphs, the rest of a text is kept too.
const MIN_FLOW: u32 = 150;

/// Words of a list that a line announces.
const MAX_LIST: u32 = 240;

/// Words of a caption.
const MAX_CAPTION: u32 = 80;

/// Nodes of a figure that are looked at.
const MAX_FIGURE: usize = 60;

/// Kept words of a section from which on its heading is kept.
const MIN_SECTION: u32 = 20;

/// Blocks from a heading to the first kept one under it.
const MAX_UNDER: usize = 6;

/// A section with this many words is not just a heading over an image.
const MIN_EMPTY: u32 = 20;

/// Nor is a list or table with so many links, if they are most of it.
const MIN_LINKS: u32 = 3;

/// More headings after the last text are the titles of a list: of products, of recipes.
const MAX_BEHIND: usize = 3;

/// From this many words on, a line without a link is not one of a table of contents.
const MIN_PROSE: u32 = 12;

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
    /// Keeps paragraphs that were nearly chosen among paragraphs of one element of which most are kept.
    pub(super) fn rest_of_texts(&mut self) {
        let parent = |work: &Self, place: usize| {
            let (_, parent) = work.paragraph(place)?;
            let block = work.block(place)?;
            let is_text = is_prose(&block.counts) && !work.is_page(parent) && !work.is_strange(block, parent);
            is_text.then_some((parent, block.counts.words))
        };
        let mut parts: NodeMap<Part> = NodeMap::default();
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

    /// Keeps a list that a kept line announces by its colon, between kept texts, and a block of code also at the end.
    pub(super) fn announced_lists(&mut self) {
        for place in 0..self.keep.len().saturating_sub(1) {
            if self.is_kept(place + 1) || !self.announces(place) {
                continue;
            }
            let Some(next) = self.block(place + 1) else { continue };
            let list = self
                .chain(next.container)
                .filter(|&id| matches!(self.tree.tag(id), Tag::Ul | Tag::Ol | Tag::Pre))
                .filter(|&id| self.range(id).0 == place + 1)
                .last();
            let Some(list) = list else { continue };
            let (first, end) = self.range(list);
            let sums = self.page.around.sums_in(list);
            let fits = (self.is_kept(end) || self.tree.tag(list) == Tag::Pre)
                && end - first <= MAX_GAP_BLOCKS
                && sums.words <= MAX_LIST
                && sums.images == 0
                && !self.page.is_strange(list)
                && !self.is_control(list)
                && self.shared(place, end - 1).is_some_and(|shared| !self.is_page(shared))
                && (first..end)
                    .all(|item| self.block(item).is_some_and(|block| !self.is_strange(block, list)));
            if fits {
                self.set(first, end, true);
            }
        }
    }

    /// Whether a list or an item has the role of something else.
    fn is_control(&self, id: NodeId) -> bool {
        self.tree.attr(id, "role").is_some_and(|role| !matches!(role, "list" | "listitem"))
    }

    /// Keeps the captions of figures that hold kept text: who said a quote, what a block of code is.
    pub(super) fn captions(&mut self) {
        if !self.tree.has(Tag::Figcaption) {
            return;
        }
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

    /// Keeps captions between two kept texts that belong to no image, such as those of a table or of a graphic drawn by a
    /// script.
    pub(super) fn lone_captions(&mut self) {
        if !self.tree.has(Tag::Figcaption) {
            return;
        }
        for place in 1..self.keep.len() {
            let fits = |block: &&Block| (3..=MAX_CAPTION).contains(&block.counts.words);
            let Some(block) = self.block(place).filter(fits).filter(|_| !self.is_kept(place)) else {
                continue;
            };
            let is_caption = |&id: &NodeId| self.tree.tag(id) == Tag::Figcaption;
            let Some(caption) = self.chain(block.container).take(3).find(is_caption) else { continue };
            let is_figure = |&id: &NodeId| self.tree.tag(id) == Tag::Figure;
            let Some(figure) = self.tree.ancestors(caption).take(3).find(is_figure) else { continue };
            let (first, end) = self.range(figure);
            let is_between =
                first.checked_sub(1).is_some_and(|before| self.is_kept(before)) && self.is_kept(end);
            let shows = |id: NodeId| {
                matches!(
                    self.tree.tag(id),
                    Tag::Img | Tag::Noscript | Tag::Iframe | Tag::Video | Tag::Audio | Tag::Embed
                )
            };
            if !is_between
                || self.tree.descendants(figure).take(MAX_FIGURE).any(shows)
                || self.shared(first - 1, end).is_none_or(|id| self.is_page(id))
                || self.is_strange(block, figure)
            {
                continue;
            }
            self.set(place, place + 1, true);
        }
    }

    /// Keeps headings over kept text: right over it, or behind other kept text over a section of which most is kept.
    pub(super) fn headings(&mut self, is_article: bool) {
        let first = self.keep.iter().position(|&kept| kept).unwrap_or_default();
        let of_first_level = |&place: &usize| self.is_kept(place) && self.level(place) == Some(1);
        // The first level is the title's, unless there are many of it.
        let highest = if (0..self.keep.len()).filter(of_first_level).nth(2).is_some() { 1 } else { 2 };
        for place in (0..self.keep.len()).rev() {
            let is_heading = |level| {
                level >= highest && self.is_heading_of_kept(place, place > first, is_article).is_some()
            };
            if !self.is_kept(place)
                && (self.level(place).is_some_and(is_heading) || self.is_term_of_kept(place).is_some())
            {
                self.set(place, place + 1, true);
            }
        }
    }

    /// Whether a block is a term right before a kept definition; those of tables of contents are links.
    fn is_term_of_kept(&self, place: usize) -> Option<()> {
        let block = self.block(place).filter(|block| block.counts.words <= MAX_CAPTION)?;
        let term = self.chain(block.container).take(3).find(|&id| self.tree.tag(id) == Tag::Dt)?;
        let list = self.tree.parent(term)?;
        let next = self.range(term).1;
        let is_term = block.counts.link_words < block.counts.words
            && self.is_kept(next)
            && next < self.range(list).1
            && !self.is_strange(block, list);
        is_term.then_some(())
    }

    fn is_heading_of_kept(&self, place: usize, is_behind: bool, is_article: bool) -> Option<()> {
        let block = self.block(place)?;
        let (level, heading) = heading_at(self.tree, block.container)?;
        let is_next = self.is_kept(place + 1);
        let end = self.section_end(place, level);
        let mut under = place + 1..end.min(place + 1 + MAX_UNDER);
        let first = if is_next { place + 1 } else { under.find(|&next| self.is_kept(next))? };
        // Simple pages have no element but the page around all.
        let is_flat = |page| is_next && is_behind && self.tree.parent(heading) == Some(page);
        let shared = self.shared(place, first).filter(|&shared| !self.is_page(shared) || is_flat(shared))?;
        let near = self.chain(block.container).take_while(|&around| around != shared).count();
        let in_list = self.chain(block.container).take(4).any(|around| self.tree.tag(around) == Tag::Li);
        // The button of an accordion is in its heading.
        let is_button = is_next && self.tree.tag(block.container) == Tag::Button;
        // Its address is made from its words, and says nothing of what it is.
        let is_told = |&around: &NodeId| around != heading || self.tree.attr(around, "class").is_some();
        let mut inside = self.chain(block.container).take_while(|&around| around != shared).filter(is_told);
        if in_list || near > 4 || (!is_button && inside.any(|around| self.page.is_beside(around))) {
            return None;
        }
        // A line over the title is a date or a section.
        let is_first = !place.checked_sub(1).is_some_and(|before| self.is_kept(before));
        let is_right_over = is_next && !(is_first && self.level(place + 1).is_some());
        let is_over_most = || {
            let end = end.min(self.range(shared).1);
            let own = (place + 1..end).filter_map(|next| self.block(next));
            let own = own.filter(|block| !self.is_strange(block, shared));
            let words: u32 = own.map(|block| block.counts.words).sum();
            let kept = self.kept_words(place + 1, end);
            // In an article, a heading that leads elsewhere is a teaser's.
            let leads_away =
                is_article && block.counts.link_words > 0 && !leads_to_itself(self.tree, block.container);
            !leads_away && kept >= MIN_SECTION && 2 * kept >= words
        };
        (is_right_over || (is_behind && is_over_most())).then_some(())
    }

    /// Leaves out headings of sections of which nothing is kept, unless the section consists of images; also those after
    /// the last kept text, unless so many are the titles of a list; and the label of a table of contents that is left out.
    pub(super) fn empty_sections(&mut self) {
        let is_heading = |place: usize| self.level(place).is_some_and(|level| level > 1);
        let kept: Vec<usize> = (0..self.keep.len()).filter(|&place| self.is_kept(place)).collect();
        let behind = kept.iter().rev().take_while(|&&place| is_heading(place)).count();
        let mut is_last = behind < kept.len() && behind <= MAX_BEHIND;
        let mut is_list = false;
        for place in kept.into_iter().rev() {
            if self.block(place).and_then(|block| self.says(block)) == Some(Phrase::Contents)
                && (!is_list || self.is_alone(place))
            {
                self.set(place, place + 1, false);
                continue;
            }
            is_list = self.can_be_listed(place);
            let Some(level) = self.level(place).filter(|level| *level > 1) else {
                is_last = false;
                continue;
            };
            let end = if is_last { self.keep.len() } else { self.section_end(place, level) };
            let (mut words, mut linked, mut links) = (0, 0, 0);
            for counts in (place + 1..end).filter_map(|next| self.block(next)).map(|block| &block.counts) {
                words += counts.words;
                linked += counts.link_words;
                links += counts.links;
            }
            let is_over_links = || {
                links >= MIN_LINKS && 2 * linked > words && self.is_item(place + 1) && !self.is_item(place)
            };
            let is_long = words >= MIN_EMPTY || (words > 0 && is_last) || is_over_links();
            if is_long && self.kept_words(place + 1, end) == 0 {
                self.set(place, place + 1, false);
            } else {
                is_last = false;
            }
        }
    }

    /// Whether nothing else is kept of a part of the page that a block begins.
    fn is_alone(&self, place: usize) -> bool {
        let container = self.block(place).map(|block| block.container);
        let mut around = container.into_iter().flat_map(|container| self.chain(container).skip(1).take(2));
        around.any(|around| {
            let (first, end) = self.range(around);
            first == place && end > place + 1 && self.kept_words(place + 1, end) == 0
        })
    }

    fn is_item(&self, place: usize) -> bool {
        let is_item = |id: NodeId| matches!(self.tree.tag(id), Tag::Li | Tag::Td | Tag::Dd | Tag::Nav);
        self.block(place).is_some_and(|block| self.chain(block.container).take(6).any(is_item))
    }

    /// Whether a kept block can be one of a table of contents: in a list or table, mostly links, or a short line.
    fn can_be_listed(&self, place: usize) -> bool {
        let Some(block) = self.block(place) else { return false };
        let is_link = || self.level(place).is_none() || !leads_to_itself(self.tree, block.container);
        (2 * block.counts.link_words >= block.counts.words && is_link())
            || (block.counts.words < MIN_PROSE && self.level(place).is_none())
            || self.is_item(place)
    }
}

/// Whether a heading's link leads to a place on the page: to itself.
fn leads_to_itself(tree: &Tree, heading: NodeId) -> bool {
    let mut links = tree.descendants(heading).take(12).filter(|&inner| tree.tag(inner) == Tag::A);
    links.all(|link| tree.attr(link, "href").is_none_or(|href| href.trim().starts_with('#')))
}
