//! What holds for every sitemap, every split into chunks, and every sequence of server states.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;

mod common;

use common::{Answer, Cache, hash, plan, play, twin, visit};
use http::header;
use proptest::prelude::*;
use tct::sealing::check_hash;
use tct::sitemap::{Sitemap, SitemapSummary};
use tct::{
    CUrl, HeldPage, MUrl, Outcome, Plan, SitemapBudget, SitemapEntry, SitemapError, SitemapEvent,
    SitemapLimits, SitemapReader, UnixSeconds, write_sitemaps,
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
        "nonsense",
        "{\"a\":\u{1}}",
        "{\"a\":\"\t\"}",
        "",
    ]);
    let separator = prop::sample::select(vec![",", ",", ",", " ,\n", "", ",,"]);
    let entries = prop::collection::vec((entry, separator), 0..8);
    let head = prop::sample::select(vec![
        r#"{"version":1,"profile":"tct-1","items":["#,
        r#"{"items":["#,
        r#"{ "x" : [1,{"items":2}], "version" : "1", "items" : [ "#,
        r#"{"sitemaps":[],"items":["#,
        "{\"items\":",
        "",
    ]);
    let tail = prop::sample::select(vec![
        "]}",
        "]}",
        "],\"profile\":\"é\"}",
        "] , \"version\":2 }\n",
        "]}x",
        "]",
        "",
    ]);
    (head, entries, tail, any::<bool>()).prop_map(|(head, entries, tail, is_broken)| {
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
            prop_assert!(report.summary.is_current_version() && report.skipped.is_empty() && report.broken.is_none());
            prop_assert!(report.summary.items <= max_items);
        }
        let public: Vec<&SitemapEntry> = entries.iter().filter(|entry| !entry.is_protected).collect();
        prop_assert_eq!(merged.pages().len(), public.len());
        for (read, written) in merged.pages().iter().zip(public) {
            prop_assert_eq!(&read.c_url, written.page.as_str());
            prop_assert_eq!(read.hash.as_deref(), Some(&*written.hash.to_string()));
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
            let action = plan(&cache, &listed, now);
            if action == Plan::Skip {
                continue;
            }
            let held = cache.held(twin().as_str()).cloned();
            let (outcome, _) = play(visit(Some(&listed), held), now, |number, visit| {
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
            let action = plan(&cache, &listed, now);
            if round == 1 && action == Plan::Skip {
                break;
            }
            let held = cache.held(twin().as_str()).cloned();
            let (outcome, requests) = play(visit(Some(&listed), held), now, |_, visit| Answer::of(visit, &text, None));
            prop_assert!(requests <= 2);
            cache.apply(twin().as_str(), outcome);
            cache.check();
        }
        prop_assert_eq!(&cache.held(twin().as_str()).unwrap().hash, &listed);
        prop_assert_eq!(plan(&cache, &listed, now), Plan::Skip);
    }

    /// Nothing that a stranger sends makes opening or reading panic, and nothing unsent is ever asked about.
    #[test]
    fn strangers_cannot_break_it(body in prop::collection::vec(any::<u8>(), 0..300), line in "[ -~]{0,80}", status in 100_u16..600) {
        let mut headers = http::HeaderMap::new();
        for name in [header::LINK, header::ETAG, header::CONTENT_TYPE, header::CACHE_CONTROL, header::RETRY_AFTER, header::RANGE, header::IF_NONE_MATCH, header::IF_RANGE] {
            headers.insert(name, line.parse().unwrap());
        }
        let start = visit(None, Some(HeldPage::new(line.clone(), UnixSeconds(1))));
        let mut response = http::Response::new(body.clone());
        *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
        *response.headers_mut() = headers.clone();
        let url = start.url().clone();
        let _step = start.on_response(&url, &response, UnixSeconds(2));
        let url = url::Url::parse("https://example.com/").unwrap();
        let _found = tct::discover(&url, &headers, &body);
        let _policy = tct::PolicyDescriptor::parse(&body);
        let _lint = tct::lint::check_headers(&headers);
        let page = tct::Representation::of_bytes(&body);
        let plan = tct::plan_response(&http::Method::GET, &headers, &page);
        prop_assert!(plan.body.range(body.len()).end <= body.len());
    }
}
