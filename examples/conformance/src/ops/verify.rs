//! Operations of the crate `verify`.

use std::collections::BTreeSet;

use jwk::{JwkError, JwkSet, SigningKey};
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use serde_json::{Value, json};
use url::Url;
use verify::{
    Action, BundledSuffixes, DEFAULT_MIN_ANSWERS, Domain, FetchFailure, JwsForm, ManifestVerifier, NoRecords,
    Origin, Protocol, Quorum, QuorumPolicy, Token, TxtAnswer, TxtRecord, WellKnownCheck,
};

use crate::{Input, Op, OpError, text};

/// The operations of this module with their names.
pub const OPS: &[(&str, Op)] = &[
    ("verify.dns", |input| text(dns(input))),
    ("verify.http", |input| text(http(input))),
    ("verify.jws", |input| text(jws(input))),
    ("verify.sign", |input| text(sign(input))),
    ("verify.token", |input| text(token(input))),
];

fn token(input: &Input<'_>) -> Result<Value, OpError> {
    let entropy = input.bytes("entropy_b64")?;
    let domain = domain(Protocol::AiWebIndex, input.text_opt("domain")?.unwrap_or("example.com"))?;
    let token = Token::issue(domain, &entropy).map_err(|error| OpError::of(error.kind(), error))?;
    Ok(json!({ "token": token.expose() }))
}

fn dns(input: &Input<'_>) -> Result<Value, OpError> {
    let token = expected(input)?;
    let entries = input.objects("answers")?;
    let answers: Vec<TxtAnswer> = entries.iter().map(answer).collect::<Result<_, _>>()?;
    // The script's resolvers are all that there are: a case with one asks what that one answer is worth.
    let resolvers: BTreeSet<&str> =
        entries.iter().map(|answer| answer.text("resolver")).collect::<Result<_, _>>()?;
    let quorum = Quorum::new(QuorumPolicy::default()).min_answers(resolvers.len().min(DEFAULT_MIN_ANSWERS));
    let report =
        verify::evaluate_dns(&token, &answers, quorum).map_err(|error| OpError::of(error.kind(), error))?;
    let near_misses: Vec<_> = report.near_misses.iter().map(|miss| miss.kind.code()).collect();
    Ok(json!({
        "name": report.name,
        "verified": report.is_verified(),
        "reason": report.reason.code(),
        "undecided": report.is_undecided(),
        "weak_challenge": report.is_weak_challenge,
        "pasted_quotes": report.has_pasted_quotes(),
        "near_misses": near_misses,
    }))
}

fn answer(entry: &Input<'_>) -> Result<TxtAnswer, OpError> {
    let bad = || OpError::new("bad-request", "in.answers: expected records as arrays of strings");
    let resolver = entry.text("resolver")?;
    let reason = NoRecords::of_code(entry.text_opt("error")?.unwrap_or("no answer"));
    // An answer with `probe` is one for a name at which nobody published anything on purpose.
    let is_probe = entry.bool_opt("probe")?.unwrap_or(false);
    let asked_as = |answer: TxtAnswer| if is_probe { answer.as_wildcard_probe() } else { answer };
    if entry.nullable("records")?.is_none() {
        return Ok(asked_as(TxtAnswer::without_records(resolver, reason)));
    }
    let records = entry
        .array("records")?
        .iter()
        .map(|record| {
            let strings = record.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?;
            Some(TxtRecord::new(strings))
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(bad)?;
    Ok(asked_as(TxtAnswer::records(resolver, records)))
}

fn http(input: &Input<'_>) -> Result<Value, OpError> {
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url("https://example.com/bot")
        .verification(true)
        .build()
        .map_err(|error| OpError::of(error.kind(), error))?;
    let mut check = WellKnownCheck::new(expected(input)?, &agent, &BundledSuffixes)
        .map_err(|error| OpError::of(error.kind(), error))?;
    let script: Vec<_> = input.objects("responses")?.iter().map(response).collect::<Result<_, _>>()?;
    let report = loop {
        let done = match check.next_action() {
            Action::Done(report) => break report,
            Action::AskRobots { .. } => check.on_robots(true),
            Action::Send(request) => {
                // Authors write what stands in `Location`, perhaps with a default port.
                let asked = Url::parse(&request.uri().to_string()).ok();
                match script.iter().find(|(url, _)| asked.is_some() && *url == asked) {
                    Some((_, response)) => check.on_response(response),
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

/// A response of the script, and where it is from: `None` where that is not a URL.
fn response(entry: &Input<'_>) -> Result<(Option<Url>, http::Response<Vec<u8>>), OpError> {
    let mut response = http::Response::builder().status(entry.status("status")?);
    for (name, value) in entry.pairs("headers")? {
        response = response.header(name, value);
    }
    let response = response.body(entry.bytes("body_b64")?);
    let response = response.map_err(|error| OpError::new("bad-request", error))?;
    Ok((Url::parse(entry.text("url")?).ok(), response))
}

fn jws(input: &Input<'_>) -> Result<Value, OpError> {
    let manifest = input.bytes("manifest_b64")?;
    let keys = JwkSet::parse(input.value("jwks")?.to_string().as_bytes()).map_err(bad_key)?;
    let report = if input.bool_opt("reference_compat")?.unwrap_or(false) {
        verify::verify_reference_form(&manifest, &keys.only_key().map_err(bad_key)?)
    } else {
        let origin = input.text_opt("fetched_from")?.map_or(Origin::Unchecked, Origin::FetchedFrom);
        ManifestVerifier::new(&keys, origin).verify(&manifest)
    };
    let report = report.map_err(|error| OpError::new(error.code(), error))?;
    let caveats: Vec<_> = report.caveats().iter().map(|caveat| caveat.code()).collect();
    Ok(
        json!({ "valid": report.is_valid(), "reason": report.reason.code(), "kid": report.kid, "caveats": caveats }),
    )
}

fn sign(input: &Input<'_>) -> Result<Value, OpError> {
    let manifest = input.bytes("manifest_b64")?;
    let key = SigningKey::from_jwk(input.value("jwk")?.to_string().as_bytes()).map_err(bad_key)?;
    let is_detached = input.bool_opt("detached")?.unwrap_or(false);
    let form = if is_detached { JwsForm::Detached } else { JwsForm::Attached };
    let signed =
        verify::sign_manifest(&manifest, &key, form).map_err(|error| OpError::new(error.code(), error))?;
    Ok(json!({ "manifest_b64": crate::input::base64(signed.as_bytes()) }))
}

fn bad_key(error: JwkError) -> OpError {
    OpError::new(error.code(), error)
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
