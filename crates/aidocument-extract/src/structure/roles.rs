//! What an element is by its tag and its role.

use crate::tree::{NodeId, Tag, Tree};

/// Elements that are no content by the meaning of their names.
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
