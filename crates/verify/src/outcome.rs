//! The record of a check: result, method, evidence, time of the check, and time of the next one.
//!
//! Neither specification says how long a proof holds (AIWI-AMB-38). An [`ProofOutcome`] therefore carries the time that
//! the caller passed in and a suggestion; expiry is the caller's policy. Its [caveats](ProofOutcome::caveats) say what it
//! does not prove.

use core::fmt;

use web_values::UnixSeconds;

use crate::dns::{Ballot, DnsReport, QuorumPolicy};
use crate::well_known::WellKnownReport;
use crate::{Domain, Protocol};

/// Suggested time between a successful check and the next one: 30 days.
///
/// Spec: AIWI-AMB-38.
pub const RECHECK_VERIFIED_SECS: u64 = 30 * 24 * 60 * 60;

/// Suggested time until the next try of a check that could not decide: an hour.
pub const RECHECK_UNDECIDED_SECS: u64 = 60 * 60;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Status {
    /// The proof was there.
    Verified,
    /// The check was carried out, and the proof was not there.
    NotVerified,
    /// The check could not be carried out: no resolver answered, a fetch failed.
    Undecided,
}

/// The evidence of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "method", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Evidence {
    /// TXT records.
    DnsTxt {
        /// The name that was asked for.
        name: String,
        /// How many resolvers had to agree.
        policy: QuorumPolicy,
        /// Whether the challenge may be in the zone by chance.
        #[cfg_attr(feature = "serde", serde(default))]
        is_weak_challenge: bool,
        /// Resolvers that found the record.
        found: Vec<String>,
        /// Resolvers that answered without it.
        not_found: Vec<String>,
        /// Resolvers that did not answer.
        failed: Vec<String>,
        /// Names that a CNAME led to.
        canonical_names: Vec<String>,
    },
    /// The well-known file.
    WellKnownFile {
        /// The URLs that were asked for, in order; the file was at the last one.
        requests: Vec<String>,
    },
}

/// The record of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct ProofOutcome {
    /// The protocol whose proof was asked for.
    pub protocol: Protocol,
    /// The domain, in A-labels.
    pub domain: String,
    /// How the check ended.
    pub status: Status,
    /// Why, as a stable code: that of [`DnsReason`](crate::DnsReason) or [`HttpReason`](crate::HttpReason).
    pub reason: String,
    /// What the check saw.
    pub evidence: Evidence,
    /// When the check was made.
    pub checked_at: UnixSeconds,
    /// When to check again, as a suggestion; `None` after a "no", where the owner has to act first.
    pub recheck_at: Option<UnixSeconds>,
}

impl ProofOutcome {
    /// What this outcome does not prove, even where it is [`Verified`](Status::Verified).
    ///
    /// Spec: LLMI-AMB-19, AIWI-AMB-27, AIWI-AMB-38.
    #[must_use]
    pub fn caveats(&self) -> &'static [Caveat] {
        match (self.protocol, &self.evidence) {
            (Protocol::AiWebIndex, _) => &[Caveat::PointInTime, Caveat::ExactHostOnly],
            (Protocol::Llmindex, Evidence::DnsTxt { is_weak_challenge: true, .. }) => &[
                Caveat::PointInTime,
                Caveat::ExactHostOnly,
                Caveat::ChallengeNotFresh,
                Caveat::WeakChallenge,
            ],
            (Protocol::Llmindex, Evidence::DnsTxt { .. }) => {
                &[Caveat::PointInTime, Caveat::ExactHostOnly, Caveat::ChallengeNotFresh]
            }
            (Protocol::Llmindex, Evidence::WellKnownFile { .. }) => &[
                Caveat::PointInTime,
                Caveat::ExactHostOnly,
                Caveat::ChallengeNotFresh,
                Caveat::NoMoreThanTheManifest,
            ],
        }
    }

    fn new(
        domain: &Domain,
        is_verified: bool,
        is_undecided: bool,
        reason: &str,
        evidence: Evidence,
        now: UnixSeconds,
    ) -> Self {
        let after = |secs| Some(now.saturating_add(secs));
        let (status, recheck_at) = match (is_verified, is_undecided) {
            (true, _) => (Status::Verified, after(RECHECK_VERIFIED_SECS)),
            (false, true) => (Status::Undecided, after(RECHECK_UNDECIDED_SECS)),
            (false, false) => (Status::NotVerified, None),
        };
        ProofOutcome {
            protocol: domain.protocol(),
            domain: domain.as_str().to_owned(),
            status,
            reason: reason.to_owned(),
            evidence,
            checked_at: now,
            recheck_at,
        }
    }
}

impl DnsReport {
    /// The record to keep of this check.
    ///
    /// Spec: AIWI-AMB-38.
    pub fn outcome(&self, now: UnixSeconds) -> ProofOutcome {
        let resolvers = |is: fn(&Ballot) -> bool| {
            self.votes.iter().filter(|vote| is(&vote.ballot)).map(|vote| vote.resolver.clone()).collect()
        };
        let evidence = Evidence::DnsTxt {
            name: self.name.clone(),
            policy: self.quorum.policy(),
            is_weak_challenge: self.is_weak_challenge,
            found: resolvers(|ballot| matches!(ballot, Ballot::Match { .. })),
            not_found: resolvers(|ballot| matches!(ballot, Ballot::NoMatch { .. })),
            failed: resolvers(|ballot| matches!(ballot, Ballot::Failed(_))),
            canonical_names: self.votes.iter().filter_map(|vote| vote.canonical_name.clone()).collect(),
        };
        ProofOutcome::new(
            &self.domain,
            self.is_verified(),
            self.is_undecided(),
            self.reason.code(),
            evidence,
            now,
        )
    }
}

impl WellKnownReport {
    /// The record to keep of this check.
    ///
    /// Spec: AIWI-AMB-38.
    pub fn outcome(&self, now: UnixSeconds) -> ProofOutcome {
        let evidence = Evidence::WellKnownFile { requests: self.requests.clone() };
        ProofOutcome::new(
            &self.domain,
            self.is_verified(),
            self.is_undecided(),
            self.reason.code(),
            evidence,
            now,
        )
    }
}

/// What a proof does not prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Caveat {
    /// Control at the time of the check, neither before nor after it.
    PointInTime,
    /// Control of exactly this host, neither of its subdomains nor of its parent domains.
    ExactHostOnly,
    /// llmindex: the challenge is public in the manifest and never expires. The proof shows that somebody who
    /// controlled the name published it at some time, not recently, and not for the party that checks it.
    ChallengeNotFresh,
    /// llmindex: the challenge is short or has characters outside of a token's alphabet, so that the zone may have it by
    /// chance or by a wildcard record. It does not show control of the zone.
    WeakChallenge,
    /// llmindex: the file shows no more than the manifest from the same origin does. Who can serve one can serve
    /// the other.
    NoMoreThanTheManifest,
    /// A signature shows that the holder of a key signed the manifest. The caller must know whose key that is,
    /// from the source of the key set.
    KeyIsTheCallersTrust,
    /// A signature has no expiry: an old manifest stays validly signed. Compare `updated_at` with the last one seen.
    NoExpiry,
    /// The manifest has an integer past 2^53: another one nearby has the same signature.
    InexactIntegers,
    /// The manifest has a number that is written differently in canonical form, such as `1.0`: the text can be changed
    /// to another of the same value.
    RespelledNumbers,
    /// `sig` has members besides `alg`, `kid` and `jws`, which are not signed.
    UnsignedSigMembers,
    /// The reference implementation's form: header and signature are not bound to each other.
    HeaderNotSigned,
}

impl Caveat {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Caveat::PointInTime => "point-in-time",
            Caveat::ExactHostOnly => "exact-host-only",
            Caveat::ChallengeNotFresh => "challenge-not-fresh",
            Caveat::WeakChallenge => "weak-challenge",
            Caveat::NoMoreThanTheManifest => "no-more-than-the-manifest",
            Caveat::KeyIsTheCallersTrust => "key-is-the-callers-trust",
            Caveat::NoExpiry => "no-expiry",
            Caveat::InexactIntegers => "inexact-integers",
            Caveat::RespelledNumbers => "respelled-numbers",
            Caveat::UnsignedSigMembers => "unsigned-sig-members",
            Caveat::HeaderNotSigned => "header-not-signed",
        }
    }
}

impl fmt::Display for Caveat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Caveat::PointInTime => "shows control at the time of the check, not since or for how long",
            Caveat::ExactHostOnly => {
                "shows control of this very host, not of subdomains or of the domain above"
            }
            Caveat::ChallengeNotFresh => {
                "the challenge is public and never expires: shows control at some time, not lately"
            }
            Caveat::WeakChallenge => {
                "the zone may have this challenge by chance: does not show control of the zone"
            }
            Caveat::NoMoreThanTheManifest => {
                "shows no more than fetching the manifest from the same origin does"
            }
            Caveat::KeyIsTheCallersTrust => "shows who holds the key, not who the key belongs to",
            Caveat::NoExpiry => "an old manifest stays signed: compare its time with the last one seen",
            Caveat::InexactIntegers => {
                "an integer past 2^53 is signed as the nearest double: its last digits can be altered unseen"
            }
            Caveat::RespelledNumbers => {
                "a number is not in its canonical form: it can be written differently unseen"
            }
            Caveat::UnsignedSigMembers => "members of `sig` besides alg, kid and jws are not signed",
            Caveat::HeaderNotSigned => {
                "the header is not signed: algorithm and key name can be altered unseen"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LookupFailure, NoSuffixes, Token, TxtAnswer, TxtRecord};

    fn report(protocol: Protocol, answers: &[TxtAnswer]) -> DnsReport {
        let domain = Domain::parse(protocol, "example.com", &NoSuffixes).unwrap();
        let token = Token::expect(domain, "8a93c5f24b1e6d70a9c3f8125e7b6d04").unwrap();
        let quorum = crate::Quorum::new(QuorumPolicy::Majority).min_answers(1);
        crate::evaluate_dns(&token, answers, quorum).unwrap()
    }

    fn found(protocol: Protocol) -> TxtAnswer {
        let value = [protocol.value_prefix(), "8a93c5f24b1e6d70a9c3f8125e7b6d04"].concat();
        TxtAnswer::records("a", [TxtRecord::new([value])]).via_canonical_name("proof.example.net")
    }

    #[test]
    fn a_recheck_is_suggested_where_time_can_tell() {
        let now = UnixSeconds(1_000);
        let dead = TxtAnswer::failed("b", LookupFailure::Timeout);
        for (answers, status, recheck) in [
            (vec![found(Protocol::AiWebIndex), dead.clone()], Status::Verified, Some(2_593_000)),
            (vec![dead], Status::Undecided, Some(4_600)),
            (vec![TxtAnswer::records("c", [])], Status::NotVerified, None),
        ] {
            let outcome = report(Protocol::AiWebIndex, &answers).outcome(now);
            assert_eq!((outcome.status, outcome.recheck_at), (status, recheck.map(UnixSeconds)));
            assert_eq!(outcome.checked_at, now);
        }
        let late =
            report(Protocol::AiWebIndex, &[found(Protocol::AiWebIndex)]).outcome(UnixSeconds(u64::MAX));
        assert_eq!(late.recheck_at, Some(UnixSeconds(u64::MAX)));
    }

    #[test]
    fn an_llmindex_proof_says_that_its_challenge_is_public() {
        let outcome = report(Protocol::Llmindex, &[found(Protocol::Llmindex)]).outcome(UnixSeconds(0));
        assert!(outcome.caveats().contains(&Caveat::ChallengeNotFresh));
        assert!(!outcome.caveats().contains(&Caveat::NoMoreThanTheManifest));
        let outcome = report(Protocol::AiWebIndex, &[found(Protocol::AiWebIndex)]).outcome(UnixSeconds(0));
        assert_eq!(outcome.caveats(), [Caveat::PointInTime, Caveat::ExactHostOnly]);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn an_outcome_is_stored_and_read_back() {
        let outcome = report(Protocol::AiWebIndex, &[found(Protocol::AiWebIndex)]).outcome(UnixSeconds(5));
        let json = serde_json::to_string(&outcome).unwrap();
        let expected = concat!(
            r#"{"protocol":"aiwebindex","domain":"example.com","status":"verified","reason":"verified","#,
            r#""evidence":{"method":"dns-txt","name":"_aiwebindex-verify.example.com","policy":"majority","#,
            r#""is_weak_challenge":false,"#,
            r#""found":["a"],"not_found":[],"failed":[],"canonical_names":["proof.example.net"]},"#,
            r#""checked_at":5,"recheck_at":2592005}"#,
        );
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<ProofOutcome>(&json).unwrap(), outcome);
    }
}
