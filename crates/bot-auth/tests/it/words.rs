//! What answers and errors are called, which rule each rests on, and the sentences that they print.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::BTreeSet;
use std::fmt::Display;

use bot_auth::{
    AddressList, AddressListError, AgentType, BaseErrorKind, CacheAction, Card, CardFaultCode, Coverage,
    CrawlerDomains, CrawlerSigner, DirectoryError, DirectoryKeyFault, DnsQuery, FieldType, Held, Identity,
    Message, Outcome, Profile, Reason, RecordType, Replay, ReverseStep, SignErrorKind, UrlFault,
    VerifiedProfile, canonical_field,
};
use jwk::{KeyFault, SigningKey};
use web_values::UnixSeconds;

const REASONS: [Reason; 44] = [
    Reason::MalformedField,
    Reason::Tag,
    Reason::InsecureTransport,
    Reason::DuplicateLabel,
    Reason::LabelMismatch,
    Reason::Malformed,
    Reason::MissingParam,
    Reason::TargetNotCovered,
    Reason::CoverageTooSmall(Coverage::Authority),
    Reason::BodyNotCovered,
    Reason::BodyUnknown,
    Reason::Requirement,
    Reason::AgentAbsent,
    Reason::AgentMalformed,
    Reason::AgentNotCovered,
    Reason::AgentMemberMissing,
    Reason::AgentAmbiguous,
    Reason::AgentIgnored,
    Reason::AgentType,
    Reason::AgentNotHttps,
    Reason::AgentHost,
    Reason::CreatedInFuture,
    Reason::Expired,
    Reason::TooOld,
    Reason::BadTimes,
    Reason::LifetimeTooLong,
    Reason::Replayed,
    Reason::ReplayFull,
    Reason::KeyidNotThumbprint,
    Reason::AlgForbidden,
    Reason::AlgUnsupported,
    Reason::AlgUndetermined,
    Reason::TestKey,
    Reason::ChainIncomplete,
    Reason::AgentUnknown,
    Reason::DirectoryFailed,
    Reason::DirectoryLater,
    Reason::KeyUnknown,
    Reason::KeyNotCurrent,
    Reason::KeyUnusable(None),
    Reason::AlgMismatch,
    Reason::Signature,
    Reason::DigestMismatch,
    Reason::DigestUnsupported,
];

const BASE_ERRORS: [BaseErrorKind; 7] = [
    BaseErrorKind::BadParams,
    BaseErrorKind::TooManyComponents,
    BaseErrorKind::BadComponent,
    BaseErrorKind::UnknownComponent,
    BaseErrorKind::DuplicateComponent,
    BaseErrorKind::MissingComponent,
    BaseErrorKind::BadValue,
];

/// Names of one set: kebab case, each once.
fn check_names(names: impl IntoIterator<Item = &'static str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        let is_kebab =
            name.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()));
        assert!(is_kebab, "{name:?}");
        assert!(seen.insert(name), "{name:?} again");
    }
}

/// A row of the catalogue.
fn check_rules(rules: impl IntoIterator<Item = &'static str>) {
    let catalogues: Vec<_> = spec_vectors::catalogues().collect();
    for rule in rules {
        let is_row =
            |catalogue: &spec_vectors::Catalogue| catalogue.requirements.iter().any(|row| row.id == rule);
        assert!(catalogues.iter().any(is_row), "{rule:?}");
    }
}

/// Sentences of one set: what was expected and what was found, each once.
fn check_sentences(sentences: impl IntoIterator<Item = impl Display>) {
    let mut seen = BTreeSet::new();
    for sentence in sentences {
        let sentence = sentence.to_string();
        assert!(sentence.starts_with("expected ") && sentence.contains(", found "), "{sentence:?}");
        assert!(seen.insert(sentence.clone()), "{sentence:?} again");
    }
}

#[test]
fn each_refusal_has_a_name_a_rule_and_a_sentence_of_its_own() {
    let bases = BASE_ERRORS.map(Reason::Base);
    check_names(REASONS.iter().chain(&bases).map(|reason| reason.code()));
    check_rules(REASONS.iter().chain(&bases).map(|reason| reason.requirement()));
    check_sentences(REASONS.iter().chain(&bases));
    check_sentences(REASONS.iter().chain(&bases).map(|reason| reason.message()));
    check_names(BASE_ERRORS.map(BaseErrorKind::code));
    check_rules(BASE_ERRORS.map(BaseErrorKind::requirement));
    for fault in [KeyFault::Type, KeyFault::Weak] {
        assert_eq!(
            Reason::KeyUnusable(Some(fault)).to_string(),
            format!("expected a key that can be used, found one with a fault: {fault}")
        );
    }
    let directory =
        [DirectoryError::Status, DirectoryError::MediaType, DirectoryError::Size, DirectoryError::Json];
    check_names(directory.map(DirectoryError::code));
    check_rules(directory.map(DirectoryError::requirement));
    check_sentences(directory);
    let keys = [
        DirectoryKeyFault::Secret,
        DirectoryKeyFault::Kid,
        DirectoryKeyFault::Unusable,
        DirectoryKeyFault::NotCurrent,
    ];
    check_names(keys.map(DirectoryKeyFault::code));
    check_sentences(keys);
    let lists =
        [AddressListError::NotJson, AddressListError::NoPrefixes, AddressListError::UnsupportedVersion];
    check_names(lists.map(AddressListError::code));
    check_rules(lists.map(AddressListError::requirement));
    check_sentences(lists);
    let cards = [
        CardFaultCode::BothKeys,
        CardFaultCode::ClientIdMismatch,
        CardFaultCode::ClientIdMissing,
        CardFaultCode::NotHttps,
        CardFaultCode::UnknownValue,
        CardFaultCode::WrongType,
    ];
    check_names(cards.map(CardFaultCode::as_str));
    check_rules(cards.map(CardFaultCode::requirement));
    assert!(cards.iter().all(|code| code.to_string() == code.as_str()));
    let error = Card::parse("https://bot.example/card", b"x").unwrap_err();
    assert_eq!((error.code(), error.requirement()), ("not-json", "WBA-CARD-1"));
    check_sentences([error]);
}

#[test]
fn answers_have_names_and_sentences() {
    let outcomes = [Outcome::Verified, Outcome::Invalid, Outcome::Unverified, Outcome::Ignored];
    check_names(outcomes.map(Outcome::code));
    assert!(outcomes.iter().all(|outcome| outcome.to_string() == outcome.code()));
    check_names([Held::None, Held::Fresh, Held::Stale].map(Held::code));
    check_names([CacheAction::Use, CacheAction::Fetch, CacheAction::Wait].map(CacheAction::code));
    check_names([Coverage::None, Coverage::Authority, Coverage::Path, Coverage::Request].map(Coverage::code));
    let steps = [
        ReverseStep::Pending(vec![
            DnsQuery { record_type: RecordType::A, name: "a.example".into() },
            DnsQuery { record_type: RecordType::Aaaa, name: "a.example".into() },
        ]),
        ReverseStep::Confirmed("a.example".into()),
        ReverseStep::Refuted,
        ReverseStep::Unknown,
    ];
    check_names(steps.iter().map(ReverseStep::code));
    let key = SigningKey::from_secret(&[7; 32]).thumbprint();
    let verified = Identity::Verified(crate::replays::verified(&crate::replays::signer(7), "n", 60));
    for (shown, text) in [
        (Held::None.to_string(), "nothing is held".to_owned()),
        (Held::Fresh.to_string(), "what is held is fresh".to_owned()),
        (Held::Stale.to_string(), "what is held is stale".to_owned()),
        (CacheAction::Use.to_string(), "use what is held".to_owned()),
        (CacheAction::Fetch.to_string(), "fetch it".to_owned()),
        (CacheAction::Wait.to_string(), "wait: it is too early to ask again".to_owned()),
        (Coverage::None.to_string(), "neither host nor request".to_owned()),
        (Coverage::Authority.to_string(), "the host".to_owned()),
        (Profile::Deployed.to_string(), "deployed".to_owned()),
        (Profile::Ietf01.to_string(), "ietf-01".to_owned()),
        (VerifiedProfile::Invalid.to_string(), "invalid".to_owned()),
        (VerifiedProfile::Unverified.to_string(), "unverified".to_owned()),
        (
            VerifiedProfile::Verified(Coverage::Authority).to_string(),
            "verified, covering the host".to_owned(),
        ),
        (
            verified.to_string(),
            format!(
                "verified: https://bot.example/.well-known/http-message-signatures-directory by key {key}, covering the whole request"
            ),
        ),
        (
            Identity::Unverified(Reason::Expired).to_string(),
            format!("unverified: {}", Reason::Expired.message()),
        ),
        (
            Identity::Anonymous.to_string(),
            "anonymous: the request has no signature of Web Bot Auth".to_owned(),
        ),
        (Replay::Fresh.to_string(), "the signature was not used before".to_owned()),
        (Replay::Seen.to_string(), "the signature was used before".to_owned()),
        (Replay::Full.to_string(), "no room is left to remember the signature".to_owned()),
        (steps[0].to_string(), "look up A a.example, AAAA a.example".to_owned()),
        (steps[1].to_string(), "confirmed: the address is that of a.example".to_owned()),
        (steps[2].to_string(), "refuted: no name of the address is one of the crawler's".to_owned()),
        (steps[3].to_string(), "unknown: a lookup failed".to_owned()),
    ] {
        assert_eq!(shown, text);
    }
    for (kind, name) in
        [(AgentType::Directory, "directory"), (AgentType::JwksUri, "jwks_uri"), (AgentType::Card, "cimd")]
    {
        assert_eq!((kind.code(), kind.to_string().as_str()), (name, name));
    }
    let profiles =
        [VerifiedProfile::Verified(Coverage::Request), VerifiedProfile::Invalid, VerifiedProfile::Unverified];
    check_names(profiles.map(VerifiedProfile::code));
    assert_eq!(profiles.map(VerifiedProfile::coverage), [Coverage::Request, Coverage::None, Coverage::None]);
}

#[test]
fn what_cannot_be_signed_says_why() {
    let key = || SigningKey::from_secret(&[7; 32]);
    let signer = || CrawlerSigner::new(key(), "https://bot.example").unwrap();
    let request = Message::request("GET", "https://a.example/").unwrap();
    let plain = Message::request("GET", "http://a.example/").unwrap();
    let response = Message::response(200).unwrap();
    let now = UnixSeconds(1_790_000_000);
    let taken = Message::request("GET", "https://a.example/").unwrap().header("Signature-Input", "\"");
    let lines = [("Signature-Input", "a=(\"@method\")"), ("Signature", "a=:YQ==:")];
    let signed = lines
        .into_iter()
        .fold(Message::request("GET", "https://a.example/").unwrap(), |message, (name, value)| {
            message.header(name, value)
        });
    let errors = [
        (CrawlerSigner::new(key(), "http://bot.example").unwrap_err(), "bad-agent", "WBA-SIG-6"),
        (signer().lifetime_secs(0).unwrap_err(), "bad-lifetime", "WBA-SIG-4"),
        (signer().lifetime_secs(86_401).unwrap_err(), "bad-lifetime", "WBA-SIG-4"),
        (signer().sign(&plain, b"n", now).unwrap_err(), "insecure-transport", "WBA-SIG-8"),
        (signer().sign(&response, b"n", now).unwrap_err(), "bad-message", "WBA-SIG-6"),
        (signer().sign(&taken, b"n", now).unwrap_err(), "label-in-use", "WBA-SIG-7"),
        (
            signer().only_components(["\"x-absent\""]).sign(&request, b"n", now).unwrap_err(),
            "missing-component",
            "SIG9421-VAL-2",
        ),
        (
            signer().only_components(["\"signature\";key=\"a\""]).sign(&signed, b"n", now).unwrap_err(),
            "chain-incomplete",
            "WBA-MULTI-2",
        ),
    ];
    for (error, code, rule) in errors {
        assert_eq!((error.code(), error.requirement()), (code, rule), "{error}");
        check_sentences([error]);
    }
    assert!(signer().lifetime_secs(1).is_ok() && signer().lifetime_secs(86_400).is_ok());
    let base = Message::request("GET", "https://a.example/").unwrap();
    let error = signer().only_components(["\"x-absent\""]).sign(&base, b"n", now).unwrap_err();
    assert!(
        matches!(error.kind(), SignErrorKind::Base(base) if base.kind() == BaseErrorKind::MissingComponent)
    );
}

/// A scheme begins with a letter and has nothing but letters, digits and three marks.
#[test]
fn urls_that_are_none_say_what_is_missing() {
    for (url, fault, sentence) in [
        ("", UrlFault::NotAbsolute, "no scheme and host"),
        ("://a.example", UrlFault::NotAbsolute, "no scheme and host"),
        ("1a://a.example", UrlFault::NotAbsolute, "no scheme and host"),
        ("a_b://a.example", UrlFault::NotAbsolute, "no scheme and host"),
        ("a+b-c.1://a.example", UrlFault::Scheme, "a scheme other than http and https"),
        ("https://u@a.example", UrlFault::Userinfo, "user information"),
        ("https://", UrlFault::Host, "no host"),
        ("https://a[.example", UrlFault::Host, "no host"),
        ("https://a.example:65536", UrlFault::Port, "a port that is not a number up to 65535"),
        ("https://a.example/\u{e4}", UrlFault::NotVisibleAscii, "an octet outside of visible ascii"),
        ("https://a.example/ ", UrlFault::NotVisibleAscii, "an octet outside of visible ascii"),
    ] {
        let error = Message::request("GET", url).unwrap_err();
        assert_eq!(error.kind(), bot_auth::MessageErrorKind::Url(fault), "{url}");
        assert_eq!((fault.to_string().as_str(), error.requirement()), (sentence, "SIG9421-URL-1"), "{url}");
        assert!(
            error
                .to_string()
                .starts_with(&format!("expected an absolute http(s) url, found {sentence} at byte "))
        );
    }
    let method = Message::request("G T", "https://a.example/").unwrap_err();
    assert_eq!((method.offset(), method.requirement()), (1, "SIG9421-URL-6"));
    assert_eq!(method.to_string(), "expected a token as method, found another byte at 1");
    for (status, is_one) in [(99, false), (100, true), (999, true), (1000, false)] {
        assert_eq!(Message::response(status).is_ok(), is_one, "{status}");
    }
}

#[test]
fn domains_and_fields_say_where_their_fault_is() {
    for (domains, index) in
        [(&[][..], None), (&["*.a.example"], Some(0)), (&["a.example", "b.example", "c example"], Some(2))]
    {
        let error = CrawlerDomains::new(domains.iter().copied()).unwrap_err();
        assert_eq!((error.index(), error.code(), error.requirement()), (index, "bad-domain", "RDNS-6"));
        check_sentences([error]);
    }
    let error = canonical_field(FieldType::Dictionary, &["a=1, B=2"]).unwrap_err();
    assert_eq!((error.offset(), error.requirement()), (Some(5), "SIG9421-SF-6"));
    assert!(error.to_string().starts_with("expected a structured field: "), "{error}");
}

/// The length of a prefix is a number as people write it, no longer than the address.
#[test]
fn prefixes_have_plain_lengths() {
    for (prefix, is_one) in [
        ("192.0.2.0/24", true),
        ("192.0.2.1", true),
        ("0.0.0.0/0", true),
        ("192.0.2.1/32", true),
        ("192.0.2.0/33", false),
        ("192.0.2.0/", false),
        ("192.0.2.0/+24", false),
        ("192.0.2.0/024", false),
        ("0.0.0.0/00", false),
        ("192.0.2.0/x", false),
        ("192.0.2.0/256", false),
        // A bit behind the prefix.
        ("192.0.2.1/24", false),
    ] {
        let json = format!(r#"{{"prefixes":[{{"ipv4Prefix":"{prefix}"}}]}}"#);
        let list = AddressList::parse(json.as_bytes(), None).unwrap();
        assert_eq!((list.entries(), list.skipped()), (usize::from(is_one), usize::from(!is_one)), "{prefix}");
    }
    for (prefix, is_one) in [
        ("2001:db8::/32", true),
        ("::/0", true),
        ("2001:db8::1/128", true),
        ("2001:db8::/129", false),
        ("2001:db8::1/32", false),
    ] {
        let json = format!(r#"{{"prefixes":[{{"ipv6Prefix":"{prefix}"}}]}}"#);
        assert_eq!(
            AddressList::parse(json.as_bytes(), None).unwrap().entries(),
            usize::from(is_one),
            "{prefix}"
        );
    }
}

/// The `type` of an agent says what is at its URL: a directory only at an origin.
#[test]
fn a_type_says_what_is_at_the_agents_url() {
    let known = bot_auth::DIRECTORY_PATH;
    for (member, profile, expected) in [
        (
            "a=\"https://bot.example\"",
            Profile::Deployed,
            Ok((AgentType::Directory, format!("https://bot.example{known}"))),
        ),
        (
            "a=\"https://bot.example/\";type=directory",
            Profile::Deployed,
            Ok((AgentType::Directory, format!("https://bot.example{known}"))),
        ),
        (
            "a=\"https://bot.example\";type=\"directory\"",
            Profile::Deployed,
            Ok((AgentType::Directory, format!("https://bot.example{known}"))),
        ),
        ("a=\"https://bot.example/k\";type=directory", Profile::Deployed, Err(Reason::AgentMalformed)),
        (
            "a=\"https://bot.example/k\"",
            Profile::Deployed,
            Ok((AgentType::JwksUri, "https://bot.example/k".to_owned())),
        ),
        (
            "a=\"https://bot.example/k\";type=jwks_uri",
            Profile::Deployed,
            Ok((AgentType::JwksUri, "https://bot.example/k".to_owned())),
        ),
        (
            "a=\"https://bot.example/k\";type=cimd",
            Profile::Deployed,
            Ok((AgentType::Card, "https://bot.example/k".to_owned())),
        ),
        ("a=\"https://bot.example\";type=Directory", Profile::Deployed, Err(Reason::AgentType)),
        ("a=\"https://bot.example\";type=1", Profile::Deployed, Err(Reason::AgentType)),
        ("a=\"https://bot.example\";type=directory", Profile::Ietf01, Err(Reason::AgentIgnored)),
        ("a=\"https://bot.example\";other", Profile::Ietf01, Err(Reason::AgentIgnored)),
        (
            "a=\"https://bot.example/\"",
            Profile::Ietf01,
            Ok((AgentType::JwksUri, "https://bot.example/".to_owned())),
        ),
    ] {
        let read = bot_auth::SignatureAgent::parse(&[member], profile).unwrap();
        let [only] = read.members.as_slice() else { panic!("{member}") };
        let found = only
            .agent
            .as_ref()
            .map(|agent| (agent.agent_type, agent.fetch.clone()))
            .map_err(|reason| *reason);
        assert_eq!((only.key.as_deref(), found), (Some("a"), expected), "{member}");
    }
}

/// A structured field's number has fifteen digits at most, and so has the time at which a signature ends.
#[test]
fn times_past_fifteen_digits_are_not_signed() {
    let signer = || CrawlerSigner::new(SigningKey::from_secret(&[7; 32]), "https://bot.example").unwrap();
    let signer = signer().lifetime_secs(100).unwrap();
    let request = Message::request("GET", "https://a.example/").unwrap();
    let last = UnixSeconds(999_999_999_999_899);
    let signed = signer.sign(&request, b"n", last).unwrap();
    assert!(signed.signature_input.contains(";expires=999999999999999;"), "{}", signed.signature_input);
    for now in [last.saturating_add(1), UnixSeconds(u64::MAX)] {
        assert_eq!(signer.sign(&request, b"n", now).unwrap_err().code(), "bad-params");
    }
}

/// One line for each signature: its label, what came of it, why, and about what.
#[test]
fn results_print_as_one_line() {
    let now = UnixSeconds(1_790_000_000);
    let printed = |input: &str, signature: &str| {
        let message = Message::request("GET", "https://a.example/")
            .unwrap()
            .header("Signature-Input", input)
            .header("Signature", signature);
        let check = bot_auth::RequestCheck::new(&message, &bot_auth::Policy::host_alone(), now);
        check.results().map(ToString::to_string).collect::<Vec<_>>()
    };
    let right = ";created=1789999999;expires=1790000100;keyid=\"a\";tag=\"web-bot-auth\"";
    for (input, reason) in [
        (format!("s=(\"@method\"){right}"), Reason::TargetNotCovered),
        (format!("s=(\"@authority\"){}", right.replace("web-bot-auth", "other")), Reason::Tag),
        (format!("s=(\"@authority\"){right}"), Reason::AgentAbsent),
    ] {
        assert_eq!(printed(&input, "s=:AA==:"), [format!("s: {}: {reason}", reason.outcome())]);
    }
    let spoilt = printed("\"", "s=:AA==:");
    assert_eq!(spoilt, [format!("all signatures: invalid: {}", Reason::MalformedField)]);

    let message = Message::request("GET", "https://a.example/")
        .unwrap()
        .header("Signature-Input", "s=(\"x-absent\");keyid=\"a\", t=(\"@method\");keyid=\"b\"")
        .header("Signature", "s=:AA==:, t=:AA==:");
    let jwk = jwk::Jwk::parse(SigningKey::from_secret(&[7; 32]).to_public_jwk().as_bytes()).unwrap();
    let ring = bot_auth::Keyring::new().with("a", &jwk);
    let results =
        bot_auth::verify_signatures(&message, &ring, &bot_auth::Requirements::default(), None).unwrap();
    let lines: Vec<String> = results.iter().map(ToString::to_string).collect();
    let missing = Reason::Base(BaseErrorKind::MissingComponent);
    assert_eq!(
        lines,
        [format!("s: refused: {missing}: \"x-absent\""), format!("t: refused: {}", Reason::KeyUnknown)]
    );
    let broken = Message::request("GET", "https://a.example/").unwrap().header("Signature-Input", "\"");
    let error =
        bot_auth::verify_signatures(&broken, &ring, &bot_auth::Requirements::default(), None).unwrap_err();
    assert_eq!((error.code(), error.requirement()), ("malformed-field", "SIG9421-LAB-3"));
    check_sentences([error]);
}

/// An entry of a registry is an https URL or a `data:` URL with its comma; other lines are counted.
#[test]
fn lines_of_a_registry_are_entries_or_skipped() {
    for (line, is_entry) in [
        ("https://bot.example/card", true),
        ("  https://bot.example/card\t# a bot", true),
        ("https://bot.example/card#part", true),
        ("data:application/json,{}", true),
        ("DATA:,{}", true),
        ("data:application/json", false),
        ("data:,{ }", false),
        ("data:x y", false),
        ("http://bot.example/card", false),
        ("bot.example", false),
        ("data", false),
    ] {
        let registry = bot_auth::Registry::parse(line);
        assert_eq!(
            (registry.entries().len(), registry.skipped()),
            (usize::from(is_entry), usize::from(!is_entry)),
            "{line}"
        );
    }
    let empty = bot_auth::Registry::parse("\r\n \t\n# https://bot.example\r");
    assert_eq!((empty.entries().len(), empty.skipped()), (0, 0));
}

/// A hundred members in a field, and not one more.
#[test]
fn a_message_has_a_hundred_signatures_at_most() {
    let ring = bot_auth::Keyring::new();
    for (inputs, signatures, is_read) in
        [(100, 100, true), (101, 1, false), (1, 101, false), (101, 101, false)]
    {
        let field = |count: usize, value: &str| {
            (0..count).map(|at| format!("s{at}={value}")).collect::<Vec<_>>().join(", ")
        };
        let (input, signature) = (field(inputs, "(\"@method\")"), field(signatures, ":AA==:"));
        let message = Message::request("GET", "https://a.example/")
            .unwrap()
            .header("Signature-Input", &input)
            .header("Signature", &signature);
        let results = bot_auth::verify_signatures(&message, &ring, &bot_auth::Requirements::default(), None);
        assert_eq!(
            results.map(|results| results.len()).ok(),
            is_read.then_some(100),
            "{inputs} {signatures}"
        );
    }
}
