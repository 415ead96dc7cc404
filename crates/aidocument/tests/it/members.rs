//! Members that no version knows, at every level: handed out, written back, named when a conversion loses them; and where
//! findings and errors say that something is.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use aidocument::v2::{self, Call};
use aidocument::{
    AnyDocument, CrawlFacts, Document, DocumentErrorKind, DocumentFindingCode, HeadingLevel, Json, Limits,
    RenderMode, SentUserAgent, StatusCode, downgrade, upgrade,
};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, F64Deserializer, MapDeserializer, SeqDeserializer, UnitDeserializer};
use serde_json::{Value, json};
use web_values::Finding as _;

fn v1() -> Value {
    json!({
        "url": "https://example.com/a", "title": "t", "markdown": "", "x/~": 1,
        "headings": [{ "level": 1, "text": "h", "of": "heading" }],
        "links": [{ "url": "https://example.com/b", "internal": true, "of": "link" }],
        "images": [{ "url": "https://example.com/i.png", "of": "image" }],
        "meta": { "language": "en", "word_count": 1, "reading_time": 1, "of": "meta", "author": "a", "site_name": "s",
            "keywords": ["k"], "og_image": "o", "published": "p", "modified": "m" },
        "crawl": { "fetched_at": "2026-05-10T12:34:56.789Z", "status_code": 203, "render_mode": "rendered",
            "fetch_duration_ms": 4, "content_length": 5, "user_agent": "AIWebIndex/1.0", "of": "crawl" },
    })
}

fn v2() -> Value {
    json!({
        "schema": { "name": "AIDocument", "version": "2.0", "ref": "aidoc:x", "of": "schema" },
        "source": { "url": "https://example.com/a", "freshness_policy": "cache_first", "of": "source",
            "fetched_at": "2026-05-10T12:34:56Z", "status_code": 200, "render_mode": "static" },
        "cache": { "status": "hit", "origin_contacted": false, "body_fetched": false, "of": "cache" },
        "identity": { "title": "t", "content_type": "article", "of": "identity" },
        "content": { "markdown": "m", "of": "content" },
        "structure": { "headings": [{ "level": 1, "text": "h", "of": "heading" }],
            "links": [{ "url": "https://example.com/b", "internal": true, "of": "link" }],
            "images": [{ "url": "https://example.com/i.png", "of": "image" }],
            "structured_data": { "A": { "n": 1 } }, "of": "structure" },
        "signals": { "word_count": 251, "has_json_ld": true, "heading_hierarchy_ok": true, "of": "signals" },
        "economics": { "output_tokens_approx": 1, "raw_html_tokens_approx": 2, "token_savings": 1, "token_savings_percent": 50,
            "estimated_cost_usd": { "our_output": 1, "raw_html": 2, "savings": 1, "of": "costs" },
            "pricing_basis": { "input_price_per_1k_usd": 1000, "model_class": "c", "note": "n", "of": "basis" },
            "of": "economics" },
        "x/~": 1,
    })
}

fn facts() -> CrawlFacts {
    CrawlFacts {
        fetch_duration_ms: Some(4),
        content_length: Some(5),
        user_agent: Some("AIWebIndex/1.0".parse().unwrap()),
        ..CrawlFacts::default()
    }
}

fn of(owner: &str) -> String {
    format!("{{\"of\":\"{owner}\"}}")
}

#[test]
fn unknown_members_are_handed_out_at_every_level() {
    let document = Document::parse(v1().to_string().as_bytes()).unwrap();
    let extras = [
        (document.headings()[0].extra(), "heading"),
        (document.links()[0].extra(), "link"),
        (document.images()[0].extra(), "image"),
        (document.meta().extra(), "meta"),
        (document.crawl().extra(), "crawl"),
    ];
    for (extra, owner) in extras {
        assert_eq!((extra.as_str(), extra.is_empty()), (of(owner).as_str(), false));
        assert_eq!(extra.read().pointer("/of").and_then(|name| name.as_str()).as_deref(), Some(owner));
    }
    assert_eq!(document.extra().as_str(), r#"{"x/~":1}"#);
    assert_eq!(serde_json::from_str::<Value>(&document.to_json()).unwrap(), v1());
    assert_eq!(document.images()[0].url(), "https://example.com/i.png");
    assert_eq!(document.meta().site_name.as_deref(), Some("s"));
    assert_eq!(document.crawl().fetched_at(), "2026-05-10T12:34:56.789Z".parse().unwrap());
    let crawl = aidocument::Crawl::parse(v1()["crawl"].to_string().as_bytes()).unwrap();
    assert_eq!((&crawl, crawl.status_code.as_u16()), (document.crawl(), 203));
    assert_eq!((crawl.fetch_duration_ms, crawl.content_length), (4, 5));
    assert_eq!(crawl.render_mode, RenderMode::Rendered);

    let document = v2::Document::parse(v2().to_string().as_bytes()).unwrap();
    let economics = document.economics().unwrap();
    let structure = document.structure();
    let extras = [
        (document.schema().extra(), "schema"),
        (document.source().extra(), "source"),
        (document.cache().extra(), "cache"),
        (document.identity().extra(), "identity"),
        (document.content_extra(), "content"),
        (structure.extra(), "structure"),
        (structure.headings.as_ref().unwrap()[0].extra(), "heading"),
        (structure.links.as_ref().unwrap()[0].extra(), "link"),
        (structure.images.as_ref().unwrap()[0].extra(), "image"),
        (document.signals().extra(), "signals"),
        (economics.extra(), "economics"),
        (economics.estimated_cost_usd().extra(), "costs"),
        (economics.pricing_basis().extra(), "basis"),
    ];
    for (extra, owner) in extras {
        assert_eq!(extra.as_str(), of(owner));
    }
    assert_eq!(document.extra().as_str(), r#"{"x/~":1}"#);
    assert_eq!(serde_json::from_str::<Value>(&document.to_json()).unwrap(), v2());
    let basis = economics.pricing_basis();
    assert_eq!((basis.input_price_per_1k_usd(), basis.model_class()), (1000.0, "c"));
    assert_eq!(economics.counts(), v2::TokenCounts { output: 1, raw_html: 2 });
    assert_eq!(document.schema().reference.as_ref().map(v2::Ref::to_string).as_deref(), Some("aidoc:x"));
    assert_eq!(structure.structured_data.as_ref().unwrap().to_string(), r#"{"A":{"n":1}}"#);

    let any = AnyDocument::from(document.clone());
    assert_eq!(any.to_json(), document.to_json());
    assert_eq!(serde_json::to_string(&any).unwrap(), document.to_json());
    assert_eq!((any.headings().len(), any.links().len(), any.images().len()), (1, 1, 1));
    assert_eq!((any.language(), any.url().as_str()), (None, "https://example.com/a"));
    assert_eq!(any.fetched_at(), "2026-05-10T12:34:56Z".parse().ok());
    let flat = Document::parse(v1().to_string().as_bytes()).unwrap();
    let any = AnyDocument::from(flat.clone());
    assert_eq!((any.to_json(), any.fetched_at()), (flat.to_json(), Some(flat.crawl().fetched_at())));
    assert_eq!(serde_json::to_string(&any).unwrap(), flat.to_json());
}

#[test]
fn what_a_conversion_loses_is_named() {
    let flat = Document::parse(v1().to_string().as_bytes()).unwrap();
    let up = upgrade(flat, Call::Miss, None);
    let lost = "/crawl/fetch_duration_ms /crawl/content_length /crawl/user_agent /meta/author /meta/site_name \
                /meta/keywords /meta/og_image /meta/published /meta/modified /meta/of /crawl/of /x~1~0";
    assert_eq!(up.lost.join(" "), lost);
    let source = up.document.source();
    assert_eq!(source.status_code.map(StatusCode::as_u16), Some(203));
    assert_eq!(source.fetched_at, "2026-05-10T12:34:56.789Z".parse().ok());
    assert_eq!(source.render_mode, Some(RenderMode::Rendered));
    let stored = serde_json::to_value(&up).unwrap();
    assert_eq!(stored["lost"][11], json!("/x~1~0"));
    assert_eq!(stored["document"]["cache"]["status"], json!("miss"));

    let grouped = v2::Document::parse(v2().to_string().as_bytes()).unwrap();
    let down = downgrade(grouped, &facts()).unwrap();
    let lost = "/schema/ref /source/freshness_policy /cache /identity/content_type /signals/has_json_ld \
                /signals/heading_hierarchy_ok /economics /schema/of /source/of /identity/of /content/of /structure/of \
                /signals/of /x~1~0";
    assert_eq!(down.lost.join(" "), lost);
    let meta = down.document.meta();
    assert_eq!((meta.word_count, meta.reading_time, meta.language.as_str()), (251, 2, "und"));
    assert_eq!(
        down.document.structured_data().map(aidocument::StructuredData::as_str),
        Some(r#"{"A":{"n":1}}"#)
    );
    let crawl = down.document.crawl();
    assert_eq!((crawl.fetch_duration_ms, crawl.content_length), (4, 5));

    // With as little as there may be, nothing more is lost than what 1.0 never has.
    let mut least = v2();
    for group in ["schema", "source", "cache", "identity", "content", "structure", "signals"] {
        least[group].as_object_mut().unwrap().remove("of");
    }
    for (group, name) in [("schema", "ref"), ("identity", "content_type"), ("structure", "structured_data")] {
        least[group].as_object_mut().unwrap().remove(name);
    }
    for name in ["economics", "x/~"] {
        least.as_object_mut().unwrap().remove(name);
    }
    let always =
        ["/source/freshness_policy", "/cache", "/signals/has_json_ld", "/signals/heading_hierarchy_ok"];
    let down = downgrade(v2::Document::parse(least.to_string().as_bytes()).unwrap(), &facts()).unwrap();
    assert_eq!((down.lost, down.document.structured_data()), (always.map(String::from).to_vec(), None));
    // Of structured data only objects and arrays have a place.
    for (node, is_kept) in [(json!({}), true), (json!([1]), true), (json!(1), false), (json!("a"), false)] {
        least["structure"]["structured_data"] = json!({ "A": node });
        let down = downgrade(v2::Document::parse(least.to_string().as_bytes()).unwrap(), &facts()).unwrap();
        assert_eq!(down.document.structured_data().is_some(), is_kept, "{node}");
        assert_eq!(down.lost.contains(&"/structure/structured_data".to_owned()), !is_kept, "{node}");
    }
    // What cannot be written is named, and stored as a list.
    let document = v2::Document::builder("https://example.com/".parse().unwrap(), Call::Hit).words(1).build();
    let lacking = downgrade(document, &facts()).unwrap_err();
    let members = ["/crawl/fetched_at", "/crawl/status_code", "/crawl/render_mode"];
    assert_eq!((lacking.members(), serde_json::to_value(&lacking).unwrap()), (&members[..], json!(members)));
}

#[test]
fn findings_say_where_in_the_text() {
    let text = v1()
        .to_string()
        .replace(r#""level":1"#, "\n\n\"é\":1,\"level\":9")
        .replace(r#""word_count":1"#, "\n\"word_count\":\"x\"");
    let reading = Document::read(text.as_bytes(), &Limits::default()).unwrap();
    let places: Vec<_> = reading
        .findings()
        .iter()
        .filter(|finding| finding.is_error())
        .map(|finding| (finding.path(), finding.place().offset, finding.place().line, finding.place().column))
        .collect();
    let level = text.find(":9").unwrap() + 1;
    let words = text.find("\"x\"").unwrap();
    let column = |at: usize| 1 + text[..at].chars().rev().take_while(|c| *c != '\n').count() as u32;
    // serde_json sorts members, so that headings come before `meta`.
    let expected = [
        ("/headings/0/level", Some(level), Some(3), Some(column(level))),
        ("/meta/word_count", Some(words), Some(4), Some(column(words))),
    ];
    assert_eq!(places, expected);
    let error = reading.into_document().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (DocumentErrorKind::Invalid, None));
    assert_eq!(error.findings().iter().filter(|finding| finding.is_error()).count(), 2);
    let told = error.findings().iter().find(|finding| finding.path() == "/meta/word_count").unwrap();
    assert_eq!(told.message(), "expected an integer from 0, found a string");

    // Of a version that is not read, the place of its number; of a text that is not JSON, the place of the fault.
    let later = v2().to_string().replace("\"2.0\"", "\"3.0\"");
    let reading = v2::Document::read(later.as_bytes(), &Limits::default()).unwrap();
    let found = &reading.findings()[0];
    assert_eq!((found.place().offset, reading.omitted()), (later.find("\"3.0\""), 0));
    assert_eq!(Document::parse(b"{\n!").unwrap_err().offset(), Some(2));
    let contradiction = v2().to_string().replace("\"hit\"", "\"miss\"");
    let reading = v2::Document::read(contradiction.as_bytes(), &Limits::default()).unwrap();
    let found =
        reading.findings().iter().find(|f| f.code() == DocumentFindingCode::CacheContradiction).unwrap();
    assert_eq!((found.path(), found.place().offset), ("/cache/status", contradiction.find("\"miss\"")),);
}

#[test]
fn quoted_values_are_cut_after_forty_characters() {
    for (length, end) in [(39, "\""), (40, "\""), (41, "\"…"), (400, "\"…")] {
        let error = "é".repeat(length).parse::<SentUserAgent>().unwrap_err();
        let shown = format!("\"{}{end}", "é".repeat(length.min(40)));
        assert_eq!(
            error.to_string(),
            format!("expected a User-Agent that begins with AIWebIndex/1.0, found {shown}")
        );
        assert_eq!(error.expected(), "a User-Agent that begins with AIWebIndex/1.0");
    }
    for bad in ["AIWebIndex/1.0\u{7}", "AIWebIndex/1.0 a\nb", "AIWebIndex/1.0x", "x AIWebIndex/1.0"] {
        assert!(bad.parse::<SentUserAgent>().is_err(), "{bad:?}");
    }
    assert_eq!("AIWebIndex/1.0 (x)".parse::<SentUserAgent>().unwrap().as_str(), "AIWebIndex/1.0 (x)");
    let levels: Vec<_> = (0..9).map(|n| HeadingLevel::new(n).map(HeadingLevel::as_u8)).collect();
    assert_eq!(levels, [None, Some(1), Some(2), Some(3), Some(4), Some(5), Some(6), None, None]);
    let codes = [99, 100, 599, 600].map(|code| StatusCode::new(code).is_some());
    assert_eq!(codes, [false, true, true, false]);
}

#[test]
fn references_and_versions_at_their_edges() {
    let hex = "0123456789abcdef0123456789abcdef";
    let code = |reference: &str| {
        let mut tree = v2();
        tree["schema"]["ref"] = json!(reference);
        let reading = v2::Document::read(tree.to_string().as_bytes(), &Limits::default()).unwrap();
        let codes = reading
            .findings()
            .iter()
            .filter(|f| f.path() == "/schema/ref")
            .map(aidocument::DocumentFinding::code);
        codes.collect::<Vec<_>>()
    };
    for fine in [&format!("aidoc:sha256:{hex}"), "aidoc:x", "aidoc:sha512:0", "aidoc:~!"] {
        assert_eq!(code(fine), [], "{fine}");
    }
    let odd = [
        &hex[1..],
        &format!("{hex}0"),
        &hex.replace('a', "g"),
        &hex.to_uppercase(),
        &hex.replace('0', "/"),
        "",
    ];
    for digest in odd {
        assert_eq!(code(&format!("aidoc:sha256:{digest}")), [DocumentFindingCode::OddRef], "{digest}");
    }
    for bad in ["aidoc:", "aidoc: x", "aidoc:é", "aidoc:\u{7f}", "x", "Aidoc:x"] {
        assert_eq!(code(bad), [DocumentFindingCode::BadRef], "{bad}");
    }
    let mut digest = [0; 16];
    digest[0] = 0x0f;
    digest[15] = 1;
    assert_eq!(v2::Ref::of_digest(digest).as_str(), "aidoc:sha256:0f000000000000000000000000000001");

    let version =
        |text: &str| text.parse::<v2::Version>().ok().map(|version| (version.major(), version.minor()));
    let huge = "99999999999999999999999";
    for (text, numbers) in [
        ("2.0", Some((2, 0))),
        ("0.0", Some((0, 0))),
        ("2.10", Some((2, 10))),
        ("10.2", Some((10, 2))),
        (&format!("2.{huge}"), Some((2, u64::MAX))),
        (&format!("{huge}.7"), Some((u64::MAX, 7))),
        ("2", None),
        ("2.", None),
        (".0", None),
        ("02.0", None),
        ("2.01", None),
        ("2.00", None),
        ("2.-1", None),
        ("2.0.0", None),
        (" 2.0", None),
    ] {
        assert_eq!(version(text), numbers, "{text}");
    }
    assert_eq!(v2::Version::v2_0().to_string(), "2.0");

    // A value that no version knows is an error in 2.0, and kept in a later one.
    for (place, member) in [("source", "freshness_policy"), ("cache", "status")] {
        let mut tree = v2();
        tree[place][member] = json!("later");
        let read =
            |tree: &Value| v2::Document::read(tree.to_string().as_bytes(), &Limits::default()).unwrap();
        assert!(!read(&tree).is_valid(), "{member}");
        tree["schema"]["version"] = json!("2.1");
        let reading = read(&tree);
        let codes: Vec<_> = reading.findings().iter().map(aidocument::DocumentFinding::code).collect();
        assert!(
            codes.contains(&DocumentFindingCode::NewerMinor)
                && codes.contains(&DocumentFindingCode::NewerValue)
        );
        // Nothing is said about the call of such a document.
        assert!(!codes.contains(&DocumentFindingCode::CacheContradiction), "{codes:?}");
        let document = reading.into_document().unwrap();
        let shown = match member {
            "status" => document.cache().status.to_string(),
            _ => document.source().freshness_policy.to_string(),
        };
        assert_eq!((shown.as_str(), document.call()), ("later", None));
        assert_eq!(serde_json::from_str::<Value>(&document.to_json()).unwrap(), tree);
    }
    let mut tree = v2();
    tree["source"]["render_mode"] = json!("hybrid");
    let document = v2::Document::parse(tree.to_string().as_bytes()).unwrap();
    let mode = document.source().render_mode.as_ref().unwrap();
    assert_eq!((mode.to_string().as_str(), mode.as_str()), ("hybrid", "hybrid"));
    assert!("hybrid".parse::<RenderMode>().is_err() && "rendered".parse() == Ok(RenderMode::Rendered));
}

/// Values of other formats than JSON.
#[test]
fn values_of_other_formats_become_json() {
    let read = |deserializer| Json::deserialize::<F64Deserializer<Error>>(deserializer);
    assert_eq!(read(0.5.into_deserializer()).unwrap().as_str(), "0.5");
    for bad in [f64::NAN, f64::INFINITY] {
        let error = read(bad.into_deserializer()).unwrap_err();
        assert_eq!(error.to_string(), "expected a finite number, found another");
    }
    assert_eq!(Json::deserialize(UnitDeserializer::<Error>::new()).unwrap().as_str(), "null");
    let items = SeqDeserializer::<_, Error>::new([1_i64, -2, 3].into_iter());
    assert_eq!(Json::deserialize(items).unwrap().as_str(), "[1,-2,3]");
    let members = MapDeserializer::<_, Error>::new([("a\"", true), ("b", false)].into_iter());
    assert_eq!(Json::deserialize(members).unwrap().as_str(), r#"{"a\"":true,"b":false}"#);
    // A name twice is an error here too.
    let members = MapDeserializer::<_, Error>::new([("a", true), ("a", false)].into_iter());
    assert!(Json::deserialize(members).is_err());
    for (depth, is_read) in [(127, true), (128, true), (129, false)] {
        let nested = (0..depth)
            .fold(json!(1), |inner, n| if n % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) });
        assert_eq!(serde_json::from_value::<Json>(nested).is_ok(), is_read, "{depth}");
    }
    let last = Json::parse_last_of_repeated(br#"{"a":1,"b":{"c":1,"c":2},"a":[3]}"#).unwrap();
    assert_eq!(last.as_str(), r#"{"b":{"c":2},"a":[3]}"#);
    let error = Json::of(&std::collections::BTreeMap::from([((1, 2), 3)])).unwrap_err();
    assert_eq!(error.kind(), DocumentErrorKind::Malformed);
    let sorted = v1().to_string().replace(r#""x/~":1"#, r#""ab":1,"\u0061":[2],"a\"c":3,"B":"\u0042""#);
    let document = Document::parse(sorted.as_bytes()).unwrap();
    assert_eq!(document.extra().as_str(), r#"{"B":"B","a":[2],"a\"c":3,"ab":1}"#);
    // The name under which serde_json hands numbers over as text means that only in a build where it does so.
    let are_texts = serde_json::from_str::<serde_json::Number>("0.10").unwrap().to_string() == "0.10";
    let odd = serde_json::from_str::<Json>(r#"{"$serde_json::private::Number":"7"}"#).unwrap();
    assert_eq!(odd.as_str() == "7", are_texts, "{odd}");
}
