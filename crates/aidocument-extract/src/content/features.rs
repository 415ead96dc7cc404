//! A row of numbers for each block: what the content model looks at.
//!
//! A row tells about the block's text, about the elements around it (names, classes, roles, how much text and how
//! many links they hold), about its neighbours and its look-alikes, and about the page as a whole.

use super::blocks::{Block, Blocks, Counts, Last};
use super::names::{self, GROUPS};
use crate::tree::{NodeId, Step, Tag, Tree};

/// Ancestors whose classes are looked at.
const NEAR: usize = 12;

/// Ancestors that are looked at: deeper nesting tells nothing more.
const FAR: usize = 48;

/// Sums over the blocks in an element.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) words: u32,
    pub(crate) link_words: u32,
    pub(crate) blocks: u32,
    /// Words of blocks that read like sentences.
    pub(crate) prose: u32,
    pub(crate) headings: u32,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.words += other.words;
        self.link_words += other.link_words;
        self.blocks += other.blocks;
        self.prose += other.prose;
        self.headings += other.headings;
    }

    fn link_share(self) -> f32 {
        share(self.link_words, self.words)
    }
}

/// Facts of the page as a whole.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) title: String,
    /// Bits of what the page says that it is, see [`page_kind`].
    pub(crate) kind: u32,
}

/// Elements of a chain: each holds more of the page than the one before.
const CHAIN: usize = 6;

fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

fn log(value: u32) -> f32 {
    ((value + 1) as f32).ln()
}

fn is_prose(counts: &Counts) -> bool {
    counts.words >= 8 && counts.link_words * 2 < counts.words && (counts.stops > 0 || counts.commas > 0)
}

fn flag(on: bool) -> f32 {
    if on { 1.0 } else { 0.0 }
}

/// Bits for the schema.org and Open Graph types that a page names, and for words of its URL.
pub(crate) fn page_kind(tree: &Tree, url: &str) -> u32 {
    let mut kind = 0;
    for id in tree.descendants(Tree::ROOT) {
        match tree.tag(id) {
            Tag::Meta if tree.attr(id, "property") == Some("og:type") => {
                let value = tree.attr(id, "content").unwrap_or_default();
                kind |= match value {
                    "article" => 1,
                    value if value.contains("product") => 2,
                    "website" => 4,
                    _ => 0,
                };
            }
            Tag::Script if tree.attr(id, "type").is_some_and(|kind| kind.contains("ld+json")) => {
                let Some(text) = tree.first_child(id).and_then(|child| tree.text(child)) else { continue };
                let has = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
                kind |= u32::from(has("Article\"") || has("BlogPosting\"")) << 3;
                kind |= u32::from(has("\"Product\"")) << 4;
                kind |= u32::from(has("\"QAPage\"") || has("\"DiscussionForumPosting\"")) << 5;
                kind |= u32::from(has("\"ItemList\"") || has("\"CollectionPage\"")) << 6;
                kind |= u32::from(has("\"FAQPage\"") || has("\"Service\"")) << 7;
            }
            _ => {}
        }
    }
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    let words = |text: &str, known: &[&str]| {
        text.to_ascii_lowercase()
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| known.contains(&word))
    };
    let both = format!("{host}/{path}");
    kind |= u32::from(words(
        &both,
        &[
            "forum",
            "forums",
            "thread",
            "threads",
            "topic",
            "viewtopic",
            "community",
            "questions",
            "discussion",
            "showthread",
            "discuss",
            "t",
        ],
    )) << 8;
    kind |= u32::from(words(
        &both,
        &[
            "docs",
            "doc",
            "documentation",
            "reference",
            "manual",
            "api",
            "guide",
            "tutorial",
            "learn",
            "developer",
            "wiki",
            "help",
        ],
    )) << 9;
    kind |= u32::from(words(path, &["product", "products", "item", "p", "dp", "shop", "store", "buy"])) << 10;
    kind |= u32::from(words(
        path,
        &["category", "categories", "collections", "collection", "c", "browse", "catalog", "shop"],
    )) << 11;
    kind |= u32::from(words(
        path,
        &["blog", "news", "article", "articles", "story", "stories", "post", "posts", "magazine"],
    )) << 12;
    kind |= u32::from(words(
        path,
        &["services", "service", "solutions", "about", "pricing", "platform", "features"],
    )) << 13;
    kind |= u32::from(words(path, &["jobs", "search", "list", "best", "top", "directory", "events", "tag"]))
        << 14;
    kind |= u32::from(path.is_empty()) << 15;
    kind |= u32::from(path.matches('/').count() > 2) << 16;
    kind |= u32::from(path.bytes().filter(|&byte| byte == b'-').count() > 3) << 17;
    kind
}

struct ElementFacts {
    sums: Vec<Sums>,
    /// Groups of the element's own class, id and role.
    groups: Vec<u32>,
}

/// Gives `each` the row of each block in turn. `O(n)` in nodes, times a constant number of ancestors.
pub(crate) fn rows(tree: &Tree, blocks: &Blocks, page: &Page, mut each: impl FnMut(&[f32])) {
    let facts = element_facts(tree, blocks);
    let total = facts.sums.get(Tree::ROOT.index()).copied().unwrap_or_default();
    let top = top_candidate(tree, blocks);
    let looks = look_alikes(tree, blocks);
    let repeats = repeats(blocks);
    let title_words = word_hashes(&page.title);
    let articles = tree.descendants(Tree::ROOT).filter(|&id| tree.tag(id) == Tag::Article).count() as u32;
    let has_main = tree.descendants(Tree::ROOT).any(|id| is_main(tree, id));
    let mut values = Vec::new();
    let mut before = 0u32;
    let mut since_heading = 0u32;
    let mut last_heading = 0u8;
    let mut since_h1 = 0u32;
    let mut h1_seen = false;
    for (index, block) in blocks.blocks.iter().enumerate() {
        values.clear();
        let mut push = |value: f32| values.push(value);
        let counts = &block.counts;
        // The text itself.
        push(log(counts.words));
        push(share(counts.link_words, counts.words));
        push(counts.links as f32);
        push(share(counts.chars, counts.words));
        push(share(counts.digits, counts.chars));
        push(share(counts.upper, counts.chars));
        push(share(counts.lower_words, counts.words));
        push(share(counts.commas, counts.words));
        push(share(counts.stops, counts.words));
        push(share(counts.bold_words, counts.words));
        push(match counts.last {
            Last::Other => 0.0,
            Last::Stop => 1.0,
            Last::Colon => 2.0,
        });
        push(flag(counts.first_upper));
        push(flag(is_prose(counts)));
        let (repeat_count, repeat_first) = repeats.get(index).copied().unwrap_or((1, true));
        push(log(repeat_count));
        push(flag(repeat_first));
        let tag = tree.tag(block.container);
        push(kind_of(tag));
        let level = tree
            .ancestors(block.container)
            .take(2)
            .find_map(|id| tree.tag(id).heading_level())
            .or(tag.heading_level());
        push(level.map_or(0.0, f32::from));
        push(title_overlap(tree, blocks, block, &title_words));
        push(f32::from(block.depth));
        // Where it stands.
        push(share(before, total.words));
        push(log(before));
        push(share(index as u32, total.blocks));
        push(log(since_heading));
        push(f32::from(last_heading));
        push(if h1_seen { log(since_h1) } else { -1.0 });
        // Elements around it.
        ancestors_features(tree, &facts, block, total, &top, &mut push);
        // Its neighbours.
        for offset in [-3isize, -2, -1, 1, 2, 3] {
            let near = index.checked_add_signed(offset).and_then(|at| blocks.blocks.get(at));
            match near {
                None => (0..4).for_each(|_| push(-1.0)),
                Some(near) => {
                    push(log(near.counts.words));
                    push(share(near.counts.link_words, near.counts.words));
                    push(if near.counts.last == Last::Stop { 1.0 } else { 0.0 });
                    push(if near.container == block.container {
                        2.0
                    } else {
                        flag(tree.parent(near.container) == tree.parent(block.container))
                    });
                }
            }
        }
        for (from, to) in [(1, 8), (1, 20)] {
            for sign in [-1isize, 1] {
                let mut window = Sums::default();
                for offset in from..=to {
                    if let Some(near) =
                        index.checked_add_signed(sign * offset).and_then(|at| blocks.blocks.get(at))
                    {
                        window.add(sums_of(tree, near));
                    }
                }
                push(log(window.words));
                push(window.link_share());
                push(share(window.prose, window.words));
            }
        }
        // Blocks that look like it.
        let look = looks.get(index).copied().unwrap_or_default();
        push(log(look.blocks));
        push(log(look.words));
        push(share(look.words, look.blocks));
        push(look.link_share());
        push(share(look.prose, look.words));
        push(share(look.words, total.words));
        // The page.
        push(log(total.words));
        push(log(total.blocks));
        push(total.link_share());
        push(share(total.prose, total.words));
        push(log(total.prose));
        push(log(articles));
        push(flag(has_main));
        for bit in 0..18 {
            push(flag(page.kind & (1 << bit) != 0));
        }
        each(&values);
        before += counts.words;
        since_heading += counts.words;
        since_h1 += counts.words;
        if let Some(level) = level {
            since_heading = 0;
            last_heading = level;
            if level == 1 {
                h1_seen = true;
                since_h1 = 0;
            }
        }
    }
}

fn is_main(tree: &Tree, id: NodeId) -> bool {
    tree.tag(id) == Tag::Main || tree.attr(id, "role") == Some("main")
}

fn sums_of(tree: &Tree, block: &Block) -> Sums {
    Sums {
        words: block.counts.words,
        link_words: block.counts.link_words,
        blocks: 1,
        prose: if is_prose(&block.counts) { block.counts.words } else { 0 },
        headings: u32::from(tree.tag(block.container).heading_level().is_some()),
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

fn element_facts(tree: &Tree, blocks: &Blocks) -> ElementFacts {
    let mut sums = vec![Sums::default(); tree.len()];
    let mut groups = vec![0u32; tree.len()];
    for block in &blocks.blocks {
        if let Some(own) = sums.get_mut(block.container.index()) {
            own.add(sums_of(tree, block));
        }
    }
    for step in tree.walk(Tree::ROOT) {
        match step {
            Step::Enter(id) if tree.is_element(id) => {
                let mut set = 0;
                for name in ["class", "id", "role", "itemprop"] {
                    if let Some(value) = tree.attr(id, name) {
                        set |= names::groups(value.get(..200).unwrap_or(value));
                    }
                }
                if let Some(own) = groups.get_mut(id.index()) {
                    *own = set;
                }
            }
            Step::Leave(id) => {
                let own = sums.get(id.index()).copied().unwrap_or_default();
                if let Some(parent) = tree.parent(id).and_then(|parent| sums.get_mut(parent.index())) {
                    parent.add(own);
                }
            }
            Step::Enter(_) => {}
        }
    }
    ElementFacts { sums, groups }
}

fn ancestors_features(
    tree: &Tree,
    facts: &ElementFacts,
    block: &Block,
    total: Sums,
    top: &TopCandidate,
    push: &mut impl FnMut(f32),
) {
    let mut distance = [NEAR as f32 + 1.0; GROUPS];
    let mut inside = [0.0f32; 14];
    let mut chain = [Sums::default(); CHAIN];
    let mut chain_length = 0usize;
    let mut own_groups = 0u32;
    let mut top_distance = 0;
    let mut levels_to_top = None;
    let mut main_sums = None;
    let mut article_sums = None;
    for (up, id) in
        std::iter::once(block.container).chain(tree.ancestors(block.container)).take(FAR).enumerate()
    {
        if levels_to_top.is_none() {
            levels_to_top = top.level(id);
            top_distance = up;
        }
        if up < NEAR {
            let set = facts.groups.get(id.index()).copied().unwrap_or_default();
            if up < 2 {
                own_groups |= set;
            }
            for (group, nearest) in distance.iter_mut().enumerate() {
                if set & (1 << group) != 0 && *nearest > up as f32 {
                    *nearest = up as f32;
                }
            }
        }
        let sums = facts.sums.get(id.index()).copied().unwrap_or_default();
        // A new link of the chain is an element that holds more than the one before.
        if chain.get(chain_length.wrapping_sub(1)).is_none_or(|last| last.blocks < sums.blocks)
            && let Some(place) = chain.get_mut(chain_length)
        {
            *place = sums;
            chain_length += 1;
        }
        let tag = tree.tag(id);
        let role = tree.attr(id, "role").unwrap_or_default();
        let which = match (tag, role) {
            (Tag::Nav, _) | (_, "navigation" | "menu" | "menubar" | "tablist") => Some(0),
            (Tag::Header, _) | (_, "banner") => Some(1),
            (Tag::Footer, _) | (_, "contentinfo") => Some(2),
            (Tag::Aside, _) | (_, "complementary") => Some(3),
            (Tag::Form, _) | (_, "search" | "form") => Some(4),
            (Tag::Main, _) | (_, "main") => {
                main_sums = main_sums.or(Some(sums));
                Some(5)
            }
            (Tag::Article, _) => {
                article_sums = Some(sums);
                Some(6)
            }
            (Tag::Table, _) => Some(7),
            (Tag::Ul | Tag::Ol, _) => Some(8),
            (Tag::Figure, _) => Some(9),
            (Tag::Blockquote, _) => Some(10),
            (Tag::Dialog, _) | (_, "dialog" | "alertdialog") => Some(11),
            (Tag::Section, _) => Some(12),
            (Tag::Button | Tag::Select | Tag::A, _) | (_, "button" | "listbox") => Some(13),
            _ => None,
        };
        if let Some(place) = which.and_then(|which| inside.get_mut(which)) {
            *place += 1.0;
        }
        if tree.attr(id, "aria-hidden") == Some("true")
            && let Some(place) = inside.get_mut(11)
        {
            *place += 2.0;
        }
    }
    distance.into_iter().for_each(&mut *push);
    inside.into_iter().for_each(&mut *push);
    push(own_groups.count_ones() as f32);
    for sums in chain {
        push(log(sums.words));
        push(sums.link_share());
        push(share(sums.words, total.words));
        push(share(sums.prose, sums.words));
        push(share(sums.words, sums.blocks));
    }
    push(chain.first().map_or(0.0, |sums| log(sums.blocks)));
    push(levels_to_top.map_or(99.0, |level| level as f32));
    push(top_distance as f32);
    push(share(top.words, total.words));
    for sums in [main_sums, article_sums] {
        push(sums.map_or(-1.0, |sums| share(sums.words, total.words)));
        push(sums.map_or(-1.0, Sums::link_share));
        push(sums.map_or(-1.0, |sums| share(sums.prose, total.prose)));
    }
}

/// The element that holds the most running text, found as reader modes do: every paragraph gives points to its
/// parent, half to its grandparent, a quarter to the next.
struct TopCandidate {
    /// The element and its ancestors.
    path: Vec<NodeId>,
    words: u32,
}

impl TopCandidate {
    /// 0 for the element, 1 for its parent …; `None` for an element that is not around it.
    fn level(&self, id: NodeId) -> Option<usize> {
        self.path.iter().position(|&known| known == id)
    }
}

fn top_candidate(tree: &Tree, blocks: &Blocks) -> TopCandidate {
    let mut points = vec![0.0f32; tree.len()];
    let mut words = vec![0u32; tree.len()];
    let mut best = (0.0f32, Tree::ROOT);
    for block in &blocks.blocks {
        let counts = &block.counts;
        if counts.words < 6 {
            continue;
        }
        let density = share(counts.link_words, counts.words);
        let own = (1.0 + counts.commas as f32 + (counts.chars as f32 / 80.0).min(5.0)) * (1.0 - density);
        for (up, id) in tree.ancestors(block.container).take(4).enumerate() {
            let Some(place) = points.get_mut(id.index()) else { continue };
            *place += own / [1.0, 2.0, 4.0, 8.0].get(up).copied().unwrap_or(8.0);
            if *place > best.0 {
                best = (*place, id);
            }
            if let Some(place) = words.get_mut(id.index()) {
                *place += counts.words;
            }
        }
    }
    let path = std::iter::once(best.1).chain(tree.ancestors(best.1)).take(40).collect();
    TopCandidate { path, words: words.get(best.1.index()).copied().unwrap_or_default() }
}

/// Sums over the blocks that stand in elements of the same names and classes.
fn look_alikes(tree: &Tree, blocks: &Blocks) -> Vec<Sums> {
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(blocks.blocks.len());
    for (index, block) in blocks.blocks.iter().enumerate() {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for id in std::iter::once(block.container).chain(tree.ancestors(block.container)).take(3) {
            let class = tree.attr(id, "class").unwrap_or_default().split_ascii_whitespace().next();
            for byte in tree.name(id).bytes().chain(class.unwrap_or_default().bytes().take(24)) {
                // Numbers in classes tell elements of one kind apart.
                if !byte.is_ascii_digit() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        keys.push((hash, index as u32));
    }
    keys.sort_unstable();
    let mut found = vec![Sums::default(); blocks.blocks.len()];
    for group in keys.chunk_by(|a, b| a.0 == b.0) {
        let mut sums = Sums::default();
        for (_, index) in group {
            if let Some(block) = blocks.blocks.get(*index as usize) {
                sums.add(sums_of(tree, block));
            }
        }
        for (_, index) in group {
            if let Some(place) = found.get_mut(*index as usize) {
                *place = sums;
            }
        }
    }
    found
}

/// For each block, how many blocks have the same words and whether it is the first of them.
fn repeats(blocks: &Blocks) -> Vec<(u32, bool)> {
    let mut keys: Vec<(u64, usize)> =
        blocks.blocks.iter().enumerate().map(|(index, block)| (block.counts.hash, index)).collect();
    keys.sort_unstable();
    let mut found = vec![(1, true); keys.len()];
    for group in keys.chunk_by(|a, b| a.0 == b.0) {
        for (place, (_, index)) in group.iter().enumerate() {
            if let Some(found) = found.get_mut(*index) {
                *found = (group.len() as u32, place == 0);
            }
        }
    }
    found
}

fn word_hashes(text: &str) -> Vec<u64> {
    let mut hashes: Vec<u64> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(word_hash).collect();
    hashes.sort_unstable();
    hashes
}

fn word_hash(word: &str) -> u64 {
    word.chars().flat_map(char::to_lowercase).fold(0xcbf2_9ce4_8422_2325, |hash, c| {
        (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The share of a short block's words that the title has.
fn title_overlap(tree: &Tree, blocks: &Blocks, block: &Block, title: &[u64]) -> f32 {
    if block.counts.words > 40 || title.is_empty() {
        return 0.0;
    }
    let (mut known, mut all) = (0, 0);
    for &id in blocks.texts_of(block) {
        for word in tree.text(id).unwrap_or_default().split(|c: char| !c.is_alphanumeric()) {
            if !word.is_empty() {
                all += 1;
                known += u32::from(title.binary_search(&word_hash(word)).is_ok());
            }
        }
    }
    share(known, all) * (share(known, title.len() as u32)).min(1.0)
}
