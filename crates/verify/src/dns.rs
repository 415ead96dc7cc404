//! Proof by DNS: the name to query, the record that the owner publishes, and the evaluation of the
//! answers.
//!
//! ```text
//! Token ── record_name() ──▶ "_aiwebindex-verify.example.com"      the caller asks 1.1.1.1, 8.8.8.8, 9.9.9.9
//!       ── TxtToPublish ───▶ _aiwebindex-verify.example.com. 300 IN TXT "aiwi-verify=8a93…"
//! answers ── evaluate() ───▶ DnsReport: one ballot a resolver, a reason, near misses
//! ```
//!
//! A resolver votes "match" if any one record of its answer is the expected value. The character-strings of a record
//! are joined without a separator, never across records; space around the value and one pair of pasted quotes are
//! tolerated, the latter with a warning. A resolver that answers without such a record votes against; one that does not
//! answer (time-out, SERVFAIL, REFUSED) abstains. [`Quorum`] says how many must have answered and how many of those
//! votes make a proof. A resolver has one vote, however often it appears. Resolvers follow a CNAME at the record's
//! name; if the caller saw one, the report includes it.
//!
//! A wildcard TXT record answers for every name below a zone. Query [`wildcard_probe_name`] too, at which no owner
//! publishes anything on purpose: a proof that is also there is void.
//!
//! The caller sends the queries, in parallel and to independent resolvers, AIWI-VER-4.

mod near_miss;

use core::fmt;
use core::fmt::Write as _;
use core::net::IpAddr;
use std::collections::BTreeMap;

use crate::token::is_equal;
use crate::{Domain, Protocol, Token};
pub(crate) use near_miss::kind_of as near_miss_of;
pub use near_miss::{NearMiss, NearMissKind};

/// The resolvers that AIWebIndex 1.0 names as examples of independent ones.
///
/// Spec: AIWebIndex 1.0, "DNS TXT record"; AIWI-VER-4.
pub const EXAMPLE_RESOLVERS: [&str; 3] = ["1.1.1.1", "8.8.8.8", "9.9.9.9"];

/// Longest name of the DNS in its text form, without the dot of the root.
const MAX_NAME_BYTES: usize = 253;

/// How many resolvers must have answered unless the caller says otherwise.
///
/// Spec: AIWI-VER-4, AIWI-AMB-25.
pub const DEFAULT_MIN_ANSWERS: usize = 2;

/// Longest character-string of a TXT record.
const MAX_STRING_BYTES: usize = 255;

/// The name whose TXT records hold the proof, such as `_aiwebindex-verify.example.com`, without the root's dot.
///
/// At most 253 octets, which [`Domain`] guarantees.
///
/// Spec: AIWI-VER-2, LLMI-VER-1.
#[must_use]
pub fn record_name(domain: &Domain) -> String {
    format!("{}.{domain}", domain.protocol().record_label())
}

/// Other names at which owners publish the record by mistake: the domain itself, `www` below it, the right name with
/// the zone appended once more, and the label of the other protocol. Query them if [`evaluate`] found no record:
/// their answers never verify anything, but are reported as [`NearMissKind::WrongName`].
///
/// ```
/// # #[cfg(feature = "psl")] {
/// use verify::{BundledSuffixes, Domain, Protocol, names_by_mistake};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &BundledSuffixes).unwrap();
/// assert_eq!(names_by_mistake(&domain), [
///     "example.com",
///     "www.example.com",
///     "_aiwebindex-verify.example.com.example.com",
///     "_llmindex-challenge.example.com",
/// ]);
/// # }
/// ```
#[must_use]
pub fn names_by_mistake(domain: &Domain) -> Vec<String> {
    let name = record_name(domain);
    let other = match domain.protocol() {
        Protocol::AiWebIndex => Protocol::Llmindex,
        Protocol::Llmindex => Protocol::AiWebIndex,
    };
    let mut names = vec![
        domain.as_str().to_owned(),
        format!("www.{domain}"),
        format!("{name}.{domain}"),
        format!("{}.{domain}", other.record_label()),
    ];
    names.retain(|name| name.len() <= MAX_NAME_BYTES);
    names
}

/// A name beside the record's at which nobody published anything on purpose: `_` and 16 hexadecimal digits of the
/// caller's random bytes, below the domain. Hand the answers in with [`TxtAnswer::as_wildcard_probe`]. `None` where the
/// domain is too long for such a name.
///
/// Spec: LLMI-VER-1, LLMI-AMB-19.
#[must_use]
pub fn wildcard_probe_name(domain: &Domain, random: &[u8; 8]) -> Option<String> {
    let mut name = String::from("_");
    for byte in random {
        // Writing into a String cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    let name = format!("{name}.{domain}");
    (name.len() <= MAX_NAME_BYTES).then_some(name)
}

/// The TXT record that the owner publishes.
///
/// ```
/// # #[cfg(feature = "psl")] {
/// use verify::{BundledSuffixes, Domain, Protocol, Token, TxtToPublish};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &BundledSuffixes)?;
/// let record = TxtToPublish::new(&Token::issue(domain, &[0x8a; 16])?);
/// assert_eq!(
///     record.zone_line(300),
///     r#"_aiwebindex-verify.example.com. 300 IN TXT "aiwi-verify=8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a""#,
/// );
/// # }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TxtToPublish {
    name: String,
    value: String,
}

impl TxtToPublish {
    /// The record for this token.
    ///
    /// Spec: AIWI-VER-2, LLMI-VER-1.
    #[must_use]
    pub fn new(token: &Token) -> Self {
        TxtToPublish { name: record_name(token.domain()), value: token.published_text() }
    }

    /// Owner name of the record, without the root's dot.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole value without quotes, as the web forms of DNS providers expect it.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The character-strings of the value, 255 octets each except for the last.
    pub fn strings(&self) -> impl Iterator<Item = &[u8]> {
        self.value.as_bytes().chunks(MAX_STRING_BYTES)
    }

    /// The record as a line of a zone file: absolute name, quoted strings, `\"`, `\\` and `\DDD` where needed.
    #[must_use]
    pub fn zone_line(&self, ttl_secs: u32) -> String {
        let mut line = format!("{}. {ttl_secs} IN TXT", self.name);
        for string in self.strings() {
            line.push_str(" \"");
            for &byte in string {
                // Writing into a String cannot fail.
                let _ = match byte {
                    b'"' | b'\\' => write!(line, "\\{}", char::from(byte)),
                    b' '..=b'~' => write!(line, "{}", char::from(byte)),
                    _ => write!(line, "\\{byte:03}"),
                };
            }
            line.push('"');
        }
        line
    }
}

/// One TXT record, as its character-strings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TxtRecord(Vec<Box<[u8]>>);

impl TxtRecord {
    /// A record of these character-strings, in the order of the record.
    pub fn new(strings: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        TxtRecord(strings.into_iter().map(|string| string.as_ref().into()).collect())
    }

    /// The record's value: its character-strings joined without a separator (AIWI-AMB-26, LLMI-AMB-32).
    #[must_use]
    pub fn value(&self) -> Vec<u8> {
        self.0.concat()
    }
}

/// Why a resolver gave no answer. Such a resolver abstains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LookupFailure {
    /// No answer in time.
    Timeout,
    /// SERVFAIL, which includes failures of DNSSEC validation.
    ServerFailure,
    /// REFUSED.
    Refused,
    /// Any other: network, malformed message, …
    Other,
}

/// Why there are no records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum NoRecords {
    /// NXDOMAIN: the name does not exist. Counts as an answer.
    NoSuchName,
    /// NOERROR without records: the name exists and has no TXT record. Counts as an answer.
    NoData,
    /// The resolver did not answer.
    Failed(LookupFailure),
}

impl NoRecords {
    /// Reads the name of a response code, in any letter case: `NXDOMAIN`; `NOERROR` and `NODATA`; everything else
    /// (`SERVFAIL`, `REFUSED`, `TIMEOUT`, a text that is no code) is a failure.
    #[must_use]
    pub fn of_code(code: &str) -> Self {
        let is = |name: &str| name.eq_ignore_ascii_case(code);
        if is("NXDOMAIN") {
            NoRecords::NoSuchName
        } else if is("NOERROR") || is("NODATA") {
            NoRecords::NoData
        } else if is("SERVFAIL") {
            NoRecords::Failed(LookupFailure::ServerFailure)
        } else if is("REFUSED") {
            NoRecords::Failed(LookupFailure::Refused)
        } else if is("TIMEOUT") {
            NoRecords::Failed(LookupFailure::Timeout)
        } else {
            NoRecords::Failed(LookupFailure::Other)
        }
    }
}

/// The answer of one resolver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TxtAnswer {
    resolver: String,
    asked: Option<String>,
    is_wildcard_probe: bool,
    canonical_name: Option<String>,
    result: Result<Vec<TxtRecord>, LookupFailure>,
}

impl TxtAnswer {
    /// The resolver answered with these TXT records; none for NXDOMAIN or an empty NOERROR.
    pub fn records(resolver: impl Into<String>, records: impl IntoIterator<Item = TxtRecord>) -> Self {
        Self::of(resolver.into(), Ok(records.into_iter().collect()))
    }

    /// The resolver did not answer.
    pub fn failed(resolver: impl Into<String>, failure: LookupFailure) -> Self {
        Self::of(resolver.into(), Err(failure))
    }

    /// The resolver gave no records, for this reason.
    pub fn without_records(resolver: impl Into<String>, reason: NoRecords) -> Self {
        let result = match reason {
            NoRecords::NoSuchName | NoRecords::NoData => Ok(Vec::new()),
            NoRecords::Failed(failure) => Err(failure),
        };
        Self::of(resolver.into(), result)
    }

    /// This answer belongs to a question for another name, such as one of [`names_by_mistake`]. It has no vote.
    #[must_use]
    pub fn asked_for(mut self, name: impl Into<String>) -> Self {
        self.asked = Some(name.into());
        self
    }

    /// This answer belongs to the question for [`wildcard_probe_name`]. It has no vote; a record there that would be a
    /// proof makes every proof void.
    #[must_use]
    pub fn as_wildcard_probe(mut self) -> Self {
        self.is_wildcard_probe = true;
        self
    }

    /// A CNAME led to this name. It is reported and changes nothing (AIWI-AMB-27).
    #[must_use]
    pub fn via_canonical_name(mut self, name: impl Into<String>) -> Self {
        self.canonical_name = Some(name.into());
        self
    }

    fn of(resolver: String, result: Result<Vec<TxtRecord>, LookupFailure>) -> Self {
        TxtAnswer { resolver, asked: None, is_wildcard_probe: false, canonical_name: None, result }
    }
}

/// How many of the resolvers that answered must have found the record.
///
/// Spec: AIWI-AMB-25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum QuorumPolicy {
    /// One is enough. A single poisoned cache can then verify a domain.
    Any,
    /// More than half of those that answered.
    #[default]
    Majority,
    /// Every one that answered.
    All,
}

/// How many resolvers must have answered, and how many of those must have found the record.
///
/// A [`QuorumPolicy`] alone becomes a quorum of [`DEFAULT_MIN_ANSWERS`] answers: with fewer the result is undecided, since
/// one poisoned cache and a few time-outs could otherwise decide.
///
/// Spec: AIWI-VER-4, AIWI-AMB-25.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quorum {
    policy: QuorumPolicy,
    min_answers: usize,
    refuses_weak_challenges: bool,
}

impl Quorum {
    /// This policy among at least two resolvers that answered.
    #[must_use]
    pub const fn new(policy: QuorumPolicy) -> Self {
        Quorum { policy, min_answers: DEFAULT_MIN_ANSWERS, refuses_weak_challenges: false }
    }

    /// The policy.
    #[must_use]
    pub const fn policy(self) -> QuorumPolicy {
        self.policy
    }

    /// Sets how many different resolvers must have answered; at least 1. With 1, a single resolver decides if
    /// the others fail.
    #[must_use]
    pub const fn min_answers(mut self, answers: usize) -> Self {
        self.min_answers = if answers == 0 { 1 } else { answers };
        self
    }

    /// Also refuses llmindex challenges that may be in a zone by chance ([`Token::is_weak_challenge`]).
    #[must_use]
    pub const fn refuse_weak_challenges(mut self) -> Self {
        self.refuses_weak_challenges = true;
        self
    }
}

impl Default for Quorum {
    fn default() -> Self {
        Quorum::new(QuorumPolicy::default())
    }
}

impl From<QuorumPolicy> for Quorum {
    fn from(policy: QuorumPolicy) -> Self {
        Quorum::new(policy)
    }
}

impl QuorumPolicy {
    fn is_met(self, matching: usize, answered: usize) -> bool {
        match self {
            QuorumPolicy::Any => matching > 0,
            QuorumPolicy::Majority => matching > answered - matching,
            QuorumPolicy::All => matching > 0 && matching == answered,
        }
    }
}

/// The result of evaluating the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DnsReason {
    /// Enough resolvers found the record.
    Verified,
    /// The expected token is too short to prove anything ([`Token::proves_nothing`]), or a weak challenge that the
    /// quorum refuses.
    WeakToken,
    /// No resolver answered: undecided, ask again later.
    NoAnswer,
    /// Fewer resolvers answered than the quorum needs: undecided, ask again later.
    TooFewAnswers,
    /// The value is also at the wildcard probe name: a wildcard record proves nothing.
    WildcardRecord,
    /// Resolvers answered, and there is no TXT record at the name.
    NoRecord,
    /// There are records, and none is the expected value; see the near misses.
    NoMatch,
    /// Some resolvers found the record, but fewer than the policy needs.
    ResolversDisagree,
}

impl DnsReason {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            DnsReason::Verified => "verified",
            DnsReason::WeakToken => "weak-token",
            DnsReason::NoAnswer => "no-answer",
            DnsReason::TooFewAnswers => "too-few-answers",
            DnsReason::WildcardRecord => "wildcard-record",
            DnsReason::NoRecord => "no-record",
            DnsReason::NoMatch => "no-match",
            DnsReason::ResolversDisagree => "resolvers-disagree",
        }
    }
}

impl fmt::Display for DnsReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DnsReason::Verified => "enough resolvers found the record",
            DnsReason::WeakToken => "the token is too short to prove anything",
            DnsReason::NoAnswer => "no resolver answered",
            DnsReason::TooFewAnswers => "fewer resolvers answered than must",
            DnsReason::WildcardRecord => "the record answers for every name of the zone",
            DnsReason::NoRecord => "there is no txt record at the name",
            DnsReason::NoMatch => "no txt record is the expected value",
            DnsReason::ResolversDisagree => "the resolvers disagree",
        })
    }
}

/// One resolver's part in a [`DnsReport`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// The resolver, as the caller called it.
    pub resolver: String,
    /// What it said.
    pub ballot: Ballot,
    /// The name that a CNAME led to, if the caller reported one.
    pub canonical_name: Option<String>,
}

/// The vote of one resolver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ballot {
    /// The record with this index is the expected value.
    Match {
        /// Index in the answer's records.
        record: usize,
        /// The value was in a pair of quotes that the owner had pasted with it: tell them.
        in_pasted_quotes: bool,
    },
    /// The resolver answered, and no record matches.
    NoMatch {
        /// How many TXT records there were.
        records: usize,
    },
    /// The resolver did not answer, and abstains.
    Failed(LookupFailure),
}

/// The result over the answers of all resolvers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct DnsReport {
    /// The domain in question.
    pub domain: Domain,
    /// The name to query.
    pub name: String,
    /// The quorum that was applied.
    pub quorum: Quorum,
    /// Whether the token is a challenge that may be in the zone by chance ([`Token::is_weak_challenge`]).
    pub is_weak_challenge: bool,
    /// The result.
    pub reason: DnsReason,
    /// One vote for each resolver that was asked for [`name`](Self::name), in the order of the answers.
    pub votes: Vec<Vote>,
    /// Records that are almost the expected value, each with what is wrong about it. At most 32.
    pub near_misses: Vec<NearMiss>,
}

impl DnsReport {
    /// Whether the domain is verified.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        self.reason == DnsReason::Verified
    }

    /// Returns true if no resolver answered, or too few. That is not a "no": ask again later.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        matches!(self.reason, DnsReason::NoAnswer | DnsReason::TooFewAnswers)
    }

    /// Returns true if a matching record was in pasted quotes.
    #[must_use]
    pub fn has_pasted_quotes(&self) -> bool {
        self.votes.iter().any(|vote| matches!(vote.ballot, Ballot::Match { in_pasted_quotes: true, .. }))
    }
}

/// Evaluates the answers: whether `token` is published for its domain.
///
/// A resolver has one vote. Several answers of one resolver (the same text or address) count as a match only if each of
/// those that did not fail is one. The caller chooses independent resolvers of the right kind (recursive ones, or the
/// zone's own servers, AIWI-AMB-24). `O(n)` in the size of the answers.
///
/// # Errors
/// [`NoResolverAsked`](DnsErrorKind::NoResolverAsked) if there is no answer for the name, not even a failed one:
/// that is a mistake of the caller, not a verdict about the domain.
///
/// ```
/// # #[cfg(feature = "psl")] {
/// use verify::{BundledSuffixes, DnsReason, Domain, LookupFailure, QuorumPolicy, Protocol, Token, TxtAnswer, TxtRecord};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &BundledSuffixes).unwrap();
/// let token = Token::expect(domain, "8a93c5f24b1e6d70a9c3f8125e7b6d04").unwrap();
/// let record = TxtRecord::new(["aiwi-verify=8a93c5f24b1e", "6d70a9c3f8125e7b6d04"]);
/// let answers = [
///     TxtAnswer::records("1.1.1.1", [record.clone()]),
///     TxtAnswer::records("8.8.8.8", [record]),
///     TxtAnswer::failed("9.9.9.9", LookupFailure::ServerFailure),
/// ];
/// let report = verify::evaluate_dns(&token, &answers, QuorumPolicy::Majority).unwrap();
/// assert!(report.is_verified());
///
/// // One answer alone decides nothing.
/// let report = verify::evaluate_dns(&token, &answers[1..], QuorumPolicy::All).unwrap();
/// assert_eq!(report.reason, DnsReason::TooFewAnswers);
/// # }
/// ```
///
/// Spec: AIWI-VER-1, AIWI-VER-3, AIWI-VER-5, LLMI-VER-1; AIWI-AMB-24 to AIWI-AMB-28, LLMI-AMB-32.
pub fn evaluate(
    token: &Token,
    answers: &[TxtAnswer],
    quorum: impl Into<Quorum>,
) -> Result<DnsReport, DnsError> {
    let quorum = quorum.into();
    let name = record_name(token.domain());
    let is_for_name = |answer: &&TxtAnswer| {
        let is_name = |asked: &str| asked.trim_end_matches('.').eq_ignore_ascii_case(&name);
        !answer.is_wildcard_probe && answer.asked.as_deref().is_none_or(is_name)
    };
    let expected = token.published_text();
    let votes = votes(&expected, answers.iter().filter(is_for_name));
    if votes.is_empty() {
        return Err(DnsErrorKind::NoResolverAsked.into());
    }
    let is_weak_challenge = token.is_weak_challenge();
    let probes = || answers.iter().filter(|answer| answer.is_wildcard_probe);
    let is_wildcard =
        probes().any(|answer| matches!(ballot(&expected, &answer.result), Ballot::Match { .. }));
    let reason = if token.proves_nothing() || (is_weak_challenge && quorum.refuses_weak_challenges) {
        DnsReason::WeakToken
    } else {
        match count(&votes, quorum) {
            DnsReason::Verified if is_wildcard => DnsReason::WildcardRecord,
            reason => reason,
        }
    };
    let near_misses = if reason == DnsReason::Verified {
        Vec::new()
    } else {
        let records = answers.iter().filter(|answer| !answer.is_wildcard_probe).filter_map(|answer| {
            let is_elsewhere = !is_for_name(&answer);
            let elsewhere = if is_elsewhere { answer.asked.as_deref() } else { None };
            Some((elsewhere, answer.resolver.as_str(), answer.result.as_deref().ok()?))
        });
        near_miss::find(token, &expected, records)
    };
    let domain = token.domain().clone();
    Ok(DnsReport { domain, name, quorum, is_weak_challenge, reason, votes, near_misses })
}

/// One vote a resolver, in the order in which the resolvers first appear.
fn votes<'a>(expected: &str, answers: impl Iterator<Item = &'a TxtAnswer>) -> Vec<Vote> {
    let mut votes: Vec<Vote> = Vec::new();
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for answer in answers {
        let id = identity(&answer.resolver);
        let ballot = ballot(expected, &answer.result);
        let known = positions.get(&id).and_then(|at| votes.get_mut(*at));
        if let Some(vote) = known {
            vote.ballot = match (vote.ballot, ballot) {
                (Ballot::Failed(_), ballot) => ballot,
                (ballot, Ballot::Failed(_)) => ballot,
                (against @ Ballot::NoMatch { .. }, _) | (_, against @ Ballot::NoMatch { .. }) => against,
                (first, _) => first,
            };
            continue;
        }
        positions.insert(id, votes.len());
        let canonical_name = answer.canonical_name.clone();
        votes.push(Vote { resolver: answer.resolver.clone(), ballot, canonical_name });
    }
    votes
}

/// The identity of a resolver: an address in its normal spelling, any other text in lower case. The transport's scheme
/// and a DNS port are ignored: `1.1.1.1`, `1.1.1.1:53`, `[::ffff:1.1.1.1]:853` and `tls://1.1.1.1` are one.
fn identity(resolver: &str) -> String {
    let text = resolver.trim();
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    let text = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => (address, rest.strip_prefix(':')),
        // More than one colon is an IPv6 address without brackets.
        None => match text.split_once(':') {
            Some((host, port)) if !port.contains(':') => (host, Some(port)),
            _ => (text, None),
        },
    };
    let host = match host.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().to_string(),
        Err(_) => host.trim_end_matches('.').to_ascii_lowercase(),
    };
    match port {
        None | Some("53" | "853" | "443") => host,
        Some(port) => format!("{host} {port}"),
    }
}

fn ballot(expected: &str, result: &Result<Vec<TxtRecord>, LookupFailure>) -> Ballot {
    match result {
        Err(failure) => Ballot::Failed(*failure),
        Ok(records) => records
            .iter()
            .enumerate()
            .find_map(|(record, txt)| {
                let in_pasted_quotes = match_value(expected, &txt.value())?;
                Some(Ballot::Match { record, in_pasted_quotes })
            })
            .unwrap_or(Ballot::NoMatch { records: records.len() }),
    }
}

/// Whether a record's value is the expected one; `Some(true)` where it is so only without its quotes.
fn match_value(expected: &str, value: &[u8]) -> Option<bool> {
    let expected = expected.as_bytes();
    let trimmed = trim_spaces(value);
    if is_equal(value, expected) || is_equal(trimmed, expected) {
        return Some(false);
    }
    let unquoted = trimmed.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    is_equal(trim_spaces(unquoted), expected).then_some(true)
}

fn trim_spaces(mut value: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] | [rest @ .., b' '] = value {
        value = rest;
    }
    value
}

fn count(votes: &[Vote], quorum: Quorum) -> DnsReason {
    let count = |is: fn(&Ballot) -> bool| votes.iter().filter(|vote| is(&vote.ballot)).count();
    let matching = count(|ballot| matches!(ballot, Ballot::Match { .. }));
    let answered = count(|ballot| !matches!(ballot, Ballot::Failed(_)));
    let with_records = count(|ballot| !matches!(ballot, Ballot::Failed(_) | Ballot::NoMatch { records: 0 }));
    if answered == 0 {
        DnsReason::NoAnswer
    } else if answered < quorum.min_answers {
        DnsReason::TooFewAnswers
    } else if quorum.policy.is_met(matching, answered) {
        DnsReason::Verified
    } else if matching > 0 {
        DnsReason::ResolversDisagree
    } else if with_records > 0 {
        DnsReason::NoMatch
    } else {
        DnsReason::NoRecord
    }
}

/// Why [`evaluate`] cannot say anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnsError {
    kind: DnsErrorKind,
}

/// The reasons of a [`DnsError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DnsErrorKind {
    /// No resolver was asked for the record's name: the caller's mistake.
    NoResolverAsked,
}

impl DnsError {
    /// Why there is no report.
    #[must_use]
    pub fn kind(&self) -> DnsErrorKind {
        self.kind
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        "AIWI-VER-3"
    }
}

impl From<DnsErrorKind> for DnsError {
    fn from(kind: DnsErrorKind) -> Self {
        DnsError { kind }
    }
}

impl fmt::Display for DnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            DnsErrorKind::NoResolverAsked => {
                f.write_str("expected an answer of at least one resolver, found none")
            }
        }
    }
}

impl core::error::Error for DnsError {}

#[cfg(test)]
mod tests;
