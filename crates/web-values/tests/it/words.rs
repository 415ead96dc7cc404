//! What errors, kinds of hosts and severities are called, and the rule that a refused identity breaks.
#![cfg(all(feature = "agent", feature = "url", feature = "language"))]
#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use web_values::{
    AiWebIndexAgent, AiWebIndexVersion, HostKind, Language, MediaType, Severity, UrlRules, WebUrl,
};

#[test]
fn a_refused_url_has_a_kind_and_a_sentence() {
    let plain = UrlRules::default();
    for (text, rules, kind, sentence) in [
        ("a", plain, "not-absolute", "expected an absolute http(s) URL"),
        ("ftp://a.example/", plain, "scheme", "expected the scheme https or http, found another"),
        ("https://", plain, "no-host", "expected a host at byte 8"),
        ("https://a.example/ b", plain, "character", "expected a character that a URL may hold at byte 18"),
        (
            "https://a.example:99999/",
            plain,
            "malformed",
            "expected a host and port that the URL Standard accepts at byte 8",
        ),
        ("http://a.example/", plain.https_only(), "insecure", "expected the scheme https, found http"),
        (
            "https://u@a.example/",
            plain,
            "credentials",
            "expected a URL without user name and password, found some at byte 8",
        ),
    ] {
        let error = WebUrl::parse_with(text, rules).unwrap_err();
        assert_eq!((error.kind().as_str(), error.to_string().as_str()), (kind, sentence), "{text}");
    }
}

#[test]
fn hosts_print_what_they_are() {
    for (host, text, is_public, is_address) in [
        ("a.com", "a public name", true, false),
        ("a.example", "a name reserved for documentation", true, false),
        ("a.local", "a name under the special-use domain local", false, false),
        ("localhost", "a name under the special-use domain localhost", false, false),
        ("intranet", "a name of one label", false, false),
        ("8.8.8.8", "a public address", true, true),
        ("10.0.0.1", "an address of the range 10.0.0.0/8 (private use)", false, true),
        ("a..b", "not a host", false, false),
    ] {
        let kind = HostKind::of(host);
        assert_eq!(
            (kind.to_string().as_str(), kind.is_public(), kind.is_address()),
            (text, is_public, is_address),
            "{host}"
        );
    }
}

/// Each class of fault breaks a rule of the version that was asked for.
#[test]
fn a_refused_identity_names_the_rule_of_its_version() {
    for (version, prefix) in [(AiWebIndexVersion::V1, "AIWI-UA-"), (AiWebIndexVersion::V2, "AIWI2-UA-")] {
        let (product, builder) = (version.product(), AiWebIndexAgent::builder(version));
        let refused = [
            (
                AiWebIndexAgent::check("x", version),
                "1",
                format!("expected `{product}` and then a space or the end at byte 0"),
            ),
            (
                AiWebIndexAgent::check(&format!("{product} curl/8"), version),
                "4",
                "expected no name of a browser, search crawler or HTTP library at byte 15".to_owned(),
            ),
            (
                builder.implementation("a(b").build(),
                "2",
                "expected printable ASCII without `(`, `)`, `\\` and separators at byte 1".to_owned(),
            ),
            (
                builder.info_url("ftp://a.example").build(),
                "2",
                "expected an absolute http or https URL with a host at byte 0".to_owned(),
            ),
            (
                builder.implementation(" ").build(),
                "2",
                "expected a name of at least one visible character at byte 0".to_owned(),
            ),
            (
                builder.implementation("verification").build(),
                "3",
                "expected a name without the word `verification` at byte 0".to_owned(),
            ),
        ];
        for (refused, rule, sentence) in refused {
            let error = refused.unwrap_err();
            assert_eq!(
                (error.to_string(), error.requirement().to_owned()),
                (sentence, format!("{prefix}{rule}"))
            );
        }
    }
}

#[test]
fn other_words() {
    for (severity, word) in
        [(Severity::Notice, "notice"), (Severity::Warning, "warning"), (Severity::Error, "error")]
    {
        assert_eq!((severity.as_str(), severity.to_string().as_str()), (word, word));
    }
    assert!(Severity::Notice < Severity::Warning && Severity::Warning < Severity::Error);
    let error = Language::parse("en_US").unwrap_err();
    assert_eq!(error.to_string(), "expected a BCP 47 language tag such as en-US");
    let error = "text".parse::<MediaType>().unwrap_err();
    assert_eq!(error.to_string(), "expected a media type such as text/html");
}
