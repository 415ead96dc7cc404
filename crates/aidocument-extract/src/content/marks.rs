//! Facts from the names, the role and the tag of an element.

use super::names::STRANGE;
use crate::structure::roles::is_boilerplate;
use crate::tree::{ByNode, NodeId, Tag, Tree};
use crate::words::names::SIGN_UPS;

/// What the elements of a page are called.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    tree: &'a Tree,
    /// The groups of the names of each element, see [`names::groups_of`](super::names::groups_of).
    names: ByNode<u64>,
}

impl<'a> Marks<'a> {
    pub(super) fn of(tree: &'a Tree, names: ByNode<u64>) -> Marks<'a> {
        Marks { tree, names }
    }

    /// Returns true if an element's name says that it is not content.
    pub(super) fn is_strange(&self, id: NodeId) -> bool {
        self.names[id] & STRANGE != 0
    }

    /// Returns true if an element is probably not content, by its name or role, or because it is a form.
    pub(super) fn is_beside(&self, id: NodeId) -> bool {
        self.is_strange(id)
            || matches!(self.tree.tag(id), Tag::Form | Tag::Label | Tag::Textarea | Tag::Option)
            || is_boilerplate(self.tree, id)
    }

    /// Returns true if an element is named as a subscription box.
    pub(super) fn asks(&self, id: NodeId) -> bool {
        self.names[id] & SIGN_UPS != 0
    }
}
