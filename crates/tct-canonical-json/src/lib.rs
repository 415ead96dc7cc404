//! Canonical JSON: one document, one sequence of bytes.
#![cfg_attr(not(any(feature = "std", test)), no_std)]

extern crate alloc;

use alloc::vec::Vec;

mod arrange;
mod canonicalizer;
mod check;
mod error;
mod number;
mod profile;
mod scan;
#[cfg(feature = "serde")]
pub mod serialize;
mod sink;
mod string;
mod text;
#[cfg(feature = "serde_json")]
pub mod value;
mod writer;

pub use canonicalizer::Canonicalizer;
pub use check::{Deviation, DeviationKind};
pub use error::{CanonicalJsonError, CanonicalJsonErrorKind};
pub use profile::Profile;
#[cfg(feature = "std")]
pub use sink::IoSink;
pub use sink::{FmtSink, Sink, WriteError};

/// The canonical form of one JSON document, with the default limits.
///
/// # Errors
/// A text that is not JSON or holds what JSON leaves open: see [`CanonicalJsonErrorKind`].
pub fn to_canonical(json: &[u8], profile: Profile) -> Result<Vec<u8>, CanonicalJsonError> {
    Canonicalizer::new(profile).to_canonical(json)
}

/// Appends the canonical form of one JSON document to `out`, with the default limits.
///
/// # Errors
/// As [`to_canonical`]; then `out` is as it was.
pub fn write_canonical(json: &[u8], profile: Profile, out: &mut Vec<u8>) -> Result<(), CanonicalJsonError> {
    Canonicalizer::new(profile).write_canonical(json, out)
}

/// Where `json` is not its own canonical form, or `None` where it is. Uses no heap.
pub fn check_canonical(json: &[u8], profile: Profile) -> Option<Deviation> {
    Canonicalizer::new(profile).check_canonical(json)
}

/// Whether `json` is its own canonical form. Uses no heap.
#[must_use]
pub fn is_canonical(json: &[u8], profile: Profile) -> bool {
    check_canonical(json, profile).is_none()
}

/// Whether both profiles give the document the same bytes.
///
/// They differ only on objects with a name beyond the Basic Multilingual Plane beside one from U+E000 to U+FFFF.
///
/// # Errors
/// As [`to_canonical`].
///
/// Spec: TCT-AMB-6.
pub fn profiles_agree(json: &[u8]) -> Result<bool, CanonicalJsonError> {
    Ok(is_canonical(&to_canonical(json, Profile::Tct)?, Profile::Rfc8785))
}
