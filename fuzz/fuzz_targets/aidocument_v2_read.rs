//! Any text as a document of any version: reading ends, a valid one reads back as itself, and what is converted is valid.
#![no_main]

use aidocument::v2::{Call, Document};
use aidocument::{AnyDocument, CrawlFacts, Limits, detect, downgrade, upgrade};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(reading) = AnyDocument::read(data, &Limits::default()) else {
        assert!(Document::read(data, &Limits::default()).is_err() && detect(data).is_err());
        return;
    };
    let valid = !reading.findings().iter().any(|finding| finding.is_error());
    assert_eq!(valid, reading.document().is_some());
    assert!(detect(data).is_ok());
    match reading.document() {
        Some(AnyDocument::V2(document)) => {
            let written = document.to_json();
            let again = Document::parse(written.as_bytes()).expect("what was written reads");
            assert_eq!(again, *document);
            assert_eq!(again.to_json(), written);
            if let Ok(converted) = downgrade(again, &CrawlFacts::default()) {
                let written = converted.document.to_json();
                aidocument::Document::parse(written.as_bytes()).expect("what was converted is valid");
            }
        }
        Some(AnyDocument::V1(document)) => {
            let converted = upgrade(document.clone(), Call::Refreshed, None);
            let written = converted.document.to_json();
            assert_eq!(Document::parse(written.as_bytes()).as_ref(), Ok(&converted.document));
        }
        None => {}
    }
});
