//! The integration tests of this package as one program, so that it is linked once.

mod curl;
mod nginx;
mod process;
mod roundtrip;
