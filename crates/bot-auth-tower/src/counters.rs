//! Counters of the layer's verdicts.

use std::collections::BTreeMap;

use bot_auth::Identity;

/// Numbers of requests by verdict. They never decrease.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counters {
    /// Requests verified as an agent's, including those over its limit.
    pub verified: u64,
    /// Requests without a signature of Web Bot Auth.
    pub anonymous: u64,
    /// Requests whose signature was not accepted, by the code of the reason.
    pub unverified: BTreeMap<&'static str, u64>,
    /// Verified requests over their agent's limit.
    pub limited: u64,
    /// Key directories that were fetched, and those of them that gave none.
    pub fetched: (u64, u64),
}

impl Counters {
    pub(crate) fn count(&mut self, identity: &Identity) {
        match identity {
            Identity::Verified(_) => self.verified += 1,
            Identity::Anonymous => self.anonymous += 1,
            // The codes are a fixed set: a stranger cannot make this map grow.
            Identity::Unverified(reason) => *self.unverified.entry(reason.code()).or_default() += 1,
        }
    }
}
