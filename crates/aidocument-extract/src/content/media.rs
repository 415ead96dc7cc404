//! Which images, rules and formulas belong to the chosen text, and what describes the chosen images.
//!
//! None of them has words that the content model could judge. Between two pieces of chosen text they are chosen. In a
//! gap, before the first piece or after the last, an image is chosen unless something speaks against it: an element
//! around it that is named for something else, a size or name of an icon, or a box of text and links of its own, as
//! teasers have it.

use std::collections::{HashMap, HashSet};

use super::blocks::{Blocks, is_hidden};
use super::names;
use crate::embed;
use crate::image;
use crate::structure::Structure;
use crate::tree::{NodeId, Step, Tag, Tree};

/// Words that were not chosen between an image and the chosen text: in a gap, before the text, and behind it.
const IN_GAP: u32 = 80;
const BEFORE: u32 = 60;
const BEHIND: u32 = 40;

/// Words that were not chosen between an image and the text of its own element that follows.
const RIGHT_BEFORE: u32 = 20;

/// Words of a box around an image from which on it is a text of its own.
const OWN_TEXT: u32 = 50;

/// Words of a caption at most.
const CAPTION: u32 = 80;

/// Groups of names (see [`names`]) that an image of the content is not under: comments, sharing, related pages, menus,
/// footers, authors, advertisements, sign-ups, consent, avatars.
pub(super) const STRANGE: u32 =
    names::COMMENTS | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 7 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 23;

/// What is chosen beside the text.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Images, rules and formulas.
    pub(super) nodes: Vec<NodeId>,
    /// Captions that were not chosen, with the images that they describe.
    pub(super) captions: HashMap<NodeId, String>,
}

/// Something without words.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    id: NodeId,
    /// Whether chosen text comes before.
    follows: bool,
    /// Words that were not chosen since then.
    before: u32,
    /// Words of the page so far that were not chosen.
    passed: u32,
}

/// The page, and what of it is chosen.
struct Search<'a> {
    tree: &'a Tree,
    blocks: &'a Blocks,
    structure: &'a Structure,
    /// For each node, whether it is chosen text or holds some.
    kept: &'a [bool],
    /// For each text node its block's place, counted from one.
    block_of: Vec<u32>,
    /// For each box around images that was looked at, whether it is a text of its own.
    boxes: HashMap<NodeId, bool>,
    /// Figures whose captions were looked at.
    figures: HashSet<NodeId>,
    chosen: Chosen,
}

fn is_embed(tag: Tag) -> bool {
    matches!(tag, Tag::Iframe | Tag::Video | Tag::Audio | Tag::Embed)
}

/// Looks through the page. `O(n)`.
pub(super) fn choose(tree: &Tree, blocks: &Blocks, structure: &Structure, kept: &[bool]) -> Chosen {
    let some = [Tag::Img, Tag::Hr, Tag::Noscript, Tag::Iframe, Tag::Video, Tag::Audio, Tag::Embed];
    if !(some.iter().any(|&tag| tree.has(tag)) || structure.has_formulas()) {
        return Chosen::default();
    }
    let mut block_of = vec![0; tree.len()];
    for (place, block) in blocks.blocks.iter().enumerate() {
        for id in blocks.texts_of(block) {
            if let Some(slot) = block_of.get_mut(id.index()) {
                *slot = u32::try_from(place + 1).unwrap_or(0);
            }
        }
    }
    let chosen = Chosen::default();
    let (boxes, figures) = (HashMap::new(), HashSet::new());
    let mut search = Search { tree, blocks, structure, kept, block_of, boxes, figures, chosen };
    search.run();
    search.chosen
}

impl Search<'_> {
    fn run(&mut self) {
        let mut waiting: Vec<Candidate> = Vec::new();
        let (mut follows, mut passed, mut at_last) = (false, 0u32, 0u32);
        let mut last_block = 0;
        let mut walk = self.tree.walk(Tree::ROOT);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            if self.tree.text(id).is_some() {
                let block = self.block_of.get(id.index()).copied().unwrap_or_default();
                if block == 0 {
                    continue;
                }
                if self.is_kept(id) {
                    for candidate in std::mem::take(&mut waiting) {
                        self.decide(candidate, Some(passed - candidate.passed));
                    }
                    follows = true;
                    at_last = passed;
                } else if block != last_block {
                    passed = passed.saturating_add(self.words(block).0);
                }
                last_block = block;
                continue;
            }
            if !self.tree.is_element(id) {
                continue;
            }
            let tag = self.tree.tag(id);
            let is_formula = self.structure.formula(id).is_some();
            if is_formula
                || matches!(tag, Tag::Img | Tag::Hr)
                || (is_embed(tag) && embed::of(self.tree, id).is_some())
                || (tag == Tag::Noscript && image::stands_alone(self.tree, id))
            {
                waiting.push(Candidate { id, follows, before: passed - at_last, passed });
            }
            if is_formula || is_hidden(self.tree, id, tag) {
                walk.skip_children();
            }
        }
        for candidate in waiting {
            self.decide(candidate, None);
        }
    }

    fn is_kept(&self, id: NodeId) -> bool {
        self.kept.get(id.index()) == Some(&true)
    }

    /// Words and linked words of a block.
    fn words(&self, block: u32) -> (u32, u32) {
        let block = (block as usize).checked_sub(1).and_then(|place| self.blocks.blocks.get(place));
        block.map_or((0, 0), |block| (block.counts.words, block.counts.link_words))
    }

    /// Chooses a candidate or not; `after` words that were not chosen lie between it and the next chosen text.
    fn decide(&mut self, candidate: Candidate, after: Option<u32>) {
        let id = candidate.id;
        let adjacent = candidate.follows && candidate.before == 0 && after == Some(0);
        let holder = self.tree.ancestors(id).find(|&around| self.tree.tag(around).is_block());
        let fits = if adjacent {
            !is_invisible(self.tree, id) && !is_portrait(self.tree, id)
        } else if self.structure.formula(id).is_some() {
            self.is_kept(id) || holder.is_some_and(|holder| self.is_kept(holder))
        } else if self.tree.tag(id) == Tag::Hr {
            false
        } else {
            let is_line = |holder: NodeId| {
                matches!(
                    self.tree.tag(holder),
                    Tag::P | Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Figcaption
                ) || self.tree.tag(holder).heading_level().is_some()
            };
            !is_portrait(self.tree, id)
                && (holder
                    .is_some_and(|holder| is_line(holder) && self.is_kept(holder) && !is_icon(self.tree, id))
                    || self.is_figure_of_kept_caption(id)
                    || (self.is_near(candidate, after) && !self.is_strange(id)))
        };
        if fits {
            self.chosen.nodes.push(id);
            self.caption_of(id);
        }
    }

    /// Whether the image is near enough to the chosen text.
    fn is_near(&self, candidate: Candidate, after: Option<u32>) -> bool {
        let around = self.tree.ancestors(candidate.id).find(|&around| self.is_kept(around));
        let in_content = around.is_some_and(|around| !matches!(self.tree.tag(around), Tag::Body | Tag::Html));
        match (candidate.follows, after) {
            (true, Some(after)) => {
                candidate.before + after <= IN_GAP || (in_content && after <= RIGHT_BEFORE)
            }
            (false, Some(after)) => in_content && after <= BEFORE,
            (true, None) => in_content && candidate.before <= BEHIND,
            (false, None) => false,
        }
    }

    fn is_figure_of_kept_caption(&self, id: NodeId) -> bool {
        let figure = self.tree.ancestors(id).take(8).find(|&around| self.tree.tag(around) == Tag::Figure);
        figure.is_some_and(|figure| self.is_kept(figure))
    }

    /// Whether something speaks against an image, in the elements around it that hold no chosen text.
    fn is_strange(&mut self, id: NodeId) -> bool {
        let tree = self.tree;
        if is_icon(tree, id) {
            return true;
        }
        let mut outermost = None;
        for around in tree.ancestors(id) {
            if self.is_kept(around) {
                break;
            }
            let named = ["class", "id"].iter().filter_map(|name| tree.attr(around, name));
            let groups = named.fold(0, |set, value| set | names::groups(value));
            if groups & STRANGE != 0 || super::is_boilerplate(tree, around) {
                return true;
            }
            outermost = Some(around);
        }
        outermost.is_some_and(|outermost| self.has_own_text(outermost))
    }

    /// Whether a box without chosen text has so much text, or such links, that it is a text of its own.
    fn has_own_text(&mut self, outermost: NodeId) -> bool {
        if let Some(&known) = self.boxes.get(&outermost) {
            return known;
        }
        let (mut words, mut link_words, mut last) = (0u32, 0u32, 0);
        for id in self.tree.descendants(outermost) {
            let block = self.block_of.get(id.index()).copied().unwrap_or_default();
            if block != 0 && block != last {
                let (all, linked) = self.words(block);
                words += all;
                link_words += linked;
                last = block;
            }
        }
        let own = words > OWN_TEXT || (link_words >= 2 && 2 * link_words > words);
        self.boxes.insert(outermost, own);
        own
    }

    /// Notes the caption of a chosen image, should it not be chosen: text in a `<figcaption>`, or in an element of such a
    /// name, that shares a box with the image.
    fn caption_of(&mut self, id: NodeId) {
        let tree = self.tree;
        let names_caption = |id: NodeId| {
            matches!(tree.tag(id), Tag::Figcaption | Tag::Caption)
                || tree.attr(id, "class").is_some_and(|class| class.to_ascii_lowercase().contains("caption"))
        };
        let Some(mut figure) = tree.ancestors(id).take(6).find(|&around| {
            tree.tag(around) == Tag::Figure
                || (tree.tag(around) != Tag::Table && !self.is_kept(around) && names_caption(around))
        }) else {
            return;
        };
        // Some put the caption behind the figure.
        let next = std::iter::successors(tree.next_sibling(figure), |&next| tree.next_sibling(next));
        let next = next.take(2).find(|&next| tree.is_element(next));
        let behind = next.filter(|&next| tree.tag(next) == Tag::Figcaption && !self.is_kept(next));
        let is_behind = behind.is_some();
        figure = behind.unwrap_or(figure);
        if !self.figures.insert(figure) {
            return;
        }
        let mut captions: Vec<usize> = Vec::new();
        let mut words = 0;
        let mut inside = 0u32;
        for step in tree.walk(figure) {
            match step {
                Step::Enter(id) if tree.is_element(id) => {
                    inside += u32::from(inside > 0 || ((id != figure || is_behind) && names_caption(id)))
                }
                Step::Leave(_) => inside = inside.saturating_sub(1),
                Step::Enter(id) => {
                    let block = self.block_of.get(id.index()).copied().unwrap_or_default();
                    if inside > 0
                        && block != 0
                        && !self.is_kept(id)
                        && captions.last() != Some(&(block as usize - 1))
                    {
                        captions.push(block as usize - 1);
                        words += self.words(block).0;
                    }
                }
            }
        }
        if words == 0 || words > CAPTION {
            return;
        }
        let mut text = String::new();
        for block in captions.into_iter().filter_map(|place| self.blocks.blocks.get(place)) {
            text.extend(self.blocks.texts_of(block).iter().filter_map(|&id| tree.text(id)));
            text.push(' ');
        }
        self.chosen.captions.insert(id, crate::page::collapse(&text));
    }
}

/// Whether an image is there to count visitors or to hold a place, and shows nothing.
fn is_invisible(tree: &Tree, id: NodeId) -> bool {
    let length = |name: &str| {
        tree.attr(id, name).and_then(|value| value.trim().trim_end_matches("px").parse::<u32>().ok())
    };
    tree.tag(id) == Tag::Img
        && ([length("width"), length("height")].into_iter().flatten().any(|length| (1..=3).contains(&length))
            || image::of(tree, id).is_some_and(|found| {
                let source = found.source.to_ascii_lowercase();
                let file = source.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
                file.is_some_and(|file| {
                    ["spacer", "spaceball", "pixel", "1x1", "blank"].iter().any(|name| file.starts_with(name))
                }) || source.contains("type=1x1")
            }))
}

/// Whether an image shows who wrote the page or a comment.
fn is_portrait(tree: &Tree, id: NodeId) -> bool {
    let class = tree.attr(id, "class").unwrap_or_default().to_ascii_lowercase();
    let alt = tree.attr(id, "alt").unwrap_or_default().to_ascii_lowercase();
    let has = |text: &str, known: &[&str]| {
        text.split(|c: char| !c.is_ascii_alphabetic()).any(|word| known.contains(&word))
    };
    has(&class, &["avatar", "gravatar", "headshot", "author"])
        || class.contains("rounded-full")
        || has(&alt, &["avatar", "headshot"])
        || image::of(tree, id).is_some_and(|image| image.source.contains("gravatar.com/avatar"))
        || tree.ancestors(id).take(3).any(|around| {
            tree.attr(around, "class").is_some_and(|class| {
                class
                    .split_ascii_whitespace()
                    .any(|name| matches!(name, "author" | "byline" | "avatar" | "author-photo"))
            })
        })
}

/// Whether an image is an icon, an avatar or a pixel that counts visitors, by its size and names.
fn is_icon(tree: &Tree, id: NodeId) -> bool {
    let length = |name: &str| {
        tree.attr(id, name).and_then(|value| value.trim().trim_end_matches("px").parse::<u32>().ok())
    };
    if [length("width"), length("height")].into_iter().flatten().any(|length| (1..=48).contains(&length)) {
        return true;
    }
    let class = tree.attr(id, "class").unwrap_or_default().to_ascii_lowercase();
    let words = ["avatar", "icon", "logo", "emoji", "smiley", "sprite", "pixel", "spinner"];
    if class.split(|c: char| !c.is_ascii_alphabetic()).any(|word| words.contains(&word)) {
        return true;
    }
    let source = image::of(tree, id).map(|image| image.source.to_ascii_lowercase()).unwrap_or_default();
    let path = source.split(['?', '#']).next().unwrap_or_default();
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let words = |text: &str, known: &[&str]| {
        text.split(|c: char| !c.is_ascii_alphabetic()).any(|word| known.contains(&word))
    };
    words(
        file,
        &["avatar", "icon", "pixel", "spacer", "spaceball", "sprite", "blank", "loader", "placeholder"],
    ) || file.contains("logo")
        || words(folders, &["avatar", "avatars", "ads", "icons", "logos", "emoji", "gravatar"])
        || folders.contains("adserver")
        || folders.starts_with("http://ad.")
        || folders.starts_with("https://ad.")
}
