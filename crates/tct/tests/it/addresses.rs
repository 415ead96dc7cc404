//! Addresses: which are taken, which are one page, and what they say of a page.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use tct::address::{AddressErrorKind, is_public_host};
use tct::pages::{MUrlPattern, classify_page};
use tct::{CUrl, UrlPolicy};
use url::Url;

#[test]
fn hostile_urls_are_refused_by_kind() {
    for (text, kind) in [
        ("javascript:alert(1)", AddressErrorKind::UnsupportedScheme),
        ("file:///etc/passwd", AddressErrorKind::UnsupportedScheme),
        ("//host/path", AddressErrorKind::Relative),
        ("/path", AddressErrorKind::Relative),
        ("", AddressErrorKind::Relative),
        ("https://user@example.com/", AddressErrorKind::Credentials),
        ("https://:secret@example.com/", AddressErrorKind::Credentials),
        ("http://example.com/", AddressErrorKind::Insecure),
        ("https://example.com/\r\nX: y", AddressErrorKind::ForbiddenCharacter),
        ("https://example.com/>", AddressErrorKind::ForbiddenCharacter),
        ("https://", AddressErrorKind::Malformed),
    ] {
        assert_eq!(CUrl::parse(text).unwrap_err().kind(), kind, "{text}");
    }
    assert_eq!(CUrl::parse("HTTPS://EXAMPLE.com").unwrap().as_str(), "https://example.com/");
    for host in ["localhost", "localhost.", "LOCALHOST:8080", "a.localhost", "127.0.0.1", "127.1", "[::1]"] {
        assert!(CUrl::parse(&format!("http://{host}/")).is_ok(), "{host}");
    }
    for host in ["localhost.example", "xlocalhost", "10.0.0.1", "[::ffff:127.0.0.1]", "128.0.0.1", "[::2]"] {
        assert!(CUrl::parse(&format!("http://{host}/")).is_err(), "{host}");
        assert!(CUrl::parse_with(&format!("http://{host}/"), &UrlPolicy::allowing_http()).is_ok(), "{host}");
    }
}

#[test]
fn private_addresses_are_told_from_public_ones() {
    let policy = UrlPolicy::default().with_host_check(is_public_host);
    for host in [
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "[fd00::1]",
        "[fe80::1]",
        "2130706433",
        "[::ffff:10.0.0.1]",
        "a.localhost",
        // Special networks that look public.
        "192.0.2.1",
        "198.51.100.7",
        "203.0.113.7",
        "[2001:db8::1]",
        "[64:ff9b::a00:1]",
        "[2002:a00:1::]",
        "router",
        "printer.local",
    ] {
        assert!(CUrl::parse_with(&format!("https://{host}/"), &policy).is_err(), "{host}");
    }
    for host in ["8.8.8.8", "[2001:4860:4860::8888]", "example.com", "172.32.0.1"] {
        assert!(CUrl::parse_with(&format!("https://{host}/"), &policy).is_ok(), "{host}");
    }
}

#[test]
fn pages_are_compared_by_their_meaning() {
    let same = |a: &str, b: &str| CUrl::parse(a).unwrap().is_same_page(&CUrl::parse(b).unwrap());
    assert!(same("https://example.com", "https://example.com/"));
    assert!(same("https://example.com:443/", "https://example.com/"));
    assert!(same("https://b\u{fc}cher.example/", "https://xn--bcher-kva.example/"));
    assert!(same("https://example.com/a/../b", "https://example.com/b"));
    assert!(same("https://example.com/%c3%a9", "https://example.com/\u{e9}"));
    assert!(same("https://example.com/?q=%7e", "https://example.com/?q=~"));
    assert!(!same("https://example.com/%2F", "https://example.com//"));
    assert!(!same("https://example.com/a", "https://example.com/A"));
    assert!(!same("https://example.com/?q", "https://example.com/"));
    assert!(!same("https://example.com:8443/", "https://example.com/"));
    let urls =
        ["https://example.com/post", "https://example.com/post/"].map(|text| Url::parse(text).unwrap());
    let policy = tct::OpenPolicy::default();
    assert!(policy.with_folded_slashes().is_same_page(&urls[0], &urls[1]));
    assert!(!policy.is_same_page(&urls[0], &urls[1]));
}

/// A forbidden character is named by its place, in bytes; other faults are those of the whole URL.
#[test]
fn a_forbidden_character_is_found_at_its_byte() {
    for (url, offset) in [
        ("\nhttps://example.com/", 0),
        ("https://example.com/a b", 21),
        ("https://example.com/>", 20),
        ("https://example.com/é\t", 22),
        ("https://example.com/\r\nX: y", 20),
    ] {
        let error = CUrl::parse(url).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (AddressErrorKind::ForbiddenCharacter, offset), "{url:?}");
        assert!(error.to_string().ends_with(&format!("at byte {offset}")), "{error}");
    }
    for url in ["/post/", "http://example.com/", "ftp://example.com/", "https://a:b@example.com/"] {
        assert_eq!(CUrl::parse(url).unwrap_err().offset(), 0, "{url}");
    }
}

#[test]
fn listings_are_told_from_content() {
    for (path, is_listing) in [
        ("/category/technology/", true),
        ("/tag/web-protocols/", true),
        ("/2025/10/", true),
        ("/2025/", true),
        ("/2025/10/03/", true),
        ("/search/?q=protocol", true),
        ("/author/john/", true),
        ("/blog/page/2/", true),
        ("/?s=x", true),
        ("/?cat=3", true),
        ("/?m=202510", true),
        ("/news/2025/protocol-launch/", false),
        ("/2025/10/03/a-post/", false),
        ("/about/", false),
        ("/contact/", false),
        ("/blog/understanding-tct/", false),
        ("/1984/", false),
        ("/404/", false),
        ("/?p=12", false),
        ("/", false),
    ] {
        let kind = classify_page(&Url::parse(&format!("https://example.com{path}")).unwrap());
        assert_eq!(kind.is_listing(), is_listing, "{path}: {kind:?}");
    }
}

#[test]
fn patterns_map_pages() {
    let append = MUrlPattern::append("/llm/").unwrap();
    let map = |path: &str| append.m_url(&CUrl::parse(&format!("https://example.com{path}")).unwrap());
    assert_eq!(map("/").unwrap().as_str(), "https://example.com/llm/");
    assert_eq!(map("/post").unwrap().as_str(), "https://example.com/post/llm/");
    assert_eq!(map("/post/#top").unwrap().as_str(), "https://example.com/post/llm/");
    assert_eq!(map("/caf%C3%A9/?a=1").unwrap().as_str(), "https://example.com/caf%C3%A9/llm/?a=1");
    assert_eq!(map("/post/llm/").unwrap_err().kind(), AddressErrorKind::Collision);
    assert_eq!(map("/llm").unwrap_err().kind(), AddressErrorKind::Collision);
    assert!(map("/my-llm/").is_ok());
    for slug in ["", "/", "..", "a/../b", "a b", "a?b", "a%2Fb", "a//b"] {
        assert_eq!(MUrlPattern::append(slug).unwrap_err().kind(), AddressErrorKind::BadSlug, "{slug}");
    }
}
