//! Writing a delta.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::json::JsonWriter;
use web_values::Timestamp;

use crate::{FeedWriter, LlmindexBuildError, Product};

/// Writes a delta: changed products, and deletions. Each identifier comes once.
///
/// ```
/// use llmindex_types::{DeltaWriter, web_values::Timestamp};
/// let mut delta = Vec::new();
/// let mut writer = DeltaWriter::new([7; 16]);
/// writer.delete("P3", Timestamp::parse("2026-02-21T09:00:00Z").unwrap(), &mut delta).unwrap();
/// assert_eq!(delta, b"{\"id\":\"P3\",\"deleted\":true,\"updated_at\":\"2026-02-21T09:00:00Z\"}\n");
/// ```
///
/// Spec: llmindex 0.2, "feeds.products_jsonl_delta"; LLMI-V02-4.
#[derive(Debug, Clone)]
pub struct DeltaWriter(FeedWriter);

impl DeltaWriter {
    /// A writer at the start of a delta. `id_key` keys the hashes that stand for the identifiers; see
    /// [`FeedReader::new`](crate::FeedReader::new).
    #[must_use]
    pub fn new(id_key: [u8; 16]) -> Self {
        DeltaWriter(FeedWriter::new(id_key))
    }

    /// Appends a product that is new or has changed, as [`FeedWriter::write`].
    ///
    /// # Errors
    /// Those of [`FeedWriter::write`].
    pub fn put(&mut self, product: &Product, out: &mut Vec<u8>) -> Result<(), LlmindexBuildError> {
        self.0.write(product, out)
    }

    /// Appends the deletion of the product of this identifier, which was deleted at `updated_at`.
    ///
    /// # Errors
    /// [`LlmindexBuildError`] if the identifier is empty, or was written before; `out` is left as it was.
    pub fn delete(
        &mut self,
        id: &str,
        updated_at: Timestamp,
        out: &mut Vec<u8>,
    ) -> Result<(), LlmindexBuildError> {
        let mut line = JsonWriter::one_line();
        line.open(None, '{');
        line.string(Some("id"), id);
        line.raw(Some("deleted"), "true");
        line.string(Some("updated_at"), &updated_at.spelled().to_string());
        line.close('}');
        self.0.write_line(&line.finish(), id, true, out)
    }
}
