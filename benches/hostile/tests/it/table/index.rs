//! llmindex-types.

use std::sync::LazyLock;

use llmindex_types::web_values::{Timestamp, UnixSeconds};
use llmindex_types::{
    About, AccessControl, Availability, CommercialUse, Decimal, DeltaBase, DeltaReader, FaqTopic, FeedLine,
    FeedOptions, FeedReader, LicenseKind, Limits, Manifest, ManifestBuilder, ManifestText, Mode, Options,
    Policies, ProductBuilder, RateLimit, ReferenceSchema, Report, Sig, VerifyMethod, Version, about_page,
    check_https, classify, faq_page, llms_txt, policies_page, products_page, read, response_headers, secret,
    validate, validate_product, validate_product_line,
};

use super::{Function, nothing, row};
use crate::run::Case;

const LIBRARY: &str = "llmindex-types";
const NONE: (u64, u64) = (0, 0);
/// 8 bytes a value, and up to a thousand findings with their pointers. Here as below, bounds are at most twice what
/// `benches/GROWTH.md` measured.
const CHECK: (u64, u64) = (20, 2 << 20);
/// A tree of serde_json, and what jsonschema says about it.
const SCHEMA: (u64, u64) = (400, 4 << 20);
/// Findings: a thousand at most, their pointers 4 MiB at most.
const REPORT: (u64, u64) = (0, 5 << 20);
/// One line's nodes and findings, and 31 bytes an identifier.
const FEED: (u64, u64) = (22, 512 << 10);
/// The query's values are decoded three times at most, 256 KiB in all.
const SECRET: (u64, u64) = (6, 4_096);

/// Compiled once, before what is measured.
static REFERENCE: LazyLock<ReferenceSchema> =
    LazyLock::new(|| ReferenceSchema::new().expect("the schemas are right"));

fn options() -> Options {
    Options::default().mode(Mode::Lenient)
}

fn len_of(report: &Report) -> usize {
    report.findings().iter().map(|finding| finding.path().len() + finding.message().len()).sum()
}

fn said(line: FeedLine<'_>) -> usize {
    line.findings().iter().map(|finding| finding.path().len() + finding.message().len()).sum()
}

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("it is a timestamp")
}

fn base() -> DeltaBase {
    DeltaBase::new(time("2026-02-20T00:00:00Z")..=time("2026-02-22T00:00:00Z"))
        .expect("it ends after it begins")
}

/// A manifest whose every text is the input.
fn built(case: &Case) -> Option<Manifest> {
    let url = format!("https://a.example/{}", case.text);
    let access = AccessControl {
        deny: vec![case.text.clone()],
        usage_terms: Some(case.text.clone()),
        ..Default::default()
    };
    ManifestBuilder::new(&case.text, "https://a.example", "en")
        .version_0_2()
        .updated_at(time("2026-02-20T00:00:00Z"))
        .topic(&case.text)
        .license(&case.text)
        .also_in("en")
        .localized("en", &[("faq", &url)])
        .access_control(access)
        .allow_secrets()
        .build()
        .ok()
}

fn feed(case: &Case, chunk_bytes: usize) -> usize {
    let mut reader = FeedReader::new([7; 16], FeedOptions::default());
    let mut bytes = 0;
    for mut chunk in case.bytes.chunks(chunk_bytes) {
        while let Some(line) = reader.next_line(&mut chunk) {
            bytes = bytes.max(said(line));
        }
    }
    bytes.max(reader.last_line().map_or(0, said)) + reader.summary().to_string().len()
}

fn delta(case: &Case) -> usize {
    let reader = DeltaReader::new([7; 16], &base(), base().since(), FeedOptions::default());
    let mut reader = reader.expect("the base is right");
    let mut chunk = case.bytes.as_slice();
    while reader.next_line(&mut chunk).is_some() {}
    nothing(reader.last_line());
    let mut longest = 0;
    let mut held = reader.finish().expect("within the limits").apply();
    let mut chunk = case.bytes.as_slice();
    while let Some(line) = held.next_line(&mut chunk) {
        longest = longest.max(line.len());
    }
    nothing(held.last_line());
    let mut changed = held.changes();
    let mut chunk = case.bytes.as_slice();
    while let Some(line) = changed.next_line(&mut chunk) {
        longest = longest.max(line.len());
    }
    nothing(changed.last_line());
    nothing(changed.finish());
    longest
}

pub const FUNCTIONS: &[Function] = &[
    row(LIBRARY, "validate", CHECK, REPORT, |case| {
        validate(&case.bytes, &options()).map_or(0, |report| len_of(&report))
    }),
    row(LIBRARY, "read, lenient", (56, 3 << 20), REPORT, |case| {
        read(&case.bytes, &options()).map_or(0, |reading| len_of(reading.report()))
    }),
    row(LIBRARY, "Manifest::parse", (56, 3 << 20), NONE, |case| {
        nothing(Manifest::parse(&case.bytes, &options()))
    }),
    row(LIBRARY, "ManifestText, and its members", (28, 64 << 10), (3, 1_024), |case| {
        ManifestText::parse(&case.bytes, &Limits::MANIFEST).map_or(0, |text| {
            nothing((text.verify(), text.canonical_host(), text.updated_at(), text.string("version")));
            let sig = text.sig().present();
            let sig = sig.unwrap_or(Sig { alg: "a".into(), kid: "k".into(), jws: "j".into() });
            text.without_sig().len() + text.with_sig(&sig).len()
        })
    }),
    row(LIBRARY, "validate_product", CHECK, REPORT, |case| {
        validate_product(&case.text, &Options::for_product()).map_or(0, |report| len_of(&report))
    }),
    row(LIBRARY, "validate_product_line", CHECK, REPORT, |case| {
        validate_product_line(&case.bytes, &Options::for_product()).map_or(0, |report| len_of(&report))
    }),
    row(LIBRARY, "ReferenceSchema::check_manifest", SCHEMA, REPORT, |case| {
        REFERENCE.check_manifest(&case.bytes, &options()).map_or(0, |report| len_of(&report))
    }),
    row(LIBRARY, "ReferenceSchema::check_product", SCHEMA, REPORT, |case| {
        REFERENCE.check_product(&case.bytes, &Options::for_product()).map_or(0, |report| len_of(&report))
    }),
    row(LIBRARY, "FeedReader, whole", FEED, REPORT, |case| feed(case, usize::MAX)),
    row(LIBRARY, "FeedReader, 7 bytes at a time", FEED, REPORT, |case| feed(case, 7)),
    row(LIBRARY, "DeltaReader, applied to itself", (20, 512 << 10), (1, 0), delta),
    row(LIBRARY, "classify", CHECK, (1, 4_096), |case| {
        classify(200, Some(&case.text), &case.bytes, &Limits::MANIFEST).to_string().len()
    }),
    row(LIBRARY, "check_https", (8, 4_096), (0, 256), |case| {
        check_https(&[&case.text]).iter().map(|finding| finding.to_string().len()).sum()
    }),
    row(LIBRARY, "ManifestBuilder", (206, 6 << 20), (40, 4_096), |case| {
        built(case).map_or(0, |manifest| manifest.as_bytes().len())
    }),
    row(LIBRARY, "ManifestBuilder::from_manifest", (56, 6 << 20), (8, 4_096), |case| {
        let manifest = Manifest::parse(&case.bytes, &options());
        manifest.map_or(0, |manifest| {
            ManifestBuilder::from_manifest(&manifest).build().map_or(0, |m| m.as_bytes().len())
        })
    }),
    row(LIBRARY, "llms_txt", (206, 6 << 20), (12, 4_096), |case| {
        built(case).map_or(0, |m| llms_txt(&m).len())
    }),
    row(LIBRARY, "response_headers", (206, 6 << 20), (0, 1_024), |case| {
        built(case).map_or(0, |m| response_headers(&m, UnixSeconds(0)).etag.len())
    }),
    row(LIBRARY, "ProductBuilder, Product::to_json, products_page", (106, 4 << 20), (40, 4_096), |case| {
        let product = ProductBuilder::new(
            &case.text,
            &case.text,
            &format!("https://a.example/{}", case.text),
            Availability::InStock,
            time("2026-02-20T00:00:00Z"),
        );
        let product =
            product.price(&case.text, "EUR").price("1", "EUR").category(&case.text).brand(&case.text).build();
        product.map_or(0, |product| product.to_json().len() + products_page(&case.text, &[product]).len())
    }),
    row(LIBRARY, "policies_page, faq_page, about_page", (80, 16_384), (30, 1_024), |case| {
        let text = case.text.as_str();
        let policies = Policies { shipping: text, returns: "", warranty: "", payment: text };
        let faq = [FaqTopic { topic: text, questions: &[(text, text)] }];
        let about = About { story: text, company: &[(text, text)], contact: &[] };
        policies_page(text, &policies).len() + faq_page(text, &faq).len() + about_page(text, &about).len()
    }),
    row(LIBRARY, "secret::in_url", SECRET, NONE, |case| nothing(secret::in_url(&case.text))),
    row(LIBRARY, "secret::in_value", SECRET, NONE, |case| nothing(secret::in_value(&case.text))),
    row(LIBRARY, "secret::in_name", NONE, NONE, |case| nothing(secret::in_name(&case.text))),
    row(LIBRARY, "Decimal::parse, compare", (2, 64), (1, 0), |case| {
        Decimal::parse(&case.text).map_or(0, |number| {
            nothing(number.compare(&number));
            number.as_str().len()
        })
    }),
    row(LIBRARY, "LicenseKind::of", (8, 4_096), NONE, |case| nothing(LicenseKind::of(&case.text))),
    row(LIBRARY, "names of values", (4, 4_096), NONE, |case| {
        nothing((
            VerifyMethod::from_name(&case.text),
            CommercialUse::from_name(&case.text),
            RateLimit::parse(&case.text),
        ));
        nothing((
            Availability::from_name(&case.text),
            Availability::import(&case.text),
            Version::from_text(&case.text),
        ))
    }),
    row(LIBRARY, "AccessControl::is_allowed", (2, 1_024), NONE, |case| {
        let access = AccessControl { deny: vec![case.text.clone()], ..AccessControl::default() };
        nothing(access.is_allowed(&case.text))
    }),
];
