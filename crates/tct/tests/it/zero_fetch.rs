//! A row of the agent's flow each: what sitemap, cache and endpoint can say, and what follows.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;

use crate::common;

use common::{Answer, Cache, hash, page, plan, play, twin, visit};
use http::header;
use tct::held::{ContentHash, HeldTag};
use tct::open::ProblemCode;
use tct::plan::{Recheck, SitemapDate};
use tct::sitemap::{ItemIssue, Sitemap};
use tct::visit::{Disagreement, Refusal};
use tct::{
    CUrl, Fingerprint, HeldPage, OpenPolicy, Outcome, Plan, PlanPolicy, Planner, SitemapReader, UnixSeconds,
    Visit, VisitPolicy, VisitStep,
};

/// What is held of version `text`, as an earlier visit left it.
fn held(text: &str, modified: Option<u64>, now: u64) -> HeldPage {
    let (outcome, _) = play(visit(None, None), now, |_, visit| Answer::of(visit, text, modified));
    let Outcome::Store { held, .. } = outcome else { panic!("{outcome:?}") };
    held
}

fn disagreement(outcome: &Outcome) -> Option<Disagreement> {
    match outcome {
        Outcome::Store { disagreement, .. } | Outcome::Keep { disagreement, .. } => *disagreement,
        _ => None,
    }
}

/// The entity tag of a version.
fn tag(text: &str) -> HeldTag {
    HeldTag::parse(&format!("\"{}\"", hash(text))).unwrap()
}

fn stored_hash(outcome: &Outcome) -> Fingerprint {
    match outcome {
        Outcome::Store { held, .. } | Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => {
            held.hash.fingerprint().expect("a visit stores fingerprints")
        }
        other => panic!("{other:?}"),
    }
}

/// Hashes are compared as strings, and none is derived from a human page.
#[test]
#[covers("TCT-FP-11")]
fn no_fingerprint_is_made_of_a_human_page() {
    let mut cache = Cache::default();
    let (outcome, _) = play(visit(Some(hash("one")), None), 100, |_, visit| Answer::of(visit, "one", None));
    cache.apply(twin().as_str(), outcome);
    // The same digest in another spelling is another string, and no fingerprint.
    let respelled = hash("one").to_string().to_uppercase().replace("SHA256-", "sha256-");
    assert_eq!(plan(&cache, hash("one"), 200), Plan::Skip);
    let odd = HeldPage::new(respelled.as_str(), UnixSeconds(200));
    assert_eq!((odd.hash.fingerprint(), odd.hash.to_string()), (None, respelled.clone()));
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(200)), UnixSeconds(200));
    assert_ne!(planner.plan(Some(hash("one")), Some(&odd)), Plan::Skip);
    let item = format!(r#"{{"cUrl":"{}","mUrl":"{}","contentHash":"{respelled}"}}"#, page(), twin());
    let mut sitemap = Sitemap::new();
    let file = format!(r#"{{"version":1,"items":[{item}]}}"#);
    let report = sitemap.read(file.as_bytes(), SitemapReader::new(twin().as_url())).unwrap();
    assert_eq!(report.skipped[0].issue, ItemIssue::HashMalformed);
    let held = cache.held(twin().as_str());
    assert_ne!(planner.plan(sitemap.pages()[0].hash, held), Plan::Skip);
    // The page in place of its twin: its text has the listed fingerprint, and all the same nothing is stored.
    let listed = tct_fingerprint::fingerprint("one");
    let (outcome, _) = play(visit(Some(listed), None), 300, |_, visit| {
        let page = Answer::of(visit, "one", None).with(header::CONTENT_TYPE, "text/html; charset=utf-8");
        Answer { body: b"one".to_vec(), ..page }
    });
    assert!(matches!(outcome, Outcome::Refuse { .. }), "{outcome:?}");
}

/// Fetch, then skip, then fetch what changed.
#[test]
#[covers("TCT-ZF-1", "TCT-ZF-2", "TCT-ZF-4")]
fn a_site_is_crawled_three_times() {
    let mut cache = Cache::default();
    assert_eq!(plan(&cache, hash("one"), 100), Plan::Fetch);
    let (outcome, requests) =
        play(visit(Some(hash("one")), None), 100, |_, visit| Answer::of(visit, "one", None));
    assert_eq!((requests, disagreement(&outcome)), (1, None));
    cache.apply(twin().as_str(), outcome);
    assert_eq!(plan(&cache, hash("one"), 200), Plan::Skip);

    let changed = plan(&cache, hash("two"), 300);
    assert_eq!(changed.if_none_match().unwrap(), format!("\"{}\"", hash("one")), "TCT-AMB-22");
    let held = cache.held(twin().as_str()).cloned();
    let (outcome, requests) =
        play(visit(Some(hash("two")), held), 300, |_, visit| Answer::of(visit, "two", None));
    assert_eq!((requests, stored_hash(&outcome)), (1, hash("two")));
    cache.apply(twin().as_str(), outcome);
    cache.check();
    assert_eq!(plan(&cache, hash("two"), 400), Plan::Skip);
    assert_eq!(cache.held(twin().as_str()).unwrap().history.earlier, [ContentHash::from(hash("one"))]);
}

/// C ≠ S, 304: asked again past all caches, then C is kept and S is not stored.
#[test]
fn a_304_never_stores_the_sitemaps_hash() {
    let old = held("one", None, 100);
    let (outcome, requests) = play(visit(Some(hash("two")), Some(old)), 200, |number, visit| {
        let request = visit.request();
        assert_eq!(
            request.headers().contains_key(header::CACHE_CONTROL),
            number == 2,
            "the second goes end to end"
        );
        assert!(request.headers().contains_key(header::IF_NONE_MATCH));
        Answer::of(visit, "one", None)
    });
    assert_eq!(requests, 2);
    assert!(matches!(outcome, Outcome::Keep { .. }));
    assert_eq!(
        (stored_hash(&outcome), disagreement(&outcome)),
        (hash("one"), Some(Disagreement::SitemapAhead))
    );
}

/// C ≠ S, a cache in between says 304, the origin has E = S.
#[test]
fn a_stale_cache_in_between_is_passed_by() {
    let (outcome, requests) =
        play(visit(Some(hash("two")), Some(held("one", None, 1))), 2, |number, visit| {
            Answer::of(visit, if number == 1 { "one" } else { "two" }, None)
        });
    assert_eq!((requests, stored_hash(&outcome), disagreement(&outcome)), (2, hash("two"), None));
}

/// A 304 that names a tag which was not sent is no confirmation.
#[test]
#[covers("TCT-AMB-22")]
fn a_304_for_an_unsent_tag_is_fetched_without_conditions() {
    let unsent = format!("\"{}\"", hash("two"));
    let (outcome, requests) =
        play(visit(Some(hash("two")), Some(held("one", None, 1))), 2, |number, visit| {
            if number == 1 {
                return Answer::status(304).with(header::ETAG, &unsent);
            }
            assert!(!visit.request().headers().contains_key(header::IF_NONE_MATCH));
            Answer::of(visit, "two", None)
        });
    assert_eq!((requests, stored_hash(&outcome)), (2, hash("two")));
}

#[test]
fn a_server_that_says_304_to_everything_is_given_up() {
    for start in [None, Some(held("one", None, 1))] {
        let (outcome, requests) = play(visit(Some(hash("two")), start), 2, |_, _| {
            Answer::status(304).with(header::ETAG, "\"something\"")
        });
        assert!(requests <= 2);
        assert!(
            matches!(outcome, Outcome::Refuse { reason: Refusal::NotModifiedUnasked, .. }),
            "{outcome:?}"
        );
    }
}

/// No C, E ≠ S: the endpoint is authoritative.
#[test]
#[covers("TCT-ERR-2", "TCT-PAR-4")]
fn a_first_fetch_that_differs_from_the_sitemap_is_taken_and_reported() {
    let (outcome, _) = play(visit(Some(hash("two")), None), 1, |_, visit| Answer::of(visit, "one", None));
    assert_eq!(disagreement(&outcome), Some(Disagreement::SitemapDiffers));
    let Outcome::Store { held, problems, .. } = outcome else { panic!() };
    assert_eq!(held.hash, hash("one"));
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [ProblemCode::SitemapParity]);
}

/// All three differ: E is taken, with a warning.
#[test]
fn when_all_three_differ_the_endpoint_is_taken() {
    let (outcome, requests) = play(visit(Some(hash("two")), Some(held("one", None, 1))), 2, |_, visit| {
        Answer::of(visit, "three", None)
    });
    assert_eq!((requests, stored_hash(&outcome)), (1, hash("three")));
    assert_eq!(disagreement(&outcome), Some(Disagreement::SitemapDiffers));
}

/// C = S, the endpoint went back to what was seen before.
#[test]
#[covers("TCT-ZF-6", "TCT-ZF-7", "TCT-AMB-24")]
fn a_step_back_is_asked_again_and_not_taken() {
    let mut now = held("two", None, 1);
    now.history.earlier = vec![hash("one").into()];
    let (outcome, requests) = play(visit(Some(hash("two")), Some(now)), 2, |number, visit| {
        assert_eq!(visit.request().headers().contains_key(header::CACHE_CONTROL), number == 2);
        Answer::of(visit, "one", None)
    });
    assert_eq!((requests, stored_hash(&outcome)), (2, hash("two")));
    assert_eq!(disagreement(&outcome), Some(Disagreement::Regression));
    assert_eq!(outcome.held().map(|held| held.validated_at), Some(UnixSeconds(2)));
}

#[test]
fn an_earlier_last_modified_is_a_step_back() {
    let (outcome, requests) =
        play(visit(Some(hash("two")), Some(held("two", Some(500), 1))), 2, |_, visit| {
            Answer::of(visit, "unseen", Some(400))
        });
    assert_eq!((requests, disagreement(&outcome)), (2, Some(Disagreement::Regression)));
}

#[test]
fn a_later_last_modified_is_news_at_once() {
    let (outcome, requests) =
        play(visit(Some(hash("two")), Some(held("two", Some(500), 1))), 2, |_, visit| {
            Answer::of(visit, "three", Some(600))
        });
    assert_eq!((requests, stored_hash(&outcome)), (1, hash("three")));
    assert_eq!(disagreement(&outcome), Some(Disagreement::SitemapBehind));
}

/// C = S, E differs and nothing says that it is newer. C is kept, however often E is repeated.
#[test]
#[covers("TCT-AMB-23")]
fn an_answer_of_unknown_age_does_not_replace_what_the_sitemap_names() {
    let (outcome, requests) = play(visit(Some(hash("two")), Some(held("two", None, 1))), 2, |_, visit| {
        Answer::of(visit, "three", None)
    });
    assert_eq!((requests, stored_hash(&outcome)), (2, hash("two")));
    assert_eq!(disagreement(&outcome), Some(Disagreement::Regression));
}

#[test]
fn a_doubtful_answer_that_the_origin_takes_back_changes_nothing() {
    let (outcome, requests) =
        play(visit(Some(hash("two")), Some(held("two", None, 1))), 2, |number, visit| {
            Answer::of(visit, if number == 1 { "one" } else { "two" }, None)
        });
    assert_eq!((requests, stored_hash(&outcome), disagreement(&outcome)), (2, hash("two"), None));
}

#[test]
#[covers("TCT-AMB-45", "TCT-AMB-46")]
fn equality_is_trusted_for_a_limited_time() {
    let day = 86_400;
    let old = held("one", None, 0);
    let policy = PlanPolicy::default();
    let at = |sitemap_at, now| Planner::new(policy, SitemapDate(UnixSeconds(sitemap_at)), UnixSeconds(now));
    let name = hash("one");
    assert_eq!(at(7 * day, 7 * day).plan(Some(name), Some(&old)), Plan::Skip);
    let late = at(7 * day + 1, 7 * day + 1).plan(Some(name), Some(&old));
    assert!(matches!(late, Plan::Revalidate { why: Recheck::TooLongUnchecked, .. }));
    let stale = at(0, day + 1).plan(Some(name), Some(&old));
    assert!(matches!(stale, Plan::Revalidate { why: Recheck::SitemapTooOld, .. }));
    let unusable = at(0, 0).plan(None, Some(&old));
    assert!(matches!(unusable, Plan::Revalidate { why: Recheck::HashUnusable, .. }));
    assert_eq!(at(0, 0).plan(None, None), Plan::Fetch);
}

#[test]
fn a_confirmed_page_is_skipped_again() {
    let (outcome, _) = play(visit(Some(hash("one")), Some(held("one", None, 0))), 900_000, |_, visit| {
        Answer::of(visit, "one", None)
    });
    let Outcome::Keep { held, disagreement: None } = outcome else { panic!("{outcome:?}") };
    let now = UnixSeconds(900_001);
    assert_eq!(
        Planner::new(PlanPolicy::default(), SitemapDate(now), now).plan(Some(hash("one")), Some(&held)),
        Plan::Skip
    );
}

/// Several stored versions, the page goes back to one of them.
#[test]
#[covers("TCT-AMB-22")]
fn all_stored_versions_are_asked_about() {
    let mut now = held("two", None, 1);
    now.history.other_versions = vec![tag("one")];
    let (outcome, requests) =
        play(visit(Some(hash("one")), Some(now)), 2, |_, visit| Answer::of(visit, "one", None));
    assert_eq!((requests, stored_hash(&outcome), disagreement(&outcome)), (1, hash("one"), None));
    let Outcome::Restore { held, .. } = outcome else { panic!("another body is meant than the present one") };
    assert_eq!(held.history.other_versions, [tag("two")]);
}

#[test]
#[covers("TCT-HEAD-4", "TCT-AMB-42")]
fn head_is_asked_first_where_the_policy_says_so() {
    let policy = VisitPolicy::default().with_head_first();
    let start = |sitemap: Fingerprint| {
        Visit::new(&twin(), &page(), Some(sitemap), Some(held("one", None, 1)), policy)
    };
    let (outcome, requests) = play(start(hash("one")), 2, |_, visit| {
        assert_eq!(*visit.request().method(), http::Method::HEAD);
        Answer::of(visit, "one", None)
    });
    assert_eq!((requests, disagreement(&outcome)), (1, None));
    for blocked in [403, 405] {
        let (outcome, requests) = play(start(hash("two")), 2, |number, visit| {
            if number == 1 { Answer::status(blocked) } else { Answer::of(visit, "two", None) }
        });
        assert_eq!((requests, stored_hash(&outcome)), (2, hash("two")), "{blocked}");
    }
    // A server that ignores the condition on HEAD: its tag tells.
    let (outcome, requests) = play(start(hash("one")), 2, |_, _| {
        Answer::status(200).with(header::ETAG, &format!("W/\"{}\"", hash("one")))
    });
    assert_eq!((requests, stored_hash(&outcome)), (1, hash("one")));
}

#[test]
#[covers("TCT-ERR-3", "TCT-ERR-4", "TCT-ERR-5", "TCT-ERR-6", "TCT-SEC-16")]
fn statuses_mean_what_they_say() {
    let ask = |answer: Answer| play(visit(None, Some(held("one", None, 1))), 1_000, |_, _| answer.clone()).0;
    assert_eq!(ask(Answer::status(410)), Outcome::Gone);
    assert_eq!(ask(Answer::status(404)), Outcome::NotFound);
    assert_eq!(ask(Answer::status(401)), Outcome::Forbidden);
    assert_eq!(ask(Answer::status(403)), Outcome::Forbidden);
    let retry = |at| Outcome::Unavailable { retry_at: UnixSeconds(at) };
    assert_eq!(ask(Answer::status(500)), retry(1_060));
    assert_eq!(ask(Answer::status(503).with(header::RETRY_AFTER, "120")), retry(1_120));
    assert_eq!(ask(Answer::status(429).with(header::RETRY_AFTER, "garbage")), retry(1_060));
    assert_eq!(
        ask(Answer::status(429).with(header::RETRY_AFTER, "Thu, 01 Jan 1970 00:33:20 GMT")),
        retry(2_000)
    );
    assert_eq!(
        ask(Answer::status(429).with(header::RETRY_AFTER, "Thu, 01 Jan 1970 00:00:20 GMT")),
        retry(1_000)
    );
    assert_eq!(ask(Answer::status(503).with(header::RETRY_AFTER, "999999999")), retry(1_000 + 86_400));
    assert!(
        matches!(ask(Answer::status(200)), Outcome::Refuse { reason: Refusal::Problems, .. }),
        "an empty 200"
    );
    assert!(matches!(ask(Answer::status(206)), Outcome::Refuse { .. }));
    let VisitStep::Done(failed) = visit(None, None).on_failure(UnixSeconds(5)) else { panic!() };
    assert_eq!(failed, retry(65));
}

/// Chain, loop, relative target, another origin.
#[test]
#[covers("TCT-DISC-5")]
fn redirects_are_followed_within_the_origin() {
    let moved = |to: &str| Answer::status(308).with(header::LOCATION, to);
    let (outcome, requests) = play(visit(None, None), 1, |number, visit| match number {
        1 => moved("/a/llm/"),
        2 => moved("../b/llm/#x"),
        _ => {
            assert_eq!(visit.request().uri(), "https://example.com/a/b/llm/");
            Answer::of(visit, "one", None)
        }
    });
    assert_eq!((requests, stored_hash(&outcome)), (3, hash("one")));
    let refusal = |answer: Answer| match play(visit(None, None), 1, |_, _| answer.clone()).0 {
        Outcome::Refuse { reason, .. } => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refusal(moved("https://evil.example/")), Refusal::Redirect);
    assert_eq!(refusal(moved("http://example.com/post/llm/")), Refusal::Redirect);
    assert_eq!(refusal(Answer::status(302)), Refusal::Redirect);
    assert_eq!(refusal(moved("")), Refusal::TooManyRedirects, "to itself");
    let (endless, _) = play(visit(None, None), 1, |number, _| moved(&format!("/{number}")));
    assert!(matches!(endless, Outcome::Refuse { reason: Refusal::TooManyRedirects, .. }));
    let (looped, _) =
        play(visit(None, None), 1, |number, _| moved(if number % 2 == 1 { "/x" } else { "/post/llm/" }));
    assert!(matches!(looped, Outcome::Refuse { reason: Refusal::TooManyRedirects, .. }));
}

/// Weak tag, no Link on 304, permalinks without the slash.
#[test]
#[covers("TCT-DEP-1", "TCT-DEP-2", "TCT-DEP-3", "TCT-DEP-4")]
fn the_deployed_plugin_is_read_in_lenient_mode() {
    let weak = |answer: Answer| {
        let tag = format!("W/{}", answer.headers[header::ETAG].to_str().unwrap());
        answer.with(header::ETAG, &tag)
    };
    let (outcome, _) =
        play(visit(Some(hash("one")), None), 1, |_, visit| weak(Answer::of(visit, "one", None)));
    let Outcome::Store { held, problems, disagreement: None, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [ProblemCode::EtagWeak]);
    assert_eq!(
        (held.hash.fingerprint(), held.etag.as_ref().map(HeldTag::as_str)),
        (Some(hash("one")), Some(&*format!("W/\"{}\"", hash("one"))))
    );
    let (outcome, _) =
        play(visit(Some(hash("one")), Some(held)), 2, |_, visit| weak(Answer::of(visit, "one", None)));
    assert!(matches!(outcome, Outcome::Keep { disagreement: None, .. }));

    // The canonical link has no slash, the sitemap's page has.
    let slashless =
        |visit: &Visit| Answer::of(visit, "one", None).with(header::LINK, "</post>; rel=canonical");
    let (refused, _) = play(visit(None, None), 1, |_, visit| slashless(visit));
    assert!(matches!(refused, Outcome::Refuse { .. }));
    let folding = VisitPolicy::default().with_open(OpenPolicy::default().with_folded_slashes());
    let (taken, _) = play(Visit::new(&twin(), &page(), None, None, folding), 1, |_, visit| slashless(visit));
    assert!(matches!(taken, Outcome::Store { .. }), "{taken:?}");
}

/// Another page's answer is never stored as this one's.
#[test]
#[covers("TCT-CANON-2", "TCT-AMB-29")]
fn another_pages_answer_is_refused() {
    let other = CUrl::parse("https://example.com/other/").unwrap();
    let (outcome, _) =
        play(Visit::new(&twin(), &other, None, None, VisitPolicy::default()), 1, |_, visit| {
            Answer::of(visit, "one", None)
        });
    let Outcome::Refuse { problems, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(problems[0].code, ProblemCode::CanonicalMismatch);
    assert!(problems[0].is_fatal);
}

/// Strict agents reject what lenient ones report.
#[test]
#[covers("TCT-PAR-4", "TCT-D01-5")]
fn strict_agents_reject_parity_violations() {
    let strict = VisitPolicy::default().with_open(OpenPolicy::strict());
    let start = |sitemap: Fingerprint| Visit::new(&twin(), &page(), Some(sitemap), None, strict);
    let (taken, _) = play(start(hash("one")), 1, |_, visit| Answer::of(visit, "one", None));
    assert!(matches!(taken, Outcome::Store { .. }));
    let (refused, _) = play(start(hash("two")), 1, |_, visit| Answer::of(visit, "one", None));
    assert!(matches!(refused, Outcome::Refuse { reason: Refusal::Problems, .. }));
}

#[test]
fn what_is_held_without_a_tag_is_fetched_plainly() {
    let mut untagged = held("one", None, 1);
    untagged.etag = None;
    let now = UnixSeconds(1);
    assert_eq!(
        Planner::new(PlanPolicy::default(), SitemapDate(now), now).plan(Some(hash("x")), Some(&untagged)),
        Plan::Fetch
    );
    // No request of the visit carries a condition, and what comes is stored in place of what was held.
    let (outcome, requests) = play(visit(Some(hash("two")), Some(untagged)), 2, |_, visit| {
        assert!(!visit.request().headers().contains_key(header::IF_NONE_MATCH));
        Answer::of(visit, "two", None)
    });
    assert_eq!((requests, stored_hash(&outcome), disagreement(&outcome)), (1, hash("two"), None));
    let tagged = visit(None, Some(held("one", None, 1))).request();
    assert_eq!(
        tagged.headers()[header::IF_NONE_MATCH],
        format!("\"{}\"", hash("one")),
        "with a tag there is one"
    );
}

/// A clock that ran ahead: what was confirmed in the future is asked about at once.
#[test]
fn a_confirmation_from_the_future_proves_nothing() {
    let ahead = held("one", None, 10_000);
    let plan = |sitemap, now| {
        let planner =
            Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(sitemap)), UnixSeconds(now));
        planner.plan(Some(hash("one")), Some(&ahead)).name()
    };
    assert_eq!(plan(9_999, 9_999), "revalidate", "the body's confirmation lies ahead");
    assert_eq!(plan(10_000, 10_000), "skip");
    assert_eq!(plan(10_001, 10_000), "revalidate", "the sitemap's date lies ahead");
}

/// Zero-fetch with a listed hash that never comes true: two requests once, one a day after that, none in between.
#[test]
fn a_disputed_hash_costs_one_request_a_day() {
    let (outcome, requests) = play(visit(Some(hash("two")), Some(held("one", None, 1))), 100, |_, visit| {
        Answer::of(visit, "one", None)
    });
    let Outcome::Keep { held, disagreement: Some(Disagreement::SitemapAhead) } = outcome else { panic!() };
    assert_eq!((requests, held.history.disputed), (2, Some(hash("two"))));
    let at = |now| Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(now)), UnixSeconds(now));
    assert_eq!(at(100 + 86_400).plan(Some(hash("two")), Some(&held)), Plan::Skip);
    assert_eq!(at(100 + 86_401).plan(Some(hash("two")), Some(&held)).name(), "revalidate");
    assert_eq!(at(200).plan(Some(hash("three")), Some(&held)).name(), "revalidate", "another hash is news");
    let (_, requests) =
        play(visit(Some(hash("two")), Some(held)), 90_000, |_, visit| Answer::of(visit, "one", None));
    assert_eq!(requests, 1);
    // The same where the endpoint answered with another body.
    let (outcome, _) = play(visit(Some(hash("two")), None), 100, |_, visit| Answer::of(visit, "one", None));
    let stored = outcome.held().unwrap();
    assert_eq!(at(200).plan(Some(hash("two")), Some(stored)), Plan::Skip);
}

/// A suffix of a compressing server is taken off, and zero-fetch works; it is noted.
#[test]
#[covers("TCT-AMB-21")]
fn a_coding_suffix_keeps_zero_fetch() {
    let coded = |answer: Answer, tag: &str| answer.with(header::ETAG, tag);
    for tag in [format!("W/\"{}-gzip\"", hash("one")), format!("\"{}-br\"", hash("one"))] {
        let (outcome, _) =
            play(visit(Some(hash("one")), None), 1, |_, visit| coded(Answer::of(visit, "one", None), &tag));
        let Outcome::Store { held, notes, disagreement: None, .. } = outcome else { panic!("{outcome:?}") };
        assert!(notes.contains(&tct::open::PayloadNote::EtagSuffix));
        assert_eq!(
            (held.hash.fingerprint(), held.etag.as_ref().map(HeldTag::as_str)),
            (Some(hash("one")), Some(tag.as_str()))
        );
        let now = UnixSeconds(2);
        let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
        assert_eq!(planner.plan(Some(hash("one")), Some(&held)), Plan::Skip);
    }
    // A tag that is no hash: the payload's own hash stands in.
    let (outcome, _) = play(visit(Some(hash("one")), None), 1, |_, visit| {
        coded(Answer::of(visit, "one", None), "\"5f3a-1\"")
    });
    assert_eq!((stored_hash(&outcome), disagreement(&outcome)), (hash("one"), None));
    assert_eq!(outcome.held().unwrap().etag, HeldTag::parse("\"5f3a-1\""));
}

/// `no-store` is in the outcome, and `private` beside it.
#[test]
#[covers("TCT-SEC-15")]
fn what_may_not_be_stored_is_not_stored() {
    let with = |value: &str| {
        play(visit(None, None), 1, |_, visit| {
            Answer::of(visit, "one", None).with(header::CACHE_CONTROL, value)
        })
        .0
    };
    assert!(matches!(with("no-store"), Outcome::UseOnce { .. }));
    assert!(matches!(with("max-age=0, No-Store"), Outcome::UseOnce { .. }));
    assert!(matches!(with("private, max-age=0"), Outcome::Store { is_private: true, .. }));
    assert!(matches!(with("max-age=0"), Outcome::Store { is_private: false, .. }));
}

/// Of two `ETag` lines none is stored, so none is sent later.
#[test]
#[covers("TCT-ETAG-1")]
fn two_entity_tags_are_none() {
    let (outcome, _) = play(visit(None, None), 1, |_, visit| {
        let mut answer = Answer::of(visit, "one", None);
        answer.headers.append(header::ETAG, "\"other\"".parse().unwrap());
        answer
    });
    let Outcome::Store { held, problems, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(problems[0].code, ProblemCode::EtagMalformed);
    assert_eq!((held.etag, held.hash), (None, hash("one").into()));
}

/// A 304's `Last-Modified` is the newer word.
#[test]
#[covers("TCT-COND-8")]
fn a_304_brings_its_last_modified() {
    let (outcome, _) = play(visit(Some(hash("one")), Some(held("one", Some(500), 1))), 2, |_, visit| {
        Answer::of(visit, "one", Some(700))
    });
    let Outcome::Keep { held, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(held.history.last_modified, Some(UnixSeconds(700)));
}

/// A client that followed a redirect by itself: another origin's text is never stored.
#[test]
fn a_response_from_another_origin_is_refused() {
    let answer = |visit: &Visit| Answer::of(visit, "one", None).into_http();
    let ask = |url: &str| {
        let visit = visit(None, None);
        let response = answer(&visit);
        let VisitStep::Done(outcome) =
            visit.on_response(&url::Url::parse(url).unwrap(), &response, UnixSeconds(1))
        else {
            panic!()
        };
        outcome
    };
    for url in ["https://evil.example/post/llm/", "http://example.com/post/llm/", "https://example.com:8443/"]
    {
        assert!(matches!(ask(url), Outcome::Refuse { reason: Refusal::OtherOrigin, .. }), "{url}");
    }
    for url in ["https://example.com/post/llm/#x", "https://example.com/elsewhere/"] {
        assert!(matches!(ask(url), Outcome::Store { .. }), "{url}");
    }
}

/// Statuses that stay are not asked again; 412 to a condition is asked without it.
#[test]
fn statuses_that_will_not_mend_are_final() {
    let ask = |status| play(visit(None, Some(held("one", None, 1))), 1_000, |_, _| Answer::status(status)).0;
    for status in [400, 405, 406, 411, 413, 414, 415, 416, 417, 422, 426, 428, 431, 501, 505] {
        assert!(matches!(ask(status), Outcome::Refuse { reason: Refusal::Status, .. }), "{status}");
    }
    for status in [401, 402, 403, 407, 451] {
        assert_eq!(ask(status), Outcome::Forbidden, "{status}");
    }
    for status in [408, 421, 425, 429, 500, 502, 503, 504, 520] {
        assert!(matches!(ask(status), Outcome::Unavailable { .. }), "{status}");
    }
    let (outcome, requests) =
        play(visit(None, Some(held("one", None, 1))), 1, |number, visit| match number {
            1 => Answer::status(412),
            _ => Answer::of(visit, "one", None),
        });
    assert_eq!((requests, stored_hash(&outcome)), (2, hash("one")));
}
