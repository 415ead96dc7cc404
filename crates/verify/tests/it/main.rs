//! The integration tests of this package as one program, so that it is linked once.

mod answers;
mod messages;
mod properties;
mod second_implementation;
mod vectors;
