//! Signatures: whether the holder of a key signed this manifest.
//!
//! ```text
//! manifest ── without `sig` ── RFC 8785 ──▶ canonical bytes ─┬─ attached:  header . base64url(bytes) . signature
//!                                                            ├─ detached:  header .                  . signature
//!                                                            └─ b64=false: header .                  . signature
//! sig.kid ── the caller's JWK Set ──▶ one Ed25519 key
//! ```
//!
//! A manifest is signed with standard JWS (RFC 7515) in compact serialization, over its canonical JSON. Verification
//! is strict in everything: base64url without padding, white space or stray bits; each header member once; `alg` and
//! `kid` in the signed header, and the same as in `sig`; no key from the header; the one key with that `kid`, of type
//! OKP, curve Ed25519, meant for signatures; no small-order or non-canonical points. And the payload must be this
//! manifest: a valid signature over another one, or over a part of it, proves nothing.
//!
//! The order of the checks is the order of [`SignatureReason`]. Nothing is fetched, no `kid` is ever followed.
//!
//! The form that llmindex's reference implementation writes is not a JWS and is refused here;
//! [`verify_reference_form`] checks it.

mod coverage;
mod jws;
mod keys;
mod reason;
mod reference;
mod sign;

use core::fmt;

use jwk::JwkSet;
use llmindex_types::web_values::Timestamp;
use llmindex_types::{Limits, LlmindexTextError, LlmindexTextErrorKind, ManifestText, Member, Sig};
use tct_canonical_json::{Canonicalizer, Profile};
use url::{Host, Url};

use web_values::UnixSeconds;

use crate::Caveat;
use coverage::Uncovered;
pub use jws::JwsForm;
pub use keys::key_url_hint;
pub use reason::SignatureReason;
pub use reference::verify_reference_form;
pub use sign::{ManifestSignError, ManifestSignErrorKind, sign_manifest, sign_manifest_within};

/// How far `updated_at` may be ahead of the caller's clock without a warning, in seconds.
///
/// Spec: LLMI-AMB-27.
pub const MAX_CLOCK_SKEW_SECS: u64 = 5 * 60;

/// Checks the signatures of manifests against one set of trusted keys.
///
/// ```
/// use jwk::{JwkSet, SigningKey};
/// use verify::{JwsForm, ManifestVerifier, Origin, SignatureReason, sign_manifest};
///
/// let key = SigningKey::from_jwk(br#"{"kty":"OKP","crv":"Ed25519","kid":"test-1",
///     "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
///     "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#)?;
/// let manifest = br#"{"version":"0.1","topics":["tea"],"entity":{"canonical_url":"https://Shop.example"}}"#;
/// let signed = sign_manifest(manifest, &key, JwsForm::Attached)?;
///
/// let keys = JwkSet::parse(br#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"test-1",
///     "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#)?;
/// let verifier = ManifestVerifier::new(&keys, Origin::FetchedFrom("https://shop.example/llmindex.json"));
/// assert!(verifier.verify(signed.as_bytes())?.is_valid());
///
/// // After changing one word, the signature no longer matches.
/// let forged = signed.replace("tea", "coffee");
/// assert_eq!(verifier.verify(forged.as_bytes())?.reason, SignatureReason::PayloadMismatch);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ManifestVerifier<'a> {
    keys: &'a JwkSet,
    origin: Origin<'a>,
    limits: Limits,
}

/// Where a manifest came from.
///
/// Spec: LLMI-AMB-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// From this host, or from this URL: the manifest must be about the same host. Letter case, a final dot, and
    /// whether a name is written in Unicode or A-labels make no difference. A text that is neither matches no manifest.
    FetchedFrom(&'a str),
    /// The origin is not checked: a valid signature then shows who made the manifest, not that its server may use
    /// it. Anybody can serve somebody else's signed manifest.
    Unchecked,
}

impl Origin<'_> {
    fn allows(self, canonical_host: Option<&str>) -> bool {
        match self {
            Origin::Unchecked => true,
            Origin::FetchedFrom(text) => {
                let own = host_of(text);
                own.is_some() && own == canonical_host.and_then(host_of)
            }
        }
    }
}

/// The host that a text names, by itself or in a URL: lower case, A-labels, no final dot.
fn host_of(text: &str) -> Option<String> {
    let host = if text.contains("://") {
        Url::parse(text).ok()?.host()?.to_owned()
    } else {
        Host::parse(text).ok()?
    };
    let host = host.to_string();
    let host = host.strip_suffix('.').unwrap_or(&host);
    if host.is_empty() { None } else { Some(host.to_owned()) }
}

impl<'a> ManifestVerifier<'a> {
    /// A verifier that trusts these keys (the publisher's, from a source that the caller trusts, LLMI-AMB-26) for
    /// manifests of this origin.
    ///
    /// Spec: LLMI-AMB-6, LLMI-AMB-26.
    #[must_use]
    pub fn new(keys: &'a JwkSet, origin: Origin<'a>) -> Self {
        ManifestVerifier { keys, origin, limits: Limits::MANIFEST }
    }

    /// Sets the limits of size and depth; the default is 1 MiB and 64 levels (LLMI-AMB-29).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether `manifest` is validly signed by one of the keys. `O(n log n)` in its size.
    ///
    /// # Errors
    /// A text that is not a JSON object, or past the limits: [`SignedManifestError`]. Everything else, a member that appears
    /// twice included, is a verdict.
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-SIG-2 to LLMI-SIG-6, LLMI-AMB-9, LLMI-AMB-20 to LLMI-AMB-22.
    pub fn verify(&self, manifest: &[u8]) -> Result<SignatureReport, SignedManifestError> {
        let text = match parse(manifest, &self.limits)? {
            Ok(text) => text,
            Err(reason) => return Ok(SignatureReport::unread(reason)),
        };
        let mut report = SignatureReport::about(&text, manifest);
        report.reason = match self.check(&text, &mut report) {
            Ok(()) => SignatureReason::Valid,
            Err(reason) => reason,
        };
        Ok(report)
    }

    fn check(&self, text: &ManifestText<'_>, report: &mut SignatureReport) -> Result<(), SignatureReason> {
        let sig = match text.sig() {
            Member::Absent => return Err(SignatureReason::SigMissing),
            Member::Defective => return Err(SignatureReason::SigDefective),
            Member::Present(sig) => sig,
        };
        report.kid = Some(sig.kid.clone().into_owned());
        if !self.origin.allows(report.canonical_host.as_deref()) {
            return Err(SignatureReason::OriginMismatch);
        }
        let canonical = canonical_bytes(text, &self.limits)?;
        let jws = jws::Compact::split(&sig.jws)?;
        let header = jws.header()?;
        header.check(&sig)?;
        let form = header.form(&jws)?;
        let key = keys::verification_key(self.keys, &sig.kid, &sig.alg)?;
        let signature = jws.signature()?;
        let message = jws.signing_input(form, &canonical);
        if !key.verifies(&message, &signature) {
            return Err(SignatureReason::SignatureMismatch);
        }
        report.form = Some(form);
        if form == JwsForm::Attached { jws.check_payload(&canonical) } else { Ok(()) }
    }
}

/// Reads the manifest. Its inner error is a verdict: a text that readers could understand in two ways is never
/// validly signed.
fn parse<'a>(
    manifest: &'a [u8],
    limits: &Limits,
) -> Result<Result<ManifestText<'a>, SignatureReason>, SignedManifestError> {
    match ManifestText::parse(manifest, limits) {
        Ok(text) => Ok(Ok(text)),
        Err(error) => match error.kind() {
            LlmindexTextErrorKind::DuplicateMember => Ok(Err(SignatureReason::DuplicateMember)),
            LlmindexTextErrorKind::LoneSurrogate => Ok(Err(SignatureReason::LoneSurrogate)),
            _ => Err(SignedManifestError(error)),
        },
    }
}

/// The bytes that a signature covers: the manifest without its top-level `sig`, in the form of RFC
/// 8785.
///
/// Spec: LLMI-SIG-1, LLMI-AMB-20, LLMI-AMB-21.
fn canonical_bytes(text: &ManifestText<'_>, limits: &Limits) -> Result<Vec<u8>, SignatureReason> {
    Canonicalizer::new(Profile::Rfc8785)
        .max_depth(limits.max_depth)
        .to_canonical(text.without_sig().as_bytes())
        .map_err(|_| SignatureReason::NoCanonicalForm)
}

/// The result of checking a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct SignatureReport {
    /// The result.
    pub reason: SignatureReason,
    /// The key that `sig` names; a claim unless the signature is valid.
    pub kid: Option<String>,
    /// How the manifest was signed, once the signature itself was good.
    pub form: Option<JwsForm>,
    /// The host of `entity.canonical_url`, where it has one.
    pub canonical_host: Option<String>,
    /// `updated_at`, where it is a timestamp.
    pub updated_at: Option<Timestamp>,
    uncovered: Uncovered,
}

impl SignatureReport {
    /// Whether the manifest is validly signed.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.reason == SignatureReason::Valid
    }

    /// Whether the manifest is older than the newest one seen so far, whose `updated_at` the caller kept. A
    /// manifest without a readable `updated_at` counts as older.
    ///
    /// Spec: LLMI-AMB-27.
    #[must_use]
    pub fn is_rollback(&self, last_seen: &Timestamp) -> bool {
        self.updated_at.is_none_or(|at| at.instant() < last_seen.instant())
    }

    /// Whether `updated_at` lies more than five minutes ahead of `now`.
    ///
    /// Spec: LLMI-AMB-27.
    #[must_use]
    pub fn is_from_the_future(&self, now: UnixSeconds) -> bool {
        let latest = i64::try_from(now.0.saturating_add(MAX_CLOCK_SKEW_SECS)).unwrap_or(i64::MAX);
        self.updated_at.as_ref().is_some_and(|at| at.unix_seconds() > latest)
    }

    /// What a valid signature does not prove, and which parts of this text it does not cover.
    ///
    /// It covers the manifest's canonical form (RFC 8785) without the member `sig`: every name and value, and each number
    /// as the nearest double.
    ///
    /// Spec: LLMI-SIG-1, LLMI-AMB-20, LLMI-AMB-21, LLMI-AMB-26, LLMI-AMB-27.
    #[must_use]
    pub fn caveats(&self) -> Vec<Caveat> {
        let mut caveats = vec![Caveat::KeyIsTheCallersTrust, Caveat::NoExpiry];
        let is_reference = self.form == Some(JwsForm::Reference);
        // The reference form signs the digits of integers and the text of other numbers as Python prints them.
        let found = [
            (is_reference, Caveat::HeaderNotSigned),
            (self.uncovered.has_inexact_integers && !is_reference, Caveat::InexactIntegers),
            (self.uncovered.has_respelled_numbers, Caveat::RespelledNumbers),
            (self.uncovered.has_unknown_sig_members, Caveat::UnsignedSigMembers),
        ];
        caveats.extend(found.into_iter().filter(|(is_found, _)| *is_found).map(|(_, caveat)| caveat));
        caveats
    }

    fn unread(reason: SignatureReason) -> Self {
        SignatureReport {
            reason,
            kid: None,
            form: None,
            canonical_host: None,
            updated_at: None,
            uncovered: Uncovered::default(),
        }
    }

    fn about(text: &ManifestText<'_>, manifest: &[u8]) -> Self {
        SignatureReport {
            canonical_host: text.canonical_host(),
            updated_at: text.updated_at(),
            uncovered: Uncovered::of(manifest),
            ..SignatureReport::unread(SignatureReason::SigMissing)
        }
    }
}

/// Why a text could not be read as a manifest at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedManifestError(LlmindexTextError);

impl SignedManifestError {
    /// What was wrong with the text.
    #[must_use]
    pub fn kind(&self) -> LlmindexTextErrorKind {
        self.0.kind()
    }

    /// Stable name, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.0.kind() {
            LlmindexTextErrorKind::NotUtf8 => "not-utf8",
            LlmindexTextErrorKind::TooLong => "too-long",
            LlmindexTextErrorKind::TooDeep => "too-deep",
            LlmindexTextErrorKind::DuplicateMember => "duplicate-member",
            LlmindexTextErrorKind::LoneSurrogate => "lone-surrogate",
            _ => "not-json",
        }
    }

    /// Where, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset()
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.0.requirement()
    }
}

impl fmt::Display for SignedManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl core::error::Error for SignedManifestError {}

#[cfg(test)]
mod tests;
