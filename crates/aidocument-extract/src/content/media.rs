//! Which images, rules and formulas belong to the chosen text, and the captions of chosen images.
//!
//! They have no words for the content model to classify. Between two pieces of chosen text they are chosen. In a gap,
//! before the first piece or after the last, an image is chosen unless it is in an element with another purpose, has
//! the size or name of an icon, or is in a box with its own text and links, like a teaser.

use std::borrow::Cow;
use std::collections::HashSet;

use super::blocks::Blocks;
use super::names;
use crate::address;
use crate::embed;
use crate::image;
use crate::rules::Rule;
use crate::structure::Structure;
use crate::structure::roles::{heading_at, is_boilerplate};
use crate::tree::{ByNode, NodeId, NodeMap, Step, Tag, Tree};
use crate::visibility::{is_drawing, is_unseen};
use crate::words::names::{AUTHORS, FOOTERS, MEMBERS};

/// Words that were not chosen between an image and the chosen text: in a gap, before the text, and behind it.
const IN_GAP: u32 = 80;
const BEFORE: u32 = 60;
const BEHIND: u32 = 40;

/// Words that were not chosen between an image and the text of its own element that follows.
const RIGHT_BEFORE: u32 = 20;

/// A box around an image with this many words is a separate text.
const OWN_TEXT: u32 = 50;

/// Largest size of an icon in pixels, and of an invisible image.
const ICON: u32 = 48;
const PIXEL: u32 = 3;

/// Elements around an image up to its figure, and to its link.
const IN_FIGURE: usize = 6;
const IN_LINK: usize = 8;

/// Nodes of a caption before its first text.
const BEFORE_CAPTION: usize = 24;

/// Endings of the names of images.
const IMAGES: [&str; 7] = ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"];

mod captions;

/// The chosen nodes besides text.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Images, rules and formulas.
    pub(super) nodes: Vec<NodeId>,
    /// Captions that were not chosen, with the images that they describe.
    pub(super) captions: NodeMap<String>,
}

/// A node without words: an image, rule or formula.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    id: NodeId,
    /// Whether chosen text comes before.
    follows: bool,
    /// Words that were not chosen since then.
    before: u32,
    /// Whether a caption that was not chosen lies between that text and this.
    is_captioned: bool,
    /// Words of the page so far that were not chosen, and captions.
    passed: u32,
    captions: u32,
    /// The page's title, if it is above that.
    title: Option<NodeId>,
}

/// The page, and what of it is chosen.
struct Search<'a> {
    tree: &'a Tree,
    blocks: &'a Blocks,
    structure: &'a Structure,
    /// For each node, whether it is chosen text or holds some.
    kept: &'a ByNode<bool>,
    /// For each text node its block's place, counted from one.
    block_of: ByNode<u32>,
    /// For each checked box around images, whether it is a separate text.
    boxes: NodeMap<bool>,
    /// Figures whose captions were looked at.
    figures: NodeMap<()>,
    /// Where the chosen images are.
    sources: HashSet<Cow<'a, str>>,
    /// Where the text behind the images that are decided about leads, and whether one of them that was chosen leads there too.
    card: (Option<&'a str>, bool),
    chosen: Chosen,
    /// The name of the page's address.
    own: &'a str,
}

/// Looks through the page, whose address has the name `own`. `O(n)`.
pub(super) fn choose(
    tree: &Tree,
    blocks: &Blocks,
    structure: &Structure,
    kept: &ByNode<bool>,
    own: &str,
) -> Chosen {
    let some = [
        Tag::Img,
        Tag::Hr,
        Tag::Noscript,
        Tag::Iframe,
        Tag::Video,
        Tag::Audio,
        Tag::Embed,
        Tag::Picture,
        Tag::Other,
    ];
    if !(some.iter().any(|&tag| tree.has(tag)) || structure.has_formulas()) {
        return Chosen::default();
    }
    let mut block_of = ByNode::new(tree);
    for (place, block) in blocks.blocks.iter().enumerate() {
        for id in blocks.texts_of(block) {
            block_of[*id] = u32::try_from(place + 1).unwrap_or(0);
        }
    }
    let chosen = Chosen::default();
    let (boxes, figures, sources) = (NodeMap::default(), NodeMap::default(), HashSet::new());
    let card = (None, false);
    let mut search =
        Search { tree, blocks, structure, kept, block_of, boxes, figures, sources, card, chosen, own };
    search.run();
    search.chosen
}

impl<'a> Search<'a> {
    fn run(&mut self) {
        let mut waiting: Vec<Candidate> = Vec::new();
        let (mut follows, mut passed, mut at_last) = (false, 0u32, 0u32);
        let (mut captions, mut captions_at_last) = (0u32, 0u32);
        let mut last_block = 0;
        let mut walk = self.tree.walk(Tree::ROOT);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            if self.tree.text(id).is_some() {
                let block = self.block_of[id];
                if block == 0 {
                    continue;
                }
                if self.is_kept(id) {
                    let title = heading_at(self.tree, id)
                        .filter(|&(level, _)| !follows && level == 1)
                        .map(|(_, id)| id);
                    self.card = (leads_to(self.tree, id), false);
                    for mut candidate in std::mem::take(&mut waiting) {
                        candidate.title = title;
                        let is_beside = candidate.captions == captions;
                        self.decide(candidate, Some(passed - candidate.passed), is_beside);
                    }
                    follows = true;
                    at_last = passed;
                    captions_at_last = captions;
                } else if block != last_block {
                    if self.is_in_caption(id, block) {
                        captions = captions.saturating_add(1);
                    } else {
                        passed = passed.saturating_add(self.words(block).0);
                    }
                }
                last_block = block;
                continue;
            }
            if !self.tree.is_element(id) {
                continue;
            }
            let tag = self.tree.tag(id);
            let is_formula = self.structure.formula(id).is_some();
            let is_candidate = is_formula
                || tag == Tag::Hr
                || image::is_image(self.tree, id, tag)
                || embed::of(self.tree, id).is_some()
                || (tag == Tag::Noscript && image::stands_alone(self.tree, id));
            if is_candidate && self.is_shown(id) {
                let (before, is_captioned) = (passed - at_last, captions > captions_at_last);
                waiting.push(Candidate { id, follows, before, is_captioned, passed, captions, title: None });
            }
            if is_formula || tag.is_silent() || is_drawing(self.tree, id, tag) {
                walk.skip_children();
            }
        }
        self.card = (None, false);
        for candidate in waiting {
            self.decide(candidate, None, false);
        }
    }

    /// Whether nothing around an element hides it.
    fn is_shown(&self, id: NodeId) -> bool {
        !self.tree.ancestors(id).any(|around| is_unseen(self.tree, around, self.tree.tag(around)))
    }

    fn is_kept(&self, id: NodeId) -> bool {
        self.kept[id]
    }

    /// Returns true if the text of a block describes an image, so it does not separate the image from other text.
    /// Teasers begin with a link there, captions may end with that of a credit.
    fn is_in_caption(&self, id: NodeId, block: u32) -> bool {
        let mut around = self.tree.ancestors(id).take(5);
        around.find(|&around| self.tree.tag(around) == Tag::Figcaption).is_some_and(|caption| {
            let inside = self.tree.descendants(caption).take(BEFORE_CAPTION);
            let first = inside.map(|inner| self.block_of[inner]).find(|&block| block != 0);
            [Some(block), first].into_iter().flatten().any(|block| {
                let (words, linked) = self.words(block);
                2 * linked < words
            })
        })
    }

    /// Words and linked words of a block.
    fn words(&self, block: u32) -> (u32, u32) {
        let block = (block as usize).checked_sub(1).and_then(|place| self.blocks.blocks.get(place));
        block.map_or((0, 0), |block| (block.counts.words, block.counts.link_words))
    }

    /// Decides about a candidate; `after` words that were not chosen are between it and the next chosen text. If there
    /// is no caption either, that text is adjacent.
    fn decide(&mut self, candidate: Candidate, after: Option<u32>, is_beside: bool) {
        let id = candidate.id;
        let tree: &'a Tree = self.tree;
        let image = image::of(tree, id);
        let image = image.as_ref();
        let adjacent = candidate.follows
            && candidate.before == 0
            && !candidate.is_captioned
            && after == Some(0)
            && is_beside;
        let holder = self.tree.ancestors(id).find(|&around| self.tree.tag(around).is_block());
        let rules = tree.rules;
        // What is so small counts visitors, and shows nothing. A formula may have such an image beside it.
        let is_pixel = matches!(tree.tag(id), Tag::Img | Tag::Noscript)
            && image.and_then(|image| image.least).is_some_and(|length| length <= PIXEL);
        let fits = if is_pixel || self.shows_author(id) {
            false
        } else if adjacent && (rules.has(Rule::ImagesBetween) || tree.tag(id) == Tag::Hr) {
            true
        } else if self.structure.formula(id).is_some() {
            self.is_kept(id) || holder.is_some_and(|holder| self.is_kept(holder))
        } else if self.tree.tag(id) == Tag::Hr {
            false
        } else {
            rules.has(Rule::ImagesNear)
                && self.is_near(candidate, after)
                && !(rules.has(Rule::BoxesOfText)
                    && candidate.title.is_some_and(|title| self.leads_elsewhere(id, title)))
                && !self.is_strange(id, image)
        };
        if fits {
            if rules.has(Rule::ImageCaptions) {
                self.caption_of(id);
            }
            if !self.is_repeated(id, image, holder) {
                self.chosen.nodes.push(id);
            }
        }
    }

    /// Returns true if an image was chosen before, or is not the first of a card whose link is behind it, and has no meaning of its own
    /// here: no caption, not in a cell, and not in a line of chosen text, where it stands for a word like a smiley.
    fn is_repeated(&mut self, id: NodeId, image: Option<&image::Found<'a>>, holder: Option<NodeId>) -> bool {
        let tree: &'a Tree = self.tree;
        let is_image = matches!(tree.tag(id), Tag::Img | Tag::Noscript);
        let Some(found) = image.filter(|_| is_image) else { return false };
        let is_word = !found.alt.is_empty()
            && holder.is_some_and(|holder| {
                let tag = tree.tag(holder);
                let is_line = matches!(tag, Tag::P | Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Figcaption);
                (is_line || tag.heading_level().is_some()) && self.is_kept(holder)
            });
        let is_cell = tree.ancestors(id).take(6).any(|around| matches!(tree.tag(around), Tag::Td | Tag::Th));
        let (card, has_image) = self.card;
        let is_in_card = card.is_some() && leads_to(tree, id) == card;
        let is_known = !self.sources.insert(found.source.clone());
        // A placeholder may come before the image.
        self.card.1 |= is_in_card && !is_known && !is_icon(tree, id, image);
        let is_again = is_known || (is_in_card && has_image);
        is_again
            && tree.rules.has(Rule::ImagesAgain)
            && !is_word
            && !is_cell
            && !self.chosen.captions.contains_key(&id)
    }

    /// Whether the image is near enough to the chosen text.
    fn is_near(&self, candidate: Candidate, after: Option<u32>) -> bool {
        let around = self.tree.ancestors(candidate.id).find(|&around| self.is_kept(around));
        let in_content = around.is_some_and(|around| !matches!(self.tree.tag(around), Tag::Body | Tag::Html));
        match (candidate.follows, after) {
            (true, Some(after)) => {
                candidate.before + after <= IN_GAP
                    || (in_content && (after <= RIGHT_BEFORE || candidate.before == 0))
            }
            (false, Some(after)) => in_content && after <= BEFORE,
            (true, None) => in_content && candidate.before <= BEHIND,
            (false, None) => false,
        }
    }

    /// Returns true if an image is a link to another page than the title's, and not to its own larger form: above a title a logo, a
    /// subject or an advertisement.
    fn leads_elsewhere(&self, id: NodeId, title: NodeId) -> bool {
        let href = |id: NodeId| self.tree.attr(id, "href").filter(|_| self.tree.tag(id) == Tag::A);
        let Some(name) = leads_to(self.tree, id).map(address::name_of) else { return false };
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let mut near = self.tree.descendants(title).take(12).chain(self.tree.ancestors(title).take(4));
        let is_of_title = near.any(|id| href(id).is_some_and(|href| address::name_of(href) == name));
        name != self.own && !is_of_title && !IMAGES.contains(&ending.as_str())
    }

    /// Returns true if an element around an image, without chosen text in it, shows that the image is
    /// not content.
    fn is_strange(&mut self, id: NodeId, image: Option<&image::Found<'_>>) -> bool {
        let tree = self.tree;
        if is_icon(tree, id, image) {
            return true;
        }
        let mut outermost = None;
        // In a figure, "copyright" and "bottom" are about the image.
        let figure = tree.ancestors(id).take(IN_FIGURE).position(|around| tree.tag(around) == Tag::Figure);
        for (depth, around) in tree.ancestors(id).enumerate() {
            if self.is_kept(around) {
                break;
            }
            let is_in_figure = figure.is_some_and(|figure| depth < figure);
            let strange = if is_in_figure { names::STRANGE & !FOOTERS } else { names::STRANGE };
            if tree.rules.has(Rule::NamedBoxes)
                && (names::groups_of(tree, around) & strange != 0 || is_boilerplate(tree, around))
            {
                return true;
            }
            outermost = Some(around);
        }
        outermost.is_some_and(|outermost| tree.rules.has(Rule::BoxesOfText) && self.has_own_text(outermost))
    }

    /// Returns true if an image, or a box around it without chosen text, is named for who wrote the page or a comment.
    fn shows_author(&self, id: NodeId) -> bool {
        let boxes = self.tree.ancestors(id).take_while(|&around| !self.is_kept(around));
        self.tree.rules.has(Rule::NamedBoxes)
            && std::iter::once(id)
                .chain(boxes)
                .any(|id| names::groups_of(self.tree, id) & (AUTHORS | MEMBERS) != 0)
    }

    /// Returns true if a box without chosen text has so much text, or such links, that it is a separate
    /// text.
    fn has_own_text(&mut self, outermost: NodeId) -> bool {
        if let Some(&known) = self.boxes.get(&outermost) {
            return known;
        }
        let (mut words, mut link_words, mut last) = (0u32, 0u32, 0);
        for id in self.tree.descendants(outermost) {
            let block = self.block_of[id];
            if block != 0 && block != last && !self.is_in_caption(id, block) {
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
}

/// Where the link around an image or a text leads.
fn leads_to(tree: &Tree, id: NodeId) -> Option<&str> {
    let mut links = tree.ancestors(id).take(IN_LINK).filter(|&around| tree.tag(around) == Tag::A);
    links.find_map(|link| tree.attr(link, "href"))
}

/// Whether an image is an icon, an avatar or a pixel that counts visitors, by its size and names.
fn is_icon(tree: &Tree, id: NodeId, image: Option<&image::Found<'_>>) -> bool {
    if !tree.rules.has(Rule::Icons) {
        return false;
    }
    if image.and_then(|image| image.least).is_some_and(|length| length <= ICON) {
        return true;
    }
    let class = tree.attr(id, "class").unwrap_or_default().to_ascii_lowercase();
    let words = ["avatar", "icon", "logo", "emoji", "smiley", "sprite", "pixel", "spinner"];
    if class.split(|c: char| !c.is_ascii_alphabetic()).any(|word| words.contains(&word)) {
        return true;
    }
    let source = image.map(|image| image.source.to_ascii_lowercase()).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `is_it` holds for the first image of a page.
    fn first(html: &str, is_it: impl Fn(&Tree, NodeId, Option<&image::Found<'_>>) -> bool) -> bool {
        let tree = Tree::parse(html);
        let id = tree.descendants(Tree::ROOT).find(|&id| tree.tag(id) == Tag::Img).expect("an image");
        is_it(&tree, id, image::of(&tree, id).as_ref())
    }

    #[test]
    fn icons_are_known_by_size_class_and_place() {
        for (html, expected) in [
            ("<img src=a.png width=48>", true),
            ("<img src=a.png width=49 height=49>", false),
            ("<img src=a.png class=site-logo>", true),
            ("<img src=a.png class=logos>", false),
            ("<img src=/a/avatar_1.png>", true),
            ("<img src=/a/company-logo.png>", true),
            ("<img src=/icons/a.png>", true),
            ("<img src=/iconic/a.png>", false),
            ("<img src=https://x.example/adserver/a.png>", true),
            ("<img src=http://ad.x.example/a.png>", true),
            ("<img src=https://ad.x.example/a.png>", true),
            ("<img src=https://add.x.example/a.png>", false),
            ("<img src=/a/photo.png?from=icon>", false),
        ] {
            assert_eq!(first(html, is_icon), expected, "{html}");
        }
    }

    /// The sources of the images that are chosen beside the blocks that begin with `+`, with their captions.
    fn chosen(html: &str) -> Vec<String> {
        let (tree, blocks) = super::super::visible(html, &crate::Options::default());
        let structure = Structure::of(&tree, html);
        let mut kept = ByNode::new(&tree);
        for block in &blocks.blocks {
            let texts = blocks.texts_of(block);
            if texts.iter().filter_map(|&id| tree.text(id)).any(|text| text.trim_start().starts_with('+')) {
                super::super::selection::mark(&tree, &mut kept, texts);
            }
        }
        let found = choose(&tree, &blocks, &structure, &kept, "page");
        let of_image = |&id: &NodeId| {
            let source = tree.attr(id, "src").unwrap_or("rule");
            found
                .captions
                .get(&id)
                .map_or_else(|| source.to_owned(), |caption| format!("{source}: {caption}"))
        };
        found.nodes.iter().map(of_image).collect()
    }

    #[test]
    fn above_the_title_no_image_leads_elsewhere() {
        let above =
            |link: &str| chosen(&format!("<main>{link}<img src=a.png></a><h1>+A</h1><p>+B</p></main>")).len();
        for (link, expected) in [
            ("", 1),
            ("<a>", 1),
            ("<a href=/other>", 0),
            ("<a href=https://x.example/>", 0),
            ("<a href=/b/page/?c#d>", 1),
            ("<a href=/c/a-large.JPG?w=1>", 1),
        ] {
            assert_eq!(above(link), expected, "{link}");
        }
        // Of a list, the first entry has its image in front.
        assert_eq!(
            chosen("<main><a href=/other><img src=a.png></a><h1><a href=/other>+A</a></h1><p>+B</p></main>")
                .len(),
            1
        );
        assert_eq!(chosen("<main><a href=/other><img src=a.png></a><h2>+A</h2><p>+B</p></main>").len(), 1);
        assert_eq!(chosen("<main><p>+A</p><a href=/other><img src=a.png></a><h1>+B</h1></main>").len(), 1);
    }

    #[test]
    fn a_card_has_one_image_before_its_link() {
        let link = |to: &str, inner: &str| format!("<a href={to}>{inner}</a>");
        let page = |cards: &str| chosen(&format!("<main><p>+A</p>{cards}<p>+B</main>"));
        let card = |images: &[&str]| {
            let images: String = images.iter().map(|name| link("/t", &format!("<img src={name}>"))).collect();
            page(&format!("{images}<p>{}</p>", link("/t", "+Tea")))
        };
        assert_eq!(card(&["a.png", "b.png", "c.png"]), ["a.png"]);
        assert_eq!(card(&["placeholder.png", "b.png", "c.png"]), ["placeholder.png", "b.png"]);
        // All in one link, as many shops have it.
        let inside = "<div><img src=a.png></div><div><img src=b.png></div><p>+Tea</p>";
        assert_eq!(page(&link("/t", inside)), ["a.png"]);
        // Images that lead elsewhere, or nowhere, and those of the next card.
        let two = format!("{}{}", link("/t", "<img src=a.png>"), link("/u", "<img src=b.png>"));
        assert_eq!(page(&format!("{two}{}", link("/t", "+Tea"))), ["a.png", "b.png"]);
        assert_eq!(
            page(&format!("{}+Tea", link("/t", "<img src=a.png><img src=b.png>"))),
            ["a.png", "b.png"]
        );
        assert_eq!(page("<img src=a.png><img src=b.png><p>+Tea</p>"), ["a.png", "b.png"]);
        let next = |name: &str| link("/t", &format!("<img src={name}><p>+Tea</p>"));
        assert_eq!(page(&format!("{}{}", next("a.png"), next("b.png"))), ["a.png", "b.png"]);
    }

    #[test]
    fn images_are_chosen_by_what_is_around_them() {
        let words = |count: usize| format!("<p>{}</p>", "word ".repeat(count));
        let page = |inner: &str| format!("<main><p>+A</p>{inner}<p>+B</p></main>");
        let is_chosen = |html: &str| !chosen(html).is_empty();
        // Between two pieces of text, whatever its name; in a gap, not too far from both.
        assert!(is_chosen(&page("<img src=logo.png>")));
        assert!(is_chosen(&page("<hr>")));
        assert!(!is_chosen(&page(&format!("{}<hr>", words(1)))));
        assert!(!is_chosen(&page(&format!("{}<img src=logo.png>", words(1)))));
        assert!(is_chosen(&page(&format!("{}<img src=a.png>{}", words(40), words(40)))));
        assert!(!is_chosen(&page(&format!("{}<img src=a.png>{}", words(40), words(41)))));
        assert!(is_chosen(&page(&format!("{}<img src=a.png>{}", words(400), words(20)))));
        assert!(!is_chosen(&page(&format!("{}<img src=a.png>{}", words(400), words(21)))));
        assert!(is_chosen(&page(&format!("<img src=a.png>{}", words(400)))));
        assert!(!is_chosen(&page(&format!("{}<img src=a.png>{}", words(1), words(400)))));
        // Before the text and behind it, where an element holds both.
        assert!(is_chosen(&format!("<main><img src=a.png>{}<p>+A</main>", words(60))));
        assert!(!is_chosen(&format!("<main><img src=a.png>{}<p>+A</main>", words(61))));
        assert!(!is_chosen("<img src=a.png><p>+A"));
        assert!(is_chosen(&format!("<main><p>+A</p>{}<img src=a.png></main>", words(40))));
        assert!(!is_chosen(&format!("<main><p>+A</p>{}<img src=a.png></main>", words(41))));
        assert!(!is_chosen("<p>+A</p><img src=a.png>"));
        assert!(!is_chosen("<main><img src=a.png></main>"));
        // A caption is not what lies between; one that is a link is a teaser.
        let figure = |caption: &str| {
            format!("<main><figure><img src=a.png><figcaption>{caption}</figcaption></figure><p>+A</main>")
        };
        assert!(is_chosen(&figure(&"word ".repeat(200))));
        assert!(is_chosen(&figure(&format!("{}<a href=/b>By B</a>", "word ".repeat(200)))));
        assert!(!is_chosen(&figure(&format!("<a href=/b>{}</a>", "word ".repeat(200)))));
        // A credit in its own element may be one. What starts with a link is a teaser.
        let credit = "<p>Image: <a href=/b>By the B of C</a></p>";
        let line = format!("<p>{}</p>", "word ".repeat(200));
        assert!(is_chosen(&figure(&format!("{line}{}", credit.repeat(20)))));
        assert!(!is_chosen(&figure(&format!("{credit}{line}"))));
        assert!(!is_chosen(&figure("").replace("<p>", &format!("{}<p>", words(200)))));
        // In boxes named for something else, and in boxes with texts or links of their own.
        let in_box = |inner: &str| page(&format!("{}<div>{inner}<img src=a.png></div>", words(1)));
        assert!(is_chosen(&in_box("")));
        assert!(!is_chosen(&in_box("").replace("<div>", "<div class=share>")));
        assert!(!is_chosen(&in_box("").replace("div>", "aside>")));
        // "Copyright" in a figure is the image's, elsewhere the page's.
        let owned = in_box("").replace("<img src=a.png>", "<i class=image-and-copyright><img src=a.png></i>");
        assert!(!is_chosen(&owned));
        assert!(is_chosen(&owned.replace("div>", "figure>")));
        assert!(!is_chosen(&owned.replace("<div>", "<div class=copyright><figure>")));
        assert!(is_chosen(&in_box(&words(50))));
        assert!(!is_chosen(&in_box(&words(51))));
        assert!(!is_chosen(&in_box("<a href=/b>Read more</a>")));
        assert!(is_chosen(&in_box("<a href=/b>More</a>")));
        assert!(is_chosen(&in_box("<a href=/b>Read more</a> about it")));
    }

    #[test]
    fn a_pixel_that_counts_visitors_takes_no_formula_with_it() {
        let formula = "<math><mi>x</mi></math>";
        let pixel = "<noscript><img src=/count.gif width=1 height=1></noscript>";
        let page = |inner: &str| format!("<main><div>+A {inner} is long</div>{pixel}<p>+B</p></main>");
        assert_eq!(chosen(&page(formula)), ["rule"]);
        assert!(chosen(&page("")).is_empty());
    }

    #[test]
    fn portraits_are_left_out_where_other_images_are_kept() {
        for (html, expected) in [
            ("<img src=a.png class=author-profile-image>", false),
            ("<img src=a.png class='round avatar'>", false),
            ("<div class='byline small'><a href=/eva><img src=a.png></a></div>", false),
            ("<img src=a.png class=authority alt=Avatars>", true),
        ] {
            let html = format!("<main><p>+A</p>{html}<p>+B</p></main>");
            assert_eq!(!chosen(&html).is_empty(), expected, "{html}");
        }
    }

    #[test]
    fn an_image_that_says_nothing_new_is_chosen_once() {
        let count = |again: &str| {
            chosen(&format!("<main><p>+A</p><img src=a.png alt=Ice><p>+B</p>{again}<p>+C</p></main>")).len()
        };
        assert_eq!(count("<img src=b.png>"), 2);
        assert_eq!(count("<img src=a.png>"), 1);
        assert_eq!(count("<div><img src=a.png alt=Ice></div>"), 1);
        assert_eq!(count("<noscript><img src=a.png></noscript>"), 1);
        assert_eq!(count("<p>+D <img src=a.png></p>"), 1);
        // A smiley in a line, a tick in a cell, one with a caption.
        assert_eq!(count("<p>+D <img src=a.png alt=:)></p>"), 2);
        assert_eq!(count("<p><img src=a.png alt=:)></p>"), 1);
        assert_eq!(count("<table><tr><td>+D<td><img src=a.png></table>"), 2);
        assert_eq!(count("<figure><img src=a.png><figcaption>Snow</figcaption></figure>"), 2);
        assert_eq!(chosen("<main><p>+A</p><hr><p>+B</p><hr><p>+C</p></main>").len(), 2);
    }

    #[test]
    fn captions_that_are_not_chosen_go_with_their_image() {
        let figure = |caption: &str| {
            format!("<main><p>+A</p><figure><img src=a.png>{caption}</figure><p>+B</p></main>")
        };
        let caption = |words: usize| "word ".repeat(words);
        assert_eq!(
            chosen(&figure("<figcaption>Ice, <b>blue</b> and old</figcaption>")),
            ["a.png: Ice, blue and old"]
        );
        assert_eq!(chosen(&figure("<figcaption>+Ice</figcaption>")), ["a.png"]);
        assert_eq!(chosen(&figure("<div class=Caption-text>Ice</div><p>More</p>")), ["a.png: Ice"]);
        assert_eq!(chosen(&figure("<p>Ice</p>")), ["a.png"]);
        let html = "<main><p>+A</p><div class=wp-caption><img src=a.png><p class=wp-caption-text>Ice</p></div><p>+B</p></main>";
        assert_eq!(chosen(html), ["a.png: Ice"]);
        let long =
            |words: usize| chosen(&figure(&format!("<p>+C<figcaption>{}</figcaption>", caption(words))));
        assert!(long(80)[0].contains("word word"));
        assert_eq!(long(81), ["a.png"]);
        let html = "<main><p>+A</p><div><img src=a.png><figcaption>Ice</figcaption></div><p>+B</p></main>";
        assert_eq!(chosen(html), ["a.png"]);
        // Of figures in a figure, each has its own.
        let inner =
            "<figure><img src=c.png><figcaption>Two</figcaption></figure><figcaption>All</figcaption>";
        let html = figure(inner)
            .replace("<img src=a.png>", "<figure><img src=a.png><figcaption>One</figcaption></figure>");
        assert_eq!(chosen(&html), ["a.png: One", "c.png: Two"]);
        // One caption of two images is said once.
        let two = figure("<img src=b.png><figcaption>Ice</figcaption>");
        assert_eq!(chosen(&two), ["a.png: Ice", "b.png"]);
    }
}
