//! The typed checks and the JSON Schema agree on what both can express: every vector through both.
#![cfg(feature = "schema")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use base64::Engine as _;
use llmindex_types::{Code, Mode, Options, ReferenceSchema, validate, validate_product};

/// Findings that no schema can express, or that the reference's does not: where only these stand, it is silent.
const BEYOND_THE_SCHEMA: &[Code] = &[
    Code::Blank,
    Code::UrlInsecure,
    Code::UrlOtherHost,
    Code::UrlNotAscii,
    Code::UrlNotPublic,
    Code::TimestampNotUtc,
    Code::VerifyValueLooksLikeFileName,
    Code::SigAlgorithm,
    Code::LicenseFreeText,
    Code::Secret,
    Code::PossibleSecret,
    Code::LanguageNotListed,
    Code::LocalizationIncomplete,
    Code::AllowedAndDenied,
    Code::CurrencyUnknown,
    Code::CurrencyWithoutPrice,
    Code::RangeInverted,
];

/// Vectors on which the two differ all the same, each with its reason. One that no longer differs fails the test.
const DIFFERENT: &[(&str, &str)] = &[
    ("llmindex-manifest-endpoint-bad-port", "the format `uri` bounds no port"),
    (
        "llmindex-manifest-endpoint-not-ascii",
        "the format `uri` is ASCII; browsers, and so the specification, are not",
    ),
    ("llmindex-manifest-byte-order-mark", "a schema sees the tree, not the text"),
    ("llmindex-manifest-canonical-url-idn", "the format `uri` is ASCII"),
    ("llmindex-manifest-topics-duplicate", "the reference does not ask for unique topics"),
    (
        "llmindex-manifest-license-empty",
        "the reference asks for one character, the specification for nothing",
    ),
    ("llmindex-manifest-v02-all", "the reference knows no `usage_terms`"),
    ("llmindex-product-price-without-currency-with-range", "the reference takes a bare price beside a range"),
    (
        "llmindex-product-price-without-currency-bad-range",
        "the reference takes a bare price beside a range, whatever its bounds",
    ),
];

#[test]
fn verdicts_agree_on_every_vector() {
    let reference = ReferenceSchema::new().expect("our schemas compile");
    let mut compared = 0;
    let mut differing = Vec::new();
    for case in spec_vectors::set("llmindex/manifest").unwrap().cases {
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(case.input["json_b64"].as_str().unwrap())
            .unwrap();
        let options = Options::default().mode(Mode::Strict);
        let typed = validate(&bytes, &options);
        let by_schema = reference.check_manifest(&bytes, &options);
        compare(&case.id, typed, by_schema, &mut compared, &mut differing);
    }
    for case in spec_vectors::set("llmindex/product").unwrap().cases {
        let line = case.input["line"].as_str().unwrap();
        let options = Options::for_product().mode(Mode::Strict);
        let typed = validate_product(line, &options);
        let by_schema = reference.check_product(line.as_bytes(), &options);
        compare(&case.id, typed, by_schema, &mut compared, &mut differing);
    }
    assert!(compared > 300, "{compared} vectors were compared");
    let expected: Vec<_> = DIFFERENT.iter().map(|(id, _)| (*id).to_owned()).collect();
    assert_eq!(differing, expected, "the list of differences in this file is out of date");
}

fn compare(
    id: &str,
    typed: Result<llmindex_types::Report, llmindex_types::LlmindexTextError>,
    by_schema: Result<llmindex_types::Report, llmindex_types::LlmindexTextError>,
    compared: &mut usize,
    differing: &mut Vec<String>,
) {
    let typed_faults = typed.is_ok_and(|report| {
        report.findings().iter().any(|finding| !BEYOND_THE_SCHEMA.contains(&finding.code()))
    });
    let schema_faults = by_schema.is_ok_and(|report| !report.is_valid());
    *compared += 1;
    if typed_faults != schema_faults {
        differing.push(id.to_owned());
    }
}

#[test]
fn the_published_texts_are_the_crates_own() {
    assert_eq!(spec_vectors::schema("llmindex-manifest"), Some(llmindex_types::MANIFEST_SCHEMA));
    assert_eq!(spec_vectors::schema("llmindex-product"), Some(llmindex_types::PRODUCT_SCHEMA));
}
