//! The operations, a module a crate.

use crate::Op;

mod aidocument;
mod aidocument2;
mod aiwebindex;
mod httpsig;
mod llmindex;
mod ready;
mod robots;
mod signals;
mod tct;
mod tct3;
mod tct_agent;
mod verify;
mod wba;

/// The operation of that name, if there is one.
pub fn find(name: &str) -> Option<Op> {
    all().find(|(known, _)| *known == name).map(|(_, op)| op)
}

/// All operations with their names.
pub fn all() -> impl Iterator<Item = (&'static str, Op)> {
    let modules = [
        aidocument::OPS,
        aidocument2::OPS,
        aiwebindex::OPS,
        httpsig::OPS,
        llmindex::OPS,
        ready::OPS,
        robots::OPS,
        signals::OPS,
        tct::OPS,
        tct3::OPS,
        tct_agent::OPS,
        verify::OPS,
        wba::OPS,
    ];
    modules.into_iter().flat_map(|ops| ops.iter().copied())
}
