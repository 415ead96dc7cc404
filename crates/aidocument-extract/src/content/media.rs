//! Which images, rules and formulas belong to the chosen text, and what describes the chosen images.
//!
//! None of them has words that the content model could judge. Between two pieces of chosen text they are chosen. In a
//! gap, before the first piece or after the last, an image is chosen unless something speaks against it: an element
//! around it that is named for something else, a size or name of an icon, or a box of text and links of its own, as
//! teasers have it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::blocks::Blocks;
use super::names;
use crate::caption::is_apart;
use crate::embed;
use crate::image;
use crate::rules::Rule;
use crate::structure::Structure;
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::{is_drawing, is_unseen};

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

/// Bytes of a file's name from which on it names one image.
const LONG_NAME: usize = 12;

/// Nodes of a figure among which a caption is looked for.
const MAX_FIGURE: usize = 60;

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
    /// Whether a caption that was not chosen lies between that text and this.
    is_captioned: bool,
    /// Words of the page so far that were not chosen, and captions.
    passed: u32,
    captions: u32,
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
    /// Where the chosen images are.
    sources: HashSet<Cow<'a, str>>,
    /// The chosen images whose files have long names, by these.
    files: HashMap<String, NodeId>,
    chosen: Chosen,
}

fn is_embed(tag: Tag) -> bool {
    matches!(tag, Tag::Iframe | Tag::Video | Tag::Audio | Tag::Embed | Tag::Other)
}

/// Looks through the page. `O(n)`.
pub(super) fn choose(tree: &Tree, blocks: &Blocks, structure: &Structure, kept: &[bool]) -> Chosen {
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
    let mut block_of = vec![0; tree.len()];
    for (place, block) in blocks.blocks.iter().enumerate() {
        for id in blocks.texts_of(block) {
            if let Some(slot) = block_of.get_mut(id.index()) {
                *slot = u32::try_from(place + 1).unwrap_or(0);
            }
        }
    }
    let chosen = Chosen::default();
    let (boxes, figures, sources, files) = (HashMap::new(), HashSet::new(), HashSet::new(), HashMap::new());
    let mut search =
        Search { tree, blocks, structure, kept, block_of, boxes, figures, sources, files, chosen };
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
                let block = self.block_of.get(id.index()).copied().unwrap_or_default();
                if block == 0 {
                    continue;
                }
                if self.is_kept(id) {
                    for candidate in std::mem::take(&mut waiting) {
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
                || (is_embed(tag) && embed::of(self.tree, id).is_some())
                || (tag == Tag::Noscript && image::stands_alone(self.tree, id));
            if is_candidate && self.is_shown(id) {
                let (before, is_captioned) = (passed - at_last, captions > captions_at_last);
                waiting.push(Candidate { id, follows, before, is_captioned, passed, captions });
            }
            if is_formula || tag.is_silent() || is_drawing(self.tree, id, tag) {
                walk.skip_children();
            }
        }
        for candidate in waiting {
            self.decide(candidate, None, false);
        }
    }

    /// Whether nothing around an element hides it.
    fn is_shown(&self, id: NodeId) -> bool {
        !self.tree.ancestors(id).any(|around| is_unseen(self.tree, around, self.tree.tag(around)))
    }

    fn is_kept(&self, id: NodeId) -> bool {
        self.kept.get(id.index()) == Some(&true)
    }

    /// Whether a text of a block describes an image, and so does not part it from other text. Teasers have links there.
    fn is_in_caption(&self, id: NodeId, block: u32) -> bool {
        let (words, linked) = self.words(block);
        2 * linked < words
            && self.tree.ancestors(id).take(5).any(|around| self.tree.tag(around) == Tag::Figcaption)
    }

    /// Words and linked words of a block.
    fn words(&self, block: u32) -> (u32, u32) {
        let block = (block as usize).checked_sub(1).and_then(|place| self.blocks.blocks.get(place));
        block.map_or((0, 0), |block| (block.counts.words, block.counts.link_words))
    }

    /// Chooses a candidate or not; `after` words that were not chosen lie between it and the next chosen text, which is
    /// right beside it should there be no caption either.
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
        let fits = if rules.has(Rule::Invisible) && is_invisible(tree, id, image) {
            false
        } else if adjacent && (rules.has(Rule::ImagesBetween) || tree.tag(id) == Tag::Hr) {
            !(rules.has(Rule::Portraits) && is_portrait(tree, id, image))
        } else if self.structure.formula(id).is_some() {
            self.is_kept(id) || holder.is_some_and(|holder| self.is_kept(holder))
        } else if self.tree.tag(id) == Tag::Hr {
            false
        } else {
            !(rules.has(Rule::Portraits) && is_portrait(tree, id, image))
                && (rules.has(Rule::ImagesInLines)
                    && holder.is_some_and(|holder| {
                        self.is_line(holder) && self.is_kept(holder) && !is_icon(tree, id, image)
                    })
                    || rules.has(Rule::ImagesInLines) && self.is_figure_of_kept_caption(id)
                    || (rules.has(Rule::ImagesNear)
                        && self.is_near(candidate, after)
                        && !self.is_strange(id, image)))
        };
        if fits && !self.is_said_for_another_theme(image) {
            if rules.has(Rule::ImageCaptions) {
                self.caption_of(id);
            }
            if !self.is_repeated(id, image, holder) {
                self.chosen.nodes.push(id);
            }
        }
    }

    /// Whether an element holds lines of text.
    fn is_line(&self, holder: NodeId) -> bool {
        let tag = self.tree.tag(holder);
        matches!(tag, Tag::P | Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Figcaption)
            || tag.heading_level().is_some()
    }

    /// Whether an image was chosen before, and says nothing here: it has no caption, is in no cell, and in no line of
    /// chosen text where it stands for a word, as a smiley does.
    fn is_repeated(&mut self, id: NodeId, image: Option<&image::Found<'a>>, holder: Option<NodeId>) -> bool {
        let tree: &'a Tree = self.tree;
        let is_image = matches!(tree.tag(id), Tag::Img | Tag::Noscript);
        let Some(found) = image.filter(|_| is_image) else { return false };
        let is_word = !found.alt.is_empty()
            && holder.is_some_and(|holder| self.is_line(holder) && self.is_kept(holder));
        let is_cell = tree.ancestors(id).take(6).any(|around| matches!(tree.tag(around), Tag::Td | Tag::Th));
        // A gallery has its images once more as thumbnails, by the same name in another folder; a preview comes first.
        let is_thumbnail = tree.rules.has(Rule::Thumbnails) && self.has_file_of(id, found);
        let is_known = !self.sources.insert(found.source.clone()) && tree.rules.has(Rule::ImagesAgain);
        (is_known || is_thumbnail) && !is_word && !is_cell && !self.chosen.captions.contains_key(&id)
    }

    /// Whether an image of the same file was chosen before, and this one says nothing new. One that is smaller by its address makes room for this one.
    fn has_file_of(&mut self, id: NodeId, found: &image::Found<'_>) -> bool {
        let tree: &'a Tree = self.tree;
        let source = &*found.source;
        let path = source.split(['?', '#']).next().unwrap_or_default();
        let Some(file) = path.rsplit('/').next().filter(|file| file.len() >= LONG_NAME) else { return false };
        let Some(before) = self.files.insert(file.to_owned(), id) else { return false };
        if !found.alt.trim().is_empty() {
            return false;
        }
        let Some(earlier) = image::of(tree, before)
            .filter(|earlier| tree.rules.has(Rule::Previews) && is_smaller(&earlier.source, source))
        else {
            self.files.insert(file.to_owned(), before);
            return true;
        };
        self.chosen.nodes.retain(|&node| node != before);
        let text = self.chosen.captions.remove(&before).unwrap_or_else(|| earlier.alt.into_owned());
        if !text.trim().is_empty() {
            self.chosen.captions.entry(id).or_insert(text);
        }
        false
    }

    /// Whether the image is the one chosen last, drawn for pages of the other theme.
    fn is_said_for_another_theme(&self, image: Option<&image::Found<'_>>) -> bool {
        let last = self.chosen.nodes.last().filter(|&&last| self.tree.tag(last) == Tag::Img);
        image.filter(|_| self.tree.rules.has(Rule::Themes)).is_some_and(|own| {
            let last = last.and_then(|&last| image::of(self.tree, last));
            last.is_some_and(|last| is_other_theme(&last.source, &own.source))
        })
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

    fn is_figure_of_kept_caption(&self, id: NodeId) -> bool {
        let figure = self.tree.ancestors(id).take(8).find(|&around| self.tree.tag(around) == Tag::Figure);
        figure.is_some_and(|figure| self.is_kept(figure))
    }

    /// Whether something speaks against an image, in the elements around it that hold no chosen text.
    fn is_strange(&mut self, id: NodeId, image: Option<&image::Found<'_>>) -> bool {
        let tree = self.tree;
        if tree.rules.has(Rule::Icons) && is_icon(tree, id, image) {
            return true;
        }
        let mut outermost = None;
        for around in tree.ancestors(id) {
            if self.is_kept(around) {
                break;
            }
            let is_aside_figure = tree.rules.has(Rule::FiguresAside)
                && tree.tag(around) == Tag::Aside
                && is_figure_alone(tree, around);
            if tree.rules.has(Rule::NamedBoxes)
                && (names::groups_of(tree, around) & STRANGE != 0
                    || (super::is_boilerplate(tree, around) && !is_aside_figure))
            {
                return true;
            }
            outermost = Some(around);
        }
        outermost.is_some_and(|outermost| tree.rules.has(Rule::BoxesOfText) && self.has_own_text(outermost))
    }

    /// Whether a box without chosen text has so much text, or such links, that it is a text of its own.
    fn has_own_text(&mut self, outermost: NodeId) -> bool {
        if let Some(&known) = self.boxes.get(&outermost) {
            return known;
        }
        let (mut words, mut link_words, mut last) = (0u32, 0u32, 0);
        for id in self.tree.descendants(outermost) {
            let block = self.block_of.get(id.index()).copied().unwrap_or_default();
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
        let has_own = tree.tag(figure) == Tag::Figure
            && tree.descendants(figure).take(MAX_FIGURE).any(|inner| tree.tag(inner) == Tag::Figcaption);
        let behind = next.filter(|&next| {
            tree.rules.has(Rule::CaptionsBehind)
                && !has_own
                && tree.tag(next) == Tag::Figcaption
                && !self.is_kept(next)
        });
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
            for &id in self.blocks.texts_of(block) {
                let around = tree.parent(id);
                if around.is_some_and(|around| {
                    tree.first_child(around) == Some(id) && is_apart(tree, around, text.chars().next_back())
                }) {
                    text.push(' ');
                }
                text.push_str(tree.text(id).unwrap_or_default());
            }
            text.push(' ');
        }
        self.chosen.captions.insert(id, crate::page::collapse(&text));
    }
}

/// Whether an element has a figure, and nothing else: one that is set beside the text.
fn is_figure_alone(tree: &Tree, id: NodeId) -> bool {
    let mut inner = tree.children(id).filter(|&child| match tree.text(child) {
        Some(text) => !text.trim().is_empty(),
        None => tree.is_element(child),
    });
    inner.next().is_some_and(|first| tree.tag(first) == Tag::Figure) && inner.next().is_none()
}

/// Whether the folder of an address says a smaller size than the same folder of another does: `60` and `1994`.
fn is_smaller(one: &str, other: &str) -> bool {
    let number = |folder: &str| -> Option<u32> {
        let digits = folder.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.get(..digits.bytes().take_while(u8::is_ascii_digit).count())?.parse().ok()
    };
    let mut folders = one.split('/').zip(other.split('/')).filter(|(one, other)| one != other);
    folders
        .next()
        .is_some_and(|(one, other)| number(one).zip(number(other)).is_some_and(|(one, other)| one < other))
}

/// Whether two addresses name an image for light pages and the same for dark ones.
fn is_other_theme(one: &str, other: &str) -> bool {
    let theme = |address: &str| {
        let address = address.to_ascii_lowercase();
        let words = |word: &str| address.replacen(word, "", 1);
        match (address.contains("light"), address.contains("dark")) {
            (true, false) => Some((false, words("light"))),
            (false, true) => Some((true, words("dark"))),
            _ => None,
        }
    };
    match (theme(one), theme(other)) {
        (Some((one_dark, one)), Some((other_dark, other))) => one_dark != other_dark && one == other,
        _ => false,
    }
}

/// Whether an image is there to count visitors or to hold a place, and shows nothing.
fn is_invisible(tree: &Tree, id: NodeId, image: Option<&image::Found<'_>>) -> bool {
    let is_image = matches!(tree.tag(id), Tag::Img | Tag::Noscript);
    let Some(found) = image.filter(|_| is_image) else { return false };
    if found.least.is_some_and(|length| (1..=3).contains(&length)) {
        return true;
    }
    let source = found.source.to_ascii_lowercase();
    let file = source.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
    let stem = file.and_then(|file| file.split('.').next()).unwrap_or_default();
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'));
    // Not what begins so: `blanket.png`, `pixel-art.png`.
    matches!(stem, "pixel" | "1x" | "blank")
        || ["spacer", "spaceball"].iter().any(|name| stem.starts_with(name))
        || source.contains("type=1x1")
}

/// Whether an image shows who wrote the page or a comment.
fn is_portrait(tree: &Tree, id: NodeId, image: Option<&image::Found<'_>>) -> bool {
    let class = tree.attr(id, "class").unwrap_or_default().to_ascii_lowercase();
    let alt = tree.attr(id, "alt").unwrap_or_default().to_ascii_lowercase();
    let has = |text: &str, known: &[&str]| {
        text.split(|c: char| !c.is_ascii_alphabetic()).any(|word| known.contains(&word))
    };
    has(&class, &["avatar", "gravatar", "headshot", "author"])
        || class.contains("rounded-full")
        || has(&alt, &["avatar", "headshot"])
        || image.is_some_and(|image| image.source.contains("gravatar.com/avatar"))
        || tree.ancestors(id).take(3).any(|around| {
            tree.attr(around, "class").is_some_and(|class| {
                class
                    .split_ascii_whitespace()
                    .any(|name| matches!(name, "author" | "byline" | "avatar" | "author-photo"))
            })
        })
}

/// Whether an image is an icon, an avatar or a pixel that counts visitors, by its size and names.
fn is_icon(tree: &Tree, id: NodeId, image: Option<&image::Found<'_>>) -> bool {
    if image.and_then(|image| image.least).is_some_and(|length| (1..=48).contains(&length)) {
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
    fn images_that_show_nothing_are_known_by_size_or_name() {
        for (html, expected) in [
            ("<img src=a.png width=1 height=1>", true),
            ("<img src=a.png height=3px>", true),
            ("<img src=a.png height=4>", false),
            ("<img src=a.png width=0>", false),
            ("<img src=/i/spacer-10.gif>", true),
            ("<img src=/i/Pixel.gif?a=/b>", true),
            ("<img src=blank.gif>", true),
            ("<img src=1x1.png>", true),
            ("<img src=/stat?type=1x1>", true),
            ("<img src=blanket.png>", false),
            ("<img src=pixel-art.png>", false),
            ("<img>", false),
        ] {
            assert_eq!(first(html, is_invisible), expected, "{html}");
        }
        // Those that count visitors who have no scripts.
        let counts = |image: &str| {
            let tree = Tree::parse(&format!("<p>a<noscript>{image}</noscript>"));
            let noscript = tree.descendants(Tree::ROOT).find(|&id| tree.tag(id) == Tag::Noscript);
            let noscript = noscript.expect("a noscript");
            is_invisible(&tree, noscript, image::of(&tree, noscript).as_ref())
        };
        assert!(counts("<img src=/tr?id=7 width=1 height=1>") && counts("<img src=/start?type=1x1>"));
        assert!(!counts("<img src=/a.png width=640 height=400>") && !counts("no image"));
        assert!(
            chosen("<main><p>+A</p><div><noscript><img src=/tr?id=7 width=1></noscript></div></main>")
                .is_empty()
        );
    }

    #[test]
    fn portraits_are_known_by_their_names() {
        for (html, expected) in [
            ("<img class='User-Avatar' src=a.png>", true),
            ("<img class=rounded-full src=a.png>", true),
            ("<img alt='Headshot of Ann' src=a.png>", true),
            ("<img src=https://secure.gravatar.com/avatar/1>", true),
            ("<div class=byline><p><img src=a.png></p></div>", true),
            ("<div class='bylines'><p><img src=a.png></p></div>", false),
            ("<div class=author><b><i><u><img src=a.png></u></i></b></div>", false),
            ("<img class=avatars alt=Ann src=a.png>", false),
        ] {
            assert_eq!(first(html, is_portrait), expected, "{html}");
        }
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
        let mut kept = vec![false; tree.len()];
        for block in &blocks.blocks {
            let texts = blocks.texts_of(block);
            if texts.iter().filter_map(|&id| tree.text(id)).any(|text| text.trim_start().starts_with('+')) {
                texts.iter().for_each(|id| kept[id.index()] = true);
                super::super::mark_around(&tree, &mut kept, texts.iter().copied());
            }
        }
        let found = choose(&tree, &blocks, &structure, &kept);
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
        assert!(!is_chosen(&figure("").replace("<p>", &format!("{}<p>", words(200)))));
        // In boxes named for something else, and in boxes with texts or links of their own.
        let in_box = |inner: &str| page(&format!("{}<div>{inner}<img src=a.png></div>", words(1)));
        assert!(is_chosen(&in_box("")));
        assert!(!is_chosen(&in_box("").replace("<div>", "<div class=share>")));
        assert!(!is_chosen(&in_box("").replace("div>", "aside>")));
        assert!(is_chosen(&in_box(&words(50))));
        assert!(!is_chosen(&in_box(&words(51))));
        assert!(!is_chosen(&in_box("<a href=/b>Read more</a>")));
        assert!(is_chosen(&in_box("<a href=/b>More</a>")));
        assert!(is_chosen(&in_box("<a href=/b>Read more</a> about it")));
    }

    #[test]
    fn a_figure_set_beside_the_text_belongs_to_it() {
        let page = |inner: &str| format!("<main><p>+A</p><aside>{inner}</aside><p>+B</p></main>");
        let figure = "<figure><img src=a.png><figcaption>Ice on the wall</figcaption></figure>";
        assert_eq!(chosen(&page(figure)), ["a.png: Ice on the wall"]);
        assert!(chosen(&page(&format!("{figure}<p>More"))).is_empty());
        assert!(chosen(&page(&format!("{figure} More"))).is_empty());
        assert!(chosen(&page("<div><img src=a.png><p>Ice</div>")).is_empty());
        assert!(chosen(&page(figure).replace("<aside>", "<aside class=share>")).is_empty());
    }

    #[test]
    fn one_image_for_light_and_dark_pages_is_chosen_once() {
        let two = |first: &str, second: &str| {
            chosen(&format!("<main><p>+A</p><img src={first}><img src={second}><p>+B</p></main>")).len()
        };
        assert_eq!(two("head-light.png", "head-dark.png"), 1);
        assert_eq!(two("/Dark/head.png", "/Light/head.png"), 1);
        assert_eq!(two("head-light.png", "foot-dark.png"), 2);
        assert_eq!(two("head-light.png", "head.png"), 2);
        assert_eq!(two("head-dark.png", "head-dark.svg"), 2);
        assert_eq!(two("light-dark.png", "dark-dark.png"), 2);
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
        // A thumbnail by the same long name.
        let thumbnail = |name: &str, alt: &str| {
            chosen(&format!("<main><p>+A</p><img src=/big/{name}><p>+B</p><img src=/small/{name} alt='{alt}'><p>+C</p></main>")).len()
        };
        assert_eq!(thumbnail("1926784_800.jpg", ""), 1);
        assert_eq!(thumbnail("1926784_800.jpg", "The back"), 2);
        assert_eq!(thumbnail("1926784.jpg", ""), 2);
        // A preview makes room for what it is one of, and leaves its text.
        let preview = |first: &str, second: &str| {
            let image = |size: &str, alt: &str| {
                format!("<img src=https://x.example/{size}/1_abcdefgh.png alt='{alt}'>")
            };
            chosen(&format!(
                "<main><p>+A</p>{}<p>+B</p>{}<p>+C</p></main>",
                image(first, "Load"),
                image(second, "")
            ))
        };
        assert_eq!(preview("max/60", "max/1994"), ["https://x.example/max/1994/1_abcdefgh.png: Load"]);
        assert_eq!(preview("w600", "w80"), ["https://x.example/w600/1_abcdefgh.png"]);
        assert_eq!(preview("big", "small"), ["https://x.example/big/1_abcdefgh.png"]);
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
        assert_eq!(chosen(&figure("</figure><figcaption>Ice</figcaption><figure>")), ["a.png: Ice"]);
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
