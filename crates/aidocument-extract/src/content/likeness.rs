//! Similarity between blocks.

use super::blocks::Blocks;
use super::surroundings::{Sums, share};
use crate::tree::{ByNode, NodeId, Tree};

/// Blocks that are in elements of the same names and classes.
#[derive(Debug, Default)]
pub(super) struct LookAlikes {
    /// The group of each block.
    pub(super) groups: Vec<u32>,
    /// The sums over the blocks of each group.
    pub(super) sums: Vec<Sums>,
}

impl LookAlikes {
    /// The sums over the blocks similar to one block, including itself.
    pub(super) fn of(&self, block: usize) -> Sums {
        let group = self.groups.get(block).and_then(|&group| self.sums.get(group as usize));
        group.copied().unwrap_or_default()
    }
}

/// Finds the blocks that look alike.
pub(super) fn look_alikes(tree: &Tree, blocks: &Blocks) -> LookAlikes {
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(blocks.blocks.len());
    // What each element looks like by itself, as far as it was asked for; blocks share what is around them.
    let mut looks: ByNode<u64> = ByNode::new(tree);
    for (index, block) in blocks.blocks.iter().enumerate() {
        let mut hash = 0u64;
        for id in tree.upward(block.container).take(3) {
            let look = &mut looks[id];
            if *look == 0 {
                *look = look_of(tree, id);
            }
            hash = (hash ^ *look).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        }
        keys.push((hash, index as u32));
    }
    keys.sort_unstable();
    let mut found = LookAlikes { groups: vec![0; blocks.blocks.len()], sums: Vec::new() };
    for group in keys.chunk_by(|a, b| a.0 == b.0) {
        let mut sums = Sums::default();
        for (_, index) in group {
            if let Some(block) = blocks.blocks.get(*index as usize) {
                sums.add(Sums::of(tree, block));
            }
            if let Some(place) = found.groups.get_mut(*index as usize) {
                *place = found.sums.len() as u32;
            }
        }
        found.sums.push(sums);
    }
    found
}

/// A hash of an element's name and first class.
pub(super) fn look_of(tree: &Tree, id: NodeId) -> u64 {
    let class = tree.attr(id, "class").unwrap_or_default().split_ascii_whitespace().next();
    let bytes = tree.name(id).bytes().chain(class.unwrap_or_default().bytes().take(24));
    // Numbers in classes tell elements of one kind apart.
    bytes
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// For each block, how many blocks have the same words and whether it is the first of them.
pub(super) fn repeats(blocks: &Blocks) -> Vec<(u32, bool)> {
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

/// For each block, the share of the page's words in longer blocks.
pub(super) fn ranks(blocks: &Blocks) -> Vec<f32> {
    let mut order: Vec<(u32, usize)> =
        blocks.blocks.iter().enumerate().map(|(index, block)| (block.counts.words, index)).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    let total = blocks.words();
    let mut found = vec![0.0; order.len()];
    let mut longer = 0;
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        for (_, index) in group {
            if let Some(place) = found.get_mut(*index) {
                *place = share(longer, total);
            }
        }
        longer += group.iter().map(|(words, _)| words).sum::<u32>();
    }
    found
}
