//! What each getter and each word says: every member of a full document of each version, and both sides of the edges.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests say what they expect in the plainest way"
)]

use aidocument::v2::{self, CacheStatus, Call, FreshnessPolicy};
use aidocument::{
    AnyDocument, CrawlFacts, Document, DocumentErrorKind, DocumentFindingCode, Json, JsonObject, Limits,
    RenderMode, SentUserAgent, Shape, StructuredData, detect, downgrade,
};
use serde_json::{Value, json};

const V1: &str = r##"{"url":"https://example.com/a","canonical_url":"https://example.com/c","title":"How HTTP works",
"description":"A friendly introduction.","markdown":"# How HTTP works\n\nWhen a client","headings":[{"level":2,"text":"Requests","id":"r"}],
"links":[{"url":"https://www.rfc-editor.org/rfc/rfc7230","text":"RFC 7230","rel":"nofollow","internal":false,"y":1},{"url":"https://example.com/b","internal":true}],
"images":[{"url":"https://example.com/i.png","alt":"An image"}],
"meta":{"language":"de","word_count":1240,"reading_time":9,"author":"Ada","keywords":["a","b"]},
"structured_data":{"Article":{"name":"n"},"List":[1,2],"Nested":[[1]],"One":[{"x":1}]},
"crawl":{"fetched_at":"2026-05-10T12:34:56Z","status_code":200,"render_mode":"rendered","fetch_duration_ms":412,"content_length":18402,"user_agent":"AIWebIndex/1.0 (+https://example.com/bot; example-impl)"},"z":{"b":1,"a\u00e9":2}}"##;

const V2: &str = r##"{"schema":{"name":"AIDocument","version":"2.1"},"source":{"url":"https://tea.example/green","canonical_url":"https://tea.example/c","fetched_at":"2026-07-01T06:00:00Z","status_code":200,"render_mode":"rendered","freshness_policy":"cache_first"},
"cache":{"status":"miss","origin_contacted":true,"body_fetched":true,"age":7},"identity":{"title":"Green tea","description":"Steeping","language":"en"},"content":{"markdown":"# Green tea\n\nSteep it."},
"structure":{"headings":[{"level":1,"text":"Green tea"}],"links":[{"url":"https://tea.example/black","text":"Black tea","internal":true}],"images":[{"url":"https://tea.example/i.png"}]},
"signals":{"word_count":4,"reading_time":3,"has_json_ld":false,"heading_hierarchy_ok":true},
"economics":{"output_tokens_approx":250,"raw_html_tokens_approx":1000,"token_savings":750,"token_savings_percent":75.0,"estimated_cost_usd":{"our_output":0.25,"raw_html":1.0,"savings":0.75},"pricing_basis":{"input_price_per_1k_usd":1.0,"model_class":"mid-tier"}}}"##;

#[test]
fn every_member_of_a_document_is_read() {
    let document = Document::parse(V1.as_bytes()).unwrap();
    assert_eq!(document.url().as_str(), "https://example.com/a");
    assert_eq!(document.canonical_url().unwrap().as_str(), "https://example.com/c");
    assert_eq!(
        (document.title(), document.description()),
        ("How HTTP works", Some("A friendly introduction."))
    );
    assert_eq!(document.markdown(), "# How HTTP works\n\nWhen a client");
    let [heading] = document.headings() else { panic!("one heading") };
    assert_eq!(
        (heading.level.as_u8(), heading.text.as_str(), heading.id.as_deref()),
        (2, "Requests", Some("r"))
    );
    let links: Vec<_> =
        document.links().iter().map(|link| (link.url(), link.text(), link.rel(), link.internal())).collect();
    assert_eq!(
        links,
        [
            ("https://www.rfc-editor.org/rfc/rfc7230", Some("RFC 7230"), Some("nofollow"), false),
            ("https://example.com/b", None, None, true),
        ]
    );
    assert_eq!(document.links()[0].extra().as_str(), r#"{"y":1}"#);
    assert_eq!(document.images()[0].alt.as_deref(), Some("An image"));
    let meta = document.meta();
    assert_eq!((meta.word_count, meta.reading_time, meta.author.as_deref()), (1240, 9, Some("Ada")));
    assert_eq!(
        (meta.language.as_str(), meta.keywords.clone()),
        ("de", Some(vec!["a".to_owned(), "b".to_owned()]))
    );
    assert_eq!(
        document.crawl().user_agent.to_string(),
        "AIWebIndex/1.0 (+https://example.com/bot; example-impl)"
    );
    assert_eq!(
        document.crawl().user_agent.to_string().parse::<SentUserAgent>().as_ref(),
        Ok(&document.crawl().user_agent)
    );
    // Members that 1.0 does not know, by name.
    assert_eq!(document.extra().as_str(), "{\"z\":{\"b\":1,\"aé\":2}}");
    assert_eq!(format!("{:?}", document.extra()), document.extra().as_str());
    assert!(!document.extra().is_empty());

    let any = AnyDocument::parse(V1.as_bytes()).unwrap();
    assert_eq!(
        (any.version(), any.title(), any.description()),
        ("1.0", Some("How HTTP works"), Some("A friendly introduction."))
    );
    assert_eq!((any.markdown(), any.url().as_str()), (document.markdown(), "https://example.com/a"));
    assert_eq!(
        (any.canonical_url().map(aidocument::WebUrl::as_str), any.word_count()),
        (Some("https://example.com/c"), Some(1240))
    );
    assert_eq!((any.headings().len(), any.links().len(), any.images().len()), (1, 2, 1));
    assert_eq!(any.language().map(aidocument::Language::as_str), Some("de"));
    let blank = V1.replace("\"title\":\"How HTTP works\"", "\"title\":\" \"");
    assert_eq!(AnyDocument::parse(blank.as_bytes()).unwrap().title(), None);
}

#[test]
fn every_member_of_a_document_of_2_0_is_read() {
    let document = v2::Document::parse(V2.as_bytes()).unwrap();
    assert_eq!(
        (document.schema().version.as_str(), document.schema().version.to_string().as_str()),
        ("2.1", "2.1")
    );
    assert_eq!((document.schema().version.major(), document.schema().version.minor()), (2, 1));
    assert_eq!(document.markdown(), "# Green tea\n\nSteep it.");
    assert_eq!((document.call(), document.cache().extra().as_str()), (Some(Call::Miss), r#"{"age":7}"#));
    let economics = document.economics().unwrap();
    let cost = economics.estimated_cost_usd();
    assert_eq!([cost.our_output(), cost.raw_html(), cost.savings()], [0.25, 1.0, 0.75]);
    assert_eq!(
        (economics.token_savings(), economics.token_savings_percent(), economics.savings_ratio()),
        (750, 75.0, 0.75)
    );
    let any = AnyDocument::parse(V2.as_bytes()).unwrap();
    assert_eq!((any.version(), any.title(), any.description()), ("2.1", Some("Green tea"), Some("Steeping")));
    assert_eq!((any.markdown(), any.word_count(), any.images().len()), (document.markdown(), Some(4), 1));
    assert_eq!(any.canonical_url().map(aidocument::WebUrl::as_str), Some("https://tea.example/c"));
    assert!(any.fetched_at().is_some());
}

#[test]
fn shapes_and_calls_have_words() {
    let shape = |text: &str| detect(text.as_bytes()).unwrap();
    assert_eq!((shape(V1).version(), shape(V1).to_string()), (Some("1.0"), r#"flat "1.0""#.to_owned()));
    assert_eq!((shape(V2).version(), shape(V2).to_string()), (Some("2.1"), r#"grouped "2.1""#.to_owned()));
    assert_eq!(
        (shape("{}"), shape("{}").version(), shape("{}").to_string()),
        (Shape::Unknown, None, "unknown".to_owned())
    );

    // Policy, label, origin contacted, body fetched.
    let table = [
        (Call::Hit, "cache_first", "hit", false, false),
        (Call::Miss, "cache_first", "miss", true, true),
        (Call::Refreshed, "force_refresh", "refreshed", true, true),
        (Call::Revalidated, "cache_first", "stale_revalidated", true, false),
        (Call::ForceRevalidated, "force_refresh", "stale_revalidated", true, false),
    ];
    for (call, policy, status, contacted, fetched) in table {
        assert_eq!(Call::of_texts(policy, status), Ok(call));
        assert!(Call::of_texts(status, policy).is_err(), "swapped");
        assert_eq!(
            (call.freshness_policy().to_string().as_str(), call.cache_status().to_string().as_str()),
            (policy, status)
        );
        assert_eq!((call.origin_contacted(), call.body_fetched()), (contacted, fetched), "{call}");
        assert_eq!(call.to_string(), format!("{status} with {policy}"));
        // The group `cache` says which call it was only where label, policy and both flags go together.
        for (contacted_now, fetched_now) in [(true, true), (true, false), (false, false), (false, true)] {
            let mut tree: Value = serde_json::from_str(V2).unwrap();
            tree["source"]["freshness_policy"] = json!(policy);
            tree["cache"] =
                json!({ "status": status, "origin_contacted": contacted_now, "body_fetched": fetched_now });
            let reading = v2::Document::read(tree.to_string().as_bytes(), &Limits::default()).unwrap();
            let found = reading.document().and_then(v2::Document::call);
            let expected = (contacted_now == contacted && fetched_now == fetched).then_some(call);
            assert_eq!(found, expected, "{call} {contacted_now} {fetched_now}");
        }
    }
    for (policy, status) in [
        ("force_refresh", "hit"),
        ("force_refresh", "miss"),
        ("cache_first", "refreshed"),
        ("x", "hit"),
        ("cache_first", "x"),
    ] {
        assert!(Call::of_texts(policy, status).is_err(), "{policy} {status}");
    }
    assert!("hit".parse::<CacheStatus>().is_ok() && "Hit".parse::<CacheStatus>().is_err());
    assert_eq!(FreshnessPolicy::CacheFirst.to_string(), "cache_first");
}

#[test]
fn structured_data_tells_one_node_from_a_list() {
    let document = Document::parse(V1.as_bytes()).unwrap();
    let data = document.structured_data().unwrap();
    assert_eq!(data.types(), ["Article", "List", "Nested", "One"]);
    let nodes = |name: &str| data.nodes(name).iter().map(|node| node.as_str().to_owned()).collect::<Vec<_>>();
    assert_eq!(nodes("Article"), [r#"{"name":"n"}"#]);
    assert_eq!(nodes("List"), ["1", "2"]);
    assert_eq!(nodes("Nested"), ["[1]"], "an array in an array stays one node");
    assert_eq!(nodes("One"), [r#"{"x":1}"#]);
    assert_eq!(nodes("None"), [""; 0]);
    assert_eq!(data.as_str(), r#"{"Article":{"name":"n"},"List":[1,2],"Nested":[[1]],"One":{"x":1}}"#);
    assert!(!data.is_empty() && StructuredData::of(Vec::<(String, Json)>::new()).is_empty());
    // Names in the order of their text, escapes and all.
    let text = r#"{"b":1,"\u0061":2,"c\"":3,"c":4}"#;
    let tree = V1.replace(r#"{"Article":{"name":"n"},"List":[1,2],"Nested":[[1]],"One":[{"x":1}]}"#, text);
    let document = Document::parse(tree.as_bytes()).unwrap();
    assert_eq!(document.structured_data().unwrap().as_str(), r#"{"a":2,"b":1,"c":4,"c\"":3}"#);
    let tree = V1.replace(
        r#"{"Article":{"name":"n"},"List":[1,2],"Nested":[[1]],"One":[{"x":1}]}"#,
        r#"{"B":1,"\n":2,"\\":3,"a":4}"#,
    );
    let document = Document::parse(tree.as_bytes()).unwrap();
    let data = document.structured_data().unwrap();
    assert_eq!(data.as_str(), r#"{"\n":2,"B":1,"\\":3,"a":4}"#);
    assert_eq!(format!("{data:?}"), data.as_str());
}

/// What the builder is told of the page leaves what it counted, and says nothing where there is nothing to say.
#[test]
fn the_builder_keeps_its_counts_and_leaves_out_what_is_empty() {
    let url = || "https://example.com/a".parse::<aidocument::WebUrl>().unwrap();
    let crawl = Document::parse(V1.as_bytes()).unwrap().crawl().clone();
    let mut told = aidocument::Meta::default();
    (told.word_count, told.reading_time, told.author) = (999, 99, Some("Ada".into()));
    let build = |data: StructuredData| {
        Document::builder(url(), crawl.clone())
            .content("one two three", "one two three")
            .meta(told.clone())
            .structured_data(data)
            .build()
    };
    let document = build(StructuredData::default());
    let meta = document.meta();
    assert_eq!((meta.word_count, meta.reading_time, meta.author.as_deref()), (3, 1, Some("Ada")));
    assert!(document.structured_data().is_none());
    let data = StructuredData::of([("Article".to_owned(), Json::parse(b"{}").unwrap())]);
    assert_eq!(build(data.clone()).structured_data(), Some(&data));
}

/// A user's name alone is user information too.
#[test]
fn user_information_is_left_out_of_urls() {
    let crawl = Document::parse(V1.as_bytes()).unwrap().crawl().clone();
    for user in ["", "u@", ":p@", "u:p@"] {
        let rules = aidocument::UrlRules::default().keeping_credentials();
        let text = format!("https://{user}example.com/a");
        let url = aidocument::WebUrl::parse_with(&text, rules).unwrap();
        let document = Document::builder(url.clone(), crawl.clone()).link(url, |_| {}).build();
        assert_eq!(document.url().as_str(), "https://example.com/a");
        assert_eq!(document.links()[0].url(), "https://example.com/a", "{user}");
    }
}

/// Words of a newer version than this one are kept as they are.
#[test]
fn words_of_a_newer_version_are_kept() {
    let text = V2
        .replace("\"render_mode\":\"rendered\"", "\"render_mode\":\"sketched\"")
        .replace("\"status\":\"miss\"", "\"status\":\"guessed\"");
    let document = v2::Document::parse(text.as_bytes()).unwrap();
    let Some(RenderMode::Unknown(mode)) = &document.source().render_mode else { panic!("a mode of 2.1") };
    let CacheStatus::Unknown(status) = &document.cache().status else { panic!("a label of 2.1") };
    assert_eq!((mode.to_string().as_str(), status.to_string().as_str()), ("sketched", "guessed"));
}

/// Each cost is its own number.
#[test]
fn costs_are_told_apart() {
    let text = V2
        .replace("\"raw_html_tokens_approx\":1000", "\"raw_html_tokens_approx\":2000")
        .replace("\"token_savings\":750", "\"token_savings\":1750")
        .replace("\"token_savings_percent\":75.0", "\"token_savings_percent\":87.5")
        .replace("\"raw_html\":1.0,\"savings\":0.75", "\"raw_html\":2.0,\"savings\":1.75");
    let document = v2::Document::parse(text.as_bytes()).unwrap();
    let cost = document.economics().unwrap().estimated_cost_usd();
    assert_eq!([cost.our_output(), cost.raw_html(), cost.savings()], [0.25, 2.0, 1.75]);
}

/// Objects come through serde with every member, and what is not a value of JSON is refused by name.
#[test]
fn objects_come_through_serde() {
    for text in [r#"{"a":1,"b":{"c":"d"},"e":[]}"#, r#"{"a":"b"}"#, "{}"] {
        assert_eq!(serde_json::from_str::<Json>(text).unwrap().as_str(), text);
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_value::<Json>(value).unwrap().as_str(), text);
    }
    use serde::de::value::{BytesDeserializer, Error};
    let bytes: Result<Json, Error> = serde::Deserialize::deserialize(BytesDeserializer::new(b"a"));
    assert!(bytes.unwrap_err().to_string().ends_with("expected a JSON value"));
}

#[test]
fn json_values_keep_their_kind_through_serde() {
    for text in [
        "null",
        "true",
        "0",
        "-7",
        "18446744073709551615",
        "-9223372036854775808",
        "0.5",
        "-0.0",
        "1e300",
        "\"é\\n\"",
        "[1,[],{}]",
        r#"{"b":1,"a":[null]}"#,
    ] {
        let json = Json::parse(text.as_bytes()).unwrap();
        let value = serde_json::to_value(&json).unwrap();
        assert_eq!(value, serde_json::from_str::<Value>(text).unwrap(), "{text}");
        assert_eq!(
            serde_json::from_value::<Json>(value).unwrap().as_str().len(),
            json.as_str().len(),
            "{text}"
        );
        assert_eq!(
            (json.to_string(), format!("{json:?}")),
            (json.as_str().to_owned(), json.as_str().to_owned())
        );
        let whole = value_is_whole(text);
        assert_eq!(
            serde_json::to_value(&json).unwrap().is_f64(),
            !whole && text.parse::<f64>().is_ok(),
            "{text}"
        );
    }
    // What a program serialises: absent values are null.
    assert_eq!(Json::of(&(Some(1), None::<u8>, ())).unwrap().as_str(), "[1,null,null]");
    assert_eq!(Json::of(&std::collections::BTreeMap::<u8, u8>::new()).unwrap().as_str(), "{}");
    let object = |text: &str| JsonObject::new(Json::parse(text.as_bytes()).unwrap());
    assert!(object("{}").unwrap().is_empty() && !object(r#"{"a":1}"#).unwrap().is_empty());
    assert_eq!(object(r#"{ "a" : 1 }"#).unwrap().as_str(), r#"{"a":1}"#);
    assert_eq!(object("[]"), None);
    // One spelling for one double; integers of nineteen digits and more keep theirs.
    for (text, kept) in [
        ("100.0", "100"),
        ("1e2", "100"),
        ("0.10", "0.1"),
        ("999999999999999999", "999999999999999999"),
        ("1000000000000000001", "1000000000000000001"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("9223372036854775808", "9223372036854775808"),
    ] {
        let kept_text = Json::parse(text.as_bytes()).unwrap();
        assert_eq!(kept_text.as_str().trim_end_matches(".0"), kept, "{text}");
    }
}

fn value_is_whole(text: &str) -> bool {
    text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()
}

#[test]
fn findings_and_errors_name_what_they_are_about() {
    let spoilt = V1.replace("\"level\":2", "\"level\":9").replace("\"title\":\"How HTTP works\",", "");
    let reading = Document::read(spoilt.as_bytes(), &Limits::default()).unwrap();
    assert!(!reading.is_valid() && reading.document().is_none());
    let found: Vec<_> = reading
        .findings()
        .iter()
        .map(|finding| (finding.path(), finding.code(), finding.requirement()))
        .collect();
    let paths: Vec<_> = found.iter().map(|(path, code, _)| (*path, *code)).collect();
    assert!(
        paths.contains(&("/title", DocumentFindingCode::Missing))
            && paths.iter().any(|(path, _)| *path == "/headings/0/level"),
        "{found:?}"
    );
    for finding in reading.findings() {
        assert_eq!(web_values::Finding::requirement(finding), Some(finding.requirement()));
        assert_eq!(web_values::Finding::code(finding), finding.code().as_str());
    }
    assert!(Document::read(V1.as_bytes(), &Limits::default()).unwrap().is_valid());
    let kinds = [
        ("{", DocumentErrorKind::Malformed, "malformed"),
        (r#"{"a":1,"a":2}"#, DocumentErrorKind::DuplicateMember, "duplicate-member"),
        (V2, DocumentErrorKind::UnsupportedVersion, "unsupported-version"),
        ("{}", DocumentErrorKind::Invalid, "invalid"),
    ];
    for (text, kind, word) in kinds {
        let error = Document::parse(text.as_bytes()).unwrap_err();
        assert_eq!((error.kind(), error.kind().to_string().as_str()), (kind, word));
    }
}

#[test]
fn going_down_keeps_the_reading_time_that_is_stated() {
    let document = v2::Document::parse(V2.as_bytes()).unwrap();
    let facts = CrawlFacts {
        fetch_duration_ms: Some(1),
        content_length: Some(2),
        user_agent: Some("AIWebIndex/1.0".parse().unwrap()),
        ..CrawlFacts::default()
    };
    let down = downgrade(document, &facts).unwrap().document;
    assert_eq!((down.meta().word_count, down.meta().reading_time, down.title()), (4, 3, "Green tea"));
}

#[test]
fn economics_are_checked_at_their_edges() {
    let codes = |percent: f64| {
        let mut tree: Value = serde_json::from_str(V2).unwrap();
        tree["economics"]["token_savings_percent"] = json!(percent);
        // Nothing else to remark upon.
        tree["schema"]["version"] = json!("2.0");
        drop(tree["cache"].as_object_mut().unwrap().remove("age"));
        let reading = v2::Document::read(tree.to_string().as_bytes(), &Limits::default()).unwrap();
        reading.findings().iter().map(aidocument::DocumentFinding::code).collect::<Vec<_>>()
    };
    for fine in [74.5, 75.0, 75.5] {
        assert_eq!(codes(fine), [], "{fine}");
    }
    for wrong in [74.4, 75.6, 0.0, 0.744, 0.756, -75.0] {
        assert_eq!(codes(wrong), [DocumentFindingCode::WrongEconomics], "{wrong}");
    }
    for fraction in [0.745, 0.746, 0.75, 0.754, 0.755] {
        assert_eq!(codes(fraction), [DocumentFindingCode::FractionPercent], "{fraction}");
    }
}

#[test]
fn words_of_common_scripts_are_counted() {
    for (text, count) in [
        ("it\u{2019}s don\u{2018}t", 2),
        ("\u{2018}quoted\u{2019} words", 2),
        ("漢字", 2),
        ("ひらがな", 4),
        ("カタカナ", 1),
        ("l·l a·b", 2),
        ("3.14 a.b 3,5", 3),
    ] {
        assert_eq!(aidocument::word_count(text), count, "{text}");
        assert_eq!(
            unicode_segmentation::UnicodeSegmentation::unicode_words(text).count() as u64,
            count,
            "{text}"
        );
    }
}

/// Nodes are filed under their types, in their order; one of a type needs no list unless it is a list itself.
#[test]
fn nodes_are_filed_under_their_types() {
    let of = |nodes: &[(&str, &str)]| {
        let nodes =
            nodes.iter().map(|(name, json)| ((*name).to_owned(), Json::parse(json.as_bytes()).unwrap()));
        StructuredData::of(nodes).as_str().to_owned()
    };
    for (nodes, text) in [
        (&[][..], "{}"),
        (&[("A", "{}")], r#"{"A":{}}"#),
        (&[("B", "1"), ("A", "2")], r#"{"A":2,"B":1}"#),
        (&[("A", "2"), ("B", "0"), ("A", "1")], r#"{"A":[2,1],"B":0}"#),
        (&[("A", "[1]")], r#"{"A":[[1]]}"#),
        (&[("A", "[1]"), ("A", "2")], r#"{"A":[[1],2]}"#),
        (&[("\"", "null")], r#"{"\"":null}"#),
    ] {
        assert_eq!(of(nodes), text);
    }
}

/// 10,000 keywords are taken, as a list and as one text; one more is a fault that says so.
#[test]
fn keywords_have_a_limit() {
    let read = |keywords: &str| {
        let json = V1.replace(r#"["a","b"]"#, keywords);
        let reading = Document::read(json.as_bytes(), &Limits::default()).unwrap();
        let faults: Vec<_> = reading
            .findings()
            .iter()
            .filter(|f| f.is_error())
            .map(|f| (f.path().to_owned(), f.code()))
            .collect();
        (reading.document().and_then(|document| Some(document.meta().keywords.as_ref()?.len())), faults)
    };
    let fault = vec![("/meta/keywords".to_owned(), DocumentFindingCode::OutOfRange)];
    for (count, expected) in
        [(1, (Some(1), Vec::new())), (10_000, (Some(10_000), Vec::new())), (10_001, (None, fault))]
    {
        let list = format!("[{}]", vec!["\"a\""; count].join(","));
        let text = format!("\"{}\"", vec!["a"; count].join(","));
        assert_eq!(read(&list), expected, "a list of {count}");
        assert_eq!(read(&text), expected, "a text of {count}");
    }
    // Blank words between commas do not count.
    assert_eq!(read("\" a ,, b,\"").0, Some(2));
}

/// What a format other than JSON hands over, as MessagePack and CBOR do: no value, a value, a wrapped one.
#[test]
fn values_of_other_formats_become_json() {
    use serde::de::{Deserialize, Deserializer, Error as _, Visitor};

    enum Given {
        Nothing,
        Some(Box<Given>),
        Wrapped(Box<Given>),
        Unit,
        Number(f64),
        Negative(i64),
        Bool(bool),
    }

    impl<'de> Deserializer<'de> for Given {
        type Error = serde::de::value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            match self {
                Given::Nothing => visitor.visit_none(),
                Given::Some(given) => visitor.visit_some(*given),
                Given::Wrapped(given) => visitor.visit_newtype_struct(*given),
                Given::Unit => visitor.visit_unit(),
                Given::Number(number) => visitor.visit_f64(number),
                Given::Negative(number) => visitor.visit_i64(number),
                Given::Bool(value) => visitor.visit_bool(value),
            }
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    for (given, text) in [
        (Given::Nothing, "null"),
        (Given::Unit, "null"),
        (Given::Some(Box::new(Given::Bool(true))), "true"),
        (Given::Wrapped(Box::new(Given::Some(Box::new(Given::Negative(-7))))), "-7"),
        (Given::Number(0.5), "0.5"),
    ] {
        assert_eq!(Json::deserialize(given).unwrap().as_str(), text);
    }
    for number in [f64::NAN, f64::INFINITY] {
        let error = Json::deserialize(Given::Number(number)).unwrap_err();
        assert_eq!(error, serde::de::value::Error::custom("expected a finite number, found another"));
    }
}
