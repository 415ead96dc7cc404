//! The meaning of an element's tag and role.

use crate::tree::{NodeId, Tag, Tree};

/// Elements that are not content by the meaning of their names.
pub(crate) fn is_boilerplate(tree: &Tree, id: NodeId) -> bool {
    match tree.tag(id) {
        Tag::Nav | Tag::Aside | Tag::Button | Tag::Select => true,
        // The header or footer of an article or section is part of it.
        Tag::Header | Tag::Footer => {
            !tree.ancestors(id).any(|id| matches!(tree.tag(id), Tag::Article | Tag::Main | Tag::Section))
        }
        _ => tree.attr(id, "role").is_some_and(|role| {
            matches!(role, "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "dialog")
        }),
    }
}

/// Returns true for an element that says that it has the page's text.
pub(crate) fn is_main(tree: &Tree, id: NodeId) -> bool {
    tree.tag(id) == Tag::Main || tree.attr(id, "role") == Some("main")
}

/// Returns true for an empty element that is named as what parts the words around it, with a sign that a style sheet draws.
pub(crate) fn is_separator(tree: &Tree, id: NodeId) -> bool {
    tree.first_child(id).is_none()
        && tree.classes(id).any(|name| matches!(name, "sep" | "separator" | "divider"))
}

/// The heading that an element is, or that one of the two around it is, with its level.
pub(crate) fn heading_at(tree: &Tree, id: NodeId) -> Option<(u8, NodeId)> {
    let mut around = tree.upward(id).take(3);
    around.find_map(|id| Some((tree.tag(id).heading_level()?, id)))
}

/// Nodes of a page's head that are asked who made it.
const MAX_HEAD: usize = 400;

/// The first word of the name of the program that made the page, in lower case.
pub(crate) fn generator(tree: &Tree) -> Option<String> {
    let mut head = tree.descendants(Tree::ROOT).take(MAX_HEAD).take_while(|&id| tree.tag(id) != Tag::Body);
    let named = head.find(|&id| {
        tree.tag(id) == Tag::Meta
            && tree.attr(id, "name").is_some_and(|name| name.eq_ignore_ascii_case("generator"))
    })?;
    let mut words = tree.attr(named, "content")?.split(|c: char| !c.is_ascii_alphanumeric());
    words.next().map(str::to_ascii_lowercase)
}
