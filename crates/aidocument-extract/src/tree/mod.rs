//! The parsed page: an arena of nodes linked by `u32` indices, filled by html5ever.
//!
//! Everything else in the crate sees only [`Tree`], [`NodeId`] and [`Tag`]; a different parser would replace this
//! module alone. The tree is the one that the HTML standard prescribes, with two exceptions that keep hostile
//! pages linear: start tags past [`MAX_DEPTH`] open elements are dropped (their text stays), and a tag keeps
//! its first [`MAX_ATTRIBUTES`] attributes (see [`guard`]) and of `class` and `id` the first [`MAX_NAMES`] bytes.

mod by_node;
mod guard;
mod references;
pub(crate) mod seen;
mod sink;
mod tag;
mod tokenizer;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::num::NonZeroU32;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};

use crate::pairs::has_any;
use crate::recent::Slots;
use crate::rules::Rules;

pub(crate) use by_node::ByNode;
pub(crate) use references::resolve_all;
use seen::Visibility;
pub(crate) use tag::Tag;
use tokenizer::Scripts;

/// Open elements at which further start tags are dropped: the depth at which browsers stop nesting as well.
pub(crate) const MAX_DEPTH: usize = 512;

/// Attributes that a tag keeps.
pub(crate) const MAX_ATTRIBUTES: usize = 256;

/// Bytes of a `class` or `id` that are kept: every element asks those around it for their names.
pub(crate) const MAX_NAMES: usize = 4096;

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    /// The node's place in the arena, for tables beside the tree.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The id of the node at a place in the arena. Past the four thousand millionth, all share the last id.
    fn at(index: usize) -> NodeId {
        u32::try_from(index + 1).ok().and_then(NonZeroU32::new).map_or(NodeId(NonZeroU32::MAX), NodeId)
    }
}

/// A map by numbers.
pub(crate) type NumberMap<K, T> = HashMap<K, T, BuildHasherDefault<NumberHasher>>;

/// A map by nodes. Ids count up from one, so a page can hardly choose those that share a place.
pub(crate) type NodeMap<T> = NumberMap<NodeId, T>;

/// A hash of numbers, in one multiplication.
#[derive(Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }
    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    parent: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    prev: Option<NodeId>,
    next: Option<NodeId>,
    data: NodeData,
}

/// Texts are stored separately, so that nodes stay small: each walk reads them all.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(test), expect(dead_code, reason = "only the tests compare doctypes and comments"))]
enum NodeData {
    Document,
    /// The content of a `<template>`.
    Fragment,
    /// The place of its name, and of the two identifiers behind it, among the tree's texts.
    Doctype(u32),
    /// The place among the tree's texts.
    Comment(u32),
    Text(u32),
    Element {
        tag: Tag,
        /// A bit filter of its attributes' names, since most attributes that are looked up do not exist.
        names: u32,
        /// The place of its name and attributes among the tree's elements.
        place: u32,
    },
}

/// Rarely needed data of an element, stored separately so that nodes stay small.
#[derive(Debug, Clone)]
struct Element {
    name: QualName,
    attrs: Attributes,
    template: Option<NodeId>,
    integration_point: bool,
}

/// Where the attributes of an element are among the tree's.
#[derive(Debug, Clone, Copy)]
struct Attributes {
    from: u32,
    to: u32,
}

/// The bit of an attribute's name, which others may share.
#[inline]
fn bit_of(name: &str) -> u32 {
    let ends = |first: &u8, last: &u8| usize::from(*first) + 3 * usize::from(*last) + 7 * name.len();
    1 << (name.as_bytes().first().zip(name.as_bytes().last()).map_or(0, |(first, last)| ends(first, last))
        % 32)
}

impl Node {
    fn new(data: NodeData) -> Self {
        Node { parent: None, first: None, last: None, prev: None, next: None, data }
    }
}

/// A parsed page.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    texts: Vec<StrTendril>,
    elements: Vec<Element>,
    attributes: Vec<Attribute>,
    /// The names of its elements, as bits.
    tags: Slots<4>,
    /// The visibility of its nodes; everything is visible until it is computed.
    pub(crate) seen: Visibility,
    /// The rules that are on for this page.
    pub(crate) rules: Rules,
}

/// A step of [`Tree::walk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A node, before its children.
    Enter(NodeId),
    /// An element, after its children.
    Leave(NodeId),
}

impl Tree {
    /// The document itself, whose children are the doctype, comments and `<html>`.
    pub(crate) const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    fn with_capacity(capacity: usize) -> Self {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(NodeData::Document));
        Tree {
            nodes,
            texts: Vec::with_capacity(capacity / 2),
            elements: Vec::with_capacity(capacity / 2),
            attributes: Vec::with_capacity(capacity / 2),
            tags: Slots::NONE,
            seen: Visibility::default(),
            rules: Rules::default(),
        }
    }

    /// Parses a page like a browser with scripts: the content of `<noscript>` is silent. Scripts have no text, except
    /// for JSON-LD. Never fails.
    pub(crate) fn parse(html: &str) -> Tree {
        guard::parse(html, true, Scripts::Skipped)
    }

    /// Parses a page like a browser with scripts, and keeps the text of all of them.
    pub(crate) fn parse_with_scripts(html: &str) -> Tree {
        guard::parse(html, true, Scripts::Kept)
    }

    /// Parses a page like a browser without scripts: the content of `<noscript>` is part of the page.
    pub(crate) fn parse_without_scripting(html: &str) -> Tree {
        guard::parse(html, false, Scripts::Skipped)
    }

    /// Nodes in the arena, detached ones too.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[expect(clippy::indexing_slicing, reason = "ids come from this arena alone, and it only grows")]
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    fn element(&self, id: NodeId) -> Option<&Element> {
        match self.node(id).data {
            NodeData::Element { place, .. } => self.elements.get(place as usize),
            _ => None,
        }
    }

    fn attributes_of(&self, element: &Element) -> &[Attribute] {
        self.attributes_at(element.attrs)
    }

    fn attributes_at(&self, Attributes { from, to }: Attributes) -> &[Attribute] {
        self.attributes.get(from as usize..to as usize).unwrap_or_default()
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    pub(crate) fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first
    }

    pub(crate) fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).prev
    }

    pub(crate) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next
    }

    /// An opaque identity of a node, for another library.
    pub(crate) fn opaque(&self, id: NodeId) -> selectors::OpaqueElement {
        selectors::OpaqueElement::new(self.node(id))
    }

    /// The node's children, first to last.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// The node's ancestors, nearest first, without the node.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&node| self.parent(node))
    }

    /// The siblings after a node, in order.
    pub(crate) fn following(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next_sibling(id), |&next| self.next_sibling(next))
    }

    /// The siblings before a node, nearest first.
    pub(crate) fn preceding(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.prev_sibling(id), |&before| self.prev_sibling(before))
    }

    /// The words of an element's class.
    pub(crate) fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.attr(id, "class").unwrap_or_default().split_ascii_whitespace()
    }

    /// Whether an element's class contains one of these, in any case.
    pub(crate) fn is_called(&self, id: NodeId, names: &[&str]) -> bool {
        self.attr(id, "class").is_some_and(|class| has_any(class, names))
    }

    /// The node and its ancestors, nearest first.
    pub(crate) fn upward(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&node| self.parent(node))
    }

    /// The element's name; [`Tag::Other`] for nodes that are not elements.
    pub(crate) fn tag(&self, id: NodeId) -> Tag {
        match self.node(id).data {
            NodeData::Element { tag, .. } => tag,
            _ => Tag::Other,
        }
    }

    /// Whether the node is an element of SVG or MathML.
    pub(crate) fn is_foreign(&self, id: NodeId) -> bool {
        // No element of SVG or MathML has a tag of its own.
        self.tag(id) == Tag::Other
            && self.element(id).is_some_and(|element| element.name.ns != html5ever::ns!(html))
    }

    /// Whether the arena has an element of this name.
    pub(crate) fn has(&self, tag: Tag) -> bool {
        self.tags.may_have(tag as usize)
    }

    /// All elements of the arena with their names, in the order in which they were made; detached ones too.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (NodeId, Tag)> + '_ {
        self.nodes.iter().enumerate().filter_map(|(index, node)| match node.data {
            NodeData::Element { tag, .. } => Some((NodeId::at(index), tag)),
            _ => None,
        })
    }

    pub(crate) fn is_element(&self, id: NodeId) -> bool {
        matches!(self.node(id).data, NodeData::Element { .. })
    }

    /// The local name of an element.
    pub(crate) fn name(&self, id: NodeId) -> &str {
        self.element(id).map_or("", |element| &element.name.local)
    }

    /// Makes an element a heading of the first level.
    pub(crate) fn make_heading(&mut self, id: NodeId) {
        let Some(NodeData::Element { tag, place, .. }) =
            self.nodes.get_mut(id.index()).map(|node| &mut node.data)
        else {
            return;
        };
        *tag = Tag::H1;
        if let Some(element) = self.elements.get_mut(*place as usize) {
            element.name.local = html5ever::local_name!("h1");
        }
    }

    /// What the content of a `<template>` is in.
    pub(crate) fn template(&self, id: NodeId) -> Option<NodeId> {
        self.element(id)?.template
    }

    /// The text of a text node.
    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match self.node(id).data {
            NodeData::Text(place) => self.texts.get(place as usize).map(|text| &**text),
            _ => None,
        }
    }

    /// The value of an attribute of an HTML element; names are lower case.
    #[inline(always)]
    pub(crate) fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        // In line, so that the compiler knows the bit: most attributes that are asked for are not there.
        let NodeData::Element { names, place, .. } = self.node(id).data else { return None };
        if names & bit_of(name) == 0 { None } else { self.named(self.elements.get(place as usize)?, name) }
    }

    fn named(&self, element: &Element, name: &str) -> Option<&str> {
        // Names are so short that a call to compare them takes longer than a loop.
        let is_it = |own: &str| own.len() == name.len() && own.bytes().eq(name.bytes());
        self.attributes_of(element).iter().find(|attr| is_it(&attr.name.local)).map(|attr| &*attr.value)
    }

    /// The local names and values of an element's attributes.
    pub(crate) fn attributes(&self, id: NodeId) -> impl Iterator<Item = (&str, &str)> {
        let attrs = self.element(id).map_or(&[][..], |element| self.attributes_of(element));
        attrs.iter().map(|attr| (&*attr.name.local, &*attr.value))
    }

    /// The subtree of `root` in document order, as steps in and out, without recursion.
    pub(crate) fn walk(&self, root: NodeId) -> Walk<'_> {
        Walk { tree: self, root, next: Some(Step::Enter(root)) }
    }

    /// The nodes of the subtree of `root` in document order, `root` first.
    pub(crate) fn descendants(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = Some(root);
        std::iter::from_fn(move || {
            let id = next?;
            next = self.first_child(id).or_else(|| self.behind(id, root));
            Some(id)
        })
    }

    /// The node behind the subtree of a node, within that of `root`.
    fn behind(&self, mut id: NodeId, root: NodeId) -> Option<NodeId> {
        while id != root {
            if let Some(sibling) = self.next_sibling(id) {
                return Some(sibling);
            }
            id = self.parent(id)?;
        }
        None
    }
}

/// See [`Tree::walk`].
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    tree: &'a Tree,
    root: NodeId,
    next: Option<Step>,
}

impl Walk<'_> {
    /// Skips the children of the node that was entered last, and its [`Step::Leave`].
    pub(crate) fn skip_children(&mut self) {
        if let Some(Step::Enter(id)) = self.next
            && let Some(parent) = self.tree.parent(id)
        {
            // The next step enters a child of the node just entered, so it is the parent that is left.
            self.next = self.after(parent);
        } else if let Some(Step::Leave(id)) = self.next {
            self.next = self.after(id);
        }
    }

    fn after(&self, id: NodeId) -> Option<Step> {
        if id == self.root {
            return None;
        }
        match self.tree.next_sibling(id) {
            Some(sibling) => Some(Step::Enter(sibling)),
            None => self.tree.parent(id).map(Step::Leave),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = self.next?;
        self.next = match step {
            Step::Enter(id) => match self.tree.first_child(id) {
                Some(child) => Some(Step::Enter(child)),
                None if self.tree.is_element(id) => Some(Step::Leave(id)),
                None => self.after(id),
            },
            Step::Leave(id) => self.after(id),
        };
        Some(step)
    }
}

#[cfg(test)]
mod html5lib;
#[cfg(test)]
mod tests;
