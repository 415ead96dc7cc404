//! Signed manifests, mutated in any way: nothing panics, and whatever verifies is one of the manifests that were
//! really signed, to the last member. Every input that can be signed is signed here too: it verifies, and with one byte
//! changed it verifies only where it still means the same.

#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use jwk::{JwkSet, SigningKey};
use llmindex_types::{Limits, ManifestText};
use tct_canonical_json::Profile;
use verify::{JwsForm, ManifestVerifier, Origin, sign_manifest, verify_reference_form};

static KEYS: LazyLock<JwkSet> = LazyLock::new(|| {
    JwkSet::parse(
        br#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"test-1","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#,
    )
    .unwrap()
});

/// The canonical bytes of every manifest that a published vector calls validly signed.
static SIGNED: LazyLock<BTreeSet<Vec<u8>>> = LazyLock::new(|| {
    let set = spec_vectors::set("verify/jws").unwrap();
    set.cases
        .iter()
        .filter(|case| case.expected.ok().is_some_and(|ok| ok.get("valid") == Some(&true.into())))
        .map(|case| canonical(&STANDARD.decode(case.input["manifest_b64"].as_str().unwrap()).unwrap()))
        .collect()
});

/// A key of our own, and its public half.
static OWN: LazyLock<(SigningKey, JwkSet)> = LazyLock::new(|| {
    let key = SigningKey::from_secret(&[7; 32]).with_kid("own");
    let keys = JwkSet::parse(key.to_public_jwk_set().as_bytes()).unwrap();
    (key, keys)
});

/// Signs the manifest in both forms, and changes one byte: where and how the last three bytes of the input say.
fn signed_here(input: &[u8]) {
    let Some((manifest, [high, low, change])) = input.split_last_chunk::<3>() else { return };
    let (key, keys) = &*OWN;
    for form in [JwsForm::Attached, JwsForm::Detached] {
        let Ok(signed) = sign_manifest(manifest, key, form) else { continue };
        let report = ManifestVerifier::new(keys, Origin::Unchecked).verify(signed.as_bytes()).unwrap();
        assert!(report.is_valid(), "{}", report.reason);
        let mut changed = signed.clone().into_bytes();
        let at = usize::from(u16::from_be_bytes([*high, *low])) % changed.len();
        changed[at] ^= change.max(&1);
        if let Ok(report) = ManifestVerifier::new(keys, Origin::Unchecked).verify(&changed) {
            assert!(!report.is_valid() || canonical(&changed) == canonical(signed.as_bytes()), "byte {at}");
        }
    }
}

fuzz_target!(|manifest: &[u8]| {
    signed_here(manifest);
    if let Ok(report) = ManifestVerifier::new(&KEYS, Origin::Unchecked).verify(manifest) {
        assert!(!report.is_valid() || SIGNED.contains(&canonical(manifest)));
        assert_eq!(report.is_valid(), report.reason.code() == "valid");
    }
    if let Ok(report) = verify_reference_form(manifest, &KEYS.only_key().unwrap()) {
        assert!(!report.is_valid() || SIGNED.contains(&canonical(manifest)));
    }
    // The same bytes as a key set and as a private key.
    let _ = JwkSet::parse(manifest);
    let _ = jwk::SigningKey::from_jwk(manifest);
});

fn canonical(manifest: &[u8]) -> Vec<u8> {
    let text = ManifestText::parse(manifest, &Limits::MANIFEST).unwrap();
    tct_canonical_json::to_canonical(text.without_sig().as_bytes(), Profile::Rfc8785).unwrap()
}
