//! Documents of 2.0: what is built reads back, what the reader says agrees with the published schema, and the ways
//! between the versions lose only what they name.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use crate::damage;

use aidocument::v2::{Call, Document, Economics, PricingBasis, Ref, TokenCounts};
use aidocument::{
    AnyDocument, Converted, CrawlFacts, DocumentErrorKind, DocumentFindingCode, Heading, HeadingLevel, Image,
    Json, Limits, LinkText, RenderMode, StatusCode, StructuredData, Timestamp, WebUrl, downgrade, upgrade,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn url() -> impl Strategy<Value = WebUrl> {
    ("(http|https)", "[a-z]{1,9}\\.example", "(/[a-z]{0,6}){1,3}", "(\\?[a-z']{0,3})?")
        .prop_map(|(scheme, host, path, query)| format!("{scheme}://{host}{path}{query}").parse().unwrap())
}

fn call() -> impl Strategy<Value = Call> {
    prop::sample::select(vec![
        Call::Hit,
        Call::Miss,
        Call::Refreshed,
        Call::Revalidated,
        Call::ForceRevalidated,
    ])
}

fn economics() -> impl Strategy<Value = Economics> {
    (0..100_000u64, 0..100_000u64, 0.0..0.1f64, prop::option::of("[a-z ]{0,9}")).prop_map(
        |(output, raw_html, price, note)| {
            let mut basis = PricingBasis::new(price, "mid-tier").unwrap();
            basis.note = note;
            Economics::new(TokenCounts { output, raw_html }, basis).unwrap()
        },
    )
}

/// A document with anything that the builder takes.
fn document() -> impl Strategy<Value = Document> {
    let text = || prop::option::of(any::<String>());
    let snapshot = (
        prop::option::of((0..4_000_000_000i64, 0..1_000_000_000u32)),
        prop::option::of(100u16..600),
        prop::option::of(prop::sample::select(vec![
            RenderMode::Static,
            RenderMode::Rendered,
            RenderMode::StaticAfterRenderFailure,
        ])),
        prop::option::of(any::<[u8; 16]>()),
    );
    let identity =
        (text(), text(), prop::option::of(prop::sample::select(vec!["en", "und", "zh-Hant"])), text());
    let structure = (
        prop::option::of(prop::collection::vec((1u8..=6, any::<String>()), 0..4)),
        prop::option::of(prop::collection::vec((url(), text()), 0..4)),
        prop::option::of(prop::collection::vec((url(), text()), 0..3)),
        prop::collection::vec(("[A-Z][a-z]{0,4}", 0..9i32), 0..3),
    );
    let rest =
        (any::<String>(), any::<bool>(), prop::option::of(0..10_000u64), prop::option::of(economics()));
    (url(), call(), prop::option::of(url()), snapshot, identity, structure, rest).prop_map(
        |(
            url,
            call,
            canonical,
            (instant, status, mode, digest),
            (title, description, language, class),
            structure,
            rest,
        )| {
            let mut builder = Document::builder(url, call);
            if let Some(canonical) = canonical {
                builder = builder.canonical_url(canonical);
            }
            if let Some((seconds, nanos)) = instant {
                builder = builder.fetched_at(Timestamp::from_parts(seconds, nanos).unwrap());
            }
            if let Some(status) = status {
                builder = builder.status_code(StatusCode::new(status).unwrap());
            }
            if let Some(mode) = mode {
                builder = builder.render_mode(mode);
            }
            if let Some(digest) = digest {
                builder = builder.reference(Ref::of_digest(digest));
            }
            if let Some(title) = title {
                builder = builder.title(title);
            }
            if let Some(description) = description {
                builder = builder.description(description);
            }
            if let Some(language) = language {
                builder = builder.language(language.parse().unwrap());
            }
            if let Some(class) = class {
                builder = builder.content_type(class);
            }
            let (headings, links, images, nodes) = structure;
            if let Some(headings) = headings {
                let heading = |(level, text)| Heading::new(HeadingLevel::new(level).unwrap(), text);
                builder = builder.headings(headings.into_iter().map(heading));
            }
            if let Some(links) = links {
                let said = |text: Option<String>| LinkText { rel: text.clone(), text };
                builder = builder.links(links.into_iter().map(|(url, text)| (url, said(text))));
            }
            if let Some(images) = images {
                builder = builder.images(images.iter().map(|(url, alt)| {
                    let mut image = Image::new(url);
                    image.alt.clone_from(alt);
                    image
                }));
            }
            let node = |n| Json::of(&json!({ "n": n })).unwrap();
            builder = builder
                .structured_data(StructuredData::of(nodes.into_iter().map(|(name, n)| (name, node(n)))));
            let (markdown, has_json_ld, words, economics) = rest;
            builder = builder.content(markdown.clone(), &markdown);
            if has_json_ld {
                builder = builder.has_json_ld(true);
            }
            if let Some(words) = words {
                builder = builder.words(words);
            }
            if let Some(economics) = economics {
                builder = builder.economics(economics);
            }
            builder.build()
        },
    )
}

/// A member anywhere in a value, replaced by another value or taken away.
fn mutated(mut document: Value, pick: usize, value: Option<Value>) -> Value {
    let mut paths = Vec::new();
    collect(&document, String::new(), &mut paths);
    let path = &paths[pick % paths.len()];
    match value {
        Some(value) => *document.pointer_mut(path).unwrap() = value,
        None => {
            let (parent, name) = path.rsplit_once('/').unwrap();
            match document.pointer_mut(parent).unwrap() {
                Value::Object(members) => drop(members.remove(name)),
                Value::Array(items) => drop(items.remove(name.parse().unwrap())),
                _ => {}
            }
        }
    }
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

fn scalar() -> impl Strategy<Value = Option<Value>> {
    let texts = vec![
        "",
        "en",
        "en_US",
        "2.0",
        "2.1",
        "3.0",
        "2",
        "AIDocument",
        "https://example.org/",
        "https://a@example.org/",
        "ftp://a/",
        "aidoc:x",
        "hit",
        "warm",
        "cache_first",
        "rendered",
        "2026-05-10T12:34:56Z",
        "2026-05-10",
    ];
    prop_oneof![
        Just(None),
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3i64..700).prop_map(Value::from),
            (-2.0..9.0f64).prop_map(Value::from),
            prop::sample::select(texts).prop_map(Value::from),
            Just(json!([])),
            Just(json!({})),
            Just(json!([{"url": "https://example.org/"}])),
        ]
        .prop_map(Some),
    ]
}

/// Facts of the document itself, for the way back.
fn facts_for_1_0() -> CrawlFacts {
    CrawlFacts {
        fetch_duration_ms: Some(7),
        content_length: Some(70),
        user_agent: Some("AIWebIndex/1.0".parse().unwrap()),
        fetched_at: Some("2026-05-10T12:34:56Z".parse().unwrap()),
        status_code: StatusCode::new(200),
        render_mode: Some(RenderMode::Static),
        word_count: Some(11),
    }
}

/// What a schema cannot say, by its own description.
const BEYOND: [DocumentFindingCode; 3] =
    [DocumentFindingCode::WrongInternal, DocumentFindingCode::BadLanguage, DocumentFindingCode::BadTimestamp];

fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(spec_vectors::schema("aidocument-2").unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn agrees(validator: &jsonschema::Validator, document: &Value) -> Result<(), String> {
    let Ok(reading) = Document::read(document.to_string().as_bytes(), &Limits::default()) else {
        return Ok(());
    };
    let errors: Vec<_> = reading.findings().iter().filter(|finding| finding.is_error()).collect();
    let said = errors.iter().filter(|finding| !BEYOND.contains(&finding.code())).count();
    if said > 0 && validator.is_valid(document) {
        return Err(format!("only the reader refuses: {errors:?}"));
    }
    if errors.is_empty() && !validator.is_valid(document) {
        let faults: Vec<_> =
            validator.iter_errors(document).map(|e| format!("{} {e}", e.instance_path())).collect();
        return Err(format!("only the schema refuses: {faults:?}"));
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_is_built_is_quiet_and_reads_back(document in document()) {
        let json = document.to_json();
        prop_assert_eq!(&serde_json::to_string(&document).unwrap(), &json);
        let reading = Document::read(json.as_bytes(), &Limits::default()).unwrap();
        prop_assert!(reading.findings().is_empty(), "{:?}", reading.findings());
        prop_assert!(document.call().is_some());
        prop_assert_eq!(reading.into_document().unwrap(), document.clone());
        prop_assert_eq!(AnyDocument::parse(json.as_bytes()).unwrap(), AnyDocument::V2(document.clone()));
        prop_assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
    }

    #[test]
    fn reader_and_schema_agree(document in document(), pick in any::<usize>(), value in scalar(), again in any::<usize>()) {
        let validator = schema();
        let document: Value = serde_json::from_str(&document.to_json()).unwrap();
        let mutant = mutated(mutated(document, pick, value.clone()), again, value);
        let agreed = agrees(&validator, &mutant);
        prop_assert!(agreed.is_ok(), "{} {mutant}", agreed.unwrap_err());
    }

    /// 2.0 to 1.0 to 2.0 with the same call loses what is named, and makes lists of absent ones.
    #[test]
    fn down_and_up_again(document in document()) {
        let Converted { document: flat, lost } = downgrade(document.clone(), &facts_for_1_0()).unwrap();
        prop_assert_eq!(aidocument::Document::parse(flat.to_json().as_bytes()).unwrap(), flat.clone());
        let call = document.call().unwrap();
        let back = upgrade(flat, call, Some(document.signals().has_json_ld)).document;
        prop_assert_eq!(&back.source().url, &document.source().url);
        prop_assert_eq!(back.markdown(), document.markdown());
        prop_assert_eq!(&back.identity().title, &document.identity().title);
        prop_assert_eq!(&back.identity().description, &document.identity().description);
        prop_assert_eq!(&back.identity().language, &document.identity().language);
        prop_assert_eq!(back.structure().links.as_deref().unwrap(), document.structure().links.as_deref().unwrap_or_default());
        prop_assert_eq!(&back.structure().images, &document.structure().images);
        prop_assert_eq!(&back.structure().structured_data, &document.structure().structured_data);
        prop_assert_eq!(back.signals().has_json_ld, document.signals().has_json_ld);
        prop_assert_eq!(back.signals().heading_hierarchy_ok, document.signals().heading_hierarchy_ok);
        prop_assert_eq!(back.call(), document.call());
        prop_assert_eq!(lost.contains(&"/economics".to_owned()), document.economics().is_some());
        prop_assert_eq!(lost.contains(&"/schema/ref".to_owned()), document.schema().reference.is_some());
    }

    /// 1.0 to 2.0 to 1.0 with the same facts gives the same document.
    #[test]
    fn up_and_down_again(document in document(), call in call()) {
        let mut document = document;
        if document.source().render_mode == Some(RenderMode::StaticAfterRenderFailure) {
            // Not a mode that 1.0 names.
            let plain = document.to_json().replace("static_after_render_failure", "static");
            document = Document::parse(plain.as_bytes()).unwrap();
        }
        let flat = downgrade(document, &facts_for_1_0()).unwrap().document;
        let up = upgrade(flat.clone(), call, None).document;
        prop_assert_eq!(Document::parse(up.to_json().as_bytes()).unwrap(), up.clone());
        prop_assert_eq!(downgrade(up, &facts_for_1_0()).unwrap().document, flat);
    }

    /// A document with some bytes exchanged is refused by both readers, or read by both as the same, and what is read is
    /// written so that it reads back.
    #[test]
    fn a_damaged_text_is_refused_or_read_whole(json in damaged()) {
        let document = match Document::read(&json, &Limits::default()) {
            Ok(reading) => {
                let errors = reading.findings().iter().filter(|finding| finding.is_error()).count();
                prop_assert_eq!(errors == 0, reading.document().is_some());
                reading.document().cloned()
            }
            Err(_) => None,
        };
        let any = AnyDocument::parse(&json).ok();
        match (&document, any) {
            (Some(document), any) => {
                prop_assert_eq!(any.as_ref(), Some(&AnyDocument::V2(document.clone())));
                prop_assert_eq!(&Document::parse(document.to_json().as_bytes()).unwrap(), document);
            }
            // A digit of the version is among the bytes that change.
            (None, any) => prop_assert!(!matches!(any, Some(AnyDocument::V2(_)))),
        }
    }
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    damage::damaged(document().prop_map(|document| document.to_json()))
}

/// Inputs that are all refused at once would test nothing.
#[test]
fn a_good_part_of_the_damaged_texts_is_read() {
    let read = damage::share(damaged(), |json| Document::read(&json, &Limits::default()).is_ok());
    let valid = damage::share(damaged(), |json| Document::parse(&json).is_ok());
    assert!((60..190).contains(&read) && (40..read).contains(&valid), "{read} and {valid} of 200");
}

#[test]
fn reader_and_schema_agree_on_every_vector() {
    use base64::Engine as _;
    let (validator, mut compared) = (schema(), 0);
    for case in &spec_vectors::set("aiwi2/check").unwrap().cases {
        let json = base64::engine::general_purpose::STANDARD.decode(case.input["json_b64"].as_str().unwrap());
        let Ok(document) = serde_json::from_slice::<Value>(&json.unwrap()) else { continue };
        assert_eq!(agrees(&validator, &document), Ok(()), "{}", case.id);
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn each_version_refuses_the_other_by_name() {
    let grouped = Document::builder("https://tea.example/".parse().unwrap(), Call::Hit).build().to_json();
    let flat =
        downgrade(Document::parse(grouped.as_bytes()).unwrap(), &facts_for_1_0()).unwrap().document.to_json();
    let error = aidocument::Document::parse(grouped.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), DocumentErrorKind::UnsupportedVersion);
    assert!(error.to_string().contains("aidocument::v2::Document"), "{error}");
    let error = Document::parse(flat.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), DocumentErrorKind::UnsupportedVersion);
    assert!(error.to_string().contains("aidocument::Document"), "{error}");
    let later = grouped.replace("\"2.0\"", "\"3.0\"");
    let error = AnyDocument::parse(later.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), DocumentErrorKind::UnsupportedVersion);
    assert_eq!(error.to_string(), "expected a document of version 2.0 or a later 2.x, found \"3.0\"");
    assert!(matches!(AnyDocument::parse(flat.as_bytes()), Ok(AnyDocument::V1(_))));
    assert_eq!(serde_json::from_str::<AnyDocument>(&grouped).unwrap().version(), "2.0");
}

#[test]
fn lacking_facts_are_all_named() {
    let document = Document::builder("https://tea.example/".parse().unwrap(), Call::Hit).build();
    let error = downgrade(document, &CrawlFacts::default()).unwrap_err();
    let expected = "expected facts for /crawl/fetched_at, /crawl/status_code, /crawl/render_mode, \
                    /crawl/fetch_duration_ms, /crawl/content_length, /crawl/user_agent, /meta/word_count, found none";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn economics_that_cannot_be_written_are_refused() {
    assert!(PricingBasis::new(f64::NAN, "x").is_err());
    let counts = |output, raw_html| TokenCounts { output, raw_html };
    let dear = || PricingBasis::new(f64::MAX, "x").unwrap();
    assert!(Economics::new(counts(1, u64::MAX >> 1), dear()).is_err());
    assert!(Economics::new(counts(u64::MAX, 1), PricingBasis::new(0.0, "x").unwrap()).is_err());
    let loss = Economics::new(counts(30, 20), PricingBasis::new(0.0, "x").unwrap()).unwrap();
    assert_eq!(
        (loss.token_savings(), loss.savings_ratio(), loss.token_savings_percent()),
        (-10, -0.5, -50.0)
    );
}
