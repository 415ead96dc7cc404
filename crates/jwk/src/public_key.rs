//! Keys that verify signatures.

use ed25519_dalek::{Signature, VerifyingKey};

use crate::{Algorithm, JwkError, KeyFault};

/// A public key that has passed every check, and the one algorithm that it is for.
///
/// An Ed25519 key is a canonically encoded point that is not of small order.
///
/// Spec: SIG9421-ALG-1, SIG9421-ALG-2, SIG9421-KEY-1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Ed25519(VerifyingKey),
    #[cfg(feature = "p256")]
    P256(p256::ecdsa::VerifyingKey),
}

impl PublicKey {
    /// Reads the 32 bytes of an Ed25519 key, as RFC 8032 writes them.
    ///
    /// # Errors
    /// [`Unusable`](crate::JwkErrorKind::Unusable) with the fault `Malformed`, `NonCanonical` or `Weak`.
    pub fn from_ed25519_bytes(bytes: &[u8; 32]) -> Result<Self, JwkError> {
        Ok(Self::ed25519(bytes)?)
    }

    /// The algorithm that this key is for. A message cannot choose another.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match &self.0 {
            Kind::Ed25519(_) => Algorithm::Ed25519,
            #[cfg(feature = "p256")]
            Kind::P256(_) => Algorithm::EcdsaP256Sha256,
        }
    }

    /// Returns true if `signature` is one of this key over `message`.
    ///
    /// Ed25519 is verified strictly: 64 bytes, no point of small order, no second spelling of point or scalar.
    /// ECDSA signatures are r and s, 32 bytes each; DER is not read.
    ///
    /// Spec: RFC 8032, section 5.1.7; RFC 9421, sections 3.3.4 and 3.3.6; SIG9421-ALG-2, SIG9421-ALG-3.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.0 {
            Kind::Ed25519(key) => Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(message, &signature).is_ok()),
            #[cfg(feature = "p256")]
            Kind::P256(key) => {
                use p256::ecdsa::signature::Verifier as _;
                p256::ecdsa::Signature::from_slice(signature)
                    .is_ok_and(|signature| key.verify(message, &signature).is_ok())
            }
        }
    }

    pub(crate) fn ed25519(bytes: &[u8; 32]) -> Result<Self, KeyFault> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| KeyFault::Malformed)?;
        if key.to_edwards().compress().as_bytes() != bytes {
            return Err(KeyFault::NonCanonical);
        }
        if key.is_weak() {
            return Err(KeyFault::Weak);
        }
        Ok(PublicKey(Kind::Ed25519(key)))
    }

    #[cfg(feature = "p256")]
    pub(crate) fn p256(x: &[u8; 32], y: &[u8; 32]) -> Result<Self, KeyFault> {
        let mut point = [4; 65];
        let (_, coordinates) = point.split_at_mut(1);
        let (left, right) = coordinates.split_at_mut(32);
        left.copy_from_slice(x);
        right.copy_from_slice(y);
        let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&point).map_err(|_| KeyFault::Malformed)?;
        Ok(PublicKey(Kind::P256(key)))
    }
}
