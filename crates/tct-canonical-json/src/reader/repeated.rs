//! Finding the names that an object repeats.
//!
//! While an object is read, [`Seen`] notes two bits a name, so that most objects are known to have different names at
//! no cost. For the others the names are sorted by a hash, and those with equal hashes by their text.

use alloc::vec::Vec;

use super::node::{Node, Tag};
use crate::scan::{short_word, word_at};
use crate::unescape::decode;

/// A name's hash and the index of its node.
pub(super) type HashedName = (u64, u32);

/// A Bloom filter of 128 bits and two hashes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    first: u64,
    second: u64,
}

impl Seen {
    /// Adds the name `text[from..to]`, as it is spelled. False where it may have been there.
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
        match word_at(text, from) {
            // There is more text behind most names than the name is short of eight bytes.
            Some(word) => word & !(u64::MAX << (8 * len)),
            None => short_word(text.get(from..to).unwrap_or_default()),
        }
    };
    (word ^ len as u64).wrapping_mul(ODD)
}

/// Appends the indices of the names in the object at `object` that are earlier in it, in their order.
///
/// The object may still be open, and its last value too. `O(n log n)` comparisons.
#[cold]
pub(super) fn find(
    text: &str,
    nodes: &[Node],
    object: usize,
    names: &mut Vec<HashedName>,
    repeated: &mut Vec<u32>,
) {
    names.clear();
    let mut index = object + 1;
    while let Some(name) = nodes.get(index).filter(|node| node.tag() != Tag::End) {
        let (from, to) = (name.start() + 1, name.start() + name.len() - 1);
        let hash = match name.tag() {
            Tag::EscapedName => {
                let decoded = decode(text.get(from..to).unwrap_or_default());
                hash(decoded.as_bytes(), 0, decoded.len())
            }
            _ => hash(text.as_bytes(), from, to),
        };
        names.push((hash, index as u32));
        // The name, then its value.
        match nodes.get(index + 1).and_then(|value| value.step()) {
            Some(step) => index += 1 + step,
            None => break,
        }
    }
    names.sort_unstable();
    let before = repeated.len();
    let mut rest = names.as_mut_slice();
    while let Some(&(hash, _)) = rest.first() {
        let alike = rest.iter().take_while(|name| name.0 == hash).count();
        let (group, others) = core::mem::take(&mut rest).split_at_mut(alike);
        rest = others;
        if alike > 1 {
            find_in_group(text, nodes, group, repeated);
        }
    }
    if let Some(found) = repeated.get_mut(before..) {
        found.sort_unstable();
    }
}

/// The same among names of equal hash.
fn find_in_group(text: &str, nodes: &[Node], group: &mut [HashedName], repeated: &mut Vec<u32>) {
    let name_of = |&(_, index): &HashedName| {
        let name = nodes.get(index as usize).copied().unwrap_or(Node::NONE);
        let inside =
            text.get(name.start() + 1..name.start() + name.len().saturating_sub(1)).unwrap_or_default();
        if name.tag() == Tag::EscapedName { decode(inside) } else { inside.into() }
    };
    group.sort_unstable_by(|a, b| name_of(a).cmp(&name_of(b)).then(a.1.cmp(&b.1)));
    for (earlier, later) in core::iter::zip(group.iter(), group.iter().skip(1)) {
        if name_of(earlier) == name_of(later) {
            repeated.push(later.1);
        }
    }
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
