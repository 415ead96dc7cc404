//! Any file, any path: the one-shot decision and the index agree, and what is written reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use robots::{
    AiWebIndexAgent, AiWebIndexVersion, Directives, RobotsMode, ParseOptions, Preferences, RequestPath, RetryAfter, Robots,
    UnixSeconds,
};

fuzz_target!(|input: (u8, Vec<u8>, String, String)| {
    let (mode, file, path, name) = input;
    let mode = [RobotsMode::Rfc, RobotsMode::Strict, RobotsMode::Google][usize::from(mode % 3)];
    let options = ParseOptions::default().mode(mode).max_bytes(1 << 16);
    let robots = Robots::parse_with(&file, options);
    let written = robots.to_string();
    let again = Robots::parse_with(written.as_bytes(), options.max_bytes(1 << 24));
    if !RequestPath::new(&path).is_valid() {
        assert!(robots.decide("a", path.as_str()).is_disallowed());
    }
    for crawler in ["AIWebIndex", "a", name.as_str()] {
        let decision = robots.decide(crawler, path.as_str());
        let matcher = robots.matcher(crawler);
        assert_eq!(matcher.decide(path.as_str()), decision);
        assert_eq!(again.decide(crawler, path.as_str()).is_allowed(), decision.is_allowed());
        assert_eq!(again.crawl_delay(crawler), robots.crawl_delay(crawler));
        assert_eq!(
            Preferences::of_robots(&again, crawler, path.as_str()),
            Preferences::of_robots(&robots, crawler, path.as_str())
        );
    }
    assert!(robots.sitemaps().eq(again.sitemaps()));
    for finding in robots.check_lint() {
        assert!(finding.line() >= 1 && !finding.to_string().is_empty());
    }
    assert!(RequestPath::of_url(&path).as_str().starts_with('/'));

    let headers = [("X-Robots-Tag", path.as_str()), ("Content-Usage", &path), ("Content-Signal", &name)];
    let mut directives = Directives::of_headers(headers, "AIWebIndex");
    directives.add_html(&file, "AIWebIndex");
    let _ = Preferences::of_headers(headers);
    let now = UnixSeconds(1_800_000_000);
    let _ = RetryAfter::parse([path.as_str(), &name], Some(&name), now);
    if let Ok(agent) = AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url(&path).implementation(&name).build() {
        assert_eq!(AiWebIndexAgent::check(agent.as_str(), AiWebIndexVersion::V1), Ok(agent.clone()));
        assert!(agent.as_str().bytes().all(|b| (b' '..=b'~').contains(&b)));
    }
});
