//! The state machine of the well-known file against a server that answers anything: it ends within its hops, asks
//! for nothing but https on the same registrable domain, and verifies only what holds the token.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use url::Url;
use verify::{
    Action, BundledSuffixes, Domain, FetchFailure, MAX_REDIRECTS, Protocol, Token, WellKnownCheck,
};

const TOKEN: &str = "8a93c5f24b1e6d70a9c3f8125e7b6d04";

const DOMAINS: [&str; 6] =
    ["example.com", "www.example.co.uk", "alice.github.io", "a.www.ck", "x.y.shop.ck", "xn--bcher-kva.example"];

const STATUSES: [u16; 12] = [200, 301, 302, 303, 307, 308, 200, 302, 404, 300, 503, 206];

const TYPES: [&str; 4] = ["text/plain", "text/html", "application/octet-stream", "TEXT/PLAIN; charset=utf-8"];

const HEADERS: [&str; 3] = ["accept", "accept-encoding", "user-agent"];

fuzz_target!(|data: &[u8]| {
    let Some((&[setup, robots], rest)) = data.split_first_chunk() else { return };
    let protocol = if setup & 1 == 0 { Protocol::AiWebIndex } else { Protocol::Llmindex };
    let port = (setup & 2 != 0).then_some(8443);
    let host = DOMAINS[usize::from(setup >> 2) % DOMAINS.len()];
    let domain = Domain::parse(protocol, host, &BundledSuffixes).unwrap();
    let token = Token::expect(domain, TOKEN).unwrap();
    let agent = AiWebIndexAgent::check("AIWebIndex/1.0 verification", AiWebIndexVersion::V1).unwrap();
    let mut check = WellKnownCheck::new(token, &agent, &BundledSuffixes).unwrap();
    if let Some(port) = port {
        check = check.at_port(port);
    }
    if robots & 1 != 0 {
        check = check.asking_robots();
    }
    // Of each response: a byte for status and type, then the Location or the body up to the next zero.
    let mut script = rest.split(|&b| b == 0);
    let mut asked = Vec::new();
    let mut last_body = Vec::new();
    let report = loop {
        match check.next_action() {
            Action::Done(report) => break report,
            Action::AskRobots { url } => {
                check_url(&url, protocol, host, port);
                assert!(check.on_response(&http::Response::new(b"")).is_err());
                check.on_robots(robots & 2 == 0 || asked.len() < usize::from(robots >> 2 & 3)).unwrap();
            }
            Action::Send(request) => {
                assert!(asked.len() <= MAX_REDIRECTS, "one request too many");
                assert_eq!(request.method(), http::Method::GET);
                let mut names: Vec<_> = request.headers().keys().map(|name| name.as_str()).collect();
                names.sort_unstable();
                assert_eq!(names, HEADERS);
                let url = request.uri().to_string();
                check_url(&url, protocol, host, port);
                assert!(!asked.contains(&url), "asked twice");
                asked.push(url);
                let Some((&head, tail)) = script.next().and_then(<[u8]>::split_first) else {
                    check.on_failure(FetchFailure::Network).unwrap();
                    continue;
                };
                let status = STATUSES[usize::from(head & 15) % STATUSES.len()];
                let mut response = http::Response::builder()
                    .status(status)
                    .header("content-type", TYPES[usize::from(head >> 4 & 3)]);
                if let Ok(location) = http::HeaderValue::from_bytes(tail) {
                    response = response.header("location", location);
                }
                last_body = if head & 64 == 0 { tail.to_vec() } else { [b"aiwi-verify=", tail].concat() };
                check.on_response(&response.body(last_body.clone()).unwrap()).unwrap();
            }
        }
    };
    assert_eq!(report.requests, asked);
    if report.is_verified() {
        let text = std::str::from_utf8(&last_body).unwrap();
        assert!(text.contains(TOKEN), "verified by a body without the token");
        assert!(protocol == Protocol::Llmindex || text.contains("aiwi-verify="));
    }
    // The end is the end.
    assert!(check.on_response(&http::Response::new(TOKEN)).is_err());
    assert!(check.on_failure(FetchFailure::Tls).is_err());
    assert!(check.on_robots(true).is_err());
    assert!(matches!(check.next_action(), Action::Done(again) if again == report));
});

/// Judges a URL by the `psl` crate itself, not by what the machine uses.
fn check_url(url: &str, protocol: Protocol, host: &str, port: Option<u16>) {
    let url = Url::parse(url).unwrap();
    assert_eq!(url.scheme(), "https");
    assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
    assert!(url.port().is_none() || url.port() == port, "{url}");
    let asked = url.host_str().unwrap();
    match protocol {
        Protocol::AiWebIndex => assert_eq!(psl::domain_str(asked), psl::domain_str(host), "{url}"),
        _ => assert_eq!(asked, host),
    }
}
