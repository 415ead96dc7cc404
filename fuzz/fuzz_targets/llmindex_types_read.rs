//! A manifest and a feed from any bytes: no panic, and what the parts say agrees.

#![no_main]

use libfuzzer_sys::fuzz_target;
use llmindex_types::{
    FeedOptions, FeedReader, Limits, Manifest, ManifestBuilder, ManifestText, Member, Mode, Options,
    llms_txt, read, validate,
};

fuzz_target!(|bytes: &[u8]| {
    manifest(bytes);
    feed(bytes);
});

fn manifest(bytes: &[u8]) {
    let options = Options::default();
    let report = validate(bytes, &options);
    // The grammar is serde_json's, within the limits; depth and repeated names are ours.
    if let Ok(text) = std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        match &report {
            Ok(_) => assert!(theirs),
            Err(error) => {
                assert!(!theirs || error.kind() == llmindex_types::LlmindexTextErrorKind::TooDeep, "{error}");
                assert!(error.offset() <= bytes.len());
            }
        }
    }
    let source = ManifestText::parse(bytes, &Limits::MANIFEST);
    if let Ok(source) = &source {
        assert_eq!(source.source(), bytes);
        let without = source.without_sig().into_owned();
        let again = ManifestText::parse(without.as_bytes(), &Limits::MANIFEST).expect("still an object");
        assert_eq!(again.sig(), Member::Absent);
        let sig = llmindex_types::Sig { alg: "a".into(), kid: "k\"".into(), jws: "j".into() };
        let signed = source.with_sig(&sig);
        let signed = ManifestText::parse(signed.as_bytes(), &Limits::MANIFEST).expect("still an object");
        assert_eq!(signed.sig(), Member::Present(sig));
    }
    let Ok(report) = report else {
        assert!(source.is_err());
        return;
    };
    let lenient = read(bytes, &options.mode(Mode::Lenient)).expect("the same text");
    assert_eq!(lenient.report(), &report);
    let strict = validate(bytes, &options.mode(Mode::Strict)).expect("the same text");
    assert!(report.is_valid() || !strict.is_valid());
    assert_eq!(report.findings().len(), strict.findings().len());
    match Manifest::parse(bytes, &options) {
        Err(_) => assert!(!report.is_valid()),
        Ok(manifest) => {
            assert!(report.is_valid());
            assert_eq!(manifest.as_bytes(), bytes);
            assert!(source.is_ok());
            let text = llms_txt(&manifest);
            assert!(text.ends_with('\n') && text.contains("## Pages"));
            // The builder holds its own members to the strict rules, and lets what it was given stay.
            let kept = manifest.unknown().iter().filter(|member| &*member.parent != "/sig").count();
            if kept > 0 || strict.is_valid() {
                let written =
                    ManifestBuilder::from_manifest(&manifest).allow_secrets().build().expect("it was valid");
                assert_eq!(written.entity(), manifest.entity());
                assert_eq!(written.endpoints(), manifest.endpoints());
                assert_eq!(written.localized_endpoints(), manifest.localized_endpoints());
                assert_eq!(written.unknown().len(), kept);
            }
        }
    }
}

fn feed(bytes: &[u8]) {
    let cut = usize::from(bytes.first().copied().unwrap_or(1)).max(1);
    let options = FeedOptions::default().line_limits(Limits::PRODUCT.with_max_bytes(200));
    let run = |cut: usize| {
        let mut reader = FeedReader::new([9; 16], options);
        let mut lines = Vec::new();
        for mut chunk in bytes.chunks(cut) {
            while let Some(line) = reader.next_line(&mut chunk) {
                if line.is_valid() {
                    assert!(line.product().is_some_and(|product| product.to_product().is_some()));
                }
                lines.push((line.number(), line.findings().to_vec()));
            }
        }
        if let Some(line) = reader.last_line() {
            lines.push((line.number(), line.findings().to_vec()));
        }
        (lines, reader.summary())
    };
    assert_eq!(run(cut), run(bytes.len().max(1)));
}
