//! What a site says about use after its texts were stored: no text is exported as allowed that the site denies by now, and
//! none is held whose use the crawl's purpose is denied.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use covers::covers;
use robots::Directives;
use serde_json::Value;
use signals::{Purpose, Signals};
use tct::link::{link_policy, link_sitemap};

use crate::support::twins::{PAGES, SITEMAP, Twins};
use crate::support::{change_entries, move_times};

const POLICY: &str = "/llm-policy.json";
const DAYS: i64 = 86_400;
const HTML: &str = "content-type: text/html\r\n";

fn put(site: &Twins, path: &str, status: &'static str, fields: &str, body: impl Into<Vec<u8>>) {
    site.instead(path, Some((status, fields.to_owned(), body.into())));
}

fn put_json(site: &Twins, path: &str, body: impl Into<Vec<u8>>) {
    put(site, path, "200 OK", "content-type: application/json\r\n", body);
}

fn put_robots(site: &Twins, rules: &str) {
    put(site, "/robots.txt", "200 OK", "content-type: text/plain\r\n", rules);
}

fn put_policy(site: &Twins, may_input: bool, may_train: bool) {
    let purposes = format!(r#"{{"allow_ai_input":{may_input},"allow_ai_train":{may_train}}}"#);
    put_json(site, POLICY, format!(r#"{{"profile":"tct-policy-1","purposes":{purposes}}}"#));
}

/// A licence in RSL for the whole site.
fn licence(terms: &str) -> String {
    format!(
        r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>{terms}</license></content></rsl>"#
    )
}

/// The verdicts of everything that is held, each once.
fn verdicts(site: &Twins, purpose: &str) -> Vec<String> {
    let held = site.held();
    let mut all: Vec<String> = held
        .values()
        .map(|line| line["decisions"][purpose]["verdict"].as_str().unwrap().to_owned())
        .collect();
    all.sort();
    all.dedup();
    all
}

fn paths(site: &Twins) -> Vec<String> {
    site.held().into_keys().collect()
}

fn passed<'l>(lines: &'l [Value], why: &str) -> Vec<&'l str> {
    let passed = lines.iter().filter(|line| line["event"] == "passed" && line["why"] == why);
    passed.map(|line| line["url"].as_str().unwrap()).collect()
}

/// A site with a policy that its front page links.
async fn with_policy() -> Twins {
    let site = Twins::start().await;
    let links = vec![link_sitemap(&site.url(SITEMAP)), link_policy(&site.url(POLICY))];
    site.put_html("/", "Home", links);
    site
}

#[covers("TCT-POL-8")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_that_turns_counts_for_texts_that_are_held() {
    let site = with_policy().await;
    put_policy(&site, true, true);
    let _first = site.crawl().await;
    assert_eq!((paths(&site).len(), verdicts(&site, "ai-train")), (4, vec!["allow".to_owned()]));

    // One page changes, so that the policy is read again.
    put_policy(&site, true, false);
    site.publish(&[("/a/", "A new text of a."), PAGES[1], PAGES[2]]);
    let (lines, _) = site.crawl().await;
    assert_eq!(verdicts(&site, "ai-train"), ["deny"], "{lines:#?}");
    assert_eq!((paths(&site).len(), verdicts(&site, "ai-input")), (4, vec!["allow".to_owned()]));

    // What the texts are for is denied: they go, and each is told.
    put_policy(&site, false, false);
    site.publish(&[("/a/", "A newer text of a."), PAGES[1], PAGES[2]]);
    let (lines, _) = site.crawl().await;
    assert_eq!(paths(&site), [""; 0], "{lines:#?}");
    assert_eq!(passed(&lines, "usage").len(), 4, "{lines:#?}");
    let (lines, asked) = site.crawl().await;
    assert_eq!(asked, [POLICY], "{lines:#?}");
    assert_eq!(passed(&lines, "usage"), [""; 0]);

    // Allowed again, all come back at once.
    put_policy(&site, true, true);
    let (lines, _) = site.crawl().await;
    assert_eq!(
        (paths(&site).len(), verdicts(&site, "ai-train")),
        (4, vec!["allow".to_owned()]),
        "{lines:#?}"
    );
}

/// Held texts are looked through where the site says something else than before, and not in every crawl.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_says_the_same_is_not_looked_through_again() {
    let site = with_policy().await;
    put_policy(&site, true, true);
    let _first = site.crawl().await;
    let denied = Signals {
        directives: Directives::of_headers([("x-robots-tag", "noai")], "AIWebIndex"),
        ..Signals::default()
    };
    // What no crawl would have kept.
    change_entries(&site.store(), |entry| entry["usage"] = serde_json::to_value(&denied).unwrap());
    let _second = site.crawl().await;
    // The front page has no twin, so that it was asked for.
    assert_eq!(paths(&site).len(), 3);
    put_policy(&site, true, false);
    site.publish(&[("/a/", "A new text of a."), PAGES[1], PAGES[2]]);
    let (lines, _) = site.crawl().await;
    assert_eq!(paths(&site), ["/", "/a/"], "{lines:#?}");
}

/// Another purpose than that of the crawl before: what it may not use goes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_purpose_keeps_nothing_that_it_may_not_use() {
    let site = with_policy().await;
    put_policy(&site, true, false);
    let _first = site.crawl().await;
    assert_eq!(paths(&site).len(), 4);
    let options = crawler::Options { purpose: Purpose::AiTrain, ..site.options() };
    let (lines, _) = site.crawl_with(options).await;
    assert_eq!(paths(&site), [""; 0], "{lines:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_turn_count_for_texts_that_are_held() {
    let site = Twins::start().await;
    let license = format!("License: {}\n", site.url("/licence.xml"));
    put(&site, "/licence.xml", "200 OK", "", licence(r#"<permits type="usage">all</permits>"#));
    put_robots(&site, &format!("{license}User-agent: *\nAllow: /\n"));
    put_json(&site, "/.well-known/tdmrep.json", r#"[{"location":"/","tdm-reservation":0}]"#);
    let _first = site.crawl().await;
    for purpose in ["ai-input", "ai-train", "tdm"] {
        assert_eq!(
            (paths(&site).len(), verdicts(&site, purpose)),
            (4, vec!["allow".to_owned()]),
            "{purpose}"
        );
    }
    let robots = |rules: &str| format!("{license}User-agent: *\nAllow: /\n{rules}\n");
    let next = async || {
        move_times(site.store().parent().unwrap(), -2 * DAYS);
        site.crawl().await.0
    };

    put_json(&site, "/.well-known/tdmrep.json", r#"[{"location":"/","tdm-reservation":1}]"#);
    let lines = next().await;
    assert_eq!((paths(&site).len(), verdicts(&site, "tdm")), (4, vec!["deny".to_owned()]), "{lines:#?}");
    put_json(&site, "/.well-known/tdmrep.json", "[]");

    put(&site, "/licence.xml", "200 OK", "", licence(r#"<prohibits type="usage">ai-train</prohibits>"#));
    let lines = next().await;
    assert_eq!((paths(&site).len(), verdicts(&site, "ai-train")), (4, vec!["deny".to_owned()]), "{lines:#?}");

    // A use that is allowed again is allowed.
    put(&site, "/licence.xml", "200 OK", "", licence(r#"<permits type="usage">all</permits>"#));
    let lines = next().await;
    assert_eq!(verdicts(&site, "ai-train"), ["allow"], "{lines:#?}");

    put_robots(&site, &robots("Content-Signal: /b/ ai-train=no"));
    let lines = next().await;
    let held = site.held();
    assert_eq!(held["/b/"]["decisions"]["ai-train"]["verdict"], "deny", "{lines:#?}");
    assert_eq!(held["/c/"]["decisions"]["ai-train"]["verdict"], "allow");

    put_robots(&site, &robots("Content-Signal: ai-input=no"));
    let lines = next().await;
    assert_eq!(paths(&site), [""; 0], "{lines:#?}");
}

/// Header fields of a page that is held, with its text or with a 304.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_asks_not_to_be_kept_any_more_goes() {
    let page = "<!doctype html><title>A page</title><main><p>A sentence of its own.</p></main>";
    let (ok, unchanged) = ("200 OK", "304 Not Modified");
    for (status, fields, why) in [
        (ok, "x-robots-tag: noai\r\n", Some("noai")),
        (ok, "x-robots-tag: caf\u{e9}, noai\r\n", Some("noai")),
        (ok, "x-robots-tag: noindex\r\n", Some("noindex")),
        (ok, "cache-control: no-store\r\n", Some("no-store")),
        (ok, "content-signal: ai-input=no\r\n", Some("usage")),
        (unchanged, "x-robots-tag: noai\r\n", Some("noai")),
        (unchanged, "x-robots-tag: noindex\r\n", Some("noindex")),
        (unchanged, "cache-control: no-store\r\n", Some("no-store")),
        (unchanged, "content-signal: ai-input=no\r\n", Some("usage")),
        (unchanged, "content-signal: ai-train=no\r\n", None),
        (unchanged, "tdm-reservation: 1\r\n", None),
    ] {
        let site = Twins::start().await;
        put(&site, "/", ok, HTML, format!("{page}<a href=/1>One</a>"));
        put(&site, "/1", ok, &format!("{HTML}etag: \"one\"\r\n"), page);
        let _first = site.crawl().await;
        assert_eq!(paths(&site), ["/", "/1"]);
        let body = if status == ok { page } else { "" };
        put(&site, "/1", status, &format!("{HTML}etag: \"one\"\r\n{fields}"), body);
        let (lines, _) = site.crawl().await;
        let one = site.url("/1");
        match why {
            Some(why) => {
                assert_eq!(paths(&site), ["/"], "{status} {fields}: {lines:#?}");
                assert_eq!(passed(&lines, why), [one.as_str()], "{status} {fields}");
            }
            None => {
                let verdict = site.held()["/1"]["decisions"]["ai-train"]["verdict"].clone();
                assert_eq!(verdict, "deny", "{status} {fields}: {lines:#?}");
            }
        }
    }
}

/// The same of a twin that is asked about, since no sitemap lists it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_twin_that_asks_not_to_be_kept_any_more_goes() {
    for (fields, is_held) in [
        ("x-robots-tag: noai\r\n", false),
        ("cache-control: no-store\r\n", false),
        ("content-signal: ai-input=no\r\n", false),
        ("content-signal: ai-train=no\r\n", true),
    ] {
        let site = Twins::start().await;
        let _first = site.crawl().await;
        let twin: Value = serde_json::from_slice(&site.body("/a/llm/")).unwrap();
        site.publish(&PAGES[1..]);
        let tag = format!("etag: \"{}\"\r\n{fields}", twin["hash"].as_str().unwrap());
        put(&site, "/a/llm/", "304 Not Modified", &tag, "");
        let (lines, asked) = site.crawl().await;
        assert!(asked.contains(&"/a/llm/".to_owned()));
        let held = site.held();
        assert_eq!(held.contains_key("/a/"), is_held, "{fields}: {lines:#?}");
        if is_held {
            assert_eq!(held["/a/"]["decisions"]["ai-train"]["verdict"], "deny", "{fields}: {lines:#?}");
        }
    }
}

/// A policy with a rate of 0: nothing is asked for but itself, whoever would ask.
#[covers("TCT-POL-8")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_that_asks_for_no_requests_gets_none() {
    let site = with_policy().await;
    let rates = |most: &str| {
        format!(r#"{{"profile":"tct-policy-1","rate_hints":{{"max_requests_per_second":{most}}}}}"#)
    };
    put_json(&site, POLICY, rates("50"));
    // The twin of /a/ is refused, so that its page is to be read; there is a manifest to look for, and terms of use.
    put_json(&site, "/a/llm/", "{}");
    let options = || crawler::Options { verify: true, ..site.options() };
    let (lines, asked) = site.crawl_all(options()).await;
    for path in ["/a/", "/.well-known/llmindex.json", "/.well-known/tdmrep.json"] {
        assert!(asked.iter().any(|asked| asked == path), "{path}: {asked:?} {lines:#?}");
    }
    assert_eq!(paths(&site).len(), 4);

    put_json(&site, POLICY, rates("0"));
    site.publish(&[("/a/", "A new text of a."), ("/b/", "A new text of b."), PAGES[2]]);
    let (lines, asked) = site.crawl_all(options()).await;
    assert_eq!(asked, [SITEMAP, POLICY], "{lines:#?}");
    assert_eq!(paths(&site).len(), 4, "the texts may be used as before");
    let manifest = site.url("/.well-known/llmindex.json");
    assert!(passed(&lines, "policy").contains(&manifest.as_str()), "{lines:#?}");
    assert!(finished(&lines), "what is not wanted is not left to do: {lines:#?}");
    for _ in 0..2 {
        move_times(site.store().parent().unwrap(), -2 * DAYS);
        let (lines, asked) = site.crawl_all(options()).await;
        assert_eq!(asked, ["/robots.txt", POLICY], "{lines:#?}");
    }

    // Requests are wanted again: all is as ever, terms of use first.
    put_json(&site, POLICY, rates("50"));
    let (lines, asked) = site.crawl_all(options()).await;
    for path in ["/b/llm/", "/.well-known/llmindex.json", "/.well-known/tdmrep.json"] {
        assert!(asked.iter().any(|asked| asked == path), "{path}: {asked:?} {lines:#?}");
    }
}

fn finished(lines: &[Value]) -> bool {
    lines.last().unwrap()["finished"].as_bool().unwrap() && lines.last().unwrap()["counts"]["failed"] == 0
}

/// More licences than a site's record has room for, one for each page: each is asked for once, and counts for its page.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_page_may_have_a_licence_of_its_own() {
    let site = Twins::start().await;
    let links: String = (0..40).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    put(&site, "/", "200 OK", HTML, format!("<!doctype html><title>Home</title><main><p>{links}</main>"));
    for n in 0..40 {
        let url = site.url(&format!("/licence-{n}.xml"));
        let link = format!("{HTML}link: <{url}>; rel=\"license\"; type=\"application/rsl+xml\"\r\n");
        put(
            &site,
            &format!("/{n}"),
            "200 OK",
            &link,
            "<!doctype html><title>A page</title><main><p>A sentence.",
        );
        let terms = match n {
            7 => {
                r#"<permits type="usage">search ai-input</permits><prohibits type="usage">ai-train</prohibits>"#
            }
            _ => r#"<permits type="usage">search ai-input ai-train</permits>"#,
        };
        let terms = licence(terms);
        put(&site, url.path(), "200 OK", "content-type: application/rsl+xml\r\n", terms);
    }
    let site_wide = licence(r#"<prohibits type="usage">search</prohibits>"#);
    put(&site, "/licence.xml", "200 OK", "", site_wide);
    put_robots(&site, &format!("License: {}\nUser-agent: *\nAllow: /\n", site.url("/licence.xml")));
    for _ in 0..2 {
        let (lines, asked) = site.crawl_all(site.options()).await;
        let held = site.held();
        assert_eq!(held.len(), 41, "{lines:#?}");
        for n in 0..40 {
            let path = format!("/licence-{n}.xml");
            assert!(asked.iter().filter(|asked| **asked == path).count() <= 1, "{path}: {asked:?}");
            let verdict = |purpose: &str| held[&format!("/{n}")]["decisions"][purpose]["verdict"].clone();
            let train = if n == 7 { "deny" } else { "allow" };
            assert_eq!((verdict("ai-train"), verdict("ai-input")), (train.into(), "allow".into()), "{n}");
        }
        let of_site =
            asked.iter().filter(|path| *path == "/licence.xml" || *path == "/.well-known/tdmrep.json");
        assert!(of_site.count() <= 2, "{asked:?}");
    }
}

/// The start page is read on the way to the twins: what it says counts for its own twin, whose response does not say it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_page_itself_says_counts_for_its_twin() {
    for (fields, element) in [
        ("content-signal: ai-train=no\r\n", ""),
        ("tdm-reservation: 1\r\n", ""),
        ("", "<meta name=tdm-reservation content=1>"),
    ] {
        let site = Twins::start().await;
        site.publish(&[("/", "The text of the front page."), PAGES[0]]);
        let page =
            format!("<!doctype html><title>Home</title>{element}<main><p>A sentence of its own.</p></main>");
        let link = link_sitemap(&site.url(SITEMAP));
        let link = format!("{HTML}link: {}\r\n{fields}", link.to_str().unwrap());
        put(&site, "/", "200 OK", &link, page);
        let (lines, _) = site.crawl().await;
        let verdict = |path: &str| site.held()[path]["decisions"]["ai-train"]["verdict"].clone();
        assert_eq!(site.held()["/"]["kind"], "twin", "{lines:#?}");
        assert_eq!([verdict("/"), verdict("/a/")], ["deny", "unstated"], "{fields}{element}: {lines:#?}");
    }
}
