use alloc::format;
use alloc::vec;

use super::*;
use WebUrlErrorKind::*;

/// Texts that either syntax refuses, with the kind and the offset of each error.
const REFUSED: [(&str, WebUrlErrorKind, usize); 28] = [
    ("", NotAbsolute, 0),
    ("not-a-url", NotAbsolute, 0),
    ("://broken", NotAbsolute, 0),
    ("/llm/faq", NotAbsolute, 0),
    ("//host/llm", NotAbsolute, 0),
    ("https:example.com", NotAbsolute, 6),
    ("https:/example.com", NotAbsolute, 6),
    ("https:\\\\example.com", NotAbsolute, 6),
    (" https://example.com", NotAbsolute, 0),
    ("ftp://example.com", Scheme, 0),
    ("javascript:alert(1)", Scheme, 0),
    ("data:text/plain,x", Scheme, 0),
    ("file:///etc/passwd", Scheme, 0),
    ("https://", NoHost, 8),
    ("https:///evil.example", NoHost, 8),
    ("https://?q", NoHost, 8),
    ("https://:443/", NoHost, 8),
    ("https://user@/", NoHost, 13),
    ("https://./", NoHost, 8),
    ("https://example.com ", Character, 19),
    ("https://example.com/a b", Character, 21),
    ("https://exam ple.com/", Character, 12),
    ("https://example.com/\u{7}", Character, 20),
    ("https://example.com/a\tb", Character, 21),
    ("https://good.example\\@evil.example", Character, 20),
    ("https://example.com:99999/", Malformed, 8),
    ("https://[::1/", Malformed, 8),
    ("https://1.2.3.400/", Malformed, 8),
];

#[test]
fn what_is_refused_and_where() {
    for (text, kind, offset) in REFUSED {
        for rules in [UrlRules::default(), UrlRules::default().keeping_credentials()] {
            let error = WebUrl::parse_with(text, rules).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, offset), "{text}");
            assert_eq!(check_url(text, rules).unwrap_err(), error, "{text}");
        }
        // There the `\` counts as a character of the user information.
        let strict = check_url(text, UrlRules::default().rfc3986()).unwrap_err();
        assert_eq!((strict.kind(), strict.offset()), (kind, offset), "{text}");
    }
    for (text, offset) in [
        ("https://example.com/%zz", 20),
        ("https://example.com/{id}", 20),
        ("https://example.com/?a|b", 22),
        ("https://example.com/#a#b", 22),
        ("https://a@b@example.com/", 9),
        ("https://example.com/[", 20),
    ] {
        let error = check_url(text, UrlRules::default().rfc3986()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (Character, offset), "{text}");
        assert!(WebUrl::parse_with(text, UrlRules::default().keeping_credentials()).is_ok(), "{text}");
    }
}

#[test]
fn hosts() {
    for (text, host) in [
        ("https://example.com", "example.com"),
        ("HTTPS://EXAMPLE.com./", "example.com"),
        ("http://example.com:8080/a?b=c#d", "example.com"),
        ("https://m\u{fc}ller.example/\u{fc}", "xn--mller-kva.example"),
        ("https://[::1]:8443/x", "[::1]"),
        ("https://127.0.0.1/", "127.0.0.1"),
        ("https://2130706433/", "127.0.0.1"),
        ("https://localhost/%41?a=%20", "localhost"),
    ] {
        assert_eq!(check_url(text, UrlRules::default().rfc3986()).unwrap().host, host, "{text}");
        let url = WebUrl::parse(text).unwrap();
        assert_eq!(url.comparable_host(), host, "{text}");
        assert_eq!(url.host_kind(), check_url(text, UrlRules::default()).unwrap().host_kind(), "{text}");
    }
    assert!(
        WebUrl::parse("https://a.de./").unwrap().is_same_host(&WebUrl::parse("http://A.de:8080/").unwrap())
    );
}

#[test]
fn rules_on_scheme_and_credentials() {
    let kind = |text, rules| WebUrl::parse_with(text, rules).map_err(|error| error.kind());
    let https = UrlRules::default().https_only();
    assert_eq!(kind("http://a.de/", https).unwrap_err(), Insecure);
    assert_eq!(check_url("http://a.de/", https).unwrap_err().kind(), Insecure);
    assert!(kind("https://a.de/", https).is_ok());

    let text = "https://ada:secret@a.de/x";
    let refused = WebUrl::parse(text).unwrap_err();
    assert_eq!((refused.kind(), refused.offset()), (Credentials, 8));
    assert!(!refused.to_string().contains("secret"));
    let kept = kind(text, UrlRules::default().keeping_credentials()).unwrap();
    assert_eq!((kept.as_str(), kept.as_given()), (text, text));
    let dropped = kind(text, UrlRules::default().dropping_credentials()).unwrap();
    assert_eq!((dropped.as_str(), dropped.as_given()), ("https://a.de/x", "https://a.de/x"));
    assert!(check_url(text, UrlRules::default().dropping_credentials()).unwrap().has_userinfo);
}

#[test]
fn spellings_of_one_url_are_equal() {
    let given = WebUrl::parse("https://A.de:443/#x").unwrap();
    let plain = WebUrl::parse("https://a.de/#x").unwrap();
    assert_eq!(given, plain);
    assert_eq!(given.cmp(&plain), Ordering::Equal);
    assert_eq!(given.as_given(), "https://A.de:443/#x");
    assert_eq!(alloc::format!("{given:?} {given}"), "WebUrl(https://A.de:443/#x) https://a.de/#x");
    assert_eq!(given.without_fragment().as_given(), "https://a.de/");
    assert_eq!(plain.clone().without_fragment().as_str(), "https://a.de/");
    assert!(WebUrl::try_from(Url::parse("mailto:a@b.de").unwrap()).is_err());
    assert_eq!(String::from(plain), "https://a.de/#x");
}

#[test]
fn facts() {
    let rules = UrlRules::default().keeping_credentials();
    let facts = check_url("HTTPS://u@b.example/\u{fc}#", rules).unwrap();
    assert!(facts.is_https && !facts.is_scheme_lower_case && !facts.is_ascii);
    assert!(facts.has_userinfo && facts.has_fragment && facts.has_parameters);
    assert!(!check_url("https://b.example/a:b", rules).unwrap().has_parameters);
}

#[cfg(feature = "serde")]
#[test]
fn json() {
    let url: WebUrl = serde_json::from_str("\"https://A.de\"").unwrap();
    assert_eq!(serde_json::to_string(&url).unwrap(), "\"https://a.de/\"");
    assert!(serde_json::from_str::<WebUrl>("\"https:///a.de\"").is_err());
}

proptest::proptest! {
    #[test]
    fn the_plain_path_gives_the_thorough_verdict(
        text in "https?://[a-z0-9.-]{0,12}[/?]?[a-zA-Z0-9/?&=%.~:@;-]{0,8}",
        rfc3986: bool,
    ) {
        let rules = UrlRules { rfc3986, ..UrlRules::default() };
        if let Some(facts) = plain(&text) {
            proptest::prop_assert_eq!(Ok(facts), thorough(&text, rules));
        }
    }

    #[test]
    fn checking_and_parsing_agree(text in "(https?|HTTP):?/{0,3}([a-z]{0,2}@)?[a-z0-9.:\\[\\]-]{0,8}[/?#]?[ -~]{0,8}") {
        for rules in [
            UrlRules::default(),
            UrlRules::default().rfc3986().https_only(),
            UrlRules::default().dropping_credentials(),
            UrlRules::default().keeping_credentials(),
        ] {
            let checked = check_url(&text, rules).map(|facts| facts.host.into_owned());
            let parsed = WebUrl::parse_with(&text, rules);
            match (checked, &parsed) {
                (Ok(host), Ok(url)) => {
                    proptest::prop_assert_eq!(host, url.comparable_host());
                    let again = WebUrl::parse_with(url.as_str(), UrlRules::default().keeping_credentials());
                    proptest::prop_assert_eq!(again.as_ref(), Ok(url));
                }
                (Err(checked), Err(parsed)) => proptest::prop_assert_eq!(checked.kind(), parsed.kind()),
                (checked, parsed) => proptest::prop_assert!(false, "{text}: {checked:?}, {parsed:?}"),
            }
        }
    }
}

/// The fast path produces the same serialised form as the parser.
#[test]
fn serialized_texts_are_the_parsers() {
    let rules = UrlRules::default().dropping_credentials();
    let hosts = [
        "a.example",
        "A.example",
        "a.example:443",
        "a.example:80",
        "u@a.example",
        "1.2.3.4",
        "a.example.",
        "xn--a",
        "b\u{fc}.example",
    ];
    let tails = [
        "",
        "/",
        "/a/b.c",
        "/./a",
        "/a/../b",
        "/a/.b",
        "/a%2e%2E/",
        "/%2e/b",
        "/%20%zz",
        "/a?b=c'd",
        "/a'b",
        "/a#b#c",
        "/a b",
        "/\u{e9}",
        "/[x]",
        "?q",
        "#f",
        "/a;b=c@d:e,f!$&()*+~_",
        "//",
        "/a//..",
        "/{x}",
        "/a|b^c`d",
        "/%41",
        "/a\\b",
        "/a?b\\c",
        "?a\\b",
        "#a\\b",
    ];
    for scheme in ["https", "http", "HTTP"] {
        for host in hosts {
            for tail in tails {
                let text = alloc::format!("{scheme}://{host}{tail}");
                let parsed = WebUrl::parse_with(&text, rules);
                let serialized = serialize_url(&text, rules);
                assert_eq!(serialized.as_ref().err(), parsed.as_ref().err(), "{text}");
                if let (Ok(serialized), Ok(parsed)) = (serialized, parsed) {
                    assert_eq!(serialized.as_str(), parsed.as_str(), "{text}");
                    assert_eq!(Some(serialized.host()), parsed.host_str(), "{text}");
                    assert_eq!(serialized.has_dropped_credentials(), host.contains('@'), "{text}");
                }
            }
        }
    }
}

/// The fast paths accept the characters of most URLs, and nothing that the parser would change.
#[test]
fn the_short_ways_take_plain_texts_and_leave_the_others() {
    for (text, len) in [
        ("a.example/x", Some(9)),
        ("a-b.c1.example", Some(14)),
        ("1.example", Some(9)),
        ("a.example:80", Some(9)),
        ("", None),
        ("/", None),
        (".a", None),
        ("a..b", None),
        ("a.", None),
        ("-a", None),
        ("a-.b", None),
        ("a.-b", None),
        // Punycode, and a label at the end that may be a number.
        ("xn--a.example", None),
        ("a.1", None),
        ("a.0x1", None),
    ] {
        assert_eq!(plain_host_len(text.as_bytes()), len, "{text}");
    }
    let long = format!("{}.example", "a.".repeat(122));
    assert_eq!((long.len(), plain_host_len(long.as_bytes())), (252, None), "an empty label");
    let longest = format!("{}b", "a.".repeat(126));
    assert_eq!((longest.len(), plain_host_len(longest.as_bytes())), (253, Some(253)));
    assert_eq!(plain_host_len(format!("a{longest}").as_bytes()), None);

    let rules = UrlRules::default();
    for byte in 0..=0x7f_u8 {
        let text = format!("https://a.example/a{}aaaaaaaaaaaaaaaaa", char::from(byte));
        let is_common = byte.is_ascii_alphanumeric() || b"-./:;_=?&".contains(&byte);
        assert_eq!(is_unchanged(text.as_bytes()), is_common, "{text:?}");
        // Whatever one of them takes, the parser leaves as it is.
        let tail = format!("/a{}a", char::from(byte));
        let is_kept =
            Url::parse(&format!("https://a.example{tail}")).is_ok_and(|url| url.as_str().ends_with(&tail));
        assert!(is_kept || !is_unchanged_tail(tail.as_bytes(), rules), "{tail:?}");
        assert!(is_kept || !is_common, "{tail:?}");
    }
    for (tail, is_plain) in [
        ("/", true),
        ("/a/b.html?c=d&e=(f)~#g", true),
        ("/a2/2", true),
        ("/%C3%A4", true),
        ("/a/./b", false),
        ("/a/../b", false),
        ("/.well-known/x", false),
        ("/a/%2e%2E/b", false),
        ("/a/.%2e/b", false),
        ("/it's", false),
        ("/a?it's", false),
        ("/a b", false),
        ("/a#b#c", false),
    ] {
        assert_eq!(is_unchanged_tail(tail.as_bytes(), rules), is_plain, "{tail}");
        let row = format!("https://a.example{tail}/0123456789abcdef");
        let is_common = is_plain && !tail.contains(['%', '#']);
        assert_eq!(is_unchanged(row.as_bytes()), is_common, "{row}");
    }
    // Sixteen bytes at a time: no place of a row escapes, nor the last one, which overlaps the one before.
    for len in 17..70 {
        for at in 1..len {
            let mut text = vec![b'a'; len];
            assert!(is_unchanged(&text), "{len}");
            text[at] = b'{';
            assert!(!is_unchanged(&text), "{at} of {len}");
        }
    }
}

/// What was given stays beside the serialiser's form, unless it had credentials that are dropped.
#[test]
fn the_given_text_is_kept_without_dropped_credentials() {
    let rules = UrlRules::default();
    for (text, rules, given, url) in [
        ("https://A.example", rules, "https://A.example", "https://a.example/"),
        ("https://A.example", rules.dropping_credentials(), "https://A.example", "https://a.example/"),
        ("https://a.example/", rules.dropping_credentials(), "https://a.example/", "https://a.example/"),
        ("https://u:p@A.example/", rules.dropping_credentials(), "https://a.example/", "https://a.example/"),
        ("https://u@A.example/", rules.dropping_credentials(), "https://a.example/", "https://a.example/"),
        ("https://:p@A.example/", rules.dropping_credentials(), "https://a.example/", "https://a.example/"),
        (
            "https://u:p@A.example/",
            rules.keeping_credentials(),
            "https://u:p@A.example/",
            "https://u:p@a.example/",
        ),
    ] {
        let read = WebUrl::parse_with(text, rules).unwrap();
        assert_eq!((read.as_given(), read.as_str()), (given, url), "{text}");
    }
}
