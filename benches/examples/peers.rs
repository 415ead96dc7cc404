//! What the Rust peers of `aidocument-extract` find on a folder of pages, for the scorers: one line of JSON a page,
//! `{"id": …, "text": …}`. `benches/scripts/peers.py` and `crates/aidocument-extract/training/figures` run it.
//!
//! ```text
//! peers NAME FOLDER [--precision]      NAME: dom_smoothie, dom_smoothie-markdown, rs-trafilatura or trafilatura
//! ```
//!
//! `--precision` asks those that have such a switch to leave out what is doubtful, as is best on news.

use std::io::Read as _;
use std::path::PathBuf;

use dom_smoothie::{Config, Readability, TextMode};

const USAGE: &str =
    "usage: peers dom_smoothie|dom_smoothie-markdown|rs-trafilatura|trafilatura FOLDER [--precision]";

type Reader = fn(&str, bool) -> String;

#[expect(clippy::disallowed_methods, reason = "the pages are files")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, folder, rest @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let precision = rest.iter().any(|argument| argument == "--precision");
    let read: Reader = match name.as_str() {
        "dom_smoothie" => dom_smoothie,
        "dom_smoothie-markdown" => dom_smoothie_markdown,
        "rs-trafilatura" => rs_trafilatura,
        "trafilatura" => trafilatura,
        _ => return Err(USAGE.into()),
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.sort();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let Some(id) = name.strip_suffix(".html").or_else(|| name.strip_suffix(".html.gz")) else { continue };
        let mut bytes = std::fs::read(&file)?;
        if name.ends_with(".gz") {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain)?;
            bytes = plain;
        }
        let text = read(&String::from_utf8_lossy(&bytes), precision);
        println!("{}", serde_json::json!({ "id": id, "text": text }));
    }
    Ok(())
}

fn dom_smoothie(page: &str, _: bool) -> String {
    // Its plain text glues blocks together, which no scorer forgives.
    dom_smoothie_in(page, TextMode::Formatted)
}

fn dom_smoothie_markdown(page: &str, _: bool) -> String {
    dom_smoothie_in(page, TextMode::Markdown)
}

fn dom_smoothie_in(page: &str, text_mode: TextMode) -> String {
    let config = Config { text_mode, ..Config::default() };
    let article = Readability::new(page, None, Some(config)).and_then(|mut page| page.parse());
    article.map(|article| article.text_content.to_string()).unwrap_or_default()
}

fn rs_trafilatura(page: &str, precision: bool) -> String {
    let options = rs_trafilatura::Options {
        include_comments: !precision,
        favor_precision: precision,
        ..rs_trafilatura::Options::default()
    };
    let Ok(found) = rs_trafilatura::extract_with_options(page, &options) else { return String::new() };
    [found.content_text, found.comments_text.unwrap_or_default()].join("\n")
}

fn trafilatura(page: &str, precision: bool) -> String {
    let focus = if precision {
        trafilatura::ExtractionFocus::FavorPrecision
    } else {
        trafilatura::ExtractionFocus::Balanced
    };
    let mut options = trafilatura::Options::default();
    options.focus = focus;
    options.exclude_comments = precision;
    options.enable_fallback = true;
    let Ok(found) = trafilatura::extract(page, &options) else { return String::new() };
    [found.content_text, found.comments_text].join("\n")
}
