//! Hostile files: four times the input takes about four times the time, whatever its shape.

use std::hint::black_box;
use std::time::Duration;

use robots::{Directives, Pacer, ParseOptions, Preferences, RequestPath, Robots};

/// Asserts that four times the size takes about four times as long.
fn grows_linearly(what: &str, small: usize, run: impl Fn(usize)) {
    linear::assert_linear(what, [small, small * 4], run);
}

fn parsed(file: &str) -> Robots<'_> {
    Robots::parse_with(file.as_bytes(), ParseOptions::default().max_bytes(usize::MAX))
}

#[test]
fn many_stars_against_a_long_path() {
    grows_linearly("many stars", 5_000, |n| {
        let file = format!("User-agent: *\nDisallow: /{}b$\n", "*a".repeat(n));
        let path = format!("/{}", "a".repeat(n * 2));
        assert!(parsed(&file).matcher("x").decide(path.as_str()).is_allowed());
        assert!(parsed(&file).decide("x", path.as_str()).is_allowed());
    });
}

#[test]
fn a_long_name_of_a_crawler_beside_many_names() {
    grows_linearly("long name", 5_000, |n| {
        let header = "bot: noindex, ".repeat(n);
        let file = "User-agent: bot\nDisallow: /\n".repeat(n);
        let name = "b".repeat(n * 8);
        let directives = Directives::of_headers([("X-Robots-Tag", header.as_str())], &[name.as_str()]);
        assert!(!directives.has("noindex"));
        assert!(parsed(&file).decide(&[name.as_str()], "/").is_allowed());
    });
}

#[test]
fn many_names_in_one_header() {
    grows_linearly("names in a header", 20_000, |n| {
        let header = "bot:".repeat(n);
        assert!(!Directives::of_headers([("X-Robots-Tag", header.as_str())], "bot").has("noindex"));
    });
}

#[test]
fn many_rules_that_share_a_prefix() {
    grows_linearly("shared prefix", 5_000, |n| {
        let rule = |i| format!("Disallow: /shared/folder/of/all/rules/{i}\n");
        let file: String = std::iter::once("User-agent: *\n".into()).chain((0..n).map(rule)).collect();
        let matcher = parsed(&file).matcher("x");
        assert!(matcher.decide("/shared/folder/of/all/rules/1").is_disallowed());
    });
}

#[test]
fn rules_that_begin_one_another() {
    grows_linearly("nested rules", 200_000, |bytes| {
        let mut file = String::from("User-agent: *\n");
        let mut rule = String::from("/");
        while file.len() < bytes {
            file.push_str(&format!("Disallow: {rule}\n"));
            rule.push('a');
        }
        assert!(parsed(&file).matcher("x").decide("/b").is_disallowed());
    });
}

#[test]
fn a_hundred_thousand_groups() {
    grows_linearly("groups", 25_000, |n| {
        let file = "User-agent: other\nDisallow: /\n".repeat(n);
        let robots = parsed(&file);
        assert_eq!(robots.groups().count(), n);
        assert!(robots.decide("x", "/").is_allowed());
    });
}

#[test]
fn a_comment_line_of_five_megabytes() {
    grows_linearly("comment", 1_250_000, |n| {
        let file = format!("#{}\nUser-agent: *\nDisallow: /\n", "x".repeat(n));
        assert!(black_box(parsed(&file)).decide("x", "/").is_disallowed());
    });
}

#[test]
fn lint_of_many_rules() {
    grows_linearly("lint", 5_000, |n| {
        let file = format!("User-agent: *\n{}", "Disalow: /a%\nDisallow: x%zz\n".repeat(n));
        assert!(parsed(&file).check_lint().len() >= n);
    });
}

#[test]
fn a_pacer_of_many_hosts() {
    grows_linearly("pacer", 2_500, |n| {
        let mut pacer = Pacer::default();
        for host in 0..n {
            pacer.want(&format!("host{host}.example")).unwrap();
        }
        let mut fetched = 0;
        while let Some(host) = pacer.next_ready(Duration::from_secs(fetched)) {
            pacer.on_response(&host, 200, None, Duration::from_secs(fetched)).unwrap();
            fetched += 1;
        }
        assert_eq!((fetched as usize, pacer.len(), pacer.wake_at()), (n, n, None));
        assert_eq!(pacer.forget_idle(Duration::from_secs(fetched + 2)), n);
    });
}

#[test]
fn records_that_share_their_user_agent_lines() {
    // Each record of a group asks which of the group's lines count: n records and n lines.
    for line in [
        "Crawl-delay: 1",
        "Content-Usage: train-ai=n",
        "Content-Signal: search=yes",
        "License: https://e.x/l",
    ] {
        grows_linearly(line, 3_000, |n| {
            let file = format!("{}{}", "User-agent: other\n".repeat(n), format!("{line}\n").repeat(n));
            let robots = parsed(&file);
            assert!(robots.crawl_delay("x").is_none());
            assert_eq!(Preferences::of_robots(&robots, "x", "/"), Preferences::default());
            assert!(robots.licenses("x").urls.is_empty());
            assert_eq!(robots.other_records().count(), n);
        });
    }
}

#[test]
fn many_groups_with_a_record_each() {
    grows_linearly("groups with records", 3_000, |n| {
        let file =
            "User-agent: a\nUser-agent: b\nCrawl-delay: 1\nContent-Usage: /x train-ai=n\nDisallow: /\n"
                .repeat(n);
        let robots = parsed(&file);
        assert!(robots.crawl_delay("b").is_some());
        assert_eq!(Preferences::of_robots(&robots, "b", "/robots.txt"), Preferences::default());
    });
}

#[test]
fn many_dot_segments() {
    grows_linearly("dot segments", 5_000, |n| {
        let url = format!("https://example.com{}{}", "/a".repeat(n), "/..".repeat(n));
        assert_eq!(RequestPath::new(&url).as_str(), "/");
    });
}

#[cfg(feature = "html")]
#[test]
fn many_open_elements() {
    // What the page says of itself is found behind elements that are open still: not in a template, which is not the page.
    for (html, is_found) in [
        ("<svg>", true),
        ("<svg><title>", true),
        ("<svg></math>", true),
        ("<template>", false),
        ("<math><mi>", true),
        ("<svg><p>", true),
        ("<svg></svg>", true),
    ] {
        let is_found_behind = |n: usize| {
            let page = html.repeat(n) + "<meta name=robots content=noindex>";
            let mut found = Directives::default();
            found.add_html(page.as_bytes(), "x");
            found.has("noindex")
        };
        for n in [1, 2, 10] {
            assert_eq!(is_found_behind(n), is_found, "{n} of {html}");
        }
        // So deep that not all open elements are told apart any more.
        grows_linearly(html, 100, |n| {
            black_box(is_found_behind(n));
        });
    }
}
