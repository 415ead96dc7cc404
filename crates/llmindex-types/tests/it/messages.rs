//! Every message that people read, as a reviewed file: one input a code, and every error type's texts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use llmindex_types::web_values::{Timestamp, UnixSeconds, WebUrl};
use llmindex_types::{
    Availability, Code, Decimal, FeedOptions, FeedReader, FeedState, Limits, LlmindexTextError, Manifest,
    ManifestBuilder, ManifestFinding, ManifestText, Options, ProductBuilder, check_https, check_origin,
    classify, survey, validate, validate_product,
};

const VALID: &str = r#"{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{"name":"A","canonical_url":"https://a.example"},"language":"en","topics":["t"],"endpoints":{"products":"https://a.example/p","policies":"https://a.example/o","faq":"https://a.example/f","about":"https://a.example/a"}}"#;

/// The valid manifest with a text replaced by another.
fn edited(from: &str, to: &str) -> Vec<ManifestFinding> {
    assert!(VALID.contains(from), "{from}");
    let report = validate(VALID.replace(from, to).as_bytes(), &Options::default()).unwrap();
    report.findings().to_vec()
}

fn v02(members: &str) -> Vec<ManifestFinding> {
    edited("\"version\":\"0.1\"", &format!("\"version\":\"0.2\",{members}"))
}

const PRODUCT: &str = r#"{"id":"1","title":"t","url":"https://a.example/1","price":1,"currency":"EUR","availability":"in_stock","updated_at":"2026-02-20T00:00:00Z"}"#;

fn product(from: &str, to: &str) -> Vec<ManifestFinding> {
    assert!(PRODUCT.contains(from), "{from}");
    validate_product(&PRODUCT.replace(from, to), &Options::for_product()).unwrap().findings().to_vec()
}

fn feed(text: &[u8], options: FeedOptions) -> Vec<ManifestFinding> {
    let mut reader = FeedReader::new([0; 16], options);
    let mut findings = Vec::new();
    let mut rest = text;
    while let Some(line) = reader.next_line(&mut rest) {
        findings.extend_from_slice(line.findings());
    }
    if let Some(line) = reader.last_line() {
        findings.extend_from_slice(line.findings());
    }
    findings.extend_from_slice(reader.summary().findings());
    findings
}

/// Findings of every code that a check can give.
fn all_findings() -> Vec<ManifestFinding> {
    let mut all = Vec::new();
    let sig =
        |alg: &str| format!("\"version\":\"0.1\",\"sig\":{{\"alg\":\"{alg}\",\"kid\":\"k\",\"jws\":\"j\"}}");
    for (from, to) in [
        ("\"language\":\"en\",", ""),
        ("\"en\"", "7"),
        ("\"en\"", "\"en\",\"language\":\"de\""),
        ("\"A\"", "\"\\ud800\""),
        ("\"A\"", "\"A\",\"\\udc00\":1"),
        ("\"A\"", "\"A\",\"motto\":1"),
        ("\"A\"", "\"\""),
        ("\"A\"", "\" \""),
        ("[\"t\"]", "[\"t\",\"t\"]"),
        ("[\"t\"]", "[]"),
        ("\"0.1\"", "\"0.3\""),
        ("2026-02-20T00:00:00Z", "2026-02-20"),
        ("2026-02-20T00:00:00Z", "2026-02-20T00:00:00"),
        ("2026-02-20T00:00:00Z", "2026-02-20T00:00:00+01:00"),
        ("https://a.example/f", "faq"),
        ("https://a.example/f", ""),
        ("https://a.example/f", "ftp://a.example/f"),
        ("https://a.example/f", "https://"),
        ("https://a.example/f", "https://a.example/{f}"),
        ("https://a.example/f", "https://a.example:x/"),
        ("https://a.example/f", "http://a.example/f"),
        ("https://a.example/f", "https://a.example/ü"),
        ("https://a.example/f", "HTTPS://a.example/f"),
        ("https://a.example/f", "https://b.example/f"),
        ("https://a.example/f", "https://a.localhost/f"),
        ("https://a.example/f", "https://[::ffff:169.254.169.254]/f"),
        ("https://a.example/f", "https://a.example/f?token=hidden"),
        ("https://a.example/f", "https://a.example/f?key=hidden"),
        ("https://a.example/f", "https://me:hidden@a.example/f"),
        ("\"https://a.example\"", "\"http://a.example\""),
        ("\"https://a.example\"", "\"https://me:hidden@a.example\""),
        ("\"https://a.example\"", "\"https://a.example#x\""),
        ("\"en\"", "\"en_US\""),
        ("\"en\"", "\"es-419\""),
        ("\"en\"", "\"EN\""),
        ("\"version\":\"0.1\"", "\"version\":\"0.1\",\"verify\":{\"method\":\"mail\",\"value\":\"v\"}"),
        (
            "\"version\":\"0.1\"",
            "\"version\":\"0.1\",\"verify\":{\"method\":\"http_file\",\"value\":\"a.txt\"}",
        ),
        ("\"version\":\"0.1\"", &sig("ES256")),
        ("\"version\":\"0.1\"", "\"version\":\"0.1\",\"license\":\"all mine\""),
        ("\"version\":\"0.1\"", "\"version\":\"0.1\",\"license\":\"ghp_hidden\""),
    ] {
        all.extend(edited(from, to));
    }
    for members in [
        r#""languages":["en","en","1"],"localized_endpoints":{}"#,
        r#""languages":["de"],"localized_endpoints":{"fr":{"faq":"https://a.example/fr"},"de":{}}"#,
        r#""languages":["en"]"#,
        r#""localized_endpoints":{}"#,
        r#""access_control":{"allow":["a"],"deny":["a"],"rate_limit":"often","commercial_use":"maybe"}"#,
    ] {
        all.extend(v02(members));
    }
    all.extend(
        validate(format!("\u{feff}{VALID}").as_bytes(), &Options::default()).unwrap().findings().to_vec(),
    );
    all.extend(validate(b"{}", &Options::default().max_findings(2)).unwrap().findings().to_vec());
    for (from, to) in [
        ("\"price\":1", "\"price\":-1"),
        ("\"price\":1", "\"price\":1e999"),
        ("EUR", "eur"),
        ("EUR", "ZZZ"),
        ("\"price\":1,", "\"price_range\":{\"min\":2,\"max\":1,\"currency\":\"EUR\"},"),
        ("\"price\":1,", "\"price\":1,\"price_range\":{\"min\":1,\"max\":1,\"currency\":\"EUR\"},"),
        (
            "\"price\":1,\"currency\":\"EUR\"",
            "\"price\":1,\"price_range\":{\"min\":1,\"max\":1,\"currency\":\"EUR\"}",
        ),
        ("in_stock", "in stock"),
    ] {
        all.extend(product(from, to));
    }
    let options = FeedOptions::default();
    all.extend(feed(format!("{PRODUCT}\n{PRODUCT}\n{{\n\u{0}").as_bytes(), options));
    all.extend(feed(b"\xff\n", options));
    all.extend(feed(PRODUCT.as_bytes(), options.line_limits(Limits::PRODUCT.with_max_bytes(8))));
    all.extend(feed(b"[[]]", options.line_limits(Limits::PRODUCT.with_max_depth(1))));
    all.extend(feed(b"", options));
    all.extend(feed(PRODUCT.as_bytes(), options.max_bytes(9)));
    all.extend(feed(
        format!("{PRODUCT}\n{}\n", PRODUCT.replace("\"1\"", "\"2\"")).as_bytes(),
        options.max_ids(1),
    ));
    let manifest = Manifest::parse(VALID.as_bytes(), &Options::default()).unwrap();
    all.extend(check_origin(&manifest, &WebUrl::parse("https://b.example").unwrap()));
    all.extend(manifest.check_age(UnixSeconds(0)));
    let stale = v02_manifest();
    all.extend(stale.check_age(UnixSeconds(4_000_000_000)));
    all.extend(check_https(&["http://a.example"]));
    all.extend(classify(200, Some("text/plain"), VALID.as_bytes(), &Limits::MANIFEST).findings().to_vec());
    all.extend(classify(200, None, VALID.as_bytes(), &Limits::MANIFEST).findings().to_vec());
    all.extend(classify(200, None, b"<html>", &Limits::MANIFEST).findings().to_vec());
    all.extend(classify(200, None, b"[]", &Limits::MANIFEST).findings().to_vec());
    let pages = [("products", 404), ("policies", 403), ("faq", 429), ("about", 0)];
    let feeds =
        [("products_jsonl", FeedState::Failed(500)), ("offers_json", FeedState::Read { products: 0 })];
    all.extend(survey(&pages, &feeds).findings);
    all
}

fn v02_manifest() -> Manifest {
    let time = Timestamp::from_unix_seconds(UnixSeconds(0));
    ManifestBuilder::new("A", "https://a.example", "en")
        .version_0_2()
        .topic("t")
        .updated_at(time)
        .feed_updated_at(time)
        .build()
        .unwrap()
}

#[test]
fn findings() {
    let all = all_findings();
    let mut text = String::new();
    for finding in &all {
        writeln!(text, "{} [{}] {finding}", finding.code(), finding.requirement()).unwrap();
    }
    assert!(!text.contains("hidden"), "a secret is printed");
    insta::assert_snapshot!(text);
    let seen: BTreeSet<_> = all.iter().map(ManifestFinding::code).collect();
    let unseen: Vec<_> = Code::ALL.iter().filter(|code| !seen.contains(code)).collect();
    assert_eq!(unseen, [&Code::ReferenceSchema], "which needs the feature `schema`");
}

#[test]
fn codes_are_unique_and_in_kebab_case() {
    let texts: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), Code::ALL.len());
    assert!(texts.iter().all(|text| {
        text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    }));
}

#[test]
fn errors() {
    let mut text = String::new();
    let json = |bytes: &[u8], limits: Limits| -> LlmindexTextError {
        ManifestText::parse(bytes, &limits).unwrap_err()
    };
    let limits = Limits::MANIFEST;
    for error in [
        json(b"", limits),
        json(b"{\"a\" 1}", limits),
        json(b"{\"a\":tru}", limits),
        json(b"{a:1}", limits),
        json(b"{\"a\":1,}", limits),
        json(b"{\"a\":1]", limits),
        json(b"[1}", limits),
        json(b"{} x", limits),
        json(b"{\"a\":01}", limits),
        json(b"{\"a\":-}", limits),
        json(b"{\"a\":\"\n\"}", limits),
        json(b"{\"a\":\"\\x\"}", limits),
        json(b"{\"a\":\"\\u00g0\"}", limits),
        json(b"\"\xff\"", limits),
        json(b"[]", limits),
        json(b"{\"a\":1,\"a\":1}", limits),
        json(b"{\"a\":\"\\ud800\"}", limits),
        json(b"{\"a\":[]}", limits.with_max_depth(1)),
        json(b"{}", limits.with_max_bytes(1)),
    ] {
        writeln!(text, "{:?} [{}] {error}", error.kind(), error.requirement()).unwrap();
    }
    writeln!(text, "{}", Decimal::parse("1e999").unwrap_err()).unwrap();
    writeln!(text, "{}", Manifest::parse(b"", &Options::default()).unwrap_err()).unwrap();
    writeln!(text, "{}", Manifest::parse(b"{}", &Options::default()).unwrap_err()).unwrap();
    writeln!(text, "{}", ManifestBuilder::new("A", "https://a.example", "en").build().unwrap_err()).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn a_built_manifest_and_a_product() {
    let time = Timestamp::parse("2026-02-20T00:00:00Z").unwrap();
    let manifest = ManifestBuilder::new("A \"B\"", "https://a.example", "en").topic("t").updated_at(time);
    let refused = manifest.clone().license("ghp_hidden").build().unwrap_err();
    assert!(!refused.to_string().contains("hidden"));
    assert!(manifest.clone().license("ghp_hidden").allow_secrets().build().is_ok());
    insta::assert_snapshot!(String::from_utf8_lossy(manifest.build().unwrap().as_bytes()));
    let product =
        ProductBuilder::new("", "t", "/p", Availability::Preorder, time).price("ten", "eur").build();
    let faults: Vec<_> = product.unwrap_err().report().errors().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 4, "{faults:?}");
}
