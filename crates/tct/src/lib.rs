//! The Collaboration Tunnel Protocol (TCT) for publishers and agents, as decisions without I/O.
//!
//! Beside each page for people (at its **C-URL**), a publisher offers a small JSON twin (at its **M-URL**), whose strong entity tag
//! is a hash, and a sitemap that repeats every hash. An agent that holds a page's twin sees from the sitemap alone that it has
//! not changed, and does not request it: *zero-fetch*.
//!
//! This crate makes decisions; the caller carries them out. It does **not** open connections, check certificates,
//! read clocks or files, undo content codings, or keep a cache. URLs, statuses, header maps, bytes and the time come
//! in as parameters, and out come bytes to serve, requests to send, and verdicts.
//!
//! ```text
//! publisher
//!   page data ──Payload──> Sealed { body, fingerprint, etag } ──Resource──respond(method, headers)──> http::Response
//!   entries ──write_sitemaps──> sitemap bytes ───────────────────┘
//!
//! agent
//!   Crawl ──next()──> Send(http::Request) │ Page(what to store) │ Site(event) │ Wait │ Done
//!         <──on_response(id, URL, &http::Response, …)── [caller sends and waits]
//!   its parts:    SitemapReader ──items──> Planner ──skip │ visit──> Visit ──> Outcome
//! ```
//!
//! [`agent_path`] and [`publisher_path`] describe both paths with their messages.
//!
//! # Example
//!
//! A publisher seals a page; an agent crawls the site twice, and the second time requests only the sitemap:
//!
//! ```
//! use std::collections::BTreeMap;
//! use tct::{CUrl, Crawl, CrawlNext, CrawlPolicy, MUrl, PageState, Payload, Resource, SiteState, SitemapBudget,
//!     SitemapEntry, UnixSeconds, write_sitemaps};
//!
//! let page = CUrl::parse("https://example.com/post/")?;
//! let sealed = Payload::new(&page, "A post", "What it says.").seal()?;
//! let entry = SitemapEntry::new(page.clone(), MUrl::parse("https://example.com/post/llm/")?, sealed.fingerprint());
//! let sitemap = Resource::json(write_sitemaps([entry], SitemapBudget::default())?.remove(0));
//! let representation = sealed.representation(&page);
//! let twin = Resource::new(sealed.into_body(), representation);
//!
//! let (mut site, mut pages, mut requests) = (SiteState::default(), BTreeMap::<String, PageState>::new(), Vec::new());
//! let now = UnixSeconds(1_760_000_000);
//! for _run in 0..2 {
//!     let mut crawl = Crawl::resume(&page, site, CrawlPolicy::default())
//!         .with_sitemap("https://example.com/llm-sitemap.json".parse()?);
//!     loop {
//!         match crawl.next(&pages, now) {
//!             CrawlNext::Send(wanted) => {
//!                 let request = &wanted.request;
//!                 requests.push(request.uri().path().to_owned());
//!                 let resource = if request.uri().path() == "/post/llm/" { &twin } else { &sitemap };
//!                 let answer = resource.respond(request.method(), request.headers()); // the network, elsewhere
//!                 crawl.on_response(wanted.id, &wanted.url, &answer, &pages, now)?;
//!             }
//!             CrawlNext::Page(report) => {
//!                 // report.body() says what to do with the stored text
//!                 let report = *report;
//!                 report.state.map(|state| pages.insert(report.key, state));
//!             }
//!             CrawlNext::Done => break,
//!             _ => {}
//!         }
//!     }
//!     site = crawl.site().clone();
//! }
//! assert_eq!(requests, ["/llm-sitemap.json", "/post/llm/", "/llm-sitemap.json"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Specification
//!
//! draft-jurkovikj-collab-tunnel-00 (November 2025), with what draft -01 changed and what deployed publishers do; draft -03
//! is in [`v03`]. Where the text contradicts itself or HTTP, the item's documentation says what we decided. The important ones:
//!
//! - An agent sends the entity tags of bodies that it holds, never the sitemap's new hash ([`HeldPage`]).
//! - A hash that is not a fingerprint is kept as text, and never equals a hash in a sitemap ([`held::ContentHash`]).
//! - Dates are ignored when `If-None-Match` is present.
//! - A compressed variant is never served in ranges ([`Representation::coded`]).
//! - Equal hashes are trusted for a limited time only ([`PlanPolicy`]).
//! - A page's M-URL is found, never guessed ([`discovery::discover_in_headers`]); a claim to be another page's twin has to be
//!   confirmed ([`discovery::may_adopt_page`]).
//!
//! From draft -01, the crate takes the member `etag` (TCT-D01-1) and the charset, which it always sends (TCT-D01-6). A
//! mismatch of canonical link or text is a finding, an error only for strict agents (TCT-D01-5); a conditional GET is the default,
//! HEAD an option (TCT-D01-9). There is one normalisation and one order of members (TCT-D01-7, TCT-D01-8). `https`, access
//! control and what -01 dropped stay required (TCT-D01-10, TCT-AMB-38, TCT-D01-14).
//!
//! # The caller's duties
//!
//! - Check certificates against the platform's trust store (TCT-SEC-2) and respect statuses and waiting times
//!   (TCT-ERR-4): [`Outcome`] and [`retry::retry_after`] say which.
//! - Give an M-URL the access control of its page (TCT-SEC-7); show sitemaps with sensitive URLs only to clients that may see
//!   them (TCT-SEC-6).
//! - Publish sitemap and payloads together, or send `Last-Modified` (TCT-PAR-6).
//! - Ask for the sitemap conditionally too, with the entity tag that it came with, and keep the old items on a 304
//!   (TCT-COND-11).
//! - Do not join ranges, or share bodies between URLs, because tags are equal (TCT-AMB-26).
//! - A hash shows accidental damage, not who wrote the text; signatures are out of scope (TCT-SEC-5, TCT-SEC-13).
//!
//! # Limits
//!
//! Every reader has limits with defaults ([`SitemapLimits`], [`OpenPolicy`]); time is linear, nesting uses no stack.
//!
//! # Features
//!
//! - `html` (default): discovery in HTML pages, with the tokenizer that this needs.
//! - `fast-tables` (default): the large tables of `tct-fingerprint`, for speed; same fingerprints.
//!
//! The crate needs `std`, since `http` does; it compiles to `wasm32-unknown-unknown` without imports.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc = include_str!("../docs/agent.md")]
pub mod agent_path {}

#[doc = include_str!("../docs/publisher.md")]
pub mod publisher_path {}

#[doc = include_str!("../docs/invariants.md")]
pub mod invariants {}

// The README's code runs as tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[macro_use]
mod words;

mod accept;
pub mod address;
pub mod cache;
mod conditional;
pub mod counters;
pub mod crawl;
pub mod discovery;
mod etag;
pub mod held;
#[cfg(feature = "html")]
mod html;
pub mod link;
pub mod lint;
mod members;
pub mod open;
pub mod pages;
pub mod payload;
pub mod plan;
pub mod policy;
pub mod resource;
pub mod response;
pub mod retry;
pub mod sealing;
mod sentences;
mod shown;
pub mod sitemap;
pub mod time;
pub mod untrusted;
pub mod v03;
pub mod visit;

pub use address::{CUrl, MUrl, UrlPolicy};
pub use crawl::{Crawl, CrawlNext, CrawlPolicy, PageReport, PageState, SiteState};
pub use discovery::Discovery;
#[cfg(feature = "html")]
pub use discovery::discover;
pub use etag::EntityTag;
pub use held::HeldPage;
pub use open::OpenPolicy;
pub use payload::Payload;
pub use plan::{Plan, PlanPolicy, Planner};
pub use policy::{Permission, PolicyDescriptor, Purpose};
pub use resource::{Coding, Resource};
pub use response::{Representation, plan_response};
pub use sealing::{Sealed, seal};
pub use sitemap::{
    SitemapBudget, SitemapEntry, SitemapEvent, SitemapItem, SitemapLimits, SitemapReader, write_sitemaps,
};
pub use tct_fingerprint::Fingerprint;
pub use time::UnixSeconds;
pub use visit::{Outcome, Visit, VisitPolicy, VisitStep};
