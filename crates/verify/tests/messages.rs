//! The text of every error message, as a reviewed file.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use insta::assert_snapshot;
use robots::UserAgent;
use verify::{
    Domain, JwkSet, JwsForm, ManifestVerifier, NoSuffixes, Policy, Protocol, PublicSuffixes, SigningKey,
    Token, WellKnownCheck, sign_manifest,
};

struct Example;

impl PublicSuffixes for Example {
    fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str> {
        (name == "co.uk").then_some(name)
    }
}

fn domain() -> Domain {
    Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes).unwrap()
}

#[test]
fn domain_errors() {
    let long_label = format!("{}.com", "a".repeat(64));
    let long_name = vec!["a".repeat(60); 4].join(".");
    let texts = ["", "a b.com", "xn--a.com", "a..com", &long_label, &long_name, "192.0.2.1", "com", "co.uk"];
    let messages: Vec<_> = texts
        .into_iter()
        .map(|text| Domain::parse(Protocol::AiWebIndex, text, &Example).unwrap_err().to_string())
        .collect();
    assert_snapshot!(messages.join("\n"));
}

#[test]
fn token_errors() {
    let token = Token::issue(domain(), &[1; 16]).unwrap();
    let messages = [
        Token::issue(domain(), &[1; 15]).unwrap_err(),
        Token::issue(domain(), &[1; 65]).unwrap_err(),
        Token::expect(domain(), "a\nb").unwrap_err(),
        Token::expect(domain(), &"a".repeat(129)).unwrap_err(),
        token.rotate(&[1; 16]).unwrap_err(),
    ];
    assert_snapshot!(messages.map(|error| format!("{error} [{}]", error.requirement())).join("\n"));
}

#[test]
fn check_errors() {
    let token = Token::issue(domain(), &[1; 16]).unwrap();
    let crawler = UserAgent::builder().build().unwrap();
    let verifier = UserAgent::builder().verification(true).build().unwrap();
    let dns = verify::evaluate_dns(&token, &[], Policy::Any).unwrap_err();
    let agent = WellKnownCheck::new(token.clone(), &crawler, &NoSuffixes).unwrap_err();
    let asked = WellKnownCheck::new(token, &verifier, &NoSuffixes).unwrap().on_robots(true).unwrap_err();
    assert_snapshot!([dns.to_string(), agent.to_string(), asked.to_string()].join("\n"));
}

#[test]
fn signature_errors() {
    let jwk = |members: &str| format!(r#"{{"kty":"OKP","crv":"Ed25519"{members}}}"#);
    let x = r#","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#;
    let d = r#","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A""#;
    let other = r#","d":"TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs""#;
    let key_error = |json: String| SigningKey::from_jwk(json.as_bytes()).unwrap_err().to_string();
    let set_error = |json: &str| JwkSet::parse(json.as_bytes()).unwrap_err().to_string();
    let key = SigningKey::from_jwk(jwk(&format!(r#"{x}{d},"kid":"k""#)).as_bytes()).unwrap();
    let sign_error = |json: &str, form| sign_manifest(json.as_bytes(), &key, form).unwrap_err().to_string();
    let empty = JwkSet::parse(br#"{"keys":[]}"#).unwrap();
    let messages = [
        set_error("x"),
        set_error("{}"),
        empty.only_key().unwrap_err().to_string(),
        key_error(jwk("")),
        key_error(jwk(x)),
        key_error(jwk(&format!("{x}{d}"))),
        key_error(jwk(&format!(r#"{x}{other},"kid":"k""#))),
        key_error(r#"{"kty":"OKP","crv":"X25519"}"#.into()),
        sign_error("[]", JwsForm::Attached),
        sign_error(r#"{"a":1,"a":2}"#, JwsForm::Attached),
        sign_error(r#"{"a":1e999}"#, JwsForm::Attached),
        sign_error("{}", JwsForm::Reference),
        ManifestVerifier::new(&empty).verify(b"{").unwrap_err().to_string(),
    ];
    assert_snapshot!(messages.join("\n"));
}
