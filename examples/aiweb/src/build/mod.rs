//! `aiweb build`: writes twins, sitemap and server configuration for TCT beside the pages of a finished
//! static site.
//!
//! ```text
//! FOLDER/ch01.html                  the page, as mdBook, Zola or Hugo wrote it, with a <link> to twin and sitemap in its head,
//!                                   and a hidden line that leads agents to llms.txt
//! FOLDER/ch01.html.llm.json         its twin: title and text as canonical JSON
//! FOLDER/ch01.html.md, ch01.md      its text in Markdown, at the two addresses that readers try
//! FOLDER/llm-sitemap.json           every page, its twin and the twin's hash
//! FOLDER/llm-policy.json            what may be done with the text, where it is said
//! FOLDER/llms.txt, llms-full.txt    the list of pages, and all of their texts
//! FOLDER/sitemap.xml                every page, where the generator wrote no such list
//! FOLDER/robots.txt                 `Sitemap:` lines between marks, where the folder is the host's root; a group for all
//!                                   where there is none
//! FOLDER/.well-known/api-catalog    where the folder has openapi.json or openapi.yaml
//! FOLDER/.well-known/http-message-signatures-directory
//!                                   the keys of the site's bot, with --bot-keys
//! FOLDER/_headers                   for Netlify and Cloudflare Pages, between marks
//! FOLDER/.aiweb/nginx.conf          for nginx: each twin's tag, and 304
//! FOLDER/.aiweb/Caddyfile           for Caddy: the same
//! FOLDER/.aiweb/written             these files with their hashes: the next build replaces and removes no other
//! ```
//!
//! With `--tct 03` twins and sitemap are those of draft -03, with `--tct both` they are there beside the others, as
//! `ch01.html.m.json` and `m-sitemap.json`.
//!
//! [`pages`] reads the pages, [`texts`] writes what is served, [`servers`] what servers read; [`changes`] compares all of
//! it with the files in the folder, and changes no file that the build did not write.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use url::Url;

use crate::Failure;
use crate::place::harmless;
use crate::report::{Report, count};
use site::Revisions;
use site::cli::absolute_url;
use texts::Sitemaps;

pub mod changes;
pub mod pages;
pub mod servers;
pub mod texts;
pub mod well_known;

use changes::{Change, Changes};

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
    /// Publish twins of these drafts of TCT: -00 and -01, -03, or both side by side
    #[arg(long, value_name = "DRAFT", value_enum, default_value_t)]
    pub tct: Revisions,
    /// Leave out the pages at and below this path of the folder, such as `members/`: no twin, no Markdown, in no list.
    /// Nothing is built if nothing is there. May be given several times
    #[arg(long, value_name = "PATH")]
    pub leave_out: Vec<String>,
    /// Leave the pages as they are: no links to twin and sitemap in their heads, no pointer to llms.txt
    #[arg(long)]
    pub no_link_pages: bool,
    /// Write nothing; print what would be written, changed, removed and left
    #[arg(long)]
    pub dry_run: bool,
    /// Publish a policy that says whether the text may be given to a model as input
    #[arg(long, value_name = "true|false")]
    pub ai_input: Option<bool>,
    /// Publish a policy that says whether the text may be used for training
    #[arg(long, value_name = "true|false")]
    pub ai_train: Option<bool>,
    /// Publish the public keys in this file, a JWK Set, as the key directory of the site's bot
    #[arg(long, value_name = "FILE")]
    pub bot_keys: Option<PathBuf>,
    /// Publish a policy with this contact: an https or mailto URL
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
    /// What to do if a file that the build did not write is in its place.
    pub kind: Kind,
}

/// What to do if a file that the build did not write has the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Refuse to build: the sitemap would list a hash of another text.
    Vouched,
    /// Keep the other file, and tell the user.
    Beside,
    /// Put these lines into the other file, between two marks.
    Block,
}

impl File {
    /// A file at this path.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>, kind: Kind) -> Self {
        File { path: path.into(), bytes: bytes.into(), kind }
    }
}

/// Runs the command.
///
/// # Errors
/// If the folder cannot be read or written, has no page to publish, or something breaks a rule of TCT.
pub fn run(arguments: &Build, report: &mut Report) -> Result<(), Failure> {
    let origin = folder_url(&arguments.origin)?;
    // What is read here is still so when it is written.
    let _lock = changes::lock(&arguments.folder)?;
    let (found, mut left_out) = pages::list(&arguments.folder, &arguments.leave_out)?;
    let bar = progress(found.len());
    let mut drafts = Vec::new();
    for path in &found {
        match pages::read(&arguments.folder, path, &origin)? {
            Ok(draft) => drafts.push(draft),
            Err(why) => left_out.push((path.clone(), why)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    pages::tell_apart(&mut drafts);
    let mut read = Vec::new();
    for draft in drafts {
        let path = draft.path().to_owned();
        match draft.seal(&origin, arguments.tct) {
            Ok(page) => read.push(page),
            Err(why) => left_out.push((path, why)),
        }
    }
    left_out.sort();
    if read.is_empty() {
        let folder = arguments.folder.display();
        let why = left_out.first().map(|(path, why)| format!("; {path} is left out: {why}"));
        let why = why.unwrap_or_default();
        return Err(Failure(format!("expected pages (*.html) with text in {folder}, found none{why}")));
    }
    // The front page comes first: it begins the sitemap and names the site.
    read.sort_by_key(|page| (page.path != "index.html", page.path.clone()));
    let name = arguments
        .name
        .clone()
        .unwrap_or_else(|| read.first().map_or_else(String::new, |page| page.title.clone()));

    let mut taken = std::collections::BTreeSet::new();
    for page in &mut read {
        // Two pages may give themselves one address.
        if !taken.insert(page.markdown_path.clone()) {
            page.markdown_path = format!("{}.md", page.path);
        }
    }
    let list = origin.join("llms.txt").map_err(|error| Failure(error.to_string()))?;
    let mut files: Vec<File> = Vec::new();
    for page in &read {
        files.extend(
            page.twins.iter().map(|twin| File::new(&twin.resource.path, &*twin.resource.body, Kind::Vouched)),
        );
        for path in page.markdown_paths() {
            if path == page.markdown_path || taken.insert(path.clone()) {
                files.push(File::new(path, pages::markdown_file(page, &list), Kind::Beside));
            }
        }
    }
    let Sitemaps { legacy, exact } = texts::sitemaps(&read, &origin)?;
    let sitemaps: Vec<String> =
        legacy.iter().map(|file| &file.path).chain(exact.iter().map(|it| &it.path)).cloned().collect();
    let sitemap_urls: Vec<Url> = sitemaps.iter().filter_map(|path| origin.join(path).ok()).collect();
    files.extend(legacy);
    files.extend(exact.iter().map(|sitemap| File::new(&sitemap.path, &*sitemap.body, Kind::Vouched)));
    files.extend(texts::policy(arguments)?);
    files.push(File::new("llms.txt", texts::llms_txt(&name, &read, &origin), Kind::Beside));
    files.push(File::new("llms-full.txt", texts::llms_full_txt(&name, &read), Kind::Beside));
    // The generator's own list of pages is as good.
    if !changes::is_of_others(&arguments.folder, texts::XML_SITEMAP) {
        files.push(File::new(texts::XML_SITEMAP, texts::xml_sitemap(&read), Kind::Beside));
    }
    let xml = origin.join(texts::XML_SITEMAP).ok();
    let sitemap_lines: String =
        xml.iter().chain(&sitemap_urls).map(|url| format!("Sitemap: {url}\n")).collect();
    let is_root = origin.path() == "/";
    if is_root {
        let group =
            texts::robots_group(arguments, &changes::outside_of_marks(&arguments.folder, "robots.txt"));
        files.push(File::new("robots.txt", group + &sitemap_lines, Kind::Block));
    }
    let policy = files.iter().any(|file| file.path == texts::POLICY);
    let well_known = well_known::documents(arguments, &origin)?;
    for document in &well_known {
        files.push(File::new(document.path, &*document.body, Kind::Beside));
    }
    let site =
        servers::Site::new(&origin, &read, &sitemaps, exact.as_ref(), policy).with_well_known(&well_known);
    files.push(File::new("_headers", site.netlify(), Kind::Block));
    files.push(File::new(".aiweb/nginx.conf", site.nginx(), Kind::Beside));
    files.push(File::new(".aiweb/Caddyfile", site.caddy(), Kind::Beside));
    let count_of_files = files.len() + 1;

    let mut changes = Changes::plan(&arguments.folder, files)?;
    if !is_root {
        changes.take_out_block(&arguments.folder, "robots.txt")?;
    }
    let (mut linked, mut not_linked) = (0, Vec::new());
    if !arguments.no_link_pages {
        for page in &read {
            let (bytes, why) = pages::linked(&arguments.folder, page, &sitemap_urls, &list)?;
            linked += usize::from(bytes.is_some() && why.is_none());
            not_linked.extend(why.map(|why| (&page.path, why)));
            if let Some(bytes) = bytes {
                changes.link(&page.path, bytes);
            }
        }
    }
    // A page that lost its twin does not go on to name it.
    let gone = changes.removed().filter_map(|path| {
        let page = pages::page_of_twin(path)?;
        (!read.iter().any(|there| there.path == page)).then(|| page.to_owned())
    });
    for path in gone.collect::<std::collections::BTreeSet<_>>() {
        if let Some(bytes) = pages::unlinked(&arguments.folder, &path)? {
            changes.unlink(&path, bytes);
        }
    }
    if !arguments.dry_run {
        changes.make(&arguments.folder)?;
    }

    for (path, why) in &left_out {
        let members = [("left_out", json!(path)), ("why", json!(why))];
        // Whatever a file is called: names with control characters are all left out.
        let path: String = path.chars().map(harmless).collect();
        report.result(&format!("left out: {path}: {why}"), &members)?;
    }
    for (path, why) in not_linked {
        let members = [("not_linked", json!(path)), ("why", json!(why))];
        report.result(&format!("no links to its twin in {path}: {why}"), &members)?;
    }
    for (path, change, _) in &changes.steps {
        // The build's own files by the thousand are told by their number, except where nothing is written.
        let is_told = match change {
            Change::Left | Change::Unlinked => true,
            Change::Merged => arguments.dry_run || !pages::is_page(path),
            Change::Unchanged => false,
            _ => arguments.dry_run,
        };
        if is_told {
            let why = match change {
                Change::Left => ": it is not as `aiweb build` wrote it, so it stays as it is",
                Change::Merged if pages::is_page(path) => {
                    ": links to twin and sitemap in its head, a pointer to llms.txt"
                }
                Change::Merged => ": the build's lines in it, between marks",
                Change::Unlinked if pages::is_page(path) => {
                    ": an earlier build's links to twin, sitemap and llms.txt are taken out of it"
                }
                Change::Unlinked => ": an earlier build's lines are taken out of it",
                _ => "",
            };
            let word = change.as_str();
            let members =
                [("path", json!(path)), ("change", json!(word)), ("dry_run", json!(arguments.dry_run))];
            report.result(&format!("{word}: {path}{why}"), &members)?;
        }
    }
    if !is_root {
        let wanted = sitemap_lines.trim_end();
        let why = "robots.txt is read at the root of a host; so that crawlers find the sitemap, add there";
        report.result(&format!("{why}: {wanted}"), &[("robots", json!(wanted)), ("why", json!(why))])?;
    }
    let folder = arguments.folder.display();
    let (new, changed) = (changes.count(Change::New), changes.count(Change::Changed));
    let verb = if arguments.dry_run { ", nothing was written" } else { "" };
    let mut text = format!(
        "{}, {} in {folder}{verb}: {new} new, {changed} changed, {} removed, {} left; {} with links added",
        count(read.len(), "page"),
        count(count_of_files, "file"),
        changes.count(Change::Removed),
        changes.count(Change::Left),
        count(linked, "page"),
    );
    for (server, what) in servers::WHAT_THEY_DO {
        text.push_str(&format!("\n  {server:<13} {what}"));
    }
    report.result(
        &text,
        &[
            ("pages", json!(read.len())),
            ("left_out", json!(left_out.len())),
            ("files", json!(count_of_files)),
            ("new", json!(new)),
            ("changed", json!(changed)),
            ("removed", json!(changes.count(Change::Removed))),
            ("left", json!(changes.count(Change::Left))),
            ("linked", json!(linked)),
            ("dry_run", json!(arguments.dry_run)),
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
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Failure(
            "--origin: expected a URL without a user's name and password, found one with".to_owned(),
        ));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
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
