//! Why a signature is valid or not.

use core::fmt;

/// The result of a check, with a reason for each refusal, in the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SignatureReason {
    /// The manifest is signed by the key that `sig.kid` names.
    Valid,
    /// A member name appears twice in its object: two readers could see two manifests.
    DuplicateMember,
    /// Half a surrogate pair in a string.
    LoneSurrogate,
    /// There is no `sig`.
    SigMissing,
    /// `sig` is not an object, or one of `alg`, `kid`, `jws` is missing, empty or no string.
    SigDefective,
    /// `entity.canonical_url` names another host than the one that the manifest was fetched from.
    OriginMismatch,
    /// RFC 8785 has no form for the manifest: a number past the range of doubles.
    NoCanonicalForm,
    /// `sig.jws` does not have three parts between two dots.
    NotThreeParts,
    /// The header is not base64url, without padding, white space or stray bits.
    HeaderBase64,
    /// The header is not a JSON object, or a member appears twice in it.
    HeaderNotJson,
    /// The header has no `alg` of type string.
    AlgMissing,
    /// `alg` is `none`, in any case of its letters.
    AlgNone,
    /// `alg` is `HS256` or another MAC, whose key would be public.
    AlgSymmetric,
    /// `alg` is neither `EdDSA` nor `Ed25519`.
    AlgUnsupported,
    /// `sig.alg` is not the header's `alg`.
    AlgMismatch,
    /// The header brings its own key or a place to fetch it: `jwk`, `jku`, `x5c` or `x5u`.
    EmbeddedKey,
    /// The header has no `kid` of type string, so `sig.kid` could be changed without notice.
    KidMissing,
    /// `sig.kid` is not the header's `kid`.
    KidMismatch,
    /// `crit` is not an array of names that the header has, or names one twice.
    CritMalformed,
    /// `crit` names an extension other than `b64`.
    CritUnknown,
    /// `b64` is no boolean.
    B64Malformed,
    /// `b64` is false and `crit` does not say so (RFC 7797).
    B64NotCritical,
    /// `b64` is false and the payload is not detached.
    B64Attached,
    /// The payload is not base64url, without padding, white space or stray bits.
    PayloadBase64,
    /// The key set has no key with that `kid`. No other key is tried.
    KeyUnknown,
    /// The key set has several keys with that `kid`.
    KeyAmbiguous,
    /// The key's `kty` is not `OKP`.
    KeyType,
    /// The key's `crv` is not `Ed25519` (but `X25519`, `Ed448`, …).
    KeyCurve,
    /// The key's `use` is not `sig`.
    KeyUse,
    /// The key's `key_ops` lack `verify`.
    KeyOps,
    /// The key's `alg` is not the header's.
    KeyAlg,
    /// The key's `x` is missing, not base64url, not 32 bytes, or not a point of the curve.
    KeyMalformed,
    /// The key is a point that is encoded in a non-canonical way.
    KeyNonCanonical,
    /// The key is a point of small order, for which anybody can forge signatures.
    KeyWeak,
    /// The signature is not base64url, without padding, white space or stray bits.
    SignatureBase64,
    /// The signature is not 64 bytes.
    SignatureLength,
    /// The signature is not one of this key over this content.
    SignatureMismatch,
    /// The signed payload is not JSON that has a canonical form.
    PayloadNotJson,
    /// The signed payload is not this manifest without `sig`.
    PayloadMismatch,
    /// Reference form only: not the exact header, or not three parts.
    NotReferenceForm,
    /// Reference form only: the payload is not the digest of this manifest.
    DigestMismatch,
}

impl SignatureReason {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            SignatureReason::Valid => "valid",
            SignatureReason::DuplicateMember => "duplicate-member",
            SignatureReason::LoneSurrogate => "lone-surrogate",
            SignatureReason::SigMissing => "sig-missing",
            SignatureReason::SigDefective => "sig-defective",
            SignatureReason::OriginMismatch => "origin-mismatch",
            SignatureReason::NoCanonicalForm => "no-canonical-form",
            SignatureReason::NotThreeParts => "not-three-parts",
            SignatureReason::HeaderBase64 => "header-base64",
            SignatureReason::HeaderNotJson => "header-not-json",
            SignatureReason::AlgMissing => "alg-missing",
            SignatureReason::AlgNone => "alg-none",
            SignatureReason::AlgSymmetric => "alg-symmetric",
            SignatureReason::AlgUnsupported => "alg-unsupported",
            SignatureReason::AlgMismatch => "alg-mismatch",
            SignatureReason::EmbeddedKey => "embedded-key",
            SignatureReason::KidMissing => "kid-missing",
            SignatureReason::KidMismatch => "kid-mismatch",
            SignatureReason::CritMalformed => "crit-malformed",
            SignatureReason::CritUnknown => "crit-unknown",
            SignatureReason::B64Malformed => "b64-malformed",
            SignatureReason::B64NotCritical => "b64-not-critical",
            SignatureReason::B64Attached => "b64-attached",
            SignatureReason::PayloadBase64 => "payload-base64",
            SignatureReason::KeyUnknown => "key-unknown",
            SignatureReason::KeyAmbiguous => "key-ambiguous",
            SignatureReason::KeyType => "key-type",
            SignatureReason::KeyCurve => "key-curve",
            SignatureReason::KeyUse => "key-use",
            SignatureReason::KeyOps => "key-ops",
            SignatureReason::KeyAlg => "key-alg",
            SignatureReason::KeyMalformed => "key-malformed",
            SignatureReason::KeyNonCanonical => "key-non-canonical",
            SignatureReason::KeyWeak => "key-weak",
            SignatureReason::SignatureBase64 => "signature-base64",
            SignatureReason::SignatureLength => "signature-length",
            SignatureReason::SignatureMismatch => "signature-mismatch",
            SignatureReason::PayloadNotJson => "payload-not-json",
            SignatureReason::PayloadMismatch => "payload-mismatch",
            SignatureReason::NotReferenceForm => "not-reference-form",
            SignatureReason::DigestMismatch => "digest-mismatch",
        }
    }
}

impl fmt::Display for SignatureReason {
    /// One clause: what holds, or what was expected and what was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SignatureReason::Valid => "the manifest is signed by the key that `sig.kid` names",
            SignatureReason::DuplicateMember => "expected each member name once in an object, found one again",
            SignatureReason::LoneSurrogate => "expected text, found half a surrogate pair",
            SignatureReason::SigMissing => "expected a signature in `sig`, found none",
            SignatureReason::SigDefective => {
                "expected texts in `sig.alg`, `sig.kid` and `sig.jws`, found one missing, empty or of another type"
            }
            SignatureReason::OriginMismatch => {
                "expected the host that the manifest came from in `entity.canonical_url`, found another"
            }
            SignatureReason::NoCanonicalForm => "expected numbers that a double can hold, found a larger one",
            SignatureReason::NotThreeParts => "expected three parts between two dots in `sig.jws`",
            SignatureReason::HeaderBase64 => "expected base64url in the header of `sig.jws`, found other text",
            SignatureReason::HeaderNotJson => "expected a JSON object as header, found something else",
            SignatureReason::AlgMissing => "expected `alg` in the header, found none",
            SignatureReason::AlgNone => "expected a signature, found the algorithm `none`",
            SignatureReason::AlgSymmetric => {
                "expected a public-key algorithm, found one whose key would have to be public"
            }
            SignatureReason::AlgUnsupported => "expected the algorithm `EdDSA` or `Ed25519`, found another",
            SignatureReason::AlgMismatch => "expected the header's algorithm in `sig.alg`, found another",
            SignatureReason::EmbeddedKey => {
                "expected a header without a key, found one that contains its key or its location"
            }
            SignatureReason::KidMissing => "expected `kid` in the header, found none",
            SignatureReason::KidMismatch => "expected the header's `kid` in `sig.kid`, found another",
            SignatureReason::CritMalformed => "expected `crit` to list members of the header, found something else",
            SignatureReason::CritUnknown => "expected no extension but `b64` in `crit`, found another",
            SignatureReason::B64Malformed => "expected true or false in `b64`, found another value",
            SignatureReason::B64NotCritical => "expected `b64` in `crit`, since `b64` is false",
            SignatureReason::B64Attached => "expected no payload in `sig.jws`, since `b64` is false",
            SignatureReason::PayloadBase64 => "expected base64url in the payload of `sig.jws`, found other text",
            SignatureReason::KeyUnknown => "expected a key of that `kid` in the key set, found none",
            SignatureReason::KeyAmbiguous => "expected one key of that `kid` in the key set, found several",
            SignatureReason::KeyType => "expected a key with `kty` `OKP`, found another",
            SignatureReason::KeyCurve => "expected a key with `crv` `Ed25519`, found another",
            SignatureReason::KeyUse => "expected a key with `use` `sig`, found another",
            SignatureReason::KeyOps => "expected `verify` in the `key_ops` of the key, found none",
            SignatureReason::KeyAlg => "expected the header's algorithm in the `alg` of the key, found another",
            SignatureReason::KeyMalformed => "expected a point of the curve in the `x` of the key, found none",
            SignatureReason::KeyNonCanonical => "expected the key in canonical form, found another encoding",
            SignatureReason::KeyWeak => "expected a key of full order, found one that proves nothing",
            SignatureReason::SignatureBase64 => "expected base64url in the signature, found other text",
            SignatureReason::SignatureLength => "expected a signature of 64 bytes, found another length",
            SignatureReason::SignatureMismatch => "expected a signature of this key over this manifest, found another",
            SignatureReason::PayloadNotJson => "expected JSON with a canonical form as payload, found other bytes",
            SignatureReason::PayloadMismatch => "expected this manifest without `sig` as payload, found another",
            SignatureReason::NotReferenceForm => "expected the reference form, found another",
            SignatureReason::DigestMismatch => "expected the digest of this manifest as payload, found another",
        })
    }
}
