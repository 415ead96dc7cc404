//! What `train.py` is given: the blocks of labelled pages and their features.
//!
//! `evaluate --rows OUT CORPUS…` writes `OUT/blocks.jsonl` (a page a line: its id, labelled text, kind, address, and the texts
//! of its blocks), `OUT/features.hash` (the eight bytes that `model.bin` ends with) and, little-endian `f32` each,
//! `OUT/rows.bin` (the features of all blocks).
//!
//! Where `OUT/odds.bin` is there, it has log-odds of the first look for all blocks, several times over; then
//! `OUT/second.N.bin` are written alone, the features for the second look on each of them.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use aidocument_extract::training::{features_hash, sample};
use serde_json::json;

use crate::{Result, corpus};

#[expect(clippy::disallowed_methods, reason = "reading and writing files is this program's part")]
pub(crate) fn write(out: &str, corpora: &[PathBuf]) -> Result<()> {
    let create = |name: &str| -> Result<BufWriter<File>> {
        Ok(BufWriter::new(File::create(format!("{out}/{name}"))?))
    };
    fs::create_dir_all(out)?;
    let odds = floats(&fs::read(format!("{out}/odds.bin")).unwrap_or_default());
    let is_second = !odds.is_empty();
    let (mut lines, mut rows, mut seconds) = (None, None, Vec::new());
    let mut pages = Vec::new();
    for folder in corpora {
        pages.extend(corpus::read(folder)?);
    }
    if is_second {
        let count = fs::metadata(format!("{out}/rows.bin"))?.len() as usize / 4;
        let width = sample(b"<p>a", &"http://localhost/".parse()?, None).width;
        let blocks = count / width.max(1);
        for (place, odds) in odds.chunks_exact(blocks.max(1)).enumerate() {
            seconds.push((create(&format!("second.{place}.bin"))?, odds));
        }
    } else {
        fs::write(format!("{out}/features.hash"), features_hash().to_le_bytes())?;
        (lines, rows) = (Some(create("blocks.jsonl")?), Some(create("rows.bin")?));
    }
    let mut start = 0;
    for page in &pages {
        let (bytes, url) = (page.read()?, page.address()?);
        let mut count = 0;
        for (file, odds) in &mut seconds {
            let sample = sample(&bytes, &url, odds.get(start..));
            write_all(file, &sample.second)?;
            count = sample.texts.len();
        }
        if let (Some(lines), Some(rows)) = (&mut lines, &mut rows) {
            let sample = sample(&bytes, &url, None);
            let label = page.text.as_ref().map(|(_, text)| text);
            let kind = Some(&page.kind).filter(|kind| *kind != "all");
            let line = json!({
                "id": page.id, "truth": label, "type": kind, "url": page.url.as_ref().map(|url| url.as_str()), "texts": sample.texts,
            });
            writeln!(lines, "{line}")?;
            write_all(rows, &sample.values)?;
            count = sample.texts.len();
        }
        start += count;
    }
    Ok(())
}

fn write_all(file: &mut impl std::io::Write, values: &[f32]) -> Result<()> {
    for value in values {
        file.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
}
