//! Four times the hostile text takes about four times the time, whole or in chunks.

use tct_fingerprint::{Fingerprint, Fingerprinter, Steps, fingerprint};

/// Four times the text takes about four times the time. The answer is part of the measurement: a fast wrong one proves
/// nothing.
fn assert_linear(case: &str, run: impl Fn(&str) -> Fingerprint, small: &Text, large: &Text) {
    linear::assert_linear(case, [small.text.len(), large.text.len()], |size| {
        let it = if size == small.text.len() { small } else { large };
        assert_eq!(run(&it.text), it.fingerprint, "{case}, {size} bytes");
    });
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
