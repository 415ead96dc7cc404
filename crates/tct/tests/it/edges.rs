//! Small rules, each at its edges: what a table of inputs gives, and every part of a value by itself.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::type_complexity,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde_json::json;
use tct::address::AddressErrorKind;
use tct::held::{ContentHash, HeldTag};
use tct::link::{html_alternate, link_alternate, link_canonical, link_policy, link_sitemap};
use tct::pages::{MUrlPattern, PageKind, classify_page};
use tct::payload::escape_markup;
use tct::plan::{Recheck, SitemapDate};
use tct::resource::NegotiatedPage;
use tct::response::content_digest;
use tct::sealing::{HashCheck, SealErrorKind, Sealer, check_hash};
use tct::sitemap::{ItemIssue, Sitemap, SitemapErrorKind};
use tct::untrusted::UntrustedText;
use tct::v03::BodyKind;
use tct::{
    CUrl, Coding, EntityTag, Fingerprint, HeldPage, MUrl, OpenPolicy, Outcome, Payload, Plan, PlanPolicy,
    Planner, Representation, Resource, SitemapEvent, SitemapLimits, SitemapReader, UnixSeconds, UrlPolicy,
    Visit, VisitPolicy, VisitStep, plan_response,
};
use url::Url;

const FOO: &str = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn fields(fields: &[(HeaderName, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in fields {
        headers.append(name.clone(), value.parse().unwrap());
    }
    headers
}

#[test]
fn a_url_may_be_as_long_as_a_request_can_carry() {
    let of_len = |len: usize| format!("https://example.com/{}", "a".repeat(len - 20));
    let longest = CUrl::parse(&of_len(65_534)).unwrap();
    assert_eq!(longest.as_str().parse::<http::Uri>().unwrap(), longest.as_str());
    let error = CUrl::parse(&of_len(65_535)).unwrap_err();
    assert_eq!((error.kind(), error.requirement()), (AddressErrorKind::TooLong, "TCT-SEC-12"));
    assert_eq!(error.to_string(), "expected a URL of at most 65534 bytes, found a longer one");
    assert!(of_len(65_535).parse::<http::Uri>().is_err());
}

/// Two URLs are one page where all of their parts are; escapes count by what they stand for, where that is allowed.
#[test]
fn every_part_of_a_url_tells_pages_apart() {
    let page = "https://a:b@example.com:8443/post?q=1#x";
    let strict = OpenPolicy::default();
    for (policy, folds) in [(strict, false), (strict.with_folded_slashes(), true)] {
        let same = |other: &str| policy.is_same_page(&url(page), &url(other));
        for (other, is_same) in [
            ("https://a:b@example.com:8443/post?q=1", true),
            ("https://a:b@EXAMPLE.com:8443/p%6Fst?q=%31#y", true),
            ("http://a:b@example.com:8443/post?q=1#x", false),
            ("https://c:b@example.com:8443/post?q=1#x", false),
            ("https://a:c@example.com:8443/post?q=1#x", false),
            ("https://a:b@example.org:8443/post?q=1#x", false),
            ("https://a:b@example.com/post?q=1#x", false),
            ("https://a:b@example.com:8443/pos?q=1#x", false),
            ("https://a:b@example.com:8443/post?q=2#x", false),
            ("https://a:b@example.com:8443/post#x", false),
        ] {
            assert_eq!(same(other), is_same, "{other} {folds}");
        }
        assert_eq!(same("https://a:b@example.com:8443/post/?q=1"), folds);
    }
    let is_same = |a: &str, b: &str| {
        let of = |path: &str| CUrl::parse(&format!("https://example.com/{path}")).unwrap();
        of(a).is_same_page(&of(b))
    };
    for (a, b) in [
        ("%41%7a%30", "Az0"),
        ("%2D%2e%5F%7e%2d", "-._~-"),
        ("%c3%A9", "%C3%a9"),
        ("%zz%4", "%zz%4"),
        ("[a]|^b?[c]|{", "%5ba%5D%7C%5eb?%5Bc%5d%7c%7B"),
        ("%[", "%%5B"),
    ] {
        assert!(is_same(a, b), "{a} {b}");
    }
    for (a, b) in [("%2f", "/"), ("%25", "%"), ("%2B", "+"), ("%zz", "%ZZ"), ("a%4", "a%40"), ("%+1", "%01")]
    {
        assert!(!is_same(a, b), "{a} {b}");
    }
}

#[test]
fn a_coding_is_as_welcome_as_the_client_says() {
    let rows: [(&[&str], u16, u16); 13] = [
        // (lines of the field, weight of identity, weight of gzip)
        (&[""], 1, 0),
        (&["br"], 1, 0),
        (&["gzip"], 1, 1000),
        (&["GZip;Q=0.5"], 1, 500),
        (&["gzip;q=0.5", "gzip;q=0.25"], 1, 250),
        (&["gzip;q=0.5;q=0.125"], 1, 125),
        (&["gzip;q=0.5;x=1"], 1, 500),
        (&["*"], 1000, 1000),
        (&["*;q=0"], 0, 0),
        (&["*;q=0.5, gzip"], 500, 1000),
        (&["gzip, *;q=0"], 0, 1000),
        (&["identity;q=0, gzip ; q=1"], 0, 1000),
        (&["identity;q=0.75", "*;q=0"], 750, 0),
    ];
    for (lines, identity, gzip) in rows {
        let lines: Vec<_> = lines.iter().map(|line| (header::ACCEPT_ENCODING, *line)).collect();
        let request = fields(&lines);
        let weights = (Coding::Identity.weight(&request), Coding::Gzip.weight(&request));
        assert_eq!(weights, (identity, gzip), "{lines:?}");
    }
    let nothing = HeaderMap::new();
    assert_eq!((Coding::Identity.weight(&nothing), Coding::Gzip.weight(&nothing)), (1000, 0));
}

#[test]
fn entity_tags_are_compared_strongly_or_weakly() {
    let tag = |text: &'static str| EntityTag::parse(text.as_bytes()).unwrap();
    for (a, b, strong, weak) in [
        ("\"a\"", "\"a\"", true, true),
        ("W/\"a\"", "\"a\"", false, true),
        ("\"a\"", "W/\"a\"", false, true),
        ("W/\"a\"", "W/\"a\"", false, true),
        ("\"a\"", "\"b\"", false, false),
        ("W/\"a\"", "\"b\"", false, false),
        ("\"\"", "\"\"", true, true),
    ] {
        assert_eq!((tag(a).strong_eq(&tag(b)), tag(a).weak_eq(&tag(b))), (strong, weak), "{a} {b}");
    }
    for (text, opaque, is_weak) in [
        ("\"a\"", &b"a"[..], false),
        (" W/\"a,b\"\t", b"a,b", true),
        ("\"W/\"", b"W/", false),
        ("W/\"\"", b"", true),
    ] {
        let (tag, held) = (tag(text), HeldTag::parse(text).unwrap());
        assert_eq!((tag.opaque(), tag.is_weak()), (opaque, is_weak), "{text}");
        assert_eq!(held.as_str(), text.trim());
        assert_eq!(format!("{held:>9}"), format!("{:>9}", text.trim()));
        assert_eq!(serde_json::to_value(&held).unwrap(), text.trim());
    }
    for none in [
        "",
        "a",
        "\"a",
        "a\"",
        "w/\"a\"",
        "W\"a\"",
        "\"a\"b",
        "\"a b\"",
        "\"a\u{7f}\"",
        "\"\u{1f}\"",
        "\"a\" \"b\"",
    ] {
        assert!(EntityTag::parse(none.as_bytes()).is_none() && HeldTag::parse(none).is_none(), "{none:?}");
    }
    assert!(EntityTag::parse(b"\"!\xFF\"").is_some());
}

/// How long equality is trusted: up to the last second, and not from the future.
#[test]
fn equality_is_trusted_to_the_second() {
    let hash = Fingerprint::hash(b"foo");
    let now = 10_000_000;
    let policy = PlanPolicy::default();
    let plan = |held_at: u64, sitemap_at: u64| {
        let planner = Planner::new(policy, SitemapDate(UnixSeconds(sitemap_at)), UnixSeconds(now));
        match planner.plan(Some(hash), Some(&HeldPage::new(hash, UnixSeconds(held_at)))) {
            Plan::Revalidate { why, .. } => Some(why),
            Plan::Skip => None,
            Plan::Fetch => panic!("it is held"),
        }
    };
    for (held_at, sitemap_at, why) in [
        (now, now, None),
        (now - 604_800, now, None),
        (now - 604_801, now, Some(Recheck::TooLongUnchecked)),
        (now + 1, now, Some(Recheck::TooLongUnchecked)),
        (now, now - 86_400, None),
        (now, now - 86_401, Some(Recheck::SitemapTooOld)),
        (now, now + 1, Some(Recheck::SitemapTooOld)),
    ] {
        assert_eq!(plan(held_at, sitemap_at), why, "{held_at} {sitemap_at}");
    }
    // A hash that the endpoint contradicted is asked about again after a day.
    let listed = Fingerprint::hash(b"bar");
    for (held_at, sitemap_at, disputed, name) in [
        (now, now, Some(listed), "skip"),
        (now - 86_400, now, Some(listed), "skip"),
        (now - 86_401, now, Some(listed), "revalidate"),
        (now, now - 86_401, Some(listed), "revalidate"),
        (now, now, Some(hash), "revalidate"),
        (now, now, None, "revalidate"),
    ] {
        let planner = Planner::new(policy, SitemapDate(UnixSeconds(sitemap_at)), UnixSeconds(now));
        let mut held = HeldPage::new(hash, UnixSeconds(held_at));
        held.history.disputed = disputed;
        let plan = planner.plan(Some(listed), Some(&held));
        assert_eq!(plan.name(), name, "{held_at} {disputed:?}");
        let asks = plan.if_none_match().is_some();
        assert_eq!(asks, name == "revalidate");
    }
    let planner = Planner::new(policy, SitemapDate(UnixSeconds(now)), UnixSeconds(now));
    assert_eq!((planner.plan(None, None).name(), planner.plan(None, None).if_none_match()), ("fetch", None));
}

/// What is held is asked about by all tags that there are: that of the present body, and those of versions that are kept.
#[test]
fn versions_that_are_kept_are_asked_about_too() {
    let now = UnixSeconds(7);
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
    let mut held = HeldPage::new(Fingerprint::hash(b"foo"), now);
    held.history.other_versions = vec![HeldTag::parse("\"b\"").unwrap(), HeldTag::parse("W/\"c\"").unwrap()];
    let asked = |held: &HeldPage| planner.plan(None, Some(held)).if_none_match();
    assert_eq!(asked(&held).unwrap(), &format!("\"{FOO}\", \"b\", W/\"c\""));
    held.etag = None;
    assert_eq!(asked(&held).unwrap(), "\"b\", W/\"c\"");
    held.history.other_versions.clear();
    assert_eq!((asked(&held), planner.plan(None, Some(&held)).name()), (None, "fetch"));
}

#[test]
fn the_shape_of_a_url_tells_listings() {
    use PageKind::{Author, Category, Content, Date, Home, Paged, Search, Tag};
    for (path, kind) in [
        ("/", Home),
        ("/?x=1", Home),
        ("/search", Search),
        ("/Search/a", Search),
        ("/a/search", Content),
        ("/category/a", Category),
        ("/categories", Category),
        ("/topic/a", Category),
        ("/topics/a/b", Category),
        ("/tag/a", Tag),
        ("/tags", Tag),
        ("/author/a", Author),
        ("/authors", Author),
        ("/a/page/2", Paged),
        ("/page/12345/", Paged),
        ("/a/page/123456", Content),
        ("/a/page/x", Content),
        ("/page/", Content),
        ("/1990", Date),
        ("/1989", Content),
        ("/2099", Date),
        ("/2100", Content),
        ("/02025", Content),
        ("/2025/1", Date),
        ("/2025/10/21/", Date),
        ("/2025/10/21/7", Content),
        ("/2025/100", Content),
        ("/2025/a", Content),
        ("/1989/10", Content),
        ("/?s=a", Search),
        ("/?cat=1", Category),
        ("/?tag=a", Tag),
        ("/?author=1", Author),
        ("/?m=202510", Date),
        ("/?year=2025", Date),
        ("/?monthnum=10", Date),
        ("/?p=1", Content),
        ("/?page_id=1", Content),
        ("/a?s=a", Content),
    ] {
        let found = classify_page(&url(&format!("https://example.com{path}")));
        assert_eq!(found, kind, "{path}");
        assert_eq!(found.is_listing(), !matches!(kind, Content | Home), "{path}");
    }
    let prefix = MUrlPattern::prefix("/api/llm/").unwrap();
    let page = |text: &str| CUrl::parse(&format!("https://example.com{text}")).unwrap();
    assert_eq!(prefix.m_url(&page("/llm/?a#b")).unwrap().as_str(), "https://example.com/api/llm/llm/?a");
    assert!(prefix.m_url(&page("/api/llm/x")).is_err());
    assert!(prefix.m_url(&page("/api/llmx")).is_ok());
    assert!(MUrlPattern::append("...").is_err() && MUrlPattern::append(".well-known/a_b.c").is_ok());
}

#[test]
fn markup_is_found_and_escaped() {
    for (text, escaped) in [
        ("", ""),
        ("a < b, <3, <", "a < b, <3, <"),
        ("&lt;b&gt;", "&lt;b&gt;"),
        ("<b>", "&lt;b>"),
        ("1 < 2 </p> <Z", "1 < 2 &lt;/p> &lt;Z"),
        ("é<!-- --> <?", "é&lt;!-- --> &lt;?"),
        ("<<a", "<&lt;a"),
        ("<@ <[ <` <{", "<@ <[ <` <{"),
    ] {
        assert_eq!(&*escape_markup(text), escaped, "{text}");
    }
    let text = UntrustedText::new("<a href='x'>\"&\u{202e}");
    assert_eq!(text.to_html_text(), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{202e}");
    assert_eq!(text.as_untrusted_str(), "<a href='x'>\"&\u{202e}");
}

#[test]
#[covers("TCT-DISC-1", "TCT-DISC-6", "TCT-POL-2", "TCT3-DISC-1", "TCT3-DISC-3", "TCT-DISC-11")]
fn links_lead_where_they_say() {
    let twin = MUrl::parse("https://example.com/llm/?a=1&b=2").unwrap();
    let page = CUrl::parse("https://example.com/").unwrap();
    assert_eq!(
        html_alternate(&twin),
        r#"<link rel="alternate" type="application/json" href="https://example.com/llm/?a=1&amp;b=2">"#
    );
    let json = |rel: &str, target: &str| format!("<{target}>; rel=\"{rel}\"; type=\"application/json\"");
    assert_eq!(link_alternate(&twin), &json("alternate", "https://example.com/llm/?a=1&b=2"));
    assert_eq!(link_canonical(&page), "<https://example.com/>; rel=\"canonical\"");
    let other = url("https://example.com/x.json");
    assert_eq!(link_sitemap(&other), &json("index", "https://example.com/x.json"));
    assert_eq!(link_policy(&other), &json("describedby", "https://example.com/x.json"));
    // A `>` would end the target.
    assert_eq!(link_sitemap(&url("data:a>b")), &json("index", "data:a%3Eb"));
    // The example of RFC 9530.
    let digest = content_digest(br#"{"hello": "world"}"#);
    assert_eq!(digest, "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:");
}

/// Each reason not to seal, with the field and the rule that it is about.
#[test]
fn a_seal_that_is_refused_says_why() {
    let json = |canonical_url: &str, title: &str, content: &str, more: &str| {
        format!(r#"{{"canonical_url":{canonical_url},"title":{title},"content":{content}{more}}}"#)
    };
    let (plain, method_b) = (Sealer::new(), Sealer::new().method(tct::sealing::HashMethod::B));
    let rows: [(&Sealer, String, SealErrorKind, Option<&str>, &str); 9] = [
        (&plain, "[]".into(), SealErrorKind::NotAnObject, None, "TCT-MURL-3"),
        (&plain, "{}".into(), SealErrorKind::MissingField, Some("canonical_url"), "TCT-MURL-3"),
        (&plain, r#"{"canonical_url":""}"#.into(), SealErrorKind::MissingField, Some("title"), "TCT-MURL-4"),
        (
            &plain,
            r#"{"canonical_url":"","title":""}"#.into(),
            SealErrorKind::MissingField,
            Some("content"),
            "TCT-MURL-5",
        ),
        (&plain, json("\"\"", "null", "\"\"", ""), SealErrorKind::FieldNotText, Some("title"), "TCT-MURL-4"),
        (&plain, json("\"\"", "\"\"", "[]", ""), SealErrorKind::FieldNotText, Some("content"), "TCT-MURL-5"),
        (
            &plain,
            json("\"\"", "\"\"", r#"" \n\t\u00a0""#, ""),
            SealErrorKind::BlankContent,
            None,
            "TCT-PAGE-2",
        ),
        (
            &method_b,
            json("\"\"", "\"\"", "\"a\"", ",\"x\":1"),
            SealErrorKind::ExtraField,
            Some("x"),
            "TCT-MB-2",
        ),
        (&plain, "{\"a\":1,}".into(), SealErrorKind::Json, None, "TCT-JSON-1"),
    ];
    for (sealer, json, kind, field, rule) in rows {
        let error = sealer.seal_json(json.as_bytes()).unwrap_err();
        assert_eq!((error.kind(), error.field(), error.requirement()), (kind, field, rule), "{json}");
        assert_eq!(error.json_error().is_some(), kind == SealErrorKind::Json, "{json}");
    }
    let page = CUrl::parse("https://example.com/").unwrap();
    for name in ["canonical_url", "content", "hash", "profile", "title"] {
        let error = Payload::new(&page, "T", "C").with_field(name, 1).unwrap_err();
        let said = (error.kind(), error.field(), error.requirement());
        assert_eq!(said, (SealErrorKind::ReservedField, Some(name), "TCT-MB-2"));
    }
    let payload = Payload::new(&page, "T", "C").with_profile(None);
    assert_eq!((payload.page(), payload.content()), (&page, "C"));
    let sealed = payload.seal_content_locked().unwrap();
    assert_eq!(sealed.fingerprint(), tct_fingerprint::fingerprint("C"));
    assert!(!String::from_utf8_lossy(sealed.body()).contains("profile"));
    assert_eq!(sealed.etag().to_string(), format!("\"{}\"", sealed.fingerprint()));
    assert_eq!(sealed.clone().into_body(), sealed.body());
    // Blank text, where it is asked for; text behind an escape is not blank.
    for (content, is_blank) in
        [("\"\"", true), ("\" \"", true), (r#""\n\u2003""#, true), (r#""\n a""#, false), (r#"" a""#, false)]
    {
        let text = json("\"\"", "\"\"", content, "");
        assert_eq!(Sealer::new().seal_json(text.as_bytes()).is_err(), is_blank, "{content}");
        assert!(Sealer::new().allow_blank().seal_json(text.as_bytes()).is_ok(), "{content}");
    }
    // Names that the draft and RFC 8785 order differently, and others beside them.
    for (names, conflict) in [
        ("\"\u{e000}\":1,\"\u{1f600}\":1", true),
        ("\"\u{d7ff}\":1,\"\u{1f600}\":1", false),
        ("\"\u{e000}\":1", false),
        ("\"a\":\"\u{e000}\u{1f600}\"", false),
    ] {
        let text = json("\"\"", "\"\"", "\"C\"", &format!(",{names}"));
        let error = Sealer::new().refuse_order_conflicts().seal_json(text.as_bytes()).err();
        assert_eq!(
            error.map(|error| (error.kind(), error.requirement())),
            conflict.then_some((SealErrorKind::OrderConflict, "TCT-AMB-6"))
        );
        assert!(Sealer::new().seal_json(text.as_bytes()).is_ok());
    }
}

/// Which method a publisher uses is found by trying both, members in either order.
#[test]
#[covers("TCT-AMB-2")]
fn the_method_of_a_hash_is_found() {
    let page = CUrl::parse("https://example.com/").unwrap();
    let payload = Payload::new(&page, "T", "C");
    let a = payload.seal().unwrap();
    assert_eq!(check_hash(a.body()), Ok(HashCheck::MatchesA));
    let spaced = String::from_utf8_lossy(a.body()).replace(',', ", ");
    assert_eq!(check_hash(spaced.as_bytes()), Ok(HashCheck::MatchesA));
    let b = payload.seal_content_locked().unwrap();
    assert_eq!(check_hash(b.body()), Ok(HashCheck::MatchesB));
    let other = String::from_utf8_lossy(a.body()).replace("\"C\"", "\"D\"");
    assert_eq!(check_hash(other.as_bytes()), Ok(HashCheck::Neither));
    // In the order of RFC 8785: U+1F600 before U+E000.
    let bare = "{\"canonical_url\":\"\",\"content\":\"C\",\"title\":\"\",\"\u{1f600}\":1,\"\u{e000}\":2}";
    let hash = Fingerprint::hash(bare.as_bytes());
    let rfc = bare.replace("\"title\"", &format!("\"hash\":\"{hash}\",\"title\""));
    assert_eq!(check_hash(rfc.as_bytes()), Ok(HashCheck::MatchesA));
    for (body, kind) in [
        ("[]", SealErrorKind::NotAnObject),
        ("{}", SealErrorKind::MissingField),
        (r#"{"canonical_url":"","content":"","title":""}"#, SealErrorKind::MissingField),
        ("{", SealErrorKind::Json),
    ] {
        assert_eq!(check_hash(body.as_bytes()).unwrap_err().kind(), kind, "{body}");
    }
}

/// An entry is as long as its text; its URLs are those that the policy at hand takes, parsed before or not.
#[test]
fn an_entry_says_how_long_it_is_and_whose() {
    let entry = |len: usize| {
        let text = r#"{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/","x":""}"#;
        text.replace("\"\"}", &format!("\"{}\"}}", "x".repeat(len - text.len())))
    };
    for (len, is_oversized) in [(100, false), (2048, false), (2049, true)] {
        let text = format!("{{\"items\":[{}]}}", entry(len));
        let mut reader = SitemapReader::any_origin();
        let mut events = reader.push(text.as_bytes());
        let Ok(Some(SitemapEvent::Item(item))) = events.next() else { panic!() };
        assert_eq!(
            (item.len_bytes, item.is_oversized(), item.issue),
            (len, is_oversized, Some(ItemIssue::HashMissing))
        );
    }
    let text = br#"{"items":[{"cUrl":"http://example.com/a/","mUrl":"http://example.com/a/llm/"},{"cUrl":"http://example.com/b/","mUrl":"http://example.com/b/llm/"}]}"#;
    let mut reader = SitemapReader::any_origin().with_policy(UrlPolicy::allowing_http());
    let mut events = reader.push(text);
    for name in ["a", "b"] {
        let Ok(Some(SitemapEvent::Item(item))) = events.next() else { panic!() };
        let (strict, loose) = (UrlPolicy::default(), UrlPolicy::allowing_http());
        assert!(format!("{item:?}").ends_with("parsed: .. }"), "how it was read is no part of it: {item:?}");
        assert_eq!(item.page(&strict).unwrap_err().kind(), AddressErrorKind::Insecure);
        assert_eq!(item.twin(&strict).unwrap_err().kind(), AddressErrorKind::Insecure);
        assert_eq!(item.page(&loose).unwrap().as_str(), format!("http://example.com/{name}/"));
        assert_eq!(item.twin(&loose).unwrap().as_str(), format!("http://example.com/{name}/llm/"));
        let now = UnixSeconds(1);
        let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
        assert!(planner.visit(&item, None, VisitPolicy::default()).is_err());
        let visit = planner.visit(&item, None, VisitPolicy::default().with_urls(loose)).unwrap().unwrap();
        assert_eq!(visit.request().uri(), format!("http://example.com/{name}/llm/").as_str());
    }
    let issues = [
        (ItemIssue::HashMissing, false),
        (ItemIssue::HashMalformed, false),
        (ItemIssue::HashConflict, false),
        (ItemIssue::Ambiguous, false),
        (ItemIssue::Duplicate, true),
        (ItemIssue::TooLarge, true),
        (ItemIssue::OtherOrigin, true),
    ];
    for (issue, drops) in issues {
        assert_eq!(issue.drops_item(), drops, "{issue:?}");
    }
}

/// What the reader says of a text that breaks off, and what it has read of it.
#[test]
fn a_sitemap_that_breaks_off_tells_how_far_it_came() {
    use SitemapErrorKind as Kind;
    let rows: [(&str, Kind, bool, bool, u64); 6] = [
        // (text, fault, usable, `items` was reached, entries)
        (r#"{"items":[{},{}"#, Kind::Truncated, true, true, 2),
        (r#"{"version":1"#, Kind::Truncated, true, false, 0),
        (r#"{"items":[{},x"#, Kind::MalformedJson, true, true, 1),
        ("\u{feff}{}", Kind::ByteOrderMark, false, false, 0),
        ("[]", Kind::NotAnObject, false, false, 0),
        (r#"{"items":[],"items":[]}"#, Kind::DuplicateMember, false, true, 0),
    ];
    for (text, kind, is_usable, has_items, items) in rows {
        let mut reader = SitemapReader::any_origin();
        assert!(!reader.has_items());
        let mut events = reader.push(text.as_bytes());
        while let Ok(Some(_)) = events.next() {}
        drop(events);
        assert_eq!(reader.has_items(), has_items, "{text}");
        let error = reader.finish().unwrap_err();
        assert_eq!((error.kind(), error.leaves_items_usable()), (kind, is_usable), "{text}");
        let report = Sitemap::new().read(text.as_bytes(), SitemapReader::any_origin());
        let items_before = report.ok().map(|report| report.summary.items);
        assert_eq!(items_before, (is_usable && has_items).then_some(items), "{text}");
    }
}

/// Which of two forms a page has is the client's choice: Markdown where it is named and liked as well as HTML.
#[test]
fn markdown_goes_to_those_who_ask_for_it() {
    for (accept, wants) in [
        (None, false),
        (Some("*/*"), false),
        (Some("text/*"), false),
        (Some("text/markdown"), true),
        (Some("TEXT/Markdown;q=0.5"), true),
        (Some("text/markdown;q=0"), false),
        (Some("text/markdown, text/html"), true),
        (Some("text/markdown;q=0.8, text/html"), false),
        (Some("text/markdown;q=0.8, text/*"), false),
        (Some("text/markdown;q=0.8, */*;q=0.9"), false),
        (Some("text/markdown;q=0.8, */*;q=0.8"), true),
        (Some("text/markdown, text/html;q=0.1, text/*;q=1"), true),
        (Some("text/html, application/xhtml+xml, */*;q=0.8"), false),
        (Some("*/*;q=0.1, text/markdown"), true),
        (Some("image/png, text/markdown;q=0.5"), true),
        (Some("text/markdown, text/markdown;q=0"), true),
        (Some("text/markdown;q=0, text/markdown"), false),
    ] {
        let request = accept.map_or_else(HeaderMap::new, |accept| fields(&[(header::ACCEPT, accept)]));
        assert_eq!(NegotiatedPage::wants_markdown(&request), wants, "{accept:?}");
    }
    let html = Resource::of("<h1>Tea</h1>", HeaderValue::from_static("text/html"));
    let page = CUrl::parse("https://example.com/tea/").unwrap();
    let both = NegotiatedPage::new(html, "# Tea").with_markdown_link(link_canonical(&page));
    let get = |accept: &str| both.respond(&Method::GET, &fields(&[(header::ACCEPT, accept)]));
    let (html, markdown) = (get("text/html"), get("text/markdown"));
    assert_eq!((html.body().as_ref(), markdown.body().as_ref()), (&b"<h1>Tea</h1>"[..], &b"# Tea"[..]));
    assert_eq!(markdown.headers()[header::CONTENT_TYPE], NegotiatedPage::MARKDOWN);
    assert_eq!(markdown.headers()[header::LINK], "<https://example.com/tea/>; rel=\"canonical\"");
    assert!(!html.headers().contains_key(header::LINK));
    for answer in [&html, &markdown] {
        assert_eq!(answer.headers()[header::VARY], "accept, accept-encoding");
    }
    let own = both.markdown().respond(&Method::GET, &HeaderMap::new());
    assert_eq!(own.headers()[header::VARY], "accept-encoding");
    assert_eq!(own.headers()[header::LINK], "<https://example.com/tea/>; rel=\"canonical\"");
}

#[test]
fn codings_have_names_and_tags() {
    for (name, coding) in [
        ("identity", Some(Coding::Identity)),
        ("GZIP", Some(Coding::Gzip)),
        ("X-Gzip", Some(Coding::Gzip)),
        ("br", Some(Coding::Br)),
        ("zstd", Some(Coding::Zstd)),
        ("deflate", None),
        ("*", None),
    ] {
        assert_eq!(Coding::of_name(name), coding, "{name}");
        if let Some(coding) = coding.filter(|_| name != "X-Gzip") {
            assert_eq!(
                (coding.name(), coding.value()),
                (&*name.to_lowercase(), HeaderValue::from_str(&name.to_lowercase()).unwrap())
            );
        }
    }
    // The same bytes in a coding have the same tag.
    let json = || Resource::json(r#"{"items":[]}"#);
    let request = fields(&[(header::ACCEPT_ENCODING, "br, gzip")]);
    let tag = json().representation().etag().clone();
    let resource = json().with_coding(Coding::Br, "coded");
    assert_eq!(resource.body().as_ref(), br#"{"items":[]}"#);
    let coded = resource.respond(&Method::GET, &request);
    assert_eq!(
        (coded.body().as_ref(), &coded.headers()[header::CONTENT_ENCODING]),
        (&b"coded"[..], &HeaderValue::from_static("br"))
    );
    assert_eq!(
        (&coded.headers()[header::ETAG], &coded.headers()[header::CONTENT_LENGTH]),
        (&tag, &"5".parse().unwrap())
    );
    let fingerprint = Fingerprint::hash(b"foo");
    let representation = Representation::of_fingerprint(&fingerprint, 3).varying_on_accept();
    assert_eq!(
        (representation.len_bytes(), representation.etag()),
        (3, &HeaderValue::from_str(&format!("\"{FOO}\"")).unwrap())
    );
    let plan = plan_response(&Method::GET, &HeaderMap::new(), &representation);
    assert_eq!(plan.headers[header::VARY], "accept, accept-encoding");
    assert!(Representation::of_etag(HeaderValue::from_static("no tag"), 3).is_none());
}

#[test]
fn what_is_held_after_a_visit_is_part_of_its_outcome() {
    let held = HeldPage::new(Fingerprint::hash(b"foo"), UnixSeconds(7));
    let keep = Outcome::Keep { held: held.clone(), disagreement: None };
    let restore = Outcome::Restore { held: held.clone(), disagreement: None };
    assert_eq!((keep.held(), keep.name()), (Some(&held), "keep"));
    assert_eq!((restore.held(), restore.name()), (Some(&held), "restore"));
    for outcome in [Outcome::Gone, Outcome::NotFound, Outcome::Forbidden] {
        assert_eq!(outcome.held(), None, "{outcome:?}");
    }
    let hash = ContentHash::from(FOO);
    assert!(hash == *FOO && hash != *"foo");
    assert_eq!(serde_json::to_value(&hash).unwrap(), json!(FOO));
    assert_eq!(ContentHash::from(&String::from(FOO)), hash);
    assert_eq!(format!("{hash:>73}"), format!("  {FOO}"));
}

/// An entry past a limit is passed over with its reason, however it is written and wherever the text is cut.
#[test]
fn an_entry_past_a_limit_is_passed_over() {
    let long = |filler: &str| {
        format!(r#"{{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/"{filler}}}"#)
    };
    let limits = SitemapLimits::default().with_max_item_bytes(2000).with_max_depth(2);
    for (entry, expected) in [
        (long(&format!(",\"x\":\"{}\"", "x".repeat(5000))), ItemIssue::TooLarge),
        (long(&format!(",\"contentHash\":\"{}\"", "x".repeat(5000))), ItemIssue::TooLarge),
        (long(",\"x\":[[[1]]]"), ItemIssue::TooDeep),
        ("7".into(), ItemIssue::NotAnObject),
        ("[]".into(), ItemIssue::NotAnObject),
    ] {
        let text = format!("{{\"items\":[{},{entry},{}]}}", long(""), long(",\"modified\":null"));
        for size in [1, 100, 3000, text.len()] {
            let mut reader = SitemapReader::any_origin().with_limits(limits);
            let mut found = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                let mut events = reader.push(chunk);
                while let Some(event) = events.next().unwrap() {
                    found.push(match event {
                        SitemapEvent::Item(item) => (item.index, None),
                        SitemapEvent::Skipped(entry) => (entry.index, Some(entry.issue)),
                    });
                }
            }
            assert_eq!(found, [(0, None), (1, Some(expected)), (2, None)], "{size} {expected:?}");
            assert_eq!(reader.finish().unwrap().items, 3);
        }
    }
    // A URL that no request can carry is none, behind a known origin too.
    let url = |len: usize| format!("https://example.com/{}", "a".repeat(len - 20));
    for (len, issue) in [(16_000, None), (65_534, None), (65_535, Some(ItemIssue::CUrlInvalid))] {
        let entry = long("").replace("https://example.com/a/\",\"m", &format!("{}\",\"m", url(len)));
        let text = format!("{{\"items\":[{},{entry}]}}", long(""));
        let mut reader = SitemapReader::any_origin();
        let mut events = reader.push(text.as_bytes());
        assert!(matches!(events.next(), Ok(Some(SitemapEvent::Item(_)))));
        let found = match events.next() {
            Ok(Some(SitemapEvent::Item(_))) => None,
            Ok(Some(SitemapEvent::Skipped(entry))) => Some(entry.issue),
            other => panic!("{other:?}"),
        };
        assert_eq!(found, issue, "{len}");
    }
}

/// A sitemap ends with its brace: a piece of a character behind it is more text that did not come.
#[test]
fn a_sitemap_ends_with_its_brace() {
    for (text, kind) in [
        (&b"{\"items\":[]}"[..], None),
        (b"{\"items\":[]}\n ", None),
        (b"{\"items\":[]", Some(SitemapErrorKind::Truncated)),
        (b"{\"items\":[]}\xE2\x82", Some(SitemapErrorKind::Truncated)),
        (b"{\"items\":[]}x", Some(SitemapErrorKind::MalformedJson)),
    ] {
        let mut reader = SitemapReader::any_origin();
        while let Ok(Some(_)) = reader.push(text).next() {}
        assert_eq!(reader.finish().err().map(|error| error.kind()), kind, "{}", text.escape_ascii());
    }
}

/// The answer to a visit is that of the URL that was asked, whatever a policy would say of that URL; a payload of the drafts
/// before is opened by their rules, though it speaks of draft -03.
#[test]
fn the_answer_of_the_url_that_was_asked_is_the_answer() {
    let loose = UrlPolicy::allowing_http();
    let page = CUrl::parse_with("http://a.example/a/", &loose).unwrap();
    let twin = MUrl::parse_with("http://a.example/a/llm/", &loose).unwrap();
    let content = format!("It speaks\nof `\"profile\":\"{}\"`.", BodyKind::MUrl.profile());
    let sealed = Payload::new(&page, "A", content.as_str()).seal().unwrap();
    let step = |from: &str, visit: Visit| {
        let request = visit.request();
        let plan = plan_response(request.method(), request.headers(), &sealed.representation(&page));
        let answer = plan.into_http(sealed.body().len(), |range| sealed.body()[range].to_vec());
        match visit.on_response(&url(from), &answer, UnixSeconds(9)) {
            VisitStep::Done(outcome) => outcome,
            VisitStep::Again(_) => panic!("{from}"),
        }
    };
    let visit = |held| Visit::new(&twin, &page, Some(sealed.fingerprint()), held, VisitPolicy::default());
    for (from, name) in [
        ("http://a.example/a/llm/", "store"),
        ("http://a.example/a/llm/#part", "store"),
        ("http://a.example/a/llm", "refuse"),
        ("http://a.example/a/llm/?x", "refuse"),
    ] {
        let outcome = step(from, visit(None));
        assert_eq!(outcome.name(), name, "{from}");
        if let Outcome::Store { payload, held, .. } = &outcome {
            assert_eq!(
                (payload.content().as_untrusted_str(), held.history.is_v03),
                (content.as_str(), false)
            );
            assert_eq!((payload.profile(), payload.hash()), (Some("tct-1"), sealed.fingerprint()));
            assert_eq!(outcome.held(), Some(held));
        }
    }
    // A HEAD that names what is held confirms it as of now.
    let held = HeldPage::new(sealed.fingerprint(), UnixSeconds(1));
    let policy = VisitPolicy::default().with_head_first();
    let visit = Visit::new(&twin, &page, Some(sealed.fingerprint()), Some(held), policy);
    assert_eq!(visit.request().method(), Method::HEAD);
    let plan = plan_response(&Method::HEAD, &HeaderMap::new(), &sealed.representation(&page));
    let head = plan.into_http(0, |_| Vec::new());
    let VisitStep::Done(Outcome::Keep { held, disagreement }) =
        visit.on_response(twin.as_url(), &head, UnixSeconds(9))
    else {
        panic!()
    };
    assert_eq!((held.validated_at, disagreement), (UnixSeconds(9), None));
}
