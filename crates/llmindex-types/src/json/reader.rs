//! The reader: text in, nodes out.

use alloc::vec::Vec;

use super::value::{Kind, Value};
use super::{Expected, JsonError, JsonErrorKind, Limits, string};

/// One value or member name. Children follow their container; `next` steps over the whole subtree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(super) kind: Kind,
    /// Of a string: it has escapes.
    pub(super) escaped: bool,
    /// Of a string: an escaped surrogate lacks its other half.
    pub(super) lone_surrogate: bool,
    /// Of a member name: the same name stands earlier in the object.
    pub(super) duplicate: bool,
    /// Byte range of the literal in the text.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the node after this one and its children.
    pub(super) next: u32,
}

/// The nodes of one text, and the buffers to read the next one without allocating.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tape {
    nodes: Vec<Node>,
    open: Vec<Frame>,
    names: Vec<u32>,
}

/// A container that is still open.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: u32,
    is_object: bool,
    /// One bit a hash of a member name: two names with one bit may be the same.
    seen: u64,
    collided: bool,
}

pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    #[inline]
    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    #[cold]
    pub(super) fn error(&self, expected: Expected) -> JsonError {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        JsonError { kind: JsonErrorKind::NotJson, offset: self.at, expected, found }
    }
}

impl Tape {
    /// Reads `text`, which replaces what the tape held; the answer borrows both.
    pub(crate) fn read<'a>(&'a mut self, text: &'a str, limits: &Limits) -> Result<Value<'a>, JsonError> {
        self.fill(text, limits)?;
        Ok(Value::root(text, &self.nodes))
    }

    /// The value read last from `text`, the text given to [`Tape::read`].
    pub(crate) fn root<'a>(&'a self, text: &'a str) -> Value<'a> {
        Value::root(text, &self.nodes)
    }

    fn fill(&mut self, text: &str, limits: &Limits) -> Result<(), JsonError> {
        self.nodes.clear();
        self.open.clear();
        let max_bytes = limits.max_bytes.min(u32::MAX as usize - 1);
        if text.len() > max_bytes {
            let expected = Expected::AtMost(max_bytes);
            return Err(JsonError { kind: JsonErrorKind::TooLong, offset: max_bytes, expected, found: None });
        }
        // About what JSON of short texts needs; a longer text grows it in a few steps.
        self.nodes.reserve((text.len() / 12).min(256));
        let mut cursor = Cursor { text, at: 0 };
        cursor.skip_white_space();
        'value: loop {
            // A value starts here.
            match cursor.peek() {
                Some(b'"') => self.push_string(&mut cursor)?,
                Some(b'{') => {
                    self.open(&mut cursor, Kind::Object, limits)?;
                    cursor.skip_white_space();
                    if cursor.peek() == Some(b'}') {
                        self.close(&mut cursor);
                    } else {
                        self.member_name(&mut cursor, "a member name or `}`")?;
                        continue 'value;
                    }
                }
                Some(b'[') => {
                    self.open(&mut cursor, Kind::Array, limits)?;
                    cursor.skip_white_space();
                    if cursor.peek() == Some(b']') {
                        self.close(&mut cursor);
                    } else {
                        continue 'value;
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let start = cursor.at;
                    read_number(&mut cursor)?;
                    self.push(Kind::Number, start, cursor.at);
                }
                Some(b't') => self.push_word(&mut cursor, "true", Kind::Bool)?,
                Some(b'f') => self.push_word(&mut cursor, "false", Kind::Bool)?,
                Some(b'n') => self.push_word(&mut cursor, "null", Kind::Null)?,
                _ => return Err(cursor.error(Expected::Text("a JSON value"))),
            }
            // A value ends here: close what ends with it.
            loop {
                cursor.skip_white_space();
                let Some(frame) = self.open.last() else {
                    return match cursor.peek() {
                        None => Ok(()),
                        Some(_) => Err(cursor.error(Expected::Text("the end of the text"))),
                    };
                };
                match (cursor.peek(), frame.is_object) {
                    (Some(b','), true) => {
                        cursor.at += 1;
                        cursor.skip_white_space();
                        self.member_name(&mut cursor, "a member name")?;
                        continue 'value;
                    }
                    (Some(b','), false) => {
                        cursor.at += 1;
                        cursor.skip_white_space();
                        continue 'value;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => self.close(&mut cursor),
                    (_, true) => return Err(cursor.error(Expected::Text("`,` or `}`"))),
                    (_, false) => return Err(cursor.error(Expected::Text("`,` or `]`"))),
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        let (start, end) = (start as u32, end as u32); // `fill` refuses longer texts
        let node = Node { kind, escaped: false, lone_surrogate: false, duplicate: false, start, end, next };
        self.nodes.push(node);
    }

    #[inline]
    fn push_string(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        let start = cursor.at;
        cursor.at += 1;
        let (escaped, lone_surrogate) = string::read_literal(cursor)?;
        let next = self.nodes.len() as u32 + 1;
        let (start, end) = (start as u32, cursor.at as u32);
        self.nodes.push(Node {
            kind: Kind::String,
            escaped,
            lone_surrogate,
            duplicate: false,
            start,
            end,
            next,
        });
        Ok(())
    }

    fn push_word(
        &mut self,
        cursor: &mut Cursor<'_>,
        word: &'static str,
        kind: Kind,
    ) -> Result<(), JsonError> {
        let start = cursor.at;
        for expected in word.bytes() {
            if cursor.peek() != Some(expected) {
                return Err(cursor.error(Expected::Text("a JSON value")));
            }
            cursor.at += 1;
        }
        self.push(kind, start, cursor.at);
        Ok(())
    }

    #[inline]
    fn open(&mut self, cursor: &mut Cursor<'_>, kind: Kind, limits: &Limits) -> Result<(), JsonError> {
        if self.open.len() >= limits.max_depth {
            let expected = Expected::AtMost(limits.max_depth);
            return Err(JsonError { kind: JsonErrorKind::TooDeep, offset: cursor.at, expected, found: None });
        }
        let node = self.nodes.len() as u32;
        self.open.push(Frame { node, is_object: kind == Kind::Object, seen: 0, collided: false });
        self.push(kind, cursor.at, cursor.at);
        cursor.at += 1;
        Ok(())
    }

    #[inline]
    fn close(&mut self, cursor: &mut Cursor<'_>) {
        cursor.at += 1;
        let next = self.nodes.len() as u32;
        let Some(frame) = self.open.pop() else { return };
        if let Some(node) = self.nodes.get_mut(frame.node as usize) {
            node.end = cursor.at as u32;
            node.next = next;
        }
        if frame.collided {
            self.mark_duplicates(cursor.text, frame.node);
        }
    }

    /// Reads `"name" :` and stands before the member's value.
    #[inline]
    fn member_name(&mut self, cursor: &mut Cursor<'_>, expected: &'static str) -> Result<(), JsonError> {
        if cursor.peek() != Some(b'"') {
            return Err(cursor.error(Expected::Text(expected)));
        }
        self.push_string(cursor)?;
        if let (Some(name), Some(frame)) = (self.nodes.last(), self.open.last_mut()) {
            let inside =
                cursor.bytes().get(name.start as usize + 1..name.end as usize - 1).unwrap_or_default();
            let bit = 1 << (name_hash(inside) % 64);
            // An escaped name may equal any other, whatever its bytes.
            frame.collided |= frame.seen & bit != 0 || name.escaped;
            frame.seen |= bit;
        }
        cursor.skip_white_space();
        if cursor.peek() != Some(b':') {
            return Err(cursor.error(Expected::Text("`:`")));
        }
        cursor.at += 1;
        cursor.skip_white_space();
        Ok(())
    }

    /// Marks every name of the object at `object` that stands earlier in it. `O(n log n)` in its members.
    #[cold]
    fn mark_duplicates(&mut self, text: &str, object: u32) {
        let mut names = core::mem::take(&mut self.names);
        names.clear();
        let root = Value::root(text, &self.nodes);
        names.extend(root.at(object as usize).members().map(|(name, _)| name.index() as u32));
        let name_of = |&index: &u32| root.at(index as usize).text_or_empty();
        names.sort_by(|a, b| name_of(a).cmp(&name_of(b))); // stable: the first one stays first
        let mut repeated = Vec::new();
        for (earlier, later) in names.iter().zip(names.iter().skip(1)) {
            if name_of(earlier) == name_of(later) {
                repeated.push(*later);
            }
        }
        for index in repeated {
            if let Some(node) = self.nodes.get_mut(index as usize) {
                node.duplicate = true;
            }
        }
        self.names = names;
    }
}

/// A hash of a member name, made so that the names of one object of the specification take different bits.
#[inline]
fn name_hash(name: &[u8]) -> u32 {
    let middle = name.get(name.len().saturating_sub(1) / 2).copied().map_or(0, u32::from);
    let last = name.last().copied().map_or(0, u32::from);
    middle ^ last.wrapping_add(name.len() as u32 * 3)
}

#[inline]
fn read_number(cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
    if cursor.peek() == Some(b'-') {
        cursor.at += 1;
    }
    match cursor.peek() {
        Some(b'0') => cursor.at += 1,
        Some(b'1'..=b'9') => digits(cursor)?,
        _ => return Err(cursor.error(Expected::Text("a digit"))),
    }
    if cursor.peek() == Some(b'.') {
        cursor.at += 1;
        digits(cursor)?;
    }
    if let Some(b'e' | b'E') = cursor.peek() {
        cursor.at += 1;
        if let Some(b'+' | b'-') = cursor.peek() {
            cursor.at += 1;
        }
        digits(cursor)?;
    }
    Ok(())
}

#[inline]
fn digits(cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
    let start = cursor.at;
    while let Some(b'0'..=b'9') = cursor.peek() {
        cursor.at += 1;
    }
    if cursor.at == start { Err(cursor.error(Expected::Text("a digit"))) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};

    fn read(text: &str) -> Result<(), JsonError> {
        Tape::default().read(text, &Limits::MANIFEST).map(|_| ())
    }

    #[test]
    fn the_grammar_is_rfc_8259() {
        for good in
            ["{}", "[]", " 1 ", "-0", "1e5", "1.5E-3", "\"\"", "[1,{\"a\":[null,true,false]}]", "\"\\u0000\""]
        {
            assert_eq!(read(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            " ",
            "{",
            "[",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "+1",
            "1.",
            ".5",
            "1e",
            "tru",
            "nul",
            "\"",
            "\"\\x\"",
            "\"\n\"",
            "[1 2]",
            "1 2",
            "{\"a\" 1}",
            "{\"a\":}",
            "]",
            "\"\\u12g4\"",
            "NaN",
            "'a'",
            "{\"a\":1]",
            "[1}",
            "//",
        ] {
            assert_eq!(read(bad).map_err(|error| error.kind()), Err(JsonErrorKind::NotJson), "{bad}");
        }
    }

    #[test]
    fn depth_is_counted_in_open_containers() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!(read(&nested(64)), Ok(()));
        assert_eq!(read(&nested(65)).map_err(|e| (e.kind(), e.offset())), Err((JsonErrorKind::TooDeep, 64)));
        let deep = Limits::MANIFEST.with_max_depth(usize::MAX);
        assert!(Tape::default().read(&nested(400_000), &deep).is_ok());
    }

    #[test]
    fn repeated_names_are_marked_whatever_their_spelling() {
        let text = r#"{"a":1,"b":{"a":2},"\u0061":3,"c":4,"a":5}"#;
        let mut tape = Tape::default();
        let value = tape.read(text, &Limits::MANIFEST).unwrap();
        let marked: Vec<_> =
            value.members().map(|(name, value)| (name.is_duplicate(), value.raw().to_string())).collect();
        let expected = [(false, "1"), (false, "{\"a\":2}"), (true, "3"), (false, "4"), (true, "5")];
        assert_eq!(marked, expected.map(|(d, raw)| (d, raw.to_string())));
    }

    #[test]
    fn the_names_of_the_specification_do_not_collide() {
        // Not needed for a right answer, only for its speed.
        let product =
            "id title url image_url price currency price_range availability brand category updated_at";
        let manifest = "version updated_at entity language topics endpoints feeds verify sig license languages \
                        localized_endpoints access_control feed_updated_at usage_terms";
        for names in [product, manifest] {
            let mut bits: Vec<_> =
                names.split_whitespace().map(|name| name_hash(name.as_bytes()) % 64).collect();
            let count = bits.len();
            bits.sort_unstable();
            bits.dedup();
            assert_eq!(bits.len(), count);
        }
    }

    #[test]
    fn many_members_take_linear_time_and_memory() {
        let mut text = String::from("{");
        for i in 0..50_000 {
            text.push_str(&format!("\"k{}\":{i},", i % 40_000));
        }
        text.push_str("\"end\":0}");
        let mut tape = Tape::default();
        let value = tape.read(&text, &Limits::MANIFEST).unwrap();
        assert_eq!(value.members().filter(|(name, _)| name.is_duplicate()).count(), 10_000);
    }
}
