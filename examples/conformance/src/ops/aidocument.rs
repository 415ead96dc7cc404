//! The crates `aidocument` and `aidocument-extract`.

use aidocument::{Crawl, Document, Limits, UrlRules, WebUrl};
use aidocument_extract::Options;
use serde_json::{Value, json};

use crate::{Input, Op, OpError, text};

/// Operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("aidocument.extract", extract),
    ("aidocument.validate", |input| text(validate(input))),
    ("aidocument.visibility", |input| text(visibility(input))),
];

/// The document as it writes itself: through a value, numbers would lose digits.
fn extract(input: &Input<'_>) -> Result<String, OpError> {
    let url = WebUrl::parse_with(input.text("url")?, UrlRules::default().dropping_credentials())
        .map_err(|error| OpError::new("bad-url", error))?;
    let crawl = input.value("crawl")?.to_string();
    let crawl = Crawl::parse(crawl.as_bytes()).map_err(|error| {
        let finding = error.findings().iter().find(|finding| finding.is_error());
        OpError::new(finding.map_or("bad-crawl", |finding| finding.code().as_str()), &error)
    })?;
    let content_type = input.text_opt("content_type")?;
    let page =
        aidocument_extract::extract(&input.bytes("html_b64")?, url, content_type, crawl, &Options::default());
    Ok(format!(r#"{{"document":{}}}"#, page.document.to_json()))
}

fn validate(input: &Input<'_>) -> Result<Value, OpError> {
    let reading = Document::read(&input.bytes("json_b64")?, &Limits::default())
        .map_err(|error| OpError::of(error.kind(), &error))?;
    let errors: Vec<Value> = reading
        .findings()
        .iter()
        .filter(|finding| finding.is_error())
        .map(|finding| json!({ "path": finding.path(), "code": finding.code().as_str() }))
        .collect();
    Ok(json!({ "valid": errors.is_empty(), "errors": errors }))
}

fn visibility(input: &Input<'_>) -> Result<Value, OpError> {
    let content_type = input.text_opt("content_type")?;
    let texts: Vec<Value> = aidocument_extract::seen_texts(&input.bytes("html_b64")?, content_type)
        .into_iter()
        .map(|seen| {
            let reason = seen.verdict.reason().map(aidocument_extract::HiddenReason::code);
            json!({ "text": seen.text, "verdict": seen.verdict.as_str(), "reason": reason })
        })
        .collect();
    Ok(json!({ "texts": texts }))
}
