//! Keys: no private member is kept or printed, a usable key is one that this build verifies, and a signing key reads
//! back from its own JWK as the same.
#![no_main]

use jwk::{Jwk, JwkSet, SigningKey, Thumbprint};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: ([u8; 32], &str, &[u8])| {
    let (secret, kid, json) = data;
    if let Ok(key) = Jwk::parse(json) {
        check(&key);
    }
    let strict = JwkSet::parse(json);
    let lenient = JwkSet::parse_lenient(json, 1 << 16);
    if let Ok(set) = &strict {
        assert!(lenient.is_ok() || json.len() > 1 << 16);
        set.keys().iter().for_each(check);
        if let Ok(key) = set.only_key() {
            assert!(key.algorithm().is_built_in() && set.keys().len() == 1);
        }
    }
    if let Ok(key) = SigningKey::from_jwk(json) {
        round_trip(&key);
    }
    round_trip(&SigningKey::from_secret(&secret).with_kid(kid));
});

fn check(key: &Jwk) {
    if let Ok(public) = key.public_key() {
        assert!(public.algorithm().is_built_in());
        assert_eq!(key.algorithm(), Ok(public.algorithm()));
        assert!(key.thumbprint().is_some());
        // Nobody signed this.
        assert!(!public.verifies(b"message", &[1; 64]));
    }
    if let Some(thumbprint) = key.thumbprint() {
        assert_eq!(thumbprint.to_string().parse::<Thumbprint>(), Ok(thumbprint));
    }
}

fn round_trip(key: &SigningKey) {
    let again = SigningKey::from_jwk(key.to_private_jwk().as_bytes()).expect("what was written is read");
    assert_eq!((again.kid(), again.alg(), again.thumbprint()), (key.kid(), key.alg(), key.thumbprint()));
    let public = Jwk::parse(key.to_public_jwk().as_bytes()).expect("what was written is read");
    assert!(!public.has_private_members());
    assert_eq!(public.thumbprint(), Some(key.thumbprint()));
    assert!(public.public_key().unwrap().verifies(b"message", &again.sign(b"message")));
    let private = Jwk::parse(key.to_private_jwk().as_bytes()).expect("what was written is read");
    assert!(private.has_private_members());
    let secret = key.to_private_jwk();
    let d = secret.split("\"d\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("it has one");
    assert!(!format!("{private:?}{public:?}{key:?}").contains(d));
}
