#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    feature = "fast-tables",
    allow(clippy::needless_borrow, reason = "the small tables give texts by value")
)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod etag;
#[cfg(any(test, feature = "fast-tables"))]
mod fast;
mod fingerprint;
mod hash;
mod invariant;
mod kernel;
mod lanes;
mod out;
mod references;
#[cfg(any(test, not(feature = "fast-tables")))]
mod small;
mod steps;
mod table;
mod text;
mod unicode;
mod utf8;

pub use etag::{EtagError, EtagErrorKind, EtagSuffix, LenientEtag, StrongEtag};
pub use fingerprint::{Fingerprint, FingerprintError, FingerprintErrorKind};
pub use steps::{Step, Steps};
#[doc(hidden)]
pub use text::widths;
pub use text::{Fingerprinter, fingerprint, fingerprint_utf8, normalize, normalize_utf8, write_normalized};
pub use utf8::{Utf8Error, Utf8ErrorKind, Utf8Fingerprinter};

/// The Unicode version of normalisation and case folding: 18.0.
///
/// The specification names no version. Texts of characters that were assigned long ago have the same fingerprint in
/// all of them; a newer character may not.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-3, TCT-FP-4, TCT-AMB-9.
pub const UNICODE_VERSION: (u8, u8, u8) = (18, 0, 0);

#[doc = include_str!("../docs/when-not.md")]
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-11.
pub mod when_not {}

#[cfg(test)]
mod tests;
