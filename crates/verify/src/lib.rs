#![cfg_attr(feature = "psl", doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
//!
//! # Reading order
//!
//! [`Domain`] and [`Token`] first; then [`evaluate_dns`], [`WellKnownCheck`] and [`ManifestVerifier`], one for each way of proof,
//! and [`ManifestProof`] for what an llmindex manifest announces; [`ProofOutcome`] last. The [`threat_model`] says what each of
//! them proves.
//!
//! # Specifications
//!
//! AIWebIndex 1.0 (draft of 2026-05-10), sections "Verification mechanism" and "Security considerations". llmindex
//! 0.1 (2025-02-22), section "Verification". RFC 7515 (JWS), 7517 (JWK), 7797 (`b64`), 8032 (Ed25519), 8037 and 9864
//! (its names in JOSE), 8785 (canonical JSON). UTS 46 for names.

mod dns;
mod domain;
mod manifest_proof;
mod outcome;
mod protocol;
mod shown;
mod signature;
mod suffixes;
mod token;
mod well_known;

#[doc = include_str!("../docs/threat-model.md")]
pub mod threat_model {}

pub use dns::{
    Ballot, DEFAULT_MIN_ANSWERS, DnsError, DnsErrorKind, DnsReason, DnsReport, EXAMPLE_RESOLVERS,
    LookupFailure, NearMiss, NearMissKind, NoRecords, Quorum, QuorumPolicy, TxtAnswer, TxtRecord,
    TxtToPublish, Vote, evaluate as evaluate_dns, names_by_mistake, record_name, wildcard_probe_name,
};
pub use domain::{Domain, DomainError, DomainErrorKind};
pub use manifest_proof::{ManifestProof, ManifestProofError, ManifestProofErrorKind};
pub use outcome::{Caveat, Evidence, ProofOutcome, RECHECK_UNDECIDED_SECS, RECHECK_VERIFIED_SECS, Status};
pub use protocol::Protocol;
pub use signature::{
    JwsForm, MAX_CLOCK_SKEW_SECS, ManifestSignError, ManifestSignErrorKind, ManifestVerifier, Origin,
    SignatureReason, SignatureReport, SignedManifestError, key_url_hint, sign_manifest, sign_manifest_within,
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
