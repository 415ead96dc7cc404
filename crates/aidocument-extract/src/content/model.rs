//! The content model: gradient-boosted decision trees, stored in `model.bin`.
//!
//! The file holds the numbers of trees of its five parts (two bytes each, little-endian), then all trees one after the
//! other: those that distinguish articles from other pages by the features that all rows of a page share, then, for
//! articles and for other pages, those of the first pass and those of the second, which correct the first's log-odds. A
//! tree is a byte with the number of its inner nodes, those nodes (eight bytes each: feature, left, right, zero,
//! threshold as a little-endian `f32`) and its leaves (one `f32` each, one more than inner nodes). A child below 128 is
//! an inner node, `255 - n` is leaf `n`. The last eight bytes are the hash of the features that the trees ask for (see
//! [`fingerprint`](super::fingerprint)). A row goes left where its feature is at most the threshold; the leaves that it
//! reaches add up to the log-odds.
//!
//! At compile time the file becomes one table in which the two children of a node are adjacent and a leaf leads
//! to itself. So walking down takes the same number of steps everywhere, without branches, for several trees at
//! once.
//!
//! `docs/content-model.md` describes the training of the trees and their scores on pages outside of the
//! training set.

use super::features::WIDTH;

static FILE: &[u8] = include_bytes!("model.bin");

/// The file without the hash at its end.
static TREES: &[u8] = FILE.split_at(FILE.len() - 8).0;

/// The hash of the features that the model was trained on, from the end of its file.
#[cfg(test)]
pub(super) fn features_hash() -> u64 {
    FILE.last_chunk().copied().map_or(0, u64::from_le_bytes)
}

/// The parts of the file: [`Kind::of`], the first and the second look at articles, and those at other pages.
const PARTS: usize = 5;
const KIND: usize = 0;
const ARTICLES: (usize, usize) = (1, 2);
const OTHERS: (usize, usize) = (3, 4);

/// Steps from a root to its farthest leaf, at most, for the kind of a page, for first looks and for second ones.
const DEPTHS: (usize, usize, usize) = TABLES.2;

/// Log-odds beyond which the result is certain, and after how many trees the first pass checks for that: first, and
/// then each time.
pub(super) const CERTAIN: f32 = 2.5;
const CERTAIN_AFTER: (usize, usize) = (28, 32);

/// The feature index of leaves, whose value is always zero.
const NO_FEATURE: u8 = (WIDTH - 1) as u8;

/// Log-odds from which on a page is classified as an article: a wrong classification costs other
/// pages more than articles gain.
const ARTICLE: f32 = 0.85;

const COUNTS: (usize, usize, [usize; PARTS + 1]) = count(TREES);
/// Where the trees of each part begin and end.
const STARTS: [usize; PARTS + 1] = COUNTS.2;
/// Room for all nodes, a power of two, so that a masked index is always in bounds.
const ROOM: usize = COUNTS.0.next_power_of_two();
static NODES: [Node; ROOM] = TABLES.0;
static ROOTS: [u16; COUNTS.1] = TABLES.1;
const TABLES: Tables = tables(TREES);
type Tables = ([Node; ROOM], [u16; COUNTS.1], (usize, usize, usize));

/// An inner node: leads to `next` if the feature is at most `threshold`, otherwise to the node after that.
///
/// A leaf's threshold is its contribution to the log-odds. Its feature is always zero, so a threshold of at least
/// zero leads to `next`, and a negative one to the node after it; both are the leaf itself.
#[derive(Clone, Copy)]
struct Node {
    threshold: f32,
    next: u16,
    feature: u8,
}

/// What a page is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A text that a page is there for: news, a post.
    Article,
    Other,
}

impl Kind {
    /// The kind of the page that a row is of, the same for each of its rows.
    pub(crate) fn of(row: &[f32; WIDTH]) -> Kind {
        let log_odds = walk::<{ DEPTHS.0 }>(trees(KIND), row, 0.0);
        if log_odds > ARTICLE { Kind::Article } else { Kind::Other }
    }

    /// The log-odds that a block with these features is content.
    pub(crate) fn first_look(self, row: &[f32; WIDTH]) -> f32 {
        // Most blocks are beyond doubt early on.
        sum::<{ DEPTHS.1 }>(trees(self.looks().0), row)
    }

    /// The log-odds of the first look, corrected.
    pub(super) fn second_look(self, row: &[f32; WIDTH], first: f32) -> f32 {
        walk::<{ DEPTHS.2 }>(trees(self.looks().1), row, first)
    }

    fn looks(self) -> (usize, usize) {
        match self {
            Kind::Article => ARTICLES,
            Kind::Other => OTHERS,
        }
    }
}

/// The roots of a part.
fn trees(part: usize) -> &'static [u16] {
    let start = |part: usize| STARTS.get(part).copied().unwrap_or_default();
    ROOTS.get(start(part)..start(part + 1)).unwrap_or_default()
}

/// The chance, from 0 to 1.
pub(crate) fn chance_of(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The sum of the trees; stops early if the result is certain.
fn sum<const DEPTH: usize>(trees: &[u16], row: &[f32; WIDTH]) -> f32 {
    let (head, tail) = trees.split_at_checked(CERTAIN_AFTER.0).unwrap_or((trees, &[]));
    let mut sum = walk::<DEPTH>(head, row, 0.0);
    for trees in tail.chunks(CERTAIN_AFTER.1) {
        if sum.abs() > CERTAIN {
            break;
        }
        sum = walk::<DEPTH>(trees, row, sum);
    }
    sum
}

/// Adds the results of these trees to a start value, one after the other.
fn walk<const DEPTH: usize>(trees: &[u16], row: &[f32; WIDTH], start: f32) -> f32 {
    let (eights, rest) = trees.as_chunks::<8>();
    let (fours, ones) = rest.as_chunks::<4>();
    let sum = eights.iter().fold(start, |sum, roots| walk_together::<DEPTH, 8>(*roots, row, sum));
    let sum = fours.iter().fold(sum, |sum, roots| walk_together::<DEPTH, 4>(*roots, row, sum));
    ones.iter().fold(sum, |sum, root| walk_together::<DEPTH, 1>([*root], row, sum))
}

/// The same for trees walked in parallel, which the processor can overlap.
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
    let leaf = |at: u16| NODES.get(usize::from(at) % ROOM).map_or(0.0, |node| node.threshold);
    at.into_iter().fold(start, |sum, at| sum + leaf(at))
}

fn step(row: &[f32; WIDTH], at: u16) -> u16 {
    let Some(node) = NODES.get(usize::from(at) % ROOM) else { return at };
    let at_most = row.get(usize::from(node.feature)).is_none_or(|value| *value <= node.threshold);
    node.next + u16::from(!at_most)
}

/// How many nodes, leaves included, and how many trees a file has, and where the trees of each part begin and end.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn count(file: &[u8]) -> (usize, usize, [usize; PARTS + 1]) {
    let mut starts = [0; PARTS + 1];
    let mut part = 0;
    while part < PARTS {
        let trees = u16::from_le_bytes([file[2 * part], file[2 * part + 1]]) as usize;
        starts[part + 1] = starts[part] + trees;
        part += 1;
    }
    let (mut at, mut nodes, mut trees) = (2 * PARTS, 0, 0);
    while at < file.len() {
        let inner = file[at] as usize;
        at += 1 + inner * 8 + (inner + 1) * 4;
        nodes += 2 * inner + 1;
        trees += 1;
    }
    assert!(trees == starts[PARTS]);
    (nodes, trees, starts)
}

/// The tables of a file; a damaged one does not compile.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn tables(file: &[u8]) -> Tables {
    let mut nodes = [Node { threshold: 0.0, next: 0, feature: NO_FEATURE }; ROOM];
    let mut roots = [0; COUNTS.1];
    // Of the kinds, of first looks and of second ones.
    let mut depths = [0; 3];
    let (mut at, mut free, mut tree, mut part) = (2 * PARTS, 0, 0, 0);
    while at < file.len() {
        while tree >= STARTS[part + 1] {
            part += 1;
        }
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
                let added = number(file, answers + (255 - byte as usize) * 4);
                nodes[place].threshold = added;
                nodes[place].next = if added >= 0.0 { place } else { place - 1 } as u16;
                // First looks have odd numbers.
                let role = if part == KIND { 0 } else { 2 - part % 2 };
                depths[role] = if depth > depths[role] { depth } else { depths[role] };
            }
        }
        at = answers + (inner + 1) * 4;
        tree += 1;
    }
    assert!(free == COUNTS.0 && ROOM <= 1 << 16);
    (nodes, roots, (depths[0], depths[1], depths[2]))
}

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
const fn number(file: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ARTICLE, CERTAIN, CERTAIN_AFTER, Kind, NO_FEATURE, PARTS, WIDTH};

    /// What each tree of the file adds, part by part, read as the module's documentation describes it.
    fn added(row: &[f32; WIDTH]) -> Vec<Vec<f32>> {
        let (head, mut rest) = super::TREES.split_at(2 * PARTS);
        let number = |at: &[u8]| f32::from_le_bytes(at[..4].try_into().unwrap());
        let mut parts = Vec::new();
        for count in head.as_chunks::<2>().0 {
            let mut part = Vec::new();
            for _ in 0..u16::from_le_bytes(*count) {
                let inner = usize::from(rest[0]);
                let (nodes, leaves) = rest[1..].split_at(8 * inner);
                let mut byte = if inner == 0 { 255 } else { 0 };
                while byte < 128 {
                    let node = &nodes[8 * usize::from(byte)..];
                    byte = if row[usize::from(node[0])] <= number(&node[4..]) { node[1] } else { node[2] };
                }
                part.push(number(&leaves[4 * usize::from(255 - byte)..]));
                rest = &leaves[4 * (inner + 1)..];
            }
            parts.push(part);
        }
        assert!(rest.is_empty());
        parts
    }

    fn first_look(added: &[f32]) -> f32 {
        let mut sum = 0.0_f32;
        for (tree, value) in added.iter().enumerate() {
            let (first, then) = CERTAIN_AFTER;
            if tree >= first && (tree - first).is_multiple_of(then) && sum.abs() > CERTAIN {
                break;
            }
            sum += value;
        }
        sum
    }

    fn row() -> impl Strategy<Value = [f32; WIDTH]> {
        let value = prop_oneof![Just(0.0_f32), Just(-1.0), 0.0..1.0_f32, (0..400_u16).prop_map(f32::from)];
        prop::collection::vec(value, WIDTH).prop_map(|values| {
            let mut row = [0.0; WIDTH];
            row.copy_from_slice(&values);
            row[usize::from(NO_FEATURE)] = 0.0;
            row
        })
    }

    proptest! {
        #[test]
        fn tables_walk_as_the_file_says(row in row()) {
            let parts = added(&row);
            let kind: f32 = parts[0].iter().sum();
            prop_assert_eq!(Kind::of(&row) == Kind::Article, kind > ARTICLE);
            for (kind, first, second) in [(Kind::Article, 1, 2), (Kind::Other, 3, 4)] {
                prop_assert_eq!(kind.first_look(&row), first_look(&parts[first]));
                let corrected = parts[second].iter().fold(0.5, |sum, value| sum + value);
                prop_assert_eq!(kind.second_look(&row, 0.5), corrected);
            }
        }
    }
}
