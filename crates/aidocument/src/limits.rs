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
    /// Longest accepted text in bytes; 64 MiB by default. A value past [`Limits::LONGEST`] counts as that.
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

    /// Longest text that can be configured: 64 MiB. In the form in which they are kept, numbers take up to 3.8 times as much
    /// (`1e15,` becomes `1000000000000000.0,`), and what is kept has to be read again, up to [`JsonReader::LONGEST`].
    pub const LONGEST: usize = 64 << 20;

    pub(crate) fn reader(&self) -> JsonReader {
        let (bytes, depth) = (self.max_bytes.min(Limits::LONGEST), self.max_depth.min(Limits::DEEPEST));
        JsonReader::new().max_bytes(bytes).max_depth(depth)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_bytes: Limits::LONGEST, max_depth: 128, max_findings: 1_000 }
    }
}

// What was read within the limits can be read again in the form in which it is kept.
const _: () = assert!(Limits::LONGEST / 5 * 19 + 19 <= JsonReader::LONGEST);

#[cfg(test)]
mod tests {
    use tct_canonical_json::JsonErrorKind;

    use super::*;

    #[test]
    fn a_longer_limit_counts_as_the_longest() {
        let limits = Limits { max_bytes: usize::MAX, ..Limits::default() };
        let kind = |len: usize| limits.reader().read(&alloc::vec![b' '; len]).map(|_| ()).unwrap_err().kind();
        assert_eq!(kind(Limits::LONGEST + 1), JsonErrorKind::TooLarge);
        assert_ne!(kind(Limits::LONGEST), JsonErrorKind::TooLarge);
    }
}
