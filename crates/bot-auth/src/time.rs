//! Instants.

/// Seconds since 1970-01-01T00:00:00Z, as the caller's clock has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct UnixSeconds(pub u64);
