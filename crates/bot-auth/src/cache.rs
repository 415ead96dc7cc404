//! How long what was fetched is held: key directories and address lists.
//!
//! ```text
//! on_read(headers, now) ─────────────┐
//! on_response(status, headers, now) ─┤
//! on_failure(now) ───────────────────┴─▶ KeyCache ── ask(is_known, now) ──▶ use | fetch | wait
//! ```
//!
//! What is held ends: a day after it ceased to be fresh, and an hour after the first 404 or 410 since it was read. A key
//! that its owner took away does not stay good for as long as its server is down.

use core::fmt;

use web_values::{CacheControl, RetryAfter, UnixSeconds};

/// Shortest time for which a directory is held, and longest pause after a failure that says nothing: a minute.
const MINUTE: u64 = 60;
/// Longest pause after a failure.
const HOUR: u64 = 60 * MINUTE;
/// Longest time for which a directory is fresh.
const DAY: u64 = 24 * HOUR;

/// How long a directory is used after it ceased to be fresh, while it cannot be fetched anew, in seconds: a day.
///
/// Spec: WBA-CACHE-2.
pub const MAX_STALE_SECS: u64 = DAY;

/// How long a directory is used after its place first answered 404 or 410, in seconds: an hour.
pub const GONE_AFTER_SECS: u64 = HOUR;

/// What a cache has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Held {
    /// Nothing.
    None,
    /// Something that may be used.
    Fresh,
    /// Something that should be fetched again, and is used as long as that fails.
    Stale,
}

/// What to do for a signature whose keys are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum CacheAction {
    /// Use what is held.
    Use,
    /// Fetch; use what is held if that fails.
    Fetch,
    /// It is too early to ask again, and nothing that is held helps: unverified.
    Wait,
}

impl Held {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Held::None => "none",
            Held::Fresh => "fresh",
            Held::Stale => "stale",
        }
    }
}

impl CacheAction {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            CacheAction::Use => "use",
            CacheAction::Fetch => "fetch",
            CacheAction::Wait => "wait",
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Held::None => "nothing is held",
            Held::Fresh => "what is held is fresh",
            Held::Stale => "what is held is stale",
        })
    }
}

impl fmt::Display for CacheAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CacheAction::Use => "use what is held",
            CacheAction::Fetch => "fetch it",
            CacheAction::Wait => "wait: it is too early to ask again",
        })
    }
}

/// The times of one directory: what is held belongs to the caller.
///
/// ```
/// use bot_auth::{CacheAction, Held, KeyCache};
/// use web_values::UnixSeconds;
///
/// let mut cache = KeyCache::default();
/// assert_eq!(cache.ask(false, UnixSeconds(0)), (Held::None, CacheAction::Fetch));
/// cache.on_read(&[("Cache-Control", b"max-age=600".as_slice())], UnixSeconds(0));
/// assert_eq!(cache.ask(true, UnixSeconds(599)), (Held::Fresh, CacheAction::Use));
/// assert_eq!(cache.ask(true, UnixSeconds(600)), (Held::Stale, CacheAction::Fetch));
/// cache.on_failure(UnixSeconds(87_000));
/// assert_eq!(cache.ask(true, UnixSeconds(87_000)), (Held::None, CacheAction::Wait));
/// ```
///
/// Spec: WBA-CACHE-1 to WBA-CACHE-4; JAFAR-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct KeyCache {
    held: Option<Times>,
    /// Nothing is asked before this.
    paused_until: UnixSeconds,
    max_stale_secs: u64,
    gone_after_secs: u64,
}

/// The times of what is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct Times {
    fresh_until: UnixSeconds,
    /// From when on an unknown key may be asked for.
    next_unknown: UnixSeconds,
    ends_at: UnixSeconds,
}

impl Default for KeyCache {
    /// Nothing is held; what comes ends after [`MAX_STALE_SECS`] and [`GONE_AFTER_SECS`].
    fn default() -> Self {
        KeyCache {
            held: None,
            paused_until: UnixSeconds(0),
            max_stale_secs: MAX_STALE_SECS,
            gone_after_secs: GONE_AFTER_SECS,
        }
    }
}

impl KeyCache {
    /// Sets how long what is held is used after it ceased to be fresh, and after its place first answered 404 or 410, in
    /// seconds. Longer times trust keys that their owner may have taken away.
    #[must_use]
    pub fn ends_after(self, max_stale_secs: u64, gone_after_secs: u64) -> Self {
        KeyCache { max_stale_secs, gone_after_secs, ..self }
    }

    /// A response came that was read as a directory: it replaces what is held.
    pub fn on_read(&mut self, headers: &[(&str, &[u8])], now: UnixSeconds) {
        let fresh_until = now.saturating_add(lifetime_secs(headers).clamp(MINUTE, DAY));
        self.held = Some(Times {
            fresh_until,
            next_unknown: now.saturating_add(MINUTE),
            ends_at: fresh_until.saturating_add(self.max_stale_secs),
        });
        self.paused_until = UnixSeconds(0);
    }

    /// A response came that is not a directory, whatever its status: a 200 that cannot be read is held no more than a
    /// 500. It evicts nothing by itself; a 404 or 410 brings the end of what is held nearer.
    pub fn on_response(&mut self, status: u16, headers: &[(&str, &[u8])], now: UnixSeconds) {
        let pause = retry_after_secs(headers, now).map_or(MINUTE, |secs| secs.clamp(MINUTE, HOUR));
        self.paused_until = now.saturating_add(pause);
        if let (404 | 410, Some(held)) = (status, &mut self.held) {
            held.ends_at = held.ends_at.min(now.saturating_add(self.gone_after_secs));
        }
    }

    /// No response came.
    pub fn on_failure(&mut self, now: UnixSeconds) {
        self.paused_until = now.saturating_add(MINUTE);
    }

    /// What to do now for a key that is, or is not, among those held.
    pub fn ask(&self, is_known: bool, now: UnixSeconds) -> (Held, CacheAction) {
        let is_paused = now < self.paused_until;
        let ask_or_wait = |is_early: bool| if is_early { CacheAction::Wait } else { CacheAction::Fetch };
        let Some(Times { fresh_until, next_unknown, .. }) = self.held.filter(|held| now < held.ends_at)
        else {
            return (Held::None, ask_or_wait(is_paused));
        };
        let held = if now < fresh_until { Held::Fresh } else { Held::Stale };
        let action = match (held, is_known) {
            (Held::Fresh, true) => CacheAction::Use,
            (Held::Fresh, false) => ask_or_wait(is_paused || now < next_unknown),
            (_, true) if is_paused => CacheAction::Use,
            _ => ask_or_wait(is_paused),
        };
        (held, action)
    }
}

/// Spec: WBA-CACHE-1.
fn lifetime_secs(headers: &[(&str, &[u8])]) -> u64 {
    let control = CacheControl::parse(values(headers, "cache-control"));
    if control.no_store || control.no_cache {
        return 0;
    }
    let last = |name| values(headers, name).last();
    if let Some(max_age) = control.max_age_secs {
        return max_age.saturating_sub(age_secs(headers));
    }
    let date = |name| last(name).and_then(|text| UnixSeconds::parse_http_date(text, UnixSeconds(0)));
    match (values(headers, "expires").next(), date("expires"), date("date")) {
        (None, _, _) => HOUR,
        (_, Some(expires), Some(date)) => expires.seconds_since(date),
        // An `Expires` that cannot be read has passed; one without `Date` cannot be placed.
        (_, None, _) => 0,
        (_, Some(_), None) => HOUR,
    }
}

/// `Age`: the first member of all counts. One that is not a number is passed over, one that is too large to hold is the
/// oldest there is. Spec: RFC 9111, 5.1 and 1.2.2.
fn age_secs(headers: &[(&str, &[u8])]) -> u64 {
    let first = values(headers, "age").next().and_then(|line| line.split(',').next());
    let digits = first.map(str::trim).filter(|age| age.bytes().all(|byte| byte.is_ascii_digit()));
    digits.filter(|age| !age.is_empty()).map_or(0, |age| age.parse().unwrap_or(u64::MAX))
}

fn retry_after_secs(headers: &[(&str, &[u8])], now: UnixSeconds) -> Option<u64> {
    let date = values(headers, "date").next();
    RetryAfter::parse(values(headers, "retry-after"), date, now).map(RetryAfter::secs)
}

fn values<'a>(headers: &[(&str, &'a [u8])], name: &'static str) -> impl Iterator<Item = &'a str> {
    let lines: Vec<&'a [u8]> =
        headers.iter().filter(|line| line.0.eq_ignore_ascii_case(name)).map(|line| line.1).collect();
    lines.into_iter().filter_map(|value| core::str::from_utf8(value).ok())
}
