//! Points in time, which the caller passes in, and the dates of HTTP.

use core::time::Duration;

/// A point in time: what has passed since 1970-01-01T00:00:00Z.
///
/// ```
/// use robots::UnixTime;
///
/// let now = UnixTime::from_secs(784_111_777);
/// assert_eq!(UnixTime::from_http_date("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(now));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct UnixTime(Duration);

impl UnixTime {
    /// The point that many seconds after the start of 1970.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        UnixTime(Duration::from_secs(secs))
    }

    /// The point that long after the start of 1970.
    #[must_use]
    pub const fn from_duration(since_epoch: Duration) -> Self {
        UnixTime(since_epoch)
    }

    /// How long after the start of 1970 this is.
    #[must_use]
    pub const fn as_duration(self) -> Duration {
        self.0
    }

    /// The later point; the last one there is where the sum is past it.
    #[must_use]
    pub const fn saturating_add(self, span: Duration) -> Self {
        UnixTime(self.0.saturating_add(span))
    }

    /// How much later than `earlier` this is; zero where it is not.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Reads a date of HTTP in any of its three forms; `now` settles the century of a two-digit year, as RFC 9110
    /// says. Dates before 1970 are given as its start. The weekday has to be one, but is not compared with the date.
    ///
    /// ```text
    /// Sun, 06 Nov 1994 08:49:37 GMT      the preferred form
    /// Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
    /// Sun Nov  6 08:49:37 1994           asctime
    /// ```
    ///
    /// Spec: RFC 9110, "Date/Time Formats".
    #[must_use]
    pub fn from_http_date(text: &str, now: UnixTime) -> Option<Self> {
        let mut words = text.trim_ascii().split_ascii_whitespace();
        let weekday = words.next()?;
        let (day, month, year, time) = match weekday.strip_suffix(',') {
            Some(long) if WEEKDAYS.contains(&long) => {
                let mut date = words.next()?.split('-');
                let (day, month, year) = (date.next()?, date.next()?, date.next()?);
                let time = gmt(&mut words)?;
                (
                    two_digits(day)?,
                    month,
                    century(two_digits(year)?, now),
                    time.filter(|_| date.next().is_none())?,
                )
            }
            Some(short) if is_weekday(short) => {
                let (day, month, year) = (words.next()?, words.next()?, words.next()?);
                (two_digits(day)?, month, four_digits(year)?, gmt(&mut words)??)
            }
            None if is_weekday(weekday) => {
                let (month, day, time, year) = (words.next()?, words.next()?, words.next()?, words.next()?);
                let day = if day.len() == 1 { day.parse().ok()? } else { two_digits(day)? };
                (day, month, four_digits(year)?, Some(time).filter(|_| words.next().is_none())?)
            }
            _ => return None,
        };
        let month = (1u32..).zip(MONTHS).find(|(_, name)| *name == month)?.0;
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let mut parts = time.split(':');
        let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next()?);
        let (hour, minute, second) = (two_digits(hour)?, two_digits(minute)?, two_digits(second)?);
        // A leap second counts as the first second of the next minute.
        if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 || !(1..=days).contains(&day) {
            return None;
        }
        let secs =
            days_since_1970(year, month, day)? * 86_400 + u64::from(hour * 3600 + minute * 60 + second);
        Some(UnixTime::from_secs(secs))
    }
}

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn is_weekday(short: &str) -> bool {
    short.len() == 3 && WEEKDAYS.iter().any(|day| day.starts_with(short))
}

/// The time of day that follows, if nothing but `GMT` stands after it.
fn gmt<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Option<&'a str>> {
    let time = words.next()?;
    Some((words.next() == Some("GMT") && words.next().is_none()).then_some(time))
}

fn two_digits(text: &str) -> Option<u32> {
    (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

fn four_digits(text: &str) -> Option<u32> {
    (text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The year that ends in these digits; one that seems more than fifty years ahead is the past one.
fn century(digits: u32, now: UnixTime) -> u32 {
    let year = u32::try_from(1970 + now.as_duration().as_secs() / 31_556_952).unwrap_or(9999).min(9999);
    let guess = year - year % 100 + digits;
    if guess > year + 50 { guess - 100 } else { guess }
}

/// Days from 1970-01-01 to this date of the Gregorian calendar; 0 for earlier dates.
fn days_since_1970(year: u32, month: u32, day: u32) -> Option<u64> {
    let (year, month) = (u64::from(year), u64::from(month));
    // Years are counted from March, so that the leap day comes last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + u64::from(day) - 1;
    Some(days.saturating_sub(719_468))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixTime = UnixTime::from_secs(1_780_000_000);

    #[test]
    fn three_forms_of_one_date() {
        for text in
            ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        {
            assert_eq!(UnixTime::from_http_date(text, NOW), Some(UnixTime::from_secs(784_111_777)), "{text}");
        }
    }

    #[test]
    fn dates_and_their_seconds() {
        for (text, secs) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", 86_399),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
            ("Friday, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
        ] {
            assert_eq!(UnixTime::from_http_date(text, NOW), Some(UnixTime::from_secs(secs)), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "Sun",
            "06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 PST",
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
        ] {
            assert_eq!(UnixTime::from_http_date(text, NOW), None, "{text}");
        }
    }
}
