//! What is not understood never widens what may be done.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use covers::covers;
use signals::{
    Purpose, RslAsset, RslCaller, RslCountry, RslDocument, RslErrorKind, RslState, RslVerdict, SignalSource,
    Signals, TdmRep, Verdict, decide,
};

fn licence(attributes: &str, members: &str) -> Result<RslDocument, signals::RslError> {
    RslDocument::parse(&format!(
        "<rsl xmlns=\"https://rslstandard.org/rsl\"><content {attributes}><license>{members}</license></content></rsl>"
    ))
}

fn verdict(document: &RslDocument, country: &str) -> (RslVerdict, Vec<String>) {
    let asset = RslAsset::new("https://example.com/a".parse().unwrap());
    let caller = RslCaller::default().country(country.parse().unwrap());
    let uses = document.judge(&asset, &caller).unwrap_or_default();
    (uses.ai_train.verdict, uses.ai_train.obligations)
}

/// A caller cannot slip past a prohibition by another name of its country, and a licence cannot prohibit nobody.
#[test]
fn a_country_has_one_name() {
    for text in ["UK", "Germany", "DEU", "EU", "", "EL"] {
        assert!(text.parse::<RslCountry>().is_err(), "{text}");
    }
    let prohibits = |words: &str| {
        licence(
            "url=\"/\"",
            &format!("<permits type=\"usage\">all</permits><prohibits type=\"geo\">{words}</prohibits>"),
        )
    };
    assert_eq!(verdict(&prohibits("GB").unwrap(), "gb").0, RslVerdict::Unlisted);
    assert_eq!(verdict(&prohibits("EU").unwrap(), "GR").0, RslVerdict::Unlisted);
    assert_eq!(verdict(&prohibits("DE").unwrap(), "FR").0, RslVerdict::Permitted);
    for words in ["UK", "EL", "de", "Germany"] {
        assert_eq!(prohibits(words).unwrap_err().kind(), RslErrorKind::NotConformant, "{words}");
    }
}

/// Whatever is not a clear no to `encrypted` asks for the token.
#[test]
fn encrypted_is_read_strictly() {
    for (value, asks) in [
        ("true", true),
        ("TRUE", true),
        ("yes", true),
        ("1", true),
        ("on", true),
        ("maybe", true),
        ("false", false),
        ("FALSE", false),
        ("0", false),
        ("", false),
    ] {
        let document =
            licence(&format!("url=\"/\" encrypted=\"{value}\""), "<permits type=\"usage\">all</permits>")
                .unwrap();
        let expected: &[&str] = if asks { &["licence-token"] } else { &[] };
        assert_eq!(verdict(&document, "DE").1, expected, "{value}");
    }
}

/// A prohibition of what no path can match would prohibit nothing: such a document is no licence, and without one the
/// resource is unlicensed.
#[test]
fn a_url_that_matches_nothing_is_refused() {
    let prohibits =
        |url: &str| licence(&format!("url=\"{url}\""), "<prohibits type=\"usage\">all</prohibits>");
    for url in [
        "a",
        "//host/",
        "a/*",
        "$",
        "example.com/a",
        "ftp://example.com/",
        "https://",
        "https://*.example.com/",
        "https:///a",
        "mailto:a@example.com",
        "/a#b",
        "*#",
        "https://example.com#b",
        "https://example.com/a#b",
        "https://example.com\\a",
    ] {
        assert_eq!(prohibits(url).unwrap_err().kind(), RslErrorKind::NotConformant, "{url}");
    }
    for url in
        ["/", "/a$", "*", "*/a", "https://example.com", "https://example.com/a", "https://example.com/*"]
    {
        assert_eq!(verdict(&prohibits(url).unwrap(), "DE").0, RslVerdict::Prohibited, "{url}");
    }
    let signals = Signals { rsl: Some(RslState::Unlicensed), ..Signals::default() };
    assert_eq!(decide(&signals, Purpose::AiTrain, &[]).verdict, Verdict::Deny);
}

/// An absolute URL may leave out the path before its query and its end: it is the root then.
#[test]
#[covers("RSL-8", "RSL-9")]
fn a_url_without_a_path_names_the_root() {
    for (pattern, url, is_prohibited) in [
        ("https://example.com?x", "https://example.com/?x", true),
        ("https://example.com?x", "https://example.com?xy", true),
        ("https://example.com?x$", "https://example.com?xy", false),
        ("https://example.com?x", "https://example.com/a?x", false),
        ("https://example.com?x", "https://example.net/?x", false),
        ("https://example.com$", "https://example.com", true),
        ("https://example.com$", "https://example.com/a", false),
        ("https://example.com*", "https://example.com/a", true),
        ("https://example.com*a$", "https://example.com/b/a", true),
    ] {
        let document = licence(&format!("url=\"{pattern}\""), "<prohibits type=\"usage\">all</prohibits>");
        let asset = RslAsset::new(url.parse().unwrap());
        let judged = document.unwrap().judge(&asset, &RslCaller::default());
        let verdict = judged.map(|uses| uses.ai_train.verdict);
        assert_eq!(verdict, is_prohibited.then_some(RslVerdict::Prohibited), "{pattern} {url}");
    }
}

/// Every source that asks for something is named, and a price says how much.
#[test]
fn conditions_name_their_sources_and_their_price() {
    let document = licence(
        "url=\"/\"",
        "<permits type=\"usage\">all</permits><payment type=\"crawl\"><amount currency=\"USD\">0.01</amount></payment>",
    );
    let asset = RslAsset::new("https://example.com/a".parse().unwrap());
    let uses = document.unwrap().judge(&asset, &RslCaller::default()).unwrap();
    assert_eq!(uses.search.obligations, ["pay:crawl"]);
    let signals = Signals {
        rsl: Some(RslState::Licensed(uses)),
        directives: robots::Directives::of_headers([("x-robots-tag", "noarchive")], "bot"),
        preferences: robots::Preferences::of_headers([("content-signal", "search=yes, use=reference")]),
        ..Signals::default()
    };
    let decision = decide(&signals, Purpose::Search, &[]);
    assert_eq!(decision.verdict, Verdict::Conditional);
    let asked: Vec<_> = decision
        .conditions
        .iter()
        .map(|(what, by)| (what.as_str(), by.iter().copied().collect::<Vec<_>>()))
        .collect();
    assert_eq!(
        asked,
        [
            ("excerpt-only", vec![SignalSource::ContentSignal]),
            ("link-back", vec![SignalSource::ContentSignal]),
            ("no-cached-copy", vec![SignalSource::XRobots]),
            ("pay:crawl:USD 0.01", vec![SignalSource::Rsl]),
        ]
    );
    assert!(decision.conditions.keys().eq(&decision.obligations));
}

/// An error of the server's is no statement that there is no file.
#[test]
fn a_file_behind_an_error_is_later_and_not_absent() {
    let file = br#"[{"location": "/", "tdm-reservation": 1}]"#;
    for (status, verdict) in [
        (200, Verdict::Deny),
        (404, Verdict::Unstated),
        (410, Verdict::Unstated),
        (500, Verdict::Later),
        (503, Verdict::Later),
        (403, Verdict::Later),
        (429, Verdict::Later),
        (0, Verdict::Later),
        (301, Verdict::Later),
    ] {
        let mut tdmrep = TdmRep::default();
        tdmrep.add_well_known_response(status, "/a", file);
        let decision = |tdmrep: &TdmRep, purpose| {
            decide(&Signals { tdmrep: tdmrep.clone(), ..Signals::default() }, purpose, &[])
        };
        for purpose in [Purpose::AiTrain, Purpose::AiIndex, Purpose::Tdm] {
            assert_eq!(decision(&tdmrep, purpose).verdict, verdict, "{status} {purpose}");
        }
        assert_eq!(decision(&tdmrep, Purpose::Search).verdict, Verdict::Unstated);
        // A field of the response supersedes the file, whatever that says.
        tdmrep.add_headers([("tdm-reservation", "1")]);
        assert_eq!(decision(&tdmrep, Purpose::AiTrain).verdict, Verdict::Deny);
    }
}

/// Gateways join the lines of a field, and a page that says it in a field and again for a gateway says it twice.
#[test]
#[covers("TDM-6")]
fn a_reservation_is_read_from_joined_lines() {
    for (value, expected) in [
        ("1, 1", Some(true)),
        ("0,1", Some(true)),
        ("0, 0", Some(false)),
        ("yes, 1", Some(true)),
        ("1 0", None),
    ] {
        let mut stated = TdmRep::default();
        stated.add_headers([("tdm-reservation", value)]);
        assert_eq!(stated.reservation(), expected, "{value}");
    }
}
