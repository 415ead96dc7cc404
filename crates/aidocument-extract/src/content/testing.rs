//! Pages of a few blocks for tests of single rules: those that begin with `+` are taken to be kept.

use super::blocks::Blocks;
use super::visible;
use crate::tree::Tree;

/// A page, its blocks with their texts, and which are kept.
pub(super) struct Marked {
    pub(super) tree: Tree,
    pub(super) blocks: Blocks,
    pub(super) texts: Vec<String>,
    pub(super) keep: Vec<bool>,
}

impl Marked {
    pub(super) fn of(html: &str) -> Marked {
        let (tree, blocks) = visible(html, &crate::Options::default());
        let text = |block| -> String {
            let texts = blocks.texts_of(block).iter().filter_map(|&id| tree.text(id));
            texts.collect::<String>().trim().to_owned()
        };
        let texts: Vec<String> = blocks.blocks.iter().map(text).collect();
        let keep = texts.iter().map(|text| text.starts_with('+')).collect();
        Marked { tree, blocks, texts, keep }
    }

    /// The texts that are kept, parted by `|`.
    pub(super) fn kept(&self) -> String {
        let kept = self.texts.iter().zip(&self.keep).filter(|(_, kept)| **kept);
        kept.map(|(text, _)| text.trim_start_matches(['+', '~'])).collect::<Vec<_>>().join("|")
    }
}
