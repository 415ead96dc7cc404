//! A date as a page gives it: the day, with time and offset if it has them.

use std::fmt;

use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use super::date_text::{DayOrder, dates};

/// A day on a page, with the time of day and the offset from UTC where the page has them.
///
/// Two dates of the same day are equal only if their times are. `Display` writes `2026-05-10`, `2026-05-10T12:34:56` or
/// `2026-05-10T12:34:56+02:00`; with an offset that is RFC 3339. The offset stays as the page has it, so the day is
/// the publisher's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageDate {
    day: Date,
    /// With the minutes east of UTC.
    time: Option<(Time, Option<i16>)>,
}

/// Plausible years of publication.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2100;

impl PageDate {
    /// The day, if it exists and is from 1900 to 2100.
    pub(super) fn of_day(year: i64, month: u32, day: u32) -> Option<PageDate> {
        PageDate::of(Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()?)
    }

    fn of(day: Date) -> Option<PageDate> {
        YEARS.contains(&day.year()).then_some(PageDate { day, time: None })
    }

    /// The day of the Persian calendar. Its leap years follow a cycle of 33, as they do from 1244 to 1472.
    pub(super) fn of_persian_day(year: i64, month: u32, day: u32) -> Option<PageDate> {
        if !(1244..=1472).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        if month > 6 && day > 30 {
            return None;
        }
        let before = |month: i64| 31 * (month - 1) - (month - 7).max(0);
        // The years of a cycle that have a day more.
        const LEAPS: [i64; 8] = [1, 5, 9, 13, 17, 22, 26, 30];
        let leaps = |year: i64| year / 33 * 8 + LEAPS.iter().filter(|leap| **leap < year % 33).count() as i64;
        if month == 12 && day == 30 && !LEAPS.contains(&(year % 33)) {
            return None;
        }
        // 1 Farvardin 1403 was 20 March 2024.
        let years = 365 * (year - 1403) + leaps(year) - leaps(1403);
        let days = years + before(i64::from(month)) + i64::from(day) - 1;
        PageDate::of(Date::constant(2024, 3, 20).checked_add(jiff::Span::new().try_days(days).ok()?).ok()?)
    }

    /// The instant of so many seconds since 1970, in UTC.
    fn of_seconds(seconds: i64) -> Option<PageDate> {
        let date = jiff::Timestamp::from_second(seconds).ok()?.to_zoned(jiff::tz::TimeZone::UTC).datetime();
        Some(PageDate { time: Some((date.time(), Some(0))), ..PageDate::of(date.date())? })
    }

    /// The date in a value for programs: ISO 8601, seconds or milliseconds since 1970, or as in text.
    ///
    /// 1 January 1970 alone means no date. `O(n)` in the first 600 characters.
    pub(super) fn of_value(value: &str, order: DayOrder) -> Option<PageDate> {
        let value = value.trim();
        if value.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: i64 = value.parse().ok()?;
            return match value.len() {
                8 => PageDate::of_day(
                    number / 10_000,
                    u32::try_from(number / 100 % 100).ok()?,
                    u32::try_from(number % 100).ok()?,
                ),
                14 => PageDate::of_value(value.get(..8)?, order),
                10 => PageDate::of_seconds(number),
                13 => PageDate::of_seconds(number / 1000),
                _ => None,
            };
        }
        let (date, range) = dates(value, order).next()?;
        // A time after a date in ISO's form; those of other forms may be in halves of a day.
        let is_iso = range.start == 0 && matches!(value.as_bytes(), [_, _, _, b'0'..=b'9', b'-' | b'/', ..]);
        let rest = value.get(range.end..).unwrap_or_default();
        let is_half = rest.ends_with(['m', 'M', '.']);
        let date = if is_iso && !is_half { date.with_time(rest) } else { date };
        (date.day != Date::constant(1970, 1, 1)).then_some(date)
    }

    /// The date with the time that a text starts with, in ISO's form: `T12:34:56.789+02:00`.
    fn with_time(self, text: &str) -> PageDate {
        let Some(rest) = text.strip_prefix(['T', 't', ' ']) else { return self };
        let bytes = rest.as_bytes();
        let two = |at: usize| {
            let (tens, ones) = (*bytes.get(at)?, *bytes.get(at + 1)?);
            let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
            are_digits.then(|| ((tens - b'0') * 10 + ones - b'0').cast_signed())
        };
        let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
        let (Some(hour), true, Some(minute)) = (two(0), is(2, b':'), two(3)) else { return self };
        let (second, mut at) = match two(6) {
            Some(second) if is(5, b':') => (second, 8),
            _ => (0, 5),
        };
        let mut milliseconds = 0;
        if at == 8 && (is(8, b'.') || is(8, b',')) {
            let digits = bytes.iter().skip(9).take_while(|byte| byte.is_ascii_digit()).count();
            for place in 0..3 {
                let digit =
                    if place < digits { bytes.get(9 + place).map_or(0, |byte| byte - b'0') } else { 0 };
                milliseconds = milliseconds * 10 + i32::from(digit);
            }
            at = 9 + digits;
        }
        // RFC 3339 has leap seconds, and most programs that read it do not.
        let second = if second == 60 { 59 } else { second };
        let Ok(time) = Time::new(hour, minute, second, milliseconds * 1_000_000) else { return self };
        let offset = offset(rest.get(at..).unwrap_or_default().trim_start());
        PageDate { time: Some((time, offset)), ..self }
    }

    /// The year, 1900 to 2100.
    #[must_use]
    pub fn year(self) -> i16 {
        self.day.year()
    }

    /// The month, 1 to 12.
    #[must_use]
    pub fn month(self) -> u8 {
        self.day.month().unsigned_abs()
    }

    /// The day of the month, from 1.
    #[must_use]
    pub fn day(self) -> u8 {
        self.day.day().unsigned_abs()
    }

    /// The hour, minute and second, if the page has them.
    #[must_use]
    pub fn time(self) -> Option<(u8, u8, u8)> {
        let parts = |time: Time| [time.hour(), time.minute(), time.second()].map(i8::unsigned_abs).into();
        self.time.map(|(time, _)| parts(time))
    }

    /// Minutes east of UTC, if the page has an offset.
    #[must_use]
    pub fn offset_minutes(self) -> Option<i16> {
        self.time?.1
    }

    /// The day alone.
    #[must_use]
    pub fn without_time(self) -> PageDate {
        PageDate { time: None, ..self }
    }

    /// The date with day and month swapped, if that is a valid date: the 9th of October for the 10th of September.
    pub(super) fn swapped(self) -> Option<PageDate> {
        let day = Date::new(self.day.year(), self.day.day(), self.day.month()).ok()?;
        (day != self.day).then_some(PageDate { day, ..self })
    }

    /// Returns true where one is the day before or after the other.
    pub(super) fn is_a_day_from(self, other: PageDate) -> bool {
        [self.day.yesterday(), self.day.tomorrow()].into_iter().flatten().any(|day| day == other.day)
    }

    /// Returns true where both are the same day on their own calendars, whatever the time.
    #[must_use]
    pub fn is_same_day(self, other: PageDate) -> bool {
        self.day == other.day
    }
}

/// The offset that a text starts with, in minutes: `Z`, `+02:00`, `+0200` or `+02`.
fn offset(text: &str) -> Option<i16> {
    let (sign, digits) = match text.as_bytes() {
        [b'Z' | b'z', ..] => return Some(0),
        [b'+', ..] => (1, text.get(1..)?),
        [b'-', ..] => (-1, text.get(1..)?),
        _ if text.starts_with("GMT") || text.starts_with("UTC") => return Some(0),
        _ => return None,
    };
    let digits: Vec<i16> = digits
        .bytes()
        .filter(|byte| *byte != b':')
        .map_while(|byte| byte.is_ascii_digit().then(|| i16::from(byte - b'0')))
        .take(4)
        .collect();
    let minutes = match *digits.as_slice() {
        [a, b, c, d] => (10 * a + b) * 60 + 10 * c + d,
        [a, b] => (10 * a + b) * 60,
        _ => return None,
    };
    Offset::from_seconds(i32::from(minutes) * 60).ok()?;
    Some(sign * minutes)
}

impl fmt::Display for PageDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.day)?;
        let Some((time, offset)) = self.time else { return Ok(()) };
        match time.millisecond() {
            0 => write!(f, "T{time}")?,
            _ => write!(f, "T{time:.3}")?,
        }
        match offset {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(minutes) => {
                let sign = if minutes < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<String> {
        PageDate::of_value(value, DayOrder::MonthFirst).map(|date| date.to_string())
    }

    #[test]
    fn values_for_programs() {
        for (value, date) in [
            ("2026-05-10", "2026-05-10"),
            (" 2026-05-10T22:34:56-05:00 ", "2026-05-10T22:34:56-05:00"),
            ("2026-05-10T22:34:56.789Z", "2026-05-10T22:34:56.789Z"),
            ("2026-05-10 22:34", "2026-05-10T22:34:00"),
            ("2026-05-10T22:34:56+0530", "2026-05-10T22:34:56+05:30"),
            ("2026-05-10 22:34:60 +02", "2026-05-10T22:34:59+02:00"),
            ("20260510", "2026-05-10"),
            ("20260510223456", "2026-05-10"),
            ("1778452496", "2026-05-10T22:34:56Z"),
            ("1778452496000", "2026-05-10T22:34:56Z"),
            ("Sun, 10 May 2026 22:34:56 GMT", "2026-05-10"),
            ("2026/5/1", "2026-05-01"),
            ("May 10, 2026 10:34 PM", "2026-05-10"),
        ] {
            assert_eq!(read(value).as_deref(), Some(date), "{value}");
        }
        for value in
            ["", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-02-30", "2026", "26", "123456", "x"]
        {
            assert_eq!(read(value), None, "{value}");
        }
    }

    #[test]
    fn persian_days() {
        for ((year, month, day), date) in [
            ((1403, 1, 1), "2024-03-20"),
            ((1403, 12, 30), "2025-03-20"),
            ((1404, 1, 1), "2025-03-21"),
            ((1399, 12, 30), "2021-03-20"),
            ((1402, 7, 15), "2023-10-07"),
            ((1357, 11, 22), "1979-02-11"),
        ] {
            let found = PageDate::of_persian_day(year, month, day).map(|date| date.to_string());
            assert_eq!(found.as_deref(), Some(date), "{year}-{month}-{day}");
        }
        assert_eq!(PageDate::of_persian_day(1403, 13, 1), None);
    }

    #[test]
    fn times_are_read_as_far_as_they_are_right() {
        for (value, date) in [
            ("2026-05-10T23:59:59", "2026-05-10T23:59:59"),
            ("2026-05-10T24:00:00", "2026-05-10"),
            ("2026-05-10T12:60:00", "2026-05-10"),
            ("2026-05-10T12:00:61", "2026-05-10"),
            ("2026-05-10T12:34:5", "2026-05-10T12:34:00"),
            ("2026-05-10T12.34", "2026-05-10"),
            ("2026-05-10T1:34", "2026-05-10"),
            ("2026-05-10Txx:34", "2026-05-10"),
            ("2026-05-10x12:34", "2026-05-10"),
            ("2026-05-10t12:34z", "2026-05-10T12:34:00Z"),
            ("2026-05-10T12:34:56.7", "2026-05-10T12:34:56.700"),
            ("2026-05-10T12:34:56,789123+01:00", "2026-05-10T12:34:56.789+01:00"),
            ("2026-05-10T12:34:56.Z", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34.5Z", "2026-05-10T12:34:00"),
            // Offsets.
            ("2026-05-10T12:34:56-0330", "2026-05-10T12:34:56-03:30"),
            ("2026-05-10T12:34:56+12", "2026-05-10T12:34:56+12:00"),
            ("2026-05-10T12:34:56+123", "2026-05-10T12:34:56"),
            ("2026-05-10T12:34:56 +01:00", "2026-05-10T12:34:56+01:00"),
            ("2026-05-10T12:34:56 GMT", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34:56 UTC", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34:56 CET", "2026-05-10T12:34:56"),
            ("2026-05-10T12:34:56+25:59", "2026-05-10T12:34:56+25:59"),
            ("2026-05-10T12:34:56+26:00", "2026-05-10T12:34:56"),
            ("2026-05-10T12:34:56-25:59", "2026-05-10T12:34:56-25:59"),
            // Halves of a day are not ISO's.
            ("2026-05-10 10:34 PM", "2026-05-10"),
            ("2026-05-10 10:34 p.m.", "2026-05-10"),
            ("10.05.2026 12:34", "2026-05-10"),
            ("on 2026-05-10T12:34", "2026-05-10"),
            // Numbers alone.
            ("20261231", "2026-12-31"),
            ("20260510235959", "2026-05-10"),
            ("0000086400", "1970-01-02T00:00:00Z"),
        ] {
            assert_eq!(read(value).as_deref(), Some(date), "{value}");
        }
        for value in ["20261301", "20260532", "202605101", "18990101", "21010101", "1970-01-01"] {
            assert_eq!(read(value), None, "{value}");
        }
        assert_eq!(read("1970-02-01").as_deref(), Some("1970-02-01"));
        assert_eq!(read("1970-01-02").as_deref(), Some("1970-01-02"));
    }

    #[test]
    fn a_date_has_its_parts() {
        let date = PageDate::of_value("2026-05-10T22:34:56.789-01:30", DayOrder::DayFirst).unwrap();
        assert_eq!((date.year(), date.month(), date.day()), (2026, 5, 10));
        assert_eq!((date.time(), date.offset_minutes()), (Some((22, 34, 56)), Some(-90)));
        let bare = date.without_time();
        assert_eq!(
            (bare.time(), bare.offset_minutes(), bare.to_string().as_str()),
            (None, None, "2026-05-10")
        );
        assert!(bare.is_same_day(date) && !bare.is_a_day_from(date));
        let of = |value: &str| PageDate::of_value(value, DayOrder::DayFirst).unwrap();
        for (other, is_next) in
            [("2026-05-09", true), ("2026-05-11", true), ("2026-05-12", false), ("2026-05-08", false)]
        {
            assert_eq!(date.is_a_day_from(of(other)), is_next, "{other}");
            assert!(!date.is_same_day(of(other)), "{other}");
        }
        assert!(of("2026-02-28").is_a_day_from(of("2026-03-01")));
    }
}
