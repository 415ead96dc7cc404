//! RFC 3339 timestamps, read strictly and written in one form.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use jiff::Timestamp as Instant;
use serde::{Serialize, Serializer};

use crate::error::{Quoted, ValueError};
use crate::write::Text;

/// An instant in milliseconds, in the years 0 to 9999 of UTC: what a document can hold.
///
/// Reads the `date-time` of RFC 3339 section 5.6: `T` and `Z` in either case, any number of fraction digits after a
/// point, of which the first three count, second 60 where it is 23:59 in UTC; the offset is required. A leap second
/// becomes the second before it. Writes UTC with `Z`, in seconds, or milliseconds where there are any.
///
/// ```
/// use aidocument::Timestamp;
///
/// let instant: Timestamp = "2026-05-10t14:34:56.7891+02:00".parse()?;
/// assert_eq!(instant.to_string(), "2026-05-10T12:34:56.789Z");
/// assert_eq!(Timestamp::from_millis(instant.as_millis()), Some(instant));
/// assert_eq!(Timestamp::from_millis(i64::MIN), None);
/// # Ok::<(), aidocument::ValueError>(())
/// ```
///
/// Spec: AIWI-DOC-18, AIWI-AMB-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The first millisecond of the year 0.
    pub const MIN: Timestamp = Timestamp(-62_167_219_200_000);
    /// The last millisecond of the year 9999.
    pub const MAX: Timestamp = Timestamp(253_402_300_799_999);

    /// The instant so many milliseconds after 1970-01-01T00:00:00Z; `None` outside the years 0 to 9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        (Timestamp::MIN.0..=Timestamp::MAX.0).contains(&millis).then_some(Timestamp(millis))
    }

    /// Milliseconds after 1970-01-01T00:00:00Z, negative before it.
    #[must_use]
    pub fn as_millis(self) -> i64 {
        self.0
    }
}

impl FromStr for Timestamp {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let instant = parse_shape(text).map(|instant| instant.as_nanosecond().div_euclid(1_000_000));
        instant
            .and_then(|millis| Timestamp::from_millis(i64::try_from(millis).ok()?))
            .ok_or_else(|| ValueError::new("an RFC 3339 timestamp with an offset", Quoted(text), "AIWI-DOC-18"))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = if self.0.rem_euclid(1_000) == 0 { 0 } else { 3 };
        // The years 0 to 9999 are within jiff's.
        let instant = Instant::from_millisecond(self.0).unwrap_or_default();
        write!(f, "{instant:.precision$}")
    }
}

/// The current time of the system's clock is taken by the caller; it is cut to milliseconds.
#[cfg(feature = "std")]
impl TryFrom<std::time::SystemTime> for Timestamp {
    type Error = ValueError;

    fn try_from(time: std::time::SystemTime) -> Result<Self, ValueError> {
        let millis = match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).ok(),
            Err(before) => i64::try_from(before.duration().as_millis()).ok().map(|millis| -millis),
        };
        millis
            .and_then(Timestamp::from_millis)
            .ok_or_else(|| ValueError::new("an instant in the years 0 to 9999", "another", "AIWI-DOC-18"))
    }
}

impl Text for Timestamp {
    fn push_to(&self, out: &mut String) {
        out.push_str(&alloc::format!("\"{self}\""));
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The shape is checked here because jiff's own grammar is wider: it takes a space for the `T`, a comma, times
/// without seconds and RFC 9557 suffixes.
fn parse_shape(text: &str) -> Option<Instant> {
    let bytes = text.as_bytes();
    let (clock, rest) = bytes.split_at_checked(19)?;
    let shape = clock.iter().zip(b"0000-00-00T00:00:00").all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b't'),
        other => byte == other,
    });
    let offset = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => match fraction.iter().position(|byte| !byte.is_ascii_digit())? {
            0 => return None,
            end => fraction.get(end..)?,
        },
    };
    let zone = match offset {
        b"Z" | b"z" => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            let digits = [h1, h2, m1, m2].iter().all(|byte| byte.is_ascii_digit());
            digits && (*h1, *h2) <= (b'2', b'3') && *h1 <= b'2' && *m1 <= b'5'
        }
        _ => false,
    };
    if !(shape && zone) {
        return None;
    }
    // Digits past nanoseconds mean nothing here and more than nine are refused by the parser.
    let fraction = rest.get(..rest.len() - offset.len())?;
    let fraction = fraction.get(..fraction.len().min(10))?;
    let mut plain = alloc::string::String::with_capacity(40);
    for part in [clock, fraction, offset] {
        plain.push_str(core::str::from_utf8(part).ok()?);
    }
    let instant: Instant = plain.to_ascii_uppercase().parse().ok()?;
    let leap = clock.ends_with(b"60");
    let last_minute = instant.as_second().rem_euclid(86_400) >= 86_340;
    (!leap || last_minute).then_some(instant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_rfc_3339_and_nothing_wider() {
        for (text, written) in [
            ("2026-05-10T12:34:56Z", "2026-05-10T12:34:56Z"),
            ("2026-05-10t12:34:56z", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34:56.789123Z", "2026-05-10T12:34:56.789Z"),
            ("2026-05-10T12:34:56.0001Z", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34:56.12345678901234567890Z", "2026-05-10T12:34:56.123Z"),
            ("2026-05-10T14:34:56+02:00", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34:56-00:00", "2026-05-10T12:34:56Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
            ("2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            let read = text.parse::<Timestamp>().map(|instant| alloc::format!("{instant}"));
            assert_eq!(read.as_deref(), Ok(written), "{text}");
        }
        for text in [
            "",
            "2026-05-10",
            "2026-05-10T12:34:56",
            "2026-05-10 12:34:56Z",
            "2026-05-10T12:34Z",
            "2026-05-10T12:34:56,5Z",
            "2026-05-10T12:34:56.Z",
            "2026-05-10T12:34:56+0200",
            "2026-05-10T12:34:56+24:00",
            "2026-05-10T12:34:56+02:60",
            "2026-05-10T12:34:60Z",
            "2026-05-10T24:00:00Z",
            "2026-02-30T12:34:56Z",
            "2026-13-10T12:34:56Z",
            "2026-05-10T12:34:56Z ",
            "2026-05-10T12:34:56Z[UTC]",
            "2026-05-10T12:34:56+02:00[Europe/Paris]",
            "20260510T123456Z",
            "２026-05-10T12:34:56Z",
            // The year -1 in UTC, which could not be written.
            "0000-01-01T00:00:00+01:00",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }
}
