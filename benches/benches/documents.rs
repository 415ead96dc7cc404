//! Documents of TCT draft -03 beside their limit: SHA-256 over the bytes, and one copy of them.
//!
//! `cargo bench -p benches --bench documents`. Both sides of the protocol must at least hash what is on the wire, and the
//! publisher must write it; an `AIM` line follows each comparison with the ratio that we aim at.

#[path = "fingerprint/corpora.rs"]
#[allow(dead_code, reason = "the corpora's ratios are for the bench of fingerprints")]
mod corpora;

use std::hint::black_box;

use benches::Comparison;
use corpora::CORPORA;
use sha2::{Digest, Sha256};
use tct::v03::{MUrlDocument, check_document};

fn main() {
    let picked = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for corpus in CORPORA.iter().filter(|corpus| corpus.name.contains(&picked)) {
        compare(corpus.name, &corpus.text(20_000));
    }
    if "english-ascii-2kb".contains(&picked) {
        compare("english-ascii-2kb", &CORPORA[0].text(2_000));
    }
}

fn compare(name: &str, text: &str) {
    let document =
        MUrlDocument::new("https://www.example.com/articles/a-title/", "A title of some words", text)
            .and_then(|document| document.with_language("en"))
            .and_then(|document| document.with_content_media_type("text/markdown; charset=utf-8"))
            .and_then(|document| document.with_member("published", "2026-07-23T09:00:00Z"))
            .unwrap();
    let body = document.seal().unwrap().into_identity().into_body();
    let hash = |bytes: &[u8]| -> [u8; 32] { Sha256::digest(bytes).into() };
    let hash_and_copy = || {
        let copy = black_box(body.to_vec());
        hash(&copy)
    };
    Comparison::new("documents", format!("seal-{name}"))
        .ours("tct", || *document.seal().unwrap().tag().fingerprint().as_bytes())
        .limit("sha256-and-copy", hash_and_copy)
        .run();
    println!("AIM documents/seal-{name} tct/sha256-and-copy 1.25");
    Comparison::new("documents", format!("check-{name}"))
        .ours("tct", || {
            let check = check_document(&body).unwrap();
            assert!(check.is_valid() && check.is_canonical());
            *check.tag().fingerprint().as_bytes()
        })
        .limit("sha256-and-copy", hash_and_copy)
        .run();
    println!("AIM documents/check-{name} tct/sha256-and-copy 1.25");
}
