//! The profile "Verified" of AIWebIndex 2.0: its requests, checked against a key set that the caller chose.

use core::fmt;

use jwk::{Algorithm, JwkSet, Thumbprint};
use web_values::UnixSeconds;

use crate::Message;
use crate::base::write_base;
use crate::identity::Coverage;
use crate::labels::{Found, SignatureFields};
use crate::params::{integer_param, text_param};
use crate::signature::{DEFAULT_SKEW_SECS, check_times};

/// Whether a request is one of the crawler with these keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum VerifiedProfile {
    /// A signature is valid and binds this much. The profile asks for [`Coverage::Request`].
    Verified(Coverage),
    /// A signature by a known key is wrong, or a field cannot be read.
    Invalid,
    /// No signature, or none by a known key.
    Unverified,
}

impl VerifiedProfile {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            VerifiedProfile::Verified(_) => "verified",
            VerifiedProfile::Invalid => "invalid",
            VerifiedProfile::Unverified => "unverified",
        }
    }

    /// How much is bound: nothing unless verified.
    #[must_use]
    pub const fn coverage(self) -> Coverage {
        match self {
            VerifiedProfile::Verified(coverage) => coverage,
            _ => Coverage::None,
        }
    }
}

impl fmt::Display for VerifiedProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())?;
        match self {
            VerifiedProfile::Verified(coverage) => write!(f, ", covering {coverage}"),
            _ => Ok(()),
        }
    }
}

/// Checks a request of an AIWebIndex crawler: a known key, named by thumbprint or `kid`; Ed25519; `created` not more
/// than a minute ahead; `expires` there and not past; every covered component there; the signature right.
///
/// Of several signatures the one that binds most counts; an invalid one does not invalidate the others.
///
/// Spec: AIWebIndex 2.0, section 6.4.1; AIWI2-ID-1 to AIWI2-ID-4, AIWI2-AMB-29 to AIWI2-AMB-32.
pub fn verify_aiwebindex_request(message: &Message<'_>, keys: &JwkSet, now: UnixSeconds) -> VerifiedProfile {
    let fields = SignatureFields::of(message);
    let Ok(labels) = fields.read() else { return VerifiedProfile::Invalid };
    let mut best = VerifiedProfile::Unverified;
    for found in labels.all() {
        best = match (best, check(message, &found, keys, now)) {
            (VerifiedProfile::Verified(one), VerifiedProfile::Verified(other)) => {
                VerifiedProfile::Verified(one.max(other))
            }
            (verified @ VerifiedProfile::Verified(_), _) | (_, verified @ VerifiedProfile::Verified(_)) => {
                verified
            }
            (VerifiedProfile::Invalid, _) | (_, VerifiedProfile::Invalid) => VerifiedProfile::Invalid,
            (VerifiedProfile::Unverified, VerifiedProfile::Unverified) => VerifiedProfile::Unverified,
        };
    }
    best
}

fn check(message: &Message<'_>, found: &Found<'_, '_>, keys: &JwkSet, now: UnixSeconds) -> VerifiedProfile {
    let Ok((list, signature)) = found.parts() else { return VerifiedProfile::Invalid };
    let Some(keyid) = text_param(&list.params, "keyid") else { return VerifiedProfile::Unverified };
    let thumbprint: Option<Thumbprint> = keyid.parse().ok();
    let by_thumbprint = thumbprint.and_then(|thumbprint| keys.with_thumbprint(thumbprint).next());
    let mut by_kid = keys.with_kid(keyid);
    let by_kid = by_kid.next().filter(|_| by_kid.next().is_none());
    let Some(key) = by_thumbprint.or(by_kid) else { return VerifiedProfile::Unverified };
    let Ok(key) = key.public_key() else { return VerifiedProfile::Invalid };
    let is_ed25519 = key.algorithm() == Algorithm::Ed25519
        && text_param(&list.params, "alg").is_none_or(|alg| alg == Algorithm::Ed25519.http_name());
    let is_timely = integer_param(&list.params, "expires").is_some()
        && check_times(list, DEFAULT_SKEW_SECS, None, now).is_ok();
    let mut base = String::new();
    let is_right = is_ed25519
        && is_timely
        && write_base(message, list, &mut base).is_ok()
        && key.verifies(base.as_bytes(), signature);
    if is_right { VerifiedProfile::Verified(Coverage::of(message, list)) } else { VerifiedProfile::Invalid }
}
