//! Every published vector through the line protocol.

use serde_json::{Value, json};
use spec_vectors::Operation;

/// A member that the description calls required is never counted as absent, and one of another type is never read as if
/// nothing were there: a verdict would be about another case than the one that was meant.
#[test]
fn required_members_are_required() {
    let sets: Vec<_> = spec_vectors::all().collect();
    let (mut failures, mut tried) = (Vec::new(), 0);
    for Operation { op, input, .. } in spec_vectors::operations().expect("the description reads").operations {
        for (name, member) in input.iter().filter(|(_, member)| member.required) {
            let good = sets.iter().flat_map(|(_, set)| set.cases.iter().map(move |case| (set, case)));
            let mut good = good.filter(|(set, case)| case.op_in(set) == op && case.expected.ok().is_some());
            let Some((_, good)) = good.find(|(_, case)| case.input.contains_key(name)) else { continue };
            let values = [json!(null), json!(true), json!(-1), json!("\u{0}"), json!([]), json!({})];
            for value in [None].into_iter().chain(values.map(Some)) {
                if value.as_ref().is_some_and(|value| member.types.admit(value)) {
                    continue;
                }
                let mut input = good.input.clone();
                match &value {
                    None => input.remove(name),
                    Some(value) => input.insert(name.clone(), value.clone()),
                };
                let line = json!({ "id": "1", "op": op, "in": input }).to_string();
                let answer: Value =
                    serde_json::from_str(&conformance::answer(line.as_bytes())).unwrap_or_default();
                // Documents and keys that stand in the request as JSON have errors of their own for other types.
                let is_told = match value {
                    None | Some(Value::Null) => answer["err"]["kind"] == "bad-request",
                    _ => answer["err"].is_object(),
                };
                tried += 1;
                if !is_told {
                    failures.push(format!("{op} {name} {value:?}: {answer:.60}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {tried} failed:\n{}", failures.len(), failures.join("\n"));
    assert!(tried > 500, "{tried}");
}

#[test]
fn every_operation_is_described() {
    let described = spec_vectors::operations().expect("the description reads");
    let described: Vec<_> = described.operations.iter().map(|one| one.op.as_str()).collect();
    let mut known: Vec<_> = conformance::ops::all().map(|(name, _)| name).collect();
    known.sort_unstable();
    assert_eq!(described, known, "spec-vectors/operations.json and the adapter differ");
}

#[test]
fn every_story_goes_as_it_is_told() {
    let mut failures = Vec::new();
    for story in spec_vectors::stories().flat_map(|set| set.stories) {
        let mut answers = Vec::new();
        for (number, step) in story.steps.iter().enumerate() {
            let Some(request) = story.request(number, &answers) else {
                failures.push(format!(
                    "{}/{}: an earlier answer lacks what it carries",
                    story.id,
                    number + 1
                ));
                break;
            };
            let answer = conformance::answer(request.to_string().as_bytes());
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
            if !step.expected.is_met_by(&answer) {
                failures.push(format!("{}/{}: {answer}", story.id, number + 1));
                break;
            }
            answers.push(answer.get("ok").cloned().unwrap_or_default());
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_vector_gets_its_expected_answer() {
    let mut failures = Vec::new();
    for (name, set) in spec_vectors::all() {
        for case in &set.cases {
            let answer = conformance::answer(case.request_in(&set).to_string().as_bytes());
            if !serde_json::from_str(&answer).is_ok_and(|answer| case.passes(&answer)) {
                failures.push(format!("{name} {}: {answer}", case.id));
            }
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}
