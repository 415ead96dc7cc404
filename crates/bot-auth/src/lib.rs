#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
//!
//! # Reading order
//!
//! Servers: [`Message`], [`identify`], [`Identity`]; behind it [`RequestCheck`], [`Directory`], [`KeyCache`] and
//! [`ReplayWindow`]. Crawlers: [`CrawlerSigner`]. Both: [`AddressList`] and [`check_reverse_dns`]. RFC 9421 by itself:
//! [`SignatureParams`], [`sign`], [`verify_signatures`].
//!
//! # Specifications
//!
//! RFC 9421 (HTTP message signatures), RFC 9651 (structured fields), RFC 9530 (`Content-Digest`), RFC 7638
//! (thumbprints); draft-ietf-webbotauth-httpsig-protocol-01 and what is deployed of its predecessors;
//! draft-meunier-webbotauth-registry-04 (cards); draft-illyes-webbotauth-jafar-00 (addresses); AIWebIndex 2.0,
//! section 6.4.

mod addresses;
mod agent;
mod aiwebindex;
mod base;
mod cache;
mod card;
mod component;
mod digest;
mod directory;
mod finding;
#[cfg(feature = "http")]
mod http_form;
mod identity;
mod labels;
mod message;
mod params;
mod reason;
mod replay;
mod reverse_dns;
mod signature;
mod signer;
mod structured;
mod target;

pub use addresses::{AddressList, AddressListError, MAX_ADDRESS_LIST_BYTES};
pub use agent::{Agent, AgentMember, AgentType, DIRECTORY_PATH, Profile, SignatureAgent};
pub use aiwebindex::{VerifiedProfile, verify_aiwebindex_request};
pub use base::{BaseError, BaseErrorKind, MAX_COMPONENTS};
pub use cache::{CacheAction, Held, KeyCache};
pub use card::{Card, CardError, CardFault, CardFaultCode, Registry};
pub use directory::{
    DIRECTORY_MEDIA_TYPE, DIRECTORY_TAG, Directory, DirectoryError, DirectoryKeyFault, Fetched,
    MAX_DIRECTORY_BYTES, MAX_DIRECTORY_KEYS, directory_body,
};
pub use finding::SignatureFinding;
#[cfg(feature = "http")]
pub use http_form::header_lines;
pub use identity::{
    BotSignature, Coverage, Identifier, Identity, MAX_LIFETIME_SECS, Policy, RequestCheck, TAG, identify,
};
pub use labels::MAX_SIGNATURES;
pub use message::{Message, MessageError, MessageErrorKind};
pub use params::SignatureParams;
pub use reason::{Outcome, Reason};
pub use replay::{Replay, ReplayWindow};
pub use reverse_dns::{
    CrawlerDomains, DnsQuery, DomainsError, Lookup, MAX_REVERSE_NAMES, RecordType, ReverseStep,
    check_reverse_dns,
};
pub use signature::{
    DEFAULT_SKEW_SECS, Keyring, MalformedField, Requirements, SignatureResult, Signed, sign,
    verify_signatures,
};
pub use signer::{
    CrawlerSigner, DEFAULT_LIFETIME_SECS, SignError, SignErrorKind, SignedHeaders, accept_signature,
};
pub use structured::{FieldType, StructuredFieldError, canonical_field};
pub use target::UrlFault;
