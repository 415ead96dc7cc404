use covers::covers;
use jwk::SigningKey;
use llmindex_types::web_values::Timestamp;

use super::*;
use crate::{Domain, NoSuffixes, Protocol};

const JWK: &str = r#"{"kty":"OKP","crv":"Ed25519","kid":"test-1","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;

const MANIFEST: &str = r#"{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{"canonical_url":"https://Example.com/"}}"#;

fn key() -> SigningKey {
    SigningKey::from_jwk(JWK.as_bytes()).unwrap()
}

/// A set of the one key; its private member `d` is ignored.
fn keys() -> JwkSet {
    JwkSet::parse(format!(r#"{{"keys":[{JWK}]}}"#).as_bytes()).unwrap()
}

#[test]
fn what_is_signed_verifies_in_every_form() {
    for form in [JwsForm::Attached, JwsForm::Detached, JwsForm::Unencoded] {
        let signed = sign_manifest(MANIFEST.as_bytes(), &key(), form).unwrap();
        let report = ManifestVerifier::new(&keys(), Origin::Unchecked).verify(signed.as_bytes()).unwrap();
        assert_eq!((report.reason, report.form), (SignatureReason::Valid, Some(form)));
        assert_eq!(report.kid.as_deref(), Some("test-1"));
        assert_eq!(report.caveats(), [Caveat::KeyIsTheCallersTrust, Caveat::NoExpiry]);
    }
    let error = sign_manifest(MANIFEST.as_bytes(), &key(), JwsForm::Reference).unwrap_err();
    assert_eq!(error.kind(), &ManifestSignErrorKind::NotWritten);
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
        assert!(
            ManifestVerifier::new(&published, Origin::Unchecked)
                .verify(signed.as_bytes())
                .unwrap()
                .is_valid()
        );
    }
    let nameless = SigningKey::from_secret(&[7; 32]);
    let error = sign_manifest(MANIFEST.as_bytes(), &nameless, JwsForm::Detached).unwrap_err();
    assert_eq!(error.kind(), &ManifestSignErrorKind::NoKid);
}

#[test]
fn a_manifest_of_another_host_is_not_this_hosts() {
    let signed = sign_manifest(MANIFEST.as_bytes(), &key(), JwsForm::Detached).unwrap();
    let keys = keys();
    let reason = |host| {
        ManifestVerifier::new(&keys, Origin::FetchedFrom(host)).verify(signed.as_bytes()).unwrap().reason
    };
    assert_eq!(reason("example.com"), SignatureReason::Valid);
    for same in
        ["EXAMPLE.com", "example.com.", "https://example.com/llmindex.json", "https://Example.com.:443/"]
    {
        assert_eq!(reason(same), SignatureReason::Valid, "{same}");
    }
    for other in ["", "https://", "a b", "example.com.evil.example", "https://evil.example/example.com"] {
        assert_eq!(reason(other), SignatureReason::OriginMismatch, "{other}");
    }
    assert_eq!(reason("www.example.com"), SignatureReason::OriginMismatch);
    assert_eq!(reason("evil.example"), SignatureReason::OriginMismatch);
}

#[test]
fn age_is_reported_and_left_to_the_caller() {
    let signed = sign_manifest(MANIFEST.as_bytes(), &key(), JwsForm::Detached).unwrap();
    let report = ManifestVerifier::new(&keys(), Origin::Unchecked).verify(signed.as_bytes()).unwrap();
    let at = |text: &str| Timestamp::parse(text).unwrap();
    assert!(!report.is_rollback(&at("2026-02-20T00:00:00Z")));
    assert!(!report.is_rollback(&at("2026-02-20T01:00:00+01:00")));
    assert!(report.is_rollback(&at("2026-02-20T00:00:00.001Z")));
    assert!(report.is_rollback(&at("2026-02-21T00:00:00Z")));
    let updated_at = u64::try_from(at("2026-02-20T00:00:00Z").unix_seconds()).unwrap();
    assert!(!report.is_from_the_future(UnixSeconds(updated_at - MAX_CLOCK_SKEW_SECS)));
    assert!(report.is_from_the_future(UnixSeconds(updated_at - MAX_CLOCK_SKEW_SECS - 1)));
    assert!(!report.is_from_the_future(UnixSeconds(u64::MAX)));
    let undated = ManifestVerifier::new(&keys(), Origin::Unchecked).verify(b"{}").unwrap();
    assert!(undated.is_rollback(&at("1970-01-01T00:00:00Z")) && !undated.is_from_the_future(UnixSeconds(0)));
}

#[test]
fn limits_end_the_reading() {
    let keys = keys();
    let deep = format!("{}{}", r#"{"a":"#.repeat(65), "1".to_owned() + &"}".repeat(65));
    let error = ManifestVerifier::new(&keys, Origin::Unchecked).verify(deep.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), LlmindexTextErrorKind::TooDeep);
    let limits = Limits::MANIFEST.with_max_depth(65).with_max_bytes(1000);
    let report =
        ManifestVerifier::new(&keys, Origin::Unchecked).limits(limits).verify(deep.as_bytes()).unwrap();
    assert_eq!(report.reason, SignatureReason::SigMissing);
    let error =
        ManifestVerifier::new(&keys, Origin::Unchecked).limits(limits).verify(&[b' '; 1001]).unwrap_err();
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

/// Nothing is signed that the verifier would refuse for its limits.
#[test]
#[covers("LLMI-AMB-29")]
fn what_the_verifier_would_not_read_is_not_signed() {
    let keys = keys();
    let text = format!(r#"{{"a":"{}"}}"#, "x".repeat(1000));
    for form in [JwsForm::Attached, JwsForm::Detached] {
        let limits = |max: usize| Limits::MANIFEST.with_max_bytes(max);
        let signed = sign_manifest_within(text.as_bytes(), &key(), form, &limits(10_000)).unwrap();
        let exact = limits(signed.len());
        assert_eq!(sign_manifest_within(text.as_bytes(), &key(), form, &exact).unwrap(), signed);
        let verifier = ManifestVerifier::new(&keys, Origin::Unchecked).limits(exact);
        assert!(verifier.verify(signed.as_bytes()).unwrap().is_valid());
        let error =
            sign_manifest_within(text.as_bytes(), &key(), form, &limits(signed.len() - 1)).unwrap_err();
        assert_eq!(error.code(), "too-long");
    }
    let megabyte = format!(r#"{{"a":"{}"}}"#, "x".repeat(900_000));
    assert_eq!(sign_manifest(megabyte.as_bytes(), &key(), JwsForm::Attached).unwrap_err().code(), "too-long");
}

/// Changes that do not break the signature are reported as caveats.
#[test]
#[covers("LLMI-AMB-21")]
fn what_is_not_covered_is_a_caveat() {
    let keys = keys();
    let signed = sign_manifest(br#"{"n":9007199254740992}"#, &key(), JwsForm::Detached).unwrap();
    let caveats = |text: &str| {
        let report = ManifestVerifier::new(&keys, Origin::Unchecked).verify(text.as_bytes()).unwrap();
        assert!(report.is_valid(), "{text}");
        report.caveats()
    };
    let plain = [Caveat::KeyIsTheCallersTrust, Caveat::NoExpiry];
    assert_eq!(caveats(&signed), plain);
    let more = |text: &str| caveats(text).split_off(plain.len());
    let altered = signed.replace("9007199254740992", "9007199254740993");
    assert_eq!(more(&altered), [Caveat::InexactIntegers, Caveat::RespelledNumbers]);
    let respelled = signed.replace("9007199254740992", "9007199254740992.0");
    assert_eq!(more(&respelled), [Caveat::RespelledNumbers]);
    let noted = signed.replace("\"sig\":{", "\"sig\":{\"note\":\"trust me\",");
    assert_eq!(more(&noted), [Caveat::UnsignedSigMembers]);
}
