//! The index against a matcher that is too plain to be wrong.
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly, and the oracle stays plain")]

use proptest::prelude::*;
use robots::{ParseOptions, Preferences, Robots, RobotsBuilder, RobotsMode, RobotsReason};

/// One octet of a pattern or path in its encoded form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Octet {
    Is(u8),
    Wildcard,
}

/// Reads one side as section 2.2.2 says, an octet at a time.
fn octets(text: &[u8], is_pattern: bool) -> (Vec<Octet>, usize) {
    let mut octets = Vec::new();
    let mut length = 0;
    let mut i = 0;
    while i < text.len() {
        let hex = text.get(i + 1..i + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let escape = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let escape = escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| text[i] == b'%');
        // What is encoded stays three octets, and a raw star or dollar that is no wildcard is compared as if encoded.
        let mut push = |octet, octet_length| {
            octets.push(octet);
            length += octet_length;
        };
        match (text[i], escape) {
            (_, Some(b)) if b.is_ascii_alphanumeric() || b"-._~".contains(&b) => push(Octet::Is(b), 1),
            (_, Some(b)) => format!("%{b:02X}").bytes().for_each(|b| push(Octet::Is(b), 1)),
            (b'*', None) if is_pattern => push(Octet::Wildcard, 1),
            (b @ (b'*' | b'$'), None) => {
                let text = format!("%{b:02X}");
                text.bytes().zip([1, 0, 0]).for_each(|(b, octet_length)| push(Octet::Is(b), octet_length));
            }
            (b, None) if b.is_ascii_alphanumeric() || b"-._~:/?#[]@!&'()+,;=%".contains(&b) => {
                push(Octet::Is(b), 1)
            }
            (b, None) => format!("%{b:02X}").bytes().for_each(|b| push(Octet::Is(b), 1)),
        }
        i += if escape.is_some() { 3 } else { 1 };
    }
    (octets, length)
}

/// Whether the pattern matches, by filling a table of all pairs of ends.
fn matches(pattern: &[u8], path: &[u8]) -> Option<usize> {
    let (body, anchored) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let (pattern, length) = octets(body, true);
    let (path, _) = octets(path, false);
    let mut row = vec![false; path.len() + 1];
    row[0] = true;
    for octet in pattern {
        let mut next = vec![false; path.len() + 1];
        for end in 0..=path.len() {
            next[end] = match octet {
                Octet::Wildcard => row[end] || (end > 0 && next[end - 1]),
                octet => end > 0 && row[end - 1] && path[end - 1] == octet,
            };
        }
        row = next;
    }
    let matched = if anchored { row[path.len()] } else { row.contains(&true) };
    matched.then_some(length + usize::from(anchored))
}

/// The verdict of all rules, looked at one by one.
fn verdict(rules: &[(bool, String)], path: &str) -> bool {
    let matching = rules
        .iter()
        .filter_map(|(allow, pattern)| Some((matches(pattern.as_bytes(), path.as_bytes())?, allow)));
    path == "/robots.txt" || matching.max().is_none_or(|(_, allow)| *allow)
}

fn rule() -> impl Strategy<Value = (bool, String)> {
    (
        any::<bool>(),
        prop_oneof![
            "/[ab/*]{0,6}[$]?",
            "[/*][ab%24AaFf7e2ツ*$ ?=]{0,10}",
            "(/(%2[aAfF4]|%7e|a|\\*|%|ü|~)){1,4}\\$?"
        ],
    )
}

fn path() -> impl Strategy<Value = String> {
    prop_oneof!["/[ab/]{0,8}", "/[ab%24AaFf7e2ツ*$ ?=]{0,12}", "(/(%2[aAfF4]|%7E|a|b|\\*|%|ü|~|\\$)){1,4}"]
}

proptest! {
    #[test]
    fn decisions_are_those_of_the_plain_matcher(rules in prop::collection::vec(rule(), 0..12), paths in prop::collection::vec(path(), 1..6)) {
        let mut file = String::from("User-agent: *\n");
        for (allow, pattern) in &rules {
            file.push_str(&format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" }));
        }
        // The file trims values.
        let rules: Vec<_> = rules.into_iter().map(|(allow, pattern)| (allow, pattern.trim().to_owned())).collect();
        let robots = Robots::parse(file.as_bytes());
        let matcher = robots.matcher("AIWebIndex");
        for path in &paths {
            let decision = robots.decide("AIWebIndex", path.as_str());
            prop_assert_eq!(decision.is_allowed(), verdict(&rules, path), "{} {}", file, path);
            prop_assert_eq!(matcher.decide(path.as_str()), decision, "{} {}", file, path);
            if let RobotsReason::Rule(rule) = decision.reason() {
                prop_assert_eq!(&rules[rule.line as usize - 2].1.as_bytes(), &rule.pattern);
            }
        }
    }

    #[test]
    fn any_bytes_can_be_read_and_written_again(text in lines(), path in path()) {
        for mode in [RobotsMode::Rfc, RobotsMode::Strict, RobotsMode::Google] {
            let options = ParseOptions::default().mode(mode);
            let robots = Robots::parse_with(&text, options);
            // Each finding is of a line of the file, in order, and shows none of its control characters.
            let findings = robots.check_lint();
            let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).count() as u32;
            prop_assert!(findings.is_sorted_by_key(robots::RobotsFinding::line), "{:?}", findings);
            for finding in &findings {
                prop_assert!((1..=lines).contains(&finding.line()), "{} of {}", finding, lines);
                prop_assert!(!finding.to_string().contains(char::is_control), "{:?}", finding);
            }
            let written = robots.to_string();
            let again = Robots::parse_with(written.as_bytes(), options);
            prop_assert_eq!(again.to_string(), written.clone(), "{:?}", mode);
            for crawler in ["AIWebIndex", "foo", "Foo Bar", ""] {
                let (before, after) = (robots.decide(crawler, path.as_str()), again.decide(crawler, path.as_str()));
                prop_assert_eq!(before.is_allowed(), after.is_allowed(), "{:?} {}", mode, written);
                let matcher = robots.matcher(crawler);
                prop_assert_eq!(matcher.decide(path.as_str()), before, "{:?} {}", mode, written);
                prop_assert_eq!(robots.crawl_delay(crawler), again.crawl_delay(crawler));
                prop_assert_eq!(
                    Preferences::of_robots(&robots, crawler, path.as_str()),
                    Preferences::of_robots(&again, crawler, path.as_str())
                );
            }
            prop_assert!(robots.sitemaps().eq(again.sitemaps()));
        }
    }

    #[test]
    fn what_the_builder_writes_reads_back(pattern in "/[ -~ä]{0,12}", allow in any::<bool>()) {
        let builder = RobotsBuilder::new().group(&["a"]);
        let builder = if allow { builder.allow(&pattern) } else { builder.disallow(&pattern) };
        let file = builder.group(&["*"]).disallow("/").build().unwrap();
        let robots = Robots::parse_with(file.as_bytes(), ParseOptions::default().mode(RobotsMode::Strict));
        let lenient = Robots::parse(file.as_bytes());
        prop_assert_eq!(lenient.groups().count(), 2);
        prop_assert_eq!(lenient.groups().next().unwrap().rules().count(), 1);
        prop_assert_eq!(robots.groups().count(), 2);
    }
}

/// Files of plausible lines, blanks, line ends of all kinds, and noise.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        "(?i)(user-agent|useragent|user agent)[ \t]*:[ \t]*(\\*|foo|foo bar|AIWebIndex/1|\\* x|)",
        "(?i)(allow|disallow|disalow|disallowed) ?: ?[/*a$%24 é#]{0,6}",
        "(?i)(crawl-delay|sitemap|x-other|):( [0-9.]{0,3}| https?://e/.?| x)",
        "Content-(Usage|Signal): ?(/[a*$é]{0,3} )?(train-ai=[yn]|search=yes, ai-train=no|bad)",
        "[ -~]{0,8}",
    ]
    .prop_map(String::into_bytes);
    let line = prop_oneof![9 => line, 1 => prop::collection::vec(any::<u8>(), 0..10)];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    prop::collection::vec((line, end), 0..14)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end.into()]).flatten().collect())
}
