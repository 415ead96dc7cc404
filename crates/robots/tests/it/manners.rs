//! How a crawler introduces itself and what it leaves alone.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use std::time::Duration;

use covers::covers;
use robots::{AccessBarrier, AiWebIndexAgent, AiWebIndexVersion, HttpsHosts, Pacer, UnixSeconds};

#[test]
#[covers("AIWI-VEC-1", "AIWI-VEC-2")]
fn the_published_values_come_out_of_the_builder() {
    let crawl = AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url("https://example.com/bot")
        .implementation("example-impl")
        .build()
        .unwrap();
    assert_eq!(crawl.to_string(), "AIWebIndex/1.0 (+https://example.com/bot; example-impl)");
    let verification = AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url("https://example.com/bot")
        .verification(true)
        .build()
        .unwrap();
    assert_eq!(verification.to_string(), "AIWebIndex/1.0 verification (+https://example.com/bot)");
}

#[test]
#[covers("AIWI-SEC-3", "AIWI2-SEC-3", "AIWI-AMB-39")]
fn a_request_names_the_crawler_and_nobody_else() {
    // No cookie, no address, no account.
    let agent =
        AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url("https://example.com/bot").build().unwrap();
    assert_eq!(agent.request_headers().map(|(name, _)| name), ["user-agent"]);
}

#[test]
#[covers("AIWI-SEC-2", "AIWI2-SEC-2")]
fn a_barrier_stops_the_crawler() {
    for status in [401, 402, 403, 407, 451] {
        assert!(AccessBarrier::from_status(status).is_some(), "{status}");
    }
    for status in [200, 301, 404, 410, 429, 500] {
        assert_eq!(AccessBarrier::from_status(status), None, "{status}");
    }
}

#[test]
#[covers("AIWI-SEC-1", "AIWI2-SEC-1", "AIWI-AMB-37")]
fn https_is_preferred_where_the_origin_offers_it() {
    let now = UnixSeconds(1_000);
    let mut hosts = HttpsHosts::default();
    assert_eq!(hosts.upgrade("http://example.com/a", now), "http://example.com/a");
    hosts.on_hsts("example.com", "max-age=60", now);
    assert_eq!(hosts.upgrade("http://example.com/a", now), "https://example.com/a");
    assert_eq!(
        hosts.upgrade("http://www.example.com/a", now),
        "http://www.example.com/a",
        "its own host alone"
    );
    hosts.on_hsts("example.com", "max-age=60; includeSubDomains", now);
    assert_eq!(hosts.upgrade("http://www.example.com/a", now), "https://www.example.com/a");
    assert_eq!(hosts.upgrade("http://notexample.com/a", now), "http://notexample.com/a");
    assert_eq!(
        hosts.upgrade("http://example.com/a", UnixSeconds(1_060)),
        "http://example.com/a",
        "it ran out"
    );
    hosts.on_hsts("example.com", "max-age=0", now);
    assert_eq!(hosts.upgrade("http://example.com/a", now), "http://example.com/a");
    assert_eq!(hosts.upgrade("http://www.example.com/a", now), "http://www.example.com/a");
    // The other way in which an origin tells: an https URL of its own, by redirect, sitemap or canonical link.
    hosts.on_https_seen("example.com", Duration::from_secs(60), now);
    assert_eq!(hosts.upgrade("http://example.com/a", now), "https://example.com/a");
    assert_eq!(
        hosts.upgrade("http://www.example.com/a", now),
        "http://www.example.com/a",
        "its own host alone"
    );
}

#[test]
#[covers("AIWI-VEC-5")]
fn the_published_pauses() {
    let seconds = Duration::from_secs;
    let mut pacer = Pacer::default();
    pacer.on_fetch("example.com", seconds(1_000)).unwrap();
    assert_eq!(pacer.ready_at("example.com", seconds(1_000)), seconds(1_002));
    pacer.on_response("example.com", 429, None, seconds(1_010)).unwrap();
    assert_eq!(pacer.ready_at("example.com", seconds(1_010)), seconds(1_070));
}
