//! Any text: reading ends, a valid document reads back as itself, and the checks agree with the reader.
#![no_main]

use aidocument::{Document, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(reading) = Document::read(data, &Limits::default()) else { return };
    let valid = !reading.findings().iter().any(|finding| finding.is_error());
    assert_eq!(valid, reading.document().is_some());
    if let Some(document) = reading.document() {
        let written = document.to_json();
        let again = Document::parse(written.as_bytes()).expect("what was written reads");
        assert_eq!(again, *document);
        assert_eq!(again.to_json(), written);
    }
});
