//! Dates in HTTP fields: read in the three forms of RFC 9110, written in the preferred one.
//!
//! ```text
//! Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate, the form that is written
//! Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
//! Sun Nov  6 08:49:37 1994           asctime
//! ```
//!
//! The reader is here, not in a dependency, for two reasons: the year of the second form depends on `now`, and dates
//! whose weekday is wrong (a specification's own example has one) are still dates. The tests compare it with the
//! `httpdate` crate.

use alloc::string::String;
use core::fmt::{self, Write as _};

use crate::UnixSeconds;
use crate::time::{Civil, days_since_1970};

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl UnixSeconds {
    /// The instant that an HTTP date names, or `None` if the text is not one.
    ///
    /// Blanks and tabs around it are ignored. The weekday must be one, but is not compared with the date. `now`
    /// settles the century of a two-digit year: a year that seems more than fifty years ahead is the past one. A leap
    /// second counts as the first second of the next minute. Dates before 1970 are given as its start. `O(n)`.
    ///
    /// ```
    /// use web_values::UnixSeconds;
    ///
    /// let now = UnixSeconds(1_761_031_680);
    /// let right = UnixSeconds::parse_http_date("Tue, 21 Oct 2025 07:28:00 GMT", now);
    /// let wrong_weekday = UnixSeconds::parse_http_date("Wed, 21 Oct 2025 07:28:00 GMT", now);
    /// assert_eq!(right, Some(now));
    /// assert_eq!(wrong_weekday, right);
    /// assert_eq!(UnixSeconds::parse_http_date("yesterday", now), None);
    /// ```
    ///
    /// Spec: RFC 9110, "Date/Time Formats".
    #[must_use]
    pub fn parse_http_date(text: &str, now: UnixSeconds) -> Option<Self> {
        let text = text.trim_matches([' ', '\t']);
        let (weekday, rest) = text.split_once([',', ' '])?;
        let is_comma = text.as_bytes().get(weekday.len()) == Some(&b',');
        let (year, month, day, time) = if !is_comma {
            is_short_weekday(weekday).then(|| asctime(rest))??
        } else if let Some(rest) = rest.strip_prefix(' ') {
            let rest = rest.strip_suffix(" GMT")?;
            if is_short_weekday(weekday) {
                imf_fixdate(rest)?
            } else {
                WEEKDAYS.contains(&weekday).then(|| rfc_850(rest, now))??
            }
        } else {
            return None;
        };
        let days = days_since_1970(year, month, day)?;
        let in_day = time_of_day(time)?;
        Some(UnixSeconds(u64::try_from(days).map_or(0, |days| days * 86_400 + u64::from(in_day))))
    }

    /// The instant as an HTTP date, 29 bytes of ASCII; instants after the year 9999 become its last second.
    #[must_use]
    pub fn to_http_date(self) -> String {
        let mut text = String::with_capacity(29);
        // Writing into a string cannot fail.
        let _ = write!(text, "{}", self.http_date());
        text
    }

    /// The same as something that prints, without a string on the heap.
    #[must_use]
    pub const fn http_date(self) -> HttpDate {
        HttpDate(self)
    }
}

/// An instant that prints as an HTTP date: see [`UnixSeconds::http_date`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpDate(pub UnixSeconds);

impl fmt::Display for HttpDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, hour, minute, second } = Civil::of(self.0.0);
        // The first of January 1970 was a Thursday.
        let days = days_since_1970(year as u32, month as u32, day as u32).unwrap_or(0);
        let weekday = WEEKDAYS.get((days + 4).rem_euclid(7) as usize).map_or("", |name| &name[..3]);
        let month = MONTHS.get(month as usize - 1).copied().unwrap_or("");
        write!(f, "{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
    }
}

#[cfg(feature = "http")]
impl From<HttpDate> for http::HeaderValue {
    fn from(date: HttpDate) -> Self {
        use alloc::string::ToString as _;
        // The text is 29 printable ASCII characters by construction.
        http::HeaderValue::try_from(date.to_string())
            .unwrap_or_else(|_| http::HeaderValue::from_static("Thu, 01 Jan 1970 00:00:00 GMT"))
    }
}

type Parts<'a> = (u32, u32, u32, &'a str);

/// `06 Nov 1994 08:49:37`.
fn imf_fixdate(text: &str) -> Option<Parts<'_>> {
    let mut words = text.split(' ');
    let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
    words.next().is_none().then_some(())?;
    Some((number(year, 4)?, month_number(month)?, number(day, 2)?, time))
}

/// `06-Nov-94 08:49:37`.
fn rfc_850(text: &str, now: UnixSeconds) -> Option<Parts<'_>> {
    let (date, time) = text.split_once(' ')?;
    let mut parts = date.split('-');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    parts.next().is_none().then_some(())?;
    Some((full_year(number(year, 2)?, now), month_number(month)?, number(day, 2)?, time))
}

/// `Nov  6 08:49:37 1994`.
fn asctime(text: &str) -> Option<Parts<'_>> {
    let (month, rest) = text.split_once(' ')?;
    let (day, rest) = rest.split_at_checked(2)?;
    let day = match day.strip_prefix(' ') {
        Some(digit) => number(digit, 1)?,
        None => number(day, 2)?,
    };
    let (time, year) = rest.strip_prefix(' ')?.split_once(' ')?;
    Some((number(year, 4)?, month_number(month)?, day, time))
}

fn time_of_day(text: &str) -> Option<u32> {
    let mut parts = text.split(':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next()?);
    let (hour, minute, second) = (number(hour, 2)?, number(minute, 2)?, number(second, 2)?);
    let is_time = parts.next().is_none() && hour < 24 && minute < 60 && second <= 60;
    is_time.then_some(hour * 3_600 + minute * 60 + second)
}

fn is_short_weekday(text: &str) -> bool {
    text.len() == 3 && WEEKDAYS.iter().any(|day| day.starts_with(text))
}

fn month_number(text: &str) -> Option<u32> {
    (1u32..).zip(MONTHS).find(|(_, name)| *name == text).map(|(number, _)| number)
}

/// The number that just `digits` digits name.
fn number(text: &str, digits: usize) -> Option<u32> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The year that ends in these two digits; one that seems more than fifty years ahead is the past one.
fn full_year(digits: u32, now: UnixSeconds) -> u32 {
    let year = Civil::of(now.0).year as u32;
    let guess = year - year % 100 + digits;
    if guess > year + 50 { guess - 100 } else { guess }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixSeconds = UnixSeconds(1_780_000_000);

    #[test]
    fn three_forms_and_their_seconds() {
        for (text, seconds) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Mon Nov  6 08:49:37 1994", 784_111_777),
            ("Friday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("\t Sun, 06 Nov 1994 08:49:37 GMT ", 784_111_777),
            ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", 0),
            ("Mon, 01 Jan 0001 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
            ("Friday, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
            ("Friday, 31-Dec-76 00:00:00 GMT", 3_376_598_400),
            ("Friday, 31-Dec-77 00:00:00 GMT", 252_374_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] {
            assert_eq!(UnixSeconds::parse_http_date(text, NOW), Some(UnixSeconds(seconds)), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_date() {
        for text in [
            "",
            ",",
            "Sun",
            "06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun,06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 30 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT x",
            "Mon, 29 Feb 1900 00:00:00 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun Nov 06 08:49:37 1994 GMT",
            "Sun Nov é 08:49:37 1994",
            "Sun, 06  Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(UnixSeconds::parse_http_date(text, NOW), None, "{text}");
        }
    }

    #[test]
    fn the_far_future_is_written_as_the_end_of_9999() {
        assert_eq!(UnixSeconds(u64::MAX).to_http_date(), "Fri, 31 Dec 9999 23:59:59 GMT");
        assert_eq!(UnixSeconds(784_111_777).to_http_date(), "Sun, 06 Nov 1994 08:49:37 GMT");
    }
}
