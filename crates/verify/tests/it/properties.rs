//! Properties over all inputs: names are stable, tokens keep their bits, votes are counted as a plain reading counts
//! them, the state machine stays within its bounds, and one changed byte spoils a signature.

use http::Response;
use jwk::{JwkSet, SigningKey};
use proptest::prelude::*;
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use verify::{
    Action, Domain, JwsForm, LookupFailure, MAX_REDIRECTS, ManifestVerifier, NoSuffixes, Origin, Protocol,
    PublicSuffixes, Quorum, QuorumPolicy, Token, TxtAnswer, TxtRecord, TxtToPublish, WellKnownCheck,
    record_name, sign_manifest,
};

const JWK: &str = r#"{"kty":"OKP","crv":"Ed25519","kid":"test-1","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;

/// Two suffixes, enough to tell owners apart.
struct FewSuffixes;

impl PublicSuffixes for FewSuffixes {
    fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str> {
        let suffix =
            if name == "co.uk" || name.ends_with(".co.uk") { "co.uk" } else { name.rsplit('.').next()? };
        name.get(name.len() - suffix.len()..)
    }
}

fn protocol() -> impl Strategy<Value = Protocol> {
    prop_oneof![Just(Protocol::AiWebIndex), Just(Protocol::Llmindex)]
}

fn location() -> impl Strategy<Value = String> {
    let url = (
        prop_oneof!["https://", "https://", "http://", "//", "HTTPS:\\\\\\\\", "ftp://"],
        prop_oneof!["", "", "", "u@", "u:p@"],
        prop_oneof!["a.co.uk", "www.a.co.uk", "x.www.a.co.uk", "b.co.uk", "co.uk", "A.CO.UK", "a.co.uk."],
        prop_oneof!["", "", ":443", ":8443"],
        "(/[a-c]?)?[?#]?",
    );
    prop_oneof![url.prop_map(|(a, b, c, d, e)| [a, b, c, d, e].concat()), "[./?#a-c]{0,6}", "\\PC{0,12}"]
}

proptest! {
    #[test]
    fn a_domain_read_again_is_the_same(protocol in protocol(), text in "\\PC{0,40}|[a-zA-Z0-9.-]{1,80}") {
        if let Ok(domain) = Domain::parse(protocol, &text, &NoSuffixes) {
            prop_assert_eq!(Domain::parse(protocol, domain.as_str(), &NoSuffixes).ok(), Some(domain.clone()));
            prop_assert!(record_name(&domain).len() <= 253);
        }
    }

    #[test]
    fn different_bytes_are_different_tokens(a in prop::collection::vec(any::<u8>(), 16..=64), b in prop::collection::vec(any::<u8>(), 16..=64)) {
        let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes).unwrap();
        let (one, other) = (Token::issue(domain.clone(), &a).unwrap(), Token::issue(domain, &b).unwrap());
        prop_assert_eq!(one == other, a == b);
        prop_assert!((32..=128).contains(&one.expose().len()));
    }

    #[test]
    fn what_is_published_is_found_and_votes_are_counted(
        protocol in protocol(),
        challenge in "[A-Za-z0-9_-]{22,128}",
        votes in prop::collection::vec(0..3_u8, 1..7),
        cuts in prop::collection::vec(1..60_usize, 0..4),
    ) {
        let domain = Domain::parse(protocol, "example.com", &NoSuffixes).unwrap();
        let token = Token::expect(domain, &challenge).unwrap();
        let publish = TxtToPublish::new(&token);
        let mut rest = publish.value();
        let mut strings = Vec::new();
        for cut in cuts {
            let (string, tail) = rest.split_at_checked(cut).unwrap_or((rest, ""));
            strings.push(string);
            rest = tail;
        }
        strings.push(rest);
        let answers: Vec<_> = votes.iter().enumerate().map(|(index, vote)| match vote {
            0 => TxtAnswer::failed(format!("r{index}"), LookupFailure::Timeout),
            1 => TxtAnswer::records(format!("r{index}"), [TxtRecord::new(["other"])]),
            _ => TxtAnswer::records(format!("r{index}"), [TxtRecord::new(["other"]), TxtRecord::new(&strings)]),
        }).collect();
        let (yes, no) = (votes.iter().filter(|&&v| v == 2).count(), votes.iter().filter(|&&v| v == 1).count());
        for (policy, expected) in
            [(QuorumPolicy::Any, yes > 0), (QuorumPolicy::Majority, yes > no), (QuorumPolicy::All, yes > 0 && no == 0)]
        {
            let report = verify::evaluate_dns(&token, &answers, policy).unwrap();
            prop_assert_eq!(report.is_verified(), expected && yes + no >= 2);
            prop_assert_eq!(report.is_undecided(), yes + no < 2);
            let report = verify::evaluate_dns(&token, &answers, Quorum::new(policy).min_answers(1)).unwrap();
            prop_assert_eq!(report.is_verified(), expected);
            prop_assert_eq!(report.is_undecided(), yes + no == 0);
        }
    }

    #[test]
    fn the_state_machine_stays_within_its_bounds(
        protocol in protocol(),
        port in prop::option::of(Just(8443)),
        script in prop::collection::vec((prop_oneof![Just(302), Just(308), Just(200), Just(404)], location()), 0..8),
    ) {
        let domain = Domain::parse(protocol, "www.a.co.uk", &FewSuffixes).unwrap();
        let token = Token::expect(domain, "8a93c5f24b1e6d70a9c3f8125e7b6d04").unwrap();
        let agent = AiWebIndexAgent::check("AIWebIndex/1.0 verification", AiWebIndexVersion::V1).unwrap();
        let mut check = WellKnownCheck::new(token, &agent, &FewSuffixes).unwrap();
        if let Some(port) = port {
            check = check.at_port(port);
        }
        let mut script = script.into_iter();
        let mut asked = 0;
        let report = loop {
            let Action::Send(request) = check.next_action() else { break None };
            asked += 1;
            prop_assert!(asked <= MAX_REDIRECTS + 1);
            let uri = request.uri();
            prop_assert_eq!(uri.scheme_str(), Some("https"));
            prop_assert!(!uri.authority().unwrap().as_str().contains('@'));
            prop_assert!(uri.port_u16().is_none() || uri.port_u16() == port);
            let host = uri.host().unwrap();
            match protocol {
                Protocol::AiWebIndex => prop_assert!(host == "a.co.uk" || host.ends_with(".a.co.uk"), "{}", host),
                _ => prop_assert_eq!(host, "www.a.co.uk"),
            }
            let Some((status, location)) = script.next() else { break Some(()) };
            let Ok(response) = Response::builder().status(status).header("location", location).body("") else {
                break Some(());
            };
            check.on_response(&response).unwrap();
        };
        if report.is_none() {
            prop_assert!(matches!(check.next_action(), Action::Done(report) if !report.is_verified()));
        }
    }

    #[test]
    fn one_changed_byte_spoils_a_signature(at in any::<prop::sample::Index>(), flip in 1..=255_u8, form in 0..3_usize) {
        let manifest = r#"{"version":"0.1","topics":["tea","coffee"],"n":[1,2.5]}"#;
        let key = SigningKey::from_jwk(JWK.as_bytes()).unwrap();
        let keys = JwkSet::parse(format!(r#"{{"keys":[{JWK}]}}"#).as_bytes()).unwrap();
        let form = [JwsForm::Attached, JwsForm::Detached, JwsForm::Unencoded][form];
        let signed = sign_manifest(manifest.as_bytes(), &key, form).unwrap();
        let mut forged = signed.clone().into_bytes();
        let index = at.index(forged.len());
        forged[index] ^= flip;
        if let Ok(report) = ManifestVerifier::new(&keys, Origin::Unchecked).verify(&forged) {
            // The only byte that may differ is one that JSON does not care about.
            let same = |bytes: &[u8]| {
                serde_json::from_slice::<serde_json::Value>(bytes).ok()
            };
            prop_assert_eq!(report.is_valid(), same(&forged) == same(signed.as_bytes()));
        }
    }
}
