//! `Retry-After`: how long a host asks to be left alone.

use core::time::Duration;

use crate::time::UnixTime;

/// The pause that the `Retry-After` fields of a response ask for, counted from the response.
///
/// A field is a number of seconds in digits, or a date in any form of HTTP. A date counts from the response's own
/// `Date` where that can be read, else from `now`; a past one asks for nothing, which is a pause of zero. Fields
/// that cannot be read (`-5`, `1.5`, `soon`) are as good as absent; of several the longest counts. The value is never
/// capped: a number past 64 bits is the largest there. `None` where no field can be read.
///
/// ```
/// use robots::{UnixTime, retry_after};
/// use std::time::Duration;
///
/// let now = UnixTime::from_secs(784_111_777);
/// assert_eq!(retry_after(["120"], None, now), Some(Duration::from_secs(120)));
/// assert_eq!(retry_after(["Sun, 06 Nov 1994 08:50:00 GMT"], None, now), Some(Duration::from_secs(23)));
/// assert_eq!(retry_after(["1.5"], None, now), None);
/// ```
///
/// Spec: RFC 9110, "Retry-After"; AIWI-BOT-11, AIWI-BOT-12, AIWI-AMB-36, TCT-ERR-6.
#[must_use]
pub fn retry_after<'v>(
    fields: impl IntoIterator<Item = &'v str>,
    date: Option<&str>,
    now: UnixTime,
) -> Option<Duration> {
    let origin = date.and_then(|date| UnixTime::from_http_date(date, now)).unwrap_or(now);
    fields.into_iter().filter_map(|field| read(field.trim_ascii(), origin)).max()
}

fn read(field: &str, origin: UnixTime) -> Option<Duration> {
    if field.is_empty() {
        return None;
    }
    if field.bytes().all(|b| b.is_ascii_digit()) {
        // All digits: the only way to fail is to be too large.
        return Some(Duration::from_secs(field.parse().unwrap_or(u64::MAX)));
    }
    UnixTime::from_http_date(field, origin).map(|date| date.since(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_the_field() {
        let now = UnixTime::from_secs(784_111_777);
        let secs =
            |fields: &[&str]| retry_after(fields.iter().copied(), None, now).map(|pause| pause.as_secs());
        for (field, expected) in [
            ("0", Some(0)),
            ("60", Some(60)),
            (" 60 ", Some(60)),
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
        ] {
            assert_eq!(secs(&[field]), expected, "{field}");
        }
        assert_eq!(secs(&["5", "Sun, 06 Nov 1994 08:50:37 GMT", "x"]), Some(60), "the longest counts");
        assert_eq!(secs(&[]), None);
    }

    #[test]
    fn a_date_counts_from_the_response_s_own() {
        let now = UnixTime::from_secs(784_111_777 + 3600);
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        let pause = retry_after(["Sun, 06 Nov 1994 08:50:37 GMT"], date, now);
        assert_eq!(pause, Some(Duration::from_secs(60)));
        let pause = retry_after(["Sun, 06 Nov 1994 08:50:37 GMT"], Some("yesterday"), now);
        assert_eq!(pause, Some(Duration::ZERO));
    }
}
