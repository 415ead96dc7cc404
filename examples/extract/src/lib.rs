//! HTML in, document out: what the program `extract` and `aiweb extract` do.
//!
//! ```text
//! extract FILE|- [--url URL] [--content-type TYPE] [--markdown|--text|--json] [--document-version 1.0|2.0]
//!         [--selector CSS] [--no-title]
//! extract FOLDER [--markdown|--text|--json]
//! ```

use std::fs;
use std::io::{self, IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};

use aidocument::v2::Call;
use aidocument::{AnyDocument, Crawl, StatusCode};
use aidocument_extract::{Extracted, Options, Snapshot, extract, extract_v2};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

pub mod cli;

use cli::Cli;

/// What ends a run early, for people.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Does what the command line asks for.
///
/// # Errors
/// Where a file cannot be read or the output cannot be written.
pub fn run(arguments: &Cli, out: &mut dyn Write) -> Result<()> {
    if arguments.input.is_dir() {
        return folder(&arguments.input, arguments, out);
    }
    let bytes = if arguments.input == Path::new("-") {
        let mut bytes = Vec::new();
        if io::stdin().is_terminal() {
            let _closed = writeln!(io::stderr(), "extract: reading what you type; Ctrl-D ends it");
        }
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        read(&arguments.input)?
    };
    let page = document(&bytes, arguments, &options(arguments))?;
    if arguments.markdown {
        out.write_all(page.document.markdown().as_bytes())?;
    } else if arguments.text {
        out.write_all(page.text.as_bytes())?;
    } else {
        serde_json::to_writer_pretty(&mut *out, &page.document)?;
    }
    out.write_all(b"\n")?;
    Ok(())
}

fn options(arguments: &Cli) -> Options {
    let mut options = Options::default();
    options.resolve = arguments.url.is_some();
    options.title = !arguments.no_title;
    options.selector.clone_from(&arguments.selector);
    options
}

fn folder(path: &Path, arguments: &Cli, out: &mut dyn Write) -> Result<()> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.sort();
    let mut options = options(arguments);
    options.title = false;
    let bar = progress(files.len());
    for file in files {
        bar.inc(1);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let Some(id) = name.strip_suffix(".html").or_else(|| name.strip_suffix(".html.gz")) else { continue };
        let page = document(&read(&file)?, arguments, &options)?;
        let line = if arguments.markdown {
            json!({ "id": id, "text": page.document.markdown() })
        } else if arguments.text {
            json!({ "id": id, "text": page.text })
        } else {
            json!({ "id": id, "document": page.document })
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// A bar on standard error, where that is a terminal and standard output is not.
fn progress(files: usize) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages {elapsed}");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

#[expect(clippy::disallowed_methods, reason = "reading files is this program's part")]
fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if path.extension().is_none_or(|end| end != "gz") {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain)?;
    Ok(plain)
}

/// The document of a page whose fetch nobody saw: the facts are those of reading a file.
fn document(bytes: &[u8], arguments: &Cli, options: &Options) -> Result<Extracted<AnyDocument>> {
    let url = match &arguments.url {
        Some(url) => url.clone(),
        None => "http://localhost/".parse()?,
    };
    let status = StatusCode::new(200).ok_or("200 is a status")?;
    let now = jiff::Timestamp::now().to_string().parse()?;
    let content_type = arguments.content_type.as_deref();
    if arguments.document_version == "2.0" {
        let snapshot = Snapshot { fetched_at: Some(now), status_code: Some(status), ..Snapshot::default() };
        // Without a cache every call is a refresh.
        let page = extract_v2(bytes, url, content_type, snapshot, Call::Refreshed, options);
        return Ok(of_any_version(page));
    }
    let agent = "AIWebIndex/1.0 (+https://github.com/aiweb-rs/aiweb; extract)".parse()?;
    let mut crawl = Crawl::new(now, status, agent);
    crawl.content_length = bytes.len() as u64;
    Ok(of_any_version(extract(bytes, url, content_type, crawl, options)))
}

fn of_any_version<D: Into<AnyDocument>>(page: Extracted<D>) -> Extracted<AnyDocument> {
    Extracted {
        document: page.document.into(),
        text: page.text,
        has_json_ld: page.has_json_ld,
        about: page.about,
        findings: page.findings,
    }
}
