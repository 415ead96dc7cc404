//! Serialisation of readings and errors: findings in the form shared by all crates, and stable codes.

use alloc::string::ToString;
use core::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use web_values::Finding as _;

use crate::convert::{Converted, LackingFacts};
use crate::error::{DocumentError, DocumentErrorKind};
use crate::finding::{DocumentFinding, DocumentFindingCode};
use crate::read::Reading;

impl Serialize for DocumentFinding {
    /// Writes the finding, as [`FindingRecord`](web_values::FindingRecord) has it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_record().serialize(serializer)
    }
}

impl Serialize for DocumentFindingCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<D: Serialize> Serialize for Reading<D> {
    /// Writes the document, or `null`, with the findings and the number of those that were not kept.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut reading = serializer.serialize_struct("Reading", 3)?;
        reading.serialize_field("document", &self.document())?;
        reading.serialize_field("findings", self.findings())?;
        reading.serialize_field("omitted", &self.omitted())?;
        reading.end()
    }
}

impl<D: Serialize> Serialize for Converted<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut converted = serializer.serialize_struct("Converted", 2)?;
        converted.serialize_field("document", &self.document)?;
        converted.serialize_field("lost", &self.lost)?;
        converted.end()
    }
}

impl Serialize for LackingFacts {
    /// Writes the pointers to the members that cannot be written.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.members().serialize(serializer)
    }
}

impl DocumentErrorKind {
    /// The stable name in kebab case, such as `duplicate-member`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DocumentErrorKind::Malformed => "malformed",
            DocumentErrorKind::DuplicateMember => "duplicate-member",
            DocumentErrorKind::TooLong => "too-long",
            DocumentErrorKind::TooDeep => "too-deep",
            DocumentErrorKind::UnsupportedVersion => "unsupported-version",
            DocumentErrorKind::Invalid => "invalid",
        }
    }
}

impl fmt::Display for DocumentErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for DocumentErrorKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for DocumentError {
    /// Writes the kind, the place, the message and the findings.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("DocumentError", 4)?;
        error.serialize_field("kind", &self.kind())?;
        error.serialize_field("offset", &self.offset())?;
        error.serialize_field("message", &self.to_string())?;
        error.serialize_field("findings", self.findings())?;
        error.end()
    }
}

#[cfg(test)]
mod tests {
    use crate::Document;
    use alloc::string::String;

    #[test]
    fn a_reading_is_stored_with_its_findings() {
        let reading = Document::read(b"{\"title\":1}", &crate::Limits::default()).unwrap();
        let json: serde_json::Value =
            serde_json::from_str(&serde_json::to_string(&reading).unwrap()).unwrap();
        assert!(json["document"].is_null());
        let codes: alloc::vec::Vec<&str> = json["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|finding| finding["code"].as_str())
            .collect();
        assert!(codes.contains(&"wrong-type") && codes.contains(&"missing"), "{codes:?}");
        let error = Document::parse(b"{\"a\":1,\"a\":2}").unwrap_err();
        let stored: String = serde_json::to_string(&error).unwrap();
        assert!(stored.starts_with("{\"kind\":\"duplicate-member\",\"offset\":7,"), "{stored}");
    }
}
