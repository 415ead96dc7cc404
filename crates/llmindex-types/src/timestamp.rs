//! Dates and times as the specification's fields hold them.
//!
//! ```text
//! 2026-02-20 T 12:00:00 .25 +01:00        the grammar of RFC 3339, section 5.6
//! date       T time     any number of digits, one at least
//!            t          Z, z, an offset, or nothing: taken as UTC, with a note
//! ```
//!
//! ISO 8601 is far wider. What else it allows is refused (LLMI-AMB-5): dates alone, week and ordinal dates, the
//! basic format, times without seconds, 24:00, a fraction after a comma, a blank instead of the `T`. Second 60 is
//! read where it is 23:59 in UTC, the only place where a leap second can stand.

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::fmt;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

/// A date and time: the text as the source had it, and what it means.
///
/// ```
/// use llmindex_types::Timestamp;
/// let time = Timestamp::parse("2026-02-20T00:00:00.5+01:00").unwrap();
/// assert_eq!(time.unix_seconds(), 1_771_542_000);
/// assert_eq!(time.to_instant().unwrap().to_string(), "2026-02-19T23:00:00.5Z");
/// assert_eq!(time.as_str(), "2026-02-20T00:00:00.5+01:00");
///
/// let error = Timestamp::parse("2026-02-20").unwrap_err();
/// assert_eq!(error.to_string(), "expected `T` and a time at byte 10");
/// ```
///
/// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-3, LLMI-AMB-5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Timestamp {
    text: Box<str>,
    moment: Moment,
}

/// What a timestamp says, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Moment {
    local: DateTime,
    offset_minutes: Option<i16>,
    leap_second: bool,
}

impl Timestamp {
    /// Reads a timestamp. `O(n)`.
    ///
    /// # Errors
    /// [`TimestampError`] says what was expected and where.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-AMB-5.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        Ok(Timestamp { moment: Moment::parse(text)?, text: text.into() })
    }

    /// The instant in UTC as the writer prints it, without a fraction: `2026-02-20T00:00:00Z`; the seconds since
    /// 1970 must lie in the years 0 to 9999.
    #[must_use]
    pub fn from_unix_seconds(seconds: i64) -> Option<Self> {
        let local = EPOCH.checked_add(SignedDuration::from_secs(seconds)).ok()?;
        if !(0..=9999).contains(&local.year()) {
            return None;
        }
        let text = alloc::format!("{local}Z").into_boxed_str();
        Some(Timestamp { text, moment: Moment { local, offset_minutes: Some(0), leap_second: false } })
    }

    /// The text as the source had it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whole seconds since 1970-01-01T00:00:00Z; a leap second counts as the second before it.
    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        self.moment.unix_seconds()
    }

    /// The instant, or `None` in the last hours of the year 9999, which lie beyond what [`jiff::Timestamp`] holds.
    #[must_use]
    pub fn to_instant(&self) -> Option<jiff::Timestamp> {
        jiff::Timestamp::new(self.unix_seconds(), self.moment.local.subsec_nanosecond()).ok()
    }

    /// Which of two timestamps names the earlier instant, whatever their offsets and digits; a leap second counts as the
    /// second before it.
    ///
    /// ```
    /// use llmindex_types::Timestamp;
    /// let time = |text| Timestamp::parse(text).unwrap();
    /// assert!(time("2026-02-20T00:00:00Z").compare(&time("2026-02-20T01:00:00.000+01:00")).is_eq());
    /// ```
    #[must_use]
    pub fn compare(&self, other: &Timestamp) -> Ordering {
        self.instant().cmp(&other.instant())
    }

    /// Seconds since 1970 and the nanoseconds on top of them.
    pub(crate) fn instant(&self) -> (i64, i32) {
        (self.unix_seconds(), self.moment.local.subsec_nanosecond())
    }

    /// Whether the text names an offset from UTC; without one it is taken as UTC.
    #[must_use]
    pub fn has_offset(&self) -> bool {
        self.moment.has_offset()
    }

    /// Whether the text names the leap second 23:59:60.
    #[must_use]
    pub fn is_leap_second(&self) -> bool {
        self.moment.leap_second
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Where a text stops being a timestamp, and what was expected there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimestampError {
    offset: usize,
    expected: &'static str,
}

impl TimestampError {
    /// Where, in bytes from the start of the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The requirement that the text breaks.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        "LLMI-AMB-5"
    }
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.offset)
    }
}

impl core::error::Error for TimestampError {}

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl Moment {
    pub(crate) fn parse(text: &str) -> Result<Self, TimestampError> {
        let mut scan = Scan { bytes: text.as_bytes(), at: 0 };
        let year = scan.number(4, 0..=9999, "a year of four digits")?;
        scan.byte(b"-", "`-`")?;
        let month = scan.number(2, 1..=12, "a month from 01 to 12")?;
        scan.byte(b"-", "`-`")?;
        let day_at = scan.at;
        let day = scan.number(2, 1..=31, "a day of the month")?;
        let date = Date::new(year, month as i8, day as i8)
            .map_err(|_| TimestampError { offset: day_at, expected: "a day of the month" })?;
        scan.byte(b"Tt", "`T` and a time")?;
        let hour = scan.number(2, 0..=23, "an hour from 00 to 23")?;
        scan.byte(b":", "`:`")?;
        let minute = scan.number(2, 0..=59, "a minute from 00 to 59")?;
        scan.byte(b":", "`:` and seconds")?;
        let second_at = scan.at;
        let second = scan.number(2, 0..=60, "a second from 00 to 60")?;
        let nanosecond = scan.fraction()?;
        let offset_minutes = scan.offset()?;
        let leap_second = second == 60;
        let minute_of_utc = (hour * 60 + minute - offset_minutes.unwrap_or(0)).rem_euclid(24 * 60);
        if leap_second && minute_of_utc != 23 * 60 + 59 {
            return Err(TimestampError {
                offset: second_at,
                expected: "a second below 60, as it is not 23:59 in UTC",
            });
        }
        let local = date.at(hour as i8, minute as i8, second.min(59) as i8, nanosecond);
        Ok(Moment { local, offset_minutes, leap_second })
    }

    pub(crate) fn has_offset(&self) -> bool {
        self.offset_minutes.is_some()
    }

    pub(crate) fn is_utc(&self) -> bool {
        self.offset_minutes.unwrap_or(0) == 0
    }

    fn unix_seconds(&self) -> i64 {
        // The fraction always counts upwards, before 1970 too.
        let whole = self.local.with().subsec_nanosecond(0).build().unwrap_or(self.local);
        whole.duration_since(EPOCH).as_secs() - i64::from(self.offset_minutes.unwrap_or(0)) * 60
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, TimestampError> {
        Err(TimestampError { offset: self.at, expected })
    }

    fn byte(&mut self, any_of: &[u8], expected: &'static str) -> Result<u8, TimestampError> {
        match self.peek() {
            Some(byte) if any_of.contains(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            _ => self.fail(expected),
        }
    }

    /// A number of just `digits` digits within `range`.
    fn number(
        &mut self,
        digits: usize,
        range: core::ops::RangeInclusive<i16>,
        expected: &'static str,
    ) -> Result<i16, TimestampError> {
        let mut number = 0;
        for byte in self.bytes.get(self.at..self.at + digits).unwrap_or_default() {
            if !byte.is_ascii_digit() {
                return self.fail(expected);
            }
            number = number * 10 + i16::from(byte - b'0');
        }
        if self.bytes.len() < self.at + digits || !range.contains(&number) {
            return self.fail(expected);
        }
        self.at += digits;
        Ok(number)
    }

    /// The fraction in nanoseconds; digits past the ninth do not count.
    fn fraction(&mut self) -> Result<i32, TimestampError> {
        if self.peek() != Some(b'.') {
            return Ok(0);
        }
        self.at += 1;
        let start = self.at;
        let mut nanoseconds = 0;
        let mut unit = 100_000_000;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            nanoseconds += i32::from(byte - b'0') * unit;
            unit /= 10;
            self.at += 1;
        }
        if self.at == start { self.fail("a digit of the fraction") } else { Ok(nanoseconds) }
    }

    /// Minutes east of UTC; `None` where the text ends without an offset.
    fn offset(&mut self) -> Result<Option<i16>, TimestampError> {
        let minutes = match self.peek() {
            None => return Ok(None),
            Some(b'Z' | b'z') => {
                self.at += 1;
                0
            }
            Some(sign @ (b'+' | b'-')) => {
                self.at += 1;
                let hours = self.number(2, 0..=23, "an offset's hours from 00 to 23")?;
                self.byte(b":", "`:`")?;
                let minutes = self.number(2, 0..=59, "an offset's minutes from 00 to 59")?;
                let east = hours * 60 + minutes;
                if sign == b'-' { -east } else { east }
            }
            Some(_) => return self.fail("`Z` or an offset such as `+01:00`"),
        };
        if self.at == self.bytes.len() { Ok(Some(minutes)) } else { self.fail("the end") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammar() {
        for (text, seconds) in [
            ("2026-02-20T00:00:00Z", 1_771_545_600),
            ("2026-02-20t00:00:00z", 1_771_545_600),
            ("2026-02-20T01:00:00+01:00", 1_771_545_600),
            ("2026-02-20T00:00:00-00:00", 1_771_545_600),
            ("2026-02-20T00:00:00", 1_771_545_600),
            ("2026-02-20T00:00:00.123456789012345Z", 1_771_545_600),
            ("1969-12-31T23:59:59.5Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_799),
            ("2016-12-31T15:59:60-08:00", 1_483_228_799),
            ("2017-01-01T05:29:60.5+05:30", 1_483_228_799),
            ("2024-02-29T12:00:00Z", 1_709_208_000),
            ("0000-02-29T00:00:00Z", -62_162_121_600),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139),
        ] {
            let time = Timestamp::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(time.unix_seconds(), seconds, "{text}");
        }
        for (text, offset) in [
            ("", 0),
            ("not-a-date", 0),
            ("2026-02-20", 10),
            ("2026-W08-5T00:00:00Z", 5),
            ("2026-051T00:00:00Z", 7),
            ("20260220T000000Z", 4),
            ("2026-02-20T00:00Z", 16),
            ("2026-02-20T24:00:00Z", 11),
            ("2026-02-20T00:60:00Z", 14),
            ("2026-02-20T00:00:00,5Z", 19),
            ("2026-02-20T00:00:00.Z", 20),
            ("2026-02-20 00:00:00Z", 10),
            ("2026-02-29T00:00:00Z", 8),
            ("2026-02-30T00:00:00Z", 8),
            ("2026-13-01T00:00:00Z", 5),
            ("2026-00-01T00:00:00Z", 5),
            ("2026-01-00T00:00:00Z", 8),
            ("2026-02-20T12:00:60Z", 17),
            ("2026-02-20T23:59:60+01:00", 17),
            ("2026-02-20T23:59:61Z", 17),
            ("2026-02-20T00:00:00+0100", 22),
            ("2026-02-20T00:00:00+01", 22),
            ("2026-02-20T00:00:00+24:00", 20),
            ("2026-02-20T00:00:00+01:60", 23),
            ("2026-02-20T00:00:00Z ", 20),
            (" 2026-02-20T00:00:00Z", 0),
            ("2026-02-20T00:00:00[UTC]", 19),
            ("+002026-02-20T00:00:00Z", 0),
            ("2026-02-20T00:00:0", 17),
            ("２026-02-20T00:00:00Z", 0),
        ] {
            assert_eq!(Timestamp::parse(text).map_err(|e| e.offset()), Err(offset), "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for seconds in [0, 1_771_545_600, -62_167_219_200, 253_402_300_799] {
            let time = Timestamp::from_unix_seconds(seconds).unwrap();
            assert_eq!(Timestamp::parse(time.as_str()), Ok(time.clone()));
            assert_eq!(time.unix_seconds(), seconds);
        }
        assert_eq!(Timestamp::from_unix_seconds(0).unwrap().as_str(), "1970-01-01T00:00:00Z");
        assert_eq!(Timestamp::from_unix_seconds(253_402_300_800), None);
        assert_eq!(Timestamp::from_unix_seconds(i64::MAX), None);
        assert_eq!(Timestamp::from_unix_seconds(-62_167_219_201), None);
    }

    #[test]
    fn the_end_of_time_has_no_instant() {
        let time = Timestamp::parse("9999-12-31T23:59:59Z").unwrap();
        assert_eq!(time.to_instant(), None);
        assert_eq!(time.unix_seconds(), 253_402_300_799);
    }
}
