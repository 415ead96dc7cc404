//! What a person sees of a page: one verdict a node, found in one pass over the tree and asked for by all.
//!
//! The verdict is for the page as delivered: in a window of 1280 by 900 pixels, without scripts, with the page's own style
//! sheets. It comes from, in this order: what browsers never show ([`HiddenReason::NotRendered`]), attributes of HTML, the
//! attribute `style` and the rules of `<style>` by the cascade ([`cascade`]), classes that frameworks give a fixed meaning
//! ([`names`]), and ARIA. Classes and ARIA only count if no style of the page applies.
//!
//! Whether a text is *left out* of the content is a separate decision. Text that a reader can open (a panel, an
//! answer, a closed `<details>`) is content, and so is text that a page hides until its script has run;
//! [`opens`] recognises these.

mod cascade;
pub(crate) mod characters;
mod color;
mod conditions;
mod hints;
mod imports;
mod index;
mod limits;
mod markup;
mod names;
mod opens;
mod page_names;
mod parts;
mod pass;
mod place;
mod plain;
mod property;
pub(crate) mod report;
mod sheet;
mod style;
mod texts;
mod value;

use std::borrow::Cow;

pub use limits::VisibilityLimits;
pub(crate) use report::HiddenText;
pub use texts::{SeenText, seen_texts};

pub(crate) use crate::tree::seen::Visibility;
pub use crate::tree::seen::{HiddenReason, SeenVerdict};
pub(crate) use crate::tree::seen::{Left, Mark};
use crate::tree::{NodeId, Step, Tag, Tree};
use cascade::Sheets;
use pass::Pass;

/// The window that the verdict is for, in pixels.
const WINDOW: (f32, f32) = (1280.0, 900.0);

/// Pixels below which letters are not seen.
const LEAST_FONT: f32 = 2.0;

/// Returns true if an element is not written: it is hidden, or a drawing.
pub(crate) fn is_unseen(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag.is_silent() || is_drawing(tree, id, tag) || tree.seen.is_unwritten(id)
}

/// Returns true if an element is hidden from everybody, or a drawing.
pub(crate) fn is_hidden(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag.is_silent() || is_drawing(tree, id, tag) || tree.seen.is_left_out(id)
}

/// Whether the element is an SVG.
pub(crate) fn is_drawing(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag == Tag::Svg || tree.is_foreign(id) && tree.name(id) == "svg"
}

/// Words of the text in a hidden element, scripts and the like apart: all of them, and those outside of links.
pub(crate) fn words_in(tree: &Tree, id: NodeId) -> (u32, u32) {
    let (mut words, mut link_words, mut links) = (0, 0, 0_u32);
    let mut walk = tree.walk(id);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(inner) => {
                if let Some(text) = tree.text(inner) {
                    let count = text.split_ascii_whitespace().count();
                    words += count;
                    link_words += if links > 0 { count } else { 0 };
                } else if tree.tag(inner).is_silent() || tree.tag(inner) == Tag::Svg || tree.is_foreign(inner)
                {
                    walk.skip_children();
                } else if tree.tag(inner) == Tag::A {
                    links += 1;
                }
            }
            Step::Leave(inner) if tree.tag(inner) == Tag::A => links = links.saturating_sub(1),
            Step::Leave(_) => {}
        }
    }
    let count = |words: usize| u32::try_from(words).unwrap_or(u32::MAX);
    (count(words), count(words - link_words))
}

/// How the verdict is used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Text that a reader has to open is not content.
    pub(crate) ignores_collapsed: bool,
    /// What is hidden stays content.
    pub(crate) keeps_hidden: bool,
    /// Elements that are content though their style hides them, in the order of their numbers.
    pub(crate) revealed: Vec<NodeId>,
    pub(crate) limits: VisibilityLimits,
}

impl Visibility {
    /// What is known of a node.
    pub(crate) fn mark(&self, id: NodeId) -> Mark {
        self.marks[id]
    }

    /// Whether a node is there for nobody: it and, if it is an element, all in it.
    #[inline]
    pub(crate) fn is_left_out(&self, id: NodeId) -> bool {
        self.marks[id].left == Left::Wholly
    }

    /// Whether a node is not written: it and, if it is an element, all in it.
    #[inline]
    pub(crate) fn is_unwritten(&self, id: NodeId) -> bool {
        self.marks[id].left != Left::No
    }

    /// Finds the verdicts. `O(n)`.
    pub(crate) fn of<'a>(tree: &'a Tree, settings: &Settings) -> Visibility {
        let mut texts: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::new();
        let mut size = 0_usize;
        let mut is_cut = false;
        let mut are_all = true;
        let mut add = |text: Cow<'a, str>, media: Cow<'a, str>| {
            size = size.saturating_add(text.len());
            if size > settings.limits.style_bytes as usize {
                is_cut = true;
            } else {
                texts.push((text, media));
            }
        };
        for (id, tag) in tree.elements() {
            match tag {
                // That of a drawing is for the whole page, too.
                Tag::Style | Tag::Other if tree.name(id) == "style" => {
                    // One in a template is not of the page, nor is one that scripts make into CSS.
                    let kind = tree.attr(id, "type").unwrap_or_default();
                    let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
                    if !is_css || tree.ancestors(id).last() != Some(Tree::ROOT) {
                        continue;
                    }
                    let media = tree.attr(id, "media").unwrap_or_default();
                    for text in tree.children(id).filter_map(|child| tree.text(child)) {
                        imports::of(text, |imported, media| add(imported.into(), media.into()));
                        add(text.into(), media.into());
                    }
                }
                Tag::Link => {
                    let rel = tree.attr(id, "rel").unwrap_or_default();
                    let rel = rel.to_ascii_lowercase();
                    if !rel.contains("style") {
                        continue;
                    }
                    let is_used = !rel.contains("alternate") && tree.attr(id, "disabled").is_none();
                    match tree.attr(id, "href").filter(|_| is_used).and_then(imports::sheet) {
                        Some(text) => add(text.into(), tree.attr(id, "media").unwrap_or_default().into()),
                        None => are_all = false,
                    }
                }
                _ => {}
            }
        }
        // Of large sheets most rules are about what the page does not have.
        let names = (size >= LARGE_STYLE).then(|| page_names::PageNames::of(tree));
        let texts: Vec<(&str, &str)> = texts.iter().map(|(text, media)| (&**text, &**media)).collect();
        let sheets = Sheets::new(&texts, are_all, tree.len(), &settings.limits, names);
        let mut pass = Pass::new(tree, settings, sheets, is_cut);
        pass.run();
        pass.keep_parts();
        Visibility { is_cut: pass.is_cut || pass.sheets.are_cut(), marks: pass.marks, told: pass.told }
    }
}

/// Bytes of style sheets from which on the page's names are gathered first.
const LARGE_STYLE: usize = 10_000;
