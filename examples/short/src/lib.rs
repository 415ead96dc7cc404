//! One short program for each common task: see `examples/`, and the README for how to run each.
//!
//! Each is a file on its own, to be copied; this library is empty. `tests/it/run.rs` runs them all.
