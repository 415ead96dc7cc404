//! Shared by the builders of documents, items and sitemaps: members given as JSON values, and the publisher's own
//! members.

use std::collections::{BTreeMap, btree_map};
use std::iter::Peekable;

use serde::Serialize;
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
    /// Adds one, replacing an earlier one of that name. `Reserved` for a name that the protocol defines.
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

    /// Names and values, if all values are strings and all names plain ASCII, whose order is the same in every
    /// profile.
    pub(super) fn plain(&self) -> Option<impl Iterator<Item = (&str, &str)>> {
        let is_plain =
            |name: &str| name.bytes().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\".contains(&byte));
        let all = self.0.iter().all(|(name, value)| is_plain(name) && value.is_string());
        all.then(|| self.0.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default())))
    }

    /// Writes into a map, in order with the members of the protocol.
    pub(super) fn beside<M: SerializeMap>(&self, map: M) -> OrderedMembers<'_, M> {
        OrderedMembers { map, own: self.0.iter().peekable() }
    }
}

/// Merges the publisher's own members with those of the protocol in order, so that nothing needs sorting.
///
/// The order is that of code points. RFC 8785 has another for names that hold characters beyond U+FFFF, and then the
/// writer sorts.
pub(super) struct OrderedMembers<'a, M> {
    map: M,
    own: Peekable<btree_map::Iter<'a, String, Value>>,
}

impl<M: SerializeMap> OrderedMembers<'_, M> {
    /// Writes a member of the protocol, and the publisher's own that come before it. Names must rise.
    pub(super) fn entry<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        while let Some((own, value)) = self.own.next_if(|(own, _)| own.as_str() < name) {
            self.map.serialize_entry(own, value)?;
        }
        self.map.serialize_entry(name, value)
    }

    /// Writes the publisher's own that come last.
    pub(super) fn end(mut self) -> Result<M::Ok, M::Error> {
        for (own, value) in self.own {
            self.map.serialize_entry(own, value)?;
        }
        self.map.end()
    }
}
