//! The integration tests of this package as one program, so that it is linked once.

mod answers;
mod damage;
mod members;
mod memory;
mod plain;
mod properties;
mod read;
mod v2;
mod vectors;
