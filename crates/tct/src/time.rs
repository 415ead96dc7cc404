//! Instants as plain numbers, and their forms in HTTP fields and in JSON.
//!
//! The library has no clock. A call whose answer depends on the time takes `now`, last in the list.
//!
//! HTTP dates are read in their three forms (IMF-fixdate, RFC 850, asctime) and written as IMF-fixdate. A weekday
//! that contradicts the date is ignored when reading: the draft's own example has one.

use http::HeaderValue;
pub use web_values::UnixSeconds;

/// Two-digit years of RFC 850 dates are read as seen from here (2026-01-01): no clock, so the same text is the same
/// instant everywhere.
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
///
/// ```
/// # use tct::{UnixSeconds, time::http_date};
/// assert_eq!(http_date(UnixSeconds(1_761_031_680)), "Tue, 21 Oct 2025 07:28:00 GMT");
/// ```
#[must_use]
pub fn http_date(at: UnixSeconds) -> HeaderValue {
    at.http_date().into()
}

/// Whether a text is an RFC 3339 timestamp, such as `2025-10-01T12:34:56Z`.
///
/// ```
/// use tct::time::is_rfc3339;
/// assert!(is_rfc3339("2025-10-01T12:34:56.789+02:00"));
/// assert!(!is_rfc3339("2025-10-01"));
/// assert!(!is_rfc3339("2025-02-30T00:00:00Z"));
/// ```
///
/// Spec: TCT draft-00, "JSON Sitemap"; TCT-SM-6.
#[must_use]
pub fn is_rfc3339(text: &str) -> bool {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u32>().ok())?
    };
    let has = |at: usize, allowed: &str| text.get(at..at + 1).is_some_and(|found| allowed.contains(found));
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return false;
    };
    let (Some(hour), Some(minute), Some(second)) = (number(11, 13), number(14, 16), number(17, 19)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    let is_shaped = has(4, "-") && has(7, "-") && has(10, "Tt ") && has(13, ":") && has(16, ":");
    // 60 is a leap second.
    let is_in_range = (1..=days).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    let mut zone = text.get(19..).unwrap_or_default();
    if let Some(fraction) = zone.strip_prefix('.') {
        zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if zone.len() == fraction.len() {
            return false;
        }
    }
    let is_zone = match zone.as_bytes() {
        b"Z" | b"z" => true,
        [b'+' | b'-', hours @ .., b':', tens, ones] => {
            let two = |digits: &[u8], limit: &[u8]| {
                matches!(digits, [a, b] if a.is_ascii_digit() && b.is_ascii_digit()) && digits < limit
            };
            two(hours, b"24") && two(&[*tens, *ones], b"60")
        }
        _ => false,
    };
    is_shaped && is_in_range && is_zone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_name_one_instant() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Mon Nov  6 08:49:37 1994",
            "Friday, 06-Nov-94 08:49:37 GMT",
        ] {
            assert_eq!(parse_http_date(text), Some(UnixSeconds(784_111_777)), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            ",",
            "Sun",
            "Xyz, 06 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994",
        ] {
            assert_eq!(parse_http_date(text), None, "{text}");
        }
    }

    #[test]
    fn the_far_future_is_written_as_the_end_of_9999() {
        assert_eq!(http_date(UnixSeconds(u64::MAX)), "Fri, 31 Dec 9999 23:59:59 GMT");
    }

    /// Every day of a century and more, with 2000 and 2100, as a calendar that counts days has it, and no other.
    #[test]
    fn the_days_of_a_timestamp_are_those_of_the_calendar() {
        let mut days = std::collections::BTreeSet::new();
        for day in 0..136 * 366 {
            let date = UnixSeconds(day * 86_400).http_date().to_string();
            // `Tue, 21 Oct 2025 …`
            let (day, month, year) = (&date[5..7], &date[8..11], &date[12..16]);
            let months = "JanFebMarAprMayJunJulAugSepOctNovDec";
            let month = months.find(month).map_or(0, |at| at / 3 + 1);
            days.insert(format!("{year}-{month:02}-{day}"));
        }
        for year in 1970..2105 {
            for month in 0..14 {
                for day in 0..33 {
                    let date = format!("{year}-{month:02}-{day:02}");
                    assert_eq!(is_rfc3339(&format!("{date}T00:00:00Z")), days.contains(&date), "{date}");
                }
            }
        }
    }

    /// Each byte of a timestamp in turn becomes each other one; of numbers those in their range remain.
    #[test]
    fn every_byte_of_a_timestamp_counts() {
        let text = "2025-10-21T12:34:56.78+05:30";
        let in_range = |at: usize, byte: u8| match at {
            // Years, the last digit of minutes, seconds and days, and those of a fraction.
            0..=3 | 9 | 15 | 18 | 20 | 21 | 27 => byte.is_ascii_digit(),
            4 | 7 => byte == b'-',
            // October may become November and December; there is no 00, 21 or 31.
            5 => byte == b'1',
            6 => matches!(byte, b'0'..=b'2'),
            8 => matches!(byte, b'0'..=b'3'),
            10 => matches!(byte, b'T' | b't' | b' '),
            11 => matches!(byte, b'0'..=b'2'),
            12 => byte.is_ascii_digit(),
            13 | 16 | 25 => byte == b':',
            14 | 17 | 26 => matches!(byte, b'0'..=b'5'),
            19 => byte == b'.',
            22 => matches!(byte, b'+' | b'-'),
            // 05:30 becomes 15:30, and no 25:30.
            23 => matches!(byte, b'0' | b'1'),
            24 => byte.is_ascii_digit(),
            _ => false,
        };
        for at in 0..text.len() {
            for byte in 0..0x80 {
                let mut changed = text.as_bytes().to_vec();
                changed[at] = byte;
                let changed = String::from_utf8(changed).unwrap();
                // A `+` or `-` in the fraction or for its point begins no zone: the rest is not one.
                assert_eq!(is_rfc3339(&changed), in_range(at, byte), "{changed:?}");
            }
            assert!(!is_rfc3339(&text[..at]), "{}", &text[..at]);
        }
        for good in ["2016-12-31T23:59:60Z", "2025-10-21t12:34:56z", "2025-10-21T23:34:56.0-23:59"] {
            assert!(is_rfc3339(good), "{good}");
        }
        for bad in [
            "2025-10-21T24:00:00Z",
            "2025-10-21T12:60:00Z",
            "2025-10-21T12:34:61Z",
            "2025-10-21T12:34:56.Z",
            "2025-10-21T12:34:56+24:00",
            "2025-10-21T12:34:56+00:60",
            "2025-10-21T12:34:56+5:30",
            "2025-10-21T12:34:56+005:30",
            "2025-10-21T12:34:56Z ",
            "2025-10-21T12:34:56ZZ",
        ] {
            assert!(!is_rfc3339(bad), "{bad}");
        }
    }
}
