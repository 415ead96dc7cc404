//! Signing. The verifier accepts every signature that is written here.

use core::fmt;

use jwk::{Algorithm, SigningKey};
use llmindex_types::{Limits, ManifestText, Sig};
use tct_canonical_json::write_string;

use super::jws::{encode, signing_input};
use super::{JwsForm, SignatureReason, SignedManifestError, canonical_bytes};

/// Returns the manifest with a `sig` of this key as its last member, replacing an existing one; every other byte
/// is unchanged.
///
/// The content of the manifest is not checked: check it with `llmindex_types` first.
///
/// # Errors
/// [`Manifest`](ManifestSignErrorKind::Manifest) for a text that is not a JSON object, has no single meaning, or is past the limits,
/// also with its signature,
/// [`NoCanonicalForm`](ManifestSignErrorKind::NoCanonicalForm) for a number past the range of doubles,
/// [`NoKid`](ManifestSignErrorKind::NoKid) for a key without a name, [`NotEd25519`](ManifestSignErrorKind::NotEd25519), and
/// [`NotWritten`](ManifestSignErrorKind::NotWritten) for [`JwsForm::Reference`].
///
/// Spec: llmindex 0.1, "Signature"; LLMI-SIG-1, LLMI-SIG-2, LLMI-SIG-3, LLMI-AMB-20, LLMI-AMB-22.
pub fn sign_manifest(manifest: &[u8], key: &SigningKey, form: JwsForm) -> Result<String, ManifestSignError> {
    sign_manifest_within(manifest, key, form, &Limits::MANIFEST)
}

/// As [`sign_manifest`] with other limits, for verifiers that [have the same](crate::ManifestVerifier::limits).
///
/// The limits apply to the manifest with its `sig`: an attached JWS alone is four thirds as long as the manifest.
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
) -> Result<String, ManifestSignError> {
    let text = ManifestText::parse(manifest, limits)
        .map_err(|error| ManifestSignErrorKind::Manifest(SignedManifestError(error)))?;
    let canonical = canonical_bytes(&text, limits)
        .map_err(|_: SignatureReason| ManifestSignErrorKind::NoCanonicalForm)?;
    if key.algorithm() != Algorithm::Ed25519 {
        return Err(ManifestSignErrorKind::NotEd25519.into());
    }
    // Members in the order of their names, as RFC 8785 has them.
    let name = key.kid().ok_or(ManifestSignErrorKind::NoKid)?;
    let (mut kid, alg) = (String::new(), key.alg());
    write_string(name, &mut kid);
    let header = match form {
        JwsForm::Attached | JwsForm::Detached => format!(r#"{{"alg":"{alg}","kid":{kid}}}"#),
        JwsForm::Unencoded => format!(r#"{{"alg":"{alg}","b64":false,"crit":["b64"],"kid":{kid}}}"#),
        JwsForm::Reference => return Err(ManifestSignErrorKind::NotWritten.into()),
    };
    let header = encode(header.as_bytes());
    let payload = if form == JwsForm::Attached { encode(&canonical) } else { String::new() };
    let signature = encode(&key.sign(&signing_input(&header, &payload, form, &canonical)));
    let jws = format!("{header}.{payload}.{signature}");
    let signed = text.with_sig(&Sig { alg: alg.into(), kid: name.into(), jws: jws.into() });
    // Past the limits its own verifier would not read it.
    match ManifestText::parse(signed.as_bytes(), limits) {
        Ok(_) => Ok(signed),
        Err(error) => Err(ManifestSignErrorKind::Manifest(SignedManifestError(error)).into()),
    }
}

/// Why a manifest was not signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestSignError {
    kind: Box<ManifestSignErrorKind>,
}

/// The reasons of a [`ManifestSignError`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestSignErrorKind {
    /// The text is not a JSON object, is past the limits, or has no single meaning.
    Manifest(SignedManifestError),
    /// RFC 8785 has no form for the manifest.
    NoCanonicalForm,
    /// A key without `kid`, which no signature could name.
    NoKid,
    /// A form that is only read: the caller's mistake.
    NotWritten,
    /// A key of another algorithm than Ed25519, which llmindex does not have.
    NotEd25519,
}

impl ManifestSignError {
    /// Why.
    #[must_use]
    pub fn kind(&self) -> &ManifestSignErrorKind {
        &self.kind
    }

    /// Stable name, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &*self.kind {
            ManifestSignErrorKind::Manifest(error) => error.code(),
            ManifestSignErrorKind::NoCanonicalForm => "no-canonical-form",
            ManifestSignErrorKind::NoKid => "no-kid",
            ManifestSignErrorKind::NotWritten => "not-written",
            ManifestSignErrorKind::NotEd25519 => "not-ed25519",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match &*self.kind {
            ManifestSignErrorKind::Manifest(error) => error.requirement(),
            ManifestSignErrorKind::NoCanonicalForm => "LLMI-AMB-21",
            ManifestSignErrorKind::NoKid => "LLMI-SIG-4",
            ManifestSignErrorKind::NotWritten => "LLMI-AMB-22",
            ManifestSignErrorKind::NotEd25519 => "LLMI-SIG-1",
        }
    }
}

impl From<ManifestSignErrorKind> for ManifestSignError {
    fn from(kind: ManifestSignErrorKind) -> Self {
        ManifestSignError { kind: Box::new(kind) }
    }
}

impl fmt::Display for ManifestSignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            ManifestSignErrorKind::Manifest(error) => fmt::Display::fmt(error, f),
            ManifestSignErrorKind::NoCanonicalForm => {
                f.write_str("expected numbers within the range of doubles, found one past it")
            }
            ManifestSignErrorKind::NoKid => f.write_str("expected a private key with a `kid`, found none"),
            ManifestSignErrorKind::NotWritten => {
                f.write_str("expected a form of jws to sign in, found the reference form")
            }
            ManifestSignErrorKind::NotEd25519 => {
                f.write_str("expected a key for ed25519, found one for another algorithm")
            }
        }
    }
}

impl core::error::Error for ManifestSignError {}
