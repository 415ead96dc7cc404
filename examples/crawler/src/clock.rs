//! The only place that reads the clock. Other code gets the time as a parameter.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tct::UnixSeconds;

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
