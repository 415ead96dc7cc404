//! Public functions that take text or bytes, with the bounds that they keep.

mod crawlers;
mod documents;
mod hashes;
mod index;
mod json;
mod keys;
mod robots;
mod sessions;
mod tct;
mod values;

use crate::run::Case;

/// A function under test.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub library: &'static str,
    pub name: &'static str,
    /// Heap, over what there was before.
    pub memory: Bound,
    /// Text in the answer.
    pub output: Bound,
    /// Calls it; the bytes of text in its answer.
    pub run: fn(&Case) -> usize,
}

/// So many bytes for each byte of input, and so many more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub per_byte: u64,
    pub base: u64,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Function> {
    [
        values::FUNCTIONS,
        json::FUNCTIONS,
        hashes::FUNCTIONS,
        tct::FUNCTIONS,
        keys::FUNCTIONS,
        crawlers::FUNCTIONS,
        robots::FUNCTIONS,
        index::FUNCTIONS,
        documents::FUNCTIONS,
        sessions::FUNCTIONS,
    ]
    .concat()
}

/// A row: library, function, memory and output as bytes a byte and bytes on top, the call.
const fn row(
    library: &'static str,
    name: &'static str,
    memory: (u64, u64),
    output: (u64, u64),
    run: fn(&Case) -> usize,
) -> Function {
    Function {
        library,
        name,
        memory: Bound { per_byte: memory.0, base: memory.1 },
        output: Bound { per_byte: output.0, base: output.1 },
        run,
    }
}

/// Whether a call succeeded, as no output.
fn nothing<T>(_answer: T) -> usize {
    0
}
