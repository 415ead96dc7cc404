use super::*;
use crate::{NoSuffixes, Protocol};

const TOKEN: &str = "8a93c5f24b1e6d70a9c3f8125e7b6d04";
const VALUE: &str = "aiwi-verify=8a93c5f24b1e6d70a9c3f8125e7b6d04";

fn token(protocol: Protocol, text: &str) -> Token {
    Token::expect(Domain::parse(protocol, "example.com", &NoSuffixes).unwrap(), text).unwrap()
}

fn answer(records: &[&[&str]]) -> TxtAnswer {
    TxtAnswer::records("r", records.iter().map(|strings| TxtRecord::new(*strings)))
}

fn reason(records: &[&[&str]]) -> DnsReason {
    evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(records)], Policy::Majority).unwrap().reason
}

fn near_misses(records: &[&[&str]]) -> Vec<&'static str> {
    let report = evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(records)], Policy::Majority).unwrap();
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
    let report =
        evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(&[&[&quoted]])], Policy::Majority).unwrap();
    assert!(report.is_verified() && report.has_pasted_quotes());
    let report =
        evaluate(&token(Protocol::AiWebIndex, TOKEN), &[answer(&[&["  ", VALUE, " "]])], Policy::Majority)
            .unwrap();
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
    let here = TxtAnswer::without_records("r", "NXDOMAIN").asked_for("_AIWEBINDEX-verify.example.com.");
    let names = names_by_mistake(token.domain());
    assert_eq!(names[2], "_aiwebindex-verify.example.com.example.com");
    let there = answer(&[&[VALUE]]).asked_for(&*names[2]);
    let report = evaluate(&token, &[here, there.clone()], Policy::Any).unwrap();
    assert_eq!(report.reason, DnsReason::NoRecord);
    assert_eq!(report.near_misses[0].kind, NearMissKind::WrongName { name: names[2].clone() });
    // Alone, it is as if nobody had been asked.
    assert_eq!(evaluate(&token, &[there], Policy::Any).unwrap_err().kind(), DnsErrorKind::NoResolverAsked);
}

#[test]
fn policies_count_those_that_answered() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    let (yes, no) = (answer(&[&[VALUE]]), answer(&[]));
    let dead = TxtAnswer::failed("r", LookupFailure::Timeout);
    let reason = |answers: &[&TxtAnswer], policy| {
        let answers: Vec<_> = answers.iter().map(|&answer| answer.clone()).collect();
        evaluate(&token, &answers, policy).unwrap().reason
    };
    use DnsReason::{NoAnswer, NoRecord, ResolversDisagree as Disagree, Verified};
    for (answers, any, majority, all) in [
        (&[&yes][..], Verified, Verified, Verified),
        (&[&yes, &dead, &dead], Verified, Verified, Verified),
        (&[&yes, &no], Verified, Disagree, Disagree),
        (&[&yes, &yes, &no], Verified, Verified, Disagree),
        (&[&yes, &no, &no], Verified, Disagree, Disagree),
        (&[&yes, &no, &dead], Verified, Disagree, Disagree),
        (&[&no, &dead], NoRecord, NoRecord, NoRecord),
        (&[&dead, &dead], NoAnswer, NoAnswer, NoAnswer),
    ] {
        assert_eq!(reason(answers, Policy::Any), any, "{answers:?}");
        assert_eq!(reason(answers, Policy::Majority), majority, "{answers:?}");
        assert_eq!(reason(answers, Policy::All), all, "{answers:?}");
    }
    assert!(evaluate(&token, &[], Policy::Any).is_err());
}

#[test]
fn response_codes_are_answers_or_failures() {
    let token = token(Protocol::AiWebIndex, TOKEN);
    for (code, expected) in [
        ("nxdomain", Ballot::NoMatch { records: 0 }),
        ("NOERROR", Ballot::NoMatch { records: 0 }),
        ("SERVFAIL", Ballot::Failed(LookupFailure::ServerFailure)),
        ("refused", Ballot::Failed(LookupFailure::Refused)),
        ("timeout", Ballot::Failed(LookupFailure::Timeout)),
        ("connection reset", Ballot::Failed(LookupFailure::Other)),
    ] {
        let report = evaluate(&token, &[TxtAnswer::without_records("r", code)], Policy::Any).unwrap();
        assert_eq!(report.votes[0].ballot, expected, "{code}");
    }
}

#[test]
fn a_short_token_proves_nothing() {
    for (protocol, text) in [(Protocol::AiWebIndex, "abc"), (Protocol::Llmindex, "")] {
        let token = token(protocol, text);
        let record = TxtRecord::new([token.published_text()]);
        let report = evaluate(&token, &[TxtAnswer::records("r", [record])], Policy::Any).unwrap();
        assert_eq!(report.reason, DnsReason::WeakToken);
    }
}

#[test]
fn an_llmindex_challenge_is_the_whole_record() {
    let challenge = "challenge \"value\" here";
    let token = token(Protocol::Llmindex, challenge);
    let reason = |value: &str| {
        let answer = TxtAnswer::records("r", [TxtRecord::new([value])]);
        evaluate(&token, &[answer], Policy::Any).unwrap().reason
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
