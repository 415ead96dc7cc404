//! What an element's class and id say of it.

use crate::structure::roles;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::names::{
    ADVERTISEMENTS, AUTHORS, BREADCRUMBS, COMMENTS, CONSENT, FOOTERS, MEMBERS, MENUS, NOTES, RELATED,
    SHARING, SIDES, SIGN_UPS, meanings,
};

/// Groups that are neither content nor around the page's title.
pub(super) const NOT_AROUND_TITLE: u64 = COMMENTS | RELATED | FOOTERS | CONSENT | MEMBERS;

/// What is not the text of its page: names of parts of a page, and not of what documentation is about, such as members.
pub(super) const BESIDE_TEXT: u64 =
    COMMENTS | SHARING | RELATED | MENUS | BREADCRUMBS | FOOTERS | ADVERTISEMENTS | SIGN_UPS | CONSENT;

/// The same of a page of a few words, where nothing else tells a side column. "Related" may be a part of the text itself.
pub(super) const BESIDE_SHORT_TEXT: u64 = (BESIDE_TEXT | SIDES) & !(COMMENTS | RELATED);

/// Groups under which there is no content.
pub(super) const STRANGE: u64 = NOT_AROUND_TITLE | SHARING | MENUS | AUTHORS | ADVERTISEMENTS | SIGN_UPS;

/// Returns true for a note in a text, by its role or its names, which are given.
pub(super) fn is_note(tree: &Tree, id: NodeId, groups: u64) -> bool {
    groups & NOTES != 0 || tree.attr(id, "role") == Some("note")
}

/// Returns true for an element that is not content by its tag or role. Notes in documentation are `<aside>` too.
pub(super) fn is_boilerplate(tree: &Tree, id: NodeId, groups: u64) -> bool {
    roles::is_boilerplate(tree, id) && !(tree.tag(id) == Tag::Aside && is_note(tree, id, groups))
}

/// What the words in an element's class and id mean. A generated id, such as `b9ad`, has no words.
pub(super) fn groups_of(tree: &Tree, id: NodeId) -> u64 {
    let own = tree.attr(id, "id").filter(|name| !is_drawn(name));
    [tree.attr(id, "class"), own].into_iter().flatten().fold(0, |set, value| set | meanings(value))
}

/// Returns true for generated ids: letters and digits mixed without separators.
pub(super) fn is_drawn(name: &str) -> bool {
    let changes = |pair: &[u8]| match pair {
        [a, b] => {
            (a.is_ascii_alphabetic() && b.is_ascii_digit()) || (a.is_ascii_digit() && b.is_ascii_alphabetic())
        }
        _ => false,
    };
    name.as_bytes().windows(2).any(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_were_drawn_have_no_words() {
        for (html, has_words) in [
            ("<p id=ad>", true),
            ("<p id=ad-7>", true),
            ("<p id=b9ad>", false),
            ("<p id=ad9>", false),
            ("<p class=ad id=b9>", true),
            ("<p>", false),
        ] {
            let tree = Tree::parse(html);
            let p = tree.descendants(Tree::ROOT).find(|&id| tree.tag(id) == crate::tree::Tag::P);
            assert_eq!(groups_of(&tree, p.expect("a paragraph")) != 0, has_words, "{html}");
        }
    }
}
