//! The surroundings of a block: for every element its amount of text and the names of its ancestors.
//!
//! Everything that depends on the path to the root is passed from parent to child in one walk, so the cost of a
//! block does not depend on its depth.

use super::blocks::{Block, Blocks, Counts};
use super::features::Row;
use super::names;
use crate::recent::Recent;
use crate::tree::{ByNode, NodeId, Step, Tag, Tree};
use crate::words::names::{MEANINGS, TO_THE_MODEL, meanings};

/// Levels within which a name counts as near.
const NEAR: u8 = 12;

/// The distance of a name that is not near.
const NOWHERE: u8 = NEAR + 1;

/// Elements of a chain: each holds more of the page than the one before.
pub(super) const CHAIN: usize = 6;

/// Most ancestors that are searched for the chain; further ones add no information.
const FAR: usize = 48;

/// Kinds of elements whose number around a block counts.
const KINDS: usize = 14;

/// Of these kinds, the one for what is not shown at first; `aria-hidden` counts to it as well.
const OVERLAID: usize = 11;

/// Sums over the blocks in an element, which follow one another on the page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// The first of them.
    pub(super) first: u32,
    pub(super) words: u32,
    pub(super) link_words: u32,
    pub(super) blocks: u32,
    /// Words of blocks that read like sentences.
    pub(super) prose: u32,
    pub(super) headings: u32,
    pub(super) images: u32,
    pub(super) controls: u32,
}

impl Sums {
    pub(super) fn of(tree: &Tree, block: &Block) -> Sums {
        Sums {
            first: 0,
            words: block.counts.words,
            link_words: block.counts.link_words,
            blocks: 1,
            prose: if is_prose(&block.counts) { block.counts.words } else { 0 },
            headings: u32::from(tree.tag(block.container).heading_level().is_some()),
            images: 0,
            controls: 0,
        }
    }

    pub(super) fn add(&mut self, other: Sums) {
        if other.blocks > 0 && (self.blocks == 0 || other.first < self.first) {
            self.first = other.first;
        }
        self.words += other.words;
        self.link_words += other.link_words;
        self.blocks += other.blocks;
        self.prose += other.prose;
        self.headings += other.headings;
        self.images += other.images;
        self.controls += other.controls;
    }

    pub(super) fn link_share(self) -> f32 {
        share(self.link_words, self.words)
    }
}

pub(super) fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

/// Whether the text reads like sentences.
pub(super) fn is_prose(counts: &Counts) -> bool {
    counts.words >= 8 && counts.link_words * 2 < counts.words && (counts.stops > 0 || counts.commas > 0)
}

/// Features of an element's ancestors.
#[derive(Debug, Clone, Copy)]
struct Path {
    /// Levels up to the nearest element named by a word of each group.
    near: [u8; MEANINGS],
    /// Elements of each kind.
    inside: [u8; KINDS],
    /// Groups of the element's own class, id and role, and its parent's.
    groups: [u32; 2],
    /// The nearest `<main>` and the outermost `<article>`.
    main: Option<NodeId>,
    article: Option<NodeId>,
    /// The nearest element around the element that holds the most running text.
    top: Meeting,
    /// The nearest element around the main heading.
    heading: Meeting,
}

/// Where the path to the root meets the path of another element.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    at: NodeId,
    /// Levels from here, and from the other element; `None` where there is no other.
    levels: Option<(u8, u8)>,
}

impl Meeting {
    const NONE: Meeting = Meeting { at: Tree::ROOT, levels: None };

    /// The meeting point of a child, given its own place on the other element's path.
    fn of_child(self, child: NodeId, level: Option<u8>) -> Meeting {
        match (level, self.levels) {
            (Some(level), _) => Meeting { at: child, levels: Some((0, level)) },
            (None, Some((up, level))) => Meeting { at: self.at, levels: Some((up.saturating_add(1), level)) },
            (None, None) => self,
        }
    }
}

impl Path {
    const ROOT: Path = Path {
        near: [NOWHERE; MEANINGS],
        inside: [0; KINDS],
        groups: [0; 2],
        main: None,
        article: None,
        top: Meeting::NONE,
        heading: Meeting::NONE,
    };
}

/// All elements of a page with what they hold, and those with text of their own with what they are in.
#[derive(Debug)]
pub(super) struct Surroundings {
    sums: ByNode<Sums>,
    /// For each element the groups of its own names, as [`names::groups_of`] gives them.
    pub(super) names: ByNode<u64>,
    paths: Vec<Path>,
    /// For each node, the place of its path in `paths`, counted from one.
    places: ByNode<u32>,
    top_words: u32,
    pub(super) articles: u32,
    pub(super) has_main: bool,
}

/// Marks a path that is needed but not computed yet.
const WANTED: u32 = u32::MAX;

impl Surroundings {
    /// `O(n)` in nodes.
    pub(super) fn of(tree: &Tree, blocks: &Blocks) -> Surroundings {
        let (top, top_words) = top_candidate(tree, blocks);
        let mut top_path = Descent::to(tree, Some(top));
        let mut heading_path = Descent::to(tree, main_heading(tree, blocks));
        let mut found = Surroundings {
            sums: ByNode::new(tree),
            names: ByNode::new(tree),
            paths: Vec::with_capacity(blocks.blocks.len()),
            places: ByNode::new(tree),
            top_words,
            articles: 0,
            has_main: false,
        };
        for (index, block) in blocks.blocks.iter().enumerate() {
            found.sums[block.container].add(Sums { first: index as u32, ..Sums::of(tree, block) });
            found.places[block.container] = WANTED;
        }
        let mut recent = Recent::new(0);
        let mut open: Vec<Path> = Vec::new();
        for step in tree.walk(Tree::ROOT) {
            match step {
                Step::Enter(id) if tree.is_element(id) || id == Tree::ROOT => {
                    let above = open.last().unwrap_or(&Path::ROOT);
                    let (mut path, names) = below(tree, id, above, &mut recent);
                    found.names[id] = names;
                    path.top = path.top.of_child(id, top_path.level(id));
                    path.heading = path.heading.of_child(id, heading_path.level(id));
                    found.has_main |= path.main.is_some();
                    found.enter(tree, id);
                    if found.places[id] == WANTED {
                        found.paths.push(path);
                        found.places[id] = u32::try_from(found.paths.len()).unwrap_or(WANTED);
                    }
                    open.push(path);
                }
                Step::Leave(id) => {
                    open.pop();
                    let own = found.sums_in(id);
                    if let Some(parent) = tree.parent(id) {
                        found.sums[parent].add(own);
                    }
                }
                Step::Enter(_) => {}
            }
        }
        found
    }

    /// What each element of the page holds.
    pub(super) fn sums(&self) -> &[Sums] {
        self.sums.values()
    }

    fn path_of(&self, id: NodeId) -> &Path {
        let place = (self.places[id] as usize).checked_sub(1);
        place.and_then(|place| self.paths.get(place)).unwrap_or(&Path::ROOT)
    }

    fn enter(&mut self, tree: &Tree, id: NodeId) {
        let own = &mut self.sums[id];
        match tree.tag(id) {
            Tag::Img => own.images += 1,
            Tag::Input | Tag::Button | Tag::Select | Tag::Textarea => own.controls += 1,
            Tag::Article => self.articles += 1,
            _ => {}
        }
    }

    /// What an element holds.
    pub(super) fn sums_in(&self, id: NodeId) -> Sums {
        self.sums[id]
    }

    /// What is around a block.
    pub(super) fn features(&self, block: &Block, chain: &[Sums; CHAIN], row: &mut Row) {
        let total = self.sums_in(Tree::ROOT);
        let path = self.path_of(block.container);
        row.add(path.near.map(f32::from));
        row.add(path.inside.map(f32::from));
        let [own, parents] = path.groups;
        row.add([(own | parents).count_ones() as f32]);
        for sums in chain {
            row.add([
                sums.words as f32,
                sums.link_share(),
                share(sums.words, total.words),
                share(sums.prose, sums.words),
                share(sums.words, sums.blocks),
            ]);
        }
        for sums in chain.iter().take(4) {
            row.add([sums.blocks as f32, sums.images as f32, sums.controls as f32, sums.headings as f32]);
        }
        let (up, level) = path.top.levels.unwrap_or((0, 99));
        row.add([f32::from(level), f32::from(up), share(self.top_words, total.words)]);
        for around in [path.main, path.article] {
            row.add(around.map(|id| self.sums_in(id)).map_or([-1.0; 3], |sums| {
                [share(sums.words, total.words), sums.link_share(), share(sums.prose, total.prose)]
            }));
        }
        row.add(path.heading.levels.map_or([-1.0; 4], |(up, level)| {
            let sums = self.sums_in(path.heading.at);
            let (words, prose) = (share(sums.words, total.words), share(sums.prose, total.prose));
            [f32::from(up), f32::from(level), words, prose]
        }));
    }

    /// The elements around a block that hold more than those inside them, innermost first.
    pub(super) fn chain(&self, tree: &Tree, block: &Block) -> [Sums; CHAIN] {
        let mut chain = [Sums::default(); CHAIN];
        let mut length = 0;
        let mut last = 0;
        for id in tree.upward(block.container).take(FAR) {
            let sums = self.sums_in(id);
            if sums.blocks > last {
                let Some(place) = chain.get_mut(length) else { break };
                *place = sums;
                length += 1;
                last = sums.blocks;
            }
        }
        chain
    }
}

/// Bytes of a name that the model knows.
const HEAD: usize = 200;

/// The path of an element below another, and the groups of its class and id; the meetings are those of the parent.
fn below<'a>(tree: &'a Tree, id: NodeId, above: &Path, recent: &mut Recent<'a, u64, 256>) -> (Path, u64) {
    let mut groups = |value: &'a str| recent.of(value.get(..HEAD).unwrap_or(value), meanings);
    let mut path = *above;
    let (mut set, mut names) = (0_u64, 0);
    let mut role = "";
    let mut hidden = false;
    for (name, value) in tree.attributes(id) {
        match name {
            "class" | "id" | "itemprop" => {
                let own = groups(value);
                set |= own;
                if name == "class" || (name == "id" && !names::is_drawn(value)) {
                    // The model knows the head of a long class, rules all of it.
                    names |= if value.len() > HEAD { meanings(value) } else { own };
                }
            }
            "role" => {
                set |= groups(value);
                role = value;
            }
            "aria-hidden" => hidden = value == "true",
            _ => {}
        }
    }
    // What lies above is for metadata alone.
    let mut left = set as u32 & TO_THE_MODEL;
    path.groups = [left, above.groups[0]];
    for distance in &mut path.near {
        *distance = if *distance + 1 < NEAR { *distance + 1 } else { NOWHERE };
    }
    while let Some(distance) = path.near.get_mut(left.trailing_zeros() as usize) {
        *distance = 0;
        left &= left - 1;
    }
    let tag = tree.tag(id);
    if let Some(place) = kind_of(tag, role).and_then(|kind| path.inside.get_mut(kind)) {
        *place = place.saturating_add(1);
    }
    if hidden && let Some(place) = path.inside.get_mut(OVERLAID) {
        *place = place.saturating_add(2);
    }
    if tag == Tag::Main || role == "main" {
        path.main = Some(id);
    }
    if tag == Tag::Article {
        path.article = path.article.or(Some(id));
    }
    (path, names)
}

fn kind_of(tag: Tag, role: &str) -> Option<usize> {
    Some(match (tag, role) {
        (Tag::Nav, _) | (_, "navigation" | "menu" | "menubar" | "tablist") => 0,
        (Tag::Header, _) | (_, "banner") => 1,
        (Tag::Footer, _) | (_, "contentinfo") => 2,
        (Tag::Aside, _) | (_, "complementary") => 3,
        (Tag::Form, _) | (_, "search" | "form") => 4,
        (Tag::Main, _) | (_, "main") => 5,
        (Tag::Article, _) => 6,
        (Tag::Table, _) => 7,
        (Tag::Ul | Tag::Ol, _) => 8,
        (Tag::Figure, _) => 9,
        (Tag::Blockquote, _) => 10,
        (Tag::Dialog, _) | (_, "dialog" | "alertdialog") => OVERLAID,
        (Tag::Section, _) => 12,
        (Tag::Button | Tag::Select | Tag::A, _) | (_, "button" | "listbox") => 13,
        _ => return None,
    })
}

/// The elements from the root to one of them, for a walk that enters them in this order.
struct Descent {
    /// Those that have not been entered, innermost first.
    left: Vec<NodeId>,
}

impl Descent {
    fn to(tree: &Tree, element: Option<NodeId>) -> Descent {
        let path = element.into_iter().flat_map(|id| tree.upward(id));
        Descent { left: path.collect() }
    }

    /// The level of the element that is entered above the last one, if it is one of them.
    fn level(&mut self, id: NodeId) -> Option<u8> {
        (self.left.last() == Some(&id)).then(|| {
            self.left.pop();
            u8::try_from(self.left.len()).unwrap_or(u8::MAX)
        })
    }
}

/// The element that holds the most running text, found as reader modes do, and its words: every paragraph gives
/// points to its parent, half to its grandparent, a quarter to the next.
fn top_candidate(tree: &Tree, blocks: &Blocks) -> (NodeId, u32) {
    // The points and words of each element.
    let mut given: ByNode<(f32, u32)> = ByNode::new(tree);
    let mut best = (0.0f32, Tree::ROOT);
    for block in &blocks.blocks {
        let counts = &block.counts;
        if counts.words < 6 {
            continue;
        }
        let density = share(counts.link_words, counts.words);
        let own = (1.0 + counts.commas as f32 + (counts.chars as f32 / 80.0).min(5.0)) * (1.0 - density);
        for (part, id) in [1.0, 0.5, 0.25, 0.125].into_iter().zip(tree.ancestors(block.container)) {
            let (points, words) = &mut given[id];
            *points += own * part;
            *words += counts.words;
            if *points > best.0 {
                best = (*points, id);
            }
        }
    }
    (best.1, given[best.1].1)
}

/// The first `h1` with text.
fn main_heading(tree: &Tree, blocks: &Blocks) -> Option<NodeId> {
    blocks.blocks.iter().find_map(|block| {
        let around = tree.upward(block.container);
        around.take(3).find(|&id| tree.tag(id) == Tag::H1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// The path of the block whose text begins with `@`, and what the page is around it.
    fn around<T>(html: &str, ask: impl FnOnce(&Tree, &Surroundings, &Block) -> T) -> T {
        let page = Marked::of(html);
        let found = Surroundings::of(&page.tree, &page.blocks);
        let place = page.texts.iter().position(|text| text.starts_with('@'));
        let block =
            place.and_then(|place| page.blocks.blocks.get(place)).expect("a block that is asked about");
        ask(&page.tree, &found, block)
    }

    /// The kinds that are around the block, each with how many of them.
    fn kinds(html: &str) -> Vec<(usize, u8)> {
        around(html, |_, found, block| {
            let inside = found.path_of(block.container).inside;
            inside.into_iter().enumerate().filter(|(_, count)| *count > 0).collect()
        })
    }

    #[test]
    fn elements_of_each_kind_are_counted_by_tag_and_role() {
        for (before, expected) in [
            ("", &[][..]),
            ("<nav>", &[(0, 1)]),
            ("<nav><div><nav>", &[(0, 2)]),
            ("<div role=menu><div role=tablist>", &[(0, 2)]),
            ("<header>", &[(1, 1)]),
            ("<div role=banner>", &[(1, 1)]),
            ("<footer>", &[(2, 1)]),
            ("<div role=contentinfo>", &[(2, 1)]),
            ("<aside><div role=complementary>", &[(3, 2)]),
            ("<form><div role=search>", &[(4, 2)]),
            ("<main>", &[(5, 1)]),
            ("<div role=main><article><section>", &[(5, 1), (6, 1), (12, 1)]),
            ("<table><tr><td>", &[(7, 1)]),
            ("<ul><li><ol><li>", &[(8, 2)]),
            ("<figure><blockquote>", &[(9, 1), (10, 1)]),
            ("<dialog open>", &[(11, 1)]),
            ("<div role=alertdialog>", &[(11, 1)]),
            // Hidden from readers of the screen, at first: as much as two.
            ("<div aria-hidden=true>", &[(11, 2)]),
            ("<div aria-hidden=true><div role=dialog>", &[(11, 3)]),
            ("<div aria-hidden=false>", &[]),
            ("<div role=listbox>", &[(13, 1)]),
            ("<div role=presentation class=nav>", &[]),
        ] {
            assert_eq!(kinds(&format!("{before}<p>@")), expected, "{before}");
        }
    }

    #[test]
    fn names_are_as_near_as_the_elements_that_have_them() {
        let near = |html: &str| {
            let group = meanings("sidebar").trailing_zeros() as usize;
            around(html, |_, found, block| found.path_of(block.container).near.get(group).copied())
        };
        for (levels, expected) in [(0, 1), (1, 2), (10, 11), (11, NOWHERE), (12, NOWHERE), (40, NOWHERE)] {
            let html = format!("<div class=sidebar>{}<p>@", "<div>".repeat(levels));
            assert_eq!(near(&html), Some(expected), "{levels}");
        }
        assert_eq!(near("<p class=sidebar>@"), Some(0));
        assert_eq!(near("<p id=sidebar>@"), Some(0));
        assert_eq!(near("<p itemprop=sidebar>@"), Some(0));
        assert_eq!(near("<p role=sidebar>@"), Some(0));
        assert_eq!(near("<p title=sidebar>@"), Some(NOWHERE));
        // The nearest of two.
        assert_eq!(near("<div class=sidebar><div><div class=sidebar><p>@"), Some(1));
        assert_eq!(near("<div class=sidebar></div><p>@"), Some(NOWHERE));
    }

    #[test]
    fn an_element_holds_what_is_in_it() {
        let html = "<main><h1>One two</h1><section><p>Seven words are in here, with a stop.<p>@now <a href=/>three more words</a>\
            <img src=a.png><img src=b.png></section><form><input><button>Go</button></form></main><p>Beside it.";
        around(html, |tree, found, block| {
            let of = |tag: Tag| {
                let id = tree.descendants(Tree::ROOT).find(|&id| tree.tag(id) == tag).expect("an element");
                found.sums_in(id)
            };
            let (section, main, root) = (of(Tag::Section), of(Tag::Main), found.sums_in(Tree::ROOT));
            assert_eq!((section.words, section.link_words, section.blocks), (12, 3, 2));
            assert_eq!((section.prose, section.headings, section.images, section.controls), (8, 0, 2, 0));
            assert_eq!((main.words, main.headings, main.images, main.controls), (15, 1, 2, 2));
            assert_eq!((main.first, section.first, root.words, root.blocks), (0, 1, 17, 5));
            assert_eq!(section.link_share(), 0.25);
            // Each of the chain holds more than the one before: the paragraph, the section, the main part, the page.
            let chain = found.chain(tree, block).map(|sums| sums.blocks);
            assert_eq!(chain, [1, 2, 4, 5, 0, 0]);
            assert!(found.has_main && found.articles == 0);
        });
    }

    #[test]
    fn main_part_and_articles_are_found() {
        let path = |html: &str| {
            around(html, |tree, found, block| {
                let path = found.path_of(block.container);
                let id = |at: Option<NodeId>| at.and_then(|at| tree.attr(at, "id")).map(str::to_owned);
                (id(path.main), id(path.article), found.articles, found.has_main)
            })
        };
        let some = |id: &str| Some(id.to_owned());
        // The nearest main part, and the outermost article.
        let html = "<main id=a><article id=b><article id=c><div role=main id=d><p>@";
        assert_eq!(path(html), (some("d"), some("b"), 2, true));
        assert_eq!(path("<main id=a></main><article id=b></article><p>@"), (None, None, 1, true));
        assert_eq!(path("<p>@"), (None, None, 0, false));
    }

    #[test]
    fn the_main_heading_and_the_text_are_so_many_levels_away() {
        let levels = |html: &str| {
            around(html, |_, found, block| {
                let path = found.path_of(block.container);
                (path.heading.levels, path.top.levels, found.top_words)
            })
        };
        let text = format!("<p>{}</p>", "Words, and more of them, ".repeat(10));
        // From the element where the two paths part, `body`: three up from here, and down to the heading, or to what holds the text.
        let html = format!("<body><main><h1>Title</h1>{text}{text}</main><div><div><p>@");
        assert_eq!(levels(&html), (Some((3, 2)), Some((3, 1)), 100));
        let html = format!("<body><main>{text}<h1>Title</h1>{text}<p>@");
        assert_eq!(levels(&html), (Some((1, 1)), Some((1, 0)), 100));
        assert_eq!(levels("<body><h2>Title</h2><p>@").0, None);
    }

    #[test]
    fn prose_has_words_of_its_own_and_stops() {
        for (words, link_words, stops, commas, expected) in [
            (8, 0, 1, 0, true),
            (8, 0, 0, 1, true),
            (8, 0, 0, 0, false),
            (7, 0, 1, 1, false),
            (8, 3, 1, 0, true),
            (8, 4, 1, 0, false),
            (9, 4, 1, 0, true),
            (100, 49, 0, 3, true),
            (100, 50, 3, 3, false),
        ] {
            let counts = Counts { words, link_words, stops, commas, ..Counts::default() };
            assert_eq!(is_prose(&counts), expected, "{words} {link_words} {stops} {commas}");
        }
    }
}
