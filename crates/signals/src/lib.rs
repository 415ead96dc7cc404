#![doc = include_str!("../README.md")]
//!
//! # The files of this crate
//!
//! [`decide()`] with the table of what each signal means: `decide`. What it reads: `rsl` (documents, judgement, places),
//! `tdmrep`, `price`; robots.txt, `Content-Usage`, `Content-Signal` and page directives are read by `robots`.
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
