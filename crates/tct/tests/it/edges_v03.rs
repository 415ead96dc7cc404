//! Documents and sitemaps of draft -03 at their edges: every fault with its place, sentence and rule, and what is made of members.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::type_complexity,
    reason = "a test says what it expects in the plainest way"
)]

use http::{HeaderMap, Method, header};
use serde_json::json;
use tct::held::ContentHash;
use tct::open::{Expected, open_response};
use tct::v03::{
    BodyKind, BodyLimits, BodyTag, EncodeError, EncodeErrorKind, Identity, MSitemap, MSitemapItem,
    MUrlDocument, Revision, TctFindingCode, check_sitemap,
};
use tct::{CUrl, Fingerprint, OpenPolicy, plan_response};
use url::Url;
use web_values::Finding as _;

const M_URL_PROFILE: &str = BodyKind::MUrl.profile();
const M_SITEMAP_PROFILE: &str = BodyKind::MSitemap.profile();

const FOO: &str = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// What draft -03 calls a sitemap, an index, or neither; the items of a whole one, in their order.
#[test]
fn a_checked_sitemap_of_draft_03_gives_its_items() {
    let file = |profile: &str, more: &str| {
        format!(
            r#"{{"items":[{{"cUrl":"https://example.com/a/","etag":"{FOO}","lastModified":"2025-10-21T12:34:56Z","mUrl":"https://example.com/a/llm/"}},{{"cUrl":"https://example.com/b/","mUrl":"https://example.com/b/llm/"}}],"profile":"{profile}"{more},"version":2}}"#
        )
    };
    let whole = file(M_SITEMAP_PROFILE, "");
    for origin in [None, Some(&url("https://example.com/x.json"))] {
        let check = check_sitemap(whole.as_bytes(), origin, &BodyLimits::default()).unwrap();
        assert!(check.is_valid() && check.is_canonical() && !check.is_unsupported_index());
        assert_eq!(check.tag(), &BodyTag::of_bytes(whole.as_bytes()));
        let items: Vec<_> =
            check.items().iter().map(|item| (item.index, &*item.c_url, &*item.m_url)).collect();
        let expected = ["a", "b"]
            .map(|name| (format!("https://example.com/{name}/"), format!("https://example.com/{name}/llm/")));
        let expected: Vec<_> =
            expected.iter().zip(0..).map(|((page, twin), at)| (at, &**page, &**twin)).collect();
        assert_eq!(items, expected);
        let hints: Vec<_> = check.items().iter().map(|item| (item.hash, item.modified.as_deref())).collect();
        assert_eq!(hints, [(Some(Fingerprint::hash(b"foo")), Some("2025-10-21T12:34:56Z")), (None, None)]);
    }
    let elsewhere =
        check_sitemap(whole.as_bytes(), Some(&url("https://example.org/")), &BodyLimits::default()).unwrap();
    assert_eq!((elsewhere.findings().len(), elsewhere.items().len()), (4, 0));
    assert!(elsewhere.findings().iter().all(|finding| finding.kind() == TctFindingCode::OtherOrigin));
    let index =
        check_sitemap(file(BodyKind::MSitemapIndex.profile(), "").as_bytes(), None, &BodyLimits::default())
            .unwrap();
    assert!(index.is_unsupported_index() && !index.is_valid() && index.items().is_empty());
    let odd =
        check_sitemap(file(M_SITEMAP_PROFILE, r#","sitemaps":[]"#).as_bytes(), None, &BodyLimits::default())
            .unwrap();
    let found: Vec<_> = odd.findings().iter().map(|it| (it.path(), it.requirement())).collect();
    assert_eq!((found.as_slice(), odd.items().len()), (&[("/sitemaps", "TCT3-SM-3")][..], 0));
    let limits = BodyLimits::default().with_max_values(3);
    assert!(check_sitemap(whole.as_bytes(), None, &limits).is_err());
}

/// Each fault of a sitemap of draft -03 with its place, its sentence and its rule.
#[test]
fn faults_of_a_sitemap_name_their_rule() {
    let good = format!(
        r#"{{"items":[{{"cUrl":"https://example.com/a/","etag":"{FOO}","lastModified":"2025-10-21T12:34:56Z","mUrl":"https://example.com/a/llm/"}}],"profile":"{M_SITEMAP_PROFILE}","version":2}}"#
    );
    for (part, bad, place, rule, sentence) in [
        (
            "\"version\":2",
            "\"version\":3",
            "/version",
            "TCT3-SM-1",
            "expected the version 2 at /version, found `3`",
        ),
        (
            "\"version\":2",
            "\"version\":\"2\"",
            "/version",
            "TCT3-SM-1",
            "expected a number at /version, found a string",
        ),
        ("\"version\":2", "\"x\":2", "/version", "TCT3-SM-1", "expected a member at /version, found none"),
        (
            M_SITEMAP_PROFILE,
            "tct-1",
            "/profile",
            "TCT3-PROF-1",
            "expected the profile URI of draft -03 at /profile, found `tct-1`",
        ),
        ("\"items\"", "\"pages\"", "/items", "TCT3-SM-2", "expected a member at /items, found none"),
        (
            "https://example.com/a/\"",
            "/a/\"",
            "/items/0/cUrl",
            "TCT3-SM-4",
            "expected an absolute http or https URL at /items/0/cUrl, found `/a/`",
        ),
        (
            "\"mUrl\"",
            "\"url\"",
            "/items/0/mUrl",
            "TCT3-SM-4",
            "expected a member at /items/0/mUrl, found none",
        ),
        ("sha256-", "sha512-", "/items/0/etag", "TCT3-SM-5", ""),
        (
            "2025-10-21T",
            "2025-10-21 ",
            "/items/0/lastModified",
            "TCT3-SM-6",
            "expected an RFC 3339 timestamp at /items/0/lastModified, found `2025-10-21 12:34:56Z`",
        ),
        ("[{", "[7,{", "/items/0", "TCT3-SM-4", "expected an object at /items/0, found a number"),
    ] {
        let faulty = good.replacen(part, bad, 1);
        let check = check_sitemap(faulty.as_bytes(), None, &BodyLimits::default()).unwrap();
        let [finding] = check.findings() else { panic!("{faulty}: {:?}", check.findings()) };
        assert_eq!((finding.path(), finding.requirement()), (place, rule), "{faulty}");
        assert_eq!(finding.item(), place.starts_with("/items/0").then_some(0), "{faulty}");
        if !sentence.is_empty() {
            assert_eq!(finding.to_string(), sentence);
        }
        let record = finding.to_record();
        assert_eq!((&*record.place, record.requirement.as_deref()), (place, Some(rule)));
        let [expected, found] = [finding.to_string(), place.to_owned()];
        assert_eq!(record.message, expected.replace(&format!(" at {found},"), ","));
    }
    let twice = good
        .replace("}],", "},{\"cUrl\":\"https://example.com/a/\",\"mUrl\":\"https://example.com/b/llm/\"}],");
    let check = check_sitemap(twice.as_bytes(), None, &BodyLimits::default()).unwrap();
    let found: Vec<_> = check.findings().iter().map(|it| (it.path(), it.requirement())).collect();
    assert_eq!(found, [("/items/1/cUrl", "TCT3-SM-8")]);
    assert_eq!(
        (check.items().len(), check.items()[0].hash),
        (1, None),
        "which of the two is right is not known"
    );
}

/// Each way in which a document or sitemap of draft -03 cannot be made: its code, its sentence, its rule.
#[test]
fn what_cannot_be_made_says_why() {
    use EncodeErrorKind::{BlankContent, Credentials, Fault, Reserved, TooManyItems};
    let page = "https://example.com/";
    let document = |url: &str| MUrlDocument::new(url, "T", "C");
    let item = |name: &str| MSitemapItem::new(format!("{page}{name}"), format!("{page}{name}/llm")).unwrap();
    let mut full = MSitemap::with_limits(BodyLimits::default().with_max_items(1));
    full.push(item("a")).unwrap();
    let mut twice = MSitemap::new();
    twice.push(item("a")).unwrap();
    let members =
        |json: serde_json::Value| MUrlDocument::from_members(json.as_object().unwrap()).unwrap_err();
    let item_members =
        |json: serde_json::Value| MSitemapItem::from_members(json.as_object().unwrap()).unwrap_err();
    let limits = |limits: BodyLimits| document(page).unwrap().seal_with(&limits).unwrap_err();
    let default = BodyLimits::default();
    let errors: [(EncodeError, &str, &str, &str); 18] = [
        (
            document("/x").unwrap_err(),
            "url",
            "TCT3-DOC-4",
            "expected an absolute http or https URL at /canonical_url, found `/x`",
        ),
        (
            document("https://a:b@example.com/").unwrap_err(),
            "url",
            "TCT3-AMB-6",
            "expected a URL without credentials, found some",
        ),
        (
            document(page).unwrap().with_language("e").unwrap_err(),
            "language",
            "TCT3-DOC-5",
            "expected a language tag at /language, found `e`",
        ),
        (
            document(page).unwrap().with_content_media_type("text").unwrap_err(),
            "media-type",
            "TCT3-DOC-6",
            "expected a media type at /content_media_type, found `text`",
        ),
        (
            document(page).unwrap().with_member("title", 1).unwrap_err(),
            "reserved",
            "TCT3-SM-7",
            "expected a member that the builder does not write, found `title`",
        ),
        (
            MUrlDocument::new(page, "T", " \n").unwrap().refusing_blank_content().unwrap_err(),
            "blank-content",
            "TCT3-DOC-3",
            "expected text in `content`, found none",
        ),
        (
            full.push(item("b")).unwrap_err(),
            "too-many-items",
            "TCT3-SM-15",
            "expected at most 1 items, found one more",
        ),
        (
            twice.push(item("a")).unwrap_err(),
            "duplicate",
            "TCT3-SM-8",
            "expected each URL once at /items/1/cUrl, found `https://example.com/a`",
        ),
        (
            MSitemapItem::new(page, "x").unwrap_err(),
            "url",
            "TCT3-SM-4",
            "expected an absolute http or https URL at /mUrl, found `x`",
        ),
        (
            MSitemapItem::new("https://a@example.com/", page).unwrap_err(),
            "url",
            "TCT3-AMB-6",
            "expected a URL without credentials, found some",
        ),
        (
            members(json!({"canonical_url": page, "title": "", "content": null})),
            "type",
            "TCT3-DOC-2",
            "expected a string at /content, found null",
        ),
        (
            members(json!({"canonical_url": page, "title": [], "content": ""})),
            "type",
            "TCT3-DOC-2",
            "expected a string at /title, found an array",
        ),
        (
            members(json!({"canonical_url": page, "title": ""})),
            "missing",
            "TCT3-DOC-2",
            "expected a member at /content, found none",
        ),
        (
            members(json!({"profile": "tct-1"})),
            "profile",
            "TCT3-PROF-1",
            "expected the profile URI of draft -03 at /profile, found `tct-1`",
        ),
        (
            item_members(json!({"cUrl": page, "mUrl": page, "etag": "x"})),
            "etag",
            "TCT3-SM-5",
            "expected `sha256-` and 64 lower-case hex digits at /etag, found `x`",
        ),
        (
            item_members(json!({"cUrl": page, "mUrl": page, "lastModified": true})),
            "type",
            "TCT3-SM-6",
            "expected a string at /lastModified, found a boolean",
        ),
        (limits(default.with_max_string_bytes(10)), "string-too-long", "TCT3-LIM-4", ""),
        (limits(default.with_max_name_bytes(3)), "name-too-long", "TCT3-LIM-3", ""),
    ];
    for (error, code, rule, sentence) in errors {
        assert_eq!((error.kind().code(), error.requirement()), (code, rule), "{error}");
        if !sentence.is_empty() {
            assert_eq!(error.to_string(), sentence);
        }
        let is_fault = matches!(error.kind(), Fault(_));
        assert_eq!(error.finding().is_some(), is_fault, "{error}");
        let is_own = matches!(error.kind(), BlankContent | Credentials | Reserved | TooManyItems);
        assert_eq!(error.json_error().is_some(), !is_fault && !is_own, "{error}");
    }
    // Each limit at its edge: a document of five values, the longest string of which is its profile.
    let sealed = document(page).unwrap().seal().unwrap();
    let len = sealed.body().len();
    for (edge, past, code) in [
        (default.with_max_depth(1), default.with_max_depth(0), "too-deep"),
        (default.with_max_values(5), default.with_max_values(4), "too-many-nodes"),
        (default.with_max_bytes(len), default.with_max_bytes(len - 1), "too-large"),
        (default.with_max_name_bytes(13), default.with_max_name_bytes(12), "name-too-long"),
        (
            default.with_max_string_bytes(M_URL_PROFILE.len()),
            default.with_max_string_bytes(M_URL_PROFILE.len() - 1),
            "string-too-long",
        ),
    ] {
        assert_eq!(document(page).unwrap().seal_with(&edge).as_ref(), Ok(&sealed), "{code}");
        assert_eq!(limits(past).kind().code(), code);
    }
    let document = document(page).unwrap();
    assert_eq!((document.canonical_url(), document.content()), (page, "C"));
    let unsafe_integer = Identity::of_value(&(1_u64 << 53), &BodyLimits::default()).unwrap_err();
    assert_eq!((unsafe_integer.kind().code(), unsafe_integer.requirement()), ("json", "TCT3-JCS-5"));
    assert!(Identity::of_value(&"text", &default.with_max_string_bytes(3)).is_err());
    assert_eq!(
        Identity::of_value(&"text", &default).unwrap(),
        Identity::of_json(b" \"t\\u0065xt\"", &default).unwrap()
    );
    let item = item("a");
    assert_eq!((item.c_url(), item.m_url()), ("https://example.com/a", "https://example.com/a/llm"));
}

/// Members of the publisher's own stand among the protocol's, by name.
#[test]
fn own_members_stand_in_their_order() {
    let mut members = json!({"zz": 1, "a": [true], "canonical_url": "https://example.com/", "title": "T", "content": "C", "m": {}});
    let document = MUrlDocument::from_members(members.as_object().unwrap()).unwrap().seal().unwrap();
    let expected = format!(
        r#"{{"a":[true],"canonical_url":"https://example.com/","content":"C","m":{{}},"profile":"{M_URL_PROFILE}","title":"T","zz":1}}"#
    );
    assert_eq!(String::from_utf8_lossy(document.body()), expected);
    assert_eq!(document.canonical_url(), "https://example.com/");
    members["language"] = "de".into();
    members["content_media_type"] = "text/plain".into();
    members["profile"] = M_URL_PROFILE.into();
    let document = MUrlDocument::from_members(members.as_object().unwrap()).unwrap().seal().unwrap();
    let text = String::from_utf8_lossy(document.body()).into_owned();
    assert!(text.contains(r#""content_media_type":"text/plain","language":"de","m""#), "{text}");
    // Names that have to be escaped, or sort otherwise than their bytes, are written as the canonicalizer has them.
    let odd = ["a\"b", "a\\", "\u{e9}", "\n", "\u{e000}", "\u{1f600}", "\u{7f}", "~ "];
    let plain = MUrlDocument::new("https://example.com/", "T", "C").unwrap();
    for names in odd.iter().map(|name| vec![*name]).chain([odd.to_vec()]) {
        let mut document = plain.clone();
        let mut whole = json!({"canonical_url": "https://example.com/", "content": "C", "profile": M_URL_PROFILE, "title": "T"});
        for name in names {
            document = document.with_member(name, "text").unwrap();
            whole[name] = "text".into();
        }
        let expected = Identity::of_json(whole.to_string().as_bytes(), &BodyLimits::default()).unwrap();
        assert_eq!(document.seal().unwrap().into_identity(), expected, "{whole}");
    }
    let item = json!({"x": 1, "mUrl": "https://example.com/llm/", "cUrl": "https://example.com/", "b": 2, "etag": FOO});
    let mut sitemap = MSitemap::new().with_member("own", 1).unwrap();
    sitemap.push(MSitemapItem::from_members(item.as_object().unwrap()).unwrap()).unwrap();
    let sealed = sitemap.seal().unwrap();
    let expected = format!(
        r#"{{"items":[{{"b":2,"cUrl":"https://example.com/","etag":"{FOO}","mUrl":"https://example.com/llm/","x":1}}],"own":1,"profile":"{M_SITEMAP_PROFILE}","version":2}}"#
    );
    assert_eq!(String::from_utf8_lossy(sealed.body()), expected);
    assert_eq!((sealed.tag(), sitemap.items().len()), (&BodyTag::of_bytes(expected.as_bytes()), 1));
}

/// What an opened document says: of its text, and whether the tag is that of the bytes, which a weak one never is.
#[test]
fn an_opened_document_says_what_came() {
    let page = CUrl::parse("https://example.com/").unwrap();
    let twin = url("https://example.com/llm/");
    let sealed = MUrlDocument::new(page.as_str(), "Title", "Text.").unwrap();
    let sealed =
        sealed.with_language("de").unwrap().with_content_media_type("text/markdown").unwrap().seal().unwrap();
    let strong = sealed.tag().etag().to_string();
    for (tag, is_of_bytes) in
        [(strong.clone(), true), (format!("W/{strong}"), false), ("\"x\"".into(), false)]
    {
        let plan = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation());
        let mut response = plan.into_http(sealed.body().len(), |range| sealed.body()[range].to_vec());
        response.headers_mut().insert(header::ETAG, tag.parse().unwrap());
        let hint = ContentHash::from(sealed.tag().fingerprint());
        let expected = Expected { page: Some(&page), sitemap_hash: Some(&hint) };
        let opened =
            open_response(&twin, &response, &expected, &OpenPolicy::default().for_revision(Revision::V03));
        assert_eq!(opened.is_tag_of_bytes(), is_of_bytes, "{tag}");
        assert_eq!((opened.hint_matches(), opened.tag()), (Some(true), Some(sealed.tag())), "{tag}");
        let document = opened.payload().unwrap();
        assert_eq!(document.language(), Some("de"));
        assert_eq!(document.content_media_type(), Some("text/markdown"));
        assert_eq!((document.page(), document.json()), (&page, sealed.body()));
        let texts = (document.title().as_untrusted_str(), document.content().as_untrusted_str());
        assert_eq!(texts, ("Title", "Text."));
        assert_eq!(opened.clone().into_payload().as_ref(), Some(document));
        let small = OpenPolicy::default().for_revision(Revision::V03).with_max_depth(0);
        let refused = open_response(&twin, &response, &expected, &small);
        assert!(refused.payload().is_none() && refused.json_error().is_some(), "{tag}");
    }
}
