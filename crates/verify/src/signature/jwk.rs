//! Keys: JWK Sets that the caller trusts, the one key that signs.
//!
//! A set may hold keys of any kind; only the one that `kid` names is looked at, and only when it is asked for, so
//! that a key of another type beside it does no harm (RFC 7517, section 5). A key without `kid` is never chosen.

use core::fmt;

use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use serde_json::{Map, Value, json};
use url::Url;

use super::SignatureReason as Reason;
use super::jws::{decode, encode, object};
use crate::Domain;

/// Largest set, in bytes.
const MAX_SET_BYTES: usize = 1024 * 1024;

/// Deepest nesting in a set.
const MAX_SET_DEPTH: usize = 16;

/// Public keys, selected by `kid`.
///
/// Spec: LLMI-SIG-4, LLMI-AMB-26.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwkSet {
    keys: Vec<Map<String, Value>>,
}

impl JwkSet {
    /// Reads a JWK Set: an object with the array `keys`, at most 1 MiB. `O(n log n)`.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson) and [`NoKeys`](JwkErrorKind::NoKeys). What is wrong with a single key
    /// shows when it is needed.
    pub fn parse(json: &[u8]) -> Result<Self, JwkError> {
        let mut set = object(json, MAX_SET_BYTES, MAX_SET_DEPTH).ok_or(JwkErrorKind::NotJson)?;
        let Some(Value::Array(keys)) = set.remove("keys") else { return Err(JwkErrorKind::NoKeys.into()) };
        let keys = keys.into_iter().map(|key| match key {
            Value::Object(members) => Ok(members),
            _ => Err(JwkErrorKind::NoKeys.into()),
        });
        Ok(JwkSet { keys: keys.collect::<Result<_, JwkError>>()? })
    }

    /// The key of a set that has just one, whatever its `kid`: for [`verify_reference_form`], whose `kid` is
    /// always `local`, so that the caller must choose the key.
    ///
    /// # Errors
    /// [`NotOneKey`](JwkErrorKind::NotOneKey), and [`Unusable`](JwkErrorKind::Unusable) with the reason.
    ///
    /// [`verify_reference_form`]: crate::verify_reference_form
    pub fn only_key(&self) -> Result<PublicKey, JwkError> {
        match self.keys.as_slice() {
            [key] => Ok(public_key(key, None)?),
            keys => Err(JwkErrorKind::NotOneKey { keys: keys.len() }.into()),
        }
    }

    /// The one key with this `kid`, if it is one for Ed25519 signatures under this algorithm.
    pub(super) fn verification_key(&self, kid: &str, alg: &str) -> Result<PublicKey, Reason> {
        let mut keys = self.keys.iter().filter(|key| text(key, "kid") == Some(kid));
        let key = keys.next().ok_or(Reason::KeyUnknown)?;
        if keys.next().is_some() {
            return Err(Reason::KeyAmbiguous);
        }
        public_key(key, Some(alg))
    }
}

/// An Ed25519 public key: a canonically encoded point that is not of small order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Reads the 32 bytes of a key, as RFC 8032 writes them.
    ///
    /// # Errors
    /// [`Unusable`](JwkErrorKind::Unusable) with the reason `KeyMalformed`, `KeyNonCanonical` or `KeyWeak`.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, JwkError> {
        Ok(checked_point(bytes)?)
    }

    /// Strict verification: no small-order point, no second spelling of point or scalar.
    pub(super) fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Reason> {
        self.0.verify_strict(message, signature).map_err(|_| Reason::SignatureMismatch)
    }
}

fn checked_point(bytes: &[u8; 32]) -> Result<PublicKey, Reason> {
    let key = VerifyingKey::from_bytes(bytes).map_err(|_| Reason::KeyMalformed)?;
    if key.to_edwards().compress().as_bytes() != bytes {
        return Err(Reason::KeyNonCanonical);
    }
    if key.is_weak() {
        return Err(Reason::KeyWeak);
    }
    Ok(PublicKey(key))
}

/// The key of a JWK that is meant for Ed25519 signatures. `alg` is the algorithm in use, where there is a choice.
fn public_key(key: &Map<String, Value>, alg: Option<&str>) -> Result<PublicKey, Reason> {
    check_purpose(key, "verify", alg)?;
    checked_point(&member_bytes(key, "x").ok_or(Reason::KeyMalformed)?)
}

fn check_purpose(key: &Map<String, Value>, operation: &str, alg: Option<&str>) -> Result<(), Reason> {
    if text(key, "kty") != Some("OKP") {
        return Err(Reason::KeyType);
    }
    if text(key, "crv") != Some("Ed25519") {
        return Err(Reason::KeyCurve);
    }
    if key.get("use").is_some_and(|usage| usage != "sig") {
        return Err(Reason::KeyUse);
    }
    let allows = |ops: &Value| ops.as_array().is_some_and(|ops| ops.iter().any(|op| op == operation));
    if key.get("key_ops").is_some_and(|ops| !allows(ops)) {
        return Err(Reason::KeyOps);
    }
    let is_alg = |value: &Value| match alg {
        Some(alg) => value == alg,
        None => value == "EdDSA" || value == "Ed25519",
    };
    if key.get("alg").is_some_and(|value| !is_alg(value)) {
        return Err(Reason::KeyAlg);
    }
    Ok(())
}

fn text<'a>(key: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    key.get(name)?.as_str()
}

fn member_bytes(key: &Map<String, Value>, name: &str) -> Option<[u8; 32]> {
    decode(text(key, name)?)?.try_into().ok()
}

/// The private key that signs a publisher's manifests, with its `kid` and algorithm name.
///
/// `Debug` does not print the key, and it is wiped when dropped.
#[derive(Clone)]
pub struct SigningKey {
    key: ed25519_dalek::SigningKey,
    kid: Box<str>,
    alg: &'static str,
}

impl SigningKey {
    /// Reads a private JWK: `kty`, `crv`, `kid`, `d` and the `x` that belongs to it. The `alg` of signatures is
    /// `Ed25519` where the JWK says so, `EdDSA` otherwise.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson), [`NoKid`](JwkErrorKind::NoKid), [`NoPrivateKey`](JwkErrorKind::NoPrivateKey),
    /// [`KeysDiffer`](JwkErrorKind::KeysDiffer), and [`Unusable`](JwkErrorKind::Unusable) with the reason.
    pub fn from_jwk(json: &[u8]) -> Result<Self, JwkError> {
        let jwk = object(json, MAX_SET_BYTES, MAX_SET_DEPTH).ok_or(JwkErrorKind::NotJson)?;
        check_purpose(&jwk, "sign", None)?;
        let public = checked_point(&member_bytes(&jwk, "x").ok_or(Reason::KeyMalformed)?)?;
        let secret = member_bytes(&jwk, "d").ok_or(JwkErrorKind::NoPrivateKey)?;
        let kid = text(&jwk, "kid").filter(|kid| !kid.is_empty()).ok_or(JwkErrorKind::NoKid)?;
        let key = ed25519_dalek::SigningKey::from_bytes(&secret);
        if key.verifying_key() != public.0 {
            return Err(JwkErrorKind::KeysDiffer.into());
        }
        let alg = if text(&jwk, "alg") == Some("Ed25519") { "Ed25519" } else { "EdDSA" };
        Ok(SigningKey { key, kid: kid.into(), alg })
    }

    /// The key of these 32 bytes, the secret of RFC 8032, under this name: bytes of a cryptographic generator, never
    /// used before, make a new key.
    ///
    /// ```
    /// use verify::{JwkSet, JwsForm, ManifestVerifier, SigningKey, sign_manifest};
    /// # let random = [0x8a; 32]; // from your generator
    /// let key = SigningKey::from_secret(&random, "2026-a")?;
    /// let signed = sign_manifest(br#"{"version":"0.1"}"#, &key, JwsForm::Detached)?;
    ///
    /// let published = JwkSet::parse(key.to_public_jwk_set().as_bytes())?;
    /// assert!(ManifestVerifier::new(&published).verify(signed.as_bytes())?.is_valid());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NoKid`](JwkErrorKind::NoKid) where `kid` is empty.
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-SIG-3, LLMI-SIG-4.
    pub fn from_secret(secret: &[u8; 32], kid: &str) -> Result<Self, JwkError> {
        if kid.is_empty() {
            return Err(JwkErrorKind::NoKid.into());
        }
        Ok(SigningKey { key: ed25519_dalek::SigningKey::from_bytes(secret), kid: kid.into(), alg: "EdDSA" })
    }

    /// The private JWK, which [`from_jwk`](SigningKey::from_jwk) reads: a secret, to be kept as one.
    #[must_use]
    pub fn to_private_jwk(&self) -> String {
        let mut jwk = self.public_members();
        jwk.insert("d".into(), encode(&self.key.to_bytes()).into());
        Value::Object(jwk).to_string()
    }

    /// A JWK Set with the public key alone: what a publisher hands out, and what [`JwkSet::parse`] reads.
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-SIG-4.
    #[must_use]
    pub fn to_public_jwk_set(&self) -> String {
        json!({ "keys": [self.public_members()] }).to_string()
    }

    fn public_members(&self) -> Map<String, Value> {
        let public = encode(self.key.verifying_key().as_bytes());
        let members = [
            ("kty", "OKP"),
            ("crv", "Ed25519"),
            ("alg", self.alg),
            ("use", "sig"),
            ("kid", &*self.kid),
            ("x", public.as_str()),
        ];
        members.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    /// Name of the key.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Name of the algorithm in headers: `EdDSA` or `Ed25519`.
    #[must_use]
    pub fn alg(&self) -> &'static str {
        self.alg
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).field("alg", &self.alg).finish_non_exhaustive()
    }
}

/// A `kid` that is an https URL on the domain itself: a hint where the publisher may keep the key, and no more. A key
/// found there adds nothing to the TLS connection that it came over. `None` for every other `kid`.
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

/// Why a key or a set of keys cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JwkError {
    kind: JwkErrorKind,
}

/// The reasons of a [`JwkError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JwkErrorKind {
    /// No JSON object with each member once, within 1 MiB and 16 levels.
    NotJson,
    /// No array `keys` of objects.
    NoKeys,
    /// Not just one key, where the caller is to name the one.
    NotOneKey {
        /// How many there are.
        keys: usize,
    },
    /// A private key without `kid`, which no signature could name.
    NoKid,
    /// No `d` of 32 bytes.
    NoPrivateKey,
    /// `x` is not the public key of `d`.
    KeysDiffer,
    /// The key is not one for Ed25519 signatures, for this reason.
    Unusable(Reason),
}

impl JwkError {
    /// Why.
    #[must_use]
    pub fn kind(&self) -> JwkErrorKind {
        self.kind
    }

    /// Stable name, in kebab case; that of the reason where the key is unusable.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind {
            JwkErrorKind::NotJson => "jwk-not-json",
            JwkErrorKind::NoKeys => "no-keys",
            JwkErrorKind::NotOneKey { .. } => "not-one-key",
            JwkErrorKind::NoKid => "no-kid",
            JwkErrorKind::NoPrivateKey => "no-private-key",
            JwkErrorKind::KeysDiffer => "keys-differ",
            JwkErrorKind::Unusable(reason) => reason.code(),
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        "LLMI-SIG-4"
    }
}

impl From<JwkErrorKind> for JwkError {
    fn from(kind: JwkErrorKind) -> Self {
        JwkError { kind }
    }
}

impl From<Reason> for JwkError {
    fn from(reason: Reason) -> Self {
        JwkErrorKind::Unusable(reason).into()
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
            JwkErrorKind::Unusable(reason) => {
                write!(f, "expected an ed25519 key for signatures, found one with the fault `{reason}`")
            }
        }
    }
}

impl core::error::Error for JwkError {}
