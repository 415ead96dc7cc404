//! What sitemaps and twins do wrong, and what the crawler makes of it: `cargo test -p crawler --test it twins -- --nocapture`
//! prints the table of the README. Beside it: what vanishes, what is refused, which use is allowed.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use crate::support;

use covers::covers;
use serde_json::Value;
use signals::Purpose;
use support::twins::{Instead, PAGES, SITEMAP, Twins};

/// A fault of a second crawl, after a first one that held three pages and before which the text of `/a/` changed.
struct Fault {
    what: &'static str,
    path: &'static str,
    instead: fn(&Twins) -> Instead,
    reported: &'static str,
    /// Pages that are held in the end, and whether that of `/a/` is the new text.
    held: (usize, bool),
}

const TWIN: &str = "/a/llm/";
const JSON: &str = "content-type: application/json\r\n";

fn plain(status: &'static str, fields: &str) -> Instead {
    (status, fields.to_owned(), Vec::new())
}

/// The twin as it is, with other fields.
fn twin(site: &Twins, status: &'static str, fields: &str) -> Instead {
    let canonical = format!("link: <{}>; rel=\"canonical\"\r\n", site.url("/a/"));
    (status, format!("{JSON}{canonical}{fields}"), site.body(TWIN))
}

fn hash(body: &[u8]) -> String {
    serde_json::from_slice::<Value>(body).unwrap()["hash"].as_str().unwrap().to_owned()
}

const FAULTS: &[Fault] = &[
    Fault {
        what: "a sitemap that moved within its site",
        path: SITEMAP,
        instead: |site| {
            let moved = site.body(SITEMAP);
            site.instead("/moved.json", Some(("200 OK", JSON.to_owned(), moved)));
            plain("301 Moved Permanently", "location: /moved.json\r\n")
        },
        reported: "sitemap moved, sitemap read, stored",
        held: (3, true),
    },
    Fault {
        what: "a sitemap that moved to another origin",
        path: SITEMAP,
        instead: |_| plain("302 Found", "location: https://elsewhere.example/s.json\r\n"),
        reported: "sitemap refused",
        held: (3, false),
    },
    Fault {
        what: "a sitemap that leads in a circle",
        path: SITEMAP,
        instead: |_| plain("302 Found", "location: /llm-sitemap.json\r\n"),
        reported: "sitemap refused",
        held: (3, false),
    },
    Fault {
        what: "a sitemap with status 503, three times",
        path: SITEMAP,
        instead: |_| plain("503 Service Unavailable", ""),
        reported: "postponed",
        held: (3, false),
    },
    Fault {
        what: "a sitemap with status 403",
        path: SITEMAP,
        instead: |_| plain("403 Forbidden", ""),
        reported: "sitemap missing",
        held: (3, false),
    },
    Fault {
        what: "a sitemap that is cut after its first entry",
        path: SITEMAP,
        instead: |site| {
            let whole = site.body(SITEMAP);
            let cut = whole.windows(3).position(|bytes| bytes == b"},{").unwrap() + 2;
            ("200 OK", JSON.to_owned(), whole[..cut].to_vec())
        },
        reported: "sitemap broken, stored",
        held: (3, true),
    },
    Fault {
        what: "a page in place of the sitemap",
        path: SITEMAP,
        instead: |_| {
            ("200 OK", "content-type: text/html\r\n".to_owned(), b"<!doctype html><p>Hello".to_vec())
        },
        reported: "sitemap broken",
        held: (3, false),
    },
    Fault {
        what: "a sitemap whose first entry is of another origin",
        path: SITEMAP,
        instead: |site| {
            let text = String::from_utf8(site.body(SITEMAP)).unwrap();
            let here = site.url("/a/llm/").to_string();
            ("200 OK", JSON.to_owned(), text.replace(&here, "https://elsewhere.example/a/llm/").into_bytes())
        },
        reported: "sitemap item, sitemap read, unlisted, stored",
        held: (3, true),
    },
    Fault {
        what: "a twin that is gone (410)",
        path: TWIN,
        instead: |_| plain("410 Gone", ""),
        reported: "sitemap read, gone",
        held: (2, false),
    },
    Fault {
        what: "a twin that is not there (404)",
        path: TWIN,
        instead: |_| plain("404 Not Found", ""),
        reported: "sitemap read, passed not-found",
        held: (3, false),
    },
    Fault {
        what: "a twin behind a login",
        path: TWIN,
        instead: |_| plain("401 Unauthorized", ""),
        reported: "sitemap read, passed login",
        held: (3, false),
    },
    Fault {
        what: "a twin with status 500, three times",
        path: TWIN,
        instead: |_| plain("500 Internal Server Error", ""),
        reported: "sitemap read, failed busy",
        held: (3, false),
    },
    Fault {
        what: "a twin that moved within its site",
        path: TWIN,
        instead: |site| {
            let moved = twin(site, "200 OK", &format!("etag: \"{}\"\r\n", hash(&site.body(TWIN))));
            site.instead("/a/moved/", Some(moved));
            plain("301 Moved Permanently", "location: /a/moved/\r\n")
        },
        reported: "sitemap read, stored",
        held: (3, true),
    },
    Fault {
        what: "a twin that moved to another origin",
        path: TWIN,
        instead: |_| plain("302 Found", "location: https://elsewhere.example/a/llm/\r\n"),
        reported: "sitemap read, failed refused-twin",
        held: (3, false),
    },
    Fault {
        what: "a twin of another page",
        path: TWIN,
        instead: |site| {
            let canonical = format!("link: <{}>; rel=\"canonical\"\r\n", site.url("/b/"));
            ("200 OK", format!("{JSON}{canonical}"), site.body("/b/llm/"))
        },
        reported: "sitemap read, failed refused-twin",
        held: (3, false),
    },
    Fault {
        what: "a page in place of the twin",
        path: TWIN,
        instead: |_| {
            ("200 OK", "content-type: text/html\r\n".to_owned(), b"<!doctype html><p>Hello".to_vec())
        },
        reported: "sitemap read, failed refused-twin",
        held: (3, false),
    },
    Fault {
        what: "304 for a twin that was not held so",
        path: TWIN,
        instead: |_| plain("304 Not Modified", "etag: \"sha256-of-something-else\"\r\n"),
        reported: "sitemap read, failed refused-twin",
        held: (3, false),
    },
    Fault {
        what: "a twin whose entity tag is that of another text",
        path: TWIN,
        instead: |site| twin(site, "200 OK", &format!("etag: \"{}\"\r\n", hash(&site.body("/b/llm/")))),
        reported: "sitemap read, stored",
        held: (3, true),
    },
    Fault {
        what: "a twin that asks not to be kept",
        path: TWIN,
        instead: |site| twin(site, "200 OK", "cache-control: no-store\r\n"),
        reported: "sitemap read, passed no-store",
        held: (2, false),
    },
    Fault {
        what: "a twin of 9 MB",
        path: TWIN,
        instead: |_| ("200 OK", JSON.to_owned(), vec![b' '; 9 << 20]),
        reported: "sitemap read, failed refused-twin",
        held: (3, false),
    },
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_of_sitemap_or_twin_loses_a_page_or_keeps_a_wrong_one() {
    println!("| the site | the crawler reports | pages held |\n|---|---|---|");
    let mut wrong = Vec::new();
    for fault in FAULTS {
        let site = Twins::start().await;
        let _first = site.crawl().await;
        assert_eq!(twins(&site).len(), 3);
        site.publish(&[("/a/", "Another text of a."), PAGES[1], PAGES[2]]);
        let answer = (fault.instead)(&site);
        site.instead(fault.path, Some(answer));
        let (lines, asked) = site.crawl().await;
        let reported = report(&lines);
        let held = twins(&site);
        let is_new = held.iter().any(|text| text == "Another text of a.");
        println!("| {} | {reported} | {} |", fault.what, held.len());
        if (reported.as_str(), (held.len(), is_new)) != (fault.reported, fault.held) {
            wrong.push(format!("{}: {reported}, {held:?}, asked {asked:?}\n{lines:#?}", fault.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_documentation_shows_the_table() {
    let details = include_str!("../../docs/details.md");
    for Fault { what, reported, held, .. } in FAULTS {
        assert!(details.contains(&format!("\n| {what} | {reported} | {} |", held.0)), "{what}");
    }
}

/// The texts of the twins that are held.
fn twins(site: &Twins) -> Vec<String> {
    let held = site.held();
    let twins = held.values().filter(|entry| entry["kind"] == "twin");
    twins.map(|entry| entry["json"]["content"].as_str().unwrap().to_owned()).collect()
}

/// The events about sitemaps and twins, in order, each once.
fn report(lines: &[Value]) -> String {
    let mut events: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| line["kind"] != "document") {
        let event = match line["event"].as_str().unwrap() {
            "sitemap" => format!("sitemap {}", line["state"].as_str().unwrap()),
            event @ ("passed" | "failed") => format!("{event} {}", line["why"].as_str().unwrap()),
            event @ ("stored" | "kept" | "unlisted" | "gone" | "postponed") => event.to_owned(),
            _ => continue,
        };
        if !events.contains(&event) {
            events.push(event);
        }
    }
    // A page may be reported before the end of the sitemap that lists it.
    events.sort_by_key(|event| !event.starts_with("sitemap"));
    events.join(", ")
}

/// A refused twin is left alone until its entry changes, and its page is read as HTML.
#[covers("TCT-ERR-3")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_twin_falls_back_to_its_page() {
    let site = Twins::start().await;
    site.instead(TWIN, Some(("200 OK", JSON.to_owned(), b"{}".to_vec())));
    let (_, asked) = site.crawl().await;
    assert_eq!(asked, ["/", SITEMAP, TWIN, "/b/llm/", "/c/llm/", "/a/"]);
    assert_eq!(site.held()["/a/"]["kind"], "document");
    let (lines, asked) = site.crawl().await;
    assert_eq!(asked, [SITEMAP, "/", "/a/"], "{lines:#?}");
    site.instead(TWIN, None);
    site.publish(&[("/a/", "Another text of a."), PAGES[1], PAGES[2]]);
    let (_, asked) = site.crawl().await;
    assert_eq!(asked, [SITEMAP, TWIN, "/"], "a page with a twin is not read");
    assert_eq!(site.held()["/a/"]["kind"], "twin");
}

/// What no sitemap lists any more is reported, asked about once, and marked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_vanishes_is_reported_and_marked() {
    let site = Twins::start().await;
    let _first = site.crawl().await;
    site.publish(&PAGES[2..]);
    site.instead(TWIN, Some(plain("404 Not Found", "")));
    let (lines, asked) = site.crawl().await;
    let of = |lines: &[Value], event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert_eq!((of(&lines, "unlisted"), of(&lines, "gone"), of(&lines, "kept")), (2, 1, 2), "{lines:#?}");
    assert_eq!(asked, [SITEMAP, TWIN, "/b/llm/", "/"]);
    let held = site.held();
    let state = |path: &str| held[path]["state"].as_str().unwrap().to_owned();
    assert_eq!(
        (state("/a/"), state("/b/"), state("/c/")),
        ("gone".into(), "unlisted".into(), "listed".into())
    );
    assert!(held["/a/"]["since"].as_u64() > Some(1_700_000_000));
    assert_eq!(held["/a/"]["json"]["content"], "The text of a.", "404 is not a deletion");
    // Nothing is asked again before its time, and nothing is told twice.
    let (lines, asked) = site.crawl().await;
    assert_eq!((of(&lines, "unlisted"), of(&lines, "gone"), asked), (0, 0, vec![SITEMAP.into(), "/".into()]));
    // Listed again: held as before, and unmarked, without a request. The front page is asked about as ever.
    site.instead(TWIN, None);
    site.publish(&PAGES);
    let (lines, _) = site.crawl().await;
    assert_eq!((of(&lines, "kept"), of(&lines, "stored")), (1, 0), "{lines:#?}");
    assert_eq!(site.held()["/a/"]["state"], "listed");
}

/// A twin's page has another URL from now on: the text goes there, and nothing stays under the former URL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_twin_that_is_listed_for_another_page_is_held_there_and_nowhere_else() {
    const OTHERS: [(&str, &str, &str); 2] =
        [("/b/", "/b/llm/", "The text of b."), ("/c/", "/c/llm/", "The text of c.")];
    for text in ["The text of a.", "Another text of a."] {
        for failure in [None, Some(plain("500 Internal Server Error", "")), Some(plain("410 Gone", ""))] {
            let site = Twins::start().await;
            let _first = site.crawl().await;
            site.publish_at(&[("/z/", TWIN, text), OTHERS[0], OTHERS[1]]);
            let fails = failure.is_some();
            site.instead(TWIN, failure);
            let (mut lines, _) = site.crawl().await;
            if fails {
                assert_eq!(twins(&site).len(), 2, "it is of no page now: {lines:#?}");
                site.instead(TWIN, None);
                // What failed is left alone for a while, unless it changed.
                let text = format!("{text} Again.");
                site.publish_at(&[("/z/", TWIN, &text), OTHERS[0], OTHERS[1]]);
                (lines, _) = site.crawl().await;
            }
            let failed: Vec<_> = lines.iter().filter(|line| line["event"] == "failed").collect();
            assert!(failed.is_empty(), "{failed:#?}");
            let held = site.held();
            assert_eq!(held.keys().collect::<Vec<_>>(), ["/", "/b/", "/c/", "/z/"], "{lines:#?}");
            let served: Value = serde_json::from_slice(&site.body(TWIN)).unwrap();
            let (page, hash) = (&held["/z/"], &served["hash"]);
            assert_eq!((&page["json"], &page["hash"], &page["state"]), (&served, hash, &"listed".into()));
            let (_, asked) = site.crawl().await;
            assert_eq!(asked, [SITEMAP, "/"], "it is held");
        }
    }
}

/// A page that became private: neither its sitemap nor its twin is for strangers any more. That is not a deletion (the text
/// was published), so it is `unlisted` and not `gone`; what the check was answered is said.
#[covers("TCT-SEC-16")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_became_private_is_unlisted_and_not_gone() {
    for (status, why) in [("403 Forbidden", "refused"), ("401 Unauthorized", "login")] {
        let site = Twins::start().await;
        let _first = site.crawl().await;
        site.publish(&PAGES[1..]);
        site.instead(TWIN, Some(plain(status, "")));
        let (lines, asked) = site.crawl().await;
        assert_eq!(asked, [SITEMAP, TWIN, "/"]);
        let of_page: Vec<_> = lines.iter().filter(|line| line["url"] == site.url("/a/").as_str()).collect();
        let told: Vec<_> = of_page.iter().map(|line| (&line["event"], &line["why"])).collect();
        let expected = [(&Value::from("unlisted"), &Value::Null), (&"passed".into(), &why.into())];
        assert_eq!(told, expected, "{status}: {of_page:#?}");
        assert_eq!(site.held()["/a/"]["state"], "unlisted");
        // A week passes before it is asked about again.
        let (lines, asked) = site.crawl().await;
        assert_eq!(asked, [SITEMAP, "/"], "{lines:#?}");
    }
}

/// What a site says about use decides whether a text is kept, and goes with it.
#[covers("TCT-POL-8", "SIGNAL-D-1")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_site_allows_decides_what_is_kept() {
    let policy = br#"{"profile":"tct-policy-1","purposes":{"allow_ai_input":true,"allow_ai_train":false},
        "rate_hints":{"max_requests_per_second":50,"max_requests_per_day":9000}}"#;
    let robots = b"User-agent: *\nContent-Signal: /b/ ai-input=no\nContent-Usage: train-ai=n\n".to_vec();
    let start = async || {
        let site = Twins::start().await;
        let link = tct::link::link_policy(&site.url("/llm-policy.json"));
        site.put_html("/", "Home", vec![tct::link::link_sitemap(&site.url(SITEMAP)), link]);
        site.instead("/llm-policy.json", Some(("200 OK", JSON.to_owned(), policy.to_vec())));
        site.instead(
            "/robots.txt",
            Some(("200 OK", "content-type: text/plain\r\n".to_owned(), robots.clone())),
        );
        site
    };
    let site = start().await;
    let (lines, asked) = site.crawl().await;
    assert_eq!(asked[..3], ["/", "/llm-policy.json", SITEMAP], "the policy comes before all pages");
    let held = site.held();
    assert_eq!(
        held.keys().collect::<Vec<_>>(),
        ["/", "/a/", "/c/"],
        "what robots.txt says counts: {lines:#?}"
    );
    let page = &held["/a/"];
    assert_eq!(page["usage"]["tct"]["allow_ai_train"], false);
    assert_eq!(page["usage"]["rates"], serde_json::json!({ "per_second": 50.0, "per_day": 9000.0 }));
    assert_eq!(page["decisions"]["ai-input"]["verdict"], "allow");
    assert_eq!(page["decisions"]["ai-train"]["verdict"], "deny");
    assert_eq!(page["decisions"]["tdm"]["verdict"], "unstated");

    // A purpose that the policy denies ends the crawl.
    let other = start().await;
    let (lines, asked) =
        other.crawl_with(crawler::Options { purpose: Purpose::AiTrain, ..other.options() }).await;
    assert_eq!(asked, ["/", "/llm-policy.json"], "{lines:#?}");
    assert!(other.held().is_empty());

    // One that only a page denies costs that page.
    let third = start().await;
    let tag = |site: &Twins| {
        let mut answer = twin(site, "200 OK", "content-signal: ai-input=no\r\n");
        answer.1.push_str(&format!("etag: \"{}\"\r\n", hash(&site.body(TWIN))));
        answer
    };
    third.instead(TWIN, Some(tag(&third)));
    let (lines, _) = third.crawl().await;
    let refused =
        lines.iter().find(|line| line["why"] == "usage" && line["url"] == third.url("/a/").as_str()).unwrap();
    assert!(
        refused["detail"].as_str().unwrap().contains("content-signal says no (ai-input=no)"),
        "{refused}"
    );
    assert_eq!(third.held().keys().collect::<Vec<_>>(), ["/", "/c/"]);
    let (_, asked) = third.crawl().await;
    assert_eq!(asked, [SITEMAP, "/"], "it is not asked about again before its time");
}

/// Licences and `tdmrep.json` count where they are announced, and one that cannot be read is a no.
#[covers("SIGNAL-D-1", "TDM-1")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terms_in_files_of_their_own_count() {
    let site = Twins::start().await;
    let named = |path: &str| format!("License: {}\nUser-agent: *\nAllow: /\n", site.url(path)).into_bytes();
    let robots = |path: &str| Some(("200 OK", "content-type: text/plain\r\n".to_owned(), named(path)));
    let rsl = br#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/b/"><license>
        <prohibits type="usage">ai-all</prohibits></license></content></rsl>"#;
    site.instead(
        "/licence.xml",
        Some(("200 OK", "content-type: application/rsl+xml\r\n".to_owned(), rsl.to_vec())),
    );
    site.instead("/robots.txt", robots("/licence.xml"));
    let tdm = br#"[{"location":"/c/","tdm-reservation":1}]"#;
    site.instead("/.well-known/tdmrep.json", Some(("200 OK", JSON.to_owned(), tdm.to_vec())));
    let (lines, asked) = site.crawl().await;
    assert_eq!(asked.iter().filter(|path| *path == "/licence.xml").count(), 1, "{asked:?}");
    let held = site.held();
    let verdict =
        |path: &str, purpose: &str| held[path]["decisions"][purpose]["verdict"].as_str().unwrap().to_owned();
    assert_eq!(held.keys().collect::<Vec<_>>(), ["/", "/a/", "/c/"], "{lines:#?}");
    assert_eq!((verdict("/a/", "ai-train"), verdict("/c/", "ai-train")), ("unstated".into(), "deny".into()));

    // A file of reservations that the server cannot give now says neither yes nor no: later.
    let failing = Twins::start().await;
    failing.instead(
        "/.well-known/tdmrep.json",
        Some(("500 Internal Server Error", JSON.to_owned(), b"sorry".to_vec())),
    );
    let (lines, _) = failing.crawl().await;
    let held = failing.held();
    assert_eq!(held["/a/"]["decisions"]["ai-train"]["verdict"], "later", "{lines:#?}");

    // A licence that is announced and is not there: nothing may be used.
    let other = Twins::start().await;
    let rules = format!("License: {}\nUser-agent: *\nAllow: /\n", other.url("/nowhere.xml")).into_bytes();
    other.instead("/robots.txt", Some(("200 OK", "content-type: text/plain\r\n".to_owned(), rules)));
    let (lines, _) = other.crawl().await;
    assert!(other.held().is_empty(), "{lines:#?}");
    assert!(lines.iter().any(|line| line["detail"].as_str().is_some_and(|why| why.contains("rsl says no"))));
}

/// A site that names no sitemap says nothing about twins; the crawler says where it looked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_without_twins_gets_one_notice_that_says_why() {
    let site = Twins::start().await;
    // A CMS's own API has the relation and the type of a twin.
    let api = format!("<{}>; rel=\"alternate\"; type=\"application/json\"", site.url("/wp-json/posts/1"));
    site.put_html("/", "Home", vec![api.parse().unwrap()]);
    site.instead("/wp-json/posts/1", Some(("200 OK", JSON.to_owned(), b"{\"id\":1}".to_vec())));
    let (lines, asked) = site.crawl().await;
    assert_eq!(asked, ["/", "/wp-json/posts/1"], "nothing is guessed");
    let notices: Vec<_> = lines.iter().filter(|line| line["event"] == "no-twins").collect();
    assert_eq!(notices.len(), 1);
    assert!(notices[0]["why"].as_str().unwrap().contains("--probe"), "{notices:?}");
    // Probed, it finds the sitemap.
    let (lines, asked) = site.crawl_with(crawler::Options { probe: true, ..site.options() }).await;
    assert_eq!(asked[..4], ["/", "/wp-json/posts/1", "/.well-known/llm-sitemap.json", SITEMAP], "{lines:#?}");
    assert_eq!(twins(&site).len(), 3);
}
