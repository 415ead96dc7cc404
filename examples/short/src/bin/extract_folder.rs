//! The main content of every page below a folder, as one JSON object a line.
//! `cargo run --release -p short --bin extract_folder -- pages > pages.jsonl`

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use aidocument_extract::Extractor;

/// The HTML files below `folder`, in order of their paths.
fn html_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            html_files(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "html" || end == "htm") {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a program reads files")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: extract_folder FOLDER")?;
    let mut files = Vec::new();
    html_files(Path::new(&folder), &mut files)?;
    let extractor = Extractor::new();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for file in files {
        let html = std::fs::read(&file)?;
        let content = extractor.extract(&html);
        let line = serde_json::json!({
            "file": file.to_string_lossy(), "title": content.title, "markdown": content.markdown, "text": content.text,
        });
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}
