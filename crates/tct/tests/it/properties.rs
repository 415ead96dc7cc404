//! What holds for every sitemap, every split into chunks, and every sequence of server states.

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
use proptest::prelude::*;
use tct::sealing::check_hash;
use tct::sitemap::{Sitemap, SitemapSummary};
use tct::{
    CUrl, MUrl, Outcome, Plan, SitemapBudget, SitemapEntry, SitemapEvent, SitemapLimits, SitemapReader,
    UnixSeconds, VisitStep, sitemap::SitemapError, write_sitemaps,
};
use tct_fingerprint::Fingerprint;

/// Everything that a reader says about a document that arrives in these pieces.
fn read(pieces: &[&[u8]], limits: SitemapLimits) -> (Vec<String>, Result<SitemapSummary, SitemapError>) {
    let url = url::Url::parse("https://example.com/s.json").unwrap();
    let mut reader = SitemapReader::new(&url).with_limits(limits);
    let mut said = Vec::new();
    for piece in pieces {
        let mut events = reader.push(piece);
        loop {
            match events.next() {
                Ok(Some(SitemapEvent::Item(item))) => said.push(format!("{item:?}")),
                Ok(Some(SitemapEvent::Skipped(entry))) => said.push(format!("{entry:?}")),
                Ok(None) => break,
                Err(error) => return (said, Err(error)),
            }
        }
    }
    (said, reader.finish())
}

/// Pieces of sitemaps, good and bad, joined at random.
fn document() -> impl Strategy<Value = Vec<u8>> {
    let good = r#"{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/","modified":"2025-10-01T12:34:56Z","contentHash":"sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}"#;
    let entry = prop::sample::select(vec![
        good,
        r#"{"mUrl":"https:\/\/example.com\/b\/llm\/", "cUrl" : "https://example.com/\u00e9/é" ,"etag":"x"}"#,
        r#"{"cUrl":"https://evil.example/","mUrl":"https://example.com/"}"#,
        r#"{"cUrl":"https://example.com/","mUrl":"https://example.com/ "}"#,
        r#"{"cUrl":"\ud83d\ude00","x":[[[[{"y":"]}"}]]]],"mUrl":null}"#,
        r#"{"x":"ééééééééééééééééééééééééééééé","y":-1.5e3}"#,
        r#"{"a":"\ud800","cUrl":"\ud800","mUrl":"m"}"#,
        "{}",
        "[]",
        "-0.1",
        "\"text\"",
        "null",
    ]);
    // What is not JSON comes seldom: a document that is refused at once shows nothing of what is behind.
    let broken = prop::sample::select(vec!["nonsense", "{\"a\":\u{1}}", "{\"a\":\"\t\"}", ""]);
    let entry = prop_oneof![15 => entry, 1 => broken];
    let separator = prop_oneof![20 => Just(","), 8 => Just(" ,\n"), 1 => Just(""), 1 => Just(",,")];
    let entries = prop::collection::vec((entry, separator), 0..8);
    let head = prop::sample::select(vec![
        r#"{"version":1,"profile":"tct-1","items":["#,
        r#"{"version":1,"profile":"tct-1","items":["#,
        r#"{"items":["#,
        r#"{"items":["#,
        r#"{ "x" : [1,{"items":2}], "version" : "1", "items" : [ "#,
        r#"{"sitemaps":[],"items":["#,
        "{\"items\":",
        "",
    ]);
    let tail = prop::sample::select(vec![
        "]}",
        "]}",
        "]}",
        "]}",
        "]}",
        "],\"profile\":\"é\"}",
        "] , \"version\":2 }\n",
        "]}x",
        "]",
        "",
    ]);
    (head, entries, tail, prop::bool::weighted(0.2)).prop_map(|(head, entries, tail, is_broken)| {
        let mut text = head.to_owned();
        for (index, (entry, separator)) in entries.iter().enumerate() {
            if index > 0 {
                text.push_str(separator);
            }
            text.push_str(entry);
        }
        text.push_str(tail);
        let mut bytes = text.into_bytes();
        if is_broken && bytes.len() > 40 {
            let at = bytes.len() / 2;
            bytes[at] = 0xFF;
        }
        bytes
    })
}

proptest! {
    /// Any split gives the same events, the same error at the same byte, the same summary.
    #[test]
    #[covers("TCT-SM-12")]
    fn any_split_is_the_whole(document in document(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let limits = SitemapLimits::default().with_max_item_bytes(300).with_max_depth(3);
        let whole = read(&[&document], limits);
        let single: Vec<&[u8]> = document.chunks(1).collect();
        prop_assert_eq!(&read(&single, limits), &whole);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(document.len() + 1)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&document[from..cut]);
            from = cut;
        }
        pieces.push(&document[from..]);
        prop_assert_eq!(&read(&pieces, limits), &whole);
    }

    /// A document that serde_json refuses is never read to its end, and the other way round.
    #[test]
    fn well_formed_is_what_json_is(document in document()) {
        let ours = read(&[&document], SitemapLimits::default()).1;
        let json: Result<serde_json::Value, _> = serde_json::from_slice(&document);
        match ours {
            Ok(summary) => {
                // Half a surrogate pair in a value nobody reads is no fault of grammar.
                if !String::from_utf8_lossy(&document).contains("ud800") {
                    prop_assert_eq!(json.unwrap()["items"].as_array().map(Vec::len), Some(summary.items as usize));
                }
            }
            Err(error) if error.leaves_items_usable() => prop_assert!(json.is_err(), "{error}"),
            Err(_) => {}
        }
    }

    /// What the writer writes the reader reads, within the budget, in order, nothing protected.
    #[test]
    fn written_is_read(pages in prop::collection::vec((0_u8..50, any::<bool>()), 0..30), max_items in 1_u64..8, max_bytes in 500_u64..2000) {
        let entries: Vec<SitemapEntry> = pages
            .iter()
            .enumerate()
            .map(|(index, (name, is_protected))| {
                let page = CUrl::parse(&format!("https://example.com/{index}/{name}/")).unwrap();
                let twin = MUrl::parse(&format!("https://example.com/{index}/{name}/llm/")).unwrap();
                let entry = SitemapEntry::new(page, twin, Fingerprint::hash(&[*name])).with_modified("2025-10-01T00:00:00Z");
                if *is_protected { entry.protected() } else { entry }
            })
            .collect();
        let budget = SitemapBudget::default().with_max_items(max_items).with_max_bytes(max_bytes);
        let files = write_sitemaps(entries.clone(), budget).unwrap();
        let mut merged = Sitemap::new();
        for file in &files {
            prop_assert!(file.len() as u64 <= max_bytes);
            let report = merged.read(file, SitemapReader::any_origin()).unwrap();
            prop_assert!(report.summary.version == Some(1) && report.skipped.is_empty() && report.broken.is_none());
            prop_assert!(report.summary.items <= max_items);
        }
        let public: Vec<&SitemapEntry> = entries.iter().filter(|entry| !entry.is_protected).collect();
        prop_assert_eq!(merged.pages().len(), public.len());
        for (read, written) in merged.pages().iter().zip(public) {
            prop_assert_eq!(&read.c_url, written.page.as_str());
            prop_assert_eq!(read.hash, Some(written.hash));
        }
    }

    /// A sealed payload verifies, and is in canonical form.
    #[test]
    fn sealed_is_verified(title in ".*", content in ".*", extra in "[a-z\u{e000}\u{1f600}\"\\\\]{0,6}", number in -1e9_f64..1e9) {
        let mut payload = serde_json::json!({
            "canonical_url": "https://example.com/", "title": title, "content": content,
        });
        payload[&extra] = serde_json::Value::from(number);
        prop_assume!(!["title", "content", "canonical_url"].contains(&extra.as_str()));
        let sealed = tct::sealing::Sealer::new().allow_blank().seal(&payload).unwrap();
        prop_assert_eq!(check_hash(sealed.body()).unwrap(), tct::sealing::HashCheck::MatchesA);
        prop_assert!(tct_canonical_json::is_canonical(sealed.body(), tct_canonical_json::Profile::Tct));
        // From text: serde_json's own reading of a number may be off by one in the last place.
        let again = tct::sealing::Sealer::new().allow_blank().seal_json(sealed.body()).unwrap();
        prop_assert_eq!(again, sealed, "an existing hash is replaced");
    }

    /// Whatever happens on the way, the agent stores no hash without its body and no other page's body, and once the
    /// server is still and consistent one crawl brings the agent there, and a second one does nothing.
    #[test]
    fn agents_converge(steps in prop::collection::vec((0_u8..4, 0_u8..4, 0_u8..10, any::<bool>()), 0..30), last in 0_u8..4) {
        let name = |version: u8| format!("version {version}");
        let mut cache = Cache::default();
        let mut now = 1_000_000;
        for (page, sitemap, trouble, has_date) in steps {
            now += 40_000;
            let listed = hash(&name(sitemap));
            let action = plan(&cache, listed, now);
            if action == Plan::Skip {
                continue;
            }
            let held = cache.held(twin().as_str()).cloned();
            let (outcome, _) = play(visit(Some(listed), held), now, |number, visit| {
                let honest = Answer::of(visit, &name(page), has_date.then_some(now - 10_000));
                match (trouble, number) {
                    (0, _) => Answer::status(503),
                    (1, _) => Answer::status(404),
                    (2, 1) => Answer::status(304).with(header::ETAG, &format!("\"{listed}\"")),
                    (3, 1) => Answer::status(304),
                    (4, _) => honest.with(header::LINK, "</victim/>; rel=canonical"),
                    (5, _) => Answer { body: honest.body[..honest.body.len() / 2].to_vec(), ..honest },
                    (6, 1) => Answer::of(visit, &name((page + 1) % 4), None),
                    _ => honest,
                }
            });
            if trouble == 4 {
                prop_assert!(!matches!(outcome, Outcome::Store { .. }), "another page's body");
            }
            cache.apply(twin().as_str(), outcome);
            cache.check();
        }
        // The server is still now.
        let (text, listed) = (name(last), hash(&name(last)));
        for round in 0..2 {
            now += 700_000;
            let action = plan(&cache, listed, now);
            if round == 1 && action == Plan::Skip {
                break;
            }
            let held = cache.held(twin().as_str()).cloned();
            let (outcome, requests) = play(visit(Some(listed), held), now, |_, visit| Answer::of(visit, &text, None));
            prop_assert!(requests <= 2);
            cache.apply(twin().as_str(), outcome);
            cache.check();
        }
        prop_assert_eq!(&cache.held(twin().as_str()).unwrap().hash, &tct::held::ContentHash::from(listed));
        prop_assert_eq!(plan(&cache, listed, now), Plan::Skip);
    }

    /// What is stored of a stranger's answer is the page that was asked for, byte by byte as it came, under a hash that
    /// the answer names.
    #[test]
    fn a_strangers_answer_is_stored_only_as_the_page_that_was_asked_for(answer in strangers_answer()) {
        let (status, body) = (answer.status, answer.body.clone());
        let etag = answer.headers.get(header::ETAG).map(|etag| String::from_utf8_lossy(etag.as_bytes()).into_owned());
        let start = visit(None, None);
        let url = start.url().clone();
        match start.on_response(&url, &answer.into_http(), UnixSeconds(2)) {
            VisitStep::Done(Outcome::Store { held, payload, .. }) => {
                prop_assert_eq!(status, 200);
                prop_assert_eq!(payload.json(), &body[..]);
                prop_assert!(payload.page().is_same_page(&page()));
                let json: serde_json::Value = serde_json::from_slice(&body).expect("what is stored is JSON");
                prop_assert_eq!(json["content"].as_str(), Some(payload.content().as_untrusted_str()));
                let is_named = etag.is_some_and(|etag| etag.contains(&held.hash.to_string()))
                    || json["hash"] == held.hash.to_string();
                prop_assert!(is_named && held.hash.fingerprint().is_some(), "{:?}", held);
            }
            VisitStep::Done(outcome) => prop_assert!(outcome.held().is_none(), "nothing was held: {:?}", outcome),
            VisitStep::Again(next) => prop_assert!(next.url().origin() == url.origin()),
        }
    }

    /// A request of any kind gets the whole, a part that its `Range` names, or nothing, and the fields say which.
    #[test]
    fn an_answer_is_what_its_status_and_fields_say(
        range in edited("bytes=2-5".into(), &["-", "0", "9", ",", "=", " ", "18446744073709551616", "bytes", "0-0,"]),
        tag in edited("W/\"a\", \"b\"".into(), &["*", "\"", ",", "W/", "é", " ", "\"b\""]),
        has_range in any::<bool>(), condition in 0..4_usize, len in 0_usize..12,
    ) {
        let mut request = http::HeaderMap::new();
        if let Ok(range) = http::HeaderValue::from_bytes(&range) && has_range {
            request.insert(header::RANGE, range);
        }
        let name = [header::IF_NONE_MATCH, header::IF_MATCH, header::IF_RANGE].get(condition).cloned();
        let tag = http::HeaderValue::from_bytes(&tag);
        if let (Some(name), Ok(tag)) = (&name, &tag) {
            request.insert(name, tag.clone());
        }
        let page = tct::Representation::of_etag("\"b\"".parse().unwrap(), len as u64).unwrap();
        let plan = tct::plan_response(&http::Method::GET, &request, &page);
        let part = plan.body.range(len);
        let content_range = plan.headers.get(header::CONTENT_RANGE).map(|value| value.to_str().unwrap().to_owned());
        match plan.status.as_u16() {
            200 => prop_assert_eq!((part, content_range), (0..len, None)),
            206 => {
                prop_assert!(has_range && part.end <= len && !part.is_empty());
                prop_assert_eq!(content_range, Some(format!("bytes {}-{}/{len}", part.start, part.end - 1)));
            }
            416 => prop_assert_eq!((has_range, part, content_range), (true, 0..0, Some(format!("bytes */{len}")))),
            304 => prop_assert_eq!((name, part), (Some(header::IF_NONE_MATCH), 0..0)),
            412 => prop_assert_eq!((name, part), (Some(header::IF_MATCH), 0..0)),
            other => prop_assert!(false, "status {}", other),
        }
        prop_assert_eq!(&plan.headers[header::ETAG], "\"b\"");
    }

    /// A page's links are absolute and of the web; those of its header fields come first; its body adds none.
    #[test]
    fn discovery_reads_the_head_alone(
        html in edited(
            "<!doctype html><title>a</title><link rel=alternate type=application/json href=llm/><base href=/b/><link rel='index x' type='application/json;q' href=../s.json>".into(),
            &["<", ">", "</title>", "<!--", "-->", "<template>", "</template>", "<noscript>", "\"", "'", " rel=canonical", " href=\"\"", "javascript:", "//[", "<head>", "\0", "<svg>"],
        ),
        field in edited("</a/llm/>; rel=\"alternate\"; type=\"application/json\"".into(), &["<", ">", ";", "\"", ",", "anchor=x", "rel=index;", "\\"]),
    ) {
        let url = url::Url::parse("https://example.com/a/").unwrap();
        let mut headers = http::HeaderMap::new();
        if let Ok(field) = http::HeaderValue::from_bytes(&field) {
            headers.insert(header::LINK, field);
        }
        let (of_fields, found) = (tct::discovery::discover_in_headers(&url, &headers), tct::discover(&url, &headers, &html));
        for url in found.m_urls.iter().chain(&found.sitemaps).chain(&found.policies).chain(&found.canonical) {
            prop_assert!(matches!(url.scheme(), "https" | "http") && url.host().is_some() && url.fragment().is_none());
        }
        prop_assert!(found.m_urls.starts_with(&of_fields.m_urls) && found.sitemaps.starts_with(&of_fields.sitemaps));
        // Whatever is open in the head is closed, the body begins, and another link comes.
        let closed = [&html[..], b"\"'></title></script></style></noscript></template>--></svg><p>text"].concat();
        let with_link = [&closed[..], b"<link rel=alternate type=application/json href=never-in-a-body>"].concat();
        prop_assert_eq!(tct::discover(&url, &headers, &closed), tct::discover(&url, &headers, &with_link));
    }

    /// A descriptor that was read is written so that it reads the same; what is not stated is not allowed.
    #[test]
    fn a_policy_reads_back(json in policy()) {
        let Ok((policy, faults)) = tct::PolicyDescriptor::parse(&json) else {
            return Ok(());
        };
        let tree: serde_json::Value = serde_json::from_slice(&json).expect("it was read");
        for (purpose, name) in [(tct::Purpose::AiInput, "allow_ai_input"), (tct::Purpose::AiTrain, "allow_ai_train")] {
            let expected = match tree["purposes"][name].as_bool() {
                Some(true) => tct::Permission::Allowed,
                Some(false) => tct::Permission::Denied,
                None => tct::Permission::Unstated,
            };
            prop_assert_eq!(policy.permission(purpose), expected, "{}", name);
        }
        for fault in &faults {
            prop_assert!(tree.pointer(&fault.path).is_some(), "{}", fault.path);
        }
        let (again, rest) = tct::PolicyDescriptor::parse(&policy.to_json().unwrap()).unwrap();
        prop_assert_eq!((again, rest.is_empty()), (policy, true), "{:?}", rest);
    }

    /// One field of a good response spoilt: every finding is about that field.
    #[test]
    fn findings_are_about_the_field_that_is_wrong(which in 0..6_usize, value in "[ -~]{0,30}") {
        use tct::lint::HeaderFinding as F;
        let fields: [(_, &[F]); 6] = [
            (header::ETAG, &[F::EtagAbsent, F::EtagWeak]),
            (header::LINK, &[F::CanonicalAbsent]),
            (header::CONTENT_TYPE, &[F::NotJson]),
            (header::CACHE_CONTROL, &[F::MustRevalidateAbsent, F::Private]),
            (header::VARY, &[F::VariesOnEverything, F::VaryAbsent, F::VariesOnUserAgent]),
            (header::LAST_MODIFIED, &[F::LastModifiedUnreadable, F::WeekdayWrong]),
        ];
        let sealed = common::version("one");
        let mut headers = tct::plan_response(&http::Method::GET, &http::HeaderMap::new(), &sealed.representation(&page())).headers;
        prop_assert_eq!(tct::lint::check_headers(&headers), []);
        let (name, about) = &fields[which];
        headers.insert(name, value.parse().unwrap());
        let found = tct::lint::check_headers(&headers);
        prop_assert!(found.iter().all(|finding| about.contains(finding)), "{:?}", found);
        headers.remove(name);
        let absent = tct::lint::check_headers(&headers);
        prop_assert_eq!(absent.is_empty(), *name == header::LAST_MODIFIED, "{:?}", absent);
    }
}

/// A text with up to three edits: a few bytes gone, a piece in their place.
fn edited(text: String, pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(pieces));
    prop::collection::vec(edit, 0..4).prop_map(move |edits| {
        let mut bytes = text.clone().into_bytes();
        for (at, gone, piece) in edits {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..(at + gone).min(bytes.len()), piece.bytes());
        }
        bytes
    })
}

/// The answer of an honest server, spoilt here and there.
fn strangers_answer() -> impl Strategy<Value = Answer> {
    let sealed = common::version("one");
    let body = String::from_utf8(sealed.body().to_vec()).unwrap();
    let body = edited(
        body,
        &[
            "\"",
            "}",
            ",",
            ":",
            "{",
            "null",
            "\\u0000",
            "é",
            "/",
            "\"title\":\"x\",",
            "one",
            "[[",
            "\u{1}",
            "0",
        ],
    );
    let link =
        edited("</post/>; rel=canonical".into(), &["<", ">", "x", "/", ";", ", </y>; rel=canonical", "//"]);
    let etag = edited(format!("\"{}\"", hash("one")), &["W/", "\"", "-gzip", "0", ", "]);
    let status = prop_oneof![9 => Just(200_u16), 1 => 200_u16..600];
    (body, link, etag, status, 0..4_usize).prop_map(|(body, link, etag, status, spoilt)| {
        let mut answer = Answer::status(status).with(header::CONTENT_TYPE, "application/json");
        // One of the three is spoilt, or all of them: three at once would hardly ever pass.
        let link = if matches!(spoilt, 0 | 3) { link } else { b"</post/>; rel=canonical".to_vec() };
        let etag = if matches!(spoilt, 1 | 3) { etag } else { format!("\"{}\"", hash("one")).into_bytes() };
        answer.body = if spoilt >= 2 { body } else { common::version("one").body().to_vec() };
        for (name, value) in [(header::LINK, link), (header::ETAG, etag)] {
            if let Ok(value) = http::HeaderValue::from_bytes(&value) {
                answer.headers.insert(name, value);
            }
        }
        answer
    })
}

/// A policy descriptor, spoilt here and there.
fn policy() -> impl Strategy<Value = Vec<u8>> {
    let good = r#"{"profile":"tct-policy-1","version":1,"effective":"2025-10-01T00:00:00Z","purposes":{"allow_ai_input":true,"allow_ai_train":false,"allow_search_indexing":true},"policy_urls":{"terms_of_service":"https://a.example/t","contact":"mailto:a@a.example"},"requirements":{"attribution_required":true},"rate_hints":{"max_requests_per_second":2,"note":"n"}}"#;
    edited(
        good.into(),
        &["true", "\"", "null", "1e9", "-1", "[]", "{", "}", ",", "x", "\"allow_ai_train\":true,", "\\"],
    )
}

/// Strategies whose inputs are all refused at once test nothing.
#[test]
fn a_good_part_of_the_spoilt_input_is_read() {
    fn share<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, passes: impl Fn(T) -> bool) -> usize {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        (0..200).filter(|_| passes(strategy.new_tree(&mut runner).unwrap().current())).count()
    }
    use proptest::strategy::ValueTree as _;
    let stored = share(strangers_answer(), |answer| {
        let start = visit(None, None);
        let url = start.url().clone();
        let step = start.on_response(&url, &answer.into_http(), UnixSeconds(2));
        matches!(step, VisitStep::Done(Outcome::Store { .. }))
    });
    let policies = share(policy(), |json| tct::PolicyDescriptor::parse(&json).is_ok());
    let sitemaps = share(document(), |json| read(&[&json], SitemapLimits::default()).1.is_ok());
    for read in [stored, policies, sitemaps] {
        assert!((40..180).contains(&read), "{stored} {policies} {sitemaps} of 200");
    }
}
