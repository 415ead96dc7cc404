use super::*;
use crate::{NoSuffixes, Protocol};

const TOKEN: &str = "8a93c5f24b1e6d70a9c3f8125e7b6d04";
const VALUE: &str = "aiwi-verify=8a93c5f24b1e6d70a9c3f8125e7b6d04";

fn token(protocol: Protocol, text: &str) -> Token {
    Token::expect(Domain::parse(protocol, "example.com", &NoSuffixes).unwrap(), text).unwrap()
}

/// A quorum of one resolver, for tests of the records alone.
fn alone() -> Quorum {
    Quorum::new(QuorumPolicy::Majority).min_answers(1)
}

fn answer(records: &[&[&str]]) -> TxtAnswer {
    TxtAnswer::records("r", records.iter().map(|strings| TxtRecord::new(*strings)))
}

fn reason(records: &[&[&str]]) -> DnsReason {
    evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(records)], alone()).unwrap().reason
}

fn near_misses(records: &[&[&str]]) -> Vec<&'static str> {
    let report = evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(records)], alone()).unwrap();
    assert!(!report.is_verified(), "{records:?}");
    report.near_misses.iter().map(|miss| miss.kind.code()).collect()
}

#[test]
fn any_one_record_is_enough() {
    assert_eq!(reason(&[&["v=spf1 -all"], &["aiwi-verify=0123"], &[VALUE], &[]]), DnsReason::Verified);
}

#[test]
fn strings_are_joined_within_a_record_only() {
    assert_eq!(reason(&[&["aiwi-verify=8a93c5f24b1e", "6d70a9c3f8125e7b6d04"]]), DnsReason::Verified);
    assert_eq!(reason(&[&["aiwi-verify=8a93c5f24b1e"], &["6d70a9c3f8125e7b6d04"]]), DnsReason::NoMatch);
    assert_eq!(reason(&[&["aiwi-verify=8a93c5f24b1e", " ", "6d70a9c3f8125e7b6d04"]]), DnsReason::NoMatch);
}

#[test]
fn spaces_and_pasted_quotes_around_the_value_are_tolerated() {
    let quoted = format!(" \"{VALUE}\" ");
    let report = evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(&[&[&quoted]])], alone()).unwrap();
    assert!(report.is_verified() && report.has_pasted_quotes());
    let report =
        evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(&[&["  ", VALUE, " "]])], alone()).unwrap();
    assert!(report.is_verified() && !report.has_pasted_quotes());
}

#[test]
fn near_misses_say_what_is_wrong() {
    assert_eq!(near_misses(&[&[&VALUE[..40]]]), ["truncated"]);
    assert_eq!(near_misses(&[&[VALUE, "ff"]]), ["extended"]);
    assert_eq!(near_misses(&[&[TOKEN]]), ["prefix-missing"]);
    assert_eq!(near_misses(&[&["aiwi-verify=00000000000000000000000000000000"]]), ["other-token"]);
    assert_eq!(near_misses(&[&[&VALUE.to_uppercase()]]), ["wrong-case"]);
    assert_eq!(near_misses(&[&["aiwi-verify= ", TOKEN]]), ["white-space"]);
    assert_eq!(near_misses(&[&["\t", VALUE]]), ["white-space"]);
    assert_eq!(near_misses(&[&["\"aiwi-verify=\" \"", TOKEN, "\""]]), ["quotes"]);
    assert_eq!(near_misses(&[&["\"", VALUE]]), ["quotes"]);
    assert_eq!(near_misses(&[&["x"], &[&VALUE[20..]], &[&VALUE[..20]]]), ["split-across-records"]);
    assert_eq!(near_misses(&[&["v=spf1 -all"], &[""], &["aiwi-verify="]]), ["other-token"]);
}

#[test]
fn a_record_at_another_name_has_no_vote() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    let here =
        TxtAnswer::without_records("r", NoRecords::NoSuchName).asked_for("_AIWEBINDEX-verify.example.com.");
    let names = names_by_mistake(token.domain());
    assert_eq!(names[2], "_aiwebindex-verify.example.com.example.com");
    let there = answer(&[&[VALUE]]).asked_for(&*names[2]);
    let report = evaluate(&token, &[here, there.clone()], alone()).unwrap();
    assert_eq!(report.reason, DnsReason::NoRecord);
    assert_eq!(report.near_misses[0].kind, NearMissKind::WrongName { name: names[2].clone() });
    // Alone, it is as if nobody had been asked.
    assert_eq!(
        evaluate(&token, &[there], QuorumPolicy::Any).unwrap_err().kind(),
        DnsErrorKind::NoResolverAsked
    );
}

#[test]
fn policies_count_those_that_answered() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    let reason = |answers: &str, policy: QuorumPolicy| {
        let answer = |(index, kind): (usize, char)| {
            let resolver = format!("192.0.2.{index}");
            match kind {
                'y' => TxtAnswer::records(resolver, [TxtRecord::new([VALUE])]),
                'n' => TxtAnswer::records(resolver, []),
                _ => TxtAnswer::failed(resolver, LookupFailure::Timeout),
            }
        };
        let answers: Vec<_> = answers.chars().enumerate().map(answer).collect();
        evaluate(&token, &answers, policy).unwrap().reason
    };
    use DnsReason::{NoAnswer, NoRecord, ResolversDisagree as Disagree, TooFewAnswers as TooFew, Verified};
    for (answers, any, majority, all) in [
        ("y", TooFew, TooFew, TooFew),
        ("y--", TooFew, TooFew, TooFew),
        ("n--", TooFew, TooFew, TooFew),
        ("yy", Verified, Verified, Verified),
        ("yy-", Verified, Verified, Verified),
        ("yn", Verified, Disagree, Disagree),
        ("yyn", Verified, Verified, Disagree),
        ("ynn", Verified, Disagree, Disagree),
        ("yn-", Verified, Disagree, Disagree),
        ("nn-", NoRecord, NoRecord, NoRecord),
        ("--", NoAnswer, NoAnswer, NoAnswer),
    ] {
        assert_eq!(reason(answers, QuorumPolicy::Any), any, "{answers}");
        assert_eq!(reason(answers, QuorumPolicy::Majority), majority, "{answers}");
        assert_eq!(reason(answers, QuorumPolicy::All), all, "{answers}");
    }
    assert!(evaluate(&token, &[], QuorumPolicy::Any).is_err());
}

#[test]
fn fewer_answers_are_enough_where_the_caller_says_so() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    let answers = [answer(&[&[VALUE]]), TxtAnswer::failed("dead", LookupFailure::Timeout)];
    let reason = |quorum: Quorum| evaluate(&token, &answers, quorum).unwrap().reason;
    assert_eq!(reason(Quorum::default()), DnsReason::TooFewAnswers);
    assert_eq!(reason(Quorum::default().min_answers(1)), DnsReason::Verified);
    assert_eq!(reason(Quorum::default().min_answers(0)), DnsReason::Verified);
    let report = evaluate(&token, &answers, Quorum::default()).unwrap();
    assert!(report.is_undecided() && !report.is_verified());
}

#[test]
fn a_resolver_has_one_vote_however_often_it_appears() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    let yes = |resolver: &str| TxtAnswer::records(resolver, [TxtRecord::new([VALUE])]);
    let no = |resolver: &str| TxtAnswer::records(resolver, []);
    let reason = |answers: &[TxtAnswer]| evaluate(&token, answers, QuorumPolicy::Majority).unwrap().reason;
    // One poisoned cache, three spellings.
    let poisoned = [yes("192.0.2.1"), yes("::ffff:192.0.2.1"), yes(" 192.0.2.1"), no("192.0.2.2")];
    assert_eq!(reason(&poisoned), DnsReason::ResolversDisagree);
    assert_eq!(reason(&poisoned[..3]), DnsReason::TooFewAnswers);
    assert_eq!(reason(&[yes("DNS.example"), yes("dns.example.")]), DnsReason::TooFewAnswers);
    // A resolver that says both does not vouch; one that failed first may be asked again.
    assert_eq!(reason(&[yes("a"), no("a"), yes("b")]), DnsReason::ResolversDisagree);
    let dead = TxtAnswer::failed("a", LookupFailure::Timeout);
    assert_eq!(reason(&[dead, yes("a"), yes("b")]), DnsReason::Verified);
}

#[test]
fn a_weak_challenge_is_no_proof_of_the_zone() {
    let spf = "v=spf1 -all";
    let token = token(Protocol::Llmindex, spf);
    let answers = ["a", "b"].map(|resolver| TxtAnswer::records(resolver, [TxtRecord::new([spf])]));
    let report = evaluate(&token, &answers, Quorum::default()).unwrap();
    assert!(report.is_verified() && report.is_weak_challenge);
    let outcome = report.outcome(web_values::UnixSeconds(0));
    assert!(outcome.caveats().contains(&crate::Caveat::WeakChallenge));
    let strict = Quorum::default().refuse_weak_challenges();
    assert_eq!(evaluate(&token, &answers, strict).unwrap().reason, DnsReason::WeakToken);
    for (text, is_weak) in
        [(TOKEN, false), (&TOKEN[..22], false), (&TOKEN[..21], true), ("a 8a93c5f24b1e6d70a9c3f8125", true)]
    {
        assert_eq!(self::token(Protocol::Llmindex, text).is_weak_challenge(), is_weak, "{text}");
        let ours =
            Token::expect(Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes).unwrap(), TOKEN);
        assert!(!ours.unwrap().is_weak_challenge());
    }
}

#[test]
fn a_wildcard_record_is_found_by_a_probe() {
    let token = token(Protocol::Llmindex, "v=spf1 -all");
    let name = wildcard_probe_name(token.domain(), &[0xab; 8]).unwrap();
    assert_eq!(name, "_abababababababab.example.com");
    let record = |resolver| TxtAnswer::records(resolver, [TxtRecord::new(["v=spf1 -all"])]);
    let answers = [record("a"), record("b"), record("a").as_wildcard_probe()];
    let report = evaluate(&token, &answers, Quorum::default()).unwrap();
    assert_eq!((report.reason, report.votes.len()), (DnsReason::WildcardRecord, 2));
    let none = TxtAnswer::without_records("a", NoRecords::NoSuchName).as_wildcard_probe();
    let report = evaluate(&token, &[record("a"), record("b"), none], Quorum::default()).unwrap();
    assert!(report.is_verified());
}

#[test]
fn response_codes_are_answers_or_failures() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    for (code, reason, expected) in [
        ("nxdomain", NoRecords::NoSuchName, Ballot::NoMatch { records: 0 }),
        ("NOERROR", NoRecords::NoData, Ballot::NoMatch { records: 0 }),
        ("NODATA", NoRecords::NoData, Ballot::NoMatch { records: 0 }),
        (
            "SERVFAIL",
            NoRecords::Failed(LookupFailure::ServerFailure),
            Ballot::Failed(LookupFailure::ServerFailure),
        ),
        ("refused", NoRecords::Failed(LookupFailure::Refused), Ballot::Failed(LookupFailure::Refused)),
        ("timeout", NoRecords::Failed(LookupFailure::Timeout), Ballot::Failed(LookupFailure::Timeout)),
        ("connection reset", NoRecords::Failed(LookupFailure::Other), Ballot::Failed(LookupFailure::Other)),
    ] {
        assert_eq!(NoRecords::of_code(code), reason, "{code}");
        let report = evaluate(&token, &[TxtAnswer::without_records("r", reason)], QuorumPolicy::Any).unwrap();
        assert_eq!(report.votes[0].ballot, expected, "{code}");
    }
}

#[test]
fn a_short_token_proves_nothing() {
    for (protocol, text) in [(Protocol::AiWebIndex, "abc"), (Protocol::Llmindex, "")] {
        let token = token(protocol, text);
        let record = TxtRecord::new([token.published_text()]);
        let report = evaluate(&token, &[TxtAnswer::records("r", [record])], QuorumPolicy::Any).unwrap();
        assert_eq!(report.reason, DnsReason::WeakToken);
    }
}

#[test]
fn an_llmindex_challenge_is_the_whole_record() {
    let challenge = "challenge \"value\" here";
    let token = token(Protocol::Llmindex, challenge);
    let reason = |value: &str| {
        let answer = TxtAnswer::records("r", [TxtRecord::new([value])]);
        evaluate(&token, &[answer], alone()).unwrap().reason
    };
    assert_eq!(reason(challenge), DnsReason::Verified);
    assert_eq!(reason(&format!(" {challenge}")), DnsReason::Verified);
    assert_eq!(reason(&format!("\"{challenge}\"")), DnsReason::Verified);
    assert_eq!(reason(&format!("aiwi-verify={challenge}")), DnsReason::NoMatch);
    assert_eq!(reason(&challenge[..20]), DnsReason::NoMatch);
}

#[test]
fn zone_lines_are_split_at_255_octets_and_escaped() {
    let record = TxtToPublish::new(&token(Protocol::Llmindex, &format!("{}\"\\é\t;", "x".repeat(255))));
    assert_eq!(record.strings().map(<[u8]>::len).collect::<Vec<_>>(), [255, 6]);
    let expected = format!(
        "_llmindex-challenge.example.com. 60 IN TXT \"{}\" \"\\\"\\\\\\195\\169\\009;\"",
        "x".repeat(255)
    );
    assert_eq!(record.zone_line(60), expected);
    assert_eq!(record.name(), "_llmindex-challenge.example.com");
}

/// Several spellings of one resolver have one vote.
#[test]
fn a_resolver_is_one_by_any_port_of_dns_and_any_transport() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    let votes = |resolvers: &[&str]| {
        let answers: Vec<TxtAnswer> =
            resolvers.iter().map(|it| TxtAnswer::records(*it, [TxtRecord::new([VALUE])])).collect();
        let report = evaluate(&token, &answers, Quorum::new(QuorumPolicy::All)).unwrap();
        (report.votes.len(), report.is_verified())
    };
    for one in [
        &["1.1.1.1", "1.1.1.1:53"][..],
        &["1.1.1.1", "[::ffff:1.1.1.1]:853", "tls://1.1.1.1", "https://1.1.1.1/dns-query", "1.1.1.1:443"],
        &["2606:4700:4700::1111", "[2606:4700:4700::1111]:53", "2606:4700:4700:0::1111"],
        &["dns.example", "DNS.example.", "dns.example:853", "https://dns.example/dns-query"],
    ] {
        assert_eq!(votes(one), (1, false), "{one:?}");
    }
    assert_eq!(votes(&["1.1.1.1", "8.8.8.8:53"]), (2, true));
    assert_eq!(votes(&["127.0.0.1:4001", "127.0.0.1:4002"]), (2, true));
}
