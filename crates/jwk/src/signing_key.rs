//! A private key, which signs.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use ed25519_dalek::Signer as _;
use tct_canonical_json::write_string;

use crate::json::{decode, encode, object};
use crate::key::Operation;
use crate::{Algorithm, Jwk, JwkError, JwkErrorKind, KeyFault, MAX_SET_BYTES, PublicKey, Thumbprint};

/// A private key, Ed25519 or with the feature `p256` ECDSA P-256, with the name that its signatures use.
///
/// `Debug` does not print the key, and it is wiped when dropped.
#[derive(Clone)]
pub struct SigningKey {
    key: Secret,
    kid: Option<Box<str>>,
    alg: &'static str,
}

#[derive(Clone)]
enum Secret {
    Ed25519(ed25519_dalek::SigningKey),
    #[cfg(feature = "p256")]
    P256(p256::ecdsa::SigningKey),
}

impl SigningKey {
    /// Reads a private JWK: `kty`, `crv`, `d`, and the public members (`x`, of P-256 also `y`) that belong to it. `kid` is
    /// kept where it is a text that is not empty. The JOSE name of the algorithm is `Ed25519` where the JWK says so,
    /// `EdDSA` otherwise, and `ES256` for P-256.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson), [`NoPrivateKey`](JwkErrorKind::NoPrivateKey),
    /// [`KeysDiffer`](JwkErrorKind::KeysDiffer), and [`Unusable`](JwkErrorKind::Unusable) with the fault: without the
    /// feature `p256`, a key of P-256 has the fault [`NotBuiltIn`](KeyFault::NotBuiltIn).
    ///
    /// Spec: SIG9421-SIGN-1.
    pub fn from_jwk(json: &[u8]) -> Result<Self, JwkError> {
        let document = object(json, MAX_SET_BYTES).ok_or(JwkErrorKind::NotJson)?;
        let members = document.root();
        let jwk = Jwk::of_object(&members);
        let is_p256 = match (jwk.kty(), jwk.crv()) {
            (Some("OKP"), Some("Ed25519")) => false,
            (Some("EC"), Some("P-256")) => true,
            (Some("OKP" | "EC"), _) => return Err(KeyFault::Curve.into()),
            _ => return Err(KeyFault::Type.into()),
        };
        jwk.check_purpose(Operation::Sign)?;
        jwk.algorithm()?;
        let bytes = |name| -> Option<[u8; 32]> { decode(&members.get(name)?.as_str()?)?.try_into().ok() };
        let public = bytes("x").ok_or(KeyFault::Malformed)?;
        let kid = jwk.kid().filter(|kid| !kid.is_empty()).map(Box::from);
        if is_p256 {
            let y = bytes("y").ok_or(KeyFault::Malformed)?;
            return Self::of_p256_members(&public, &y, bytes("d"), kid);
        }
        PublicKey::ed25519(&public)?;
        let secret = bytes("d").ok_or(JwkErrorKind::NoPrivateKey)?;
        let key = ed25519_dalek::SigningKey::from_bytes(&secret);
        if *key.verifying_key().as_bytes() != public {
            return Err(JwkErrorKind::KeysDiffer.into());
        }
        let alg = if jwk.alg() == Some("Ed25519") { "Ed25519" } else { "EdDSA" };
        Ok(SigningKey { key: Secret::Ed25519(key), kid, alg })
    }

    #[cfg(feature = "p256")]
    fn of_p256_members(
        x: &[u8; 32],
        y: &[u8; 32],
        secret: Option<[u8; 32]>,
        kid: Option<Box<str>>,
    ) -> Result<Self, JwkError> {
        PublicKey::p256(x, y)?;
        let key = Self::from_p256_secret(&secret.ok_or(JwkErrorKind::NoPrivateKey)?)?;
        match &key.key {
            Secret::P256(own) if p256_coordinates(own) == (*x, *y) => Ok(SigningKey { kid, ..key }),
            _ => Err(JwkErrorKind::KeysDiffer.into()),
        }
    }

    #[cfg(not(feature = "p256"))]
    fn of_p256_members(
        _x: &[u8; 32],
        _y: &[u8; 32],
        _secret: Option<[u8; 32]>,
        _kid: Option<Box<str>>,
    ) -> Result<Self, JwkError> {
        Err(KeyFault::NotBuiltIn.into())
    }

    /// The key with these 32 bytes as its secret (RFC 8032). For a new key, pass fresh bytes of a cryptographic
    /// generator. It has no `kid`; its [thumbprint](SigningKey::thumbprint) names it.
    #[must_use]
    pub fn from_secret(secret: &[u8; 32]) -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(secret);
        SigningKey { key: Secret::Ed25519(key), kid: None, alg: "EdDSA" }
    }

    /// The P-256 key with these 32 bytes as its secret, a big-endian number. For a new key, pass fresh bytes of a
    /// cryptographic generator.
    ///
    /// # Errors
    /// [`Unusable`](JwkErrorKind::Unusable) with the fault `Malformed` for zero and for numbers that are not below the
    /// order of the curve: with random bytes one in 2^32.
    ///
    /// Spec: RFC 9421, section 3.3.4; SIG9421-ALG-3.
    #[cfg(feature = "p256")]
    pub fn from_p256_secret(secret: &[u8; 32]) -> Result<Self, JwkError> {
        let key = p256::ecdsa::SigningKey::from_slice(secret).map_err(|_| KeyFault::Malformed)?;
        Ok(SigningKey { key: Secret::P256(key), kid: None, alg: "ES256" })
    }

    /// The algorithm of its signatures.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match &self.key {
            Secret::Ed25519(_) => Algorithm::Ed25519,
            #[cfg(feature = "p256")]
            Secret::P256(_) => Algorithm::EcdsaP256Sha256,
        }
    }

    /// The same key under this `kid`; an empty one counts as no name.
    #[must_use]
    pub fn with_kid(mut self, kid: &str) -> Self {
        self.kid = if kid.is_empty() { None } else { Some(kid.into()) };
        self
    }

    /// The private JWK, which [`from_jwk`](SigningKey::from_jwk) reads: a secret, to be kept as one. Its members are
    /// sorted by name.
    #[must_use]
    pub fn to_private_jwk(&self) -> String {
        let secret = match &self.key {
            Secret::Ed25519(key) => encode(&key.to_bytes()),
            #[cfg(feature = "p256")]
            Secret::P256(key) => encode(&key.to_bytes()),
        };
        self.jwk(Some(&secret), self.kid.as_deref())
    }

    /// The public JWK under the key's own `kid`, or its thumbprint where it has none.
    #[must_use]
    pub fn to_public_jwk(&self) -> String {
        match self.kid() {
            Some(kid) => self.jwk(None, Some(kid)),
            None => self.to_directory_jwk(),
        }
    }

    /// The public JWK with the thumbprint as `kid`, as key directories want it.
    ///
    /// Spec: WBA-DIR-4, WBA-DIR-8.
    #[must_use]
    pub fn to_directory_jwk(&self) -> String {
        self.jwk(None, Some(&format!("{}", self.thumbprint())))
    }

    /// A JWK Set with the public key alone: what a publisher hands out, and what [`JwkSet::parse`] reads.
    ///
    /// [`JwkSet::parse`]: crate::JwkSet::parse
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-SIG-4.
    #[must_use]
    pub fn to_public_jwk_set(&self) -> String {
        format!(r#"{{"keys":[{}]}}"#, self.to_public_jwk())
    }

    fn jwk(&self, secret: Option<&str>, kid: Option<&str>) -> String {
        let secret = secret.map(|d| format!(r#""d":"{d}","#)).unwrap_or_default();
        let kid = kid.map(|kid| format!(r#""kid":{},"#, json_string(kid))).unwrap_or_default();
        let alg = self.alg;
        match &self.key {
            Secret::Ed25519(key) => {
                let x = encode(key.verifying_key().as_bytes());
                format!(r#"{{"alg":"{alg}","crv":"Ed25519",{secret}{kid}"kty":"OKP","use":"sig","x":"{x}"}}"#)
            }
            #[cfg(feature = "p256")]
            Secret::P256(key) => {
                let (x, y) = p256_coordinates(key);
                let (x, y) = (encode(&x), encode(&y));
                format!(
                    r#"{{"alg":"{alg}","crv":"P-256",{secret}{kid}"kty":"EC","use":"sig","x":"{x}","y":"{y}"}}"#
                )
            }
        }
    }

    /// The name of the key, if it has one.
    #[must_use]
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// JOSE's name of the algorithm: `EdDSA`, `Ed25519` or `ES256`.
    #[must_use]
    pub fn alg(&self) -> &'static str {
        self.alg
    }

    /// The thumbprint of the public key.
    ///
    /// Spec: SIG9421-KEY-2.
    #[must_use]
    pub fn thumbprint(&self) -> Thumbprint {
        match &self.key {
            Secret::Ed25519(key) => {
                let x = encode(key.verifying_key().as_bytes());
                Thumbprint::of(&[("crv", "Ed25519"), ("kty", "OKP"), ("x", &x)])
            }
            #[cfg(feature = "p256")]
            Secret::P256(key) => {
                let (x, y) = p256_coordinates(key);
                let (x, y) = (encode(&x), encode(&y));
                Thumbprint::of(&[("crv", "P-256"), ("kty", "EC"), ("x", &x), ("y", &y)])
            }
        }
    }

    /// The 64 bytes of the signature over `message`: Ed25519, or ECDSA with SHA-256 as r and s, made without random
    /// numbers (RFC 6979).
    ///
    /// Spec: RFC 8032, section 5.1.6; RFC 9421, section 3.3.4; SIG9421-ALG-2, SIG9421-ALG-3.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        match &self.key {
            Secret::Ed25519(key) => key.sign(message).to_bytes(),
            #[cfg(feature = "p256")]
            Secret::P256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(message);
                signature.to_bytes().into()
            }
        }
    }
}

/// The two coordinates of the public key.
#[cfg(feature = "p256")]
fn p256_coordinates(key: &p256::ecdsa::SigningKey) -> ([u8; 32], [u8; 32]) {
    let point = key.verifying_key().to_sec1_point(false);
    let coordinate = |at: usize| {
        let bytes = point.as_bytes().get(at..at + 32).and_then(|bytes| bytes.try_into().ok());
        // A point that is not the neutral one has both, and no key is the neutral one.
        bytes.unwrap_or_default()
    };
    (coordinate(1), coordinate(33))
}

/// A JSON string with its quotes.
fn json_string(text: &str) -> String {
    let mut out = String::new();
    write_string(text, &mut out);
    out
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).field("alg", &self.alg).finish_non_exhaustive()
    }
}
