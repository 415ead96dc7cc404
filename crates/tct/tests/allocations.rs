//! What a server does for every request takes no memory but the header map that it returns.
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use covers::covers;
use http::{HeaderMap, Method, StatusCode, header};
use tct::{CUrl, Representation, UnixSeconds, plan_response};

#[test]
#[covers("TCT-COND-1", "TCT-COND-4")]
fn a_304_allocates_its_header_map_and_nothing_else() {
    let page = CUrl::parse("https://example.com/post/").unwrap();
    let page = Representation::of_bytes(b"body")
        .with_canonical(&page)
        .with_last_modified(UnixSeconds(1_760_000_000), UnixSeconds(1_760_000_001));
    let mut request = HeaderMap::new();
    let tags = format!("\"other\", W/\"weak\", {}", page.etag().to_str().unwrap());
    request.insert(header::IF_NONE_MATCH, tags.parse().unwrap());
    request.insert(header::IF_MODIFIED_SINCE, "Tue, 21 Oct 2025 07:28:00 GMT".parse().unwrap());
    request.insert(header::ACCEPT_ENCODING, "gzip, br".parse().unwrap());
    // The map that a caller would have to build by hand, with the same room.
    let map = allocation_counter::measure(|| drop(HeaderMap::<header::HeaderValue>::with_capacity(12)));
    let planned = allocation_counter::measure(|| {
        let plan = plan_response(&Method::GET, &request, &page);
        assert_eq!(plan.status, StatusCode::NOT_MODIFIED);
    });
    assert_eq!((planned.count_total, planned.bytes_total), (map.count_total, map.bytes_total));
    assert_eq!(planned.count_current, 0);
}
