//! The full text of every error message, reviewed like code.

#![allow(
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    reason = "a test says what it expects in the plainest way"
)]

use std::fmt::Write as _;

use tct::address::is_public_host;
use tct::pages::MUrlPattern;
use tct::sealing::{HashMethod, Sealer};
use tct::sitemap::Sitemap;
use tct::{
    CUrl, Payload, PolicyDescriptor, SitemapBudget, SitemapEntry, SitemapLimits, SitemapReader, UrlPolicy,
    write_sitemaps,
};

#[test]
fn addresses() {
    let public = UrlPolicy::default().with_host_check(is_public_host);
    let mut text = String::new();
    for url in [
        "https://example.com/a b",
        "/post/",
        "https://",
        "http://example.com/",
        "javascript:alert(1)",
        "https://user@example.com/",
        "https://10.0.0.1/",
    ] {
        let error = CUrl::parse_with(url, &public).unwrap_err();
        writeln!(text, "{url}\n  {error} [{}]", error.requirement()).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn sitemaps() {
    let limits = SitemapLimits::default().with_max_bytes(60).with_max_items(1).with_max_depth(2);
    let mut text = String::new();
    for file in [
        "{\"items\":[x]}",
        "{\"items\":[{}",
        "\u{feff}{}",
        "[]",
        "{}",
        "{\"items\":{}}",
        "{\"sitemaps\":[]}",
        "{\"items\":[],\"items\":[]}",
        "{\"items\":[1,2]}",
        "{\"x\":[[[]]],\"items\":[]}",
        "{\"items\":[],\"a long member that takes the document past its limit\":1}",
    ] {
        let mut reader = SitemapReader::any_origin().with_limits(limits);
        let mut events = reader.push(file.as_bytes());
        while let Ok(Some(_)) = events.next() {}
        drop(events);
        let error = reader.finish().unwrap_err();
        writeln!(text, "{}\n  {error} [{}]", file.escape_debug(), error.requirement()).unwrap();
    }
    let mut reader = SitemapReader::any_origin();
    let error = reader.push(b"{\"a\":\"\xFF\"}").next().unwrap_err();
    writeln!(text, "{{\"a\":\"\\xFF\"}}\n  {error} [{}]", error.requirement()).unwrap();
    insta::assert_snapshot!(text);
    assert!(Sitemap::new().read(b"", SitemapReader::any_origin()).is_err());
}

#[test]
fn seals() {
    let page = CUrl::parse("https://example.com/").unwrap();
    let payload = Payload::new(&page, "T", "C");
    let json = |text: &[u8]| Sealer::new().seal_json(text).unwrap_err();
    let errors = [
        json(b"[]"),
        json(br#"{"title":"","content":""}"#),
        json(br#"{"canonical_url":"","title":1,"content":""}"#),
        json(br#"{"canonical_url":"","title":"","content":" "}"#),
        json(b"{"),
        Payload::new(&page, "T", " \n").seal().unwrap_err(),
        payload.clone().with_field("hash", 1).unwrap_err(),
        payload.clone().with_field("a\nb", 1).unwrap().seal_content_locked().unwrap_err(),
        payload
            .with_field("\u{e000}", 1)
            .and_then(|payload| payload.with_field("\u{1f600}", 1))
            .and_then(|payload| Sealer::new().refuse_order_conflicts().seal(&payload))
            .unwrap_err(),
    ];
    let mut text = String::new();
    for error in errors {
        writeln!(text, "{error} [{}]", error.requirement()).unwrap();
        if let Some(source) = std::error::Error::source(&error) {
            writeln!(text, "  {source}").unwrap();
        }
    }
    assert_eq!(Sealer::new().method(HashMethod::B).seal_json(b"[]").unwrap_err(), json(b"[]"));
    insta::assert_snapshot!(text);
}

#[test]
fn others() {
    let page = CUrl::parse("https://example.com/llm/").unwrap();
    let twin = tct::MUrl::parse("https://example.com/llm/llm/").unwrap();
    let entry = SitemapEntry::new(page.clone(), twin, tct_fingerprint::Fingerprint::hash(b""));
    let pattern = MUrlPattern::append("a b").unwrap_err();
    let collision = MUrlPattern::append("llm").unwrap().m_url(&page).unwrap_err();
    let large =
        write_sitemaps([entry.clone()], SitemapBudget::default().with_max_item_bytes(100)).unwrap_err();
    let none = write_sitemaps([entry.clone()], SitemapBudget::default().with_max_items(0)).unwrap_err();
    let policy = PolicyDescriptor::parse(b"{").unwrap_err();
    let date =
        write_sitemaps([entry.clone().with_modified("last tuesday")], SitemapBudget::default()).unwrap_err();
    let text = format!(
        "{pattern} [{}]\n{collision} [{}]\n{large} [{}]\n{none} [{}]\n{policy} [{}]\n{date} [{}]\n",
        pattern.requirement(),
        collision.requirement(),
        large.requirement(),
        none.requirement(),
        policy.requirement(),
        date.requirement()
    );
    insta::assert_snapshot!(text);
}

#[test]
fn a_fault_of_a_policy_names_member_line_and_column() {
    let json =
        "{\n  \"effective\": \"soon\",\n  \"rate_hints\": {\"note\": \"é\", \"max_requests_per_day\": -1}\n}";
    let (_, faults) = PolicyDescriptor::parse(json.as_bytes()).unwrap();
    assert_eq!(
        faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "expected an RFC 3339 timestamp, found other text at /effective (line 2, column 16)",
            "expected a number of at least 0, found a negative one at /rate_hints/max_requests_per_day (line 3, column 55)",
        ]
    );
    let (_, faults) = PolicyDescriptor::parse(b"\n []").unwrap();
    assert_eq!(faults[0].to_string(), "expected an object, found another value at line 2, column 2");
}

#[test]
fn what_is_logged() {
    let text = tct::untrusted::UntrustedText::new("a\n\u{202e}b".to_owned());
    assert_eq!(format!("{text:?}"), r#"UntrustedText("a\n\u{202e}b")"#);
    let hash = tct_fingerprint::Fingerprint::hash(b"");
    let held = tct::held::ContentHash::from(hash);
    assert_eq!(format!("{held:?}"), format!("ContentHash(\"{hash}\")"));
    // A stored state that is not one says what was expected in its place.
    for (json, expected) in [
        (r#"{"c_url":"https://a.example/","m_url":"","listed":7}"#, "a text"),
        (r#"{"c_url":"https://a.example/","m_url":"","held":{"hash":7}}"#, "a text"),
    ] {
        let error = serde_json::from_str::<tct::PageState>(json).unwrap_err().to_string();
        assert!(error.contains(&format!("expected {expected} at")), "{error}");
    }
}
