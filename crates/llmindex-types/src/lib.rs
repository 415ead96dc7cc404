#![doc = include_str!("../README.md")]
//!
//! ## Where to start
//!
//! Start with [`Manifest`] and [`validate`], or with [`FeedReader`] for feeds. Every check returns
//! [`ManifestFinding`]s, each with a [`Code`]. URLs, instants and language tags are those of [`web_values`].
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod check;
mod currency;
mod decimal;
mod feed;
mod finding;
mod json;
mod language;
mod license;
mod manifest;
mod options;
mod outcome;
mod product;
mod publish;
#[cfg(feature = "schema")]
mod schema;
pub mod secret;
#[cfg(feature = "serde")]
mod serialize;
mod text;
mod url;
mod version;

pub use decimal::{Decimal, DecimalError};
pub use feed::{
    ChangedLines, DeltaBase, DeltaChange, DeltaError, DeltaErrorKind, DeltaLine, DeltaReader, DeltaSummary,
    DeltaWriter, FeedDelta, FeedLine, FeedOptions, FeedReader, FeedSummary, FeedWriter, FindingCount,
    HeldLines,
};
pub use finding::{Code, ManifestFinding, Report};
pub use json::{Limits, LlmindexTextError, LlmindexTextErrorKind};
pub use license::LicenseKind;
pub use manifest::{
    AccessControl, CommercialUse, Endpoints, Entity, Feeds, LlmindexBuildError, Localized, Manifest,
    ManifestBuilder, ManifestError, ManifestReading, PartialManifest, RateLimit, RateUnit, UnknownMember,
    read, validate,
};
pub use options::{Mode, Options};
#[cfg(feature = "http")]
pub use outcome::classify_response;
pub use outcome::{
    FeedState, ManifestOutcome, ManifestState, PageFileState, Survey, check_https, check_origin, classify,
    survey,
};
pub use product::{
    Availability, Price, Product, ProductBuilder, ProductView, validate_product, validate_product_line,
};
pub use publish::{
    About, CACHE_CONTROL, CONTENT_TYPE, FaqTopic, Policies, ResponseHeaders, about_page, faq_page, llms_txt,
    policies_page, products_page, response_headers,
};
#[cfg(feature = "schema")]
pub use schema::{MANIFEST_SCHEMA, PRODUCT_SCHEMA, ReferenceSchema};
pub use text::{ManifestText, Member, Sig, Verify, VerifyMethod};
pub use version::Version;
/// Re-export of the crate whose types are in this crate's signatures: `Timestamp`, `WebUrl`, `Language`, `Severity`,
/// `UnixSeconds`.
pub use web_values;

/// The fixed path of a manifest.
///
/// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-1.
pub const MANIFEST_PATH: &str = "/.well-known/llmindex.json";

/// The URL of the manifest of a site: the origin of `url`, port included, with [`MANIFEST_PATH`].
///
/// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-1.
#[must_use]
pub fn manifest_url(url: &::url::Url) -> ::url::Url {
    let mut manifest = url.clone();
    manifest.set_path(MANIFEST_PATH);
    manifest.set_query(None);
    manifest.set_fragment(None);
    // An origin has no user name. Both calls fail only for URLs without a host, which http(s) URLs have.
    let _ = manifest.set_username("");
    let _ = manifest.set_password(None);
    manifest
}
