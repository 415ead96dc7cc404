//! The names that a page has: a large sheet has rules for many others, and these are passed over unread.

use crate::recent::slot_of;
use crate::tree::{Tag, Tree};

/// The names of a page's elements, their classes and ids: a set that may hold more than was put in.
#[derive(Debug)]
pub(super) struct PageNames(Vec<u64>);

/// Words of 64 bits of such a set, a power of two.
const WORDS: usize = 256;

impl PageNames {
    /// `O(n)` in the page's elements.
    pub(super) fn of(tree: &Tree) -> Self {
        let mut names = PageNames(vec![0; WORDS]);
        let mut tags = [false; 256];
        for (id, tag) in tree.elements() {
            if let Some(is_known) = tags.get_mut(tag as usize)
                && (tag == Tag::Other || !std::mem::replace(is_known, true))
            {
                names.add(tree.name(id));
            }
            if let Some(classes) = tree.attr(id, "class") {
                classes.split_ascii_whitespace().for_each(|class| names.add(class));
            }
            if let Some(id) = tree.attr(id, "id") {
                names.add(id);
            }
        }
        names
    }

    fn add(&mut self, name: &str) {
        let slot = slot_of(name);
        if let Some(word) = self.0.get_mut(slot / 64 % WORDS) {
            *word |= 1 << (slot % 64);
        }
    }

    fn may_have(&self, name: &str) -> bool {
        let slot = slot_of(name);
        self.0.get(slot / 64 % WORDS).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Whether one of these selectors may be about an element of the page, in whatever state that is: one of the classes and
    /// ids of its last compound is there, or without these its name. What is not a list of plain names is not looked at.
    pub(super) fn may_match(&self, selectors: &str) -> bool {
        let bytes = selectors.as_bytes();
        // Quotes are in brackets alone.
        memchr::memchr3(b'(', b'[', b'\\', bytes).is_some()
            || memchr::memchr3(b'/', b'&', b'|', bytes).is_some()
            || selectors.split(',').any(|selector| self.may_match_one(selector))
    }

    fn may_match_one(&self, selector: &str) -> bool {
        let selector = selector.trim_ascii();
        let is_sign = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'+' | b'~');
        let from = selector.bytes().rposition(is_sign).map_or(0, |at| at + 1);
        let compound = selector.get(from..).unwrap_or_default();
        let end = compound.bytes().position(|byte| byte == b':').unwrap_or(compound.len());
        let (mut rest, pseudo) = compound.split_at_checked(end).unwrap_or((compound, ""));
        // A part of an element has none of the page's text.
        if pseudo.starts_with("::") || matches!(pseudo, ":before" | ":after") {
            return false;
        }
        let mut is_there = true;
        while !rest.is_empty() {
            let end = rest.bytes().skip(1).position(|byte| matches!(byte, b'.' | b'#'));
            let (name, after) =
                rest.split_at_checked(end.map_or(rest.len(), |end| end + 1)).unwrap_or((rest, ""));
            if let Some(name) = name.strip_prefix(['.', '#']) {
                // The others may be those of another state, which a script adds.
                if self.may_have(name) {
                    return true;
                }
                is_there = false;
            } else {
                // The names of elements are in any case.
                is_there =
                    name == "*" || self.may_have(name) || name.bytes().any(|byte| byte.is_ascii_uppercase());
            }
            rest = after;
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_about_others_are_known_by_their_last_compound() {
        let names = PageNames::of(&Tree::parse("<p class='a b' id=c><x-y>"));
        for (selectors, expected) in [
            ("p", true),
            ("P.a", true),
            (".nobody .a", true),
            ("q, #c", true),
            ("*", true),
            (".a:hover", true),
            (":hover", true),
            ("x-y.b>p", true),
            (":is(q)", true),
            ("[x]", true),
            ("\\61", true),
            ("q", false),
            (".a.z", true),
            ("p.z", false),
            (".y.z", false),
            (".a .z", false),
            ("p>q,.a~.z", false),
            (".a::before", false),
            ("p:after", false),
        ] {
            assert_eq!(names.may_match(selectors), expected, "{selectors}");
        }
    }
}
