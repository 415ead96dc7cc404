//! The integration tests of this package as one program, so that it is linked once.

mod frontier;
mod kill;
mod manners;
mod permissions;
mod plugin;
mod revisions;
mod signed;
mod site;
mod store;
mod support;
mod twins;
mod waiting;
