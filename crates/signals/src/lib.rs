#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! [`Signals`] holds everything that a site says about one page, [`decide()`] answers for a [`Purpose`] with a [`UseDecision`]. What
//! is read here: [`RslDocument`] and [`RslLinks`] (licences), [`TdmRep`] (reservation of mining), [`UsePrice`] (status 402). What is
//! read by `robots`: preferences of robots.txt and of fields, page directives.
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
