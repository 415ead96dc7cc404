//! The pages to publish: those in the binary, or those of a folder, HTML or Markdown; and `site.toml` beside them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use tct::resource::NegotiatedPage;

use crate::folder::{Folder, Listed};
use crate::html::{self, PageError};
use crate::publisher::Opened;
use crate::settings::Settings;
use crate::{SiteError, markdown};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/pages");

/// The name of the settings, in the root of a site's folder. It is not published.
const SETTINGS: &str = "site.toml";

/// A set of pages and the files that belong to them.
#[derive(Debug, Default)]
pub struct Site {
    /// Where it comes from, for people.
    pub name: String,
    /// What `site.toml` says.
    pub settings: Settings,
    /// The pages, in order of their names; the front page first.
    pub pages: Vec<SiteFile>,
    /// Everything else: images, style sheets, scripts.
    pub assets: Vec<SiteFile>,
    /// What could not be listed, and why.
    pub passed_over: Vec<PassedOver>,
}

/// A file of the site.
#[derive(Debug, Clone)]
pub struct SiteFile {
    /// Its name below the site's root, a step of the path each.
    pub segments: Vec<String>,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Memory(Cow<'static, [u8]>),
    Disk { folder: Folder, name: PathBuf },
}

/// Something that is left out, and why.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PassedOver {
    /// A file, a folder or a URL.
    pub what: String,
    /// The reason, for people.
    pub why: String,
}

impl Site {
    /// The site in the binary.
    ///
    /// # Errors
    /// None, as long as its settings are of the form that they have.
    pub fn embedded() -> Result<Self, SiteError> {
        let mut site = Site { name: "the embedded site".to_owned(), ..Site::default() };
        let mut folders = vec![&EMBEDDED];
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                let segments = segments_of(file.path()).unwrap_or_default();
                site.add(SiteFile { segments, source: Source::Memory(Cow::Borrowed(file.contents())) });
            }
        }
        site.sort();
        site.read_settings()?;
        Ok(site)
    }

    /// The files below a folder that may be given out ([`Folder::files`]); what may not, or cannot be listed, is passed
    /// over.
    ///
    /// # Errors
    /// [`SiteError::Folder`] if the folder itself cannot be listed, [`SiteError::NoPages`] if there is no page in
    /// it, [`SiteError::Settings`] if its `site.toml` is of another form.
    pub fn folder(root: &Path) -> Result<Self, SiteError> {
        let folder =
            Folder::open(root).map_err(|source| SiteError::Folder { path: root.to_owned(), source })?;
        let (files, passed_over) = folder.files();
        // Rules that are not found would protect nothing.
        for name in folder.entries_called(SETTINGS) {
            if !files.iter().any(|file| file.name == Path::new(SETTINGS)) || name != SETTINGS {
                let why = format!("expected a file of the name {SETTINGS}, not a link out of the folder");
                let (path, source) = (folder.path_of(Path::new(&name)), io::Error::other(why));
                return Err(SiteError::File { action: "read", path, source });
            }
        }
        let mut site = Site { name: root.display().to_string(), passed_over, ..Site::default() };
        for Listed { name, resolved } in files {
            match segments_of(&name) {
                // A URL loses some of them, and then names another file.
                Some(segments) if segments.iter().any(|name| name.contains(char::is_control)) => {
                    site.pass_over(&folder.path_of(&name), &"expected a name without control characters");
                }
                Some(segments) => {
                    let source = Source::Disk { folder: folder.clone(), name: resolved };
                    site.add(SiteFile { segments, source });
                }
                None => site.pass_over(&folder.path_of(&name), &"expected a name in UTF-8"),
            }
        }
        site.sort();
        site.drop_doubles();
        if site.pages.is_empty() {
            return Err(SiteError::NoPages { path: root.to_owned() });
        }
        site.read_settings()?;
        Ok(site)
    }

    /// Takes `site.toml` out of the files that are published.
    fn read_settings(&mut self) -> Result<(), SiteError> {
        let Some(at) = self.assets.iter().position(|file| file.segments == [SETTINGS]) else { return Ok(()) };
        let file = self.assets.remove(at);
        let path = match &file.source {
            Source::Disk { folder, name } => folder.path_of(name),
            Source::Memory(_) => SETTINGS.into(),
        };
        let text = file.read().and_then(|bytes| {
            String::from_utf8(bytes.into_owned()).map_err(|_| io::Error::other("expected UTF-8"))
        });
        let text = text.map_err(|source| SiteError::File { action: "read", path: path.clone(), source })?;
        self.settings = Settings::parse(&text, &path)?;
        Ok(())
    }

    fn add(&mut self, file: SiteFile) {
        if file.is_page() { self.pages.push(file) } else { self.assets.push(file) }
    }

    fn pass_over(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        self.passed_over.push(PassedOver { what: path.display().to_string(), why: why.to_string() });
    }

    /// Where `a.html` and `a.md` both want to be `a.html`, the HTML is what its author wrote for it; and `index.html` comes
    /// before `index.htm`.
    fn drop_doubles(&mut self) {
        let path = |file: &SiteFile| file.url_segments().join("/");
        let rank = |file: &SiteFile| (file.is_markdown(), !file.extension().ends_with('l'));
        let mut first = HashMap::<String, SiteFile>::new();
        for file in &self.pages {
            let best = first.entry(path(file)).or_insert_with(|| file.clone());
            if rank(file) < rank(best) {
                *best = file.clone();
            }
        }
        let best = |file: &SiteFile| first.get(&path(file)).filter(|best| best.segments != file.segments);
        for file in self.pages.extract_if(.., |file| best(file).is_some()) {
            let why = best(&file).map_or_else(String::new, |best| format!("{} is there too", best.name()));
            self.passed_over.push(PassedOver { what: file.name(), why });
        }
    }

    fn sort(&mut self) {
        // The front page is to be the first item of the sitemap.
        self.pages.sort_by_key(|file| (file.url_segments() != [""], file.segments.clone()));
        self.assets.sort_by(|a, b| a.segments.cmp(&b.segments));
    }
}

impl SiteFile {
    /// A file in memory.
    pub fn in_memory(segments: &[&str], contents: impl Into<Cow<'static, [u8]>>) -> Self {
        SiteFile {
            segments: segments.iter().map(|&segment| segment.to_owned()).collect(),
            source: Source::Memory(contents.into()),
        }
    }

    /// The file's bytes: borrowed from the binary, or read now.
    ///
    /// # Errors
    /// Those of reading a file.
    pub fn read(&self) -> io::Result<Cow<'static, [u8]>> {
        match &self.source {
            Source::Memory(contents) => Ok(contents.clone()),
            Source::Disk { folder, name } => folder.read(name).map(Cow::Owned),
        }
    }

    /// The file, opened for reading in pieces; `None` for one in memory.
    pub(crate) fn open(&self) -> io::Result<Option<Opened>> {
        match &self.source {
            Source::Memory(_) => Ok(None),
            Source::Disk { folder, name } => folder.open_plain(name).and_then(Opened::new).map(Some),
        }
    }

    /// Whether there is nothing any more under its name.
    pub(crate) fn is_gone(&self) -> bool {
        self.open().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// The page as HTML: as it is, or made of its Markdown.
    ///
    /// # Errors
    /// [`PageError`] if the file cannot be read or is not valid UTF-8.
    pub fn html(&self) -> Result<String, PageError> {
        let bytes = self.read().map_err(|error| PageError::Unreadable(error.to_string()))?;
        let text = html::decode(&bytes)?;
        Ok(if self.is_markdown() { markdown::to_page(text) } else { text.to_owned() })
    }

    /// The same page with this HTML in place of its own.
    #[must_use]
    pub fn with_html(&self, html: String) -> Self {
        let mut segments = self.segments.clone();
        if let Some(last) = segments.last_mut() {
            *last = html_name(last);
        }
        SiteFile { segments, source: Source::Memory(Cow::Owned(html.into_bytes())) }
    }

    /// When the file last changed, in seconds since 1970; `None` for one in memory.
    #[must_use]
    pub fn modified_s(&self) -> Option<u64> {
        let Source::Disk { folder, name } = &self.source else { return None };
        folder.modified_s(name)
    }

    /// The steps of the URL's path: `index.html` is the folder itself, written as an empty last step, and `a.md` is
    /// served as `a.html`.
    #[must_use]
    pub fn url_segments(&self) -> Vec<Cow<'_, str>> {
        let mut segments: Vec<_> =
            self.segments.iter().map(|segment| Cow::Borrowed(segment.as_str())).collect();
        if let Some(last) = segments.last_mut().filter(|_| self.is_page()) {
            let name = html_name(last);
            *last = if matches!(name.as_str(), "index.html" | "index.htm") {
                Cow::Borrowed("")
            } else {
                Cow::Owned(name)
            };
        }
        segments
    }

    /// The name below the site's root.
    #[must_use]
    pub fn name(&self) -> String {
        self.segments.join("/")
    }

    fn extension(&self) -> String {
        let name = self.segments.last().map_or("", String::as_str);
        name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
    }

    pub(crate) fn is_page(&self) -> bool {
        self.is_markdown() || matches!(self.extension().as_str(), "html" | "htm")
    }

    /// Whether it is the source of a page. `x.html.md` is the Markdown of the page `x.html`, as `aiweb build` writes it.
    pub(crate) fn is_markdown(&self) -> bool {
        let name = self.segments.last().map_or_else(String::new, |name| name.to_ascii_lowercase());
        name.ends_with(".md") && !name.ends_with(".html.md") && !name.ends_with(".htm.md")
    }

    /// The media type that goes with the file's name.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        match self.extension().as_str() {
            "md" if !self.is_markdown() => NegotiatedPage::MARKDOWN,
            "html" | "htm" | "md" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            "txt" => "text/plain; charset=utf-8",
            "png" => "image/png",
            "jpg" | "jpeg" => "image/jpeg",
            "gif" => "image/gif",
            "webp" => "image/webp",
            "ico" => "image/x-icon",
            "woff" => "font/woff",
            "woff2" => "font/woff2",
            _ => "application/octet-stream",
        }
    }
}

/// The name of a page as it is served.
fn html_name(name: &str) -> String {
    match name.strip_suffix(".md") {
        Some(stem) => format!("{stem}.html"),
        None => name.to_owned(),
    }
}

fn segments_of(path: &Path) -> Option<Vec<String>> {
    path.iter().map(|step| step.to_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_site_is_worth_crawling() {
        let site = Site::embedded().unwrap();
        assert!(site.pages.len() >= 30, "{}", site.pages.len());
        assert_eq!(site.pages[0].name(), "index.html");
        assert!(site.assets.iter().any(|file| file.media_type() == "image/svg+xml"));
        for page in &site.pages {
            let text = html::read(&page.html().unwrap()).unwrap();
            assert!(text.content.split("\n\n").count() >= 3, "{}: {}", page.name(), text.content);
            assert!(!text.title.is_empty() && text.modified.is_some(), "{}", page.name());
        }
    }

    #[test]
    fn names_become_paths() {
        for (segments, expected) in [
            (&["index.html"][..], &[""][..]),
            (&["a", "index.htm"], &["a", ""]),
            (&["a", "b.html"], &["a", "b.html"]),
            (&["index.md"], &[""]),
            (&["b.md"], &["b.html"]),
            (&["index.svg"], &["index.svg"]),
        ] {
            assert_eq!(SiteFile::in_memory(segments, b"".as_slice()).url_segments(), expected);
        }
    }

    #[test]
    fn folders_without_pages_are_refused_by_name() {
        let empty = tempfile::tempdir().unwrap();
        let error = Site::folder(empty.path()).unwrap_err().to_string();
        assert!(error.contains(&empty.path().display().to_string()), "{error}");
        let missing = empty.path().join("missing");
        let error = Site::folder(&missing).unwrap_err().to_string();
        assert!(error.contains("missing"), "{error}");
    }
}
