//! A seeded world for crawls of [`tct::Crawl`]: a publisher with pages of both drafts, sitemaps and a policy; a network that
//! loses, cuts, redirects and lies; a clock that jumps; a store that is killed and resumed. It judges by what it knows itself:
//! what it served, what is true of the site, and what is in the store.
//!
//! ```text
//! for each crawl:  begin(store) ─▶ ask(request, store) ─▶ Reply ─▶ delivered(path, reply) ─▶ … ─▶ end(store, how)
//! ```
//!
//! The invariants are the names of [`Broken`]. Everything follows from the seed, so a seed that fails is a story that can be
//! told again: [`World::story`].

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::large_enum_variant,
    reason = "a tool of tests says what it expects in the plainest way"
)]

pub mod hand;
mod judge;
mod network;
mod rng;
mod site;

pub use judge::{Broken, Ending, World, start};
pub use network::{Fault, Reply};
pub use rng::Rng;
pub use site::{ORIGIN, Page, PolicyPlace, PolicyText, Resource, Site, url};
