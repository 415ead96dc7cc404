//! JSON-LD nodes by schema.org type.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Serialize, Serializer};
use tct_canonical_json::{JsonDocument, JsonKind, JsonReader, JsonValue, write_string};

use crate::json::{Json, JsonObject, Through, read_again, sorted_object};
use crate::write::Text;

/// JSON-LD nodes of a page, grouped by schema.org type, sorted by name.
///
/// A type with one node is written as that node, a type with several as an array in document order.
/// [`nodes`](Self::nodes) gives a list in both cases.
///
/// ```
/// use aidocument::{Json, StructuredData};
///
/// let node = |name: &str| Json::of(&serde_json::json!({ "name": name }));
/// let data = StructuredData::of([("Product".to_owned(), node("Lamp")?)]);
/// assert_eq!(data.as_str(), r#"{"Product":{"name":"Lamp"}}"#);
/// let data = StructuredData::of([("Product".to_owned(), node("Lamp")?), ("Product".to_owned(), node("Desk")?)]);
/// assert_eq!(data.nodes("Product").len(), 2);
/// assert!(data.nodes("Recipe").is_empty());
/// # Ok::<(), aidocument::DocumentError>(())
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-16, AIWI-AMB-21.
#[derive(Clone, PartialEq, Eq)]
pub struct StructuredData(Box<str>);

impl Default for StructuredData {
    fn default() -> Self {
        StructuredData("{}".into())
    }
}

impl StructuredData {
    /// Groups nodes by type; nodes of one type keep their order. `O(n log n)` in the number of types.
    ///
    /// Nodes with which the text could not be read again are left out: it has at most [`JsonReader::LONGEST`] bytes.
    #[must_use]
    pub fn of(nodes: impl IntoIterator<Item = (String, Json)>) -> Self {
        StructuredData::within(JsonReader::LONGEST, nodes)
    }

    fn within(longest: usize, nodes: impl IntoIterator<Item = (String, Json)>) -> Self {
        let mut types: BTreeMap<String, Vec<Json>> = BTreeMap::new();
        let mut room = longest.saturating_sub("{}".len());
        for (name, node) in nodes {
            // A byte of a name takes at most six, as an escape; the rest is punctuation.
            let len = 6 * name.len() + node.as_str().len() + r#""":[],"#.len();
            if let Some(left) = room.checked_sub(len) {
                room = left;
                types.entry(name).or_default().push(node);
            }
        }
        let mut text = String::from("{");
        for (name, nodes) in &types {
            if text.len() > 1 {
                text.push(',');
            }
            write_string(name, &mut text);
            text.push(':');
            match nodes.as_slice() {
                // A single array would read back as its items.
                [one] if !one.as_str().starts_with('[') => one.push_to(&mut text),
                _ => nodes.push_to(&mut text),
            }
        }
        text.push('}');
        StructuredData(text.into())
    }

    /// The object of a document; an array with one node that is not an array itself counts as the node.
    pub(crate) fn read_from(object: JsonValue<'_>) -> Self {
        let members = object.members().map(|(name, value)| {
            let mut items = value.items();
            match (items.next(), items.next()) {
                (Some(one), None) if one.kind() != JsonKind::Array => (name, one),
                _ => (name, value),
            }
        });
        StructuredData(sorted_object(members).unwrap_or_else(|| "{}".into()))
    }

    /// An object with the types' names as members, as compact text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The object, read again to look inside. `O(n)`.
    #[must_use]
    pub fn read(&self) -> JsonDocument<'_> {
        read_again(&self.0)
    }

    /// The nodes of a type in document order; none where there is no such type. `O(n)` in the size of all.
    #[must_use]
    pub fn nodes(&self, type_name: &str) -> Vec<Json> {
        let document = self.read();
        match document.root().get(type_name) {
            None => Vec::new(),
            Some(nodes) if nodes.kind() == JsonKind::Array => nodes.items().map(Json::compacted).collect(),
            Some(node) => Vec::from([Json::compacted(node)]),
        }
    }

    /// The names of the types, sorted.
    #[must_use]
    pub fn types(&self) -> Vec<String> {
        self.read().root().members().map(|(name, _)| name.as_str()).map(Cow::into_owned).collect()
    }

    /// Returns true where there is no type at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.len() == 2
    }
}

impl fmt::Debug for StructuredData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StructuredData> for JsonObject {
    fn from(data: StructuredData) -> Self {
        JsonObject(Json(data.0))
    }
}

impl Text for StructuredData {
    fn push_to(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl Serialize for StructuredData {
    /// As [`Json`] does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Through(self.read().root()).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_without_room_are_left_out() {
        let node = |text: &str| (String::from("T"), Json::parse(text.as_bytes()).unwrap());
        let nodes = [node("1"), node("\"a longer one\""), node("2")];
        let all = StructuredData::of(nodes.clone());
        assert_eq!(all.as_str(), r#"{"T":[1,"a longer one",2]}"#);
        for longest in 0..60 {
            let some = StructuredData::within(longest, nodes.clone());
            assert!(some.as_str().len() <= longest.max(2));
            let expected = match longest {
                0..=14 => "{}",
                15..=27 => r#"{"T":1}"#,
                28..=40 => r#"{"T":[1,2]}"#,
                41..=53 => r#"{"T":[1,"a longer one"]}"#,
                _ => all.as_str(),
            };
            assert_eq!(some.as_str(), expected, "{longest}");
        }
    }
}
