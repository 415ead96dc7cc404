//! A folder of HTML files as a corpus.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aidocument_extract::encoding;
use anyhow::{Context as _, Result, bail, ensure};
use url::Url;

use super::Written;
use super::table::{Page, Table};

/// Writes the HTML files below `site` as crawl 1: `pages-1.parquet`.
///
/// Each file is decoded as a browser would; its address is its path in the folder behind `base`, its robots.txt the file
/// `robots.txt` of the folder if there is one. `crawl` is 2 for a later state of the same folder.
///
/// # Errors
/// When the folder cannot be read or holds no HTML file, the base has no path, or the target cannot be written.
pub fn folder(site: &Path, base: &Url, crawl: i32, target: &Path) -> Result<Written> {
    let mut files = Vec::new();
    find_html(site, &mut files).with_context(|| format!("reading {}", site.display()))?;
    ensure!(!files.is_empty(), "{}: expected .html files in this folder, found none", site.display());
    files.sort();
    let robots = match fs::read(site.join("robots.txt")) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).context("reading robots.txt of the folder"),
    };
    let mut passed_over = 0;
    let mut table = Table::create(target, crawl)?;
    for file in &files {
        let url = address(base, file.strip_prefix(site).unwrap_or(file))?;
        match fs::read(file) {
            Ok(bytes) => {
                let html = encoding::decode(&bytes, encoding::sniff(&bytes, None, None));
                table.push(&Page {
                    url: url.as_str(),
                    robots: &robots,
                    html: &html,
                    template: None,
                    edition: None,
                })?;
            }
            Err(error) => {
                eprintln!("{}: {error}: passed over", file.display());
                passed_over += 1;
            }
        }
    }
    Ok(Written { passed_over, ..table.close()? })
}

fn address(base: &Url, path: &Path) -> Result<Url> {
    let mut url = base.clone();
    let Ok(mut segments) = url.path_segments_mut() else {
        bail!("expected an address such as https://e.example/ for the folder, found {base}");
    };
    segments.pop_if_empty().extend(path.iter().map(|name| name.to_string_lossy()));
    drop(segments);
    Ok(url)
}

fn find_html(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // Links to folders are not followed: they could lead in circles.
        if entry.file_type()?.is_dir() {
            find_html(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
            files.push(path);
        }
    }
    Ok(())
}
