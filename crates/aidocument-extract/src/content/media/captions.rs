//! Captions of chosen images.

use super::Search;
use crate::caption::is_apart;
use crate::rules::Rule;
use crate::tree::{NodeId, Step, Tag};

/// Words of a caption at most.
const CAPTION: u32 = 80;

/// Nodes of a figure that are searched for a caption.
const MAX_FIGURE: usize = 60;

impl Search<'_> {
    /// The caption right behind a figure that has none in it.
    fn caption_behind(&self, figure: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let is_caption = |&id: &NodeId| tree.tag(id) == Tag::Figcaption;
        let behind = std::iter::successors(tree.next_sibling(figure), |&next| tree.next_sibling(next));
        let next = behind.take(2).find(|&next| tree.is_element(next)).filter(is_caption)?;
        let is_alone = tree.tag(figure) == Tag::Figure
            && !self.is_kept(next)
            && !tree.descendants(figure).take(MAX_FIGURE).any(|inner| is_caption(&inner));
        is_alone.then_some(next)
    }

    /// Records the caption of a chosen image if the caption was not chosen itself: text in a `<figcaption>`, or in an
    /// element with such a name, in the same box as the image.
    pub(super) fn caption_of(&mut self, id: NodeId) {
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
        let behind = self.caption_behind(figure).filter(|_| tree.rules.has(Rule::CaptionsBehind));
        figure = behind.unwrap_or(figure);
        if self.figures.insert(figure, ()).is_some() {
            return;
        }
        let mut captions: Vec<usize> = Vec::new();
        let mut words = 0;
        let mut inside = 0u32;
        for step in tree.walk(figure) {
            match step {
                Step::Enter(id) if tree.is_element(id) => {
                    inside +=
                        u32::from(inside > 0 || ((id != figure || behind.is_some()) && names_caption(id)))
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
        self.chosen.captions.insert(id, crate::letters::collapse(&text));
    }
}
