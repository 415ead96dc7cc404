//! The published vectors of llmindex, each against the public API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use base64::Engine as _;
use llmindex_types::web_values::Timestamp;
use llmindex_types::{
    DeltaBase, DeltaError, DeltaReader, FeedOptions, FeedReader, Manifest, ManifestError, ManifestFinding,
    Options, Report, llms_txt, validate, validate_product,
};
use serde_json::{Value, json};
use spec_vectors::Expected;

fn list<'a>(findings: impl Iterator<Item = &'a ManifestFinding>) -> Value {
    findings.map(|finding| json!({ "path": finding.path(), "code": finding.code().as_str() })).collect()
}

fn verdict(report: &Report) -> Value {
    json!({ "valid": report.is_valid(), "errors": list(report.errors()), "warnings": list(report.warnings()) })
}

fn feed(bytes: &[u8]) -> Value {
    let mut reader = FeedReader::new([0; 16], FeedOptions::default());
    let mut lines = Vec::new();
    // Every line on its own, so that both ways into the reader are used: the adapter gives it chunks.
    for line in bytes.split(|&byte| byte == b'\n') {
        if let Some(line) = reader.line(line).filter(|line| !line.findings().is_empty()) {
            let errors = list(line.findings().iter().filter(|finding| finding.is_error()));
            let warnings = list(line.findings().iter().filter(|finding| !finding.is_error()));
            lines.push(json!({ "line": line.number(), "errors": errors, "warnings": warnings }));
        }
    }
    let summary = reader.summary();
    let warnings: Value =
        summary.findings().iter().map(|finding| json!({ "code": finding.code().as_str() })).collect();
    json!({ "valid": summary.is_valid(), "products": summary.products(), "lines": lines, "warnings": warnings })
}

/// The held feed with a delta applied. Each feed comes in one chunk, and its last line without a line end.
fn delta(input: &serde_json::Map<String, Value>, held: &[u8], delta: &[u8]) -> Result<Value, DeltaError> {
    let time = |name: &str| Timestamp::parse(input[name].as_str().unwrap()).unwrap();
    let (held, delta) =
        (held.strip_suffix(b"\n").unwrap_or(held), delta.strip_suffix(b"\n").unwrap_or(delta));
    let base = DeltaBase::new(time("since")..=time("until"))?;
    let mut reader = DeltaReader::new([0; 16], &base, time("held_at"), FeedOptions::default())?;
    let mut bad_lines = Vec::new();
    let mut rest = delta;
    while let Some(line) = reader.next_line(&mut rest) {
        bad_lines.extend((!line.is_valid()).then(|| line.number()));
    }
    bad_lines.extend(reader.last_line().filter(|line| !line.is_valid()).map(|line| line.number()));
    let mut lines = Vec::new();
    let mut held_lines = reader.finish()?.apply();
    let mut rest = held;
    while let Some(line) = held_lines.next_line(&mut rest) {
        lines.push(line.to_owned());
    }
    lines.extend(held_lines.last_line().map(str::to_owned));
    let mut changed = held_lines.changes();
    let mut rest = delta;
    while let Some(line) = changed.next_line(&mut rest) {
        lines.push(line.to_owned());
    }
    lines.extend(changed.last_line().map(str::to_owned));
    let summary = changed.finish()?;
    Ok(json!({
        "lines": lines, "bad_lines": bad_lines, "kept": summary.kept, "replaced": summary.replaced,
        "deleted": summary.deleted, "added": summary.added, "stale": summary.stale, "dropped": summary.dropped,
        "feed_updated_at": summary.feed_updated_at.to_string(),
    }))
}

/// The answer, or the name of the error's kind.
fn answer(op: &str, input: &serde_json::Map<String, Value>) -> Result<Value, String> {
    let bytes =
        |name: &str| base64::engine::general_purpose::STANDARD.decode(input[name].as_str().unwrap()).unwrap();
    let json_error = |error: llmindex_types::LlmindexTextError| format!("{:?}", error.kind());
    match op {
        "llmindex.manifest" => validate(&bytes("json_b64"), &Options::default())
            .map(|report| verdict(&report))
            .map_err(json_error),
        "llmindex.product" => validate_product(input["line"].as_str().unwrap(), &Options::for_product())
            .map(|report| verdict(&report))
            .map_err(json_error),
        "llmindex.feed" => Ok(feed(&bytes("feed_b64"))),
        "llmindex.delta" => delta(input, &bytes("held_b64"), &bytes("delta_b64"))
            .map_err(|error| format!("{:?}", error.kind())),
        "llmindex.llms_txt" => match Manifest::parse(&bytes("json_b64"), &Options::default()) {
            Ok(manifest) => Ok(json!({ "text": llms_txt(&manifest) })),
            Err(ManifestError::Json(error)) => Err(json_error(error)),
            Err(ManifestError::Invalid(_)) => Err("InvalidManifest".into()),
        },
        other => panic!("unknown operation {other}"),
    }
}

#[test]
fn every_vector_gets_its_expected_answer() {
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, set) in spec_vectors::all().filter(|(name, _)| name.starts_with("llmindex/")) {
        for case in &set.cases {
            count += 1;
            let answer = answer(case.op_in(&set), &case.input);
            let passed = match (&case.expected, &answer) {
                (Expected::Ok(ok), Ok(answer)) => {
                    ok.iter().all(|(name, value)| answer.get(name) == Some(value))
                }
                (Expected::Err(err), Err(kind)) => err.kind.replace('-', "") == kind.to_lowercase(),
                _ => false,
            };
            if !passed {
                failures.push(format!("{name} {}: {answer:?}", case.id));
            }
        }
    }
    assert!(count > 350, "{count} vectors");
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}
