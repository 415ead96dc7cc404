//! Points in time in whole seconds, and the calendar behind their texts.

use core::fmt;
use core::time::Duration;

/// A point in time: whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// The libraries have no clock: a function whose answer depends on the time takes `now: UnixSeconds`, last in its
/// list. Prints as RFC 3339 in UTC; [`to_http_date`](Self::to_http_date) gives the form of HTTP fields. With the
/// feature `serde` it is a plain number.
///
/// ```
/// use web_values::UnixSeconds;
///
/// let at = UnixSeconds(1_761_031_680);
/// assert_eq!(at.to_string(), "2025-10-21T07:28:00Z");
/// assert_eq!(at.to_http_date(), "Tue, 21 Oct 2025 07:28:00 GMT");
/// assert_eq!(UnixSeconds::parse_rfc3339("2025-10-21T09:28:00+02:00"), Some(at));
/// assert_eq!(at.saturating_add(60).seconds_since(at), 60);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct UnixSeconds(pub u64);

/// The last second that a four-digit year can name: 9999-12-31T23:59:59Z.
const LAST: u64 = 253_402_300_799;

impl UnixSeconds {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: UnixSeconds = UnixSeconds(0);

    /// The instant `seconds` later; the largest value if the sum overflows.
    #[must_use]
    pub const fn saturating_add(self, seconds: u64) -> Self {
        UnixSeconds(self.0.saturating_add(seconds))
    }

    /// The instant `seconds` earlier; 1970 if that would be before it.
    #[must_use]
    pub const fn saturating_sub(self, seconds: u64) -> Self {
        UnixSeconds(self.0.saturating_sub(seconds))
    }

    /// The first whole second at least `span` later; a started second counts as a whole one.
    #[must_use]
    pub const fn after(self, span: Duration) -> Self {
        let started = if span.subsec_nanos() > 0 { 1 } else { 0 };
        UnixSeconds(self.0.saturating_add(span.as_secs()).saturating_add(started))
    }

    /// Seconds from `earlier` to this instant; 0 if `earlier` is later.
    #[must_use]
    pub const fn seconds_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The span from `earlier` to this instant; zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_secs(self.seconds_since(earlier))
    }

    /// The instant that an RFC 3339 text names, without its fraction; `None` if the text is not RFC 3339, has no
    /// offset, or names a time before 1970.
    ///
    /// [`Timestamp::parse`](crate::Timestamp::parse) says what is wrong, and keeps fraction and offset.
    #[must_use]
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        crate::Timestamp::parse(text).ok()?.to_unix_seconds()
    }

    /// The instant of a system clock; times before 1970 become 1970, fractions of a second are cut.
    ///
    /// ```
    /// # use web_values::UnixSeconds;
    /// # use std::time::{Duration, UNIX_EPOCH};
    /// assert_eq!(UnixSeconds::from(UNIX_EPOCH + Duration::from_millis(1_900)), UnixSeconds(1));
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn from_system_time(time: std::time::SystemTime) -> Self {
        UnixSeconds(time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs())
    }

    /// The instant as a system time; `None` if the platform cannot hold it.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn to_system_time(self) -> Option<std::time::SystemTime> {
        std::time::UNIX_EPOCH.checked_add(Duration::from_secs(self.0))
    }
}

#[cfg(feature = "std")]
impl From<std::time::SystemTime> for UnixSeconds {
    fn from(time: std::time::SystemTime) -> Self {
        UnixSeconds::from_system_time(time)
    }
}

impl fmt::Display for UnixSeconds {
    /// Writes RFC 3339 in UTC; instants after the year 9999 are written as its last second.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, hour, minute, second } = Civil::of(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// A date and time of the Gregorian calendar in UTC, in the years 1970 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: u64,
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

impl Civil {
    /// The date and time of an instant; the last second of 9999 for later ones.
    pub(crate) fn of(seconds: u64) -> Self {
        let seconds = seconds.min(LAST);
        let (days, in_day) = (seconds / 86_400, seconds % 86_400);
        // Days are counted from 0000-03-01, so that the leap day is the last day of its year.
        let days = days + DAYS_TO_1970;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        Civil { year, month, day, hour: in_day / 3_600, minute: in_day / 60 % 60, second: in_day % 60 }
    }
}

/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: u64 = 719_468;

/// Days from 1970-01-01 to a date of the Gregorian calendar; negative for earlier dates. `None` if the date does not
/// exist.
pub(crate) fn days_since_1970(year: u32, month: u32, day: u32) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    let (year, month) = (i64::from(year), i64::from(month));
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (month * 153 + 2) / 5
        + i64::from(day)
        - 1;
    Some(days - 719_468)
}

fn days_in_month(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn sums_and_differences_stop_at_the_ends() {
        assert_eq!(UnixSeconds(u64::MAX).saturating_add(1), UnixSeconds(u64::MAX));
        assert_eq!(UnixSeconds(5).saturating_sub(6), UnixSeconds::EPOCH);
        assert_eq!(UnixSeconds(5).seconds_since(UnixSeconds(6)), 0);
        assert_eq!(UnixSeconds(6).since(UnixSeconds(4)), Duration::from_secs(2));
        assert_eq!(UnixSeconds(6).after(Duration::from_millis(1)), UnixSeconds(7));
        assert_eq!(UnixSeconds(6).after(Duration::ZERO), UnixSeconds(6));
        assert_eq!(UnixSeconds(6).after(Duration::MAX), UnixSeconds(u64::MAX));
    }

    #[test]
    fn texts_of_instants() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_825_600, "2000-02-29T12:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
            (u64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(UnixSeconds(seconds).to_string(), text);
        }
    }

    #[test]
    fn dates_that_do_not_exist() {
        for (year, month, day) in
            [(2023, 2, 29), (1900, 2, 29), (2024, 0, 1), (2024, 13, 1), (2024, 4, 31), (2024, 1, 0)]
        {
            assert_eq!(days_since_1970(year, month, day), None, "{year}-{month}-{day}");
        }
        assert_eq!(days_since_1970(1970, 1, 1), Some(0));
        assert_eq!(days_since_1970(1969, 12, 31), Some(-1));
        assert_eq!(days_since_1970(0, 2, 29), Some(-719_469));
    }

    #[cfg(feature = "std")]
    #[test]
    fn system_times() {
        use std::time::UNIX_EPOCH;
        assert_eq!(UnixSeconds::from(UNIX_EPOCH - Duration::from_secs(5)), UnixSeconds(0));
        assert_eq!(UnixSeconds(7).to_system_time(), Some(UNIX_EPOCH + Duration::from_secs(7)));
        assert_eq!(UnixSeconds(u64::MAX).to_system_time(), None);
    }
}
