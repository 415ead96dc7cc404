//! html5ever's view of the arena: the tree builder's calls become changes of `u32` links.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, expanded_name, local_name, ns};

use super::{Element, Node, NodeData, NodeId, Tag, Tree};

/// `selectedcontent` elements that are looked at; a page has one a `select`.
const MAX_SELECTED_CONTENT: usize = 16;

#[derive(Debug)]
pub(super) struct Sink {
    tree: RefCell<Tree>,
    selected_content: RefCell<Vec<NodeId>>,
    /// What `<noscript>` is: silent, or a box like any other where scripting is off.
    noscript: Tag,
    /// Elements created so far.
    pub(super) created: Cell<usize>,
}

/// A copy of the name: cloning a static atom costs nothing, and it keeps no borrow of the arena.
#[derive(Debug)]
pub(super) struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Sink {
    pub(super) fn new(capacity: usize, scripting: bool) -> Self {
        Sink {
            tree: RefCell::new(Tree::with_capacity(capacity)),
            selected_content: RefCell::default(),
            noscript: if scripting { Tag::Noscript } else { Tag::Div },
            created: Cell::new(0),
        }
    }

    fn new_node(&self, data: NodeData) -> NodeId {
        self.tree.borrow_mut().push(data)
    }
}

impl Tree {
    fn push(&mut self, data: NodeData) -> NodeId {
        let id = NodeId::at(self.nodes.len());
        self.nodes.push(Node::new(data));
        id
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.index())
    }

    fn detach(&mut self, id: NodeId) {
        let Some(node) = self.node_mut(id) else { return };
        let (parent, prev, next) = (node.parent.take(), node.prev.take(), node.next.take());
        match prev {
            Some(prev) => {
                if let Some(node) = self.node_mut(prev) {
                    node.next = next;
                }
            }
            None => {
                if let Some(node) = parent.and_then(|parent| self.node_mut(parent)) {
                    node.first = next;
                }
            }
        }
        match next {
            Some(next) => {
                if let Some(node) = self.node_mut(next) {
                    node.prev = prev;
                }
            }
            None => {
                if let Some(node) = parent.and_then(|parent| self.node_mut(parent)) {
                    node.last = prev;
                }
            }
        }
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.detach(child);
        let last = self.node(parent).last;
        if let Some(node) = self.node_mut(child) {
            node.parent = Some(parent);
            node.prev = last;
        }
        match last.and_then(|last| self.node_mut(last)) {
            Some(node) => node.next = Some(child),
            None => {
                if let Some(node) = self.node_mut(parent) {
                    node.first = Some(child);
                }
            }
        }
        if let Some(node) = self.node_mut(parent) {
            node.last = Some(child);
        }
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.detach(child);
        let (parent, prev) = (self.node(sibling).parent, self.node(sibling).prev);
        if let Some(node) = self.node_mut(child) {
            (node.parent, node.prev, node.next) = (parent, prev, Some(sibling));
        }
        if let Some(node) = self.node_mut(sibling) {
            node.prev = Some(child);
        }
        match prev {
            Some(prev) => {
                if let Some(node) = self.node_mut(prev) {
                    node.next = Some(child);
                }
            }
            None => {
                if let Some(node) = parent.and_then(|parent| self.node_mut(parent)) {
                    node.first = Some(child);
                }
            }
        }
    }

    /// Adds to the text node before an insertion point, if there is one.
    fn extend_text(&mut self, before: Option<NodeId>, text: &StrTendril) -> bool {
        match before.and_then(|before| self.node_mut(before)).map(|node| &mut node.data) {
            Some(NodeData::Text(known)) => {
                known.push_tendril(text);
                true
            }
            _ => false,
        }
    }

    /// Fills a `selectedcontent` with what its `select` shows: the last option that is marked, else the first.
    ///
    /// The standard does this as options are closed; nothing reads the tree before its end, so once is enough.
    fn show_selected(&mut self, target: NodeId) {
        let Some(select) = self.ancestors(target).find(|&id| self.tag(id) == Tag::Select) else { return };
        if self.attr(select, "multiple").is_some() {
            return;
        }
        let mut shown = None;
        for id in self.descendants(select).filter(|&id| self.tag(id) == Tag::Option) {
            if shown.is_none() || self.attr(id, "selected").is_some() {
                shown = Some(id);
            }
        }
        if let Some(option) = shown
            && !self.ancestors(target).any(|ancestor| ancestor == option)
        {
            self.copy_children(option, target);
        }
    }

    /// Replaces the children of `target` by copies of those of `source`.
    fn copy_children(&mut self, source: NodeId, target: NodeId) {
        while let Some(child) = self.node(target).first {
            self.detach(child);
        }
        let mut pending: Vec<(NodeId, NodeId)> = vec![(source, target)];
        while let Some((from, to)) = pending.pop() {
            let mut next = self.node(from).first;
            while let Some(child) = next {
                next = self.node(child).next;
                let copy = self.push(self.node(child).data.clone());
                self.append(to, copy);
                pending.push((child, copy));
            }
        }
    }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Tree;
    type ElemName<'a> = Name;

    fn finish(self) -> Tree {
        let mut tree = self.tree.into_inner();
        for target in self.selected_content.into_inner() {
            tree.show_selected(target);
        }
        tree
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        Tree::ROOT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Name {
        match &self.tree.borrow().node(*target).data {
            NodeData::Element(element) => Name(element.name.clone()),
            // The tree builder asks for elements only; a name that no rule knows is the harmless answer.
            _ => Name(QualName::new(None, ns!(), local_name!(""))),
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        self.created.set(self.created.get() + 1);
        let tag = match Tag::of(&name.local) {
            _ if name.ns != ns!(html) => Tag::Other,
            Tag::Noscript => self.noscript,
            tag => tag,
        };
        let is_selected_content = name.expanded() == expanded_name!(html "selectedcontent");
        // A template's content is a fragment of its own that no walk of the document reaches.
        let template = flags.template.then(|| self.new_node(NodeData::Fragment));
        let id = self.new_node(NodeData::Element(Box::new(Element {
            tag,
            name,
            attrs,
            template,
            integration_point: flags.mathml_annotation_xml_integration_point,
        })));
        if is_selected_content {
            let mut known = self.selected_content.borrow_mut();
            if known.len() < MAX_SELECTED_CONTENT {
                known.push(id);
            }
        }
        id
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.new_node(NodeData::Comment(text))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> NodeId {
        self.new_node(NodeData::Comment(data))
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.append(*parent, child),
            NodeOrText::AppendText(text) => {
                let last = tree.node(*parent).last;
                if !tree.extend_text(last, &text) {
                    let child = tree.push(NodeData::Text(text));
                    tree.append(*parent, child);
                }
            }
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        if self.tree.borrow().node(*element).parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let mut tree = self.tree.borrow_mut();
        let id = tree.push(NodeData::Doctype(Box::new([name, public_id, system_id])));
        tree.append(Tree::ROOT, id);
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        match &self.tree.borrow().node(*target).data {
            NodeData::Element(element) => element.template.unwrap_or(*target),
            _ => *target,
        }
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, new_node: NodeOrText<NodeId>) {
        let mut tree = self.tree.borrow_mut();
        match new_node {
            NodeOrText::AppendNode(node) => tree.insert_before(*sibling, node),
            NodeOrText::AppendText(text) => {
                let before = tree.node(*sibling).prev;
                if !tree.extend_text(before, &text) {
                    let node = tree.push(NodeData::Text(text));
                    tree.insert_before(*sibling, node);
                }
            }
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        if let Some(NodeData::Element(element)) = tree.node_mut(*target).map(|node| &mut node.data) {
            for attr in attrs {
                let known = element.attrs.iter().any(|known| known.name == attr.name);
                if !known && element.attrs.len() < super::MAX_ATTRIBUTES {
                    element.attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        let mut tree = self.tree.borrow_mut();
        while let Some(child) = tree.node(*node).first {
            tree.append(*new_parent, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &NodeId) -> bool {
        match &self.tree.borrow().node(*handle).data {
            NodeData::Element(element) => element.integration_point,
            _ => false,
        }
    }
}
