//! The integration tests of this package as one program, so that it is linked once.

mod process;
mod python;
mod vectors;
