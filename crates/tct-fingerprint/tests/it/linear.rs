//! Four times the hostile text takes about four times the time, whole or in chunks.

#![allow(clippy::panic, reason = "a test's helpers fail by panicking")]

use std::time::{Duration, Instant};

use tct_fingerprint::{Fingerprint, Fingerprinter, Steps, fingerprint};

/// Time that this thread has spent on a processor, where the system tells; else the time of day. Other work on the
/// machine then does not count.
#[expect(clippy::disallowed_methods, reason = "measuring time is what this test is for")]
fn now(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

#[expect(clippy::disallowed_methods, reason = "measuring time is what this test is for")]
fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    let before = now(start);
    run();
    now(start).saturating_sub(before)
}

/// Four times the text takes less than eight times the time, and a pause that no linear work needs: quadratic work on
/// the larger text takes seconds. Other work on the machine may slow one run down, so the better of three counts.
fn assert_linear(case: &str, run: impl Fn(&str) -> Fingerprint, small: &Text, large: &Text) {
    let mut times = Vec::new();
    // The answer is part of the measurement: a fast wrong one proves nothing.
    let timed =
        |it: &Text| time(|| assert_eq!(run(&it.text), it.fingerprint, "{case}, {} bytes", it.text.len()));
    while times.len() < 3 {
        let (short, long) = (timed(small), timed(large));
        if long < short * 8 + Duration::from_millis(20) {
            return;
        }
        times.push((short, long));
    }
    panic!("{case}: {times:?}");
}

/// A text and what the six steps, each a pass of its own, make of it.
struct Text {
    text: String,
    fingerprint: Fingerprint,
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
        let text = |len: usize| {
            let text = format!("{head}{}", unit.repeat(len / unit.len()));
            let fingerprint = Steps::of(&text).fingerprint();
            Text { text, fingerprint }
        };
        let (small, large) = (text(50_000), text(200_000));
        let chunked = |text: &str| {
            let mut fingerprinter = Fingerprinter::new();
            let mut buffer = [0; 4];
            text.chars().for_each(|c| fingerprinter.update(c.encode_utf8(&mut buffer)));
            fingerprinter.finish()
        };
        assert_linear(&format!("{head:?} {unit:?}"), fingerprint, &small, &large);
        assert_linear(&format!("in chunks, {head:?} {unit:?}"), chunked, &small, &large);
    }
}
