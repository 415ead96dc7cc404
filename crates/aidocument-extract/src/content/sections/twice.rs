//! Parts that occur twice on the page with other text in between: an article for wide and for narrow windows, an
//! introduction above and below a list, a quote of a whole post in the same thread.

use std::collections::BTreeMap;

use super::{MIN_REPEAT, Work};
use crate::content::main_element::is_manual;
use crate::tree::{NodeId, Tag};

/// From this many blocks and words on, an equal part is not a coincidence.
const MIN_BLOCKS: usize = 3;
const MIN_WORDS: u32 = 80;

/// A quote with this many words repeats a post or a paragraph.
const MIN_QUOTE: u32 = 40;

/// Words of a line that says whose a quote is.
const MAX_HEAD: u32 = 6;

/// The identity of a kept block's text.
struct Said {
    place: usize,
    /// The hash of its words.
    hash: u64,
    words: u32,
    parent: Option<NodeId>,
    /// True in a table or in code, where equal lines are normal.
    is_verbatim: bool,
}

/// Blocks of a part that repeats the one right before it.
const MAX_REPEAT: usize = 40;

/// A running hash over the kept blocks up to a place.
#[derive(Clone, Copy, Default)]
struct Sum {
    hash: u64,
    words: u32,
    verbatim: u32,
}

/// Any odd number with many bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Work<'_, '_> {
    /// Leaves out text that repeats the kept text right before it, since a page has some parts twice, for wide and for
    /// narrow windows. Not if both are siblings in one element, like the lines of a song.
    pub(super) fn repeats(&mut self) {
        let said = self.all_said();
        let mut at = 1;
        while at < said.len() {
            let length = (1..=at.min(MAX_REPEAT)).find(|&length| {
                let (Some(first), Some(second)) = (said.get(at - length..at), said.get(at..at + length))
                else {
                    return false;
                };
                first.iter().zip(second).all(|(a, b)| a.hash == b.hash && a.words == b.words)
                    && first.iter().map(|said| said.words).sum::<u32>() >= MIN_REPEAT
                    && first.first().map(|said| said.parent) != second.first().map(|said| said.parent)
                    && second.iter().all(|said| !said.is_verbatim)
            });
            for said in said.iter().skip(at).take(length.unwrap_or(0)) {
                self.set(said.place, said.place + 1, false);
            }
            at += length.unwrap_or(1);
        }
    }

    fn all_said(&self) -> Vec<Said> {
        let kept = (0..self.keep.len()).filter(|&place| self.is_kept(place));
        kept.filter_map(|place| self.said(place)).collect()
    }

    /// What a block says, where it has words.
    fn said(&self, place: usize) -> Option<Said> {
        let block = self.block(place).filter(|block| block.counts.words > 0)?;
        let is_verbatim = self
            .chain(block.container)
            .take(4)
            .any(|around| matches!(self.tree.tag(around), Tag::Pre | Tag::Td | Tag::Th));
        let parent = self.tree.parent(block.container);
        let (hash, words) = (block.counts.hash, block.counts.words);
        Some(Said { place, hash, words, parent, is_verbatim })
    }

    /// Leaves out parts whose kept text is that of an earlier part. Not parts with code or tables, where equal lines
    /// are normal. `O(n)`.
    pub(super) fn parts_twice(&mut self) {
        let said = self.all_said();
        // What a manual says of several things it says of each.
        if said.iter().map(|said| said.words).sum::<u32>() < 2 * MIN_QUOTE || is_manual(self.tree) {
            return;
        }
        let mut sums = vec![Sum::default()];
        let mut powers = vec![1u64];
        for said in &said {
            let before = sums.last().copied().unwrap_or_default();
            sums.push(Sum {
                hash: before.hash.wrapping_mul(FACTOR).wrapping_add(said.hash),
                words: before.words + said.words,
                verbatim: before.verbatim + u32::from(said.is_verbatim),
            });
            powers.push(powers.last().copied().unwrap_or(1).wrapping_mul(FACTOR));
        }
        let sum = |from: usize, to: usize| {
            let (start, end) = (sums.get(from)?, sums.get(to)?);
            let hash = end.hash.wrapping_sub(start.hash.wrapping_mul(*powers.get(to - from)?));
            Some(Sum { hash, words: end.words - start.words, verbatim: end.verbatim - start.verbatim })
        };
        // Where a block, and one with the next, is said first.
        let mut first: BTreeMap<(u64, u64), usize> = BTreeMap::new();
        let key = |at: usize, end: usize| {
            let hash = |at: usize| said.get(at).filter(|_| at < end).map_or(0, |said| said.hash);
            (hash(at), hash(at + 1))
        };
        let mut at = 0;
        while at < said.len() {
            let keys = [key(at, at + 1), key(at, at + 2)];
            let is_known = keys.iter().any(|key| first.contains_key(key));
            // The parts that start here, the largest first.
            let parts = if is_known { self.parts_from(&said, at) } else { Vec::new() };
            let again = parts.into_iter().rev().find(|&(end, is_quote)| {
                let Some(part) = sum(at, end) else { return false };
                let is_long = part.words >= MIN_WORDS && end - at >= MIN_BLOCKS;
                let is_quote = is_quote && part.words >= MIN_QUOTE;
                let earlier = first.get(&key(at, end)).filter(|&&from| from + end - at <= at);
                let is_same = |&from: &usize| {
                    let told = sum(from, from + end - at);
                    told.is_some_and(|told| told.hash == part.hash && told.words == part.words)
                };
                (is_long || is_quote) && part.verbatim == 0 && earlier.is_some_and(is_same)
            });
            for key in keys {
                first.entry(key).or_insert(at);
            }
            let end = again.map_or(at + 1, |(end, _)| end);
            if let Some((_, is_quote)) = again {
                let start = if is_quote { self.with_head(&said, at, end) } else { at };
                for said in said.get(start..end).unwrap_or_default() {
                    self.set(said.place, said.place + 1, false);
                }
            }
            at = end;
        }
    }

    /// The ends, in `said`, of the elements whose first kept block is the one at a place, and whether each is a quote;
    /// the smallest first.
    fn parts_from(&self, said: &[Said], at: usize) -> Vec<(usize, bool)> {
        let Some(block) = said.get(at).and_then(|said| self.block(said.place)) else { return Vec::new() };
        let before = at.checked_sub(1).and_then(|before| said.get(before)).map(|said| said.place);
        let mut parts: Vec<(usize, bool)> = Vec::new();
        for id in self.chain(block.container) {
            let (first, end) = self.range(id);
            if before.is_some_and(|before| before >= first) {
                break;
            }
            let end = at + said.get(at..).unwrap_or_default().partition_point(|said| said.place < end);
            let is_quote = self.is_quote(id);
            match parts.last_mut().filter(|(last, _)| *last == end) {
                Some((_, quote)) => *quote |= is_quote,
                None => parts.push((end, is_quote)),
            }
        }
        parts.retain(|(end, _)| *end > at);
        parts
    }

    /// Where a quote begins with the short line before it that says whose it is, if both are all that an element has.
    fn with_head(&self, said: &[Said], at: usize, end: usize) -> usize {
        let ends = at.checked_sub(1).and_then(|head| said.get(head).zip(said.get(end - 1)));
        let is_whole = ends.filter(|(head, _)| head.words <= MAX_HEAD).is_some_and(|(head, last)| {
            let around = self.shared(head.place, last.place);
            around.is_some_and(|around| self.range(around) == (head.place, last.place + 1))
        });
        at - usize::from(is_whole)
    }

    /// Whether an element is a quote, or the whole of one.
    fn is_quote(&self, id: NodeId) -> bool {
        self.chain(id).take(4).any(|around| self.tree.tag(around) == Tag::Blockquote)
    }
}
