//! The integration tests of this package as one program, so that it is linked once.

mod answers;
mod growth;
mod licences;
mod properties;
mod strict;
mod table;
mod vectors;
