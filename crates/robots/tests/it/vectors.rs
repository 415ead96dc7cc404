//! The published vectors of `robots.*`, each against the public API.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a failed test may panic")]

use std::time::Duration;

use base64::Engine as _;
use robots::{
    Access, CrawlDelay, Pacer, PacingOptions, Preference, Preferences, RequestPath, RetryAfter, Robots,
    UnixSeconds,
};
use serde_json::{Map, Value, json};
use spec_vectors::Expected;

type Input = Map<String, Value>;

fn bytes(input: &Input, name: &str) -> Option<Vec<u8>> {
    let text = input.get(name)?.as_str().unwrap();
    Some(base64::engine::general_purpose::STANDARD.decode(text).unwrap())
}

fn file(input: &Input) -> Option<Vec<u8>> {
    input.get("robots").map(|text| text.as_str().unwrap().into()).or_else(|| bytes(input, "robots_b64"))
}

fn agents(input: &Input) -> Vec<&str> {
    input["agents"].as_array().unwrap().iter().map(|agent| agent.as_str().unwrap()).collect()
}

fn seconds(value: &Value) -> Duration {
    Duration::from_secs_f64(value.as_f64().unwrap())
}

fn allowed(input: &Input) -> Value {
    let (file, agents) = (file(input).unwrap(), agents(input));
    let robots = Robots::parse(&file);
    let path = RequestPath::of_url(input["url"].as_str().unwrap());
    let decision = robots.decide(agents.as_slice(), path.clone());
    assert_eq!(robots.matcher(agents.as_slice()).decide(path), decision);
    let rule = decision
        .rule()
        .map(|rule| json!({ "line": rule.line, "pattern": String::from_utf8_lossy(rule.pattern) }));
    let delay = robots.crawl_delay(agents.as_slice()).map(|delay| delay.as_duration().as_secs_f64());
    json!({ "allowed": decision.is_allowed(), "crawl_delay": delay, "rule": rule })
}

fn access(input: &Input) -> Value {
    let status = u16::try_from(input["status"].as_u64().unwrap()).unwrap();
    let unreachable_for = input.get("unreachable_for_s").map(seconds).unwrap_or_default();
    let access = match Access::from_status(status, unreachable_for) {
        Access::Rules => "rules",
        Access::AllowAll => "allow-all",
        Access::DisallowAll => "disallow-all",
        other => panic!("{other:?}"),
    };
    json!({ "access": access })
}

fn headers(input: &Input) -> Vec<(&str, &str)> {
    let pairs = input.get("headers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    pairs.iter().map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap())).collect()
}

#[cfg(feature = "html")]
fn directives(input: &Input) -> Value {
    let agents = agents(input);
    let mut directives = robots::Directives::of_headers(headers(input), agents.as_slice());
    if let Some(html) = bytes(input, "html_b64") {
        directives.add_html(&html, agents.as_slice());
    }
    let mut answer: Input = directives.plain().map(|(name, holds)| (name.to_owned(), json!(holds))).collect();
    for (name, value) in directives.iter() {
        let value = match value.map(|value| (value, value.parse::<i64>())) {
            None => json!(true),
            Some((_, Ok(number))) => json!(number),
            Some((text, Err(_))) => json!(text),
        };
        answer.insert(name.to_owned(), value);
    }
    answer.insert("unknown".to_owned(), json!(directives.unknown().collect::<Vec<_>>()));
    Value::Object(answer)
}

fn preferences(input: &Input) -> Value {
    let mut preferences = Preferences::of_headers(headers(input));
    if let Some(file) = file(input) {
        let path = RequestPath::of_url(input["url"].as_str().unwrap());
        let stated = Preferences::of_robots(&Robots::parse(&file), agents(input).as_slice(), path);
        preferences = preferences.merge(stated);
    }
    let word = |stated, yes: &str, no: &str| if stated == Preference::Yes { json!(yes) } else { json!(no) };
    let usages = preferences.usages().map(|(label, stated)| (label.to_owned(), word(stated, "y", "n")));
    let signals = preferences.signals().map(|(name, stated)| (name.to_string(), word(stated, "yes", "no")));
    json!({ "content_usage": usages.collect::<Input>(), "content_signal": signals.collect::<Input>() })
}

fn pacing(input: &Input) -> Value {
    assert_eq!(input["start"], "2026-01-01T00:00:00Z", "the one start of this set");
    let start = Duration::from_secs(1_767_225_600);
    let mut options = PacingOptions::default();
    if let Some(cooldown) = input.get("cooldown_s") {
        options = options.cooldown(seconds(cooldown));
    }
    let delay = input.get("crawl_delay_s").map(|delay| CrawlDelay::from(seconds(delay)));
    let mut pacer = Pacer::new(options);
    for event in input["events"].as_array().unwrap() {
        let (host, at) = (event["host"].as_str().unwrap(), start + seconds(&event["at_s"]));
        let _ = pacer.set_crawl_delay(host, delay).unwrap();
        let Some(status) = event.get("status") else {
            pacer.on_fetch(host, at).unwrap();
            continue;
        };
        let fields: Vec<&str> = match &event["retry_after"] {
            Value::String(text) => vec![text],
            Value::Array(texts) => texts.iter().map(|text| text.as_str().unwrap()).collect(),
            _ => Vec::new(),
        };
        let pause = RetryAfter::parse(fields, None, UnixSeconds(at.as_secs()));
        let status = u16::try_from(status.as_u64().unwrap()).unwrap();
        pacer.on_response(host, status, pause, at).unwrap();
    }
    let asks = input["ask"].as_array().unwrap().iter();
    let ready = asks.map(|ask| {
        let at = start + seconds(&ask["at_s"]);
        (pacer.ready_at(ask["host"].as_str().unwrap(), at) - start).as_secs_f64()
    });
    json!({ "ready_s": ready.collect::<Vec<f64>>() })
}

/// Numbers as doubles, so that 2 and 2.0 are one.
fn settled(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(settled).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), settled(value))).collect())
        }
        other => other.clone(),
    }
}

#[test]
fn every_vector_gets_its_expected_answer() {
    let (mut sets, mut cases) = (0, 0);
    for name in spec_vectors::names().filter(|name| name.starts_with("robots/")) {
        let set = spec_vectors::set(name).unwrap();
        sets += 1;
        for case in &set.cases {
            let operation = match case.op_in(&set) {
                "robots.allowed" => allowed,
                "robots.access" => access,
                "robots.pacing" => pacing,
                "robots.preferences" => preferences,
                #[cfg(feature = "html")]
                "robots.meta" => directives,
                #[cfg(not(feature = "html"))]
                "robots.meta" => continue,
                other => panic!("{other}"),
            };
            let mut case = case.clone();
            let answer = json!({ "ok": settled(&operation(&case.input)) });
            if let Expected::Ok(ok) = &mut case.expected {
                ok.values_mut().for_each(|value| *value = settled(value));
            }
            assert!(case.passes(&answer), "{}: {answer}", case.id);
            cases += 1;
        }
    }
    assert!(sets == 10 && cases > 280, "{sets} sets, {cases} cases");
}
