//! Any text: reading ends, a valid document reads back as itself, and the checks agree with the reader.
#![no_main]

use aidocument::{Document, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(reading) = Document::read(data, &Limits::default()) else { return };
    let valid = !reading.findings().iter().any(|finding| finding.is_error());
    assert_eq!(valid, reading.document().is_some());
    if let Some(document) = reading.document() {
        let written = serde_json::to_vec(document).expect("documents serialise");
        // Times are written in milliseconds, however fine they were read; from then on nothing changes.
        let again = Document::parse(&written).expect("what was written reads");
        assert_eq!(serde_json::to_vec(&again).expect("documents serialise"), written);
        assert_eq!(again.markdown(), document.markdown());
    }
});
