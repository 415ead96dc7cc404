//! The fingerprint value.

use core::fmt;
use sha2::{Digest, Sha256};

/// A SHA-256 digest that prints as `sha256-` and 64 lower-case hex digits.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The digest of `bytes` as they are, without normalisation: what Method A takes of the canonical JSON.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Fingerprint(Sha256::digest(bytes).into())
    }

    /// The 32 bytes of the digest.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256-")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
