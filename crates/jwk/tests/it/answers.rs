//! What a key answers about itself, which fault is told first, and the name of each error with the rule behind it.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use covers::covers;
use jwk::{Algorithm, Jwk, JwkError, JwkErrorKind, JwkSet, KeyFault, SigningKey, Thumbprint};

/// RFC 8037, appendix A.
const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const D: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const THUMBPRINT: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

fn key(members: &str) -> Jwk {
    Jwk::parse(format!("{{{members}}}").as_bytes()).unwrap()
}

fn okp(more: &str) -> Jwk {
    key(&format!(r#""kty":"OKP","crv":"Ed25519","x":"{X}"{more}"#))
}

#[test]
fn algorithms_print_their_registered_names_and_say_which_are_built_in() {
    for (algorithm, name, is_built_in) in [
        (Algorithm::Ed25519, "ed25519", true),
        (Algorithm::EcdsaP256Sha256, "ecdsa-p256-sha256", cfg!(feature = "p256")),
        (Algorithm::RsaPssSha512, "rsa-pss-sha512", false),
        (Algorithm::HmacSha256, "hmac-sha256", false),
    ] {
        assert_eq!((algorithm.to_string().as_str(), algorithm.http_name()), (name, name));
        assert_eq!(algorithm.is_built_in(), is_built_in, "{name}");
    }
}

/// A directory's key has the thumbprint as its name or none.
#[test]
#[covers("WBA-DIR-4")]
fn a_directory_key_is_named_by_its_thumbprint_or_not_at_all() {
    for (members, expected) in [
        (String::new(), true),
        (format!(r#","kid":"{THUMBPRINT}""#), true),
        (r#","kid":"2026-a""#.to_owned(), false),
        (r#","kid":"""#.to_owned(), false),
        (r#","kid":null"#.to_owned(), false),
        // The thumbprint of another key, and a second spelling of the right one.
        (r#","kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U""#.to_owned(), false),
        (format!(r#","kid":"{THUMBPRINT}=""#), false),
    ] {
        assert_eq!(okp(&members).is_named_by_thumbprint(), expected, "{members}");
    }
    // Where there is no thumbprint, no name is it.
    assert!(!key(&format!(r#""kty":"new","kid":"{THUMBPRINT}""#)).is_named_by_thumbprint());
    assert!(key(r#""kty":"new""#).is_named_by_thumbprint());
}

/// Of several faults the first in the order of [`KeyFault`] is told, whoever asks.
#[test]
#[covers("SIG9421-KEY-1")]
fn the_first_fault_of_a_key_is_told() {
    let all_wrong = r#","use":"enc","key_ops":[],"alg":"ES256","x":"AAAA""#;
    for (members, fault) in [
        (format!(r#""kty":"AKP","crv":"X25519"{all_wrong}"#), KeyFault::Type),
        (format!(r#""crv":"Ed25519"{all_wrong}"#), KeyFault::Type),
        (format!(r#""kty":"OKP","crv":"X25519"{all_wrong}"#), KeyFault::Curve),
        (format!(r#""kty":"OKP"{all_wrong}"#), KeyFault::Curve),
        (format!(r#""kty":"EC","crv":"Ed25519"{all_wrong}"#), KeyFault::Curve),
        (format!(r#""kty":"OKP","crv":"Ed25519"{all_wrong}"#), KeyFault::Use),
        (format!(r#""kty":"OKP","crv":"Ed25519"{}"#, all_wrong.replace("enc", "sig")), KeyFault::Ops),
        (
            format!(
                r#""kty":"OKP","crv":"Ed25519"{}"#,
                all_wrong.replace("enc", "sig").replace("[]", r#"["verify"]"#)
            ),
            KeyFault::Alg,
        ),
        (r#""kty":"OKP","crv":"Ed25519","x":"AAAA""#.to_owned(), KeyFault::Malformed),
        (r#""kty":"OKP","crv":"Ed448","x":"AAAA""#.to_owned(), KeyFault::NotBuiltIn),
    ] {
        let key = key(&members);
        assert_eq!(key.public_key().unwrap_err(), fault, "{members}");
        // A JOSE header that names the key's own `alg` finds no fault with that.
        let for_es256 = key.public_key_for("ES256").unwrap_err();
        assert_eq!(for_es256, if fault == KeyFault::Alg { KeyFault::Malformed } else { fault }, "{members}");
    }
    // 31 and 33 bytes are no key.
    for x in ["A".repeat(42), "A".repeat(44)] {
        assert_eq!(okp("").public_key().map(|_| ()), Ok(()));
        let key = key(&format!(r#""kty":"OKP","crv":"Ed25519","x":"{x}""#));
        assert_eq!(key.public_key().unwrap_err(), KeyFault::Malformed, "{x}");
    }
}

#[test]
fn what_a_key_prints_names_it_and_nothing_more() {
    let named = okp(r#","kid":"a","alg":"EdDSA","use":"sig""#);
    assert_eq!((named.kty(), named.crv(), named.kid()), (Some("OKP"), Some("Ed25519"), Some("a")));
    assert_eq!(
        format!("{named:?}"),
        format!(
            r#"Jwk {{ kty: Some("OKP"), crv: Some("Ed25519"), kid: Some("a"), alg: Some("EdDSA"), thumbprint: Some(Thumbprint({THUMBPRINT})), .. }}"#
        )
    );
    let nameless = key(r#""kid":7,"alg":7"#);
    assert_eq!((nameless.kty(), nameless.crv(), nameless.kid()), (None, None, None));
    assert_eq!(
        format!("{nameless:?}"),
        "Jwk { kty: None, crv: None, kid: None, alg: None, thumbprint: None, .. }"
    );
}

/// The JOSE name that a signing key was given is the one that its signatures and its JWK use.
#[test]
#[covers("SIG9421-SIGN-1")]
fn a_signing_key_keeps_its_jose_name() {
    let read = |alg: &str| {
        let json = format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{X}","d":"{D}"{alg}}}"#);
        SigningKey::from_jwk(json.as_bytes()).unwrap()
    };
    for (alg, name) in [
        ("", "EdDSA"),
        (r#","alg":"EdDSA""#, "EdDSA"),
        (r#","alg":"Ed25519""#, "Ed25519"),
        (r#","alg":"ed25519""#, "EdDSA"),
    ] {
        let key = read(alg);
        assert_eq!((key.alg(), key.algorithm()), (name, Algorithm::Ed25519), "{alg}");
        assert!(key.to_public_jwk().contains(&format!(r#""alg":"{name}""#)), "{alg}");
    }
    // An empty name is none: the public JWK then has the thumbprint.
    assert_eq!(read(r#","kid":"""#).kid(), None);
    assert_eq!(
        read("").to_public_jwk(),
        format!(
            r#"{{"alg":"EdDSA","crv":"Ed25519","kid":"{THUMBPRINT}","kty":"OKP","use":"sig","x":"{X}"}}"#
        )
    );
}

#[test]
fn each_error_has_a_name_a_rule_and_a_sentence() {
    let faults = [
        (KeyFault::Type, "key-type"),
        (KeyFault::Curve, "key-curve"),
        (KeyFault::Use, "key-use"),
        (KeyFault::Ops, "key-ops"),
        (KeyFault::Alg, "key-alg"),
        (KeyFault::Malformed, "key-malformed"),
        (KeyFault::NonCanonical, "key-non-canonical"),
        (KeyFault::Weak, "key-weak"),
        (KeyFault::NotBuiltIn, "key-not-built-in"),
    ];
    for (fault, code) in faults {
        let error = JwkError::from(fault);
        assert_eq!((fault.code(), fault.to_string().as_str()), (code, code));
        assert_eq!((error.kind(), error.code()), (JwkErrorKind::Unusable(fault), code));
        assert_eq!(error.requirement(), "SIG9421-KEY-1");
        assert_eq!(
            error.to_string(),
            format!("expected a key for signatures, found one with the fault `{code}`")
        );
    }
    for (kind, code, requirement) in [
        (JwkErrorKind::NotJson, "jwk-not-json", "WBA-DIR-1"),
        (JwkErrorKind::NoKeys, "no-keys", "WBA-DIR-1"),
        (JwkErrorKind::NotOneKey { keys: 2 }, "not-one-key", "LLMI-SIG-4"),
        (JwkErrorKind::NoKid, "no-kid", "LLMI-SIG-4"),
        (JwkErrorKind::NoPrivateKey, "no-private-key", "SIG9421-SIGN-1"),
        (JwkErrorKind::KeysDiffer, "keys-differ", "SIG9421-SIGN-1"),
    ] {
        let error = JwkError::from(kind);
        assert_eq!((error.kind(), error.code(), error.requirement()), (kind, code, requirement));
        assert!(error.to_string().starts_with("expected "), "{error}");
    }
    assert_eq!(
        JwkError::from(JwkErrorKind::NotOneKey { keys: 2 }).to_string(),
        "expected a set of one key, found 2"
    );
    let error = "~".repeat(43).parse::<Thumbprint>().unwrap_err();
    assert_eq!(error.requirement(), "SIG9421-KEY-2");
    assert_eq!(error.to_string(), "expected base64url of 32 bytes, found another character or stray bits");
}

/// One MiB and 16 levels, exactly.
#[test]
#[covers("WBA-DIR-1")]
fn sets_have_limits_of_size_and_depth() {
    let kind =
        |json: &str| JwkSet::parse(json.as_bytes()).map(|set| set.keys().len()).map_err(|error| error.kind());
    let padded = |len: usize| format!("{{\"keys\":[]{}}}", " ".repeat(len - 11));
    assert_eq!(padded(1 << 20).len(), 1 << 20);
    assert_eq!(kind(&padded(1 << 20)), Ok(0));
    assert_eq!(kind(&padded((1 << 20) + 1)), Err(JwkErrorKind::NotJson));
    let deep = |levels: usize| format!(r#"{{"keys":[],"x":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
    assert_eq!(kind(&deep(127)), Ok(0));
    assert_eq!(kind(&deep(128)), Err(JwkErrorKind::NotJson));
    let keys = |json: &str, max| JwkSet::parse_lenient(json.as_bytes(), max).map(|set| set.keys().len());
    assert_eq!(keys(r#"{"keys":[1]}"#, 12), Ok(1));
    assert_eq!(keys(r#"{"keys":[1]}"#, 11).map_err(|error| error.kind()), Err(JwkErrorKind::NotJson));
}
