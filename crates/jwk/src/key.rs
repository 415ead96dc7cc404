//! One key as it was published.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use tct_canonical_json::JsonValue;

use crate::json::{decode, object};
use crate::thumbprint::is_plain;
use crate::{Algorithm, JwkError, JwkErrorKind, KeyFault, MAX_SET_BYTES, PublicKey, Thumbprint};

/// Names of members that hold private parts, of every type of key.
const PRIVATE_MEMBERS: [&str; 9] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/// Fewest bits of an RSA modulus.
const MIN_RSA_BITS: usize = 2048;

/// At this value and above, `nbf` and `exp` are milliseconds.
const MILLISECONDS_FROM: f64 = 1e11;

/// The public part of a JSON Web Key.
///
/// Private members are noticed ([`has_private_members`](Jwk::has_private_members)) and dropped while reading: they
/// can be neither printed nor used. Whether the key can be used is checked by [`public_key`](Jwk::public_key), so
/// a set may contain keys of unsupported types.
///
/// Spec: RFC 7517, section 4; SIG9421-KEY-1, SIG9421-KEY-2.
#[derive(Clone, PartialEq, Eq)]
pub struct Jwk {
    kty: Option<Box<str>>,
    crv: Option<Box<str>>,
    kid: Name,
    alg: Name,
    usage: Name,
    key_ops: Option<KeyOps>,
    not_before: Bound,
    expires: Bound,
    material: Material,
    thumbprint: Option<Thumbprint>,
    has_private_members: bool,
}

/// A member that should be a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Absent,
    Text(Box<str>),
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyOps {
    sign: bool,
    verify: bool,
}

/// A member that should be a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Absent,
    At(i64),
    Other,
}

/// The public numbers of a key, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Material {
    Okp { x: Option<[u8; 32]> },
    Ec { point: Option<([u8; 32], [u8; 32])> },
    Rsa { modulus_bits: usize },
    Other,
}

impl Jwk {
    /// Reads a JWK: a JSON object in which each member appears once, at most 1 MiB and 128 levels. `O(n log n)`.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson). Faults of the key itself are reported when it is used.
    pub fn parse(json: &[u8]) -> Result<Self, JwkError> {
        let document = object(json, MAX_SET_BYTES).ok_or(JwkErrorKind::NotJson)?;
        Ok(Jwk::of_object(&document.root()))
    }

    /// Takes the members of an object; any other value is a key without members, which cannot be used.
    pub(crate) fn of_object(object: &JsonValue<'_>) -> Self {
        let text = |name: &str| object.get(name).and_then(|value| value.as_str());
        let boxed = |name: &str| text(name).map(Box::from);
        let name = |name: &str| match object.get(name) {
            None => Name::Absent,
            Some(value) => value.as_str().map_or(Name::Other, |text| Name::Text(text.into())),
        };
        Jwk {
            kty: boxed("kty"),
            crv: boxed("crv"),
            kid: name("kid"),
            alg: name("alg"),
            usage: name("use"),
            key_ops: object.get("key_ops").map(key_ops),
            not_before: bound(object.get("nbf")),
            expires: bound(object.get("exp")),
            material: material(&text),
            thumbprint: thumbprint(&text),
            has_private_members: object
                .members()
                .any(|(name, _)| PRIVATE_MEMBERS.iter().any(|it| name.is(it))),
        }
    }

    /// `kty`, such as `OKP`.
    #[must_use]
    pub fn kty(&self) -> Option<&str> {
        self.kty.as_deref()
    }

    /// `crv`, such as `Ed25519`.
    #[must_use]
    pub fn crv(&self) -> Option<&str> {
        self.crv.as_deref()
    }

    /// `kid`, the name that its publisher gave the key: a claim, unlike the [thumbprint](Jwk::thumbprint).
    #[must_use]
    pub fn kid(&self) -> Option<&str> {
        match &self.kid {
            Name::Text(kid) => Some(kid),
            _ => None,
        }
    }

    /// Returns true if there is no `kid`, or it is the thumbprint: all that a key directory may write.
    ///
    /// Spec: WBA-DIR-4.
    #[must_use]
    pub fn is_named_by_thumbprint(&self) -> bool {
        match (&self.kid, self.thumbprint) {
            (Name::Absent, _) => true,
            (Name::Text(kid), Some(thumbprint)) => kid.parse() == Ok(thumbprint),
            _ => false,
        }
    }

    /// The thumbprint. `None` if a required member is missing or not a text, or `kty` is not `OKP`, `EC`, `RSA` or
    /// `oct`.
    #[must_use]
    pub fn thumbprint(&self) -> Option<Thumbprint> {
        self.thumbprint
    }

    /// Returns true if the JSON had a private member. They are dropped, but a key published together with its
    /// private part is compromised.
    #[must_use]
    pub fn has_private_members(&self) -> bool {
        self.has_private_members
    }

    /// Returns true if `now`, in seconds since 1970, is neither before `nbf` nor at or past `exp`. An absent member
    /// sets no bound; a member that is not a number makes the key never current. A value of 10^11 and above is in
    /// milliseconds.
    ///
    /// Spec: WBA-DIR-5, WBA-AMB-25.
    #[must_use]
    pub fn is_current(&self, now_secs: u64) -> bool {
        let now = i64::try_from(now_secs).unwrap_or(i64::MAX);
        let has_begun = match self.not_before {
            Bound::Absent => true,
            Bound::At(at) => at <= now,
            Bound::Other => false,
        };
        let has_ended = match self.expires {
            Bound::Absent => false,
            Bound::At(at) => at <= now,
            Bound::Other => true,
        };
        has_begun && !has_ended
    }

    /// The algorithm of the key, from its type and curve; `alg`, if present, must agree. An RSA key without `alg` is
    /// one for `rsa-pss-sha512`.
    ///
    /// # Errors
    /// [`KeyFault::Type`], [`KeyFault::Curve`], or [`KeyFault::Alg`] where `alg` names something else or a symmetric
    /// key does not name it at all; [`KeyFault::NotBuiltIn`] where the algorithm has no name in [`Algorithm`], such
    /// as `RS256` or the curve P-384.
    ///
    /// Spec: SIG9421-ALG-1, SIG9421-KEY-1, WBA-AMB-10, WBA-AMB-11.
    pub fn algorithm(&self) -> Result<Algorithm, KeyFault> {
        let algorithm = match (self.kty(), self.crv()) {
            (Some("OKP"), Some("Ed25519")) => Algorithm::Ed25519,
            (Some("EC"), Some("P-256")) => Algorithm::EcdsaP256Sha256,
            (Some("EC"), Some("P-384" | "P-521" | "secp256k1")) | (Some("OKP"), Some("Ed448")) => {
                return Err(KeyFault::NotBuiltIn);
            }
            (Some("RSA"), _) => Algorithm::RsaPssSha512,
            (Some("oct"), _) => Algorithm::HmacSha256,
            (Some("OKP" | "EC"), _) => return Err(KeyFault::Curve),
            _ => return Err(KeyFault::Type),
        };
        match &self.alg {
            Name::Absent if algorithm == Algorithm::HmacSha256 => Err(KeyFault::Alg),
            Name::Absent => Ok(algorithm),
            Name::Text(alg) if Algorithm::from_jwk_name(alg) == Some(algorithm) => Ok(algorithm),
            Name::Text(alg) if is_other_of_its_type(algorithm, alg) => Err(KeyFault::NotBuiltIn),
            _ => Err(KeyFault::Alg),
        }
    }

    /// The key, ready to verify.
    ///
    /// # Errors
    /// A [`KeyFault`], the first in the order of that enum.
    ///
    /// Spec: RFC 7517, section 4; SIG9421-KEY-1.
    pub fn public_key(&self) -> Result<PublicKey, KeyFault> {
        self.check_type()?;
        self.check_purpose(Operation::Verify)?;
        self.algorithm()?;
        self.checked_material()
    }

    /// The key, ready to verify JOSE signatures whose header names `alg`: where the key has an `alg`, it must be that
    /// very text.
    ///
    /// # Errors
    /// A [`KeyFault`], the first in the order of that enum.
    ///
    /// Spec: RFC 7517, section 4.4; LLMI-SIG-4.
    pub fn public_key_for(&self, alg: &str) -> Result<PublicKey, KeyFault> {
        self.check_type()?;
        self.check_purpose(Operation::Verify)?;
        match &self.alg {
            Name::Absent => {}
            Name::Text(own) if **own == *alg => {}
            _ => return Err(KeyFault::Alg),
        }
        self.checked_material()
    }

    /// Checks `use` and `key_ops`.
    pub(crate) fn check_purpose(&self, operation: Operation) -> Result<(), KeyFault> {
        match &self.usage {
            Name::Absent => {}
            Name::Text(usage) if &**usage == "sig" => {}
            _ => return Err(KeyFault::Use),
        }
        let allows = |ops: KeyOps| match operation {
            Operation::Sign => ops.sign,
            Operation::Verify => ops.verify,
        };
        if self.key_ops.is_none_or(allows) { Ok(()) } else { Err(KeyFault::Ops) }
    }

    fn check_type(&self) -> Result<(), KeyFault> {
        match self.algorithm() {
            Err(fault @ (KeyFault::Type | KeyFault::Curve)) => Err(fault),
            _ => Ok(()),
        }
    }

    fn checked_material(&self) -> Result<PublicKey, KeyFault> {
        match (&self.material, self.crv()) {
            (Material::Okp { x }, Some("Ed25519")) => PublicKey::ed25519(&x.ok_or(KeyFault::Malformed)?),
            (Material::Ec { point }, Some("P-256")) => {
                let (x, y) = point.ok_or(KeyFault::Malformed)?;
                p256(&x, &y)
            }
            (Material::Rsa { modulus_bits }, _) if *modulus_bits < MIN_RSA_BITS => Err(KeyFault::Weak),
            _ => Err(KeyFault::NotBuiltIn),
        }
    }

    /// `alg`, where it is a text.
    pub(crate) fn alg(&self) -> Option<&str> {
        match &self.alg {
            Name::Text(alg) => Some(alg),
            _ => None,
        }
    }
}

/// What the caller wants to do with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Sign,
    Verify,
}

#[cfg(feature = "p256")]
fn p256(x: &[u8; 32], y: &[u8; 32]) -> Result<PublicKey, KeyFault> {
    PublicKey::p256(x, y)
}

#[cfg(not(feature = "p256"))]
fn p256(_x: &[u8; 32], _y: &[u8; 32]) -> Result<PublicKey, KeyFault> {
    Err(KeyFault::NotBuiltIn)
}

/// Returns true if `alg` is a registered algorithm for keys of this type, and not the one that this crate names.
fn is_other_of_its_type(algorithm: Algorithm, alg: &str) -> bool {
    match algorithm {
        Algorithm::RsaPssSha512 => {
            matches!(alg, "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "rsa-v1_5-sha256")
        }
        Algorithm::HmacSha256 => matches!(alg, "HS384" | "HS512"),
        Algorithm::Ed25519 | Algorithm::EcdsaP256Sha256 => false,
    }
}

fn key_ops(value: JsonValue<'_>) -> KeyOps {
    let has = |name: &str| value.items().any(|op| op.is_str(name));
    KeyOps { sign: has("sign"), verify: has("verify") }
}

fn bound(value: Option<JsonValue<'_>>) -> Bound {
    let Some(value) = value else { return Bound::Absent };
    match value.as_f64() {
        Some(at) if at.abs() >= MILLISECONDS_FROM => Bound::At(rounded_up(at / 1000.0)),
        Some(at) => Bound::At(rounded_up(at)),
        None => Bound::Other,
    }
}

/// Rounds up to a whole second; comparing a whole second with the result gives the same answer as
/// comparing it with `at`.
#[expect(clippy::cast_possible_truncation, reason = "casts from f64 saturate, which is what a bound needs")]
fn rounded_up(at: f64) -> i64 {
    let whole = at as i64;
    if (whole as f64) < at { whole.saturating_add(1) } else { whole }
}

fn material<'a>(text: &impl Fn(&str) -> Option<Cow<'a, str>>) -> Material {
    let bytes = |name: &str| text(name).and_then(|text| decode(&text));
    let array = |name: &str| -> Option<[u8; 32]> { bytes(name)?.try_into().ok() };
    match text("kty").as_deref() {
        Some("OKP") => Material::Okp { x: array("x") },
        Some("EC") => Material::Ec { point: array("x").zip(array("y")) },
        Some("RSA") => Material::Rsa { modulus_bits: bytes("n").map_or(0, |modulus| bit_len(&modulus)) },
        _ => Material::Other,
    }
}

fn bit_len(number: &[u8]) -> usize {
    let leading = number.iter().take_while(|byte| **byte == 0).count();
    let first = number.get(leading).map_or(0, |byte| 8 - byte.leading_zeros() as usize);
    (number.len() - leading).saturating_sub(1) * 8 + first
}

fn thumbprint<'a>(text: &impl Fn(&str) -> Option<Cow<'a, str>>) -> Option<Thumbprint> {
    let names: &[&str] = match &*text("kty")? {
        "OKP" => &["crv", "kty", "x"],
        "EC" => &["crv", "kty", "x", "y"],
        "RSA" => &["e", "kty", "n"],
        "oct" => &["k", "kty"],
        _ => return None,
    };
    let members: Vec<(&str, Cow<'_, str>)> =
        names.iter().map(|name| Some((*name, text(name)?))).collect::<Option<_>>()?;
    members.iter().all(|(_, value)| is_plain(value)).then(|| Thumbprint::of(&members))
}

impl fmt::Debug for Jwk {
    /// Prints names only, never key material.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jwk")
            .field("kty", &self.kty)
            .field("crv", &self.crv)
            .field("kid", &self.kid())
            .field("alg", &self.alg())
            .field("thumbprint", &self.thumbprint)
            .finish_non_exhaustive()
    }
}
