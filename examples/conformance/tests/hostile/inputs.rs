//! Inputs that try to hurt: for the tests, and for the measuring program beside them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Hostile inputs, each of about `many` repetitions of something short: brackets, quotes, marks, markup, half
/// escapes, invalid bytes, repeated names.
pub fn hostile(many: usize) -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = [
        &b""[..],
        b"\0",
        b"a",
        b"[",
        b"{\"a\":",
        b"<div>",
        b"&",
        b"&#",
        b"\xff",
        b"\"",
        b"\\",
        b"\\u",
        b"\\ud800",
        b" ",
        b"\r",
        b"\n",
        b"-",
        b"1e9",
        b"<a href=x>",
        b"<!--",
        b"*a",
        b"eyJ.",
        b"sha256-",
        b"W/\"",
        b",",
        b";",
        b"=",
        b"\xcc\x81",
        b"\xe1\x84\x80",
        b"\xef\xbb\xbf",
        b"User-agent: *\n",
        b"Disallow: /*a$\n",
        b"9",
        b"{\"id\":\"a\"}\n",
        b"\xf0\x90\x8d",
        b"<b c=d>",
        b"> - ",
        b"{\"a\":1,\"a\":2}",
    ]
    .iter()
    .map(|piece| piece.repeat(many))
    .collect();
    let script = b"<script type=\"application/ld+json\">".to_vec();
    inputs.push([script, b"[".repeat(many)].concat());
    let items = b"{\"version\":1,\"items\":[".to_vec();
    inputs.push([items, b"{\"cUrl\":\"https://a/\",\"mUrl\":\"https://a/b\"},".repeat(many / 4)].concat());
    inputs
}

/// Every operation with the text, or the bytes, in each member that takes them.
pub fn requests(input: &[u8]) -> Vec<(&'static str, Value)> {
    let text = String::from_utf8_lossy(input).into_owned();
    let b64 = STANDARD.encode(input);
    let crawl = json!({ "fetched_at": text, "status_code": 200, "render_mode": text, "fetch_duration_ms": 1,
        "content_length": 1, "user_agent": "AIWebIndex/1.0" });
    let good_crawl = json!({ "fetched_at": "2026-05-10T12:34:56Z", "status_code": 200, "render_mode": "static",
        "fetch_duration_ms": 1, "content_length": 1, "user_agent": "AIWebIndex/1.0" });
    let url = "https://a.example/";
    let headers = json!([
        ["content-type", text],
        ["etag", text],
        ["link", text],
        ["x-robots-tag", text],
        ["content-usage", text],
        ["if-none-match", text],
        ["if-range", text],
        ["range", text],
        ["retry-after", text]
    ]);
    let response = json!({ "url": "https://a.example/.well-known/aiwebindex-verify.txt", "status": 200, "headers": headers, "body_b64": b64 });
    let redirect = json!({ "url": "https://a.example/.well-known/aiwebindex-verify.txt", "status": 302,
        "headers": [["location", text]], "body_b64": "" });
    vec![
        ("tct.normalize", json!({ "text": text })),
        ("tct.fingerprint", json!({ "text": text })),
        ("tct.canonicalize", json!({ "json_b64": b64, "profile": "rfc8785" })),
        ("tct.canonicalize", json!({ "json_b64": b64, "profile": "tct" })),
        (
            "tct.seal",
            json!({ "payload": { "canonical_url": url, "title": text, "content": text }, "method": "a" }),
        ),
        (
            "tct.open",
            json!({ "m_url": url, "status": 200, "headers": headers, "body_b64": b64, "expected_c_url": text }),
        ),
        (
            "tct.conditional",
            json!({ "method": "GET", "headers": headers, "etag": text, "last_modified": text, "length": 9 }),
        ),
        ("tct.sitemap", json!({ "json_b64": b64, "sitemap_url": url })),
        ("tct.plan", json!({ "sitemap_b64": b64, "cache": { &text: text } })),
        ("tct.discover", json!({ "url": url, "headers": headers, "html_b64": b64 })),
        ("tct.policy", json!({ "json_b64": b64 })),
        ("robots.allowed", json!({ "robots_b64": b64, "agents": [text], "url": url })),
        (
            "robots.allowed",
            json!({ "robots": "User-agent: *\nDisallow: /a*b", "agents": ["x"], "url": text }),
        ),
        ("robots.access", json!({ "status": 200, "robots_b64": b64 })),
        ("robots.meta", json!({ "headers": headers, "html_b64": b64, "agents": [text] })),
        ("robots.preferences", json!({ "robots_b64": b64, "headers": headers, "url": url, "agents": ["x"] })),
        ("robots.pacing", json!({ "start": text, "events": [], "ask": [] })),
        (
            "robots.pacing",
            json!({ "start": "2026-05-10T12:34:56Z", "ask": [{ "at_s": 1, "host": text }],
            "events": [{ "at_s": 0, "host": text, "status": 429, "retry_after": text }] }),
        ),
        ("aiwebindex.user_agent", json!({ "info_url": text, "implementation": text, "verification": true })),
        ("aiwebindex.check_user_agent", json!({ "value": text })),
        (
            "aidocument.extract",
            json!({ "html_b64": b64, "url": url, "content_type": text, "crawl": good_crawl }),
        ),
        ("aidocument.extract", json!({ "html_b64": "", "url": text, "crawl": crawl })),
        ("aidocument.validate", json!({ "json_b64": b64 })),
        ("llmindex.manifest", json!({ "json_b64": b64 })),
        ("llmindex.product", json!({ "line": text })),
        ("llmindex.feed", json!({ "feed_b64": b64 })),
        ("llmindex.llms_txt", json!({ "json_b64": b64 })),
        (
            "llmindex.delta",
            json!({ "held_b64": b64, "delta_b64": b64, "since": "2026-02-20T00:00:00Z",
            "until": "2026-02-22T00:00:00Z", "held_at": "2026-02-21T00:00:00Z" }),
        ),
        ("verify.token", json!({ "entropy_b64": b64 })),
        ("verify.dns", json!({ "protocol": "aiwebindex", "domain": text, "token": text, "answers": [] })),
        (
            "verify.dns",
            json!({ "protocol": "llmindex", "domain": "a.example", "token": "t",
            "answers": [{ "resolver": text, "records": [[text, text]] }] }),
        ),
        (
            "verify.http",
            json!({ "protocol": "aiwebindex", "domain": "a.example", "token": text, "responses": [response] }),
        ),
        (
            "verify.http",
            json!({ "protocol": "aiwebindex", "domain": "a.example", "token": "t", "responses": [redirect] }),
        ),
        (
            "verify.jws",
            json!({ "manifest_b64": b64, "jwks": { "keys": [{ "kid": text, "x": text, "kty": "OKP" }] } }),
        ),
        (
            "verify.sign",
            json!({ "manifest_b64": b64, "jwk": { "kty": "OKP", "crv": "Ed25519", "d": text, "x": text, "kid": text } }),
        ),
    ]
}
