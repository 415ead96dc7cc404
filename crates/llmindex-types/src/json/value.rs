//! Looking at what was read.

use alloc::borrow::Cow;

use super::reader::Node;
use super::string;

/// The type of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The type's name with its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

/// A value in its text: `Copy`, two slices and an index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    text: &'a str,
    nodes: &'a [Node],
    index: usize,
}

/// A member's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'a>(Value<'a>);

const NONE: Node = Node {
    kind: Kind::Null,
    escaped: false,
    lone_surrogate: false,
    duplicate: false,
    start: 0,
    end: 0,
    next: u32::MAX,
};

impl<'a> Value<'a> {
    pub(crate) fn root(text: &'a str, nodes: &'a [Node]) -> Self {
        Value { text, nodes, index: 0 }
    }

    pub(super) fn at(self, index: usize) -> Self {
        Value { index, ..self }
    }

    #[inline]
    fn node(&self) -> &'a Node {
        self.nodes.get(self.index).unwrap_or(&NONE)
    }

    pub(crate) fn kind(&self) -> Kind {
        self.node().kind
    }

    /// The byte range of the literal in the text.
    pub(crate) fn span(&self) -> core::ops::Range<usize> {
        self.node().start as usize..self.node().end as usize
    }

    /// The literal as it stands in the text.
    pub(crate) fn raw(&self) -> &'a str {
        self.text.get(self.span()).unwrap_or_default()
    }

    /// Whether the string holds an escaped surrogate without its other half.
    pub(crate) fn has_lone_surrogate(&self) -> bool {
        self.node().lone_surrogate
    }

    /// The text of a string. A lone surrogate reads as U+FFFD.
    #[inline]
    pub(crate) fn as_str(&self) -> Option<Cow<'a, str>> {
        let node = self.node();
        if node.kind != Kind::String {
            return None;
        }
        let inside = self.text.get(node.start as usize + 1..node.end as usize - 1).unwrap_or_default();
        Some(if node.escaped { string::decode(inside) } else { Cow::Borrowed(inside) })
    }

    #[inline]
    pub(super) fn text_or_empty(&self) -> Cow<'a, str> {
        self.as_str().unwrap_or_default()
    }

    /// The boolean.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match (self.kind(), self.raw()) {
            (Kind::Bool, raw) => Some(raw == "true"),
            _ => None,
        }
    }

    /// Whether two strings hold the same text, without decoding where neither has escapes.
    pub(crate) fn is_text(&self, text: &str) -> bool {
        self.as_str().is_some_and(|own| own == text)
    }

    /// The members of an object in order; none for any other value.
    #[inline]
    pub(crate) fn members(&self) -> impl Iterator<Item = (Key<'a>, Value<'a>)> + use<'a> {
        let whole = *self;
        let end = if self.kind() == Kind::Object { self.node().next as usize } else { 0 };
        let mut index = self.index + 1;
        core::iter::from_fn(move || {
            if index >= end {
                return None;
            }
            let (name, value) = (whole.at(index), whole.at(index + 1));
            index = value.node().next as usize;
            Some((Key(name), value))
        })
    }

    /// The items of an array in order; none for any other value.
    pub(crate) fn items(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let whole = *self;
        let end = if self.kind() == Kind::Array { self.node().next as usize } else { 0 };
        let mut index = self.index + 1;
        core::iter::from_fn(move || {
            if index >= end {
                return None;
            }
            let value = whole.at(index);
            index = value.node().next as usize;
            Some(value)
        })
    }

    /// The value of the first member of that name.
    pub(crate) fn member(&self, name: &str) -> Option<Value<'a>> {
        self.members().find(|(key, _)| key.is(name)).map(|(_, value)| value)
    }

    /// The names in the whole value, at every level, that stand twice in their object or are no text, and the
    /// strings that are no text; the first of them in the order of the text.
    pub(crate) fn first_ambiguity(&self) -> Option<(usize, bool)> {
        let subtree = self.nodes.get(self.index..self.node().next as usize).unwrap_or_default();
        let node = subtree.iter().find(|node| node.duplicate || node.lone_surrogate)?;
        Some((node.start as usize, node.duplicate))
    }
}

impl<'a> Key<'a> {
    /// The name.
    #[inline]
    pub(crate) fn text(&self) -> Cow<'a, str> {
        self.0.text_or_empty()
    }

    /// Whether the name is `text`.
    #[inline]
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.is_text(text)
    }

    /// Whether the same name stands earlier in the object.
    pub(crate) fn is_duplicate(&self) -> bool {
        self.0.node().duplicate
    }

    /// Whether the name holds an escaped surrogate without its other half.
    pub(crate) fn has_lone_surrogate(&self) -> bool {
        self.0.has_lone_surrogate()
    }

    /// The byte range of the name's literal.
    pub(crate) fn span(&self) -> core::ops::Range<usize> {
        self.0.span()
    }

    pub(super) fn index(&self) -> usize {
        self.0.index
    }
}
