//! The integration tests of this package as one program, so that it is linked once.

mod build;
mod commands;
mod network;
mod static_site;
