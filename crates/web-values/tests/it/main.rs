//! The integration tests of this package as one program, so that it is linked once.

mod answers;
mod growth;
mod properties;
mod values;
mod words;
