//! The agent's memory: a folder that survives a restart, and a crash at any moment.
//!
//! ```text
//! cache/
//!   index.json             what is known: one value a site, one value a page, and which body it has
//!   bodies/3f/3fa9….json   one body a file, named by the SHA-256 of its bytes
//! ```
//!
//! A body has its content's name, so a new one never takes an old one's place: the index that is on the disk names bodies
//! that are on the disk, whatever happened since. A body is written and synced before the index that names it; the index
//! is written beside its place, synced, and moved there. Bodies that no index names are removed after that. A line whose
//! body is missing holds nothing when the folder is opened, and a body whose bytes are not those of its name is an error.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tct::crawl::Pages;
use tct::{PageState, SiteState};
use tct_fingerprint::Fingerprint;
use tempfile::NamedTempFile;

use crate::RoundtripError;

/// Written into the index; another number is another format, and the cache starts empty.
const FORMAT: u32 = 2;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Entry {
    state: PageState,
    /// The body's file name without its ending.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    body: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Index {
    format: u32,
    /// The front page's address to what is known of the site.
    sites: BTreeMap<String, SiteState>,
    pages: BTreeMap<String, Entry>,
}

/// A cache folder. It holds the pages of one site.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    index: Index,
    /// Bodies that the index on the disk may still name, and the present one does not.
    loose: BTreeSet<String>,
    /// How many more steps succeed; for the test that lets each one be the last.
    fuse: Cell<Option<u32>>,
}

impl Cache {
    /// Opens the folder, or makes it.
    ///
    /// # Errors
    /// [`RoundtripError::File`] if the folder cannot be made or read, [`RoundtripError::CacheIndex`] if its
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
        for entry in index.pages.values_mut() {
            let is_there = entry.body.as_deref().is_some_and(|name| body_path(root, name).is_file());
            if !is_there {
                // It is asked for again, by what the sitemap listed last.
                (entry.body, entry.state.held) = (None, None);
            }
        }
        Ok(Cache { root: root.to_owned(), index, loose: BTreeSet::new(), fuse: Cell::new(None) })
    }

    /// What is known of a site.
    #[must_use]
    pub fn site(&self, start: &str) -> SiteState {
        self.index.sites.get(start).cloned().unwrap_or_default()
    }

    /// Remembers what is known of a site.
    pub fn remember_site(&mut self, start: &str, site: SiteState) {
        self.index.sites.insert(start.to_owned(), site);
    }

    /// How many bodies are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.pages.values().filter(|entry| entry.body.is_some()).count()
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The body held under this key.
    ///
    /// # Errors
    /// [`RoundtripError::File`] if there is none, where it cannot be read, or where its bytes are not its own.
    #[expect(clippy::disallowed_methods, reason = "the cache is files")]
    pub fn body(&self, key: &str) -> Result<Bytes, RoundtripError> {
        let name = self.index.pages.get(key).and_then(|entry| entry.body.as_deref());
        let path = name.map_or_else(|| self.root.join("index.json"), |name| body_path(&self.root, name));
        let missing = || file_error("find a body in", &path, io::ErrorKind::NotFound.into());
        let name = name.ok_or_else(missing)?;
        let bytes = fs::read(&path).map_err(|source| file_error("read", &path, source))?;
        if name_of(&bytes) != name {
            return Err(file_error("trust", &path, io::ErrorKind::InvalidData.into()));
        }
        Ok(bytes.into())
    }

    /// Stores a body, on the disk at once. [`Cache::set_page`] says what is known of it.
    ///
    /// # Errors
    /// [`RoundtripError::File`] if it cannot be written.
    pub fn store_body(&mut self, key: &str, body: &[u8]) -> Result<(), RoundtripError> {
        let name = name_of(body);
        let path = body_path(&self.root, &name);
        if !path.is_file() {
            self.write(&path, body)?;
        }
        let entry = self.index.pages.entry(key.to_owned()).or_default();
        let before = entry.body.replace(name.clone());
        self.loose.extend(before.filter(|before| *before != name));
        self.loose.remove(&name);
        Ok(())
    }

    /// What is known of a page is new; its body stays.
    pub fn set_page(&mut self, key: String, state: PageState) {
        self.index.pages.entry(key).or_default().state = state;
    }

    /// Forgets a page's body. What else is known of it stays, so that it is asked for again.
    pub fn forget(&mut self, key: &str) {
        if let Some(entry) = self.index.pages.get_mut(key) {
            self.loose.extend(entry.body.take());
            entry.state.held = None;
        }
    }

    /// Removes a page.
    pub fn remove(&mut self, key: &str) {
        self.loose.extend(self.index.pages.remove(key).and_then(|entry| entry.body));
    }

    /// Writes the index, and removes the bodies that it names no more.
    ///
    /// # Errors
    /// [`RoundtripError::File`] if it cannot be written.
    pub fn save(&mut self) -> Result<(), RoundtripError> {
        let path = self.root.join("index.json");
        let json = serde_json::to_vec(&self.index)
            .map_err(|source| RoundtripError::CacheIndex { path: path.clone(), source })?;
        self.write(&path, &json)?;
        let named: BTreeSet<&str> =
            self.index.pages.values().filter_map(|entry| entry.body.as_deref()).collect();
        for name in core::mem::take(&mut self.loose) {
            // Two pages may have the same bytes. A file that stays costs room, not truth.
            if !named.contains(name.as_str()) {
                self.step()?;
                let _gone = fs::remove_file(body_path(&self.root, &name));
            }
        }
        Ok(())
    }

    /// Puts the bytes into their place in one step, and on the disk before this returns.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), RoundtripError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        self.step()?;
        fs::create_dir_all(folder).map_err(|source| file_error("make the folder", folder, source))?;
        self.step()?;
        let mut file = NamedTempFile::new_in(folder).map_err(|source| file_error("write", path, source))?;
        let (first, second) = bytes.split_at(bytes.len() / 2);
        file.write_all(first).map_err(|source| file_error("write", path, source))?;
        self.step()?;
        file.write_all(second).map_err(|source| file_error("write", path, source))?;
        self.step()?;
        file.as_file().sync_all().map_err(|source| file_error("write", path, source))?;
        self.step()?;
        file.persist(path).map_err(|error| file_error("write", path, error.error))?;
        self.step()?;
        sync_folder(folder).map_err(|source| file_error("write", folder, source))
    }

    /// Fails once the fuse has burnt down, as a kill at this very moment would.
    fn step(&self) -> Result<(), RoundtripError> {
        match self.fuse.get() {
            None => Ok(()),
            Some(0) => Err(file_error("go on in", &self.root, io::ErrorKind::Interrupted.into())),
            Some(left) => {
                self.fuse.set(Some(left - 1));
                Ok(())
            }
        }
    }
}

impl Pages for Cache {
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>> {
        self.index.pages.get(key).map(|entry| Cow::Borrowed(&entry.state))
    }

    fn after(&self, key: &str) -> Option<(Cow<'_, str>, Cow<'_, PageState>)> {
        use std::ops::Bound::{Excluded, Unbounded};
        let (key, entry) = self.index.pages.range::<str, _>((Excluded(key), Unbounded)).next()?;
        Some((Cow::Borrowed(key), Cow::Borrowed(&entry.state)))
    }

    fn count(&self) -> u64 {
        self.index.pages.len() as u64
    }
}

/// The name of these bytes: their SHA-256.
fn name_of(bytes: &[u8]) -> String {
    Fingerprint::hash(bytes).to_string().trim_start_matches("sha256-").to_owned()
}

fn body_path(root: &Path, name: &str) -> PathBuf {
    let (shelf, _) = name.split_at_checked(2).unwrap_or((name, ""));
    root.join("bodies").join(shelf).join(format!("{name}.json"))
}

/// The names in a folder, on the disk.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the cache is files")]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Elsewhere a folder cannot be synced.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn file_error(action: &'static str, path: &Path, source: io::Error) -> RoundtripError {
    RoundtripError::File { action, path: path.to_owned(), source }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests look into the folder")]
mod tests {
    use tct::{HeldPage, UnixSeconds};

    use super::*;

    const KEY: &str = "https://127.0.0.1:1/a/llm/";

    /// A page's state and body that belong together.
    fn page(text: &str) -> (PageState, Vec<u8>) {
        let mut state = PageState::default();
        state.held = Some(HeldPage::new(name_of(text.as_bytes()), UnixSeconds(7)));
        (state, text.as_bytes().to_vec())
    }

    fn put(cache: &mut Cache, key: &str, text: &str) -> Result<(), RoundtripError> {
        let (state, body) = page(text);
        cache.store_body(key, &body)?;
        cache.set_page(key.to_owned(), state);
        Ok(())
    }

    /// Whatever counts as held is the hash of the body that is there.
    fn check(cache: &Cache) {
        for (key, entry) in &cache.index.pages {
            match &entry.state.held {
                Some(held) => assert_eq!(held.hash.to_string(), name_of(&cache.body(key).unwrap()), "{key}"),
                None => assert!(entry.body.is_none(), "{key}"),
            }
        }
    }

    #[test]
    fn what_is_stored_survives_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = Cache::open(folder.path()).unwrap();
        assert!(cache.page(KEY).is_none() && cache.is_empty());
        put(&mut cache, KEY, "one").unwrap();
        let mut site = SiteState::default();
        site.day = 7;
        cache.remember_site("https://127.0.0.1:1/", site.clone());
        cache.save().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        assert_eq!((cache.len(), cache.body(KEY).unwrap().as_ref()), (1, b"one".as_slice()));
        assert_eq!(
            (cache.site("https://127.0.0.1:1/"), cache.site("https://127.0.0.1:2/")),
            (site, SiteState::default())
        );
        check(&cache);
    }

    #[test]
    fn a_lost_body_is_not_held_and_a_wrong_one_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = Cache::open(folder.path()).unwrap();
        put(&mut cache, KEY, "one").unwrap();
        cache.save().unwrap();
        let path = body_path(folder.path(), &name_of(b"one"));
        fs::write(&path, b"two").unwrap();
        assert!(Cache::open(folder.path()).unwrap().body(KEY).is_err());
        fs::remove_file(&path).unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        assert!(cache.page(KEY).unwrap().held.is_none() && cache.is_empty());
        check(&cache);
    }

    /// A kill at every single step of a second run: what is found afterwards is of one piece, old or new.
    #[test]
    fn a_kill_at_any_step_leaves_a_cache_of_one_piece() {
        let mut survived = 0;
        for step in 0..200 {
            let folder = tempfile::tempdir().unwrap();
            let mut cache = Cache::open(folder.path()).unwrap();
            put(&mut cache, KEY, "old").unwrap();
            put(&mut cache, "https://127.0.0.1:1/b/llm/", "shared").unwrap();
            put(&mut cache, "https://127.0.0.1:1/c/llm/", "shared").unwrap();
            cache.save().unwrap();

            cache.fuse.set(Some(step));
            let mut run = || -> Result<(), RoundtripError> {
                put(&mut cache, KEY, "new")?;
                put(&mut cache, "https://127.0.0.1:1/b/llm/", "other")?;
                cache.save()?;
                cache.remove("https://127.0.0.1:1/c/llm/");
                put(&mut cache, KEY, "newer")?;
                cache.save()
            };
            let ended = run();
            // The process is gone; another opens the folder.
            let mut cache = Cache::open(folder.path()).unwrap();
            check(&cache);
            assert!(cache.len() >= 2, "step {step}: nothing that was saved is lost");
            // And it can go on.
            put(&mut cache, KEY, "newest").unwrap();
            cache.save().unwrap();
            check(&Cache::open(folder.path()).unwrap());
            if ended.is_ok() {
                survived = step;
                break;
            }
        }
        assert!(survived > 20, "the whole run has more steps: {survived}");
    }

    #[test]
    fn a_damaged_index_is_named_and_another_format_starts_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.json");
        fs::write(&path, b"{\"format\":").unwrap();
        let error = Cache::open(folder.path()).unwrap_err();
        assert!(site::one_line(&error).contains("index.json"), "{error}");
        fs::write(&path, br#"{"format":99,"sites":{},"pages":{}}"#).unwrap();
        assert!(Cache::open(folder.path()).unwrap().is_empty());
    }
}
