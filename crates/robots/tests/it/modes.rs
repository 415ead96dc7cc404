//! The modes beside RFC 9309, and the limits.

use covers::covers;
use robots::{ParseOptions, RequestPath, Robots, RobotsMode, RobotsReason};

fn allowed(mode: RobotsMode, file: &str, agent: &str, url: &str) -> bool {
    let robots = Robots::parse_with(file.as_bytes(), ParseOptions::default().mode(mode));
    let decision = robots.decide(agent, RequestPath::of_url(url));
    assert_eq!(robots.matcher(agent).decide(RequestPath::of_url(url)), decision, "{file:?} {agent} {url}");
    decision.is_allowed()
}

/// What Google's parser decides and RFC 9309 does not.
#[test]
fn google_compatible_mode() {
    let closed = "user-agent: FooBot\ndisallow: /\n";
    for (file, agent, url, google, rfc) in [
        // A missing colon between two words, and typos.
        ("user-agent FooBot\ndisallow /\n", "FooBot", "http://foo.bar/x", false, true),
        ("user-agent FooBot\ndisallow / x\n", "FooBot", "http://foo.bar/x", true, true),
        ("user-agent: FooBot\ndissallow: /\n", "FooBot", "http://foo.bar/x", false, true),
        ("user-agent: FooBot\ndissalow: /\n", "FooBot", "http://foo.bar/x", false, true),
        ("user-agent: FooBot\ndisalow: /\n", "FooBot", "http://foo.bar/x", false, true),
        ("user-agent: FooBot\ndiasllow: /\n", "FooBot", "http://foo.bar/x", false, true),
        ("user-agent: FooBot\ndisallaw: /\n", "FooBot", "http://foo.bar/x", false, true),
        ("useragent: FooBot\ndisallow: /\n", "FooBot", "http://foo.bar/x", false, true),
        ("user agent: FooBot\ndisallow: /\n", "FooBot", "http://foo.bar/x", false, true),
        // The name is taken as it is.
        (closed, "Foobot/2.1", "http://foo.bar/", true, false),
        (closed, "Foobot Bar", "http://foo.bar/", true, false),
        (closed, "", "http://foo.bar/", true, true),
        // Index pages cover their folder, as an `Allow` only.
        ("User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "f", "http://e.com/a/", true, false),
        ("User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "f", "http://e.com/a/x", false, false),
        ("User-Agent: *\nDisallow: /a/index.html\n", "f", "http://e.com/a/", true, true),
        // The URL is compared as written.
        ("User-agent: *\nDisallow: /ツ\n", "f", "http://e.com/ツ", true, false),
        ("User-agent: *\nDisallow: /%62\n", "f", "http://e.com/b", true, false),
        ("User-agent: *\nDisallow: /%e3%83%84\n", "f", "http://e.com/%E3%83%84", false, false),
        // The file itself is a path like any other.
        ("User-agent: *\nDisallow: /\n", "f", "http://e.com/robots.txt", false, true),
        // Digits do not belong to a name.
        ("User-agent: *\nAllow: /\nUser-agent: AB1\nDisallow: /\n", "AB1", "http://e.com/", true, false),
    ] {
        assert_eq!(allowed(RobotsMode::Google, file, agent, url), google, "google: {file:?} {agent} {url}");
        assert_eq!(allowed(RobotsMode::Rfc, file, agent, url), rfc, "rfc: {file:?} {agent} {url}");
    }
}

#[test]
fn google_compatible_mode_cuts_long_lines() {
    let long = "a".repeat(20_000);
    let file = format!("user-agent: FooBot\ndisallow: /{long}\n");
    let kept = 2083 * 8 - 1 - "disallow: /".len();
    let url = |n: usize| format!("http://foo.bar/{}", "a".repeat(n));
    assert!(!allowed(RobotsMode::Google, &file, "FooBot", &url(kept)));
    assert!(allowed(RobotsMode::Google, &file, "FooBot", &url(kept - 1)));
    assert!(allowed(RobotsMode::Rfc, &file, "FooBot", &url(kept)));
}

#[test]
fn google_compatible_mode_trims_a_name_without_colon() {
    let robots = Robots::parse_with(b"x\x0c y\n", ParseOptions::default().mode(RobotsMode::Google));
    assert_eq!(robots.other_records().map(|record| record.name).collect::<Vec<_>>(), [b"x"]);
    assert_eq!(robots.to_string(), "x: y\n");
}

#[test]
fn strict_mode() {
    for (file, agent, strict, rfc) in [
        ("User-agent: AIWebIndex/1.0\nDisallow: /\n", "AIWebIndex", true, false),
        ("User-agent: * all\nDisallow: /\n", "x", true, false),
        ("User-agent: *\nDisallow: *a\n", "x", true, false),
        ("User-agent: *\nDisallow: /a\n", "x", false, false),
        ("User-agent: *\nDisallow: /*a b\nDisallow: /a\n", "x", false, false),
    ] {
        assert_eq!(allowed(RobotsMode::Strict, file, agent, "http://e.com/a"), strict, "{file}");
        assert_eq!(allowed(RobotsMode::Rfc, file, agent, "http://e.com/a"), rfc, "{file}");
    }
}

/// Spec: RFC 9309, "Limits".
#[test]
#[covers("AIWI-BOT-8")]
fn the_limit_cuts_whole_lines() {
    let rule = "Disallow: /last\n";
    let head = "User-agent: *\n";
    for (size, expected) in [(ParseOptions::MAX_BYTES, true), (ParseOptions::MAX_BYTES + 1, false)] {
        for end in [rule, rule.trim_end()] {
            let filler = format!("#{}\n", "x".repeat(size - head.len() - end.len() - 2));
            let file = format!("{head}{filler}{end}");
            assert_eq!(file.len(), size);
            // Past the limit by its line end alone, the rule is whole.
            let whole = expected || end == rule;
            let robots = Robots::parse(file.as_bytes());
            assert_eq!(robots.decide("x", "/last").is_disallowed(), whole, "{size} {}", end.len());
            assert_eq!(robots.is_truncated(), !expected);
            assert!(Robots::parse(format!("{file}\nDisallow: /\n").as_bytes()).decide("x", "/").is_allowed());
        }
    }
    let none = ParseOptions::default().max_bytes(0);
    assert_eq!(
        Robots::parse_with(b"User-agent: *\nDisallow: /", none).decide("x", "/").reason(),
        RobotsReason::NoGroup
    );
}

#[test]
fn sitemaps_stand_apart_from_groups() {
    let file = "sitemap: https://a.example/1.xml\nUser-agent: *\nSITEMAP : http://b.example/2.json # JSON\n\
        Sitemap: /relative.xml\nSitemap:\nDisallow: /\nSitemap: ftp://c.example/3\nSitemap: https://a.example/1.xml\n";
    let robots = Robots::parse(file.as_bytes());
    let found: Vec<_> = robots.sitemaps().collect();
    assert_eq!(found, ["https://a.example/1.xml", "http://b.example/2.json", "https://a.example/1.xml"]);
    assert!(robots.decide("x", "/").is_disallowed());
}

#[test]
fn owned_forms_can_be_shared() {
    fn shared<T: Send + Sync + 'static>(value: T) -> T {
        value
    }
    let file = String::from("User-agent: *\nDisallow: /a\n");
    let robots = shared(Robots::parse(file.as_bytes()).into_owned());
    drop(file);
    let matcher = shared(robots.matcher("x"));
    drop(robots);
    assert!(matcher.decide("/a").is_disallowed());
}
