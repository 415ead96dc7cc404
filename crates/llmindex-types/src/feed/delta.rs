//! Delta feeds: changes that are applied to a held feed.
//!
//! llmindex 0.2 defines a feed of changed products only, `feeds.products_jsonl_delta`: its URL has the start
//! (`?since=2026-02-21T00:00:00Z`), `feed_updated_at` is the end. The specification does not define its content; this
//! crate reads and writes:
//!
//! - A line is a whole product. It replaces the held product of the same `id`, or is added.
//! - A line with `"deleted": true` removes the held product of its `id`; beside it only `updated_at` is needed.
//! - Of several lines about one `id`, the one with the latest `updated_at` counts, and of equal ones the last.
//! - A held product with a later `updated_at` than the delta's line stays as it is.
//! - The delta must begin at or before the held state and not end before it: a later start leaves a gap, and an
//!   earlier end would bring back deleted products. Both are refused before a line is read.
//!
//! ```text
//! manifest       ─DeltaBase::of_manifest─▶ since, until
//! delta's chunks ─DeltaReader::next_line─▶ DeltaLine …  ─finish─▶ FeedDelta
//! held chunks    ─HeldLines::next_line───▶ lines that stay …
//! delta's chunks ─ChangedLines::next_line▶ lines that are new …  ─finish─▶ DeltaSummary
//! ```
//!
//! The delta is read twice and the held feed once, both in chunks. Lines that stay keep their order; the changed
//! products follow in the order of the delta. Applying a delta to its own result changes nothing.
//!
//! # Memory
//!
//! One line at most of either feed, and for each identifier *of the delta* 46 to 92 bytes, up to 138 for the moment in
//! which the table doubles; nothing for the identifiers of the held feed. [`FeedOptions::max_ids`] is the bound.

mod apply;
mod base;
mod reader;
mod writer;

pub use apply::{ChangedLines, DeltaSummary, HeldLines};
pub use base::{DeltaBase, DeltaError, DeltaErrorKind};
pub use reader::{DeltaChange, DeltaLine, DeltaReader, FeedDelta};
pub use writer::DeltaWriter;
