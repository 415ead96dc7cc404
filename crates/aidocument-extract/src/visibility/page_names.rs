//! The set of a page's names: a large style sheet has rules for many other names, which are skipped.

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
        self.0.add(slot_of(name));
    }

    fn may_have(&self, name: &str) -> bool {
        self.0.may_have(slot_of(name))
    }

    /// Whether one of these selectors may be about an element of the page, in whatever state that is: one of the classes and
    /// ids of its last compound is there, or without these its name. What is in brackets is not looked at.
    pub(super) fn may_match(&self, selectors: &str) -> bool {
        let bytes = selectors.as_bytes();
        if memchr::memchr3(b'\\', b'/', b'&', bytes).is_some() || memchr::memchr(b'|', bytes).is_some() {
            return true;
        }
        if memchr::memchr2(b'(', b'[', bytes).is_some() {
            return without_brackets(selectors).is_none_or(|selectors| self.may_match(&selectors));
        }
        // From the end, since the last compound of each counts.
        let mut rest = selectors;
        loop {
            rest = rest.trim_ascii_end();
            let from = rest.bytes().rposition(|byte| kind_of(byte) == Kind::Apart).map_or(0, |at| at + 1);
            let (before, compound) = rest.split_at_checked(from).unwrap_or_default();
            if self.may_match_one(compound) {
                return true;
            }
            let Some(comma) = memchr::memrchr(b',', before.as_bytes()) else { return false };
            rest = before.get(..comma).unwrap_or_default();
        }
    }

    fn may_match_one(&self, compound: &str) -> bool {
        // A part of an element has none of the page's text.
        let pseudo = compound.bytes().position(|byte| byte == b':').and_then(|at| compound.get(at..));
        if pseudo.is_some_and(|part| part.starts_with("::") || matches!(part, ":before" | ":after")) {
            return false;
        }
        let (mut rest, mut is_there) = (compound, true);
        while let Some(&first) = rest.as_bytes().first() {
            let is_name = |byte: u8| kind_of(byte) == Kind::Name;
            let end = rest.bytes().skip(1).position(|byte| !is_name(byte)).map_or(rest.len(), |end| end + 1);
            let (name, after) = rest.split_at_checked(end).unwrap_or_default();
            match first {
                b'.' | b'#' => {
                    // The others may be those of another state, which a script adds.
                    if self.may_have(name.get(1..).unwrap_or_default()) {
                        return true;
                    }
                    is_there = false;
                }
                b':' => {}
                // The names of elements are in any case.
                _ => {
                    is_there = name == "*"
                        || self.may_have(name)
                        || name.bytes().any(|byte| byte.is_ascii_uppercase());
                }
            }
            rest = after;
        }
        is_there
    }
}

/// What a byte is in selectors of plain names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    /// The sign that a class, an id or a state begins with.
    Sign,
    /// Between two compounds or two selectors.
    Apart,
}

fn kind_of(byte: u8) -> Kind {
    KINDS.get(usize::from(byte)).copied().unwrap_or(Kind::Name)
}

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Name; 256];
    let (mut signs, mut apart): (&[u8], &[u8]) = (b".#:", b", >+~\t\n\r\x0c");
    while let Some((byte, rest)) = signs.split_first() {
        kinds[*byte as usize] = Kind::Sign;
        signs = rest;
    }
    while let Some((byte, rest)) = apart.split_first() {
        kinds[*byte as usize] = Kind::Apart;
        apart = rest;
    }
    kinds
};

/// Selectors without what is in brackets; `None` where these do not close.
fn without_brackets(selectors: &str) -> Option<String> {
    let bytes = selectors.as_bytes();
    let mut kept = String::with_capacity(selectors.len());
    let (mut depth, mut from, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' => {
                if depth == 0 {
                    kept.push_str(selectors.get(from..at)?);
                }
                depth += 1;
            }
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                from = at + 1;
            }
            b'"' | b'\'' => at += 1 + memchr::memchr(byte, bytes.get(at + 1..)?)?,
            _ => {}
        }
        at += 1;
    }
    kept.push_str(selectors.get(from..)?);
    (depth == 0).then_some(kept)
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
        ] {
            assert_eq!(names.may_match(selectors), expected, "{selectors}");
        }
    }
}
