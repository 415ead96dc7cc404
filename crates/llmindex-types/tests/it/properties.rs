//! Properties over generated manifests and products, against plain oracles.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use covers::covers;
use llmindex_types::web_values::Timestamp;
use llmindex_types::{
    Code, FeedOptions, FeedReader, Limits, Manifest, ManifestBuilder, ManifestText, Mode, Options, read,
    validate, validate_product_line,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A valid manifest as a tree.
fn manifest() -> impl Strategy<Value = Value> {
    let name = "[a-zA-Z ]{0,8}[a-z]";
    let host = "[a-z]{1,8}(\\.[a-z]{2,5}){1,2}";
    let topics = proptest::collection::vec("[a-z]{1,8}", 1..5);
    let language = proptest::sample::select(vec!["en", "zh-CN", "ja", "yue-HK"]);
    let extras =
        (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), "[a-z\"\\\\\u{e9}\u{1f600}]{1,9}");
    (name, host, topics, language, 0..4_000_000_000_i64, extras).prop_map(
        |(name, host, topics, language, seconds, (feeds, verify, sig, unknown, value))| {
            let origin = format!("https://{host}");
            let mut tree = json!({
                "version": "0.1",
                "updated_at": Timestamp::from_parts(seconds, 0).unwrap().to_string(),
                "entity": { "name": name, "canonical_url": origin },
                "language": language,
                "topics": topics,
                "endpoints": {
                    "products": format!("{origin}/llm/products"),
                    "policies": format!("{origin}/llm/policies"),
                    "faq": format!("{origin}/llm/faq"),
                    "about": format!("{origin}/llm/about"),
                },
            });
            if feeds {
                tree["feeds"] = json!({ "products_jsonl": format!("{origin}/products.jsonl") });
            }
            if verify {
                tree["verify"] = json!({ "method": "dns_txt", "value": value });
            }
            if sig {
                tree["sig"] = json!({ "alg": "EdDSA", "kid": value, "jws": "e30..c2ln" });
            }
            if unknown {
                tree["x-unknown"] = json!({ "deep": [1, { "value": value }] });
                tree["entity"]["note"] = json!(value);
            }
            tree
        },
    )
}

/// The leaves and containers that the specification requires, with what may stand there instead and is an error.
fn breakable() -> impl Strategy<Value = (&'static str, Option<Value>)> {
    let paths = vec![
        "/version",
        "/updated_at",
        "/entity",
        "/entity/name",
        "/entity/canonical_url",
        "/language",
        "/topics",
        "/endpoints",
        "/endpoints/products",
        "/endpoints/policies",
        "/endpoints/faq",
        "/endpoints/about",
    ];
    let instead = prop_oneof![
        Just(None),
        Just(Some(Value::Null)),
        Just(Some(json!(true))),
        Just(Some(json!(12.5))),
        Just(Some(json!([1]))),
    ];
    (proptest::sample::select(paths), instead).prop_filter("an array of topics is fine", |(path, instead)| {
        *path != "/topics" || *instead != Some(json!([1]))
    })
}

fn replace(tree: &mut Value, path: &str, instead: Option<Value>) {
    let (parent, name) = path.rsplit_once('/').unwrap();
    let parent = tree.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match instead {
        Some(value) => drop(parent.insert(name.to_owned(), value)),
        None => drop(parent.remove(name)),
    }
}

proptest! {
    #[test]
    fn valid_manifests_keep_their_bytes(tree in manifest(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&tree).unwrap() } else { tree.to_string() };
        let manifest = Manifest::parse(text.as_bytes(), &Options::default()).unwrap();
        prop_assert_eq!(manifest.as_bytes(), text.as_bytes());
        let source = ManifestText::parse(text.as_bytes(), &Limits::MANIFEST).unwrap();
        prop_assert_eq!(source.source(), text.as_bytes());
        prop_assert_eq!(manifest.sig().is_some(), tree.get("sig").is_some());
        // What is written back says the same, unknown members too, but for the signature.
        let written = ManifestBuilder::from_manifest(&manifest).build().unwrap();
        let mut expected = tree;
        expected.as_object_mut().unwrap().remove("sig");
        prop_assert_eq!(serde_json::from_slice::<Value>(written.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn the_text_without_its_signature_is_the_tree_without_it(tree in manifest(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&tree).unwrap() } else { tree.to_string() };
        let source = ManifestText::parse(text.as_bytes(), &Limits::MANIFEST).unwrap();
        let mut expected = tree;
        expected.as_object_mut().unwrap().remove("sig");
        prop_assert_eq!(serde_json::from_str::<Value>(&source.without_sig()).unwrap(), expected);
    }

    #[test]
    fn one_fault_is_one_error_at_its_place(tree in manifest(), (path, instead) in breakable()) {
        let mut broken = tree;
        replace(&mut broken, path, instead);
        let report = validate(broken.to_string().as_bytes(), &Options::default()).unwrap();
        let errors: Vec<_> = report.errors().map(llmindex_types::ManifestFinding::path).collect();
        prop_assert_eq!(errors, [path]);
        // The lenient mode still hands out the rest.
        let reading = read(broken.to_string().as_bytes(), &Options::default().mode(Mode::Lenient)).unwrap();
        let partial = reading.partial().unwrap();
        prop_assert_eq!(partial.language.is_some(), path != "/language");
        prop_assert_eq!(partial.updated_at.is_some(), path != "/updated_at");
        prop_assert!(reading.manifest().is_none());
    }

    #[test]
    fn a_repeated_member_is_found_wherever_it_stands(tree in manifest(), at in any::<prop::sample::Index>()) {
        let names: Vec<_> = tree.as_object().unwrap().keys().cloned().collect();
        let name = &names[at.index(names.len())];
        let text = tree.to_string();
        let doubled = format!("{},{}:1}}", &text[..text.len() - 1], json!(name));
        let report = validate(doubled.as_bytes(), &Options::default()).unwrap();
        let errors: Vec<_> = report.errors().map(|finding| (finding.path().to_owned(), finding.code())).collect();
        prop_assert_eq!(errors, [(format!("/{name}"), Code::DuplicateMember)]);
        prop_assert!(ManifestText::parse(doubled.as_bytes(), &Limits::MANIFEST).is_err());
    }

    #[test]
    fn no_bytes_panic_and_json_agrees_with_serde_json(text in "[\\[\\]{}:,\"\\\\ \\nutrefalsn0-9.eE+-]{0,40}") {
        let ours = validate(text.as_bytes(), &Options::default());
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
    }

    /// A manifest that is signed passes two readers, and what both take must be the same.
    #[test]
    #[covers("LLMI-AMB-21")]
    fn what_is_read_as_text_has_a_canonical_form(
        text in "\\{(\"(a|b|\\\\u0061|\\\\ud800)\":(1|1e999|\\[\\]|\\{\"a\":1(,\"a\":2)?\\}|\"\\\\ud83d\\\\ude00\"),?){0,3}\\}?"
    ) {
        let read = ManifestText::parse(text.as_bytes(), &Limits::MANIFEST);
        let canonical = tct_canonical_json::to_canonical(text.as_bytes(), tct_canonical_json::Profile::Rfc8785);
        match (&read, &canonical) {
            (Ok(read), Ok(canonical)) => {
                let again: Value = serde_json::from_slice(canonical).unwrap();
                prop_assert_eq!(serde_json::from_str::<Value>(read.json()).unwrap(), again);
            }
            // Only a number beyond a double is read here and has no canonical form.
            (Ok(_), Err(error)) => {
                prop_assert_eq!(error.kind(), tct_canonical_json::JsonErrorKind::NumberOverflow);
            }
            // Such a number may come before the fault that both see.
            (Err(_), Err(theirs)) if theirs.kind() == tct_canonical_json::JsonErrorKind::NumberOverflow => {}
            (Err(ours), Err(theirs)) => prop_assert_eq!(Some(ours.offset()), theirs.offset(), "{}", text),
            (Err(error), Ok(_)) => prop_assert!(false, "{}: {}", text, error),
        }
    }

    #[test]
    fn a_feed_reads_the_same_however_it_is_cut(
        lines in proptest::collection::vec(
            // The last ones are too long: one of white space, one that is no UTF-8 either.
            prop_oneof![
                "(\\{\"id\":\"[ab]\"\\}|\\{\"id\":1|  |\\[\\]|\u{feff}\\{\\})(\r)?".prop_map(String::into_bytes),
                Just(b"\xff".to_vec()),
                (11_usize..16).prop_map(|length| vec![b' '; length]),
                (11_usize..16).prop_map(|length| vec![0xff; length]),
            ],
            0..8,
        ),
        final_newline in any::<bool>(),
        cut in 1_usize..20,
    ) {
        let mut feed = lines.join(&b'\n');
        if final_newline {
            feed.push(b'\n');
        }
        let limits = Limits::PRODUCT.with_max_bytes(10);
        let run = |cut: usize| {
            let mut reader = FeedReader::new([1; 16], FeedOptions::default().line_limits(limits));
            let mut seen = Vec::new();
            for mut chunk in feed.chunks(cut) {
                while let Some(line) = reader.next_line(&mut chunk) {
                    seen.push((line.number(), line.findings().to_vec()));
                }
            }
            if let Some(line) = reader.last_line() {
                seen.push((line.number(), line.findings().to_vec()));
            }
            (seen, reader.summary())
        };
        let whole = run(feed.len().max(1));
        prop_assert_eq!(&run(cut), &whole);
        // The oracle: split, and check each line alone.
        for (number, findings) in &whole.0 {
            let line = feed.split(|byte| *byte == b'\n').nth(*number as usize - 1).unwrap();
            let line = if *number == 1 { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line) } else { line };
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let alone = validate_product_line(line, &Options::for_product().limits(limits));
            let rest: Vec<_> = findings.iter().filter(|finding| finding.code() != Code::DuplicateId).collect();
            match alone {
                Ok(report) => prop_assert_eq!(rest, report.findings().iter().collect::<Vec<_>>()),
                Err(_) => prop_assert_eq!(rest.len(), 1),
            }
        }
    }
}

/// Small texts that ask for large answers: they end within the bounds, and soon.
#[test]
fn hostile_manifests_stay_cheap() {
    let long = "x-aaaaaaaa".to_owned() + &"-aaaaaaaa".repeat(40_000);
    let members = |n: usize| (0..n).map(|i| format!("\"u{i}\":{{}}")).collect::<Vec<_>>().join(",");
    let below_a_long_name =
        format!(r#"{{"version":"0.2","localized_endpoints":{{"{long}":{{{}}}}}}}"#, members(50_000));
    let repeated = format!("{{{}}}", vec!["\"a\":1"; 100_000].join(","));
    let nested_names = format!(r#"{{"{long}":[{}]}}"#, vec!["{\"a\":1,\"a\":2}"; 30_000].join(","));
    let topics = format!(
        r#"{{"topics":[{}]}}"#,
        (0..100_000).map(|i| format!("\"t{i}\"")).collect::<Vec<_>>().join(",")
    );
    for text in [below_a_long_name, repeated, nested_names, topics] {
        assert!(text.len() <= 1 << 20);
        let options = Options::default().mode(Mode::Lenient);
        let reading = read(text.as_bytes(), &options).unwrap();
        let pointers: usize = reading.report().findings().iter().map(|finding| finding.path().len()).sum();
        assert!(pointers <= 5 << 20, "{pointers} bytes of pointers");
        assert!(reading.report().findings().len() <= options.max_findings + 1);
    }
}
