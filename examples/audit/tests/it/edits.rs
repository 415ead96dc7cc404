//! Findings one by one: the sound site with one fault that must be found, and with one harmless change beside it that must
//! not be taken for it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use audit::demo::{HOST, options_for};
use audit::finding::Check;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    LINK, VARY,
};
use http::{HeaderValue, Method, StatusCode};
use serde_json::{Value, json};

const PAGE: &str = "/kite.html";
const TWIN: &str = "/kite.html/llm/";
const SITEMAP: &str = "/llm-sitemap.json";
const MANIFEST: &str = "/.well-known/llmindex.json";
const ROBOTS: &str = "/robots.txt";
const SIGNAL: &str = "Content-Signal: search=yes, ai-input=yes, ai-train=no";

/// A response on its way out, and what was asked.
struct Answer {
    path: String,
    method: Method,
    is_coded: bool,
    head: http::response::Parts,
    body: String,
}

impl Answer {
    fn is(&self, path: &str) -> bool {
        self.path == path
    }

    fn text(&mut self, path: &str, edit: impl FnOnce(&str) -> String) {
        if self.is(path) && self.head.status == StatusCode::OK && !self.body.is_empty() {
            self.body = edit(&self.body);
        }
    }

    fn json(&mut self, path: &str, edit: impl FnOnce(&mut Value)) {
        self.text(path, |text| {
            let mut value: Value = serde_json::from_str(text).unwrap();
            edit(&mut value);
            value.to_string()
        });
    }

    fn set(&mut self, path: &str, name: http::HeaderName, value: &'static str) {
        if self.is(path) {
            self.head.headers.insert(name, HeaderValue::from_static(value));
        }
    }

    fn instead(&mut self, path: &str, status: u16, media_type: &'static str, body: &str) {
        if self.is(path) {
            self.head.status = StatusCode::from_u16(status).unwrap();
            self.head.headers.clear();
            self.head.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
            self.body = body.to_owned();
        }
    }

    fn gone(&mut self, path: &str) {
        self.instead(path, 404, "text/plain", "");
    }

    /// Header fields `Link` without those with a text in them.
    fn unlink(&mut self, part: &str) {
        let kept: Vec<HeaderValue> = self.head.headers.get_all(LINK).iter().cloned().collect();
        self.head.headers.remove(LINK);
        let kept = kept.into_iter().filter(|link| !link.to_str().unwrap().contains(part));
        self.head.headers.extend(kept.map(|link| (LINK, link)));
    }
}

type Edit = fn(&mut Answer);

/// What the site never answers with 304.
const UNCONDITIONAL: [&str; 2] = [TWIN, SITEMAP];

async fn edited(State((edit, forgets)): State<(Edit, bool)>, mut request: Request, next: Next) -> Response {
    let (path, method) = (request.uri().path().to_owned(), request.method().clone());
    let is_coded = request.headers().get(ACCEPT_ENCODING).is_some_and(|coding| coding != "identity");
    request.headers_mut().remove(ACCEPT_ENCODING);
    if forgets && UNCONDITIONAL.contains(&path.as_str()) {
        request.headers_mut().remove(IF_NONE_MATCH);
    }
    let (head, body) = next.run(request).await.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    // A picture is nobody's fault.
    let Ok(body) = String::from_utf8(body.to_vec()) else {
        return Response::from_parts(head, Body::from(body));
    };
    let mut answer = Answer { path, method, is_coded, head, body };
    edit(&mut answer);
    if answer.method != Method::HEAD {
        answer.head.headers.remove(CONTENT_LENGTH);
    }
    Response::from_parts(answer.head, Body::from(answer.body))
}

async fn codes(edit: Edit, forgets: bool) -> BTreeSet<&'static str> {
    let options = site::Options { host: HOST.to_owned(), ..site::Options::default() };
    let prepared = site::prepare(options).await.unwrap();
    let router = prepared.router().layer(from_fn_with_state((edit, forgets), edited));
    let running = prepared.serve(router).unwrap();
    let start = running.url().join(PAGE).unwrap();
    let report = audit::audit(&start, options_for(&running, 2)).await.unwrap();
    running.stop().await.unwrap();
    report.findings.iter().map(|finding| finding.check.code()).collect()
}

fn in_head(html: &str, elements: &str) -> String {
    html.replacen("</head>", &format!("{elements}</head>"), 1)
}

/// Check, fault, harmless change.
const CASES: &[(Check, Edit, Edit)] = &[
    (Check::RobotsMissing, |it| it.gone(ROBOTS), |it| it.instead(ROBOTS, 200, "text/plain", "# nothing\n")),
    (
        Check::RobotsLine,
        |it| it.text(ROBOTS, |text| format!("{text}\nDisalow: /old/\n")),
        |it| it.text(ROBOTS, |text| format!("{text}\n# Disalow: /old/\n")),
    ),
    (
        Check::RobotsBlocks,
        |it| it.text(ROBOTS, |text| format!("{text}\nUser-agent: *\nDisallow: {TWIN}\n")),
        |it| it.text(ROBOTS, |text| format!("{text}\nUser-agent: *\nDisallow: /kite.html/llm/old/\n")),
    ),
    (
        Check::PreferencesMissing,
        |it| it.text(ROBOTS, |text| text.replace(SIGNAL, "")),
        |it| it.text(ROBOTS, |text| text.replace(SIGNAL, "Content-Usage: train-ai=n")),
    ),
    (
        Check::PreferencesConflict,
        |it| it.text(ROBOTS, |text| text.replace("ai-train=no", "ai-train=yes")),
        |it| it.text(ROBOTS, |text| text.replace(SIGNAL, "Content-Signal: search=yes")),
    ),
    (
        Check::PageExtraction,
        |it| it.text(PAGE, |html| in_head(html, "<script type=\"application/ld+json\">{\"@type\":</script>")),
        |it| {
            let data = "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Thing\"}</script>";
            it.text(PAGE, |html| in_head(html, data));
        },
    ),
    (
        Check::OwnershipUnproven,
        |it| it.text("/.well-known/aiwebindex-verify.txt", str::to_uppercase),
        |it| it.text("/.well-known/aiwebindex-verify.txt", |text| text.trim_end().to_owned()),
    ),
    (
        Check::LicenseUnreadable,
        |it| {
            it.text(PAGE, |html| {
                in_head(html, "<link rel=\"license\" type=\"application/rsl+xml\" href=\"/rsl.xml\">")
            });
        },
        // A licence for people.
        |it| it.text(PAGE, |html| in_head(html, "<link rel=\"license\" href=\"/licence.html\">")),
    ),
    (
        Check::TdmRepUnreadable,
        |it| it.instead("/.well-known/tdmrep.json", 500, "text/plain", "sorry"),
        |it| it.instead("/.well-known/tdmrep.json", 410, "text/plain", "gone"),
    ),
    (
        Check::DocumentFault,
        |it| {
            it.text(PAGE, |html| {
                in_head(html, "<link rel=\"alternate\" type=\"application/json\" href=\"/document.json\">")
            });
            it.instead(
                "/document.json",
                200,
                "application/json",
                r#"{"schema":{"name":"AIDocument","version":"2.0"},"source":{},"content":{"markdown":7}}"#,
            );
        },
        // A CMS links its own API in the same way.
        |it| {
            it.text(PAGE, |html| {
                in_head(html, "<link rel=\"alternate\" type=\"application/json\" href=\"/document.json\">")
            });
            it.instead("/document.json", 200, "application/json", r#"{"id":7,"title":{"rendered":"Kite"}}"#);
        },
    ),
    (
        Check::ManifestMissing,
        |it| it.gone(MANIFEST),
        |it| it.json(MANIFEST, |manifest| manifest["x_note"] = json!("ours")),
    ),
    (
        Check::ManifestUnreadable,
        |it| it.instead(MANIFEST, 200, "text/html", "<!doctype html><p>The Quay Notebook"),
        |it| it.instead(MANIFEST, 404, "text/html", "<!doctype html><p>The Quay Notebook"),
    ),
    (
        Check::ManifestError,
        |it| it.json(MANIFEST, |manifest| manifest["entity"] = json!(7)),
        |it| it.json(MANIFEST, |manifest| manifest["x_note"] = json!("ours")),
    ),
    (
        Check::ManifestHeaders,
        |it| it.set(MANIFEST, CONTENT_TYPE, "text/plain"),
        |it| it.set(MANIFEST, CONTENT_TYPE, "Application/JSON;charset=\"UTF-8\""),
    ),
    (
        Check::ManifestUnsigned,
        |it| {
            it.json(MANIFEST, |manifest| {
                manifest.as_object_mut().unwrap().remove("sig");
            });
        },
        |it| it.text(MANIFEST, |text| format!("{text}\n")),
    ),
    (
        Check::SignatureInvalid,
        |it| it.json(MANIFEST, |manifest| manifest["language"] = json!("nl")),
        // What is signed is the canonical form.
        |it| {
            it.text(MANIFEST, |text| {
                serde_json::to_string_pretty(&serde_json::from_str::<Value>(text).unwrap()).unwrap()
            });
        },
    ),
    (Check::EndpointUnavailable, |it| it.gone("/llm/faq"), |it| it.gone("/faq.html")),
    (Check::FeedUnavailable, |it| it.gone("/products.jsonl"), |it| it.gone("/products.json")),
    (
        Check::FeedLine,
        |it| it.text("/products.jsonl", |text| text.replacen("9.50", "nine", 1)),
        |it| it.text("/products.jsonl", |text| format!("{}\n", text.trim_end())),
    ),
    (
        Check::ProofFails,
        |it| it.text("/.well-known/llmindex-proof.txt", str::to_uppercase),
        |it| it.set("/.well-known/llmindex-proof.txt", CONTENT_TYPE, "text/plain;charset=utf-8"),
    ),
    (Check::LlmsTxtMissing, |it| it.gone("/llms.txt"), |it| it.gone("/llms-full.txt")),
    (
        Check::SitemapStatus,
        |it| {
            if it.is(SITEMAP) {
                it.head.status = StatusCode::NOT_FOUND;
            }
        },
        |it| it.text(SITEMAP, |text| format!(" {text}\n")),
    ),
    (
        Check::TwinLinkMissing,
        |it| {
            it.unlink("alternate");
            it.text(PAGE, |html| html.replace("rel=\"alternate\"", "rel=\"related\""));
        },
        |it| it.unlink("alternate"),
    ),
    (
        Check::SitemapUnreadable,
        |it| it.text(SITEMAP, |text| text.trim_end_matches(['}', ']']).to_owned()),
        |it| it.text(SITEMAP, |text| text.replace("},{", "},\n  {")),
    ),
    (
        Check::SitemapEntry,
        |it| it.json(SITEMAP, |map| map["items"][1]["contentHash"] = json!("sha256-unknown")),
        |it| it.json(SITEMAP, |map| map["items"][1]["priority"] = json!(0.5)),
    ),
    (
        Check::SitemapUndated,
        |it| {
            it.json(SITEMAP, |map| {
                map["items"][2].as_object_mut().unwrap().remove("modified");
            });
        },
        |it| it.json(SITEMAP, |map| map["items"][2]["modified"] = json!("2026-01-09T01:00:00+01:00")),
    ),
    (
        Check::ListingInSitemap,
        |it| it.json(SITEMAP, |map| list_too(map, "category/crafts/")),
        |it| it.json(SITEMAP, |map| list_too(map, "category-theory.html")),
    ),
    (
        Check::PolicyMissing,
        |it| it.unlink("describedby"),
        |it| it.json("/llm-policy.json", |policy| policy["x_note"] = json!("ours")),
    ),
    (
        Check::PolicyFault,
        |it| {
            it.json("/llm-policy.json", |policy| {
                policy["rate_hints"]["max_requests_per_second"] = json!("a few");
            });
        },
        |it| it.json("/llm-policy.json", |policy| policy["rate_hints"]["x_note"] = json!("a few")),
    ),
    (
        Check::TwinProblem,
        |it| {
            let other = "\"sha256-0000000000000000000000000000000000000000000000000000000000000000\"";
            it.set(TWIN, ETAG, other);
        },
        |it| it.set(TWIN, CONTENT_TYPE, "application/json"),
    ),
    (
        Check::TwinNote,
        |it| it.json(TWIN, |twin| twin["content"] = json!("another text")),
        |it| it.set(TWIN, CONTENT_TYPE, "application/json"),
    ),
    (
        Check::TwinHeaders,
        |it| it.set(TWIN, CACHE_CONTROL, "private, max-age=600"),
        |it| it.set(TWIN, CACHE_CONTROL, "must-revalidate, max-age=0"),
    ),
    (
        Check::TwinSaysMore,
        |it| {
            it.text(PAGE, |_| {
                "<!doctype html><title>Protected: Kites</title><p>Enter your password.\
                 <form><input type=\"password\" name=\"p\"></form>"
                    .to_owned()
            });
        },
        // The same text in other words of markup, with references where the twin has characters.
        |it| {
            it.text(PAGE, |html| html.replace('\u{2019}', "&#8217;").replace("<p>", "<p class=\"x\"><span>"))
        },
    ),
    (
        Check::TwinUnstable,
        |it| {
            static VIEWS: AtomicU64 = AtomicU64::new(0);
            it.json(TWIN, |twin| twin["views"] = json!(VIEWS.fetch_add(1, Ordering::Relaxed)));
        },
        |it| it.json(TWIN, |twin| twin["views"] = json!(7)),
    ),
    (
        Check::TwinReferences,
        |it| it.json(TWIN, |twin| twin["title"] = json!("Kites &#038; lines")),
        |it| it.json(TWIN, |twin| twin["title"] = json!("Kites & lines; tea")),
    ),
    (
        Check::TwinNotModifiedVary,
        |it| {
            if it.is(TWIN) && it.head.status == StatusCode::NOT_MODIFIED {
                it.head.headers.remove(VARY);
            }
        },
        |it| {
            if it.is(TWIN) && it.head.status == StatusCode::NOT_MODIFIED {
                it.head.headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
            }
        },
    ),
    (
        Check::TwinHeadDiffers,
        |it| {
            if it.method == Method::HEAD && it.is(TWIN) {
                it.head.headers.remove(ETAG);
            }
        },
        |it| {
            if it.method == Method::HEAD && it.is(TWIN) {
                it.head.headers.remove(CONTENT_LENGTH);
            }
        },
    ),
    (
        Check::TwinCodingDiffers,
        |it| {
            if it.is_coded {
                it.text(TWIN, |text| format!("{text} "));
                it.set(TWIN, CONTENT_ENCODING, "identity");
            }
        },
        |it| it.set(TWIN, VARY, "Accept-Encoding"),
    ),
];

fn list_too(map: &mut Value, path: &str) {
    let mut item = map["items"][0].clone();
    let home = item["cUrl"].as_str().unwrap().to_owned();
    item["cUrl"] = json!(format!("{home}{path}"));
    item["mUrl"] = json!(format!("{home}{path}llm/"));
    map["items"].as_array_mut().unwrap().push(item);
}

/// Those that the other tests show: both sites of each are among the demonstration's.
const ELSEWHERE: &[Check] = &[
    Check::NotHttps,
    Check::ManifestWarning,
    Check::TctMissing,
    Check::SitemapLinkMissing,
    Check::TwinOfList,
    Check::TwinMethod,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_fault_is_found_and_its_harmless_neighbour_is_not() {
    let mut tasks = tokio::task::JoinSet::new();
    let running = std::sync::Arc::new(tokio::sync::Semaphore::new(8));
    for (check, fault, harmless) in CASES {
        for (edit, expected) in [(*fault, true), (*harmless, false)] {
            let running = std::sync::Arc::clone(&running);
            tasks.spawn(async move {
                let _one = running.acquire_owned().await.unwrap();
                (check.code(), expected, codes(edit, false).await)
            });
        }
    }
    // What is never answered with 304, and the site as it is.
    let sound: Edit = |_| {};
    for forgets in [true, false] {
        let found = codes(sound, forgets).await;
        let expected = ["sitemap-not-conditional", "twin-not-conditional"].into_iter().filter(|_| forgets);
        assert_eq!(found, expected.collect(), "{forgets}");
    }
    let mut wrong = Vec::new();
    while let Some(done) = tasks.join_next().await {
        let (code, expected, found) = done.unwrap();
        if found.contains(code) != expected {
            wrong.push(format!("{code}: expected {expected}, found {found:?}"));
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut all: BTreeSet<&str> = CASES.iter().map(|(check, ..)| check.code()).collect();
    all.extend(ELSEWHERE.iter().map(|check| check.code()));
    all.extend(["sitemap-not-conditional", "twin-not-conditional"]);
    assert_eq!(all, Check::ALL.iter().map(|check| check.code()).collect());
}
