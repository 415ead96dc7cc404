//! Every case keeps to the description of its operation, and the description has nothing that no case or program knows.

#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use spec_vectors::{Expected, Member, Operation};

/// What is wrong with some members, by their description.
fn faults<'a>(
    described: &'a BTreeMap<String, Member>,
    found: &'a Map<String, Value>,
) -> impl Iterator<Item = String> + 'a {
    let unknown = found.iter().filter_map(|(name, value)| match described.get(name) {
        None => Some(format!("{name} is not described")),
        Some(member) if !member.types.admit(value) => Some(format!("{name} is of another type: {value}")),
        Some(_) => None,
    });
    let missing = described.iter().filter(|(name, member)| member.required && !found.contains_key(*name));
    unknown.chain(missing.map(|(name, _)| format!("{name} is missing")))
}

fn described() -> BTreeMap<String, Operation> {
    spec_vectors::operations().unwrap().operations.into_iter().map(|one| (one.op.clone(), one)).collect()
}

/// Each request with its operation and what it expects: cases, and the steps of stories.
fn requests() -> Vec<(String, String, Map<String, Value>, Expected)> {
    let mut all = Vec::new();
    for (_, set) in spec_vectors::all() {
        for case in &set.cases {
            all.push((
                case.id.clone(),
                case.op_in(&set).to_owned(),
                case.input.clone(),
                case.expected.clone(),
            ));
        }
    }
    for story in spec_vectors::stories().flat_map(|set| set.stories) {
        for (number, step) in story.steps.iter().enumerate() {
            let mut input = step.input.clone();
            for to in step.carry.keys().filter_map(|to| to.strip_prefix('/')).filter(|to| !to.contains('/')) {
                // Of the right type: that is the implementation's own answer.
                let op = described().remove(&step.op).unwrap();
                let kind = op.input.get(to).and_then(|member| member.types.names().next()).map(str::to_owned);
                let value = match kind.as_deref() {
                    Some("array") => Value::Array(Vec::new()),
                    Some("string") => Value::String(String::new()),
                    Some("number") => Value::from(0),
                    _ => Value::Object(Map::new()),
                };
                input.insert(to.to_owned(), value);
            }
            all.push((format!("{}/{}", story.id, number + 1), step.op.clone(), input, step.expected.clone()));
        }
    }
    all
}

#[test]
fn every_case_keeps_to_the_description_of_its_operation() {
    let operations = described();
    let mut wrong = Vec::new();
    for (id, op, input, expected) in requests() {
        let Some(operation) = operations.get(&op) else {
            wrong.push(format!("{id}: {op} is not described"));
            continue;
        };
        wrong.extend(faults(&operation.input, &input).map(|fault| format!("{id}: in.{fault}")));
        match &expected {
            Expected::Ok(ok) => {
                wrong.extend(faults(&operation.ok, ok).map(|fault| format!("{id}: ok.{fault}")));
            }
            Expected::Err(err) if !operation.errors.contains(&err.kind) => {
                wrong.push(format!("{id}: the error {} of {op} is not described", err.kind));
            }
            Expected::Err(_) => {}
        }
    }
    assert!(
        wrong.is_empty(),
        "{} faults in `operations.json` or the cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_error_is_explained_and_every_example_is_there() {
    let all = spec_vectors::operations().unwrap();
    let named: BTreeSet<&String> = all.operations.iter().flat_map(|one| &one.errors).collect();
    assert_eq!(named, all.errors.keys().collect());
    assert!(all.operations.is_sorted_by(|one, next| one.op < next.op));
    let cases: BTreeMap<_, _> = requests().into_iter().map(|(id, op, ..)| (id, op)).collect();
    for operation in &all.operations {
        let example = operation.example.as_ref().and_then(|id| cases.get(id));
        let has_vectors = cases.values().any(|op| *op == operation.op);
        assert_eq!(example, has_vectors.then_some(&operation.op), "{}", operation.op);
        assert!(operation.does.ends_with('.'), "{}", operation.op);
        for (name, member) in operation.input.iter().chain(&operation.ok) {
            assert!(!member.about.is_empty(), "{}: {name} is not explained", operation.op);
        }
    }
}
