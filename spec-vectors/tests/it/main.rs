//! The integration tests of this package as one program, so that it is linked once.

mod coverage;
mod data;
mod operations;
mod report;
mod runner;
