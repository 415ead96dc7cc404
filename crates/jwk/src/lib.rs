#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! [`Jwk`] is one key as it was published, [`JwkSet`] several of them. [`PublicKey`] is a key that has passed every
//! check and verifies signatures, [`SigningKey`] makes them. [`Thumbprint`] is a name computed from the key.
//!
//! # Specifications
//!
//! RFC 7517 (JWK), RFC 7638 (thumbprint), RFC 8037 and RFC 9864 (Ed25519 in JOSE), RFC 8032 (Ed25519), RFC 9421
//! section 3.3 (algorithm names of HTTP message signatures).

#![cfg_attr(not(test), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod algorithm;
mod error;
mod json;
mod key;
mod public_key;
mod set;
mod signing_key;
mod thumbprint;

pub use algorithm::Algorithm;
pub use error::{JwkError, JwkErrorKind, KeyFault};
pub use key::Jwk;
pub use public_key::PublicKey;
pub use set::{JwkSet, MAX_SET_BYTES};
pub use signing_key::SigningKey;
pub use thumbprint::{Thumbprint, ThumbprintError};
