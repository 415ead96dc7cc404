//! Timestamps of documents: milliseconds, in UTC.

use alloc::format;
use alloc::string::{String, ToString as _};

use web_values::Timestamp;

use crate::error::{Quoted, ValueError};

const FIRST: i64 = -62_167_219_200; // 0000-01-01T00:00:00Z
const LAST: i64 = 253_402_300_799; // 9999-12-31T23:59:59Z

/// Reads RFC 3339 with an offset. Digits of the fraction past the third are cut.
///
/// Spec: AIWI-DOC-18, AIWI-AMB-23.
pub(crate) fn parse(text: &str) -> Result<Timestamp, ValueError> {
    // With an offset a text can name an instant outside of the years that can be written.
    let timestamp = Timestamp::parse(text).ok().filter(|time| (FIRST..=LAST).contains(&time.unix_seconds()));
    timestamp
        .map(normal)
        .ok_or_else(|| ValueError::new("an RFC 3339 timestamp with an offset", Quoted(text), "AIWI-DOC-18"))
}

/// The instant in UTC, cut to milliseconds, moved into the years 0 to 9999.
pub(crate) fn normal(timestamp: Timestamp) -> Timestamp {
    let nanos = timestamp.subsec_nanos() / 1_000_000 * 1_000_000;
    Timestamp::from_parts(timestamp.unix_seconds().clamp(FIRST, LAST), nanos).unwrap_or(timestamp)
}

/// Writes UTC with `Z`, in seconds, or milliseconds where there are any.
pub(crate) fn print(timestamp: Timestamp) -> String {
    let millis = timestamp.subsec_nanos() / 1_000_000;
    let seconds = Timestamp::from_parts(timestamp.unix_seconds().clamp(FIRST, LAST), 0)
        .unwrap_or(timestamp)
        .to_string();
    match millis {
        0 => seconds,
        millis => format!("{}.{millis:03}Z", seconds.trim_end_matches('Z')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rfc_3339_and_writes_one_form() {
        for (text, written) in [
            ("2026-05-10T12:34:56Z", "2026-05-10T12:34:56Z"),
            ("2026-05-10t12:34:56z", "2026-05-10T12:34:56Z"),
            ("2026-05-10T12:34:56.5Z", "2026-05-10T12:34:56.500Z"),
            ("2026-05-10T12:34:56.789123Z", "2026-05-10T12:34:56.789Z"),
            ("2026-05-10T12:34:56.0001Z", "2026-05-10T12:34:56Z"),
            ("2026-05-10T14:34:56+02:00", "2026-05-10T12:34:56Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            let read = parse(text);
            assert_eq!(read.clone().map(print).as_deref(), Ok(written), "{text}");
            assert_eq!(parse(written), read, "{text}");
        }
        // The year -1 and the year 10000 in UTC, which could not be written.
        for text in
            ["0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01", "2026-05-10", "2026-05-10T12:34:56"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
