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
use tct::v03::{BodyLimits, MUrlDocument, check_document};

fn main() {
    let picked = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let run = |name: &str, text: &str| {
        if name.contains(&picked) {
            compare(name, text);
        }
    };
    for corpus in CORPORA {
        run(corpus.name, &corpus.text(20_000));
    }
    // The table of the README of `tct`.
    let corpus = |name: &str, len| CORPORA.iter().find(|corpus| corpus.name == name).unwrap().text(len);
    for (len, size) in [(20_000, "20kb"), (2_000, "2kb")] {
        run(&format!("english-without-lines-{size}"), &lines(&corpus("english-ascii", len), usize::MAX));
        run(&format!("chinese-{size}"), &corpus("chinese", len));
        run(&format!("german-in-lines-{size}"), &lines(&corpus("german", len), 70));
        run(&format!("english-escapes-{size}"), &lines(&corpus("english-ascii", len), 15));
    }
}

/// The text with a line end every so many bytes, or a few more, and nowhere else.
fn lines(text: &str, bytes: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / bytes.max(1));
    let mut line = 0;
    for character in text.chars().map(|character| if character == '\n' { ' ' } else { character }) {
        out.push(character);
        line += character.len_utf8();
        if line >= bytes {
            out.push('\n');
            line = 0;
        }
    }
    out
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
            let check = check_document(&body, &BodyLimits::default()).unwrap();
            assert!(check.is_valid() && check.is_canonical());
            *check.tag().fingerprint().as_bytes()
        })
        .limit("sha256-and-copy", hash_and_copy)
        .run();
    println!("AIM documents/check-{name} tct/sha256-and-copy 1.25");
}
