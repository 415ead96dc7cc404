use jwk::SigningKey;
use llmindex_types::web_values::Timestamp;

use super::*;
use crate::{Domain, NoSuffixes, Protocol};

const JWK: &str = r#"{"kty":"OKP","crv":"Ed25519","kid":"test-1","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;

const MANIFEST: &str = r#"{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{"canonical_url":"https://Example.com/"}}"#;

fn key() -> SigningKey {
    SigningKey::from_jwk(JWK.as_bytes()).unwrap()
}

/// The set of the one key, `d` and all: a private member too many does not matter here.
fn keys() -> JwkSet {
    JwkSet::parse(format!(r#"{{"keys":[{JWK}]}}"#).as_bytes()).unwrap()
}

#[test]
fn what_is_signed_verifies_in_every_form() {
    for form in [JwsForm::Attached, JwsForm::Detached, JwsForm::Unencoded] {
        let signed = sign_manifest(MANIFEST.as_bytes(), &key(), form).unwrap();
        let report = ManifestVerifier::new(&keys()).verify(signed.as_bytes()).unwrap();
        assert_eq!((report.reason, report.form), (SignatureReason::Valid, Some(form)));
        assert_eq!(report.kid.as_deref(), Some("test-1"));
        assert_eq!(report.caveats(), [Caveat::KeyIsTheCallersTrust, Caveat::NoExpiry]);
    }
    let error = sign_manifest(MANIFEST.as_bytes(), &key(), JwsForm::Reference).unwrap_err();
    assert_eq!(error.kind(), &SignErrorKind::NotWritten);
}

#[test]
fn a_key_of_raw_bytes_is_that_of_its_jwk() {
    let secret = super::jws::decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A").unwrap();
    let made = SigningKey::from_secret(&secret.try_into().unwrap()).with_kid("test-1");
    let read = SigningKey::from_jwk(made.to_private_jwk().as_bytes()).unwrap();
    let public = made.to_public_jwk_set();
    assert!(public.contains("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo") && !public.contains("nWGx"));
    assert_eq!(made.to_private_jwk(), key().to_private_jwk());
    for key in [made, read] {
        let signed = sign_manifest(MANIFEST.as_bytes(), &key, JwsForm::Detached).unwrap();
        let published = JwkSet::parse(public.as_bytes()).unwrap();
        assert!(ManifestVerifier::new(&published).verify(signed.as_bytes()).unwrap().is_valid());
    }
    let nameless = SigningKey::from_secret(&[7; 32]);
    let error = sign_manifest(MANIFEST.as_bytes(), &nameless, JwsForm::Detached).unwrap_err();
    assert_eq!(error.kind(), &SignErrorKind::NoKid);
}

#[test]
fn a_manifest_of_another_host_is_not_this_hosts() {
    let signed = sign_manifest(MANIFEST.as_bytes(), &key(), JwsForm::Detached).unwrap();
    let keys = keys();
    let reason =
        |host| ManifestVerifier::new(&keys).fetched_from(host).verify(signed.as_bytes()).unwrap().reason;
    assert_eq!(reason("example.com"), SignatureReason::Valid);
    assert_eq!(reason("www.example.com"), SignatureReason::OriginMismatch);
    assert_eq!(reason("evil.example"), SignatureReason::OriginMismatch);
}

#[test]
fn age_is_reported_and_left_to_the_caller() {
    let signed = sign_manifest(MANIFEST.as_bytes(), &key(), JwsForm::Detached).unwrap();
    let report = ManifestVerifier::new(&keys()).verify(signed.as_bytes()).unwrap();
    let at = |text: &str| Timestamp::parse(text).unwrap();
    assert!(!report.is_rollback(&at("2026-02-20T00:00:00Z")));
    assert!(!report.is_rollback(&at("2026-02-20T01:00:00+01:00")));
    assert!(report.is_rollback(&at("2026-02-20T00:00:00.001Z")));
    assert!(report.is_rollback(&at("2026-02-21T00:00:00Z")));
    let updated_at = u64::try_from(at("2026-02-20T00:00:00Z").unix_seconds()).unwrap();
    assert!(!report.is_from_the_future(UnixSeconds(updated_at - MAX_CLOCK_SKEW_SECS)));
    assert!(report.is_from_the_future(UnixSeconds(updated_at - MAX_CLOCK_SKEW_SECS - 1)));
    assert!(!report.is_from_the_future(UnixSeconds(u64::MAX)));
    let undated = ManifestVerifier::new(&keys()).verify(b"{}").unwrap();
    assert!(undated.is_rollback(&at("1970-01-01T00:00:00Z")) && !undated.is_from_the_future(UnixSeconds(0)));
}

#[test]
fn limits_end_the_reading() {
    let keys = keys();
    let deep = format!("{}{}", r#"{"a":"#.repeat(65), "1".to_owned() + &"}".repeat(65));
    let error = ManifestVerifier::new(&keys).verify(deep.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), LlmindexTextErrorKind::TooDeep);
    let limits = Limits::MANIFEST.with_max_depth(65).with_max_bytes(1000);
    let report = ManifestVerifier::new(&keys).limits(limits).verify(deep.as_bytes()).unwrap();
    assert_eq!(report.reason, SignatureReason::SigMissing);
    let error = ManifestVerifier::new(&keys).limits(limits).verify(&[b' '; 1001]).unwrap_err();
    assert_eq!(error.kind(), LlmindexTextErrorKind::TooLong);
}

#[test]
fn a_key_url_is_a_hint_on_the_same_origin_only() {
    let domain = Domain::parse(Protocol::Llmindex, "example.com", &NoSuffixes).unwrap();
    assert_eq!(key_url_hint("https://EXAMPLE.com/key", &domain).as_deref(), Some("https://example.com/key"));
    for kid in [
        "test-1",
        "http://example.com/key",
        "https://www.example.com/key",
        "https://example.com:8443/key",
        "https://user@example.com/key",
        "javascript:1",
    ] {
        assert_eq!(key_url_hint(kid, &domain), None, "{kid}");
    }
}
