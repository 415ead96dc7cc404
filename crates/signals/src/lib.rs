#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! [`Signals`] holds all signals for one page, and [`decide()`] turns them into a [`UseDecision`] for a [`Purpose`]. This crate
//! reads licences ([`RslDocument`], [`RslLinks`]), the reservation of mining ([`TdmRep`]) and status 402 ([`UsePrice`]). The
//! crate `robots` reads the preferences of robots.txt and of header fields, and page directives.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod decide;
#[cfg(feature = "http")]
mod http_form;
mod price;
mod purpose;
mod rsl;
mod tdmrep;

pub use decide::{
    RslState, Says, SignalReason, SignalSource, Signals, TctPolicy, UseDecision, Verdict, decide,
};
pub use price::{Amount, PriceScheme, UsePrice};
pub use purpose::{ByPurpose, Purpose, PurposeError};
pub use rsl::{
    RSL_MEDIA_TYPE, RSL_NAMESPACE, RslAsset, RslCaller, RslCountry, RslCountryError, RslDocument, RslError,
    RslErrorKind, RslLinks, RslUse, RslUser, RslUserError, RslUses, RslVerdict,
};
pub use tdmrep::{TdmRep, TdmSource};
