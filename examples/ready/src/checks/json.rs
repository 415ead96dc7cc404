//! JSON documents, strict. Spec: READY-GEN-7.

use tct_canonical_json::{JsonDocument, JsonKind, JsonReader, JsonValue};

const MAX_BYTES: usize = 1 << 20;

/// Reads a document; a leading byte order mark is forgiven.
pub(super) fn read(body: &[u8]) -> Option<JsonDocument<'_>> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    // Names that stand twice and numbers of any size are JSON all the same.
    let reader = JsonReader::new().max_bytes(MAX_BYTES);
    reader.report_repeated_names().report_lone_surrogates().report_huge_numbers().read(body).ok()
}

pub(super) fn is_json(text: &str) -> bool {
    read(text.as_bytes()).is_some()
}

/// What checks ask of a value.
pub(super) trait Ask<'a> {
    /// Whether this is an object.
    fn is_object(&self) -> bool;
    /// The list that a member is.
    fn list(&self, name: &str) -> Option<Vec<JsonValue<'a>>>;
    /// The text that a member is.
    fn text(&self, name: &str) -> Option<String>;
    /// Whether a member is a text.
    fn has_text(&self, name: &str) -> bool;
    /// Whether a member is a text that is not empty.
    fn says(&self, name: &str) -> bool;
    /// Whether a member is a list that is not empty.
    fn lists(&self, name: &str) -> bool;
}

impl<'a> Ask<'a> for JsonValue<'a> {
    fn is_object(&self) -> bool {
        self.kind() == JsonKind::Object
    }

    fn list(&self, name: &str) -> Option<Vec<JsonValue<'a>>> {
        let value = self.get(name).filter(|value| value.kind() == JsonKind::Array)?;
        Some(value.items().collect())
    }

    fn text(&self, name: &str) -> Option<String> {
        Some(self.get(name)?.as_str()?.into_owned())
    }

    fn has_text(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.kind() == JsonKind::String)
    }

    fn says(&self, name: &str) -> bool {
        self.text(name).is_some_and(|text| !text.is_empty())
    }

    fn lists(&self, name: &str) -> bool {
        self.list(name).is_some_and(|items| !items.is_empty())
    }
}
