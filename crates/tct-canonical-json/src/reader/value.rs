//! Access to the values that were read.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use super::node::{Node, Tag};
use super::path;
use crate::number::exact_integer;
use crate::unescape::{decode, has_lone_surrogate, is_spelling_of};

/// The type of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The type's name with its article, such as `an object`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            JsonKind::Null => "null",
            JsonKind::Bool => "a boolean",
            JsonKind::Number => "a number",
            JsonKind::String => "a string",
            JsonKind::Array => "an array",
            JsonKind::Object => "an object",
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value in its text: `Copy`, borrowed from the text and from the nodes that were read.
///
/// Methods for another type than the value has return `None` or an empty iterator.
#[derive(Clone, Copy)]
pub struct JsonValue<'a> {
    text: &'a str,
    nodes: &'a [Node],
    index: usize,
}

/// A member's name.
#[derive(Clone, Copy)]
pub struct JsonName<'a>(JsonValue<'a>);

impl<'a> JsonValue<'a> {
    #[inline]
    pub(super) fn root(text: &'a str, nodes: &'a [Node]) -> Self {
        JsonValue { text, nodes, index: 0 }
    }

    #[inline]
    fn node(&self) -> Node {
        self.nodes.get(self.index).copied().unwrap_or(Node::NONE)
    }

    /// The value's type.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        match self.node().tag() {
            Tag::False | Tag::True => JsonKind::Bool,
            Tag::Number => JsonKind::Number,
            Tag::Array => JsonKind::Array,
            Tag::Object => JsonKind::Object,
            Tag::Null | Tag::End => JsonKind::Null,
            Tag::String
            | Tag::EscapedString
            | Tag::Name
            | Tag::EscapedName
            | Tag::RepeatedName
            | Tag::RepeatedEscapedName => JsonKind::String,
        }
    }

    /// The byte range of the value in the text, with quotes or brackets, without white space around it.
    #[inline]
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        let node = self.node();
        if !node.is_container() {
            return node.start()..node.start() + node.len();
        }
        let end = self.nodes.get(self.index + node.len() - 1).copied().unwrap_or(Node::NONE);
        node.start()..end.start() + end.len()
    }

    /// The value as it is spelled in the text.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.text.get(self.span()).unwrap_or_default()
    }

    /// Whether the value is `null`.
    #[inline]
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// The boolean.
    #[inline]
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.node().tag() {
            Tag::False => Some(false),
            Tag::True => Some(true),
            _ => None,
        }
    }

    /// A string's literal without its quotes, and whether it has escapes.
    #[inline]
    fn inside(&self) -> Option<(&'a str, bool)> {
        let node = self.node();
        let escaped = match node.tag() {
            Tag::String | Tag::Name | Tag::RepeatedName => false,
            Tag::EscapedString | Tag::EscapedName | Tag::RepeatedEscapedName => true,
            _ => return None,
        };
        Some((self.text.get(node.start() + 1..node.start() + node.len() - 1)?, escaped))
    }

    /// The text of a string, borrowed unless it has escapes. Half a surrogate pair, which only a reader that reports
    /// them accepts, becomes U+FFFD.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Option<Cow<'a, str>> {
        let (inside, escaped) = self.inside()?;
        Some(if escaped { decode(inside) } else { Cow::Borrowed(inside) })
    }

    /// Whether the value is a string of this text. Uses no heap.
    #[inline]
    #[must_use]
    pub fn is_str(&self, text: &str) -> bool {
        match self.inside() {
            Some((inside, false)) => inside == text,
            Some((inside, true)) => is_spelling_of(inside, text),
            None => false,
        }
    }

    /// Whether the value is a string with half a surrogate pair.
    #[inline]
    #[must_use]
    pub fn has_lone_surrogate(&self) -> bool {
        // Only an escape can be one, and most strings have none.
        self.inside().is_some_and(|(inside, escaped)| escaped && has_lone_surrogate(inside))
    }

    /// A number as it is spelled, such as `4.50` or `1E2`.
    #[inline]
    #[must_use]
    pub fn number_text(&self) -> Option<&'a str> {
        (self.kind() == JsonKind::Number).then(|| self.raw())
    }

    /// The double nearest to a number; `None` where that is infinite.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.number_text()?.parse::<f64>().ok().filter(|double| double.is_finite())
    }

    /// A number that is an integer, however it is spelled (`2`, `2.0`, `20e-1`), exactly; `None` where it is not an
    /// integer or not within an `i64`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        let (negative, magnitude) = exact_integer(self.number_text()?)?;
        if negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    }

    /// A number that is an integer, however it is spelled (`2`, `2.0`, `20e-1`), exactly; `None` where it is not an
    /// integer or not within a `u64`.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match exact_integer(self.number_text()?)? {
            (true, 1..) => None,
            (_, magnitude) => Some(magnitude),
        }
    }

    /// The members of an object, in the order of the text.
    #[inline]
    #[must_use]
    pub fn members(&self) -> JsonMembers<'a> {
        JsonMembers { next: self.children(Tag::Object) }
    }

    /// The items of an array, in order.
    #[inline]
    #[must_use]
    pub fn items(&self) -> JsonItems<'a> {
        JsonItems { next: self.children(Tag::Array) }
    }

    /// The first child of a container of this type, or an end.
    #[inline]
    fn children(&self, container: Tag) -> JsonValue<'a> {
        let index = if self.node().tag() == container { self.index + 1 } else { usize::MAX };
        JsonValue { index, ..*self }
    }

    /// The node after this value. Every container has ended once a text is read.
    #[inline]
    fn behind(&self) -> JsonValue<'a> {
        JsonValue { index: self.index + self.node().step().unwrap_or(1), ..*self }
    }

    /// The value of the first member of that name. Looks through the members in their order.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<JsonValue<'a>> {
        self.members().find(|(own, _)| own.is(name)).map(|(_, value)| value)
    }

    /// The item of an array at this index. Looks through the items in their order.
    #[must_use]
    pub fn item(&self, index: usize) -> Option<JsonValue<'a>> {
        self.items().nth(index)
    }

    /// The value at a JSON Pointer (RFC 6901) from this value on, such as `/items/0/url`; `""` is the value itself.
    /// Of a repeated name, the first member. `None` where there is no such value, or the pointer is not a JSON Pointer.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<JsonValue<'a>> {
        if pointer.is_empty() {
            return Some(*self);
        }
        let mut value = *self;
        for token in pointer.strip_prefix('/')?.split('/') {
            value = match value.kind() {
                JsonKind::Object if token.contains('~') => {
                    value.get(&token.replace("~1", "/").replace("~0", "~"))?
                }
                JsonKind::Object => value.get(token)?,
                JsonKind::Array => {
                    let is_index = token == "0" || !token.starts_with(['0', '+']);
                    value.item(token.parse().ok().filter(|_| is_index)?)?
                }
                _ => return None,
            };
        }
        Some(value)
    }

    /// The JSON Pointer (RFC 6901) of the value, from the document's root on. Takes time linear in the number of values
    /// before it.
    #[must_use]
    pub fn path(&self) -> String {
        path::of_node(self.text, self.nodes, self.index)
    }
}

impl fmt::Debug for JsonValue<'_> {
    /// Shows the value as it is spelled.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.raw())
    }
}

impl fmt::Debug for JsonName<'_> {
    /// Shows the name as it is spelled.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.raw())
    }
}

impl<'a> JsonName<'a> {
    pub(crate) fn of(name: JsonValue<'a>) -> Self {
        JsonName(name)
    }

    /// The name, borrowed unless it has escapes.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Cow<'a, str> {
        self.0.as_str().unwrap_or_default()
    }

    /// Returns true if the name, decoded, is this text. Uses no heap.
    #[inline]
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.0.is_str(name)
    }

    /// Returns true if an earlier member of the object has the same name; names are compared
    /// decoded.
    #[inline]
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        matches!(self.0.node().tag(), Tag::RepeatedName | Tag::RepeatedEscapedName)
    }

    /// Whether the name holds half a surrogate pair.
    #[inline]
    #[must_use]
    pub fn has_lone_surrogate(&self) -> bool {
        self.0.has_lone_surrogate()
    }

    /// The byte range of the name in the text, with its quotes.
    #[inline]
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The name as it is spelled in the text, with its quotes.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.0.raw()
    }

    /// The JSON Pointer (RFC 6901) of the member. See [`JsonValue::path`].
    #[must_use]
    pub fn path(&self) -> String {
        self.0.path()
    }
}

impl PartialEq<str> for JsonName<'_> {
    fn eq(&self, name: &str) -> bool {
        self.is(name)
    }
}

impl PartialEq<&str> for JsonName<'_> {
    fn eq(&self, name: &&str) -> bool {
        self.is(name)
    }
}

/// The members of an object, in the order of the text: names and values.
#[derive(Debug, Clone)]
pub struct JsonMembers<'a> {
    next: JsonValue<'a>,
}

impl<'a> Iterator for JsonMembers<'a> {
    type Item = (JsonName<'a>, JsonValue<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let name = self.next;
        if name.node().tag() == Tag::End {
            return None;
        }
        let value = JsonValue { index: name.index + 1, ..name };
        self.next = value.behind();
        Some((JsonName(name), value))
    }
}

impl core::iter::FusedIterator for JsonMembers<'_> {}

/// The items of an array, in order.
#[derive(Debug, Clone)]
pub struct JsonItems<'a> {
    next: JsonValue<'a>,
}

impl<'a> Iterator for JsonItems<'a> {
    type Item = JsonValue<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let value = self.next;
        if value.node().tag() == Tag::End {
            return None;
        }
        self.next = value.behind();
        Some(value)
    }
}

impl core::iter::FusedIterator for JsonItems<'_> {}
