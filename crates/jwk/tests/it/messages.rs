//! The text of every error message, as a reviewed file.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use insta::assert_snapshot;
use jwk::{JwkSet, SigningKey, Thumbprint};

#[test]
fn key_errors() {
    let jwk = |members: &str| format!(r#"{{"kty":"OKP","crv":"Ed25519"{members}}}"#);
    let x = r#","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#;
    let other = r#","d":"TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs""#;
    let key_error = |json: String| SigningKey::from_jwk(json.as_bytes()).unwrap_err().to_string();
    let set_error = |json: &str| JwkSet::parse(json.as_bytes()).unwrap_err().to_string();
    let messages = [
        set_error("x"),
        set_error("{}"),
        JwkSet::default().only_key().unwrap_err().to_string(),
        key_error(jwk("")),
        key_error(jwk(x)),
        key_error(jwk(&format!("{x}{other}"))),
        key_error(jwk(r#","use":"enc""#)),
        key_error(r#"{"kty":"OKP","crv":"X25519"}"#.into()),
        "a".parse::<Thumbprint>().unwrap_err().to_string(),
        "~".repeat(43).parse::<Thumbprint>().unwrap_err().to_string(),
    ];
    assert_snapshot!(messages.join("\n"));
}
