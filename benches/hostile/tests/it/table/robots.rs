//! aiweb-robots.

use robots::{
    CrawlDelay, Directives, HttpsHosts, PathPattern, Preferences, RequestPath, RetryAfter, Robots,
    RobotsBuilder, RobotsResponse, SiteRobots, UnixSeconds, host_key, meta_elements,
};

use super::{Function, nothing, row};

const LIBRARY: &str = "aiweb-robots";
const NONE: (u64, u64) = (0, 0);
const LINES: (u64, u64) = (64, 64 << 10);

pub const FUNCTIONS: &[Function] = &[
    row(LIBRARY, "Robots::parse, decide", LINES, NONE, |case| {
        nothing(
            Robots::parse(&case.bytes)
                .decide("AIWebIndex", RequestPath::new("/aaaaaaaaaaaaaaaaaaaaaaaa?b=c"))
                .is_allowed(),
        )
    }),
    row(LIBRARY, "RequestPath::new", LINES, NONE, |case| {
        let robots = Robots::parse(b"User-agent: *\nDisallow: /*a*b*c$\nDisallow: /%61*%2F");
        nothing(robots.decide("x", RequestPath::new(&case.text)).is_allowed())
    }),
    row(LIBRARY, "Robots::crawl_delay", LINES, NONE, |case| {
        nothing(Robots::parse(&case.bytes).crawl_delay("AIWebIndex"))
    }),
    row(LIBRARY, "Preferences::of_robots", (200, 64 << 10), NONE, |case| {
        nothing(Preferences::of_robots(&Robots::parse(&case.bytes), "AIWebIndex", RequestPath::new("/a")))
    }),
    row(LIBRARY, "Preferences::of_headers", (200, 64 << 10), NONE, |case| {
        let fields = [("content-usage", case.text.as_str()), ("content-signal", case.text.as_str())];
        nothing(Preferences::of_headers(fields))
    }),
    row(LIBRARY, "Directives::of_headers", (200, 64 << 10), NONE, |case| {
        nothing(Directives::of_headers([("x-robots-tag", case.text.as_str())], "AIWebIndex"))
    }),
    row(LIBRARY, "Directives::add_html", (200, 256 << 10), NONE, |case| {
        let mut directives = Directives::of_headers([], "AIWebIndex");
        directives.add_html(&case.bytes, "AIWebIndex");
        nothing(directives)
    }),
    row(LIBRARY, "meta_elements, Directives::add_meta", (200, 256 << 10), (8, 1_024), |case| {
        let mut directives = Directives::default();
        directives.add_meta(&case.text, &case.text, "AIWebIndex");
        meta_elements(&case.bytes).iter().map(|(name, content)| name.len() + content.len()).sum()
    }),
    row(LIBRARY, "PathPattern", LINES, NONE, |case| {
        nothing((
            PathPattern::new(&case.text).matches("/aaaaaaaaaaaa"),
            PathPattern::new("/*a*b$").matches(case.text.as_str()),
        ))
    }),
    row(
        LIBRARY,
        "Robots::to_string, licenses, sitemaps, check_lint",
        (400, 256 << 10),
        (8, 1 << 20),
        |case| {
            let robots = Robots::parse(&case.bytes);
            let findings: usize =
                robots.check_lint().into_iter().map(|finding| finding.to_string().len()).sum();
            nothing((
                robots.sitemaps().count(),
                robots.other_records().count(),
                robots.licenses("AIWebIndex"),
            ));
            robots.to_string().len() + findings
        },
    ),
    row(LIBRARY, "RobotsBuilder", (64, 64 << 10), (8, 4_096), |case| {
        let text = case.text.as_str();
        let built = RobotsBuilder::new().group(&[text]).allow(text).disallow(text).sitemap(text);
        built.content_usage(Some(text), &[]).build().map_or(0, |file| file.len())
    }),
    row(LIBRARY, "SiteRobots::on_response", LINES, NONE, |case| {
        let mut site = SiteRobots::default();
        let answer = |status| RobotsResponse {
            status,
            location: Some(&case.text),
            body: &case.bytes,
            max_age: None,
            retry_after: None::<RetryAfter>,
        };
        for status in [301, 200, 304, 503] {
            site.on_response(&answer(status), UnixSeconds(1));
        }
        nothing(site.decide("AIWebIndex", "/a", UnixSeconds(2)).is_allowed())
    }),
    row(LIBRARY, "HttpsHosts", (16, 16 << 10), (2, 1_024), |case| {
        let mut hosts = HttpsHosts::new(8);
        hosts.on_hsts(&case.text, &case.text, UnixSeconds(1));
        hosts.on_hsts("a.example", &case.text, UnixSeconds(1));
        hosts.upgrade(&case.text, UnixSeconds(2)).len()
    }),
    row(LIBRARY, "CrawlDelay::read", (1, 256), NONE, |case| nothing(CrawlDelay::read(&case.bytes))),
    row(LIBRARY, "host_key", (8, 1_024), (1, 64), |case| host_key(&case.text).len()),
];
