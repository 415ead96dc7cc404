//! What looks like a secret is found and never shown, and every bound counts alike.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use llmindex_types::{
    Code, FeedOptions, FeedReader, Limits, ManifestText, Mode, Options, read, secret, validate,
    validate_product,
};

#[test]
fn secrets_are_found_three_encodings_deep() {
    let wrapped = |levels| {
        let mut url = "https://a.example/?token=x".to_owned();
        for _ in 0..levels {
            let escaped: String = url.bytes().map(|byte| format!("%{byte:02X}")).collect();
            url = format!("https://a.example/?next={escaped}");
        }
        url
    };
    for levels in 0..=3 {
        let found = secret::in_value(&wrapped(levels));
        assert_eq!(found, Some(secret::Suspicion::Name("token")), "{levels}");
    }
    // What lies deeper is looked at as it stands.
    assert_eq!(secret::in_url(&wrapped(5)), None);
}

#[test]
fn paths_do_not_show_names_that_look_like_secrets() {
    const KEY: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let manifests = [
        format!(r#"{{"version":"0.1","{KEY}":1}}"#),
        format!(r#"{{"version":"0.1","{KEY}":1,"{KEY}":2}}"#),
        format!(r#"{{"version":"0.1","x":{{"{KEY}":{{"deep":["\ud800"]}}}}}}"#),
        format!(r#"{{"version":"0.1","entity":{{"{KEY}":1}}}}"#),
        format!(r#"{{"version":"0.1","entity":{{"{KEY}\ud800":1}}}}"#),
        format!(r#"{{"version":"0.2","localized_endpoints":{{"{KEY}":{{"faq":1}}}}}}"#),
        format!(r#"{{"version":"0.1","https://a.example/?token={KEY}":1}}"#),
    ];
    for text in &manifests {
        for mode in [Mode::Strict, Mode::Default, Mode::Lenient] {
            let report = validate(text.as_bytes(), &Options::default().mode(mode)).unwrap();
            let shown = format!("{report:?}");
            assert!(!shown.contains("16C7e42F"), "{shown}");
            // The place is still named as far as it can be, and the name itself is reported.
            let finding = report.findings().iter().find(|finding| finding.code() == Code::Secret);
            assert!(finding.is_some(), "{text}: {shown}");
        }
    }
    let text = &manifests[2];
    let report = validate(text.as_bytes(), &Options::default()).unwrap();
    let surrogate = report.findings().iter().find(|finding| finding.code() == Code::LoneSurrogate).unwrap();
    assert_eq!(surrogate.path(), "/x");
    let report = validate_product(&format!(r#"{{"{KEY}":1}}"#), &Options::for_product()).unwrap();
    assert!(!format!("{report:?}").contains("16C7e42F"));
}

/// A schema's finding says where it is too: up to the name that must not be shown.
#[cfg(feature = "schema")]
#[test]
fn paths_of_schema_findings_do_not_show_them_either() {
    const KEY: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let reference = llmindex_types::ReferenceSchema::new().unwrap();
    let paths = |text: &str| -> Vec<String> {
        let report = reference.check_manifest(text.as_bytes(), &Options::default()).unwrap();
        assert!(!format!("{report:?}").contains("16C7e42F"), "{report:?}");
        report.findings().iter().map(|finding| finding.path().to_owned()).collect()
    };
    let localized = |name: &str| {
        let text = format!(r#"{{"version":"0.2","localized_endpoints":{{"{name}":{{"faq":1}}}}}}"#);
        let mut paths = paths(&text);
        paths.sort();
        paths
    };
    // The same findings as of a name that may be shown, each up to it.
    let shown = localized("no_language");
    assert!(shown.contains(&"/localized_endpoints/no_language/faq".to_owned()), "{shown:?}");
    let cut = |path: &String| path.split("/no_language").next().unwrap_or_default().to_owned();
    let mut expected: Vec<_> = shown.iter().map(cut).collect();
    expected.sort();
    assert_eq!(localized(KEY), expected);
    assert!(paths("[]").contains(&String::new()));
}

/// A pointer that has ended before such a name does not go on behind it, wherever the name is.
#[test]
fn paths_end_before_names_that_look_like_secrets() {
    const KEY: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let paths = |text: String| -> Vec<(Code, String)> {
        let report = validate(text.as_bytes(), &Options::default()).unwrap();
        let inside = [Code::DuplicateMember, Code::LoneSurrogate];
        let found = report.findings().iter().filter(|finding| inside.contains(&finding.code()));
        found.map(|finding| (finding.code(), finding.path().to_owned())).collect()
    };
    let value = r#"[0,{"a":1,"a":"\ud800"}]"#;
    for (before, after, shown, hidden) in [
        ("{\"x\":{\"NAME\":", "}}", "/x/NAME", "/x"),
        ("{\"NAME\":", "}", "/NAME", ""),
        ("{\"entity\":{\"NAME\":", "}}", "/entity/NAME", "/entity"),
        ("{\"x\":[{\"NAME\":[", "]}]}", "/x/0/NAME/0", "/x/0"),
    ] {
        let of = |name: &str| paths(format!("{before}{value}{after}").replace("NAME", name));
        let both = |path: &str| {
            [Code::DuplicateMember, Code::LoneSurrogate]
                .map(|code| (code, format!("{}{path}", shown.replace("NAME", "plain"))))
        };
        assert_eq!(of("plain"), both("/1/a"), "{before}");
        let ends = [Code::DuplicateMember, Code::LoneSurrogate].map(|code| (code, hidden.to_owned()));
        assert_eq!(of(KEY), ends, "{before}");
    }
}

/// The names of all pointers of one report come to four megabytes, and that counts what is not shown too.
#[test]
fn names_that_are_not_shown_count_against_the_bound() {
    let listed = |name: &str| {
        let pages = (0..400).map(|i| format!("\"u{i}\":{{}}")).collect::<Vec<_>>().join(",");
        let text = format!(r#"{{"version":"0.2","localized_endpoints":{{"{name}":{{{pages}}}}}}}"#);
        let limits = Limits::MANIFEST.with_max_bytes(2 << 20);
        let report = validate(text.as_bytes(), &Options::default().limits(limits)).unwrap();
        report.findings().iter().filter(|finding| finding.path().starts_with("/localized_endpoints")).count()
    };
    assert!(listed("de") >= 400, "{}", listed("de"));
    for letter in ["a", "ghp_a"] {
        // Of 40,000 bytes each, a hundred come to that bound.
        let name = letter.to_owned() + &"a".repeat(40_000 - letter.len());
        let listed = listed(&name);
        assert!((90..=106).contains(&listed), "{letter}: {listed}");
    }
}

#[test]
fn every_reader_counts_the_same_bytes_against_the_limit() {
    // A byte order mark is no part of the text, for all of them.
    let plain = r#"{"version":"0.1"}"#;
    for text in
        [plain.to_owned(), format!("\u{feff}{plain}"), format!("\u{feff}{plain}\u{7f}"), "\u{feff}".into()]
    {
        for max in 0..plain.len() + 5 {
            let limits = Limits::MANIFEST.with_max_bytes(max);
            let options = Options::default().limits(limits);
            let checked = validate(text.as_bytes(), &options).map(drop);
            assert_eq!(ManifestText::parse(text.as_bytes(), &limits).map(drop), checked, "{text:?} {max}");
            assert_eq!(read(text.as_bytes(), &options).map(drop), checked, "{text:?} {max}");
        }
    }
    // Nor is it in a feed's first line.
    let line = "\u{feff}{\"id\":1}";
    let options = |max| FeedOptions::default().line_limits(Limits::PRODUCT.with_max_bytes(max));
    for (max, too_long) in [(8, false), (7, true)] {
        let mut reader = FeedReader::new([0; 16], options(max));
        let line = reader.line(line.as_bytes()).unwrap();
        assert_eq!(line.findings().iter().any(|finding| finding.code() == Code::TooLong), too_long);
    }
    // Too long before anything else, so that what is wrong with the rest does not matter.
    let limits = Limits::MANIFEST.with_max_bytes(2);
    let errors = [
        validate(b"{\"\xff", &Options::default().limits(limits)).map(drop),
        ManifestText::parse(b"{\"\xff", &limits).map(drop),
    ];
    for error in errors {
        assert_eq!(error.unwrap_err().kind(), llmindex_types::LlmindexTextErrorKind::TooLong);
    }
}
