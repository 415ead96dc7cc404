//! The integration tests of this package as one program, so that it is linked once.

mod allocations;
mod deviations;
mod errors;
mod growth;
mod names;
mod numbers;
mod one_fault;
mod properties;
mod published;
mod reader;
mod serialize;
mod splits;
mod stream;
mod suite;
mod support;
mod text;
mod vectors;
