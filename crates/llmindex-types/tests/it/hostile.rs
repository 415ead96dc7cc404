//! Texts made to hurt: answers come soon, from a small stack, and show no secret.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use llmindex_types::{FeedOptions, FeedReader, Limits, Options, secret, validate, validate_product};

/// Runs on a stack of 256 KiB; an overflow ends the whole process.
fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap()
}

/// `z` so many times as the query of a URL, each time percent-encoded whole.
fn wrapped(core: &str, levels: usize) -> String {
    let mut text = core.to_owned();
    for _ in 0..levels {
        text = format!("://?{}", text.replace('%', "%25").replace('?', "%3F"));
    }
    text
}

#[test]
fn percent_encoding_in_percent_encoding_is_answered_on_a_small_stack() {
    let text = wrapped("z", 1_014);
    assert!(text.len() > 900_000 && text.len() < 1 << 20, "{}", text.len());
    let manifest = format!(r#"{{"topics":["{text}"],"license":"{text}","x":"{text}"}}"#);
    on_a_small_stack(move || {
        let limits = Limits::MANIFEST.with_max_bytes(8 << 20);
        let report = validate(manifest.as_bytes(), &Options::default().limits(limits)).unwrap();
        assert!(!report.is_valid());
        // A product's texts reach the detector where a message quotes them.
        let line = format!(r#"{{"id":"1","availability":"{text}"}}"#);
        let options = Options::for_product().limits(limits);
        assert!(!validate_product(&line, &options).unwrap().is_valid());
        assert_eq!(secret::in_value(&text), None);
    });
}

#[test]
fn percent_encoding_in_percent_encoding_takes_linear_time() {
    // Ten times the length are about three times the levels.
    let texts = [wrapped("z", 300), wrapped("z", 960)];
    assert!(texts[1].len() > 9 * texts[0].len());
    linear::assert_linear("percent-encoding", [1, 10], |size| {
        assert_eq!(secret::in_value(&texts[usize::from(size > 1)]), None);
    });
}

/// The detector may decode 256 KiB and look at each of four levels once, so that it takes no longer than so many plain
/// readings of the same text.
#[test]
fn percent_encoding_in_percent_encoding_costs_a_few_plain_readings() {
    let text = wrapped("z", 1_014);
    let plain = "z".repeat(text.len());
    let read = |text: &str| assert_eq!(secret::in_value(text), None);
    linear::assert_at_most("percent-encoding", 40.0, || read(&plain), || read(&text));
}

#[test]
fn many_findings_below_a_long_secret_name_stay_cheap() {
    // A redacted pointer is short, so its length alone cannot bound the work.
    for is_localized in [false, true] {
        linear::assert_linear("findings", [1, 10], |size| {
            let name = format!("ghp_{}", "a".repeat(40_000 * size));
            let text = if is_localized {
                let pages = (0..5_000 * size).map(|i| format!("\"u{i}\":{{}}")).collect::<Vec<_>>().join(",");
                format!(r#"{{"version":"0.2","localized_endpoints":{{"{name}":{{{pages}}}}}}}"#)
            } else {
                let many = vec!["{\"a\":1,\"a\":2}"; 3_000 * size].join(",");
                format!(r#"{{"{name}":[{many}]}}"#)
            };
            let limits = Limits::MANIFEST.with_max_bytes(2 << 20);
            let report = validate(text.as_bytes(), &Options::default().limits(limits)).unwrap();
            assert!(report.findings().iter().all(|finding| finding.path().len() < 100));
        });
    }
}

#[test]
fn an_identifier_takes_at_most_31_bytes() {
    // The number that the documentation gives, for sets just before and just after they double.
    for ids in [7_168_usize, 7_169, 28_672, 28_673, 57_344, 57_345] {
        let used = allocation_counter::measure(|| {
            let mut reader = FeedReader::new([0; 16], FeedOptions::default());
            for id in 0..ids {
                assert!(reader.line(format!(r#"{{"id":"{id}"}}"#).as_bytes()).is_some());
            }
            assert_eq!(reader.remembered_ids(), ids);
        });
        let beside = 16 << 10; // one line, its nodes and findings
        assert!(used.bytes_max <= 31 * ids as u64 + beside, "{ids} identifiers: {} bytes", used.bytes_max);
    }
}
