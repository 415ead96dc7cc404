//! The content model: gradient-boosted decision trees, stored in `model.bin`.
//!
//! The file holds the trees one after the other. A tree is a byte with the number of its inner nodes, those nodes
//! (eight bytes each: feature, left, right, zero, threshold as a little-endian `f32`) and its leaves (one `f32`
//! each, one more than inner nodes). A child below 128 is an inner node, `255 - n` is leaf `n`. A row goes left
//! where its feature is at most the threshold; the leaves that it reaches add up to the log-odds.
//!
//! The compiler turns the file into one table in which a leaf is a node that leads to itself, so that walking down
//! takes the same number of steps everywhere and branches nowhere, several trees side by side.
//!
//! `docs/content-model.md` tells how the trees were trained and what they score on pages they have not seen.

use super::features::WIDTH;

static FILE: &[u8] = include_bytes!("model.bin");

/// Steps from a root to its farthest leaf, at most.
const DEPTH: usize = 6;

/// Trees that are walked side by side.
const LANES: usize = 4;

/// Groups of trees after which a block is looked at no more if the log-odds are beyond [`CERTAIN`].
const CERTAIN_AFTER: usize = 8;
const CERTAIN: f32 = 2.5;

const COUNTS: (usize, usize) = count(FILE);
static NODES: [Node; COUNTS.0] = TABLES.0;
static ROOTS: [u16; COUNTS.1] = TABLES.1;
const TABLES: ([Node; COUNTS.0], [u16; COUNTS.1]) = tables(FILE);

/// A question, or a leaf: the answer leads to `next[0]` where the feature is at most `value`, else to `next[1]`.
#[derive(Clone, Copy)]
struct Node {
    feature: u8,
    next: [u16; 2],
    /// The threshold; of a leaf, its part of the log-odds.
    value: f32,
}

/// The chance that a block with these features is content, from 0 to 1.
pub(super) fn chance(row: &[f32; WIDTH]) -> f32 {
    let mut sum = 0.0f32;
    for (number, roots) in ROOTS.chunks(LANES).enumerate() {
        // Most blocks are beyond doubt early on.
        if number % CERTAIN_AFTER == CERTAIN_AFTER - 1 && sum.abs() > CERTAIN {
            break;
        }
        let mut at = [0u16; LANES];
        at.iter_mut().zip(roots).for_each(|(at, root)| *at = *root);
        for _ in 0..DEPTH {
            for at in &mut at {
                let Some(node) = NODES.get(usize::from(*at)) else { continue };
                let [low, high] = node.next;
                *at = if at_most(row, node) { low } else { high };
            }
        }
        for at in at.iter().take(roots.len()) {
            sum += NODES.get(usize::from(*at)).map_or(0.0, |node| node.value);
        }
    }
    1.0 / (1.0 + (-sum).exp())
}

fn at_most(row: &[f32; WIDTH], node: &Node) -> bool {
    row.get(usize::from(node.feature)).is_none_or(|value| *value <= node.value)
}

/// How many nodes, leaves included, and how many trees a file has.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn count(file: &[u8]) -> (usize, usize) {
    let (mut at, mut nodes, mut trees) = (0, 0, 0);
    while at < file.len() {
        let inner = file[at] as usize;
        at += 1 + inner * 8 + (inner + 1) * 4;
        nodes += 2 * inner + 1;
        trees += 1;
    }
    (nodes, trees)
}

/// The tables of a file; a damaged one does not compile.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn tables(file: &[u8]) -> ([Node; COUNTS.0], [u16; COUNTS.1]) {
    let mut nodes = [Node { feature: 0, next: [0; 2], value: 0.0 }; COUNTS.0];
    let mut roots = [0; COUNTS.1];
    let (mut at, mut first, mut tree) = (0, 0, 0);
    while at < file.len() {
        let inner = file[at] as usize;
        at += 1;
        roots[tree] = first as u16;
        let mut node = 0;
        while node < inner {
            let (low, high) = (file[at + 1], file[at + 2]);
            let next = [child(first, inner, low), child(first, inner, high)];
            nodes[first + node] = Node { feature: file[at], next, value: number(file, at + 4) };
            at += 8;
            node += 1;
        }
        let mut leaf = 0;
        while leaf <= inner {
            let own = first + inner + leaf;
            nodes[own] = Node { feature: 0, next: [own as u16; 2], value: number(file, at) };
            at += 4;
            leaf += 1;
        }
        first += 2 * inner + 1;
        tree += 1;
    }
    assert!(first <= u16::MAX as usize);
    (nodes, roots)
}

const fn child(first: usize, inner: usize, byte: u8) -> u16 {
    let place = if byte < 128 { byte as usize } else { inner + (255 - byte as usize) };
    (first + place) as u16
}

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn number(file: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}
