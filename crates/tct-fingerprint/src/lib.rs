//! TCT content fingerprints.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod etag;
mod fingerprint;
mod kernel;
mod lanes;
mod references;
mod steps;
mod table;
mod text;
mod utf8;

pub use etag::{EtagError, EtagErrorKind, EtagSuffix, LenientEtag, StrongEtag};
pub use fingerprint::{Fingerprint, FingerprintError, FingerprintErrorKind};
pub use steps::{Step, Steps};
pub use text::{
    Fingerprinter, Normalizer, fingerprint, fingerprint_all, fingerprint_utf8, normalize, normalize_utf8,
};
pub use utf8::{Utf8Error, Utf8ErrorKind, Utf8Fingerprinter, Utf8Normalizer};

/// The Unicode version of normalisation and case folding: 18.0.
pub const UNICODE_VERSION: (u8, u8, u8) = (18, 0, 0);
