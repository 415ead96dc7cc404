//! The forms that members of draft -03 must have: URLs, media types, timestamps.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use tct::v03::{EncodeErrorKind, MSitemapItem, MUrlDocument};

fn is_http_uri(text: &str) -> bool {
    // Credentials are refused after the grammar.
    let fault = MUrlDocument::new(text, "", "").map_err(|error| error.kind());
    !matches!(fault, Err(EncodeErrorKind::Fault(_)))
}

fn is_media_type(text: &str) -> bool {
    MUrlDocument::new("https://a/", "", "").unwrap().with_content_media_type(text).is_ok()
}

fn is_timestamp(text: &str) -> bool {
    MSitemapItem::new("https://a/", "https://a/llm/").unwrap().with_last_modified(text).is_ok()
}

#[test]
fn uris() {
    for right in [
        "https://a",
        "http://a:80",
        "https://a:",
        "https://a:65535/",
        "https://a_b/",
        "https://[::1]:1/",
        "https://a/%41",
        "https://u:p@a/",
        "https://a?b",
        "https://a#c",
        "https://a//b",
        "https://[v1.a]/",
        "https://a/;,=@:!$&'()*+",
        "https://1.2.3.256/",
        "https://a/?a/b?c",
        "https://a:00080/",
    ] {
        assert!(is_http_uri(right), "{right}");
    }
    for wrong in [
        "",
        "https://",
        "https:///a",
        "https://:80/",
        "https://@/",
        "https://a:65536",
        "https://a:99999/",
        "https://a:8a/",
        "https://a/%4",
        "https://a/%zz",
        "https://a/|",
        "https://a/{b}",
        "https://a/[b]",
        "https://a/#b#c",
        "https://[::1",
        "https://[::1]a/",
        "https://[::1%25eth0]/",
        "https://[]/",
        "https://u@v@a/",
        "https://a\u{e9}/",
        "https://a/\u{e9}",
        " https://a",
        "https://a\n",
        "https:/a",
        "ftp://a",
        "mailto:a@b",
        "https//a",
        "https://a\\b",
        "https://a/\"",
        "https://a/`",
        "https://a/^",
    ] {
        assert!(!is_http_uri(wrong), "{wrong}");
    }
}

#[test]
fn timestamps() {
    for right in [
        "0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:59:60+01:00",
        "2016-12-31T18:29:60.25-05:30",
        "2000-02-29T00:00:00+23:59",
    ] {
        assert!(is_timestamp(right), "{right}");
    }
    for wrong in [
        "2016-12-31T23:58:60Z",
        "2016-12-31T23:59:61Z",
        "2016-12-31T23:59:60+01:00",
        "1900-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+23:60",
        "2026-01-01T00:00:00",
        "2026-01-01 00:00:00Z",
        "2026-01-01T00:00:00.Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-01T00:00:00Z ",
        "+026-01-01T00:00:00Z",
        "2026-01-01T00:00:00+0:00",
        "2026-01-01T00:00:00\u{e9}",
    ] {
        assert!(!is_timestamp(wrong), "{wrong}");
    }
}

/// Accepts exactly the days that exist, compared with a day-counting calendar over more than a century,
/// including 2000 and 2100.
#[test]
fn the_days_of_a_timestamp_are_those_of_the_calendar() {
    let mut days = std::collections::BTreeSet::new();
    for day in 0..136 * 366 {
        let date = tct::UnixSeconds(day * 86_400).to_string();
        days.insert(date[..10].to_owned());
    }
    for year in 1970..2105 {
        for month in 0..14 {
            for day in 0..33 {
                let date = format!("{year}-{month:02}-{day:02}");
                assert_eq!(is_timestamp(&format!("{date}T00:00:00Z")), days.contains(&date), "{date}");
            }
        }
    }
}

/// Replaces each byte of a timestamp by every other one; only digits in their range remain valid.
#[test]
fn every_byte_of_a_timestamp_counts() {
    let text = "2025-10-21T12:34:56.78+05:30";
    for at in 0..text.len() {
        for byte in 0..0x80_u8 {
            let is_right = match at {
                0..=3 | 9 | 12 | 15 | 18 | 20 | 21 | 24 | 27 => byte.is_ascii_digit(),
                5 => byte == b'1',
                6 | 11 => matches!(byte, b'0'..=b'2'),
                8 => matches!(byte, b'0'..=b'3'),
                14 | 17 | 26 => matches!(byte, b'0'..=b'5'),
                22 => matches!(byte, b'+' | b'-'),
                23 => matches!(byte, b'0' | b'1'),
                _ => byte == text.as_bytes()[at],
            };
            let mut changed = text.as_bytes().to_vec();
            changed[at] = byte;
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(is_timestamp(&changed), is_right, "{changed:?}");
        }
        assert!(!is_timestamp(&text[..at]), "{}", &text[..at]);
    }
}

#[test]
fn a_timestamp_is_in_its_ranges() {
    for (text, is_one) in [
        ("2025-10-21T23:59:59Z", true),
        ("2025-10-21T00:00:00.5+00:00", true),
        ("2025-10-21T24:00:00Z", false),
        ("2025-10-21T23:60:00Z", false),
        ("2016-12-31T23:59:60Z", true),
        ("2016-12-31T23:59:61Z", false),
        ("2016-12-31T22:59:60Z", false),
        ("2017-01-01T00:59:60+01:00", true),
        ("2016-12-31T22:59:60-01:00", true),
        ("2016-12-31T23:59:60+01:00", false),
        ("2025-10-21T12:00:00+23:59", true),
        ("2025-10-21T12:00:00+24:00", false),
        ("2025-10-21T12:00:00+23:60", false),
        ("2025-10-21T12:00:00.Z", false),
        ("2025-10-21t12:00:00Z", false),
        ("2025-10-21T12:00:00z", false),
        ("2025-00-21T12:00:00Z", false),
        ("2025-13-21T12:00:00Z", false),
        ("2025-02-29T12:00:00Z", false),
        ("2024-02-29T12:00:00Z", true),
        ("2000-02-29T12:00:00Z", true),
        ("1900-02-29T12:00:00Z", false),
        ("2025-04-31T12:00:00Z", false),
        ("2025-12-00T12:00:00Z", false),
        ("2025-10-21T12:00:00", false),
    ] {
        assert_eq!(is_timestamp(text), is_one, "{text}");
    }
}

/// Which texts are URIs by RFC 3986 with a host, part by part.
#[test]
fn a_uri_is_right_in_every_part() {
    for (uri, is_one) in [
        ("https://example.com", true),
        ("HTTP://example.com:80/", true),
        ("https://example.com:", true),
        ("https://example.com:65535/", true),
        ("https://example.com:0000065535/", true),
        ("https://example.com:65536/", false),
        ("https://example.com:99999999999/", false),
        ("https://example.com:8x/", false),
        ("https://example.com:80:80/", false),
        ("https://", false),
        ("https:///path", false),
        ("https://:80/", false),
        ("https:example.com", false),
        ("ftp://example.com/", false),
        ("https://a:b@example.com/", true),
        ("https://a@b@example.com/", false),
        ("https://a[@example.com/", false),
        ("https://%41.example/%7Euser", true),
        ("https://%4.example/", false),
        ("https://example.com/%zz", false),
        ("https://example.com/a b", false),
        ("https://example.com/\u{e9}", false),
        ("https://example.com/a:b@c!$&'()*+,;=", true),
        ("https://example.com/[", false),
        ("https://example.com/?a/b?c#d/e?f", true),
        ("https://example.com/#a#b", false),
        ("https://example.com?q", true),
        ("https://example.com#f", true),
        ("https://[::1]/", true),
        ("https://[::1]:80/", true),
        ("https://[::1]x/", false),
        ("https://[::1/", false),
        ("https://[::g]/", false),
        ("https://[]/", false),
        ("https://[v1.a:b]/", true),
        ("https://[VaF.x]/", true),
        ("https://[v.x]/", false),
        ("https://[vg.x]/", false),
        ("https://[v1.]/", false),
        ("https://[v1]/", false),
        ("https://[v1.%41]/", false),
        ("https://[v1.a@b]/", false),
        ("https://[x1.a]/", false),
    ] {
        assert_eq!(is_http_uri(uri), is_one, "{uri}");
    }
    for (media_type, is_one) in [
        ("text/plain", true),
        ("text/plain;charset=utf-8", true),
        ("text/plain \t; \tcharset=\"a \\\"b\\\\\"", true),
        ("a!#$%&'*+-.^_`|~1/b", true),
        ("text", false),
        ("text/", false),
        ("/plain", false),
        ("text/plain;", false),
        ("text/plain ", false),
        ("text/plain;a", false),
        ("text/plain;a=", false),
        ("text/plain;a=\"", false),
        ("text/plain;a=\"\\", false),
        ("text/plain;a=\"\\\"", false),
        ("text/plain;a=\"\u{7f}\"", false),
        ("text/plain;a=\"\n\"", false),
        ("text/plain;a=\"\t\"", true),
        ("text/plain;a=\"\\\n\"", false),
        ("text/plain;=a", false),
        ("text /plain", false),
        ("text/plain, text/html", false),
        ("", false),
    ] {
        assert_eq!(is_media_type(media_type), is_one, "{media_type:?}");
    }
}
