//! Operations of the crate `llmindex-types`.

use llmindex_types::web_values::Timestamp;
use llmindex_types::{
    DeltaBase, DeltaError, DeltaReader, FeedLine, FeedOptions, FeedReader, LlmindexTextError, Manifest,
    ManifestError, ManifestFinding, Options, Report, llms_txt, validate, validate_product,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("llmindex.manifest", |input| text(manifest(input))),
    ("llmindex.product", |input| text(product(input))),
    ("llmindex.feed", feed),
    ("llmindex.llms_txt", |input| text(llms_txt_op(input))),
    ("llmindex.delta", |input| text(delta(input))),
];

/// Repeated identifiers are found through keyed hashes; here the key need not be secret.
const ID_KEY: [u8; 16] = [0; 16];

fn json_error(error: &LlmindexTextError) -> OpError {
    OpError::of(error.kind(), error)
}

fn list<'a>(findings: impl Iterator<Item = &'a ManifestFinding>) -> Value {
    findings.map(|finding| json!({ "path": finding.path(), "code": finding.code().as_str() })).collect()
}

fn verdict(report: &Report) -> Value {
    json!({ "valid": report.is_valid(), "errors": list(report.errors()), "warnings": list(report.warnings()) })
}

fn manifest(input: &Input<'_>) -> Result<Value, OpError> {
    let report =
        validate(&input.bytes("json_b64")?, &Options::default()).map_err(|error| json_error(&error))?;
    Ok(verdict(&report))
}

fn product(input: &Input<'_>) -> Result<Value, OpError> {
    let report =
        validate_product(input.text("line")?, &Options::for_product()).map_err(|error| json_error(&error))?;
    Ok(verdict(&report))
}

/// A finding, as it is told of a line.
#[derive(Serialize)]
struct Remark<'a> {
    path: &'a str,
    code: &'a str,
}

/// A line with something to say.
#[derive(Serialize)]
struct Remarks<'a> {
    line: u64,
    errors: Vec<Remark<'a>>,
    warnings: Vec<Remark<'a>>,
}

impl<'a> Remarks<'a> {
    /// `None` for a line without findings.
    fn of(line: &'a FeedLine<'_>) -> Option<Self> {
        if line.findings().is_empty() {
            return None;
        }
        let remarks = |of_errors: bool| {
            let findings = line.findings().iter().filter(move |finding| finding.is_error() == of_errors);
            findings.map(|finding| Remark { path: finding.path(), code: finding.code().as_str() }).collect()
        };
        Some(Remarks { line: line.number(), errors: remarks(true), warnings: remarks(false) })
    }
}

/// A feed may have more to say than it is long: each line is written as it comes.
fn feed(input: &Input<'_>) -> Result<String, OpError> {
    let bytes = input.bytes("feed_b64")?;
    let mut reader = FeedReader::new(ID_KEY, FeedOptions::default());
    let mut lines = String::new();
    let mut tell = |line: FeedLine<'_>| -> Result<(), OpError> {
        if let Some(remarks) = Remarks::of(&line) {
            lines.push_str(if lines.is_empty() { "" } else { "," });
            lines.push_str(&text(Ok(remarks))?);
        }
        Ok(())
    };
    let mut rest = bytes.as_slice();
    while let Some(line) = reader.next_line(&mut rest) {
        tell(line)?;
    }
    if let Some(line) = reader.last_line() {
        tell(line)?;
    }
    let summary = reader.summary();
    let warnings: Value =
        summary.findings().iter().map(|finding| json!({ "code": finding.code().as_str() })).collect();
    Ok(format!(
        r#"{{"valid":{},"products":{},"lines":[{lines}],"warnings":{warnings}}}"#,
        summary.is_valid(),
        summary.products()
    ))
}

fn time(input: &Input<'_>, name: &str) -> Result<Timestamp, OpError> {
    Timestamp::parse(input.text(name)?).map_err(|error| OpError::new("bad-request", error))
}

fn delta_error(error: &DeltaError) -> OpError {
    OpError::of(error.kind(), error)
}

/// The held feed with a delta applied: its lines, and the counts.
fn delta(input: &Input<'_>) -> Result<Value, OpError> {
    let (held, delta) = (input.bytes("held_b64")?, input.bytes("delta_b64")?);
    let base = DeltaBase::new(time(input, "since")?..=time(input, "until")?);
    let base = base.map_err(|error| delta_error(&error))?;
    let mut reader = DeltaReader::new(ID_KEY, &base, time(input, "held_at")?, FeedOptions::default())
        .map_err(|error| delta_error(&error))?;
    let mut bad_lines = Vec::new();
    let mut rest = delta.as_slice();
    while let Some(line) = reader.next_line(&mut rest) {
        bad_lines.extend((!line.is_valid()).then(|| line.number()));
    }
    bad_lines.extend(reader.last_line().filter(|line| !line.is_valid()).map(|line| line.number()));
    let mut held_lines = reader.finish().map_err(|error| delta_error(&error))?.apply();
    let mut lines = Vec::new();
    let mut rest = held.as_slice();
    while let Some(line) = held_lines.next_line(&mut rest) {
        lines.push(line.to_owned());
    }
    lines.extend(held_lines.last_line().map(str::to_owned));
    let mut changed = held_lines.changes();
    let mut rest = delta.as_slice();
    while let Some(line) = changed.next_line(&mut rest) {
        lines.push(line.to_owned());
    }
    lines.extend(changed.last_line().map(str::to_owned));
    let summary = changed.finish().map_err(|error| delta_error(&error))?;
    Ok(json!({
        "lines": lines, "bad_lines": bad_lines, "kept": summary.kept, "replaced": summary.replaced,
        "deleted": summary.deleted, "added": summary.added, "stale": summary.stale, "dropped": summary.dropped,
        "feed_updated_at": summary.feed_updated_at.to_string(),
    }))
}

fn llms_txt_op(input: &Input<'_>) -> Result<Value, OpError> {
    let manifest =
        Manifest::parse(&input.bytes("json_b64")?, &Options::default()).map_err(|error| match error {
            ManifestError::Json(error) => json_error(&error),
            error @ ManifestError::Invalid(_) => OpError::new("invalid-manifest", error),
        })?;
    Ok(json!({ "text": llms_txt(&manifest) }))
}
