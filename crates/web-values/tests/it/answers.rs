//! What the small readers and getters say, and both sides of each edge.
#![cfg(all(feature = "std", feature = "url"))]
#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::collections::HashSet;
use std::time::{Duration, UNIX_EPOCH};

use web_values::{CacheControl, Place, Timestamp, UnixSeconds, UrlRules, WebUrl, check_url, serialize_url};

#[test]
fn a_flag_of_cache_control_holds_once_it_was_said() {
    let flags = |value: &str| {
        let said = CacheControl::parse([value]);
        [
            said.no_store,
            said.no_cache,
            said.private,
            said.public,
            said.must_revalidate,
            said.proxy_revalidate,
            said.no_transform,
            said.immutable,
        ]
    };
    let names = [
        "no-store",
        "no-cache",
        "private",
        "public",
        "must-revalidate",
        "proxy-revalidate",
        "no-transform",
        "immutable",
    ];
    for (at, name) in names.iter().enumerate() {
        let mut expected = [false; 8];
        *expected.get_mut(at).unwrap() = true;
        // Before, behind and without something else.
        for value in [name.to_string(), format!("{name}, x"), format!("x, {}", name.to_uppercase())] {
            assert_eq!(flags(&value), expected, "{value}");
        }
    }
    assert_eq!(flags(&names.join(", ")), [true; 8]);
    assert_eq!(flags("max-age=1"), [false; 8]);
}

#[test]
fn a_place_has_each_of_its_parts() {
    let place = Place::named("/a").at_byte(7).at_line(2, 3);
    assert_eq!((place.name, place.offset, place.line, place.column), ("/a", Some(7), Some(2), Some(3)));
    assert!(!place.is_whole() && !Place::line(1).is_whole() && !Place::byte(0).is_whole());
    assert_eq!((Place::line(4).line, Place::line(4).column), (Some(4), None));
}

#[test]
fn instants_of_the_system() {
    for (millis, seconds) in [(0, 0), (1_999, 1), (1_760_000_000_000, 1_760_000_000)] {
        let time = UNIX_EPOCH + Duration::from_millis(millis);
        assert_eq!(UnixSeconds::from_system_time(time), UnixSeconds(seconds));
        let whole = UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(UnixSeconds(seconds).to_system_time(), Some(whole));
    }
    assert_eq!(UnixSeconds::from_system_time(UNIX_EPOCH - Duration::from_secs(5)), UnixSeconds(0));
}

#[test]
fn timestamps_differ_in_whatever_they_say() {
    let texts = [
        "2026-05-10T12:34:56Z",
        "2026-05-10T12:34:57Z",
        "2026-05-10T12:34:56.5Z",
        "2026-05-10T14:34:56+02:00",
        "2016-12-31T23:59:59Z",
        "2016-12-31T23:59:60Z",
    ];
    let times = texts.map(|text| Timestamp::parse(text).unwrap());
    for (one, a) in times.iter().enumerate() {
        for (other, b) in times.iter().enumerate() {
            assert_eq!(a == b, one == other, "{a} {b}");
        }
    }
    assert_eq!(times.iter().collect::<HashSet<_>>().len(), 6);
    // The same in another spelling.
    assert_eq!(times.first().copied(), Timestamp::parse("2026-05-10t12:34:56.000z").ok());
    assert_eq!(times.map(|time| time.is_leap_second()), [false, false, false, false, false, true]);
    assert_eq!(times.map(|time| time.offset_minutes()).get(3), Some(&Some(120)));
}

#[test]
fn urls_tell_scheme_and_host() {
    let url = |text: &str| WebUrl::parse(text).unwrap();
    assert!(url("https://a.example/").is_https() && !url("http://a.example/").is_https());
    let a = url("https://a.example/");
    for (text, is_same) in
        [("http://A.example.:8080/x", true), ("https://b.example/", false), ("https://www.a.example/", false)]
    {
        assert_eq!(a.is_same_host(&url(text)), is_same, "{text}");
    }
}

/// Hosts that the short way of reading may take, and those that only look so: whether a name is a number is decided by its
/// last label.
#[test]
fn hosts_that_end_in_a_number_are_addresses_or_nothing() {
    for (text, expected) in [
        ("http://a.example/", Some("http://a.example/")),
        ("http://1.example/", Some("http://1.example/")),
        ("http://a.e1/", Some("http://a.e1/")),
        ("http://a.1e/", Some("http://a.1e/")),
        ("http://1.2.3.4/", Some("http://1.2.3.4/")),
        ("http://0x7f.1/", Some("http://127.0.0.1/")),
        ("http://a.0xe/", None),
        ("http://a.1/", None),
        ("http://a.0x/", None),
        ("http://0xa/", Some("http://0.0.0.10/")),
        ("http://a..b/", Some("http://a..b/")),
        ("http://.a/", Some("http://.a/")),
        ("http://a.b./", Some("http://a.b./")),
    ] {
        let parsed = WebUrl::parse(text);
        assert_eq!(parsed.as_ref().ok().map(WebUrl::as_str), expected, "{text}");
        let serialized = serialize_url(text, UrlRules::default());
        assert_eq!(
            serialized.as_ref().ok().map(web_values::SerializedUrl::as_str),
            parsed.as_ref().ok().map(WebUrl::as_str),
            "{text}"
        );
        assert_eq!(check_url(text, UrlRules::default()).is_ok(), parsed.is_ok(), "{text}");
    }
}

#[test]
fn a_backslash_is_a_character_behind_the_path_only() {
    for (text, is_taken) in [
        ("https://a.example/?a\\b", true),
        ("https://a.example?a\\b", true),
        ("https://a.example/#a\\b", true),
        ("https://a.example/a\\b", false),
        ("https://a.example/a\\?b", false),
        ("https:\\\\a.example/", false),
    ] {
        assert_eq!(WebUrl::parse(text).is_ok(), is_taken, "{text}");
        assert_eq!(serialize_url(text, UrlRules::default()).is_ok(), is_taken, "{text}");
    }
}

#[test]
fn an_escape_has_two_digits_by_rfc_3986() {
    let rules = UrlRules::default().rfc3986();
    for (path, bad) in [
        ("/%41", None),
        ("/%4", Some(18)),
        ("/%4g", Some(18)),
        ("/%g4", Some(18)),
        ("/a%", Some(19)),
        ("/[", Some(18)),
    ] {
        let text = format!("https://a.example{path}");
        let error = WebUrl::parse_with(&text, rules).err();
        assert_eq!(error.map(|error| error.offset()), bad, "{text}");
        assert!(path == "/[" || WebUrl::parse(&text).is_ok(), "{text}");
    }
}
