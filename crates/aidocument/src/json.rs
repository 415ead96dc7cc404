//! JSON text to a value tree, without what `serde_json::Value` lets pass: repeated member names and nesting past
//! the caller's limit.
//!
//! The parser is serde_json's; this module walks with it, counts levels and looks at each member name. Its own
//! depth limit is switched off, ours is at most [`Limits::DEEPEST`].

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::{DocumentError, DocumentErrorKind, Quoted};
use crate::limits::Limits;

/// Reads one JSON value that fills the whole text.
pub(crate) fn parse(json: &[u8], limits: &Limits) -> Result<Value, DocumentError> {
    if json.len() > limits.max_bytes {
        let detail = format!("expected at most {} bytes, found {}", limits.max_bytes, json.len());
        return Err(DocumentError::new(DocumentErrorKind::TooLong, Some(limits.max_bytes), detail));
    }
    let text = core::str::from_utf8(json).map_err(|error| {
        let offset = error.valid_up_to();
        let detail = format!("expected UTF-8, found an invalid sequence at byte {offset}");
        DocumentError::new(DocumentErrorKind::Malformed, Some(offset), detail)
    })?;
    if text.starts_with('\u{feff}') {
        let detail = String::from("expected a JSON object at byte 0, found a byte order mark");
        return Err(DocumentError::new(DocumentErrorKind::Malformed, Some(0), detail));
    }
    let why = Cell::new(DocumentErrorKind::Malformed);
    let levels = limits.max_depth.min(Limits::DEEPEST);
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    Node { levels, why: &why }
        .deserialize(&mut parser)
        .and_then(|value| parser.end().map(|()| value))
        .map_err(|error| {
            let offset = offset_of(text, error.line(), error.column());
            // serde_json adds the place in lines and columns to its text; ours is in bytes.
            let text = format!("{error}");
            let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
            let detail = match why.get() {
                DocumentErrorKind::Malformed => {
                    format!("expected JSON, found a fault at byte {offset}: {what}")
                }
                _ => format!("{what} at byte {offset}"),
            };
            DocumentError::new(why.get(), Some(offset), detail)
        })
}

/// The byte offset of serde_json's line and column: both begin at 1, columns count bytes.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        later => text.match_indices('\n').nth(later - 2).map_or(0, |(at, _)| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}

/// One value with what may still be below it.
#[derive(Clone, Copy)]
struct Node<'a> {
    levels: usize,
    why: &'a Cell<DocumentErrorKind>,
}

impl Node<'_> {
    fn below<E: serde::de::Error>(self) -> Result<Self, E> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Node { levels, ..self }),
            None => {
                self.why.set(DocumentErrorKind::TooDeep);
                Err(E::custom("expected less nesting, found another level"))
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(below)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut object = Map::new();
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if object.contains_key(&*name) {
                self.why.set(DocumentErrorKind::DuplicateMember);
                let message = format!("expected each member name once, found {} again", Quoted(&name));
                return Err(A::Error::custom(message));
            }
            let value = members.next_value_seed(below)?;
            object.insert(name.into_owned(), value);
        }
        Ok(Value::Object(object))
    }
}
