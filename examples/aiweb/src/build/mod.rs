//! `aiweb build`: what a finished static site needs beside its pages to speak TCT, written as plain files.
//!
//! ```text
//! FOLDER/ch01.html                  the page, as mdBook, Zola or Hugo wrote it; with --link-pages a <link> in its head
//! FOLDER/ch01.html.llm.json         its twin: title and text as canonical JSON
//! FOLDER/ch01.html.md               its text in Markdown, at the address that llms.txt asks for
//! FOLDER/llm-sitemap.json           every page, its twin and the twin's hash
//! FOLDER/llm-policy.json            what may be done with the text, where it is said
//! FOLDER/llms.txt, llms-full.txt    the list of pages, and all of their texts
//! FOLDER/_headers                   for Netlify and Cloudflare Pages
//! FOLDER/.aiweb/nginx.conf          for nginx: each twin's tag, and 304
//! FOLDER/.aiweb/Caddyfile           for Caddy: the same
//! FOLDER/.aiweb/written             the list of these files, so that the next build takes away what is gone
//! ```
//!
//! With `--tct 03` twins and sitemap are those of draft -03, with `--tct both` they are there beside the others, as
//! `ch01.html.m.json` and `m-sitemap.json`.
//!
//! [`pages`] reads the pages, [`texts`] writes what is served, [`servers`] what servers read.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use url::Url;

use crate::Failure;
use crate::cli::absolute_url;
use crate::input::{read_file, write_file};
use crate::report::{Report, count};
use site::Revisions;
use texts::Sitemaps;

pub mod pages;
pub mod servers;
pub mod texts;

use pages::Page;

/// The list of files that a build wrote.
const WRITTEN: &str = ".aiweb/written";

/// A finished static site.
#[derive(Debug, Clone, Args)]
pub struct Build {
    /// The folder that is served, such as mdBook's `book`, Zola's `public` or Hugo's `public`
    pub folder: PathBuf,
    /// Where the folder is served: `https://example.com/`, or with a path `https://example.com/book/`
    #[arg(long, value_name = "URL", value_parser = absolute_url)]
    pub origin: Url,
    /// The site's name [default: the title of its front page]
    #[arg(long)]
    pub name: Option<String>,
    /// Publish these drafts of TCT: -00 and -01, -03, or both side by side
    #[arg(long, value_name = "DRAFT", value_enum, default_value_t)]
    pub tct: Revisions,
    /// Put a link to the twin into the head of each page as well, not only into the Link field that servers send
    #[arg(long)]
    pub link_pages: bool,
    /// State in a policy whether the text may be a model's input
    #[arg(long, value_name = "true|false")]
    pub ai_input: Option<bool>,
    /// State in a policy whether the text may be training material
    #[arg(long, value_name = "true|false")]
    pub ai_train: Option<bool>,
    /// State in a policy whom to ask: a URL, `mailto:` too
    #[arg(long, value_name = "URL", value_parser = absolute_url)]
    pub contact: Option<Url>,
}

/// A file of the build: its path below the folder, and its bytes.
#[derive(Debug)]
pub struct File {
    /// The path below the folder, with `/` between the steps.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file at this path.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        File { path: path.into(), bytes: bytes.into() }
    }
}

/// Builds.
///
/// # Errors
/// Where the folder cannot be read or written, has no page to publish, or something breaks a rule of TCT.
pub fn run(arguments: &Build, report: &mut Report) -> Result<(), Failure> {
    let origin = folder_url(&arguments.origin)?;
    let (found, mut left_out) = pages::list(&arguments.folder)?;
    let bar = progress(found.len());
    let mut read = Vec::new();
    for path in &found {
        match pages::read(&arguments.folder, path, &origin, arguments.tct)? {
            Ok(page) => read.push(page),
            Err(why) => left_out.push((path.clone(), why)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if read.is_empty() {
        let folder = arguments.folder.display();
        return Err(Failure(format!("expected pages (*.html) with text in {folder}, found none")));
    }
    // The front page comes first: it begins the sitemap and names the site.
    read.sort_by_key(|page| (page.path != "index.html", page.path.clone()));
    let name = arguments
        .name
        .clone()
        .unwrap_or_else(|| read.first().map_or_else(String::new, |page| page.title.clone()));

    let mut files: Vec<File> = Vec::new();
    for page in &read {
        files.extend(page.twins.iter().map(|twin| File::new(&twin.resource.path, &*twin.resource.body)));
        files.push(File::new(format!("{}.md", page.path), format!("{}\n", page.markdown)));
    }
    let Sitemaps { legacy, exact } = texts::sitemaps(&read, &origin)?;
    let sitemaps: Vec<String> =
        legacy.iter().map(|file| &file.path).chain(exact.iter().map(|it| &it.path)).cloned().collect();
    files.extend(legacy);
    files.extend(exact.iter().map(|sitemap| File::new(&sitemap.path, &*sitemap.body)));
    files.extend(texts::policy(arguments)?);
    files.push(File::new("llms.txt", texts::llms_txt(&name, &read)));
    files.push(File::new("llms-full.txt", texts::llms_full_txt(&name, &read)));
    let policy = files.iter().any(|file| file.path == texts::POLICY);
    let site = servers::Site::new(&origin, &read, &sitemaps, exact.as_ref(), policy);
    files.push(File::new("_headers", site.netlify()));
    files.push(File::new(".aiweb/nginx.conf", site.nginx()));
    files.push(File::new(".aiweb/Caddyfile", site.caddy()));

    let removed = remove_stale(&arguments.folder, &files, &read)?;
    for file in &files {
        write_file(&arguments.folder.join(&file.path), &file.bytes)?;
    }
    let mut linked = 0;
    if arguments.link_pages {
        for page in &read {
            linked += u64::from(pages::link(&arguments.folder, page)?);
        }
    }
    let list: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    write_file(&arguments.folder.join(WRITTEN), format!("{}\n", list.join("\n")).as_bytes())?;

    for (path, why) in &left_out {
        let members = [("left_out", json!(path)), ("why", json!(why))];
        report.result(&format!("left out: {path}: {why}"), &members)?;
    }
    let mut text = format!(
        "{}, {} in {}",
        count(read.len(), "page"),
        count(files.len() + 1, "file"),
        arguments.folder.display()
    );
    for (server, what) in servers::WHAT_THEY_DO {
        text.push_str(&format!("\n  {server:<13} {what}"));
    }
    report.result(
        &text,
        &[
            ("pages", json!(read.len())),
            ("left_out", json!(left_out.len())),
            ("files", json!(files.len() + 1)),
            ("removed", json!(removed)),
            ("linked", json!(linked)),
        ],
    )
}

/// The URL as that of a folder: pages are below it.
fn folder_url(origin: &Url) -> Result<Url, Failure> {
    let mut url = origin.clone();
    url.set_query(None);
    url.set_fragment(None);
    if !matches!(url.scheme(), "https" | "http") {
        return Err(Failure(format!("--origin: expected an http or https URL, found {origin}")));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

/// Removes what an earlier build wrote and this one does not: twins of pages that are gone.
fn remove_stale(folder: &Path, files: &[File], pages: &[Page]) -> Result<u64, Failure> {
    let list = folder.join(WRITTEN);
    if !list.exists() {
        return Ok(0);
    }
    let kept: BTreeSet<&str> = files
        .iter()
        .map(|file| file.path.as_str())
        .chain(pages.iter().map(|page| page.path.as_str()))
        .collect();
    let mut removed = 0;
    let list = read_file(&list)?;
    for path in String::from_utf8_lossy(&list).lines() {
        // Somebody may have written into the list: only files with names of ours, below the folder, are taken away.
        let is_ours = [".llm.json", ".m.json", ".html.md", ".htm.md"].iter().any(|end| path.ends_with(end))
            || path.starts_with("llm-sitemap")
            || path == texts::SECOND_SITEMAP
            || path == texts::POLICY;
        let is_below = path.split('/').all(|step| !matches!(step, "" | "." | ".."));
        if is_ours && is_below && !kept.contains(path) && std::fs::remove_file(folder.join(path)).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}

/// A bar on standard error, where that is a terminal.
fn progress(pages: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(pages as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages {elapsed}");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
