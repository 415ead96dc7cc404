//! The key that signs.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use ed25519_dalek::Signer as _;
use tct_canonical_json::write_string;

use crate::json::{decode, encode, object};
use crate::key::Operation;
use crate::{Jwk, JwkError, JwkErrorKind, KeyFault, MAX_SET_BYTES, MAX_SET_DEPTH, PublicKey, Thumbprint};

/// An Ed25519 private key, with the name that its signatures use.
///
/// `Debug` does not print the key, and it is wiped when dropped.
#[derive(Clone)]
pub struct SigningKey {
    key: ed25519_dalek::SigningKey,
    kid: Option<Box<str>>,
    alg: &'static str,
}

impl SigningKey {
    /// Reads a private JWK: `kty`, `crv`, `d`, and the `x` that belongs to it. `kid` is kept where it is a text that
    /// is not empty. The JOSE name of the algorithm is `Ed25519` where the JWK says so, `EdDSA` otherwise.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson), [`NoPrivateKey`](JwkErrorKind::NoPrivateKey),
    /// [`KeysDiffer`](JwkErrorKind::KeysDiffer), and [`Unusable`](JwkErrorKind::Unusable) with the fault.
    ///
    /// Spec: SIG9421-SIGN-1.
    pub fn from_jwk(json: &[u8]) -> Result<Self, JwkError> {
        let document = object(json, MAX_SET_BYTES, MAX_SET_DEPTH).ok_or(JwkErrorKind::NotJson)?;
        let members = document.root();
        let jwk = Jwk::of_object(&members);
        if jwk.kty() != Some("OKP") {
            return Err(KeyFault::Type.into());
        }
        if jwk.crv() != Some("Ed25519") {
            return Err(KeyFault::Curve.into());
        }
        jwk.check_purpose(Operation::Sign)?;
        jwk.algorithm()?;
        let bytes = |name| -> Option<[u8; 32]> { decode(&members.get(name)?.as_str()?)?.try_into().ok() };
        let public = bytes("x").ok_or(KeyFault::Malformed)?;
        PublicKey::ed25519(&public)?;
        let secret = bytes("d").ok_or(JwkErrorKind::NoPrivateKey)?;
        let key = ed25519_dalek::SigningKey::from_bytes(&secret);
        if *key.verifying_key().as_bytes() != public {
            return Err(JwkErrorKind::KeysDiffer.into());
        }
        let alg = if jwk.alg() == Some("Ed25519") { "Ed25519" } else { "EdDSA" };
        let kid = jwk.kid().filter(|kid| !kid.is_empty()).map(Box::from);
        Ok(SigningKey { key, kid, alg })
    }

    /// The key of these 32 bytes, the secret of RFC 8032: bytes of a cryptographic generator, never used before, make
    /// a new key. It has no `kid`; its [thumbprint](SigningKey::thumbprint) names it.
    #[must_use]
    pub fn from_secret(secret: &[u8; 32]) -> Self {
        SigningKey { key: ed25519_dalek::SigningKey::from_bytes(secret), kid: None, alg: "EdDSA" }
    }

    /// The same key under this `kid`; an empty one is none.
    #[must_use]
    pub fn with_kid(mut self, kid: &str) -> Self {
        self.kid = if kid.is_empty() { None } else { Some(kid.into()) };
        self
    }

    /// The private JWK, which [`from_jwk`](SigningKey::from_jwk) reads: a secret, to be kept as one. Its members are
    /// sorted by name.
    #[must_use]
    pub fn to_private_jwk(&self) -> String {
        self.jwk(Some(&encode(&self.key.to_bytes())), self.kid.as_deref())
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
        let (alg, x) = (self.alg, encode(self.key.verifying_key().as_bytes()));
        format!(r#"{{"alg":"{alg}","crv":"Ed25519",{secret}{kid}"kty":"OKP","use":"sig","x":"{x}"}}"#)
    }

    /// The name of the key, if it has one.
    #[must_use]
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// JOSE's name of the algorithm: `EdDSA` or `Ed25519`.
    #[must_use]
    pub fn alg(&self) -> &'static str {
        self.alg
    }

    /// The thumbprint of the public key.
    ///
    /// Spec: SIG9421-KEY-2.
    #[must_use]
    pub fn thumbprint(&self) -> Thumbprint {
        let x = encode(self.key.verifying_key().as_bytes());
        #[expect(clippy::expect_used, reason = "base64url and two constants have nothing that JSON escapes")]
        Thumbprint::of(&[("crv", "Ed25519"), ("kty", "OKP"), ("x", &x)]).expect("plain text")
    }

    /// The 64 bytes of the Ed25519 signature over `message`.
    ///
    /// Spec: RFC 8032, section 5.1.6; SIG9421-ALG-2.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
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
