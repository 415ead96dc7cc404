//! A row of numbers for each block: the features of the content model.
//!
//! A row describes the block's text, the elements around it (names, classes, roles, amounts of text and links),
//! its neighbours and similar blocks, and the page as a whole. The model's results on these rows are features of
//! the [`second_look`](super::second_look).

use super::about::About;
use super::blocks::{Blocks, Last};
use super::likeness::{self, LookAlikes};
use super::names::{self, STRANGE};
use super::surroundings::{CHAIN, Sums, Surroundings, is_prose, share};
use super::vocabulary::Subjects;
use crate::tree::{NodeId, Tag, Tree};

/// Numbers of a row at most; those past the last feature are zero.
pub(crate) const WIDTH: usize = 256;

/// Numbers at the head of a row that are about the block itself and its place on the page.
pub(super) const OWN: usize = 26;

/// Blocks before and after that are described one by one.
const NEIGHBOURS: [isize; 6] = [-3, -2, -1, 1, 2, 3];

/// Window sizes, in blocks, before and after.
const WINDOWS: [usize; 2] = [8, 20];

fn flag(on: bool) -> f32 {
    if on { 1.0 } else { 0.0 }
}

/// Numbers about a block, added in groups.
pub(super) struct Row {
    pub(super) values: [f32; WIDTH],
    pub(super) length: usize,
}

impl Default for Row {
    fn default() -> Self {
        Row { values: [0.0; WIDTH], length: 0 }
    }
}

impl Row {
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn add_wide<const COUNT: usize>(&mut self, values: [f64; COUNT]) {
        self.add(values.map(|value| value as f32));
    }

    pub(super) fn add<const COUNT: usize>(&mut self, values: [f32; COUNT]) {
        let free = self.values.get_mut(self.length..).and_then(|free| free.first_chunk_mut());
        if let Some(places) = free {
            *places = values;
            self.length += COUNT;
        }
    }
}

/// Sums over the blocks before a block.
#[derive(Default)]
struct Passed {
    words: u32,
    since_heading: u32,
    last_level: u8,
    since_h1: Option<u32>,
    subjects: Subjects,
}

/// The data for the rows of both passes.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(super) tree: &'a Tree,
    pub(super) blocks: &'a Blocks,
    pub(super) around: Surroundings,
    pub(super) looks: LookAlikes,
    /// For each block the elements around it, innermost first.
    pub(super) chains: Vec<[Sums; CHAIN]>,
}

impl<'a> Page<'a> {
    /// `O(n)` in nodes.
    pub(crate) fn of(tree: &'a Tree, blocks: &'a Blocks) -> Page<'a> {
        let around = Surroundings::of(tree, blocks);
        let chains = blocks.blocks.iter().map(|block| around.chain(tree, block)).collect();
        Page { tree, blocks, around, looks: likeness::look_alikes(tree, blocks), chains }
    }

    /// The groups of an element's names, as [`groups_of`](super::names::groups_of) gives them.
    pub(super) fn names(&self, id: NodeId) -> u64 {
        self.around.names[id]
    }

    /// Returns true if an element's name says that it is not content.
    pub(super) fn is_strange(&self, id: NodeId) -> bool {
        self.names(id) & STRANGE != 0
    }

    /// Returns true if an element is probably not content, by its name or role, or because it is a form.
    pub(super) fn is_beside(&self, id: NodeId) -> bool {
        self.is_strange(id)
            || matches!(self.tree.tag(id), Tag::Form | Tag::Label | Tag::Textarea | Tag::Option)
            || self.is_boilerplate(id)
    }

    /// Returns true if an element is not content by its tag or role.
    pub(super) fn is_boilerplate(&self, id: NodeId) -> bool {
        names::is_boilerplate(self.tree, id, self.names(id))
    }

    /// Returns true if an element is a note in a text.
    pub(super) fn is_note(&self, id: NodeId) -> bool {
        names::is_note(self.tree, id, self.names(id))
    }
}

/// Calls `each` with the row of each block in turn and its number of features. `O(n)` in nodes.
pub(crate) fn rows(page: &Page<'_>, about: &About, mut each: impl FnMut(&[f32; WIDTH], usize)) {
    let Page { tree, blocks, around, looks, chains, .. } = page;
    let total = around.sums_in(Tree::ROOT);
    let repeats = likeness::repeats(blocks);
    let ranks = likeness::ranks(blocks);
    let before = running_sums(tree, blocks);
    let mut passed = Passed::default();
    let mut row = Row::default();
    for (index, block) in blocks.blocks.iter().enumerate() {
        row.clear();
        let counts = &block.counts;
        let words = about.words_of(tree, blocks, block);
        let (repeat_count, repeat_first) = repeats.get(index).copied().unwrap_or((1, true));
        let tag = tree.tag(block.container);
        let level = tree
            .ancestors(block.container)
            .take(2)
            .find_map(|id| tree.tag(id).heading_level())
            .or(tag.heading_level());
        // The text itself.
        row.add([
            counts.words as f32,
            share(counts.link_words, counts.words),
            counts.links as f32,
            share(counts.chars, counts.words),
            share(counts.digits, counts.chars),
            share(counts.upper, counts.chars),
            share(counts.lower_words, counts.words),
            share(counts.commas, counts.words),
            share(counts.stops, counts.words),
            share(counts.bold_words, counts.words),
            match counts.last {
                Last::Other => 0.0,
                Last::Stop => 1.0,
                Last::Colon => 2.0,
            },
            flag(counts.first_upper),
            flag(is_prose(counts)),
            repeat_count as f32,
            flag(repeat_first),
            kind_of(tag),
            level.map_or(0.0, f32::from),
            words.title,
            f32::from(block.depth),
            ranks.get(index).copied().unwrap_or_default(),
        ]);
        // Where it stands.
        row.add([
            share(passed.words, total.words),
            passed.words as f32,
            share(index as u32, total.blocks),
            passed.since_heading as f32,
            f32::from(passed.last_level),
            passed.since_h1.map_or(-1.0, |words| words as f32),
        ]);
        around.features(block, chains.get(index).unwrap_or(&[Sums::default(); CHAIN]), &mut row);
        // Its neighbours.
        for offset in NEIGHBOURS {
            let near = index.checked_add_signed(offset).and_then(|at| blocks.blocks.get(at));
            row.add(near.map_or([-1.0; 4], |near| {
                let together = if near.container == block.container {
                    2.0
                } else {
                    flag(tree.parent(near.container) == tree.parent(block.container))
                };
                let links = share(near.counts.link_words, near.counts.words);
                [near.counts.words as f32, links, flag(near.counts.last == Last::Stop), together]
            }));
        }
        for size in WINDOWS {
            for (from, to) in [(index.saturating_sub(size), index), (index + 1, index + 1 + size)] {
                let window = between(&before, from, to);
                row.add([window.words as f32, window.link_share(), share(window.prose, window.words)]);
            }
        }
        // Blocks that look like it.
        let look = looks.of(index);
        row.add([
            look.blocks as f32,
            look.words as f32,
            share(look.words, look.blocks),
            look.link_share(),
            share(look.prose, look.words),
            share(look.words, total.words),
        ]);
        // What it speaks of, what the heading above does, and what the page says of itself.
        row.add(words.subjects.shares());
        row.add(passed.subjects.shares());
        row.add(words.told);
        row.add(about.told_sizes().map(|size| size as f32));
        // The page.
        row.add([
            total.words as f32,
            total.blocks as f32,
            total.link_share(),
            share(total.prose, total.words),
            total.prose as f32,
            around.articles as f32,
            flag(around.has_main),
        ]);
        row.add(std::array::from_fn::<f32, 18, _>(|bit| flag(about.kind & (1 << bit) != 0)));
        each(&row.values, row.length);
        passed.words += counts.words;
        passed.since_heading += counts.words;
        passed.since_h1 = passed.since_h1.map(|words| words + counts.words);
        if let Some(level) = level {
            passed.since_heading = 0;
            passed.last_level = level;
            passed.subjects = words.subjects;
            if level == 1 {
                passed.since_h1 = Some(0);
            }
        }
    }
}

/// For each block, the sums over the blocks before it; then those over all.
fn running_sums(tree: &Tree, blocks: &Blocks) -> Vec<Sums> {
    let mut sums = Sums::default();
    let mut found = Vec::with_capacity(blocks.blocks.len() + 1);
    found.push(sums);
    for block in &blocks.blocks {
        sums.add(Sums::of(tree, block));
        found.push(sums);
    }
    found
}

/// The words of the blocks in a range.
fn between(before: &[Sums], from: usize, to: usize) -> Sums {
    let at = |index: usize| before.get(index).or(before.last()).copied().unwrap_or_default();
    let (from, to) = (at(from), at(to));
    Sums {
        words: to.words - from.words,
        link_words: to.link_words - from.link_words,
        prose: to.prose - from.prose,
        ..Sums::default()
    }
}

fn kind_of(tag: Tag) -> f32 {
    match tag {
        Tag::P => 1.0,
        Tag::Li => 2.0,
        Tag::Td => 3.0,
        Tag::Th => 4.0,
        Tag::Dd => 5.0,
        Tag::Dt => 6.0,
        Tag::Pre => 7.0,
        Tag::Blockquote => 8.0,
        Tag::Figcaption | Tag::Caption => 9.0,
        Tag::Button => 10.0,
        Tag::Option | Tag::Select | Tag::Optgroup => 11.0,
        Tag::Label | Tag::Legend => 12.0,
        Tag::Summary => 13.0,
        Tag::Textarea => 14.0,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => 15.0,
        _ => 0.0,
    }
}
