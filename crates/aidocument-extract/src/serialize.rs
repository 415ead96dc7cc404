//! Serialisation of results: the feature `serde`.
//!
//! Content, comments and metadata are objects with the names of their fields. A finding has the shape that all crates of
//! this workspace share, [`web_values::FindingRecord`].

use serde::ser::{Serialize, Serializer};
use web_values::Finding as _;

use crate::finding::{ExtractFinding, ExtractFindingKind};
use crate::meta::{MetadataSource, PageDate, TextDirection};

impl Serialize for ExtractFinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_record().serialize(serializer)
    }
}

impl Serialize for ExtractFindingKind {
    /// The text of [`ExtractFindingKind::code`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl Serialize for MetadataSource {
    /// The text of [`MetadataSource::as_str`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for PageDate {
    /// The text of `Display`, such as `2026-05-10` or `2026-05-10T12:34:56+02:00`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for TextDirection {
    /// `ltr` or `rtl`, as HTML's attribute `dir` has it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
