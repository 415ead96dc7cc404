//! Operations of the crate `llmindex-types`.

use llmindex_types::{
    FeedLine, FeedOptions, FeedReader, Finding, JsonError, Manifest, ManifestError, Options, Report,
    llms_txt, validate, validate_product,
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
];

/// Repeated identifiers are found through keyed hashes; here nobody tries to guess the key.
const ID_KEY: [u8; 16] = [0; 16];

fn json_error(error: &JsonError) -> OpError {
    OpError::of(error.kind(), error)
}

fn list<'a>(findings: impl Iterator<Item = &'a Finding>) -> Value {
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

fn llms_txt_op(input: &Input<'_>) -> Result<Value, OpError> {
    let manifest =
        Manifest::parse(&input.bytes("json_b64")?, &Options::default()).map_err(|error| match error {
            ManifestError::Json(error) => json_error(&error),
            error @ ManifestError::Invalid(_) => OpError::new("invalid-manifest", error),
        })?;
    Ok(json!({ "text": llms_txt(&manifest) }))
}
