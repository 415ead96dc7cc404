//! `rows OUT CORPUS…`: writes `OUT/blocks.jsonl` (a page a line: its id, labelled text, kind, address, and the texts of
//! its blocks) and, little-endian `f32` each, `OUT/rows.bin` (the features of all blocks), `OUT/second.bin` (those for
//! the second look) and `OUT/model.bin` (the log-odds of the first look by the model in the crate).
//!
//! `OUT/features.hash` gets the eight bytes that `model.bin` ends with.
//!
//! `rows --expect CORPUS…` prints a page a line for `calibrate.py`: its id, labelled text and kind, the text that is
//! extracted, what the model expects of it, and that calibrated.
//!
//! Where `OUT/odds.bin` is there, it has the log-odds that the second look is to start from.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Read as _, Write as _};

use aidocument::WebUrl;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().ok_or("usage: rows OUT|--expect CORPUS…")?;
    if out == "--expect" {
        return expect(arguments);
    }
    fs::create_dir_all(&out)?;
    fs::write(format!("{out}/features.hash"), aidocument_extract::training::features_hash().to_le_bytes())?;
    let odds = floats(&fs::read(format!("{out}/odds.bin")).unwrap_or_default());
    let mut pages = BufWriter::new(File::create(format!("{out}/blocks.jsonl"))?);
    let mut files = Vec::new();
    for name in ["rows", "second", "model"] {
        files.push(BufWriter::new(File::create(format!("{out}/{name}.bin"))?));
    }
    let mut blocks = 0;
    for corpus in arguments {
        let truth: Value = serde_json::from_slice(&fs::read(format!("{corpus}/ground-truth.json"))?)?;
        for (id, page) in truth.as_object().into_iter().flatten() {
            let html = html(&corpus, id)?;
            let given = odds.get(blocks..);
            let sample = aidocument_extract::training::sample(&html, &address(page)?, given);
            let text = page.get("articleBody").or(page.get("main_content"));
            let line = json!({
                "id": id, "truth": text, "type": page.get("type"), "url": page.get("url"),
                "texts": sample.texts,
            });
            writeln!(pages, "{line}")?;
            for (file, values) in files.iter_mut().zip([&sample.values, &sample.second, &sample.log_odds]) {
                for value in values {
                    file.write_all(&value.to_le_bytes())?;
                }
            }
            blocks += sample.texts.len();
        }
    }
    Ok(())
}

/// The page's own address, as an extraction would be told it.
fn address(page: &Value) -> Result<WebUrl, Box<dyn Error>> {
    let told = page.get("url").and_then(Value::as_str).and_then(|url| url.parse().ok());
    Ok(told.map_or_else(|| "http://localhost/".parse(), Ok)?)
}

fn html(corpus: &str, id: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut html = Vec::new();
    flate2::read::GzDecoder::new(File::open(format!("{corpus}/html/{id}.html.gz"))?).read_to_end(&mut html)?;
    Ok(html)
}

fn expect(corpora: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    for corpus in corpora {
        let truth: Value = serde_json::from_slice(&fs::read(format!("{corpus}/ground-truth.json"))?)?;
        for (id, page) in truth.as_object().into_iter().flatten() {
            let found = aidocument_extract::training::expectation(&html(&corpus, id)?, &address(page)?);
            let truth = page.get("articleBody").or(page.get("main_content"));
            let line = json!({
                "id": id, "truth": truth, "type": page.get("type"), "text": found.text,
                "expected": found.expected, "confidence": found.confidence,
            });
            println!("{line}");
        }
    }
    Ok(())
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).filter_map(|four| Some(f32::from_le_bytes(four.try_into().ok()?))).collect()
}
