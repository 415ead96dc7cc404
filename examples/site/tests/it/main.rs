//! The integration tests of this package as one program, so that it is linked once.

mod documents;
mod large;
mod live;
mod revisions;
mod serve;
mod signatures;
mod silence;
mod stranger;
mod support;
