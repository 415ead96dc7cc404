//! The checks, a module for each protocol.

pub(crate) mod aiwebindex;
mod compare;
mod find;
pub(crate) mod llmindex;
mod payload;
mod policy;
mod sitemaps;
pub(crate) mod tct;
mod twin;
pub(crate) mod usage;
