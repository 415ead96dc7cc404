//! The document of AIWebIndex 2.0: the same page, its members in groups.
//!
//! ```text
//! {"schema":{"name":"AIDocument","version":"2.0"},        which format
//!  "source":{"url":"https://example.com/a", …},            what was fetched: the snapshot, also on a cache hit
//!  "cache":{"status":"hit", …},                            what happened on this call
//!  "identity":{"title":"…", …},"content":{"markdown":"…"},
//!  "structure":{"headings":[…],"links":[…], …},
//!  "signals":{"word_count":9, …},                          computed from the document
//!  "economics":{…}}                                        optional
//! ```
//!
//! [`Document::builder`] takes a [`Call`] beside the snapshot's URL, so that label, flags and policy agree. The reader
//! keeps contradictory values and warns. Headings, links, images, URLs, languages, status codes, render modes, limits,
//! findings and errors are those of the crate's root.
//!
//! The caller's duties: fetching over HTTPS where the origin advertises it (AIWI2-SEC-1), bypassing no paywall, login or
//! access control (AIWI2-SEC-2), opaque tokens in public records (AIWI2-SEC-5), and keeping the snapshot apart from the
//! call where documents are stored (AIWI2-AMB-14). Of a crawler that claims the profile Verified also: publishing keys and
//! addresses and linking them (AIWI2-ID-2, AIWI2-ID-5, AIWI2-ID-6), and reverse DNS for each address (AIWI2-ID-8).
//!
//! Spec: AIWebIndex 2.0 (2026-05-13, revised 2026-08-30); AIWI2-DOC-1 to AIWI2-DOC-36.

mod builder;
mod call;
mod document;
mod economics;
mod read;
mod version;

pub use builder::DocumentBuilder;
pub use call::{Cache, CacheStatus, Call, FreshnessPolicy, UnknownValue};
pub use document::{Document, Identity, Schema, Signals, Source, Structure};
pub use economics::{Economics, EstimatedCost, PricingBasis, TokenCounts};
pub use version::{Ref, Version};

pub(crate) use read::{check, shape_of};
