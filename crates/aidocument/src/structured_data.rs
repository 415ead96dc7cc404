//! JSON-LD nodes by schema.org type.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// JSON-LD nodes of a page, filed under the schema.org type names, sorted by name.
///
/// A type with one node is written as that node, a type with several as an array in document order.
/// [`nodes`](Self::nodes) gives a slice in both cases.
///
/// ```
/// use aidocument::StructuredData;
/// use serde_json::json;
///
/// let mut data = StructuredData::default();
/// data.push("Product", json!({"name": "Lamp"}));
/// assert_eq!(serde_json::to_string(&data)?, r#"{"Product":{"name":"Lamp"}}"#);
/// data.push("Product", json!({"name": "Desk"}));
/// assert_eq!(data.nodes("Product").len(), 2);
/// assert!(data.nodes("Recipe").is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-16, AIWI-AMB-21.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StructuredData(BTreeMap<String, Vec<Value>>);

impl StructuredData {
    /// Files a node under a type, behind those that are there.
    pub fn push(&mut self, type_name: impl Into<String>, node: Value) {
        self.0.entry(type_name.into()).or_default().push(node);
    }

    /// Files the nodes of a type that was not there; an empty list keeps the type's name.
    pub(crate) fn file(&mut self, type_name: String, nodes: Vec<Value>) {
        self.0.insert(type_name, nodes);
    }

    /// The nodes of a type in document order; none where there is no such type.
    #[must_use]
    pub fn nodes(&self, type_name: &str) -> &[Value] {
        self.0.get(type_name).map_or(&[], Vec::as_slice)
    }

    /// The types with their nodes, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[Value])> {
        self.0.iter().map(|(name, nodes)| (name.as_str(), nodes.as_slice()))
    }

    /// Whether there is no node at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for StructuredData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, nodes)| (name, OneOrMany(nodes))))
    }
}

struct OneOrMany<'a>(&'a [Value]);

impl Serialize for OneOrMany<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            // A single array would read back as its items.
            [one] if !one.is_array() => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }
}
