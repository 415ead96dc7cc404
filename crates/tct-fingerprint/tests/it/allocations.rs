//! The streaming form and the one call use no heap on text that needs no help of the full normaliser.

use tct_fingerprint::{Fingerprinter, fingerprint, write_normalized};

const TEXTS: [&str; 5] = [
    "The quick  brown fox &amp; the lazy dog.\r\n",
    "“Curly” quotes — and dashes… naïve façade\n",
    "Быстрая лиса прыгает. Η αλεπού πηδά.\n",
    "素早い狐が飛ぶ。快速的狐狸。\n",
    "빠른 여우가 뛴다. الثعلب السريع\n",
];

#[test]
fn common_text_uses_no_heap() {
    for text in TEXTS {
        let long = text.repeat(500);
        let mut column = String::with_capacity(2 * long.len());
        let used = allocation_counter::measure(|| {
            let mut stream = Fingerprinter::new();
            for chunk in [&long, "&am", "p;", &long] {
                stream.update(chunk);
            }
            std::hint::black_box(stream.finish());
            std::hint::black_box(fingerprint(&long));
            std::hint::black_box(write_normalized(&long, &mut column)).unwrap_or_default();
        });
        assert_eq!(used.count_total, 0, "{text}");
    }
}
