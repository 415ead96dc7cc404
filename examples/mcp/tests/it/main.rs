//! The integration tests of this package as one program, so that it is linked once.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

mod duties;
mod faults;
mod gate;
mod held;
mod reading;
mod session;
mod support;
mod transports;
