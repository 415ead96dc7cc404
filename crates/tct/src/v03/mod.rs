//! Draft -03 ("Collaboration Content Transfer"): documents whose entity tag is the SHA-256 of exactly the bytes sent.
//!
//! As in drafts -00 and -01, there is a JSON twin beside each human page, and a sitemap that repeats each validator. The
//! difference: validators are of the exact bytes. Both sides hash the bytes on the wire, in RFC 8785 form, without
//! removing, decoding or normalising anything.
//!
//! ```text
//! publisher
//!   MUrlDocument ──seal──> SealedDocument { body, tag } ──representation──┐
//!   MSitemap ──────seal──> SealedSitemap  { body, tag } ──representation──┴─> plan_response / plan_availability
//!
//! agent
//!   body ──classify──> kind and revision: choose the reader by it
//!   response ──open_response──> problems, the bytes' own hash, the document
//!   body ──check_document, check_sitemap──> every fault, canonical or not, the usable items
//! ```
//!
//! Sealing and writing have no parameter for the revision: this module writes draft -03, the crate's root writes drafts -00
//! and -01. Entity tags, preconditions, links, the plan and the response planner are shared.
//!
//! | | -00, -01 | -03 |
//! |---|---|---|
//! | `profile` | `tct-1`, optional | a URI for each kind, required, compared byte for byte |
//! | entity tag | hash of the object without `hash`, or of the text | hash of the bytes |
//! | members' order | code points | UTF-16 code units (RFC 8785) |
//! | sitemap | version 1, `contentHash` or `etag` required | version 2, `etag` optional, no URL twice |
//! | addresses | as the URL Standard spells them | by the grammar of RFC 3986: [`as_uri`] |
//! | `Content-Type` | with charset | without a parameter |
//! | coded variants | may share the tag | have their own tag and digest |
//! | `Content-Digest`, profile link, `no-transform` | – | required |
//!
//! [`guide`] shows the messages, and what a publisher changes.
//!
//! # An experimental profile
//!
//! It changes no HTTP semantics and grants nothing: no authorization, no licence, no content-use policy (TCT3-PROF-7). A tag
//! or digest shows that bytes arrived as sent, not who wrote them (TCT3-SEC-6). Serve over HTTPS (TCT3-SEC-1), give a twin
//! the access control of its page (TCT3-SEC-2), keep answers to different credentials apart (TCT3-SEC-3), and leave out of a
//! sitemap what must not be known to exist (TCT3-SEC-8, TCT3-SM-14). Advertise only what may be exposed (TCT3-DISC-7). The
//! field `Semantic-ETag` of another draft is passed through and never affects a decision (TCT3-SEM-1 to TCT3-SEM-3,
//! TCT3-AMB-35). One M-URL serves one revision: a site that serves both has two twins a page, two alternates and two
//! sitemaps (TCT3-MIG-3, TCT3-AMB-33), and stores the representations of the two apart (TCT3-MIG-8). Which twin a homepage
//! or a list gets is decided as by the drafts before (TCT3-AMB-38); text normalisation and the policy descriptor belong to
//! those drafts alone (TCT3-MIG-6, TCT3-AMB-34).
//!
//! The text of the draft was not available when this was written. What its author's reference implementation always does
//! is treated as required of publishers, and readers are lenient where a refusal would help nobody (TCT3-AMB-1,
//! TCT3-AMB-2).

#[doc = include_str!("../../docs/v03.md")]
pub mod guide {}

mod check;
mod document;
mod finding;
mod identity;
mod limits;
mod members;
mod profile;
mod respond;
mod sitemap;
mod syntax;
mod tag;

pub use check::{DocumentCheck, check_document, check_sitemap};
pub(crate) use check::{Members, read_document};
pub use document::{MUrlDocument, SealedDocument};
pub use finding::{TctFinding, TctFindingCode};
pub use identity::{EncodeError, EncodeErrorKind, Identity};
pub use limits::BodyLimits;
pub use profile::{BodyKind, Revision, classify};
pub(crate) use profile::{M_URL_PROFILE, is_m_url_document, kind_of_profile};
pub use respond::{Availability, plan_availability};
pub use sitemap::{MSitemap, MSitemapItem};
pub use syntax::as_uri;
pub(crate) use syntax::is_uri_byte;
pub use tag::BodyTag;
