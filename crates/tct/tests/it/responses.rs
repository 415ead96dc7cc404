//! What every planned response has in common, over all methods, request fields and representations.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use tct::address::AddressErrorKind;
use tct::link::link_policy;
use tct::lint::{HeaderFinding, check_headers};
use tct::response::BodyPlan;
use tct::{CUrl, Payload, Representation, Sealed, UnixSeconds, plan_response};

fn page() -> (CUrl, Sealed) {
    let page = CUrl::parse("https://example.com/post/").unwrap();
    let sealed = Payload::new(&page, "Title", "Text.").seal().unwrap();
    (page, sealed)
}

fn request(fields: &[(header::HeaderName, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in fields {
        headers.append(name.clone(), value.parse().unwrap());
    }
    headers
}

#[test]
fn another_media_type_changes_no_other_field() {
    let (page, sealed) = page();
    let json = sealed.representation(&page);
    let text = json.clone().with_content_type(HeaderValue::from_static("text/markdown"));
    let plan = |representation| plan_response(&Method::GET, &HeaderMap::new(), representation).headers;
    let (mut json, text) = (plan(&json), plan(&text));
    assert_eq!(text[header::CONTENT_TYPE], "text/markdown");
    json.insert(header::CONTENT_TYPE, text[header::CONTENT_TYPE].clone());
    assert_eq!(json, text);
}

#[test]
#[covers("TCT-COND-10", "TCT-AMB-41")]
fn no_field_of_the_connection_is_ever_planned() {
    let (page, sealed) = page();
    let plain = sealed.representation(&page).with_last_modified(UnixSeconds(9), UnixSeconds(9));
    let coded = plain.coded(HeaderValue::from_static("gzip"), 50);
    let tag = format!("\"{}\"", sealed.fingerprint());
    let requests = [
        request(&[]),
        request(&[(header::IF_NONE_MATCH, &tag)]),
        request(&[(header::IF_MATCH, "\"x\"")]),
        request(&[(header::RANGE, "bytes=0-9")]),
        request(&[(header::RANGE, "bytes=999999-")]),
        request(&[(header::CONNECTION, "keep-alive, te"), (header::TE, "trailers")]),
    ];
    for method in [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS, Method::DELETE, Method::TRACE] {
        for request in &requests {
            for representation in [&plain, &coded] {
                let plan = plan_response(&method, request, representation);
                assert!(
                    !check_headers(&plan.headers).contains(&HeaderFinding::HopByHop),
                    "{method} {request:?}"
                );
                let sends = plan.body != BodyPlan::Nothing;
                let may_send = method == Method::GET && plan.status.is_success();
                assert_eq!(sends, may_send, "{method} {} {request:?}", plan.status);
            }
        }
    }
    // Received, they are told.
    for name in ["connection", "keep-alive", "transfer-encoding", "upgrade"] {
        let received = request(&[(header::HeaderName::from_static(name), "x")]);
        assert!(check_headers(&received).contains(&HeaderFinding::HopByHop), "{name}");
    }
}

#[test]
#[covers("TCT-COND-5", "TCT-AMB-20", "TCT-MA-3")]
fn a_coded_variant_is_never_served_in_parts() {
    let (page, sealed) = page();
    let coded = sealed.representation(&page).coded(HeaderValue::from_static("br"), 50);
    let plan = plan_response(&Method::GET, &request(&[(header::RANGE, "bytes=0-9")]), &coded);
    assert_eq!((plan.status, plan.body), (StatusCode::OK, BodyPlan::Whole));
    assert_eq!(plan.headers[header::CONTENT_ENCODING], "br");
    assert_eq!(plan.headers[header::VARY], "accept-encoding");
    assert_eq!(plan.headers[header::CONTENT_LENGTH], "50");
    assert_eq!(plan.headers[header::ETAG], format!("\"{}\"", sealed.fingerprint()));
    assert!(!plan.headers.contains_key(header::ACCEPT_RANGES));

    let weak = sealed.representation(&page).coded(HeaderValue::from_static("br"), 50).with_weak_tag();
    assert_eq!(weak.etag(), format!("W/\"{}\"", sealed.fingerprint()).as_str());
    // A client that holds the strong tag is still told that nothing changed.
    let held = format!("\"{}\"", sealed.fingerprint());
    let plan = plan_response(&Method::GET, &request(&[(header::IF_NONE_MATCH, &held)]), &weak);
    assert_eq!(plan.status, StatusCode::NOT_MODIFIED);
}

#[test]
#[covers("TCT-CANON-1", "TCT-HEAD-2", "TCT-MURL-9")]
fn links_stand_beside_each_other_on_get_and_head() {
    let (page, sealed) = page();
    let policy = url::Url::parse("https://example.com/llm-policy.json").unwrap();
    let representation = sealed.representation(&page).with_link(link_policy(&policy));
    for method in [Method::GET, Method::HEAD] {
        let plan = plan_response(&method, &HeaderMap::new(), &representation);
        let links: Vec<_> = plan.headers.get_all(header::LINK).iter().collect();
        assert_eq!(links.len(), 2);
        assert_eq!(links[0], "<https://example.com/post/>; rel=\"canonical\"");
        assert!(check_headers(&plan.headers).is_empty());
    }
}

/// What would end a Link's target or its line never gets into one.
#[test]
#[covers("TCT-CANON-1")]
fn a_page_url_cannot_break_out_of_its_link() {
    let page = CUrl::parse("https://example.com/\u{fc}/a,b;c").unwrap();
    let link = tct::link::link_canonical(&page);
    assert_eq!(link, "<https://example.com/%C3%BC/a,b;c>; rel=\"canonical\"");
    for end in [">", "<", "\"", " ", "\r\nSet-Cookie: b", "\n", "\r", "\t", "\0"] {
        let page = format!("https://example.com/a{end}b");
        assert_eq!(CUrl::parse(&page).unwrap_err().kind(), AddressErrorKind::ForbiddenCharacter, "{page:?}");
    }
}

#[test]
#[covers("TCT-COND-9")]
fn last_modified_is_never_later_than_now() {
    let (page, sealed) = page();
    let representation =
        sealed.representation(&page).with_last_modified(UnixSeconds(2_000), UnixSeconds(1_000));
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &representation);
    assert_eq!(plan.headers[header::LAST_MODIFIED], UnixSeconds(1_000).to_http_date());
}

#[test]
#[covers("TCT-COND-4")]
fn a_strong_date_may_be_named_by_if_range() {
    let (page, sealed) = page();
    let dated = sealed.representation(&page).with_last_modified(UnixSeconds(1_000), UnixSeconds(2_000));
    let date = UnixSeconds(1_000).to_http_date();
    let ask = request(&[(header::RANGE, "bytes=0-0"), (header::IF_RANGE, &date)]);
    assert_eq!(plan_response(&Method::GET, &ask, &dated).status, StatusCode::OK);
    let strong = dated.with_strong_date();
    assert_eq!(plan_response(&Method::GET, &ask, &strong).status, StatusCode::PARTIAL_CONTENT);
}

#[test]
#[covers("TCT-CACHE-3", "TCT-SEC-18")]
fn a_protected_resource_is_private() {
    let protected = Representation::of_bytes(b"{}").protected();
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &protected);
    assert_eq!(plan.headers[header::CACHE_CONTROL], "private, max-age=0, must-revalidate");
}

#[test]
#[covers("TCT-ETAG-3", "TCT-INV-1")]
fn the_tag_follows_the_bytes_and_nothing_else() {
    let (page, sealed) = page();
    assert_eq!(Payload::new(&page, "Title", "Text.").seal().unwrap(), sealed);
    let others = [
        Payload::new(&page, "Title!", "Text.").seal().unwrap(),
        Payload::new(&page, "Title", "text.").seal().unwrap(),
        Payload::new(&page, "Title", "Text.").with_profile(None).seal().unwrap(),
        Payload::new(&page, "Title", "Text.").with_field("language", "en").unwrap().seal().unwrap(),
    ];
    for other in others {
        assert_ne!(other.etag(), sealed.etag());
    }
}

/// RFC 9110, section 13.2.1: what would not succeed without its condition ignores it.
#[test]
fn a_method_that_is_not_allowed_ignores_its_precondition() {
    let (page, sealed) = page();
    let representation = sealed.representation(&page);
    let tag = representation.etag().to_str().unwrap().to_owned();
    for (field, value) in
        [(header::IF_NONE_MATCH, tag.as_str()), (header::IF_NONE_MATCH, "*"), (header::IF_MATCH, "\"x\"")]
    {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::TRACE] {
            let plan = plan_response(&method, &request(&[(field.clone(), value)]), &representation);
            assert_eq!(plan.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {field}: {value}");
            assert!(plan.headers[header::ALLOW].to_str().unwrap().starts_with("GET, HEAD"));
        }
    }
}

#[test]
#[covers("TCT3-AMB-15")]
fn a_coded_variant_can_have_a_tag_of_its_own() {
    let (page, sealed) = page();
    let plain = sealed.representation(&page);
    let coded = plain.coded_bytes(HeaderValue::from_static("gzip"), b"coded");
    assert_eq!(coded.etag(), Representation::of_bytes(b"coded").etag());
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &coded);
    assert_eq!(plan.headers[header::CONTENT_ENCODING], "gzip");
    assert_eq!(plan.headers[header::CONTENT_LENGTH], "5");
    assert!(!plan.headers.contains_key("content-digest"));
}

/// One hundred bytes with the tag `"now"`, and perhaps a date.
fn hundred(modified: Option<u64>, is_strong: bool) -> Representation {
    let page = Representation::of_etag(HeaderValue::from_static("\"now\""), 100).unwrap();
    let page = match modified.map(UnixSeconds) {
        Some(at) => page.with_last_modified(at, at),
        None => page,
    };
    if is_strong { page.with_strong_date() } else { page }
}

#[test]
fn ranges() {
    let part = |first, last| (206, BodyPlan::Part { first, last });
    let (whole, after) = ((200, BodyPlan::Whole), (416, BodyPlan::Nothing));
    let of = |value: &str, page: &Representation| {
        let plan = plan_response(&Method::GET, &request(&[(header::RANGE, value)]), page);
        (plan.status.as_u16(), plan.body)
    };
    for (value, expected) in [
        ("bytes=0-9", part(0, 9)),
        ("Bytes=0-9", part(0, 9)),
        ("bytes=90-", part(90, 99)),
        ("bytes=90-900", part(90, 99)),
        ("bytes=-10", part(90, 99)),
        ("bytes=-1000", part(0, 99)),
        ("bytes=99-99", part(99, 99)),
        ("bytes=0-99999999999999999999999", part(0, 99)),
        ("bytes= 0-9", part(0, 9)),
        ("bytes=,0-9,", part(0, 9)),
        ("bytes=100-", after),
        ("bytes=-0", after),
        ("bytes=99999999999999999999999-", after),
        ("bytes=9-0", whole),
        ("bytes=0-9,20-29", whole),
        ("bytes=", whole),
        ("bytes=-", whole),
        ("bytes", whole),
        ("bytes=a-b", whole),
        ("bytes=+1-2", whole),
        ("bytes=1 - 2", whole),
        ("items=0-9", whole),
        ("bytes =0-9", whole),
    ] {
        assert_eq!(of(value, &hundred(None, false)), expected, "{value}");
    }
    let empty = Representation::of_bytes(b"");
    assert_eq!((of("bytes=0-", &empty), of("bytes=-5", &empty)), (after, after));
}

/// Each precondition, whether the tag is the present one and whether the date is as late as the page's.
#[test]
fn preconditions_lead_to_304_or_412() {
    let page = hundred(Some(784_111_777), false);
    let same = "Sun, 06 Nov 1994 08:49:37 GMT";
    let (before, behind) = (same.replace("37", "36"), same.replace("37", "38"));
    let (matches, none) = (header::IF_MATCH, header::IF_NONE_MATCH);
    let (since, unmodified) = (header::IF_MODIFIED_SINCE, header::IF_UNMODIFIED_SINCE);
    type Row<'a> = (&'a [(header::HeaderName, &'a str)], u16);
    let rows: [Row<'_>; 16] = [
        (&[], 200),
        (&[(matches.clone(), "\"now\"")], 200),
        (&[(matches.clone(), "W/\"now\"")], 412),
        (&[(matches.clone(), "\"old\"")], 412),
        (&[(matches.clone(), "\"now\""), (unmodified.clone(), &before)], 200),
        (&[(unmodified.clone(), &before)], 412),
        (&[(unmodified.clone(), same)], 200),
        (&[(none.clone(), "\"now\"")], 304),
        (&[(none.clone(), "W/\"now\"")], 304),
        (&[(none.clone(), "\"old\"")], 200),
        (&[(none.clone(), "\"old\""), (since.clone(), same)], 200),
        (&[(since.clone(), same)], 304),
        (&[(since.clone(), &behind)], 304),
        (&[(since.clone(), &before)], 200),
        (&[(since.clone(), same), (since, same)], 200),
        (&[(matches, "\"now\""), (none, "\"now\"")], 304),
    ];
    for (fields, expected) in rows {
        for method in [Method::GET, Method::HEAD] {
            let plan = plan_response(&method, &request(fields), &page);
            assert_eq!(plan.status.as_u16(), expected, "{method} {fields:?}");
        }
    }
    // What the page does not have is not compared.
    let bare = hundred(None, false);
    for name in [header::IF_MODIFIED_SINCE, header::IF_UNMODIFIED_SINCE] {
        assert_eq!(plan_response(&Method::GET, &request(&[(name, same)]), &bare).status, StatusCode::OK);
    }
}

/// A range applies only to the representation that `If-Range` names, by a strong tag or a strong date.
#[test]
fn a_range_counts_for_the_representation_that_it_names() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let modified = Some(784_111_777);
    let plain = hundred(None, false);
    let of = |page: &Representation, fields: &[(header::HeaderName, &str)]| {
        plan_response(&Method::GET, &request(fields), page).status.as_u16()
    };
    for (if_range, page, expected) in [
        (vec![], plain.clone(), 206),
        (vec!["\"now\""], plain.clone(), 206),
        (vec!["W/\"now\""], plain.clone(), 200),
        (vec!["\"old\""], plain.clone(), 200),
        (vec!["\"now\"", "\"now\""], plain.clone(), 200),
        (vec![date], hundred(modified, true), 206),
        (vec![date], hundred(modified, false), 200),
        (vec![date], hundred(Some(784_111_778), true), 200),
        (vec!["yesterday"], hundred(None, true), 200),
    ] {
        let lines = if_range.iter().map(|line| (header::IF_RANGE, *line));
        let fields: Vec<_> = [(header::RANGE, "bytes=0-9")].into_iter().chain(lines).collect();
        assert_eq!(of(&page, &fields), expected, "{if_range:?}");
    }
    assert_eq!(of(&plain, &[(header::RANGE, "bytes=0-9"), (header::RANGE, "bytes=0-9")]), 200);
    assert_eq!(of(&plain, &[(header::RANGE, "bytes=100-")]), 416);
}
