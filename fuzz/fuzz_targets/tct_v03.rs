//! Draft -03: any bytes as document and sitemap, and documents of any text, sealed: what the writer makes is canonical,
//! valid and opened by the reader; what is valid and canonical has the tag of its bytes.
#![no_main]

use http::{HeaderMap, HeaderValue, Method, header};
use libfuzzer_sys::fuzz_target;
use tct::v03::{
    BodyLimits, BodyTag, Identity, MUrlDocument, Revision, check_document, check_sitemap, classify,
};
use tct::open::{Expected, open_response};
use tct::{CUrl, OpenPolicy, plan_response};
use tct_canonical_json::{Profile, is_canonical};

fuzz_target!(|data: (&str, &str, &str, &[u8])| {
    let (path, title, content, json) = data;
    let (tag, limits) = (BodyTag::of_bytes(json), BodyLimits::default());
    if let Ok(check) = check_document(json, &limits) {
        assert_eq!(check.is_canonical(), is_canonical(json, Profile::Rfc8785));
        assert_eq!(check.tag(), &tag);
        assert!(check.findings().iter().all(|finding| !finding.to_string().is_empty()));
        if check.is_valid() {
            assert!(classify(json).expect("it was read").is_some());
        }
    }
    if let Ok(check) = check_sitemap(json, None, &limits) {
        for item in check.items() {
            for url in [&item.c_url, &item.m_url] {
                let scheme = url.split("://").next().unwrap_or_default();
                assert!(["http", "https"].iter().any(|one| scheme.eq_ignore_ascii_case(one)), "{url}");
                let is_of_rfc3986 = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
                assert!(url.bytes().all(is_of_rfc3986), "{url}");
            }
            let is_time = |text: &str| text.parse::<web_values::Timestamp>().is_ok();
            assert!(item.modified.as_deref().is_none_or(is_time));
        }
    }
    if let Ok(identity) = Identity::of_json(json, &limits) {
        assert!(is_canonical(identity.body(), Profile::Rfc8785));
        assert_eq!(Identity::of_json(identity.body(), &limits).as_ref(), Ok(&identity));
    }
    let _ = BodyTag::hint_matches(path, title.as_bytes());

    let url = format!("https://example.com/{path}");
    let Ok(document) = MUrlDocument::new(url.as_str(), title, content) else { return };
    let Ok(sealed) = document.seal() else { return };
    let check = check_document(sealed.body(), &limits).expect("what was sealed is JSON");
    assert!(check.is_valid() && check.is_canonical(), "{:?}", check.findings());
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation());
    let mut response = plan.into_http(sealed.body().len(), |range| sealed.body()[range].to_vec());
    let Ok(page) = CUrl::parse(&url) else { return };
    let twin = url::Url::parse("https://example.com/llm/").unwrap();
    let expected = Expected { page: Some(&page), sitemap_hash: None };
    let opened = open_response(&twin, &response, &expected, &OpenPolicy::strict().for_revision(Revision::V03));
    assert!(opened.is_accepted(), "{:?}", opened.problems());
    // Another tag is another document.
    if let Ok(other) = HeaderValue::from_str(&format!("\"{title}\""))
        && response.headers().get(header::ETAG) != Some(&other)
    {
        response.headers_mut().insert(header::ETAG, other);
        let opened = open_response(&twin, &response, &expected, &OpenPolicy::strict().for_revision(Revision::V03));
        assert!(!opened.is_accepted(), "accepted with the tag {title:?}");
    }
});
