//! What a function gives back for a batch.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, LargeStringArray, NullBufferBuilder, OffsetBufferBuilder};
use datafusion::arrow::buffer::Buffer;
use datafusion::error::Result;

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

/// Where the texts of an answer begin and end in the one buffer that a kernel writes them into.
pub(super) struct Cuts {
    offsets: OffsetBufferBuilder<i64>,
    nulls: NullBufferBuilder,
    end: usize,
    bad: u64,
}

impl Cuts {
    pub(super) fn with_capacity(rows: usize) -> Self {
        Cuts { offsets: OffsetBufferBuilder::new(rows), nulls: NullBufferBuilder::new(rows), end: 0, bad: 0 }
    }

    /// Ends a row's text where the buffer ends now.
    pub(super) fn text(&mut self, buffer_len: usize) {
        self.offsets.push_length(buffer_len - self.end);
        self.nulls.append_non_null();
        self.end = buffer_len;
    }

    /// A row without a text, for which the buffer has not grown.
    pub(super) fn null(&mut self) {
        self.offsets.push_length(0);
        self.nulls.append_null();
    }

    /// The same for a row that could not be answered.
    pub(super) fn bad(&mut self) {
        self.null();
        self.bad += 1;
    }

    /// The column of texts that are cut out of the buffer, which is UTF-8.
    pub(super) fn finish(self, buffer: Vec<u8>) -> Result<Answer> {
        let (offsets, nulls) = (self.offsets.finish(), self.nulls.build());
        let texts = LargeStringArray::try_new(offsets, Buffer::from_vec(buffer), nulls)?;
        Ok(Answer::new(texts, self.bad))
    }
}
