//! Serialisation of results: the feature `serde`.
//!
//! A finding is written as the shape that all crates of this workspace share, [`web_values::FindingRecord`], and is
//! read back as one. Nothing here has a map with keys that are not strings.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use web_values::Finding as _;

use crate::secret::Suspicion;
use crate::{Code, FeedSummary, FindingCount, LlmindexTextError, ManifestFinding, RateLimit, Report};

impl Serialize for Code {
    /// The text of [`Code::as_str`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for ManifestFinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_record().serialize(serializer)
    }
}

impl Serialize for Report {
    /// `{"valid": bool, "findings": [...]}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("Report", 2)?;
        report.serialize_field("valid", &self.is_valid())?;
        report.serialize_field("findings", self.findings())?;
        report.end()
    }
}

impl Serialize for FeedSummary {
    /// `{"valid": bool, "products": n, "bad_lines": n, "counts": [...], "findings": [...]}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut summary = serializer.serialize_struct("FeedSummary", 5)?;
        summary.serialize_field("valid", &self.is_valid())?;
        summary.serialize_field("products", &self.products())?;
        summary.serialize_field("bad_lines", &self.bad_lines())?;
        summary.serialize_field("counts", &self.counts().collect::<alloc::vec::Vec<FindingCount>>())?;
        summary.serialize_field("findings", self.findings())?;
        summary.end()
    }
}

impl Serialize for LlmindexTextError {
    /// `{"kind": "...", "offset": n, "requirement": "...", "message": "..."}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("LlmindexTextError", 4)?;
        error.serialize_field("kind", &self.kind())?;
        error.serialize_field("offset", &self.offset())?;
        error.serialize_field("requirement", self.requirement())?;
        error.serialize_field("message", &alloc::format!("{self}"))?;
        error.end()
    }
}

impl Serialize for RateLimit {
    /// The member's text, such as `500/day`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Suspicion {
    /// The reason in words, without any part of the text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
