//! What values say of themselves, one by one: caches, hosts, links, languages, times, URLs.
#![cfg(all(
    feature = "std",
    feature = "url",
    feature = "language",
    feature = "agent",
    feature = "http",
    feature = "serde"
))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use web_values::{
    AiWebIndexAgent, AiWebIndexVersion, CacheControl, Finding, HostKind, Language, MediaType, Place,
    RetryAfter, Severity, Timestamp, UnixSeconds, UrlRules, WebUrl, check_url, links_in, serialize_url,
};

/// A copy is used without asking only where nothing forbids it.
#[test]
fn one_word_is_enough_to_ask_again() {
    for (line, is_fresh) in [
        ("max-age=60", true),
        ("max-age=60, no-store", false),
        ("max-age=60, no-cache", false),
        ("max-age=60, no-store, no-cache", false),
        ("public", false),
    ] {
        assert_eq!(CacheControl::parse([line]).is_fresh(59), is_fresh, "{line}");
        assert!(!CacheControl::parse([line]).is_fresh(60), "{line}");
    }
    for (line, may_use) in [
        ("stale-if-error=60", true),
        ("stale-if-error=60, no-store", false),
        ("stale-if-error=60, no-cache", false),
        ("stale-if-error=60, must-revalidate", false),
        ("stale-if-error=60, private", true),
    ] {
        assert_eq!(CacheControl::parse([line]).may_use_stale(60, true), may_use, "{line}");
        assert!(!CacheControl::parse([line]).may_use_stale(61, true), "{line}");
    }
}

/// A comma inside of quotation marks separates nothing, and a backslash escapes there alone.
#[test]
fn directives_in_quotation_marks_are_text() {
    for (line, no_store) in [
        (r#"x="a, no-store, b", max-age=5"#, false),
        (r#"x="a\", no-store, b", max-age=5"#, false),
        (r#"x="a", no-store, max-age=5"#, true),
        (r"x=\, no-store, max-age=5", true),
        (r"x=a\,no-store, max-age=5", true),
        (r#"x="a\\", no-store, max-age=5"#, true),
    ] {
        let read = CacheControl::parse([line]);
        assert_eq!((read.no_store, read.max_age_secs), (no_store, Some(5)), "{line}");
    }
}

/// A finding has no requirement unless it names one, and only an error is one.
#[test]
fn a_finding_says_what_it_is() {
    struct Found(Severity);
    impl Finding for Found {
        fn severity(&self) -> Severity {
            self.0
        }
        fn code(&self) -> &'static str {
            "found"
        }
        fn place(&self) -> Place<'_> {
            Place::default()
        }
        fn message(&self) -> Cow<'_, str> {
            "expected nothing".into()
        }
    }
    for (severity, is_error) in
        [(Severity::Notice, false), (Severity::Warning, false), (Severity::Error, true)]
    {
        let found = Found(severity);
        assert_eq!((found.is_error(), found.requirement()), (is_error, None));
        assert!(found.place().is_whole());
    }
}

/// The longest name that the DNS can hold has 253 octets; a final dot is not one of them.
#[test]
fn names_have_at_most_253_octets() {
    let label = "a".repeat(63);
    let name = |len: usize| format!("{label}.{label}.{label}.{}.com", "b".repeat(len - 3 * 64 - 4));
    assert_eq!(HostKind::of(&name(253)), HostKind::PublicName);
    assert_eq!(HostKind::of(&format!("{}.", name(253))), HostKind::PublicName);
    assert_eq!(HostKind::of(&name(254)), HostKind::Invalid);
}

/// An address inside of another one is what counts, with all of its octets.
#[test]
fn a_wrapped_address_is_in_the_range_of_the_inner_one() {
    for (host, range, is_reachable) in [
        ("[64:ff9b:1:c000:2:100::]", "192.0.2.0/24", false),
        ("[64:ff9b:1:c633:64:100::]", "198.51.100.0/24", false),
        ("[64:ff9b::192.0.2.1]", "192.0.2.0/24", false),
        ("127.0.0.1", "127.0.0.0/8", false),
        ("192.0.0.9", "192.0.0.9/32", true),
    ] {
        let HostKind::SpecialAddress(found) = HostKind::of(host) else { panic!("{host}") };
        assert!(found.to_string().starts_with(range), "{host}: {found}");
        assert_eq!(found.is_globally_reachable(), is_reachable, "{host}");
    }
}

/// A day has 24 hours of 60 minutes, and at most one second more.
#[test]
fn a_date_has_a_time_of_the_day() {
    let read =
        |time: &str| UnixSeconds::parse_http_date(&format!("Sun, 06 Nov 1994 {time} GMT"), UnixSeconds(0));
    for time in ["23:59:59", "23:59:60", "00:00:00"] {
        assert!(read(time).is_some(), "{time}");
    }
    for time in ["24:00:00", "23:60:00", "23:59:61", "23:59", "23:59:59:00"] {
        assert_eq!(read(time), None, "{time}");
    }
}

#[test]
fn a_language_is_a_tag() {
    let german: Language = "de-AT".parse().unwrap();
    assert_eq!((german.to_string().as_str(), german.as_ref()), ("de-AT", "de-AT"));
    assert!(german.is_same(&Language::parse("DE-at").unwrap()));
    assert!(!german.is_same(&Language::parse("de").unwrap()));
    let read: Language = serde_json::from_str("\"de-AT\"").unwrap();
    assert_eq!(read, german);
    assert!(serde_json::from_str::<Language>("\"de_AT\"").is_err());
}

#[test]
fn a_links_target_is_seen_from_its_page() {
    let base = url::Url::parse("https://a.example/b/c").unwrap();
    let targets =
        |line: &str| links_in(line).map(|link| link.resolve(&base).map(String::from)).collect::<Vec<_>>();
    assert_eq!(
        targets("</x>; rel=a, <y>; rel=b"),
        [Some("https://a.example/x".to_owned()), Some("https://a.example/b/y".to_owned())]
    );
    assert_eq!(targets("<https://:x>; rel=a"), [None]);
}

#[test]
fn media_types_have_families() {
    for (text, is_xml, is_html, is_json) in [
        ("application/xml", true, false, false),
        ("text/xml; charset=utf-8", true, false, false),
        ("image/svg+xml", true, false, false),
        ("text/html; charset=utf-8", false, true, false),
        ("application/json", false, false, true),
        ("text/plain", false, false, false),
    ] {
        let media_type = MediaType::parse(text).unwrap();
        assert_eq!(
            (media_type.is_xml(), media_type.is_html(), media_type.is_json()),
            (is_xml, is_html, is_json)
        );
    }
}

#[test]
fn a_pause_is_seconds() {
    let pause = RetryAfter::parse(["90"], None, UnixSeconds(0)).unwrap();
    assert_eq!((pause.to_string().as_str(), pause.as_duration()), ("90", Duration::from_secs(90)));
    assert_eq!((pause.at_most(60).secs(), pause.at_most(120).secs()), (60, 90));
}

#[test]
fn instants_are_counted_from_1970() {
    let time: SystemTime = UNIX_EPOCH + Duration::from_secs(7);
    assert_eq!(UnixSeconds::from(time), UnixSeconds(7));
    assert_eq!(UnixSeconds(7).saturating_sub(5), UnixSeconds(2));
    assert_eq!(UnixSeconds(7).saturating_sub(9), UnixSeconds(0));
}

#[test]
fn a_timestamp_keeps_its_fraction_and_says_what_is_wrong() {
    let time = Timestamp::parse("2026-05-10T12:34:56.25Z").unwrap();
    assert_eq!(time.subsec_nanos(), 250_000_000);
    assert_eq!(Timestamp::parse("2026-05-10T12:34:56Z").unwrap().subsec_nanos(), 0);
    let error = Timestamp::parse("2026-13-10T12:34:56Z").unwrap_err();
    assert_eq!((error.offset(), error.expected()), (5, "a month from 01 to 12"));
    assert_eq!(error.to_string(), "expected a month from 01 to 12 at byte 5");
    // Two spellings of one time are one in a set.
    let hash = |text: &str| {
        use std::hash::{BuildHasher as _, RandomState};
        thread_local!(static STATE: RandomState = RandomState::new());
        STATE.with(|state| state.hash_one(Timestamp::parse(text).unwrap()))
    };
    assert_eq!(hash("2026-05-10T12:34:56Z"), hash("2026-05-10t12:34:56.0z"));
    assert_ne!(hash("2026-05-10T12:34:56Z"), hash("2026-05-10T12:34:57Z"));
}

#[test]
fn urls_are_compared_by_their_text() {
    let texts = ["https://a.example/", "https://a.example/b", "https://b.example/"];
    let urls = texts.map(|text| WebUrl::parse(text).unwrap());
    for (one, a) in urls.iter().enumerate() {
        for (other, b) in urls.iter().enumerate() {
            assert_eq!(a == b, one == other, "{a} {b}");
            assert_eq!(a.partial_cmp(b), Some(one.cmp(&other)), "{a} {b}");
        }
    }
    assert_eq!(urls.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), texts);
    // The same in another spelling, and in a set.
    let again = WebUrl::parse("HTTPS://A.example").unwrap();
    let set: HashSet<_> = urls.iter().cloned().collect();
    assert!(set.contains(&again) && set.len() == 3);
    use std::hash::{BuildHasher as _, RandomState};
    let state = RandomState::new();
    assert_ne!(state.hash_one(&urls[0]), state.hash_one(&urls[1]));
}

/// A URL in the serialiser's form is not copied.
#[test]
fn plain_urls_are_borrowed() {
    let rules = UrlRules::default();
    for text in ["https://a.example/", "http://a.example/", "https://a.example/a?b=c", "https://a.example/~a"]
    {
        let url = serialize_url(text, rules).unwrap();
        assert!(matches!(url.into_text(), Cow::Borrowed(borrowed) if borrowed == text), "{text}");
        assert!(matches!(check_url(text, rules).unwrap().host, Cow::Borrowed("a.example")), "{text}");
    }
    for (text, written) in [
        ("https://a.example", "https://a.example/"),
        ("https://a.example/./a", "https://a.example/a"),
        ("https://a.example:443/a", "https://a.example/a"),
    ] {
        assert_eq!(serialize_url(text, rules).unwrap().into_text(), written, "{text}");
    }
}

#[test]
fn what_the_rules_refuse_is_refused_on_every_way() {
    let https = UrlRules::default().https_only();
    for text in ["http://a.example/", "http://a.example/a b", "HTTP://a.example/"] {
        assert!(serialize_url(text, https).is_err() && check_url(text, https).is_err(), "{text}");
    }
    assert!(serialize_url("https://a.example/", https).is_ok());
    let rules = UrlRules::default();
    for text in ["https://u@a.example/", "https://:p@a.example/", "https://u:p@a.example/"] {
        assert!(serialize_url(text, rules).is_err() && check_url(text, rules).is_err(), "{text}");
    }
}

/// The place of a name in a comment is that of the word itself.
#[test]
fn a_borrowed_name_is_pointed_at() {
    let offset = |tail: &str| {
        let text = format!("AIWebIndex/1.0 {tail}");
        AiWebIndexAgent::check(&text, AiWebIndexVersion::V1).unwrap_err().offset() - 15
    };
    assert_eq!(offset("curl/8"), 0);
    assert_eq!(offset("my-own;curl/8"), 7);
    assert_eq!(offset("(a; b; c-curl)"), 9);
}
