//! Every MUST and SHOULD that a library can fulfil is named by a vector or a test, and the pages that are made
//! from the data are not stale.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]
#![allow(clippy::disallowed_methods, reason = "it compares files of this repository")]

use crate::report;

use report::Evidence;
use spec_vectors::{Level, Status};
use std::collections::BTreeSet;

#[test]
fn every_binding_requirement_of_the_library_is_tested() {
    let evidence = Evidence::collect();
    let mut untested = Vec::new();
    for row in spec_vectors::catalogues().flat_map(|catalogue| catalogue.requirements) {
        if row.level.is_binding() && row.status == Status::Library && !evidence.is_tested(&row.id) {
            untested.push(format!("{} {}: {}", row.id, row.level.as_str(), row.text));
        }
    }
    assert!(untested.is_empty(), "{} requirements lack a test:\n{}", untested.len(), untested.join("\n"));
}

#[test]
fn tests_name_requirements_in_attributes_and_not_in_comments() {
    let evidence = Evidence::collect();
    let faults = evidence.faults();
    assert!(
        faults.is_empty(),
        "{} lines; put the ID into `#[covers(\"…\")]` on the test that asserts it:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn decisions_and_duties_are_named_somewhere() {
    let evidence = Evidence::collect();
    let mut unnamed = Vec::new();
    for row in spec_vectors::catalogues().flat_map(|catalogue| catalogue.requirements) {
        let wanted = match row.status {
            Status::Library => matches!(row.level, Level::Decision | Level::Vector),
            Status::DutyOfOthers => row.level.is_binding(),
            _ => false,
        };
        if wanted && !evidence.is_tested(&row.id) && evidence.items(&row.id).is_empty() {
            unnamed.push(format!("{} {}: {}", row.id, row.level.as_str(), row.text));
        }
    }
    assert!(unnamed.is_empty(), "{} rows stand nowhere:\n{}", unnamed.len(), unnamed.join("\n"));
}

#[test]
fn vectors_and_sources_name_only_known_requirements() {
    let known: BTreeSet<String> =
        spec_vectors::catalogues().flat_map(|c| c.requirements).map(|row| row.id).collect();
    let mut unknown = Vec::new();
    for (name, set) in spec_vectors::all() {
        for case in &set.cases {
            for id in case.requirements.iter().filter(|id| !id.starts_with("RFC ") && !known.contains(*id)) {
                unknown.push(format!("{name} {}: {id}", case.id));
            }
        }
    }
    let evidence = Evidence::collect();
    let named = evidence.ids().filter(|id| !known.contains(*id));
    unknown.extend(named.map(|id| format!("sources: {id}")));
    assert!(unknown.is_empty(), "unknown requirements:\n{}", unknown.join("\n"));
}

#[test]
fn the_generated_pages_are_fresh() {
    for (path, text) in report::pages() {
        let on_disk = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            on_disk == text,
            "{} is stale: run `cargo run -p spec-vectors --example report`",
            path.display()
        );
    }
}
