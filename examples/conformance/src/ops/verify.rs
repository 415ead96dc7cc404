//! Operations of the crate `verify`.

use robots::UserAgent;
use serde_json::{Value, json};
use verify::{
    Action, BundledSuffixes, Domain, FetchFailure, Policy, Protocol, Token, TxtAnswer, TxtRecord,
    WellKnownCheck,
};

use crate::{Input, Op, OpError};

/// The operations of this module with their names.
pub const OPS: &[(&str, Op)] = &[("verify.dns", dns), ("verify.http", http), ("verify.token", token)];

fn token(input: &Input<'_>) -> Result<Value, OpError> {
    let entropy = input.bytes("entropy_b64")?;
    let domain = domain(Protocol::AiWebIndex, input.text_opt("domain")?.unwrap_or("example.com"))?;
    let token = Token::issue(domain, &entropy).map_err(|error| OpError::of(error.kind(), error))?;
    Ok(json!({ "token": token.expose() }))
}

fn dns(input: &Input<'_>) -> Result<Value, OpError> {
    let token = expected(input)?;
    let answers: Vec<TxtAnswer> = input.array("answers")?.iter().map(answer).collect::<Result<_, _>>()?;
    let report = verify::evaluate_dns(&token, &answers, Policy::default())
        .map_err(|error| OpError::of(error.kind(), error))?;
    let near_misses: Vec<_> = report.near_misses.iter().map(|miss| miss.kind.code()).collect();
    Ok(json!({
        "name": report.name,
        "verified": report.is_verified(),
        "reason": report.reason.code(),
        "undecided": report.is_undecided(),
        "pasted_quotes": report.has_pasted_quotes(),
        "near_misses": near_misses,
    }))
}

fn answer(value: &Value) -> Result<TxtAnswer, OpError> {
    let bad =
        || OpError::new("bad-request", "in.answers: expected a resolver's records as arrays of strings");
    let resolver = value["resolver"].as_str().ok_or_else(bad)?;
    let Some(records) = value["records"].as_array() else {
        return Ok(TxtAnswer::without_records(resolver, value["error"].as_str().unwrap_or("no answer")));
    };
    let records = records
        .iter()
        .map(|record| {
            let strings = record.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?;
            Some(TxtRecord::new(strings))
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(bad)?;
    Ok(TxtAnswer::records(resolver, records))
}

fn http(input: &Input<'_>) -> Result<Value, OpError> {
    let agent = UserAgent::builder()
        .info_url("https://example.com/bot")
        .verification(true)
        .build()
        .map_err(|error| OpError::of(error.kind(), error))?;
    let mut check = WellKnownCheck::new(expected(input)?, &agent, &BundledSuffixes)
        .map_err(|error| OpError::of(error.kind(), error))?;
    let script = input.array("responses")?;
    let report = loop {
        let done = match check.next_action() {
            Action::Done(report) => break report,
            Action::AskRobots { .. } => check.on_robots(true),
            Action::Send(request) => {
                let url = request.uri().to_string();
                match script.iter().find(|entry| entry["url"] == url.as_str()) {
                    Some(entry) => check.on_response(&response(entry)?),
                    None => check.on_failure(FetchFailure::Network),
                }
            }
        };
        done.map_err(|error| OpError::of(error.kind(), error))?;
    };
    let warnings: Vec<_> = report.warnings.iter().map(|warning| warning.code()).collect();
    Ok(json!({
        "verified": report.is_verified(),
        "reason": report.reason.code(),
        "requests": report.requests,
        "undecided": report.is_undecided(),
        "warnings": warnings,
        "near_miss": report.near_miss.map(|miss| miss.code()),
    }))
}

fn response(entry: &Value) -> Result<http::Response<Vec<u8>>, OpError> {
    let members =
        entry.as_object().ok_or_else(|| OpError::new("bad-request", "in.responses: expected objects"))?;
    let entry = Input::new(members);
    let status = entry.u64_opt("status")?.and_then(|status| u16::try_from(status).ok()).unwrap_or(0);
    let mut response = http::Response::builder().status(status);
    for (name, value) in entry.pairs("headers")? {
        response = response.header(name, value);
    }
    let body = entry.bytes_opt("body_b64")?.unwrap_or_default();
    response.body(body).map_err(|error| OpError::new("bad-request", error))
}

/// The token that the input names, for its domain and protocol.
fn expected(input: &Input<'_>) -> Result<Token, OpError> {
    let protocol = match input.text("protocol")? {
        "aiwebindex" => Protocol::AiWebIndex,
        "llmindex" => Protocol::Llmindex,
        other => {
            return Err(OpError::new(
                "bad-request",
                format!("in.protocol: expected a protocol, found {other:?}"),
            ));
        }
    };
    let domain = domain(protocol, input.text("domain")?)?;
    Token::expect(domain, input.text("token")?).map_err(|error| OpError::of(error.kind(), error))
}

fn domain(protocol: Protocol, text: &str) -> Result<Domain, OpError> {
    Domain::parse(protocol, text, &BundledSuffixes).map_err(|error| OpError::of(error.kind(), error))
}
