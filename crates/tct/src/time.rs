//! Instants as plain numbers, and their forms in HTTP fields and in JSON.
//!
//! The library has no clock. A call whose answer depends on the time takes `now`, last in the list.
//!
//! HTTP dates are read in their three forms (IMF-fixdate, RFC 850, asctime) and written as IMF-fixdate. A weekday
//! that contradicts the date is ignored when reading: the draft's own example has one.

use http::HeaderValue;
use web_values::Timestamp;
pub use web_values::UnixSeconds;

/// Two-digit years of RFC 850 dates are resolved relative to this date (2026-01-01) instead of a clock, so the same
/// text is the same instant everywhere.
const SEEN_FROM: UnixSeconds = UnixSeconds(1_767_225_600);

/// The instant that an HTTP date names, or `None` where the text is not an HTTP date.
///
/// The weekday's name is not compared with the date.
///
/// ```
/// use tct::UnixSeconds;
/// use tct::time::parse_http_date;
/// let right = parse_http_date("Tue, 21 Oct 2025 07:28:00 GMT");
/// let wrong_weekday = parse_http_date("Wed, 21 Oct 2025 07:28:00 GMT");
/// assert_eq!(right, Some(UnixSeconds(1_761_031_680)));
/// assert_eq!(wrong_weekday, right);
/// assert_eq!(parse_http_date("yesterday"), None);
/// ```
///
/// Spec: TCT draft-00, "304 Not Modified Response"; TCT-AMB-48.
#[must_use]
pub fn parse_http_date(text: &str) -> Option<UnixSeconds> {
    UnixSeconds::parse_http_date(text.trim_matches([' ', '\t']), SEEN_FROM)
}

/// The instant in IMF-fixdate form, as `Last-Modified` carries it. Instants past the year 9999 become its end.
pub(crate) fn http_date(at: UnixSeconds) -> HeaderValue {
    at.http_date().into()
}

/// Whether a text is an RFC 3339 timestamp, such as `2025-10-01T12:34:56Z`; a space may stand for the `T`.
///
/// Spec: TCT draft-00, "JSON Sitemap"; TCT-SM-6.
pub(crate) fn is_rfc3339(text: &str) -> bool {
    match text.split_once(' ') {
        None => Timestamp::parse(text).is_ok(),
        Some((date, time)) => date.len() == 10 && Timestamp::parse(&format!("{date}T{time}")).is_ok(),
    }
}
