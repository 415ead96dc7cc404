//! What training the content model needs: the blocks of a page and their rows of features.

use crate::content::about::About;
use crate::content::{self, features};
use crate::{encoding, page, pipeline};

/// The blocks of a page, for training the content model.
#[derive(Debug)]
pub struct Sample {
    /// Text of each block.
    pub texts: Vec<String>,
    /// The features of all blocks, `width` numbers each.
    pub values: Vec<f32>,
    /// Features of a block.
    pub width: usize,
}

/// Cuts a page into blocks and describes each, exactly as extraction does.
#[must_use]
pub fn sample(bytes: &[u8], url: &aidocument::WebUrl) -> Sample {
    let html = encoding::decode(bytes, encoding::sniff(bytes, None, None));
    let (tree, blocks) = content::visible(&html);
    let facts = page::read(&tree, url, bytes.len(), false);
    let data = pipeline::structured_data(&tree, &facts, &mut Vec::new());
    let address = facts.canonical.as_ref().unwrap_or(url).as_str();
    let about = About::of(&tree, address, &facts.title, facts.description.as_deref(), &data);
    let (mut values, mut width) = (Vec::new(), 0);
    features::rows(&tree, &blocks, &about, |row, length| {
        width = length;
        values.extend(row.iter().take(length));
    });
    let texts = blocks
        .blocks
        .iter()
        .map(|block| {
            let mut text = String::new();
            for &id in blocks.texts_of(block) {
                text.push_str(tree.text(id).unwrap_or_default());
                if tree.next_sibling(id).is_some_and(|id| tree.tag(id) == crate::tree::Tag::Br) {
                    text.push('\n');
                }
            }
            text
        })
        .collect();
    Sample { texts, values, width }
}
