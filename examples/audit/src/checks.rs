//! The checks, a module for each protocol.

pub(crate) mod aiwebindex;
pub(crate) mod llmindex;
pub(crate) mod tct;
mod twin;
