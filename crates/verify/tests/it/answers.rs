//! What outcomes, reasons and errors say, and both sides of each edge.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::BTreeSet;
use std::fmt::Display;

use http::{Response, StatusCode, header};
use insta::assert_snapshot;
use jwk::{JwkSet, SigningKey};
use llmindex_types::{Limits, ManifestText};
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use verify::{
    Action, Caveat, DnsErrorKind, DnsReason, Domain, DomainErrorKind, FetchFailure, FileWarning, HttpReason,
    JwsForm, LookupFailure, ManifestProof, ManifestProofErrorKind, ManifestVerifier, NearMissKind,
    NoSuffixes, Origin, Protocol, PublicSuffixes, Quorum, QuorumPolicy, SignatureReason, Status, Token,
    TxtAnswer, TxtRecord, WellKnownCheck, evaluate_dns, sign_manifest, verify_reference_form,
};
use web_values::{Finding as _, Place};

const TOKEN: &str = "8a93c5f24b1e6d70a9c3f8125e7b6d04";

fn domain() -> Domain {
    Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes).unwrap()
}

fn token() -> Token {
    Token::expect(domain(), TOKEN).unwrap()
}

/// A line each of code and words, no two alike and none empty.
fn table<T: Copy + Display>(values: &[T], code: impl Fn(T) -> &'static str) -> String {
    let codes: BTreeSet<_> = values.iter().map(|value| code(*value)).collect();
    let words: BTreeSet<_> = values.iter().map(ToString::to_string).collect();
    assert!(codes.len() == values.len() && words.len() == values.len(), "{codes:?} {words:?}");
    assert!(codes.iter().all(|code| !code.is_empty()) && words.iter().all(|words| !words.is_empty()));
    values.iter().map(|value| format!("{}: {value}\n", code(*value))).collect()
}

#[test]
fn the_words_of_every_result() {
    use {Caveat as C, DnsReason as D, HttpReason as H, SignatureReason as S};
    let dns = [
        D::Verified,
        D::WeakToken,
        D::NoAnswer,
        D::TooFewAnswers,
        D::WildcardRecord,
        D::NoRecord,
        D::NoMatch,
        D::ResolversDisagree,
    ];
    let http = [
        H::Verified,
        H::WeakToken,
        H::RobotsDisallow,
        H::Failed(FetchFailure::Timeout),
        H::Failed(FetchFailure::Tls),
        H::Failed(FetchFailure::Network),
        H::Status(404),
        H::LocationMissing,
        H::LocationAmbiguous,
        H::BadLocation,
        H::RedirectNotHttps,
        H::RedirectWithUserinfo,
        H::RedirectToPort,
        H::RedirectCrossDomain,
        H::RedirectCrossHost,
        H::RedirectLoop,
        H::TooManyRedirects,
        H::BodyTooLarge,
        H::HtmlContentType,
        H::MarkupContentType,
        H::HtmlBody,
        H::NotUtf8,
        H::NoMatch,
    ];
    let signatures = [
        S::Valid,
        S::DuplicateMember,
        S::LoneSurrogate,
        S::SigMissing,
        S::SigDefective,
        S::OriginMismatch,
        S::NoCanonicalForm,
        S::NotThreeParts,
        S::HeaderBase64,
        S::HeaderNotJson,
        S::AlgMissing,
        S::AlgNone,
        S::AlgSymmetric,
        S::AlgUnsupported,
        S::AlgMismatch,
        S::EmbeddedKey,
        S::KidMissing,
        S::KidMismatch,
        S::CritMalformed,
        S::CritUnknown,
        S::B64Malformed,
        S::B64NotCritical,
        S::B64Attached,
        S::PayloadBase64,
        S::KeyUnknown,
        S::KeyAmbiguous,
        S::KeyType,
        S::KeyCurve,
        S::KeyUse,
        S::KeyOps,
        S::KeyAlg,
        S::KeyMalformed,
        S::KeyNonCanonical,
        S::KeyWeak,
        S::SignatureBase64,
        S::SignatureLength,
        S::SignatureMismatch,
        S::PayloadNotJson,
        S::PayloadMismatch,
        S::NotReferenceForm,
        S::DigestMismatch,
    ];
    let caveats = [
        C::PointInTime,
        C::ExactHostOnly,
        C::ChallengeNotFresh,
        C::WeakChallenge,
        C::NoMoreThanTheManifest,
        C::KeyIsTheCallersTrust,
        C::NoExpiry,
        C::InexactIntegers,
        C::RespelledNumbers,
        C::UnsignedSigMembers,
        C::HeaderNotSigned,
    ];
    let tables = [
        table(&dns, DnsReason::code),
        table(&http, HttpReason::code),
        table(&signatures, SignatureReason::code),
        table(&caveats, Caveat::code),
        table(&[FileWarning::NotPlainText, FileWarning::ValueLooksLikeFileName], FileWarning::code),
        table(&[Protocol::AiWebIndex, Protocol::Llmindex], Protocol::name),
        table(&[QuorumPolicy::Any, QuorumPolicy::Majority, QuorumPolicy::All], QuorumPolicy::name),
        table(&[JwsForm::Attached, JwsForm::Detached, JwsForm::Unencoded, JwsForm::Reference], JwsForm::name),
        table(
            &[
                LookupFailure::Timeout,
                LookupFailure::ServerFailure,
                LookupFailure::Refused,
                LookupFailure::Other,
            ],
            LookupFailure::name,
        ),
        table(&[FetchFailure::Timeout, FetchFailure::Tls, FetchFailure::Network], FetchFailure::name),
    ];
    assert_snapshot!(tables.join("\n"));
}

#[test]
fn a_quorum_counts_at_its_edges() {
    let yes = |name: &str| TxtAnswer::records(name, [TxtRecord::new([format!("aiwi-verify={TOKEN}")])]);
    let no = |name: &str| TxtAnswer::records(name, [TxtRecord::new(["other"])]);
    let judge =
        |answers: &[TxtAnswer], quorum: Quorum| evaluate_dns(&token(), answers, quorum).unwrap().reason;
    let policy = Quorum::new;
    let (one, tie) = ([yes("a")], [yes("a"), no("b")]);
    assert_eq!(
        judge(&tie, policy(QuorumPolicy::Majority)),
        DnsReason::ResolversDisagree,
        "a tie is no majority"
    );
    assert_eq!(judge(&[yes("a"), yes("b"), no("c")], policy(QuorumPolicy::Majority)), DnsReason::Verified);
    assert_eq!(judge(&tie, policy(QuorumPolicy::Any)), DnsReason::Verified);
    assert_eq!(judge(&tie, policy(QuorumPolicy::All)), DnsReason::ResolversDisagree);
    for least in [0, 1] {
        assert_eq!(judge(&one, policy(QuorumPolicy::All).min_answers(least)), DnsReason::Verified, "{least}");
    }
    for least in [2, 3] {
        assert_eq!(
            judge(&one, policy(QuorumPolicy::All).min_answers(least)),
            DnsReason::TooFewAnswers,
            "{least}"
        );
    }
    let failed = [TxtAnswer::failed("a", LookupFailure::Timeout)];
    assert_eq!(judge(&failed, policy(QuorumPolicy::Any).min_answers(0)), DnsReason::NoAnswer);
    let error = evaluate_dns(&token(), &[], QuorumPolicy::Any).unwrap_err();
    assert_eq!((error.kind(), error.requirement()), (DnsErrorKind::NoResolverAsked, "AIWI-VER-3"));
}

/// A value over two records is one only if both have a part of it.
#[test]
fn a_value_in_two_records_is_named() {
    let whole = format!("aiwi-verify={TOKEN}");
    let misses = |records: &[&str]| {
        let answer = TxtAnswer::records("a", records.iter().map(|record| TxtRecord::new([record])));
        let report =
            evaluate_dns(&token(), &[answer], Quorum::new(QuorumPolicy::Any).min_answers(1)).unwrap();
        report.near_misses.into_iter().map(|miss| (miss.record, miss.kind)).collect::<Vec<_>>()
    };
    assert_eq!(NearMissKind::SplitAcrossRecords.to_string(), "expected one record, found the value in two");
    let wrong = NearMissKind::WrongName { name: "www.example.com".into() };
    assert_eq!(
        wrong.to_string(),
        "expected the value at the record's name, found it at another, `www.example.com`"
    );
    let split = |record| [(record, NearMissKind::SplitAcrossRecords)];
    assert_eq!(misses(&[&whole[..20], &whole[20..]]), split(0));
    assert_eq!(misses(&["v=spf1", &whole[20..], &whole[..20]]), split(2));
    assert_eq!(misses(&[&whole[..20], "x"]), [(0, NearMissKind::Truncated)]);
    assert_eq!(misses(&[&whole[..20], &whole[..20]]).len(), 2, "twice the head is no whole");
    assert!(misses(&["v=spf1", ""]).is_empty());
    // A record of something else does not complete the value, and quotes alone make nothing similar to it.
    assert_eq!(misses(&["v=spf1", &whole[..20]]), [(1, NearMissKind::Truncated)]);
    assert!(misses(&["\"v=spf1 -all\"", "\"\""]).is_empty());
    assert_eq!(misses(&[&format!("\"aiwi-verify=\" \"{TOKEN}\"")]), [(0, NearMissKind::Quotes)]);
}

/// A near miss can be shown by itself, with the resolver, the record, and the name where the value was found.
#[test]
fn a_near_miss_says_where_it_is() {
    let misses = |answers: &[TxtAnswer]| {
        let quorum = Quorum::new(QuorumPolicy::Any).min_answers(1);
        evaluate_dns(&token(), answers, quorum).unwrap().near_misses
    };
    let records = |texts: &[&str]| TxtAnswer::records("a", texts.iter().map(|text| TxtRecord::new([text])));
    let whole = format!("aiwi-verify={TOKEN}");
    let at_name = misses(&[records(&["x", &whole[..20]])]);
    assert_eq!(at_name[0].to_string(), format!("a, record 1: {}", NearMissKind::Truncated));
    assert_eq!(at_name[0].place(), Place::default());
    let elsewhere = misses(&[records(&["x"]), records(&[&whole]).asked_for("www.example.com")]);
    assert_eq!(elsewhere[0].place(), Place::named("www.example.com"));
}

/// A quorum and a verdict say what they are.
#[test]
fn policies_and_verdicts_have_names() {
    for policy in [QuorumPolicy::Any, QuorumPolicy::Majority, QuorumPolicy::All] {
        assert_eq!(Quorum::new(policy).policy(), policy);
    }
    let names = [Status::Verified, Status::NotVerified, Status::Undecided].map(Status::name);
    assert_eq!(names, ["verified", "not-verified", "undecided"]);
}

#[test]
fn domain_errors_say_where() {
    let parse = |text: &str| Domain::parse(Protocol::AiWebIndex, text, &NoSuffixes);
    let label = "a".repeat(63);
    // 234 octets are the longest domain whose record name fits.
    let long = |len: usize| format!("{label}.{label}.{label}.{}.com", "b".repeat(len - 3 * 64 - 4));
    assert_eq!(parse(&long(234)).unwrap().as_str().len(), 234);
    let error = parse(&long(235)).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (DomainErrorKind::TooLong { len_bytes: 235, max_bytes: 234 }, 234)
    );
    let input = "a.".repeat(2_000);
    let error = parse(&input).unwrap_err();
    let DomainErrorKind::TooLong { len_bytes, max_bytes } = error.kind() else { panic!("{error}") };
    assert_eq!((len_bytes, error.offset()), (4_000, max_bytes));
    // Exactly as long as is read at all: refused for what is in it, not for its length.
    let full = "-".repeat(max_bytes - 1) + "!";
    assert_eq!(parse(&full).unwrap_err().kind(), DomainErrorKind::BadCharacter { found: '!' });
    assert_eq!(parse(&full).unwrap_err().offset(), max_bytes - 1);
    for (text, offset) in [("ab..com", 3), ("ab.c d.com", 4), (&*format!("x.{}.com", "a".repeat(64)), 2)] {
        let error = parse(text).unwrap_err();
        assert_eq!((error.offset(), error.requirement()), (offset, "AIWI-AMB-27, LLMI-AMB-17"), "{text}");
    }
}

#[test]
fn token_errors_say_where() {
    let offset = |text: &str| Token::expect(domain(), text).unwrap_err().offset();
    assert_eq!([offset("ab\n"), offset("\u{e9}"), offset("abcde ")], [Some(2), Some(0), Some(5)]);
    assert_eq!(offset(&"a".repeat(129)), None);
}

#[test]
fn no_list_means_no_public_suffix() {
    assert_eq!(NoSuffixes.public_suffix("co.uk"), None);
    assert_eq!(<&NoSuffixes as PublicSuffixes>::public_suffix(&&NoSuffixes, "co.uk"), None);
    struct Uk;
    impl PublicSuffixes for Uk {
        fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str> {
            name.ends_with("co.uk").then_some("co.uk")
        }
    }
    let borrowed: &dyn PublicSuffixes = &&Uk;
    assert_eq!(borrowed.public_suffix("a.co.uk"), Some("co.uk"));
    assert_eq!(borrowed.registrable_domain("b.a.co.uk"), Some("a.co.uk"));
    assert_eq!(
        [borrowed.registrable_domain("co.uk"), NoSuffixes.registrable_domain("a.co.uk")],
        [None, None]
    );
}

#[test]
fn manifest_proof_errors_say_what_is_wrong() {
    let of = |verify: &str, url: &str, from: &str| {
        let manifest = format!(r#"{{"entity":{{"canonical_url":"{url}"}}{verify}}}"#);
        let manifest = ManifestText::parse(manifest.as_bytes(), &Limits::MANIFEST).unwrap();
        let error = ManifestProof::of(&manifest, from, &NoSuffixes).unwrap_err();
        (error.kind(), error.requirement(), error.to_string())
    };
    let verify = r#","verify":{"method":"dns_txt","value":"abc"}"#;
    let good = "https://shop.example/";
    let (kind, requirement, text) = of("", good, "shop.example");
    assert_eq!((kind, requirement), (ManifestProofErrorKind::VerifyMissing, "LLMI-MAN-17"));
    assert_eq!(text, "expected a member `verify`, found none");
    let (kind, requirement, text) = of(r#","verify":7"#, good, "shop.example");
    assert_eq!((kind, requirement), (ManifestProofErrorKind::VerifyDefective, "LLMI-MAN-17"));
    assert!(text.contains("defective"), "{text}");
    let (kind, requirement, _) = of(verify, "http://shop.example/", "shop.example");
    assert_eq!((kind, requirement), (ManifestProofErrorKind::NoCanonicalUrl, "LLMI-MAN-6"));
    let (kind, requirement, text) = of(verify, good, "other.example");
    assert_eq!((kind, requirement), (ManifestProofErrorKind::OriginMismatch, "LLMI-AMB-6"));
    assert!(text.contains("another's"), "{text}");
    let (kind, requirement, text) = of(verify, good, "localhost");
    assert!(
        matches!(kind, ManifestProofErrorKind::Domain(_)) && requirement.contains("LLMI-AMB-17"),
        "{text}"
    );
}

#[test]
fn signature_reports_and_errors() {
    let key = SigningKey::from_secret(&[7; 32]).with_kid("k");
    let keys = JwkSet::parse(key.to_public_jwk_set().as_bytes()).unwrap();
    let verify = |manifest: &[u8]| ManifestVerifier::new(&keys, Origin::Unchecked).verify(manifest);
    let signed = sign_manifest(br#"{"a":1}"#, &key, JwsForm::Detached).unwrap();
    assert_eq!(
        verify(signed.as_bytes()).unwrap().to_string(),
        "the signature is valid (key `k`, detached)"
            .replace("the signature is valid", &SignatureReason::Valid.to_string())
    );
    let unknown = signed.replace(r#""kid":"k""#, r#""kid":"z""#);
    assert!(verify(unknown.as_bytes()).unwrap().to_string().ends_with(" (key `z`)"));
    assert_eq!(verify(b"{}").unwrap().to_string(), SignatureReason::SigMissing.to_string());
    for (text, code, offset) in [
        (&b"{\"a\":}"[..], "not-json", 5),
        (b"{\"a\":\"\xff\"}", "not-utf8", 6),
        (br#"{"entity":{},"entity":{}}"#, "duplicate-member", 13),
    ] {
        match verify(text) {
            Err(error) => {
                assert_eq!((error.code(), error.offset()), (code, offset));
                assert!(error.requirement().starts_with("LLMI-"), "{}", error.requirement());
            }
            Ok(report) => assert_eq!(report.reason.code(), code),
        }
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    assert_eq!(verify(deep.as_bytes()).unwrap_err().code(), "too-deep");
    let long = ManifestVerifier::new(&keys, Origin::Unchecked).verify(&vec![b' '; 3 << 20]).unwrap_err();
    assert_eq!(long.code(), "too-long");

    // The reference's form is a header of its own, whoever signs.
    let only = keys.only_key().unwrap();
    let report = verify_reference_form(signed.as_bytes(), &only).unwrap();
    assert_eq!(report.reason, SignatureReason::NotReferenceForm);
    let errors = [
        (sign_manifest(b"{}", &SigningKey::from_secret(&[7; 32]), JwsForm::Attached), "no-kid", "LLMI-SIG-4"),
        (sign_manifest(b"{}", &key, JwsForm::Reference), "not-written", "LLMI-AMB-22"),
        (sign_manifest(br#"{"a":1e999}"#, &key, JwsForm::Attached), "no-canonical-form", "LLMI-AMB-21"),
    ];
    for (result, code, requirement) in errors {
        let error = result.unwrap_err();
        assert_eq!((error.code(), error.requirement()), (code, requirement));
    }
}

/// What is wrong with a key is the reason why the signature does not count.
#[test]
fn faults_of_keys_are_reasons() {
    use {SignatureReason as R, jwk::KeyFault as F};
    for (fault, reason) in [
        (F::Type, R::KeyType),
        (F::Curve, R::KeyCurve),
        (F::Use, R::KeyUse),
        (F::Ops, R::KeyOps),
        (F::Alg, R::KeyAlg),
        (F::Malformed, R::KeyMalformed),
        (F::NonCanonical, R::KeyNonCanonical),
        (F::Weak, R::KeyWeak),
    ] {
        assert_eq!(R::from(fault), reason);
    }
}

/// A `Location` of 8 KiB is followed, one byte more is not.
#[test]
fn a_long_location_is_refused() {
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1).verification(true).build().unwrap();
    for (len, is_followed) in [(8 * 1024, true), (8 * 1024 + 1, false)] {
        let mut check = WellKnownCheck::new(token(), &agent, &NoSuffixes).unwrap();
        let prefix = "https://example.com/";
        let mut response = Response::new(Vec::new());
        *response.status_mut() = StatusCode::FOUND;
        let location = format!("{prefix}{}", "a".repeat(len - prefix.len()));
        response.headers_mut().insert(header::LOCATION, location.parse().unwrap());
        check.on_response(&response).unwrap();
        match check.next_action() {
            Action::Send(request) => assert!(is_followed && *request.uri() == *location, "{len}"),
            Action::Done(report) => {
                assert!(!is_followed && report.reason == HttpReason::BadLocation, "{len}");
                assert_eq!(
                    report.to_string(),
                    "example.com: expected a URL in `Location`, found other text (https://example.com/.well-known/aiwebindex-verify.txt)"
                );
            }
            Action::AskRobots { .. } => panic!("robots.txt was not asked for"),
        }
    }
}

/// What is logged of a check says where it stands, and never what is expected.
#[test]
fn what_is_logged_shows_no_token() {
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1).verification(true).build().unwrap();
    let mut check = WellKnownCheck::new(token(), &agent, &NoSuffixes).unwrap();
    let at_first = format!("{check:?}");
    assert!(at_first.starts_with("WellKnownCheck { token: Token { domain: "), "{at_first}");
    assert!(at_first.contains("example.com") && at_first.contains("state: Fetch"), "{at_first}");
    check.on_failure(FetchFailure::Timeout).unwrap();
    let at_last = format!("{check:?}");
    assert!(at_last.contains("state: Done { reason: "), "{at_last}");
    for shown in [at_first, at_last, format!("{:?}", token())] {
        assert!(!shown.contains(&TOKEN[..8]), "{shown}");
    }
}
