//! The operations of the line protocol, described for people and for checks.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// The description of all operations: what a case may ask, what an answer holds, and what each kind of error means.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Operations {
    /// JSON Schema that the file names for editors.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// The operations, sorted by name.
    pub operations: Vec<Operation>,
    /// What each kind of error means.
    pub errors: BTreeMap<String, String>,
}

/// One operation of the line protocol.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Operation {
    /// Name, such as `tct.fingerprint`.
    pub op: String,
    /// What it does, in one sentence.
    pub does: String,
    /// Members of the input.
    #[serde(rename = "in")]
    pub input: BTreeMap<String, Member>,
    /// Members of an answer. A case names those that it is about.
    pub ok: BTreeMap<String, Member>,
    /// Kinds of error that the vectors expect.
    pub errors: Vec<String>,
    /// ID of a case that shows the operation, where there are vectors.
    #[serde(default)]
    pub example: Option<String>,
}

/// One member of an operation's input or answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Member {
    /// JSON type, or several.
    #[serde(rename = "type")]
    pub types: MemberTypes,
    /// For an input: whether it is required.
    #[serde(default)]
    pub required: bool,
    /// What it holds.
    #[serde(default)]
    pub about: String,
}

/// The JSON types of a member, such as `string`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum MemberTypes {
    /// Just one.
    One(String),
    /// Any of these.
    Any(Vec<String>),
}

impl MemberTypes {
    /// The names of the types.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            MemberTypes::One(name) => std::slice::from_ref(name),
            MemberTypes::Any(names) => names,
        };
        names.iter().map(String::as_str)
    }

    /// Whether a value is of one of the types.
    #[must_use]
    pub fn admit(&self, value: &Value) -> bool {
        let found = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        self.names().any(|name| name == found)
    }
}

/// The description of all operations, or `None` for a file that does not read. Reads the JSON at each call.
#[must_use]
pub fn operations() -> Option<Operations> {
    serde_json::from_str(OPERATIONS).ok()
}

const OPERATIONS: &str = include_str!("../operations.json");

#[cfg(test)]
mod tests {
    #[test]
    fn the_description_reads() {
        let read: Result<super::Operations, _> = serde_json::from_str(super::OPERATIONS);
        assert!(read.is_ok(), "{read:?}");
    }
}
