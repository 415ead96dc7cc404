//! The integration tests of this package as one program, so that it is linked once.

mod allocations;
mod edges;
mod errors;
mod icu;
mod linear;
mod neighbours;
mod one_pass;
mod oracles;
mod properties;
mod staged;
mod standards;
mod tables;
mod ucd;
mod vectors;
mod widths;
