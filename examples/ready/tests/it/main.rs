//! Checks from the outside, where the published cases do not reach: bodies that are too large for them.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

mod level;
mod limits;
mod listed;
