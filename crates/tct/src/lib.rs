//! The Collaboration Tunnel Protocol (TCT) for publishers and agents, as decisions without I/O.
//!
//! A publisher offers, beside each human page (its **C-URL**), a small JSON twin (its **M-URL**) with a hash as strong
//! entity tag, and a sitemap that repeats every hash. An agent that holds a page's twin sees from the sitemap alone
//! that nothing changed, and requests nothing at all: *zero-fetch*.
//!
//! This crate decides; the caller does. It does **not** open connections, check certificates, read clocks or files,
//! undo content codings, or keep a cache. URLs, statuses, header maps, bytes and the time come in as parameters, and
//! out come bytes to serve, requests to send, and verdicts.
//!
//! ```text
//! publisher
//!   page data ──Payload──> Sealed { body, fingerprint, etag } ──Representation──┐
//!   entries ──SitemapWriter──> sitemap bytes ────────────────────Representation──┤
//!   method + request headers ──────────────────plan_response────────────────────┴─> status, headers, which bytes
//!
//! agent
//!   headers, HTML ──discover──> candidates for M-URLs, sitemaps, the policy
//!   chunks ──SitemapReader──> items ──Planner + HeldPage──> skip │ revalidate │ fetch
//!   Visit ──request()──> [caller sends] ──on_response()──> store │ keep │ refuse │ retry at
//! ```
//!
//! # Example
//!
//! A publisher seals a page; an agent visits it, and skips it the next time:
//!
//! ```
//! use http::HeaderMap;
//! use tct::{CUrl, MUrl, Outcome, Payload, Plan, PlanPolicy, Planner, Step, UnixSeconds, Visit, VisitPolicy, plan_response};
//!
//! let page = CUrl::parse("https://example.com/post/")?;
//! let twin = MUrl::parse("https://example.com/post/llm/")?;
//! let sealed = Payload::new(&page, "A post", "What it says.").seal()?;
//! let listed = sealed.fingerprint().to_string(); // what the sitemap says
//!
//! let visit = Visit::new(&twin, &page, Some(&listed), None, VisitPolicy::default());
//! let request = visit.request();
//! let response = plan_response(&request.method, &request.headers, &sealed.representation(&page));
//! let now = UnixSeconds(1_760_000_000);
//! let Step::Done(Outcome::Store { held, .. }) = visit.on_response(response.status, &response.headers, sealed.body(), now)
//! else { panic!("a page in order is stored") };
//!
//! let planner = Planner::new(PlanPolicy::default(), now, now);
//! assert_eq!(planner.plan(Some(&listed), Some(&held)), Plan::Skip);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Specification
//!
//! draft-jurkovikj-collab-tunnel-00 (November 2025), with what draft -01 changed and what deployed publishers do.
//! Where the text contradicts itself or HTTP, the decision stands beside the item that makes it; the ones that matter:
//!
//! - An agent sends the entity tags of bodies that it holds, never the sitemap's new hash ([`HeldPage`]).
//! - A date is not looked at when `If-None-Match` is present ([`check_preconditions`]).
//! - Ranges are never served of a compressed variant ([`Representation::coded`]).
//! - Equality of hashes is trusted for a limited time only ([`PlanPolicy`]).
//! - A page's M-URL is found, never guessed ([`discover_in_headers`]); another page's claim is never taken on its word
//!   alone ([`may_adopt_page`]).
//!
//! Of draft -01 the crate reads and writes the member `etag` (TCT-D01-1) and always sends the charset (TCT-D01-6); a
//! mismatch is a finding, an error only for strict agents (TCT-D01-5); a conditional GET is the default, HEAD an
//! option (TCT-D01-9). There is one normalisation and one order of members (TCT-D01-7, TCT-D01-8), `https` and access
//! control stay duties (TCT-D01-10, TCT-AMB-38), and what -01 dropped stays (TCT-D01-14).
//!
//! # The caller's duties
//!
//! - Check certificates against the platform's trust store (TCT-SEC-2) and respect statuses and waiting times
//!   (TCT-ERR-4): [`Outcome`] and [`retry_after`] say which.
//! - Give an M-URL the access control of its page (TCT-SEC-7); keep sitemaps with sensitive URLs to those who may see
//!   them (TCT-SEC-6).
//! - Publish sitemap and payloads together, or send `Last-Modified` (TCT-PAR-6).
//! - Ask for the sitemap conditionally too, with the entity tag that it came with, and keep the old items on a 304
//!   (TCT-COND-11).
//! - Never join ranges or share bodies between URLs because their tags are equal (TCT-AMB-26).
//! - A hash shows accidental damage, not who wrote the text; signatures are out of scope (TCT-SEC-5, TCT-SEC-13).
//!
//! # Limits
//!
//! Every reader has limits with defaults ([`SitemapLimits`], [`OpenPolicy`]); time is linear, nesting uses no stack.
//!
//! # Features
//!
//! - `html` (default): discovery in HTML pages, with the tokenizer that this needs.
//!
//! The crate needs `std`, since `http` does; it compiles to `wasm32-unknown-unknown` without imports.

// The README's code runs as tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod address;
mod cache;
mod conditional;
mod counters;
mod discover;
mod etag;
#[cfg(feature = "html")]
mod html;
mod link;
mod lint;
mod members;
mod open;
mod page;
mod payload;
mod plan;
mod policy;
mod response;
mod retry;
mod seal;
mod sitemap;
mod time;
mod untrusted;
mod visit;

pub use address::{
    AddressError, AddressErrorKind, CUrl, MUrl, TrailingSlash, UrlPolicy, is_public_host, is_same_page,
};
pub use cache::{CacheDirectives, CacheKey, CredentialScope, may_send_credentials};
pub use conditional::{Precondition, RangeChoice, Validators, check_preconditions, choose_range};
pub use counters::Counters;
#[cfg(feature = "html")]
pub use discover::discover;
pub use discover::{
    Discovery, SitemapCandidate, SitemapSearch, SitemapSource, discover_in_headers, is_m_url_response,
    may_adopt_page,
};
pub use etag::EntityTag;
pub use link::{Link, html_alternate, link_alternate, link_canonical, link_policy, link_sitemap, links};
pub use lint::{HeaderFinding, check_headers};
pub use open::{
    Expected, Note, OpenPolicy, Opened, Problem, ProblemCode, ReceivedPayload, Response, Strictness,
    open_response,
};
pub use page::{MUrlPattern, PageKind, PatternError, PatternErrorKind, classify_page};
pub use payload::{ContentBuilder, PROFILE, Payload, escape_markup, find_markup};
pub use plan::{HeldHistory, HeldPage, Plan, PlanPolicy, Planner, Recheck};
pub use policy::{
    POLICY_PROFILE, Permission, PolicyDescriptor, PolicyError, PolicyFault, PolicyFaultCode,
    PolicyRequirements, PolicyUrls, Purpose, RateHint, RateHints,
};
pub use response::{
    BodyPlan, EtagWhenCoded, PROTECTED_CACHE_CONTROL, PUBLIC_CACHE_CONTROL, Representation, ResponsePlan,
    content_digest, plan_response,
};
pub use retry::{RateLimit, retry_after};
pub use seal::{HashCheck, HashMethod, SealError, SealErrorKind, Sealed, Sealer, check_hash, seal};
pub use sitemap::{
    HashMembers, ItemIssue, ListedPage, RECOMMENDED_ITEM_BYTES, Sitemap, SitemapBudget, SitemapEntry,
    SitemapError, SitemapErrorKind, SitemapEvent, SitemapEvents, SitemapItem, SitemapLimits, SitemapReader,
    SitemapReport, SitemapSummary, SitemapVersion, SitemapWriteError, SitemapWriteErrorKind, SitemapWriter,
    SkippedItem, Written, homepage_first, write_sitemaps,
};
pub use time::{UnixSeconds, is_rfc3339};
pub use untrusted::UntrustedText;
pub use visit::{Disagreement, Outcome, Refusal, Step, Visit, VisitPolicy, VisitRequest};
