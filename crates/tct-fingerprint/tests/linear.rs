//! Four times the hostile text takes about four times the time, whole or in chunks.

use std::time::{Duration, Instant};

use tct_fingerprint::{Fingerprinter, fingerprint};

/// Time that this thread has spent on a processor, where the system tells; else the time of day. Other work on the
/// machine then does not count.
#[expect(clippy::disallowed_methods, reason = "measuring time is what this test is for")]
fn now(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

#[expect(clippy::disallowed_methods, reason = "measuring time is what this test is for")]
fn fastest(mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    let mut time = || {
        let before = now(start);
        run();
        now(start).saturating_sub(before)
    };
    (0..3).map(|_| time()).min().unwrap_or_default()
}

#[test]
fn hostile_text_takes_linear_time() {
    let units = [
        "\u{301}",
        "\u{316}",
        "a\u{301}",
        "\u{5b0}\u{5b4}",
        "\u{323}\u{301}",
        "&",
        "&#",
        "&#x",
        "&#0",
        "&amp",
        "&no",
        "&CounterClockwiseContourIntegra",
        " ",
        "\u{a0}",
        "\u{7}",
        "\u{fdfa}",
        "\u{1161}",
        "&#x301;",
        "0",
        "&nGt;",
    ];
    for unit in units {
        // One endless number needs its start.
        let head = if unit == "0" { "&#" } else { "" };
        let text = |len: usize| format!("{head}{}", unit.repeat(len / unit.len()));
        let (small, large) = (text(100_000), text(400_000));
        let whole = |text: &str| fastest(|| assert_ne!(fingerprint(text).as_bytes()[..4], [0; 4]));
        let chunked = |text: &str| {
            fastest(|| {
                let mut fingerprinter = Fingerprinter::new();
                let mut buffer = [0; 4];
                text.chars().for_each(|c| fingerprinter.update(c.encode_utf8(&mut buffer)));
                assert_ne!(fingerprinter.finish().as_bytes()[..4], [0; 4]);
            })
        };
        // Four times the text. Quadratic work would take seconds, not milliseconds.
        let pause = Duration::from_millis(50);
        let (short, long) = (whole(&small), whole(&large));
        assert!(long < short * 8 + pause, "{head:?} {unit:?}: {short:?}, {long:?}");
        let (short, long) = (chunked(&small), chunked(&large));
        assert!(long < short * 8 + pause, "in chunks, {head:?} {unit:?}: {short:?}, {long:?}");
    }
}
