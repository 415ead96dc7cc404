//! Proof by DNS: which name to ask for, what the owner publishes there, and what the answers mean.
//!
//! ```text
//! Token ── record_name() ──▶ "_aiwebindex-verify.example.com"      the caller asks 1.1.1.1, 8.8.8.8, 9.9.9.9
//!       ── TxtToPublish ───▶ _aiwebindex-verify.example.com. 300 IN TXT "aiwi-verify=8a93…"
//! answers ── evaluate() ───▶ DnsReport: one ballot a resolver, a reason, near misses
//! ```
//!
//! A resolver votes "match" if any one record of its answer is the expected value. The character-strings of a record
//! are joined without a separator, never across records; space around the value and one pair of pasted quotes are
//! tolerated, the latter with a warning. A resolver that answers without such a record votes against; one that does
//! not answer (time-out, SERVFAIL, REFUSED) abstains. [`Policy`] says how many votes make a proof. DNS follows a CNAME
//! at the record's name by itself; where the caller saw one, the report repeats it.
//!
//! Asking is the caller's, and so is asking independent resolvers in parallel, AIWI-VER-4.

mod near_miss;

use core::fmt;
use core::fmt::Write as _;

use crate::token::is_equal;
use crate::{Domain, Token};
pub(crate) use near_miss::kind_of as near_miss_of;
pub use near_miss::{NearMiss, NearMissKind};

/// The resolvers that AIWebIndex 1.0 names as examples of independent ones.
///
/// Spec: AIWebIndex 1.0, "DNS TXT record"; AIWI-VER-4.
pub const EXAMPLE_RESOLVERS: [&str; 3] = ["1.1.1.1", "8.8.8.8", "9.9.9.9"];

/// Longest character-string of a TXT record.
const MAX_STRING_BYTES: usize = 255;

/// The name whose TXT records hold the proof, such as `_aiwebindex-verify.example.com`, without the root's dot.
///
/// Never more than 253 octets: [`Domain`] has seen to it.
///
/// Spec: AIWI-VER-2, LLMI-VER-1.
#[must_use]
pub fn record_name(domain: &Domain) -> String {
    format!("{}.{domain}", domain.protocol().record_label())
}

/// Other names at which owners publish the record by mistake: the domain itself, the label without its zone doubled,
/// the same record under the other protocol's label. Worth a question where [`evaluate`] found no record; answers
/// for them never verify anything, but [`NearMissKind::WrongName`] tells the owner.
#[must_use]
pub fn names_by_mistake(domain: &Domain) -> Vec<String> {
    let name = record_name(domain);
    let mut names = vec![domain.as_str().to_owned(), format!("www.{domain}"), format!("{name}.{domain}")];
    names.retain(|name| name.len() <= 253);
    names
}

/// The TXT record that the owner publishes.
///
/// ```
/// use verify::{Domain, NoSuffixes, Protocol, Token, TxtToPublish};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes)?;
/// let record = TxtToPublish::new(&Token::issue(domain, &[0x8a; 16])?);
/// assert_eq!(
///     record.zone_line(300),
///     r#"_aiwebindex-verify.example.com. 300 IN TXT "aiwi-verify=8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a""#,
/// );
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

    /// The whole value, as forms of DNS providers want it: no quotes.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The character-strings of the value, 255 octets each but for the last.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LookupFailure {
    /// No answer in time.
    Timeout,
    /// SERVFAIL, which validation failures of DNSSEC are too.
    ServerFailure,
    /// REFUSED.
    Refused,
    /// Any other: network, malformed message, …
    Other,
}

/// What one resolver said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TxtAnswer {
    resolver: String,
    asked: Option<String>,
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

    /// An answer without records, by its response code's name in any case: `NXDOMAIN`, `NOERROR` and `NODATA` are
    /// answers, everything else (`SERVFAIL`, `REFUSED`, `timeout`, …) is a failure.
    pub fn without_records(resolver: impl Into<String>, code: &str) -> Self {
        let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(code));
        let result = if is(&["NXDOMAIN", "NOERROR", "NODATA"]) {
            Ok(Vec::new())
        } else if is(&["SERVFAIL"]) {
            Err(LookupFailure::ServerFailure)
        } else if is(&["REFUSED"]) {
            Err(LookupFailure::Refused)
        } else if is(&["TIMEOUT"]) {
            Err(LookupFailure::Timeout)
        } else {
            Err(LookupFailure::Other)
        };
        Self::of(resolver.into(), result)
    }

    /// This answer belongs to a question for another name, such as one of [`names_by_mistake`]. It has no vote.
    #[must_use]
    pub fn asked_for(mut self, name: impl Into<String>) -> Self {
        self.asked = Some(name.into());
        self
    }

    /// A CNAME led to this name. It is reported and changes nothing (AIWI-AMB-27).
    #[must_use]
    pub fn via_canonical_name(mut self, name: impl Into<String>) -> Self {
        self.canonical_name = Some(name.into());
        self
    }

    fn of(resolver: String, result: Result<Vec<TxtRecord>, LookupFailure>) -> Self {
        TxtAnswer { resolver, asked: None, canonical_name: None, result }
    }
}

/// How many of the resolvers that answered must have found the record.
///
/// Spec: AIWI-AMB-25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Policy {
    /// One is enough. One poisoned cache then verifies a domain.
    Any,
    /// More than half of those that answered.
    #[default]
    Majority,
    /// Every one that answered.
    All,
}

impl Policy {
    fn is_met(self, matching: usize, answered: usize) -> bool {
        match self {
            Policy::Any => matching > 0,
            Policy::Majority => matching > answered - matching,
            Policy::All => matching > 0 && matching == answered,
        }
    }
}

/// What came of the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DnsReason {
    /// Enough resolvers found the record.
    Verified,
    /// The expected token is too short to prove anything ([`Token::proves_nothing`]).
    WeakToken,
    /// No resolver answered: nothing is known, ask again later.
    NoAnswer,
    /// Resolvers answered, and there is no TXT record at the name.
    NoRecord,
    /// There are records, and none is the expected value; see the near misses.
    NoMatch,
    /// Some resolvers found the record, not as many as the policy asks for.
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
            DnsReason::NoRecord => "no-record",
            DnsReason::NoMatch => "no-match",
            DnsReason::ResolversDisagree => "resolvers-disagree",
        }
    }
}

/// One resolver's part in a [`DnsReport`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// The resolver, as the caller called it.
    pub resolver: String,
    /// What it said.
    pub ballot: Ballot,
    /// The name that a CNAME led to, where the caller told.
    pub canonical_name: Option<String>,
}

/// What one resolver's answer counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ballot {
    /// The record with this index is the expected value.
    Match {
        /// Index in the answer's records.
        record: usize,
        /// The value stood in a pair of quotes that the owner had pasted along: worth telling them.
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

/// What the answers of all resolvers amount to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct DnsReport {
    /// The domain in question.
    pub domain: Domain,
    /// The name that was to be asked for.
    pub name: String,
    /// The policy that was applied.
    pub policy: Policy,
    /// The result.
    pub reason: DnsReason,
    /// One vote for each answer for [`name`](Self::name), in the order of the answers.
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

    /// Whether nothing can be said, because no resolver answered. That is no "no": ask again.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.reason == DnsReason::NoAnswer
    }

    /// Whether a matching record stood in pasted quotes.
    #[must_use]
    pub fn has_pasted_quotes(&self) -> bool {
        self.votes.iter().any(|vote| matches!(vote.ballot, Ballot::Match { in_pasted_quotes: true, .. }))
    }
}

/// Weighs the answers: is `token` published for its domain?
///
/// Each answer is one vote; that they come from different resolvers, and of which kind these are (independent
/// recursive ones, or the zone's own servers, AIWI-AMB-24), is the caller's to see to. `O(n)` in the size of the
/// answers.
///
/// # Errors
/// [`NoResolverAsked`](DnsErrorKind::NoResolverAsked) where there is no answer for the name, not even a failed one:
/// that is a mistake of the caller, not a verdict about the domain.
///
/// ```
/// use verify::{Domain, NoSuffixes, Policy, Protocol, Token, TxtAnswer, TxtRecord};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes)?;
/// let token = Token::expect(domain, "8a93c5f24b1e6d70a9c3f8125e7b6d04")?;
/// let record = TxtRecord::new(["aiwi-verify=8a93c5f24b1e", "6d70a9c3f8125e7b6d04"]);
/// let answers = [
///     TxtAnswer::records("1.1.1.1", [record.clone()]),
///     TxtAnswer::records("8.8.8.8", [record]),
///     TxtAnswer::without_records("9.9.9.9", "SERVFAIL"),
/// ];
/// let report = verify::evaluate_dns(&token, &answers, Policy::Majority)?;
/// assert!(report.is_verified());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: AIWI-VER-1, AIWI-VER-3, AIWI-VER-5, LLMI-VER-1; AIWI-AMB-24 to AIWI-AMB-28, LLMI-AMB-32.
pub fn evaluate(token: &Token, answers: &[TxtAnswer], policy: Policy) -> Result<DnsReport, DnsError> {
    let name = record_name(token.domain());
    let is_for_name = |answer: &&TxtAnswer| {
        answer.asked.as_deref().is_none_or(|asked| asked.trim_end_matches('.').eq_ignore_ascii_case(&name))
    };
    let expected = token.published_text();
    let votes: Vec<Vote> = answers
        .iter()
        .filter(is_for_name)
        .map(|answer| Vote {
            resolver: answer.resolver.clone(),
            ballot: ballot(&expected, &answer.result),
            canonical_name: answer.canonical_name.clone(),
        })
        .collect();
    if votes.is_empty() {
        return Err(DnsErrorKind::NoResolverAsked.into());
    }
    let reason = if token.proves_nothing() { DnsReason::WeakToken } else { count(&votes, policy) };
    let near_misses = if reason == DnsReason::Verified {
        Vec::new()
    } else {
        let records = answers.iter().filter_map(|answer| {
            let is_elsewhere = !is_for_name(&answer);
            let elsewhere = if is_elsewhere { answer.asked.as_deref() } else { None };
            Some((elsewhere, answer.resolver.as_str(), answer.result.as_deref().ok()?))
        });
        near_miss::find(token, &expected, records)
    };
    Ok(DnsReport { domain: token.domain().clone(), name, policy, reason, votes, near_misses })
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

fn count(votes: &[Vote], policy: Policy) -> DnsReason {
    let count = |is: fn(&Ballot) -> bool| votes.iter().filter(|vote| is(&vote.ballot)).count();
    let matching = count(|ballot| matches!(ballot, Ballot::Match { .. }));
    let answered = count(|ballot| !matches!(ballot, Ballot::Failed(_)));
    let with_records = count(|ballot| !matches!(ballot, Ballot::Failed(_) | Ballot::NoMatch { records: 0 }));
    if answered == 0 {
        DnsReason::NoAnswer
    } else if policy.is_met(matching, answered) {
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
