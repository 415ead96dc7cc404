//! HTML in, Markdown, text or document out: what the program `extract` and `aiweb extract` do.
//!
//! ```text
//! extract FILE|- [--url URL] [--content-type TYPE] [--markdown|--text] [--selector CSS] [--no-title]
//! extract FILE|- --hidden [--url URL]
//! extract FILE|- --json --url URL [--document-version 1.0|2.0] [--fetched-at TIME] [--status STATUS] [--user-agent VALUE]
//! extract FOLDER [--markdown|--text|--json --url URL]
//! ```

use std::fs;
use std::io::{self, IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};

use aidocument::v2::Call;
use aidocument::{AnyDocument, Crawl, WebUrl};
use aidocument_extract::{Content, Extractor, HiddenText, Options, Snapshot, extract, extract_v2};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

pub mod cli;

use cli::Cli;

/// What ends a run early, for people.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Does what the command line asks for.
///
/// # Errors
/// If a file cannot be read or the output cannot be written.
pub fn run(arguments: &Cli, out: &mut dyn Write) -> Result<()> {
    if arguments.url_to_fetch().is_some() {
        return Err("expected a file or a folder, found a URL; `aiweb extract` fetches".into());
    }
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
    page(&bytes, arguments, out)
}

/// Does what the command line asks for with the bytes of one page.
///
/// # Errors
/// If something that was asked for is not known of the page, or the output cannot be written.
pub fn page(bytes: &[u8], arguments: &Cli, out: &mut dyn Write) -> Result<()> {
    let options = options(arguments);
    if arguments.hidden {
        for text in content(bytes, arguments, &options)?.hidden() {
            let instructs = if text.instructs { ", instructs" } else { "" };
            let (reason, words, place) = (text.reason, text.words, &text.place);
            writeln!(out, "{reason} ({words} words{instructs}) at {place}: {}", text.text)?;
        }
        return Ok(());
    }
    if arguments.json {
        let url = arguments.url.clone().ok_or(NO_URL)?;
        serde_json::to_writer_pretty(&mut *out, &document(bytes, url, arguments, &options)?)?;
    } else {
        let page = content(bytes, arguments, &options)?;
        tell_hidden(page.hidden());
        let text = if arguments.text { page.text } else { page.markdown };
        out.write_all(text.as_bytes())?;
    }
    out.write_all(b"\n")?;
    Ok(())
}

const NO_URL: &str =
    "a document has a URL: say with --url where the page came from, or leave --json out for its Markdown";

/// A line on standard error about what readers do not see, where sentences are left out.
fn tell_hidden(hidden: &[HiddenText]) {
    let sentences = hidden.iter().filter(|text| text.words >= 8).count();
    if sentences > 0 {
        let instructing = hidden.iter().filter(|text| text.instructs).count();
        let _closed = writeln!(
            io::stderr(),
            "extract: {sentences} hidden texts of eight words or more are left out, {instructing} of them look like instructions; --hidden shows them"
        );
    }
}

fn options(arguments: &Cli) -> Options {
    let mut options = Options::default();
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
        if file.is_dir() {
            continue;
        }
        let Some(id) = name.strip_suffix(".html").or_else(|| name.strip_suffix(".html.gz")) else { continue };
        let bytes = read(&file)?;
        let line = if arguments.json {
            // The page's address is below that of its folder.
            let base = arguments.url.as_ref().ok_or(NO_URL)?;
            let mut url = base.as_url().clone();
            if let Ok(mut path) = url.path_segments_mut() {
                path.pop_if_empty().push(name.trim_end_matches(".gz"));
            }
            json!({ "id": id, "document": document(&bytes, WebUrl::try_from(url)?, arguments, &options)? })
        } else {
            let page = content(&bytes, arguments, &options)?;
            json!({ "id": id, "text": if arguments.markdown { page.markdown } else { page.text } })
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
    let bytes = fs::read(path);
    let bytes = if path.extension().is_some_and(|end| end == "gz") {
        let mut plain = Vec::new();
        bytes.and_then(|bytes| flate2::read::GzDecoder::new(&*bytes).read_to_end(&mut plain)).map(|_| plain)
    } else {
        bytes
    };
    bytes.map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The content of a page.
fn content(bytes: &[u8], arguments: &Cli, options: &Options) -> Result<Content> {
    let mut extractor = Extractor::new().title(options.title);
    if let Some(selector) = &options.selector {
        extractor = extractor.keep(selector)?;
    }
    if let Some(url) = &arguments.url {
        extractor = extractor.base_url(url.clone());
    }
    if let Some(value) = &arguments.content_type {
        extractor = extractor.content_type(value);
    }
    Ok(extractor.extract(bytes))
}

/// The document of a page. Of the fetch it says what the command line told: nobody here saw it.
fn document(bytes: &[u8], url: WebUrl, arguments: &Cli, options: &Options) -> Result<AnyDocument> {
    let Cli { fetched_at, status: status_code, content_type, .. } = arguments;
    let content_type = content_type.as_deref();
    if arguments.document_version == "2.0" {
        let snapshot = Snapshot { fetched_at: *fetched_at, status_code: *status_code, ..Snapshot::default() };
        // Without a cache every call is a refresh.
        return Ok(extract_v2(bytes, url, content_type, snapshot, Call::Refreshed, options).document.into());
    }
    let (Some(fetched_at), Some(status_code), Some(agent)) =
        (*fetched_at, *status_code, arguments.user_agent.clone())
    else {
        let why = "a document of 1.0 tells how the page was fetched: say it with --fetched-at, --status and --user-agent, \
                   or take --document-version 2.0, where it may be absent";
        return Err(why.into());
    };
    let mut crawl = Crawl::new(fetched_at, status_code, agent);
    crawl.content_length = bytes.len() as u64;
    Ok(extract(bytes, url, content_type, crawl, options).document.into())
}
