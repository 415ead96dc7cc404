//! RFC 3339 timestamps, with their fraction and their offset.
//!
//! ```text
//! 2026-02-20 T 12:00:00 .25 +01:00        the grammar of RFC 3339, section 5.6
//! date       T time     any number of digits, one at least
//!            t          Z, z, or an offset
//! ```
//!
//! ISO 8601 is far wider; what else it allows is refused: dates alone, week and ordinal dates, the basic format,
//! times without seconds, 24:00, a fraction after a comma, a blank instead of the `T`. Second 60 is read where it is
//! 23:59 in UTC, the only place for a leap second.

use core::fmt;

use crate::UnixSeconds;
use crate::time::days_since_1970;

/// A date and time as RFC 3339 spells it: the instant, and the offset from UTC that the text names.
///
/// Years 0 to 9999. Equality compares the offset too, but not the spelling; compare [`instant`](Self::instant) to ask for
/// the same moment. Prints in UTC with as many digits of the fraction as it has, nine at most;
/// [`spelled`](Self::spelled) prints the text that was read.
///
/// ```
/// use web_values::Timestamp;
///
/// let time = Timestamp::parse("2026-02-20T00:00:00.5+01:00").unwrap();
/// assert_eq!(time.unix_seconds(), 1_771_542_000);
/// assert_eq!((time.subsec_nanos(), time.offset_minutes()), (500_000_000, Some(60)));
/// assert_eq!(time.to_string(), "2026-02-19T23:00:00.5Z");
///
/// let error = Timestamp::parse("2026-02-20").unwrap_err();
/// assert_eq!(error.to_string(), "expected `T` and a time at byte 10");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
    offset_minutes: Option<i16>,
    leap_second: bool,
    spelling: Spelling,
}

/// Differences of spelling that do not change the meaning of a timestamp.
#[derive(Debug, Clone, Copy, Default)]
struct Spelling {
    /// Digits of the fraction, 0 without one; those past the ninth are not kept.
    digits: u8,
    /// `t` in place of `T`.
    is_lower: bool,
    zero: Zero,
}

/// How a text spells UTC.
#[derive(Debug, Clone, Copy, Default)]
enum Zero {
    #[default]
    Upper,
    Lower,
    Plus,
    Minus,
}

impl Timestamp {
    /// The parts that equality and hash compare.
    const fn meaning(&self) -> (i64, u32, Option<i16>, bool) {
        (self.seconds, self.nanos, self.offset_minutes, self.leap_second)
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.meaning() == other.meaning()
    }
}

impl Eq for Timestamp {}

impl core::hash::Hash for Timestamp {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.meaning().hash(state);
    }
}

impl Timestamp {
    /// Reads a timestamp; nothing is trimmed. `O(n)`, no allocation. Digits past the ninth of a fraction are cut.
    ///
    /// # Errors
    /// [`TimestampError`] says what was expected and where; a text without `Z` or an offset is refused.
    ///
    /// Spec: RFC 3339, section 5.6.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        let time = Timestamp::parse_without_offset(text)?;
        match time.offset_minutes {
            Some(_) => Ok(time),
            None => Err(TimestampError { offset: text.len(), expected: OFFSET }),
        }
    }

    /// Reads a timestamp whose offset may be absent, as RFC 3339 does not allow: such a text is taken as UTC, and
    /// [`offset_minutes`](Self::offset_minutes) is `None`.
    ///
    /// # Errors
    /// As [`Timestamp::parse`], apart from the offset.
    pub fn parse_without_offset(text: &str) -> Result<Self, TimestampError> {
        match Timestamp::plain(text) {
            Some(time) => Ok(time),
            None => Timestamp::thorough(text),
        }
    }

    /// Reads the most frequent form, whole seconds that end in `Z`; [`thorough`](Self::thorough)
    /// reads all others.
    fn plain(text: &str) -> Option<Self> {
        let &[a, b, c, d, b'-', e, f, b'-', g, h, b'T', i, j, b':', k, l, b':', m, n, b'Z'] = text.as_bytes()
        else {
            return None;
        };
        let two = |tens: u8, ones: u8| {
            let (tens, ones) = (u32::from(tens.wrapping_sub(b'0')), u32::from(ones.wrapping_sub(b'0')));
            (tens <= 9 && ones <= 9).then_some(tens * 10 + ones)
        };
        let days = days_since_1970(two(a, b)? * 100 + two(c, d)?, two(e, f)?, two(g, h)?)?;
        let (hour, minute, second) = (two(i, j)?, two(k, l)?, two(m, n)?);
        (hour <= 23 && minute <= 59 && second <= 59)
            .then(|| Timestamp::in_utc(days * 86_400 + i64::from(hour * 3600 + minute * 60 + second), 0))
    }

    fn thorough(text: &str) -> Result<Self, TimestampError> {
        let mut scan = Scan { bytes: text.as_bytes(), at: 0 };
        let year = scan.number(4, 0..=9999, "a year of four digits")?;
        scan.byte(b"-", "`-`")?;
        let month = scan.number(2, 1..=12, "a month from 01 to 12")?;
        scan.byte(b"-", "`-`")?;
        let day_at = scan.at;
        let day = scan.number(2, 1..=31, "a day of the month")?;
        let days = days_since_1970(year, month, day)
            .ok_or(TimestampError { offset: day_at, expected: "a day of the month" })?;
        let is_lower = scan.byte(b"Tt", "`T` and a time")? == b't';
        let hour = scan.number(2, 0..=23, "an hour from 00 to 23")?;
        scan.byte(b":", "`:`")?;
        let minute = scan.number(2, 0..=59, "a minute from 00 to 59")?;
        scan.byte(b":", "`:` and seconds")?;
        let second_at = scan.at;
        let second = scan.number(2, 0..=60, "a second from 00 to 60")?;
        let (nanos, digits) = scan.fraction()?;
        let zero = match scan.peek() {
            Some(b'z') => Zero::Lower,
            Some(b'+') => Zero::Plus,
            Some(b'-') => Zero::Minus,
            _ => Zero::Upper,
        };
        let offset_minutes = scan.offset()?;
        let leap_second = second == 60;
        let local_minutes = i64::from(hour * 60 + minute);
        let minutes = local_minutes - i64::from(offset_minutes.unwrap_or(0));
        if leap_second && minutes.rem_euclid(24 * 60) != 23 * 60 + 59 {
            return Err(TimestampError {
                offset: second_at,
                expected: "a second below 60, as it is not 23:59 in UTC",
            });
        }
        let seconds = days * 86_400 + minutes * 60 + i64::from(second.min(59));
        let spelling = Spelling { digits, is_lower, zero };
        Ok(Timestamp { seconds, nanos, offset_minutes, leap_second, spelling })
    }

    /// The timestamp of an instant in UTC; instants after the year 9999 become its last second.
    #[must_use]
    pub fn from_unix_seconds(at: UnixSeconds) -> Self {
        let seconds = i64::try_from(at.0).unwrap_or(LAST).min(LAST);
        Timestamp::in_utc(seconds, 0)
    }

    /// The timestamp in UTC of seconds since 1970 (negative before) and nanoseconds that count upwards from there;
    /// `None` outside of the years 0 to 9999, or with a billion nanoseconds or more.
    #[must_use]
    pub fn from_parts(seconds: i64, nanos: u32) -> Option<Self> {
        let fits = (FIRST..=LAST).contains(&seconds) && nanos < 1_000_000_000;
        fits.then(|| Timestamp::in_utc(seconds, nanos))
    }

    fn in_utc(seconds: i64, nanos: u32) -> Self {
        let spelling = Spelling { digits: digits_of(nanos), ..Spelling::default() };
        Timestamp { seconds, nanos, offset_minutes: Some(0), leap_second: false, spelling }
    }

    /// Prints the timestamp as it was spelled: same offset, same digits, same letter case. Only fraction digits past
    /// the ninth are missing.
    ///
    /// ```
    /// for text in ["2026-02-20T00:00:00.500+01:00", "2026-02-20t00:00:00-00:00", "2016-12-31T23:59:60Z"] {
    ///     assert_eq!(web_values::Timestamp::parse(text).unwrap().spelled().to_string(), text);
    /// }
    /// ```
    #[must_use]
    pub const fn spelled(&self) -> impl fmt::Display {
        Spelled(*self)
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, negative before; a leap second counts as the second before it.
    #[must_use]
    pub const fn unix_seconds(&self) -> i64 {
        self.seconds
    }

    /// The fraction in nanoseconds; it counts upwards from [`unix_seconds`](Self::unix_seconds), before 1970 too.
    #[must_use]
    pub const fn subsec_nanos(&self) -> u32 {
        self.nanos
    }

    /// Seconds and nanoseconds: what two spellings of one moment have in common.
    #[must_use]
    pub const fn instant(&self) -> (i64, u32) {
        (self.seconds, self.nanos)
    }

    /// Minutes east of UTC; `None` if the text named no offset and was taken as UTC.
    #[must_use]
    pub const fn offset_minutes(&self) -> Option<i16> {
        self.offset_minutes
    }

    /// Returns true if the text named the leap second 23:59:60.
    #[must_use]
    pub const fn is_leap_second(&self) -> bool {
        self.leap_second
    }

    /// The instant in whole seconds; `None` before 1970.
    #[must_use]
    pub fn to_unix_seconds(&self) -> Option<UnixSeconds> {
        u64::try_from(self.seconds).ok().map(UnixSeconds)
    }
}

const FIRST: i64 = -62_167_219_200; // 0000-01-01T00:00:00Z
const LAST: i64 = 253_402_300_799; // 9999-12-31T23:59:59Z
const OFFSET: &str = "`Z` or an offset such as `+01:00`";

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // With an offset a text may name a UTC time just outside of the four-digit years.
        write_civil(f, self.seconds.clamp(FIRST, LAST), 'T', false)?;
        write_fraction(f, self.nanos, digits_of(self.nanos))?;
        f.write_str("Z")
    }
}

/// A timestamp in the spelling of its text.
struct Spelled(Timestamp);

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Timestamp { seconds, nanos, offset_minutes, leap_second, spelling } = self.0;
        let offset = offset_minutes.unwrap_or(0);
        let separator = if spelling.is_lower { 't' } else { 'T' };
        write_civil(f, seconds + i64::from(offset) * 60, separator, leap_second)?;
        write_fraction(f, nanos, spelling.digits)?;
        let sign = match (offset_minutes, spelling.zero) {
            (None, _) => return Ok(()),
            (Some(0), Zero::Upper) => return f.write_str("Z"),
            (Some(0), Zero::Lower) => return f.write_str("z"),
            (Some(0), Zero::Minus) | (Some(..0), _) => '-',
            (Some(_), _) => '+',
        };
        let offset = offset.unsigned_abs();
        write!(f, "{sign}{:02}:{:02}", offset / 60, offset % 60)
    }
}

/// Writes the date and time of these seconds since 1970, without a fraction.
fn write_civil(f: &mut fmt::Formatter<'_>, seconds: i64, separator: char, leap_second: bool) -> fmt::Result {
    // The printer of dates counts from 1970: shift by whole cycles of 400 years, and the year back.
    const CYCLE: i64 = 146_097 * 86_400;
    let (shifted, years) = if seconds < 0 { (seconds + 5 * CYCLE, 2000) } else { (seconds, 0) };
    let civil = crate::time::Civil::of(u64::try_from(shifted).unwrap_or(0));
    let year = civil.year - years;
    let (month, day, hour, minute) = (civil.month, civil.day, civil.hour, civil.minute);
    let second = civil.second + u64::from(leap_second);
    write!(f, "{year:04}-{month:02}-{day:02}{separator}{hour:02}:{minute:02}:{second:02}")
}

/// Writes the first `digits` digits of the fraction.
fn write_fraction(f: &mut fmt::Formatter<'_>, nanos: u32, digits: u8) -> fmt::Result {
    if digits == 0 {
        return Ok(());
    }
    let fraction = nanos / 10_u32.pow(u32::from(9 - digits.min(9)));
    write!(f, ".{fraction:0width$}", width = usize::from(digits.min(9)))
}

/// How many digits a fraction has without the zeros at its end.
fn digits_of(nanos: u32) -> u8 {
    (0..9u8).find(|digits| nanos.is_multiple_of(10_u32.pow(u32::from(9 - digits)))).unwrap_or(9)
}

impl core::str::FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        Timestamp::parse(text)
    }
}

impl From<UnixSeconds> for Timestamp {
    fn from(at: UnixSeconds) -> Self {
        Timestamp::from_unix_seconds(at)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Timestamp {
    /// Writes the text of `Display`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Timestamp::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// The place where a text stops being a timestamp, and what was expected there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimestampError {
    offset: usize,
    expected: &'static str,
}

impl TimestampError {
    /// The place in bytes from the start of the text.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// What was expected there, such as "a month from 01 to 12".
    #[must_use]
    pub const fn expected(&self) -> &'static str {
        self.expected
    }
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.offset)
    }
}

impl core::error::Error for TimestampError {}

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

    /// Reads a number of exactly `digits` digits within `range`.
    fn number(
        &mut self,
        digits: usize,
        range: core::ops::RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, TimestampError> {
        let found = self.bytes.get(self.at..self.at + digits).unwrap_or_default();
        let is_number = found.len() == digits && found.iter().all(u8::is_ascii_digit);
        let number = found.iter().fold(0, |number, byte| number * 10 + u32::from(byte.wrapping_sub(b'0')));
        if !is_number || !range.contains(&number) {
            return self.fail(expected);
        }
        self.at += digits;
        Ok(number)
    }

    /// Reads the fraction: its nanoseconds and its number of digits; digits past the ninth are
    /// ignored.
    fn fraction(&mut self) -> Result<(u32, u8), TimestampError> {
        if self.peek() != Some(b'.') {
            return Ok((0, 0));
        }
        self.at += 1;
        let start = self.at;
        let mut nanoseconds = 0;
        let mut unit = 100_000_000;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            nanoseconds += u32::from(byte - b'0') * unit;
            unit /= 10;
            self.at += 1;
        }
        if self.at == start {
            return self.fail("a digit of the fraction");
        }
        Ok((nanoseconds, (self.at - start).min(9) as u8))
    }

    /// Reads the offset in minutes east of UTC; `None` if the text ends without one.
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
                let east = (hours * 60 + minutes) as i16;
                if sign == b'-' { -east } else { east }
            }
            Some(_) => return self.fail(OFFSET),
        };
        if self.at == self.bytes.len() { Ok(Some(minutes)) } else { self.fail("the end") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    proptest::proptest! {
        #[test]
        fn the_plain_path_gives_the_thorough_verdict(
            text in "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z",
            at in 0..20_usize,
            other in "[0-9a-zA-Z:+. -]",
        ) {
            let mut damaged = text.clone();
            damaged.replace_range(at..=at, &other);
            for text in [text, damaged] {
                if let Some(time) = Timestamp::plain(&text) {
                    let thorough = Timestamp::thorough(&text).unwrap();
                    proptest::prop_assert_eq!(time, thorough);
                    proptest::prop_assert_eq!(time.spelled().to_string(), thorough.spelled().to_string());
                }
            }
        }
    }

    #[test]
    fn the_plain_path_takes_plain_times_alone() {
        for plain in ["2026-02-20T00:00:00Z", "0000-01-01T23:59:59Z", "2024-02-29T12:34:56Z"] {
            assert_eq!(Timestamp::plain(plain), Timestamp::thorough(plain).ok());
            assert!(Timestamp::plain(plain).is_some());
        }
        for other in
            ["2016-12-31T23:59:60Z", "2026-02-29T00:00:00Z", "2026-02-20T24:00:00Z", "2026-02-20T00:60:00Z"]
        {
            assert_eq!(Timestamp::plain(other), None);
        }
    }

    #[test]
    fn the_spelling_of_a_text_comes_back() {
        for text in [
            "2026-02-20T00:00:00Z",
            "2026-02-20t00:00:00.000z",
            "2026-02-20T01:00:00.50+01:00",
            "2026-02-20T00:00:00-00:00",
            "2026-02-20T00:00:00+00:00",
            "2016-12-31T15:59:60.123456789-08:00",
            "0000-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59-23:59",
            "1969-12-31T23:59:59.5-00:30",
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().spelled().to_string(), text);
        }
        let local = Timestamp::parse_without_offset("2026-02-20T00:00:00").unwrap();
        assert_eq!(local.spelled().to_string(), "2026-02-20T00:00:00");
        assert_eq!(
            Timestamp::from_parts(-1, 50_000_000).unwrap().spelled().to_string(),
            "1969-12-31T23:59:59.05Z"
        );
        // Equal whatever the spelling.
        let parse = |text| Timestamp::parse(text).unwrap();
        assert_eq!(parse("2026-02-20t00:00:00.0z"), parse("2026-02-20T00:00:00Z"));
    }

    #[test]
    fn what_is_read() {
        for (text, seconds, printed) in [
            ("2026-02-20T00:00:00Z", 1_771_545_600, "2026-02-20T00:00:00Z"),
            ("2026-02-20t00:00:00z", 1_771_545_600, "2026-02-20T00:00:00Z"),
            ("2026-02-20T01:00:00+01:00", 1_771_545_600, "2026-02-20T00:00:00Z"),
            ("2026-02-20T00:00:00-00:00", 1_771_545_600, "2026-02-20T00:00:00Z"),
            ("2026-02-20T00:00:00.123456789012345Z", 1_771_545_600, "2026-02-20T00:00:00.123456789Z"),
            ("2026-02-20T00:00:00.050Z", 1_771_545_600, "2026-02-20T00:00:00.05Z"),
            ("1969-12-31T23:59:59.5Z", -1, "1969-12-31T23:59:59.5Z"),
            ("2016-12-31T23:59:60Z", 1_483_228_799, "2016-12-31T23:59:59Z"),
            ("2016-12-31T15:59:60-08:00", 1_483_228_799, "2016-12-31T23:59:59Z"),
            ("2017-01-01T05:29:60.5+05:30", 1_483_228_799, "2016-12-31T23:59:59.5Z"),
            ("2024-02-29T12:00:00Z", 1_709_208_000, "2024-02-29T12:00:00Z"),
            ("0000-02-29T00:00:00Z", -62_162_121_600, "0000-02-29T00:00:00Z"),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540, "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139, "9999-12-31T23:59:59Z"),
        ] {
            let time = Timestamp::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((time.unix_seconds(), time.to_string().as_str()), (seconds, printed), "{text}");
        }
        let time = Timestamp::parse_without_offset("2026-02-20T00:00:00").unwrap();
        assert_eq!((time.unix_seconds(), time.offset_minutes()), (1_771_545_600, None));
        assert!(Timestamp::parse("2016-12-31T23:59:60Z").unwrap().is_leap_second());
    }

    #[test]
    fn what_is_refused_and_where() {
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
            ("2026-02-20T00:00:00", 19),
            ("2026-02-20T00:00:00,5Z", 19),
            ("2026-02-20T00:00:00.Z", 20),
            ("2026-02-20 00:00:00Z", 10),
            ("2026-02-29T00:00:00Z", 8),
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
    fn parts_and_ends() {
        assert_eq!(Timestamp::from_parts(FIRST, 0).unwrap().to_string(), "0000-01-01T00:00:00Z");
        assert_eq!(Timestamp::from_parts(FIRST - 1, 0), None);
        assert_eq!(Timestamp::from_parts(LAST + 1, 0), None);
        assert_eq!(Timestamp::from_parts(0, 1_000_000_000), None);
        assert_eq!(Timestamp::from(UnixSeconds(u64::MAX)).to_string(), "9999-12-31T23:59:59Z");
        assert_eq!(Timestamp::parse("1969-12-31T23:59:59Z").unwrap().to_unix_seconds(), None);
        assert_eq!(UnixSeconds::parse_rfc3339("1970-01-01T00:00:01.9Z"), Some(UnixSeconds(1)));
    }
}
