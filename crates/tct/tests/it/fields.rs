//! Header fields as they are read: entity tags, links, caching, waiting times, dates; and what is found in whole responses.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;
use http::header::{LAST_MODIFIED, LINK};
use http::{HeaderMap, Method};
use tct::cache::CacheControl;
use tct::link::{link_canonical, link_sitemap, links};
use tct::lint::{HeaderFinding, check_headers};
use tct::retry::{RateLimit, retry_after};
use tct::time::parse_http_date;
use tct::{
    CUrl, EntityTag, Fingerprint, MUrl, Representation, SitemapBudget, SitemapEntry, UnixSeconds,
    plan_response, write_sitemaps,
};
use url::Url;
use web_values::links_in;

fn matches(lines: &[&'static str], tag: &str) -> bool {
    let tag = EntityTag::parse(tag.as_bytes()).unwrap();
    tag.is_named_by(lines.iter().map(|line| line.as_bytes()))
}

#[test]
fn a_list_is_read_over_commas_and_lines() {
    assert!(matches(&["\"a\", \"b\""], "\"b\""));
    assert!(matches(&["\"a\"", "W/\"b\""], "\"b\""));
    assert!(matches(&["\"x,b,y\", \"c\""], "\"c\""));
    assert!(matches(&[",, \"b\" ,"], "\"b\""));
    assert!(!matches(&["\"x,b,y\""], "\"b\""));
    assert!(!matches(&["b"], "\"b\""));
    assert!(!matches(&["\"b"], "\"b\""));
    assert!(!matches(&["w/\"b\""], "\"b\""));
    assert!(!matches(&[""], "\"b\""));
}

#[test]
#[covers("TCT3-AMB-11", "TCT3-AMB-12")]
fn a_field_with_anything_but_tags_matches_nothing() {
    for junk in
        ["junk", "'b'", "\"c", "\"a\u{7f}\"", "\"c\" \"d\"", "\"c\"\"d\"", "W/ \"c\"", "*", "\\\"b\\\""]
    {
        for lines in [format!("{junk}, \"b\""), format!("\"b\", {junk}")] {
            let tag = EntityTag::parse(b"\"b\"").unwrap();
            assert!(!tag.is_named_by([lines.as_bytes()]), "{lines}");
            let two = [junk.as_bytes(), b"\"b\""];
            assert!(!tag.is_named_by(two), "{lines}");
        }
    }
    assert!(matches(&[",, \"b\" ,", "", "\t"], "\"b\""));
}

#[test]
fn a_star_counts_when_it_stands_alone() {
    assert!(matches(&["*"], "\"b\""));
    assert!(matches(&[" * "], "\"b\""));
    assert!(!matches(&["*, \"c\""], "\"b\""));
    assert!(!matches(&["*", "\"c\""], "\"b\""));
    assert!(!matches(&["\"*\""], "\"b\""));
}

fn targets(line: &str) -> Vec<(&str, String, bool)> {
    links_in(line).map(|link| (link.target, link.rel.to_string(), link.is_json())).collect()
}

#[test]
fn links_are_read_as_rfc_8288_writes_them() {
    let json = |target: &'static str, rel: &str| (target, rel.to_string(), true);
    let other = |target: &'static str, rel: &str| (target, rel.to_string(), false);
    for (line, expected) in [
        ("<a>; rel=\"x\"; type=\"application/json\"", vec![json("a", "x")]),
        ("<a>;rel=x;type=application/json", vec![json("a", "x")]),
        ("< a > ; REL = x ; Type = APPLICATION/JSON", vec![json("a", "x")]),
        ("<a>; rel=x; rel=y", vec![other("a", "x")]),
        ("<a>; rel=\"x, y; z\", <b>; rel=w", vec![other("a", "x, y; z"), other("b", "w")]),
        ("<a>; title=\"\\\"<c>; rel=no\\\"\"; rel=yes", vec![other("a", "yes")]),
        ("<a>; type=\"application/json; charset=utf-8\"", vec![json("a", "")]),
        ("<a>; type=application/ld+json", vec![other("a", "")]),
        ("junk, <b>; rel=w", vec![other("b", "w")]),
        ("junk \"<x>, <y>\", <b>; rel=w", vec![other("b", "w")]),
        ("<a>; rel=x junk, <b>", vec![other("a", "x"), other("b", "")]),
        ("<a", vec![]),
        ("<a>; rel=\"x", vec![other("a", "x")]),
        (",,<>,", vec![other("", "")]),
        ("<a>; rel", vec![other("a", "")]),
        ("", vec![]),
    ] {
        assert_eq!(targets(line), expected, "{line}");
    }
}

#[test]
fn an_anchored_link_is_marked() {
    assert!(links_in("<a>; rel=canonical; anchor=\"/other\"").all(|link| link.is_anchored));
    assert!(links_in("<a>; rel=canonical").all(|link| !link.is_anchored));
}

#[test]
fn what_is_written_is_read_back() {
    let page = CUrl::parse("https://example.com/a,b;c?d=\u{e9}").unwrap();
    let mut headers = HeaderMap::new();
    headers.append(LINK, link_canonical(&page));
    headers.append(LINK, link_sitemap(&Url::parse("https://example.com/llm-sitemap.json").unwrap()));
    let found: Vec<_> = links(&headers).collect();
    assert_eq!(found.first().map(|link| link.target), Some(page.as_str()));
    assert!(found.get(1).is_some_and(|link| link.has_rel("index") && link.is_json()));
}

fn directives(lines: &[&'static str]) -> CacheControl {
    CacheControl::parse(lines.iter().copied())
}

#[test]
#[covers("TCT-AMB-19", "TCT-CACHE-2")]
fn one_line_and_three_lines_are_the_same() {
    let one = directives(&["max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400"]);
    assert_eq!(
        one,
        directives(&["max-age=0, must-revalidate", "stale-while-revalidate=60", "stale-if-error=86400"])
    );
    assert_eq!((one.max_age_secs, one.stale_if_error_secs), (Some(0), Some(86_400)));
    assert!(!one.is_fresh(0));
    assert!(!one.may_use_stale(1, true), "must-revalidate outranks stale-if-error");
}

#[test]
#[covers("TCT-SEC-15", "TCT-SEC-18")]
fn private_and_no_store_are_told_apart() {
    assert!(directives(&["private"]).may_store_privately());
    assert!(!directives(&["private"]).may_store_shared());
    assert!(!directives(&["no-store"]).may_store_privately());
}

fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
    fields.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
}

#[test]
fn retry_after_in_all_its_forms() {
    let at =
        |value| retry_after(&headers(&[("retry-after", value)]), UnixSeconds(784_111_000)).map(|at| at.0);
    assert_eq!(at("0"), Some(784_111_000));
    assert_eq!(at(" 30 "), Some(784_111_030));
    assert_eq!(at("99999999999999999999999"), Some(u64::MAX));
    assert_eq!(at("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
    assert_eq!(at("Sat, 01 Jan 1994 00:00:00 GMT"), Some(784_111_000));
    for garbage in ["", "-1", "1.5", "soon", "1 2"] {
        assert_eq!(at(garbage), None, "{garbage}");
    }
    assert_eq!(retry_after(&HeaderMap::new(), UnixSeconds(1)), None);
    // The server's clock runs an hour ahead: two minutes are two minutes.
    let fields = headers(&[
        ("date", "Sun, 06 Nov 1994 09:49:37 GMT"),
        ("retry-after", "Sun, 06 Nov 1994 09:51:37 GMT"),
    ]);
    assert_eq!(retry_after(&fields, UnixSeconds(784_111_777)), Some(UnixSeconds(784_111_897)));
}

#[test]
fn rate_limits_in_all_their_forms() {
    let budget = |remaining, reset_secs, limit| Some((remaining, reset_secs, limit));
    for (fields, expected) in [
        (vec![("ratelimit", "\"a\";r=50;t=30")], budget(Some(50), Some(30), None)),
        (
            vec![("ratelimit", "\"a\";r=50;t=30"), ("ratelimit-policy", "\"a\";q=100;w=60, \"b\";q=90")],
            budget(Some(50), Some(30), Some(90)),
        ),
        (vec![("ratelimit", "limit=100, remaining=0, reset=7")], budget(Some(0), Some(7), Some(100))),
        (
            vec![
                ("ratelimit-limit", "100, 100;w=60"),
                ("ratelimit-remaining", "0"),
                ("ratelimit-reset", "9"),
            ],
            budget(Some(0), Some(9), Some(100)),
        ),
        (vec![("ratelimit", "???"), ("ratelimit-remaining", "5")], budget(Some(5), None, None)),
        (vec![("ratelimit-remaining", "-5")], None),
        (vec![], None),
    ] {
        let found = RateLimit::of(&headers(&fields));
        let found = found.map(|limit| (limit.remaining, limit.reset_secs, limit.limit));
        assert_eq!(found, expected, "{fields:?}");
    }
    let left = |remaining| {
        let mut limit = RateLimit::default();
        (limit.remaining, limit.reset_secs) = (Some(remaining), Some(9));
        limit
    };
    let spent = left(0);
    assert_eq!(spent.next_request_at(UnixSeconds(1)), UnixSeconds(10));
    let rest = left(1);
    assert_eq!(rest.next_request_at(UnixSeconds(1)), UnixSeconds(1));
}

#[test]
fn the_three_forms_name_one_instant() {
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Mon Nov  6 08:49:37 1994",
        "Friday, 06-Nov-94 08:49:37 GMT",
    ] {
        assert_eq!(parse_http_date(text), Some(UnixSeconds(784_111_777)), "{text}");
    }
}

#[test]
fn what_is_no_date_is_none() {
    for text in
        ["", ",", "Sun", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994"]
    {
        assert_eq!(parse_http_date(text), None, "{text}");
    }
}

#[test]
fn the_far_future_is_written_as_the_end_of_9999() {
    let far = UnixSeconds(u64::MAX);
    let dated = Representation::of_bytes(b"{}").with_last_modified(far, far);
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &dated);
    assert_eq!(plan.headers["last-modified"], "Fri, 31 Dec 9999 23:59:59 GMT");
}

#[test]
fn timestamps_are_those_of_rfc_3339() {
    let page = CUrl::parse("https://example.com/").unwrap();
    let twin = MUrl::parse("https://example.com/llm/").unwrap();
    let entry = SitemapEntry::new(page, twin, Fingerprint::hash(b""));
    let is_rfc3339 =
        |text: &str| write_sitemaps([entry.clone().with_modified(text)], SitemapBudget::default()).is_ok();
    for good in ["2016-12-31T23:59:60Z", "2025-10-21t12:34:56z", "2025-10-21 23:34:56.0-23:59"] {
        assert!(is_rfc3339(good), "{good}");
    }
    for bad in [
        "2025-02-30T00:00:00Z",
        "2025-10-21",
        "2025-10-21T12:34:56",
        "2025-10-21T 12:34:56Z",
        "2025-10-21T12:34:56Z ",
    ] {
        assert!(!is_rfc3339(bad), "{bad}");
    }
}

#[test]
fn the_drafts_304_example_has_a_wrong_weekday_and_no_link() {
    let headers: HeaderMap = [
        ("etag", "\"sha256-x\""),
        ("last-modified", "Wed, 21 Oct 2025 07:28:00 GMT"),
        ("cache-control", "max-age=0, must-revalidate"),
        ("vary", "Accept-Encoding"),
        ("content-type", "application/json"),
    ]
    .into_iter()
    .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
    .collect();
    assert_eq!(check_headers(&headers), [HeaderFinding::CanonicalAbsent, HeaderFinding::WeekdayWrong]);
}

#[test]
fn the_old_forms_of_a_date_have_their_weekday_too() {
    for (date, is_wrong) in [
        ("Sun, 06 Nov 1994 08:49:37 GMT", false),
        ("Sunday, 06-Nov-94 08:49:37 GMT", false),
        ("Sun Nov  6 08:49:37 1994", false),
        ("Mon, 06 Nov 1994 08:49:37 GMT", true),
        ("Monday, 06-Nov-94 08:49:37 GMT", true),
        ("Mon Nov  6 08:49:37 1994", true),
    ] {
        let headers: HeaderMap = [(LAST_MODIFIED, date.parse().unwrap())].into_iter().collect();
        assert_eq!(check_headers(&headers).contains(&HeaderFinding::WeekdayWrong), is_wrong, "{date}");
    }
}

#[test]
fn what_proxies_do_is_found() {
    let headers: HeaderMap = [
        ("etag", "W/\"x\""),
        ("link", "<https://example.com/>; rel=canonical"),
        ("cache-control", "private, max-age=60"),
        ("vary", "User-Agent"),
        ("content-type", "text/html"),
        ("connection", "keep-alive"),
        ("last-modified", "yesterday"),
    ]
    .into_iter()
    .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
    .collect();
    let expected = [
        HeaderFinding::EtagWeak,
        HeaderFinding::NotJson,
        HeaderFinding::Private,
        HeaderFinding::MustRevalidateAbsent,
        HeaderFinding::VaryAbsent,
        HeaderFinding::VariesOnUserAgent,
        HeaderFinding::HopByHop,
        HeaderFinding::LastModifiedUnreadable,
    ];
    assert_eq!(check_headers(&headers), expected);
}

#[test]
fn a_coded_body_under_a_strong_tag_is_found() {
    let headers: HeaderMap = [
        ("etag", "\"x\""),
        ("link", "<https://example.com/>; rel=canonical"),
        ("cache-control", "max-age=0, must-revalidate"),
        ("vary", "*"),
        ("content-type", "application/json"),
        ("content-encoding", "br"),
    ]
    .into_iter()
    .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
    .collect();
    let expected = [HeaderFinding::VariesOnEverything, HeaderFinding::StrongTagOnCoded];
    assert_eq!(check_headers(&headers), expected);
}

/// Changing one field of a correct response gives exactly that field's finding.
#[test]
fn each_field_has_its_own_finding() {
    use HeaderFinding as H;
    let right = [
        ("etag", "\"x\""),
        ("link", "<https://example.com/>; rel=\"canonical\""),
        ("content-type", "application/json"),
        ("cache-control", "max-age=0, must-revalidate"),
        ("vary", "Accept-Encoding"),
        ("last-modified", "Tue, 21 Oct 2025 07:28:00 GMT"),
    ];
    let with = |name: &'static str, value: Option<&str>| {
        let mut headers: HeaderMap =
            right.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        headers.remove(name);
        if let Some(value) = value {
            headers.insert(name, value.parse().unwrap());
        }
        check_headers(&headers)
    };
    assert_eq!(with("x", None), []);
    for (name, value, found) in [
        ("etag", None, vec![H::EtagAbsent]),
        ("etag", Some("x"), vec![H::EtagAbsent]),
        ("etag", Some("W/\"x\""), vec![H::EtagWeak]),
        ("link", None, vec![H::CanonicalAbsent]),
        ("link", Some("</>; rel=alternate"), vec![H::CanonicalAbsent]),
        ("link", Some("</>; rel=canonical; anchor=\"/b\""), vec![H::CanonicalAbsent]),
        ("link", Some("</>; rel=\"x canonical\""), vec![]),
        ("content-type", None, vec![H::NotJson]),
        ("content-type", Some("text/html"), vec![H::NotJson]),
        ("content-type", Some("Application/JSON; charset=utf-8"), vec![]),
        ("cache-control", None, vec![H::CacheControlAbsent]),
        ("cache-control", Some("max-age=0"), vec![H::MustRevalidateAbsent]),
        ("cache-control", Some("private, must-revalidate"), vec![H::Private]),
        ("vary", None, vec![H::VaryAbsent]),
        ("vary", Some("accept"), vec![H::VaryAbsent]),
        ("vary", Some("accept, ACCEPT-ENCODING"), vec![]),
        ("vary", Some("*"), vec![H::VariesOnEverything]),
        ("vary", Some("accept-encoding, user-agent"), vec![H::VariesOnUserAgent]),
        ("last-modified", Some("today"), vec![H::LastModifiedUnreadable]),
        ("last-modified", Some("Wed, 21 Oct 2025 07:28:00 GMT"), vec![H::WeekdayWrong]),
        ("content-encoding", Some("gzip"), vec![H::StrongTagOnCoded]),
        ("content-encoding", Some("Identity"), vec![]),
    ] {
        assert_eq!(with(name, value), found, "{name} {value:?}");
    }
    for name in [
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
    ] {
        assert_eq!(with(name, Some("x")), [H::HopByHop], "{name}");
    }
}
