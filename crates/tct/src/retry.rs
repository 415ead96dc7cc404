//! When to send the next request: `Retry-After` and the RateLimit fields.
//!
//! `Retry-After` is a number of seconds or an HTTP date. A date is read against the response's own `Date`, so that a server's
//! clock that runs ahead or behind changes nothing; without `Date` it is read against `now`. A date in the past means now. Any
//! other value is ignored, as if the field were absent. The RateLimit fields are those of the httpapi working group's draft, in
//! its present form (`RateLimit: "default";r=50;t=30`), its former one (`limit=100, remaining=50, reset=30`), and the three
//! separate fields that most servers still send. All of them are advice (TCT-AMB-39).

use http::HeaderMap;
use sfv::{BareItem, Dictionary, List, ListEntry, Parser};
use web_values::RetryAfter;

use crate::UnixSeconds;

/// The instant that `Retry-After` names, never before `now`; `None` where the field is absent or cannot be read.
///
/// ```
/// use http::{HeaderMap, header};
/// use tct::retry::retry_after;
/// use tct::UnixSeconds;
/// let mut headers = HeaderMap::new();
/// headers.insert(header::RETRY_AFTER, "120".parse().unwrap());
/// assert_eq!(retry_after(&headers, UnixSeconds(1000)), Some(UnixSeconds(1120)));
/// ```
///
/// Spec: TCT draft-00, "Error Handling"; TCT-ERR-6.
#[must_use]
pub fn retry_after(headers: &HeaderMap, now: UnixSeconds) -> Option<UnixSeconds> {
    RetryAfter::of(headers, now).map(|pause| pause.at(now))
}

/// A server's request budget for this client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RateLimit {
    /// Requests that are left.
    pub remaining: Option<u64>,
    /// Seconds until there are more.
    pub reset_secs: Option<u64>,
    /// Requests that one window allows.
    pub limit: Option<u64>,
}

impl RateLimit {
    /// The tightest budget that the fields name; `None` where there is none.
    ///
    /// ```
    /// use http::HeaderMap;
    /// use tct::retry::RateLimit;
    /// let mut headers = HeaderMap::new();
    /// headers.insert("ratelimit", "\"burst\";r=3;t=1, \"day\";r=900;t=3600".parse().unwrap());
    /// let budget = RateLimit::of(&headers).unwrap();
    /// assert_eq!((budget.remaining, budget.reset_secs), (Some(3), Some(1)));
    /// ```
    ///
    /// Spec: TCT draft-00, "Security Considerations"; TCT-SEC-3, TCT-AMB-39.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name: &str| {
            let lines: Vec<&str> =
                headers.get_all(name).iter().filter_map(|line| line.to_str().ok()).collect();
            (!lines.is_empty()).then(|| lines.join(", "))
        };
        let number = |name: &str| {
            let text = text(name)?;
            // Older servers append their policy: `100, 100;w=60`.
            let first = text.split([',', ';']).next()?.trim();
            first.parse::<u64>().ok()
        };
        let current = text("ratelimit")
            .and_then(|text| Self::parse_list(&text).or_else(|| Self::parse_dictionary(&text)));
        let mut found = current.unwrap_or_else(|| RateLimit {
            remaining: number("ratelimit-remaining"),
            reset_secs: number("ratelimit-reset"),
            limit: number("ratelimit-limit"),
        });
        if found.limit.is_none() {
            found.limit = text("ratelimit-policy").and_then(|text| Self::parse_quota(&text));
        }
        (found != RateLimit::default()).then_some(found)
    }

    /// `"name";r=50;t=30, …`: the entry with the fewest requests left.
    fn parse_list(text: &str) -> Option<Self> {
        let list: List = Parser::new(text).parse().ok()?;
        let entries = list.iter().filter_map(|entry| match entry {
            ListEntry::Item(item) => Some(RateLimit {
                remaining: unsigned(item.params.get("r")?),
                reset_secs: item.params.get("t").and_then(unsigned),
                limit: None,
            }),
            ListEntry::InnerList(_) => None,
        });
        entries.min_by_key(|entry| entry.remaining.unwrap_or(u64::MAX))
    }

    /// `limit=100, remaining=50, reset=30`.
    fn parse_dictionary(text: &str) -> Option<Self> {
        let dictionary: Dictionary = Parser::new(text).parse().ok()?;
        let number = |name: &str| match dictionary.get(name)? {
            ListEntry::Item(item) => unsigned(&item.bare_item),
            ListEntry::InnerList(_) => None,
        };
        Some(RateLimit {
            remaining: number("remaining"),
            reset_secs: number("reset"),
            limit: number("limit"),
        })
    }

    /// `"name";q=100;w=60, …`: the smallest quota.
    fn parse_quota(text: &str) -> Option<u64> {
        let list: List = Parser::new(text).parse().ok()?;
        let quotas = list.iter().filter_map(|entry| match entry {
            ListEntry::Item(item) => unsigned(item.params.get("q")?),
            ListEntry::InnerList(_) => None,
        });
        quotas.min()
    }

    /// When to send the next request: at once while requests are left, else when there are more.
    #[must_use]
    pub fn next_request_at(&self, now: UnixSeconds) -> UnixSeconds {
        match (self.remaining, self.reset_secs) {
            (Some(0), Some(reset)) => now.saturating_add(reset),
            _ => now,
        }
    }
}

fn unsigned(item: &BareItem) -> Option<u64> {
    item.as_integer().and_then(|integer| u64::try_from(i64::from(integer)).ok())
}
