//! What the builders of documents, items and sitemaps have in common: members that came as JSON values, and members of
//! the publisher's own.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde_json::{Map, Value};

use super::finding::TctFindingCode as Code;
use super::identity::EncodeError;

/// Members that are JSON values already.
#[derive(Clone, Copy)]
pub(super) struct GivenMembers<'a>(pub(super) &'a Map<String, Value>);

impl<'a> GivenMembers<'a> {
    /// The string under this name; `None` where there is no such member.
    pub(super) fn optional(self, name: &'static str) -> Result<Option<&'a str>, EncodeError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(EncodeError::fault(Code::WrongType, None, name, type_name(other))),
        }
    }

    /// The string under this name.
    pub(super) fn required(self, name: &'static str) -> Result<&'a str, EncodeError> {
        self.optional(name)?.ok_or_else(|| EncodeError::fault(Code::Missing, None, name, ""))
    }

    /// The members that the protocol does not define.
    pub(super) fn others(self, known: &[&str]) -> OwnMembers {
        let others = self.0.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        OwnMembers(others.map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Members of the publisher's own. They are part of the bytes, and so of the tag.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OwnMembers(BTreeMap<String, Value>);

impl OwnMembers {
    /// Adds one, in place of an earlier one of that name. `Reserved` for a name that the protocol defines.
    pub(super) fn add(&mut self, name: String, value: Value, reserved: &[&str]) -> Result<(), EncodeError> {
        if reserved.contains(&name.as_str()) {
            return Err(EncodeError::reserved(&name));
        }
        self.0.insert(name, value);
        Ok(())
    }

    /// Names and values, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }

    /// Writes them behind those of the protocol.
    pub(super) fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
    }
}
