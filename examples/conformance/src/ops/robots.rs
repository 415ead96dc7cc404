//! `robots.*`: the crate aiweb-robots.

use robots::{RequestPath, Robots};
use serde_json::{Value, json};

use crate::{Input, Op, OpError};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[("robots.allowed", allowed)];

fn allowed(input: &Input<'_>) -> Result<Value, OpError> {
    let file =
        file(input)?.ok_or_else(|| OpError::new("bad-request", "in: expected robots or robots_b64"))?;
    let agents = input.texts("agents")?;
    let robots = Robots::parse(&file);
    let decision = robots.decide(agents.as_slice(), RequestPath::of_url(input.text("url")?));
    Ok(json!({
        "allowed": decision.is_allowed(),
        "crawl_delay": robots.crawl_delay(agents.as_slice()).map(|delay| number(delay.as_secs_f64())),
        "rule": decision.rule().map(|rule| json!({
            "line": rule.line,
            "pattern": String::from_utf8_lossy(rule.pattern),
        })),
    }))
}

fn file(input: &Input<'_>) -> Result<Option<Vec<u8>>, OpError> {
    match input.text_opt("robots")? {
        Some(text) => Ok(Some(text.as_bytes().to_vec())),
        None => input.bytes_opt("robots_b64"),
    }
}

/// Whole seconds as an integer, as the file has them.
fn number(secs: f64) -> Value {
    if secs.fract() == 0.0 && secs < 9e15 { json!(secs as u64) } else { json!(secs) }
}
