//! The published JSON Schemas and the typed readers agree on every vector, but for what no schema can say.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use covers::covers;
use std::collections::BTreeSet;

use base64::Engine as _;
use jsonschema::Validator;
use serde_json::Value;
use spec_vectors::Case;
use tct::open::{Expected, ProblemCode, open_response};
use tct::sitemap::{ItemIssue, Sitemap};
use tct::{OpenPolicy, PolicyDescriptor, SitemapReader};

/// Where in a document each of the schema's complaints stands, as JSON Pointers.
fn faults_by_schema(schema: &Validator, document: &Value) -> BTreeSet<String> {
    schema.iter_errors(document).map(|error| error.instance_path().to_string()).collect()
}

fn compiled(name: &str) -> Validator {
    let schema =
        serde_json::from_str(spec_vectors::schema(name).expect("it is published")).expect("it is JSON");
    jsonschema::draft202012::new(&schema).expect("it is a schema")
}

/// The document of a case, where it is JSON whose members do not repeat.
fn document(case: &Case, member: &str) -> Option<(Vec<u8>, Value)> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(case.input.get(member)?.as_str()?).ok()?;
    let document: Value = serde_json::from_slice(&bytes).ok()?;
    tct_canonical_json::to_canonical(&bytes, tct_canonical_json::Profile::Tct).ok()?;
    Some((bytes, document))
}

#[test]
#[covers("TCT-POL-3", "TCT-POL-4", "TCT-POL-5", "TCT-POL-6", "TCT-POL-7")]
fn policy_descriptors() {
    let schema = compiled("tct-policy");
    let mut compared = 0;
    for case in spec_vectors::set("tct/policy").unwrap().cases {
        let Some((bytes, document)) = document(&case, "json_b64") else { continue };
        let (_, faults) = PolicyDescriptor::parse(&bytes).expect("it is JSON");
        let typed: BTreeSet<String> = faults.into_iter().map(|fault| fault.path).collect();
        assert_eq!(faults_by_schema(&schema, &document), typed, "{}", case.id);
        compared += 1;
    }
    assert!(compared >= 12, "{compared}");
}

#[test]
#[covers(
    "TCT-SM-1",
    "TCT-SM-2",
    "TCT-SM-3",
    "TCT-SM-4",
    "TCT-SM-5",
    "TCT-SM-6",
    "TCT-SM-7",
    "TCT-SM-8",
    "TCT-D01-1"
)]
fn sitemaps() {
    let schema = compiled("tct-sitemap");
    let mut compared = 0;
    for set in ["tct/sitemap", "tct/plan"] {
        let member = if set == "tct/plan" { "sitemap_b64" } else { "json_b64" };
        for case in spec_vectors::set(set).unwrap().cases {
            let Some((bytes, document)) = document(&case, member) else { continue };
            let faults = faults_by_schema(&schema, &document);
            let mut sitemap = Sitemap::new();
            let Ok(report) = sitemap.read(&bytes, SitemapReader::any_origin()) else {
                assert!(faults.contains("") || faults.contains("/items"), "{}: {faults:?}", case.id);
                compared += 1;
                continue;
            };
            // Other entries, origins and sizes are beyond a schema, and so are two hashes that differ.
            let expressible = |issue| {
                !matches!(
                    issue,
                    ItemIssue::OtherOrigin
                        | ItemIssue::Duplicate
                        | ItemIssue::Ambiguous
                        | ItemIssue::HashConflict
                        | ItemIssue::TooLarge
                        | ItemIssue::TooDeep
                )
            };
            let typed: BTreeSet<u64> =
                report.skipped.iter().filter(|item| expressible(item.issue)).map(|item| item.index).collect();
            // One of two hashes that differ may be malformed too: the reader names the conflict alone.
            let conflicting = |index| {
                report.skipped.iter().any(|it| it.index == index && it.issue == ItemIssue::HashConflict)
            };
            let by_schema: BTreeSet<u64> = faults
                .iter()
                .map(|path| path.split('/').nth(2).unwrap_or_else(|| panic!("{}: {path}", case.id)))
                .map(|index| index.parse().unwrap())
                .filter(|index| !conflicting(*index))
                .collect();
            assert_eq!(by_schema, typed, "{}", case.id);
            compared += 1;
        }
    }
    assert!(compared >= 60, "{compared}");
}

#[test]
#[covers("TCT-MURL-3", "TCT-MURL-4", "TCT-MURL-5", "TCT-MURL-6", "TCT-MURL-7")]
fn payloads() {
    let schema = compiled("tct-payload");
    let mut compared = 0;
    for case in spec_vectors::set("tct/open").unwrap().cases {
        let Some((bytes, document)) = document(&case, "body_b64") else { continue };
        let url = case.input["m_url"].as_str().unwrap().parse().unwrap();
        let opened =
            open_response(&url, &http::Response::new(bytes), &Expected::default(), &OpenPolicy::strict());
        // The response's header fields are beyond the schema of its body.
        let is_refused = opened.problems().iter().any(|problem| {
            matches!(
                problem.code,
                ProblemCode::BodyInvalid | ProblemCode::FieldMissing | ProblemCode::HashMalformed
            )
        });
        // A page's URL of the wrong form is found by comparing it with the Link.
        let faults = faults_by_schema(&schema, &document);
        let by_schema =
            faults.iter().any(|path| path != "/canonical_url" || !document["canonical_url"].is_string());
        assert_eq!(by_schema, is_refused, "{}: {:?}", case.id, opened.problems());
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
}
