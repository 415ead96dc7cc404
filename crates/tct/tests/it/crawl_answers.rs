//! What each answer does to a crawl, step by step: every request, every event and every report, in order, as a log.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::type_complexity,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::{BTreeMap, BTreeSet};

use covers::covers;
use http::{HeaderName, Response, header};
use tct::crawl::{
    CrawlErrorKind, CrawlRequest, MemoryStore, PageEvent, PageState, RequestKind, ResourceState, SiteEvent,
    SiteState,
};
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, HeldPage, OpenPolicy, Payload, PlanPolicy, Purpose, SitemapLimits,
    UnixSeconds, UrlPolicy, VisitPolicy,
};
use url::Url;

const NOW: u64 = 1_760_000_000;

fn url(path: &str) -> Url {
    Url::parse("https://example.com").unwrap().join(path).unwrap()
}

fn start() -> CUrl {
    CUrl::parse("https://example.com/").unwrap()
}

/// An answer: what the URL is that gave it, where that is another one than was asked, and what it says.
struct Answer {
    from: Option<&'static str>,
    response: Response<Vec<u8>>,
}

fn answer(status: u16, fields: &[(HeaderName, &str)], body: impl AsRef<[u8]>) -> Answer {
    let mut response = Response::new(body.as_ref().to_vec());
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
    for (name, value) in fields {
        response.headers_mut().append(name.clone(), value.parse().unwrap());
    }
    Answer { from: None, response }
}

fn status(status: u16) -> Answer {
    answer(status, &[], "")
}

impl Answer {
    fn from(self, url: &'static str) -> Self {
        Answer { from: Some(url), ..self }
    }
}

/// Runs a crawl to its end and writes down what it does. `asked` is the path of a request, with a `?` behind it where the
/// request has a condition.
fn run(
    crawl: &mut Crawl,
    pages: &mut BTreeMap<String, PageState>,
    mut answers: impl FnMut(&str) -> Answer,
) -> Vec<String> {
    let (mut log, mut now, mut ids) = (Vec::new(), UnixSeconds(NOW), BTreeSet::new());
    for _ in 0..200 {
        match crawl.next(pages, now) {
            CrawlNext::Send(CrawlRequest { id, url, request, .. }) => {
                let has_condition = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE]
                    .iter()
                    .any(|name| request.headers().contains_key(name));
                let asked = format!("{}{}", request.uri().path(), if has_condition { "?" } else { "" });
                let Answer { from, response } = answers(&asked);
                assert!(ids.insert(id), "a name that was given before: {id}");
                let from = from.map_or(url, |from| Url::parse(from).unwrap());
                log.push(asked);
                crawl.on_response(id, &from, &response, pages, now).unwrap();
            }
            CrawlNext::Page(report) => {
                let path = Url::parse(&report.key).unwrap().path().to_owned();
                log.push(match &report.event {
                    PageEvent::Visited(outcome) => format!("{} {path}", outcome.name()),
                    _ => format!("unlisted {path}"),
                });
                match report.state {
                    Some(state) => drop(pages.insert(report.key, state)),
                    None => drop(pages.remove(&report.key)),
                }
            }
            CrawlNext::Site(event) => log.push(SiteEvent::code(&event).to_owned()),
            CrawlNext::Wait => {
                let at = crawl.wake_at(now).expect("something to wait for");
                assert!(at > now, "nothing comes of asking again at once: {log:?}");
                log.push(format!("wait {}", at.seconds_since(now)));
                now = at;
            }
            CrawlNext::Done => return log,
            other => panic!("{other:?}"),
        }
    }
    panic!("the crawl does not end: {log:?}");
}

/// The page `/a/` of this text: the body of its twin, and the fields of a good answer.
fn twin(text: &str) -> Answer {
    let page = CUrl::parse("https://example.com/a/").unwrap();
    let sealed = Payload::new(&page, "A", text).seal().unwrap();
    let tag = format!("\"{}\"", sealed.fingerprint());
    let link = "<https://example.com/a/>; rel=\"canonical\"";
    let fields = [(header::CONTENT_TYPE, "application/json"), (header::ETAG, &tag), (header::LINK, link)];
    answer(200, &fields, sealed.body())
}

/// A sitemap that lists `/a/` with this text.
fn sitemap(text: &str) -> String {
    let page = CUrl::parse("https://example.com/a/").unwrap();
    let hash = Payload::new(&page, "A", text).seal().unwrap().fingerprint();
    format!(
        r#"{{"version":1,"items":[{{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/","contentHash":"{hash}"}}]}}"#
    )
}

fn json(body: impl AsRef<[u8]>) -> Answer {
    answer(200, &[(header::CONTENT_TYPE, "application/json")], body)
}

const POLICY_LINK: &str = "</p.json>; rel=\"describedby\"; type=\"application/json\"";

/// What answers to the policy's request mean, a row each. Without a policy that can be read nothing is stated, so that the crawl
/// goes on; an answer from elsewhere is none.
#[test]
#[covers("TCT-POL-8")]
fn only_the_sites_own_answers_speak_for_its_policy() {
    let allows = r#"{"purposes":{"allow_ai_input":true}}"#;
    let not_modified = || status(304);
    // (what, the policy was known before, answer, times that it is asked for, whether it counts)
    let rows: [(&str, bool, fn() -> Answer, usize, bool); 12] = [
        ("read", false, || json(r#"{"purposes":{"allow_ai_input":true}}"#), 1, true),
        ("moved", false, || json("{}").from("https://example.com/other.json"), 1, true),
        ("elsewhere", false, || json("{}").from("https://evil.example/p.json"), 1, false),
        ("with credentials", false, || json("{}").from("https://a:b@example.com/p.json"), 1, false),
        ("not JSON", false, || json("{"), 1, false),
        ("missing", false, || status(404), 1, false),
        ("busy", false, || status(503), 3, false),
        ("busy elsewhere", false, || status(503).from("https://evil.example/p.json"), 1, false),
        ("304 unasked", false, not_modified, 1, false),
        ("304", true, not_modified, 1, true),
        ("304 elsewhere", true, || status(304).from("https://evil.example/p.json"), 1, false),
        ("read anew", true, || json("{}"), 1, true),
    ];
    for (what, is_known, policy, times, counts) in rows {
        let mut site = SiteState::default();
        if is_known {
            let mut held = ResourceState::default();
            (held.url, held.etag) = ("https://example.com/p.json".into(), Some("\"p\"".into()));
            (site.policy, site.policy_json) = (Some(held), allows.into());
        }
        let mut crawl = Crawl::resume(&start(), site, CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let log = run(&mut crawl, &mut BTreeMap::new(), |path| match path {
            "/s.json" if is_known => json(sitemap("Text.")),
            "/s.json" => {
                let fields = [(header::CONTENT_TYPE, "application/json"), (header::LINK, POLICY_LINK)];
                answer(200, &fields, sitemap("Text."))
            }
            "/p.json" | "/p.json?" => policy(),
            "/a/llm/" => twin("Text."),
            other => panic!("{other}"),
        });
        let asked = log.iter().filter(|line| line.starts_with("/p.json")).count();
        let said = |code: &str| log.iter().any(|line| line == code);
        assert_eq!(
            (asked, said("policy"), said("policy-unreadable")),
            (times, counts, !counts),
            "{what}: {log:?}"
        );
        assert_eq!(log.last().map(String::as_str), Some("store /a/llm/"), "{what}: {log:?}");
        let known = crawl.site().policy.as_ref().map(|policy| (policy.url.as_str(), policy.validated_at));
        let expected = counts.then_some(("https://example.com/p.json", UnixSeconds(NOW)));
        assert_eq!(known, expected, "{what}");
        assert_eq!(crawl.site().policy_json.is_empty(), !counts, "{what}");
    }
}

/// A rate of none at all ends the crawl as a denial does, and the smallest rate does not.
#[test]
#[covers("TCT-POL-8")]
fn a_policy_that_asks_for_no_requests_gets_none() {
    for (policy, ends) in [
        (r#"{"rate_hints":{"max_requests_per_second":0}}"#, true),
        (r#"{"rate_hints":{"max_requests_per_day":0}}"#, true),
        (r#"{"rate_hints":{"max_requests_per_day":100}}"#, false),
        (r#"{"rate_hints":{"max_requests_per_second":null,"max_requests_per_day":null}}"#, false),
        (r#"{"purposes":{"allow_ai_input":false}}"#, true),
        (r#"{"purposes":{"allow_ai_train":false}}"#, false),
        ("[]", false),
    ] {
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let log = run(&mut crawl, &mut BTreeMap::new(), |path| match path {
            "/s.json" => {
                let fields = [(header::CONTENT_TYPE, "application/json"), (header::LINK, POLICY_LINK)];
                answer(200, &fields, sitemap("Text."))
            }
            "/p.json" => json(policy),
            "/a/llm/" => twin("Text."),
            other => panic!("{other}"),
        });
        let mut expected = vec!["/s.json", "sitemap-read", "/p.json", "policy"];
        expected.extend(if ends { &["denied"][..] } else { &["/a/llm/", "store /a/llm/"] });
        assert_eq!(log, expected, "{policy}");
    }
}

/// Each kind of request: what it is for, where it goes, how long an answer may be, and what is asked for.
#[test]
fn requests_say_what_they_are_for() {
    let limits = SitemapLimits::default().with_max_bytes(5000);
    let visit = VisitPolicy::default().with_open(OpenPolicy::default().with_max_bytes(700));
    let policy = CrawlPolicy::default().with_sitemap_limits(limits).with_visit(visit);
    let mut crawl = Crawl::new(&start(), policy);
    let (pages, now) = (BTreeMap::new(), UnixSeconds(NOW));
    let mut asked = Vec::new();
    loop {
        match crawl.next(&pages, now) {
            CrawlNext::Send(CrawlRequest { id, url, request, max_bytes, kind, .. }) => {
                assert_eq!(request.uri(), url.as_str());
                let response = match url.path() {
                    "/" => answer(200, &[(header::LINK, POLICY_LINK), (header::LINK, SITEMAP_LINK)], "<p>"),
                    "/p.json" => json("{}"),
                    "/s.json" => json(sitemap("Text.")),
                    _ => twin("Text."),
                };
                crawl.on_response(id, &url, &response.response, &pages, now).unwrap();
                let accept = request.headers()[header::ACCEPT].to_str().unwrap().to_owned();
                asked.push((id.to_string(), kind, max_bytes, accept));
            }
            CrawlNext::Done => break,
            _ => {}
        }
    }
    let key = "https://example.com/a/llm/".to_owned();
    let row = |id: &str, kind, max_bytes, accept: &str| (id.to_owned(), kind, max_bytes, accept.to_owned());
    let expected = [
        row("0", RequestKind::Start, 4_194_304, "text/html, application/json;q=0.9"),
        row("1", RequestKind::Policy, 4_194_304, "application/json"),
        row("2", RequestKind::Sitemap, 5000, "application/json"),
        row("3", RequestKind::Twin { key }, 700, "application/json"),
    ];
    assert_eq!(asked, expected);
    assert_eq!((crawl.counters().requests, crawl.counters().fetched, crawl.counters().stored), (4, 4, 1));
    assert_eq!((crawl.site().requests_today, crawl.site().day, crawl.site().turn), (4, NOW / 86_400, 1));
}

const SITEMAP_LINK: &str = "</s.json>; rel=\"index\"; type=\"application/json\"";

/// What is remembered of a resource is what it can be asked about by: one entity tag, or else a date.
#[test]
fn a_sitemap_is_asked_about_by_its_tag_or_else_by_its_date() {
    let date = "Tue, 21 Oct 2025 07:28:00 GMT";
    let (tag, modified) = (header::ETAG, header::LAST_MODIFIED);
    let rows: [(&[(HeaderName, &str)], Option<&str>, Option<&str>); 6] = [
        (&[(tag.clone(), "\"x\"")], Some("\"x\""), None),
        (&[(tag.clone(), "W/\"x\""), (modified.clone(), date)], Some("W/\"x\""), None),
        (&[(modified.clone(), date)], None, Some(date)),
        (&[(tag.clone(), "\"x\""), (tag.clone(), "\"y\""), (modified.clone(), date)], None, Some(date)),
        (&[(tag.clone(), "x"), (modified, "yesterday")], None, None),
        (&[], None, None),
    ];
    for (fields, if_none_match, if_modified_since) in rows {
        let mut fields = fields.to_vec();
        fields.push((header::CONTENT_TYPE, "application/json"));
        let mut pages = BTreeMap::new();
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        run(&mut crawl, &mut pages, |path| match path {
            "/s.json" => answer(200, &fields, sitemap("Text.")),
            _ => twin("Text."),
        });
        assert_eq!(crawl.site().sitemaps.len(), 1);
        assert_eq!(crawl.site().sitemaps[0].validated_at, UnixSeconds(NOW));
        let mut again = Crawl::resume(&start(), crawl.site().clone(), CrawlPolicy::default());
        let CrawlNext::Send(wanted) = again.next(&pages, UnixSeconds(NOW + 1)) else { panic!() };
        let field =
            |name: HeaderName| wanted.request.headers().get(name).map(|value| value.to_str().unwrap());
        assert_eq!(field(header::IF_NONE_MATCH), if_none_match, "{fields:?}");
        assert_eq!(field(header::IF_MODIFIED_SINCE), if_modified_since, "{fields:?}");
    }
}

/// What a visit's outcome means for the next ones: until when the page is left alone, and what stays.
#[test]
#[covers("TCT-ERR-3", "TCT-ERR-5", "TCT-ERR-6")]
fn each_outcome_says_when_the_page_is_asked_for_again() {
    let day = 86_400;
    let in_secs = |secs| Some(UnixSeconds(NOW + secs));
    let no_store = || {
        let mut once = twin("New text.");
        once.response.headers_mut().insert(header::CACHE_CONTROL, "no-store".parse().unwrap());
        once
    };
    let busy = || answer(503, &[(header::RETRY_AFTER, "5000")], "");
    // (answer, log, whether it is still held, not before, failures)
    let rows: [(fn() -> Answer, &str, bool, Option<UnixSeconds>, u32); 7] = [
        (|| twin("New text."), "store", true, None, 0),
        (no_store, "use-once", false, None, 0),
        (|| status(501), "refuse", true, in_secs(7 * day), 0),
        (|| status(402), "forbidden", true, in_secs(7 * day), 0),
        (|| status(404), "not-found", true, in_secs(day), 0),
        (|| status(410), "gone", false, in_secs(7 * day), 0),
        (busy, "unavailable", true, in_secs(5000), 4),
    ];
    for (answers, name, is_held, not_before, failures) in rows {
        let old = Payload::new(&CUrl::parse("https://example.com/a/").unwrap(), "A", "Text.").seal().unwrap();
        let mut state = PageState::default();
        (state.c_url, state.m_url) = ("https://example.com/a/".into(), "https://example.com/a/llm/".into());
        state.held = Some(HeldPage::new(old.fingerprint(), UnixSeconds(NOW - 60)));
        (state.listed, state.failures) = (Some(old.fingerprint()), 3);
        let mut pages = BTreeMap::from([(state.m_url.clone(), state)]);
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let log = run(&mut crawl, &mut pages, |path| match path {
            "/s.json" => json(sitemap("New text.")),
            _ => answers(),
        });
        let report = format!("{name} /a/llm/");
        assert_eq!(log, ["/s.json", "sitemap-read", "/a/llm/?", &report], "{name}");
        let state = &pages["https://example.com/a/llm/"];
        assert_eq!(
            (state.held.is_some(), state.not_before, state.failures),
            (is_held, not_before, failures),
            "{name}"
        );
        let listed = Payload::new(&CUrl::parse("https://example.com/a/").unwrap(), "A", "New text.").seal();
        assert_eq!(state.listed, listed.ok().map(|sealed| sealed.fingerprint()), "{name}");
    }
}

/// The same for a page that no sitemap lists any more: it is checked once a week, and one that is gone is forgotten.
#[test]
#[covers("TCT-ERR-5")]
fn a_page_that_is_listed_no_more_is_checked_now_and_then() {
    let rows: [(fn() -> Answer, &str, Option<u64>); 4] = [
        (|| status(304), "keep", Some(7 * 86_400)),
        (|| status(404), "not-found", Some(86_400)),
        (|| status(410), "gone", None),
        (|| answer(429, &[(header::RETRY_AFTER, "700")], ""), "unavailable", Some(700)),
    ];
    for (answers, name, not_before) in rows {
        let old = Payload::new(&CUrl::parse("https://example.com/b/").unwrap(), "B", "Text.").seal().unwrap();
        let mut state = PageState::default();
        (state.c_url, state.m_url) = ("https://example.com/b/".into(), "https://example.com/b/llm/".into());
        state.held = Some(HeldPage::new(old.fingerprint(), UnixSeconds(NOW - 60)));
        let mut pages = BTreeMap::from([(state.m_url.clone(), state)]);
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let log = run(&mut crawl, &mut pages, |path| match path {
            "/s.json" => json(sitemap("Text.")),
            "/a/llm/" => twin("Text."),
            _ => answers(),
        });
        assert_eq!(log.iter().filter(|line| *line == "unlisted /b/llm/").count(), 1, "{log:?}");
        assert_eq!(log.iter().filter(|line| **line == format!("{name} /b/llm/")).count(), 1, "{log:?}");
        let state = pages.get("https://example.com/b/llm/");
        assert_eq!(state.map(|state| state.not_before), not_before.map(|at| Some(UnixSeconds(NOW + at))));
        assert!(state.is_none_or(|state| state.unlisted_since == Some(UnixSeconds(NOW))), "{name}");
    }
}

/// A request is sent three times by default, each time when the answer asks for it; a wait that is too long ends it at once.
#[test]
#[covers("TCT-ERR-6")]
fn a_busy_site_is_asked_so_many_times_and_so_long() {
    fn busy(secs: &str) -> Answer {
        answer(503, &[(header::RETRY_AFTER, secs)], "")
    }
    let rows: [(&str, CrawlPolicy, &[&str]); 5] = [
        ("600", CrawlPolicy::default(), &["/", "wait 600", "/", "wait 600", "/", "site-unavailable"]),
        ("601", CrawlPolicy::default(), &["/", "site-unavailable"]),
        ("601", CrawlPolicy::default().with_tries(2, 601), &["/", "wait 601", "/", "site-unavailable"]),
        ("1", CrawlPolicy::default().with_tries(1, 600), &["/", "site-unavailable"]),
        ("1", CrawlPolicy::default().with_tries(0, 600), &["/", "site-unavailable"]),
    ];
    for (secs, policy, expected) in rows {
        let mut crawl = Crawl::new(&start(), policy);
        assert_eq!(run(&mut crawl, &mut BTreeMap::new(), |_| busy(secs)), expected, "{secs}");
    }
    // The same of a sitemap, which the next crawl asks for, and of a twin.
    for (path, last) in [("/s.json", "sitemap-unavailable"), ("/a/llm/", "unavailable /a/llm/")] {
        for (tries, times) in [(1, 1), (2, 2), (3, 3)] {
            let policy = CrawlPolicy::default().with_tries(tries, 600);
            let mut crawl = Crawl::new(&start(), policy).with_sitemap(url("/s.json"));
            let log = run(&mut crawl, &mut BTreeMap::new(), |asked| match asked {
                _ if asked == path => busy("9"),
                "/s.json" => json(sitemap("Text.")),
                "/" => status(404),
                _ => twin("Text."),
            });
            assert_eq!(log.iter().filter(|line| *line == path).count(), times, "{log:?}");
            assert!(log.iter().any(|line| line == last), "{log:?}");
        }
    }
}

/// Without an answer at all: tried again after a minute, as often as a busy site.
#[test]
fn a_failure_is_tried_again_after_a_minute() {
    for path in ["/", "/p.json", "/s.json", "/a/llm/"] {
        let (mut crawl, mut pages) = (Crawl::new(&start(), CrawlPolicy::default()), BTreeMap::new());
        let (mut failures, mut now, mut last) = (Vec::new(), UnixSeconds(NOW), String::new());
        loop {
            match crawl.next(&pages, now) {
                CrawlNext::Send(wanted) if wanted.url.path() == path => {
                    failures.push(now.seconds_since(UnixSeconds(NOW)));
                    crawl.on_failure(wanted.id, now).unwrap();
                    let again = crawl.on_failure(wanted.id, now).unwrap_err();
                    assert_eq!((again.kind(), again.id()), (CrawlErrorKind::UnknownRequest, wanted.id));
                }
                CrawlNext::Send(wanted) => {
                    let response = match wanted.url.path() {
                        "/" => answer(200, &[(header::LINK, POLICY_LINK), (header::LINK, SITEMAP_LINK)], ""),
                        "/p.json" => json("{}"),
                        "/s.json" => json(sitemap("Text.")),
                        _ => twin("Text."),
                    };
                    crawl.on_response(wanted.id, &wanted.url, &response.response, &pages, now).unwrap();
                }
                CrawlNext::Site(event) => last = event.to_string(),
                CrawlNext::Page(report) => {
                    last = format!("{:?}", report.state.as_ref().map(|state| state.not_before.is_some()));
                    pages.insert(report.key.clone(), report.state.unwrap());
                }
                CrawlNext::Wait => now = crawl.wake_at(now).unwrap(),
                CrawlNext::Done => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(failures, [0, 60, 120], "{path}");
        let expected = match path {
            "/" => "the site could not be asked for its sitemaps: no answer",
            "/p.json" => "Some(false)",
            "/s.json" => {
                "https://example.com/s.json: no usable answer for the sitemap, next try at 2025-10-09T08:56:20Z"
            }
            _ => "Some(true)",
        };
        assert_eq!(last, expected, "{path}");
        assert_eq!(
            crawl.site().sitemaps.len(),
            usize::from(path == "/p.json" || path == "/a/llm/"),
            "{path}"
        );
    }
}

/// A body that comes in pieces: who may hand in what, and when.
#[test]
fn pieces_are_taken_in_their_order_only() {
    let mut policy = CrawlPolicy::default().with_parallel(2);
    policy.max_queue = 1;
    let mut crawl = Crawl::new(&start(), policy).with_sitemap(url("/s.json"));
    let (pages, now) = (BTreeMap::new(), UnixSeconds(NOW));
    let page = |name: &str| {
        format!(r#"{{"cUrl":"https://example.com/{name}/","mUrl":"https://example.com/{name}/llm/"}}"#)
    };
    let next = |crawl: &mut Crawl| {
        loop {
            match crawl.next(&pages, now) {
                CrawlNext::Site(event) => assert_eq!(event.code(), "item"),
                CrawlNext::Page(_) => {}
                CrawlNext::Send(wanted) => return Some(wanted),
                CrawlNext::Wait => return None,
                other => panic!("{other:?}"),
            }
        }
    };
    let sitemap = next(&mut crawl).unwrap();
    assert!(!crawl.wants_chunk(sitemap.id), "its head comes first");
    let kind = |error: Result<(), tct::crawl::CrawlError>| error.map_err(|error| (error.kind(), error.id()));
    let refused = Err((CrawlErrorKind::UnexpectedPiece, sitemap.id));
    assert_eq!(kind(crawl.on_chunk(sitemap.id, b"{", &pages, now)), refused);
    assert_eq!(kind(crawl.on_chunks_end(sitemap.id, now)), refused);
    let head = Response::new(());
    assert!(crawl.on_head(sitemap.id, &sitemap.url, &head, now).unwrap());
    assert_eq!((crawl.counters().requests, crawl.counters().bytes_received), (1, 0));
    // Two entries in one piece, and room for the visit of one.
    assert!(crawl.wants_chunk(sitemap.id));
    let piece = format!(r#"{{"items":[{},{},"#, page("a"), page("b"));
    crawl.on_chunk(sitemap.id, piece.as_bytes(), &pages, now).unwrap();
    assert!(!crawl.wants_chunk(sitemap.id));
    let early = Err((CrawlErrorKind::PieceTooEarly, sitemap.id));
    assert_eq!(kind(crawl.on_chunk(sitemap.id, b"1", &pages, now)), early);
    assert_eq!(crawl.counters().bytes_received, piece.len() as u64);
    let first = next(&mut crawl).unwrap();
    assert_eq!(first.url.path(), "/a/llm/");
    // A twin's body comes whole.
    let refused_twin = Err((CrawlErrorKind::UnexpectedPiece, first.id));
    assert_eq!(
        crawl.on_head(first.id, &first.url, &head, now).map_err(|it| (it.kind(), it.id())),
        Err((CrawlErrorKind::UnexpectedPiece, first.id))
    );
    assert_eq!(kind(crawl.on_chunk(first.id, b"{", &pages, now)), refused_twin);
    assert_eq!(kind(crawl.on_chunks_end(first.id, now)), refused_twin);
    assert!(!crawl.wants_chunk(first.id) || crawl.wants_chunk(sitemap.id));
    assert!(next(&mut crawl).is_none(), "the first twin may link a policy");
    crawl.on_response(first.id, &first.url, &status(404).response, &pages, now).unwrap();
    let second = next(&mut crawl).unwrap();
    assert_eq!(second.url.path(), "/b/llm/");
    assert!(next(&mut crawl).is_none(), "the rest of the sitemap is to come");
    assert!(crawl.wants_chunk(sitemap.id));
    let rest = format!("{}]}}", page("c"));
    crawl.on_chunk(sitemap.id, rest.as_bytes(), &pages, now).unwrap();
    crawl.on_chunks_end(sitemap.id, now).unwrap();
    assert_eq!(kind(crawl.on_chunks_end(sitemap.id, now)), refused, "once");
    assert_eq!(crawl.counters().bytes_received, (piece.len() + rest.len()) as u64);
    assert_eq!(crawl.counters().pages, 3);
    // Nobody knows a request that was not made.
    let mut other = Crawl::new(&start(), policy);
    let unknown = other.on_head(second.id, &second.url, &head, now).unwrap_err();
    assert_eq!((unknown.kind(), unknown.id()), (CrawlErrorKind::UnknownRequest, second.id));
    let unknown = other.on_withheld(second.id, now).unwrap_err();
    assert_eq!((unknown.kind(), unknown.id()), (CrawlErrorKind::UnknownRequest, second.id));
}

/// The head alone may say that no body is wanted.
#[test]
fn the_body_of_an_answer_without_a_sitemap_is_not_wanted() {
    for (code, event) in [(304, "sitemap-refused"), (404, "sitemap-missing"), (403, "sitemap-missing")] {
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let (pages, now) = (BTreeMap::new(), UnixSeconds(NOW));
        let CrawlNext::Send(sitemap) = crawl.next(&pages, now) else { panic!() };
        let mut head = Response::new(());
        *head.status_mut() = http::StatusCode::from_u16(code).unwrap();
        assert!(!crawl.on_head(sitemap.id, &sitemap.url, &head, now).unwrap(), "{code}");
        assert_eq!(crawl.counters().requests, 1);
        let CrawlNext::Site(said) = crawl.next(&pages, now) else { panic!() };
        assert_eq!((said.code(), said.url().map(Url::as_str)), (event, Some("https://example.com/s.json")));
        assert!(crawl.on_chunk(sitemap.id, b"{", &pages, now).is_err());
        assert!(!crawl.wants_chunk(sitemap.id));
    }
}

/// When to come back: after a pause that the server asked for, or at once where something can be sent.
#[test]
fn the_next_call_is_when_something_can_be_sent() {
    let (pages, now) = (BTreeMap::new(), UnixSeconds(NOW));
    let mut crawl = Crawl::new(&start(), CrawlPolicy::default());
    assert_eq!(crawl.wake_at(now), None, "nothing is queued yet");
    let CrawlNext::Send(wanted) = crawl.next(&pages, now) else { panic!() };
    assert!(matches!(crawl.next(&pages, now), CrawlNext::Wait));
    assert_eq!(crawl.wake_at(now), None, "nothing but the answer");
    let busy = answer(503, &[(header::RETRY_AFTER, "7")], "").response;
    crawl.on_response(wanted.id, &wanted.url, &busy, &pages, now).unwrap();
    assert_eq!(crawl.wake_at(now), Some(UnixSeconds(NOW + 7)));
    assert_eq!(crawl.wake_at(UnixSeconds(NOW + 9)), Some(UnixSeconds(NOW + 7)));
    assert_eq!(crawl.site_so_far().not_before, Some(UnixSeconds(NOW + 7)));
    assert!(matches!(crawl.next(&pages, UnixSeconds(NOW + 6)), CrawlNext::Wait));
    assert!(matches!(crawl.next(&pages, UnixSeconds(NOW + 7)), CrawlNext::Send(_)));
}

/// A crawl that is killed again and again keeps to the pause that a server asked for, and to the day's rate of a policy.
#[test]
#[covers("TCT-ERR-6", "TCT-POL-7")]
fn a_crawl_that_is_killed_keeps_its_pace() {
    let now = UnixSeconds(NOW);
    // One life: it is killed when the answer to its last request has come and all that is to be stored is stored.
    let live =
        |store: &mut MemoryStore, now: UnixSeconds, most: usize, answer_of: &dyn Fn(&str) -> Answer| {
            let mut crawl =
                Crawl::resume(&start(), store.site(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
            let mut asked = Vec::new();
            loop {
                let next = crawl.next(store, now);
                if let Some(site) = crawl.take_news() {
                    store.take_site(site);
                }
                match next {
                    CrawlNext::Send(wanted) if asked.len() < most => {
                        let response = answer_of(wanted.url.path()).response;
                        crawl.on_response(wanted.id, &wanted.url, &response, store, now).unwrap();
                        asked.push(wanted.url.path().to_owned());
                    }
                    CrawlNext::Page(report) => store.take(*report),
                    CrawlNext::Site(_) => {}
                    _ => return asked.len(),
                }
            }
        };
    let rate_limit = HeaderName::from_static("ratelimit");
    for (code, field) in [(503, (header::RETRY_AFTER, "300")), (200, (rate_limit, "\"a\";r=0;t=300"))] {
        let mut store = MemoryStore::default();
        let busy = |_: &str| answer(code, std::slice::from_ref(&field), "");
        assert_eq!(live(&mut store, now, 9, &busy), 1, "{code}");
        assert_eq!(live(&mut store, UnixSeconds(NOW + 299), 9, &busy), 0, "{code}");
        assert_eq!(live(&mut store, UnixSeconds(NOW + 300), 9, &busy), 1, "{code}");
    }
    let site = |policy: &'static str| {
        move |path: &str| match path {
            "/s.json" => {
                let fields = [(header::CONTENT_TYPE, "application/json"), (header::LINK, POLICY_LINK)];
                answer(200, &fields, sitemap("Text."))
            }
            "/p.json" => json(policy),
            _ => status(503),
        }
    };
    let mut store = MemoryStore::default();
    let daily = site(r#"{"rate_hints":{"max_requests_per_day":6}}"#);
    assert_eq!(live(&mut store, now, 3, &daily), 3);
    let sent: usize = (0..9).map(|_| live(&mut store, now, 1, &daily)).sum();
    // The request at which a life is killed was handed out, and counts.
    assert!(sent <= 3, "{sent} requests more, where three are left of the day");
    let mut store = MemoryStore::default();
    let slow = site(r#"{"rate_hints":{"max_requests_per_second":0.1}}"#);
    assert_eq!(live(&mut store, now, 9, &slow), 2, "the sitemap, its policy");
    for (passed, expected) in [(0, 0), (9, 0), (10, 1), (19, 0), (20, 1)] {
        assert_eq!(live(&mut store, UnixSeconds(NOW + passed), 9, &slow), expected, "{passed} seconds later");
    }
}

/// Each way to change a policy changes that part and no other.
#[test]
fn each_rule_of_a_policy_is_set_by_itself() {
    let shown = |policy: &CrawlPolicy| format!("{policy:?}");
    let policy = CrawlPolicy::default();
    let plan =
        PlanPolicy::default().with_max_age_secs(1).with_max_sitemap_age_secs(2).with_max_dispute_secs(3);
    assert_eq!((plan.max_age_secs, plan.max_sitemap_age_secs, plan.max_dispute_secs), (1, 2, 3));
    let limits =
        SitemapLimits::default().with_max_bytes(1).with_max_items(2).with_max_item_bytes(3).with_max_depth(4);
    assert_eq!((limits.max_bytes, limits.max_items, limits.max_item_bytes, limits.max_depth), (1, 2, 3, 4));
    let mut expected = policy;
    expected.plan = plan;
    assert_eq!(shown(&policy.with_plan(plan)), shown(&expected));
    expected.sitemap = limits;
    assert_eq!(shown(&policy.with_plan(plan).with_sitemap_limits(limits)), shown(&expected));
    let mut expected = policy;
    expected.visit.urls.allow_http = true;
    assert_eq!(shown(&policy.with_urls(UrlPolicy::allowing_http())), shown(&expected));
    assert!(policy.with_visit(VisitPolicy::default().with_head_first()).visit.head_first);
    assert!(VisitPolicy::default().with_urls(UrlPolicy::allowing_http()).urls.allow_http);
    let mut expected = policy;
    expected.purpose = Some(Purpose::AiTrain);
    assert_eq!(shown(&policy.with_purpose(Some(Purpose::AiTrain))), shown(&expected));
    let mut expected = policy;
    expected.probes = true;
    assert_eq!(shown(&policy.with_probes()), shown(&expected));
    let mut expected = policy;
    (expected.parallel, expected.tries, expected.max_wait_secs) = (7, 8, 9);
    assert_eq!(shown(&policy.with_parallel(7).with_tries(8, 9)), shown(&expected));
}

/// What a crawl counts, and what it remembers of a sitemap, at first, when it comes anew, and when it is confirmed.
#[test]
fn a_second_crawl_skips_what_the_first_one_stored() {
    let date = "Tue, 21 Oct 2025 07:28:00 GMT";
    let fields = |status, fields: &[(HeaderName, &str)], body: &str| {
        let mut all = vec![(header::CONTENT_TYPE, "application/json")];
        all.extend(fields.iter().cloned());
        answer(status, &all, body)
    };
    let tag = (header::ETAG, "\"s\"");
    let mut pages = BTreeMap::new();
    let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
    run(&mut crawl, &mut pages, |path| match path {
        "/s.json" => fields(200, &[tag.clone(), (header::LAST_MODIFIED, date)], &sitemap("Text.")),
        _ => twin("Text."),
    });
    let modified = Some(UnixSeconds(1_761_031_680));
    let later = Some(UnixSeconds(1_761_031_681));
    let kept = |crawl: &Crawl| {
        let held = &crawl.site().sitemaps[0];
        (held.etag.clone(), held.validated_at, held.last_modified, held.is_v03)
    };
    assert_eq!(kept(&crawl), (Some("\"s\"".into()), UnixSeconds(NOW), modified, false));
    assert_eq!((crawl.counters().pages, crawl.counters().skipped, crawl.counters().stored), (1, 0, 1));
    let site = crawl.site().clone();
    let rows: [(&str, Answer, Option<UnixSeconds>, bool); 3] = [
        ("304", status(304), modified, true),
        (
            "304 with a date",
            answer(304, &[(header::LAST_MODIFIED, "Tue, 21 Oct 2025 07:28:01 GMT")], ""),
            later,
            true,
        ),
        ("anew", fields(200, &[tag], &sitemap("Text.")), None, false),
    ];
    for (what, answer, modified, is_unchanged) in rows {
        let mut site = site.clone();
        site.sitemaps[0].validated_at = UnixSeconds(7);
        let mut crawl = Crawl::resume(&start(), site, CrawlPolicy::default());
        let CrawlNext::Send(wanted) = crawl.next(&pages, UnixSeconds(NOW)) else { panic!() };
        crawl.on_response(wanted.id, &wanted.url, &answer.response, &pages, UnixSeconds(NOW)).unwrap();
        let CrawlNext::Site(event) = crawl.next(&pages, UnixSeconds(NOW)) else { panic!() };
        // Nobody names it but the crawl before.
        let told = SiteEvent::SitemapRead { url: url("/s.json"), is_unchanged, items: 1 };
        assert_eq!(event, told, "{what}");
        assert!(matches!(crawl.next(&pages, UnixSeconds(NOW)), CrawlNext::Done), "{what}");
        assert_eq!(kept(&crawl), (Some("\"s\"".into()), UnixSeconds(NOW), modified, false), "{what}");
        let counters = crawl.counters();
        assert_eq!((counters.pages, counters.skipped, counters.requests), (1, 1, 1), "{what}");
        assert_eq!(crawl.site().turn, 2, "{what}");
    }
}

/// A page is left alone up to the second that its state names, as long as the sitemap lists the same hash.
#[test]
fn a_page_is_left_alone_to_the_second() {
    let hash = |text: &str| {
        Payload::new(&CUrl::parse("https://example.com/a/").unwrap(), "A", text).seal().unwrap().fingerprint()
    };
    for (not_before, listed, is_asked) in [
        (Some(NOW + 1), Some(hash("Text.")), false),
        (Some(NOW), Some(hash("Text.")), true),
        (None, Some(hash("Text.")), true),
        (Some(NOW + 1), Some(hash("Old text.")), true),
        (Some(NOW + 1), None, true),
    ] {
        let mut state = PageState::default();
        (state.c_url, state.m_url) = ("https://example.com/a/".into(), "https://example.com/a/llm/".into());
        (state.not_before, state.listed) = (not_before.map(UnixSeconds), listed);
        let mut pages = BTreeMap::from([(state.m_url.clone(), state)]);
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let log = run(&mut crawl, &mut pages, |path| match path {
            "/s.json" => json(sitemap("Text.")),
            _ => twin("Text."),
        });
        assert_eq!(log.iter().any(|line| line == "/a/llm/"), is_asked, "{not_before:?} {listed:?}: {log:?}");
    }
}

/// A page that was listed no more before this crawl keeps the day since when, and is checked when it is due.
#[test]
fn a_page_stays_unlisted_since_its_day() {
    for (not_before, is_checked) in [(NOW + 1, false), (NOW, true), (NOW - 1, true)] {
        let old = Payload::new(&CUrl::parse("https://example.com/b/").unwrap(), "B", "Text.").seal().unwrap();
        let mut state = PageState::default();
        (state.c_url, state.m_url) = ("https://example.com/b/".into(), "https://example.com/b/llm/".into());
        state.held = Some(HeldPage::new(old.fingerprint(), UnixSeconds(NOW - 60)));
        (state.unlisted_since, state.not_before) =
            (Some(UnixSeconds(NOW - 50)), Some(UnixSeconds(not_before)));
        let mut pages = BTreeMap::from([(state.m_url.clone(), state)]);
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(url("/s.json"));
        let log = run(&mut crawl, &mut pages, |path| match path {
            "/s.json" => json(sitemap("Text.")),
            "/a/llm/" => twin("Text."),
            _ => status(304),
        });
        assert_eq!(log.iter().any(|line| line == "keep /b/llm/"), is_checked, "{not_before}: {log:?}");
        assert!(!log.iter().any(|line| line == "unlisted /b/llm/"), "it was told before: {log:?}");
        let state = &pages["https://example.com/b/llm/"];
        assert_eq!(state.unlisted_since, Some(UnixSeconds(NOW - 50)), "{not_before}");
        let next = if is_checked { NOW + 7 * 86_400 } else { NOW + 1 };
        assert_eq!(state.not_before, Some(UnixSeconds(next)), "{not_before}");
    }
}

/// So many requests are under way at a time as the policy says, and at least one. Until a sound twin has answered, which may link a
/// policy, twins are asked for one by one: the first here is not there, the second is.
#[test]
fn so_many_requests_are_under_way() {
    for (parallel, expected) in [(0, 1), (1, 1), (2, 2), (3, 3), (9, 4)] {
        let (pages, now) = (BTreeMap::new(), UnixSeconds(NOW));
        let policy = CrawlPolicy::default().with_parallel(parallel);
        let mut crawl = Crawl::new(&start(), policy).with_sitemap(url("/s.json"));
        let CrawlNext::Send(wanted) = crawl.next(&pages, now) else { panic!() };
        let item = |name: &str| {
            format!(r#"{{"cUrl":"https://example.com/{name}/","mUrl":"https://example.com/{name}/llm/"}}"#)
        };
        let items: Vec<String> = ["0", "a", "1", "2", "3", "4"].map(item).into();
        let body = json(format!(r#"{{"items":[{}]}}"#, items.join(",")));
        crawl.on_response(wanted.id, &wanted.url, &body.response, &pages, now).unwrap();
        let mut sent: Vec<CrawlRequest> = Vec::new();
        for expected in [1, 1, expected] {
            for before in sent.drain(..) {
                let answer = if before.url.path() == "/a/llm/" { twin("Text.") } else { status(404) };
                crawl.on_response(before.id, &before.url, &answer.response, &pages, now).unwrap();
            }
            loop {
                match crawl.next(&pages, now) {
                    CrawlNext::Send(wanted) => sent.push(wanted),
                    CrawlNext::Wait => break,
                    _ => {}
                }
            }
            assert_eq!(sent.len(), expected, "{parallel}");
        }
        assert_eq!(crawl.wake_at(now), None, "there is nothing but answers to wait for");
    }
}

/// Of several sitemaps all are read before the first page, though one of them comes in pieces and there is room for more requests.
#[test]
fn pages_wait_for_the_pieces_of_one_of_several_sitemaps() {
    let (pages, now) = (BTreeMap::new(), UnixSeconds(NOW));
    let policy = CrawlPolicy::default().with_parallel(3);
    let crawl = Crawl::new(&start(), policy);
    let mut crawl = crawl.with_sitemap(url("/1.json")).with_sitemap(url("/2.json"));
    let next = |crawl: &mut Crawl| loop {
        match crawl.next(&pages, now) {
            CrawlNext::Site(_) => {}
            CrawlNext::Send(wanted) => return Some(wanted),
            CrawlNext::Wait => return None,
            other => panic!("{other:?}"),
        }
    };
    let first = next(&mut crawl).unwrap();
    assert!(next(&mut crawl).is_none(), "one sitemap after the other");
    assert_eq!(crawl.wake_at(now), None);
    assert!(crawl.on_head(first.id, &first.url, &Response::new(()), now).unwrap());
    let text = sitemap("Text.");
    let (piece, rest) = text.split_at(text.len() - 2);
    crawl.on_chunk(first.id, piece.as_bytes(), &pages, now).unwrap();
    assert!(next(&mut crawl).is_none(), "a page is listed, and waits");
    assert_eq!(crawl.wake_at(now), None);
    crawl.on_chunk(first.id, rest.as_bytes(), &pages, now).unwrap();
    crawl.on_chunks_end(first.id, now).unwrap();
    let second = next(&mut crawl).unwrap();
    assert_eq!((first.url.path(), second.url.path()), ("/1.json", "/2.json"));
    assert!(next(&mut crawl).is_none());
    crawl.on_response(second.id, &second.url, &json(r#"{"items":[]}"#).response, &pages, now).unwrap();
    assert_eq!(next(&mut crawl).unwrap().url.path(), "/a/llm/");
}

/// A sitemap is asked for once, of the site's own origin alone, as far as there may be more: those of the last crawl first.
#[test]
fn each_sitemap_of_the_own_origin_is_asked_for_once() {
    let held = |url: &str| {
        let mut held = ResourceState::default();
        held.url = url.into();
        held
    };
    let mut site = SiteState::default();
    site.sitemaps =
        ["https://example.com/1.json", "https://example.com/1.json", "https://evil.example/1.json", "no URL"]
            .map(held)
            .to_vec();
    let mut policy = CrawlPolicy::default();
    policy.max_sitemaps = 3;
    let mut crawl = Crawl::resume(&start(), site, policy);
    for path in [
        "/2.json",
        "https://evil.example/2.json",
        "https://a:b@example.com/3.json",
        "/2.json#part",
        "/4.json",
        "/5.json",
    ] {
        crawl = crawl.with_sitemap(url(path));
    }
    let log = run(&mut crawl, &mut BTreeMap::new(), |_| status(404));
    let missing = "sitemap-missing";
    assert_eq!(log, ["/1.json", missing, "/2.json", missing, "/4.json", missing, "/", "site-unavailable"]);
    assert_eq!(crawl.site().sitemaps, []);
}

/// What the start page links comes before what robots.txt names; both only where nothing is known.
#[test]
fn linked_sitemaps_come_before_those_of_robots_txt() {
    let lines = [
        "https://example.com/r.json",
        "https://example.com/r.xml",
        "/relative.json",
        "https://evil.example/r.json",
    ];
    let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_robots_lines(lines);
    let log = run(&mut crawl, &mut BTreeMap::new(), |path| match path {
        "/" => answer(200, &[(header::LINK, SITEMAP_LINK)], ""),
        _ => status(404),
    });
    assert_eq!(log, ["/", "/s.json", "sitemap-missing", "/r.json", "sitemap-missing", "no-sitemap"]);
    let mut crawl =
        Crawl::new(&start(), CrawlPolicy::default()).with_robots_lines(lines).with_sitemap(url("/s.json"));
    let log = run(&mut crawl, &mut BTreeMap::new(), |path| match path {
        "/s.json" => json(sitemap("Text.")),
        _ => twin("Text."),
    });
    assert_eq!(log, ["/s.json", "sitemap-read", "/a/llm/", "store /a/llm/"]);
}

/// Where nothing names a sitemap, three of the linked alternates at most are looked at, none of another origin, and none of
/// them is a page of the site before it confirms.
#[test]
fn a_few_linked_alternates_are_looked_at() {
    let links = "<https://evil.example/0>; rel=alternate; type=application/json, </1>; rel=alternate; type=application/json, \
                 </2>; rel=alternate; type=application/json, </3>; rel=alternate; type=application/json, \
                 </4>; rel=alternate; type=application/json";
    for code in [404, 410, 403, 500] {
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default().with_tries(1, 0));
        let log = run(&mut crawl, &mut BTreeMap::new(), |path| match path {
            "/" => answer(200, &[(header::LINK, links)], ""),
            _ => status(code),
        });
        assert_eq!(log, ["/", "/1", "/2", "/3", "no-sitemap"], "{code}");
        assert_eq!(crawl.counters().unavailable, 0, "{code}");
    }
}

/// The first policy of the own origin counts, and what it states can be asked for.
#[test]
#[covers("TCT-POL-8")]
fn the_first_policy_that_is_linked_counts() {
    let elsewhere = "<https://evil.example/p.json>; rel=describedby; type=\"application/json\"";
    let second = "</q.json>; rel=describedby; type=\"application/json\"";
    let links = [
        (header::LINK, elsewhere),
        (header::LINK, POLICY_LINK),
        (header::LINK, second),
        (header::LINK, SITEMAP_LINK),
    ];
    let mut crawl = Crawl::new(&start(), CrawlPolicy::default());
    let log = run(&mut crawl, &mut BTreeMap::new(), |path| match path {
        "/" => answer(200, &links, ""),
        "/p.json" => json(r#"{"purposes":{"allow_ai_train":false},"version":7}"#),
        "/s.json" => json(sitemap("Text.")),
        "/a/llm/" => {
            let mut twin = twin("Text.");
            twin.response.headers_mut().append(header::LINK, second.parse().unwrap());
            twin
        }
        other => panic!("{other}"),
    });
    assert_eq!(log, ["/", "/p.json", "policy", "/s.json", "sitemap-read", "/a/llm/", "store /a/llm/"]);
    assert_eq!(crawl.descriptor().permission(Purpose::AiTrain), tct::Permission::Denied);
    assert_eq!((crawl.descriptor().version, crawl.counters().requests), (Some(7), 4));
}
