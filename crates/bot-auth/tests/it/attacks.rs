//! The attacks of the table in `docs/attacks.md`, a test each: a signed request as an attacker, or a careless proxy, would send it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail where it stands"
)]

use bot_auth::{
    BaseErrorKind, CacheAction, Coverage, CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory,
    DirectoryError, Fetched, Held, Identity, KeyCache, Message, Policy, Profile, Reason, Replay,
    ReplayWindow, RequestCheck, SignedHeaders, directory_body, identify,
};
use covers::covers;
use jwk::SigningKey;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const URL: &str = "https://shop.example/page?x=1";
const AGENT: &str = "https://bot.example";

fn key() -> SigningKey {
    SigningKey::from_secret(&[7; 32])
}

fn signer() -> CrawlerSigner {
    CrawlerSigner::new(key(), AGENT).unwrap()
}

fn directory_url() -> String {
    format!("{AGENT}{DIRECTORY_PATH}")
}

fn read_directory(url: &str, body: &str) -> Result<Directory, DirectoryError> {
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url, status: 200, headers: &headers, body: body.as_bytes() };
    Directory::read(&directory_url(), &response, Profile::Deployed, NOW)
}

fn held() -> Directory {
    read_directory(&directory_url(), &directory_body([&key()])).unwrap()
}

/// The request that the crawler signs.
fn request() -> Message<'static> {
    Message::request("GET", URL).unwrap().header("User-Agent", "ExampleBot/1.0").header("X-Mode", "a")
}

fn signed() -> SignedHeaders {
    signer().sign(&request(), b"fresh", NOW).unwrap()
}

fn with<'a>(message: Message<'a>, signed: &'a SignedHeaders) -> Message<'a> {
    message
        .header("Signature-Agent", &signed.signature_agent)
        .header("Signature-Input", &signed.signature_input)
        .header("Signature", &signed.signature)
}

fn identity(message: &Message<'_>, policy: &Policy) -> Identity {
    let held = held();
    identify(message, |url| (url == held.url()).then_some(&held), policy, NOW).0
}

fn reason(message: &Message<'_>) -> Reason {
    match identity(message, &Policy::default()) {
        Identity::Unverified(reason) => reason,
        other => panic!("expected a refusal, found {other}"),
    }
}

#[test]
#[covers("AIWI2-ID-1")]
fn the_honest_request_is_verified() {
    let Identity::Verified(verified) = identity(&with(request(), &signed()), &Policy::default()) else {
        panic!("expected the agent");
    };
    assert!(verified.agent.is(AGENT));
    assert_eq!((verified.key, verified.coverage), (key().thumbprint(), Coverage::Request));
    assert_eq!((verified.created, verified.expires), (1_790_000_000, 1_790_000_300));
    assert_eq!(identity(&request(), &Policy::default()), Identity::Anonymous);
}

#[test]
fn a_covered_component_is_removed() {
    let bare = Message::request("GET", URL).unwrap();
    assert_eq!(reason(&with(bare, &signed())), Reason::Base(BaseErrorKind::MissingComponent));
}

#[test]
fn a_wanted_component_is_not_covered() {
    let policy = Policy { components: vec!["\"x-mode\"".into()], ..Policy::default() };
    let refused = Identity::Unverified(Reason::Requirement);
    assert_eq!(identity(&with(request(), &signed()), &policy), refused);
}

#[test]
fn a_label_is_stripped_or_repeated() {
    let signed = signed();
    let stripped = request()
        .header("Signature-Agent", &signed.signature_agent)
        .header("Signature-Input", &signed.signature_input);
    assert_eq!(reason(&stripped), Reason::LabelMismatch);
    let repeated = with(request(), &signed).header("Signature", &signed.signature);
    assert_eq!(reason(&repeated), Reason::DuplicateLabel);
    let again = with(request(), &signed).header("Signature-Input", &signed.signature_input);
    assert_eq!(reason(&again), Reason::DuplicateLabel);
}

#[test]
fn the_algorithm_is_swapped() {
    for (alg, expected) in [
        ("hmac-sha256", Reason::AlgForbidden),
        ("rsa-pss-sha512", Reason::AlgUnsupported),
        ("EdDSA", Reason::AlgUnsupported),
        ("none", Reason::AlgUnsupported),
    ] {
        let mut forged = signed();
        forged.signature_input = forged.signature_input.replace("\"ed25519\"", &format!("{alg:?}"));
        assert_eq!(reason(&with(request(), &forged)), expected, "{alg}");
    }
}

#[test]
#[covers("WBA-NONCE-1", "SIG9421-TIME-2")]
fn a_nonce_is_used_again() {
    let signed = signed();
    let message = with(request(), &signed);
    let mut window = ReplayWindow::new(100, 10);
    for expected in [Replay::Fresh, Replay::Seen] {
        let mut check = RequestCheck::new(&message, &Policy::default(), NOW);
        let held = held();
        check.on_directory(&held);
        let verified = check.results().next().unwrap().verified.clone().unwrap();
        assert_eq!(window.admit(&verified, NOW), expected);
    }
    // It is refused before its key is asked for.
    let check = RequestCheck::unused(&message, &Policy::default(), |id| window.has(id), NOW);
    assert_eq!((check.wanted(), check.identity()), (None, Identity::Unverified(Reason::Replayed)));
    let policy = Policy { seen_nonces: ["ZnJlc2g=".to_owned()].into(), ..Policy::default() };
    assert_eq!(identity(&message, &policy), Identity::Unverified(Reason::Replayed));
}

#[test]
#[covers("AIWI2-ID-3")]
fn the_signature_is_sent_to_another_host_path_or_method() {
    let signed = signed();
    for (method, url) in [
        ("GET", "https://other.example/page?x=1"),
        ("GET", "https://shop.example/admin?x=1"),
        ("GET", "https://shop.example/page?x=2"),
        ("POST", URL),
    ] {
        let message = Message::request(method, url).unwrap().header("User-Agent", "ExampleBot/1.0");
        assert_eq!(reason(&with(message, &signed)), Reason::Signature, "{method} {url}");
    }
    let user_agent = Message::request("GET", URL).unwrap().header("User-Agent", "OtherBot/1.0");
    assert_eq!(reason(&with(user_agent, &signed)), Reason::Signature);
    let plain = Message::request("GET", "http://shop.example/page?x=1").unwrap();
    assert_eq!(reason(&with(plain, &signed)), Reason::InsecureTransport);
}

#[test]
fn a_proxy_folds_and_splits_fields_without_harm() {
    let signed = signed();
    let folded = signed.signature_input.replace(";created", ";\r\n   created");
    let agent = "ExampleBot/1.0\t ";
    let message = Message::request("GET", URL)
        .unwrap()
        .header("user-agent", agent)
        .header("SIGNATURE-AGENT", &signed.signature_agent)
        .header("signature-input", &folded)
        .header("Signature", &signed.signature)
        .header("Signature-Agent", "other=\"https://other.example\"");
    assert!(matches!(identity(&message, &Policy::default()), Identity::Verified { .. }));
}

#[test]
fn line_breaks_cannot_forge_a_line() {
    let signer = signer().only_components(["\"@method\"", "\"@target-uri\"", "\"x-mode\""]);
    let signed = signer.sign(&request(), b"", NOW).unwrap();
    for value in ["a\r\n\"@method\": POST", "a\nb", "a\rb", "a\0b", "a\r\n"] {
        let message = Message::request("GET", URL).unwrap().header("X-Mode", value);
        assert_eq!(reason(&with(message, &signed)), Reason::Base(BaseErrorKind::BadValue), "{value:?}");
    }
    // A fold is a space: another value, not another line.
    let message = Message::request("GET", URL).unwrap().header("X-Mode", "a\r\n b");
    assert_eq!(reason(&with(message, &signed)), Reason::Signature);
}

#[test]
fn parameters_or_components_come_in_another_order() {
    let mut forged = signed();
    forged.signature_input = forged.signature_input.replace("\"@method\" \"@path\"", "\"@path\" \"@method\"");
    assert_eq!(reason(&with(request(), &forged)), Reason::Signature);
    let mut forged = signed();
    let tag = ";tag=\"web-bot-auth\"";
    forged.signature_input =
        forged.signature_input.replace(tag, "").replace(";created", &format!("{tag};created"));
    assert_eq!(reason(&with(request(), &forged)), Reason::Signature);
}

/// What a followed redirect gives is not the directory, wherever it led.
#[test]
#[covers("WBA-DISC-3")]
fn the_directory_is_redirected_to_another_host() {
    let body = directory_body([&SigningKey::from_secret(&[8; 32])]);
    let elsewhere =
        read_directory("https://evil.example/.well-known/http-message-signatures-directory", &body);
    assert_eq!(elsewhere, Err(DirectoryError::Status));
    let signed = signed();
    let mut check = RequestCheck::new(&with(request(), &signed), &Policy::default(), NOW);
    let url = check.wanted().unwrap().to_owned();
    let headers = [("Location", b"https://evil.example/".as_slice())];
    check.on_response(&Fetched { url: &url, status: 302, headers: &headers, body: body.as_bytes() });
    assert_eq!((check.wanted(), check.identity()), (None, Identity::Unverified(Reason::DirectoryFailed)));
}

#[test]
fn the_key_has_expired() {
    let body = directory_body([&key()]).replace("\"kty\"", &format!("\"exp\":{},\"kty\"", NOW.0));
    let old = read_directory(&directory_url(), &body).unwrap();
    let signed = signed();
    let (identity, wanted) = identify(&with(request(), &signed), |_| Some(&old), &Policy::default(), NOW);
    assert_eq!((identity, wanted), (Identity::Unverified(Reason::KeyNotCurrent), None));
}

/// A directory past its time is asked for again: a key that its owner took away does not stay good for ever.
#[test]
fn the_directory_has_expired() {
    let mut cache = KeyCache::default();
    let headers = [("Cache-Control", b"max-age=600".as_slice())];
    cache.on_read(&headers, NOW);
    assert_eq!(cache.ask(true, NOW.saturating_add(599)), (Held::Fresh, CacheAction::Use));
    assert_eq!(cache.ask(true, NOW.saturating_add(600)), (Held::Stale, CacheAction::Fetch));
    // However long a directory wants to be held, a day is the most.
    let headers = [("Cache-Control", b"max-age=31536000".as_slice())];
    cache.on_read(&headers, NOW);
    assert_eq!(cache.ask(true, NOW.saturating_add(86_400)).0, Held::Stale);
}

#[test]
fn unknown_parameters_are_added() {
    let mut forged = signed();
    forged.signature_input.push_str(";trust=?1");
    assert_eq!(reason(&with(request(), &forged)), Reason::Signature);
    let mut forged = signed();
    forged.signature_input = forged.signature_input.replace("\"@method\"", "\"@method\";trust");
    let refused = Identity::Unverified(Reason::Base(BaseErrorKind::BadComponent));
    assert_eq!(identity(&with(request(), &forged), &Policy::host_alone()), refused);
}

#[test]
fn two_entries_of_one_thumbprint_and_one_gives_the_secret_away() {
    let body = format!("{{\"keys\":[{},{}]}}", key().to_directory_jwk(), key().to_private_jwk());
    let leaked = read_directory(&directory_url(), &body).unwrap();
    let signed = signed();
    let message = with(request(), &signed);
    let (identity, _) = identify(&message, |_| Some(&leaked), &Policy::default(), NOW);
    assert_eq!(identity, Identity::Unverified(Reason::KeyUnusable(None)));
    let body = format!("{{\"keys\":[{0},{0}]}}", key().to_directory_jwk());
    let twice = read_directory(&directory_url(), &body).unwrap();
    let (identity, _) = identify(&message, |_| Some(&twice), &Policy::default(), NOW);
    assert!(matches!(identity, Identity::Verified { .. }));
}

/// A directory of another agent is not taken, even if the caller mixes them up.
#[test]
#[covers("WBA-KEY-2")]
fn a_key_is_taken_from_another_agents_directory() {
    let other = CrawlerSigner::new(key(), "https://other.example").unwrap();
    let signed = other.sign(&request(), b"", NOW).unwrap();
    let held = held();
    let (identity, _) = identify(&with(request(), &signed), |_| Some(&held), &Policy::default(), NOW);
    assert_eq!(identity, Identity::Unverified(Reason::DirectoryFailed));
}

#[test]
#[covers("WBA-KEY-4", "WBA-AMB-29")]
fn a_published_test_key_is_used() {
    let jwk = br#"{"kty":"OKP","crv":"Ed25519","d":"n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}"#;
    let signer = CrawlerSigner::new(SigningKey::from_jwk(jwk).unwrap(), AGENT).unwrap();
    let signed = signer.sign(&request(), b"", NOW).unwrap();
    assert_eq!(reason(&with(request(), &signed)), Reason::TestKey);
    let lax = Policy { accepts_test_keys: true, ..Policy::default() };
    assert_eq!(identity(&with(request(), &signed), &lax), Identity::Unverified(Reason::KeyUnknown));
}

/// None of these costs a fetch.
#[test]
#[covers("WBA-VER-3")]
fn what_fails_by_itself_asks_for_nothing() {
    let signed = signed();
    let late = UnixSeconds(NOW.0 + 300);
    let check = RequestCheck::new(&with(request(), &signed), &Policy::default(), late);
    assert_eq!((check.wanted(), check.identity()), (None, Identity::Unverified(Reason::Expired)));
    let long = signer().lifetime_secs(bot_auth::MAX_LIFETIME_SECS).unwrap();
    let signed = long.sign(&request(), b"", NOW).unwrap();
    let short = Policy::default();
    let check = RequestCheck::new(&with(request(), &signed), &short, NOW);
    assert_eq!(
        (check.requests().len(), check.identity()),
        (0, Identity::Unverified(Reason::LifetimeTooLong))
    );
}

/// Names prove nothing.
#[test]
#[covers("WBA-CARD-4")]
fn a_user_agent_like_the_expected_one_is_anonymous() {
    let message =
        Message::request("GET", URL).unwrap().header("User-Agent", "ExampleBot/1.0 (+https://bot.example)");
    assert_eq!(identity(&message, &Policy::default()), Identity::Anonymous);
}

/// What is published has names and no secrets.
#[test]
#[covers("WBA-DIR-8")]
fn a_directory_is_built_without_private_parts() {
    let (old, new) = (key(), SigningKey::from_secret(&[9; 32]).with_kid("mine"));
    let body = directory_body([&old, &new]);
    assert!(!body.contains("\"d\"") && !body.contains("mine"));
    let read = read_directory(&directory_url(), &body).unwrap();
    let usable: Vec<_> =
        read.keys(NOW).filter(|(_, fault)| fault.is_none()).map(|(key, _)| key.thumbprint()).collect();
    assert_eq!(usable, [Some(old.thumbprint()), Some(new.thumbprint())]);
}

/// With the feature `p256`, r and s are read and DER is not.
#[cfg(feature = "p256")]
#[test]
#[covers("SIG9421-ALG-3")]
fn a_signature_in_der_is_wrong() {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use bot_auth::{Keyring, Requirements, sign, verify_signatures};
    use jwk::Jwk;

    let key = SigningKey::from_p256_secret(&[7; 32]).unwrap();
    let keys = Keyring::new().with("k", &Jwk::parse(key.to_public_jwk().as_bytes()).unwrap());
    let params = bot_auth::SignatureParams::parse("(\"@method\");keyid=\"k\"").unwrap();
    let signed = sign(&Message::request("GET", URL).unwrap(), "s", &params, &key).unwrap();
    let bytes = STANDARD.decode(signed.signature.trim_start_matches("s=:").trim_end_matches(':')).unwrap();
    let (r, s) = bytes.split_at(32);
    // The same two numbers as an ASN.1 sequence.
    let integer = |bytes: &[u8]| {
        let zero: &[u8] = if bytes[0] < 0x80 { &[] } else { &[0] };
        [&[2, u8::try_from(zero.len() + 32).unwrap()], zero, bytes].concat()
    };
    let inner = [integer(r), integer(s)].concat();
    let der = [&[0x30, u8::try_from(inner.len()).unwrap()], inner.as_slice()].concat();
    for (bytes, reason) in [(bytes.as_slice(), None), (der.as_slice(), Some(Reason::Signature))] {
        let signature = format!("s=:{}:", STANDARD.encode(bytes));
        let message = Message::request("GET", URL)
            .unwrap()
            .header("Signature-Input", &signed.signature_input)
            .header("Signature", &signature);
        let results = verify_signatures(&message, &keys, &Requirements::default(), None).unwrap();
        assert_eq!(results[0].reason, reason);
    }
}

/// Without the feature it is not judged.
#[cfg(not(feature = "p256"))]
#[test]
#[covers("SIG9421-ALG-3")]
fn p256_is_unsupported_without_its_feature() {
    let mut forged = signed();
    forged.signature_input = forged.signature_input.replace("ed25519", "ecdsa-p256-sha256");
    assert_eq!(reason(&with(request(), &forged)), Reason::AlgUnsupported);
}

/// Two bytes behind a right signature: 88 characters of base64 hold 66 bytes too.
#[test]
#[covers("SIG9421-ALG-2", "SIG9421-VER-9")]
fn a_signature_of_another_length_is_wrong() {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
    let signed = signed();
    let (label, encoded) = signed.signature.split_once("=:").unwrap();
    let bytes = STANDARD.decode(encoded.trim_end_matches(':')).unwrap();
    for (bytes, is_right) in [
        (bytes.clone(), true),
        (bytes[..63].to_vec(), false),
        (Vec::new(), false),
        ([&bytes[..], &[0]].concat(), false),
        ([&bytes[..], &[0, 0]].concat(), false),
    ] {
        for encoded in [STANDARD.encode(&bytes), STANDARD_NO_PAD.encode(&bytes)] {
            let signature = format!("{label}=:{encoded}:");
            let message = request()
                .header("Signature-Agent", &signed.signature_agent)
                .header("Signature-Input", &signed.signature_input)
                .header("Signature", &signature);
            let found = identity(&message, &Policy::default());
            assert_eq!(matches!(found, Identity::Verified { .. }), is_right, "{encoded}");
            assert!(is_right || found == Identity::Unverified(Reason::Signature), "{found}");
        }
    }
}

/// What follows the one member is read too: a second list without a label spoils the field.
#[test]
#[covers("SIG9421-LAB-3")]
fn a_list_behind_the_signatures_member_spoils_the_field() {
    let signed = signed();
    for (more, expected) in [
        ("", None),
        (", (\"@method\")", Some(Reason::MalformedField)),
        (", 5", Some(Reason::MalformedField)),
        (", other=5", None),
        (",", Some(Reason::MalformedField)),
    ] {
        let input = format!("{}{more}", signed.signature_input);
        let message = request()
            .header("Signature-Agent", &signed.signature_agent)
            .header("Signature-Input", &input)
            .header("Signature", &signed.signature);
        let found = match identity(&message, &Policy::default()) {
            Identity::Verified { .. } => None,
            Identity::Unverified(reason) => Some(reason),
            Identity::Anonymous => panic!("{more}"),
        };
        assert_eq!(found, expected, "{more}");
    }
}

/// AIWebIndex: `alg` may confirm what the key says, and nothing else.
#[test]
#[covers("AIWI2-ID-3")]
fn the_crawlers_algorithm_is_confirmed_or_refused() {
    let keys: jwk::JwkSet =
        [jwk::Jwk::parse(key().to_public_jwk().as_bytes()).unwrap()].into_iter().collect();
    let thumbprint = key().thumbprint();
    for (more, is_verified) in [
        ("", true),
        (";alg=\"ed25519\"", true),
        (";alg=\"ecdsa-p256-sha256\"", false),
        (";alg=\"EdDSA\"", false),
        (";created=1790000061", false),
    ] {
        let created = if more.contains("created") { "" } else { ";created=1790000000" };
        let input = format!(
            "(\"@method\" \"@authority\" \"@path\"){created};expires=1790000100;keyid=\"{thumbprint}\"{more}"
        );
        let message = Message::request("GET", "https://shop.example/page").unwrap();
        let params = bot_auth::SignatureParams::parse(&input).unwrap();
        let signed = bot_auth::sign(&message, "sig", &params, &key()).unwrap();
        let message =
            message.header("Signature-Input", &signed.signature_input).header("Signature", &signed.signature);
        let found = bot_auth::verify_aiwebindex_request(&message, &keys, NOW);
        let expected = if is_verified {
            bot_auth::VerifiedProfile::Verified(Coverage::Request)
        } else {
            bot_auth::VerifiedProfile::Invalid
        };
        assert_eq!(found, expected, "{more}");
    }
}

/// A keyring holds all keys that it was given, and of two under one name neither.
#[test]
#[covers("SIG9421-VER-3", "SIG9421-ALG-1")]
fn a_keyring_finds_each_of_its_keys() {
    let jwk = |secret: u8| {
        jwk::Jwk::parse(SigningKey::from_secret(&[secret; 32]).to_public_jwk().as_bytes()).unwrap()
    };
    let message = Message::request("GET", URL).unwrap();
    let signed_by = |secret: u8, keyid: &str| {
        let input = format!("(\"@method\");created=1790000000;keyid=\"{keyid}\"");
        let params = bot_auth::SignatureParams::parse(&input).unwrap();
        bot_auth::sign(&message, "sig", &params, &SigningKey::from_secret(&[secret; 32])).unwrap()
    };
    let ring = bot_auth::Keyring::new()
        .with("a", &jwk(1))
        .with_algorithm("b", &jwk(2), "ed25519")
        .with_algorithm("c", &jwk(3), "ecdsa-p256-sha256")
        .with("twice", &jwk(1))
        .with("twice", &jwk(4));
    for (secret, keyid, reason) in [
        (1, "a", None),
        (2, "b", None),
        (2, "a", Some(Reason::Signature)),
        (3, "c", Some(Reason::KeyUnusable(Some(jwk::KeyFault::Alg)))),
        (1, "twice", Some(Reason::KeyUnknown)),
        (1, "d", Some(Reason::KeyUnknown)),
    ] {
        let signed = signed_by(secret, keyid);
        let message = Message::request("GET", URL)
            .unwrap()
            .header("Signature-Input", &signed.signature_input)
            .header("Signature", &signed.signature);
        let results =
            bot_auth::verify_signatures(&message, &ring, &bot_auth::Requirements::default(), Some(NOW))
                .unwrap();
        assert_eq!(results.iter().map(|result| result.reason).collect::<Vec<_>>(), [reason], "{keyid}");
    }
}

/// A directory proves a key by signing its response with it: tag, times, host and key must be those of a proof.
#[test]
#[covers("WBA-DIR-7", "WBA-AMB-26")]
fn a_key_is_proved_by_a_signature_of_the_response() {
    let (place, body, thumbprint) = (directory_url(), directory_body([&key()]), key().thumbprint());
    let asked = Message::request("GET", &place).unwrap();
    let response = Message::response(200).unwrap().answering(&asked);
    let tag = "http-message-signatures-directory";
    let times = "created=1790000000;expires=1790000100";
    let proof = |list: &str, params: &str| {
        let input = format!("({list});{params}");
        let params = bot_auth::SignatureParams::parse(&input).unwrap();
        let signed = bot_auth::sign(&response, "a", &params, &key()).unwrap();
        let headers = [
            ("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes()),
            ("Signature-Input", signed.signature_input.as_bytes()),
            ("Signature", signed.signature.as_bytes()),
        ];
        let fetched = Fetched { url: &place, status: 200, headers: &headers, body: body.as_bytes() };
        let read = |profile| Directory::read(&place, &fetched, profile, NOW).unwrap().proved().to_vec();
        assert_eq!(read(Profile::Ietf01), [], "there a digest has to be covered");
        read(Profile::Deployed)
    };
    let authority = "\"@authority\";req";
    for (list, params, is_proof) in [
        (authority, format!("{times};keyid=\"{thumbprint}\";tag=\"{tag}\""), true),
        (authority, format!("{times};keyid=\"{thumbprint}\";alg=\"ed25519\";tag=\"{tag}\""), true),
        (authority, format!("{times};keyid=\"{thumbprint}\";alg=\"rsa-pss-sha512\";tag=\"{tag}\""), false),
        (authority, format!("{times};keyid=\"{thumbprint}\";tag=\"web-bot-auth\""), false),
        (authority, format!("{times};keyid=\"{thumbprint}\""), false),
        (authority, format!("expires=1790000100;keyid=\"{thumbprint}\";tag=\"{tag}\""), false),
        (authority, format!("created=1790000000;keyid=\"{thumbprint}\";tag=\"{tag}\""), false),
        (
            authority,
            format!("created=1789999900;expires=1790000000;keyid=\"{thumbprint}\";tag=\"{tag}\""),
            false,
        ),
        (
            authority,
            format!("created=1790000060;expires=1790000100;keyid=\"{thumbprint}\";tag=\"{tag}\""),
            true,
        ),
        (
            authority,
            format!("created=1790000061;expires=1790000100;keyid=\"{thumbprint}\";tag=\"{tag}\""),
            false,
        ),
        (authority, format!("{times};keyid=\"key-1\";tag=\"{tag}\""), false),
        (authority, format!("{times};tag=\"{tag}\""), false),
        ("\"@status\"", format!("{times};keyid=\"{thumbprint}\";tag=\"{tag}\""), false),
        ("\"@method\";req", format!("{times};keyid=\"{thumbprint}\";tag=\"{tag}\""), false),
        ("", format!("{times};keyid=\"{thumbprint}\";tag=\"{tag}\""), false),
    ] {
        let expected: &[jwk::Thumbprint] = if is_proof { &[thumbprint] } else { &[] };
        assert_eq!(proof(list, &params), expected, "({list});{params}");
    }
}
