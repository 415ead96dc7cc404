//! Documents with a few edits: texts that are neither refused at the first byte nor always valid.
#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use proptest::prelude::*;

/// A text with up to three edits: a few bytes gone, a piece of JSON in their place.
pub(crate) fn damaged(texts: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&str; 14] =
        ["\"", "\\", "{", "}", "[", "]", ",", ":", "null", "1e400", "\u{1}", "é", "0", "\"title\":\"x\","];
    let edit = (any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(&PIECES[..]));
    (texts, prop::collection::vec(edit, 0..4)).prop_map(|(text, edits)| {
        let mut json = text.into_bytes();
        for (at, gone, piece) in edits {
            let at = at.index(json.len());
            json.splice(at..(at + gone).min(json.len()), piece.bytes());
        }
        json
    })
}

/// How many of 200 inputs pass: a strategy whose inputs are all refused at once tests nothing.
pub(crate) fn share<T: std::fmt::Debug>(
    strategy: impl Strategy<Value = T>,
    passes: impl Fn(T) -> bool,
) -> usize {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    (0..200).filter(|_| passes(strategy.new_tree(&mut runner).unwrap().current())).count()
}
