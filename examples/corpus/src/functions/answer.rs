//! What a function gives back for a batch.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, LargeStringBuilder};

/// One value a row, and how many rows without a null argument could not be answered.
pub(super) struct Answer {
    pub(super) array: ArrayRef,
    pub(super) bad: u64,
}

impl Answer {
    pub(super) fn new(array: impl Array + 'static, bad: u64) -> Self {
        Answer { array: Arc::new(array), bad }
    }
}

/// A column of texts that are written into one buffer, row after row.
///
/// The builder is a [`std::fmt::Write`]: what it takes is text already, so the column needs no check of its bytes.
pub(super) struct TextColumn {
    builder: LargeStringBuilder,
    bad: u64,
}

impl TextColumn {
    pub(super) fn with_capacity(rows: usize, bytes: usize) -> Self {
        TextColumn { builder: LargeStringBuilder::with_capacity(rows, bytes), bad: 0 }
    }

    /// A row with the text that `write` writes, or a bad row where it fails.
    pub(super) fn row<E>(&mut self, write: impl FnOnce(&mut LargeStringBuilder) -> Result<(), E>) {
        match write(&mut self.builder) {
            // Ends the row: what was written before belongs to it.
            Ok(()) => self.builder.append_value(""),
            // What it wrote before it failed stays hidden behind the null.
            Err(_) => self.bad(),
        }
    }

    /// A row without a text.
    pub(super) fn null(&mut self) {
        self.builder.append_null();
    }

    /// The same for a row that could not be answered.
    pub(super) fn bad(&mut self) {
        self.null();
        self.bad += 1;
    }

    pub(super) fn finish(mut self) -> Answer {
        Answer::new(self.builder.finish(), self.bad)
    }
}
