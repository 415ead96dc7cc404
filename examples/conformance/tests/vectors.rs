//! Every published vector through the line protocol.

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
