//! Four times the hostile text takes about four times the time, whole or in chunks.

use std::time::{Duration, Instant};

use tct_fingerprint::{Fingerprinter, fingerprint};

#[expect(clippy::disallowed_methods, reason = "measuring time is what this test is for")]
fn fastest(mut run: impl FnMut()) -> Duration {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(|_| time(&mut run)).min().unwrap_or_default()
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
    let heads = ["", "&#", "e"];
    for head in heads {
        for unit in units {
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
            // Four times the text. Quadratic work would take seconds; a machine with other work may pause us.
            let pause = Duration::from_millis(200);
            assert!(whole(&large) < whole(&small) * 8 + pause, "{head:?} {unit:?}");
            assert!(chunked(&large) < chunked(&small) * 8 + pause, "{head:?} {unit:?}");
        }
    }
}
