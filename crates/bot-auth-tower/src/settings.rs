//! A server's settings.

use std::sync::Arc;

use bot_auth::{AgentId, Policy, Strangers, Verifier};
use web_values::UnixSeconds;

use crate::fetch::FetchKeys;
use crate::limits::AgentLimit;
use crate::server::RequestVerdict;

pub(crate) type Clock = Arc<dyn Fn() -> UnixSeconds + Send + Sync>;
pub(crate) type Observe = Arc<dyn Fn(&RequestVerdict) + Send + Sync>;

/// Largest body of a signed request that is read to compare it with its digest, in bytes: 1 MiB.
const MAX_BODY_BYTES: usize = 1 << 20;

/// The settings of a [`BotLayer`](crate::BotLayer): the agents that are known, and what their signatures must have.
///
/// The default is strict: agents that are not listed are refused, and so are signatures that bind less than the request.
#[derive(Clone)]
pub struct BotSettings {
    pub(crate) origin: String,
    pub(crate) verifier: Verifier,
    pub(crate) fetch: FetchKeys,
    pub(crate) clock: Clock,
    pub(crate) observe: Option<Observe>,
    pub(crate) limit: Option<AgentLimit>,
    pub(crate) max_body_bytes: usize,
}

impl core::fmt::Debug for BotSettings {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BotSettings")
            .field("origin", &self.origin)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl BotSettings {
    /// Settings for the site at `origin`, such as `https://shop.example`: scheme and host as clients use them, which a
    /// server behind a proxy cannot see. `clock` gives the time, `fetch` the key directories of `agents`.
    #[must_use]
    pub fn new(
        origin: &str,
        agents: impl IntoIterator<Item = AgentId>,
        fetch: FetchKeys,
        clock: impl Fn() -> UnixSeconds + Send + Sync + 'static,
    ) -> Self {
        BotSettings {
            origin: origin.trim_end_matches('/').to_owned(),
            verifier: Verifier::of_agents(agents),
            fetch,
            clock: Arc::new(clock),
            observe: None,
            limit: None,
            max_body_bytes: MAX_BODY_BYTES,
        }
    }

    /// Sets the policy for signatures. [`Policy::path_alone`] and [`Policy::host_alone`] accept the signatures of
    /// deployed agents.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        BotSettings { verifier: self.verifier.policy(policy), ..self }
    }

    /// Also verifies agents that are not listed: their requests decide what this server fetches, within these bounds.
    #[must_use]
    pub fn with_strangers(self, strangers: Strangers) -> Self {
        BotSettings { verifier: self.verifier.with_strangers(strangers), ..self }
    }

    /// Sets how many used signatures are remembered, and how many of one key; see
    /// [`ReplayWindow::new`](bot_auth::ReplayWindow::new).
    #[must_use]
    pub fn replay_window(self, max: usize, max_of_key: usize) -> Self {
        BotSettings { verifier: self.verifier.replay_window(max, max_of_key), ..self }
    }

    /// Limits how many requests each verified agent may send; more are answered with 429 and `Retry-After`.
    #[must_use]
    pub fn limit(self, limit: AgentLimit) -> Self {
        BotSettings { limit: Some(limit), ..self }
    }

    /// Sets how much of a signed request's body is read to compare it with its digest, in bytes; 1 MiB. A longer one is
    /// answered with 413.
    #[must_use]
    pub fn max_body_bytes(self, max_body_bytes: usize) -> Self {
        BotSettings { max_body_bytes, ..self }
    }

    /// Calls this function for each checked request, for logging.
    #[must_use]
    pub fn observe(self, observe: impl Fn(&RequestVerdict) + Send + Sync + 'static) -> Self {
        BotSettings { observe: Some(Arc::new(observe)), ..self }
    }
}
