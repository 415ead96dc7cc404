//! The content model: gradient-boosted decision trees, stored in `model.bin`.
//!
//! The file holds the trees one after the other. A tree is a byte with the number of its inner nodes, those nodes
//! (eight bytes each: feature, left, right, zero, threshold as a little-endian `f32`) and its leaves (one `f32`
//! each, one more than inner nodes). A child below 128 is an inner node, `255 - n` is leaf `n`. A row goes left
//! where its feature is at most the threshold; the leaves that it reaches add up to the log-odds.
//!
//! `docs/content-model.md` tells how the trees were trained and what they score on pages they have not seen.

static TREES: &[u8] = include_bytes!("model.bin");

/// The chance that a block with these features is content, from 0 to 1.
pub(super) fn chance(row: &[f32]) -> f32 {
    let mut sum = 0.0f32;
    let mut rest = TREES;
    while let Some((&count, tree)) = rest.split_first() {
        let Some((nodes, tail)) = tree.split_at_checked(usize::from(count) * 8) else { break };
        let Some((leaves, tail)) = tail.split_at_checked((usize::from(count) + 1) * 4) else { break };
        sum += leaf(nodes, leaves, row);
        rest = tail;
    }
    1.0 / (1.0 + (-sum).exp())
}

fn leaf(nodes: &[u8], leaves: &[u8], row: &[f32]) -> f32 {
    let mut at = 0u8;
    // Children come after their parents, so this ends; the bound is for a damaged file.
    for _ in 0..32 {
        let start = usize::from(at) * 8;
        let Some(&[feature, left, right, _, a, b, c, d]) = nodes.get(start..start + 8) else { break };
        let value = row.get(usize::from(feature)).copied().unwrap_or_default();
        at = if value <= f32::from_le_bytes([a, b, c, d]) { left } else { right };
        if at >= 128 {
            break;
        }
    }
    let start = usize::from(255 - at) * 4;
    match leaves.get(start..start + 4) {
        Some(&[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
        _ => 0.0,
    }
}
