//! The integration tests of this package as one program, so that it is linked once.

mod demo;
mod duties;
mod edits;
mod process;
mod scale;
