//! What getters and small readers say, and both sides of each edge.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use std::error::Error as _;

use llmindex_types::web_values::Timestamp;
use llmindex_types::{
    About, Code, DeltaBase, DeltaErrorKind, DeltaReader, FaqTopic, FeedOptions, FeedReader, Limits, Manifest,
    Mode, Options, Policies, about_page, faq_page, policies_page, validate,
};

const PAGES: &str = r#"{"products":"https://b.example/p","policies":"https://b.example/q","faq":"https://b.example/f","about":"https://b.example/a"}"#;

fn manifest(canonical: &str) -> String {
    format!(
        r#"{{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{{"name":"n","canonical_url":"{canonical}"}},"language":"en","topics":["t"],"endpoints":{PAGES}}}"#
    )
}

fn product(id: &str, availability: &str) -> String {
    format!(
        r#"{{"id":"{id}","title":"t","url":"https://a.example/","price":1,"currency":"EUR","availability":"{availability}","updated_at":"2026-02-20T00:00:00Z"}}"#
    )
}

/// Other hosts are compared with the canonical one only where that one is good.
#[test]
fn hosts_are_compared_with_a_good_canonical_url() {
    for (canonical, others) in [
        ("https://a.example", 4),
        ("https://b.example", 0),
        ("http://a.example", 0),
        ("https://u@a.example", 0),
        ("https://a.example/#f", 0),
        ("http://u@a.example/#f", 0),
    ] {
        let report = validate(manifest(canonical).as_bytes(), &Options::default()).unwrap();
        let found = report.findings().iter().filter(|finding| finding.code() == Code::UrlOtherHost).count();
        assert_eq!(found, others, "{canonical}");
    }
}

#[test]
fn a_manifest_hands_out_its_warnings_and_errors_their_cause() {
    let text = manifest("https://a.example");
    let manifest = Manifest::parse(text.as_bytes(), &Options::default()).unwrap();
    let codes: Vec<_> =
        manifest.report().findings().iter().map(llmindex_types::ManifestFinding::code).collect();
    assert_eq!(codes, [Code::UrlOtherHost; 4]);
    assert!(manifest.report().is_valid());

    let broken = Manifest::parse(b"{", &Options::default()).unwrap_err();
    assert!(broken.source().is_some_and(|cause| !cause.to_string().is_empty()), "{broken}");
    let invalid = Manifest::parse(b"{}", &Options::default()).unwrap_err();
    assert!(invalid.source().is_none() && invalid.to_string().contains("the first: "), "{invalid}");

    let options = Options::default().mode(Mode::Strict).max_findings(3);
    let limited = options.limits(Limits::MANIFEST.with_max_bytes(text.len() - 1));
    assert_eq!((limited.mode, limited.max_findings), (Mode::Strict, 3));
    assert!(validate(text.as_bytes(), &limited).is_err());
    assert!(validate(text.as_bytes(), &options.limits(Limits::MANIFEST.with_max_bytes(text.len()))).is_ok());
}

#[test]
fn a_feed_says_whether_it_is_of_use() {
    let read = |lines: &[String], options: FeedOptions| {
        let mut reader = FeedReader::new([7; 16], options);
        let mut texts = Vec::new();
        for line in lines {
            let line = reader.line(line.as_bytes()).unwrap();
            let product = line.product();
            texts.push(
                product.and_then(|product| product.availability_text()).map(std::borrow::Cow::into_owned),
            );
        }
        let summary = reader.summary();
        let codes: Vec<_> = summary.findings().iter().map(llmindex_types::ManifestFinding::code).collect();
        (summary.is_usable(), summary.products(), texts, codes)
    };
    let good = [product("1", "in_stock"), product("2", "preorder")];
    let (is_usable, products, texts, codes) = read(&good, FeedOptions::default());
    assert_eq!((is_usable, products, codes.len()), (true, 2, 0));
    assert_eq!(texts, [Some("in_stock".to_owned()), Some("preorder".to_owned())]);
    // A value that is none of the three is handed out as it stands.
    let (is_usable, products, texts, codes) = read(&[product("1", "In \\u0053tock")], FeedOptions::default());
    assert_eq!((is_usable, products, codes.len()), (false, 0, 1), "{codes:?}");
    assert_eq!(texts, [Some("In Stock".to_owned())]);
    // Who remembers no identifiers is not told that there were too many; who remembers one is.
    assert_eq!(read(&good, FeedOptions::default().max_ids(0)).3, []);
    assert_eq!(read(&good, FeedOptions::default().max_ids(1)).3.len(), 1);
    assert_eq!(read(&good, FeedOptions::default().max_ids(2)).3, []);
}

#[test]
fn errors_of_a_delta_name_their_rule() {
    let time = |text: &str| Timestamp::parse(text).unwrap();
    let (start, end) = (time("2026-02-20T00:00:00Z"), time("2026-02-22T00:00:00Z"));
    let inverted = DeltaBase::new(end..=start).unwrap_err();
    assert_eq!((inverted.kind(), inverted.requirement()), (DeltaErrorKind::Inverted, "LLMI-V02-4"));
    let base = DeltaBase::new(start..=end).unwrap();
    let options = FeedOptions::default().max_ids(1);
    let mut reader = DeltaReader::new([7; 16], &base, base.since(), options).unwrap();
    let delta = [product("1", "in_stock"), product("2", "in_stock")].join("\n");
    let mut chunk = delta.as_bytes();
    while reader.next_line(&mut chunk).is_some() {}
    let _last = reader.last_line();
    let many = reader.finish().map(drop).unwrap_err();
    assert_eq!((many.kind(), many.requirement()), (DeltaErrorKind::TooManyIds, "LLMI-AMB-13"));
}

/// A last word of `#` alone would close the heading; one that belongs to a word does not.
#[test]
fn headings_keep_their_last_marks() {
    let topic = |topic: &str| faq_page("s", &[FaqTopic { topic, questions: &[("q", "a")] }]);
    for (text, heading) in [
        ("C#", "## C#\n"),
        ("C #", "## C \\#\n"),
        ("a ##", "## a \\##\n"),
        ("plain", "## plain\n"),
        ("a# b", "## a# b\n"),
    ] {
        let page = topic(text);
        assert!(page.contains(heading), "{text}: {page}");
    }
    let policies = Policies { shipping: "x", returns: "", warranty: "", payment: "" };
    assert!(policies_page("s", &policies).contains("Shipping"));
    assert!(about_page("s", &About { story: "once", company: &[], contact: &[] }).contains("once"));
}

#[test]
fn each_identifier_is_remembered_once() {
    let mut reader = FeedReader::new([7; 16], FeedOptions::default().max_ids(3));
    // A line, and how many identifiers are remembered behind it.
    for (line, remembered) in [
        (r#"{"id":"1"}"#, 1),
        (r#"{"id":"2"}"#, 2),
        (r#"{"id":"1"}"#, 2),
        (r#"{"title":"no identifier"}"#, 2),
        ("not JSON", 2),
        (r#"{"id":"3"}"#, 3),
        // There is no room for a fourth.
        (r#"{"id":"4"}"#, 3),
    ] {
        assert!(reader.line(line.as_bytes()).is_some());
        assert_eq!(reader.remembered_ids(), remembered, "{line}");
    }
}

/// A shorter report is the beginning of the whole one, and says that there is more.
#[test]
fn what_there_is_no_room_for_is_counted() {
    for text in [
        r#"{"version":"0.1","a":{"x":1,"x":2},"b":["\ud800"],"c":1}"#,
        r#"{"a":{"b":[{"c":1,"c":2},{"d":1,"d":2}]},"version":"0.3","topics":[1,2,3]}"#,
        r#"{"entity":{"x":{"y":{"z":1,"z":2}}},"endpoints":{"faq":1,"x":["\ud800"]}}"#,
    ] {
        let of = |max: usize| {
            let report = validate(text.as_bytes(), &Options::default().max_findings(max)).unwrap();
            report.findings().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let whole = of(1000);
        assert!(whole.len() > 3, "{whole:?}");
        for max in 0..whole.len() {
            let short = of(max);
            let (last, first) = short.split_last().unwrap();
            assert!(
                first.len() <= max && first.iter().all(|finding| whole.contains(finding)),
                "{max}: {short:?}"
            );
            assert!(!whole.contains(last), "{max}: {short:?}");
        }
        assert_eq!(of(whole.len()), whole);
    }
}
