//! Tables beside the tree.

use std::ops::{Index, IndexMut};

use super::{NodeId, Tree};

/// A value for each node of a tree. Any other node has the default, whatever is written there.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByNode<T> {
    values: Vec<T>,
    beyond: T,
    lost: T,
}

impl<T: Clone + Default> ByNode<T> {
    /// The default for each node.
    pub(crate) fn new(tree: &Tree) -> Self {
        ByNode { values: vec![T::default(); tree.len()], ..ByNode::default() }
    }

    /// The same, unless there are values already.
    pub(crate) fn fill(&mut self, tree: &Tree) {
        self.values.resize(tree.len(), T::default());
    }

    /// The values in the order of the nodes.
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }
}

impl<T> Index<NodeId> for ByNode<T> {
    type Output = T;

    #[inline]
    fn index(&self, id: NodeId) -> &T {
        self.values.get(id.index()).unwrap_or(&self.beyond)
    }
}

impl<T: Default> IndexMut<NodeId> for ByNode<T> {
    #[inline]
    fn index_mut(&mut self, id: NodeId) -> &mut T {
        self.values.get_mut(id.index()).unwrap_or_else(|| {
            self.lost = T::default();
            &mut self.lost
        })
    }
}
