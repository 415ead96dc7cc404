//! Places for people: JSON Pointers, lines and columns.

use alloc::string::String;

use super::fill::Frame;
use super::node::{Node, Tag};
use crate::fault::{Spot, push_index, push_name};
use crate::grammar::Container;
use crate::unescape::decode;

/// A place in a text, for people: both numbers begin at 1.
///
/// ```
/// use tct_canonical_json::LineColumn;
///
/// let place = LineColumn::of("{\n  \"é\": x\n}".as_bytes(), 9);
/// assert_eq!((place.line, place.column), (2, 7));
/// assert_eq!(place.to_string(), "line 2, column 7");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct LineColumn {
    /// The line; lines end with a line feed.
    pub line: usize,
    /// The column in Unicode scalar values; in a line that is not UTF-8, in bytes that begin one.
    pub column: usize,
}

impl LineColumn {
    /// Line and column of the byte at `offset`; of the end where the text is shorter. `O(offset)`.
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let begins_character = |byte: &&u8| **byte & 0xC0 != 0x80;
        let column = before.iter().skip(start).filter(begins_character).count() + 1;
        LineColumn { line, column }
    }
}

impl core::fmt::Display for LineColumn {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Appends the name at this index of the nodes.
fn push_name_at(path: &mut String, text: &str, nodes: &[Node], index: usize) {
    let name = nodes.get(index).copied().unwrap_or(Node::NONE);
    let inside =
        text.get(name.start() + 1..(name.start() + name.len()).saturating_sub(1)).unwrap_or_default();
    push_name(path, &decode(inside));
}

/// The children of the container at `container`: of an object names and values in turn. A last child that is still
/// open ends them.
pub(super) fn children(nodes: &[Node], container: usize) -> impl Iterator<Item = usize> {
    let mut next = Some(container + 1);
    core::iter::from_fn(move || {
        let index = next?;
        let node = nodes.get(index).filter(|node| node.tag() != Tag::End)?;
        next = node.step().map(|step| index + step);
        Some(index)
    })
}

/// Appends the step from the container at `outer` to its child at `inner`.
fn push_step(path: &mut String, text: &str, nodes: &[Node], outer: usize, inner: usize) {
    if nodes.get(outer).is_some_and(|node| node.tag() == Tag::Object) {
        // The node before a member's value is its name.
        push_name_at(path, text, nodes, inner.saturating_sub(1));
    } else {
        push_index(path, children(nodes, outer).take_while(|&child| child < inner).count());
    }
}

/// JSON Pointer to a place in a text that is being read.
#[cold]
pub(super) fn of_open(text: &str, nodes: &[Node], open: &[Frame], spot: Spot) -> Option<String> {
    if spot == Spot::Document {
        return None;
    }
    let mut path = String::new();
    for (outer, inner) in core::iter::zip(open, open.iter().skip(1)) {
        push_step(&mut path, text, nodes, outer.node as usize, inner.node as usize);
    }
    if let (Some(innermost), Spot::Value) = (open.last(), spot) {
        // The value is not noted yet.
        match innermost.container {
            Container::Object => push_name_at(&mut path, text, nodes, nodes.len().saturating_sub(1)),
            Container::Array => push_index(&mut path, children(nodes, innermost.node as usize).count()),
        }
    }
    Some(path)
}

/// JSON Pointer from the root to the value or name at `index`.
pub(super) fn of_node(text: &str, nodes: &[Node], index: usize) -> String {
    let mut path = String::new();
    let mut outer = 0;
    // A name's own pointer is that of its value.
    let is_name = nodes.get(index).is_some_and(|node| node.is_name());
    let index = index + usize::from(is_name);
    while outer < index {
        let mut inner = children(nodes, outer)
            .take_while(|&child| child <= index)
            .filter(|&child| !nodes.get(child).is_some_and(|node| node.is_name()));
        let Some(inner) = inner.by_ref().last() else { break };
        push_step(&mut path, text, nodes, outer, inner);
        outer = inner;
    }
    path
}
