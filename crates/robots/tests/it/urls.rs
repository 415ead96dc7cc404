//! The URL types of other crates.
#![cfg(all(feature = "url", feature = "http"))]

use robots::{RequestPath, Robots};

#[test]
fn url_types_give_path_and_query() {
    for (text, path) in [
        ("https://example.com/a/b?c=d#e", "/a/b?c=d"),
        ("https://example.com", "/"),
        ("https://example.com?c", "/?c"),
        ("https://example.com:8080/%7e", "/%7e"),
    ] {
        let url = url::Url::parse(text).unwrap();
        assert_eq!(RequestPath::from(&url).as_str(), path);
        assert_eq!(RequestPath::of_url(text).as_str(), path);
        let uri: http::Uri = text.split('#').next().unwrap().parse().unwrap();
        assert_eq!(RequestPath::from(&uri).as_str(), path);
    }
    let robots = Robots::parse(b"User-agent: *\nDisallow: /a\n");
    assert!(robots.decide("x", &url::Url::parse("https://example.com/b/../a").unwrap()).is_disallowed());
}
