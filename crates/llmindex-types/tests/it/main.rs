//! The integration tests of this package as one program, so that it is linked once.

mod answers;
mod delta;
mod differential;
mod edges;
mod hostile;
mod messages;
mod outcomes;
mod pages;
mod properties;
mod publishing;
mod reference_schema;
mod secrets;
mod stored;
mod values;
mod vectors;
