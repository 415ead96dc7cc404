//! Version 2.0 in the crates `aidocument` and `aidocument-extract`, and the ways between the versions.

use aidocument::v2::{self, Call};
use aidocument::{
    CrawlFacts, Document, DocumentError, Limits, StatusCode, UrlRules, WebUrl, detect, downgrade, upgrade,
};
use aidocument_extract::{Options, Snapshot, extract_v2};
use serde_json::{Value, json};

use crate::{Input, Op, OpError, text};

/// Operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("aidocument.detect", |input| text(shape(input))),
    ("aidocument.downgrade", down),
    ("aidocument.upgrade", up),
    ("aidocument2.check", |input| text(check(input))),
    ("aidocument2.extract", extract),
    ("aidocument2.rewrite", rewrite),
];

fn failed(error: DocumentError) -> OpError {
    OpError::of(error.kind(), &error)
}

fn bad(name: &str, error: impl ToString) -> OpError {
    OpError::new("bad-request", format!("in.{name}: {}", error.to_string()))
}

/// The answer with a document as it writes itself: through a value, numbers would lose digits.
fn answer(document: &str, lost: Option<&[String]>) -> Result<String, OpError> {
    Ok(match lost {
        None => format!(r#"{{"document":{document}}}"#),
        Some(lost) => format!(r#"{{"document":{document},"lost":{}}}"#, json!(lost)),
    })
}

fn call(input: &Input<'_>) -> Result<Call, OpError> {
    let (policy, status) = (input.text("freshness_policy")?, input.text("cache_status")?);
    Call::of_texts(policy, status).map_err(|error| OpError::new("cache-contradiction", error))
}

fn shape(input: &Input<'_>) -> Result<Value, OpError> {
    let shape = detect(&input.bytes("json_b64")?).map_err(failed)?;
    Ok(json!({ "shape": shape.as_str(), "version": shape.version() }))
}

fn check(input: &Input<'_>) -> Result<Value, OpError> {
    let reading = v2::Document::read(&input.bytes("json_b64")?, &Limits::default()).map_err(failed)?;
    let findings: Vec<Value> = reading
        .findings()
        .iter()
        .map(|finding| {
            let (kind, severity) = (finding.code().as_str(), finding.severity().as_str());
            json!({ "path": finding.path(), "kind": kind, "severity": severity })
        })
        .collect();
    Ok(json!({ "valid": reading.is_valid(), "findings": findings }))
}

fn rewrite(input: &Input<'_>) -> Result<String, OpError> {
    let document = v2::Document::parse(&input.bytes("json_b64")?).map_err(failed)?;
    answer(&document.to_json(), None)
}

fn extract(input: &Input<'_>) -> Result<String, OpError> {
    let url = WebUrl::parse_with(input.text("url")?, UrlRules::default().dropping_credentials())
        .map_err(|error| OpError::new("bad-url", error))?;
    let source = input.value("source")?.as_object().ok_or_else(|| bad("source", "expected an object"))?;
    let facts = facts(&Input::new(source), "source")?;
    let snapshot = Snapshot {
        fetched_at: facts.fetched_at,
        status_code: facts.status_code,
        render_mode: facts.render_mode,
    };
    let (html, content_type) = (input.bytes("html_b64")?, input.text_opt("content_type")?);
    let page = extract_v2(&html, url, content_type, snapshot, call(input)?, &Options::default());
    answer(&page.document.to_json(), None)
}

fn up(input: &Input<'_>) -> Result<String, OpError> {
    let document = Document::parse(&input.bytes("json_b64")?).map_err(failed)?;
    let converted = upgrade(document, call(input)?, input.bool_opt("has_json_ld")?);
    answer(&converted.document.to_json(), Some(&converted.lost))
}

fn down(input: &Input<'_>) -> Result<String, OpError> {
    let document = v2::Document::parse(&input.bytes("json_b64")?).map_err(failed)?;
    let crawl = input.value("crawl")?.as_object().ok_or_else(|| bad("crawl", "expected an object"))?;
    let facts = CrawlFacts { word_count: input.u64_opt("words")?, ..facts(&Input::new(crawl), "crawl")? };
    let converted = downgrade(document, &facts).map_err(|error| OpError::new("lacking", error))?;
    answer(&converted.document.to_json(), Some(&converted.lost))
}

fn facts(members: &Input<'_>, name: &str) -> Result<CrawlFacts, OpError> {
    let status = members.u64_opt("status_code")?.map(|code| {
        let code = u16::try_from(code).ok().and_then(StatusCode::new);
        code.ok_or_else(|| bad(name, "expected a status code from 100 to 599"))
    });
    Ok(CrawlFacts {
        fetch_duration_ms: members.u64_opt("fetch_duration_ms")?,
        content_length: members.u64_opt("content_length")?,
        user_agent: members.text_opt("user_agent")?.map(str::parse).transpose().map_err(|e| bad(name, e))?,
        fetched_at: members.text_opt("fetched_at")?.map(str::parse).transpose().map_err(|e| bad(name, e))?,
        status_code: status.transpose()?,
        render_mode: members
            .text_opt("render_mode")?
            .map(str::parse)
            .transpose()
            .map_err(|e| bad(name, e))?,
        word_count: None,
    })
}
