//! What the small readers say, and both sides of each edge.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::BTreeSet;
use std::time::Duration;

use robots::{
    AccessOptions, BuildErrorKind, CrawlDelay, DelayOutcome, Directives, Field, FindingKind, Pacer,
    PacingOptions, ParseOptions, PathPattern, Preference, Preferences, RequestPath, Robots, RobotsAction,
    RobotsBuilder, RobotsMode, RobotsResponse, Signal, SiteRobots, UnixSeconds, UseCeiling,
};
use web_values::Finding as _;

fn google(file: &str) -> Robots<'_> {
    Robots::parse_with(file.as_bytes(), ParseOptions::default().mode(RobotsMode::Google))
}

fn decisions(file: &Robots<'_>, path: &str) -> [bool; 2] {
    [file.decide("bot", path).is_allowed(), file.matcher("bot").decide(path).is_allowed()]
}

#[test]
fn a_sites_file_is_read_as_the_options_say() {
    let options = AccessOptions::default().parse(ParseOptions::default().mode(RobotsMode::Google));
    for (options, expected) in [(options, false), (AccessOptions::default(), true)] {
        let mut site = SiteRobots::new(options);
        let body = b"User agent: *\nDisalow: /";
        site.on_response(&RobotsResponse { status: 200, body, ..RobotsResponse::default() }, UnixSeconds(1));
        assert_eq!(site.decide("bot", "/", UnixSeconds(2)).is_allowed(), expected);
    }
}

/// "Not modified" where nothing is held says nothing of the rules, so that nothing may be fetched.
#[test]
fn not_modified_without_a_copy_allows_nothing() {
    let mut site = SiteRobots::new(AccessOptions::default());
    site.on_response(&RobotsResponse { status: 304, ..RobotsResponse::default() }, UnixSeconds(1));
    assert_eq!(site.access(UnixSeconds(2)), (robots::Access::DisallowAll, None));
}

/// Five redirects are followed, as RFC 9309 asks, even where fewer are asked for.
#[test]
fn fewer_redirects_than_five_are_raised_to_five() {
    for (most, followed) in [(0, 5), (3, 5), (5, 5), (7, 7)] {
        let mut site = SiteRobots::new(AccessOptions::default().max_redirects(most));
        let response = RobotsResponse { status: 301, location: Some("/next"), ..RobotsResponse::default() };
        let mut count = 0;
        site.on_response(&response, UnixSeconds(1));
        while count < 20 && matches!(site.next_action(UnixSeconds(1)), RobotsAction::Follow(_)) {
            count += 1;
            site.on_response(&response, UnixSeconds(1));
        }
        assert_eq!(count, followed, "{most}");
    }
}

#[test]
fn the_least_age_of_a_copy_is_between_a_second_and_a_day() {
    let until = |least: Duration| {
        let mut site = SiteRobots::new(AccessOptions::default().min_copy_age(least));
        let response =
            RobotsResponse { status: 200, max_age: Some(Duration::ZERO), ..RobotsResponse::default() };
        site.on_response(&response, UnixSeconds(100));
        let RobotsAction::Use { until } = site.next_action(UnixSeconds(100)) else { return 0 };
        until.0 - 100
    };
    let day = Duration::from_secs(86_400);
    assert_eq!(until(Duration::ZERO), 1);
    assert_eq!(until(Duration::from_secs(7)), 7);
    for least in [day, day + Duration::from_nanos(1), day * 2] {
        assert_eq!(until(least), 86_400, "{least:?}");
    }
}

#[test]
fn the_builder_takes_labels_and_urls_of_their_grammar_alone() {
    let usage = |label| {
        let builder = RobotsBuilder::new().group(&["*"]).content_usage(None, &[(label, Preference::No)]);
        builder.build().map_err(|error| error.kind())
    };
    for label in ["train-ai", "*", "a", "a1_-.*"] {
        assert!(usage(label).unwrap().contains(&format!("Content-Usage: {label}=n\n")), "{label}");
    }
    for label in ["", "A", "1a", "_a", "-a", "a b", "aé", "a=", "aB"] {
        assert_eq!(usage(label), Err(BuildErrorKind::NotALabel), "{label}");
    }
    let sitemap = |url| RobotsBuilder::new().sitemap(url).build().map_err(|error| error.kind());
    for url in ["https://a.example/s.xml", "http://a", "https://a:80/?x"] {
        assert_eq!(sitemap(url).unwrap().trim_end(), format!("Sitemap: {url}"));
    }
    for url in [
        "",
        "a",
        "ftp://a/",
        "https://",
        "https:///s",
        "http://?s",
        "http://:80/",
        "http://a b",
        "http://a#b",
    ] {
        assert_eq!(sitemap(url), Err(BuildErrorKind::NotAUrl), "{url}");
    }
    let signal = RobotsBuilder::new()
        .group(&["*"])
        .content_signal(Some("/a"), &[(Signal::Search, Preference::Yes), (Signal::AiTrain, Preference::No)]);
    assert!(signal.build().unwrap().contains("Content-Signal: /a search=yes, ai-train=no\n"));
}

#[test]
fn every_reason_has_words_of_its_own() {
    let file = Robots::parse(b"User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /");
    let mut site = SiteRobots::default();
    let unreachable = site.decide("a", "/", UnixSeconds(0)).to_string();
    site.on_response(&RobotsResponse { status: 404, ..RobotsResponse::default() }, UnixSeconds(0));
    let texts = [
        unreachable,
        site.decide("a", "/", UnixSeconds(1)).to_string(),
        file.decide("a", "/x").to_string(),
        file.decide("a", "/y").to_string(),
        file.decide("c", "/y").to_string(),
        file.decide("b", "/robots.txt").to_string(),
        file.decide("b", "not a path").to_string(),
    ];
    let verdicts: Vec<_> = texts.iter().map(|text| text.split(": ").next().unwrap()).collect();
    let (no, yes) = ("disallowed", "allowed");
    assert_eq!(verdicts, [no, yes, no, yes, yes, yes, no]);
    let reasons: BTreeSet<_> = texts.iter().map(|text| text.split_once(": ").unwrap().1).collect();
    assert!(reasons.len() == 7 && reasons.iter().all(|reason| reason.len() > 5), "{texts:#?}");
    assert!(texts[2].contains("/x"), "{}", texts[2]);
}

/// Google's rule for `index.htm`: such an `Allow` opens its folder too, by the folder's octets and the anchor.
#[test]
fn an_allowed_index_page_opens_its_folder() {
    for (rules, path, expected) in [
        ("Allow: /a/index.html\nDisallow: /a/$", "/a/", true),
        ("Allow: /a/index.html\nDisallow: /a/", "/a/", true),
        ("Allow: /a/index.html\nDisallow: /*a/$", "/a/", false),
        ("Allow: /a/index.html\nDisallow: /a/", "/a/b", false),
        ("Disallow: /a/index.html\nAllow: /b", "/a/", true),
    ] {
        let text = format!("User-agent: *\n{rules}\n");
        assert_eq!(decisions(&google(&text), path), [expected; 2], "{rules}");
        if rules.starts_with("Allow: /a/index") {
            assert_eq!(
                decisions(&Robots::parse(text.as_bytes()), path),
                [false; 2],
                "{rules}: Google's alone"
            );
        }
    }
}

#[test]
fn googles_patterns_are_compared_as_they_come() {
    let robots = google("User-agent: *\nDisallow: /a\"b\nDisallow: /c$d");
    assert_eq!(decisions(&robots, "/a\"b"), [false; 2]);
    assert_eq!(decisions(&robots, "/a%22b"), [true; 2]);
    assert_eq!(decisions(&robots, "/c$d"), [false; 2]);
    // A name without its colon stands before exactly one word.
    for (line, expected) in
        [("Disallow /a", false), ("Disallow /a b", true), ("Disallow", true), ("Disallow /a ", false)]
    {
        let file = format!("User-agent: *\n{line}\n");
        assert_eq!(decisions(&google(&file), "/a"), [expected; 2], "{line:?}");
        assert_eq!(decisions(&Robots::parse(file.as_bytes()), "/a"), [expected; 2], "{line:?}");
    }
}

/// Two patterns in a row in the matcher's one text: a wildcard that begins the second is not one of the first's.
#[test]
fn a_wildcard_behind_a_wildcard_of_another_rule_counts() {
    let robots = Robots::parse(b"User-agent: *\nDisallow: /*\nAllow: *b$\nAllow: /c**");
    for (path, expected) in [("/xb", true), ("/b", true), ("/xbc", false), ("/cde", true)] {
        assert_eq!(decisions(&robots, path), [expected; 2], "{path}");
    }
}

#[test]
fn groups_say_who_and_where() {
    let robots = Robots::parse(b"User-agent: a\nUser-agent: b\nDisallow: /1\nUser-agent: c\nAllow: /2");
    let groups: Vec<_> = robots
        .groups()
        .map(|group| {
            (group.index(), group.agents().count(), group.rules().map(|rule| rule.line).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(groups, [(0, 2, vec![3]), (1, 1, vec![5])]);
}

#[test]
fn delays_are_those_of_the_crawlers_group() {
    let file = "Crawl-delay: 9\nUser-agent: a\nCrawl-delay: 1.5\nUser-agent: b\nDisallow: /\nCrawl-delay: 2\nCrawl-speed: 7\n";
    let robots = Robots::parse(file.as_bytes());
    let delay = |crawler| robots.crawl_delay(crawler).map(CrawlDelay::as_secs_f64);
    // Line 2 opens a group that line 4 goes on with: no rule came in between.
    assert_eq!([delay("a"), delay("b"), delay("c")], [Some(2.0), Some(2.0), None]);
    let apart = Robots::parse(
        b"User-agent: a\nCrawl-delay: 1.5\nDisallow: /\nUser-agent: b\nAllow: /\nCrawl-delay: 2",
    );
    let delay = |crawler| apart.crawl_delay(crawler).map(CrawlDelay::as_secs_f64);
    assert_eq!([delay("a"), delay("b"), delay("c")], [Some(1.5), Some(2.0), None]);
    let stray = Robots::parse(b"Crawl-delay: 9\nUser-agent: *\nDisallow:");
    assert_eq!(stray.crawl_delay("a"), None);
    // A name of the same length is another name.
    assert_eq!(Robots::parse(b"User-agent: *\nCrawl-speed: 5").crawl_delay("a"), None);
}

#[test]
fn licences_are_those_of_the_lines_in_front() {
    let urls = |file: &str, crawler| -> Vec<String> {
        Robots::parse(file.as_bytes()).licenses(crawler).urls.iter().map(ToString::to_string).collect()
    };
    let file = "User-agent: a\nLicense: https://e.x/1\nUser-agent: b\nLicense: https://e.x/2\n";
    assert_eq!(
        (urls(file, "a").join(" "), urls(file, "b").join(" ")),
        ("https://e.x/1".into(), "https://e.x/2".into())
    );
    let file = "User-agent: a\nDisallow: /x\nUser-agent: b\nLicense: https://e.x/2\n";
    assert_eq!((urls(file, "a").len(), urls(file, "b").len()), (0, 1));
    let usage = |file: &str, crawler| {
        Preferences::of_robots(&Robots::parse(file.as_bytes()), crawler, "/").usage("train-ai")
    };
    let file = "User-agent: a\nDisallow: /x\nUser-agent: b\nContent-Usage: train-ai=n\n";
    assert_eq!((usage(file, "a"), usage(file, "b")), (None, Some(Preference::No)));
    let file = "User-agent: a\nContent-Usage: train-ai=y\nUser-agent: b\nContent-Usage: train-ai=n\n";
    assert_eq!((usage(file, "a"), usage(file, "b")), (Some(Preference::Yes), Some(Preference::No)));
}

#[test]
fn a_limit_inside_a_line_keeps_the_line_before_it_whole() {
    let file = "User-agent: *\nDisallow: /ab\nDisallow: /cdef";
    for limit in 28..=file.len() {
        let robots = Robots::parse_with(file.as_bytes(), ParseOptions::default().max_bytes(limit));
        let is_whole = limit == file.len();
        assert_eq!(robots.is_truncated(), !is_whole, "{limit}");
        assert!(is_whole || robots.as_bytes() == b"User-agent: *\nDisallow: /ab\n", "{limit}");
        assert_eq!(
            [robots.decide("x", "/ab").is_allowed(), robots.decide("x", "/ax").is_allowed()],
            [false, true],
            "{limit}"
        );
        assert_eq!(robots.decide("x", "/cdef").is_allowed(), !is_whole, "{limit}");
    }
}

#[test]
fn directives_have_values() {
    let found = Directives::of_headers(
        [("X-Robots-Tag", "max-snippet: 20, max-snippet: 5, max-image-preview: large")],
        "bot",
    );
    assert_eq!(
        (found.max_snippet(), found.value("Max-Image-Preview"), found.value("noindex")),
        (Some(5), Some("large"), None)
    );
    assert_eq!(found.iter().count(), 2);
    let unlimited = Directives::of_headers([("X-Robots-Tag", "max-snippet: -1")], "bot");
    assert_eq!(unlimited.max_snippet(), Some(-1));
    assert_eq!(Directives::default().max_snippet(), None);
    let none = Directives::of_headers([("X-Robots-Tag", "NONE, invented")], "bot");
    assert!(none.has("noindex") && none.has("NoFollow") && !none.has("noarchive"));
    assert_eq!(none.unknown().collect::<Vec<_>>(), ["invented"]);
    assert_eq!(none.plain().filter(|(_, holds)| *holds).count(), 3);
}

/// Inside of SVG a CDATA section is text, so that no `<meta>` of it counts; outside it is a comment that the next `>` ends.
#[cfg(feature = "html")]
#[test]
fn character_data_is_told_from_comments() {
    let found = |html: &str| {
        let mut directives = Directives::default();
        directives.add_html(html.as_bytes(), "bot");
        directives.has("noindex")
    };
    assert!(!found("<svg><![CDATA[><meta name=robots content=noindex>]]></svg>"));
    assert!(found("<p><![CDATA[><meta name=robots content=noindex>]]></p>"));
    assert!(found("<svg><![CDATA[x]]><meta name=robots content=noindex></svg>"));
    // An end tag ends what HTML inside of the drawing began, and nothing around it.
    let inside = "<![CDATA[><meta name=robots content=noindex>]]>";
    assert!(!found(&format!("<svg><foreignobject><math></svg>{inside}")));
    assert!(found(&format!("<svg><foreignobject><math></math>{inside}")));
    assert!(found(&format!("<svg><foreignobject><svg></svg>{inside}")));
    assert!(!found("<plaintext><meta name=robots content=noindex>"));
}

#[test]
fn lint_says_what_and_where() {
    let lint = |line: &str| -> Vec<(u32, &'static str)> {
        let file = format!("User-agent: *\n{line}\n");
        let findings = Robots::parse(file.as_bytes()).check_lint();
        findings
            .iter()
            .map(|finding| {
                assert_eq!(web_values::Finding::code(finding), finding.kind().code());
                assert_eq!(finding.place().to_string(), format!("line {}", finding.line()));
                (finding.line(), finding.code())
            })
            .collect()
    };
    for good in [
        "User-agent: bot",
        "Crawl-delay: 2",
        "Sitemap: https://example.com/sitemap.xml",
        "Disallow: /%41",
        "Disallow: /%4a%Fb",
        "Content-Usage: /a train-ai=n",
        "Content-Usage: train-ai=y",
        "Disallow: /robots.txts",
    ] {
        assert_eq!(lint(good), [], "{good}");
    }
    for (line, code) in [
        ("Disallow: /%", "broken-escape"),
        ("Disallow: /%4", "broken-escape"),
        ("Disallow: /%4g", "broken-escape"),
        ("Disallow: /%g4", "broken-escape"),
        ("Disallow: /%41%4", "broken-escape"),
        ("Disallow: /robots.txt$", "robots-txt"),
        ("Content-Usage: /train-ai=n", "bad-usage"),
        ("Content-Usage: /a", "bad-usage"),
        ("Content-Usage: train-ai", "bad-usage"),
        ("Dissallow: /a", "misspelt"),
        ("Disalow: /a", "misspelt"),
        ("Disllw: /a", "misspelt"),
        ("Dislw: /a", "unknown-field"),
        ("xyDisallow: /a", "misspelt"),
        ("xyzDisallow: /a", "unknown-field"),
        ("Alow: /a", "misspelt"),
        ("Alo: /a", "unknown-field"),
        ("Crawl_Delay: 1", "misspelt"),
        ("-disallow-----------: /a", "misspelt"),
        ("-disallow------------: /a", "unknown-field"),
    ] {
        assert_eq!(lint(line), [(2, code)], "{line}");
    }
}

#[test]
fn of_two_equal_rules_the_later_one_is_idle() {
    let lint = |file: &str| -> Vec<_> {
        Robots::parse(file.as_bytes()).check_lint().iter().map(|it| (it.line(), it.kind())).collect()
    };
    assert_eq!(lint("User-agent: *\nDisallow: /a\nDisallow: /a"), [(3, FindingKind::Unreachable { by: 2 })]);
    assert_eq!(lint("User-agent: *\nDisallow: /a\nAllow: /a"), [(2, FindingKind::Unreachable { by: 3 })]);
    assert_eq!(lint("User-agent: *\nAllow: /a\nDisallow: /a"), [(3, FindingKind::Unreachable { by: 2 })]);
    // Of these two each matches what the other does not.
    assert_eq!(lint("User-agent: *\nDisallow: /a$\nAllow: /a"), []);
}

/// Lines that do no harm are notices; the others, which lose a rule that was meant, are warnings.
#[test]
fn lint_tells_harm_from_habit() {
    let severity = |line: &str| {
        let file = format!("User-agent: *\nDisallow: /a\n{line}\n");
        Robots::parse(file.as_bytes())
            .check_lint()
            .iter()
            .map(web_values::Finding::severity)
            .collect::<Vec<_>>()
    };
    for line in ["Host: example.com", "Disallow: /a", "Disallow: /robots.txt"] {
        assert_eq!(severity(line), [web_values::Severity::Notice], "{line}");
    }
    for line in ["Dissallow: /b", "Disallow: b", "Crawl-delay: soon", "Sitemap: /s.xml"] {
        assert_eq!(severity(line), [web_values::Severity::Warning], "{line}");
    }
}

#[test]
fn a_pacer_keeps_its_promises_at_their_edges() {
    let at = Duration::from_secs;
    let mut pacer = Pacer::new(PacingOptions::default().crawl_delay_cap(at(10)));
    assert!(pacer.is_empty());
    pacer.want("a.example").unwrap();
    assert!(!pacer.is_empty() && pacer.len() == 1);
    assert!(pacer.next_ready(at(0)).is_some());
    let delay = |secs| Some(CrawlDelay::from(at(secs)));
    assert_eq!(pacer.set_crawl_delay("a.example", delay(10)), Ok(DelayOutcome::Obeyed));
    assert_eq!(pacer.set_crawl_delay("a.example", delay(11)), Ok(DelayOutcome::Capped { asked: at(11) }));
    assert_eq!(pacer.ready_at("a.example", at(3)), at(10));
    assert_eq!(DelayOutcome::Obeyed.to_string(), "the crawl delay is obeyed");
    assert_eq!(
        DelayOutcome::Capped { asked: at(11) }.to_string(),
        "the crawl delay of 11s is cut to the cap"
    );
    // In line again: not a nanosecond before its time, and at its time.
    pacer.want("a.example").unwrap();
    assert_eq!((pacer.wake_at(), pacer.next_ready(at(10) - Duration::from_nanos(1))), (Some(at(10)), None));
    assert_eq!(pacer.next_ready(at(10)).as_deref(), Some("a.example"));
}

#[test]
fn patterns_match_paths_alone() {
    let pattern = PathPattern::new("/a*b$");
    assert_eq!(
        ["/ab", "/axxb", "/abc", "ab", ""].map(|path| pattern.matches(path)),
        [true, true, false, false, false]
    );
    assert_eq!((pattern.octets(), PathPattern::new("/é").octets()), (5, 7));
    assert!(PathPattern::new("").matches("/x") && !PathPattern::new("").matches("x"));
}

#[test]
fn preferences_join_to_the_stricter() {
    let read = |value| Preferences::of_headers([("Content-Usage", value)]);
    let joined = read("train-ai=y, search=y").merge(read("train-ai=n, x=y"));
    let stated = ["train-ai", "search", "x", "y"].map(|label| joined.usage(label));
    assert_eq!(stated, [Some(Preference::No), Some(Preference::Yes), Some(Preference::Yes), None]);
    let signals = |value| Preferences::of_headers([("Content-Signal", value)]);
    let joined = signals("search=yes, use=full").merge(signals("ai-train=no, use=reference"));
    assert_eq!(
        [joined.signal(Signal::Search), joined.signal(Signal::AiTrain)],
        [Some(Preference::Yes), Some(Preference::No)]
    );
    assert_eq!(joined.use_ceiling(), Some(UseCeiling::Reference));
    assert_eq!(
        [UseCeiling::Immediate, UseCeiling::Reference, UseCeiling::Full].map(UseCeiling::name),
        ["immediate", "reference", "full"]
    );
}

#[test]
fn a_file_is_written_line_by_line() {
    let file = b"Sitemap: https://e.x/\xff\nuser-agent: a\nuser-agent: b\ndisallow: /\xe9\ncrawl-delay: 2\nUser-agent: c\ncontent-usage: /\xff train-ai=n\ncontent-usage: \xff=n\nSitemap: https://e.x/s\nx: y\nUser-agent: d\nDisallow:\n";
    let expected = "\nUser-agent: a\nUser-agent: b\nDisallow: /%E9\nCrawl-delay: 2\n\nUser-agent: c\nContent-Usage: /%FF train-ai=n\nContent-Usage: \u{FFFD}=n\nSitemap: https://e.x/s\nx: y\n\nUser-agent: d\nDisallow:\n";
    assert_eq!(Robots::parse(file).to_string(), expected.trim_start_matches('\n'));
    assert!(
        Robots::parse(file)
            .other_records()
            .any(|record| record.field == Field::Unknown && record.name == b"x")
    );
}

#[test]
fn a_scheme_behind_the_path_belongs_to_it() {
    for (url, path) in [
        ("https://e.x/a?u=http://b/c", "/a?u=http://b/c"),
        ("/a?u=http://b/c", "/a?u=http://b/c"),
        ("?u=http://b/c", "/?u=http://b/c"),
        ("https://e.x?u=http://b/c", "/?u=http://b/c"),
        (";p://b", "/;p://b"),
    ] {
        assert_eq!(RequestPath::of_url(url).as_str(), path, "{url}");
    }
}

#[test]
fn a_decision_names_its_rule() {
    let file = Robots::parse(b"User-agent: *\nDisallow: /a\n");
    let rule = |path: &str| file.decide("bot", path).rule().map(|rule| (rule.line, rule.pattern.to_vec()));
    assert_eq!((rule("/a/b"), rule("/b")), (Some((2, b"/a".to_vec())), None));
    // What is printed of a file for a developer shows where it begins.
    assert!(format!("{file:?}").contains(r#"start: "User-agent: *\nDisallow: /a\n""#), "{file:?}");
}

#[test]
fn the_smaller_preview_counts_in_either_order() {
    let value = |header: &str| {
        let directives = Directives::of_headers([("X-Robots-Tag", header)], "bot");
        let found = directives.iter().find(|(name, _)| *name == "max-image-preview");
        found.and_then(|(_, value)| value.map(str::to_owned)).unwrap()
    };
    for (first, second, counts) in [
        ("large", "none", "none"),
        ("none", "large", "none"),
        ("standard", "large", "standard"),
        ("large", "Standard", "Standard"),
        ("none", "standard", "none"),
        ("standard", "standard", "standard"),
        // Of words that mean nothing the first is kept.
        ("huge", "none", "huge"),
    ] {
        let header = format!("max-image-preview:{first}, max-image-preview:{second}");
        assert_eq!(value(&header), counts, "{header}");
    }
}

#[test]
fn strict_paths_have_neither_blanks_nor_controls() {
    for (path, is_rule) in
        [("/a", true), ("/a b", false), ("/a\u{7}b", false), ("/a\tb", false), ("/é", true), ("a", false)]
    {
        let file = format!("User-agent: *\nDisallow: {path}\n");
        let strict = Robots::parse_with(file.as_bytes(), ParseOptions::default().mode(RobotsMode::Strict));
        assert_eq!(strict.groups().next().unwrap().rules().count(), usize::from(is_rule), "{path:?}");
    }
    let file = b"User-agent: *\nDisallow: /\xff\n";
    let strict = Robots::parse_with(file, ParseOptions::default().mode(RobotsMode::Strict));
    assert_eq!(strict.groups().next().unwrap().rules().count(), 0);
}

#[cfg(feature = "html")]
#[test]
fn an_end_of_a_template_that_never_began_ends_nothing() {
    let finds = |html: &str| {
        let mut directives = Directives::default();
        directives.add_html(html.as_bytes(), "bot");
        directives.has("noindex")
    };
    const META: &str = "<meta name=robots content=noindex>";
    assert!(finds(&format!("<svg></template></svg>{META}")));
    assert!(finds(&format!("<template><svg></template>{META}")));
    // Other end tags do not end one.
    assert!(!finds(&format!("<template><b></b></p>{META}</template>")));
}

/// Inside of a drawing `<style>` is an element like others, so that a `<meta>` behind it counts; inside of HTML that the
/// drawing holds it is a style sheet.
#[cfg(feature = "html")]
#[test]
fn a_drawings_style_hides_nothing() {
    for (before, counts) in
        [("<svg>", true), ("<svg><g>", true), ("<svg><desc>", false), ("<math><mrow>", true), ("", false)]
    {
        let html = format!("{before}<style><meta name=robots content=noindex>");
        assert_eq!(!robots::meta_elements(html.as_bytes()).is_empty(), counts, "{html}");
    }
}

#[test]
fn https_that_was_seen_again_is_remembered_for_longer() {
    use robots::HttpsHosts;
    let mut hosts = HttpsHosts::default();
    let is_known =
        |hosts: &HttpsHosts, at| hosts.upgrade("http://a.example/", UnixSeconds(at)).starts_with("https");
    hosts.on_https_seen("a.example", Duration::from_secs(10), UnixSeconds(0));
    assert!(is_known(&hosts, 9) && !is_known(&hosts, 11));
    hosts.on_https_seen("a.example", Duration::from_secs(10), UnixSeconds(9));
    assert!(is_known(&hosts, 18) && !is_known(&hosts, 20));
    // Shorter evidence takes nothing back.
    hosts.on_https_seen("a.example", Duration::from_secs(1), UnixSeconds(9));
    assert!(is_known(&hosts, 18));
}

#[test]
fn host_keys_keep_what_is_not_a_port() {
    for (text, key) in [
        ("a.example:80", "a.example"),
        ("a.example:", "a.example"),
        ("a.example:port", "a.example:port"),
        ("[::1]:8080", "[::1]"),
        ("[::1]", "[::1]"),
        ("::1", "::1"),
        ("u:p@a.example", "a.example"),
        ("A.example.:1", "a.example"),
    ] {
        assert_eq!(robots::host_key(text), key, "{text}");
    }
}

/// A name of the same length as a known one is another name.
#[test]
fn fields_go_by_their_whole_name() {
    for (name, field) in [
        ("Content-Signal", Field::ContentSignal),
        ("content-signal", Field::ContentSignal),
        ("Content-Policy", Field::Unknown),
        ("Content-Usages", Field::Unknown),
        ("Crawl-Delays", Field::Unknown),
        ("License", Field::License),
        ("Licence", Field::Unknown),
    ] {
        let file = format!("User-agent: *\n{name}: search=yes\n");
        let robots = Robots::parse(file.as_bytes());
        let fields: Vec<_> = robots.other_records().map(|record| record.field).collect();
        assert_eq!(fields, [field], "{name}");
    }
}

/// Strict mode takes names of the grammar alone: a version behind one makes the line address nobody.
#[test]
fn strict_mode_takes_names_of_the_grammar_alone() {
    for (name, is_addressed) in
        [("bot", true), ("*", true), ("bot/2.0", false), ("bot 2", false), ("bot2", false)]
    {
        let file = format!("User-agent: {name}\nDisallow: /\n");
        let strict = Robots::parse_with(file.as_bytes(), ParseOptions::default().mode(RobotsMode::Strict));
        assert_eq!(strict.decide("bot", "/a").is_disallowed(), is_addressed, "{name}");
        assert_eq!(strict.decide(name, "/a").is_disallowed(), is_addressed, "{name}");
    }
}

/// A file without `User-agent` lines has no group.
#[test]
fn rules_for_nobody_are_no_group() {
    for file in ["", "Disallow: /\n", "Sitemap: https://example.com/s\n"] {
        assert_eq!(Robots::parse(file.as_bytes()).groups().len(), 0, "{file}");
    }
}

/// A path that no rule forbids is told from one that a rule allows.
#[test]
fn what_nothing_forbids_is_allowed_by_default() {
    let file = Robots::parse(b"User-agent: bot\nAllow: /a\nDisallow: /b\n");
    for (crawler, path, is_default) in
        [("bot", "/a", false), ("bot", "/b", false), ("bot", "/c", true), ("other", "/b", true)]
    {
        assert_eq!(file.decide(crawler, path).is_default(), is_default, "{crawler} {path}");
    }
}

/// Hosts are remembered from their first evidence on.
#[test]
fn no_host_is_remembered_at_first() {
    let mut hosts = robots::HttpsHosts::new(10);
    assert!(hosts.is_empty());
    hosts.on_hsts("example.com", "max-age=60", UnixSeconds(1));
    assert!(!hosts.is_empty());
}

#[test]
fn what_a_mode_takes_and_remarks_upon() {
    let parse =
        |file: &'static str, mode| Robots::parse_with(file.as_bytes(), ParseOptions::default().mode(mode));
    // A name that is not a product token binds nobody in the strict mode.
    let file = "User-agent: foo/1\nDisallow: /\n";
    assert!(parse(file, RobotsMode::Strict).decide("foo", "/").is_allowed());
    assert!(parse(file, RobotsMode::Rfc).decide("foo", "/").is_disallowed());
    let file = "User-agent: foo_Bar-\nDisallow: /\n";
    assert!(parse(file, RobotsMode::Strict).decide("foo_Bar-", "/").is_disallowed());
    // Google's parser takes any field; elsewhere an unknown one is a remark, with its line and its words.
    let file = "User-agent: *\nDisallow: /a\nX-Other-Thing: 1\n";
    let found = parse(file, RobotsMode::Rfc).check_lint();
    assert_eq!(found.len(), 1, "{found:?}");
    let finding = &found[0];
    assert_eq!(finding.to_string(), format!("line 3: {}", finding.message()));
    assert!(finding.message().contains("X-Other-Thing"), "{finding}");
    assert!(parse(file, RobotsMode::Google).check_lint().is_empty());
}

#[test]
fn a_host_is_forgotten_only_where_there_is_no_room() {
    let secs = Duration::from_secs;
    let mut pacer = Pacer::new(PacingOptions::default().max_hosts(2));
    let _ = pacer.set_crawl_delay("a", Some(CrawlDelay::from(secs(100)))).unwrap();
    pacer.on_fetch("a", secs(0)).unwrap();
    pacer.on_fetch("b", secs(200)).unwrap();
    pacer.on_fetch("a", secs(200)).unwrap();
    assert_eq!(pacer.ready_at("a", secs(200)), secs(300), "its delay is remembered");
    // Both wait now: a third finds no room, and a known one needs none.
    assert!(pacer.on_fetch("c", secs(201)).is_err());
    assert!(pacer.on_fetch("b", secs(201)).is_ok());
}

/// Each rule keeps its own wildcards, whatever the pattern before it ends with.
#[test]
fn a_wildcard_at_the_end_of_a_rule_takes_none_from_the_next() {
    for file in [
        "User-agent: *\nDisallow: /x*\nDisallow: *b$\n",
        "User-agent: *\nDisallow: *b$\nDisallow: /x*\n",
        "User-agent: *\nDisallow: /x**\nDisallow: **b$\n",
    ] {
        let robots = Robots::parse(file.as_bytes());
        for (path, is_allowed) in [("/ab", false), ("/xa", false), ("/ba", true), ("/b", false), ("/a", true)]
        {
            assert_eq!(decisions(&robots, path), [is_allowed; 2], "{path} {file}");
        }
    }
}

/// Two words are a rule that lost its colon; three say nothing.
#[test]
fn a_line_without_its_colon_is_two_words() {
    for (line, is_allowed) in [
        ("Disallow /a", false),
        ("Disallow\t/a", false),
        ("Disallow  /a  ", false),
        ("Disallow /a b", true),
        ("Disallow/a", true),
        ("Disallow", true),
    ] {
        let file = format!("User-agent: *\n{line}\n");
        assert_eq!(decisions(&google(&file), "/a"), [is_allowed; 2], "{line:?}");
        assert_eq!(decisions(&Robots::parse(file.as_bytes()), "/a"), [is_allowed; 2], "{line:?}");
    }
}

/// A date's own comma does not end it; words that are not a day of the week have none.
#[test]
fn a_date_may_begin_with_its_day() {
    let read = |value: &str| {
        let directives = Directives::of_headers([("X-Robots-Tag", value)], "bot");
        (directives.value("unavailable_after").map(String::from), directives.has("nofollow"))
    };
    for (date, value) in [
        ("Wed, 25 Jun 2025 15:00:00 GMT", "Wed, 25 Jun 2025 15:00:00 GMT"),
        ("Wednesday, 25-Jun-25 15:00:00 GMT", "Wednesday, 25-Jun-25 15:00:00 GMT"),
        ("2025-06-25", "2025-06-25"),
        ("Wed Jun 25 2025", "Wed Jun 25 2025"),
        ("tomorrow", "tomorrow"),
    ] {
        let found = read(&format!("unavailable_after: {date}, nofollow"));
        assert_eq!(found, (Some(value.to_string()), true), "{date}");
    }
}

/// Of two values that say the same the first is kept as it was written.
#[test]
fn of_two_equal_values_the_first_is_kept() {
    let kept = |name: &str, first: &str, second: &str| {
        let value = format!("{name}: {first}, {name}: {second}");
        Directives::of_headers([("X-Robots-Tag", &*value)], "bot").value(name).map(String::from)
    };
    assert_eq!(kept("max-snippet", "05", "5").as_deref(), Some("05"));
    assert_eq!(kept("max-image-preview", "LARGE", "large").as_deref(), Some("LARGE"));
}

/// Of two values the one that allows less holds, in whichever order they come; a negative number is no limit.
#[test]
fn the_stricter_of_two_values_holds() {
    let stated = |first: &str, second: &str| {
        let both = [("X-Robots-Tag", first), ("X-Robots-Tag", second)];
        Directives::of_headers(both, "bot")
    };
    for (less, more) in [("0", "50"), ("0", "-1"), ("50", "51"), ("50", "-1"), ("1", "999"), ("-1", "-2")] {
        let (less_first, more_first) = (format!("max-snippet:{less}"), format!("max-snippet:{more}"));
        let expected = less.parse::<i64>().unwrap();
        for (first, second) in [(&less_first, &more_first), (&more_first, &less_first)] {
            let found = stated(first, second).max_snippet().unwrap();
            let is_no_limit = expected < 0 && found < 0;
            assert!(found == expected || is_no_limit, "{first} {second}: {found}");
        }
    }
}

/// Foreign content ends with its own end tag, whatever is open inside of it: behind it `<![CDATA[` is a comment again.
#[cfg(feature = "html")]
#[test]
fn the_end_of_foreign_content_closes_what_is_open_inside() {
    let page = |before: &str| format!("{before}<![CDATA[><meta name=robots content=noindex>]]>");
    for (before, counts) in [
        ("", true),
        ("<svg>", false),
        ("<svg></svg>", true),
        ("<svg><math></svg>", true),
        ("<svg><math></math>", false),
        ("<math><svg></math>", true),
        ("<svg><svg></svg>", false),
        ("<svg><svg></svg></svg>", true),
        ("<svg></math>", false),
        ("<svg><title></svg>", true),
        ("<svg><p>", true),
        ("<math><mi></p>", true),
    ] {
        let html = page(before);
        let found = robots::meta_elements(html.as_bytes());
        assert_eq!(found.iter().any(|(name, _)| name == "robots"), counts, "{html}");
    }
}

/// Of two rules of one length Allow wins, wherever the wildcards are, and the matcher says so too.
#[test]
fn a_tie_of_a_plain_rule_and_one_with_wildcards_allows() {
    for (disallow, allow) in
        [("/ab", "/*b"), ("/*b", "/ab"), ("/a*c", "/*bc"), ("/ab", "/a*"), ("/a$", "/*a"), ("/ab", "/ab")]
    {
        for file in [
            format!("User-agent: *\nDisallow: {disallow}\nAllow: {allow}\n"),
            format!("User-agent: *\nAllow: {allow}\nDisallow: {disallow}\n"),
        ] {
            let path = if disallow == "/a$" { "/a" } else { "/abc" };
            assert_eq!(decisions(&Robots::parse(file.as_bytes()), path), [true; 2], "{file}");
        }
        // One octet more decides.
        let longer = format!("User-agent: *\nDisallow: {}\nAllow: {allow}\n", "/abc");
        let is_longest = allow.len() < 4;
        assert_eq!(decisions(&Robots::parse(longer.as_bytes()), "/abc"), [!is_longest; 2], "{longer}");
    }
}

/// What an owner closed stays closed, whatever an editor made of the file.
#[test]
fn files_of_odd_editors_close_what_they_say() {
    let text = "User-agent: *\r\nDisallow: /x\u{e9}\r\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mark = |mark: &[u8], text: &[u8]| [mark, text].concat();
    for file in [
        mark(b"\xFF\xFE", &little),
        mark(b"\xFE\xFF", &big),
        little.clone(),
        big,
        mark(b"\xEF\xBB\xBF\xEF\xBB\xBF", text.as_bytes()),
        mark(b"\xEF\xBB\xBF\xEF\xBB\xBF\xEF\xBB\xBF", text.as_bytes()),
        mark(b"\xFF\xFE", &[&little[..], b"\x41"].concat()),
    ] {
        let robots = Robots::parse(&file);
        assert!(robots.decide("bot", "/x%C3%A9").is_disallowed(), "{file:?}");
        assert!(robots.decide("bot", "/y").is_allowed());
        assert!(Robots::parse(robots.as_bytes()).decide("bot", "/x%C3%A9").is_disallowed());
    }
    // NUL bytes alone make no UTF-16.
    assert!(Robots::parse(b"\0\0\0\0User-agent: *\nDisallow: /x").decide("bot", "/y").is_allowed());
}

#[test]
fn a_disallow_that_lost_its_colon_closes_and_is_reported() {
    let robots = Robots::parse(
        b"User-agent: *\nDisallow /x\nDISALLOW\t*/y\nAllow /x/z\nDisallow nothing here\nDisallow\n",
    );
    for (path, is_open) in [("/x/z", false), ("/a/y", false), ("/a", true), ("/nothing", true)] {
        assert_eq!(robots.decide("bot", path).is_allowed(), is_open, "{path}");
    }
    let lines: Vec<u32> = robots
        .check_lint()
        .iter()
        .filter(|finding| finding.kind() == robots::FindingKind::NoColon)
        .map(robots::RobotsFinding::line)
        .collect();
    assert_eq!(lines, [2, 3, 4, 5, 6]);
}
