//! Fingerprints beside their limit, SHA-256 alone over the normalised bytes, and beside the staged pipeline of named
//! crates (`htmlize`, `unicode-normalization`, `caseless`, `sha2`).
//!
//! `cargo bench -p benches --bench fingerprint`. A `RATIO …/sha256` line is our time over the limit's; an `AIM` line
//! follows with the ratio that we aim at. A `SPEED` line has MB/s of input. A name behind `--` picks the texts that
//! contain it.
//!
//! - **Prose**: 20 KB in which no sentence is repeated, with the widest lanes.
//! - **Languages**: 100 KB of more than fifty, and of each whose letters and marks can be apart, that too (`nfd-…`), with
//!   every width of lanes that this machine has.
//! - **Short** texts of 0 to 256 bytes.
//! - **Hostile** texts: the aim is a speed of 300 MB/s, or the hash's own where that is lower.
//!
//! Every answer is compared with that of the staged pipeline before anything is timed.

#[path = "fingerprint/corpora.rs"]
mod corpora;
#[path = "fingerprint/languages.rs"]
mod languages;

use benches::Comparison;
use caseless::Caseless;
use corpora::CORPORA;
use languages::{Goal, LANGUAGES};
use sha2::{Digest, Sha256};
use tct_fingerprint::{Fingerprint, fingerprint, normalize, widths};
use unicode_normalization::UnicodeNormalization;

fn main() {
    let picked = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for corpus in CORPORA.iter().filter(|corpus| corpus.name.contains(&picked)) {
        compare(corpus.name, &corpus.text(20_000), corpus.limit);
    }
    if "english-ascii-2kb".contains(&picked) {
        compare("english-ascii-2kb", &CORPORA[0].text(2_000), 1.30);
    }
    let widths: Vec<&str> =
        widths::NAMES.iter().copied().filter(|width| widths::fingerprint(width, "").is_some()).collect();
    println!("WIDTHS {}", widths.join(" "));
    for (name, goal, text) in languages() {
        for (name, text, limit) in [
            (name.to_owned(), text.clone(), goal.limit()),
            (format!("nfd-{name}"), languages::decomposed(&text), 2.0),
        ] {
            if name.contains(&picked)
                && !(name.starts_with("nfd-")
                    && text == languages::decomposed(&text)
                    && text.nfc().eq(text.chars()))
            {
                compare_widths(&name, &text, limit, &widths);
            }
        }
    }
    for (name, text) in short() {
        if name.contains(&picked) {
            let limit = if text.is_empty() { 1.3 } else { 1.5 };
            compare_widths(&name, &text, limit, &widths);
        }
    }
    for (name, unit) in HOSTILE {
        if name.contains(&picked) {
            compare_widths(name, &unit.repeat(100_000 / unit.len()), 0.0, &widths);
        }
    }
}

/// All languages, those of the prose too.
fn languages() -> impl Iterator<Item = (&'static str, Goal, String)> {
    let prose = [
        ("english-ascii", Goal::European),
        ("french", Goal::European),
        ("german", Goal::European),
        ("russian", Goal::European),
        ("greek", Goal::European),
        ("arabic", Goal::Other),
        ("chinese", Goal::Cjk),
        ("japanese", Goal::Cjk),
        ("korean", Goal::Cjk),
        ("thai", Goal::Other),
        ("hindi", Goal::Other),
    ];
    let prose = prose.into_iter().filter_map(|(name, goal)| {
        let corpus = CORPORA.iter().find(|corpus| corpus.name == name)?;
        Some((name, goal, corpus.text(20_000)))
    });
    prose.chain(LANGUAGES.iter().map(|language| (language.name, language.goal, language.text(100_000))))
}

/// Titles and the like: most of the time goes into starting.
fn short() -> Vec<(String, String)> {
    let words = "The ferry left the harbour a little after six, carrying bread, mail and two sleepy dogs. ";
    let russian = "Рано утром туман медленно поднимался над рекой. ";
    let of = |name: &str, text: &str, len: usize| {
        let text: String = text
            .chars()
            .cycle()
            .scan(0, |at, c| {
                *at += c.len_utf8();
                (*at <= len).then_some(c)
            })
            .collect();
        (format!("short-{name}{len}"), text)
    };
    let ascii = [0, 24, 64, 256].map(|len| of("", words, len));
    let cyrillic = [24, 64, 256].map(|len| of("russian-", russian, len));
    ascii.into_iter().chain(cyrillic).collect()
}

/// What a page may be filled with to keep an agent busy.
const HOSTILE: [(&str, &str); 19] = [
    ("hostile-lt", "&lt;"),
    ("hostile-nbsp", "\n&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;let x = 1;"),
    ("hostile-nbsp-row", "&nbsp;"),
    ("hostile-nbsp-raw", "\u{A0}"),
    ("hostile-eacute", "caf&eacute et th&eacute "),
    ("hostile-eacute-row", "&eacute"),
    ("hostile-ampersands", "&"),
    ("hostile-no-name", "&nosuchname;"),
    ("hostile-long-name", "&CounterClockwiseContourIntegra"),
    ("hostile-two-characters", "&nGt;"),
    ("hostile-hex", "&#x00e9;"),
    ("hostile-fdfa", "\u{FDFA}"),
    ("hostile-controls", "\u{7}"),
    ("hostile-c1", "a\u{85}"),
    ("hostile-acute-row", "\u{301}"),
    ("hostile-marks", "a\u{301}\u{323}\u{316}\u{301}"),
    ("hostile-mark-references", "e&#x301;"),
    ("hostile-dotted-i", "\u{130}"),
    ("hostile-jamo", "\u{1100}\u{1161}\u{11A8}"),
];

fn compare(name: &str, text: &str, limit: f64) {
    let normalized = normalize(text).into_owned();
    Comparison::new("fingerprint", name)
        .ours("one-pass", || fingerprint(text))
        .limit("sha256", || Fingerprint::hash(&normalized))
        .peer("staged-crates", || staged(text))
        .run();
    println!("AIM fingerprint/{name} one-pass/sha256 {limit:.2}");
}

/// With each of the widths, against the hash alone. A limit of 0 is a floor of 300 MB/s.
fn compare_widths(name: &str, text: &str, limit: f64, widths: &[&'static str]) {
    let normalized = normalize(text).into_owned();
    assert_eq!(fingerprint(text), staged(text), "{name}");
    let mut comparison = Comparison::new("fingerprint", name)
        .bytes(text.len())
        .ours("one-pass", || fingerprint(text))
        .limit("sha256", || Fingerprint::hash(&normalized));
    for &width in widths {
        comparison =
            comparison.ours(width, move || widths::fingerprint(width, text).unwrap_or(Fingerprint::OF_EMPTY));
    }
    comparison.run();
    if limit == 0.0 {
        println!("AIM fingerprint/{name} 300 MB/s");
    } else {
        println!("AIM fingerprint/{name} avx2/sha256 {limit:.2} sse2/sha256 {:.2}", 2.0 * limit);
    }
}

/// The steps, one after the other, with the crates that one would reach for.
fn staged(text: &str) -> Fingerprint {
    let decoded = htmlize::unescape(text);
    let composed: String = decoded.nfkc().collect();
    let folded: String = composed.chars().default_case_fold().collect();
    let cleaned: String =
        folded.chars().filter(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r')).collect();
    let mut collapsed = String::with_capacity(cleaned.len());
    for word in cleaned.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    Fingerprint::from_digest(Sha256::digest(collapsed.as_bytes()).into())
}
