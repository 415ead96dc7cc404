//! What outcomes and events say to people: every sentence, reviewed like code, and each with the code it is stored under.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use tct::crawl::{BodyChange, PageEvent, SiteEvent};
use tct::open::{Expected, ProblemCode, open_response};
use tct::pages::MUrlPattern;
use tct::plan::Recheck;
use tct::policy::RateHint;
use tct::sealing::HashCheck;
use tct::sitemap::{ItemIssue, Sitemap};
use tct::v03::{BodyLimits, check_document};
use tct::visit::{Disagreement, Refusal};
use tct::{
    CUrl, Fingerprint, HeldPage, OpenPolicy, Outcome, Payload, Plan, Purpose, SitemapReader, UnixSeconds,
};
use tct_canonical_json::{Profile, to_canonical};
use url::Url;

/// A line each; no two sentences are alike, and none is empty.
fn lines(all: &mut String, what: &str, values: &[&dyn Display]) {
    let mut seen = BTreeSet::new();
    writeln!(all, "{what}").unwrap();
    for value in values {
        let sentence = value.to_string();
        writeln!(all, "    {sentence}").unwrap();
        assert!(!sentence.is_empty() && seen.insert(sentence), "{what}");
    }
}

#[test]
fn sentences() {
    let held = HeldPage::new(Fingerprint::hash(b"x"), UnixSeconds(7));
    let mut all = String::new();
    use {Disagreement as D, HashCheck as H, Recheck as R, Refusal as F};
    lines(&mut all, "recheck", &[&R::Changed, &R::HashUnusable, &R::TooLongUnchecked, &R::SitemapTooOld]);
    lines(&mut all, "hash", &[&H::MatchesA, &H::MatchesB, &H::Neither]);
    lines(
        &mut all,
        "refusal",
        &[
            &F::Problems,
            &F::Status,
            &F::Redirect,
            &F::OtherOrigin,
            &F::TooManyRedirects,
            &F::NotModifiedUnasked,
            &F::Body,
        ],
    );
    lines(
        &mut all,
        "disagreement",
        &[&D::SitemapAhead, &D::SitemapDiffers, &D::SitemapBehind, &D::Regression],
    );
    lines(
        &mut all,
        "plan",
        &[
            &Plan::Skip,
            &Plan::Revalidate { held: &held, why: R::Changed },
            &Plan::Revalidate { held: &held, why: R::HashUnusable },
            &Plan::Fetch,
        ],
    );
    lines(&mut all, "body", &[&BodyChange::Store(b"{}"), &BodyChange::Keep, &BodyChange::Forget]);
    lines(
        &mut all,
        "page",
        &[
            &PageEvent::Visited(Outcome::Gone),
            &PageEvent::Visited(Outcome::NotFound),
            &PageEvent::Unlisted,
            &PageEvent::Listed,
        ],
    );
    lines(
        &mut all,
        "outcome",
        &[
            &Outcome::NotFound,
            &Outcome::Gone,
            &Outcome::Forbidden,
            &Outcome::Unavailable { retry_at: UnixSeconds(1_761_031_680) },
            &Outcome::Refuse { reason: F::Body, problems: Vec::new() },
            &Outcome::Refuse { reason: F::Problems, problems: Vec::new() },
        ],
    );
    lines(&mut all, "rate", &[&RateHint::Unstated, &RateHint::Unlimited, &RateHint::AtMost(2.5)]);
    insta::assert_snapshot!(all);
}

/// Each event of a site: its sentence with the URL that it is about, and what is stored of it, under its code.
#[test]
fn events_of_a_site() {
    let url = Url::parse("https://example.com/llm-sitemap.json").unwrap();
    let moved = Url::parse("https://example.com/2.json").unwrap();
    let error = Sitemap::new().read(b"[]", SitemapReader::any_origin()).unwrap_err();
    let read = |is_unchanged| SiteEvent::SitemapRead { url: url.clone(), is_unchanged, items: 3 };
    let events = [
        read(false),
        read(true),
        SiteEvent::Item { url: url.clone(), index: 2, issue: ItemIssue::HashMissing },
        SiteEvent::SitemapMoved { from: url.clone(), to: moved.clone() },
        SiteEvent::SitemapBroken { url: url.clone(), error },
        SiteEvent::SitemapRefused { url: url.clone(), reason: Refusal::OtherOrigin },
        SiteEvent::SitemapMissing { url: url.clone(), status: 403 },
        SiteEvent::SitemapUnavailable { url: url.clone(), retry_at: UnixSeconds(1_761_031_680) },
        SiteEvent::SiteUnavailable { status: Some(503), is_withheld: false },
        SiteEvent::SiteUnavailable { status: None, is_withheld: false },
        SiteEvent::SiteUnavailable { status: None, is_withheld: true },
        SiteEvent::SiteMoved { to: moved },
        SiteEvent::NoSitemap { has_twin: true },
        SiteEvent::NoSitemap { has_twin: false },
        SiteEvent::Policy { url: url.clone() },
        SiteEvent::PolicyUnreadable { url: url.clone() },
        SiteEvent::Denied { purpose: Some(Purpose::AiTrain) },
        SiteEvent::Denied { purpose: None },
    ];
    let (mut all, mut seen) = (String::new(), BTreeSet::new());
    for event in &events {
        let json = serde_json::to_value(event).unwrap();
        assert_eq!(json["event"], event.code(), "{event:?}");
        let sentence = event.to_string();
        let expected = match event.url() {
            Some(about) => format!("{about}: {}", event.detail()),
            None => event.detail(),
        };
        assert_eq!(sentence, expected);
        // The URL that it is about is the first that is stored.
        let stored = json.get("url").or(json.get("from")).or(json.get("to")).and_then(|url| url.as_str());
        assert_eq!(event.url().map(Url::as_str), stored);
        assert!(seen.insert(sentence.clone()), "{sentence}");
        // In the order of names, whatever order serde_json keeps in this build.
        let json = to_canonical(json.to_string().as_bytes(), Profile::Tct).unwrap();
        writeln!(all, "{}\n    {sentence}", str::from_utf8(&json).unwrap()).unwrap();
    }
    insta::assert_snapshot!(all);
}

/// From a page to its twin and back, for both kinds of pattern; what has another form belongs to no page.
#[test]
fn a_twin_leads_back_to_its_page() {
    for (pattern, other) in [
        (MUrlPattern::append("llm").unwrap(), "https://example.com/llm/post/"),
        (MUrlPattern::append("api/text").unwrap(), "https://example.com/post/llm/"),
        (MUrlPattern::prefix("llm").unwrap(), "https://example.com/post/llm/"),
        (MUrlPattern::prefix("api/text").unwrap(), "https://example.com/llm/post/"),
    ] {
        for path in ["/", "/post/", "/a/b/", "/caf%C3%A9/"] {
            let page = CUrl::parse(&format!("https://example.com{path}?q=1")).unwrap();
            let twin = pattern.m_url(&page).unwrap();
            assert_eq!(pattern.c_url_path(&twin).as_deref(), Some(path), "{pattern:?}");
        }
        assert_eq!(pattern.c_url_path(&tct::MUrl::parse(other).unwrap()), None, "{pattern:?} {other}");
    }
}

#[test]
fn a_representation_is_as_long_as_its_bytes() {
    let page = CUrl::parse("https://example.com/a/").unwrap();
    let sealed = Payload::new(&page, "A", "What it says.").seal().unwrap();
    let representation = sealed.representation(&page);
    assert_eq!(representation.len_bytes(), sealed.body().len() as u64);
    assert_eq!(representation.etag(), &format!("\"{}\"", sealed.fingerprint()));
}

/// Each fault of a document or a sitemap of draft -03, with its place and the rule that it breaks.
#[test]
fn faults_of_draft_03_name_their_rule() {
    let profile = "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html";
    let document = format!(
        r#"{{"canonical_url":"https://example.com/","content":"C","content_media_type":"text/plain","language":"en","profile":"{profile}#tct-m-url-profile","title":"T"}}"#
    );
    assert!(check_document(document.as_bytes(), &BodyLimits::default()).unwrap().findings().is_empty());
    for (good, bad, path, rule) in [
        ("https://example.com/", "relative", "/canonical_url", "TCT3-DOC-4"),
        ("\"C\"", "7", "/content", "TCT3-DOC-2"),
        ("text/plain", "plain", "/content_media_type", "TCT3-DOC-6"),
        ("\"en\"", "\"e\"", "/language", "TCT3-DOC-5"),
        ("#tct-m-url-profile", "#other", "/profile", "TCT3-PROF-1"),
        ("\"T\"", "null", "/title", "TCT3-DOC-2"),
    ] {
        let faulty = document.replace(good, bad);
        let checked = check_document(faulty.as_bytes(), &BodyLimits::default()).unwrap();
        let found: Vec<_> = checked.findings().iter().map(|it| (it.path(), it.requirement())).collect();
        assert_eq!(found, [(path, rule)], "{faulty}");
    }
    let checked = check_document(b"[]", &BodyLimits::default()).unwrap();
    let found: Vec<_> = checked.findings().iter().map(|it| (it.path(), it.requirement())).collect();
    assert_eq!(found, [("", "TCT3-DOC-1")]);
}

/// `null` lifts the limit, so that a rate which is no number must not become one.
#[test]
fn a_policy_states_rates_that_are_numbers() {
    use tct::PolicyDescriptor;
    let with = |per_second: RateHint, per_day: RateHint| {
        let mut policy = PolicyDescriptor::default();
        (policy.per_second, policy.per_day) = (per_second, per_day);
        policy.to_json().ok().map(|json| String::from_utf8(json).unwrap())
    };
    for (rate, json) in [
        (RateHint::AtMost(0.0), Some("0")),
        (RateHint::AtMost(-0.0), Some("0")),
        (RateHint::AtMost(0.5), Some("0.5")),
        (RateHint::AtMost(10_000.0), Some("10000")),
        (RateHint::AtMost(1e300), Some("1e+300")),
        (RateHint::Unlimited, Some("null")),
        (RateHint::AtMost(f64::NAN), None),
        (RateHint::AtMost(f64::INFINITY), None),
        (RateHint::AtMost(f64::NEG_INFINITY), None),
        (RateHint::AtMost(-1.0), None),
    ] {
        let hints = |name: &str| json.map(|json| format!(r#"{{"rate_hints":{{"{name}":{json}}}}}"#));
        assert_eq!(with(rate, RateHint::Unstated), hints("max_requests_per_second"), "{rate:?}");
        assert_eq!(with(RateHint::Unstated, rate), hints("max_requests_per_day"), "{rate:?}");
    }
}

/// What canonical JSON cannot be made of, each with the code that is stored and the rule.
#[test]
fn json_that_cannot_be_written_names_its_rule() {
    use tct::v03::EncodeError;
    use tct_canonical_json::JsonReader;
    let reader = JsonReader::new().max_depth(2).max_bytes(40).max_values(4);
    for (text, code, rule) in [
        (&b"[[[]]]"[..], "too-deep", "TCT3-LIM-1"),
        (b"[1,2,3,4]", "too-many-nodes", "TCT3-LIM-2"),
        (b"[\"a text that is longer than forty bytes are\"]", "too-large", "TCT3-LIM-5"),
        (b"[1e999]", "json", "TCT3-JCS-3"),
        (b"{\"a\":1,\"a\":2}", "json", "TCT3-JCS-7"),
        (b"[\"\xFF\"]", "json", "TCT3-JCS-6"),
        (b"[\"\\ud800\"]", "json", "TCT3-JCS-6"),
        (b"[1,]", "json", "TCT3-JCS-1"),
    ] {
        let fault = reader.read(text).unwrap_err();
        let error = EncodeError::from(fault.clone());
        assert_eq!((error.kind().code(), error.requirement()), (code, rule), "{}", text.escape_ascii());
        assert_eq!((error.json_error(), error.to_string()), (Some(&fault), fault.to_string()));
        assert!(error.finding().is_none());
    }
}

/// Each message is a sentence of several words, not a code.
#[test]
fn outcomes_are_sentences() {
    let refused = |problem| Outcome::Refuse { reason: Refusal::Problems, problems: vec![problem] };
    let twin = Url::parse("https://example.com/llm/").unwrap();
    let response = http::Response::new("{}");
    let opened = open_response(&twin, &response, &Expected::default(), &OpenPolicy::default());
    let mut missing = opened.problems()[0];
    (missing.code, missing.field) = (ProblemCode::FieldMissing, Some("title"));
    assert_eq!(refused(missing).to_string(), "refused: `title`: expected a string, found none");
    let reason = Refusal::Status;
    let outcome = Outcome::Refuse { reason, problems: Vec::new() };
    assert_eq!(
        outcome.to_string(),
        "refused: the status is an error that stays when the request is repeated"
    );
    let later = Outcome::Unavailable { retry_at: UnixSeconds(0) };
    assert_eq!(later.to_string(), "no usable answer: what is held is kept, next try at 1970-01-01T00:00:00Z");
    assert_eq!(PageEvent::Visited(Outcome::NotFound).to_string(), "not found: what is held is kept");
    let held = HeldPage::new("sha256-00", UnixSeconds(0));
    let disagreement = Some(Disagreement::SitemapBehind);
    assert_eq!(
        Outcome::Keep { held, disagreement }.to_string(),
        "unchanged: the held text is the present one; the endpoint has a newer text than the sitemap lists"
    );
    let url = Url::parse("https://example.com/llm-sitemap.json").unwrap();
    let event = SiteEvent::Item { url, index: 2, issue: ItemIssue::Insecure };
    assert_eq!(
        event.to_string(),
        "https://example.com/llm-sitemap.json: entry 2: expected URLs with https, found one with http"
    );
    assert_eq!(event.detail(), "entry 2: expected URLs with https, found one with http");
}
