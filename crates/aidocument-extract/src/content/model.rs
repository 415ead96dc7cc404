//! The content model: gradient-boosted decision trees, stored in `model.bin`.
//!
//! The file holds the number of trees for the first look at a block (two bytes, little-endian), then all trees one
//! after the other; those after the first look's are for the second, and correct the first's log-odds. A tree is a
//! byte with the number of its inner nodes, those nodes (eight bytes each: feature, left, right, zero, threshold as
//! a little-endian `f32`) and its leaves (one `f32` each, one more than inner nodes). A child below 128 is an inner
//! node, `255 - n` is leaf `n`. A row goes left where its feature is at most the threshold; the leaves that it
//! reaches add up to the log-odds.
//!
//! The compiler turns the file into one table in which the two answers to a question stand side by side and a leaf
//! leads to itself, so that walking down takes the same number of steps everywhere and branches nowhere, several
//! trees at once.
//!
//! `docs/content-model.md` tells how the trees were trained and what they score on pages they have not seen.

use super::features::WIDTH;

static FILE: &[u8] = include_bytes!("model.bin");

/// Steps from a root to its farthest leaf, at most, for the trees of each look.
const DEPTHS: (usize, usize) = (TABLES.3.0, TABLES.3.1);

/// Log-odds beyond which there is no doubt, and the trees after which the first look stops if so: the first time, and
/// from then on.
pub(super) const CERTAIN: f32 = 2.5;
const CERTAIN_AFTER: (usize, usize) = (28, 32);

/// The feature that leaves ask for: always zero, which is at most their threshold.
const NO_FEATURE: u8 = (WIDTH - 1) as u8;

const COUNTS: (usize, usize, usize) = count(FILE);
/// Trees of the first look.
const FIRST: usize = COUNTS.2;
/// Room for all nodes, so much that a place cut to its lower bits is always within.
const ROOM: usize = COUNTS.0.next_power_of_two();
static NODES: [Node; ROOM] = TABLES.0;
/// The parts of the log-odds that the leaves add.
static LEAVES: [f32; ROOM] = TABLES.1;
static ROOTS: [u16; COUNTS.1] = TABLES.2;
const TABLES: Tables = tables(FILE);
type Tables = ([Node; ROOM], [f32; ROOM], [u16; COUNTS.1], (usize, usize));

/// A question: the answer leads to `next` where the feature is at most `threshold`, else to the node behind that.
#[derive(Clone, Copy)]
struct Node {
    threshold: f32,
    next: u16,
    feature: u8,
}

/// The log-odds that a block with these features is content.
pub(crate) fn first_look(row: &[f32; WIDTH]) -> f32 {
    // Most blocks are beyond doubt early on.
    sum::<{ DEPTHS.0 }>(ROOTS.get(..FIRST).unwrap_or_default(), row, 0.0, CERTAIN)
}

/// The log-odds of the first look, corrected.
pub(super) fn second_look(row: &[f32; WIDTH], first: f32) -> f32 {
    sum::<{ DEPTHS.1 }>(ROOTS.get(FIRST..).unwrap_or_default(), row, first, f32::INFINITY)
}

/// The chance, from 0 to 1.
pub(crate) fn chance_of(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// What the trees add to a start; the rest of them is left out where it is beyond doubt.
fn sum<const DEPTH: usize>(trees: &[u16], row: &[f32; WIDTH], start: f32, certain: f32) -> f32 {
    let (head, tail) = trees.split_at_checked(CERTAIN_AFTER.0).unwrap_or((trees, &[]));
    let mut sum = walk::<DEPTH>(head, row, start);
    for trees in tail.chunks(CERTAIN_AFTER.1) {
        if sum.abs() > certain {
            break;
        }
        sum = walk::<DEPTH>(trees, row, sum);
    }
    sum
}

/// What these trees add to a start, each in its turn.
fn walk<const DEPTH: usize>(trees: &[u16], row: &[f32; WIDTH], start: f32) -> f32 {
    let (eights, rest) = trees.as_chunks::<8>();
    let (fours, ones) = rest.as_chunks::<4>();
    let sum = eights.iter().fold(start, |sum, roots| walk_together::<DEPTH, 8>(*roots, row, sum));
    let sum = fours.iter().fold(sum, |sum, roots| walk_together::<DEPTH, 4>(*roots, row, sum));
    ones.iter().fold(sum, |sum, root| walk_together::<DEPTH, 1>([*root], row, sum))
}

/// The same for trees that are walked side by side, which the processor does at the same time.
fn walk_together<const DEPTH: usize, const LANES: usize>(
    roots: [u16; LANES],
    row: &[f32; WIDTH],
    start: f32,
) -> f32 {
    let mut at = roots;
    for _ in 0..DEPTH {
        for at in &mut at {
            *at = step(row, *at);
        }
    }
    let leaf = |at: u16| LEAVES.get(usize::from(at) % ROOM).copied().unwrap_or_default();
    at.into_iter().fold(start, |sum, at| sum + leaf(at))
}

fn step(row: &[f32; WIDTH], at: u16) -> u16 {
    let Some(node) = NODES.get(usize::from(at) % ROOM) else { return at };
    let at_most = row.get(usize::from(node.feature)).is_none_or(|value| *value <= node.threshold);
    node.next + u16::from(!at_most)
}

/// How many nodes, leaves included, and how many trees a file has, and how many of these are for the first look.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn count(file: &[u8]) -> (usize, usize, usize) {
    let (mut at, mut nodes, mut trees) = (2, 0, 0);
    while at < file.len() {
        let inner = file[at] as usize;
        at += 1 + inner * 8 + (inner + 1) * 4;
        nodes += 2 * inner + 1;
        trees += 1;
    }
    (nodes, trees, u16::from_le_bytes([file[0], file[1]]) as usize)
}

/// The tables of a file; a damaged one does not compile.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn tables(file: &[u8]) -> Tables {
    let mut nodes = [Node { threshold: f32::INFINITY, next: 0, feature: NO_FEATURE }; ROOM];
    let mut leaves = [0.0; ROOM];
    let mut roots = [0; COUNTS.1];
    let mut depths = [0; 2];
    let (mut at, mut free, mut tree) = (2, 0, 0);
    while at < file.len() {
        let inner = file[at] as usize;
        let (questions, answers) = (at + 1, at + 1 + inner * 8);
        roots[tree] = free as u16;
        // Places in the table that wait for their node, the byte that names it, and the steps down to it.
        let mut waiting = [(free, if inner == 0 { 255 } else { 0 }, 0); 256];
        let (mut first, mut last) = (0, 1);
        free += 1;
        while first < last {
            let (place, byte, depth) = waiting[first];
            first += 1;
            if byte < 128 {
                let question = questions + byte as usize * 8;
                assert!(file[question] != NO_FEATURE);
                nodes[place] = Node {
                    threshold: number(file, question + 4),
                    next: free as u16,
                    feature: file[question],
                };
                waiting[last] = (free, file[question + 1], depth + 1);
                waiting[last + 1] = (free + 1, file[question + 2], depth + 1);
                last += 2;
                free += 2;
            } else {
                nodes[place].next = place as u16;
                leaves[place] = number(file, answers + (255 - byte as usize) * 4);
                let look = (tree >= FIRST) as usize;
                depths[look] = if depth > depths[look] { depth } else { depths[look] };
            }
        }
        at = answers + (inner + 1) * 4;
        tree += 1;
    }
    assert!(free == COUNTS.0 && ROOM <= 1 << 16);
    (nodes, leaves, roots, (depths[0], depths[1]))
}

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn number(file: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}
