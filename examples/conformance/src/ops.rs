//! The operations, a module a crate.

use crate::Op;

/// The operation of that name, if there is one.
pub fn find(name: &str) -> Option<Op> {
    all().find(|(known, _)| *known == name).map(|(_, op)| op)
}

/// All operations with their names.
pub fn all() -> impl Iterator<Item = (&'static str, Op)> {
    let modules: &[&[(&'static str, Op)]] = &[];
    modules.iter().flat_map(|ops| ops.iter().copied())
}
