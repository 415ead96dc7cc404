//! A radix tree: finds the longest of many texts that is a prefix of a path.
//!
//! Branches are stored in the order of their depth, so that those of one parent are adjacent; the octets that lead
//! to them are in a separate list, so that searching them touches one cache line. A branch then compares the
//! octets that all texts below it share.
//!
//! ```text
//! texts   /a  /a/b  /c           octets    .  a c  /
//!                                branches  "/"  "" ""  "b"
//!                                text      -  /a /c  /a/b
//! ```

use alloc::vec::Vec;

/// The tree; it stores offsets into a text that the caller holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tree {
    octets: Vec<u8>,
    branches: Vec<Branch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Branch {
    /// Start of the text after the octet that leads here.
    start: u32,
    len: u32,
    /// The text that ends here.
    index: u32,
    first_child: u32,
    children: u32,
}

/// No text ends here.
const NONE: u32 = u32::MAX;

impl Tree {
    /// The tree of `texts`, which are sorted and all different; `starts` are their places in the caller's text.
    ///
    /// `O(n)` in the length of all texts: each octet is looked at once by the branch that it belongs to.
    pub(crate) fn new(texts: &[&[u8]], starts: &[u32]) -> Self {
        let mut tree = Tree::default();
        if texts.is_empty() {
            return tree;
        }
        // Texts from..to share their first `depth` octets; the last of these led to the branch.
        let mut waiting = Vec::new();
        tree.push(0);
        waiting.push((0, texts.len(), 0));
        let mut at = 0;
        while let Some(&(mut from, to, depth)) = waiting.get(at) {
            let (Some(first), Some(last), Some(start)) =
                (texts.get(from), texts.get(to - 1), starts.get(from))
            else {
                break;
            };
            let shared = first.iter().zip(last.iter()).skip(depth).take_while(|(a, b)| a == b).count();
            let end = depth + shared;
            let index = if first.len() == end { place(from) } else { NONE };
            from += usize::from(index != NONE);
            let first_child = tree.branches.len();
            let below = texts.get(from..to).unwrap_or(&[]);
            for family in below.chunk_by(|a, b| a.get(end) == b.get(end)) {
                let Some(octet) = family.first().and_then(|text| text.get(end)) else { continue };
                tree.push(*octet);
                waiting.push((from, from + family.len(), end + 1));
                from += family.len();
            }
            let children = place(tree.branches.len() - first_child);
            if let Some(branch) = tree.branches.get_mut(at) {
                let start = start.saturating_add(place(depth));
                *branch =
                    Branch { start, len: place(shared), index, first_child: place(first_child), children };
            }
            at += 1;
        }
        tree
    }

    fn push(&mut self, octet: u8) {
        self.octets.push(octet);
        self.branches.push(Branch { start: 0, len: 0, index: NONE, first_child: 0, children: 0 });
    }

    /// The index of the longest text that is a prefix of `path`.
    pub(crate) fn longest_prefix(&self, text: &[u8], path: &[u8]) -> Option<u32> {
        let mut branch = self.branches.first()?;
        let (mut rest, mut found) = (path, None);
        loop {
            if branch.len > 0 {
                let shared = text.get(branch.start as usize..)?.get(..branch.len as usize)?;
                match rest.strip_prefix(shared) {
                    Some(tail) => rest = tail,
                    None => return found,
                }
            }
            if branch.index != NONE {
                found = Some(branch.index);
            }
            let Some((next, tail)) = rest.split_first() else { return found };
            let first = branch.first_child as usize;
            let octets = self.octets.get(first..first + branch.children as usize)?;
            let Some(child) = octets.iter().position(|octet| octet == next) else { return found };
            branch = self.branches.get(first + child)?;
            rest = tail;
        }
    }
}

/// Texts lie in less than 4 GiB, and a tree has at most twice as many branches as texts.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_search_of_all() {
        let texts: [&[u8]; 9] = [b"", b"/a", b"/a/b", b"/a/bcd", b"/a/bce", b"/b", b"/b0", b"/b9", b"x"];
        let mut text = Vec::new();
        let mut starts = Vec::new();
        for one in texts {
            starts.push(text.len() as u32);
            text.extend_from_slice(one);
        }
        for skip in 0..texts.len() {
            let tree = Tree::new(&texts[skip..], &starts[skip..]);
            for path in
                ["", "/", "/a", "/a/", "/a/bc", "/a/bcd", "/a/bcez", "/b", "/b5", "/b99", "x", "y", "/a/c"]
            {
                let path = path.as_bytes();
                let expected =
                    (0..).zip(&texts[skip..]).filter(|(_, one)| path.starts_with(one)).map(|(i, _)| i).last();
                assert_eq!(tree.longest_prefix(&text, path), expected, "{skip} {path:?}");
            }
        }
        assert_eq!(Tree::new(&[], &[]).longest_prefix(b"", b"/"), None);
    }
}
