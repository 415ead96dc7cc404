//! JWS in compact serialization: three parts of strict base64url, and a strictly checked header.
//!
//! Header members that are read: `alg`, `kid`, `crit`, `b64`, and the four that carry keys. All others, such as
//! `typ`, are ignored, as RFC 7515 wants unless `crit` names them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tct_canonical_json::{Canonicalizer, JsonKind, JsonReader, JsonValue, Profile};

use super::{Sig, SignatureReason as Reason};

/// Longest header, in bytes of its JSON.
const MAX_HEADER_BYTES: usize = 16 * 1024;

/// Deepest nesting of a header.
const MAX_HEADER_DEPTH: usize = 8;

/// How a manifest is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JwsForm {
    /// The JWS carries the canonical manifest as its payload: RFC 7515.
    Attached,
    /// The payload part is empty; verifiers use the manifest's canonical bytes: RFC 7515, appendix F.
    Detached,
    /// Detached, and signed over the canonical bytes instead of their base64url: RFC 7797, `b64` false.
    Unencoded,
    /// The reference implementation's form, which is not a JWS. Only [`verify_reference_form`] reports it,
    /// and [`sign_manifest`] does not write it.
    ///
    /// [`verify_reference_form`]: crate::verify_reference_form
    /// [`sign_manifest`]: crate::sign_manifest
    Reference,
}

/// A JWS in compact serialization: the text of its three parts.
///
/// Spec: LLMI-SIG-3.
pub(super) struct Compact<'a> {
    pub(super) header: &'a str,
    pub(super) payload: &'a str,
    pub(super) signature: &'a str,
}

impl<'a> Compact<'a> {
    pub(super) fn split(jws: &'a str) -> Result<Self, Reason> {
        let mut parts = jws.split('.');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(header), Some(payload), Some(signature), None) => {
                Ok(Compact { header, payload, signature })
            }
            _ => Err(Reason::NotThreeParts),
        }
    }

    pub(super) fn header(&self) -> Result<Header, Reason> {
        let json = decode(self.header).ok_or(Reason::HeaderBase64)?;
        Header::parse(&json).ok_or(Reason::HeaderNotJson)
    }

    pub(super) fn signature(&self) -> Result<[u8; 64], Reason> {
        let bytes = decode(self.signature).ok_or(Reason::SignatureBase64)?;
        bytes.try_into().map_err(|_| Reason::SignatureLength)
    }

    /// The bytes that are signed.
    pub(super) fn signing_input(&self, form: JwsForm, canonical: &[u8]) -> Vec<u8> {
        signing_input(self.header, self.payload, form, canonical)
    }

    /// Checks that the attached payload has these canonical bytes.
    ///
    /// Spec: LLMI-SIG-5.
    pub(super) fn check_payload(&self, canonical: &[u8]) -> Result<(), Reason> {
        let payload = decode(self.payload).ok_or(Reason::PayloadBase64)?;
        let payload = Canonicalizer::new(Profile::Rfc8785)
            .to_canonical(&payload)
            .map_err(|_| Reason::PayloadNotJson)?;
        if payload == canonical { Ok(()) } else { Err(Reason::PayloadMismatch) }
    }
}

/// The header members that are read, each at most once.
pub(super) struct Header {
    alg: Option<String>,
    kid: Option<String>,
    has_key: bool,
    /// The fault of `crit`, if it has one.
    crit: Option<Result<(), Reason>>,
    /// `b64`, if present; `Some(None)` if it is not a boolean.
    b64: Option<Option<bool>>,
}

impl Header {
    /// `None` for a text that is not a JSON object, has more than one meaning, or is past the limits.
    fn parse(json: &[u8]) -> Option<Self> {
        let reader = JsonReader::new().max_bytes(MAX_HEADER_BYTES).max_depth(MAX_HEADER_DEPTH);
        let document = reader.read(json).ok()?;
        let root = document.root();
        let text = |name| Some(root.get(name)?.as_str()?.into_owned());
        let b64 = root.get("b64").map(|b64| b64.as_bool());
        (root.kind() == JsonKind::Object).then(|| Header {
            alg: text("alg"),
            kid: text("kid"),
            has_key: ["jwk", "jku", "x5c", "x5u"].iter().any(|name| root.get(name).is_some()),
            crit: root.get("crit").map(|crit| check_crit(crit, b64.is_some())),
            b64,
        })
    }

    /// Checks everything that does not depend on the payload.
    ///
    /// Spec: LLMI-SIG-2, LLMI-SIG-6, LLMI-AMB-22.
    pub(super) fn check(&self, sig: &Sig<'_>) -> Result<(), Reason> {
        let alg = self.alg.as_deref().ok_or(Reason::AlgMissing)?;
        check_alg(alg)?;
        if alg != sig.alg {
            return Err(Reason::AlgMismatch);
        }
        if self.has_key {
            return Err(Reason::EmbeddedKey);
        }
        let kid = self.kid.as_deref().ok_or(Reason::KidMissing)?;
        if kid != sig.kid {
            return Err(Reason::KidMismatch);
        }
        self.crit.unwrap_or(Ok(()))
    }

    /// How the payload goes into the signing input.
    pub(super) fn form(&self, jws: &Compact<'_>) -> Result<JwsForm, Reason> {
        let is_encoded = self.b64.unwrap_or(Some(true)).ok_or(Reason::B64Malformed)?;
        match (is_encoded, jws.payload) {
            (false, _) if self.crit.is_none() => Err(Reason::B64NotCritical),
            (false, "") => Ok(JwsForm::Unencoded),
            (false, _) => Err(Reason::B64Attached),
            (true, "") => Ok(JwsForm::Detached),
            (true, payload) => decode(payload).map(|_| JwsForm::Attached).ok_or(Reason::PayloadBase64),
        }
    }
}

/// `crit` may name `b64` and nothing else; if it is valid, it names exactly that.
fn check_crit(crit: JsonValue<'_>, has_b64: bool) -> Result<(), Reason> {
    if crit.items().next().is_none() {
        return Err(Reason::CritMalformed);
    }
    if crit.items().any(|name| name.kind() == JsonKind::String && !name.is_str("b64")) {
        return Err(Reason::CritUnknown);
    }
    let is_one_name = crit.items().count() == 1 && crit.items().all(|name| name.is_str("b64"));
    if is_one_name && has_b64 { Ok(()) } else { Err(Reason::CritMalformed) }
}

/// Two names for one algorithm: that of RFC 8037 and that of RFC 9864.
fn check_alg(alg: &str) -> Result<(), Reason> {
    match alg {
        "EdDSA" | "Ed25519" => Ok(()),
        _ if alg.eq_ignore_ascii_case("none") => Err(Reason::AlgNone),
        _ if alg.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("HS")) => Err(Reason::AlgSymmetric),
        _ => Err(Reason::AlgUnsupported),
    }
}

/// The bytes that are signed: `header . payload`, with the payload as it is, encoded again, or not encoded,
/// depending on the form.
pub(super) fn signing_input(header: &str, payload: &str, form: JwsForm, canonical: &[u8]) -> Vec<u8> {
    let mut input = format!("{header}.").into_bytes();
    match form {
        JwsForm::Attached => input.extend_from_slice(payload.as_bytes()),
        JwsForm::Detached => input.extend_from_slice(encode(canonical).as_bytes()),
        JwsForm::Unencoded => input.extend_from_slice(canonical),
        // That form signs the canonical bytes alone.
        JwsForm::Reference => return canonical.to_vec(),
    }
    input
}

/// Strict base64url: no padding, no white space, no other alphabet, no stray bits at the end.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
