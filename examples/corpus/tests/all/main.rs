//! All tests in one program: each program that holds the engine is a quarter of a gigabyte large.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a failed test may panic")]

mod cluster;
mod functions;
mod jobs;
