#![doc = include_str!("../README.md")]

mod dns;
mod domain;
mod outcome;
mod protocol;
mod signature;
mod suffixes;
mod token;
mod well_known;

pub use dns::{
    Ballot, DnsError, DnsErrorKind, DnsReason, DnsReport, EXAMPLE_RESOLVERS, LookupFailure, NearMiss,
    NearMissKind, Policy, TxtAnswer, TxtRecord, TxtToPublish, Vote, evaluate as evaluate_dns,
    names_by_mistake, record_name,
};
pub use domain::{Domain, DomainError, DomainErrorKind};
pub use outcome::{
    Caveat, Evidence, Outcome, RECHECK_UNDECIDED_SECS, RECHECK_VERIFIED_SECS, Status, UnixSeconds,
};
pub use protocol::Protocol;
pub use signature::{
    JwkError, JwkErrorKind, JwkSet, JwsForm, MAX_CLOCK_SKEW_SECS, ManifestError, ManifestVerifier, PublicKey,
    SignError, SignErrorKind, SignatureReason, SignatureReport, SigningKey, key_url_hint, sign_manifest,
    verify_reference_form,
};
#[cfg(feature = "psl")]
pub use suffixes::BundledSuffixes;
pub use suffixes::{NoSuffixes, PublicSuffixes};
pub use token::{MAX_ENTROPY_BYTES, MIN_ENTROPY_BYTES, Token, TokenError, TokenErrorKind};
pub use well_known::{
    Action, FetchFailure, FileWarning, HttpReason, MAX_BODY_BYTES, MAX_REDIRECTS, WellKnownCheck,
    WellKnownError, WellKnownErrorKind, WellKnownReport, well_known_url,
};
