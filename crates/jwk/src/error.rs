//! What can be wrong with a key.

use core::fmt;

/// Why a key that was read cannot be used, in the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum KeyFault {
    /// `kty` is missing or not one of a supported algorithm.
    #[cfg_attr(feature = "serde", serde(rename = "key-type"))]
    Type,
    /// `crv` is not a curve of a supported algorithm (`X25519`, `Ed448`, …).
    #[cfg_attr(feature = "serde", serde(rename = "key-curve"))]
    Curve,
    /// `use` is not `sig`.
    #[cfg_attr(feature = "serde", serde(rename = "key-use"))]
    Use,
    /// `key_ops` is present and lacks the operation.
    #[cfg_attr(feature = "serde", serde(rename = "key-ops"))]
    Ops,
    /// `alg` names another algorithm than the key is used for.
    #[cfg_attr(feature = "serde", serde(rename = "key-alg"))]
    Alg,
    /// The key material is missing, not strict base64url, of the wrong length, or not a point of the curve.
    #[cfg_attr(feature = "serde", serde(rename = "key-malformed"))]
    Malformed,
    /// The key is a point that is encoded in a non-canonical way.
    #[cfg_attr(feature = "serde", serde(rename = "key-non-canonical"))]
    NonCanonical,
    /// The key is a point of small order, for which anybody can forge signatures, or an RSA key shorter than
    /// 2,048 bits.
    #[cfg_attr(feature = "serde", serde(rename = "key-weak"))]
    Weak,
    /// The key is valid, but this build cannot verify its algorithm.
    #[cfg_attr(feature = "serde", serde(rename = "key-not-built-in"))]
    NotBuiltIn,
}

impl KeyFault {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            KeyFault::Type => "key-type",
            KeyFault::Curve => "key-curve",
            KeyFault::Use => "key-use",
            KeyFault::Ops => "key-ops",
            KeyFault::Alg => "key-alg",
            KeyFault::Malformed => "key-malformed",
            KeyFault::NonCanonical => "key-non-canonical",
            KeyFault::Weak => "key-weak",
            KeyFault::NotBuiltIn => "key-not-built-in",
        }
    }
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl core::error::Error for KeyFault {}

/// Why a key or a set of keys could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JwkError {
    kind: JwkErrorKind,
}

/// The reasons of a [`JwkError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JwkErrorKind {
    /// Not a JSON object with each member once, within 1 MiB and 128 levels.
    NotJson,
    /// A set without an array `keys`, or with an entry there that is not an object.
    NoKeys,
    /// The set does not have exactly one key, so the caller must name the key.
    NotOneKey {
        /// How many there are.
        keys: usize,
    },
    /// A private key without a name, where signatures must name it.
    NoKid,
    /// No `d` of 32 bytes.
    NoPrivateKey,
    /// `x` is not the public key of `d`.
    KeysDiffer,
    /// The key cannot be used, for this reason.
    Unusable(KeyFault),
}

impl JwkError {
    /// Why.
    #[must_use]
    pub fn kind(&self) -> JwkErrorKind {
        self.kind
    }

    /// Stable name, in kebab case; that of the fault where the key is unusable.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind {
            JwkErrorKind::NotJson => "jwk-not-json",
            JwkErrorKind::NoKeys => "no-keys",
            JwkErrorKind::NotOneKey { .. } => "not-one-key",
            JwkErrorKind::NoKid => "no-kid",
            JwkErrorKind::NoPrivateKey => "no-private-key",
            JwkErrorKind::KeysDiffer => "keys-differ",
            JwkErrorKind::Unusable(fault) => fault.code(),
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            JwkErrorKind::NotJson | JwkErrorKind::NoKeys => "WBA-DIR-1",
            JwkErrorKind::NoKid | JwkErrorKind::NotOneKey { .. } => "LLMI-SIG-4",
            JwkErrorKind::NoPrivateKey | JwkErrorKind::KeysDiffer => "SIG9421-SIGN-1",
            JwkErrorKind::Unusable(_) => "SIG9421-KEY-1",
        }
    }
}

impl From<JwkErrorKind> for JwkError {
    fn from(kind: JwkErrorKind) -> Self {
        JwkError { kind }
    }
}

impl From<KeyFault> for JwkError {
    fn from(fault: KeyFault) -> Self {
        JwkErrorKind::Unusable(fault).into()
    }
}

impl fmt::Display for JwkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            JwkErrorKind::NotJson => {
                f.write_str("expected a json object with each member once, found something else")
            }
            JwkErrorKind::NoKeys => f.write_str("expected an array `keys` of objects, found none"),
            JwkErrorKind::NotOneKey { keys } => write!(f, "expected a set of one key, found {keys}"),
            JwkErrorKind::NoKid => f.write_str("expected a private key with a `kid`, found none"),
            JwkErrorKind::NoPrivateKey => f.write_str("expected 32 bytes in `d`, found none"),
            JwkErrorKind::KeysDiffer => {
                f.write_str("expected `x` to be the public key of `d`, found another")
            }
            JwkErrorKind::Unusable(fault) => {
                write!(f, "expected a key for signatures, found one with the fault `{fault}`")
            }
        }
    }
}

impl core::error::Error for JwkError {}
