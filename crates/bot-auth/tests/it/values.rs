//! What the values around a signature say, and both sides of their edges: findings, cards, lists of addresses, nonces, URLs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail where it stands"
)]

use bot_auth::{
    AddressList, AddressListError, Card, CardFaultCode, Coverage, CrawlerSigner, DEFAULT_LIFETIME_SECS,
    DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, Identifier, Identity, Keyring, Message, Policy,
    Profile, Reason, RequestCheck, Requirements, SignErrorKind, SignatureParams, VerifiedProfile,
    accept_signature, directory_body, identify, sign, verify_aiwebindex_request, verify_signatures,
};
use jwk::{Jwk, SigningKey};
use web_values::{Finding as _, UnixSeconds};

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const URL: &str = "https://shop.example/page";

fn key() -> SigningKey {
    SigningKey::from_secret(&[7; 32])
}

fn params(text: &str) -> SignatureParams<'_> {
    SignatureParams::parse(text).unwrap()
}

/// The message with a signature by these parameters.
fn signed<'a>(message: Message<'a>, text: &str, room: &'a mut (String, String)) -> Message<'a> {
    let headers = sign(&message, "sig", &params(text), &key()).unwrap();
    *room = (headers.signature_input, headers.signature);
    message.header("Signature-Input", &room.0).header("Signature", &room.1)
}

fn directory(agent: &str, body: &str) -> Directory {
    let url = format!("{agent}{DIRECTORY_PATH}");
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
    Directory::read(&url, &response, Profile::Deployed, NOW).unwrap()
}

/// What a refused signature says as a finding: the rule, the sentence, and the component that it is about.
#[test]
fn a_refused_signature_is_a_finding() {
    let ring = Keyring::new().with("k", &Jwk::parse(key().to_public_jwk().as_bytes()).unwrap());
    let mut room = Default::default();
    let message = signed(
        Message::request("GET", URL).unwrap(),
        "(\"@method\");created=1790000000;keyid=\"k\";tag=\"a\"",
        &mut room,
    );
    let result = |requirements: &Requirements<'_>| {
        verify_signatures(&message, &ring, requirements, Some(NOW)).unwrap().remove(0)
    };
    assert_eq!(result(&Requirements::default()).finding(), None);
    assert!(result(&Requirements { tag: Some("a"), ..Requirements::default() }).is_valid());
    for (requirements, component) in [
        (Requirements { tag: Some("b"), ..Requirements::default() }, "tag"),
        (Requirements { params: vec!["expires"], ..Requirements::default() }, "expires"),
        (Requirements { components: vec!["\"@path\""], ..Requirements::default() }, "\"@path\""),
    ] {
        let result = result(&requirements);
        let finding = result.finding().unwrap();
        assert_eq!((finding.code(), finding.place().name), (Reason::Requirement.code(), "sig"));
        assert_eq!(finding.requirement(), Some(Reason::Requirement.requirement()));
        assert!(finding.message().ends_with(&format!(": {component}")), "{}", finding.message());
    }
}

/// A key of a secret is for the algorithm that it is configured for, and no other key is.
#[test]
fn a_shared_secret_is_for_its_own_algorithm() {
    let secret =
        Jwk::parse(br#"{"kty":"oct","k":"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"}"#).unwrap();
    let mut room = Default::default();
    let message = signed(Message::request("GET", URL).unwrap(), "(\"@method\");keyid=\"k\"", &mut room);
    let reason = |ring: Keyring| {
        verify_signatures(&message, &ring, &Requirements::default(), None).unwrap().remove(0).reason.unwrap()
    };
    let fault = reason(Keyring::new().with_algorithm("k", &secret, "hmac-sha256"));
    assert!(matches!(fault, Reason::AlgUnsupported | Reason::Signature), "{fault}");
    assert_eq!(reason(Keyring::new().with("k", &secret)), Reason::AlgUndetermined);
    let modulus = "A".repeat(342);
    let rsa = Jwk::parse(format!(r#"{{"kty":"RSA","n":"{modulus}","e":"AQAB"}}"#).as_bytes()).unwrap();
    let fault = reason(Keyring::new().with_algorithm("k", &rsa, "hmac-sha256"));
    assert!(matches!(fault, Reason::KeyUnusable(Some(_))), "{fault}");
}

#[test]
fn what_a_server_asks_for_is_checked() {
    let wanted = accept_signature("sig1", &["\"@authority\""]).unwrap();
    assert_eq!(
        wanted,
        r#"sig1=("@authority" "signature-agent";key="sig1");created;expires;keyid;tag="web-bot-auth""#
    );
    assert_eq!(*accept_signature("Sig 1", &[]).unwrap_err().kind(), SignErrorKind::BadLabel);
    for bad in ["@authority", "\"a\" \"b\"", ""] {
        let error = accept_signature("sig1", &["\"@method\"", bad]).unwrap_err();
        assert!(matches!(error.kind(), SignErrorKind::Base(_)), "{bad}");
    }
}

/// What is covered of a request tells how much of it the signature speaks for, and a wrong signature speaks for nothing.
#[test]
fn coverage_is_of_what_was_signed() {
    let keys: jwk::JwkSet = [Jwk::parse(key().to_public_jwk().as_bytes()).unwrap()].into_iter().collect();
    let read = |url: &str, sent_to: &str, list: &str| {
        let input =
            format!("({list});created=1790000000;expires=1790000100;keyid=\"{}\"", key().thumbprint());
        let headers = sign(&Message::request("GET", url).unwrap(), "sig", &params(&input), &key()).unwrap();
        let message = Message::request("GET", sent_to)
            .unwrap()
            .header("Signature-Input", &headers.signature_input)
            .header("Signature", &headers.signature);
        verify_aiwebindex_request(&message, &keys, NOW)
    };
    let query = "https://shop.example/page?a";
    for (url, list, coverage) in [
        (URL, "\"@method\" \"@authority\" \"@path\"", Coverage::Request),
        (URL, "\"@method\" \"@target-uri\"", Coverage::Request),
        (URL, "\"@method\" \"@authority\"", Coverage::Authority),
        (URL, "\"@method\" \"@path\"", Coverage::None),
        (URL, "\"@authority\" \"@path\"", Coverage::Authority),
        (query, "\"@method\" \"@authority\" \"@path\"", Coverage::Path),
        (query, "\"@method\" \"@authority\" \"@path\" \"@query\"", Coverage::Request),
    ] {
        assert_eq!(read(url, url, list), VerifiedProfile::Verified(coverage), "{url} {list}");
    }
    let list = "\"@method\" \"@authority\" \"@path\"";
    assert_eq!(read(URL, "https://shop.example/other", list), VerifiedProfile::Invalid);
    assert_eq!(
        read("https://shop.example/%01", "https://shop.example/%01", list),
        VerifiedProfile::Verified(Coverage::Request)
    );
    // An escape has two hexadecimal digits; a sign is none.
    assert_eq!(read("https://shop.example/%+1", "https://shop.example/%01", list), VerifiedProfile::Invalid);
}

/// A member of a dictionary and the same, strictly serialised, are two components.
#[test]
fn a_member_may_be_covered_in_two_ways() {
    let message = Message::request("GET", URL).unwrap().header("x", "a=1");
    let both = "(\"x\";key=\"a\" \"x\";key=\"a\";sf)";
    assert!(sign(&message, "sig", &params(both), &key()).is_ok());
    let twice = "(\"x\";key=\"a\" \"x\";key=\"a\")";
    assert!(SignatureParams::parse(twice).is_err() || sign(&message, "sig", &params(twice), &key()).is_err());
}

/// Known parameters have their types.
#[test]
fn parameters_have_types() {
    for good in ["();nonce=\"a\"", "();created=1", "();other=7", "();keyid=\"a\";alg=\"b\";tag=\"c\""] {
        assert!(SignatureParams::parse(good).is_ok(), "{good}");
    }
    for bad in ["();nonce=7", "();alg=a", "();keyid=1.5", "();tag", "();created=\"1\"", "();expires=1.5"] {
        assert!(SignatureParams::parse(bad).is_err(), "{bad}");
    }
}

/// The time between `created` and `expires` may be as long as the policy says, and no longer; a policy can be changed.
#[test]
fn a_lifetime_has_a_bound() {
    let agent = "https://bot.example";
    let held = directory(agent, &directory_body([&key()]));
    let headers = CrawlerSigner::new(key(), agent)
        .unwrap()
        .sign(&Message::request("GET", URL).unwrap(), b"fresh", NOW)
        .unwrap();
    let message = Message::request("GET", URL)
        .unwrap()
        .header("Signature-Agent", &headers.signature_agent)
        .header("Signature-Input", &headers.signature_input)
        .header("Signature", &headers.signature);
    let mut identifier = Identifier::new(Policy::default());
    for (most, is_verified) in
        [(Some(DEFAULT_LIFETIME_SECS), true), (Some(DEFAULT_LIFETIME_SECS - 1), false), (None, true)]
    {
        identifier.policy_mut().max_lifetime_secs = most;
        let policy = Policy { max_lifetime_secs: most, ..Policy::default() };
        for (identity, _) in [
            identifier.identify(&message, |_| Some(&held), NOW),
            identify(&message, |_| Some(&held), &policy, NOW),
        ] {
            assert_eq!(matches!(identity, Identity::Verified { .. }), is_verified, "{most:?} {identity}");
            assert!(is_verified || identity == Identity::Unverified(Reason::LifetimeTooLong));
        }
    }
    // A directory of another agent, even with the same key, is not the wanted one.
    let other = directory("https://other.example", &directory_body([&key()]));
    let mut check = RequestCheck::new(&message, &Policy::default(), NOW);
    check.on_directory(&other);
    assert_eq!((check.wanted(), check.identity()), (None, Identity::Unverified(Reason::DirectoryFailed)));
}

/// Where several entries of one key are at fault, the first fault is told.
#[test]
fn the_first_fault_of_a_key_is_told() {
    let entry = key().to_directory_jwk();
    let old = entry.replace("\"kty\"", &format!("\"exp\":{},\"kty\"", NOW.0));
    let misnamed = entry.replace("\"kid\":\"", "\"kid\":\"x");
    for (first, second, reason) in
        [(&old, &misnamed, Reason::KeyNotCurrent), (&misnamed, &old, Reason::KeyUnusable(None))]
    {
        let held = directory("https://bot.example", &format!("{{\"keys\":[{first},{second}]}}"));
        assert_eq!(held.key(key().thumbprint(), NOW).unwrap_err(), reason);
    }
}

#[test]
fn a_list_of_addresses_says_when_it_was_made() {
    let list = |members: &str| AddressList::parse(format!("{{\"prefixes\":[]{members}}}").as_bytes(), None);
    assert_eq!(
        list(",\"creationTime\":\"2026-01-01T00:00:00\"").unwrap().creation_time(),
        Some("2026-01-01T00:00:00")
    );
    assert_eq!(list("").unwrap().creation_time(), None);
    for (version, is_known) in
        [("1.0", true), ("1.27", true), ("1.", false), ("1.x", false), ("2.0", false), ("1", false)]
    {
        let read = list(&format!(",\"formatVersion\":\"{version}\""));
        assert_eq!(read.is_ok(), is_known, "{version}");
        assert!(is_known || read == Err(AddressListError::UnsupportedVersion));
    }
}

/// Members of a card have types; what is wrong with one names its rule.
#[test]
fn members_of_a_card_have_types() {
    let url = "https://bot.example/card";
    let card =
        |members: &str| Card::parse(url, format!("{{\"client_id\":\"{url}\"{members}}}").as_bytes()).unwrap();
    for good in [
        "",
        ",\"contacts\":[\"mailto:a@bot.example\"]",
        ",\"web_bot_auth\":{\"purpose\":\"search\"}",
        ",\"web_bot_auth\":{\"purpose\":[\"search\",\"train-ai\"]}",
        ",\"web_bot_auth\":{\"known-urls\":[\"/a\"]}",
    ] {
        assert_eq!(card(good).faults(), [], "{good}");
    }
    for bad in [
        ",\"contacts\":\"mailto:a@bot.example\"",
        ",\"contacts\":[1]",
        ",\"web_bot_auth\":{\"purpose\":1}",
        ",\"web_bot_auth\":{\"purpose\":[1]}",
        ",\"web_bot_auth\":{\"known-urls\":\"/a\"}",
    ] {
        let card = card(bad);
        let [fault] = card.faults() else { panic!("{bad}") };
        assert_eq!((fault.code, fault.code()), (CardFaultCode::WrongType, "wrong-type"), "{bad}");
        assert_eq!(fault.requirement(), Some("WBA-CARD-1"));
        assert_eq!(fault.message(), "expected another type of value");
    }
    for (code, rule) in [
        (CardFaultCode::UnknownValue, "WBA-CARD-3"),
        (CardFaultCode::WrongType, "WBA-CARD-1"),
        (CardFaultCode::BothKeys, "WBA-CARD-2"),
    ] {
        assert_eq!(code.requirement(), rule);
    }
    let keys = directory_body([&key()]);
    assert!(card(&format!(",\"jwks\":{keys}")).inline_directory().is_some());
    assert!(card("").inline_directory().is_none());
}

#[test]
fn an_address_ends_the_host() {
    for (url, is_good) in [
        ("https://[2001:db8::1]/", true),
        ("https://[2001:db8::1]:8443/", true),
        ("https://[2001:db8::1]x/", false),
        ("https://[2001:db8::1/", false),
    ] {
        assert_eq!(Message::request("GET", url).is_ok(), is_good, "{url}");
    }
}
