//! `robots.*`: the crate aiweb-robots.

use std::time::Duration;

use robots::{
    Access, CrawlDelay, Directives, Pacer, PacingOptions, Preference, Preferences, RequestPath, RetryAfter,
    Robots, UnixSeconds,
};
use serde_json::{Map, Value, json};

use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("robots.allowed", |input| text(allowed(input))),
    ("robots.access", |input| text(access(input))),
    ("robots.meta", |input| text(meta(input))),
    ("robots.preferences", |input| text(preferences(input))),
    ("robots.pacing", |input| text(pacing(input))),
];

fn allowed(input: &Input<'_>) -> Result<Value, OpError> {
    let file =
        file(input)?.ok_or_else(|| OpError::new("bad-request", "in: expected robots or robots_b64"))?;
    let agents = input.texts("agents")?;
    let robots = Robots::parse(&file);
    let decision = robots.decide(agents.as_slice(), RequestPath::of_url(input.text("url")?));
    Ok(json!({
        "allowed": decision.is_allowed(),
        "crawl_delay": robots.crawl_delay(agents.as_slice()).map(|delay| seconds(delay.as_duration())),
        "rule": decision.rule().map(|rule| json!({
            "line": rule.line,
            "pattern": String::from_utf8_lossy(rule.pattern),
        })),
    }))
}

fn access(input: &Input<'_>) -> Result<Value, OpError> {
    let status = input.u64("status")?;
    // Whether there is a file is said by the status alone.
    input.bytes_opt("robots_b64")?;
    let unreachable_for = span(input, "unreachable_for_s")?.unwrap_or_default();
    // A number that is not a status of HTTP is no answer either.
    let access = Access::from_status(u16::try_from(status).unwrap_or(0), unreachable_for);
    Ok(json!({ "access": crate::kebab(&access) }))
}

fn meta(input: &Input<'_>) -> Result<Value, OpError> {
    let agents = input.texts("agents")?;
    let mut directives = Directives::of_headers(input.pairs("headers")?, agents.as_slice());
    if let Some(html) = input.bytes_opt("html_b64")? {
        directives.add_html(&html, agents.as_slice());
    }
    let mut answer: Map<String, Value> =
        directives.plain().map(|(name, holds)| (name.to_owned(), json!(holds))).collect();
    for (name, value) in directives.iter() {
        let value = match value.map(|value| (value, value.parse::<i64>())) {
            None => json!(true),
            Some((_, Ok(number))) => json!(number),
            Some((text, Err(_))) => json!(text),
        };
        answer.insert(name.to_owned(), value);
    }
    answer.insert("unknown".to_owned(), json!(directives.unknown().collect::<Vec<_>>()));
    Ok(Value::Object(answer))
}

fn preferences(input: &Input<'_>) -> Result<Value, OpError> {
    let agents = input.texts("agents")?;
    let mut preferences = Preferences::of_headers(input.pairs_opt("headers")?);
    if let Some(file) = file(input)? {
        let path = RequestPath::of_url(input.text("url")?);
        preferences =
            preferences.merge(Preferences::of_robots(&Robots::parse(&file), agents.as_slice(), path));
    }
    let usage = |preference| if preference == Preference::Yes { "y" } else { "n" };
    let signal = |preference| if preference == Preference::Yes { "yes" } else { "no" };
    Ok(json!({
        "content_usage": preferences.usages().map(|(label, stated)| (label.to_owned(), json!(usage(stated)))).collect::<Map<_, _>>(),
        "content_signal": preferences.signals().map(|(name, stated)| (name.to_string(), json!(signal(stated)))).collect::<Map<_, _>>(),
    }))
}

fn pacing(input: &Input<'_>) -> Result<Value, OpError> {
    let mut options = PacingOptions::default();
    if let Some(cooldown) = span(input, "cooldown_s")? {
        options = options.cooldown(cooldown);
    }
    let crawl_delay = span(input, "crawl_delay_s")?.map(CrawlDelay::from);
    let start = start(input.text("start")?)?;
    let mut pacer = Pacer::new(options);
    for event in input.array("events")? {
        let (event, at, host) = moment(event, start)?;
        let full = |error| OpError::new("pacer-full", format!("{error}"));
        // The answer has no place for a report of a delay past the cap.
        let _ = pacer.set_crawl_delay(host, crawl_delay).map_err(full)?;
        match event.u64_opt("status")? {
            None => pacer.on_fetch(host, at).map_err(full)?,
            Some(status) => {
                let fields = fields(&event)?;
                let now = UnixSeconds(at.as_secs());
                let pause = RetryAfter::parse(fields.iter().map(String::as_str), None, now);
                pacer.on_response(host, u16::try_from(status).unwrap_or(0), pause, at).map_err(full)?;
            }
        }
    }
    let mut ready = Vec::new();
    for ask in input.array("ask")? {
        let (_, at, host) = moment(ask, start)?;
        ready.push(seconds(pacer.ready_at(host, at).saturating_sub(start)));
    }
    Ok(json!({ "ready_s": ready }))
}

fn file(input: &Input<'_>) -> Result<Option<Vec<u8>>, OpError> {
    match input.text_opt("robots")? {
        Some(text) => Ok(Some(text.as_bytes().to_vec())),
        None => input.bytes_opt("robots_b64"),
    }
}

/// The members of an event or ask: itself, its time and its host.
fn moment<'a>(value: &'a Value, start: Duration) -> Result<(Input<'a>, Duration, &'a str), OpError> {
    let input = Input::of(value, "events and ask")?;
    let at =
        span(&input, "at_s")?.ok_or_else(|| OpError::new("bad-request", "in.at_s: expected a number"))?;
    Ok((input, start.saturating_add(at), input.text("host")?))
}

/// The `Retry-After` fields of an event: one text, one number, or a list of them.
fn fields(event: &Input<'_>) -> Result<Vec<String>, OpError> {
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(OpError::new("bad-request", "in.retry_after: expected a field value")),
    };
    match event.get("retry_after") {
        None => Ok(Vec::new()),
        Some(Value::Array(values)) => values.iter().map(text).collect(),
        Some(value) => Ok(vec![text(value)?]),
    }
}

/// The start as a span since 1970.
fn start(text: &str) -> Result<Duration, OpError> {
    let start: jiff::Timestamp =
        text.parse().map_err(|error| OpError::new("bad-request", format!("in.start: {error}")))?;
    Duration::try_from(start.as_duration())
        .map_err(|_| OpError::new("bad-request", "in.start: expected a time from 1970 on"))
}

/// A non-negative number of seconds, whole or not.
fn span(input: &Input<'_>, name: &str) -> Result<Option<Duration>, OpError> {
    let Some(value) = input.get(name) else { return Ok(None) };
    if let Some(whole) = value.as_u64() {
        return Ok(Some(Duration::from_secs(whole)));
    }
    let span = value.as_f64().and_then(|secs| Duration::try_from_secs_f64(secs).ok());
    span.map(Some).ok_or_else(|| OpError::new("bad-request", format!("in.{name}: expected seconds")))
}

/// Seconds as JSON: an integer where they are whole.
fn seconds(span: Duration) -> Value {
    if span.subsec_nanos() == 0 { json!(span.as_secs()) } else { json!(span.as_secs_f64()) }
}
