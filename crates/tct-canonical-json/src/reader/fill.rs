//! Builds the nodes while a text is read.

use alloc::string::String;
use alloc::vec::Vec;

use super::node::{Node, Tag};
use super::{JsonReader, JsonTape, path, repeated};
use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::fault::{Fault, Spot};
use crate::grammar::{Container, Parts, read, read_first};
use crate::number::Number;
use crate::string::first_difference;
use crate::unescape::decoded_len;

/// A container that is still open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) node: u32,
    pub(super) container: Container,
    /// Whether two names of this object may be the same.
    may_repeat: bool,
    seen: repeated::Seen,
}

pub(super) struct Filler<'a> {
    reader: &'a JsonReader,
    /// The part that is read: valid UTF-8.
    text: &'a str,
    /// The whole input, which is longer than `text` if the rest is not valid UTF-8. Errors quote
    /// it.
    whole: &'a [u8],
    tape: &'a mut JsonTape,
    values: usize,
    /// Set if the caller does not need to know the fault.
    is_quiet: bool,
}

impl<'a> Filler<'a> {
    pub(super) fn new(
        reader: &'a JsonReader,
        text: &'a str,
        whole: &'a [u8],
        tape: &'a mut JsonTape,
    ) -> Self {
        Filler { reader, text, whole, tape, values: 0, is_quiet: false }
    }

    pub(super) fn fill(&mut self) -> Result<(), JsonError> {
        // About what short texts need. A longer text's memory grows by what was needed so far.
        self.tape.nodes.reserve((self.text.len() / 8).min(256));
        read(self.text.as_bytes(), self)
    }

    /// Reads the value that the text begins with. Returns its length; the error has no details.
    pub(super) fn fill_first(&mut self) -> Result<usize, JsonError> {
        self.is_quiet = true;
        self.tape.nodes.reserve((self.text.len() / 8).min(256));
        read_first(self.text.as_bytes(), self)
    }

    #[inline(always)]
    fn push(&mut self, node: Node) {
        if self.tape.nodes.len() == self.tape.nodes.capacity() {
            grow(&mut self.tape.nodes, node.start(), self.text.len());
        }
        self.tape.nodes.push(node);
    }

    #[inline(always)]
    fn count_value(&mut self, at: usize) -> Result<(), JsonError> {
        self.values += 1;
        if self.values > self.reader.max_values {
            return Err(
                self.fail(Fault::beyond(Kind::TooManyValues, at, self.reader.max_values), Spot::Value)
            );
        }
        Ok(())
    }

    /// The error, if the literal stays longer than its limit once its escapes are undone.
    #[cold]
    fn check_len(&mut self, quote: usize, end: usize, spot: Spot) -> Result<(), JsonError> {
        let (kind, limit) = match spot {
            Spot::Container => (Kind::NameTooLong, self.reader.max_name_bytes),
            _ => (Kind::StringTooLong, self.reader.max_string_bytes),
        };
        if decoded_len(self.text.get(quote + 1..end - 1).unwrap_or_default()) > limit {
            return Err(self.fail(Fault::beyond(kind, quote, limit), spot));
        }
        Ok(())
    }

    #[cold]
    fn path(&self, spot: Spot) -> Option<String> {
        path::of_open(self.text, &self.tape.nodes, &self.tape.open, spot)
    }

    /// Looks for repeated names in the object that has just ended.
    #[inline(never)]
    fn look_for_repeated(&mut self, object: usize) -> Result<(), JsonError> {
        let JsonTape { nodes, names, repeated, .. } = &mut *self.tape;
        let before = repeated.len();
        repeated::find(self.text, nodes, object, names, repeated);
        if repeated.len() == before {
            return Ok(());
        }
        if self.reader.refuses_repeated_names {
            let first = repeated.get(before).and_then(|&index| nodes.get(index as usize));
            let at = first.map_or(0, |name| name.start());
            return Err(self.fail(Fault::repeated(at), Spot::Container));
        }
        for &index in repeated.iter().skip(before) {
            if let Some(name) = nodes.get_mut(index as usize) {
                name.mark_repeated();
            }
        }
        Ok(())
    }

    /// The first name among those of the open objects that is repeated, and the number of the object's frame.
    #[cold]
    fn first_repeated_in_open(&self) -> Option<(usize, usize)> {
        if !self.reader.refuses_repeated_names {
            return None;
        }
        let (mut names, mut found) = (Vec::new(), Vec::new());
        self.tape.open.iter().enumerate().find_map(|(number, frame)| {
            if frame.container == Container::Object && frame.may_repeat {
                repeated::find(self.text, &self.tape.nodes, frame.node as usize, &mut names, &mut found);
            }
            let name = self.tape.nodes.get(*found.first()? as usize)?;
            Some((number, name.start()))
        })
    }
}

/// Makes room for as many nodes as the rest of the text needs if it is like the text so far.
#[cold]
fn grow(nodes: &mut Vec<Node>, at: usize, len: usize) {
    let rest = len.saturating_sub(at) as u64;
    // No text has more than two nodes in three bytes, and the ends of what is open.
    let most = rest * 2 / 3 + 2;
    let alike = nodes.len() as u64 * rest / (at as u64).max(1);
    let room = (alike + alike / 8).max(nodes.len() as u64 / 4).max(16).min(most.max(16));
    nodes.reserve_exact(usize::try_from(room).unwrap_or(usize::MAX));
}

impl Parts for Filler<'_> {
    type Error = JsonError;

    const CHECKS_UTF8: bool = false;

    /// An open object may contain a repeated name that is earlier in the text than the fault.
    #[cold]
    fn fail(&mut self, fault: Fault, spot: Spot) -> JsonError {
        if self.is_quiet {
            return fault.describe(b"", None);
        }
        match self.first_repeated_in_open().map(|(number, at)| (number, Fault::repeated(at))) {
            Some((number, repeated)) if repeated.is_before(&fault) => {
                let open = self.tape.open.get(..=number).unwrap_or_default();
                let path = path::of_open(self.text, &self.tape.nodes, open, Spot::Container);
                repeated.describe(self.whole, path)
            }
            _ => fault.describe(self.whole, self.path(spot)),
        }
    }

    #[inline(always)]
    fn open(&mut self, container: Container, at: usize) -> Result<(), JsonError> {
        if self.tape.open.len() >= self.reader.max_depth {
            return Err(self.fail(Fault::beyond(Kind::TooDeep, at, self.reader.max_depth), Spot::Value));
        }
        self.count_value(at)?;
        let node = self.tape.nodes.len() as u32; // fits, because a node takes more than half a byte of text
        self.tape.open.push(Frame { node, container, may_repeat: false, seen: repeated::Seen::default() });
        self.push(Node::new(container.into(), at, 0));
        Ok(())
    }

    #[inline(always)]
    fn fills(&mut self, at: usize) -> Result<(), JsonError> {
        if self.tape.open.len() > self.reader.max_value_depth {
            let limit = self.reader.max_value_depth;
            return Err(self.fail(Fault::beyond(Kind::TooDeep, at, limit), Spot::Container));
        }
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, at: usize) -> Result<Option<Container>, JsonError> {
        self.push(Node::new(Tag::End, at, 1));
        let Some(frame) = self.tape.open.last() else { return Ok(None) };
        let (object, may_repeat) = (frame.node as usize, frame.may_repeat);
        if may_repeat {
            self.look_for_repeated(object)?;
        }
        self.tape.open.pop();
        let len = self.tape.nodes.len() - object;
        if let Some(node) = self.tape.nodes.get_mut(object) {
            node.set_len(len);
        }
        Ok(self.tape.open.last().map(|outer| outer.container))
    }

    #[inline(always)]
    fn escape(
        &mut self,
        at: usize,
        end: usize,
        character: Option<char>,
        spot: Spot,
    ) -> Result<(), JsonError> {
        let spelled = self.text.as_bytes().get(at..end).unwrap_or_default();
        self.tape.has_odd_escapes |=
            character.is_none_or(|character| first_difference(spelled, character).is_some());
        if character.is_none() && self.reader.refuses_lone_surrogates {
            return Err(self.fail(Fault::new(Kind::LoneSurrogate, at, "a surrogate pair"), spot));
        }
        Ok(())
    }

    #[inline(always)]
    fn name(&mut self, quote: usize, end: usize, escaped: bool) -> Result<(), JsonError> {
        if end - quote - 2 > self.reader.max_name_bytes {
            self.check_len(quote, end, Spot::Container)?;
        }
        let tag = if escaped { Tag::EscapedName } else { Tag::Name };
        self.push(Node::new(tag, quote, end - quote));
        if let Some(frame) = self.tape.open.last_mut() {
            let is_new = frame.seen.insert(self.text.as_bytes(), quote + 1, end - 1);
            // An escaped name may equal any other, however that is spelled.
            frame.may_repeat |= escaped || !is_new;
        }
        Ok(())
    }

    #[inline(always)]
    fn string(&mut self, quote: usize, end: usize, escaped: bool) -> Result<(), JsonError> {
        if end - quote - 2 > self.reader.max_string_bytes {
            self.check_len(quote, end, Spot::Value)?;
        }
        self.count_value(quote)?;
        self.push(Node::new(if escaped { Tag::EscapedString } else { Tag::String }, quote, end - quote));
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self, start: usize, number: Number) -> Result<(), JsonError> {
        if number.may_overflow() && self.reader.refuses_huge_numbers {
            let text = self.text.as_bytes().get(start..).unwrap_or_default();
            if number.overflows(text) {
                return Err(self.fail(Fault::overflow(start, start + number.len), Spot::Value));
            }
        }
        self.count_value(start)?;
        self.push(Node::new(Tag::Number, start, number.len));
        Ok(())
    }

    #[inline(always)]
    fn word(&mut self, start: usize, end: usize, word: Tag) -> Result<(), JsonError> {
        self.count_value(start)?;
        self.push(Node::new(word, start, end - start));
        Ok(())
    }
}
