//! Signed manifests, mutated in any way: nothing panics, and whatever verifies is one of the manifests that were
//! really signed, to the last member.

#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use jwk::JwkSet;
use llmindex_types::{Limits, ManifestText};
use tct_canonical_json::Profile;
use verify::{ManifestVerifier, Origin, verify_reference_form};

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

fuzz_target!(|manifest: &[u8]| {
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
