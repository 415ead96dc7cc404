//! Draft -03 end to end: what a publisher seals and plans is what an agent checks and opens.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde_json::json;
use tct::held::ContentHash;
use tct::open::{Expected, open_response};
use tct::v03::{
    Availability, BodyKind, BodyLimits, BodyTag, Identity, MSitemap, MSitemapItem, MUrlDocument, Revision,
    SealedDocument, check_document, check_sitemap, classify, plan_availability,
};
use tct::{CUrl, Fingerprint, OpenPolicy, Representation, plan_response};
use url::Url;

const M_URL_PROFILE: &str = BodyKind::MUrl.profile();
const M_SITEMAP_PROFILE: &str = BodyKind::MSitemap.profile();

const PAGE: &str = "https://example.com/news/";
const TWIN: &str = "https://example.com/news/llm/";

fn document(content: &str) -> SealedDocument {
    MUrlDocument::new(PAGE, "News", content).unwrap().seal().unwrap()
}

fn sitemap(documents: &[(&SealedDocument, &str)]) -> Identity {
    let mut sitemap = MSitemap::new();
    for (document, m_url) in documents {
        sitemap.push(MSitemapItem::of(document, *m_url).unwrap()).unwrap();
    }
    sitemap.seal().unwrap()
}

fn request(fields: &[(header::HeaderName, &str)]) -> HeaderMap {
    fields.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
}

fn get(
    representation: &Representation,
    body: &[u8],
    fields: &[(header::HeaderName, &str)],
) -> http::Response<Vec<u8>> {
    plan_response(&Method::GET, &request(fields), representation)
        .into_http(body.len(), |range| body[range].to_vec())
}

#[test]
#[covers("TCT3-PROF-1", "TCT3-TAG-5", "TCT3-SM-13", "TCT3-HDR-8")]
fn what_is_published_passes_every_check_and_strict_opening() {
    let news = document("What happened.");
    let map = sitemap(&[(&news, TWIN)]);
    let check = check_document(news.body(), &BodyLimits::default()).unwrap();
    assert!(check.is_valid() && check.is_canonical());
    assert_eq!(check.tag(), news.tag());
    let url = Url::parse("https://example.com/map.json").unwrap();
    let listed = check_sitemap(map.body(), Some(&url), &BodyLimits::default()).unwrap();
    assert!(listed.is_valid() && listed.is_canonical() && !listed.is_unsupported_index());
    let hint = listed.items()[0].hash.map(ContentHash::from);

    let page = CUrl::parse(PAGE).unwrap();
    let expected = Expected { page: Some(&page), sitemap_hash: hint.as_ref() };
    let twin = Url::parse(TWIN).unwrap();
    let response = get(&news.representation(), news.body(), &[]);
    let opened =
        open_response(&twin, &response, &expected, &OpenPolicy::strict().for_revision(Revision::V03));
    assert_eq!(opened.problems(), []);
    assert_eq!(opened.hint_matches(), Some(true));
    assert!(opened.is_tag_of_bytes());
    let received = opened.into_payload().unwrap();
    assert_eq!(received.content().as_untrusted_str(), "What happened.");
    assert_eq!(received.json(), news.body());
    assert_eq!(received.page(), &page);
}

#[test]
#[covers("TCT3-RES-2", "TCT3-TAG-9")]
fn a_tag_names_the_bytes_of_one_url() {
    let [one, other] = [PAGE, "https://example.com/copy/"]
        .map(|url| MUrlDocument::new(url, "News", "The same text.").unwrap().seal().unwrap());
    assert_ne!(one.tag(), other.tag(), "one text, two pages");
    // By Python's json and hashlib.
    let hash = "sha256-6cb3523a032d9dc38e1de77d10579e129f48775d2588945b2f9f45260619ce53";
    assert_eq!(document("x").tag().hint(), hash);
}

#[test]
#[covers("TCT3-RES-3", "TCT3-DOC-7", "TCT3-DOC-9")]
fn the_order_in_which_members_are_added_makes_no_difference() {
    let seal = |names: [&str; 3]| {
        let plain = MUrlDocument::new(PAGE, "", "").unwrap();
        let document = names
            .into_iter()
            .fold(plain, |document, name| document.with_member(name, json!({ "b": 1, "a": null })).unwrap());
        document.seal().unwrap()
    };
    let (one, other) = (seal(["\u{e000}", "\u{1f600}", "a"]), seal(["a", "\u{1f600}", "\u{e000}"]));
    assert_eq!(one, other);
    assert!(check_document(one.body(), &BodyLimits::default()).unwrap().is_canonical());
}

#[test]
#[covers("TCT3-TAG-6")]
fn a_stored_pair_is_checked_before_it_is_served() {
    let identity = document("x").into_identity();
    let fingerprint = identity.tag().fingerprint();
    let mut body = identity.body().to_vec();
    assert_eq!(Identity::from_stored(body.clone(), &fingerprint), Some(identity));
    body.push(b' ');
    assert_eq!(Identity::from_stored(body, &fingerprint), None);
}

#[test]
#[covers("TCT3-TAG-10", "TCT3-CODE-4", "TCT3-AMB-15")]
fn a_coded_variant_never_carries_what_is_identitys() {
    let news = document("What happened.");
    let plain = news.representation();
    let coding = HeaderValue::from_static("gzip");
    let coded_bytes = b"as if compressed";
    let own = plain.coded_bytes(coding.clone(), coded_bytes);
    // The option that keeps the tag for the drafts before gives a weak one here.
    let weak = plain.coded(coding, coded_bytes.len() as u64);
    for (coded, etag, has_digest) in [
        (&own, BodyTag::of_bytes(coded_bytes).etag().to_string(), true),
        (&weak, format!("W/{}", news.tag().etag()), false),
    ] {
        let response = get(coded, coded_bytes, &[(header::ACCEPT_ENCODING, "gzip")]);
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::ETAG], etag);
        assert_eq!(response.headers()[header::CONTENT_LENGTH], "16");
        assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
        assert_eq!(response.headers().contains_key("content-digest"), has_digest);
        assert_ne!(response.headers().get("content-digest"), Some(&news.tag().content_digest()));
        // Offered to a client that does not take it, it is refused.
        assert_eq!(
            get(coded, coded_bytes, &[(header::ACCEPT_ENCODING, "br")]).status(),
            StatusCode::NOT_ACCEPTABLE
        );
    }
}

#[test]
#[covers("TCT3-TAG-10", "TCT3-CODE-1", "TCT3-CODE-3", "TCT3-CODE-4")]
fn a_resource_negotiates_codings_with_tags_of_their_own() {
    use tct::Coding;
    let news = document("What happened.");
    let resource = tct::Resource::new(news.body().to_vec(), news.representation())
        .with_coding(Coding::Gzip, &b"coded"[..]);
    let ask = |accept| resource.respond(&Method::GET, &request(&[(header::ACCEPT_ENCODING, accept)]));
    let plain = ask("br");
    assert_eq!(plain.headers()[header::ETAG], news.tag().etag().to_string());
    let coded = ask("gzip");
    assert_eq!(coded.headers()[header::ETAG], BodyTag::of_bytes(b"coded").etag().to_string());
    assert_eq!(coded.headers()["content-digest"], BodyTag::of_bytes(b"coded").content_digest());
    assert_eq!(ask("gzip, identity;q=0").status(), StatusCode::OK);
    assert_eq!(ask("br, identity;q=0").status(), StatusCode::NOT_ACCEPTABLE);
}

#[test]
#[covers("TCT3-COND-9", "TCT3-AMB-25")]
fn a_part_has_no_digest_of_the_whole() {
    let news = document("What happened.");
    let response = get(&news.representation(), news.body(), &[(header::RANGE, "bytes=0-9")]);
    assert_eq!(response.status(), StatusCode::PARTIAL_CONTENT);
    assert!(!response.headers().contains_key("content-digest"));
    assert_eq!(response.body(), &news.body()[..10]);
}

#[test]
#[covers("TCT3-HDR-5", "TCT3-HDR-6")]
fn no_transform_stays_whatever_the_caller_says() {
    for (given, sent) in [
        ("max-age=60", "max-age=60, no-transform"),
        ("no-transform, private", "no-transform, private"),
        ("", "no-transform"),
    ] {
        let page = document("x").representation().with_cache_control(given.parse().unwrap());
        assert_eq!(get(&page, b"", &[]).headers()[header::CACHE_CONTROL], sent);
    }
}

#[test]
#[covers("TCT3-COND-7", "TCT3-STAT-1", "TCT3-STAT-2", "TCT3-STAT-3", "TCT3-STAT-4", "TCT3-IDX-4")]
fn what_cannot_be_served_is_answered_in_the_order_of_the_draft() {
    let challenge = HeaderValue::from_static("Basic realm=\"news\"");
    let resources = [
        (Availability::Absent, 404, "no-store"),
        (Availability::NeedsCredentials(challenge.clone()), 401, "private, no-store"),
        (Availability::Broken, 500, "no-store"),
        (Availability::TooLarge { retry_after_secs: 60 }, 503, "no-store"),
    ];
    for (resource, status, control) in &resources {
        // A precondition counts for none of them.
        let plan = plan_availability(&Method::GET, &request(&[(header::IF_NONE_MATCH, "*")]), resource);
        assert_eq!(plan.status.as_u16(), *status);
        assert_eq!(plan.headers[header::CACHE_CONTROL], *control);
        assert!(!plan.headers.contains_key(header::ETAG) && plan.body.range(9).is_empty());
        assert_eq!(plan.headers.get(header::WWW_AUTHENTICATE), (*status == 401).then_some(&challenge));
        assert_eq!(plan.headers.contains_key(header::RETRY_AFTER), *status == 503);
        let coded = request(&[(header::ACCEPT_ENCODING, "identity;q=0")]);
        assert_eq!(plan_availability(&Method::HEAD, &coded, resource).status, StatusCode::NOT_ACCEPTABLE);
        assert_eq!(plan_availability(&Method::POST, &coded, resource).status, StatusCode::METHOD_NOT_ALLOWED);
    }
    let news = document("x");
    let representation = news.representation();
    let plan = plan_availability(&Method::GET, &HeaderMap::new(), &Availability::Served(&representation));
    assert_eq!(plan.status, StatusCode::OK);
}

#[test]
#[covers(
    "TCT3-SEC-4",
    "TCT3-AGENT-5",
    "TCT3-LIM-1",
    "TCT3-LIM-2",
    "TCT3-LIM-3",
    "TCT3-LIM-4",
    "TCT3-LIM-5",
    "TCT3-LIM-9"
)]
fn every_limit_is_exact_and_a_parameter() {
    let small = BodyLimits::default()
        .with_max_bytes(60)
        .with_max_depth(2)
        .with_max_values(6)
        .with_max_name_bytes(4)
        .with_max_string_bytes(5);
    for (json, passes) in [
        (r#"[[["#.to_owned() + "]]]", true),
        ("[[[0]]]".into(), false),
        ("[0,0,0,0,0]".into(), true),
        ("[0,0,0,0,0,0]".into(), false),
        (r#"{"\u00e9\u00e9":0}"#.into(), true),
        (r#"{"\u00e9\u00e9a":0}"#.into(), false),
        (r#"["\n\n\n\n\n"]"#.into(), true),
        (r#"["\n\n\n\n\n\u0001"]"#.into(), false),
        (format!("[{}]", "1".repeat(21)), true),
    ] {
        assert_eq!(Identity::of_json(json.as_bytes(), &small).is_ok(), passes, "{json}");
        assert_eq!(check_document(json.as_bytes(), &small).is_ok(), passes, "{json}");
    }
    let long = [b" ".repeat(59), b"1".to_vec()].concat();
    assert!(check_document(&long, &small).is_ok());
    assert!(check_document(&[long, b" ".to_vec()].concat(), &small).is_err());
    // Four of the longest strings are more than a body may have.
    let string = "s".repeat(4 << 20);
    assert!(Identity::of_value(&[&string; 3], &BodyLimits::default()).is_ok());
    assert!(Identity::of_value(&[&string; 4], &BodyLimits::default()).is_err());
    assert!(Identity::of_value(&(string + "s"), &BodyLimits::default()).is_err());
}

#[test]
#[covers("TCT3-SM-15", "TCT3-LIM-2", "TCT3-LIM-7", "TCT3-STAT-4")]
fn a_sitemap_past_a_limit_fails_as_a_whole() {
    let mut full = MSitemap::new();
    let item = |n: usize| {
        MSitemapItem::new(format!("https://example.com/{n}"), format!("https://example.com/{n}.json"))
            .unwrap()
    };
    (0..10_000).for_each(|n| full.push(item(n)).unwrap());
    assert_eq!(full.push(item(10_000)).unwrap_err().requirement(), "TCT3-SM-15");
    assert!(full.seal().is_ok());
    let mut wide = MSitemap::with_limits(BodyLimits::default().with_max_items(100_000));
    // Three values an item, beside the object, the array, the profile and the version.
    (0..33_332).for_each(|n| wide.push(item(n)).unwrap());
    assert!(wide.seal().is_ok());
    wide.push(item(33_332)).unwrap();
    assert_eq!(wide.seal().unwrap_err().requirement(), "TCT3-LIM-2");
}

/// The check agrees with writing the canonical form and comparing.
#[test]
#[covers("TCT3-JCS-10")]
fn canonical_form_is_told_in_every_corner() {
    let base = document("x").into_identity().into_body();
    let base = core::str::from_utf8(&base).unwrap();
    let mut texts = vec![
        base.to_owned(),
        base.replace(',', ", "),
        base.replace(':', " :"),
        format!("{base} "),
        format!(" {base}"),
    ];
    for escape in [
        "\\n",
        "\\u000a",
        "\\u000b",
        "\\u000B",
        "\\u0000",
        "\\u001f",
        "\\u0020",
        "\\/",
        "\\\"",
        "\\\\",
        "\\\\u000A",
        "\\u00e9",
        "\u{7f}\u{2028}é",
        "\\ud83d\\ude00",
        "\\u0008",
        "\\b\\f\\r\\t",
    ] {
        texts.push(base.replace("\"x\"", &format!("\"a{escape}b\"")));
        texts.push(base.replace("\"title\"", &format!("\"title{escape}\"")));
        texts.push(base.replace("\"title\"", &format!("\"t\":{{\"z\":[\"{escape}\"]}},\"title\"")));
    }
    for value in ["1.0", "1", "-0", "[1, 2]", "{\"b\":1,\"a\":2}", "{\"a\":1,\"b\":[{}]}", "1e1", "null"] {
        texts.push(base.replace("\"title\"", &format!("\"t\":{value},\"title\"")));
        texts.push(base.replace("\"title\"", &format!("\"z\":{value},\"title\"")));
        texts.push(base.replace("\"title\"", &format!("\"\u{e000}\":{value},\"\u{1f600}\":1,\"title\"")));
        texts.push(base.replace("}", &format!(",\"\u{1f600}\":{value},\"\u{e000}\":1}}")));
    }
    for text in texts {
        let expected =
            tct_canonical_json::is_canonical(text.as_bytes(), tct_canonical_json::Profile::Rfc8785);
        assert_eq!(
            check_document(text.as_bytes(), &BodyLimits::default()).unwrap().is_canonical(),
            expected,
            "{text}"
        );
    }
}

/// What is built from values is held to the same limits as what is read.
#[test]
#[covers("TCT3-LIM-1", "TCT3-LIM-2", "TCT3-LIM-3", "TCT3-LIM-4")]
fn the_builder_has_the_readers_limits() {
    let nest = |depth: usize| (0..depth).fold(json!(0), |inner, _| json!([inner]));
    let seal = |value: serde_json::Value| {
        MUrlDocument::new(PAGE, "", "").unwrap().with_member("x", value).unwrap().seal()
    };
    assert!(seal(nest(63)).is_ok());
    assert_eq!(seal(nest(64)).unwrap_err().requirement(), "TCT3-LIM-1");
    let empty = (0..63).fold(json!([]), |inner, _| json!([inner]));
    assert!(seal(empty).is_ok(), "an empty array is a value in 64 containers");
    // The document and its four members, and the array.
    assert!(seal(json!(vec![0; 99_994])).is_ok());
    assert_eq!(seal(json!(vec![0; 99_995])).unwrap_err().requirement(), "TCT3-LIM-2");
    let name = |len: usize| {
        MUrlDocument::new(PAGE, "", "").unwrap().with_member("\n".repeat(len), 1).unwrap().seal()
    };
    assert!(name(16_384).is_ok());
    assert_eq!(name(16_385).unwrap_err().requirement(), "TCT3-LIM-3");
    assert_eq!(seal(json!({ "a".repeat(16_385): 1 })).unwrap_err().requirement(), "TCT3-LIM-3");
    let content = |len: usize| MUrlDocument::new(PAGE, "", "\n".repeat(len)).unwrap().seal();
    assert!(content(4 << 20).is_ok());
    assert_eq!(content((4 << 20) + 1).unwrap_err().requirement(), "TCT3-LIM-4");
}

#[test]
#[covers("TCT3-DOC-3")]
fn blank_content_is_refused_on_request_only() {
    let blank = || MUrlDocument::new(PAGE, "", " \n\u{a0}").unwrap();
    assert!(blank().seal().is_ok());
    assert!(blank().refusing_blank_content().is_err());
    assert!(MUrlDocument::new(PAGE, "", "x").unwrap().refusing_blank_content().is_ok());
}

#[test]
#[covers("TCT3-SEC-7")]
fn findings_quote_a_few_characters_at_most() {
    let long = format!("https://example.com/ {}", "secret ".repeat(100_000));
    let body =
        json!({ "canonical_url": long, "title": "", "content": "", "profile": M_URL_PROFILE }).to_string();
    let check = check_document(body.as_bytes(), &BodyLimits::default()).unwrap();
    let text = check.findings()[0].to_string();
    assert!(text.len() < 160 && text.ends_with("…`"), "{text}");
}

#[test]
#[covers("TCT3-DISC-1", "TCT3-DISC-3", "TCT3-DISC-4", "TCT3-MIG-3")]
fn two_revisions_stand_side_by_side_at_urls_of_their_own() {
    let twins = ["https://example.com/news/llm/", "https://example.com/news/m/"];
    let maps = ["https://example.com/llm-sitemap.json", "https://example.com/m-sitemap.json"];
    let mut headers = HeaderMap::new();
    for twin in twins {
        headers.append(header::LINK, tct::link::link_alternate(&tct::MUrl::parse(twin).unwrap()));
    }
    for map in maps {
        let link = tct::link::link_sitemap(&Url::parse(map).unwrap());
        assert_eq!(link, format!("<{map}>; rel=\"index\"; type=\"application/json\"").as_str());
        headers.append(header::LINK, link);
    }
    let found = tct::discovery::discover_in_headers(&Url::parse(PAGE).unwrap(), &headers);
    let texts = |urls: &[Url]| urls.iter().map(Url::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&found.m_urls), twins);
    assert_eq!(texts(&found.sitemaps), maps);
    // Each leads back to the page.
    let response = get(&document("x").representation(), b"", &[]);
    let back = tct::discovery::discover_in_headers(&Url::parse(TWIN).unwrap(), response.headers());
    assert_eq!(back.canonical.unwrap().as_str(), PAGE);
}

#[test]
#[covers("TCT3-DISC-5", "TCT3-DISC-6", "TCT3-DISC-8", "TCT3-AMB-31")]
fn what_a_link_leads_to_is_told_by_its_profile() {
    let headers = request(&[(
        header::LINK,
        "</wp-json/>; rel=alternate; type=application/json, </a.json>; rel=index; type=application/json",
    )]);
    let found = tct::discovery::discover_in_headers(&Url::parse(PAGE).unwrap(), &headers);
    assert_eq!(found.sitemaps.len(), 1, "nothing is guessed beside what is linked");
    let answers: [&[u8]; 4] = [
        br#"{"name":"a CMS","routes":{}}"#,
        b"<html>",
        br#"{"items":[],"version":1}"#,
        &sitemap(&[]).into_body(),
    ];
    let names: Vec<_> = answers
        .iter()
        .map(|body| classify(body).ok().flatten().map(|(_, revision)| revision.name()))
        .collect();
    assert_eq!(names, [None, None, Some("legacy"), Some("03")]);
    let empty = HeaderMap::new();
    let nothing = tct::discovery::discover_in_headers(&Url::parse(PAGE).unwrap(), &empty);
    assert!(nothing.sitemaps.is_empty() && nothing.m_urls.is_empty());
}

#[test]
#[covers("TCT3-CODE-5", "TCT3-AMB-29")]
fn a_coded_body_is_explained_once_its_coding_is_undone() {
    let news = document("What happened.");
    let twin = Url::parse(TWIN).unwrap();
    let mut response = get(&news.representation(), news.body(), &[]);
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    let expected = Expected::default();
    let opened =
        open_response(&twin, &response, &expected, &OpenPolicy::default().for_revision(Revision::V03));
    assert_eq!(opened.codes().collect::<Vec<_>>(), ["content-coding"]);
    assert!(opened.tag().is_none() && !opened.is_accepted());
    // The client undid the coding and took the field away: the bytes' own hash is what is held.
    response.headers_mut().remove(header::CONTENT_ENCODING);
    response.headers_mut().insert(header::ETAG, HeaderValue::from_static("\"abc-br\""));
    let opened =
        open_response(&twin, &response, &expected, &OpenPolicy::default().for_revision(Revision::V03));
    assert_eq!(opened.codes().collect::<Vec<_>>(), ["etag-mismatch"]);
    assert_eq!(opened.tag(), Some(news.tag()));
    assert!(!opened.is_tag_of_bytes());
}

/// On the wire nothing of the connection, and no coding on identity, whatever is asked.
#[test]
#[covers("TCT3-HDR-9")]
fn no_field_of_the_connection_is_planned() {
    let news = document("x");
    let map = sitemap(&[(&news, TWIN)]);
    for representation in [news.representation(), Representation::of_m_sitemap(map.tag())] {
        for method in [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS] {
            for fields in [&[][..], &[(header::IF_NONE_MATCH, "*")], &[(header::ACCEPT_ENCODING, "*;q=0")]] {
                let plan = plan_response(&method, &request(fields), &representation);
                for name in [header::CONTENT_ENCODING, header::TRANSFER_ENCODING, header::CONNECTION] {
                    assert!(!plan.headers.contains_key(name));
                }
                let has_content = plan.status == StatusCode::OK;
                assert_eq!(plan.headers.contains_key("content-digest"), has_content);
            }
        }
    }
    assert!(core::str::from_utf8(map.body()).unwrap().contains(M_SITEMAP_PROFILE));
}

mod visits {
    use super::*;
    use tct::held::HeldTag;
    use tct::plan::SitemapDate;
    use tct::visit::Refusal;
    use tct::{
        HeldPage, MUrl, Outcome, Plan, PlanPolicy, Planner, UnixSeconds, Visit, VisitPolicy, VisitStep,
    };

    fn visit(hint: Option<Fingerprint>, held: Option<HeldPage>) -> Visit {
        let (twin, page) = (MUrl::parse(TWIN).unwrap(), CUrl::parse(PAGE).unwrap());
        Visit::new(&twin, &page, hint, held, VisitPolicy::default())
    }

    /// Plays a visit against a server that answers each request by `answer`.
    fn play(
        mut visit: Visit,
        mut answer: impl FnMut(&http::Request<()>) -> http::Response<Vec<u8>>,
    ) -> (Outcome, usize) {
        for number in 1..10 {
            let url = visit.url().clone();
            let response = answer(&visit.request());
            match visit.on_response(&url, &response, UnixSeconds(1000)) {
                VisitStep::Again(next) => visit = *next,
                VisitStep::Done(outcome) => return (outcome, number),
            }
        }
        panic!("the visit does not end");
    }

    fn serve(document: &SealedDocument) -> impl Fn(&http::Request<()>) -> http::Response<Vec<u8>> {
        let (representation, body) = (document.representation(), document.body().to_vec());
        move |request| {
            plan_response(request.method(), request.headers(), &representation)
                .into_http(body.len(), |range| body[range].to_vec())
        }
    }

    fn legacy(content: &str) -> tct::Sealed {
        tct::Payload::new(&CUrl::parse(PAGE).unwrap(), "News", content).seal().unwrap()
    }

    fn serve_legacy(sealed: &tct::Sealed) -> impl Fn(&http::Request<()>) -> http::Response<Vec<u8>> {
        let representation = sealed.representation(&CUrl::parse(PAGE).unwrap());
        let body = sealed.body().to_vec();
        move |request| {
            plan_response(request.method(), request.headers(), &representation)
                .into_http(body.len(), |range| body[range].to_vec())
        }
    }

    fn store(outcome: Outcome) -> HeldPage {
        let Outcome::Store { held, .. } = outcome else { panic!("{outcome}") };
        held
    }

    #[test]
    #[covers("TCT3-ZF-1", "TCT3-ZF-4", "TCT3-ZF-5")]
    fn what_is_stored_is_skipped_for_a_limited_time() {
        let news = document("What happened.");
        let hint = news.tag().fingerprint();
        let (outcome, requests) = play(visit(Some(hint), None), serve(&news));
        let held = store(outcome);
        assert_eq!((&held.hash, requests), (&hint.into(), 1));
        let plan = |sitemap: u64, now: u64| {
            let planner =
                Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(sitemap)), UnixSeconds(now));
            planner.plan(Some(hint), Some(&held)).name()
        };
        assert_eq!(plan(1000, 1000), "skip");
        assert_eq!(plan(700_000, 700_000), "revalidate", "the endpoint was not asked for a week");
        assert_eq!(plan(1000, 200_000), "revalidate", "the sitemap is old");
    }

    /// Behind a server that weakens and marks tags, hints still say what is held.
    #[test]
    #[covers("TCT3-ZF-4", "TCT3-AMB-20")]
    fn a_marked_tag_is_for_if_none_match_only() {
        let news = document("What happened.");
        let hint = news.tag().fingerprint();
        let marked = format!("W/\"{hint}-gzip\"");
        let (outcome, _) = play(visit(Some(hint), None), |request| {
            let mut response = serve(&news)(request);
            response.headers_mut().insert(header::ETAG, marked.parse().unwrap());
            response
        });
        let Outcome::Store { held, problems, .. } = outcome else { panic!("{outcome}") };
        let codes: Vec<_> = problems.iter().map(|problem| problem.code.code()).collect();
        assert_eq!(codes, ["etag-weak", "etag-mismatch"]);
        assert_eq!((&held.hash, &held.etag), (&hint.into(), &HeldTag::parse(&marked)));
        let planner = Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(1000)), UnixSeconds(1000));
        assert_eq!(planner.plan(Some(hint), Some(&held)), Plan::Skip);
        assert_eq!(
            planner.plan(Some(Fingerprint::hash("x")), Some(&held)).if_none_match().unwrap(),
            marked.as_str()
        );
    }

    #[test]
    #[covers("TCT3-MIG-1", "TCT3-MIG-2")]
    fn a_page_moves_from_one_revision_to_the_other_and_back() {
        let (old, new) = (legacy("What happened."), document("What happened."));
        let held = store(play(visit(None, None), serve_legacy(&old)).0);
        assert_eq!(held.hash, old.fingerprint());
        // The sitemap has moved too: its hint is no legacy hash, so the twin is asked about, with the tag that is held.
        let hint = new.tag().fingerprint();
        let planner = Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(1000)), UnixSeconds(1000));
        let plan = planner.plan(Some(hint), Some(&held));
        assert_eq!(plan.if_none_match().unwrap(), old.etag().to_string().as_str());
        let (outcome, requests) = play(visit(Some(hint), Some(held)), serve(&new));
        let moved = store(outcome);
        assert_eq!((&moved.hash, requests), (&hint.into(), 1));
        assert_eq!(planner.plan(Some(hint), Some(&moved)), Plan::Skip);
        let back = store(play(visit(None, Some(moved)), serve_legacy(&old)).0);
        assert_eq!(back.hash, old.fingerprint());
    }

    #[test]
    #[covers("TCT3-AGENT-14")]
    fn a_304_that_names_another_tag_is_asked_again_without_a_condition() {
        let news = document("What happened.");
        let held = HeldPage::new(document("Before.").tag().fingerprint(), UnixSeconds(0));
        let mut asked = Vec::new();
        let (outcome, requests) = play(visit(None, Some(held)), |request| {
            let condition = request.headers().contains_key(header::IF_NONE_MATCH);
            asked.push(condition);
            if !condition {
                return serve(&news)(request);
            }
            let mut response = http::Response::new(Vec::new());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response.headers_mut().insert(header::ETAG, HeaderValue::from_static("\"another\""));
            response
        });
        assert_eq!((store(outcome).hash, requests), (news.tag().fingerprint().into(), 2));
        assert_eq!(asked, [true, false]);
    }

    /// The drafts before take a 304 without a tag where one body alone can be meant; draft -03 has it named.
    #[test]
    #[covers("TCT3-AGENT-14", "TCT-AMB-22")]
    fn a_304_without_a_tag_is_asked_again_without_a_condition() {
        let news = document("What happened.");
        let page = CUrl::parse("https://example.com/a/").unwrap();
        let old = tct::Payload::new(&page, "Title", "Before.").seal().unwrap();
        let held = store(play(visit(None, None), serve(&document("Before."))).0);
        let legacy = store(play(visit(None, None), serve_legacy(&old)).0);
        assert!(held.history.is_v03 && !legacy.history.is_v03);
        let silent = |request: &http::Request<()>| {
            if !request.headers().contains_key(header::IF_NONE_MATCH) {
                return serve(&news)(request);
            }
            let mut response = http::Response::new(Vec::new());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        };
        let (outcome, requests) = play(visit(None, Some(held)), silent);
        assert_eq!((store(outcome).hash, requests), (news.tag().fingerprint().into(), 2));
        let (outcome, requests) = play(visit(None, Some(legacy.clone())), silent);
        assert_eq!((outcome.name(), requests), ("keep", 1));
        assert_eq!(outcome.held().unwrap().hash, legacy.hash);
    }

    #[test]
    #[covers("TCT3-STAT-5", "TCT3-ZF-7")]
    fn refusals_and_waits_delete_nothing() {
        let held = || HeldPage::new(document("x").tag().fingerprint(), UnixSeconds(0));
        for (status, name) in [
            (401, "forbidden"),
            (403, "forbidden"),
            (404, "not-found"),
            (429, "unavailable"),
            (503, "unavailable"),
        ] {
            let (outcome, _) = play(visit(None, Some(held())), |_| {
                let mut response = http::Response::new(Vec::new());
                *response.status_mut() = StatusCode::from_u16(status).unwrap();
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("120"));
                response
            });
            assert_eq!(outcome.name(), name, "{status}");
            if let Outcome::Unavailable { retry_at } = outcome {
                assert_eq!(retry_at, UnixSeconds(1120));
            }
        }
    }

    #[test]
    #[covers("TCT3-AGENT-4", "TCT3-SEC-5")]
    fn redirects_stay_within_the_origin_and_are_few() {
        let to = |target: &'static str| {
            move |_: &http::Request<()>| {
                let mut response = http::Response::new(Vec::new());
                *response.status_mut() = StatusCode::FOUND;
                response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(target));
                response
            }
        };
        for target in [
            "https://evil.example/news/llm/",
            "//evil.example/",
            "http://example.com/",
            "https://me:pw@example.com/x",
        ] {
            let (outcome, requests) = play(visit(None, None), to(target));
            assert!(
                matches!(outcome, Outcome::Refuse { reason: Refusal::Redirect, .. }),
                "{target}: {outcome}"
            );
            assert_eq!(requests, 1, "{target}");
        }
        let mut number = 0;
        let (outcome, requests) = play(visit(None, None), |_| {
            number += 1;
            let mut response = http::Response::new(Vec::new());
            *response.status_mut() = StatusCode::FOUND;
            response.headers_mut().insert(header::LOCATION, format!("/{number}").parse().unwrap());
            response
        });
        assert!(matches!(outcome, Outcome::Refuse { reason: Refusal::TooManyRedirects, .. }));
        assert!(requests <= 6);
        let news = document("x");
        let mut first = true;
        let (outcome, _) = play(visit(None, None), |request| match std::mem::take(&mut first) {
            true => to("../elsewhere/")(request),
            false => serve(&news)(request),
        });
        assert_eq!(store(outcome).hash, news.tag().fingerprint());
    }

    /// The client undid a coding, and the fields still speak of the coded bytes.
    #[test]
    #[covers("TCT3-AMB-29", "TCT3-DEP-4")]
    fn a_coded_answer_is_held_under_the_hash_of_its_text() {
        let news = document("What happened.");
        let coded = news.representation().coded_bytes(HeaderValue::from_static("gzip"), b"coded");
        let hint = news.tag().fingerprint();
        let (outcome, _) = play(visit(Some(hint), None), |request| {
            let mut fields = request.headers().clone();
            fields.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
            let plan = plan_response(request.method(), &fields, &coded);
            assert_eq!(plan.headers[header::CONTENT_ENCODING], "gzip");
            plan.into_http(0, |_| news.body().to_vec())
        });
        let Outcome::Store { held, disagreement: None, .. } = outcome else { panic!("{outcome}") };
        assert_eq!(held.hash, hint);
        assert_eq!(held.etag, HeldTag::parse(&BodyTag::of_bytes(b"coded").etag().to_string()));
    }

    #[test]
    #[covers("TCT3-AGENT-2")]
    fn a_digest_that_differs_is_refused_by_every_agent() {
        let news = document("What happened.");
        let (outcome, _) = play(visit(None, None), |request| {
            let mut response = serve(&news)(request);
            response.headers_mut().insert("content-digest", BodyTag::of_bytes(b"").content_digest());
            response
        });
        let Outcome::Refuse { problems, .. } = outcome else { panic!("{outcome}") };
        assert!(problems.iter().any(|problem| problem.code.code() == "digest-mismatch" && problem.is_fatal));
    }
}

mod streaming {
    use super::*;
    use tct::sitemap::SitemapErrorKind;
    use tct::v03::Revision;
    use tct::{SitemapEvent, SitemapReader, sitemap::SitemapError};

    type Read = (Vec<(String, Option<String>, Option<String>)>, Result<Revision, SitemapError>);

    fn read(text: &[u8], chunk: usize) -> Read {
        let mut reader = SitemapReader::new(&Url::parse("https://example.com/map.json").unwrap());
        let mut items = Vec::new();
        for piece in text.chunks(chunk) {
            let mut events = reader.push(piece);
            while let Ok(Some(event)) = events.next() {
                if let SitemapEvent::Item(item) = event {
                    let owned = |text: Option<&str>| text.map(str::to_owned);
                    let hash = item.hash.map(|hash| hash.to_string());
                    items.push((item.m_url.to_owned(), hash, owned(item.last_modified)));
                }
            }
        }
        (items, reader.finish().map(|summary| summary.revision()))
    }

    #[test]
    #[covers("TCT3-LIM-9", "TCT3-AMB-30", "TCT3-SM-10", "TCT3-SM-11")]
    fn a_sitemap_is_read_from_chunks_of_any_size() {
        let (news, other) = (document("What happened."), document("Other."));
        let mut map = MSitemap::new();
        map.push(MSitemapItem::of(&news, TWIN).unwrap().with_last_modified("2026-07-23T09:00:00Z").unwrap())
            .unwrap();
        map.push(MSitemapItem::new("https://example.com/b/", "https://example.com/b.json").unwrap()).unwrap();
        map.push(MSitemapItem::new("https://example.com/c/", "https://cdn.example/c.json").unwrap()).unwrap();
        let item = MSitemapItem::new("https://example.com/d/", "https://example.com/d.json").unwrap();
        map.push(item.with_hint(other.tag().fingerprint()).with_member("x", json!([1])).unwrap()).unwrap();
        let map = map.with_member("sitemap", 1).unwrap().seal().unwrap();
        let expected = vec![
            (TWIN.to_owned(), Some(news.tag().hint()), Some("2026-07-23T09:00:00Z".to_owned())),
            ("https://example.com/b.json".to_owned(), None, None),
            ("https://example.com/d.json".to_owned(), Some(other.tag().hint()), None),
        ];
        for chunk in [1, 2, 3, 7, 64, 100_000] {
            assert_eq!(read(map.body(), chunk), (expected.clone(), Ok(Revision::V03)), "{chunk}");
        }
        let pretty =
            serde_json::to_vec_pretty(&serde_json::from_slice::<serde_json::Value>(map.body()).unwrap())
                .unwrap();
        assert_eq!(read(&pretty, 5), (expected, Ok(Revision::V03)));
    }

    /// An item that repeats another says nothing new, and one that contradicts it takes its hint away: for the check of
    /// a whole body and for an agent that reads a stream.
    #[test]
    #[covers("TCT3-SM-8", "TCT-AMB-36")]
    fn repeated_urls_are_one_page_however_they_are_read() {
        use tct::sitemap::{ItemIssue, Sitemap};
        let (one, other) = (document("One."), document("Other."));
        let item = |path: &str, hint: Option<&SealedDocument>| {
            let mut item = json!({
                "cUrl": format!("https://example.com/{path}/"), "mUrl": format!("https://example.com/{path}.json"),
            });
            if let Some(document) = hint {
                item["etag"] = document.tag().hint().into();
            }
            item
        };
        let items = [
            item("a", Some(&one)),
            item("a", Some(&one)),
            item("b", Some(&one)),
            item("b", Some(&other)),
            item("c", Some(&one)),
            item("c", None),
            item("d", None),
            item("e", Some(&other)),
        ];
        let body = json!({"items": items, "profile": M_SITEMAP_PROFILE, "version": 2}).to_string();
        let map = Url::parse("https://example.com/map.json").unwrap();
        let mut sitemap = Sitemap::new();
        let report = sitemap.read(body.as_bytes(), SitemapReader::new(&map)).unwrap();
        let page = |path: &str, hint: Option<&SealedDocument>| {
            (format!("https://example.com/{path}/"), hint.map(|document| document.tag().hint()))
        };
        let expected = [
            page("a", Some(&one)),
            page("b", None),
            page("c", None),
            page("d", None),
            page("e", Some(&other)),
        ];
        let pages: Vec<_> = sitemap
            .pages()
            .iter()
            .map(|page| (page.c_url.clone(), page.hash.map(|hash| hash.to_string())))
            .collect();
        assert_eq!(pages, expected);
        let issues: Vec<_> =
            report.skipped.iter().map(|it| (it.index, it.issue)).filter(|(index, _)| *index < 6).collect();
        assert_eq!(issues, [(1, ItemIssue::Duplicate), (3, ItemIssue::Ambiguous), (5, ItemIssue::Ambiguous)]);
        let check = check_sitemap(body.as_bytes(), Some(&map), &BodyLimits::default()).unwrap();
        let checked: Vec<_> = check
            .items()
            .iter()
            .map(|item| (item.c_url.clone(), item.hash.map(|hash| hash.to_string())))
            .collect();
        assert_eq!(checked, expected);
        let places: Vec<_> = check.findings().iter().map(tct::v03::TctFinding::item).collect();
        assert_eq!(places, [Some(1), Some(1), Some(3), Some(3), Some(5), Some(5)]);
    }

    #[test]
    #[covers("TCT3-SM-11", "TCT3-SM-3", "TCT3-IDX-1", "TCT3-IDX-2", "TCT3-PROF-4")]
    fn a_wrong_top_level_is_known_at_the_end_and_makes_all_items_unusable() {
        let item = r#"{"cUrl":"https://example.com/","mUrl":"https://example.com/llm/"}"#;
        let text = |profile: &str, more: &str| format!(r#"{{"items":[{item}],"profile":"{profile}"{more}}}"#);
        let kind = |text: String| {
            let error = read(text.as_bytes(), 9).1.unwrap_err();
            assert!(!error.leaves_items_usable());
            error.kind()
        };
        for more in [
            "",
            r#","version":1"#,
            r#","version":"2""#,
            r#","version":null"#,
            r#","sitemaps":null,"version":2"#,
        ] {
            assert_eq!(kind(text(M_SITEMAP_PROFILE, more)), SitemapErrorKind::WrongTopLevel, "{more}");
        }
        assert_eq!(kind(text(M_URL_PROFILE, r#","version":2"#)), SitemapErrorKind::WrongTopLevel);
        let index = BodyKind::MSitemapIndex.profile();
        assert_eq!(kind(text(index, r#","version":1"#)), SitemapErrorKind::UnsupportedIndex);
        for right in
            [text(M_SITEMAP_PROFILE, r#","version":2"#), text(M_SITEMAP_PROFILE, r#","version":2.0"#)]
        {
            assert_eq!(read(right.as_bytes(), 9).1, Ok(Revision::V03));
        }
        assert_eq!(read(text("tct-1", r#","version":1"#).as_bytes(), 9).1, Ok(Revision::Legacy));
    }

    #[test]
    #[covers("TCT3-AMB-30")]
    fn memory_does_not_grow_with_the_number_of_items() {
        let item = |n: usize| {
            let hint = BodyTag::of_bytes(&n.to_le_bytes()).hint();
            format!(
                r#"{{"cUrl":"https://example.com/{n}","etag":"{hint}","mUrl":"https://example.com/{n}.json"}}"#
            )
        };
        let most = |items: usize| {
            let items: Vec<_> = (0..items).map(item).collect();
            let text =
                format!(r#"{{"items":[{}],"profile":"{M_SITEMAP_PROFILE}","version":2}}"#, items.join(","));
            let url = Url::parse("https://example.com/map.json").unwrap();
            let info = allocation_counter::measure(|| {
                let mut reader = SitemapReader::new(&url);
                let mut found = 0;
                for piece in text.as_bytes().chunks(4096) {
                    let mut events = reader.push(piece);
                    while let Some(event) = events.next().unwrap() {
                        found +=
                            usize::from(matches!(event, SitemapEvent::Item(item) if item.hash.is_some()));
                    }
                }
                assert_eq!(found, items.len());
                assert_eq!(reader.finish().unwrap().revision(), Revision::V03);
            });
            info.bytes_max
        };
        let (few, many) = (most(100), most(20_000));
        assert!(many <= few + 1024 && many < 16 << 10, "{few} bytes, then {many}");
    }
}
