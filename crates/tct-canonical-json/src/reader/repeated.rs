//! Finding the names that an object repeats.
//!
//! While an object is read, [`Seen`] sets two bits for each name, so that most objects are known to have no repeated
//! names at no cost. For the others the names are sorted by a hash, and those with equal hashes by their text.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::node::{Node, Tag};
use super::path::children;
use crate::scan::{word_at, word_between};
use crate::unescape::decode;

/// Half of a name's hash and the index of its node: eight bytes together.
pub(super) type HashedName = (u32, u32);

/// A Bloom filter of 128 bits and two hashes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    first: u64,
    second: u64,
}

impl Seen {
    /// Adds the name `text[from..to]`, as it is spelled. Returns false if it may have been added
    /// before.
    #[inline(always)]
    pub(super) fn insert(&mut self, text: &[u8], from: usize, to: usize) -> bool {
        let hash = hash(text, from, to);
        let (first, second) = (1 << (hash >> 58), 1 << (hash >> 52 & 63));
        let is_new = self.first & first == 0 || self.second & second == 0;
        self.first |= first;
        self.second |= second;
        is_new
    }
}

/// A hash of `text[from..to]`: of its length and of at most 16 bytes, the first eight and the last eight.
#[inline(always)]
fn hash(text: &[u8], from: usize, to: usize) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let len = to - from;
    let word = if len >= 8 {
        let first = word_at(text, from).unwrap_or_default();
        let last = word_at(text, to - 8).unwrap_or_default();
        first ^ last.rotate_left(29)
    } else {
        word_between(text, from, to)
    };
    (word ^ len as u64).wrapping_mul(ODD)
}

/// Appends the indices of the names in the object at `object` that are earlier in it, in their order.
///
/// The object may still be open, and its last value too. `O(n log n)` comparisons. Room is made for as many names as
/// there are, so that the memory of an object of short names stays below that of its nodes.
#[cold]
pub(super) fn find(
    text: &str,
    nodes: &[Node],
    object: usize,
    names: &mut Vec<HashedName>,
    repeated: &mut Vec<u32>,
) {
    names.clear();
    names.reserve_exact(names_of(nodes, object).count());
    for index in names_of(nodes, object) {
        let name = nodes.get(index).copied().unwrap_or(Node::NONE);
        let (from, to) = (name.start() + 1, name.start() + name.len() - 1);
        let hash = match name.tag() {
            Tag::EscapedName => {
                let decoded = decode(text.get(from..to).unwrap_or_default());
                hash(decoded.as_bytes(), 0, decoded.len())
            }
            _ => hash(text.as_bytes(), from, to),
        };
        names.push(((hash >> 32) as u32, index as u32));
    }
    names.sort_unstable();
    let mut rest = names.as_mut_slice();
    while let Some(&(hash, _)) = rest.first() {
        let alike = rest.iter().take_while(|name| name.0 == hash).count();
        let (group, others) = core::mem::take(&mut rest).split_at_mut(alike);
        rest = others;
        if alike > 1 {
            let name_of = |name: &HashedName| name_at(text, nodes, name.1);
            group.sort_unstable_by(|a, b| name_of(a).cmp(&name_of(b)).then(a.1.cmp(&b.1)));
        }
    }
    let later = || {
        let pairs = core::iter::zip(names.iter(), names.iter().skip(1)).filter(|(a, b)| a.0 == b.0);
        let is_same = |a: &HashedName, b: &HashedName| name_at(text, nodes, a.1) == name_at(text, nodes, b.1);
        pairs.filter(move |(a, b)| is_same(a, b)).map(|(_, later)| later.1)
    };
    let (before, count) = (repeated.len(), later().count());
    if count > before {
        repeated.reserve_exact(count);
    }
    repeated.extend(later());
    if let Some(found) = repeated.get_mut(before..) {
        found.sort_unstable();
    }
}

/// The indices of the names of the object at `object`.
fn names_of(nodes: &[Node], object: usize) -> impl Iterator<Item = usize> {
    children(nodes, object).step_by(2)
}

/// The text of the name at `index`, decoded.
fn name_at<'t>(text: &'t str, nodes: &[Node], index: u32) -> Cow<'t, str> {
    let name = nodes.get(index as usize).copied().unwrap_or(Node::NONE);
    let inside = text.get(name.start() + 1..name.start() + name.len().saturating_sub(1)).unwrap_or_default();
    if name.tag() == Tag::EscapedName { decode(inside) } else { inside.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_specifications_are_told_apart() {
        // Not needed for a right answer, only for its speed.
        let objects = [
            "id title url image_url price currency price_range availability brand category updated_at",
            "version updated_at entity language topics endpoints feeds verify sig license languages \
             localized_endpoints access_control feed_updated_at usage_terms",
            "profile llm_url canonical_url title language modified content hash",
            "cUrl mUrl modified contentHash etag",
            "url canonical_url title description markdown headings links images meta structured_data crawl",
            "language word_count reading_time author site_name keywords og_image published modified",
            "fetched_at status_code render_mode fetch_duration_ms content_length user_agent",
            "schema source cache identity content structure signals economics",
        ];
        for names in objects {
            let mut seen = Seen::default();
            for name in names.split_whitespace() {
                assert!(seen.insert(name.as_bytes(), 0, name.len()), "{name} of {names}");
            }
        }
    }

    #[test]
    fn the_text_behind_a_name_does_not_matter() {
        for len in 0..20 {
            let name = &b"abcdefghijklmnopqrstuvwxyz"[..len];
            let alone = hash(name, 0, len);
            let within = [b"\"", name, b"\":12345678"].concat();
            assert_eq!(hash(&within, 1, 1 + len), alone, "{len}");
        }
    }
}
