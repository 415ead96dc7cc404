//! Fingerprints beside their limit, SHA-256 alone over the normalised bytes, and beside the staged pipeline of named
//! crates (`htmlize`, `unicode-normalization`, `caseless`, `sha2`).
//!
//! `cargo bench -p benches --bench fingerprint`. A `RATIO …/sha256` line is our time over the limit's; an `AIM` line
//! follows with the ratio that we aim at. A name behind `--` picks the corpora that contain it.

#[path = "fingerprint/corpora.rs"]
mod corpora;

use benches::Comparison;
use caseless::Caseless;
use corpora::CORPORA;
use sha2::{Digest, Sha256};
use tct_fingerprint::{Fingerprint, fingerprint, normalize};
use unicode_normalization::UnicodeNormalization;

fn main() {
    let picked = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for corpus in CORPORA.iter().filter(|corpus| corpus.name.contains(&picked)) {
        compare(corpus.name, &corpus.text(20_000), corpus.limit);
    }
    if "english-ascii-2kb".contains(&picked) {
        compare("english-ascii-2kb", &CORPORA[0].text(2_000), 1.30);
    }
}

fn compare(name: &str, text: &str, limit: f64) {
    let normalized = normalize(text).into_owned();
    Comparison::new("fingerprint", name)
        .ours("one-pass", || fingerprint(text))
        .limit("sha256", || Fingerprint::from_digest(Sha256::digest(normalized.as_bytes()).into()))
        .peer("staged-crates", || staged(text))
        .run();
    println!("AIM fingerprint/{name} one-pass/sha256 {limit:.2}");
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
