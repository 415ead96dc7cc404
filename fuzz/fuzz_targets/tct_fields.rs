//! Header fields from strangers: conditional requests, links, caching, retrying. The plan never reaches beyond the
//! body, HEAD is GET without its body, and what is written is read back.

#![no_main]

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use libfuzzer_sys::fuzz_target;
use tct::response::BodyPlan;
use tct::{Representation, UnixSeconds, plan_response};

fuzz_target!(|data: (u64, Vec<(u8, Vec<u8>)>)| {
    let (len, lines) = data;
    let names = [
        header::IF_NONE_MATCH,
        header::IF_MATCH,
        header::IF_MODIFIED_SINCE,
        header::IF_UNMODIFIED_SINCE,
        header::IF_RANGE,
        header::RANGE,
        header::LINK,
        header::CACHE_CONTROL,
        header::RETRY_AFTER,
        header::ETAG,
        header::LAST_MODIFIED,
        http::HeaderName::from_static("ratelimit"),
        http::HeaderName::from_static("ratelimit-policy"),
    ];
    let mut headers = HeaderMap::new();
    for (name, value) in lines.iter().take(20) {
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(&names[usize::from(*name) % names.len()], value);
        }
    }
    let now = UnixSeconds(1_760_000_000);
    let page = Representation::of_etag(HeaderValue::from_static("\"abc\""), len).unwrap().with_last_modified(now, now);
    let get = plan_response(&Method::GET, &headers, &page);
    let head = plan_response(&Method::HEAD, &headers, &page);
    match get.body {
        BodyPlan::Part { first, last } => {
            assert!(first <= last && last < len && get.status == StatusCode::PARTIAL_CONTENT);
        }
        BodyPlan::Whole => assert_eq!(get.status, StatusCode::OK),
        BodyPlan::Nothing => assert!(get.status != StatusCode::OK),
    }
    assert_eq!(head.body, BodyPlan::Nothing);
    if get.status != StatusCode::PARTIAL_CONTENT && get.status != StatusCode::RANGE_NOT_SATISFIABLE {
        assert_eq!((head.status, &head.headers), (get.status, &get.headers));
    }
    let url = url::Url::parse("https://example.com/a/b/").unwrap();
    let found = tct::discovery::discover_in_headers(&url, &headers);
    for url in found.m_urls.iter().chain(&found.sitemaps).chain(&found.policies).chain(&found.canonical) {
        assert!(matches!(url.scheme(), "https" | "http") && url.fragment().is_none());
        let mut again = HeaderMap::new();
        again.append(header::LINK, tct::link::link_sitemap(url));
        assert_eq!(tct::discovery::discover_in_headers(url, &again).sitemaps, [url.clone()]);
    }
    assert!(tct::retry::retry_after(&headers, now).is_none_or(|at| at >= now));
    if let Some(limit) = tct::retry::RateLimit::of(&headers) {
        assert!(limit.next_request_at(now) >= now);
    }
    let _directives = tct::cache::CacheControl::of(&headers);
    let _lint = tct::lint::check_headers(&headers);
    if let Some(line) = headers.get(header::LAST_MODIFIED).and_then(|line| line.to_str().ok())
        && let Some(at) = tct::time::parse_http_date(line)
    {
        assert_eq!(tct::time::parse_http_date(&at.to_http_date()), Some(at));
    }
});
