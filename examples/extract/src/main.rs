//! HTML in, document out.
//!
//! ```text
//! extract FILE|- [--url URL] [--content-type TYPE] [--markdown|--text|--json] [--document-version 1.0|2.0]
//!         [--selector CSS] [--no-title]
//! extract FOLDER [--markdown|--text|--json]
//! ```
//!
//! A file gives the AIDocument as JSON, of version 1.0 unless `--document-version` says 2.0, or with `--markdown` or `--text` its content alone. Without `--url` the
//! targets in the Markdown stay as the page has them.
//!
//! A folder gives one line of JSON for each of its `.html` and `.html.gz` files, `{"id": …, "text": …}` with the
//! file's name before `.html`; the page's `h1` is left out of the text unless it is content itself, as scorers of
//! main content expect. With `--json` the line's second member is `document`.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aidocument::v2::Call;
use aidocument::{AnyDocument, Crawl, StatusCode, WebUrl};
use aidocument_extract::{Extracted, Options, Snapshot, extract, extract_v2};
use serde_json::json;

const USAGE: &str = "usage: extract FILE|FOLDER|- [--url URL] [--content-type TYPE] [--markdown|--text|--json] \
                     [--document-version 1.0|2.0] [--selector CSS] [--no-title]";

#[derive(Clone, Copy)]
enum Form {
    Json,
    Markdown,
    Text,
}

struct Arguments {
    input: String,
    url: Option<WebUrl>,
    content_type: Option<String>,
    form: Form,
    is_v2: bool,
    options: Options,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("extract: {error}");
            ExitCode::FAILURE
        }
    }
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn arguments() -> Result<Arguments> {
    let mut found = Arguments {
        input: String::new(),
        url: None,
        content_type: None,
        form: Form::Json,
        is_v2: false,
        options: Options::default(),
    };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(USAGE);
        match argument.as_str() {
            "--url" => found.url = Some(value()?.parse()?),
            "--content-type" => found.content_type = Some(value()?),
            "--document-version" => {
                found.is_v2 = match value()?.as_str() {
                    "1.0" => false,
                    "2.0" => true,
                    other => return Err(format!("expected version 1.0 or 2.0, found {other:?}").into()),
                }
            }
            "--selector" => found.options.selector = Some(value()?),
            "--markdown" => found.form = Form::Markdown,
            "--text" => found.form = Form::Text,
            "--json" => found.form = Form::Json,
            "--no-title" => found.options.title = false,
            _ if found.input.is_empty() && (argument == "-" || !argument.starts_with('-')) => {
                found.input = argument
            }
            _ => return Err(USAGE.into()),
        }
    }
    if found.input.is_empty() {
        return Err(USAGE.into());
    }
    found.options.resolve = found.url.is_some();
    Ok(found)
}

fn run(arguments: &Arguments) -> Result<()> {
    let path = Path::new(&arguments.input);
    if path.is_dir() {
        return folder(path, arguments);
    }
    let bytes = if arguments.input == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        read(path)?
    };
    let page = document(&bytes, arguments, &arguments.options)?;
    let mut out = io::stdout().lock();
    match arguments.form {
        Form::Json => serde_json::to_writer_pretty(&mut out, &page.document)?,
        Form::Markdown => out.write_all(page.document.markdown().as_bytes())?,
        Form::Text => out.write_all(page.text.as_bytes())?,
    }
    out.write_all(b"\n")?;
    Ok(())
}

fn folder(path: &Path, arguments: &Arguments) -> Result<()> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.sort();
    let options = Options { title: false, ..arguments.options.clone() };
    let mut out = io::BufWriter::new(io::stdout().lock());
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let Some(id) = name.strip_suffix(".html").or_else(|| name.strip_suffix(".html.gz")) else { continue };
        let page = document(&read(&file)?, arguments, &options)?;
        let line = match arguments.form {
            Form::Json => json!({ "id": id, "document": page.document }),
            Form::Markdown => json!({ "id": id, "text": page.document.markdown() }),
            Form::Text => json!({ "id": id, "text": page.text }),
        };
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
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
fn document(bytes: &[u8], arguments: &Arguments, options: &Options) -> Result<Extracted<AnyDocument>> {
    let url = match &arguments.url {
        Some(url) => url.clone(),
        None => "http://localhost/".parse()?,
    };
    let status = StatusCode::new(200).ok_or("200 is a status")?;
    let now = jiff::Timestamp::now().to_string().parse()?;
    let content_type = arguments.content_type.as_deref();
    if arguments.is_v2 {
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
        findings: page.findings,
    }
}
