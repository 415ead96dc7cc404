//! The integration tests of this package as one program, so that it is linked once.

mod answers;
mod linear;
mod manners;
mod messages;
mod modes;
mod properties;
mod urls;
mod vectors;
mod writing;
