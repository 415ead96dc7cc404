//! The pages to publish: those in the binary, or those of a folder.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use crate::RoundtripError;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/site");

/// A set of HTML pages and the files that belong to them.
#[derive(Debug, Default)]
pub struct Site {
    /// Where it comes from, for people.
    pub name: String,
    /// The HTML pages, in order of their names; the front page first.
    pub pages: Vec<SiteFile>,
    /// Everything else: images, style sheets, scripts.
    pub assets: Vec<SiteFile>,
    /// What could not be listed, and why.
    pub passed_over: Vec<PassedOver>,
}

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Its name below the site's root, a step of the path each.
    pub segments: Vec<String>,
    source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Memory(Cow<'static, [u8]>),
    Disk(PathBuf),
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
    #[must_use]
    pub fn embedded() -> Self {
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
        site
    }

    /// The files below a folder. Links to folders are not followed; what cannot be listed is passed over.
    ///
    /// # Errors
    /// [`RoundtripError::Folder`] where the folder itself cannot be listed, [`RoundtripError::NoPages`] where there
    /// is no HTML file in it.
    pub fn folder(root: &Path) -> Result<Self, RoundtripError> {
        let mut site = Site { name: root.display().to_string(), ..Site::default() };
        fs::read_dir(root).map_err(|source| RoundtripError::Folder { path: root.to_owned(), source })?;
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    site.pass_over(&folder, &error);
                    continue;
                }
            };
            for entry in entries {
                let kind = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)));
                match kind {
                    Err(error) => site.pass_over(&folder, &error),
                    Ok((path, kind)) if kind.is_dir() => folders.push(path),
                    Ok((path, _)) => match path.strip_prefix(root).ok().and_then(segments_of) {
                        Some(segments) => site.add(SiteFile { segments, source: Source::Disk(path) }),
                        None => site.pass_over(&path, &"expected a name in UTF-8"),
                    },
                }
            }
        }
        site.sort();
        if site.pages.is_empty() {
            return Err(RoundtripError::NoPages { path: root.to_owned() });
        }
        Ok(site)
    }

    fn add(&mut self, file: SiteFile) {
        if file.is_html() { self.pages.push(file) } else { self.assets.push(file) }
    }

    fn pass_over(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        self.passed_over.push(PassedOver { what: path.display().to_string(), why: why.to_string() });
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
    #[expect(clippy::disallowed_methods, reason = "reading files is this module's task")]
    pub fn read(&self) -> io::Result<Cow<'static, [u8]>> {
        match &self.source {
            Source::Memory(contents) => Ok(contents.clone()),
            Source::Disk(path) => fs::read(path).map(Cow::Owned),
        }
    }

    /// The same file with other bytes.
    #[must_use]
    pub fn with_contents(&self, contents: Vec<u8>) -> Self {
        SiteFile { segments: self.segments.clone(), source: Source::Memory(Cow::Owned(contents)) }
    }

    /// When the file last changed, in seconds since 1970; `None` for one in memory.
    #[must_use]
    pub fn modified_s(&self) -> Option<u64> {
        let Source::Disk(path) = &self.source else { return None };
        let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).ok()?;
        Some(modified.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs())
    }

    /// The steps of the URL's path: `index.html` is the folder itself, written as an empty last step.
    #[must_use]
    pub fn url_segments(&self) -> Vec<&str> {
        let mut segments: Vec<&str> = self.segments.iter().map(String::as_str).collect();
        if let Some(last) = segments.last_mut().filter(|last| matches!(**last, "index.html" | "index.htm")) {
            *last = "";
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

    fn is_html(&self) -> bool {
        matches!(self.extension().as_str(), "html" | "htm")
    }

    /// The media type that goes with the file's name.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        match self.extension().as_str() {
            "html" | "htm" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            "txt" | "md" => "text/plain; charset=utf-8",
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

fn segments_of(path: &Path) -> Option<Vec<String>> {
    path.iter().map(|step| step.to_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_site_is_worth_crawling() {
        let site = Site::embedded();
        assert!(site.pages.len() >= 30, "{}", site.pages.len());
        assert_eq!(site.pages[0].name(), "index.html");
        assert!(site.assets.iter().any(|file| file.media_type() == "image/svg+xml"));
        for page in &site.pages {
            let html = page.read().unwrap();
            let text = crate::html::read(crate::html::decode(&html).unwrap()).unwrap();
            assert!(text.blocks.len() >= 3, "{}: {:?}", page.name(), text.blocks);
            assert!(!text.title.is_empty());
        }
    }

    #[test]
    fn names_become_paths() {
        for (segments, expected) in [
            (&["index.html"][..], &[""][..]),
            (&["a", "index.htm"], &["a", ""]),
            (&["a", "b.html"], &["a", "b.html"]),
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
