//! aidocument and aidocument-extract.

use aidocument::{
    AnyDocument, Crawl, Document, Json, Limits, SentUserAgent, StatusCode, detect, upgrade, v2, word_count,
};
use aidocument_extract::encoding::{decode, sniff};
use aidocument_extract::outline::{Outline, estimate_tokens};
use aidocument_extract::{Extractor, Options, Snapshot, extract, extract_v2, seen_texts, to_markdown};

use super::{Function, nothing, row};
use crate::run::Case;

const MODEL: &str = "aidocument";
const EXTRACT: &str = "aidocument-extract";
const NONE: (u64, u64) = (0, 0);

fn crawl() -> Crawl {
    Crawl::new(
        "2026-05-10T12:34:56Z".parse().expect("it is a timestamp"),
        StatusCode::new(200).expect("it is a status"),
        "AIWebIndex/1.0".parse().expect("it is an agent"),
    )
}

fn page(case: &Case) -> usize {
    let url = "https://a.example/".parse().expect("it is a URL");
    let page = extract(&case.bytes, url, Some("text/html"), crawl(), &Options::default());
    serde_json::to_string(&page.document).map_or(0, |json| json.len())
}

fn page_v2(case: &Case) -> usize {
    let url = "https://a.example/".parse().expect("it is a URL");
    let call = v2::Call::Refreshed;
    let page = extract_v2(&case.bytes, url, None, Snapshot::default(), call, &Options::default());
    page.document.to_json().len()
}

pub const FUNCTIONS: &[Function] = &[
    row(MODEL, "Document::parse", (400, 1 << 20), NONE, |case| nothing(Document::parse(&case.bytes))),
    row(MODEL, "Document::read", (400, 1 << 20), (0, 5 << 20), |case| {
        Document::read(&case.bytes, &Limits::default())
            .map_or(0, |reading| reading.findings().iter().map(|finding| finding.to_string().len()).sum())
    }),
    row(MODEL, "word_count", (2, 4_096), NONE, |case| nothing(word_count(&case.text))),
    row(EXTRACT, "sniff, decode", (8, 64 << 10), (3, 64), |case| {
        decode(&case.bytes, sniff(&case.bytes, Some(&case.text), Some(&case.text))).len()
    }),
    // The document stays within four times the page and a megabyte; as JSON a byte of it takes six at most.
    row(EXTRACT, "extract", (2_000, 8 << 20), (24, 6 << 20), page),
    row(EXTRACT, "to_markdown", (2_000, 8 << 20), (12, 1 << 20), |case| to_markdown(&case.text, None).len()),
    row(MODEL, "v2::Document::read", (400, 1 << 20), (0, 5 << 20), |case| {
        v2::Document::read(&case.bytes, &Limits::default())
            .map_or(0, |reading| reading.findings().iter().map(|finding| finding.to_string().len()).sum())
    }),
    row(MODEL, "AnyDocument::read, detect, upgrade", (400, 1 << 20), NONE, |case| {
        nothing(detect(&case.bytes));
        nothing(AnyDocument::read(&case.bytes, &Limits::default()));
        nothing(Document::parse(&case.bytes).map(|document| upgrade(document, v2::Call::Hit, None)))
    }),
    row(MODEL, "Json::parse, of repeated names too", (64, 64 << 10), (2, 1_024), |case| {
        nothing(Json::parse(&case.bytes));
        Json::parse_last_of_repeated(&case.bytes).map_or(0, |json| json.as_str().len())
    }),
    row(MODEL, "Crawl::parse, texts of members", (64, 1 << 20), (0, 4_096), |case| {
        nothing((Crawl::parse(&case.bytes), case.text.parse::<SentUserAgent>().is_ok()));
        v2::Call::of_texts(&case.text, &case.text).map_or_else(|error| error.to_string().len(), nothing)
    }),
    row(EXTRACT, "extract_v2", (2_000, 8 << 20), (24, 6 << 20), page_v2),
    row(EXTRACT, "seen_texts", (2_000, 8 << 20), (4, 1 << 20), |case| {
        seen_texts(case.bytes.as_slice(), None).iter().map(|seen| seen.text.len()).sum()
    }),
    row(EXTRACT, "Outline::of, pages, find, search", (400, 64 << 10), NONE, |case| {
        let outline = Outline::of(&case.text, &estimate_tokens);
        nothing(outline.pages(&case.text, 0..case.text.len(), 100, &estimate_tokens));
        nothing((outline.find(&case.text), outline.search(&case.text, &case.text)))
    }),
    row(EXTRACT, "Extractor::keep, extract", (2_000, 8 << 20), (12, 2 << 20), |case| {
        let by_input = Extractor::new().keep(&case.text);
        by_input.unwrap_or_default().extract(case.bytes.as_slice()).markdown.len()
    }),
];
