//! Discovery in a page: every URL is absolute and of the web, and a page's body adds nothing.

#![no_main]

use http::HeaderMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &[u8]| {
    let url = url::Url::parse("https://example.com/a/").unwrap();
    let found = tct::discover(&url, &HeaderMap::new(), html);
    for url in found.m_urls.iter().chain(&found.sitemaps).chain(&found.policies).chain(&found.canonical) {
        assert!(matches!(url.scheme(), "https" | "http") && url.host().is_some());
    }
    let body = [html, b"</title></script></style></noscript></noframes>--></template><body>"].concat();
    let with_more = [&body[..], b"<link rel=alternate type=application/json href=never-in-a-body>"].concat();
    let before = tct::discover(&url, &HeaderMap::new(), &body);
    let _after = tct::discover(&url, &HeaderMap::new(), &with_more);
    assert!(before.m_urls.len() >= found.m_urls.len());
});
