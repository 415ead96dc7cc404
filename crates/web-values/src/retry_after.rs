//! `Retry-After`: how long a server asks to be left alone.

use core::fmt;
use core::time::Duration;

use crate::UnixSeconds;

/// The pause that the `Retry-After` fields of a response ask for, in seconds from its arrival.
///
/// A field is a number of seconds in digits, or an HTTP date. A date counts from the response's own `Date`, so that
/// a wrong clock on either side does not change the pause, and from `now` if `Date` is absent or cannot be read; a
/// past one asks for a pause of zero. Fields that cannot be read (`-5`, `1.5`, `soon`) are ignored; of several the
/// longest counts. A number that does not fit into 64 bits becomes `u64::MAX`: cap it with your own limit.
///
/// ```
/// use web_values::{RetryAfter, UnixSeconds};
///
/// let now = UnixSeconds(784_111_777);
/// let pause = |field| RetryAfter::parse([field], None, now).map(|pause| pause.secs());
/// assert_eq!(pause("120"), Some(120));
/// assert_eq!(pause("Sun, 06 Nov 1994 08:50:00 GMT"), Some(23));
/// assert_eq!(pause("1.5"), None);
///
/// // The server's clock is an hour ahead of ours; it still asks for a minute.
/// let date = Some("Sun, 06 Nov 1994 09:49:37 GMT");
/// let pause = RetryAfter::parse(["Sun, 06 Nov 1994 09:50:37 GMT"], date, now).unwrap();
/// assert_eq!((pause.secs(), pause.at(now)), (60, UnixSeconds(784_111_837)));
/// ```
///
/// Spec: RFC 9110, "Retry-After".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[must_use]
pub struct RetryAfter {
    secs: u64,
}

impl RetryAfter {
    /// A pause of that many seconds.
    pub const fn from_secs(secs: u64) -> Self {
        RetryAfter { secs }
    }

    /// Reads the values of the `Retry-After` fields and of the `Date` field of one response; `None` if no
    /// `Retry-After` can be read.
    #[must_use]
    pub fn parse<'v>(
        fields: impl IntoIterator<Item = &'v str>,
        date: Option<&str>,
        now: UnixSeconds,
    ) -> Option<Self> {
        let origin = date.and_then(|date| UnixSeconds::parse_http_date(date, now)).unwrap_or(now);
        let fields = fields.into_iter().map(|field| field.trim_matches([' ', '\t']));
        fields.filter_map(|field| read(field, origin)).max().map(RetryAfter::from_secs)
    }

    /// Reads `Retry-After` and `Date` of a response's headers.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn of(headers: &http::HeaderMap, now: UnixSeconds) -> Option<Self> {
        let fields =
            headers.get_all(http::header::RETRY_AFTER).iter().filter_map(|value| value.to_str().ok());
        let date = headers.get(http::header::DATE).and_then(|value| value.to_str().ok());
        RetryAfter::parse(fields, date, now)
    }

    /// The pause in seconds.
    #[must_use]
    pub const fn secs(self) -> u64 {
        self.secs
    }

    /// The pause as a span.
    #[must_use]
    pub const fn as_duration(self) -> Duration {
        Duration::from_secs(self.secs)
    }

    /// The instant at which the pause ends, for a response that arrived at `now`.
    #[must_use]
    pub const fn at(self, now: UnixSeconds) -> UnixSeconds {
        now.saturating_add(self.secs)
    }

    /// The pause, but at most `secs` seconds.
    pub const fn at_most(self, secs: u64) -> Self {
        if self.secs > secs { RetryAfter { secs } } else { self }
    }
}

impl fmt::Display for RetryAfter {
    /// Writes the seconds in digits, which is a valid field value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.secs.fmt(f)
    }
}

fn read(field: &str, origin: UnixSeconds) -> Option<u64> {
    if !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit()) {
        // All digits: the only way to fail is to be too large.
        return Some(field.parse().unwrap_or(u64::MAX));
    }
    UnixSeconds::parse_http_date(field, origin).map(|date| date.seconds_since(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixSeconds = UnixSeconds(784_111_777);

    #[test]
    fn forms_of_the_field() {
        let secs =
            |fields: &[&str]| RetryAfter::parse(fields.iter().copied(), None, NOW).map(RetryAfter::secs);
        for (field, expected) in [
            ("0", Some(0)),
            ("60", Some(60)),
            (" 60\t", Some(60)),
            ("007", Some(7)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", Some(60)),
            ("Sun Nov  6 08:50:37 1994", Some(60)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("-5", None),
            ("+5", None),
            ("1.5", None),
            ("soon", None),
            ("", None),
            ("5s", None),
            ("1 2", None),
        ] {
            assert_eq!(secs(&[field]), expected, "{field}");
        }
        assert_eq!(secs(&["5", "Sun, 06 Nov 1994 08:50:37 GMT", "x"]), Some(60), "the longest counts");
        assert_eq!(secs(&[]), None);
    }

    #[test]
    fn a_date_counts_from_the_date_of_its_response() {
        let now = NOW.saturating_add(3600);
        let pause =
            |date| RetryAfter::parse(["Sun, 06 Nov 1994 08:50:37 GMT"], date, now).map(RetryAfter::secs);
        assert_eq!(pause(Some("Sun, 06 Nov 1994 08:49:37 GMT")), Some(60));
        assert_eq!(pause(Some("yesterday")), Some(0));
        assert_eq!(pause(None), Some(0));
        assert_eq!(RetryAfter::from_secs(u64::MAX).at_most(9).at(UnixSeconds(1)), UnixSeconds(10));
        assert_eq!(RetryAfter::from_secs(u64::MAX).at(UnixSeconds(1)), UnixSeconds(u64::MAX));
    }

    #[cfg(feature = "http")]
    #[test]
    fn header_maps() {
        use http::{HeaderMap, HeaderValue, header};
        let mut headers = HeaderMap::new();
        assert_eq!(RetryAfter::of(&headers, NOW), None);
        headers.append(header::RETRY_AFTER, HeaderValue::from_static("Sun, 06 Nov 1994 09:50:37 GMT"));
        headers.append(header::RETRY_AFTER, HeaderValue::from_bytes(b"\xff").unwrap());
        headers.insert(header::DATE, HeaderValue::from_static("Sun, 06 Nov 1994 09:49:37 GMT"));
        assert_eq!(RetryAfter::of(&headers, NOW), Some(RetryAfter::from_secs(60)));
    }
}
