//! How many requests a verified agent may send.

use std::collections::BTreeMap;

use bot_auth::AgentId;
use web_values::UnixSeconds;

/// Most agents whose requests are counted; the least recently seen are forgotten and start again at
/// zero.
const MAX_AGENTS: usize = 10_000;

/// A number of requests in a span of time for each verified agent, whichever key, address or `User-Agent` it uses.
///
/// The span begins with an agent's first request and again with the first one after its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentLimit {
    /// Number of requests.
    pub requests: u32,
    /// Length of the span in seconds.
    pub secs: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Limits {
    agents: BTreeMap<AgentId, Count>,
}

#[derive(Debug)]
struct Count {
    since: UnixSeconds,
    last: UnixSeconds,
    count: u32,
}

impl Limits {
    /// Counts a request. `Err` says after how many seconds the agent may come again.
    pub(crate) fn take(&mut self, agent: &AgentId, limit: AgentLimit, now: UnixSeconds) -> Result<(), u64> {
        if !self.agents.contains_key(agent) && self.agents.len() >= MAX_AGENTS {
            let oldest =
                self.agents.iter().min_by_key(|(_, count)| count.last).map(|(agent, _)| agent.clone());
            oldest.map(|oldest| self.agents.remove(&oldest));
        }
        let count = self.agents.entry(agent.clone()).or_insert(Count { since: now, last: now, count: 0 });
        let age = now.seconds_since(count.since);
        if now < count.since || age >= limit.secs {
            (count.since, count.count) = (now, 0);
        }
        count.last = now;
        if count.count >= limit.requests {
            return Err(limit.secs.saturating_sub(now.seconds_since(count.since)).max(1));
        }
        count.count += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

    use super::*;

    #[test]
    fn an_agent_has_so_many_requests_in_a_span() {
        let limit = AgentLimit { requests: 2, secs: 60 };
        let (one, other) = ("https://a.example".parse().unwrap(), "https://b.example".parse().unwrap());
        let mut limits = Limits::default();
        let mut take = |agent, now| limits.take(agent, limit, UnixSeconds(now));
        assert_eq!((take(&one, 100), take(&one, 110), take(&one, 120)), (Ok(()), Ok(()), Err(40)));
        assert_eq!(take(&other, 120), Ok(()));
        assert_eq!((take(&one, 159), take(&one, 160)), (Err(1), Ok(())));
        // A clock that jumps back locks nobody out.
        assert_eq!(take(&one, 10), Ok(()));
    }

    #[test]
    fn agents_are_counted_in_bounded_memory() {
        let limit = AgentLimit { requests: 1, secs: 60 };
        let mut limits = Limits::default();
        for n in 0..2 * MAX_AGENTS as u64 {
            let agent = format!("https://a{n}.example").parse().unwrap();
            assert_eq!(limits.take(&agent, limit, UnixSeconds(n)), Ok(()));
        }
        assert!(limits.agents.len() <= MAX_AGENTS && limits.agents.len() > MAX_AGENTS / 2);
    }
}
