#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
//!
//! # Reading order
//!
//! Servers: [`Message`], [`Verifier`], [`Identity`], [`AgentId`]; its parts are [`Policy`], [`RequestCheck`], [`Directories`] and
//! [`ReplayWindow`]. Crawlers: [`CrawlerSigner`], [`KeySchedule`]. Both: [`AddressList`] and [`check_reverse_dns`]. RFC 9421 by
//! itself: [`SignatureParams`], [`sign`], [`verify_signatures`].
//!
//! # Specifications
//!
//! RFC 9421 (HTTP message signatures), RFC 9651 (structured fields), RFC 9530 (`Content-Digest`), RFC 7638
//! (thumbprints); draft-ietf-webbotauth-httpsig-protocol-01 and what is deployed of its predecessors;
//! draft-meunier-webbotauth-registry-04 (cards); draft-illyes-webbotauth-jafar-00 (addresses); AIWebIndex 2.0,
//! section 6.4.

mod addresses;
mod agent;
mod agent_id;
mod aiwebindex;
mod base;
mod cache;
mod card;
mod component;
mod digest;
mod directories;
mod directory;
mod finding;
#[cfg(feature = "http")]
mod http_form;
mod identify;
mod identity;
mod labels;
mod message;
mod params;
mod policy;
mod prepare;
mod reason;
mod replay;
mod request_check;
mod reverse_dns;
mod rotation;
mod signature;
mod signer;
mod structured;
mod target;
mod verifier;

pub use addresses::{AddressList, AddressListError, MAX_ADDRESS_LIST_BYTES};
pub use agent::{Agent, AgentMember, AgentPlaces, AgentType, DIRECTORY_PATH, Profile, SignatureAgent};
pub use agent_id::{AgentId, AgentIdError};
pub use aiwebindex::{VerifiedProfile, verify_aiwebindex_request};
pub use base::{BaseError, BaseErrorKind, MAX_COMPONENTS};
pub use cache::{CacheAction, GONE_AFTER_SECS, Held, KeyCache, MAX_STALE_SECS};
pub use card::{Card, CardError, CardFault, CardFaultCode, Registry};
pub use digest::content_digest;
pub use directories::{Directories, DirectoryAnswer, Strangers};
pub use directory::{
    DIRECTORY_MEDIA_TYPE, DIRECTORY_TAG, Directory, DirectoryError, DirectoryKeyFault, Fetched,
    MAX_DIRECTORY_BYTES, MAX_DIRECTORY_KEYS, directory_body,
};
pub use finding::SignatureFinding;
#[cfg(feature = "http")]
pub use http_form::header_lines;
pub use identify::{Identifier, identify};
pub use identity::{BotSignature, Coverage, Identity, Verified};
pub use labels::MAX_SIGNATURES;
pub use message::{Message, MessageError, MessageErrorKind};
pub use params::SignatureParams;
pub use policy::{DEFAULT_MAX_LIFETIME_SECS, MAX_LIFETIME_SECS, Policy, TAG};
pub use reason::{Outcome, Reason};
pub use replay::{DEFAULT_MAX_SIGNATURES, DEFAULT_MAX_SIGNATURES_OF_KEY, Replay, ReplayId, ReplayWindow};
pub use request_check::RequestCheck;
pub use reverse_dns::{
    CrawlerDomains, DnsQuery, DomainsError, Lookup, MAX_REVERSE_NAMES, RecordType, ReverseStep,
    check_reverse_dns,
};
pub use rotation::{KeySchedule, ScheduleError, ScheduledKey};
pub use signature::{
    DEFAULT_SKEW_SECS, Keyring, MalformedField, Requirements, SignatureResult, Signed, sign,
    verify_signatures,
};
pub use signer::{
    AgentForm, CrawlerSigner, DEFAULT_LIFETIME_SECS, SignError, SignErrorKind, SignedHeaders,
    accept_signature,
};
pub use structured::{FieldType, StructuredFieldError, canonical_field};
pub use target::UrlFault;
pub use verifier::{Check, Verifier};
