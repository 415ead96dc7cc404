//! `aiwebindex.*` and `aiwebindex2.*`: the crawler's identity, of the crate aiweb-robots.

use robots::{AiWebIndexAgent, AiWebIndexVersion, FetchPurpose};
use serde_json::{Value, json};

use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("aiwebindex.user_agent", |input| text(user_agent(input, AiWebIndexVersion::V1))),
    ("aiwebindex.check_user_agent", |input| {
        text(check_user_agent(input, AiWebIndexVersion::V1).map(|(answer, _)| answer))
    }),
    ("aiwebindex2.user_agent", |input| text(user_agent(input, AiWebIndexVersion::V2))),
    ("aiwebindex2.check_user_agent", |input| text(check_user_agent2(input))),
];

fn user_agent(input: &Input<'_>, version: AiWebIndexVersion) -> Result<Value, OpError> {
    let mut builder = AiWebIndexAgent::builder(version);
    builder = builder.verification(input.bool("verification")?);
    if let Some(url) = input.text_opt("info_url")? {
        builder = builder.info_url(url);
    }
    if let Some(name) = input.text_opt("implementation")? {
        builder = builder.implementation(name);
    }
    let agent = builder.build().map_err(|error| OpError::of(error.kind(), error))?;
    Ok(json!({ "value": agent.as_str() }))
}

/// The answer of version 1.0, and the value.
fn check_user_agent<'a>(input: &Input<'a>, version: AiWebIndexVersion) -> Result<(Value, &'a str), OpError> {
    let value = input.text("value")?;
    let agent = AiWebIndexAgent::check(value, version);
    let answer = json!({
        "conforms": agent.is_ok(),
        "verification": agent.is_ok_and(|agent| agent.purpose() == FetchPurpose::Verification),
    });
    Ok((answer, value))
}

fn check_user_agent2(input: &Input<'_>) -> Result<Value, OpError> {
    let (mut answer, value) = check_user_agent(input, AiWebIndexVersion::V2)?;
    if let Some(members) = answer.as_object_mut() {
        members.insert("version".to_owned(), json!(AiWebIndexAgent::claimed_version(value)));
    }
    Ok(answer)
}
