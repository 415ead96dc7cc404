//! Reading and checking documents.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use aidocument::{Document, DocumentErrorKind, DocumentFindingCode, HeadingLevel, Limits, SentUserAgent};
use serde_json::{Value, json};

/// The published document.
const PUBLISHED: &str = r##"{"url":"https://example.com/article","canonical_url":"https://example.com/article","title":"How HTTP works",
"description":"A friendly introduction to HTTP request/response.","markdown":"# How HTTP works\n\nWhen a client...",
"headings":[{"level":1,"text":"How HTTP works"},{"level":2,"text":"Requests"}],
"links":[{"url":"https://www.rfc-editor.org/rfc/rfc7230","text":"RFC 7230","internal":false}],
"meta":{"language":"en","word_count":1240,"reading_time":5},
"crawl":{"fetched_at":"2026-05-10T12:34:56Z","status_code":200,"render_mode":"static","fetch_duration_ms":412,"content_length":18402,"user_agent":"AIWebIndex/1.0 (+https://example.com/bot; example-impl)"}}"##;

fn published() -> Value {
    serde_json::from_str(PUBLISHED).unwrap()
}

/// The published document with the member at `path` replaced, or removed where `value` is `None`.
fn with(path: &str, value: Option<Value>) -> Value {
    let mut document = published();
    let (parent, name) = path.rsplit_once('/').unwrap();
    let object = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => drop(object.insert(name.to_owned(), value)),
        None => drop(object.remove(name)),
    }
    document
}

fn read(document: &Value) -> aidocument::Reading {
    Document::read(document.to_string().as_bytes(), &Limits::default()).unwrap()
}

fn findings(document: &Value) -> Vec<(String, DocumentFindingCode)> {
    read(document).findings().iter().map(|f| (f.path().to_owned(), f.code())).collect()
}

#[test]
fn the_published_document_reads_validates_and_round_trips() {
    let document = Document::parse(PUBLISHED.as_bytes()).unwrap();
    assert_eq!(findings(&published()), []);
    assert_eq!(serde_json::to_value(&document).unwrap(), published());
    assert_eq!(document.meta().word_count, 1240);
    assert_eq!(aidocument::reading_time_minutes(1240), document.meta().reading_time);
}

#[test]
fn each_fault_is_one_finding_at_its_member() {
    use DocumentFindingCode::*;
    let cases: &[(&str, Option<Value>, DocumentFindingCode)] = &[
        ("/url", None, Missing),
        ("/url", Some(json!(null)), WrongType),
        ("/url", Some(json!("/relative")), BadUrl),
        ("/url", Some(json!("example.com/a")), BadUrl),
        ("/url", Some(json!("//example.com/a")), BadUrl),
        ("/url", Some(json!("http:example.com")), BadUrl),
        ("/url", Some(json!(" https://example.com/")), BadUrl),
        ("/url", Some(json!("https://")), BadUrl),
        ("/url", Some(json!("ftp://example.com/")), BadUrl),
        ("/url", Some(json!("https://ada:pw@example.com/article")), Credentials),
        ("/canonical_url", Some(json!("article")), BadUrl),
        ("/canonical_url", Some(json!(7)), WrongType),
        ("/title", None, Missing),
        ("/title", Some(json!(["a"])), WrongType),
        ("/description", Some(json!(true)), WrongType),
        ("/markdown", None, Missing),
        ("/markdown", Some(json!({})), WrongType),
        ("/headings", None, Missing),
        ("/headings", Some(json!({})), WrongType),
        ("/headings/0/level", Some(json!(0)), OutOfRange),
        ("/headings/0/level", Some(json!(7)), OutOfRange),
        ("/headings/0/level", Some(json!(1.5)), OutOfRange),
        ("/headings/0/level", Some(json!("1")), WrongType),
        ("/headings/0/text", None, Missing),
        ("/headings/1/id", Some(json!(4)), WrongType),
        ("/links", Some(json!(null)), WrongType),
        ("/links/0/url", None, Missing),
        ("/links/0/url", Some(json!("mailto:a@example.com")), BadUrl),
        ("/links/0/internal", None, Missing),
        ("/links/0/internal", Some(json!("false")), WrongType),
        ("/links/0/internal", Some(json!(true)), WrongInternal),
        ("/links/0/rel", Some(json!(["nofollow"])), WrongType),
        ("/images", Some(json!([7])), WrongType),
        ("/images", Some(json!([{"alt": ""}])), Missing),
        ("/images", Some(json!([{"url": "data:image/png;base64,"}])), BadUrl),
        ("/meta", None, Missing),
        ("/meta/language", None, Missing),
        ("/meta/language", Some(json!("en_US")), BadLanguage),
        ("/meta/language", Some(json!("")), BadLanguage),
        ("/meta/word_count", Some(json!(-1)), OutOfRange),
        ("/meta/word_count", Some(json!(1.5)), OutOfRange),
        ("/meta/reading_time", None, Missing),
        ("/meta/keywords", Some(json!(7)), WrongType),
        ("/meta/author", Some(json!({"name": "Ada"})), WrongType),
        ("/structured_data", Some(json!([])), WrongType),
        ("/crawl", None, Missing),
        ("/crawl/fetched_at", Some(json!("2026-05-10")), BadTimestamp),
        ("/crawl/fetched_at", Some(json!("2026-05-10T12:34:56")), BadTimestamp),
        ("/crawl/status_code", Some(json!("200")), WrongType),
        ("/crawl/status_code", Some(json!(99)), OutOfRange),
        ("/crawl/status_code", Some(json!(600)), OutOfRange),
        ("/crawl/render_mode", Some(json!(null)), WrongType),
        ("/crawl/fetch_duration_ms", Some(json!(-1)), OutOfRange),
        ("/crawl/content_length", Some(json!(0.5)), OutOfRange),
        ("/crawl/user_agent", Some(json!("Mozilla/5.0")), BadUserAgent),
        ("/crawl/user_agent", Some(json!("AIWebIndex/1.01")), BadUserAgent),
    ];
    for (path, value, code) in cases {
        let found = findings(&with(path, value.clone()));
        assert_eq!(found.len(), 1, "{path} {value:?}: {found:?}");
        assert!(found[0].0.starts_with(path), "{path} {value:?}: {found:?}");
        assert_eq!(found[0].1, *code, "{path} {value:?}");
    }
}

#[test]
fn what_is_odd_but_allowed_is_a_warning_or_nothing() {
    let allowed: &[(&str, Value, Option<DocumentFindingCode>)] = &[
        ("/canonical_url", json!(null), None),
        ("/description", json!(null), None),
        ("/images", json!([{"url": "https://example.com/i.png", "alt": ""}]), None),
        ("/headings/0/level", json!(1.0), None),
        ("/headings/0/id", json!(""), None),
        ("/url", json!("https://EXAMPLE.com:8443/article"), None),
        ("/url", json!("https://b\u{fc}cher.example/"), None),
        ("/url", json!("https://example.com/article#top"), Some(DocumentFindingCode::FragmentDropped)),
        ("/canonical_url", json!("https://ada@example.com/"), Some(DocumentFindingCode::CredentialsDropped)),
        ("/title", json!(" "), Some(DocumentFindingCode::BlankTitle)),
        ("/markdown", json!(""), None),
        ("/headings", json!([]), None),
        ("/links", json!([]), None),
        ("/meta/language", json!("zh-Hant-TW"), None),
        ("/meta/language", json!("i-klingon"), None),
        ("/meta/keywords", json!("http, web"), None),
        ("/meta/keywords", json!(["http"]), None),
        ("/meta/word_count", json!(0), None),
        ("/structured_data", json!({"Article": {"headline": "a"}, "Person": [{}, {}]}), None),
        ("/crawl/fetched_at", json!("2026-05-10t12:34:56.5+02:00"), None),
        ("/crawl/fetched_at", json!("2016-12-31T23:59:60Z"), None),
        ("/crawl/fetch_duration_ms", json!(4_294_967_297_u64), None),
        ("/crawl/render_mode", json!("hybrid"), Some(DocumentFindingCode::UnknownRenderMode)),
        ("/crawl/user_agent", json!("AIWebIndex/1.0"), None),
        ("/later", json!({"deep": [1]}), Some(DocumentFindingCode::UnknownMember)),
        ("/meta/later", json!(1), Some(DocumentFindingCode::UnknownMember)),
    ];
    for (path, value, code) in allowed {
        let document = with(path, Some(value.clone()));
        let reading = Document::read(document.to_string().as_bytes(), &Limits::default()).unwrap();
        assert!(reading.document().is_some(), "{path} {value}: {:?}", reading.findings());
        let codes: Vec<_> = reading.findings().iter().map(aidocument::DocumentFinding::code).collect();
        assert_eq!(codes, code.iter().copied().collect::<Vec<_>>(), "{path} {value}");
    }
}

#[test]
fn unknown_members_survive_a_round_trip_at_every_level() {
    let mut document = published();
    for parent in ["", "/headings/0", "/links/0", "/meta", "/crawl"] {
        let object = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        object.insert("x-later".into(), json!({"a": [null, 1, "b"]}));
    }
    document["images"] = json!([{"url": "https://example.com/i.png", "width": 7}]);
    let read = Document::parse(document.to_string().as_bytes()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), document);
}

#[test]
fn null_is_never_written() {
    let mut document = published();
    for name in ["canonical_url", "description", "images", "structured_data"] {
        document[name] = Value::Null;
    }
    let read = Document::parse(document.to_string().as_bytes()).unwrap();
    assert!(!read.to_json().contains("null"));
}

#[test]
fn the_grouped_envelope_is_refused_by_name() {
    let grouped = br#"{"schema":"aiwebindex/2.0","source":{},"content":{},"structure":{},"signals":{}}"#;
    let error = Document::parse(grouped).unwrap_err();
    assert_eq!(error.kind(), DocumentErrorKind::UnsupportedVersion);
    assert!(error.to_string().ends_with("which aidocument::v2::Document reads"), "{error}");
    let reading = Document::read(grouped, &Limits::default()).unwrap();
    assert_eq!(reading.findings().len(), 1);
    assert_eq!(reading.findings()[0].code(), DocumentFindingCode::UnsupportedVersion);
}

#[test]
fn limits_hold_exactly() {
    let limits = |max_bytes, max_depth| Limits { max_bytes, max_depth, ..Limits::default() };
    let length = PUBLISHED.len();
    assert!(Document::read(PUBLISHED.as_bytes(), &limits(length, 3)).is_ok());
    let kind = |json: &str, limits: Limits| Document::read(json.as_bytes(), &limits).unwrap_err().kind();
    assert_eq!(kind(PUBLISHED, limits(length - 1, 128)), DocumentErrorKind::TooLong);
    assert_eq!(kind(PUBLISHED, limits(length, 2)), DocumentErrorKind::TooDeep);
    for depth in [128, 100_000] {
        let nested = "[".repeat(depth) + &"]".repeat(depth);
        let json = format!(r#"{{"a":{nested}}}"#);
        assert_eq!(kind(&json, Limits::default()), DocumentErrorKind::TooDeep);
    }
    let nested = "[".repeat(127) + &"]".repeat(127);
    assert!(Document::read(format!(r#"{{"a":{nested}}}"#).as_bytes(), &Limits::default()).is_ok());
    let deepest = limits(usize::MAX, usize::MAX);
    assert_eq!(kind(&"[".repeat(1_000_000), deepest), DocumentErrorKind::TooDeep);
}

/// Memory and findings are bounded however often a fault repeats; the count tells of the rest.
#[test]
fn findings_are_bounded_and_counted() {
    let mut document = published();
    document["links"] = Value::from(vec![1; 5_000]);
    document["meta"]["later"] = json!(1);
    for n in 0..2_000 {
        document[format!("x{n}")] = json!(n);
    }
    let reading = read(&document);
    let errors = reading.findings().iter().filter(|finding| finding.is_error()).count();
    assert_eq!((errors, reading.findings().len() - errors, reading.omitted()), (1_000, 1_000, 4_000 + 1_001));
    let error = reading.into_document().unwrap_err();
    assert_eq!(error.to_string(), "/links/0: expected an object, found a number (and 4999 more)");
    // No error goes unnoticed because warnings came first.
    let limits = Limits { max_findings: 1, ..Limits::default() };
    let text = r#"{"url":"https://example.com/#a","title":" ","markdown":7}"#;
    let reading = Document::read(text.as_bytes(), &limits).unwrap();
    let codes: Vec<_> = reading.findings().iter().map(aidocument::DocumentFinding::code).collect();
    assert_eq!(codes, [DocumentFindingCode::FragmentDropped, DocumentFindingCode::WrongType]);
    let limits = Limits { max_findings: 0, ..Limits::default() };
    let reading = Document::read(text.as_bytes(), &limits).unwrap();
    assert_eq!((reading.findings().len(), reading.omitted()), (1, 2 + 4));
    assert!(reading.into_document().is_err());
}

/// Numbers and order are this crate's own, whatever features serde_json has in the build. CI runs this test with all
/// of them on.
#[test]
fn numbers_and_order_do_not_depend_on_features_of_serde_json() {
    let json = PUBLISHED.replacen(
        '{',
        r#"{"z":{"b":0.1,"a":[1e2,1.0,-0,12345678901234567890123,1E-7]},"y":{"$serde_json::private::Number":"x"},"#,
        1,
    );
    let json = json.replacen("\"level\":1,", "\"level\":1.0,", 1);
    let document = Document::parse(json.as_bytes()).unwrap();
    let kept = r#","y":{"$serde_json::private::Number":"x"},"z":{"b":0.1,"a":[100.0,1.0,-0.0,12345678901234567890123,1e-7]}}"#;
    assert!(document.to_json().ends_with(kept), "{}", document.to_json());
    assert_eq!(Document::parse(document.to_json().as_bytes()).unwrap(), document);
    // Through serde, only the number that no double holds changes.
    let through = serde_json::to_string(&document).unwrap();
    assert_eq!(through, document.to_json().replace("12345678901234567890123", "1.2345678901234568e+22"));
    let json = json
        .replace(r#""y":{"$serde_json::private::Number":"x"},"#, "")
        .replace(",12345678901234567890123", "");
    let document = Document::parse(json.as_bytes()).unwrap();
    assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
    assert_eq!(
        serde_json::from_value::<Document>(serde_json::to_value(&document).unwrap()).unwrap().meta(),
        document.meta()
    );
}

const ALL_CODES: &[DocumentFindingCode] = &[
    DocumentFindingCode::Missing,
    DocumentFindingCode::WrongType,
    DocumentFindingCode::OutOfRange,
    DocumentFindingCode::BadUrl,
    DocumentFindingCode::BadTimestamp,
    DocumentFindingCode::BadLanguage,
    DocumentFindingCode::BadUserAgent,
    DocumentFindingCode::WrongInternal,
    DocumentFindingCode::Credentials,
    DocumentFindingCode::UnsupportedVersion,
    DocumentFindingCode::CredentialsDropped,
    DocumentFindingCode::FragmentDropped,
    DocumentFindingCode::BlankTitle,
    DocumentFindingCode::UnknownRenderMode,
    DocumentFindingCode::UnknownMember,
];

#[test]
fn every_error_message() {
    let mut messages = String::new();
    for json in [
        &b""[..],
        b"{",
        b"{} x",
        b"\xef\xbb\xbf{}",
        b"{\"a\": \"\xff\"}",
        b"{\"a\": 1, \"\\u0061\": 2}",
        b"{\"a\": 1e999}",
        b"{\"a\": \"\\ud800\"}",
        b"[]",
        b"7",
        br#"{"schema": 1, "source": 2, "content": 3}"#,
    ] {
        let error = Document::parse(json).unwrap_err();
        messages += &format!("{}\n  {:?} {:?}: {error}\n", json.escape_ascii(), error.kind(), error.offset());
    }
    let wrong = json!({"url": "https://a@example.com/#f", "title": "", "markdown": 1, "headings": [{"level": 9}, 1],
        "links": [{"url": "x"}, {"url": "https://example.com/", "internal": false}], "images": {}, "later": 1,
        "meta": {"language": "a very long text that is not a language tag at all", "word_count": -3, "keywords": [1]},
        "crawl": {"fetched_at": "now", "status_code": 1e300, "render_mode": "x\u{7}", "user_agent": "curl/8"}});
    let dropped = with("/canonical_url", Some(json!("https://ada:secret@example.com/")));
    let envelope = json!({"schema": 1, "source": 2, "content": 3});
    let mut codes = Vec::new();
    let readings = [wrong, dropped, envelope, json!("text")].map(|document| read(&document));
    for finding in readings.iter().flat_map(aidocument::Reading::findings) {
        codes.push(finding.code());
        messages +=
            &format!("{:?} {} {} {finding}\n", finding.severity(), finding.code(), finding.requirement());
    }
    let limits = [Limits { max_bytes: 4, ..Limits::default() }, Limits { max_depth: 2, ..Limits::default() }];
    for limits in limits {
        let error = Document::read(b"{\"a\": [[[]]]}", &limits).unwrap_err();
        messages += &format!("{:?} {:?}: {error}\n", error.kind(), error.offset());
    }
    let values = ["curl/8".parse::<SentUserAgent>().map(drop), HeadingLevel::try_from(7).map(drop)];
    for error in values.into_iter().filter_map(Result::err) {
        messages += &format!("{} {error}\n", error.requirement());
    }
    for code in ALL_CODES {
        assert!(codes.contains(code), "{code} is not shown");
    }
    insta::assert_snapshot!(messages);
}
