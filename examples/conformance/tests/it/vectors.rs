//! Every published vector through the line protocol.

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
