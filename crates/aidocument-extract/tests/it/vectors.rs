//! The published vectors of `aidocument.extract`, each against the public API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use aidocument::{Crawl, Document, Limits, UrlRules, WebUrl};
use aidocument_extract::{Options, extract};
use base64::Engine as _;

#[test]
fn every_vector_gets_its_expected_document() {
    let sets = ["aidocument/extract-document", "aidocument/extract-markdown"];
    let sets = sets.map(|name| spec_vectors::set(name).expect("a published set"));
    for case in sets.iter().flat_map(|set| &set.cases) {
        let html = case.input["html_b64"].as_str().expect("bytes");
        let html = base64::engine::general_purpose::STANDARD.decode(html).expect("base64");
        let url = case.input["url"].as_str().expect("a URL");
        let rules = UrlRules::default().dropping_credentials();
        let url = WebUrl::parse_with(url, rules).expect("a web URL");
        let content_type = case.input.get("content_type").and_then(serde_json::Value::as_str);
        let crawl = Crawl::parse(case.input["crawl"].to_string().as_bytes()).expect("crawl facts");
        let page = extract(&html, url, content_type, crawl, &Options::default());
        let expected = &case.expected.ok().expect("an extraction never fails")["document"];
        let found = serde_json::to_value(&page.document).expect("JSON");
        assert_eq!(&found, expected, "{}", case.id);

        // Whatever is extracted is a valid document.
        let reading = Document::read(found.to_string().as_bytes(), &Limits::default()).expect("a document");
        assert!(reading.findings().iter().all(|finding| !finding.is_error()), "{}", case.id);
    }
}
