//! TCT content fingerprints.
#![no_std]

mod fingerprint;

pub use fingerprint::Fingerprint;
