//! Domains, challenges and TXT answers of any content: a domain that is taken is stable and fits, the record to
//! publish always verifies, and answers verify exactly when a plain reading of the rules says so.

#![no_main]

use libfuzzer_sys::fuzz_target;
use verify::{
    BundledSuffixes, Domain, LookupFailure, QuorumPolicy, Protocol, Quorum, Token, TxtAnswer, TxtRecord, TxtToPublish,
    record_name,
};

fuzz_target!(|data: &[u8]| {
    let Some((&setup, rest)) = data.split_first() else { return };
    let protocol = if setup & 1 == 0 { Protocol::AiWebIndex } else { Protocol::Llmindex };
    let mut parts = rest.split(|&b| b == 0xff);
    let mut text = || std::str::from_utf8(parts.next().unwrap_or_default()).unwrap_or_default();
    let (host, challenge) = (text(), text());
    let parsed = Domain::parse(protocol, host, &BundledSuffixes);
    if let Ok(domain) = &parsed {
        let again = Domain::parse(protocol, domain.as_str(), &BundledSuffixes);
        assert_eq!(again.as_ref(), Ok(domain), "a second reading differs");
        assert!(record_name(domain).len() <= 253);
        assert!(domain.as_str().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b)));
        assert!(psl::domain_str(domain.as_str()).is_some(), "nobody registered {domain}");
    }
    let domain =
        parsed.unwrap_or_else(|_| Domain::parse(protocol, "example.com", &BundledSuffixes).unwrap());
    let Ok(token) = Token::expect(domain, challenge) else { return };
    let publish = TxtToPublish::new(&token);
    assert!(publish.zone_line(300).is_ascii());

    // Answers: of each part the first byte says whether the resolver failed; 0xfe ends records, 0xfd strings.
    let answers: Vec<TxtAnswer> = parts
        .enumerate()
        .map(|(index, part)| match part.split_first() {
            Some((b'!', _)) => TxtAnswer::failed(format!("r{index}"), LookupFailure::Timeout),
            _ => TxtAnswer::records(format!("r{index}"), part.split(|&b| b == 0xfe).map(record)),
        })
        .collect();
    let policy = [QuorumPolicy::Any, QuorumPolicy::Majority, QuorumPolicy::All][usize::from(setup >> 1) % 3];
    match verify::evaluate_dns(&token, &answers, policy) {
        Err(_) => assert!(answers.is_empty()),
        Ok(report) => {
            let votes: Vec<_> = report.votes.iter().map(|vote| vote.ballot).collect();
            let failed = votes.iter().filter(|vote| matches!(vote, verify::Ballot::Failed(_))).count();
            let matching = votes.iter().filter(|vote| matches!(vote, verify::Ballot::Match { .. })).count();
            let answered = votes.len() - failed;
            let enough = match policy {
                QuorumPolicy::Any => matching > 0,
                QuorumPolicy::Majority => 2 * matching > answered,
                _ => answered > 0 && matching == answered,
            };
            assert_eq!(report.is_verified(), enough && answered >= 2 && !token.proves_nothing());
            assert!(report.near_misses.len() <= 32);
        }
    }
    // What the owner is told to publish verifies, split into strings as it is.
    let own = [TxtAnswer::records("r", [TxtRecord::new(publish.strings())])];
    let report = verify::evaluate_dns(&token, &own, Quorum::new(QuorumPolicy::All).min_answers(1)).unwrap();
    assert_eq!(report.is_verified(), !token.proves_nothing());
});

fn record(bytes: &[u8]) -> TxtRecord {
    TxtRecord::new(bytes.split(|&b| b == 0xfd))
}
