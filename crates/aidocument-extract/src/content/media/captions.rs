//! Captions of chosen images.

use super::Search;
use crate::caption::is_apart;
use crate::tree::{NodeId, Step, Tag};

/// Words of a caption at most.
const CAPTION: u32 = 80;

impl Search<'_> {
    /// Records the caption of a chosen image if the caption was not chosen itself: text in a `<figcaption>`, or in an
    /// element with such a name, in the same box as the image.
    pub(super) fn caption_of(&mut self, id: NodeId) {
        let tree = self.tree;
        let names_caption = |id: NodeId| {
            matches!(tree.tag(id), Tag::Figcaption | Tag::Caption) || tree.is_called(id, &["caption"])
        };
        let is_figure = |&around: &NodeId| {
            tree.tag(around) == Tag::Figure
                || (tree.tag(around) != Tag::Table && !self.is_kept(around) && names_caption(around))
        };
        let Some(figure) = tree.ancestors(id).take(6).find(is_figure) else { return };
        if self.figures.insert(figure, ()).is_some() {
            return;
        }
        let mut captions: Vec<usize> = Vec::new();
        let mut words = 0;
        let mut inside = 0u32;
        for step in tree.walk(figure) {
            match step {
                Step::Enter(id) if tree.is_element(id) => {
                    inside += u32::from(inside > 0 || (id != figure && names_caption(id)))
                }
                Step::Leave(_) => inside = inside.saturating_sub(1),
                Step::Enter(id) => {
                    let block = self.block_of[id];
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
