//! What is written: lines of the builder, files that were read, and the words of values.

use std::time::Duration;

use robots::{
    Access, AccessBarrier, CrawlDelay, Field, ParseOptions, Robots, RobotsBuilder, RobotsMode, UseCeiling,
};

/// A line ends at `#` and at blanks, and is ASCII: what a path has of these is encoded.
#[test]
fn the_builder_encodes_what_a_line_cannot_carry() {
    let file = RobotsBuilder::new().group(&["bot"]).disallow("/a b#c/é").allow("/x%20*$").build().unwrap();
    assert_eq!(file.trim_end(), "User-agent: bot\nDisallow: /a%20b%23c/%C3%A9\nAllow: /x%20*$");
    let robots = Robots::parse(file.as_bytes());
    assert!(robots.decide("bot", "/a%20b%23c/%C3%A9").is_disallowed());
    assert!(robots.decide("bot", "/a").is_allowed());
}

/// A delay belongs to a group, and is read again as it was given.
#[test]
fn the_builder_writes_delays() {
    let delay = CrawlDelay::read(b"2.5").unwrap();
    let file = RobotsBuilder::new().group(&["bot"]).crawl_delay(delay).disallow("/a").build().unwrap();
    assert_eq!(file.trim_end(), "User-agent: bot\nCrawl-delay: 2.5\nDisallow: /a");
    let read = Robots::parse(file.as_bytes()).crawl_delay("bot").map(CrawlDelay::as_duration);
    assert_eq!(read, Some(Duration::from_millis(2500)));
    assert!(RobotsBuilder::new().crawl_delay(delay).build().is_err());
}

/// Bytes that are not UTF-8 are encoded in patterns, to the end of the pattern; a name keeps what crawlers compare.
#[test]
fn bytes_that_are_not_text_are_written_so_that_they_mean_the_same() {
    let file = b"User-agent: bot/\xff\nDisallow: /a b\xff\nAllow: *\xfe\n\nUser-agent: * \xff\nDisallow: /\n";
    let written = Robots::parse(file).to_string();
    assert_eq!(written, "User-agent: bot\nDisallow: /a b%FF\nAllow: *%FE\n\nUser-agent: *\nDisallow: /\n");
    let again = Robots::parse(written.as_bytes());
    for (crawler, path) in [("bot", "/a%20b%FF"), ("bot", "/a%20b%FF%FE"), ("bot", "/a"), ("other", "/x")] {
        let expected = Robots::parse(file).decide(crawler, path).is_allowed();
        assert_eq!(again.decide(crawler, path).is_allowed(), expected, "{crawler} {path}");
    }
}

/// Rules and records show their bytes as text.
#[test]
fn debug_shows_lines_as_text() {
    let file = Robots::parse(b"User-agent: bot\nDisallow: /a\xff\nHost: example.com\n");
    let rule = format!("{:?}", file.decide("bot", "/a%FF").rule().unwrap());
    assert!(rule.contains(r"/a\xff") && rule.contains("line: 2"), "{rule}");
    let record = file.other_records().find(|record| record.field == Field::Unknown);
    let record = format!("{record:?}");
    assert!(record.contains("Host") && record.contains("example.com"), "{record}");
}

#[test]
fn values_have_words() {
    assert_eq!(Access::Rules.to_string(), "the rules of robots.txt decide");
    assert_eq!(Access::AllowAll.to_string(), "everything may be fetched: there is no robots.txt");
    assert_eq!(Access::DisallowAll.to_string(), "nothing may be fetched: robots.txt cannot be reached");
    assert_eq!(AccessBarrier::Login.to_string(), "a login is required");
    assert_eq!(AccessBarrier::Payment.to_string(), "a payment is required");
    assert_eq!(AccessBarrier::Refused.to_string(), "access is refused");
    assert_eq!(UseCeiling::Reference.to_string(), "reference");
}

/// Of Google's folder rule a wildcard at the pattern's end takes nothing from the folder's own.
#[test]
fn a_folder_behind_a_wildcard_keeps_it() {
    let file = b"User-agent: *\nAllow: */index.html*\nDisallow: /\n";
    let robots = Robots::parse_with(file, ParseOptions::default().mode(RobotsMode::Google));
    for (path, is_allowed) in [("/a/", true), ("/a/b/", true), ("/a", false), ("/a/index.html", true)] {
        assert_eq!(robots.decide("bot", path).is_allowed(), is_allowed, "{path}");
        assert_eq!(robots.matcher("bot").decide(path).is_allowed(), is_allowed, "{path}");
    }
}
