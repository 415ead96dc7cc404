//! The integration tests of this package as one program, so that it is linked once.

mod about;
mod extractor;
mod floors;
mod formulas_and_notes;
mod hidden;
mod hostile;
mod markdown;
mod metadata;
mod no_markup;
mod outline;
mod pages;
mod properties;
mod readback;
mod seen;
mod structure;
mod vectors;
