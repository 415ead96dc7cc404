//! jwk and aiweb-verify.

use jwk::{Algorithm, Jwk, JwkSet, SigningKey, Thumbprint};
use verify::{
    Action, BundledSuffixes, Domain, JwsForm, ManifestVerifier, NoRecords, Origin, Protocol,
    PublicSuffixes as _, QuorumPolicy, Token, TxtAnswer, TxtRecord, WellKnownCheck, key_url_hint,
    sign_manifest, verify_reference_form,
};
use web_values::{AiWebIndexAgent, AiWebIndexVersion};

use super::{Function, nothing, row};
use crate::run::Case;

const JWK: &str = "jwk";
const VERIFY: &str = "aiweb-verify";
const NONE: (u64, u64) = (0, 0);
const JSON: (u64, u64) = (200, 1 << 20);
/// The private key of RFC 8037, appendix A.
const KEY: &[u8] = br#"{"kty":"OKP","crv":"Ed25519","kid":"k","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;

fn domain() -> Domain {
    Domain::parse(Protocol::Llmindex, "shop.example", &BundledSuffixes).expect("it is a domain")
}

fn dns(case: &Case) -> usize {
    let Ok(token) = Token::expect(domain(), "a-token-of-twenty-two-letters") else { return 0 };
    let records = [TxtRecord::new([case.bytes.as_slice(), case.bytes.as_slice()])];
    let answers = [TxtAnswer::records("a", records.clone()), TxtAnswer::records(case.text.as_str(), records)];
    nothing(verify::evaluate_dns(&token, &answers, QuorumPolicy::default()))
}

/// A server that answers every request with the input: as `Location`, then as the file.
fn well_known(case: &Case) -> usize {
    let Ok(token) = Token::expect(domain(), "a-token-of-twenty-two-letters") else { return 0 };
    let agent = AiWebIndexAgent::check("AIWebIndex/1.0 verification", AiWebIndexVersion::V1);
    let agent = agent.expect("it is an agent for verification");
    let mut check =
        WellKnownCheck::new(token, &agent, &BundledSuffixes).expect("it is an agent for verification");
    for status in [302, 200] {
        let mut response = http::Response::new(case.bytes.as_slice());
        *response.status_mut() = http::StatusCode::from_u16(status).expect("it is a status");
        for name in [http::header::LOCATION, http::header::CONTENT_TYPE] {
            response.headers_mut().insert(name, case.field.clone());
        }
        if let Action::Send(_) = check.next_action() {
            nothing(check.on_response(&response));
        }
    }
    nothing(check.next_action())
}

pub const FUNCTIONS: &[Function] = &[
    row(JWK, "Jwk::parse", JSON, NONE, |case| nothing(Jwk::parse(&case.bytes))),
    row(JWK, "JwkSet::parse", JSON, NONE, |case| nothing(JwkSet::parse(&case.bytes))),
    row(JWK, "JwkSet::parse_lenient", JSON, NONE, |case| nothing(JwkSet::parse_lenient(&case.bytes, 64))),
    row(JWK, "SigningKey::from_jwk", JSON, NONE, |case| nothing(SigningKey::from_jwk(&case.bytes))),
    row(JWK, "SigningKey::sign", (4, 4_096), NONE, |case| {
        nothing(SigningKey::from_jwk(KEY).map(|key| key.sign(&case.bytes)))
    }),
    row(VERIFY, "Domain::parse", (40, 8_192), NONE, |case| {
        nothing(Domain::parse(Protocol::AiWebIndex, &case.text, &BundledSuffixes))
    }),
    row(VERIFY, "PublicSuffixes", NONE, NONE, |case| {
        nothing((BundledSuffixes.public_suffix(&case.text), BundledSuffixes.registrable_domain(&case.text)))
    }),
    row(VERIFY, "Token::issue", (2, 4_096), NONE, |case| nothing(Token::issue(domain(), &case.bytes))),
    row(VERIFY, "Token::expect", (4, 4_096), NONE, |case| nothing(Token::expect(domain(), &case.text))),
    row(VERIFY, "evaluate_dns", (40, 64 << 10), NONE, dns),
    row(VERIFY, "sign_manifest", (200, 1 << 20), (16, 4_096), |case| {
        let key = SigningKey::from_jwk(KEY).expect("it is a key");
        sign_manifest(&case.bytes, &key, JwsForm::Attached).map_or(0, |signed| signed.len())
    }),
    row(JWK, "Thumbprint, Algorithm, PublicKey::verifies", (2, 4_096), NONE, |case| {
        let key = Jwk::parse(KEY).ok().and_then(|key| key.public_key().ok()).expect("it is a key");
        nothing((
            case.text.parse::<Thumbprint>().is_ok(),
            Algorithm::from_http_name(&case.text),
            key.verifies(&case.bytes, &case.bytes),
        ))
    }),
    row(VERIFY, "ManifestVerifier::verify, verify_reference_form", (200, 1 << 20), NONE, |case| {
        let keys = JwkSet::parse(format!("{{\"keys\":[{}]}}", String::from_utf8_lossy(KEY)).as_bytes());
        let keys = keys.expect("it is a set of one key");
        nothing(ManifestVerifier::new(&keys, Origin::FetchedFrom(&case.text)).verify(&case.bytes));
        nothing(verify_reference_form(&case.bytes, &keys.only_key().expect("there is one")))
    }),
    row(VERIFY, "WellKnownCheck::on_response", (64, 64 << 10), NONE, well_known),
    row(VERIFY, "names by text", (8, 4_096), (2, 512), |case| {
        nothing(NoRecords::of_code(&case.text));
        key_url_hint(&case.text, &domain()).map_or(0, |url| url.len())
    }),
];
