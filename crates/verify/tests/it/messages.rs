//! The text of every error message, as a reviewed file.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use covers::covers;
use insta::assert_snapshot;
use jwk::{JwkSet, SigningKey};
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use verify::{
    Domain, EXAMPLE_RESOLVERS, JwsForm, MAX_REDIRECTS, MIN_ENTROPY_BYTES, ManifestVerifier, NoSuffixes,
    Origin, Protocol, PublicSuffixes, QuorumPolicy, Token, WellKnownCheck, sign_manifest,
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
#[covers("AIWI-VEC-5")]
fn the_published_numbers() {
    assert_eq!(MAX_REDIRECTS, 3);
    assert_eq!(MIN_ENTROPY_BYTES * 8, 128);
    assert_eq!(EXAMPLE_RESOLVERS, ["1.1.1.1", "8.8.8.8", "9.9.9.9"]);
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
    let crawler = AiWebIndexAgent::builder(AiWebIndexVersion::V1).build().unwrap();
    let verifier = AiWebIndexAgent::builder(AiWebIndexVersion::V1).verification(true).build().unwrap();
    let dns = verify::evaluate_dns(&token, &[], QuorumPolicy::Any).unwrap_err();
    let agent = WellKnownCheck::new(token.clone(), &crawler, &NoSuffixes).unwrap_err();
    let asked = WellKnownCheck::new(token, &verifier, &NoSuffixes).unwrap().on_robots(true).unwrap_err();
    assert_snapshot!([dns.to_string(), agent.to_string(), asked.to_string()].join("\n"));
}

#[test]
fn signature_errors() {
    let nameless = SigningKey::from_secret(&[7; 32]);
    let key = nameless.clone().with_kid("k");
    let sign_error = |json: &str, form| sign_manifest(json.as_bytes(), &key, form).unwrap_err().to_string();
    let empty = JwkSet::parse(br#"{"keys":[]}"#).unwrap();
    let messages = [
        sign_manifest(b"{}", &nameless, JwsForm::Attached).unwrap_err().to_string(),
        sign_error("[]", JwsForm::Attached),
        sign_error(r#"{"a":1,"a":2}"#, JwsForm::Attached),
        sign_error(r#"{"a":1e999}"#, JwsForm::Attached),
        sign_error("{}", JwsForm::Reference),
        ManifestVerifier::new(&empty, Origin::Unchecked).verify(b"{").unwrap_err().to_string(),
    ];
    assert_snapshot!(messages.join("\n"));
}
