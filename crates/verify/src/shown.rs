//! Output of outcomes and reports: `Display` for logs, [`Finding`] for reports of several crates and, with the feature
//! `serde`, their stored form.
//!
//! A verdict is stored as its stable code, a report as an object. A [`Token`](crate::Token) is stored with its text,
//! because it has to be compared later: keep it secret until it is published.

use core::fmt;
use std::borrow::Cow;

use web_values::{Finding, Place, Severity};

use crate::dns::Ballot;
use crate::{
    DnsReport, Evidence, FetchFailure, FileWarning, JwsForm, LookupFailure, NearMiss, NearMissKind,
    ProofOutcome, Protocol, QuorumPolicy, SignatureReport, Status, WellKnownReport,
};

/// Writes types by the word that a method gives.
macro_rules! shown_as {
    ($method:ident: $($type:ty),+) => {
        $(impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.$method())
            }
        })+
    };
}

shown_as!(name: JwsForm, QuorumPolicy, Protocol);

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Verified => "verified",
            Status::NotVerified => "not verified",
            Status::Undecided => "undecided, try again later",
        })
    }
}

impl QuorumPolicy {
    /// The policy's name: `any`, `majority` or `all`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            QuorumPolicy::Any => "any",
            QuorumPolicy::Majority => "majority",
            QuorumPolicy::All => "all",
        }
    }
}

impl Status {
    /// The verdict's name: `verified`, `not-verified` or `undecided`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Verified => "verified",
            Status::NotVerified => "not-verified",
            Status::Undecided => "undecided",
        }
    }
}

impl LookupFailure {
    /// The reason's name in kebab case, such as `timeout` or `server-failure`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LookupFailure::Timeout => "timeout",
            LookupFailure::ServerFailure => "server-failure",
            LookupFailure::Refused => "refused",
            LookupFailure::Other => "other",
        }
    }
}

impl fmt::Display for LookupFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LookupFailure::Timeout => "the resolver did not answer in time",
            LookupFailure::ServerFailure => "the resolver reported a server failure",
            LookupFailure::Refused => "the resolver refused to answer",
            LookupFailure::Other => "the lookup failed",
        })
    }
}

impl fmt::Display for FetchFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FetchFailure::Timeout => "the server did not answer in time",
            FetchFailure::Tls => "there was no secure connection: certificate or handshake failed",
            FetchFailure::Network => "there was no connection to the server",
        })
    }
}

impl FetchFailure {
    /// The reason's name: `timeout`, `tls` or `network`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FetchFailure::Timeout => "timeout",
            FetchFailure::Tls => "tls",
            FetchFailure::Network => "network",
        }
    }
}

impl JwsForm {
    /// The form's name: `attached`, `detached`, `unencoded` or `reference`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            JwsForm::Attached => "attached",
            JwsForm::Detached => "detached",
            JwsForm::Unencoded => "unencoded",
            JwsForm::Reference => "reference",
        }
    }
}

impl fmt::Display for Ballot {
    /// Writes what the resolver said: `match in record 0`, `no match in 3 records`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ballot::Match { record, in_pasted_quotes: false } => write!(f, "match in record {record}"),
            Ballot::Match { record, in_pasted_quotes: true } => {
                write!(f, "match in quotes in record {record}")
            }
            Ballot::NoMatch { records } => write!(f, "no match in {records} records"),
            Ballot::Failed(failure) => failure.fmt(f),
        }
    }
}

impl fmt::Display for DnsReport {
    /// Writes the domain, the result and the votes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.domain, self.reason)?;
        for (index, vote) in self.votes.iter().enumerate() {
            write!(f, "{}{}: {}", if index == 0 { " (" } else { ", " }, vote.resolver, vote.ballot)?;
        }
        f.write_str(if self.votes.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for WellKnownReport {
    /// Writes the domain, the result, and the last URL that was asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.domain, self.reason)?;
        self.requests.last().map_or(Ok(()), |url| write!(f, " ({url})"))
    }
}

impl fmt::Display for SignatureReport {
    /// Writes the result, and the key and the form where they are known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        match (&self.kid, self.form) {
            (Some(kid), Some(form)) => write!(f, " (key `{}`, {form})", kid.escape_debug()),
            (Some(kid), None) => write!(f, " (key `{}`)", kid.escape_debug()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Evidence {
    /// Writes the method and how many resolvers found the record, or the URLs that were asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::DnsTxt { name, found, not_found, failed, .. } => {
                let (found, not_found, failed) = (found.len(), not_found.len(), failed.len());
                write!(f, "TXT at {name}: {found} found it, {not_found} did not, {failed} failed")
            }
            Evidence::WellKnownFile { requests } => write!(f, "file at {}", requests.join(", then ")),
        }
    }
}

impl fmt::Display for ProofOutcome {
    /// Writes the domain, the status, the reason and the evidence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}), {}", self.domain, self.status, self.reason, self.evidence)
    }
}

impl NearMissKind {
    const fn clause(&self) -> &'static str {
        match self {
            NearMissKind::Truncated => "expected the whole value, found its beginning",
            NearMissKind::Extended => "expected only the value, found more after it",
            NearMissKind::PrefixMissing => "expected `aiwi-verify=` before the token, found the token alone",
            NearMissKind::OtherToken => "expected this token, found another",
            NearMissKind::WrongCase => "expected the same letter case, found another",
            NearMissKind::WhiteSpace => "expected no white space, found some",
            NearMissKind::Quotes => "expected no quotes, found some",
            NearMissKind::SplitAcrossRecords => "expected one record, found the value in two",
            NearMissKind::WrongName { .. } => "expected the value at the record's name, found it at another",
        }
    }
}

impl fmt::Display for NearMissKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.clause())?;
        match self {
            NearMissKind::WrongName { name } => write!(f, ", `{}`", name.escape_debug()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, record {}: {}", self.resolver, self.record, self.kind)
    }
}

impl FileWarning {
    const fn clause(self) -> &'static str {
        match self {
            FileWarning::NotPlainText => "expected `text/plain`, found another media type",
            FileWarning::ValueLooksLikeFileName => {
                "expected a challenge, found what reads like the name of a file"
            }
        }
    }
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.clause())
    }
}

impl Finding for NearMiss {
    /// A near miss is an error, since it does not verify.
    fn severity(&self) -> Severity {
        Severity::Error
    }

    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn place(&self) -> Place<'_> {
        match &self.kind {
            NearMissKind::WrongName { name } => Place::named(name),
            _ => Place::default(),
        }
    }

    fn message(&self) -> Cow<'_, str> {
        format!("{} (record {} at {})", self.kind.clause(), self.record, self.resolver).into()
    }
}

impl Finding for FileWarning {
    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn code(&self) -> &'static str {
        FileWarning::code(*self)
    }

    fn place(&self) -> Place<'_> {
        match self {
            FileWarning::NotPlainText => Place::named("content-type"),
            FileWarning::ValueLooksLikeFileName => Place::default(),
        }
    }

    fn message(&self) -> Cow<'_, str> {
        self.clause().into()
    }
}

#[cfg(feature = "serde")]
mod stored {
    use serde::de::Error as _;
    use serde::ser::SerializeStruct;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use web_values::Finding;

    use crate::dns::{Ballot, Vote};
    use crate::{
        Caveat, DnsReason, DnsReport, Domain, FileWarning, HttpReason, JwsForm, NearMiss, NearMissKind,
        NoSuffixes, Protocol, SignatureReason, SignatureReport, Token, WellKnownReport,
    };

    /// Stores types by the word that a method gives.
    macro_rules! stored_as {
        ($method:ident: $($type:ty),+) => {
            $(impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.$method())
                }
            })+
        };
    }

    stored_as!(code: Caveat, DnsReason, HttpReason, NearMissKind, SignatureReason);
    stored_as!(name: JwsForm);

    impl Serialize for NearMiss {
        /// Writes the finding, as [`FindingRecord`](web_values::FindingRecord) has it.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.to_record().serialize(serializer)
        }
    }

    impl Serialize for FileWarning {
        /// Writes the finding, as [`FindingRecord`](web_values::FindingRecord) has it.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.to_record().serialize(serializer)
        }
    }

    impl Serialize for Vote {
        /// Writes the resolver, its answer in words, and whether it was a match.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut vote = serializer.serialize_struct("Vote", 4)?;
            vote.serialize_field("resolver", &self.resolver)?;
            vote.serialize_field("is_match", &matches!(self.ballot, Ballot::Match { .. }))?;
            vote.serialize_field("ballot", &self.ballot.to_string())?;
            vote.serialize_field("canonical_name", &self.canonical_name)?;
            vote.end()
        }
    }

    impl Serialize for DnsReport {
        /// Writes the whole report. To keep the result of a check, keep its [`outcome`](DnsReport::outcome).
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut report = serializer.serialize_struct("DnsReport", 7)?;
            report.serialize_field("domain", &self.domain)?;
            report.serialize_field("name", &self.name)?;
            report.serialize_field("quorum", &self.quorum)?;
            report.serialize_field("is_weak_challenge", &self.is_weak_challenge)?;
            report.serialize_field("reason", &self.reason)?;
            report.serialize_field("votes", &self.votes)?;
            report.serialize_field("near_misses", &self.near_misses)?;
            report.end()
        }
    }

    impl Serialize for WellKnownReport {
        /// Writes the whole report. To keep the result of a check, keep its [`outcome`](WellKnownReport::outcome).
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut report = serializer.serialize_struct("WellKnownReport", 5)?;
            report.serialize_field("domain", &self.domain)?;
            report.serialize_field("reason", &self.reason)?;
            report.serialize_field("requests", &self.requests)?;
            report.serialize_field("warnings", &self.warnings)?;
            report.serialize_field("near_miss", &self.near_miss)?;
            report.end()
        }
    }

    impl Serialize for SignatureReport {
        /// Writes the result, what is known of the signature, and what it does not prove.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut report = serializer.serialize_struct("SignatureReport", 6)?;
            report.serialize_field("reason", &self.reason)?;
            report.serialize_field("kid", &self.kid)?;
            report.serialize_field("form", &self.form)?;
            report.serialize_field("canonical_host", &self.canonical_host)?;
            report.serialize_field("updated_at", &self.updated_at)?;
            report.serialize_field("caveats", &self.caveats())?;
            report.end()
        }
    }

    /// A domain as it is stored.
    #[derive(Serialize, Deserialize)]
    struct StoredDomain<T> {
        protocol: Protocol,
        name: T,
    }

    impl Serialize for Domain {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            StoredDomain { protocol: self.protocol(), name: self.as_str() }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Domain {
        /// Reads a domain and checks it anew, except that the list of public suffixes is not asked once more.
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let StoredDomain { protocol, name } = StoredDomain::<String>::deserialize(deserializer)?;
            Domain::parse(protocol, &name, &NoSuffixes).map_err(D::Error::custom)
        }
    }

    /// A token as it is stored.
    #[derive(Serialize, Deserialize)]
    struct StoredToken<D, T> {
        domain: D,
        token: T,
    }

    impl Serialize for Token {
        /// Writes the token's text with its domain.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            StoredToken { domain: self.domain(), token: self.expose() }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Token {
        /// Reads a token as [`Token::expect`] does.
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let StoredToken { domain, token } = StoredToken::<Domain, String>::deserialize(deserializer)?;
            Token::expect(domain, &token).map_err(D::Error::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, NoSuffixes, Quorum, Token, TxtAnswer, TxtRecord, evaluate_dns};

    fn token() -> Token {
        let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes).unwrap();
        Token::expect(domain, "8a93c5f24b1e6d70a9c3f8125e7b6d04").unwrap()
    }

    fn report() -> DnsReport {
        let record = TxtRecord::new(["AIWI-verify=8a93c5f24b1e6d70a9c3f8125e7b6d04"]);
        let answers =
            [TxtAnswer::records("one", [record]), TxtAnswer::failed("two", LookupFailure::ServerFailure)];
        evaluate_dns(&token(), &answers, Quorum::new(QuorumPolicy::Majority).min_answers(1)).unwrap()
    }

    #[test]
    fn reports_are_lines_of_a_log() {
        let report = report();
        assert_eq!(
            report.to_string(),
            "example.com: no txt record is the expected value (one: no match in 1 records, two: the resolver reported a \
             server failure)"
        );
        assert_eq!(
            report.near_misses[0].to_record().to_string(),
            "error: expected the same letter case, found another (record 0 at one) [wrong-case]"
        );
        let outcome = report.outcome(web_values::UnixSeconds(0));
        assert_eq!(
            outcome.to_string(),
            "example.com: not verified (no-match), TXT at _aiwebindex-verify.example.com: 0 found it, 1 did not, \
             1 failed"
        );
        assert_eq!(
            FileWarning::NotPlainText.to_record().to_string(),
            "warning at content-type: expected `text/plain`, found another media type [not-plain-text]"
        );
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_report_is_stored_and_a_token_is_read_back() {
        let json = serde_json::to_value(report()).unwrap();
        assert_eq!(json["reason"], "no-match");
        assert_eq!(json["domain"]["name"], "example.com");
        assert_eq!(json["near_misses"][0]["code"], "wrong-case");
        let token = token();
        let json = serde_json::to_string(&token).unwrap();
        assert_eq!(serde_json::from_str::<Token>(&json).unwrap(), token);
        assert!(serde_json::from_str::<Token>(&json.replace("8a93", "8a 93")).is_err());
        assert!(serde_json::from_str::<Token>(&json.replace("example.com", "localhost")).is_err());
    }
}
