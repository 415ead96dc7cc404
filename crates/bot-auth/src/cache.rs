//! How long fetched key directories and address lists are used.
//!
//! ```text
//! on_read(headers, now) ─────────────┐
//! on_response(status, headers, now) ─┤
//! on_failure(now) ───────────────────┴─▶ KeyCache ── ask(is_known, now) ──▶ use | fetch | wait
//! ```
//!
//! A held copy expires a day after it became stale, and an hour after the first 404 or 410 since it was read. So a key
//! that its owner withdrew does not stay valid while the server is down.
//!
//! What was set by a clock that ran ahead is void once the clock is right: nothing is held then, and nothing waits.

use core::fmt;

use web_values::{CacheControl, RetryAfter, UnixSeconds};

/// Shortest time for which a directory is fresh, and the pause after a failure without further information: a
/// minute. Also how far a clock may go back, or the clocks of two threads may differ, with no effect.
pub(crate) const MINUTE: u64 = 60;
/// Longest pause after a failure.
pub(crate) const HOUR: u64 = 60 * MINUTE;
/// Longest time for which a directory is fresh.
const DAY: u64 = 24 * HOUR;

/// How long a directory is used after it ceased to be fresh, while it cannot be fetched anew, in seconds: a day.
///
/// Spec: WBA-CACHE-2.
pub const MAX_STALE_SECS: u64 = DAY;

/// How long a directory is used after its place first answered 404 or 410, in seconds: an hour.
pub const GONE_AFTER_SECS: u64 = HOUR;

/// The state of a cached copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Held {
    /// Nothing.
    None,
    /// A copy that may be used.
    Fresh,
    /// A copy that should be fetched again, and is used while that fails.
    Stale,
}

/// What to do for a signature that needs these keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum CacheAction {
    /// Use the held copy.
    Use,
    /// Fetch; use the held copy if that fails.
    Fetch,
    /// It is too early to fetch again, and the held copy does not have the key: unverified.
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

/// The times of one directory; the caller stores the directory itself.
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
    /// No fetch before its end.
    pause: Option<Pause>,
    max_stale_secs: u64,
    gone_after_secs: u64,
}

/// The times of what is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct Times {
    read_at: UnixSeconds,
    fresh_until: UnixSeconds,
    ends_at: UnixSeconds,
}

/// The time after a fetch that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct Pause {
    since: UnixSeconds,
    until: UnixSeconds,
}

impl Default for KeyCache {
    /// Nothing is held; copies expire after [`MAX_STALE_SECS`] and [`GONE_AFTER_SECS`].
    fn default() -> Self {
        KeyCache { held: None, pause: None, max_stale_secs: MAX_STALE_SECS, gone_after_secs: GONE_AFTER_SECS }
    }
}

impl KeyCache {
    /// Sets how long a copy is used after it became stale, and after its URL first answered 404 or 410, in seconds.
    /// Longer times trust keys that their owner may have withdrawn.
    #[must_use]
    pub fn ends_after(self, max_stale_secs: u64, gone_after_secs: u64) -> Self {
        KeyCache { max_stale_secs, gone_after_secs, ..self }
    }

    /// Call this for a response that is a directory: it replaces the held copy.
    pub fn on_read(&mut self, headers: &[(&str, &[u8])], now: UnixSeconds) {
        let fresh_until = now.saturating_add(lifetime_secs(headers).clamp(MINUTE, DAY));
        self.held = Some(Times {
            read_at: now,
            fresh_until,
            ends_at: fresh_until.saturating_add(self.max_stale_secs),
        });
        self.pause = None;
    }

    /// Call this for a response that is not a directory, whatever its status: an unreadable 200 counts like a 500.
    /// It does not evict the held copy; a 404 or 410 shortens its time.
    pub fn on_response(&mut self, status: u16, headers: &[(&str, &[u8])], now: UnixSeconds) {
        let pause = retry_after_secs(headers, now).map_or(MINUTE, |secs| secs.clamp(MINUTE, HOUR));
        self.pause = Some(Pause { since: now, until: now.saturating_add(pause) });
        if let (404 | 410, Some(held)) = (status, &mut self.held) {
            held.ends_at = held.ends_at.min(now.saturating_add(self.gone_after_secs));
        }
    }

    /// No response came.
    pub fn on_failure(&mut self, now: UnixSeconds) {
        self.pause = Some(Pause { since: now, until: now.saturating_add(MINUTE) });
    }

    /// What to do now for a key that is, or is not, in the held copy.
    pub fn ask(&self, is_known: bool, now: UnixSeconds) -> (Held, CacheAction) {
        let is_past = |time: UnixSeconds| time.seconds_since(now) <= MINUTE;
        let is_paused = self.pause.is_some_and(|pause| now < pause.until && is_past(pause.since));
        let ask_or_wait = |is_early: bool| if is_early { CacheAction::Wait } else { CacheAction::Fetch };
        let is_held = |held: &Times| now < held.ends_at && is_past(held.read_at);
        let Some(Times { read_at, fresh_until, .. }) = self.held.filter(is_held) else {
            return (Held::None, ask_or_wait(is_paused));
        };
        let held = if now < fresh_until { Held::Fresh } else { Held::Stale };
        let action = match (held, is_known) {
            (Held::Fresh, true) => CacheAction::Use,
            (Held::Fresh, false) => ask_or_wait(is_paused || now < read_at.saturating_add(MINUTE)),
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

/// `Age`: the first member of all counts. A member that is not a number is skipped, one that does not fit counts as the
/// maximum. Spec: RFC 9111, 5.1 and 1.2.2.
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
