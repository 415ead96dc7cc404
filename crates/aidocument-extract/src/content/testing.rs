//! Pages of a few blocks for tests of single rules: those that begin with `+` are taken to be kept.

use super::about::About;
use super::blocks::Blocks;
use super::features::Page;
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

    /// Applies a rule that goes by the page's data.
    pub(super) fn apply(&mut self, rule: impl FnOnce(&Page<'_>, &About, &mut [bool])) {
        let address = "https://a.example/".parse().expect("an address");
        let facts = crate::page::read(&self.tree, &address, 10_000, false);
        let data = crate::json_ld::of_page(&self.tree, &facts.json_ld, &mut Vec::new());
        let about = About::of(&self.tree, "https://a.example/", &facts, data.read().root());
        rule(&Page::of(&self.tree, &self.blocks), &about, &mut self.keep);
    }

    /// The texts that are kept, parted by `|`.
    pub(super) fn kept(&self) -> String {
        let kept = self.texts.iter().zip(&self.keep).filter(|(_, kept)| **kept);
        kept.map(|(text, _)| text.trim_start_matches(['+', '~'])).collect::<Vec<_>>().join("|")
    }
}
