//! `aiwebindex.*`: the crawler's identity, of the crate aiweb-robots.

use robots::{FetchPurpose, UserAgent};
use serde_json::{Value, json};

use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("aiwebindex.user_agent", |input| text(user_agent(input))),
    ("aiwebindex.check_user_agent", |input| text(check_user_agent(input))),
];

fn user_agent(input: &Input<'_>) -> Result<Value, OpError> {
    let mut builder = UserAgent::builder().verification(input.bool_opt("verification")?.unwrap_or(false));
    if let Some(url) = input.text_opt("info_url")? {
        builder = builder.info_url(url);
    }
    if let Some(name) = input.text_opt("implementation")? {
        builder = builder.implementation(name);
    }
    let agent = builder.build().map_err(|error| OpError::of(error.kind(), error))?;
    Ok(json!({ "value": agent.as_str() }))
}

fn check_user_agent(input: &Input<'_>) -> Result<Value, OpError> {
    let agent = UserAgent::check(input.text("value")?);
    Ok(json!({
        "conforms": agent.is_ok(),
        "verification": agent.is_ok_and(|agent| agent.purpose() == FetchPurpose::Verification),
    }))
}
