//! RFC 3339 timestamps, read strictly and written in one form.

use jiff::Timestamp;

use crate::error::{Quoted, ValueError};

/// Reads the `date-time` of RFC 3339 section 5.6.
///
/// `T` and `Z` in either case, any number of fraction digits after a point, second 60 where it is 23:59 in UTC;
/// the offset is required. A leap second becomes the second before it, since [`Timestamp`] has none, and digits
/// past the ninth of a fraction are cut.
///
/// The shape is checked here because jiff's own grammar is wider: it takes a space for the `T`, a comma, times
/// without seconds and RFC 9557 suffixes.
///
/// Spec: AIWI-DOC-18, AIWI-AMB-23.
pub(crate) fn parse(text: &str) -> Result<Timestamp, ValueError> {
    parse_shape(text)
        .ok_or_else(|| ValueError::new("an RFC 3339 timestamp with an offset", Quoted(text), "AIWI-DOC-18"))
}

/// Writes UTC with `Z`, in seconds, or milliseconds where there are any.
pub(crate) fn print(instant: Timestamp) -> alloc::string::String {
    let precision = if instant.subsec_nanosecond() / 1_000_000 == 0 { 0 } else { 3 };
    alloc::format!("{instant:.precision$}")
}

fn parse_shape(text: &str) -> Option<Timestamp> {
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
    let instant: Timestamp = plain.to_ascii_uppercase().parse().ok()?;
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
        ] {
            assert_eq!(parse(text).map(print).as_deref(), Ok(written), "{text}");
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
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
