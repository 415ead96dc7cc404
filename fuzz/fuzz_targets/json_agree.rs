//! The manifest reader, the canonicaliser and serde_json on one text: what one takes, the others take, and where one stops
//! the others stop.

#![no_main]

use libfuzzer_sys::fuzz_target;
use llmindex_types::{Limits, ManifestText};
use tct_canonical_json::{JsonErrorKind, JsonReader, Profile, to_canonical};

fuzz_target!(|bytes: &[u8]| {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let canonical = to_canonical(text, Profile::Rfc8785);
    let read = JsonReader::new().read(text);
    assert_eq!(read.as_ref().err(), canonical.as_ref().err());
    let theirs = serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    match &canonical {
        Ok(canonical) => {
            assert!(theirs);
            // The canonical form is its own, and is a manifest where the text is one.
            assert_eq!(to_canonical(canonical, Profile::Rfc8785).as_ref(), Ok(canonical));
            let limits = Limits::MANIFEST;
            if canonical.len() <= limits.max_bytes && text.len() <= limits.max_bytes {
                assert_eq!(
                    ManifestText::parse(text, &limits).is_ok(),
                    ManifestText::parse(canonical, &limits).is_ok()
                );
            }
        }
        Err(error) => match ManifestText::parse(text, &Limits::MANIFEST) {
            // Its numbers stay text.
            Ok(_) => assert_eq!(error.kind(), JsonErrorKind::NumberOverflow),
            Err(own) => {
                let is_one_fault = !matches!(
                    error.kind(),
                    JsonErrorKind::NumberOverflow | JsonErrorKind::TooDeep | JsonErrorKind::TooLarge
                ) && own.offset() == error.offset().unwrap_or_default();
                let is_limit = own.kind() != llmindex_types::LlmindexTextErrorKind::NotJson;
                assert!(is_one_fault || is_limit || error.kind() == JsonErrorKind::NumberOverflow, "{own} | {error}");
            }
        },
    }
});
