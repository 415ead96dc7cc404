//! The only place that reads the clock. Other code gets the time as a parameter.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tct::UnixSeconds;

/// The longest time that a host or a task waits, in seconds: a week. A host that demands more is asked again then.
pub const LONGEST_WAIT: u64 = 7 * 86_400;

/// Whether a stored time is still to be waited for. One that is further ahead than anything waits was stored under a clock
/// that ran ahead.
#[must_use]
pub const fn is_to_come(until: u64, now: u64) -> bool {
    matches!(until.saturating_sub(now), 1..=LONGEST_WAIT)
}

/// The time since 1970, with its fraction: what the pacer takes.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "a program has a clock")]
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

/// The time in whole seconds, as `tct` takes it.
#[must_use]
pub fn seconds() -> UnixSeconds {
    UnixSeconds(now().as_secs())
}

/// The time in whole seconds, as `robots` takes it.
#[must_use]
pub fn instant() -> robots::UnixSeconds {
    robots::UnixSeconds(now().as_secs())
}
