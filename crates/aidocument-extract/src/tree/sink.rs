//! html5ever's view of the arena: the tree builder's calls become changes of `u32` links.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, expanded_name, local_name, ns};

use super::{Attributes, Element, Node, NodeData, NodeId, Tag, Tree};

/// Most `selectedcontent` elements that are filled; a page has one for each `select`.
const MAX_SELECTED_CONTENT: usize = 16;

#[derive(Debug)]
pub(super) struct Sink {
    tree: RefCell<Tree>,
    selected_content: RefCell<Vec<NodeId>>,
    /// What `<noscript>` is: silent, or a box like any other where scripting is off.
    noscript: Tag,
    /// Elements created so far.
    pub(super) created: Cell<usize>,
    /// Room for the attributes of the next tag.
    pub(super) room: RefCell<Vec<Attribute>>,
}

/// A node as the tree builder holds it: with its name, which is asked for at every tag for many open elements.
#[derive(Debug, Clone)]
pub(super) struct Handle {
    id: NodeId,
    ns: Namespace,
    local: LocalName,
}

impl Handle {
    /// A node that is no element, so that no rule asks for its name.
    fn unnamed(id: NodeId) -> Handle {
        Handle { id, ns: ns!(), local: local_name!("") }
    }
}

impl Sink {
    pub(super) fn new(capacity: usize, scripting: bool) -> Self {
        Sink {
            tree: RefCell::new(Tree::with_capacity(capacity)),
            selected_content: RefCell::default(),
            noscript: if scripting { Tag::Noscript } else { Tag::Div },
            created: Cell::new(0),
            room: RefCell::default(),
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

    /// The place of a text.
    fn push_text(&mut self, text: StrTendril) -> u32 {
        let place = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text);
        place
    }

    fn push_element(&mut self, tag: Tag, element: Element) -> NodeId {
        let place = u32::try_from(self.elements.len()).unwrap_or(u32::MAX);
        let names = self.names_at(element.attrs);
        self.elements.push(element);
        self.tags.add(tag as usize);
        self.push(NodeData::Element { tag, names, place })
    }

    fn push_attributes(&mut self, attrs: &mut Vec<Attribute>) -> Attributes {
        let end = |attributes: &Vec<Attribute>| u32::try_from(attributes.len()).unwrap_or(u32::MAX);
        let from = end(&self.attributes);
        self.attributes.append(attrs);
        Attributes { from, to: end(&self.attributes) }
    }

    /// The bit filter of the names of attributes.
    fn names_at(&self, attrs: Attributes) -> u32 {
        let attrs = self.attributes_at(attrs).iter();
        attrs.fold(0, |names, attr| names | super::bit_of(&attr.name.local))
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
        let Some(NodeData::Text(place)) = before.map(|before| self.node(before).data) else { return false };
        let known = self.texts.get_mut(place as usize);
        known.map(|known| known.push_tendril(text)).is_some()
    }

    /// Fills a `selectedcontent` with the selected option of its `select`: the last one marked, else the
    /// first.
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
                let copy = match (self.node(child).data, self.element(child).cloned()) {
                    (NodeData::Element { tag, .. }, Some(element)) => self.push_element(tag, element),
                    (data, _) => self.push(data),
                };
                self.append(to, copy);
                pending.push((child, copy));
            }
        }
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Tree {
        let mut tree = self.tree.into_inner();
        for target in self.selected_content.into_inner() {
            tree.show_selected(target);
        }
        tree
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::unnamed(Tree::ROOT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        ExpandedName { ns: &target.ns, local: &target.local }
    }

    fn create_element(&self, name: QualName, mut room: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.created.set(self.created.get() + 1);
        let tag = match Tag::of(&name.local) {
            _ if name.ns != ns!(html) => Tag::Other,
            Tag::Noscript => self.noscript,
            tag => tag,
        };
        let is_selected_content = name.expanded() == expanded_name!(html "selectedcontent");
        // A template's content is a fragment of its own that no walk of the document reaches.
        let template = flags.template.then(|| self.new_node(NodeData::Fragment));
        let (ns, local) = (name.ns.clone(), name.local.clone());
        let mut tree = self.tree.borrow_mut();
        let attrs = tree.push_attributes(&mut room);
        self.room.replace(room);
        let integration_point = flags.mathml_annotation_xml_integration_point;
        let id = tree.push_element(tag, Element { name, attrs, template, integration_point });
        if is_selected_content {
            let mut known = self.selected_content.borrow_mut();
            if known.len() < MAX_SELECTED_CONTENT {
                known.push(id);
            }
        }
        Handle { id, ns, local }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        let place = self.tree.borrow_mut().push_text(text);
        Handle::unnamed(self.new_node(NodeData::Comment(place)))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.append(parent.id, child.id),
            NodeOrText::AppendText(text) => {
                let last = tree.node(parent.id).last;
                if !tree.extend_text(last, &text) {
                    let place = tree.push_text(text);
                    let child = tree.push(NodeData::Text(place));
                    tree.append(parent.id, child);
                }
            }
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        if self.tree.borrow().node(element.id).parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let mut tree = self.tree.borrow_mut();
        let place = tree.push_text(name);
        tree.texts.extend([public_id, system_id]);
        let id = tree.push(NodeData::Doctype(place));
        tree.append(Tree::ROOT, id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let template = self.tree.borrow().element(target.id).and_then(|element| element.template);
        template.map_or_else(|| target.clone(), Handle::unnamed)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match new_node {
            NodeOrText::AppendNode(node) => tree.insert_before(sibling.id, node.id),
            NodeOrText::AppendText(text) => {
                let before = tree.node(sibling.id).prev;
                if !tree.extend_text(before, &text) {
                    let place = tree.push_text(text);
                    let node = tree.push(NodeData::Text(place));
                    tree.insert_before(sibling.id, node);
                }
            }
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        let known = tree.element(target.id).map_or(&[][..], |element| tree.attributes_of(element));
        let room = super::MAX_ATTRIBUTES.saturating_sub(known.len());
        let is_new = |attr: &Attribute| known.iter().all(|known| known.name != attr.name);
        let mut new: Vec<Attribute> = attrs.into_iter().filter(is_new).take(room).collect();
        if !new.is_empty() {
            // They must stand together, so those that the element has are copied behind all others.
            let mut all = known.to_vec();
            all.append(&mut new);
            let attrs = tree.push_attributes(&mut all);
            let all_names = tree.names_at(attrs);
            if let Some(NodeData::Element { names, place, .. }) =
                tree.node_mut(target.id).map(|node| &mut node.data)
            {
                *names = all_names;
                let place = *place as usize;
                if let Some(element) = tree.elements.get_mut(place) {
                    element.attrs = attrs;
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut tree = self.tree.borrow_mut();
        while let Some(child) = tree.node(node.id).first {
            tree.append(new_parent.id, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        self.tree.borrow().element(handle.id).is_some_and(|element| element.integration_point)
    }
}
