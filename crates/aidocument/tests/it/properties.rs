//! Properties: reading what was written, agreement of the typed checks with the published schema.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use crate::damage;

use aidocument::{
    Crawl, Document, DocumentErrorKind, DocumentFindingCode, Heading, HeadingLevel, Image, Json, Limits,
    LinkText, Meta, RenderMode, StatusCode, StructuredData, Timestamp, UrlRules, WebUrl,
};
use covers::covers;
use proptest::prelude::*;
use serde_json::{Value, json};

fn url() -> impl Strategy<Value = WebUrl> {
    (
        "(http|https)",
        "(ada:pw@)?[a-z]{1,9}\\.example",
        prop::option::of(1u16..),
        "(/[a-zé%~ ]{0,6}){0,3}",
        "(\\?[a-z'=%\\\\é]{0,6})?(#[a-z\\\\]{0,3})?",
    )
        .prop_map(|(scheme, host, port, path, fragment)| {
            let port = port.map(|port| format!(":{port}")).unwrap_or_default();
            let url = url::Url::parse(&format!("{scheme}://{host}{port}{path}{fragment}")).unwrap();
            // User information is dropped wherever a builder takes a URL.
            WebUrl::from_url(url, UrlRules::default().keeping_credentials()).unwrap()
        })
}

fn meta() -> impl Strategy<Value = Meta> {
    let text = || prop::option::of(any::<String>());
    (
        prop::sample::select(vec!["en", "und", "zh-Hant", "de-1996"]),
        text(),
        text(),
        prop::option::of(prop::collection::vec("[a-z ,]{1,5}", 0..3)),
    )
        .prop_map(|(language, author, published, keywords)| {
            let mut meta = Meta::default();
            meta.language = language.parse().unwrap();
            meta.author = author;
            meta.published = published;
            meta.keywords = keywords;
            meta
        })
}

/// Milliseconds of an instant that a document can hold, the first and the last often.
fn instant() -> impl Strategy<Value = Timestamp> {
    let range = -62_167_219_200..=253_402_300_799i64;
    let seconds =
        prop_oneof![Just(*range.start()), Just(*range.end()), Just(-1i64), 0..4_000_000_000i64, range];
    (seconds, prop_oneof![Just(0u32), Just(999_999_999), 0..1_000_000_000u32], any::<bool>()).prop_map(
        |(seconds, nanos, odd)| {
            // An offset can name an instant in the year -1.
            let odd = odd.then(|| Timestamp::parse("0000-01-01T00:00:00.25+23:59").unwrap());
            odd.filter(|_| nanos == 0).unwrap_or(Timestamp::from_parts(seconds, nanos).unwrap())
        },
    )
}

fn document() -> impl Strategy<Value = Document> {
    let parts = (
        prop::collection::vec((1u8..=6, any::<String>(), prop::option::of(any::<String>())), 0..4),
        prop::collection::vec((url(), prop::option::of(any::<String>())), 0..4),
        prop::collection::vec((url(), prop::option::of(any::<String>())), 0..3),
        prop::collection::vec(("[A-Z][a-z]{0,4}", 0..9i32), 0..4),
    );
    let crawl = (instant(), 100u16..600, any::<u64>(), any::<bool>());
    (url(), any::<String>(), prop::option::of(any::<String>()), any::<String>(), meta(), crawl, parts)
        .prop_map(
            |(
                url,
                title,
                description,
                markdown,
                meta,
                (instant, status, length, rendered),
                (headings, links, images, nodes),
            )| {
                let mut crawl =
                    Crawl::new(instant, StatusCode::new(status).unwrap(), "AIWebIndex/1.0".parse().unwrap());
                crawl.content_length = length;
                if rendered {
                    crawl.render_mode = RenderMode::Rendered;
                }
                let mut builder = Document::builder(url, crawl)
                    .title(title)
                    .content(markdown.clone(), &markdown)
                    .meta(meta);
                if let Some(description) = description {
                    builder = builder.description(description);
                }
                for (level, text, id) in headings {
                    let mut heading = Heading::new(HeadingLevel::new(level).unwrap(), text);
                    heading.id = id;
                    builder = builder.heading(heading);
                }
                for (url, text) in links {
                    // Replacing what the builder hands out must not make a link of another page.
                    builder = builder.link(url, |link| *link = LinkText { text: text.clone(), rel: text });
                }
                for (url, alt) in images {
                    let mut image = Image::new(&url);
                    image.alt = alt;
                    builder = builder.image(image);
                }
                let node = |number| Json::of(&json!({ "n": number, "f": f64::from(number) / 3.0 })).unwrap();
                let nodes = nodes.into_iter().map(|(name, number)| (name, node(number)));
                builder.structured_data(StructuredData::of(nodes)).build()
            },
        )
}

/// A member anywhere in a value, replaced by another value.
fn mutated(mut document: Value, pick: usize, value: Value) -> Value {
    let mut paths = Vec::new();
    collect(&document, String::new(), &mut paths);
    let path = &paths[pick % paths.len()];
    *document.pointer_mut(path).unwrap() = value;
    document
}

fn collect(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, below)| collect(below, format!("{path}/{name}"), paths));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, below)| collect(below, format!("{path}/{i}"), paths));
        }
        _ => {}
    }
    if !path.is_empty() {
        paths.push(path);
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..700).prop_map(Value::from),
        (-2.0..9.0f64).prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "en",
            "en_US",
            "x",
            "https://example.org/",
            "ftp://a/",
            "AIWebIndex/1.0",
            "2026-05-10T12:34:56Z"
        ])
        .prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{"url": "https://example.org/"}])),
    ]
}

proptest! {
    #[test]
    fn what_is_built_is_valid_and_reads_back(document in document()) {
        let json = serde_json::to_vec(&document).unwrap();
        let written = document.to_json();
        prop_assert_eq!(written.as_bytes(), &json);
        let reading = Document::read(&json, &Limits::default()).unwrap();
        prop_assert!(reading.findings().iter().all(|f| !f.is_error()), "{:?}", reading.findings());
        prop_assert_eq!(reading.into_document().unwrap(), document.clone());
        prop_assert_eq!(serde_json::from_slice::<Document>(&json).unwrap(), document);
    }

    #[test]
    fn typed_checks_and_schema_agree(document in document(), pick in any::<usize>(), value in scalar()) {
        let schema: Value = serde_json::from_str(spec_vectors::schema("aidocument").unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mutant = mutated(serde_json::to_value(&document).unwrap(), pick, value);
        // What a schema cannot say, by its own description.
        let beyond = [
            DocumentFindingCode::WrongInternal,
            DocumentFindingCode::BadLanguage,
            DocumentFindingCode::BadTimestamp,
        ];
        let reading = Document::read(mutant.to_string().as_bytes(), &Limits::default()).unwrap();
        let errors: Vec<_> = reading.findings().iter().filter(|finding| finding.is_error()).collect();
        let said = errors.iter().filter(|f| !beyond.contains(&f.code())).count();
        if said > 0 {
            prop_assert!(!validator.is_valid(&mutant), "{errors:?}");
        } else if errors.is_empty() {
            let faults: Vec<_> = validator.iter_errors(&mutant).map(|e| format!("{} {e}", e.instance_path())).collect();
            prop_assert!(faults.is_empty(), "{faults:?}");
        }
    }

    /// The counting of common text agrees with the library for all text.
    #[test]
    #[covers("AIWI-AMB-19")]
    fn words_are_the_segments_of_uax_29(
        text in "[a-cX0-2_.,:;'’“”(é\u{300}\u{200d}\u{a0}жא\"アーあ漢字한が、。ทก \t\n-]{0,24}",
        any in any::<String>(),
    ) {
        for text in [text, any] {
            let expected = unicode_segmentation::UnicodeSegmentation::unicode_words(text.as_str()).count();
            prop_assert_eq!(aidocument::word_count(&text), expected as u64, "{:?}", text);
        }
    }

    /// A document with some bytes exchanged: what is read of it is what JSON has there, every finding is about a place
    /// that exists, and a document is what it was before it was written.
    #[test]
    fn a_damaged_text_is_refused_or_read_whole(json in damaged()) {
        let tree: Option<Value> = serde_json::from_slice(&json).ok().filter(is_of_doubles);
        let reading = match Document::read(&json, &Limits::default()) {
            Ok(reading) => reading,
            Err(error) => {
                let ours_alone = [DocumentErrorKind::DuplicateMember, DocumentErrorKind::UnsupportedVersion];
                prop_assert!(tree.is_none() || ours_alone.contains(&error.kind()), "{error}");
                return Ok(());
            }
        };
        let tree = tree.expect("what is read is JSON");
        prop_assert_eq!(reading.is_valid(), !reading.findings().iter().any(aidocument::DocumentFinding::is_error));
        prop_assert_eq!(reading.is_valid(), reading.document().is_some());
        for finding in reading.findings() {
            let parent = finding.path().rsplit_once('/').map_or("", |(parent, _)| parent);
            let is_there = tree.pointer(finding.path()).is_some() || tree.pointer(parent).is_some();
            prop_assert!(is_there || parent == "/crawl" || parent == "/content" || parent == "/meta", "{}", finding.path());
        }
        if let Some(document) = reading.document() {
            prop_assert_eq!(Some(document.title()), tree["content"]["title"].as_str().or_else(|| tree["title"].as_str()));
            let written = document.to_json();
            prop_assert_eq!(&Document::parse(written.as_bytes()).unwrap(), document);
        }
    }

    #[test]
    fn a_cut_text_is_malformed(document in document(), cut in any::<prop::sample::Index>()) {
        let json = serde_json::to_vec(&document).unwrap();
        prop_assert!(Document::parse(&json[..cut.index(json.len())]).is_err());
    }
}

/// Whether all numbers are within the range of a double: where `serde_json` keeps numbers as text, it takes others too.
fn is_of_doubles(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(f64::is_finite),
        Value::Array(items) => items.iter().all(is_of_doubles),
        Value::Object(members) => members.values().all(is_of_doubles),
        _ => true,
    }
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    damage::damaged(document().prop_map(|document| document.to_json()))
}

#[test]
fn a_good_part_of_the_damaged_texts_is_read() {
    let read = damage::share(damaged(), |json| Document::read(&json, &Limits::default()).is_ok());
    let valid = damage::share(damaged(), |json| Document::parse(&json).is_ok());
    assert!((60..190).contains(&read) && (40..read).contains(&valid), "{read} and {valid} of 200");
}
