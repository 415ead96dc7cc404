//! What is kept of each value, in eight bytes.

use core::fmt;

use crate::grammar::Container;

/// One value, one member name or one closing bracket. Children follow their container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Index in the text of the first byte.
    start: u32,
    /// The tag in the upper four bits. Below them: for a container the number of its nodes, itself and its end
    /// included; for anything else the length of its literal.
    word: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Null,
    False,
    True,
    Number,
    String,
    EscapedString,
    Array,
    Object,
    /// A closing bracket; its length is 1.
    End,
    Name,
    EscapedName,
    /// A name that repeats an earlier one of its object.
    RepeatedName,
    /// The same, with escapes.
    RepeatedEscapedName,
}

/// All tags, in their order.
const TAGS: [Tag; 13] = {
    use Tag::*;
    [
        Null,
        False,
        True,
        Number,
        String,
        EscapedString,
        Array,
        Object,
        End,
        Name,
        EscapedName,
        RepeatedName,
        RepeatedEscapedName,
    ]
};

impl From<Container> for Tag {
    #[inline]
    fn from(container: Container) -> Self {
        match container {
            Container::Array => Tag::Array,
            Container::Object => Tag::Object,
        }
    }
}

const LEN_BITS: u32 = 28;
const LEN_MASK: u32 = (1 << LEN_BITS) - 1;

impl Node {
    /// The marker for a node that is not there.
    pub(super) const NONE: Node = Node::new(Tag::End, 0, 0);

    /// Both numbers are at most `JsonReader::LONGEST`, which is `LEN_MASK`.
    #[inline]
    pub(super) const fn new(tag: Tag, start: usize, len: usize) -> Self {
        Node { start: start as u32, word: (tag as u32) << LEN_BITS | (len as u32 & LEN_MASK) }
    }

    #[inline]
    pub(super) fn tag(self) -> Tag {
        TAGS.get((self.word >> LEN_BITS) as usize).copied().unwrap_or(Tag::End)
    }

    #[inline]
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    #[inline]
    pub(super) fn len(self) -> usize {
        (self.word & LEN_MASK) as usize
    }

    #[inline]
    pub(super) fn is_container(self) -> bool {
        matches!(self.tag(), Tag::Array | Tag::Object)
    }

    #[inline]
    pub(super) fn is_name(self) -> bool {
        matches!(self.tag(), Tag::Name | Tag::EscapedName | Tag::RepeatedName | Tag::RepeatedEscapedName)
    }

    /// Sets a container's number of nodes.
    pub(super) fn set_len(&mut self, len: usize) {
        self.word = self.word & !LEN_MASK | (len as u32 & LEN_MASK);
    }

    /// Marks a name as one that is earlier in the object.
    pub(super) fn mark_repeated(&mut self) {
        let tag = match self.tag() {
            Tag::Name => Tag::RepeatedName,
            Tag::EscapedName => Tag::RepeatedEscapedName,
            other => other,
        };
        *self = Node::new(tag, self.start(), self.len());
    }

    /// How far the next sibling's node is; `None` for a container that is still open.
    #[inline]
    pub(super) fn step(self) -> Option<usize> {
        if !self.is_container() {
            return Some(1);
        }
        Some(self.len()).filter(|&step| step > 0)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{}+{}", self.tag(), self.start(), self.len())
    }
}
