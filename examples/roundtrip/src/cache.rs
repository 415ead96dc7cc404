//! The agent's memory: a folder that survives a restart.
//!
//! ```text
//! cache/
//!   index.json          what is held: validators, lengths, where the sitemaps are
//!   bodies/3f/3fa9….json   one body a file, named by the SHA-256 of its URL
//! ```
//!
//! Every file is written beside its place and then moved there, so a crash leaves the old or the new one. The index
//! is written after the bodies that it names; a body without its index line is fetched again. A line whose body is
//! missing or has another length is dropped when the folder is opened: only what is really held counts as held.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tct::HeldPage;
use tct_fingerprint::Fingerprint;
use tempfile::NamedTempFile;

use crate::RoundtripError;

/// Written into the index; another number is another format, and the cache starts empty.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    held: HeldPage,
    len_bytes: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    format: u32,
    /// The front page's address to those of its sitemaps.
    sites: BTreeMap<String, Vec<String>>,
    /// The front page's address to that of its policy.
    #[serde(default)]
    policies: BTreeMap<String, String>,
    held: BTreeMap<String, Entry>,
}

/// A cache folder.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    index: Index,
}

impl Cache {
    /// Opens the folder, or makes it.
    ///
    /// # Errors
    /// [`RoundtripError::File`] where the folder cannot be made or read, [`RoundtripError::CacheIndex`] where its
    /// index is not JSON of ours.
    #[expect(clippy::disallowed_methods, reason = "the cache is files")]
    pub fn open(root: &Path) -> Result<Self, RoundtripError> {
        fs::create_dir_all(root).map_err(|source| file_error("make the folder", root, source))?;
        let path = root.join("index.json");
        let mut index: Index = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Index::default(),
            Err(source) => return Err(file_error("read", &path, source)),
            Ok(json) => serde_json::from_slice(&json)
                .map_err(|source| RoundtripError::CacheIndex { path: path.clone(), source })?,
        };
        if index.format != FORMAT {
            index = Index { format: FORMAT, ..Index::default() };
        }
        index.held.retain(|url, entry| {
            fs::metadata(body_path(root, url)).is_ok_and(|metadata| metadata.len() == entry.len_bytes)
        });
        Ok(Cache { root: root.to_owned(), index })
    }

    /// What is held of this URL.
    #[must_use]
    pub fn held(&self, url: &str) -> Option<&HeldPage> {
        self.index.held.get(url).map(|entry| &entry.held)
    }

    /// How many bodies are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.held.len()
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.held.is_empty()
    }

    /// The body held of this URL.
    ///
    /// # Errors
    /// [`RoundtripError::File`] where it cannot be read.
    #[expect(clippy::disallowed_methods, reason = "the cache is files")]
    pub fn body(&self, url: &str) -> Result<Bytes, RoundtripError> {
        let path = body_path(&self.root, url);
        fs::read(&path).map(Bytes::from).map_err(|source| file_error("read", &path, source))
    }

    /// Stores a body together with what is known of it.
    ///
    /// # Errors
    /// [`RoundtripError::File`] where it cannot be written.
    pub fn store(&mut self, url: &str, held: HeldPage, body: &[u8]) -> Result<(), RoundtripError> {
        write_atomically(&body_path(&self.root, url), body)?;
        self.index.held.insert(url.to_owned(), Entry { held, len_bytes: body.len() as u64 });
        Ok(())
    }

    /// Keeps the stored body; what is known of it is new. Nothing happens where no body is stored.
    pub fn keep(&mut self, url: &str, held: HeldPage) {
        if let Some(entry) = self.index.held.get_mut(url) {
            entry.held = held;
        }
    }

    /// Forgets a URL.
    pub fn forget(&mut self, url: &str) {
        if self.index.held.remove(url).is_some() {
            // A file that stays costs room, not truth: the index no longer names it.
            let _gone = fs::remove_file(body_path(&self.root, url));
        }
    }

    /// The sitemaps that a site was found to have; none where it was never looked at.
    #[must_use]
    pub fn sitemaps(&self, site: &str) -> &[String] {
        self.index.sites.get(site).map_or(&[], Vec::as_slice)
    }

    /// Remembers the sitemaps of a site.
    pub fn remember_sitemaps(&mut self, site: &str, sitemaps: Vec<String>) {
        self.index.sites.insert(site.to_owned(), sitemaps);
    }

    /// The policy descriptor that a site was found to have.
    #[must_use]
    pub fn policy(&self, site: &str) -> Option<&str> {
        self.index.policies.get(site).map(String::as_str)
    }

    /// Remembers the policy descriptor of a site.
    pub fn remember_policy(&mut self, site: &str, policy: String) {
        self.index.policies.insert(site.to_owned(), policy);
    }

    /// Writes the index.
    ///
    /// # Errors
    /// [`RoundtripError::File`] where it cannot be written.
    pub fn save(&self) -> Result<(), RoundtripError> {
        let path = self.root.join("index.json");
        let json = serde_json::to_vec(&self.index)
            .map_err(|source| RoundtripError::CacheIndex { path: path.clone(), source })?;
        write_atomically(&path, &json)
    }
}

/// One file a URL. The name is a digest, so that no URL can name a place outside the folder.
fn body_path(root: &Path, url: &str) -> PathBuf {
    let digest = Fingerprint::hash(url.as_bytes()).to_string();
    let name = digest.trim_start_matches("sha256-");
    let (shelf, _) = name.split_at_checked(2).unwrap_or((name, ""));
    root.join("bodies").join(shelf).join(format!("{name}.json"))
}

fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), RoundtripError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|source| file_error("make the folder", folder, source))?;
    let write = || -> io::Result<()> {
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|source| file_error("write", path, source))
}

fn file_error(action: &'static str, path: &Path, source: io::Error) -> RoundtripError {
    RoundtripError::File { action, path: path.to_owned(), source }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests look into the folder")]
mod tests {
    use tct::UnixSeconds;

    use super::*;

    const URL: &str = "https://127.0.0.1:1/a/llm/";

    fn held() -> HeldPage {
        HeldPage::new("x", UnixSeconds(7))
    }

    #[test]
    fn what_is_stored_survives_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = Cache::open(folder.path()).unwrap();
        assert_eq!(cache.held(URL), None);
        cache.store(URL, held(), b"{}").unwrap();
        cache.remember_sitemaps("https://127.0.0.1:1/", vec!["https://127.0.0.1:1/s.json".to_owned()]);
        let confirmed = HeldPage::new("x", UnixSeconds(9));
        cache.keep(URL, confirmed.clone());
        cache.keep("https://127.0.0.1:1/never-stored/", held());
        cache.save().unwrap();

        let cache = Cache::open(folder.path()).unwrap();
        assert_eq!((cache.held(URL), cache.len()), (Some(&confirmed), 1));
        assert_eq!(cache.body(URL).unwrap(), b"{}".as_slice());
        assert_eq!(cache.sitemaps("https://127.0.0.1:1/").len(), 1);
        assert!(cache.sitemaps("https://127.0.0.1:2/").is_empty());
    }

    #[test]
    fn a_line_without_its_body_is_not_held() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = Cache::open(folder.path()).unwrap();
        cache.store(URL, held(), b"{}").unwrap();
        cache.save().unwrap();
        fs::write(body_path(folder.path(), URL), b"{").unwrap();
        assert_eq!(Cache::open(folder.path()).unwrap().held(URL), None);

        cache.forget(URL);
        cache.save().unwrap();
        assert_eq!(Cache::open(folder.path()).unwrap().len(), 0);
        assert!(!body_path(folder.path(), URL).exists());
    }

    #[test]
    fn a_crash_before_the_index_is_written_loses_nothing_but_time() {
        let folder = tempfile::tempdir().unwrap();
        Cache::open(folder.path()).unwrap().store(URL, held(), b"{}").unwrap();
        assert_eq!(Cache::open(folder.path()).unwrap().held(URL), None);
    }

    #[test]
    fn a_damaged_index_is_named_and_another_format_starts_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.json");
        fs::write(&path, b"{\"format\":").unwrap();
        let error = Cache::open(folder.path()).unwrap_err();
        assert!(site::one_line(&error).contains("index.json"), "{error}");
        fs::write(&path, br#"{"format":99,"sites":{},"held":{}}"#).unwrap();
        assert_eq!(Cache::open(folder.path()).unwrap().len(), 0);
    }
}
