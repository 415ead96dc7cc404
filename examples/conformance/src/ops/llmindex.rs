//! Operations of the crate `llmindex-types`.

use llmindex_types::{
    FeedLine, FeedOptions, FeedReader, Finding, JsonError, Manifest, ManifestError, Options, Report,
    llms_txt, validate, validate_product,
};
use serde_json::{Value, json};

use crate::{Input, Op, OpError};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("llmindex.manifest", manifest),
    ("llmindex.product", product),
    ("llmindex.feed", feed),
    ("llmindex.llms_txt", llms_txt_op),
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

fn feed(input: &Input<'_>) -> Result<Value, OpError> {
    let bytes = input.bytes("feed_b64")?;
    let mut reader = FeedReader::new(ID_KEY, FeedOptions::default());
    let mut lines = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some(line) = reader.next_line(&mut rest) {
        lines.extend(remarks(line));
    }
    lines.extend(reader.last_line().and_then(remarks));
    let summary = reader.summary();
    let warnings: Value =
        summary.findings().iter().map(|finding| json!({ "code": finding.code().as_str() })).collect();
    Ok(json!({
        "valid": summary.is_valid(),
        "products": summary.products(),
        "lines": lines,
        "warnings": warnings,
    }))
}

/// A line with something to say.
fn remarks(line: FeedLine<'_>) -> Option<Value> {
    let (errors, warnings): (Vec<_>, Vec<_>) = line.findings().iter().partition(|finding| finding.is_error());
    (!line.findings().is_empty()).then(|| {
        json!({
            "line": line.number(),
            "errors": list(errors.into_iter()),
            "warnings": list(warnings.into_iter()),
        })
    })
}

fn llms_txt_op(input: &Input<'_>) -> Result<Value, OpError> {
    let manifest =
        Manifest::parse(&input.bytes("json_b64")?, &Options::default()).map_err(|error| match error {
            ManifestError::Json(error) => json_error(&error),
            error @ ManifestError::Invalid(_) => OpError::new("invalid-manifest", error),
        })?;
    Ok(json!({ "text": llms_txt(&manifest) }))
}
