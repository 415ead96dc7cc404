//! The one key of the caller's set that a signature names.
//!
//! A set may contain keys of any kind; only the one that `kid` names is used, so keys of other types are harmless
//! (RFC 7517, section 5). A key without `kid` is never chosen.

use jwk::{JwkSet, KeyFault, PublicKey};
use url::Url;

use super::SignatureReason as Reason;
use crate::Domain;

/// The one key with this `kid`, if it is one for Ed25519 signatures under this algorithm.
pub(super) fn verification_key(set: &JwkSet, kid: &str, alg: &str) -> Result<PublicKey, Reason> {
    let mut keys = set.with_kid(kid);
    let key = keys.next().ok_or(Reason::KeyUnknown)?;
    if keys.next().is_some() {
        return Err(Reason::KeyAmbiguous);
    }
    if key.kty() != Some("OKP") {
        return Err(Reason::KeyType);
    }
    if key.crv() != Some("Ed25519") {
        return Err(Reason::KeyCurve);
    }
    Ok(key.public_key_for(alg)?)
}

impl From<KeyFault> for Reason {
    fn from(fault: KeyFault) -> Self {
        match fault {
            KeyFault::Curve => Reason::KeyCurve,
            KeyFault::Use => Reason::KeyUse,
            KeyFault::Ops => Reason::KeyOps,
            KeyFault::Alg => Reason::KeyAlg,
            KeyFault::Malformed => Reason::KeyMalformed,
            KeyFault::NonCanonical => Reason::KeyNonCanonical,
            KeyFault::Weak => Reason::KeyWeak,
            // The type of a key that this build cannot verify, or one that a later version of `jwk` adds.
            _ => Reason::KeyType,
        }
    }
}

/// A `kid` that is an https URL on the domain itself: only a hint where the publisher may keep the key. A key fetched
/// from there proves no more than the TLS connection it came over. `None` for every other `kid`.
///
/// Spec: LLMI-AMB-26.
#[must_use]
pub fn key_url_hint(kid: &str, domain: &Domain) -> Option<String> {
    let url = Url::parse(kid).ok()?;
    let is_own = url.scheme() == "https"
        && url.host_str() == Some(domain.as_str())
        && url.port().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    is_own.then(|| url.into())
}
