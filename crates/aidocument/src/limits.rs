//! Bounds on what a reader takes.

/// Bounds on the JSON text of a document.
///
/// Nothing in the reader grows faster than the text, so these two bound time and memory.
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
}

impl Limits {
    /// Deepest nesting that can be configured: reading a level takes a stack frame, and 512 of them fit into
    /// the smallest stacks that threads commonly get.
    pub const DEEPEST: usize = 512;
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_bytes: 64 << 20, max_depth: 128 }
    }
}
