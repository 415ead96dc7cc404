//! What responses mean.

use covers::covers;
use llmindex_types::{Code, FeedState, Limits, ManifestState, PageFileState, check_https, classify, survey};

const JSON: Option<&str> = Some("application/json; charset=utf-8");

#[test]
#[covers("LLMI-ERR-1", "LLMI-AMB-23")]
fn a_status_says_whether_llmindex_is_supported() {
    for (status, state) in [
        (404, ManifestState::Unsupported),
        (410, ManifestState::Unsupported),
        (401, ManifestState::Refused),
        (403, ManifestState::Refused),
        (429, ManifestState::RetryLater),
        (500, ManifestState::RetryLater),
        (503, ManifestState::RetryLater),
        (0, ManifestState::RetryLater),
        (304, ManifestState::NotModified),
        (301, ManifestState::Redirect),
        (308, ManifestState::Redirect),
    ] {
        let outcome = classify(status, JSON, b"", &Limits::MANIFEST);
        assert_eq!(outcome.state(), state, "{status}");
        assert!(outcome.findings().is_empty(), "{status}");
    }
}

#[test]
#[covers("LLMI-ERR-2", "LLMI-ENT-2")]
fn a_body_decides_and_what_is_odd_is_logged() {
    // Valid JSON under another type counts, with a warning.
    for (content_type, body, state, warnings) in [
        (JSON, &b"{}"[..], ManifestState::Supported, 0),
        (Some("Application/JSON;Charset=\"UTF-8\""), b"{}", ManifestState::Supported, 0),
        (Some("text/plain"), b"{}", ManifestState::Supported, 1),
        (Some("text/plain; charset=utf-8"), b"{}", ManifestState::Supported, 1),
        (Some("application/json; charset=latin1"), b"{}", ManifestState::Supported, 1),
        (Some("application/json"), b"{}", ManifestState::Supported, 1),
        (Some("application/ld+json; charset=utf-8"), b"{}", ManifestState::Supported, 1),
        (None, b"{}", ManifestState::Supported, 1),
        (JSON, b"<!doctype html>", ManifestState::Unsupported, 1),
        (Some("text/html"), b"<html>", ManifestState::Unsupported, 1),
        (JSON, b"[]", ManifestState::Unsupported, 1),
        (JSON, b"null", ManifestState::Unsupported, 1),
        (JSON, b"{\"version\":", ManifestState::Unsupported, 1),
        (JSON, b"", ManifestState::Unsupported, 1),
        (JSON, b"\xef\xbb\xbf[]", ManifestState::Unsupported, 1),
    ] {
        let outcome = classify(200, content_type, body, &Limits::MANIFEST);
        let text = String::from_utf8_lossy(body);
        assert_eq!(outcome.state(), state, "{text}");
        assert_eq!(outcome.findings().len(), warnings, "{text}: {:?}", outcome.findings());
    }
}

/// What is too large or too deep is told from what is no manifest, each with its rule.
#[test]
#[covers("LLMI-AMB-29")]
fn a_body_past_a_limit_is_named_so() {
    let limits = Limits::MANIFEST.with_max_bytes(100).with_max_depth(3);
    let long = format!(r#"{{"x":"{}"}}"#, "a".repeat(100));
    for (body, code, rule) in [
        (&*long, Code::TooLong, "LLMI-AMB-29"),
        (r#"{"x":[[[1]]]}"#, Code::TooDeep, "LLMI-AMB-29"),
        (r#"{"x":"#, Code::NotAManifest, "LLMI-ERR-2"),
        ("[1]", Code::NotAManifest, "LLMI-AMB-23"),
    ] {
        let outcome = classify(200, JSON, body.as_bytes(), &limits);
        let found: Vec<_> =
            outcome.findings().iter().map(|finding| (finding.code(), finding.requirement())).collect();
        assert_eq!((outcome.state(), found), (ManifestState::Unsupported, vec![(code, rule)]), "{body}");
    }
    let fits = classify(200, JSON, br#"{"x":[[1]]}"#, &limits);
    assert_eq!((fits.state(), fits.findings().len()), (ManifestState::Supported, 0));
}

#[test]
#[covers("LLMI-ERR-4", "LLMI-ERR-5", "LLMI-AMB-24")]
fn a_page_or_feed_that_fails_leaves_the_others() {
    let names = ["products", "policies", "faq", "about"];
    let down: Vec<_> = names.iter().map(|name| (*name, 500)).collect();
    let left = survey(&down, &[]);
    assert!(left.endpoints.is_empty());
    assert_eq!(left.findings.len(), 4);
    let mixed = [("products", 200), ("policies", 401), ("faq", 429), ("about", 418)];
    let feeds = [
        ("products_jsonl", FeedState::Read { products: 0 }),
        ("offers_json", FeedState::Read { products: 3 }),
    ];
    let left = survey(&mixed, &feeds);
    assert_eq!((left.endpoints, left.feeds), (vec!["products"], vec!["offers_json"]));
    assert_eq!(left.findings.len(), 4);
    for (status, state) in [
        (204, PageFileState::Available),
        (403, PageFileState::Refused),
        (429, PageFileState::RateLimited),
        (404, PageFileState::Unavailable),
        (0, PageFileState::Unavailable),
    ] {
        assert_eq!(PageFileState::of_status(status), state, "{status}");
    }
}

#[test]
#[covers("LLMI-SEC-1")]
fn every_hop_is_https() {
    assert!(check_https(&["https://a.example/x", "https://b.example/y"]).is_empty());
    assert_eq!(check_https(&["http://a.example/x"]).len(), 1);
    assert_eq!(check_https(&["https://a.example/x", "http://a.example/x"]).len(), 1);
}
