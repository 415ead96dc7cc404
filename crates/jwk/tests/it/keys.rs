//! Keys as they are found in the wild, and as an attacker would publish them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail where it stands")]

#[cfg(feature = "p256")]
use covers::covers;
use jwk::{Algorithm, Jwk, JwkErrorKind, JwkSet, KeyFault, SigningKey, Thumbprint};

const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const D: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const P256_X: &str = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4";
const P256_Y: &str = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM";

fn okp(more: &str) -> Jwk {
    Jwk::parse(format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{X}"{more}}}"#).as_bytes()).unwrap()
}

#[test]
fn thumbprints_cover_the_required_members_alone() {
    let plain = okp("").thumbprint().unwrap();
    assert_eq!(plain.to_string(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    for noise in [r#","kid":"a""#, r#","use":"enc""#, r#","d":"AAAA""#, r#","nbf":1,"alg":"none""#] {
        assert_eq!(okp(noise).thumbprint(), Some(plain), "{noise}");
    }
    for (json, expected) in [
        (r#"{"kty":"oct","k":"AQIDBA"}"#, Some("wu1x1E8ZalDXyCmkHbObTJtYLf1tsvgFQPkQrPV0Wl0")),
        (r#"{"kty":"OKP","crv":"Ed25519"}"#, None),
        (r#"{"kty":"OKP","crv":"Ed25519","x":7}"#, None),
        (r#"{"kty":"OKP","crv":"Ed25519","x":"\""}"#, None),
        (r#"{"kty":"new","crv":"Ed25519","x":"AAAA"}"#, None),
        ("{}", None),
    ] {
        let thumbprint = Jwk::parse(json.as_bytes()).unwrap().thumbprint();
        assert_eq!(thumbprint.map(|t| t.to_string()).as_deref(), expected, "{json}");
    }
}

#[test]
fn a_thumbprint_has_one_spelling() {
    let text = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
    assert_eq!(text.parse::<Thumbprint>().unwrap().to_string(), text);
    for other in ["", "key-1", &text.replace('k', "+"), &format!("{}l", &text[..42]), &format!("{text}=")] {
        assert!(other.parse::<Thumbprint>().is_err(), "{other}");
    }
    let error = "key-1".parse::<Thumbprint>().unwrap_err();
    assert_eq!(error.to_string(), "expected a thumbprint of 43 characters, found 5");
}

#[test]
fn private_members_are_noticed_and_never_kept_or_printed() {
    let key = okp(&format!(r#","d":"{D}""#));
    assert!(key.has_private_members() && !okp("").has_private_members());
    let secret = Jwk::parse(br#"{"kty":"oct","k":"c2VjcmV0LXNlY3JldA","alg":"HS256"}"#).unwrap();
    assert!(secret.has_private_members());
    let set: JwkSet = [key, secret].into_iter().collect();
    let debug = format!("{set:?}");
    assert!(!debug.contains(D) && !debug.contains("c2VjcmV0"), "{debug}");
    let signing = SigningKey::from_jwk(
        format!(r#"{{"kty":"OKP","crv":"Ed25519","kid":"a","d":"{D}","x":"{X}"}}"#).as_bytes(),
    );
    assert_eq!(format!("{:?}", signing.unwrap()), r#"SigningKey { kid: Some("a"), alg: "EdDSA", .. }"#);
}

#[test]
fn the_algorithm_follows_from_the_key() {
    for (json, expected) in [
        (r#"{"kty":"OKP","crv":"Ed25519"}"#, Ok(Algorithm::Ed25519)),
        (r#"{"kty":"OKP","crv":"Ed25519","alg":"EdDSA"}"#, Ok(Algorithm::Ed25519)),
        (r#"{"kty":"OKP","crv":"Ed25519","alg":"ed25519"}"#, Ok(Algorithm::Ed25519)),
        (r#"{"kty":"OKP","crv":"Ed25519","alg":"HS256"}"#, Err(KeyFault::Alg)),
        (r#"{"kty":"OKP","crv":"Ed25519","alg":7}"#, Err(KeyFault::Alg)),
        (r#"{"kty":"OKP","crv":"X25519"}"#, Err(KeyFault::Curve)),
        (r#"{"kty":"EC","crv":"P-256","alg":"ES256"}"#, Ok(Algorithm::EcdsaP256Sha256)),
        (r#"{"kty":"EC","crv":"P-256","alg":"ES384"}"#, Err(KeyFault::Alg)),
        (r#"{"kty":"EC","crv":"P-384"}"#, Err(KeyFault::NotBuiltIn)),
        (r#"{"kty":"RSA"}"#, Ok(Algorithm::RsaPssSha512)),
        (r#"{"kty":"RSA","alg":"RS256"}"#, Err(KeyFault::NotBuiltIn)),
        (r#"{"kty":"RSA","alg":"HS256"}"#, Err(KeyFault::Alg)),
        (r#"{"kty":"oct"}"#, Err(KeyFault::Alg)),
        (r#"{"kty":"oct","alg":"HS256"}"#, Ok(Algorithm::HmacSha256)),
        (r#"{"alg":"EdDSA"}"#, Err(KeyFault::Type)),
    ] {
        assert_eq!(Jwk::parse(json.as_bytes()).unwrap().algorithm(), expected, "{json}");
    }
    for algorithm in
        [Algorithm::Ed25519, Algorithm::EcdsaP256Sha256, Algorithm::RsaPssSha512, Algorithm::HmacSha256]
    {
        assert_eq!(Algorithm::from_http_name(algorithm.http_name()), Some(algorithm));
    }
    assert_eq!(Algorithm::from_http_name("EdDSA"), None);
}

#[test]
fn unusable_keys_say_why() {
    for (more, fault) in [
        (r#","use":"enc""#, KeyFault::Use),
        (r#","use":null"#, KeyFault::Use),
        (r#","key_ops":["sign"]"#, KeyFault::Ops),
        (r#","key_ops":"verify""#, KeyFault::Ops),
        (r#","alg":"ES256""#, KeyFault::Alg),
    ] {
        assert_eq!(okp(more).public_key().unwrap_err(), fault, "{more}");
    }
    assert!(okp(r#","use":"sig","key_ops":["verify"],"alg":"EdDSA""#).public_key().is_ok());
    let neutral = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let other_neutral = "7v_______________________________________38";
    for (x, fault) in [
        ("", KeyFault::Malformed),
        ("AAAA", KeyFault::Malformed),
        (&format!("{X}="), KeyFault::Malformed),
        (neutral, KeyFault::Weak),
        (other_neutral, KeyFault::NonCanonical),
    ] {
        let key = Jwk::parse(format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{x}"}}"#).as_bytes()).unwrap();
        assert_eq!(key.public_key().unwrap_err(), fault, "{x}");
    }
    let short_rsa = Jwk::parse(br#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#).unwrap();
    assert_eq!(short_rsa.public_key().unwrap_err(), KeyFault::Weak);
    let long = "v".repeat(342);
    let rsa = Jwk::parse(format!(r#"{{"kty":"RSA","n":"{long}","e":"AQAB"}}"#).as_bytes()).unwrap();
    assert!(rsa.thumbprint().is_some());
    // 342 characters of `v` have stray bits at the end: not a modulus at all.
    assert_eq!(rsa.public_key().unwrap_err(), KeyFault::Weak);
}

#[test]
fn a_jose_header_must_name_the_keys_own_alg() {
    assert!(okp("").public_key_for("EdDSA").is_ok() && okp("").public_key_for("Ed25519").is_ok());
    let named = okp(r#","alg":"Ed25519""#);
    assert!(named.public_key_for("Ed25519").is_ok());
    assert_eq!(named.public_key_for("EdDSA").unwrap_err(), KeyFault::Alg);
}

#[test]
fn times_bound_a_key_on_both_sides() {
    for (more, now, expected) in [
        ("", 0, true),
        (r#","nbf":100"#, 99, false),
        (r#","nbf":100"#, 100, true),
        (r#","exp":100"#, 99, true),
        (r#","exp":100"#, 100, false),
        (r#","nbf":1790000000000"#, 1_790_000_000, true),
        (r#","nbf":1790000000000"#, 1_789_999_999, false),
        (r#","exp":"100""#, 1, false),
        (r#","nbf":"1""#, 100, false),
        (r#","exp":1e300"#, u64::MAX, false),
        (r#","exp":-1e300"#, 0, false),
        (r#","nbf":null"#, 100, false),
    ] {
        assert_eq!(okp(more).is_current(now), expected, "{more} at {now}");
    }
}

#[test]
fn sets_are_read_strictly_or_entry_by_entry() {
    for (json, expected) in [
        ("", JwkErrorKind::NotJson),
        ("[]", JwkErrorKind::NotJson),
        ("\u{feff}{\"keys\":[]}", JwkErrorKind::NotJson),
        (r#"{"keys":[],"keys":[]}"#, JwkErrorKind::NotJson),
        ("{}", JwkErrorKind::NoKeys),
        (r#"{"keys":{}}"#, JwkErrorKind::NoKeys),
        (r#"{"keys":[1]}"#, JwkErrorKind::NoKeys),
    ] {
        assert_eq!(JwkSet::parse(json.as_bytes()).unwrap_err().kind(), expected, "{json}");
    }
    let mixed = format!(r#"{{"keys":[1,{{"kty":"OKP","crv":"Ed25519","x":"{X}"}}]}}"#);
    let set = JwkSet::parse_lenient(mixed.as_bytes(), 1000).unwrap();
    assert_eq!(set.keys().len(), 2);
    assert_eq!(set.keys()[0].public_key().unwrap_err(), KeyFault::Type);
    assert!(set.keys()[1].public_key().is_ok());
    assert_eq!(JwkSet::parse_lenient(mixed.as_bytes(), 10).unwrap_err().kind(), JwkErrorKind::NotJson);
    assert_eq!(set.only_key().unwrap_err().kind(), JwkErrorKind::NotOneKey { keys: 2 });
}

#[test]
fn two_keys_of_one_thumbprint_are_the_same_key() {
    let set: JwkSet = [okp(""), okp(r#","use":"enc""#), okp(r#","kid":"b""#)].into_iter().collect();
    let thumbprint = okp("").thumbprint().unwrap();
    assert_eq!(set.with_thumbprint(thumbprint).count(), 3);
    assert_eq!(set.with_kid("b").count(), 1);
}

#[test]
fn signing_keys_are_refused_with_a_reason() {
    let jwk = |members: &str| SigningKey::from_jwk(format!("{{{members}}}").as_bytes());
    let full = format!(r#""kty":"OKP","crv":"Ed25519","x":"{X}","d":"{D}""#);
    assert!(jwk(&full).is_ok());
    for (members, expected) in [
        ("\"kty\":\"oct\",\"k\":\"AQ\"".to_owned(), JwkErrorKind::Unusable(KeyFault::Type)),
        (full.replace("Ed25519", "X25519"), JwkErrorKind::Unusable(KeyFault::Curve)),
        (full.clone() + r#","key_ops":["verify"]"#, JwkErrorKind::Unusable(KeyFault::Ops)),
        (full.clone() + r#","alg":"ES256""#, JwkErrorKind::Unusable(KeyFault::Alg)),
        (full.replace("\"d\"", "\"e\""), JwkErrorKind::NoPrivateKey),
        (full.replace(D, X), JwkErrorKind::KeysDiffer),
        (full.replace(X, "AAAA"), JwkErrorKind::Unusable(KeyFault::Malformed)),
        (full.clone() + r#","x":"AAAA""#, JwkErrorKind::NotJson),
    ] {
        assert_eq!(jwk(&members).unwrap_err().kind(), expected, "{members}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let key = SigningKey::from_secret(&[7; 32]).with_kid("a \"b\"");
    let read = SigningKey::from_jwk(key.to_private_jwk().as_bytes()).unwrap();
    assert_eq!((read.kid(), read.thumbprint()), (key.kid(), key.thumbprint()));
    assert_eq!(read.to_private_jwk(), key.to_private_jwk());
    let public = Jwk::parse(key.to_directory_jwk().as_bytes()).unwrap();
    assert_eq!(public.kid(), Some(key.thumbprint().to_string().as_str()));
    assert!(!public.has_private_members());
    assert!(public.public_key().unwrap().verifies(b"m", &key.sign(b"m")));
    let set = JwkSet::parse(key.to_public_jwk_set().as_bytes()).unwrap();
    assert_eq!(set.keys()[0].kid(), Some("a \"b\""));
    assert_eq!(key.clone().with_kid("").kid(), None);
    assert!(JwkSet::parse(key.with_kid("").to_public_jwk_set().as_bytes()).unwrap().only_key().is_ok());
}

#[test]
fn signatures_of_another_length_are_not_signatures() {
    let key = SigningKey::from_secret(&[7; 32]);
    let public = okp("").public_key().unwrap();
    let own = Jwk::parse(key.to_public_jwk().as_bytes()).unwrap().public_key().unwrap();
    let signature = key.sign(b"m");
    assert!(own.verifies(b"m", &signature) && !public.verifies(b"m", &signature));
    assert!(!own.verifies(b"m", &signature[..63]) && !own.verifies(b"m", &[]));
    assert!(!own.verifies(b"m", &[signature.as_slice(), &[0]].concat()));
}

#[cfg(feature = "p256")]
#[test]
fn p256_keys_are_points_of_the_curve() {
    let jwk = |x: &str, y: &str| {
        Jwk::parse(format!(r#"{{"kty":"EC","crv":"P-256","x":"{x}","y":"{y}"}}"#).as_bytes()).unwrap()
    };
    assert_eq!(jwk(P256_X, P256_Y).public_key().unwrap().algorithm(), Algorithm::EcdsaP256Sha256);
    assert_eq!(jwk(P256_X, P256_X).public_key().unwrap_err(), KeyFault::Malformed);
    assert_eq!(jwk(P256_X, "AAAA").public_key().unwrap_err(), KeyFault::Malformed);
    assert!(!jwk(P256_X, P256_Y).public_key().unwrap().verifies(b"m", &[1; 64]));
}

/// Made and checked, and read back from its own JWK.
#[cfg(feature = "p256")]
#[test]
#[covers("SIG9421-ALG-3")]
fn p256_keys_sign() {
    let key = SigningKey::from_p256_secret(&[7; 32]).unwrap().with_kid("k");
    assert_eq!((key.algorithm(), key.alg()), (Algorithm::EcdsaP256Sha256, "ES256"));
    let signature = key.sign(b"message");
    // RFC 6979: no random numbers.
    assert_eq!(key.sign(b"message"), signature);
    let public = Jwk::parse(key.to_public_jwk().as_bytes()).unwrap();
    assert_eq!((public.thumbprint(), public.has_private_members()), (Some(key.thumbprint()), false));
    let public = public.public_key().unwrap();
    assert!(public.verifies(b"message", &signature) && !public.verifies(b"other", &signature));
    let again = SigningKey::from_jwk(key.to_private_jwk().as_bytes()).unwrap();
    assert_eq!((again.sign(b"message"), again.kid()), (signature, Some("k")));
    assert!(!format!("{key:?}").contains("BwcHBw"));
    let other = SigningKey::from_p256_secret(&[8; 32]).unwrap().to_private_jwk();
    let d = |text: &str| text.split("\"d\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mixed = key.to_private_jwk().replace(&d(&key.to_private_jwk()), &d(&other));
    assert_eq!(SigningKey::from_jwk(mixed.as_bytes()).unwrap_err().kind(), JwkErrorKind::KeysDiffer);
    for bad in [[0; 32], [255; 32]] {
        assert!(SigningKey::from_p256_secret(&bad).is_err());
    }
}

#[cfg(not(feature = "p256"))]
#[test]
fn p256_keys_are_recognised_and_not_verified() {
    let json = format!(r#"{{"kty":"EC","crv":"P-256","x":"{P256_X}","y":"{P256_Y}"}}"#);
    assert_eq!(Jwk::parse(json.as_bytes()).unwrap().public_key().unwrap_err(), KeyFault::NotBuiltIn);
}

#[test]
fn names_of_algorithms_are_those_of_both_registries() {
    for (name, algorithm) in [
        ("EdDSA", Some(Algorithm::Ed25519)),
        ("Ed25519", Some(Algorithm::Ed25519)),
        ("ed25519", Some(Algorithm::Ed25519)),
        ("ES256", Some(Algorithm::EcdsaP256Sha256)),
        ("ecdsa-p256-sha256", Some(Algorithm::EcdsaP256Sha256)),
        ("PS512", Some(Algorithm::RsaPssSha512)),
        ("rsa-pss-sha512", Some(Algorithm::RsaPssSha512)),
        ("HS256", Some(Algorithm::HmacSha256)),
        ("hmac-sha256", Some(Algorithm::HmacSha256)),
        ("RS256", None),
        ("PS256", None),
        ("none", None),
        ("eddsa", None),
        ("", None),
    ] {
        assert_eq!(Algorithm::from_jwk_name(name), algorithm, "{name}");
        let is_http = algorithm.is_some_and(|algorithm| algorithm.http_name() == name);
        assert_eq!(Algorithm::from_http_name(name), algorithm.filter(|_| is_http), "{name}");
    }
    let thumbprint = okp("").thumbprint().unwrap();
    assert_eq!(format!("{thumbprint:?}"), format!("Thumbprint({thumbprint})"));
}

/// The bits of the modulus count, not the bytes that it is written with.
#[test]
fn rsa_keys_are_weak_below_2048_bits() {
    use base64::Engine as _;
    for (zeros, first, bytes, fault) in [
        (0, 0x80, 256, KeyFault::NotBuiltIn),
        (0, 0xff, 256, KeyFault::NotBuiltIn),
        (0, 0x7f, 256, KeyFault::Weak),
        (0, 0xff, 255, KeyFault::Weak),
        (0, 0x01, 257, KeyFault::NotBuiltIn),
        (1, 0x80, 256, KeyFault::NotBuiltIn),
        (1, 0x7f, 256, KeyFault::Weak),
        (9, 0xff, 255, KeyFault::Weak),
    ] {
        let mut modulus = vec![0; zeros];
        modulus.push(first);
        modulus.resize(zeros + bytes, 0xff);
        let n = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(modulus);
        let key = Jwk::parse(format!(r#"{{"kty":"RSA","n":"{n}","e":"AQAB"}}"#).as_bytes()).unwrap();
        assert_eq!(key.public_key().unwrap_err(), fault, "{zeros} zeros, {first:x}, {bytes} bytes");
    }
}
