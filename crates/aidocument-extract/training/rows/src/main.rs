//! `rows OUT CORPUS…`: writes `OUT/blocks.jsonl` (a page a line: its id, labelled text, kind, address, and the texts of
//! its blocks) and `OUT/rows.bin` (the features of all blocks, little-endian `f32`).

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Read as _, Write as _};

use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().ok_or("usage: rows OUT CORPUS…")?;
    fs::create_dir_all(&out)?;
    let mut pages = BufWriter::new(File::create(format!("{out}/blocks.jsonl"))?);
    let mut rows = BufWriter::new(File::create(format!("{out}/rows.bin"))?);
    for corpus in arguments {
        let truth: Value = serde_json::from_slice(&fs::read(format!("{corpus}/ground-truth.json"))?)?;
        for (id, page) in truth.as_object().into_iter().flatten() {
            let mut html = Vec::new();
            flate2::read::GzDecoder::new(File::open(format!("{corpus}/html/{id}.html.gz"))?)
                .read_to_end(&mut html)?;
            let sample = aidocument_extract::training::sample(&html, &"http://localhost/".parse()?);
            let text = page.get("articleBody").or(page.get("main_content"));
            let line = json!({
                "id": id, "truth": text, "type": page.get("type"), "url": page.get("url"),
                "width": sample.width, "texts": sample.texts,
            });
            writeln!(pages, "{line}")?;
            for value in sample.values {
                rows.write_all(&value.to_le_bytes())?;
            }
        }
    }
    Ok(())
}
