//! The one place that asks what time it is. Everything else takes it as a parameter.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use robots::UnixTime;
use tct::UnixSeconds;

/// The time, as the pacer takes it.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "a program has a clock")]
pub fn now() -> UnixTime {
    UnixTime::from_duration(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO))
}

/// The time in whole seconds, as `tct` takes it.
#[must_use]
pub fn seconds() -> UnixSeconds {
    UnixSeconds(now().as_duration().as_secs())
}
