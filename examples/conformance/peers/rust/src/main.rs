//! `peers CRATE`: requests of our line protocol on standard input, answers on standard output.
//!
//! JSON of RFC 8785 knows doubles only, so integers are read as such: otherwise large ones stay exact in `serde_json`, and
//! the crates would be blamed for what the reader made of them. `robotstxt` asks for URLs that are escaped, and
//! `texting_robots` takes one agent, so that a case with several is left out.

use std::io::{BufRead as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

type Answer = Result<Option<Value>, String>;

fn main() {
    let peer = std::env::args().nth(1).expect("the name of a crate");
    let operation: fn(&Value) -> Answer = match peer.as_str() {
        "robotstxt" => by_robotstxt,
        "texting_robots" => by_texting_robots,
        "serde_jcs" => {
            |given| canonical(given, |value| serde_jcs::to_vec(value).map_err(|error| error.to_string()))
        }
        "serde_json_canonicalizer" => |given| {
            canonical(given, |value| {
                serde_json_canonicalizer::to_vec(value).map_err(|error| error.to_string())
            })
        },
        _ => panic!("no such crate: {peer}"),
    };
    let name = if peer.starts_with("serde") { "tct.canonicalize" } else { "robots.allowed" };
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("a request");
        let answer = if request["op"] == name { operation(&request["in"]) } else { Ok(None) };
        let answer = match answer {
            Ok(Some(ok)) => json!({"id": request["id"], "ok": ok}),
            Ok(None) => {
                json!({"id": request["id"], "err": {"kind": "unknown-op", "message": "this peer has no such operation"}})
            }
            Err(message) => json!({"id": request["id"], "err": {"kind": "error", "message": message}}),
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("standard output");
    }
}

fn bytes(given: &Value, name: &str) -> Vec<u8> {
    STANDARD.decode(given[name].as_str().expect("bytes in base64")).expect("base64")
}

fn rules(given: &Value) -> Vec<u8> {
    given["robots"].as_str().map_or_else(|| bytes(given, "robots_b64"), |text| text.as_bytes().to_vec())
}

fn agents(given: &Value) -> Vec<&str> {
    given["agents"].as_array().expect("agents").iter().filter_map(Value::as_str).collect()
}

fn by_robotstxt(given: &Value) -> Answer {
    let text = String::from_utf8_lossy(&rules(given)).into_owned();
    let url = given["url"].as_str().expect("a URL");
    let escape = |letter: char| {
        let octets = letter.encode_utf8(&mut [0; 4]).bytes().map(|octet| format!("%{octet:02X}")).collect();
        if letter.is_ascii() { letter.to_string() } else { octets }
    };
    let url: String = url.chars().map(escape).collect();
    let mut matcher = robotstxt::DefaultMatcher::default();
    Ok(Some(json!({"allowed": matcher.allowed_by_robots(&text, agents(given), &url)})))
}

fn by_texting_robots(given: &Value) -> Answer {
    let &[agent] = agents(given).as_slice() else { return Ok(None) };
    let robot = texting_robots::Robot::new(agent, &rules(given)).map_err(|error| error.to_string())?;
    Ok(Some(json!({"allowed": robot.allowed(given["url"].as_str().expect("a URL"))})))
}

fn canonical(given: &Value, written: impl Fn(&Value) -> Result<Vec<u8>, String>) -> Answer {
    if given["profile"] != "rfc8785" {
        return Ok(None);
    }
    let mut value: Value =
        serde_json::from_slice(&bytes(given, "json_b64")).map_err(|error| error.to_string())?;
    as_doubles(&mut value);
    Ok(Some(json!({"json_b64": STANDARD.encode(written(&value)?)})))
}

fn as_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64()),
        Value::Array(items) => items.iter_mut().for_each(as_doubles),
        Value::Object(members) => members.values_mut().for_each(as_doubles),
        _ => {}
    }
}
