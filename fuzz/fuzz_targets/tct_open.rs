//! Opening what a stranger sends: an accepted payload is for the expected page and has all its fields, and a visit
//! ends after a handful of requests with a hash only where a body is.

#![no_main]

use http::{HeaderMap, HeaderValue, StatusCode, header};
use libfuzzer_sys::fuzz_target;
use tct::open::{Expected, open_response};
use tct::{CUrl, Fingerprint, HeldPage, MUrl, OpenPolicy, Outcome, UnixSeconds, Visit, VisitPolicy, VisitStep};

fuzz_target!(|data: (Vec<(u16, Option<String>, Option<String>)>, bool, String)| {
    let (answers, is_held, body) = data;
    let page = CUrl::parse("https://example.com/post/").unwrap();
    let twin = MUrl::parse("https://example.com/post/llm/").unwrap();
    let hash = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    // A body that is nearly right, so that the checks behind the parser are reached.
    let framed = format!(
        r#"{{"canonical_url":"https://example.com/post/","content":{},"hash":"{hash}","title":"t"}}"#,
        serde_json::Value::from(body.as_str())
    );
    let held = is_held.then(|| HeldPage::new(hash, UnixSeconds(1)));
    let mut visit = Visit::new(&twin, &page, Fingerprint::parse(hash).ok(), held, VisitPolicy::default());
    let mut requests = 0;
    for (status, etag, link) in answers.iter().cycle().take(40) {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let etag = etag.clone().unwrap_or_else(|| format!("\"{hash}\""));
        let link = link.clone().unwrap_or_else(|| "</post/>; rel=canonical".to_owned());
        for (name, value) in [(header::ETAG, &etag), (header::LINK, &link), (header::LOCATION, &link)] {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        }
        let status = StatusCode::from_u16(100 + status % 500).unwrap();
        let bytes = if status == 200 && requests % 2 == 0 { framed.as_bytes() } else { body.as_bytes() };
        let mut response = http::Response::new(bytes);
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        let url = visit.url().clone();
        let opened = open_response(&url, &response, &Expected { page: Some(&page), sitemap_hash: None }, &OpenPolicy::default());
        assert_eq!(opened.is_accepted(), opened.payload().is_some());
        if let Some(payload) = opened.payload() {
            assert!(payload.page().is_same_page(&page) && payload.json() == bytes);
            let _check = tct::sealing::check_hash(payload.json()).expect("an accepted payload has its fields");
        }
        assert!(opened.is_accepted() != opened.problems().iter().any(|problem| problem.is_fatal));
        requests += 1;
        assert!(requests <= 12, "the visit does not end");
        match visit.on_response(&url, &response, UnixSeconds(2)) {
            VisitStep::Again(next) => visit = *next,
            VisitStep::Done(Outcome::Store { held, payload, .. }) => {
                assert!(held.hash.fingerprint().is_some() && !payload.json().is_empty());
                return;
            }
            VisitStep::Done(Outcome::Keep { held, .. } | Outcome::Restore { held, .. }) => {
                assert!(is_held && held.hash == *hash);
                return;
            }
            VisitStep::Done(_) => return,
        }
    }
});
