//! The integration tests of this package as one program, so that it is linked once.

mod allocations;
mod answers;
mod attacks;
mod cards;
mod growth;
mod properties;
mod replays;
mod rotations;
mod second_implementation;
mod stored;
mod values;
mod verifiers;
mod words;
