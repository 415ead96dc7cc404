//! Facts from the names, the role and the tag of an element, computed once: rules need them for every block inside.

use std::cell::Cell;

use super::names::STRANGE;
use crate::structure::roles::is_boilerplate;
use crate::tree::{ByNode, NodeId, Tag, Tree};
use crate::words::names::SIGN_UPS;

/// Bits of what is known of an element.
const KNOWN: u8 = 1;
const IS_STRANGE: u8 = 1 << 1;
const IS_BESIDE: u8 = 1 << 2;
const ASKS: u8 = 1 << 3;
/// The cached facts of a page's elements.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    tree: &'a Tree,
    /// The groups of the names of each element.
    names: ByNode<u64>,
    known: ByNode<Cell<u8>>,
}

impl<'a> Marks<'a> {
    /// `names` are the groups of each element's, see [`names::groups_of`](super::names::groups_of).
    pub(super) fn of(tree: &'a Tree, names: ByNode<u64>) -> Marks<'a> {
        Marks { tree, names, known: ByNode::new(tree) }
    }

    /// Returns true if an element's name says that it is not content.
    pub(super) fn is_strange(&self, id: NodeId) -> bool {
        self.has(id, IS_STRANGE)
    }

    /// Returns true if an element is probably not content, by its name or role, or because it is a form.
    pub(super) fn is_beside(&self, id: NodeId) -> bool {
        self.has(id, IS_BESIDE)
    }

    /// Returns true if an element is named as a subscription box.
    pub(super) fn asks(&self, id: NodeId) -> bool {
        self.has(id, ASKS)
    }

    fn has(&self, id: NodeId, mark: u8) -> bool {
        let known = &self.known[id];
        if known.get() == 0 {
            known.set(KNOWN | read(self.tree, id, self.names[id]));
        }
        known.get() & mark != 0
    }
}

fn read(tree: &Tree, id: NodeId, groups: u64) -> u8 {
    let tag = tree.tag(id);
    let is_strange = groups & STRANGE != 0;
    let is_form = matches!(tag, Tag::Form | Tag::Label | Tag::Textarea | Tag::Option);
    let is_beside = is_strange || is_form || is_boilerplate(tree, id);
    (if groups & SIGN_UPS != 0 { ASKS } else { 0 })
        | (if is_strange { IS_STRANGE } else { 0 })
        | (if is_beside { IS_BESIDE } else { 0 })
}
