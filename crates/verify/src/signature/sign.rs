//! Signing: the counterpart of the verifier, which accepts whatever is written here.

use core::fmt;

use jwk::{Algorithm, SigningKey};
use llmindex_types::{Limits, ManifestText, Sig};
use tct_canonical_json::write_string;

use super::jws::{encode, signing_input};
use super::{JwsForm, ManifestError, SignatureReason, canonical_bytes};

/// The manifest with a `sig` of this key as its last member, in place of one that it had; every other byte stays.
///
/// Whether the manifest is a good one is for `llmindex_types` to say: sign what has passed its checks.
///
/// # Errors
/// [`Manifest`](SignErrorKind::Manifest) for a text that is not a JSON object, has no single meaning, or is past the limits,
/// also with its signature,
/// [`NoCanonicalForm`](SignErrorKind::NoCanonicalForm) for a number past the range of doubles,
/// [`NoKid`](SignErrorKind::NoKid) for a key without a name, [`NotEd25519`](SignErrorKind::NotEd25519), and
/// [`NotWritten`](SignErrorKind::NotWritten) for [`JwsForm::Reference`].
///
/// Spec: llmindex 0.1, "Signature"; LLMI-SIG-1, LLMI-SIG-2, LLMI-SIG-3, LLMI-AMB-20, LLMI-AMB-22.
pub fn sign_manifest(manifest: &[u8], key: &SigningKey, form: JwsForm) -> Result<String, SignError> {
    sign_manifest_within(manifest, key, form, &Limits::MANIFEST)
}

/// As [`sign_manifest`] with other limits, for verifiers that [have the same](crate::ManifestVerifier::limits).
///
/// What is signed is within the limits together with its `sig`: an attached JWS alone has four thirds of the manifest.
///
/// # Errors
/// As [`sign_manifest`].
///
/// Spec: LLMI-AMB-29.
pub fn sign_manifest_within(
    manifest: &[u8],
    key: &SigningKey,
    form: JwsForm,
    limits: &Limits,
) -> Result<String, SignError> {
    let text = ManifestText::parse(manifest, limits)
        .map_err(|error| SignErrorKind::Manifest(ManifestError(error)))?;
    let canonical =
        canonical_bytes(&text, limits).map_err(|_: SignatureReason| SignErrorKind::NoCanonicalForm)?;
    if key.algorithm() != Algorithm::Ed25519 {
        return Err(SignErrorKind::NotEd25519.into());
    }
    // Members in the order of their names, as RFC 8785 has them.
    let name = key.kid().ok_or(SignErrorKind::NoKid)?;
    let (mut kid, alg) = (String::new(), key.alg());
    write_string(name, &mut kid);
    let header = match form {
        JwsForm::Attached | JwsForm::Detached => format!(r#"{{"alg":"{alg}","kid":{kid}}}"#),
        JwsForm::Unencoded => format!(r#"{{"alg":"{alg}","b64":false,"crit":["b64"],"kid":{kid}}}"#),
        JwsForm::Reference => return Err(SignErrorKind::NotWritten.into()),
    };
    let header = encode(header.as_bytes());
    let payload = if form == JwsForm::Attached { encode(&canonical) } else { String::new() };
    let signature = encode(&key.sign(&signing_input(&header, &payload, form, &canonical)));
    let jws = format!("{header}.{payload}.{signature}");
    let signed = text.with_sig(&Sig { alg: alg.into(), kid: name.into(), jws: jws.into() });
    // Past the limits its own verifier would not read it.
    match ManifestText::parse(signed.as_bytes(), limits) {
        Ok(_) => Ok(signed),
        Err(error) => Err(SignErrorKind::Manifest(ManifestError(error)).into()),
    }
}

/// Why a manifest was not signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignError {
    kind: Box<SignErrorKind>,
}

/// The reasons of a [`SignError`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignErrorKind {
    /// The text is not a JSON object, is past the limits, or has no single meaning.
    Manifest(ManifestError),
    /// RFC 8785 has no form for the manifest.
    NoCanonicalForm,
    /// A key without `kid`, which no signature could name.
    NoKid,
    /// A form that is only read: the caller's mistake.
    NotWritten,
    /// A key of another algorithm than Ed25519, which llmindex does not have.
    NotEd25519,
}

impl SignError {
    /// Why.
    #[must_use]
    pub fn kind(&self) -> &SignErrorKind {
        &self.kind
    }

    /// Stable name, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &*self.kind {
            SignErrorKind::Manifest(error) => error.code(),
            SignErrorKind::NoCanonicalForm => "no-canonical-form",
            SignErrorKind::NoKid => "no-kid",
            SignErrorKind::NotWritten => "not-written",
            SignErrorKind::NotEd25519 => "not-ed25519",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match &*self.kind {
            SignErrorKind::Manifest(error) => error.requirement(),
            SignErrorKind::NoCanonicalForm => "LLMI-AMB-21",
            SignErrorKind::NoKid => "LLMI-SIG-4",
            SignErrorKind::NotWritten => "LLMI-AMB-22",
            SignErrorKind::NotEd25519 => "LLMI-SIG-1",
        }
    }
}

impl From<SignErrorKind> for SignError {
    fn from(kind: SignErrorKind) -> Self {
        SignError { kind: Box::new(kind) }
    }
}

impl fmt::Display for SignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            SignErrorKind::Manifest(error) => fmt::Display::fmt(error, f),
            SignErrorKind::NoCanonicalForm => {
                f.write_str("expected numbers within the range of doubles, found one past it")
            }
            SignErrorKind::NoKid => f.write_str("expected a private key with a `kid`, found none"),
            SignErrorKind::NotWritten => {
                f.write_str("expected a form of jws to sign in, found the reference form")
            }
            SignErrorKind::NotEd25519 => {
                f.write_str("expected a key for ed25519, found one for another algorithm")
            }
        }
    }
}

impl core::error::Error for SignError {}
