//! Any bytes make a document whose texts hold to the limits, twice the same.

#![no_main]

use aidocument::{Crawl, Document, StatusCode};
use aidocument_extract::{Options, extract};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let crawl = || {
        Crawl::new(
            "2026-05-10T12:34:56Z".parse().expect("a timestamp"),
            StatusCode::new(200).expect("a status"),
            "AIWebIndex/1.0".parse().expect("an agent"),
        )
    };
    // The first byte chooses the options, so that all of them are reached.
    let choice = bytes.first().copied().unwrap_or_default();
    let mut options = Options::default();
    options.tables = choice & 1 == 0;
    options.images = choice & 2 == 0;
    options.comments = choice & 4 == 0;
    options.title = choice & 8 == 0;
    options.resolve = choice & 16 == 0;
    options.collapsed = choice & 32 == 0;
    options.metadata_only = choice & 96 == 96;
    options.whole_page = choice & 128 != 0;
    let url: aidocument::WebUrl = "https://example.com/a/b".parse().expect("an address");
    let page = extract(bytes, url.clone(), None, crawl(), &options);
    let again = extract(bytes, url, None, crawl(), &options);
    assert_eq!(page, again, "two runs differ");
    let markdown = page.document.markdown();
    assert!(markdown.len() <= 4 * bytes.len() + 1_000_000, "{} from {}", markdown.len(), bytes.len());
    let markup = |pair: &[u8]| pair[0] == b'<' && (pair[1].is_ascii_alphabetic() || b"/!?".contains(&pair[1]));
    assert!(!page.text.as_bytes().windows(2).any(markup), "markup in plain text");
    let json = serde_json::to_vec(&page.document).expect("a document is JSON");
    Document::parse(&json).expect("a document is valid");
});
