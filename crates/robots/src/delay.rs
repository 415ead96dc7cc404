//! `Crawl-delay`: a number of seconds, which RFC 9309 does not define but many files have.

use core::fmt;
use core::time::Duration;

/// A crawl delay as written: a non-negative decimal number of seconds.
///
/// Pacing uses the longer of its own minimum and this, up to the caller's cap; see
/// [`PacingOptions`](crate::PacingOptions).
///
/// Spec: AIWI-BOT-10, AIWI-AMB-35.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct CrawlDelay(Duration);

impl CrawlDelay {
    /// Reads digits with at most one decimal point, such as `10`, `0.5` or `.5`. Signs, exponents, units and other
    /// text are `None`. Digits past the ninth decimal place are dropped; a number that does not fit into 64 bits
    /// becomes `u64::MAX`.
    #[must_use]
    pub fn read(value: &[u8]) -> Option<Self> {
        let point = value.iter().position(|b| *b == b'.').unwrap_or(value.len());
        let (whole, fraction) = value.split_at_checked(point)?;
        let fraction = fraction.strip_prefix(b".").unwrap_or(fraction);
        let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
        if (whole.is_empty() && fraction.is_empty()) || !digits(whole) || !digits(fraction) {
            return None;
        }
        let value = |b: &u8| u64::from(b.wrapping_sub(b'0'));
        let secs = whole.iter().fold(0u64, |n, b| n.saturating_mul(10).saturating_add(value(b)));
        let nanos = fraction.iter().chain(core::iter::repeat(&b'0')).take(9);
        let nanos = nanos.fold(0u64, |n, b| n * 10 + value(b));
        Some(CrawlDelay(Duration::from_secs(secs).saturating_add(Duration::from_nanos(nanos))))
    }

    /// The delay.
    #[must_use]
    pub const fn as_duration(self) -> Duration {
        self.0
    }

    /// The delay in seconds.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0.as_secs_f64()
    }
}

impl From<Duration> for CrawlDelay {
    fn from(delay: Duration) -> Self {
        CrawlDelay(delay)
    }
}

impl fmt::Display for CrawlDelay {
    /// Writes the number that [`CrawlDelay::read`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        let mut nanos = self.0.subsec_nanos();
        let mut width = 9;
        while nanos != 0 && nanos.is_multiple_of(10) {
            (nanos, width) = (nanos / 10, width - 1);
        }
        if nanos == 0 { Ok(()) } else { write!(f, ".{nanos:0width$}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn numbers_as_written() {
        for (value, expected) in [
            ("0", Some("0")),
            ("0.5", Some("0.5")),
            ("10", Some("10")),
            ("86400", Some("86400")),
            (".25", Some("0.25")),
            ("5.", Some("5")),
            ("007", Some("7")),
            ("1.0000000009", Some("1")),
            ("99999999999999999999999", Some("18446744073709551615")),
            ("", None),
            (".", None),
            ("-1", None),
            ("+1", None),
            ("1e3", None),
            ("10s", None),
            ("1,5", None),
            ("1.2.3", None),
            ("soon", None),
            ("NaN", None),
            ("inf", None),
        ] {
            let read = CrawlDelay::read(value.as_bytes()).map(|delay| delay.to_string());
            assert_eq!(read.as_deref(), expected, "{value:?}");
        }
    }
}
