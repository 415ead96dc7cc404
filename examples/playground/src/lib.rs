//! The libraries of this workspace for JavaScript: one WebAssembly module, and what the playground's page shows with it.
//!
//! ```text
//! JavaScript ──string, bytes, options──▶ bindings ──▶ one function of this crate ──▶ a library
//!            ◀──string, plain object────          ◀── text, or a value as JSON   ◀──
//! ```
//!
//! The functions here are plain Rust over texts and bytes, tested natively; [`bindings`] gives them to JavaScript and
//! decides nothing. What a library answers with is turned into objects, and places in bytes get the index that
//! JavaScript's strings count by. No protocol logic lives here.
//!
//! | module | what | feature |
//! |---|---|---|
//! | [`text`] | fingerprints, the six steps of normalisation | |
//! | [`canonical`] | canonical JSON, the first byte that is not canonical | |
//! | [`robots_file`] | verdict, preferences and lint of a robots.txt file | `checks` |
//! | [`page`] | HTML to content, documents and negotiated responses | `full` |
//! | [`validate`] | manifests, feeds and documents, findings at their place | `checks` |
//! | [`visit`] | a publisher and an agent on a clock that the caller turns | `full` |
//!
//! Without features the module is small enough to go into any page; `full` is `checks` and pages.

pub mod bindings;
pub mod canonical;
pub mod failure;
#[cfg(feature = "full")]
pub mod page;
#[cfg(feature = "checks")]
pub mod robots_file;
pub mod text;
#[cfg(feature = "checks")]
pub mod validate;
#[cfg(feature = "full")]
pub mod visit;

pub use failure::{Failure, Spot};
