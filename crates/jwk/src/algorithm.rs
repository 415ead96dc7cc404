//! Signature algorithms: one enum for two vocabularies, that of JOSE and that of RFC 9421.

use core::fmt;

/// An algorithm that a key can be for.
///
/// A JWK names it as JOSE does (`EdDSA`, `Ed25519`, `ES256`, `PS512`, `HS256`), an HTTP message signature as RFC
/// 9421's registry does (`ed25519`, `ecdsa-p256-sha256`, …). Older key directories use the registry's names in JWKs
/// too, so both are read there.
///
/// Spec: RFC 9421, sections 3.3 and 6.2; SIG9421-ALG-1, WBA-AMB-10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Algorithm {
    /// EdDSA over edwards25519, RFC 8032.
    #[cfg_attr(feature = "serde", serde(rename = "ed25519"))]
    Ed25519,
    /// ECDSA over P-256 with SHA-256; a signature is r and s, 32 bytes each. Made and verified with the feature `p256`.
    #[cfg_attr(feature = "serde", serde(rename = "ecdsa-p256-sha256"))]
    EcdsaP256Sha256,
    /// RSASSA-PSS with SHA-512. Recognised by name; this crate cannot verify it.
    #[cfg_attr(feature = "serde", serde(rename = "rsa-pss-sha512"))]
    RsaPssSha512,
    /// HMAC with SHA-256. Recognised by name; this crate cannot compute it.
    #[cfg_attr(feature = "serde", serde(rename = "hmac-sha256"))]
    HmacSha256,
}

impl Algorithm {
    /// The name in RFC 9421's registry, such as `ed25519`.
    #[must_use]
    pub const fn http_name(self) -> &'static str {
        match self {
            Algorithm::Ed25519 => "ed25519",
            Algorithm::EcdsaP256Sha256 => "ecdsa-p256-sha256",
            Algorithm::RsaPssSha512 => "rsa-pss-sha512",
            Algorithm::HmacSha256 => "hmac-sha256",
        }
    }

    /// Reads a name of RFC 9421's registry, case-sensitively. `None` for every other text, JOSE's names included.
    #[must_use]
    pub fn from_http_name(name: &str) -> Option<Self> {
        match name {
            "ed25519" => Some(Algorithm::Ed25519),
            "ecdsa-p256-sha256" => Some(Algorithm::EcdsaP256Sha256),
            "rsa-pss-sha512" => Some(Algorithm::RsaPssSha512),
            "hmac-sha256" => Some(Algorithm::HmacSha256),
            _ => None,
        }
    }

    /// Reads the `alg` of a JWK, in either vocabulary.
    ///
    /// Spec: WBA-AMB-10.
    #[must_use]
    pub fn from_jwk_name(name: &str) -> Option<Self> {
        match name {
            "EdDSA" | "Ed25519" => Some(Algorithm::Ed25519),
            "ES256" => Some(Algorithm::EcdsaP256Sha256),
            "PS512" => Some(Algorithm::RsaPssSha512),
            "HS256" => Some(Algorithm::HmacSha256),
            _ => Algorithm::from_http_name(name),
        }
    }

    /// Returns true if this build of the crate can verify it.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        match self {
            Algorithm::Ed25519 => true,
            Algorithm::EcdsaP256Sha256 => cfg!(feature = "p256"),
            Algorithm::RsaPssSha512 | Algorithm::HmacSha256 => false,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.http_name())
    }
}
