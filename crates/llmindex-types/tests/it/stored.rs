//! What users store and print: serde's forms, and `Display`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use llmindex_types::web_values::{Finding, FindingRecord};
use llmindex_types::{
    Availability, FeedOptions, FeedReader, FeedState, LicenseKind, Limits, ManifestState, ManifestText,
    Options, PageFileState, RateLimit, VerifyMethod, classify, secret, survey, validate,
};
use serde_json::{json, to_value};

#[test]
fn findings_are_stored_in_the_shape_that_all_crates_share() {
    let report = validate(br#"{"version":0.1}"#, &Options::default()).unwrap();
    let finding = &report.findings()[0];
    let stored = to_value(finding).unwrap();
    let expected = json!({
        "severity": "error", "code": "wrong-type", "place": "/version", "requirement": "LLMI-MAN-2",
        "message": "expected a string, found a number"
    });
    assert_eq!(stored, expected);
    let record: FindingRecord = serde_json::from_value(stored).unwrap();
    assert_eq!(record, finding.to_record());
    let all: Vec<Box<dyn Finding>> = vec![Box::new(finding.clone())];
    assert_eq!((all[0].code(), all[0].is_error()), ("wrong-type", true));
    let stored = to_value(&report).unwrap();
    assert_eq!((&stored["valid"], stored["findings"].as_array().unwrap().len()), (&json!(false), 6));
    assert_eq!(report.to_string().lines().count(), 6);
}

#[test]
fn summaries_and_outcomes_are_stored() {
    let mut reader = FeedReader::new([0; 16], FeedOptions::default());
    assert!(reader.line(b"{}").is_some() && reader.line(b"{").is_some());
    let stored = to_value(reader.summary()).unwrap();
    assert_eq!(
        (&stored["products"], &stored["bad_lines"], &stored["valid"]),
        (&json!(0), &json!(2), &json!(false))
    );
    assert_eq!(stored["counts"][0], json!({ "code": "missing-member", "severity": "error", "count": 6 }));
    assert!(
        reader.summary().to_string().starts_with("0 products, 2 bad lines; warning: expected at least one")
    );

    let outcome = classify(200, None, b"<html>", &Limits::MANIFEST);
    let stored = to_value(&outcome).unwrap();
    assert_eq!(
        (&stored["state"], &stored["findings"][0]["code"]),
        (&json!("unsupported"), &json!("not-a-manifest"))
    );
    assert!(
        outcome.to_string().starts_with("the site has no manifest; warning: expected a JSON object"),
        "{outcome}"
    );
    let left = survey(&[("faq", 404)], &[("products_jsonl", FeedState::Read { products: 3 })]);
    assert!(
        left.to_string().starts_with("0 pages and 1 feeds to use; warning at /endpoints/faq: "),
        "{left}"
    );
    assert_eq!(to_value(&left).unwrap()["feeds"], json!(["products_jsonl"]));

    let error = ManifestText::parse(b"[", &Limits::MANIFEST).unwrap_err();
    assert_eq!(
        to_value(&error).unwrap(),
        json!({ "kind": "not-json", "offset": 1, "requirement": "LLMI-MAN-1", "message": error.to_string() })
    );
    let suspicion = secret::in_url("https://a.example/?token=x").unwrap();
    assert_eq!(to_value(suspicion).unwrap(), json!("a value named `token`"));
}

#[test]
fn small_values_read_back() {
    let states = [ManifestState::Supported, ManifestState::RetryLater, ManifestState::NotModified];
    let text = serde_json::to_string(&states).unwrap();
    assert_eq!(text, r#"["supported","retry-later","not-modified"]"#);
    assert_eq!(serde_json::from_str::<[ManifestState; 3]>(&text).unwrap(), states);
    assert_eq!(to_value(Availability::InStock).unwrap(), json!(Availability::InStock.as_str()));
    assert_eq!(to_value(VerifyMethod::DnsTxt).unwrap(), json!(VerifyMethod::DnsTxt.as_str()));
    assert_eq!(to_value(RateLimit::parse("5/day").unwrap()).unwrap(), json!("5/day"));
    assert_eq!(to_value(FeedState::Failed(404)).unwrap(), json!({ "failed": 404 }));
}

#[test]
fn everything_that_leaves_the_library_prints() {
    for (shown, expected) in [
        (ManifestState::Redirect.to_string(), "the manifest is elsewhere: follow the redirect"),
        (ManifestState::RetryLater.to_string(), "no usable answer: keep what is held, and ask again later"),
        (PageFileState::of_status(429).to_string(), "rate limited"),
        (FeedState::Failed(0).to_string(), "failed without a response"),
        (FeedState::Read { products: 2 }.to_string(), "read, 2 products"),
        (LicenseKind::of("MIT").to_string(), "an SPDX expression"),
        (VerifyMethod::HttpFile.to_string(), "http_file"),
    ] {
        assert_eq!(shown, expected);
    }
}
