//! Limits of readers.

use tct_canonical_json::JsonReader;

/// Bounds on the JSON text of a document.
///
/// Time grows in proportion to the text. Memory is at most eight bytes for each byte of it, beside the findings.
///
/// ```
/// use aidocument::Limits;
///
/// let limits = Limits { max_bytes: 1 << 20, ..Limits::default() };
/// assert_eq!(limits.max_depth, 128);
/// ```
///
/// Spec: AIWebIndex 1.0 leaves reader limits open; AIWI-AMB-42.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest accepted text in bytes; 64 MiB by default.
    pub max_bytes: usize,
    /// Deepest accepted nesting of arrays and objects, the document's own object being 1; 128 by default.
    /// A value past [`Limits::DEEPEST`] counts as that.
    pub max_depth: usize,
    /// Errors that are kept, and warnings that are kept; 1,000 of each by default. Further ones are counted, and the
    /// first error is always kept.
    pub max_findings: usize,
}

impl Limits {
    /// Deepest nesting that can be configured. Reading uses no stack for nesting; writing a document through serde
    /// takes a stack frame for each level, and 512 of them fit into common thread stacks.
    pub const DEEPEST: usize = 512;
}

impl Limits {
    pub(crate) fn reader(&self) -> JsonReader {
        JsonReader::new().max_bytes(self.max_bytes).max_depth(self.max_depth.min(Limits::DEEPEST))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_bytes: 64 << 20, max_depth: 128, max_findings: 1_000 }
    }
}
