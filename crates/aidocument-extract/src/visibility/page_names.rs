//! The set of a page's names: a large style sheet has rules for many other names, which are skipped.

use super::plain;
use crate::recent::{Slots, slot_of};
use crate::tree::{Tag, Tree};

/// The names of a page's elements, their classes and ids: a set that may hold more than was put in.
#[derive(Debug)]
pub(super) struct PageNames(Box<Slots<256>>);

impl PageNames {
    /// `O(n)` in the page's elements.
    pub(super) fn of(tree: &Tree) -> Self {
        let mut names = PageNames(Box::new(Slots::NONE));
        // Where scripts are off, a `noscript` has this tag as well, and may come first.
        names.add("div");
        let mut tags = [false; 256];
        for (id, tag) in tree.elements() {
            if let Some(is_known) = tags.get_mut(tag as usize)
                && (tag == Tag::Other || !std::mem::replace(is_known, true))
            {
                names.add(tree.name(id));
            }
            tree.classes(id).for_each(|class| names.add(class));
            if let Some(id) = tree.attr(id, "id") {
                names.add(id);
            }
        }
        names
    }

    fn add(&mut self, name: &str) {
        self.0.add(slot_of(name));
    }

    fn may_have(&self, name: &str) -> bool {
        self.0.may_have(slot_of(name))
    }

    /// Whether one of these selectors may be about an element of the page, in whatever state that is: one of the classes and
    /// ids of its last compound is there, or without these its name. What is in brackets is not looked at.
    pub(super) fn may_match(&self, selectors: &str) -> bool {
        plain::selectors(selectors).is_none_or(|selectors| {
            selectors.split(',').any(|selector| self.may_match_one(plain::last_compound(selector)))
        })
    }

    fn may_match_one(&self, compound: &str) -> bool {
        let (mut is_there, mut has_named) = (true, false);
        for part in plain::parts(compound) {
            match part.bytes().next() {
                _ if plain::is_pseudo(part) => return false,
                // The others may be those of another state, which a script adds.
                Some(b'.' | b'#') => {
                    has_named |= self.may_have(part.get(1..).unwrap_or_default());
                    is_there = false;
                }
                Some(b':') => {}
                // The names of elements are in any case.
                _ => {
                    is_there = part == "*"
                        || self.may_have(part)
                        || part.bytes().any(|byte| byte.is_ascii_uppercase());
                }
            }
        }
        has_named || is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_about_others_are_known_by_their_last_compound() {
        let page = "<noscript>q</noscript><div><p class='a b' id=c><x-y>";
        let names = PageNames::of(&Tree::parse_without_scripting(page));
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
            (".nobody [x]", true),
            (".nobody, q > [x].z", false),
            ("p[x='a(']", true),
            ("p:not(q, .z)", true),
            (".z:not(.y).a", true),
            ("p:nth-child(2n + 1) > .a:not([x])", true),
            ("p:not(q", true),
            (".z:not(.a)", false),
            (".a :is(.b, .c) .z[x]", false),
            ("q[x=',.a']", false),
            ("\\61", true),
            ("q", false),
            (".a.z", true),
            ("p.z", false),
            (".y.z", false),
            (".a .z", false),
            ("p>q,.a~.z", false),
            ("div", true),
            (".a::before", false),
            ("p:after", false),
            (".a:hover::before", false),
            (".a:not(.z)::before", false),
        ] {
            assert_eq!(names.may_match(selectors), expected, "{selectors}");
        }
    }
}
