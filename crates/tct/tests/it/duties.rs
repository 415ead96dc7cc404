//! Rules that no single exchange shows.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use covers::covers;
use http::{HeaderMap, Method, header};
use tct::address::AddressErrorKind;
use tct::counters::Counters;
use tct::discovery::SitemapSearch;
use tct::lint::{HeaderFinding, check_headers};
use tct::pages::{MUrlPattern, PageKind, classify_page};
use tct::sealing::SealErrorKind;
use tct::sitemap::SitemapErrorKind;
use tct::{
    CUrl, Discovery, MUrl, Outcome, Payload, Plan, SitemapEvent, SitemapLimits, SitemapReader, UnixSeconds,
    Visit, VisitPolicy, VisitStep, plan_response, sitemap::SitemapError, untrusted::UntrustedText,
};
use url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// The hash of these bytes as it is written.
fn hash_of(text: &str) -> String {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(text);
    digest.iter().fold(String::from("sha256-"), |hash, byte| hash + &format!("{byte:02x}"))
}

#[test]
#[covers("TCT-DISC-4")]
fn one_rule_maps_pages_to_their_twins() {
    let pattern = MUrlPattern::append("llm").unwrap();
    for (page, twin) in [
        ("https://example.com/", "https://example.com/llm/"),
        ("https://example.com/post", "https://example.com/post/llm/"),
        ("https://example.com/post/#part", "https://example.com/post/llm/"),
        ("https://example.com/caf%C3%A9/?lang=de", "https://example.com/caf%C3%A9/llm/?lang=de"),
    ] {
        assert_eq!(pattern.m_url(&CUrl::parse(page).unwrap()).unwrap().as_str(), twin, "{page}");
    }
    // A path that ends in the slug would be its own page's twin; another slug serves.
    for taken in ["https://example.com/post/llm/", "https://example.com/llm"] {
        let taken = CUrl::parse(taken).unwrap();
        assert_eq!(pattern.m_url(&taken).unwrap_err().kind(), tct::address::AddressErrorKind::Collision);
        assert!(MUrlPattern::append("api/llm-twin").unwrap().m_url(&taken).is_ok(), "{taken}");
    }
}

#[test]
#[covers("TCT-DISC-10")]
fn an_xml_sitemap_is_no_candidate_beside_a_json_one() {
    let lines = ["https://example.com/sitemap.xml", "https://example.com/llm-sitemap.json"];
    let search = SitemapSearch::default().with_robots_lines(lines);
    let candidates = search.candidates(&url("https://example.com/"), &Discovery::default());
    let urls: Vec<_> = candidates.iter().map(Url::as_str).collect();
    assert_eq!(urls, ["https://example.com/llm-sitemap.json"]);
}

#[test]
#[covers("TCT-PAGE-1", "TCT-PAGE-4", "TCT-D01-14")]
fn listings_are_told_from_content() {
    for listing in
        ["/category/technology/", "/tag/web-protocols/", "/2025/10/", "/search/?q=protocol", "/author/john/"]
    {
        let kind = classify_page(&url(&format!("https://example.com{listing}")));
        assert!(!matches!(kind, PageKind::Content | PageKind::Home), "{listing}: {kind:?}");
    }
    for content in ["/news/2025/protocol-launch/", "/about/", "/contact/", "/blog/understanding-tct/"] {
        assert_eq!(
            classify_page(&url(&format!("https://example.com{content}"))),
            PageKind::Content,
            "{content}"
        );
    }
}

#[test]
#[covers("TCT-PAGE-2")]
fn a_page_without_content_is_not_sealed() {
    // 404 is the answer, not an empty payload.
    let page = CUrl::parse("https://example.com/a/").unwrap();
    for blank in ["", " ", "\n\t"] {
        let error = Payload::new(&page, "A", blank).seal().unwrap_err();
        assert_eq!(error.kind(), SealErrorKind::BlankContent, "{blank:?}");
    }
    assert!(Payload::new(&page, "", "text").seal().is_ok(), "a page without a title has content");
}

#[test]
#[covers("TCT-JSON-9", "TCT-SRC-1", "TCT-D01-2")]
fn the_same_page_seals_to_the_same_bytes() {
    // Page data in, nothing of a request, a theme or the order in which members were set. The expected bytes are
    // written out: another program has to come to the same.
    let page = CUrl::parse("https://example.com/a/").unwrap();
    let sealed = Payload::new(&page, "A", "What it says.").seal().unwrap();
    let (before, after) = (
        r#"{"canonical_url":"https://example.com/a/","content":"What it says.","#,
        r#""profile":"tct-1","title":"A"}"#,
    );
    let hash = hash_of(&format!("{before}{after}"));
    assert_eq!(std::str::from_utf8(sealed.body()).unwrap(), format!(r#"{before}"hash":"{hash}",{after}"#));
    assert_eq!(sealed.fingerprint().to_string(), hash);
    let other = Payload::new(&page, "A", "What it says now.").seal().unwrap();
    assert_eq!(
        other.fingerprint().to_string(),
        hash_of(&format!("{}{after}", before.replace("says", "says now")))
    );
}

#[test]
#[covers("TCT-CACHE-5", "TCT-CACHE-6")]
fn what_leaves_the_planner_revalidates_and_varies_on_the_coding_alone() {
    let page = CUrl::parse("https://example.com/a/").unwrap();
    let sealed = Payload::new(&page, "A", "What it says.").seal().unwrap();
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation(&page));
    assert_eq!(check_headers(&plan.headers), []);
    let mut headers = plan.headers.clone();
    headers.insert(header::VARY, "Accept-Encoding, User-Agent".parse().unwrap());
    headers.insert(header::CACHE_CONTROL, "max-age=0".parse().unwrap());
    let found = check_headers(&headers);
    assert!(found.contains(&HeaderFinding::VariesOnUserAgent), "{found:?}");
    assert!(found.contains(&HeaderFinding::MustRevalidateAbsent), "{found:?}");
}

#[test]
#[covers("TCT-D01-10")]
fn plain_http_is_refused() {
    // Draft -01's weaker word is not followed.
    assert_eq!(CUrl::parse("http://example.com/a/").unwrap_err().kind(), AddressErrorKind::Insecure);
    assert_eq!(MUrl::parse("http://example.com/a/llm/").unwrap_err().kind(), AddressErrorKind::Insecure);
    assert_eq!(MUrl::parse("https://example.com/a/llm/").unwrap().as_str(), "https://example.com/a/llm/");
}

#[test]
#[covers("TCT-SEC-11")]
fn a_strangers_text_is_neutralised_on_its_way_out() {
    let text = UntrustedText::new("&lt;script&gt;<img onerror='x'>");
    let html = text.to_html_text();
    assert!(!html.contains(['<', '>', '\'']), "{html}");
    assert!(html.starts_with("&amp;lt;"), "{html}");
}

/// What ends the reading of a document that comes in chunks of this size.
fn first_error(mut reader: SitemapReader, document: &[u8], size: usize) -> SitemapError {
    for chunk in document.chunks(size) {
        let mut events = reader.push(chunk);
        loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => return error,
            }
        }
    }
    reader.finish().unwrap_err()
}

#[test]
fn a_cut_invalid_sequence_is_reported_where_it_starts() {
    // Found by fuzzing: the offset depended on the chunks.
    let document = [&b"{\"version\":1,"[..], &[0xea, 0x82], b"(\"items\":[]}"].concat();
    for size in 1..=document.len() {
        let error = first_error(SitemapReader::any_origin(), &document, size);
        assert_eq!((error.kind(), error.offset()), (SitemapErrorKind::InvalidUtf8, 13), "{size}");
    }
}

/// At the limit on depth, garbage in an entry is found at its byte, whether the entry came whole or in pieces.
#[test]
#[covers("TCT-SEC-10")]
fn depth_counts_the_same_in_cut_entries() {
    // Found by fuzzing: in a cut entry its own braces counted too.
    let document = br#"{"items":[{"cUrl":"https://a.example/","x":[[[[[~"#;
    for size in 1..=document.len() {
        let reader = SitemapReader::any_origin().with_limits(SitemapLimits::default().with_max_depth(5));
        let error = first_error(reader, document, size);
        assert_eq!((error.kind(), error.offset()), (SitemapErrorKind::MalformedJson, 48), "chunks of {size}");
    }
}

/// What ends an entry may itself be cut: the entry is reported all the same.
#[test]
#[covers("TCT-SM-12")]
fn a_cut_character_behind_a_number_loses_no_entry() {
    // Found by fuzzing: the entry went missing when the character behind it came in two chunks.
    let document = "{\"items\":[7\u{2ba}]}".as_bytes();
    for size in 1..=document.len() {
        let mut reader = SitemapReader::any_origin();
        let mut skipped = Vec::new();
        let error = document.chunks(size).find_map(|chunk| {
            let mut events = reader.push(chunk);
            loop {
                match events.next() {
                    Ok(Some(SitemapEvent::Skipped(entry))) => skipped.push(entry.issue.code()),
                    Ok(Some(event)) => panic!("{event:?}"),
                    Ok(None) => return None,
                    Err(error) => return Some((error.kind(), error.offset())),
                }
            }
        });
        assert_eq!(skipped, ["not-an-object"], "chunks of {size}");
        assert_eq!(error, Some((SitemapErrorKind::MalformedJson, 11)), "chunks of {size}");
    }
}

#[test]
fn an_empty_entity_tag_is_not_stored_as_a_hash() {
    // Found by fuzzing: `ETag: ""` is well-formed and says nothing.
    let page = CUrl::parse("https://example.com/a/").unwrap();
    let twin = MUrl::parse("https://example.com/a/llm/").unwrap();
    let sealed = Payload::new(&page, "A", "What it says.").seal().unwrap();
    let mut headers = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation(&page)).headers;
    headers.insert(header::ETAG, "\"\"".parse().unwrap());
    let visit = Visit::new(&twin, &page, None, None, VisitPolicy::default());
    let mut response = http::Response::new(sealed.body());
    *response.headers_mut() = headers;
    let step = visit.on_response(twin.as_url(), &response, UnixSeconds(1_760_000_000));
    let VisitStep::Done(Outcome::Store { held, .. }) = step else { panic!("{step:?}") };
    assert_eq!(held.hash, sealed.fingerprint());
}

#[test]
#[covers("TCT-OPS-3", "TCT-OPS-4")]
fn counters_add_up() {
    let mut counters = Counters::default();
    for plan in [Plan::Skip, Plan::Skip, Plan::Skip, Plan::Fetch] {
        counters.count_plan(&plan);
    }
    counters.count_exchange(200, 1_000);
    counters.count_exchange(304, 0);
    assert_eq!((counters.pages, counters.skipped, counters.requests), (4, 3, 2));
    assert_eq!((counters.fetched, counters.not_modified, counters.bytes_received), (1, 1, 1_000));
    assert_eq!(counters.skip_share(), Some(0.75));
}

/// Found by the fuzz target `tct_sitemap`: behind a known origin, a quote that was written as an escape passed for plain.
#[test]
fn a_url_with_an_escaped_quote_is_refused_behind_a_known_origin_too() {
    let hash = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    let item = |m_url: &str| {
        format!(
            r#"{{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/{m_url}","contentHash":"{hash}"}}"#
        )
    };
    let file = format!(r#"{{"version":1,"profile":"tct-1","items":[{},{}]}}"#, item("b"), item(r#"c\""#));
    let mut sitemap = tct::sitemap::Sitemap::new();
    let report = sitemap.read(file.as_bytes(), tct::SitemapReader::any_origin()).unwrap();
    assert_eq!((sitemap.pages().len(), report.skipped.len()), (1, 1), "{report:?}");
}

/// A body that is cut off and one that is too long are two things, and the first says where it ends.
#[test]
fn opening_keeps_what_is_wrong_with_the_json() {
    use tct::OpenPolicy;
    use tct::open::{Expected, ProblemCode, open_response};
    use tct_canonical_json::JsonErrorKind;
    let open = |body: &'static str, policy: &OpenPolicy| {
        let response = http::Response::builder().header(header::CONTENT_TYPE, "application/json");
        let response = response.body(body.as_bytes()).unwrap();
        open_response(&url("https://example.com/a/llm/"), &response, &Expected::default(), policy)
    };
    let found = |body, policy: &OpenPolicy| {
        let opened = open(body, policy);
        let error = opened.json_error().map(|error| (error.kind(), error.offset()));
        let codes = [ProblemCode::BodyInvalid, ProblemCode::BodyOverLimit];
        let codes: Vec<_> =
            opened.problems().iter().map(|it| it.code).filter(|it| codes.contains(it)).collect();
        (codes, error)
    };
    let policy = OpenPolicy::default();
    let cut = found(r#"{"title":"a"#, &policy);
    assert_eq!(cut.0, [ProblemCode::BodyInvalid]);
    assert_eq!(cut.1.unwrap().1, Some(11));
    let twice = found(r#"{"title":"a","title":"b"}"#, &policy);
    assert_eq!(twice, (vec![ProblemCode::BodyInvalid], Some((JsonErrorKind::DuplicateMember, Some(13)))));
    let long = found(r#"{"title":"a"}"#, &policy.with_max_bytes(12));
    assert_eq!((long.0, long.1.unwrap().0), (vec![ProblemCode::BodyOverLimit], JsonErrorKind::TooLarge));
    assert_eq!(found("[]", &policy), (vec![ProblemCode::BodyInvalid], None));
}

/// What is worth telling, beside what is wrong: each remark where its reason is, and nowhere else.
#[test]
#[covers("TCT-MURL-2", "TCT-MURL-8", "TCT-AMB-12", "TCT-AMB-21", "TCT-ETAG-4")]
fn remarkable_payloads_are_told() {
    use tct::OpenPolicy;
    use tct::open::{Expected, PayloadNote, open_response};
    let nothing = tct_fingerprint::Fingerprint::OF_EMPTY.to_string();
    let some = tct_fingerprint::Fingerprint::hash(b"x").to_string();
    let notes = |etag: &str, profile: &str, content: &str, hash: &str| {
        let response = http::Response::builder().header(header::CONTENT_TYPE, "application/json");
        let body = format!(
            r#"{{"canonical_url":"https://example.com/a/","content":"{content}","hash":"{hash}"{profile},"title":"T"}}"#
        );
        let response = response.header(header::ETAG, etag).body(body).unwrap();
        let opened = open_response(
            &url("https://example.com/a/llm/"),
            &response,
            &Expected::default(),
            &OpenPolicy::default(),
        );
        opened.notes().to_vec()
    };
    let (tag, profile) = (format!("\"{some}\""), r#","profile":"tct-1""#);
    for (etag, profile, content, hash, expected) in [
        (tag.as_str(), profile, "Text.", some.as_str(), None),
        (&tag, "", "Text.", &some, Some(PayloadNote::ProfileAbsent)),
        (&tag, r#","profile":"tct-9""#, "Text.", &some, Some(PayloadNote::ProfileUnknown)),
        (&tag, profile, " \\n", &some, Some(PayloadNote::BlankContent)),
        (&tag, profile, "Text.", &nothing, Some(PayloadNote::HashOfNothing)),
        (&format!("\"{some}-gzip\""), profile, "Text.", &some, Some(PayloadNote::EtagSuffix)),
        ("\"v42\"", profile, "Text.", &some, Some(PayloadNote::EtagOfOtherForm)),
        (&tag, r#", "profile":"tct-1""#, "Text.", &some, Some(PayloadNote::NotCanonical)),
    ] {
        assert_eq!(
            notes(etag, profile, content, hash),
            Vec::from_iter(expected),
            "{etag} {profile} {content:?}"
        );
    }
}
